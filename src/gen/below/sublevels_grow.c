/*
 * Slime pits, mines and what lies at their ends. Each stays on cells that hold the level's
 * default, so that nothing which is there already is lost.
 */
#include "gen/below/sublevels.h"

enum { SPIRAL_POPULATION = 200, SPIRAL_RADIUS = 2 };

rng sub_stream(const sub_level *l, const char *what, int32_t x, int32_t y)
{
    return cell_stream(l->g, hash_add(step_key(l->g, what), (uint64_t)(l->z - PTL_Z_MIN)), x,
                       y);
}

ptl_oter sub_below(const sub_level *l, int32_t x, int32_t y)
{
    if (l->z == PTL_Z_MIN || !inside(x, y))
        return CAT_NONE;
    const level *below = chunk_level(l->g->chunk, l->z - 1);
    return below->cells ? below->cells[y * SIZE + x] : below->fill;
}

/* Slime and the rock around it may be painted over by slime, whosever they are. */
static bool slime_takes(const sub_level *l, int32_t x, int32_t y)
{
    if (sub_free(l, x, y))
        return true;
    const ptl_oter here = inside(x, y) ? l->cells[y * SIZE + x] : (ptl_oter)CAT_NONE;
    return sub_own(l, x, y) && here == l->content->rock;
}

static void slime_cell(const sub_level *l, rng *r, int32_t x, int32_t y)
{
    for (int d = 0; d < 4 && l->content->rock != CAT_NONE; d++)
        if (sub_free(l, x + step_x(d), y + step_y(d)))
            sub_put(l, x + step_x(d), y + step_y(d), l->content->rock);
    const bool down = rng_one_in(r, 8) && sub_below(l, x, y) != CAT_NONE;
    sub_put(l, x, y, down ? l->content->slimepit_down : l->content->slimepit);
}

void sub_slime(const sub_level *l, int32_t x, int32_t y)
{
    rng r = sub_stream(l, "sublevels/slime", x, y);
    const int32_t radius = rng_range(&r, 1, 2) + l->z + 1;
    for (int32_t dy = -radius; dy <= radius; dy++)
        for (int32_t dx = -radius; dx <= radius; dx++) {
            const int32_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
            const bool grows = rng_one_in(&r, 2 * (ax > ay ? ax : ay));
            if (grows && slime_takes(l, x + dx, y + dy))
                slime_cell(l, &r, x + dx, y + dy);
        }
}

/* A walk that never crosses itself; where it can't go on it goes down, or has come to the
 * end. */
void sub_mine(const sub_level *l, int32_t x, int32_t y)
{
    rng r = sub_stream(l, "sublevels/mine", x, y);
    const int32_t size = rng_range(&r, 6 + l->z, 10 + l->z);
    const bool last = size <= rng_range(&r, 1, 3) || l->z == PTL_Z_MIN;
    for (int32_t left = size > 2 ? size : 2; left > 0; left--) {
        int ways[4], count = 0;
        for (int d = 0; d < 4; d++)
            if (sub_free(l, x + step_x(d), y + step_y(d)))
                ways[count++] = d;
        if (count == 0)
            break;
        const int d = ways[rng_below(&r, (uint64_t)count)];
        x += step_x(d);
        y += step_y(d);
        sub_put(l, x, y, l->content->mine);
    }
    sub_put(l, x, y, last ? l->content->mine_finale : l->content->mine_down);
}

void sub_spiral(const sub_level *l, int32_t x, int32_t y)
{
    for (int32_t i = 0; i < 9; i++)
        if (sub_free(l, x + i % 3 - 1, y + i / 3 - 1))
            sub_put(l, x + i % 3 - 1, y + i / 3 - 1, l->content->spiral);
    sub_put(l, x, y, l->content->spiral_hub);
    gen_group *group = features_add_group(&l->g->features);
    if (!group) {
        l->g->failed = true;
        return;
    }
    *group = (gen_group){.type = "GROUP_SPIRAL",
                         .x = (int16_t)(2 * x),
                         .y = (int16_t)(2 * y),
                         .z = (int8_t)l->z,
                         .radius = SPIRAL_RADIUS,
                         .population = SPIRAL_POPULATION};
}
