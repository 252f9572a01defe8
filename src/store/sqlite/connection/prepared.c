#include "store/sqlite/connection/prepared.h"

#include "store/sqlite/connection/store_impl.h"

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

static const char *const sql_of[STMT_COUNT] = {
    [STMT_ROLLBACK] = "ROLLBACK",
    [STMT_BEGIN] = "BEGIN",
    [STMT_OTER_READ] = "SELECT " OTER_COLUMNS " FROM main.oter WHERE id >= ? ORDER BY id",
    [STMT_OTER_INSERT] = ROW_INSERT(OTER_ROW, "oter"),
    [STMT_OTERS_INSERT] = ROW_INSERT_INTO(OTER_ROW, "oter") EIGHT(OTER_ROW),
    [STMT_NAME_READ] = "SELECT " NAME_COLUMNS " FROM main.name WHERE id >= ? ORDER BY id",
    [STMT_NAME_INSERT] = ROW_INSERT(NAME_ROW, "name"),
    [STMT_NAMES_INSERT] = ROW_INSERT_INTO(NAME_ROW, "name") EIGHT(NAME_ROW),
    [STMT_WORLD_READ] = "SELECT " WORLD_COLUMNS
                        " FROM main.world WHERE ?1 IS NULL OR name = ?1 ORDER BY id LIMIT 11",
    [STMT_WORLD_INSERT] = ROW_INSERT(WORLD_ROW, "world"),
    [STMT_RUN_READ] = "SELECT " RUN_COLUMNS " FROM main.run WHERE id = ?",
    [STMT_RUN_INSERT] = ROW_INSERT(RUN_ROW, "run"),
    [STMT_RUN_END] = "UPDATE run SET ended = ?2, chunks = ?3, seconds = ?4, outcome = ?5, "
                     "checksum = ?6 WHERE id = ?1",
    [STMT_CONTENT_DIGEST] = "SELECT digest FROM main.content WHERE is_current = 1",
    [STMT_KEPT_NAMED] = "SELECT " KEPT_COLUMNS " FROM main.kept_object o WHERE o.id IN "
                        "(SELECT object_id FROM main.kept_name WHERE name = ?) ORDER BY o.id",
    [STMT_KEPT_TEXTS] = "SELECT texts, size, path FROM main.kept_file WHERE id = ?",
    [STMT_CHUNK_FIND] = "SELECT " CHUNK_COLUMNS
                        " FROM main.chunk c WHERE c.world_id = ? AND c.x = ? AND c.y = ?",
    [STMT_CHUNK_LEVELS] =
        "SELECT " LEVEL_COLUMNS " FROM main.level WHERE id BETWEEN ?1 AND ?1 + 31 "
        "ORDER BY id",
    [STMT_CHUNK_LEVEL] = "SELECT " CHUNK_COLUMNS ", " COLUMNS_OF_L " FROM main.chunk c "
                         "LEFT JOIN main.level l ON l.id = c.id * 32 + ?4 "
                         "WHERE c.world_id = ?1 AND c.x = ?2 AND c.y = ?3",
    [STMT_CHUNK_NEXT_ID] = NEXT_ID("chunk"),
    [STMT_CHUNK_INSERT] = ROW_INSERT(CHUNK_ROW, "chunk"),
    [STMT_CHUNK_DELETE] = "DELETE FROM chunk WHERE id = ?",
    [STMT_LEVEL_INSERT] = ROW_INSERT(LEVEL_ROW, "level"),
    [STMT_LEVELS_DELETE] = "DELETE FROM level WHERE id BETWEEN ?1 * 32 AND ?1 * 32 + 31",
    [STMT_OVERVIEW_READ] = "SELECT " OVERVIEW_COLUMNS " FROM main.overview WHERE id = ?",
    [STMT_OVERVIEW_INSERT] = ROW_INSERT(OVERVIEW_ROW, "overview"),
    [STMT_OVERVIEW_DELETE] = "DELETE FROM overview WHERE id = ?",
    [STMT_OVERVIEWS] = "SELECT " COLUMNS_OF_O ", c.x, c.y FROM main.chunk c "
                       "LEFT JOIN main.overview o ON o.id = c.id WHERE c.world_id = ?1 "
                       "ORDER BY c.x, c.y",
    [STMT_CITIES] = "SELECT " CITY_COLUMNS " FROM main.city WHERE chunk_id = ? ORDER BY number",
    [STMT_CITY_INSERT] = ROW_INSERT(CITY_ROW, "city"),
    [STMT_CITIES_DELETE] = "DELETE FROM city WHERE chunk_id = ?",
    [STMT_RADIOS] =
        "SELECT " RADIO_COLUMNS " FROM main.radio WHERE chunk_id = ? ORDER BY number",
    [STMT_RADIO_INSERT] = ROW_INSERT(RADIO_ROW, "radio"),
    [STMT_RADIOS_DELETE] = "DELETE FROM radio WHERE chunk_id = ?",
    [STMT_SPECIALS] = "SELECT " SPECIAL_COLUMNS " FROM main.special_placement "
                      "WHERE id BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535 ORDER BY id",
    [STMT_SPECIAL_INSERT] = INSERT_SPECIALS ROW_MARKS(SPECIAL_ROW),
    [STMT_SPECIALS_INSERT_FEW] = INSERT_SPECIALS EIGHT(SPECIAL_ROW),
    [STMT_SPECIALS_INSERT] = INSERT_SPECIALS THIRTY_TWO(SPECIAL_ROW),
    [STMT_SPECIALS_DELETE] = "DELETE FROM special_placement "
                             "WHERE id BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535",
    [STMT_PACKS] =
        "SELECT " PACK_COLUMNS " FROM main.pack WHERE id BETWEEN ?1 * 8 AND ?1 * 8 + 7 "
        "ORDER BY id",
    [STMT_PACK_FIND] = "SELECT " PACK_COLUMNS " FROM main.pack WHERE id = ?",
    [STMT_PACK_INSERT] = ROW_INSERT(PACK_ROW, "pack"),
    [STMT_PACKS_DELETE] = "DELETE FROM pack WHERE id BETWEEN ?1 * 8 AND ?1 * 8 + 7",
    [STMT_EVENTS] =
        "SELECT " EVENT_COLUMNS " FROM main.event WHERE chunk_id = ? ORDER BY number",
    [STMT_EVENT_INSERT] = ROW_INSERT(EVENT_ROW, "event"),
    [STMT_EVENTS_DELETE] = "DELETE FROM event WHERE chunk_id = ?",
    [STMT_EDGE_FIND] = "SELECT " EDGE_COLUMNS
                       " FROM main.edge WHERE world_id = ? AND x = ? AND y = ? AND side = ?",
    [STMT_EDGE_NEXT_ID] = NEXT_ID("edge"),
    [STMT_EDGE_INSERT] = ROW_INSERT(EDGE_ROW, "edge"),
    [STMT_EDGE_DELETE] = "DELETE FROM edge WHERE id = ?",
    [STMT_CROSSING_READ] = "SELECT " CROSSING_COLUMNS " FROM main.crossing "
                           "WHERE edge_id = ? ORDER BY z, kind, position",
    [STMT_CROSSING_INSERT] = ROW_INSERT(CROSSING_ROW, "crossing"),
    [STMT_CROSSINGS_DELETE] = "DELETE FROM crossing WHERE edge_id = ?",
    [STMT_CHUNK_AFTER] = "SELECT " CHUNK_COLUMNS " FROM main.chunk c WHERE c.world_id = ?1 "
                         "AND (c.x, c.y) > (?2, ?3) ORDER BY c.x, c.y LIMIT 1",
    [STMT_PLACE_AFTER] = "SELECT x, y FROM main.chunk WHERE world_id = ?1"
                         " AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5"
                         " AND (x, y) > (?6, ?7) ORDER BY x, y LIMIT 1",
    [STMT_EDGE_AFTER] = "SELECT x, y, side FROM main.edge WHERE world_id = ?1 "
                        "AND (x, y, side) > (?2, ?3, ?4) ORDER BY x, y, side LIMIT 1",
    [STMT_TOUCH] = "PRAGMA main.schema_version",
    [STMT_TILE_CHUNK] = "SELECT " CHUNK_COLUMNS " FROM main.world w CROSS JOIN main.chunk c "
                        "ON c.world_id = w.id AND c.x = ?2 AND c.y = ?3 WHERE w.name = ?1",
    [STMT_TILE_LEVEL] = "SELECT checksum, omts FROM main.level WHERE id = ?",
    [STMT_OTER_SHAPE] = "SELECT k.terrain, k.rotation, k.line, t.kind "
                        "FROM main.concrete_terrain k CROSS JOIN main.overmap_terrain t "
                        "ON t.id = k.terrain WHERE k.id = ?",
    [STMT_OTER_VARIANT] = "SELECT id FROM main.concrete_terrain "
                          "WHERE id >= ?1 AND id < ?1 || char(1114111) AND terrain = ?1 "
                          "AND variant = ?2",
    [STMT_OTERS_OF_TERRAIN] = "SELECT id FROM main.concrete_terrain "
                              "WHERE id >= ?1 AND id < ?1 || char(1114111) AND terrain = ?1",
    [STMT_CONTENT_CURRENT] = "SELECT id FROM main.content WHERE is_current = 1",
    [STMT_SPECIAL_TILES] = SPECIAL_TILES_SQL,
    [STMT_SWEEP_READ] = "SELECT " SWEEP_COLUMNS
                        " FROM main.sweep WHERE ?1 IS NULL OR name = ?1 ORDER BY id LIMIT 11",
    [STMT_SWEEP_CHUNK_FIND] = "SELECT id FROM main.sweep_chunk "
                              "WHERE sweep_id = ? AND seed = ? AND x = ? AND y = ?",
    [STMT_SWEEP_CHUNK_DELETE] =
        "DELETE FROM sweep_chunk WHERE sweep_id = ? AND seed = ? AND x = ? AND y = ?",
    [STMT_SWEEP_CHUNK_NEXT_ID] = NEXT_ID("sweep_chunk"),
    [STMT_MAP_READ] = "SELECT " MAP_COLUMNS " FROM main.omt_map "
                      "WHERE world_id = ? AND x = ? AND y = ? AND z = ?",
    [STMT_MAP_FIND] = "SELECT id, revision FROM main.omt_map "
                      "WHERE world_id = ? AND x = ? AND y = ? AND z = ?",
    [STMT_MAP_NEXT_ID] = NEXT_ID("omt_map"),
    [STMT_MAPS_LAST] = "SELECT " MAP_COLUMNS " FROM main.omt_map ORDER BY id DESC LIMIT ?",
    [STMT_MAP_INSERT] = ROW_INSERT(MAP_ROW, "omt_map"),
    [STMT_MAP_DELETE] = "DELETE FROM omt_map WHERE id = ?",
    [STMT_MAPS] = "SELECT " MAP_COLUMNS " FROM main.omt_map WHERE world_id = ?1 "
                  "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 AND revision > ?6 "
                  "ORDER BY x, y, z",
    [STMT_MAPS_DROP] = "DELETE FROM omt_map WHERE world_id = ?1 "
                       "AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 AND edited = 0",
    [STMT_SURGES] = "SELECT " SURGE_COLUMNS " FROM main.surge WHERE world_id = ?1 "
                    "AND x BETWEEN ?2 AND ?3 ORDER BY x, y, begins",
    [STMT_SURGE_NEXT_ID] = NEXT_ID("surge"),
    [STMT_SURGE_INSERT] = ROW_INSERT(SURGE_ROW, "surge"),
    [STMT_SURGE_DELETE] =
        "DELETE FROM surge WHERE world_id = ? AND x = ? AND y = ? AND begins = ?",
    [STMT_SPILL_READ] = "SELECT " COLUMNS_OF_S " FROM main.omt_map m JOIN main.omt_spill s "
                        "ON s.id = m.id WHERE m.world_id = ? AND m.x = ? AND m.y = ? "
                        "AND m.z = ?",
    [STMT_SPILL_INSERT] = ROW_INSERT(SPILL_ROW, "omt_spill"),
    [STMT_SPILL_DELETE] = "DELETE FROM omt_spill WHERE id = ?",
    [STMT_SPILLS_DROP] = SPILLS_OF_AREA ")",
    [STMT_SPILLS_DROP_UNEDITED] = SPILLS_OF_AREA " AND edited = 0)",
    [STMT_WORLD_NEXT_ID] = NEXT_ID("world"),
    [STMT_RUN_NEXT_ID] = NEXT_ID("run"),
    [STMT_SWEEP_NEXT_ID] = NEXT_ID("sweep"),
    [STMT_ASIDE_NEXT_ID] = NEXT_ID("set_aside"),
    [STMT_SWEEP_INSERT] = ROW_INSERT(SWEEP_ROW, "sweep"),
    [STMT_ASIDE_INSERT] = ROW_INSERT(ASIDE_ROW, "set_aside"),
    [STMT_SWEEP_CHUNK_INSERT] = ROW_INSERT(SWEEP_CHUNK_ROW, "sweep_chunk"),
    [STMT_SWEEP_CHUNKS] = "SELECT " SWEEP_CHUNK_COLUMNS " FROM main.sweep_chunk "
                          "WHERE sweep_id = ?1 AND (seed, x, y) > (?2, ?3, ?4) "
                          "ORDER BY seed, x, y LIMIT ?5",
};

ptl_status stmt_prepared(stmt **out, ptl_store *store, stmt_id id, ptl_error *err)
{
    ptl_status status = sqlite_settle(store, err);
    if (status == PTL_OK && !store->prepared[id])
        status = stmt_prepare(&store->prepared[id], store, sql_of[id], err);
    *out = store->prepared[id];
    return status;
}

ptl_status stmt_run_with(ptl_store *store, stmt_id id, const int64_t *values, int count,
                         ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepared(&s, store, id, err));
    stmt_bind_ints(s, values, count);
    return stmt_run(s, err);
}

ptl_status row_new_id(int64_t *out, ptl_store *store, stmt_id id, const char *table,
                      ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *out = 0;
    ptl_status status = stmt_prepared(&s, store, id, err);
    THEN(status, stmt_step(s, &row, err));
    if (status == PTL_OK && row)
        *out = stmt_int(s, 0);
    if (s)
        stmt_reset(s);
    if (status == PTL_OK && (*out < 1 || *out > CHUNK_ID_MAX))
        status = error_set(err, PTL_ERR_CORRUPT, "table %s: an id out of range", table);
    return status;
}
