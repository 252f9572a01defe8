/* Puts edits over levels and chunks, and computes the digest of a world with edits. */
#include "world/edits.h"

#include "core/array.h"
#include "core/digest.h"
#include "model/catalogue.h"
#include "model/chunk.h"

enum { ALL_LEVELS = (1 << PTL_LEVELS) - 1 };

/* ---- reading edits ---- */

static ptl_status add_row(void *payload, const edit_row *row, ptl_error *err)
{
    return edit_overlay_add(payload, row->number, row->undoes, row->cells, row->count)
               ? PTL_OK
               : error_nomem(err);
}

ptl_status world_edits_read(edit_overlay *out, const ptl_world *world, ptl_chunk_pos pos,
                            uint32_t levels, const catalogue *cat, ptl_error *err)
{
    const edit_area area = {pos.x, pos.x, pos.y, pos.y, .levels = levels};
    *out = (edit_overlay){.count = 0};
    return ops(world->store)
        ->edit->visit(world->store, world->row.id, &area, cat, add_row, out, err);
}

/* A list of chunks that is being made. */
typedef struct chunk_list {
    ptl_chunk_pos *items;
    size_t count, room;
} chunk_list;

/* The rows of a chunk come one after the other. */
static ptl_status keep_chunk(void *payload, const edit_row *row, ptl_error *err)
{
    chunk_list *l = payload;
    if (l->count > 0 && l->items[l->count - 1].x == row->chunk.x &&
        l->items[l->count - 1].y == row->chunk.y)
        return PTL_OK;
    if (!ARRAY_ROOM(l->items, l->room, l->count + 1))
        return error_nomem(err);
    l->items[l->count++] = row->chunk;
    return PTL_OK;
}

ptl_status world_edited_chunks(ptl_chunk_pos **out, size_t *count, const ptl_world *world,
                               const edit_area *area, ptl_error *err)
{
    chunk_list l = {.count = 0};
    const ptl_status status =
        ops(world->store)
            ->edit->visit(world->store, world->row.id, area, world->cat, keep_chunk, &l, err);
    *out = l.items;
    *count = l.count;
    return status;
}

/* Reads what the edits show on some levels of a chunk, in the order in which it is put over
 * them: nothing if the world shows its base. */
static ptl_status shown(edit_overlay *out, const ptl_world *world, ptl_chunk_pos pos,
                        uint32_t levels, const catalogue *cat, ptl_error *err)
{
    *out = (edit_overlay){.count = 0};
    if (world->base)
        return PTL_OK;
    TRY(world_edits_read(out, world, pos, levels, cat, err));
    edit_overlay_reduce(out);
    return PTL_OK;
}

ptl_status world_edits_last(int64_t *out, const ptl_world *world, ptl_error *err)
{
    *out = 0;
    return world->base ? PTL_OK
                       : ops(world->store)->edit->last(out, world->store, world->row.id, err);
}

/* ---- putting edits over levels ---- */

ptl_status world_level_read(ptl_oter cells[PTL_LEVEL_CELLS], bool *found,
                            const ptl_world *world, ptl_chunk_pos pos, int32_t z,
                            ptl_error *err)
{
    const store_operations *o = ops(world->store);
    bool own;
    edit_overlay edits = {.count = 0};
    /* Level and edits belong to the same moment. */
    TRY(o->transaction->begin_lookups(world->store, &own, err));
    ptl_status status = o->chunk->level_read(cells, found, world->store, world->row.id, pos, z,
                                             world->cat, err);
    if (status == PTL_OK && *found)
        status = shown(&edits, world, pos, UINT32_C(1) << (z - PTL_Z_MIN), world->cat, err);
    o->transaction->end_snapshot(world->store, own);
    /* A row of an edit may have cells of other levels, too. */
    const int32_t first = (z - PTL_Z_MIN) * PTL_LEVEL_CELLS;
    for (size_t i = 0; i < edits.count && status == PTL_OK; i++) {
        const int32_t cell = edits.cells[i].place - first;
        if (cell >= 0 && cell < PTL_LEVEL_CELLS)
            cells[cell] = (ptl_oter)edits.cells[i].after;
    }
    edit_overlay_dispose(&edits);
    return status;
}

ptl_status world_edits_show(ptl_chunk *chunk, const ptl_world *world, const catalogue *cat,
                            ptl_error *err)
{
    edit_overlay edits;
    ptl_status status = shown(&edits, world, chunk->pos, ALL_LEVELS, cat, err);
    for (size_t i = 0; i < edits.count && status == PTL_OK; i++) {
        const edit_cell *c = &edits.cells[i];
        ptl_oter *cells = level_cells(&chunk->levels[c->place / PTL_LEVEL_CELLS]);
        if (cells)
            cells[c->place % PTL_LEVEL_CELLS] = (ptl_oter)c->after;
        else
            status = error_nomem(err);
    }
    edit_overlay_dispose(&edits);
    return status;
}

ptl_status world_chunk_read(ptl_chunk **out, const ptl_world *world, ptl_chunk_pos pos,
                            const catalogue *cat, chunk_info *info, ptl_error *err)
{
    const store_operations *o = ops(world->store);
    bool own;
    *out = NULL;
    TRY(o->transaction->begin_lookups(world->store, &own, err));
    ptl_status status = o->chunk->read(out, world->store, world->row.id, pos, cat, info, err);
    if (status == PTL_OK && *out)
        status = world_edits_show(*out, world, cat, err);
    o->transaction->end_snapshot(world->store, own);
    if (status != PTL_OK) {
        ptl_chunk_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- the digest ---- */

/* The digest of the edits that is being computed. The rows of a chunk are collected in `edits`
 * and added when the first row of another chunk comes. */
typedef struct digesting {
    digest_state state;
    const catalogue *cat;
    edit_overlay edits;
    ptl_chunk_pos chunk;
    bool any; /* some cell is shown otherwise than the chunk has it */
} digesting;

static void end_chunk(digesting *d)
{
    edit_overlay_settle(&d->edits);
    if (d->edits.count > 0) {
        d->any = true;
        digest_update_u64(&d->state, (uint64_t)(int64_t)d->chunk.x);
        digest_update_u64(&d->state, (uint64_t)(int64_t)d->chunk.y);
        digest_update_u64(&d->state, d->edits.count);
    }
    for (size_t i = 0; i < d->edits.count; i++) {
        const char *id = d->cat->oters[d->edits.cells[i].after].id;
        digest_update_u64(&d->state, (uint64_t)d->edits.cells[i].place);
        digest_update_counted(&d->state, id, strlen(id));
    }
    edit_overlay_dispose(&d->edits);
}

static ptl_status digest_row(void *payload, const edit_row *row, ptl_error *err)
{
    digesting *d = payload;
    if (row->chunk.x != d->chunk.x || row->chunk.y != d->chunk.y)
        end_chunk(d);
    d->chunk = row->chunk;
    return add_row(&d->edits, row, err);
}

ptl_status world_edits_digest(ptl_world_digest_result *out, const ptl_world *world,
                              ptl_error *err)
{
    static const char head[] = "portolan edited world 1\n";
    const edit_area all = EDIT_AREA_ALL;
    digesting d = {.cat = world->cat};
    digest result;
    if (world->base)
        return PTL_OK;
    digest_init(&d.state);
    digest_update(&d.state, head, sizeof head - 1);
    digest_update(&d.state, out->hex, sizeof out->hex - 1);
    const ptl_status status =
        ops(world->store)
            ->edit->visit(world->store, world->row.id, &all, world->cat, digest_row, &d, err);
    end_chunk(&d);
    digest_final(&d.state, &result);
    if (status == PTL_OK && d.any)
        digest_to_hex(&result, out->hex);
    return status;
}

ptl_status world_derive_check(const ptl_world *world, ptl_error *err)
{
    return world->row.derive
               ? error_set(
                     err, PTL_ERR_EXISTS,
                     "world '%s' derives its local maps from its chunks as they are: "
                     "first store those that were visited (portolan generate FILE --local "
                     "--keep --omt X0,Y0,X1,Y1)",
                     world->row.name)
               : PTL_OK;
}
