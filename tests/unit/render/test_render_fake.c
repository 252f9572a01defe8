/*
 * The world in memory that the tests of drawing draw. Linking our own ptl_level_load,
 * ptl_world_catalogue and the like keeps files and SQL out of them.
 */
#include "unit/render/test_render.h"

#include "core/error.h"
#include "portolan/generate.h"
#include "portolan/lists.h"
#include "portolan/local_tide.h"
#include "world/lists/tile_looks.h"
#include "world/local/local_reader.h"
#include "world/places.h"

#include <stdlib.h>
#include <string.h>

static const cat_terrain terrains[] = {
    {.id = "field",
     .name = "field",
     .color = "brown",
     .symbol = '.',
     .count = 1,
     .map_class = PTL_MAP_FIELD},
    {.id = "forest",
     .name = "forest",
     .color = "green",
     .symbol = 'F',
     .first = 1,
     .count = 1,
     .map_class = PTL_MAP_FOREST},
    {.id = "road",
     .name = "road",
     .color = "dark_gray",
     .flags = CAT_FLAG_LINEAR,
     .first = 2,
     .map_class = PTL_MAP_ROAD},
    {.id = "inverse",
     .name = "",
     .color = "i_yellow",
     .symbol = 7,
     .first = 4,
     .count = 1,
     .map_class = PTL_MAP_BUILDING},
};

static const cat_oter oters[FAKE_COUNT] = {
    {.id = "field", .terrain = 0, .symbol = '.'},
    {.id = "forest", .terrain = 1, .symbol = 'F'},
    {.id = "road_ns", .terrain = 2, .line = 5, .symbol = 0x2502, .flags = CAT_FLAG_LINEAR},
    {.id = "road_end_south",
     .terrain = 2,
     .line = 1,
     .symbol = 0x2502,
     .flags = CAT_FLAG_LINEAR},
    {.id = "inverse", .terrain = 3, .symbol = 7},
};

/* The road is what a connection lays; the inverse one is of a building, and so is the field,
 * which the region covers the land with. */
static const uint64_t road_terrains[] = {1u << 2};
static const cat_subtype road_subtypes[] = {{.terrain = 2}};
static const cat_connection connections[] = {
    {.id = "road", .subtypes = road_subtypes, .subtype_count = 1, .terrains = road_terrains}};
static const cat_omt building_tiles[] = {{.oters = {4, 4, 4, 4}}, {.oters = {0, 0, 0, 0}}};
static const cat_special specials[] = {
    {.id = "shop", .building = true, .omts = building_tiles, .omt_count = 2}};
static const cat_region regions[] = {{.id = "default", .default_ter = 0}};

const catalogue fake_catalogue = {.terrains = terrains,
                                  .terrain_count = 4,
                                  .oters = oters,
                                  .oter_count = FAKE_COUNT,
                                  .regions = regions,
                                  .region_count = 1,
                                  .connections = connections,
                                  .connection_count = 1,
                                  .specials = specials,
                                  .special_count = 1};

uint16_t catalogue_terrain(const catalogue *cat, const char *id)
{
    for (size_t i = 0; i < cat->terrain_count; i++)
        if (strcmp(cat->terrains[i].id, id) == 0)
            return (uint16_t)i;
    return CAT_NONE;
}

/* A place that nobody reads. */
static char failing_place;
#define FAILING_STORE ((ptl_store *)(void *)&failing_place)
static struct ptl_world good_world, failing_world = {.store = FAILING_STORE};

ptl_world *fake_world(bool fail)
{
    return fail ? &failing_world : &good_world;
}

const catalogue *ptl_world_catalogue(const ptl_world *world)
{
    (void)world;
    return &fake_catalogue;
}

ptl_oter fake_oter(int64_t x, int64_t y, int32_t z)
{
    ptl_chunk_pos pos = ptl_omt_chunk((ptl_omt){x, y, z});
    if ((pos.x + pos.y) & 1)
        return CAT_NONE;
    uint64_t mixed = (uint64_t)x * 31 + (uint64_t)y * 17 + (uint64_t)(z + 10) * 7;
    return (ptl_oter)(mixed % FAKE_COUNT);
}

ptl_status ptl_level_load(ptl_oter cells[PTL_LEVEL_CELLS], ptl_world *world, ptl_chunk_pos pos,
                          int32_t z, ptl_error *err)
{
    if (world == &failing_world)
        return error_set(err, PTL_ERR_CORRUPT, "checksum differs");
    if ((pos.x + pos.y) & 1)
        return error_set(err, PTL_ERR_NOT_FOUND, "no such chunk");
    for (int32_t y = 0; y < PTL_CHUNK_SIZE; y++)
        for (int32_t x = 0; x < PTL_CHUNK_SIZE; x++)
            cells[y * PTL_CHUNK_SIZE + x] = fake_oter((int64_t)pos.x * PTL_CHUNK_SIZE + x,
                                                      (int64_t)pos.y * PTL_CHUNK_SIZE + y, z);
    return PTL_OK;
}

const char *fake_name = "fake";

const char *ptl_world_name(const ptl_world *world)
{
    (void)world;
    return fake_name;
}

ptl_status ptl_world_settings(ptl_world_options *out, const ptl_world *world, ptl_error *err)
{
    (void)world;
    (void)err;
    out->seed = UINT64_MAX;
    return PTL_OK;
}

/* A city in the middle of each saved chunk. */
ptl_status world_cities(ptl_world *world, const int64_t rect[4], world_city_visit visit,
                        void *payload, ptl_error *err)
{
    (void)err;
    if (world == &failing_world)
        return error_set(err, PTL_ERR_CORRUPT, "a city of chunk 0,0 is out of range");
    for (int64_t y = -10; y <= 10; y++) {
        for (int64_t x = -10; x <= 10; x++) {
            const world_city city = {"Fake\xc3\xbcm", x * PTL_CHUNK_SIZE + 90,
                                     y * PTL_CHUNK_SIZE + 90, 12};
            if (((x + y) & 1) == 0 && city.x >= rect[0] && city.x <= rect[2] &&
                city.y >= rect[1] && city.y <= rect[3])
                visit(payload, &city);
        }
    }
    return PTL_OK;
}

ptl_status world_content_digest(ptl_world *world, char out[65], ptl_error *err)
{
    (void)world;
    (void)err;
    memset(out, 'd', 64);
    out[64] = '\0';
    return PTL_OK;
}

/* ---- local maps ---- */

/* Nothing is generated here: tests/cli/test_picture.py draws worlds that grow. */

size_t ptl_step_count(void)
{
    return 0;
}

const char *ptl_step_name(size_t index)
{
    (void)index;
    return NULL;
}

size_t world_steps_to(const char *step)
{
    (void)step;
    return 0;
}

ptl_status ptl_chunk_info_load(ptl_chunk_info *out, ptl_store *store, const char *world,
                               ptl_chunk_pos pos, ptl_error *err)
{
    (void)out;
    (void)store;
    (void)world;
    (void)pos;
    return error_set(err, PTL_ERR_UNSUPPORTED, "nothing is generated");
}

ptl_status world_prepare_again(ptl_world *world, const ptl_chunk_pos *pos, ptl_error *err)
{
    (void)world;
    (void)pos;
    return error_set(err, PTL_ERR_UNSUPPORTED, "nothing is generated");
}

ptl_status world_make_again(ptl_chunk **chunk, ptl_world *world, ptl_chunk_pos pos,
                            size_t step_count, const gen_trace *trace, ptl_error *err)
{
    *chunk = NULL;
    (void)world;
    (void)pos;
    (void)step_count;
    (void)trace;
    return error_set(err, PTL_ERR_UNSUPPORTED, "nothing is generated");
}

fake_tile fake_tile_at(int64_t x, int64_t y, int32_t z)
{
    uint64_t mixed = (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu;
    mixed = (mixed ^ (uint64_t)(z + 99)) * 0x9e3779b97f4a7c15u >> 40;
    return (fake_tile){.wall = mixed % 3 == 0,
                       .door = mixed % 3 == 1 && mixed / 3 % 4 == 0,
                       .chair = mixed / 12 % 5 == 0,
                       .trap = mixed / 60 % 9 == 0,
                       .item = mixed / 540 % 4 == 0,
                       .person = mixed / 2160 % 50 == 0,
                       .blood = mixed / 108000 % 20 == 0};
}

bool fake_has_map(int64_t x, int64_t y, int32_t z)
{
    for (int i = 0; i < 9; i++)
        if (fake_oter(x + i % 3 - 1, y + i / 3 - 1, z) == CAT_NONE)
            return false;
    return true;
}

struct local_reader {
    local_map map;
    id_pool *pool;
};

local_reader *local_reader_new(ptl_world *world)
{
    (void)world;
    local_reader *r = calloc(1, sizeof *r);
    ck_assert_ptr_nonnull(r);
    r->pool = id_pool_new();
    return r;
}

void local_reader_free(local_reader *r)
{
    if (!r)
        return;
    local_map_dispose(&r->map);
    id_pool_free(r->pool);
    free(r);
}

int64_t fake_turns[16];
size_t fake_turn_count;

/* A step takes a minute. */
int64_t ptl_local_tide_turns(const ptl_world *world)
{
    (void)world;
    return 60;
}

ptl_status ptl_local_tide(int32_t *out, const ptl_world *world, int64_t turn, ptl_error *err)
{
    (void)world;
    (void)err;
    *out = ptl_tide_height(turn / 60);
    return PTL_OK;
}

void local_reader_damage(local_reader *r, ptl_riot_damage damage)
{
    (void)r, (void)damage;
}

ptl_status local_reader_show(local_reader *r, int64_t turn, ptl_error *err)
{
    (void)r;
    (void)err;
    ck_assert_uint_lt(fake_turn_count, 16);
    fake_turns[fake_turn_count++] = turn;
    return PTL_OK;
}

static void put_thing(local_reader *r, local_kind kind, const char *id, int x, int y)
{
    local_map_add(&r->map, &(local_entity){.kind = kind,
                                           .id = id_pool_put(r->pool, id, strlen(id)),
                                           .x = (uint8_t)x,
                                           .y = (uint8_t)y,
                                           .x2 = (uint8_t)x,
                                           .y2 = (uint8_t)y,
                                           .count = 1});
}

static void put_tile(local_reader *r, const fake_tile *tile, int x, int y)
{
    const char *terrain = tile->wall ? "t_wall" : tile->door ? "t_door" : "t_floor";
    const int cell = y * LOCAL_SIDE + x;
    r->map.terrain[cell] = id_pool_put(r->pool, terrain, strlen(terrain));
    r->map.furniture[cell] = tile->chair ? id_pool_put(r->pool, "f_chair", 7) : ID_NONE;
    r->map.trap[cell] = tile->trap ? id_pool_put(r->pool, "tr_unknown", 10) : ID_NONE;
    if (tile->person)
        put_thing(r, LOCAL_NPC, "somebody", x, y);
    if (tile->item)
        put_thing(r, LOCAL_ITEM, "rock", x, y);
    if (tile->blood)
        put_thing(r, LOCAL_FIELD, "fd_blood", x, y);
}

ptl_status local_reader_get(local_read *out, local_reader *r, ptl_omt at, ptl_error *err)
{
    static const local_entity zone = {.kind = LOCAL_ZONE, .x2 = 9, .y2 = 9};
    if (!fake_has_map(at.x, at.y, at.z))
        return error_set(err, PTL_ERR_NOT_FOUND, "a chunk is not generated");
    local_map_dispose(&r->map);
    local_map_init(&r->map);
    for (int y = 0; y < LOCAL_SIDE; y++)
        for (int x = 0; x < LOCAL_SIDE; x++) {
            const fake_tile tile =
                fake_tile_at(at.x * LOCAL_SIDE + x, at.y * LOCAL_SIDE + y, at.z);
            put_tile(r, &tile, x, y);
        }
    local_map_add(&r->map, &zone);
    *out = (local_read){&r->map, r->pool, "field", false};
    return PTL_OK;
}

ptl_status local_reader_stored(local_read *out, local_reader *r, ptl_omt at, ptl_error *err)
{
    (void)r;
    (void)at;
    (void)err;
    *out = (local_read){.map = NULL};
    return PTL_OK;
}

struct tile_looks {
    char unused;
};

ptl_status tile_looks_new(tile_looks **out, ptl_store *store, ptl_error *err)
{
    static tile_looks looks;
    if (store == FAILING_STORE)
        return error_set(err, PTL_ERR_CORRUPT, "m.json:1: a kept object is no JSON");
    *out = &looks;
    return PTL_OK;
}

void tile_looks_free(tile_looks *looks)
{
    (void)looks;
}

bool tile_looks_find(tile_look *out, tile_looks *looks, local_layer sort, const char *id)
{
    static const struct {
        const char *id;
        tile_look look;
    } known[] = {{"t_floor", {"floor", "cyan", '.', 0, false, 0, "", PTL_TILE_FLOOR}},
                 {"t_wall", {"wall", "white", 'L', 10, true, 3, "", PTL_TILE_WALL}},
                 {"t_door", {"door", "brown", '+', 0, false, 3, "", PTL_TILE_DOOR}},
                 {"f_chair", {"", "red", 'h', 0, false, 0, "", PTL_TILE_FURNITURE}},
                 {"fd_blood", {"blood", "light_red", '~', 0, false, 0, "", PTL_TILE_FIELD}}};
    (void)looks;
    (void)sort;
    *out = (tile_look){.name = "", .color = "", .like = ""};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].id, id) == 0) {
            *out = known[i].look;
            return true;
        }
    return false;
}
