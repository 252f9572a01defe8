/* The SQL statements that the store uses itself. Each is prepared at its first use and kept
 * until the store is closed. */
#pragma once

#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/tables/row_tables.h"

#define COLUMNS_OF_L ROW_LIST_OF(LEVEL_ROW, "l.")
#define SPILLS_OF_AREA                                                                         \
    "DELETE FROM omt_spill WHERE id IN (SELECT id FROM omt_map WHERE world_id = ?1 "           \
    "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5"
/* Rows of note, mark or fact whose place lies in an area; the greatest revision of a table. */
#define SAVED_AREA "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 "
#define SAVED_LAST(table)                                                                      \
    "coalesce((SELECT max(revision) FROM main." table " WHERE world_id = ?1), 1)"
#define COLUMNS_OF_S ROW_LIST_OF(SPILL_ROW, "s.")
#define COLUMNS_OF_O ROW_LIST_OF(OVERVIEW_ROW, "o.")
/* A list of all statements, as a macro: it calls X for each, with the statement's name and its
 * SQL. */
#define PREPARED_STATEMENTS(X)                                                                 \
    X(STMT_ROLLBACK, "ROLLBACK")                                                               \
    X(STMT_BEGIN, "BEGIN")                                                                     \
    X(STMT_OTER_READ, "SELECT " OTER_COLUMNS " FROM main.oter WHERE id >= ? ORDER BY id")      \
    X(STMT_NAME_READ, "SELECT " NAME_COLUMNS " FROM main.name WHERE id >= ? ORDER BY id")      \
    X(STMT_WORLD_READ, "SELECT " WORLD_COLUMNS                                                 \
                       " FROM main.world WHERE ?1 IS NULL OR name = ?1 ORDER BY id LIMIT 11")  \
    X(STMT_RUN_END, "UPDATE run SET chunks = ?2, checksum = ?3, ended = ?4, seconds = ?5, "    \
                    "outcome = ?6 WHERE id = ?1")                                              \
    X(STMT_CONTENT_DIGEST, "SELECT digest FROM main.content WHERE is_current = 1")             \
    X(STMT_KEPT_NAMED, "SELECT " KEPT_COLUMNS " FROM main.kept_object o WHERE o.id IN "        \
                       "(SELECT object_id FROM main.kept_name WHERE name = ?) ORDER BY o.id")  \
    X(STMT_KEPT_TEXTS, "SELECT texts, size, path FROM main.kept_file WHERE id = ?")            \
    X(STMT_CHUNK_FIND, "SELECT " CHUNK_COLUMNS                                                 \
                       " FROM main.chunk c WHERE c.world_id = ? AND c.x = ? AND c.y = ?")      \
    X(STMT_CHUNK_LEVEL, "SELECT " CHUNK_COLUMNS ", " COLUMNS_OF_L " FROM main.chunk c "        \
                        "LEFT JOIN main.level l ON l.id = c.id * 32 + ?4 "                     \
                        "WHERE c.world_id = ?1 AND c.x = ?2 AND c.y = ?3")                     \
    X(STMT_OVERVIEWS, "SELECT " COLUMNS_OF_O ", c.x, c.y FROM main.chunk c "                   \
                      "LEFT JOIN main.overview o ON o.id = c.id WHERE c.world_id = ?1 "        \
                      "ORDER BY c.x, c.y")                                                     \
    X(STMT_PACKS,                                                                              \
      "SELECT " PACK_COLUMNS " FROM main.pack WHERE id BETWEEN ?1 * 8 AND ?1 * 8 + 7 "         \
      "ORDER BY id")                                                                           \
    X(STMT_PACK_FIND, "SELECT " PACK_COLUMNS " FROM main.pack WHERE id = ?")                   \
    X(STMT_EDGE_FIND, "SELECT " EDGE_COLUMNS                                                   \
                      " FROM main.edge WHERE world_id = ? AND x = ? AND y = ? AND side = ?")   \
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
    X(STMT_SWEEP_READ, "SELECT " SWEEP_COLUMNS                                                 \
                       " FROM main.sweep WHERE ?1 IS NULL OR name = ?1 ORDER BY id LIMIT 11")  \
    X(STMT_SWEEP_CHUNK_FIND, "SELECT id FROM main.sweep_chunk "                                \
                             "WHERE sweep_id = ? AND seed = ? AND x = ? AND y = ?")            \
    X(STMT_SWEEP_CHUNK_DELETE,                                                                 \
      "DELETE FROM sweep_chunk WHERE sweep_id = ? AND seed = ? AND x = ? AND y = ?")           \
    X(STMT_SWEEP_CHUNKS, "SELECT " SWEEP_CHUNK_COLUMNS " FROM main.sweep_chunk "               \
                         "WHERE sweep_id = ?1 AND (seed, x, y) > (?2, ?3, ?4) "                \
                         "ORDER BY seed, x, y LIMIT ?5")                                       \
    X(STMT_MAP_READ, "SELECT " MAP_COLUMNS " FROM main.omt_map "                               \
                     "WHERE world_id = ? AND x = ? AND y = ? AND z = ?")                       \
    X(STMT_MAP_FIND, "SELECT id, revision FROM main.omt_map "                                  \
                     "WHERE world_id = ? AND x = ? AND y = ? AND z = ?")                       \
    X(STMT_MAPS_LAST, "SELECT " MAP_COLUMNS " FROM main.omt_map ORDER BY id DESC LIMIT ?")     \
    X(STMT_MAP_DELETE, "DELETE FROM omt_map WHERE id = ?")                                     \
    X(STMT_MAPS, "SELECT " MAP_COLUMNS " FROM main.omt_map WHERE world_id = ?1 "               \
                 "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 AND revision > ?6 "          \
                 "ORDER BY x, y, z")                                                           \
    X(STMT_MAPS_DROP, "DELETE FROM omt_map WHERE world_id = ?1 "                               \
                      "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 AND edited <= ?6")      \
    X(STMT_SURGES, "SELECT " SURGE_COLUMNS " FROM main.surge WHERE world_id = ?1 "             \
                   "AND x BETWEEN ?2 AND ?3 ORDER BY x, y, begins")                            \
    X(STMT_SURGE_DELETE,                                                                       \
      "DELETE FROM surge WHERE world_id = ? AND x = ? AND y = ? AND begins = ?")               \
    X(STMT_EDITS, "SELECT " EDIT_COLUMNS " FROM main.chunk_edit WHERE world_id = ?1 "          \
                  "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 AND levels & ?6 "           \
                  "ORDER BY x, y, number")                                                     \
    X(STMT_EDITS_NUMBERED, "SELECT " EDIT_COLUMNS " FROM main.chunk_edit "                     \
                           "WHERE world_id = ?1 AND number = ?2 ORDER BY x, y")                \
    X(STMT_EDITS_OF_CHUNK,                                                                     \
      "SELECT " ROW_LIST_OF(                                                                   \
          EDIT_ROW, "e.") " FROM main.chunk c "                                                \
                          "CROSS JOIN main.chunk_edit e ON e.world_id = c.world_id "           \
                          "AND e.x = c.x AND e.y = c.y WHERE c.id = ?1 AND e.levels & ?2 "     \
                          "ORDER BY e.number")                                                 \
    X(STMT_EDIT_LAST, "SELECT coalesce(max(number), 0) FROM main.chunk_edit "                  \
                      "WHERE world_id = ?")                                                    \
    X(STMT_PLACED, "SELECT " PLACED_COLUMNS " FROM main.placed_special WHERE world_id = ?1 "   \
                   "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 "                          \
                   "ORDER BY x, y, number, part")                                              \
    X(STMT_PLACED_NUMBERED, "SELECT " PLACED_COLUMNS " FROM main.placed_special "              \
                            "WHERE world_id = ?1 AND number = ?2 ORDER BY x, y, part")         \
    X(STMT_NOTE_FIND, "SELECT " NOTE_COLUMNS " FROM main.note WHERE world_id = ?1 "            \
                      "AND x = ?2 AND y = ?3 AND z = ?4 AND viewer = ?5")                      \
    X(STMT_NOTES, "SELECT " NOTE_COLUMNS " FROM main.note WHERE world_id = ?1 " SAVED_AREA     \
                  "AND viewer BETWEEN ?6 AND ?7 ORDER BY viewer, x, y, z")                     \
    X(STMT_NOTE_DELETE, "DELETE FROM note WHERE id = ?")                                       \
    X(STMT_MARK_FIND, "SELECT " MARK_COLUMNS " FROM main.mark WHERE world_id = ?1 "            \
                      "AND x = ?2 AND y = ?3 AND z = ?4 AND kind = ?5 AND viewer = ?6")        \
    X(STMT_MARKS, "SELECT " MARK_COLUMNS " FROM main.mark WHERE world_id = ?1 " SAVED_AREA     \
                  "AND viewer BETWEEN ?6 AND ?7 ORDER BY viewer, kind, x, y, z")               \
    X(STMT_MARK_DELETE, "DELETE FROM mark WHERE id = ?")                                       \
    X(STMT_FACT_FIND, "SELECT " FACT_COLUMNS " FROM main.fact WHERE world_id = ?1 "            \
                      "AND x = ?2 AND y = ?3 AND z = ?4 AND scope = ?5 AND viewer = ?6 "       \
                      "AND space = ?7 AND name = ?8")                                          \
    X(STMT_FACTS, "SELECT " FACT_COLUMNS " FROM main.fact WHERE world_id = ?1 " SAVED_AREA     \
                  "AND space BETWEEN ?6 AND ?7 "                                               \
                  "ORDER BY space, scope, viewer, x, y, z, name")                              \
    X(STMT_FACT_DELETE, "DELETE FROM fact WHERE id = ?")                                       \
    X(STMT_SAVED_REVISION,                                                                     \
      "SELECT max(" SAVED_LAST("note") ", " SAVED_LAST("mark") ", " SAVED_LAST("fact") ")")    \
    X(STMT_SPILL_READ, "SELECT " COLUMNS_OF_S " FROM main.omt_map m JOIN main.omt_spill s "    \
                       "ON s.id = m.id WHERE m.world_id = ? AND m.x = ? AND m.y = ? "          \
                       "AND m.z = ?")                                                          \
    X(STMT_SPILL_DELETE, "DELETE FROM omt_spill WHERE id = ?")                                 \
    X(STMT_SPILLS_DROP, SPILLS_OF_AREA ")")                                                    \
    X(STMT_SPILLS_DROP_UNEDITED, SPILLS_OF_AREA " AND edited <= ?6)")

#define PREPARED_ID(id, sql) id,
/* The statements that stand ready for every table (row_tables.h): insert one row; insert
 * ROWS_AT_ONCE rows; find an id for a new row; read the rows of a chunk or edge; delete the
 * rows of a chunk or edge. */
typedef enum table_stmt {
    ROW_INSERTED,
    ROWS_INSERTED,
    ROW_NEXT_ID,
    ROWS_OWNED,
    ROWS_DROPPED,
    TABLE_STMTS
} table_stmt;
typedef enum stmt_id {
    PREPARED_STATEMENTS(PREPARED_ID) STMT_OF_TABLES,
    STMT_COUNT = STMT_OF_TABLES + TABLE_STMTS * (int)TABLE_COUNT
} stmt_id;
#undef PREPARED_ID

/* Gets a statement, borrowed. It is reset when stmt_row has read its last row; a caller that
 * stops earlier resets it. After an error *out is NULL. */
ptl_status stmt_prepared(stmt **out, ptl_store *store, stmt_id id, ptl_error *err);
/* Gets a statement as stmt_prepared does, and binds numbers to its first parameters
 * (STMT_VALUES). */
ptl_status stmt_begin(stmt **out, ptl_store *store, stmt_id id, const int64_t *values,
                      size_t count, ptl_error *err);
/* Begins a statement as stmt_begin does, and goes to its first row. *found is true if there is
 * one. */
ptl_status stmt_find(stmt **out, bool *found, ptl_store *store, stmt_id id,
                     const int64_t *values, size_t count, ptl_error *err);
/* Binds numbers to a statement's first parameters and runs it. The statement gives no rows. */
ptl_status stmt_run_with(ptl_store *store, stmt_id id, const int64_t *values, size_t count,
                         ptl_error *err);
/* Returns the stmt_id of one of a table's statements. */
static inline stmt_id stmt_of(row_table_id table, table_stmt which)
{
    return (stmt_id)(STMT_OF_TABLES + TABLE_STMTS * (int)table + (int)which);
}

/* Deletes the rows of the chunk or edge `owner` from the listed tables, in the order of the
 * list. */
ptl_status rows_drop(ptl_store *store, const row_table_id *tables, size_t count, int64_t owner,
                     ptl_error *err);

/*
 * Gets an id for a new row of a table: the greatest id in the table plus 1. PTL_ERR_CORRUPT if
 * that is above CHUNK_ID_MAX, which only a damaged file can reach.
 */
ptl_status row_new_id(int64_t *out, ptl_store *store, row_table_id table, ptl_error *err);

/* Number of a sweep's overmaps that one statement reads. */
enum { SWEEP_CHUNKS_AT_ONCE = 16 };

/* Greatest id of a chunk. With it special_placement.id = chunk.id * 65536 + number fits into 64
 * bits. */
#define CHUNK_ID_MAX (INT64_C(1) << 46)

/* The columns of table kept_object that the statements below read. */
#define KEPT_COLUMNS "o.id, o.type, o.file_id, o.start, o.size, o.line"

/* Reads the OMTs of a fixed special or a building, in the order of its definition. */
#define SPECIAL_OMTS_SQL                                                                       \
    "SELECT x, y, z FROM main.special_omt WHERE special = ? ORDER BY position"
