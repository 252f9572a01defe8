/*
 * Nearest neighbours between two specials: how far each place of the one lies from the nearest
 * of the other in its overmap, and beside it how far points at random do. These are all cells
 * of land of that overmap, which counts as often as it has places, so that an overmap with
 * many of both does not look like one drawing the other.
 */
#include "analysis/measure/measure_distance.h"
#include "analysis/measure/tally_impl.h"
#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>

enum { SCALE = 1 << 20 /* parts of a place that cells of land are counted in */ };

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
    for (size_t to = 0; to < count; to++) /* those to one special stand together */
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

/* Finds the places of a special, and how far the land lies from them. */
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

/* Adds the land once for each of the places. */
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
