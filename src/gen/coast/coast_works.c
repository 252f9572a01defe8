#include "gen/coast/coast_works.h"

enum {
    CELLS = COAST_SIDE * COAST_SIDE,
    STEP = 7,   /* by which heights rise with each step */
    FAR = CELLS /* more steps than there are: no way leads there */
};

/* How many steps each cell is away from the nearest one of some features, a bit each. */
static void find_steps(int16_t steps[CELLS], const uint8_t features[CELLS], unsigned from)
{
    int16_t queue[CELLS];
    int32_t count = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        const bool source = from >> features[i] & 1;
        steps[i] = source ? 0 : FAR;
        if (source)
            queue[count++] = (int16_t)i;
    }
    for (int32_t head = 0; head < count; head++) {
        const int32_t at = queue[head], x = at % COAST_SIDE, y = at / COAST_SIDE;
        for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < COAST_SIDE; v++)
            for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < COAST_SIDE; u++) {
                const int32_t next = v * COAST_SIDE + u;
                if (steps[next] != FAR || features[next] == COAST_ROCK)
                    continue;
                steps[next] = (int16_t)(steps[at] + 1);
                queue[count++] = (int16_t)next;
            }
    }
}

static int32_t clamp(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* Shallow water so many steps from deep water, and from land. */
static int32_t shallow_height(int32_t was, int32_t deep, int32_t land)
{
    int32_t height = was;
    if (deep < FAR && land < FAR)
        height = COAST_SHALLOW_FROM - COAST_SHALLOW_FROM * deep / (deep + land);
    else if (deep < FAR)
        height = COAST_SHALLOW_FROM + STEP * deep;
    else if (land < FAR)
        height = COAST_FLOOR_FROM - STEP * land;
    return clamp(height, COAST_SHALLOW_FROM, COAST_FLOOR_FROM - 1);
}

static int32_t land_height(int32_t water)
{
    return water == FAR ? COAST_ROCK_FROM - 1
                        : clamp(STEP * (water - 1), COAST_FLOOR_FROM, COAST_ROCK_FROM - 1);
}

void coast_works(int16_t heights[CELLS], const uint8_t features[CELLS], const bool own[CELLS])
{
    const unsigned sea = 1U << COAST_DEEP, flat = 1U << COAST_SHALLOW, dry = 1U << COAST_DRY;
    int16_t deep[CELLS], land[CELLS], water[CELLS];
    unsigned which = 0;
    for (int32_t i = 0; i < CELLS; i++)
        which |= own[i] ? 1U << features[i] : 0;
    if (which & flat) {
        find_steps(deep, features, sea);
        find_steps(land, features, dry);
    }
    if (which & dry)
        find_steps(water, features, sea | flat);
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t height = heights[i];
        if (own[i] && features[i] == COAST_DEEP)
            height = COAST_SHALLOW_FROM - 1;
        else if (own[i] && features[i] == COAST_SHALLOW)
            height = shallow_height(height, deep[i], land[i]);
        else if (own[i] && features[i] == COAST_DRY)
            height = land_height(water[i]);
        else if (own[i])
            height = COAST_ROCK_FROM;
        heights[i] = (int16_t)height;
    }
}
