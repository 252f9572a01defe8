/* The store's own statements, prepared at their first use and kept until it is closed. */
#ifndef STORE_SQLITE_FILE_KEPT_H
#define STORE_SQLITE_FILE_KEPT_H

#include "store/sqlite/connection/stmt.h"

typedef enum kept_id {
    KEPT_ROLLBACK,
    KEPT_BEGIN,
    KEPT_OTER_READ,
    KEPT_OTER_INSERT,
    KEPT_OTERS_INSERT, /* NAMES_AT_ONCE of them */
    KEPT_NAME_READ,
    KEPT_NAME_INSERT,
    KEPT_NAMES_INSERT, /* as many */
    KEPT_WORLD_READ,
    KEPT_WORLD_NEXT_ID,
    KEPT_WORLD_INSERT,
    KEPT_RUN_READ,
    KEPT_RUN_NEXT_ID,
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
    KEPT_CITIES,
    KEPT_CITY_INSERT,
    KEPT_CITIES_DELETE,
    KEPT_RADIOS,
    KEPT_RADIO_INSERT,
    KEPT_RADIOS_DELETE,
    KEPT_SPECIALS,
    KEPT_SPECIAL_INSERT,
    KEPT_SPECIALS_INSERT_FEW, /* SPECIALS_FEW of them */
    KEPT_SPECIALS_INSERT,     /* SPECIALS_AT_ONCE of them */
    KEPT_SPECIALS_DELETE,
    KEPT_PACKS,
    KEPT_PACK_INSERT,
    KEPT_PACKS_DELETE,
    KEPT_EVENT_INSERT,
    KEPT_EVENTS_DELETE,
    KEPT_EDGE_FIND,
    KEPT_EDGE_NEXT_ID,
    KEPT_EDGE_INSERT,
    KEPT_EDGE_DELETE,
    KEPT_CROSSING_READ,
    KEPT_CROSSING_INSERT,
    KEPT_CROSSINGS_DELETE,
    KEPT_CHUNK_AFTER,
    KEPT_PLACE_AFTER,
    KEPT_EDGE_AFTER,
    KEPT_TOUCH,
    KEPT_TILE_CHUNK,
    KEPT_TILE_LEVEL,
    KEPT_OTER_SHAPE,
    KEPT_OTER_VARIANT,
    KEPT_OTERS_OF_TERRAIN,
    KEPT_SPECIAL_TILES,
    KEPT_CONTENT_CURRENT,
    KEPT_SWEEP_READ,
    KEPT_SWEEP_NEXT_ID,
    KEPT_SWEEP_CHUNK_FIND,
    KEPT_SWEEP_CHUNK_DELETE,
    KEPT_SWEEP_CHUNK_NEXT_ID,
    KEPT_SWEEP_CHUNK_INSERT,
    KEPT_SWEEP_CHUNKS, /* SWEEP_CHUNKS_AT_ONCE of them, after one */
    KEPT_ASIDE_NEXT_ID,
    KEPT_COUNT
} kept_id;

/* Borrowed; reset when it has been run to its end, else the caller resets it. */
ptl_status kept_stmt(stmt **out, ptl_store *store, kept_id id, ptl_error *err);

/* The id of a new row of `table`, by its KEPT_..._NEXT_ID: behind the greatest there.
 * PTL_ERR_CORRUPT if that is beyond CHUNK_ID_MAX, which no file of ours comes near to. */
ptl_status kept_new_id(int64_t *out, ptl_store *store, kept_id id, const char *table,
                       ptl_error *err);

enum { NAMES_AT_ONCE = 8 };

/* Column lists shared by several statements. The row's checksum is the last column. */
/* special_placement.id = chunk.id * 65536 + number must stay a 64-bit number. */
#define CHUNK_ID_MAX (INT64_C(1) << 46)
#define CHUNK_COLUMNS                                                                          \
    "c.id, c.world_id, c.x, c.y, c.level_mask, c.fill, c.generator_version, c.content_id, "    \
    "c.last_step, c.run_id, c.tile_digest, c.levels_checksum, c.origin, c.feature_digest, "    \
    "c.features_checksum, c.checksum"
enum {
    CHUNK_COLUMN_FILL = 5,
    CHUNK_COLUMN_TILES = 10,
    CHUNK_COLUMN_LEVELS_CHECKSUM,
    CHUNK_COLUMN_ORIGIN,
    CHUNK_COLUMN_FEATURES,
    CHUNK_COLUMN_FEATURES_CHECKSUM,
    CHUNK_COLUMN_COUNT /* without the checksum */
};

/* Rows of a chunk's features have no checksum of their own. */
#define CITY_COLUMNS "chunk_id, number, name, x, y, size, planned_x, planned_y"
enum { CITY_COLUMN_COUNT = 8 };

#define RADIO_COLUMNS "chunk_id, number, x, y, strength, weather, frequency, message, placed"
enum { RADIO_COLUMN_COUNT = 9 };

#define SPECIAL_COLUMNS "id, special, x, y, z, rotation, city, draw, tiles"
enum { SPECIAL_COLUMN_COUNT = 9, SPECIALS_FEW = 8, SPECIALS_AT_ONCE = 32 };

#define EDGE_COLUMNS                                                                           \
    "id, world_id, x, y, side, origin, generator_version, content_id, run_id, cells, checksum"
enum { EDGE_COLUMN_CELLS = 9, EDGE_COLUMN_COUNT };

#define WORLD_COLUMNS                                                                          \
    "id, name, seed, region, city_size, city_spacing, specials_density, specials_spacing, "    \
    "placement, railroads, subways, compat, scale_unique, unique_radius, generator_version, "  \
    "content_id, created_at, checksum"
enum { WORLD_COLUMN_GENERATOR = 14, WORLD_COLUMN_COUNT = 17 };

#define SWEEP_COLUMNS                                                                          \
    "id, name, region, city_size, city_spacing, specials_density, specials_spacing, "          \
    "placement, railroads, subways, compat, scale_unique, unique_radius, generator_version, "  \
    "content_id, created_at, checksum"
enum { SWEEP_COLUMN_COUNT = 16 };

/* The blobs in the order of their packs' kinds. */
#define SWEEP_CHUNK_COLUMNS                                                                    \
    "id, sweep_id, seed, x, y, specials, places, terrains, cities, buildings, lines, waters, " \
    "baseline, checksum"
enum { SWEEP_CHUNK_COLUMN_BLOBS = 5, SWEEP_CHUNK_COLUMN_COUNT = 13, SWEEP_CHUNKS_AT_ONCE = 16 };

/* Of a fixed special or a building. */
#define SPECIAL_TILES_SQL                                                                      \
    "SELECT x, y, z FROM main.special_tile WHERE special = ? ORDER BY position"

#define RUN_COLUMNS                                                                            \
    "id, world_id, command, started, ended, chunks, seconds, outcome, generator_version, "     \
    "content_digest, portolan_version, checksum"
enum { RUN_COLUMN_COUNT = 11 };

#endif
