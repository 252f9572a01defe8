-- Reading: contents that worlds were made with, kept when another content takes their place; and
-- seeds as the unsigned numbers that they are.

-- Definitions of contents that the file held before and that worlds, chunks or sweeps were made
-- with: what the tables of 0003 and 0004 held then, as far as a world is read or made by it. Importing
-- another content writes them; importing that content again removes them.
CREATE TABLE content_past (
    id INTEGER PRIMARY KEY,
    content_id INTEGER NOT NULL, -- never the current one
    name TEXT NOT NULL,          -- of the table
    row_count INTEGER NOT NULL,
    size INTEGER NOT NULL,       -- bytes of the rows, not compressed
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL,          -- its rows (format.md, "Contents of before")
    CONSTRAINT content_past_unique UNIQUE (content_id, name),
    CONSTRAINT content_past_rows CHECK (row_count >= 0 AND size >= 0),
    CONSTRAINT content_past_content FOREIGN KEY (content_id) REFERENCES content (id)
);

---- views of before, with seeds as they are given

DROP VIEW v_world;
DROP VIEW v_sweep;

-- Worlds with their settings, and how much is there of them. seed is a number, or beyond
-- 9223372036854775807, the largest that SQLite has, a text of its digits.
CREATE VIEW v_world AS
SELECT w.name AS world,
       CASE WHEN w.seed < 0 THEN printf('%llu', w.seed) ELSE w.seed END AS seed,
       w.region, w.city_size, w.city_spacing, w.specials_density,
       w.specials_spacing, w.placement, w.railroads, w.subways, w.compat, w.scale_unique,
       w.unique_radius, w.generator_version, o.digest AS content, w.created_at,
       (SELECT count(*) FROM chunk c WHERE c.world_id = w.id) AS chunks,
       (SELECT count(*) FROM chunk c JOIN city t ON t.chunk_id = c.id
        WHERE c.world_id = w.id) AS cities,
       (SELECT count(*) FROM chunk c
        JOIN special_placement s ON s.id BETWEEN c.id * 65536 AND c.id * 65536 + 65535
        WHERE c.world_id = w.id) AS specials
FROM world w LEFT JOIN content o ON o.id = w.content_id;

-- Sweeps with their settings and how many overmaps they have. seed_min and seed_max as seed in
-- v_world; those of negative numbers are the largest.
CREATE VIEW v_sweep AS
SELECT k.sweep, k.region, k.city_size, k.city_spacing, k.specials_density, k.specials_spacing,
       k.placement, k.railroads, k.subways, k.compat, k.scale_unique, k.unique_radius,
       k.generator_version, k.content, k.created_at, k.overmaps,
       CASE WHEN k.seed_min < 0 THEN printf('%llu', k.seed_min) ELSE k.seed_min END AS seed_min,
       CASE WHEN k.seed_max < 0 THEN printf('%llu', k.seed_max) ELSE k.seed_max END AS seed_max
FROM (SELECT s.name AS sweep, s.region, s.city_size, s.city_spacing, s.specials_density,
             s.specials_spacing, s.placement, s.railroads, s.subways, s.compat, s.scale_unique,
             s.unique_radius, s.generator_version, o.digest AS content, s.created_at,
             (SELECT count(*) FROM sweep_chunk c WHERE c.sweep_id = s.id) AS overmaps,
             coalesce((SELECT min(c.seed) FROM sweep_chunk c
                       WHERE c.sweep_id = s.id AND c.seed >= 0),
                      (SELECT min(c.seed) FROM sweep_chunk c WHERE c.sweep_id = s.id)) AS seed_min,
             coalesce((SELECT max(c.seed) FROM sweep_chunk c
                       WHERE c.sweep_id = s.id AND c.seed < 0),
                      (SELECT max(c.seed) FROM sweep_chunk c WHERE c.sweep_id = s.id)) AS seed_max
      FROM sweep s LEFT JOIN content o ON o.id = s.content_id) k;
