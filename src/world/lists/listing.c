#include "world/lists/listing.h"

#include "core/array.h"

#include <stdlib.h>

ptl_status listing_begin(listing *l, size_t item_size, ptl_error *err)
{
    *l = (listing){.item_size = item_size, .texts = arena_new()};
    return l->texts ? PTL_OK : error_nomem(err);
}

void listing_end(listing *l)
{
    arena_free(l->texts);
    free(l->items);
    *l = (listing){.item_size = 0};
}

ptl_status listing_keep(listing *l, const char **text, ptl_error *err)
{
    if (!l->last || strcmp(l->last, *text) != 0)
        l->last = arena_strdup(l->texts, *text);
    *text = l->last;
    return l->last ? PTL_OK : error_nomem(err);
}

ptl_status listing_add(listing *l, const void *item, ptl_error *err)
{
    if (!array_grow(&l->items, &l->room, l->count + 1, l->item_size))
        return error_nomem(err);
    memcpy(l->items + l->count++ * l->item_size, item, l->item_size);
    return PTL_OK;
}

ptl_status listing_put(listing *l, const void *item, const char **const *texts, ptl_error *err)
{
    for (; *texts; texts++)
        if (**texts)
            TRY(listing_keep(l, *texts, err));
    return listing_add(l, item, err);
}

void listing_sort(listing *l, int (*compare)(const void *a, const void *b))
{
    if (l->count > 1)
        qsort(l->items, l->count, l->item_size, compare);
}

ptl_status listing_snapshot(ptl_store *store, listing_read *read, void *payload, ptl_error *err)
{
    bool own;
    TRY(ops(store)->transaction->begin_snapshot(store, &own, err));
    ptl_status status = read(payload, err);
    ops(store)->transaction->end_snapshot(store, own);
    return status;
}

ptl_status listing_fill(listing *l, ptl_store *store, void *from, ptl_error *err)
{
    const listing of = *l;
    error_clear(err);
    TRY(listing_begin(l, of.item_size, err));
    const ptl_status status = listing_snapshot(store, of.read, from, err);
    if (of.compare)
        listing_sort(l, of.compare);
    return status;
}

void *listing_at(const listing *l, size_t i)
{
    return l->items + i * l->item_size;
}
