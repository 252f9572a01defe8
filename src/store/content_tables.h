/*
 * The tables of a content: each field is described once, in one line. This line yields the
 * member of the row's struct and the column, and it says whether a catalogue is made from the
 * field and which values are allowed. If the field is simply a member of a JSON object, the
 * line also says how the import reads and inherits that member (content/import/record.h).
 * The table of a part X is a macro CONTENT_X_ROW(F, K, t). For each column it calls F(t, kind,
 * name, use, ...): t is the table's name, and `use` is LOADED if a catalogue is made from the
 * column, else STORED. For each member of a JSON object that has no column of its own it calls
 * K(t, key, ...). The arguments that may follow set members of content_field
 * (content_fields.h): JSON(key, how) says under which key the import finds the value, and how
 * it reads it; RANGE(lo, hi) gives the bounds of a number; SCALED sets `scaled`.
 * tests/unit/store/test_row_tables.c compares the lists with the schema.
 */
#pragma once

#include "model/region_fields.h"

/* Columns that a part has for the place of an object in the content's files: pack, file and
 * line. */
#define CONTENT_ORIGIN(F, t)                                                                   \
    F(t, INT, pack, STORED)                                                                    \
    F(t, TEXT, file, STORED)                                                                   \
    F(t, INT, line, STORED)

/* ---- packs, their files and objects ---- */

#define CONTENT_PACKS_ROW(F, K, t)                                                             \
    F(t, INT, content_id, STORED)                                                              \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, id, STORED)                                                                     \
    F(t, TEXT, name, STORED)                                                                   \
    F(t, TEXT, directory, STORED)                                                              \
    F(t, INT, file_count, STORED)                                                              \
    F(t, INT, object_count, STORED)

#define CONTENT_TYPE_COUNTS_ROW(F, K, t)                                                       \
    F(t, INT, content_id, STORED)                                                              \
    F(t, TEXT, type, STORED)                                                                   \
    F(t, INT, objects, STORED)                                                                 \
    F(t, TEXT, treatment, STORED)

#define CONTENT_UNKNOWN_ROW(F, K, t)                                                           \
    F(t, INT, content_id, STORED)                                                              \
    F(t, TEXT, type, STORED)                                                                   \
    F(t, TEXT, key, STORED)                                                                    \
    F(t, INT, objects, STORED)                                                                 \
    F(t, TEXT, file, STORED)                                                                   \
    F(t, INT, line, STORED)

#define CONTENT_ISSUES_ROW(F, K, t)                                                            \
    F(t, INT, content_id, STORED)                                                              \
    F(t, TEXT, kind, STORED)                                                                   \
    F(t, TEXT, file, STORED)                                                                   \
    F(t, INT, line, STORED)                                                                    \
    F(t, INT, column, STORED)                                                                  \
    F(t, TEXT, object_type, STORED)                                                            \
    F(t, TEXT, object_id, STORED)                                                              \
    F(t, TEXT, message, STORED)

#define CONTENT_FILES_ROW(F, K, t)                                                             \
    F(t, INT, content_id, STORED)                                                              \
    F(t, INT, pack, STORED)                                                                    \
    F(t, TEXT, path, STORED)                                                                   \
    F(t, INT, size, STORED)                                                                    \
    F(t, BLOB, texts, STORED)

#define CONTENT_OBJECTS_ROW(F, K, t)                                                           \
    F(t, INT, file_id, STORED)                                                                 \
    F(t, TEXT, type, STORED)                                                                   \
    F(t, INT, start, STORED)                                                                   \
    F(t, INT, size, STORED)                                                                    \
    F(t, INT, line, STORED)

#define CONTENT_NAMES_ROW(F, K, t)                                                             \
    F(t, TEXT, name, STORED)                                                                   \
    F(t, INT, object_id, STORED)                                                               \
    F(t, TEXT, key, STORED)

/* ---- definitions ---- */

#define CONTENT_LAND_USE_CODES_ROW(F, K, t)                                                    \
    F(t, TEXT, id, STORED)                                                                     \
    F(t, INT, code, STORED, ANY_32, JSON("land_use_code", PLAIN))                              \
    F(t, TEXT, name, STORED, JSON("name", NAME))                                               \
    F(t, TEXT, detailed_definition, STORED, JSON("detailed_definition", NAME))                 \
    F(t, INT, symbol, STORED, JSON("sym", SYMBOL))                                             \
    F(t, TEXT, color, STORED, JSON("color", COLOR))                                            \
    CONTENT_ORIGIN(F, t)

#define CONTENT_MAP_EXTRAS_ROW(F, K, t)                                                        \
    F(t, TEXT, id, STORED)                                                                     \
    F(t, TEXT, name, STORED, JSON("name", NAME))                                               \
    F(t, TEXT, description, STORED, JSON("description", NAME))                                 \
    F(t, TEXT, generator_method, STORED, JSON("generator", BY_CODE))                           \
    F(t, TEXT, generator_id, STORED)                                                           \
    F(t, INT, symbol, STORED, JSON("sym", SYMBOL))                                             \
    F(t, TEXT, color, STORED, JSON("color", COLOR))                                            \
    F(t, SWITCH, autonote, STORED, JSON("autonote", PLAIN))                                    \
    CONTENT_ORIGIN(F, t)                                                                       \
    F(t, TEXT_OR_NULL, autonote_visibility, STORED, JSON("autonote_visibility", PLAIN))        \
    F(t, INT_OR_NULL, zlevel_min, STORED, JSON("min_max_zlevel", BY_CODE))                     \
    F(t, INT_OR_NULL, zlevel_max, STORED)                                                      \
    F(t, LIST_OR_NULL, flags, STORED, JSON("flags", SET))                                      \
    F(t, LIST_OR_NULL, looks_like, STORED, JSON("looks_like", PLAIN))

#define CONTENT_ROTATABLE_SYMBOLS_ROW(F, K, t)                                                 \
    F(t, INT, tuple, STORED, JSON("tuple", BY_CODE))                                           \
    F(t, INT, position, STORED)                                                                \
    F(t, INT, symbol, STORED)

#define CONTENT_TERRAINS_ROW(F, K, t)                                                          \
    F(t, TEXT, id, LOADED)                                                                     \
    F(t, INT, kind, LOADED)                                                                    \
    F(t, TEXT, name, LOADED, JSON("name", BY_CODE))                                            \
    F(t, INT, symbol, LOADED, JSON("sym", BY_CODE))                                            \
    F(t, TEXT, color, LOADED, JSON("color", COLOR))                                            \
    F(t, INT, see_cost, STORED, RANGE(0, TERRAIN_NUMBER_MAX), SCALED,                          \
      JSON("see_cost", BY_CODE))                                                               \
    F(t, INT, travel_cost, STORED, RANGE(0, TERRAIN_NUMBER_MAX), SCALED,                       \
      JSON("travel_cost", PLAIN), .number = 5)                                                 \
    F(t, INT, mondensity, LOADED, RANGE(-TERRAIN_NUMBER_MAX, TERRAIN_NUMBER_MAX), SCALED,      \
      JSON("mondensity", PLAIN))                                                               \
    F(t, TEXT, extras, LOADED, JSON("extras", PLAIN), .text = "none")                          \
    F(t, TEXT_OR_NULL, land_use_code, LOADED, JSON("land_use_code", PLAIN))                    \
    F(t, TEXT, connect_group, STORED, JSON("connect_group", PLAIN))                            \
    F(t, LIST, looks_like, LOADED, JSON("looks_like", PLAIN))                                  \
    F(t, TEXT_OR_NULL, spawn_group, LOADED, JSON("spawns", BY_CODE))                           \
    F(t, INT_OR_NULL, spawn_population_min, LOADED)                                            \
    F(t, INT_OR_NULL, spawn_population_max, LOADED)                                            \
    F(t, INT_OR_NULL, spawn_chance, LOADED)                                                    \
    CONTENT_ORIGIN(F, t)                                                                       \
    F(t, TEXT_OR_NULL, see_cost_name, STORED)                                                  \
    F(t, TEXT_OR_NULL, vision_levels, STORED, JSON("vision_levels", PLAIN))                    \
    F(t, TEXT_OR_NULL, travel_cost_type, LOADED, JSON("travel_cost_type", PLAIN))              \
    F(t, TEXT_OR_NULL, uniform_terrain, LOADED, JSON("uniform_terrain", PLAIN))                \
    F(t, TEXT_OR_NULL, map_label, STORED, JSON("map_label", LABEL))                            \
    F(t, TEXT_OR_NULL, entry_eoc, STORED, JSON("entry_eoc", EFFECT))                           \
    F(t, TEXT_OR_NULL, exit_eoc, STORED, JSON("exit_eoc", EFFECT))                             \
    F(t, TEXT_OR_NULL, default_map_data, STORED, JSON("default_map_data", PLAIN))              \
    F(t, LIST_OR_NULL, post_process_generators, LOADED,                                        \
      JSON("post_process_generators", BY_CODE))                                                \
    K(t, flags, STORED)                                                                        \
    K(t, extend, STORED)                                                                       \
    K(t, delete, STORED)                                                                       \
    K(t, relative, STORED)                                                                     \
    K(t, proportional, STORED)                                                                 \
    K(t, mapgen, STORED)                                                                       \
    K(t, mapgen_straight, STORED)                                                              \
    K(t, mapgen_curved, STORED)                                                                \
    K(t, mapgen_end, STORED)                                                                   \
    K(t, mapgen_tee, STORED)                                                                   \
    K(t, mapgen_four_way, STORED)

#define CONTENT_TERRAIN_FLAGS_ROW(F, K, t)                                                     \
    F(t, TEXT, terrain, LOADED)                                                                \
    F(t, TEXT, flag, LOADED)

#define CONTENT_TERRAIN_MAPGEN_ROW(F, K, t)                                                    \
    F(t, TEXT, terrain, LOADED)                                                                \
    F(t, TEXT, list, LOADED)                                                                   \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, json, LOADED)

#define CONTENT_OTERS_ROW(F, K, t)                                                             \
    F(t, TEXT, id, LOADED)                                                                     \
    F(t, TEXT, terrain, LOADED)                                                                \
    F(t, INT, variant, LOADED)                                                                 \
    F(t, INT, line, LOADED)                                                                    \
    F(t, INT, rotation, LOADED)                                                                \
    F(t, INT, symbol, LOADED)

#define CONTENT_LOCATIONS_ROW(F, K, t)                                                         \
    F(t, TEXT, id, LOADED)                                                                     \
    CONTENT_ORIGIN(F, t)                                                                       \
    K(t, terrains, STORED)                                                                     \
    K(t, flags, STORED)

#define CONTENT_LOCATION_TERRAINS_ROW(F, K, t)                                                 \
    F(t, TEXT, location, LOADED)                                                               \
    F(t, TEXT, terrain, LOADED)

#define CONTENT_LOCATION_FLAGS_ROW(F, K, t)                                                    \
    F(t, TEXT, location, STORED)                                                               \
    F(t, TEXT, flag, STORED)

#define CONTENT_CONNECTIONS_ROW(F, K, t)                                                       \
    F(t, TEXT, id, LOADED)                                                                     \
    F(t, TEXT_OR_NULL, default_terrain, LOADED, JSON("default_terrain", PLAIN))                \
    F(t, TEXT, layout, LOADED, JSON("layout", BY_CODE), .text = "city")                        \
    CONTENT_ORIGIN(F, t)                                                                       \
    K(t, subtypes, STORED)

#define CONTENT_SUBTYPES_ROW(F, K, t)                                                          \
    F(t, TEXT, connection, LOADED)                                                             \
    F(t, INT, position, LOADED)                                                                \
    F(t, TEXT, terrain, LOADED)                                                                \
    F(t, INT, basic_cost, LOADED)                                                              \
    F(t, INT, weight, LOADED)                                                                  \
    F(t, SWITCH, orthogonal, LOADED)                                                           \
    F(t, LIST, flags, LOADED)

#define CONTENT_SUBTYPE_LOCATIONS_ROW(F, K, t)                                                 \
    F(t, TEXT, connection, LOADED)                                                             \
    F(t, INT, position, LOADED)                                                                \
    F(t, TEXT, location, LOADED)

/* Calls F for the column of table region_settings that holds one number of a region. The list
 * of all these numbers, in model/region_fields.h, is a macro that calls REGION_COLUMN for each.
 */
#define REGION_COLUMN(F, number, kind, name, ...) F(region_settings, kind, name, LOADED)
#define CONTENT_REGIONS_ROW(F, K, t)                                                           \
    F(t, TEXT, id, LOADED)                                                                     \
    F(t, TEXT, default_oter, LOADED)                                                           \
    REGION_COLUMN_LIST(REGION_COLUMN, REGION_COLUMN, F)                                        \
    CONTENT_ORIGIN(F, t)

#define CONTENT_REGION_NUMBERS_ROW(F, K, t)                                                    \
    F(t, TEXT, region, LOADED)                                                                 \
    F(t, TEXT, name, LOADED)                                                                   \
    F(t, REAL, value, LOADED)

#define CONTENT_REGION_LEVELS_ROW(F, K, t)                                                     \
    F(t, TEXT, region, LOADED)                                                                 \
    F(t, INT, z, LOADED)                                                                       \
    F(t, TEXT, default_oter, LOADED)

#define CONTENT_REGION_BLOCKS_ROW(F, K, t)                                                     \
    F(t, TEXT, region, LOADED)                                                                 \
    F(t, TEXT, block, LOADED)                                                                  \
    F(t, TEXT, json, LOADED)

#define CONTENT_REGION_BUILDINGS_ROW(F, K, t)                                                  \
    F(t, TEXT, region, LOADED)                                                                 \
    F(t, TEXT, bin, LOADED)                                                                    \
    F(t, TEXT, id, LOADED)                                                                     \
    F(t, INT, weight, LOADED)                                                                  \
    F(t, TEXT, kind, LOADED)

#define CONTENT_REGION_EXTRA_GROUPS_ROW(F, K, t)                                               \
    F(t, TEXT, region, STORED)                                                                 \
    F(t, TEXT, name, STORED)                                                                   \
    F(t, INT, chance, STORED)

#define CONTENT_REGION_EXTRAS_ROW(F, K, t)                                                     \
    F(t, TEXT, region, STORED)                                                                 \
    F(t, TEXT, name, STORED)                                                                   \
    F(t, TEXT, map_extra, STORED)                                                              \
    F(t, INT, weight, STORED)

#define CONTENT_REGION_FLAGS_ROW(F, K, t)                                                      \
    F(t, TEXT, region, LOADED)                                                                 \
    F(t, TEXT, list, LOADED)                                                                   \
    F(t, TEXT, flag, LOADED)

#define CONTENT_OPTIONS_ROW(F, K, t)                                                           \
    F(t, TEXT, name, LOADED, JSON("name", REQUIRED))                                           \
    F(t, TEXT, stype, STORED, JSON("stype", PLAIN))                                            \
    F(t, TEXT, value, LOADED, JSON("value", BY_CODE))                                          \
    CONTENT_ORIGIN(F, t)

/* Columns of the rows that are made from JSON objects of the types dimension and world_type. A
 * dimension names an object of the type dimension_region_layout; the keys from generation_mode
 * on are members of that object. */
#define CONTENT_DIMENSIONS_ROW(F, K, t)                                                        \
    F(t, TEXT, id, LOADED)                                                                     \
    F(t, TEXT, kind, LOADED)                                                                   \
    F(t, TEXT, mode, STORED)                                                                   \
    F(t, TEXT_OR_NULL, region, LOADED)                                                         \
    CONTENT_ORIGIN(F, t)                                                                       \
    K(t, region_layout, .of = "dimension")                                                     \
    K(t, name, .of = "dimension")                                                              \
    K(t, description, .of = "dimension")                                                       \
    K(t, generation_mode, .of = "dimension_region_layout")                                     \
    K(t, uniform_region, .of = "dimension_region_layout")                                      \
    K(t, random_regions, .of = "dimension_region_layout")                                      \
    K(t, angle_regions, .of = "dimension_region_layout")                                       \
    K(t, angles_regions, .of = "dimension_region_layout")                                      \
    K(t, angles_offset, .of = "dimension_region_layout")                                       \
    K(t, generated_bounds_min, .of = "dimension_region_layout")                                \
    K(t, generated_bounds_max, .of = "dimension_region_layout")                                \
    K(t, layout_out_of_bounds, .of = "dimension_region_layout")                                \
    K(t, region_point_sets, .of = "dimension_region_layout")

#define CONTENT_GAMES_ROW(F, K, t)                                                             \
    F(t, INT, content_id, LOADED)                                                              \
    F(t, TEXT, game, LOADED)                                                                   \
    F(t, TEXT, version, LOADED)                                                                \
    F(t, TEXT, placement, LOADED)

#define CONTENT_OTER_MIGRATIONS_ROW(F, K, t)                                                   \
    F(t, TEXT, old_id, LOADED)                                                                 \
    F(t, TEXT, new_id, STORED)                                                                 \
    F(t, TEXT, final_id, LOADED)                                                               \
    CONTENT_ORIGIN(F, t)                                                                       \
    K(t, oter_ids, STORED)                                                                     \
    K(t, old_directions, STORED)                                                               \
    K(t, new_directions, STORED)

#define CONTENT_SPECIAL_MIGRATIONS_ROW(F, K, t)                                                \
    F(t, TEXT, old_id, LOADED, JSON("id", REQUIRED))                                           \
    F(t, TEXT_OR_NULL, new_id, STORED, JSON("new_id", PLAIN))                                  \
    F(t, TEXT_OR_NULL, final_id, LOADED)                                                       \
    CONTENT_ORIGIN(F, t)

#define CONTENT_VISIONS_ROW(F, K, t)                                                           \
    F(t, TEXT, id, STORED)                                                                     \
    F(t, TEXT, levels, STORED, JSON("levels", BY_CODE), .text = "[]")                          \
    CONTENT_ORIGIN(F, t)

#define CONTENT_MONSTERGROUPS_ROW(F, K, t)                                                     \
    F(t, TEXT, id, LOADED)                                                                     \
    F(t, INT, entries, STORED)                                                                 \
    F(t, INT, freq_sum, LOADED)                                                                \
    F(t, INT_OR_NULL, freq_total, LOADED)                                                      \
    F(t, TEXT, file, STORED)                                                                   \
    F(t, INT, line, STORED)

#define CONTENT_FIXED_CITIES_ROW(F, K, t)                                                      \
    F(t, TEXT, id, LOADED)                                                                     \
    F(t, INT, database_id, LOADED, ANY_32, JSON("database_id", PLAIN))                         \
    F(t, TEXT, name, LOADED, JSON("name", BY_CODE))                                            \
    F(t, INT, population, LOADED, COUNT_32, JSON("population", PLAIN))                         \
    F(t, INT, overmap_x, LOADED, RANGE(-PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX),             \
      JSON("pos_om", BY_CODE))                                                                 \
    F(t, INT, overmap_y, LOADED, RANGE(-PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX))             \
    F(t, INT, x, LOADED, RANGE(0, PTL_CHUNK_SIZE - 1), JSON("pos", BY_CODE))                   \
    F(t, INT, y, LOADED, RANGE(0, PTL_CHUNK_SIZE - 1))                                         \
    F(t, INT, size, LOADED, RANGE(1, CAT_CITY_SIZE_MAX), JSON("size", REQUIRED))               \
    CONTENT_ORIGIN(F, t)

/* ---- specials ---- */

#define CONTENT_SPECIALS_ROW(F, K, t)                                                          \
    F(t, TEXT, id, LOADED)                                                                     \
    F(t, TEXT, kind, LOADED)                                                                   \
    F(t, TEXT, subtype, LOADED, JSON("subtype", BY_CODE))                                      \
    F(t, INT, occurrences_min, LOADED, ANY_32, JSON("occurrences", BY_CODE),                   \
      .of = "overmap_special")                                                                 \
    F(t, INT, occurrences_max, LOADED, ANY_32)                                                 \
    F(t, INT, city_distance_min, LOADED, ANY_32, JSON("city_distance", BY_CODE),               \
      .of = "overmap_special")                                                                 \
    F(t, INT_OR_NULL, city_distance_max, LOADED, ANY_32)                                       \
    F(t, INT, city_sizes_min, LOADED, ANY_32, JSON("city_sizes", BY_CODE))                     \
    F(t, INT_OR_NULL, city_sizes_max, LOADED, ANY_32)                                          \
    F(t, SWITCH, rotate, LOADED, JSON("rotate", PLAIN), .number = true)                        \
    F(t, INT, priority, LOADED, ANY_32, JSON("priority", PLAIN))                               \
    F(t, TEXT_OR_NULL, eoc, LOADED, JSON("eoc", BY_CODE))                                      \
    F(t, TEXT_OR_NULL, spawn_group, LOADED, JSON("spawns", BY_CODE))                           \
    F(t, INT_OR_NULL, spawn_population_min, LOADED, COUNT_32)                                  \
    F(t, INT_OR_NULL, spawn_population_max, LOADED, COUNT_32)                                  \
    F(t, INT_OR_NULL, spawn_radius_min, LOADED, COUNT_32)                                      \
    F(t, INT_OR_NULL, spawn_radius_max, LOADED, COUNT_32)                                      \
    F(t, TEXT_OR_NULL, root, LOADED, JSON("root", BY_CODE))                                    \
    CONTENT_ORIGIN(F, t)                                                                       \
    K(t, extend, STORED)                                                                       \
    K(t, delete, STORED)                                                                       \
    K(t, overmaps, STORED)                                                                     \
    K(t, locations, STORED)                                                                    \
    K(t, connections, STORED)                                                                  \
    K(t, place_nested, STORED)                                                                 \
    K(t, flags, STORED)                                                                        \
    K(t, check_for_locations, STORED)                                                          \
    K(t, check_for_locations_area, STORED)                                                     \
    K(t, joins, STORED)                                                                        \
    K(t, shared, STORED)                                                                       \
    K(t, phases, STORED)

#define CONTENT_SPECIAL_FLAG_ROW(F, K, t)                                                      \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, TEXT, flag, LOADED)

#define CONTENT_SPECIAL_LOCATION_ROW(F, K, t)                                                  \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, location, LOADED)

#define CONTENT_SPECIAL_CONNECTION_ROW(F, K, t)                                                \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, INT, position, STORED)                                                                \
    F(t, INT, x, LOADED, COORDINATE)                                                           \
    F(t, INT, y, LOADED, COORDINATE)                                                           \
    F(t, INT, z, LOADED, LEVEL)                                                                \
    F(t, TEXT, connection, LOADED)                                                             \
    F(t, SWITCH, guessed, STORED)                                                              \
    F(t, TEXT_OR_NULL, terrain, LOADED)                                                        \
    F(t, SWITCH, existing, LOADED)                                                             \
    F(t, INT_OR_NULL, from_x, STORED)                                                          \
    F(t, INT_OR_NULL, from_y, STORED)                                                          \
    F(t, INT_OR_NULL, from_z, STORED)                                                          \
    F(t, INT_OR_NULL, direction, LOADED, RANGE(0, 3))

#define CONTENT_SPECIAL_NESTED_ROW(F, K, t)                                                    \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, INT, position, STORED)                                                                \
    F(t, INT, x, LOADED, COORDINATE)                                                           \
    F(t, INT, y, LOADED, COORDINATE)                                                           \
    F(t, INT, z, LOADED, LEVEL)                                                                \
    F(t, TEXT, nested, LOADED)

#define CONTENT_SPECIAL_OMT_ROW(F, K, t)                                                       \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, INT, position, LOADED)                                                                \
    F(t, INT, x, LOADED, COORDINATE)                                                           \
    F(t, INT, y, LOADED, COORDINATE)                                                           \
    F(t, INT, z, LOADED, OMT_LEVEL)                                                            \
    F(t, TEXT, oter, LOADED)                                                                   \
    F(t, TEXT_OR_NULL, camp, STORED)                                                           \
    F(t, TEXT_OR_NULL, camp_name, STORED)

#define CONTENT_SPECIAL_OMT_LOCATION_ROW(F, K, t)                                              \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, INT, omt, LOADED)                                                                     \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, location, LOADED)

#define CONTENT_SPECIAL_OMT_FLAG_ROW(F, K, t)                                                  \
    F(t, TEXT, special, STORED)                                                                \
    F(t, INT, omt, STORED)                                                                     \
    F(t, TEXT, flag, STORED)

#define CONTENT_SPECIAL_JOIN_ROW(F, K, t)                                                      \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, join, LOADED)                                                                   \
    F(t, TEXT, opposite, LOADED)

#define CONTENT_SPECIAL_JOIN_LOCATION_ROW(F, K, t)                                             \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, TEXT, join, LOADED)                                                                   \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, location, LOADED)

#define CONTENT_SPECIAL_PIECE_ROW(F, K, t)                                                     \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, TEXT, piece, LOADED)                                                                  \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, oter, LOADED)

#define CONTENT_SPECIAL_PIECE_LOCATION_ROW(F, K, t)                                            \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, TEXT, piece, LOADED)                                                                  \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, location, LOADED)

#define CONTENT_SPECIAL_PIECE_SIDE_ROW(F, K, t)                                                \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, TEXT, piece, LOADED)                                                                  \
    F(t, TEXT, side, LOADED)                                                                   \
    F(t, TEXT, join, LOADED)                                                                   \
    F(t, TEXT, type, LOADED)

#define CONTENT_SPECIAL_PIECE_ALTERNATIVE_ROW(F, K, t)                                         \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, TEXT, piece, LOADED)                                                                  \
    F(t, TEXT, side, LOADED)                                                                   \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, join, LOADED)

#define CONTENT_SPECIAL_PIECE_CONNECTION_ROW(F, K, t)                                          \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, TEXT, piece, LOADED)                                                                  \
    F(t, TEXT, side, LOADED)                                                                   \
    F(t, TEXT, connection, LOADED)

#define CONTENT_SPECIAL_CHECK_ROW(F, K, t)                                                     \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, INT, position, LOADED)                                                                \
    F(t, INT, x0, LOADED, COORDINATE)                                                          \
    F(t, INT, y0, LOADED, COORDINATE)                                                          \
    F(t, INT, z0, LOADED, LEVEL)                                                               \
    F(t, INT, x1, LOADED, COORDINATE)                                                          \
    F(t, INT, y1, LOADED, COORDINATE)                                                          \
    F(t, INT, z1, LOADED, LEVEL)

#define CONTENT_SPECIAL_CHECK_LOCATION_ROW(F, K, t)                                            \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, INT, check, LOADED)                                                                   \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, location, LOADED)

#define CONTENT_SPECIAL_SHARED_ROW(F, K, t)                                                    \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, TEXT, name, LOADED)                                                                   \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, kind, LOADED)                                                                   \
    F(t, INT_OR_NULL, low, LOADED)                                                             \
    F(t, INT_OR_NULL, high, LOADED)                                                            \
    F(t, REAL_OR_NULL, mean, LOADED)                                                           \
    F(t, INT_OR_NULL, trials, LOADED)                                                          \
    F(t, INT_OR_NULL, least, LOADED)                                                           \
    F(t, INT_OR_NULL, most, LOADED)

#define CONTENT_SPECIAL_PHASE_RULE_ROW(F, K, t)                                                \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, INT, phase, LOADED)                                                                   \
    F(t, INT, position, LOADED)                                                                \
    F(t, TEXT_OR_NULL, name, LOADED)                                                           \
    F(t, INT_OR_NULL, weight, LOADED, COUNT_32)                                                \
    F(t, TEXT, max_kind, LOADED)                                                               \
    F(t, INT_OR_NULL, max_low, LOADED)                                                         \
    F(t, INT_OR_NULL, max_high, LOADED)                                                        \
    F(t, REAL_OR_NULL, max_mean, LOADED)                                                       \
    F(t, TEXT_OR_NULL, scale, LOADED)                                                          \
    F(t, TEXT_OR_NULL, join, LOADED)                                                           \
    F(t, TEXT, z_kind, LOADED)                                                                 \
    F(t, INT_OR_NULL, z_low, LOADED, ANY_32)                                                   \
    F(t, INT_OR_NULL, z_high, LOADED, ANY_32)                                                  \
    F(t, INT_OR_NULL, z_top, LOADED, LEVEL)                                                    \
    F(t, INT_OR_NULL, z_bottom, LOADED, LEVEL)                                                 \
    F(t, INT_OR_NULL, om_x, LOADED, RANGE(-PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX))          \
    F(t, INT_OR_NULL, om_y, LOADED, RANGE(-PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX))          \
    F(t, INT_OR_NULL, rotate, LOADED)                                                          \
    F(t, INT_OR_NULL, max_trials, LOADED)                                                      \
    F(t, INT_OR_NULL, max_least, LOADED)                                                       \
    F(t, INT_OR_NULL, max_most, LOADED)

#define CONTENT_SPECIAL_PHASE_RULE_PIECE_ROW(F, K, t)                                          \
    F(t, TEXT, special, LOADED)                                                                \
    F(t, INT, phase, LOADED)                                                                   \
    F(t, INT, rule, LOADED)                                                                    \
    F(t, INT, position, STORED)                                                                \
    F(t, TEXT, piece, LOADED)                                                                  \
    F(t, INT, x, LOADED, COORDINATE)                                                           \
    F(t, INT, y, LOADED, COORDINATE)                                                           \
    F(t, INT, z, LOADED, LEVEL)                                                                \
    F(t, INT, rotation, LOADED, RANGE(0, 3))

/* ---- the tables ---- */

/*
 * A list of all parts, as a macro: it calls T for each part. The arguments are the part, the
 * name of its table, the columns by which the rows are sorted, and two flags. The first flag is
 * true if the table's checksum is compared before a catalogue is made from it. The second is
 * true if it is no error to add the same row twice; the row is then written once. Each table
 * stands below the tables that it refers to.
 */
#define CONTENT_TABLES(T)                                                                      \
    T(PACKS, content_pack, "content_id, position", false, false)                               \
    T(TYPE_COUNTS, content_type_count, "content_id, type", false, false)                       \
    T(UNKNOWN, content_unknown, "content_id, type, key", false, false)                         \
    T(ISSUES, content_issue, "id", false, false)                                               \
    T(FILES, kept_file, "id", false, false)                                                    \
    T(OBJECTS, kept_object, "id", false, false)                                                \
    T(NAMES, kept_name, "name, object_id, key", false, true)                                   \
    T(LAND_USE_CODES, overmap_land_use_code, "id", false, false)                               \
    T(MAP_EXTRAS, map_extra, "id", false, false)                                               \
    T(ROTATABLE_SYMBOLS, rotatable_symbol, "tuple, position", false, false)                    \
    T(TERRAINS, overmap_terrain, "id", true, false)                                            \
    T(TERRAIN_FLAGS, overmap_terrain_flag, "terrain, flag", true, false)                       \
    T(TERRAIN_MAPGEN, overmap_terrain_mapgen, "terrain, list, position", false, false)         \
    T(OTERS, concrete_terrain, "id", true, false)                                              \
    T(LOCATIONS, overmap_location, "id", true, false)                                          \
    T(LOCATION_TERRAINS, overmap_location_terrain, "location, terrain", true, false)           \
    T(LOCATION_FLAGS, overmap_location_flag, "location, flag", false, true)                    \
    T(CONNECTIONS, overmap_connection, "id", true, false)                                      \
    T(SUBTYPES, overmap_connection_subtype, "connection, position", true, false)               \
    T(SUBTYPE_LOCATIONS, overmap_connection_location, "connection, position, location", true,  \
      true)                                                                                    \
    T(REGIONS, region_settings, "id", true, false)                                             \
    T(REGION_NUMBERS, region_number, "region, name", true, false)                              \
    T(REGION_LEVELS, region_level, "region, z", true, false)                                   \
    T(REGION_BLOCKS, region_block, "region, block", true, false)                               \
    T(REGION_BUILDINGS, region_building, "region, bin, id", true, false)                       \
    T(REGION_EXTRA_GROUPS, region_extra_group, "region, name", false, false)                   \
    T(REGION_EXTRAS, region_extra, "region, name, map_extra", false, false)                    \
    T(REGION_FLAGS, region_feature_flag, "region, list, flag", true, false)                    \
    T(OPTIONS, external_option, "name", true, false)                                           \
    T(DIMENSIONS, dimension, "id", true, false)                                                \
    T(GAMES, content_game, "content_id", true, false)                                          \
    T(OTER_MIGRATIONS, oter_migration, "old_id", true, false)                                  \
    T(SPECIAL_MIGRATIONS, special_migration, "old_id", true, false)                            \
    T(VISIONS, oter_vision, "id", false, false)                                                \
    T(MONSTERGROUPS, monstergroup, "id", true, false)                                          \
    T(FIXED_CITIES, fixed_city, "id", true, false)                                             \
    T(SPECIALS, overmap_special, "id", true, false)                                            \
    T(SPECIAL_FLAG, special_flag, "special, flag", true, false)                                \
    T(SPECIAL_LOCATION, special_location, "special, position", true, false)                    \
    T(SPECIAL_CONNECTION, special_connection, "special, position", true, false)                \
    T(SPECIAL_NESTED, special_nested, "special, position", true, false)                        \
    T(SPECIAL_OMT, special_omt, "special, position", true, false)                              \
    T(SPECIAL_OMT_LOCATION, special_omt_location, "special, omt, position", true, false)       \
    T(SPECIAL_OMT_FLAG, special_omt_flag, "special, omt, flag", false, false)                  \
    T(SPECIAL_JOIN, special_join, "special, position", true, false)                            \
    T(SPECIAL_JOIN_LOCATION, special_join_location, "special, join, position", true, false)    \
    T(SPECIAL_PIECE, special_piece, "special, piece", true, false)                             \
    T(SPECIAL_PIECE_LOCATION, special_piece_location, "special, piece, position", true, false) \
    T(SPECIAL_PIECE_SIDE, special_piece_side, "special, piece, side", true, false)             \
    T(SPECIAL_PIECE_ALTERNATIVE, special_piece_alternative, "special, piece, side, position",  \
      true, false)                                                                             \
    T(SPECIAL_PIECE_CONNECTION, special_piece_connection, "special, piece, side", true, false) \
    T(SPECIAL_CHECK, special_check, "special, position", true, false)                          \
    T(SPECIAL_CHECK_LOCATION, special_check_location, "special, check, position", true, false) \
    T(SPECIAL_SHARED, special_shared, "special, name", true, false)                            \
    T(SPECIAL_PHASE_RULE, special_phase_rule, "special, phase, position", true, false)         \
    T(SPECIAL_PHASE_RULE_PIECE, special_phase_rule_piece, "special, phase, rule, position",    \
      true, false)
