-- Makes a world file one of an older schema, which never was: what 9999_made.sql brings is taken away.
BEGIN;
DROP VIEW v_surge;
DROP TABLE omt_spill;
ALTER TABLE surge RENAME TO moved;
CREATE TABLE surge (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    begins INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    CONSTRAINT surge_place_unique UNIQUE (world_id, x, y, begins),
    CONSTRAINT surge_x CHECK (x BETWEEN -18119393280 AND 18119397599),
    CONSTRAINT surge_y CHECK (y BETWEEN -18119393280 AND 18119397599),
    CONSTRAINT surge_begins CHECK (begins >= 0),
    CONSTRAINT surge_world FOREIGN KEY (world_id) REFERENCES world (id)
);
INSERT INTO surge SELECT * FROM moved;
DROP TABLE moved;
PRAGMA user_version = 9998;
COMMIT;
