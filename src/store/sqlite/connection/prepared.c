#include "store/sqlite/connection/prepared.h"

#include "store/sqlite/connection/store_impl.h"

#include <assert.h>

static_assert((int)STMT_COUNT <= (int)STORE_STMT_MAX, "a slot for every statement");

#define INSERT_SPECIALS "INSERT INTO special_placement (" SPECIAL_COLUMNS ") VALUES "
#define SPECIAL_VALUES  "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
#define NEXT_ID(table)  "SELECT coalesce(max(id), 0) + 1 FROM main." table
#define NAME_VALUES     "(?, ?, ?), (?, ?, ?), (?, ?, ?), (?, ?, ?)"
#define FOUR_SPECIALS   SPECIAL_VALUES ", " SPECIAL_VALUES ", " SPECIAL_VALUES ", " SPECIAL_VALUES
#define EIGHT_SPECIALS  FOUR_SPECIALS ", " FOUR_SPECIALS

static const char *const sql_of[STMT_COUNT] = {
    [STMT_ROLLBACK] = "ROLLBACK",
    [STMT_BEGIN] = "BEGIN",
    [STMT_OTER_READ] = "SELECT id, name, checksum FROM main.oter WHERE id >= ? ORDER BY id",
    [STMT_OTER_INSERT] = "INSERT INTO oter (id, name, checksum) VALUES (?, ?, ?)",
    [STMT_OTERS_INSERT] =
        "INSERT INTO oter (id, name, checksum) VALUES " NAME_VALUES ", " NAME_VALUES,
    [STMT_NAME_READ] = "SELECT id, name, checksum FROM main.name WHERE id >= ? ORDER BY id",
    [STMT_NAME_INSERT] = "INSERT INTO name (id, name, checksum) VALUES (?, ?, ?)",
    [STMT_NAMES_INSERT] =
        "INSERT INTO name (id, name, checksum) VALUES " NAME_VALUES ", " NAME_VALUES,
    [STMT_WORLD_READ] = "SELECT " WORLD_COLUMNS
                        " FROM main.world WHERE ?1 IS NULL OR name = ?1 ORDER BY id LIMIT 11",
    [STMT_WORLD_INSERT] = "INSERT INTO world (" WORLD_COLUMNS
                          ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STMT_RUN_READ] = "SELECT " RUN_COLUMNS " FROM main.run WHERE id = ?",
    [STMT_RUN_INSERT] =
        "INSERT INTO run (id, world_id, command, started, generator_version, content_digest, "
        "portolan_version, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [STMT_RUN_END] = "UPDATE run SET ended = ?2, chunks = ?3, seconds = ?4, outcome = ?5, "
                     "checksum = ?6 WHERE id = ?1",
    [STMT_CONTENT_DIGEST] = "SELECT digest FROM main.content WHERE is_current = 1",
    [STMT_CHUNK_FIND] = "SELECT " CHUNK_COLUMNS
                        " FROM main.chunk c WHERE c.world_id = ? AND c.x = ? AND c.y = ?",
    [STMT_CHUNK_LEVELS] =
        "SELECT id, checksum, tiles FROM main.level WHERE id BETWEEN ?1 AND ?1 + 31 "
        "ORDER BY id",
    [STMT_CHUNK_LEVEL] =
        "SELECT " CHUNK_COLUMNS ", l.id, l.checksum, l.tiles FROM main.chunk c "
        "LEFT JOIN main.level l ON l.id = c.id * 32 + ?4 "
        "WHERE c.world_id = ?1 AND c.x = ?2 AND c.y = ?3",
    [STMT_CHUNK_NEXT_ID] = NEXT_ID("chunk"),
    [STMT_CHUNK_INSERT] =
        "INSERT INTO chunk (id, world_id, x, y, level_mask, fill, generator_version, "
        "content_id, last_step, run_id, tile_digest, levels_checksum, origin, "
        "feature_digest, features_checksum, checksum) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STMT_CHUNK_DELETE] = "DELETE FROM chunk WHERE id = ?",
    [STMT_LEVEL_INSERT] = "INSERT INTO level (id, checksum, tiles) VALUES (?, ?, ?)",
    [STMT_LEVELS_DELETE] = "DELETE FROM level WHERE id BETWEEN ?1 * 32 AND ?1 * 32 + 31",
    [STMT_CITIES] = "SELECT " CITY_COLUMNS " FROM main.city WHERE chunk_id = ? ORDER BY number",
    [STMT_CITY_INSERT] = "INSERT INTO city (" CITY_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [STMT_CITIES_DELETE] = "DELETE FROM city WHERE chunk_id = ?",
    [STMT_RADIOS] =
        "SELECT " RADIO_COLUMNS " FROM main.radio WHERE chunk_id = ? ORDER BY number",
    [STMT_RADIO_INSERT] =
        "INSERT INTO radio (" RADIO_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STMT_RADIOS_DELETE] = "DELETE FROM radio WHERE chunk_id = ?",
    [STMT_SPECIALS] = "SELECT " SPECIAL_COLUMNS " FROM main.special_placement "
                      "WHERE id BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535 ORDER BY id",
    [STMT_SPECIAL_INSERT] = INSERT_SPECIALS SPECIAL_VALUES,
    [STMT_SPECIALS_INSERT_FEW] = INSERT_SPECIALS EIGHT_SPECIALS,
    [STMT_SPECIALS_INSERT] = INSERT_SPECIALS EIGHT_SPECIALS
    ", " EIGHT_SPECIALS ", " EIGHT_SPECIALS ", " EIGHT_SPECIALS,
    [STMT_SPECIALS_DELETE] = "DELETE FROM special_placement "
                             "WHERE id BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535",
    [STMT_PACKS] =
        "SELECT id, checksum, data FROM main.pack WHERE id BETWEEN ?1 * 8 AND ?1 * 8 + 7 "
        "ORDER BY id",
    [STMT_PACK_INSERT] = "INSERT INTO pack (id, checksum, data) VALUES (?, ?, ?)",
    [STMT_PACKS_DELETE] = "DELETE FROM pack WHERE id BETWEEN ?1 * 8 AND ?1 * 8 + 7",
    [STMT_EVENT_INSERT] =
        "INSERT INTO event (chunk_id, number, step, kind, x, y, z, detail, checksum) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STMT_EVENTS_DELETE] = "DELETE FROM event WHERE chunk_id = ?",
    [STMT_EDGE_FIND] = "SELECT " EDGE_COLUMNS
                       " FROM main.edge WHERE world_id = ? AND x = ? AND y = ? AND side = ?",
    [STMT_EDGE_NEXT_ID] = NEXT_ID("edge"),
    [STMT_EDGE_INSERT] =
        "INSERT INTO edge (" EDGE_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STMT_EDGE_DELETE] = "DELETE FROM edge WHERE id = ?",
    [STMT_CROSSING_READ] = "SELECT z, kind, position, width, direction FROM main.crossing "
                           "WHERE edge_id = ? ORDER BY z, kind, position",
    [STMT_CROSSING_INSERT] =
        "INSERT INTO crossing (edge_id, z, kind, position, width, direction) "
        "VALUES (?, ?, ?, ?, ?, ?)",
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
    [STMT_TILE_LEVEL] = "SELECT checksum, tiles FROM main.level WHERE id = ?",
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
    [STMT_WORLD_NEXT_ID] = NEXT_ID("world"),
    [STMT_RUN_NEXT_ID] = NEXT_ID("run"),
    [STMT_SWEEP_NEXT_ID] = NEXT_ID("sweep"),
    [STMT_ASIDE_NEXT_ID] = NEXT_ID("set_aside"),
    [STMT_SWEEP_CHUNK_INSERT] = "INSERT INTO sweep_chunk (" SWEEP_CHUNK_COLUMNS
                                ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [STMT_SWEEP_CHUNKS] = "SELECT " SWEEP_CHUNK_COLUMNS " FROM main.sweep_chunk "
                          "WHERE sweep_id = ?1 AND (seed, x, y) > (?2, ?3, ?4) "
                          "ORDER BY seed, x, y LIMIT ?5",
};

ptl_status stmt_prepared(stmt **out, ptl_store *store, stmt_id id, ptl_error *err)
{
    ptl_status status = store_settle(store, err);
    if (status == PTL_OK && !store->prepared[id])
        status = stmt_prepare(&store->prepared[id], store, sql_of[id], err);
    *out = store->prepared[id];
    return status;
}

ptl_status row_new_id(int64_t *out, ptl_store *store, stmt_id id, const char *table,
                      ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *out = 0;
    ptl_status status = stmt_prepared(&s, store, id, err);
    if (status == PTL_OK)
        status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        *out = stmt_int(s, 0);
    if (s)
        stmt_reset(s);
    if (status == PTL_OK && (*out < 1 || *out > CHUNK_ID_MAX))
        status = error_set(err, PTL_ERR_CORRUPT, "table %s: an id out of range", table);
    return status;
}
