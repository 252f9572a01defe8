/*
 * Highways as planned. They form a grid of nodes, each of which is moved to a near overmap.
 * Lines of overmaps lead between neighbouring nodes and cross edges at planned places. All of
 * this is a function of seed, settings and place (generation.md 4.6). What is planned for an
 * edge depends on this edge alone, so both of its chunks compute the same.
 *
 * A line always starts at whichever of its two nodes comes first by (y, x), so that it is the
 * same line seen from either end. A straight stretch of a line crosses edges that lie behind
 * each other. It has one base position along these edges; each edge's crossing lies near that
 * base or, by chance, anywhere.
 */
#include "core/whole.h"
#include "gen/plan/plan_strip.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    SIZE = PTL_CHUNK_SIZE,
    SAMPLE_GAP = 15, /* distance between samples of lake noise, along x and y, in OMTs */
    /* First position along an edge that a crossing of highways may have. Between it and the
     * corner a highway has room for a bend. */
    FIRST = 24,
    LAST = SIZE - 1 - FIRST,
    JITTER = 5,
    TRIES = 16
};
static_assert(SIZE % (int)SAMPLE_GAP == 0 && (int)SAMPLE_GAP > (int)NOISE_BLOCK,
              "samples lie apart, inside their overmap");

/* ---- nodes ---- */

enum { SQUARES = (SIZE + NOISE_SQUARE - 1) / NOISE_SQUARE };

/* Does noise make a lake at any sample of the overmap? A sample is a group of eight cells in a
 * row; there are 12 x 12 of them. A sample is not looked at if it lies in squares of cells
 * whose corners already show that they have no lake. */
static bool has_lake(const gen_config *config, ptl_chunk_pos at)
{
    const int64_t x0 = (int64_t)at.x * SIZE, y0 = (int64_t)at.y * SIZE;
    for (int32_t y = SAMPLE_GAP / 2; y < SIZE; y += SAMPLE_GAP) {
        uint8_t squares[SQUARES];
        /* Find out, from the noise at their corners, which squares of cells in this row may
         * hold lake at all. */
        for (int32_t first = 0; first < SQUARES; first += NOISE_SQUARES) {
            uint8_t some[NOISE_SQUARES];
            config->kernels->squares(&config->noise.lake, config->noise.lake_bounds,
                                     x0 + (int64_t)first * NOISE_SQUARE, y0 + y, some);
            for (int32_t i = 0; i < NOISE_SQUARES && first + i < SQUARES; i++)
                squares[first + i] = some[i];
        }
        for (int32_t x = (SAMPLE_GAP - NOISE_BLOCK) / 2; x < SIZE; x += SAMPLE_GAP) {
            uint8_t lake[NOISE_BLOCK] = {0};
            const int32_t last = (x + NOISE_BLOCK - 1) / NOISE_SQUARE;
            if (squares[x / NOISE_SQUARE] != NOISE_ALL_BELOW ||
                squares[last] != NOISE_ALL_BELOW)
                config->kernels->lake(&config->noise, x0 + x, y0 + y, lake);
            for (int32_t i = 0; i < NOISE_BLOCK; i++)
                if (lake[i])
                    return true;
        }
    }
    return false;
}

/* Returns the overmap that is candidate number `index` for the intersection of node (i, j). The
 * candidates are numbered row by row. */
static ptl_chunk_pos candidate_at(const highway_grid *grid, int32_t i, int32_t j, int32_t index)
{
    const int32_t side = 2 * grid->variance + 1;
    return (ptl_chunk_pos){i * grid->columns - grid->variance + index % side,
                           j * grid->rows - grid->variance + index / side};
}

/* Returns the number of the candidate in which the intersection of node (i, j) lies. Candidates
 * are the overmaps near the node's own overmap. They are tried in the order of their hashes:
 * the first one without a lake is taken. If all candidates have lakes, the one tried first is
 * taken. */
static int32_t choose_candidate(const gen_config *config, int32_t i, int32_t j)
{
    const highway_grid *grid = &config->highways;
    const int32_t side = 2 * grid->variance + 1;
    const uint64_t key = plan_key(config, "highway node", i, j);
    uint64_t after = 0;
    int32_t index = 0, first = 0;
    for (int32_t n = 0;; n++) {
        /* Find the candidate (an overmap near the node) that comes next in the order of hashes,
         * after the hash `after`. */
        bool found = false;
        uint64_t least = 0;
        for (int32_t k = 0; k < side * side; k++) {
            const uint64_t hash = hash_mix(key ^ (uint64_t)k);
            if (k == side * side / 2 || hash <= after || (found && hash >= least))
                continue; /* the candidate in the middle is the node's own overmap, in which its
                             intersection never lies */
            index = k;
            least = hash;
            found = true;
        }
        after = least;
        if (!found || !has_lake(config, candidate_at(grid, i, j, index)))
            return found ? index : first;
        first = n == 0 ? index : first;
    }
}

/* The cache holds in one word a node (i, j) and its candidate, the overmap in which its
 * intersection lies; so threads need no lock. The word has i + MEMO_HALF, j + MEMO_HALF and the
 * candidate's number + 1. */
enum {
    MEMO_PLACES = 256,
    /* A word of the cache packs three numbers about the node (i, j): i + MEMO_HALF, from bit
     * MEMO_I on; j + MEMO_HALF, from bit MEMO_J on; and 1 + the number of the overmap that was
     * chosen for the node's intersection, from bit 0 on. */
    MEMO_I = 40,
    MEMO_J = 16,
    MEMO_HALF = 1 << 23,
    MEMO_INDEX = 0xffff
};

struct highway_memo {
    uint64_t seed; /* the only seed whose nodes are cached */
    _Atomic(uint64_t) places[MEMO_PLACES];
};

highway_memo *highway_memo_new(uint64_t seed)
{
    highway_memo *memo = calloc(1, sizeof *memo);
    if (memo)
        memo->seed = seed;
    return memo;
}

void highway_memo_free(highway_memo *memo)
{
    free(memo);
}

ptl_chunk_pos plan_highway_node(const gen_config *config, int32_t i, int32_t j)
{
    const highway_grid *grid = &config->highways;
    highway_memo *memo = grid->memo;
    if (!memo || memo->seed != config->seed || i <= -MEMO_HALF || i >= MEMO_HALF ||
        j <= -MEMO_HALF || j >= MEMO_HALF)
        return candidate_at(grid, i, j, choose_candidate(config, i, j));
    const uint64_t node = (uint64_t)(i + MEMO_HALF) << MEMO_I | (uint64_t)(j + MEMO_HALF)
                                                                    << MEMO_J;
    _Atomic(uint64_t) *place = &memo->places[hash_mix(node) % MEMO_PLACES];
    const uint64_t known = atomic_load_explicit(place, memory_order_relaxed);
    if ((known & ~(uint64_t)MEMO_INDEX) == node && known != node)
        return candidate_at(grid, i, j, (int32_t)(known & MEMO_INDEX) - 1);
    const int32_t index = choose_candidate(config, i, j);
    if (index < MEMO_INDEX)
        atomic_store_explicit(place, node | (uint64_t)(index + 1), memory_order_relaxed);
    return candidate_at(grid, i, j, index);
}

/* ---- lines ---- */

void plan_highway_line(highway_line *out, const gen_config *config, int32_t i, int32_t j,
                       bool east)
{
    const ptl_chunk_pos a = plan_highway_node(config, i, j);
    const ptl_chunk_pos b = plan_highway_node(config, i + east, j + !east);
    const bool swap = b.y < a.y || (b.y == a.y && b.x < a.x);
    const ptl_chunk_pos from = swap ? b : a, to = swap ? a : b;
    out->at = from;
    out->to = to;
    out->extent_x = out->left_x = abs(from.x - to.x);
    out->extent_y = out->left_y = abs(from.y - to.y);
    out->step = out->run = 0;
    out->along_x = false;
    out->east = east;
    out->key = hash_add(plan_key(config, "highway line", i, j), east);
}

bool plan_highway_step(highway_line *line)
{
    if (line->left_x == 0 && line->left_y == 0)
        return false;
    /* The first and the last step go along x if the line leads to the node in the east, and
     * along y if it leads to the node in the south. So lines reach an intersection on all four
     * sides. All other steps follow the straight line between the two ends; where a step along
     * x and one along y would do equally well, it goes along x. */
    const bool ends = line->step == 0;
    const int64_t x = line->left_x - (line->east && !ends),
                  y = line->left_y - (!line->east && !ends);
    const int64_t across = line->extent_x - 2 * line->east;
    const int64_t down = line->extent_y - 2 * !line->east;
    bool along_x = x * down >= y * across;
    if (ends || x == 0 || y == 0)
        along_x = ends || (x == 0 && y == 0) ? line->east : x > 0;
    if (along_x) {
        line->at.x += line->to.x > line->at.x ? 1 : -1;
        line->left_x--;
    } else {
        line->at.y++;
        line->left_y--;
    }
    if (line->step > 0 && along_x != line->along_x)
        line->run = line->step;
    line->along_x = along_x;
    line->step++;
    return true;
}

/* Returns whether the edge is crossed by the highway line from node (i, j) to the next node in
 * the east (without `east`: in the south). If so, out->at is the first overmap of the line
 * behind the edge. */
static bool line_crosses(highway_line *out, const gen_config *config, const edge *e, int32_t i,
                         int32_t j, bool east)
{
    const ptl_chunk_pos own = {e->x, e->y};
    const ptl_chunk_pos other = {e->x + (e->side == EDGE_EAST), e->y + (e->side == EDGE_SOUTH)};
    plan_highway_line(out, config, i, j, east);
    for (ptl_chunk_pos before = out->at; plan_highway_step(out); before = out->at) {
        const bool forth = before.x == own.x && before.y == own.y && out->at.x == other.x &&
                           out->at.y == other.y;
        const bool back = before.x == other.x && before.y == other.y && out->at.x == own.x &&
                          out->at.y == own.y;
        if (forth || back)
            return true;
    }
    return false;
}

/* Finds the first line of highways that crosses the edge. A line joins two nodes of the grid of
 * highways; lines that lead east are tried first, then lines that lead south. Lines are left
 * out whose nodes can only lie on the same side of the edge. */
static bool find_line(highway_line *out, const gen_config *config, const edge *e)
{
    const highway_grid *g = &config->highways;
    const int32_t v = g->variance;
    const int32_t i = (int32_t)floor_div(e->x + v, g->columns),
                  j = (int32_t)floor_div(e->y + v, g->rows);
    const bool near_row = e->y - j * g->rows <= v, near_column = e->x - i * g->columns <= v;
    for (int32_t k = i - 1; near_row && k <= i; k++)
        if (e->x <= (k + 1) * g->columns + v && line_crosses(out, config, e, k, j, true))
            return true;
    for (int32_t k = j - 1; near_column && k <= j; k++)
        if (e->y <= (k + 1) * g->rows + v && line_crosses(out, config, e, i, k, false))
            return true;
    return false;
}

/* ---- crossings ---- */

static int32_t draw_position(const gen_config *config, const highway_line *line, uint64_t key)
{
    rng at_run = rng_from_key(hash_add(line->key, (uint64_t)line->run));
    const int32_t base = rng_range(&at_run, FIRST, LAST);
    rng r = rng_from_key(key);
    if (rng_below(&r, HIGHWAY_CERTAIN) < config->highways.straightness)
        return rng_range(&r, FIRST, LAST);
    const int32_t at = base + rng_range(&r, -JITTER, JITTER);
    return at < FIRST ? FIRST : at > LAST ? LAST : at;
}

size_t plan_highways(crossing *out, const gen_config *config, const edge *rivers)
{
    highway_line line;
    const ptl_chunk_pos own = {rivers->x, rivers->y};
    const ptl_chunk_pos other = {rivers->x + (rivers->side == EDGE_EAST),
                                 rivers->y + (rivers->side == EDGE_SOUTH)};
    /* Highways do not cross an edge if one of its two overmaps lies, even in part, where there
     * may be sea. */
    if (config->highways.columns == 0 || ocean_in_chunk(&config->ocean, own) != OCEAN_NONE ||
        ocean_in_chunk(&config->ocean, other) != OCEAN_NONE ||
        !find_line(&line, config, rivers))
        return 0;
    const uint64_t key = hash_add(plan_key(config, "highway edge", rivers->x, rivers->y),
                                  (uint64_t)rivers->side);
    edge_strip strip = {.config = config, .edge = rivers};
    edge_strip_mark_rivers(&strip);
    *out = (crossing){.kind = CROSSING_HIGHWAY, .z = 1, .width = HIGHWAY_WIDTH};
    for (int32_t i = 0; i < TRIES && out->z == 1; i++) {
        const int32_t at = draw_position(config, &line, hash_add(key, (uint64_t)i));
        const bool dry = edge_strip_is_dry(&strip, at) && edge_strip_is_dry(&strip, at + 1);
        if (i == 0 || dry)
            out->position = (int16_t)at;
        if (dry)
            out->z = 0;
    }
    return 1;
}
