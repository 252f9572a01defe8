/*
 * The cache of chunks: a hash table of chunks in memory, which are also in a list ordered by
 * last use. Their memory is limited, not their number. The chunk that was asked for last is
 * never dropped, because the caller still borrows it.
 */
#include "world/chunk_cache.h"

#include "core/hash.h"
#include "core/sized.h"
#include "world/edits.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BYTES = 32 << 20, BUCKETS = 4096 /* a power of two */, RADIUS_MAX = 32 };

/* What the file had of a chunk when it was read. */
typedef struct stamp {
    bool from_file; /* false: the chunk was made by this cache, and not read */
    digest omts;
    int64_t edit; /* number of the world's latest edit; not that of the chunk */
} stamp;

typedef struct held {
    struct held *next; /* the next chunk in the same bucket of the hash table */
    /* The chunks are in a list that is ordered by last use: the chunk that was used next after
     * this one, and the chunk that was used last before it. */
    struct held *newer, *older;
    ptl_chunk *chunk; /* owned */
    size_t bytes;
    bool whole; /* true: all steps of generation ran for the chunk */
    stamp read;
} held;

struct ptl_cache {
    ptl_world *world;
    uint64_t edits; /* value of world->edits_made when the cache was used last */
    size_t most;    /* the most bytes that all chunks in memory may take */
    held *newest, *oldest;
    held *buckets[BUCKETS];
    ptl_cache_counts counts;
};

/* ---- the chunks in memory ---- */

static held **bucket_of(ptl_cache *c, ptl_chunk_pos pos)
{
    return &c->buckets[hash_add((uint32_t)pos.x, (uint32_t)pos.y) & (BUCKETS - 1)];
}

static held *find(const ptl_cache *c, ptl_chunk_pos pos)
{
    held *h = c->buckets[hash_add((uint32_t)pos.x, (uint32_t)pos.y) & (BUCKETS - 1)];
    while (h && (h->chunk->pos.x != pos.x || h->chunk->pos.y != pos.y))
        h = h->next;
    return h;
}

static void unlink_use(ptl_cache *c, held *h)
{
    *(h->newer ? &h->newer->older : &c->newest) = h->older;
    *(h->older ? &h->older->newer : &c->oldest) = h->newer;
}

static void link_newest(ptl_cache *c, held *h)
{
    h->newer = NULL;
    h->older = c->newest;
    *(c->newest ? &c->newest->newer : &c->oldest) = h;
    c->newest = h;
}

static void use(ptl_cache *c, held *h)
{
    if (h == c->newest)
        return;
    unlink_use(c, h);
    link_newest(c, h);
}

static void drop(ptl_cache *c, held *h)
{
    held **at = bucket_of(c, h->chunk->pos);
    while (*at != h)
        at = &(*at)->next;
    *at = h->next;
    unlink_use(c, h);
    c->counts.chunks--;
    c->counts.bytes -= h->bytes;
    ptl_chunk_free(h->chunk);
    free(h);
}

/* Adds a chunk to the cache, which becomes its owner even if this function fails. */
static ptl_status insert(held **out, ptl_cache *c, ptl_chunk *chunk, bool whole,
                         const stamp *read, ptl_error *err)
{
    held *h = malloc(sizeof *h);
    *out = h;
    if (!h) {
        ptl_chunk_free(chunk);
        return error_nomem(err);
    }
    held **at = bucket_of(c, chunk->pos);
    *h = (held){.next = *at,
                .chunk = chunk,
                .bytes = sizeof *h + sizeof *chunk,
                .whole = whole,
                .read = *read};
    for (int i = 0; i < PTL_LEVELS; i++)
        if (chunk->levels[i].cells)
            h->bytes += PTL_LEVEL_CELLS * sizeof *chunk->levels[i].cells;
    *at = h;
    link_newest(c, h);
    c->counts.chunks++;
    c->counts.bytes += h->bytes;
    while (c->counts.bytes > c->most && c->oldest != h) {
        drop(c, c->oldest);
        c->counts.dropped++;
    }
    return PTL_OK;
}

/* Empties the cache if a save of its world has stored edits since it was used last. */
static void follow_edits(ptl_cache *c)
{
    if (c->edits != c->world->edits_made)
        ptl_cache_clear(c);
    c->edits = c->world->edits_made;
}

/* ---- reading ---- */

ptl_status cache_fetch(cached_chunk *out, ptl_cache *cache, ptl_chunk_pos pos, bool again,
                       ptl_error *err)
{
    ptl_world *w = cache->world;
    chunk_info info;
    ptl_chunk *chunk = NULL;
    follow_edits(cache);
    held *h = find(cache, pos);
    *out = (cached_chunk){NULL, false, false};
    if (h && again && !h->whole) {
        drop(cache, h);
    } else if (h) {
        use(cache, h);
        *out = (cached_chunk){h->chunk, h->whole, false};
        return PTL_OK;
    }
    /* The edits first: of an edit that is stored meanwhile ptl_cache_refresh says that it is
     * new, even if the chunk has it already. */
    stamp read = {.from_file = true};
    TRY(world_edits_last(&read.edit, w, err));
    TRY(world_chunk_read(&chunk, w, pos, w->cat, &info, err));
    if (!chunk)
        return PTL_OK;
    read.omts = info.omts;
    TRY(insert(&h, cache, chunk, info.last_step[0] == '\0', &read, err));
    *out = (cached_chunk){h->chunk, h->whole, true};
    return PTL_OK;
}

bool cache_has(const ptl_cache *cache, ptl_chunk_pos pos)
{
    const held *h = find(cache, pos);
    return h && h->whole;
}

bool cache_has_all(ptl_cache *cache, ptl_chunk_pos first, ptl_chunk_pos last)
{
    follow_edits(cache);
    for (int32_t y = first.y; y <= last.y; y++)
        for (int32_t x = first.x; x <= last.x; x++)
            if (!cache_has(cache, (ptl_chunk_pos){x, y}))
                return false;
    return true;
}

/* Callers of ptl_cache_get only get chunks for which all steps of generation ran. If the saved
 * chunk lacks steps, they are made first. */
ptl_status ptl_cache_get(const ptl_chunk **out, ptl_cache *cache, ptl_chunk_pos pos,
                         ptl_error *err)
{
    static const stamp made = {.from_file = false};
    ptl_chunk *chunk = NULL;
    cached_chunk found;
    held *h;
    error_clear(err);
    *out = NULL;
    TRY(cache_fetch(&found, cache, pos, true, err));
    cache->counts.hits += found.chunk && found.whole && !found.read;
    cache->counts.misses += !found.chunk || !found.whole || found.read;
    if (found.chunk && found.whole) {
        *out = found.chunk;
        return PTL_OK;
    }
    if (found.chunk)
        drop(cache, find(cache, pos));
    TRY(ptl_chunk_get(&chunk, cache->world, pos, err));
    TRY(insert(&h, cache, chunk, true, &made, err));
    *out = h->chunk;
    return PTL_OK;
}

ptl_status ptl_cache_load(const ptl_chunk **out, ptl_cache *cache, ptl_chunk_pos pos,
                          ptl_error *err)
{
    cached_chunk found;
    error_clear(err);
    ptl_status status = cache_fetch(&found, cache, pos, false, err);
    *out = found.chunk;
    cache->counts.misses += !found.chunk || found.read;
    cache->counts.hits += found.chunk && !found.read;
    if (status == PTL_OK && !found.chunk)
        return error_set(err, PTL_ERR_NOT_FOUND, "chunk %d,%d of world '%s' is not saved",
                         pos.x, pos.y, cache->world->row.name);
    return status;
}

ptl_status ptl_cache_oter_get(ptl_oter *out, ptl_cache *cache, ptl_omt at, ptl_error *err)
{
    const int64_t most = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    const ptl_chunk *chunk = NULL;
    error_clear(err);
    *out = PTL_OTER_NONE;
    if (at.x < -most || at.x >= most + PTL_CHUNK_SIZE || at.y < -most ||
        at.y >= most + PTL_CHUNK_SIZE || at.z < PTL_Z_MIN || at.z > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "OMT %lld,%lld,%d lies outside of all chunks, or of levels %d..%d",
                         (long long)at.x, (long long)at.y, (int)at.z, PTL_Z_MIN, PTL_Z_MAX);
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    TRY(ptl_cache_get(&chunk, cache, pos, err));
    *out = ptl_chunk_oter(chunk, (int32_t)(at.x - (int64_t)pos.x * PTL_CHUNK_SIZE),
                          (int32_t)(at.y - (int64_t)pos.y * PTL_CHUNK_SIZE), at.z);
    return PTL_OK;
}

/* ---- loading chunks in advance ---- */

/* Lists the places around the centre, the farthest first. Chunks are loaded in this order, so
 * that the nearest chunks are those that were used last. The caller must free the list. */
static ptl_status list_around(ptl_chunk_pos **out, size_t *count, ptl_chunk_pos centre,
                              int32_t radius, ptl_error *err)
{
    const size_t side = (size_t)(2 * radius + 1);
    ptl_chunk_pos *list = malloc(side * side * sizeof *list);
    *out = list;
    *count = 0;
    if (!list)
        return error_nomem(err);
    for (int32_t ring = radius; ring >= 0; ring--)
        for (int32_t y = -ring; y <= ring; y++)
            for (int32_t x = -ring; x <= ring; x++) {
                const ptl_chunk_pos pos = {centre.x + x, centre.y + y};
                const bool on_ring = abs(x) == ring || abs(y) == ring;
                if (on_ring && chunk_pos_in_range(pos.x, pos.y))
                    list[(*count)++] = pos;
            }
    return PTL_OK;
}

ptl_status ptl_cache_prefetch(ptl_prefetch_report *report, ptl_cache *cache,
                              ptl_chunk_pos centre, const ptl_prefetch_options *options,
                              ptl_error *err)
{
    ptl_prefetch_options o = PTL_PREFETCH_OPTIONS_INIT;
    ptl_prefetch_report r = PTL_PREFETCH_REPORT_INIT;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_prefetch_options, &o, options, err);
    THEN(status, SIZED_CHECK(ptl_prefetch_report, report, err));
    if (status == PTL_OK && (o.radius < 0 || o.radius > RADIUS_MAX))
        status = error_set(err, PTL_ERR_ARGUMENT, "radius is %d; it must be 0 to %d", o.radius,
                           RADIUS_MAX);
    if (status == PTL_OK && !chunk_pos_in_range(centre.x, centre.y))
        status = error_set(err, PTL_ERR_ARGUMENT, "chunk %d,%d lies outside -%d..%d", centre.x,
                           centre.y, PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX);
    if (status == PTL_OK) {
        ptl_chunk_pos *list = NULL, *copy = NULL;
        size_t count = 0;
        status = list_around(&list, &count, centre, o.radius, err);
        if (status == PTL_OK && !(copy = malloc((count + 1) * sizeof *copy)))
            status = error_nomem(err);
        if (status == PTL_OK) {
            memcpy(copy, list, count * sizeof *copy);
            missing_chunks missing = {cache, copy, count, o.jobs, o.on_progress, o.payload, 0};
            status = world_make_missing(cache->world, &missing, err);
            r.generated = missing.generated;
        }
        for (size_t i = 0; i < count && status == PTL_OK; i++) {
            cached_chunk found;
            status = cache_fetch(&found, cache, list[i], true, err);
            r.loaded += found.read;
        }
        r.chunks = count;
        for (size_t i = 0; i < count && status == PTL_OK; i++)
            r.held += cache_has(cache, list[i]);
        free(copy);
        free(list);
    }
    SIZED_FILL(ptl_prefetch_report, report, &r);
    return status;
}

/* ---- what others have changed ---- */

typedef struct newer_edits {
    int64_t than;
    bool any;
} newer_edits;

static ptl_status look_at_edit(void *payload, const edit_row *row, ptl_error *err)
{
    newer_edits *newer = payload;
    (void)err;
    newer->any |= row->number > newer->than;
    return PTL_OK;
}

/* Does the file show the chunk as it was when it was read? `last` is the number of the world's
 * latest edit. */
static ptl_status check_held(bool *same, held *h, const ptl_world *world, int64_t last,
                             ptl_error *err)
{
    const store_operations *o = ops(world->store);
    const ptl_chunk_pos pos = h->chunk->pos;
    const edit_area area = {pos.x, pos.x, pos.y, pos.y, (1 << PTL_LEVELS) - 1, 0};
    newer_edits newer = {h->read.edit, last < h->read.edit};
    chunk_info info;
    *same = false;
    if (!h->read.from_file)
        return PTL_OK;
    TRY(o->chunk->find(&info, same, world->store, world->row.id, pos, err));
    *same = *same && memcmp(&info.omts, &h->read.omts, sizeof info.omts) == 0;
    if (!*same || last == h->read.edit)
        return PTL_OK;
    TRY(o->edit->visit(world->store, world->row.id, &area, world->cat, look_at_edit, &newer,
                       err));
    *same = !newer.any;
    h->read.edit = last;
    return PTL_OK;
}

static ptl_status refresh(uint64_t *dropped, ptl_cache *c, ptl_error *err)
{
    int64_t last;
    TRY(world_edits_last(&last, c->world, err));
    for (held *h = c->oldest, *newer; h; h = newer) {
        bool same;
        newer = h->newer;
        TRY(check_held(&same, h, c->world, last, err));
        if (same)
            continue;
        drop(c, h);
        ++*dropped;
    }
    return PTL_OK;
}

ptl_status ptl_cache_refresh(uint64_t *dropped, ptl_cache *cache, ptl_error *err)
{
    const transaction_operations *transaction = ops(cache->world->store)->transaction;
    uint64_t count = 0;
    bool own;
    error_clear(err);
    follow_edits(cache);
    TRY(transaction->begin_lookups(cache->world->store, &own, err));
    const ptl_status status = refresh(&count, cache, err);
    transaction->end_snapshot(cache->world->store, own);
    if (dropped)
        *dropped = count;
    return status;
}

/* ---- making and freeing the cache ---- */

ptl_status ptl_cache_new(ptl_cache **out, ptl_world *world, const ptl_cache_options *options,
                         ptl_error *err)
{
    ptl_cache_options o = PTL_CACHE_OPTIONS_INIT;
    *out = NULL;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_cache_options, &o, options, err));
    ptl_cache *c = *out = calloc(1, sizeof *c);
    if (!c)
        return error_nomem(err);
    c->world = world;
    c->most = o.bytes ? o.bytes : DEFAULT_BYTES;
    return PTL_OK;
}

void ptl_cache_clear(ptl_cache *cache)
{
    for (held *h = cache->oldest, *newer; h; h = newer) {
        newer = h->newer;
        drop(cache, h);
    }
}

void ptl_cache_free(ptl_cache *cache)
{
    if (!cache)
        return;
    ptl_cache_clear(cache);
    free(cache);
}

ptl_status ptl_cache_describe(ptl_cache_counts *out, const ptl_cache *cache, ptl_error *err)
{
    error_clear(err);
    const ptl_status status = SIZED_CHECK(ptl_cache_counts, out, err);
    SIZED_FILL(ptl_cache_counts, out, &cache->counts);
    return status;
}
