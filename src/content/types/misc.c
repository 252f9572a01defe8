/* Types of JSON objects that need little code: map_extra, overmap_land_use_code,
 * rotatable_symbol and city. For objects of type monstergroup, which are kept as text, only the
 * sums of their monsters' chances are computed here. */
#include "content/types/types.h"

#include "content/import/record.h"
#include "content/import/source.h"
#include "core/array.h"
#include "model/catalogue.h"

#include <stdlib.h>
#include <string.h>

enum { TUPLES_MAX = 1000 };

static void read_map_extra(field f, void *value)
{
    map_extra_row *e = value;
    const field generator = field_key(f, "generator"), levels = field_key(f, "min_max_zlevel");
    if (json_is_object(generator.value)) {
        field_string(field_key(generator, "generator_method"), &e->generator_method);
        field_string(field_key(generator, "generator_id"), &e->generator_id);
    } else if (generator.value && !json_is_null(generator.value)) {
        field_error(generator, CT101, "'generator' must be an object");
    }
    /* Reads the levels on which the map extra may be made: [lowest, highest]. */
    const json_t *low = json_array_get(levels.value, 0),
                 *high = json_array_get(levels.value, 1);
    if (!levels.value)
        return;
    if (json_array_size(levels.value) != 2 || !json_is_integer(low) || !json_is_integer(high)) {
        field_error(levels, CT101, "'min_max_zlevel' must be [lowest, highest], two levels");
        return;
    }
    e->zlevel_min = number_if(true, json_integer_value(low));
    e->zlevel_max = number_if(true, json_integer_value(high));
}

/* Reads a tuple of symbols. False if the tuple is wrong, which is reported. */
static bool read_tuple(field list, symbol_tuple *out)
{
    const size_t count = json_array_size(list.value);
    if (count != 2 && count != 4)
        return field_error(list, CT101, "'tuple' must be a list of 2 or 4 characters");
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(list.value, i));
        if (!text || !symbol_parse(text, &out->symbols[i])) {
            field_error(field_at(list, i), CT101, "must be one printable character");
            good = false;
            continue;
        }
        for (size_t k = 0; k < i; k++) {
            if (out->symbols[k] != out->symbols[i])
                continue;
            field_error(field_at(list, i), CT101, "the character is in this tuple twice");
            good = false;
        }
    }
    out->count = (uint32_t)count;
    return good;
}

static void load_tuples(import *im, struct misc_model *model)
{
    const source_type *list = import_objects(im, "rotatable_symbol");
    model->tuples = import_alloc(im, list->count + 1, sizeof *model->tuples);
    model->tuple_objects = import_alloc(im, list->count + 1, sizeof(source_object *));
    if (!model->tuples || !model->tuple_objects)
        return;
    for (size_t i = 0; i < list->count && !import_stopped(im); i++) {
        const source_object *obj = list->objects[i];
        symbol_tuple tuple = {{0}, 0};
        if (i == TUPLES_MAX) {
            import_error(im, obj, "", "", CT111, "more than %d rotatable_symbol objects",
                         TUPLES_MAX);
            break;
        }
        record_count_unknown(im, obj, CONTENT_ROTATABLE_SYMBOLS);
        if (!read_tuple(field_key(field_of(im, obj, ""), "tuple"), &tuple))
            continue;
        /* Drops each earlier tuple of symbols that has a symbol in common with this one, so
         * that a mod can replace tuples. */
        size_t left = 0;
        for (size_t j = 0; j < model->tuple_count; j++) {
            const symbol_tuple *old = &model->tuples[j];
            bool same = false;
            for (uint32_t k = 0; k < old->count * tuple.count; k++)
                same = same || old->symbols[k / tuple.count] == tuple.symbols[k % tuple.count];
            if (same && model->tuple_objects[j]->file->pack == obj->file->pack)
                import_warning(
                    im, obj, "", "/tuple", MI102,
                    "shares a character with an earlier tuple of this pack, which is "
                    "dropped");
            if (!same) {
                model->tuple_objects[left] = model->tuple_objects[j];
                model->tuples[left++] = *old;
            }
        }
        model->tuple_count = left;
        model->tuple_objects[model->tuple_count] = obj;
        model->tuples[model->tuple_count++] = tuple;
    }
    im->report->rotatable_symbols += model->tuple_count;
}

static const definition_type definitions[] = {
    {"map_extra", CONTENT_MAP_EXTRAS, sizeof(map_extra_row), CONTENT_ID_MAX, false,
     read_map_extra, offsetof(ptl_import_report, map_extras)},
    {"overmap_land_use_code", CONTENT_LAND_USE_CODES, sizeof(overmap_land_use_code_row),
     CONTENT_ID_MAX, true, NULL, offsetof(ptl_import_report, land_use_codes)},
    {.name = NULL}};

static void load(import *im)
{
    im->misc = import_alloc(im, 1, sizeof *im->misc);
    if (im->misc)
        load_tuples(im, im->misc);
}

static void write(import *im, content_writer *w)
{
    const struct misc_model *model = im->misc;
    for (size_t i = 0; i < model->tuple_count; i++)
        for (uint32_t k = 0; k < model->tuples[i].count; k++)
            content_put(w, CONTENT_ROTATABLE_SYMBOLS,
                        &(rotatable_symbol_row){(int64_t)i, k, model->tuples[i].symbols[k]});
}

static const char *const types[] = {"map_extra", "overmap_land_use_code", "rotatable_symbol",
                                    NULL};

const content_module misc_module = {"misc", types, definitions, load, NULL, write};

/* For each monster group (type monstergroup), the sum of its monsters' chances, by which the
 * populations of swamps, rivers and the sea are multiplied. The objects are kept as text, and
 * are read here once more. Kept objects are not checked, so a member that can't be read counts
 * as nothing. */

typedef struct group {
    const char *id; /* id of the monster group; in the arena */
    int64_t entries, freq_sum, freq_total;
    bool total_stated;
    const kept_entry *object; /* of the objects that define the monster group, the last one */
} group;

struct group_model {
    group *items; /* sorted by id */
    size_t count;
    strmap by_id; /* id -> index into `items`; only used while groups are read */
};

/* Returns the number, cut to the range of 32 bits. So sums of such numbers can't overflow,
 * whatever numbers the content states. */
static int64_t bounded(const json_t *number)
{
    const int64_t most = INT32_MAX, value = json_integer_value(number);
    return value < -most ? -most : value > most ? most : value;
}

/* Adds a definition of a monster group. It adds to the earlier definition of the same id, or
 * replaces it if it has "override". */
static void add_definition(import *im, const kept_entry *entry, const json_t *json)
{
    struct group_model *model = im->groups;
    const char *id = json_string_value(json_object_get(json, "id"));
    if (!id) /* 0.F and Bright Nights name groups by "name" */
        id = json_string_value(json_object_get(json, "name"));
    if (!id)
        return;
    uint32_t at = strmap_get(&model->by_id, id);
    if (at == STRMAP_NONE) {
        at = (uint32_t)model->count;
        group *g = &model->items[at];
        g->id = arena_strdup(im->arena, id);
        if (!g->id || strmap_put(&model->by_id, g->id, at) < 0)
            return;
        model->count++;
    } else if (json_is_true(json_object_get(json, "override"))) {
        model->items[at] = (group){.id = model->items[at].id};
    }
    model->items[at].object = entry;
    group *own = &model->items[at];
    const json_t *total = json_object_get(json, "freq_total");
    const json_t *monsters = json_object_get(json, "monsters");
    for (size_t i = 0; i < json_array_size(monsters); i++) {
        const json_t *member = json_array_get(monsters, i);
        const json_t *freq = json_object_get(member, "freq");
        if (!freq)
            freq = json_object_get(member, "weight");
        own->entries++;
        own->freq_sum += json_is_integer(freq) ? bounded(freq) : 1;
    }
    if (json_is_integer(total)) {
        own->freq_total = bounded(total);
        own->total_stated = true;
    }
}

static void monstergroup_load(import *im)
{
    static const char type_name[] = "monstergroup";
    struct group_model *model = im->groups = import_alloc(im, 1, sizeof *model);
    if (model)
        model->items = import_alloc(im, source_count(im, type_name), sizeof *model->items);
    if (!model || !model->items)
        return;
    strmap_init(&model->by_id);
    kept_visit_each(im, type_name, add_definition);
    strmap_dispose(&model->by_id);
    if (model->count > 1)
        qsort(model->items, model->count, sizeof *model->items, compare_ids);
}

static void monstergroup_write(import *im, content_writer *w)
{
    for (size_t i = 0; i < im->groups->count; i++) {
        const group *g = &im->groups->items[i];
        content_put(w, CONTENT_MONSTERGROUPS,
                    &(monstergroup_row){g->id, g->entries, g->freq_sum,
                                        number_if(g->total_stated, g->freq_total),
                                        g->object->file->file.path, g->object->line});
    }
}

/* No types are listed here, so that no objects are given to this module; it reads the kept
 * objects of the type monstergroup. */
static const char *const monstergroup_types[] = {NULL};

const content_module monstergroup_module = {
    "monstergroups", monstergroup_types, NULL, monstergroup_load, NULL, monstergroup_write};

/* ---- cities at fixed places (type city): content with such cities has no random ones ---- */

/* The value of a coordinate that an abstract city does not state. */
static const int64_t UNSTATED = INT64_MIN;

/* Reads [x, y]. A city that copies another one, or is abstract, need not state it. */
static void read_point(field city, const char *key, int64_t lo, int64_t hi,
                       int64_t *const out[2])
{
    const field list = field_key(city, key);
    const bool copies = json_object_get(city.value, "copy-from") != NULL;
    const bool abstract = record_is_abstract(city.obj);
    if (!list.value && !copies && abstract)
        *out[0] = *out[1] = UNSTATED;
    if (!list.value && (abstract || (copies && *out[0] != UNSTATED)))
        return;
    bool good = json_array_size(list.value) == 2;
    for (size_t i = 0; good && i < 2; i++) {
        const json_t *number = json_array_get(list.value, i);
        *out[i] = json_integer_value(number);
        good = json_is_integer(number) && *out[i] >= lo && *out[i] <= hi;
    }
    if (field_required(list, key) && !good)
        field_error(list, CT101, "'%s' must be two whole numbers, %lld to %lld", key,
                    (long long)lo, (long long)hi);
}

static void read(field city, void *value)
{
    fixed_city_row *c = value;
    const field name = field_key(city, "name");
    if (name.value)
        c->name = json_string_value(
            json_is_object(name.value) ? json_object_get(name.value, "str") : name.value);
    const bool good = (c->name && c->name[0]) || (!name.value && record_is_abstract(city.obj));
    if (!good)
        field_error(name, name.value ? CT101 : CT102,
                    name.value ? "'name' must be a text" : "missing key 'name'");
    read_point(city, "pos_om", -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX,
               (int64_t *[]){&c->overmap_x, &c->overmap_y});
    read_point(city, "pos", 0, PTL_CHUNK_SIZE - 1, (int64_t *[]){&c->x, &c->y});
}

static const definition_type city_definitions[] = {
    {"city", CONTENT_FIXED_CITIES, sizeof(fixed_city_row), CONTENT_ID_MAX, false, read,
     offsetof(ptl_import_report, fixed_cities)},
    {.name = NULL}};

static int by_place(const void *a, const void *b)
{
    const definition *const *x = a, *const *y = b;
    const fixed_city_row *one = (*x)->value, *other = (*y)->value;
    return ORDER_BY(one->overmap_y, other->overmap_y, one->overmap_x, other->overmap_x, one->y,
                    other->y, one->x, other->x, strcmp((*x)->id, (*y)->id), 0);
}

/* Warns of cities at the same place, which would be built over each other; more cities than an
 * overmap may have are an error. */
static void check(import *im)
{
    const definition_list *list = &im->lists[CONTENT_FIXED_CITIES];
    const definition **order = import_alloc(im, list->count + 1, sizeof *order);
    if (!order)
        return;
    for (size_t i = 0; i < list->count; i++)
        order[i] = &list->items[i];
    qsort(order, list->count, sizeof *order, by_place);
    size_t first = 0; /* index, in `order`, of the first city of this city's overmap */
    for (size_t i = 1; i < list->count; i++) {
        const fixed_city_row *last = order[i - 1]->value, *c = order[i]->value;
        if (c->overmap_x != last->overmap_x || c->overmap_y != last->overmap_y)
            first = i;
        else if (c->x == last->x && c->y == last->y)
            import_warning(im, order[i]->object, order[i]->id, "/pos", MI103,
                           "city '%s' is there, too", order[i - 1]->id);
        if (i - first == CAT_CITIES_MAX)
            import_error(im, order[i]->object, order[i]->id, "/pos_om", CT111,
                         "the overmap has more than %d cities", CAT_CITIES_MAX);
    }
}

static const char *const city_types[] = {"city", NULL};

const content_module city_module = {"cities", city_types, city_definitions, NULL, check, NULL};
