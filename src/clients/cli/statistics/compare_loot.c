/*
 * Carries out compare --loot: compares what ptl_loot_list says about two contents, how many of
 * each thing lie on the maps of a terrain. These numbers are called figures. A figure that one
 * content does not have counts as 0. Two exact figures differ if they are not equal. Figures
 * that were measured on samples differ if chance alone would hardly bring them so far apart.
 */
#include "clients/cli/statistics/compare_loot.h"

#include "clients/cli/checks/loot.h"
#include "core/arena.h"
#include "core/array.h"
#include "core/error.h"

#include <math.h>

/* A figure (how many of a thing lie on a terrain's maps) of one of the two contents. The
 * strings are in loot_side.memory. */
typedef struct kept_figure {
    const char *terrain, *id;
    ptl_loot_kind kind;
    int32_t samples;
    double number, chance, deviation;
    bool exact;
} kept_figure;

typedef struct loot_side {
    args args; /* a command line for the session, with only this side's file */
    session session;
    kept_figure *figures; /* owned; sorted by terrain, kind of thing and id */
    size_t count, room;
    arena *memory; /* owned */
    bool failed;
} loot_side;

typedef struct loot_report {
    session *s;
    const loot_side *a, *b;
    double most;
    size_t differ, beyond;
} loot_report;

static const report_column columns[] = {COLUMN(terrain),
                                        COLUMN(kind),
                                        COLUMN(id),
                                        COLUMN(change),
                                        COLUMN_AS(a_number, "A", 6, 0),
                                        COLUMN_AS(b_number, "B", 6, 0),
                                        COLUMN_AS(ratio, "B/A", 2, REPORT_RANK(1)),
                                        COLUMN_AS(a_chance, "A chance", 6, REPORT_RANK(3)),
                                        COLUMN_AS(b_chance, "B chance", 6, REPORT_RANK(3)),
                                        COLUMN_AS(how, "how", 0, REPORT_RANK(2)),
                                        COLUMN_DATA(beyond),
                                        COLUMNS_END};

/* ---- the command line ---- */

int compare_loot_check(const session *s)
{
    static const char *const with[] = {"item", "monster", "vehicle", "group",
                                       "in",   "samples", "jobs",    NULL};
    static const char *const without[] = {"only", "all",          "terrains", "level",
                                          "fdr",  "min-overmaps", NULL};
    const bool loot = args_has(s->args, "loot");
    const char *const *refused = loot ? without : with;
    for (size_t i = 0; refused[i]; i++)
        if (args_has(s->args, refused[i]))
            return usage_error(s->args, "--%s has no meaning with%s --loot", refused[i],
                               loot ? "" : "out");
    if (loot && s->style.format == ROWS_OTHER)
        return usage_error(s->args, "--format junit has no meaning with --loot");
    return EXIT_DONE;
}

/* ---- one side ---- */

static bool on_row(void *payload, const ptl_loot_row *row)
{
    loot_side *side = payload;
    if (!row->id)
        return !stop_wanted();
    side->failed = !ARRAY_ROOM(side->figures, side->room, side->count + 1);
    if (side->failed || !side->figures)
        return false;
    const kept_figure *last = side->count > 0 ? &side->figures[side->count - 1] : NULL;
    const bool same = last && strcmp(last->terrain, row->terrain) == 0;
    kept_figure f = {same ? last->terrain : arena_strdup(side->memory, row->terrain),
                     arena_strdup(side->memory, row->id),
                     row->kind,
                     row->samples,
                     row->number,
                     row->chance,
                     row->deviation,
                     row->exact};
    side->failed = !f.terrain || !f.id;
    side->figures[side->count] = f;
    side->count += !side->failed;
    return !side->failed && !stop_wanted();
}

static bool on_progress(void *payload, const ptl_progress *now)
{
    return progress_show(&((loot_side *)payload)->session.shown, now);
}

static int order(const kept_figure *a, const kept_figure *b)
{
    const int terrain = strcmp(a->terrain, b->terrain);
    if (terrain != 0)
        return terrain;
    return a->kind != b->kind ? (a->kind < b->kind ? -1 : 1) : strcmp(a->id, b->id);
}

static int compare_figures(const void *a, const void *b)
{
    return order(a, b);
}

/* Lists the figures (how many of each thing lie on maps) of one of the two contents. */
static int side_list(loot_side *side, const loot_operand *operand, const session *s,
                     const ptl_loot_options *wish)
{
    session *own = &side->session;
    ptl_loot_options o = *wish;
    o.on_progress = on_progress;
    side->args = *s->args;
    side->args.operands = (const char **)(uintptr_t)&operand->path;
    side->args.operand_count = 1;
    session_init(own, &side->args);
    side->memory = arena_new();
    if (!side->memory)
        return session_no_memory(own);
    NEED(session_open(own, PTL_OPEN_READ));
    ptl_status status = ptl_world_open(&own->world, own->store, operand->name, NULL, &own->err);
    progress_begin(&own->shown, "terrains");
    if (status == PTL_OK)
        status = ptl_loot_list(own->world, &o, on_row, side, &own->err);
    progress_end(&own->shown);
    if (stop_wanted())
        return stop_tell();
    if (side->failed)
        return session_no_memory(own);
    if (side->count > 0)
        qsort(side->figures, side->count, sizeof *side->figures, compare_figures);
    return status == PTL_OK ? EXIT_DONE : session_failed(own);
}

static void side_dispose(loot_side *side)
{
    session_close(&side->session);
    free(side->figures);
    arena_free(side->memory);
}

/* ---- both sides ---- */

/* Returns whether two figures differ: exact ones if they are not equal, measured ones if their
 * means differ by more than `FAR` times the standard error. */
static bool differs(const kept_figure *a, const kept_figure *b)
{
    static const double EQUAL = 1e-9, FAR = 4;
    const double scale = a->number > b->number ? a->number : b->number;
    const double off = fabs(a->number - b->number);
    if (a->exact && b->exact)
        return off > EQUAL * scale || fabs(a->chance - b->chance) > EQUAL;
    const double square = (a->exact ? 0 : a->deviation * a->deviation / a->samples) +
                          (b->exact ? 0 : b->deviation * b->deviation / b->samples);
    return off > EQUAL * scale && off > FAR * sqrt(square);
}

static bool put_difference(loot_report *r, row_printer *printer, const kept_figure *a,
                           const kept_figure *b)
{
    static const kept_figure none = {.exact = true};
    const kept_figure *one = a ? a : b;
    const kept_figure *before = a ? a : &none, *after = b ? b : &none;
    if (!one || !differs(before, after))
        return true;
    const double ratio = before->number > 0 ? after->number / before->number : INFINITY;
    const bool beyond = r->most > 0 && (ratio > r->most || ratio < 1 / r->most);
    r->differ++;
    r->beyond += beyond;
    return rows_put(printer,
                    CELLS(cell_text(one->terrain), cell_text(ptl_loot_kind_name(one->kind)),
                          cell_text(one->id),
                          cell_text(before->number <= 0  ? "new"
                                    : after->number <= 0 ? "gone"
                                    : ratio > 1          ? "more"
                                    : ratio < 1          ? "less"
                                                         : "chance"),
                          cell_real(before->number), cell_real(after->number),
                          isinf(ratio) ? cell_none() : cell_real(ratio),
                          cell_real(before->chance), cell_real(after->chance),
                          cell_text(before->exact && after->exact ? "exact" : "simulated"),
                          cell_text(beyond ? "yes" : "no")));
}

static ptl_status print(void *payload, ptl_error *err)
{
    loot_report *r = payload;
    const kept_figure *a = r->a->figures, *b = r->b->figures;
    const kept_figure *const a_end = a + r->a->count, *const b_end = b + r->b->count;
    row_printer *printer = rows_new(&r->s->style, columns, false);
    bool good = true;
    while ((a < a_end || b < b_end) && good && !stop_wanted()) {
        const int side = !a || a == a_end ? 1 : !b || b == b_end ? -1 : order(a, b);
        good = put_difference(r, printer, side <= 0 ? a : NULL, side >= 0 ? b : NULL);
        a += side <= 0;
        b += side >= 0;
    }
    good = rows_finish(printer) && good;
    return good || !out_ok() ? PTL_OK : error_nomem(err);
}

int compare_loot(session *s, const loot_operand sides[2], double most)
{
    ptl_loot_options o = PTL_LOOT_OPTIONS_INIT;
    loot_side a = {.count = 0}, b = {.count = 0};
    NEED(loot_options_read(&o, s->args));
    o.seed = 1;
    int code = side_list(&a, &sides[0], s, &o);
    if (code == EXIT_DONE)
        code = side_list(&b, &sides[1], s, &o);
    loot_report r = {.s = s, .a = &a, .b = &b, .most = most};
    const char *const inputs[] = {sides[0].path, sides[1].path};
    if (code == EXIT_DONE && a.count + b.count == 0) {
        tell("portolan compare: neither content puts this on any map\n");
        code = EXIT_FAILED;
    } else if (code == EXIT_DONE) {
        code = out_file_print(s, inputs, 2, print, &r);
        if (code == EXIT_DONE && !args_has(s->args, "quiet"))
            tell("%zu figure%s differ%s, of %zu in A and %zu in B.\n", r.differ,
                 plural(r.differ), r.differ == 1 ? "s" : "", a.count, b.count);
    }
    if (code == EXIT_DONE && r.beyond > 0)
        code = EXIT_FAILED;
    side_dispose(&a);
    side_dispose(&b);
    return code;
}
