/*
 * Reads single values of specials. A `field` carries its place, so that every function here
 * reports a wrong value by itself; callers only ask whether it worked. An inherited value is
 * reported where the ancestor states it.
 */
#include "content/special/special.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

field special_field(import *im, special *sp, const char *key)
{
    const special *owner = sp;
    while (owner->parent && !json_object_get(owner->obj->json, key))
        owner = owner->parent;
    json_t *value = json_object_get(owner->obj->json, key);
    return (field){im, sp, owner->obj, sp->id, "", value ? key : NULL, value};
}

bool field_point(field f, int32_t out[3])
{
    static const int64_t limits[3] = {SPECIAL_COORDINATE_MAX, SPECIAL_COORDINATE_MAX,
                                      SPECIAL_HEIGHT_MAX};
    if (!f.value)
        return false;
    if (!json_is_array(f.value)) {
        field_expected(f, "a point [x, y, z]");
        return false;
    }
    if (json_array_size(f.value) != 3) {
        field_error(f, "expected a point [x, y, z], found %zu numbers",
                    json_array_size(f.value));
        return false;
    }
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

/* Begins a list of names: *count entries, or one for a single string. */
static bool open_list(field f, special_list *list, size_t *count)
{
    if (!f.value)
        return false;
    if (!json_is_array(f.value) && !json_is_string(f.value)) {
        field_expected(f, "an array of strings");
        return false;
    }
    *count = json_is_string(f.value) ? 1 : json_array_size(f.value);
    if (*count > SPECIAL_LIST_MAX) {
        field_error(f, "a list of %zu entries: at most %d are allowed", *count,
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

const char *special_left_out_text(const import *im)
{
    return im->options->lenient ? " (the special is left out)" : "";
}

/* Reports a location that no terrain satisfies, once for each special, not for each OMT. */
static void report_unsatisfiable(field f, const special_list *list)
{
    special *sp = f.sp;
    for (size_t i = 0; i < sp->unsatisfiable_count; i++)
        if (strcmp(sp->unsatisfiable[i], list->items[0]) == 0)
            return;
    if (sp->unsatisfiable_count < SPECIAL_UNSATISFIABLE_MAX)
        sp->unsatisfiable[sp->unsatisfiable_count++] = list->items[0];
    field_unresolved(f, "no terrain satisfies location '%s'%s: this can never be placed",
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
        } else if (!location_exists(f.im, id)) {
            complete = false;
            field_unresolved(e, "no such overmap_location '%s'%s", id,
                             location_suggest(f.im, id));
        } else if (!special_list_has(&list, id)) {
            list.items[list.count++] = id;
            satisfiable = satisfiable || location_satisfiable(f.im, id);
        }
    }
    if (list.count == 0 && count > 0 && f.im->options->lenient) {
        field_warning(f, "none of these locations is known (the special is left out)");
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
    field_warning(f, "the %s has no locations, nor has the special: it can never be placed",
                  part);
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
        field_unresolved(f, "no such overmap terrain '%s'%s%s", id, terrain_suggest(f.im, id),
                         special_left_out_text(f.im));
    else if (terrain_is_linear(f.im, id))
        field_unresolved(
            f, "'%s' is linear: name one of its shapes, such as '%s_ns' or '%s_nesw'%s", id, id,
            id, special_left_out_text(f.im));
    else
        field_unresolved(f, "'%s' can be rotated: name a rotation, usually '%s_north'%s", id,
                         id, special_left_out_text(f.im));
    return NULL;
}

const char *field_connection(field f)
{
    const char *id = NULL;
    if (!field_string(f, &id))
        return NULL;
    if (connection_exists(f.im, id))
        return id;
    field_unresolved(f, "no such overmap_connection '%s'%s%s", id, connection_suggest(f.im, id),
                     f.im->options->lenient ? " (the connection is left out)" : "");
    return NULL;
}

/* ---- maps from points: hash tables with open addressing over packed coordinates ---- */

struct special_point {
    uint64_t key; /* 0: free */
    size_t number;
};

static uint64_t pack_point(const int32_t p[3])
{
    return UINT64_C(1) << 63 | (uint64_t)(uint16_t)(int16_t)p[0] << 32 |
           (uint64_t)(uint16_t)(int16_t)p[1] << 16 | (uint64_t)(uint16_t)(int16_t)p[2];
}

bool special_points_init(special_points *set, import *im, size_t count)
{
    size_t capacity = 8;
    while (capacity < 2 * count)
        capacity *= 2;
    set->slots = import_alloc(im, capacity, sizeof *set->slots);
    set->capacity = set->slots ? capacity : 0;
    return set->slots != NULL;
}

static struct special_point *find_slot(const special_points *set, uint64_t key)
{
    size_t mask = set->capacity - 1;
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
    while (set->slots[at].key != 0 && set->slots[at].key != key)
        at = (at + 1) & mask;
    return &set->slots[at];
}

size_t special_points_get(const special_points *set, const int32_t point[3])
{
    if (set->capacity == 0)
        return SIZE_MAX;
    const struct special_point *slot = find_slot(set, pack_point(point));
    return slot->key ? slot->number : SIZE_MAX;
}

size_t special_points_put(special_points *set, const int32_t point[3], size_t number)
{
    if (set->capacity == 0)
        return SIZE_MAX;
    struct special_point *slot = find_slot(set, pack_point(point));
    if (slot->key)
        return slot->number;
    slot->key = pack_point(point);
    slot->number = number;
    return SIZE_MAX;
}
