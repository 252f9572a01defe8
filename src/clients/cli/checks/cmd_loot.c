/* portolan loot: what local maps hold, by the content's definitions (portolan/loot.h). */
#include "clients/cli/checks/content.h"
#include "clients/cli/checks/loot.h"
#include "clients/os/terminal.h"
#include "core/array.h"
#include "core/error.h"
#include "portolan/stats.h"

#include <math.h>

static const option_spec options[] = {
    OPTIONS_LOOT(""),
    {"tree", NULL, "the way to the figure: entries, chunks, groups and their chances", 0},
    {"simulate", NULL, "count on maps also what is exact otherwise", 0},
    {"riots", NULL, "as riots leave the maps of terrains that they damage", 0},
    {"level", "Z", "on this level, -10..10 (default: 0)", 0},
    {"turn", "N", "at this turn of the game (default: 0, the first day of spring)", 0},
    {"seed", "S", "seed of the maps that are made (default: 1)", 0},
    {"near", "X,Y", "with a world file: where the nearest of each terrain is (default: 0,0)",
     0},
    OPTIONS_CONTENT,
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

/* How many OMTs of the saved chunks have one oter, or any oter of a terrain. */
typedef struct oter_omts {
    int64_t count;   /* -1: not known */
    int64_t x, y, z; /* the OMT nearest to --near; set if count is above 0 */
    double distance; /* squared */
} oter_omts;

/* A row that waits to be printed. */
typedef struct loot_row {
    ptl_loot_row row; /* its texts are in loot.memory */
    size_t number;    /* index of the row in the order in which the rows came */
    oter_omts omts;
} loot_row;

typedef struct loot {
    session *s;
    content content;
    ptl_loot_options options;
    loot_row *rows; /* owned */
    size_t count, room;
    arena *memory; /* owned */
    row_printer *printer;
    bool at_once;    /* true: each row is printed as soon as it comes; false: rows are kept and
                        sorted */
    oter_omts *omts; /* owned; by oter; NULL: there is no world */
    size_t oters;
    const ptl_oter *last; /* the oters of the terrain that last_omts is about */
    oter_omts last_omts;
    size_t told, simulated, refused;
    int64_t near[2];
    bool failed, printed;
} loot;

/* ---- the command line ---- */

int loot_options_read(ptl_loot_options *out, const args *a)
{
    int things = 0;
    for (int kind = 0; kind < PTL_LOOT_KINDS; kind++) {
        const char *id = args_value(a, ptl_loot_kind_name((ptl_loot_kind)kind));
        things += id != NULL;
        if (id) {
            out->kind = (ptl_loot_kind)kind;
            out->id = id;
        }
    }
    out->terrain = args_value(a, "in");
    if (things > 1)
        return usage_error(a, "one of --item, --monster, --vehicle and --group");
    NEED(args_int32(a, "samples", 1, PTL_LOOT_SAMPLES_MAX, &out->samples));
    return args_int32(a, "jobs", 1, PTL_LOOT_JOBS_MAX, &out->jobs);
}

static int read_options(loot *l)
{
    const args *a = l->s->args;
    int64_t turn = 0;
    uint64_t seed = 1;
    NEED(loot_options_read(&l->options, a));
    if (args_has(a, "tree") && (!l->options.id || !l->options.terrain))
        return usage_error(a, "--tree needs a thing and --in OTER");
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
    NEED(content_open(&l->content, l->s, CONTENT_QUICK));
    return content_world(&l->content);
}

/* ---- rows ---- */

/* Sorts rows by the number of things on a map, the largest first. */
static int compare(const void *pa, const void *pb)
{
    const loot_row *a = pa, *b = pb;
    if (a->row.number != b->row.number)
        return a->row.number > b->row.number ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* Returns the 95 % interval of the mean number of a thing on a map, as measured on samples of
 * the map. If no sample had the thing, it is the interval of a Poisson distribution from which
 * nothing came. */
static ptl_interval interval_of(const ptl_loot_row *row)
{
    const double level = 0.95, each = 1.959964;
    const double half = each * row->deviation / sqrt(row->samples > 0 ? row->samples : 1);
    if (row->hits == 0)
        return ptl_poisson_interval(0, (uint64_t)row->samples, level);
    return (ptl_interval){row->number > half ? row->number - half : 0, row->number + half};
}

/* Names the bits of ptl_loot_row.depends; NULL: none is set. */
static const char *depends_text(uint32_t depends)
{
    static const uint32_t all = PTL_LOOT_NEIGHBOURS | PTL_LOOT_DENSITY | PTL_LOOT_RIOTS;
    static const char *const texts[] = {
        [0] = NULL,
        [PTL_LOOT_NEIGHBOURS] = "neighbours",
        [PTL_LOOT_DENSITY] = "density",
        [PTL_LOOT_NEIGHBOURS | PTL_LOOT_DENSITY] = "neighbours, density",
        [PTL_LOOT_RIOTS] = "riots",
        [PTL_LOOT_NEIGHBOURS | PTL_LOOT_RIOTS] = "neighbours, riots",
        [PTL_LOOT_DENSITY | PTL_LOOT_RIOTS] = "density, riots",
        [PTL_LOOT_NEIGHBOURS | PTL_LOOT_DENSITY | PTL_LOOT_RIOTS] =
            "neighbours, density, riots"};
    return texts[depends & all];
}

static bool print_row(const loot *l, const ptl_loot_row *row, const oter_omts *omts)
{
    char place[96] = "";
    const bool there = row->id != NULL, counted = there && !row->exact;
    const bool world = omts->count >= 0;
    const ptl_interval range = counted ? interval_of(row) : (ptl_interval){0, 0};
    if (omts->count > 0)
        snprintf(place, sizeof place, "%lld,%lld,%lld", (long long)omts->x, (long long)omts->y,
                 (long long)omts->z);
    return rows_put(
        l->printer,
        CELLS(cell_text(row->terrain), cell_text(there ? ptl_loot_kind_name(row->kind) : NULL),
              cell_text(row->id), there ? cell_real(row->number) : cell_none(),
              there ? cell_real(row->chance) : cell_none(),
              cell_text(!there       ? "refused"
                        : row->exact ? "exact"
                                     : "simulated"),
              counted ? cell_real(range.low) : cell_none(),
              counted ? cell_real(range.high) : cell_none(),
              counted ? cell_int(row->samples) : cell_none(),
              counted ? cell_int(row->hits) : cell_none(),
              counted ? cell_real(row->deviation) : cell_none(),
              world ? cell_int(omts->count) : cell_none(),
              world && there ? cell_real(row->number * (double)omts->count) : cell_none(),
              cell_text(omts->count > 0 ? place : NULL), cell_text(depends_text(row->depends)),
              cell_text(row->exact ? NULL : row->why)));
}

/* ---- the world ---- */

static double distance_to(const loot *l, int64_t x, int64_t y)
{
    const double dx = (double)(x - l->near[0]), dy = (double)(y - l->near[1]);
    return dx * dx + dy * dy;
}

/* Counts the OMTs of a level by their oters. */
static void count_level(const loot *l, const ptl_oter *cells, ptl_omt corner)
{
    for (int i = 0; i < PTL_LEVEL_CELLS; i++) {
        oter_omts *o = cells[i] < l->oters ? &l->omts[cells[i]] : NULL;
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

/* Counts the OMTs of all saved chunks by their oters. */
static int count_world(loot *l)
{
    session *s = l->s;
    l->oters = ptl_catalogue_count(ptl_world_catalogue(s->world), PTL_CONTENT_OTER);
    l->omts = calloc(l->oters + 1, sizeof *l->omts);
    ptl_oter *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    ptl_status status = PTL_OK;
    if (!cells || !l->omts) {
        free(cells);
        return session_no_memory(s);
    }
    const int code = session_saved_chunks(s, NULL);
    for (size_t i = 0; i < s->chunks.count && code == EXIT_DONE && status == PTL_OK; i++) {
        const ptl_chunk_pos pos = s->chunks.positions[i];
        for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX && status == PTL_OK && !stop_wanted(); z++) {
            const ptl_omt corner = {(int64_t)pos.x * PTL_CHUNK_SIZE,
                                    (int64_t)pos.y * PTL_CHUNK_SIZE, z};
            status = ptl_level_load(cells, s->world, pos, z, &s->err);
            if (status == PTL_OK)
                count_level(l, cells, corner);
        }
    }
    free(cells);
    return code != EXIT_DONE ? code : status == PTL_OK ? EXIT_DONE : session_failed(s);
}

/* Adds up the OMTs of all oters of a row's terrain. Rows of one terrain follow each other. */
static oter_omts omts_of(loot *l, const ptl_loot_row *row)
{
    oter_omts all = {.count = -1};
    if (!l->omts || l->last == row->oters)
        return l->omts ? l->last_omts : all;
    all.count = 0;
    for (size_t i = 0; i < row->oter_count; i++) {
        const oter_omts *o = row->oters[i] < l->oters ? &l->omts[row->oters[i]] : &all;
        const int64_t count = all.count + o->count;
        if (o->count > 0 && (all.count == 0 || o->distance < all.distance))
            all = *o;
        all.count = count;
    }
    l->last = row->oters;
    l->last_omts = all;
    return all;
}

/* ---- the list ---- */

static const char *keep_text(loot *l, const char *text)
{
    const char *kept = text ? arena_strdup(l->memory, text) : NULL;
    l->failed = l->failed || (text && !kept);
    return kept;
}

static bool on_row(void *payload, const ptl_loot_row *row)
{
    loot *l = payload;
    const oter_omts omts = omts_of(l, row);
    l->simulated += row->id && !row->exact;
    l->refused += !row->id;
    l->told++;
    if (l->at_once) {
        l->printed = l->printed && print_row(l, row, &omts);
        return l->printed && !stop_wanted();
    }
    if (!ARRAY_ROOM(l->rows, l->room, l->count + 1)) {
        l->failed = true;
        return false;
    }
    loot_row *r = &l->rows[l->count];
    *r = (loot_row){.row = *row, .number = l->count, .omts = omts};
    r->row.terrain = keep_text(l, row->terrain);
    r->row.id = keep_text(l, row->id);
    r->row.why = keep_text(l, row->why);
    l->count += !l->failed;
    return !l->failed && !stop_wanted();
}

static bool on_progress(void *payload, const ptl_progress *now)
{
    return progress_show(&((loot *)payload)->s->shown, now);
}

/* If nothing was printed, says that what the user asked for is on no map. Otherwise says which
 * things the printed figures do not count. */
static void tell_what(const loot *l)
{
    const char *id = l->options.id, *in = l->options.terrain;
    if (l->told == 0)
        tell("portolan loot: %s%s%s is on no map%s%s\n",
             id ? ptl_loot_kind_name(l->options.kind) : "no thing", id ? " " : "", id ? id : "",
             in ? " of " : "", in ? in : "");
    else if (!args_has(l->s->args, "quiet"))
        tell("Without map extras%s, and without what stands around. %zu of %zu figures are "
             "counted on maps.\n",
             l->options.riots ? "" : " and riots", l->simulated, l->told - l->refused);
}

static int list(loot *l)
{
    session *s = l->s;
    l->at_once = !l->options.id && !l->options.terrain;
    l->options.on_progress = on_progress;
    l->options.pack = l->content.pack;
    if (l->content.is_file)
        NEED(count_world(l));
    if (stop_wanted())
        return stop_tell();
    l->printer = rows_new(&s->style, row_columns, false);
    l->printed = true;
    progress_begin(&s->shown, "terrains");
    const ptl_status status = ptl_loot_list(s->world, &l->options, on_row, l, &s->err);
    progress_end(&s->shown);
    if (l->count > 0)
        qsort(l->rows, l->count, sizeof *l->rows, compare);
    for (size_t i = 0; i < l->count && l->printed && status == PTL_OK; i++)
        l->printed = print_row(l, &l->rows[i].row, &l->rows[i].omts) && !stop_wanted();
    const bool good = rows_finish(l->printer) && l->printed;
    if (stop_wanted())
        return stop_tell();
    if (l->failed)
        return session_no_memory(s);
    if (status != PTL_OK && l->printed)
        return session_content_failed(s);
    NEED(session_printed(s, good));
    tell_what(l);
    return l->told > l->refused ? EXIT_DONE : EXIT_FAILED;
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
    const bool good = table || rows_finish(l->printer);
    if (stop_wanted())
        return stop_tell();
    if (status != PTL_OK)
        return session_content_failed(s);
    NEED(session_printed(s, good));
    if (table)
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
    free(l.omts);
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
