/*
 * Areas of OMTs across chunks, and a cache of chunks, for those who show or walk a world. What
 * an oter is: catalogue.h.
 */
#ifndef PORTOLAN_AREA_H
#define PORTOLAN_AREA_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PTL_OTER_NONE = 0xffff }; /* no OMT: nothing is saved there */

/* ---- OMTs across chunks ---- */

typedef struct ptl_cache ptl_cache; /* belongs to its world's thread */

/* A rectangle of one level, in absolute OMTs: x .. x + width - 1, y .. y + height - 1. */
typedef struct ptl_area {
    int64_t x, y;          /* of the north-western cell */
    int32_t z;             /* PTL_Z_MIN..PTL_Z_MAX */
    int32_t width, height; /* 1..PTL_AREA_SIDE_MAX, inside the chunks that there can be */
} ptl_area;

enum { PTL_AREA_SIDE_MAX = 4096 };

typedef struct ptl_area_options {
    size_t size;
    /* Chunks that are not saved are generated and saved first, durably and in few transactions,
     * as ptl_generate does it. Else their cells are PTL_OTER_NONE. */
    bool generate;
    int32_t jobs; /* generating threads, 1..64; 0: 1 */
    /* Chunks that it holds are not read again, and what is read is held by it. NULL: each
     * chunk's level is read from the file, and no other level. Of the same world. */
    ptl_cache *cache;
    /* Called after each commit; false stops (PTL_ERR_CANCELLED). May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} ptl_area_options;

#define PTL_AREA_OPTIONS_INIT PTL_SIZED(ptl_area_options)

typedef struct ptl_area_report {
    size_t size;
    uint64_t chunks;    /* that the area lies in */
    uint64_t missing;   /* of them, those whose cells are PTL_OTER_NONE */
    uint64_t generated; /* by this call */
} ptl_area_report;

#define PTL_AREA_REPORT_INIT PTL_SIZED(ptl_area_report)

/*
 * Fills cells[(y - area->y) * area->width + (x - area->x)], width * height oters in the
 * caller's memory, which may hold anything after an error. options and report may be NULL.
 * PTL_ERR_ARGUMENT: an area that is empty, too large or outside of all chunks.
 */
PTL_API ptl_status ptl_area_get(ptl_oter *cells, ptl_area_report *report, ptl_world *world,
                                const ptl_area *area, const ptl_area_options *options,
                                ptl_error *err);

/* ---- a cache of chunks ---- */

/*
 * A cache holds the chunks that were asked for last, decoded, so that a walker who steps to and
 * fro over a border reads nothing again. It does not see what is changed in the file after it
 * has read a chunk (regenerating, repairing, removing): call ptl_cache_clear then.
 */
typedef struct ptl_cache_options {
    size_t size;
    size_t bytes; /* of memory for chunks, at most; 0: 32 MiB. The chunk that was asked for last
                   * stays, however large: at most 1.4 MB, mostly 0.2 to 0.6 */
} ptl_cache_options;

#define PTL_CACHE_OPTIONS_INIT PTL_SIZED(ptl_cache_options)

/* *out is new: free it with ptl_cache_free before the world is closed. options may be NULL. */
PTL_API ptl_status ptl_cache_new(ptl_cache **out, ptl_world *world,
                                 const ptl_cache_options *options, ptl_error *err);
PTL_API void ptl_cache_free(ptl_cache *cache); /* NULL is fine */
/* Forgets all chunks. */
PTL_API void ptl_cache_clear(ptl_cache *cache);

/*
 * Gives the chunk at pos: held, saved, or generated and saved first, as by ptl_chunk_get. *out
 * is borrowed until the next call that is given the cache.
 */
PTL_API ptl_status ptl_cache_get(const ptl_chunk **out, ptl_cache *cache, ptl_chunk_pos pos,
                                 ptl_error *err);
/* The same of held and saved chunks alone, as by ptl_chunk_load: else PTL_ERR_NOT_FOUND. */
PTL_API ptl_status ptl_cache_load(const ptl_chunk **out, ptl_cache *cache, ptl_chunk_pos pos,
                                  ptl_error *err);
/* One OMT by its absolute place, of the chunk that ptl_cache_get gives. PTL_ERR_ARGUMENT
 * outside of all chunks and levels. */
PTL_API ptl_status ptl_cache_oter_get(ptl_oter *out, ptl_cache *cache, ptl_omt at,
                                      ptl_error *err);

typedef struct ptl_prefetch_options {
    size_t size;
    int32_t radius; /* chunks centre - radius .. centre + radius, along x and y; 0..32 */
    int32_t jobs;   /* generating threads, 1..64; 0: 1 */
    /* Called after each commit; false stops (PTL_ERR_CANCELLED). May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} ptl_prefetch_options;

#define PTL_PREFETCH_OPTIONS_INIT                                                              \
    {                                                                                          \
        sizeof(ptl_prefetch_options), 1, 0, NULL, NULL                                         \
    }

typedef struct ptl_prefetch_report {
    size_t size;
    uint64_t chunks;    /* asked for, inside of the chunks that there can be */
    uint64_t generated; /* by this call, in one transaction as a rule: at least one a second */
    uint64_t loaded;    /* from the file, those among them */
    uint64_t held;      /* by the cache in the end: less than chunks if its bytes are too few */
} ptl_prefetch_report;

#define PTL_PREFETCH_REPORT_INIT PTL_SIZED(ptl_prefetch_report)

/*
 * Makes what is missing around a chunk, and holds as much of it as fits, nearest first: so a
 * walker pays when it suits, not at the border. options and report may be NULL.
 */
PTL_API ptl_status ptl_cache_prefetch(ptl_prefetch_report *report, ptl_cache *cache,
                                      ptl_chunk_pos centre, const ptl_prefetch_options *options,
                                      ptl_error *err);

typedef struct ptl_cache_counts {
    size_t size;
    size_t chunks, bytes;  /* held now */
    uint64_t hits, misses; /* chunks asked for that were held; that were not */
    uint64_t dropped;      /* to make room */
} ptl_cache_counts;

#define PTL_CACHE_COUNTS_INIT PTL_SIZED(ptl_cache_counts)
/* Since the cache was made. PTL_ERR_ARGUMENT if nobody set out->size. */
PTL_API ptl_status ptl_cache_describe(ptl_cache_counts *out, const ptl_cache *cache,
                                      ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
