/* Rows of worlds and runs. */
#include "core/error.h"
#include "core/suggest.h"
#include "os/clock.h"
#include "portolan/generate.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/no_such.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/rows/settings_rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- worlds ---- */

static ptl_status read_world(world_row *out, const stmt *s, ptl_error *err)
{
    out->id = stmt_int(s, WORLD_COLUMN_ID);
    out->name = strdup(stmt_text(s, WORLD_COLUMN_NAME));
    out->seed = (uint64_t)stmt_int(s, WORLD_COLUMN_SEED);
    return out->name ? settings_read(out, s, WORLD_COLUMN_REGION, err) : error_nomem(err);
}

/* Names that there are instead. */
typedef struct other_names {
    bytes list; /* the first ones */
    size_t count;
    suggestion near;
    char best[128]; /* what near has, copied */
} other_names;

static void add_name(other_names *o, const char *name)
{
    enum { SHOWN = 10 };
    if (o->count++ < SHOWN)
        bytes_printf(&o->list, "%s'%s'", o->count > 1 ? ", " : "", name);
    else if (o->count == SHOWN + 1)
        bytes_put_text(&o->list, ", ...");
    if (!o->near.wanted || strlen(name) >= sizeof o->best)
        return;
    suggest_offer(&o->near, name);
    if (o->near.best == name) {
        memcpy(o->best, name, strlen(name) + 1);
        o->near.best = o->best;
    }
}

static ptl_status say_others(other_names *o, const char *noun, const char *name, ptl_error *err)
{
    const char *list = bytes_text(&o->list);
    if (o->count == 0)
        return error_set(err, PTL_ERR_NOT_FOUND, "the file holds no %s yet", noun);
    if (!name)
        return error_set(err, PTL_ERR_NOT_FOUND, "the file holds several %ss, name one of %s",
                         noun, list ? list : "them");
    const char *near = o->count > 1 ? o->near.best : NULL;
    return error_set(err, PTL_ERR_NOT_FOUND, "no %s '%s'%s%s%s; the file holds %s", noun, name,
                     near ? ", did you mean '" : "", near ? near : "", near ? "'" : "",
                     list ? list : "others");
}

ptl_status no_such_row(ptl_store *store, stmt_id id, const char *noun, const char *name,
                       ptl_error *err)
{
    other_names others = {.count = 0};
    stmt *s = NULL;
    ptl_status status = stmt_prepared(&s, store, id, err);
    bytes_init(&others.list);
    if (name)
        suggest_begin_loose(&others.near, name);
    if (status == PTL_OK)
        stmt_bind_null(s, 1);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            add_name(&others, stmt_text(s, 1));
    }
    if (status == PTL_OK)
        status = say_others(&others, noun, name, err);
    bytes_dispose(&others.list);
    return status;
}

ptl_status sqlite_world_find(world_row *out, ptl_store *store, const char *name, ptl_error *err)
{
    memset(out, 0, sizeof *out);
    row_scratch *scratch;
    stmt *s = NULL;
    bool row = false, second = false;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = stmt_prepared(&s, store, STMT_WORLD_READ, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_text(s, 1, name);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        status = row_verify(scratch, s, TABLE_WORLD, err);
    if (status == PTL_OK && row)
        status = read_world(out, s, err);
    if (status == PTL_OK && row)
        status = stmt_step(s, &second, err);
    stmt_reset(s);
    if (status == PTL_OK && (!row || second))
        status = no_such_row(store, STMT_WORLD_READ, "world", name, err);
    if (status != PTL_OK)
        world_row_dispose(out);
    return status;
}

static ptl_status world_exists(bool *exists, ptl_store *store, const char *name, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepared(&s, store, STMT_WORLD_READ, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_text(s, 1, name);
    status = stmt_step(s, exists, err);
    stmt_reset(s);
    return status;
}

static ptl_status insert_world(ptl_store *store, row_scratch *scratch, const world_row *row,
                               int64_t id, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_WORLD);
    char created[32];
    clock_now(created);
    row_value v[WORLD_COLUMN_COUNT] = {[WORLD_COLUMN_ID] = row_int(id),
                                       [WORLD_COLUMN_NAME] = row_text(row->name),
                                       [WORLD_COLUMN_SEED] = row_int(seed_to_sql(row->seed)),
                                       [WORLD_COLUMN_CREATED_AT] = row_text(created)};
    settings_values(&v[WORLD_COLUMN_REGION], row);
    ptl_status status = row_seal(v, t, &scratch->sum, err);
    return status == PTL_OK ? row_insert(store, STMT_WORLD_INSERT, t, v, err) : status;
}

ptl_status sqlite_world_insert(int64_t *id, ptl_store *store, const world_row *row,
                               ptl_error *err)
{
    row_scratch *scratch;
    bool exists = false;
    int64_t own = 0;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = world_exists(&exists, store, row->name, err);
    if (status == PTL_OK && exists)
        return error_set(err, PTL_ERR_EXISTS, "a world '%s' exists already", row->name);
    if (status == PTL_OK)
        status = row_new_id(&own, store, STMT_WORLD_NEXT_ID, "world", err);
    if (status == PTL_OK)
        status = insert_world(store, scratch, row, own, err);
    if (id)
        *id = own;
    return status;
}

/* Computes the checksum of a world that is renewed; s is the row as it is. Its other columns go
 * into the new checksum as they are. */
static ptl_status renewed_checksum(int64_t *out, row_scratch *scratch, const stmt *s,
                                   int32_t generator_version, int64_t content_id,
                                   ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_WORLD);
    row_value v[WORLD_COLUMN_COUNT];
    row_take(v, t, s);
    v[WORLD_COLUMN_GENERATOR_VERSION] = row_int(generator_version);
    v[WORLD_COLUMN_CONTENT_ID] = row_int(content_id);
    ptl_status status = row_seal(v, t, &scratch->sum, err);
    *out = v[WORLD_COLUMN_CHECKSUM].integer;
    return status;
}

static ptl_status update_world(ptl_store *store, int64_t world_id, int32_t generator_version,
                               int64_t content_id, int64_t sum, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status =
        stmt_prepare(&s, store,
                     "UPDATE world SET generator_version = ?2, content_id = ?3, "
                     "checksum = ?4 WHERE id = ?1",
                     err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, world_id);
    stmt_bind_int(s, 2, generator_version);
    stmt_bind_int(s, 3, content_id);
    stmt_bind_int(s, 4, sum);
    status = stmt_run(s, err);
    stmt_free(s);
    return status;
}

ptl_status sqlite_world_renew(ptl_store *store, int64_t world_id, int32_t generator_version,
                              int64_t content_id, ptl_error *err)
{
    row_scratch *scratch;
    stmt *s = NULL;
    bool row = false;
    int64_t sum = 0;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = stmt_prepare(&s, store, row_table_of(TABLE_WORLD)->one, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, world_id);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no world %lld", (long long)world_id);
    if (status == PTL_OK)
        status = row_verify(scratch, s, TABLE_WORLD, err);
    if (status == PTL_OK)
        status = renewed_checksum(&sum, scratch, s, generator_version, content_id, err);
    stmt_free(s);
    return status == PTL_OK
               ? update_world(store, world_id, generator_version, content_id, sum, err)
               : status;
}

ptl_status sqlite_world_count(uint64_t *out, ptl_store *store, ptl_error *err)
{
    int64_t count = 0;
    ptl_status status = stmt_ask(&count, store, "SELECT count(*) FROM world", NULL, 0, err);
    *out = (uint64_t)count;
    return status;
}

ptl_status sqlite_world_visit(ptl_store *store, world_visit *visit, void *payload,
                              ptl_error *err)
{
    row_scratch *scratch;
    stmt *s = NULL;
    bool row = true;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = stmt_prepare(&s, store,
                              "SELECT " WORLD_COLUMNS " FROM main.world ORDER BY name", err);
    while (status == PTL_OK && (status = stmt_step(s, &row, err)) == PTL_OK && row) {
        world_row world = {.id = 0};
        status = row_verify(scratch, s, TABLE_WORLD, err);
        if (status == PTL_OK)
            status = read_world(&world, s, err);
        if (status == PTL_OK)
            status = visit(payload, &world, err);
        world_row_dispose(&world);
    }
    stmt_free(s);
    return status;
}

/* ---- runs ---- */

/* One that has not ended. */
ptl_status run_row_put(ptl_store *store, int64_t id, int64_t world_id, const char *command,
                       const char *content_digest, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_RUN);
    row_scratch *scratch;
    char started[32];
    clock_now(started);
    row_value v[RUN_COLUMN_COUNT] = {[RUN_COLUMN_ID] = row_int(id),
                                     [RUN_COLUMN_WORLD_ID] = row_int(world_id),
                                     [RUN_COLUMN_COMMAND] = row_text(command),
                                     [RUN_COLUMN_STARTED] = row_text(started),
                                     [RUN_COLUMN_GENERATOR_VERSION] =
                                         row_int(PTL_GENERATOR_VERSION),
                                     [RUN_COLUMN_CONTENT_DIGEST] = row_text(content_digest),
                                     [RUN_COLUMN_PORTOLAN_VERSION] = row_text(ptl_version())};
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = row_seal(v, t, &scratch->sum, err);
    return status == PTL_OK ? row_insert(store, STMT_RUN_INSERT, t, v, err) : status;
}

static ptl_status current_content(char digest_hex[65], ptl_store *store, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    digest_hex[0] = '\0';
    ptl_status status = stmt_prepared(&s, store, STMT_CONTENT_DIGEST, err);
    if (status == PTL_OK)
        status = stmt_step(s, &row, err);
    if (status == PTL_OK && row) {
        const char *text = stmt_text(s, 0);
        size_t length = strlen(text) < 64 ? strlen(text) : 64;
        memcpy(digest_hex, text, length);
        digest_hex[length] = '\0';
    }
    if (s)
        stmt_reset(s);
    return status;
}

static ptl_status insert_run(int64_t *run_id, ptl_store *store, int64_t world_id,
                             const char *command, ptl_error *err)
{
    char content[65] = "";
    int64_t id = 0;
    ptl_status status = current_content(content, store, err);
    if (status == PTL_OK)
        status = row_new_id(&id, store, STMT_RUN_NEXT_ID, "run", err);
    if (status == PTL_OK)
        status = run_row_put(store, id, world_id, command, content, err);
    if (status == PTL_OK)
        *run_id = id;
    return status;
}

ptl_status sqlite_run_begin(int64_t *run_id, ptl_store *store, int64_t world_id,
                            const char *command, ptl_error *err)
{
    bool own;
    ptl_status status = sqlite_begin_own(store, &own, err);
    if (status == PTL_OK)
        status = insert_run(run_id, store, world_id, command, err);
    return sqlite_end_own(store, own, status, err);
}

/* What is known of a run when it ends. */
typedef struct run_end {
    int64_t id, chunks;
    double seconds;
    char ended[32];
    const char *outcome;
} run_end;

static ptl_status update_run(ptl_store *store, const run_end *r, int64_t sum, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepared(&s, store, STMT_RUN_END, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, r->id);
    stmt_bind_text(s, 2, r->ended);
    stmt_bind_int(s, 3, r->chunks);
    stmt_bind_double(s, 4, r->seconds);
    stmt_bind_text(s, 5, r->outcome);
    stmt_bind_int(s, 6, sum);
    return stmt_run(s, err);
}

/* Computes the checksum of a run that has ended; s is the row as it is. */
static ptl_status ended_checksum(int64_t *out, row_scratch *scratch, const stmt *s,
                                 const run_end *r, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_RUN);
    row_value v[RUN_COLUMN_COUNT];
    row_take(v, t, s);
    v[RUN_COLUMN_ENDED] = row_text(r->ended);
    v[RUN_COLUMN_CHUNKS] = row_int(r->chunks);
    v[RUN_COLUMN_SECONDS] = row_real(r->seconds);
    v[RUN_COLUMN_OUTCOME] = row_text(r->outcome);
    ptl_status status = row_seal(v, t, &scratch->sum, err);
    *out = v[RUN_COLUMN_CHECKSUM].integer;
    return status;
}

static ptl_status end_run(ptl_store *store, const run_end *r, ptl_error *err)
{
    row_scratch *scratch;
    stmt *s = NULL;
    bool row = false;
    int64_t sum = 0;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = stmt_prepared(&s, store, STMT_RUN_READ, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, r->id);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no run %lld", (long long)r->id);
    if (status == PTL_OK)
        status = row_verify(scratch, s, TABLE_RUN, err);
    if (status == PTL_OK)
        status = ended_checksum(&sum, scratch, s, r, err);
    stmt_reset(s);
    return status == PTL_OK ? update_run(store, r, sum, err) : status;
}

ptl_status sqlite_run_count(uint64_t *chunks, ptl_store *store, int64_t run_id, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    ptl_status status =
        stmt_prepare(&s, store, "SELECT count(*) FROM main.chunk WHERE run_id = ?", err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, run_id);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK)
        *chunks = (uint64_t)stmt_int(s, 0);
    stmt_free(s);
    return status;
}

ptl_status sqlite_run_end(ptl_store *store, int64_t run_id, uint64_t chunks, double seconds,
                          const char *outcome, ptl_error *err)
{
    run_end r = {
        .id = run_id, .chunks = (int64_t)chunks, .seconds = seconds, .outcome = outcome};
    clock_now(r.ended);
    bool own;
    ptl_status status = sqlite_begin_own(store, &own, err);
    if (status == PTL_OK)
        status = end_run(store, &r, err);
    return sqlite_end_own(store, own, status, err);
}

ptl_status sqlite_run_visit(ptl_store *store, int64_t world_id, uint64_t most, run_visit *visit,
                            void *payload, ptl_error *err)
{
    row_scratch *scratch;
    stmt *s = NULL;
    bool row = true;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = stmt_prepare(&s, store,
                              "SELECT " RUN_COLUMNS " FROM main.run WHERE ?1 = 0 OR "
                              "world_id = ?1 ORDER BY id DESC LIMIT ?2",
                              err);
    if (status == PTL_OK) {
        stmt_bind_int(s, 1, world_id);
        stmt_bind_int(s, 2, most < INT64_MAX ? (int64_t)most : INT64_MAX);
    }
    while (status == PTL_OK && (status = stmt_step(s, &row, err)) == PTL_OK && row) {
        const run_row run = {.id = stmt_int(s, RUN_COLUMN_ID),
                             .world_id = stmt_int(s, RUN_COLUMN_WORLD_ID),
                             .command = stmt_text(s, RUN_COLUMN_COMMAND),
                             .started = stmt_text(s, RUN_COLUMN_STARTED),
                             .outcome = stmt_is_null(s, RUN_COLUMN_OUTCOME)
                                            ? NULL
                                            : stmt_text(s, RUN_COLUMN_OUTCOME),
                             .chunks = (uint64_t)stmt_int(s, RUN_COLUMN_CHUNKS),
                             .seconds = stmt_double(s, RUN_COLUMN_SECONDS)};
        status = row_verify(scratch, s, TABLE_RUN, err);
        if (status == PTL_OK)
            status = visit(payload, &run, err);
    }
    stmt_free(s);
    return status;
}
