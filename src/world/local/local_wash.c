/*
 * Washing (portolan/local_tide.h): what lies or walks where the tide has made the water deep
 * moves to the highest tile beside it where the water is not deep, on the same map or a
 * neighbour's. What covers a rectangle shrinks to the tiles of it that are not deep. All maps
 * that change are written together.
 */
#include "world/local/local.h"

enum {
    AROUND = 9, /* the OMT in the middle and its neighbours, row by row */
    MIDDLE = AROUND / 2,
    LAND = 40 /* the height that OMTs without coast count as, as in the plan */
};

/* An OMT, as far as it was looked at yet. */
typedef struct wash_omt {
    ptl_local_map *map; /* owned; NULL: its map was not needed */
    local_sea *sea;     /* owned; NULL: it was not looked at */
    bool beyond;        /* the OMT lies outside of all chunks */
    bool changed;
} wash_omt;

typedef struct washing {
    ptl_world *world;
    local_maker maker;
    ptl_omt at;
    int64_t turn;
    wash_omt omts[AROUND];
    size_t moved;
} washing;

/* A tile: the number of its OMT, and its cell in that. */
typedef struct wash_tile {
    int omt;
    int32_t cell;
} wash_tile;

static ptl_omt place_of(const washing *w, int omt)
{
    return (ptl_omt){w->at.x + omt % 3 - 1, w->at.y + omt / 3 - 1, 0};
}

/* ---- what is there ---- */

static ptl_status look(washing *w, int omt, ptl_error *err)
{
    ptl_error none = {0};
    wash_omt *o = &w->omts[omt];
    if (o->sea || o->beyond)
        return PTL_OK;
    o->beyond = world_local_place(place_of(w, omt), &none) != PTL_OK;
    if (o->beyond)
        return PTL_OK;
    o->sea = malloc(sizeof *o->sea);
    return o->sea ? world_local_sea_at(o->sea, &w->maker, place_of(w, omt), w->turn, err)
                  : error_nomem(err);
}

/* Reads the OMT's map, or has it made if it is not stored. */
static ptl_status need_map(washing *w, int omt, ptl_error *err)
{
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    o.turn = w->turn;
    return w->omts[omt].map
               ? PTL_OK
               : ptl_local_get(&w->omts[omt].map, w->world, place_of(w, omt), &o, err);
}

static bool is_creature(const local_entity *e)
{
    return e->kind == LOCAL_MONSTER || e->kind == LOCAL_NPC;
}

static int32_t cell_of(const local_entity *e)
{
    return e->y * LOCAL_SIDE + e->x;
}

static bool is_free(const ptl_local_map *map, int32_t cell)
{
    const local_map *m = &map->stored.map;
    bool found = false;
    for (size_t i = 0; i < m->count && !found; i++)
        found = is_creature(&m->entities[i]) && cell_of(&m->entities[i]) == cell;
    return !found;
}

/* Gives the height of the bottom if something can stand there now; INT32_MIN if not. */
static ptl_status bottom(int32_t *out, washing *w, wash_tile at, ptl_error *err)
{
    *out = INT32_MIN;
    ptl_status status = look(w, at.omt, err);
    const wash_omt *o = &w->omts[at.omt];
    if (status != PTL_OK || o->beyond || o->sea->other_water)
        return status;
    if (o->sea->any) {
        const coast_feature what = local_sea_feature(o->sea, at.cell);
        if (what == COAST_SHALLOW || what == COAST_DRY)
            *out = o->sea->ground.heights[at.cell];
        return PTL_OK;
    }
    TRY(need_map(w, at.omt, err));
    const stored_map *s = &o->map->stored;
    const char *id = id_pool_text(s->pool, s->map.terrain[at.cell]);
    const uint32_t number = id_pool_put(w->maker.mapgen->pool, id, strlen(id));
    const mapgen_tiles *tiles = w->maker.mapgen->tiles;
    if (!(mapgen_terrain_tile(tiles, mapgen_terrain_now(tiles, number)).flags &
          (MAPGEN_TILE_IMPASSABLE | MAPGEN_TILE_DEEP)))
        *out = LAND;
    return PTL_OK;
}

/* ---- where it comes to ---- */

/* Gives the highest tile beside a cell of the middle OMT whose map has room for `more` things;
 * of equally high ones the first, from the north clockwise. It is the cell itself if no tile
 * beside it will do. alone: no creature may be on the tile, either. */
static ptl_status find_place(wash_tile *out, washing *w, int32_t cell, size_t more, bool alone,
                             ptl_error *err)
{
    static const int8_t round[8][2] = {{0, -1}, {1, -1}, {1, 0},  {1, 1},
                                       {0, 1},  {-1, 1}, {-1, 0}, {-1, -1}};
    int32_t highest = INT32_MIN;
    ptl_status status = PTL_OK;
    *out = (wash_tile){MIDDLE, cell};
    for (int i = 0; i < 8 && status == PTL_OK; i++) {
        int32_t height;
        /* Coordinates of the neighbour within the 3 x 3 OMTs. */
        const int32_t x = cell % LOCAL_SIDE + round[i][0] + LOCAL_SIDE;
        const int32_t y = cell / LOCAL_SIDE + round[i][1] + LOCAL_SIDE;
        const wash_tile at = {y / LOCAL_SIDE * 3 + x / LOCAL_SIDE,
                              y % LOCAL_SIDE * LOCAL_SIDE + x % LOCAL_SIDE};
        status = bottom(&height, w, at, err);
        if (status != PTL_OK || height <= highest)
            continue;
        status = need_map(w, at.omt, err);
        const ptl_local_map *map = w->omts[at.omt].map;
        if (status == PTL_OK && (!alone || is_free(map, at.cell)) &&
            (at.omt == MIDDLE || map->stored.map.count + more <= LOCAL_ENTITIES_MAX)) {
            highest = height;
            *out = at;
        }
    }
    return status;
}

/* ---- moving ---- */

/* Moves `count` things of the middle map, from `first` on, to a tile. If that lies on another
 * map, the things are taken out of this one. */
static ptl_status move(washing *w, size_t first, size_t count, wash_tile to, ptl_error *err)
{
    wash_omt *from = &w->omts[MIDDLE], *target = &w->omts[to.omt];
    stored_map *source = &from->map->stored, *goal = &target->map->stored;
    for (size_t i = 0; i < count; i++) {
        const size_t at = to.omt == MIDDLE ? first + i : first;
        local_entity e = source->map.entities[at];
        e.x = e.x2 = (uint8_t)(to.cell % LOCAL_SIDE);
        e.y = e.y2 = (uint8_t)(to.cell / LOCAL_SIDE);
        if (to.omt == MIDDLE) {
            source->map.entities[at] = e;
            continue;
        }
        world_local_move_thing(&e, goal->pool, source->pool);
        local_map_add(&goal->map, &e);
        local_map_remove(&source->map, first);
    }
    from->changed = target->changed = true;
    w->moved += count;
    return goal->map.failed || id_pool_failed(goal->pool) ? error_nomem(err) : PTL_OK;
}

static bool walks(const washing *w, const local_entity *e)
{
    const stored_map *s = &w->omts[MIDDLE].map->stored;
    return is_creature(e) &&
           world_local_walks(w->maker.mapgen, e, id_pool_text(s->pool, e->id));
}

/* Does a walker keep the tile? The water there is not deep then, and what lies there stays. */
static bool is_kept(const washing *w, int32_t cell)
{
    const local_map *m = &w->omts[MIDDLE].map->stored.map;
    bool found = false;
    for (size_t i = 0; i < m->count && !found; i++)
        found = cell_of(&m->entities[i]) == cell && walks(w, &m->entities[i]);
    return found;
}

static bool sinks(const washing *w, const local_entity *e)
{
    const stored_map *s = &w->omts[MIDDLE].map->stored;
    return world_local_sinks(w->maker.mapgen, e, id_pool_text(s->pool, e->id));
}

static bool is_rectangle(const local_entity *e)
{
    return e->x != e->x2 || e->y != e->y2;
}

static bool is_deep(const washing *w, int32_t cell)
{
    return local_sea_feature(w->omts[MIDDLE].sea, cell) == COAST_DEEP;
}

/* Is this a creature (creatures) or a thing (otherwise) that the water moves away from its
 * tile? */
static bool is_washed(const washing *w, const local_entity *e, bool creatures)
{
    const int32_t cell = cell_of(e);
    if (creatures ? !walks(w, e) : !sinks(w, e))
        return false;
    return !is_rectangle(e) && is_deep(w, cell) && (creatures || !is_kept(w, cell));
}

/* ---- what lies in a rectangle ---- */

/* Shrinks a rectangle to the smallest one around those of its tiles where something can
 * stand. False: there are none. */
static bool shrink(local_entity *e, const washing *w)
{
    local_entity box = *e;
    bool any = false;
    for (uint8_t y = e->y; y <= e->y2; y++)
        for (uint8_t x = e->x; x <= e->x2; x++) {
            const int32_t cell = y * LOCAL_SIDE + x;
            const coast_feature what = local_sea_feature(w->omts[MIDDLE].sea, cell);
            if (what == COAST_ROCK || (what == COAST_DEEP && !is_kept(w, cell)))
                continue;
            box.x = any && box.x < x ? box.x : x;
            box.y = any ? box.y : y;
            box.x2 = any && box.x2 > x ? box.x2 : x;
            box.y2 = y;
            any = true;
        }
    *e = any ? box : *e;
    return any;
}

/* Is the water deep on any tile of the rectangle? */
static bool is_flooded(const washing *w, const local_entity *e)
{
    bool found = false;
    for (int32_t y = e->y; y <= e->y2; y++)
        for (int32_t x = e->x; x <= e->x2; x++)
            found = found || is_deep(w, y * LOCAL_SIDE + x);
    return found;
}

/* Gives the highest tile beside a rectangle in which nothing can stand; of equally high ones
 * the first. *found false: there is none. */
static ptl_status find_beside(wash_tile *out, bool *found, washing *w, const local_entity *e,
                              ptl_error *err)
{
    int32_t highest = INT32_MIN;
    ptl_status status = PTL_OK;
    *found = false;
    *out = (wash_tile){MIDDLE, cell_of(e)};
    for (int32_t y = e->y; y <= e->y2; y++)
        for (int32_t x = e->x; x <= e->x2 && status == PTL_OK; x++) {
            wash_tile at;
            int32_t height = INT32_MIN;
            const int32_t cell = y * LOCAL_SIDE + x;
            status = find_place(&at, w, cell, 1, false, err);
            if (status == PTL_OK && (at.omt != MIDDLE || at.cell != cell))
                status = bottom(&height, w, at, err);
            if (height <= highest)
                continue;
            highest = height;
            *found = true;
            *out = at;
        }
    return status;
}

/* Washes an entity that covers a rectangle. *gone: it has moved to another map. */
static ptl_status wash_rectangle(bool *gone, washing *w, size_t number, ptl_error *err)
{
    wash_tile to;
    bool found = false;
    local_entity *at = &w->omts[MIDDLE].map->stored.map.entities[number];
    local_entity now = *at;
    *gone = false;
    if (!sinks(w, at) || !is_flooded(w, at))
        return PTL_OK;
    if (shrink(&now, w)) {
        if (now.x != at->x || now.y != at->y || now.x2 != at->x2 || now.y2 != at->y2) {
            *at = now;
            w->omts[MIDDLE].changed = true;
            w->moved++;
        }
        return PTL_OK;
    }
    ptl_status status = find_beside(&to, &found, w, &now, err);
    if (status == PTL_OK && found)
        status = move(w, number, 1, to, err);
    *gone = found && to.omt != MIDDLE;
    return status;
}

static ptl_status wash_rectangles(washing *w, ptl_error *err)
{
    const local_map *map = &w->omts[MIDDLE].map->stored.map;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < map->count && status == PTL_OK;) {
        bool gone = false;
        if (is_rectangle(&map->entities[i]))
            status = wash_rectangle(&gone, w, i, err);
        i += !gone;
    }
    return status;
}

/* ---- all of them ---- */

static ptl_status wash(washing *w, bool creatures, ptl_error *err)
{
    const local_map *map = &w->omts[MIDDLE].map->stored.map;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < map->count && status == PTL_OK;) {
        /* An item is followed by the items that lie in it, which move with it: count them. */
        size_t end = i + 1;
        while (map->entities[i].kind == LOCAL_ITEM && end < map->count &&
               map->entities[end].kind == LOCAL_ITEM && map->entities[end].status > 0)
            end++;
        const size_t count = end - i;
        wash_tile to = {MIDDLE, cell_of(&map->entities[i])};
        const int32_t cell = to.cell;
        if (is_washed(w, &map->entities[i], creatures))
            status = find_place(&to, w, cell, count, creatures, err);
        const bool moves = status == PTL_OK && (to.omt != MIDDLE || to.cell != cell);
        if (moves)
            status = move(w, i, count, to, err);
        if (!moves || to.omt == MIDDLE)
            i += count;
    }
    return status;
}

/* ---- the call ---- */

ptl_status ptl_local_wash(size_t *moved, ptl_world *world, ptl_omt at, int64_t turn,
                          ptl_error *err)
{
    washing w = {.world = world, .at = at, .turn = turn};
    ptl_status status = ptl_local_load(&w.omts[MIDDLE].map, world, at, err);
    THEN(status, world_local_maker(&w.maker, world, 0, err));
    if (status == PTL_OK && at.z == 0)
        status = look(&w, MIDDLE, err);
    const local_sea *sea = w.omts[MIDDLE].sea;
    if (status == PTL_OK && sea && sea->any && sea->full) {
        status = world_local_afloat_things(w.maker.mapgen, world, err);
        THEN(status, wash(&w, true, err));
        THEN(status, wash(&w, false, err));
        THEN(status, wash_rectangles(&w, err));
        if (status == PTL_OK) {
            ptl_local_map *maps[AROUND];
            size_t count = 0;
            for (int i = 0; i < AROUND; i++)
                if (w.omts[i].changed)
                    maps[count++] = w.omts[i].map;
            status = count > 0 ? ptl_local_put(w.world, maps, count, err) : PTL_OK;
        }
    }
    if (moved)
        *moved = status == PTL_OK ? w.moved : 0;
    for (int i = 0; i < AROUND; i++) {
        ptl_local_free(w.omts[i].map);
        free(w.omts[i].sea);
    }
    return status;
}
