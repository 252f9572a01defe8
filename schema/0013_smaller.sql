-- Smaller files: what the file had twice.

-- As in 0001, without an index over the names: each took as many bytes as its row. Who writes has
-- all names in memory, where none is twice, as does who reads them; 'verify' looks for two.
ALTER TABLE oter RENAME TO moved;
CREATE TABLE oter (
    id INTEGER PRIMARY KEY, -- from 1 without gaps; never changed or reused
    name TEXT NOT NULL,     -- e.g. 'road_ns'; none twice
    checksum INTEGER NOT NULL,
    CONSTRAINT oter_id_range CHECK (id BETWEEN 1 AND 16777215),
    CONSTRAINT oter_name_text CHECK (typeof(name) = 'text' AND length(name) BETWEEN 1 AND 1000)
);
INSERT INTO oter SELECT * FROM moved;
DROP TABLE moved;

-- Likewise. (Views name this one, and renaming it would change them.)
CREATE TEMP TABLE moved AS SELECT * FROM name;
DROP TABLE name;
CREATE TABLE name (
    id INTEGER PRIMARY KEY, -- from 1 without gaps; never changed or reused
    name TEXT NOT NULL,     -- e.g. 'house_two_story_basement'; none twice
    checksum INTEGER NOT NULL,
    CONSTRAINT name_id_range CHECK (id BETWEEN 1 AND 16777215),
    CONSTRAINT name_name_text CHECK (typeof(name) = 'text' AND length(name) > 0)
);
INSERT INTO name SELECT * FROM moved;
DROP TABLE moved;
