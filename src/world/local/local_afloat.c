/* Which monsters deep water does not move: those that swim or fly, by their flags. */
#include "core/error.h"
#include "mapgen/compile/text_id.h"
#include "world/local/kept_object.h"
#include "world/local/local.h"

#include <stdlib.h>
#include <string.h>

enum { CHAIN_MAX = 32 };

/* Numbers are those of the mapgen's pool. */
typedef struct afloat_monster {
    uint32_t parent;    /* copied from; ID_NONE: nothing */
    bool known, states; /* it has flags of its own, or else those of what it was copied from */
    bool floats;
} afloat_monster;

struct local_afloat {
    afloat_monster *list; /* owned; by id */
    size_t count;
};

void local_afloat_free(local_afloat *afloat)
{
    if (!afloat)
        return;
    free(afloat->list);
    free(afloat);
}

typedef struct reading {
    local_afloat *out;
    id_pool *pool;
    json_reader *reader;
    bytes text;
} reading;

static bool names_one(json_view list)
{
    static const char *const names[] = {"SWIMS", "FLIES", "AQUATIC"};
    bool found = false;
    for (json_walk w = json_walk_of(list); json_walk_next(&w);)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            found = found || json_view_is(w.value, names[i]);
    return found;
}

static afloat_monster *place_of(local_afloat *a, uint32_t id)
{
    if (id >= a->count) {
        const size_t wanted = 2 * (size_t)id + 1024;
        afloat_monster *list = realloc(a->list, wanted * sizeof *list);
        if (!list)
            return NULL;
        memset(list + a->count, 0, (wanted - a->count) * sizeof *list);
        a->list = list;
        a->count = wanted;
    }
    return &a->list[id];
}

static ptl_status on_monster(void *payload, const kept_row *row, ptl_error *err)
{
    reading *r = payload;
    json_document document;
    const ptl_status status = kept_object(&document, r->reader, row, err);
    if (status != PTL_OK)
        return status;
    const json_view object = json_view_of(&document);
    json_view name = json_view_get(object, "id");
    if (!name.document)
        name = json_view_get(object, "abstract");
    const uint32_t id = mapgen_text_id(r->pool, name, &r->text);
    afloat_monster *m = place_of(r->out, id);
    if (!m)
        return error_nomem(err);
    const json_view flags = json_view_get(object, "flags");
    const json_view more = json_view_get(json_view_get(object, "extend"), "flags");
    const uint32_t parent =
        mapgen_text_id(r->pool, json_view_get(object, "copy-from"), &r->text);
    /* What is copied from itself is the one of before, changed. */
    if (parent != id || !m->known)
        *m = (afloat_monster){.parent = parent};
    m->known = true;
    m->states = m->states || flags.document;
    m->floats = (m->floats && !flags.document) || names_one(flags) || names_one(more);
    return PTL_OK;
}

ptl_status world_local_afloat(world_mapgen *mapgen, const ptl_world *world, ptl_error *err)
{
    if (mapgen->afloat)
        return PTL_OK;
    reading r = {.out = calloc(1, sizeof *r.out),
                 .pool = mapgen->pool,
                 .reader = json_reader_new(store_stop_hook(world->store))};
    bytes_init(&r.text);
    ptl_status status = r.out && r.reader ? PTL_OK : error_nomem(err);
    if (status == PTL_OK)
        status = store_kept_visit(world->store, "MONSTER", on_monster, &r, err);
    if (status == PTL_OK && (r.text.failed || id_pool_failed(r.pool)))
        status = error_nomem(err);
    bytes_dispose(&r.text);
    json_reader_free(r.reader);
    if (status == PTL_OK)
        mapgen->afloat = r.out;
    else
        local_afloat_free(r.out);
    return status;
}

static bool floats(const local_afloat *a, uint32_t id)
{
    bool found = false;
    for (int depth = 0; id != ID_NONE && id < a->count && depth < CHAIN_MAX; depth++) {
        const afloat_monster *m = &a->list[id];
        found = found || m->floats;
        if (m->states)
            break;
        id = m->parent;
    }
    return found;
}

bool world_local_walks(const world_mapgen *mapgen, const local_entity *e, const char *id)
{
    if (e->kind == LOCAL_NPC)
        return true;
    return e->kind == LOCAL_MONSTER && mapgen->afloat &&
           !floats(mapgen->afloat, id_pool_put(mapgen->pool, id, strlen(id)));
}
