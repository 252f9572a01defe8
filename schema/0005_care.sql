-- Care: what repair set aside, and checksums over the tables of definitions.

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

-- One row for each table of content and definitions: a checksum over all of that table's rows
-- (format.md, "Checksums"). Importing writes them.
CREATE TABLE content_checksum (
    name TEXT PRIMARY KEY, -- of the table
    row_count INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    CONSTRAINT content_checksum_rows CHECK (row_count >= 0)
) WITHOUT ROWID;
