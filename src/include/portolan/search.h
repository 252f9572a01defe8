/*
 * Searches overmaps for places. Either the overmaps of many seeds are made in memory, one seed
 * after the other, and searched, or the saved overmaps of a world are searched. What is looked
 * for is given by a relation or by SQL. Nothing is written to the file.
 *
 * A relation says what is looked for and what is near it: "anthill within 10 of city size >= 8
 * beside lake and no lab* within 40". ptl_search_grammar gives the whole language. The first
 * thing named is the subject: each match is a place of the subject. A condition that directly
 * follows a thing is a condition on that thing (here the city is beside a lake). A condition
 * after `and`, `or`, `but` or a comma is a condition on the subject, or, inside parentheses,
 * on the thing with which the parentheses begin.
 *
 * The place of a special or a building is its origin; all of its OMTs count for "beside". A
 * city is the disc of its size around its centre, at z = 0. A lake (with its shore) or a river
 * is a 4-connected set of OMTs at z = 0. A road is a single OMT at z = 0 with the flag ROAD or
 * of the connection local_road; `terrain ID` is a single OMT on any level. Distances are
 * Euclidean, in OMTs, and ignore levels. They are measured from origin to origin, to a city's
 * edge, and to the nearest OMT of a lake or river. Two things are beside each other if an OMT
 * of one and an OMT of the other, on the same level, share a side or are the same. Nothing is
 * near itself. Only what lies in the overmaps that are searched together counts.
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
    /* One SELECT over tables, views and virtual tables, as for ptl_query; each row of its
     * result is a match. In a search of seeds the statement sees a file with the store's
     * content and one world that has the seed's chunks; in a search of a world it sees the
     * store's file. Each run of the statement may take at most 60 s. */
    PTL_SEARCH_SQL
} ptl_search_language;

/* A place that was found. */
typedef struct ptl_search_match {
    size_t size;
    uint64_t seed;    /* seed of the world in which the place is */
    int64_t x, y, z;  /* the place in absolute OMTs */
    const char *what; /* the id, if the match is a special or building; else the kind of thing;
                         "" for a match of SQL. Borrowed from the search */
    bool has_place, has_level; /* for SQL: whether the row had numbers x and y, and a number z;
                                * always true for a relation */
} ptl_search_match;

typedef struct ptl_search_options {
    size_t size;
    const char *where;            /* the relation or the SQL statement; required */
    ptl_search_language language; /* the language of `where` */
    int32_t jobs;                 /* number of threads, 1..PTL_SEARCH_JOBS_MAX; 0: 1 */
    uint64_t limit;               /* number of matches after which the search stops; 0: no
                                   * limit */
    uint64_t per_seed;            /* on_match gets at most this many matches of one seed; 0: no
                                   * limit */
    /* In a search over seeds: the chunks to make of each seed, 1..PTL_SEARCH_CHUNKS_MAX of
     * them; NULL: only the chunk (0, 0). If a relation is searched in a world: the chunks to
     * search; NULL: all saved chunks. */
    const ptl_chunk_pos *chunks;
    size_t chunk_count;
    /* Called for each match, in the order of the seeds, whatever the number of threads. Within
     * a seed the matches come in the order of (y, x, z, what), or as SQL gives them. Returning
     * false stops with PTL_ERR_CANCELLED. Required. */
    bool (*on_match)(void *payload, const ptl_search_match *match);
    /* Called now and then. progress counts the seeds that were searched (total 0 stands for
     * 2^64), or, for a world, the chunks that were read. Returning false stops with
     * PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /* The members from here on only have an effect in searches of seeds. */
    uint64_t seed_first, seed_last;    /* the first and the last seed, both included */
    const ptl_world_options *settings; /* settings of the worlds to make, whose seed is
                                        * ignored; NULL: the defaults */
    const char *world_name;     /* for SQL: name of the world that the statement sees; NULL:
                                 * "find" */
    const char *scratch_folder; /* for SQL: folder for scratch files; NULL: /dev/shm if it
                                 * exists, else /tmp */
} ptl_search_options;

#define PTL_SEARCH_OPTIONS_INIT PTL_SIZED(ptl_search_options)

/* What is wrong with a relation. */
typedef struct ptl_search_fault {
    size_t size;
    size_t column;     /* place of the mistake, as a byte offset in `where` */
    char message[304]; /* what the parser expected at `column`, and what stands there instead;
                          "" if nothing is wrong */
} ptl_search_fault;

#define PTL_SEARCH_FAULT_INIT PTL_SIZED(ptl_search_fault)

/* A compiled search. It may be used only by the store's thread. */
typedef struct ptl_search ptl_search;

/*
 * Compiles a search: ptl_search_seeds_new for seeds, with the store's present content, and
 * ptl_search_world_new for a world's saved chunks. *out is the caller's: free it before the
 * store or world is closed. Everything in the options except payload is copied.
 * PTL_ERR_ARGUMENT: `where` is not a relation (then *fault says why; fault may be NULL), or an
 * option is out of its range (then there is no fault). Wrong SQL is only noticed when the
 * search runs; ptl_query_column_list can check it before. PTL_ERR_CONTENT: the file has no
 * content yet. PTL_ERR_NOT_FOUND: the content has no such region.
 */
PTL_API ptl_status ptl_search_seeds_new(ptl_search **out, ptl_search_fault *fault,
                                        ptl_store *store, const ptl_search_options *options,
                                        ptl_error *err);
PTL_API ptl_status ptl_search_world_new(ptl_search **out, ptl_search_fault *fault,
                                        ptl_world *world, const ptl_search_options *options,
                                        ptl_error *err);
PTL_API void ptl_search_free(ptl_search *search); /* freeing NULL does nothing */

typedef struct ptl_search_report {
    size_t size;
    uint64_t seeds;     /* seeds that were searched completely; 1 for a world */
    uint64_t matches;   /* matches for which on_match was called */
    uint64_t next_seed; /* the seed after the last one that was searched, with which a further
                         * search can go on; 0 if all seeds were searched */
    uint64_t cut; /* 1: there are more matches than on_match got, in the last seed that was
                     searched or in the world; else 0 */
    double seconds;
} ptl_search_report;

#define PTL_SEARCH_REPORT_INIT PTL_SIZED(ptl_search_report)

/*
 * Runs the search; each call starts from the beginning. report may be NULL; it is filled after
 * an error, too: after PTL_ERR_CANCELLED, next_seed tells where to go on. PTL_ERR_ARGUMENT:
 * the SQL is wrong; the message is SQLite's.
 */
PTL_API ptl_status ptl_search_run(ptl_search_report *report, ptl_search *search,
                                  ptl_error *err);

/* Returns a description of the language of relations, as lines of text; a constant. */
PTL_API const char *ptl_search_grammar(void);

#ifdef __cplusplus
}
#endif
#endif
