/*
 * Numbers of the dictionaries whose rows are gone: chunks that name one are made again, and say
 * what it means.
 */
#include "repair/repair_impl.h"

#include <stdlib.h>

/* Only a chunk that comes out as its digests say teaches anything. */
static ptl_status learn_from(world_repair *w, repair_learner *l, const repair_chunk *c,
                             ptl_error *err)
{
    made_chunk made;
    bool done = false;
    ptl_status status = repair_make_only(w, c, &made, &done, err);
    if (status == PTL_OK && done &&
        repair_chunk_has_digests(c, &made.encoded.tiles, &made.features.digest))
        status = repair_learner_take(l, c, &made.encoded, &made.features, w->world->cat, err);
    made_chunk_dispose(&made);
    return status;
}

static ptl_status learn_chunk(world_repair *w, repair_learner *l, int64_t id, ptl_error *err)
{
    repair_chunk c;
    bool wanted = false;
    ptl_status status = repair_chunk_read(&c, w->r.store, id, err);
    if (status == PTL_OK && c.row.count == 1)
        status = repair_learner_wants(&wanted, l, &c, err);
    if (status == PTL_OK && wanted)
        status = learn_from(w, l, &c, err);
    repair_chunk_dispose(&c);
    return status;
}

static ptl_status learn_all(world_repair *w, repair_learner *l, ptl_error *err)
{
    int64_t *ids = NULL;
    size_t count = 0;
    ptl_status status = repair_chunk_ids(&ids, &count, &w->r, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        status = learn_chunk(w, l, ids[i], err);
        if (status == PTL_OK)
            status = repair_breathe(&w->r, false, err);
    }
    free(ids);
    return status;
}

ptl_status repair_names(world_repair *w, ptl_error *err)
{
    repair_learner *l;
    ptl_status status = repair_learner_new(&l, &w->r, err);
    if (status == PTL_OK)
        status = learn_all(w, l, err);
    if (status == PTL_OK)
        status = repair_learner_tell(l);
    repair_learner_free(l);
    return status;
}
