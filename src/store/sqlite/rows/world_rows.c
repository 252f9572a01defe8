/* Rows of worlds and runs. */
#include "core/error.h"
#include "os/clock.h"
#include "portolan/generate.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
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
    return out->name ? settings_read(out, s, WORLD_COLUMN_SEED + 1, SETTINGS_OF_WORLDS, err)
                     : error_nomem(err);
}

static ptl_status take_world(void *payload, const stmt *s, ptl_error *err)
{
    return read_world(payload, s, err);
}

ptl_status sqlite_world_find(world_row *out, ptl_store *store, const char *name, ptl_error *err)
{
    static const named_rows worlds = {STMT_WORLD_READ, TABLE_WORLD, "world", take_world};
    memset(out, 0, sizeof *out);
    ptl_status status = row_find_named(out, store, &worlds, name, err);
    if (status != PTL_OK)
        world_row_dispose(out);
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
    settings_values(&v[WORLD_COLUMN_SEED + 1], row, SETTINGS_OF_WORLDS);
    TRY(row_seal(v, t, &scratch->sum, err));
    return row_insert(store, STMT_WORLD_INSERT, t, v, err);
}

ptl_status sqlite_world_insert(int64_t *id, ptl_store *store, const world_row *row,
                               ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    bool exists = false;
    int64_t own = 0;
    stmt *s = NULL;
    TRY(stmt_prepared(&s, store, STMT_WORLD_READ, err));
    stmt_bind_text(s, 1, row->name);
    ptl_status status = stmt_step(s, &exists, err);
    stmt_reset(s);
    if (status == PTL_OK && exists)
        return error_set(err, PTL_ERR_EXISTS, "a world '%s' exists already", row->name);
    THEN(status, row_new_id(&own, store, STMT_WORLD_NEXT_ID, "world", err));
    THEN(status, insert_world(store, scratch, row, own, err));
    if (id)
        *id = own;
    return status;
}

/* Computes the checksum of a world's row after it is renewed. s gives the present row; its
 * other columns enter the new checksum unchanged. */
static ptl_status renewed_checksum(int64_t *out, row_scratch *scratch, const stmt *s,
                                   const world_row *now, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_WORLD);
    row_value v[WORLD_COLUMN_COUNT];
    row_take(v, t, s);
    v[WORLD_COLUMN_derive] = row_int(now->derive);
    v[WORLD_COLUMN_GENERATOR_VERSION] = row_int(now->generator_version);
    v[WORLD_COLUMN_CONTENT_ID] = row_int(now->content_id);
    ptl_status status = row_seal(v, t, &scratch->sum, err);
    *out = v[WORLD_COLUMN_CHECKSUM].integer;
    return status;
}

static ptl_status update_world(ptl_store *store, const world_row *now, int64_t sum,
                               ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepare(&s, store,
                     "UPDATE world SET generator_version = ?2, content_id = ?3, "
                     "checksum = ?4, derive = ?5 WHERE id = ?1",
                     err));
    stmt_bind_ints(
        s,
        (const int64_t[]){now->id, now->generator_version, now->content_id, sum, now->derive},
        5);
    ptl_status status = stmt_run(s, err);
    stmt_free(s);
    return status;
}

ptl_status sqlite_world_renew(ptl_store *store, const world_row *now, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    stmt *s = NULL;
    bool row = false;
    int64_t sum = 0;
    TRY(stmt_prepare(&s, store, row_table_of(TABLE_WORLD)->one, err));
    stmt_bind_int(s, 1, now->id);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no world %lld", (long long)now->id);
    THEN(status, row_verify(s, TABLE_WORLD, err));
    THEN(status, renewed_checksum(&sum, scratch, s, now, err));
    stmt_free(s);
    THEN(status, update_world(store, now, sum, err));
    return status;
}

ptl_status sqlite_world_count(uint64_t *out, ptl_store *store, ptl_error *err)
{
    int64_t count = 0;
    ptl_status status = stmt_ask(&count, store, "SELECT count(*) FROM world", NULL, 0, err);
    *out = (uint64_t)count;
    return status;
}

typedef struct world_visiting {
    world_visit *visit;
    void *payload;
} world_visiting;

static ptl_status give_world(void *payload, const stmt *s, ptl_error *err)
{
    const world_visiting *v = payload;
    world_row world = {.id = 0};
    ptl_status status = read_world(&world, s, err);
    THEN(status, v->visit(v->payload, &world, err));
    world_row_dispose(&world);
    return status;
}

ptl_status sqlite_world_visit(ptl_store *store, world_visit *visit, void *payload,
                              ptl_error *err)
{
    world_visiting v = {visit, payload};
    stmt *s = NULL;
    TRY(stmt_prepare(&s, store, "SELECT " WORLD_COLUMNS " FROM main.world ORDER BY name", err));
    return row_visit(s, TABLE_WORLD, give_world, &v, err);
}

/* ---- runs ---- */

/* Writes the row of a run that has not ended. */
ptl_status run_row_put(ptl_store *store, int64_t id, int64_t world_id, const char *command,
                       const char *content_digest, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_RUN);
    row_scratch *scratch = store->scratch;
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
    TRY(row_seal(v, t, &scratch->sum, err));
    return row_insert(store, STMT_RUN_INSERT, t, v, err);
}

static ptl_status insert_run(int64_t *run_id, ptl_store *store, int64_t world_id,
                             const char *command, ptl_error *err)
{
    char content[65] = "";
    int64_t id = 0;
    stmt *s = NULL;
    bool row = false;
    content[0] = '\0';
    ptl_status status = stmt_prepared(&s, store, STMT_CONTENT_DIGEST, err);
    THEN(status, stmt_step(s, &row, err));
    if (status == PTL_OK && row) {
        const char *text = stmt_text(s, 0);
        size_t length = strlen(text) < 64 ? strlen(text) : 64;
        memcpy(content, text, length);
        content[length] = '\0';
    }
    if (s)
        stmt_reset(s);
    TRY(status);
    TRY(row_new_id(&id, store, STMT_RUN_NEXT_ID, "run", err));
    TRY(run_row_put(store, id, world_id, command, content, err));
    *run_id = id;
    return PTL_OK;
}

ptl_status sqlite_run_begin(int64_t *run_id, ptl_store *store, int64_t world_id,
                            const char *command, ptl_error *err)
{
    bool own;
    ptl_status status = sqlite_begin_own(store, &own, err);
    THEN(status, insert_run(run_id, store, world_id, command, err));
    return sqlite_end_own(store, own, status, err);
}

/* What is known of a run only when it ends. */
typedef struct run_end {
    int64_t id, chunks;
    double seconds;
    char ended[32];
    const char *outcome;
} run_end;

static ptl_status update_run(ptl_store *store, const run_end *r, int64_t sum, ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepared(&s, store, STMT_RUN_END, err));
    stmt_bind_int(s, 1, r->id);
    stmt_bind_text(s, 2, r->ended);
    stmt_bind_int(s, 3, r->chunks);
    stmt_bind_double(s, 4, r->seconds);
    stmt_bind_text(s, 5, r->outcome);
    stmt_bind_int(s, 6, sum);
    return stmt_run(s, err);
}

/* Computes the checksum of a run's row after the run has ended. s gives the present row. */
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
    row_scratch *scratch = store->scratch;
    stmt *s = NULL;
    bool row = false;
    int64_t sum = 0;
    TRY(stmt_prepared(&s, store, STMT_RUN_READ, err));
    stmt_bind_int(s, 1, r->id);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no run %lld", (long long)r->id);
    THEN(status, row_verify(s, TABLE_RUN, err));
    THEN(status, ended_checksum(&sum, scratch, s, r, err));
    stmt_reset(s);
    return status == PTL_OK ? update_run(store, r, sum, err) : status;
}

ptl_status sqlite_run_count(uint64_t *chunks, ptl_store *store, int64_t run_id, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    TRY(stmt_prepare(&s, store, "SELECT count(*) FROM main.chunk WHERE run_id = ?", err));
    stmt_bind_int(s, 1, run_id);
    ptl_status status = stmt_step(s, &row, err);
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
    THEN(status, end_run(store, &r, err));
    return sqlite_end_own(store, own, status, err);
}

typedef struct run_visiting {
    run_visit *visit;
    void *payload;
} run_visiting;

static ptl_status give_run(void *payload, const stmt *s, ptl_error *err)
{
    const run_visiting *v = payload;
    const bool ended = !stmt_is_null(s, RUN_COLUMN_OUTCOME);
    const run_row run = {.id = stmt_int(s, RUN_COLUMN_ID),
                         .world_id = stmt_int(s, RUN_COLUMN_WORLD_ID),
                         .command = stmt_text(s, RUN_COLUMN_COMMAND),
                         .started = stmt_text(s, RUN_COLUMN_STARTED),
                         .outcome = ended ? stmt_text(s, RUN_COLUMN_OUTCOME) : NULL,
                         .chunks = (uint64_t)stmt_int(s, RUN_COLUMN_CHUNKS),
                         .seconds = stmt_double(s, RUN_COLUMN_SECONDS)};
    return v->visit(v->payload, &run, err);
}

ptl_status sqlite_run_visit(ptl_store *store, int64_t world_id, uint64_t most, run_visit *visit,
                            void *payload, ptl_error *err)
{
    run_visiting v = {visit, payload};
    stmt *s = NULL;
    TRY(stmt_prepare(&s, store,
                     "SELECT " RUN_COLUMNS " FROM main.run WHERE ?1 = 0 OR "
                     "world_id = ?1 ORDER BY id DESC LIMIT ?2",
                     err));
    stmt_bind_ints(s, (const int64_t[]){world_id, most < INT64_MAX ? (int64_t)most : INT64_MAX},
                   2);
    return row_visit(s, TABLE_RUN, give_run, &v, err);
}

static void read_number(ptl_world_options *o, const setting *t, const stmt *s, int column)
{
    if (t->kind == SETTING_SWITCH)
        setting_set_switch(o, t, stmt_int(s, column) != 0);
    else if (t->kind == SETTING_CHOICE)
        setting_set_number(o, t, setting_word(t, stmt_text(s, column)));
    else
        setting_set_number(o, t, stmt_double(s, column));
}

ptl_status settings_read(world_row *out, const stmt *s, int first, int count, ptl_error *err)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    const ptl_world_options *from = &options;
    for (int i = 0; i < count; i++)
        if (setting_rows[i].kind != SETTING_REGION)
            read_number(&options, &setting_rows[i], s, first + i);
    PTL_WORLD_SETTINGS(WORLD_ROW_TAKE, out)
    out->generator_version = (int32_t)stmt_int(s, first + count);
    out->content_id = stmt_int(s, first + count + 1);
    out->region = strdup(stmt_text(s, first + SETTING_OF_region));
    return out->region ? PTL_OK : error_nomem(err);
}

static row_value value_of(const ptl_world_options *o, const setting *t)
{
    const double number = setting_number(o, t);
    row_value word = {.type = ROW_TEXT};
    switch (t->kind) {
    case SETTING_REGION:
        return row_text(o->region);
    case SETTING_REAL:
        return row_real(number);
    case SETTING_CHOICE:
        word.data = setting_word_at(&word.size, t, (int)number);
        return word;
    case SETTING_INT:
    case SETTING_SWITCH:
        break;
    }
    return row_int((int64_t)number);
}

void settings_values(row_value *out, const world_row *from, int count)
{
    ptl_world_options options;
    PTL_WORLD_SETTINGS(WORLD_ROW_TAKE, &options)
    for (int i = 0; i < count; i++)
        out[i] = value_of(&options, &setting_rows[i]);
    out[count] = row_int(from->generator_version);
    out[count + 1] = row_int(from->content_id);
}

int64_t seed_to_sql(uint64_t seed)
{
    int64_t v;
    memcpy(&v, &seed, sizeof v);
    return v;
}
