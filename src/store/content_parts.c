#include "store/content_parts.h"

const content_part_form content_part_forms[CONTENT_PARTS] = {
    [CONTENT_PACKS] = {"content_pack",
                       "content_id, position, id, name, directory, file_count, object_count",
                       false},
    [CONTENT_TYPE_COUNTS] = {"content_type_count", "content_id, type, objects, treatment",
                             false},
    [CONTENT_UNKNOWN] = {"content_unknown", "content_id, type, key, objects, file, line",
                         false},
    [CONTENT_ISSUES] = {"content_issue",
                        "content_id, kind, file, line, column, object_type, object_id, message",
                        false},
    [CONTENT_FILES] = {"kept_file", "content_id, pack, path, size, texts", false},
    [CONTENT_OBJECTS] = {"kept_object", "file_id, type, start, size, line", false},
    [CONTENT_NAMES] = {"kept_name", "name, object_id, key", true},
    [CONTENT_TERRAINS] =
        {"overmap_terrain",
         "id, kind, name, symbol, color, see_cost, travel_cost, mondensity, extras, "
         "land_use_code, connect_group, looks_like, spawn_group, spawn_population_min, "
         "spawn_population_max, spawn_chance, pack, file, line, see_cost_name, vision_levels, "
         "travel_cost_type, uniform_terrain, map_label, entry_eoc, exit_eoc, default_map_data, "
         "post_process_generators",
         false},
    [CONTENT_TERRAIN_FLAGS] = {"overmap_terrain_flag", "terrain, flag", false},
    [CONTENT_TERRAIN_MAPGEN] = {"overmap_terrain_mapgen", "terrain, list, position, json",
                                false},
    [CONTENT_OTERS] = {"concrete_terrain", "id, terrain, variant, line, rotation, symbol",
                       false},
    [CONTENT_LOCATIONS] = {"overmap_location", "id, pack, file, line", false},
    [CONTENT_LOCATION_TERRAINS] = {"overmap_location_terrain", "location, terrain", false},
    [CONTENT_LOCATION_FLAGS] = {"overmap_location_flag", "location, flag", true},
    [CONTENT_CONNECTIONS] = {"overmap_connection",
                             "id, default_terrain, layout, pack, file, line", false},
    [CONTENT_SUBTYPES] =
        {"overmap_connection_subtype",
         "connection, position, terrain, basic_cost, weight, orthogonal, flags", false},
    [CONTENT_SUBTYPE_LOCATIONS] = {"overmap_connection_location",
                                   "connection, position, location", true},
    [CONTENT_REGIONS] =
        {"region_settings",
         "id, default_oter, river_scale, noise_threshold_lake, lake_size_min, lake_depth, "
         "num_ravines, ravine_range, ravine_width, ravine_depth, noise_threshold_forest, "
         "noise_threshold_forest_thick, noise_threshold_swamp_adjacent_water, "
         "noise_threshold_swamp_isolated, river_floodplain_buffer_distance_min, "
         "river_floodplain_buffer_distance_max, trail_chance, trail_border_point_chance, "
         "trail_minimum_forest_size, trail_random_point_min, trail_random_point_max, "
         "trail_random_point_size_scalar, trailhead_chance, trailhead_road_distance, "
         "shop_radius, shop_sigma, park_radius, park_sigma, city_size, city_spacing, pack, "
         "file, line",
         false},
    [CONTENT_REGION_NUMBERS] = {"region_number", "region, name, value", false},
    [CONTENT_REGION_LEVELS] = {"region_level", "region, z, default_oter", false},
    [CONTENT_REGION_BLOCKS] = {"region_block", "region, block, json", false},
    [CONTENT_REGION_BUILDINGS] = {"region_building", "region, bin, id, weight, kind", false},
    [CONTENT_REGION_EXTRA_GROUPS] = {"region_extra_group", "region, name, chance", false},
    [CONTENT_REGION_EXTRAS] = {"region_extra", "region, name, map_extra, weight", false},
    [CONTENT_REGION_FLAGS] = {"region_feature_flag", "region, list, flag", false},
    [CONTENT_MAP_EXTRAS] =
        {"map_extra",
         "id, name, description, generator_method, generator_id, symbol, color, autonote, "
         "pack, file, line, autonote_visibility, zlevel_min, zlevel_max, flags, looks_like",
         false},
    [CONTENT_LAND_USE_CODES] =
        {"overmap_land_use_code",
         "id, code, name, detailed_definition, symbol, color, pack, file, line", false},
    [CONTENT_ROTATABLE_SYMBOLS] = {"rotatable_symbol", "tuple, position, symbol", false},
    [CONTENT_OPTIONS] = {"external_option", "name, stype, value, pack, file, line", false},
    [CONTENT_DIMENSIONS] = {"dimension", "id, kind, mode, region, pack, file, line", false},
    [CONTENT_GAMES] = {"content_game", "content_id, game, version, placement", false},
    [CONTENT_OTER_MIGRATIONS] = {"oter_migration", "old_id, new_id, final_id, pack, file, line",
                                 false},
    [CONTENT_SPECIAL_MIGRATIONS] = {"special_migration",
                                    "old_id, new_id, final_id, pack, file, line", false},
    [CONTENT_VISIONS] = {"oter_vision", "id, levels, pack, file, line", false},
    [CONTENT_MONSTERGROUPS] = {"monstergroup", "id, entries, freq_sum, freq_total, file, line",
                               false},
    [CONTENT_FIXED_CITIES] = {"fixed_city",
                              "id, database_id, name, population, overmap_x, overmap_y, x, y, "
                              "size, pack, file, line",
                              false},
    [CONTENT_SPECIALS] =
        {"overmap_special",
         "id, kind, subtype, occurrences_min, occurrences_max, city_distance_min, "
         "city_distance_max, city_sizes_min, city_sizes_max, rotate, priority, eoc, "
         "spawn_group, spawn_population_min, spawn_population_max, spawn_radius_min, "
         "spawn_radius_max, root, pack, file, line",
         false},
    [CONTENT_SPECIAL_FLAG] = {"special_flag", "special, flag", false},
    [CONTENT_SPECIAL_LOCATION] = {"special_location", "special, position, location", false},
    [CONTENT_SPECIAL_CONNECTION] = {"special_connection",
                                    "special, position, x, y, z, connection, guessed, terrain, "
                                    "existing, from_x, from_y, from_z, direction",
                                    false},
    [CONTENT_SPECIAL_NESTED] = {"special_nested", "special, position, x, y, z, nested", false},
    [CONTENT_SPECIAL_TILE] = {"special_tile",
                              "special, position, x, y, z, oter, camp, camp_name", false},
    [CONTENT_SPECIAL_TILE_LOCATION] = {"special_tile_location",
                                       "special, tile, position, location", false},
    [CONTENT_SPECIAL_TILE_FLAG] = {"special_tile_flag", "special, tile, flag", false},
    [CONTENT_SPECIAL_JOIN] = {"special_join", "special, position, join, opposite", false},
    [CONTENT_SPECIAL_JOIN_LOCATION] = {"special_join_location",
                                       "special, join, position, location", false},
    [CONTENT_SPECIAL_PIECE] = {"special_piece", "special, piece, position, oter", false},
    [CONTENT_SPECIAL_PIECE_LOCATION] = {"special_piece_location",
                                        "special, piece, position, location", false},
    [CONTENT_SPECIAL_PIECE_SIDE] = {"special_piece_side", "special, piece, side, join, type",
                                    false},
    [CONTENT_SPECIAL_PIECE_ALTERNATIVE] = {"special_piece_alternative",
                                           "special, piece, side, position, join", false},
    [CONTENT_SPECIAL_PIECE_CONNECTION] = {"special_piece_connection",
                                          "special, piece, side, connection", false},
    [CONTENT_SPECIAL_CHECK] = {"special_check", "special, position, x0, y0, z0, x1, y1, z1",
                               false},
    [CONTENT_SPECIAL_CHECK_LOCATION] = {"special_check_location",
                                        "special, check, position, location", false},
    [CONTENT_SPECIAL_SHARED] =
        {"special_shared",
         "special, name, position, kind, low, high, mean, trials, least, most", false},
    [CONTENT_SPECIAL_PHASE_RULE] =
        {"special_phase_rule",
         "special, phase, position, name, weight, max_kind, max_low, max_high, max_mean, "
         "scale, join, z_kind, z_low, z_high, z_top, z_bottom, om_x, om_y, rotate, max_trials, "
         "max_least, max_most",
         false},
    [CONTENT_SPECIAL_PHASE_RULE_PIECE] =
        {"special_phase_rule_piece", "special, phase, rule, position, piece, x, y, z, rotation",
         false},
};
