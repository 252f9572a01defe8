/* How what is on local maps looks, as a list. */
#include "core/error.h"
#include "model/symbol.h"
#include "portolan/lists.h"
#include "world/lists/listing.h"
#include "world/lists/tile_looks.h"

#include <stdlib.h>

typedef struct reading {
    ptl_store *store;
    tile_looks *looks; /* owned */
} reading;

static ptl_status read_looks(void *payload, ptl_error *err)
{
    reading *r = payload;
    return tile_looks_new(&r->looks, r->store, err);
}

typedef struct reader {
    bool (*on_look)(void *payload, const ptl_local_look *look);
    void *payload;
} reader;

static ptl_status give_sort(tile_looks *looks, local_layer sort, const char *kind,
                            const reader *to, ptl_error *err)
{
    size_t count = 0;
    const char **ids = tile_looks_ids(looks, sort, &count);
    ptl_status status = ids ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        tile_look found;
        (void)tile_looks_find(&found, looks, sort, ids[i]);
        const ptl_local_look look = {.size = sizeof look,
                                     .kind = kind,
                                     .id = ids[i],
                                     .name = found.name,
                                     .color = found.color,
                                     .symbol =
                                         found.line ? symbol_line(found.line) : found.symbol};
        if (!to->on_look(to->payload, &look))
            status = error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    }
    free(ids);
    return status;
}

ptl_status ptl_local_look_list(ptl_store *store,
                               bool (*on_look)(void *payload, const ptl_local_look *look),
                               void *payload, ptl_error *err)
{
    static const struct {
        local_layer sort;
        const char *kind;
    } kinds[] = {{LOCAL_LAYER_FURNITURE, "furniture"},
                 {LOCAL_LAYER_TERRAIN, "terrain"},
                 {LOCAL_LAYER_TRAP, "trap"}};
    reading r = {.store = store};
    const reader to = {on_look, payload};
    error_clear(err);
    ptl_status status = listing_snapshot(store, read_looks, &r, err);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && status == PTL_OK; i++)
        status = give_sort(r.looks, kinds[i].sort, kinds[i].kind, &to, err);
    tile_looks_free(r.looks);
    return status;
}
