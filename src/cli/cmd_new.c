/* portolan new: adds a world to a file that has content. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const option_spec options[] = {
    {"seed", "N", "0..18446744073709551615, or hexadecimal after 0x (required)", 0},
    {"region", "ID", "the content's region_settings to use (default: default)", 0},
    {"city-size", "N", "0..16; 0: no cities (default: 8)", 0},
    {"city-spacing", "N", "0..8; city density is 2^-N (default: 4)", 0},
    {"specials-density", "F", "0.01..10 (default: 1)", 0},
    {"specials-spacing", "N", "-1..72 OMTs (default: 6)", 0},
    {"placement", "MODE", "quota (default) or sectors", 0},
    {"railroads", NULL, "railroads cross borders and link cities, if the content has them", 0},
    {"subways", NULL, "subway tunnels cross borders, if the content has them", 0},
    {"compat", NULL, "place specials as the games do, against their documents", 0},
    {"scale-unique", NULL, "--specials-density scales the chance of UNIQUE specials, too", 0},
    {"unique-radius", "N",
     "0..1000; GLOBALLY_UNIQUE specials lie this near chunk 0,0 (default: 5)", 0},
    OPTION_WAIT,
    OPTIONS_END,
};

static int read_placement(const args *a, ptl_placement *out)
{
    const char *text = args_value(a, "placement");
    if (!text || strcmp(text, "quota") == 0)
        *out = PTL_PLACEMENT_QUOTA;
    else if (strcmp(text, "sectors") == 0)
        *out = PTL_PLACEMENT_SECTORS;
    else
        return usage_error(a, "--placement '%s' is neither quota nor sectors", text);
    return EXIT_DONE;
}

static int read_settings(const args *a, ptl_world_options *out)
{
    int64_t city_size = out->city_size, city_spacing = out->city_spacing;
    int64_t specials_spacing = out->specials_spacing, unique_radius = out->unique_radius;
    const char *seed = args_value(a, "seed");
    if (!seed)
        return usage_error(a, "a world needs a seed: --seed N");
    if (!parse_u64(seed, &out->seed))
        return usage_error(a, "--seed '%s' is not a whole number in 0..18446744073709551615",
                           seed);
    out->region = args_value(a, "region");
    out->railroads = args_has(a, "railroads");
    out->subways = args_has(a, "subways");
    out->compat = args_has(a, "compat");
    out->scale_unique = args_has(a, "scale-unique");
    int code = args_int(a, "city-size", 0, 16, &city_size);
    if (code == EXIT_DONE)
        code = args_int(a, "city-spacing", 0, 8, &city_spacing);
    if (code == EXIT_DONE)
        code = args_double(a, "specials-density", 0.01, 10, &out->specials_density);
    if (code == EXIT_DONE)
        code = args_int(a, "specials-spacing", -1, 72, &specials_spacing);
    if (code == EXIT_DONE)
        code = args_int(a, "unique-radius", 0, 1000, &unique_radius);
    if (code == EXIT_DONE)
        code = read_placement(a, &out->placement);
    out->city_size = (int32_t)city_size;
    out->city_spacing = (int32_t)city_spacing;
    out->specials_spacing = (int32_t)specials_spacing;
    out->unique_radius = (int32_t)unique_radius;
    return code;
}

static int create(session *s, const ptl_world_options *settings)
{
    const char *path = s->args->operands[0], *name = s->args->operands[1];
    ptl_status status = ptl_world_create(s->store, name, settings, &s->err);
    if (status == PTL_OK) {
        out_printf("world '%s' with seed %" PRIu64 " is in %s; go on with\n"
                   "  portolan generate '%s' --world '%s' --radius 2\n",
                   name, settings->seed, path, path, name);
        return EXIT_DONE;
    }
    session_failed(s);
    if (status == PTL_ERR_CONTENT)
        fprintf(stderr, "Import content first: portolan import '%s' --builtin\n", path);
    if (status == PTL_ERR_NOT_FOUND)
        fprintf(stderr, "Regions: portolan query '%s' \"SELECT id FROM region_settings\"\n",
                path);
    return EXIT_FAILED;
}

static int run(const args *a)
{
    session s;
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    int code = read_settings(a, &settings);
    if (code != EXIT_DONE)
        return code;
    code = session_open(&s, a, PTL_OPEN_WRITE);
    if (code == EXIT_DONE)
        code = create(&s, &settings);
    session_close(&s);
    return code;
}

const command new_command = {
    .name = "new",
    .operands = "FILE NAME",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Add a world to a file; its seed and settings are fixed from then on.",
    .details =
        "The file must hold content (see 'portolan import'). Nothing is generated yet.\n",
    .options = options,
    .run = run,
};
