/*
 * Reads single values of specials. A `field` is a JSON value with its place in the text, so
 * that every function here reports a wrong value by itself; callers only need to know whether
 * reading succeeded. An inherited value is reported where the ancestor states it.
 */
#include "content/special/special.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

field special_field(import *im, special *sp, const char *key)
{
    const special *owner = sp;
    while (owner->parent && !json_object_get(owner->obj->json, key))
        owner = owner->parent;
    json_t *value = json_object_get(owner->obj->json, key);
    return (field){im, sp, owner->obj, sp->id, "", value ? key : NULL, value, owner->obj->json};
}

bool field_point(field f, int32_t out[3])
{
    static const int64_t limits[3] = {SPECIAL_COORDINATE_MAX, SPECIAL_COORDINATE_MAX,
                                      SPECIAL_HEIGHT_MAX};
    if (!f.value)
        return false;
    if (!json_is_array(f.value))
        return field_expected(f, "a point [x, y, z]");
    if (json_array_size(f.value) != 3)
        return field_error(f, CT101, "expected a point [x, y, z], found %zu numbers",
                           json_array_size(f.value));
    int32_t point[3];
    for (size_t i = 0; i < 3; i++) {
        int64_t v;
        if (!field_is_integer(json_array_get(f.value, i), &v) || v < -limits[i] ||
            v > limits[i]) {
            return field_int(field_at(f, i), -limits[i], limits[i], &v);
        }
        point[i] = (int32_t)v;
    }
    memcpy(out, point, sizeof point);
    return true;
}

bool special_list_has(const special_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return true;
    return false;
}

/* Makes an empty list with room for *count names: as many as the JSON array has elements, or
 * one if the value is a single string. */
static bool open_list(field f, special_list *list, size_t *count)
{
    if (!f.value)
        return false;
    if (!json_is_array(f.value) && !json_is_string(f.value))
        return field_expected(f, "an array of strings");
    *count = json_is_string(f.value) ? 1 : json_array_size(f.value);
    if (*count > SPECIAL_LIST_MAX) {
        (void)field_error(f, CT111, "a list of %zu entries: at most %d are allowed", *count,
                          SPECIAL_LIST_MAX);
        return false;
    }
    *list = (special_list){.items = import_alloc(f.im, *count, sizeof *list->items)};
    return *count == 0 || list->items != NULL;
}

static field list_entry(field f, size_t index)
{
    return json_is_string(f.value) ? f : field_at(f, index);
}

bool field_strings(field f, special_list *out)
{
    special_list list = {0};
    size_t count = 0;
    if (!open_list(f, &list, &count))
        return false;
    for (size_t i = 0; i < count && !import_stopped(f.im); i++) {
        const char *text = NULL;
        if (field_string(list_entry(f, i), &text) && !special_list_has(&list, text))
            list.items[list.count++] = text;
    }
    *out = list;
    return true;
}

/* Returns " (the special is left out)" with the option lenient, else "". */
static const char *special_left_out_text(const import *im)
{
    return im->options->lenient ? " (the special is left out)" : "";
}

/* Reports a list of locations that no terrain satisfies, once for each special, not for each
 * OMT. */
static void report_unsatisfiable(field f, const special_list *list)
{
    special *sp = f.sp;
    for (size_t i = 0; i < sp->unsatisfiable_count; i++)
        if (strcmp(sp->unsatisfiable[i], list->items[0]) == 0)
            return;
    if (sp->unsatisfiable_count < SPECIAL_UNSATISFIABLE_MAX)
        sp->unsatisfiable[sp->unsatisfiable_count++] = list->items[0];
    field_unresolved(f, SP102, "no terrain satisfies location '%s'%s: this can never be placed",
                     list->items[0], list->count > 1 ? ", nor the others of the list" : "");
}

bool field_locations(field f, special_list *out)
{
    special_list list = {0};
    size_t count = 0;
    if (!open_list(f, &list, &count))
        return false;
    bool satisfiable = false, complete = true;
    for (size_t i = 0; i < count && !import_stopped(f.im); i++) {
        field e = list_entry(f, i);
        const char *id = NULL;
        if (!field_string(e, &id)) {
            complete = false;
        } else if (!definition_get(f.im, CONTENT_LOCATIONS, id)) {
            complete = false;
            field_unresolved(e, CT104, "no such overmap_location '%s'%s", id,
                             definition_suggest(f.im, CONTENT_LOCATIONS, id));
        } else if (!special_list_has(&list, id)) {
            list.items[list.count++] = id;
            satisfiable = satisfiable || location_satisfiable(f.im, id);
        }
    }
    if (list.count == 0 && count > 0 && f.im->options->lenient) {
        field_warning(f, SP102, "none of these locations is known (the special is left out)");
        f.sp->left_out = true;
    } else if (list.count > 0 && complete && !satisfiable) {
        report_unsatisfiable(f, &list);
    }
    *out = list;
    return true;
}

bool field_is_filled(field f)
{
    return f.value && !(json_is_array(f.value) && json_array_size(f.value) == 0);
}

void warn_no_locations(field f, field own, const char *part)
{
    special *sp = f.sp;
    if (sp->warned_no_location || sp->has_locations || field_is_filled(own))
        return;
    sp->warned_no_location = true;
    field_warning(f, SP102,
                  "the %s has no locations, nor has the special: it can never be placed", part);
}

const char *field_oter(field f)
{
    const char *id = NULL;
    if (!field_string(f, &id))
        return NULL;
    oter_match match = terrain_find_oter(f.im, id);
    if (match == OTER_FOUND)
        return id;
    f.sp->left_out = f.sp->left_out || f.im->options->lenient;
    if (match == OTER_NONE)
        field_unresolved(f, CT104, "no such overmap terrain '%s'%s%s", id,
                         terrain_suggest(f.im, id), special_left_out_text(f.im));
    else if (terrain_is_linear(f.im, id))
        field_unresolved(
            f, SP112, "'%s' is linear: name one of its shapes, such as '%s_ns' or '%s_nesw'%s",
            id, id, id, special_left_out_text(f.im));
    else
        field_unresolved(f, SP112, "'%s' can be rotated: name a rotation, usually '%s_north'%s",
                         id, id, special_left_out_text(f.im));
    return NULL;
}

const char *field_connection(field f)
{
    const char *id = NULL;
    if (!field_string(f, &id))
        return NULL;
    if (definition_get(f.im, CONTENT_CONNECTIONS, id))
        return id;
    field_unresolved(f, CT104, "no such overmap_connection '%s'%s%s", id,
                     definition_suggest(f.im, CONTENT_CONNECTIONS, id),
                     f.im->options->lenient ? " (the connection is left out)" : "");
    return NULL;
}

/* ---- maps from points ---- */

enum { POINT_KEY = 40 };

static const char *point_key(char out[POINT_KEY], const int32_t point[3])
{
    snprintf(out, POINT_KEY, "%d,%d,%d", (int)point[0], (int)point[1], (int)point[2]);
    return out;
}

size_t special_points_get(const strmap *points, const int32_t point[3])
{
    char key[POINT_KEY];
    const uint32_t number = strmap_get(points, point_key(key, point));
    return number == STRMAP_NONE ? SIZE_MAX : number;
}

size_t special_points_put(strmap *points, import *im, const int32_t point[3], size_t number)
{
    char key[POINT_KEY];
    const size_t before = special_points_get(points, point);
    const char *kept =
        before == SIZE_MAX ? arena_strdup(im->arena, point_key(key, point)) : NULL;
    if (before == SIZE_MAX && (!kept || strmap_put(points, kept, (uint32_t)number) != 0))
        import_no_memory(im);
    return before;
}

/* ---- fixed specials and city buildings: a list of OMTs, each an oter at a point ---- */

/* Reports unknown keys in an element of a special's list of OMTs that has no "overmap". Such an
 * element only checks the ground; if "overmap" is misspelt, an OMT would silently become such a
 * check. */
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
            field_error(f, CT102, "missing key 'overmap', and '%s' is not known", key);
            return;
        }
    }
}

/* Reads an element of a special's list of OMTs. One without a terrain is only a check: the
 * ground there must be of its locations, and nothing is placed. */
static void read_omt(field f, special *sp, strmap *points)
{
    special_omt omt = {.oter = NULL};
    if (!f.value || !field_object(f))
        return;
    field point = field_key(f, "point"), oter = field_key(f, "overmap");
    field locations = field_key(f, "locations"), flags = field_key(f, "flags");
    field camp = field_key(f, "camp"), camp_name = field_key(f, "camp_name");
    bool placed = field_required(point, "point") && field_point(point, omt.point);
    if (oter.value)
        omt.oter = field_oter(oter);
    else
        check_point_keys(f);
    field_locations(locations, &omt.locations);
    field_strings(flags, &omt.flags);
    field_string(camp, &omt.camp);
    if (camp_name.value && *import_name(camp_name.value))
        omt.camp_name = import_name(camp_name.value);
    else
        field_string(camp_name, &omt.camp_name);
    warn_no_locations(f, locations, "OMT");
    if (!placed)
        return;
    if (abs((int)omt.point[2]) > SPECIAL_LEVEL_MAX)
        field_error(point, CT103, "%d is no level of an overmap, which are -%d to %d",
                    (int)omt.point[2], SPECIAL_LEVEL_MAX, SPECIAL_LEVEL_MAX);
    if (!oter.value) {
        sp->checks[sp->check_count++] =
            (special_check){{omt.point[0], omt.point[1], omt.point[2]},
                            {omt.point[0], omt.point[1], omt.point[2]},
                            omt.locations};
        return;
    }
    if (special_points_put(points, f.im, omt.point, sp->omt_count) != SIZE_MAX) {
        field_error(point, SP107, "[%d, %d, %d] is there twice", (int)omt.point[0],
                    (int)omt.point[1], (int)omt.point[2]);
        return;
    }
    sp->omts[sp->omt_count++] = omt;
}

/* Is the special switched off? Mods do that by an empty "overmaps" and occurrences [0, 0]. */
static bool never_asked_for(const special *sp)
{
    return !sp->building && sp->row.occurrences_max == 0;
}

void special_read_fixed(import *im, special *sp, strmap *omts)
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
        field_warning(f, SP103, "without overmaps it can never be placed");
    sp->omts = import_alloc(im, count, sizeof *sp->omts);
    sp->checks = import_alloc(im, count, sizeof *sp->checks);
    if (!sp->omts || !sp->checks)
        return;
    for (size_t i = 0; i < count && !import_stopped(im); i++)
        read_omt(field_at(f, i), sp, omts);
    /* Reports a special for which no overmap has room, however it is rotated and moved. */
    int32_t low[2] = {0, 0}, high[2] = {0, 0};
    for (size_t i = 0; i < sp->omt_count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            int32_t at = sp->omts[i].point[axis];
            if (i == 0 || at < low[axis])
                low[axis] = at;
            if (i == 0 || at > high[axis])
                high[axis] = at;
        }
    }
    int width = (int)(high[0] - low[0] + 1), height = (int)(high[1] - low[1] + 1);
    if (width <= SPECIAL_FOOTPRINT_MAX && height <= SPECIAL_FOOTPRINT_MAX)
        return;
    /*
     * If the special is switched off, this is only a warning. The games have such a special:
     * the border of rock around a closed world, which scenarios place, not generation.
     */
    if (never_asked_for(sp))
        field_warning(f, SP101,
                      "%d x %d: an overmap has room for %d x %d: the special can never be "
                      "placed",
                      width, height, SPECIAL_FOOTPRINT_MAX, SPECIAL_FOOTPRINT_MAX);
    else
        field_error(f, SP101, "%d x %d: an overmap has room for %d x %d", width, height,
                    SPECIAL_FOOTPRINT_MAX, SPECIAL_FOOTPRINT_MAX);
}
