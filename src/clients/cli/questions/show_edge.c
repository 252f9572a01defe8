/* What edge records say. A row stands for both sides: E of (x, y) is W of (x + 1, y). */
#include "clients/cli/line/output.h"
#include "clients/cli/questions/show.h"
#include "portolan/features.h"

#include <stdio.h>
#include <string.h>

enum { SIDES = 4 };

/* A side of the chunk that was asked for, in the order of portolan/features.h, and the edge as
 * it is stored. */
typedef struct edge {
    const ptl_features *of;
    size_t number; /* of the side */
    int32_t x, y;
    char side;
    ptl_chunk_edge is;
} edge;

static const char *const names[SIDES] = {"north", "east", "south", "west"};

static edge edge_of(const ptl_features *f, ptl_chunk_pos pos, size_t number)
{
    edge e = {.of = f, .number = number, .x = pos.x, .y = pos.y, .is = PTL_CHUNK_EDGE_INIT};
    e.side = number % 2 == 0 ? 'S' : 'E';
    e.y -= number == 0;
    e.x -= number == 3;
    (void)ptl_features_edge(f, number, &e.is);
    return e;
}

static const char *origin_of(const edge *e)
{
    return !e->is.saved ? "not saved" : e->is.foreign ? "foreign" : "planned";
}

/* ---- crossings ---- */

static const char *flow_of(const edge *e, int32_t direction)
{
    if (direction == 0)
        return "none";
    if (e->side == 'S')
        return direction == 1 ? "to the south" : "to the north";
    return direction == 1 ? "to the east" : "to the west";
}

static bool put_crossing(row_printer *r, const ptl_crossing *c)
{
    return rows_int(r, c->z) && rows_text(r, c->kind) && rows_int(r, c->position) &&
           rows_int(r, c->width);
}

static int print_end(session *s, bool good)
{
    return good || !out_ok() ? EXIT_DONE : session_no_memory(s);
}

static int print_crossings(session *s, const edge *e, const rows_style *style)
{
    static const report_column columns[] = {
        {"z", "z", -1, 0},         {"kind", "kind", -1, 0},   {"position", "position", -1, 0},
        {"width", "width", -1, 0}, {"flows", "flows", -1, 0}, {NULL, NULL, 0, 0}};
    rows_style look = *style;
    look.blocks = true; /* each column was asked for */
    row_printer *r = rows_new(&look, columns, false);
    bool good = r != NULL;
    ptl_crossing c = PTL_CROSSING_INIT;
    for (size_t i = 0; good && ptl_features_crossing(e->of, e->number, i, &c) == PTL_OK; i++)
        good = put_crossing(r, &c) && rows_text(r, flow_of(e, c.direction));
    rows_finish(r);
    return print_end(s, good);
}

/* ---- for the eye ---- */

static int print_words(session *s, const edge *e, bool named, const rows_style *style)
{
    const size_t count = e->is.crossing_count;
    if (named)
        out_printf("%s: ", names[e->number]);
    out_printf("edge %d,%d,%c (to chunk %d,%d): %s", e->x, e->y, e->side,
               e->side == 'E' ? e->x + 1 : e->x, e->side == 'S' ? e->y + 1 : e->y,
               origin_of(e));
    if (!e->is.saved) {
        out_text("; it is when one of the two chunks is generated\n");
        return EXIT_DONE;
    }
    out_printf(", %zu crossing%s\n", count, count == 1 ? "" : "s");
    return count ? print_crossings(s, e, style) : EXIT_DONE;
}

/* ---- for machines ---- */

static int print_json(session *s, const edge *e)
{
    static const rows_style style = {.format = ROWS_JSON};
    out_printf("{\"x\": %d, \"y\": %d, \"side\": \"%c\", \"origin\": \"%s\", "
               "\"crossings\": ",
               e->x, e->y, e->side, origin_of(e));
    const int code = print_crossings(s, e, &style);
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
        out_printf(i ? ",\n\"%s\": " : "\"%s\": ", names[edges[i].number]);
        code = print_json(s, &edges[i]);
    }
    out_text("}\n");
    return code;
}

static bool put_edge(row_printer *r, const edge *e)
{
    const char side[2] = {e->side, '\0'};
    return rows_int(r, e->x) && rows_int(r, e->y) && rows_text(r, side) &&
           rows_text(r, origin_of(e));
}

/* An edge's rows: one for each crossing, or one without. */
static bool put_rows(row_printer *r, const edge *e)
{
    ptl_crossing c = PTL_CROSSING_INIT;
    size_t i = 0;
    bool good = true;
    for (; good && ptl_features_crossing(e->of, e->number, i, &c) == PTL_OK; i++)
        good = put_edge(r, e) && put_crossing(r, &c) && rows_int(r, c.direction);
    if (i == 0)
        good = put_edge(r, e);
    for (int k = 0; i == 0 && k < 5 && good; k++)
        good = rows_none(r);
    return good;
}

/* Prints one table of all crossings of these edges that are saved, by the edges' y, x and side.
 */
static int print_rows(session *s, const edge *edges, size_t count, const rows_style *style)
{
    static const report_column columns[] = {{"x", "x", -1, 0},
                                            {"y", "y", -1, 0},
                                            {"side", "side", -1, 0},
                                            {"origin", "origin", -1, 0},
                                            {"z", "z", -1, 0},
                                            {"kind", "kind", -1, 0},
                                            {"position", "position", -1, 0},
                                            {"width", "width", -1, 0},
                                            {"direction", "direction", -1, 0},
                                            {NULL, NULL, 0, 0}};
    static const size_t order[SIDES] = {0, 3, 1, 2};
    row_printer *r = rows_new(style, columns, false);
    bool good = r != NULL;
    for (size_t i = 0; i < SIDES && good; i++) {
        const size_t at = count == SIDES ? order[i] : i;
        if (at < count && edges[at].is.saved)
            good = put_rows(r, &edges[at]);
    }
    rows_finish(r);
    return print_end(s, good);
}

static int print_edges(session *s, const edge *edges, size_t count, const rows_style *style)
{
    int code = EXIT_DONE;
    if (style->format == ROWS_JSON)
        return print_all_json(s, edges, count);
    if (style->format != ROWS_TABLE)
        return print_rows(s, edges, count, style);
    for (size_t i = 0; i < count && code == EXIT_DONE; i++)
        code = print_words(s, &edges[i], count > 1, style);
    return code;
}

int show_edges_of(session *s, ptl_chunk_pos pos, char side, const rows_style *style)
{
    edge edges[SIDES];
    size_t count = 0;
    ptl_features *f;
    if (ptl_edges_load(&f, s->world, pos, &s->err) != PTL_OK)
        return session_failed(s);
    for (size_t i = 0; i < SIDES; i++)
        if (!side || i == (side == 'E' ? 1 : 2))
            edges[count++] = edge_of(f, pos, i);
    const int code = print_edges(s, edges, count, style);
    ptl_features_free(f);
    return code;
}
