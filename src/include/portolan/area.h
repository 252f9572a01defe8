/*
 * Rectangles of OMTs that may span several chunks, and a cache of decoded chunks: for programs
 * that show a world or let somebody walk in it. A ptl_oter is a number; catalogue.h says which
 * oter it stands for.
 */
#ifndef PORTOLAN_AREA_H
#define PORTOLAN_AREA_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PTL_OTER_NONE = 0xffff }; /* the oter number of an OMT whose chunk is not saved */

/* ---- OMTs across chunks ---- */

typedef struct ptl_cache ptl_cache; /* a cache of a world's chunks; only the thread that uses
                                     * the world may use it */

/* A rectangle of OMTs on one level. It has width x height OMTs; its north-western corner is the
 * absolute OMT (x, y). */
typedef struct ptl_area {
    int64_t x, y;          /* absolute OMT of the rectangle's north-western corner */
    int32_t z;             /* level, PTL_Z_MIN..PTL_Z_MAX */
    int32_t width, height; /* size in OMTs, 1..PTL_AREA_SIDE_MAX; the whole rectangle must lie
                            * in chunks that can exist (PTL_CHUNK_COORD_MAX) */
} ptl_area;

enum { PTL_AREA_SIDE_MAX = 4096 };

typedef struct ptl_area_options {
    size_t size;
    /* True: chunks of the area that are not saved are generated and saved first, durably and
     * in few transactions, as ptl_generate does it. False: the cells of chunks that are not
     * saved are PTL_OTER_NONE. */
    bool generate;
    int32_t jobs; /* number of threads that generate chunks, 1..64; 0 means 1 */
    /* A cache of the same world, or NULL. Chunks that the cache holds are not read again, and
     * chunks that are read are added to it. Without a cache, each call reads the chunks from
     * the file anew, but only the area's level of each chunk. */
    ptl_cache *cache;
    /* Called after each commit of generated chunks. Returning false stops the call with
     * PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} ptl_area_options;

#define PTL_AREA_OPTIONS_INIT PTL_SIZED(ptl_area_options)

typedef struct ptl_area_report {
    size_t size;
    uint64_t chunks;    /* number of chunks that the area touches */
    uint64_t missing;   /* chunks of the area that are not saved: their cells are
                         * PTL_OTER_NONE */
    uint64_t generated; /* chunks that this call has generated */
} ptl_area_report;

#define PTL_AREA_REPORT_INIT PTL_SIZED(ptl_area_report)

/*
 * Reads the oters of an area. The oter of the absolute OMT (x, y) is written to cells[(y -
 * area->y) * area->width + (x - area->x)]. cells is the caller's array of width * height
 * elements; its contents are undefined after an error. report and options may be NULL.
 * PTL_ERR_ARGUMENT: the area is empty, too large, or reaches beyond the chunks that can exist
 * (PTL_CHUNK_COORD_MAX).
 */
PTL_API ptl_status ptl_area_get(ptl_oter *cells, ptl_area_report *report, ptl_world *world,
                                const ptl_area *area, const ptl_area_options *options,
                                ptl_error *err);

/* ---- a cache of chunks ---- */

/*
 * A cache holds the chunks that were requested most recently, in decoded form, so that a
 * player who goes back and forth over a border causes no further reading. It shows at once
 * what saves of its own ptl_world have edited. What others have changed in the file it notices
 * when ptl_cache_refresh is called.
 */
typedef struct ptl_cache_options {
    size_t size;
    size_t bytes; /* the most memory that the cached chunks may take, in bytes; 0: 32 MiB. The
                     chunk that the caller asked for last stays in the cache even if it alone
                     takes more. A chunk takes at most 1.4 MB, mostly 0.2 to 0.6 MB */
} ptl_cache_options;

#define PTL_CACHE_OPTIONS_INIT PTL_SIZED(ptl_cache_options)

/* Makes an empty cache for a world. *out is the caller's: free it with ptl_cache_free before
 * the world is closed. options may be NULL. */
PTL_API ptl_status ptl_cache_new(ptl_cache **out, ptl_world *world,
                                 const ptl_cache_options *options, ptl_error *err);
PTL_API void ptl_cache_free(ptl_cache *cache); /* freeing NULL does nothing */
/* Frees all chunks that the cache holds; they are read anew when they are requested again. */
PTL_API void ptl_cache_clear(ptl_cache *cache);
/*
 * Frees those chunks that the file shows otherwise than when they were read, because another
 * ptl_world, thread or process has edited, regenerated or removed them, and chunks that the
 * cache itself has made. *dropped, which may be NULL, becomes their number. Takes one lookup
 * for each chunk that the cache holds, some 10 to 20 microseconds. After `portolan repair` has
 * set edits aside call ptl_cache_clear instead.
 */
PTL_API ptl_status ptl_cache_refresh(uint64_t *dropped, ptl_cache *cache, ptl_error *err);

/*
 * Gives the chunk at pos: from the cache, else from the file; a chunk that is not saved is
 * generated and saved first, as ptl_chunk_get does it. *out belongs to the cache and is valid
 * until this cache is passed to another call.
 */
PTL_API ptl_status ptl_cache_get(const ptl_chunk **out, ptl_cache *cache, ptl_chunk_pos pos,
                                 ptl_error *err);
/* Gives the chunk at pos as ptl_cache_get does, but never generates one: PTL_ERR_NOT_FOUND if
 * the chunk is not saved. */
PTL_API ptl_status ptl_cache_load(const ptl_chunk **out, ptl_cache *cache, ptl_chunk_pos pos,
                                  ptl_error *err);
/* Gives the oter of one absolute OMT, from the chunk that ptl_cache_get gives (which may
 * generate it). PTL_ERR_ARGUMENT if no chunk or no level can contain the OMT. */
PTL_API ptl_status ptl_cache_oter_get(ptl_oter *out, ptl_cache *cache, ptl_omt at,
                                      ptl_error *err);

typedef struct ptl_prefetch_options {
    size_t size;
    int32_t radius; /* in chunks, 0..32: the chunks centre - radius .. centre + radius along x
                     * and y are generated and loaded */
    int32_t jobs;   /* number of threads that generate chunks, 1..64; 0 means 1 */
    /* Called after each commit of generated chunks. Returning false stops the call with
     * PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} ptl_prefetch_options;

#define PTL_PREFETCH_OPTIONS_INIT                                                              \
    {                                                                                          \
        sizeof(ptl_prefetch_options), 1, 0, NULL, NULL                                         \
    }

typedef struct ptl_prefetch_report {
    size_t size;
    uint64_t chunks;    /* chunks within the radius, without those that can't exist
                         * (PTL_CHUNK_COORD_MAX) */
    uint64_t generated; /* chunks that this call has generated; they are committed at least
                         * once a second */
    uint64_t loaded;    /* chunks that this call has read from the file, including those that
                         * it generated */
    uint64_t held;      /* how many of the chunks are in the cache after the call; fewer than
                           `chunks` if the cache is too small */
} ptl_prefetch_report;

#define PTL_PREFETCH_REPORT_INIT PTL_SIZED(ptl_prefetch_report)

/*
 * Generates the missing chunks around a chunk and loads as many chunks as fit into the cache,
 * the nearest first. A game calls this at a moment that suits it, so that no player has to
 * wait at a border. options and report may be NULL.
 */
PTL_API ptl_status ptl_cache_prefetch(ptl_prefetch_report *report, ptl_cache *cache,
                                      ptl_chunk_pos centre, const ptl_prefetch_options *options,
                                      ptl_error *err);

typedef struct ptl_cache_counts {
    size_t size;
    size_t chunks, bytes;  /* how many chunks are in the cache, and how much memory they
                            * take */
    uint64_t hits, misses; /* how many of the requested chunks were in the cache, and how many
                            * were not */
    uint64_t dropped;      /* chunks that were removed from the cache to make room */
} ptl_cache_counts;

#define PTL_CACHE_COUNTS_INIT PTL_SIZED(ptl_cache_counts)
/* Gives how many chunks the cache has, how much memory they take, and how many hits, misses and
 * drops there were since the cache was made. PTL_ERR_ARGUMENT if out->size was not set. */
PTL_API ptl_status ptl_cache_describe(ptl_cache_counts *out, const ptl_cache *cache,
                                      ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
