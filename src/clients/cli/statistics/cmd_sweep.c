/*
 * portolan sweep: makes overmaps of many seeds and keeps only their counts. It tells how
 * precisely each special's rate is known from these counts, and how many more overmaps a wanted
 * precision takes.
 */
#include "clients/cli/session/session.h"
#include "clients/cli/statistics/overmaps.h"
#include "clients/cli/worlds/settings.h"
#include "portolan/stats.h"

#include <math.h>

typedef struct sweep_state {
    uint64_t overmaps;
    ptl_precision *precision; /* owned; its ids are borrowed from sample */
    ptl_sample *sample;       /* owned */
} sweep_state;

enum { SPECIALS_MAX = 64, NAME_MAX_BYTES = 100, GROWTH = 4 };

static const char DEFAULT_NAME[] = "sweep";

static const option_spec options[] = {
    {"seeds", "A..B", "the seeds, both ends included; or one seed", 0},
    OPTIONS_OVERMAPS,
    OPTIONS_SWEEP_SETTINGS OPTION_SETTINGS_OF,
    OPTION_SHARD,
    OPTION_JOBS,
    {"keep-worlds", NULL, "save the overmaps as well, as worlds NAME/SEED", 0},
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

/* The values of the command line, and the state of the sweep. */
typedef struct request {
    session *s;
    const args *args;
    const char *name;
    ptl_sweep_options sweep;
    ptl_sweep_report total; /* sum over all calls of ptl_sweep_run */
    ptl_world_options settings;
    bool has_seeds, until, delete;
    int64_t max_seeds;
    ptl_precision_options wish;
    const char *only[SPECIALS_MAX];
} request;

/* ---- the command line ---- */

static int read_precision(request *r)
{
    const args *a = r->args;
    const char *only;
    r->wish.level = 0.95;
    r->until = args_has(a, "until-precision");
    r->max_seeds = 10000;
    NEED(args_double(a, "precision", 1e-6, 1, &r->wish.wanted));
    if (r->until && args_has(a, "precision"))
        return usage_error(a, "--precision and --until-precision exclude each other");
    NEED(args_double(a, "until-precision", 1e-6, 1, &r->wish.wanted));
    NEED(args_double(a, "level", 0.5, 0.999999, &r->wish.level));
    NEED(args_int(a, "max-seeds", 1, PTL_SWEEP_SEEDS_MAX, &r->max_seeds));
    if (args_has(a, "max-seeds") && !r->until)
        return usage_error(a, "--max-seeds goes with --until-precision");
    for (size_t at = 0; (only = args_next(a, "special", &at)) != NULL;) {
        if (r->wish.only_count == SPECIALS_MAX)
            return usage_error(a, "at most %d specials can be named", (int)SPECIALS_MAX);
        r->only[r->wish.only_count++] = only;
    }
    r->wish.only = r->only;
    return EXIT_DONE;
}

static int read_request(request *r)
{
    const args *a = r->args;
    chunk_list *overmaps = &r->s->chunks;
    r->delete = args_has(a, "delete");
    r->has_seeds = args_has(a, "seeds");
    r->name = a->operand_count > 1 ? a->operands[1] : DEFAULT_NAME;
    if (strlen(r->name) == 0 || strlen(r->name) > NAME_MAX_BYTES)
        return usage_error(a, "a sweep's name has 1 to %d bytes", (int)NAME_MAX_BYTES);
    r->sweep.jobs = 1;
    NEED(args_int32(a, "jobs", 1, 64, &r->sweep.jobs));
    NEED(seeds_from_args(a, &r->sweep.seed_first, &r->sweep.seed_last, NULL));
    NEED(args_shard(a, &r->sweep.shard, &r->sweep.shards));
    NEED(read_precision(r));
    if (r->sweep.shards > 0 && (!r->has_seeds || r->until))
        return usage_error(a, "--shard goes with --seeds, and not with --until-precision");
    NEED(overmaps_from_args(overmaps, a, PTL_SWEEP_CHUNKS_MAX));
    r->sweep.positions = overmaps->positions;
    r->sweep.position_count = overmaps->count;
    if (r->delete &&(r->has_seeds || a->operand_count < 2))
        return usage_error(a, "--delete wants the sweep's name, and no seeds");
    NEED(rows_style_from_args(&r->s->style, a, NULL));
    if (!r->has_seeds && !r->delete &&!(r->wish.wanted > 0) && r->s->style.format == ROWS_TABLE)
        return usage_error(a, "say which seeds: --seeds A..B");
    if (r->until && !r->has_seeds) {
        r->has_seeds = true;
        r->sweep.seed_first = 1;
        r->sweep.seed_last = r->max_seeds < 100 ? (uint64_t)r->max_seeds : 100;
    }
    r->sweep.replace = args_has(a, "replace");
    r->sweep.keep_worlds = args_has(a, "keep-worlds");
    return EXIT_DONE;
}

/* ---- making ---- */

/* Makes the overmaps of one range of seeds, with one call of the library. */
static int make(request *r)
{
    session *s = r->s;
    const bool replace = r->sweep.replace;
    ptl_sweep_report now = PTL_SWEEP_REPORT_INIT;
    progress_begin(&s->shown, "overmaps");
    r->sweep.on_progress = progress_show;
    r->sweep.payload = &s->shown;
    const ptl_status status = ptl_sweep_run(&now, s->store, r->name, &r->sweep, &s->err);
    progress_end(&s->shown);
    r->total.done += now.done;
    r->total.skipped += now.skipped;
    r->total.seconds += now.seconds;
    r->sweep.replace = false; /* further calls of ptl_sweep_run must not remove the sweep that
                                 this call has begun */
    if (status == PTL_ERR_CANCELLED && stop_wanted() && now.total > 0)
        return stop_tell_how(
            "%ju of %ju overmaps are counted. The same command again goes on from there.",
            now.done + now.skipped, now.total);
    const int code = status == PTL_OK ? EXIT_DONE : session_content_failed(s);
    if (status == PTL_ERR_EXISTS && !replace)
        tell("Give another name, or the settings that it has; --replace removes it first.\n");
    return code;
}

/* Returns whether the rate of each special (how many an overmap has) is known as precisely as
 * the user wants. Specials whose precision can't be computed do not count. */
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
 * Chooses the next range of seeds: as many as the wanted precision will take, estimated from
 * the overmaps made so far. But one range makes the sample at most GROWTH times as large,
 * because few overmaps give a bad estimate of the variance. Returns false if --max-seeds is
 * reached.
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

/* Writes half the width of the confidence interval of a special's rate. If the rate is a mean
 * number per overmap, the width is written in percent of the mean. If it is a share of
 * overmaps, the width is written as a share. */
static void format_half_width(const ptl_precision_row *row, char out[32])
{
    if (!isfinite(row->half_width))
        snprintf(out, 32, "-");
    else if (row->is_share)
        snprintf(out, 32, "%.4f", row->half_width);
    else
        snprintf(out, 32, "%.2f %%", 100 * row->half_width);
}

/* Prints two rates whose confidence intervals are the widest. One is the widest of all shares
 * of overmaps that have a special, the other the widest of all mean numbers of a special per
 * overmap. The interval of a mean is measured relative to the mean, so there is none for a
 * special that was never placed. */
static void sweep_print_summary(const sweep_state *state, const ptl_precision_options *wish)
{
    const ptl_precision_row *worst[2] = {NULL, NULL};
    size_t unknown = 0;
    for (size_t i = 0; i < state->precision->count; i++) {
        const ptl_precision_row *row = state->precision->rows[i];
        const ptl_precision_row **w = &worst[row->is_share];
        unknown += isfinite(row->half_width) ? 0 : 1;
        if (isfinite(row->half_width) && (!*w || row->half_width > (*w)->half_width))
            *w = row;
    }
    out_prose_begin(0);
    out_printf("%ju overmaps; half widths of %g %% intervals:", state->overmaps,
               100 * wish->level);
    char text[32];
    const char *const kinds[2] = {"means", "shares of UNIQUE specials"};
    for (int share = 0; share < 2; share++)
        if (worst[share]) {
            format_half_width(worst[share], text);
            out_printf("%s %s at most %s (%s)", share && worst[0] ? ";" : "", kinds[share],
                       text, worst[share]->id);
        }
    if (unknown > 0)
        out_printf("%s %zu specials were never placed", worst[0] || worst[1] ? ";" : "",
                   unknown);
    out_text("\n");
    out_prose_end();
}

static void print_words(const sweep_state *state, const ptl_precision_options *wish)
{
    const ptl_precision_row *most = NULL;
    size_t reached = 0;
    out_printf(
        "\n%ju overmaps; %g %% intervals. share: of overmaps that have a UNIQUE special "
        "(Wilson); mean: number per overmap (Student's t), its half width relative to it.\n",
        state->overmaps, 100 * wish->level);
    if (!(wish->wanted > 0))
        return;
    for (size_t i = 0; i < state->precision->count; i++) {
        reached += state->precision->rows[i]->half_width <= wish->wanted ? 1 : 0;
        if (!most || state->precision->rows[i]->needed > most->needed)
            most = state->precision->rows[i];
    }
    const size_t unknown = state->precision->unknown;
    out_printf("Half widths of %g (shares) and %g %% (means): %zu of %zu specials have them.\n",
               wish->wanted, 100 * wish->wanted, reached, state->precision->count);
    if (most && most->needed > 0)
        out_printf("All of them: %ju overmaps, for %s.\n", most->needed, most->id);
    if (unknown > 0)
        out_printf("%zu were never placed: how many overmaps that takes can't be told.\n",
                   unknown);
}

static void json_number(const char *key, double value)
{
    char text[32];
    format_double(value, text);
    out_printf(", \"%s\": %s", key, isfinite(value) ? text : "null");
}

/* Prints for each special how precisely its rate is known. Returns EXIT_DONE or EXIT_FAILED. */
static int sweep_print(const sweep_state *state, const char *name,
                       const ptl_precision_options *wish, const rows_style *style)
{
    if (style->format == ROWS_JSON) {
        out_text("{\"sweep\": ");
        out_json_text(name);
        out_printf(", \"overmaps\": %ju", state->overmaps);
        json_number("level", wish->level);
        json_number("wanted", wish->wanted > 0 ? wish->wanted : INFINITY);
        out_text(",\n\"specials\": ");
    }
    static const report_column columns[] = {
        COLUMN(special),
        COLUMN(rate),
        COLUMN_AS(estimate, "estimate", 4, 0),
        COLUMN_AS(low, "low", 4, REPORT_RANK(1)),
        COLUMN_AS(high, "high", 4, REPORT_RANK(1)),
        COLUMN_DATA(half_width),
        COLUMN_AS(half_width_text, "half width", 0, REPORT_EYE_ONLY),
        COLUMN(needed),
        COLUMNS_END};
    row_printer *r = rows_new(style, columns, false);
    for (size_t i = 0; i < state->precision->count; i++) {
        const ptl_precision_row *row = state->precision->rows[i];
        char width[32];
        format_half_width(row, width);
        (void)rows_put(r, CELLS(cell_text(row->id), cell_text(row->is_share ? "share" : "mean"),
                                cell_real(row->estimate), cell_real(row->range.low),
                                cell_real(row->range.high), cell_real(row->half_width),
                                cell_text(width),
                                row->needed > 0 ? cell_uint(row->needed) : cell_none()));
    }
    const bool good = rows_finish(r);
    if (style->format == ROWS_JSON)
        out_text("}\n");
    if (style->format == ROWS_TABLE) {
        out_prose_begin(0);
        print_words(state, wish);
        out_prose_end();
    }
    if (!good)
        tell("portolan sweep: memory is out\n");
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int print(const request *r, const sweep_state *state)
{
    const ptl_sweep_report *total = &r->total;
    const bool quiet = r->s->shown.quiet, eye = r->s->style.format == ROWS_TABLE;
    for (size_t i = 0; i < r->wish.only_count; i++) {
        const ptl_sample_special *found = ptl_sample_find(state->sample, r->only[i]);
        if (!found || found->is_building)
            return names_no_special(r->s, r->only[i]);
    }
    if (r->has_seeds && !quiet && eye) {
        out_printf("%ju overmaps made and counted in %.2f s", total->done, total->seconds);
        if (total->done > 0 && total->seconds > 0)
            out_printf(" (%.1f/s)", (double)total->done / total->seconds);
        if (total->skipped > 0)
            out_printf("; %ju were there", total->skipped);
        out_text("\n");
    }
    if (!eye || r->wish.wanted > 0)
        NEED(sweep_print(state, r->name, &r->wish, &r->s->style));
    else if (!quiet)
        sweep_print_summary(state, &r->wish);
    if (!r->until || is_precise(r, state))
        return EXIT_DONE;
    tell("portolan sweep: that precision was not reached within %jd seeds (--max-seeds)\n",
         r->max_seeds);
    return EXIT_FAILED;
}

static bool go_on(void *payload, uint64_t done, uint64_t total)
{
    (void)payload;
    (void)done;
    (void)total;
    return !stop_wanted();
}

/* Adds up the sweep's counts. Returns EXIT_DONE, or EXIT_FAILED after a message. Dispose
 * *out in any case. */
static int sweep_state_read(sweep_state *out, session *s, const char *name,
                            const ptl_precision_options *wish)
{
    char full[128];
    memset(out, 0, sizeof *out);
    snprintf(full, sizeof full, "sweep:%s", name);
    ptl_sample_options count = PTL_SAMPLE_OPTIONS_INIT;
    ptl_tally *tally = ptl_tally_new();
    count.parts = PTL_COUNT_SPECIALS;
    count.on_progress = go_on;
    s->err = (ptl_error){0};
    ptl_status status =
        tally ? ptl_sample_open(&out->sample, s->store, full, &s->err) : PTL_ERR_NOMEM;
    if (status == PTL_OK)
        status = ptl_tally_add(tally, out->sample, &count, &s->err);
    if (status == PTL_OK)
        status = ptl_precision_new(&out->precision, out->sample, tally, wish, &s->err);
    out->overmaps = tally ? tally->overmaps : 0;
    if (!tally)
        (void)session_no_memory(s);
    else if (status != PTL_OK)
        (void)session_failed(s);
    ptl_tally_free(tally);
    return out->precision ? EXIT_DONE : EXIT_FAILED;
}

static void sweep_state_dispose(sweep_state *state)
{
    ptl_precision_free(state->precision);
    ptl_sample_close(state->sample);
    memset(state, 0, sizeof *state);
}

/* Makes the overmaps of the command line and reads the sweep's precision. With
 * --until-precision it repeats this until the precision is reached. */
static int make_and_read(request *r, sweep_state *state)
{
    const uint64_t first = r->sweep.seed_first;
    bool more = r->has_seeds;
    do {
        sweep_state_dispose(state);
        if (more)
            NEED(make(r));
        NEED(sweep_state_read(state, r->s, r->name, &r->wish));
        more = r->until && !is_precise(r, state) && next_seeds(r, state, first);
    } while (more);
    return EXIT_DONE;
}

static int run(session *s)
{
    request r = {.s = s,
                 .args = s->args,
                 .sweep = PTL_SWEEP_OPTIONS_INIT,
                 .total = PTL_SWEEP_REPORT_INIT,
                 .settings = PTL_WORLD_OPTIONS_INIT,
                 .wish = PTL_PRECISION_OPTIONS_INIT};
    sweep_state state = {.overmaps = 0};
    NEED(read_request(&r));
    NEED(session_open(s, r.has_seeds || r.delete ? PTL_OPEN_WRITE : PTL_OPEN_READ));
    if (r.delete) {
        NEED(session_done(s, ptl_sweep_remove(s->store, r.name, &s->err)));
        if (!s->shown.quiet)
            out_printf("sweep '%s' is removed\n", r.name);
        return EXIT_DONE;
    }
    if (r.has_seeds) {
        /* The settings are those of the world that --world names, changed by the options. If
         * neither is given, the sweep keeps its own settings, and a new sweep gets the
         * defaults. */
        const ptl_world_open_options open = {.size = sizeof open, .accept_content = true};
        const bool world = args_has(r.args, "world");
        if (world) {
            NEED(session_world(s, &open));
            (void)ptl_world_settings(&r.settings, s->world, NULL);
        }
        if (world || settings_given(r.args))
            r.sweep.settings = &r.settings;
        NEED(settings_from_args(r.args, &r.settings));
    }
    int code = make_and_read(&r, &state);
    if (code == EXIT_DONE)
        code = print(&r, &state);
    sweep_state_dispose(&state);
    return code;
}

static const value_type values[] = {{"NAME", VALUE_SWEEPS, NULL, NULL}, {0}};

const command sweep_command = {
    .name = "sweep",
    .group = GROUP_ASK,
    .operands = "FILE [NAME]",
    .summary = "Make overmaps of many seeds and keep only what they count.",
    .operand_help = "NAME  What the sweep is called (default: sweep).\n",
    .details =
        "Each overmap is what a new world of that seed and these settings holds there. "
        "Nothing of it is kept but the counts that stats, compare and the tables sweep and "
        "sweep_chunk answer from. NAME is 'sweep' if none is given. Overmaps that are counted "
        "already are skipped, so the same command goes on where Ctrl-C (or a crash) stopped "
        "it, and other seeds add to the sweep; without settings, those that it has hold. The "
        "rows do not depend on the number of threads. --shard I/N uses only part I of N of the "
        "seeds, so that N machines can share a sweep.\n\n"
        "A precision P is half the width of an interval: of the share of overmaps that have "
        "it, for a UNIQUE special; relative to the mean number per overmap, for the others "
        "(0.02: 2 %). Specials that were never placed have no relative precision and are not "
        "waited for. --precision without --seeds makes nothing.\n",
    .examples = "  portolan sweep w.db --seeds 1..20 --jobs 2\n"
                "  portolan sweep w.db villages --seeds 1..10 --city-size 3\n"
                "  portolan sweep w.db --precision 0.2\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what was committed stays: the same command again goes on from there",
};
