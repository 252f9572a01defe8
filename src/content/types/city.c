/* Cities at fixed places (type city). Content with such cities has no random ones. */
#include "content/import/record.h"
#include "content/types/misc.h"
#include "model/catalogue.h"

#include <stdlib.h>
#include <string.h>

/* A coordinate that an abstract city does not state. */
static const int64_t UNSTATED = INT64_MIN;

/* Reads [x, y]. A city that copies another one may leave it to that. */
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
        field_error(list, "'%s' must be two whole numbers, %lld to %lld", key, (long long)lo,
                    (long long)hi);
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
        field_error(name, name.value ? "'name' must be a text" : "missing key 'name'");
    read_point(city, "pos_om", -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX,
               (int64_t *[]){&c->overmap_x, &c->overmap_y});
    read_point(city, "pos", 0, PTL_CHUNK_SIZE - 1, (int64_t *[]){&c->x, &c->y});
}

static const definition_type definitions[] = {{"city", CONTENT_FIXED_CITIES,
                                               sizeof(fixed_city_row), CONTENT_ID_MAX, false,
                                               read, offsetof(ptl_import_report, fixed_cities)},
                                              {.name = NULL}};

static int by_place(const void *a, const void *b)
{
    const definition *const *x = a, *const *y = b;
    const fixed_city_row *one = (*x)->value, *other = (*y)->value;
    const int64_t places[2][4] = {{one->overmap_y, one->overmap_x, one->y, one->x},
                                  {other->overmap_y, other->overmap_x, other->y, other->x}};
    for (size_t i = 0; i < 4; i++)
        if (places[0][i] != places[1][i])
            return places[0][i] < places[1][i] ? -1 : 1;
    return strcmp((*x)->id, (*y)->id);
}

/* Warns of cities at the same place, which would be built over each other, and of more
 * cities than an overmap may have. */
static void check(import *im)
{
    const definition_list *list = &im->lists[CONTENT_FIXED_CITIES];
    const definition **order = import_alloc(im, list->count + 1, sizeof *order);
    if (!order)
        return;
    for (size_t i = 0; i < list->count; i++)
        order[i] = &list->items[i];
    qsort(order, list->count, sizeof *order, by_place);
    size_t first = 0; /* first city of the overmap */
    for (size_t i = 1; i < list->count; i++) {
        const fixed_city_row *last = order[i - 1]->value, *c = order[i]->value;
        if (c->overmap_x != last->overmap_x || c->overmap_y != last->overmap_y)
            first = i;
        else if (c->x == last->x && c->y == last->y)
            import_warning(im, order[i]->object, order[i]->id, "/pos",
                           "city '%s' is there, too", order[i - 1]->id);
        if (i - first == CAT_CITIES_MAX)
            import_error(im, order[i]->object, order[i]->id, "/pos_om",
                         "the overmap has more than %d cities", CAT_CITIES_MAX);
    }
}

static const char *const types[] = {"city", NULL};

const content_module city_module = {"cities", types, definitions, NULL, check, NULL};
