/* Edits in memory: their cells are blobs as the codec makes them, with the memory's own
 * numbers. */
#include "core/array.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "support/memory/memory_impl.h"

#include <stdlib.h>
#include <string.h>

void memory_edit_free(row *r)
{
    memory_edit *e = (memory_edit *)r;
    bytes_dispose(&e->cells);
    free(e->author);
    free(e->text);
    free(e);
}

static bool put_cells(bytes *out, memory *m, const edit_row *from, const catalogue *cat)
{
    edit_cell *cells = malloc(from->count * sizeof *cells);
    bool good = cells != NULL;
    for (size_t i = 0; i < from->count && good; i++) {
        const edit_cell *c = &from->cells[i];
        cells[i] = (edit_cell){c->place, memory_number(m, cat->oters[c->before].id),
                               memory_number(m, cat->oters[c->after].id)};
        good = cells[i].before && cells[i].after;
    }
    if (good)
        edit_encode(out, cells, from->count);
    free(cells);
    return good && !out->failed;
}

static ptl_status write_edit(ptl_store *store, int64_t world_id, const edit_row *from,
                             const catalogue *cat, ptl_error *err)
{
    const ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    memory_edit *e = calloc(1, sizeof *e);
    if (!e)
        return error_nomem(err);
    e->head.id = store->memory->next_id++;
    e->head.world_id = world_id;
    e->author = strdup(from->author);
    e->text = strdup(from->text);
    e->values = *from;
    e->values.author = e->author;
    e->values.text = e->text;
    if (e->author && e->text && put_cells(&e->cells, store->memory, from, cat) &&
        table_add(&store->memory->tables[EDITS], &e->head))
        return PTL_OK;
    memory_edit_free(&e->head);
    return error_nomem(err);
}

static bool is_in(const memory_edit *e, int64_t world_id, const edit_area *a)
{
    const ptl_chunk_pos pos = e->values.chunk;
    if (e->head.world_id != world_id)
        return false;
    return a->number ? e->values.number == a->number
                     : pos.x >= a->x0 && pos.x <= a->x1 && pos.y >= a->y0 && pos.y <= a->y1;
}

static int by_place(const void *pa, const void *pb)
{
    const edit_row *a = &(*(const memory_edit *const *)pa)->values;
    const edit_row *b = &(*(const memory_edit *const *)pb)->values;
    if (a->chunk.x != b->chunk.x)
        return a->chunk.x < b->chunk.x ? -1 : 1;
    if (a->chunk.y != b->chunk.y)
        return a->chunk.y < b->chunk.y ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static ptl_status give_edit(ptl_store *store, const memory_edit *e, const edit_area *which,
                            const catalogue *cat, edit_visit *visit, void *payload,
                            ptl_error *err)
{
    edit_row given = e->values;
    edit_cell *cells = NULL;
    ptl_status status = edit_decode(&cells, &given.count, e->cells.data, e->cells.size,
                                    store->memory->name_count + 1, err);
    for (size_t i = 0; i < given.count && status == PTL_OK; i++) {
        uint32_t *const oters[2] = {&cells[i].before, &cells[i].after};
        for (int k = 0; k < 2 && status == PTL_OK; k++) {
            const char *id = memory_text(store->memory, *oters[k]);
            *oters[k] = catalogue_any_oter(cat, id);
            if (*oters[k] == CAT_NONE)
                status = error_set(err, PTL_ERR_MISMATCH, "the content has no oter %s", id);
        }
    }
    given.cells = cells;
    if (status == PTL_OK && (which->number || edit_levels(cells, given.count) & which->levels))
        status = visit(payload, &given, err);
    free(cells);
    return status;
}

static ptl_status visit_edits(ptl_store *store, int64_t world_id, const edit_area *which,
                              const catalogue *cat, edit_visit *visit, void *payload,
                              ptl_error *err)
{
    const table *t = &store->memory->tables[EDITS];
    size_t count = 0;
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const memory_edit **list = malloc((t->count + 1) * sizeof *list);
    if (!list)
        status = error_nomem(err);
    for (size_t i = 0; list && i < t->count; i++) {
        const memory_edit *e = (const memory_edit *)t->rows[i];
        if (is_in(e, world_id, which))
            list[count++] = e;
    }
    if (count > 1)
        qsort(list, count, sizeof *list, by_place);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = give_edit(store, list[i], which, cat, visit, payload, err);
    free(list);
    memory_leave(store, own);
    return status;
}

static ptl_status last_edit(int64_t *out, ptl_store *store, int64_t world_id, ptl_error *err)
{
    const table *t = &store->memory->tables[EDITS];
    bool own;
    *out = 0;
    const ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    for (size_t i = 0; i < t->count; i++) {
        const memory_edit *e = (const memory_edit *)t->rows[i];
        if (e->head.world_id == world_id && e->values.number > *out)
            *out = e->values.number;
    }
    memory_leave(store, own);
    return status;
}

/* ---- placed specials ---- */

void memory_placed_free(row *r)
{
    memory_placed *p = (memory_placed *)r;
    bytes_dispose(&p->parts);
    free(p->special);
    free(p);
}

static ptl_status write_placed(ptl_store *store, int64_t world_id, const placed_row *from,
                               ptl_error *err)
{
    const ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    memory_placed *p = calloc(1, sizeof *p);
    if (!p)
        return error_nomem(err);
    p->head.id = store->memory->next_id++;
    p->head.world_id = world_id;
    p->special = strdup(from->special);
    p->values = *from;
    p->values.special = p->special;
    p->values.parts = (placed_parts){.list = NULL};
    placed_encode(&p->parts, &from->parts);
    if (p->special && !p->parts.failed && table_add(&store->memory->tables[PLACED], &p->head))
        return PTL_OK;
    memory_placed_free(&p->head);
    return error_nomem(err);
}

static bool is_wanted(const memory_placed *p, int64_t world_id, const edit_area *a)
{
    const ptl_chunk_pos pos = p->values.chunk;
    if (p->head.world_id != world_id)
        return false;
    return a->number ? p->values.number == a->number
                     : pos.x >= a->x0 && pos.x <= a->x1 && pos.y >= a->y0 && pos.y <= a->y1;
}

static int by_part(const void *pa, const void *pb)
{
    const placed_row *a = &(*(const memory_placed *const *)pa)->values;
    const placed_row *b = &(*(const memory_placed *const *)pb)->values;
    return ORDER_BY(a->chunk.x, b->chunk.x, a->chunk.y, b->chunk.y, a->number, b->number,
                    a->part, b->part);
}

static ptl_status give_placed(const memory_placed *p, placed_visit *visit, void *payload,
                              ptl_error *err)
{
    placed_row given = p->values;
    ptl_status status = placed_decode(&given.parts, p->parts.data, p->parts.size, err);
    if (status == PTL_OK)
        status = visit(payload, &given, err);
    placed_parts_dispose(&given.parts);
    return status;
}

static ptl_status visit_placed(ptl_store *store, int64_t world_id, const edit_area *which,
                               placed_visit *visit, void *payload, ptl_error *err)
{
    const table *t = &store->memory->tables[PLACED];
    size_t count = 0;
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const memory_placed **list = malloc((t->count + 1) * sizeof *list);
    if (!list)
        status = error_nomem(err);
    for (size_t i = 0; list && i < t->count; i++) {
        const memory_placed *p = (const memory_placed *)t->rows[i];
        if (is_wanted(p, world_id, which))
            list[count++] = p;
    }
    if (count > 1)
        qsort(list, count, sizeof *list, by_part);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = give_placed(list[i], visit, payload, err);
    free(list);
    memory_leave(store, own);
    return status;
}

const edit_operations memory_edit_operations = {.write = write_edit,
                                                .visit = visit_edits,
                                                .last = last_edit,
                                                .placed_write = write_placed,
                                                .placed_visit = visit_placed};
