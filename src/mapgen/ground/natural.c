/* Fields and forests, by the region's settings. */
#include "mapgen/ground/ground_impl.h"

#include <string.h>

/* Draws from a list, and what the pseudo id that comes of it stands for. */
static bool draw(ground *g, const ground_weights *weights, uint32_t *id, bool *furniture)
{
    const ground_choice *c = ground_draw(weights, &g->random);
    if (!c)
        return false;
    *furniture = c->furniture;
    *id = ground_resolve(g->site->settings, &g->random, c->id);
    return *id != ID_NONE;
}

/* True with a probability given in percent, which may be a fraction. */
static bool percent(ground *g, double wanted)
{
    enum { MILLION = 1000000, OF_PERCENT = 10000 };
    return wanted * OF_PERCENT > (double)rng_below(&g->random, MILLION);
}

uint32_t ground_cover_tile(ground *g)
{
    const ground_settings *s = g->site->settings;
    uint32_t id = ID_NONE;
    bool furniture = false;
    const bool drawn = s && draw(g, &s->cover, &id, &furniture);
    return drawn && !furniture ? id : ground_id(g, "t_grass");
}

void ground_cover(ground *g)
{
    for (int i = 0; i < LOCAL_CELLS; i++)
        g->map->terrain[i] = ground_cover_tile(g);
}

static void put_drawn(ground *g, int x, int y, uint32_t id, bool furniture)
{
    if (furniture)
        ground_furnish(g, x, y, id);
    else
        ground_put(g, x, y, id);
}

/* ---- fields ---- */

/* One of the plants that a field may have; the lists' weights are in percent, and what is left
 * of 100 is the plain one. */
static bool field_plant(ground *g, const ground_field *f, uint32_t *id, bool *furniture)
{
    if (f->plain != ID_NONE && !percent(g, f->other_percent)) {
        *id = ground_resolve(g->site->settings, &g->random, f->plain);
        *furniture = false;
        return *id != ID_NONE;
    }
    return draw(g, &f->other, id, furniture);
}

/* In few fields more grows, half of it of one sort. */
void make_field(ground *g)
{
    static const ground_field none = {0};
    const ground_field *f = g->site->settings ? &g->site->settings->field : &none;
    const bool boosted = percent(g, f->boost_chance);
    const double covered = boosted ? f->boosted_percent : f->percent;
    uint32_t most = ID_NONE;
    bool most_furniture = false;
    if (boosted)
        draw(g, &f->boosted_other, &most, &most_furniture);
    ground_cover(g);
    for (int i = 0; i < LOCAL_CELLS && f->stated; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        uint32_t id = most;
        bool furniture = most_furniture;
        if (!percent(g, covered))
            continue;
        const bool usual = most == ID_NONE || !percent(g, f->boosted_other_percent);
        if (!usual || field_plant(g, f, &id, &furniture))
            put_drawn(g, x, y, id, furniture);
    }
    enum { CHANCE = 60 };
    ground_items(g, ground_id(g, "field"), CHANCE);
}

/* ---- forests ---- */

const ground_biome *ground_biome_of(const ground *g, const char *type)
{
    const ground_settings *s = g->site->settings;
    for (uint32_t i = 0; s && i < s->biome_count; i++)
        if (strcmp(id_pool_text(g->site->pool, s->biomes[i].terrain), type) == 0)
            return &s->biomes[i];
    return NULL;
}

/* How far a side's neighbour is felt, in tiles, and how much at the border, in percent
 * (schema/mapgen.md, "Ground"). */
enum { FELT = 10, FELT_PERCENT = 62 };

/* The biome that a tile's plants are of: towards a side now and then the neighbour's, which
 * may have none. */
static const ground_biome *tile_biome(ground *g, const ground_biome *own,
                                      const ground_biome *const sides[GROUND_SIDES], int x,
                                      int y)
{
    const int away[GROUND_SIDES] = {y, LOCAL_SIDE - 1 - x, LOCAL_SIDE - 1 - y, x};
    for (int side = 0; side < GROUND_SIDES; side++) {
        enum { WHOLE = 100 * FELT };
        const int felt = away[side] < FELT ? FELT_PERCENT * (FELT - away[side]) : 0;
        if (felt > 0 && sides[side] != own && (int)rng_below(&g->random, WHOLE) < felt)
            return sides[side];
    }
    return own;
}

/* The first of the components, in their sequence, whose chance holds. */
static void put_component(ground *g, const ground_biome *b, int x, int y)
{
    for (uint32_t i = 0; i < b->component_count; i++) {
        const ground_component *c = &b->components[i];
        uint32_t id = ID_NONE;
        bool furniture = false;
        if (c->chance <= 0 || !rng_one_in(&g->random, c->chance))
            continue;
        if (draw(g, &c->types, &id, &furniture))
            put_drawn(g, x, y, id, furniture);
        return;
    }
}

static void put_dressing(ground *g, const ground_biome *b, int x, int y)
{
    const uint32_t here = ground_at(g, x, y);
    for (uint32_t i = 0; i < b->dressing_count; i++) {
        const ground_dressing *d = &b->dressings[i];
        uint32_t id = ID_NONE;
        bool furniture = false;
        if (d->terrain == here && d->chance > 0 && rng_one_in(&g->random, d->chance) &&
            draw(g, &d->furniture, &id, &furniture))
            ground_furnish(g, x, y, id);
    }
}

void make_forest(ground *g)
{
    const ground_biome *own = ground_biome_of(g, g->type), *sides[GROUND_SIDES];
    if (!own) {
        ground_cover(g);
        return;
    }
    bool alike = true; /* on all sides: no tile need look at them */
    for (int side = 0; side < GROUND_SIDES; side++) {
        const char *type = ground_side(g, side)->type;
        sides[side] = ground_starts(type, "forest_trail") ? ground_biome_of(g, "forest_thick")
                                                          : ground_biome_of(g, type);
        alike = alike && sides[side] == own;
    }
    for (int y = 0; y < LOCAL_SIDE; y++)
        for (int x = 0; x < LOCAL_SIDE; x++) {
            uint32_t id = ID_NONE;
            bool furniture = false;
            if (!draw(g, &own->cover, &id, &furniture) || furniture)
                id = ground_cover_tile(g);
            ground_put(g, x, y, id);
            const ground_biome *b = alike ? own : tile_biome(g, own, sides, x, y);
            if (b)
                put_component(g, b, x, y);
            put_dressing(g, own, x, y);
        }
    for (int32_t i = 0; i < own->item_times; i++)
        ground_items(g, own->item_group, own->item_chance);
}
