/*
 * portolan try: places a special many times, on terrain without obstacles or on the terrain of
 * a world (portolan/trial.h). It tells how often that succeeds, and otherwise which joins
 * stayed open.
 */
#include "clients/cli/session/session.h"

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
    ptl_trial_options options;
    /* Settings of the world on whose terrain the special is placed. */
    ptl_world_options settings;
    ptl_trial_report report;
    int64_t chunks; /* value of --chunks; 0: the saved chunks are taken */
    bool on_world;
} attempt;

/* ---- the result in sentences ---- */

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

static void print_reasons(const ptl_trial_report *r)
{
    for (size_t i = 0; i < r->reason_count; i++) {
        const ptl_trial_reason *why = &r->reasons[i];
        out_say("  %ju time%s join '%s' stayed open ", why->undone, plural(why->undone),
                why->join);
        if (why->z == 0)
            out_say("on the root's level");
        else
            out_say("%d level%s %s the root", abs(why->z), plural((uint64_t)abs(why->z)),
                    why->z < 0 ? "below" : "above");
        out_say(" (first at %+d,%+d,%+d)", why->x, why->y, why->z);
        if (why->failed > 0)
            out_say("; %ju placement%s failed so", why->failed, plural(why->failed));
        out_say("\n");
    }
    if (r->other_undone > 0)
        out_say("  %ju times another join stayed open\n", r->other_undone);
}

static void print_pieces(const ptl_trial_report *r, const char *what)
{
    if (r->placed > 0)
        out_say("%s: %d to %d, %.1f on average\n", what, r->pieces_min, r->pieces_max,
                r->pieces_mean);
}

static void print_fixed(const attempt *t)
{
    const ptl_trial_report *r = &t->report;
    if (r->pieces_max == 0) {
        out_say("%s: FAILED: it has no OMTs\n", t->special);
        return;
    }
    out_say("%s: a fixed special of %d OMT%s; on ground made for it it fits in %ju of %ju "
            "rotation%s\n",
            t->special, r->pieces_max, plural((uint64_t)r->pieces_max), r->placed, r->tried,
            plural(r->tried));
    if (r->has_conflict)
        out_say("FAILED: at %d,%d,%d from its origin no terrain is all that it asks for\n",
                r->conflict_x, r->conflict_y, r->conflict_z);
    else if (r->placed < r->tried)
        out_say("FAILED: it is too large, or a part of it lies outside the overmap\n");
}

static void print_short(uint64_t chunks, const char *what)
{
    if (chunks > 0)
        out_say("  in %ju chunk%s: %s\n", chunks, plural(chunks), what);
}

static void print_on_world(const attempt *t)
{
    const ptl_trial_report *r = &t->report;
    out_say("%s: in %ju chunk%s asked for %ju, placed %ju\n", t->special, r->chunks,
            plural(r->chunks), r->tried, r->placed);
    print_pieces(r, r->is_mutable ? "Pieces" : "OMTs");
    print_short(r->short_ground, "nowhere all OMTs on their locations");
    print_short(r->short_linked, "nowhere all connections as they must be");
    print_short(r->short_city, "no city as near and as large as it must be");
    print_short(r->short_room, "other specials took the room");
    print_short(r->short_growth, "every growth was undone");
    print_short(r->short_other, "fewer than asked for");
    if (r->is_mutable) {
        out_say("Growths: %ju; %ju undone (%.2f %%)\n", r->growths, r->undone,
                percent(r->undone, r->growths));
        print_reasons(r);
    }
    if (r->seconds > 0)
        out_say("%.2f s, %.0f chunks/s\n", r->seconds, (double)r->chunks / r->seconds);
}

/* ---- the report of the trial, as JSON and as a row ---- */

static void print_json(const attempt *t)
{
    const ptl_trial_report *r = &t->report;
    out_text("{\"special\": ");
    out_json_text(t->special);
    out_printf(", \"subtype\": \"%s\", \"tried\": %ju, \"placed\": %ju, \"failed\": %ju, "
               "\"pieces\": [%d, %.3f, %d]",
               r->is_mutable ? "mutable" : "fixed", r->tried, r->placed, r->tried - r->placed,
               r->pieces_min, r->pieces_mean, r->pieces_max);
    if (r->is_mutable) {
        out_printf(", \"growths\": %ju, \"undone\": %ju, \"growths_max\": %d", r->growths,
                   r->undone, r->growths_max);
        out_text(", \"reasons\": [");
        for (size_t i = 0; i < r->reason_count; i++) {
            const ptl_trial_reason *why = &r->reasons[i];
            out_printf("%s{\"join\": ", i ? ", " : "");
            out_json_text(why->join);
            out_printf(", \"at\": [%d, %d, %d], \"undone\": %ju, \"failed\": %ju}", why->x,
                       why->y, why->z, why->undone, why->failed);
        }
        out_text("]");
    }
    if (t->on_world)
        out_printf(", \"chunks\": %ju, \"short\": {\"ground\": %ju, \"linked\": %ju, \"city\": "
                   "%ju, \"room\": %ju, \"growth\": %ju, \"other\": %ju}",
                   r->chunks, r->short_ground, r->short_linked, r->short_city, r->short_room,
                   r->short_growth, r->short_other);
    else if (r->is_mutable && r->placed < r->tried) {
        out_printf(", \"open\": %ju, \"large\": %ju, \"costly\": %ju, \"blocked\": %ju, "
                   "\"first_failing_seed\": ",
                   r->failed_open, r->failed_large, r->failed_costly, r->failed_blocked);
        out_json_uint(r->first_failing_seed);
    }
    if (r->has_conflict)
        out_printf(", \"conflict\": [%d, %d, %d]", r->conflict_x, r->conflict_y, r->conflict_z);
    out_printf(", \"seconds\": %.3f}\n", r->seconds);
}

static report_cell count_if(bool has, uint64_t count)
{
    return has ? cell_uint(count) : cell_none();
}

/* Prints the report of the trial as a row. Returns false when memory is out. */
static bool print_row(const attempt *t)
{
    static const report_column columns[] = {COLUMN(special),
                                            COLUMN(subtype),
                                            COLUMN(tried),
                                            COLUMN(placed),
                                            COLUMN(failed),
                                            COLUMN(pieces_min),
                                            COLUMN(pieces_mean),
                                            COLUMN(pieces_max),
                                            COLUMN(growths),
                                            COLUMN(undone),
                                            COLUMN(growths_max),
                                            COLUMN(chunks),
                                            COLUMN(first_failing_seed),
                                            COLUMN(seconds),
                                            COLUMNS_END};
    const ptl_trial_report *n = &t->report;
    const bool failed = !t->on_world && n->is_mutable && n->placed < n->tried;
    return rows_print_one(
        &t->s->style, columns,
        CELLS(cell_text(t->special), cell_text(n->is_mutable ? "mutable" : "fixed"),
              cell_uint(n->tried), cell_uint(n->placed), cell_uint(n->tried - n->placed),
              cell_int(n->pieces_min), cell_real(n->pieces_mean), cell_int(n->pieces_max),
              count_if(n->is_mutable, n->growths), count_if(n->is_mutable, n->undone),
              count_if(n->is_mutable, (uint64_t)n->growths_max),
              count_if(t->on_world, n->chunks), count_if(failed, n->first_failing_seed),
              cell_real(n->seconds)));
}

static int print_report(const attempt *t)
{
    const rows_format format = t->s->style.format;
    if (format == ROWS_CSV || format == ROWS_RAW)
        return session_printed(t->s, print_row(t));
    if (format != ROWS_TABLE)
        print_json(t);
    else if (t->on_world)
        print_on_world(t);
    else if (t->report.is_mutable) {
        const ptl_trial_report *r = &t->report;
        const uint64_t failed = r->tried - r->placed;
        out_say("%s: placed %ju of %ju times on ground that nothing obstructs\n", t->special,
                r->placed, r->tried);
        print_pieces(r, "Pieces");
        if (r->tried > 0)
            out_say("Growths: %ju, %.2f for a placement, at most %d; %ju undone (%.2f %%)\n",
                    r->growths, (double)r->growths / (double)r->tried, r->growths_max,
                    r->undone, percent(r->undone, r->growths));
        print_reasons(r);
        if (failed > 0)
            out_say("FAILED: %ju of %ju (%.3f %%): %ju with a mandatory join open, %ju with "
                    "too many pieces, %ju with too much work, %ju blocked at the root; "
                    "again: --seed %ju --times 1\n",
                    failed, r->tried, percent(failed, r->tried), r->failed_open,
                    r->failed_large, r->failed_costly, r->failed_blocked,
                    r->first_failing_seed);
        if (r->seconds > 0)
            out_say("%.2f s, %.0f placements/s\n", r->seconds, (double)r->tried / r->seconds);
    } else
        print_fixed(t);
    return EXIT_DONE;
}

/* ---- running ---- */

/* Adds `wanted` chunks to the session's list. They are the first ones, row by row, of the
 * smallest square around the chunk 0,0 that has as many chunks or more. */
static int add_chunks(session *s, int64_t wanted)
{
    int32_t radius = 0;
    while ((int64_t)(2 * radius + 1) * (2 * radius + 1) < wanted)
        radius++;
    for (int32_t y = -radius; y <= radius; y++)
        for (int32_t x = -radius; x <= radius && (int64_t)s->chunks.count < wanted; x++)
            if (!chunk_list_add(&s->chunks, (ptl_chunk_pos){x, y}))
                return session_no_memory(s);
    return EXIT_DONE;
}

static int try_special(attempt *t)
{
    session *s = t->s;
    ptl_status status;
    t->options.on_progress = progress_show;
    t->options.payload = &s->shown;
    if (t->on_world) {
        NEED(t->chunks > 0 ? add_chunks(s, t->chunks) : session_saved_chunks(s, NULL));
        if (s->chunks.count == 0) {
            tell("portolan try: no chunk is saved; --chunks N makes some in memory\n");
            return EXIT_FAILED;
        }
        status = ptl_trial_world_run(&t->report, s->world, t->special, s->chunks.positions,
                                     s->chunks.count, &t->options, &s->err);
    } else {
        status = ptl_trial_run(&t->report, s->store, t->special, &t->options, &s->err);
    }
    progress_end(&s->shown);
    const bool stopped = status == PTL_ERR_CANCELLED && stop_wanted();
    if (stopped)
        stop_tell_how("what it prints is what was done until then");
    else if (status == PTL_ERR_NOT_FOUND)
        return names_no_special(s, t->special);
    else
        NEED(session_done(s, status));
    NEED(print_report(t));
    const bool failed = !t->on_world && t->report.placed < t->report.tried;
    return stopped || failed ? EXIT_FAILED : EXIT_DONE;
}

static int run(session *s)
{
    const args *a = s->args;
    const bool seed = args_has(a, "seed");
    attempt t = {.s = s,
                 .special = a->operands[1],
                 .options = PTL_TRIAL_OPTIONS_INIT,
                 .settings = PTL_WORLD_OPTIONS_INIT,
                 .report = PTL_TRIAL_REPORT_INIT,
                 .on_world = args_has(a, "on-world")};
    int64_t times = (int64_t)t.options.times;
    NEED(rows_style_from_args(&s->style, a, NULL));
    NEED(args_int(a, "times", 1, 1000000000, &times));
    NEED(args_int(a, "chunks", 1, 1000000, &t.chunks));
    NEED(args_u64(a, "seed", &t.options.seed));
    if (t.chunks > 0 && !t.on_world)
        return usage_error(a, "--chunks goes with --on-world");
    if (t.on_world && (seed || args_has(a, "times")))
        return usage_error(a, "--on-world has no --%s: the world says what is asked for",
                           seed ? "seed" : "times");
    t.options.times = (uint64_t)times;
    NEED(session_open(s, PTL_OPEN_READ));
    if (t.on_world || args_has(a, "world")) {
        NEED(session_world(s, NULL));
        (void)ptl_world_settings(&t.settings, s->world, NULL);
        t.options.world = &t.settings;
    }
    return try_special(&t);
}

const command try_command = {
    .name = "try",
    .group = GROUP_SPECIALS,
    .operands = "FILE SPECIAL",
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
