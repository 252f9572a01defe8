/* What edge records say. A row stands for both sides: E of (x, y) is W of (x + 1, y). */
#include "cli/show.h"

#include "cli/output.h"
#include "cli/result.h"

#include <inttypes.h>
#include <stdio.h>

static const char crossings_sql[] =
    "SELECT c.z, c.kind, c.position, c.width, CASE c.direction WHEN 0 THEN 'none' "
    "WHEN 1 THEN 'to the %s' ELSE 'to the %s' END AS flows "
    "FROM crossing c WHERE c.edge_id = %" PRId64 " ORDER BY c.z, c.kind, c.position";

typedef struct edge_head {
    int64_t id, foreign;
} edge_head;

static bool keep_head(void *payload, size_t columns, const char *const *names,
                      const ptl_value *values)
{
    edge_head *h = payload;
    (void)names;
    if (columns == 2)
        *h = (edge_head){values[0].integer, values[1].integer};
    return true;
}

static int find_edge(session *s, int32_t x, int32_t y, char side, edge_head *out)
{
    int64_t world_id = 0;
    char sql[256];
    if (session_world_id(s, &world_id) != EXIT_DONE)
        return EXIT_FAILED;
    *out = (edge_head){-1, 0};
    snprintf(sql, sizeof sql,
             "SELECT id, origin = 'foreign' FROM edge WHERE world_id = %" PRId64
             " AND x = %d AND y = %d AND side = '%c'",
             world_id, x, y, side);
    ptl_query_options o = {.on_row = keep_head, .payload = out};
    if (ptl_query(s->store, sql, &o, &s->err) != PTL_OK)
        return session_failed(s);
    return EXIT_DONE;
}

int show_edge(session *s, int32_t x, int32_t y, char side, bool json)
{
    edge_head head;
    char sql[sizeof crossings_sql + 64];
    int code = find_edge(s, x, y, side, &head);
    if (code != EXIT_DONE)
        return code;
    const char *origin = head.id < 0 ? "not saved" : head.foreign ? "foreign" : "planned";
    snprintf(sql, sizeof sql, crossings_sql, side == 'S' ? "south" : "east",
             side == 'S' ? "north" : "west", head.id);
    if (json) {
        out_printf("{\"x\": %d, \"y\": %d, \"side\": \"%c\", \"origin\": \"%s\", "
                   "\"crossings\": ",
                   x, y, side, origin);
        code = result_print(s, sql, RESULT_JSON, NULL);
        out_text("}");
        return code;
    }
    out_printf("edge %d,%d,%c (to chunk %d,%d): %s", x, y, side, side == 'E' ? x + 1 : x,
               side == 'S' ? y + 1 : y, origin);
    if (head.id < 0) {
        out_text("; it is when one of the two chunks is generated\n");
        return EXIT_DONE;
    }
    int64_t count = 0;
    if (ask_int(s, &count, "SELECT count(*) FROM crossing WHERE edge_id = %" PRId64, head.id) !=
        PTL_OK)
        return session_failed(s);
    out_printf(", %lld crossing%s\n", (long long)count, count == 1 ? "" : "s");
    return count ? result_print(s, sql, RESULT_TABLE, NULL) : EXIT_DONE;
}

int show_chunk_edges(session *s, ptl_chunk_pos pos, bool json)
{
    const struct {
        const char *name;
        int32_t x, y;
        char side;
    } edges[] = {{"north", pos.x, pos.y - 1, 'S'},
                 {"east", pos.x, pos.y, 'E'},
                 {"south", pos.x, pos.y, 'S'},
                 {"west", pos.x - 1, pos.y, 'E'}};
    int code = EXIT_DONE;
    if (json)
        out_text("{");
    for (size_t i = 0; i < 4 && code == EXIT_DONE; i++) {
        if (json)
            out_printf(i ? ",\n\"%s\": " : "\"%s\": ", edges[i].name);
        else
            out_printf("%s: ", edges[i].name);
        code = show_edge(s, edges[i].x, edges[i].y, edges[i].side, json);
    }
    if (json)
        out_text("}");
    return code;
}
