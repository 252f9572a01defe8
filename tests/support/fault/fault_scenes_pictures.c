/* Fault scenes of pictures and texts that the library draws. */
#include "core/error.h"
#include "support/fault/fault_loop.h"

#include <stdio.h>

static bool mix_output(void *payload, const void *data, size_t size)
{
    fault_mix(payload, data, size);
    return true;
}

static ptl_render_options a_picture(void)
{
    ptl_render_options options = PTL_RENDER_OPTIONS_INIT;
    options.x0 = 150;
    options.x1 = 210;
    options.y1 = 40;
    options.scale = 8;
    options.symbols = true;
    options.z_first = -1;
    options.parts = PTL_RENDER_ALL;
    return options;
}

static ptl_status render_png(fault_place *p, ptl_error *err)
{
    const ptl_render_options options = a_picture();
    return ptl_render_png_write(p->world, &options, mix_output, p, err);
}

static ptl_status render_svg(fault_place *p, ptl_error *err)
{
    const ptl_render_options options = a_picture();
    return ptl_render_svg_write(p->world, &options, mix_output, p, err);
}

static ptl_status render_steps(fault_place *p, ptl_error *err)
{
    ptl_render_options options = a_picture();
    options.symbols = false;
    options.steps = true;
    options.scale = 1;
    options.parts = PTL_RENDER_NAMES;
    return ptl_render_png_write(p->world, &options, mix_output, p, err);
}

/* Maps that are made for it, among them some beside a chunk that is not saved. */
static ptl_status render_local(fault_place *p, ptl_error *err)
{
    ptl_render_options options = PTL_RENDER_OPTIONS_INIT;
    options.x0 = 177;
    options.x1 = 181;
    options.y0 = 89;
    options.y1 = 90;
    options.scale = 8 * PTL_LOCAL_SIDE;
    options.symbols = options.local = true;
    options.parts = PTL_RENDER_ALL;
    return ptl_render_png_write(p->world, &options, mix_output, p, err);
}

/* Overmaps and local maps, drawn with a tile set. */
static ptl_status render_tileset(fault_place *p, ptl_error *err)
{
    char folder[FAULT_PATH_SIZE + 16];
    ptl_render_options options = PTL_RENDER_OPTIONS_INIT;
    ptl_tileset *set;
    ptl_tileset_info info = PTL_TILESET_INFO_INIT;
    snprintf(folder, sizeof folder, "%s/tileset", p->content);
    ptl_status status = ptl_tileset_open(&set, folder, err);
    if (status != PTL_OK)
        return status;
    status = ptl_tileset_describe(&info, set);
    fault_mix(p, &info.tiles, sizeof info.tiles);
    options.x0 = 177;
    options.x1 = 181;
    options.y0 = 89;
    options.y1 = 90;
    options.scale = 2;
    options.tileset = set;
    if (status == PTL_OK)
        status = ptl_render_png_write(p->world, &options, mix_output, p, err);
    options.scale = 2 * PTL_LOCAL_SIDE;
    options.local = true;
    options.parts = PTL_RENDER_ALL;
    if (status == PTL_OK)
        status = ptl_render_png_write(p->world, &options, mix_output, p, err);
    ptl_tileset_close(set);
    return status;
}

/* Islands with all refinements, as numbers and in a sheet. */
static ptl_status make_shoals(fault_place *p, ptl_error *err)
{
    enum { CELLS = 40 * 30 };
    static int32_t heights[CELLS], spill[CELLS];
    static uint8_t plants[CELLS];
    const ptl_shoals_picture sheet = {sizeof sheet, 2, 3, 8, 1};
    const ptl_tide_picture turns = {sizeof turns, 27, 29, 1, PTL_TIDE_FULL};
    ptl_shoals_options options = PTL_SHOALS_OPTIONS_GAME;
    options.width = 40;
    options.height = 30;
    options.parts = PTL_SHOALS_ALL_PARTS;
    ptl_status status = ptl_shoals_generate(heights, plants, &options, err);
    fault_mix(p, heights, sizeof heights);
    fault_mix(p, plants, sizeof plants);
    if (status == PTL_OK)
        status = ptl_tide_spill(spill, NULL, &options, heights, plants, err);
    if (status == PTL_OK)
        status = ptl_shoals_png_write(&options, &sheet, mix_output, p, err);
    return status == PTL_OK ? ptl_tide_png_write(&options, &turns, mix_output, p, err) : status;
}

static ptl_status render_text(fault_place *p, ptl_error *err)
{
    ptl_render_options options = PTL_RENDER_OPTIONS_INIT;
    options.x0 = 100;
    options.x1 = 219;
    options.y1 = 40;
    return ptl_render_text_write(p->world, &options, true, mix_output, p, err);
}

/* What terrains look like on each paper. Nothing is allocated. */
static ptl_status map_looks(fault_place *p, ptl_error *err)
{
    for (int i = 0; i < PTL_MAP_CLASSES * 2; i++) {
        ptl_map_look look = PTL_MAP_LOOK_INIT;
        const ptl_map_style style = i % 2 ? PTL_STYLE_DARK_PAPER : PTL_STYLE_PAPER;
        const ptl_status status = ptl_map_look_describe(&look, (ptl_map_class)(i / 2), style);
        if (status != PTL_OK)
            return error_set(err, status, "class %d", i / 2);
        fault_mix_text(p, ptl_map_group_name(look.group));
        fault_mix_number(p, look.area);
    }
    for (int i = 0; i < PTL_TILE_CLASSES * 2; i++) {
        ptl_tile_look look = PTL_TILE_LOOK_INIT;
        const ptl_map_style style = i % 2 ? PTL_STYLE_DARK_PAPER : PTL_STYLE_PAPER;
        const ptl_status status = ptl_tile_look_describe(&look, (ptl_tile_class)(i / 2), style);
        if (status != PTL_OK)
            return error_set(err, status, "class of tiles %d", i / 2);
        fault_mix_text(p, look.name);
        fault_mix_number(p, look.area);
    }
    return PTL_OK;
}

const fault_scene fault_scenes_pictures[] = {
    {"png", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, render_png, NULL},
    {"svg", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, render_svg, NULL},
    {"png_steps", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 6, render_steps, NULL},
    {"png_local", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 6, render_local, NULL},
    {"png_tileset", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 6, render_tileset, NULL},
    {"text", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, render_text, NULL},
    {"shoals", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, make_shoals, NULL},
    {"map_looks", FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, map_looks, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, NULL, NULL}};
