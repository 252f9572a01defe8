-- What saves need: ids of before, and what local maps and monsters of the sea will; and by which
-- schema a content was imported, so that one of before can be filled up.

-- The schema of the program that imported a content. No row: one of before 10. What is older than
-- this file's schema has nothing in the tables that came since; importing the same again fills them.
CREATE TABLE content_schema (
    content_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    CONSTRAINT content_schema_pk PRIMARY KEY (content_id),
    CONSTRAINT content_schema_content FOREIGN KEY (content_id) REFERENCES content (id)
) WITHOUT ROWID;

-- Ids of terrains that a game has given up: what they mean in a save. The last pair of an id counts.
CREATE TABLE oter_migration (
    old_id TEXT NOT NULL,
    new_id TEXT NOT NULL,   -- as the pair has it
    final_id TEXT NOT NULL, -- at the end of the chain of pairs; old_id: it stays
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT oter_migration_pk PRIMARY KEY (old_id)
) WITHOUT ROWID;

-- The same of specials.
CREATE TABLE special_migration (
    old_id TEXT NOT NULL,
    new_id TEXT,   -- NULL: it is gone, and its tiles stay
    final_id TEXT, -- NULL: gone in the end
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT special_migration_pk PRIMARY KEY (old_id)
) WITHOUT ROWID;

-- How terrains look from afar: overmap_terrain.vision_levels.
CREATE TABLE oter_vision (
    id TEXT NOT NULL,
    levels TEXT NOT NULL, -- JSON list of at most 3 objects: vague, outlines, details
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT oter_vision_pk PRIMARY KEY (id)
) WITHOUT ROWID;

-- Monster groups: of how many the chances are. What is in them is kept as text (kept_object).
CREATE TABLE monstergroup (
    id TEXT NOT NULL,
    entries INTEGER NOT NULL,  -- of all definitions that extend each other
    freq_sum INTEGER NOT NULL, -- of the entries' freq (weight in today's games; 1 if not given)
    freq_total INTEGER,        -- as stated; NULL if nothing states it: freq_sum today, 1000 in 0.F
    file TEXT NOT NULL,        -- of the last definition
    line INTEGER NOT NULL,
    CONSTRAINT monstergroup_pk PRIMARY KEY (id)
) WITHOUT ROWID;
