/* portolan local: prints or draws the local map of one OMT, or the maps of a rectangle. */
#include "clients/cli/pictures/picture.h"
#include "clients/cli/session/session.h"
#include "clients/cli/session/tilesets.h"

static const option_spec options[] = {
    OPTION_WORLD,
    {"rect", "X0,Y0,X1,Y1", "OMTs of a rectangle, both ends included, in place of X,Y", 0},
    {"level", "Z", "their level, -10..10 (default: 0)", 0},
    {"update", "ID", "carry an update of the content out on the map and store it", 0},
    {"tide", "STEP[..STEP]",
     "the sea at this step of its tide, which has 100; of two with --png, an animation", 0},
    {"png", "OUT.png", "a picture with a legend in place of text; - is standard output", 'o'},
    {"tileset", "DIR", "of --png: a game's tile set, a folder of its gfx, or the game's", 0},
    {"style", "STYLE", "of --png: paper (default), dark (paper), or terminal", 0},
    {"plain", NULL, "the tiles alone, without heading and legend", 0},
    {"color", "WHEN", "of text: auto (default), always or never", 0},
    {"entities", NULL, "what stands and lies on the map, in place of the map", 0},
    OPTIONS_ROWS,
    OPTION_NO_PROGRESS,
    OPTIONS_END,
};

/* The values of the command line: which maps are shown, and how. */
typedef struct local_wish {
    ptl_local_area area; /* the OMTs whose local maps are shown, all on one level */
    bool colours, tide, png, plain, entities;
    ptl_map_style style;
    int64_t turns[2]; /* the two values of --tide, in steps of the tide */
} local_wish;

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

static void print_json(const ptl_local_map *map)
{
    const ptl_omt at = ptl_local_place(map);
    out_printf("{\"x\": %jd, \"y\": %jd, \"z\": %d, \"revision\": %jd, \"turn\": %jd, "
               "\"edited\": %s, \"oter\": ",
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
        if (ptl_local_entity_at(&e, map, i) != PTL_OK)
            break;
        const struct {
            const char *name, *text;
        } texts[] = {
            {"kind", e.kind}, {"id", e.id}, {"with", e.with}, {"text", e.text}, {"own", e.own}};
        const struct {
            const char *name;
            int32_t number;
        } numbers[] = {{"x", e.x},          {"y", e.y},         {"x2", e.x2},
                       {"y2", e.y2},        {"count", e.count}, {"charges", e.charges},
                       {"status", e.status}};
        out_text(i > 0 ? ", {" : "{");
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
            out_printf("%s\"%s\": ", k ? ", " : "", texts[k].name);
            out_json_text(texts[k].text);
        }
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            out_printf(", \"%s\": %d", numbers[k].name, (int)numbers[k].number);
        out_text("}");
    }
    out_text("]}\n");
}

/* ---- the map ---- */

static int draw(session *s, const local_wish *w)
{
    const ptl_local_area *area = &w->area;
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    o.local = true;
    o.x0 = area->x0;
    o.y0 = area->y0;
    o.x1 = area->x1;
    o.y1 = area->y1;
    o.z_first = o.z_last = area->z0;
    o.style = w->style;
    o.tide = w->tide;
    o.turn_step = ptl_local_tide_turns(s->world);
    o.first_turn = w->turns[0] * o.turn_step;
    o.last_turn = w->turns[1] * o.turn_step;
    if (!w->plain && w->turns[0] == w->turns[1])
        o.parts = PTL_RENDER_ALL & ~(uint32_t)PTL_RENDER_NAMES;
    if (!w->png)
        return render_text_all(s, &o, w->colours);
    const int64_t width = area->x1 - area->x0 + 1, height = area->y1 - area->y0 + 1;
    const int32_t pixels =
        picture_tile_pixels(PTL_LOCAL_SIDE * (width > height ? width : height));
    o.scale = pixels * PTL_LOCAL_SIDE;
    o.symbols = pixels >= TILE_SYMBOL_PIXELS;
    ptl_tileset *set;
    NEED(tileset_from_args(s, &set));
    o.tileset = set;
    const int code = picture_write(s, args_value(s->args, "png"), &o);
    ptl_tileset_close(set);
    return code;
}

/* Shows a single map. check_form has made sure that its format is possible. */
static int show_map(session *s, const ptl_local_map *map, const local_wish *w)
{
    const ptl_omt at = ptl_local_place(map);
    const int32_t tide = ptl_tide_height(w->turns[0]);
    if (w->entities) {
        static const report_column columns[] = {
            COLUMN(kind),    COLUMN(id),     COLUMN(with), COLUMN_WRAP(text), COLUMN_WRAP(own),
            COLUMN(x),       COLUMN(y),      COLUMN(x2),   COLUMN(y2),        COLUMN(count),
            COLUMN(charges), COLUMN(status), COLUMNS_END};
        row_printer *r = rows_new(&s->style, columns, false);
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        bool more = true;
        for (size_t i = 0; more && ptl_local_entity_at(&e, map, i) == PTL_OK; i++)
            more =
                rows_put(r, CELLS(cell_text(e.kind), cell_text(e.id), cell_text(e.with),
                                  cell_text(e.text), cell_text(e.own), cell_int(e.x),
                                  cell_int(e.y), cell_int(e.x2), cell_int(e.y2),
                                  cell_int(e.count), cell_int(e.charges), cell_int(e.status)));
        return session_printed(s, rows_finish(r));
    }
    if (s->style.format != ROWS_TABLE) {
        print_json(map);
        return EXIT_DONE;
    }
    if (w->png || w->plain)
        return draw(s, w);
    out_printf("%s at %jd,%jd,%d%s", ptl_local_oter(map), at.x, at.y, at.z,
               ptl_local_is_fallback(map) ? ": no mapgen that can be run" : "");
    if (w->tide)
        out_printf(", tide step %jd: the sea stands %d %s its mean", w->turns[0],
                   tide < 0 ? -tide : tide, tide < 0 ? "below" : "above");
    out_text("\n");
    NEED(draw(s, w));
    out_printf("%zu things on it (--entities lists them)\n", ptl_local_entity_count(map));
    return EXIT_DONE;
}

/* Shows a rectangle of local maps. Missing maps are made and stored first. But if the world has
 * the setting that local maps are made anew each time, the maps are not stored; only the chunks
 * that they depend on are. */
static int show_area(session *s, local_wish *w)
{
    const ptl_local_area *a = &w->area;
    ptl_world_options world = PTL_WORLD_OPTIONS_INIT;
    const local_areas areas = {&w->area, 1};
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    NEED(session_done(s, ptl_world_settings(&world, s->world, &s->err)));
    if (!world.derive)
        NEED(local_areas_store(s, &areas, 1, &report));
    for (int64_t y = a->y0; y <= a->y1 && world.derive; y++)
        for (int64_t x = a->x0; x <= a->x1; x++) {
            ptl_local_map *map = NULL;
            const ptl_status status =
                ptl_local_get(&map, s->world, (ptl_omt){x, y, a->z0}, NULL, &s->err);
            ptl_local_free(map);
            NEED(session_done(s, status));
        }
    return draw(s, w);
}

/* ---- the command line ---- */

static int read_area(const args *a, ptl_local_area *out)
{
    static const int64_t limit = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    const char *text = a->operand_count > 1 ? a->operands[1] : NULL;
    int64_t v[3] = {0, 0, 0}, r[4];
    if (args_has(a, "rect") == (text != NULL))
        return usage_error(a, "say where: X,Y or X,Y,Z, or --rect");
    if (!text) {
        NEED(rect_from_text(a, "rect", args_value(a, "rect"), limit, r));
        NEED(args_int(a, "level", PTL_Z_MIN, PTL_Z_MAX, &v[2]));
        *out = (ptl_local_area){r[0], r[1], r[2], r[3], (int32_t)v[2], (int32_t)v[2]};
        return EXIT_DONE;
    }
    if (!parse_ints(text, 2, -limit, limit, v) && !parse_ints(text, 3, -limit, limit, v))
        return usage_error(a, "'%s' is not X,Y or X,Y,Z", text);
    if (v[2] < PTL_Z_MIN || v[2] > PTL_Z_MAX)
        return usage_error(a, "'%s': z lies in %d..%d", text, PTL_Z_MIN, PTL_Z_MAX);
    if (args_has(a, "level"))
        return usage_error(a, "--level is that of --rect; a place is X,Y,Z");
    *out = (ptl_local_area){v[0], v[1], v[0], v[1], (int32_t)v[2], (int32_t)v[2]};
    return EXIT_DONE;
}

static int run(session *s)
{
    const args *a = s->args;
    local_wish wish = {.tide = args_has(a, "tide"),
                       .png = args_has(a, "png"),
                       .plain = args_has(a, "plain"),
                       .entities = args_has(a, "entities")};
    NEED(read_area(a, &wish.area));
    NEED(color_from_args(a, &wish.colours));
    NEED(rows_style_from_args(&s->style, a, NULL));
    if (wish.tide && args_has(a, "update"))
        return usage_error(a, "--tide is for looking at a map, --update changes it");
    NEED(tide_from_args(a, 0, wish.turns));
    const bool table = s->style.format == ROWS_TABLE;
    const bool json = s->style.format == ROWS_JSON || s->style.format == ROWS_JSONL;
    if (!wish.entities && !table && !json)
        return usage_error(a, "a map is a table or JSON; --entities lists rows");
    if (args_has(a, "rect") && (wish.entities || !table || args_has(a, "update")))
        return usage_error(a, "of a rectangle there is the map alone; --json, --entities and "
                              "--update are for one place");
    if (wish.png && (wish.entities || !table))
        return usage_error(a, "give --png, or --json or --entities, not both");
    NEED(style_from_args(a, &wish.style));
    if ((args_has(a, "tileset") || args_has(a, "style")) && !wish.png)
        return usage_error(a, "--%s is for pictures: give --png OUT.png",
                           args_has(a, "style") ? "style" : "tileset");
    NEED(wish.png ? picture_path_check(a, "png") : EXIT_DONE);
    NEED(session_open_world(s, PTL_OPEN_WRITE, NULL));
    if (args_has(a, "rect"))
        return show_area(s, &wish);
    ptl_local_map *map = NULL;
    const ptl_omt at = {wish.area.x0, wish.area.y0, wish.area.z0};
    const char *update = args_value(a, "update");
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    o.tide = wish.tide;
    o.view = wish.turns[0] * ptl_local_tide_turns(s->world);
    ptl_status status = ptl_local_get(&map, s->world, at, &o, &s->err);
    if (status == PTL_OK && update)
        status = ptl_local_update_run(s->world, map, update, &s->err);
    const int code = status == PTL_OK ? show_map(s, map, &wish) : session_failed(s);
    ptl_local_free(map);
    return code;
}

const command local_command = {
    .name = "local",
    .group = GROUP_LOOK,
    .operands = "FILE [X,Y[,Z]]",
    .operand_help = "X,Y[,Z]  The place: absolute OMTs, and the level (0).\n",
    .summary = "Show the local map of one OMT: 24 x 24 tiles; or of a rectangle.",
    .details =
        "It is made of the content's mapgen at the first call and stored; later ones read it. "
        "Chunks that it needs are generated and saved first. Symbols and colours are the "
        "content's: on a tile stands the topmost of terrain, furniture, traps, things. Below, "
        "or at a picture's side, is how many there are of each. A picture has symbols where "
        "there is room for them; 'render --local' leaves more to choose and stores nothing. "
        "With --update the map is changed as an 'update_mapgen_id' of the content says, and "
        "stored with the next revision. With --tide the sea of a region with shoals is shown "
        "as at that step of its tide: 28 is high water of the open sea, 78 low water, at 0 it "
        "passes its mean. Water takes a step for each tile that it goes inland, so there it "
        "is late. Without --tide a map is shown as it is stored: as if the sea had long stood "
        "at its mean, so not quite as at step 0.\n",
    .examples = "  portolan local w.db 90,90\n"
                "  portolan local w.db 90,90,-1 --entities\n"
                "  portolan local w.db 90,90 --json\n"
                "  portolan local w.db 90,90 --update mx_fallen_tree_update\n"
                "  portolan local w.db --rect 88,88,91,91 --png farm.png\n"
                "  portolan local sea.db --rect 680,416,687,423 --tide 0..99 --png tide.png\n",
    .options = options,
    .run = run,
    .stopped = "what it printed is not all",
};
