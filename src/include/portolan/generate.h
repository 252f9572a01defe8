/*
 * Generates many chunks with several threads and saves them in batches. If a call was stopped,
 * the same call continues where it ended.
 */
#ifndef PORTOLAN_GENERATE_H
#define PORTOLAN_GENERATE_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the generator. It rises whenever the same inputs would give another world,
 * and is stored with each chunk. */
enum { PTL_GENERATOR_VERSION = 8 };

/* Returns the name of a step of generation, which ptl_generate_options.stop_after takes. index
 * is the step's place in the order of steps, from 0. Returns NULL if there are not so many
 * steps. */
PTL_API const char *ptl_step_name(size_t index);
/* Returns the number of steps of generation. */
PTL_API size_t ptl_step_count(void);

enum { PTL_STEPS_MAX = 32 }; /* generation never has more steps than this */

enum { PTL_SHARDS_MAX = 1000000 }; /* the most shards into which work can be divided */

typedef struct ptl_progress {
    size_t size;
    uint64_t done;    /* chunks that this call has committed; they are on disk */
    uint64_t skipped; /* requested chunks that were saved already */
    uint64_t total;   /* requested chunks (those of the shard); repeated ones count once */
    double seconds;   /* seconds since the call began */
    double rate;      /* chunks per second, over the last few seconds; 0 if unknown */
} ptl_progress;

typedef struct ptl_generate_options {
    size_t size;
    const ptl_chunk_pos *positions; /* the chunks to generate; they may be repeated */
    size_t position_count;
    int32_t jobs;           /* number of threads that generate chunks, 1..64; 0 means 1 */
    const char *stop_after; /* name of the last step to run; NULL: all steps run */
    /* Called after each commit, at least every second. Returning false stops cleanly:
     * committed chunks stay, and the call returns PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /*
     * Several programs can share the work, each with a file of its own in which the world was
     * created with the same seed, settings and content: a call makes only the chunks of shard
     * number `shard`, 1..shards, of those that positions lists. shards is at most
     * PTL_SHARDS_MAX; both are 0 to make all chunks. What a shard has depends only on the set
     * of positions and on shards. The positions are shared out by blocks of 8 x 8 chunks along
     * a Hilbert curve; the shards have equal numbers of chunks, as far as whole blocks allow,
     * and a shard may have none.
     */
    int32_t shard, shards;
} ptl_generate_options;

#define PTL_GENERATE_OPTIONS_INIT                                                              \
    {                                                                                          \
        sizeof(ptl_generate_options), NULL, 0, 1, NULL, NULL, NULL, 0, 0                       \
    }

typedef struct ptl_generate_report {
    size_t size;
    /* Counts of chunks. done, skipped, total, seconds and rate mean the same as in
     * ptl_progress. */
    uint64_t done, skipped, total;
    double seconds, rate;
    double step_seconds[PTL_STEPS_MAX]; /* seconds that each step took, summed over chunks and
                                         * threads */
    double encode_seconds, write_seconds;
    uint64_t events;       /* how many events this call has added to the table `event`: things
                            * that steps of generation could not do as asked */
    uint64_t empty_cities; /* how many events say that a city has no building (`city_empty`) */
} ptl_generate_report;

#define PTL_GENERATE_REPORT_INIT PTL_SIZED(ptl_generate_report)

/*
 * Generates and saves every requested chunk that is not saved yet, or was saved incomplete (by
 * a call whose stop_after named an earlier step). A chunk is committed together with its edges,
 * and batches are committed at least every second. report may be NULL. PTL_ERR_ARGUMENT if
 * stop_after names no step, or shard or shards is out of its range.
 */
PTL_API ptl_status ptl_generate(ptl_generate_report *report, ptl_world *world,
                                const ptl_generate_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
