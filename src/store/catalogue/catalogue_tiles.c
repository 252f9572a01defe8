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

static ptl_status read_tile(loader *l, const content_value *s, void *payload)
{
    tile_tables *t = payload;
    const char *id = value_text(s, 0);
    ptl_status status = loader_owner(l, &t->owner, id);
    if (status == PTL_OK && l->layouts[t->owner])
        status = loader_corrupt(l, "tile of mutable special", id);
    if (status == PTL_OK && t->count == t->room)
        status = loader_corrupt(l, "more tiles than counted of", id);
    if (status != PTL_OK)
        return status;
    enum { XY = CATALOGUE_COORDINATE_MAX, Z = CATALOGUE_TILE_HEIGHT_MAX };
    cat_special *owner = &l->specials[t->owner];
    number_row row = {l, s, PTL_OK};
    cat_tile *tile = &t->tiles[t->count];
    t->positions[t->count++] = value_int(s, 1);
    tile->x = (int16_t)row_number(&row, 2, -XY, XY);
    tile->y = (int16_t)row_number(&row, 3, -XY, XY);
    tile->z = (int8_t)row_number(&row, 4, -Z, Z);
    tile->allows = l->grounds[t->owner];
    if (owner->tile_count++ == 0)
        owner->tiles = tile;
    widen(owner, tile);
    return row.status == PTL_OK ? loader_oters(l, tile->oters, value_text(s, 5)) : row.status;
}

static ptl_status read_location(loader *l, const content_value *s, void *payload)
{
    tile_tables *t = payload;
    const char *id = value_text(s, 0);
    ptl_status status = loader_owner(l, &t->owner, id);
    if (status != PTL_OK)
        return status;
    const cat_special *owner = &l->specials[t->owner];
    size_t first = owner->tile_count > 0 ? (size_t)(owner->tiles - t->tiles) : 0;
    size_t found = loader_find_number(t->positions + first, owner->tile_count, value_int(s, 1));
    if (l->layouts[t->owner] || found == owner->tile_count)
        return loader_corrupt(l, "locations of no tile of special", id);
    cat_tile *tile = &t->tiles[first + found];
    tile->own = true;
    return loader_gather(l, &t->open, &tile->allows, value_text(s, 2));
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
    status =
        loader_rows(l,
                    &(content_query){CONTENT_SPECIAL_TILE, "special, position, x, y, z, oter",
                                     "special, position"},
                    read_tile, &t);
    t.owner = CAT_NONE;
    if (status == PTL_OK)
        status =
            loader_rows(l,
                        &(content_query){CONTENT_SPECIAL_TILE_LOCATION,
                                         "special, tile, location", "special, tile, position"},
                        read_location, &t);
    return status == PTL_OK ? loader_gathered(l, &t.open) : status;
}
