/* portolan local: the local map of one OMT. */
#include "cli/line/commands.h"
#include "cli/line/output.h"
#include "cli/line/rows.h"
#include "cli/session/coordinates.h"
#include "cli/session/local_letters.h"
#include "cli/session/session.h"
#include "portolan/local.h"

#include <inttypes.h>
#include <string.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"entities", NULL, "what stands and lies on the map, in place of the map", 0},
    OPTIONS_ROWS,
    OPTIONS_END,
};

/* ---- the map ---- */

static void print_map(const ptl_local_map *map, ptl_omt at)
{
    local_letters l = {.count = 0};
    out_printf("%s at %" PRId64 ",%" PRId64 ",%d%s\n", ptl_local_oter(map), at.x, at.y, at.z,
               ptl_local_is_fallback(map) ? ": no mapgen that can be run" : "");
    for (int32_t y = 0; y < PTL_LOCAL_SIDE; y++) {
        char row[PTL_LOCAL_SIDE + 1] = "";
        for (int32_t x = 0; x < PTL_LOCAL_SIDE; x++)
            row[x] = local_letters_of(local_letters_number(&l, map, x, y));
        out_printf("%s\n", row);
    }
    for (int i = 0; i < l.count; i++)
        out_printf("%c  %s%s%s\n", local_letters_of(i), l.terrain[i],
                   l.furniture[i][0] ? ", " : "", l.furniture[i]);
    out_printf("%zu things on it (--entities lists them)\n", ptl_local_entity_count(map));
}

/* ---- json ---- */

static void print_layer(const ptl_local_map *map, const char *name,
                        const char *(*of)(const ptl_local_map *, int32_t, int32_t))
{
    out_printf(", \"%s\": [", name);
    for (int32_t y = 0; y < PTL_LOCAL_SIDE; y++) {
        for (int32_t x = 0; x < PTL_LOCAL_SIDE; x++) {
            out_text(x > 0 ? ", " : y > 0 ? "], [" : "[");
            out_json_text(of(map, x, y));
        }
    }
    out_text("]]");
}

static void print_entity(const ptl_local_entity *e)
{
    const struct {
        const char *name, *text;
    } texts[] = {{"kind", e->kind},
                 {"id", e->id},
                 {"with", e->with},
                 {"text", e->text},
                 {"own", e->own}};
    const struct {
        const char *name;
        int32_t number;
    } numbers[] = {{"x", e->x},          {"y", e->y},         {"x2", e->x2},
                   {"y2", e->y2},        {"count", e->count}, {"charges", e->charges},
                   {"status", e->status}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        out_printf("%s\"%s\": ", i ? ", " : "{", texts[i].name);
        out_json_text(texts[i].text);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        out_printf(", \"%s\": %d", numbers[i].name, (int)numbers[i].number);
    out_text("}");
}

static void print_json(const ptl_local_map *map, ptl_omt at)
{
    out_printf("{\"x\": %" PRId64 ", \"y\": %" PRId64 ", \"z\": %d, \"revision\": %" PRId64
               ", \"turn\": %" PRId64 ", \"edited\": %s, \"oter\": ",
               at.x, at.y, at.z, ptl_local_revision(map), ptl_local_turn(map),
               ptl_local_is_edited(map) ? "true" : "false");
    out_json_text(ptl_local_oter(map));
    out_printf(", \"fallback\": %s", ptl_local_is_fallback(map) ? "true" : "false");
    print_layer(map, "terrain", ptl_local_terrain);
    print_layer(map, "furniture", ptl_local_furniture);
    print_layer(map, "trap", ptl_local_trap);
    out_text(", \"entities\": [");
    for (size_t i = 0; i < ptl_local_entity_count(map) && out_ok(); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        if (ptl_local_entity_at(map, i, &e) != PTL_OK)
            break;
        out_text(i > 0 ? ", " : "");
        print_entity(&e);
    }
    out_text("]}\n");
}

/* ---- rows ---- */

static bool print_entities(const ptl_local_map *map, const rows_style *style)
{
    static const report_column columns[] = {
        {"kind", "kind", 0, 0},
        {"id", "id", 0, 0},
        {"with", "with", 0, 0},
        {"text", "text", 0, REPORT_WRAP},
        {"own", "own", 0, REPORT_WRAP},
        {"x", "x", 0, 0},
        {"y", "y", 0, 0},
        {"x2", "x2", 0, 0},
        {"y2", "y2", 0, 0},
        {"count", "count", 0, 0},
        {"charges", "charges", 0, 0},
        {"status", "status", 0, 0},
        {NULL, NULL, 0, 0},
    };
    row_printer *r = rows_new(style, columns, false);
    bool good = r != NULL;
    for (size_t i = 0; i < ptl_local_entity_count(map) && good; i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        good = ptl_local_entity_at(map, i, &e) == PTL_OK && rows_text(r, e.kind) &&
               rows_text(r, e.id) && rows_text(r, e.with) && rows_text(r, e.text) &&
               rows_text(r, e.own) && rows_int(r, e.x) && rows_int(r, e.y) &&
               rows_int(r, e.x2) && rows_int(r, e.y2) && rows_int(r, e.count) &&
               rows_int(r, e.charges) && rows_int(r, e.status);
    }
    rows_finish(r);
    return good || !out_ok();
}

static int print(session *s, const ptl_local_map *map, ptl_omt at, const rows_style *style)
{
    const bool json = style->format == ROWS_JSON || style->format == ROWS_JSONL;
    if (args_has(s->args, "entities"))
        return print_entities(map, style) ? EXIT_DONE : session_no_memory(s);
    if (json)
        print_json(map, at);
    else
        print_map(map, at);
    return EXIT_DONE;
}

static int run(const args *a)
{
    static const int64_t limit = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    session s;
    rows_style style;
    const char *text = a->operands[1];
    int64_t v[3] = {0, 0, 0};
    if (!parse_ints(text, 2, -limit, limit + PTL_CHUNK_SIZE - 1, v) &&
        !parse_ints(text, 3, -limit, limit + PTL_CHUNK_SIZE - 1, v))
        return usage_error(a, "'%s' is not X,Y or X,Y,Z", text);
    if (v[2] < PTL_Z_MIN || v[2] > PTL_Z_MAX)
        return usage_error(a, "'%s': z lies in %d..%d", text, PTL_Z_MIN, PTL_Z_MAX);
    const ptl_omt at = {v[0], v[1], (int32_t)v[2]};
    int code = rows_style_from_args(&style, a, NULL);
    if (code == EXIT_DONE && !args_has(a, "entities") && style.format != ROWS_TABLE &&
        style.format != ROWS_JSON && style.format != ROWS_JSONL)
        return usage_error(a, "a map is a table or JSON; --entities lists rows");
    if (code != EXIT_DONE)
        return code;
    code = session_open_world(&s, a, PTL_OPEN_WRITE, NULL);
    ptl_local_map *map = NULL;
    if (code == EXIT_DONE)
        code = ptl_local_get(&map, s.world, at, NULL, &s.err) == PTL_OK
                   ? print(&s, map, at, &style)
                   : session_failed(&s);
    ptl_local_free(map);
    session_close(&s);
    return code;
}

const command local_command = {
    .name = "local",
    .group = GROUP_LOOK,
    .operands = "FILE X,Y[,Z]",
    .operands_min = 2,
    .operands_max = 2,
    .operand_help = "X,Y[,Z]  The place: absolute OMTs, and the level (0).\n",
    .summary = "Show the local map of one OMT: 24 x 24 tiles.",
    .details =
        "It is made of the content's mapgen at the first call and stored; later ones read\n"
        "it. Chunks that it needs are generated and saved first. Letters stand for pairs of\n"
        "terrain and furniture, in the order in which they come.\n",
    .examples = "  portolan local w.db 90,90\n"
                "  portolan local w.db 90,90,-1 --entities\n"
                "  portolan local w.db 90,90 --json\n",
    .options = options,
    .run = run,
    .stopped = "what it printed is not all",
};
