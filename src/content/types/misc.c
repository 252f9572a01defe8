/* map_extra, overmap_land_use_code and rotatable_symbol. */
#include "content/types/misc.h"
#include "content/import/record.h"

#include <string.h>

enum { TUPLES_MAX = 1000 };

static void map_extra_read(import *im, const source_object *obj, const char *id, void *value)
{
    map_extra_row *e = value;
    const json_t *generator = json_object_get(obj->json, "generator");
    if (json_is_object(generator)) {
        import_get_string(im, obj, generator, "/generator", "generator_method", false,
                          &e->generator_method);
        import_get_string(im, obj, generator, "/generator", "generator_id", false,
                          &e->generator_id);
    } else if (generator && !json_is_null(generator)) {
        import_error(im, obj, id, "/generator", "'generator' must be an object");
    }
    /* Reads [lowest, highest]. */
    const json_t *levels = json_object_get(obj->json, "min_max_zlevel");
    const json_t *low = json_array_get(levels, 0), *high = json_array_get(levels, 1);
    if (!levels)
        return;
    if (json_array_size(levels) != 2 || !json_is_integer(low) || !json_is_integer(high)) {
        import_error(im, obj, id, "/min_max_zlevel",
                     "'min_max_zlevel' must be [lowest, highest], two levels");
        return;
    }
    e->zlevel_min = number_if(true, json_integer_value(low));
    e->zlevel_max = number_if(true, json_integer_value(high));
}

/* Reads a tuple. False if something in it is wrong, which is reported. */
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
            import_error(im, obj, "", "", "more than %d rotatable_symbol objects", TUPLES_MAX);
            break;
        }
        record_count_unknown(im, obj, CONTENT_ROTATABLE_SYMBOLS);
        if (!read_tuple(im, obj, &tuple))
            continue;
        /* Drops an earlier tuple that has one of the symbols: the later tuple, a mod's,
         * counts. */
        size_t left = 0;
        for (size_t j = 0; j < model->tuple_count; j++) {
            const symbol_tuple *old = &model->tuples[j];
            bool same = false;
            for (uint32_t k = 0; k < old->count * tuple.count; k++)
                same = same || old->symbols[k / tuple.count] == tuple.symbols[k % tuple.count];
            if (same && model->tuple_objects[j]->file->pack == obj->file->pack)
                import_warning(
                    im, obj, "", "/tuple",
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
}

static void load(import *im)
{
    static const definition_type map_extra_type = {"map_extra",
                                                   CONTENT_MAP_EXTRAS,
                                                   sizeof(map_extra_row),
                                                   CONTENT_ID_MAX,
                                                   false,
                                                   map_extra_read},
                                 land_use_type = {"overmap_land_use_code",
                                                  CONTENT_LAND_USE_CODES,
                                                  sizeof(overmap_land_use_code_row),
                                                  CONTENT_ID_MAX,
                                                  true,
                                                  NULL};
    struct misc_model *model = import_alloc(im, 1, sizeof *model);
    if (!model)
        return;
    im->misc = model;
    definition_list_load(&model->map_extras, im, &map_extra_type);
    definition_list_load(&model->land_use_codes, im, &land_use_type);
    load_tuples(im, model);
    im->report->map_extras += model->map_extras.count;
    im->report->land_use_codes += model->land_use_codes.count;
    im->report->rotatable_symbols += model->tuple_count;
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
    return SUGGEST_ID(im, id, list->items, list->count);
}

const char *map_extra_suggest(import *im, const char *id)
{
    return definition_suggest(im, &im->misc->map_extras, id);
}

const char *land_use_code_suggest(import *im, const char *id)
{
    return definition_suggest(im, &im->misc->land_use_codes, id);
}

static void write(import *im, content_writer *w)
{
    const struct misc_model *model = im->misc;
    definition_list_write(w, CONTENT_MAP_EXTRAS, &model->map_extras);
    definition_list_write(w, CONTENT_LAND_USE_CODES, &model->land_use_codes);
    for (size_t i = 0; i < model->tuple_count; i++)
        for (uint32_t k = 0; k < model->tuples[i].count; k++)
            content_put(w, CONTENT_ROTATABLE_SYMBOLS,
                        &(rotatable_symbol_row){(int64_t)i, k, model->tuples[i].symbols[k]});
}

static const char *const types[] = {"map_extra", "overmap_land_use_code", "rotatable_symbol",
                                    NULL};

const content_module misc_module = {"misc", types, load, NULL, write};
