/* The sections of portolan status, each written once for all formats. */
#include "clients/cli/questions/status.h"

#include "clients/cli/line/output.h"
#include "clients/cli/line/stop.h"
#include "core/arena.h"
#include "core/array.h"
#include "core/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

/* What stands above the rows, and their printer. */
static void announce(status_report *r)
{
    const status_section *part = r->part;
    rows_style look = r->style;
    look.blocks = true; /* each column was asked for */
    if (r->style.format == ROWS_TABLE) {
        out_text(r->first ? "" : "\n");
        out_printf("%s\n", part->title);
    }
    if (r->style.format == ROWS_JSON)
        out_printf(r->first ? "\"%s\": " : ",\n\"%s\": ", part->key);
    r->rows = rows_new(&look, part->columns, false);
}

/* The printer of the next row; NULL when memory is out. */
static row_printer *next_row(status_report *r)
{
    if (!r->rows)
        announce(r);
    return r->rows;
}

/* Whether to go on behind a row that was printed, or not. */
static bool go_on(status_report *r, bool printed)
{
    r->refused = r->refused || !printed;
    return printed && !stop_wanted();
}

int status_print(status_report *r, const status_section *part, bool first)
{
    r->part = part;
    r->first = first;
    r->rows = NULL;
    if (!part->only_with_rows || r->style.format != ROWS_TABLE)
        announce(r);
    const ptl_status status = part->print(r);
    rows_finish(r->rows);
    if (r->refused)
        return out_ok() ? session_no_memory(&r->s) : EXIT_FAILED; /* out_finish tells */
    return status == PTL_OK ? EXIT_DONE : session_failed(&r->s);
}

static bool put_switch(row_printer *p, bool on)
{
    return rows_text(p, on ? "yes" : "no");
}

/* The first digits of a digest. */
static bool put_digest(row_printer *p, const char *hex)
{
    char head[13];
    snprintf(head, sizeof head, "%.12s", hex);
    return rows_text(p, hex[0] ? head : NULL);
}

static bool put_content(row_printer *p, const char *hex, bool is_current)
{
    return is_current ? rows_text(p, "current") : put_digest(p, hex);
}

static bool put_none(row_printer *p, int count)
{
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = rows_none(p);
    return good;
}

static bool put_seed(row_printer *p, uint64_t seed)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    return rows_text(p, text);
}

#define COLUMN(name)                                                                           \
    {                                                                                          \
#name, #name, -1, 0                                                                    \
    }
#define COLUMN_RANK(name, rank)                                                                \
    {                                                                                          \
#name, #name, -1, REPORT_RANK(rank)                                                    \
    }
#define COLUMN_WRAP(name)                                                                      \
    {                                                                                          \
#name, #name, -1, REPORT_WRAP                                                          \
    }
#define COLUMNS_END                                                                            \
    {                                                                                          \
        NULL, NULL, 0, 0                                                                       \
    }

/* ---- content ---- */

static const report_column content_columns[] = {
    COLUMN(digest),  COLUMN(imported_at), COLUMN(lenient), COLUMN(game),
    COLUMN(version), COLUMN(placement),   COLUMNS_END};

static bool put_content_row(void *payload, const ptl_content_info *c)
{
    status_report *r = payload;
    row_printer *p = c->is_current ? next_row(r) : NULL;
    if (!c->is_current)
        return true;
    return go_on(r, p && rows_text(p, c->digest) && rows_text(p, c->imported_at) &&
                        put_switch(p, c->lenient) &&
                        rows_text(p, c->game[0] ? c->game : NULL) &&
                        rows_text(p, c->game[0] ? c->version : NULL) &&
                        rows_text(p, placement_name(c->placement)));
}

static ptl_status print_content(status_report *r)
{
    return ptl_content_list(r->s.store, put_content_row, r, &r->s.err);
}

/* Columns with ranks go first where the terminal has no room, the highest one first. */
static const report_column pack_columns[] = {
    COLUMN_RANK(pack, 1), COLUMN(id),      COLUMN(name), COLUMN_RANK(directory, 2),
    COLUMN(files),        COLUMN(objects), COLUMNS_END};

typedef struct numbered {
    status_report *r;
    int64_t number;
} numbered;

static bool put_pack(void *payload, const ptl_pack_info *c)
{
    numbered *n = payload;
    row_printer *p = next_row(n->r);
    return go_on(n->r, p && rows_int(p, ++n->number) && rows_text(p, c->id) &&
                           rows_text(p, c->name) && rows_text(p, c->directory) &&
                           rows_int(p, c->files) && rows_int(p, c->objects));
}

static ptl_status print_packs(status_report *r)
{
    numbered n = {r, 0};
    return ptl_pack_list(r->s.store, put_pack, &n, &r->s.err);
}

static const report_column region_columns[] = {COLUMN(name),    COLUMN(region), COLUMN(kind),
                                               COLUMN(default), COLUMN(rivers), COLUMNS_END};

static bool put_region(void *payload, const ptl_region_name *n)
{
    status_report *r = payload;
    row_printer *p = next_row(r);
    char rivers[120];
    if (n->river_crossings > 0)
        snprintf(rivers, sizeof rivers, "curved, over %.1f %% of borders (river_frequency %g)",
                 100 * n->river_crossings, n->river_frequency);
    else
        snprintf(rivers, sizeof rivers, "%s", n->has_rivers ? "walked" : "none");
    return go_on(r, p && rows_text(p, n->name) && rows_text(p, n->region) &&
                        rows_text(p, n->kind) && rows_text(p, n->is_default ? "yes" : NULL) &&
                        rows_text(p, n->region ? rivers : NULL));
}

static ptl_status print_regions(status_report *r)
{
    return ptl_region_name_list(r->s.store, put_region, r, &r->s.err);
}

static const report_column unknown_columns[] = {COLUMN(type),         COLUMN(key),
                                                COLUMN(objects),      COLUMN_RANK(file, 1),
                                                COLUMN_RANK(line, 2), COLUMNS_END};

static bool put_key(void *payload, const ptl_unknown_key *k)
{
    status_report *r = payload;
    row_printer *p = next_row(r);
    return go_on(r, p && rows_text(p, k->type) && rows_text(p, k->key) &&
                        rows_int(p, k->objects) && rows_text(p, k->file) &&
                        rows_int(p, k->line));
}

static ptl_status print_unknown(status_report *r)
{
    return ptl_unknown_key_list(r->s.store, put_key, r, &r->s.err);
}

static const report_column change_columns[] = {COLUMN(change), COLUMN(kind), COLUMN(id),
                                               COLUMN_RANK(before, 1), COLUMNS_END};

static bool put_change(void *payload, const ptl_content_change *c)
{
    status_report *r = payload;
    row_printer *p = next_row(r);
    return go_on(r, p && rows_text(p, c->change) && rows_text(p, c->kind) &&
                        rows_text(p, c->id) && rows_text(p, c->before));
}

static ptl_status print_changes(status_report *r)
{
    return ptl_content_change_list(r->s.store, put_change, r, &r->s.err);
}

static const report_column mapgen_columns[] = {
    COLUMN(what), COLUMN(objects), COLUMN_RANK(file, 1), COLUMN_RANK(line, 2), COLUMNS_END};

static bool put_undone(void *payload, const ptl_mapgen_undone *u)
{
    status_report *r = payload;
    row_printer *p = next_row(r);
    return go_on(r, p && rows_text(p, u->what) && rows_int(p, u->objects) &&
                        rows_text(p, u->file) && rows_int(p, u->line));
}

static ptl_status print_mapgen(status_report *r)
{
    return ptl_mapgen_undone_list(r->s.store, put_undone, r, &r->s.err);
}

/* ---- issues: one sentence once, with its first place; all of them are in content_issue ----
 */

static const report_column issue_columns[] = {COLUMN(times),        COLUMN_RANK(kind, 2),
                                              COLUMN(file),         COLUMN_RANK(line, 1),
                                              COLUMN_WRAP(message), COLUMNS_END};

typedef struct issue {
    int64_t times, line;
    const char *kind, *file, *message; /* in the list's memory */
} issue;

typedef struct issue_list {
    arena *memory; /* owned, with the rest */
    strmap known;  /* by kind and message */
    issue *items;
    size_t count, room;
} issue_list;

static bool add_issue(issue_list *l, const char *key, const ptl_remark *remark)
{
    if (!ARRAY_ROOM(l->items, l->room, l->count + 1))
        return false;
    const issue i = {1, remark->line, arena_strdup(l->memory, remark->kind),
                     arena_strdup(l->memory, remark->file),
                     arena_strdup(l->memory, remark->message)};
    l->items[l->count] = i;
    return i.kind && i.file && i.message &&
           strmap_put(&l->known, key, (uint32_t)l->count++) == 0;
}

static bool keep_remark(void *payload, const ptl_remark *remark)
{
    issue_list *l = payload;
    const size_t size = strlen(remark->kind) + strlen(remark->message) + 2;
    char *key = arena_alloc(l->memory, size);
    if (!key)
        return false;
    snprintf(key, size, "%s %s", remark->kind, remark->message);
    const uint32_t at = strmap_get(&l->known, key);
    if (at == STRMAP_NONE)
        return add_issue(l, key, remark);
    l->items[at].times++;
    return true;
}

static int by_times(const void *pa, const void *pb)
{
    const issue *a = pa, *b = pb;
    if (a->times != b->times)
        return a->times > b->times ? -1 : 1;
    const int order = strcmp(a->kind, b->kind);
    return order ? order : strcmp(a->message, b->message);
}

static void put_issues(status_report *r, const issue_list *l)
{
    bool more = true;
    for (size_t k = 0; more && k < l->count; k++) {
        const issue *i = &l->items[k];
        row_printer *p = next_row(r);
        more = go_on(r, p && rows_int(p, i->times) && rows_text(p, i->kind) &&
                            rows_text(p, i->file) && rows_int(p, i->line) &&
                            rows_text(p, i->message));
    }
}

static ptl_status print_issues(status_report *r)
{
    issue_list l = {.memory = arena_new()};
    strmap_init(&l.known);
    ptl_status status = PTL_ERR_CANCELLED;
    if (l.memory)
        status = ptl_remark_list(r->s.store, keep_remark, &l, &r->s.err);
    r->refused = status == PTL_ERR_CANCELLED && !stop_wanted(); /* memory is out */
    if (l.count > 1)
        qsort(l.items, l.count, sizeof *l.items, by_times);
    if (status == PTL_OK)
        put_issues(r, &l);
    strmap_dispose(&l.known);
    arena_free(l.memory);
    free(l.items);
    return status;
}

/* ---- worlds ---- */

bool status_shows(const status_report *r, const char *world)
{
    return !r->world || strcmp(r->world, world) == 0;
}

/* A call for one world that failed is what the list of worlds failed of. */
static ptl_status each_world(status_report *r, bool (*on_world)(void *, const ptl_world_info *))
{
    ptl_error err = {0};
    r->s.err = (ptl_error){.status = PTL_OK};
    const ptl_status status = ptl_world_list(r->s.store, on_world, r, &err);
    if (status != PTL_OK && r->s.err.status == PTL_OK)
        r->s.err = err;
    return status;
}

/* Of narrow tables the settings go from the last one on. */
#define COLUMN_OF_SETTING(c, kind, type, name, option, otherwise, low, high, value, meaning)   \
    COLUMN_RANK(name, SETTING_OF_##name + (c)),

static const report_column world_columns[] = {COLUMN(world), COLUMN(seed),
                                              PTL_WORLD_SETTINGS(COLUMN_OF_SETTING, 2)
                                                  COLUMN_RANK(generator, 1),
                                              COLUMN(content), COLUMNS_END};

static bool put_settings(row_printer *p, const ptl_world_options *o, int count)
{
    char text[SETTING_TEXT_SIZE];
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = setting_rows[i].kind == SETTING_REAL
                   ? rows_real(p, setting_number(o, &setting_rows[i]))
               : setting_rows[i].kind == SETTING_INT
                   ? rows_int(p, (int64_t)setting_number(o, &setting_rows[i]))
                   : rows_text(p, setting_text(text, o, &setting_rows[i]));
    return good;
}

static bool put_world(void *payload, const ptl_world_info *w)
{
    status_report *r = payload;
    const ptl_world_options *o = w->options;
    if (!status_shows(r, w->name))
        return true;
    row_printer *p = next_row(r);
    return go_on(r, p && rows_text(p, w->name) && put_seed(p, o->seed) &&
                        put_settings(p, o, SETTINGS_OF_WORLDS) &&
                        rows_int(p, w->generator_version) &&
                        put_content(p, w->content, w->is_current));
}

static ptl_status print_worlds(status_report *r)
{
    return each_world(r, put_world);
}

static const report_column chunk_columns[] = {
    COLUMN(world), COLUMN(chunks),        COLUMN(unfinished), COLUMN_RANK(imported, 1),
    COLUMN(stale), COLUMN(west),          COLUMN(north),      COLUMN(east),
    COLUMN(south), COLUMN_RANK(edges, 2), COLUMNS_END};

/* Where the outermost chunks lie. */
static bool put_ends(row_printer *p, const ptl_world_counts *c)
{
    if (c->chunks == 0)
        return put_none(p, 4);
    return rows_int(p, c->west) && rows_int(p, c->north) && rows_int(p, c->east) &&
           rows_int(p, c->south);
}

static bool put_chunks(void *payload, const ptl_world_info *w)
{
    status_report *r = payload;
    ptl_world_counts c = PTL_WORLD_COUNTS_INIT;
    if (!status_shows(r, w->name))
        return true;
    if (ptl_world_count(r->s.store, w->name, &c, &r->s.err) != PTL_OK)
        return false;
    row_printer *p = next_row(r);
    return go_on(r, p && rows_text(p, w->name) && rows_uint(p, c.chunks) &&
                        rows_uint(p, c.unfinished) && rows_uint(p, c.imported) &&
                        rows_uint(p, c.stale) && put_ends(p, &c) && rows_uint(p, c.edges));
}

static ptl_status print_chunks(status_report *r)
{
    return each_world(r, put_chunks);
}

static const report_column stale_columns[] = {
    COLUMN(world),     COLUMN(x),      COLUMN(y),  COLUMN(content),
    COLUMN(generator), COLUMN(origin), COLUMNS_END};

static bool put_stale_chunk(void *payload, ptl_chunk_pos pos)
{
    status_report *r = payload;
    ptl_chunk_info c = PTL_CHUNK_INFO_INIT;
    if (ptl_chunk_describe(r->s.store, r->at, pos, &c, &r->s.err) != PTL_OK)
        return false;
    row_printer *p = next_row(r);
    return go_on(r, p && rows_text(p, r->at) && rows_int(p, pos.x) && rows_int(p, pos.y) &&
                        put_digest(p, c.content) && rows_int(p, c.generator_version) &&
                        rows_text(p, c.imported ? "imported" : "generated"));
}

static bool put_stale_world(void *payload, const ptl_world_info *w)
{
    status_report *r = payload;
    ptl_chunk_list_options o = PTL_CHUNK_LIST_OPTIONS_INIT;
    ptl_error err = {0};
    o.stale = 1;
    r->at = w->name;
    if (!status_shows(r, w->name))
        return true;
    const ptl_status status = ptl_chunk_list(r->s.store, w->name, &o, put_stale_chunk, r, &err);
    if (status != PTL_OK && r->s.err.status == PTL_OK)
        r->s.err = err;
    return status == PTL_OK;
}

static ptl_status print_stale(status_report *r)
{
    return each_world(r, put_stale_world);
}

static const report_column index_columns[] = {COLUMN(world),   COLUMN(chunks),  COLUMN(indexed),
                                              COLUMN(changed), COLUMN(missing), COLUMNS_END};

static bool put_index(void *payload, const ptl_world_info *w)
{
    status_report *r = payload;
    ptl_index_state i = PTL_INDEX_STATE_INIT;
    if (!status_shows(r, w->name))
        return true;
    if (ptl_index_look(r->s.store, w->name, &i, &r->s.err) != PTL_OK)
        return false;
    row_printer *p = i.made ? next_row(r) : NULL;
    return !i.made || go_on(r, p && rows_text(p, w->name) && rows_uint(p, i.chunks) &&
                                   rows_uint(p, i.indexed) && rows_uint(p, i.changed) &&
                                   rows_uint(p, i.missing));
}

static ptl_status print_index(status_report *r)
{
    return each_world(r, put_index);
}

/* ---- runs and sweeps ---- */

static const report_column run_columns[] = {COLUMN(run),     COLUMN(world),   COLUMN(command),
                                            COLUMN(started), COLUMN(outcome), COLUMN(chunks),
                                            COLUMN(seconds), COLUMNS_END};

static bool put_run(void *payload, const ptl_run_info *u)
{
    status_report *r = payload;
    char seconds[64];
    snprintf(seconds, sizeof seconds, "%.2f", u->seconds);
    row_printer *p = next_row(r);
    return go_on(r, p && rows_int(p, u->number) && rows_text(p, u->world) &&
                        rows_text(p, u->command) && rows_text(p, u->started) &&
                        rows_text(p, u->outcome ? u->outcome : "unfinished") &&
                        (u->outcome ? rows_uint(p, u->chunks) : rows_none(p)) &&
                        (u->outcome ? rows_real(p, strtod(seconds, NULL)) : rows_none(p)));
}

static ptl_status print_runs(status_report *r)
{
    return ptl_run_list(r->s.store, r->world, r->runs, put_run, r, &r->s.err);
}

static const report_column sweep_columns[] = {COLUMN(sweep),
                                              COLUMN(overmaps),
                                              COLUMN(seeds),
                                              COLUMN(first),
                                              COLUMN(last),
                                              PTL_SWEEP_SETTINGS(COLUMN_OF_SETTING, 4)
                                                  COLUMN_RANK(generator, 3),
                                              COLUMN_RANK(content, 1),
                                              COLUMN_RANK(stale, 2),
                                              COLUMNS_END};

static bool put_sweep(void *payload, const ptl_sweep_info *w)
{
    status_report *r = payload;
    ptl_sweep_counts c = PTL_SWEEP_COUNTS_INIT;
    if (ptl_sweep_count(r->s.store, w->name, &c, &r->s.err) != PTL_OK)
        return false;
    const bool any = c.overmaps > 0;
    row_printer *p = next_row(r);
    return go_on(
        r, p && rows_text(p, w->name) && rows_uint(p, c.overmaps) && rows_uint(p, c.seeds) &&
               (any ? put_seed(p, c.first) : rows_none(p)) &&
               (any ? put_seed(p, c.last) : rows_none(p)) &&
               put_settings(p, w->options, SETTINGS_OF_SWEEPS) &&
               rows_int(p, w->generator_version) && put_content(p, w->content, w->is_current) &&
               put_switch(p, !w->is_current || w->generator_version < PTL_GENERATOR_VERSION));
}

static ptl_status print_sweeps(status_report *r)
{
    ptl_error err = {0};
    r->s.err = (ptl_error){.status = PTL_OK};
    const ptl_status status = ptl_sweep_list(r->s.store, put_sweep, r, &err);
    if (status != PTL_OK && r->s.err.status == PTL_OK)
        r->s.err = err;
    return status;
}

/* ---- what repair set aside; what belongs to no world is shown with every one ---- */

static const report_column aside_columns[] = {
    COLUMN(number),      COLUMN_RANK(found, 2), COLUMN_RANK(table, 1),
    COLUMN_RANK(key, 3), COLUMN(world),         COLUMN(x),
    COLUMN(y),           COLUMN_WRAP(reason),   COLUMNS_END};

static bool put_aside(void *payload, const ptl_set_aside *a)
{
    status_report *r = payload;
    if (a->world[0] && !status_shows(r, a->world))
        return true;
    row_printer *p = next_row(r);
    return go_on(r,
                 p && rows_int(p, a->number) && rows_text(p, a->found) &&
                     rows_text(p, a->table) && rows_text(p, a->key) && rows_text(p, a->world) &&
                     (a->has_place ? rows_int(p, a->x) && rows_int(p, a->y) : put_none(p, 2)) &&
                     rows_text(p, a->reason));
}

static ptl_status print_aside(status_report *r)
{
    return ptl_set_aside_list(r->s.store, put_aside, r, &r->s.err);
}

/* ---- all of them ---- */

const status_section status_sections[STATUS_SECTIONS] = {
    {"content", "Content", content_columns, print_content, NULL, true},
    {"packs", "Packs", pack_columns, print_packs, NULL, true},
    {"worlds", "Worlds", world_columns, print_worlds, NULL, true},
    {"chunks", "Chunks", chunk_columns, print_chunks, NULL, true},
    {"regions", "Regions: what --region of a new world can name", region_columns, print_regions,
     "regions", false},
    {"stale", "Stale chunks", stale_columns, print_stale, "stale", false},
    {"issues", "Issues: what the import remarked on", issue_columns, print_issues, "issues",
     false},
    {"unknown", "Unknown: keys that nothing reads, and the first place of each",
     unknown_columns, print_unknown, "unknown", false},
    {"changes", "Changes: what the content has otherwise than the one before", change_columns,
     print_changes, "changes", false},
    {"mapgen", "Mapgen: what is known and not carried out, and the first place of each",
     mapgen_columns, print_mapgen, "mapgen", false},
    {"sweeps", "Sweeps", sweep_columns, print_sweeps, NULL, true},
    {"index", "Index: chunks that portolan index unpacked", index_columns, print_index, NULL,
     true},
    {"runs", "Last runs", run_columns, print_runs, NULL, true},
    {"set_aside", "Set aside: what repair could not bring back", aside_columns, print_aside,
     NULL, true},
};
