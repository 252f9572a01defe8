/*
 * Ant hills, in the form of the games that have no mutable specials. Four tunnels lead from the
 * middle; their branches are shorter; chambers lie beside them; one cell holds the queen.
 * Tunnels are of a linear terrain that belongs to no connection. After all hills of a level are
 * dug, each tunnel cell gets an arm towards every neighbouring tunnel or chamber.
 */
#include "gen/below/sublevels.h"

#include <string.h>

enum {
    /* Least and greatest size of an ant hill: how many cells its tunnels reach from the
     * middle. */
    SIZE_LEAST = 8,
    SIZE_MOST = 20,
    /* The most cells of tunnel that are dug for one ant hill. The largest hills need some
     * thousands. */
    STEPS_MAX = 20000
};

typedef struct hill {
    const sub_level *l;
    rng random;
    int kind; /* 0: usual ants, 1: acid ants */
    int32_t steps;
} hill;

static bool is_tunnel(const sub_level *l, int32_t x, int32_t y)
{
    if (!inside(x, y))
        return false;
    const cat_oter *oters = l->g->config->cat->oters;
    return oters[l->cells[y * SIZE + x]].terrain == oters[l->content->ants].terrain;
}

static void chamber(hill *h, int32_t x, int32_t y)
{
    const sub_content *r = h->l->content;
    sub_put(h->l, x, y, rng_one_in(&h->random, 2) ? r->ants_food : r->ants_larvae[h->kind]);
}

/* Digs a tunnel of `left` cells, with its chambers and branches. A branch is shorter than what
 * is left of its tunnel, so the recursion is at most SIZE_MOST calls deep. */
static void tunnel(hill *h, int32_t x, int32_t y, int32_t left, int direction)
{
    const sub_level *l = h->l;
    for (; left > 0; left--, x += step_x(direction), y += step_y(direction)) {
        if (++h->steps > STEPS_MAX)
            return;
        if (sub_free(l, x, y))
            sub_put(l, x, y, l->content->ants);
        else if (!is_tunnel(l, x, y) || !sub_own(l, x, y))
            return;
        bool fresh[4];
        for (int d = 0; d < 4; d++)
            fresh[d] = sub_free(l, x + step_x(d), y + step_y(d));
        for (int d = 0; d < 4; d++) {
            if (!fresh[d] || (d == direction && left > 1))
                continue;
            if (rng_one_in(&h->random, 2 * left)) {
                if (sub_free(l, x + step_x(d), y + step_y(d)))
                    chamber(h, x + step_x(d), y + step_y(d));
            } else if (rng_one_in(&h->random, 5)) {
                tunnel(h, x + step_x(d), y + step_y(d), left - rng_range(&h->random, 1, 3), d);
            }
        }
    }
}

void sub_ants(const sub_level *l, int32_t x, int32_t y, int kind)
{
    hill h = {.l = l, .random = sub_stream(l, "sublevels/ants", x, y), .kind = kind};
    const int32_t size = rng_range(&h.random, SIZE_LEAST, SIZE_MOST);
    const int32_t population = rng_range(&h.random, 6000, 8000);
    for (int d = 0; d < 4; d++)
        tunnel(&h, x, y, size - rng_range(&h.random, 0, 3), d);
    if (h.steps > STEPS_MAX)
        add_event(l->g, "too_many", x, y, l->z, "tunnels of an ant hill: the rest is not dug");
    /* Put the queen on one of the tunnel cells of this hill, each with the same chance. */
    int32_t chosen = -1, seen = 0;
    for (int32_t cy = y - size; cy <= y + size; cy++)
        for (int32_t cx = x - size; cx <= x + size; cx++)
            if (sub_own(h.l, cx, cy) && is_tunnel(h.l, cx, cy) &&
                rng_below(&h.random, (uint64_t)++seen) == 0)
                chosen = cy * SIZE + cx;
    if (chosen >= 0)
        sub_put(h.l, chosen % SIZE, chosen / SIZE, h.l->content->ants_queen[h.kind]);
    add_group(l->g, (gen_group){.type = kind ? "GROUP_ANT_ACID" : "GROUP_ANT",
                                .x = (int16_t)(2 * x),
                                .y = (int16_t)(2 * y),
                                .z = (int8_t)l->z,
                                .radius = (int16_t)(3 * size / 2),
                                .population = population});
}

/* Does a tunnel get an arm towards the cell (x, y), its neighbour in this direction? It does if
 * step sublevels made a chamber or a tunnel there. It also does if a special has a tunnel
 * there, with an arm towards this tunnel. */
static bool leads_to(const sub_level *l, int32_t x, int32_t y, int direction)
{
    const sub_content *r = l->content;
    if (!inside(x, y))
        return false;
    const ptl_oter o = l->cells[y * SIZE + x];
    if (is_tunnel(l, x, y) && !sub_own(l, x, y))
        return l->g->config->cat->oters[o].line >> opposite(direction) & 1;
    return is_tunnel(l, x, y) ||
           (sub_own(l, x, y) &&
            (o == r->ants_food || o == r->ants_larvae[0] || o == r->ants_larvae[1] ||
             o == r->ants_queen[0] || o == r->ants_queen[1]));
}

_Static_assert((int)CELLS % 8 == 0, "a level is whole eights");

void sub_ants_finish(const sub_level *l)
{
    for (int32_t i = 0; i < CELLS && l->content->ants_merge; i += 8) {
        /* Reads the marks of eight cells at once: has this step written any of these cells on
         * this level? */
        const uint64_t here = UINT64_C(0x0101010101010101) * SUB_HERE;
        uint64_t eight;
        memcpy(&eight, &l->s->marks[i], sizeof eight);
        if ((eight & here) == 0)
            continue;
        for (int32_t c = i; c < i + 8; c++) {
            const int32_t x = c % SIZE, y = c / SIZE;
            if (sub_own(l, x, y) && is_tunnel(l, x, y)) {
                int arms = 0;
                for (int d = 0; d < 4; d++)
                    arms |= leads_to(l, x + step_x(d), y + step_y(d), d) << d;
                sub_put(l, x, y, (ptl_oter)(l->content->ants + arms));
            }
        }
    }
}
