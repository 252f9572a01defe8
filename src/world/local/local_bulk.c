/*
 * ptl_local_generate: makes the local maps of areas in blocks, each of which lies in one level
 * of one chunk. The caller's thread looks up which maps of a block are stored, and reads the
 * OMTs on which the missing maps depend. The threads of a pool make and encode these maps, each
 * thread with a mapgen of its own. Then the caller's thread writes them (flow.h).
 */
#include "core/sized.h"
#include "os/clock.h"
#include "world/bulk.h"
#include "world/chunk_cache.h"
#include "world/flow.h"
#include "world/local/local_maps.h"
#include "world/local/local_reader.h"

enum {
    /* Number of OMTs along a side of a block. A chunk's side is a multiple of it, so that no
     * block lies in two chunks. */
    BLOCK = 12,
    BLOCK_MAPS = BLOCK * BLOCK,
    BLOCKS_IN_ROW = PTL_CHUNK_SIZE / BLOCK,
    BLOCKS_IN_LEVEL = BLOCKS_IN_ROW * BLOCKS_IN_ROW,
    /* The maps of a block depend on the OMTs of the block and on those around it. Together
     * these are a square; this is how many OMTs its side has. */
    SEEN = BLOCK + 2 * AROUND_REACH,
    SEEN_CELLS = SEEN * SEEN,
    CHUNKS_MAX = 1000000
};

/* A block: that part of a square of BLOCK x BLOCK OMTs of a level that lies in one of the
 * caller's areas. `from` is the north-western OMT of this part. */
typedef struct block {
    ptl_omt from;
    int32_t width, height;
} block;

typedef struct block_task {
    pool_task head;
    block block;
    stop_hook stop;
    /* `count`: number of maps to make. `stored`: number of maps that the file has already. */
    size_t count, stored;
    ptl_omt places[BLOCK_MAPS];
    map_write writes[BLOCK_MAPS];
    encoded_local encoded[BLOCK_MAPS];
    /* The oters of the block of OMTs whose maps are made, and of the OMTs around it; the first
     * one lies AROUND_REACH to the north and to the west of the block. All levels are included,
     * because a map may depend on all levels of its column. */
    ptl_oter cells[PTL_LEVELS][SEEN_CELLS];
    /* What maps need to know of the block's chunk and the chunks around it; freed by
     * local_record_drop. */
    local_record *record;
} block_task;

typedef struct local_counts {
    uint64_t done, skipped, fallback;
} local_counts;

typedef struct local_run {
    ptl_world *world;
    const ptl_local_generate_options *options;
    ptl_cache *cache;       /* owned */
    local_record *record;   /* record of the chunk in which the last block lay; freed by
                               local_record_drop */
    world_mapgen **mapgens; /* owned; a mapgen for each thread, of which the first one belongs
                               to the world */
    size_t mapgen_count, workers;
    local_reader *reader; /* this and the next member are owned; NULL: the world has no tides */
    /* The mapgen by which the writing thread computes spills; the threads that make maps use
     * those in `mapgens`. */
    world_mapgen *spill_mapgen;
    /* Makes maps for the writing thread, which needs them to compute spills. It borrows
     * `reader` and spill_mapgen. */
    local_maker spills;
    bool writing; /* in the open transaction world_local_anew was called, which begins a series
                     of writes */
    size_t area;  /* index of the area that the next block is taken from */
    uint64_t number; /* number of the next block in that area */
    local_counts batch;
    ptl_progress progress; /* counts maps, not blocks */
    ptl_local_generate_report report;
} local_run;

typedef struct local_worker {
    local_maker maker;
    codec *codec; /* owned */
    /* Owned; encodes maps. Their ids must be numbers of the pool of texts of this worker's
     * mapgen. */
    local_encoder *encoder;
    ptl_local_generate_report *report;
    double make_seconds, encode_seconds;
} local_worker;

/* ---- dividing areas into blocks ---- */

typedef struct chunk_range {
    ptl_chunk_pos from, to; /* corners of the rectangle, both included */
    uint64_t width, height;
} chunk_range;

/* Returns the chunks that an area touches, if it is enlarged by `beside` OMTs on each side. */
static chunk_range chunks_of(const ptl_local_area *a, int64_t beside)
{
    chunk_range c = {.from = ptl_omt_chunk((ptl_omt){a->x0 - beside, a->y0 - beside, 0}),
                     .to = ptl_omt_chunk((ptl_omt){a->x1 + beside, a->y1 + beside, 0})};
    c.width = (uint64_t)(c.to.x - c.from.x + 1);
    c.height = (uint64_t)(c.to.y - c.from.y + 1);
    return c;
}

/* Gives a block (up to BLOCK x BLOCK OMTs of a level) of an area by its number. Blocks are
 * numbered chunk by chunk, and in each chunk level by level. The width is 0 if no part of the
 * block lies in the area. False if there are not so many blocks. */
static bool block_of(block *out, const ptl_local_area *a, uint64_t number)
{
    const chunk_range c = chunks_of(a, 0);
    const uint64_t levels = (uint64_t)(a->z1 - a->z0 + 1);
    const uint64_t chunk = number / (BLOCKS_IN_LEVEL * levels);
    if (chunk >= c.width * c.height)
        return false;
    const int64_t cx = c.from.x + (int64_t)(chunk % c.width);
    const int64_t cy = c.from.y + (int64_t)(chunk / c.width);
    const int64_t in_level = (int64_t)(number % BLOCKS_IN_LEVEL);
    const int64_t x = cx * PTL_CHUNK_SIZE + in_level % BLOCKS_IN_ROW * BLOCK;
    const int64_t y = cy * PTL_CHUNK_SIZE + in_level / BLOCKS_IN_ROW * BLOCK;
    const int64_t x0 = world_greater(x, a->x0), x1 = world_lesser(x + BLOCK - 1, a->x1);
    const int64_t y0 = world_greater(y, a->y0), y1 = world_lesser(y + BLOCK - 1, a->y1);
    const int32_t z = a->z0 + (int32_t)(number / BLOCKS_IN_LEVEL % levels);
    const bool some = x0 <= x1 && y0 <= y1;
    *out = (block){{x0, y0, z}, some ? (int32_t)(x1 - x0 + 1) : 0, (int32_t)(y1 - y0 + 1)};
    return true;
}

/* ---- chunks on which the maps depend ---- */

/* Returns how far beyond an area, in OMTs, its maps depend on other OMTs. If the sea has tides,
 * this includes what the spills depend on, which tell how high the sea must stand to reach each
 * tile. */
static int64_t reach_of(const local_run *r)
{
    return ptl_local_tide_turns(r->world) > 0 ? WORLD_SPILLS_AROUND : AROUND_REACH;
}

static ptl_status check_areas(local_run *r, size_t *chunks, ptl_error *err)
{
    const ptl_local_generate_options *o = r->options;
    ptl_status status = PTL_OK;
    uint64_t count = 0;
    for (size_t i = 0; i < o->area_count && status == PTL_OK; i++) {
        status = world_local_area(&o->areas[i], err);
        if (status != PTL_OK)
            break;
        const chunk_range c = chunks_of(&o->areas[i], reach_of(r));
        count = c.width > CHUNKS_MAX || c.height > CHUNKS_MAX ? CHUNKS_MAX + 1
                                                              : count + c.width * c.height;
        const ptl_local_area *a = &o->areas[i];
        r->progress.total += (uint64_t)(a->x1 - a->x0 + 1) * (uint64_t)(a->y1 - a->y0 + 1) *
                             (uint64_t)(a->z1 - a->z0 + 1);
        if (count > CHUNKS_MAX)
            status = error_set(err, PTL_ERR_ARGUMENT,
                               "local maps of more than %d chunks: ask for them in several "
                               "calls",
                               CHUNKS_MAX);
    }
    *chunks = (size_t)count;
    return status;
}

static ptl_status make_chunks(local_run *r, size_t most, ptl_error *err)
{
    const ptl_local_generate_options *o = r->options;
    ptl_chunk_pos *list = malloc((most ? most : 1) * sizeof *list);
    if (!list)
        return error_nomem(err);
    missing_chunks missing = {
        .list = list, .jobs = o->jobs, .on_progress = o->on_chunks, .payload = o->payload};
    for (size_t i = 0; i < o->area_count; i++) {
        const chunk_range c = chunks_of(&o->areas[i], reach_of(r));
        for (int64_t y = c.from.y; y <= c.to.y; y++)
            for (int64_t x = c.from.x; x <= c.to.x; x++)
                list[missing.count++] = (ptl_chunk_pos){(int32_t)x, (int32_t)y};
    }
    const ptl_status status = world_make_missing(r->world, &missing, err);
    r->report.chunks = missing.generated;
    free(list);
    return status;
}

/* ---- making maps, in the threads ---- */

static void free_worker(void *worker)
{
    local_worker *w = worker;
    w->report->make_seconds += w->make_seconds;
    w->report->encode_seconds += w->encode_seconds;
    local_encoder_free(w->encoder);
    codec_free(w->codec);
    free(w);
}

static void *new_worker(void *context)
{
    local_run *r = context;
    local_worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->report = &r->report;
    w->codec = codec_new();
    w->maker = (local_maker){
        .world = r->world, .mapgen = r->mapgens[r->workers++], .turn = r->options->turn};
    w->encoder = w->codec ? local_encoder_new(w->codec, w->maker.mapgen->pool) : NULL;
    if (w->encoder)
        return w;
    free_worker(w);
    return NULL;
}

static ptl_oter seen(const block_task *t, ptl_omt at)
{
    if (at.z < PTL_Z_MIN || at.z > PTL_Z_MAX)
        return PTL_OTER_NONE;
    return t->cells[at.z - PTL_Z_MIN][(at.y - t->block.from.y + AROUND_REACH) * SEEN + at.x -
                                      t->block.from.x + AROUND_REACH];
}

static ptl_status look_in_block(local_around *out, void *payload, ptl_omt at, ptl_error *err)
{
    const block_task *t = payload;
    (void)err;
    for (int i = 0; i < AROUND_CELLS; i++)
        out->cells[i] = seen(t, (ptl_omt){at.x + i % AROUND_SIDE - AROUND_REACH,
                                          at.y + i / AROUND_SIDE - AROUND_REACH, at.z});
    out->above = seen(t, (ptl_omt){at.x, at.y, at.z + 1});
    out->below = seen(t, (ptl_omt){at.x, at.y, at.z - 1});
    out->record = t->record;
    return PTL_OK;
}

static void make_task(void *worker, pool_task *head)
{
    local_worker *w = worker;
    block_task *t = (block_task *)head;
    local_map *map = malloc(sizeof *map);
    head->status = map ? PTL_OK : error_nomem(&head->err);
    w->maker.look = look_in_block;
    w->maker.payload = t;
    for (size_t i = 0; i < t->count && head->status == PTL_OK; i++) {
        head->status = stop_check(&t->stop, &head->err);
        if (head->status != PTL_OK)
            break;
        local_map_init(map);
        const double before = clock_seconds();
        id_pool *ids = w->maker.mapgen->pool;
        map_write *out = &t->writes[i];
        ptl_status status =
            world_local_run(map, &out->info, &w->maker, t->places[i], &head->err);
        if (status == PTL_OK && id_pool_failed(ids))
            status = error_nomem(&head->err);
        const double made = clock_seconds();
        out->encoded = &t->encoded[i];
        THEN(status, local_encoder_put(&t->encoded[i], w->encoder, map, &head->err));
        w->make_seconds += made - before;
        w->encode_seconds += clock_seconds() - made;
        head->status = status;
        local_map_dispose(map);
    }
    free(map);
}

static void free_task(pool_task *head)
{
    block_task *t = (block_task *)head;
    for (size_t i = 0; i < t->count; i++)
        encoded_local_dispose(&t->encoded[i]);
    local_record_drop(t->record);
    free(t);
}

/* ---- which maps are to be made ---- */

/* Lists those OMTs of the task's block whose maps are not stored. */
static ptl_status list_missing(block_task *t, const local_run *r, ptl_error *err)
{
    const block *b = &t->block;
    bool own;
    ptl_status status =
        ops(r->world->store)->transaction->begin_lookups(r->world->store, &own, err);
    for (int32_t i = 0; i < b->width * b->height && status == PTL_OK; i++) {
        const ptl_omt at = {b->from.x + i % b->width, b->from.y + i / b->width, b->from.z};
        int64_t revision = 0;
        status = ops(r->world->store)
                     ->map->revision(&revision, r->world->store, r->world->row.id, at, err);
        if (revision == 0)
            t->places[t->count++] = at;
        else
            t->stored++;
    }
    ops(r->world->store)->transaction->end_snapshot(r->world->store, own);
    return status;
}

/* Makes the task of making the local maps of a block of OMTs. *out stays NULL if all maps of
 * the block are stored. */
static ptl_status task_of(pool_task **out, local_run *r, const block *b, ptl_error *err)
{
    const ptl_area_options o = {.size = sizeof o, .generate = true, .cache = r->cache};
    block_task *t = calloc(1, sizeof *t);
    if (!t)
        return error_nomem(err);
    t->block = *b;
    t->stop = ops(r->world->store)->transaction->stop_hook(r->world->store);
    ptl_status status = list_missing(t, r, err);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX && status == PTL_OK && t->count > 0; z++) {
        const ptl_area area = {b->from.x - AROUND_REACH, b->from.y - AROUND_REACH, z,
                               b->width + 2 * AROUND_REACH, b->height + 2 * AROUND_REACH};
        ptl_oter cells[SEEN_CELLS];
        status = ptl_area_get(cells, NULL, r->world, &area, &o, err);
        for (int32_t y = 0; y < area.height && status == PTL_OK; y++)
            memcpy(&t->cells[z - PTL_Z_MIN][y * SEEN], &cells[y * area.width],
                   (size_t)area.width * sizeof *cells);
    }
    if (status == PTL_OK && t->count > 0)
        status = local_record_read(&r->record, r->world, t->block.from, err);
    if (status == PTL_OK && t->count > 0)
        status = local_record_read_towns(r->record, r->world, err);
    if (status == PTL_OK && t->count > 0) {
        t->record = local_record_hold(r->record);
        *out = &t->head;
        return PTL_OK;
    }
    if (status == PTL_OK)
        r->progress.skipped += t->stored;
    free_task(&t->head);
    return status;
}

static ptl_status next_task(void *context, pool_task **out, ptl_error *err)
{
    local_run *r = context;
    const stop_hook stop = ops(r->world->store)->transaction->stop_hook(r->world->store);
    ptl_status status = PTL_OK;
    *out = NULL;
    while (status == PTL_OK && !*out && r->area < r->options->area_count) {
        block b;
        if (!block_of(&b, &r->options->areas[r->area], r->number)) {
            r->area++;
            r->number = 0;
            continue;
        }
        status = stop_check(&stop, err);
        if (status == PTL_OK && b.width > 0)
            status = task_of(out, r, &b, err);
        r->number += status == PTL_OK;
    }
    return status;
}

/* ---- writing maps, in the caller's thread ---- */

static void begin_batch(void *context)
{
    local_run *r = context;
    r->batch = (local_counts){0};
    r->writing = false;
}

/* Writes the maps of OMTs that had no stored map before, and after them the spills of these
 * maps. PTL_ERR_EXISTS if another process has written one of the maps meanwhile. */
static ptl_status put_maps(local_run *r, const map_write *maps, size_t count, ptl_error *err)
{
    TRY(ops(r->world->store)->map->put(r->world->store, r->world->row.id, maps, count, err));
    r->batch.done += count;
    for (size_t i = 0; i < count; i++)
        r->batch.fallback += maps[i].info.fallback;
    /* Spills are computed now, after the maps were written, because they depend on the maps
     * around them. */
    if (!r->reader)
        return PTL_OK;
    const ptl_status status = r->writing ? PTL_OK : world_local_anew(&r->spills, err);
    r->writing = true;
    return status == PTL_OK ? local_spills_follow(&r->spills, maps, count, err) : status;
}

/* Writes the local maps of a block of OMTs all at once. If another process has written some of
 * them in the meantime, the maps are written one by one, and those are skipped. */
static ptl_status write_task(void *context, const pool_task *head, bool *written,
                             ptl_error *err)
{
    local_run *r = context;
    const block_task *t = (const block_task *)head;
    ptl_status status = put_maps(r, t->writes, t->count, err);
    if (status == PTL_ERR_EXISTS) {
        error_clear(err);
        status = PTL_OK;
        for (size_t i = 0; i < t->count && status == PTL_OK; i++) {
            status = put_maps(r, &t->writes[i], 1, err);
            if (status != PTL_ERR_EXISTS)
                continue;
            error_clear(err);
            status = PTL_OK;
            r->batch.skipped++;
        }
    }
    r->batch.skipped += t->stored;
    *written = true;
    return status;
}

static void batch_committed(void *context)
{
    local_run *r = context;
    r->progress.done += r->batch.done;
    r->progress.skipped += r->batch.skipped;
    r->report.fallback += r->batch.fallback;
}

/* Reports the progress to the caller as a number of maps, although the flow counts blocks of
 * maps. */
static bool tell(void *payload, const ptl_progress *blocks)
{
    local_run *r = payload;
    const double each =
        blocks->done > 0 ? (double)r->progress.done / (double)blocks->done : BLOCK_MAPS;
    r->progress.seconds = blocks->seconds;
    r->progress.rate = blocks->rate * each;
    return !r->options->on_progress ||
           r->options->on_progress(r->options->payload, &r->progress);
}

/* ---- the public call ---- */

static ptl_status load_mapgens(local_run *r, ptl_error *err)
{
    const size_t jobs = r->options->jobs < 1 ? 1 : (size_t)r->options->jobs;
    ptl_status status = world_local_load(r->world, true, err);
    if (status != PTL_OK)
        return status;
    r->mapgens = calloc(jobs, sizeof *r->mapgens);
    if (!r->mapgens)
        return error_nomem(err);
    r->mapgens[r->mapgen_count++] = r->world->mapgen;
    while (status == PTL_OK && r->mapgen_count < jobs) {
        status = world_mapgen_load(&r->mapgens[r->mapgen_count], r->world, true, err);
        r->mapgen_count += status == PTL_OK;
    }
    return status;
}

static ptl_status run_flow(local_run *r, ptl_error *err)
{
    ptl_progress blocks = {.size = sizeof blocks};
    flow f = {.store = r->world->store,
              .jobs = r->options->jobs,
              .kind = {new_worker, free_worker, make_task, free_task, r},
              .context = r,
              .next = next_task,
              .begin = begin_batch,
              .write = write_task,
              .committed = batch_committed,
              .on_progress = tell,
              .payload = r,
              .progress = &blocks};
    ptl_status status = flow_begin(&f, err);
    THEN(status, flow_loop(&f, err));
    flow_end(&f);
    r->report.write_seconds = f.write_seconds;
    r->report.seconds = blocks.seconds;
    return status;
}

/* Checks that maps may be stored in this world. A world that derives its maps makes them again
 * at each reading, so storing only some of them has no use: it accepts stored maps only if the
 * option `keep` makes it store all maps from this call on. The maps are then made for turn 0,
 * like derived maps. */
static ptl_status check_world(const ptl_world *world, ptl_local_generate_options *o,
                              ptl_error *err)
{
    if (!world->row.derive)
        o->keep = false;
    if (world->row.derive && !o->keep)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "world '%s' derives its local maps and stores edited ones alone; with "
                         "--keep these are stored, and all that are made from then on",
                         world->row.name);
    if (o->keep)
        o->turn = 0;
    return PTL_OK;
}

ptl_status ptl_local_generate(ptl_local_generate_report *report, ptl_world *world,
                              const ptl_local_generate_options *options, ptl_error *err)
{
    ptl_local_generate_options o = PTL_LOCAL_GENERATE_OPTIONS_INIT;
    local_run r = {.world = world,
                   .options = &o,
                   .progress = PTL_SIZED(ptl_progress),
                   .report = PTL_LOCAL_GENERATE_REPORT_INIT};
    error_clear(err);
    TRY(SIZED_TAKE(ptl_local_generate_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_local_generate_report, report, err));
    TRY(check_world(world, &o, err));
    size_t chunks = 0;
    ptl_status status = PTL_OK;
    if (o.turn < 0)
        status = error_set(err, PTL_ERR_ARGUMENT, "turn %lld is below 0", (long long)o.turn);
    else if (o.jobs < 0 || o.jobs > FLOW_JOBS_MAX)
        status = error_set(err, PTL_ERR_ARGUMENT, "jobs must be 1 to %d", FLOW_JOBS_MAX);
    THEN(status, check_areas(&r, &chunks, err));
    THEN(status, make_chunks(&r, chunks, err));
    THEN(status, load_mapgens(&r, err));
    if (status == PTL_OK && ptl_local_tide_turns(r.world) != 0) {
        r.reader = local_reader_new(r.world);
        status = r.reader ? PTL_OK : error_nomem(err);
        THEN(status, world_mapgen_load(&r.spill_mapgen, r.world, false, err));
        THEN(status, local_reader_maker(&r.spills, r.reader, r.spill_mapgen, err));
    }
    THEN(status, ptl_cache_new(&r.cache, r.world, NULL, err));
    THEN(status, run_flow(&r, err));
    for (size_t i = 1; i < r.mapgen_count; i++)
        world_mapgen_free(r.mapgens[i]);
    free(r.mapgens);
    world_mapgen_free(r.spill_mapgen);
    local_reader_free(r.reader);
    ptl_cache_free(r.cache);
    local_record_drop(r.record);
    r.report.done = r.progress.done;
    r.report.skipped = r.progress.skipped;
    r.report.total = r.progress.total;
    if (status == PTL_OK && o.keep)
        status = world_local_keep(world, err);
    SIZED_FILL(ptl_local_generate_report, report, &r.report);
    return status;
}
