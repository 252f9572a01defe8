/* The statements that the store uses itself. Each is prepared at its first use and kept until
 * the store is closed. */
#ifndef STORE_SQLITE_CONNECTION_PREPARED_H
#define STORE_SQLITE_CONNECTION_PREPARED_H

#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/tables/row_tables.h"

typedef enum stmt_id {
    STMT_ROLLBACK,
    STMT_BEGIN,
    STMT_OTER_READ,
    STMT_OTER_INSERT,
    STMT_OTERS_INSERT, /* inserts NAMES_AT_ONCE rows */
    STMT_NAME_READ,
    STMT_NAME_INSERT,
    STMT_NAMES_INSERT, /* inserts NAMES_AT_ONCE rows */
    STMT_WORLD_READ,
    STMT_WORLD_NEXT_ID,
    STMT_WORLD_INSERT,
    STMT_RUN_READ,
    STMT_RUN_NEXT_ID,
    STMT_RUN_INSERT,
    STMT_RUN_END,
    STMT_CONTENT_DIGEST,
    STMT_KEPT_NAMED,
    STMT_KEPT_TEXTS,
    STMT_CHUNK_FIND,
    STMT_CHUNK_LEVELS,
    STMT_CHUNK_LEVEL,
    STMT_CHUNK_NEXT_ID,
    STMT_CHUNK_INSERT,
    STMT_CHUNK_DELETE,
    STMT_LEVEL_INSERT,
    STMT_LEVELS_DELETE,
    STMT_OVERVIEW_READ,
    STMT_OVERVIEW_INSERT,
    STMT_OVERVIEW_DELETE,
    STMT_OVERVIEWS,
    STMT_CITIES,
    STMT_CITY_INSERT,
    STMT_CITIES_DELETE,
    STMT_RADIOS,
    STMT_RADIO_INSERT,
    STMT_RADIOS_DELETE,
    STMT_SPECIALS,
    STMT_SPECIAL_INSERT,
    STMT_SPECIALS_INSERT_FEW, /* inserts SPECIALS_FEW rows */
    STMT_SPECIALS_INSERT,     /* inserts SPECIALS_AT_ONCE rows */
    STMT_SPECIALS_DELETE,
    STMT_PACKS,
    STMT_PACK_FIND,
    STMT_PACK_INSERT,
    STMT_PACKS_DELETE,
    STMT_EVENTS,
    STMT_EVENT_INSERT,
    STMT_EVENTS_DELETE,
    STMT_EDGE_FIND,
    STMT_EDGE_NEXT_ID,
    STMT_EDGE_INSERT,
    STMT_EDGE_DELETE,
    STMT_CROSSING_READ,
    STMT_CROSSING_INSERT,
    STMT_CROSSINGS_DELETE,
    STMT_CHUNK_AFTER,
    STMT_PLACE_AFTER,
    STMT_EDGE_AFTER,
    STMT_TOUCH,
    STMT_TILE_CHUNK,
    STMT_TILE_LEVEL,
    STMT_OTER_SHAPE,
    STMT_OTER_VARIANT,
    STMT_OTERS_OF_TERRAIN,
    STMT_SPECIAL_TILES,
    STMT_CONTENT_CURRENT,
    STMT_SWEEP_READ,
    STMT_SWEEP_NEXT_ID,
    STMT_SWEEP_INSERT,
    STMT_SWEEP_CHUNK_FIND,
    STMT_SWEEP_CHUNK_DELETE,
    STMT_SWEEP_CHUNK_NEXT_ID,
    STMT_SWEEP_CHUNK_INSERT,
    STMT_SWEEP_CHUNKS, /* reads SWEEP_CHUNKS_AT_ONCE rows after a given one */
    STMT_MAP_READ,
    STMT_MAP_FIND,
    STMT_MAP_NEXT_ID,
    STMT_MAPS_LAST,
    STMT_MAP_INSERT,
    STMT_MAP_DELETE,
    STMT_MAPS,
    STMT_MAPS_DROP,
    STMT_SURGES,
    STMT_SURGE_NEXT_ID,
    STMT_SURGE_INSERT,
    STMT_SURGE_DELETE,
    STMT_SPILL_READ,
    STMT_SPILL_INSERT,
    STMT_SPILL_DELETE,
    STMT_SPILLS_DROP,
    STMT_SPILLS_DROP_UNEDITED,
    STMT_ASIDE_NEXT_ID,
    STMT_ASIDE_INSERT,
    STMT_COUNT
} stmt_id;

/* Gets a statement, borrowed. It is reset when it has been run to its end; otherwise the
 * caller resets it. */
ptl_status stmt_prepared(stmt **out, ptl_store *store, stmt_id id, ptl_error *err);
/* Runs a statement that gives no rows, with these numbers as its parameters. */
ptl_status stmt_run_with(ptl_store *store, stmt_id id, const int64_t *values, int count,
                         ptl_error *err);

/*
 * Gets an id for a new row of `table`: one more than the greatest there. `id` is the table's
 * STMT_..._NEXT_ID. PTL_ERR_CORRUPT if the result is above CHUNK_ID_MAX, which only a damaged
 * file can reach.
 */
ptl_status row_new_id(int64_t *out, ptl_store *store, stmt_id id, const char *table,
                      ptl_error *err);

/* Number of rows that one statement writes or reads. */
enum { NAMES_AT_ONCE = 8, SPECIALS_FEW = 8, SPECIALS_AT_ONCE = 32, SWEEP_CHUNKS_AT_ONCE = 16 };

/* Chosen so that special_placement.id = chunk.id * 65536 + number fits into 64 bits. */
#define CHUNK_ID_MAX (INT64_C(1) << 46)

/* The columns read of a kept object. */
#define KEPT_COLUMNS "o.id, o.type, o.file_id, o.start, o.size, o.line"

/* Reads the tiles of a fixed special or a building. */
#define SPECIAL_TILES_SQL                                                                      \
    "SELECT x, y, z FROM main.special_omt WHERE special = ? ORDER BY position"

#endif
