/*
 * Reads what content has beside regions: options, dimensions and migrations. EXTERNAL_OPTION
 * objects are the options that the games and their mods set; if several have the same name, the
 * last one is valid. Dimensions of DDA and world types of Bright Nights name regions.
 * Migrations tell what old ids in saves mean. This file also finds out for which game the
 * content is.
 */

#include "content/import/record.h"
#include "content/import/source.h"
#include "content/types/types.h"

#include <stdlib.h>
#include <string.h>

typedef struct option {
    external_option_row row; /* what the table of options gets; the value is a text */
    const json_t *value;
    const source_object *object;
    bool told; /* the option's wrong value was reported, and is not reported again for each
                  region */
} option;

/* The layout of a dimension: how regions lie in it. With the mode UNIFORM all of it has one
 * region. */
typedef struct layout {
    const char *mode, *region; /* NULL: the content does not give it */
} layout;

typedef struct dimension {
    dimension_row row;  /* the mode and region in the row are the dimension's own, or those of
                           its layout */
    const char *layout; /* id of the layout that the dimension names; NULL: it names none */
} dimension;

struct options_model {
    option *options; /* sorted by the options' names */
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

/* Loads the options. Of several options with the same name the last one is kept. */
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
            field_error(value, CT101, "must be a text, a number, true or false");
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
        import_error(im, o->object, name, "/value", CT101, "must be true or false");
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
        import_error(im, o->object, name, "/value", CT101, "must be a number, %g..%g", lo, hi);
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

/* Reads a world type, which is a dimension of Bright Nights. Members that are not read here are
 * about travelling to it. */
static void read_world_type(field f, void *value)
{
    dimension *d = value;
    d->row.kind = "world_type";
    d->row.mode = uniform;
    field_string(field_key(f, "region_settings"), &d->row.region);
}

static const char *const options_types[] = {"EXTERNAL_OPTION", "dimension",
                                            "dimension_region_layout", "world_type", NULL};

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
    /* Warns of options that would change overmaps in the games, but have no effect in
     * Portolan. */
    const option *maps = find_option(im, "OVERMAP_PREGENERATED_PATH");
    if (maps && maps->row.value[0])
        import_warning(im, maps->object, maps->row.name, "/value", MI104,
                       "overmaps that are made already are not read: those of '%s' will be "
                       "generated like any other",
                       maps->row.value);
    definition_list *const lists[] = {&model->layouts, &model->dimensions, &model->world_types};
    for (size_t i = 0; i < 3; i++)
        definition_list_load(lists[i], im, &types[i]);
}

/* Takes mode and region from a dimension's layout. A layout that does not exist is reported,
 * and the dimension is then left out. */
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
        import_unresolved(im, d->object, d->id, "/region_layout", CT104,
                          "no such dimension_region_layout '%s'%s", value->layout,
                          SUGGEST_ID(im, value->layout, im->options_model->layouts.items,
                                     im->options_model->layouts.count));
    else
        import_error(im, d->object, d->id, "", CT102, "missing key 'region_layout'");
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
                import_error(im, d->object, d->id, "", CT102,
                             "a dimension of one region names none");
            else if (!region_exists(im, value->row.region))
                import_unresolved(im, d->object, d->id, "", CT104, "no such region '%s'%s",
                                  value->row.region, region_suggest(im, value->row.region));
            else
                continue;
            value->row.mode = NULL;
        }
    }
}

/* ---- writing ---- */

/* Types that only one of the games has: DDA has oter_vision since 2024, Bright Nights has
 * world_type. */
static const char dda_type[] = "oter_vision", bn_type[] = "world_type";

/* Writes the dimensions that objects of one type (dimension or world_type) define. Two kinds
 * are left out: dimensions whose layout is unknown (option lenient), and ids in `before`, the
 * list of the type that was written first. */
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
    /* Writes the game for which the content is: the game whose directory was imported. If there
     * was none, it is the game whose own type of objects (dda_type or bn_type) the content has.
     */
    const bool dda = source_count(im, dda_type) > 0, bn = source_count(im, bn_type) > 0;
    const char *game = im->game ? im->game : dda == bn ? NULL : dda ? "dda" : "bn";
    if (game)
        content_put(w, CONTENT_GAMES,
                    &(content_game_row){content_writer_id(w), game,
                                        im->game ? im->game_version : "",
                                        dda && !bn ? "sectors" : "quota"});
}

const content_module options_module = {"options", options_types, NULL, load, check, write};

/* ---- migrations and oter_vision ----
 *
 * oter_id_migration and overmap_special_migration tell what old ids in saves mean. Ids inside
 * the content are not migrated: they must exist. */

enum { CHAIN_MAX = 16, LEVELS_MAX = 3 };

typedef struct migration {
    const char *old_id, *new_id; /* new_id is NULL if the special was removed */
    /* The key, in the member "oter_ids" of the object, that states the migration; NULL for the
     * migration of a special. */
    const char *key;
    const char *final_id; /* output: the id at the end of the chain of migrations */
    const source_object *object;
    size_t order; /* if an id has several migrations, that with the highest order is valid */
} migration;

typedef struct migration_list {
    migration *items; /* sorted by the old ids */
    size_t count;
} migration_list;

struct migration_model {
    migration_list oters, specials;
};

static void add(migration_list *list, migration m)
{
    m.order = list->count;
    list->items[list->count++] = m;
}

static void read_pairs(import *im, const source_object *obj, migration_list *list)
{
    static const char *const suffixes[] = {"_north", "_east", "_south", "_west"};
    const field object = field_of(im, obj, ""), pairs = field_key(object, "oter_ids");
    bool directions[2] = {false, false};
    const char *key;
    json_t *value;
    field_bool(field_key(object, "old_directions"), &directions[0]);
    field_bool(field_key(object, "new_directions"), &directions[1]);
    record_count_unknown(im, obj, CONTENT_OTER_MIGRATIONS);
    if (!json_is_object(pairs.value)) {
        field_error(pairs, CT101, "'oter_ids' must be an object of old and new ids");
        return;
    }
    json_object_foreach(pairs.value, key, value)
    {
        if (strncmp(key, "//", 2) == 0)
            continue;
        if (!json_is_string(value)) {
            field_error(field_key(pairs, key), CT101, "must be a string");
            continue;
        }
        im->report->oter_migrations++;
        migration m = {
            .old_id = key, .new_id = json_string_value(value), .key = key, .object = obj};
        /* In Bright Nights, a member of a migration's object can stand for the four rotations
         * of each id. */
        for (size_t i = 0; directions[0] && i < 4; i++) {
            m.old_id = import_printf(im, "%s%s", key, suffixes[i]);
            if (directions[1])
                m.new_id = import_printf(im, "%s%s", json_string_value(value), suffixes[i]);
            add(list, m);
        }
        if (!directions[0])
            add(list, m);
    }
}

static void read_vision(field f, void *value)
{
    const field levels = field_key(f, "levels");
    if (levels.value &&
        (!json_is_array(levels.value) || json_array_size(levels.value) > LEVELS_MAX))
        field_error(levels, CT101, "'levels' must be a list of at most %d objects", LEVELS_MAX);
    else if (levels.value)
        ((oter_vision_row *)value)->levels = import_json_text(f.im, levels.value);
}

static const definition_type definitions[] = {
    {"oter_vision", CONTENT_VISIONS, sizeof(oter_vision_row), CONTENT_ID_MAX, false,
     read_vision, offsetof(ptl_import_report, oter_visions)},
    {.name = NULL}};

/* ---- chains ---- */

static int compare(const void *a, const void *b)
{
    const migration *x = a, *y = b;
    const int order = strcmp(x->old_id, y->old_id);
    return order != 0 ? order : x->order < y->order ? -1 : x->order > y->order;
}

/* Sorts the migrations, keeps the last one of each id, and finds the id at the end of each
 * chain. */
static void settle(import *im, migration_list *list)
{
    size_t kept = 0;
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, compare);
    for (size_t i = 0; i < list->count; i++)
        if (i + 1 == list->count ||
            strcmp(list->items[i].old_id, list->items[i + 1].old_id) != 0)
            list->items[kept++] = list->items[i];
    list->count = kept;
    for (size_t i = 0; i < kept && !import_stopped(im); i++) {
        migration *m = &list->items[i];
        const migration *at = m, *next = NULL;
        int steps = 0;
        for (; at->new_id && strcmp(at->new_id, at->old_id) != 0 && steps < CHAIN_MAX;
             steps++) {
            next = FIND_ID(list->items, list->count, at->new_id);
            if (!next)
                break;
            at = next;
        }
        m->final_id = at->new_id;
        if (steps < CHAIN_MAX)
            continue;
        m->final_id = m->old_id;
        import_warning(im, m->object, m->old_id, "", MI101,
                       "its migration goes in a circle, or over more than %d ids: it stays",
                       CHAIN_MAX);
    }
}

static void migrations_load(import *im)
{
    struct migration_model *model = import_alloc(im, 1, sizeof *model);
    if (!model)
        return;
    im->migrations = model;
    const source_type *oters = import_objects(im, "oter_id_migration");
    const source_type *specials = import_objects(im, "overmap_special_migration");
    /* Room for four migrations of each member, since a member may stand for the four rotations
     * of an id. */
    size_t room = 0;
    for (size_t i = 0; i < oters->count; i++)
        room += 4 * json_object_size(json_object_get(oters->objects[i]->json, "oter_ids"));
    model->oters.items = import_alloc(im, room, sizeof *model->oters.items);
    model->specials.items = import_alloc(im, specials->count, sizeof *model->specials.items);
    if (!model->oters.items || !model->specials.items)
        return;
    for (size_t i = 0; i < oters->count && !import_stopped(im); i++)
        read_pairs(im, oters->objects[i], &model->oters);
    for (size_t i = 0; i < specials->count && !import_stopped(im); i++) {
        const source_object *obj = specials->objects[i];
        special_migration_row row = {.old_id = NULL};
        record_read(field_of(im, obj, NULL), CONTENT_SPECIAL_MIGRATIONS, &row, NULL);
        if (!row.old_id)
            continue;
        im->report->special_migrations++;
        add(&model->specials,
            (migration){.old_id = row.old_id,
                        .new_id = row.new_id && row.new_id[0] ? row.new_id : NULL,
                        .object = obj});
    }
    settle(im, &model->oters);
    settle(im, &model->specials);
}

/* Warns of a terrain of this content whose id in saves is migrated to the id of another
 * terrain: a game places the terrain, but after saving and loading the other terrain stands
 * there. Ids that this content lacks are not reported, since they may be another content's. */
static void migrations_check(import *im)
{
    const migration_list *oters = &im->migrations->oters;
    for (size_t i = 0; i < oters->count && !import_stopped(im); i++) {
        const migration *m = &oters->items[i];
        if (strcmp(m->final_id, m->old_id) != 0 &&
            terrain_find_oter(im, m->old_id) == OTER_FOUND &&
            terrain_find_oter(im, m->final_id) == OTER_FOUND)
            import_warning(im, m->object, m->old_id, import_pointer(im, "/oter_ids", m->key),
                           MI101,
                           "this content has the terrain that is migrated: an OMT of it is "
                           "'%s' once a save has been read",
                           m->final_id);
    }
}

/* ---- writing ---- */

static void migrations_write(import *im, content_writer *w)
{
    const migration_list *oters = &im->migrations->oters, *specials = &im->migrations->specials;
    for (size_t i = 0; i < oters->count; i++) {
        const migration *m = &oters->items[i];
        content_put(w, CONTENT_OTER_MIGRATIONS,
                    &(oter_migration_row){m->old_id, m->new_id, m->final_id, FROM(m->object)});
    }
    for (size_t i = 0; i < specials->count; i++) {
        const migration *m = &specials->items[i];
        content_put(
            w, CONTENT_SPECIAL_MIGRATIONS,
            &(special_migration_row){m->old_id, m->new_id, m->final_id, FROM(m->object)});
    }
}

static const char *const migrations_types[] = {"oter_id_migration", "overmap_special_migration",
                                               "oter_vision", NULL};

const content_module migrations_module = {"migrations",    migrations_types, definitions,
                                          migrations_load, migrations_check, migrations_write};
