-- Imported content: which contents the file has held, and the objects kept as they stand.
-- One content is current. Rows of content and content_pack stay for as long as the file, since
-- worlds and chunks name the content that made them; all other tables here, and the
-- definitions of 0003, hold the current content alone.

CREATE TABLE content (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,           -- BLAKE2b-256 over the objects, hex
    is_current INTEGER NOT NULL,    -- 1 for one row, 0 for the others
    imported_at TEXT NOT NULL,      -- UTC, ISO 8601; of the last import of this content
    portolan_version TEXT NOT NULL, -- of the program that imported it
    lenient INTEGER NOT NULL,       -- 1: unresolved references were left out
    file_count INTEGER NOT NULL,
    object_count INTEGER NOT NULL,
    byte_count INTEGER NOT NULL,    -- of the JSON files
    CONSTRAINT content_digest_unique UNIQUE (digest),
    CONSTRAINT content_digest_hex CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
    CONSTRAINT content_is_current CHECK (is_current IN (0, 1)),
    CONSTRAINT content_lenient CHECK (lenient IN (0, 1))
);
CREATE UNIQUE INDEX content_current ON content (is_current) WHERE is_current = 1;

-- The base and the mods, in the order in which they were read.
CREATE TABLE content_pack (
    content_id INTEGER NOT NULL,
    position INTEGER NOT NULL, -- from 0; later ones redefine the objects of earlier ones
    id TEXT NOT NULL,          -- MOD_INFO id, or the directory's base name
    name TEXT NOT NULL,
    directory TEXT NOT NULL,   -- as given; '' for the built-in pack
    file_count INTEGER NOT NULL,
    object_count INTEGER NOT NULL,
    PRIMARY KEY (content_id, position),
    CONSTRAINT content_pack_content FOREIGN KEY (content_id) REFERENCES content (id)
) WITHOUT ROWID;

-- What the import remarked on: unresolved references (lenient only) and other warnings.
CREATE TABLE content_issue (
    id INTEGER PRIMARY KEY, -- in the order of the report
    content_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,   -- from 1; 0 where unknown
    "column" INTEGER NOT NULL, -- in bytes from 1; 0 where unknown
    object_type TEXT NOT NULL, -- '' where none applies, as for the next
    object_id TEXT NOT NULL,
    message TEXT NOT NULL,
    CONSTRAINT content_issue_kind CHECK (kind IN ('unresolved', 'warning')),
    CONSTRAINT content_issue_content FOREIGN KEY (content_id) REFERENCES content (id)
);

-- Objects by type, and what the import did with them: read into tables of their own (and kept
-- as well), kept only, or skipped.
CREATE TABLE content_type_count (
    content_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    objects INTEGER NOT NULL,
    treatment TEXT NOT NULL,
    PRIMARY KEY (content_id, type),
    CONSTRAINT content_type_count_treatment CHECK (treatment IN ('table', 'kept', 'skipped')),
    CONSTRAINT content_type_count_content FOREIGN KEY (content_id) REFERENCES content (id)
) WITHOUT ROWID;

-- The texts of a file's kept objects, one after the other, in one zstd frame. Comments that
-- stood inside arrays are blanked, so that each text is strict JSON; else they are unchanged.
CREATE TABLE kept_file (
    id INTEGER PRIMARY KEY, -- in the order of the import
    content_id INTEGER NOT NULL,
    pack INTEGER NOT NULL,  -- content_pack.position
    path TEXT NOT NULL,
    size INTEGER NOT NULL,  -- of the texts, not compressed
    texts BLOB NOT NULL,
    CONSTRAINT kept_file_pack FOREIGN KEY (content_id, pack)
        REFERENCES content_pack (content_id, position)
);

CREATE TABLE kept_object (
    id INTEGER PRIMARY KEY, -- in the order of the import: later ones redefine earlier ones
    file_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    start INTEGER NOT NULL, -- byte offset in the file's texts
    size INTEGER NOT NULL,  -- bytes
    line INTEGER NOT NULL,  -- in the JSON file, from 1
    CONSTRAINT kept_object_file FOREIGN KEY (file_id) REFERENCES kept_file (id)
);

-- What a kept object is called. Several rows where it has a list of ids; none where it has none.
CREATE TABLE kept_name (
    name TEXT NOT NULL,
    object_id INTEGER NOT NULL,
    key TEXT NOT NULL, -- 'id', 'abstract', 'om_terrain', 'nested_mapgen_id', ...
    PRIMARY KEY (name, object_id, key),
    CONSTRAINT kept_name_object FOREIGN KEY (object_id) REFERENCES kept_object (id)
) WITHOUT ROWID;
