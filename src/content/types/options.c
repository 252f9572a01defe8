/*
 * What content has beside regions: EXTERNAL_OPTION, by which the games and their mods set
 * options (the last one of a name counts); dimensions of DDA and world types of Bright Nights,
 * which name regions; and which game the content is for.
 */
#include "content/types/options.h"
#include "content/import/record.h"
#include "content/import/source.h"

#include <stdlib.h>
#include <string.h>

typedef struct option {
    external_option_row row; /* its value as text */
    const json_t *value;
    const source_object *object;
    bool told; /* its problem was reported: every region asks for it */
} option;

/* A layout, which a dimension may name. */
typedef struct layout {
    const char *mode, *region; /* NULL: not given */
} layout;

typedef struct dimension {
    dimension_row row;  /* mode and region are its own, or those of its layout */
    const char *layout; /* id of its layout, or NULL */
} dimension;

struct options_model {
    option *options; /* sorted by name */
    size_t option_count;
    definition_list layouts, dimensions, world_types;
};

static const char uniform[] = "UNIFORM";

/* ---- options ---- */

static int compare_options(const void *a, const void *b)
{
    const option *x = a, *y = b;
    const int order = strcmp(x->row.name, y->row.name);
    return order != 0                            ? order
           : x->object->order < y->object->order ? -1
                                                 : x->object->order > y->object->order;
}

/* Loads the options; of each name the last one stays. */
static void load_options(import *im, struct options_model *model)
{
    const source_type *list = import_objects(im, "EXTERNAL_OPTION");
    model->options = import_alloc(im, list->count + 1, sizeof *model->options);
    if (!model->options)
        return;
    size_t count = 0;
    for (size_t i = 0; i < list->count && !import_stopped(im); i++) {
        option *o = &model->options[count];
        *o = (option){.row = {.stype = ""}, .object = list->objects[i]};
        record_read(field_of(im, o->object, NULL), CONTENT_OPTIONS, &o->row, NULL);
        const field value = field_key(field_of(im, o->object, o->row.name), "value");
        o->value = value.value;
        if (json_is_array(o->value) || json_is_object(o->value))
            field_error(value, "must be a text, a number, true or false");
        else if (json_is_string(o->value))
            o->row.value = json_string_value(o->value);
        else if (field_required(value, "value"))
            o->row.value = import_json_text(im, o->value);
        count += o->row.name && o->row.value;
    }
    if (count > 1)
        qsort(model->options, count, sizeof *model->options, compare_options);
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count ||
            strcmp(model->options[i].row.name, model->options[i + 1].row.name) != 0)
            model->options[model->option_count++] = model->options[i];
}

static option *find_option(const import *im, const char *name)
{
    return FIND_ID(im->options_model->options, im->options_model->option_count, name);
}

bool option_switch(import *im, const char *name, bool *out)
{
    option *o = find_option(im, name);
    const bool good = o && json_is_boolean(o->value);
    if (good)
        *out = json_is_true(o->value);
    else if (o && !o->told)
        import_error(im, o->object, name, "/value", "must be true or false");
    if (o)
        o->told = o->told || !good;
    return good;
}

bool option_number_of(import *im, const char *name, double lo, double hi, double *out)
{
    option *o = find_option(im, name);
    const double value = o ? json_number_value(o->value) : 0;
    const bool good = o && json_is_number(o->value) && value >= lo && value <= hi;
    if (good)
        *out = value;
    else if (o && !o->told)
        import_error(im, o->object, name, "/value", "must be a number, %g..%g", lo, hi);
    if (o)
        o->told = o->told || !good;
    return good;
}

/* ---- dimensions ---- */

static void read_layout(field f, void *value)
{
    layout *l = value;
    field_string(field_key(f, "generation_mode"), &l->mode);
    field_string(field_key(f, "uniform_region"), &l->region);
    record_count_unknown(f.im, f.obj, CONTENT_DIMENSIONS);
}

static void read_dimension(field f, void *value)
{
    dimension *d = value;
    d->row.kind = "dimension";
    field_string(field_key(f, "region_layout"), &d->layout);
}

/* Reads a world type. Its other members are about travelling there. */
static void read_world_type(field f, void *value)
{
    dimension *d = value;
    d->row.kind = "world_type";
    d->row.mode = uniform;
    field_string(field_key(f, "region_settings"), &d->row.region);
}

static void load(import *im)
{
    static const definition_type types[] = {
        {"dimension_region_layout", CONTENT_PARTS, sizeof(layout), CONTENT_ID_MAX, false,
         read_layout, 0},
        {"dimension", CONTENT_DIMENSIONS, sizeof(dimension), CONTENT_ID_MAX, false,
         read_dimension, 0},
        {"world_type", CONTENT_PARTS, sizeof(dimension), CONTENT_ID_MAX, false, read_world_type,
         0},
    };
    struct options_model *model = im->options_model = import_alloc(im, 1, sizeof *model);
    if (!model)
        return;
    load_options(im, model);
    /* Warns of options that would change overmaps in the games, but have no effect here. */
    const option *maps = find_option(im, "OVERMAP_PREGENERATED_PATH");
    if (maps && maps->row.value[0])
        import_warning(im, maps->object, maps->row.name, "/value",
                       "overmaps that are made already are not read: those of '%s' will be "
                       "generated like any other",
                       maps->row.value);
    definition_list *const lists[] = {&model->layouts, &model->dimensions, &model->world_types};
    for (size_t i = 0; i < 3; i++)
        definition_list_load(lists[i], im, &types[i]);
}

/* Checks a dimension's layout. If it does not exist, that is reported, and the dimension is
 * left out. */
static void check_layout(import *im, const definition *d)
{
    dimension *value = d->value;
    const layout *found =
        value->layout ? definition_find(&im->options_model->layouts, value->layout) : NULL;
    value->row.mode = found ? found->mode : NULL;
    value->row.region = found ? found->region : NULL;
    if (found)
        return;
    if (value->layout)
        import_unresolved(im, d->object, d->id, "/region_layout",
                          "no such dimension_region_layout '%s'%s", value->layout,
                          SUGGEST_ID(im, value->layout, im->options_model->layouts.items,
                                     im->options_model->layouts.count));
    else
        import_error(im, d->object, d->id, "", "missing key 'region_layout'");
}

static void check(import *im)
{
    const definition_list *lists[] = {&im->options_model->dimensions,
                                      &im->options_model->world_types};
    for (size_t l = 0; l < 2; l++) {
        for (size_t i = 0; i < lists[l]->count && !import_stopped(im); i++) {
            if (l == 0)
                check_layout(im, &lists[l]->items[i]);
            const definition *d = &lists[l]->items[i];
            dimension *value = d->value;
            if (!value->row.mode || strcmp(value->row.mode, uniform) != 0)
                continue;
            if (!value->row.region)
                import_error(im, d->object, d->id, "", "a dimension of one region names none");
            else if (!region_exists(im, value->row.region))
                import_unresolved(im, d->object, d->id, "", "no such region '%s'%s",
                                  value->row.region, region_suggest(im, value->row.region));
            else
                continue;
            value->row.mode = NULL;
        }
    }
}

/* ---- which game ---- */

/* Types that only one of the games has: DDA's (since 2024), and Bright Nights'. */
static const char dda_type[] = "oter_vision", bn_type[] = "world_type";

static bool has_type(const import *im, const char *type)
{
    const uint32_t index = strmap_get(&im->source->type_map, type);
    return index != STRMAP_NONE && im->source->types[index]->count > 0;
}

/* ---- writing ---- */

/* Writes the dimensions of one kind. If both kinds have an id, the first kind's counts.
 * Those that lost their layout (option lenient) are left out. */
static void write_dimensions(content_writer *w, const definition_list *list,
                             const definition_list *before)
{
    for (size_t i = 0; i < list->count; i++) {
        const definition *d = &list->items[i];
        dimension_row row = ((const dimension *)d->value)->row;
        if (!row.mode || (before && definition_find(before, d->id)))
            continue;
        if (strcmp(row.mode, uniform) != 0)
            row.region = NULL;
        record_place(CONTENT_DIMENSIONS, &row, d->id, d->object);
        content_put(w, CONTENT_DIMENSIONS, &row);
    }
}

static void write(import *im, content_writer *w)
{
    const struct options_model *model = im->options_model;
    for (size_t i = 0; i < model->option_count; i++) {
        option *o = &model->options[i];
        record_place(CONTENT_OPTIONS, &o->row, o->row.name, o->object);
        content_put(w, CONTENT_OPTIONS, &o->row);
    }
    write_dimensions(w, &model->dimensions, NULL);
    write_dimensions(w, &model->world_types, &model->dimensions);
    /* Writes which game the content is for: the game whose directory was imported, else
     * what its types tell. */
    const bool dda = has_type(im, dda_type), bn = has_type(im, bn_type);
    const char *game = im->game ? im->game : dda == bn ? NULL : dda ? "dda" : "bn";
    if (game)
        content_put(w, CONTENT_GAMES,
                    &(content_game_row){content_writer_id(w), game,
                                        im->game ? im->game_version : "",
                                        dda && !bn ? "sectors" : "quota"});
}

static const char *const types[] = {"EXTERNAL_OPTION", "dimension", "dimension_region_layout",
                                    "world_type", NULL};

const content_module options_module = {"options", types, NULL, load, check, write};
