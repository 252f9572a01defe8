/*
 * Fords: when a way without swimming is open between two places. A higher tide closes ways and
 * opens none, so each tile has a highest tide at which it can be passed, and so has the way:
 * that is found by halves, a flood for each.
 */
#include "core/error.h"
#include "core/sized.h"
#include "world/local/local.h"
#include "world/local/local_reader.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NEVER = PTL_TIDE_LOW - 1, AROUND = PTL_LOCAL_FORD_AROUND };

typedef struct ford_map {
    int64_t x, y;          /* the first OMT */
    int32_t width, height; /* tiles */
    int8_t *open;          /* owned: the highest tide at which a tile can be passed; NEVER */
    uint8_t *seen;         /* owned, as the next: of a flood */
    int32_t *queue;
} ford_map;

/* ---- how far tiles are open ---- */

static int8_t open_until(const local_sea *sea, int32_t cell)
{
    const int32_t height = sea->ground.heights[cell], spill = sea->ground.spills[cell];
    int32_t tide = PTL_TIDE_HIGH;
    while (tide > NEVER && coast_feature_of(height, spill, tide, sea->full) == COAST_DEEP)
        tide--;
    return height >= COAST_ROCK_FROM ? NEVER : (int8_t)tide;
}

static ptl_status read_omt(ford_map *m, local_reader *r, int32_t i, int32_t j, ptl_error *err)
{
    local_sea sea;
    const ptl_omt at = {m->x + i, m->y + j, 0};
    const ptl_status status = local_reader_sea(&sea, r, at, err);
    for (int32_t cell = 0; cell < LOCAL_CELLS && status == PTL_OK; cell++) {
        const int32_t x = i * LOCAL_SIDE + cell % LOCAL_SIDE;
        const int32_t y = j * LOCAL_SIDE + cell / LOCAL_SIDE;
        m->open[y * m->width + x] = sea.any           ? open_until(&sea, cell)
                                    : sea.other_water ? (int8_t)NEVER
                                                      : (int8_t)PTL_TIDE_HIGH;
    }
    return status;
}

/* ---- the way ---- */

/* Is there a way at a tide? */
static bool is_open(ford_map *m, int32_t from, int32_t to, int32_t tide)
{
    int32_t head = 0, count = 0;
    assert(m->open && m->seen && m->queue);
    if (m->open[from] < tide || m->open[to] < tide)
        return false;
    memset(m->seen, 0, (size_t)m->width * (size_t)m->height);
    m->seen[from] = 1;
    m->queue[count++] = from;
    while (head < count && !m->seen[to]) {
        const int32_t at = m->queue[head++], x = at % m->width, y = at / m->width;
        for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < m->height; v++)
            for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < m->width; u++) {
                const int32_t next = v * m->width + u;
                if (m->seen[next] || m->open[next] < tide)
                    continue;
                m->seen[next] = 1;
                m->queue[count++] = next;
            }
    }
    return m->seen[to];
}

static int32_t highest_tide(ford_map *m, int32_t from, int32_t to)
{
    int32_t low = NEVER, high = PTL_TIDE_HIGH;
    while (low < high) {
        const int32_t middle = high - (high - low) / 2;
        if (is_open(m, from, to, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The steps of a period at which the tide is no higher. */
static void find_windows(ptl_local_ford *out, int64_t turns)
{
    bool before = false;
    for (int32_t step = 0; step < PTL_TIDE_PERIOD; step++) {
        const bool now = ptl_tide_height(step) <= out->tide;
        if (now && !before)
            out->from[out->count++] = step * turns;
        if (now)
            out->to[out->count - 1] = (step + 1) * turns - 1;
        before = now;
    }
}

/* ---- the call ---- */

static int64_t lower(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static ptl_status lay_out(ford_map *m, ptl_omt a, ptl_omt b, ptl_error *err)
{
    const int64_t wide = a.x > b.x ? a.x - b.x : b.x - a.x;
    const int64_t high = a.y > b.y ? a.y - b.y : b.y - a.y;
    if (wide >= PTL_LOCAL_FORD_SIDE || high >= PTL_LOCAL_FORD_SIDE)
        return error_set(
            err, PTL_ERR_LIMIT,
            "the places are %lld x %lld OMTs apart: a ford is looked for within %d",
            (long long)wide + 1, (long long)high + 1, PTL_LOCAL_FORD_SIDE);
    m->x = lower(a.x, b.x) - AROUND;
    m->y = lower(a.y, b.y) - AROUND;
    m->width = LOCAL_SIDE * (int32_t)(wide + 1 + 2 * AROUND);
    m->height = LOCAL_SIDE * (int32_t)(high + 1 + 2 * AROUND);
    const size_t cells = (size_t)m->width * (size_t)m->height;
    m->open = malloc(cells);
    m->seen = malloc(cells);
    m->queue = malloc(cells * sizeof *m->queue);
    return m->open && m->seen && m->queue ? PTL_OK : error_nomem(err);
}

static ptl_status read_all(ford_map *m, ptl_world *world, ptl_error *err)
{
    local_reader *r = local_reader_new(world);
    ptl_status status = r ? PTL_OK : error_nomem(err);
    for (int32_t j = 0; j < m->height / LOCAL_SIDE && status == PTL_OK; j++)
        for (int32_t i = 0; i < m->width / LOCAL_SIDE && status == PTL_OK; i++)
            status = read_omt(m, r, i, j, err);
    local_reader_free(r);
    return status;
}

static int32_t cell_of(const ford_map *m, int64_t x, int64_t y)
{
    return (int32_t)(y - m->y * LOCAL_SIDE) * m->width + (int32_t)(x - m->x * LOCAL_SIDE);
}

ptl_status ptl_local_ford_find(ptl_local_ford *out, ptl_world *world, int64_t x0, int64_t y0,
                               int64_t x1, int64_t y1, ptl_error *err)
{
    int32_t cell, tide;
    ford_map m = {.open = NULL};
    const ptl_omt a = world_local_tile(&cell, x0, y0), b = world_local_tile(&cell, x1, y1);
    error_clear(err);
    ptl_status status = SIZED_CHECK(ptl_local_ford, out, err);
    if (status == PTL_OK)
        status = world_local_place(a, err);
    if (status == PTL_OK)
        status = world_local_place(b, err);
    if (status == PTL_OK)
        status = ptl_local_tide(&tide, world, 0, err);
    if (status == PTL_OK)
        status = lay_out(&m, a, b, err);
    if (status == PTL_OK)
        status = read_all(&m, world, err);
    if (status == PTL_OK) {
        const int64_t turns = ptl_local_tide_turns(world);
        ptl_local_ford found = {.period = turns * PTL_TIDE_PERIOD};
        found.tide = highest_tide(&m, cell_of(&m, x0, y0), cell_of(&m, x1, y1));
        find_windows(&found, turns);
        SIZED_FILL(ptl_local_ford, out, &found);
    }
    free(m.open);
    free(m.seen);
    free(m.queue);
    return status;
}
