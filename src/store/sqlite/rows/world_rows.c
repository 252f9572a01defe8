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
#include "store/sqlite/rows/rowsum.h"

#include <stdlib.h>
#include <string.h>

/* ---- worlds ---- */

static int64_t seed_to_sql(uint64_t seed)
{
    int64_t v;
    memcpy(&v, &seed, sizeof v);
    return v;
}

static ptl_status read_world(world_row *out, const stmt *s, ptl_error *err)
{
    out->id = stmt_int(s, 0);
    out->name = strdup(stmt_text(s, 1));
    out->seed = (uint64_t)stmt_int(s, 2);
    out->region = strdup(stmt_text(s, 3));
    out->city_size = (int32_t)stmt_int(s, 4);
    out->city_spacing = (int32_t)stmt_int(s, 5);
    out->specials_density = stmt_double(s, 6);
    out->specials_spacing = (int32_t)stmt_int(s, 7);
    out->placement =
        strcmp(stmt_text(s, 8), "sectors") == 0 ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA;
    out->railroads = stmt_int(s, 9) != 0;
    out->subways = stmt_int(s, 10) != 0;
    out->compat = stmt_int(s, 11) != 0;
    out->scale_unique = stmt_int(s, 12) != 0;
    out->unique_radius = (int32_t)stmt_int(s, 13);
    out->generator_version = (int32_t)stmt_int(s, 14);
    out->content_id = stmt_int(s, 15);
    return out->name && out->region ? PTL_OK : error_nomem(err);
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

ptl_status sqlite_world_row_find(world_row *out, ptl_store *store, const char *name,
                                 ptl_error *err)
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
        status = row_verify(scratch, s, "world", WORLD_COLUMN_COUNT, err);
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
    static const char *const placements[] = {"quota", "sectors"};
    const char *placement = placements[row->placement == PTL_PLACEMENT_SECTORS];
    char created[32];
    clock_now(created);
    bytes *b = &scratch->sum;
    rowsum_begin(b, "world");
    rowsum_int(b, id);
    rowsum_text(b, row->name);
    rowsum_int(b, seed_to_sql(row->seed));
    rowsum_text(b, row->region);
    rowsum_int(b, row->city_size);
    rowsum_int(b, row->city_spacing);
    rowsum_real(b, row->specials_density);
    rowsum_int(b, row->specials_spacing);
    rowsum_text(b, placement);
    rowsum_int(b, row->railroads);
    rowsum_int(b, row->subways);
    rowsum_int(b, row->compat);
    rowsum_int(b, row->scale_unique);
    rowsum_int(b, row->unique_radius);
    rowsum_int(b, row->generator_version);
    rowsum_int(b, row->content_id);
    rowsum_text(b, created);
    int64_t sum = 0;
    stmt *s = NULL;
    ptl_status status = rowsum_end(b, &sum, err);
    if (status == PTL_OK)
        status = stmt_prepared(&s, store, STMT_WORLD_INSERT, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, id);
    stmt_bind_text(s, 2, row->name);
    stmt_bind_int(s, 3, seed_to_sql(row->seed));
    stmt_bind_text(s, 4, row->region);
    stmt_bind_int(s, 5, row->city_size);
    stmt_bind_int(s, 6, row->city_spacing);
    stmt_bind_double(s, 7, row->specials_density);
    stmt_bind_int(s, 8, row->specials_spacing);
    stmt_bind_text(s, 9, placement);
    stmt_bind_int(s, 10, row->railroads);
    stmt_bind_int(s, 11, row->subways);
    stmt_bind_int(s, 12, row->compat);
    stmt_bind_int(s, 13, row->scale_unique);
    stmt_bind_int(s, 14, row->unique_radius);
    stmt_bind_int(s, 15, row->generator_version);
    stmt_bind_int(s, 16, row->content_id);
    stmt_bind_text(s, 17, created);
    stmt_bind_int(s, 18, sum);
    return stmt_run(s, err);
}

ptl_status sqlite_world_row_insert(int64_t *id, ptl_store *store, const world_row *row,
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

/* s: the row as it is. Its other columns go into the new checksum as they are. */
static ptl_status renewed_checksum(int64_t *out, row_scratch *scratch, const stmt *s,
                                   int32_t generator_version, int64_t content_id,
                                   ptl_error *err)
{
    bytes *b = &scratch->sum;
    rowsum_begin(b, "world");
    rowsum_columns(b, s, 0, WORLD_COLUMN_GENERATOR);
    rowsum_int(b, generator_version);
    rowsum_int(b, content_id);
    rowsum_columns(b, s, WORLD_COLUMN_GENERATOR + 2,
                   WORLD_COLUMN_COUNT - WORLD_COLUMN_GENERATOR - 2);
    return rowsum_end(b, out, err);
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

ptl_status sqlite_world_row_renew(ptl_store *store, int64_t world_id, int32_t generator_version,
                                  int64_t content_id, ptl_error *err)
{
    row_scratch *scratch;
    stmt *s = NULL;
    bool row = false;
    int64_t sum = 0;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status =
            stmt_prepare(&s, store, "SELECT " WORLD_COLUMNS " FROM world WHERE id = ?1", err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, world_id);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no world %lld", (long long)world_id);
    if (status == PTL_OK)
        status = row_verify(scratch, s, "world", WORLD_COLUMN_COUNT, err);
    if (status == PTL_OK)
        status = renewed_checksum(&sum, scratch, s, generator_version, content_id, err);
    stmt_free(s);
    return status == PTL_OK
               ? update_world(store, world_id, generator_version, content_id, sum, err)
               : status;
}

ptl_status sqlite_worlds_count(uint64_t *out, ptl_store *store, ptl_error *err)
{
    int64_t count = 0;
    ptl_status status = stmt_ask(&count, store, "SELECT count(*) FROM world", NULL, 0, err);
    *out = (uint64_t)count;
    return status;
}

/* ---- runs ---- */

/* The checksum of a run that has not ended, or with the row's four results. */
typedef struct run_row {
    int64_t id, world_id;
    const char *command, *started, *content_digest, *portolan_version;
    int64_t generator_version;
    const char *ended, *outcome; /* NULL while it runs */
    int64_t chunks;
    double seconds;
} run_row;

static ptl_status run_checksum(int64_t *out, row_scratch *scratch, const run_row *r,
                               ptl_error *err)
{
    bytes *b = &scratch->sum;
    rowsum_begin(b, "run");
    rowsum_int(b, r->id);
    rowsum_int(b, r->world_id);
    rowsum_text(b, r->command);
    rowsum_text(b, r->started);
    if (r->ended) {
        rowsum_text(b, r->ended);
        rowsum_int(b, r->chunks);
        rowsum_real(b, r->seconds);
        rowsum_text(b, r->outcome);
    } else {
        for (int i = 0; i < 4; i++)
            rowsum_null(b);
    }
    rowsum_int(b, r->generator_version);
    rowsum_text(b, r->content_digest);
    rowsum_text(b, r->portolan_version);
    return rowsum_end(b, out, err);
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
    row_scratch *scratch;
    char content[65], started[32];
    run_row r = {.world_id = world_id,
                 .command = command,
                 .started = started,
                 .content_digest = content,
                 .portolan_version = ptl_version(),
                 .generator_version = PTL_GENERATOR_VERSION};
    int64_t sum = 0;
    stmt *s = NULL;
    clock_now(started);
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = current_content(content, store, err);
    if (status == PTL_OK)
        status = row_new_id(&r.id, store, STMT_RUN_NEXT_ID, "run", err);
    if (status == PTL_OK)
        status = run_checksum(&sum, scratch, &r, err);
    if (status == PTL_OK)
        status = stmt_prepared(&s, store, STMT_RUN_INSERT, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, r.id);
    stmt_bind_int(s, 2, world_id);
    stmt_bind_text(s, 3, command);
    stmt_bind_text(s, 4, started);
    stmt_bind_int(s, 5, r.generator_version);
    stmt_bind_text(s, 6, content);
    stmt_bind_text(s, 7, r.portolan_version);
    stmt_bind_int(s, 8, sum);
    *run_id = r.id;
    return stmt_run(s, err);
}

ptl_status sqlite_run_row_begin(int64_t *run_id, ptl_store *store, int64_t world_id,
                                const char *command, ptl_error *err)
{
    bool own;
    ptl_status status = store_begin_own(store, &own, err);
    if (status == PTL_OK)
        status = insert_run(run_id, store, world_id, command, err);
    return store_end_own(store, own, status, err);
}

static ptl_status update_run(ptl_store *store, const run_row *r, int64_t sum, ptl_error *err)
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

static ptl_status end_run(ptl_store *store, run_row *r, ptl_error *err)
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
        status = row_verify(scratch, s, "run", RUN_COLUMN_COUNT, err);
    if (status == PTL_OK) {
        r->world_id = stmt_int(s, 1);
        r->command = stmt_text(s, 2);
        r->started = stmt_text(s, 3);
        r->generator_version = stmt_int(s, 8);
        r->content_digest = stmt_text(s, 9);
        r->portolan_version = stmt_text(s, 10);
        status = run_checksum(&sum, scratch, r, err);
    }
    stmt_reset(s); /* the texts above die here */
    return status == PTL_OK ? update_run(store, r, sum, err) : status;
}

ptl_status sqlite_run_row_count(uint64_t *chunks, ptl_store *store, int64_t run_id,
                                ptl_error *err)
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

ptl_status sqlite_run_row_end(ptl_store *store, int64_t run_id, uint64_t chunks, double seconds,
                              const char *outcome, ptl_error *err)
{
    char ended[32];
    clock_now(ended);
    run_row r = {.id = run_id,
                 .ended = ended,
                 .outcome = outcome,
                 .chunks = (int64_t)chunks,
                 .seconds = seconds};
    bool own;
    ptl_status status = store_begin_own(store, &own, err);
    if (status == PTL_OK)
        status = end_run(store, &r, err);
    return store_end_own(store, own, status, err);
}
