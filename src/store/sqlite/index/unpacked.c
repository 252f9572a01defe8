/*
 * Updating the tables of `portolan index`. The steps are: create missing tables; remove the
 * rows of deleted chunks; then add chunk after chunk in the order of their ids, so that rows
 * are appended. If many chunks are added, SQLite's indexes on the tables are made last, because
 * adding to a table that has an index is ten times slower. Each batch is a transaction of its
 * own that lasts half a second at most, so a process that is killed keeps what it has
 * committed.
 */
#include "store/sqlite/index/unpacked.h"

#include "core/error.h"
#include "os/clock.h"
#include "portolan/index.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"

#include <stdio.h>

static const double BATCH_SECONDS = 0.5, REPORT_SECONDS = 0.1;

typedef struct updating {
    ptl_store *store;
    unpacked_writer *writer;
    uint32_t wanted, present; /* tables of `portolan index`, as bits; `wanted`: tables that are
                               * to be brought up to date; `present`: tables that exist */
    stmt *next, *note, *forget;
    int64_t after; /* id of the chunk that was processed last */
    bool more;
    bool soft; /* if true, a chunk that can't be read is left out; if false, it ends the update
                */
    const ptl_index_options *options;
    ptl_progress progress;
    ptl_index_report report;
    double started, next_report;
} updating;

/* Selects the chunks whose rows are to be written: those that `portolan index` has not unpacked
 * yet, those that have changed since, and those that lack rows in one of the tables whose bits
 * are in ?1. */
#define TO_DO                                                                                  \
    "FROM chunk c LEFT JOIN unpacked_chunk u ON u.chunk_id = c.id WHERE (u.chunk_id IS NULL "  \
    "OR u.checksum <> c.checksum OR (u.tables & ?1) <> ?1)"
enum { NEXT_SAVED = CHUNK_COLUMN_COUNT, NEXT_TABLES };

static ptl_status tell(updating *u, ptl_error *err)
{
    ptl_progress *p = &u->progress;
    p->done = u->report.added + u->report.renewed;
    p->seconds = clock_seconds() - u->started;
    p->rate = p->seconds > 0 ? (double)p->done / p->seconds : 0;
    /* This total was counted at the start. Other processes may have added chunks since. */
    if (p->total < p->done)
        p->total = p->done;
    if (u->options->on_progress && !u->options->on_progress(u->options->payload, p))
        return error_set(err, PTL_ERR_CANCELLED, "stopped; the same command goes on from here");
    return PTL_OK;
}

/* ---- creating missing tables ---- */

static ptl_status set_up(updating *u, ptl_error *err)
{
    const uint32_t parts = u->options->parts;
    bool own = false, chunks = false;
    TRY(sqlite_begin_own(u->store, &own, err));
    ptl_status status = unpacked_present(&u->present, &chunks, u->store, err);
    if (status == PTL_OK) {
        u->wanted = parts ? parts : u->present ? u->present : (uint32_t)PTL_INDEX_ALL;
        u->present |= u->wanted;
        status = unpacked_create(u->store, u->wanted, err);
    }
    return sqlite_end_own(u->store, own, status, err);
}

/* ---- removing and adding rows, in batches ---- */

/* Removes the rows of the next chunk that has rows in the tables of `portolan index` but is no
 * longer in the file. If there is none, u->more becomes false. */
static ptl_status remove_gone(updating *u, ptl_error *err)
{
    static const char gone[] = "SELECT u.chunk_id FROM unpacked_chunk u LEFT JOIN chunk c "
                               "ON c.id = u.chunk_id WHERE c.id IS NULL AND u.chunk_id > ?1 "
                               "ORDER BY u.chunk_id LIMIT 1";
    int64_t id = 0;
    ptl_status status = stmt_ask(&id, u->store, gone, STMT_VALUES(u->after), err);
    u->more = id > 0;
    if (status != PTL_OK || id <= 0)
        return status;
    u->after = id;
    status = unpacked_erase(u->writer, u->present & UNPACKED_TABLES, id, err);
    stmt_bind_int(u->forget, 1, id);
    THEN(status, stmt_run(u->forget, err));
    u->report.removed += status == PTL_OK;
    return status;
}

/* Returns true if the status means damage of one chunk, and not of the file's structure or of
 * the index itself. */
static bool is_soft(ptl_status status, const ptl_error *err)
{
    return (status == PTL_ERR_CORRUPT || status == PTL_ERR_FORMAT) && !err->backend_code;
}

/* Writes the rows of the next chunk: in all tables if the chunk has changed, otherwise in the
 * tables that lack it. */
static ptl_status do_next(updating *u, ptl_error *err)
{
    chunk_info info = {.id = 0};
    ptl_error local = {0};
    stmt_bind_ints(u->next, STMT_VALUES(u->wanted & UNPACKED_TABLES, u->after));
    TRY(stmt_step(u->next, &u->more, err));
    if (!u->more)
        return PTL_OK;
    const bool known = !stmt_is_null(u->next, NEXT_TABLES);
    const bool same = known && stmt_int(u->next, NEXT_SAVED) != 0;
    const uint32_t before = same ? (uint32_t)stmt_int(u->next, NEXT_TABLES) : 0;
    const uint32_t parts = (same ? u->wanted & ~before : u->present) & UNPACKED_TABLES;
    ptl_status status = stmt_next_id(u->next, &u->after, "chunk", &local);
    THEN(status, chunk_info_read(&info, u->next, &local));
    THEN(status, unpacked_write(u->writer, parts, &info, u->next, &local));
    if (u->soft && u->after == stmt_int(u->next, CHUNK_COLUMN_ID) && is_soft(status, &local)) {
        status = unpacked_erase(u->writer, parts, u->after, err);
    } else if (status != PTL_OK) {
        (void)error_copy(err, &local);
    } else {
        stmt_bind_ints(u->note, STMT_VALUES(info.id, stmt_int(u->next, CHUNK_COLUMN_CHECKSUM),
                                            before | parts));
        status = stmt_run(u->note, err);
        u->report.added += !known;
        u->report.renewed += known;
    }
    stmt_reset(u->next);
    return status;
}

/* Calls `one` again and again until nothing is left to do. The calls are divided into batches,
 * each of which is one transaction. */
static ptl_status run_batches(updating *u, ptl_status (*one)(updating *u, ptl_error *err),
                              ptl_error *err)
{
    ptl_status status = PTL_OK;
    u->after = 0;
    for (u->more = true; u->more && status == PTL_OK;) {
        const ptl_index_report before = u->report;
        const double end = clock_seconds() + BATCH_SECONDS;
        bool own = false;
        TRY(sqlite_begin_own(u->store, &own, err));
        while (status == PTL_OK && u->more && clock_seconds() < end)
            status = one(u, err);
        status = sqlite_end_own(u->store, own, status, err);
        if (status != PTL_OK)
            u->report = before; /* a batch that was rolled back does not count in the report */
        else
            status = tell(u, err);
    }
    return status;
}

/* ---- making SQLite's indexes, and the whole update ---- */

/* Asks the caller's on_progress whether to end the running statement. It is asked only every
 * 0.1 s, since it may redraw a line of progress each time. */
static bool ends_index(void *payload)
{
    updating *u = payload;
    const double at = clock_seconds();
    if (at < u->next_report)
        return false;
    u->next_report = at + REPORT_SECONDS;
    return u->options->on_progress &&
           !u->options->on_progress(u->options->payload, &u->progress);
}

/* Makes the missing indexes of SQLite's on the tables. Each is made by one statement, which can
 * be stopped but not resumed. The rows that it sorts do not fit into memory, so SQLite sorts
 * them in a temporary file. */
static ptl_status add_indexes(updating *u, ptl_error *err)
{
    ptl_status status = sqlite_exec(u->store, "PRAGMA temp_store = FILE", err);
    ticker *watch = interrupt_watch(u->store);
    interrupt_follow(u->store, ends_index, u);
    for (int part = 0; part < PTL_INDEX_PARTS && status == PTL_OK; part++)
        if (u->present >> part & 1)
            status = unpacked_add_index(u->store, part, err);
    interrupt_follow(u->store, NULL, NULL);
    ticker_end(watch);
    if (status != PTL_OK && err && (err->backend_code & 0xff) == SQLITE_INTERRUPT)
        status = err->status = PTL_ERR_CANCELLED;
    ptl_status after = sqlite_exec(u->store, "PRAGMA temp_store = MEMORY", NULL);
    return status == PTL_OK && after != PTL_OK ? error_nomem(err) : status;
}

/* Prepares the statements that do_next and remove_gone use. */
static ptl_status updating_begin(updating *u, ptl_error *err)
{
    static const char next[] =
        "SELECT " CHUNK_COLUMNS ", u.chunk_id IS NOT NULL AND "
        "u.checksum = c.checksum, u.tables " TO_DO " AND c.id > ?2 ORDER BY c.id LIMIT 1";
    u->writer = unpacked_writer_new(u->store, &u->report.rows);
    TRY(u->writer ? PTL_OK : error_nomem(err));
    TRY(stmt_prepare(&u->next, u->store, next, err));
    TRY(stmt_prepare(&u->note, u->store,
                     "INSERT OR REPLACE INTO unpacked_chunk VALUES (?, ?, ?)", err));
    return stmt_prepare(&u->forget, u->store, "DELETE FROM unpacked_chunk WHERE chunk_id = ?",
                        err);
}

static void updating_end(updating *u)
{
    stmt_free(u->next);
    stmt_free(u->note);
    stmt_free(u->forget);
    unpacked_writer_free(u->writer);
}

static ptl_status update_tables(updating *u, ptl_error *err)
{
    int64_t chunks = 0, to_do = 0;
    TRY(updating_begin(u, err));
    TRY(stmt_ask(&chunks, u->store, "SELECT count(*) FROM chunk", NULL, 0, err));
    TRY(stmt_ask(&to_do, u->store, "SELECT count(*) " TO_DO,
                 STMT_VALUES(u->wanted & UNPACKED_TABLES), err));
    u->report.chunks = (uint64_t)chunks;
    u->progress.total = (uint64_t)to_do;
    /* If many chunks are to be added, SQLite's indexes on the tables are dropped first;
     * add_indexes makes them again. */
    if (u->progress.total * 4 > u->report.chunks) {
        bool own = false;
        TRY(sqlite_begin_own(u->store, &own, err));
        const ptl_status status = unpacked_drop_indexes(u->store, u->present, err);
        TRY(sqlite_end_own(u->store, own, status, err));
    }
    TRY(run_batches(u, remove_gone, err));
    return run_batches(u, do_next, err);
}

static ptl_status sqlite_index_update(ptl_store *store, const ptl_index_options *options,
                                      ptl_index_report *report, ptl_error *err)
{
    updating u = {.store = store,
                  .options = options,
                  .report = PTL_INDEX_REPORT_INIT,
                  .progress = {.size = sizeof(ptl_progress)},
                  .started = clock_seconds()};
    ptl_status status = set_up(&u, err);
    if (status == PTL_OK && u.present & UNPACKED_TABLES)
        status = update_tables(&u, err);
    THEN(status, add_indexes(&u, err));
    u.report.seconds = clock_seconds() - u.started;
    *report = u.report;
    updating_end(&u);
    return status;
}

/* ---- dropping tables ---- */

static ptl_status count_parts(int *found, uint32_t *left, ptl_store *store, uint32_t parts,
                              ptl_error *err)
{
    static const char sql[] =
        "SELECT count(*) FROM sqlite_schema WHERE name = 'unpacked_' || ?1";
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store, sql, err);
    *found = 0;
    *left = 0;
    for (int part = 0; part < PTL_INDEX_PARTS && status == PTL_OK; part++) {
        stmt_bind_text(s, 1, ptl_index_part_name(part));
        const bool there = stmt_row(s, &status, err) && stmt_int(s, 0) > 0;
        stmt_reset(s);
        *found += there && parts >> part & 1;
        if (there && !(parts >> part & 1))
            *left |= UINT32_C(1) << part;
    }
    stmt_free(s);
    return status;
}

static ptl_status sqlite_index_drop(ptl_store *store, uint32_t parts, int *found,
                                    ptl_error *err)
{
    uint32_t left = 0, there = 0;
    bool own = false, chunks = false;
    TRY(sqlite_begin_own(store, &own, err));
    ptl_status status = count_parts(found, &left, store, parts, err);
    const bool last = !(left & UNPACKED_TABLES);
    THEN(status, unpacked_remove(store, parts, last, err));
    if (status == PTL_OK && !last)
        status = unpacked_present(&there, &chunks, store, err);
    if (status == PTL_OK && chunks)
        status = stmt_do(store, "UPDATE unpacked_chunk SET tables = tables & ~?",
                         STMT_VALUES(parts & UNPACKED_TABLES), err);
    return sqlite_end_own(store, own, status, err);
}

/* ---- counting chunks ---- */

static ptl_status sqlite_index_look(ptl_store *store, int64_t world_id, ptl_index_state *out,
                                    ptl_error *err)
{
    static const char sql[] =
        "SELECT count(*), coalesce(sum(u.checksum = c.checksum), 0), "
        "coalesce(sum(u.checksum <> c.checksum), 0) FROM main.chunk c "
        "LEFT JOIN main.unpacked_chunk u ON u.chunk_id = c.id WHERE c.world_id = ?";
    int64_t made = 0;
    stmt *s = NULL;
    TRY(stmt_ask(&made, store,
                 "SELECT count(*) FROM main.sqlite_schema WHERE name = 'unpacked_chunk'", NULL,
                 0, err));
    if (made == 0)
        return PTL_OK;
    ptl_status status = stmt_query(&s, store, sql, STMT_VALUES(world_id), err);
    if (stmt_row(s, &status, err)) {
        out->made = 1;
        out->chunks = (uint64_t)stmt_int(s, 0);
        out->indexed = (uint64_t)stmt_int(s, 1);
        out->changed = (uint64_t)stmt_int(s, 2);
        out->missing = out->chunks - out->indexed - out->changed;
    }
    stmt_free(s);
    return status;
}

typedef struct checking {
    ptl_store *store;
    unpacked_writer *writer; /* owned */
    uint32_t present;        /* bits of those tables of `portolan index` that exist */
    unpacked_problem *found;
    void *payload;
} checking;

static void check_tell(const checking *c, int part, const char *message)
{
    char where[64];
    snprintf(where, sizeof where, "table unpacked_%s", ptl_index_part_name(part));
    c->found(c->payload, where, message);
}

/* Looks for rows of one table of `portolan index` that should not be there: rows of chunks for
 * which the table unpacked_chunk does not say that they have rows in that table. */
static ptl_status check_strays(const checking *c, int part, ptl_error *err)
{
    char sql[256], message[96];
    int64_t strays = 0;
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM main.unpacked_%s t WHERE NOT EXISTS (SELECT 1 FROM "
             "main.unpacked_chunk u WHERE u.chunk_id = t.chunk_id AND u.tables >> ?1 & 1)",
             ptl_index_part_name(part));
    TRY(stmt_ask(&strays, c->store, sql, STMT_VALUES(part), err));
    if (strays > 0) {
        snprintf(message, sizeof message, "%lld rows are of chunks that it does not have",
                 (long long)strays);
        check_tell(c, part, message);
    }
    return PTL_OK;
}

/* Finds the tables of `portolan index` that the file has. If one of them is not what this
 * version makes, the tables belong to somebody else, and *present is 0. */
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
    /* Counts rows of unpacked_chunk that are wrong: a row's `tables` says in which tables the
     * chunk's rows are, and one of these is missing; or a value is no integer. */
    static const char sql[] =
        "SELECT count(*) FROM main.unpacked_chunk WHERE typeof(checksum) <> 'integer' OR "
        "typeof(tables) <> 'integer' OR tables & ~?1 <> 0";
    int64_t odd = 0;
    TRY(stmt_ask(&odd, c->store, sql, STMT_VALUES(c->present), err));
    if (odd > 0)
        c->found(c->payload, "table unpacked_chunk", "it names tables that are not there");
    for (int part = 0; part < PTL_INDEX_PARTS; part++)
        if (c->present >> part & 1)
            TRY(check_strays(c, part, err));
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(
        &s, c->store,
        "SELECT " CHUNK_COLUMNS ", u.tables FROM main.chunk c CROSS JOIN main.unpacked_chunk u "
        "ON u.chunk_id = c.id AND u.checksum = c.checksum WHERE c.id > ? ORDER BY c.id LIMIT 1",
        err);
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
                check_tell(c, part, message);
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
    uint64_t rows = 0;
    c.writer = unpacked_writer_new(store, &rows);
    const ptl_status status = c.writer ? check_tables(&c, err) : error_nomem(err);
    unpacked_writer_free(c.writer);
    return status;
}

/* ---- making the tables anew ---- */

ptl_status unpacked_renew(ptl_store *store, unpacked_pause *pause, void *payload,
                          ptl_error *err)
{
    updating u = {.store = store, .more = true, .soft = true};
    bool chunks = false;
    TRY(find_present(&u.present, &chunks, store, err));
    if (u.present == 0)
        return PTL_OK;
    u.wanted = u.present;
    u.after = INT64_MIN;
    /* Dropping all tables also removes the rows of chunks that no longer exist. */
    TRY(unpacked_remove(store, u.present, true, err));
    TRY(unpacked_create(store, u.present, err));
    ptl_status status = updating_begin(&u, err);
    while (status == PTL_OK && u.more) {
        status = do_next(&u, err);
        if (status == PTL_OK && u.more)
            status = pause(payload, err);
    }
    updating_end(&u);
    for (int part = 0; part < PTL_INDEX_PARTS && status == PTL_OK; part++)
        if (u.present >> part & 1)
            status = unpacked_add_index(store, part, err);
    return status;
}

const index_operations sqlite_indexes = {
    .update = sqlite_index_update, .drop = sqlite_index_drop, .look = sqlite_index_look};
