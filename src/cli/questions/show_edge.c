/* What edge records say. A row stands for both sides: E of (x, y) is W of (x + 1, y). */
#include "cli/line/output.h"
#include "cli/questions/show.h"
#include "cli/session/result.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char crossings_sql[] =
    "SELECT c.z, c.kind, c.position, c.width, CASE c.direction WHEN 0 THEN 'none' "
    "WHEN 1 THEN 'to the %s' ELSE 'to the %s' END AS flows "
    "FROM crossing c WHERE c.edge_id = %" PRId64 " ORDER BY c.z, c.kind, c.position";

/* An edge as it is stored. */
typedef struct edge {
    const char *name; /* seen from the chunk that was asked for; NULL: it was named itself */
    int32_t x, y;
    char side;
    int64_t id, foreign; /* id -1: not saved */
} edge;

static bool keep_row(void *payload, size_t columns, const char *const *names,
                     const ptl_value *values)
{
    edge *e = payload;
    (void)names;
    if (columns == 2) {
        e->id = values[0].integer;
        e->foreign = values[1].integer;
    }
    return true;
}

static int find_edge(session *s, edge *e)
{
    int64_t world_id = 0;
    char sql[256];
    if (session_world_id(s, &world_id) != EXIT_DONE)
        return EXIT_FAILED;
    e->id = -1;
    snprintf(sql, sizeof sql,
             "SELECT id, origin = 'foreign' FROM edge WHERE world_id = %" PRId64
             " AND x = %d AND y = %d AND side = '%c'",
             world_id, e->x, e->y, e->side);
    const ptl_query_options o = {.size = sizeof o, .on_row = keep_row, .payload = e};
    return ptl_query(s->store, sql, &o, &s->err) == PTL_OK ? EXIT_DONE : session_failed(s);
}

static const char *origin_of(const edge *e)
{
    return e->id < 0 ? "not saved" : e->foreign ? "foreign" : "planned";
}

static void crossings_of(const edge *e, char *sql, size_t size)
{
    snprintf(sql, size, crossings_sql, e->side == 'S' ? "south" : "east",
             e->side == 'S' ? "north" : "west", e->id);
}

/* ---- for the eye ---- */

static int print_words(session *s, const edge *e, const rows_style *style)
{
    char sql[sizeof crossings_sql + 64];
    if (e->name)
        out_printf("%s: ", e->name);
    out_printf("edge %d,%d,%c (to chunk %d,%d): %s", e->x, e->y, e->side,
               e->side == 'E' ? e->x + 1 : e->x, e->side == 'S' ? e->y + 1 : e->y,
               origin_of(e));
    if (e->id < 0) {
        out_text("; it is when one of the two chunks is generated\n");
        return EXIT_DONE;
    }
    int64_t count = 0;
    if (ask_int(s, &count, "SELECT count(*) FROM crossing WHERE edge_id = %" PRId64, e->id) !=
        PTL_OK)
        return session_failed(s);
    out_printf(", %" PRId64 " crossing%s\n", count, count == 1 ? "" : "s");
    crossings_of(e, sql, sizeof sql);
    return count ? result_print(s, sql, style, NULL) : EXIT_DONE;
}

/* ---- for machines ---- */

static int print_json(session *s, const edge *e)
{
    static const rows_style style = {.format = ROWS_JSON};
    char sql[sizeof crossings_sql + 64];
    out_printf("{\"x\": %d, \"y\": %d, \"side\": \"%c\", \"origin\": \"%s\", "
               "\"crossings\": ",
               e->x, e->y, e->side, origin_of(e));
    crossings_of(e, sql, sizeof sql);
    const int code = result_print(s, sql, &style, NULL);
    out_text("}");
    return code;
}

static int print_all_json(session *s, const edge *edges, size_t count)
{
    int code = EXIT_DONE;
    if (count == 1) {
        code = print_json(s, edges);
        out_text("\n");
        return code;
    }
    out_text("{");
    for (size_t i = 0; i < count && code == EXIT_DONE; i++) {
        out_printf(i ? ",\n\"%s\": " : "\"%s\": ", edges[i].name);
        code = print_json(s, &edges[i]);
    }
    out_text("}\n");
    return code;
}

/* Prints one table of all crossings of these edges. */
static int print_rows(session *s, const edge *edges, size_t count, const rows_style *style)
{
    char sql[1000];
    int size = snprintf(sql, sizeof sql,
                        "SELECT e.x, e.y, e.side, e.origin, c.z, c.kind, c.position, c.width, "
                        "c.direction FROM edge e LEFT JOIN crossing c ON c.edge_id = e.id "
                        "WHERE e.id IN (");
    for (size_t i = 0; i < count && size > 0 && (size_t)size < sizeof sql; i++)
        size += snprintf(sql + size, sizeof sql - (size_t)size, "%s%" PRId64, i ? ", " : "",
                         edges[i].id);
    if (size > 0 && (size_t)size < sizeof sql)
        snprintf(sql + size, sizeof sql - (size_t)size,
                 ") ORDER BY e.y, e.x, e.side, c.z, c.kind, c.position");
    return result_print(s, sql, style, NULL);
}

int show_edges_of(session *s, ptl_chunk_pos pos, char side, const rows_style *style)
{
    edge edges[] = {{.name = "north", .x = pos.x, .y = pos.y - 1, .side = 'S'},
                    {.name = "east", .x = pos.x, .y = pos.y, .side = 'E'},
                    {.name = "south", .x = pos.x, .y = pos.y, .side = 'S'},
                    {.name = "west", .x = pos.x - 1, .y = pos.y, .side = 'E'}};
    size_t count = 4;
    int code = EXIT_DONE;
    if (side) {
        edges[0] = (edge){.x = pos.x, .y = pos.y, .side = side};
        count = 1;
    }
    for (size_t i = 0; i < count && code == EXIT_DONE; i++)
        code = find_edge(s, &edges[i]);
    if (code != EXIT_DONE)
        return code;
    if (style->format == ROWS_JSON)
        return print_all_json(s, edges, count);
    if (style->format != ROWS_TABLE)
        return print_rows(s, edges, count, style);
    for (size_t i = 0; i < count && code == EXIT_DONE; i++)
        code = print_words(s, &edges[i], style);
    return code;
}
