/* Spills of local maps (schema/shoals.md, "Spills"): found anew, where they are missing or are
 * not what the maps around give. */
#include "core/error.h"
#include "repair/repair_impl.h"
#include "world/local/local_spill.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct world_ids {
    int64_t *list; /* owned */
    size_t count;
} world_ids;

static ptl_status add_world(void *payload, const world_row *world, ptl_error *err)
{
    world_ids *ids = payload;
    int64_t *list = realloc(ids->list, (ids->count + 1) * sizeof *list);
    if (!list)
        return error_nomem(err);
    ids->list = list;
    ids->list[ids->count++] = world->id;
    return PTL_OK;
}

static ptl_status note(void *payload, ptl_omt at, bool stored, ptl_error *err)
{
    world_repair *w = payload;
    char name[110], where[REPAIR_WHERE_SIZE];
    (void)err;
    repair_world_name(name, sizeof name, &w->r, w->world_id);
    snprintf(where, sizeof where, "world '%.100s', local map %lld,%lld", name, (long long)at.x,
             (long long)at.y);
    return repair_note(&w->r, PTL_REPAIR_RECOMPUTED, where,
                       stored ? "its spills were wrong: the maps around say what they are"
                              : "its spills were missing: the maps around say what they are");
}

static ptl_status mend(world_repair *w, int64_t id, ptl_error *err)
{
    static const map_area all = {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, 0};
    char why[PTL_ERROR_MESSAGE_SIZE];
    uint64_t checked;
    bool ready;
    TRY(repair_world_open(w, id, &ready, why, err));
    if (ready) /* else others have said what is wrong */
        TRY(world_spills_check(&checked, w->world, &all, true, note, w, err));
    return repair_breathe(&w->r, false, err);
}

ptl_status repair_spills(world_repair *w, ptl_error *err)
{
    world_ids ids = {0};
    ptl_status status = store_world_visit(w->r.store, add_world, &ids, err);
    for (size_t i = 0; i < ids.count && status == PTL_OK; i++)
        status = mend(w, ids.list[i], err);
    free(ids.list);
    if (status == PTL_OK || !repair_is_soft(status, err))
        return status;
    error_clear(err); /* a damaged row of a world, which others name */
    return PTL_OK;
}
