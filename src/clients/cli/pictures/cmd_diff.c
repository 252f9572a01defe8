/*
 * portolan diff: lists what differs between two worlds, or between a world and what was
 * generated for it: overmaps that only one has, OMTs, specials, notes, and local maps that a
 * game has changed. A is the world before, B the world after. Both are read overmap by overmap;
 * in memory are only the places of overmaps and local maps, the notes, and, for --summary and
 * --picture, what differs.
 */
#include "clients/cli/pictures/picture.h"
#include "clients/os/terminal.h"
#include "core/array.h"
#include "core/bytes.h"
#include "core/error.h"
#include "core/whole.h"
#include "portolan/save.h"

#include <inttypes.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"base", NULL, "compare with the world as it was generated", 0},
    {"omt", "X0,Y0,X1,Y1", "a rectangle of OMTs, both ends included (default: all)", 0},
    {"level", "Z", "one level", 0},
    {"levels", "A..B", "these levels (default: all)", 0},
    {"summary", NULL, "count equal differences instead of listing each", 0},
    {"picture", "FILE", "draw what is after, with frames around what differs (.png, .svg)", 0},
    {"exit-code", NULL, "exit with 1 if anything differs", 0},
    OPTIONS_ROWS,
    OPTION_OUTPUT,
    OPTION_QUIET,
    OPTIONS_END,
};

typedef enum kind { OVERMAP, OMT, SPECIAL, LOCAL_MAP, NOTE, KINDS } kind;
static const char *const KIND_NAMES[KINDS] = {"overmap", "OMT", "special", "local map", "note"};

/* Equal differences, for --summary. */
typedef struct diff_group {
    kind kind;
    char *before, *after; /* owned; "" for none */
    uint64_t count;
    ptl_omt first; /* where the first one is */
} diff_group;

/* Something at a place, as text, so that two lists can be sorted and compared. */
typedef struct placed_text {
    ptl_omt at;
    char *text; /* owned */
} placed_text;

typedef struct placed_texts {
    placed_text *list; /* owned */
    size_t count, room;
} placed_texts;

/* The OMTs of stored local maps. */
typedef struct map_places {
    ptl_omt *list; /* owned */
    size_t count, room;
} map_places;

typedef struct diff {
    session *s;     /* the command's own, for progress and format; it has no file */
    session *a, *b; /* A and B */
    bool base;      /* A is B as it was generated */
    ptl_local_area area;
    uint32_t *in_b;     /* owned; for each oter of A the number in B that its id has, or NONE */
    size_t oters;       /* number of A's oters */
    ptl_oter *cells;    /* owned; a level of A, then the same level of B */
    bool silent;        /* no progress: rows are printed on the same terminal */
    row_printer *rows;  /* owned; NULL with --summary */
    diff_group *groups; /* owned; sorted by group_order */
    size_t group_count, group_room;
    uint64_t counts[KINDS];
    /* Owned; for --picture: the places of what differs. */
    ptl_omt *marks;
    size_t mark_count, mark_room;
} diff;

enum { NONE = 0x10000 }; /* no number of an oter is so large */

/* ---- what is found ---- */

static int group_order(const diff_group *g, kind k, const char *before, const char *after)
{
    const int by_kind = (int)g->kind - (int)k;
    const int by_before = by_kind ? by_kind : strcmp(g->before, before);
    return by_before ? by_before : strcmp(g->after, after);
}

/* Counts a difference in its group. Returns false when memory is out. */
static bool add_to_group(diff *d, kind k, ptl_omt at, const char *before, const char *after)
{
    size_t low = 0, high = d->group_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (group_order(&d->groups[middle], k, before, after) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < d->group_count && group_order(&d->groups[low], k, before, after) == 0) {
        d->groups[low].count++;
        return true;
    }
    if (!ARRAY_ROOM(d->groups, d->group_room, d->group_count + 1))
        return false;
    diff_group g = {k, strdup(before), strdup(after), 1, at};
    if (!g.before || !g.after) {
        free(g.before);
        free(g.after);
        return false;
    }
    memmove(&d->groups[low + 1], &d->groups[low], (d->group_count - low) * sizeof g);
    d->groups[low] = g;
    d->group_count++;
    return true;
}

/* Prints or counts a difference; `before` and `after` are NULL for what is not there. */
static ptl_status found(diff *d, kind k, ptl_omt at, const char *before, const char *after)
{
    d->counts[k]++;
    if (k != OVERMAP && args_has(d->s->args, "picture")) {
        if (!ARRAY_ROOM(d->marks, d->mark_room, d->mark_count + 1))
            return PTL_ERR_NOMEM;
        d->marks[d->mark_count++] = at;
    }
    if (d->rows)
        return rows_put(d->rows, CELLS(cell_text(KIND_NAMES[k]), cell_int(at.x), cell_int(at.y),
                                       cell_int(at.z), cell_text(before), cell_text(after)))
                   ? PTL_OK
                   : PTL_ERR_CANCELLED;
    return add_to_group(d, k, at, before ? before : "", after ? after : "") ? PTL_OK
                                                                            : PTL_ERR_NOMEM;
}

static bool is_inside(const diff *d, ptl_omt at)
{
    const ptl_local_area *r = &d->area;
    return at.x >= r->x0 && at.x <= r->x1 && at.y >= r->y0 && at.y <= r->y1 && at.z >= r->z0 &&
           at.z <= r->z1;
}

/* Shows progress; false: the command is to stop. */
static bool goes_on(diff *d, uint64_t done, uint64_t total)
{
    return d->silent ? !stop_wanted() : progress_count(&d->s->shown, done, total);
}

/* ---- OMTs ---- */

/* Finds the numbers that the oters of A have in B. */
static ptl_status match_oters(diff *d)
{
    const ptl_catalogue *b = ptl_world_catalogue(d->b->world);
    d->oters = ptl_catalogue_count(ptl_world_catalogue(d->a->world), PTL_CONTENT_OTER);
    d->in_b = malloc((d->oters + 1) * sizeof *d->in_b);
    d->cells = malloc(2 * PTL_LEVEL_CELLS * sizeof *d->cells);
    if (!d->in_b || !d->cells)
        return PTL_ERR_NOMEM;
    for (size_t i = 0; i < d->oters; i++) {
        size_t number;
        const char *id = ptl_world_oter_name(d->a->world, (ptl_oter)i);
        const bool there = ptl_catalogue_find(&number, b, PTL_CONTENT_OTER, id) == PTL_OK;
        d->in_b[i] = there ? (uint32_t)number : NONE;
    }
    return PTL_OK;
}

static ptl_status diff_level(diff *d, ptl_chunk_pos pos, int32_t z)
{
    const ptl_oter *a = d->cells, *b = d->cells + PTL_LEVEL_CELLS;
    TRY(ptl_level_load(d->cells, d->a->world, pos, z, &d->a->err));
    TRY(ptl_level_load(d->cells + PTL_LEVEL_CELLS, d->b->world, pos, z, &d->b->err));
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const ptl_omt at = {(int64_t)pos.x * PTL_CHUNK_SIZE + i % PTL_CHUNK_SIZE,
                            (int64_t)pos.y * PTL_CHUNK_SIZE + i / PTL_CHUNK_SIZE, z};
        if ((a[i] < d->oters && d->in_b[a[i]] == b[i]) || !is_inside(d, at))
            continue;
        TRY(found(d, OMT, at, ptl_world_oter_name(d->a->world, a[i]),
                  ptl_world_oter_name(d->b->world, b[i])));
    }
    return PTL_OK;
}

/* ---- specials and notes ---- */

static void texts_dispose(placed_texts *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->list[i].text);
    free(t->list);
}

/* Adds a text if its place is inside of what is compared. Returns false when memory is out. */
__attribute__((format(printf, 4, 5))) static bool add_text(placed_texts *out, const diff *d,
                                                           ptl_omt at, const char *format, ...)
{
    bytes text = {.size = 0};
    va_list list;
    if (!is_inside(d, at))
        return true;
    va_start(list, format);
    bytes_vprintf(&text, format, list);
    va_end(list);
    char *copy = text.failed ? NULL : strdup(bytes_text(&text));
    bytes_dispose(&text);
    if (!copy || !ARRAY_ROOM(out->list, out->room, out->count + 1)) {
        free(copy);
        return false;
    }
    out->list[out->count++] = (placed_text){at, copy};
    return true;
}

static int compare_places(const void *left, const void *right)
{
    const ptl_omt *a = left, *b = right;
    return ORDER_BY(a->y, b->y, a->x, b->x, a->z, b->z);
}

static int compare_texts(const void *left, const void *right)
{
    const placed_text *a = left, *b = right;
    const int by_place = compare_places(&a->at, &b->at);
    return by_place ? by_place : strcmp(a->text, b->text);
}

/* Tells what only one of two lists has. */
static ptl_status diff_texts(diff *d, kind k, placed_texts *a, placed_texts *b)
{
    if (a->count > 1)
        qsort(a->list, a->count, sizeof *a->list, compare_texts);
    if (b->count > 1)
        qsort(b->list, b->count, sizeof *b->list, compare_texts);
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const int order = i == a->count   ? 1
                          : j == b->count ? -1
                                          : compare_texts(&a->list[i], &b->list[j]);
        if (order < 0)
            TRY(found(d, k, a->list[i].at, a->list[i].text, NULL));
        else if (order > 0)
            TRY(found(d, k, b->list[j].at, NULL, b->list[j].text));
        i += order <= 0;
        j += order >= 0;
    }
    return PTL_OK;
}

static ptl_status specials_of(placed_texts *out, const diff *d, session *s, ptl_chunk_pos pos)
{
    static const char *const rotations[] = {"north", "east", "south", "west"};
    ptl_features *f;
    ptl_placed_special p = PTL_PLACED_SPECIAL_INIT;
    TRY(ptl_features_load(&f, s->world, pos, &s->err));
    bool good = true;
    for (size_t i = 0; good && ptl_features_special(&p, f, i) == PTL_OK; i++) {
        const ptl_omt at = {(int64_t)pos.x * PTL_CHUNK_SIZE + p.x,
                            (int64_t)pos.y * PTL_CHUNK_SIZE + p.y, p.z};
        good = add_text(out, d, at, "%s, %s", p.id, rotations[p.rotation & 3]);
    }
    ptl_features_free(f);
    return good ? PTL_OK : PTL_ERR_NOMEM;
}

static ptl_status diff_specials(diff *d, ptl_chunk_pos pos)
{
    placed_texts a = {NULL, 0, 0}, b = {NULL, 0, 0};
    ptl_status status = specials_of(&a, d, d->a, pos);
    if (status == PTL_OK)
        status = specials_of(&b, d, d->b, pos);
    if (status == PTL_OK)
        status = diff_texts(d, SPECIAL, &a, &b);
    texts_dispose(&a);
    texts_dispose(&b);
    return status;
}

/* A list of notes that is being read. */
typedef struct note_reading {
    const diff *d;
    placed_texts *out;
} note_reading;

static bool add_note(void *payload, const ptl_note *n)
{
    const note_reading *r = payload;
    return add_text(r->out, r->d, n->at, "%s: %s (symbol '%s', colour '%s', radius %d%s)",
                    n->viewer, n->text, n->symbol, n->colour, (int)n->radius,
                    n->dangerous ? ", dangerous" : "");
}

static ptl_status notes_of(placed_texts *out, const diff *d, session *s)
{
    const int64_t rect[] = {d->area.x0, d->area.y0, d->area.x1, d->area.y1};
    note_reading r = {d, out};
    const ptl_status status = ptl_note_list(s->world, NULL, rect, add_note, &r, &s->err);
    return status == PTL_ERR_CANCELLED ? PTL_ERR_NOMEM : status;
}

static ptl_status diff_notes(diff *d)
{
    placed_texts a = {NULL, 0, 0}, b = {NULL, 0, 0};
    ptl_status status = notes_of(&b, d, d->b);
    if (status == PTL_OK && !d->base) /* what was generated has no notes */
        status = notes_of(&a, d, d->a);
    if (status == PTL_OK)
        status = diff_texts(d, NOTE, &a, &b);
    texts_dispose(&a);
    texts_dispose(&b);
    return status;
}

/* ---- overmaps ---- */

static bool stop_at_edit(void *payload, const ptl_edit *e)
{
    (void)e;
    *(bool *)payload = true;
    return false;
}

/* Can a chunk differ? A chunk without edits is what was generated. */
static ptl_status can_differ(bool *out, const diff *d, ptl_chunk_pos pos)
{
    const int64_t x = (int64_t)pos.x * PTL_CHUNK_SIZE, y = (int64_t)pos.y * PTL_CHUNK_SIZE;
    const int64_t rect[] = {x, y, x + PTL_CHUNK_SIZE - 1, y + PTL_CHUNK_SIZE - 1};
    *out = !d->base;
    if (*out)
        return PTL_OK;
    const ptl_status status = ptl_edit_list(d->b->world, rect, stop_at_edit, out, &d->b->err);
    return status == PTL_ERR_CANCELLED ? PTL_OK : status;
}

static ptl_status diff_chunk(diff *d, ptl_chunk_pos pos)
{
    bool differs;
    TRY(can_differ(&differs, d, pos));
    if (!differs)
        return PTL_OK;
    for (int32_t z = d->area.z0; z <= d->area.z1; z++)
        TRY(diff_level(d, pos, z));
    return diff_specials(d, pos);
}

static int chunk_order(const session *a, size_t i, const session *b, size_t j)
{
    if (i == a->chunks.count || j == b->chunks.count)
        return i == a->chunks.count ? 1 : -1;
    const ptl_chunk_pos p = a->chunks.positions[i], q = b->chunks.positions[j];
    return ORDER_BY(p.y, q.y, p.x, q.x);
}

/* Goes through the saved overmaps of both worlds, which are listed in the same order. */
static ptl_status diff_chunks(diff *d)
{
    const chunk_list *a = &d->a->chunks, *b = &d->b->chunks;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const int order = chunk_order(d->a, i, d->b, j);
        const ptl_chunk_pos pos = order <= 0 ? a->positions[i] : b->positions[j];
        const ptl_omt at = {(int64_t)pos.x * PTL_CHUNK_SIZE, (int64_t)pos.y * PTL_CHUNK_SIZE,
                            0};
        if (order == 0)
            TRY(diff_chunk(d, pos));
        else
            TRY(found(d, OVERMAP, at, order < 0 ? "saved" : NULL, order > 0 ? "saved" : NULL));
        i += order <= 0;
        j += order >= 0;
        if (!goes_on(d, i > j ? i : j, a->count > b->count ? a->count : b->count))
            return PTL_ERR_CANCELLED;
    }
    return PTL_OK;
}

/* ---- local maps ---- */

/* Writes what is said of a local map; "" if it is not edited. */
static ptl_status map_text(char out[80], session *s, ptl_omt at)
{
    ptl_local_map *map;
    out[0] = '\0';
    const ptl_status status = ptl_local_load(&map, s->world, at, &s->err);
    if (status != PTL_OK)
        return status == PTL_ERR_NOT_FOUND ? PTL_OK : status;
    if (ptl_local_is_edited(map))
        snprintf(out, 80, "edited, revision %" PRId64, ptl_local_revision(map));
    ptl_local_free(map);
    return PTL_OK;
}

static bool add_map(void *payload, const ptl_omt *at)
{
    map_places *p = payload;
    if (!ARRAY_ROOM(p->list, p->room, p->count + 1))
        return false;
    p->list[p->count++] = *at;
    return !stop_wanted();
}

/* Have A and B the same map there? */
static ptl_status same_map(bool *out, diff *d, ptl_omt at)
{
    const ptl_local_area one = {at.x, at.y, at.x, at.y, at.z, at.z};
    ptl_local_digest_result a = PTL_LOCAL_DIGEST_RESULT_INIT, b = PTL_LOCAL_DIGEST_RESULT_INIT;
    const ptl_status status = ptl_local_digest_get(&a, d->a->world, &one, &d->a->err);
    *out = false;
    if (status != PTL_OK)
        return status == PTL_ERR_NOT_FOUND ? PTL_OK : status; /* A has no overmap there */
    const ptl_status other = ptl_local_digest_get(&b, d->b->world, &one, &d->b->err);
    *out = other == PTL_OK && strcmp(a.hex, b.hex) == 0;
    return other == PTL_ERR_NOT_FOUND ? PTL_OK : other;
}

static ptl_status diff_map(diff *d, ptl_omt at)
{
    char a[80] = "", b[80];
    bool same = false;
    if (!d->base)
        TRY(map_text(a, d->a, at));
    TRY(map_text(b, d->b, at));
    if (!a[0] && !b[0])
        return PTL_OK;
    if (!d->base)
        TRY(same_map(&same, d, at));
    return same ? PTL_OK
                : found(d, LOCAL_MAP, at, a[0] ? a : "as generated", b[0] ? b : "as generated");
}

static ptl_status diff_maps(diff *d)
{
    map_places maps = {NULL, 0, 0};
    ptl_status status = ptl_local_list(d->b->world, &d->area, add_map, &maps, &d->b->err);
    if (status == PTL_OK && !d->base)
        status = ptl_local_list(d->a->world, &d->area, add_map, &maps, &d->a->err);
    if (status == PTL_ERR_CANCELLED && !stop_wanted())
        status = PTL_ERR_NOMEM;
    if (maps.count > 1)
        qsort(maps.list, maps.count, sizeof *maps.list, compare_places);
    for (size_t i = 0; i < maps.count && status == PTL_OK; i++) {
        if (i > 0 && compare_places(&maps.list[i - 1], &maps.list[i]) == 0)
            continue;
        status = diff_map(d, maps.list[i]);
        if (status == PTL_OK && !goes_on(d, i + 1, maps.count))
            status = PTL_ERR_CANCELLED;
    }
    free(maps.list);
    return status;
}

/* ---- the command ---- */

static int read_area(diff *d, const args *a)
{
    const int64_t least = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    const int64_t most = PTL_CHUNK_SIZE - 1 - least;
    const char *rect = args_value(a, "omt");
    int64_t v[4] = {least, least, most, most}, levels[2] = {PTL_Z_MIN, PTL_Z_MAX};
    if (rect)
        NEED(rect_from_text(a, "omt", rect, most, v));
    if (args_has(a, "level") || args_has(a, "levels"))
        NEED(levels_from_args(a, levels));
    d->area =
        (ptl_local_area){v[0] < least ? least : v[0], v[1] < least ? least : v[1], v[2], v[3],
                         (int32_t)levels[0],          (int32_t)levels[1]};
    return EXIT_DONE;
}

static int32_t chunk_at(int64_t omt)
{
    return (int32_t)floor_div(omt, PTL_CHUNK_SIZE);
}

/* Opens one of the worlds and lists its overmaps. */
static int open_side(const diff *d, session *s, bool base)
{
    const ptl_world_open_options o = {.size = sizeof o, .base = base};
    ptl_chunk_list_options within = PTL_CHUNK_LIST_OPTIONS_INIT;
    within.x0 = chunk_at(d->area.x0);
    within.y0 = chunk_at(d->area.y0);
    within.x1 = chunk_at(d->area.x1);
    within.y1 = chunk_at(d->area.y1);
    NEED(session_open_world(s, PTL_OPEN_READ, &o));
    return session_saved_chunks(s, &within);
}

/* The order in which groups are printed: by kind, the most frequent first. */
static int print_order(const void *left, const void *right)
{
    const diff_group *a = left, *b = right;
    const int by_count = (a->count < b->count) - (a->count > b->count);
    return a->kind != b->kind ? (int)a->kind - (int)b->kind
           : by_count         ? by_count
                              : group_order(a, b->kind, b->before, b->after);
}

static bool print_groups(const diff *d)
{
    static const report_column columns[] = {COLUMN(kind),  COLUMN(before), COLUMN(after),
                                            COLUMN(count), COLUMN(x),      COLUMN(y),
                                            COLUMN(z),     COLUMNS_END};
    row_printer *r = rows_new(&d->s->style, columns, false);
    if (d->group_count > 1)
        qsort(d->groups, d->group_count, sizeof *d->groups, print_order);
    for (size_t i = 0; i < d->group_count; i++) {
        const diff_group *g = &d->groups[i];
        rows_put(r, CELLS(cell_text(KIND_NAMES[g->kind]),
                          cell_text(g->before[0] ? g->before : NULL),
                          cell_text(g->after[0] ? g->after : NULL), cell_uint(g->count),
                          cell_int(g->first.x), cell_int(g->first.y), cell_int(g->first.z)));
    }
    return rows_finish(r);
}

/* Says how many differences there are, for people. */
static void print_counts(const diff *d)
{
    uint64_t total = 0;
    out_say("%s", "");
    for (int k = 0; k < KINDS; k++) {
        if (d->counts[k] > 0)
            out_printf("%s%" PRIu64 " %s%s", total > 0 ? ", " : "", d->counts[k], KIND_NAMES[k],
                       plural(d->counts[k]));
        total += d->counts[k];
    }
    out_text(total == 0 ? "nothing differs\n" : total == 1 ? " differs\n" : " differ\n");
}

/* Prints all that differs; serves as the callback of out_file_print. */
static ptl_status print(void *payload, ptl_error *err)
{
    static const report_column columns[] = {COLUMN(kind), COLUMN(x),      COLUMN(y),
                                            COLUMN(z),    COLUMN(before), COLUMN(after),
                                            COLUMNS_END};
    diff *d = payload;
    const bool summary = args_has(d->s->args, "summary");
    if (!summary && !(d->rows = rows_new(&d->s->style, columns, false)))
        return error_nomem(err);
    d->silent = !summary && terminal_is(STREAM_OUTPUT);
    ptl_status status = match_oters(d);
    progress_begin(&d->s->shown, "overmaps");
    if (status == PTL_OK)
        status = diff_chunks(d);
    progress_begin(&d->s->shown, "local maps");
    if (status == PTL_OK)
        status = diff_maps(d);
    if (status == PTL_OK)
        status = diff_notes(d);
    progress_end(&d->s->shown);
    const bool printed = summary ? print_groups(d) : rows_finish(d->rows);
    if (stop_wanted() || !out_ok())
        return PTL_OK; /* the caller tells of either */
    if (status == PTL_ERR_NOMEM || !printed)
        return error_nomem(err);
    if (status != PTL_OK) {
        *err = d->a->err.status == status ? d->a->err : d->b->err;
        return status;
    }
    if (d->s->style.format == ROWS_TABLE && !d->s->shown.quiet)
        print_counts(d);
    return PTL_OK;
}

/* Draws B: the rectangle that was asked for, or all saved overmaps, on the levels that were
 * asked for, or on the ground. */
static int draw(const diff *d, const char *const inputs[2])
{
    const args *a = d->s->args;
    const bool all_levels = !args_has(a, "level") && !args_has(a, "levels");
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    map_rect rect = {d->area.x0, d->area.y0, d->area.x1, d->area.y1};
    if (!args_has(a, "omt"))
        NEED(map_saved(d->b, &rect));
    NEED(map_check_saved(d->b, &rect));
    map_use(&o, &rect);
    o.parts = PTL_RENDER_ALL;
    o.z_first = all_levels ? 0 : d->area.z0;
    o.z_last = all_levels ? 0 : d->area.z1;
    o.marks = d->marks;
    o.mark_count = d->mark_count;
    picture_fit(&o);
    return picture_write_beside(d->b, args_value(a, "picture"), &o, inputs, 2);
}

static int run_sides(session *s, diff *d, file_operand *a, file_operand *b)
{
    const args *given = s->args;
    if (!file_operand_init(a, given, 0) ||
        !file_operand_init(b, given, given->operand_count - 1))
        return args_no_memory(given);
    d->a = &a->session;
    d->b = &b->session;
    NEED(open_side(d, d->a, d->base));
    NEED(open_side(d, d->b, false));
    const char *const inputs[] = {a->path, b->path};
    NEED(out_file_print(s, inputs, 2, print, d));
    if (args_has(given, "picture"))
        NEED(draw(d, inputs));
    for (int k = 0; k < KINDS; k++)
        if (d->counts[k] > 0 && args_has(given, "exit-code"))
            return EXIT_FAILED;
    return EXIT_DONE;
}

static int run(session *s)
{
    const args *a = s->args;
    diff d = {.s = s, .base = args_has(a, "base")};
    file_operand before = {.path = NULL}, after = {.path = NULL};
    NEED(rows_style_from_args(&s->style, a, NULL));
    NEED(read_area(&d, a));
    if ((a->operand_count == 2) == d.base)
        return usage_error(a, "give two worlds, or one and --base");
    if (args_has(a, "picture") && !picture_is(args_value(a, "picture"), ".svg"))
        NEED(picture_path_check(a, "picture"));
    const int code = run_sides(s, &d, &before, &after);
    for (size_t i = 0; i < d.group_count; i++) {
        free(d.groups[i].before);
        free(d.groups[i].after);
    }
    free(d.groups);
    free(d.marks);
    free(d.in_b);
    free(d.cells);
    file_operand_dispose(&before);
    file_operand_dispose(&after);
    return code;
}

const command diff_command = {
    .name = "diff",
    .group = GROUP_LOOK,
    .operands = "FILE[:WORLD] [FILE[:WORLD]]",
    .summary = "List what differs between two worlds, or what edits changed.",
    .operand_help = "FILE[:WORLD]  A world file and the name of a world in it.\n",
    .details =
        "WORLD may be left out where the file holds one world. The first world is the one "
        "before, the second the one after; both may be of one file. With --base only one is "
        "given, and what was generated is the world before.\n\n"
        "Listed are: overmaps that only one of the worlds has; OMTs of overmaps that both "
        "have, by the ids of their oters; specials, by id, place and rotation; notes; and "
        "local "
        "maps that a game has changed in one of the worlds, unless the other world's are the "
        "same. Worlds of different contents can be compared. A picture shows the ground unless "
        "levels are given.\n",
    .examples = "  portolan diff w.db --base\n"
                "  portolan diff old.db w.db --summary\n"
                "  portolan diff w.db --base --picture changes.png\n"
                "  portolan diff old.db w.db --omt 0,0,179,179 --level 0 --format csv\n",
    .options = options,
    .run = run,
    .stopped = "what it printed is not all",
};
