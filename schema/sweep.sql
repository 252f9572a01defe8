-- Sweeps: many overmaps, each made from a seed of its own, of which only counts are kept.

-- Many overmaps, made for what they come to alone: no tiles, no world. Settings as in `world`,
-- but each overmap has its own seed.
CREATE TABLE sweep (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    region TEXT NOT NULL,
    city_size INTEGER NOT NULL,
    city_spacing INTEGER NOT NULL,
    specials_density REAL NOT NULL,
    specials_spacing INTEGER NOT NULL,
    placement TEXT NOT NULL,
    railroads INTEGER NOT NULL,
    subways INTEGER NOT NULL,
    compat INTEGER NOT NULL,
    scale_unique INTEGER NOT NULL,
    unique_radius INTEGER NOT NULL,
    generator_version INTEGER NOT NULL, -- of the program that makes its overmaps
    content_id INTEGER NOT NULL,        -- the content that they are made with
    created_at TEXT NOT NULL,           -- UTC, ISO 8601
    checksum INTEGER NOT NULL,
    CONSTRAINT sweep_name_unique UNIQUE (name),
    CONSTRAINT sweep_name_length CHECK (length(name) BETWEEN 1 AND 100),
    CONSTRAINT sweep_city_size CHECK (city_size BETWEEN 0 AND 16),
    CONSTRAINT sweep_city_spacing CHECK (city_spacing BETWEEN 0 AND 8),
    CONSTRAINT sweep_specials_density CHECK (specials_density BETWEEN 0.01 AND 10),
    CONSTRAINT sweep_specials_spacing CHECK (specials_spacing BETWEEN -1 AND 72),
    CONSTRAINT sweep_placement CHECK (placement IN ('quota', 'sectors')),
    CONSTRAINT sweep_railroads CHECK (railroads IN (0, 1)),
    CONSTRAINT sweep_subways CHECK (subways IN (0, 1)),
    CONSTRAINT sweep_compat CHECK (compat IN (0, 1)),
    CONSTRAINT sweep_scale_unique CHECK (scale_unique IN (0, 1)),
    CONSTRAINT sweep_unique_radius CHECK (unique_radius BETWEEN 0 AND 1000),
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
