/* portolan show: one tile, one chunk, or what edge records say. */
#include "cli/commands.h"
#include "cli/coordinates.h"
#include "cli/output.h"
#include "cli/result.h"
#include "cli/session.h"
#include "cli/show.h"
#include "cli/table.h"
#include "content/catalogue.h"
#include "core/utf8.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"tile", "X,Y[,Z]", "the terrain at an absolute OMT (z: 0 if left out)", 0},
    {"chunk", "X,Y", "a chunk's counts per level and terrain", 0},
    {"edge", "X,Y[,E|S]", "the edge of a chunk to the east or south; without: all four", 0},
    {"json", NULL, "print JSON", 0},
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
    if (!*out) {
        s->err = (ptl_error){PTL_ERR_NOMEM, 0, "memory is out"};
        return session_failed(s);
    }
    ptl_status status = ptl_level_load(s->world, pos, z, *out, &s->err);
    if (status == PTL_OK)
        return EXIT_DONE;
    free(*out);
    *out = NULL;
    return status == PTL_ERR_NOT_FOUND ? not_saved(s, pos) : session_failed(s);
}

static void print_tile(const session *s, ptl_omt at, ptl_oter oter, bool json)
{
    const catalogue *cat = world_catalogue(s->world);
    const cat_oter *o = oter < cat->oter_count ? &cat->oters[oter] : NULL;
    const char *name = o ? cat->terrains[o->terrain].name : "";
    ptl_chunk_pos pos = ptl_omt_chunk(at);
    int local_x = (int)(at.x - (int64_t)pos.x * PTL_CHUNK_SIZE);
    int local_y = (int)(at.y - (int64_t)pos.y * PTL_CHUNK_SIZE);
    char symbol[5] = "";
    if (o)
        utf8_text(o->symbol, symbol);
    if (json) {
        out_text("{\"id\": ");
        out_json_text(ptl_world_oter_name(s->world, oter));
        out_text(", \"name\": ");
        out_json_text(name);
        out_text(", \"symbol\": ");
        out_json_text(symbol);
        out_printf(", \"x\": %" PRId64 ", \"y\": %" PRId64 ", \"z\": %d, \"chunk\": [%d, %d], "
                   "\"local\": [%d, %d]}\n",
                   at.x, at.y, at.z, pos.x, pos.y, local_x, local_y);
        return;
    }
    out_printf("id      %s\nname    %s\nsymbol  %s\nplace   %" PRId64 ",%" PRId64
               ",%d: chunk %d,%d, local %d,%d\n",
               ptl_world_oter_name(s->world, oter), name, symbol, at.x, at.y, at.z, pos.x,
               pos.y, local_x, local_y);
}

static int show_tile(session *s, const char *text, bool json)
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
    print_tile(s, at, cells[y * PTL_CHUNK_SIZE + x], json);
    free(cells);
    return EXIT_DONE;
}

/* How many cells of one terrain type a level has. */
typedef struct type_count {
    uint32_t count;
    uint16_t terrain;
} type_count;

/* Most first, then in the order of the catalogue, which is that of the ids. */
static int compare_counts(const void *a, const void *b)
{
    const type_count *p = a, *q = b;
    if (p->count != q->count)
        return p->count > q->count ? -1 : 1;
    return p->terrain < q->terrain ? -1 : p->terrain > q->terrain;
}

static void count_level(const catalogue *cat, const ptl_oter *cells, type_count *counts)
{
    for (size_t i = 0; i < cat->terrain_count; i++)
        counts[i] = (type_count){0, (uint16_t)i};
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
        if (cells[i] < cat->oter_count)
            counts[cat->oters[cells[i]].terrain].count++;
    qsort(counts, cat->terrain_count, sizeof *counts, compare_counts);
}

static bool print_counts(const catalogue *cat, const type_count *counts, int32_t z, table *t,
                         bool *first)
{
    bool good = true;
    for (size_t i = 0; i < cat->terrain_count && counts[i].count > 0 && good; i++) {
        const char *id = cat->terrains[counts[i].terrain].id;
        if (t) {
            good = table_int(t, z) && table_text(t, id) && table_int(t, counts[i].count);
            continue;
        }
        out_text(*first ? "[\n" : ",\n");
        out_printf("{\"z\": %d, \"terrain\": ", z);
        out_json_text(id);
        out_printf(", \"cells\": %u}", (unsigned)counts[i].count);
        *first = false;
    }
    return good;
}

static int show_chunk(session *s, ptl_chunk_pos pos, bool json)
{
    static const char *const heads[] = {"z", "terrain", "cells"};
    const catalogue *cat = world_catalogue(s->world);
    type_count *counts = calloc(cat->terrain_count + 1, sizeof *counts);
    ptl_oter *cells = NULL;
    table *t = NULL;
    bool first = true, good = counts != NULL;
    int code = EXIT_DONE;
    for (int32_t z = PTL_Z_MAX; good && z >= PTL_Z_MIN && code == EXIT_DONE; z--) {
        code = load_level(s, pos, z, &cells);
        if (!cells)
            break;
        if (!json && !t)
            good = (t = table_new(3, heads)) != NULL;
        count_level(cat, cells, counts);
        good = good && print_counts(cat, counts, z, t, &first);
        free(cells);
    }
    table_finish(t);
    free(counts);
    if (json && !first)
        out_text("\n]\n");
    if (good)
        return code;
    s->err = (ptl_error){PTL_ERR_NOMEM, 0, "memory is out"};
    return session_failed(s);
}

static int show_edges(session *s, const char *text, bool json)
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
    int code = side ? show_edge(s, (int32_t)v[0], (int32_t)v[1], side, json)
                    : show_chunk_edges(s, (ptl_chunk_pos){(int32_t)v[0], (int32_t)v[1]}, json);
    if (json)
        out_text("\n");
    return code;
}

static int show(session *s, const args *a)
{
    bool given, json = args_has(a, "json");
    ptl_chunk_pos pos;
    int code = chunk_from_args(a, "chunk", &given, &pos);
    if (code != EXIT_DONE)
        return code;
    if (given)
        return show_chunk(s, pos, json);
    if (args_has(a, "tile"))
        return show_tile(s, args_value(a, "tile"), json);
    return show_edges(s, args_value(a, "edge"), json);
}

static int run(const args *a)
{
    session s;
    if (args_has(a, "tile") + args_has(a, "chunk") + args_has(a, "edge") != 1)
        return usage_error(a, "give one of --tile, --chunk and --edge");
    int code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE)
        code = session_world(&s, NULL);
    if (code == EXIT_DONE)
        code = show(&s, a);
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
};
