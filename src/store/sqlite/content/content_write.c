/* The contract's operations for importing (store/content_store.h): one statement for each part.
 */
#include "store/sqlite/content/content_write.h"

#include "core/error.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/content/content_checksum.h"
#include "store/sqlite/content/content_past.h"

#include <stdlib.h>

static const char *const inserts[CONTENT_PARTS] = {
    [CONTENT_PACKS] = "INSERT INTO content_pack (content_id, position, id, name,"
                      " directory, file_count, object_count)"
                      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [CONTENT_TYPE_COUNTS] =
        "INSERT INTO content_type_count (content_id, type, objects, treatment)"
        " VALUES (?1, ?2, ?3, ?4)",
    [CONTENT_UNKNOWN] =
        "INSERT INTO content_unknown (content_id, type, key, objects, file, line)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [CONTENT_ISSUES] =
        "INSERT INTO content_issue (content_id, kind, file, line, \"column\", object_type,"
        " object_id, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [CONTENT_FILES] = "INSERT INTO kept_file (content_id, pack, path, size, texts)"
                      " VALUES (?1, ?2, ?3, ?4, ?5)",
    [CONTENT_OBJECTS] = "INSERT INTO kept_object (file_id, type, start, size, line)"
                        " VALUES (?1, ?2, ?3, ?4, ?5)",
    [CONTENT_NAMES] = "INSERT OR IGNORE INTO kept_name (name, object_id, key)"
                      " VALUES (?1, ?2, ?3)",
    [CONTENT_TERRAINS] =
        "INSERT INTO overmap_terrain (id, kind, name, symbol, color, see_cost, travel_cost,"
        " mondensity, extras, land_use_code, connect_group, looks_like, spawn_group,"
        " spawn_population_min, spawn_population_max, spawn_chance, pack, file, line,"
        " see_cost_name, vision_levels, travel_cost_type, uniform_terrain, map_label,"
        " entry_eoc, exit_eoc, default_map_data, post_process_generators)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " ?, ?, ?)",
    [CONTENT_TERRAIN_FLAGS] = "INSERT INTO overmap_terrain_flag (terrain, flag) VALUES (?, ?)",
    [CONTENT_TERRAIN_MAPGEN] = "INSERT INTO overmap_terrain_mapgen (terrain, list,"
                               " position, json) VALUES (?, ?, ?, ?)",
    [CONTENT_OTERS] =
        "INSERT INTO concrete_terrain (id, terrain, variant, line, rotation, symbol)"
        " VALUES (?, ?, ?, ?, ?, ?)",
    [CONTENT_LOCATIONS] =
        "INSERT INTO overmap_location (id, pack, file, line) VALUES (?, ?, ?, ?)",
    [CONTENT_LOCATION_TERRAINS] =
        "INSERT INTO overmap_location_terrain (location, terrain) VALUES (?, ?)",
    [CONTENT_LOCATION_FLAGS] = "INSERT OR IGNORE INTO overmap_location_flag (location, flag)"
                               " VALUES (?, ?)",
    [CONTENT_CONNECTIONS] = "INSERT INTO overmap_connection (id, default_terrain,"
                            " layout, pack, file, line) VALUES (?, ?, ?, ?, ?, ?)",
    [CONTENT_SUBTYPES] = "INSERT INTO overmap_connection_subtype (connection, position,"
                         " terrain, basic_cost, weight, orthogonal, flags)"
                         " VALUES (?, ?, ?, ?, ?, ?, ?)",
    [CONTENT_SUBTYPE_LOCATIONS] = "INSERT OR IGNORE INTO overmap_connection_location"
                                  " (connection, position, location) VALUES (?, ?, ?)",
    [CONTENT_REGIONS] =
        "INSERT INTO region_settings (id, default_oter, river_scale, noise_threshold_lake,"
        " lake_size_min, lake_depth, num_ravines, ravine_range, ravine_width, ravine_depth,"
        " noise_threshold_forest, noise_threshold_forest_thick,"
        " noise_threshold_swamp_adjacent_water, noise_threshold_swamp_isolated,"
        " river_floodplain_buffer_distance_min, river_floodplain_buffer_distance_max,"
        " trail_chance, trail_border_point_chance, trail_minimum_forest_size,"
        " trail_random_point_min, trail_random_point_max, trail_random_point_size_scalar,"
        " trailhead_chance, trailhead_road_distance, shop_radius, shop_sigma, park_radius,"
        " park_sigma, city_size, city_spacing, pack, file, line) VALUES (?, ?, ?, ?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [CONTENT_REGION_NUMBERS] = "INSERT INTO region_number (region, name, value)"
                               " VALUES (?, ?, ?)",
    [CONTENT_REGION_BLOCKS] = "INSERT INTO region_block (region, block, json) VALUES (?, ?, ?)",
    [CONTENT_REGION_BUILDINGS] =
        "INSERT INTO region_building (region, bin, id, weight, kind) VALUES (?, ?, ?, ?, ?)",
    [CONTENT_REGION_EXTRA_GROUPS] =
        "INSERT INTO region_extra_group (region, name, chance) VALUES (?, ?, ?)",
    [CONTENT_REGION_EXTRAS] =
        "INSERT INTO region_extra (region, name, map_extra, weight) VALUES (?, ?, ?, ?)",
    [CONTENT_REGION_FLAGS] =
        "INSERT INTO region_feature_flag (region, list, flag) VALUES (?, ?, ?)",
    [CONTENT_MAP_EXTRAS] = "INSERT INTO map_extra (id, name, description,"
                           " generator_method, generator_id, symbol, color, autonote,"
                           " pack, file, line, autonote_visibility, zlevel_min, zlevel_max,"
                           " flags, looks_like)"
                           " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [CONTENT_LAND_USE_CODES] = "INSERT INTO overmap_land_use_code (id, code, name,"
                               " detailed_definition, symbol, color, pack, file, line)"
                               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [CONTENT_ROTATABLE_SYMBOLS] =
        "INSERT INTO rotatable_symbol (tuple, position, symbol) VALUES (?, ?, ?)",
    [CONTENT_OPTIONS] = "INSERT INTO external_option (name, stype, value, pack, file, line)"
                        " VALUES (?, ?, ?, ?, ?, ?)",
    [CONTENT_DIMENSIONS] = "INSERT INTO dimension (id, kind, mode, region, pack, file, line)"
                           " VALUES (?, ?, ?, ?, ?, ?, ?)",
    [CONTENT_GAMES] = "INSERT INTO content_game (content_id, game, version, placement)"
                      " VALUES (?, ?, ?, ?)",
    [CONTENT_SPECIALS] = "INSERT INTO overmap_special VALUES "
                         "(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,"
                         "?16,?17,?18,?19,?20,?21)",
    [CONTENT_SPECIAL_FLAG] = "INSERT INTO special_flag VALUES (?1,?2)",
    [CONTENT_SPECIAL_LOCATION] = "INSERT INTO special_location VALUES (?1,?2,?3)",
    [CONTENT_SPECIAL_CONNECTION] =
        "INSERT INTO special_connection VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)",
    [CONTENT_SPECIAL_NESTED] = "INSERT INTO special_nested VALUES (?1,?2,?3,?4,?5,?6)",
    [CONTENT_SPECIAL_TILE] = "INSERT INTO special_tile VALUES (?1,?2,?3,?4,?5,?6,?7,?8)",
    [CONTENT_SPECIAL_TILE_LOCATION] = "INSERT INTO special_tile_location VALUES (?1,?2,?3,?4)",
    [CONTENT_SPECIAL_TILE_FLAG] = "INSERT INTO special_tile_flag VALUES (?1,?2,?3)",
    [CONTENT_SPECIAL_JOIN] = "INSERT INTO special_join VALUES (?1,?2,?3,?4)",
    [CONTENT_SPECIAL_JOIN_LOCATION] = "INSERT INTO special_join_location VALUES (?1,?2,?3,?4)",
    [CONTENT_SPECIAL_PIECE] = "INSERT INTO special_piece VALUES (?1,?2,?3,?4)",
    [CONTENT_SPECIAL_PIECE_LOCATION] =
        "INSERT INTO special_piece_location VALUES (?1,?2,?3,?4)",
    [CONTENT_SPECIAL_PIECE_SIDE] = "INSERT INTO special_piece_side VALUES (?1,?2,?3,?4,?5)",
    [CONTENT_SPECIAL_PIECE_ALTERNATIVE] =
        "INSERT INTO special_piece_alternative VALUES (?1,?2,?3,?4,?5)",
    [CONTENT_SPECIAL_PIECE_CONNECTION] =
        "INSERT INTO special_piece_connection VALUES (?1,?2,?3,?4)",
    [CONTENT_SPECIAL_CHECK] = "INSERT INTO special_check VALUES (?1,?2,?3,?4,?5,?6,?7,?8)",
    [CONTENT_SPECIAL_CHECK_LOCATION] =
        "INSERT INTO special_check_location VALUES (?1,?2,?3,?4)",
    [CONTENT_SPECIAL_SHARED] =
        "INSERT INTO special_shared VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)",
    [CONTENT_SPECIAL_PHASE_RULE] =
        "INSERT INTO special_phase_rule VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,"
        "?15,?16,?17,?18,?19,?20,?21,?22)",
    [CONTENT_SPECIAL_PHASE_RULE_PIECE] =
        "INSERT INTO special_phase_rule_piece VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)",
};

/*
 * The old content goes as a whole, rows before those that they refer to: a parent's row is
 * looked for in all child tables, which must be empty then, or deleting takes forever.
 */
static const char *const clears[] = {
    [CONTENT_SOURCE] = "DELETE FROM kept_name; DELETE FROM kept_object; DELETE FROM kept_file;"
                       "DELETE FROM content_issue; DELETE FROM content_type_count;"
                       "DELETE FROM content_unknown;",
    [CONTENT_DEFINITIONS] =
        "DELETE FROM region_feature_flag; DELETE FROM region_extra;"
        "DELETE FROM region_extra_group; DELETE FROM region_building;"
        "DELETE FROM region_block; DELETE FROM region_number; DELETE FROM region_settings;"
        "DELETE FROM external_option; DELETE FROM dimension; DELETE FROM content_game;"
        "DELETE FROM overmap_connection_location;"
        "DELETE FROM overmap_connection_subtype; DELETE FROM overmap_connection;"
        "DELETE FROM overmap_location_flag; DELETE FROM overmap_location_terrain;"
        "DELETE FROM overmap_location; DELETE FROM concrete_terrain;"
        "DELETE FROM overmap_terrain_mapgen; DELETE FROM overmap_terrain_flag;"
        "DELETE FROM overmap_terrain; DELETE FROM map_extra;"
        "DELETE FROM overmap_land_use_code; DELETE FROM rotatable_symbol;",
    [CONTENT_SPECIAL_DEFINITIONS] =
        "DELETE FROM special_phase_rule_piece; DELETE FROM special_phase_rule;"
        "DELETE FROM special_shared; DELETE FROM special_check_location; DELETE FROM "
        "special_check;"
        "DELETE FROM special_piece_connection; DELETE FROM special_piece_alternative;"
        "DELETE FROM special_piece_side; DELETE FROM special_piece_location;"
        "DELETE FROM special_piece; DELETE FROM special_join_location; DELETE FROM "
        "special_join;"
        "DELETE FROM special_tile_flag; DELETE FROM special_tile_location;"
        "DELETE FROM special_tile; DELETE FROM special_nested; DELETE FROM special_connection;"
        "DELETE FROM special_location; DELETE FROM special_flag; DELETE FROM overmap_special;"};

/* ---- rows ---- */

/* The rowid is the store's, which the statement does not tell. */
typedef struct part {
    ptl_store *store; /* borrowed */
    stmt *insert;
} part;

ptl_status sqlite_part_open(void **out, ptl_store *store, content_part which, ptl_error *err)
{
    part *p = calloc(1, sizeof *p);
    if (!p)
        return error_nomem(err);
    p->store = store;
    ptl_status status = stmt_prepare(&p->insert, store, inserts[which], err);
    if (status == PTL_OK)
        *out = p;
    else
        free(p);
    return status;
}

void sqlite_part_close(void *payload)
{
    part *p = payload;
    stmt_free(p->insert);
    free(p);
}

ptl_status sqlite_part_add(int64_t *number, void *payload, const content_value *values,
                           int count, ptl_error *err)
{
    const part *p = payload;
    for (int i = 0; i < count; i++) {
        const content_value *v = &values[i];
        if (v->type == PTL_VALUE_INTEGER)
            stmt_bind_int(p->insert, i + 1, v->integer);
        else if (v->type == PTL_VALUE_REAL)
            stmt_bind_double(p->insert, i + 1, v->real);
        else if (v->type == PTL_VALUE_TEXT)
            stmt_bind_text(p->insert, i + 1, v->data);
        else if (v->type == PTL_VALUE_BLOB)
            stmt_bind_blob(p->insert, i + 1, v->data, v->size);
        else
            stmt_bind_null(p->insert, i + 1);
    }
    ptl_status status = stmt_run(p->insert, err);
    if (status == PTL_OK)
        *number = sqlite_last_rowid(p->store);
    return status;
}

ptl_status sqlite_content_clear(ptl_store *store, content_group group, int64_t content_id,
                                ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = sqlite_exec(store, clears[group], err);
    if (status != PTL_OK || group != CONTENT_SOURCE)
        return status;
    status = stmt_prepare(&s, store, "DELETE FROM content_pack WHERE content_id = ?1", err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, content_id);
    status = stmt_run(s, err);
    stmt_free(s);
    return status;
}

/* ---- contents ---- */

ptl_status sqlite_content_find(int64_t *id, bool *current, ptl_store *store, const char *digest,
                               ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    ptl_status status =
        stmt_prepare(&s, store, "SELECT id, is_current FROM content WHERE digest = ?1", err);
    if (status != PTL_OK)
        return status;
    stmt_bind_text(s, 1, digest);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && row) {
        *id = stmt_int(s, 0);
        *current = stmt_int(s, 1) != 0;
    }
    stmt_free(s);
    return status;
}

ptl_status sqlite_content_put(ptl_store *store, content_row *row, ptl_error *err)
{
    static const char insert[] =
        "INSERT INTO content (id, digest, is_current, imported_at, portolan_version, lenient,"
        " file_count, object_count, byte_count)"
        " VALUES (?1, ?2, 1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?3, ?4, ?5, ?6, ?7)"
        " ON CONFLICT (id) DO UPDATE SET is_current = 1, imported_at = excluded.imported_at,"
        " portolan_version = excluded.portolan_version, lenient = excluded.lenient,"
        " file_count = excluded.file_count, object_count = excluded.object_count,"
        " byte_count = excluded.byte_count";
    ptl_status status =
        sqlite_exec(store, "UPDATE content SET is_current = 0 WHERE is_current = 1", err);
    stmt *s = NULL;
    if (status == PTL_OK)
        status = stmt_prepare(&s, store, insert, err);
    if (status != PTL_OK)
        return status;
    if (row->id != 0)
        stmt_bind_int(s, 1, row->id);
    else
        stmt_bind_null(s, 1);
    stmt_bind_text(s, 2, row->digest);
    stmt_bind_text(s, 3, ptl_version());
    stmt_bind_int(s, 4, row->lenient);
    stmt_bind_int(s, 5, (int64_t)row->files);
    stmt_bind_int(s, 6, (int64_t)row->objects);
    stmt_bind_int(s, 7, (int64_t)row->bytes);
    status = stmt_run(s, err);
    if (status == PTL_OK && row->id == 0)
        row->id = sqlite_last_rowid(store);
    stmt_free(s);
    return status;
}

ptl_status sqlite_content_seal(ptl_store *store, ptl_error *err)
{
    ptl_status status = content_checksum_write(store, err);
    return status == PTL_OK ? content_past_prune(store, err) : status;
}

ptl_status sqlite_content_count_stale(uint64_t *out, ptl_store *store, int64_t content_id,
                                      ptl_error *err)
{
    int64_t count = 0;
    ptl_status status =
        stmt_ask(&count, store,
                 "SELECT count(*) FROM chunk WHERE origin = 'generated' AND content_id <> ?1",
                 &content_id, 1, err);
    *out = (uint64_t)count;
    return status;
}
