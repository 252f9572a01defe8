/* Fault scenes of portolan/area.h: tiles across chunks, the cache of chunks. */
#include "support/fault/fault_loop.h"

#include <check.h>

#include <string.h>

static const ptl_chunk_pos HERE = {0, 0}, NEW = {0, 1};

static ptl_status tiles_of(fault_place *p, const ptl_area_options *options, ptl_error *err)
{
    static ptl_oter cells[60 * 30];
    const ptl_area area = {160, 160, -1, 60, 30};
    ptl_area_report report = PTL_AREA_REPORT_INIT;
    ptl_status status = ptl_area_get(cells, &report, p->world, &area, options, err);
    if (status == PTL_OK) {
        fault_mix(p, cells, sizeof cells);
        fault_mix_number(p, (int64_t)report.missing);
    }
    return status;
}

static ptl_status tiles(fault_place *p, ptl_error *err)
{
    return tiles_of(p, NULL, err);
}

static void mix_held(fault_place *p, const ptl_chunk *chunk)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    for (int32_t z = -1; z <= 0; z++) {
        ptl_chunk_level(cells, chunk, z);
        fault_mix(p, cells, sizeof cells);
    }
}

/* All that a walker does with saved chunks. */
static ptl_status cache_reading(fault_place *p, ptl_error *err)
{
    ptl_cache *cache;
    ptl_oter oter = 0;
    const ptl_chunk *chunk = NULL;
    ptl_area_options options = PTL_AREA_OPTIONS_INIT;
    ptl_status status = ptl_cache_new(&cache, p->world, NULL, err);
    options.cache = cache;
    if (status == PTL_OK)
        status = ptl_cache_load(&chunk, cache, HERE, err);
    if (status == PTL_OK)
        mix_held(p, chunk);
    if (status == PTL_OK)
        status = ptl_cache_oter_get(&oter, cache, (ptl_omt){200, 7, 0}, err);
    fault_mix_number(p, oter);
    if (status == PTL_OK)
        status = tiles_of(p, &options, err);
    if (cache && status == PTL_OK) {
        ptl_cache_counts counts = PTL_CACHE_COUNTS_INIT;
        (void)ptl_cache_describe(&counts, cache, err);
        fault_mix_number(p, (int64_t)counts.chunks);
        ptl_cache_clear(cache);
        status = ptl_cache_get(&chunk, cache, HERE, err);
    }
    if (status == PTL_OK)
        mix_held(p, chunk);
    ptl_cache_free(cache);
    return status;
}

static ptl_status cache_making(fault_place *p, ptl_error *err)
{
    ptl_cache *cache;
    const ptl_chunk *chunk = NULL;
    ptl_area_options options = PTL_AREA_OPTIONS_INIT;
    const ptl_prefetch_options around = {.size = sizeof around, .radius = 0};
    ptl_prefetch_report report = {.size = sizeof report, .held = 0};
    ptl_status status = ptl_cache_new(&cache, p->world, NULL, err);
    options.cache = cache;
    options.generate = true;
    if (status == PTL_OK)
        status = ptl_cache_prefetch(&report, cache, NEW, &around, err);
    if (status == PTL_OK) {
        fault_mix_number(p, (int64_t)report.held);
        status = ptl_cache_get(&chunk, cache, NEW, err);
    }
    if (status == PTL_OK)
        mix_held(p, chunk);
    if (status == PTL_OK)
        status = tiles_of(p, &options, err);
    ptl_cache_free(cache);
    return status;
}

static void mix_map(fault_place *p, const ptl_local_map *map)
{
    fault_mix_text(p, ptl_local_oter(map));
    fault_mix_number(p, ptl_local_is_fallback(map));
    fault_mix_number(p, ptl_local_revision(map));
    for (int32_t i = 0; i < PTL_LOCAL_SIDE; i++) {
        fault_mix_text(p, ptl_local_terrain(map, i, i));
        fault_mix_text(p, ptl_local_furniture(map, i, 0));
        fault_mix_text(p, ptl_local_trap(map, 0, i));
        fault_mix_number(p, ptl_local_radiation(map, i, i));
    }
    for (size_t i = 0; i < ptl_local_entity_count(map); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        (void)ptl_local_entity_at(&e, map, i);
        fault_mix_text(p, e.id);
        fault_mix_text(p, e.own);
    }
}

/* A local map with all that is told of it, of a place whose neighbours are saved. */
static ptl_status local_map(fault_place *p, ptl_error *err)
{
    ptl_local_map *map = NULL;
    ptl_status status = ptl_local_get(&map, p->world, (ptl_omt){90, 90, 0}, NULL, err);
    if (status == PTL_OK)
        mix_map(p, map);
    ptl_local_free(map);
    return status;
}

/* Adds something to a map. */
static ptl_status edit_map(ptl_local_map *map)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    e.kind = "item";
    e.id = "rock";
    e.own = "{\"mine\": true}";
    ptl_status status = ptl_local_terrain_set(map, 0, 0, "t_mine");
    if (status == PTL_OK)
        status = ptl_local_furniture_set(map, 0, 0, "f_mine");
    if (status == PTL_OK)
        status = ptl_local_trap_set(map, 0, 0, "tr_mine");
    if (status == PTL_OK)
        status = ptl_local_radiation_set(map, 0, 0, 3);
    if (status == PTL_OK)
        status = ptl_local_entity_add(map, &e);
    if (status == PTL_OK)
        status = ptl_local_entity_replace(map, 0, &e);
    return status == PTL_OK ? ptl_local_entity_add(map, &e) : status;
}

/* Two maps are changed and put in one transaction, and read again. */
static ptl_status local_edit(fault_place *p, ptl_error *err)
{
    ptl_local_map *maps[2] = {NULL, NULL}, *again = NULL;
    ptl_status status = ptl_local_get(&maps[0], p->world, (ptl_omt){90, 90, 0}, NULL, err);
    if (status == PTL_OK)
        status = ptl_local_get(&maps[1], p->world, (ptl_omt){91, 90, 0}, NULL, err);
    for (int i = 0; i < 2 && status == PTL_OK; i++)
        status = ptl_local_is_edited(maps[i]) ? PTL_OK : edit_map(maps[i]);
    if (status == PTL_OK && !ptl_local_is_edited(maps[0]))
        status = ptl_local_entity_remove(maps[0], 0);
    if (status == PTL_OK && !ptl_local_is_edited(maps[0]))
        status = ptl_local_put(p->world, maps, 2, err);
    if (status == PTL_OK)
        status = ptl_local_load(&again, p->world, ptl_local_place(maps[0]), err);
    if (status == PTL_OK) {
        mix_map(p, again);
        fault_mix_number(p, ptl_local_turn(again));
    }
    ptl_local_free(maps[0]);
    ptl_local_free(maps[1]);
    ptl_local_free(again);
    return status;
}

/* An update on a map, which stays as it was where that fails. */
static ptl_status local_update(fault_place *p, ptl_error *err)
{
    ptl_local_map *map = NULL, *again = NULL;
    ptl_status status = ptl_local_get(&map, p->world, (ptl_omt){92, 91, 0}, NULL, err);
    if (status == PTL_OK && !ptl_local_is_edited(map)) {
        status = ptl_local_update_run(p->world, map, "mx_camp_fire_update", err);
        if (ptl_local_is_edited(map) != (status == PTL_OK)) /* an assertion would allocate */
            ck_abort_msg("an update that failed has changed the map");
    }
    if (status == PTL_OK)
        status = ptl_local_load(&again, p->world, ptl_local_place(map), err);
    if (status == PTL_OK)
        mix_map(p, again);
    ptl_local_free(map);
    ptl_local_free(again);
    return status;
}

static bool mix_place(void *payload, const ptl_omt *at)
{
    fault_mix_number(payload, at->x);
    fault_mix_number(payload, at->y);
    return true;
}

/* A few maps made and stored together, listed, and their digest, with one more that is not
 * stored. */
static ptl_status local_areas(fault_place *p, ptl_error *err)
{
    static const ptl_local_area some = {88, 90, 90, 91, 0, 0}, more = {88, 90, 91, 91, 0, 0};
    ptl_local_digest_result digest = PTL_LOCAL_DIGEST_RESULT_INIT;
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    const ptl_local_generate_options o = {.size = sizeof o, .areas = &some, .area_count = 1};
    ptl_status status = ptl_local_generate(&report, p->world, &o, err);
    if (status == PTL_OK)
        status = ptl_local_list(p->world, &some, mix_place, p, err);
    if (status == PTL_OK)
        status = ptl_local_digest_get(&digest, p->world, &more, err);
    if (status == PTL_OK)
        fault_mix_text(p, digest.hex);
    return status;
}

static bool mix_loot(void *payload, const ptl_loot_row *row)
{
    fault_mix_text(payload, row->terrain);
    fault_mix_text(payload, row->id ? row->id : ptl_loot_kind_name(row->kind));
    fault_mix_number(payload, (int64_t)(row->number * 1e6));
    return true;
}

static bool mix_step(void *payload, const ptl_loot_step *step)
{
    fault_mix_text(payload, step->kind);
    fault_mix_number(payload, (int64_t)(step->number * 1e6));
    return true;
}

/* What maps of a terrain hold, by definitions and on maps, and by which ways. */
static ptl_status loot(fault_place *p, ptl_error *err)
{
    ptl_loot_options o = PTL_LOOT_OPTIONS_INIT;
    ptl_loot_row row = PTL_LOOT_ROW_INIT;
    o.terrain = "brick_house";
    o.samples = 2;
    ptl_status status = ptl_loot_list(p->world, &o, mix_loot, p, err);
    o.simulate = true;
    if (status == PTL_OK)
        status = ptl_loot_list(p->world, &o, mix_loot, p, err);
    o.id = "GROUP_TOWN";
    o.kind = PTL_LOOT_MONSTER;
    if (status == PTL_OK)
        status = ptl_loot_group_list(p->world, &o, mix_loot, p, err);
    o.kind = PTL_LOOT_GROUP;
    if (status == PTL_OK)
        status = ptl_loot_tree_list(&row, p->world, &o, mix_step, p, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)(row.number * 1e6));
    return status;
}

static bool mix_entry(void *payload, const ptl_mapgen_entry *entry)
{
    fault_mix_text(payload, entry->key);
    fault_mix_number(payload, entry->weight);
    return true;
}

static bool mix_made(void *payload, const ptl_mapgen_step *step)
{
    fault_mix_text(payload, step->id);
    fault_mix_text(payload, step->file);
    fault_mix_number(payload, step->line);
    return true;
}

static bool mix_fault(void *payload, const ptl_diagnostic *fault)
{
    fault_mix_text(payload, fault->message);
    return true;
}

/* What a map's entry is, what made a tile of it, and what is wrong with it. */
static ptl_status mapgen(fault_place *p, ptl_error *err)
{
    static const char *const around[] = {"around=field"};
    ptl_mapgen_options o = PTL_MAPGEN_OPTIONS_INIT;
    ptl_mapgen_check_options check = PTL_MAPGEN_CHECK_OPTIONS_INIT;
    ptl_mapgen *made = NULL;
    ptl_local_map *map = NULL;
    o.id = check.id = "cottage";
    o.neighbours = around;
    o.neighbour_count = 1;
    ptl_status status = ptl_mapgen_new(&made, p->world, &o, err);
    ptl_omt at = {0, 0, 0};
    if (status == PTL_OK) {
        at.x = ptl_mapgen_area(made).x0;
        fault_mix_text(p, ptl_mapgen_kind_name(ptl_mapgen_kind_of(made)));
    }
    if (status == PTL_OK)
        status = ptl_mapgen_entry_list(made, mix_entry, p, err);
    if (status == PTL_OK)
        status = ptl_mapgen_get(&map, made, at, 1, err);
    if (status == PTL_OK)
        fault_mix_text(p, ptl_local_terrain(map, 9, 9));
    if (status == PTL_OK)
        fault_mix_number(p, ptl_mapgen_entry_number(made));
    if (status == PTL_OK)
        status = ptl_mapgen_parameters_check(made, err);
    if (status == PTL_OK)
        status = ptl_mapgen_step_list(made, at, 1, 9, 9, mix_made, p, err);
    if (status == PTL_OK)
        status = ptl_mapgen_fault_list(NULL, p->world, &check, mix_fault, p, err);
    ptl_local_free(map);
    ptl_mapgen_free(made);
    return status;
}

const fault_scene fault_scenes_tiles[] = {
    {"loot", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, loot, NULL},
    {"mapgen", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, mapgen, NULL},
    {"local_areas", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, local_areas, NULL},
    {"local_map", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, local_map, NULL},
    {"local_update", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, local_update, NULL},
    {"local_edit", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, local_edit, NULL},
    {"tiles", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, tiles, NULL},
    {"cache_reading", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 3, cache_reading, NULL},
    {"cache_making", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 1, cache_making, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, NULL, NULL}};
