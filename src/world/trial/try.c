/*
 * Tries a special: places it many times on the best ground, and counts for each growth that
 * fails which join it left open. Fixed specials are try_fixed.c's, the real ground of a world
 * is try.c's.
 */
#include "world/trial/try.h"

#include "core/sized.h"
#include "os/clock.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reasons ---- */

static void note_undone(trial *t, const gen_growth_step *step)
{
    const cat_mutable *layout = t->config->cat->specials[t->special].layout;
    ptl_trial_report *r = t->out;
    char join[PTL_TRIAL_JOIN_SIZE];
    r->undone++;
    t->last = NULL;
    if (!layout || step->rule < 0 || (size_t)step->rule >= layout->join_count)
        return;
    snprintf(join, sizeof join, "%s", layout->joins[step->rule].id);
    const int32_t z = step->z - t->root_z;
    ptl_trial_reason *reason = NULL;
    for (size_t i = 0; i < r->reason_count && !reason; i++)
        if (r->reasons[i].z == z && strcmp(r->reasons[i].join, join) == 0)
            reason = &r->reasons[i];
    if (!reason && r->reason_count == PTL_TRIAL_REASONS) {
        r->other_undone++;
        return;
    }
    if (!reason) {
        reason = &r->reasons[r->reason_count++];
        *reason =
            (ptl_trial_reason){.x = step->x - t->root_x, .y = step->y - t->root_y, .z = z};
        memcpy(reason->join, join, sizeof join);
    }
    reason->undone++;
    t->last = reason;
}

static void on_growth(void *payload, const gen_growth_step *step)
{
    trial *t = payload;
    if (step->event == PTL_GROWTH_BEGINS) {
        t->out->growths++;
        t->root_x = step->x;
        t->root_y = step->y;
        t->root_z = step->z;
    } else if (step->event == PTL_GROWTH_UNDONE) {
        note_undone(t, step);
    }
}

/* Sorts the most frequent reason first, and equally frequent ones by name, then by level. */
static int compare_reasons(const void *left, const void *right)
{
    const ptl_trial_reason *a = left, *b = right;
    if (a->failed != b->failed)
        return a->failed > b->failed ? -1 : 1;
    if (a->undone != b->undone)
        return a->undone > b->undone ? -1 : 1;
    const int by_name = strcmp(a->join, b->join);
    return by_name != 0 ? by_name : (a->z > b->z) - (a->z < b->z);
}

/* Starts the clock and the listener, which trial_end stops again. config, gen and special are
 * set by the caller. */
static void trial_begin(trial *t, const ptl_trial_options *options, ptl_trial_report *out)
{
    t->options = options;
    t->out = out;
    t->started = clock_seconds();
    out->is_mutable = t->config->cat->specials[t->special].layout != NULL;
    t->trace = (gen_trace){.payload = t, .special = t->special, .on_growth = on_growth};
    generator_trace(t->gen, &t->trace);
}

/* Stops listening, sets the report's duration and sorts its reasons. */
static void trial_end(trial *t)
{
    generator_trace(t->gen, NULL);
    t->out->seconds = clock_seconds() - t->started;
    qsort(t->out->reasons, t->out->reason_count, sizeof *t->out->reasons, compare_reasons);
}

/* Tells the caller's progress function how far the trial is. False if the trial is to stop. */
static bool trial_progress(trial *t, uint64_t done, uint64_t total)
{
    static const double EVERY = 0.1;
    const double seconds = clock_seconds() - t->started;
    if (!t->options->on_progress || seconds < t->next_report)
        return true;
    t->next_report = seconds + EVERY;
    const ptl_progress now = {.size = sizeof now,
                              .done = done,
                              .total = total,
                              .seconds = seconds,
                              .rate = seconds > 0 ? (double)done / seconds : 0};
    return t->options->on_progress(t->options->payload, &now);
}

/* ---- mutable specials ---- */

static void count_failure(trial *t, growth_result result, uint64_t seed)
{
    ptl_trial_report *r = t->out;
    if (r->tried - r->placed == 1)
        r->first_failing_seed = seed;
    r->failed_open += result == GROWTH_OPEN;
    r->failed_blocked += result == GROWTH_BLOCKED;
    r->failed_large += result == GROWTH_LIMIT;
    r->failed_costly += result == GROWTH_COSTLY;
    if (t->last)
        t->last->failed++;
}

static void count_placed(ptl_trial_report *r, int32_t pieces, double *total)
{
    if (r->placed == 0 || pieces < r->pieces_min)
        r->pieces_min = pieces;
    if (pieces > r->pieces_max)
        r->pieces_max = pieces;
    *total += pieces;
    r->placed++;
    r->pieces_mean = *total / (double)r->placed;
}

static ptl_status try_growths(trial *t, ptl_error *err)
{
    ptl_trial_report *r = t->out;
    ptl_chunk *ground = trial_ground(t->config, t->special);
    double pieces = 0;
    ptl_status status = ground ? PTL_OK : error_nomem(err);
    for (uint64_t i = 0; status == PTL_OK && i < t->options->times; i++) {
        const uint64_t seed = t->options->seed + i;
        trial_result one;
        if (!trial_progress(t, i, t->options->times)) {
            status = error_set(err, PTL_ERR_CANCELLED, "stopped");
            break;
        }
        if (!trial_run(&one, t->gen, ground, t->special, seed, NULL, NULL)) {
            status = generator_why(t->gen, err);
            break;
        }
        r->tried++;
        r->growths_max = one.draws > r->growths_max ? one.draws : r->growths_max;
        if (one.result == GROWTH_DONE)
            count_placed(r, one.pieces, &pieces);
        else
            count_failure(t, one.result, seed);
    }
    ptl_chunk_free(ground);
    return status;
}

/* Tries a special on artificial or real ground. options->world is set, and *out is zeroed. */
static ptl_status try_special(ptl_store *store, const char *special,
                              const ptl_trial_options *options, ptl_trial_report *out,
                              ptl_error *err)
{
    catalogue *cat = NULL;
    gen_config *config = NULL;
    ptl_status status = ops(store)->content->load(&cat, store, err);
    if (status != PTL_OK)
        return status;
    trial t = {.special = catalogue_special(cat, special)};
    if (t.special == CAT_NONE)
        status =
            error_set(err, PTL_ERR_NOT_FOUND, "the content has no special '%.200s'", special);
    else
        status = gen_config_new(&config, cat, options->world, err);
    if (status == PTL_OK && config) {
        config->stop = ops(store)->transaction->stop_hook(store);
        t.config = config;
        t.gen = generator_new(t.config);
        if (!t.gen) {
            status = error_nomem(err);
        } else {
            trial_begin(&t, options, out);
            status = out->is_mutable ? try_growths(&t, err) : try_fixed(&t, err);
            trial_end(&t);
            generator_free(t.gen);
        }
    }
    gen_config_free(config);
    catalogue_free(cat);
    return status;
}

ptl_status ptl_trial_run(ptl_trial_report *out, ptl_store *store, const char *special,
                         const ptl_trial_options *options, ptl_error *err)
{
    static const sized_place within = {"ptl_trial_run", "options.world"};
    ptl_trial_options o = PTL_TRIAL_OPTIONS_INIT;
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_trial_report r = PTL_TRIAL_REPORT_INIT;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_trial_options, &o, options, err);
    THEN(status, sized_take(&settings, o.world, &sized_ptl_world_options, &within, err));
    THEN(status, SIZED_CHECK(ptl_trial_report, out, err));
    if (status == PTL_OK) {
        o.world = &settings;
        status = try_special(store, special, &o, &r, err);
        SIZED_FILL(ptl_trial_report, out, &r);
    }
    return status;
}

/*
 * Tries a special on a world's real ground. Chunks are made in memory; their attempts tell
 * what became of the special, and failed growths are counted by the join that they left
 * open.
 */

static void count_chunk(trial *t, double *pieces)
{
    const gen_features *f = generator_features(t->gen);
    ptl_trial_report *r = t->out;
    r->chunks++;
    for (size_t i = 0; i < f->attempt_count; i++) {
        const gen_attempt *a = &f->attempts[i];
        if (a->special != t->special)
            continue;
        r->tried += (uint64_t)a->asked;
        r->placed += (uint64_t)a->placed;
        /* Counts an attempt that placed fewer than it was asked for, by the first test that
         * left no origin. */
        if (a->placed >= a->asked)
            continue;
        if (a->ground == 0)
            r->short_ground++;
        else if (a->linked == 0)
            r->short_linked++;
        else if (a->city == 0)
            r->short_city++;
        else if (a->room == 0)
            r->short_room++;
        else if (a->failed > 0)
            r->short_growth++;
        else
            r->short_other++;
    }
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        if (p->special != t->special)
            continue;
        if (r->pieces_max == 0 || p->omts < r->pieces_min)
            r->pieces_min = p->omts;
        if (p->omts > r->pieces_max)
            r->pieces_max = p->omts;
        if (p->draw + 1 > r->growths_max)
            r->growths_max = p->draw + 1;
        pieces[0] += p->omts;
        pieces[1] += 1;
    }
}

ptl_status ptl_trial_world_run(ptl_trial_report *out, ptl_world *world, const char *special,
                               const ptl_chunk_pos *positions, size_t count,
                               const ptl_trial_options *options, ptl_error *err)
{
    ptl_trial_options o = PTL_TRIAL_OPTIONS_INIT;
    ptl_trial_report r = PTL_TRIAL_REPORT_INIT;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_trial_options, &o, options, err);
    THEN(status, SIZED_CHECK(ptl_trial_report, out, err));
    THEN(status, world_prepare_again(world, NULL, err));
    if (status != PTL_OK)
        return status;
    trial t = {.config = world->config,
               .gen = world->gen,
               .special = catalogue_special(world->cat, special)};
    if (t.special == CAT_NONE)
        return error_set(err, PTL_ERR_NOT_FOUND, "the content has no special '%.200s'",
                         special);
    /* Number of pieces in all, and number of placements that have them. */
    double pieces[2] = {0, 0};
    trial_begin(&t, &o, &r);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        if (!trial_progress(&t, i, count)) {
            status = error_set(err, PTL_ERR_CANCELLED, "stopped");
            break;
        }
        ptl_chunk *chunk;
        status = trial_make_chunk(&chunk, world, positions[i],
                                  pipeline_step_count(&overmap_pipeline), &t.trace, err);
        ptl_chunk_free(chunk);
        if (status == PTL_OK)
            count_chunk(&t, pieces);
    }
    trial_end(&t);
    r.pieces_mean = pieces[1] > 0 ? pieces[0] / pieces[1] : 0;
    SIZED_FILL(ptl_trial_report, out, &r);
    return status;
}
