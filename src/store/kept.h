/* The store's own statements, prepared at their first use and kept until it is closed. */
#ifndef STORE_KEPT_H
#define STORE_KEPT_H

#include "store/stmt.h"

typedef enum kept_id {
    KEPT_OTER_READ,
    KEPT_OTER_INSERT,
    KEPT_WORLD_READ,
    KEPT_WORLD_INSERT,
    KEPT_RUN_READ,
    KEPT_RUN_INSERT,
    KEPT_RUN_END,
    KEPT_CONTENT_DIGEST,
    KEPT_CHUNK_FIND,
    KEPT_CHUNK_LEVELS,
    KEPT_CHUNK_LEVEL,
    KEPT_CHUNK_NEXT_ID,
    KEPT_CHUNK_INSERT,
    KEPT_CHUNK_DELETE,
    KEPT_LEVEL_INSERT,
    KEPT_LEVELS_DELETE,
    KEPT_EVENT_INSERT,
    KEPT_EVENTS_DELETE,
    KEPT_EDGE_FIND,
    KEPT_EDGE_NEXT_ID,
    KEPT_EDGE_INSERT,
    KEPT_CROSSING_READ,
    KEPT_CROSSING_INSERT,
    KEPT_CHUNK_AFTER,
    KEPT_EDGE_AFTER,
    KEPT_COUNT
} kept_id;

/* Borrowed; reset when it has been run to its end, else the caller resets it. */
ptl_status kept_stmt(stmt **out, ptl_store *store, kept_id id, ptl_error *err);

/* Column lists shared by several statements. The row's checksum is the last column. */
#define CHUNK_COLUMNS                                                                          \
    "c.id, c.world_id, c.x, c.y, c.level_mask, c.fill, c.generator_version, c.content_id, "    \
    "c.last_step, c.run_id, c.tile_digest, c.levels_checksum, c.checksum"
enum { CHUNK_COLUMN_COUNT = 12 }; /* without the checksum */

#define EDGE_COLUMNS                                                                           \
    "id, world_id, x, y, side, origin, generator_version, content_id, run_id, cells, checksum"
enum { EDGE_COLUMN_COUNT = 10 };

#define WORLD_COLUMNS                                                                          \
    "id, name, seed, region, city_size, city_spacing, specials_density, specials_spacing, "    \
    "placement, generator_version, content_id, created_at, checksum"
enum { WORLD_COLUMN_COUNT = 12 };

#define RUN_COLUMNS                                                                            \
    "id, world_id, command, started, ended, chunks, seconds, outcome, generator_version, "     \
    "content_digest, portolan_version, checksum"
enum { RUN_COLUMN_COUNT = 11 };

#endif
