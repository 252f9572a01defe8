/*
 * Generating many chunks: batches, threads, progress, resuming.
 */
#ifndef PORTOLAN_GENERATE_H
#define PORTOLAN_GENERATE_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever the same inputs give another world. Stored with each chunk. */
enum { PTL_GENERATOR_VERSION = 6 };

/* Returns a generation step's name, as stop_after takes it. index is its place in the order;
 * NULL comes after the last. */
PTL_API const char *ptl_step_name(size_t index);
PTL_API size_t ptl_step_count(void);

enum { PTL_STEPS_MAX = 32 };

typedef struct ptl_progress {
    size_t size;
    uint64_t done;    /* chunks committed by this call: durable */
    uint64_t skipped; /* chunks that were saved already */
    uint64_t total;   /* chunks asked for, without repetitions */
    double seconds;   /* since the start */
    double rate;      /* chunks per second, over the last few seconds; 0 if unknown */
} ptl_progress;

typedef struct ptl_generate_options {
    size_t size;
    const ptl_chunk_pos *positions; /* which chunks; repetitions are fine */
    size_t position_count;
    int32_t jobs;           /* generating threads, 1..64; 0: 1 */
    const char *stop_after; /* a step's name: run only the steps up to it; NULL: all */
    /* Called after each commit (at least every second). Returning false stops cleanly: what
     * was committed stays, the call returns PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} ptl_generate_options;

#define PTL_GENERATE_OPTIONS_INIT                                                              \
    {                                                                                          \
        sizeof(ptl_generate_options), NULL, 0, 1, NULL, NULL, NULL                             \
    }

typedef struct ptl_generate_report {
    size_t size;
    uint64_t done, skipped, total; /* as in ptl_progress, and so is rate */
    double seconds, rate;
    double step_seconds[PTL_STEPS_MAX]; /* per step, summed over chunks and threads */
    double encode_seconds, write_seconds;
    uint64_t events;       /* things that a step could not do, see table `event` */
    uint64_t empty_cities; /* of these: cities without a building (`city_empty`) */
} ptl_generate_report;

#define PTL_GENERATE_REPORT_INIT PTL_SIZED(ptl_generate_report)

/*
 * Generates and saves every chunk asked for that is not saved yet (or was saved with a shorter
 * stop_after). Each chunk is committed with its edges; batches are committed at least every
 * second. report may be NULL.
 */
PTL_API ptl_status ptl_generate(ptl_generate_report *report, ptl_world *world,
                                const ptl_generate_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
