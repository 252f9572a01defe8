#include "store/sqlite/rows/edge_rows.h"

#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/rows/dictionary.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_VERSION = 1, CELLS = PTL_CHUNK_SIZE };

ptl_status edge_cells_number(edge_cells *out, const edge *e, ptl_store *store,
                             const catalogue *cat, ptl_error *err)
{
    for (int side = 0; side < 2; side++) {
        out->has[side] = e->border[side] != NULL;
        if (out->has[side])
            TRY(dictionary_numbers(store, cat, e->border[side], CELLS, out->numbers[side],
                                   err));
    }
    return PTL_OK;
}

static ptl_status resolve_side(ptl_oter **out, const uint32_t numbers[CELLS],
                               const ptl_oter *map, ptl_store *store, const catalogue *cat,
                               ptl_error *err)
{
    ptl_oter *cells = malloc(CELLS * sizeof *cells);
    if (!cells)
        return error_nomem(err);
    *out = cells;
    for (int i = 0; i < CELLS; i++) {
        cells[i] = map[numbers[i]];
        if (cells[i] >= cat->oter_count) /* generation knows only what it may place */
            return dictionary_unknown(store, numbers[i], err);
    }
    return PTL_OK;
}

ptl_status edge_cells_resolve(edge *e, const edge_cells *cells, ptl_store *store,
                              const catalogue *cat, ptl_error *err)
{
    const ptl_oter *map;
    size_t count;
    if (!cells->has[0] && !cells->has[1])
        return PTL_OK;
    TRY(dictionary_map(store, cat, &map, &count, err));
    for (int side = 0; side < 2; side++)
        if (cells->has[side])
            TRY(resolve_side(&e->border[side], cells->numbers[side], map, store, cat, err));
    return PTL_OK;
}

bool edge_cells_equal(const edge_cells *a, const edge_cells *b)
{
    for (int side = 0; side < 2; side++)
        if (a->has[side] != b->has[side] ||
            (a->has[side] &&
             memcmp(a->numbers[side], b->numbers[side], sizeof a->numbers[side]) != 0))
            return false;
    return true;
}

void edge_cells_build(bytes *out, const edge_cells *cells)
{
    if (!cells->has[0] && !cells->has[1])
        return;
    bytes_put_u8(out, CELLS_VERSION);
    bytes_put_u8(out, (uint8_t)((cells->has[0] ? 1 : 0) | (cells->has[1] ? 2 : 0)));
    for (int side = 0; side < 2; side++) {
        const uint32_t *numbers = cells->numbers[side];
        for (int i = 0; cells->has[side] && i < CELLS;) {
            int end = i + 1;
            while (end < CELLS && numbers[end] == numbers[i])
                end++;
            bytes_put_u8(out, (uint8_t)(end - i));
            bytes_put_varint(out, numbers[i]);
            i = end;
        }
    }
}

static bool parse_side(uint32_t numbers[CELLS], byte_reader *r, size_t limit)
{
    for (size_t at = 0; at < CELLS;) {
        size_t count = byte_reader_u8(r);
        uint64_t number = byte_reader_varint(r);
        if (r->failed || count < 1 || count > CELLS - at || number < 1 || number >= limit)
            return false;
        while (count-- > 0)
            numbers[at++] = (uint32_t)number;
    }
    return true;
}

ptl_status edge_cells_parse(edge_cells *out, const void *blob, size_t size, size_t limit,
                            ptl_error *err)
{
    byte_reader r = byte_reader_over(blob, size);
    out->has[0] = out->has[1] = false;
    if (size == 0)
        return PTL_OK;
    uint8_t version = byte_reader_u8(&r), sides = byte_reader_u8(&r);
    bool good = !r.failed && version == CELLS_VERSION && sides >= 1 && sides <= 3;
    for (int side = 0; side < 2 && good; side++) {
        out->has[side] = (sides >> side & 1) != 0;
        if (out->has[side])
            good = parse_side(out->numbers[side], &r, limit);
    }
    if (good && byte_reader_left(&r) == 0)
        return PTL_OK;
    out->has[0] = out->has[1] = false;
    return error_set(err, PTL_ERR_CORRUPT, "the border cells are %s",
                     version > CELLS_VERSION ? BYTES_NEWER : "damaged");
}
