/*
 * Checks ids of things that are kept as text only, where terrains, specials and map extras
 * name them. No module reads such things, so their ids are looked up in the kept objects. If
 * the content has no object of a type at all, nothing is reported: it may be just a part of a
 * game.
 */
#include "content/special/kept_ids.h"

#include "content/import/source.h"
#include "content/types/terrain.h"
#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* A kind of thing, and which objects and members have its ids. */
typedef struct kept_sort {
    const char *what; /* its name in messages */
    const char *type;
    scan_member member, other; /* members that hold ids; equal if there is only one */
} kept_sort;

enum { GROUPS, GROUND, VISIONS, PROCESSES, FACTIONS, UPDATES, SORTS };

static const kept_sort sorts[SORTS] = {
    [GROUPS] = {"monster group", "monstergroup", SCAN_ID, SCAN_NAME},
    [GROUND] = {"terrain", "terrain", SCAN_ID, SCAN_ID},
    [VISIONS] = {"oter_vision", "oter_vision", SCAN_ID, SCAN_ID},
    [PROCESSES] = {"pp_generator", "pp_generator", SCAN_ID, SCAN_ID},
    [FACTIONS] = {"faction", "faction", SCAN_ID, SCAN_ID},
    [UPDATES] = {"update_mapgen_id", "mapgen", SCAN_UPDATE_MAPGEN_ID, SCAN_UPDATE_MAPGEN_ID},
};

typedef struct id_list {
    const char **ids; /* owned array; the ids are the import's */
    size_t count, room;
} id_list;

typedef struct kept_check {
    import *im;
    id_list lists[SORTS];
} kept_check;

/* Adds a string, or all strings in a list. */
static void add_span(kept_check *k, id_list *l, const kept_entry *e, scan_span span)
{
    const char *at = e->file->file.text + span.start, *end = e->file->file.text + span.end;
    while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
        if (!close)
            return;
        const char *id = arena_strndup(k->im->arena, at + 1, (size_t)(close - at - 1));
        if (!id || !ARRAY_ROOM(l->ids, l->room, l->count + 1)) {
            import_no_memory(k->im);
            return;
        }
        l->ids[l->count++] = id;
        at = close + 1;
    }
}

/* Reports an id that nothing has; id may be NULL. */
static void check_id(kept_check *k, int sort, const char *id, const source_object *object,
                     const char *own, const char *pointer)
{
    const id_list *l = &k->lists[sort];
    if (!id || !id[0] || l->count == 0 || strcmp(id, "GROUP_NULL") == 0 ||
        strcmp(id, "t_null") == 0 || FIND_ID(l->ids, l->count, id))
        return;
    import_warning(k->im, object, own, pointer, "no such %s '%s'%s", sorts[sort].what, id,
                   SUGGEST_ID(k->im, id, l->ids, l->count));
}

static void check_special(kept_check *k, special *sp)
{
    field spawns = special_field(k->im, sp, "spawns"),
          all = special_field(k->im, sp, "overmaps");
    check_id(k, GROUPS, sp->row.spawn_group, spawns.obj, sp->id, field_pointer(spawns));
    for (size_t i = 0; i < sp->omt_count; i++)
        check_id(k, FACTIONS, sp->tiles[i].camp, all.obj, sp->id, field_pointer(all));
}

void kept_ids_check(import *im)
{
    kept_check k = {.im = im};
    const import_source *source = k.im->source;
    for (size_t i = 0; i < source->kept_count && !import_stopped(k.im); i++) {
        const kept_entry *e = &source->kept[i];
        for (int s = 0; s < SORTS; s++) {
            if (strcmp(e->type->objects.name, sorts[s].type) != 0)
                continue;
            add_span(&k, &k.lists[s], e, e->members[sorts[s].member]);
            if (sorts[s].other != sorts[s].member)
                add_span(&k, &k.lists[s], e, e->members[sorts[s].other]);
        }
    }
    for (int s = 0; s < SORTS; s++)
        if (k.lists[s].count > 1)
            qsort(k.lists[s].ids, k.lists[s].count, sizeof(char *), compare_ids);
    /* Checks ids in the objects that state them, not in those that inherit them. */
    const struct terrain_model *m = k.im->terrains;
    for (size_t i = 0; i < m->object_count && !import_stopped(k.im); i++) {
        const terrain_object *t = &m->objects[i];
        check_id(&k, GROUPS, t->given.row.spawn_group, t->source, NULL, "/spawns/group");
        check_id(&k, GROUND, t->given.row.uniform_terrain, t->source, NULL, "/uniform_terrain");
        check_id(&k, VISIONS, t->given.row.vision_levels, t->source, NULL, "/vision_levels");
        for (size_t p = 0; p < t->given.row.post_process_generators.count; p++)
            check_id(&k, PROCESSES, t->given.row.post_process_generators.items[p], t->source,
                     NULL, "/post_process_generators");
    }
    for (size_t i = 0; i < im->specials->current_count && !import_stopped(im); i++)
        check_special(&k, im->specials->current[i]);
    const source_type *list = import_objects(k.im, "map_extra");
    for (size_t i = 0; i < list->count && !import_stopped(k.im); i++) {
        const json_t *generator = json_object_get(list->objects[i]->json, "generator");
        const char *method = json_string_value(json_object_get(generator, "generator_method"));
        if (method && strcmp(method, "update_mapgen") == 0)
            check_id(&k, UPDATES, json_string_value(json_object_get(generator, "generator_id")),
                     list->objects[i], NULL, "/generator/generator_id");
    }
    for (int s = 0; s < SORTS; s++)
        free(k.lists[s].ids);
}
