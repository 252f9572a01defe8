/*
 * Tiles of fixed specials and city buildings: each gets its terrain for the four rotations of
 * the special, and the set of types that it may be put on.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

typedef struct tile_tables {
    cat_tile *tiles;
    int64_t *positions; /* of the tiles, as the table numbers them */
    size_t count, room;
    uint16_t owner;        /* special of the row before */
    ptl_terrain_set *open; /* the set that is being gathered */
} tile_tables;

static void widen(cat_special *special, const cat_tile *tile)
{
    bool first = special->tile_count == 1;
    if (first || tile->x < special->x0)
        special->x0 = tile->x;
    if (first || tile->x > special->x1)
        special->x1 = tile->x;
    if (first || tile->y < special->y0)
        special->y0 = tile->y;
    if (first || tile->y > special->y1)
        special->y1 = tile->y;
    if (first || tile->z < special->z0)
        special->z0 = tile->z;
    if (first || tile->z > special->z1)
        special->z1 = tile->z;
}

static ptl_status read_tile(loader *l, const void *values, void *payload)
{
    const special_tile_row *s = values;
    tile_tables *t = payload;
    const char *id = s->special;
    ptl_status status = loader_owner(l, &t->owner, id);
    if (status == PTL_OK && l->layouts[t->owner])
        status = loader_corrupt(l, "tile of mutable special", id);
    if (status == PTL_OK && t->count == t->room)
        status = loader_corrupt(l, "more tiles than counted of", id);
    if (status != PTL_OK)
        return status;
    cat_special *owner = &l->specials[t->owner];
    cat_tile *tile = &t->tiles[t->count];
    t->positions[t->count++] = s->position;
    tile->x = (int16_t)s->x;
    tile->y = (int16_t)s->y;
    tile->z = (int8_t)s->z;
    tile->allows = l->grounds[t->owner];
    if (owner->tile_count++ == 0)
        owner->tiles = tile;
    widen(owner, tile);
    return loader_oters(l, tile->oters, s->oter);
}

static ptl_status read_location(loader *l, const void *values, void *payload)
{
    const special_tile_location_row *s = values;
    tile_tables *t = payload;
    const char *id = s->special;
    ptl_status status = loader_owner(l, &t->owner, id);
    if (status != PTL_OK)
        return status;
    const cat_special *owner = &l->specials[t->owner];
    size_t first = owner->tile_count > 0 ? (size_t)(owner->tiles - t->tiles) : 0;
    size_t found = loader_find_number(t->positions + first, owner->tile_count, s->tile);
    if (l->layouts[t->owner] || found == owner->tile_count)
        return loader_corrupt(l, "locations of no tile of special", id);
    cat_tile *tile = &t->tiles[first + found];
    tile->own = true;
    return loader_gather(l, &t->open, &tile->allows, s->location);
}

ptl_status load_tiles(loader *l)
{
    tile_tables t = {.owner = CAT_NONE};
    ptl_status status = loader_count(l, CONTENT_SPECIAL_TILE, &t.room);
    if (status != PTL_OK)
        return status;
    t.tiles = arena_calloc(l->arena, t.room + 1, sizeof *t.tiles);
    t.positions = arena_calloc(l->arena, t.room + 1, sizeof *t.positions);
    if (!t.tiles || !t.positions)
        return error_nomem(l->err);
    status = loader_rows(l, CONTENT_SPECIAL_TILE, NULL, read_tile, &t);
    t.owner = CAT_NONE;
    if (status == PTL_OK)
        status = loader_rows(l, CONTENT_SPECIAL_TILE_LOCATION, NULL, read_location, &t);
    return status == PTL_OK ? loader_gathered(l, &t.open) : status;
}
