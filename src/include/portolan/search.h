/*
 * Searching: overmaps of seed after seed are made in memory and asked, by a relation or by SQL;
 * or the overmaps of a world that is saved. Nothing is written to the file.
 *
 * A relation says what is looked for and what is near it: "anthill within 10 of city size >= 8
 * beside lake and no lab* within 40". ptl_search_grammar is the whole language. The first thing
 * named is the subject: matches are places of it. A condition that follows a thing directly is
 * a condition on that thing (a city beside a lake); one after `and`, `or`, `but` or a comma is
 * one on the subject, or inside parentheses on the thing that they begin with.
 *
 * A special or a building is where its origin is; its OMTs are what touches. A city is the
 * disc of its size around its centre, at z 0. A lake (with its shore) or a river is a
 * 4-connected set of cells at z 0; a road is one cell at z 0 of flag ROAD or connection
 * local_road; `terrain ID` is one cell on any level. Distances are Euclidean, in OMTs, and
 * levels don't count in them: from origin to origin, to a city's edge, to the nearest cell of a
 * lake or river. "Beside": an OMT of the one and an OMT of the other, on the same level, share
 * a side or are the same. Nothing is near itself. Only what lies in the overmaps at hand
 * counts.
 */
#ifndef PORTOLAN_SEARCH_H
#define PORTOLAN_SEARCH_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PTL_SEARCH_JOBS_MAX = 64, PTL_SEARCH_CHUNKS_MAX = 10000 };

typedef enum ptl_search_language {
    PTL_SEARCH_RELATION,
    /* One SELECT over tables, views and virtual tables, as for ptl_query; each row is a match.
     * Asked of seeds it sees a file with the store's content and one world with the seed's
     * chunks; asked of a world, the store's file. One asking may take 60 s. */
    PTL_SEARCH_SQL
} ptl_search_language;

/* A place that was found. */
typedef struct ptl_search_match {
    size_t size;
    uint64_t seed;    /* of its world */
    int64_t x, y, z;  /* absolute OMTs */
    const char *what; /* id of the special or building, else the kind of thing; "" with SQL.
                       * Borrowed from the search */
    bool has_place, has_level; /* SQL: the row had numbers x and y, and z; else true */
} ptl_search_match;

typedef struct ptl_search_options {
    size_t size;
    const char *where;            /* what is looked for; required */
    ptl_search_language language; /* of it */
    int32_t jobs;                 /* threads, 1..PTL_SEARCH_JOBS_MAX; 0: 1 */
    uint64_t limit;               /* stops after so many matches; 0: never */
    uint64_t per_seed;            /* at most so many of one seed; 0: all */
    /* Of seeds: the chunks of each, 1..PTL_SEARCH_CHUNKS_MAX; NULL: chunk 0,0 alone. Of a
     * world, with a relation: those that are looked at; NULL: all that are saved. */
    const ptl_chunk_pos *chunks;
    size_t chunk_count;
    /* Called for each match, in the order of the seeds, whatever the number of threads, and
     * within one of (y, x, z, what), or as SQL gives them. Returning false stops:
     * PTL_ERR_CANCELLED. Required. */
    bool (*on_match)(void *payload, const ptl_search_match *match);
    /* Called now and then: seeds that were asked, of all (total 0: 2^64); of a world: chunks
     * that were read. Returning false stops likewise. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /* The rest is of seeds alone. */
    uint64_t seed_first, seed_last;    /* both included */
    const ptl_world_options *settings; /* its seed means nothing; NULL: the defaults */
    const char *world_name;     /* SQL: what the world that it sees is called; NULL: "find" */
    const char *scratch_folder; /* SQL: where scratch files lie; NULL: /dev/shm, where there is
                                 * such a folder, else /tmp */
} ptl_search_options;

#define PTL_SEARCH_OPTIONS_INIT PTL_SIZED(ptl_search_options)

/* What is wrong with a text. */
typedef struct ptl_search_fault {
    size_t size;
    size_t column;     /* byte offset in `where` */
    char message[304]; /* what was expected, and what is there; "": nothing is wrong with it */
} ptl_search_fault;

#define PTL_SEARCH_FAULT_INIT PTL_SIZED(ptl_search_fault)

/* What is looked for, compiled. Belongs to the store's thread. */
typedef struct ptl_search ptl_search;

/*
 * Compiles a search: of seeds, with the store's present content; or of a world's saved chunks.
 * *out is new: free it before the store or world is closed. What the options name is copied,
 * but for payload. PTL_ERR_ARGUMENT with *fault (which may be NULL) where `where` is no
 * relation, and without a fault for options out of their ranges; whether SQL can be run is
 * found out when it is (ptl_query_column_list tells it before). PTL_ERR_CONTENT if the file has
 * no content yet, PTL_ERR_NOT_FOUND if it has no such region.
 */
PTL_API ptl_status ptl_search_seeds_new(ptl_search **out, ptl_search_fault *fault,
                                        ptl_store *store, const ptl_search_options *options,
                                        ptl_error *err);
PTL_API ptl_status ptl_search_world_new(ptl_search **out, ptl_search_fault *fault,
                                        ptl_world *world, const ptl_search_options *options,
                                        ptl_error *err);
PTL_API void ptl_search_free(ptl_search *search); /* NULL is fine */

typedef struct ptl_search_report {
    size_t size;
    uint64_t seeds;     /* that were asked to their end; of a world: 1 */
    uint64_t matches;   /* given to on_match */
    uint64_t next_seed; /* to go on from; 0: all were asked */
    uint64_t cut;       /* 1: the last seed (or the world) has more matches than were given */
    double seconds;
} ptl_search_report;

#define PTL_SEARCH_REPORT_INIT PTL_SIZED(ptl_search_report)

/*
 * Searches, from the beginning each time. The report, which may be NULL, is filled after an
 * error, too: after PTL_ERR_CANCELLED next_seed tells where to go on. A problem with SQL is
 * PTL_ERR_ARGUMENT with SQLite's message.
 */
PTL_API ptl_status ptl_search_run(ptl_search_report *report, ptl_search *search,
                                  ptl_error *err);

/* Returns the language of relations, as lines of text. */
PTL_API const char *ptl_search_grammar(void);

#ifdef __cplusplus
}
#endif
#endif
