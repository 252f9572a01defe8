/* Writing chunks and edges in memory: blobs as the codec makes them, with the memory's own
 * numbers. */
#include "core/error.h"
#include "model/catalogue.h"
#include "support/memory/memory_impl.h"

#include <stdlib.h>
#include <string.h>

void memory_chunk_free(row *r)
{
    memory_chunk *c = (memory_chunk *)r;
    for (int i = 0; i < PTL_LEVELS; i++)
        bytes_dispose(&c->levels[i]);
    for (int i = 0; i < PACK_KINDS; i++)
        bytes_dispose(&c->packs[i]);
    features_dispose(&c->features);
    special_rows_dispose(&c->specials);
    free(c->events);
    free(c);
}

void memory_edge_free(row *r)
{
    edge_dispose(&((memory_edge *)r)->values);
    free(r);
}

/* ---- finding ---- */

const memory_chunk *memory_find_chunk(const memory *m, int64_t world_id, ptl_chunk_pos pos)
{
    const table *t = &m->tables[CHUNKS];
    for (size_t i = 0; i < t->count; i++) {
        const memory_chunk *c = (const memory_chunk *)t->rows[i];
        if (c->head.world_id == world_id && c->info.pos.x == pos.x && c->info.pos.y == pos.y)
            return c;
    }
    return NULL;
}

const memory_edge *memory_find_edge(const memory *m, int64_t world_id, const edge *place)
{
    const table *t = &m->tables[EDGES];
    for (size_t i = 0; i < t->count; i++) {
        const memory_edge *e = (const memory_edge *)t->rows[i];
        if (e->head.world_id == world_id && e->values.x == place->x &&
            e->values.y == place->y && e->values.side == place->side)
            return e;
    }
    return NULL;
}

/* ---- writing ---- */

static ptl_status number_oters(uint32_t *out, memory *m, const ptl_oter *oters, size_t count,
                               const catalogue *cat, ptl_error *err)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = memory_number(m, cat->oters[oters[i]].id);
        if (!out[i])
            return error_nomem(err);
    }
    return PTL_OK;
}

static ptl_status put_levels(memory_chunk *c, memory *m, const encoded_chunk *e,
                             const catalogue *cat, ptl_error *err)
{
    ptl_oter seen[PTL_OVERVIEW_CELLS];
    for (size_t i = 0; i < PTL_OVERVIEW_CELLS; i++)
        seen[i] = (ptl_oter)e->overview.cells[i];
    ptl_status status = number_oters(c->fill, m, e->defaults, PTL_LEVELS, cat, err);
    if (status == PTL_OK)
        status = number_oters(c->overview, m, seen, PTL_OVERVIEW_CELLS, cat, err);
    for (int i = 0; i < PTL_LEVELS && status == PTL_OK; i++) {
        const encoded_level *l = &e->levels[i];
        if (!(e->level_mask >> i & 1))
            continue;
        uint32_t *numbers = malloc((l->palette_count + 1) * sizeof *numbers);
        status = numbers ? number_oters(numbers, m, l->palette, l->palette_count, cat, err)
                         : error_nomem(err);
        if (status == PTL_OK)
            level_blob_build(&c->levels[i], l, numbers);
        free(numbers);
        if (status == PTL_OK && c->levels[i].failed)
            status = error_nomem(err);
    }
    return status;
}

ptl_status memory_put_pack(bytes *out, memory *m, const encoded_pack *p, ptl_error *err)
{
    bool numbered = true;
    if (p->count == 0)
        return PTL_OK;
    uint32_t *numbers = malloc((p->name_count + 1) * sizeof *numbers);
    for (size_t i = 0; numbers && i < p->name_count; i++) {
        numbers[i] = memory_number(m, p->names[i]);
        numbered = numbered && numbers[i];
    }
    if (numbers && numbered)
        pack_blob_build(out, p, numbers);
    const bool good = numbers && numbered && !out->failed;
    free(numbers);
    return good ? PTL_OK : error_nomem(err);
}

static ptl_status put_features(memory_chunk *c, memory *m, const encoded_features *f,
                               const catalogue *cat, ptl_error *err)
{
    const feature_set rows = {.rows = f->rows}; /* cities and radios alone */
    ptl_status status = feature_set_resolve(&c->features, &rows, cat, true, err);
    for (size_t i = 0; i < f->specials.count && status == PTL_OK; i++) {
        special_row *s = special_rows_add(&c->specials);
        if (!s)
            return error_nomem(err);
        *s = f->specials.list[i];
        s->id = memory_name(m, s->id);
        status = s->id ? PTL_OK : error_nomem(err);
    }
    for (int i = 0; i < PACK_KINDS && status == PTL_OK; i++)
        status = memory_put_pack(&c->packs[i], m, &f->packs[i], err);
    return status;
}

static ptl_status copy_edge(memory_edge *out, memory *m, const edge *e, const catalogue *cat,
                            ptl_error *err)
{
    out->values = (edge){.x = e->x, .y = e->y, .side = e->side, .origin = e->origin};
    out->values.crossings = malloc((e->count + 1) * sizeof *e->crossings);
    if (!out->values.crossings)
        return error_nomem(err);
    for (size_t i = 0; i < e->count; i++) {
        crossing *c = &out->values.crossings[out->values.count++];
        *c = e->crossings[i];
        c->kind = memory_name(m, c->kind);
        if (!c->kind)
            return error_nomem(err);
    }
    for (int side = 0; side < 2; side++) {
        out->has_border[side] = e->border[side] != NULL;
        for (int i = 0; e->border[side] && i < PTL_CHUNK_SIZE; i++) {
            out->border[side][i] = memory_name(m, cat->oters[e->border[side][i]].id);
            if (!out->border[side][i])
                return error_nomem(err);
        }
    }
    return PTL_OK;
}

/* Names are the memory's, so that equal ones have one address. */
static bool same_edge(const memory_edge *a, const memory_edge *b)
{
    if (a->values.origin != b->values.origin || a->values.count != b->values.count ||
        a->has_border[0] != b->has_border[0] || a->has_border[1] != b->has_border[1] ||
        memcmp(a->border, b->border, sizeof a->border) != 0)
        return false;
    for (size_t i = 0; i < a->values.count; i++) {
        const crossing *p = &a->values.crossings[i], *q = &b->values.crossings[i];
        if (p->kind != q->kind || p->position != q->position || p->z != q->z ||
            p->width != q->width || p->direction != q->direction)
            return false;
    }
    return true;
}

/* A foreign edge may take a saved one's place as long as no generated chunk has used it. */
static ptl_status check_unused(const memory *m, int64_t world_id, const edge *e, ptl_error *err)
{
    const ptl_chunk_pos sides[2] = {
        {e->x, e->y}, {e->x + (e->side == EDGE_EAST), e->y + (e->side == EDGE_SOUTH)}};
    for (int i = 0; i < 2; i++) {
        const memory_chunk *c = memory_find_chunk(m, world_id, sides[i]);
        if (c && !c->info.imported)
            return error_set(err, PTL_ERR_EXISTS, "chunk %d,%d is generated already",
                             sides[i].x, sides[i].y);
    }
    return PTL_OK;
}

static ptl_status put_edge(memory *m, int64_t world_id, const edge *e, bool replace,
                           const catalogue *cat, ptl_error *err)
{
    memory_edge *made = calloc(1, sizeof *made);
    if (!made)
        return error_nomem(err);
    ptl_status status = copy_edge(made, m, e, cat, err);
    const memory_edge *saved = memory_find_edge(m, world_id, e);
    const bool same = status == PTL_OK && saved && same_edge(saved, made);
    if (status == PTL_OK && !same && replace)
        status = check_unused(m, world_id, e, err);
    else if (status == PTL_OK && !same && saved)
        status = error_set(err, PTL_ERR_MISMATCH, "edge %d,%d is saved already", e->x, e->y);
    if (status != PTL_OK || same) {
        memory_edge_free(&made->head);
        return status;
    }
    made->head.id = m->next_id++;
    made->head.world_id = world_id;
    if (saved)
        table_remove(&m->tables[EDGES], &saved->head);
    if (table_add(&m->tables[EDGES], &made->head))
        return PTL_OK;
    memory_edge_free(&made->head);
    return error_nomem(err);
}

static bool stays(const memory_chunk *before, const chunk_write *w)
{
    if (w->replace)
        return before->info.imported;
    return before->info.last_step[0] == '\0' ||
           strcmp(before->info.last_step, w->last_step ? w->last_step : "") == 0;
}

static ptl_status put_events(memory_chunk *c, const chunk_write *w, ptl_error *err)
{
    c->events = calloc(w->event_count + 1, sizeof *c->events);
    if (!c->events)
        return error_nomem(err);
    c->event_count = w->event_count;
    for (size_t i = 0; i < w->event_count; i++) {
        event_row *e = &c->events[i];
        *e = w->events[i];
        e->step = features_text(&c->features, e->step);
        e->kind = features_text(&c->features, e->kind);
        e->detail = features_text(&c->features, e->detail ? e->detail : "");
        if (!e->step || !e->kind || !e->detail)
            return error_nomem(err);
    }
    return PTL_OK;
}

static ptl_status make_row(memory_chunk *c, ptl_store *store, const chunk_write *w,
                           const catalogue *cat, ptl_error *err)
{
    static const gen_features nothing;
    encoded_features none = {0};
    const encoded_features *f = w->features ? w->features : &none;
    ptl_status status = PTL_OK;
    c->info.pos = w->encoded.pos;
    c->info.level_mask = w->encoded.level_mask;
    c->info.generator_version = w->generator_version;
    c->info.content_id = w->content_id;
    c->info.imported = w->imported;
    c->info.omts = w->encoded.omts;
    strncpy(c->info.last_step, w->last_step ? w->last_step : "", sizeof c->info.last_step - 1);
    if (!w->features)
        status = features_encode(&none, store->codec, c->info.pos, &nothing, cat, err);
    c->info.features = f->digest;
    if (status == PTL_OK)
        status = put_levels(c, store->memory, &w->encoded, cat, err);
    if (status == PTL_OK)
        status = put_features(c, store->memory, f, cat, err);
    if (status == PTL_OK)
        status = put_events(c, w, err);
    encoded_features_dispose(&none);
    return status;
}

static void note_change(const memory_chunk *before, const memory_chunk *c, const chunk_write *w)
{
    if (w->changed)
        *w->changed =
            memcmp(&before->info.omts, &c->info.omts, sizeof c->info.omts) != 0 ||
            memcmp(&before->info.features, &c->info.features, sizeof c->info.features) != 0;
}

static ptl_status put_row(ptl_store *store, memory_chunk *c, const memory_chunk *before,
                          const chunk_write *w, const catalogue *cat, ptl_error *err)
{
    memory *m = store->memory;
    ptl_status status = make_row(c, store, w, cat, err);
    if (before && status == PTL_OK)
        note_change(before, c, w);
    c->head.id = c->info.id = before ? before->info.id : m->next_id++;
    if (before)
        table_remove(&m->tables[CHUNKS], &before->head);
    for (int i = 0; i < 4 && status == PTL_OK; i++)
        status = put_edge(m, c->head.world_id, w->edges[i],
                          w->imported && w->edges[i]->origin == EDGE_FOREIGN, cat, err);
    if (status == PTL_OK && !table_add(&m->tables[CHUNKS], &c->head))
        status = error_nomem(err);
    return status;
}

ptl_status memory_write_chunk(ptl_store *store, int64_t world_id, int64_t run_id,
                              const chunk_write *w, const catalogue *cat, bool *written,
                              ptl_error *err)
{
    *written = false;
    if (w->changed)
        *w->changed = false;
    ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    const memory_chunk *before = memory_find_chunk(store->memory, world_id, w->encoded.pos);
    if (before && stays(before, w))
        return PTL_OK;
    memory_chunk *c = calloc(1, sizeof *c);
    if (!c)
        return error_nomem(err);
    c->head.world_id = world_id;
    c->run_id = run_id;
    status = put_row(store, c, before, w, cat, err);
    *written = status == PTL_OK;
    if (status != PTL_OK)
        memory_chunk_free(&c->head);
    return status;
}

ptl_status memory_delete_chunk(bool *found, ptl_store *store, int64_t world_id,
                               ptl_chunk_pos pos, ptl_error *err)
{
    *found = false;
    ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    const memory_chunk *c = memory_find_chunk(store->memory, world_id, pos);
    *found = c != NULL;
    if (c)
        table_remove(&store->memory->tables[CHUNKS], &c->head);
    return PTL_OK;
}
