/* portolan show: prints one OMT, one chunk, or its edge records. */
#include "clients/cli/session/session.h"
#include "core/array.h"
#include "core/utf8.h"
#include "portolan/catalogue.h"
#include "portolan/features.h"

static const option_spec options[] = {
    OPTION_WORLD,
    {"omt", "X,Y[,Z]", "the terrain at an absolute OMT (z: 0 if left out)", 0},
    {"chunk", "X,Y", "a chunk's counts per level and terrain", 0},
    {"edge", "X,Y[,E|S]", "the edge of a chunk to the east or south; without: all four", 0},
    OPTIONS_ROWS,
    OPTIONS_END,
};

/* Loads one level of a chunk into `cells`, an array of PTL_LEVEL_CELLS elements. */
static int load_level(session *s, ptl_chunk_pos pos, int32_t z, ptl_oter *cells)
{
    const ptl_status status = ptl_level_load(cells, s->world, pos, z, &s->err);
    if (status != PTL_ERR_NOT_FOUND)
        return session_done(s, status);
    tell("portolan show: chunk %d,%d is not saved. Make it: portolan generate '%s' --world "
         "'%s' --chunk %d,%d\n",
         pos.x, pos.y, s->args->operands[0], ptl_world_name(s->world), pos.x, pos.y);
    return EXIT_FAILED;
}

/* ---- a tile ---- */

/* Prints the OMT's terrain, its symbol and its place, absolute and within the chunk. */
static int print_tile(session *s, ptl_omt at, const ptl_oter *cells)
{
    static const report_column columns[] = {COLUMN(id),      COLUMN(name),    COLUMN(symbol),
                                            COLUMN(x),       COLUMN(y),       COLUMN(z),
                                            COLUMN(chunk_x), COLUMN(chunk_y), COLUMN(local_x),
                                            COLUMN(local_y), COLUMNS_END};
    const ptl_chunk_pos c = ptl_omt_chunk(at);
    const int x = (int)(at.x - (int64_t)c.x * PTL_CHUNK_SIZE);
    const int y = (int)(at.y - (int64_t)c.y * PTL_CHUNK_SIZE);
    ptl_terrain t = PTL_TERRAIN_INIT;
    char symbol[5] = "";
    if (ptl_catalogue_oter(&t, ptl_world_catalogue(s->world), cells[y * PTL_CHUNK_SIZE + x]) ==
        PTL_OK)
        utf8_text(t.symbol, symbol);
    if (s->style.format == ROWS_CSV || s->style.format == ROWS_RAW)
        return session_printed(
            s, rows_print_one(&s->style, columns,
                              CELLS(cell_text(t.id), cell_text(t.name), cell_text(symbol),
                                    cell_int(at.x), cell_int(at.y), cell_int(at.z),
                                    cell_int(c.x), cell_int(c.y), cell_int(x), cell_int(y))));
    if (s->style.format == ROWS_TABLE) {
        out_printf("id      %s\nname    %s\nsymbol  %s\nplace   %jd,%jd,%d: chunk %d,%d, local "
                   "%d,%d\n",
                   t.id, t.name, symbol, at.x, at.y, at.z, c.x, c.y, x, y);
        return EXIT_DONE;
    }
    out_text("{\"id\": ");
    out_json_text(t.id);
    out_text(", \"name\": ");
    out_json_text(t.name);
    out_text(", \"symbol\": ");
    out_json_text(symbol);
    out_printf(
        ", \"x\": %jd, \"y\": %jd, \"z\": %d, \"chunk\": [%d, %d], \"local\": [%d, %d]}\n",
        at.x, at.y, at.z, c.x, c.y, x, y);
    return EXIT_DONE;
}

static int show_tile(session *s, ptl_oter *cells)
{
    static const int64_t limit = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    const char *text = args_value(s->args, "omt");
    int64_t v[3] = {0, 0, 0};
    if (!parse_ints(text, 2, -limit, limit + PTL_CHUNK_SIZE - 1, v) &&
        !parse_ints(text, 3, -limit, limit + PTL_CHUNK_SIZE - 1, v))
        return usage_error(s->args, "--omt '%s' is not X,Y or X,Y,Z", text);
    if (v[2] < PTL_Z_MIN || v[2] > PTL_Z_MAX)
        return usage_error(s->args, "--omt '%s': z lies in %d..%d", text, PTL_Z_MIN, PTL_Z_MAX);
    const ptl_omt at = {v[0], v[1], (int32_t)v[2]};
    NEED(load_level(s, ptl_omt_chunk(at), at.z, cells));
    return print_tile(s, at, cells);
}

/* ---- a chunk ---- */

/* How many OMTs of a level have one terrain. */
typedef struct type_count {
    uint32_t count;
    uint32_t terrain;
} type_count;

/* Sorts the most frequent terrain first; equally frequent ones stay in the catalogue's order,
 * which is by id. */
static int compare_counts(const void *a, const void *b)
{
    const type_count *p = a, *q = b;
    return ORDER_BY(q->count, p->count, p->terrain, q->terrain);
}

static int show_chunk(session *s, ptl_chunk_pos pos, ptl_oter *cells)
{
    static const report_column columns[] = {COLUMN(z), COLUMN(terrain), COLUMN(cells),
                                            COLUMNS_END};
    const ptl_catalogue *cat = ptl_world_catalogue(s->world);
    const size_t oters = ptl_catalogue_count(cat, PTL_CONTENT_OTER),
                 types = ptl_catalogue_count(cat, PTL_CONTENT_TERRAIN);
    uint32_t *type_of = calloc(oters + 1, sizeof *type_of); /* the terrain of each oter */
    type_count *counts = calloc(types + 1, sizeof *counts);
    /* The printer is made only when the first level was loaded, so that after an error nothing
     * else is printed. */
    row_printer *r = NULL;
    bool good = type_of && counts;
    int code = EXIT_DONE;
    ptl_terrain oter = PTL_TERRAIN_INIT;
    ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
    for (size_t i = 0; good && i < oters; i++)
        if (ptl_catalogue_oter(&oter, cat, i) == PTL_OK)
            type_of[i] = (uint32_t)oter.type_number;
    for (int32_t z = PTL_Z_MAX; good && z >= PTL_Z_MIN; z--) {
        code = load_level(s, pos, z, cells);
        if (code != EXIT_DONE)
            break;
        r = r ? r : rows_new(&s->style, columns, false);
        for (size_t i = 0; i < types; i++)
            counts[i] = (type_count){0, (uint32_t)i};
        for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
            if (cells[i] < oters)
                counts[type_of[cells[i]]].count++;
        qsort(counts, types, sizeof *counts, compare_counts);
        for (size_t i = 0; i < types && counts[i].count > 0 && good; i++)
            good = ptl_catalogue_terrain(&t, cat, counts[i].terrain) == PTL_OK &&
                   rows_put(r, CELLS(cell_int(z), cell_text(t.id), cell_uint(counts[i].count)));
    }
    (void)rows_finish(r);
    free(type_of);
    free(counts);
    return good || !out_ok() ? code : session_no_memory(s);
}

/* ---- edges: the east side of chunk (x, y) is the west side of chunk (x + 1, y) ---- */

enum { SIDES = 4 };

/* A side of the requested chunk, by its number in portolan/features.h, and the edge record
 * as it is stored. */
typedef struct edge {
    const ptl_features *of;
    size_t number; /* the side's number */
    int32_t x, y;
    char side;
    ptl_chunk_edge is;
} edge;

static const char *const names[SIDES] = {"north", "east", "south", "west"};

static const char *origin_of(const edge *e)
{
    return !e->is.saved ? "not saved" : e->is.foreign ? "foreign" : "planned";
}

/* ---- crossings ---- */

static int print_crossings(session *s, const edge *e)
{
    static const report_column columns[] = {COLUMN(z),     COLUMN(kind),  COLUMN(position),
                                            COLUMN(width), COLUMN(flows), COLUMNS_END};
    rows_style look = s->style;
    look.blocks = true; /* show wide rows as blocks, so that no column is left out */
    row_printer *r = rows_new(&look, columns, false);
    const bool south = e->side == 'S';
    ptl_crossing c = PTL_CROSSING_INIT;
    for (size_t i = 0; ptl_features_crossing(&c, e->of, e->number, i) == PTL_OK; i++) {
        const char *flows = c.direction == 0   ? "none"
                            : c.direction == 1 ? (south ? "to the south" : "to the east")
                                               : (south ? "to the north" : "to the west");
        (void)rows_put(r, CELLS(cell_int(c.z), cell_text(c.kind), cell_int(c.position),
                                cell_int(c.width), cell_text(flows)));
    }
    return session_printed(s, rows_finish(r));
}

/* ---- edges as text for people ---- */

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

/* ---- edges as JSON and as rows ---- */

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

/* Prints one table with the crossings of the saved edges, ordered by the edges' y, x and
 * side. An edge without crossings has a single row. */
static int print_rows(session *s, const edge *edges, size_t count)
{
    static const report_column columns[] = {
        COLUMN(x),    COLUMN(y),        COLUMN(side),  COLUMN(origin),    COLUMN(z),
        COLUMN(kind), COLUMN(position), COLUMN(width), COLUMN(direction), COLUMNS_END};
    static const size_t order[SIDES] = {0, 3, 1, 2};
    row_printer *r = rows_new(&s->style, columns, false);
    for (size_t i = 0; i < count; i++) {
        const edge *e = &edges[count == SIDES ? order[i] : i];
        const char side[2] = {e->side, '\0'};
        const report_cell none = cell_none();
        ptl_crossing c = PTL_CROSSING_INIT;
        if (!e->is.saved)
            continue;
        for (size_t k = 0; ptl_features_crossing(&c, e->of, e->number, k) == PTL_OK; k++)
            (void)rows_put(r, CELLS(cell_int(e->x), cell_int(e->y), cell_text(side),
                                    cell_text(origin_of(e)), cell_int(c.z), cell_text(c.kind),
                                    cell_int(c.position), cell_int(c.width),
                                    cell_int(c.direction)));
        if (e->is.crossing_count == 0)
            (void)rows_put(r, CELLS(cell_int(e->x), cell_int(e->y), cell_text(side),
                                    cell_text(origin_of(e)), none, none, none, none, none));
    }
    return session_printed(s, rows_finish(r));
}

static int show_edges(session *s)
{
    const char *text = args_value(s->args, "edge");
    char head[64];
    int64_t v[2];
    size_t size = strlen(text);
    char side = 0;
    if (size > 2 && text[size - 2] == ',' && strchr("ESes", text[size - 1])) {
        side = text[size - 1] == 'E' || text[size - 1] == 'e' ? 'E' : 'S';
        size -= 2;
    }
    snprintf(head, sizeof head, "%.*s", (int)(size < 60 ? size : 60), text);
    if (!parse_ints(head, 2, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, v))
        return usage_error(s->args, "--edge '%s' is not X,Y or X,Y,E or X,Y,S", text);
    const ptl_chunk_pos pos = {(int32_t)v[0], (int32_t)v[1]};
    edge edges[SIDES];
    size_t count = 0;
    int code = EXIT_DONE;
    ptl_features *f;
    NEED(session_done(s, ptl_edges_load(&f, s->world, pos, &s->err)));
    for (size_t i = 0; i < SIDES; i++) {
        if (side && i != (side == 'E' ? 1 : 2))
            continue;
        edge *e = &edges[count++];
        *e = (edge){f,
                    i,
                    pos.x - (i == 3),
                    pos.y - (i == 0),
                    i % 2 == 0 ? 'S' : 'E',
                    PTL_CHUNK_EDGE_INIT};
        (void)ptl_features_edge(&e->is, f, i);
    }
    if (s->style.format == ROWS_JSON)
        code = print_json(s, edges, count);
    else if (s->style.format != ROWS_TABLE)
        code = print_rows(s, edges, count);
    for (size_t i = 0; i < count && s->style.format == ROWS_TABLE && code == EXIT_DONE; i++)
        code = print_words(s, &edges[i], count > 1);
    ptl_features_free(f);
    return code;
}

static int run(session *s)
{
    const args *a = s->args;
    bool given;
    ptl_chunk_pos pos;
    if (args_has(a, "omt") + args_has(a, "chunk") + args_has(a, "edge") != 1)
        return usage_error(a, "give one of --omt, --chunk and --edge");
    NEED(rows_style_from_args(&s->style, a, NULL));
    NEED(session_open_world(s, PTL_OPEN_READ, NULL));
    NEED(chunk_from_args(a, "chunk", &given, &pos));
    if (args_has(a, "edge"))
        return show_edges(s);
    ptl_oter *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    if (!cells)
        return session_no_memory(s);
    const int code = given ? show_chunk(s, pos, cells) : show_tile(s, cells);
    free(cells);
    return code;
}

const command show_command = {
    .name = "show",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .summary = "Show one OMT, what a chunk consists of, or what its edges say.",
    .details =
        "An edge record stands for both sides: the western edge of chunk X,Y is the eastern\n"
        "one of X-1,Y. A position counts OMTs along the edge, from its north or west end.\n",
    .examples = "  portolan show w.db --omt 90,90\n"
                "  portolan show w.db --chunk 0,0\n"
                "  portolan show w.db --edge 0,0,E\n",
    .options = options,
    .run = run,
    .stopped = "what it printed is not all",
};
