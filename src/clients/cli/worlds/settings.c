#include "clients/cli/worlds/settings.h"

#include <string.h>

static const option_spec options[] = {OPTIONS_SETTINGS, OPTIONS_END};

static int read_placement(const args *a, ptl_placement *out)
{
    const char *text = args_value(a, "placement");
    if (!text)
        return EXIT_DONE;
    if (strcmp(text, "quota") == 0)
        *out = PTL_PLACEMENT_QUOTA;
    else if (strcmp(text, "sectors") == 0)
        *out = PTL_PLACEMENT_SECTORS;
    else
        return usage_error(a, "--placement '%s' is neither quota nor sectors", text);
    return EXIT_DONE;
}

static int read_highways(const args *a, ptl_highways *out)
{
    const char *text = args_value(a, "highways");
    if (!text)
        return EXIT_DONE;
    if (strcmp(text, "on") == 0)
        *out = PTL_HIGHWAYS_ON;
    else if (strcmp(text, "off") == 0)
        *out = PTL_HIGHWAYS_OFF;
    else
        return usage_error(a, "--highways '%s' is neither on nor off", text);
    return EXIT_DONE;
}

static int read_roads(const args *a, ptl_roads *out)
{
    const char *text = args_value(a, "roads");
    if (!text)
        return EXIT_DONE;
    if (strcmp(text, "wandering") == 0)
        *out = PTL_ROADS_WANDERING;
    else if (strcmp(text, "exact") == 0)
        *out = PTL_ROADS_EXACT;
    else
        return usage_error(a, "--roads '%s' is neither wandering nor exact", text);
    return EXIT_DONE;
}

static int read_int(const args *a, const char *name, int64_t lo, int64_t hi, int32_t *out)
{
    int64_t value = *out;
    const int code = args_int(a, name, lo, hi, &value);
    *out = (int32_t)value;
    return code;
}

int settings_from_args(const args *a, ptl_world_options *out)
{
    if (args_value(a, "region"))
        out->region = args_value(a, "region");
    out->railroads = out->railroads || args_has(a, "railroads");
    out->subways = out->subways || args_has(a, "subways");
    out->compat = out->compat || args_has(a, "compat");
    out->scale_unique = out->scale_unique || args_has(a, "scale-unique");
    int code = read_int(a, "city-size", 0, 16, &out->city_size);
    if (code == EXIT_DONE)
        code = read_int(a, "city-spacing", 0, 8, &out->city_spacing);
    if (code == EXIT_DONE)
        code = args_double(a, "specials-density", 0.01, 10, &out->specials_density);
    if (code == EXIT_DONE)
        code = read_int(a, "specials-spacing", -1, 72, &out->specials_spacing);
    if (code == EXIT_DONE)
        code = read_int(a, "unique-radius", 0, 1000, &out->unique_radius);
    if (code == EXIT_DONE)
        code = read_highways(a, &out->highways);
    if (code == EXIT_DONE)
        code = read_roads(a, &out->roads);
    return code == EXIT_DONE ? read_placement(a, &out->placement) : code;
}

bool settings_given(const args *a)
{
    for (const option_spec *o = options; o->name; o++)
        if (args_has(a, o->name))
            return true;
    return false;
}
