-- Local tides: a game calls the sea to a place for a time. The tide itself is stored nowhere.

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

CREATE VIEW v_surge AS
SELECT w.name AS world, s.x, s.y, s.begins, s.ends
FROM surge s JOIN world w ON w.id = s.world_id;
