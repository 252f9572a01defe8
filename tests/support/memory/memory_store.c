/* Transactions, worlds, runs and scratches in memory. */
#include "core/error.h"
#include "os/clock.h"
#include "support/memory/memory_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WAIT_SECONDS = 10, PATIENCE = 10 };

/* ---- tables ---- */

bool table_add(table *t, row *r)
{
    if (t->count == t->room) {
        const size_t more = t->room ? 2 * t->room : 16;
        row **grown = realloc(t->rows, more * sizeof(row *));
        if (!grown)
            return false;
        t->rows = grown;
        t->room = more;
    }
    r->holders++;
    t->rows[t->count++] = r;
    return true;
}

static void drop_row(const table *t, row *r)
{
    if (--r->holders == 0)
        t->free_row(r);
}

void table_remove_at(table *t, size_t at)
{
    drop_row(t, t->rows[at]);
    t->rows[at] = t->rows[--t->count];
}

void table_remove(table *t, const row *r)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->rows[i] == r) {
            table_remove_at(t, i);
            return;
        }
}

void table_clear(table *t)
{
    for (size_t i = 0; i < t->count; i++)
        drop_row(t, t->rows[i]);
    free(t->rows);
    t->rows = NULL;
    t->count = t->room = 0;
}

static bool table_copy(table *to, const table *from)
{
    *to = (table){.free_row = from->free_row};
    for (size_t i = 0; i < from->count; i++)
        if (!table_add(to, from->rows[i]))
            return false;
    return true;
}

row *table_find(const table *t, int64_t id)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->rows[i]->id == id)
            return t->rows[i];
    return NULL;
}

static void free_world(row *r)
{
    world_row_dispose(&((memory_world *)r)->values);
    free(r);
}

static void free_run(row *r)
{
    free(r);
}

/* ---- names ---- */

uint32_t memory_number(memory *m, const char *name)
{
    for (size_t i = 0; i < m->name_count; i++)
        if (strcmp(m->names[i], name) == 0)
            return (uint32_t)i + 1;
    if (m->name_count == m->name_room) {
        const size_t more = m->name_room ? 2 * m->name_room : 256;
        char **grown = realloc(m->names, more * sizeof *grown);
        if (!grown)
            return 0;
        m->names = grown;
        m->name_room = more;
    }
    char *copy = strdup(name);
    if (!copy)
        return 0;
    m->names[m->name_count++] = copy;
    return (uint32_t)m->name_count;
}

const char *memory_name(memory *m, const char *name)
{
    const uint32_t number = memory_number(m, name);
    return number ? m->names[number - 1] : NULL;
}

/* ---- turns ---- */

/* One transaction at a time, of readers too. */
static ptl_status take_turn(ptl_store *store, ptl_error *err)
{
    memory *m = store->memory;
    struct timespec end;
    int code = 0;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += WAIT_SECONDS;
    pthread_mutex_lock(&m->lock);
    while (m->whose && code == 0)
        code = pthread_cond_timedwait(&m->turn, &m->lock, &end);
    if (!m->whose)
        m->whose = store;
    const bool taken = m->whose == store;
    pthread_mutex_unlock(&m->lock);
    return taken ? PTL_OK : error_set(err, PTL_ERR_BUSY, "another store has a transaction");
}

static void give_turn(ptl_store *store)
{
    memory *m = store->memory;
    pthread_mutex_lock(&m->lock);
    m->whose = NULL;
    pthread_cond_signal(&m->turn);
    pthread_mutex_unlock(&m->lock);
}

static bool has_turn(const ptl_store *store)
{
    memory *m = store->memory;
    pthread_mutex_lock(&m->lock);
    const bool has = m->whose == store;
    pthread_mutex_unlock(&m->lock);
    return has;
}

ptl_status memory_enter(ptl_store *store, bool *own, ptl_error *err)
{
    *own = !has_turn(store);
    ptl_status status = *own ? take_turn(store, err) : PTL_OK;
    *own = *own && status == PTL_OK;
    return status;
}

void memory_leave(ptl_store *store, bool own)
{
    if (own)
        give_turn(store);
}

ptl_status memory_check_writes(const ptl_store *store, ptl_error *err)
{
    if (has_turn(store) && store->writes)
        return PTL_OK;
    return error_set(err, PTL_ERR_INTERNAL, "writing outside of a transaction");
}

/* ---- transactions ---- */

static void end_turn(ptl_store *store, bool keep)
{
    memory *m = store->memory;
    if (!has_turn(store))
        return;
    for (int i = 0; i < TABLES && store->writes; i++) {
        table_clear(keep ? &m->before[i] : &m->tables[i]);
        if (!keep)
            m->tables[i] = m->before[i];
        m->before[i] = (table){.free_row = m->tables[i].free_row};
    }
    store->writes = false;
    give_turn(store);
}

static ptl_status memory_begin(ptl_store *store, ptl_error *err)
{
    memory *m = store->memory;
    bool copied = true;
    if (has_turn(store))
        return error_set(err, PTL_ERR_INTERNAL, "a transaction inside of another");
    ptl_status status = take_turn(store, err);
    if (status != PTL_OK)
        return status;
    for (int i = 0; i < TABLES; i++)
        copied = table_copy(&m->before[i], &m->tables[i]) && copied;
    store->writes = true;
    if (copied)
        return PTL_OK;
    end_turn(store, true);
    return error_nomem(err);
}

static ptl_status memory_commit(ptl_store *store, ptl_error *err)
{
    if (!has_turn(store))
        return error_set(err, PTL_ERR_INTERNAL, "there is no transaction");
    end_turn(store, true);
    return PTL_OK;
}

static void memory_rollback(ptl_store *store)
{
    end_turn(store, false);
}

static ptl_status memory_begin_snapshot(ptl_store *store, bool *own, ptl_error *err)
{
    return memory_enter(store, own, err);
}

static ptl_status memory_retry(ptl_store *store, const patient_work *work, ptl_error *err)
{
    const double start = clock_seconds();
    ptl_error failure = {0};
    ptl_status status = PTL_ERR_BUSY;
    (void)store;
    for (int i = 0; i < PATIENCE && status == PTL_ERR_BUSY; i++) {
        error_clear(&failure);
        status = work->run(work->payload, &failure);
        if (status == PTL_ERR_BUSY && work->go_on &&
            !work->go_on(work->payload, clock_seconds() - start))
            status = error_set(&failure, PTL_ERR_CANCELLED, "stopped while waiting");
    }
    if (status != PTL_OK && err && err->status == PTL_OK)
        *err = failure;
    return status;
}

static stop_hook memory_stop_hook(const ptl_store *store)
{
    (void)store;
    return (stop_hook){NULL, NULL};
}

static bool memory_stopped(const ptl_store *store)
{
    (void)store;
    return false;
}

static void memory_deafen(ptl_store *store, bool on)
{
    (void)store;
    (void)on;
}

/* ---- worlds ---- */

ptl_status memory_copy_world(world_row *out, const world_row *from, ptl_error *err)
{
    *out = *from;
    out->name = strdup(from->name);
    out->region = strdup(from->region);
    if (out->name && out->region)
        return PTL_OK;
    world_row_dispose(out);
    return error_nomem(err);
}

/* name NULL: any. */
static const memory_world *find_world(const memory *m, const char *name)
{
    const table *t = &m->tables[WORLDS];
    for (size_t i = 0; i < t->count; i++) {
        const memory_world *w = (const memory_world *)t->rows[i];
        if (!name || strcmp(w->values.name, name) == 0)
            return w;
    }
    return NULL;
}

static ptl_status memory_world_find(world_row *out, ptl_store *store, const char *name,
                                    ptl_error *err)
{
    bool own;
    memset(out, 0, sizeof *out);
    ptl_status status = memory_enter(store, &own, err);
    if (status != PTL_OK)
        return status;
    const memory_world *w = find_world(store->memory, name);
    const bool several = !name && store->memory->tables[WORLDS].count > 1;
    if (!w || several)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no world '%s'", name ? name : "");
    else
        status = memory_copy_world(out, &w->values, err);
    memory_leave(store, own);
    return status;
}

static ptl_status add_world(int64_t *id, memory *m, const world_row *values, int64_t as,
                            ptl_error *err)
{
    memory_world *w = calloc(1, sizeof *w);
    ptl_status status = w ? memory_copy_world(&w->values, values, err) : error_nomem(err);
    if (status == PTL_OK) {
        w->head.id = w->values.id = as;
        status = table_add(&m->tables[WORLDS], &w->head) ? PTL_OK : error_nomem(err);
    }
    if (status == PTL_OK && id)
        *id = as;
    if (status != PTL_OK && w)
        free_world(&w->head);
    return status;
}

static ptl_status memory_world_insert(int64_t *id, ptl_store *store, const world_row *values,
                                      ptl_error *err)
{
    memory *m = store->memory;
    ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    if (find_world(m, values->name))
        return error_set(err, PTL_ERR_EXISTS, "a world '%s' exists already", values->name);
    return add_world(id, m, values, m->next_id++, err);
}

static ptl_status memory_world_renew(ptl_store *store, const world_row *now, ptl_error *err)
{
    memory *m = store->memory;
    ptl_status status = memory_check_writes(store, err);
    if (status != PTL_OK)
        return status;
    const memory_world *w = (const memory_world *)table_find(&m->tables[WORLDS], now->id);
    if (!w)
        return error_set(err, PTL_ERR_NOT_FOUND, "no world %lld", (long long)now->id);
    world_row values = w->values;
    values.generator_version = now->generator_version;
    values.content_id = now->content_id;
    values.derive = now->derive;
    status = add_world(NULL, m, &values, now->id, err);
    if (status == PTL_OK)
        table_remove(&m->tables[WORLDS], &w->head);
    return status;
}

static ptl_status memory_world_count(uint64_t *out, ptl_store *store, ptl_error *err)
{
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    *out = status == PTL_OK ? store->memory->tables[WORLDS].count : 0;
    memory_leave(store, own);
    return status;
}

static int by_name(const void *pa, const void *pb)
{
    const memory_world *const *a = pa, *const *b = pb;
    return strcmp((*a)->values.name, (*b)->values.name);
}

static ptl_status memory_world_visit(ptl_store *store, world_visit *visit, void *payload,
                                     ptl_error *err)
{
    const table *t = &store->memory->tables[WORLDS];
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    const memory_world **list = malloc((t->count + 1) * sizeof *list);
    if (!list && status == PTL_OK)
        status = error_nomem(err);
    const size_t count = status == PTL_OK ? t->count : 0;
    for (size_t i = 0; i < count; i++)
        list[i] = (const memory_world *)t->rows[i];
    if (count > 1)
        qsort(list, count, sizeof *list, by_name);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = visit(payload, &list[i]->values, err);
    free(list);
    memory_leave(store, own);
    return status;
}

/* ---- runs ---- */

/* In the place of what has its id. */
static ptl_status put_run(memory *m, const memory_run *values, ptl_error *err)
{
    row *before = table_find(&m->tables[RUNS], values->head.id);
    memory_run *r = calloc(1, sizeof *r);
    if (!r)
        return error_nomem(err);
    *r = *values;
    r->head.holders = 0;
    if (!table_add(&m->tables[RUNS], &r->head)) {
        free(r);
        return error_nomem(err);
    }
    if (before)
        table_remove(&m->tables[RUNS], before);
    return PTL_OK;
}

/* In the caller's transaction, or one of its own. */
static ptl_status begin_own(ptl_store *store, bool *own, ptl_error *err)
{
    *own = !has_turn(store);
    return *own ? memory_begin(store, err) : PTL_OK;
}

static ptl_status end_own(ptl_store *store, bool own, ptl_status status, ptl_error *err)
{
    if (own && status == PTL_OK)
        return memory_commit(store, err);
    if (own)
        memory_rollback(store);
    return status;
}

static ptl_status memory_run_begin(int64_t *run_id, ptl_store *store, int64_t world_id,
                                   const char *command, ptl_error *err)
{
    bool own;
    ptl_status status = begin_own(store, &own, err);
    if (status != PTL_OK)
        return status;
    memory_run r = {.head = {0, store->memory->next_id++, world_id}};
    *run_id = r.head.id;
    snprintf(r.command, sizeof r.command, "%s", command);
    clock_now(r.started);
    status = put_run(store->memory, &r, err);
    return end_own(store, own, status, err);
}

static ptl_status memory_run_count(uint64_t *chunks, ptl_store *store, int64_t run_id,
                                   ptl_error *err)
{
    bool own;
    const table *t = &store->memory->tables[CHUNKS];
    *chunks = 0;
    ptl_status status = memory_enter(store, &own, err);
    for (size_t i = 0; status == PTL_OK && i < t->count; i++)
        *chunks += ((const memory_chunk *)t->rows[i])->run_id == run_id;
    memory_leave(store, own);
    return status;
}

static ptl_status memory_run_end(ptl_store *store, int64_t run_id, uint64_t chunks,
                                 double seconds, const char *outcome, ptl_error *err)
{
    bool own;
    ptl_status status = begin_own(store, &own, err);
    if (status != PTL_OK)
        return status;
    const row *r = table_find(&store->memory->tables[RUNS], run_id);
    if (!r) {
        status = error_set(err, PTL_ERR_NOT_FOUND, "no run %lld", (long long)run_id);
    } else {
        memory_run ended = *(const memory_run *)r;
        ended.chunks = chunks;
        ended.seconds = seconds;
        snprintf(ended.outcome, sizeof ended.outcome, "%s", outcome);
        status = put_run(store->memory, &ended, err);
    }
    return end_own(store, own, status, err);
}

/* The run with the greatest number below another's; NULL: there is none. */
static const memory_run *run_before(const memory *m, int64_t world_id, int64_t id)
{
    const table *t = &m->tables[RUNS];
    const row *best = NULL;
    for (size_t i = 0; i < t->count; i++)
        if ((world_id == 0 || t->rows[i]->world_id == world_id) && t->rows[i]->id < id &&
            (!best || t->rows[i]->id > best->id))
            best = t->rows[i];
    return (const memory_run *)best;
}

static ptl_status memory_run_visit(ptl_store *store, int64_t world_id, uint64_t most,
                                   run_visit *visit, void *payload, ptl_error *err)
{
    const memory_run *r = NULL;
    bool own;
    ptl_status status = memory_enter(store, &own, err);
    for (uint64_t i = 0; status == PTL_OK && i < most; i++) {
        r = run_before(store->memory, world_id, r ? r->head.id : INT64_MAX);
        if (!r)
            break;
        const run_row run = {r->head.id,
                             r->head.world_id,
                             r->command,
                             r->started,
                             r->outcome[0] ? r->outcome : NULL,
                             r->chunks,
                             r->seconds};
        status = visit(payload, &run, err);
    }
    memory_leave(store, own);
    return status;
}

/* ---- the store itself ---- */

static void memory_close(ptl_store *store)
{
    memory_rollback(store);
    codec_free(store->codec);
    if (store->scratch)
        memory_free(store->memory);
    free(store);
}

static const char *memory_path(const ptl_store *store)
{
    (void)store;
    return "memory";
}

static bool memory_may_write(const ptl_store *store)
{
    (void)store;
    return true;
}

static const transaction_operations transactions = {.begin = memory_begin,
                                                    .commit = memory_commit,
                                                    .rollback = memory_rollback,
                                                    .begin_read = take_turn,
                                                    .begin_snapshot = memory_begin_snapshot,
                                                    .begin_lookups = memory_begin_snapshot,
                                                    .end_snapshot = memory_leave,
                                                    .retry = memory_retry,
                                                    .stop_hook = memory_stop_hook,
                                                    .stopped = memory_stopped,
                                                    .deafen = memory_deafen,
                                                    .may_write = memory_may_write};

static const world_operations worlds = {.find = memory_world_find,
                                        .insert = memory_world_insert,
                                        .renew = memory_world_renew,
                                        .count = memory_world_count,
                                        .visit = memory_world_visit,
                                        .digest = memory_digest};

static const run_operations runs = {.begin = memory_run_begin,
                                    .count = memory_run_count,
                                    .end = memory_run_end,
                                    .visit = memory_run_visit};

/* ---- scratches ---- */

/* A memory of its own, with the same content; the path is nobody's. */
static ptl_status memory_scratch_open(ptl_store **out, ptl_store *source, const char *path,
                                      ptl_error *err)
{
    bool own;
    memory *m = memory_new(source->memory->cat);
    (void)path;
    *out = NULL;
    if (!m)
        return error_nomem(err);
    ptl_status status = memory_enter(source, &own, err);
    if (status == PTL_OK) {
        status = memory_copy_contents(m, source->memory, err);
        memory_leave(source, own);
    }
    if (status == PTL_OK) {
        *out = memory_open(m);
        status = *out ? PTL_OK : error_nomem(err);
    }
    if (status == PTL_OK)
        (*out)->scratch = true;
    else
        memory_free(m);
    return status;
}

static ptl_status memory_scratch_clear(ptl_store *store, ptl_error *err)
{
    static const int all[] = {SAVED, PLACED, EDITS,  SPILLS, SURGES,
                              MAPS,  EDGES,  CHUNKS, RUNS,   WORLDS};
    ptl_status status = memory_check_writes(store, err);
    for (size_t i = 0; i < sizeof all / sizeof *all && status == PTL_OK; i++)
        table_clear(&store->memory->tables[all[i]]);
    return status;
}

static const scratch_operations scratches = {.open = memory_scratch_open,
                                             .clear = memory_scratch_clear};

static const store_operations memory_operations = {
    .name = "memory",
    .close = memory_close,
    .path = memory_path,
    .transaction = &transactions,
    .content = &memory_content_operations,
    .world = &worlds,
    .chunk = &memory_chunk_operations,
    .run = &runs,
    .map = &memory_map_operations,
    .edit = &memory_edit_operations,
    .saved = &memory_saved_operations,
    .import = &memory_import_operations,
    .sweep = &memory_sweep_operations,
    .scratch = &scratches,
};

memory *memory_new(const catalogue *cat)
{
    static void (*const frees[TABLES])(row * r) = {
        free_world,          free_run,          memory_chunk_free, memory_edge_free,
        memory_content_free, memory_line_free,  memory_sweep_free, memory_overmap_free,
        memory_map_free,     memory_surge_free, memory_spill_free, memory_edit_free,
        memory_placed_free,  memory_saved_free};
    memory *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->turn, NULL);
    m->cat = cat;
    m->next_id = 1;
    for (int i = 0; i < TABLES; i++)
        m->tables[i].free_row = m->before[i].free_row = frees[i];
    return m;
}

void memory_free(memory *m)
{
    for (int i = 0; i < TABLES; i++)
        table_clear(&m->tables[i]);
    for (size_t i = 0; i < m->name_count; i++)
        free(m->names[i]);
    free(m->names);
    pthread_cond_destroy(&m->turn);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

ptl_store *memory_open(memory *m)
{
    ptl_store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    store->head.operations = &memory_operations;
    store->memory = m;
    store->codec = codec_new();
    if (store->codec)
        return store;
    free(store);
    return NULL;
}
