/* Questions about the file as a whole: which chunks, edges and places there are, and which are
 * missing. */
#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"

#include <stdlib.h>
#include <string.h>

static ptl_status list_ids(int64_t **ids, size_t *count, repairer *r, const char *sql,
                           ptl_error *err)
{
    stmt *s = NULL;
    *ids = NULL;
    *count = 0;
    ptl_status status = stmt_prepare(&s, r->store, sql, err);
    THEN(status, repair_ids_list(ids, count, s, err));
    stmt_free(s);
    return status;
}

ptl_status repair_chunk_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err)
{
    return list_ids(ids, count, r, "SELECT id FROM chunk ORDER BY id", err);
}

ptl_status repair_orphan_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err)
{
    return list_ids(
        ids, count, r,
        "SELECT n FROM (SELECT id >> 5 AS n FROM level UNION SELECT id >> 3 FROM pack "
        "UNION SELECT id >> 16 FROM special_placement UNION SELECT chunk_id FROM city "
        "UNION SELECT chunk_id FROM radio UNION SELECT chunk_id FROM event) "
        "WHERE typeof(n) = 'integer' AND n NOT IN (SELECT id FROM chunk) ORDER BY n",
        err);
}

ptl_status repair_chunks_count(uint64_t *out, repairer *r, ptl_error *err)
{
    int64_t count = 0;
    TRY(stmt_ask(&count, r->store, "SELECT count(*) FROM chunk", NULL, 0, err));
    *out = (uint64_t)count;
    return PTL_OK;
}

ptl_status repair_chunks_each(repairer *r, repair_visit *visit, void *payload, ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(
        &s, r->store, "SELECT id FROM chunk WHERE id > ?1 ORDER BY id LIMIT 1", err);
    while (stmt_row_after(s, &after, "chunk", &status, err)) {
        stmt_reset(s);
        status = visit(payload, after, err);
    }
    stmt_free(s);
    return status;
}

ptl_status repair_chunk_find(repair_chunk *out, bool *found, repairer *r, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, r->store, "SELECT id FROM chunk WHERE world_id = ? AND x = ? AND y = ?", err);
    memset(out, 0, sizeof *out);
    *found = false;
    TRY(status);
    stmt_bind_ints(s, (const int64_t[]){world_id, pos.x, pos.y}, 3);
    status = stmt_step(s, found, err);
    if (status == PTL_OK && *found)
        status = repair_chunk_read(out, r->store, stmt_int(s, 0), err);
    stmt_free(s);
    return status;
}

ptl_status repair_world_find(char **name, repairer *r, int64_t world_id, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *name = NULL;
    TRY(stmt_prepare(&s, r->store, "SELECT name FROM world WHERE id = ?", err));
    stmt_bind_int(s, 1, world_id);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_NOT_FOUND, "its world has no row");
    if (status == PTL_OK) {
        *name = strdup(stmt_text(s, 0));
        status = *name ? PTL_OK : error_nomem(err);
    }
    stmt_free(s);
    return status;
}

/* ---- places ---- */

/* A chunk's edges are stored at its own place (east and south) and at its western and northern
 * neighbours'. */
ptl_status repair_places_free(repair_free_place **out, size_t *count, repairer *r, int64_t id,
                              ptl_error *err)
{
    stmt *s = NULL;
    repair_free_place *list = NULL;
    size_t room = 0;
    *count = 0;
    ptl_status status = stmt_prepare(
        &s, r->store,
        "SELECT e.world_id, e.x, e.y FROM edge e "
        "WHERE e.side = 'E' AND typeof(e.x) = 'integer' AND typeof(e.y) = 'integer' "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x "
        "AND o.y = e.y AND o.side = 'S') "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x - 1 "
        "AND o.y = e.y AND o.side = 'E') "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x "
        "AND o.y = e.y - 1 AND o.side = 'S') "
        "AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.world_id = e.world_id AND c.x = e.x "
        "AND c.y = e.y AND c.id <> ?1) ORDER BY 1, 2, 3",
        err);
    if (status == PTL_OK)
        stmt_bind_int(s, 1, id);
    while (stmt_row(s, &status, err)) {
        if (!ARRAY_ROOM(list, room, *count + 1)) {
            status = error_nomem(err);
            break;
        }
        list[(*count)++] = (repair_free_place){
            stmt_int(s, 0), {(int32_t)stmt_int(s, 1), (int32_t)stmt_int(s, 2)}};
    }
    stmt_free(s);
    *out = list;
    return status;
}

ptl_status repair_place_run(int64_t *out, repairer *r, const repair_free_place *at,
                            int64_t said, int64_t id, ptl_error *err)
{
    const int64_t parameters[] = {said, at->world_id, id, at->pos.x, at->pos.y};
    *out = said;
    return stmt_ask(
        out, r->store,
        "SELECT coalesce((SELECT id FROM run WHERE id = ?1 AND world_id = ?2), "
        "(SELECT max(n) FROM (SELECT run_id AS n FROM chunk WHERE id = (SELECT max(id) FROM "
        "chunk WHERE world_id = ?2 AND id < ?3) UNION ALL SELECT run_id FROM edge "
        "WHERE world_id = ?2 AND (x = ?4 AND y = ?5 OR x = ?4 - 1 AND y = ?5 AND side = 'E' "
        "OR x = ?4 AND y = ?5 - 1 AND side = 'S')) WHERE n IN (SELECT id FROM run)), ?1)",
        parameters, sizeof parameters / sizeof *parameters, err);
}

/* ---- edges that chunks lack ---- */

#define IN_RANGE "BETWEEN -4194304 AND 4194304"
#define LACKING(dx, dy, side)                                                                  \
    "SELECT c.world_id, c.x - " #dx ", c.y - " #dy ", '" side "', c.id FROM chunk c "          \
    "WHERE typeof(c.x) = 'integer' AND typeof(c.y) = 'integer' "                               \
    "AND c.x " IN_RANGE " AND c.y " IN_RANGE " "                                               \
    "AND NOT EXISTS (SELECT 1 FROM edge e WHERE e.world_id = c.world_id "                      \
    "AND e.x = c.x - " #dx " AND e.y = c.y - " #dy " AND e.side = '" side "')"

ptl_status repair_edges_missing(repair_lost_edge **out, size_t *count, repairer *r,
                                ptl_error *err)
{
    stmt *s = NULL;
    repair_lost_edge *list = NULL;
    size_t room = 0;
    *count = 0;
    ptl_status status = stmt_prepare(
        &s, r->store,
        "SELECT DISTINCT world_id, x, y, side FROM ("
        "SELECT NULL AS world_id, 0 AS x, 0 AS y, '' AS side, "
        "0 AS id WHERE 0 UNION ALL " LACKING(0, 0, "E") " UNION ALL " LACKING(
            0, 0,
            "S") " UNION ALL " LACKING(1, 0,
                                       "E") " UNION ALL " LACKING(0, 1,
                                                                  "S") ") ORDER BY 1, 2, 3, 4",
        err);
    while (stmt_row(s, &status, err)) {
        if (!ARRAY_ROOM(list, room, *count + 1)) {
            status = error_nomem(err);
            break;
        }
        list[(*count)++] = (repair_lost_edge){
            stmt_int(s, 0),
            {.x = (int32_t)stmt_int(s, 1),
             .y = (int32_t)stmt_int(s, 2),
             .side = strcmp(stmt_text(s, 3), "E") == 0 ? EDGE_EAST : EDGE_SOUTH}};
    }
    stmt_free(s);
    *out = list;
    return status;
}
