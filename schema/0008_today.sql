-- Today's games: what terrains have beside what they had, numbers of pieces that are binomial or
-- have bounds, and the keys that Portolan does not know.

-- Tables that others refer to are made anew: what refers to them finds its rows again.
PRAGMA defer_foreign_keys = ON;

-- As in 0003, and more.
CREATE TEMP TABLE moved AS SELECT * FROM overmap_terrain;
DROP TABLE overmap_terrain;
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
INSERT INTO overmap_terrain
SELECT *, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM moved;
DROP TABLE moved;

-- As in 0003, and more; nothing at all may be an extra.
CREATE TEMP TABLE moved AS SELECT * FROM map_extra;
CREATE TEMP TABLE moved_extra AS SELECT * FROM region_extra;
DROP TABLE region_extra;
DROP TABLE map_extra;
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
INSERT INTO map_extra SELECT *, NULL, NULL, NULL, NULL, NULL FROM moved;
INSERT INTO region_extra SELECT * FROM moved_extra;
DROP TABLE moved;
DROP TABLE moved_extra;

-- As in 0003; a lake may be a bed alone.
CREATE TEMP TABLE moved AS SELECT * FROM region_settings;
DROP TABLE region_settings;
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
INSERT INTO region_settings SELECT * FROM moved;
DROP TABLE moved;

-- As in 0004, and binomial ones and bounds.
CREATE TEMP TABLE moved AS SELECT * FROM special_phase_rule;
CREATE TEMP TABLE moved_shared AS SELECT * FROM special_shared;
DROP TABLE special_phase_rule;
DROP TABLE special_shared;
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
INSERT INTO special_shared SELECT *, NULL, NULL, NULL FROM moved_shared;
INSERT INTO special_phase_rule SELECT *, NULL, NULL, NULL FROM moved;
DROP TABLE moved;
DROP TABLE moved_shared;

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
