/*
 * Tries a special: places it many times, on the best ground or on the real ground of a world's
 * chunks. For each join it counts the growths that failed because the join stayed open.
 */

#include "core/array.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "gen/mutable/growth.h"
#include "gen/sites/sites.h"
#include "os/clock.h"
#include "portolan/trial.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>

/* Trial placements of one special, one after the other. The trace follows how each of them
 * grows. */
typedef struct trial {
    const gen_config *config;
    generator *gen;
    uint16_t special;
    const ptl_trial_options *options;
    ptl_trial_report *out;
    double started, next_report;
    int32_t root_x, root_y, root_z; /* position of the root of the growth that began last */
    /* The element of out->reasons for the join because of which the last growth failed. NULL:
     * it did not fail, or it failed because of something else. */
    struct ptl_trial_reason *last;
    gen_trace trace;
} trial;

/* ---- reasons of failure ---- */

/* Is called when a growth begins or is given up. Counts a growth that begins. If it was given
 * up, counts the join that stayed open as a reason. */
static void on_growth(void *payload, const gen_growth_step *step)
{
    trial *t = payload;
    const cat_mutable *layout = t->config->cat->specials[t->special].layout;
    ptl_trial_report *r = t->out;
    ptl_trial_reason *reason = NULL;
    char join[PTL_TRIAL_JOIN_SIZE];
    if (step->event == PTL_GROWTH_BEGINS) {
        r->growths++;
        t->root_x = step->x;
        t->root_y = step->y;
        t->root_z = step->z;
    }
    if (step->event != PTL_GROWTH_UNDONE)
        return;
    r->undone++;
    t->last = NULL;
    if (!layout || step->rule < 0 || (size_t)step->rule >= layout->join_count)
        return;
    snprintf(join, sizeof join, "%s", layout->joins[step->rule].id);
    const int32_t x = step->x - t->root_x, y = step->y - t->root_y, z = step->z - t->root_z;
    for (size_t i = 0; i < r->reason_count && !reason; i++)
        if (r->reasons[i].z == z && strcmp(r->reasons[i].join, join) == 0)
            reason = &r->reasons[i];
    if (!reason && r->reason_count == PTL_TRIAL_REASONS) {
        r->other_undone++;
        return;
    }
    if (!reason) {
        reason = &r->reasons[r->reason_count++];
        *reason = (ptl_trial_reason){.x = x, .y = y, .z = z};
        memcpy(reason->join, join, sizeof join);
    }
    reason->undone++;
    t->last = reason;
}

/* Compares two reasons for sorting. The more frequent reason is first; equally frequent reasons
 * are in the order of their names, then of their levels. */
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

/* Begins a trial: starts the clock, and a trace that calls on_growth for each growth. trial_end
 * stops both. The caller must have set config, gen and special. */
static void trial_begin(trial *t, const ptl_trial_options *options, ptl_trial_report *out)
{
    t->options = options;
    t->out = out;
    t->started = clock_seconds();
    out->is_mutable = t->config->cat->specials[t->special].layout != NULL;
    t->trace = (gen_trace){.payload = t, .special = t->special, .on_growth = on_growth};
    generator_trace(t->gen, &t->trace);
}

/* Ends the trace, so that on_growth is no longer called. Sets the report's duration, and sorts
 * its reasons (the joins that stayed open). */
static void trial_end(trial *t)
{
    generator_trace(t->gen, NULL);
    t->out->seconds = clock_seconds() - t->started;
    qsort(t->out->reasons, t->out->reason_count, sizeof *t->out->reasons, compare_reasons);
}

/* Calls the caller's progress function. Returns false if the trial is to stop. */
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

/* ---- trying mutable specials ---- */

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
        if (one.result == GROWTH_DONE) {
            count_placed(r, one.pieces, &pieces);
            continue;
        }
        if (r->tried - r->placed == 1)
            r->first_failing_seed = seed;
        r->failed_open += one.result == GROWTH_OPEN;
        r->failed_blocked += one.result == GROWTH_BLOCKED;
        r->failed_large += one.result == GROWTH_LIMIT;
        r->failed_costly += one.result == GROWTH_COSTLY;
        if (t->last)
            t->last->failed++;
    }
    ptl_chunk_free(ground);
    return status;
}

/* What the special needs on one cell of the chunk, for one of its OMTs or connections. A
 * cell may have several needs. */
typedef struct need {
    /* The place of the cell, relative to the special's origin and before rotation. */
    int32_t x, y, z;
    ptl_terrain_set allows; /* the terrains that are accepted */
    bool fill; /* true: it is also accepted that the cell has the default oter of its level */
    /* NULL: an OMT of the special must stand on the cell. Otherwise a connection of the special
     * must begin there. The terrains on which this connection can begin are accepted, too. */
    const cat_link *link;
} need;

typedef struct needs {
    const gen_config *config;
    need *items; /* owned */
    size_t count, room;
    bool full, no_memory;
} needs;

enum {
    /* How many needs (demands on single cells) a special may have at most, with those of all
     * specials nested in it. */
    NEEDS_MAX = 1 << 17,
    DEPTH_MAX = 200
};

static void add(needs *list, need n)
{
    if (list->count == NEEDS_MAX || n.z < PTL_Z_MIN || n.z > PTL_Z_MAX) {
        list->full = true;
        return;
    }
    if (!ARRAY_ROOM(list->items, list->room, list->count + 1)) {
        list->no_memory = true;
        return;
    }
    list->items[list->count++] = n;
}

static void gather(needs *list, uint16_t special, const need *at, int depth)
{
    const cat_special *s = &list->config->cat->specials[special];
    const bool compat = list->config->options.compat;
    list->full = list->full || depth == DEPTH_MAX;
    for (size_t i = 0; i < s->omt_count && !list->full && !list->no_memory; i++) {
        const cat_omt *t = &s->omts[i];
        const int32_t z = at->z + t->z;
        add(list, (need){at->x + t->x, at->y + t->y, z, t->allows,
                         z != 0 && (compat || !t->own), NULL});
    }
    for (size_t i = 0; i < s->check_count && !list->full && !list->no_memory; i++) {
        const cat_check *c = &s->checks[i];
        const int32_t z = at->z + c->z0;
        add(list, (need){at->x + c->x0, at->y + c->y0, z, c->allows,
                         z != 0 && (compat || !c->own), NULL});
    }
    for (size_t i = 0; i < s->nested_count && !list->full && !list->no_memory; i++) {
        const cat_nested *n = &s->nested[i];
        const need inner = {.x = at->x + n->x, .y = at->y + n->y, .z = at->z + n->z};
        gather(list, n->special, &inner, depth + 1);
    }
}

static int compare_needs(const void *left, const void *right)
{
    const need *a = left, *b = right;
    return ORDER_BY(a->z, b->z, a->y, b->y, a->x, b->x);
}

static bool accepts(const needs *list, const need *n, uint16_t terrain)
{
    const catalogue *cat = list->config->cat;
    const ptl_oter fill = list->config->defaults[n->z - PTL_Z_MIN];
    if (cat_terrain_in(n->allows, terrain) || (n->fill && cat->oters[fill].terrain == terrain))
        return true;
    const cat_connection *c = n->link ? &cat->connections[n->link->connection] : NULL;
    for (size_t i = 0; c && !n->link->existing && i < c->subtype_count; i++)
        if (cat_terrain_in(c->subtypes[i].allows, terrain))
            return true;
    return false;
}

/* Returns a terrain that meets all needs of a cell: the default terrain of the level, if it
 * does. CAT_NONE: no terrain meets them all. */
static uint16_t choose(const needs *list, const need *items, size_t count)
{
    const catalogue *cat = list->config->cat;
    const uint16_t standard =
        cat->oters[list->config->defaults[items[0].z - PTL_Z_MIN]].terrain;
    for (size_t i = 0; i <= cat->terrain_count; i++) {
        const uint16_t terrain = i == 0 ? standard : (uint16_t)(i - 1);
        size_t met = 0;
        while (met < count && accepts(list, &items[met], terrain))
            met++;
        if (met == count && cat->terrains[terrain].count > 0)
            return terrain;
    }
    return CAT_NONE;
}

/* Puts a terrain on each cell that the list names. The terrain must satisfy all needs that the
 * list has for that cell. (The list is sorted by place.) If no terrain does, the report names
 * the cell, and the function returns false. */
static bool paint(trial *t, const needs *list, ptl_chunk *ground, int rotation,
                  const int32_t origin[2])
{
    const catalogue *cat = t->config->cat;
    for (size_t i = 0, end; i < list->count; i = end) {
        const need *n = &list->items[i];
        for (end = i + 1; end < list->count && compare_needs(n, &list->items[end]) == 0;)
            end++;
        const uint16_t terrain = choose(list, n, end - i);
        int32_t x, y;
        feature_rotate(n->x, n->y, rotation, &x, &y);
        x += origin[0];
        y += origin[1];
        if (terrain == CAT_NONE || !inside(x, y)) {
            t->out->has_conflict = true;
            t->out->conflict_x = n->x;
            t->out->conflict_y = n->y;
            t->out->conflict_z = n->z;
            return false;
        }
        level *l = chunk_level(ground, n->z);
        const ptl_oter oter =
            cat->oters[t->config->defaults[n->z - PTL_Z_MIN]].terrain == terrain
                ? t->config->defaults[n->z - PTL_Z_MIN]
                : cat->terrains[terrain].first;
        ptl_oter *cells = level_cells(l);
        if (!cells) {
            t->gen->failed = true;
            return false;
        }
        cells[y * SIZE + x] = oter;
    }
    return true;
}

static ptl_status try_rotation(trial *t, const needs *list, int rotation, bool *fits,
                               ptl_error *err)
{
    int32_t origin[2];
    ptl_chunk *ground = chunk_new((ptl_chunk_pos){0, 0});
    *fits = false;
    if (!ground)
        return error_nomem(err);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        level_fill(chunk_level(ground, z), t->config->defaults[z - PTL_Z_MIN]);
    /* Choose the origin so that the cells that the special needs, rotated, lie in the middle of
     * the chunk. */
    int32_t low[2] = {0, 0}, high[2] = {0, 0};
    for (size_t i = 0; i < list->count; i++) {
        int32_t at[2];
        feature_rotate(list->items[i].x, list->items[i].y, rotation, &at[0], &at[1]);
        for (int k = 0; k < 2; k++) {
            low[k] = i == 0 || at[k] < low[k] ? at[k] : low[k];
            high[k] = i == 0 || at[k] > high[k] ? at[k] : high[k];
        }
    }
    for (int k = 0; k < 2; k++)
        origin[k] = (SIZE - 1 - low[k] - high[k]) / 2;
    if (paint(t, list, ground, rotation, origin)) {
        generator_adopt(t->gen, ground);
        site_map_begin(t->gen);
        *fits = site_fits(t->gen, t->special, rotation, origin[0], origin[1]);
        site_map_end(t->gen);
        generator_adopt(t->gen, NULL);
    }
    ptl_chunk_free(ground);
    return t->gen->failed ? generator_why(t->gen, err) : PTL_OK;
}

/* Tries a fixed special in each of its rotations. */
static ptl_status try_fixed(trial *t, ptl_error *err)
{
    const cat_special *s = &t->config->cat->specials[t->special];
    ptl_trial_report *r = t->out;
    needs list = {.config = t->config};
    const need origin = {.x = 0};
    ptl_status status = PTL_OK;
    gather(&list, t->special, &origin, 0);
    for (size_t i = 0; i < s->link_count && !list.no_memory; i++) {
        const cat_link *l = &s->links[i];
        add(&list, (need){l->x, l->y, l->z, l->carries, false, l});
    }
    if (list.no_memory)
        status = error_nomem(err);
    if (list.count > 1)
        qsort(list.items, list.count, sizeof *list.items, compare_needs);
    for (int rotation = 0; status == PTL_OK && rotation < (s->rotate ? 4 : 1); rotation++) {
        bool fits = false;
        r->tried++;
        if (!list.full && list.count > 0)
            status = try_rotation(t, &list, rotation, &fits, err);
        r->placed += fits;
    }
    r->pieces_min = r->pieces_max = (int32_t)s->omt_count;
    r->pieces_mean = (double)s->omt_count;
    free(list.items);
    return status;
}

/* Tries a special on artificial or real ground. The caller has set options->world and zeroed
 * *out. */
static ptl_status try_special(ptl_store *store, const char *special,
                              const ptl_trial_options *options, ptl_trial_report *out,
                              ptl_error *err)
{
    catalogue *cat = NULL;
    gen_config *config = NULL;
    ptl_status status = PTL_OK;
    TRY(ops(store)->content->load(&cat, store, err));
    trial t = {.special = catalogue_special(cat, special)};
    if (t.special == CAT_NONE)
        status = error_set(err, PTL_ERR_NOT_FOUND, "the content has no special '%.*s'",
                           UTF8_CUT(special, 200));
    else
        status = gen_config_new(&config, cat, options->world, err);
    if (status == PTL_OK && config) {
        config->stop = ops(store)->transaction->stop_hook(store);
        t.config = config;
        t.gen = generator_new(config);
        status = t.gen ? PTL_OK : error_nomem(err);
    }
    if (t.gen) {
        trial_begin(&t, options, out);
        status = out->is_mutable ? try_growths(&t, err) : try_fixed(&t, err);
        trial_end(&t);
        generator_free(t.gen);
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
    TRY(SIZED_TAKE(ptl_trial_options, &o, options, err));
    TRY(sized_take(&settings, o.world, &sized_ptl_world_options, &within, err));
    TRY(SIZED_CHECK(ptl_trial_report, out, err));
    o.world = &settings;
    const ptl_status status = try_special(store, special, &o, &r, err);
    SIZED_FILL(ptl_trial_report, out, &r);
    return status;
}

/*
 * Counts what became of the special in a chunk that was generated again in memory, on a world's
 * real ground. The generator's attempts tell whether the special was placed; failed growths are
 * counted by the join that stayed open.
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
        /* If fewer specials were placed than the rule of placement asked for, the chunk is
         * counted under the first test that no origin has passed. */
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
    ptl_status status = PTL_OK;
    TRY(SIZED_TAKE(ptl_trial_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_trial_report, out, err));
    TRY(world_prepare_again(world, NULL, err));
    trial t = {.config = world->config,
               .gen = world->gen,
               .special = catalogue_special(world->cat, special)};
    if (t.special == CAT_NONE)
        return error_set(err, PTL_ERR_NOT_FOUND, "the content has no special '%.*s'",
                         UTF8_CUT(special, 200));
    /* pieces[0] is the number of pieces in all placements together, and pieces[1] the number of
     * placements that have pieces. */
    double pieces[2] = {0, 0};
    trial_begin(&t, &o, &r);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        if (!trial_progress(&t, i, count)) {
            status = error_set(err, PTL_ERR_CANCELLED, "stopped");
            break;
        }
        ptl_chunk *chunk;
        status = world_make_again(&chunk, world, positions[i], ptl_step_count(), &t.trace, err);
        ptl_chunk_free(chunk);
        if (status == PTL_OK)
            count_chunk(&t, pieces);
    }
    trial_end(&t);
    r.pieces_mean = pieces[1] > 0 ? pieces[0] / pieces[1] : 0;
    SIZED_FILL(ptl_trial_report, out, &r);
    return status;
}

/*
 * Tries a fixed special. Its ground is made cell by cell: each cell gets a terrain that the
 * special's own OMTs, the OMTs of nested specials and its connections accept. If the special
 * does not fit on that ground, it fits nowhere.
 */
