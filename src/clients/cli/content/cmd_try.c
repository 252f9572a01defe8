/*
 * portolan try: a special placed over and over, on ground that nothing obstructs or on a
 * world's own (portolan/special.h): how often it could be, and what stayed open where not.
 */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/line/rows.h"
#include "clients/cli/session/coordinates.h"
#include "clients/cli/session/names.h"
#include "clients/cli/session/session.h"

#include <inttypes.h>
#include <stdio.h>

static const option_spec options[] = {
    {"times", "N", "placements, 1..1000000000 (default: 1000)", 0},
    {"seed", "S", "seed of the first; the next ones count up (default: 1)", 0},
    {"world", "NAME", "with this world's region and settings", 0},
    {"on-world", NULL, "on the ground of the world's saved chunks, made again", 0},
    {"chunks", "N", "with --on-world: the N chunks around 0,0 instead", 0},
    OPTIONS_ROWS,
    OPTION_NO_PROGRESS,
    OPTIONS_END,
};

typedef struct attempt {
    session *s;
    const char *special;
    ptl_try_options options;
    ptl_world_options settings; /* the world's */
    ptl_try_report report;
    int64_t chunks; /* of --chunks; 0: the saved ones */
    rows_style style;
    bool on_world, quiet;
} attempt;

/* ---- words ---- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

static void print_reasons(const ptl_try_report *r)
{
    for (size_t i = 0; i < r->reason_count; i++) {
        const ptl_try_reason *why = &r->reasons[i];
        out_printf("  %" PRIu64 " time%s join '%s' stayed open %d level%s %s the root",
                   why->undone, plural(why->undone), why->join, why->z < 0 ? -why->z : why->z,
                   why->z == 1 || why->z == -1 ? "" : "s", why->z < 0 ? "below" : "above");
        out_printf(" (first at %+d,%+d,%+d)", why->x, why->y, why->z);
        if (why->failed > 0)
            out_printf("; %" PRIu64 " placement%s failed so", why->failed, plural(why->failed));
        out_text("\n");
    }
    if (r->other_undone > 0)
        out_printf("  %" PRIu64 " times another join stayed open\n", r->other_undone);
}

static void print_pieces(const ptl_try_report *r, const char *what)
{
    if (r->placed > 0)
        out_printf("%s: %d to %d, %.1f on average\n", what, r->pieces_min, r->pieces_max,
                   r->pieces_mean);
}

static void print_growths(const attempt *t)
{
    const ptl_try_report *r = &t->report;
    const uint64_t failed = r->tried - r->placed;
    out_printf("%s: placed %" PRIu64 " of %" PRIu64 " times on ground that nothing obstructs\n",
               t->special, r->placed, r->tried);
    print_pieces(r, "Pieces");
    if (r->tried > 0)
        out_printf("Growths: %" PRIu64 ", %.2f for a placement, at most %d; %" PRIu64
                   " undone (%.2f %%)\n",
                   r->growths, (double)r->growths / (double)r->tried, r->growths_max, r->undone,
                   percent(r->undone, r->growths));
    print_reasons(r);
    if (failed > 0)
        out_printf("FAILED: %" PRIu64 " of %" PRIu64 " (%.3f %%): %" PRIu64
                   " with a mandatory join open, %" PRIu64 " with too many pieces, %" PRIu64
                   " with too much work, %" PRIu64
                   " blocked at the root; again: --seed %" PRIu64 " --times 1\n",
                   failed, r->tried, percent(failed, r->tried), r->failed_open, r->failed_large,
                   r->failed_costly, r->failed_blocked, r->first_failing_seed);
    if (r->seconds > 0)
        out_printf("%.2f s, %.0f placements/s\n", r->seconds, (double)r->tried / r->seconds);
}

static void print_fixed(const attempt *t)
{
    const ptl_try_report *r = &t->report;
    if (r->pieces_max == 0) {
        out_printf("%s: FAILED: it has no tiles\n", t->special);
        return;
    }
    out_printf("%s: a fixed special of %d tile%s; on ground made for it it fits in %" PRIu64
               " of %" PRIu64 " rotation%s\n",
               t->special, r->pieces_max, plural((uint64_t)r->pieces_max), r->placed, r->tried,
               plural(r->tried));
    if (r->has_conflict)
        out_printf("FAILED: at %d,%d,%d from its origin no terrain is all that it asks for\n",
                   r->conflict_x, r->conflict_y, r->conflict_z);
    else if (r->placed < r->tried)
        out_text("FAILED: it is too large, or a part of it lies outside the overmap\n");
}

static void print_short(uint64_t chunks, const char *what)
{
    if (chunks > 0)
        out_printf("  in %" PRIu64 " chunk%s: %s\n", chunks, plural(chunks), what);
}

/* ---- JSON ---- */

static void print_json(const attempt *t)
{
    const ptl_try_report *r = &t->report;
    out_text("{\"special\": ");
    out_json_text(t->special);
    out_printf(", \"subtype\": \"%s\", \"tried\": %" PRIu64 ", \"placed\": %" PRIu64
               ", \"failed\": %" PRIu64 ", \"pieces\": [%d, %.3f, %d]",
               r->is_mutable ? "mutable" : "fixed", r->tried, r->placed, r->tried - r->placed,
               r->pieces_min, r->pieces_mean, r->pieces_max);
    if (r->is_mutable) {
        out_printf(", \"growths\": %" PRIu64 ", \"undone\": %" PRIu64 ", \"growths_max\": %d",
                   r->growths, r->undone, r->growths_max);
        out_text(", \"reasons\": [");
        for (size_t i = 0; i < r->reason_count; i++) {
            const ptl_try_reason *why = &r->reasons[i];
            out_printf("%s{\"join\": ", i ? ", " : "");
            out_json_text(why->join);
            out_printf(", \"at\": [%d, %d, %d], \"undone\": %" PRIu64 ", \"failed\": %" PRIu64
                       "}",
                       why->x, why->y, why->z, why->undone, why->failed);
        }
        out_text("]");
    }
    if (t->on_world)
        out_printf(", \"chunks\": %" PRIu64 ", \"short\": {\"ground\": %" PRIu64
                   ", \"linked\": %" PRIu64 ", \"city\": %" PRIu64 ", \"room\": %" PRIu64
                   ", \"growth\": %" PRIu64 ", \"other\": %" PRIu64 "}",
                   r->chunks, r->short_ground, r->short_linked, r->short_city, r->short_room,
                   r->short_growth, r->short_other);
    else if (r->is_mutable && r->placed < r->tried) {
        out_printf(", \"open\": %" PRIu64 ", \"large\": %" PRIu64 ", \"costly\": %" PRIu64
                   ", \"blocked\": %" PRIu64 ", \"first_failing_seed\": ",
                   r->failed_open, r->failed_large, r->failed_costly, r->failed_blocked);
        out_json_uint(r->first_failing_seed);
    }
    if (r->has_conflict)
        out_printf(", \"conflict\": [%d, %d, %d]", r->conflict_x, r->conflict_y, r->conflict_z);
    out_printf(", \"seconds\": %.3f}\n", r->seconds);
}

/* ---- a row ---- */

static const report_column columns[] = {
    {"special", "special", 0, 0},
    {"subtype", "subtype", 0, 0},
    {"tried", "tried", 0, 0},
    {"placed", "placed", 0, 0},
    {"failed", "failed", 0, 0},
    {"pieces_min", "pieces_min", 0, 0},
    {"pieces_mean", "pieces_mean", 3, 0},
    {"pieces_max", "pieces_max", 0, 0},
    {"growths", "growths", 0, 0},
    {"undone", "undone", 0, 0},
    {"growths_max", "growths_max", 0, 0},
    {"chunks", "chunks", 0, 0},
    {"first_failing_seed", "first_failing_seed", 0, 0},
    {"seconds", "seconds", 3, 0},
    {NULL, NULL, 0, 0},
};

static bool print_count(row_printer *r, bool has, uint64_t count)
{
    return has ? rows_uint(r, count) : rows_none(r);
}

static bool print_row(const attempt *t)
{
    const ptl_try_report *n = &t->report;
    const bool failed = !t->on_world && n->is_mutable && n->placed < n->tried;
    row_printer *r = rows_new(&t->style, columns, true);
    const bool good =
        r && rows_text(r, t->special) && rows_text(r, n->is_mutable ? "mutable" : "fixed") &&
        rows_uint(r, n->tried) && rows_uint(r, n->placed) &&
        rows_uint(r, n->tried - n->placed) && rows_int(r, n->pieces_min) &&
        rows_real(r, n->pieces_mean) && rows_int(r, n->pieces_max) &&
        print_count(r, n->is_mutable, n->growths) && print_count(r, n->is_mutable, n->undone) &&
        print_count(r, n->is_mutable, (uint64_t)n->growths_max) &&
        print_count(r, t->on_world, n->chunks) &&
        print_count(r, failed, n->first_failing_seed) && rows_real(r, n->seconds);
    rows_finish(r);
    return good || !out_ok();
}

static bool print_report(const attempt *t)
{
    if (t->style.format == ROWS_JSON || t->style.format == ROWS_JSONL) {
        print_json(t);
        return true;
    }
    if (t->style.format != ROWS_TABLE)
        return print_row(t);
    out_prose_begin(0);
    if (t->on_world) {
        const ptl_try_report *r = &t->report;
        out_printf("%s: in %" PRIu64 " chunk%s asked for %" PRIu64 ", placed %" PRIu64 "\n",
                   t->special, r->chunks, plural(r->chunks), r->tried, r->placed);
        print_pieces(r, r->is_mutable ? "Pieces" : "Tiles");
        print_short(r->short_ground, "nowhere all tiles on their locations");
        print_short(r->short_linked, "nowhere all connections as they must be");
        print_short(r->short_city, "no city as near and as large as it must be");
        print_short(r->short_room, "other specials took the room");
        print_short(r->short_growth, "every growth was undone");
        print_short(r->short_other, "fewer than asked for");
        if (r->is_mutable) {
            out_printf("Growths: %" PRIu64 "; %" PRIu64 " undone (%.2f %%)\n", r->growths,
                       r->undone, percent(r->undone, r->growths));
            print_reasons(r);
        }
        if (r->seconds > 0)
            out_printf("%.2f s, %.0f chunks/s\n", r->seconds, (double)r->chunks / r->seconds);
    } else if (t->report.is_mutable)
        print_growths(t);
    else
        print_fixed(t);
    out_prose_end();
    return true;
}

/* ---- running ---- */

/* The first chunks of the square around 0,0 that has room for so many, row by row. */
static bool chunks_around(chunk_list *out, int64_t count)
{
    int32_t radius = 0;
    while ((int64_t)(2 * radius + 1) * (2 * radius + 1) < count)
        radius++;
    for (int32_t y = -radius; y <= radius; y++)
        for (int32_t x = -radius; x <= radius && (int64_t)out->count < count; x++)
            if (!chunk_list_add(out, (ptl_chunk_pos){x, y}))
                return false;
    return true;
}

/* EXIT_DONE, or a message was printed. */
static int list_chunks(attempt *t, chunk_list *out)
{
    if (t->chunks == 0) {
        int code = session_saved_chunks(t->s, NULL, out);
        if (code == EXIT_DONE && out->count == 0) {
            tell("portolan try: no chunk is saved; --chunks N makes some in memory\n");
            code = EXIT_FAILED;
        }
        return code;
    }
    if (chunks_around(out, t->chunks))
        return EXIT_DONE;
    t->s->err.status = PTL_ERR_NOMEM;
    return session_failed(t->s);
}

static int finish(const attempt *t, ptl_status status)
{
    const bool stopped = status == PTL_ERR_CANCELLED && stop_wanted();
    if (stopped)
        stop_tell_how("what it prints is what was done until then");
    else if (status == PTL_ERR_NOT_FOUND)
        return names_no_special(t->s, t->special);
    else if (status != PTL_OK)
        return session_failed(t->s);
    if (!print_report(t)) {
        tell("portolan try: memory is out\n");
        return EXIT_FAILED;
    }
    const bool failed = !t->on_world && t->report.placed < t->report.tried;
    return stopped || failed ? EXIT_FAILED : EXIT_DONE;
}

static int try_special(attempt *t)
{
    chunk_list list = {NULL, 0, 0};
    progress shown;
    ptl_status status;
    int code = t->on_world ? list_chunks(t, &list) : EXIT_DONE;
    if (code == EXIT_DONE) {
        progress_init(&shown, t->quiet);
        t->options.on_progress = progress_show;
        t->options.payload = &shown;
        if (t->on_world)
            status = ptl_try_on_world(t->s->world, t->special, list.positions, list.count,
                                      &t->options, &t->report, &t->s->err);
        else
            status =
                ptl_try_special(t->s->store, t->special, &t->options, &t->report, &t->s->err);
        progress_end(&shown);
        code = finish(t, status);
    }
    chunk_list_dispose(&list);
    return code;
}

static int read_options(const args *a, attempt *out)
{
    const char *seed = args_value(a, "seed");
    int64_t times = (int64_t)out->options.times;
    int code = args_int(a, "times", 1, 1000000000, &times);
    if (code == EXIT_DONE)
        code = args_int(a, "chunks", 1, 1000000, &out->chunks);
    if (code == EXIT_DONE && seed && !parse_u64(seed, &out->options.seed))
        code = usage_error(a, "--seed '%s' is not a whole number in 0..18446744073709551615",
                           seed);
    if (code == EXIT_DONE && out->chunks > 0 && !out->on_world)
        code = usage_error(a, "--chunks goes with --on-world");
    if (code == EXIT_DONE && out->on_world && (seed || args_has(a, "times")))
        code = usage_error(a, "--on-world has no --%s: the world says what is asked for",
                           seed ? "seed" : "times");
    out->options.times = (uint64_t)times;
    return code;
}

static int run(const args *a)
{
    session s = {.args = a};
    attempt t = {.s = &s,
                 .special = a->operands[1],
                 .options = PTL_TRY_OPTIONS_INIT,
                 .settings = PTL_WORLD_OPTIONS_INIT,
                 .report = PTL_TRY_REPORT_INIT,
                 .on_world = args_has(a, "on-world"),
                 .quiet = args_has(a, "quiet")};
    int code = rows_style_from_args(&t.style, a, NULL);
    if (code == EXIT_DONE)
        code = read_options(a, &t);
    if (code != EXIT_DONE)
        return code;
    code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE && (t.on_world || args_has(a, "world")))
        code = session_world(&s, NULL);
    if (code == EXIT_DONE && s.world) {
        (void)ptl_world_get_options(&t.settings, s.world, NULL);
        t.options.world = &t.settings;
    }
    if (code == EXIT_DONE)
        code = try_special(&t);
    session_close(&s);
    return code;
}

const command try_command = {
    .name = "try",
    .group = GROUP_SPECIALS,
    .operands = "FILE SPECIAL",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Place a special over and over, to see whether it always can be.",
    .operand_help = "SPECIAL  The id of a special of the file's content.\n",
    .details =
        "A mutable special grows on ground that nothing obstructs: what must close does so,\n"
        "or the growth is undone and drawn again, up to 32 times. A fixed special is put on\n"
        "ground made for it, in each rotation. The exit code is 1 if any placement failed.\n"
        "With --on-world the world's chunks are made again, and what became of the special\n"
        "there is summed up. Nothing is written.\n",
    .examples = "  portolan try w.db anthill --times 200\n"
                "  portolan try w.db anthill --on-world\n",
    .options = options,
    .run = run,
    .stopped = "nothing can be said",
};
