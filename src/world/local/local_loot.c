/*
 * How many of each thing local maps have. mapgen/odds computes these figures. Where a figure
 * may not be exact, maps are made and the things on them are counted. In both cases the map is
 * that of an OMT whose neighbours are not known.
 */
#include "core/array.h"
#include "core/sized.h"
#include "mapgen/compile/by_id.h"
#include "os/clock.h"
#include "os/pool.h"
#include "portolan/loot.h"
#include "world/local/local.h"

#include <math.h>

/* How many maps are made of a terrain: if the caller has named it, or if all are listed. */
enum { SAMPLES_OF_ONE = 1000, SAMPLES_OF_EACH = 100 };

/* A terrain whose figures are listed. A linear terrain has one of these for each shape. */
typedef struct loot_terrain {
    uint32_t key; /* number of the id (or id and shape) in the pool of the world's own mapgen */
    const char *name;         /* the key's text */
    ptl_oter oter;            /* the first of its oters */
    size_t first, oter_count; /* the terrain's oters in listing.oters: first, number */
} loot_terrain;

/* An oter, and its terrain, as the index in listing.terrains. */
typedef struct loot_oter {
    size_t terrain;
    ptl_oter oter;
} loot_oter;

/* What each thread has for itself while figures are computed. */
typedef struct loot_worker {
    const struct listing *list;
    local_maker maker;
    odds *odds;     /* owned */
    local_map *map; /* owned; the map that this thread has made last */
    uint32_t
        wanted;    /* the thing asked for, in this thread's pool of ids; ID_NONE: all things */
    ptl_oter oter; /* an oter of the terrain whose figures are being computed */
} loot_worker;

/* A task: to list the things of some terrains, one after the other. */
typedef struct loot_task {
    pool_task head;
    size_t first, terrains; /* index of the first terrain, and how many */
    ptl_loot_row *rows;     /* owned; terrain by terrain */
    size_t count, room;
    struct loot_task *after; /* next in the list of finished tasks with rows to pass on */
} loot_task;

/* What a listing of figures needs while it goes on. */
typedef struct listing {
    ptl_world *world;
    const ptl_loot_options *options;
    bool (*on_row)(void *payload, const ptl_loot_row *row);
    void *payload;
    int32_t samples;
    loot_terrain *terrains; /* owned */
    size_t count, room;
    loot_oter *found; /* owned; the oters of all listed terrains, each with its terrain */
    size_t found_count, found_room;
    ptl_oter *oters; /* owned; the oters in `found`, ordered so that those of a terrain follow
                        each other */
    bool *of_pack;   /* owned; by terrain: does options->pack define it? NULL: all count */
    world_mapgen **mapgens; /* owned; one for each thread, the first is the world's own */
    size_t mapgen_count, workers;
    loot_task *waiting; /* owned; finished terrains that wait until earlier ones were told */
    size_t told;        /* for how many terrains on_row was called */
} listing;

/* Serves as local_maker.look: says of an OMT that nothing is known around it. The payload is a
 * loot_worker. */
static ptl_status look_alone(local_around *out, void *payload, ptl_omt at, ptl_error *err)
{
    const loot_worker *w = payload;
    (void)at, (void)err;
    for (int i = 0; i < AROUND_CELLS; i++)
        out->cells[i] = PTL_OTER_NONE;
    out->cells[AROUND_MIDDLE] = w->oter;
    out->above = out->below = PTL_OTER_NONE;
    out->record = NULL;
    return PTL_OK;
}

/* ---- counting on maps ---- */

/* Makes maps of the present terrain and counts the things on them. If `map` is not NULL, only
 * those things are counted whose figures in `map` are not exact. *whole becomes false if a map
 * can't be made. */
static ptl_status count_samples(loot_worker *w, const odds_map *map, bool *whole,
                                ptl_error *err)
{
    const ptl_loot_options *o = w->list->options;
    const bool riots = o->riots;
    const ptl_store *store = w->maker.world->store;
    const stop_hook stop = ops(store)->transaction->stop_hook(store);
    ptl_status status = PTL_OK;
    *whole = true;
    odds_count_begin(w->odds, map);
    for (int32_t i = 1; i <= w->list->samples && status == PTL_OK && *whole; i++) {
        /* Each map gets another place, and so other random numbers. */
        const ptl_omt at = {i, (int64_t)(o->seed % PTL_LOOT_SAMPLES_MAX), o->z};
        local_map_dispose(w->map);
        local_map_init(w->map);
        status = stop_asked(&stop)
                     ? error_set(err, PTL_ERR_CANCELLED, "stopped")
                     : world_local_run_alone(w->map, &w->maker, at, riots, whole, err);
        odds_count_map(w->odds, w->map);
    }
    return status == PTL_OK && w->map->failed ? error_nomem(err) : status;
}

/* ---- rows ---- */

/* Adds a row to the rows of the task's terrain. */
static ptl_status add_row(loot_worker *w, loot_task *t, const ptl_loot_row *row, uint32_t id,
                          ptl_error *err)
{
    const char *text = id_pool_text(w->maker.mapgen->pool, id);
    /* A group that is defined at the place where it is used has no id, so it gets no row. */
    if (row->kind == PTL_LOOT_GROUP && text[0] == '{')
        return PTL_OK;
    if (!ARRAY_ROOM(t->rows, t->room, t->count + 1))
        return error_nomem(err);
    t->rows[t->count] = *row;
    t->rows[t->count++].id = text;
    return PTL_OK;
}

static ptl_loot_row exact_row(const odds_figure *f)
{
    return (ptl_loot_row){.size = sizeof(ptl_loot_row),
                          .kind = f->kind,
                          .number = f->mean,
                          .chance = f->some,
                          .exact = true,
                          .why = ""};
}

static ptl_loot_row counted_row(const loot_worker *w, const odds_count *c, uint32_t doubts)
{
    const double n = w->list->samples;
    const double spread = n > 1 ? (c->squares - c->number * c->number / n) / (n - 1) : 0;
    return (ptl_loot_row){.size = sizeof(ptl_loot_row),
                          .kind = c->kind,
                          .number = c->number / n,
                          .chance = c->some / n,
                          .why = doubts ? world_local_doubt(doubts) : "it was asked for",
                          .samples = w->list->samples,
                          .hits = (int32_t)c->hits,
                          .deviation = spread > 0 ? sqrt(spread) : 0};
}

static bool is_wanted(const loot_worker *w, ptl_loot_kind kind, uint32_t id)
{
    const ptl_loot_options *o = w->list->options;
    return !o->id || (o->kind == kind && w->wanted == id);
}

/* Returns why a figure is not exact: `doubts`, and ODDS_REMOVED if the caller has asked for
 * riots and these may remove the thing. */
static uint32_t doubts_of(const loot_worker *w, ptl_loot_kind kind, uint32_t doubts,
                          uint32_t depends)
{
    const bool damaged = kind == PTL_LOOT_ITEM || kind == PTL_LOOT_GROUP;
    const bool riots = w->list->options->riots;
    return doubts | (damaged && riots && depends & PTL_LOOT_RIOTS ? ODDS_REMOVED : 0);
}

/* Adds a row for each thing that was counted on maps: for things whose figures are in doubt,
 * or, if `all`, for all things. Things that the content's definitions name for the terrain come
 * first. They have a row even if no map had them. */
static ptl_status add_samples(loot_worker *w, loot_task *t, const odds_map *map,
                              uint32_t depends, bool all, ptl_error *err)
{
    const odds_count *counts;
    size_t count;
    by_id numbers[PTL_LOOT_KINDS] = {
        {NULL, 0, NULL, 0, 0}}; /* for each kind and id: its index in `counts`, plus 1 */
    bool good = odds_count_end(w->odds, &counts, &count);
    ptl_status status = PTL_OK;
    bool *told = calloc(count + 1, sizeof *told);
    for (size_t i = 0; i < count && good; i++) {
        size_t *number = by_id_make(&numbers[counts[i].kind], counts[i].id, sizeof *number);
        good = number != NULL;
        if (number)
            *number = i + 1;
    }
    if (!good || !told)
        status = error_nomem(err);
    for (size_t i = 0; i < map->count && status == PTL_OK; i++) {
        const odds_figure *f = &map->figures[i];
        const uint32_t doubts = doubts_of(w, f->kind, f->doubts, depends);
        const size_t *number = by_id_find(&numbers[f->kind], f->id, sizeof *number);
        const odds_count none = {.kind = f->kind, .id = f->id};
        if (!is_wanted(w, f->kind, f->id) || (!all && !doubts))
            continue;
        ptl_loot_row row = counted_row(w, number ? &counts[*number - 1] : &none, doubts);
        row.depends = depends;
        status = add_row(w, t, &row, f->id, err);
        if (number)
            told[*number - 1] = true;
    }
    for (size_t i = 0; i < count && all && status == PTL_OK; i++)
        if (!told[i] && is_wanted(w, counts[i].kind, counts[i].id)) {
            ptl_loot_row row = counted_row(w, &counts[i], map->doubts);
            row.depends = depends;
            status = add_row(w, t, &row, counts[i].id, err);
        }
    for (int kind = 0; kind < PTL_LOOT_KINDS; kind++)
        by_id_dispose(&numbers[kind]);
    free(told);
    return status;
}

/* Makes maps of a terrain, and counts the things on them whose figures are not exact. */
static ptl_status sample_terrain(loot_worker *w, loot_task *t, const odds_map *map,
                                 uint32_t depends, bool all, ptl_error *err)
{
    bool whole = true;
    const ptl_loot_options *o = w->list->options;
    const bool plain = o->simulate || o->riots || map->doubts & ODDS_LARGE;
    w->maker.stands = plain ? NULL : odds_stands;
    TRY(count_samples(w, all ? NULL : map, &whole, err));
    if (whole)
        return add_samples(w, t, map, depends, all, err);
    const odds_count *counts;
    size_t count;
    if (!odds_count_end(w->odds, &counts, &count))
        return error_nomem(err);
    const ptl_loot_row refused = {
        .size = sizeof refused,
        .depends = depends,
        .why = "a map of it is larger than any may be, or needs a build with Lua"};
    TRY(add_row(w, t, &refused, ID_NONE, err));
    t->rows[t->count - 1].id = NULL;
    return PTL_OK;
}

/* Lists the figures (how many of each thing lie on a map) of a terrain. */
static ptl_status list_terrain(loot_worker *w, loot_task *t, ptl_error *err)
{
    odds_request request;
    odds_map map;
    bool stopped = false;
    const ptl_loot_options *o = w->list->options;
    const ptl_omt at = {0, 0, o->z};
    const world_mapgen *m = w->maker.mapgen;
    const seen_oter *seen = world_seen_oter(m, w->maker.world->cat, w->oter);
    const bool riots = o->riots && seen->riots, simulate = o->simulate;
    TRY(world_local_alone(&request, &w->maker, at, err));
    /* This quick test saves time: most terrains can't have the one thing that is asked for. */
    if (o->id && !o->terrain && !riots && !simulate && !odds_may_have(w->odds, &request))
        return PTL_OK;
    if (!odds_of_map(&map, w->odds, &request, &stopped))
        return stopped ? error_set(err, PTL_ERR_CANCELLED, "stopped") : error_nomem(err);
    TRY(world_mapgen_fault(m, err));
    const uint32_t depends = map.depends | (seen->riots ? PTL_LOOT_RIOTS : 0);
    const bool all = simulate || map.doubts || riots;
    bool some = all;
    for (size_t i = 0; i < map.count; i++) {
        const odds_figure *f = &map.figures[i];
        if (!is_wanted(w, f->kind, f->id))
            continue;
        const bool sure = doubts_of(w, f->kind, f->doubts, depends) == 0;
        some = some || !sure;
        if (!sure || simulate)
            continue;
        ptl_loot_row row = exact_row(f);
        row.depends = depends;
        TRY(add_row(w, t, &row, f->id, err));
    }
    return some ? sample_terrain(w, t, &map, depends, all, err) : PTL_OK;
}

/* ---- threads ---- */

static void free_worker(void *worker)
{
    loot_worker *w = worker;
    odds_free(w->odds);
    world_local_free(w->map);
    free(w);
}

static void *new_worker(void *context)
{
    listing *l = context;
    loot_worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    const ptl_loot_options *o = l->options;
    const ptl_store *store = l->world->store;
    world_mapgen *m = l->mapgens[l->workers++];
    w->list = l;
    const odds_source source = {.library = m->library,
                                .groups = m->groups,
                                .tiles = m->tiles,
                                .pool = m->pool,
                                .settings = &m->settings,
                                .items_geometric = m->items_geometric,
                                .time = world_local_time(o->turn),
                                .stop = ops(store)->transaction->stop_hook(store)};
    w->odds = odds_new(&source);
    w->map = world_local_new();
    w->maker = (local_maker){.world = l->world,
                             .mapgen = m,
                             .look = look_alone,
                             .payload = w,
                             .turn = o->turn,
                             .stands_payload = w->odds};
    if (o->id)
        w->wanted = id_pool_put(m->pool, o->id, strlen(o->id));
    if (o->id && w->odds)
        odds_only(w->odds, o->kind, w->wanted);
    if (w->odds && w->map)
        return w;
    free_worker(w);
    return NULL;
}

static void run_task(void *worker, pool_task *head)
{
    loot_worker *w = worker;
    loot_task *t = (loot_task *)head;
    head->status = PTL_OK;
    for (size_t i = t->first; i < t->first + t->terrains && head->status == PTL_OK; i++) {
        const loot_terrain *terrain = &w->list->terrains[i];
        size_t row = t->count;
        w->oter = terrain->oter;
        head->status = list_terrain(w, t, &head->err);
        for (; row < t->count; row++) {
            t->rows[row].terrain = terrain->name;
            t->rows[row].oters = w->list->oters + terrain->first;
            t->rows[row].oter_count = terrain->oter_count;
        }
    }
}

static void free_task(pool_task *head)
{
    free(((loot_task *)head)->rows);
    free(head);
}

/* Calls on_row, the callback of the caller, with each row of a task. */
static ptl_status tell_rows(const listing *l, const loot_task *t, ptl_error *err)
{
    for (size_t i = 0; i < t->count; i++)
        if (!l->on_row(l->payload, &t->rows[i]))
            return error_set(err, PTL_ERR_CANCELLED, "the caller ended the list");
    return PTL_OK;
}

/* Passes to the caller the rows of finished tasks; a task waits for those before it. */
static ptl_status tell_waiting(listing *l, ptl_error *err)
{
    for (loot_task **at = &l->waiting; *at;) {
        loot_task *t = *at;
        if (t->first != l->told) {
            at = &t->after;
            continue;
        }
        *at = t->after;
        const size_t terrains = t->terrains;
        const ptl_status status = tell_rows(l, t, err);
        free_task(&t->head);
        TRY(status);
        l->told += terrains;
        at = &l->waiting;
    }
    return PTL_OK;
}

static ptl_status tell_progress(const listing *l, double started, ptl_error *err)
{
    const double seconds = clock_seconds() - started;
    const ptl_progress now = {.size = sizeof now,
                              .done = l->told,
                              .total = l->count,
                              .seconds = seconds,
                              .rate = seconds > 0 ? (double)l->told / seconds : 0};
    if (!l->options->on_progress || l->options->on_progress(l->payload, &now))
        return PTL_OK;
    return error_set(err, PTL_ERR_CANCELLED, "stopped");
}

/* Gives the terrains from the index *given on to the pool, as many as a task may have. Most
 * terrains do not have the one thing that is asked for, so that they take less time than a task
 * of their own would. */
static ptl_status give_terrains(pool *p, const listing *l, size_t *given, ptl_error *err)
{
    enum { OF_ONE_THING = 3 };
    const size_t most = l->options->id ? OF_ONE_THING : 1, left = l->count - *given;
    loot_task *t = calloc(1, sizeof *t);
    if (!t)
        return error_nomem(err);
    t->first = *given;
    t->terrains = left < most ? left : most;
    *given += t->terrains;
    pool_give(p, &t->head);
    return PTL_OK;
}

/* Takes a finished task out of the pool of threads, if there is one. */
static ptl_status take_task(listing *l, pool *p, ptl_error *err)
{
    static const double WAIT = 0.05;
    loot_task *t = (loot_task *)pool_take(p, WAIT);
    if (!t)
        return PTL_OK;
    t->after = l->waiting;
    l->waiting = t;
    if (t->head.status != PTL_OK)
        return error_set(err, t->head.status, "%s", t->head.err.message);
    return tell_waiting(l, err);
}

/* Computes the figures in threads, and passes the rows on in the order of the terrains. */
static ptl_status list_terrains(listing *l, ptl_error *err)
{
    /* Terrains that may be given and not told yet, per thread. */
    const size_t ahead = l->options->id ? 64 : 8;
    const pool_kind kind = {new_worker, free_worker, run_task, free_task, l};
    const size_t jobs = l->mapgen_count, most = jobs == 1 ? 1 : ahead * jobs;
    const double started = clock_seconds();
    pool *p = NULL;
    size_t given = 0;
    ptl_status status = pool_new(&p, &kind, (int32_t)jobs, err);
    while (status == PTL_OK && l->told < l->count) {
        if (given < l->count && given - l->told < most) {
            status = give_terrains(p, l, &given, err);
            continue;
        }
        status = take_task(l, p, err);
        THEN(status, tell_progress(l, started, err));
    }
    pool_free(p);
    return status;
}

/* ---- the calls ---- */

/* Returns whether the listing is about this oter of the terrain `t`. The caller may have named
 * the terrain, the oter or, as `name`, a shape of a linear terrain. */
static bool is_terrain(const listing *l, const cat_terrain *t, const cat_oter *oter,
                       const char *name)
{
    const char *wanted = l->options->terrain;
    return !wanted || strcmp(wanted, t->id) == 0 || strcmp(wanted, oter->id) == 0 ||
           strcmp(wanted, name) == 0;
}

static int compare_oters(const void *left, const void *right)
{
    const loot_oter *a = left, *b = right;
    return ORDER_BY((int64_t)a->terrain, (int64_t)b->terrain, a->oter, b->oter);
}

/* Adds the oters of a terrain of the catalogue, each with the number that its terrain has in
 * listing.terrains. */
static ptl_status add_oters(listing *l, const cat_terrain *t, ptl_error *err)
{
    const world_mapgen *m = l->world->mapgen;
    const catalogue *cat = l->world->cat;
    const size_t before = l->count;
    for (uint16_t k = 0; k < t->count; k++) {
        const ptl_oter oter = (ptl_oter)(t->first + k);
        const uint32_t key = world_seen_oter(m, cat, oter)->key;
        const char *name = id_pool_text(m->pool, key);
        size_t number = before;
        if (!is_terrain(l, t, &cat->oters[oter], name))
            continue;
        while (number < l->count && l->terrains[number].key != key)
            number++;
        if (!ARRAY_ROOM(l->terrains, l->room, l->count + 1) ||
            !ARRAY_ROOM(l->found, l->found_room, l->found_count + 1))
            return error_nomem(err);
        if (number == l->count)
            l->terrains[l->count++] = (loot_terrain){.key = key, .name = name, .oter = oter};
        l->terrains[number].oter_count++;
        l->found[l->found_count++] = (loot_oter){number, oter};
    }
    return PTL_OK;
}

/* Finds the terrains that are asked for, and their oters; the shapes of linear terrains count
 * as terrains of their own. */
static ptl_status find_terrains(listing *l, ptl_error *err)
{
    const catalogue *cat = l->world->cat;
    if (l->options->pack)
        TRY(world_local_pack(&l->of_pack, l->world, l->options->pack, err));
    for (size_t i = 0; i < cat->terrain_count; i++)
        if (!l->of_pack || l->of_pack[i])
            TRY(add_oters(l, &cat->terrains[i], err));
    if (l->count == 0 && l->of_pack)
        return PTL_OK;
    if (l->count == 0)
        return error_set(err, PTL_ERR_NOT_FOUND, "the content has no overmap terrain '%s'",
                         l->options->terrain ? l->options->terrain : "");
    qsort(l->found, l->found_count, sizeof *l->found, compare_oters);
    l->oters = malloc((l->found_count + 1) * sizeof *l->oters);
    if (!l->oters)
        return error_nomem(err);
    for (size_t i = 0; i < l->found_count; i++)
        l->oters[i] = l->found[i].oter;
    for (size_t i = 0, first = 0; i < l->count; i++) {
        l->terrains[i].first = first;
        first += l->terrains[i].oter_count;
    }
    return PTL_OK;
}

static ptl_status check_options(const ptl_loot_options *o, ptl_error *err)
{
    if (o->samples < 0 || o->samples > PTL_LOOT_SAMPLES_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "samples must be 0 to %d",
                         PTL_LOOT_SAMPLES_MAX);
    if (o->jobs < 0 || o->jobs > PTL_LOOT_JOBS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "jobs must be 0 to %d", PTL_LOOT_JOBS_MAX);
    if (o->z < PTL_Z_MIN || o->z > PTL_Z_MAX || o->turn < 0)
        return error_set(err, PTL_ERR_ARGUMENT,
                         o->turn < 0 ? "the turn is below 0" : "z must be -10 to 10");
    if ((int)o->kind < 0 || (int)o->kind >= PTL_LOOT_KINDS)
        return error_set(err, PTL_ERR_ARGUMENT, "there is no such kind of things");
    return PTL_OK;
}

static void listing_end(listing *l)
{
    while (l->waiting) {
        loot_task *t = l->waiting;
        l->waiting = t->after;
        free_task(&t->head);
    }
    for (size_t i = 1; l->mapgens && i < l->mapgen_count; i++)
        world_mapgen_free(l->mapgens[i]);
    free(l->mapgens);
    free(l->terrains);
    free(l->found);
    free(l->oters);
    free(l->of_pack);
}

/* Prepares a listing with up to `jobs` threads, each with a mapgen of its own. */
static ptl_status listing_begin(listing *l, ptl_world *world, const ptl_loot_options *options,
                                int32_t jobs, ptl_error *err)
{
    TRY(check_options(options, err));
    const size_t most = jobs > 1 && !options->terrain ? (size_t)jobs : 1;
    l->world = world;
    l->options = options;
    l->samples = options->samples > 0 ? options->samples
                 : options->terrain   ? SAMPLES_OF_ONE
                                      : SAMPLES_OF_EACH;
    l->mapgens = calloc(most, sizeof *l->mapgens);
    if (!l->mapgens)
        return error_nomem(err);
    l->mapgen_count = most;
    if (options->terrain) {
        TRY(world_local_load(world, false, err));
        l->mapgens[0] = world->mapgen;
    } else {
        TRY(world_local_load_all(l->mapgens, most, world, err));
    }
    return find_terrains(l, err);
}

ptl_status ptl_loot_list(ptl_world *world, const ptl_loot_options *options,
                         bool (*on_row)(void *payload, const ptl_loot_row *row), void *payload,
                         ptl_error *err)
{
    ptl_loot_options o = PTL_LOOT_OPTIONS_INIT;
    listing l = {.on_row = on_row, .payload = payload};
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_loot_options, &o, options, err);
    THEN(status, listing_begin(&l, world, &o, o.jobs, err));
    THEN(status, list_terrains(&l, err));
    listing_end(&l);
    return status;
}

/* ---- trees ---- */

static const char *step_name(const odds_node *node)
{
    static const char *const names[ODDS_STEPS] = {
        [ODDS_STEP_ENTRY] = "entry",         [ODDS_STEP_BELOW] = "below",
        [ODDS_STEP_PARAMETER] = "parameter", [ODDS_STEP_PALETTE] = "palettes",
        [ODDS_STEP_SYMBOL] = "character",    [ODDS_STEP_CHUNK] = "chunk",
        [ODDS_STEP_GROUP] = "group",         [ODDS_STEP_COLLECTION] = "part",
        [ODDS_STEP_ITEM] = "item",           [ODDS_STEP_CONTAINER] = "container",
        [ODDS_STEP_MAGAZINE] = "magazine",   [ODDS_STEP_AMMO] = "ammunition",
        [ODDS_STEP_CONTENT] = "contents",    [ODDS_STEP_MONSTER] = "monster",
        [ODDS_STEP_VEHICLE] = "vehicle",     [ODDS_STEP_COUNT] = "count",
        [ODDS_STEP_SPAWNS] = "spawns",       [ODDS_STEP_GROUND] = "ground"};
    return node->step == ODDS_STEP_PIECE ? mapgen_kind_name(node->kind) : names[node->step];
}

/* What is needed to pass the tree of steps that lead from a terrain to a thing to the caller's
 * on_step. */
typedef struct telling {
    const id_pool *texts;
    bool (*on_step)(void *payload, const ptl_loot_step *step);
    void *payload;
    bool on;
} telling;

static void on_node(void *payload, const odds_node *node)
{
    telling *t = payload;
    const bool placed = node->step == ODDS_STEP_PIECE && node->x.high >= node->x.low;
    const ptl_loot_step step = {.size = sizeof step,
                                .depth = node->depth,
                                .kind = step_name(node),
                                .id = id_pool_text(t->texts, node->id),
                                .name = id_pool_text(t->texts, node->name),
                                .path = node->entry ? id_pool_text(t->texts, node->entry->path)
                                                    : "",
                                .line = node->entry ? node->entry->line : 0,
                                .tiles = node->tiles > 0 ? node->tiles : 0,
                                .x = placed ? node->x.low : -1,
                                .y = placed ? node->y.low : -1,
                                .x2 = placed ? node->x.high : -1,
                                .y2 = placed ? node->y.high : -1,
                                .times = node->times,
                                .number = node->mean};
    t->on = t->on && t->on_step(t->payload, &step);
}

/* Tells the caller, step by step, how the figure of the thing comes about on the first terrain
 * of the list. Fills in the row of that figure. */
static ptl_status explain_terrain(ptl_loot_row *row, const listing *l, loot_worker *w,
                                  telling *t, ptl_error *err)
{
    odds_request request;
    odds_figure f;
    bool stopped = false;
    const ptl_loot_options *o = l->options;
    const loot_terrain *terrain = l->terrains;
    if (!terrain)
        return error_set(err, PTL_ERR_NOT_FOUND, "the pack has no such terrain");
    const world_mapgen *m = w->maker.mapgen;
    w->oter = terrain->oter;
    t->texts = m->pool;
    const seen_oter *seen = world_seen_oter(m, l->world->cat, w->oter);
    TRY(world_local_alone(&request, &w->maker, (ptl_omt){0, 0, o->z}, err));
    if (!odds_tree(&f, w->odds, &request, o->kind, w->wanted, on_node, t, &stopped))
        return stopped ? error_set(err, PTL_ERR_CANCELLED, "stopped") : error_nomem(err);
    TRY(world_mapgen_fault(m, err));
    const uint32_t depends = f.depends | (seen->riots ? PTL_LOOT_RIOTS : 0);
    const uint32_t doubts = doubts_of(w, o->kind, f.doubts, depends);
    *row = exact_row(&f);
    row->terrain = terrain->name;
    row->id = id_pool_text(m->pool, w->wanted);
    row->exact = doubts == 0;
    row->why = world_local_doubt(doubts);
    row->depends = depends;
    return t->on ? PTL_OK : error_set(err, PTL_ERR_CANCELLED, "the caller ended the list");
}

ptl_status ptl_loot_tree_list(ptl_loot_row *row, ptl_world *world,
                              const ptl_loot_options *options,
                              bool (*on_step)(void *payload, const ptl_loot_step *step),
                              void *payload, ptl_error *err)
{
    ptl_loot_options o = PTL_LOOT_OPTIONS_INIT;
    ptl_loot_row found = PTL_LOOT_ROW_INIT;
    listing l = {.world = world};
    telling t = {.on_step = on_step, .payload = payload, .on = true};
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_loot_options, &o, options, err);
    THEN(status, SIZED_CHECK(ptl_loot_row, row, err));
    if (status == PTL_OK && (!o.terrain || !o.id))
        status = error_set(err, PTL_ERR_ARGUMENT, "a terrain and a thing are needed");
    THEN(status, listing_begin(&l, world, &o, 1, err));
    loot_worker *w = status == PTL_OK ? new_worker(&l) : NULL;
    if (status == PTL_OK && !w)
        status = error_nomem(err);
    THEN(status, explain_terrain(&found, &l, w, &t, err));
    if (status == PTL_OK)
        SIZED_FILL(ptl_loot_row, row, &found);
    if (w)
        free_worker(w);
    listing_end(&l);
    return status;
}
