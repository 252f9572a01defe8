/*
 * The world in memory that the tests of drawing draw. Linking our own ptl_level_load,
 * ptl_world_catalogue and the like keeps files and SQL out of them.
 */
#include "unit/render/test_render.h"

#include "core/error.h"
#include "world/places.h"

#include <string.h>

static const cat_terrain terrains[] = {
    {.id = "field", .name = "field", .color = "brown", .symbol = '.', .count = 1},
    {.id = "forest", .name = "forest", .color = "green", .symbol = 'F', .first = 1, .count = 1},
    {.id = "road", .name = "road", .color = "dark_gray", .flags = CAT_FLAG_LINEAR, .first = 2},
    {.id = "inverse", .name = "", .color = "i_yellow", .symbol = 7, .first = 4, .count = 1},
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
static const cat_tile building_tiles[] = {{.oters = {4, 4, 4, 4}}, {.oters = {0, 0, 0, 0}}};
static const cat_special specials[] = {
    {.id = "shop", .building = true, .tiles = building_tiles, .tile_count = 2}};
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

static struct ptl_world good_world, failing_world;

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

ptl_status ptl_level_load(ptl_world *world, ptl_chunk_pos pos, int32_t z,
                          ptl_oter cells[PTL_LEVEL_CELLS], ptl_error *err)
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

ptl_status ptl_world_get_options(ptl_world_options *out, const ptl_world *world, ptl_error *err)
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
