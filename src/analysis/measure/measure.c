/*
 * The measurer, and the parts of a summary that need no cells: specials, cities, buildings.
 */
#include "analysis/measure/measure_impl.h"

#include <stdlib.h>
#include <string.h>

/* ---- the measurer ---- */

typedef struct named {
    const char *id;
    uint16_t index;
} named;

static int by_id(const void *a, const void *b)
{
    const named *p = a, *q = b;
    return strcmp(p->id, q->id);
}

/* Ranks a table by id. A catalogue's tables are sorted, but specials may have been appended
 * (sample_read.c). */
static void rank(uint16_t *order, uint16_t *rank_of, named *list, size_t count)
{
    qsort(list, count, sizeof *list, by_id);
    for (size_t i = 0; i < count; i++) {
        order[i] = list[i].index;
        rank_of[list[i].index] = (uint16_t)i;
    }
}

bool measure_is_road(const catalogue *cat, uint16_t terrain)
{
    const uint16_t road = catalogue_connection(cat, "local_road");
    if (cat->terrains[terrain].flags & CAT_FLAG_ROAD)
        return true;
    return road != CAT_NONE && cat_terrain_in(cat->connections[road].terrains, terrain);
}

static uint8_t kind_of(const catalogue *cat, uint16_t terrain)
{
    const uint32_t flags = cat->terrains[terrain].flags, lake = CAT_FLAGS_STILL;
    const int water = flags & lake ? KIND_LAKE : flags & CAT_FLAG_RIVER ? KIND_RIVER : 0;
    return (uint8_t)(water | (measure_is_road(cat, terrain) ? KIND_ROAD : 0));
}

/* Ranks the catalogue's specials and terrains by id, and finds what kind of cell each oter
 * is. */
static bool read_catalogue(measurer *m)
{
    const catalogue *cat = m->cat;
    const size_t most = cat->special_count > catalogue_all_terrains(cat)
                            ? cat->special_count
                            : catalogue_all_terrains(cat);
    named *list = calloc(most + 1, sizeof *list);
    uint16_t *rank_of = calloc(catalogue_all_terrains(cat) + 1, sizeof *rank_of);
    uint8_t *kinds = calloc(catalogue_all_terrains(cat) + 1, sizeof *kinds);
    const bool enough = list && rank_of && kinds;
    if (enough) {
        for (size_t i = 0; i < cat->special_count; i++)
            list[i] = (named){cat->specials[i].id, (uint16_t)i};
        rank(m->specials, m->rank_of_special, list, cat->special_count);
        for (size_t i = 0; i < catalogue_all_terrains(cat); i++) {
            list[i] = (named){cat->terrains[i].id, (uint16_t)i};
            kinds[i] = kind_of(cat, (uint16_t)i);
        }
        rank(m->terrains, rank_of, list, catalogue_all_terrains(cat));
        for (size_t i = 0; i < catalogue_all_oters(cat); i++) {
            m->rank_of_oter[i] = rank_of[cat->oters[i].terrain];
            m->kind_of_oter[i] = kinds[cat->oters[i].terrain];
        }
    }
    free(list);
    free(rank_of);
    free(kinds);
    return enough;
}

measurer *measurer_new(const catalogue *cat)
{
    const size_t specials = cat->special_count + 1, terrains = catalogue_all_terrains(cat) + 1;
    const size_t oters = catalogue_all_oters(cat) + 1;
    measurer *m = calloc(1, sizeof *m);
    arena *const a = m ? arena_new() : NULL;
    if (!a) {
        free(m);
        return NULL;
    }
    *m = (measurer){.memory = a,
                    .cat = cat,
                    .special = CAT_NONE,
                    .footprints = true,
                    .specials = arena_calloc(a, specials, sizeof *m->specials),
                    .terrains = arena_calloc(a, terrains, sizeof *m->terrains),
                    .rank_of_special = arena_calloc(a, specials, sizeof *m->rank_of_special),
                    .rank_of_oter = arena_calloc(a, oters, sizeof *m->rank_of_oter),
                    .kind_of_oter = arena_calloc(a, oters, sizeof *m->kind_of_oter),
                    .cells = arena_calloc(a, terrains, sizeof *m->cells),
                    .cells_levels = arena_calloc(a, terrains, sizeof *m->cells_levels),
                    .first = arena_calloc(a, specials, sizeof *m->first),
                    .votes = arena_calloc(a, terrains, sizeof *m->votes)};
    if (!m->specials || !m->terrains || !m->rank_of_special || !m->rank_of_oter ||
        !m->kind_of_oter || !m->cells || !m->cells_levels || !m->first || !m->votes ||
        !read_catalogue(m)) {
        measurer_free(m);
        return NULL;
    }
    for (size_t i = 0; i < specials; i++)
        m->first[i] = -1;
    return m;
}

void measurer_free(measurer *m)
{
    if (!m)
        return;
    distance_cities_dispose(&m->cities);
    arena_free(m->memory);
    free(m->list);
    free(m);
}

void measurer_only(measurer *m, uint16_t special)
{
    m->special = special;
}

void measurer_footprints(measurer *m, bool known)
{
    m->footprints = known;
}

void *measurer_list(measurer *m, size_t count, size_t size)
{
    const size_t wanted = (count + 1) * size;
    if (wanted > m->list_size) {
        void *list = malloc(2 * wanted);
        if (!list)
            return NULL;
        free(m->list);
        m->list = list;
        m->list_size = 2 * wanted;
    }
    return m->list;
}

/* ---- specials ---- */

/* Returns a special's entry in the list that is being made; m->first tells where it is. */
static summary_special *special_entry(const measuring *in, summary_special *list, size_t *count,
                                      uint16_t special)
{
    int32_t *first = &in->m->first[in->m->rank_of_special[special]];
    if (*first < 0) {
        *first = (int32_t)*count;
        list[(*count)++] = (summary_special){.id = in->m->cat->specials[special].id};
    }
    return &list[*first];
}

/* This and the other measure_ functions each fill some lists of the summary; false when
 * memory is out. */
static bool measure_specials(const measuring *in)
{
    measurer *m = in->m;
    summary *out = in->out;
    const size_t most = in->features->attempt_count + in->features->placement_count;
    summary_special *list = measurer_list(m, most, sizeof *list);
    if (!list)
        return false;
    memset(list, 0, most * sizeof *list);
    const gen_features *f = in->features;
    size_t count = 0;
    for (size_t i = 0; i < f->attempt_count; i++) {
        const gen_attempt *a = &f->attempts[i];
        summary_special *entry = special_entry(in, list, &count, a->special);
        entry->asked += a->asked;
        entry->ground = a->ground;
        entry->linked = a->linked;
        entry->city = a->city;
        entry->room = a->room;
        entry->failed += a->failed;
        entry->placed += a->placed;
    }
    for (size_t i = 0; i < f->placement_count; i++)
        if (!in->m->cat->specials[f->placements[i].special].building)
            special_entry(in, list, &count, f->placements[i].special)->others++;
    for (size_t i = 0; i < count; i++) /* all that stand, less those placed by the rule */
        list[i].others = list[i].others > list[i].placed ? list[i].others - list[i].placed : 0;
    out->specials = arena_calloc(out->memory, count + 1, sizeof *out->specials);
    if (out->specials)
        for (size_t i = 0; i < m->cat->special_count; i++)
            if (m->first[i] >= 0)
                out->specials[out->special_count++] = list[m->first[i]];
    for (size_t i = 0; i < m->cat->special_count; i++)
        m->first[i] = -1;
    return out->specials != NULL;
}

/* ---- cities and buildings ---- */

/* The buildings of one kind in cities of one size. next: the group of this kind for another
 * size. */
typedef struct building_group {
    summary_building sum;
    uint16_t rank;
    int32_t next;
} building_group;

static int by_rank_and_size(const void *a, const void *b)
{
    const building_group *p = a, *q = b;
    return p->rank != q->rank ? (p->rank < q->rank ? -1 : 1) : p->sum.size - q->sum.size;
}

/* Groups the buildings by kind and size of their city. m->first leads to a kind's groups,
 * and is -1 everywhere afterwards. Returns the number of groups. */
static size_t collect_buildings(const measuring *in, building_group *list)
{
    const gen_features *f = in->features;
    size_t count = 0;
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        if (!in->m->cat->specials[p->special].building || p->city < 0 ||
            (size_t)p->city >= f->city_count)
            continue;
        const gen_city *city = &f->cities[p->city];
        const int32_t dx = p->x - city->x, dy = p->y - city->y;
        const int16_t size = city->size;
        const uint16_t r = in->m->rank_of_special[p->special];
        int32_t at = in->m->first[r];
        while (at >= 0 && list[at].sum.size != size)
            at = list[at].next;
        if (at < 0) {
            at = (int32_t)count++;
            const summary_building sum = {.id = in->m->cat->specials[p->special].id,
                                          .size = size};
            list[at] = (building_group){.sum = sum, .rank = r, .next = in->m->first[r]};
            in->m->first[r] = at;
        }
        building_group *group = &list[at];
        summary_building *sum = &group->sum;
        const int32_t distance = whole_root(dx * dx + dy * dy);
        const int16_t d = (int16_t)distance;
        sum->distance_min = sum->count == 0 || d < sum->distance_min ? d : sum->distance_min;
        sum->distance_max = d > sum->distance_max ? d : sum->distance_max;
        sum->distance_sum += distance;
        sum->count++;
        in->out->cities[p->city].buildings++;
    }
    for (size_t i = 0; i < count; i++)
        in->m->first[list[i].rank] = -1;
    return count;
}

static bool measure_cities(const measuring *in)
{
    const gen_features *f = in->features;
    summary *out = in->out;
    building_group *list = measurer_list(in->m, f->placement_count, sizeof *list);
    out->cities = arena_calloc(out->memory, f->city_count + 1, sizeof *out->cities);
    if (!list || !out->cities)
        return false;
    for (size_t i = 0; i < f->city_count; i++)
        out->cities[i] =
            (summary_city){.x = f->cities[i].x, .y = f->cities[i].y, .size = f->cities[i].size};
    out->city_count = f->city_count;
    const size_t count = collect_buildings(in, list);
    out->buildings = arena_calloc(out->memory, count + 1, sizeof *out->buildings);
    if (!out->buildings)
        return false;
    qsort(list, count, sizeof *list, by_rank_and_size);
    for (size_t i = 0; i < count; i++)
        out->buildings[i] = list[i].sum;
    out->building_count = count;
    return true;
}

/* ---- all of it ---- */

static bool measure_parts(const measuring *in, uint32_t parts)
{
    return (!(parts & PTL_COUNT_SPECIALS) || measure_specials(in)) &&
           (!(parts & PTL_COUNT_CITIES) || measure_cities(in)) &&
           (!(parts & (PTL_COUNT_PLACES | PTL_COUNT_BASELINE)) ||
            distance_cities_set(&in->m->cities, in->features)) &&
           (!(parts & PTL_COUNT_PLACES) || measure_places(in)) &&
           (!(parts & (PTL_COUNT_TERRAINS | PTL_COUNT_LINES)) || measure_cells(in, parts)) &&
           (!(parts & PTL_COUNT_WATERS) || measure_waters(in)) &&
           (!(parts & PTL_COUNT_BASELINE) || measure_baseline(in));
}

ptl_status measure(summary *out, measurer *m, const ptl_chunk *chunk,
                   const gen_features *features, uint32_t parts, ptl_error *err)
{
    summary_dispose(out);
    const measuring in = {m, chunk, features, out};
    m->knows_kinds = m->knows_road = false;
    out->parts = parts;
    if (chunk)
        out->pos = chunk->pos;
    out->memory = arena_new();
    if (!out->memory || !measure_parts(&in, parts)) {
        summary_dispose(out);
        return error_nomem(err);
    }
    return PTL_OK;
}
