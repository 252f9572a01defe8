-- Local maps: what lies inside one OMT, made at the first visit and kept for ever; and local tides.

-- One OMT's map: 24 x 24 tiles, and what stands on them. The blobs are packs and a stream of texts
-- (format.md, "Local maps"); X'' where there is nothing.
CREATE TABLE omt_map (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    x INTEGER NOT NULL,                 -- absolute OMTs
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    revision INTEGER NOT NULL,          -- from 1; each writing adds 1
    turn INTEGER NOT NULL,              -- the game's turn for which it was made
    edited INTEGER NOT NULL,            -- 1: a game has written it; it is never made anew
    fallback INTEGER NOT NULL,          -- 1: the terrain had no mapgen that could be run
    oter INTEGER NOT NULL,              -- number of table oter: the terrain that it was made for
    generator_version INTEGER NOT NULL,
    content_id INTEGER NOT NULL,        -- the content that it was made with
    checksum INTEGER NOT NULL,
    tiles BLOB NOT NULL,                -- terrain, furniture, trap, radiation
    things BLOB NOT NULL,               -- items, monsters, vehicles, fields, ...
    texts BLOB NOT NULL,                -- what signs say, and what games add
    CONSTRAINT omt_map_place_unique UNIQUE (world_id, x, y, z),
    CONSTRAINT omt_map_x CHECK (x BETWEEN -754974720 AND 754974899),
    CONSTRAINT omt_map_y CHECK (y BETWEEN -754974720 AND 754974899),
    CONSTRAINT omt_map_z CHECK (z BETWEEN -10 AND 10),
    CONSTRAINT omt_map_revision CHECK (revision > 0),
    CONSTRAINT omt_map_turn CHECK (turn >= 0),
    CONSTRAINT omt_map_edited CHECK (edited IN (0, 1)),
    CONSTRAINT omt_map_fallback CHECK (fallback IN (0, 1)),
    CONSTRAINT omt_map_world FOREIGN KEY (world_id) REFERENCES world (id),
    CONSTRAINT omt_map_content FOREIGN KEY (content_id) REFERENCES content (id)
);

-- Heights and spills of a stored map of level 0 whose OMT is coast (format.md, "Spills"). They are what the
-- world's seed and what stands there and around give, no more; where a map has no row they are found when
-- they are asked for.
CREATE TABLE omt_spill (
    id INTEGER PRIMARY KEY, -- omt_map.id
    checksum INTEGER NOT NULL,
    spills BLOB NOT NULL,
    CONSTRAINT omt_spill_id CHECK (id >= 1)
);

-- The water within 8 tiles of a place stands higher while it lasts (shoals.md, "Local tides").
CREATE TABLE surge (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    x INTEGER NOT NULL,      -- absolute tiles of level 0, 24 a side of an OMT
    y INTEGER NOT NULL,
    begins INTEGER NOT NULL, -- the game's turn
    ends INTEGER NOT NULL,   -- the first turn at which it is over
    checksum INTEGER NOT NULL,
    CONSTRAINT surge_place_unique UNIQUE (world_id, x, y, begins),
    CONSTRAINT surge_x CHECK (x BETWEEN -18119393280 AND 18119397599),
    CONSTRAINT surge_y CHECK (y BETWEEN -18119393280 AND 18119397599),
    CONSTRAINT surge_begins CHECK (begins >= 0),
    CONSTRAINT surge_ends CHECK (ends > begins),
    CONSTRAINT surge_world FOREIGN KEY (world_id) REFERENCES world (id)
);
