/*
 * Washing (portolan/local_tide.h): things and creatures at tiles where the tide has made the
 * water deep move to the highest neighbouring tile where the water is not deep, on the same map
 * or a neighbouring one. An entity that covers a rectangle shrinks to those of its tiles that
 * are not deep. All maps that change are written together.
 *
 * The first part finds out what deep water does not move. Monsters that swim or fly have flags
 * that say so, and vehicles float if one of their parts has such a flag. A group of monsters
 * counts as afloat if it contains a monster that is.
 */
#include "core/array.h"
#include "mapgen/compile/text_id.h"
#include "world/local/kept_object.h"
#include "world/local/local.h"

/* ---- what floats, swims or flies ---- */

enum { CHAIN_MAX = 32 };

typedef struct reading {
    afloat_list *lists; /* lists of types that deep water does not move: a list for each kind of
                           thing, owned by the mapgen */
    id_pool *pool;
    json_reader *reader;
    const char *type; /* the type of the objects that are read at present */
    bytes text;
    bool more; /* set if this pass over the objects has found one more monster group to be
                * afloat */
} reading;

static bool names_one(json_view list)
{
    static const char *const names[] = {"SWIMS", "FLIES", "AQUATIC", "FLOATS"};
    bool found = false;
    for (json_walk w = json_walk_of(list); json_walk_next(&w);)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            found = found || json_view_is(w.value, names[i]);
    return found;
}

static bool floats(const afloat_list *a, uint32_t id)
{
    bool found = false;
    for (int depth = 0; id != ID_NONE && id < a->count && depth < CHAIN_MAX; depth++) {
        const afloat_type *m = &a->items[id];
        found = found || m->floats;
        if (m->states)
            break;
        id = m->parent;
    }
    return found;
}

/* Returns the element of the list (what floats, swims or flies) for the type that a JSON object
 * defines or changes; NULL when memory is out. */
static afloat_type *type_of(afloat_list *list, json_view object, reading *r)
{
    json_view name = mapgen_object_name(object);
    if (!name.document)
        /* A monster group has its id in the member `name`, not in `id`. */
        name = json_view_get(object, "name");
    const uint32_t id = mapgen_text_id(r->pool, name, &r->text);
    afloat_type *m =
        !ARRAY_ROOM_ZEROED(list->items, list->count, (size_t)id + 1) ? NULL : &list->items[id];
    const uint32_t parent =
        mapgen_text_id(r->pool, json_view_get(object, "copy-from"), &r->text);
    /* An object that is copied from itself changes the earlier object with that id: members
     * that it does not state stay as they were. */
    if (m && (parent != id || !m->known))
        *m = (afloat_type){.parent = parent,
                           .floats = list == &r->lists[AFLOAT_GROUPS] && m->floats};
    if (m)
        m->known = true;
    return m;
}

/* Does the part of a vehicle float? It is given as a name, or as an object with a name; '#' and
 * a variant may follow the name. */
static bool is_afloat(json_view part, reading *r)
{
    const json_view inside = json_view_get(part, "part");
    size_t length = 0;
    const char *text = json_view_text(inside.document ? inside : part, &r->text, &length);
    const char *end = text ? memchr(text, '#', length) : NULL;
    return text && floats(&r->lists[AFLOAT_PARTS],
                          id_pool_put(r->pool, text, end ? (size_t)(end - text) : length));
}

/* Finds out whether the group contains a monster that is afloat, or a group that contains one.
 * Returns false when memory is out. */
static bool read_group(json_view object, reading *r)
{
    afloat_type *m = type_of(&r->lists[AFLOAT_GROUPS], object, r);
    if (!m)
        return false;
    const bool before = m->floats;
    m->states = true;
    for (json_walk w = json_walk_of(json_view_get(object, "monsters")); json_walk_next(&w);) {
        const json_view monster = json_view_get(w.value, "monster");
        const json_view group = json_view_get(w.value, "group");
        m->floats =
            m->floats ||
            floats(&r->lists[AFLOAT_MONSTERS], mapgen_text_id(r->pool, monster, &r->text)) ||
            floats(&r->lists[AFLOAT_GROUPS], mapgen_text_id(r->pool, group, &r->text));
    }
    const json_view rest = json_view_get(object, "default");
    m->floats = m->floats ||
                floats(&r->lists[AFLOAT_MONSTERS], mapgen_text_id(r->pool, rest, &r->text));
    r->more = r->more || m->floats != before;
    return true;
}

static ptl_status on_object(void *payload, const kept_row *row, ptl_error *err)
{
    reading *r = payload;
    json_document document;
    TRY(kept_object(&document, r->reader, row, err));
    const json_view object = json_view_of(&document);
    if (strcmp(r->type, "monstergroup") == 0)
        return read_group(object, r) ? PTL_OK : error_nomem(err);
    const bool vehicle = strcmp(r->type, "vehicle") == 0, monster = r->type[0] == 'M';
    afloat_type *m = type_of(&r->lists[monster   ? AFLOAT_MONSTERS
                                       : vehicle ? AFLOAT_VEHICLES
                                                 : AFLOAT_PARTS],
                             object, r);
    if (!m)
        return error_nomem(err);
    /* A monster, or a part of a vehicle, is afloat if its flags say so. A vehicle is afloat if
     * one of its parts is. */
    const json_view stated = json_view_get(object, vehicle ? "parts" : "flags");
    const json_view more = json_view_get(json_view_get(object, "extend"), "flags");
    m->states = m->states || stated.document;
    if (!vehicle)
        m->floats = (m->floats && !stated.document) || names_one(stated) || names_one(more);
    for (json_walk w = json_walk_of(stated); vehicle && json_walk_next(&w);) {
        m->floats = m->floats || is_afloat(w.value, r);
        for (json_walk k = json_walk_of(json_view_get(w.value, "parts")); json_walk_next(&k);)
            m->floats = m->floats || is_afloat(k.value, r);
    }
    return PTL_OK;
}

static ptl_status read_types(world_mapgen *mapgen, const ptl_world *world,
                             const char *const *types, size_t count, ptl_error *err)
{
    reading r = {.lists = mapgen->afloat,
                 .pool = mapgen->pool,
                 .reader =
                     json_reader_new(ops(world->store)->transaction->stop_hook(world->store))};
    bytes_init(&r.text);
    ptl_status status = r.reader ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        /* Reads all objects of a type. A group may name another group that is defined later. So
         * groups are read again and again, until one pass finds no further group that is
         * afloat. */
        r.type = types[i];
        do {
            r.more = false;
            status = store_kept_visit(world->store, r.type, on_object, &r, err);
        } while (status == PTL_OK && r.more);
        if (status == PTL_OK && (r.text.failed || id_pool_failed(r.pool)))
            status = error_nomem(err);
    }
    bytes_dispose(&r.text);
    json_reader_free(r.reader);
    return status;
}

/* Finds out what deep water does not move. Monsters that swim or fly have flags that say so.
 * Vehicles float if one of their parts has the flag for it. A group of monsters counts as
 * afloat if it contains a monster that swims or flies. */

ptl_status world_local_afloat(world_mapgen *mapgen, const ptl_world *world, bool things,
                              ptl_error *err)
{
    static const char *const types[] = {"MONSTER", "vehicle_part", "vehicle", "monstergroup"};
    const size_t from = mapgen->knows_swimmers, to = things && !mapgen->knows_floats ? 4 : 1;
    if (from < to)
        TRY(read_types(mapgen, world, types + from, to - from, err));
    mapgen->knows_swimmers = true;
    mapgen->knows_floats = mapgen->knows_floats || things;
    return PTL_OK;
}

static bool is_listed(const world_mapgen *mapgen, const afloat_list *list, const char *id)
{
    return floats(list, id_pool_put(mapgen->pool, id, strlen(id)));
}

bool world_local_walks(const world_mapgen *mapgen, const local_entity *e, const char *id)
{
    if (e->kind == LOCAL_NPC)
        return true;
    return e->kind == LOCAL_MONSTER && mapgen->knows_swimmers &&
           !is_listed(mapgen, &mapgen->afloat[AFLOAT_MONSTERS], id);
}

/* ---- the OMT and its neighbours ---- */

enum {
    AROUND = 9, /* the OMT in the middle and its neighbours, row by row */
    MIDDLE = AROUND / 2,
    LAND = 40 /* height that is taken for OMTs without coast; 0 is the mean sea level */
};

/* An OMT of the 3 x 3 OMTs around the one that is washed, with what was read of it so far. */
typedef struct wash_omt {
    ptl_local_map *map; /* owned; NULL: not read yet */
    local_sea *sea;     /* owned; NULL: not computed yet */
    bool beyond;        /* the OMT lies outside of the range of chunks */
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

/* A tile of the 3 x 3 OMTs: the number of its OMT (0..8), and the number of the tile within
 * that OMT. */
typedef struct wash_tile {
    int omt;
    int32_t cell;
} wash_tile;

static ptl_omt place_of(const washing *w, int omt)
{
    return (ptl_omt){w->at.x + omt % 3 - 1, w->at.y + omt / 3 - 1, 0};
}

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

/* Reads the OMT's map; if it is not stored, it is made. */
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

/* Gives the height of the ground at a tile, if something can stand there at this turn;
 * otherwise INT32_MIN. */
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

static bool walks(const washing *w, const local_entity *e)
{
    const stored_map *s = &w->omts[MIDDLE].map->stored;
    return is_creature(e) &&
           world_local_walks(w->maker.mapgen, e, id_pool_text(s->pool, e->id));
}

/* Returns whether deep water moves this thing. Deep water moves items and groups of items,
 * corpses, vehicles that do not float, and groups of monsters of which none is afloat. */
static bool sinks(const washing *w, const local_entity *e)
{
    const world_mapgen *m = w->maker.mapgen;
    const bool vehicle = e->kind == LOCAL_VEHICLE;
    if (e->kind == LOCAL_ITEM || e->kind == LOCAL_ITEM_GROUP || e->kind == LOCAL_CORPSE)
        return true;
    return m->knows_floats && (vehicle || e->kind == LOCAL_MONSTER_GROUP) &&
           !is_listed(m, &m->afloat[vehicle ? AFLOAT_VEHICLES : AFLOAT_GROUPS],
                      id_pool_text(w->omts[MIDDLE].map->stored.pool, e->id));
}

static bool is_rectangle(const local_entity *e)
{
    return e->x != e->x2 || e->y != e->y2;
}

static bool is_deep(const washing *w, int32_t cell)
{
    return local_sea_feature(w->omts[MIDDLE].sea, cell) == COAST_DEEP;
}

/* Returns whether a creature that walks stands on the tile. Its water is then shown as shallow,
 * and things on the tile are not moved. */
static bool is_kept(const washing *w, int32_t cell)
{
    const local_map *m = &w->omts[MIDDLE].map->stored.map;
    bool found = false;
    for (size_t i = 0; i < m->count && !found; i++)
        found = cell_of(&m->entities[i]) == cell && walks(w, &m->entities[i]);
    return found;
}

/* ---- moving things and creatures ---- */

/* Finds the place to which `more` things move from a tile of the middle OMT: of the eight tiles
 * around it the highest one whose map has room for them. Of equally high tiles it takes the
 * first, clockwise from the north. With `alone`, tiles that have a creature are left out. If no
 * tile is found, the result is the tile itself. */
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
        /* Coordinates of the neighbouring tile, in tiles, within the square of 3 x 3 OMTs. */
        const int32_t x = cell % LOCAL_SIDE + round[i][0] + LOCAL_SIDE;
        const int32_t y = cell / LOCAL_SIDE + round[i][1] + LOCAL_SIDE;
        const wash_tile at = {y / LOCAL_SIDE * 3 + x / LOCAL_SIDE,
                              y % LOCAL_SIDE * LOCAL_SIDE + x % LOCAL_SIDE};
        status = bottom(&height, w, at, err);
        if (status != PTL_OK || height <= highest)
            continue;
        status = need_map(w, at.omt, err);
        if (status != PTL_OK)
            break;
        const local_map *map = &w->omts[at.omt].map->stored.map;
        bool fits = at.omt == MIDDLE || map->count + more <= LOCAL_ENTITIES_MAX;
        for (size_t k = 0; k < map->count && alone && fits; k++)
            fits = !is_creature(&map->entities[k]) || cell_of(&map->entities[k]) != at.cell;
        if (fits) {
            highest = height;
            *out = at;
        }
    }
    return status;
}

/* Moves `count` entities of the middle map, from index `first` on, to a tile. If the tile lies
 * on another map, the entities are removed from the middle one. */
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

/* Moves creatures or things out of deep water: if `creatures` is true, the creatures that can
 * neither swim nor fly; otherwise the things that do not float. Entities that cover a rectangle
 * are not moved here. */
static ptl_status wash(washing *w, bool creatures, ptl_error *err)
{
    const local_map *map = &w->omts[MIDDLE].map->stored.map;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < map->count && status == PTL_OK;) {
        const local_entity *e = &map->entities[i];
        /* An item moves together with the items that it contains, which follow it in the list.
         * Finds the index behind the last of them. */
        size_t end = i + 1;
        while (e->kind == LOCAL_ITEM && end < map->count &&
               map->entities[end].kind == LOCAL_ITEM && map->entities[end].status > 0)
            end++;
        const size_t count = end - i;
        const int32_t cell = cell_of(e);
        wash_tile to = {MIDDLE, cell};
        const bool washed = (creatures ? walks(w, e) : sinks(w, e)) && !is_rectangle(e) &&
                            is_deep(w, cell) && (creatures || !is_kept(w, cell));
        if (washed)
            status = find_place(&to, w, cell, count, creatures, err);
        const bool moves = status == PTL_OK && (to.omt != MIDDLE || to.cell != cell);
        if (moves)
            status = move(w, i, count, to, err);
        if (!moves || to.omt == MIDDLE)
            i += count;
    }
    return status;
}

/* ---- entities that cover a rectangle ---- */

/* Makes the entity's rectangle smaller: the smallest one that contains all those of its tiles
 * on which something can stand. False: there are no such tiles. */
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

/* For a thing on a rectangle of tiles on none of which it can stay, finds the highest tile
 * beside the rectangle that has room for it; of equally high tiles the first. *found becomes
 * false if there is no such tile. */
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

/* If deep water covers a part of an entity's rectangle, shrinks the rectangle so that it has no
 * deep water, or moves the entity. *gone becomes true if it was moved to another map. */
static ptl_status wash_rectangle(bool *gone, washing *w, size_t number, ptl_error *err)
{
    wash_tile to;
    bool found = false, flooded = false;
    local_entity *at = &w->omts[MIDDLE].map->stored.map.entities[number];
    local_entity now = *at;
    *gone = false;
    for (int32_t y = at->y; y <= at->y2; y++)
        for (int32_t x = at->x; x <= at->x2; x++)
            flooded = flooded || is_deep(w, y * LOCAL_SIDE + x);
    if (!sinks(w, at) || !flooded)
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

/* ---- the public call ---- */

/* Saves the maps that were changed. */
static ptl_status put_changed(const washing *w, ptl_error *err)
{
    ptl_local_map *maps[AROUND];
    size_t count = 0;
    for (int i = 0; i < AROUND; i++)
        if (w->omts[i].changed)
            maps[count++] = w->omts[i].map;
    return count > 0 ? ptl_local_put(w->world, maps, count, err) : PTL_OK;
}

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
        const local_map *map = &w.omts[MIDDLE].map->stored.map;
        status = world_local_afloat(w.maker.mapgen, world, true, err);
        THEN(status, wash(&w, true, err));
        THEN(status, wash(&w, false, err));
        for (size_t i = 0; i < map->count && status == PTL_OK;) {
            bool gone = false;
            if (is_rectangle(&map->entities[i]))
                status = wash_rectangle(&gone, &w, i, err);
            i += !gone;
        }
        THEN(status, put_changed(&w, err));
    }
    if (moved)
        *moved = status == PTL_OK ? w.moved : 0;
    for (int i = 0; i < AROUND; i++) {
        ptl_local_free(w.omts[i].map);
        free(w.omts[i].sea);
    }
    return status;
}
