-- Definitions of the current content, after inheritance, redefinition and overlays: terrains,
-- locations, connections, regions and small types. An import replaces all rows. pack is
-- content_pack.position of the pack that gave the definition; file and line say where (a
-- region can have been changed by overlays of later packs). Specials are in 0004.

---- overmap_terrain

CREATE TABLE overmap_terrain (
    id TEXT NOT NULL,
    kind INTEGER NOT NULL,          -- 0 NO_ROTATE: 1 concrete terrain; 1 rotatable: 4; 2 LINEAR: 16
    name TEXT NOT NULL,             -- singular; '' if none
    symbol INTEGER NOT NULL,        -- Unicode code point of sym, not rotated; 0 if none
    color TEXT NOT NULL,            -- the content's colour name; '' if none
    see_cost INTEGER NOT NULL,
    travel_cost INTEGER NOT NULL,
    mondensity INTEGER NOT NULL,
    extras TEXT NOT NULL,           -- region_extra_group.name; 'none' for none
    land_use_code TEXT,             -- overmap_land_use_code.id
    connect_group TEXT NOT NULL,    -- '' if none
    looks_like TEXT NOT NULL,       -- JSON list of ids, best first; what it was copied from among them
    spawn_group TEXT,               -- monster group of its static spawns; NULL if it has none
    spawn_population_min INTEGER,
    spawn_population_max INTEGER,
    spawn_chance INTEGER,           -- percent
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT overmap_terrain_pk PRIMARY KEY (id),
    CONSTRAINT overmap_terrain_kind CHECK (kind IN (0, 1, 2)),
    CONSTRAINT overmap_terrain_symbol CHECK (symbol BETWEEN 0 AND 1114111),
    CONSTRAINT overmap_terrain_spawns CHECK ((spawn_group IS NULL) = (spawn_chance IS NULL)
        AND spawn_population_min <= spawn_population_max)
) WITHOUT ROWID;

CREATE TABLE overmap_terrain_flag (
    terrain TEXT NOT NULL,
    flag TEXT NOT NULL,
    CONSTRAINT overmap_terrain_flag_pk PRIMARY KEY (terrain, flag),
    CONSTRAINT overmap_terrain_flag_terrain FOREIGN KEY (terrain) REFERENCES overmap_terrain (id)
) WITHOUT ROWID;

-- The entries of mapgen and mapgen_* lists. They are not inherited by copy-from, and every
-- definition of an id adds to them.
CREATE TABLE overmap_terrain_mapgen (
    terrain TEXT NOT NULL,
    list TEXT NOT NULL,        -- the JSON key
    position INTEGER NOT NULL, -- from 0, over all definitions in import order
    json TEXT NOT NULL,
    CONSTRAINT overmap_terrain_mapgen_pk PRIMARY KEY (terrain, list, position),
    CONSTRAINT overmap_terrain_mapgen_list CHECK (list IN ('mapgen', 'mapgen_straight',
        'mapgen_curved', 'mapgen_end', 'mapgen_tee', 'mapgen_four_way')),
    CONSTRAINT overmap_terrain_mapgen_terrain FOREIGN KEY (terrain)
        REFERENCES overmap_terrain (id)
) WITHOUT ROWID;

-- What can stand in a cell of an overmap.
CREATE TABLE concrete_terrain (
    id TEXT NOT NULL,          -- the terrain's id and a suffix: house_north, road_ns, field
    terrain TEXT NOT NULL,
    variant INTEGER NOT NULL,  -- 0 .. number of the terrain's concrete terrains - 1
    line INTEGER NOT NULL,     -- connected sides: bit 0 north, 1 east, 2 south, 3 west; 0 if not linear
    rotation INTEGER NOT NULL, -- 0..3: north, east, south, west; 0 if not rotatable
    symbol INTEGER NOT NULL,   -- Unicode code point, rotated; for lines a box-drawing character
    CONSTRAINT concrete_terrain_pk PRIMARY KEY (id),
    CONSTRAINT concrete_terrain_variant CHECK (variant BETWEEN 0 AND 15),
    CONSTRAINT concrete_terrain_shape CHECK (variant = line + rotation AND rotation <= 3),
    CONSTRAINT concrete_terrain_terrain FOREIGN KEY (terrain) REFERENCES overmap_terrain (id)
) WITHOUT ROWID;

---- overmap_location

CREATE TABLE overmap_location (
    id TEXT NOT NULL,
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT overmap_location_pk PRIMARY KEY (id)
) WITHOUT ROWID;

-- The terrains that satisfy a location: those it names and those that have one of its flags.
CREATE TABLE overmap_location_terrain (
    location TEXT NOT NULL,
    terrain TEXT NOT NULL,
    CONSTRAINT overmap_location_terrain_pk PRIMARY KEY (location, terrain),
    CONSTRAINT overmap_location_terrain_location FOREIGN KEY (location)
        REFERENCES overmap_location (id),
    CONSTRAINT overmap_location_terrain_terrain FOREIGN KEY (terrain)
        REFERENCES overmap_terrain (id)
) WITHOUT ROWID;

-- The flags that a location names, also those that no terrain has.
CREATE TABLE overmap_location_flag (
    location TEXT NOT NULL,
    flag TEXT NOT NULL,
    CONSTRAINT overmap_location_flag_pk PRIMARY KEY (location, flag),
    CONSTRAINT overmap_location_flag_location FOREIGN KEY (location)
        REFERENCES overmap_location (id)
) WITHOUT ROWID;

---- overmap_connection

CREATE TABLE overmap_connection (
    id TEXT NOT NULL,
    default_terrain TEXT, -- NULL if not given
    layout TEXT NOT NULL,
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT overmap_connection_pk PRIMARY KEY (id),
    CONSTRAINT overmap_connection_id CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 63),
    CONSTRAINT overmap_connection_layout CHECK (layout IN ('city', 'p2p')),
    CONSTRAINT overmap_connection_default FOREIGN KEY (default_terrain)
        REFERENCES overmap_terrain (id)
) WITHOUT ROWID;

CREATE TABLE overmap_connection_subtype (
    connection TEXT NOT NULL,
    position INTEGER NOT NULL,   -- from 0; the order matters
    terrain TEXT NOT NULL,
    basic_cost INTEGER NOT NULL,
    weight INTEGER NOT NULL,     -- 0: taken in list order; above: drawn by weight among those
    orthogonal INTEGER NOT NULL, -- 1: flag ORTHOGONAL
    flags TEXT NOT NULL,         -- JSON list of all flags
    CONSTRAINT overmap_connection_subtype_pk PRIMARY KEY (connection, position),
    CONSTRAINT overmap_connection_subtype_orthogonal CHECK (orthogonal IN (0, 1)),
    CONSTRAINT overmap_connection_subtype_connection FOREIGN KEY (connection)
        REFERENCES overmap_connection (id),
    CONSTRAINT overmap_connection_subtype_terrain FOREIGN KEY (terrain)
        REFERENCES overmap_terrain (id)
) WITHOUT ROWID;

-- No row for a subtype: only where its terrain stands already.
CREATE TABLE overmap_connection_location (
    connection TEXT NOT NULL,
    position INTEGER NOT NULL, -- the subtype's
    location TEXT NOT NULL,
    CONSTRAINT overmap_connection_location_pk PRIMARY KEY (connection, position, location),
    CONSTRAINT overmap_connection_location_subtype FOREIGN KEY (connection, position)
        REFERENCES overmap_connection_subtype (connection, position),
    CONSTRAINT overmap_connection_location_location FOREIGN KEY (location)
        REFERENCES overmap_location (id)
) WITHOUT ROWID;

---- region_settings, with region_overlay applied

CREATE TABLE region_settings (
    id TEXT NOT NULL,
    default_oter TEXT NOT NULL, -- fills z = 0: id of a concrete terrain, or of a terrain for its first
    river_scale REAL NOT NULL,  -- 0: no rivers
    noise_threshold_lake REAL NOT NULL,
    lake_size_min INTEGER NOT NULL, -- cells
    lake_depth INTEGER NOT NULL,    -- z of the bed
    num_ravines INTEGER NOT NULL,   -- for each overmap
    ravine_range INTEGER NOT NULL,  -- OMTs
    ravine_width INTEGER NOT NULL,  -- OMTs
    ravine_depth INTEGER NOT NULL,  -- z of the floor
    noise_threshold_forest REAL NOT NULL,
    noise_threshold_forest_thick REAL NOT NULL,
    noise_threshold_swamp_adjacent_water REAL NOT NULL,
    noise_threshold_swamp_isolated REAL NOT NULL,
    river_floodplain_buffer_distance_min INTEGER NOT NULL, -- OMTs
    river_floodplain_buffer_distance_max INTEGER NOT NULL,
    trail_chance INTEGER NOT NULL,  -- one in this many forests; 0: no trails
    trail_border_point_chance INTEGER NOT NULL,
    trail_minimum_forest_size INTEGER NOT NULL, -- cells
    trail_random_point_min INTEGER NOT NULL,
    trail_random_point_max INTEGER NOT NULL,
    trail_random_point_size_scalar INTEGER NOT NULL,
    trailhead_chance INTEGER NOT NULL,
    trailhead_road_distance INTEGER NOT NULL, -- OMTs
    shop_radius INTEGER NOT NULL,   -- percent of the city's size, as the next three
    shop_sigma INTEGER NOT NULL,
    park_radius INTEGER NOT NULL,
    park_sigma INTEGER NOT NULL,
    city_size INTEGER NOT NULL,     -- -1: the world's, as the next one
    city_spacing INTEGER NOT NULL,
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT region_settings_pk PRIMARY KEY (id),
    CONSTRAINT region_settings_river CHECK (river_scale BETWEEN 0 AND 40),
    CONSTRAINT region_settings_lake CHECK (lake_size_min BETWEEN 1 AND 1000
        AND lake_depth BETWEEN -10 AND -1),
    CONSTRAINT region_settings_ravine CHECK (ravine_width BETWEEN 1 AND 20
        AND ravine_depth BETWEEN -10 AND -1 AND ravine_range >= 0 AND num_ravines >= 0),
    CONSTRAINT region_settings_floodplain CHECK (river_floodplain_buffer_distance_min >= 0
        AND river_floodplain_buffer_distance_min <= river_floodplain_buffer_distance_max
        AND river_floodplain_buffer_distance_max <= 15),
    CONSTRAINT region_settings_city CHECK (city_size BETWEEN -1 AND 16
        AND city_spacing BETWEEN -1 AND 8)
) WITHOUT ROWID;

-- Members of region_settings without columns of their own, by block: what local maps and
-- weather need, e.g. 'field_coverage', and the rest of blocks that have columns.
CREATE TABLE region_block (
    region TEXT NOT NULL,
    block TEXT NOT NULL,
    json TEXT NOT NULL,
    CONSTRAINT region_block_pk PRIMARY KEY (region, block),
    CONSTRAINT region_block_region FOREIGN KEY (region) REFERENCES region_settings (id)
) WITHOUT ROWID;

-- Weighted lists of what a city or a trailhead is built from.
CREATE TABLE region_building (
    region TEXT NOT NULL,
    bin TEXT NOT NULL,
    id TEXT NOT NULL,
    weight INTEGER NOT NULL, -- 0: never
    kind TEXT NOT NULL,      -- id is a special's (or city_building's), or else an overmap_terrain's
    CONSTRAINT region_building_pk PRIMARY KEY (region, bin, id),
    CONSTRAINT region_building_bin CHECK (bin IN ('houses', 'shops', 'parks', 'finales',
        'urban_houses', 'urban_shops', 'trailheads')),
    CONSTRAINT region_building_weight CHECK (weight >= 0),
    CONSTRAINT region_building_kind CHECK (kind IN ('special', 'terrain')),
    CONSTRAINT region_building_region FOREIGN KEY (region) REFERENCES region_settings (id)
) WITHOUT ROWID;

CREATE TABLE region_extra_group (
    region TEXT NOT NULL,
    name TEXT NOT NULL,      -- as in overmap_terrain.extras
    chance INTEGER NOT NULL, -- one in this many tiles; 0: none
    CONSTRAINT region_extra_group_pk PRIMARY KEY (region, name),
    CONSTRAINT region_extra_group_chance CHECK (chance >= 0),
    CONSTRAINT region_extra_group_region FOREIGN KEY (region) REFERENCES region_settings (id)
) WITHOUT ROWID;

CREATE TABLE region_extra (
    region TEXT NOT NULL,
    name TEXT NOT NULL,      -- the group's
    map_extra TEXT NOT NULL,
    weight INTEGER NOT NULL, -- 0: never
    CONSTRAINT region_extra_pk PRIMARY KEY (region, name, map_extra),
    CONSTRAINT region_extra_weight CHECK (weight >= 0),
    CONSTRAINT region_extra_in_group FOREIGN KEY (region, name)
        REFERENCES region_extra_group (region, name),
    CONSTRAINT region_extra_map_extra FOREIGN KEY (map_extra) REFERENCES map_extra (id)
        DEFERRABLE INITIALLY DEFERRED -- map_extra is written later
) WITHOUT ROWID;

-- Which specials a region takes, by their flags.
CREATE TABLE region_feature_flag (
    region TEXT NOT NULL,
    list TEXT NOT NULL,
    flag TEXT NOT NULL,
    CONSTRAINT region_feature_flag_pk PRIMARY KEY (region, list, flag),
    CONSTRAINT region_feature_flag_list CHECK (list IN ('blacklist', 'whitelist')),
    CONSTRAINT region_feature_flag_region FOREIGN KEY (region) REFERENCES region_settings (id)
) WITHOUT ROWID;

---- map_extra, overmap_land_use_code, rotatable_symbol

CREATE TABLE map_extra (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    generator_method TEXT NOT NULL, -- '' if it has no generator
    generator_id TEXT NOT NULL,
    symbol INTEGER NOT NULL,        -- Unicode code point; 0 if none
    color TEXT NOT NULL,
    autonote INTEGER NOT NULL,      -- 1: noted on the map when seen
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT map_extra_pk PRIMARY KEY (id),
    CONSTRAINT map_extra_autonote CHECK (autonote IN (0, 1))
) WITHOUT ROWID;

CREATE TABLE overmap_land_use_code (
    id TEXT NOT NULL,      -- '' is the games' "unknown"
    code INTEGER NOT NULL, -- land_use_code; 0 if not given
    name TEXT NOT NULL,
    detailed_definition TEXT NOT NULL,
    symbol INTEGER NOT NULL,
    color TEXT NOT NULL,
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT overmap_land_use_code_pk PRIMARY KEY (id)
) WITHOUT ROWID;

-- Symbols that turn into each other: one place further for each turn to the right.
CREATE TABLE rotatable_symbol (
    tuple INTEGER NOT NULL,    -- from 0, in import order
    position INTEGER NOT NULL, -- from 0
    symbol INTEGER NOT NULL,   -- Unicode code point
    CONSTRAINT rotatable_symbol_pk PRIMARY KEY (tuple, position),
    CONSTRAINT rotatable_symbol_symbol_unique UNIQUE (symbol)
) WITHOUT ROWID;
