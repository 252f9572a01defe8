-- A migration as they will be, from a schema that back.sql makes: a table is made anew with another text,
-- rows are written, a table and a view come. Their texts must be those of schema/, letter by letter.

ALTER TABLE surge RENAME TO moved;
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
INSERT INTO surge SELECT * FROM moved;
DROP TABLE moved;

CREATE TABLE omt_spill (
    id INTEGER PRIMARY KEY, -- omt_map.id
    checksum INTEGER NOT NULL,
    spills BLOB NOT NULL,
    CONSTRAINT omt_spill_id CHECK (id >= 1)
);

CREATE VIEW v_surge AS
SELECT w.name AS world, s.x, s.y, s.begins, s.ends
FROM surge s JOIN world w ON w.id = s.world_id;

UPDATE level SET omts = omts;
