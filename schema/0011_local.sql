-- Local maps: what lies inside one OMT, made at the first visit and kept for ever.

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

-- As in 0001, with room for another kind: predecessors (format.md, "Packs").
ALTER TABLE pack RENAME TO moved;
CREATE TABLE pack (
    id INTEGER PRIMARY KEY, -- chunk.id * 8 + kind (format.md, "Packs"); no row: none
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL,     -- format.md, "Packs"
    CONSTRAINT pack_id CHECK (id >= 8 AND id % 8 <= 5)
);
INSERT INTO pack SELECT * FROM moved;
DROP TABLE moved;

-- Each chunk's ground as seen from far away: 8 x 8 cells of level 0, so that maps of thousands of
-- chunks need not decode them (format.md, "Overviews"). It is what its levels give, no more.
CREATE TABLE overview (
    id INTEGER PRIMARY KEY, -- chunk.id
    checksum INTEGER NOT NULL,
    cells BLOB NOT NULL,
    CONSTRAINT overview_id CHECK (id >= 1),
    CONSTRAINT overview_cells CHECK (length(cells) BETWEEN 2 AND 100)
);
