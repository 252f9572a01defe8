-- Chunks: overmaps with what stands on them, and the edges between them.

-- One overmap: 180 x 180 cells on 21 levels.
CREATE TABLE chunk (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    x INTEGER NOT NULL,               -- in chunks, to the east
    y INTEGER NOT NULL,               -- in chunks, to the south
    level_mask INTEGER NOT NULL,      -- bit z + 10: level z has a row in `level`
    fill BLOB NOT NULL,               -- what the levels without a row hold (format.md, "Fill")
    generator_version INTEGER NOT NULL,
    content_id INTEGER NOT NULL,      -- the content that the chunk was made with
    last_step TEXT NOT NULL,          -- '' if all steps ran, else the last one that did
    run_id INTEGER NOT NULL,          -- the run that wrote it
    omt_digest BLOB NOT NULL,        -- canonical digest of the OMTs (format.md, "Digests")
    levels_checksum INTEGER NOT NULL, -- over the checksums of its rows in `level`
    origin TEXT NOT NULL,             -- 'generated', or 'imported' from a game's save
    feature_digest BLOB NOT NULL,     -- canonical digest of its cities, radios, specials, packs
    features_checksum INTEGER NOT NULL, -- over its rows in those tables
    checksum INTEGER NOT NULL,
    CONSTRAINT chunk_place_unique UNIQUE (world_id, x, y),
    CONSTRAINT chunk_x CHECK (x BETWEEN -4194304 AND 4194304),
    CONSTRAINT chunk_y CHECK (y BETWEEN -4194304 AND 4194304),
    CONSTRAINT chunk_level_mask CHECK (level_mask BETWEEN 0 AND 2097151),
    CONSTRAINT chunk_omt_digest CHECK (length(omt_digest) = 32),
    CONSTRAINT chunk_origin CHECK (origin IN ('generated', 'imported')),
    CONSTRAINT chunk_feature_digest CHECK (length(feature_digest) = 32),
    CONSTRAINT chunk_world FOREIGN KEY (world_id) REFERENCES world (id),
    CONSTRAINT chunk_content FOREIGN KEY (content_id) REFERENCES content (id),
    CONSTRAINT chunk_run FOREIGN KEY (run_id) REFERENCES run (id)
);

-- The levels that hold anything else than their chunk's fill.
CREATE TABLE level (
    id INTEGER PRIMARY KEY, -- chunk.id * 32 + z + 10
    checksum INTEGER NOT NULL,
    omts BLOB NOT NULL,     -- format.md, "Level blobs"
    CONSTRAINT level_id CHECK (id >= 32 AND id % 32 <= 20)
);

-- Each chunk's ground as seen from far away: 8 x 8 cells of level 0, so that maps of thousands of
-- chunks need not decode them (format.md, "Overviews"). It is what its levels give, no more.
CREATE TABLE overview (
    id INTEGER PRIMARY KEY, -- chunk.id
    checksum INTEGER NOT NULL,
    cells BLOB NOT NULL,
    CONSTRAINT overview_id CHECK (id >= 1),
    CONSTRAINT overview_cells CHECK (length(cells) BETWEEN 2 AND 100)
);

-- Cities as they came out. (Rows are written before their chunk's, which holds a checksum over
-- them: so they need none of their own, and the keys are deferred.)
CREATE TABLE city (
    chunk_id INTEGER NOT NULL,
    number INTEGER NOT NULL,    -- from 0; buildings name their city by it
    name TEXT NOT NULL,         -- '' if the content has no names
    x INTEGER NOT NULL,         -- its centre, chunk-local OMTs
    y INTEGER NOT NULL,
    size INTEGER NOT NULL,      -- nominal radius in OMTs
    planned_x INTEGER NOT NULL, -- where the plan has its site; a river may have moved it
    planned_y INTEGER NOT NULL,
    CONSTRAINT city_pk PRIMARY KEY (chunk_id, number),
    CONSTRAINT city_number CHECK (number >= 0),
    CONSTRAINT city_name CHECK (typeof(name) = 'text'),
    CONSTRAINT city_place CHECK (x BETWEEN 0 AND 179 AND y BETWEEN 0 AND 179),
    CONSTRAINT city_size CHECK (size BETWEEN 1 AND 32767),
    CONSTRAINT city_planned CHECK (planned_x BETWEEN 0 AND 179 AND planned_y BETWEEN 0 AND 179),
    CONSTRAINT city_chunk FOREIGN KEY (chunk_id) REFERENCES chunk (id)
        DEFERRABLE INITIALLY DEFERRED
) WITHOUT ROWID;

-- Radio stations.
CREATE TABLE radio (
    chunk_id INTEGER NOT NULL,
    number INTEGER NOT NULL,    -- from 0
    x INTEGER NOT NULL,         -- chunk-local submaps, 2 to an OMT
    y INTEGER NOT NULL,
    strength INTEGER NOT NULL,
    weather INTEGER NOT NULL,   -- 1: the game makes up what it says; 0: a broadcast
    frequency INTEGER NOT NULL,
    message INTEGER,            -- what it says: a number of table `name`; NULL: nothing
    placed INTEGER NOT NULL,    -- 1: '{x}-{y}' in the message stands for its place in OMTs
    CONSTRAINT radio_pk PRIMARY KEY (chunk_id, number),
    CONSTRAINT radio_number CHECK (number >= 0),
    CONSTRAINT radio_place CHECK (x BETWEEN 0 AND 359 AND y BETWEEN 0 AND 359),
    CONSTRAINT radio_strength CHECK (strength BETWEEN 0 AND 32767),
    CONSTRAINT radio_weather CHECK (weather IN (0, 1)),
    CONSTRAINT radio_frequency CHECK (frequency BETWEEN 0 AND 2147483647),
    CONSTRAINT radio_placed CHECK (placed IN (0, 1)),
    CONSTRAINT radio_chunk FOREIGN KEY (chunk_id) REFERENCES chunk (id)
        DEFERRABLE INITIALLY DEFERRED
) WITHOUT ROWID;

-- Specials as placed. Buildings of cities are packed. There are 160 to a chunk, so every byte and
-- every key counts here; v_special is the table for people.
CREATE TABLE special_placement (
    id INTEGER PRIMARY KEY,    -- chunk.id * 65536 + number, from 0 in its chunk: pieces and joins
                               -- name their special by the number
    special INTEGER NOT NULL,  -- its id: a number of table `name`, as in packs
    x INTEGER NOT NULL,        -- its origin, chunk-local OMTs; need not be one of its OMTs
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    rotation INTEGER NOT NULL, -- 0..3 = N, E, S, W
    city INTEGER,              -- number of the city that it belongs to; NULL: none
    draw INTEGER NOT NULL,     -- of a mutable one: which growth succeeded there, from 0
    omts INTEGER NOT NULL,     -- that it has, with what a blob spread
    CONSTRAINT special_placement_id CHECK (id >= 65536),
    CONSTRAINT special_placement_place CHECK (x BETWEEN -180 AND 359 AND y BETWEEN -180 AND 359
        AND z BETWEEN -10 AND 10),
    CONSTRAINT special_placement_rotation CHECK (rotation BETWEEN 0 AND 3),
    CONSTRAINT special_placement_city CHECK (city BETWEEN 0 AND 32767),
    CONSTRAINT special_placement_draw CHECK (draw BETWEEN 0 AND 32767),
    CONSTRAINT special_placement_omts CHECK (omts BETWEEN 1 AND 680400)
);

-- What a chunk has many of: buildings, monster groups, attempts to place specials, pieces and
-- joins of mutable specials. Portolan's own queries see them as the virtual tables building,
-- monster_group, attempt, piece and piece_join.
CREATE TABLE pack (
    id INTEGER PRIMARY KEY, -- chunk.id * 8 + kind (format.md, "Packs"); no row: none
    checksum INTEGER NOT NULL,
    data BLOB NOT NULL,     -- format.md, "Packs"
    CONSTRAINT pack_id CHECK (id >= 8 AND id % 8 <= 5)
);

-- What a step could not do, or did otherwise than asked.
CREATE TABLE event (
    chunk_id INTEGER NOT NULL,
    number INTEGER NOT NULL, -- from 0, in the order in which they happened
    step TEXT NOT NULL,
    kind TEXT NOT NULL,
    x INTEGER NOT NULL,      -- chunk-local OMTs; -1 where none applies
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    detail TEXT NOT NULL,    -- '' if there is nothing to add
    checksum INTEGER NOT NULL,
    CONSTRAINT event_pk PRIMARY KEY (chunk_id, number),
    CONSTRAINT event_chunk FOREIGN KEY (chunk_id) REFERENCES chunk (id)
) WITHOUT ROWID;

-- What two neighbouring chunks agree on, once for both. Never changed once a generated chunk
-- used it.
CREATE TABLE edge (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    side TEXT NOT NULL,   -- 'E': between chunks (x, y) and (x + 1, y); 'S': (x, y) and (x, y + 1)
    origin TEXT NOT NULL, -- 'planned', or 'foreign': taken from a chunk that Portolan did not make
    generator_version INTEGER NOT NULL,
    content_id INTEGER NOT NULL,
    run_id INTEGER NOT NULL,
    cells BLOB,           -- border cells of foreign chunks (format.md, "Border cells"); or NULL
    checksum INTEGER NOT NULL, -- over these columns and the edge's rows in `crossing`
    CONSTRAINT edge_place_unique UNIQUE (world_id, x, y, side),
    CONSTRAINT edge_x CHECK (x BETWEEN -4194305 AND 4194304),
    CONSTRAINT edge_y CHECK (y BETWEEN -4194305 AND 4194304),
    CONSTRAINT edge_side CHECK (side IN ('E', 'S')),
    CONSTRAINT edge_origin CHECK (origin IN ('planned', 'foreign')),
    CONSTRAINT edge_world FOREIGN KEY (world_id) REFERENCES world (id),
    CONSTRAINT edge_run FOREIGN KEY (run_id) REFERENCES run (id)
);

-- Something that passes an edge.
CREATE TABLE crossing (
    edge_id INTEGER NOT NULL,
    z INTEGER NOT NULL,
    kind TEXT NOT NULL,         -- 'river' or the id of an overmap_connection
    position INTEGER NOT NULL,  -- along the edge: local y on an E edge, local x on an S edge
    width INTEGER NOT NULL,     -- half width in OMTs: cells position - width .. position + width
    direction INTEGER NOT NULL, -- 1: flows to the east or south, -1: back, 0: neither
    CONSTRAINT crossing_pk PRIMARY KEY (edge_id, z, kind, position),
    CONSTRAINT crossing_z CHECK (z BETWEEN -10 AND 10),
    CONSTRAINT crossing_kind CHECK (typeof(kind) = 'text' AND length(kind) > 0),
    CONSTRAINT crossing_position CHECK (position BETWEEN 0 AND 179),
    CONSTRAINT crossing_width CHECK (width BETWEEN 0 AND 255),
    CONSTRAINT crossing_direction CHECK (direction IN (-1, 0, 1)),
    CONSTRAINT crossing_edge FOREIGN KEY (edge_id) REFERENCES edge (id)
) WITHOUT ROWID;

-- What a game has changed on overmaps: an overlay over the chunks, which stay as they were made. An
-- edit that touches several chunks has a row in each, under one number.
CREATE TABLE chunk_edit (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    x INTEGER NOT NULL,      -- of the chunk
    y INTEGER NOT NULL,
    number INTEGER NOT NULL, -- of the edit, from 1 in each world, in the order of the edits
    author TEXT NOT NULL,    -- who made it, as the game says; '' if it does not
    turn INTEGER NOT NULL,   -- the game's turn
    text TEXT NOT NULL,      -- what the game notes on it
    undoes INTEGER,          -- number of the edit that this one takes back; NULL: none
    levels INTEGER NOT NULL, -- bit z + 10: it changes cells of level z
    checksum INTEGER NOT NULL,
    cells BLOB NOT NULL,     -- format.md, "Edits"
    CONSTRAINT chunk_edit_unique UNIQUE (world_id, x, y, number),
    CONSTRAINT chunk_edit_x CHECK (x BETWEEN -4194304 AND 4194304),
    CONSTRAINT chunk_edit_y CHECK (y BETWEEN -4194304 AND 4194304),
    CONSTRAINT chunk_edit_number CHECK (number >= 1),
    CONSTRAINT chunk_edit_undoes CHECK (undoes BETWEEN 1 AND number - 1),
    CONSTRAINT chunk_edit_levels CHECK (levels BETWEEN 1 AND 2097151),
    CONSTRAINT chunk_edit_world FOREIGN KEY (world_id) REFERENCES world (id)
);

CREATE INDEX chunk_edit_number ON chunk_edit (world_id, number);

-- Specials that a game has placed. A special and those nested in it belong to one edit, which has
-- their cells, and counts only while that edit is in force.
CREATE TABLE placed_special (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    x INTEGER NOT NULL,        -- of the chunk
    y INTEGER NOT NULL,
    number INTEGER NOT NULL,   -- of the edit
    part INTEGER NOT NULL,     -- 0: the special that was asked for; from 1: those nested in it
    special TEXT NOT NULL,     -- its id
    origin_x INTEGER NOT NULL, -- chunk-local OMTs
    origin_y INTEGER NOT NULL,
    origin_z INTEGER NOT NULL,
    rotation INTEGER NOT NULL, -- 0..3 = N, E, S, W
    omts INTEGER NOT NULL,     -- that it has, with what a blob spread
    checksum INTEGER NOT NULL,
    parts BLOB NOT NULL,       -- format.md, "Placed specials"
    CONSTRAINT placed_special_unique UNIQUE (world_id, x, y, number, part),
    CONSTRAINT placed_special_x CHECK (x BETWEEN -4194304 AND 4194304),
    CONSTRAINT placed_special_y CHECK (y BETWEEN -4194304 AND 4194304),
    CONSTRAINT placed_special_number CHECK (number >= 1),
    CONSTRAINT placed_special_part CHECK (part BETWEEN 0 AND 256),
    CONSTRAINT placed_special_origin CHECK (origin_x BETWEEN 0 AND 179
        AND origin_y BETWEEN 0 AND 179 AND origin_z BETWEEN -10 AND 10),
    CONSTRAINT placed_special_rotation CHECK (rotation BETWEEN 0 AND 3),
    CONSTRAINT placed_special_omts CHECK (omts BETWEEN 1 AND 680400),
    CONSTRAINT placed_special_world FOREIGN KEY (world_id) REFERENCES world (id)
);

CREATE INDEX placed_special_number ON placed_special (world_id, number);

-- Notes, marks and facts that games save (format.md, "Notes, marks and facts"). `revision` is that
-- of the save that wrote the row last. A row stays when its value is removed, so that other saves
-- see it.
CREATE TABLE note (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    x INTEGER NOT NULL,         -- absolute OMTs
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    text TEXT NOT NULL,         -- '': removed
    symbol TEXT NOT NULL,
    colour TEXT NOT NULL,
    radius INTEGER NOT NULL,    -- in OMTs
    dangerous INTEGER NOT NULL, -- 0 or 1
    checksum INTEGER NOT NULL,
    CONSTRAINT note_unique UNIQUE (world_id, viewer, x, y, z),
    CONSTRAINT note_z CHECK (z BETWEEN -10 AND 10),
    CONSTRAINT note_radius CHECK (radius BETWEEN 0 AND 10000),
    CONSTRAINT note_dangerous CHECK (dangerous IN (0, 1)),
    CONSTRAINT note_world FOREIGN KEY (world_id) REFERENCES world (id)
);

CREATE INDEX note_revision ON note (world_id, revision);

CREATE TABLE mark (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    kind INTEGER NOT NULL,   -- 0: seen, 1: explored, others are the game's
    x INTEGER NOT NULL,      -- of the chunk
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    cells INTEGER NOT NULL,  -- how many are marked; 0: removed
    checksum INTEGER NOT NULL,
    bits BLOB NOT NULL,
    CONSTRAINT mark_unique UNIQUE (world_id, viewer, kind, x, y, z),
    CONSTRAINT mark_kind CHECK (kind BETWEEN 0 AND 15),
    CONSTRAINT mark_x CHECK (x BETWEEN -4194304 AND 4194304),
    CONSTRAINT mark_y CHECK (y BETWEEN -4194304 AND 4194304),
    CONSTRAINT mark_z CHECK (z BETWEEN -10 AND 10),
    CONSTRAINT mark_cells CHECK (cells BETWEEN 0 AND 32400),
    CONSTRAINT mark_world FOREIGN KEY (world_id) REFERENCES world (id)
);

CREATE INDEX mark_revision ON mark (world_id, revision);

CREATE TABLE fact (
    id INTEGER PRIMARY KEY,
    world_id INTEGER NOT NULL,
    space TEXT NOT NULL,     -- its namespace
    scope INTEGER NOT NULL,  -- what it is about: 0 the world, 1 a chunk, 2 an OMT, 3 a viewer
    viewer TEXT NOT NULL,    -- '' where the scope is another; so x, y and z, 0
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    size INTEGER NOT NULL,   -- bytes of the value
    checksum INTEGER NOT NULL,
    value BLOB,              -- as it is, or, if shorter than `size`, compressed; NULL: removed
    CONSTRAINT fact_unique UNIQUE (world_id, space, scope, viewer, x, y, z, name),
    CONSTRAINT fact_scope CHECK (scope BETWEEN 0 AND 3),
    CONSTRAINT fact_size CHECK (size BETWEEN 0 AND 16777216),
    CONSTRAINT fact_world FOREIGN KEY (world_id) REFERENCES world (id)
);

CREATE INDEX fact_revision ON fact (world_id, revision);
