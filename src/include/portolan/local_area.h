/*
 * Local maps of whole areas: listing the stored maps, making many maps in few transactions,
 * and computing a digest by which maps can be compared.
 */
#ifndef PORTOLAN_LOCAL_AREA_H
#define PORTOLAN_LOCAL_AREA_H

#include "portolan/generate.h"
#include "portolan/local.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A box of absolute OMTs: x0..x1, y0..y1, z0..z1, both ends included. */
typedef struct ptl_local_area {
    int64_t x0, y0, x1, y1;
    int32_t z0, z1; /* levels, PTL_Z_MIN..PTL_Z_MAX */
} ptl_local_area;

/* Calls on_map with the place of each stored map in an area (NULL: in the whole world), in the
 * order of x, y, z. on_map may take its time and use the store. Returning false stops with
 * PTL_ERR_CANCELLED. */
PTL_API ptl_status ptl_local_list(ptl_world *world, const ptl_local_area *area,
                                  bool (*on_map)(void *payload, const ptl_omt *at),
                                  void *payload, ptl_error *err);

typedef struct ptl_local_generate_options {
    size_t size;
    const ptl_local_area *areas; /* the areas whose maps are made; they may overlap */
    size_t area_count;
    int64_t turn; /* the game's turn for which the maps are made, 0 or more */
    int32_t jobs; /* number of threads, 1..64; 0 means 1. Each further thread compiles the
                   * content's mapgen once more and holds it in memory */
    /* Called after each commit, at least once a second. progress counts maps; maps that were
     * stored before count as skipped. Returning false stops the call: what was committed stays,
     * and the call returns PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    /* Called like on_progress, but before any map is made, while the chunks that the maps need
     * are generated. May be NULL. */
    bool (*on_chunks)(void *payload, const ptl_progress *progress);
    void *payload; /* is given to on_progress and to on_chunks */
    /* For a world that derives its local maps (ptl_world_options.derive): true makes it a world
     * that stores them. First the maps of the areas are made for turn 0 and stored; from then
     * on each map is stored when it is made. Maps outside of the areas that were visited
     * before, but not changed, are made anew at their next visit, from the content and chunks
     * of that time. It has no effect on other worlds. */
    bool keep;
} ptl_local_generate_options;

#define PTL_LOCAL_GENERATE_OPTIONS_INIT PTL_SIZED(ptl_local_generate_options)

typedef struct ptl_local_generate_report {
    size_t size;
    /* How many maps were made (done), were stored already (skipped), and were asked for
     * (total). A map that lies in two areas counts twice in `total`. */
    uint64_t done, skipped, total;
    uint64_t fallback; /* how many of the maps that were made are of a terrain
                        * without mapgen (ptl_local_is_fallback) */
    uint64_t chunks;   /* chunks that were generated because the maps need them */
    double seconds;    /* seconds for making and storing maps, without the time for
                        * generating chunks */
    double make_seconds, encode_seconds; /* seconds for making and for encoding maps, summed
                                          * over threads */
    double write_seconds;
} ptl_local_generate_report;

#define PTL_LOCAL_GENERATE_REPORT_INIT PTL_SIZED(ptl_local_generate_report)

/*
 * Makes and stores every map of the areas that is not stored yet, as ptl_local_get would. The
 * chunks of these maps and of the OMTs around them are generated and saved first. Maps are
 * committed at least every second; they do not depend on the order or the number of threads.
 * report may be NULL. An error ends the work; what was committed stays. PTL_ERR_ARGUMENT: an
 * area is empty or lies outside of all chunks and levels, the areas need more than a million
 * chunks, or the world derives its local maps and `keep` is false. Other errors as for
 * ptl_local_get.
 */
PTL_API ptl_status ptl_local_generate(ptl_local_generate_report *report, ptl_world *world,
                                      const ptl_local_generate_options *options,
                                      ptl_error *err);

typedef struct ptl_local_digest_result {
    size_t size;
    char hex[65];
    uint64_t maps;
    uint64_t made; /* number of maps that count in the digest, but are not stored: they were
                      made only to compute it */
} ptl_local_digest_result;

#define PTL_LOCAL_DIGEST_RESULT_INIT PTL_SIZED(ptl_local_digest_result)

/*
 * Computes a digest over the local maps of an area. A stored map counts as it is stored. An OMT
 * without a stored map counts with the map that would be made for turn 0. area NULL: only the
 * stored maps of the world count. Nothing is written, and everything is read as it is at one
 * moment. Equal maps give equal digests, whether they are stored or not and in whatever order
 * they were made (schema/format.md, "Local maps"). PTL_ERR_NOT_FOUND: a map is not stored, and
 * a chunk that it depends on is not saved.
 */
PTL_API ptl_status ptl_local_digest_get(ptl_local_digest_result *out, ptl_world *world,
                                        const ptl_local_area *area, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
