/* Lists edits and their cells (portolan/save.h). */
#include "core/array.h"
#include "model/catalogue.h"
#include "portolan/save.h"
#include "world/edits.h"

#include <stdlib.h>

enum { SIDE = PTL_CHUNK_SIZE };

/* ---- edits ---- */

/* An edit with the number of its cells in the rectangle, or a part of it in one chunk. */
typedef struct found_edit {
    int64_t number, undoes, turn, undone_by;
    uint64_t chunks, cells;
    char *author, *text; /* owned */
    char *special;       /* owned; NULL: it has placed none */
    ptl_omt origin;      /* of the special */
    int32_t rotation;
} found_edit;

typedef struct found_edits {
    const int64_t *rect; /* {x0, y0, x1, y1}; NULL: everything */
    found_edit *list;    /* owned */
    size_t count, room;
} found_edits;

static void found_dispose(found_edits *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i].author);
        free(all->list[i].text);
        free(all->list[i].special);
    }
    free(all->list);
}

static uint64_t cells_inside(const int64_t rect[4], const edit_row *row)
{
    const int64_t left = (int64_t)row->chunk.x * SIDE, top = (int64_t)row->chunk.y * SIDE;
    uint64_t inside = 0;
    for (size_t i = 0; i < row->count; i++) {
        const int32_t cell = row->cells[i].place % PTL_LEVEL_CELLS;
        const int64_t x = left + cell % SIDE, y = top + cell / SIDE;
        inside += x >= rect[0] && y >= rect[1] && x <= rect[2] && y <= rect[3];
    }
    return inside;
}

static ptl_status find_row(void *payload, const edit_row *row, ptl_error *err)
{
    found_edits *all = payload;
    const uint64_t cells = all->rect ? cells_inside(all->rect, row) : row->count;
    if (cells == 0)
        return PTL_OK;
    if (!ARRAY_ROOM(all->list, all->room, all->count + 1))
        return error_nomem(err);
    found_edit *f = &all->list[all->count++];
    *f = (found_edit){.number = row->number,
                      .undoes = row->undoes,
                      .turn = row->turn,
                      .chunks = 1,
                      .cells = cells,
                      .author = strdup(row->author),
                      .text = strdup(row->text)};
    return f->author && f->text ? PTL_OK : error_nomem(err);
}

static int by_number(const void *pa, const void *pb)
{
    const found_edit *a = pa, *b = pb;
    return ORDER_BY(a->number, b->number);
}

/* Joins the rows of each edit, which are sorted by number. */
static void join_rows(found_edits *all)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        found_edit *f = &all->list[i], *before = kept > 0 ? &all->list[kept - 1] : NULL;
        if (before && before->number == f->number) {
            before->chunks += f->chunks;
            before->cells += f->cells;
            free(f->author);
            free(f->text);
        } else {
            all->list[kept++] = *f;
        }
    }
    all->count = kept;
}

/* Finds out which edits are undone, as edit_overlay_judge does. An edit and the one that takes
 * it back change the same cells, so both are in the list or none. */
static void judge(found_edits *all)
{
    for (size_t i = all->count; i-- > 0;) {
        const found_edit *by = &all->list[i];
        const found_edit key = {.number = by->undoes};
        if (by->undone_by || by->undoes == 0)
            continue;
        found_edit *of = bsearch(&key, all->list, i, sizeof key, by_number);
        if (of)
            of->undone_by = by->number;
    }
}

/* Notes the special of an edit, unless the edit is not in the list. */
static ptl_status find_special(void *payload, const placed_row *row, ptl_error *err)
{
    found_edits *all = payload;
    const found_edit key = {.number = row->number};
    found_edit *of = bsearch(&key, all->list, all->count, sizeof key, by_number);
    if (!of || row->part > 0 || of->special)
        return PTL_OK;
    of->special = strdup(row->special);
    of->origin = (ptl_omt){(int64_t)row->chunk.x * SIDE + row->x,
                           (int64_t)row->chunk.y * SIDE + row->y, row->z};
    of->rotation = row->rotation;
    return of->special ? PTL_OK : error_nomem(err);
}

static ptl_status give(const found_edits *all,
                       bool (*on_edit)(void *payload, const ptl_edit *edit), void *payload,
                       ptl_error *err)
{
    for (size_t i = 0; i < all->count; i++) {
        const found_edit *f = &all->list[i];
        const ptl_edit edit = {.size = sizeof edit,
                               .number = f->number,
                               .author = f->author,
                               .text = f->text,
                               .turn = f->turn,
                               .undoes = f->undoes,
                               .undone_by = f->undone_by,
                               .chunks = f->chunks,
                               .cells = f->cells,
                               .special = f->special ? f->special : "",
                               .origin = f->origin,
                               .rotation = f->rotation};
        if (!on_edit(payload, &edit))
            return error_set(err, PTL_ERR_CANCELLED, "the list of edits was stopped");
    }
    return PTL_OK;
}

int32_t world_chunk_of(int64_t omt)
{
    const int64_t most = (int64_t)PTL_CHUNK_COORD_MAX * SIDE;
    const int64_t inside = world_lesser(world_greater(omt, -most), most + SIDE - 1);
    return ptl_omt_chunk((ptl_omt){inside, 0, 0}).x;
}

ptl_status world_rect_check(const int64_t rect[4], ptl_error *err)
{
    if (rect[0] <= rect[2] && rect[1] <= rect[3])
        return PTL_OK;
    return error_set(err, PTL_ERR_ARGUMENT, "an empty rectangle %lld,%lld,%lld,%lld",
                     (long long)rect[0], (long long)rect[1], (long long)rect[2],
                     (long long)rect[3]);
}

/* Reads the edits of an area with their specials, as they are at one moment. */
static ptl_status read_edits(found_edits *all, const ptl_world *world, const edit_area *area,
                             ptl_error *err)
{
    const store_operations *o = ops(world->store);
    bool own;
    TRY(o->transaction->begin_lookups(world->store, &own, err));
    ptl_status status =
        o->edit->visit(world->store, world->row.id, area, world->cat, find_row, all, err);
    if (status == PTL_OK && all->count > 0) {
        qsort(all->list, all->count, sizeof *all->list, by_number);
        join_rows(all);
        judge(all);
        status =
            o->edit->placed_visit(world->store, world->row.id, area, find_special, all, err);
    }
    o->transaction->end_snapshot(world->store, own);
    return status;
}

ptl_status ptl_edit_list(ptl_world *world, const int64_t rect[4],
                         bool (*on_edit)(void *payload, const ptl_edit *edit), void *payload,
                         ptl_error *err)
{
    edit_area area = EDIT_AREA_ALL;
    found_edits all = {.rect = rect};
    error_clear(err);
    if (rect) {
        TRY(world_rect_check(rect, err));
        area.x0 = world_chunk_of(rect[0]);
        area.y0 = world_chunk_of(rect[1]);
        area.x1 = world_chunk_of(rect[2]);
        area.y1 = world_chunk_of(rect[3]);
    }
    ptl_status status = read_edits(&all, world, &area, err);
    THEN(status, give(&all, on_edit, payload, err));
    found_dispose(&all);
    return status;
}

/* ---- the cells of an edit ---- */

typedef struct found_cell {
    ptl_omt at;
    ptl_oter before, after;
} found_cell;

typedef struct found_cells {
    found_cell *list; /* owned */
    size_t count, room;
} found_cells;

static ptl_status add_cells(void *payload, const edit_row *row, ptl_error *err)
{
    found_cells *all = payload;
    if (!ARRAY_ROOM(all->list, all->room, all->count + row->count))
        return error_nomem(err);
    for (size_t i = 0; i < row->count; i++) {
        const edit_cell *c = &row->cells[i];
        all->list[all->count++] = (found_cell){edit_omt(row->chunk, c->place),
                                               (ptl_oter)c->before, (ptl_oter)c->after};
    }
    return PTL_OK;
}

ptl_status ptl_edit_cell_list(ptl_world *world, int64_t number,
                              bool (*on_cell)(void *payload, ptl_omt at, const char *before,
                                              const char *after),
                              void *payload, ptl_error *err)
{
    const edit_area area = {.number = number};
    found_cells all = {.count = 0};
    error_clear(err);
    ptl_status status = PTL_OK;
    if (number > 0)
        status = ops(world->store)
                     ->edit->visit(world->store, world->row.id, &area, world->cat, add_cells,
                                   &all, err);
    if (status == PTL_OK && all.count == 0)
        status = error_set(err, PTL_ERR_NOT_FOUND, "world '%s' has no edit %lld",
                           world->row.name, (long long)number);
    for (size_t i = 0; i < all.count && status == PTL_OK; i++) {
        const found_cell *c = &all.list[i];
        if (!on_cell(payload, c->at, world->cat->oters[c->before].id,
                     world->cat->oters[c->after].id))
            status = error_set(err, PTL_ERR_CANCELLED, "the list of cells was stopped");
    }
    free(all.list);
    return status;
}
