/*
 * Makes saved chunks anew, with the file's present content and this library's generator. Their
 * saved edges stay as they are, so that a world can follow a change of the content and its
 * chunks still fit together.
 *
 * A chunk is stale if Portolan generated it with another content than the file's present one,
 * or with an older generator. Chunks imported from a game's save are never stale and never
 * changed.
 */
#ifndef PORTOLAN_REGENERATE_H
#define PORTOLAN_REGENERATE_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_regenerate_options {
    size_t size;
    const ptl_chunk_pos *positions; /* the chunks to make anew; NULL: all saved chunks of the
                                     * world */
    size_t position_count;
    bool stale;   /* true: make only those of the chosen chunks anew that are stale */
    int32_t jobs; /* number of threads that generate chunks, 1..64; 0 means 1 */
    /* Called for each chunk that was chosen, but stays as it is. `reason` says why: the chunk
     * was imported, it is not saved, a newer generator made it, or one of the chunk's edges has
     * terrain that the content does not know. May be NULL. */
    void (*on_kept)(void *payload, ptl_chunk_pos pos, const char *reason);
    /* Called after each commit, as on_progress of ptl_generate_options is. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /* Called for each local map that a game has edited and whose OMT has another terrain now:
     * the map stays as it is. was and now are the ids of the earlier and the new terrain.
     * Called after the commit. May be NULL. */
    void (*on_local)(void *payload, ptl_omt at, const char *was, const char *now);
    /* Called at the end for each OMT of the chosen chunks at which an edit in force lies over
     * another oter than it did: the edit stays in force. was is the oter that the edit has
     * replaced, now the one below the edit. May be NULL. */
    void (*on_edit)(void *payload, int64_t number, ptl_omt at, const char *was,
                    const char *now);
} ptl_regenerate_options;

#define PTL_REGENERATE_OPTIONS_INIT                                                            \
    {                                                                                          \
        sizeof(ptl_regenerate_options), NULL, 0, true, 1, NULL, NULL, NULL, NULL, NULL         \
    }

typedef struct ptl_regenerate_report {
    size_t size;
    bool moved; /* true: after the call, the world has the present content
                 * and generator */
    /* Counts of chunks, as the members of the same names in ptl_progress. */
    uint64_t done, skipped, total;
    double seconds;
    uint64_t events;        /* number of events, as in ptl_generate_report */
    uint64_t changed;       /* chunks that differ from what they were before */
    uint64_t kept;          /* chunks for which on_kept was called */
    uint64_t stale;         /* chunks of the world that are stale after the call */
    uint64_t dropped_maps;  /* unedited local maps that were removed; the next visit makes them
                             * anew */
    uint64_t changed_maps;  /* local maps for which on_local was called: their OMT has another
                               terrain now */
    uint64_t changed_edits; /* OMTs for which on_edit was called */
} ptl_regenerate_report;

#define PTL_REGENERATE_REPORT_INIT PTL_SIZED(ptl_regenerate_report)

/*
 * Makes chunks anew and commits them in batches, at least every second. Each new chunk
 * replaces the old one within one transaction; the chunk's unedited local maps are removed
 * with the old one. A chunk that was saved with an earlier stop_after becomes complete. Edges
 * never change: where something of a kind that the content no longer knows crosses an edge, it
 * ends in a stub, and an event says so. When no chunk of the world is stale any more, the
 * world gets the present content and generator, and new chunks can be generated without
 * accept_content.
 *
 * If the call is stopped or killed, the chunks that it did not reach are still stale: the same
 * call goes on there. The world may have been opened without accept_content. If it was opened
 * with another content than the present one, this call gives it the present content's numbers
 * of oters, as if the world had been opened with that content. So the caller must free chunks
 * and caches that were made before the call. report may be NULL. PTL_ERR_CORRUPT: a chunk is
 * damaged (see ptl_repair). PTL_ERR_NOT_FOUND: the present content lacks the world's region.
 */
PTL_API ptl_status ptl_regenerate(ptl_regenerate_report *report, ptl_world *world,
                                  const ptl_regenerate_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
