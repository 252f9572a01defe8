/* Counts over many overmaps: how often each overmap has a special that is searched for, and how
 * many specials, cities and terrains a rectangle of overmaps has. */
#include "clients/server/answer.h"

#include "clients/lookup/wish.h"
#include "core/error.h"
#include "os/clock.h"
#include "portolan/stats.h"

#include <stdlib.h>

/*
 * Counting specials fails after SPECIALS_SECONDS. Counting terrains ends after TERRAIN_SECONDS,
 * and the answer says how many chunks were counted. LEVEL is the confidence level of all
 * intervals.
 */
static const double SPECIALS_SECONDS = 20, TERRAIN_SECONDS = 5, LEVEL = 0.95;

/* ---- heat: the number of matching specials in each chunk ---- */

/* Counts the matching specials of each chunk. Specials arrive ordered by chunk, so one running
 * count is enough: `here` counts those of the chunk `chunk`. */
typedef struct heat {
    emitter j;
    wish wanted;
    ptl_chunk_pos chunk;
    uint64_t here, total;
} heat;

/* Writes how many matching specials the current chunk has, as JSON, unless it has none; then
 * counts anew from 0. */
static void put_chunk(heat *h)
{
    if (h->here == 0)
        return;
    emit_put(&h->j, "%d, %d, %ju", h->chunk.x, h->chunk.y, h->here);
    h->here = 0;
}

static bool on_special(void *payload, const ptl_special_place *special)
{
    heat *h = payload;
    if (!wish_takes(&h->wanted, special->id, ""))
        return true;
    if (h->chunk.x != special->chunk.x || h->chunk.y != special->chunk.y)
        put_chunk(h);
    h->chunk = special->chunk;
    h->here++;
    h->total++;
    return !h->j.out->failed;
}

ptl_status answer_heat(const asked *q, reply *out, ptl_error *err)
{
    heat h = {.j = {&out->body, false}};
    if (!wish_parse(&h.wanted, q->text))
        return error_set(err, PTL_ERR_ARGUMENT, "q must be one to 16 words, 199 bytes in all");
    emit_put(&h.j, "{chunks:[");
    const ptl_status status =
        ptl_special_each(reader_store(q->from), ptl_world_name(q->world), on_special, &h, err);
    put_chunk(&h);
    emit_put(&h.j, "], total:%ju}", h.total);
    return status;
}

/* ---- a rectangle: specials and cities, as `portolan stats` counts them ---- */

/* Serves as the callback on_progress of counting: returns false, which ends the counting, once
 * the time limit is over. */
static bool in_time(void *payload, uint64_t done, uint64_t total)
{
    const double *end = payload;
    (void)done;
    (void)total;
    return clock_seconds() < *end;
}

static ptl_status count_specials(ptl_tally *tally, ptl_sample *sample,
                                 const ptl_chunk_pos within[2], ptl_error *err)
{
    double end = clock_seconds() + SPECIALS_SECONDS;
    ptl_sample_options o = PTL_SAMPLE_OPTIONS_INIT;
    o.parts = PTL_COUNT_SPECIALS | PTL_COUNT_CITIES;
    o.within = within;
    o.on_progress = in_time;
    o.payload = &end;
    const ptl_status status = ptl_tally_add(tally, sample, &o, err);
    if (status != PTL_ERR_CANCELLED || clock_seconds() < end)
        return status;
    error_clear(err);
    return error_set(err, PTL_ERR_LIMIT, "there is too much to count: zoom in");
}

/* Writes the specials that were placed, that the rule of placement asked for, or that are
 * missing: none was placed although some were expected. All others are left out, so that the
 * list stays short. */
static ptl_status put_specials(emitter *j, ptl_sample *sample, const ptl_chunk_pos within[2],
                               ptl_error *err)
{
    ptl_facts *facts = NULL;
    ptl_tally *tally = ptl_tally_new();
    ptl_status status = tally ? count_specials(tally, sample, within, err) : error_nomem(err);
    THEN(status, ptl_facts_new(&facts, sample, tally, LEVEL, err));
    if (status == PTL_OK) {
        emit_put(j, "overmaps:%ju, specials:[", tally->overmaps);
        for (size_t i = 0; i < facts->count; i++) {
            const ptl_special_facts *f = facts->items[i];
            const uint64_t placed = f->own ? f->own->placed + f->own->others : 0;
            if (placed == 0 && f->asked_sum == 0 &&
                (f->overmaps == 0 || !ptl_facts_is_lacking(f)))
                continue;
            emit_put(j,
                     "{id:%s, placed:%ju, asked:%ju, mean:%g, low:%g, high:%g, expected:%g, "
                     "without:%g, verdict:%s",
                     f->id, placed, f->asked_sum, f->present, f->present_range.low,
                     f->present_range.high, f->expected, f->without,
                     ptl_rate_verdict_text(f->verdict));
            if (ptl_facts_is_lacking(f) && f->reason != PTL_REASON_NONE)
                emit_key_text(j, "reason", ptl_rate_reason_text(f->reason));
            emit_put(j, "}");
        }
        emit_put(j, "], cities:[");
        for (size_t i = 0; i < PTL_TALLY_SIZES; i++)
            emit_uint(j, tally->cities[i].cities);
        emit_put(j, "]");
    }
    ptl_facts_free(facts);
    ptl_tally_free(tally);
    return status;
}

/* ---- terrains of the rectangle ---- */

typedef struct terrain_count {
    ptl_world *world;
    int32_t z;
    double end;
    uint64_t chunks, looked;
    uint64_t tiles[PTL_OTER_NONE + 1]; /* number of OMTs with each oter */
    ptl_oter level[PTL_LEVEL_CELLS];
    ptl_status status;
    ptl_error *err;
} terrain_count;

static bool on_chunk(void *payload, ptl_chunk_pos pos)
{
    terrain_count *t = payload;
    t->chunks++;
    if (clock_seconds() > t->end)
        return true;
    t->status = ptl_level_load(t->level, t->world, pos, t->z, t->err);
    for (size_t i = 0; i < PTL_LEVEL_CELLS && t->status == PTL_OK; i++)
        t->tiles[t->level[i]]++;
    t->looked++;
    return t->status == PTL_OK;
}

/*
 * Counts the terrain of a level, chunk by chunk, and writes as JSON how many OMTs each terrain
 * has. The counters are allocated, because they are too large for the stack.
 */
static ptl_status put_terrain(emitter *j, ptl_store *store, ptl_world *world, int32_t z,
                              const ptl_chunk_pos within[2], ptl_error *err)
{
    const ptl_chunk_list_options o = answer_chunks_within(within);
    terrain_count *t = calloc(1, sizeof *t);
    if (!t)
        return error_nomem(err);
    t->world = world;
    t->z = z;
    t->end = clock_seconds() + TERRAIN_SECONDS;
    t->err = err;
    ptl_status status = ptl_chunk_list(store, ptl_world_name(world), &o, on_chunk, t, err);
    if (t->status != PTL_OK)
        status = t->status;
    /* The oters of one terrain have consecutive numbers, so their counts are summed until the
     * terrain changes. */
    const ptl_catalogue *c = ptl_world_catalogue(world);
    const size_t count = ptl_catalogue_count(c, PTL_CONTENT_OTER);
    uint64_t sum = 0;
    emit_put(j, "terrains:[");
    for (size_t i = 0; i < count; i++) {
        ptl_terrain own = PTL_TERRAIN_INIT, next = PTL_TERRAIN_INIT;
        (void)ptl_catalogue_oter(&own, c, i);
        sum += t->tiles[i];
        if (i + 1 < count && ptl_catalogue_oter(&next, c, i + 1) == PTL_OK &&
            next.type_number == own.type_number)
            continue;
        if (sum > 0)
            emit_put(j, "[%s, %ju]", own.type, sum);
        sum = 0;
    }
    emit_put(j, "], chunks:%ju, looked:%ju", t->chunks, t->looked);
    free(t);
    return status;
}

/* ---- the answer to /data/stats ---- */

ptl_status answer_stats(const asked *q, reply *out, ptl_error *err)
{
    bytes name = {.size = 0};
    ptl_sample *sample = NULL;
    ptl_store *store = reader_store(q->from);
    bytes_printf(&name, "world:%s",
                 /* With "world:" before it the name is that of a world, even if a sweep has the
                  * same name. */
                 ptl_world_name(q->world));
    const char *full = bytes_text(&name);
    ptl_status status = full ? ptl_sample_open(&sample, store, full, err) : error_nomem(err);
    emit_put(&out->j, "{");
    THEN(status, put_specials(&out->j, sample, q->corners, err));
    THEN(status, put_terrain(&out->j, store, q->world, q->z, q->corners, err));
    emit_put(&out->j, "}");
    ptl_sample_close(sample);
    bytes_dispose(&name);
    return status;
}
