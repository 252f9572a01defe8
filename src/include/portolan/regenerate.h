/*
 * Making saved chunks anew, with the file's present content and this generator, within the
 * edges that are saved: so that a world can follow a change of the content and still fits
 * together.
 *
 * A chunk is stale if Portolan generated it with content other than the file's present one, or
 * with an older generator. Imported chunks are never stale and never touched.
 */
#ifndef PORTOLAN_REGENERATE_H
#define PORTOLAN_REGENERATE_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_regenerate_options {
    size_t size;
    const ptl_chunk_pos *positions; /* which chunks; NULL: all that are saved */
    size_t position_count;
    bool stale;   /* of these, only those that are stale */
    int32_t jobs; /* generating threads, 1..64; 0: 1 */
    /* A chunk of these that stays as it is, and why: it was imported, it is not saved, a newer
     * generator made it, an edge of it holds cells that the content does not know. May be NULL.
     */
    void (*on_kept)(void *payload, ptl_chunk_pos pos, const char *reason);
    /* What on_progress is in ptl_generate_options. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /* A local map that a game has edited, and in whose place another terrain is now: it stays
     * as it is. Ids of the terrain that it was made for, and of that now. Told when it is
     * committed. May be NULL. */
    void (*on_local)(void *payload, ptl_omt at, const char *was, const char *now);
} ptl_regenerate_options;

#define PTL_REGENERATE_OPTIONS_INIT                                                            \
    {                                                                                          \
        sizeof(ptl_regenerate_options), NULL, 0, true, 1, NULL, NULL, NULL, NULL               \
    }

typedef struct ptl_regenerate_report {
    size_t size;
    bool moved; /* the world went over to the present content and generator */
    uint64_t done, skipped, total; /* as in ptl_progress */
    double seconds;
    uint64_t events;       /* as in ptl_generate_report */
    uint64_t changed;      /* chunks that came out otherwise than they were */
    uint64_t kept;         /* those that on_kept was told of */
    uint64_t stale;        /* chunks of the world that are stale after the call */
    uint64_t dropped_maps; /* local maps, which nobody has edited: the next visit makes them */
    uint64_t changed_maps; /* those that on_local was told of */
} ptl_regenerate_report;

#define PTL_REGENERATE_REPORT_INIT PTL_SIZED(ptl_regenerate_report)

/*
 * Makes chunks anew and commits them in batches, at least every second; each takes the place of
 * the old one in one transaction. A chunk that was saved with a shorter stop_after becomes a
 * whole one. Its local maps that no game has edited go with it. Edges never change: a crossing
 * of a kind that the content does not know any more ends in a stub, and an event says so. When
 * none of the world's chunks is stale, the world goes over to the present content and
 * generator, and generating goes on without accept_content.
 *
 * Stopped or killed, the chunks that were not reached are stale still: the same call goes on
 * there. The world may have been opened without accept_content: with another content than the
 * present one it takes over the present one's numbers of oters, as if it had been opened with
 * it; chunks and caches of before are to be freed. report may be NULL.
 * PTL_ERR_CORRUPT for a damaged chunk (ptl_repair), PTL_ERR_NOT_FOUND if the present content
 * has no such region as the world's.
 */
PTL_API ptl_status ptl_regenerate(ptl_regenerate_report *report, ptl_world *world,
                                  const ptl_regenerate_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
