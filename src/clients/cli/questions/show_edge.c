/* What edge records say. A row stands for both sides: E of (x, y) is W of (x + 1, y). */
#include "clients/cli/questions/show.h"
#include "portolan/features.h"

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

static int print_crossings(session *s, const edge *e)
{
    static const report_column columns[] = {COLUMN(z),     COLUMN(kind),  COLUMN(position),
                                            COLUMN(width), COLUMN(flows), COLUMNS_END};
    rows_style look = s->style;
    look.blocks = true; /* each column was asked for */
    row_printer *r = rows_new(&look, columns, false);
    ptl_crossing c = PTL_CROSSING_INIT;
    for (size_t i = 0; ptl_features_crossing(e->of, e->number, i, &c) == PTL_OK; i++)
        (void)rows_put(r, CELLS(cell_int(c.z), cell_text(c.kind), cell_int(c.position),
                                cell_int(c.width), cell_text(flow_of(e, c.direction))));
    return session_printed(s, rows_finish(r));
}

/* ---- for the eye ---- */

static int print_words(session *s, const edge *e, bool named)
{
    const size_t count = e->is.crossing_count;
    if (named)
        out_printf("%s: ", names[e->number]);
    out_printf("edge %d,%d,%c (to chunk %d,%d): %s", e->x, e->y, e->side,
               e->side == 'E' ? e->x + 1 : e->x, e->side == 'S' ? e->y + 1 : e->y,
               origin_of(e));
    if (e->is.saved)
        out_printf(", %zu crossing%s\n", count, plural(count));
    else
        out_text("; it is when one of the two chunks is generated\n");
    return e->is.saved && count ? print_crossings(s, e) : EXIT_DONE;
}

/* ---- for machines ---- */

static int print_json(session *s, const edge *edges, size_t count)
{
    out_text(count > 1 ? "{" : "");
    for (size_t i = 0; i < count; i++) {
        const edge *e = &edges[i];
        if (count > 1)
            out_printf(i ? ",\n\"%s\": " : "\"%s\": ", names[e->number]);
        out_printf("{\"x\": %d, \"y\": %d, \"side\": \"%c\", \"origin\": \"%s\", "
                   "\"crossings\": ",
                   e->x, e->y, e->side, origin_of(e));
        NEED(print_crossings(s, e));
        out_text("}");
    }
    out_text(count > 1 ? "}\n" : "\n");
    return EXIT_DONE;
}

/* An edge's rows: one for each crossing, or one without. */
static void put_rows(row_printer *r, const edge *e)
{
    const char side[2] = {e->side, '\0'};
    ptl_crossing c = PTL_CROSSING_INIT;
    size_t i = 0;
    for (; ptl_features_crossing(e->of, e->number, i, &c) == PTL_OK; i++)
        (void)rows_put(r,
                       CELLS(cell_int(e->x), cell_int(e->y), cell_text(side),
                             cell_text(origin_of(e)), cell_int(c.z), cell_text(c.kind),
                             cell_int(c.position), cell_int(c.width), cell_int(c.direction)));
    if (i == 0)
        (void)rows_put(r, CELLS(cell_int(e->x), cell_int(e->y), cell_text(side),
                                cell_text(origin_of(e)), cell_none(), cell_none(), cell_none(),
                                cell_none(), cell_none()));
}

/* Prints one table of all crossings of these edges that are saved, by the edges' y, x and side.
 */
static int print_rows(session *s, const edge *edges, size_t count)
{
    static const report_column columns[] = {
        COLUMN(x),    COLUMN(y),        COLUMN(side),  COLUMN(origin),    COLUMN(z),
        COLUMN(kind), COLUMN(position), COLUMN(width), COLUMN(direction), COLUMNS_END};
    static const size_t order[SIDES] = {0, 3, 1, 2};
    row_printer *r = rows_new(&s->style, columns, false);
    for (size_t i = 0; i < count; i++) {
        const edge *e = &edges[count == SIDES ? order[i] : i];
        if (e->is.saved)
            put_rows(r, e);
    }
    return session_printed(s, rows_finish(r));
}

int show_edges_of(session *s, ptl_chunk_pos pos, char side)
{
    edge edges[SIDES];
    size_t count = 0;
    int code = EXIT_DONE;
    ptl_features *f;
    NEED(session_done(s, ptl_edges_load(&f, s->world, pos, &s->err)));
    for (size_t i = 0; i < SIDES; i++)
        if (!side || i == (side == 'E' ? 1 : 2))
            edges[count++] = edge_of(f, pos, i);
    if (s->style.format == ROWS_JSON)
        code = print_json(s, edges, count);
    else if (s->style.format != ROWS_TABLE)
        code = print_rows(s, edges, count);
    for (size_t i = 0; i < count && s->style.format == ROWS_TABLE && code == EXIT_DONE; i++)
        code = print_words(s, &edges[i], count > 1);
    ptl_features_free(f);
    return code;
}
