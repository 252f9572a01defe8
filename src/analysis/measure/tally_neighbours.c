/*
 * Nearest neighbours of two specials: how far each place of the one is from the nearest place
 * of the other in its overmap; and, for comparison, how far random points are from it. The
 * random points are all land cells of the overmap. An overmap's random points count as often
 * as it has places, so that an overmap with many of both does not look as if one attracts the
 * other.
 */
#include "analysis/measure/measure_distance.h"
#include "analysis/measure/tally_impl.h"
#include "core/array.h"

#include <stdlib.h>

enum { SCALE = 1 << 20 /* a random point counts SCALE parts */ };

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
    for (size_t to = 0; to < count; to++) /* pairs with the same target stand together */
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

/* Finds the places of a special, and the distances of land cells to them. */
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

/* Adds the distances of land cells, weighted as `places` random points. */
static bool add_random(ptl_hist *h, const tally_targets *g, uint64_t places)
{
    for (size_t d = 0; d <= SUMMARY_FAR && g->land > 0; d++)
        if (g->cells[d] > 0 && !hist_add(h, (int64_t)d, places * SCALE * g->cells[d] / g->land))
            return false;
    return true;
}

bool tally_add_neighbours(ptl_tally *t, const summary *s)
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

void tally_dispose_pairs(ptl_tally *t)
{
    for (size_t i = 0; i < t->pair_count; i++) {
        ptl_hist_dispose(&t->pairs[i]->nearest);
        ptl_hist_dispose(&t->pairs[i]->random);
        free(t->pairs[i]);
    }
    free(t->pairs);
}

/*
 * Histograms of whole numbers, and what is computed from them. Counts are exact. Means and
 * variances are computed in the order of the values, so they do not depend on the order of
 * adding.
 */

enum { HIST_LEAST = 8 };

/* Grows to a power of two, so that sizes depend on the largest value alone. */
static bool hist_grow(ptl_hist *h, size_t value)
{
    size_t size = h->size ? h->size : HIST_LEAST;
    while (size <= value)
        size *= 2;
    if (size == h->size)
        return true;
    uint64_t *counts = realloc(h->counts, size * sizeof *counts);
    if (!counts)
        return false;
    memset(counts + h->size, 0, (size - h->size) * sizeof *counts);
    h->counts = counts;
    h->size = size;
    return true;
}

bool hist_add(ptl_hist *h, int64_t value, uint64_t times)
{
    if (value < 0) {
        h->none += times;
        return true;
    }
    if (!hist_grow(h, (size_t)value))
        return false;
    h->counts[value] += times;
    return true;
}

/* Adds observations of 0 until there are `total` observations. */
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

/* The end of adding: sorts the lists by id, and completes them for overmaps that had no
 * entry. */

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

/* Sorts a list, and updates its map, so that adding can go on. */
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

/* Adds observations of 0 for overmaps without an entry, and sorts the terrains around
 * specials. */
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
