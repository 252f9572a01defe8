/* The statements that the store uses itself. Each is prepared at its first use and kept until
 * the store is closed. */
#ifndef STORE_SQLITE_CONNECTION_PREPARED_H
#define STORE_SQLITE_CONNECTION_PREPARED_H

#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/tables/row_tables.h"

#define NEXT_ID(table)  "SELECT coalesce(max(id), 0) + 1 FROM main." table
#define FOUR(row)       ROW_MARKS(row) ", " ROW_MARKS(row) ", " ROW_MARKS(row) ", " ROW_MARKS(row)
#define EIGHT(row)      FOUR(row) ", " FOUR(row)
#define THIRTY_TWO(row) EIGHT(row) ", " EIGHT(row) ", " EIGHT(row) ", " EIGHT(row)
#define COLUMNS_OF_L    ROW_LIST_OF(LEVEL_ROW, "l.")
#define SPILLS_OF_AREA                                                                         \
    "DELETE FROM omt_spill WHERE id IN (SELECT id FROM omt_map WHERE world_id = ?1 "           \
    "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5"
#define COLUMNS_OF_S    ROW_LIST_OF(SPILL_ROW, "s.")
#define COLUMNS_OF_O    ROW_LIST_OF(OVERVIEW_ROW, "o.")
#define INSERT_SPECIALS ROW_INSERT_INTO(SPECIAL_ROW, "special_placement")
/*
 * The statements: the name of each, and its SQL. STMT_OTERS_INSERT and STMT_NAMES_INSERT insert
 * NAMES_AT_ONCE rows, STMT_SPECIALS_INSERT_FEW inserts SPECIALS_FEW rows, and
 * STMT_SPECIALS_INSERT SPECIALS_AT_ONCE rows.
 */
#define PREPARED_STATEMENTS(X)                                                                 \
    X(STMT_ROLLBACK, "ROLLBACK")                                                               \
    X(STMT_BEGIN, "BEGIN")                                                                     \
    X(STMT_OTER_READ, "SELECT " OTER_COLUMNS " FROM main.oter WHERE id >= ? ORDER BY id")      \
    X(STMT_OTER_INSERT, ROW_INSERT(OTER_ROW, "oter"))                                          \
    X(STMT_OTERS_INSERT, ROW_INSERT_INTO(OTER_ROW, "oter") EIGHT(OTER_ROW))                    \
    X(STMT_NAME_READ, "SELECT " NAME_COLUMNS " FROM main.name WHERE id >= ? ORDER BY id")      \
    X(STMT_NAME_INSERT, ROW_INSERT(NAME_ROW, "name"))                                          \
    X(STMT_NAMES_INSERT, ROW_INSERT_INTO(NAME_ROW, "name") EIGHT(NAME_ROW))                    \
    X(STMT_WORLD_READ, "SELECT " WORLD_COLUMNS                                                 \
                       " FROM main.world WHERE ?1 IS NULL OR name = ?1 ORDER BY id LIMIT 11")  \
    X(STMT_WORLD_NEXT_ID, NEXT_ID("world"))                                                    \
    X(STMT_WORLD_INSERT, ROW_INSERT(WORLD_ROW, "world"))                                       \
    X(STMT_RUN_READ, "SELECT " RUN_COLUMNS " FROM main.run WHERE id = ?")                      \
    X(STMT_RUN_NEXT_ID, NEXT_ID("run"))                                                        \
    X(STMT_RUN_INSERT, ROW_INSERT(RUN_ROW, "run"))                                             \
    X(STMT_RUN_END, "UPDATE run SET ended = ?2, chunks = ?3, seconds = ?4, outcome = ?5, "     \
                    "checksum = ?6 WHERE id = ?1")                                             \
    X(STMT_CONTENT_DIGEST, "SELECT digest FROM main.content WHERE is_current = 1")             \
    X(STMT_KEPT_NAMED, "SELECT " KEPT_COLUMNS " FROM main.kept_object o WHERE o.id IN "        \
                       "(SELECT object_id FROM main.kept_name WHERE name = ?) ORDER BY o.id")  \
    X(STMT_KEPT_TEXTS, "SELECT texts, size, path FROM main.kept_file WHERE id = ?")            \
    X(STMT_CHUNK_FIND, "SELECT " CHUNK_COLUMNS                                                 \
                       " FROM main.chunk c WHERE c.world_id = ? AND c.x = ? AND c.y = ?")      \
    X(STMT_CHUNK_LEVELS,                                                                       \
      "SELECT " LEVEL_COLUMNS " FROM main.level WHERE id BETWEEN ?1 AND ?1 + 31 "              \
      "ORDER BY id")                                                                           \
    X(STMT_CHUNK_LEVEL, "SELECT " CHUNK_COLUMNS ", " COLUMNS_OF_L " FROM main.chunk c "        \
                        "LEFT JOIN main.level l ON l.id = c.id * 32 + ?4 "                     \
                        "WHERE c.world_id = ?1 AND c.x = ?2 AND c.y = ?3")                     \
    X(STMT_CHUNK_NEXT_ID, NEXT_ID("chunk"))                                                    \
    X(STMT_CHUNK_INSERT, ROW_INSERT(CHUNK_ROW, "chunk"))                                       \
    X(STMT_CHUNK_DELETE, "DELETE FROM chunk WHERE id = ?")                                     \
    X(STMT_LEVEL_INSERT, ROW_INSERT(LEVEL_ROW, "level"))                                       \
    X(STMT_LEVELS_DELETE, "DELETE FROM level WHERE id BETWEEN ?1 * 32 AND ?1 * 32 + 31")       \
    X(STMT_OVERVIEW_READ, "SELECT " OVERVIEW_COLUMNS " FROM main.overview WHERE id = ?")       \
    X(STMT_OVERVIEW_INSERT, ROW_INSERT(OVERVIEW_ROW, "overview"))                              \
    X(STMT_OVERVIEW_DELETE, "DELETE FROM overview WHERE id = ?")                               \
    X(STMT_OVERVIEWS, "SELECT " COLUMNS_OF_O ", c.x, c.y FROM main.chunk c "                   \
                      "LEFT JOIN main.overview o ON o.id = c.id WHERE c.world_id = ?1 "        \
                      "ORDER BY c.x, c.y")                                                     \
    X(STMT_CITIES,                                                                             \
      "SELECT " CITY_COLUMNS " FROM main.city WHERE chunk_id = ? ORDER BY number")             \
    X(STMT_CITY_INSERT, ROW_INSERT(CITY_ROW, "city"))                                          \
    X(STMT_CITIES_DELETE, "DELETE FROM city WHERE chunk_id = ?")                               \
    X(STMT_RADIOS,                                                                             \
      "SELECT " RADIO_COLUMNS " FROM main.radio WHERE chunk_id = ? ORDER BY number")           \
    X(STMT_RADIO_INSERT, ROW_INSERT(RADIO_ROW, "radio"))                                       \
    X(STMT_RADIOS_DELETE, "DELETE FROM radio WHERE chunk_id = ?")                              \
    X(STMT_SPECIALS, "SELECT " SPECIAL_COLUMNS " FROM main.special_placement "                 \
                     "WHERE id BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535 ORDER BY id")         \
    X(STMT_SPECIAL_INSERT, INSERT_SPECIALS ROW_MARKS(SPECIAL_ROW))                             \
    X(STMT_SPECIALS_INSERT_FEW, INSERT_SPECIALS EIGHT(SPECIAL_ROW))                            \
    X(STMT_SPECIALS_INSERT, INSERT_SPECIALS THIRTY_TWO(SPECIAL_ROW))                           \
    X(STMT_SPECIALS_DELETE, "DELETE FROM special_placement "                                   \
                            "WHERE id BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535")              \
    X(STMT_PACKS,                                                                              \
      "SELECT " PACK_COLUMNS " FROM main.pack WHERE id BETWEEN ?1 * 8 AND ?1 * 8 + 7 "         \
      "ORDER BY id")                                                                           \
    X(STMT_PACK_FIND, "SELECT " PACK_COLUMNS " FROM main.pack WHERE id = ?")                   \
    X(STMT_PACK_INSERT, ROW_INSERT(PACK_ROW, "pack"))                                          \
    X(STMT_PACKS_DELETE, "DELETE FROM pack WHERE id BETWEEN ?1 * 8 AND ?1 * 8 + 7")            \
    X(STMT_EVENTS,                                                                             \
      "SELECT " EVENT_COLUMNS " FROM main.event WHERE chunk_id = ? ORDER BY number")           \
    X(STMT_EVENT_INSERT, ROW_INSERT(EVENT_ROW, "event"))                                       \
    X(STMT_EVENTS_DELETE, "DELETE FROM event WHERE chunk_id = ?")                              \
    X(STMT_EDGE_FIND, "SELECT " EDGE_COLUMNS                                                   \
                      " FROM main.edge WHERE world_id = ? AND x = ? AND y = ? AND side = ?")   \
    X(STMT_EDGE_NEXT_ID, NEXT_ID("edge"))                                                      \
    X(STMT_EDGE_INSERT, ROW_INSERT(EDGE_ROW, "edge"))                                          \
    X(STMT_EDGE_DELETE, "DELETE FROM edge WHERE id = ?")                                       \
    X(STMT_CROSSING_READ, "SELECT " CROSSING_COLUMNS " FROM main.crossing "                    \
                          "WHERE edge_id = ? ORDER BY z, kind, position")                      \
    X(STMT_CROSSING_INSERT, ROW_INSERT(CROSSING_ROW, "crossing"))                              \
    X(STMT_CROSSINGS_DELETE, "DELETE FROM crossing WHERE edge_id = ?")                         \
    X(STMT_CHUNK_AFTER, "SELECT " CHUNK_COLUMNS " FROM main.chunk c WHERE c.world_id = ?1 "    \
                        "AND (c.x, c.y) > (?2, ?3) ORDER BY c.x, c.y LIMIT 1")                 \
    X(STMT_PLACE_AFTER, "SELECT x, y FROM main.chunk WHERE world_id = ?1"                      \
                        " AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5"                     \
                        " AND (x, y) > (?6, ?7) ORDER BY x, y LIMIT 1")                        \
    X(STMT_EDGE_AFTER, "SELECT x, y, side FROM main.edge WHERE world_id = ?1 "                 \
                       "AND (x, y, side) > (?2, ?3, ?4) ORDER BY x, y, side LIMIT 1")          \
    X(STMT_TOUCH, "PRAGMA main.schema_version")                                                \
    X(STMT_OMT_CHUNK, "SELECT " CHUNK_COLUMNS " FROM main.world w CROSS JOIN main.chunk c "    \
                      "ON c.world_id = w.id AND c.x = ?2 AND c.y = ?3 WHERE w.name = ?1")      \
    X(STMT_OMT_LEVEL, "SELECT checksum, omts FROM main.level WHERE id = ?")                    \
    X(STMT_OTER_SHAPE, "SELECT k.terrain, k.rotation, k.line, t.kind "                         \
                       "FROM main.concrete_terrain k CROSS JOIN main.overmap_terrain t "       \
                       "ON t.id = k.terrain WHERE k.id = ?")                                   \
    X(STMT_OTER_VARIANT, "SELECT id FROM main.concrete_terrain "                               \
                         "WHERE id >= ?1 AND id < ?1 || char(1114111) AND terrain = ?1 "       \
                         "AND variant = ?2")                                                   \
    X(STMT_OTERS_OF_TERRAIN, "SELECT id FROM main.concrete_terrain "                           \
                             "WHERE id >= ?1 AND id < ?1 || char(1114111) AND terrain = ?1")   \
    X(STMT_SPECIAL_OMTS, SPECIAL_OMTS_SQL)                                                     \
    X(STMT_CONTENT_CURRENT, "SELECT id FROM main.content WHERE is_current = 1")                \
    X(STMT_SWEEP_READ, "SELECT " SWEEP_COLUMNS                                                 \
                       " FROM main.sweep WHERE ?1 IS NULL OR name = ?1 ORDER BY id LIMIT 11")  \
    X(STMT_SWEEP_NEXT_ID, NEXT_ID("sweep"))                                                    \
    X(STMT_SWEEP_INSERT, ROW_INSERT(SWEEP_ROW, "sweep"))                                       \
    X(STMT_SWEEP_CHUNK_FIND, "SELECT id FROM main.sweep_chunk "                                \
                             "WHERE sweep_id = ? AND seed = ? AND x = ? AND y = ?")            \
    X(STMT_SWEEP_CHUNK_DELETE,                                                                 \
      "DELETE FROM sweep_chunk WHERE sweep_id = ? AND seed = ? AND x = ? AND y = ?")           \
    X(STMT_SWEEP_CHUNK_NEXT_ID, NEXT_ID("sweep_chunk"))                                        \
    X(STMT_SWEEP_CHUNK_INSERT, ROW_INSERT(SWEEP_CHUNK_ROW, "sweep_chunk"))                     \
    X(STMT_SWEEP_CHUNKS, "SELECT " SWEEP_CHUNK_COLUMNS " FROM main.sweep_chunk "               \
                         "WHERE sweep_id = ?1 AND (seed, x, y) > (?2, ?3, ?4) "                \
                         "ORDER BY seed, x, y LIMIT ?5")                                       \
    X(STMT_MAP_READ, "SELECT " MAP_COLUMNS " FROM main.omt_map "                               \
                     "WHERE world_id = ? AND x = ? AND y = ? AND z = ?")                       \
    X(STMT_MAP_FIND, "SELECT id, revision FROM main.omt_map "                                  \
                     "WHERE world_id = ? AND x = ? AND y = ? AND z = ?")                       \
    X(STMT_MAP_NEXT_ID, NEXT_ID("omt_map"))                                                    \
    X(STMT_MAPS_LAST, "SELECT " MAP_COLUMNS " FROM main.omt_map ORDER BY id DESC LIMIT ?")     \
    X(STMT_MAP_INSERT, ROW_INSERT(MAP_ROW, "omt_map"))                                         \
    X(STMT_MAP_DELETE, "DELETE FROM omt_map WHERE id = ?")                                     \
    X(STMT_MAPS, "SELECT " MAP_COLUMNS " FROM main.omt_map WHERE world_id = ?1 "               \
                 "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 AND revision > ?6 "          \
                 "ORDER BY x, y, z")                                                           \
    X(STMT_MAPS_DROP, "DELETE FROM omt_map WHERE world_id = ?1 "                               \
                      "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 AND edited = 0")        \
    X(STMT_SURGES, "SELECT " SURGE_COLUMNS " FROM main.surge WHERE world_id = ?1 "             \
                   "AND x BETWEEN ?2 AND ?3 ORDER BY x, y, begins")                            \
    X(STMT_SURGE_NEXT_ID, NEXT_ID("surge"))                                                    \
    X(STMT_SURGE_INSERT, ROW_INSERT(SURGE_ROW, "surge"))                                       \
    X(STMT_SURGE_DELETE,                                                                       \
      "DELETE FROM surge WHERE world_id = ? AND x = ? AND y = ? AND begins = ?")               \
    X(STMT_SPILL_READ, "SELECT " COLUMNS_OF_S " FROM main.omt_map m JOIN main.omt_spill s "    \
                       "ON s.id = m.id WHERE m.world_id = ? AND m.x = ? AND m.y = ? "          \
                       "AND m.z = ?")                                                          \
    X(STMT_SPILL_INSERT, ROW_INSERT(SPILL_ROW, "omt_spill"))                                   \
    X(STMT_SPILL_DELETE, "DELETE FROM omt_spill WHERE id = ?")                                 \
    X(STMT_SPILLS_DROP, SPILLS_OF_AREA ")")                                                    \
    X(STMT_SPILLS_DROP_UNEDITED, SPILLS_OF_AREA " AND edited = 0)")                            \
    X(STMT_ASIDE_NEXT_ID, NEXT_ID("set_aside"))                                                \
    X(STMT_ASIDE_INSERT, ROW_INSERT(ASIDE_ROW, "set_aside"))

#define PREPARED_ID(id, sql) id,
typedef enum stmt_id { PREPARED_STATEMENTS(PREPARED_ID) STMT_COUNT } stmt_id;
#undef PREPARED_ID

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

/* Reads the OMTs of a fixed special or a building. */
#define SPECIAL_OMTS_SQL                                                                       \
    "SELECT x, y, z FROM main.special_omt WHERE special = ? ORDER BY position"

#endif
