/*
 * Makes many chunks of a world: finds out which chunks are wanted, reads or plans their edges,
 * and writes the row in `run` that describes the work. Threads and transactions are handled by
 * flow.h. One transaction looks up several places. That is faster, because taking the locks of
 * a transaction costs more than the lookups in it, and because making a chunk pushes SQLite's
 * data out of the processor's caches.
 */
#include "world/bulk.h"

#include "core/array.h"
#include "world/edits.h"
#include "world/flow.h"

#include <assert.h>
#include <stdlib.h>

/* What the open transaction has done so far. These counts are added to the report only after
 * the commit. */
typedef struct batch_counts {
    uint64_t changed, events, empty_cities;
} batch_counts;

/* A task for the pool of threads: one chunk to make. The function look_up reads or plans the
 * chunk's edges before the task is given to a thread. */
typedef struct chunk_task {
    pool_task head;
    ptl_chunk_pos pos;
    made_chunk made;
} chunk_task;

enum { LOOK_AHEAD = 8 };

/* A place of the caller's list, and what look_up has found out about it: whether a chunk is to
 * be made there. */
typedef struct place {
    ptl_chunk_pos pos;
    chunk_task *task; /* owned; the task that makes the chunk; NULL: the chunk is not wanted */
    /* Why the chunk is not made: the reason that bulk.wants gave, or an error of reading its
     * edges. NULL: bulk.wants gave none. The text may be a part of *task. */
    const char *reason;
} place;

typedef struct run {
    bulk *work;
    ptl_world *world;
    ptl_progress *progress;   /* borrowed: the progress of `work` */
    ptl_chunk_pos *positions; /* owned; each place once, in the order that the caller gave */
    size_t position_count, next;
    place ahead[LOOK_AHEAD];
    size_t ahead_count, ahead_next;
    int64_t run_id; /* id of the row for this work in the table `run`; 0: there is no row yet */
    /* `begun`: the beginning of the row in the table `run` is committed. `ended`: its end is
     * committed. */
    bool begun, ended;
    bool
        /* True: the open transaction has completed this work's row in the table `run`. */
        ends;
    ptl_status outcome;
    /* Counts of the open transaction, which are added to the report after its commit. */
    batch_counts counts;
    stale_maps maps; /* edited local maps that the open transaction has found to be stale */
} run;

typedef struct chunk_worker {
    chunk_maker maker;
    bulk *work;    /* the work to whose report the times of this thread are added */
    bool borrowed; /* true: the generator and the codec of `maker` belong to the world, so they
                      must not be freed */
} chunk_worker;

/* ---- which chunks ---- */

typedef struct indexed {
    ptl_chunk_pos pos;
    size_t index;
} indexed;

static int by_position(const void *pa, const void *pb)
{
    const indexed *a = pa, *b = pb;
    return ORDER_BY(a->pos.x, b->pos.x, a->pos.y, b->pos.y, (int64_t)a->index,
                    (int64_t)b->index);
}

/* Lists the places of the chunks to make, in the order in which the caller gave them. Each
 * place is listed once. */
static ptl_status collect_positions(run *r, ptl_error *err)
{
    enum { NOWHERE = INT32_MIN };
    const size_t n = r->work->count;
    indexed *list = calloc(n ? n : 1, sizeof *list);
    r->positions = calloc(n ? n : 1, sizeof *r->positions);
    ptl_status status = list && r->positions ? PTL_OK : error_nomem(err);
    for (size_t i = 0; status == PTL_OK && i < n; i++) {
        r->positions[i] = r->work->list[i];
        list[i] = (indexed){r->positions[i], i};
        status = world_check_position(r->positions[i], err);
    }
    if (status == PTL_OK) {
        qsort(list, n, sizeof *list, by_position);
        for (size_t i = 1; i < n; i++)
            if (list[i].pos.x == list[i - 1].pos.x && list[i].pos.y == list[i - 1].pos.y)
                r->positions[list[i].index].x = NOWHERE;
        for (size_t i = 0; i < n; i++)
            if (r->positions[i].x != NOWHERE)
                r->positions[r->position_count++] = r->positions[i];
    }
    free(list);
    THEN(status, shard_take(r->positions, &r->position_count, r->work->shard, err));
    r->progress->total = r->position_count;
    return status;
}

/* ---- making chunks, in the threads ---- */

static void free_worker(void *worker)
{
    chunk_worker *w = worker;
    ptl_generate_report *report = &w->work->report;
    for (size_t i = 0; i < GEN_STEPS_MAX; i++)
        report->step_seconds[i] += w->maker.times.seconds[i];
    report->encode_seconds += w->maker.encode_seconds;
    if (!w->borrowed) {
        generator_free(w->maker.gen);
        codec_free(w->maker.codec);
    }
    free(w);
}

/* Makes the data of one thread. If the work has only one thread, this borrows the world's own
 * generator: building the tables of a new generator takes as long as making some chunks, and
 * the world's generator keeps intermediate results from earlier chunks. */
static void *new_worker(void *context)
{
    run *r = context;
    chunk_worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->work = r->work;
    w->borrowed = r->work->jobs <= 1;
    w->maker = (chunk_maker){.config = r->world->config,
                             .gen = r->world->gen,
                             .codec = r->world->codec,
                             .step_count = r->work->step_count};
    if (!w->borrowed) {
        w->maker.gen = generator_new(r->world->config);
        w->maker.codec = codec_new();
    }
    if (w->maker.gen && w->maker.codec)
        return w;
    free_worker(w);
    return NULL;
}

static void make_task(void *worker, pool_task *head)
{
    chunk_worker *w = worker;
    chunk_task *task = (chunk_task *)head;
    head->status = world_make_chunk(&task->made, NULL, &w->maker, task->pos, &head->err);
}

static void free_task(pool_task *head)
{
    chunk_task *task = (chunk_task *)head;
    made_chunk_dispose(&task->made);
    free(task);
}

/* ---- writing ---- */

/* The next functions say what happens to the stored local maps of a chunk that is generated
 * again. */

/* Frees the items. Afterwards the list is empty and can be used again. */
static void stale_maps_clear(stale_maps *maps)
{
    for (size_t i = 0; i < maps->count; i++)
        free(maps->list[i].was);
    free(maps->list);
    memset(maps, 0, sizeof *maps);
}

static void begin_batch(void *context)
{
    run *r = context;
    r->counts = (batch_counts){0};
    r->run_id = r->begun ? r->run_id : 0;
    r->ends = false;
    stale_maps_clear(&r->maps);
}

/* Begins the row of this work in the table `run`, in the transaction that writes the first
 * chunk. Only the first call does it. If the work makes no chunk, it has no row until it ends.
 */
static ptl_status begin_run(run *r, ptl_error *err)
{
    if (r->run_id != 0)
        return PTL_OK;
    return ops(r->world->store)
        ->run->begin(&r->run_id, r->world->store, r->world->row.id, r->work->command, err);
}

static ptl_status add_map(void *payload, const map_info *info, ptl_error *err)
{
    stale_maps *maps = payload;
    if (!ARRAY_ROOM(maps->list, maps->room, maps->count + 1))
        return error_nomem(err);
    stale_map *added = &maps->list[maps->count];
    *added = (stale_map){.at = info->at, .was = strdup(info->oter)};
    if (!added->was)
        return error_nomem(err);
    maps->count++;
    return PTL_OK;
}

/* Adapts local maps to a chunk that was replaced in the same transaction. Maps that no game has
 * edited are removed. Edited maps stay; if the OMT of an edited map has another terrain than
 * before, the map is added to the list. Stored spills that depend on the chunk are removed. */
static ptl_status follow_maps(stale_maps *maps, ptl_world *world, ptl_chunk_pos pos,
                              ptl_error *err)
{
    const map_area area = world_maps_of(pos), near = world_spills_of(pos);
    const map_operations *stored = ops(world->store)->map;
    size_t kept = maps->count;
    uint64_t dropped = 0;
    int32_t z = PTL_Z_MIN - 1;
    ptl_oter *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    ptl_status status = cells ? PTL_OK : error_nomem(err);
    THEN(status, stored->visit(world->store, world->row.id, &area, add_map, maps, err));
    for (size_t i = kept; i < maps->count; i++) {
        stale_map *m = &maps->list[i];
        bool found = true;
        if (status == PTL_OK && m->at.z != z) {
            z = m->at.z;
            status = world_level_read(cells, &found, world, pos, z, err);
        }
        const int64_t cell = (m->at.y - area.y0) * PTL_CHUNK_SIZE + m->at.x - area.x0;
        if (status == PTL_OK)
            m->now = world->cat->oters[cells[cell]].id;
        if (status != PTL_OK || strcmp(m->now, m->was) == 0)
            free(m->was);
        else
            maps->list[kept++] = *m;
    }
    maps->count = kept;
    free(cells);
    THEN(status, stored->drop(&dropped, world->store, world->row.id, &area, err));
    THEN(status, stored->spill_drop(world->store, world->row.id, &near, err));
    maps->dropped += dropped;
    return status;
}

static ptl_status write_task(void *context, const pool_task *head, bool *written,
                             ptl_error *err)
{
    run *r = context;
    const chunk_task *task = (const chunk_task *)head;
    const made_chunk *made = &task->made;
    bool changed = false;
    TRY(begin_run(r, err));
    ptl_status status = world_write_chunk(r->world, made, r->run_id, r->work->step_count,
                                          r->work->replace ? &changed : NULL, written, err);
    if (status == PTL_OK && *written && r->work->replace)
        status = follow_maps(&r->maps, r->world, task->pos, err);
    r->counts.changed += changed;
    for (size_t i = 0; *written && i < made->event_count; i++) {
        r->counts.events++;
        r->counts.empty_cities += strcmp(made->events[i].kind, "city_empty") == 0;
    }
    return status;
}

/* Completes the row for this call in the table `run`, in the transaction that writes the last
 * chunks. If no chunks are left to write at the end, there is no such transaction, and
 * end_transaction completes the row. */
static ptl_status close_batch(void *context, uint64_t written, bool last, double seconds,
                              ptl_error *err)
{
    run *r = context;
    if (!last || r->run_id == 0)
        return PTL_OK;
    const ptl_status status = ops(r->world->store)
                                  ->run->end(r->world->store, r->run_id,
                                             r->progress->done + written, seconds, "done", err);
    r->ends = status == PTL_OK;
    return status;
}

static void batch_committed(void *context)
{
    run *r = context;
    r->begun = r->run_id != 0;
    r->ended = r->ends;
    r->work->report.events += r->counts.events;
    r->work->report.empty_cities += r->counts.empty_cities;
    r->work->changed += r->counts.changed;
    if (r->work->replace)
        r->work->maps(r->work->context, &r->maps);
}

/* ---- which chunks are to be made ---- */

/* Asks whether the chunk at a place is wanted. If it is, makes the task for the chunk, with the
 * chunk's edges. After an error the place has no task, and nothing must be freed. */
static ptl_status look_up(place *p, const run *r, ptl_error *err)
{
    const bulk *work = r->work;
    bool wanted = false;
    ptl_status status = work->wants(work->context, p->pos, &wanted, &p->reason, err);
    if (status != PTL_OK || !wanted)
        return status;
    chunk_task *task = calloc(1, sizeof *task);
    if (!task)
        return error_nomem(err);
    ptl_error *own = &task->head.err;
    task->pos = p->pos;
    p->task = task;
    status = world_edges(r->world, p->pos, task->made.edges, own);
    if (status == PTL_ERR_MISMATCH && work->keep) {
        p->reason = own->message;
        status = PTL_OK;
    }
    if (status != PTL_OK) {
        *err = *own;
        free_task(&task->head);
        p->task = NULL;
    }
    return status;
}

/* Looks up several places in one transaction, to find out which chunks must be made there. If
 * this fails at a place, the chunks before it are made first. Then that place is looked up
 * again, and only if this fails, too, the work ends with the error. */
static ptl_status look_ahead(run *r, ptl_error *err)
{
    ptl_error problem = {0};
    bool own;
    r->ahead_count = r->ahead_next = 0;
    ptl_status status =
        ops(r->world->store)->transaction->begin_lookups(r->world->store, &own, &problem);
    while (status == PTL_OK && r->ahead_count < LOOK_AHEAD && r->next < r->position_count) {
        place *p = &r->ahead[r->ahead_count];
        *p = (place){.pos = r->positions[r->next]};
        status = look_up(p, r, &problem);
        r->next += status == PTL_OK;
        r->ahead_count += status == PTL_OK;
    }
    ops(r->world->store)->transaction->end_snapshot(r->world->store, own);
    if (r->ahead_count > 0)
        return PTL_OK;
    if (status != PTL_OK && err)
        *err = problem;
    return status;
}

static ptl_status next_task(void *context, pool_task **out, ptl_error *err)
{
    run *r = context;
    ptl_status status = PTL_OK;
    *out = NULL;
    while (status == PTL_OK && !*out &&
           (r->ahead_next < r->ahead_count || r->next < r->position_count)) {
        if (r->ahead_next == r->ahead_count) {
            status = look_ahead(r, err);
            continue;
        }
        const place *p = &r->ahead[r->ahead_next++];
        if (p->task && !p->reason) {
            *out = &p->task->head;
            continue;
        }
        r->progress->skipped++;
        if (p->reason && r->work->keep)
            r->work->keep(r->work->context, p->pos, p->reason);
        if (p->task)
            free_task(&p->task->head);
    }
    return status;
}

/* ---- the row in `run` ---- */

/* Completes the row of this work in the table `run`, in a transaction of its own. If no chunk
 * was written, the row does not exist yet; then it is written here as a whole. */
static ptl_status end_transaction(void *payload, ptl_error *err)
{
    run *r = ((flow *)payload)->context;
    const bool failed = r->outcome != PTL_OK && r->outcome != PTL_ERR_CANCELLED;
    const char *word = failed ? "failed" : r->outcome == PTL_OK ? "done" : "cancelled";
    uint64_t chunks = r->progress->done;
    TRY(ops(r->world->store)->transaction->begin(r->world->store, err));
    r->run_id = r->begun ? r->run_id : 0;
    ptl_status status = begin_run(r, err);
    if (status == PTL_OK && failed)
        status = ops(r->world->store)->run->count(&chunks, r->world->store, r->run_id, err);
    THEN(status,
         ops(r->world->store)
             ->run->end(r->world->store, r->run_id, chunks, r->progress->seconds, word, err));
    return world_end_writing(r->world->store, status, err);
}

static_assert((int)GEN_STEPS_MAX <= (int)PTL_STEPS_MAX, "a report has room for every step");

ptl_status bulk_run(bulk *work, ptl_error *err)
{
    run r = {.work = work, .world = work->world, .progress = &work->progress};
    work->progress.size = sizeof work->progress;
    flow f = {.store = work->world->store,
              .jobs = work->jobs,
              .kind = {new_worker, free_worker, make_task, free_task, &r},
              .context = &r,
              .next = next_task,
              .begin = begin_batch,
              .write = write_task,
              .close = close_batch,
              .committed = batch_committed,
              .on_progress = work->on_progress,
              .payload = work->payload,
              .progress = r.progress};
    ptl_status status = collect_positions(&r, err);
    THEN(status, flow_begin(&f, err));
    if (status == PTL_OK) {
        status = r.outcome = flow_loop(&f, err);
        /* If flow_loop has failed, the caller gets its error, even if writing the end of the
         * row in the table `run` fails, too. */
        if (!r.ended || status != PTL_OK) {
            const ptl_status ended = flow_patiently(&f, end_transaction, err);
            status = status == PTL_OK ? ended : status;
        }
    }
    flow_end(&f);
    for (; r.ahead_next < r.ahead_count; r.ahead_next++)
        if (r.ahead[r.ahead_next].task)
            free_task(&r.ahead[r.ahead_next].task->head);
    work->report.write_seconds += f.write_seconds;
    work->report.done = work->progress.done;
    work->report.skipped = work->progress.skipped;
    work->report.total = work->progress.total;
    work->report.seconds = work->progress.seconds;
    work->report.rate = work->progress.rate;
    stale_maps_clear(&r.maps);
    free(r.positions);
    return status;
}

map_area world_maps_of(ptl_chunk_pos pos)
{
    const int64_t x = (int64_t)pos.x * PTL_CHUNK_SIZE, y = (int64_t)pos.y * PTL_CHUNK_SIZE;
    return (map_area){x, x + PTL_CHUNK_SIZE - 1, y, y + PTL_CHUNK_SIZE - 1, .after = 1};
}

map_area world_spills_of(ptl_chunk_pos pos)
{
    map_area area = world_maps_of(pos);
    area.x0 -= WORLD_SPILLS_AROUND;
    area.y0 -= WORLD_SPILLS_AROUND;
    area.x1 += WORLD_SPILLS_AROUND;
    area.y1 += WORLD_SPILLS_AROUND;
    area.after = 0;
    return area;
}
