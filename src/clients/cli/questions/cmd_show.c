/* portolan show: one tile, one chunk, or what edge records say. */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/rows.h"
#include "clients/cli/questions/show.h"
#include "clients/cli/session/coordinates.h"
#include "clients/cli/session/session.h"
#include "core/utf8.h"
#include "portolan/catalogue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"tile", "X,Y[,Z]", "the terrain at an absolute OMT (z: 0 if left out)", 0},
    {"chunk", "X,Y", "a chunk's counts per level and terrain", 0},
    {"edge", "X,Y[,E|S]", "the edge of a chunk to the east or south; without: all four", 0},
    OPTIONS_ROWS,
    OPTIONS_END,
};

static int not_saved(const session *s, ptl_chunk_pos pos)
{
    tell("portolan show: chunk %d,%d is not saved. Make it: portolan generate '%s' --world "
         "'%s' --chunk %d,%d\n",
         pos.x, pos.y, s->args->operands[0], ptl_world_name(s->world), pos.x, pos.y);
    return EXIT_FAILED;
}

/* One level of a chunk, in new memory that the caller frees. */
static int load_level(session *s, ptl_chunk_pos pos, int32_t z, ptl_oter **out)
{
    *out = malloc(PTL_LEVEL_CELLS * sizeof **out);
    if (!*out)
        return session_no_memory(s);
    ptl_status status = ptl_level_load(s->world, pos, z, *out, &s->err);
    if (status == PTL_OK)
        return EXIT_DONE;
    free(*out);
    *out = NULL;
    return status == PTL_ERR_NOT_FOUND ? not_saved(s, pos) : session_failed(s);
}

/* A tile, and where it lies. */
typedef struct tile_facts {
    const char *id, *name;
    char symbol[5];
    ptl_omt at;
    ptl_chunk_pos chunk;
    int local_x, local_y;
} tile_facts;

static tile_facts facts_of(const session *s, ptl_omt at, ptl_oter oter)
{
    ptl_terrain t = PTL_TERRAIN_INIT;
    const ptl_status status = ptl_catalogue_oter(ptl_world_catalogue(s->world), oter, &t);
    tile_facts f = {.id = t.id, .name = t.name, .at = at, .chunk = ptl_omt_chunk(at)};
    f.local_x = (int)(at.x - (int64_t)f.chunk.x * PTL_CHUNK_SIZE);
    f.local_y = (int)(at.y - (int64_t)f.chunk.y * PTL_CHUNK_SIZE);
    if (status == PTL_OK)
        utf8_text(t.symbol, f.symbol);
    return f;
}

static void print_tile_json(const tile_facts *f)
{
    out_text("{\"id\": ");
    out_json_text(f->id);
    out_text(", \"name\": ");
    out_json_text(f->name);
    out_text(", \"symbol\": ");
    out_json_text(f->symbol);
    out_printf(", \"x\": %" PRId64 ", \"y\": %" PRId64 ", \"z\": %d, \"chunk\": [%d, %d], "
               "\"local\": [%d, %d]}\n",
               f->at.x, f->at.y, f->at.z, f->chunk.x, f->chunk.y, f->local_x, f->local_y);
}

static bool print_tile_row(const tile_facts *f, const rows_style *style)
{
    static const report_column columns[] = {
        {"id", "id", 0, 0},
        {"name", "name", 0, 0},
        {"symbol", "symbol", 0, 0},
        {"x", "x", 0, 0},
        {"y", "y", 0, 0},
        {"z", "z", 0, 0},
        {"chunk_x", "chunk_x", 0, 0},
        {"chunk_y", "chunk_y", 0, 0},
        {"local_x", "local_x", 0, 0},
        {"local_y", "local_y", 0, 0},
        {NULL, NULL, 0, 0},
    };
    row_printer *r = rows_new(style, columns, true);
    const bool good = r && rows_text(r, f->id) && rows_text(r, f->name) &&
                      rows_text(r, f->symbol) && rows_int(r, f->at.x) && rows_int(r, f->at.y) &&
                      rows_int(r, f->at.z) && rows_int(r, f->chunk.x) &&
                      rows_int(r, f->chunk.y) && rows_int(r, f->local_x) &&
                      rows_int(r, f->local_y);
    rows_finish(r);
    return good || !out_ok();
}

static int print_tile(session *s, ptl_omt at, ptl_oter oter, const rows_style *style)
{
    const tile_facts f = facts_of(s, at, oter);
    if (style->format == ROWS_TABLE)
        out_printf("id      %s\nname    %s\nsymbol  %s\nplace   %" PRId64 ",%" PRId64
                   ",%d: chunk %d,%d, local %d,%d\n",
                   f.id, f.name, f.symbol, at.x, at.y, at.z, f.chunk.x, f.chunk.y, f.local_x,
                   f.local_y);
    else if (style->format == ROWS_JSON || style->format == ROWS_JSONL)
        print_tile_json(&f);
    else if (!print_tile_row(&f, style))
        return session_no_memory(s);
    return EXIT_DONE;
}

static int show_tile(session *s, const char *text, const rows_style *style)
{
    static const int64_t limit = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    int64_t v[3] = {0, 0, 0};
    if (!parse_ints(text, 2, -limit, limit + PTL_CHUNK_SIZE - 1, v) &&
        !parse_ints(text, 3, -limit, limit + PTL_CHUNK_SIZE - 1, v))
        return usage_error(s->args, "--tile '%s' is not X,Y or X,Y,Z", text);
    if (v[2] < PTL_Z_MIN || v[2] > PTL_Z_MAX)
        return usage_error(s->args, "--tile '%s': z lies in %d..%d", text, PTL_Z_MIN,
                           PTL_Z_MAX);
    ptl_omt at = {v[0], v[1], (int32_t)v[2]};
    ptl_chunk_pos pos = ptl_omt_chunk(at);
    ptl_oter *cells;
    int code = load_level(s, pos, at.z, &cells);
    if (!cells)
        return code;
    int64_t x = at.x - (int64_t)pos.x * PTL_CHUNK_SIZE;
    int64_t y = at.y - (int64_t)pos.y * PTL_CHUNK_SIZE;
    code = print_tile(s, at, cells[y * PTL_CHUNK_SIZE + x], style);
    free(cells);
    return code;
}

/* How many cells of one terrain type a level has. */
typedef struct type_count {
    uint32_t count;
    uint32_t terrain;
} type_count;

/* Most first, then in the order of the catalogue, which is that of the ids. */
static int compare_counts(const void *a, const void *b)
{
    const type_count *p = a, *q = b;
    if (p->count != q->count)
        return p->count > q->count ? -1 : 1;
    return p->terrain < q->terrain ? -1 : p->terrain > q->terrain;
}

/* A chunk's levels, counted one after the other. */
typedef struct counter {
    const ptl_catalogue *cat;
    size_t oters, types;
    uint32_t *type_of;  /* of each oter; owned, as the next one */
    type_count *counts; /* of each type */
} counter;

static void counter_dispose(counter *c)
{
    free(c->type_of);
    free(c->counts);
}

static bool counter_init(counter *c, const ptl_catalogue *cat)
{
    ptl_terrain t = PTL_TERRAIN_INIT;
    *c = (counter){.cat = cat,
                   .oters = ptl_catalogue_count(cat, PTL_CONTENT_OTER),
                   .types = ptl_catalogue_count(cat, PTL_CONTENT_TERRAIN)};
    c->type_of = calloc(c->oters + 1, sizeof *c->type_of);
    c->counts = calloc(c->types + 1, sizeof *c->counts);
    for (size_t i = 0; c->type_of && i < c->oters; i++)
        if (ptl_catalogue_oter(cat, i, &t) == PTL_OK)
            c->type_of[i] = (uint32_t)t.type_number;
    return c->type_of && c->counts;
}

static void count_level(const counter *c, const ptl_oter *cells)
{
    for (size_t i = 0; i < c->types; i++)
        c->counts[i] = (type_count){0, (uint32_t)i};
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
        if (cells[i] < c->oters)
            c->counts[c->type_of[cells[i]]].count++;
    qsort(c->counts, c->types, sizeof *c->counts, compare_counts);
}

static bool print_counts(row_printer *r, const counter *c, int32_t z)
{
    ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
    bool good = true;
    for (size_t i = 0; i < c->types && c->counts[i].count > 0 && good; i++)
        good = ptl_catalogue_terrain(c->cat, c->counts[i].terrain, &t) == PTL_OK &&
               rows_int(r, z) && rows_text(r, t.id) && rows_int(r, c->counts[i].count);
    return good;
}

static int show_chunk(session *s, ptl_chunk_pos pos, const rows_style *style)
{
    static const report_column columns[] = {{"z", "z", 0, 0},
                                            {"terrain", "terrain", 0, 0},
                                            {"cells", "cells", 0, 0},
                                            {NULL, NULL, 0, 0}};
    counter c;
    ptl_oter *cells = NULL;
    row_printer *r = NULL; /* from the first level on: there may be none */
    bool good = counter_init(&c, ptl_world_catalogue(s->world));
    int code = EXIT_DONE;
    for (int32_t z = PTL_Z_MAX; good && z >= PTL_Z_MIN && code == EXIT_DONE; z--) {
        code = load_level(s, pos, z, &cells);
        if (!cells)
            break;
        r = r ? r : rows_new(style, columns, false);
        count_level(&c, cells);
        good = r && print_counts(r, &c, z);
        free(cells);
    }
    rows_finish(r);
    counter_dispose(&c);
    return good || !out_ok() ? code : session_no_memory(s);
}

static int show_edges(session *s, const char *text, const rows_style *style)
{
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
    return show_edges_of(s, pos, side, style);
}

static int show(session *s, const rows_style *style)
{
    const args *a = s->args;
    bool given;
    ptl_chunk_pos pos;
    int code = chunk_from_args(a, "chunk", &given, &pos);
    if (code != EXIT_DONE)
        return code;
    if (given)
        return show_chunk(s, pos, style);
    if (args_has(a, "tile"))
        return show_tile(s, args_value(a, "tile"), style);
    return show_edges(s, args_value(a, "edge"), style);
}

static int run(const args *a)
{
    session s;
    rows_style style;
    if (args_has(a, "tile") + args_has(a, "chunk") + args_has(a, "edge") != 1)
        return usage_error(a, "give one of --tile, --chunk and --edge");
    int code = rows_style_from_args(&style, a, NULL);
    if (code != EXIT_DONE)
        return code;
    code = session_open_world(&s, a, PTL_OPEN_READ, NULL);
    if (code == EXIT_DONE)
        code = show(&s, &style);
    session_close(&s);
    return code;
}

const command show_command = {
    .name = "show",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Show one tile, what a chunk consists of, or what its edges say.",
    .details =
        "An edge record stands for both sides: the western edge of chunk X,Y is the eastern\n"
        "one of X-1,Y. A position counts OMTs along the edge, from its north or west end.\n",
    .examples = "  portolan show w.db --tile 90,90\n"
                "  portolan show w.db --chunk 0,0\n"
                "  portolan show w.db --edge 0,0,E\n",
    .options = options,
    .run = run,
    .stopped = "what it printed is not all",
};
