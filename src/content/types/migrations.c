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
    size_t count, room;
} migration_list;

struct migration_model {
    migration_list oters, specials;
    definition_list visions;
};

static void add(import *im, migration_list *list, migration m)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 256;
        migration *items = arena_alloc(im->arena, room * sizeof *items);
        if (!items) {
            import_no_memory(im);
            return;
        }
        if (list->count > 0)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->room = room;
    }
    m.order = list->count;
    list->items[list->count++] = m;
}

static const char *with_suffix(import *im, const char *id, const char *suffix)
{
    const size_t length = strlen(id), more = strlen(suffix);
    char *text = arena_alloc(im->arena, length + more + 1);
    if (!text) {
        import_no_memory(im);
        return "";
    }
    memcpy(text, id, length);
    memcpy(text + length, suffix, more + 1);
    return text;
}

static void read_pairs(import *im, const source_object *obj, migration_list *list)
{
    static const char *const suffixes[] = {"_north", "_east", "_south", "_west"};
    json_t *pairs = json_object_get(obj->json, "oter_ids");
    bool directions[2] = {false, false};
    const char *key;
    json_t *value;
    import_get_bool(im, obj, obj->json, "", "old_directions", &directions[0]);
    import_get_bool(im, obj, obj->json, "", "new_directions", &directions[1]);
    record_count_unknown(im, obj, CONTENT_OTER_MIGRATIONS);
    if (!json_is_object(pairs)) {
        import_error(im, obj, "", pairs ? "/oter_ids" : "",
                     "'oter_ids' must be an object of old and new ids");
        return;
    }
    json_object_foreach(pairs, key, value)
    {
        if (strncmp(key, "//", 2) == 0)
            continue;
        if (!json_is_string(value)) {
            import_error(im, obj, "", import_pointer(im, "/oter_ids", key), "must be a string");
            continue;
        }
        im->report->oter_migrations++;
        migration m = {
            .old_id = key, .new_id = json_string_value(value), .key = key, .object = obj};
        /* In Bright Nights, a pair can stand for the four rotations of both ids. */
        for (size_t i = 0; directions[0] && i < 4; i++) {
            m.old_id = with_suffix(im, key, suffixes[i]);
            m.new_id = directions[1] ? with_suffix(im, json_string_value(value), suffixes[i])
                                     : m.new_id;
            add(im, list, m);
        }
        if (!directions[0])
            add(im, list, m);
    }
}

static void vision_read(import *im, const source_object *obj, const char *id, void *value)
{
    const json_t *levels = json_object_get(obj->json, "levels");
    if (levels && (!json_is_array(levels) || json_array_size(levels) > LEVELS_MAX))
        import_error(im, obj, id, "/levels", "'levels' must be a list of at most %d objects",
                     LEVELS_MAX);
    else if (levels)
        ((oter_vision_row *)value)->levels = import_json_text(im, levels);
}

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
    static const definition_type vision_type = {
        "oter_vision",  CONTENT_VISIONS, sizeof(oter_vision_row),
        CONTENT_ID_MAX, false,           vision_read};
    struct migration_model *model = import_alloc(im, 1, sizeof *model);
    if (!model)
        return;
    im->migrations = model;
    const source_type *oters = import_objects(im, "oter_id_migration");
    const source_type *specials = import_objects(im, "overmap_special_migration");
    for (size_t i = 0; i < oters->count && !import_stopped(im); i++)
        read_pairs(im, oters->objects[i], &model->oters);
    for (size_t i = 0; i < specials->count && !import_stopped(im); i++) {
        const source_object *obj = specials->objects[i];
        special_migration_row row = {.old_id = NULL};
        record_read(im, obj, NULL, CONTENT_SPECIAL_MIGRATIONS, &row, NULL);
        if (!row.old_id)
            continue;
        im->report->special_migrations++;
        add(im, &model->specials,
            (migration){.old_id = row.old_id,
                        .new_id = row.new_id && row.new_id[0] ? row.new_id : NULL,
                        .object = obj});
    }
    settle(im, &model->oters);
    settle(im, &model->specials);
    definition_list_load(&model->visions, im, &vision_type);
    im->report->oter_visions += model->visions.count;
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
                           "this content has the terrain that is migrated: a tile of it is "
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
    definition_list_write(w, CONTENT_VISIONS, &im->migrations->visions);
}

static const char *const types[] = {"oter_id_migration", "overmap_special_migration",
                                    "oter_vision", NULL};

const content_module migrations_module = {"migrations", types, load, check, write};
