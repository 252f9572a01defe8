/*
 * Samples: finding the world or sweep that a name means, and adding up all its overmaps. A
 * world is read in transactions of a few chunks each, so that no writer waits long.
 */
#include "analysis/sample/sample.h"

#include "core/sized.h"
#include "gen/pipeline.h"
#include "gen/specials/rules.h"
#include "os/clock.h"
#include "world/world.h"

#include <stdlib.h>

enum {
    SWEEP_REPORT = 64 /* overmaps of a sweep between two reports of progress */
};
static const double READ_SECONDS = 0.025; /* then a transaction ends */

/* ---- opening ---- */

static ptl_status open_world(ptl_sample *out, const char *name, ptl_error *err)
{
    TRY(ops(out->store)->world->find(&out->settings, out->store, name, err));
    chunk_totals totals;
    out->name = strdup(out->settings.name);
    if (!out->name)
        return error_nomem(err);
    ptl_status status =
        ops(out->store)->chunk->total(&totals, out->store, out->settings.id, 0, 0, err);
    out->overmaps = totals.whole;
    out->has_blocks = true;
    out->left_out = totals.chunks - totals.whole;
    return status;
}

static ptl_status open_sweep(ptl_sample *out, const char *name, ptl_error *err)
{
    sweep_row row;
    TRY(ops(out->store)->sweep->find(&row, out->store, name, err));
    out->is_sweep = true;
    out->name = row.name;
    out->settings = row.settings;
    out->settings.id = row.id;
    sweep_totals totals;
    ptl_status status = ops(out->store)->sweep->chunk_total(&totals, out->store, row.id, err);
    out->overmaps = totals.overmaps;
    out->has_blocks = totals.overmaps > totals.seeds;
    return status;
}

static ptl_status open_any(ptl_sample *out, const char *name, ptl_error *err)
{
    if (!name) {
        /* Without a name: opens the only world; if there is no world, the only sweep. */
        uint64_t worlds = 0, sweeps = 0;
        ptl_status status = ops(out->store)->world->count(&worlds, out->store, err);
        THEN(status, ops(out->store)->sweep->count(&sweeps, out->store, err));
        if (status != PTL_OK)
            return status;
        if (worlds == 0 && sweeps == 0)
            return error_set(
                err, PTL_ERR_NOT_FOUND,
                "the file holds no world yet, and no sweep: make one with 'portolan new' "
                "or 'portolan sweep'");
        return worlds > 0 ? open_world(out, NULL, err) : open_sweep(out, NULL, err);
    }
    if (strncmp(name, "world:", 6) == 0)
        return open_world(out, name + 6, err);
    if (strncmp(name, "sweep:", 6) == 0)
        return open_sweep(out, name + 6, err);
    /* Opens the world with this name; if there is none, the sweep. */
    ptl_error no_world = {0}, no_sweep = {0};
    ptl_status status = open_world(out, name, &no_world);
    if (status == PTL_ERR_NOT_FOUND)
        status = open_sweep(out, name, &no_sweep);
    if (status == PTL_ERR_NOT_FOUND)
        return error_set(err, status, "%s; and %s", no_world.message, no_sweep.message);
    if (status != PTL_OK)
        return error_set(err, status, "%s",
                         no_sweep.message[0] ? no_sweep.message : no_world.message);
    return PTL_OK;
}

/* ---- what the public calls tell ---- */

static double chance(const ptl_sample *s, const cat_special *special, const cat_region *region)
{
    const uint32_t unique = PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE;
    return region && special->flags & unique ? special_chance(special, region, &s->options) : 0;
}

ptl_status sample_describe(ptl_sample *s, ptl_error *err)
{
    s->options = world_row_options(&s->settings);
    s->about = (ptl_sample_info){.size = sizeof s->about,
                                 .name = s->name,
                                 .settings = &s->options,
                                 .content = s->content,
                                 .generator_version = s->settings.generator_version,
                                 .is_sweep = s->is_sweep,
                                 .is_redefined = s->cat->content_id != s->settings.content_id,
                                 .definitions = s->cat->digest,
                                 .overmaps = s->overmaps,
                                 .left_out = s->left_out};
    const size_t count = s->cat->special_count;
    /* NULL if the file has other content by now, which lacks the world's region. */
    const cat_region *region = gen_region(s->cat, s->options.region);
    s->definitions = calloc(count + 1, sizeof *s->definitions);
    s->list = calloc(count + 1, sizeof *s->list);
    if (!s->definitions || !s->list)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++) {
        const cat_special *special = &s->cat->specials[i];
        s->definitions[i] = (ptl_sample_special){
            .size = sizeof(ptl_sample_special),
            .id = special->id,
            .occurrences_min = special->occurrences_min,
            .occurrences_max = special->occurrences_max,
            .is_unique = (special->flags & PTL_SPECIAL_UNIQUE) != 0,
            .is_globally_unique = (special->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) != 0,
            .is_building = special->building,
            .chance = chance(s, special, region)};
        s->list[i] = &s->definitions[i];
    }
    return PTL_OK;
}

ptl_status ptl_sample_open(ptl_sample **out, ptl_store *store, const char *name, ptl_error *err)
{
    error_clear(err);
    *out = NULL;
    ptl_sample *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    s->store = store;
    ptl_status status = open_any(s, name, err);
    THEN(status,
         ops(store)->content->load_for(&s->cat, store, s->settings.content_id, false, err));
    THEN(status, ops(store)->content->digest(s->content, store, s->settings.content_id, err));
    THEN(status, sample_describe(s, err));
    if (status == PTL_OK)
        *out = s;
    else
        ptl_sample_close(s);
    return status;
}

void ptl_sample_close(ptl_sample *s)
{
    if (!s)
        return;
    world_row_dispose(&s->settings);
    catalogue_free(s->cat);
    free(s->name);
    free(s->definitions);
    free(s->list);
    free(s);
}

const ptl_sample_info *ptl_sample_about(const ptl_sample *s)
{
    return &s->about;
}

const ptl_sample_special *const *ptl_sample_specials(size_t *count, const ptl_sample *s)
{
    *count = s->cat->special_count;
    return s->list;
}

const ptl_sample_special *ptl_sample_find(const ptl_sample *s, const char *id)
{
    const uint16_t index = catalogue_special(s->cat, id);
    return index == CAT_NONE ? NULL : s->list[index];
}

/* ---- adding up ---- */

typedef struct adding {
    ptl_tally *t;
    const ptl_sample *s;
    const ptl_sample_options *options;
    sample_reader *reader;
    summary summary;
    uint64_t done;
    bool more;
    /* Owned: the places of the only special wanted, from a sweep's summary. */
    summary_place *places;
    size_t place_room;
    ptl_status status; /* what a callback of a sweep returned, with err */
    ptl_error *err;
} adding;

static ptl_status add_overmap(adding *a, const summary *s, ptl_error *err)
{
    const int32_t radius = a->s->options.unique_radius;
    a->t->homes +=
        s->pos.x >= -radius && s->pos.x <= radius && s->pos.y >= -radius && s->pos.y <= radius;
    return tally_add(a->t, s, err);
}

/* Adds a few chunks in one transaction. */
static ptl_status add_some(adding *a, ptl_error *err)
{
    const double end = clock_seconds() + READ_SECONDS;
    bool own = false;
    ptl_status status = ops(a->s->store)->transaction->begin_snapshot(a->s->store, &own, err);
    if (status != PTL_OK)
        return status;
    while (status == PTL_OK && a->more) {
        sample_step step;
        status = sample_reader_next(&step, &a->summary, a->reader, err);
        a->more = step != SAMPLE_END;
        if (status == PTL_OK && step == SAMPLE_OVERMAP) {
            status = add_overmap(a, &a->summary, err);
            a->done++;
        }
        if (clock_seconds() >= end)
            break;
    }
    ops(a->s->store)->transaction->end_snapshot(a->s->store, own);
    return status;
}

static ptl_status report(const adding *a, ptl_error *err)
{
    const ptl_sample_options *o = a->options;
    const uint64_t total = a->s->overmaps > a->done ? a->s->overmaps : a->done;
    if (o->on_progress && !o->on_progress(o->payload, a->done, total))
        return error_set(err, PTL_ERR_CANCELLED, "stopped after %llu of %llu overmaps",
                         (unsigned long long)a->done, (unsigned long long)total);
    return PTL_OK;
}

static ptl_status add_world(adding *a, ptl_error *err)
{
    const ptl_sample_options *o = a->options;
    ptl_status status = sample_reader_new(&a->reader, a->s->store, a->s->cat, a->s->settings.id,
                                          o->parts, o->special, err);
    if (status == PTL_OK && o->within)
        sample_reader_within(a->reader, o->within);
    while (status == PTL_OK && a->more) {
        status = add_some(a, err);
        THEN(status, report(a, err));
    }
    summary_dispose(&a->summary);
    sample_reader_free(a->reader);
    return status;
}

/* ---- sweeps, which the store reads in short transactions, too ---- */

/* Keeps only the places of the special that is wanted. */
static bool choose_places(adding *a, summary *s)
{
    size_t count = 0;
    if (s->place_count > a->place_room) {
        summary_place *places = realloc(a->places, 2 * s->place_count * sizeof *places);
        if (!places)
            return false;
        a->places = places;
        a->place_room = 2 * s->place_count;
    }
    for (size_t i = 0; i < s->place_count; i++)
        if (strcmp(s->places[i].id, a->options->special) == 0)
            a->places[count++] = s->places[i];
    s->places = a->places;
    s->place_count = count;
    return true;
}

static bool add_visited(void *payload, uint64_t seed, const summary *found)
{
    adding *a = payload;
    summary s = *found; /* the reader keeps its lists */
    tally_seed(a->t, seed);
    a->status = !a->options->special || choose_places(a, &s) ? add_overmap(a, &s, a->err)
                                                             : error_nomem(a->err);
    if (a->status == PTL_OK && a->done++ % SWEEP_REPORT == 0)
        a->status = report(a, a->err);
    return a->status == PTL_OK;
}

static ptl_status add_sweep(adding *a, ptl_error *err)
{
    ptl_error local = {0}; /* "cancelled"; a->err says more */
    a->err = err;
    ptl_status status = ops(a->s->store)
                            ->sweep->chunk_visit(a->s->store, a->s->settings.id,
                                                 a->options->parts, add_visited, a, &local);
    free(a->places);
    if (a->status != PTL_OK)
        return a->status;
    if (status != PTL_OK)
        return error_set(err, status, "%s", local.message);
    return report(a, err);
}

static ptl_status add_all(ptl_tally *t, ptl_sample *s, const ptl_sample_options *options,
                          ptl_error *err)
{
    adding a = {.t = t, .s = s, .options = options, .more = true};
    if (options->parts & ~(uint32_t)PTL_COUNT_ALL)
        return error_set(err, PTL_ERR_ARGUMENT, "parts 0x%x are none of PTL_COUNT_...",
                         (unsigned)options->parts);
    if (options->within && s->is_sweep)
        return error_set(err, PTL_ERR_ARGUMENT, "overmaps of a sweep have no place");
    if (options->neighbour_count > 0 && options->special)
        return error_set(err, PTL_ERR_ARGUMENT, "neighbours of one special alone");
    if (!tally_init(t))
        return error_nomem(err);
    t->has_blocks |= s->has_blocks;
    tally_seed(t, 0);
    TRY(tally_pairs(t, options->neighbours, options->neighbour_count, err));
    TRY(tally_ripleys(t, options->ripley, options->ripley_count, err));
    TRY(s->is_sweep ? add_sweep(&a, err) : add_world(&a, err));
    return tally_finish(t, err);
}

ptl_status ptl_tally_add(ptl_tally *tally, ptl_sample *sample,
                         const ptl_sample_options *options, ptl_error *err)
{
    ptl_sample_options o = PTL_SAMPLE_OPTIONS_INIT;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_sample_options, &o, options, err);
    if (o.parts == 0)
        o.parts = PTL_COUNT_ALL;
    if (o.neighbour_count > 0 || o.ripley_count > 0)
        o.parts |= PTL_COUNT_PLACES | PTL_COUNT_BASELINE;
    return status == PTL_OK ? add_all(tally, sample, &o, err) : status;
}
