#include "gen/coast/coast_water.h"

#include "gen/coast/coast_plan.h"

#include <string.h>

enum {
    AROUND = 3 * COAST_SIDE, /* an OMT and its neighbours */
    PITCH = AROUND + 2       /* with a cell beside them, to which the sea never comes */
};
_Static_assert((int)COAST_STEPS <= (int)COAST_SIDE, "the neighbours are all that is in reach");

typedef struct flood {
    int16_t heights[AROUND * AROUND]; /* NEVER: rock */
    int16_t spills[PITCH * PITCH], across[PITCH * PITCH];
} flood;

static int16_t least(int16_t a, int16_t b)
{
    return a < b ? a : b;
}

/* Of each cell the least spill of itself and those to the west and the east. */
static void spread_across(flood *f)
{
    for (int32_t i = 1; i < PITCH * PITCH - 1; i++)
        f->across[i] = least(f->spills[i], least(f->spills[i - 1], f->spills[i + 1]));
}

/* One step further from the sea; what is sea stays so. */
static void spread(flood *f)
{
    spread_across(f);
    for (int32_t y = 0; y < AROUND; y++) {
        const int16_t *row = &f->across[(y + 1) * PITCH + 1];
        const int16_t *heights = &f->heights[y * AROUND];
        int16_t *spills = &f->spills[(y + 1) * PITCH + 1];
        for (int32_t x = 0; x < AROUND; x++) {
            const int16_t from = least(row[x], least(row[x - PITCH], row[x + PITCH]));
            const int16_t over = from > heights[x] ? from : heights[x];
            spills[x] = spills[x] == COAST_SPILL_SEA ? (int16_t)COAST_SPILL_SEA : over;
        }
    }
}

static void find_sea(flood *f, const coast_omt omts[9])
{
    for (int32_t i = 0; i < PITCH * PITCH; i++)
        f->spills[i] = f->across[i] = COAST_SPILL_NEVER;
    for (int32_t i = 0; i < AROUND * AROUND; i++) {
        const int32_t x = i % AROUND, y = i / AROUND;
        const coast_omt omt = omts[y / COAST_SIDE * 3 + x / COAST_SIDE];
        if (omt.kind != COAST_LAND && f->heights[i] < COAST_EBB)
            f->spills[(y + 1) * PITCH + x + 1] = COAST_SPILL_SEA;
        if (f->heights[i] >= COAST_ROCK_FROM)
            f->heights[i] = COAST_SPILL_NEVER;
    }
}

/* What of the flood is the OMT itself. */
static void take_middle(int16_t out[COAST_SIDE * COAST_SIDE], const flood *f)
{
    for (int32_t row = 0; row < COAST_SIDE; row++)
        memcpy(&out[row * COAST_SIDE],
               &f->spills[(COAST_SIDE + row + 1) * PITCH + COAST_SIDE + 1],
               COAST_SIDE * sizeof out[0]);
}

void coast_ground_of(coast_ground *out, const coast *c, int64_t x, int64_t y)
{
    flood f;
    int32_t scratch[COAST_SCRATCH(AROUND, AROUND)];
    coast_omt omts[9];
    const coast_rect around = {(x - 1) * COAST_SIDE, (y - 1) * COAST_SIDE, AROUND, AROUND};
    c->plan(c->payload, (coast_rect){x - 1, y - 1, 3, 3}, omts);
    coast_heights(f.heights, scratch, c, around);
    for (int32_t row = 0; row < COAST_SIDE; row++)
        memcpy(&out->heights[row * COAST_SIDE],
               &f.heights[(COAST_SIDE + row) * AROUND + COAST_SIDE],
               COAST_SIDE * sizeof out->heights[0]);
    find_sea(&f, omts);
    take_middle(out->within[0], &f);
    for (int32_t step = 1; step <= COAST_STEPS; step++) {
        spread(&f);
        take_middle(out->within[step], &f);
    }
    memcpy(out->spills, out->within[COAST_STEPS], sizeof out->spills);
}

/* No way leads below the cell's own height. */
static void lift(coast_ground *g, int32_t cell)
{
    const int16_t height = g->heights[cell];
    const bool sea = g->spills[cell] == COAST_SPILL_SEA && height < COAST_EBB;
    for (int32_t step = 0; step <= COAST_STEPS && !sea; step++)
        if (g->within[step][cell] < height)
            g->within[step][cell] = height;
    g->spills[cell] = g->within[COAST_STEPS][cell];
}

void coast_ground_settle(coast_ground *ground, const coast_omt planned[9], const bool wet[9])
{
    int32_t was[4], is[4];
    bool moved = false;
    for (int32_t i = 0; i < 4; i++) {
        static const int32_t meet[4] = {0, 1, 3, 4};
        coast_kind before[4], now[4];
        for (int32_t k = 0; k < 4; k++) {
            const int32_t at = meet[i] + meet[k];
            before[k] = planned[at].kind;
            now[k] = coast_actual(before[k], wet[at]);
        }
        was[i] = coast_corner(before);
        is[i] = coast_corner(now);
        moved = moved || was[i] != is[i];
    }
    for (int32_t i = 0; moved && i < COAST_SIDE * COAST_SIDE; i++) {
        const int32_t x = i % COAST_SIDE, y = i / COAST_SIDE;
        const int32_t by = coast_between(is, x, y) - coast_between(was, x, y);
        ground->heights[i] = (int16_t)(ground->heights[i] + by);
        lift(ground, i);
    }
}

int32_t coast_level(int32_t spill, int32_t tide)
{
    if (spill < tide)
        return tide;
    return spill < 0 ? spill : 0;
}

coast_feature coast_stands(int32_t height, int32_t level, bool full)
{
    if (height >= COAST_ROCK_FROM)
        return COAST_ROCK;
    if (full ? height - level < COAST_SHALLOW_FROM : height < COAST_SHALLOW_FROM)
        return COAST_DEEP;
    return height < level ? COAST_SHALLOW : COAST_DRY;
}

coast_feature coast_feature_of(int32_t height, int32_t spill, int32_t tide, bool full)
{
    return coast_stands(height, coast_level(spill, tide), full);
}

int32_t coast_level_now(int32_t *lag, const coast_ground *ground, int32_t cell,
                        const coast_moment *moment)
{
    int32_t before = COAST_SPILL_NEVER;
    for (int32_t k = 0; k <= COAST_STEPS; k++) {
        const int32_t spill = ground->within[k][cell];
        if (spill < before && spill < moment->tide[k]) {
            *lag = k;
            return moment->tide[k];
        }
        before = spill;
    }
    *lag = -1;
    return ground->spills[cell] < 0 ? ground->spills[cell] : 0;
}
