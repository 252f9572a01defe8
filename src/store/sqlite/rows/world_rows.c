/* Rows of worlds and runs, the digest of a world, and the rows that repair has set aside. */
#include "codec/chunk_codec.h"
#include "codec/digest_world.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "core/settings.h"
#include "os/clock.h"
#include "portolan/generate.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/chunk_write.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

#include <stdio.h>
#include <string.h>

/* ---- worlds ---- */

static ptl_status take_world(void *payload, const stmt *s, ptl_error *err)
{
    world_row *out = payload;
    out->id = stmt_int(s, WORLD_COLUMN_ID);
    out->name = strdup(stmt_text(s, WORLD_COLUMN_NAME));
    out->seed = (uint64_t)stmt_int(s, WORLD_COLUMN_SEED);
    return out->name ? settings_read(out, s, WORLD_COLUMN_SEED + 1, SETTINGS_OF_WORLDS, err)
                     : error_nomem(err);
}

static const named_rows worlds = {STMT_WORLD_READ, TABLE_WORLD, "world", take_world};

static ptl_status sqlite_world_find(world_row *out, ptl_store *store, const char *name,
                                    ptl_error *err)
{
    memset(out, 0, sizeof *out);
    ptl_status status = row_find_named(out, store, &worlds, name, err);
    if (status != PTL_OK)
        world_row_dispose(out);
    return status;
}

static ptl_status sqlite_world_insert(int64_t *id, ptl_store *store, const world_row *row,
                                      ptl_error *err)
{
    int64_t own;
    TRY(row_refuse_named(store, &worlds, row->name, err));
    TRY(row_new_id(&own, store, TABLE_WORLD, err));
    char created[32];
    clock_now(created);
    row_value v[WORLD_COLUMN_COUNT] = {[WORLD_COLUMN_ID] = row_int(own),
                                       [WORLD_COLUMN_NAME] = row_text(row->name),
                                       [WORLD_COLUMN_SEED] = row_int(seed_to_sql(row->seed)),
                                       [WORLD_COLUMN_CREATED_AT] = row_text(created)};
    settings_values(&v[WORLD_COLUMN_SEED + 1], row, SETTINGS_OF_WORLDS);
    TRY(row_put(store, TABLE_WORLD, v, err));
    if (id)
        *id = own;
    return PTL_OK;
}

static ptl_status sqlite_world_renew(ptl_store *store, const world_row *now, ptl_error *err)
{
    row_value v[WORLD_COLUMN_COUNT];
    stmt *s = NULL;
    ptl_status status = row_read_one(v, &s, store, TABLE_WORLD, now->id, err);
    /* Only derive, generator_version and content_id change. The row's other columns were read,
     * too, since the new checksum covers all of them. */
    v[WORLD_COLUMN_derive] = row_int(now->derive);
    v[WORLD_COLUMN_GENERATOR_VERSION] = row_int(now->generator_version);
    v[WORLD_COLUMN_CONTENT_ID] = row_int(now->content_id);
    THEN(status, row_seal(v, row_table_of(TABLE_WORLD), &store->scratch->sum, err));
    stmt_free(s);
    TRY(status);
    return stmt_do(store,
                   "UPDATE world SET generator_version = ?2, content_id = ?3, checksum = ?4, "
                   "derive = ?5 WHERE id = ?1",
                   STMT_VALUES(now->id, now->generator_version, now->content_id,
                               v[WORLD_COLUMN_CHECKSUM].integer, now->derive),
                   err);
}

static ptl_status sqlite_world_count(uint64_t *out, ptl_store *store, ptl_error *err)
{
    return stmt_count(out, store, "SELECT count(*) FROM world", NULL, 0, err);
}

static ptl_status sqlite_world_visit(ptl_store *store, world_visit *visit, void *payload,
                                     ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status =
        stmt_prepare(&s, store, "SELECT " WORLD_COLUMNS " FROM main.world ORDER BY name", err);
    while (stmt_row(s, &status, err)) {
        world_row world = {.id = 0};
        status = row_verify(s, TABLE_WORLD, err);
        THEN(status, take_world(&world, s, err));
        THEN(status, visit(payload, &world, err));
        world_row_dispose(&world);
    }
    stmt_free(s);
    return status;
}

/* ---- runs ---- */

/* The columns that tell how the run ended stay NULL until it has ended. */
ptl_status run_row_put(ptl_store *store, int64_t id, int64_t world_id, const char *command,
                       const char *content_digest, ptl_error *err)
{
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
    return row_put(store, TABLE_RUN, v, err);
}

static ptl_status sqlite_run_begin(int64_t *run_id, ptl_store *store, int64_t world_id,
                                   const char *command, ptl_error *err)
{
    char content[65] = "";
    int64_t id = 0;
    stmt *s = NULL;
    bool own;
    ptl_status status = sqlite_begin_own(store, &own, err);
    THEN(status, stmt_prepared(&s, store, STMT_CONTENT_DIGEST, err));
    if (stmt_row(s, &status, err))
        snprintf(content, sizeof content, "%s", stmt_text(s, 0));
    stmt_reset(s);
    THEN(status, row_new_id(&id, store, TABLE_RUN, err));
    THEN(status, run_row_put(store, id, world_id, command, content, err));
    if (status == PTL_OK)
        *run_id = id;
    return sqlite_end_own(store, own, status, err);
}

static ptl_status sqlite_run_count(uint64_t *chunks, ptl_store *store, int64_t run_id,
                                   ptl_error *err)
{
    return stmt_count(chunks, store, "SELECT count(*) FROM main.chunk WHERE run_id = ?",
                      STMT_VALUES(run_id), err);
}

/* Sets the columns `ended`, `chunks`, `seconds` and `outcome` of the run. Its other columns
 * stay as they are, but are read as well, since the row's new checksum covers them, too. */
static ptl_status sqlite_run_end(ptl_store *store, int64_t run_id, uint64_t chunks,
                                 double seconds, const char *outcome, ptl_error *err)
{
    row_value v[RUN_COLUMN_COUNT];
    char ended[32];
    stmt *s = NULL;
    bool own;
    clock_now(ended);
    ptl_status status = sqlite_begin_own(store, &own, err);
    THEN(status, row_read_one(v, &s, store, TABLE_RUN, run_id, err));
    v[RUN_COLUMN_ENDED] = row_text(ended);
    v[RUN_COLUMN_CHUNKS] = row_int((int64_t)chunks);
    v[RUN_COLUMN_SECONDS] = row_real(seconds);
    v[RUN_COLUMN_OUTCOME] = row_text(outcome);
    THEN(status, row_seal(v, row_table_of(TABLE_RUN), &store->scratch->sum, err));
    stmt_free(s);
    if (status == PTL_OK)
        status = stmt_begin(
            &s, store, STMT_RUN_END,
            STMT_VALUES(run_id, (int64_t)chunks, v[RUN_COLUMN_CHECKSUM].integer), err);
    if (status == PTL_OK) {
        stmt_bind_text(s, 4, ended);
        stmt_bind_double(s, 5, seconds);
        stmt_bind_text(s, 6, outcome);
        status = stmt_run(s, err);
    }
    return sqlite_end_own(store, own, status, err);
}

static ptl_status sqlite_run_visit(ptl_store *store, int64_t world_id, uint64_t most,
                                   run_visit *visit, void *payload, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status =
        stmt_query(&s, store,
                   "SELECT " RUN_COLUMNS " FROM main.run WHERE ?1 = 0 OR "
                   "world_id = ?1 ORDER BY id DESC LIMIT ?2",
                   STMT_VALUES(world_id, most < INT64_MAX ? (int64_t)most : INT64_MAX), err);
    while (stmt_row(s, &status, err)) {
        status = row_verify(s, TABLE_RUN, err);
        const bool ended = !stmt_is_null(s, RUN_COLUMN_OUTCOME);
        const run_row run = {.id = stmt_int(s, RUN_COLUMN_ID),
                             .world_id = stmt_int(s, RUN_COLUMN_WORLD_ID),
                             .command = stmt_text(s, RUN_COLUMN_COMMAND),
                             .started = stmt_text(s, RUN_COLUMN_STARTED),
                             .outcome = ended ? stmt_text(s, RUN_COLUMN_OUTCOME) : NULL,
                             .chunks = (uint64_t)stmt_int(s, RUN_COLUMN_CHUNKS),
                             .seconds = stmt_double(s, RUN_COLUMN_SECONDS)};
        THEN(status, visit(payload, &run, err));
    }
    stmt_free(s);
    return status;
}

ptl_status settings_read(world_row *out, const stmt *s, int first, int count, ptl_error *err)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    const ptl_world_options *from = &options;
    for (int i = 0; i < count; i++) {
        const setting *t = &setting_rows[i];
        if (t->kind == SETTING_SWITCH)
            setting_set_switch(&options, t, stmt_int(s, first + i) != 0);
        else if (t->kind == SETTING_CHOICE)
            setting_set_number(&options, t, setting_word(t, stmt_text(s, first + i)));
        else if (t->kind != SETTING_REGION)
            setting_set_number(&options, t, stmt_double(s, first + i));
    }
    PTL_WORLD_SETTINGS(WORLD_ROW_TAKE, out)
    out->generator_version = (int32_t)stmt_int(s, first + count);
    out->content_id = stmt_int(s, first + count + 1);
    out->region = strdup(stmt_text(s, first + SETTING_OF_region));
    return out->region ? PTL_OK : error_nomem(err);
}

void settings_values(row_value *out, const world_row *from, int count)
{
    ptl_world_options options;
    PTL_WORLD_SETTINGS(WORLD_ROW_TAKE, &options)
    for (int i = 0; i < count; i++) {
        const setting *t = &setting_rows[i];
        const double number = setting_number(&options, t);
        if (t->kind == SETTING_REGION)
            out[i] = row_text(options.region);
        else
            out[i] = t->kind == SETTING_REAL ? row_real(number) : row_int((int64_t)number);
        if (t->kind == SETTING_CHOICE) {
            out[i] = (row_value){.type = ROW_TEXT};
            out[i].data = setting_word_at(&out[i].size, t, (int)number);
        }
    }
    out[count] = row_int(from->generator_version);
    out[count + 1] = row_int(from->content_id);
}

int64_t seed_to_sql(uint64_t seed)
{
    int64_t v;
    memcpy(&v, &seed, sizeof v);
    return v;
}

static ptl_status digest_cells(digest_world *world, const edge_cells *cells,
                               const ptl_store *store, ptl_error *err)
{
    const char *names[PTL_CHUNK_SIZE];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; cells->has[side] && i < PTL_CHUNK_SIZE; i++) {
            names[i] = dictionary_name(store, cells->numbers[side][i]);
            if (!names[i])
                return error_set(err, PTL_ERR_CORRUPT, "a border cell without a name");
        }
        digest_world_side(world, cells->has[side] ? names : NULL);
    }
    return PTL_OK;
}

/* Sets *x, *y and *side to the place of the edge in the current row. PTL_ERR_CORRUPT unless
 * this place comes after the place that was set before: in a hostile file edges in a wrong
 * order could keep the loop running for ever. */
static ptl_status next_edge(const stmt *s, int64_t *x, int64_t *y, edge_side *side,
                            ptl_error *err)
{
    const char *text = stmt_text(s, 2);
    edge_side next = strcmp(text, "E") == 0 ? EDGE_EAST : EDGE_SOUTH;
    const int64_t new_x = stmt_int(s, 0), new_y = stmt_int(s, 1);
    const bool back =
        new_x < *x || (new_x == *x && (new_y < *y || (new_y == *y && next <= *side)));
    *x = new_x;
    *y = new_y;
    *side = next;
    if (back || strcmp(text, edge_side_text(next)) != 0 || *x < INT32_MIN || *x > INT32_MAX ||
        *y < INT32_MIN || *y > INT32_MAX)
        return error_set(err, PTL_ERR_CORRUPT, "table edge: a bad place %lld,%lld %s",
                         (long long)*x, (long long)*y, text);
    return PTL_OK;
}

static ptl_status digest_edges(digest_world *world, ptl_store *store, int64_t world_id,
                               ptl_error *err)
{
    stmt *s = NULL;
    int64_t x = INT32_MIN, y = INT32_MIN;
    edge_side side = EDGE_EAST;
    ptl_status status = stmt_prepared(&s, store, STMT_EDGE_AFTER, err);
    for (bool row = true; row && status == PTL_OK;) {
        stmt_bind_ints(s, STMT_VALUES(world_id, x, y));
        stmt_bind_text(s, 4, edge_side_text(side));
        row = stmt_row(s, &status, err);
        if (row)
            status = next_edge(s, &x, &y, &side, err);
        stmt_reset(s);
        if (status != PTL_OK || !row)
            break;
        const edge place = {.x = (int32_t)x, .y = (int32_t)y, .side = side};
        edge e;
        edge_cells cells;
        int64_t id;
        status = edge_row_find(&e, &id, &cells, store, world_id, &place, err);
        if (status == PTL_OK && id != 0) {
            digest_world_edge(world, &e);
            status =
                e.origin == EDGE_FOREIGN ? digest_cells(world, &cells, store, err) : PTL_OK;
            edge_dispose(&e);
        }
    }
    return status;
}

/*
 * Computes the world's digest. Ids come from the file's own dictionary, so a world whose
 * content is gone has a digest, too. Chunks and edges are read one by one, so that no lock is
 * held for long.
 */
static ptl_status sqlite_world_digest(ptl_world_digest_result *out, ptl_store *store,
                                      int64_t world_id, ptl_error *err)
{
    digest_world world;
    memset(out, 0, sizeof *out);
    digest_world_begin(&world);
    stmt *s = NULL;
    ptl_chunk_pos after = {INT32_MIN, INT32_MIN};
    feature_set set = {0};
    ptl_status status = stmt_prepared(&s, store, STMT_CHUNK_AFTER, err);
    for (bool row = true; row && status == PTL_OK;) {
        chunk_info info;
        digest omts, features;
        stmt_bind_ints(s, STMT_VALUES(world_id, after.x, after.y));
        row = stmt_row(s, &status, err);
        if (row)
            status = chunk_info_read(&info, s, err);
        if (row && status == PTL_OK && !chunk_pos_after(info.pos, after))
            status = error_set(err, PTL_ERR_CORRUPT, "table chunk: its rows are out of order");
        if (row && status == PTL_OK) {
            chunk_digester d;
            size_t size;
            const void *fill = stmt_blob(s, CHUNK_COLUMN_FILL, &size);
            status = chunk_digester_begin(&d, store, info.pos, fill, size, err);
            THEN(status,
                 chunk_levels_visit(store, &info, stmt_int(s, CHUNK_COLUMN_LEVELS_CHECKSUM),
                                    chunk_digester_level, &d, err));
            status = chunk_digester_end(&omts, &d, status, err);
            THEN(status, feature_rows_read(&set, store, info.id,
                                           stmt_int(s, CHUNK_COLUMN_FEATURES_CHECKSUM), err));
            THEN(status, feature_set_digest(&features, &set, info.pos, err));
            if (status == PTL_OK)
                digest_world_chunk(&world, info.pos, &omts, &features);
            else
                (void)error_prefix(err, status, "chunk %d,%d", info.pos.x, info.pos.y);
            after = info.pos;
        }
        stmt_reset(s);
    }
    feature_set_dispose(&set);
    TRY(status);
    TRY(digest_edges(&world, store, world_id, err));
    digest_world_end(&world, out);
    return PTL_OK;
}

const world_operations sqlite_worlds = {.find = sqlite_world_find,
                                        .insert = sqlite_world_insert,
                                        .renew = sqlite_world_renew,
                                        .count = sqlite_world_count,
                                        .visit = sqlite_world_visit,
                                        .digest = sqlite_world_digest};

const run_operations sqlite_runs = {.begin = sqlite_run_begin,
                                    .count = sqlite_run_count,
                                    .end = sqlite_run_end,
                                    .visit = sqlite_run_visit};

/* ---- rows that repair has set aside ---- */

ptl_status sqlite_aside_visit(ptl_store *store, aside_visit *visit, void *payload,
                              ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, store, "SELECT " ASIDE_COLUMNS " FROM main.set_aside ORDER BY id", err);
    while (stmt_row(s, &status, err)) {
        status = row_verify(s, TABLE_ASIDE, err);
        const ptl_set_aside aside = {.size = sizeof aside,
                                     .number = stmt_int(s, ASIDE_COLUMN_ID),
                                     .found = stmt_text(s, ASIDE_COLUMN_FOUND),
                                     .table = stmt_text(s, ASIDE_COLUMN_SOURCE_TABLE),
                                     .key = stmt_text(s, ASIDE_COLUMN_SOURCE_KEY),
                                     .world = stmt_text(s, ASIDE_COLUMN_WORLD),
                                     .has_place = !stmt_is_null(s, ASIDE_COLUMN_X),
                                     .x = (int32_t)stmt_int(s, ASIDE_COLUMN_X),
                                     .y = (int32_t)stmt_int(s, ASIDE_COLUMN_Y),
                                     .reason = stmt_text(s, ASIDE_COLUMN_REASON)};
        THEN(status, visit(payload, &aside, err));
    }
    stmt_free(s);
    return status;
}
