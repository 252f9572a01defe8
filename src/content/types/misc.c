/* map_extra, overmap_land_use_code and rotatable_symbol. */
#include "content/types/misc.h"
#include "content/import/write.h"
#include "content/types/color.h"

#include "core/error.h"

#include <string.h>

enum { TUPLES_MAX = 1000 };

typedef struct map_extra {
    const char *name, *description, *generator_method, *generator_id, *color;
    const char *visibility; /* NULL: not given */
    uint32_t symbol;
    bool autonote, has_levels;
    int64_t levels[2];
    string_list flags, looks_like;
} map_extra;

typedef struct land_use_code {
    const char *name, *detailed_definition, *color;
    uint32_t symbol;
    int64_t code;
} land_use_code;

static const char *const map_extra_keys[] = {"type",
                                             "id",
                                             "abstract",
                                             "copy-from",
                                             "name",
                                             "description",
                                             "generator",
                                             "sym",
                                             "color",
                                             "autonote",
                                             "flags",
                                             "looks_like",
                                             "min_max_zlevel",
                                             "autonote_visibility",
                                             "extend",
                                             "delete",
                                             NULL};
static const char *const land_use_keys[] = {
    "type", "id",    "abstract", "copy-from", "name", "land_use_code", "detailed_definition",
    "sym",  "color", NULL};
static const char *const rotatable_keys[] = {"type", "tuple", NULL};

/* A text member that can be an object with "str" as well. */
static void read_text(import *im, const source_object *obj, const char *id, const char *key,
                      const char **out)
{
    const json_t *value = json_object_get(obj->json, key);
    if (!value)
        return;
    if (json_is_string(value) || json_is_object(value))
        *out = import_name(value);
    else
        import_error(im, obj, id, import_pointer(im, "", key),
                     "'%s' must be a string or an object with 'str'", key);
}

static void read_symbol(import *im, const source_object *obj, const char *id, uint32_t *out)
{
    const json_t *sym = json_object_get(obj->json, "sym");
    const char *text = json_string_value(sym);
    if (!sym || (text && symbol_parse(text, out)))
        return;
    if (text && symbol_first(text, out)) {
        import_warning(im, obj, id, "/sym",
                       "'sym' has more than one character: the first counts");
        return;
    }
    if (json_is_integer(sym) && symbol_is_good(json_integer_value(sym)))
        *out = (uint32_t)json_integer_value(sym);
    else
        import_error(im, obj, id, "/sym", "'sym' must be one printable character");
}

static void map_extra_defaults(void *value)
{
    map_extra *e = value;
    e->name = e->description = e->generator_method = e->generator_id = e->color = "";
}

/* Reads [lowest, highest]. */
static void read_levels(import *im, const source_object *obj, const char *id, map_extra *e)
{
    const json_t *levels = json_object_get(obj->json, "min_max_zlevel");
    const json_t *low = json_array_get(levels, 0), *high = json_array_get(levels, 1);
    if (!levels)
        return;
    if (json_array_size(levels) != 2 || !json_is_integer(low) || !json_is_integer(high)) {
        import_error(im, obj, id, "/min_max_zlevel",
                     "'min_max_zlevel' must be [lowest, highest], two levels");
        return;
    }
    e->has_levels = true;
    e->levels[0] = json_integer_value(low);
    e->levels[1] = json_integer_value(high);
}

/* Reads {"flags": [...]}, which under "extend" or "delete" changes what is there. */
static void read_flags(import *im, const source_object *obj, const char *id, map_extra *e)
{
    string_list flags, extend, remove;
    const json_t *json = obj->json;
    if (string_list_read(&flags, im, obj, id, json, "", "flags", true))
        e->flags = flags;
    string_list_read(&extend, im, obj, id, json_object_get(json, "extend"), "/extend", "flags",
                     true);
    string_list_read(&remove, im, obj, id, json_object_get(json, "delete"), "/delete", "flags",
                     true);
    string_list_make_set(&remove);
    if (string_list_change(&e->flags, im, &extend, &remove) != PTL_OK)
        import_no_memory(im);
}

static ptl_status map_extra_read(import *im, const source_object *obj, const char *id,
                                 void *value)
{
    map_extra *e = value;
    read_text(im, obj, id, "name", &e->name);
    read_text(im, obj, id, "description", &e->description);
    read_symbol(im, obj, id, &e->symbol);
    (void)color_read(im, obj, id, &e->color);
    import_get_bool(im, obj, obj->json, "", "autonote", &e->autonote);
    const json_t *generator = json_object_get(obj->json, "generator");
    if (json_is_object(generator)) {
        import_get_string(im, obj, generator, "/generator", "generator_method", false,
                          &e->generator_method);
        import_get_string(im, obj, generator, "/generator", "generator_id", false,
                          &e->generator_id);
    } else if (generator && !json_is_null(generator)) {
        import_error(im, obj, id, "/generator", "'generator' must be an object");
    }
    string_list looks_like;
    read_flags(im, obj, id, e);
    if (string_list_read(&looks_like, im, obj, id, obj->json, "", "looks_like", true))
        e->looks_like = looks_like;
    import_get_string(im, obj, obj->json, "", "autonote_visibility", false, &e->visibility);
    read_levels(im, obj, id, e);
    import_count_unknown_keys(im, obj, map_extra_keys);
    return PTL_OK;
}

static void land_use_defaults(void *value)
{
    land_use_code *c = value;
    c->name = c->detailed_definition = c->color = "";
}

static ptl_status land_use_read(import *im, const source_object *obj, const char *id,
                                void *value)
{
    land_use_code *c = value;
    read_text(im, obj, id, "name", &c->name);
    read_text(im, obj, id, "detailed_definition", &c->detailed_definition);
    read_symbol(im, obj, id, &c->symbol);
    (void)color_read(im, obj, id, &c->color);
    import_get_int(im, obj, obj->json, "", "land_use_code", false, INT32_MIN, INT32_MAX,
                   &c->code);
    import_count_unknown_keys(im, obj, land_use_keys);
    return PTL_OK;
}

/* False if something in it is wrong, which is reported. */
static bool read_tuple(import *im, const source_object *obj, symbol_tuple *out)
{
    const json_t *list = json_object_get(obj->json, "tuple");
    size_t count = json_array_size(list);
    if (!json_is_array(list) || (count != 2 && count != 4)) {
        import_error(im, obj, "", list ? "/tuple" : "",
                     "'tuple' must be a list of 2 or 4 characters");
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (!text || !symbol_parse(text, &out->symbols[i])) {
            import_error(im, obj, "", import_pointer_at(im, "/tuple", i),
                         "must be one printable character");
            good = false;
            continue;
        }
        for (size_t k = 0; k < i; k++) {
            if (out->symbols[k] != out->symbols[i])
                continue;
            import_error(im, obj, "", import_pointer_at(im, "/tuple", i),
                         "the character is in this tuple twice");
            good = false;
        }
    }
    out->count = (uint32_t)count;
    return good;
}

/* Whether one of the symbols is in an earlier tuple: the later tuple counts (a mod's), and the
 * earlier one is dropped. */
static void drop_overlapping(import *im, struct misc_model *model, const source_object *obj,
                             const symbol_tuple *tuple)
{
    size_t left = 0;
    for (size_t i = 0; i < model->tuple_count; i++) {
        const symbol_tuple *old = &model->tuples[i];
        bool same = false;
        for (uint32_t k = 0; k < old->count * tuple->count; k++)
            same = same || old->symbols[k / tuple->count] == tuple->symbols[k % tuple->count];
        if (same && model->tuple_objects[i]->file->pack == obj->file->pack)
            import_warning(im, obj, "", "/tuple",
                           "shares a character with an earlier tuple of this pack, which is "
                           "dropped");
        if (!same) {
            model->tuple_objects[left] = model->tuple_objects[i];
            model->tuples[left++] = *old;
        }
    }
    model->tuple_count = left;
}

static ptl_status load_tuples(import *im, struct misc_model *model)
{
    const source_type *list = import_objects(im, "rotatable_symbol");
    model->tuples = arena_calloc(im->arena, list->count + 1, sizeof *model->tuples);
    model->tuple_objects = arena_calloc(im->arena, list->count + 1, sizeof(source_object *));
    if (!model->tuples || !model->tuple_objects)
        return error_nomem(im->err);
    for (size_t i = 0; i < list->count && !import_stopped(im); i++) {
        const source_object *obj = list->objects[i];
        symbol_tuple tuple = {{0}, 0};
        if (i == TUPLES_MAX) {
            import_error(im, obj, "", "", "more than %d rotatable_symbol objects", TUPLES_MAX);
            break;
        }
        import_count_unknown_keys(im, obj, rotatable_keys);
        if (!read_tuple(im, obj, &tuple))
            continue;
        drop_overlapping(im, model, obj, &tuple);
        model->tuple_objects[model->tuple_count] = obj;
        model->tuples[model->tuple_count++] = tuple;
    }
    return PTL_OK;
}

static ptl_status load(import *im)
{
    static const definition_type map_extra_type = {"map_extra",        sizeof(map_extra),
                                                   CONTENT_ID_MAX,     false,
                                                   map_extra_defaults, map_extra_read};
    static const definition_type land_use_type = {
        "overmap_land_use_code", sizeof(land_use_code), CONTENT_ID_MAX, true,
        land_use_defaults,       land_use_read};
    struct misc_model *model = arena_alloc(im->arena, sizeof *model);
    if (!model)
        return error_nomem(im->err);
    im->misc = model;
    ptl_status status = definition_list_load(&model->map_extras, im, &map_extra_type);
    if (status == PTL_OK)
        status = definition_list_load(&model->land_use_codes, im, &land_use_type);
    if (status == PTL_OK)
        status = load_tuples(im, model);
    im->report->map_extras += model->map_extras.count;
    im->report->land_use_codes += model->land_use_codes.count;
    im->report->rotatable_symbols += model->tuple_count;
    return status;
}

static ptl_status check(import *im)
{
    (void)im; /* nothing here refers to anything */
    return PTL_OK;
}

bool map_extra_exists(const import *im, const char *id)
{
    return definition_find(&im->misc->map_extras, id) != NULL;
}

bool land_use_code_exists(const import *im, const char *id)
{
    return definition_find(&im->misc->land_use_codes, id) != NULL;
}

const char *definition_suggest(import *im, const definition_list *list, const char *id)
{
    suggestion near;
    const bool compare = suggest_among(im, &near, id, list->count);
    for (size_t i = 0; compare && i < list->count; i++)
        suggest_offer(&near, list->items[i].id);
    return suggest_text(im, &near);
}

const char *map_extra_suggest(import *im, const char *id)
{
    return definition_suggest(im, &im->misc->map_extras, id);
}

const char *land_use_code_suggest(import *im, const char *id)
{
    return definition_suggest(im, &im->misc->land_use_codes, id);
}

static ptl_status write_map_extra(import *im, content_rows *s, const definition *d,
                                  bytes texts[2])
{
    const map_extra *e = d->value;
    ptl_status status = PTL_OK;
    content_rows_text(s, 1, d->id);
    content_rows_text(s, 2, e->name);
    content_rows_text(s, 3, e->description);
    content_rows_text(s, 4, e->generator_method);
    content_rows_text(s, 5, e->generator_id);
    content_rows_int(s, 6, e->symbol);
    content_rows_text(s, 7, e->color);
    content_rows_int(s, 8, e->autonote);
    bind_origin(s, 9, d->object);
    content_rows_text(s, 12, e->visibility);
    if (e->has_levels) {
        content_rows_int(s, 13, e->levels[0]);
        content_rows_int(s, 14, e->levels[1]);
    }
    if (e->flags.count > 0)
        status = bind_json_list(s, 15, &e->flags, &texts[0], im->err);
    if (status == PTL_OK && e->looks_like.count > 0)
        status = bind_json_list(s, 16, &e->looks_like, &texts[1], im->err);
    return status == PTL_OK ? content_rows_add(s, im->err) : status;
}

static ptl_status write_map_extras(import *im, ptl_store *store)
{
    content_rows *s = NULL;
    bytes texts[2];
    bytes_init(&texts[0]);
    bytes_init(&texts[1]);
    ptl_status status = content_rows_open(&s, store, CONTENT_MAP_EXTRAS, im->err);
    const definition_list *list = &im->misc->map_extras;
    for (size_t i = 0; status == PTL_OK && i < list->count; i++)
        status = write_map_extra(im, s, &list->items[i], texts);
    content_rows_close(s);
    bytes_dispose(&texts[0]);
    bytes_dispose(&texts[1]);
    return status;
}

static ptl_status write_land_use_codes(import *im, ptl_store *store)
{
    content_rows *s = NULL;
    ptl_status status = content_rows_open(&s, store, CONTENT_LAND_USE_CODES, im->err);
    const definition_list *list = &im->misc->land_use_codes;
    for (size_t i = 0; status == PTL_OK && i < list->count; i++) {
        const land_use_code *c = list->items[i].value;
        content_rows_text(s, 1, list->items[i].id);
        content_rows_int(s, 2, c->code);
        content_rows_text(s, 3, c->name);
        content_rows_text(s, 4, c->detailed_definition);
        content_rows_int(s, 5, c->symbol);
        content_rows_text(s, 6, c->color);
        bind_origin(s, 7, list->items[i].object);
        status = content_rows_add(s, im->err);
    }
    content_rows_close(s);
    return status;
}

static ptl_status write_tuples(import *im, ptl_store *store)
{
    const struct misc_model *model = im->misc;
    content_rows *s = NULL;
    ptl_status status = content_rows_open(&s, store, CONTENT_ROTATABLE_SYMBOLS, im->err);
    for (size_t i = 0; i < model->tuple_count; i++) {
        for (uint32_t k = 0; status == PTL_OK && k < model->tuples[i].count; k++) {
            content_rows_int(s, 1, (int64_t)i);
            content_rows_int(s, 2, k);
            content_rows_int(s, 3, model->tuples[i].symbols[k]);
            status = content_rows_add(s, im->err);
        }
    }
    content_rows_close(s);
    return status;
}

/* The old rows are gone: terrain_write clears all definitions. */
static ptl_status write(import *im, ptl_store *store, int64_t content_id)
{
    (void)content_id;
    ptl_status status = write_map_extras(im, store);
    if (status == PTL_OK)
        status = write_land_use_codes(im, store);
    if (status == PTL_OK)
        status = write_tuples(im, store);
    return status;
}

static const char *const types[] = {"map_extra", "overmap_land_use_code", "rotatable_symbol",
                                    NULL};

const content_module misc_module = {"misc", types, load, check, write};
