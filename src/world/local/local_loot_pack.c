/* Which overmap terrains a pack of the content defines, and the names of kinds, for loot. */
#include "portolan/loot.h"
#include "world/local/local.h"

#include <stdlib.h>

typedef struct pack_search {
    const catalogue *cat;
    const char *pack;
    bool *terrains;      /* owned */
    int64_t number, pos; /* `number`: the number of the pack, -1 if it was not found yet; `pos`:
                            the number of the pack that is visited next */
} pack_search;

static ptl_status on_pack(void *payload, const pack_row *pack, ptl_error *err)
{
    pack_search *p = payload;
    (void)err;
    if (strcmp(pack->id, p->pack) == 0)
        p->number = p->pos;
    p->pos++;
    return PTL_OK;
}

static ptl_status on_terrain(void *payload, const content_value *row, ptl_error *err)
{
    pack_search *p = payload;
    const uint16_t at = catalogue_terrain(p->cat, value_text(row, 1));
    (void)err;
    if (at != CAT_NONE && value_int(row, 0) == p->number)
        p->terrains[at] = true;
    return PTL_OK;
}

ptl_status world_local_pack(bool **out, const ptl_world *world, const char *pack,
                            ptl_error *err)
{
    static const content_query terrains = {CONTENT_TERRAINS, "pack, id", "id"};
    const ptl_store *store = world->store;
    const content_operations *content = ops(store)->content;
    pack_search p = {.cat = world->cat, .pack = pack, .number = -1};
    p.terrains = calloc(world->cat->terrain_count + 1, sizeof *p.terrains);
    *out = p.terrains;
    if (!p.terrains)
        return error_nomem(err);
    TRY(content->pack_visit(world->store, world->row.content_id, on_pack, &p, err));
    if (p.number < 0)
        return error_set(err, PTL_ERR_NOT_FOUND, "the content has no pack '%s'", pack);
    return content->row_visit(world->store, 0, &terrains, on_terrain, &p, err);
}

const char *ptl_loot_kind_name(ptl_loot_kind kind)
{
    static const char *const names[PTL_LOOT_KINDS] = {"item", "monster", "vehicle", "group"};
    return kind >= 0 && (int)kind < PTL_LOOT_KINDS ? names[kind] : "";
}
