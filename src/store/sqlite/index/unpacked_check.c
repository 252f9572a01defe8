#include "store/sqlite/index/unpacked.h"

#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/row_scratch.h"

#include <stdio.h>

typedef struct checking {
    ptl_store *store;
    unpacked_writer *writer; /* owned */
    uint32_t present;        /* tables, as bits */
    unpacked_problem *found;
    void *payload;
} checking;

static void tell(const checking *c, int part, const char *message)
{
    char where[64];
    snprintf(where, sizeof where, "table unpacked_%s", ptl_index_part_name(part));
    c->found(c->payload, where, message);
}

/* Finds rows of chunks that unpacked_chunk does not list as present in this table. */
static ptl_status check_strays(const checking *c, int part, ptl_error *err)
{
    char sql[256], message[96];
    const int64_t bit = part;
    int64_t strays = 0;
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM main.unpacked_%s t WHERE NOT EXISTS (SELECT 1 FROM "
             "main.unpacked_chunk u WHERE u.chunk_id = t.chunk_id AND u.tables >> ?1 & 1)",
             ptl_index_part_name(part));
    TRY(stmt_ask(&strays, c->store, sql, &bit, 1, err));
    if (strays > 0) {
        snprintf(message, sizeof message, "%lld rows are of chunks that it does not have",
                 (long long)strays);
        tell(c, part, message);
    }
    return PTL_OK;
}

/* Prepares a statement for the next chunk after ?1 that is in the index and has not changed
 * since; with `all`, for any next chunk. */
static ptl_status next_chunk(stmt **s, ptl_store *store, bool all, ptl_error *err)
{
    return stmt_prepare(
        s, store,
        all ? "SELECT " CHUNK_COLUMNS " FROM main.chunk c WHERE c.id > ? ORDER BY c.id LIMIT 1"
            : "SELECT " CHUNK_COLUMNS ", u.tables FROM main.chunk c CROSS JOIN "
              "main.unpacked_chunk u ON u.chunk_id = c.id AND u.checksum = c.checksum WHERE "
              "c.id > ? ORDER BY c.id LIMIT 1",
        err);
}

/* Does the status mean damage of one chunk, and not of the file's structure or of the index
 * itself? */
static bool is_soft(ptl_status status, const ptl_error *err)
{
    return (status == PTL_ERR_CORRUPT || status == PTL_ERR_FORMAT) && !err->backend_code;
}

/* Finds the tables that exist. A table that is not as this version makes it belongs to
 * somebody else and is left out. */
static ptl_status find_present(uint32_t *present, bool *chunks, ptl_store *store,
                               ptl_error *err)
{
    ptl_error local = {0};
    ptl_status status = unpacked_present(present, chunks, store, &local);
    if (status == PTL_ERR_FORMAT)
        *present = 0;
    else if (status != PTL_OK)
        return error_copy(err, &local);
    *present &= UNPACKED_TABLES;
    return PTL_OK;
}

static ptl_status check_tables(const checking *c, ptl_error *err)
{
    /* Finds rows of unpacked_chunk that name tables which do not exist, or whose values are
     * not numbers. */
    static const char sql[] =
        "SELECT count(*) FROM main.unpacked_chunk WHERE typeof(checksum) <> 'integer' OR "
        "typeof(tables) <> 'integer' OR tables & ~?1 <> 0";
    const int64_t present = c->present;
    int64_t odd = 0;
    TRY(stmt_ask(&odd, c->store, sql, &present, 1, err));
    if (odd > 0)
        c->found(c->payload, "table unpacked_chunk", "it names tables that are not there");
    for (int part = 0; part < PTL_INDEX_PARTS; part++)
        if (c->present >> part & 1)
            TRY(check_strays(c, part, err));
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = next_chunk(&s, c->store, false, err);
    while (stmt_row_after(s, &after, "chunk", &status, err)) {
        ptl_error local = {0};
        chunk_info info = {.id = 0};
        char message[96];
        uint32_t wrong = 0;
        const uint32_t parts = c->present & (uint32_t)stmt_int(s, CHUNK_COLUMN_COUNT);
        status = chunk_info_read(&info, s, &local);
        THEN(status, unpacked_compare(&wrong, c->writer, parts, &info, s, &local));
        snprintf(message, sizeof message, "chunk %d,%d: its rows are not what the chunk has",
                 info.pos.x, info.pos.y);
        for (int part = 0; part < PTL_INDEX_PARTS; part++)
            if (wrong >> part & 1)
                tell(c, part, message);
        status = is_soft(status, &local) ? PTL_OK
                 : status != PTL_OK      ? error_copy(err, &local)
                                         : PTL_OK;
    }
    stmt_free(s);
    return status;
}

ptl_status unpacked_check(ptl_store *store, unpacked_problem *found, void *payload,
                          ptl_error *err)
{
    checking c = {.store = store, .found = found, .payload = payload};
    bool chunks = false;
    TRY(find_present(&c.present, &chunks, store, err));
    if (c.present == 0)
        return PTL_OK;
    if (!chunks) {
        found(payload, "table unpacked_chunk", "it is not there, and tables of the index are");
        return PTL_OK;
    }
    c.writer = unpacked_writer_new(store);
    const ptl_status status = c.writer ? check_tables(&c, err) : error_nomem(err);
    unpacked_writer_free(c.writer);
    return status;
}

/* ---- making the tables anew ---- */

/* Writes the rows of the next chunk. *id becomes that chunk, even if it was left out; *row is
 * false if there was none. */
static ptl_status renew_next(bool *row, int64_t *id, const checking *c, stmt *next,
                             ptl_error *err)
{
    static const char note[] = "INSERT INTO main.unpacked_chunk VALUES (?, ?, ?)";
    const int64_t tables = c->present;
    chunk_info info = {.id = 0};
    uint64_t rows = 0;
    ptl_error local = {0};
    stmt_bind_int(next, 1, *id);
    TRY(stmt_step(next, row, err));
    if (!*row)
        return PTL_OK;
    TRY(stmt_next_id(next, id, "chunk", err));
    ptl_status status = chunk_info_read(&info, next, &local);
    THEN(status, unpacked_write(c->writer, c->present, &info, next, &rows, &local));
    if (is_soft(status, &local))
        return unpacked_erase(c->writer, c->present, *id, err);
    if (status != PTL_OK)
        return error_copy(err, &local);
    stmt *s = NULL;
    status = stmt_prepare(&s, c->store, note, err);
    if (status == PTL_OK) {
        stmt_bind_ints(s, (const int64_t[]){*id, stmt_int(next, CHUNK_COLUMN_CHECKSUM), tables},
                       3);
        status = stmt_run(s, err);
    }
    stmt_free(s);
    return status;
}

ptl_status unpacked_renew(ptl_store *store, unpacked_pause *pause, void *payload,
                          ptl_error *err)
{
    checking c = {.store = store};
    bool chunks = false;
    TRY(find_present(&c.present, &chunks, store, err));
    if (c.present == 0)
        return PTL_OK;
    /* Dropping the tables also removes rows of chunks that no longer exist. */
    TRY(unpacked_remove(store, c.present, true, err));
    TRY(unpacked_create(store, c.present, err));
    stmt *next = NULL;
    int64_t id = INT64_MIN;
    c.writer = unpacked_writer_new(c.store);
    ptl_status status = c.writer ? next_chunk(&next, c.store, true, err) : error_nomem(err);
    for (bool row = true; row && status == PTL_OK;) {
        status = renew_next(&row, &id, &c, next, err);
        stmt_reset(next);
        if (status == PTL_OK && row)
            status = pause(payload, err);
    }
    stmt_free(next);
    unpacked_writer_free(c.writer);
    for (int part = 0; part < PTL_INDEX_PARTS && status == PTL_OK; part++)
        if (c.present >> part & 1)
            status = unpacked_add_index(c.store, part, err);
    return status;
}
