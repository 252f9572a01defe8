/* Rows of table chunk_edit: what a game has changed on overmaps (codec/edit_codec.h). */
#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

#include <stdlib.h>

/* Refreshes the cache of the dictionary if it lacks an oter that the row may name. */
static ptl_status decode_cells(edit_cell **cells, size_t *count, ptl_store *store,
                               const stmt *s, ptl_error *err)
{
    size_t size;
    const void *blob = stmt_blob(s, EDIT_COLUMN_CELLS, &size);
    TRY(dictionary_refresh(store, err));
    return edit_decode(cells, count, blob, size, dictionary_size(store), err);
}

ptl_status edit_row_parse(edit_row *out, edit_cell **cells, ptl_store *store, const stmt *s,
                          ptl_error *err)
{
    const int64_t x = stmt_int(s, EDIT_COLUMN_X), y = stmt_int(s, EDIT_COLUMN_Y);
    const int64_t most = PTL_CHUNK_COORD_MAX;
    *cells = NULL;
    *out = (edit_row){.number = stmt_int(s, EDIT_COLUMN_NUMBER),
                      .author = stmt_text(s, EDIT_COLUMN_AUTHOR),
                      .text = stmt_text(s, EDIT_COLUMN_TEXT),
                      .turn = stmt_int(s, EDIT_COLUMN_TURN),
                      .undoes = stmt_int(s, EDIT_COLUMN_UNDOES)};
    if (x < -most || x > most || y < -most || y > most || out->number < 1 || out->undoes < 0 ||
        out->undoes >= out->number)
        return error_set(err, PTL_ERR_CORRUPT, "edit: a value out of range");
    out->chunk = (ptl_chunk_pos){(int32_t)x, (int32_t)y};
    TRY(decode_cells(cells, &out->count, store, s, err));
    out->cells = *cells;
    if (stmt_int(s, EDIT_COLUMN_LEVELS) != (int64_t)edit_levels(*cells, out->count))
        return error_set(err, PTL_ERR_CORRUPT, "edit: `levels` differs from its cells");
    return PTL_OK;
}

/* Turns the file's numbers of oters into oters of the catalogue. */
static ptl_status translate(edit_cell *cells, size_t count, ptl_store *store,
                            const catalogue *cat, ptl_error *err)
{
    const ptl_oter *map;
    size_t size;
    TRY(dictionary_map(store, cat, &map, &size, err));
    for (size_t i = 0; i < count; i++) {
        uint32_t *const oters[2] = {&cells[i].before, &cells[i].after};
        for (int k = 0; k < 2; k++) {
            if (map[*oters[k]] == CAT_NONE)
                return dictionary_unknown(store, *oters[k], err);
            *oters[k] = map[*oters[k]];
        }
    }
    return PTL_OK;
}

static ptl_status give_row(ptl_store *store, const stmt *s, const catalogue *cat,
                           edit_visit *visit, void *payload, ptl_error *err)
{
    edit_row row;
    edit_cell *cells = NULL;
    ptl_status status = row_verify(s, TABLE_EDIT, err);
    THEN(status, edit_row_parse(&row, &cells, store, s, err));
    THEN(status, translate(cells, row.count, store, cat, err));
    if (status != PTL_OK)
        (void)error_prefix(err, status, "table chunk_edit, row %lld",
                           (long long)stmt_int(s, EDIT_COLUMN_ID));
    THEN(status, visit(payload, &row, err));
    free(cells);
    return status;
}

static ptl_status sqlite_edit_visit(ptl_store *store, int64_t world_id, const edit_area *which,
                                    const catalogue *cat, edit_visit *visit, void *payload,
                                    ptl_error *err)
{
    stmt *s = NULL;
    bool own = false;
    TRY(sqlite_begin_lookups(store, &own, err));
    ptl_status status = which->number
                            ? stmt_begin(&s, store, STMT_EDITS_NUMBERED,
                                         STMT_VALUES(world_id, which->number), err)
                            : stmt_begin(&s, store, STMT_EDITS,
                                         STMT_VALUES(world_id, which->x0, which->x1, which->y0,
                                                     which->y1, which->levels),
                                         err);
    while (stmt_row(s, &status, err))
        status = give_row(store, s, cat, visit, payload, err);
    stmt_reset(s);
    sqlite_end_snapshot(store, own);
    return status;
}

ptl_status edit_rows_shown(edit_overlay *out, ptl_store *store, int64_t chunk_id,
                           uint32_t levels, ptl_error *err)
{
    stmt *s = NULL;
    *out = (edit_overlay){.count = 0};
    ptl_status status =
        stmt_begin(&s, store, STMT_EDITS_OF_CHUNK, STMT_VALUES(chunk_id, (int64_t)levels), err);
    while (stmt_row(s, &status, err)) {
        edit_row row;
        edit_cell *cells = NULL;
        status = row_verify(s, TABLE_EDIT, err);
        THEN(status, edit_row_parse(&row, &cells, store, s, err));
        if (status == PTL_OK &&
            !edit_overlay_add(out, row.number, row.undoes, cells, row.count))
            status = error_nomem(err);
        free(cells);
    }
    stmt_reset(s);
    edit_overlay_settle(out);
    return status;
}

static ptl_status sqlite_edit_last(int64_t *out, ptl_store *store, int64_t world_id,
                                   ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    const ptl_status status =
        stmt_find(&s, &row, store, STMT_EDIT_LAST, STMT_VALUES(world_id), err);
    *out = row ? stmt_int(s, 0) : 0;
    stmt_reset(s);
    return status;
}

/* Gives the cells the file's numbers of their oters, in a new array. */
static ptl_status number_cells(edit_cell **out, ptl_store *store, const edit_row *row,
                               const catalogue *cat, ptl_error *err)
{
    const size_t count = row->count;
    ptl_oter *oters = calloc(2 * count, sizeof *oters);
    uint32_t *numbers = malloc(2 * count * sizeof *numbers);
    edit_cell *cells = malloc(count * sizeof *cells);
    ptl_status status = oters && numbers && cells ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        oters[i] = (ptl_oter)row->cells[i].before;
        oters[count + i] = (ptl_oter)row->cells[i].after;
    }
    THEN(status, dictionary_numbers(store, cat, oters, 2 * count, numbers, err));
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        cells[i] = (edit_cell){row->cells[i].place, numbers[i], numbers[count + i]};
    free(oters);
    free(numbers);
    if (status == PTL_OK)
        *out = cells;
    else
        free(cells);
    return status;
}

static ptl_status sqlite_edit_write(ptl_store *store, int64_t world_id, const edit_row *row,
                                    const catalogue *cat, ptl_error *err)
{
    int64_t id = 0;
    edit_cell *cells = NULL;
    bytes blob = {.size = 0};
    ptl_status status = number_cells(&cells, store, row, cat, err);
    if (status == PTL_OK)
        edit_encode(&blob, cells, row->count);
    if (blob.failed)
        status = error_nomem(err);
    THEN(status, row_new_id(&id, store, TABLE_EDIT, err));
    row_value v[EDIT_COLUMN_COUNT] = {
        [EDIT_COLUMN_ID] = row_int(id),
        [EDIT_COLUMN_WORLD_ID] = row_int(world_id),
        [EDIT_COLUMN_X] = row_int(row->chunk.x),
        [EDIT_COLUMN_Y] = row_int(row->chunk.y),
        [EDIT_COLUMN_NUMBER] = row_int(row->number),
        [EDIT_COLUMN_AUTHOR] = row_text(row->author),
        [EDIT_COLUMN_TURN] = row_int(row->turn),
        [EDIT_COLUMN_TEXT] = row_text(row->text),
        [EDIT_COLUMN_UNDOES] =
            row->undoes ? row_int(row->undoes) : (row_value){.type = ROW_NULL},
        [EDIT_COLUMN_LEVELS] = row_int((int64_t)edit_levels(row->cells, row->count)),
        [EDIT_COLUMN_CELLS] = row_blob(blob.data, blob.size)};
    THEN(status, row_put(store, TABLE_EDIT, v, err));
    bytes_dispose(&blob);
    free(cells);
    return status;
}

const edit_operations sqlite_edits = {.write = sqlite_edit_write,
                                      .visit = sqlite_edit_visit,
                                      .last = sqlite_edit_last,
                                      .placed_write = placed_row_write,
                                      .placed_visit = placed_row_visit};
