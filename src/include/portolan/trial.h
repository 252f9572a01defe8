/*
 * Trying a special of anyone's content: it is placed over and over, to see whether it always
 * can be. Nothing is written.
 */
#ifndef PORTOLAN_TRIAL_H
#define PORTOLAN_TRIAL_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PTL_TRIAL_REASONS = 16, PTL_TRIAL_JOIN_SIZE = 80 };

/* Growths of a mutable special that were undone since a mandatory join stayed open. */
typedef struct ptl_trial_reason {
    char join[PTL_TRIAL_JOIN_SIZE]; /* that the open OMT would have needed, cut if it is long */
    int32_t x, y, z;                /* the first such OMT, from the root as it stood */
    uint64_t undone;                /* growths */
    uint64_t failed;                /* placements whose last growth this was */
} ptl_trial_reason;

typedef struct ptl_trial_report {
    size_t size;
    bool is_mutable;
    uint64_t tried;  /* placements; of a fixed special: rotations */
    uint64_t placed; /* of them */
    uint64_t undone; /* growths, also where a later one succeeded */
    uint64_t failed_open, failed_blocked, failed_large,
        failed_costly;           /* placements, by the last growth: open join, root
                                  * outside, too many pieces, too much work */
    uint64_t first_failing_seed; /* where placed < tried */
    uint64_t growths;            /* in all */
    int32_t growths_max;         /* of one placement */
    int32_t pieces_min, pieces_max;
    double pieces_mean; /* of what was placed; OMTs of a fixed special */
    double seconds;
    ptl_trial_reason reasons[PTL_TRIAL_REASONS]; /* the most frequent first */
    size_t reason_count;
    uint64_t other_undone; /* for reasons that found no room in the list */
    /* A fixed special: an OMT, from the origin, on which no terrain is all that it asks for. */
    bool has_conflict;
    int32_t conflict_x, conflict_y, conflict_z;
    /* On a world: chunks, and those in which fewer were placed than asked for, by the test that
     * left no origin. */
    uint64_t chunks, short_ground, short_linked, short_city, short_room, short_growth,
        short_other;
} ptl_trial_report;

#define PTL_TRIAL_REPORT_INIT PTL_SIZED(ptl_trial_report)

typedef struct ptl_trial_options {
    size_t size;
    uint64_t times;                 /* placements; a fixed special is tried in each rotation */
    uint64_t seed;                  /* of the first; the next ones follow it */
    const ptl_world_options *world; /* region and compat matter; NULL: PTL_WORLD_OPTIONS_INIT */
    /* Called now and then; returning false stops: the report is of what was done until then,
     * and the call returns PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} ptl_trial_options;

#define PTL_TRIAL_OPTIONS_INIT                                                                 \
    {                                                                                          \
        sizeof(ptl_trial_options), 1000, 1, NULL, NULL, NULL                                   \
    }

/*
 * Places the special on ground that nothing obstructs and that is the best for it: of a mutable
 * one all growths, each level of one terrain; of a fixed one whether there can be an origin at
 * all. PTL_ERR_NOT_FOUND if the content has no such special.
 */
PTL_API ptl_status ptl_trial_run(ptl_trial_report *out, ptl_store *store, const char *special,
                                 const ptl_trial_options *options, ptl_error *err);

/* Makes the chunks of a world again (or for the first time) and reports what became of the
 * special on their real ground. options.times, seed and world are not used. */
PTL_API ptl_status ptl_trial_world_run(ptl_trial_report *out, ptl_world *world,
                                       const char *special, const ptl_chunk_pos *positions,
                                       size_t count, const ptl_trial_options *options,
                                       ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
