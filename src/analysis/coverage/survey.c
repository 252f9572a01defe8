/*
 * Surveys: makes overmaps of a region in threads and counts what they have. Each thread adds
 * its overmaps to counts of its own. These are added up at the end; all are whole numbers, so
 * that the result does not depend on the number of threads.
 */
#include "analysis/coverage/coverage_impl.h"
#include "analysis/measure/measure.h"
#include "os/clock.h"
#include "os/pool.h"
#include "world/seed_maker.h"

#include <stdlib.h>

bool survey_init(survey *s, const catalogue *cat)
{
    *s = (survey){.specials = calloc(cat->special_count + 1, sizeof *s->specials),
                  .terrains = calloc(cat->terrain_count + 1, sizeof *s->terrains)};
    return s->specials && s->terrains;
}

void survey_dispose(survey *s)
{
    free(s->specials);
    free(s->terrains);
    *s = (survey){0};
}

/* ---- counting one overmap ---- */

static void count_specials(survey *s, const catalogue *cat, const summary *found)
{
    for (size_t i = 0; i < found->special_count; i++) {
        const summary_special *one = &found->specials[i];
        special_counts *c = &s->specials[catalogue_special(cat, one->id)];
        c->with += one->placed + one->others > 0;
        c->count += (uint64_t)(one->placed + one->others);
        c->tried += one->asked > 0;
        c->ground += one->ground > 0;
        c->linked += one->linked > 0;
        c->city += one->city > 0;
        c->room += one->room > 0;
    }
    /* The list has an element for a building and each size of city in which it stands, so a
     * building may have several. */
    for (size_t i = 0; i < found->building_count; i++) {
        const summary_building *one = &found->buildings[i];
        special_counts *c = &s->specials[catalogue_special(cat, one->id)];
        c->with += i == 0 || strcmp(found->buildings[i - 1].id, one->id) != 0;
        c->count += (uint64_t)one->count;
    }
}

static void count_terrains(survey *s, const catalogue *cat, const summary *found)
{
    uint32_t flags = 0;
    for (size_t i = 0; i < found->terrain_count; i++) {
        const summary_terrain *one = &found->terrains[i];
        const uint16_t terrain = catalogue_terrain(cat, one->id);
        terrain_counts *c = &s->terrains[terrain];
        c->with += i == 0 || strcmp(found->terrains[i - 1].id, one->id) != 0;
        c->cells += (uint64_t)one->cells;
        flags |= one->z == 0 ? cat->terrains[terrain].flags : 0;
    }
    s->lake += (flags & (CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE)) != 0;
    s->ocean += (flags & CAT_FLAGS_OCEAN) != 0;
    s->river += (flags & CAT_FLAG_RIVER) != 0;
}

static void add_survey(survey *s, const survey *other, const catalogue *cat)
{
    s->overmaps += other->overmaps;
    s->at_home += other->at_home;
    s->lake += other->lake;
    s->ocean += other->ocean;
    s->river += other->river;
    for (size_t i = 0; i < cat->special_count; i++) {
        special_counts *c = &s->specials[i];
        const special_counts *o = &other->specials[i];
        *c = (special_counts){c->with + o->with,     c->count + o->count,   c->tried + o->tried,
                              c->ground + o->ground, c->linked + o->linked, c->city + o->city,
                              c->room + o->room};
    }
    for (size_t i = 0; i < cat->terrain_count; i++) {
        s->terrains[i].with += other->terrains[i].with;
        s->terrains[i].cells += other->terrains[i].cells;
    }
}

/* ---- threads ---- */

typedef struct surveying {
    survey *out;
    seed_base base; /* the content and settings that all workers use; borrowed */
} surveying;

typedef struct survey_worker {
    const surveying *owner;
    seed_maker *maker;
    measurer *measurer;
    summary found;
    survey counts;
} survey_worker;

typedef struct survey_task {
    pool_task head;
    survey_place at;
} survey_task;

static void free_worker(void *worker)
{
    survey_worker *w = worker;
    if (w->counts.overmaps > 0)
        add_survey(w->owner->out, &w->counts, w->owner->base.cat);
    seed_maker_free(w->maker);
    if (w->measurer)
        measurer_free(w->measurer);
    summary_dispose(&w->found);
    survey_dispose(&w->counts);
    free(w);
}

static void *new_worker(void *context)
{
    const surveying *s = context;
    survey_worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->owner = s;
    w->maker = seed_maker_new(&s->base);
    w->measurer = measurer_new(s->base.cat);
    if (survey_init(&w->counts, s->base.cat) && w->maker && w->measurer)
        return w;
    free_worker(w);
    return NULL;
}

static void make_task(void *worker, pool_task *head)
{
    survey_worker *w = worker;
    const survey_task *task = (survey_task *)head;
    const uint32_t parts = PTL_COUNT_SPECIALS | PTL_COUNT_TERRAINS | PTL_COUNT_CITIES;
    const int32_t radius = w->owner->base.config->options.unique_radius;
    const ptl_chunk_pos p = task->at.pos;
    edge edges[4];
    ptl_chunk *chunk = NULL;
    ptl_status status = seed_maker_run(&chunk, edges, w->maker, task->at.seed, p, &head->err);
    THEN(status, measure(&w->found, w->measurer, chunk, generator_features(w->maker->gen),
                         parts, &head->err));
    if (status == PTL_OK) {
        w->counts.overmaps++;
        w->counts.at_home += p.x >= -radius && p.x <= radius && p.y >= -radius && p.y <= radius;
        count_specials(&w->counts, w->owner->base.cat, &w->found);
        count_terrains(&w->counts, w->owner->base.cat, &w->found);
    }
    for (int i = 0; i < 4; i++)
        edge_dispose(&edges[i]);
    ptl_chunk_free(chunk);
    head->status = status;
}

static void free_task(pool_task *head)
{
    free(head);
}

/* Reports to the caller how many overmaps were made of how many. */
static ptl_status tell(survey_run *run, ptl_error *err)
{
    static const double EVERY = 0.1;
    const ptl_coverage_options *o = run->options;
    const double seconds = clock_seconds() - run->started;
    if (!o->on_progress || seconds < run->told + EVERY)
        return PTL_OK;
    run->told = seconds;
    const ptl_progress now = {.size = sizeof now,
                              .done = run->done,
                              .total = run->total > run->done ? run->total : run->done,
                              .seconds = seconds,
                              .rate = seconds > 0 ? (double)run->done / seconds : 0};
    return o->on_progress(o->payload, &now) ? PTL_OK
                                            : error_set(err, PTL_ERR_CANCELLED, "stopped");
}

static ptl_status give(pool *p, survey_place at, ptl_error *err)
{
    survey_task *task = calloc(1, sizeof *task);
    if (!task)
        return error_nomem(err);
    task->at = at;
    pool_give(p, &task->head);
    return PTL_OK;
}

ptl_status survey_add(survey *s, survey_run *run, gen_config *config, uint64_t first,
                      uint64_t count, survey_place_at *place, const void *payload,
                      ptl_error *err)
{
    static const double WAIT = 0.05;
    const int32_t jobs = run->options->jobs > 1 ? run->options->jobs : 1;
    surveying own = {s, {(catalogue *)(uintptr_t)config->cat, config}};
    const pool_kind kind = {new_worker, free_worker, make_task, free_task, &own};
    pool *p = NULL;
    uint64_t given = 0, taken = 0;
    ptl_status status = count > 0 ? pool_new(&p, &kind, jobs, err) : PTL_OK;
    while (status == PTL_OK && taken < count) {
        if (given < count && pool_pending(p) < 2 * (size_t)jobs) {
            status = give(p, place(payload, first + given++), err);
            continue;
        }
        pool_task *task = pool_take(p, WAIT);
        if (task) {
            status = task->status;
            if (status != PTL_OK)
                error_set(err, status, "%s", task->err.message);
            free(task);
            taken++;
            run->done++;
        }
        THEN(status, tell(run, err));
    }
    if (p)
        pool_free(p);
    return status;
}
