/* Sweeps in memory: summaries as the codec packs them, with the memory's own numbers. */
#include "core/error.h"
#include "support/memory/memory_impl.h"

#include <stdlib.h>
#include <string.h>

void memory_sweep_free(row *r)
{
    sweep_row_dispose(&((memory_sweep *)r)->values);
    free(r);
}

void memory_overmap_free(row *r)
{
    memory_overmap *o = (memory_overmap *)r;
    for (int i = 0; i < SUMMARY_PACKS; i++)
        bytes_dispose(&o->packs[i]);
    free(o);
}

/* ---- sweeps ---- */

static const memory_sweep *sweep_named(const memory *m, const char *name)
{
    const table *t = &m->tables[SWEEPS];
    for (size_t i = 0; i < t->count; i++) {
        const memory_sweep *s = (const memory_sweep *)t->rows[i];
        if (!name || strcmp(s->values.name, name) == 0)
            return s;
    }
    return NULL;
}

/* The settings of a sweep have no name of their own. */
static ptl_status copy_sweep(sweep_row *out, const sweep_row *from, ptl_error *err)
{
    world_row settings = from->settings;
    memset(out, 0, sizeof *out);
    if (!settings.name)
        settings.name = (char *)(uintptr_t) "";
    out->id = from->id;
    out->name = strdup(from->name);
    ptl_status status =
        out->name ? memory_copy_world(&out->settings, &settings, err) : error_nomem(err);
    if (status != PTL_OK)
        sweep_row_dispose(out);
    return status;
}

static ptl_status find_sweep(sweep_row *out, ptl_store *store, const char *name, ptl_error *err)
{
    bool own;
    memset(out, 0, sizeof *out);
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const memory_sweep *s = sweep_named(store->memory, name);
    const bool several = !name && store->memory->tables[SWEEPS].count > 1;
    if (!s || several)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no sweep '%s'", name ? name : "");
    else
        status = copy_sweep(out, &s->values, err);
    memory_leave(store, own);
    return status;
}

static ptl_status insert_sweep(ptl_store *store, sweep_row *values, ptl_error *err)
{
    memory *m = store->memory;
    ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    if (sweep_named(m, values->name))
        return error_set(err, PTL_ERR_EXISTS, "a sweep '%s' exists already", values->name);
    memory_sweep *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    values->id = m->next_id++;
    status = copy_sweep(&s->values, values, err);
    s->head.id = values->id;
    if (status == PTL_OK && !table_add(&m->tables[SWEEPS], &s->head))
        status = error_nomem(err);
    if (status != PTL_OK)
        memory_sweep_free(&s->head);
    return status;
}

static ptl_status delete_sweep(ptl_store *store, int64_t sweep_id, ptl_error *err)
{
    memory *m = store->memory;
    table *t = &m->tables[OVERMAPS];
    ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    for (size_t i = t->count; i-- > 0;)
        if (t->rows[i]->world_id == sweep_id)
            table_remove_at(t, i);
    const row *s = table_find(&m->tables[SWEEPS], sweep_id);
    if (s)
        table_remove(&m->tables[SWEEPS], s);
    return PTL_OK;
}

static ptl_status count_sweeps(uint64_t *out, ptl_store *store, ptl_error *err)
{
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    *out = status == PTL_OK ? store->memory->tables[SWEEPS].count : 0;
    memory_leave(store, own);
    return status;
}

/* ---- overmaps ---- */

static int by_seed_and_place(const memory_overmap *o, uint64_t seed, ptl_chunk_pos pos)
{
    if (o->seed != seed)
        return o->seed < seed ? -1 : 1;
    if (o->pos.x != pos.x)
        return o->pos.x < pos.x ? -1 : 1;
    return (o->pos.y > pos.y) - (o->pos.y < pos.y);
}

static const memory_overmap *find_overmap(const memory *m, int64_t sweep_id, uint64_t seed,
                                          ptl_chunk_pos pos)
{
    const table *t = &m->tables[OVERMAPS];
    for (size_t i = 0; i < t->count; i++) {
        const memory_overmap *o = (const memory_overmap *)t->rows[i];
        if (o->head.world_id == sweep_id && by_seed_and_place(o, seed, pos) == 0)
            return o;
    }
    return NULL;
}

static ptl_status has_overmap(bool *has, ptl_store *store, int64_t sweep_id, uint64_t seed,
                              ptl_chunk_pos pos, ptl_error *err)
{
    bool own;
    *has = false;
    ptl_status status = memory_enter(store, &own, err);
    if (status == PTL_OK)
        *has = find_overmap(store->memory, sweep_id, seed, pos) != NULL;
    memory_leave(store, own);
    return status;
}

static ptl_status insert_overmap(ptl_store *store, int64_t sweep_id, uint64_t seed,
                                 ptl_chunk_pos pos, const encoded_summary *e, ptl_error *err)
{
    memory *m = store->memory;
    ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    const memory_overmap *before = find_overmap(m, sweep_id, seed, pos);
    memory_overmap *o = calloc(1, sizeof *o);
    if (!o)
        return error_nomem(err);
    o->head.id = m->next_id++;
    o->head.world_id = sweep_id;
    o->seed = seed;
    o->pos = pos;
    for (int i = 0; i < SUMMARY_PACKS && status == PTL_OK; i++)
        status = memory_put_pack(&o->packs[i], m, &e->packs[i], err);
    if (status == PTL_OK && !table_add(&m->tables[OVERMAPS], &o->head))
        status = error_nomem(err);
    if (status != PTL_OK)
        memory_overmap_free(&o->head);
    else if (before)
        table_remove(&m->tables[OVERMAPS], &before->head);
    return status;
}

const char *memory_text(const void *payload, uint32_t number)
{
    const memory *m = payload;
    return number > 0 && number <= m->name_count ? m->names[number - 1] : NULL;
}

static ptl_status read_overmap(summary *out, ptl_store *store, const memory_overmap *o,
                               uint32_t parts, ptl_error *err)
{
    const pack_reader reader = {.codec = store->codec,
                                .table = &codec_tables(store->codec)[0],
                                .limit = store->memory->name_count + 1,
                                .name = memory_text,
                                .names = store->memory};
    *out = (summary){.pos = o->pos, .parts = parts & PTL_COUNT_ALL, .memory = arena_new()};
    ptl_status status = out->memory ? PTL_OK : error_nomem(err);
    for (int i = 0; i < SUMMARY_PACKS && status == PTL_OK; i++) {
        const pack_kind kind = (pack_kind)(PACK_SUMMARY_FIRST + i);
        if (summary_part_of(kind) & parts)
            status =
                summary_list_read(out, &reader, kind, o->packs[i].data, o->packs[i].size, err);
    }
    return status;
}

/* The first after a place; NULL: there is none. `any`: the first of all. */
static const memory_overmap *next_overmap(const memory *m, int64_t sweep_id, bool any,
                                          uint64_t seed, ptl_chunk_pos pos)
{
    const table *t = &m->tables[OVERMAPS];
    const memory_overmap *best = NULL;
    for (size_t i = 0; i < t->count; i++) {
        const memory_overmap *o = (const memory_overmap *)t->rows[i];
        if (o->head.world_id == sweep_id && (any || by_seed_and_place(o, seed, pos) > 0) &&
            (!best || by_seed_and_place(o, best->seed, best->pos) < 0))
            best = o;
    }
    return best;
}

/* One by one, each in a turn of its own. */
static ptl_status visit_overmaps(ptl_store *store, int64_t sweep_id, uint32_t parts,
                                 sweep_visit *visit, void *payload, ptl_error *err)
{
    uint64_t seed = 0;
    ptl_chunk_pos pos = {0, 0};
    ptl_status status = PTL_OK;
    for (bool any = true; status == PTL_OK; any = false) {
        summary found = {0};
        bool own;
        status = memory_enter(store, &own, err);
        if (status != PTL_OK)
            return status;
        const memory_overmap *o = next_overmap(store->memory, sweep_id, any, seed, pos);
        if (o) {
            seed = o->seed;
            pos = o->pos;
            status = read_overmap(&found, store, o, parts, err);
        }
        memory_leave(store, own);
        if (!o)
            return status;
        if (status == PTL_OK && !visit(payload, seed, &found))
            status = error_set(err, PTL_ERR_CANCELLED, "stopped");
        summary_dispose(&found);
    }
    return status;
}

static ptl_status total_overmaps(sweep_totals *out, ptl_store *store, int64_t sweep_id,
                                 ptl_error *err)
{
    const memory_overmap *o = NULL;
    bool own;
    *out = (sweep_totals){.overmaps = 0};
    ptl_status status = memory_enter(store, &own, err);
    while (status == PTL_OK && (o = next_overmap(store->memory, sweep_id, !o, o ? o->seed : 0,
                                                 o ? o->pos : (ptl_chunk_pos){0, 0}))) {
        out->first = out->overmaps++ == 0 ? o->seed : out->first;
        out->seeds += out->seeds == 0 || o->seed != out->last;
        out->last = o->seed;
    }
    memory_leave(store, own);
    return status;
}

static int by_name(const void *pa, const void *pb)
{
    const memory_sweep *const *a = pa, *const *b = pb;
    return strcmp((*a)->values.name, (*b)->values.name);
}

static ptl_status visit_sweeps(ptl_store *store, sweep_row_visit *visit, void *payload,
                               ptl_error *err)
{
    const table *t = &store->memory->tables[SWEEPS];
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    const memory_sweep **list = malloc((t->count + 1) * sizeof *list);
    if (!list && status == PTL_OK)
        status = error_nomem(err);
    const size_t count = status == PTL_OK ? t->count : 0;
    for (size_t i = 0; i < count; i++)
        list[i] = (const memory_sweep *)t->rows[i];
    if (count > 1)
        qsort(list, count, sizeof *list, by_name);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = visit(payload, &list[i]->values, err);
    free(list);
    memory_leave(store, own);
    return status;
}

const sweep_operations memory_sweep_operations = {.find = find_sweep,
                                                  .insert = insert_sweep,
                                                  .delete = delete_sweep,
                                                  .count = count_sweeps,
                                                  .chunk_has = has_overmap,
                                                  .chunk_insert = insert_overmap,
                                                  .chunk_visit = visit_overmaps,
                                                  .visit = visit_sweeps,
                                                  .chunk_total = total_overmaps};
