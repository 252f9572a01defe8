/* Spills that are stored with local maps (for each tile, how high the sea must stand to reach
 * it): computes, writes and checks them (local_maps.h). */
#include "codec/spills/spill_codec.h"
#include "core/array.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "mapgen/compile/text_id.h"
#include "world/bulk.h"
#include "world/local/local_maps.h"
#include "world/local/local_reader.h"
#include <stdio.h>

/* ---- reading and computing spills ---- */

enum {
    REACH = COAST_WINDOW_MAX / 2, /* a map's spills may depend on OMTs up to this distance */
    /* If a map changes, the spills of maps up to REACH OMTs away may change. Computing these
     * spills may need maps another REACH OMTs away, and making such a map needs OMTs another
     * AROUND_REACH away. So no OMT more than AROUND away is needed. */
    AROUND = 2 * REACH + AROUND_REACH
};

/*
 * Spills are stored as the coast computes them, so the coast and the codec must use the same
 * numbers for them.
 */
_Static_assert((int)COAST_STEPS == (int)SPILL_STEPS && (int)COAST_SPILL_SEA == (int)SPILL_SEA &&
                   (int)COAST_SPILL_NEVER == (int)SPILL_NEVER &&
                   (int)COAST_ROCK_FROM == (int)SPILL_ROCK_FROM,
               "spills are stored as they are found");

_Static_assert((int)AROUND <= (int)WORLD_SPILLS_AROUND, "as far as chunks are asked for");

ptl_status local_spills_read(coast_ground *out, bool *found, const ptl_world *world, ptl_omt at,
                             ptl_error *err)
{
    local_spills spills;
    bytes blob = {0};
    ptl_status status =
        ops(world->store)->map->spill_read(&blob, found, world->store, world->row.id, at, err);
    if (status == PTL_OK && *found)
        status = spills_decode(&spills, blob.data, blob.size, err);
    if (status == PTL_OK && *found) {
        memcpy(out->heights, spills.heights, sizeof out->heights);
        memcpy(out->within, spills.within, sizeof out->within);
        memcpy(out->spills, spills.within[SPILL_STEPS], sizeof out->spills);
        memset(out->raise, 0, sizeof out->raise);
    }
    bytes_dispose(&blob);
    return status;
}

/* State while spills are computed: the OMT whose spills are computed now, and a list of the
 * OMTs whose spills must still be computed. */
typedef struct following {
    const local_maker *maker;
    /* `any`: the OMT whose spills are being computed is coast; `stored`: the file has spills
     * for it. */
    bool any, stored;
    coast_ground ground;
    local_spills spills;
    bytes is, was; /* owned; the encoded spills of the OMT: `is` has those that were just
                      computed, `was` those that are stored */
    ptl_omt *due;  /* owned; OMTs whose spills must be computed again */
    size_t count, room;
} following;

static following *following_new(const local_maker *maker)
{
    following *f = calloc(1, sizeof *f);
    if (f)
        f->maker = maker;
    return f;
}

static void following_free(following *f)
{
    bytes_dispose(&f->is);
    bytes_dispose(&f->was);
    free(f->due);
    free(f);
}

/* Computes the spills of an OMT, and reads the spills that are stored for it. */
static ptl_status find(following *f, ptl_omt at, ptl_error *err)
{
    const ptl_world *world = f->maker->world;
    bytes_clear(&f->is);
    ptl_status status = world_local_ground(&f->ground, &f->any, f->maker, at, NULL, NULL, err);
    if (status == PTL_OK && f->any) {
        memcpy(f->spills.heights, f->ground.heights, sizeof f->spills.heights);
        memcpy(f->spills.within, f->ground.within, sizeof f->spills.within);
        status = spills_encode(&f->is, &f->spills, err);
    }
    THEN(status,
         ops(world->store)
             ->map->spill_read(&f->was, &f->stored, world->store, world->row.id, at, err));
    if (status != PTL_ERR_CORRUPT)
        return status;
    /* Stored spills that are damaged are treated like stored spills that are empty. */
    error_clear(err);
    bytes_clear(&f->was);
    f->stored = true;
    return PTL_OK;
}

static bool is_same(const following *f)
{
    return f->is.size == f->was.size &&
           (f->is.size == 0 || memcmp(f->is.data, f->was.data, f->is.size) == 0);
}

static ptl_status put(const following *f, ptl_omt at, ptl_error *err)
{
    const ptl_world *world = f->maker->world;
    return is_same(f) ? PTL_OK
                      : ops(world->store)
                            ->map->spill_put(world->store, world->row.id, at, &f->is, err);
}

/* ---- spills that a written map changes ---- */

/* Returns whether writing this map can change spills: only the ground of level 0 matters to
 * them. */
static bool concerns(const map_write *w)
{
    return w->info.at.z == 0 && !w->same_ground;
}

static ptl_status push(following *f, ptl_omt at, ptl_error *err)
{
    if (!ARRAY_ROOM(f->due, f->room, f->count + 1))
        return error_nomem(err);
    f->due[f->count++] = at;
    return PTL_OK;
}

static ptl_status add_due(void *payload, const map_info *map, ptl_error *err)
{
    following *f = payload;
    bool known = map->at.z != 0;
    for (size_t i = 0; i < f->count && !known; i++)
        known = f->due[i].x == map->at.x && f->due[i].y == map->at.y;
    return known ? PTL_OK : push(f, map->at, err);
}

static map_area around(ptl_omt at)
{
    return (map_area){at.x - REACH, at.x + REACH, at.y - REACH, at.y + REACH, .after = 0};
}

/* Tells in *out whether the map's heights, on which the spills of the OMTs around depend, may
 * have changed. If the file had no such map before, those spills were computed as if the OMT
 * had the map that is made for turn 0. So the heights count as changed if the written map was
 * edited, or made for another turn. */
static ptl_status changes(bool *out, const following *f, const map_write *w, ptl_error *err)
{
    local_spills before;
    ptl_error none = {0};
    *out = false;
    if (!f->any)
        return PTL_OK;
    if (f->was.size > 0 && spills_decode(&before, f->was.data, f->was.size, &none) == PTL_OK)
        *out = memcmp(before.heights, f->spills.heights, sizeof before.heights) != 0;
    else if (w->info.edited)
        *out = true;
    else if (w->info.turn != 0)
        return world_local_built(out, f->maker, w->info.at, err);
    return PTL_OK;
}

/* Sets *out to true if the map was stored before and its heights are still those by which its
 * spills were computed. Then (for example if only things on the map were changed) no spills
 * change. */
static ptl_status stays(bool *out, following *f, ptl_omt at, ptl_error *err)
{
    const ptl_world *world = f->maker->world;
    int16_t heights[LOCAL_CELLS];
    bool found, any;
    ptl_error none = {0};
    *out = false;
    const ptl_status was =
        ops(world->store)
            ->map->spill_read(&f->was, &found, world->store, world->row.id, at, &none);
    if (was != PTL_OK || !found ||
        spills_decode(&f->spills, f->was.data, f->was.size, &none) != PTL_OK)
        /* If the stored spills are damaged, no error is reported here: the caller then calls
         * `find`, which reports it. */
        return PTL_OK;
    const ptl_status status = world_local_heights_anew(heights, &any, f->maker, at, err);
    *out = status == PTL_OK && any && memcmp(heights, f->spills.heights, sizeof heights) == 0;
    return status;
}

/* Returns whether the error only means that spills can't be computed at present; later it may
 * be possible. After such an error the map is still written, and its stored spills are removed.
 */
static bool is_for_later(ptl_status status)
{
    return status == PTL_ERR_CONTENT || status == PTL_ERR_MISMATCH ||
           status == PTL_ERR_CORRUPT || status == PTL_ERR_NOT_FOUND;
}

/* Removes all stored spills that the maps may have changed. */
static ptl_status forget(const ptl_world *world, const map_write *maps, size_t count,
                         ptl_error *err)
{
    ptl_status status = PTL_OK;
    error_clear(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        const map_area area = around(maps[i].info.at);
        if (concerns(&maps[i]))
            status =
                ops(world->store)->map->spill_drop(world->store, world->row.id, &area, err);
    }
    return status;
}

static bool any_ground(const ptl_world *world, const map_write *maps, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || concerns(&maps[i]);
    return any && ptl_local_tide_turns(world) > 0;
}

ptl_status local_spills_follow(const local_maker *maker, const map_write *maps, size_t count,
                               ptl_error *err)
{
    if (!any_ground(maker->world, maps, count))
        return PTL_OK;
    following *f = following_new(maker);
    if (!f)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++)
        if (concerns(&maps[i]))
            world_local_changed(maker->mapgen, maps[i].info.at);
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        if (concerns(&maps[i])) {
            /* Computes and writes the spills of a map that was written. If the map's heights
             * have changed, the stored maps near it are added to the list of work. */
            const map_write *w = &maps[i];
            const ptl_world *world = f->maker->world;
            const map_area area = around(w->info.at);
            bool changed, same;
            status = stays(&same, f, w->info.at, err);
            if (status == PTL_OK && !same) {
                status = find(f, w->info.at, err);
                THEN(status, changes(&changed, f, w, err));
                THEN(status, put(f, w->info.at, err));
                if (status == PTL_OK && changed)
                    status =
                        ops(world->store)
                            ->map->visit(world->store, world->row.id, &area, add_due, f, err);
            }
        }
    for (size_t i = 0; i < f->count && status == PTL_OK; i++) {
        status = find(f, f->due[i], err);
        THEN(status, put(f, f->due[i], err));
    }
    following_free(f);
    return is_for_later(status) ? forget(maker->world, maps, count, err) : status;
}

/* Marks the spills that changed maps have an influence on, as local_spills_follow does, but
 * reads what is around the maps from the file. */
ptl_status local_spills_changed(ptl_world *world, const map_write *maps, size_t count,
                                ptl_error *err)
{
    local_maker maker;
    if (!any_ground(world, maps, count))
        return PTL_OK;
    ptl_status status = world_local_maker(&maker, world, 0, err);
    THEN(status, world_local_anew(&maker, err));
    if (status == PTL_OK)
        return local_spills_follow(&maker, maps, count, err);
    return is_for_later(status) ? forget(world, maps, count, err) : status;
}

/* Generates the chunks on which the spills of these maps depend: the chunks of their OMTs, and
 * of the OMTs around these. Must be called before the transaction in which the maps are
 * written. Does nothing in worlds without tides. */
ptl_status local_spills_prepare(ptl_world *world, const map_write *maps, size_t count,
                                ptl_error *err)
{
    static const int8_t corners[5][2] = {{0, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    const ptl_area_options o = {.size = sizeof o, .generate = true};
    ptl_status status = PTL_OK;
    if (!any_ground(world, maps, count))
        return PTL_OK;
    for (size_t i = 0; i < 5 * count && status == PTL_OK; i++) {
        ptl_oter oter;
        ptl_error none = {0};
        const int8_t *corner = corners[i % 5];
        const ptl_omt at = maps[i / 5].info.at;
        const ptl_omt place = {at.x + corner[0] * AROUND, at.y + corner[1] * AROUND, 0};
        const ptl_chunk_pos own = ptl_omt_chunk(at), chunk = ptl_omt_chunk(place);
        const ptl_area area = {place.x, place.y, 0, 1, 1};
        if (concerns(&maps[i / 5]) && (i % 5 == 0 || chunk.x != own.x || chunk.y != own.y) &&
            world_local_place(place, &none) == PTL_OK)
            status = ptl_area_get(&oter, NULL, world, &area, &o, err);
    }
    if (!is_for_later(status))
        return status;
    error_clear(err);
    return PTL_OK;
}

/* ---- checking stored spills ---- */

typedef struct checking {
    following *f;
    int64_t content_id;
} checking;

static ptl_status add_own(void *payload, const map_info *map, ptl_error *err)
{
    const checking *c = payload;
    const bool ours =
        map->generator_version == PTL_GENERATOR_VERSION && map->content_id == c->content_id;
    return ours && map->at.z == 0 ? push(c->f, map->at, err) : PTL_OK;
}

ptl_status world_spills_check(uint64_t *checked, ptl_world *world, const map_area *which,
                              bool mend, spills_visit *visit, void *payload, ptl_error *err)
{
    local_maker maker;
    *checked = 0;
    if (ptl_local_tide_turns(world) == 0)
        return PTL_OK;
    local_reader *r = local_reader_new(world);
    following *f = following_new(&maker);
    checking c = {f, world->row.content_id};
    ptl_status status = r && f ? local_reader_maker(&maker, r, NULL, err) : error_nomem(err);
    THEN(status, world_local_anew(&maker, err));
    THEN(status,
         ops(world->store)->map->visit(world->store, world->row.id, which, add_own, &c, err));
    for (size_t i = 0; status == PTL_OK && i < f->count; i++) {
        const ptl_omt at = f->due[i];
        status = find(f, at, err);
        if (is_for_later(status)) {
            error_clear(err);
            status = PTL_OK;
            continue;
        }
        *checked += status == PTL_OK && f->any;
        if (status != PTL_OK || (is_same(f) && f->any == f->stored))
            continue;
        if (mend)
            status = put(f, at, err);
        if (status == PTL_OK && visit)
            status = visit(payload, at, f->stored, err);
    }
    if (f)
        following_free(f);
    local_reader_free(r);
    if (status != PTL_ERR_MISMATCH)
        return status;
    error_clear(err);
    return PTL_OK;
}

ptl_status world_spills_mend(ptl_world *world, ptl_chunk_pos pos, ptl_error *err)
{
    uint64_t checked;
    const map_area area = world_spills_of(pos);
    if (ptl_local_tide_turns(world) == 0)
        return PTL_OK;
    TRY(ops(world->store)->transaction->begin(world->store, err));
    return world_end_writing(
        world->store, world_spills_check(&checked, world, &area, true, NULL, NULL, err), err);
}

typedef struct telling {
    const ptl_world *world;
    void (*on_problem)(void *payload, const ptl_problem *problem);
    void *payload;
    uint64_t count;
} telling;

/* Reports a map whose stored spills are wrong. A map without stored spills is not reported, as
 * files of earlier versions have such maps. */
static ptl_status tell(void *payload, ptl_omt at, bool stored, ptl_error *err)
{
    /* Number that the list in format.md, "Invariants", gives to this check. */
    enum { INVARIANT_SPILL = 32 };
    telling *t = payload;
    char where[PTL_ERROR_MESSAGE_SIZE];
    (void)err;
    if (!stored)
        return PTL_OK;
    t->count++;
    snprintf(where, sizeof where, "world '%.*s', local map %lld,%lld",
             UTF8_CUT(t->world->row.name, 100), (long long)at.x, (long long)at.y);
    const ptl_problem problem = {.size = sizeof problem,
                                 .invariant = INVARIANT_SPILL,
                                 .where = where,
                                 .message = "its spills are not what the maps around give"};
    if (t->on_problem)
        t->on_problem(t->payload, &problem);
    return PTL_OK;
}

ptl_status ptl_local_spills_verify(uint64_t *checked, uint64_t *problems, ptl_world *world,
                                   void (*on_problem)(void *payload,
                                                      const ptl_problem *problem),
                                   void *payload, ptl_error *err)
{
    static const map_area all = {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, .after = 0};
    telling t = {.world = world, .on_problem = on_problem, .payload = payload};
    uint64_t count = 0;
    bool own;
    error_clear(err);
    TRY(ops(world->store)->transaction->begin_snapshot(world->store, &own, err));
    ptl_status status = world_spills_check(&count, world, &all, false, tell, &t, err);
    ops(world->store)->transaction->end_snapshot(world->store, own);
    if (checked)
        *checked = count;
    if (problems)
        *problems = t.count;
    return status;
}
