/*
 * The crash tests' workload, and what a file holds of it. Three sessions: one sets the file up
 * and imports with a page cache so small that pages go to the file in the middle of the
 * transaction; the others make a world and chunks, in another journal mode if so asked.
 */
#include "crash_work.h"

#include "store/store_impl.h"
#include "world/world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SMALL_CACHE[] = "PRAGMA cache_size = 40";

static ptl_chunk_pos position(int index)
{
    return (ptl_chunk_pos){index % 3 - 1, index / 3};
}

static uint64_t short_bit(int chunk)
{
    return UINT64_C(1) << (CRASH_SHORT_SHIFT + chunk);
}

static uint64_t whole_bit(int chunk)
{
    return UINT64_C(1) << (CRASH_WHOLE_SHIFT + chunk);
}

/* The chunks that stay short have the steps up to this one. */
static const char *short_step(void)
{
    return ptl_step_name(1);
}

/* ---- the work ---- */

typedef struct session {
    const crash_work *work;
    const char *context;
    ptl_store *store;
    ptl_world *world;
    ptl_error err;
    int batch; /* which three chunks are being made */
} session;

static void must(session *s, ptl_status status, const char *what)
{
    ck_assert_msg(status == PTL_OK, "%s: %s: %s", s->context, what, s->err.message);
}

static void report(const session *s, uint64_t bits)
{
    if (s->work->trace)
        crash_trace_mark(s->work->trace, bits);
}

static void open_session(session *s, ptl_open_mode mode, ptl_journal journal)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = mode;
    options.journal = journal;
    must(s, ptl_store_open(&s->store, s->work->path, &options, &s->err), "opening");
    if (mode != PTL_OPEN_READ)
        must(s, store_exec(s->store, SMALL_CACHE, &s->err), "the cache");
}

static void close_session(session *s)
{
    ptl_world_close(s->world);
    ptl_store_close(s->store);
    s->world = NULL;
    s->store = NULL;
}

static bool has_content(session *s)
{
    int64_t count = 0;
    must(s, store_pragma_int(s->store, "SELECT count(*) FROM content", &count, &s->err),
         "looking for content");
    return count > 0;
}

/* True if there was something to import: the land of the built-in pack, without what stands on
 * it. */
static bool import_content(session *s)
{
    if (has_content(s))
        return false;
    static const char *const parts[] = {
        "terrain/land.json", "terrain/water.json", "terrain/levels.json", "terrain/ways.json",
        "regions.json",      "locations.json",     "connections.json",    "symbols.json"};
    enum { PARTS = sizeof parts / sizeof parts[0] };
    char text[PARTS][256];
    const char *paths[PARTS], *root = getenv("PORTOLAN_SOURCE_DIR");
    for (size_t i = 0; i < PARTS; i++) {
        snprintf(text[i], sizeof text[i], "%s/data/%s", root ? root : ".", parts[i]);
        paths[i] = text[i];
    }
    const ptl_import_options options = {
        .directories = paths, .directory_count = PARTS, .lenient = true};
    must(s, ptl_import(s->store, &options, NULL, &s->err), "importing");
    report(s, CRASH_CONTENT);
    return true;
}

static void open_world(session *s)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = 11;
    options.city_spacing = 6; /* few cities: cheap chunks */
    ptl_status status = ptl_world_create(s->store, "w", &options, &s->err);
    must(s, status == PTL_ERR_EXISTS ? PTL_OK : status, "creating the world");
    report(s, CRASH_WORLD);
    must(s, ptl_world_open(&s->world, s->store, "w", NULL, &s->err), "opening the world");
}

static bool on_batch(void *payload, const ptl_progress *progress)
{
    const session *s = payload;
    if (progress->done + progress->skipped == progress->total)
        for (int i = 0; i < 3; i++)
            report(s, short_bit(3 * s->batch + i));
    return true;
}

static void make_batch(session *s, int batch)
{
    ptl_chunk_pos list[3];
    for (int i = 0; i < 3; i++)
        list[i] = position(3 * batch + i);
    ptl_generate_options options = PTL_GENERATE_OPTIONS_INIT;
    options.positions = list;
    options.position_count = 3;
    options.stop_after = short_step();
    options.on_progress = on_batch;
    options.payload = s;
    s->batch = batch;
    must(s, ptl_generate(s->world, &options, NULL, &s->err), "generating");
}

static void make_whole(session *s, int chunk)
{
    ptl_chunk *made = NULL;
    must(s, ptl_chunk_get(&made, s->world, position(chunk), &s->err), "getting a chunk");
    ptl_chunk_free(made);
    report(s, whole_bit(chunk));
}

static void make_chunks(session *s, int from, int to)
{
    open_world(s);
    for (int i = from; i < to; i++) {
        make_batch(s, i);
        if (i < CRASH_WHOLE && !s->work->stop_early)
            make_whole(s, 2 * i);
    }
    close_session(s);
}

static void read_digest(session *s, char hex[65])
{
    ptl_world_digest_result result;
    open_session(s, PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    must(s, ptl_world_open(&s->world, s->store, "w", NULL, &s->err), "opening the world");
    must(s, ptl_world_digest(s->world, &result, &s->err), "the digest");
    memcpy(hex, result.hex, 65);
    close_session(s);
}

void crash_work_run(const crash_work *work, const char *context, char hex[65])
{
    enum { BATCHES = CRASH_CHUNKS / 3 };
    session s = {.work = work, .context = context};
    open_session(&s, PTL_OPEN_CREATE, work->journal);
    report(&s, CRASH_SET_UP);
    bool imported = import_content(&s);
    close_session(&s);
    if (work->stop_early && imported)
        return;
    open_session(&s, PTL_OPEN_WRITE, work->chunks_journal);
    make_chunks(&s, 0, work->stop_early ? 1 : BATCHES - 1);
    if (work->stop_early)
        return;
    open_session(&s, PTL_OPEN_WRITE, work->journal);
    make_chunks(&s, BATCHES - 1, BATCHES);
    if (hex)
        read_digest(&s, hex);
}

/* ---- what a file holds ---- */

static crash_finding found(crash_finding what, char why[256], const char *message)
{
    snprintf(why, 256, "%.255s", message);
    return what;
}

static uint64_t hash_pages(const unsigned char *data, size_t size)
{
    uint64_t a = size, b = 1;
    for (size_t i = 0; i + 16 <= size; i += 16) {
        uint64_t v[2];
        memcpy(v, data + i, 16);
        a = (a ^ v[0]) * UINT64_C(0x9e3779b97f4a7c15);
        b = (b ^ v[1]) * UINT64_C(0xbf58476d1ce4e5b9);
        a ^= a >> 29;
        b ^= b >> 31;
    }
    return hash_add(a, b);
}

static uint64_t saved_chunks(ptl_world *world, bool *readable, ptl_error *err)
{
    uint64_t saved = 0;
    ptl_status status = PTL_OK;
    for (int i = 0; i < CRASH_CHUNKS && status == PTL_OK; i++) {
        bool short_one = false, whole = false;
        status = world_has_chunk(world, position(i), 2, &short_one, err);
        if (status == PTL_OK)
            status = world_has_chunk(world, position(i), ptl_step_count(), &whole, err);
        saved |= (short_one ? short_bit(i) : 0) | (whole ? whole_bit(i) : 0);
    }
    *readable = status == PTL_OK;
    return saved;
}

static bool read_saved(uint64_t *saved, ptl_store *store, ptl_error *err)
{
    int64_t content = 0, worlds = 0;
    *saved = CRASH_SET_UP;
    if (store_pragma_int(store, "SELECT count(*) FROM content", &content, err) != PTL_OK ||
        store_pragma_int(store, "SELECT count(*) FROM world", &worlds, err) != PTL_OK)
        return false;
    *saved |= content > 0 ? CRASH_CONTENT : 0;
    if (worlds == 0)
        return true;
    ptl_world *world = NULL;
    bool readable = ptl_world_open(&world, store, "w", NULL, err) == PTL_OK;
    if (readable)
        *saved |= CRASH_WORLD | saved_chunks(world, &readable, err);
    ptl_world_close(world);
    return readable;
}

static crash_finding open_after(ptl_store **out, const crash_work *work, ptl_open_mode mode,
                                char why[256])
{
    ptl_error err = {0};
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = mode;
    if (ptl_store_open(out, work->path, &options, &err) == PTL_OK)
        return CRASH_FINE;
    return found(CRASH_REFUSED, why, err.message);
}

static const crash_state *find_known(const crash_known *known, uint64_t pages)
{
    for (size_t i = 0; i < known->count; i++)
        if (known->states[i].pages == pages)
            return &known->states[i];
    return NULL;
}

static crash_finding read_state(crash_state *out, bool *is_known, ptl_store *store,
                                const crash_known *known, char why[256])
{
    ptl_error err = {0};
    sqlite3_int64 size = 0;
    unsigned char *pages = sqlite3_serialize(store->db, "main", &size, 0);
    if (!pages)
        return found(CRASH_PROBLEMS, why, "the pages can't be read");
    out->pages = hash_pages(pages, (size_t)size);
    sqlite3_free(pages);
    const crash_state *same = find_known(known, out->pages);
    *is_known = same != NULL;
    if (same)
        *out = *same;
    else if (!read_saved(&out->saved, store, &err))
        return found(CRASH_PROBLEMS, why, err.message);
    return CRASH_FINE;
}

crash_finding crash_state_read(crash_state *out, bool *is_known, const crash_work *work,
                               uint64_t reported, bool read_first, const crash_known *known,
                               char why[256])
{
    ptl_store *store = NULL;
    /* What had been set up opens without being created, or migrated by a writer. */
    const bool set_up = (reported & CRASH_SET_UP) != 0;
    const ptl_open_mode mode = !set_up      ? PTL_OPEN_CREATE
                               : read_first ? PTL_OPEN_READ
                                            : PTL_OPEN_WRITE;
    memset(out, 0, sizeof *out);
    *is_known = false;
    crash_finding finding = open_after(&store, work, mode, why);
    if (finding != CRASH_FINE)
        return finding;
    finding = read_state(out, is_known, store, known, why);
    ptl_store_close(store);
    if (finding == CRASH_FINE && (reported & ~out->saved) != 0) {
        snprintf(why, 256, "reported as saved %llx, there is %llx",
                 (unsigned long long)reported, (unsigned long long)out->saved);
        return CRASH_LOST;
    }
    return finding;
}

static void keep_first(void *payload, const ptl_problem *problem)
{
    char *why = payload;
    if (!why[0])
        snprintf(why, 256, "%.100s: %.150s", problem->where, problem->message);
}

crash_finding crash_state_verify(const crash_work *work, char why[256])
{
    ptl_store *store = NULL;
    ptl_error err = {0};
    ptl_verify_counts counts = {0};
    crash_finding finding = open_after(&store, work, PTL_OPEN_READ, why);
    if (finding != CRASH_FINE)
        return finding;
    why[0] = '\0';
    if (ptl_verify(store, keep_first, why, &counts, &err) != PTL_OK)
        finding = found(CRASH_PROBLEMS, why, err.message);
    else if (counts.problems > 0)
        finding = CRASH_PROBLEMS;
    ptl_store_close(store);
    return finding;
}
