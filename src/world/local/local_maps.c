/*
 * Local maps (portolan/local.h): gets, loads and puts them, and reads their parts. A map that
 * is not stored is made, encoded and written, and then read like any stored one, so that a
 * map looks the same whether it was just made or not. The spills of maps are written with them
 * (local_maps.h).
 */
#include "world/local/local_maps.h"

#include "codec/spills/spill_codec.h"
#include "core/array.h"
#include "core/sized.h"
#include "mapgen/compile/text_id.h"
#include "world/bulk.h"
#include "world/local/local_reader.h"

#include <stdio.h>

/* ---- spills: reading and finding ---- */

enum {
    REACH = COAST_WINDOW_MAX / 2, /* a map's spills may depend on OMTs that are so far away */
    /* ... and those depend on chunks up to so far from the map. */
    AROUND = 2 * REACH + AROUND_REACH
};

/*
 * Spills that are stored with local maps (schema/shoals.md, "Spills"): for each stored map of
 * level 0 whose OMT is coast, what world_local_ground finds. A transaction that writes maps
 * also writes their spills and those of all maps in reach of the change, so that stored
 * spills are always the ones that would be found now. A map may also lack them: then they are
 * found when they are asked for.
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

/* Work on spills: the OMT at hand, and the OMTs that are still to be done. */
typedef struct following {
    const local_maker *maker;
    bool any, stored; /* any: the OMT is coast; stored: the file has a blob for it */
    coast_ground ground;
    local_spills spills;
    bytes is, was; /* owned: the OMT's blob as it was found now, and as it is stored */
    ptl_omt *due;  /* owned; OMTs whose spills have to be found again */
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

/* Finds the spills of an OMT now, and reads the stored ones. */
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
    error_clear(err); /* a damaged blob is treated like an empty one */
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

/* ---- spills: what a map changes ---- */

/* Can writing this map change any spill? */
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
    return (map_area){at.x - REACH, at.x + REACH, at.y - REACH, at.y + REACH, 0};
}

/* Does the map give the OMTs around other heights than before? If it had none stored, they
 * saw the map that would be made for turn 0. So a map that was edited, or made for another
 * turn, may differ from that. */
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

/* Was the map stored before, and does it have the same heights as when its spills were found?
 * This is so after a put that changed things alone. Then no spill changes. */
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
        return PTL_OK; /* find, which the caller calls next, tells what is wrong */
    const ptl_status status = world_local_heights_anew(heights, &any, f->maker, at, err);
    *out = status == PTL_OK && any && memcmp(heights, f->spills.heights, sizeof heights) == 0;
    return status;
}

/*
 * Worlds that derive their local maps (ptl_world_options.derive). A map that no game has
 * edited is not stored: it is made at each reading, for turn 0, and looks as it would have
 * been stored then.
 */

/* Is it an error with which the spills can't be found now, but perhaps later? Then the stored
 * ones are removed, and the write itself goes on. */
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
            /* Finds and writes the spills of a map that was put. If its heights have changed,
             * the stored maps in reach are listed to be done as well. */
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

/* Does the same with a maker over the file. */
static ptl_status local_spills_changed(ptl_world *world, const map_write *maps, size_t count,
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

/* Generates the chunks that the spills of these maps depend on: those of the OMTs, and of the
 * OMTs around them. To be called before the transaction in which the maps are written. Does
 * nothing in worlds without tides. */
static ptl_status local_spills_prepare(ptl_world *world, const map_write *maps, size_t count,
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

/* ---- spills: checking ---- */

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

/* A map without stored spills is no problem: files of earlier versions have such maps. */
static ptl_status tell(void *payload, ptl_omt at, bool stored, ptl_error *err)
{
    enum { INVARIANT_SPILL = 32 }; /* its number in format.md, "Invariants" */
    telling *t = payload;
    char where[PTL_ERROR_MESSAGE_SIZE];
    (void)err;
    if (!stored)
        return PTL_OK;
    t->count++;
    snprintf(where, sizeof where, "world '%.100s', local map %lld,%lld", t->world->row.name,
             (long long)at.x, (long long)at.y);
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
    static const map_area all = {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, 0};
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

/* ---- storing ---- */

/* Makes world->local_codec, if it is not there. */
static ptl_status world_local_codec(ptl_world *world, ptl_error *err)
{
    if (!world->local_codec)
        world->local_codec = codec_new();
    return world->local_codec ? PTL_OK : error_nomem(err);
}

/* Writes maps and the spills that follow from them, in one transaction. `of` are the maps in
 * memory that the changes were made on, some of them derived; NULL: the maps are new. */
static ptl_status write_maps(ptl_world *world, const map_write *maps, size_t count,
                             ptl_local_map *const *of, ptl_error *err)
{
    const map_operations *stored = ops(world->store)->map;
    ptl_status status = PTL_OK;
    TRY(local_spills_prepare(world, maps, count, err));
    TRY(ops(world->store)->transaction->begin(world->store, err));
    for (size_t i = 0; of && i < count && status == PTL_OK; i++) {
        int64_t revision = 0;
        map_write first = maps[i];
        if (!of[i]->derived)
            continue;
        /* A derived map is stored as it was made, with the first revision, unless one is
         * stored. After that the edited map can be put like any other. */
        first.info.revision = 0;
        first.info.edited = false;
        status = stored->revision(&revision, world->store, world->row.id, first.info.at, err);
        if (status == PTL_OK && revision == 0)
            status = stored->put(world->store, world->row.id, &first, 1, err);
    }
    THEN(status, stored->put(world->store, world->row.id, maps, count, err));
    THEN(status, local_spills_changed(world, maps, count, err));
    return world_end_writing(world->store, status, err);
}

/* Makes a map and stores it. If another process has stored one meanwhile, that one stays. */
static ptl_status make_map(ptl_world *world, ptl_omt at, int64_t turn, ptl_error *err)
{
    local_map *map = world_local_new();
    encoded_local encoded = {.texts = {0}};
    map_write w = {.encoded = &encoded};
    if (!map)
        return error_nomem(err);
    ptl_status status = world_local_codec(world, err);
    THEN(status, world_local_make(map, &w.info, world, at, turn, err));
    THEN(status, local_encode(&encoded, world->local_codec, map, world->mapgen->pool, err));
    THEN(status, write_maps(world, &w, 1, NULL, err));
    if (status == PTL_ERR_EXISTS) {
        error_clear(err);
        status = PTL_OK;
    }
    encoded_local_dispose(&encoded);
    world_local_free(map);
    return status;
}

/* ---- getting ---- */

ptl_status world_local_place(ptl_omt at, ptl_error *err)
{
    static const int64_t least = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    static const int64_t most = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    if (at.z < PTL_Z_MIN || at.z > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "level %d lies outside %d..%d", (int)at.z,
                         PTL_Z_MIN, PTL_Z_MAX);
    if (at.x < least || at.x > most || at.y < least || at.y > most)
        return error_set(err, PTL_ERR_ARGUMENT, "OMT %lld,%lld lies outside of all chunks",
                         (long long)at.x, (long long)at.y);
    return PTL_OK;
}

/* Reads a stored map. *out stays as it is if there is none. */
static ptl_status read_stored(ptl_local_map **out, ptl_world *world, ptl_omt at, ptl_error *err)
{
    bool found = false;
    ptl_local_map *map = calloc(1, sizeof *map);
    if (!map)
        return error_nomem(err);
    map->world_id = world->row.id;
    ptl_status status =
        ops(world->store)
            ->map->read(&map->stored, &found, world->store, world->row.id, at, err);
    if (status == PTL_OK && found)
        *out = map;
    else
        ptl_local_free(map);
    return status;
}

static ptl_status not_stored(const ptl_world *world, ptl_omt at, ptl_error *err)
{
    return error_set(err, PTL_ERR_NOT_FOUND,
                     "the local map at %lld,%lld,%d of world '%s' is not stored",
                     (long long)at.x, (long long)at.y, (int)at.z, world->row.name);
}

ptl_status ptl_local_load(ptl_local_map **out, ptl_world *world, ptl_omt at, ptl_error *err)
{
    error_clear(err);
    *out = NULL;
    TRY(world_local_place(at, err));
    TRY(read_stored(out, world, at, err));
    return !*out ? not_stored(world, at, err) : PTL_OK;
}

/* The revision of a map that is stored as it was made. */
enum { REVISION_MADE = 1 };

/* Makes the map of an OMT that is not stored and gives it as if it had been. *out is new.
 * Worlds that derive their local maps (ptl_world_options.derive) do so at each reading, for
 * turn 0: a map that no game has edited is not stored. */
static ptl_status world_local_derive(ptl_local_map **out, ptl_world *world, ptl_omt at,
                                     ptl_error *err)
{
    local_map *made = world_local_new();
    ptl_local_map *map = calloc(1, sizeof *map);
    map_info info;
    ptl_status status = made && map ? PTL_OK : error_nomem(err);
    THEN(status, world_local_make(made, &info, world, at, 0, err));
    if (status == PTL_OK) {
        /* The map gets a pool of its own, as a stored one has. */
        stored_map *to = &map->stored;
        const id_pool *from = world->mapgen->pool;
        local_map_init(&to->map);
        to->pool = id_pool_new();
        if (to->pool) {
            world_local_move_tiles(&to->map, to->pool, made, from);
            to->map.palette = mapgen_word_id(to->pool, id_pool_text(from, made->palette));
        }
        for (size_t k = 0; to->pool && k < made->count; k++) {
            local_entity e = made->entities[k];
            world_local_move_thing(&e, to->pool, from);
            local_map_add(&to->map, &e);
        }
        to->info = info;
        to->info.revision = REVISION_MADE;
        if (to->pool)
            to->info.oter = id_pool_text(to->pool, mapgen_word_id(to->pool, info.oter));
        if (!to->pool || made->failed || to->map.failed || id_pool_failed(to->pool))
            status = error_nomem(err);
    }
    world_local_free(made);
    if (status != PTL_OK) {
        ptl_local_free(map);
        return status;
    }
    map->world_id = world->row.id;
    map->derived = true;
    *out = map;
    return PTL_OK;
}

ptl_status ptl_local_get(ptl_local_map **out, ptl_world *world, ptl_omt at,
                         const ptl_local_options *options, ptl_error *err)
{
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    error_clear(err);
    *out = NULL;
    ptl_status status = SIZED_TAKE(ptl_local_options, &o, options, err);
    if (status == PTL_OK && o.turn < 0)
        status = error_set(err, PTL_ERR_ARGUMENT, "turn %lld is below 0", (long long)o.turn);
    THEN(status, world_local_place(at, err));
    THEN(status, read_stored(out, world, at, err));
    if (status == PTL_OK && !*out && world->row.derive) {
        status = world_local_derive(out, world, at, err);
    } else if (status == PTL_OK && !*out) {
        status = make_map(world, at, o.turn, err);
        THEN(status, read_stored(out, world, at, err));
        if (status == PTL_OK && !*out)
            status = not_stored(world, at, err);
    }
    if (status == PTL_OK && o.tide)
        status = world_local_show(*out, world, o.view, err);
    if (status != PTL_OK) {
        ptl_local_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- putting ---- */

/* Does the map have the same terrain as in the game's last put of it? Then no spill changes.
 * If another process has put the map since, this put is refused, so the revision at hand is
 * always the one that is replaced. */
static bool has_same_ground(const ptl_world *world, const ptl_local_map *map)
{
    const map_info *info = &map->stored.info;
    stored_map was = {.pool = NULL};
    ptl_error none = {0};
    bool same = false;
    if (!info->edited || map->derived || ptl_local_tide_turns(world) == 0 ||
        ops(world->store)
                ->map->read(&was, &same, world->store, world->row.id, info->at, &none) !=
            PTL_OK ||
        !same)
        return false;
    same = was.info.edited && was.info.revision == info->revision;
    for (int i = 0; i < LOCAL_CELLS && same; i++)
        same = strcmp(id_pool_text(was.pool, was.map.terrain[i]),
                      id_pool_text(map->stored.pool, map->stored.map.terrain[i])) == 0;
    stored_map_dispose(&was);
    return same;
}

ptl_status ptl_local_put(ptl_world *world, ptl_local_map *const *maps, size_t count,
                         ptl_error *err)
{
    error_clear(err);
    if (count == 0)
        return PTL_OK;
    map_write *writes = calloc(count, sizeof *writes);
    encoded_local *encoded = calloc(count, sizeof *encoded);
    ptl_status status = writes && encoded ? world_local_codec(world, err) : error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        world_local_still(maps[i]);
        if (maps[i]->world_id != world->row.id)
            status = error_set(err, PTL_ERR_ARGUMENT, "a local map of another world than '%s'",
                               world->row.name);
        THEN(status, local_encode(&encoded[i], world->local_codec, &maps[i]->stored.map,
                                  maps[i]->stored.pool, err));
        if (status == PTL_OK)
            writes[i] = (map_write){.info = maps[i]->stored.info,
                                    .encoded = &encoded[i],
                                    .same_ground = has_same_ground(world, maps[i])};
        writes[i].info.edited = true;
    }
    THEN(status, write_maps(world, writes, count, maps, err));
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        maps[i]->stored.info.revision++;
        maps[i]->stored.info.edited = true;
        maps[i]->derived = false;
    }
    for (size_t i = 0; encoded && i < count; i++)
        encoded_local_dispose(&encoded[i]);
    free(encoded);
    free(writes);
    return status;
}

void ptl_local_free(ptl_local_map *map)
{
    if (!map)
        return;
    stored_map_dispose(&map->stored);
    free(map->view);
    free(map);
}

ptl_status world_local_keep(ptl_world *world, ptl_error *err)
{
    const world_row now = {.id = world->row.id,
                           .derive = false,
                           .generator_version = world->row.generator_version,
                           .content_id = world->row.content_id};
    TRY(ops(world->store)->transaction->begin(world->store, err));
    ptl_status status = ops(world->store)->world->renew(world->store, &now, err);
    status = world_end_writing(world->store, status, err);
    if (status != PTL_OK) {
        return status;
    }
    world->row.derive = world->options.derive = false;
    return PTL_OK;
}

/* ---- what is known of a map ---- */

ptl_omt ptl_local_place(const ptl_local_map *map)
{
    return map->stored.info.at;
}

int64_t ptl_local_revision(const ptl_local_map *map)
{
    return map->stored.info.revision;
}

int64_t ptl_local_turn(const ptl_local_map *map)
{
    return map->stored.info.turn;
}

bool ptl_local_is_edited(const ptl_local_map *map)
{
    return map->stored.info.edited;
}

const char *ptl_local_oter(const ptl_local_map *map)
{
    return map->stored.info.oter;
}

bool ptl_local_is_fallback(const ptl_local_map *map)
{
    return map->stored.info.fallback;
}

/* ---- tiles ---- */

static const char *text_at(const ptl_local_map *map, const uint32_t *cells, int32_t x,
                           int32_t y)
{
    const bool inside = x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
    return inside ? id_pool_text(map->stored.pool, cells[y * LOCAL_SIDE + x]) : "";
}

const char *ptl_local_terrain(const ptl_local_map *map, int32_t x, int32_t y)
{
    return text_at(map, map->stored.map.terrain, x, y);
}

const char *ptl_local_furniture(const ptl_local_map *map, int32_t x, int32_t y)
{
    return text_at(map, map->stored.map.furniture, x, y);
}

const char *ptl_local_trap(const ptl_local_map *map, int32_t x, int32_t y)
{
    return text_at(map, map->stored.map.trap, x, y);
}

int32_t ptl_local_radiation(const ptl_local_map *map, int32_t x, int32_t y)
{
    const bool inside = x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
    return inside ? map->stored.map.radiation[y * LOCAL_SIDE + x] : 0;
}

/* ---- entities ---- */

size_t ptl_local_entity_count(const ptl_local_map *map)
{
    return map->stored.map.count;
}

ptl_status ptl_local_entity_at(ptl_local_entity *out, const ptl_local_map *map, size_t number)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    const id_pool *pool = map->stored.pool;
    const bool found = number < map->stored.map.count;
    ptl_status status = SIZED_CHECK(ptl_local_entity, out, NULL);
    e.kind = e.id = e.with = e.text = e.own = "";
    if (found) {
        const local_entity *in = &map->stored.map.entities[number];
        e.kind = local_kind_name(in->kind);
        e.id = id_pool_text(pool, in->id);
        e.with = id_pool_text(pool, in->with);
        e.text = id_pool_text(pool, in->text);
        e.own = id_pool_text(pool, in->own);
        e.x = in->x;
        e.y = in->y;
        e.x2 = in->x2;
        e.y2 = in->y2;
        e.count = in->count;
        e.charges = in->charges;
        e.status = in->status;
    }
    if (status != PTL_OK)
        return status;
    SIZED_FILL(ptl_local_entity, out, &e);
    return found ? PTL_OK : PTL_ERR_NOT_FOUND;
}
