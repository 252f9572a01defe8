/* Local maps in memory: blobs as the codec makes them, with the memory's own numbers; and local
 * tides. */
#include "core/error.h"
#include "support/memory/memory_impl.h"

#include <stdlib.h>
#include <string.h>

void memory_map_free(row *r)
{
    memory_map *m = (memory_map *)r;
    bytes_dispose(&m->tiles);
    bytes_dispose(&m->things);
    bytes_dispose(&m->texts);
    free(m);
}

static const memory_map *find_map(const memory *m, int64_t world_id, ptl_omt at)
{
    const table *t = &m->tables[MAPS];
    for (size_t i = 0; i < t->count; i++) {
        const memory_map *map = (const memory_map *)t->rows[i];
        const ptl_omt *is = &map->info.at;
        if (map->head.world_id == world_id && is->x == at.x && is->y == at.y && is->z == at.z)
            return map;
    }
    return NULL;
}

static ptl_status decode_map(stored_map *out, ptl_store *store, const memory_map *map,
                             ptl_error *err)
{
    const local_blobs blobs = {map->tiles.data, map->things.data, map->texts.data,
                               map->tiles.size, map->things.size, map->texts.size};
    const pack_reader reader = {.codec = store->codec,
                                .table = &codec_tables(store->codec)[0],
                                .limit = store->memory->name_count + 1,
                                .name = memory_text,
                                .names = store->memory};
    *out = (stored_map){.info = map->info, .pool = id_pool_new()};
    return out->pool ? local_decode(&out->map, out->pool, &reader, &blobs, err)
                     : error_nomem(err);
}

static ptl_status read_map(stored_map *out, bool *found, ptl_store *store, int64_t world_id,
                           ptl_omt at, ptl_error *err)
{
    bool own;
    *found = false;
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const memory_map *map = find_map(store->memory, world_id, at);
    *found = map != NULL;
    if (map)
        status = decode_map(out, store, map, err);
    memory_leave(store, own);
    if (status != PTL_OK || !map)
        stored_map_dispose(out);
    return status;
}

static ptl_status map_revision(int64_t *out, ptl_store *store, int64_t world_id, ptl_omt at,
                               ptl_error *err)
{
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const memory_map *map = find_map(store->memory, world_id, at);
    *out = map ? map->info.revision : 0;
    memory_leave(store, own);
    return status;
}

static ptl_status fill_map(memory_map *map, memory *m, const map_write *w, ptl_error *err)
{
    map->info = w->info;
    map->info.oter = memory_name(m, w->info.oter);
    map->info.revision = w->info.revision + 1;
    bytes_put(&map->texts, w->encoded->texts.data, w->encoded->texts.size);
    ptl_status status = map->info.oter && !map->texts.failed ? PTL_OK : error_nomem(err);
    if (status == PTL_OK)
        status = memory_put_pack(&map->tiles, m, &w->encoded->tiles, err);
    if (status == PTL_OK)
        status = memory_put_pack(&map->things, m, &w->encoded->things, err);
    return status;
}

static ptl_status put_map(ptl_store *store, int64_t world_id, const map_write *w,
                          ptl_error *err)
{
    memory *m = store->memory;
    const memory_map *before = find_map(m, world_id, w->info.at);
    const int64_t is = before ? before->info.revision : 0;
    if (is != w->info.revision)
        return map_conflict(&w->info, is, err);
    memory_map *map = calloc(1, sizeof *map);
    if (!map)
        return error_nomem(err);
    map->head.id = m->next_id++;
    map->head.world_id = world_id;
    ptl_status status = fill_map(map, m, w, err);
    if (status == PTL_OK && !table_add(&m->tables[MAPS], &map->head))
        status = error_nomem(err);
    if (status != PTL_OK)
        memory_map_free(&map->head);
    else if (before)
        table_remove(&m->tables[MAPS], &before->head);
    return status;
}

static ptl_status put_maps(ptl_store *store, int64_t world_id, const map_write *maps,
                           size_t count, ptl_error *err)
{
    ptl_status status = memory_check_writes(store, err);
    for (size_t i = 0; i < count && status == PTL_OK && maps[i].info.revision == 0; i++) {
        const memory_map *there = find_map(store->memory, world_id, maps[i].info.at);
        if (there)
            status = map_conflict(&maps[i].info, there->info.revision, err);
    }
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = put_map(store, world_id, &maps[i], err);
    return status;
}

static bool is_in(const memory_map *map, int64_t world_id, const map_area *which)
{
    const ptl_omt *at = &map->info.at;
    return map->head.world_id == world_id && at->x >= which->x0 && at->x <= which->x1 &&
           at->y >= which->y0 && at->y <= which->y1;
}

static int by_place(const void *pa, const void *pb)
{
    const ptl_omt *a = &(*(const memory_map *const *)pa)->info.at,
                  *b = &(*(const memory_map *const *)pb)->info.at;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->y != b->y ? (a->y < b->y ? -1 : 1) : (a->z > b->z) - (a->z < b->z);
}

static ptl_status visit_maps(ptl_store *store, int64_t world_id, const map_area *which,
                             map_visit *visit, void *payload, ptl_error *err)
{
    const table *t = &store->memory->tables[MAPS];
    size_t count = 0;
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const memory_map **list = malloc((t->count + 1) * sizeof *list);
    if (!list)
        status = error_nomem(err);
    for (size_t i = 0; list && i < t->count; i++) {
        const memory_map *map = (const memory_map *)t->rows[i];
        if (is_in(map, world_id, which) && map->info.revision > which->after)
            list[count++] = map;
    }
    if (count > 1)
        qsort(list, count, sizeof *list, by_place);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = visit(payload, &list[i]->info, err);
    free(list);
    memory_leave(store, own);
    return status;
}

/* ---- spills ---- */

void memory_spill_free(row *r)
{
    bytes_dispose(&((memory_spill *)r)->blob);
    free(r);
}

static const memory_spill *find_spill(const memory *m, int64_t world_id, ptl_omt at)
{
    const table *t = &m->tables[SPILLS];
    for (size_t i = 0; i < t->count; i++) {
        const memory_spill *s = (const memory_spill *)t->rows[i];
        if (s->head.world_id == world_id && s->at.x == at.x && s->at.y == at.y &&
            s->at.z == at.z)
            return s;
    }
    return NULL;
}

static void take_spill(memory *m, int64_t world_id, ptl_omt at)
{
    const memory_spill *s = find_spill(m, world_id, at);
    if (s)
        table_remove(&m->tables[SPILLS], &s->head);
}

static ptl_status read_spill(bytes *out, bool *found, ptl_store *store, int64_t world_id,
                             ptl_omt at, ptl_error *err)
{
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const memory_spill *s = find_spill(store->memory, world_id, at);
    bytes_clear(out);
    *found = s != NULL;
    if (s)
        bytes_put(out, s->blob.data, s->blob.size);
    memory_leave(store, own);
    return out->failed ? error_nomem(err) : PTL_OK;
}

static ptl_status put_spill(ptl_store *store, int64_t world_id, ptl_omt at, const bytes *blob,
                            ptl_error *err)
{
    memory *m = store->memory;
    const ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    if (!find_map(m, world_id, at))
        return error_set(err, PTL_ERR_NOT_FOUND, "no such local map is stored");
    take_spill(m, world_id, at);
    if (blob->size == 0)
        return PTL_OK;
    memory_spill *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    s->head.id = m->next_id++;
    s->head.world_id = world_id;
    s->at = at;
    bytes_put(&s->blob, blob->data, blob->size);
    if (!s->blob.failed && table_add(&m->tables[SPILLS], &s->head))
        return PTL_OK;
    memory_spill_free(&s->head);
    return error_nomem(err);
}

static ptl_status drop_spills(ptl_store *store, int64_t world_id, const map_area *which,
                              ptl_error *err)
{
    table *t = &store->memory->tables[SPILLS];
    const ptl_status status = memory_check_writes(store, err);
    for (size_t i = t->count; i-- > 0 && status == PTL_OK;) {
        const memory_spill *s = (const memory_spill *)t->rows[i];
        if (s->head.world_id == world_id && s->at.x >= which->x0 && s->at.x <= which->x1 &&
            s->at.y >= which->y0 && s->at.y <= which->y1)
            table_remove_at(t, i);
    }
    return status;
}

/* ---- dropping ---- */

static ptl_status drop_maps(uint64_t *dropped, ptl_store *store, int64_t world_id,
                            const map_area *which, ptl_error *err)
{
    table *t = &store->memory->tables[MAPS];
    *dropped = 0;
    ptl_status status = memory_check_writes(store, err);
    for (size_t i = t->count; i-- > 0 && status == PTL_OK;) {
        const memory_map *map = (const memory_map *)t->rows[i];
        if (!is_in(map, world_id, which) || (map->info.edited && !which->edited))
            continue;
        take_spill(store->memory, world_id, map->info.at);
        table_remove_at(t, i);
        ++*dropped;
    }
    return status;
}

/* ---- local tides ---- */

void memory_surge_free(row *r)
{
    free(r);
}

static const memory_surge *find_surge(const memory *m, int64_t world_id, const surge_row *key)
{
    const table *t = &m->tables[SURGES];
    for (size_t i = 0; i < t->count; i++) {
        const memory_surge *s = (const memory_surge *)t->rows[i];
        if (s->head.world_id == world_id && s->values.x == key->x && s->values.y == key->y &&
            s->values.begins == key->begins)
            return s;
    }
    return NULL;
}

static ptl_status insert_surge(ptl_store *store, int64_t world_id, const surge_row *values,
                               ptl_error *err)
{
    memory *m = store->memory;
    const ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    if (find_surge(m, world_id, values))
        return error_set(err, PTL_ERR_INTERNAL, "the local tide is there");
    memory_surge *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    s->head.id = m->next_id++;
    s->head.world_id = world_id;
    s->values = *values;
    if (table_add(&m->tables[SURGES], &s->head))
        return PTL_OK;
    memory_surge_free(&s->head);
    return error_nomem(err);
}

static ptl_status remove_surge(ptl_store *store, int64_t world_id, const surge_row *key,
                               ptl_error *err)
{
    const ptl_status status = memory_check_writes(store, err);
    const memory_surge *s = status == PTL_OK ? find_surge(store->memory, world_id, key) : NULL;
    if (s)
        table_remove(&store->memory->tables[SURGES], &s->head);
    return status;
}

static int by_beginning(const void *pa, const void *pb)
{
    const surge_row *a = pa, *b = pb;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->y != b->y ? (a->y < b->y ? -1 : 1)
                        : (a->begins > b->begins) - (a->begins < b->begins);
}

static ptl_status visit_surges(ptl_store *store, int64_t world_id, const surge_area *which,
                               surge_visit *visit, void *payload, ptl_error *err)
{
    const table *t = &store->memory->tables[SURGES];
    size_t count = 0;
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    surge_row *list = malloc((t->count + 1) * sizeof *list);
    if (!list)
        status = error_nomem(err);
    for (size_t i = 0; list && i < t->count; i++) {
        const memory_surge *s = (const memory_surge *)t->rows[i];
        if (s->head.world_id == world_id && surge_is_in(&s->values, which))
            list[count++] = s->values;
    }
    if (count > 1)
        qsort(list, count, sizeof *list, by_beginning);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = visit(payload, &list[i], err);
    free(list);
    memory_leave(store, own);
    return status;
}

const map_operations memory_map_operations = {.read = read_map,
                                              .revision = map_revision,
                                              .put = put_maps,
                                              .visit = visit_maps,
                                              .drop = drop_maps,
                                              .spill_read = read_spill,
                                              .spill_put = put_spill,
                                              .spill_drop = drop_spills,
                                              .surge_insert = insert_surge,
                                              .surge_remove = remove_surge,
                                              .surge_visit = visit_surges};
