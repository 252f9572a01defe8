/* The inside of searching: what a search holds, and the matches of one seed. */
#ifndef ANALYSIS_SEARCH_SEARCH_IMPL_H
#define ANALYSIS_SEARCH_SEARCH_IMPL_H

#include "analysis/search/relation.h"
#include "world/seed_maker.h"

struct ptl_search {
    ptl_search_options o;                      /* its texts and chunks are the copies below */
    char *where, *world_name, *scratch_folder; /* owned */
    /* Owned; in the order of (y, x). If none were given for a world, each run lists them
     * anew. */
    ptl_chunk_pos *chunks;
    size_t chunk_count;
    ptl_store *store;   /* borrowed */
    ptl_world *world;   /* borrowed; NULL for a search over seeds */
    seed_base base;     /* for seeds: what worlds of all seeds share */
    relation *relation; /* owned; NULL: SQL is asked */
    /* The state of a run. */
    ptl_progress progress;
    ptl_search_report report;
};

/* In search.c and search_new.c: each does a run, at whose beginning the report is all 0. */
ptl_status search_run_seeds(ptl_search *s, ptl_error *err);
ptl_status search_run_world(ptl_search *s, ptl_error *err);

/* The matches of one seed. */
typedef struct search_found {
    ptl_search_match *list; /* owned */
    size_t count, room;
    bool cut;      /* there were more than `most` matches */
    uint64_t most; /* the greatest number to keep; 0: no limit */
} search_found;

/* Asks the store for matches, which replace those in `found`. */
ptl_status search_ask_sql(search_found *found, ptl_store *store, const char *sql, uint64_t seed,
                          ptl_error *err);
/* Asks the overmaps in the finder for matches. */
ptl_status search_ask_relation(search_found *found, finder *f, uint64_t seed, ptl_error *err);

/* Sorts the chunks by (y, x), as finder_add wants them, and drops repeated ones. */
void search_order_chunks(ptl_search *s);

/* Returns how many matches of one seed can be of use at most; 0: any number. */
uint64_t search_most(const ptl_search *s);
/* Gives the matches to on_match. *stop is set when no more are wanted. */
ptl_status search_tell(ptl_search *s, const search_found *found, bool *stop, ptl_error *err);

#endif
