#include "store/sqlite/connection/prepared.h"

#include "store/sqlite/connection/store_impl.h"

#define PREPARED_SQL(id, sql) [id] = (sql),
static const char *const sql_of[STMT_COUNT] = {PREPARED_STATEMENTS(PREPARED_SQL)};
#undef PREPARED_SQL

ptl_status stmt_prepared(stmt **out, ptl_store *store, stmt_id id, ptl_error *err)
{
    ptl_status status = sqlite_settle(store, err);
    if (status == PTL_OK && !store->prepared[id])
        status = stmt_prepare(&store->prepared[id], store, sql_of[id], err);
    *out = store->prepared[id];
    return status;
}

ptl_status stmt_run_with(ptl_store *store, stmt_id id, const int64_t *values, int count,
                         ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepared(&s, store, id, err));
    stmt_bind_ints(s, values, count);
    return stmt_run(s, err);
}

ptl_status row_new_id(int64_t *out, ptl_store *store, stmt_id id, const char *table,
                      ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *out = 0;
    ptl_status status = stmt_prepared(&s, store, id, err);
    THEN(status, stmt_step(s, &row, err));
    if (status == PTL_OK && row)
        *out = stmt_int(s, 0);
    if (s)
        stmt_reset(s);
    if (status == PTL_OK && (*out < 1 || *out > CHUNK_ID_MAX))
        status = error_set(err, PTL_ERR_CORRUPT, "table %s: an id out of range", table);
    return status;
}
