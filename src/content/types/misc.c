/* map_extra, overmap_land_use_code and rotatable_symbol. */
#include "content/types/misc.h"
#include "content/import/record.h"

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
        field_error(generator, "'generator' must be an object");
    }
    /* Reads [lowest, highest]. */
    const json_t *low = json_array_get(levels.value, 0),
                 *high = json_array_get(levels.value, 1);
    if (!levels.value)
        return;
    if (json_array_size(levels.value) != 2 || !json_is_integer(low) || !json_is_integer(high)) {
        field_error(levels, "'min_max_zlevel' must be [lowest, highest], two levels");
        return;
    }
    e->zlevel_min = number_if(true, json_integer_value(low));
    e->zlevel_max = number_if(true, json_integer_value(high));
}

/* Reads a tuple. False if something in it is wrong, which is reported. */
static bool read_tuple(field list, symbol_tuple *out)
{
    const size_t count = json_array_size(list.value);
    if (count != 2 && count != 4)
        return field_error(list, "'tuple' must be a list of 2 or 4 characters");
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(list.value, i));
        if (!text || !symbol_parse(text, &out->symbols[i])) {
            field_error(field_at(list, i), "must be one printable character");
            good = false;
            continue;
        }
        for (size_t k = 0; k < i; k++) {
            if (out->symbols[k] != out->symbols[i])
                continue;
            field_error(field_at(list, i), "the character is in this tuple twice");
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
        if (!read_tuple(field_key(field_of(im, obj, ""), "tuple"), &tuple))
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
