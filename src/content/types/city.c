/* Cities at fixed places (type city). Content that has one has no others. */
#include "content/import/write.h"
#include "content/types/misc.h"
#include "model/catalogue.h"

#include "core/error.h"
#include <stdlib.h>
#include <string.h>

typedef struct fixed_city {
    int64_t database_id, population, size;
    int64_t overmap[2], at[2]; /* x, y */
    const char *name;
} fixed_city;

struct city_model {
    definition_list list;
};

static const char *const known_keys[] = {"type",        "id",   "abstract",   "copy-from",
                                         "database_id", "name", "population", "size",
                                         "pos_om",      "pos",  NULL};

/* Reads [x, y]. */
static void read_point(import *im, const source_object *obj, const char *id, const char *key,
                       int64_t lo, int64_t hi, int64_t out[2])
{
    const json_t *list = json_object_get(obj->json, key);
    bool good = json_array_size(list) == 2;
    for (size_t i = 0; good && i < 2; i++) {
        const json_t *number = json_array_get(list, i);
        out[i] = json_integer_value(number);
        good = json_is_integer(number) && out[i] >= lo && out[i] <= hi;
    }
    if (!good)
        import_error(im, obj, id, list ? import_pointer(im, "", key) : "",
                     "'%s' must be two whole numbers, %lld to %lld", key, (long long)lo,
                     (long long)hi);
}

static ptl_status read(import *im, const source_object *obj, const char *id, void *value)
{
    fixed_city *c = value;
    const json_t *name = json_object_get(obj->json, "name");
    c->name = json_string_value(json_is_object(name) ? json_object_get(name, "str") : name);
    if (!c->name || !c->name[0])
        import_error(im, obj, id, name ? "/name" : "", "'name' must be a text");
    import_get_int(im, obj, obj->json, "", "database_id", false, INT32_MIN, INT32_MAX,
                   &c->database_id);
    import_get_int(im, obj, obj->json, "", "population", false, 0, INT32_MAX, &c->population);
    import_get_int(im, obj, obj->json, "", "size", true, 1, CAT_CITY_SIZE_MAX, &c->size);
    read_point(im, obj, id, "pos_om", -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, c->overmap);
    read_point(im, obj, id, "pos", 0, PTL_CHUNK_SIZE - 1, c->at);
    import_count_unknown_keys(im, obj, known_keys);
    return PTL_OK;
}

static ptl_status load(import *im)
{
    static const definition_type city_type = {
        "city", sizeof(fixed_city), CONTENT_ID_MAX, false, NULL, read};
    im->cities = arena_calloc(im->arena, 1, sizeof *im->cities);
    if (!im->cities)
        return error_nomem(im->err);
    const ptl_status status = definition_list_load(&im->cities->list, im, &city_type);
    im->report->fixed_cities += im->cities->list.count;
    return status;
}

static int by_place(const void *a, const void *b)
{
    const definition *const *x = a, *const *y = b;
    const fixed_city *one = (*x)->value, *other = (*y)->value;
    const int64_t places[2][4] = {
        {one->overmap[1], one->overmap[0], one->at[1], one->at[0]},
        {other->overmap[1], other->overmap[0], other->at[1], other->at[0]}};
    for (size_t i = 0; i < 4; i++)
        if (places[0][i] != places[1][i])
            return places[0][i] < places[1][i] ? -1 : 1;
    return strcmp((*x)->id, (*y)->id);
}

/* Two at one place are built over each other; an overmap has room for so many. */
static ptl_status check(import *im)
{
    const definition_list *list = &im->cities->list;
    const definition **order = arena_calloc(im->arena, list->count + 1, sizeof *order);
    if (!order)
        return error_nomem(im->err);
    for (size_t i = 0; i < list->count; i++)
        order[i] = &list->items[i];
    qsort(order, list->count, sizeof *order, by_place);
    size_t first = 0; /* of the overmap */
    for (size_t i = 1; i < list->count; i++) {
        const fixed_city *last = order[i - 1]->value, *c = order[i]->value;
        if (c->overmap[0] != last->overmap[0] || c->overmap[1] != last->overmap[1])
            first = i;
        else if (c->at[0] == last->at[0] && c->at[1] == last->at[1])
            import_warning(im, order[i]->object, order[i]->id, "/pos",
                           "city '%s' is there, too", order[i - 1]->id);
        if (i - first == CAT_CITIES_MAX)
            import_error(im, order[i]->object, order[i]->id, "/pos_om",
                         "the overmap has more than %d cities", CAT_CITIES_MAX);
    }
    return PTL_OK;
}

static ptl_status write(import *im, ptl_store *store, int64_t content_id)
{
    const definition_list *list = &im->cities->list;
    content_rows *s = NULL;
    (void)content_id;
    ptl_status status = content_rows_open(&s, store, CONTENT_FIXED_CITIES, im->err);
    for (size_t i = 0; i < list->count && status == PTL_OK; i++) {
        const fixed_city *c = list->items[i].value;
        content_rows_text(s, 1, list->items[i].id);
        content_rows_int(s, 2, c->database_id);
        content_rows_text(s, 3, c->name);
        content_rows_int(s, 4, c->population);
        content_rows_int(s, 5, c->overmap[0]);
        content_rows_int(s, 6, c->overmap[1]);
        content_rows_int(s, 7, c->at[0]);
        content_rows_int(s, 8, c->at[1]);
        content_rows_int(s, 9, c->size);
        bind_origin(s, 10, list->items[i].object);
        status = content_rows_add(s, im->err);
    }
    content_rows_close(s);
    return status;
}

static const char *const types[] = {"city", NULL};

const content_module city_module = {"cities", types, load, check, write};
