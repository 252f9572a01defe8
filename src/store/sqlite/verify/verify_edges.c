/* Verifies edges with their crossings and border cells, one at a time. */
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/edge_rows.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/verify/verify.h"

#include <stdio.h>
#include <string.h>

static void check_crossing(verifier *v, const stmt *s, const char *where)
{
    const char *kind = stmt_text(s, CROSSING_COLUMN_KIND);
    int64_t z = stmt_int(s, CROSSING_COLUMN_Z);
    int64_t position = stmt_int(s, CROSSING_COLUMN_POSITION);
    int64_t width = stmt_int(s, CROSSING_COLUMN_WIDTH);
    int64_t direction = stmt_int(s, CROSSING_COLUMN_DIRECTION);
    if (z < PTL_Z_MIN || z > PTL_Z_MAX || position < 0 || position >= PTL_CHUNK_SIZE ||
        width < 0 || width > UINT8_MAX || direction < -1 || direction > 1 || kind[0] == '\0')
        verify_problem(v, INVARIANT_CROSSING, where,
                       "crossing '%s' z %lld position %lld width %lld direction %lld is out of "
                       "range",
                       kind, (long long)z, (long long)position, (long long)width,
                       (long long)direction);
}

/* Checks that border cells belong to a foreign edge, and that the file knows their oters. */
static ptl_status check_cells(verifier *v, const stmt *row, const char *where, ptl_error *err)
{
    edge_cells cells;
    size_t size;
    const void *blob = stmt_blob(row, EDGE_COLUMN_CELLS, &size);
    if (v->dictionary_bad || stmt_is_null(row, EDGE_COLUMN_CELLS))
        return PTL_OK;
    ptl_status status = dictionary_refresh(v->store, err);
    THEN(status, edge_cells_parse(&cells, blob, size, dictionary_size(v->store), err));
    if (status == PTL_OK &&
        (size == 0 || strcmp(stmt_text(row, EDGE_COLUMN_ORIGIN), "foreign") != 0))
        verify_problem(v, INVARIANT_BORDER_CELLS, where, "cells where there should be none");
    return verify_soft(v, INVARIANT_BORDER_CELLS, where, status, err);
}

static ptl_status check_edge(verifier *v, const stmt *row, ptl_error *err)
{
    stmt *s = NULL;
    char where[192];
    int64_t sum = 0;
    size_t count = 0;
    snprintf(where, sizeof where, "world '%.100s', edge %lld,%lld %.1s",
             stmt_text(row, EDGE_COLUMN_COUNT), (long long)stmt_int(row, EDGE_COLUMN_X),
             (long long)stmt_int(row, EDGE_COLUMN_Y), stmt_text(row, EDGE_COLUMN_SIDE));
    v->counts->edges++;
    TRY(stmt_prepared(&s, v->store, STMT_CROSSING_READ, err));
    rowsum_begin(&v->store->scratch->sum, "edge");
    rowsum_row(&v->store->scratch->sum, row_table_of(TABLE_EDGE), row, 0);
    stmt_bind_int(s, 1, stmt_int(row, EDGE_COLUMN_ID));
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        rowsum_row(&v->store->scratch->sum, row_table_of(TABLE_CROSSING), s, CROSSING_COLUMN_Z);
        check_crossing(v, s, where);
        count++;
    }
    stmt_reset(s);
    THEN(status, rowsum_end(&v->store->scratch->sum, &sum, err));
    if (status == PTL_OK && sum != stmt_int(row, EDGE_COLUMN_CHECKSUM))
        verify_problem(v, INVARIANT_EDGE, where, "checksum differs");
    if (count > EDGE_CROSSINGS_MAX)
        verify_problem(v, INVARIANT_CROSSING, where, "%zu crossings", count);
    THEN(status, check_cells(v, row, where, err));
    return verify_soft(v, INVARIANT_SQLITE, where, status, err);
}

ptl_status verify_edges(verifier *v, ptl_error *err)
{
    return verify_each(v, "edge",
                       "SELECT " EDGE_COLUMNS
                       ", (SELECT name FROM world w WHERE w.id = edge.world_id) FROM edge "
                       "WHERE id > ? ORDER BY id LIMIT 1",
                       check_edge, err);
}
