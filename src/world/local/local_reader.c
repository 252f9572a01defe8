#include "world/local/local_reader.h"

#include "world/chunk_cache.h"
#include "world/local/local.h"

struct local_reader {
    ptl_world *world; /* borrowed */
    ptl_cache *cache; /* owned; the chunks that maps are made from; NULL: no map was made yet */
    local_map *made;  /* owned; the map that was made last; NULL: none was made yet */
    local_record *record; /* record of the chunk in which a map was made last; freed by
                             local_record_drop */
    stored_map stored;    /* owned; the map that was read last */
    ptl_chunk_pos known;  /* position of the chunk that `record` describes */
    bool knows;
    uint64_t made_count;
    bool opposite; /* maps are made with the opposite of the world's setting riot_damage */
    bool shown; /* true: maps are shown with the tide of the member `turn`; false: as they are
                   stored */
    int64_t turn;
};

local_reader *local_reader_new(ptl_world *world)
{
    local_reader *r = calloc(1, sizeof *r);
    if (r)
        r->world = world;
    return r;
}

/* Frees the map that the reader gave to its caller last. */
static void drop(local_reader *r)
{
    stored_map_dispose(&r->stored);
    if (r->made) {
        local_map_dispose(r->made);
        local_map_init(r->made);
    }
}

void local_reader_free(local_reader *r)
{
    if (!r)
        return;
    drop(r);
    local_record_drop(r->record);
    ptl_cache_free(r->cache);
    free(r->made);
    free(r);
}

uint64_t local_reader_made(const local_reader *r)
{
    return r->made_count;
}

ptl_status local_reader_stored(local_read *out, local_reader *r, ptl_omt at, ptl_error *err)
{
    bool found = false;
    *out = (local_read){.map = NULL};
    drop(r);
    const ptl_status status =
        ops(r->world->store)
            ->map->read(&r->stored, &found, r->world->store, r->world->row.id, at, err);
    if (status == PTL_OK && found)
        *out = (local_read){&r->stored.map, r->stored.pool, r->stored.info.oter,
                            r->stored.info.fallback};
    return status;
}

/* ---- making maps that are not stored ---- */

static ptl_status cell(ptl_oter *out, local_reader *r, ptl_omt at, ptl_error *err)
{
    cached_chunk held;
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    *out = PTL_OTER_NONE;
    if (at.z < PTL_Z_MIN || at.z > PTL_Z_MAX)
        return PTL_OK;
    TRY(cache_fetch(&held, r->cache, pos, false, err));
    if (!held.chunk || !held.whole)
        return error_set(err, PTL_ERR_NOT_FOUND,
                         "chunk %d,%d is not generated, and local maps depend on it", pos.x,
                         pos.y);
    *out = ptl_chunk_oter(held.chunk, (int32_t)(at.x - (int64_t)pos.x * PTL_CHUNK_SIZE),
                          (int32_t)(at.y - (int64_t)pos.y * PTL_CHUNK_SIZE), at.z);
    return PTL_OK;
}

static ptl_status look_in_cache(local_around *out, void *payload, ptl_omt at, ptl_error *err)
{
    local_reader *r = payload;
    ptl_status status = PTL_OK;
    for (int i = 0; i < AROUND_CELLS && status == PTL_OK; i++)
        status = cell(&out->cells[i], r,
                      (ptl_omt){at.x + i % AROUND_SIDE - AROUND_REACH,
                                at.y + i / AROUND_SIDE - AROUND_REACH, at.z},
                      err);
    THEN(status, cell(&out->above, r, (ptl_omt){at.x, at.y, at.z + 1}, err));
    THEN(status, cell(&out->below, r, (ptl_omt){at.x, at.y, at.z - 1}, err));
    /* The record of a chunk is read once for consecutive maps of the same chunk. */
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    if (status == PTL_OK && !(r->knows && pos.x == r->known.x && pos.y == r->known.y)) {
        status = local_record_read(&r->record, r->world, at, err);
        r->knows = status == PTL_OK;
        r->known = pos;
    }
    out->record = r->record;
    return status;
}

ptl_status local_reader_maker(local_maker *out, local_reader *r, world_mapgen *mapgen,
                              ptl_error *err)
{
    ptl_status status = PTL_OK;
    if (!r->made)
        r->made = calloc(1, sizeof *r->made);
    if (!r->cache)
        status = r->made ? world_local_load(r->world, false, err) : error_nomem(err);
    if (status == PTL_OK && !r->cache)
        status = ptl_cache_new(&r->cache, r->world, NULL, err);
    *out = (local_maker){.world = r->world,
                         .mapgen = mapgen ? mapgen : r->world->mapgen,
                         .look = look_in_cache,
                         .payload = r,
                         .opposite = r->opposite};
    return status;
}

void local_reader_damage(local_reader *r, ptl_riot_damage damage)
{
    r->opposite = damage != PTL_RIOT_DAMAGE_OF_CONTENT && damage != r->world->row.riot_damage;
}

ptl_status local_reader_show(local_reader *r, int64_t turn, ptl_error *err)
{
    int32_t tide;
    r->shown = true;
    r->turn = turn;
    return ptl_local_tide(&tide, r->world, turn, err);
}

ptl_status local_reader_sea_at(local_sea *out, local_reader *r, ptl_omt at, int64_t turn,
                               ptl_error *err)
{
    local_maker maker;
    TRY(local_reader_maker(&maker, r, NULL, err));
    return world_local_sea_at(out, &maker, at, turn, err);
}

ptl_status local_reader_water(ptl_local_water *out, ptl_world *world, int64_t x, int64_t y,
                              int64_t turn, ptl_error *err)
{
    local_reader *r = local_reader_new(world);
    if (!r)
        return error_nomem(err);
    local_maker maker;
    ptl_status status = local_reader_maker(&maker, r, NULL, err);
    THEN(status, world_local_water(out, &maker, x, y, turn, err));
    local_reader_free(r);
    return status;
}

ptl_status local_reader_get(local_read *out, local_reader *r, ptl_omt at, ptl_error *err)
{
    TRY(local_reader_stored(out, r, at, err));
    if (!out->map || (r->opposite && !r->stored.info.edited)) {
        map_info info;
        local_maker maker;
        TRY(local_reader_maker(&maker, r, NULL, err));
        TRY(world_local_run(r->made, &info, &maker, at, err));
        if (r->made->failed || id_pool_failed(r->world->mapgen->pool))
            return error_nomem(err);
        r->made_count++;
        *out = (local_read){r->made, r->world->mapgen->pool, info.oter, info.fallback};
    }
    if (!r->shown)
        return PTL_OK;
    /* Changes the map to show the tide. */
    local_sea sea;
    const bool stored = out->map == &r->stored.map;
    TRY(local_reader_sea_at(&sea, r, at, r->turn, err));
    id_pool *pool = stored ? r->stored.pool : r->world->mapgen->pool;
    return world_local_flood(stored ? &r->stored.map : r->made, pool, &sea) ? PTL_OK
                                                                            : error_nomem(err);
}
