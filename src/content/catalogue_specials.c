/*
 * Fixed specials and city buildings, with the bare terrains of the bins made up as specials of
 * one tile among them. Each tile gets its terrain for the four turns of the special, and the
 * set of types that it may be put on. Mutable specials are only known by their ids here.
 */
#include "content/catalogue_load.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

enum { COORDINATE_MAX = 179, HEIGHT_MAX = 10 };

/* The locations of one tile of its own. */
typedef struct own_locations {
    uint16_t special;
    int64_t tile; /* its position */
    cat_terrain_set allows;
} own_locations;

typedef struct special_tables {
    size_t special_room, fake_room, tile_room;
    size_t next_fake;            /* those before it are among the specials */
    cat_terrain_set fake_ground; /* where bare terrains may be put */
    cat_tile *tiles;
    size_t tile_count;
    cat_terrain_set *defaults; /* by special: where tiles without own locations may lie */
    own_locations *own;        /* sorted by special and tile */
    size_t own_count, own_room, next_own;
    uint16_t open; /* special that is being read */
    bool is_open;
} special_tables;

/* ---- turning ---- */

static void turn_oter(const catalogue *cat, ptl_oter oter, ptl_oter out[4])
{
    const cat_terrain *t = &cat->terrains[cat->oters[oter].terrain];
    unsigned variant = (unsigned)(oter - t->first);
    for (unsigned d = 0; d < 4; d++) {
        unsigned turned = 0;
        if (t->count == 4)
            turned = (variant + d) % 4;
        else if (t->count == 16)
            turned = (variant << d | variant >> (4 - d)) & 15;
        out[d] = (ptl_oter)(t->first + turned);
    }
}

/* ---- bare terrains ---- */

static ptl_status read_fake(loader *l, const stmt *s, void *payload)
{
    special_tables *t = payload;
    static const char prefix[] = "FakeSpecial_";
    const char *id = stmt_text(s, 0);
    if (l->fake_count == t->fake_room)
        return loader_corrupt(l, "more bare terrains than counted:", id);
    fake_special *f = &l->fakes[l->fake_count];
    ptl_status status =
        loader_id(l, &f->terrain_id, id, l->fake_count > 0 ? f[-1].terrain_id : NULL);
    if (status != PTL_OK)
        return status;
    l->fake_count++;
    f->terrain = catalogue_terrain(l->cat, id);
    f->special = CAT_NONE;
    if (f->terrain == CAT_NONE)
        return loader_corrupt(l, "unknown terrain in a bin", id);
    size_t length = strlen(id);
    char *made = arena_alloc(l->arena, sizeof prefix + length);
    if (!made)
        return error_nomem(l->err);
    memcpy(made, prefix, sizeof prefix - 1);
    memcpy(made + sizeof prefix - 1, id, length + 1);
    f->id = made;
    return PTL_OK;
}

/* Land and swamp, as far as content has these locations. */
static cat_terrain_set find_fake_ground(loader *l)
{
    static const char *const names[] = {"land", "swamp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < l->cat->location_count; k++)
            if (strcmp(l->locations[k].id, names[i]) == 0 &&
                loader_add_location(l, names[i]) != PTL_OK)
                return NULL;
    return loader_close_set(l, CAT_NONE);
}

static ptl_status make_fake(loader *l, const special_tables *t, fake_special *f)
{
    cat_tile *tile = arena_alloc(l->arena, sizeof *tile);
    if (!tile)
        return error_nomem(l->err);
    turn_oter(l->cat, l->terrains[f->terrain].first, tile->oters);
    tile->allows = t->fake_ground;
    f->special = (uint16_t)l->cat->special_count;
    l->specials[l->cat->special_count++] = (cat_special){
        .id = f->id, .building = true, .rotate = true, .tiles = tile, .tile_count = 1};
    return PTL_OK;
}

/* Those whose ids come before the given one; all for NULL. Content that defines such an id
 * itself means that one. */
static ptl_status make_fakes_before(loader *l, special_tables *t, const char *id)
{
    ptl_status status = PTL_OK;
    for (; t->next_fake < l->fake_count && status == PTL_OK; t->next_fake++) {
        fake_special *f = &l->fakes[t->next_fake];
        int order = id ? strcmp(f->id, id) : -1;
        if (order > 0)
            break;
        if (order < 0)
            status = make_fake(l, t, f);
        else
            f->special = (uint16_t)l->cat->special_count;
    }
    return status;
}

uint16_t loader_find_fake(const loader *l, const char *terrain_id)
{
    size_t low = 0, high = l->fake_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(l->fakes[middle].terrain_id, terrain_id);
        if (order == 0)
            return l->fakes[middle].special;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return CAT_NONE;
}

/* ---- specials ---- */

static ptl_status read_mutable(loader *l, const stmt *s, special_tables *t)
{
    size_t at = l->mutable_count++;
    if (at == t->special_room)
        return loader_corrupt(l, "more mutable specials than counted:", stmt_text(s, 0));
    return loader_id(l, &l->mutables[at], stmt_text(s, 0), at > 0 ? l->mutables[at - 1] : NULL);
}

static ptl_status read_special(loader *l, const stmt *s, void *payload)
{
    special_tables *t = payload;
    if (strcmp(stmt_text(s, 2), "fixed") != 0)
        return read_mutable(l, s, t);
    ptl_status status = make_fakes_before(l, t, stmt_text(s, 0));
    if (status != PTL_OK)
        return status;
    size_t at = l->cat->special_count;
    if (at == t->special_room + l->fake_count)
        return loader_corrupt(l, "more specials than counted:", stmt_text(s, 0));
    cat_special *special = &l->specials[l->cat->special_count++];
    special->building = strcmp(stmt_text(s, 1), "city_building") == 0;
    special->rotate = stmt_int(s, 3) != 0;
    return loader_id(l, &special->id, stmt_text(s, 0), at > 0 ? special[-1].id : NULL);
}

static int compare_texts(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

ptl_status loader_find_special(loader *l, uint16_t *out, const char *id)
{
    *out = catalogue_special(l->cat, id);
    if (*out == CAT_NONE &&
        !(l->mutable_count > 0 &&
          bsearch(id, l->mutables, l->mutable_count, sizeof *l->mutables, compare_texts)))
        return loader_corrupt(l, "no such special", id);
    return PTL_OK;
}

/* As before, for rows that mostly name the same special as the row before. */
static ptl_status find_again(loader *l, uint16_t *last, const char *id)
{
    if (*last != CAT_NONE && strcmp(l->specials[*last].id, id) == 0)
        return PTL_OK;
    return loader_find_special(l, last, id);
}

static ptl_status read_flag(loader *l, const stmt *s, void *payload)
{
    (void)payload;
    uint16_t special;
    ptl_status status = loader_find_special(l, &special, stmt_text(s, 0));
    if (status == PTL_OK && special != CAT_NONE)
        l->specials[special].flags |= strcmp(stmt_text(s, 1), "UNIQUE") == 0
                                          ? CAT_SPECIAL_UNIQUE
                                          : CAT_SPECIAL_GLOBALLY_UNIQUE;
    return status;
}

/* ---- locations of specials, then of single tiles ---- */

static ptl_status close_default(loader *l, special_tables *t)
{
    if (!t->is_open)
        return PTL_OK;
    t->is_open = false;
    t->defaults[t->open] = loader_close_set(l, CAT_NONE);
    return t->defaults[t->open] ? PTL_OK : error_nomem(l->err);
}

static ptl_status read_default(loader *l, const stmt *s, void *payload)
{
    special_tables *t = payload;
    uint16_t special = t->is_open ? t->open : CAT_NONE;
    ptl_status status = find_again(l, &special, stmt_text(s, 0));
    if (status != PTL_OK || special == CAT_NONE)
        return status;
    if (t->is_open && t->open != special)
        status = close_default(l, t);
    t->open = special;
    t->is_open = true;
    return status == PTL_OK ? loader_add_location(l, stmt_text(s, 1)) : status;
}

static ptl_status close_own(loader *l, special_tables *t)
{
    if (!t->is_open || !t->own)
        return PTL_OK;
    t->is_open = false;
    t->own[t->own_count - 1].allows = loader_close_set(l, CAT_NONE);
    return t->own[t->own_count - 1].allows ? PTL_OK : error_nomem(l->err);
}

static ptl_status read_own(loader *l, const stmt *s, void *payload)
{
    special_tables *t = payload;
    if (!t->own)
        return loader_corrupt(l, "more locations than counted of", stmt_text(s, 0));
    own_locations *last = t->is_open ? &t->own[t->own_count - 1] : NULL;
    uint16_t special = last ? last->special : CAT_NONE;
    int64_t tile = stmt_int(s, 1);
    ptl_status status = find_again(l, &special, stmt_text(s, 0));
    if (status == PTL_OK && special == CAT_NONE)
        status = loader_corrupt(l, "tile of mutable special", stmt_text(s, 0));
    if (status != PTL_OK)
        return status;
    if (!last || last->special != special || last->tile != tile) {
        status = close_own(l, t);
        if (status == PTL_OK && t->own_count == t->own_room)
            status = loader_corrupt(l, "more locations than counted of", stmt_text(s, 0));
        if (status != PTL_OK)
            return status;
        t->own[t->own_count++] = (own_locations){special, tile, NULL};
        t->is_open = true;
    }
    return loader_add_location(l, stmt_text(s, 2));
}

static ptl_status load_tile_locations(loader *l, special_tables *t)
{
    size_t count = l->cat->special_count;
    t->defaults = arena_calloc(l->arena, count + 1, sizeof *t->defaults);
    cat_terrain_set nothing = loader_close_set(l, CAT_NONE);
    ptl_status status =
        loader_count(l, "SELECT count(*) FROM special_tile_location", &t->own_room);
    if (status != PTL_OK)
        return status;
    t->own = arena_calloc(l->arena, t->own_room + 1, sizeof *t->own);
    if (!t->defaults || !nothing || !t->own)
        return error_nomem(l->err);
    for (size_t i = 0; i < count; i++)
        t->defaults[i] = nothing;
    status = loader_rows(
        l, "SELECT special, location FROM special_location ORDER BY special, position",
        read_default, t);
    if (status == PTL_OK)
        status = close_default(l, t);
    if (status == PTL_OK)
        status = loader_rows(l,
                             "SELECT special, tile, location FROM special_tile_location"
                             " ORDER BY special, tile, position",
                             read_own, t);
    return status == PTL_OK ? close_own(l, t) : status;
}

/* ---- tiles ---- */

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

static bool within(int64_t value, int64_t most)
{
    return value >= -most && value <= most;
}

/* The special of the next tile: tiles of one special stand together. */
static ptl_status tile_owner(loader *l, special_tables *t, const char *id, uint16_t *special)
{
    uint16_t last = t->tile_count > 0 ? t->open : (uint16_t)CAT_NONE;
    *special = last;
    ptl_status status = find_again(l, special, id);
    if (status == PTL_OK && *special == CAT_NONE)
        status = loader_corrupt(l, "tile of mutable special", id);
    if (status == PTL_OK && *special != last && l->specials[*special].tile_count > 0)
        status = loader_corrupt(l, "tiles out of order of special", id);
    t->open = *special;
    return status;
}

static ptl_status read_tile(loader *l, const stmt *s, void *payload)
{
    special_tables *t = payload;
    const char *id = stmt_text(s, 0);
    uint16_t special;
    ptl_status status = tile_owner(l, t, id, &special);
    if (status != PTL_OK)
        return status;
    int64_t position = stmt_int(s, 1), x = stmt_int(s, 2), y = stmt_int(s, 3),
            z = stmt_int(s, 4);
    ptl_oter oter = catalogue_oter(l->cat, stmt_text(s, 5));
    if (oter == CAT_NONE)
        return loader_corrupt(l, "unknown terrain of a special", stmt_text(s, 5));
    if (!within(x, COORDINATE_MAX) || !within(y, COORDINATE_MAX) || !within(z, HEIGHT_MAX) ||
        t->tile_count == t->tile_room)
        return loader_corrupt(l, "a tile is out of bounds in special", id);
    cat_special *owner = &l->specials[special];
    cat_tile *tile = &t->tiles[t->tile_count++];
    *tile = (cat_tile){.x = (int16_t)x, .y = (int16_t)y, .z = (int8_t)z};
    turn_oter(l->cat, oter, tile->oters);
    tile->allows = t->defaults[special];
    if (t->next_own < t->own_count && t->own[t->next_own].special == special &&
        t->own[t->next_own].tile == position)
        tile->allows = t->own[t->next_own++].allows;
    if (owner->tile_count++ == 0)
        owner->tiles = tile;
    widen(owner, tile);
    return PTL_OK;
}

static ptl_status load_tiles(loader *l, special_tables *t)
{
    ptl_status status = loader_count(l, "SELECT count(*) FROM special_tile", &t->tile_room);
    if (status != PTL_OK)
        return status;
    t->tiles = arena_calloc(l->arena, t->tile_room + 1, sizeof *t->tiles);
    if (!t->tiles)
        return error_nomem(l->err);
    status = loader_rows(l,
                         "SELECT special, position, x, y, z, oter FROM special_tile"
                         " ORDER BY special, position",
                         read_tile, t);
    if (status == PTL_OK && t->next_own < t->own_count)
        status = loader_corrupt(l, "locations of no tile of special",
                                l->specials[t->own[t->next_own].special].id);
    return status;
}

/* ---- all ---- */

static ptl_status make_room(loader *l, special_tables *t)
{
    ptl_status status =
        loader_count(l, "SELECT count(*) FROM overmap_special", &t->special_room);
    if (status == PTL_OK)
        status = loader_count(l, "SELECT count(*) FROM region_building WHERE kind = 'terrain'",
                              &t->fake_room);
    if (status != PTL_OK)
        return status;
    if (t->special_room + t->fake_room > CATALOGUE_INDEX_MAX)
        return error_set(l->err, PTL_ERR_LIMIT,
                         "the content has more than %d specials, which is the limit",
                         CATALOGUE_INDEX_MAX);
    l->fakes = arena_calloc(l->arena, t->fake_room + 1, sizeof *l->fakes);
    l->mutables = arena_calloc(l->arena, t->special_room + 1, sizeof *l->mutables);
    t->fake_ground = find_fake_ground(l);
    l->specials =
        arena_calloc(l->arena, t->special_room + t->fake_room + 1, sizeof *l->specials);
    bool made = l->fakes && l->mutables && l->specials && t->fake_ground;
    return made ? PTL_OK : error_nomem(l->err);
}

ptl_status load_specials(loader *l)
{
    special_tables t = {.tiles = NULL};
    ptl_status status = make_room(l, &t);
    l->cat->specials = l->specials;
    if (status == PTL_OK)
        status = loader_rows(l,
                             "SELECT DISTINCT id FROM region_building WHERE kind = 'terrain'"
                             " AND weight > 0 AND bin IN " CATALOGUE_BINS " ORDER BY id",
                             read_fake, &t);
    if (status == PTL_OK)
        status =
            loader_rows(l, "SELECT id, kind, subtype, rotate FROM overmap_special ORDER BY id",
                        read_special, &t);
    if (status == PTL_OK)
        status = make_fakes_before(l, &t, NULL);
    if (status == PTL_OK)
        status = loader_rows(l,
                             "SELECT special, flag FROM special_flag"
                             " WHERE flag IN ('UNIQUE', 'GLOBALLY_UNIQUE')",
                             read_flag, NULL);
    if (status == PTL_OK)
        status = load_tile_locations(l, &t);
    return status == PTL_OK ? load_tiles(l, &t) : status;
}
