/* Computes spills, and what stands at a cell at a given tide. */
#include "gen/coast/coast_water.h"

#include <assert.h>
#include <string.h>

enum {
    AROUND = COAST_AROUND, /* an OMT and its neighbours */
    PITCH = AROUND + 2     /* with a border of cells that the sea never reaches */
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

/* Lets water go one step further from the sea. Cells of the sea stay sea. */
static void spread(flood *f)
{
    /* First the least spill of each cell and its western and eastern neighbours. */
    for (int32_t i = 1; i < PITCH * PITCH - 1; i++)
        f->across[i] = least(f->spills[i], least(f->spills[i - 1], f->spills[i + 1]));
    for (int32_t y = 0; y < AROUND; y++) {
        const int16_t *row = &f->across[(y + 1) * PITCH + 1];
        const int16_t *heights = &f->heights[y * AROUND];
        int16_t *spills = &f->spills[(y + 1) * PITCH + 1];
        for (int32_t x = 0; x < AROUND; x++) {
            const int16_t from = least(row[x], least(row[x - PITCH], row[x + PITCH]));
            const int16_t over = from > heights[x] ? from : heights[x];
            /* Chosen by a mask, since gcc 12 can't compile the plain choice for processors
             * with AVX-512. */
            const int16_t sea = (int16_t) - (spills[x] == COAST_SPILL_SEA);
            spills[x] = (int16_t)((sea & COAST_SPILL_SEA) | (~sea & over));
        }
    }
}

/* Copies the middle OMT out of the flood. */
static void take_middle(int16_t out[COAST_SIDE * COAST_SIDE], const flood *f)
{
    for (int32_t row = 0; row < COAST_SIDE; row++)
        memcpy(&out[row * COAST_SIDE],
               &f->spills[(COAST_SIDE + row + 1) * PITCH + COAST_SIDE + 1],
               COAST_SIDE * sizeof out[0]);
}

void coast_flood(coast_ground *out, const coast_window *w, const uint8_t *raise)
{
    flood f;
    assert(w->side == 3 || w->side == COAST_WINDOW_MAX);
    coast_window_get(out->heights, w, w->side / 2, w->side / 2);
    /* Fill in the nine OMTs in the middle of the window. */
    const int32_t pitch = w->side * COAST_SIDE, first = (w->side - 3) / 2 * COAST_SIDE;
    for (int32_t i = 0; i < PITCH * PITCH; i++)
        f.spills[i] = f.across[i] = COAST_SPILL_NEVER;
    for (int32_t i = 0; i < AROUND * AROUND; i++) {
        const int32_t x = i % AROUND, y = i / AROUND;
        const int32_t at = (first + y) * pitch + first + x;
        const int16_t height = w->heights[at];
        if (w->sea[at])
            f.spills[(y + 1) * PITCH + x + 1] = COAST_SPILL_SEA;
        f.heights[i] = height >= COAST_ROCK_FROM ? (int16_t)COAST_SPILL_NEVER : height;
    }
    memset(out->raise, 0, sizeof out->raise);
    if (raise) {
        /* Raised water passes over ground that is lower by that amount. */
        for (int32_t i = 0; i < AROUND * AROUND; i++)
            if (f.heights[i] != COAST_SPILL_NEVER)
                f.heights[i] = (int16_t)(f.heights[i] - raise[i]);
        for (int32_t row = 0; row < COAST_SIDE; row++)
            memcpy(&out->raise[row * COAST_SIDE],
                   &raise[(COAST_SIDE + row) * AROUND + COAST_SIDE], COAST_SIDE);
    }
    take_middle(out->within[0], &f);
    for (int32_t step = 1; step <= COAST_STEPS; step++) {
        spread(&f);
        take_middle(out->within[step], &f);
    }
    memcpy(out->spills, out->within[COAST_STEPS], sizeof out->spills);
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
            return moment->tide[k] + ground->raise[cell];
        }
        before = spill;
    }
    *lag = -1;
    return ground->spills[cell] < 0 ? ground->spills[cell] : 0;
}
