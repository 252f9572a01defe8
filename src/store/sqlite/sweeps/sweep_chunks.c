/* Rows of tables sweep and sweep_chunk. A sweep is read a few overmaps at a time, each time in
 * a snapshot of its own, so that a writer waits only while these few are read. */
#include "codec/summary_codec.h"
#include "core/error.h"
#include "core/settings.h"
#include "os/clock.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/sweeps/sweep_rows.h"

#include <assert.h>
#include <string.h>

/* ---- reading table sweep ---- */

static ptl_status take_sweep(void *payload, const stmt *s, ptl_error *err)
{
    sweep_row *out = payload;
    out->id = stmt_int(s, SWEEP_COLUMN_ID);
    out->name = strdup(stmt_text(s, SWEEP_COLUMN_NAME));
    return out->name ? settings_read(&out->settings, s, SWEEP_COLUMN_NAME + 1,
                                     SETTINGS_OF_SWEEPS, err)
                     : error_nomem(err);
}

static const named_rows sweeps = {STMT_SWEEP_READ, TABLE_SWEEP, "sweep", take_sweep};

static ptl_status sqlite_sweep_find(sweep_row *out, ptl_store *store, const char *name,
                                    ptl_error *err)
{
    memset(out, 0, sizeof *out);
    ptl_status status = row_find_named(out, store, &sweeps, name, err);
    if (status != PTL_OK)
        sweep_row_dispose(out);
    return status;
}

static ptl_status sqlite_sweep_visit(ptl_store *store, sweep_row_visit *visit, void *payload,
                                     ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status =
        stmt_prepare(&s, store, "SELECT " SWEEP_COLUMNS " FROM main.sweep ORDER BY name", err);
    while (stmt_row(s, &status, err)) {
        sweep_row sweep = {.id = 0};
        status = row_verify(s, TABLE_SWEEP, err);
        THEN(status, take_sweep(&sweep, s, err));
        THEN(status, visit(payload, &sweep, err));
        sweep_row_dispose(&sweep);
    }
    stmt_free(s);
    return status;
}

/* ---- writing table sweep ---- */

static ptl_status sqlite_sweep_insert(ptl_store *store, sweep_row *row, ptl_error *err)
{
    TRY(row_refuse_named(store, &sweeps, row->name, err));
    TRY(row_new_id(&row->id, store, TABLE_SWEEP, err));
    char created[32];
    clock_now(created);
    row_value v[SWEEP_COLUMN_COUNT] = {[SWEEP_COLUMN_ID] = row_int(row->id),
                                       [SWEEP_COLUMN_NAME] = row_text(row->name),
                                       [SWEEP_COLUMN_CREATED_AT] = row_text(created)};
    settings_values(&v[SWEEP_COLUMN_NAME + 1], &row->settings, SETTINGS_OF_SWEEPS);
    return row_put(store, TABLE_SWEEP, v, err);
}

static ptl_status sqlite_sweep_delete(ptl_store *store, int64_t sweep_id, ptl_error *err)
{
    TRY(stmt_do(store, "DELETE FROM sweep_chunk WHERE sweep_id = ?", STMT_VALUES(sweep_id),
                err));
    return stmt_do(store, "DELETE FROM sweep WHERE id = ?", STMT_VALUES(sweep_id), err);
}

static ptl_status sqlite_sweep_count(uint64_t *out, ptl_store *store, ptl_error *err)
{
    return stmt_count(out, store, "SELECT count(*) FROM sweep", NULL, 0, err);
}

/* ---- table sweep_chunk ---- */

static ptl_status sqlite_sweep_chunk_has(bool *has, ptl_store *store, int64_t sweep_id,
                                         uint64_t seed, ptl_chunk_pos pos, ptl_error *err)
{
    stmt *s;
    ptl_status status = stmt_find(&s, has, store, STMT_SWEEP_CHUNK_FIND,
                                  STMT_VALUES(sweep_id, seed_to_sql(seed), pos.x, pos.y), err);
    stmt_reset(s);
    return status;
}

/* Counts a sweep's overmaps and its different seeds, and finds the least and the greatest seed.
 * Seeds are unsigned but stored as signed numbers, so seeds from 2^63 on are negative in SQL.
 */
static ptl_status sqlite_sweep_chunk_total(sweep_totals *out, ptl_store *store,
                                           int64_t sweep_id, ptl_error *err)
{
    stmt *s = NULL;
    *out = (sweep_totals){.overmaps = 0};
    ptl_status status = stmt_query(&s, store,
                                   "SELECT count(*), count(DISTINCT seed), "
                                   "coalesce(min(seed) FILTER (WHERE seed >= 0), min(seed)), "
                                   "coalesce(max(seed) FILTER (WHERE seed < 0), max(seed)) "
                                   "FROM main.sweep_chunk WHERE sweep_id = ?",
                                   STMT_VALUES(sweep_id), err);
    if (stmt_row(s, &status, err))
        *out = (sweep_totals){(uint64_t)stmt_int(s, 0), (uint64_t)stmt_int(s, 1),
                              (uint64_t)stmt_int(s, 2), (uint64_t)stmt_int(s, 3)};
    stmt_free(s);
    return status;
}

/* ---- writing table sweep_chunk ---- */

static_assert((int)SWEEP_CHUNK_COLUMN_COUNT ==
                  (int)SWEEP_CHUNK_COLUMN_SPECIALS + (int)SUMMARY_PACKS,
              "a blob for each pack");

static ptl_status sqlite_sweep_chunk_insert(ptl_store *store, int64_t sweep_id, uint64_t seed,
                                            ptl_chunk_pos pos, const encoded_summary *e,
                                            ptl_error *err)
{
    int64_t id = 0;
    bytes blobs[SUMMARY_PACKS] = {{0}};
    ptl_status status =
        stmt_run_with(store, STMT_SWEEP_CHUNK_DELETE,
                      STMT_VALUES(sweep_id, seed_to_sql(seed), pos.x, pos.y), err);
    THEN(status, row_new_id(&id, store, TABLE_SWEEP_CHUNK, err));
    for (int i = 0; i < SUMMARY_PACKS && status == PTL_OK; i++)
        status = names_put_pack(&blobs[i], store, &e->packs[i], err);
    row_value v[SWEEP_CHUNK_COLUMN_COUNT] = {[SWEEP_CHUNK_COLUMN_ID] = row_int(id),
                                             [SWEEP_CHUNK_COLUMN_SWEEP_ID] = row_int(sweep_id),
                                             [SWEEP_CHUNK_COLUMN_SEED] =
                                                 row_int(seed_to_sql(seed)),
                                             [SWEEP_CHUNK_COLUMN_X] = row_int(pos.x),
                                             [SWEEP_CHUNK_COLUMN_Y] = row_int(pos.y)};
    for (int i = 0; i < SUMMARY_PACKS; i++)
        v[SWEEP_CHUNK_COLUMN_SPECIALS + i] = row_blob(blobs[i].data, blobs[i].size);
    THEN(status, row_put(store, TABLE_SWEEP_CHUNK, v, err));
    for (int i = 0; i < SUMMARY_PACKS; i++)
        bytes_dispose(&blobs[i]);
    return status;
}

/* ---- reading table sweep_chunk ---- */

enum { PLACE_MAX = 1 << 22 }; /* greatest chunk coordinate that the schema allows */

ptl_status sweep_chunk_parse(summary *out, ptl_store *store, const stmt *s, uint32_t parts,
                             ptl_error *err)
{
    const int64_t x = stmt_int(s, SWEEP_CHUNK_COLUMN_X), y = stmt_int(s, SWEEP_CHUNK_COLUMN_Y);
    memset(out, 0, sizeof *out);
    if (x < -PLACE_MAX || x > PLACE_MAX || y < -PLACE_MAX || y > PLACE_MAX)
        return error_set(err, PTL_ERR_CORRUPT, "its place is out of range");
    out->pos = (ptl_chunk_pos){(int32_t)x, (int32_t)y};
    out->parts = parts & PTL_COUNT_ALL;
    out->memory = arena_new();
    TRY(out->memory ? names_refresh(store, err) : error_nomem(err));
    const pack_reader reader = {.codec = store->scratch->codec,
                                .table = &store->scratch->pack,
                                .limit = names_size(store),
                                .name = names_text,
                                .names = store};
    for (int i = 0; i < SUMMARY_PACKS; i++) {
        const pack_kind kind = (pack_kind)(PACK_SUMMARY_FIRST + i);
        size_t size;
        const void *blob = stmt_blob(s, SWEEP_CHUNK_COLUMN_SPECIALS + i, &size);
        if (summary_part_of(kind) & parts)
            TRY(summary_list_read(out, &reader, kind, blob, size, err));
    }
    const char *problem = summary_problem(out);
    return problem ? error_set(err, PTL_ERR_CORRUPT, "%s", problem) : PTL_OK;
}

/* State of reading a sweep. Seeds that are not negative in SQL are read first, from 0 up, then
 * the negative ones. */
typedef struct sweep_reader {
    ptl_store *store;
    int64_t sweep_id;
    uint32_t parts;
    sweep_visit *visit;
    void *payload;
    int64_t seed, x, y; /* seed and place of the overmap that was read last */
    bool upper;         /* seeds from 2^63 on, which are negative in SQL, are being read */
    bool end; /* all seeds of this half (below 2^63, or from there on) have been read */
} sweep_reader;

/* Sets the reader's seed and place to those of the row. PTL_ERR_CORRUPT unless the row comes
 * after the row that was read before; in a damaged file it may not. */
static ptl_status go_on(sweep_reader *r, const stmt *s, ptl_error *err)
{
    const int64_t seed = stmt_int(s, SWEEP_CHUNK_COLUMN_SEED);
    const int64_t x = stmt_int(s, SWEEP_CHUNK_COLUMN_X), y = stmt_int(s, SWEEP_CHUNK_COLUMN_Y);
    const bool after = seed != r->seed ? seed > r->seed : x != r->x ? x > r->x : y > r->y;
    if (!after)
        return error_set(err, PTL_ERR_CORRUPT, "table sweep_chunk: rows are not in order");
    r->seed = seed;
    r->x = x;
    r->y = y;
    return PTL_OK;
}

/* Reads the next few overmaps, in the caller's snapshot. */
static ptl_status read_some(sweep_reader *r, ptl_error *err)
{
    stmt *s = NULL;
    int count = 0;
    ptl_status status =
        stmt_begin(&s, r->store, STMT_SWEEP_CHUNKS,
                   STMT_VALUES(r->sweep_id, r->seed, r->x, r->y, SWEEP_CHUNKS_AT_ONCE), err);
    for (; stmt_row(s, &status, err); count++) {
        if (r->upper && stmt_int(s, SWEEP_CHUNK_COLUMN_SEED) >= 0)
            break;
        summary found = {0};
        uint64_t seed;
        status = go_on(r, s, err);
        memcpy(&seed, &r->seed, sizeof seed);
        THEN(status, row_verify(s, TABLE_SWEEP_CHUNK, err));
        if (status == PTL_OK) {
            status = sweep_chunk_parse(&found, r->store, s, r->parts, err);
            if (status != PTL_OK)
                error_prefix(err, status, "table sweep_chunk, row %lld",
                             (long long)stmt_int(s, 0));
        }
        if (status == PTL_OK && !r->visit(r->payload, seed, &found))
            status = error_set(err, PTL_ERR_CANCELLED, "stopped");
        summary_dispose(&found);
    }
    stmt_reset(s);
    r->end = count < SWEEP_CHUNKS_AT_ONCE;
    return status;
}

/* Reads the overmaps of one half of the seeds: of those below 2^63, or of the others. Rows are
 * read in the order of seed, x, y, a few in each round. Before the first round r->seed, r->x
 * and r->y are set to values before all rows. */
static ptl_status read_half(sweep_reader *r, bool upper, ptl_error *err)
{
    r->upper = upper;
    r->seed = upper ? INT64_MIN : -1;
    r->x = r->y = upper ? INT64_MIN : INT64_MAX;
    r->end = false;
    ptl_status status = PTL_OK;
    while (status == PTL_OK && !r->end) {
        bool own;
        TRY(sqlite_begin_snapshot(r->store, &own, err));
        status = read_some(r, err);
        sqlite_end_snapshot(r->store, own);
    }
    return status;
}

static ptl_status sqlite_sweep_chunk_visit(ptl_store *store, int64_t sweep_id, uint32_t parts,
                                           sweep_visit *visit, void *payload, ptl_error *err)
{
    sweep_reader r = {.store = store,
                      .sweep_id = sweep_id,
                      .parts = parts,
                      .visit = visit,
                      .payload = payload};
    TRY(read_half(&r, false, err));
    return read_half(&r, true, err);
}

const sweep_operations sqlite_sweeps = {.find = sqlite_sweep_find,
                                        .insert = sqlite_sweep_insert,
                                        .delete = sqlite_sweep_delete,
                                        .count = sqlite_sweep_count,
                                        .chunk_has = sqlite_sweep_chunk_has,
                                        .chunk_insert = sqlite_sweep_chunk_insert,
                                        .chunk_visit = sqlite_sweep_chunk_visit,
                                        .visit = sqlite_sweep_visit,
                                        .chunk_total = sqlite_sweep_chunk_total};
