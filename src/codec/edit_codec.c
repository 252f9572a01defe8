#include "codec/edit_codec.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

enum {
    FORM = 1,          /* the first byte of the cells of an edit */
    CELL_BYTES_MIN = 3 /* a cell takes at least so many bytes */
};

ptl_omt edit_omt(ptl_chunk_pos chunk, int32_t place)
{
    const int32_t cell = place % PTL_LEVEL_CELLS;
    return (ptl_omt){(int64_t)chunk.x * PTL_CHUNK_SIZE + cell % PTL_CHUNK_SIZE,
                     (int64_t)chunk.y * PTL_CHUNK_SIZE + cell / PTL_CHUNK_SIZE,
                     place / PTL_LEVEL_CELLS + PTL_Z_MIN};
}

uint32_t edit_levels(const edit_cell *cells, size_t count)
{
    uint32_t levels = 0;
    int32_t first = 0, end = 0; /* places of the level that was found last */
    for (size_t i = 0; i < count; i++) {
        if (cells[i].place >= first && cells[i].place < end)
            continue;
        first = cells[i].place - cells[i].place % PTL_LEVEL_CELLS;
        end = first + PTL_LEVEL_CELLS;
        levels |= UINT32_C(1) << first / PTL_LEVEL_CELLS;
    }
    return levels;
}

/* ---- the bytes of an edit's cells ---- */

void edit_encode(bytes *out, const edit_cell *cells, size_t count)
{
    int32_t next = 0;
    bytes_put_u8(out, FORM);
    bytes_put_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        bytes_put_varint(out, (uint64_t)(cells[i].place - next));
        bytes_put_varint(out, cells[i].before);
        bytes_put_varint(out, cells[i].after);
        next = cells[i].place + 1;
    }
}

static bool take_cell(edit_cell *out, byte_reader *r, uint64_t next, size_t limit)
{
    const uint64_t gap = byte_reader_varint(r);
    const uint64_t before = byte_reader_varint(r), after = byte_reader_varint(r);
    if (r->failed || gap >= EDIT_PLACES || next + gap >= EDIT_PLACES || before < 1 ||
        before >= limit || after < 1 || after >= limit)
        return false;
    *out = (edit_cell){(int32_t)(next + gap), (uint32_t)before, (uint32_t)after};
    return true;
}

ptl_status edit_decode(edit_cell **out, size_t *count, const void *blob, size_t size,
                       size_t limit, ptl_error *err)
{
    byte_reader r = byte_reader_over(blob, size);
    const uint8_t form = byte_reader_u8(&r);
    const uint64_t wanted = byte_reader_varint(&r);
    uint64_t next = 0;
    *out = NULL;
    *count = 0;
    if (!r.failed && form != FORM)
        return error_set(err, PTL_ERR_CORRUPT, "edit: cells in form %d, " BYTES_NEWER, form);
    if (r.failed || wanted < 1 || wanted > byte_reader_left(&r) / CELL_BYTES_MIN)
        return error_set(err, PTL_ERR_CORRUPT, "edit: a bad number of cells");
    edit_cell *cells = malloc((size_t)wanted * sizeof *cells);
    if (!cells)
        return error_nomem(err);
    for (size_t i = 0; i < wanted; i++) {
        if (!take_cell(&cells[i], &r, next, limit)) {
            free(cells);
            return error_set(err, PTL_ERR_CORRUPT, "edit: cell %zu is bad", i);
        }
        next = (uint64_t)cells[i].place + 1;
    }
    if (byte_reader_left(&r) > 0) {
        free(cells);
        return error_set(err, PTL_ERR_CORRUPT, "edit: bytes behind its cells");
    }
    *out = cells;
    *count = (size_t)wanted;
    return PTL_OK;
}

/* ---- which cells are shown ---- */

void edit_overlay_dispose(edit_overlay *o)
{
    free(o->edits);
    free(o->cells);
    *o = (edit_overlay){.count = 0};
}

bool edit_overlay_add(edit_overlay *o, int64_t number, int64_t undoes, const edit_cell *cells,
                      size_t count)
{
    if (!ARRAY_ROOM(o->edits, o->edit_room, o->edit_count + 1) ||
        !ARRAY_ROOM(o->cells, o->room, o->count + count))
        return false;
    o->edits[o->edit_count++] = (edit_entry){number, undoes, o->count, count, false};
    for (size_t i = 0; i < count; i++)
        o->cells[o->count + i] = cells[i];
    o->count += count;
    return true;
}

/* Returns the edit of this number among the first `count` ones; NULL if the overlay lacks
 * it. */
static edit_entry *entry_of(edit_overlay *o, size_t count, int64_t number)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (o->edits[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && o->edits[low].number == number ? &o->edits[low] : NULL;
}

void edit_overlay_judge(edit_overlay *o)
{
    for (size_t i = o->edit_count; i-- > 0;) {
        edit_entry *of = o->edits[i].undone || o->edits[i].undoes == 0
                             ? NULL
                             : entry_of(o, i, o->edits[i].undoes);
        if (of)
            of->undone = true;
    }
}

/* Compares for sorting by place; an earlier edit's cell comes first. `before` holds the number
 * of the cell in the overlay at this time. */
static int compare_cells(const void *pa, const void *pb)
{
    const edit_cell *a = pa, *b = pb;
    return ORDER_BY(a->place, b->place, a->before, b->before);
}

void edit_overlay_reduce(edit_overlay *o)
{
    edit_overlay_judge(o);
    size_t count = 0;
    for (size_t i = 0; i < o->edit_count; i++) {
        const edit_entry *e = &o->edits[i];
        if (e->undone || e->undoes != 0)
            continue;
        if (count != e->first)
            memmove(&o->cells[count], &o->cells[e->first], e->count * sizeof *o->cells);
        count += e->count;
    }
    o->count = count;
}

void edit_overlay_settle(edit_overlay *o)
{
    size_t kept = 0;
    edit_overlay_reduce(o);
    for (size_t i = 0; i < o->count; i++)
        o->cells[i].before = (uint32_t)i;
    if (o->count > 1)
        qsort(o->cells, o->count, sizeof *o->cells, compare_cells);
    for (size_t i = 0; i < o->count; i++)
        if (i + 1 == o->count || o->cells[i + 1].place != o->cells[i].place)
            o->cells[kept++] = o->cells[i];
    o->count = kept;
}
