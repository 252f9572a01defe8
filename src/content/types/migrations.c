/*
 * oter_id_migration and overmap_special_migration, which tell what old ids in saves mean, and
 * oter_vision. Content itself is not migrated: it must name ids that exist.
 */
#include "content/import/record.h"
#include "content/types/types.h"

#include <stdlib.h>
#include <string.h>

enum { CHAIN_MAX = 16, LEVELS_MAX = 3 };

typedef struct migration {
    const char *old_id, *new_id; /* new_id is NULL if it was removed */
    const char *key;             /* the key in the object, of a pair */
    const char *final_id;        /* output: the end of the chain */
    const source_object *object;
    size_t order; /* of several for an id, the last one counts */
} migration;

typedef struct migration_list {
    migration *items; /* sorted by old_id */
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
        field_error(pairs, "'oter_ids' must be an object of old and new ids");
        return;
    }
    json_object_foreach(pairs.value, key, value)
    {
        if (strncmp(key, "//", 2) == 0)
            continue;
        if (!json_is_string(value)) {
            field_error(field_key(pairs, key), "must be a string");
            continue;
        }
        im->report->oter_migrations++;
        migration m = {
            .old_id = key, .new_id = json_string_value(value), .key = key, .object = obj};
        /* In Bright Nights, a pair can stand for the four rotations of both ids. */
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
        field_error(levels, "'levels' must be a list of at most %d objects", LEVELS_MAX);
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

/* Sorts the migrations, keeps the last one of each id, and finds where each chain ends. */
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
        import_warning(im, m->object, m->old_id, "",
                       "its migration goes in a circle, or over more than %d ids: it stays",
                       CHAIN_MAX);
    }
}

static void load(import *im)
{
    struct migration_model *model = import_alloc(im, 1, sizeof *model);
    if (!model)
        return;
    im->migrations = model;
    const source_type *oters = import_objects(im, "oter_id_migration");
    const source_type *specials = import_objects(im, "overmap_special_migration");
    size_t room = 0; /* a pair may stand for four */
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

/* Checks migrations. What they name may be another content's. But if this content has a
 * terrain that saves migrate away, saving loses it: the games place it, and read something
 * else back. */
static void check(import *im)
{
    const migration_list *oters = &im->migrations->oters;
    for (size_t i = 0; i < oters->count && !import_stopped(im); i++) {
        const migration *m = &oters->items[i];
        if (strcmp(m->final_id, m->old_id) != 0 &&
            terrain_find_oter(im, m->old_id) == OTER_FOUND &&
            terrain_find_oter(im, m->final_id) == OTER_FOUND)
            import_warning(im, m->object, m->old_id, import_pointer(im, "/oter_ids", m->key),
                           "this content has the terrain that is migrated: an OMT of it is "
                           "'%s' once a save has been read",
                           m->final_id);
    }
}

/* ---- writing ---- */

static void write(import *im, content_writer *w)
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

static const char *const types[] = {"oter_id_migration", "overmap_special_migration",
                                    "oter_vision", NULL};

const content_module migrations_module = {"migrations", types, definitions, load, check, write};
