/* What steps of generation could not do, over many chunks. */
#include "world/lists/listing.h"

#include "portolan/lists.h"

#include <stdlib.h>

typedef struct event_reading {
    ptl_store *store;
    const char *world;
    chunk_filter which;
    ptl_chunk_pos pos; /* of the chunk that is read */
    int32_t number;
    listing list;
} event_reading;

static ptl_status keep_event(void *payload, const event_row *row, ptl_error *err)
{
    event_reading *r = payload;
    ptl_event_place e = {.size = sizeof e,
                         .step = row->step,
                         .kind = row->kind,
                         .detail = row->detail,
                         .chunk = r->pos,
                         .number = r->number++,
                         .has_place = row->x >= 0};
    if (e.has_place) {
        e.x = (int64_t)r->pos.x * PTL_CHUNK_SIZE + row->x;
        e.y = (int64_t)r->pos.y * PTL_CHUNK_SIZE + row->y;
        e.z = row->z;
    }
    ptl_status status = listing_keep(&r->list, &e.step, err);
    if (status == PTL_OK)
        status = listing_keep(&r->list, &e.kind, err);
    if (status == PTL_OK)
        status = listing_keep(&r->list, &e.detail, err);
    return status == PTL_OK ? listing_add(&r->list, &e, err) : status;
}

static ptl_status read_chunk(void *payload, const stored_chunk *chunk, ptl_error *err)
{
    event_reading *r = payload;
    r->pos = chunk->info.pos;
    r->number = 0;
    return stored_chunk_event_visit(chunk, keep_event, r, err);
}

static ptl_status read_events(void *payload, ptl_error *err)
{
    event_reading *r = payload;
    ptl_chunk_pos *list = NULL;
    size_t count = 0;
    world_row world;
    ptl_status status = store_world_find(&world, r->store, r->world, err);
    if (status != PTL_OK)
        return status;
    status = store_chunk_list(&list, &count, r->store, world.id, &r->which, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        ptl_chunk_pos before = {list[i].x, list[i].y - 1};
        status = store_chunk_visit_next(&before, r->store, world.id, read_chunk, r, err);
    }
    free(list);
    world_row_dispose(&world);
    return status;
}

static int by_chunk(const void *pa, const void *pb)
{
    const ptl_event_place *a = pa, *b = pb;
    int order = (a->chunk.y > b->chunk.y) - (a->chunk.y < b->chunk.y);
    order = order ? order : (a->chunk.x > b->chunk.x) - (a->chunk.x < b->chunk.x);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

ptl_status ptl_event_list(ptl_store *store, const char *world, const ptl_chunk_pos within[2],
                          bool (*on_event)(void *payload, const ptl_event_place *event),
                          void *payload, ptl_error *err)
{
    const int32_t far = PTL_CHUNK_COORD_MAX;
    event_reading r = {.store = store,
                       .world = world,
                       .which = {.x0 = within ? within[0].x : -far,
                                 .x1 = within ? within[1].x : far,
                                 .y0 = within ? within[0].y : -far,
                                 .y1 = within ? within[1].y : far}};
    error_clear(err);
    ptl_status status = listing_begin(&r.list, sizeof(ptl_event_place), err);
    if (status == PTL_OK)
        status = listing_snapshot(store, read_events, &r, err);
    listing_sort(&r.list, by_chunk);
    LISTING_GIVE(status, &r.list, ptl_event_place, on_event, payload, err);
    listing_end(&r.list);
    return status;
}
