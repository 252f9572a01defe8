/* Search over a whole world; clients/lookup/search.h does the search. */
#include "clients/server/answer.h"

#include "clients/lookup/search.h"
#include "core/error.h"
#include "os/clock.h"

#include <math.h>

/* Time limit: counting terrains ends then, and so does looking for buildings and radios. The
 * answer says how many chunks were not looked at. */
static const double COUNT_SECONDS = 5;

static bool in_time(void *payload, uint64_t looked)
{
    const double *end = payload;
    return looked == 0 || clock_seconds() <= *end;
}

static void put_hits(emitter *j, const char *key, const search_hits *h)
{
    emit_key(j, key);
    emit_put(j, "{count:%ju, nearest:[", h->count);
    for (size_t i = 0; i < h->held; i++) {
        emit_put(j, "[%s, %jd, %jd, %d", h->list[i].what, h->list[i].x, h->list[i].y,
                 h->list[i].z);
        emit_int(j, llround(h->list[i].distance));
        emit_put(j, "]");
    }
    emit_put(j, "]}");
}

ptl_status answer_search(const asked *q, reply *out, ptl_error *err)
{
    search_result *s = NULL;
    double end = clock_seconds() + COUNT_SECONDS;
    search_options o = {.go_on = in_time, .payload = &end, .inside = true, .from = q->omt};
    if (!wish_parse(&o.wanted, q->text))
        return error_set(err, PTL_ERR_ARGUMENT, "q must be one to 16 words, 199 bytes in all");
    const ptl_status status = search_world(&s, reader_store(q->from), q->world, &o, err);
    if (status == PTL_OK) {
        emit_put(&out->j, "{");
        put_hits(&out->j, "cities", &s->cities);
        put_hits(&out->j, "specials", &s->specials);
        put_hits(&out->j, "buildings", &s->buildings);
        put_hits(&out->j, "radios", &s->radios);
        put_hits(&out->j, "terrains", &s->terrains);
        /* Puts the terrains whose names match, each with its number of OMTs on the level. */
        const ptl_catalogue *c = ptl_world_catalogue(q->world);
        emit_put(&out->j, "types:[");
        for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_TERRAIN); i++) {
            ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
            (void)ptl_catalogue_terrain(&t, c, i);
            if (wish_takes(&o.wanted, t.id, t.name))
                emit_put(&out->j, "[%s, %ju]", t.id, s->tiles[i]);
        }
        emit_put(&out->j, "], chunks:%ju, looked:%ju, entered:%ju}", s->chunks, s->looked,
                 s->entered);
    }
    search_free(s);
    return status;
}
