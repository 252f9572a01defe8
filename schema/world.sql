-- World files: dictionaries of ids, worlds, runs, and what repair set aside. format.md says what the
-- columns of all tables of worlds mean to another program. A `checksum` covers all other columns of its
-- row (format.md, "Checksums"); it stands before long blobs, so that it is read without them.

-- The append-only dictionary of oter ids: blobs hold its numbers, so that a changed content
-- can't renumber old chunks.
CREATE TABLE oter (
    id INTEGER PRIMARY KEY, -- from 1 without gaps; never changed or reused
    name TEXT NOT NULL,     -- e.g. 'road_ns'; none twice
    checksum INTEGER NOT NULL,
    CONSTRAINT oter_id_range CHECK (id BETWEEN 1 AND 16777215),
    CONSTRAINT oter_name_text CHECK (typeof(name) = 'text' AND length(name) BETWEEN 1 AND 1000)
);

-- The same for other ids (buildings, specials, their pieces and joins, monster groups) and for what
-- radios say.
CREATE TABLE name (
    id INTEGER PRIMARY KEY, -- from 1 without gaps; never changed or reused
    name TEXT NOT NULL,     -- e.g. 'house_two_story_basement'; none twice
    checksum INTEGER NOT NULL,
    CONSTRAINT name_id_range CHECK (id BETWEEN 1 AND 16777215),
    CONSTRAINT name_name_text CHECK (typeof(name) = 'text' AND length(name) > 0)
);

-- A world: a seed, and the settings that all its chunks are made with. Its settings, and a sweep's, are
-- the rows of src/include/portolan/settings.h: where a line has @...@, embed_schema.cmake puts a column, a
-- check or a name for each.
CREATE TABLE world (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    seed INTEGER NOT NULL,              -- unsigned 64-bit, stored as the signed number of the same bits
@columns of PTL_WORLD_SETTINGS@
    generator_version INTEGER NOT NULL, -- of the program that created the world
    content_id INTEGER NOT NULL,        -- the content that the world was made with
    created_at TEXT NOT NULL,           -- UTC, ISO 8601
    checksum INTEGER NOT NULL,
    CONSTRAINT world_name_unique UNIQUE (name),
    CONSTRAINT world_name_length CHECK (length(name) BETWEEN 1 AND 100),
@checks of PTL_WORLD_SETTINGS in world@
    CONSTRAINT world_content FOREIGN KEY (content_id) REFERENCES content (id)
);

-- One call that makes chunks. It says what happened; nothing in a world depends on it.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    command TEXT NOT NULL, -- what was asked for, for people
    started TEXT NOT NULL, -- UTC, ISO 8601
    ended TEXT,            -- NULL: still running, or killed
    chunks INTEGER,        -- written by this run
    seconds REAL,
    outcome TEXT,
    generator_version INTEGER NOT NULL,
    content_digest TEXT NOT NULL, -- of the file's content when the run began; '' if it had none
    portolan_version TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    CONSTRAINT run_outcome CHECK (outcome IN ('done', 'cancelled', 'failed')),
    CONSTRAINT run_ended CHECK ((ended IS NULL) = (outcome IS NULL)
        AND (ended IS NULL) = (chunks IS NULL) AND (ended IS NULL) = (seconds IS NULL)),
    CONSTRAINT run_world FOREIGN KEY (world_id) REFERENCES world (id)
);

-- Rows that repair could neither correct nor make again, as it found them. They are no part of any
-- world; deleting them is safe.
CREATE TABLE set_aside (
    id INTEGER PRIMARY KEY,
    found TEXT NOT NULL,        -- UTC, ISO 8601
    source_table TEXT NOT NULL, -- where the row stood
    source_key TEXT NOT NULL,   -- its primary key there, values with commas between them
    world TEXT NOT NULL,        -- name of the world that it belonged to; '' if none or not known
    x INTEGER,                  -- its chunk; NULL if none or not known
    y INTEGER,
    reason TEXT NOT NULL,
    data BLOB NOT NULL,         -- its values (format.md, "Rows set aside")
    checksum INTEGER NOT NULL,
    CONSTRAINT set_aside_place CHECK ((x IS NULL) = (y IS NULL))
);
