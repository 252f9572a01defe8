/*
 * Adds summaries up. Every number in a tally is a sum of whole numbers, so the order does not
 * matter; lists are sorted at the end. An overmap without a special, or a line, has no entry
 * for it: its observation of 0 is added at the end, too.
 */
#include "analysis/measure/tally_impl.h"

#include "core/array.h"
#include "core/error.h"
#include "core/whole.h"

#include <stdlib.h>

/* ---- ids and lists ---- */

bool tally_init(ptl_tally *t)
{
    if (t->own)
        return true;
    ptl_tally_own *p = calloc(1, sizeof *p);
    if (!p)
        return false;
    t->own = p;
    t->size = sizeof *t;
    strmap *maps[] = {&p->known, &p->specials.index, &p->terrains.index, &p->buildings.index,
                      &p->lines.index};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        strmap_init(maps[i]);
    p->ids = arena_new();
    if (p->ids)
        return true;
    tally_dispose(t);
    return false;
}

static void dispose_special(ptl_tally_special *s)
{
    ptl_hist *hists[] = {&s->per_overmap, &s->asked_per_overmap, &s->city, &s->road, &s->same,
                         &s->level,       &s->rotation};
    for (size_t i = 0; i < sizeof hists / sizeof hists[0]; i++)
        ptl_hist_dispose(hists[i]);
    for (size_t i = 0; i < PTL_OVERMAP_CLASSES; i++)
        ptl_hist_dispose(&s->classes[i].per_overmap);
    free(s->around);
    free(s);
}

void tally_dispose(ptl_tally *t)
{
    for (size_t i = 0; i < t->special_count; i++)
        dispose_special(t->specials[i]);
    for (size_t i = 0; i < t->terrain_count; i++)
        free(t->terrains[i]);
    for (size_t i = 0; i < t->building_count; i++)
        free(t->buildings[i]);
    for (size_t i = 0; i < t->line_count; i++) {
        ptl_hist_dispose(&t->lines[i]->cells);
        free(t->lines[i]);
    }
    for (size_t i = 0; i < PTL_TALLY_SIZES; i++)
        ptl_hist_dispose(&t->cities[i].buildings_per_city);
    ptl_hist *hists[] = {&t->cities_per_overmap, &t->lake_cells,  &t->river_cells,
                         &t->lake_share,         &t->river_share, &t->baseline_city,
                         &t->baseline_road};
    for (size_t i = 0; i < sizeof hists / sizeof hists[0]; i++)
        ptl_hist_dispose(hists[i]);
    tally_dispose_pairs(t);
    tally_dispose_ripleys(t);
    free(t->specials);
    free(t->terrains);
    free(t->buildings);
    free(t->lines);
    if (t->own) {
        strmap *maps[] = {&t->own->known, &t->own->specials.index, &t->own->terrains.index,
                          &t->own->buildings.index, &t->own->lines.index};
        for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
            strmap_dispose(maps[i]);
        arena_free(t->own->ids);
        free(t->own->texts);
        free(t->own->targets.spots);
        free(t->own->ground);
        free(t->own);
    }
    memset(t, 0, sizeof *t);
}

ptl_tally *ptl_tally_new(void)
{
    ptl_tally *t = calloc(1, sizeof *t);
    if (t && tally_init(t))
        return t;
    free(t);
    return NULL;
}

void ptl_tally_free(ptl_tally *t)
{
    if (t)
        tally_dispose(t);
    free(t);
}

const char *tally_keep_id(ptl_tally_own *p, const char *id)
{
    const uint32_t at = strmap_get(&p->known, id);
    if (at != STRMAP_NONE)
        return p->texts[at];
    if (!ARRAY_ROOM(p->texts, p->text_room, p->text_count + 1))
        return NULL;
    const char *copy = arena_strdup(p->ids, id);
    if (!copy || strmap_put(&p->known, copy, (uint32_t)p->text_count) != 0)
        return NULL;
    p->texts[p->text_count++] = copy;
    return copy;
}

/* Returns an id's entry in a list of pointers; a new one of `size` bytes is appended if
 * there is none. NULL when memory is out. */
static void *entry_of(ptl_tally_own *p, tally_list *l, void **list, size_t *count, size_t size,
                      const char *id)
{
    const uint32_t at = strmap_get(&l->index, id);
    if (at != STRMAP_NONE)
        return tally_entry_at(*list, at);
    const char *own = tally_keep_id(p, id);
    const bool has_room = own && array_grow(list, &l->room, *count + 1, sizeof(void *));
    void *entry = has_room ? calloc(1, size) : NULL;
    if (!entry || strmap_put(&l->index, own, (uint32_t)*count) != 0) {
        free(entry);
        return NULL;
    }
    const tally_entry head = {size, own};
    memcpy(entry, &head, sizeof head);
    memcpy((unsigned char *)*list + *count * sizeof entry, &entry, sizeof entry);
    (*count)++;
    return entry;
}

static ptl_tally_special *special_of(ptl_tally *t, const char *id)
{
    void *list = t->specials;
    ptl_tally_special *entry =
        entry_of(t->own, &t->own->specials, &list, &t->special_count, sizeof *entry, id);
    t->specials = list;
    return entry;
}

static ptl_tally_terrain *terrain_of(ptl_tally *t, const char *id)
{
    void *list = t->terrains;
    ptl_tally_terrain *entry =
        entry_of(t->own, &t->own->terrains, &list, &t->terrain_count, sizeof *entry, id);
    t->terrains = list;
    return entry;
}

/* ---- blocks and classes ---- */

void tally_seed(ptl_tally *t, uint64_t seed)
{
    t->own->seed = seed;
}

/* Returns the lot of an overmap, a share of the blocks by which the spread of sums is
 * estimated. Blocks that are neighbours, or of consecutive seeds, get different lots. */
static size_t lot_of(const ptl_tally *t, ptl_chunk_pos pos)
{
    const uint64_t x = (uint64_t)(int64_t)floor_div(pos.x, PTL_BLOCK_SIDE),
                   y = (uint64_t)(int64_t)floor_div(pos.y, PTL_BLOCK_SIDE);
    return (size_t)((x + 9 * y + t->own->seed) % PTL_TALLY_LOTS);
}

/* The lot and the classes that an overmap counts in. */
typedef struct kept_apart {
    size_t lot, classes[2], class_count;
} kept_apart;

static ptl_overmap_class city_class(const summary *s)
{
    enum { STEP = 4, MOST = 17 };
    int32_t largest = 1;
    for (size_t i = 0; i < s->city_count; i++)
        largest = s->cities[i].size > largest ? s->cities[i].size : largest;
    largest = largest < MOST ? largest : MOST;
    return s->city_count == 0 ? PTL_OVERMAP_NO_CITY
                              : (ptl_overmap_class)(PTL_OVERMAP_CITY_1 + (largest - 1) / STEP);
}

/* ---- specials ---- */

/* Returns the counter of the first test that left no origin. */
static uint64_t *failure_of(ptl_tally_failures *f, const summary_special *s)
{
    return s->ground == 0   ? &f->ground
           : s->linked == 0 ? &f->linked
           : s->city == 0   ? &f->city
           : s->room == 0   ? &f->room
           : s->failed > 0  ? &f->growth
                            : &f->other;
}

static bool add_special(ptl_tally *t, const summary_special *s, const kept_apart *k)
{
    ptl_tally_special *to = special_of(t, s->id);
    const int64_t present = (int64_t)s->placed + s->others;
    if (!to)
        return false;
    to->asked_overmaps += s->asked > 0;
    to->asked += (uint64_t)s->asked;
    to->placed += (uint64_t)s->placed;
    to->others += (uint64_t)s->others;
    if (s->placed < s->asked) {
        to->short_overmaps++;
        (*failure_of(&to->failures, s))++;
    }
    to->lots[k->lot] += (uint64_t)present;
    to->lots_with[k->lot] += present > 0;
    for (size_t i = 0; i < k->class_count; i++) {
        ptl_tally_class *of = &to->classes[k->classes[i]];
        of->lots[k->lot] += (uint64_t)present;
        of->lots_with[k->lot] += present > 0;
        if (!hist_add(&of->per_overmap, present, 1))
            return false;
    }
    return hist_add(&to->per_overmap, present, 1) &&
           hist_add(&to->asked_per_overmap, s->asked, 1);
}

/* Counts a special with this terrain around it. */
static bool add_around(ptl_tally *t, ptl_tally_special *s, const char *id)
{
    for (size_t i = 0; i < s->around_count; i++)
        if (strcmp(s->around[i].id, id) == 0) {
            s->around[i].count++;
            return true;
        }
    const char *own = tally_keep_id(t->own, id);
    ptl_tally_count *list = realloc(s->around, (s->around_count + 1) * sizeof *list);
    if (list)
        s->around = list;
    if (!own || !list)
        return false;
    list[s->around_count++] = (ptl_tally_count){own, 1};
    return true;
}

static bool add_place(ptl_tally *t, const summary_place *p)
{
    ptl_tally_special *to = special_of(t, p->id);
    return to && hist_add(&to->city, p->city, 1) && hist_add(&to->road, p->road, 1) &&
           hist_add(&to->same, p->same, 1) && hist_add(&to->level, p->z - PTL_Z_MIN, 1) &&
           hist_add(&to->rotation, p->rotation, 1) &&
           (p->around[0] == '\0' || add_around(t, to, p->around));
}

/* ---- the other lists ---- */

static bool add_terrains(ptl_tally *t, const summary *s, size_t lot)
{
    for (size_t i = 0, end; i < s->terrain_count; i = end) {
        for (end = i + 1; end < s->terrain_count; end++)
            if (s->terrains[end].id != s->terrains[i].id &&
                strcmp(s->terrains[end].id, s->terrains[i].id) != 0)
                break;
        /* Entries first .. end - 1 of the summary belong to one terrain. */
        const summary_terrain *list = s->terrains + i;
        const size_t count = end - i;
        ptl_tally_terrain *to = terrain_of(t, list[0].id);
        int64_t cells = 0;
        if (!to)
            return false;
        for (size_t j = 0; j < count; j++) {
            cells += list[j].cells;
            to->cells_at[list[j].z - PTL_Z_MIN] += (uint64_t)list[j].cells;
        }
        to->cells += (uint64_t)cells;
        to->lots[lot] += (uint64_t)cells;
        to->overmaps++;
        to->square_sum += (double)(cells * cells);
    }
    return true;
}

static size_t size_class(int32_t size)
{
    return size < 0 ? 0 : size < PTL_TALLY_SIZES ? (size_t)size : PTL_TALLY_SIZES - 1;
}

/* Adds a building. is_first: it is the overmap's first entry of this building. */
static bool add_building(ptl_tally *t, const summary_building *b, bool is_first)
{
    void *list = t->buildings;
    ptl_tally_building *to =
        entry_of(t->own, &t->own->buildings, &list, &t->building_count, sizeof *to, b->id);
    t->buildings = list;
    if (!to)
        return false;
    if (to->count == 0 || b->distance_min < to->distance_min)
        to->distance_min = b->distance_min;
    if (b->distance_max > to->distance_max)
        to->distance_max = b->distance_max;
    to->count += (uint64_t)b->count;
    to->overmaps += is_first;
    to->distance_sum += (uint64_t)b->distance_sum;
    to->by_size[size_class(b->size)] += (uint64_t)b->count;
    return true;
}

static bool add_cities(ptl_tally *t, const summary *s)
{
    const size_t lot = lot_of(t, s->pos);
    t->city_lots[lot] += s->city_count;
    if (!hist_add(&t->cities_per_overmap, (int64_t)s->city_count, 1))
        return false;
    for (size_t i = 0; i < s->city_count; i++) {
        ptl_tally_city_size *to = &t->cities[size_class(s->cities[i].size)];
        to->cities++;
        to->buildings += (uint64_t)s->cities[i].buildings;
        t->building_lots[lot] += (uint64_t)s->cities[i].buildings;
        if (!hist_add(&to->buildings_per_city, s->cities[i].buildings, 1))
            return false;
    }
    for (size_t i = 0; i < s->building_count; i++)
        if (!add_building(t, &s->buildings[i],
                          i == 0 || strcmp(s->buildings[i].id, s->buildings[i - 1].id) != 0))
            return false;
    return true;
}

static bool add_waters(ptl_tally *t, const summary *s)
{
    int64_t lake = 0, river = 0;
    for (size_t i = 0; i < s->water_count; i++) {
        const bool is_lake = s->waters[i].kind == SUMMARY_LAKE;
        *(is_lake ? &lake : &river) += s->waters[i].cells;
        if (!hist_add(is_lake ? &t->lake_cells : &t->river_cells, s->waters[i].cells, 1))
            return false;
    }
    return hist_add(&t->lake_share, lake * 1000 / PTL_LEVEL_CELLS, 1) &&
           hist_add(&t->river_share, river * 1000 / PTL_LEVEL_CELLS, 1);
}

static bool add_distances(ptl_hist *h, const int32_t cells[SUMMARY_FAR + 2])
{
    h->none += (uint64_t)cells[SUMMARY_FAR + 1];
    for (int64_t d = 0; d <= SUMMARY_FAR; d++)
        if (cells[d] > 0 && !hist_add(h, d, (uint64_t)cells[d]))
            return false;
    return true;
}

/* ---- all of it ---- */

static bool add_lists(ptl_tally *t, const summary *s)
{
    /* The lot and classes that the overmap counts in. */
    const uint32_t needed = PTL_COUNT_WATERS | PTL_COUNT_CITIES;
    kept_apart k = {.lot = lot_of(t, s->pos)};
    bool lake = false;
    for (size_t i = 0; i < s->water_count; i++)
        lake |= s->waters[i].kind == SUMMARY_LAKE;
    if ((s->parts & needed) == needed) {
        k.classes[0] = lake ? PTL_OVERMAP_LAKE : PTL_OVERMAP_NO_LAKE;
        k.classes[1] = city_class(s);
        k.class_count = 2;
    }
    t->lots[k.lot]++;
    for (size_t i = 0; i < k.class_count; i++)
        t->class_lots[k.classes[i]][k.lot]++;
    bool enough = true;
    for (size_t i = 0; enough && i < s->special_count; i++)
        enough = add_special(t, &s->specials[i], &k);
    for (size_t i = 0; enough && i < s->place_count; i++)
        enough = add_place(t, &s->places[i]);
    for (size_t i = 0; enough && i < s->line_count; i++) {
        const char *id = s->lines[i].id;
        void *list = t->lines;
        ptl_tally_line *line =
            entry_of(t->own, &t->own->lines, &list, &t->line_count, sizeof *line, id);
        t->lines = list;
        enough = line && hist_add(&line->cells, s->lines[i].cells, 1);
        if (enough)
            line->lots[k.lot] += (uint64_t)s->lines[i].cells;
    }
    return enough && add_terrains(t, s, k.lot);
}

ptl_status tally_add(ptl_tally *t, const summary *s, ptl_error *err)
{
    t->parts = t->overmaps == 0 ? s->parts : t->parts & s->parts;
    t->overmaps++;
    const bool enough = add_lists(t, s) && tally_add_neighbours(t, s) &&
                        (!(s->parts & PTL_COUNT_CITIES) || add_cities(t, s)) &&
                        (!(s->parts & PTL_COUNT_WATERS) || add_waters(t, s)) &&
                        (!(s->parts & PTL_COUNT_BASELINE) ||
                         (add_distances(&t->baseline_city, s->baseline.city) &&
                          add_distances(&t->baseline_road, s->baseline.road)));
    return enough ? tally_add_ripleys(t, s, err) : error_nomem(err);
}
