/*
 * Measures placed specials: the distances to a city, a road and the nearest one of the same
 * kind, and the terrain around.
 */
#include "analysis/measure/measure_impl.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = PTL_CHUNK_SIZE };

/* ---- the terrain around ---- */

/* The neighbour cells of a special's OMTs at its z. m->stamps[] is `stamp` for a neighbour
 * that was counted, and stamp + 1 for the special's own cells. */
typedef struct surroundings {
    measurer *m;
    const ptl_chunk *chunk;
    int32_t z;
    size_t omt_count, ballot_count;
    int32_t *omts;    /* cells of its OMTs */
    uint16_t *ballot; /* ranks of terrains that have votes */
} surroundings;

static void add_omt(surroundings *s, int32_t x, int32_t y)
{
    if (x < 0 || x >= SIDE || y < 0 || y >= SIDE)
        return;
    const int32_t cell = y * SIDE + x;
    if (s->m->stamps[cell] == s->m->stamp + 1)
        return;
    s->m->stamps[cell] = s->m->stamp + 1;
    s->omts[s->omt_count++] = cell;
}

static void vote(surroundings *s, int32_t cell)
{
    measurer *m = s->m;
    if (m->stamps[cell] >= m->stamp)
        return;
    m->stamps[cell] = m->stamp;
    const uint16_t rank = m->rank_of_oter[chunk_cell(s->chunk, s->z, cell)];
    if (m->votes[rank]++ == 0)
        s->ballot[s->ballot_count++] = rank;
}

/* Adds the OMTs of a special. Pieces are sorted by their specials, so *piece moves on
 * through them. */
static void add_omts(surroundings *s, const gen_features *f, size_t number, size_t *piece)
{
    const gen_placement *p = &f->placements[number];
    const cat_special *special = &s->m->cat->specials[p->special];
    while (*piece < f->piece_count && f->pieces[*piece].placement < (int32_t)number)
        (*piece)++;
    for (; *piece < f->piece_count && f->pieces[*piece].placement == (int32_t)number;
         (*piece)++)
        if (f->pieces[*piece].z == p->z)
            add_omt(s, f->pieces[*piece].x, f->pieces[*piece].y);
    for (size_t i = 0; s->m->footprints && i < special->omt_count; i++) {
        int32_t x, y;
        feature_rotate(special->omts[i].x, special->omts[i].y, p->rotation, &x, &y);
        if (special->omts[i].z == 0)
            add_omt(s, p->x + x, p->y + y);
    }
}

static const char *around(surroundings *s, const gen_features *f, size_t number, size_t *piece)
{
    measurer *m = s->m;
    m->stamp += 2;
    if (m->stamp >= UINT32_MAX - 2) {
        memset(m->stamps, 0, sizeof m->stamps);
        m->stamp = 2;
    }
    s->omt_count = s->ballot_count = 0;
    s->z = f->placements[number].z;
    add_omts(s, f, number, piece);
    for (size_t i = 0; i < s->omt_count; i++) {
        const int32_t cell = s->omts[i], x = cell % SIDE, y = cell / SIDE;
        if (y > 0)
            vote(s, cell - SIDE);
        if (x < SIDE - 1)
            vote(s, cell + 1);
        if (y < SIDE - 1)
            vote(s, cell + SIDE);
        if (x > 0)
            vote(s, cell - 1);
    }
    /* Finds the rank with the most votes, of several the first, and clears the votes. -1:
     * no votes. */
    int32_t winner = -1, most = 0;
    for (size_t i = 0; i < s->ballot_count; i++) {
        const uint16_t rank = s->ballot[i];
        const int32_t votes = s->m->votes[rank];
        if (votes > most || (votes == most && rank < winner)) {
            winner = rank;
            most = votes;
        }
        s->m->votes[rank] = 0;
    }
    return winner < 0 ? "" : m->cat->terrains[m->terrains[winner]].id;
}

/* ---- distances ---- */

static int16_t cut(int32_t distance)
{
    return (int16_t)(distance < SUMMARY_FAR ? distance : SUMMARY_FAR);
}

static int16_t to_road(const measurer *m, int32_t x, int32_t y)
{
    if (!m->has_road)
        return SUMMARY_NONE;
    if (x >= 0 && x < SIDE && y >= 0 && y < SIDE)
        return m->road[y * SIDE + x];
    /* From a point outside of the chunk it measures to all roads, one by one. */
    int32_t best = INT32_MAX;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const int32_t dx = i % SIDE - x, dy = i / SIDE - y, square = dx * dx + dy * dy;
        if (m->kinds[i] & KIND_ROAD && square < best)
            best = square;
    }
    return cut(whole_root(best));
}

/* A place, sorted by special and then x, to find the nearest one of the same special. */
typedef struct origin {
    uint16_t special;
    int16_t x, y;
    int32_t place; /* index into out->places */
} origin;

static int by_special_and_x(const void *a, const void *b)
{
    const origin *p = a, *q = b;
    if (p->special != q->special)
        return p->special < q->special ? -1 : 1;
    return p->x - q->x;
}

/* Returns the least squared distance from list[i] to those after it (step 1) or before it
 * (step -1), if that is below `best`; else best. */
static int32_t nearest_on_side(const origin *list, int32_t count, int32_t i, int32_t step,
                               int32_t best)
{
    for (int32_t j = i + step; j >= 0 && j < count; j += step) {
        const int32_t dx = list[j].x - list[i].x, dy = list[j].y - list[i].y;
        if (list[j].special != list[i].special || dx * dx >= best)
            break;
        best = dx * dx + dy * dy < best ? dx * dx + dy * dy : best;
    }
    return best;
}

static void find_same(summary_place *places, origin *list, int32_t count)
{
    qsort(list, (size_t)count, sizeof *list, by_special_and_x);
    for (int32_t i = 0; i < count; i++) {
        int32_t best = nearest_on_side(list, count, i, 1, INT32_MAX);
        best = nearest_on_side(list, count, i, -1, best);
        places[list[i].place].same = best < INT32_MAX ? cut(whole_root(best)) : SUMMARY_NONE;
    }
}

/* ---- places ---- */

static bool is_wanted(const measurer *m, const gen_placement *p)
{
    return !m->cat->specials[p->special].building &&
           (m->special == CAT_NONE || m->special == p->special);
}

static void fill_place(summary_place *out, const measurer *m, const gen_placement *p)
{
    *out = (summary_place){.id = m->cat->specials[p->special].id,
                           .x = p->x,
                           .y = p->y,
                           .z = p->z,
                           .rotation = p->rotation,
                           .city = m->cities.count > 0
                                       ? cut(distance_to_city(&m->cities, p->x, p->y))
                                       : SUMMARY_NONE,
                           .road = to_road(m, p->x, p->y)};
}

static bool fill_places(const measuring *in, size_t count)
{
    measurer *m = in->m;
    const gen_features *f = in->features;
    summary *out = in->out;
    const size_t most = PTL_LEVEL_CELLS;
    /* One allocation holds all three arrays. */
    origin *list =
        measurer_list(m, 1, count * sizeof *list + most * (sizeof(int32_t) + sizeof(uint16_t)));
    if (!list)
        return false;
    int32_t *omts = (int32_t *)(list + count);
    surroundings s = {
        .m = m, .chunk = in->chunk, .omts = omts, .ballot = (uint16_t *)(omts + most)};
    size_t piece = 0;
    find_roads(in);
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        if (!is_wanted(m, p))
            continue;
        summary_place *place = &out->places[out->place_count];
        fill_place(place, m, p);
        place->around = around(&s, f, i, &piece);
        list[out->place_count] = (origin){p->special, p->x, p->y, (int32_t)out->place_count};
        out->place_count++;
    }
    find_same(out->places, list, (int32_t)count);
    return true;
}

bool measure_places(const measuring *in)
{
    const gen_features *f = in->features;
    summary *out = in->out;
    size_t count = 0;
    for (size_t i = 0; i < f->placement_count; i++)
        count += is_wanted(in->m, &f->placements[i]);
    out->places = arena_calloc(out->memory, count + 1, sizeof *out->places);
    if (!out->places)
        return false;
    return count == 0 || fill_places(in, count);
}
