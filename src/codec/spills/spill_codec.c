/*
 * Codes the spills of a local map (how high its tiles lie and over which heights the sea
 * reaches them, model/spills.h) by a range coder whose models learn from earlier cells
 * (format.md, "Spills"). For each tile come its height, predicted from its neighbours, and
 * whether it is sea. Then come the water's ways to the tiles of the map's outermost rows and
 * columns, from which the ways to all other tiles follow. The same functions both write and
 * read.
 */
#include "codec/spills/spill_codec.h"

#include "codec/number_coder.h"
#include "core/error.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 1,
    SIDE = LOCAL_SIDE,
    /* Limit of the numbers that are read: a number from this on is an error. */
    NUMBERS_END = 1 << 18,
    ROUGHNESS = 6,
    SEA_BELOW = -18, /* height of the lowest tide: a tile at this height or above it is never
                        coded as sea */
    LATER = SPILL_STEPS + 1 /* more steps than any way has: this stands for a tile that the
                             * sea's water can't reach */
};

typedef struct model {
    number_model height[ROUGHNESS], first, above, longer, lower;
    range_bit sea[8], level[2], as_beside, more[2];
} model;

typedef struct walk {
    coder coder;
    model *m;
    local_spills *s;
    bool failed; /* the bytes that were read are not valid */
} walk;

/* ---- numbers ---- */

static uint32_t code_small(walk *w, number_model *m, uint32_t number)
{
    const uint32_t found = code_number(&w->coder, m, number);
    w->failed = w->failed || found >= NUMBERS_END;
    return w->failed ? 0 : found;
}

/* Turns a number with a sign into one without: 0, -1, 1, -2, ... become 0, 1, 2, 3, ... So
 * numbers near 0 stay small. */
static uint32_t folded(int32_t v)
{
    return v < 0 ? 2 * (uint32_t)-v - 1 : 2 * (uint32_t)v;
}

static int32_t unfolded(uint32_t v)
{
    return v % 2 ? -(int32_t)((v + 1) / 2) : (int32_t)(v / 2);
}

static int16_t in_range(walk *w, int32_t v)
{
    w->failed = w->failed || v <= INT16_MIN || v >= INT16_MAX;
    return w->failed ? 0 : (int16_t)v;
}

/* ---- heights ---- */

/* Finds the neighbours of tile i that are coded before it: to the west, north, north-west and
 * north-east. If one of them would lie outside of the map, its place is taken by another one.
 * If all of them would, tile i itself takes their places. */
static void find_before(int32_t out[4], int32_t i)
{
    const int32_t x = i % SIDE, y = i / SIDE;
    const int32_t north = y > 0 ? i - SIDE : x > 0 ? i - 1 : i;
    const int32_t west = x > 0 ? i - 1 : north;
    out[0] = west;
    out[1] = north;
    out[2] = x > 0 && y > 0 ? i - SIDE - 1 : x > 0 ? west : north;
    out[3] = x + 1 < SIDE && y > 0 ? i - SIDE + 1 : north;
}

static void code_height(walk *w, int32_t i)
{
    static const int32_t limits[ROUGHNESS - 1] = {0, 2, 6, 14, 40};
    int32_t at[4], rough = 0;
    int16_t *h = w->s->heights;
    find_before(at, i);
    const int32_t west = i > 0 ? h[at[0]] : 0, north = i > 0 ? h[at[1]] : 0;
    const int32_t corner = i > 0 ? h[at[2]] : 0, ahead = i > 0 ? h[at[3]] : 0;
    const int32_t v = west + north - corner;
    const int32_t low = west < north ? west : north, high = west < north ? north : west;
    const int32_t guess = v < low ? low : v > high ? high : v;
    const int32_t sum = abs(west - corner) + abs(north - corner) + abs(north - ahead);
    while (rough < ROUGHNESS - 1 && sum > limits[rough])
        rough++;
    const uint32_t off = code_small(w, &w->m->height[rough], folded(h[i] - guess));
    const int16_t height = in_range(w, guess + unfolded(off));
    if (!w->coder.to)
        h[i] = height;
}

/* ---- the sea ---- */

static void fill(local_spills *s, int32_t i, int32_t from, int16_t low)
{
    for (int32_t k = from; k <= SPILL_STEPS; k++)
        s->within[k][i] = low;
}

static bool is_sea(const local_spills *s, int32_t i)
{
    return s->within[0][i] == SPILL_SEA;
}

/* ---- ways ---- */

/* Looks for a lower way by which water reaches tile i, if it may take more steps than `step`.
 * (s->within[k][i] is how high the lowest way with at most k steps lies.) Returns the least
 * number of steps of such a way; LATER: there is none. */
static int32_t step_after(const local_spills *s, int32_t i, int32_t step)
{
    const int16_t low = s->within[step][i];
    while (step <= SPILL_STEPS && s->within[step][i] == low)
        step++;
    return step;
}

/* Writes or reads how high the shortest way lies by which water reaches tile i. This may be the
 * tile's own height, the height of the way to its neighbour `before`, or any other height above
 * the tile's own. Bits say which of the three it is. */
static int16_t code_low(walk *w, int32_t i, int32_t before, int16_t low)
{
    const int16_t height = w->s->heights[i];
    const int16_t beside = i > 0 ? w->s->within[SPILL_STEPS][before] : (int16_t)SPILL_NEVER;
    const bool slope = i > 0 && beside == w->s->heights[before];
    if (code_bit(&w->coder, &w->m->level[slope], low == height))
        return height;
    if (beside > height && beside != SPILL_NEVER &&
        code_bit(&w->coder, &w->m->as_beside, low == beside))
        return beside;
    const uint32_t over = code_small(w, &w->m->above, (uint32_t)(low - height - 1));
    return in_range(w, height + 1 + (int32_t)over);
}

/* Codes the ways by which the sea's water reaches tile i, except the shortest way, which is
 * coded already. A way is coded only if it is lower than all shorter ways. */
static void code_longer(walk *w, int32_t i, int32_t step)
{
    local_spills *s = w->s;
    for (bool more = false; !w->failed && step < SPILL_STEPS; more = true) {
        const int16_t low = s->within[step][i];
        const int32_t known = w->coder.to ? step_after(s, i, step) : LATER;
        if (low <= s->heights[i] || !code_bit(&w->coder, &w->m->more[more], known < LATER))
            return;
        const int16_t then = w->coder.to ? s->within[known][i] : 0;
        const uint32_t longer = code_small(w, &w->m->longer, (uint32_t)(known - step - 1));
        const uint32_t lower = code_small(w, &w->m->lower, (uint32_t)(low - then - 1));
        const int32_t next = low - 1 - (int32_t)lower;
        w->failed = w->failed || longer >= (uint32_t)(LATER - step - 1) || next < s->heights[i];
        step += w->failed ? 0 : (int32_t)longer + 1;
        if (!w->coder.to && !w->failed)
            fill(s, i, step, (int16_t)next);
    }
}

static bool is_beside_sea(const local_spills *s, int32_t i)
{
    const int32_t x = i % SIDE, y = i / SIDE;
    bool any = false;
    for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < SIDE; v++)
        for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < SIDE; u++)
            any = any || is_sea(s, v * SIDE + u);
    return any;
}

/* Writes or reads the ways by which water comes to tile i, which lies in an outermost row or
 * column of the map. A way leads from tile to tile, which are its steps. For each way there is
 * the number of its steps, and how high it lies. `before` is the tile of that row or column
 * whose ways were coded just before. */
static void code_ways(walk *w, int32_t i, int32_t before)
{
    local_spills *s = w->s;
    if (is_sea(s, i) || s->heights[i] >= SPILL_ROCK_FROM)
        return;
    if (is_beside_sea(s, i)) {
        if (!w->coder.to)
            fill(s, i, 1, s->heights[i]);
        return;
    }
    /* Water that reaches a tile which is not beside the sea comes by at least a certain number
     * of steps. This number is guessed from the ways to the tile `before`, and only its
     * difference from the guess is coded. */
    const int32_t guess = i == 0                 ? LATER
                          : is_sea(w->s, before) ? 1
                                                 : step_after(w->s, before, 0);
    const int32_t known = w->coder.to ? step_after(w->s, i, 0) : 0;
    const uint32_t off = code_small(w, &w->m->first, folded(known - guess));
    const int32_t first = guess + unfolded(off);
    w->failed = w->failed || first < 1 || first > LATER;
    const int32_t step = w->failed ? LATER : first;
    if (step == LATER || w->failed)
        return;
    const int16_t low = code_low(w, i, before, s->within[step][i]);
    if (!w->coder.to)
        fill(s, i, step, low);
    code_longer(w, i, step);
}

static void code_all(walk *w)
{
    model_bits((range_bit *)(void *)w->m, sizeof *w->m / sizeof(range_bit));
    for (int32_t i = 0; i < LOCAL_CELLS && !w->failed; i++) {
        code_height(w, i);
        int32_t at[4];
        find_before(at, i);
        const bool low = w->s->heights[i] < SEA_BELOW;
        const unsigned west = i > 0 && is_sea(w->s, at[0]),
                       north = i > 0 && is_sea(w->s, at[1]);
        const bool sea =
            code_bit(&w->coder, &w->m->sea[4u * low + 2u * west + north], is_sea(w->s, i));
        w->failed = w->failed || (sea && !low);
        if (!w->coder.to)
            fill(w->s, i, 0, sea ? SPILL_SEA : SPILL_NEVER);
    }
    for (int32_t i = 0; i < LOCAL_CELLS && !w->failed; i++) {
        const int32_t x = i % SIDE, y = i / SIDE;
        const bool along = y == 0 || y == SIDE - 1;
        if (along || x == 0 || x == SIDE - 1)
            code_ways(w, i, x > 0 && along ? i - 1 : i - SIDE);
    }
}

/* ---- writing ---- */

ptl_status spills_encode(bytes *out, const local_spills *spills, ptl_error *err)
{
    model m;
    local_spills s = *spills;
    bytes_clear(out);
    bytes_put_u8(out, VERSION);
    range_encoder e = range_encoder_over(out);
    walk w = {.coder = {&e, NULL}, .m = &m, .s = &s};
    code_all(&w);
    assert(!w.failed);
    range_finish(&e);
    return out->failed ? error_nomem(err) : PTL_OK;
}

/* ---- reading ---- */

static int16_t least(int16_t a, int16_t b)
{
    return a < b ? a : b;
}

ptl_status spills_decode(local_spills *out, const void *blob, size_t size, ptl_error *err)
{
    model m;
    byte_reader r = byte_reader_over(blob, size);
    if (byte_reader_u8(&r) != VERSION || r.failed)
        return error_set(err, PTL_ERR_CORRUPT, "spills: a version that is not known");
    const uint8_t *end = (const uint8_t *)blob + size;
    range_decoder d = range_decoder_over(end - byte_reader_left(&r), end);
    walk w = {.coder = {NULL, &d}, .m = &m, .s = out};
    memset(out, 0, sizeof *out);
    code_all(&w);
    if (w.failed)
        return error_set(err, PTL_ERR_CORRUPT, "spills: a number out of range");
    if (d.at < d.end)
        return error_set(err, PTL_ERR_CORRUPT, "spills: bytes after the last");
    for (int step = 0; step < SPILL_STEPS; step++)
        for (int32_t y = 1; y < SIDE - 1; y++) {
            /* For each tile of this row, find how high the lowest way lies by which water
             * reaches the tile in at most step + 1 steps. That way comes from the tile itself
             * or from one of those around it, which water reaches in at most `step` steps. */
            const int16_t *north = &out->within[step][(y - 1) * SIDE],
                          *heights = &out->heights[y * SIDE];
            const int16_t *middle = north + SIDE, *south = middle + SIDE;
            int16_t *next = &out->within[step + 1][y * SIDE], low[SIDE], over[SIDE];
            for (int x = 0; x < SIDE; x++)
                low[x] = least(middle[x], least(north[x], south[x]));
            for (int x = 1; x < SIDE - 1; x++) {
                over[x] = least(low[x], least(low[x - 1], low[x + 1]));
                over[x] = over[x] > heights[x] ? over[x] : heights[x];
                over[x] = heights[x] >= SPILL_ROCK_FROM ? (int16_t)SPILL_NEVER : over[x];
                next[x] = middle[x] == SPILL_SEA ? (int16_t)SPILL_SEA : over[x];
            }
        }
    return PTL_OK;
}
