/*
 * Tries a special on a world's real ground. Chunks are made in memory; their attempts tell
 * what became of the special, and failed growths are counted by the join that they left
 * open.
 */
#include "core/sized.h"
#include "world/trial/try.h"
#include "world/world.h"

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
        if (r->pieces_max == 0 || p->tiles < r->pieces_min)
            r->pieces_min = p->tiles;
        if (p->tiles > r->pieces_max)
            r->pieces_max = p->tiles;
        if (p->draw + 1 > r->growths_max)
            r->growths_max = p->draw + 1;
        pieces[0] += p->tiles;
        pieces[1] += 1;
    }
}

static ptl_status make_chunk(trial *t, ptl_world *world, ptl_chunk_pos pos, ptl_error *err)
{
    edge edges[4];
    edge *list[4] = {&edges[0], &edges[1], &edges[2], &edges[3]};
    ptl_chunk *chunk = NULL;
    ptl_status status = world_edges(world, pos, edges, err);
    THEN(status, generator_run(&chunk, t->gen, pos, list,
                               pipeline_step_count(&overmap_pipeline), NULL, NULL, err));
    ptl_chunk_free(chunk);
    for (int i = 0; i < 4; i++)
        edge_dispose(&edges[i]);
    return status;
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
        status = make_chunk(&t, world, positions[i], err);
        if (status == PTL_OK)
            count_chunk(&t, pieces);
    }
    trial_end(&t);
    r.pieces_mean = pieces[1] > 0 ? pieces[0] / pieces[1] : 0;
    SIZED_FILL(ptl_trial_report, out, &r);
    return status;
}
