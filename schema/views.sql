-- Views: what the tables say, in the words of people who ask. `world` is a world's name; x and y are
-- absolute OMTs, chunk_x and chunk_y the chunk.

-- Levels that hold anything else than their chunk's fill; x and y are its north-west cell.
CREATE VIEW v_level AS
SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, l.id % 32 - 10 AS z,
       length(l.omts) AS bytes, c.x * 180 AS x, c.y * 180 AS y, c.id AS chunk_id,
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

-- Cities as they came out, and where the plan has them.
CREATE VIEW v_city AS
SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, t.number, t.name,
       c.x * 180 + t.x AS x, c.y * 180 + t.y AS y, t.size,
       c.x * 180 + t.planned_x AS planned_x, c.y * 180 + t.planned_y AS planned_y
FROM city t JOIN chunk c ON c.id = t.chunk_id JOIN world w ON w.id = c.world_id;

-- Radio stations. Within the OMT, submap_x and submap_y are 0 or 1.
CREATE VIEW v_radio AS
SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, r.number,
       CASE r.weather WHEN 1 THEN 'weather' ELSE 'broadcast' END AS kind,
       coalesce(CASE r.placed WHEN 1 THEN replace(n.name, '{x}-{y}', (r.x / 2) || '-' || (r.y / 2))
                ELSE n.name END, '') AS message,
       r.frequency, r.strength, c.x * 180 + r.x / 2 AS x, c.y * 180 + r.y / 2 AS y,
       r.x % 2 AS submap_x, r.y % 2 AS submap_y
FROM radio r JOIN chunk c ON c.id = r.chunk_id JOIN world w ON w.id = c.world_id
LEFT JOIN name n ON n.id = r.message;

-- Specials as placed.
CREATE VIEW v_special AS
SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, s.id % 65536 AS number, n.name AS special,
       c.x * 180 + s.x AS x, c.y * 180 + s.y AS y, s.z, s.rotation, t.name AS city, s.draw,
       s.omts, s.city AS city_number
FROM special_placement s
JOIN chunk c ON s.id BETWEEN c.id * 65536 AND c.id * 65536 + 65535
JOIN world w ON w.id = c.world_id
JOIN name n ON n.id = s.special
LEFT JOIN city t ON t.chunk_id = c.id AND t.number = s.city;

-- What a step could not do, or did otherwise than asked; x, y, z are NULL where an event has no
-- place.
CREATE VIEW v_event AS
SELECT w.name AS world, c.x AS chunk_x, c.y AS chunk_y, e.number, e.step, e.kind,
       CASE WHEN e.x >= 0 THEN c.x * 180 + e.x END AS x,
       CASE WHEN e.x >= 0 THEN c.y * 180 + e.y END AS y,
       CASE WHEN e.x >= 0 THEN e.z END AS z, e.detail, c.run_id
FROM event e JOIN chunk c ON c.id = e.chunk_id JOIN world w ON w.id = c.world_id;

-- Every OMT of every fixed special with each location that it may lie on.
CREATE VIEW special_omt_allowed AS
SELECT t.special, t.position, t.x, t.y, t.z, t.oter, l.location
FROM special_omt t JOIN special_omt_location l ON l.special = t.special AND l.omt = t.position
UNION ALL
SELECT t.special, t.position, t.x, t.y, t.z, t.oter, l.location
FROM special_omt t JOIN special_location l ON l.special = t.special
WHERE NOT EXISTS (SELECT 1 FROM special_omt_location o
                  WHERE o.special = t.special AND o.omt = t.position);

-- Worlds with their settings, and how much is there of them. seed is a number, or beyond
-- 9223372036854775807, the largest that SQLite has, a text of its digits.
CREATE VIEW v_world AS
SELECT w.name AS world,
       CASE WHEN w.seed < 0 THEN printf('%llu', w.seed) ELSE w.seed END AS seed,
       @names of PTL_WORLD_SETTINGS in w@
       w.generator_version, o.digest AS content, w.created_at,
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

-- Sweeps with their settings and how many overmaps they have. seed_min and seed_max as seed in
-- v_world; those of negative numbers are the largest.
CREATE VIEW v_sweep AS
SELECT k.sweep,
       @names of PTL_SWEEP_SETTINGS in k@
       k.generator_version, k.content, k.created_at, k.overmaps,
       CASE WHEN k.seed_min < 0 THEN printf('%llu', k.seed_min) ELSE k.seed_min END AS seed_min,
       CASE WHEN k.seed_max < 0 THEN printf('%llu', k.seed_max) ELSE k.seed_max END AS seed_max
FROM (SELECT s.name AS sweep,
             @names of PTL_SWEEP_SETTINGS in s@
             s.generator_version, o.digest AS content, s.created_at,
             (SELECT count(*) FROM sweep_chunk c WHERE c.sweep_id = s.id) AS overmaps,
             coalesce((SELECT min(c.seed) FROM sweep_chunk c
                       WHERE c.sweep_id = s.id AND c.seed >= 0),
                      (SELECT min(c.seed) FROM sweep_chunk c WHERE c.sweep_id = s.id)) AS seed_min,
             coalesce((SELECT max(c.seed) FROM sweep_chunk c
                       WHERE c.sweep_id = s.id AND c.seed < 0),
                      (SELECT max(c.seed) FROM sweep_chunk c WHERE c.sweep_id = s.id)) AS seed_max
      FROM sweep s LEFT JOIN content o ON o.id = s.content_id) k;

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
-- file's present content; unique specials have a chance in place of a minimum and are left out, and so
-- are those that the flags of the world's region keep out (region_feature_flag).
-- why: kinds of the events in that chunk that name the special ('unmet_minimum': it was asked for
-- and found too few places); NULL: there is none. The view can't know more than that: a special is
-- not asked for at all where the overmap has no water of its kind, where the world has no cities and it
-- needs one, or where the chunk was made with other content. What the places failed on is in the packed
-- attempts. (The unary + keeps SQLite from making
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
        AND NOT EXISTS (SELECT 1 FROM special_flag f JOIN region_feature_flag r USING (flag)
                        WHERE f.special = o.id AND r.region = w.region AND r.list = 'blacklist')
        AND (NOT EXISTS (SELECT 1 FROM region_feature_flag r
                         WHERE r.region = w.region AND r.list = 'whitelist')
             OR EXISTS (SELECT 1 FROM special_flag f JOIN region_feature_flag r USING (flag)
                        WHERE f.special = o.id AND r.region = w.region AND r.list = 'whitelist'))
      GROUP BY w.name, c.x, c.y, o.id
      HAVING count(s.id) < o.occurrences_min) k;

-- Local tides; x and y are absolute tiles, 24 a side of an OMT.
CREATE VIEW v_surge AS
SELECT w.name AS world, s.x, s.y, s.begins, s.ends
FROM surge s JOIN world w ON w.id = s.world_id;

-- Edits of overmaps, with a row for each chunk that an edit touches.
CREATE VIEW v_edit AS
SELECT w.name AS world, e.number, e.x AS chunk_x, e.y AS chunk_y, e.author, e.turn, e.text,
    e.undoes, e.levels
FROM chunk_edit e JOIN world w ON w.id = e.world_id;

-- Specials that games have placed, with x, y, z of the origin as absolute OMTs.
CREATE VIEW v_placed AS
SELECT w.name AS world, p.number, p.part, p.special, p.x * 180 + p.origin_x AS x,
    p.y * 180 + p.origin_y AS y, p.origin_z AS z, p.rotation, p.omts
FROM placed_special p JOIN world w ON w.id = p.world_id;

-- What games save: notes, marks and facts that are there.
CREATE VIEW v_note AS
SELECT w.name AS world, n.viewer, n.x, n.y, n.z, n.text, n.symbol, n.colour, n.radius, n.dangerous,
    n.revision
FROM note n JOIN world w ON w.id = n.world_id WHERE n.text <> '';

CREATE VIEW v_mark AS
SELECT w.name AS world, m.viewer, m.kind, m.x AS chunk_x, m.y AS chunk_y, m.z, m.cells, m.revision
FROM mark m JOIN world w ON w.id = m.world_id WHERE m.cells > 0;

CREATE VIEW v_fact AS
SELECT w.name AS world, f.space,
    CASE f.scope WHEN 0 THEN 'world' WHEN 1 THEN 'chunk' WHEN 2 THEN 'omt' ELSE 'viewer' END
    AS scope,
    f.viewer, CASE f.scope WHEN 1 THEN f.x END AS chunk_x,
    CASE f.scope WHEN 1 THEN f.y END AS chunk_y,
    CASE f.scope WHEN 2 THEN f.x END AS x, CASE f.scope WHEN 2 THEN f.y END AS y,
    CASE f.scope WHEN 2 THEN f.z END AS z, f.name, f.size, f.revision
FROM fact f JOIN world w ON w.id = f.world_id WHERE f.value IS NOT NULL;
