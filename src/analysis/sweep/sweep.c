/*
 * Sweeps (portolan/sweep.h). Threads generate, measure and encode overmaps. The caller's thread
 * writes them in the order of seed and place, so that the rows are the same for any number of
 * threads. Overmaps that the sweep has already are skipped.
 */
#include "portolan/sweep.h"
#include "analysis/measure/measure.h"
#include "core/bytes.h"
#include "core/error.h"
#include "core/settings.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "store/store.h"
#include "world/flow.h"
#include "world/seed_maker.h"
#include "world/shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED_DIGITS = 20, NAME_MAX_BYTES = 100, NAME_SIZE = NAME_MAX_BYTES + 1 };

/* The world into which chunks are being written, and the row in the table `run` that the open
 * transaction has inserted for this. */
typedef struct sweep_world {
    bool known; /* true: the other members are set */
    uint64_t seed, run_chunks;
    int64_t id, run_id;
} sweep_world;

typedef struct sweep {
    ptl_store *store;
    const char *name;
    const ptl_sweep_options *options;
    ptl_progress progress;
    /* The sweep's row in the file. If row_owned is set, the row owns its strings; otherwise
     * they are borrowed. */
    sweep_row row;
    bool row_owned;
    seed_base base;
    /* The overmap that is made next: its seed, and the index of its place in options.positions.
     */
    uint64_t seed;
    uint64_t seed_last; /* the last seed of the shard that is made */
    size_t position;
    bool exhausted;
    sweep_world world; /* the world that has the chunks of one seed; used only if the sweep
                          keeps them (keep_worlds) */
} sweep;

/* A task for the pool of threads: one overmap. */
typedef struct sweep_task {
    pool_task head;
    uint64_t seed;
    ptl_chunk_pos pos;
    encoded_summary *summary; /* owned */
    /* The overmap. Only its edges are set, unless the sweep keeps its worlds. */
    made_chunk made;
} sweep_task;

/* ---- the worlds of a sweep that keeps its chunks ---- */

/* Returns the row of the world that has the chunks of one seed, for a sweep that keeps its
 * chunks. The chunks of seed S of sweep NAME are in world NAME/S, an ordinary world, which is
 * made in the same transaction as its first chunk. The row borrows the name. */
static world_row world_of(const sweep *s, uint64_t seed, char name[NAME_SIZE])
{
    ptl_world_options options = s->base.config->options;
    options.seed = seed;
    snprintf(name, NAME_SIZE, "%s/%ju", s->name, seed);
    return world_row_of(name, &options, s->base.cat->content_id);
}

static bool same_world(const world_row *a, const world_row *b)
{
    const ptl_world_options x = world_row_options(a), y = world_row_options(b);
    bool same = a->seed == b->seed && a->generator_version == b->generator_version &&
                a->content_id == b->content_id;
    for (size_t i = 0; i < SETTINGS_OF_SWEEPS && same; i++)
        same = setting_is_same(&x, &y, &setting_rows[i]);
    return same;
}

/* Finds the world of a seed; *found is false if there is none. It is an error if a world with
 * that name exists and does not belong to this sweep. */
static ptl_status find(sweep *s, uint64_t seed, bool *found, ptl_error *err)
{
    char name[NAME_SIZE];
    world_row there = {0};
    ptl_error own = {0};
    const world_row asked = world_of(s, seed, name);
    ptl_status status = ops(s->store)->world->find(&there, s->store, name, &own);
    *found = status == PTL_OK;
    if (status == PTL_ERR_NOT_FOUND)
        return PTL_OK;
    if (status == PTL_OK && !same_world(&there, &asked))
        status = error_set(&own, PTL_ERR_EXISTS,
                           "there is a world '%s' that is not this sweep's: its seed, settings "
                           "or content differ",
                           name);
    s->world.id = there.id;
    world_row_dispose(&there);
    if (status != PTL_OK && err)
        *err = own;
    return status;
}

static ptl_world light_world(const sweep *s)
{
    return (ptl_world){.store = s->store, .row = {.id = s->world.id}, .cat = s->base.cat};
}

/* Sets *has to whether the chunk is saved and complete. */
static ptl_status world_has(bool *has, sweep *s, uint64_t seed, ptl_chunk_pos pos,
                            ptl_error *err)
{
    bool found = s->world.known && s->world.seed == seed;
    *has = false;
    if (!found) {
        s->world.known = false;
        TRY(find(s, seed, &found, err));
    }
    if (!found)
        return PTL_OK;
    ptl_world world = light_world(s);
    return world_has_chunk(&world, pos, pipeline_step_count(&overmap_pipeline), has, err);
}

/* Makes the world of this seed the one into which chunks are written, and begins a run in it.
 */
static ptl_status go_to(sweep *s, uint64_t seed, ptl_error *err)
{
    sweep_world *w = &s->world;
    char name[NAME_SIZE];
    bool found = false;
    ptl_status status = find(s, seed, &found, err);
    if (status == PTL_OK && !found) {
        const world_row row = world_of(s, seed, name);
        status = ops(s->store)->world->insert(&w->id, s->store, &row, err);
    }
    THEN(status, ops(s->store)->run->begin(&w->run_id, s->store, w->id, "sweep", err));
    w->known = status == PTL_OK;
    w->seed = seed;
    w->run_chunks = 0;
    return status;
}

/* Writes a chunk inside the caller's transaction. PTL_ERR_EXISTS if a world with that name has
 * another seed or other settings. */
static ptl_status write_chunk(sweep *s, const sweep_task *task, ptl_error *err)
{
    sweep_world *w = &s->world;
    bool written = false;
    TRY(w->known && w->seed == task->seed ? PTL_OK : go_to(s, task->seed, err));
    ptl_world world = light_world(s);
    ptl_status status =
        world_write_chunk(&world, &task->made, w->run_id,
                          pipeline_step_count(&overmap_pipeline), NULL, &written, err);
    w->run_chunks += written;
    THEN(status, ops(s->store)->run->end(s->store, w->run_id, w->run_chunks, 0, "done", err));
    return status;
}

/* ---- generating, in the worker threads ---- */

typedef struct sweep_worker {
    const sweep *owner;
    seed_maker *maker;
    measurer *measurer;
    codec *codec;
    summary counts;
} sweep_worker;

static void free_worker(void *worker)
{
    sweep_worker *w = worker;
    seed_maker_free(w->maker);
    if (w->measurer)
        measurer_free(w->measurer);
    codec_free(w->codec);
    summary_dispose(&w->counts);
    free(w);
}

static void *new_worker(void *context)
{
    const sweep *s = context;
    sweep_worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->owner = s;
    w->maker = seed_maker_new(&s->base);
    w->measurer = measurer_new(s->base.cat);
    w->codec = codec_new();
    if (w->maker && w->measurer && w->codec)
        return w;
    free_worker(w);
    return NULL;
}

static void make_task(void *worker, pool_task *head)
{
    sweep_worker *w = worker;
    sweep_task *task = (sweep_task *)head;
    ptl_error *err = &head->err;
    ptl_chunk *chunk = NULL;
    ptl_status status =
        seed_maker_run(&chunk, task->made.edges, w->maker, task->seed, task->pos, err);
    THEN(status, measure(&w->counts, w->measurer, chunk, generator_features(w->maker->gen),
                         PTL_COUNT_ALL, err));
    THEN(status, summary_encode(&task->summary, w->codec, &w->counts, err));
    if (status == PTL_OK && w->owner->options->keep_worlds)
        status = world_encode_chunk(&task->made, w->codec, &w->maker->config, chunk,
                                    w->maker->gen, err);
    ptl_chunk_free(chunk);
    head->status = status;
}

static void free_task(pool_task *head)
{
    sweep_task *task = (sweep_task *)head;
    encoded_summary_free(task->summary);
    made_chunk_dispose(&task->made);
    free(task);
}

/* ---- the order of overmaps ---- */

/* Makes a task for the next overmap that the sweep does not have yet; NULL at the end. */
static ptl_status next_task(void *context, pool_task **out, ptl_error *err)
{
    sweep *s = context;
    *out = NULL;
    while (!s->exhausted) {
        const uint64_t seed = s->seed;
        const ptl_chunk_pos pos = s->options->positions[s->position];
        bool has = false;
        ptl_status status =
            ops(s->store)->sweep->chunk_has(&has, s->store, s->row.id, seed, pos, err);
        if (status == PTL_OK && has && s->options->keep_worlds)
            status = world_has(&has, s, seed, pos, err);
        if (status != PTL_OK)
            return status;
        if (++s->position == s->options->position_count) {
            s->position = 0;
            /* The last seed is compared before 1 is added, because after the greatest possible
             * seed comes 0. */
            s->exhausted = seed == s->seed_last;
            s->seed++;
        }
        if (has) {
            s->progress.skipped++;
            continue;
        }
        sweep_task *task = calloc(1, sizeof *task);
        if (!task)
            return error_nomem(err);
        task->seed = seed;
        task->pos = pos;
        *out = &task->head;
        break;
    }
    return PTL_OK;
}

/* ---- writing, in the caller's thread ---- */

static void begin_batch(void *context)
{
    sweep *s = context;
    /* If the world was made in a transaction that is rolled back, it does not exist. So its row
     * must be looked up again. */
    s->world.known = false;
}

static ptl_status write_task(void *context, const pool_task *head, bool *written,
                             ptl_error *err)
{
    sweep *s = context;
    const sweep_task *task = (const sweep_task *)head;
    ptl_status status = ops(s->store)->sweep->chunk_insert(s->store, s->row.id, task->seed,
                                                           task->pos, task->summary, err);
    if (status == PTL_OK && s->options->keep_worlds)
        status = write_chunk(s, task, err);
    *written = status == PTL_OK;
    return status;
}

/* ---- the sweep's row ---- */

static void add_difference(bytes *d, const char *what, const char *there, const char *asked)
{
    if (strcmp(there, asked) != 0)
        bytes_printf(d, "%s%s %.*s (not %.*s)", d->size ? ", " : "", what, UTF8_CUT(there, 80),
                     UTF8_CUT(asked, 80));
}

/* Refuses settings or content that differ from those of the sweep: all overmaps of a sweep must
 * be made in the same way. */
static ptl_status check_same(const sweep_row *there, const world_row *asked, ptl_error *err)
{
    const world_row *t = &there->settings;
    const ptl_world_options a = world_row_options(t), b = world_row_options(asked);
    bytes d = {.size = 0};
    char text[2][SETTING_TEXT_SIZE];
    for (size_t i = 0; i < SETTINGS_OF_SWEEPS; i++)
        if (!setting_is_same(&a, &b, &setting_rows[i]))
            add_difference(&d, setting_rows[i].option,
                           setting_text(text[0], &a, &setting_rows[i]),
                           setting_text(text[1], &b, &setting_rows[i]));
    snprintf(text[0], sizeof text[0], "%d", t->generator_version);
    snprintf(text[1], sizeof text[1], "%d", asked->generator_version);
    add_difference(&d, "generator version", text[0], text[1]);
    if (t->content_id != asked->content_id)
        add_difference(&d, "content of before", "that of the sweep", "the file's present one");
    ptl_status status = PTL_OK;
    if (d.size > 0 || d.failed) {
        const char *words = bytes_text(&d);
        status = words ? error_set(err, PTL_ERR_EXISTS, "sweep '%s' was made otherwise: %s",
                                   there->name, words)
                       : error_nomem(err);
    }
    bytes_dispose(&d);
    return status;
}

static void drop_row(sweep *s)
{
    if (s->row_owned)
        sweep_row_dispose(&s->row);
    s->row_owned = false;
}

static ptl_status insert_row(sweep *s, const world_row *asked, ptl_error *err)
{
    s->row = (sweep_row){.name = asked->name, .settings = *asked};
    return ops(s->store)->sweep->insert(s->store, &s->row, err);
}

/* Finds the sweep's row, or inserts a new one. */
static ptl_status find_or_make(sweep *s, ptl_error *err)
{
    const world_row asked =
        world_row_of(s->name, &s->base.config->options, s->base.cat->content_id);
    ptl_error own = {0};
    drop_row(s);
    ptl_status status = ops(s->store)->sweep->find(&s->row, s->store, s->name, &own);
    if (status == PTL_ERR_NOT_FOUND)
        return insert_row(s, &asked, err);
    if (status == PTL_OK) {
        s->row_owned = true;
        status = check_same(&s->row, &asked, &own);
    }
    if (s->row_owned && status == PTL_ERR_EXISTS && s->options->replace) {
        status = ops(s->store)->sweep->delete (s->store, s->row.id, err);
        drop_row(s);
        return status == PTL_OK ? insert_row(s, &asked, err) : status;
    }
    if (status != PTL_OK && err)
        *err = own;
    return status;
}

static ptl_status begin_transaction(void *payload, ptl_error *err)
{
    sweep *s = ((flow *)payload)->context;
    TRY(ops(s->store)->transaction->begin(s->store, err));
    ptl_status status = find_or_make(s, err);
    THEN(status, ops(s->store)->transaction->commit(s->store, err));
    if (status != PTL_OK)
        ops(s->store)->transaction->rollback(s->store);
    return status;
}

/* ---- the public call ---- */

static ptl_status check(const char *name, const ptl_sweep_options *o, ptl_error *err)
{
    TRY(world_name_check("sweep", name, err));
    const size_t most_bytes = NAME_MAX_BYTES - SEED_DIGITS - 1;
    if (o->keep_worlds && strlen(name) > most_bytes)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "a sweep that keeps its OMTs has a name of at most %zu bytes: its "
                         "worlds are named NAME/SEED",
                         most_bytes);
    if (o->seed_first > o->seed_last || o->seed_last - o->seed_first >= PTL_SWEEP_SEEDS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "seeds must be 1 to %d, from the lower one on",
                         PTL_SWEEP_SEEDS_MAX);
    if (!o->positions || o->position_count == 0 || o->position_count > PTL_SWEEP_CHUNKS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "chunks of a seed must be 1 to %d",
                         PTL_SWEEP_CHUNKS_MAX);
    for (size_t i = 0; i < o->position_count; i++) {
        const ptl_chunk_pos p = o->positions[i];
        const int32_t most = PTL_CHUNK_COORD_MAX;
        if (p.x < -most || p.x > most || p.y < -most || p.y > most)
            return error_set(err, PTL_ERR_ARGUMENT, "chunk %d,%d lies outside -%d..%d", p.x,
                             p.y, most, most);
    }
    return shard_check((shard){o->shard, o->shards}, err);
}

static ptl_status run(sweep *s, flow *f, ptl_error *err)
{
    /* Loads the content and reads the settings. If the caller gave no settings, those of the
     * sweep's row in the file are used, and that row becomes s->row. */
    static const sized_place within = {"ptl_sweep_run", "options.settings"};
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_error own = {0};
    ptl_status status =
        sized_take(&settings, s->options->settings, &sized_ptl_world_options, &within, err);
    if (status != PTL_OK)
        return status;
    if (!s->options->settings) {
        status = ops(s->store)->sweep->find(&s->row, s->store, s->name, &own);
        s->row_owned = status == PTL_OK;
        if (status == PTL_OK)
            settings = world_row_options(&s->row.settings);
        else if (status != PTL_ERR_NOT_FOUND)
            return error_set(err, status, "%s", own.message);
    }
    /* The row may be freed later: the config takes the region's id from the catalogue, not from
     * the row. */
    TRY(seed_base_init(&s->base, s->store, &settings, err));
    TRY(flow_begin(f, err));
    TRY(flow_patiently(f, begin_transaction, err));
    const shard part = {s->options->shard, s->options->shards};
    s->seed = s->options->seed_first;
    s->seed_last = s->options->seed_last;
    s->exhausted = !shard_span(&s->seed, &s->seed_last, part);
    if (!s->exhausted)
        s->progress.total = (s->seed_last - s->seed + 1) * (uint64_t)s->options->position_count;
    return flow_loop(f, err);
}

ptl_status ptl_sweep_run(ptl_sweep_report *report, ptl_store *store, const char *name,
                         const ptl_sweep_options *options, ptl_error *err)
{
    ptl_sweep_options o = PTL_SWEEP_OPTIONS_INIT;
    ptl_sweep_report r = PTL_SWEEP_REPORT_INIT;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_sweep_options, &o, options, err);
    THEN(status, SIZED_CHECK(ptl_sweep_report, report, err));
    if (status == PTL_OK) {
        sweep s = {.store = store,
                   .name = name,
                   .options = &o,
                   .progress = {.size = sizeof(ptl_progress)}};
        flow f = {.store = store,
                  .jobs = o.jobs,
                  .kind = {new_worker, free_worker, make_task, free_task, &s},
                  .context = &s,
                  .next = next_task,
                  .begin = begin_batch,
                  .write = write_task,
                  .on_progress = o.on_progress,
                  .payload = o.payload,
                  .progress = &s.progress};
        status = check(name, &o, err);
        THEN(status, run(&s, &f, err));
        flow_end(&f);
        r.done = s.progress.done;
        r.skipped = s.progress.skipped;
        r.total = s.progress.total;
        r.seconds = s.progress.seconds;
        r.write_seconds = f.write_seconds;
        drop_row(&s);
        seed_base_dispose(&s.base);
    }
    SIZED_FILL(ptl_sweep_report, report, &r);
    return status;
}

ptl_status ptl_sweep_remove(ptl_store *store, const char *name, ptl_error *err)
{
    sweep_row row = {0};
    error_clear(err);
    TRY(ops(store)->transaction->begin(store, err));
    ptl_status status = ops(store)->sweep->find(&row, store, name, err);
    if (status == PTL_OK) {
        status = ops(store)->sweep->delete (store, row.id, err);
        sweep_row_dispose(&row);
    }
    THEN(status, ops(store)->transaction->commit(store, err));
    if (status != PTL_OK)
        ops(store)->transaction->rollback(store);
    return status;
}

void ptl_sweep_spiral(ptl_chunk_pos *out, size_t n)
{
    static const int32_t steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    size_t done = 0;
    if (n > 0)
        out[done++] = (ptl_chunk_pos){0, 0};
    for (int32_t ring = 1; done < n; ring++) {
        ptl_chunk_pos at = {-ring, -ring};
        for (int32_t i = 0; i < 8 * ring && done < n; i++) {
            out[done++] = at;
            at.x += steps[i / (2 * ring)][0];
            at.y += steps[i / (2 * ring)][1];
        }
    }
}
