/*
 * The public calls for searching overmaps: making a search from options, and running it.
 *
 * Each seed is a task for the workers of a pool; a worker makes all overmaps of the seed and
 * searches them. Results wait in a ring buffer until those of all earlier seeds have been
 * reported, so that matches are reported in the order of seeds.
 */
#include "analysis/search/relation.h"
#include "core/array.h"
#include "core/sized.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/pool.h"
#include "portolan/query.h"
#include "world/scratch.h"
#include "world/seed_maker.h"

#include <stdlib.h>
#include <strings.h>

struct ptl_search {
    /* The caller's options; their pointers to texts and chunks point to the members below. */
    ptl_search_options o;
    char *where, *world_name, *scratch_folder; /* owned */
    /* Owned; sorted by (y, x). If the caller of a search in a world gave no chunks, the
     * saved ones are listed each time the search is carried out. */
    ptl_chunk_pos *chunks;
    size_t chunk_count;
    ptl_store *store; /* borrowed */
    ptl_world *world; /* borrowed; NULL for a search over seeds */
    seed_base base;   /* for a search over seeds: the content and config that all seeds share */
    relation *relation; /* owned; NULL: the search is a query in SQL */
    /* How far the search has got, and its results. */
    ptl_progress progress;
    ptl_search_report report;
};

/* The matches of one seed. */
typedef struct search_found {
    ptl_search_match *list; /* owned */
    size_t count, room;
    bool cut;      /* more than `most` matches were found */
    uint64_t most; /* at most so many matches are kept; 0: all */
} search_found;

enum { QUEUE_PER_JOB = 4, RATE_POINTS = 64 };
static const double PROGRESS_SECONDS = 0.25;

typedef struct seed_task {
    pool_task head; /* head.number says which seed of the search this is, counted from 0 */
    uint64_t seed;
    search_found found;
} seed_task;

typedef struct worker {
    const ptl_search *search;
    seed_maker *maker;
    finder *finder; /* set if the search is for a relation */
    scratch *scratch;
    codec *codec;
    made_chunk *made; /* owned; an array of chunk_count chunks */
} worker;

typedef struct rate_point {
    double at;
    uint64_t done;
} rate_point;

typedef struct state {
    ptl_search *search;
    pool *pool;
    /* Owned: a ring buffer of finished tasks, with room for `room` of them. */
    pool_task **ready;
    size_t room;
    /* Tasks: `given` is how many were given to the pool, `due` the number of the task whose
     * results are reported next, and `total` how many there are (0 stands for 2^64, which does
     * not fit). */
    uint64_t given, due, total;
    double started, next_progress;
    rate_point rates[RATE_POINTS];
    size_t rate_count;
    /* Owned: a scratch world for each worker that runs SQL. They are made in the caller's
     * thread, because the store from which they copy the content belongs to this thread. */
    scratch **scratches;
    int32_t worker_count;
} state;

/* ---- workers ---- */

static void worker_free(void *own)
{
    worker *w = own;
    seed_maker_free(w->maker);
    finder_free(w->finder);
    codec_free(w->codec);
    free(w->made);
    free(w);
}

static void *worker_new(void *context)
{
    state *st = context;
    const ptl_search *s = st->search;
    worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->search = s;
    w->maker = seed_maker_new(&s->base);
    w->made = calloc(s->chunk_count, sizeof *w->made);
    if (s->relation) {
        w->finder = finder_new(s->relation);
    } else {
        w->scratch = st->scratches[st->worker_count++];
        w->codec = codec_new();
    }
    if (w->maker && w->made && (w->finder || w->codec))
        return w;
    worker_free(w);
    return NULL;
}

/* ---- matches ---- */

static bool add(search_found *found, ptl_search_match match, ptl_error *err)
{
    if (!ARRAY_ROOM(found->list, found->room, found->count + 1)) {
        error_nomem(err);
        return false;
    }
    found->list[found->count++] = match;
    return true;
}

static bool is_full(search_found *found)
{
    found->cut = found->most > 0 && found->count >= found->most;
    return found->cut;
}

/* Evaluates the relation on the overmaps in the finder, and adds the matches to `found`. */
static ptl_status search_ask_relation(search_found *found, finder *f, uint64_t seed,
                                      ptl_error *err)
{
    const relation_match *list;
    size_t count;
    ptl_status status = finder_find(f, &list, &count, err);
    found->count = 0;
    found->cut = false;
    for (size_t i = 0; i < count && status == PTL_OK && !is_full(found); i++)
        if (!add(found,
                 (ptl_search_match){.size = sizeof(ptl_search_match),
                                    .seed = seed,
                                    .x = list[i].x,
                                    .y = list[i].y,
                                    .z = list[i].z,
                                    .what = list[i].what,
                                    .has_place = true,
                                    .has_level = true},
                 err))
            status = PTL_ERR_NOMEM;
    return status;
}

enum { SQL_SECONDS = 60 };

typedef struct sql_rows {
    search_found *found;
    uint64_t seed;
    ptl_error *err;
    bool full, failed;
} sql_rows;

static bool whole(const ptl_value *v, int64_t *out)
{
    if (v->type == PTL_VALUE_INTEGER)
        *out = v->integer;
    else if (v->type == PTL_VALUE_REAL && v->real > -9e15 && v->real < 9e15)
        *out = (int64_t)v->real;
    else
        return false;
    return true;
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    sql_rows *rows = payload;
    ptl_search_match match = {.size = sizeof match, .seed = rows->seed, .what = ""};
    bool has_x = false, has_y = false;
    rows->full = is_full(rows->found);
    if (rows->full)
        return false;
    for (size_t i = 0; i < columns; i++) {
        if (strcasecmp(names[i], "x") == 0)
            has_x = whole(&values[i], &match.x);
        else if (strcasecmp(names[i], "y") == 0)
            has_y = whole(&values[i], &match.y);
        else if (strcasecmp(names[i], "z") == 0)
            match.has_level = whole(&values[i], &match.z);
    }
    match.has_place = has_x && has_y;
    rows->failed = !add(rows->found, match, rows->err);
    return !rows->failed;
}

/* Runs the query on the store, and replaces the matches in `found` by the rows of the result.
 */
static ptl_status search_ask_sql(search_found *found, ptl_store *store, const char *sql,
                                 uint64_t seed, ptl_error *err)
{
    ptl_error local = {0};
    sql_rows rows = {.found = found, .seed = seed, .err = err};
    const ptl_query_options options = {
        .size = sizeof options, .on_row = on_row, .payload = &rows, .time_limit = SQL_SECONDS};
    found->count = 0;
    found->cut = false;
    ptl_status status = ptl_query(store, sql, &options, &local);
    if (rows.failed)
        return PTL_ERR_NOMEM;
    if (rows.full)
        return PTL_OK;
    return status == PTL_OK ? PTL_OK : error_set(err, status, "%s", local.message);
}

/* Makes the overmaps of the task's seed, and searches them. */
static ptl_status find(worker *w, seed_task *task, ptl_error *err)
{
    const ptl_search *s = w->search;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < s->chunk_count && status == PTL_OK; i++) {
        made_chunk *made = &w->made[i];
        ptl_chunk *chunk;
        status = seed_maker_run(&chunk, made->edges, w->maker, task->seed, s->chunks[i], err);
        if (s->relation)
            THEN(status, finder_add(w->finder, chunk, generator_features(w->maker->gen), err));
        else
            THEN(status, world_encode_chunk(made, w->codec, &w->maker->config, chunk,
                                            w->maker->gen, err));
        ptl_chunk_free(chunk);
    }
    if (!s->relation)
        THEN(status,
             scratch_fill(w->scratch, &w->maker->config.options, w->made, s->chunk_count, err));
    for (size_t i = 0; i < s->chunk_count; i++)
        made_chunk_dispose(&w->made[i]);
    TRY(status);
    return s->relation ? search_ask_relation(&task->found, w->finder, task->seed, err)
                       : search_ask_sql(&task->found, scratch_store(w->scratch), s->where,
                                        task->seed, err);
}

/* Returns how many matches in one seed the search needs at most; 0: all of them. */
static uint64_t search_most(const ptl_search *s)
{
    const uint64_t left = s->o.limit;
    return s->o.per_seed == 0 || (left > 0 && left < s->o.per_seed) ? left : s->o.per_seed;
}

static void run(void *own, pool_task *head)
{
    worker *w = own;
    seed_task *task = (seed_task *)head;
    task->found.most = search_most(w->search);
    head->status = find(w, task, &head->err);
}

static void task_free(pool_task *head)
{
    seed_task *task = (seed_task *)head;
    if (task)
        free(task->found.list);
    free(task);
}

/* ---- reporting, in the caller's thread ---- */

static ptl_status tell_progress(state *st, ptl_error *err)
{
    ptl_search *s = st->search;
    const double now = clock_seconds();
    const rate_point *from =
        &st->rates[st->rate_count >= RATE_POINTS ? st->rate_count % RATE_POINTS : 0];
    s->progress.done = s->report.seeds;
    s->progress.total = st->total;
    s->progress.seconds = now - st->started;
    if (now < st->next_progress)
        return PTL_OK;
    st->next_progress = now + PROGRESS_SECONDS;
    if (st->rate_count > 0 && now > from->at)
        s->progress.rate = (double)(s->report.seeds - from->done) / (now - from->at);
    st->rates[st->rate_count++ % RATE_POINTS] = (rate_point){now, s->report.seeds};
    if (s->o.on_progress && !s->o.on_progress(s->o.payload, &s->progress))
        return error_set(err, PTL_ERR_CANCELLED, "stopped");
    return PTL_OK;
}

/* Gives the matches to the caller's on_match. *stop is set when the caller wants no more
 * matches. */
static ptl_status search_tell(ptl_search *s, const search_found *found, bool *stop,
                              ptl_error *err)
{
    *stop = false;
    s->report.cut = false;
    for (size_t i = 0; i < found->count && !*stop; i++) {
        s->report.matches++;
        *stop = s->o.limit > 0 && s->report.matches >= s->o.limit;
        s->report.cut = *stop && (found->cut || i + 1 < found->count) &&
                        (s->o.per_seed == 0 || i + 1 < s->o.per_seed);
        if (!s->o.on_match(s->o.payload, &found->list[i]))
            return error_set(err, PTL_ERR_CANCELLED, "stopped");
    }
    return PTL_OK;
}

/* Reports results in the order of the seeds, up to the first seed that is not finished. */
static ptl_status tell_ready(state *st, bool *stop, ptl_error *err)
{
    ptl_search *s = st->search;
    ptl_status status = PTL_OK;
    pool_task **slot = &st->ready[st->due % st->room];
    while (*slot && status == PTL_OK && !*stop) {
        seed_task *task = (seed_task *)*slot;
        if (task->head.status != PTL_OK) {
            if (err)
                *err = task->head.err;
            return task->head.status;
        }
        *slot = NULL;
        st->due++;
        s->report.seeds++;
        s->report.next_seed = task->seed + 1;
        status = search_tell(s, &task->found, stop, err);
        task_free(&task->head);
        slot = &st->ready[st->due % st->room];
    }
    return status;
}

static ptl_status loop(state *st, ptl_error *err)
{
    bool stop = false;
    for (;;) {
        while ((st->total == 0 || st->given < st->total) && st->given - st->due < st->room) {
            seed_task *task = calloc(1, sizeof *task);
            if (!task)
                return error_nomem(err);
            task->head.number = st->given;
            task->seed = st->search->o.seed_first + st->given++;
            pool_give(st->pool, &task->head);
        }
        pool_task *task = pool_take(st->pool, PROGRESS_SECONDS);
        if (task)
            st->ready[task->number % st->room] = task;
        ptl_status status = tell_ready(st, &stop, err);
        THEN(status, tell_progress(st, err));
        if (status != PTL_OK || stop ||
            (st->total > 0 && st->given == st->total && st->due == st->given))
            return status;
    }
}

static ptl_status make_scratches(state *st, ptl_error *err)
{
    const ptl_search *s = st->search;
    st->scratches = calloc((size_t)s->o.jobs, sizeof(scratch *));
    if (!st->scratches)
        return error_nomem(err);
    for (int32_t i = 0; i < s->o.jobs; i++)
        TRY(scratch_new(&st->scratches[i], s->store, s->base.cat, s->scratch_folder,
                        s->world_name, err));
    return PTL_OK;
}

static ptl_status begin(state *st, ptl_error *err)
{
    ptl_search *s = st->search;
    const pool_kind kind = {worker_new, worker_free, run, task_free, st};
    s->report.next_seed = s->o.seed_first;
    /* If there are 2^64 seeds, the sum is 0, which stands for this number. */
    st->total = s->o.seed_last - s->o.seed_first + 1;
    st->started = clock_seconds();
    st->next_progress = st->started + PROGRESS_SECONDS;
    st->rates[st->rate_count++] = (rate_point){st->started, 0};
    st->room = s->o.jobs == 1 ? 1 : (size_t)s->o.jobs * QUEUE_PER_JOB;
    st->ready = calloc(st->room, sizeof(pool_task *));
    if (!st->ready)
        return error_nomem(err);
    ptl_status status = s->relation ? PTL_OK : make_scratches(st, err);
    return status == PTL_OK ? pool_new(&st->pool, &kind, s->o.jobs, err) : status;
}

/* Carries out a search of seeds; search_run_world carries out one of a world. Before either,
 * the caller must set the report to zeroes. */
static ptl_status search_run_seeds(ptl_search *s, ptl_error *err)
{
    state st = {.search = s};
    ptl_status status = begin(&st, err);
    THEN(status, loop(&st, err));
    for (size_t i = 0; st.ready && i < st.room; i++)
        if (st.ready[i])
            task_free(st.ready[i]);
    pool_free(st.pool);
    for (int32_t i = 0; st.scratches && i < s->o.jobs; i++)
        scratch_free(st.scratches[i]);
    free(st.scratches);
    free(st.ready);
    if (status == PTL_OK && s->report.seeds == st.total)
        s->report.next_seed = 0;
    s->report.seconds = clock_seconds() - st.started;
    return status;
}

/* ---- options ---- */

static ptl_status check(const ptl_search_options *o, bool of_seeds, ptl_error *err)
{
    if (!o->where || !o->on_match)
        return error_set(err, PTL_ERR_ARGUMENT, "a search needs `where` and `on_match`");
    if (o->language != PTL_SEARCH_RELATION && o->language != PTL_SEARCH_SQL)
        return error_set(err, PTL_ERR_ARGUMENT, "a search's language is %d", (int)o->language);
    if (o->jobs < 0 || o->jobs > PTL_SEARCH_JOBS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "jobs must be 1 to %d", PTL_SEARCH_JOBS_MAX);
    if (o->chunks && o->chunk_count == 0)
        return error_set(err, PTL_ERR_ARGUMENT, "a search needs a chunk");
    if (of_seeds && o->seed_first > o->seed_last)
        return error_set(err, PTL_ERR_ARGUMENT, "seeds go from the lower one on");
    if (of_seeds && o->chunks && o->chunk_count > PTL_SEARCH_CHUNKS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "chunks of a seed must be 1 to %d",
                         PTL_SEARCH_CHUNKS_MAX);
    for (size_t i = 0; o->chunks && i < o->chunk_count; i++) {
        TRY(world_check_position(o->chunks[i], err));
    }
    return PTL_OK;
}

static int compare_chunks(const void *left, const void *right)
{
    const ptl_chunk_pos *a = left, *b = right;
    return ORDER_BY(a->y, b->y, a->x, b->x);
}

/* Sorts the chunks by (y, x), as finder_add wants them, and drops repeated ones. */
static void search_order_chunks(ptl_search *s)
{
    size_t count = 0;
    if (s->chunk_count > 1)
        qsort(s->chunks, s->chunk_count, sizeof *s->chunks, compare_chunks);
    for (size_t i = 0; i < s->chunk_count; i++)
        if (count == 0 || compare_chunks(&s->chunks[count - 1], &s->chunks[i]) != 0)
            s->chunks[count++] = s->chunks[i];
    s->chunk_count = count;
}

static ptl_status copy_chunks(ptl_search *s, const ptl_search_options *o, ptl_error *err)
{
    static const ptl_chunk_pos origin = {0, 0};
    const ptl_chunk_pos *from = o->chunks ? o->chunks : &origin;
    const size_t count = o->chunks ? o->chunk_count : 1;
    s->chunks = malloc(count * sizeof *s->chunks);
    if (!s->chunks)
        return error_nomem(err);
    memcpy(s->chunks, from, count * sizeof *s->chunks);
    s->chunk_count = count;
    search_order_chunks(s);
    return PTL_OK;
}

/* ---- making a search ---- */

static ptl_status fill(ptl_search *s, const ptl_search_options *o, ptl_search_fault *fault,
                       ptl_error *err)
{
    TRY(check(o, !s->world, err));
    s->o = *o;
    s->o.jobs = o->jobs == 0 ? 1 : o->jobs;
    s->o.settings = NULL;
    s->where = strdup(o->where);
    s->world_name = strdup(o->world_name ? o->world_name : "find");
    /* For each seed a temporary file is written and thrown away, so a folder that lies in
     * memory is best. */
    const char *folder = file_is_writable("/dev/shm") ? "/dev/shm" : "/tmp";
    s->scratch_folder = strdup(o->scratch_folder ? o->scratch_folder : folder);
    if (!s->where || !s->world_name || !s->scratch_folder)
        return error_nomem(err);
    TRY(copy_chunks(s, o, err));
    s->o.where = s->where;
    s->o.world_name = s->world_name;
    s->o.scratch_folder = s->scratch_folder;
    s->o.chunks = o->chunks ? s->chunks : NULL;
    if (!s->world) {
        static const sized_place within = {"ptl_search_seeds_new", "options.settings"};
        ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
        TRY(sized_take(&settings, o->settings, &sized_ptl_world_options, &within, err));
        TRY(seed_base_init(&s->base, s->store, &settings, err));
    }
    if (o->language == PTL_SEARCH_RELATION)
        TRY(relation_parse(&s->relation, s->where,
                           s->world ? ptl_world_catalogue(s->world) : s->base.cat, fault, err));
    return PTL_OK;
}

static ptl_status new_search(ptl_search **out, ptl_store *store, ptl_world *world,
                             const ptl_search_options *options, ptl_search_fault *fault,
                             ptl_error *err)
{
    const char *call = world ? "ptl_search_world_new" : "ptl_search_seeds_new";
    const sized_place given[] = {{call, "options"}, {call, "fault"}};
    ptl_search_options o = PTL_SEARCH_OPTIONS_INIT;
    ptl_search_fault local = PTL_SEARCH_FAULT_INIT;
    error_clear(err);
    *out = NULL;
    ptl_status status = sized_take(&o, options, &sized_ptl_search_options, &given[0], err);
    THEN(status, sized_check(fault, &sized_ptl_search_fault, &given[1], err));
    if (status != PTL_OK)
        return status;
    ptl_search *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    s->store = store;
    s->world = world;
    status = fill(s, &o, &local, err);
    SIZED_FILL(ptl_search_fault, fault, &local);
    if (status == PTL_OK)
        *out = s;
    else
        ptl_search_free(s);
    return status;
}

ptl_status ptl_search_seeds_new(ptl_search **out, ptl_search_fault *fault, ptl_store *store,
                                const ptl_search_options *options, ptl_error *err)
{
    return new_search(out, store, NULL, options, fault, err);
}

ptl_status ptl_search_world_new(ptl_search **out, ptl_search_fault *fault, ptl_world *world,
                                const ptl_search_options *options, ptl_error *err)
{
    return new_search(out, world->store, world, options, fault, err);
}

void ptl_search_free(ptl_search *s)
{
    if (!s)
        return;
    relation_free(s->relation);
    seed_base_dispose(&s->base);
    free(s->chunks);
    free(s->where);
    free(s->world_name);
    free(s->scratch_folder);
    free(s);
}

/* ---- searching a stored world ---- */

/* Reads a chunk, its cells and its features, in one transaction. */
static ptl_status read_chunk(ptl_chunk **out, gen_features *features, ptl_world *world,
                             ptl_chunk_pos pos, ptl_error *err)
{
    chunk_info info;
    bool found = false;
    *out = NULL;
    TRY(ops(world->store)->transaction->begin_read(world->store, err));
    ptl_status status =
        ops(world->store)
            ->chunk->read(out, world->store, world->row.id, pos, world->cat, &info, err);
    if (status == PTL_OK && *out)
        status = ops(world->store)
                     ->chunk->features_read_all(features, &found, world->store, world->row.id,
                                                pos, world->cat, err);
    ops(world->store)->transaction->rollback(world->store);
    if (status != PTL_OK || !found) {
        ptl_chunk_free(*out);
        *out = NULL;
    }
    return status;
}

/* Lists the chunks that are saved at present. */
static ptl_status list_chunks(ptl_search *s, ptl_error *err)
{
    const chunk_filter all = CHUNK_FILTER_ALL;
    if (s->o.chunks)
        return PTL_OK;
    free(s->chunks);
    s->chunks = NULL;
    s->chunk_count = 0;
    ptl_status status = ops(s->store)->chunk->list(&s->chunks, &s->chunk_count, s->store,
                                                   s->world->row.id, &all, err);
    search_order_chunks(s);
    return status;
}

static ptl_status ask_relation(search_found *found, ptl_search *s, ptl_error *err)
{
    finder *f = finder_new(s->relation);
    if (!f)
        return error_nomem(err);
    ptl_status status = list_chunks(s, err);
    if (status == PTL_OK) {
        gen_features features = {0};
        const double started = clock_seconds();
        s->progress = (ptl_progress){.size = sizeof s->progress, .total = s->chunk_count};
        for (size_t i = 0; i < s->chunk_count && status == PTL_OK; i++) {
            ptl_chunk *chunk;
            status = read_chunk(&chunk, &features, s->world, s->chunks[i], err);
            if (status == PTL_OK && chunk)
                status = finder_add(f, chunk, &features, err);
            ptl_chunk_free(chunk);
            s->progress.done = i + 1;
            s->progress.seconds = clock_seconds() - started;
            s->progress.rate = (double)(i + 1) / s->progress.seconds;
            if (status == PTL_OK && s->o.on_progress &&
                !s->o.on_progress(s->o.payload, &s->progress))
                status = error_set(err, PTL_ERR_CANCELLED, "stopped");
        }
        s->report.seconds = s->progress.seconds;
        features_dispose(&features);
    }
    THEN(status, search_ask_relation(found, f, s->world->row.seed, err));
    finder_free(f);
    return status;
}

static ptl_status search_run_world(ptl_search *s, ptl_error *err)
{
    search_found found = {.most = search_most(s)};
    bool stop = false;
    ptl_status status =
        s->relation ? ask_relation(&found, s, err)
                    : search_ask_sql(&found, s->store, s->where, s->world->row.seed, err);
    THEN(status, search_tell(s, &found, &stop, err));
    s->report.seeds = 1;
    free(found.list);
    return status;
}

/* ---- running a search ---- */

ptl_status ptl_search_run(ptl_search_report *report, ptl_search *s, ptl_error *err)
{
    error_clear(err);
    TRY(SIZED_CHECK(ptl_search_report, report, err));
    s->progress = (ptl_progress){.size = sizeof s->progress};
    s->report = (ptl_search_report)PTL_SEARCH_REPORT_INIT;
    ptl_status status = s->world ? search_run_world(s, err) : search_run_seeds(s, err);
    SIZED_FILL(ptl_search_report, report, &s->report);
    return status;
}
