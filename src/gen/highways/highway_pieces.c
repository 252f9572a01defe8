/* Pieces of highways and the cells that they cover. */
#include "gen/highways/highway.h"
#include "model/direction.h"

#include <string.h>

/* Specials turn about their origin, which is one of the four cells of a hub's middle, or one of
 * the two of a segment: by heading, what to add to the anchor. */
static const point hub_origin[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
static const point segment_origin[4] = {{0, 0}, {0, 0}, {1, 0}, {0, 1}};

highway_spot highway_spot_of(const gen_config *config, const highway_piece *piece)
{
    const cat_highway *h = config->region->highway;
    const bool down = piece->ramp == HIGHWAY_DOWN;
    const int rotation = down ? opposite(piece->heading) : piece->heading;
    const point *add =
        piece->kind == HIGHWAY_HUB ? &hub_origin[rotation] : &segment_origin[rotation];
    highway_spot spot = {.special = piece->special,
                         .x = (int16_t)(piece->x + add->x),
                         .y = (int16_t)(piece->y + add->y),
                         .rotation = (uint8_t)rotation};
    if (piece->kind == HIGHWAY_SEGMENT)
        spot.special = piece->ramp != HIGHWAY_LEVEL ? h->ramp
                       : piece->raised              ? h->bridge
                                                    : h->flat;
    return spot;
}

void highway_cells_of(highway_cells *out, const gen_config *config, const highway_piece *piece)
{
    const highway_spot spot = highway_spot_of(config, piece);
    const cat_special *s = &config->cat->specials[spot.special];
    out->count = 0;
    for (size_t i = 0; i < s->tile_count; i++) {
        int32_t x, y;
        if (s->tiles[i].z != 0 || out->count == sizeof out->x / sizeof *out->x)
            continue;
        feature_rotate(s->tiles[i].x, s->tiles[i].y, spot.rotation, &x, &y);
        out->x[out->count] = (int16_t)(spot.x + x);
        out->y[out->count++] = (int16_t)(spot.y + y);
    }
}

/* How many cells a hub reaches beyond its middle, on its own side 0..3, where a path leaves. */
static int32_t reach(const cat_special *s, int side)
{
    int32_t most = 0;
    for (size_t i = 0; i < s->tile_count; i++) {
        const cat_tile *t = &s->tiles[i];
        const bool along_y = side == 0 || side == 2;
        if (t->z != 0 || (along_y ? t->x : t->y) != 0)
            continue;
        const int32_t at = along_y ? t->y : t->x;
        const int32_t beyond = side == 0 || side == 3 ? -at : at - 1;
        most = beyond > most ? beyond : most;
    }
    return most;
}

point highway_port(const gen_config *config, const highway_piece *hub, int side)
{
    const cat_special *s = &config->cat->specials[hub->special];
    const int32_t beyond = reach(s, (side - hub->heading) & 3);
    const int32_t away = side == 0 || side == 3 ? beyond + 1 : beyond + 2;
    return (point){hub->x + away * step_x(side), hub->y + away * step_y(side)};
}

bool highway_fits(const generator *g, highway_piece *piece)
{
    const uint32_t water =
        CAT_FLAG_RIVER | CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE | CAT_FLAG_OCEAN;
    const int32_t ring = piece->kind == HIGHWAY_SEGMENT ? 0 : 1;
    highway_cells cells;
    highway_cells_of(&cells, g->config, piece);
    piece->water = false;
    for (size_t i = 0; i < cells.count; i++) {
        const int32_t x = cells.x[i], y = cells.y[i], cell = y * SIZE + x;
        if (x < ring || y < ring || x >= SIZE - ring || y >= SIZE - ring ||
            g->highways->taken[cell])
            return false;
        piece->water = piece->water || g->config->cat->oters[g->ground[cell]].flags & water;
    }
    return cells.count > 0;
}

static void take(generator *g, const highway_piece *piece, uint8_t taken)
{
    highway_cells cells;
    highway_cells_of(&cells, g->config, piece);
    for (size_t i = 0; i < cells.count; i++)
        g->highways->taken[cells.y[i] * SIZE + cells.x[i]] = taken;
}

bool highway_add(generator *g, const highway_piece *piece)
{
    highway_layout *l = g->highways;
    highway_piece copy = *piece;
    if (l->count == HIGHWAY_PIECES_MAX || !highway_fits(g, &copy))
        return false;
    take(g, &copy, 1);
    l->pieces[l->count++] = copy;
    return true;
}

void highway_take_back(generator *g, size_t first)
{
    highway_layout *l = g->highways;
    while (l->count > first)
        take(g, &l->pieces[--l->count], 0);
}
