-- How water comes to local maps on a coast: found when a map is made, and anew when something within
-- reach is changed.

-- Heights and spills of a stored map of level 0 whose OMT is coast (format.md, "Spills"). They are what the
-- world's seed and what stands there and around give, no more; where a map has no row they are found when
-- they are asked for.
CREATE TABLE omt_spill (
    id INTEGER PRIMARY KEY, -- omt_map.id
    checksum INTEGER NOT NULL,
    spills BLOB NOT NULL,
    CONSTRAINT omt_spill_id CHECK (id >= 1)
);
