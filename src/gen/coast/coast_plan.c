#include "gen/coast/coast_plan.h"

#include <assert.h>
#include <string.h>

/* A row of cells, each with one beside it at either end, in whole blocks. */
enum { ROW = COAST_PLAN_WIDTH + 2 + NOISE_BLOCK };

static void look_at_row(const coast_plan *plan, uint8_t row[ROW], int64_t x, int64_t y,
                        int32_t width)
{
    const ocean_share share = ocean_in(plan->ocean, x, y, x + width - 1, y);
    if (share != OCEAN_MIXED) {
        memset(row, share == OCEAN_ALL, (size_t)width);
        return;
    }
    for (int32_t i = 0; i < width; i += NOISE_BLOCK)
        ocean_block(plan->ocean, x + i, y, &row[i]);
}

/* Of the cell at i + 1 of the middle row. */
static coast_kind kind_of(uint8_t *const rows[3], int32_t i, uint8_t share)
{
    int sea = 0;
    if (!rows[1][i + 1])
        return COAST_LAND;
    for (int row = 0; row < 3; row++)
        sea += rows[row][i] + rows[row][i + 1] + rows[row][i + 2];
    if (sea < 9)
        return COAST_SHORE;
    return share > 0 ? COAST_SEA : COAST_OPEN;
}

void coast_plan_omts(const void *payload, coast_rect omts, coast_omt *out)
{
    const coast_plan *plan = payload;
    uint8_t cells[3][ROW], shares[COAST_PLAN_WIDTH], *rows[3] = {cells[0], cells[1], cells[2]};
    const int32_t wide = omts.width + 2;
    assert(omts.width <= COAST_PLAN_WIDTH);
    look_at_row(plan, rows[1], omts.x - 1, omts.y - 1, wide);
    look_at_row(plan, rows[2], omts.x - 1, omts.y, wide);
    for (int32_t j = 0; j < omts.height; j++) {
        uint8_t *first = rows[0];
        rows[0] = rows[1];
        rows[1] = rows[2];
        rows[2] = first;
        look_at_row(plan, rows[2], omts.x - 1, omts.y + j + 1, wide);
        coast_shares(shares, plan->seed, omts.x, omts.y + j, omts.width);
        for (int32_t i = 0; i < omts.width; i++)
            out[j * omts.width + i] =
                (coast_omt){(uint8_t)kind_of(rows, i, shares[i]), shares[i]};
    }
}

coast coast_of_plan(const coast_plan *plan, const cat_shoals *shoals)
{
    return (coast){.seed = plan->seed,
                   .parameters = {.islands_min = shoals->islands_min,
                                  .islands_max = shoals->islands_max,
                                  .cliffs = shoals->cliffs,
                                  .plants = shoals->plants},
                   .plan = coast_plan_omts,
                   .payload = plan};
}

coast_kind coast_actual(coast_kind planned, bool wet)
{
    if (!wet)
        return COAST_LAND;
    return planned == COAST_LAND ? COAST_SHORE : planned;
}
