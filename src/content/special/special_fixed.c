/*
 * Fixed specials and city buildings: a list of OMTs, each an oter at a point.
 */
#include "content/special/special.h"

#include <stdlib.h>
#include <string.h>

/* Reports unknown keys of an entry without "overmap": if that key is misspelt, an OMT would
 * silently become a mere check. */
static void check_point_keys(field f)
{
    static const char *const known[] = {"point", "locations", "flags", "camp", "camp_name"};
    const char *key;
    json_t *value;
    json_object_foreach(f.value, key, value)
    {
        bool found = json_is_comment(key);
        for (size_t i = 0; !found && i < sizeof known / sizeof *known; i++)
            found = strcmp(known[i], key) == 0;
        if (!found) {
            field_error(f, "missing key 'overmap', and '%s' is not known", key);
            return;
        }
    }
}

/* Reads an OMT. An entry without a terrain is only a check: its locations must hold, and
 * nothing is placed. */
static void read_tile(field f, special *sp, special_points *points)
{
    special_omt tile = {.oter = NULL};
    if (!f.value || !field_object(f))
        return;
    field point = field_key(f, "point"), oter = field_key(f, "overmap");
    field locations = field_key(f, "locations"), flags = field_key(f, "flags");
    field camp = field_key(f, "camp"), camp_name = field_key(f, "camp_name");
    bool placed = field_required(point, "point") && field_point(point, tile.point);
    if (oter.value)
        tile.oter = field_oter(oter);
    else
        check_point_keys(f);
    field_locations(locations, &tile.locations);
    field_strings(flags, &tile.flags);
    field_string(camp, &tile.camp);
    if (camp_name.value && *import_name(camp_name.value))
        tile.camp_name = import_name(camp_name.value);
    else
        field_string(camp_name, &tile.camp_name);
    warn_no_locations(f, locations, "tile");
    if (!placed)
        return;
    if (abs((int)tile.point[2]) > SPECIAL_LEVEL_MAX)
        field_error(point, "%d is no level of an overmap, which are -%d to %d",
                    (int)tile.point[2], SPECIAL_LEVEL_MAX, SPECIAL_LEVEL_MAX);
    if (!oter.value) {
        sp->checks[sp->check_count++] =
            (special_check){{tile.point[0], tile.point[1], tile.point[2]},
                            {tile.point[0], tile.point[1], tile.point[2]},
                            tile.locations};
        return;
    }
    size_t before = special_points_put(points, tile.point, sp->omt_count);
    if (before != SIZE_MAX) {
        field_error(point, "[%d, %d, %d] is there twice", (int)tile.point[0],
                    (int)tile.point[1], (int)tile.point[2]);
        return;
    }
    if (points->capacity > 0)
        sp->tiles[sp->omt_count++] = tile;
}

/* Is the special switched off? Mods do that by no overmaps and occurrences [0, 0]. */
static bool never_asked_for(const special *sp)
{
    return !sp->building && sp->row.occurrences_max == 0;
}

void special_read_fixed(import *im, special *sp, special_points *tiles)
{
    field f = special_field(im, sp, "overmaps");
    if (!field_required(f, "overmaps"))
        return;
    if (json_is_object(f.value)) {
        field_expected(f, "an array, since the special is not mutable");
        return;
    }
    if (!field_array(f))
        return;
    size_t count = json_array_size(f.value);
    if (count == 0 && !never_asked_for(sp))
        field_warning(f, "without overmaps it can never be placed");
    sp->tiles = import_alloc(im, count, sizeof *sp->tiles);
    sp->checks = import_alloc(im, count, sizeof *sp->checks);
    if (count == 0 || !sp->tiles || !sp->checks || !special_points_init(tiles, im, count))
        return;
    for (size_t i = 0; i < count && !import_stopped(im); i++)
        read_tile(field_at(f, i), sp, tiles);
    /* Reports a special that no overmap has room for, however it is rotated and moved. */
    int32_t low[2] = {0, 0}, high[2] = {0, 0};
    for (size_t i = 0; i < sp->omt_count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            int32_t at = sp->tiles[i].point[axis];
            if (i == 0 || at < low[axis])
                low[axis] = at;
            if (i == 0 || at > high[axis])
                high[axis] = at;
        }
    }
    int width = (int)(high[0] - low[0] + 1), height = (int)(high[1] - low[1] + 1);
    if (width <= SPECIAL_FOOTPRINT_MAX && height <= SPECIAL_FOOTPRINT_MAX)
        return;
    /* Only a warning here: it is the games' border of rock around a closed world, which
     * scenarios place, not the overmap. */
    if (never_asked_for(sp))
        field_warning(f,
                      "%d x %d: an overmap has room for %d x %d: the special can never be "
                      "placed",
                      width, height, SPECIAL_FOOTPRINT_MAX, SPECIAL_FOOTPRINT_MAX);
    else
        field_error(f, "%d x %d: an overmap has room for %d x %d", width, height,
                    SPECIAL_FOOTPRINT_MAX, SPECIAL_FOOTPRINT_MAX);
}
