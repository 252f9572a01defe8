-- overmap_special and city_building of the current content, after inheritance and
-- redefinition. An import replaces all rows. Order means something in most lists (the priority
-- of joins, phases, the choice among rules): `position` counts from 0 in the content's order.
-- Points are OMTs relative to the special's origin, for north up: x to the east, y to the
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

CREATE TABLE special_flag (
    special TEXT NOT NULL,
    flag TEXT NOT NULL,
    CONSTRAINT special_flag_pk PRIMARY KEY (special, flag),
    CONSTRAINT special_flag_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- Where tiles, pieces and joins may lie that have no locations of their own.
CREATE TABLE special_location (
    special TEXT NOT NULL,
    position INTEGER NOT NULL,
    location TEXT NOT NULL,
    CONSTRAINT special_location_pk PRIMARY KEY (special, position),
    CONSTRAINT special_location_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

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

---- fixed

CREATE TABLE special_tile (
    special TEXT NOT NULL,
    position INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    oter TEXT NOT NULL, -- concrete_terrain.id
    camp TEXT,          -- faction camp at the tile; NULL if none, as the next one
    camp_name TEXT,
    CONSTRAINT special_tile_pk PRIMARY KEY (special, position),
    CONSTRAINT special_tile_special FOREIGN KEY (special) REFERENCES overmap_special (id)
) WITHOUT ROWID;

-- A tile's own locations. No row: those of the special.
CREATE TABLE special_tile_location (
    special TEXT NOT NULL,
    tile INTEGER NOT NULL, -- special_tile.position
    position INTEGER NOT NULL,
    location TEXT NOT NULL,
    CONSTRAINT special_tile_location_pk PRIMARY KEY (special, tile, position),
    CONSTRAINT special_tile_location_tile FOREIGN KEY (special, tile)
        REFERENCES special_tile (special, position)
) WITHOUT ROWID;

CREATE TABLE special_tile_flag (
    special TEXT NOT NULL,
    tile INTEGER NOT NULL,
    flag TEXT NOT NULL,
    CONSTRAINT special_tile_flag_pk PRIMARY KEY (special, tile, flag),
    CONSTRAINT special_tile_flag_tile FOREIGN KEY (special, tile)
        REFERENCES special_tile (special, position)
) WITHOUT ROWID;

---- mutable: joins and pieces

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

CREATE TABLE special_check_location (
    special TEXT NOT NULL,
    "check" INTEGER NOT NULL, -- special_check.position
    position INTEGER NOT NULL,
    location TEXT NOT NULL,
    CONSTRAINT special_check_location_pk PRIMARY KEY (special, "check", position),
    CONSTRAINT special_check_location_check FOREIGN KEY (special, "check")
        REFERENCES special_check (special, position)
) WITHOUT ROWID;

---- mutable: growth

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
    CONSTRAINT special_shared_pk PRIMARY KEY (special, name),
    CONSTRAINT special_shared_kind CHECK (kind IN ('fixed', 'range', 'poisson', 'chance')),
    CONSTRAINT special_shared_numbers CHECK ((kind IN ('fixed', 'range')) = (low IS NOT NULL)
        AND (low IS NULL) = (high IS NULL)
        AND (kind IN ('poisson', 'chance')) = (mean IS NOT NULL)),
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
    CONSTRAINT special_phase_rule_pk PRIMARY KEY (special, phase, position),
    CONSTRAINT special_phase_rule_weight CHECK (weight >= 0),
    CONSTRAINT special_phase_rule_max_kind CHECK (max_kind IN ('unlimited', 'fixed', 'range',
        'poisson', 'chance')),
    CONSTRAINT special_phase_rule_max CHECK (
        (max_kind IN ('fixed', 'range')) = (max_low IS NOT NULL)
        AND (max_low IS NULL) = (max_high IS NULL)
        AND (max_kind IN ('poisson', 'chance')) = (max_mean IS NOT NULL)),
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

---- views

-- Every tile of every fixed special with each location that it may lie on.
CREATE VIEW special_tile_allowed AS
SELECT t.special, t.position, t.x, t.y, t.z, t.oter, l.location
FROM special_tile t JOIN special_tile_location l ON l.special = t.special AND l.tile = t.position
UNION ALL
SELECT t.special, t.position, t.x, t.y, t.z, t.oter, l.location
FROM special_tile t JOIN special_location l ON l.special = t.special
WHERE NOT EXISTS (SELECT 1 FROM special_tile_location o
                  WHERE o.special = t.special AND o.tile = t.position);
