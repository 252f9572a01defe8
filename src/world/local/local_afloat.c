/* Finds out what deep water does not move. Monsters that swim or fly have flags that say so,
 * and vehicles float if one of their parts has such a flag. A group of monsters counts as
 * afloat if one of its monsters does. */
#include "core/array.h"
#include "mapgen/compile/text_id.h"
#include "world/local/kept_object.h"
#include "world/local/local.h"

enum { CHAIN_MAX = 32 };

typedef struct reading {
    afloat_list *lists; /* of the mapgen */
    id_pool *pool;
    json_reader *reader;
    const char *type; /* the type of objects that are being read */
    bytes text;
    bool more; /* in this pass a group was found to be afloat that was not before */
} reading;

static bool names_one(json_view list)
{
    static const char *const names[] = {"SWIMS", "FLIES", "AQUATIC", "FLOATS"};
    bool found = false;
    for (json_walk w = json_walk_of(list); json_walk_next(&w);)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            found = found || json_view_is(w.value, names[i]);
    return found;
}

static bool floats(const afloat_list *a, uint32_t id)
{
    bool found = false;
    for (int depth = 0; id != ID_NONE && id < a->count && depth < CHAIN_MAX; depth++) {
        const afloat_type *m = &a->items[id];
        found = found || m->floats;
        if (m->states)
            break;
        id = m->parent;
    }
    return found;
}

/* ---- reading ---- */

/* Returns the entry of the type that an object defines or changes; NULL when memory is out. */
static afloat_type *type_of(afloat_list *list, json_view object, reading *r)
{
    json_view name = mapgen_object_name(object);
    if (!name.document)
        name = json_view_get(object, "name"); /* groups have a name for an id */
    const uint32_t id = mapgen_text_id(r->pool, name, &r->text);
    afloat_type *m =
        !ARRAY_ROOM_ZEROED(list->items, list->count, (size_t)id + 1) ? NULL : &list->items[id];
    const uint32_t parent =
        mapgen_text_id(r->pool, json_view_get(object, "copy-from"), &r->text);
    /* An object that copies from itself changes the earlier one of that id, and keeps the
     * rest of it. */
    if (m && (parent != id || !m->known))
        *m = (afloat_type){.parent = parent,
                           .floats = list == &r->lists[AFLOAT_GROUPS] && m->floats};
    if (m)
        m->known = true;
    return m;
}

/* Does the part float? It is a name, or an object with a name, and a variant may follow the
 * name after '#'. */
static bool is_afloat(json_view part, reading *r)
{
    const json_view inside = json_view_get(part, "part");
    size_t length = 0;
    const char *text = json_view_text(inside.document ? inside : part, &r->text, &length);
    const char *end = text ? memchr(text, '#', length) : NULL;
    return text && floats(&r->lists[AFLOAT_PARTS],
                          id_pool_put(r->pool, text, end ? (size_t)(end - text) : length));
}

/* Does the group have a monster that is afloat, or a group that is? */
static bool read_group(json_view object, reading *r)
{
    afloat_type *m = type_of(&r->lists[AFLOAT_GROUPS], object, r);
    if (!m)
        return false;
    const bool before = m->floats;
    m->states = true;
    for (json_walk w = json_walk_of(json_view_get(object, "monsters")); json_walk_next(&w);) {
        const json_view monster = json_view_get(w.value, "monster");
        const json_view group = json_view_get(w.value, "group");
        m->floats =
            m->floats ||
            floats(&r->lists[AFLOAT_MONSTERS], mapgen_text_id(r->pool, monster, &r->text)) ||
            floats(&r->lists[AFLOAT_GROUPS], mapgen_text_id(r->pool, group, &r->text));
    }
    const json_view rest = json_view_get(object, "default");
    m->floats = m->floats ||
                floats(&r->lists[AFLOAT_MONSTERS], mapgen_text_id(r->pool, rest, &r->text));
    r->more = r->more || m->floats != before;
    return true;
}

static bool read_type(const char *type, json_view object, reading *r)
{
    if (strcmp(type, "vehicle") == 0) {
        afloat_type *m = type_of(&r->lists[AFLOAT_VEHICLES], object, r);
        const json_view parts = json_view_get(object, "parts");
        if (!m)
            return false;
        m->states = m->states || parts.document;
        for (json_walk w = json_walk_of(parts); json_walk_next(&w);) {
            m->floats = m->floats || is_afloat(w.value, r);
            for (json_walk k = json_walk_of(json_view_get(w.value, "parts"));
                 json_walk_next(&k);)
                m->floats = m->floats || is_afloat(k.value, r);
        }
        return true;
    }
    if (strcmp(type, "monstergroup") == 0)
        return read_group(object, r);
    /* Reads a type that is afloat by its flags. */
    afloat_list *list = type[0] == 'M' ? &r->lists[AFLOAT_MONSTERS] : &r->lists[AFLOAT_PARTS];
    afloat_type *m = type_of(list, object, r);
    if (!m)
        return false;
    const json_view flags = json_view_get(object, "flags");
    const json_view more = json_view_get(json_view_get(object, "extend"), "flags");
    m->states = m->states || flags.document;
    m->floats = (m->floats && !flags.document) || names_one(flags) || names_one(more);
    return true;
}

static ptl_status on_object(void *payload, const kept_row *row, ptl_error *err)
{
    reading *r = payload;
    json_document document;
    TRY(kept_object(&document, r->reader, row, err));
    return read_type(r->type, json_view_of(&document), r) ? PTL_OK : error_nomem(err);
}

static ptl_status read_types(world_mapgen *mapgen, const ptl_world *world,
                             const char *const *types, size_t count, ptl_error *err)
{
    reading r = {.lists = mapgen->afloat,
                 .pool = mapgen->pool,
                 .reader = json_reader_new(store_stop_hook(world->store))};
    bytes_init(&r.text);
    ptl_status status = r.reader ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        /* Reads all objects of a type. Groups are read again until no further one is found to
         * be afloat, as a group may name one that comes later. */
        r.type = types[i];
        do {
            r.more = false;
            status = store_kept_visit(world->store, r.type, on_object, &r, err);
        } while (status == PTL_OK && r.more);
        if (status == PTL_OK && (r.text.failed || id_pool_failed(r.pool)))
            status = error_nomem(err);
    }
    bytes_dispose(&r.text);
    json_reader_free(r.reader);
    return status;
}

ptl_status world_local_afloat(world_mapgen *mapgen, const ptl_world *world, ptl_error *err)
{
    static const char *const types[] = {"MONSTER"};
    if (!mapgen->knows_swimmers)
        TRY(read_types(mapgen, world, types, 1, err));
    mapgen->knows_swimmers = true;
    return PTL_OK;
}

ptl_status world_local_afloat_things(world_mapgen *mapgen, const ptl_world *world,
                                     ptl_error *err)
{
    static const char *const types[] = {"vehicle_part", "vehicle", "monstergroup"};
    TRY(world_local_afloat(mapgen, world, err));
    if (!mapgen->knows_floats)
        TRY(read_types(mapgen, world, types, 3, err));
    mapgen->knows_floats = true;
    return PTL_OK;
}

/* ---- asking ---- */

static bool is_listed(const world_mapgen *mapgen, const afloat_list *list, const char *id)
{
    return floats(list, id_pool_put(mapgen->pool, id, strlen(id)));
}

bool world_local_walks(const world_mapgen *mapgen, const local_entity *e, const char *id)
{
    if (e->kind == LOCAL_NPC)
        return true;
    return e->kind == LOCAL_MONSTER && mapgen->knows_swimmers &&
           !is_listed(mapgen, &mapgen->afloat[AFLOAT_MONSTERS], id);
}

bool world_local_sinks(const world_mapgen *mapgen, const local_entity *e, const char *id)
{
    if (e->kind == LOCAL_ITEM || e->kind == LOCAL_ITEM_GROUP || e->kind == LOCAL_CORPSE)
        return true;
    if (!mapgen->knows_floats)
        return false;
    if (e->kind == LOCAL_VEHICLE)
        return !is_listed(mapgen, &mapgen->afloat[AFLOAT_VEHICLES], id);
    return e->kind == LOCAL_MONSTER_GROUP &&
           !is_listed(mapgen, &mapgen->afloat[AFLOAT_GROUPS], id);
}
