/*
 * Tries a special of the content: places it many times, to see whether that always succeeds.
 * Nothing is written.
 */
#ifndef PORTOLAN_TRIAL_H
#define PORTOLAN_TRIAL_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PTL_TRIAL_REASONS = 16, PTL_TRIAL_JOIN_SIZE = 80 };

/* A reason why growths of a mutable special were undone: a join at which there must be a piece
 * stayed open. */
typedef struct ptl_trial_reason {
    char join[PTL_TRIAL_JOIN_SIZE]; /* id of the join that should have been closed, cut off if
                                     * it is long */
    int32_t x, y, z;                /* the first OMT where the join stayed open, relative to
                                     * the root piece as it was rotated */
    uint64_t undone;                /* growths that were undone because the join stayed open */
    /* Placements that failed because, in their last growth, the join stayed open. */
    uint64_t failed;
} ptl_trial_reason;

typedef struct ptl_trial_report {
    size_t size;
    bool is_mutable;
    uint64_t tried;  /* number of placements that were tried; for a fixed special, number of
                      * rotations */
    uint64_t placed; /* placements that succeeded */
    uint64_t undone; /* growths that were undone, even if a later growth of the same placement
                      * succeeded */
    uint64_t failed_open, failed_blocked, failed_large,
        failed_costly;           /* numbers of placements that failed, by what ended the last
                                  * growth of each: an open join (failed_open), a root piece
                                  * outside of the map (failed_blocked), too many pieces
                                  * (failed_large), too much work (failed_costly) */
    uint64_t first_failing_seed; /* seed of the first placement that failed; only set if placed
                                  * < tried */
    uint64_t growths;            /* growths in all placements */
    int32_t growths_max;         /* the largest number of growths in one placement */
    int32_t pieces_min, pieces_max;
    double pieces_mean; /* mean number of pieces of the specials that were placed; for a fixed
                         * special OMTs count as pieces */
    double seconds;
    ptl_trial_reason reasons[PTL_TRIAL_REASONS]; /* reasons why growths were undone, the most
                                                  * frequent first */
    size_t reason_count;
    uint64_t other_undone; /* growths that were undone for reasons that are not in `reasons`,
                              because it has no room for them */
    /* For a fixed special: true if there is an OMT, given relative to the origin, for which no
     * terrain meets all that the special demands of it. */
    bool has_conflict;
    int32_t conflict_x, conflict_y, conflict_z;
    /* Only set by ptl_trial_world_run. `chunks` is the number of chunks that were made. The
     * members short_... are numbers of chunks in which fewer of the special were placed than
     * asked for, by the reason as in ptl_tally_failures. */
    uint64_t chunks, short_ground, short_linked, short_city, short_room, short_growth,
        short_other;
} ptl_trial_report;

#define PTL_TRIAL_REPORT_INIT PTL_SIZED(ptl_trial_report)

typedef struct ptl_trial_options {
    size_t size;
    uint64_t times;                 /* number of placements to try; a fixed special is tried
                                     * once in each rotation instead */
    uint64_t seed;                  /* seed of the first placement; each further placement has
                                     * the next seed */
    const ptl_world_options *world; /* settings of the world for which the special is tried;
                                     * only region and compat matter. NULL:
                                     * PTL_WORLD_OPTIONS_INIT */
    /* Called now and then. Returning false stops the call with PTL_ERR_CANCELLED; the report
     * tells what was done until then. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} ptl_trial_options;

#define PTL_TRIAL_OPTIONS_INIT                                                                 \
    {                                                                                          \
        sizeof(ptl_trial_options), 1000, 1, NULL, NULL, NULL                                   \
    }

/*
 * Tries the special on the terrain that suits it best, with nothing in the way. A mutable
 * special is grown options->times times, on levels that each consist of a single terrain. For a
 * fixed special the call finds out whether there can be an origin at all. PTL_ERR_NOT_FOUND if
 * the content has no such special.
 */
PTL_API ptl_status ptl_trial_run(ptl_trial_report *out, ptl_store *store, const char *special,
                                 const ptl_trial_options *options, ptl_error *err);

/* Makes chunks of a world in memory, whether they are saved or not, and reports what became of
 * the special on the terrain that these chunks have. options->times, seed and world are not
 * used. */
PTL_API ptl_status ptl_trial_world_run(ptl_trial_report *out, ptl_world *world,
                                       const char *special, const ptl_chunk_pos *positions,
                                       size_t count, const ptl_trial_options *options,
                                       ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
