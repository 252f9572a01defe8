#include "world/places.h"

#include "world/world.h"

typedef struct city_search {
    const int64_t *rect;
    world_city_visit visit;
    void *payload;
} city_search;

static ptl_status on_city(void *payload, const city_row *row, ptl_error *err)
{
    const city_search *s = payload;
    const world_city city = {.name = row->name,
                             .x = (int64_t)row->chunk.x * PTL_CHUNK_SIZE + row->x,
                             .y = (int64_t)row->chunk.y * PTL_CHUNK_SIZE + row->y,
                             .size = row->size};
    (void)err;
    if (city.x >= s->rect[0] && city.x <= s->rect[2] && city.y >= s->rect[1] &&
        city.y <= s->rect[3])
        s->visit(s->payload, &city);
    return PTL_OK;
}

ptl_status world_cities(ptl_world *world, const int64_t rect[4], world_city_visit visit,
                        void *payload, ptl_error *err)
{
    city_search search = {rect, visit, payload};
    const ptl_chunk_pos first = ptl_omt_chunk((ptl_omt){rect[0], rect[1], 0});
    const ptl_chunk_pos last = ptl_omt_chunk((ptl_omt){rect[2], rect[3], 0});
    return store_city_visit(world->store, world->row.id, first, last, on_city, &search, err);
}

ptl_status world_content_digest(ptl_world *world, char out[65], ptl_error *err)
{
    return store_content_digest(out, world->store, world->row.content_id, err);
}
