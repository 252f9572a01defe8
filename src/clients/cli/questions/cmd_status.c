/* portolan status: prints in sections what a file holds. One function for each section prints
 * it in all formats. */
#include "clients/cli/session/session.h"
#include "core/array.h"
#include "core/settings.h"

#include <inttypes.h>

static const option_spec options[] = {
    {"world", "NAME", "only this world; fails if the file has none of this name", 0},
    {"runs", "N", "how many of the last runs to list (default: 5)", 0},
    {"stale", NULL, "list the stale chunks, too", 0},
    {"regions", NULL, "list the regions and dimensions that worlds can have, too", 0},
    {"issues", NULL, "list what the import remarked on, too", 0},
    {"unknown", NULL, "list keys that nothing reads, too", 0},
    {"changes", NULL, "list what the content defines otherwise than the one before, too", 0},
    {"mapgen", NULL, "list what mapgen asks for and is not carried out, too", 0},
    {"section", "NAME...", "this section alone; csv, jsonl and raw need it (named above)", 0},
    OPTIONS_ROWS,
    OPTIONS_END,
};

typedef struct status_section status_section;

typedef struct status_report {
    session *s;
    const char *world; /* value of --world; NULL: all worlds */
    uint64_t runs;     /* how many runs of generation are listed at most */
    size_t worlds;     /* how many worlds are shown */
    /* The section that is being printed. */
    const status_section *part;
    bool first;        /* no section was printed before this one */
    row_printer *rows; /* owned; NULL until the heading is printed */
    bool refused;   /* a row could not be printed, because memory is out or standard output has
                       failed */
    int64_t number; /* rows of this section printed so far, if its rows are numbered */
    const char *at; /* name of the world whose chunks are listed at present */
} status_report;

/* A section of the output. Either `print` or `on_world` is set, and that function prints the
 * section's rows. If it fails, it sets `r->s->err`. */
struct status_section {
    const char *key, *title; /* name in JSON; heading of the table */
    const report_column *columns;
    ptl_status (*print)(status_report *r);                       /* prints all rows */
    bool (*on_world)(status_report *r, const ptl_world_info *w); /* prints rows of one world */
    const char *option;  /* name of the option, such as "stale", that adds the section to the
                            output; NULL: the section is always shown */
    bool only_with_rows; /* no table is printed if it would be empty */
};

/* ---- rows ---- */

/* Prints the heading and creates the printer of the rows. */
static void announce(status_report *r)
{
    const status_section *part = r->part;
    rows_style look = r->s->style;
    look.blocks = true; /* a row that is too wide is printed as a block of lines, so that no
                           column is left out */
    if (look.format == ROWS_TABLE)
        out_printf(r->first ? "%s\n" : "\n%s\n", part->title);
    if (look.format == ROWS_JSON)
        out_printf(r->first ? "\"%s\": " : ",\n\"%s\": ", part->key);
    r->rows = rows_new(&look, part->columns, false);
}

/* Prints cells of a row. Before the first cells of a section it prints the section's heading.
 */
static bool put(status_report *r, const report_cell *cells, size_t count)
{
    if (!r->rows)
        announce(r);
    return rows_put(r->rows, cells, count);
}

/* Prints cells, with which the row is complete. Returns false if no more rows are to be
 * printed. */
static bool end(status_report *r, const report_cell *cells, size_t count)
{
    const bool printed = put(r, cells, count);
    r->refused = r->refused || !printed;
    return printed && !stop_wanted();
}

/* Returns whether the world is shown: each is, unless --world names another one. */
static bool status_shows(const status_report *r, const char *world)
{
    return !r->world || strcmp(r->world, world) == 0;
}

/* Returns the status of a listing and keeps its error in s->err. If a call inside the listing
 * has failed, s->err has that error already, and it stays: the listing's own error is only
 * "cancelled". */
static ptl_status listed(status_report *r, ptl_status status, const ptl_error *err)
{
    if (status != PTL_OK && r->s->err.status == PTL_OK)
        r->s->err = *err;
    return status;
}

/* Size of a text that has the first 12 digits of a digest, with the NUL at its end. */
enum { HEAD_SIZE = 13 };

static report_cell cell_digest(const char *hex, char head[HEAD_SIZE])
{
    snprintf(head, HEAD_SIZE, "%.12s", hex);
    return cell_text(hex[0] ? head : NULL);
}

static report_cell cell_seed(uint64_t seed, char text[24])
{
    snprintf(text, 24, "%" PRIu64, seed);
    return cell_text(text);
}

/* ---- content ---- */

static const report_column content_columns[] = {
    COLUMN(digest),  COLUMN(imported_at), COLUMN(lenient), COLUMN(game),
    COLUMN(version), COLUMN(placement),   COLUMNS_END};

static bool put_content_row(void *payload, const ptl_content_info *c)
{
    const bool game = c->game[0] != '\0';
    return !c->is_current || end(payload, CELLS(cell_text(c->digest), cell_text(c->imported_at),
                                                cell_text(c->lenient ? "yes" : "no"),
                                                cell_text(game ? c->game : NULL),
                                                cell_text(game ? c->version : NULL),
                                                cell_text(placement_name(c->placement))));
}

static ptl_status print_contents(status_report *r)
{
    return ptl_content_list(r->s->store, put_content_row, r, &r->s->err);
}

/* If the table is too wide, the columns with a rank (the second argument of COLUMN_RANK) are
 * left out, the highest rank first. */
static const report_column pack_columns[] = {
    COLUMN_RANK(pack, 1), COLUMN(id),      COLUMN(name), COLUMN_RANK(directory, 2),
    COLUMN(files),        COLUMN(objects), COLUMNS_END};

static bool put_pack(void *payload, const ptl_pack_info *c)
{
    status_report *r = payload;
    r->number++;
    return end(r, CELLS(cell_int(r->number), cell_text(c->id), cell_text(c->name),
                        cell_text(c->directory), cell_int(c->files), cell_int(c->objects)));
}

static ptl_status print_packs(status_report *r)
{
    return ptl_pack_list(r->s->store, put_pack, r, &r->s->err);
}

static const report_column region_columns[] = {COLUMN(name),    COLUMN(region), COLUMN(kind),
                                               COLUMN(default), COLUMN(rivers), COLUMNS_END};

static bool put_region(void *payload, const ptl_region_name *n)
{
    char rivers[120];
    if (n->river_crossings > 0)
        snprintf(rivers, sizeof rivers, "curved, over %.1f %% of borders (river_frequency %g)",
                 100 * n->river_crossings, n->river_frequency);
    else
        snprintf(rivers, sizeof rivers, "%s", n->has_rivers ? "walked" : "none");
    return end(payload, CELLS(cell_text(n->name), cell_text(n->region), cell_text(n->kind),
                              cell_text(n->is_default ? "yes" : NULL),
                              cell_text(n->region ? rivers : NULL)));
}

static ptl_status print_regions(status_report *r)
{
    return ptl_region_name_list(r->s->store, put_region, r, &r->s->err);
}

static const report_column unknown_columns[] = {COLUMN(type),         COLUMN(key),
                                                COLUMN(objects),      COLUMN_RANK(file, 1),
                                                COLUMN_RANK(line, 2), COLUMNS_END};

static bool put_key(void *payload, const ptl_unknown_key *k)
{
    return end(payload, CELLS(cell_text(k->type), cell_text(k->key), cell_int(k->objects),
                              cell_text(k->file), cell_int(k->line)));
}

static ptl_status print_unknown(status_report *r)
{
    return ptl_unknown_key_list(r->s->store, put_key, r, &r->s->err);
}

static const report_column change_columns[] = {COLUMN(change), COLUMN(kind), COLUMN(id),
                                               COLUMN_RANK(before, 1), COLUMNS_END};

static bool put_change(void *payload, const ptl_content_change *c)
{
    return end(payload, CELLS(cell_text(c->change), cell_text(c->kind), cell_text(c->id),
                              cell_text(c->before)));
}

static ptl_status print_changes(status_report *r)
{
    return ptl_content_change_list(r->s->store, put_change, r, &r->s->err);
}

static const report_column mapgen_columns[] = {
    COLUMN(what), COLUMN(objects), COLUMN_RANK(file, 1), COLUMN_RANK(line, 2), COLUMNS_END};

static bool put_undone(void *payload, const ptl_mapgen_undone *u)
{
    return end(payload, CELLS(cell_text(u->what), cell_int(u->objects), cell_text(u->file),
                              cell_int(u->line)));
}

static ptl_status print_mapgen(status_report *r)
{
    return ptl_mapgen_undone_list(r->s->store, put_undone, r, &r->s->err);
}

static const report_column issue_columns[] = {COLUMN(times),        COLUMN_RANK(kind, 2),
                                              COLUMN(file),         COLUMN_RANK(line, 1),
                                              COLUMN_WRAP(message), COLUMNS_END};

typedef struct issue {
    int64_t times, line;
    const char *kind, *file, *message; /* allocated in the list's memory */
} issue;

typedef struct issue_list {
    arena *memory; /* owned; has the strings */
    strmap known;  /* finds an issue by its kind and message */
    issue *items;
    size_t count, room;
} issue_list;

static bool keep_remark(void *payload, const ptl_remark *remark)
{
    issue_list *l = payload;
    const size_t size = strlen(remark->kind) + strlen(remark->message) + 2;
    char *key = arena_alloc(l->memory, size);
    if (!key)
        return false;
    snprintf(key, size, "%s %s", remark->kind, remark->message);
    const uint32_t at = strmap_get(&l->known, key);
    if (at == STRMAP_NONE) {
        if (!ARRAY_ROOM(l->items, l->room, l->count + 1))
            return false;
        const issue i = {1, remark->line, arena_strdup(l->memory, remark->kind),
                         arena_strdup(l->memory, remark->file),
                         arena_strdup(l->memory, remark->message)};
        l->items[l->count] = i;
        return i.kind && i.file && i.message &&
               strmap_put(&l->known, key, (uint32_t)l->count++) == 0;
    }
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

static ptl_status print_issues(status_report *r)
{
    issue_list l = {.memory = arena_new()};
    strmap_init(&l.known);
    ptl_status status = PTL_ERR_CANCELLED;
    if (l.memory)
        status = ptl_remark_list(r->s->store, keep_remark, &l, &r->s->err);
    /* If the listing was cancelled but no signal came, memory was out. */
    r->refused = status == PTL_ERR_CANCELLED && !stop_wanted();
    if (l.count > 1)
        qsort(l.items, l.count, sizeof *l.items, by_times);
    bool more = status == PTL_OK;
    for (size_t k = 0; more && k < l.count; k++) {
        const issue *i = &l.items[k];
        more = end(r, CELLS(cell_int(i->times), cell_text(i->kind), cell_text(i->file),
                            cell_int(i->line), cell_text(i->message)));
    }
    strmap_dispose(&l.known);
    arena_free(l.memory);
    free(l.items);
    return status;
}

/* ---- worlds ---- */

/* A column for each setting of a world (portolan/settings.h). If the table is too wide, these
 * columns are left out, the last setting first. */
#define COLUMN_OF_SETTING(c, kind, type, name, option, otherwise, low, high, value, meaning)   \
    COLUMN_RANK(name, SETTING_OF_##name + (c)),

static const report_column world_columns[] = {COLUMN(world), COLUMN(seed),
                                              PTL_WORLD_SETTINGS(COLUMN_OF_SETTING, 2)
                                                  COLUMN_RANK(generator, 1),
                                              COLUMN(content), COLUMNS_END};

static void put_settings(status_report *r, const ptl_world_options *o, int count)
{
    char text[SETTING_TEXT_SIZE];
    for (int i = 0; i < count; i++) {
        const setting *t = &setting_rows[i];
        const report_cell cell = t->kind == SETTING_REAL ? cell_real(setting_number(o, t))
                                 : t->kind == SETTING_INT
                                     ? cell_int((int64_t)setting_number(o, t))
                                     : cell_text(setting_text(text, o, t));
        (void)put(r, &cell, 1);
    }
}

static bool put_world(status_report *r, const ptl_world_info *w)
{
    char seed[24], head[HEAD_SIZE];
    (void)put(r, CELLS(cell_text(w->name), cell_seed(w->options->seed, seed)));
    put_settings(r, w->options, SETTINGS_OF_WORLDS);
    return end(r, CELLS(cell_int(w->generator_version),
                        w->is_current ? cell_text("current") : cell_digest(w->content, head)));
}

static const report_column chunk_columns[] = {
    COLUMN(world), COLUMN(chunks),        COLUMN(unfinished), COLUMN_RANK(imported, 1),
    COLUMN(stale), COLUMN(west),          COLUMN(north),      COLUMN(east),
    COLUMN(south), COLUMN_RANK(edges, 2), COLUMNS_END};

static bool put_chunks(status_report *r, const ptl_world_info *w)
{
    ptl_world_counts c = PTL_WORLD_COUNTS_INIT;
    if (ptl_world_counts_load(&c, r->s->store, w->name, &r->s->err) != PTL_OK)
        return false;
    /* Prints the range of the chunks' coordinates. */
    const bool any = c.chunks > 0;
    return end(r, CELLS(cell_text(w->name), cell_uint(c.chunks), cell_uint(c.unfinished),
                        cell_uint(c.imported), cell_uint(c.stale),
                        any ? cell_int(c.west) : cell_none(),
                        any ? cell_int(c.north) : cell_none(),
                        any ? cell_int(c.east) : cell_none(),
                        any ? cell_int(c.south) : cell_none(), cell_uint(c.edges)));
}

static const report_column stale_columns[] = {
    COLUMN(world),     COLUMN(x),      COLUMN(y),  COLUMN(content),
    COLUMN(generator), COLUMN(origin), COLUMNS_END};

static bool put_stale_chunk(void *payload, ptl_chunk_pos pos)
{
    status_report *r = payload;
    char head[HEAD_SIZE];
    ptl_chunk_info c = PTL_CHUNK_INFO_INIT;
    return ptl_chunk_info_load(&c, r->s->store, r->at, pos, &r->s->err) == PTL_OK &&
           end(r, CELLS(cell_text(r->at), cell_int(pos.x), cell_int(pos.y),
                        cell_digest(c.content, head), cell_int(c.generator_version),
                        cell_text(c.imported ? "imported" : "generated")));
}

static bool put_stale_world(status_report *r, const ptl_world_info *w)
{
    ptl_chunk_list_options o = PTL_CHUNK_LIST_OPTIONS_INIT;
    ptl_error err = {0};
    o.stale = 1;
    r->at = w->name;
    return listed(r, ptl_chunk_list(r->s->store, w->name, &o, put_stale_chunk, r, &err),
                  &err) == PTL_OK;
}

static const report_column index_columns[] = {COLUMN(world),   COLUMN(chunks),  COLUMN(indexed),
                                              COLUMN(changed), COLUMN(missing), COLUMNS_END};

static bool put_index(status_report *r, const ptl_world_info *w)
{
    ptl_index_state i = PTL_INDEX_STATE_INIT;
    if (ptl_index_state_load(&i, r->s->store, w->name, &r->s->err) != PTL_OK)
        return false;
    return !i.made ||
           end(r, CELLS(cell_text(w->name), cell_uint(i.chunks), cell_uint(i.indexed),
                        cell_uint(i.changed), cell_uint(i.missing)));
}

/* ---- runs and sweeps ---- */

static const report_column run_columns[] = {COLUMN(run),     COLUMN(world),   COLUMN(command),
                                            COLUMN(started), COLUMN(outcome), COLUMN(chunks),
                                            COLUMN(seconds), COLUMNS_END};

static bool put_run(void *payload, const ptl_run_info *u)
{
    char seconds[64];
    snprintf(seconds, sizeof seconds, "%.2f", u->seconds);
    return end(payload,
               CELLS(cell_int(u->number), cell_text(u->world), cell_text(u->command),
                     cell_text(u->started), cell_text(u->outcome ? u->outcome : "unfinished"),
                     u->outcome ? cell_uint(u->chunks) : cell_none(),
                     u->outcome ? cell_real(strtod(seconds, NULL)) : cell_none()));
}

static ptl_status print_runs(status_report *r)
{
    return ptl_run_list(r->s->store, r->world, r->runs, put_run, r, &r->s->err);
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
    char first[24], last[24], head[HEAD_SIZE];
    ptl_sweep_counts c = PTL_SWEEP_COUNTS_INIT;
    if (ptl_sweep_counts_load(&c, r->s->store, w->name, &r->s->err) != PTL_OK)
        return false;
    const bool any = c.overmaps > 0;
    (void)put(r, CELLS(cell_text(w->name), cell_uint(c.overmaps), cell_uint(c.seeds),
                       any ? cell_seed(c.first, first) : cell_none(),
                       any ? cell_seed(c.last, last) : cell_none()));
    put_settings(r, w->options, SETTINGS_OF_SWEEPS);
    return end(r,
               CELLS(cell_int(w->generator_version),
                     w->is_current ? cell_text("current") : cell_digest(w->content, head),
                     cell_text((!w->is_current || w->generator_version < PTL_GENERATOR_VERSION)
                                   ? "yes"
                                   : "no")));
}

static ptl_status print_sweeps(status_report *r)
{
    ptl_error err = {0};
    r->s->err = (ptl_error){.status = PTL_OK};
    return listed(r, ptl_sweep_list(r->s->store, put_sweep, r, &err), &err);
}

/* ---- what `portolan repair` set aside: rows of the shown worlds, and rows of no world ---- */

static const report_column aside_columns[] = {
    COLUMN(number),      COLUMN_RANK(found, 2), COLUMN_RANK(table, 1),
    COLUMN_RANK(key, 3), COLUMN(world),         COLUMN(x),
    COLUMN(y),           COLUMN_WRAP(reason),   COLUMNS_END};

static bool put_aside(void *payload, const ptl_set_aside *a)
{
    status_report *r = payload;
    if (a->world[0] && !status_shows(r, a->world))
        return true;
    return end(r, CELLS(cell_int(a->number), cell_text(a->found), cell_text(a->table),
                        cell_text(a->key), cell_text(a->world),
                        a->has_place ? cell_int(a->x) : cell_none(),
                        a->has_place ? cell_int(a->y) : cell_none(), cell_text(a->reason)));
}

static ptl_status print_aside(status_report *r)
{
    return ptl_set_aside_list(r->s->store, put_aside, r, &r->s->err);
}

/* ---- all sections ---- */

static const status_section sections[] = {
    {"content", "Content", content_columns, print_contents, NULL, NULL, true},
    {"packs", "Packs", pack_columns, print_packs, NULL, NULL, true},
    {"worlds", "Worlds", world_columns, NULL, put_world, NULL, true},
    {"chunks", "Chunks", chunk_columns, NULL, put_chunks, NULL, true},
    {"regions", "Regions: what --region of a new world can name", region_columns, print_regions,
     NULL, "regions", false},
    {"stale", "Stale chunks", stale_columns, NULL, put_stale_world, "stale", false},
    {"issues", "Issues: what the import remarked on", issue_columns, print_issues, NULL,
     "issues", false},
    {"unknown", "Unknown: keys that nothing reads, and the first place of each",
     unknown_columns, print_unknown, NULL, "unknown", false},
    {"changes", "Changes: what the content has otherwise than the one before", change_columns,
     print_changes, NULL, "changes", false},
    {"mapgen", "Mapgen: what is known and not carried out, and the first place of each",
     mapgen_columns, print_mapgen, NULL, "mapgen", false},
    {"sweeps", "Sweeps", sweep_columns, print_sweeps, NULL, NULL, true},
    {"index", "Index: chunks that portolan index unpacked", index_columns, NULL, put_index,
     NULL, true},
    {"runs", "Last runs", run_columns, print_runs, NULL, NULL, true},
    {"set_aside", "Set aside: what repair could not bring back", aside_columns, print_aside,
     NULL, NULL, true},
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

static bool on_world(void *payload, const ptl_world_info *w)
{
    status_report *r = payload;
    return !status_shows(r, w->name) || r->part->on_world(r, w);
}

/* Prints the section with its heading. Returns EXIT_DONE or EXIT_FAILED. */
static int print_section(status_report *r, const status_section *part)
{
    session *s = r->s;
    ptl_error err = {0};
    r->part = part;
    r->rows = NULL;
    r->number = 0;
    if (!part->only_with_rows || s->style.format != ROWS_TABLE)
        announce(r);
    s->err = (ptl_error){.status = PTL_OK};
    const ptl_status status =
        part->print ? part->print(r)
                    : listed(r, ptl_world_list(s->store, on_world, r, &err), &err);
    (void)rows_finish(r->rows);
    r->first = false;
    if (r->refused)
        /* If a write to standard output has failed, out_finish prints why. */
        return out_ok() ? session_no_memory(s) : EXIT_FAILED;
    return session_done(s, status);
}

/* ---- the head: the file's main facts, for people ---- */

static bool print_content(void *payload, const ptl_content_info *c)
{
    if (!c->is_current)
        return true;
    *(bool *)payload = true;
    out_printf("content: %s\nimported: %s%s\n", c->digest, c->imported_at,
               c->lenient ? " (lenient)" : "");
    if (c->game[0])
        out_printf("game: %s%s%s; new worlds place specials by %s\n",
                   strcmp(c->game, "dda") == 0 ? "Dark Days Ahead" : "Bright Nights",
                   c->version[0] ? ", " : "", c->version, placement_name(c->placement));
    return true;
}

/* ---- the whole report ---- */

static bool see_world(void *payload, const ptl_world_info *w)
{
    status_report *r = payload;
    r->worlds += status_shows(r, w->name);
    return true;
}

/* Prints the chosen sections. If the output is for people and --section is not given, a heading
 * with the file's main facts comes first. */
static int print_all(status_report *r, const bool *chosen)
{
    session *s = r->s;
    const bool json = s->style.format == ROWS_JSON, alone = args_has(s->args, "section");
    int code = EXIT_DONE;
    NEED(session_done(s, ptl_world_list(s->store, see_world, r, &s->err)));
    if (r->worlds == 0 && r->world) {
        tell("portolan status: %s has no world '%s'\n", s->args->operands[0], r->world);
        names_suggest_world(s, r->world);
        return EXIT_FAILED;
    }
    out_text(json ? "{" : "");
    const char *path = s->args->operands[0];
    file_facts facts;
    const bool seen = file_look(&facts, path);
    if (json && !alone) {
        out_text("\"file\": ");
        out_json_text(path);
        if (seen)
            out_printf(",\n\"bytes\": %jd", (int64_t)facts.size);
    } else if (!alone) {
        bool any = false;
        char size[32] = "";
        if (seen)
            format_size(facts.size, size);
        out_printf("%s%s%s\n", path, size[0] ? ": " : "", size);
        NEED(session_done(s, ptl_content_list(s->store, print_content, &any, &s->err)));
        if (!any)
            out_printf("content: none yet; portolan import '%s' --builtin\n", path);
        if (r->worlds == 0)
            out_printf("worlds: none yet; portolan new '%s' NAME --seed N\n", path);
        code = session_tell_journal(s);
    }
    r->first = alone;
    for (size_t i = 0; i < SECTIONS && code == EXIT_DONE; i++)
        if (chosen[i])
            code = print_section(r, &sections[i]);
    if (json)
        out_text("}\n");
    return code;
}

/* ---- the command line ---- */

static void list_sections(void (*print)(const char *lines))
{
    bytes text = {.size = 0};
    bytes_put_text(&text, "\nSections of --section:");
    for (size_t i = 0; i < SECTIONS; i++)
        bytes_printf(&text, "%s %s", i ? "," : "", sections[i].key);
    bytes_put_text(&text, "\n");
    const char *lines = bytes_text(&text);
    print(lines ? lines : "");
    bytes_dispose(&text);
}

static int run(session *s)
{
    const args *a = s->args;
    status_report r = {.s = s, .world = args_value(a, "world")};
    bool chosen[SECTIONS] = {false};
    int64_t runs = 5;
    NEED(args_int(a, "runs", 0, 1000000, &runs));
    NEED(rows_style_from_args(&s->style, a, NULL));
    const char *name;
    size_t at = 0, count = 0;
    while ((name = args_next(a, "section", &at)) != NULL) {
        size_t i = 0;
        while (i < SECTIONS && strcmp(sections[i].key, name) != 0)
            i++;
        if (i == SECTIONS) {
            const char *names[SECTIONS + 1] = {NULL};
            for (i = 0; i < SECTIONS; i++)
                names[i] = sections[i].key;
            return usage_unknown(a, "section", name, names);
        }
        chosen[i] = true;
    }
    for (size_t i = 0; i < SECTIONS; i++) {
        const status_section *part = &sections[i];
        const bool usual = !args_has(a, "section") && !part->option &&
                           /* The first section is not printed as a table for people, because
                            * the text above all tables has its facts already. */
                           (i > 0 || r.s->style.format != ROWS_TABLE);
        chosen[i] |= usual || (part->option && args_has(a, part->option));
        count += chosen[i];
    }
    if (r.s->style.format != ROWS_TABLE && r.s->style.format != ROWS_JSON && count > 1)
        return usage_error(a, "--format %s has one section at a time: say --section NAME",
                           rows_format_name(r.s->style.format));
    r.runs = (uint64_t)runs;
    NEED(session_open(s, PTL_OPEN_READ));
    return print_all(&r, chosen);
}

static void list_section_names(value_sink sink, void *payload)
{
    for (size_t i = 0; i < SECTIONS; i++)
        if (!sink(payload, sections[i].key, ""))
            return;
}

static const value_type values[] = {{"section", VALUE_LISTED, NULL, list_section_names}, {0}};

const command status_command = {
    .name = "status",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .summary = "Say what a file holds: content, worlds, chunks, sweeps, runs.",
    .details =
        "A chunk is unfinished if it was made with --stop-after; generate completes it. An "
        "imported one comes from a game's save (import-save) and is never generated. A stale "
        "one was generated with other content than the file holds now, or by an older "
        "generator; 'portolan regenerate FILE --stale' makes it anew. What repair could not "
        "bring back is listed as set aside. A stale sweep was made with other content or by "
        "an older generator.\n",
    .examples = "  portolan status w.db\n"
                "  portolan status w.db --world home --runs 20\n"
                "  portolan status w.db --stale\n",
    .more_details = list_sections,
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what it printed is not all",
};
