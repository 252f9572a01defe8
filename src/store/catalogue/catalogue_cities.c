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

static ptl_status read_city(loader *l, const content_value *s, void *payload)
{
    cat_city *list = payload;
    cat_city *c = &list[l->cat->city_count];
    number_row row = {l, s, PTL_OK};
    c->id = loader_keep(l, value_text(s, 0));
    c->name = loader_keep(l, value_text(s, 1));
    c->database_id = row_number(&row, 2, INT32_MIN, INT32_MAX);
    c->population = row_number(&row, 3, 0, INT32_MAX);
    c->chunk.x = row_number(&row, 4, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX);
    c->chunk.y = row_number(&row, 5, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX);
    c->x = (int16_t)row_number(&row, 6, 0, PTL_CHUNK_SIZE - 1);
    c->y = (int16_t)row_number(&row, 7, 0, PTL_CHUNK_SIZE - 1);
    c->size = (int16_t)row_number(&row, 8, 1, CAT_CITY_SIZE_MAX);
    if (!c->id || !c->name)
        return error_nomem(l->err);
    if (row.status == PTL_OK && l->cat->city_count > 0 && !in_order(c - 1, c))
        return loader_corrupt(l, "out of order:", c->id);
    const size_t most = CAT_CITIES_MAX;
    if (l->cat->city_count >= most && c[-(ptrdiff_t)most].chunk.x == c->chunk.x &&
        c[-(ptrdiff_t)most].chunk.y == c->chunk.y)
        return loader_corrupt(l, "too many cities of one overmap:", c->id);
    l->cat->city_count++;
    return row.status;
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
    return loader_rows(
        l,
        &(content_query){CONTENT_FIXED_CITIES,
                         "id, name, database_id, population, overmap_x, overmap_y, x, y, size",
                         "overmap_y, overmap_x, id"},
        read_city, list);
}
