-- Content: what an import read. One content is current. Rows of content, content_pack,
-- content_game and content_schema stay for as long as the file, since worlds and chunks name the
-- content that made them; all other tables but content_past hold the current content alone, and an
-- import replaces their rows.
--
-- Definitions are stored after inheritance, redefinition and overlays. `pack` is
-- content_pack.position of the pack that gave the definition; `file` and `line` say where (overlays
-- of later packs may have changed a region). Order means something in most lists (the priority of
-- joins, phases, the choice among rules): `position` counts from 0 in the content's order.

---- contents, and what an import found

-- The contents that the file holds or has held.
CREATE TABLE content (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,           -- BLAKE2b-256 over the objects, hex
    is_current INTEGER NOT NULL,    -- 1 for one row, 0 for the others
    imported_at TEXT NOT NULL,      -- UTC, ISO 8601; of the last import of this content
    portolan_version TEXT NOT NULL, -- of the program that imported it
    lenient INTEGER NOT NULL,       -- 1: unresolved references were left out
    file_count INTEGER NOT NULL,
    object_count INTEGER NOT NULL,
    byte_count INTEGER NOT NULL,    -- of the JSON files
    CONSTRAINT content_digest_unique UNIQUE (digest),
    CONSTRAINT content_digest_hex CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
    CONSTRAINT content_is_current CHECK (is_current IN (0, 1)),
    CONSTRAINT content_lenient CHECK (lenient IN (0, 1))
);

-- At most one is current.
CREATE UNIQUE INDEX content_current ON content (is_current) WHERE is_current = 1;

-- The base and the mods, in the order in which they were read.
CREATE TABLE content_pack (
    content_id INTEGER NOT NULL,
    position INTEGER NOT NULL, -- from 0; later ones redefine the objects of earlier ones
    id TEXT NOT NULL,          -- MOD_INFO id, or the directory's base name
    name TEXT NOT NULL,
    directory TEXT NOT NULL,   -- as given; '' for the built-in pack
    file_count INTEGER NOT NULL,
    object_count INTEGER NOT NULL,
    CONSTRAINT content_pack_pk PRIMARY KEY (content_id, position),
    CONSTRAINT content_pack_content FOREIGN KEY (content_id) REFERENCES content (id)
) WITHOUT ROWID;

-- What the import remarked on: unresolved references (lenient only) and other warnings.
CREATE TABLE content_issue (
    id INTEGER PRIMARY KEY, -- in the order of the report
    content_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,   -- from 1; 0 where unknown
    "column" INTEGER NOT NULL, -- in bytes from 1; 0 where unknown
    object_type TEXT NOT NULL, -- '' where none applies, as for the next
    object_id TEXT NOT NULL,
    message TEXT NOT NULL,
    CONSTRAINT content_issue_kind CHECK (kind IN ('unresolved', 'warning')),
    CONSTRAINT content_issue_content FOREIGN KEY (content_id) REFERENCES content (id)
);

-- Objects by type, and what the import did with them: read into tables of their own (and kept
-- as well), kept only, or skipped.
CREATE TABLE content_type_count (
    content_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    objects INTEGER NOT NULL,
    treatment TEXT NOT NULL,
    CONSTRAINT content_type_count_pk PRIMARY KEY (content_id, type),
    CONSTRAINT content_type_count_treatment CHECK (treatment IN ('table', 'kept', 'skipped')),
    CONSTRAINT content_type_count_content FOREIGN KEY (content_id) REFERENCES content (id)
) WITHOUT ROWID;

-- Keys that the import does not know, in objects of types that it reads into tables: what a game has
-- that nothing here looks at.
CREATE TABLE content_unknown (
    content_id INTEGER NOT NULL,
    type TEXT NOT NULL,       -- of the objects
    key TEXT NOT NULL,
    objects INTEGER NOT NULL, -- that have it
    file TEXT NOT NULL,       -- of the first, as content_issue.file
    line INTEGER NOT NULL,    -- of the object
    CONSTRAINT content_unknown_pk PRIMARY KEY (content_id, type, key),
    CONSTRAINT content_unknown_objects CHECK (objects > 0),
    CONSTRAINT content_unknown_content FOREIGN KEY (content_id) REFERENCES content (id)
) WITHOUT ROWID;

-- Which game a content is of. No row: what it is made of does not tell.
CREATE TABLE content_game (
    content_id INTEGER NOT NULL,
    game TEXT NOT NULL,      -- dda, bn
    version TEXT NOT NULL,   -- as found beside the content; '' if nothing told it
    placement TEXT NOT NULL, -- the rule of placement of new worlds
    CONSTRAINT content_game_pk PRIMARY KEY (content_id),
    CONSTRAINT content_game_game CHECK (game IN ('dda', 'bn')),
    CONSTRAINT content_game_placement CHECK (placement IN ('quota', 'sectors')),
    CONSTRAINT content_game_content FOREIGN KEY (content_id) REFERENCES content (id)
) WITHOUT ROWID;

-- The schema version of the program that imported a content. If it is below the file's, the tables that
-- later versions added have no rows of the content; importing the same content again fills them.
CREATE TABLE content_schema (
    content_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT content_schema_pk PRIMARY KEY (content_id),
    CONSTRAINT content_schema_content FOREIGN KEY (content_id) REFERENCES content (id)
) WITHOUT ROWID;

-- One row for each table of content and definitions: a checksum over all of that table's rows
-- (format.md, "Checksums"). Importing writes them.
CREATE TABLE content_checksum (
    name TEXT NOT NULL, -- of the table
    row_count INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    CONSTRAINT content_checksum_pk PRIMARY KEY (name),
    CONSTRAINT content_checksum_rows CHECK (row_count >= 0)
) WITHOUT ROWID;

-- Definitions of contents that the file held before and that worlds, chunks or sweeps were made
-- with: what the tables of definitions held then, as far as a world is read or made by it. Importing
-- another content writes them; importing that content again removes them.
CREATE TABLE content_past (
    id INTEGER PRIMARY KEY,
    content_id INTEGER NOT NULL, -- never the current one
    name TEXT NOT NULL,          -- of the table
    row_count INTEGER NOT NULL,
    size INTEGER NOT NULL,       -- bytes of the rows, not compressed
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL,          -- its rows (format.md, "Earlier contents")
    CONSTRAINT content_past_unique UNIQUE (content_id, name),
    CONSTRAINT content_past_rows CHECK (row_count >= 0 AND size >= 0),
    CONSTRAINT content_past_content FOREIGN KEY (content_id) REFERENCES content (id)
);

---- objects kept as text

-- The texts of a file's kept objects, one after the other, in one zstd frame. Comments that
-- stood inside arrays are blanked, so that each text is strict JSON; else they are unchanged.
CREATE TABLE kept_file (
    id INTEGER PRIMARY KEY, -- in the order of the import
    content_id INTEGER NOT NULL,
    pack INTEGER NOT NULL,  -- content_pack.position
    path TEXT NOT NULL,
    size INTEGER NOT NULL,  -- of the texts, not compressed
    texts BLOB NOT NULL,
    CONSTRAINT kept_file_pack FOREIGN KEY (content_id, pack)
        REFERENCES content_pack (content_id, position)
);

-- Each kept object: where its text is.
CREATE TABLE kept_object (
    id INTEGER PRIMARY KEY, -- in the order of the import: later ones redefine earlier ones
    file_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    start INTEGER NOT NULL, -- byte offset in the file's texts
    size INTEGER NOT NULL,  -- bytes
    line INTEGER NOT NULL,  -- in the JSON file, from 1
    CONSTRAINT kept_object_file FOREIGN KEY (file_id) REFERENCES kept_file (id)
);

-- What a kept object is called. Several rows where it has a list of ids; none where it has none.
CREATE TABLE kept_name (
    name TEXT NOT NULL,
    object_id INTEGER NOT NULL,
    key TEXT NOT NULL, -- 'id', 'abstract', 'om_terrain', 'nested_mapgen_id', ...
    CONSTRAINT kept_name_pk PRIMARY KEY (name, object_id, key),
    CONSTRAINT kept_name_object FOREIGN KEY (object_id) REFERENCES kept_object (id)
) WITHOUT ROWID;

---- terrains

-- What concrete terrains are made of: an id, and in how many directions or shapes it comes.
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
    see_cost_name TEXT,             -- how the content states see_cost; NULL: as the number
    vision_levels TEXT,             -- oter_vision.id; NULL if not given, as the next ones
    travel_cost_type TEXT,
    uniform_terrain TEXT,           -- terrain that fills the local map
    map_label TEXT,                 -- drawn on the map at the place
    entry_eoc TEXT,                 -- id of an effect on condition, or its JSON; as the next
    exit_eoc TEXT,
    default_map_data TEXT,          -- omt_placeholder
    post_process_generators TEXT,   -- JSON list of ids
    CONSTRAINT overmap_terrain_pk PRIMARY KEY (id),
    CONSTRAINT overmap_terrain_kind CHECK (kind IN (0, 1, 2)),
    CONSTRAINT overmap_terrain_symbol CHECK (symbol BETWEEN 0 AND 1114111),
    CONSTRAINT overmap_terrain_spawns CHECK ((spawn_group IS NULL) = (spawn_chance IS NULL)
        AND spawn_population_min <= spawn_population_max)
) WITHOUT ROWID;

-- The flags of a terrain.
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

-- How terrains look from afar: overmap_terrain.vision_levels.
CREATE TABLE oter_vision (
    id TEXT NOT NULL,
    levels TEXT NOT NULL, -- JSON list of at most 3 objects: vague, outlines, details
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT oter_vision_pk PRIMARY KEY (id)
) WITHOUT ROWID;

-- Ids of terrains that a game has given up: what they mean in a save. The last pair of an id counts.
CREATE TABLE oter_migration (
    old_id TEXT NOT NULL,
    new_id TEXT NOT NULL,   -- as the pair has it
    final_id TEXT NOT NULL, -- at the end of the chain of pairs; old_id: it stays
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT oter_migration_pk PRIMARY KEY (old_id)
) WITHOUT ROWID;

---- locations

-- Named sets of terrains: where specials and connections may lie.
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

---- connections

-- Linear features: roads, rails, sewers, trails.
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

-- The terrains that a connection can be drawn with, and what each costs.
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

---- regions, with region_overlay applied

-- The numbers by which a region is generated.
CREATE TABLE region_settings (
    id TEXT NOT NULL,
    default_oter TEXT NOT NULL, -- fills z = 0: id of a concrete terrain, or of a terrain for its first
    river_scale REAL NOT NULL,  -- 0: no rivers
    noise_threshold_lake REAL NOT NULL,
    lake_size_min INTEGER NOT NULL, -- cells
    lake_depth INTEGER NOT NULL,    -- z of the bed; 0: in place of the surface
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
        AND lake_depth BETWEEN -10 AND 0),
    CONSTRAINT region_settings_ravine CHECK (ravine_width BETWEEN 1 AND 20
        AND ravine_depth BETWEEN -10 AND -1 AND ravine_range >= 0 AND num_ravines >= 0),
    CONSTRAINT region_settings_floodplain CHECK (river_floodplain_buffer_distance_min >= 0
        AND river_floodplain_buffer_distance_min <= river_floodplain_buffer_distance_max
        AND river_floodplain_buffer_distance_max <= 15),
    CONSTRAINT region_settings_city CHECK (city_size BETWEEN -1 AND 16
        AND city_spacing BETWEEN -1 AND 8)
) WITHOUT ROWID;

-- Numbers and switches of region_settings that have no column there, each by its name; one that has
-- the games' default has no row.
CREATE TABLE region_number (
    region TEXT NOT NULL,
    name TEXT NOT NULL,
    value REAL NOT NULL, -- switches: 0 or 1
    CONSTRAINT region_number_pk PRIMARY KEY (region, name),
    CONSTRAINT region_number_region FOREIGN KEY (region) REFERENCES region_settings (id)
) WITHOUT ROWID;

-- What fills each level, of regions that state it; the others have region_settings.default_oter at
-- z = 0, open_air above, empty_rock below.
CREATE TABLE region_level (
    region TEXT NOT NULL,
    z INTEGER NOT NULL,
    default_oter TEXT NOT NULL, -- as region_settings.default_oter, which that of z = 0 is
    CONSTRAINT region_level_pk PRIMARY KEY (region, z),
    CONSTRAINT region_level_z CHECK (z BETWEEN -10 AND 10),
    CONSTRAINT region_level_region FOREIGN KEY (region) REFERENCES region_settings (id)
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

-- How often map extras lie in terrains of a group.
CREATE TABLE region_extra_group (
    region TEXT NOT NULL,
    name TEXT NOT NULL,      -- as in overmap_terrain.extras
    chance INTEGER NOT NULL, -- one in this many tiles; 0: none
    CONSTRAINT region_extra_group_pk PRIMARY KEY (region, name),
    CONSTRAINT region_extra_group_chance CHECK (chance >= 0),
    CONSTRAINT region_extra_group_region FOREIGN KEY (region) REFERENCES region_settings (id)
) WITHOUT ROWID;

-- The map extras of a group.
CREATE TABLE region_extra (
    region TEXT NOT NULL,
    name TEXT NOT NULL,      -- the group's
    map_extra TEXT NOT NULL, -- map_extra.id, or mx_null: nothing
    weight INTEGER NOT NULL, -- 0: never
    CONSTRAINT region_extra_pk PRIMARY KEY (region, name, map_extra),
    CONSTRAINT region_extra_weight CHECK (weight >= 0),
    CONSTRAINT region_extra_in_group FOREIGN KEY (region, name)
        REFERENCES region_extra_group (region, name)
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

-- Names for regions that worlds can be made with: dimensions of DDA, world_types of Bright Nights.
CREATE TABLE dimension (
    id TEXT NOT NULL,
    kind TEXT NOT NULL, -- the JSON type
    mode TEXT NOT NULL, -- generation_mode of its layout; UNIFORM: one region
    region TEXT,        -- region_settings.id; NULL if it has several
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT dimension_pk PRIMARY KEY (id),
    CONSTRAINT dimension_region CHECK ((mode = 'UNIFORM') = (region IS NOT NULL))
) WITHOUT ROWID;

-- EXTERNAL_OPTION: the last definition of a name counts.
CREATE TABLE external_option (
    name TEXT NOT NULL,
    stype TEXT NOT NULL, -- bool, int, float, string_input; '' if not given
    value TEXT NOT NULL, -- a text as it is, else as in JSON
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT external_option_pk PRIMARY KEY (name)
) WITHOUT ROWID;

-- Objects of type city: where there is one, the content's worlds have these cities and no others.
CREATE TABLE fixed_city (
    id TEXT NOT NULL,
    database_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    population INTEGER NOT NULL,
    overmap_x INTEGER NOT NULL, -- the overmap, and the centre in it
    overmap_y INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    size INTEGER NOT NULL,
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT fixed_city_pk PRIMARY KEY (id)
) WITHOUT ROWID;

---- other definitions

-- Small scenes that lie in local maps.
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
    autonote_visibility TEXT,       -- as the content has it; NULL if not given
    zlevel_min INTEGER,             -- levels on which it may be; NULL: any
    zlevel_max INTEGER,
    flags TEXT,                     -- JSON list; NULL: none, as the next one
    looks_like TEXT,
    CONSTRAINT map_extra_pk PRIMARY KEY (id),
    CONSTRAINT map_extra_autonote CHECK (autonote IN (0, 1)),
    CONSTRAINT map_extra_zlevel CHECK ((zlevel_min IS NULL) = (zlevel_max IS NULL))
) WITHOUT ROWID;

-- How the land of a terrain is used, for maps.
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

-- Monster groups: what the chances of a group's entries add up to. The rest of a group is kept
-- as text (kept_object).
CREATE TABLE monstergroup (
    id TEXT NOT NULL,
    entries INTEGER NOT NULL,  -- of all definitions that extend each other
    freq_sum INTEGER NOT NULL, -- of the entries' freq (weight in today's games; 1 if not given)
    freq_total INTEGER,        -- as stated; NULL if nothing states it: freq_sum today, 1000 in 0.F
    file TEXT NOT NULL,        -- of the last definition
    line INTEGER NOT NULL,
    CONSTRAINT monstergroup_pk PRIMARY KEY (id)
) WITHOUT ROWID;

---- specials and city buildings

-- overmap_special and city_building. Points are OMTs relative to the special's origin, for north up: x to the east, y to the
-- south, z upwards. Terrains, locations, connections and nested specials were checked to
-- exist; they are no foreign keys, since replacing the content would search these tables for
-- each terrain that goes.
CREATE TABLE overmap_special (
    id TEXT NOT NULL,                  -- one space of ids for specials and city buildings
    kind TEXT NOT NULL,
    subtype TEXT NOT NULL,
    occurrences_min INTEGER NOT NULL,  -- for each overmap; with flag UNIQUE: min in max is the chance
    occurrences_max INTEGER NOT NULL,  -- 0 or below min: only placed by other rules, as all
                                       -- city buildings, which have 0, 0
    city_distance_min INTEGER NOT NULL, -- OMTs from the city's edge; -1: any
    city_distance_max INTEGER,         -- NULL: no upper bound
    city_sizes_min INTEGER NOT NULL,
    city_sizes_max INTEGER,            -- NULL: no upper bound
    rotate INTEGER NOT NULL,           -- 1: may be turned
    priority INTEGER NOT NULL,         -- higher ones are placed first; 0 if not given
    eoc TEXT,                          -- id of an effect on condition, or its JSON
    spawn_group TEXT,                  -- monster group around the special; NULL if none
    spawn_population_min INTEGER,
    spawn_population_max INTEGER,
    spawn_radius_min INTEGER,          -- submaps (half OMTs)
    spawn_radius_max INTEGER,
    root TEXT,                         -- the first piece of a mutable special; else NULL
    pack INTEGER NOT NULL,             -- content_pack.position
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT overmap_special_pk PRIMARY KEY (id),
    CONSTRAINT overmap_special_kind CHECK (kind IN ('special', 'city_building')),
    CONSTRAINT overmap_special_subtype CHECK (subtype IN ('fixed', 'mutable')),
    CONSTRAINT overmap_special_rotate CHECK (rotate IN (0, 1)),
    CONSTRAINT overmap_special_city_distance CHECK (city_distance_max >= city_distance_min),
    CONSTRAINT overmap_special_city_sizes CHECK (city_sizes_max >= city_sizes_min),
    CONSTRAINT overmap_special_spawns CHECK ((spawn_group IS NULL) = (spawn_population_min IS NULL)
        AND (spawn_group IS NULL) = (spawn_population_max IS NULL)
        AND (spawn_group IS NULL) = (spawn_radius_min IS NULL)
        AND (spawn_group IS NULL) = (spawn_radius_max IS NULL)),
    CONSTRAINT overmap_special_root CHECK ((subtype = 'mutable') = (root IS NOT NULL))
) WITHOUT ROWID;

-- The flags of a special.
CREATE TABLE special_flag (
    special TEXT NOT NULL,
    flag TEXT NOT NULL,
    CONSTRAINT special_flag_pk PRIMARY KEY (special, flag),
    CONSTRAINT special_flag_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- Where OMTs, pieces and joins may lie that have no locations of their own.
CREATE TABLE special_location (
    special TEXT NOT NULL,
    position INTEGER NOT NULL,
    location TEXT NOT NULL,
    CONSTRAINT special_location_pk PRIMARY KEY (special, position),
    CONSTRAINT special_location_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- Points of a special from which a connection is drawn.
CREATE TABLE special_connection (
    special TEXT NOT NULL,
    position INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    connection TEXT NOT NULL,
    guessed INTEGER NOT NULL,   -- 1: the content names only a terrain, or nothing
    terrain TEXT,               -- overmap_terrain that DDA looks for at the point; NULL if none
    existing INTEGER NOT NULL,  -- 1: a condition on the place, nothing is drawn
    from_x INTEGER,             -- where it starts; NULL if not given
    from_y INTEGER,
    from_z INTEGER,
    direction INTEGER,          -- from there to the point: 0..3 = N, E, S, W
    CONSTRAINT special_connection_pk PRIMARY KEY (special, position),
    CONSTRAINT special_connection_existing CHECK (existing IN (0, 1)),
    CONSTRAINT special_connection_guessed CHECK (guessed IN (0, 1)),
    CONSTRAINT special_connection_direction CHECK (direction BETWEEN 0 AND 3),
    CONSTRAINT special_connection_from CHECK ((from_x IS NULL) = (direction IS NULL)
        AND (from_y IS NULL) = (direction IS NULL) AND (from_z IS NULL) = (direction IS NULL)),
    CONSTRAINT special_connection_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- Specials that are placed with this one. There are no circles.
CREATE TABLE special_nested (
    special TEXT NOT NULL,
    position INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    nested TEXT NOT NULL, -- overmap_special.id
    CONSTRAINT special_nested_pk PRIMARY KEY (special, position),
    CONSTRAINT special_nested_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- The same of specials.
CREATE TABLE special_migration (
    old_id TEXT NOT NULL,
    new_id TEXT,   -- NULL: it is gone, and its OMTs stay
    final_id TEXT, -- NULL: gone in the end
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT special_migration_pk PRIMARY KEY (old_id)
) WITHOUT ROWID;

---- fixed specials

-- The OMTs of a fixed special.
CREATE TABLE special_omt (
    special TEXT NOT NULL,
    position INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    oter TEXT NOT NULL, -- concrete_terrain.id
    camp TEXT,          -- faction camp at the OMT; NULL if none, as the next one
    camp_name TEXT,
    CONSTRAINT special_omt_pk PRIMARY KEY (special, position),
    CONSTRAINT special_omt_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- An OMT's own locations. No row: those of the special.
CREATE TABLE special_omt_location (
    special TEXT NOT NULL,
    omt INTEGER NOT NULL, -- special_omt.position
    position INTEGER NOT NULL,
    location TEXT NOT NULL,
    CONSTRAINT special_omt_location_pk PRIMARY KEY (special, omt, position),
    CONSTRAINT special_omt_location_omt FOREIGN KEY (special, omt)
        REFERENCES special_omt (special, position)
) WITHOUT ROWID;

-- The flags of an OMT.
CREATE TABLE special_omt_flag (
    special TEXT NOT NULL,
    omt INTEGER NOT NULL,
    flag TEXT NOT NULL,
    CONSTRAINT special_omt_flag_pk PRIMARY KEY (special, omt, flag),
    CONSTRAINT special_omt_flag_omt FOREIGN KEY (special, omt)
        REFERENCES special_omt (special, position)
) WITHOUT ROWID;

---- mutable specials: joins and pieces

-- Sides of pieces match by joins. position is the priority of open joins: 0 is most urgent.
CREATE TABLE special_join (
    special TEXT NOT NULL,
    position INTEGER NOT NULL,
    "join" TEXT NOT NULL,
    opposite TEXT NOT NULL, -- the join that the facing side must have; itself if none was given
    CONSTRAINT special_join_pk PRIMARY KEY (special, position),
    CONSTRAINT special_join_unique UNIQUE (special, "join"),
    CONSTRAINT special_join_opposite FOREIGN KEY (special, opposite)
        REFERENCES special_join (special, "join") DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT special_join_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- What an open join may point into. No row: the special's locations.
CREATE TABLE special_join_location (
    special TEXT NOT NULL,
    "join" TEXT NOT NULL,
    position INTEGER NOT NULL,
    location TEXT NOT NULL,
    CONSTRAINT special_join_location_pk PRIMARY KEY (special, "join", position),
    CONSTRAINT special_join_location_join FOREIGN KEY (special, "join")
        REFERENCES special_join (special, "join")
) WITHOUT ROWID;

-- The pieces that a mutable special grows from.
CREATE TABLE special_piece (
    special TEXT NOT NULL,
    piece TEXT NOT NULL,       -- its name inside the special
    position INTEGER NOT NULL,
    oter TEXT NOT NULL,        -- concrete_terrain.id
    CONSTRAINT special_piece_pk PRIMARY KEY (special, piece),
    CONSTRAINT special_piece_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- A piece's own locations. No row: those of the special.
CREATE TABLE special_piece_location (
    special TEXT NOT NULL,
    piece TEXT NOT NULL,
    position INTEGER NOT NULL,
    location TEXT NOT NULL,
    CONSTRAINT special_piece_location_pk PRIMARY KEY (special, piece, position),
    CONSTRAINT special_piece_location_piece FOREIGN KEY (special, piece)
        REFERENCES special_piece (special, piece)
) WITHOUT ROWID;

-- A side without a row has no join.
CREATE TABLE special_piece_side (
    special TEXT NOT NULL,
    piece TEXT NOT NULL,
    side TEXT NOT NULL,
    "join" TEXT NOT NULL,
    type TEXT NOT NULL, -- reference: overmap generation, 6.1
    CONSTRAINT special_piece_side_pk PRIMARY KEY (special, piece, side),
    CONSTRAINT special_piece_side_side CHECK (side IN ('north', 'east', 'south', 'west',
        'above', 'below')),
    CONSTRAINT special_piece_side_type CHECK (type IN ('mandatory', 'optional', 'available',
        'reject')),
    CONSTRAINT special_piece_side_piece FOREIGN KEY (special, piece)
        REFERENCES special_piece (special, piece),
    CONSTRAINT special_piece_side_join FOREIGN KEY (special, "join")
        REFERENCES special_join (special, "join")
) WITHOUT ROWID;

-- Further joins that the side may use when its piece is placed.
CREATE TABLE special_piece_alternative (
    special TEXT NOT NULL,
    piece TEXT NOT NULL,
    side TEXT NOT NULL,
    position INTEGER NOT NULL,
    "join" TEXT NOT NULL,
    CONSTRAINT special_piece_alternative_pk PRIMARY KEY (special, piece, side, position),
    CONSTRAINT special_piece_alternative_side FOREIGN KEY (special, piece, side)
        REFERENCES special_piece_side (special, piece, side),
    CONSTRAINT special_piece_alternative_join FOREIGN KEY (special, "join")
        REFERENCES special_join (special, "join")
) WITHOUT ROWID;

-- Connections that start at a side of a piece, once the special is complete.
CREATE TABLE special_piece_connection (
    special TEXT NOT NULL,
    piece TEXT NOT NULL,
    side TEXT NOT NULL,
    connection TEXT NOT NULL,
    CONSTRAINT special_piece_connection_pk PRIMARY KEY (special, piece, side),
    CONSTRAINT special_piece_connection_side CHECK (side IN ('north', 'east', 'south', 'west',
        'above', 'below')),
    CONSTRAINT special_piece_connection_piece FOREIGN KEY (special, piece)
        REFERENCES special_piece (special, piece)
) WITHOUT ROWID;

-- What must be there before growth starts: each cell of the box, both ends included, on one of
-- the locations. Single points have equal ends.
CREATE TABLE special_check (
    special TEXT NOT NULL,
    position INTEGER NOT NULL,
    x0 INTEGER NOT NULL,
    y0 INTEGER NOT NULL,
    z0 INTEGER NOT NULL,
    x1 INTEGER NOT NULL,
    y1 INTEGER NOT NULL,
    z1 INTEGER NOT NULL,
    CONSTRAINT special_check_pk PRIMARY KEY (special, position),
    CONSTRAINT special_check_box CHECK (x0 <= x1 AND y0 <= y1 AND z0 <= z1),
    CONSTRAINT special_check_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- The locations of a check.
CREATE TABLE special_check_location (
    special TEXT NOT NULL,
    "check" INTEGER NOT NULL, -- special_check.position
    position INTEGER NOT NULL,
    location TEXT NOT NULL,
    CONSTRAINT special_check_location_pk PRIMARY KEY (special, "check", position),
    CONSTRAINT special_check_location_check FOREIGN KEY (special, "check")
        REFERENCES special_check (special, position)
) WITHOUT ROWID;

---- mutable specials: growth

-- Distributions here and below: 'fixed' low; 'range' uniform in low..high, either way round;
-- 'poisson' with that mean; 'chance' 1 with probability mean, else 0; 'unlimited'.
-- A shared number is drawn once for each special that is placed.
CREATE TABLE special_shared (
    special TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    low INTEGER,
    high INTEGER,
    mean REAL,
    trials INTEGER, -- of 'binomial', whose mean is the probability of each
    least INTEGER,  -- bounds of what is drawn; NULL: none
    most INTEGER,
    CONSTRAINT special_shared_pk PRIMARY KEY (special, name),
    CONSTRAINT special_shared_kind CHECK (kind IN ('fixed', 'range', 'poisson', 'chance',
        'binomial')),
    CONSTRAINT special_shared_numbers CHECK ((kind IN ('fixed', 'range')) = (low IS NOT NULL)
        AND (low IS NULL) = (high IS NULL)
        AND (kind IN ('poisson', 'chance', 'binomial')) = (mean IS NOT NULL)
        AND (kind = 'binomial') = (trials IS NOT NULL)),
    CONSTRAINT special_shared_bounds CHECK (kind IN ('poisson', 'binomial')
        OR (least IS NULL AND most IS NULL)),
    CONSTRAINT special_shared_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- Phases run in order; each has its rules. A phase without rules has no rows.
CREATE TABLE special_phase_rule (
    special TEXT NOT NULL,
    phase INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT,            -- for messages; NULL if none
    weight INTEGER,       -- NULL: unlimited, so that what is left of max is the weight
    max_kind TEXT NOT NULL,
    max_low INTEGER,
    max_high INTEGER,
    max_mean REAL,
    scale TEXT,           -- special_shared.name that multiplies max; NULL if none
    "join" TEXT,          -- must be resolved by the placement; NULL: any
    z_kind TEXT NOT NULL, -- the level of the tile that asks: 'range' z_low..z_high; 'top' at or
                          -- above the highest tile so far; 'bottom' at or below the lowest;
                          -- 'offset' exactly z_top from the highest or z_bottom from the lowest
    z_low INTEGER,
    z_high INTEGER,
    z_top INTEGER,
    z_bottom INTEGER,
    om_x INTEGER,         -- the only overmap on which the rule exists; NULL: all
    om_y INTEGER,
    rotate INTEGER,       -- NULL: as the special
    max_trials INTEGER,   -- of 'binomial', whose mean is the probability of each
    max_least INTEGER,    -- bounds of what is drawn; NULL: none
    max_most INTEGER,
    CONSTRAINT special_phase_rule_pk PRIMARY KEY (special, phase, position),
    CONSTRAINT special_phase_rule_weight CHECK (weight >= 0),
    CONSTRAINT special_phase_rule_max_kind CHECK (max_kind IN ('unlimited', 'fixed', 'range',
        'poisson', 'chance', 'binomial')),
    CONSTRAINT special_phase_rule_max CHECK (
        (max_kind IN ('fixed', 'range')) = (max_low IS NOT NULL)
        AND (max_low IS NULL) = (max_high IS NULL)
        AND (max_kind IN ('poisson', 'chance', 'binomial')) = (max_mean IS NOT NULL)
        AND (max_kind = 'binomial') = (max_trials IS NOT NULL)),
    CONSTRAINT special_phase_rule_bounds CHECK (max_kind IN ('poisson', 'binomial')
        OR (max_least IS NULL AND max_most IS NULL)),
    CONSTRAINT special_phase_rule_z_kind CHECK (z_kind IN ('any', 'range', 'top', 'bottom',
        'offset')),
    CONSTRAINT special_phase_rule_z CHECK ((z_kind = 'range') = (z_low IS NOT NULL)
        AND (z_low IS NULL) = (z_high IS NULL)
        AND (z_kind = 'offset') = (z_top IS NOT NULL OR z_bottom IS NOT NULL)),
    CONSTRAINT special_phase_rule_om CHECK ((om_x IS NULL) = (om_y IS NULL)),
    CONSTRAINT special_phase_rule_rotate CHECK (rotate IN (0, 1)),
    CONSTRAINT special_phase_rule_scale FOREIGN KEY (special, scale)
        REFERENCES special_shared (special, name),
    CONSTRAINT special_phase_rule_join FOREIGN KEY (special, "join")
        REFERENCES special_join (special, "join"),
    CONSTRAINT special_phase_rule_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- The pieces that a rule places together, as a rigid body (a "chunk" in the content).
CREATE TABLE special_phase_rule_piece (
    special TEXT NOT NULL,
    phase INTEGER NOT NULL,
    rule INTEGER NOT NULL, -- special_phase_rule.position
    position INTEGER NOT NULL,
    piece TEXT NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    rotation INTEGER NOT NULL, -- 0..3 = N, E, S, W
    CONSTRAINT special_phase_rule_piece_pk PRIMARY KEY (special, phase, rule, position),
    CONSTRAINT special_phase_rule_piece_rotation CHECK (rotation BETWEEN 0 AND 3),
    CONSTRAINT special_phase_rule_piece_rule FOREIGN KEY (special, phase, rule)
        REFERENCES special_phase_rule (special, phase, position),
    CONSTRAINT special_phase_rule_piece_piece FOREIGN KEY (special, piece)
        REFERENCES special_piece (special, piece)
) WITHOUT ROWID;
