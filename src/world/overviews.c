/* Worlds as seen from far away. */
#include "core/array.h"
#include "core/error.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

typedef struct seen {
    ptl_chunk_pos pos;
    bool known;
    ptl_oter cells[PTL_OVERVIEW_CELLS];
} seen;

typedef struct seen_list {
    seen *items; /* owned */
    size_t count, room;
} seen_list;

static ptl_status keep(void *payload, ptl_chunk_pos pos,
                       const ptl_oter cells[PTL_OVERVIEW_CELLS], ptl_error *err)
{
    seen_list *l = payload;
    if (!ARRAY_ROOM(l->items, l->room, l->count + 1))
        return error_nomem(err);
    seen *added = &l->items[l->count++];
    memset(added, 0, sizeof *added);
    added->pos = pos;
    added->known = cells != NULL;
    if (cells)
        memcpy(added->cells, cells, sizeof added->cells);
    return PTL_OK;
}

static int by_place(const void *pa, const void *pb)
{
    const ptl_chunk_pos a = ((const seen *)pa)->pos, b = ((const seen *)pb)->pos;
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    return a.y < b.y ? -1 : a.y > b.y;
}

ptl_status ptl_overview_list(ptl_world *world,
                             bool (*on_overview)(void *payload, ptl_chunk_pos pos,
                                                 const ptl_oter cells[PTL_OVERVIEW_CELLS]),
                             void *payload, ptl_error *err)
{
    seen_list l = {.items = NULL};
    error_clear(err);
    ptl_status status =
        store_overview_visit(world->store, world->row.id, world->cat, keep, &l, err);
    if (l.count > 1)
        qsort(l.items, l.count, sizeof *l.items, by_place);
    for (size_t i = 0; i < l.count && status == PTL_OK; i++)
        if (!on_overview(payload, l.items[i].pos, l.items[i].known ? l.items[i].cells : NULL))
            status = error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    free(l.items);
    return status;
}
