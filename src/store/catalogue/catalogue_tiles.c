/* Tiles of fixed specials and city buildings. Each gets its oters for the four rotations of
 * the special, and the set of terrains that it may be placed on. */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

typedef struct tile_tables {
    cat_tile *tiles;
    int64_t *positions; /* numbers of the tiles in the table */
} tile_tables;

static ptl_status read_tile(loader *l, const void *values)
{
    const special_omt_row *s = values;
    tile_tables *t = l->payload;
    const char *id = s->special;
    TRY(loader_owner(l, id));
    if (l->layouts[l->owner])
        return loader_corrupt(l, "tile of mutable special", id);
    cat_special *owner = &l->specials[l->owner];
    cat_tile *tile = &t->tiles[l->row];
    t->positions[l->row] = s->position;
    tile->x = (int16_t)s->x;
    tile->y = (int16_t)s->y;
    tile->z = (int8_t)s->z;
    tile->allows = l->grounds[l->owner];
    if (owner->omt_count++ == 0)
        owner->tiles = tile;
    /* Extends the special's bounds so that they include the tile. */
    bool first = owner->omt_count == 1;
    owner->x0 = first || tile->x < owner->x0 ? tile->x : owner->x0;
    owner->x1 = first || tile->x > owner->x1 ? tile->x : owner->x1;
    owner->y0 = first || tile->y < owner->y0 ? tile->y : owner->y0;
    owner->y1 = first || tile->y > owner->y1 ? tile->y : owner->y1;
    owner->z0 = first || tile->z < owner->z0 ? tile->z : owner->z0;
    owner->z1 = first || tile->z > owner->z1 ? tile->z : owner->z1;
    return loader_oters(l, tile->oters, s->oter);
}

static ptl_status read_location(loader *l, const void *values)
{
    const special_omt_location_row *s = values;
    tile_tables *t = l->payload;
    const char *id = s->special;
    TRY(loader_owner(l, id));
    const cat_special *owner = &l->specials[l->owner];
    size_t first = owner->omt_count > 0 ? (size_t)(owner->tiles - t->tiles) : 0;
    size_t found = loader_find_number(t->positions + first, owner->omt_count, s->omt);
    if (l->layouts[l->owner] || found == owner->omt_count)
        return loader_corrupt(l, "locations of no tile of special", id);
    cat_tile *tile = &t->tiles[first + found];
    tile->own = true;
    return loader_gather(l, &tile->allows, s->location);
}

ptl_status load_tiles(loader *l)
{
    tile_tables t;
    TRY(LOADER_ROOM_OF(l, t.tiles, CONTENT_SPECIAL_OMT));
    TRY(LOADER_ROOM_OF(l, t.positions, CONTENT_SPECIAL_OMT));
    TRY(loader_rows(l, CONTENT_SPECIAL_OMT, NULL, read_tile, &t));
    return loader_rows(l, CONTENT_SPECIAL_OMT_LOCATION, NULL, read_location, &t);
}
