/*
 * Nested specials (generation.md 8.6): after everything else of a special, each that it names,
 * where that still fits, rotated as its parent is and with its city. A nested one needs no
 * occurrences of its own; a GLOBALLY_UNIQUE one still keeps to its home chunk.
 */
#include "gen/plan/plan_unique.h"
#include "gen/specials/place_impl.h"
#include "gen/specials/rules.h"

static bool tiles_fit(generator *g, const cat_special *s, const place_order *o, int8_t z)
{
    for (size_t i = 0; i < s->tile_count; i++) {
        const cat_tile *tile = &s->tiles[i];
        int32_t x, y;
        feature_rotate(tile->x, tile->y, o->rotation, &x, &y);
        x += o->x;
        y += o->y;
        if (!place_inside(x, y, z + tile->z) ||
            !place_accepts(g, tile->allows, tile->own, z + tile->z, y * SIZE + x))
            return false;
    }
    return s->tile_count > 0;
}

static bool check_fits(generator *g, const cat_check *check, const place_order *o, int8_t z)
{
    for (int32_t cz = check->z0; cz <= check->z1; cz++)
        for (int32_t cy = check->y0; cy <= check->y1; cy++)
            for (int32_t cx = check->x0; cx <= check->x1; cx++) {
                int32_t x, y;
                feature_rotate(cx, cy, o->rotation, &x, &y);
                x += o->x;
                y += o->y;
                if (!place_inside(x, y, z + cz) ||
                    !place_accepts(g, check->allows, check->own, z + cz, y * SIZE + x))
                    return false;
            }
    return true;
}

/* On the ground the site map knows. Its bitmaps are for origins at z = 0: off the ground the
 * tiles are looked at here. */
static bool fits(generator *g, const place_order *o, int8_t z)
{
    const cat_special *s = &g->config->cat->specials[o->special];
    if (!place_inside(o->x, o->y, z))
        return false;
    if (z == 0)
        return site_fits(g, o->special, o->rotation, o->x, o->y);
    if (!s->layout && !tiles_fit(g, s, o, z))
        return false;
    for (size_t i = 0; i < s->check_count; i++)
        if (!check_fits(g, &s->checks[i], o, z))
            return false;
    return true;
}

/* One that may be in the world only once: not elsewhere, and not in this chunk already. */
static bool may_be_here(const generator *g, uint16_t special)
{
    if (!(g->config->cat->specials[special].flags & PTL_SPECIAL_GLOBALLY_UNIQUE))
        return true;
    const ptl_chunk_pos home = special_home(g->config, special);
    if (home.x != g->chunk->pos.x || home.y != g->chunk->pos.y)
        return false;
    for (size_t i = 0; i < g->features.placement_count; i++)
        if (g->features.placements[i].special == special)
            return false;
    return true;
}

static void place_one(const placing *at, const cat_nested *nested, int depth)
{
    generator *g = at->g;
    const cat_special *s = &g->config->cat->specials[nested->special];
    int32_t x, y;
    feature_rotate(nested->x, nested->y, at->order->rotation, &x, &y);
    x += at->order->x;
    y += at->order->y;
    const int32_t z = at->z + nested->z;
    if ((s->tile_count == 0 && !s->layout) || !may_be_here(g, nested->special))
        return;
    place_order order = *at->order;
    order.special = nested->special;
    order.x = (int16_t)x;
    order.y = (int16_t)y;
    order.attempt = NULL;
    order.no_way = NULL;
    if (!place_inside(x, y, z) || !fits(g, &order, (int8_t)z) ||
        !place_at(g, &order, (int8_t)z, depth))
        add_event(g, "nested_skipped", x, y, z, s->id);
}

void place_nested(const placing *at, int depth)
{
    generator *g = at->g;
    for (size_t i = 0; i < at->special->nested_count && !g->failed; i++) {
        if (depth == NESTING_MAX || at->p->nested == NESTED_TOTAL_MAX) {
            add_event(g, "too_many", at->order->x, at->order->y, at->z, at->special->id);
            return;
        }
        at->p->nested++;
        place_one(at, &at->special->nested[i], depth + 1);
    }
}
