/*
 * Adds up summaries. Every number in a tally is a sum of whole numbers, so the order of adding
 * does not matter; lists are sorted at the end. A summary says nothing about specials and
 * connections that its overmap lacks. At the end each special or connection gets an observation
 * of the value 0 for every overmap that lacks it.
 */
#include "analysis/measure/tally.h"

#include "analysis/measure/measure_distance.h"
#include "analysis/measure/tally_impl.h"
#include "core/array.h"
#include "core/error.h"
#include "core/whole.h"

#include <stdlib.h>

/* ---- histograms ---- */

/*
 * Histograms of whole numbers, and what is computed from them. Counts are exact. Means and
 * variances are computed in the order of the values, so they do not depend on the order of
 * adding.
 */
enum { HIST_LEAST = 8 };

/* Adds `times` observations of a value; the histogram grows if necessary. False when memory is
 * out. */
static bool hist_add(ptl_hist *h, int64_t value, uint64_t times)
{
    if (value < 0) {
        h->none += times;
        return true;
    }
    size_t size = h->size ? h->size : HIST_LEAST;
    /* The histogram's size is a power of two. So it depends only on the largest value, not on
     * the order in which the values come. */
    while (size <= (size_t)value)
        size *= 2;
    if (size != h->size) {
        uint64_t *counts = realloc(h->counts, size * sizeof *counts);
        if (!counts)
            return false;
        memset(counts + h->size, 0, (size - h->size) * sizeof *counts);
        h->counts = counts;
        h->size = size;
    }
    h->counts[value] += times;
    return true;
}

/* Adds observations of 0 until the histogram has `total` observations. */
static bool hist_fill(ptl_hist *h, uint64_t total)
{
    const uint64_t have = ptl_hist_total(h);
    return have >= total || hist_add(h, 0, total - have);
}

void ptl_hist_dispose(ptl_hist *h)
{
    free(h->counts);
    *h = (ptl_hist){0};
}

uint64_t ptl_hist_total(const ptl_hist *h)
{
    uint64_t total = 0;
    for (size_t v = 0; v < h->size; v++)
        total += h->counts[v];
    return total;
}

double ptl_hist_mean(const ptl_hist *h)
{
    const uint64_t total = ptl_hist_total(h);
    double sum = 0;
    for (size_t v = 0; v < h->size; v++)
        sum += (double)v * (double)h->counts[v];
    return total ? sum / (double)total : 0;
}

double ptl_hist_variance(const ptl_hist *h)
{
    const uint64_t total = ptl_hist_total(h);
    const double mean = ptl_hist_mean(h);
    double squares = 0;
    for (size_t v = 0; v < h->size; v++) {
        const double d = (double)v - mean;
        squares += d * d * (double)h->counts[v];
    }
    return total > 1 ? squares / (double)(total - 1) : 0;
}

int64_t ptl_hist_quantile(const ptl_hist *h, double share)
{
    const double wanted = share * (double)ptl_hist_total(h);
    uint64_t so_far = 0;
    int64_t last = -1;
    for (size_t v = 0; v < h->size; v++) {
        if (!h->counts[v])
            continue;
        so_far += h->counts[v];
        last = (int64_t)v;
        if ((double)so_far >= wanted)
            break;
    }
    return last;
}

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
    for (size_t i = 0; i < t->pair_count; i++) {
        ptl_hist_dispose(&t->pairs[i]->nearest);
        ptl_hist_dispose(&t->pairs[i]->random);
        free(t->pairs[i]);
    }
    free(t->pairs);
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

/* Looks in one list of a tally for the struct of an id (of a special, terrain and so on).
 * `list` is the address of the list's array of pointers to structs. If the id has none yet, a
 * new struct of `size` bytes is appended to it. NULL when memory is out. */
static void *entry_of(ptl_tally_own *p, tally_list *l, void *list, size_t *count, size_t size,
                      const char *id)
{
    const uint32_t at = strmap_get(&l->index, id);
    void *entries;
    memcpy(&entries, list, sizeof entries);
    if (at != STRMAP_NONE)
        return tally_entry_at(entries, at);
    const char *own = tally_keep_id(p, id);
    const bool has_room = own && array_grow(list, &l->room, *count + 1, sizeof(void *));
    void *entry = has_room ? calloc(1, size) : NULL;
    if (!entry || strmap_put(&l->index, own, (uint32_t)*count) != 0) {
        free(entry);
        return NULL;
    }
    const tally_entry head = {size, own};
    memcpy(entry, &head, sizeof head);
    memcpy(&entries, list, sizeof entries);
    memcpy((unsigned char *)entries + (*count)++ * sizeof entry, &entry, sizeof entry);
    return entry;
}

static ptl_tally_special *special_of(ptl_tally *t, const char *id)
{
    return entry_of(t->own, &t->own->specials, &t->specials, &t->special_count,
                    sizeof(ptl_tally_special), id);
}

/* ---- the lot (a group of overmaps) and the classes that an overmap counts in ---- */

void tally_seed(ptl_tally *t, uint64_t seed)
{
    t->own->seed = seed;
}

/* Returns the number of the lot (a group of overmaps) to which an overmap belongs. Overmaps are
 * divided into square blocks, and the blocks are dealt out to a few lots, so that neighbouring
 * blocks, and blocks of consecutive seeds, are in different lots. The sums of the lots are
 * compared to estimate how much overmaps differ. */
static size_t lot_of(const ptl_tally *t, ptl_chunk_pos pos)
{
    const uint64_t x = (uint64_t)(int64_t)floor_div(pos.x, PTL_BLOCK_SIDE),
                   y = (uint64_t)(int64_t)floor_div(pos.y, PTL_BLOCK_SIDE);
    return (size_t)((x + 9 * y + t->own->seed) % PTL_TALLY_LOTS);
}

/* The counters in which an overmap is counted, besides those for all overmaps. It belongs to
 * one lot (a group of blocks of overmaps). It also belongs to two classes: overmaps with (or
 * without) a lake, and overmaps whose largest city has a similar size. */
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

/* The rule of placement tests possible origins for a special, one test after the other. If some
 * test was passed by no origin of the overmap, returns the counter of the first such test;
 * otherwise the counter of failed growths or of other reasons. */
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

/* Counts one more place of the special `s` that has the terrain `id` around it. */
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

/* ---- terrains, buildings and further lists ---- */

static bool add_terrains(ptl_tally *t, const summary *s, size_t lot)
{
    for (size_t i = 0, end; i < s->terrain_count; i = end) {
        for (end = i + 1; end < s->terrain_count; end++)
            if (s->terrains[end].id != s->terrains[i].id &&
                strcmp(s->terrains[end].id, s->terrains[i].id) != 0)
                break;
        /* The elements i .. end - 1 of s->terrains belong to one terrain. */
        const summary_terrain *list = s->terrains + i;
        const size_t count = end - i;
        ptl_tally_terrain *to = entry_of(t->own, &t->own->terrains, &t->terrains,
                                         &t->terrain_count, sizeof *to, list[0].id);
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

/* Adds a building. is_first: `b` is the first of its kind of building in the overmap's summary.
 */
static bool add_building(ptl_tally *t, const summary_building *b, bool is_first)
{
    ptl_tally_building *to = entry_of(t->own, &t->own->buildings, &t->buildings,
                                      &t->building_count, sizeof *to, b->id);
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

/* ---- nearest neighbours ---- */

/*
 * Nearest neighbours of two specials: how far each place of the first special is from the
 * nearest place of the second in the same overmap, compared with random points. The random
 * points are all land cells of the overmap. An overmap's random points get as much weight in
 * all as it has places, so that an overmap with many of both specials does not look as if one
 * attracts the other.
 */
enum {
    SCALE = 1 << 20 /* this number stands for the weight 1 of a random point, so that weights
                       below 1 can be whole numbers, too */
};

static bool add_pair(ptl_tally *t, const char *id, const char *to)
{
    for (size_t i = 0; i < t->pair_count; i++)
        if (strcmp(t->pairs[i]->id, id) == 0 && strcmp(t->pairs[i]->to, to) == 0)
            return true;
    ptl_tally_pair *pair = calloc(1, sizeof *pair);
    ptl_tally_pair **list = realloc(t->pairs, (t->pair_count + 1) * sizeof *list);
    if (list)
        t->pairs = list;
    if (!pair || !list) {
        free(pair);
        return false;
    }
    *pair = (ptl_tally_pair){.size = sizeof *pair,
                             .id = tally_keep_id(t->own, id),
                             .to = tally_keep_id(t->own, to),
                             .on_land = true};
    list[t->pair_count++] = pair;
    return pair->id && pair->to;
}

ptl_status tally_pairs(ptl_tally *t, const char *const *ids, size_t count, ptl_error *err)
{
    /* Adds a pair for each two of the specials. The pairs with the same second special (`to`)
     * are added one after the other. */
    for (size_t to = 0; to < count; to++)
        for (size_t i = 0; i < count; i++)
            if (strcmp(ids[i], ids[to]) != 0 && !add_pair(t, ids[i], ids[to]))
                return error_nomem(err);
    return PTL_OK;
}

static int32_t nearest(const tally_targets *g, int32_t x, int32_t y)
{
    int32_t best = INT32_MAX;
    for (size_t i = 0; i < g->count; i++) {
        const int32_t dx = g->spots[i].x - x, dy = g->spots[i].y - y;
        const int32_t square = dx * dx + dy * dy;
        best = square < best ? square : best;
    }
    if (g->count == 0)
        return SUMMARY_NONE;
    return best < SUMMARY_FAR * SUMMARY_FAR ? whole_root(best) : SUMMARY_FAR;
}

bool tally_find_spots(tally_targets *g, const summary *s, const char *id)
{
    g->count = 0;
    for (size_t i = 0; i < s->place_count; i++) {
        if (strcmp(s->places[i].id, id) != 0)
            continue;
        if (!ARRAY_ROOM(g->spots, g->room, g->count + 1))
            return false;
        g->spots[g->count++] = (tally_spot){s->places[i].x, s->places[i].y};
    }
    return true;
}

/* Finds the places of a special in an overmap, and for each distance how many land cells are so
 * far from the nearest of them. */
static bool find_targets(tally_targets *g, const summary *s, const char *id)
{
    if (!tally_find_spots(g, s, id))
        return false;
    g->land = 0;
    memset(g->cells, 0, sizeof g->cells);
    for (int32_t i = 0; i < PTL_LEVEL_CELLS && g->count > 0; i++)
        if (!s->land || s->land[i]) {
            g->cells[nearest(g, i % PTL_CHUNK_SIZE, i / PTL_CHUNK_SIZE)]++;
            g->land++;
        }
    return true;
}

/* For each distance, adds how many land cells are so far from the nearest place of the other
 * special. The counts are scaled so that all land cells together count as much as `places`
 * random points. The distances of real places are compared with these. */
static bool add_random(ptl_hist *h, const tally_targets *g, uint64_t places)
{
    for (size_t d = 0; d <= SUMMARY_FAR && g->land > 0; d++)
        if (g->cells[d] > 0 && !hist_add(h, (int64_t)d, places * SCALE * g->cells[d] / g->land))
            return false;
    return true;
}

/* Adds an overmap to the counts of all pairs of specials (t->pairs), which have the distances
 * from places of one special to the nearest place of the other. False when memory is out. */
static bool tally_add_neighbours(ptl_tally *t, const summary *s)
{
    tally_targets *g = &t->own->targets;
    const char *found = NULL;
    for (size_t i = 0; i < t->pair_count; i++) {
        ptl_tally_pair *pair = t->pairs[i];
        uint64_t places = 0;
        for (size_t k = 0; k < s->place_count; k++) {
            if (strcmp(s->places[k].id, pair->id) != 0)
                continue;
            if (found != pair->to && !find_targets(g, s, pair->to))
                return false;
            found = pair->to;
            if (!hist_add(&pair->nearest, nearest(g, s->places[k].x, s->places[k].y), 1))
                return false;
            places++;
        }
        pair->on_land = pair->on_land && s->land;
        if (places > 0 && !add_random(&pair->random, g, places))
            return false;
    }
    return true;
}

/* ---- adding a summary ---- */

static bool add_lists(ptl_tally *t, const summary *s)
{
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
        ptl_tally_line *line = entry_of(t->own, &t->own->lines, &t->lines, &t->line_count,
                                        sizeof *line, s->lines[i].id);
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

/* ---- completing a tally ---- */

static const char *id_at(const void *list, size_t at)
{
    tally_entry head;
    memcpy(&head, tally_entry_at(list, at), sizeof head);
    return head.id;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(id_at(a, 0), id_at(b, 0));
}

static int by_count(const void *a, const void *b)
{
    const ptl_tally_count *p = a, *q = b;
    return p->count != q->count ? (p->count > q->count ? -1 : 1) : strcmp(p->id, q->id);
}

/* Sorts a list by id, and enters the new place of each element in the list's index of ids.
 * After this more elements may be added. */
static bool sort(tally_list *l, void *list, size_t count)
{
    if (count == 0)
        return true;
    qsort(list, count, sizeof(void *), by_id);
    for (size_t i = 0; i < count; i++)
        if (strmap_put(&l->index, id_at(list, i), (uint32_t)i) != 0)
            return false;
    return true;
}

/* A special or connection gets an observation of 0 for each overmap whose summary does not name
 * it, because that overmap has none. Also sorts the counts of the terrains around specials. */
static bool fill(ptl_tally *t)
{
    for (size_t i = 0; i < t->special_count; i++) {
        ptl_tally_special *s = t->specials[i];
        if (t->parts & PTL_COUNT_SPECIALS && (!hist_fill(&s->per_overmap, t->overmaps) ||
                                              !hist_fill(&s->asked_per_overmap, t->overmaps)))
            return false;
        for (size_t k = 0; k < PTL_OVERMAP_CLASSES; k++) {
            uint64_t overmaps = 0;
            for (size_t lot = 0; lot < PTL_TALLY_LOTS; lot++)
                overmaps += t->class_lots[k][lot];
            if (!hist_fill(&s->classes[k].per_overmap, overmaps))
                return false;
        }
        if (s->around_count > 1)
            qsort(s->around, s->around_count, sizeof *s->around, by_count);
    }
    for (size_t i = 0; i < t->line_count; i++)
        if (!hist_fill(&t->lines[i]->cells, t->overmaps))
            return false;
    return true;
}

ptl_status tally_finish(ptl_tally *t, ptl_error *err)
{
    ptl_tally_own *p = t->own;
    const bool enough = sort(&p->specials, t->specials, t->special_count) &&
                        sort(&p->terrains, t->terrains, t->terrain_count) &&
                        sort(&p->buildings, t->buildings, t->building_count) &&
                        sort(&p->lines, t->lines, t->line_count) && fill(t);
    return enough ? PTL_OK : error_nomem(err);
}

const ptl_tally_special *ptl_tally_find(const ptl_tally *t, const char *id)
{
    const uint32_t at = t->own ? strmap_get(&t->own->specials.index, id) : STRMAP_NONE;
    return at == STRMAP_NONE ? NULL : t->specials[at];
}
