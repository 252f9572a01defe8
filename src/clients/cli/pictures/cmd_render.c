/* portolan render: draws a world as a PNG, or prints it as text for the terminal. */
#include "clients/cli/pictures/picture.h"
#include "clients/cli/session/tilesets.h"

#include "core/bytes.h"
#include "core/error.h"

#include <string.h>

/* A picture around a place, without --size, shows SIZE_OMTS x SIZE_OMTS. */
enum { SIZE_OMTS = 180, SYMBOLS_SCALE = 8, SCALE_MAX = 32 };

static const option_spec options[] = {
    OPTION_WORLD,
    {"output", "OUT", "the picture, OUT.png or OUT.svg; - is a PNG on standard output", 'o'},
    {"world-file", NULL, "write OUT.pgw, too: where the picture lies, for QGIS and GDAL", 0},
    {"text", NULL, "print symbols to the terminal instead of a picture", 0},
    {"rect", "X0,Y0,X1,Y1", "chunks, both ends included (default: all saved chunks)", 0},
    {"omt", "X0,Y0,X1,Y1", "absolute OMTs, both ends included", 0},
    {"center", "PLACE", "what is in the middle: X,Y in OMTs, a city, a special", 0},
    {"size", "WxH", "OMTs around it (180x180; a text: what fits)", 0},
    {"level", "Z", "-10..10 (default: 0)", 0},
    {"levels", "A..B", "a strip of levels side by side, from A to B", 0},
    {"local", NULL, "each OMT as its local map; N is a multiple of 24 up to 768", 0},
    {"riot-damage", "off|on", "of --local: as if the world had this setting", 0},
    {"tileset", "DIR", "draw with a game's tile set: a folder of its gfx, or the game's", 0},
    {"scale", "N", "pixels per OMT, 1..32 (default: for some 1,000 pixels)", 0},
    {"style", "STYLE", "paper (default), dark (paper), or terminal: the content's colours", 0},
    {"symbols", NULL, "draw each terrain's symbol; scale 8 (--local: 192) or more", 0},
    {"plain", NULL, "the map alone, scale 1; of --text all of it", 0},
    {"title", NULL, "only this part, and others that are named: a title", 0},
    {"grid", NULL, "the same: borders of chunks, coordinates (of --text, too)", 0},
    {"names", NULL, "the same: names of cities", 0},
    {"scale-bar", NULL, "the same: how long an OMT is", 0},
    {"legend", NULL, "the same: the terrains in the picture", 0},
    {"animate", NULL, "an animated PNG: the world grows step by step", 0},
    {"font-scale", "N", "letters N times as large, 1..8 (default: 1)", 0},
    {"color", "WHEN", "of --text: auto (default), always or never", 0},
    OPTIONS_END,
};

static const struct part_option {
    const char *name;
    uint32_t part;
} part_options[] = {
    {"title", PTL_RENDER_TITLE},   {"grid", PTL_RENDER_GRID},
    {"names", PTL_RENDER_NAMES},   {"scale-bar", PTL_RENDER_SCALE_BAR},
    {"legend", PTL_RENDER_LEGEND},
};

/* Reads which additions to the map are drawn, such as names and a legend: by default all, with
 * --plain none. A map as text can only have the grid. */
static int read_parts(const args *a, uint32_t *out)
{
    const char *named = NULL;
    *out = 0;
    for (size_t i = 0; i < sizeof part_options / sizeof part_options[0]; i++) {
        if (!args_has(a, part_options[i].name))
            continue;
        named = part_options[i].name;
        *out |= part_options[i].part;
        if (args_has(a, "text") && part_options[i].part != PTL_RENDER_GRID)
            return usage_error(a, "--%s is for pictures; a text can have --grid", named);
    }
    if (args_has(a, "animate") && *out & ~(uint32_t)PTL_RENDER_NAMES)
        return usage_error(a, "--animate has names at most beside the map, not --%s", named);
    if (named && args_has(a, "plain"))
        return usage_error(a, "give --plain or --%s, not both", named);
    if (!named && !args_has(a, "plain"))
        *out = args_has(a, "animate") ? PTL_RENDER_NAMES : PTL_RENDER_ALL;
    return EXIT_DONE;
}

/* Reads whether local maps are shown with or without riots. */
static int read_damage(const args *a, ptl_riot_damage *out)
{
    const char *wanted = args_value(a, "riot-damage");
    if (!wanted)
        return EXIT_DONE;
    if (!args_has(a, "local"))
        return usage_error(a, "--riot-damage is for local maps: give --local, too");
    if (strcmp(wanted, "on") != 0 && strcmp(wanted, "off") != 0)
        return usage_error(a, "--riot-damage '%s' is none of off|on", wanted);
    *out = strcmp(wanted, "on") == 0 ? PTL_RIOT_DAMAGE_ON : PTL_RIOT_DAMAGE_OFF;
    return EXIT_DONE;
}

/* ---- pictures ---- */

/* Checks the name of the picture, and what is asked besides. */
static int render_path_check(const args *a)
{
    const char *path = args_value(a, "output");
    if (args_has(a, "world-file") && (!path || !picture_is(path, ".png")))
        return usage_error(a, "--world-file goes with -o OUT.png: its name is OUT.pgw");
    if (args_has(a, "font-scale") && !path)
        return usage_error(a, "--font-scale is for pictures");
    if (args_has(a, "animate") && (!path || picture_is(path, ".svg") || args_has(a, "local")))
        return usage_error(a, "--animate goes with -o OUT.png, without --local");
    return path && picture_is(path, ".svg") ? EXIT_DONE : picture_path_check(a, "output");
}

/* Writes the world file of a picture beside it: the size of a pixel and the middle of the first
 * one, in the metres of a GeoPackage, 24 to an OMT, with y upwards. */
static int write_world_file(session *s, const char *picture, const ptl_render_options *o)
{
    const ptl_render_layout *l = o->layout;
    const double pixel = (double)PTL_LOCAL_SIDE / (double)l->scale;
    const double x = (double)o->x0 * PTL_LOCAL_SIDE - ((double)l->map_x - 0.5) * pixel;
    const double y = -(double)o->y0 * PTL_LOCAL_SIDE + ((double)l->map_y - 0.5) * pixel;
    bytes path = {.size = 0}, text = {.size = 0};
    out_file file;
    bytes_put(&path, picture, strlen(picture) - strlen("png"));
    bytes_put_text(&path, "pgw");
    bytes_printf(&text, "%.10f\n0\n0\n%.10f\n%.10f\n%.10f\n", pixel, -pixel, x, y);
    const char *name = text.failed ? NULL : bytes_text(&path);
    int code = EXIT_FAILED;
    if (name) {
        const bool written =
            out_file_open(&file, name, s->args->operands, s->args->operand_count) &&
            out_file_write(&file, text.data, text.size);
        code = out_file_close(&file, written) ? EXIT_DONE
                                              : out_file_failed(&file, s->args->command->name);
    } else {
        code = session_done(s, error_nomem(&s->err));
    }
    bytes_dispose(&path);
    bytes_dispose(&text);
    return code;
}

static int draw_picture(session *s, const map_wish *wish, ptl_render_options *o)
{
    map_rect rect = wish->rect, saved;
    int64_t center[2];
    const int32_t unit = o->local ? PTL_LOCAL_SIDE : 1;
    NEED(map_saved(s, &saved));
    if (!wish->has_rect)
        rect = saved;
    if (wish->center || wish->has_size) {
        NEED(map_center(s, wish, &saved, center));
        rect = map_around(center, wish->has_size ? wish->width : SIZE_OMTS,
                          wish->has_size ? wish->height : SIZE_OMTS);
    }
    map_use(o, &rect);
    NEED(map_check_saved(s, &rect));
    picture_fit(o);
    if (o->symbols && o->scale < SYMBOLS_SCALE * unit)
        o->scale = SYMBOLS_SCALE * unit;
    ptl_render_layout layout = PTL_RENDER_LAYOUT_INIT;
    const char *path = args_value(s->args, "output");
    ptl_render_options placed = *o;
    placed.layout = &layout;
    NEED(picture_write(s, path, &placed));
    return args_has(s->args, "world-file") ? write_world_file(s, path, &placed) : EXIT_DONE;
}

/* Draws the picture, with the tile set that --tileset names. */
static int draw_with_set(session *s, const map_wish *wish, ptl_render_options *o)
{
    ptl_tileset *set;
    NEED(tileset_from_args(s, &set));
    o->tileset = set;
    const int code = draw_picture(s, wish, o);
    ptl_tileset_close(set);
    return code;
}

static int run(session *s)
{
    const args *a = s->args;
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    text_wish wish = {.plain = args_has(a, "plain"), .grid = args_has(a, "grid")};
    /* Leaves scale at 0 if no scale is given; draw_picture chooses it once the rectangle is
     * known. */
    int64_t span[2];
    o.symbols = args_has(a, "symbols");
    o.local = args_has(a, "local");
    o.steps = args_has(a, "animate");
    o.scale = 0;
    const int unit = o.local ? PTL_LOCAL_SIDE : 1;
    NEED(read_damage(a, &o.riot_damage));
    NEED(style_from_args(a, &o.style));
    NEED(levels_from_args(a, span));
    NEED(args_int32(a, "scale", unit, (int64_t)SCALE_MAX * unit, &o.scale));
    NEED(read_parts(a, &o.parts));
    NEED(args_int32(a, "font-scale", 1, 8, &o.font_scale));
    NEED(render_path_check(a));
    o.z_first = (int32_t)span[0];
    o.z_last = (int32_t)span[1];
    if (o.scale % unit != 0)
        return usage_error(a, "--scale of local maps is a multiple of %d", unit);
    if (o.symbols && o.scale > 0 && o.scale < SYMBOLS_SCALE * unit)
        return usage_error(a, "--symbols needs a --scale of %d or more", SYMBOLS_SCALE * unit);
    if (o.local && args_has(a, "text"))
        return usage_error(a, "--local is for pictures; 'portolan local' prints local maps");
    if (args_has(a, "text") == args_has(a, "output"))
        return usage_error(a, "say where to: -o OUT.png, or --text for the terminal");
    if (args_has(a, "tileset") && args_has(a, "text"))
        return usage_error(a, "--tileset is for pictures");
    if (args_has(a, "tileset") && picture_is(args_value(a, "output"), ".svg"))
        return usage_error(a, "--tileset goes with -o OUT.png: it has no paths for an SVG");
    NEED(color_from_args(a, &wish.colours));
    NEED(map_wish_read(&wish.where, a));
    NEED(session_open_world(s, PTL_OPEN_READ, NULL));
    return args_has(a, "text") ? render_text(s, &wish, &o) : draw_with_set(s, &wish.where, &o);
}

const command render_command = {
    .name = "render",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .summary = "Draw a world as a picture (PNG or SVG), or as text.",
    .details =
        "A picture has a title, a grid of chunks with coordinates, names of cities, a scale "
        "bar and a legend; with --plain it is the map alone, with --grid, --names ... these "
        "alone. It is written row by row, and appears under its name when it is complete. Its "
        "PNG texts say what it shows: world, seed, rectangle, levels, content. Chunks that "
        "are not saved are blank; where none is, that is an error. With --local each OMT is "
        "its local map: as it is stored, else as it would be made; nothing is stored. With "
        "--riot-damage maps that no game has edited are shown with or without riots. Maps "
        "beside chunks that are not saved are shown in their terrain's colour.\n\n"
        "OUT.svg is the same picture as paths and texts. --world-file writes OUT.pgw beside "
        "OUT.png: programs such as QGIS and GDAL then lay the picture under the GeoPackage "
        "that "
        "`portolan export --format gpkg` writes, in metres, 24 to an OMT.\n\n"
        "--animate makes the chunks again in memory, up to one step of generation after the "
        "other, "
        "and shows each step's outcome for a second, at last the world as it is saved.\n\n"
        "A text on a terminal is cropped to it, around the largest city or --center, and says "
        "below what is seen. Into a file or a pipe goes all of it, unless --center or --size "
        "is given.\n",
    .examples = "  portolan render w.db -o home.png\n"
                "  portolan render w.db -o grows.png --animate\n"
                "  portolan render w.db -o home.svg --font-scale 2\n"
                "  portolan render w.db -o home.png --plain --world-file\n"
                "  portolan render w.db -o city.png --size 90x60 --symbols\n"
                "  portolan render w.db -o below.png --rect 0,0,0,0 --levels 0..-3 --plain\n"
                "  portolan render w.db -o farm.png --local --omt 40,60,47,67 --scale 96\n"
                "  portolan render w.db --text --center 12,-40\n",
    .options = options,
    .run = run,
    .stopped = "no picture was written",
};
