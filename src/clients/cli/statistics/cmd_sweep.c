/*
 * portolan sweep: overmaps of many seeds, of which only the counts are kept; how precisely they
 * tell each special's rate, and how many more it takes.
 */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/session/names.h"
#include "clients/cli/statistics/overmaps.h"
#include "clients/cli/statistics/sweep_report.h"
#include "clients/cli/worlds/settings.h"
#include "portolan/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPECIALS_MAX = 64, NAME_MAX_BYTES = 100, GROWTH = 4 };
static const char DEFAULT_NAME[] = "sweep";

static const option_spec options[] = {
    {"seeds", "A..B", "the seeds, both ends included; or one seed", 0},
    OPTIONS_OVERMAPS,
    OPTIONS_SWEEP_SETTINGS OPTION_SETTINGS_OF,
    OPTION_JOBS,
    {"keep-tiles", NULL, "save the overmaps as well, as worlds NAME/SEED", 0},
    {"replace", NULL, "remove a sweep of this name that was made otherwise", 0},
    {"delete", NULL, "remove the sweep; make nothing", 0},
    {"precision", "P", "say how many overmaps each special takes for half widths of P", 0},
    {"until-precision", "P", "go on with more seeds until all half widths are at most P", 0},
    {"max-seeds", "N", "how many seeds --until-precision may use (default: 10000)", 0},
    {"special", "ID...", "only this one counts for the precision; may be repeated", 0},
    {"level", "C", "confidence of the intervals (default: 0.95)", 0},
    OPTIONS_ROWS,
    OPTION_SHARED,
    OPTION_WAIT,
    OPTION_QUIET,
    OPTIONS_END,
};

/* The command line, read. */
typedef struct request {
    const args *args;
    const char *name;
    ptl_sweep_options sweep;
    ptl_world_options settings;
    bool has_seeds, until;
    chunk_list overmaps; /* owned */
    int64_t max_seeds;
    ptl_precision_options wish;
    rows_style style;
    const char *only[SPECIALS_MAX];
    progress shown;
} request;

/* ---- the command line ---- */

static int read_places(request *r)
{
    int code = overmaps_from_args(&r->overmaps, r->args, PTL_SWEEP_CHUNKS_MAX);
    r->sweep.positions = r->overmaps.positions;
    r->sweep.position_count = r->overmaps.count;
    return code;
}

static int read_precision(request *r)
{
    const args *a = r->args;
    const char *only;
    size_t at = 0;
    r->wish.level = 0.95;
    r->until = args_has(a, "until-precision");
    r->max_seeds = 10000;
    int code = args_double(a, "precision", 1e-6, 1, &r->wish.wanted);
    if (code == EXIT_DONE && r->until && args_has(a, "precision"))
        code = usage_error(a, "--precision and --until-precision exclude each other");
    if (code == EXIT_DONE && r->until)
        code = args_double(a, "until-precision", 1e-6, 1, &r->wish.wanted);
    if (code == EXIT_DONE)
        code = args_double(a, "level", 0.5, 0.999999, &r->wish.level);
    if (code == EXIT_DONE)
        code = args_int(a, "max-seeds", 1, PTL_SWEEP_SEEDS_MAX, &r->max_seeds);
    if (code == EXIT_DONE && args_has(a, "max-seeds") && !r->until)
        code = usage_error(a, "--max-seeds goes with --until-precision");
    while (code == EXIT_DONE && (only = args_next(a, "special", &at))) {
        if (r->wish.only_count == SPECIALS_MAX)
            return usage_error(a, "at most %d specials can be named", (int)SPECIALS_MAX);
        r->only[r->wish.only_count++] = only;
    }
    r->wish.only = r->only;
    return code;
}

static int read_request(request *r)
{
    const args *a = r->args;
    int64_t jobs = 1;
    r->has_seeds = args_has(a, "seeds");
    r->name = a->operand_count > 1 ? a->operands[1] : DEFAULT_NAME;
    if (strlen(r->name) == 0 || strlen(r->name) > NAME_MAX_BYTES)
        return usage_error(a, "a sweep's name has 1 to %d bytes", (int)NAME_MAX_BYTES);
    int code = args_int(a, "jobs", 1, 64, &jobs);
    if (code == EXIT_DONE)
        code = seeds_from_args(a, &r->sweep.seed_first, &r->sweep.seed_last, NULL);
    if (code == EXIT_DONE)
        code = read_precision(r);
    if (code == EXIT_DONE)
        code = read_places(r);
    if (code != EXIT_DONE)
        return code;
    if (args_has(a, "delete") && (r->has_seeds || a->operand_count < 2))
        return usage_error(a, "--delete wants the sweep's name, and no seeds");
    code = rows_style_from_args(&r->style, a, NULL);
    if (code != EXIT_DONE)
        return code;
    if (!r->has_seeds && !args_has(a, "delete") && !(r->wish.wanted > 0) &&
        r->style.format == ROWS_TABLE)
        return usage_error(a, "say which seeds: --seeds A..B");
    if (r->until && !r->has_seeds) {
        r->has_seeds = true;
        r->sweep.seed_first = 1;
        r->sweep.seed_last = r->max_seeds < 100 ? (uint64_t)r->max_seeds : 100;
    }
    r->sweep.jobs = (int32_t)jobs;
    r->sweep.replace = args_has(a, "replace");
    r->sweep.keep_tiles = args_has(a, "keep-tiles");
    return EXIT_DONE;
}

/* Reads the settings of --world and of the options; none given: the sweep's own, or the
 * defaults. */
static int read_settings(request *r, session *s)
{
    const ptl_world_open_options open = {.size = sizeof open, .accept_content = true};
    r->settings = (ptl_world_options)PTL_WORLD_OPTIONS_INIT;
    if (args_value(r->args, "world")) {
        if (session_world(s, &open) != EXIT_DONE)
            return EXIT_FAILED;
        (void)ptl_world_get_options(&r->settings, s->world, NULL);
    }
    if (args_value(r->args, "world") || settings_given(r->args))
        r->sweep.settings = &r->settings;
    return settings_from_args(r->args, &r->settings);
}

/* ---- making ---- */

static int failed(const request *r, session *s, const ptl_sweep_report *p)
{
    if (s->err.status == PTL_ERR_CANCELLED && stop_wanted() && p->total > 0)
        return stop_tell_how("%" PRIu64 " of %" PRIu64 " overmaps are counted. The same "
                             "command again goes on from there.",
                             p->done + p->skipped, p->total);
    session_failed(s);
    if (s->err.status == PTL_ERR_EXISTS && !r->sweep.replace)
        tell("Give another name, or the settings that it has; --replace removes it "
             "first.\n");
    if (s->err.status == PTL_ERR_CONTENT)
        tell("Import content first: portolan import '%s' --builtin\n", s->args->operands[0]);
    return EXIT_FAILED;
}

/* Does one call for the request's present seeds. */
static int make(request *r, session *s, ptl_sweep_report *total)
{
    ptl_sweep_report now = PTL_SWEEP_REPORT_INIT;
    progress_init(&r->shown, args_has(r->args, "quiet"));
    r->shown.noun = "overmaps";
    r->sweep.on_progress = progress_show;
    r->sweep.payload = &r->shown;
    const ptl_status status = ptl_sweep_run(s->store, r->name, &r->sweep, &now, &s->err);
    progress_end(&r->shown);
    total->done += now.done;
    total->skipped += now.skipped;
    total->seconds += now.seconds;
    r->sweep.replace = false; /* in further calls it is this one's */
    return status == PTL_OK ? EXIT_DONE : failed(r, s, &now);
}

/* The least precise row is precise enough? Rows that can't be told don't count. */
static bool is_precise(const request *r, const sweep_state *state)
{
    for (size_t i = 0; i < state->precision->count; i++) {
        const double half = state->precision->rows[i]->half_width;
        if (isfinite(half) && half > r->wish.wanted)
            return false;
    }
    return true;
}

/*
 * Chooses the next seeds: as many as the present rates ask for, but no more than GROWTH times
 * what is there, since few overmaps tell their variance badly. False if no more are allowed.
 */
static bool next_seeds(request *r, const sweep_state *state, uint64_t first)
{
    const uint64_t used = r->sweep.seed_last - first + 1, most = (uint64_t)r->max_seeds;
    uint64_t wanted = state->precision->needed;
    if (used >= most || r->sweep.seed_last == UINT64_MAX)
        return false;
    if (wanted > GROWTH * state->overmaps)
        wanted = GROWTH * state->overmaps;
    uint64_t more = 1;
    if (wanted > state->overmaps)
        more =
            (wanted - state->overmaps + r->sweep.position_count - 1) / r->sweep.position_count;
    if (more > most - used)
        more = most - used;
    if (more > UINT64_MAX - r->sweep.seed_last)
        more = UINT64_MAX - r->sweep.seed_last;
    r->sweep.seed_first = r->sweep.seed_last + 1;
    r->sweep.seed_last += more;
    return true;
}

/* Reads what the sweep has come to; with --until-precision it makes more and reads again. */
static int make_and_read(request *r, session *s, ptl_sweep_report *total, sweep_state *state)
{
    const uint64_t first = r->sweep.seed_first;
    int code = r->has_seeds ? make(r, s, total) : EXIT_DONE;
    if (code == EXIT_DONE)
        code = sweep_state_read(state, s, r->name, &r->wish);
    while (code == EXIT_DONE && r->until && !is_precise(r, state) &&
           next_seeds(r, state, first)) {
        sweep_state_dispose(state);
        code = make(r, s, total);
        if (code == EXIT_DONE)
            code = sweep_state_read(state, s, r->name, &r->wish);
    }
    return code;
}

static int print(const request *r, const ptl_sweep_report *total, const sweep_state *state)
{
    const bool quiet = args_has(r->args, "quiet"), eye = r->style.format == ROWS_TABLE;
    int code = EXIT_DONE;
    if (r->has_seeds && !quiet && eye) {
        out_printf("%" PRIu64 " overmaps made and counted in %.2f s", total->done,
                   total->seconds);
        if (total->done > 0 && total->seconds > 0)
            out_printf(" (%.1f/s)", (double)total->done / total->seconds);
        if (total->skipped > 0)
            out_printf("; %" PRIu64 " were there", total->skipped);
        out_text("\n");
    }
    if (!eye || r->wish.wanted > 0)
        code = sweep_print(state, r->name, &r->wish, &r->style);
    else if (!quiet)
        sweep_print_summary(state, &r->wish);
    if (code == EXIT_DONE && r->until && !is_precise(r, state)) {
        tell("portolan sweep: that precision was not reached within %" PRId64
             " seeds (--max-seeds)\n",
             r->max_seeds);
        code = EXIT_FAILED;
    }
    return code;
}

static int check_specials(const request *r, session *s, const sweep_state *state)
{
    for (size_t i = 0; i < r->wish.only_count; i++) {
        const ptl_sample_special *found = ptl_sample_find(state->sample, r->only[i]);
        if (!found || found->is_building)
            return names_no_special(s, r->only[i]);
    }
    return EXIT_DONE;
}

static int make_and_print(request *r, session *s)
{
    sweep_state state = {.overmaps = 0};
    ptl_sweep_report total = PTL_SWEEP_REPORT_INIT;
    int code = r->has_seeds ? read_settings(r, s) : EXIT_DONE;
    if (code != EXIT_DONE)
        return code;
    code = make_and_read(r, s, &total, &state);
    if (code == EXIT_DONE)
        code = check_specials(r, s, &state);
    if (code == EXIT_DONE)
        code = print(r, &total, &state);
    sweep_state_dispose(&state);
    return code;
}

static int delete (const request *r, session *s)
{
    const ptl_status status = ptl_sweep_remove(s->store, r->name, &s->err);
    if (status != PTL_OK)
        return session_failed(s);
    if (!args_has(r->args, "quiet"))
        out_printf("sweep '%s' is removed\n", r->name);
    return EXIT_DONE;
}

static int run(const args *a)
{
    session s = {.args = a};
    request r = {
        .args = a, .sweep = PTL_SWEEP_OPTIONS_INIT, .wish = PTL_PRECISION_OPTIONS_INIT};
    int code = read_request(&r);
    if (code == EXIT_DONE) {
        const bool writes = r.has_seeds || args_has(a, "delete");
        code = session_open(&s, a, writes ? PTL_OPEN_WRITE : PTL_OPEN_READ);
        if (code == EXIT_DONE)
            code = args_has(a, "delete") ? delete (&r, &s) : make_and_print(&r, &s);
        session_close(&s);
    }
    chunk_list_dispose(&r.overmaps);
    return code;
}

static const value_type values[] = {
    {"NAME", VALUE_SWEEPS, NULL, NULL},
    {"special", VALUE_SPECIALS, NULL, NULL},
    VALUES_END,
};

const command sweep_command = {
    .name = "sweep",
    .group = GROUP_ASK,
    .operands = "FILE [NAME]",
    .operands_min = 1,
    .operands_max = 2,
    .summary = "Make overmaps of many seeds and keep only what they count.",
    .operand_help = "NAME  What the sweep is called (default: sweep).\n",
    .details =
        "Each overmap is what a new world of that seed and these settings holds there. "
        "Nothing\n"
        "of it is kept but the counts that stats, compare and the tables sweep and "
        "sweep_chunk\n"
        "answer from. NAME is 'sweep' if none is given. Overmaps that are counted already are\n"
        "skipped, so the same command goes on where Ctrl-C (or a crash) stopped it, and other\n"
        "seeds add to the sweep; without settings, those that it has hold. The rows do not\n"
        "depend on the number of threads.\n"
        "\n"
        "A precision P is half the width of an interval: of the share of overmaps that have "
        "it,\n"
        "for a UNIQUE special; relative to the mean number per overmap, for the others (0.02:\n"
        "2 %). Specials that were never placed have no relative precision and are not waited\n"
        "for. --precision without --seeds makes nothing.\n",
    .examples = "  portolan sweep w.db --seeds 1..20 --jobs 2\n"
                "  portolan sweep w.db villages --seeds 1..10 --city-size 3\n"
                "  portolan sweep w.db --precision 0.2\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what was committed stays: the same command again goes on from there",
};
