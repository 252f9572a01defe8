/*
 * Samples: finds the world or sweep that a name means, and adds up all its overmaps. A world is
 * read in transactions of a few chunks each, so that no writer waits long. Of each chunk only
 * the parts that are wanted are decoded, and their checksums are verified.
 */
#include "analysis/sample/sample.h"

#include "analysis/measure/measure.h"
#include "core/array.h"
#include "core/sized.h"
#include "gen/pipeline.h"
#include "gen/specials/rules.h"
#include "os/clock.h"
#include "world/world.h"

#include <stdlib.h>

enum {
    /* Progress is reported each time that so many overmaps of a sweep were read. */
    SWEEP_REPORT = 64,
    ALL_LEVELS = (1 << PTL_LEVELS) - 1,
    GROUND = 1 << -PTL_Z_MIN /* the bit of level 0 in a set of levels */
};
/* A transaction ends once it has read for this number of seconds. */
static const double READ_SECONDS = 0.025;

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
        /* Without a name the only world of the file is opened, or the only sweep if the file
         * has no world. */
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

/* ---- describing the sample for the public calls ---- */

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
    /* NULL: the catalogue has another content than that with which the world was made, and it
     * lacks the world's region. */
    const cat_region *region = gen_region(s->cat, s->options.region);
    s->definitions = calloc(count + 1, sizeof *s->definitions);
    s->list = calloc(count + 1, sizeof *s->list);
    if (!s->definitions || !s->list)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++) {
        const cat_special *special = &s->cat->specials[i];
        const bool unique = special->flags & (PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE);
        s->definitions[i] = (ptl_sample_special){
            .size = sizeof(ptl_sample_special),
            .id = special->id,
            .occurrences_min = special->occurrences_min,
            .occurrences_max = special->occurrences_max,
            .is_unique = (special->flags & PTL_SPECIAL_UNIQUE) != 0,
            .is_globally_unique = (special->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) != 0,
            .is_building = special->building,
            .chance = region && unique ? special_chance(special, region, &s->options) : 0};
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

/* The state of adding up a sample. */
typedef struct adding {
    ptl_tally *t;
    const ptl_sample *s;
    const ptl_sample_options *o;
    uint64_t done; /* number of overmaps that were added so far */

    /* For a world: the place of the last chunk that was read, and whether there may be more
     * chunks. */
    ptl_chunk_pos last;
    bool more;
    /*
     * The sample's content, with further specials and buildings. Stored chunks that were made
     * with other content name these, but the sample's content lacks them. The added specials
     * have only an id, so that they can be counted like others. Look-ups by id find only the
     * specials of the content itself. (Terrains of other contents are in the catalogue
     * already: content_operations.load_for.)
     */
    catalogue cat;
    cat_special *specials; /* owned; cat.specials points to this array */
    size_t special_room;
    strmap added; /* gives for each added id its index in cat.specials */
    arena *ids;
    /* Measures overmaps with the catalogue `cat`; NULL: not made yet, or specials were added to
     * `cat` since it was made. */
    measurer *measurer;
    feature_set set;
    gen_features features;
    ptl_chunk *chunk;
    summary summary;

    /* Owned; used for sweeps only. If the places of only one special are wanted, they are
     * copied from a summary to this array. */
    summary_place *places;
    size_t place_room;
    ptl_status status; /* the error for which a callback stopped the reading, with its message
                          in err; PTL_OK: no callback has stopped it */
    ptl_error *err;
} adding;

static ptl_status add_overmap(adding *a, const summary *s, ptl_error *err)
{
    const int32_t radius = a->s->options.unique_radius;
    a->t->homes +=
        s->pos.x >= -radius && s->pos.x <= radius && s->pos.y >= -radius && s->pos.y <= radius;
    a->done++;
    return tally_add(a->t, s, err);
}

static ptl_status report(const adding *a, ptl_error *err)
{
    const uint64_t total = a->s->overmaps > a->done ? a->s->overmaps : a->done;
    if (a->o->on_progress && !a->o->on_progress(a->o->payload, a->done, total))
        return error_set(err, PTL_ERR_CANCELLED, "stopped after %llu of %llu overmaps",
                         (unsigned long long)a->done, (unsigned long long)total);
    return PTL_OK;
}

/* ---- a world: reading features ---- */

/* Sets *out to a special's index in a->cat.specials. An id that is not there yet is copied and
 * added to this table. */
static ptl_status find_special(uint16_t *out, adding *a, const char *id, bool building,
                               ptl_error *err)
{
    const size_t count = a->cat.special_count;
    *out = catalogue_special(a->s->cat, id);
    const uint32_t known = *out != CAT_NONE ? *out : strmap_get(&a->added, id);
    if (known != STRMAP_NONE) {
        *out = (uint16_t)known;
        return PTL_OK;
    }
    if (count >= CAT_NONE)
        return error_set(err, PTL_ERR_LIMIT,
                         "the world names more than %d different ids beside the content's",
                         CAT_NONE);
    const char *own = arena_strdup(a->ids, id);
    if (!own || !ARRAY_ROOM(a->specials, a->special_room, count + 1) ||
        strmap_put(&a->added, own, (uint32_t)count) != 0)
        return error_nomem(err);
    a->specials[count] = (cat_special){.id = own, .building = building};
    a->cat.specials = a->specials;
    a->cat.special_count++;
    *out = (uint16_t)count;
    measurer_free(a->measurer);
    a->measurer = NULL;
    return PTL_OK;
}

/* The features of one kind in the present chunk refer to specials by their ids. Finds for each
 * of these ids the number of the special in a->cat. *out is new; NULL if the list is empty. */
static ptl_status find_specials(uint16_t **out, adding *a, pack_kind kind, bool building,
                                ptl_error *err)
{
    const size_t count = a->set.tables[kind].name_count;
    ptl_status status = PTL_OK;
    *out = NULL;
    if (a->set.tables[kind].count == 0)
        return PTL_OK;
    *out = malloc(count * sizeof **out);
    if (!*out)
        return error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = find_special(&(*out)[i], a, a->set.names[kind][i], building, err);
    return status;
}

static ptl_status add_attempts(adding *a, ptl_error *err)
{
    const pack_table *t = &a->set.tables[PACK_ATTEMPTS];
    uint16_t *specials;
    ptl_status status = find_specials(&specials, a, PACK_ATTEMPTS, false, err);
    for (size_t i = 0; i < t->count && status == PTL_OK; i++) {
        gen_attempt *attempt = features_add_attempt(&a->features);
        if (!attempt) {
            status = error_nomem(err);
            break;
        }
        attempt->special = specials[t->columns[ATTEMPT_SPECIAL][i]];
        pack_take_members(attempt, t, PACK_ATTEMPTS, i);
    }
    free(specials);
    return status;
}

static ptl_status read_features(adding *a, const stored_chunk *chunk, ptl_error *err)
{
    features_reset(&a->features);
    if (!(a->o->parts &
          (PTL_COUNT_SPECIALS | PTL_COUNT_PLACES | PTL_COUNT_CITIES | PTL_COUNT_BASELINE)))
        return PTL_OK;
    TRY(ops(chunk->store)->chunk->stored_features_read(&a->set, chunk, err));
    for (size_t i = 0; i < a->set.rows.city_count; i++) {
        gen_city *city = features_add_city(&a->features);
        if (!city)
            return error_nomem(err);
        *city = a->set.rows.cities[i];
    }
    if (a->o->parts & (PTL_COUNT_SPECIALS | PTL_COUNT_PLACES)) {
        for (size_t i = 0; i < a->set.specials.count; i++) {
            const special_row *row = &a->set.specials.list[i];
            gen_placement *p = features_add_placement(&a->features);
            if (!p)
                return error_nomem(err);
            *p = row->placement;
            TRY(find_special(&p->special, a, row->id, false, err));
        }
    }
    if (a->o->parts & PTL_COUNT_PLACES) {
        /* Adds the pieces. Only the places of pieces matter here, not which piece of its
         * special each one is. A piece states the special that it belongs to by the special's
         * number in the chunk. This number is also an index into a->features.placements,
         * because that list begins with the specials, in the same order. */
        const pack_table *t = &a->set.tables[PACK_PIECES];
        for (size_t i = 0; i < t->count; i++) {
            gen_piece *p = features_add_piece(&a->features);
            if (!p)
                return error_nomem(err);
            pack_take_members(p, t, PACK_PIECES, i);
            p->placement = t->columns[PIECE_PLACEMENT][i];
        }
    }
    if (a->o->parts & PTL_COUNT_SPECIALS)
        TRY(add_attempts(a, err));
    if (!(a->o->parts & PTL_COUNT_CITIES))
        return PTL_OK;
    uint16_t *buildings;
    ptl_status status = find_specials(&buildings, a, PACK_PLACEMENTS, true, err);
    THEN(status, feature_set_add(&a->features, &a->set, PACK_PLACEMENTS, buildings, err));
    free(buildings);
    return status;
}

/* ---- a world: reading cells ---- */

/* Returns the levels that have to be read for the wanted parts of the sample, as bits. */
static uint32_t wanted_levels(const adding *a)
{
    uint32_t levels = 0;
    if (a->o->parts & (PTL_COUNT_TERRAINS | PTL_COUNT_LINES))
        return ALL_LEVELS;
    if (a->o->parts & (PTL_COUNT_WATERS | PTL_COUNT_BASELINE))
        levels = GROUND;
    for (size_t i = 0; a->o->parts & PTL_COUNT_PLACES && i < a->features.placement_count; i++) {
        const gen_placement *p = &a->features.placements[i];
        const cat_special *special = &a->cat.specials[p->special];
        if (!special->building && (!a->o->special || strcmp(a->o->special, special->id) == 0))
            levels |= GROUND | UINT32_C(1) << (p->z - PTL_Z_MIN);
    }
    return levels;
}

static ptl_status read_overmap(adding *a, const stored_chunk *chunk, ptl_error *err)
{
    uint16_t special = CAT_NONE;
    TRY(read_features(a, chunk, err));
    const uint32_t levels = wanted_levels(a);
    a->chunk->pos = chunk->info.pos;
    if (levels)
        TRY(ops(chunk->store)
                ->chunk->stored_levels_read(a->chunk, chunk, levels, a->s->cat, err));
    if (a->o->special)
        TRY(find_special(&special, a, a->o->special, false, err));
    if (!a->measurer)
        a->measurer = measurer_new(&a->cat);
    if (!a->measurer)
        return error_nomem(err);
    measurer_footprints(a->measurer, chunk->info.content_id == a->s->cat->content_id);
    measurer_only(a->measurer, special);
    return measure(&a->summary, a->measurer, a->chunk, &a->features, a->o->parts, err);
}

/* Adds a chunk, unless it was imported, is incomplete or lies outside the wanted area. */
static ptl_status visit(void *payload, const stored_chunk *chunk, ptl_error *err)
{
    adding *a = payload;
    const chunk_info *info = &chunk->info;
    const ptl_chunk_pos pos = info->pos, *within = a->o->within;
    a->more = true;
    if (info->imported || info->last_step[0] ||
        (within && (pos.x < within[0].x || pos.x > within[1].x || pos.y < within[0].y ||
                    pos.y > within[1].y)))
        return PTL_OK;
    const ptl_status status = read_overmap(a, chunk, err);
    return status == PTL_OK ? add_overmap(a, &a->summary, err)
                            : error_prefix(err, status, "chunk %d,%d", pos.x, pos.y);
}

/* Adds a few chunks in one transaction. */
static ptl_status add_some(adding *a, ptl_error *err)
{
    ptl_store *store = a->s->store;
    const double end = clock_seconds() + READ_SECONDS;
    bool own = false;
    TRY(ops(store)->transaction->begin_snapshot(store, &own, err));
    ptl_status status = PTL_OK;
    do {
        a->more = false;
        status =
            ops(store)->chunk->visit_next(&a->last, store, a->s->settings.id, visit, a, err);
    } while (status == PTL_OK && a->more && clock_seconds() < end);
    ops(store)->transaction->end_snapshot(store, own);
    return status;
}

static ptl_status add_world(adding *a, ptl_error *err)
{
    const size_t specials = a->s->cat->special_count;
    a->last = (ptl_chunk_pos){INT32_MIN, INT32_MIN};
    a->cat = *a->s->cat;
    strmap_init(&a->added);
    a->ids = arena_new();
    a->chunk = chunk_new((ptl_chunk_pos){0, 0});
    ptl_status status =
        a->ids && a->chunk && ARRAY_ROOM(a->specials, a->special_room, specials + 1)
            ? PTL_OK
            : error_nomem(err);
    if (status == PTL_OK && specials > 0)
        memcpy(a->specials, a->s->cat->specials, specials * sizeof *a->specials);
    do {
        THEN(status, add_some(a, err));
        THEN(status, report(a, err));
    } while (status == PTL_OK && a->more);
    summary_dispose(&a->summary);
    /* The features are freed before `set`, because the texts of features.cities belong to
     * `set`. */
    features_dispose(&a->features);
    feature_set_dispose(&a->set);
    measurer_free(a->measurer);
    ptl_chunk_free(a->chunk);
    strmap_dispose(&a->added);
    arena_free(a->ids);
    free(a->specials);
    return status;
}

/* ---- sweeps, which the store reads in short transactions as well ---- */

/* Keeps only the places of the special that is wanted. */
static bool choose_places(adding *a, summary *s)
{
    size_t count = 0;
    if (!ARRAY_ROOM(a->places, a->place_room, s->place_count))
        return false;
    for (size_t i = 0; i < s->place_count; i++)
        if (strcmp(s->places[i].id, a->o->special) == 0)
            a->places[count++] = s->places[i];
    s->places = a->places;
    s->place_count = count;
    return true;
}

static bool add_visited(void *payload, uint64_t seed, const summary *found)
{
    adding *a = payload;
    /* `s` can be changed, while the lists in *found belong to the reader. */
    summary s = *found;
    tally_seed(a->t, seed);
    a->status = !a->o->special || choose_places(a, &s) ? add_overmap(a, &s, a->err)
                                                       : error_nomem(a->err);
    if (a->status == PTL_OK && a->done % SWEEP_REPORT == 1)
        a->status = report(a, a->err);
    return a->status == PTL_OK;
}

static ptl_status add_sweep(adding *a, ptl_error *err)
{
    /* If a callback fails, the call below reports only that it was cancelled; a->err has the
     * reason. */
    ptl_error local = {0};
    a->err = err;
    ptl_status status = ops(a->s->store)
                            ->sweep->chunk_visit(a->s->store, a->s->settings.id, a->o->parts,
                                                 add_visited, a, &local);
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
    adding a = {.t = t, .s = s, .o = options};
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
