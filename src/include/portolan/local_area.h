/*
 * Local maps of whole areas: made and stored in few transactions, and compared by a digest.
 */
#ifndef PORTOLAN_LOCAL_AREA_H
#define PORTOLAN_LOCAL_AREA_H

#include "portolan/generate.h"
#include "portolan/local.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A box of OMTs, absolute; both ends are included: x0..x1, y0..y1, z0..z1. */
typedef struct ptl_local_area {
    int64_t x0, y0, x1, y1;
    int32_t z0, z1; /* PTL_Z_MIN..PTL_Z_MAX */
} ptl_local_area;

/* Calls on_map with the place of each stored map of an area (NULL: of the world), in the order
 * of x, y, z; it may take its time and use the store. Returning false stops with
 * PTL_ERR_CANCELLED. */
PTL_API ptl_status ptl_local_list(ptl_world *world, const ptl_local_area *area,
                                  bool (*on_map)(void *payload, const ptl_omt *at),
                                  void *payload, ptl_error *err);

typedef struct ptl_local_generate_options {
    size_t size;
    const ptl_local_area *areas; /* which maps; areas may overlap */
    size_t area_count;
    int64_t turn; /* the game's turn for which they are made, 0 or more */
    int32_t jobs; /* threads, 1..64; 0: 1. Each but the first compiles the content's mapgen
                   * once more, and holds it in memory */
    /* Called after each commit (at least every second), counting maps: those that were stored
     * already are skipped. Returning false stops cleanly: what was committed stays, the call
     * returns PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    /* The same before, while chunks are generated that the maps need. May be NULL. */
    bool (*on_chunks)(void *payload, const ptl_progress *progress);
    void *payload; /* of both */
    /* The world derives its local maps (ptl_world_options.derive) no longer: these are stored,
     * for turn 0, and when all are there the world is one that stores each map that is made.
     * Those that were visited elsewhere are then made anew at the next visit, of what there is
     * then. Without effect on other worlds. */
    bool keep;
} ptl_local_generate_options;

#define PTL_LOCAL_GENERATE_OPTIONS_INIT PTL_SIZED(ptl_local_generate_options)

typedef struct ptl_local_generate_report {
    size_t size;
    uint64_t done, skipped, total; /* maps, as in ptl_progress; total counts one that lies in
                                    * two areas twice */
    uint64_t fallback;             /* of those done: ptl_local_is_fallback */
    uint64_t chunks;               /* generated for them */
    double seconds;                /* without those for chunks */
    double make_seconds, encode_seconds; /* summed over threads */
    double write_seconds;
} ptl_local_generate_report;

#define PTL_LOCAL_GENERATE_REPORT_INIT PTL_SIZED(ptl_local_generate_report)

/*
 * Makes and stores every map of the areas that is not stored yet, as ptl_local_get would. Their
 * chunks, and those of the OMTs around, are generated and saved first. Maps are committed at
 * least every second; what is made does not depend on order and threads. report may be NULL.
 * PTL_ERR_ARGUMENT: an area that is empty or lies outside of all chunks and levels, more than a
 * million chunks, a world that derives its local maps and no `keep`; else as ptl_local_get. An
 * error ends the work, what was committed stays.
 */
PTL_API ptl_status ptl_local_generate(ptl_local_generate_report *report, ptl_world *world,
                                      const ptl_local_generate_options *options,
                                      ptl_error *err);

typedef struct ptl_local_digest_result {
    size_t size;
    char hex[65];
    uint64_t maps;
    uint64_t made; /* of them, those that are not stored and were made for this alone */
} ptl_local_digest_result;

#define PTL_LOCAL_DIGEST_RESULT_INIT PTL_SIZED(ptl_local_digest_result)

/*
 * Computes a digest over the local maps of an area: over the stored ones as they are, and over
 * what would be made (for turn 0) where none is stored. Nothing is written; all is read from
 * one moment. Maps that are the same give the same digest, stored or not, whoever made them in
 * whatever order (schema/format.md, "Local maps"). area NULL: all stored maps, and no others.
 * PTL_ERR_NOT_FOUND if a map is not stored and a chunk that it depends on is not saved.
 */
PTL_API ptl_status ptl_local_digest_get(ptl_local_digest_result *out, ptl_world *world,
                                        const ptl_local_area *area, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
