/* portolan loot: what local maps hold, by the content's definitions (portolan/loot.h). */
#include "clients/cli/checks/findings.h"
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
    OPTIONS_FINDINGS,
    OPTION_QUIET,
    OPTIONS_END,
};

static const finding_kind kinds[] = {
    {"LOT001", PTL_ERROR, "What was asked for is on no map"},
    {"LOT002", PTL_WARNING, "No map of a terrain can be made"},
};
enum { NOWHERE, REFUSED, FINDING_KINDS };

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
    findings findings;
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
    ptl_loot_row whole; /* with --tree: the figure that the tree explains */
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
    NEED(findings_begin(&l->findings, l->s, &l->content, kinds, FINDING_KINDS));
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
    return EXIT_DONE;
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

/* ---- findings ---- */

static void find(loot *l, int kind, const char *id, const char *message)
{
    const ptl_diagnostic d = {.size = sizeof d,
                              .severity = kinds[kind].severity,
                              .file = "",
                              .id = id,
                              .message = message,
                              .code = kinds[kind].code,
                              .pack = l->content.pack ? l->content.pack : ""};
    findings_add(&l->findings, &d);
}

/* Adds the finding that what the user asked for is on no map. */
static void find_nowhere(loot *l)
{
    const char *id = l->options.id, *in = l->options.terrain;
    bytes message = {.size = 0};
    if (id)
        bytes_printf(&message, "this %s is on no map", ptl_loot_kind_name(l->options.kind));
    else
        bytes_put_text(&message, "nothing is on any map");
    if (in)
        bytes_printf(&message, " of %s", in);
    if (l->refused > 0)
        bytes_put_text(&message, ", since no map can be made");
    const char *text = bytes_text(&message);
    l->failed = l->failed || !text;
    find(l, NOWHERE, id ? id : in ? in : "", text ? text : "");
    bytes_dispose(&message);
}

/* Returns the command's exit code, after the findings were printed in the forms that only
 * findings have. */
static int judge(loot *l)
{
    findings *f = &l->findings;
    NEED(findings_settle(f));
    if (l->s->style.format == ROWS_OTHER)
        NEED(findings_print(f));
    return f->list.count > 0 || f->has_baseline ? findings_end(f) : EXIT_DONE;
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
    if (!row->id)
        find(l, REFUSED, row->terrain, row->why);
    if (!l->printer)
        return !stop_wanted();
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
        tell("portolan loot: %s%s%s is on %s map%s%s\n",
             id ? ptl_loot_kind_name(l->options.kind) : "nothing", id ? " " : "", id ? id : "",
             id ? "no" : "any", in ? " of " : "", in ? in : "");
    else if (!args_has(l->s->args, "quiet"))
        tell("Without map extras%s, and without what stands around. %zu of %zu figures are "
             "counted on maps.\n",
             l->options.riots ? "" : " and riots", l->simulated, l->told - l->refused);
}

/* Returns the status of work whose rows were printed, for out_file_print. */
static ptl_status printed(loot *l, ptl_status status, bool good, ptl_error *err)
{
    if (l->failed || (!good && out_ok()))
        return error_nomem(err);
    return good ? status : PTL_OK;
}

/* Computes the figures and prints them. In the forms of findings nothing is printed yet. */
static ptl_status print_list(void *payload, ptl_error *err)
{
    loot *l = payload;
    session *s = l->s;
    const bool rows = s->style.format != ROWS_OTHER;
    l->printer = rows ? rows_new(&s->style, row_columns, false) : NULL;
    l->printed = true;
    progress_begin(&s->shown, "terrains");
    const ptl_status status = ptl_loot_list(s->world, &l->options, on_row, l, err);
    progress_end(&s->shown);
    if (l->count > 0)
        qsort(l->rows, l->count, sizeof *l->rows, compare);
    for (size_t i = 0; i < l->count && l->printed && status == PTL_OK; i++)
        l->printed = print_row(l, &l->rows[i].row, &l->rows[i].omts) && !stop_wanted();
    const bool good = !rows || (rows_finish(l->printer) && l->printed);
    return printed(l, status, good, err);
}

/* Prints by `print`, into the file of --output if that is given; of the forms of findings
 * nothing is printed yet, and no file is made. */
static int print_out(loot *l, ptl_status (*print)(void *payload, ptl_error *err))
{
    session *s = l->s;
    const char *const inputs[] = {l->content.is_file ? s->args->operands[0] : ""};
    if (s->style.format != ROWS_OTHER)
        return out_file_print(s, inputs, l->content.is_file, print, l);
    const ptl_status status = print(l, &s->err);
    if (stop_wanted())
        return stop_tell();
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

static int list(loot *l)
{
    l->at_once = !l->options.id && !l->options.terrain;
    l->options.on_progress = on_progress;
    l->options.pack = l->content.pack;
    if (l->content.is_file)
        NEED(count_world(l));
    if (stop_wanted())
        return stop_tell();
    NEED(print_out(l, print_list));
    tell_what(l);
    if (l->told <= l->refused)
        find_nowhere(l);
    return judge(l);
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
    if (!l->printer) {
        if (l->s->style.format == ROWS_TABLE)
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

static ptl_status print_tree(void *payload, ptl_error *err)
{
    loot *l = payload;
    session *s = l->s;
    const ptl_loot_row *row = &l->whole;
    const bool rows = s->style.format != ROWS_TABLE && s->style.format != ROWS_OTHER;
    l->printer = rows ? rows_new(&s->style, step_columns, false) : NULL;
    const ptl_status status =
        ptl_loot_tree_list(&l->whole, s->world, &l->options, on_step, l, err);
    if (status == PTL_OK && s->style.format == ROWS_TABLE)
        out_say("%s %s on a map of %s: %.6g, at least one with the chance %.6g\n",
                ptl_loot_kind_name(row->kind), row->id, row->terrain, row->number, row->chance);
    return printed(l, status, !rows || rows_finish(l->printer), err);
}

static int tree(loot *l)
{
    const ptl_loot_row *row = &l->whole;
    NEED(print_out(l, print_tree));
    if (!row->exact)
        tell("This is not exact, because %s: without --tree, maps are counted.\n", row->why);
    if (row->number <= 0)
        find_nowhere(l);
    return judge(l);
}

static int run(session *s)
{
    loot l = {.s = s,
              .options = PTL_LOOT_OPTIONS_INIT,
              .whole = PTL_LOOT_ROW_INIT,
              .memory = arena_new()};
    l.content.session = s;
    int code = l.memory ? read_options(&l) : args_no_memory(s->args);
    if (code == EXIT_DONE)
        code = open_world(&l);
    if (code == EXIT_DONE)
        code = args_has(s->args, "tree") ? tree(&l) : list(&l);
    free(l.rows);
    free(l.omts);
    arena_free(l.memory);
    findings_dispose(&l.findings);
    content_close(&l.content);
    return code;
}

static const value_type values[] = {
    {"format", VALUE_WORDS, FINDINGS_FORMATS, NULL}, {"DIR", VALUE_FILE, NULL, NULL}, {0}};

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
        "The exit code is 1 if there is no such thing on any map (LOT001), unless --baseline "
        "knows that. Of terrains of which no map can be made the rows say so (LOT002). The "
        "formats junit, sarif and github have these findings alone.\n",
    .examples =
        "  portolan loot --builtin --in cabin\n"
        "  portolan loot --builtin --monster mon_hare --in cabin --tree\n"
        "  portolan loot --builtin mods/mine --monster mon_hare --format junit -o a.xml\n",
    .options = options,
    .values = values,
    .large_pages = true,
    .run = run,
    .stopped = "nothing is kept: the same command begins again",
};
