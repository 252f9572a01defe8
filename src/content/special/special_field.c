/*
 * Reading single values of specials. A `field` carries a value together with its place, so
 * that every function here can report a wrong one by itself; callers only ask whether it
 * worked. A value that is copied from an ancestor is reported where its text stands.
 */
#include "content/special/special.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_MAX = 50 };

/* Returns "'key': " for a member, "" for an element of an array (or a key that is too long to
 * repeat). */
static const char *label(const field *f, char text[LABEL_MAX + 5])
{
    const char *slash = strrchr(f->pointer, '/');
    text[0] = '\0';
    if (slash && (slash[1] < '0' || slash[1] > '9') && strlen(slash + 1) <= LABEL_MAX)
        snprintf(text, LABEL_MAX + 5, "'%s': ", slash + 1);
    return text;
}

void field_expected(const field *f, const char *what)
{
    char text[LABEL_MAX + 5];
    FIELD_ERROR(f, "%sexpected %s, found %s", label(f, text), what, import_type_name(f->value));
}

field special_field(import *im, special *sp, const char *key)
{
    const special *owner = sp;
    while (owner->parent && !json_object_get(owner->obj->json, key))
        owner = owner->parent;
    json_t *value = json_object_get(owner->obj->json, key);
    return (field){im, sp, owner->obj, value ? import_pointer(im, "", key) : "", value};
}

field field_key(const field *f, const char *key)
{
    json_t *value = json_object_get(f->value, key);
    return (field){f->im, f->sp, f->obj,
                   value ? import_pointer(f->im, f->pointer, key) : f->pointer, value};
}

field field_at(const field *f, size_t index)
{
    return (field){f->im, f->sp, f->obj, import_pointer_at(f->im, f->pointer, index),
                   json_array_get(f->value, index)};
}

static bool wrong_type(const field *f, const char *expected)
{
    field_expected(f, expected);
    return false;
}

bool field_array(const field *f)
{
    return f->value && (json_is_array(f->value) || wrong_type(f, "an array"));
}

bool field_object(const field *f)
{
    return f->value && (json_is_object(f->value) || wrong_type(f, "an object"));
}

bool field_required(const field *f, const char *what)
{
    if (!f->value)
        FIELD_ERROR(f, "missing key '%s'", what);
    return f->value != NULL;
}

bool field_string(const field *f, const char **out)
{
    if (!f->value)
        return false;
    if (!json_is_string(f->value))
        return wrong_type(f, "a string");
    *out = json_string_value(f->value);
    return true;
}

/* Takes an integer, also one written as 3.0. */
static bool as_integer(const json_t *value, int64_t *out)
{
    *out = json_integer_value(value);
    if (json_is_integer(value))
        return true;
    double number = json_is_real(value) ? json_real_value(value) : 0.5;
    if (!(number > -1e15 && number < 1e15) || number != floor(number))
        return false;
    *out = (int64_t)number;
    return true;
}

bool field_int(const field *f, int64_t lo, int64_t hi, int64_t *out)
{
    char text[LABEL_MAX + 5];
    int64_t v;
    if (!f->value)
        return false;
    if (!as_integer(f->value, &v))
        return wrong_type(f, "an integer");
    if (v < lo || v > hi) {
        FIELD_ERROR(f, "%s%" PRId64 " is not between %" PRId64 " and %" PRId64, label(f, text),
                    v, lo, hi);
        return false;
    }
    *out = v;
    return true;
}

bool field_bool(const field *f, bool *out)
{
    if (!f->value)
        return false;
    if (!json_is_boolean(f->value))
        return wrong_type(f, "true or false");
    *out = json_is_true(f->value);
    return true;
}

bool field_point(const field *f, int32_t out[3])
{
    static const int64_t limits[3] = {SPECIAL_COORDINATE_MAX, SPECIAL_COORDINATE_MAX,
                                      SPECIAL_HEIGHT_MAX};
    if (!f->value)
        return false;
    if (!json_is_array(f->value))
        return wrong_type(f, "a point [x, y, z]");
    if (json_array_size(f->value) != 3) {
        FIELD_ERROR(f, "expected a point [x, y, z], found %zu numbers",
                    json_array_size(f->value));
        return false;
    }
    int32_t point[3];
    for (size_t i = 0; i < 3; i++) {
        int64_t v;
        if (!as_integer(json_array_get(f->value, i), &v) || v < -limits[i] || v > limits[i]) {
            field wrong = field_at(f, i);
            return field_int(&wrong, -limits[i], limits[i], &v);
        }
        point[i] = (int32_t)v;
    }
    memcpy(out, point, sizeof point);
    return true;
}

bool field_pair(const field *f, int64_t lo, int64_t hi, int64_t out[2])
{
    if (!f->value)
        return false;
    if (!json_is_array(f->value))
        return wrong_type(f, "two integers [a, b]");
    if (json_array_size(f->value) != 2) {
        FIELD_ERROR(f, "expected two integers [a, b], found %zu", json_array_size(f->value));
        return false;
    }
    int64_t pair[2];
    for (size_t i = 0; i < 2; i++) {
        field c = field_at(f, i);
        if (!field_int(&c, lo, hi, &pair[i]))
            return false;
    }
    memcpy(out, pair, sizeof pair);
    return true;
}

bool field_choice(const field *f, const char *what, const char *const names[], int *out)
{
    const char *text = NULL;
    return field_string(f, &text) && field_choose(f, what, text, names, out);
}

bool field_choose(const field *f, const char *what, const char *text, const char *const names[],
                  int *out)
{
    suggestion s;
    suggest_begin(&s, text);
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], text) == 0) {
            *out = i;
            return true;
        }
        suggest_offer(&s, names[i]);
    }
    FIELD_ERROR(f, "no such %s '%s'%s", what, text, suggest_text(f->im, &s));
    return false;
}

bool special_list_has(const special_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return true;
    return false;
}

/* Both lists of names start here: *count entries, or one for a lone string. */
static bool open_list(const field *f, special_list *list, size_t *count)
{
    if (!f->value)
        return false;
    if (!json_is_array(f->value) && !json_is_string(f->value))
        return wrong_type(f, "an array of strings");
    *count = json_is_string(f->value) ? 1 : json_array_size(f->value);
    if (*count > SPECIAL_LIST_MAX) {
        FIELD_ERROR(f, "a list of %zu entries: at most %d are allowed", *count,
                    SPECIAL_LIST_MAX);
        return false;
    }
    *list = (special_list){import_alloc(f->im, *count, sizeof *list->items), 0};
    return *count == 0 || list->items != NULL;
}

static field list_entry(const field *f, size_t index)
{
    return json_is_string(f->value) ? *f : field_at(f, index);
}

bool field_strings(const field *f, special_list *out)
{
    special_list list = {NULL, 0};
    size_t count = 0;
    if (!open_list(f, &list, &count))
        return false;
    for (size_t i = 0; i < count && !import_stopped(f->im); i++) {
        field e = list_entry(f, i);
        const char *text = NULL;
        if (field_string(&e, &text) && !special_list_has(&list, text))
            list.items[list.count++] = text;
    }
    *out = list;
    return true;
}

const char *special_left_out_text(const import *im)
{
    return im->options->lenient ? " (the special is left out)" : "";
}

/* A location that nothing satisfies is reported once per special, not for each tile. */
static void report_unsatisfiable(const field *f, const special_list *list)
{
    special *sp = f->sp;
    for (size_t i = 0; i < sp->unsatisfiable_count; i++)
        if (strcmp(sp->unsatisfiable[i], list->items[0]) == 0)
            return;
    if (sp->unsatisfiable_count < SPECIAL_UNSATISFIABLE_MAX)
        sp->unsatisfiable[sp->unsatisfiable_count++] = list->items[0];
    FIELD_UNRESOLVED(f, "no terrain satisfies location '%s'%s: this can never be placed",
                     list->items[0], list->count > 1 ? ", nor the others of the list" : "");
}

bool field_locations(const field *f, special_list *out)
{
    special_list list = {NULL, 0};
    size_t count = 0;
    if (!open_list(f, &list, &count))
        return false;
    bool satisfiable = false, complete = true;
    for (size_t i = 0; i < count && !import_stopped(f->im); i++) {
        field e = list_entry(f, i);
        const char *id = NULL;
        if (!field_string(&e, &id)) {
            complete = false;
        } else if (!location_exists(f->im, id)) {
            complete = false;
            FIELD_UNRESOLVED(&e, "no such overmap_location '%s'%s", id,
                             location_suggest(f->im, id));
        } else if (!special_list_has(&list, id)) {
            list.items[list.count++] = id;
            satisfiable = satisfiable || location_satisfiable(f->im, id);
        }
    }
    if (list.count == 0 && count > 0 && f->im->options->lenient) {
        FIELD_WARNING(f, "none of these locations is known (the special is left out)");
        f->sp->left_out = true;
    } else if (list.count > 0 && complete && !satisfiable) {
        report_unsatisfiable(f, &list);
    }
    *out = list;
    return true;
}

bool field_is_filled(const field *f)
{
    return f->value && !(json_is_array(f->value) && json_array_size(f->value) == 0);
}

void warn_no_locations(const field *f, const field *own, const char *part)
{
    special *sp = f->sp;
    if (sp->warned_no_location || sp->has_locations || field_is_filled(own))
        return;
    sp->warned_no_location = true;
    FIELD_WARNING(f, "the %s has no locations, nor has the special: it can never be placed",
                  part);
}

const char *field_oter(const field *f)
{
    const char *id = NULL;
    if (!field_string(f, &id))
        return NULL;
    oter_match match = terrain_find_oter(f->im, id);
    if (match == OTER_FOUND)
        return id;
    f->sp->left_out = f->sp->left_out || f->im->options->lenient;
    if (match == OTER_NONE)
        FIELD_UNRESOLVED(f, "no such overmap terrain '%s'%s%s", id, terrain_suggest(f->im, id),
                         special_left_out_text(f->im));
    else if (terrain_is_linear(f->im, id))
        FIELD_UNRESOLVED(
            f, "'%s' is linear: name one of its shapes, such as '%s_ns' or '%s_nesw'%s", id, id,
            id, special_left_out_text(f->im));
    else
        FIELD_UNRESOLVED(f, "'%s' can be rotated: name a rotation, usually '%s_north'%s", id,
                         id, special_left_out_text(f->im));
    return NULL;
}

const char *field_connection(const field *f)
{
    const char *id = NULL;
    if (!field_string(f, &id))
        return NULL;
    if (connection_exists(f->im, id))
        return id;
    FIELD_UNRESOLVED(f, "no such overmap_connection '%s'%s%s", id,
                     connection_suggest(f->im, id),
                     f->im->options->lenient ? " (the connection is left out)" : "");
    return NULL;
}

/* ---- sets of points: open addressing over the packed coordinates ---- */

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
