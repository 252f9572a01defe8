/* portolan loot: what local maps hold, by the content's definitions (portolan/loot.h). */
#include "clients/cli/checks/content.h"
#include "clients/os/terminal.h"
#include "core/array.h"
#include "core/error.h"
#include "portolan/stats.h"

#include <math.h>

static const option_spec options[] = {
    {"item", "ID", "how many of this item, for each terrain", 0},
    {"monster", "ID", "how many of this monster", 0},
    {"vehicle", "ID", "how many of this vehicle", 0},
    {"group", "ID", "how often something is drawn from this group", 0},
    {"in", "OTER", "on maps of this overmap terrain alone: without a thing, all that it has",
     0},
    {"tree", NULL, "the way to the figure: entries, chunks, groups and their chances", 0},
    {"samples", "N",
     "maps made of a terrain where figures are not exact (default: 1000, of all: 100)", 0},
    {"simulate", NULL, "count on maps also what is exact otherwise", 0},
    {"riots", NULL, "as riots leave the maps of terrains that they damage", 0},
    {"level", "Z", "on this level, -10..10 (default: 0)", 0},
    {"turn", "N", "at this turn of the game (default: 0, the first day of spring)", 0},
    {"seed", "S", "seed of the maps that are made (default: 1)", 0},
    {"near", "X,Y", "with a world file: where the nearest of each terrain is (default: 0,0)",
     0},
    {"builtin", NULL, "Portolan's own pack comes first", 0},
    {"game", "DIR", "a game's own directory: its core, content and names come first", 0},
    {"mods", "A,B,...", "of its mods these, by their ids, and what they depend on", 0},
    OPTION_WORLD,
    OPTIONS_ROWS,
    OPTION_NO_PROGRESS,
    OPTIONS_END,
};

static const report_column row_columns[] = {
    COLUMN(terrain),
    COLUMN(kind),
    COLUMN(id),
    COLUMN_AS(number, "number", 6, 0),
    COLUMN_AS(chance, "chance", 6, 0),
    COLUMN(how),
    COLUMN_AS(low, "low", 6, REPORT_RANK(3)),
    COLUMN_AS(high, "high", 6, REPORT_RANK(3)),
    COLUMN_DATA(samples),
    COLUMN_DATA(hits),
    COLUMN_DATA(deviation),
    COLUMN_RANK(omts, 1),
    COLUMN_AS(expected, "in the world", 1, REPORT_RANK(1)),
    COLUMN_RANK(nearest, 2),
    COLUMN_RANK(depends, 4),
    COLUMN_AS(why, "why", -1, REPORT_RANK(5)),
    COLUMNS_END};

/* A row that waits to be printed. */
typedef struct loot_row {
    ptl_loot_row row;
    const char *terrain, *id, *why; /* in loot.memory */
    size_t number;                  /* in the order in which rows came */
    int64_t omts;                   /* in the world; -1: not known */
    int64_t x, y, z;                /* the nearest */
    double distance;                /* squared; below 0: there is none */
} loot_row;

typedef struct loot {
    session *s;
    content content;
    ptl_loot_options options;
    loot_row *rows; /* owned */
    size_t count, room;
    arena *memory; /* owned */
    row_printer *printer;
    size_t simulated, refused;
    int64_t near[2];
    bool failed;
} loot;

/* ---- the command line ---- */

static int read_thing(loot *l)
{
    const args *a = l->s->args;
    int things = 0;
    for (int kind = 0; kind < PTL_LOOT_KINDS; kind++) {
        const char *id = args_value(a, ptl_loot_kind_name((ptl_loot_kind)kind));
        things += id != NULL;
        if (id) {
            l->options.kind = (ptl_loot_kind)kind;
            l->options.id = id;
        }
    }
    l->options.terrain = args_value(a, "in");
    if (things > 1)
        return usage_error(a, "one of --item, --monster, --vehicle and --group");
    if (args_has(a, "tree") && (!l->options.id || !l->options.terrain))
        return usage_error(a, "--tree needs a thing and --in OTER");
    return EXIT_DONE;
}

static int read_options(loot *l)
{
    enum { SAMPLES_MAX = 1000000 };
    const args *a = l->s->args;
    int64_t turn = 0;
    uint64_t seed = 1;
    NEED(read_thing(l));
    NEED(args_int32(a, "samples", 1, SAMPLES_MAX, &l->options.samples));
    NEED(args_int32(a, "level", PTL_Z_MIN, PTL_Z_MAX, &l->options.z));
    NEED(args_int(a, "turn", 0, INT64_MAX, &turn));
    NEED(args_u64(a, "seed", &seed));
    l->options.turn = turn;
    l->options.seed = seed;
    l->options.simulate = args_has(a, "simulate");
    l->options.riots = args_has(a, "riots");
    const char *near = args_value(a, "near");
    if (near && !parse_ints(near, 2, INT32_MIN, INT32_MAX, l->near))
        return usage_error(a, "--near needs X,Y, in OMTs");
    return rows_style_from_args(&l->s->style, a, NULL);
}

static int open_world(loot *l)
{
    session *s = l->s;
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    NEED(content_open(&l->content, s, CONTENT_STORE));
    if (l->content.is_file)
        return session_world(s, NULL);
    o.seed = 1;
    ptl_status status = ptl_world_create(s->store, "loot", &o, &s->err);
    THEN(status, ptl_world_open(&s->world, s->store, "loot", NULL, &s->err));
    return status == PTL_OK ? EXIT_DONE : session_content_failed(s);
}

/* ---- rows ---- */

static bool on_row(void *payload, const ptl_loot_row *row)
{
    loot *l = payload;
    if (!ARRAY_ROOM(l->rows, l->room, l->count + 1)) {
        l->failed = true;
        return false;
    }
    loot_row *r = &l->rows[l->count];
    *r = (loot_row){.row = *row, .number = l->count, .omts = -1, .distance = -1};
    r->terrain = arena_strdup(l->memory, row->terrain);
    r->id = arena_strdup(l->memory, row->id ? row->id : "");
    r->why = arena_strdup(l->memory, row->why);
    l->failed = !r->terrain || !r->id || !r->why;
    l->count += !l->failed;
    l->simulated += row->id && !row->exact;
    l->refused += !row->id;
    return !l->failed && !stop_wanted();
}

/* Sorts by the number, the largest first. */
static int compare(const void *pa, const void *pb)
{
    const loot_row *a = pa, *b = pb;
    if (a->row.number != b->row.number)
        return a->row.number > b->row.number ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* Returns the interval of the mean number: of many samples, or, where it is 0, of none. */
static ptl_interval interval_of(const ptl_loot_row *row)
{
    const double level = 0.95, each = 1.959964;
    const double half = each * row->deviation / sqrt(row->samples > 0 ? row->samples : 1);
    if (row->hits == 0)
        return ptl_poisson_interval(0, (uint64_t)row->samples, level);
    return (ptl_interval){row->number > half ? row->number - half : 0, row->number + half};
}

static const char *depends_text(uint32_t depends, char out[64])
{
    static const char *const names[] = {"neighbours", "density", "riots"};
    out[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (depends >> i & 1)
            snprintf(out + strlen(out), 64 - strlen(out), "%s%s", out[0] ? ", " : "", names[i]);
    return out[0] ? out : NULL;
}

static bool print_row(loot *l, const loot_row *r)
{
    char place[96], depends[64];
    const ptl_loot_row *row = &r->row;
    const bool there = row->id != NULL, counted = there && !row->exact;
    const ptl_interval range = interval_of(row);
    snprintf(place, sizeof place, "%lld,%lld,%lld", (long long)r->x, (long long)r->y,
             (long long)r->z);
    return rows_put(
        l->printer,
        CELLS(cell_text(r->terrain), cell_text(there ? ptl_loot_kind_name(row->kind) : NULL),
              cell_text(there ? r->id : NULL), there ? cell_real(row->number) : cell_none(),
              there ? cell_real(row->chance) : cell_none(),
              cell_text(!there       ? "refused"
                        : row->exact ? "exact"
                                     : "simulated"),
              counted ? cell_real(range.low) : cell_none(),
              counted ? cell_real(range.high) : cell_none(),
              counted ? cell_int(row->samples) : cell_none(),
              counted ? cell_int(row->hits) : cell_none(),
              counted ? cell_real(row->deviation) : cell_none(),
              r->omts >= 0 ? cell_int(r->omts) : cell_none(),
              r->omts >= 0 && there ? cell_real(row->number * (double)r->omts) : cell_none(),
              cell_text(r->distance >= 0 ? place : NULL),
              cell_text(depends_text(row->depends, depends)),
              cell_text(row->exact ? NULL : r->why)));
}

/* ---- the world ---- */

/* The OMTs of one oter in the saved chunks. */
typedef struct oter_omts {
    int64_t count;
    int64_t x, y, z; /* the nearest */
    double distance; /* squared; counts if there is any */
} oter_omts;

static double distance_to(const loot *l, int64_t x, int64_t y)
{
    const double dx = (double)(x - l->near[0]), dy = (double)(y - l->near[1]);
    return dx * dx + dy * dy;
}

/* Counts the OMTs of a level by their oters. */
static void count_level(const loot *l, oter_omts *all, size_t oters, const ptl_oter *cells,
                        ptl_omt corner)
{
    for (int i = 0; i < PTL_LEVEL_CELLS; i++) {
        oter_omts *o = cells[i] < oters ? &all[cells[i]] : NULL;
        const int64_t x = corner.x + i % PTL_CHUNK_SIZE, y = corner.y + i / PTL_CHUNK_SIZE;
        const double far = o ? distance_to(l, x, y) : 0;
        if (o && (o->count++ == 0 || far < o->distance)) {
            o->x = x;
            o->y = y;
            o->z = corner.z;
            o->distance = far;
        }
    }
}

/* Counts the OMTs of all saved chunks. */
static int count_world(loot *l, oter_omts *all, size_t oters)
{
    session *s = l->s;
    ptl_oter *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    ptl_status status = PTL_OK;
    if (!cells)
        return session_no_memory(s);
    int code = session_saved_chunks(s, NULL);
    for (size_t i = 0; i < s->chunks.count && code == EXIT_DONE && status == PTL_OK; i++) {
        const ptl_chunk_pos pos = s->chunks.positions[i];
        for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX && status == PTL_OK && !stop_wanted(); z++) {
            const ptl_omt corner = {(int64_t)pos.x * PTL_CHUNK_SIZE,
                                    (int64_t)pos.y * PTL_CHUNK_SIZE, z};
            status = ptl_level_load(cells, s->world, pos, z, &s->err);
            if (status == PTL_OK)
                count_level(l, all, oters, cells, corner);
        }
    }
    free(cells);
    return code != EXIT_DONE ? code : status == PTL_OK ? EXIT_DONE : session_failed(s);
}

/* Adds up the OMTs of all oters of a row's terrain. */
static void add_omts(loot_row *r, const ptl_world *world, const oter_omts *all, size_t oters)
{
    for (size_t k = 0; k < oters; k++) {
        const oter_omts *o = &all[k];
        if (o->count == 0 || strcmp(r->terrain, ptl_loot_terrain(world, (ptl_oter)k)) != 0)
            continue;
        r->omts += o->count;
        if (r->distance >= 0 && r->distance <= o->distance)
            continue;
        r->distance = o->distance;
        r->x = o->x;
        r->y = o->y;
        r->z = o->z;
    }
}

/* Finds out how many OMTs of each row's terrain the world has, and where the nearest is. Rows
 * of one terrain follow each other. */
static int find_omts(loot *l)
{
    session *s = l->s;
    const size_t oters = ptl_catalogue_count(ptl_world_catalogue(s->world), PTL_CONTENT_OTER);
    oter_omts *all = calloc(oters + 1, sizeof *all);
    if (!all)
        return session_no_memory(s);
    const int code = count_world(l, all, oters);
    for (size_t i = 0; i < l->count && code == EXIT_DONE && !stop_wanted(); i++) {
        loot_row *r = &l->rows[i];
        const loot_row *before = i > 0 ? &l->rows[i - 1] : NULL;
        r->omts = 0;
        if (!before || strcmp(before->terrain, r->terrain) != 0) {
            add_omts(r, s->world, all, oters);
            continue;
        }
        r->omts = before->omts;
        r->distance = before->distance;
        r->x = before->x;
        r->y = before->y;
        r->z = before->z;
    }
    free(all);
    return code;
}

/* ---- printing ---- */

/* Says what is not on the map, or what the figures are without. */
static void tell_what(const loot *l)
{
    const char *id = l->options.id, *in = l->options.terrain;
    if (l->count == 0)
        tell("portolan loot: %s%s%s is on no map%s%s\n",
             id ? ptl_loot_kind_name(l->options.kind) : "nothing", id ? " " : "", id ? id : "",
             in ? " of " : "", in ? in : "");
    else if (!args_has(l->s->args, "quiet"))
        tell("Without map extras%s, and without what stands around. %zu of %zu figures are "
             "counted on maps.\n",
             l->options.riots ? "" : " and riots", l->simulated, l->count - l->refused);
}

static int list(loot *l)
{
    session *s = l->s;
    const ptl_status status = ptl_loot_list(s->world, &l->options, on_row, l, &s->err);
    if (stop_wanted())
        return stop_tell();
    if (l->failed)
        return session_no_memory(s);
    if (status != PTL_OK)
        return session_content_failed(s);
    if (l->content.is_file)
        NEED(find_omts(l));
    if (stop_wanted())
        return stop_tell();
    if (l->options.id || l->options.terrain)
        qsort(l->rows, l->count, sizeof *l->rows, compare);
    l->printer = rows_new(&s->style, row_columns, false);
    bool good = true;
    for (size_t i = 0; i < l->count && good && !stop_wanted(); i++)
        good = print_row(l, &l->rows[i]);
    good = rows_finish(l->printer) && good;
    NEED(session_printed(s, good));
    tell_what(l);
    return l->count > l->refused ? EXIT_DONE : EXIT_FAILED;
}

static const report_column step_columns[] = {COLUMN(depth),
                                             COLUMN(kind),
                                             COLUMN(id),
                                             COLUMN(name),
                                             COLUMN_AS(times, "times", 6, 0),
                                             COLUMN_AS(number, "number", 6, 0),
                                             COLUMN(tiles),
                                             COLUMN_DATA(x),
                                             COLUMN_DATA(y),
                                             COLUMN_DATA(x2),
                                             COLUMN_DATA(y2),
                                             COLUMN(file),
                                             COLUMN(line),
                                             COLUMNS_END};

/* Prints a step as a line that begins with two blanks for each step around it. On a terminal a
 * line that is too long is wrapped; ids, and the beginnings of paths, are cut off if they are
 * longer than a line. */
static void say_step(const ptl_loot_step *t)
{
    enum { DEPTH_SHOWN = 12, LEAST = 16, ID_MAX = 60, BEHIND = 12 };
    const int indent = 2 * (t->depth < DEPTH_SHOWN ? t->depth : DEPTH_SHOWN);
    const int columns = (int)terminal_columns(STREAM_OUTPUT);
    const int left = columns - indent - BEHIND > LEAST ? columns - indent - BEHIND : LEAST;
    const int most = columns > 0 && left < ID_MAX ? left : ID_MAX;
    const size_t path = strlen(t->path);
    const size_t cut = columns > 0 && path > (size_t)left ? path - (size_t)left : 0;
    out_prose_begin((size_t)indent + 4);
    out_printf("%*s%s", indent, "", t->kind);
    if (t->name[0])
        out_printf(" %s%s", t->name, t->id[0] ? " =" : "");
    if (t->id[0])
        out_printf(" %.*s%s", most, t->id, strlen(t->id) > (size_t)most ? "..." : "");
    if (t->x >= 0)
        out_printf(t->x == t->x2 && t->y == t->y2 ? " at %d,%d" : " at %d..%d,%d..%d", t->x,
                   t->x == t->x2 && t->y == t->y2 ? t->y : t->x2, t->y, t->y2);
    if (t->tiles > 0)
        out_printf(" on %d tile%s", t->tiles, plural((uint64_t)t->tiles));
    out_printf(": x %.6g -> %.6g", t->times, t->number);
    if (path > 0)
        out_printf("  %s%s:%lld", cut > 0 ? "..." : "", t->path + cut, (long long)t->line);
    out_printf("\n");
    out_prose_end();
}

static bool on_step(void *payload, const ptl_loot_step *t)
{
    loot *l = payload;
    if (l->s->style.format == ROWS_TABLE) {
        say_step(t);
        return !stop_wanted();
    }
    return rows_put(l->printer,
                    CELLS(cell_int(t->depth), cell_text(t->kind), cell_text(t->id),
                          cell_text(t->name), cell_real(t->times), cell_real(t->number),
                          t->tiles > 0 ? cell_int(t->tiles) : cell_none(),
                          t->x >= 0 ? cell_int(t->x) : cell_none(),
                          t->x >= 0 ? cell_int(t->y) : cell_none(),
                          t->x >= 0 ? cell_int(t->x2) : cell_none(),
                          t->x >= 0 ? cell_int(t->y2) : cell_none(),
                          cell_text(t->path[0] ? t->path : NULL),
                          t->path[0] ? cell_int(t->line) : cell_none())) &&
           !stop_wanted();
}

static int tree(loot *l)
{
    session *s = l->s;
    ptl_loot_row row = PTL_LOOT_ROW_INIT;
    const bool table = s->style.format == ROWS_TABLE;
    if (!table)
        l->printer = rows_new(&s->style, step_columns, false);
    const ptl_status status =
        ptl_loot_tree_list(&row, s->world, &l->options, on_step, l, &s->err);
    if (stop_wanted())
        return stop_tell();
    if (status != PTL_OK)
        return session_content_failed(s);
    if (!table)
        NEED(session_printed(s, rows_finish(l->printer)));
    else
        out_say("%s %s on a map of %s: %.6g, at least one with the chance %.6g\n",
                   ptl_loot_kind_name(row.kind), row.id, row.terrain, row.number, row.chance);
    if (!row.exact)
        tell("This is not exact, because %s: without --tree, maps are counted.\n", row.why);
    return row.number > 0 ? EXIT_DONE : EXIT_FAILED;
}

static int run(session *s)
{
    loot l = {.s = s, .options = PTL_LOOT_OPTIONS_INIT, .memory = arena_new()};
    int code = l.memory ? read_options(&l) : args_no_memory(s->args);
    l.content.session = s;
    if (code == EXIT_DONE)
        code = open_world(&l);
    if (code == EXIT_DONE)
        code = args_has(s->args, "tree") ? tree(&l) : list(&l);
    free(l.rows);
    arena_free(l.memory);
    content_close(&l.content);
    return code;
}

static const value_type values[] = {
    {"format", VALUE_WORDS, ROWS_FORMATS, NULL}, {"DIR", VALUE_FILE, NULL, NULL}, {0}};

const command loot_command = {
    .name = "loot",
    .group = GROUP_ASK,
    .operands = "[FILE] [DIR...]",
    .summary = "Say what local maps hold: items, monsters and vehicles.",
    .operand_help = CONTENT_OPERAND_HELP,
    .details =
        "Prints for each overmap terrain the expected number of a thing on one local map, and "
        "the chance of at least one. Both are exact by the content's definitions where that is "
        "possible; else they are counted on maps that are made for this, and the rows say so, "
        "with an interval of 95 %. The maps are those of an OMT that stands alone, without map "
        "extras, and without riots unless --riots is given. With a world file that has chunks, "
        "the number is also given for all OMTs of the terrain, and where the nearest is.\n"
        "With --tree each line is a step: how often it is taken each time that the step around "
        "it is, and how much of the expected number comes this way.\n"
        "The exit code is 1 if there is no such thing on any map.\n",
    .examples = "  portolan loot --builtin --in cabin\n"
                "  portolan loot --builtin --monster mon_hare --in cabin --tree\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "nothing is kept: the same command begins again",
};
