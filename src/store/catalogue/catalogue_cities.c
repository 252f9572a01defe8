/* Cities that the content places. */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

#include <string.h>

/* Must a come before b? */
static bool in_order(const cat_city *a, const cat_city *b)
{
    if (a->chunk.y != b->chunk.y)
        return a->chunk.y < b->chunk.y;
    if (a->chunk.x != b->chunk.x)
        return a->chunk.x < b->chunk.x;
    return strcmp(a->id, b->id) < 0;
}

static ptl_status read_city(loader *l, const void *values, void *payload)
{
    const fixed_city_row *s = values;
    cat_city *list = payload;
    cat_city *c = &list[l->cat->city_count];
    c->id = loader_keep(l, s->id);
    c->name = loader_keep(l, s->name);
    c->database_id = (int32_t)s->database_id;
    c->population = (int32_t)s->population;
    c->chunk.x = (int32_t)s->overmap_x;
    c->chunk.y = (int32_t)s->overmap_y;
    c->x = (int16_t)s->x;
    c->y = (int16_t)s->y;
    c->size = (int16_t)s->size;
    if (!c->id || !c->name)
        return error_nomem(l->err);
    if (l->cat->city_count > 0 && !in_order(c - 1, c))
        return loader_corrupt(l, "out of order:", c->id);
    const size_t most = CAT_CITIES_MAX;
    if (l->cat->city_count >= most && c[-(ptrdiff_t)most].chunk.x == c->chunk.x &&
        c[-(ptrdiff_t)most].chunk.y == c->chunk.y)
        return loader_corrupt(l, "too many cities of one overmap:", c->id);
    l->cat->city_count++;
    return PTL_OK;
}

ptl_status load_cities(loader *l)
{
    size_t room = 0;
    ptl_status status = loader_count(l, CONTENT_FIXED_CITIES, &room);
    if (status != PTL_OK)
        return status;
    cat_city *list = arena_calloc(l->arena, room + 1, sizeof *list);
    if (!list)
        return error_nomem(l->err);
    l->cat->cities = list;
    return loader_rows(l, CONTENT_FIXED_CITIES, "overmap_y, overmap_x, id", read_city, list);
}
