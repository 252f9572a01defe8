-- Sweeps: many overmaps, each made from a seed of its own, of which only counts are kept.

-- Many overmaps, made for what they come to alone: no OMTs, no world. Settings as in `world`,
-- but for those of local maps; each overmap has its own seed.
CREATE TABLE sweep (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
@columns of PTL_SWEEP_SETTINGS@
    generator_version INTEGER NOT NULL, -- of the program that makes its overmaps
    content_id INTEGER NOT NULL,        -- the content that they are made with
    created_at TEXT NOT NULL,           -- UTC, ISO 8601
    checksum INTEGER NOT NULL,
    CONSTRAINT sweep_name_unique UNIQUE (name),
    CONSTRAINT sweep_name_length CHECK (length(name) BETWEEN 1 AND 100),
@checks of PTL_SWEEP_SETTINGS in sweep@
    CONSTRAINT sweep_content FOREIGN KEY (content_id) REFERENCES content (id)
);

-- One overmap of a sweep, as counts. The blobs are packs (format.md, "Packs"), X'' where there is
-- nothing to count. Portolan's own queries see them as virtual tables.
CREATE TABLE sweep_chunk (
    id INTEGER PRIMARY KEY,
    sweep_id INTEGER NOT NULL,
    seed INTEGER NOT NULL,    -- unsigned 64-bit, as in `world`
    x INTEGER NOT NULL,       -- in chunks, as the next one
    y INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    specials BLOB NOT NULL,   -- what became of each special that was asked for
    places BLOB NOT NULL,     -- where each one stands, and how far from what
    terrains BLOB NOT NULL,   -- cells of each terrain on each level
    cities BLOB NOT NULL,
    buildings BLOB NOT NULL,  -- of each kind, by the size of their city
    lines BLOB NOT NULL,      -- cells of each connection
    waters BLOB NOT NULL,     -- lakes and rivers, by their sizes
    baseline BLOB NOT NULL,   -- how far any cell of land lies from a city, from a road
    CONSTRAINT sweep_chunk_place_unique UNIQUE (sweep_id, seed, x, y),
    CONSTRAINT sweep_chunk_x CHECK (x BETWEEN -4194304 AND 4194304),
    CONSTRAINT sweep_chunk_y CHECK (y BETWEEN -4194304 AND 4194304),
    CONSTRAINT sweep_chunk_sweep FOREIGN KEY (sweep_id) REFERENCES sweep (id)
);
