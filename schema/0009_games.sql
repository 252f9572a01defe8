-- What only some games have: numbers of regions, options, dimensions, and which game it is.

-- Numbers and switches of region_settings that have no column there (0003), each by its name; one that
-- has the games' default has no row.
CREATE TABLE region_number (
    region TEXT NOT NULL,
    name TEXT NOT NULL,
    value REAL NOT NULL, -- switches: 0 or 1
    CONSTRAINT region_number_pk PRIMARY KEY (region, name),
    CONSTRAINT region_number_region FOREIGN KEY (region) REFERENCES region_settings (id)
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
