/*
 * Makes local maps: finds out which terrain and which neighbours an OMT has, computes the keys
 * of its random numbers, and runs mapgen with these.
 */
#include "world/local/local.h"

#include "core/utf8.h"
#include "mapgen/compile/text_id.h"
#include "world/local/kept_object.h"

#include <assert.h>

/* ---- answers to questions that mapgen asks about the OMT ---- */

/* What is needed to answer mapgen's questions about the neighbours of an OMT. */
typedef struct neighbours {
    const catalogue *cat;
    const local_around *around;
    const world_mapgen *mapgen;
    ptl_omt at;
    const local_maker *maker;
    ptl_error *err; /* the error record of the call that makes the map */
    ptl_status status;
} neighbours;

static ptl_oter oter_at(const local_around *around, int direction)
{
    /* Steps along x and y in the eight directions, clockwise from the north. */
    static const int steps[][2] = {{0, -1}, {1, -1}, {1, 0},  {1, 1},
                                   {0, 1},  {-1, 1}, {-1, 0}, {-1, -1}};
    if (direction == MAPGEN_ABOVE)
        return around->above;
    if (direction == MAPGEN_BELOW)
        return around->below;
    return around->cells[around_place(steps[direction][0], steps[direction][1])];
}

static void see(mapgen_omt *out, const neighbours *n, ptl_oter oter)
{
    const seen_oter *s = world_seen_oter(n->mapgen, n->cat, oter);
    *out = (mapgen_omt){.key = s->key, .turns = s->turns, .seen = s->ground};
}

static void neighbour(mapgen_omt *out, void *payload, int direction)
{
    const neighbours *n = payload;
    see(out, n, oter_at(n->around, direction));
}

static bool has_flag(void *payload, int direction, const char *flag)
{
    const neighbours *n = payload;
    const ptl_oter oter = oter_at(n->around, direction);
    const cat_terrain *t =
        oter < n->cat->oter_count ? &n->cat->terrains[n->cat->oters[oter].terrain] : NULL;
    return t && world_terrain_has(t, flag);
}

/* Turns a direction into a side of the OMT. `direction` is 0 to 7, clockwise from the north, or
 * above or below. Returns -1 if the direction leads to a corner. */
static int side_of(int direction)
{
    enum { AROUND = 8 };
    if (direction == MAPGEN_ABOVE)
        return CAT_ABOVE;
    if (direction == MAPGEN_BELOW)
        return CAT_BELOW;
    return direction < AROUND && direction % 2 == 0 ? direction / 2 : -1;
}

static const char *join(void *payload, int direction)
{
    const neighbours *n = payload;
    const int side = side_of(direction);
    return side < 0 ? "" : local_record_join(n->around->record, n->at, side);
}

/* Does the oter belong to the connection, and does its line lead to this side? */
static bool leads(const catalogue *cat, const cat_connection *connection, ptl_oter oter,
                  int side)
{
    const cat_oter *o = oter < cat->oter_count ? &cat->oters[oter] : NULL;
    return o && o->line >> side & 1 && cat_terrain_in(connection->terrains, o->terrain);
}

/* Is the OMT linked with its neighbour in this direction by the connection? It is if the
 * terrain of one of the two belongs to the connection and has an arm towards the other. */
static bool connects(void *payload, int direction, const char *connection)
{
    enum { SIDES = 4 };
    const neighbours *n = payload;
    const int side = side_of(direction);
    const uint16_t number = catalogue_connection(n->cat, connection);
    if (number == CAT_NONE || side < 0 || side >= SIDES)
        return false;
    const cat_connection *c = &n->cat->connections[number];
    return leads(n->cat, c, n->around->cells[AROUND_MIDDLE], side) ||
           leads(n->cat, c, oter_at(n->around, direction), (side + 2) % SIDES);
}

static bool before(mapgen_omt *out, void *payload, size_t number)
{
    const neighbours *n = payload;
    const local_scene *scene = n->maker->scene;
    ptl_oter oter = scene ? scene->before : PTL_OTER_NONE;
    const bool there = scene ? number == 0 && oter != PTL_OTER_NONE
                             : local_record_before(&oter, n->around->record, n->at, number);
    if (there)
        see(out, n, oter);
    return there;
}

static const char *city(void *payload)
{
    neighbours *n = payload;
    const char *name = NULL;
    THEN(n->status, local_record_town(&name, n->around->record, n->maker->world,
                                      n->maker->mapgen, n->at, n->err));
    return name;
}

/* ---- making a request to mapgen ---- */

/* Returns the date and hour of a turn. Worlds begin at the hour FIRST_HOUR of the first day of
 * spring; a turn takes a second. */
static mapgen_time time_of(int64_t turn)
{
    /* FIRST_HOUR is the hour of the day at turn 0, HOUR the length of an hour in seconds,
     * SEASON the length of a season in days. */
    enum { FIRST_HOUR = 8, HOUR = 3600, HOURS = 24, SEASON = 91, SEASONS = 4 };
    const int64_t hours = turn / HOUR, of_spring = hours + FIRST_HOUR;
    return (mapgen_time){.hours = hours,
                         .hour = (int)(of_spring % HOURS),
                         .season = (int)(of_spring / HOURS / SEASON % SEASONS)};
}

/* Takes the OMTs around an OMT from the record of its chunk. False: the chunk is not saved, or
 * the OMT lies at its border, so that some of them are in other chunks. */
static bool look_in_record(local_around *out, const local_record *record, ptl_omt at)
{
    const ptl_omt first = {at.x - AROUND_REACH, at.y - AROUND_REACH, at.z};
    const ptl_omt last = {at.x + AROUND_REACH, at.y + AROUND_REACH, at.z};
    const ptl_chunk_pos here = ptl_omt_chunk(first), there = ptl_omt_chunk(last);
    if (here.x != there.x || here.y != there.y ||
        local_record_oter(record, at) == PTL_OTER_NONE)
        return false;
    for (int i = 0; i < AROUND_CELLS; i++)
        out->cells[i] = local_record_oter(
            record, (ptl_omt){first.x + i % AROUND_SIDE, first.y + i / AROUND_SIDE, at.z});
    return true;
}

/* Reads the surroundings of an OMT. Missing chunks are generated, or are an error if the file
 * is only read. */
static ptl_status look_around(local_around *out, ptl_world *world, ptl_omt at, ptl_error *err)
{
    const bool may_write = ops(world->store)->transaction->may_write(world->store);
    const ptl_area_options o = {.size = sizeof o, .generate = may_write};
    const ptl_area area = {at.x - AROUND_REACH, at.y - AROUND_REACH, at.z, AROUND_SIDE,
                           AROUND_SIDE};
    ptl_area_report read = PTL_AREA_REPORT_INIT;
    TRY(ptl_area_get(out->cells, &read, world, &area, &o, err));
    if (read.missing == 0)
        return PTL_OK;
    return error_set(
        err, PTL_ERR_NOT_FOUND,
        "the local map at %lld,%lld,%d depends on an overmap beside it that is not "
        "generated, and the file is only read",
        (long long)at.x, (long long)at.y, (int)at.z);
}

/* Finds the surroundings of an OMT in the file, for a local_maker (its member `look`): in the
 * record of its chunk if that has all of them, since that costs no reading. The OMTs above and
 * below are always in it. */
static ptl_status look_in_file(local_around *out, void *payload, ptl_omt at, ptl_error *err)
{
    ptl_world *world = payload;
    local_record **record = &world->mapgen->record;
    TRY(local_record_read(record, world, at, err));
    if (!look_in_record(out, *record, at)) {
        TRY(look_around(out, world, at, err));
        TRY(local_record_read(record, world, at, err)); /* its chunk may be a new one */
    }
    out->record = *record;
    out->below = local_record_oter(*record, (ptl_omt){at.x, at.y, at.z - 1});
    out->above = local_record_oter(*record, (ptl_omt){at.x, at.y, at.z + 1});
    local_record_forget_towns(*record);
    return PTL_OK;
}

/* Returns the density of monsters for mapgen entries that do not state a density. It is the sum
 * of the densities (`mondensity`) of the terrains of the OMT and all OMTs around it, in hundred
 * thousandths. */
static uint32_t density_of(const catalogue *cat, const local_around *around)
{
    enum { UNIT = 1000, MOST = 1000000 };
    int64_t sum = 0;
    for (int i = 0; i < AROUND_CELLS; i++)
        if (around->cells[i] < cat->oter_count)
            sum += cat->terrains[cat->oters[around->cells[i]].terrain].mondensity;
    return sum < 0 ? 0 : sum > MOST ? MOST * UNIT : (uint32_t)sum * UNIT;
}

static uint64_t place_key(const ptl_world *world, const char *what, ptl_omt at)
{
    uint64_t key = hash_add((uint64_t)world->row.seed, hash_string(what));
    key = hash_add(key, (uint64_t)at.x);
    return hash_add(key, (uint64_t)at.y);
}

/* Returns a key that is the same for all OMTs of one special or building, on all levels. An OMT
 * that belongs to none gets a key that is the same for its column of OMTs. */
static uint64_t special_key(const ptl_world *world, const local_around *around, ptl_omt at)
{
    ptl_omt from;
    uint64_t special = 0;
    if (!local_record_placement(&from, &special, around->record, at))
        return place_key(world, "local column", at);
    const uint64_t key = hash_add(place_key(world, "local special", from), special);
    return hash_add(key, (uint64_t)(int64_t)from.z);
}

/* A request to mapgen for an OMT, together with the data to which it points. The struct must
 * not be moved, because `request` points to its other members. */
typedef struct asking {
    const cat_oter *oter;
    local_around around;
    neighbours beside;
    ground_site site;
    mapgen_request request;
} asking;

/* Changes the request to mapgen for an OMT that lies in a scene instead of a world: it has the
 * scene's seed and no city. */
static void ask_scene(asking *a, const local_maker *maker, ptl_omt at)
{
    const local_scene *s = maker->scene;
    mapgen_request *q = &a->request;
    const bool focus = at.x == s->focus.x && at.y == s->focus.y && at.z == s->focus.z;
    q->key = a->site.key = hash_add(q->key, s->seed);
    q->stack_key = hash_add(q->stack_key, s->seed);
    q->special_key =
        hash_add(place_key(maker->world, "local special", (ptl_omt){0, 0, 0}), s->seed);
    q->city = NULL;
    q->extras = s->extras ? q->extras : NULL;
    q->given = s->given;
    q->given_count = s->given_count;
    q->entry = focus ? s->entry : 0;
    q->drawn = focus ? s->drawn : NULL;
    q->trace = focus ? s->trace : NULL;
}

/* Fills in the request to mapgen for an OMT. The keys of random numbers are made from seed and
 * place, so that they do not depend on the order in which maps are made. */
static ptl_status ask(asking *a, const local_maker *maker, ptl_omt at, ptl_error *err)
{
    assert(maker->mapgen);
    const ptl_world *world = maker->world;
    const world_mapgen *m = maker->mapgen;
    TRY(maker->look(&a->around, maker->payload, at, err));
    const ptl_oter middle = a->around.cells[AROUND_MIDDLE];
    if (middle >= world->cat->oter_count)
        return error_set(err, PTL_ERR_NOT_FOUND, "there is no terrain at %lld,%lld,%d",
                         (long long)at.x, (long long)at.y, (int)at.z);
    const cat_oter *o = &world->cat->oters[middle];
    const cat_terrain *type = &world->cat->terrains[o->terrain];
    const seen_oter *seen = world_seen_oter(m, world->cat, middle);
    const uint64_t column = place_key(world, "local column", at);
    const uint64_t tile = hash_add(place_key(world, "local", at), (uint64_t)(int64_t)at.z);
    const uint64_t key = hash_add(tile, seen->type_hash);
    a->oter = o;
    a->beside = (neighbours){world->cat, &a->around, m, at, maker, err, PTL_OK};
    a->site = world_site(world, m, at, &a->around);
    a->site.key = key;
    a->request = (mapgen_request){
        .library = m->library,
        .pool = m->pool,
        .terrain = seen->key,
        .turns = seen->turns,
        .unturned = seen->unturned,
        .z = at.z,
        .key = key,
        .stack_key = column,
        .special_key = special_key(world, &a->around, at),
        .neighbour = neighbour,
        .has_flag = has_flag,
        .join = join,
        .connects = connects,
        .before = before,
        .payload = &a->beside,
        .groups = m->groups,
        .density = density_of(world->cat, &a->around),
        .items_geometric = m->items_geometric,
        .city = city,
        .extras = &m->extras,
        .extra_set = seen->extras,
        .spawns = {seen->spawns, type->spawn_min, type->spawn_max, type->spawn_chance},
        .time = time_of(maker->turn),
        .tiles = m->tiles,
        .ids = &m->ids,
        .site = &a->site,
        .oter = o->id,
        .turn = maker->turn,
        .stop = ops(world->store)->transaction->stop_hook(world->store)};
    if (maker->scene)
        ask_scene(a, maker, at);
    return PTL_OK;
}

/* Turns the outcome of mapgen into a status: PTL_ERR_CONTENT if mapgen could not make the
 * whole map. */
static ptl_status check_whole(const local_map *map, mapgen_outcome outcome, const char *what,
                              ptl_error *err)
{
    if (outcome == MAPGEN_NO_MEMORY)
        return error_nomem(err);
    if (outcome == MAPGEN_STOPPED)
        return error_set(err, PTL_ERR_CANCELLED, "stopped");
    if (outcome == MAPGEN_LEFT_OUT)
        return error_set(
            err, PTL_ERR_CONTENT,
            "the mapgen of %s is in Lua, and this build has none: it needs one with "
            "PORTOLAN_LUA=ON",
            what);
    if (map->cut)
        return error_set(err, PTL_ERR_CONTENT,
                         "the mapgen of %s asks for more than is ever made of one map: %d "
                         "pieces, %d things, or %d tiles and things gone over",
                         what, MAPGEN_PIECES, LOCAL_ENTITIES_MAX, MAPGEN_WORK);
    return PTL_OK;
}

/* Returns the error that reading data has met while mapgen was running. mapgen itself goes on
 * after such an error, so the map may be incomplete. */
static ptl_status fault_of(const asking *a, const local_maker *maker, ptl_error *err)
{
    const ptl_status status = a->beside.status;
    if (status == PTL_OK && id_pool_failed(maker->mapgen->pool))
        return error_nomem(err);
    return status == PTL_OK ? world_mapgen_fault(maker->mapgen, err) : status;
}

/* ---- making maps ---- */

/* Adds to an OMT's map what the mapgen of other levels places on it: the mapgen of an OMT
 * may place things on other levels of its column. The levels are gone through from the
 * lowest up. */
static ptl_status run_column(local_map *map, const local_maker *maker, ptl_omt at,
                             const local_record *record, ptl_error *err)
{
    const world_mapgen *m = maker->mapgen;
    const catalogue *cat = maker->world->cat;
    /* For each level of the column of OMTs: whether the mapgen of the OMT on it places things
     * on this map. This is found out for all levels before `ask` is called, because `ask` may
     * free `record`. */
    bool reach[PTL_LEVELS];
    /* Whether the mapgen of the oter `last` places things on any level but its own. If several
     * levels one above the other have the same oter, this is computed only once. */
    bool any = false;
    ptl_oter last = PTL_OTER_NONE;
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        const ptl_oter oter = local_record_oter(record, (ptl_omt){at.x, at.y, z});
        const uint32_t key = oter != last || any ? world_seen_oter(m, cat, oter)->key : ID_NONE;
        if (oter != last)
            any = oter < cat->oter_count && mapgen_heights_reach_any(m->library, key);
        reach[z - PTL_Z_MIN] =
            any && z != at.z && mapgen_heights_reach(m->library, key, at.z - z);
        last = oter;
    }
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        asking a;
        if (!reach[z - PTL_Z_MIN])
            continue;
        TRY(ask(&a, maker, (ptl_omt){at.x, at.y, z}, err));
        const mapgen_outcome outcome = mapgen_run_above(map, &a.request, at.z - z);
        TRY(fault_of(&a, maker, err));
        TRY(check_whole(map, outcome, a.oter->id, err));
    }
    return PTL_OK;
}

/* Returns whether the content has mapgen entries for the oter's terrain. */
static bool is_drawn(const local_maker *maker, ptl_oter oter)
{
    const catalogue *cat = maker->world->cat;
    const world_mapgen *m = maker->mapgen;
    return oter < cat->oter_count &&
           mapgen_library_first(m->library, MAPGEN_OM_TERRAIN,
                                world_seen_oter(m, cat, oter)->key) != NULL;
}

/* Makes the map of an OMT by the content's mapgen, and lists its tiles with stairs or other
 * ways that lead down (if `down` is true) or up. The map of the OMT to which they lead is
 * made by code, which must put the other ends of these ways on the same tiles. */
static ptl_status find_ways(ground_given *out, const local_maker *maker, ptl_omt at, bool down,
                            ptl_error *err)
{
    asking a;
    local_map map;
    TRY(ask(&a, maker, at, err));
    local_map_init(&map);
    const mapgen_outcome outcome = mapgen_run(&map, &a.request);
    ptl_status status = fault_of(&a, maker, err);
    if (status == PTL_OK && outcome == MAPGEN_NO_MEMORY)
        status = error_nomem(err);
    if (status == PTL_OK && outcome == MAPGEN_STOPPED)
        status = error_set(err, PTL_ERR_CANCELLED, "stopped");
    for (size_t i = 0; i < LOCAL_CELLS && outcome == MAPGEN_MADE; i++) {
        const char *text = id_pool_text(maker->mapgen->pool, map.terrain[i]);
        const char *answer = ground_answer(text, down);
        if (!answer || out->count == GROUND_GIVEN_MAX)
            continue;
        out->cells[out->count] = (uint16_t)i;
        out->terrains[out->count++] = answer;
    }
    local_map_dispose(&map);
    return status;
}

/* Fills in the request to mapgen for an OMT. If its ground is made by code and must continue
 * stairs and other ways of the levels above and below, these ways are found first, in the maps
 * that come from the content. */
static ptl_status ask_with_ways(asking *a, const local_maker *maker, ptl_omt at, ptl_error *err)
{
    ground_given up = {.count = 0}, down = {.count = 0};
    TRY(ask(a, maker, at, err));
    const ptl_oter above = a->around.above, below = a->around.below;
    const ptl_oter middle = a->around.cells[AROUND_MIDDLE];
    if (!world_seen_oter(maker->mapgen, maker->world->cat, middle)->answers ||
        is_drawn(maker, middle))
        return PTL_OK;
    const bool look_up = is_drawn(maker, above), look_down = is_drawn(maker, below);
    if (look_up)
        TRY(find_ways(&up, maker, (ptl_omt){at.x, at.y, at.z + 1}, true, err));
    if (look_down)
        TRY(find_ways(&down, maker, (ptl_omt){at.x, at.y, at.z - 1}, false, err));
    if (look_up || look_down)
        /* find_ways has freed data to which the request `a` points, so the request is made
         * anew. */
        TRY(ask(a, maker, at, err));
    a->site.up = up;
    a->site.down = down;
    return PTL_OK;
}

/* Does any of the eight OMTs around belong to a terrain that riots damage? */
static bool beside_riots(const local_maker *maker, const local_around *around)
{
    bool found = false;
    for (int i = 0; i < GROUND_AROUND && !found; i++)
        found = i != GROUND_MIDDLE &&
                world_seen_oter(maker->mapgen, maker->world->cat,
                                around->cells[around_place(i % 3 - 1, i / 3 - 1)])
                    ->riots;
    return found;
}

/* Damages a finished map as riots and fires do, if its terrain asks for that, or if it is a
 * road beside such a terrain. */
static ptl_status process(local_map *map, const asking *a, const local_maker *maker,
                          ptl_error *err)
{
    const world_mapgen *m = maker->mapgen;
    const seen_oter *seen =
        world_seen_oter(m, maker->world->cat, a->around.cells[AROUND_MIDDLE]);
    const uint32_t road = mapgen_word_id(m->pool, MAPGEN_RIOT_DAMAGE_ROAD);
    const uint32_t *generators = seen->riots ? seen->processes : &road;
    const size_t count = seen->riots ? seen->process_count
                         : seen->ground.road && beside_riots(maker, &a->around) ? 1
                                                                                : 0;
    const bool riots = maker->world->row.riot_damage == PTL_RIOT_DAMAGE_ON;
    if (riots == maker->opposite || count == 0)
        return PTL_OK;
    return check_whole(map, mapgen_process_map(map, &a->request, generators, count),
                       a->oter->id, err);
}

/* Makes a map. It does not put the roofs of the level below on the map; the caller does that.
 */
static ptl_status run_map(local_map *map, map_info *info, const local_maker *maker,
                          ptl_error *err)
{
    asking a;
    const world_mapgen *m = maker->mapgen;
    TRY(ask_with_ways(&a, maker, info->at, err));
    const cat_oter *oter = a.oter;
    info->oter = oter->id;
    const mapgen_outcome outcome = mapgen_run(map, &a.request);
    TRY(fault_of(&a, maker, err));
    info->fallback = outcome == MAPGEN_NO_ENTRY || outcome == MAPGEN_FAILED;
    if (info->fallback)
        mapgen_fill_fallback(map, m->pool, info->at.z);
    seen_oter *seen = &m->oters[oter - maker->world->cat->oters];
    if (seen->palette == ID_NONE)
        seen->palette = ground_palette(&m->settings, m->pool,
                                       maker->world->cat->terrains[oter->terrain].id);
    map->palette = seen->palette;
    TRY(check_whole(map, outcome, oter->id, err));
    TRY(run_column(map, maker, info->at, a.around.record, err));
    if (!info->fallback)
        TRY(process(map, &a, maker, err));
    return fault_of(&a, maker, err);
}

ptl_status world_local_update(local_map *map, local_map *own, int up, const map_info *info,
                              const local_maker *maker, const char *id, ptl_error *err)
{
    asking a;
    const catalogue *cat = maker->world->cat;
    const uint32_t update = id_pool_put(maker->mapgen->pool, id, strlen(id));
    TRY(ask(&a, maker, info->at, err));
    /* The map stays rotated like the oter that it was made for, although the OMT may have
     * another oter now. */
    const ptl_oter made_for = catalogue_oter(cat, info->oter);
    a.request.turns = world_seen_oter(maker->mapgen, cat, made_for)->turns;
    a.request.key =
        hash_add(hash_add(a.request.key, hash_string(id)), (uint64_t)info->revision);
    const mapgen_outcome outcome = own ? mapgen_update_above(map, own, &a.request, update, up)
                                       : mapgen_update(map, &a.request, update);
    TRY(fault_of(&a, maker, err));
    if (outcome == MAPGEN_NO_ENTRY)
        return error_set(err, PTL_ERR_NOT_FOUND, "the content has no update '%s'", id);
    if (outcome == MAPGEN_FAILED) {
        const local_map *told = own ? own : map;
        return error_set(
            err, PTL_ERR_CONTENT, "the script of the update '%s' failed: %s", id,
            id_pool_text(maker->mapgen->pool, told->entities[told->count - 1].text));
    }
    return check_whole(map, outcome, id, err);
}

ptl_status world_local_draw(local_map *map, const local_maker *maker, ptl_omt at,
                            mapgen_role role, uint32_t key, ptl_error *err)
{
    asking a;
    TRY(ask(&a, maker, at, err));
    a.request.turns = maker->scene->turns;
    const mapgen_outcome outcome = role == MAPGEN_UPDATE
                                       ? mapgen_update(map, &a.request, key)
                                       : mapgen_draw_chunk(map, &a.request, key);
    TRY(fault_of(&a, maker, err));
    const char *id = id_pool_text(maker->mapgen->pool, key);
    if (outcome == MAPGEN_NO_ENTRY)
        return error_set(err, PTL_ERR_NOT_FOUND, "there is no entry %d of '%.*s'",
                         (int)a.request.entry, UTF8_CUT(id, 100));
    return check_whole(map, outcome, id, err);
}

ptl_status world_local_run(local_map *out, map_info *info, const local_maker *maker, ptl_omt at,
                           ptl_error *err)
{
    const world_mapgen *m = maker->mapgen;
    *info = (map_info){.at = at,
                       .content_id = maker->world->row.content_id,
                       .turn = maker->turn,
                       .generator_version = PTL_GENERATOR_VERSION};
    TRY(run_map(out, info, maker, err));
    if (at.z == PTL_Z_MIN || !mapgen_wants_roof(out, m->pool) ||
        (maker->scene &&
         world_scene_oter(maker->scene, (ptl_omt){at.x, at.y, at.z - 1}) == PTL_OTER_NONE))
        return PTL_OK;
    /* On a level above the ground, a tile with nothing but air gets the roof of the tile below
     * it. So the map of the level below is needed, too. */
    map_info other = {.at = {at.x, at.y, at.z - 1}};
    local_map below;
    local_map_init(&below);
    const ptl_status status = run_map(&below, &other, maker, err);
    if (status == PTL_OK)
        mapgen_put_roofs(out, &below, m->tiles, m->pool);
    local_map_dispose(&below);
    return status;
}

/* ---- an OMT that stands alone ---- */

ptl_status world_local_alone(odds_request *out, const local_maker *maker, ptl_omt at,
                             ptl_error *err)
{
    asking a;
    TRY(ask(&a, maker, at, err));
    const mapgen_spawns *s = &a.request.spawns;
    *out = (odds_request){.terrain = a.request.terrain,
                          .type = maker->world->cat->terrains[a.oter->terrain].id,
                          .z = at.z,
                          .density = a.request.density,
                          .spawn_group = s->group,
                          .spawn_least = s->least,
                          .spawn_most = s->most,
                          .spawn_chance = s->chance};
    return PTL_OK;
}

mapgen_time world_local_time(int64_t turn)
{
    return time_of(turn);
}

ptl_status world_local_run_alone(local_map *out, const local_maker *maker, ptl_omt at,
                                 bool riots, bool *whole, ptl_error *err)
{
    asking a;
    TRY(ask(&a, maker, at, err));
    a.request.extras = NULL;
    a.request.city = NULL; /* only signs show the city's name, and this map has none */
    a.request.apart = true;
    a.request.stands = maker->stands;
    a.request.stands_payload = maker->stands_payload;
    a.request.special_key = hash_add(a.request.stack_key, hash_string("alone"));
    mapgen_outcome outcome = mapgen_run(out, &a.request);
    const seen_oter *seen =
        world_seen_oter(maker->mapgen, maker->world->cat, a.around.cells[AROUND_MIDDLE]);
    TRY(fault_of(&a, maker, err));
    *whole = outcome != MAPGEN_LEFT_OUT && !out->cut;
    if (riots && seen->riots && *whole && outcome != MAPGEN_NO_ENTRY &&
        outcome != MAPGEN_FAILED)
        outcome = mapgen_process_map(out, &a.request, seen->processes, seen->process_count);
    *whole = *whole && !out->cut;
    return *whole ? check_whole(out, outcome, a.oter->id, err) : fault_of(&a, maker, err);
}

/* ---- preparing what maps are made with ---- */

ptl_status world_local_content(const ptl_world *world, ptl_error *err)
{
    int64_t current = 0;
    TRY(ops(world->store)->content->current(&current, world->store, err));
    if (current != world->row.content_id)
        return error_set(err, PTL_ERR_MISMATCH,
                         "the file's content is not the one that the world was made with, and "
                         "its mapgen is that of another");
    if (world->row.derive && world->row.generator_version != PTL_GENERATOR_VERSION)
        return error_set(err, PTL_ERR_MISMATCH,
                         "world '%s' derives its local maps, and generator version %d made it: "
                         "those of version %d may be others; store what was visited with the "
                         "Portolan that it was made with (generate --local --keep)",
                         world->row.name, (int)world->row.generator_version,
                         PTL_GENERATOR_VERSION);
    return PTL_OK;
}

/* Frees world->mapgen if it has failed, or if a whole one is needed and it is not. */
static void drop_mapgen(ptl_world *world, bool whole)
{
    ptl_error fault = {.status = PTL_OK};
    if (!world->mapgen || (!(whole && world->mapgen->loader) &&
                           world_mapgen_fault(world->mapgen, &fault) == PTL_OK))
        return;
    world_mapgen_free(world->mapgen);
    world->mapgen = NULL;
}

ptl_status world_local_load(ptl_world *world, bool whole, ptl_error *err)
{
    ptl_status status = PTL_OK;
    TRY(world_local_content(world, err));
    drop_mapgen(world, whole);
    if (!world->mapgen)
        status = world_mapgen_load(&world->mapgen, world, whole, err);
    world->mapgen_free = world_mapgen_free;
    return status;
}

ptl_status world_local_load_all(world_mapgen **out, size_t count, ptl_world *world,
                                ptl_error *err)
{
    TRY(world_local_content(world, err));
    drop_mapgen(world, true);
    const size_t there = world->mapgen != NULL;
    const ptl_status status = world_mapgen_load_all(out + there, count - there, world, err);
    world->mapgen_free = world_mapgen_free;
    if (there) {
        out[0] = world->mapgen;
    } else if (status == PTL_OK) {
        world->mapgen = out[0];
    } else { /* it may lack some of the content */
        world_mapgen_free(out[0]);
        out[0] = NULL;
    }
    return status;
}

ptl_status world_local_maker(local_maker *out, ptl_world *world, int64_t turn, ptl_error *err)
{
    const ptl_status status = world_local_load(world, false, err);
    *out = (local_maker){.world = world,
                         .mapgen = world->mapgen,
                         .look = look_in_file,
                         .payload = world,
                         .turn = turn};
    return status;
}

ptl_status world_local_make(local_map *out, map_info *info, ptl_world *world, ptl_omt at,
                            int64_t turn, ptl_error *err)
{
    local_maker maker;
    TRY(world_local_maker(&maker, world, turn, err));
    return world_local_run(out, info, &maker, at, err);
}
