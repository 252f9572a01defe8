/*
 * Measures overmaps: placed specials with their distances and the terrain around them; cities
 * and their buildings; terrains, lines and waters; and how far land is from cities and roads.
 * Terrains are counted in runs of equal cells, because most of a level consists of long runs.
 */
#include "analysis/measure/measure.h"

#include "analysis/measure/measure_distance.h"
#include "codec/level_starts.h"

#include <stdlib.h>
#include <string.h>

/* Bits that say what there is on a cell at z = 0. */
enum { KIND_ROAD = 1, KIND_LAKE = 2, KIND_RIVER = 4, KIND_WATER = KIND_LAKE | KIND_RIVER };

/* Terrains and specials are counted by rank, which is their position in a list sorted by id. */
struct measurer {
    arena *memory; /* owned; holds the arrays that are indexed by special, terrain or oter */
    const catalogue *cat;
    uint16_t special; /* only places of this special are listed; CAT_NONE: of all specials */
    bool footprints; /* true: the catalogue knows which OMTs the chunk's fixed specials cover */
    uint16_t *specials, *terrains; /* catalogue indices of specials, terrains, sorted by id */
    uint16_t *rank_of_special, *rank_of_oter; /* indices into `specials`, `terrains` */
    uint8_t *kind_of_oter;
    /* Number of cells of each of the `terrains` on each level; all 0 between two chunks. */
    int32_t (*cells)[PTL_LEVELS];
    uint32_t *cells_levels; /* for each of the `terrains`: bits of the levels that have cells */
    int32_t *first; /* for each of the `specials`: its index in `list`; -1: it is not there */
    uint8_t kinds[PTL_LEVEL_CELLS], road[PTL_LEVEL_CELLS], city[PTL_LEVEL_CELLS];
    /* knows_kinds: the array `kinds` was filled for the chunk that is being measured.
     * knows_road: the array `road` was filled for it. has_road: the chunk has a road. */
    bool knows_kinds, knows_road, has_road;
    distance_scratch distance;
    distance_cities cities;
    /* How the terrains around the special that is being measured are counted. A cell beside the
     * special gives a vote to its terrain. `omts` lists the cells of the special; `ballot`
     * lists the terrains that have votes, as positions in `terrains`. stamps[cell] is `stamp`
     * for a cell that has voted, and stamp + 1 for a cell of the special. */
    uint16_t omts[PTL_LEVEL_CELLS], ballot[PTL_LEVEL_CELLS];
    size_t omt_count, ballot_count;
    uint32_t stamp, stamps[PTL_LEVEL_CELLS];
    int32_t *votes; /* for each of the `terrains`: on how many cells beside the special it is */
    void *list;
    size_t list_size;
};

/* The chunk that is being measured, and the summary that gets the results. */
typedef struct measuring {
    measurer *m;
    const ptl_chunk *chunk;
    const gen_features *features;
    summary *out;
} measuring;

/* ---- the terrain around a special ---- */

enum { SIDE = PTL_CHUNK_SIZE, CELLS = PTL_LEVEL_CELLS };

static void add_omt(measurer *m, int32_t x, int32_t y)
{
    const int32_t cell = y * SIDE + x;
    if (x < 0 || x >= SIDE || y < 0 || y >= SIDE || m->stamps[cell] == m->stamp + 1)
        return;
    m->stamps[cell] = m->stamp + 1;
    m->omts[m->omt_count++] = (uint16_t)cell;
}

static void vote(const measuring *in, int32_t z, int32_t cell)
{
    measurer *m = in->m;
    const level *l = &in->chunk->levels[z - PTL_Z_MIN];
    if (m->stamps[cell] >= m->stamp)
        return;
    m->stamps[cell] = m->stamp;
    const uint16_t terrain = m->rank_of_oter[l->cells ? l->cells[cell] : l->fill];
    if (m->votes[terrain]++ == 0)
        m->ballot[m->ballot_count++] = terrain;
}

/* Adds the OMTs of placement `number` to m->omts. The caller must go through the placements in
 * order: pieces are sorted by placements, and *piece only moves forward through the pieces. */
static void add_omts(const measuring *in, size_t number, size_t *piece)
{
    const gen_features *f = in->features;
    const gen_placement *p = &f->placements[number];
    const cat_special *special = &in->m->cat->specials[p->special];
    while (*piece < f->piece_count && f->pieces[*piece].placement < (int32_t)number)
        (*piece)++;
    for (; *piece < f->piece_count && f->pieces[*piece].placement == (int32_t)number;
         (*piece)++)
        if (f->pieces[*piece].z == p->z)
            add_omt(in->m, f->pieces[*piece].x, f->pieces[*piece].y);
    for (size_t i = 0; in->m->footprints && i < special->omt_count; i++) {
        int32_t x, y;
        feature_rotate(special->omts[i].x, special->omts[i].y, p->rotation, &x, &y);
        if (special->omts[i].z == 0)
            add_omt(in->m, p->x + x, p->y + y);
    }
}

/* Returns the id of the terrain that most cells beside a special's OMTs have, on its level. */
static const char *around(const measuring *in, size_t number, size_t *piece)
{
    measurer *m = in->m;
    const int32_t z = in->features->placements[number].z;
    m->stamp += 2;
    if (m->stamp >= UINT32_MAX - 2) {
        memset(m->stamps, 0, sizeof m->stamps);
        m->stamp = 2;
    }
    m->omt_count = m->ballot_count = 0;
    add_omts(in, number, piece);
    for (size_t i = 0; i < m->omt_count; i++) {
        const int32_t cell = m->omts[i], x = cell % SIDE, y = cell / SIDE;
        if (y > 0)
            vote(in, z, cell - SIDE);
        if (x < SIDE - 1)
            vote(in, z, cell + 1);
        if (y < SIDE - 1)
            vote(in, z, cell + SIDE);
        if (x > 0)
            vote(in, z, cell - 1);
    }
    /* Find the terrain (index in `terrains`) of most cells beside the placement; -1: none. */
    int32_t winner = -1, most = 0;
    for (size_t i = 0; i < m->ballot_count; i++) {
        const uint16_t terrain = m->ballot[i];
        const int32_t votes = m->votes[terrain];
        if (votes > most || (votes == most && terrain < winner)) {
            winner = terrain;
            most = votes;
        }
        m->votes[terrain] = 0;
    }
    return winner < 0 ? "" : m->cat->terrains[m->terrains[winner]].id;
}

/* ---- distances ---- */

static int16_t to_road(const measurer *m, int32_t x, int32_t y)
{
    if (!m->has_road)
        return SUMMARY_NONE;
    if (x >= 0 && x < SIDE && y >= 0 && y < SIDE)
        return m->road[y * SIDE + x];
    /* m->road is only for cells of the chunk; for other points all road cells are compared. */
    int32_t best = INT32_MAX;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const int32_t dx = i % SIDE - x, dy = i / SIDE - y, square = dx * dx + dy * dy;
        if (m->kinds[i] & KIND_ROAD && square < best)
            best = square;
    }
    return distance_cut(whole_root(best));
}

/* ---- places ---- */

static bool is_wanted(const measurer *m, const gen_placement *p)
{
    return !m->cat->specials[p->special].building &&
           (m->special == CAT_NONE || m->special == p->special);
}

/* ---- kinds of cells ---- */

/* find_kinds fills m->kinds for level 0; find_roads then fills m->road, and m->has_road. */
static void find_kinds(const measuring *in)
{
    measurer *m = in->m;
    const level *l = &in->chunk->levels[-PTL_Z_MIN];
    if (m->knows_kinds)
        return;
    m->knows_kinds = true;
    if (!l->cells) {
        memset(m->kinds, m->kind_of_oter[l->fill], sizeof m->kinds);
        return;
    }
    for (size_t i = 0; i < CELLS; i++)
        m->kinds[i] = m->kind_of_oter[l->cells[i]];
}

static void find_roads(const measuring *in)
{
    measurer *m = in->m;
    find_kinds(in);
    if (!m->knows_road)
        m->has_road = distance_to_cells(m->road, &m->distance, m->kinds, KIND_ROAD);
    m->knows_road = true;
}

/* Returns at least count * size bytes of scratch; NULL when memory is out. Its earlier
 * contents are lost. */
static void *measurer_list(measurer *m, size_t count, size_t size)
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

static bool measure_places(const measuring *in)
{
    measurer *m = in->m;
    const gen_features *f = in->features;
    summary *out = in->out;
    size_t count = 0, piece = 0;
    for (size_t i = 0; i < f->placement_count; i++)
        count += is_wanted(m, &f->placements[i]);
    out->places = arena_calloc(out->memory, count + 1, sizeof *out->places);
    distance_origin *list = measurer_list(m, count, sizeof *list);
    if (!out->places || !list)
        return false;
    if (count > 0)
        find_roads(in);
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        if (!is_wanted(m, p))
            continue;
        summary_place *place = &out->places[out->place_count];
        *place = (summary_place){
            .id = m->cat->specials[p->special].id,
            .x = p->x,
            .y = p->y,
            .z = p->z,
            .rotation = p->rotation,
            .city = m->cities.count > 0 ? distance_cut(distance_to_city(&m->cities, p->x, p->y))
                                        : SUMMARY_NONE,
            .road = to_road(m, p->x, p->y),
            .around = around(in, i, &piece)};
        list[out->place_count] =
            (distance_origin){p->special, p->x, p->y, (int32_t)out->place_count};
        out->place_count++;
    }
    distance_same(out->places, list, (int32_t)count);
    return true;
}

/* ---- terrains ---- */

static inline void count_run(measurer *m, size_t at, ptl_oter oter, int32_t cells)
{
    const uint16_t rank = m->rank_of_oter[oter];
    m->cells[rank][at] += cells;
    m->cells_levels[rank] |= UINT32_C(1) << at;
}

static void count_level(measurer *m, size_t at, const level *l)
{
    if (!l->cells) {
        count_run(m, at, l->fill, CELLS);
        return;
    }
    int32_t start = 0, i = 1;
    for (; i + STARTS_AT_ONCE <= CELLS; i += STARTS_AT_ONCE)
        for (uint64_t bits = level_starts(l->cells + i); bits; bits &= bits - 1) {
            const int32_t end = i + __builtin_ctzll(bits);
            count_run(m, at, l->cells[start], end - start);
            start = end;
        }
    for (; i < CELLS; i++)
        if (l->cells[i] != l->cells[i - 1]) {
            count_run(m, at, l->cells[start], i - start);
            start = i;
        }
    count_run(m, at, l->cells[start], CELLS - start);
}

static bool list_terrains(const measuring *in)
{
    const measurer *m = in->m;
    summary *out = in->out;
    size_t count = 0;
    for (size_t r = 0; r < catalogue_all_terrains(m->cat); r++)
        count += (size_t)__builtin_popcount(m->cells_levels[r]);
    out->terrains = arena_calloc(out->memory, count + 1, sizeof *out->terrains);
    if (!out->terrains)
        return false;
    for (size_t r = 0; r < catalogue_all_terrains(m->cat); r++)
        for (uint32_t levels = m->cells_levels[r]; levels; levels &= levels - 1) {
            const int32_t at = __builtin_ctz(levels);
            out->terrains[out->terrain_count++] =
                (summary_terrain){.id = m->cat->terrains[m->terrains[r]].id,
                                  .z = (int8_t)(at + PTL_Z_MIN),
                                  .cells = m->cells[r][at]};
        }
    return true;
}

static int by_line(const void *a, const void *b)
{
    const summary_line *p = a, *q = b;
    return strcmp(p->id, q->id);
}

static bool list_lines(const measuring *in)
{
    const catalogue *cat = in->m->cat;
    summary *out = in->out;
    out->lines = arena_calloc(out->memory, cat->connection_count + 1, sizeof *out->lines);
    if (!out->lines)
        return false;
    for (size_t i = 0; i < cat->connection_count; i++) {
        const cat_connection *c = &cat->connections[i];
        int32_t cells = 0;
        for (size_t r = 0; r < catalogue_all_terrains(in->m->cat); r++) {
            const uint16_t terrain = in->m->terrains[r];
            if (!in->m->cells_levels[r] || !cat_terrain_in(c->terrains, terrain))
                continue;
            for (size_t at = 0; at < PTL_LEVELS; at++)
                cells += in->m->cells[r][at];
        }
        if (cells > 0)
            out->lines[out->line_count++] = (summary_line){cat->connections[i].id, cells};
    }
    qsort(out->lines, out->line_count, sizeof *out->lines, by_line);
    return true;
}

static bool measure_cells(const measuring *in, uint32_t parts)
{
    measurer *m = in->m;
    for (size_t at = 0; at < PTL_LEVELS; at++)
        count_level(m, at, &in->chunk->levels[at]);
    const bool done = (!(parts & PTL_COUNT_TERRAINS) || list_terrains(in)) &&
                      (!(parts & PTL_COUNT_LINES) || list_lines(in));
    for (size_t r = 0; r < catalogue_all_terrains(m->cat); r++)
        if (m->cells_levels[r]) {
            memset(m->cells[r], 0, sizeof m->cells[r]);
            m->cells_levels[r] = 0;
        }
    return done;
}

/* ---- water ---- */

/* Counts the cells of a connected body of water, which starts at `cell` and has the kind of
 * that cell, and clears these cells in `kinds`. The queue has room for all cells. */
static int32_t take_water(uint8_t *kinds, uint16_t *queue, int32_t cell)
{
    const uint8_t kind = kinds[cell];
    int32_t count = 1;
    queue[0] = (uint16_t)cell;
    kinds[cell] = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t at = queue[i], x = at % SIDE;
        const int32_t beside[] = {x > 0 ? at - 1 : at, x < SIDE - 1 ? at + 1 : at, at - SIDE,
                                  at + SIDE};
        for (int32_t k = 0; k < 4; k++)
            if (beside[k] >= 0 && beside[k] < CELLS && kinds[beside[k]] == kind) {
                kinds[beside[k]] = 0;
                queue[count++] = (uint16_t)beside[k];
            }
    }
    return count;
}

static int by_kind_and_cells(const void *a, const void *b)
{
    const summary_water *p = a, *q = b;
    return p->kind != q->kind ? (p->kind < q->kind ? -1 : 1) : q->cells - p->cells;
}

static bool measure_waters(const measuring *in)
{
    summary *out = in->out;
    /* The scratch memory is divided: the list of waters (each has at least one cell), then the
     * queue of cells of take_water, then take_water's own copy of `kinds`. */
    summary_water *list = measurer_list(in->m, CELLS, sizeof *list + sizeof(uint16_t) + 1);
    size_t count = 0;
    if (!list)
        return false;
    uint16_t *queue = (uint16_t *)(list + CELLS);
    uint8_t *kinds = (uint8_t *)(queue + CELLS);
    find_kinds(in);
    for (int32_t i = 0; i < CELLS; i++)
        kinds[i] = in->m->kinds[i] & KIND_WATER;
    for (int32_t i = 0; i < CELLS; i++) {
        static const uint8_t land[24]; /* 24 cells of land in a row are skipped at once */
        if (i % (int)sizeof land == 0 && memcmp(kinds + i, land, sizeof land) == 0)
            i += (int)sizeof land - 1;
        else if (kinds[i]) {
            const bool lake = kinds[i] == KIND_LAKE;
            list[count++] = (summary_water){lake ? SUMMARY_LAKE : SUMMARY_RIVER,
                                            take_water(kinds, queue, i)};
        }
    }
    out->waters = arena_calloc(out->memory, count + 1, sizeof *out->waters);
    if (!out->waters)
        return false;
    memcpy(out->waters, list, count * sizeof *list);
    out->water_count = count;
    qsort(out->waters, count, sizeof *out->waters, by_kind_and_cells);
    return true;
}

/* ---- the distances of land to cities and roads ---- */

static bool measure_baseline(const measuring *in)
{
    measurer *m = in->m;
    const bool has_city = m->cities.count > 0;
    find_roads(in);
    if (has_city && !distance_to_cities(m->city, &m->cities))
        return false;
    distance_count(in->out->baseline.city, has_city ? m->city : NULL, m->kinds, KIND_WATER);
    distance_count(in->out->baseline.road, m->has_road ? m->road : NULL, m->kinds, KIND_WATER);
    uint8_t *land = arena_calloc(in->out->memory, CELLS, 1);
    for (size_t i = 0; land && i < CELLS; i++)
        land[i] = !(in->m->kinds[i] & KIND_WATER);
    in->out->land = land;
    return land;
}

/* ---- the measurer ---- */

bool measure_is_road(const catalogue *cat, uint16_t terrain)
{
    const uint16_t road = catalogue_connection(cat, "local_road");
    if (cat->terrains[terrain].flags & CAT_FLAG_ROAD)
        return true;
    return road != CAT_NONE && cat_terrain_in(cat->connections[road].terrains, terrain);
}

typedef struct named {
    const char *id;
    uint16_t index;
} named;

static int by_id(const void *a, const void *b)
{
    const named *p = a, *q = b;
    return strcmp(p->id, q->id);
}

/* Gives each element of a table a rank, its position in the order of ids. A catalogue's tables
 * are sorted by id already, but sample.c may have appended specials. */
static void rank(uint16_t *order, uint16_t *rank_of, named *list, size_t count)
{
    qsort(list, count, sizeof *list, by_id);
    for (size_t i = 0; i < count; i++) {
        order[i] = list[i].index;
        rank_of[list[i].index] = (uint16_t)i;
    }
}

/* Orders the catalogue's specials and terrains by id, and finds what kind of cell each oter is,
 * such as land or lake. */
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
            const uint32_t flags = cat->terrains[i].flags;
            const int road = measure_is_road(cat, (uint16_t)i) ? KIND_ROAD : 0;
            kinds[i] = (uint8_t)(road | (flags & CAT_FLAGS_STILL  ? KIND_LAKE
                                         : flags & CAT_FLAG_RIVER ? KIND_RIVER
                                                                  : 0));
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

/* ---- specials ---- */

/* Returns the element of `list` for the special. If there is none, it is added. */
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

/* Each function named measure_... fills some lists of the summary. It returns false when memory
 * is out. */
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
    for (size_t i = 0; i < count; i++) /* leave out those in `placed` */
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

/* The buildings of one kind in cities of one size. `next` is the index of the group with the
 * same kind of building in cities of another size. */
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

/* Groups the buildings by kind and size of their city, and returns the number of groups. While
 * it works, m->first has the index of each kind's first group; afterwards it has only -1. */
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
    const bool good =
        out->memory && (!(parts & PTL_COUNT_SPECIALS) || measure_specials(&in)) &&
        (!(parts & PTL_COUNT_CITIES) || measure_cities(&in)) &&
        (!chunk || /* All parts of a summary that follow need the cells of a chunk. */
         ((!(parts & (PTL_COUNT_PLACES | PTL_COUNT_BASELINE)) ||
           distance_cities_set(&m->cities, features)) &&
          (!(parts & PTL_COUNT_PLACES) || measure_places(&in)) &&
          (!(parts & (PTL_COUNT_TERRAINS | PTL_COUNT_LINES)) || measure_cells(&in, parts)) &&
          (!(parts & PTL_COUNT_WATERS) || measure_waters(&in)) &&
          (!(parts & PTL_COUNT_BASELINE) || measure_baseline(&in))));
    if (!good) {
        summary_dispose(out);
        return error_nomem(err);
    }
    return PTL_OK;
}
