/*
 * Searching: seed after seed, its overmaps are made in memory and asked, by a relation or by
 * SQL; or the overmaps of a world that is stored. Matches come in the order of the seeds,
 * whatever the number of threads.
 */
#ifndef ANALYSIS_SEARCH_SEARCH_H
#define ANALYSIS_SEARCH_SEARCH_H

#include "analysis/search/relation.h"
#include "portolan/generate.h"
#include "world/seed_maker.h"

enum { SEARCH_JOBS_MAX = 64, SEARCH_CHUNKS_MAX = 10000 };

typedef struct search_match {
    uint64_t seed;
    bool has_place, has_level; /* SQL: it gave x and y, and z */
    int64_t x, y, z;           /* absolute OMTs */
    const char *what;          /* "" with SQL; borrowed */
} search_match;

typedef struct search {
    ptl_store *store;
    const relation *relation; /* or: */
    const char *sql;
    uint64_t limit;    /* stops after so many matches; 0: never */
    uint64_t per_seed; /* at most so many of one seed; 0: all */
    /* Returning false stops (PTL_ERR_CANCELLED). */
    bool (*on_match)(void *payload, const search_match *match);
    /* Seeds that were asked, of all; total 0: no end. Returning false stops likewise. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /* Seeds: */
    const seed_base *base;
    const char *world_name;     /* with SQL: what the world is called that it sees */
    const char *scratch_folder; /* with SQL: where its scratch files may lie */
    ptl_chunk_pos *chunks;      /* of each seed; is put in order */
    size_t chunk_count;
    uint64_t first_seed, last_seed;
    int32_t jobs; /* 0: 1 */
    /* What came of it. */
    uint64_t seeds, matches; /* asked; given to on_match */
    uint64_t next_seed;      /* to go on from; 0: all were asked */
    bool cut;                /* the last seed has more matches than were given */
    ptl_progress progress;
} search;

/* A problem with SQL is PTL_ERR_ARGUMENT with SQLite's message. */
ptl_status search_seeds(search *s, ptl_error *err);

/* The saved chunks of a world, in place of seeds: a relation looks at all of them (with chunks:
 * at those of the list), SQL at the whole file. */
ptl_status search_stored(search *s, ptl_world *world, ptl_error *err);

#endif
