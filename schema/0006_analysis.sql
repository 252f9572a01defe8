-- Analysis: sweeps, and views that answer questions without any of our functions. In all views x
-- and y are absolute OMTs; chunk_x and chunk_y name the chunk. No table of before is changed.

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

---- views of before, with absolute places

DROP VIEW v_level;
DROP VIEW v_border;
DROP VIEW v_event;

-- Levels that hold anything else than their chunk's fill; x and y are its north-west cell.
CREATE VIEW v_level AS
SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, l.id % 32 - 10 AS z,
       length(l.tiles) AS bytes, c.x * 180 AS x, c.y * 180 AS y, c.id AS chunk_id,
       l.id AS level_id
FROM level l JOIN chunk c ON c.id = l.id / 32 JOIN world w ON w.id = c.world_id;

-- What crosses the borders, one row for each crossing; x and y are its middle cell on the side of
-- the chunk that the edge is named after. An edge that nothing crosses has one row of NULLs.
CREATE VIEW v_border AS
SELECT w.name AS world, e.x AS chunk_x, e.y AS chunk_y, e.side, e.origin, k.z, k.kind, k.position,
       k.width, k.direction,
       CASE WHEN k.position IS NULL THEN NULL WHEN e.side = 'E' THEN e.x * 180 + 179
            ELSE e.x * 180 + k.position END AS x,
       CASE WHEN k.position IS NULL THEN NULL WHEN e.side = 'E' THEN e.y * 180 + k.position
            ELSE e.y * 180 + 179 END AS y
FROM edge e JOIN world w ON w.id = e.world_id LEFT JOIN crossing k ON k.edge_id = e.id;

-- What a step could not do, or did otherwise than asked; x, y, z are NULL where an event has no
-- place.
CREATE VIEW v_event AS
SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, e.number, e.step, e.kind,
       CASE WHEN e.x >= 0 THEN c.x * 180 + e.x END AS x,
       CASE WHEN e.x >= 0 THEN c.y * 180 + e.y END AS y,
       CASE WHEN e.x >= 0 THEN e.z END AS z, e.detail, c.run_id
FROM event e JOIN chunk c ON c.id = e.chunk_id JOIN world w ON w.id = c.world_id;

---- what a file holds

-- Worlds with their settings, and how much is there of them.
CREATE VIEW v_world AS
SELECT w.name AS world, w.seed, w.region, w.city_size, w.city_spacing, w.specials_density,
       w.specials_spacing, w.placement, w.railroads, w.subways, w.compat, w.scale_unique,
       w.unique_radius, w.generator_version, o.digest AS content, w.created_at,
       (SELECT count(*) FROM chunk c WHERE c.world_id = w.id) AS chunks,
       (SELECT count(*) FROM chunk c JOIN city t ON t.chunk_id = c.id
        WHERE c.world_id = w.id) AS cities,
       (SELECT count(*) FROM chunk c
        JOIN special_placement s ON s.id BETWEEN c.id * 65536 AND c.id * 65536 + 65535
        WHERE c.world_id = w.id) AS specials
FROM world w LEFT JOIN content o ON o.id = w.content_id;

-- Chunks: where from, how far generated ('' is complete), with what content, by which run. x and
-- y are the north-west cell.
CREATE VIEW v_chunk AS
SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, c.x * 180 AS x, c.y * 180 AS y, c.origin,
       c.last_step, c.generator_version, o.digest AS content, c.run_id AS run, c.id AS chunk_id
FROM chunk c JOIN world w ON w.id = c.world_id LEFT JOIN content o ON o.id = c.content_id;

-- Edges; what crosses them is in v_border. x and y are the first cell along the edge, on the side
-- of the chunk that it is named after.
CREATE VIEW v_edge AS
SELECT w.name AS world, e.x AS chunk_x, e.y AS chunk_y, e.side, e.origin,
       e.x * 180 + CASE e.side WHEN 'E' THEN 179 ELSE 0 END AS x,
       e.y * 180 + CASE e.side WHEN 'E' THEN 0 ELSE 179 END AS y,
       (SELECT count(*) FROM crossing k WHERE k.edge_id = e.id) AS crossings,
       e.generator_version, o.digest AS content, e.run_id AS run
FROM edge e JOIN world w ON w.id = e.world_id LEFT JOIN content o ON o.id = e.content_id;

-- Calls that made chunks.
CREATE VIEW v_run AS
SELECT w.name AS world, r.id AS run, r.command, r.started, r.ended, r.chunks, r.seconds,
       r.outcome, r.generator_version, r.content_digest AS content, r.portolan_version
FROM run r JOIN world w ON w.id = r.world_id;

-- Sweeps with their settings and how many overmaps they have. seed_min and seed_max are of signed
-- seeds.
CREATE VIEW v_sweep AS
SELECT s.name AS sweep, s.region, s.city_size, s.city_spacing, s.specials_density,
       s.specials_spacing, s.placement, s.railroads, s.subways, s.compat, s.scale_unique,
       s.unique_radius, s.generator_version, o.digest AS content, s.created_at,
       (SELECT count(*) FROM sweep_chunk k WHERE k.sweep_id = s.id) AS overmaps,
       (SELECT min(k.seed) FROM sweep_chunk k WHERE k.sweep_id = s.id) AS seed_min,
       (SELECT max(k.seed) FROM sweep_chunk k WHERE k.sweep_id = s.id) AS seed_max
FROM sweep s LEFT JOIN content o ON o.id = s.content_id;

---- how often specials are there

-- Specials of each kind in each chunk, however they came there. A special that a chunk has none of
-- has no row.
CREATE VIEW v_special_count AS
SELECT k.world, k.chunk_x, k.chunk_y, n.name AS special, k.placed
FROM (SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, s.special AS number,
             count(*) AS placed
      FROM world w JOIN chunk c ON c.world_id = w.id
      CROSS JOIN special_placement s ON s.id BETWEEN c.id * 65536 AND c.id * 65536 + 65535
      GROUP BY w.name, c.x, c.y, s.special) k
JOIN name n ON n.id = k.number;

-- How often specials are in a world's overmaps: those that Portolan generated, all steps of them. A
-- row for each special that the file's present content asks for, also if there is none, and for
-- each other one that is there: nested in others, or of another content (its numbers are NULL
-- then). is_unique: at most one in an overmap; is_globally_unique: at most one in the world.
-- stated: of a unique one the share of overmaps that its occurrences say (min in max); the world's
-- scale_unique would change it. The view can't know in how many overmaps a special had a chance:
-- water, cities, its region and other specials decide that (see v_special_missing).
CREATE VIEW v_special_rate AS
SELECT r.world, r.special, m.overmaps, r.placed, 1.0 * r.placed / m.overmaps AS per_overmap,
       m.overmaps - r.overmaps_with AS overmaps_without,
       1.0 - 1.0 * r.overmaps_with / m.overmaps AS share_without,
       CASE WHEN o.id IS NULL THEN NULL ELSE EXISTS (SELECT 1 FROM special_flag f
            WHERE f.special = r.special AND f.flag IN ('UNIQUE', 'OVERMAP_UNIQUE'))
       END AS is_unique,
       CASE WHEN o.id IS NULL THEN NULL ELSE EXISTS (SELECT 1 FROM special_flag f
            WHERE f.special = r.special AND f.flag = 'GLOBALLY_UNIQUE')
       END AS is_globally_unique,
       o.occurrences_min, o.occurrences_max,
       CASE WHEN o.occurrences_max > 0 AND EXISTS (SELECT 1 FROM special_flag f
                WHERE f.special = r.special AND f.flag IN ('UNIQUE', 'OVERMAP_UNIQUE'))
            AND NOT EXISTS (SELECT 1 FROM special_flag f
                WHERE f.special = r.special AND f.flag = 'GLOBALLY_UNIQUE')
            THEN min(1.0, max(0.0, 1.0 * o.occurrences_min / o.occurrences_max))
       END AS stated
FROM (SELECT b.world, b.special, sum(b.placed) AS placed, sum(b.overmaps) AS overmaps_with
      FROM (SELECT k.world, n.name AS special, sum(k.placed) AS placed, count(*) AS overmaps
            FROM (SELECT w.name AS world, s.special AS number, count(*) AS placed
                  FROM world w JOIN chunk c ON c.world_id = w.id
                  CROSS JOIN special_placement s
                      ON s.id BETWEEN c.id * 65536 AND c.id * 65536 + 65535
                  WHERE c.origin = 'generated' AND c.last_step = ''
                  GROUP BY w.name, c.id, s.special) k
            JOIN name n ON n.id = k.number GROUP BY k.world, k.number
            UNION ALL
            SELECT w.name, o.id, 0, 0 FROM world w JOIN overmap_special o
            WHERE o.occurrences_max > 0 AND o.occurrences_min <= o.occurrences_max) b
      GROUP BY b.world, b.special) r
JOIN (SELECT w.name AS world, count(*) AS overmaps
      FROM world w JOIN chunk c ON c.world_id = w.id
      WHERE c.origin = 'generated' AND c.last_step = '' GROUP BY w.name) m ON m.world = r.world
LEFT JOIN overmap_special o ON o.id = r.special;

-- Overmaps (generated, all steps) that have fewer of a special than its occurrences_min, by the
-- file's present content; unique specials have a chance in place of a minimum and are left out.
-- why: kinds of the events in that chunk that name the special ('unmet_minimum': it was asked for
-- and found too few places); NULL: there is none. The view can't know more than that: a special is
-- not asked for at all where the region's flags keep it out, where the overmap has no water of its
-- kind, where the world has no cities and it needs one, or where the chunk was made with other
-- content. What the places failed on is in the packed attempts. (The unary + keeps SQLite from making
-- an index over all specials on the fly.)
CREATE VIEW v_special_missing AS
SELECT k.world, k.chunk_x, k.chunk_y, k.special, k.placed, k.occurrences_min,
       (SELECT group_concat(DISTINCT e.kind) FROM event e
        WHERE e.chunk_id = k.chunk_id AND e.detail = k.special) AS why
FROM (SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, c.id AS chunk_id, o.id AS special,
             count(s.id) AS placed, o.occurrences_min
      FROM world w JOIN chunk c ON c.world_id = w.id
      CROSS JOIN overmap_special o LEFT JOIN name n ON n.name = o.id
      LEFT JOIN special_placement s ON s.id BETWEEN c.id * 65536 AND c.id * 65536 + 65535
          AND +s.special = n.id
      WHERE c.origin = 'generated' AND c.last_step = ''
        AND o.occurrences_min > 0 AND o.occurrences_min <= o.occurrences_max
        AND NOT EXISTS (SELECT 1 FROM special_flag f WHERE f.special = o.id
                        AND f.flag IN ('UNIQUE', 'OVERMAP_UNIQUE', 'GLOBALLY_UNIQUE'))
      GROUP BY w.name, c.x, c.y, o.id
      HAVING count(s.id) < o.occurrences_min) k;
