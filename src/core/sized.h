/*
 * Public structs that carry their size, so that members can be added later without breaking
 * programs that were compiled before (portolan/status.h, "Structs that carry their size"). A
 * public call copies the caller's options into a struct of its own, and checks the size of the
 * report that it will fill. It works only with its own structs, and in the end fills the
 * caller's report:
 *
 *     ptl_status ptl_backup(..., const ptl_backup_options *options, ptl_backup_report *report,
 *                           ptl_error *err)
 *     {
 *         ptl_backup_options o = PTL_BACKUP_OPTIONS_INIT;
 *         ptl_backup_report r = PTL_BACKUP_REPORT_INIT;
 *         error_clear(err);
 *         ptl_status status = SIZED_TAKE(ptl_backup_options, &o, options, err);
 *         if (status == PTL_OK)
 *             status = SIZED_CHECK(ptl_backup_report, report, err);
 *         if (status == PTL_OK)
 *             status = backup(store, path, &o, &r, err);
 *         SIZED_FILL(ptl_backup_report, report, &r);
 *
 * Each struct of this kind has a line in SIZED_TYPES. New members are added at the end of a
 * struct; nothing changes in this file then.
 */
#pragma once

#include "core/error.h"

#include <stddef.h>

/* A list of all structs that a caller provides: calls the macro X for each of them, with its
 * type, the macro that initialises it, and the last member of its first released version. */
#define SIZED_TYPES(X)                                                                         \
    X(ptl_arrow_options, PTL_ARROW_OPTIONS_INIT, payload)                                      \
    X(ptl_atlas_options, PTL_ATLAS_OPTIONS_INIT, payload)                                      \
    X(ptl_atlas_report, PTL_ATLAS_REPORT_INIT, seconds)                                        \
    X(ptl_attempt, PTL_ATTEMPT_INIT, placed)                                                   \
    X(ptl_backup_options, PTL_BACKUP_OPTIONS_INIT, payload)                                    \
    X(ptl_backup_report, PTL_BACKUP_REPORT_INIT, held)                                         \
    X(ptl_building, PTL_BUILDING_INIT, city)                                                   \
    X(ptl_cache_counts, PTL_CACHE_COUNTS_INIT, dropped)                                        \
    X(ptl_cache_options, PTL_CACHE_OPTIONS_INIT, bytes)                                        \
    X(ptl_chunk_info, PTL_CHUNK_INFO_INIT, generator_version)                                  \
    X(ptl_chunk_list_options, PTL_CHUNK_LIST_OPTIONS_INIT, reserved)                           \
    X(ptl_chunk_edge, PTL_CHUNK_EDGE_INIT, crossing_count)                                     \
    X(ptl_city, PTL_CITY_INIT, buildings)                                                      \
    X(ptl_comparison_options, PTL_COMPARISON_OPTIONS_INIT, reserved)                           \
    X(ptl_connection, PTL_CONNECTION_INIT, terrains)                                           \
    X(ptl_connection_subtype, PTL_CONNECTION_SUBTYPE_INIT, allows)                             \
    X(ptl_coverage_options, PTL_COVERAGE_OPTIONS_INIT, reserved)                               \
    X(ptl_crossing, PTL_CROSSING_INIT, direction)                                              \
    X(ptl_event, PTL_EVENT_INIT, z)                                                            \
    X(ptl_game_save_put_options, PTL_GAME_SAVE_PUT_OPTIONS_INIT, fit)                          \
    X(ptl_game_save_put_report, PTL_GAME_SAVE_PUT_REPORT_INIT, unseen)                         \
    X(ptl_game_save_write_options, PTL_GAME_SAVE_WRITE_OPTIONS_INIT, payload)                  \
    X(ptl_game_save_write_report, PTL_GAME_SAVE_WRITE_REPORT_INIT, seconds)                    \
    X(ptl_game_save_undo_options, PTL_GAME_SAVE_UNDO_OPTIONS_INIT, reserved)                   \
    X(ptl_game_save_undo_report, PTL_GAME_SAVE_UNDO_REPORT_INIT, unseen)                       \
    X(ptl_edit, PTL_EDIT_INIT, cells)                                                          \
    X(ptl_edit_reset_options, PTL_EDIT_RESET_OPTIONS_INIT, reserved)                           \
    X(ptl_edit_reset_report, PTL_EDIT_RESET_REPORT_INIT, maps_edited)                          \
    X(ptl_features_info, PTL_FEATURES_INFO_INIT, events)                                       \
    X(ptl_generate_options, PTL_GENERATE_OPTIONS_INIT, payload)                                \
    X(ptl_generate_report, PTL_GENERATE_REPORT_INIT, events)                                   \
    X(ptl_import_options, PTL_IMPORT_OPTIONS_INIT, payload)                                    \
    X(ptl_import_report, PTL_IMPORT_REPORT_INIT, seconds)                                      \
    X(ptl_game_save_import_options, PTL_GAME_SAVE_IMPORT_OPTIONS_INIT, on_unknown)             \
    X(ptl_game_save_import_report, PTL_GAME_SAVE_IMPORT_REPORT_INIT, seconds)                  \
    X(ptl_index_options, PTL_INDEX_OPTIONS_INIT, reserved)                                     \
    X(ptl_index_report, PTL_INDEX_REPORT_INIT, seconds)                                        \
    X(ptl_index_state, PTL_INDEX_STATE_INIT, missing)                                          \
    X(ptl_journal_info, PTL_JOURNAL_INFO_INIT, sqlite_version)                                 \
    X(ptl_local_digest_result, PTL_LOCAL_DIGEST_RESULT_INIT, made)                             \
    X(ptl_local_entity, PTL_LOCAL_ENTITY_INIT, reserved)                                       \
    X(ptl_local_generate_options, PTL_LOCAL_GENERATE_OPTIONS_INIT, payload)                    \
    X(ptl_local_generate_report, PTL_LOCAL_GENERATE_REPORT_INIT, write_seconds)                \
    X(ptl_local_options, PTL_LOCAL_OPTIONS_INIT, turn)                                         \
    X(ptl_local_ford, PTL_LOCAL_FORD_INIT, to)                                                 \
    X(ptl_local_surge, PTL_LOCAL_SURGE_INIT, ends)                                             \
    X(ptl_local_water, PTL_LOCAL_WATER_INIT, lag)                                              \
    X(ptl_location, PTL_LOCATION_INIT, terrains)                                               \
    X(ptl_loot_options, PTL_LOOT_OPTIONS_INIT, pack)                                           \
    X(ptl_loot_row, PTL_LOOT_ROW_INIT, oter_count)                                             \
    X(ptl_map_look, PTL_MAP_LOOK_INIT, edge)                                                   \
    X(ptl_tile_look, PTL_TILE_LOOK_INIT, ink)                                                  \
    X(ptl_mapgen_check_options, PTL_MAPGEN_CHECK_OPTIONS_INIT, payload)                        \
    X(ptl_mapgen_options, PTL_MAPGEN_OPTIONS_INIT, turn)                                       \
    X(ptl_migrate_options, PTL_MIGRATE_OPTIONS_INIT, payload)                                  \
    X(ptl_migrate_report, PTL_MIGRATE_REPORT_INIT, seconds)                                    \
    X(ptl_monster_group, PTL_MONSTER_GROUP_INIT, population)                                   \
    X(ptl_note, PTL_NOTE_INIT, revision)                                                       \
    X(ptl_open_options, PTL_OPEN_OPTIONS_INIT, payload)                                        \
    X(ptl_place_info, PTL_PLACE_INFO_INIT, is_drawn)                                           \
    X(ptl_placed_join, PTL_PLACED_JOIN_INIT, side)                                             \
    X(ptl_placed_piece, PTL_PLACED_PIECE_INIT, rotation)                                       \
    X(ptl_placed_special, PTL_PLACED_SPECIAL_INIT, join_count)                                 \
    X(ptl_precision_options, PTL_PRECISION_OPTIONS_INIT, level)                                \
    X(ptl_predecessor, PTL_PREDECESSOR_INIT, step_y)                                           \
    X(ptl_prefetch_options, PTL_PREFETCH_OPTIONS_INIT, payload)                                \
    X(ptl_prefetch_report, PTL_PREFETCH_REPORT_INIT, held)                                     \
    X(ptl_query_options, PTL_QUERY_OPTIONS_INIT, parameter_count)                              \
    X(ptl_radio, PTL_RADIO_INIT, frequency)                                                    \
    X(ptl_regenerate_options, PTL_REGENERATE_OPTIONS_INIT, payload)                            \
    X(ptl_regenerate_report, PTL_REGENERATE_REPORT_INIT, stale)                                \
    X(ptl_region, PTL_REGION_INIT, trailhead_chance)                                           \
    X(ptl_region_choice, PTL_REGION_CHOICE_INIT, weight)                                       \
    X(ptl_render_layout, PTL_RENDER_LAYOUT_INIT, scale)                                        \
    X(ptl_render_options, PTL_RENDER_OPTIONS_INIT, payload)                                    \
    X(ptl_repair_options, PTL_REPAIR_OPTIONS_INIT, payload)                                    \
    X(ptl_repair_report, PTL_REPAIR_REPORT_INIT, seconds)                                      \
    X(ptl_sample_options, PTL_SAMPLE_OPTIONS_INIT, reserved)                                   \
    X(ptl_game_save_fit_info, PTL_GAME_SAVE_FIT_INFO_INIT, mod_count)                          \
    X(ptl_game_save_id, PTL_GAME_SAVE_ID_INIT, pack)                                           \
    X(ptl_game_save_lack, PTL_GAME_SAVE_LACK_INIT, reserved)                                   \
    X(ptl_game_save_pack, PTL_GAME_SAVE_PACK_INIT, lacked)                                     \
    X(ptl_save_options, PTL_SAVE_OPTIONS_INIT, turn)                                           \
    X(ptl_save_report, PTL_SAVE_REPORT_INIT, maps_kept)                                        \
    X(ptl_seam_options, PTL_SEAM_OPTIONS_INIT, payload)                                        \
    X(ptl_seam_report, PTL_SEAM_REPORT_INIT, problems)                                         \
    X(ptl_search_fault, PTL_SEARCH_FAULT_INIT, message)                                        \
    X(ptl_search_options, PTL_SEARCH_OPTIONS_INIT, scratch_folder)                             \
    X(ptl_search_report, PTL_SEARCH_REPORT_INIT, seconds)                                      \
    X(ptl_shoals_options, PTL_SHOALS_OPTIONS_INIT, parts)                                      \
    X(ptl_shoals_picture, PTL_SHOALS_PICTURE_INIT, gap)                                        \
    X(ptl_special, PTL_SPECIAL_INIT, nested_count)                                             \
    X(ptl_special_check, PTL_SPECIAL_CHECK_INIT, allows)                                       \
    X(ptl_special_join, PTL_SPECIAL_JOIN_INIT, into)                                           \
    X(ptl_special_link, PTL_SPECIAL_LINK_INIT, carries)                                        \
    X(ptl_special_nested, PTL_SPECIAL_NESTED_INIT, special)                                    \
    X(ptl_special_phase, PTL_SPECIAL_PHASE_INIT, rule_count)                                   \
    X(ptl_special_piece, PTL_SPECIAL_PIECE_INIT, connections)                                  \
    X(ptl_special_rule, PTL_SPECIAL_RULE_INIT, overmap_y)                                      \
    X(ptl_special_rule_piece, PTL_SPECIAL_RULE_PIECE_INIT, rotation)                           \
    X(ptl_special_shared, PTL_SPECIAL_SHARED_INIT, amount)                                     \
    X(ptl_special_omt, PTL_SPECIAL_OMT_INIT, allows)                                           \
    X(ptl_sweep_counts, PTL_SWEEP_COUNTS_INIT, last)                                           \
    X(ptl_sweep_options, PTL_SWEEP_OPTIONS_INIT, reserved)                                     \
    X(ptl_sweep_report, PTL_SWEEP_REPORT_INIT, write_seconds)                                  \
    X(ptl_terrain, PTL_TERRAIN_INIT, past)                                                     \
    X(ptl_terrain_type, PTL_TERRAIN_TYPE_INIT, count)                                          \
    X(ptl_tide_picture, PTL_TIDE_PICTURE_INIT, profile)                                        \
    X(ptl_tileset_info, PTL_TILESET_INFO_INIT, missing)                                        \
    X(ptl_area_options, PTL_AREA_OPTIONS_INIT, payload)                                        \
    X(ptl_area_report, PTL_AREA_REPORT_INIT, generated)                                        \
    X(ptl_trial_options, PTL_TRIAL_OPTIONS_INIT, payload)                                      \
    X(ptl_trial_report, PTL_TRIAL_REPORT_INIT, short_other)                                    \
    X(ptl_verify_counts, PTL_VERIFY_COUNTS_INIT, problems)                                     \
    X(ptl_why, PTL_WHY_INIT, need_cells)                                                       \
    X(ptl_why_place, PTL_WHY_PLACE_INIT, nearest_y)                                            \
    X(ptl_world_counts, PTL_WORLD_COUNTS_INIT, south)                                          \
    X(ptl_world_digest_result, PTL_WORLD_DIGEST_RESULT_INIT, edges)                            \
    X(ptl_world_open_options, PTL_WORLD_OPEN_OPTIONS_INIT, as_chunk)                           \
    X(ptl_world_options, PTL_WORLD_OPTIONS_INIT, unique_radius)

/* The sizes of a public struct that carries its size. */
typedef struct sized_type {
    const char *init; /* the name of the macro that initialises it */
    size_t first; /* bytes that the struct had in the first release of Portolan that had this
                     struct */
    size_t now;   /* bytes that the struct has in this library */
} sized_type;

#define SIZED_DECLARE(type, init, last) extern const sized_type sized_##type;
SIZED_TYPES(SIZED_DECLARE)
#undef SIZED_DECLARE

/* The largest `size` of a struct that is accepted, in bytes; a larger number means that the
 * caller has not set it. */
enum { SIZED_MAX = 1 << 16 };

/*
 * Copies the caller's options over the defaults that *local holds: min(options->size, sizeof
 * *local) bytes; local->size becomes the size in this library. With options == NULL the
 * defaults stay. PTL_ERR_ARGUMENT if the size is below that of the first version or above
 * SIZED_MAX (nobody has set it), or if a byte beyond this library's struct is not 0 (the
 * caller asks for something that only a newer library has).
 */
#define SIZED_TAKE(type, local, options, err) SIZED_TAKE_IN(__func__, type, local, options, err)
#define SIZED_TAKE_IN(call, type, local, options, err)                                         \
    sized_take((type *){local}, (const type *){options}, &sized_##type,                        \
               &(const sized_place){call, #options}, err)

/* Checks the member `size` of a struct that is to be filled: whether the caller seems to have
 * set it. NULL is fine. */
#define SIZED_CHECK(type, out, err) SIZED_CHECK_IN(__func__, type, out, err)
#define SIZED_CHECK_IN(call, type, out, err)                                                   \
    sized_check((const type *){out}, &sized_##type, &(const sized_place){call, #out}, err)

/* Copies *local to *out, but only the members for which *out has room; out->size does not
 * change. SIZED_CHECK must have checked `out`. Does nothing if `out` is NULL or has a size that
 * SIZED_CHECK refused. */
#define SIZED_FILL(type, out, local)                                                           \
    sized_fill((type *){out}, (const type *){local}, &sized_##type)

/* The public call and the name of its parameter, for messages. */
typedef struct sized_place {
    const char *call, *parameter;
} sized_place;

/* The functions that SIZED_TAKE, SIZED_CHECK and SIZED_FILL call. */
ptl_status sized_take(void *local, const void *options, const sized_type *type,
                      const sized_place *place, ptl_error *err);
ptl_status sized_check(const void *given, const sized_type *type, const sized_place *place,
                       ptl_error *err);
void sized_fill(void *out, const void *local, const sized_type *type);
