/* Inside of searching: what a search holds, and what one asking gives. */
#ifndef ANALYSIS_SEARCH_SEARCH_IMPL_H
#define ANALYSIS_SEARCH_SEARCH_IMPL_H

#include "analysis/search/relation.h"
#include "world/seed_maker.h"

struct ptl_search {
    ptl_search_options o; /* where, chunks, world_name and scratch_folder are those below */
    char *where, *world_name, *scratch_folder; /* owned */
    ptl_chunk_pos *chunks; /* owned; in order of (y, x). Of a world: listed anew by each run
                            * where none were given */
    size_t chunk_count;
    ptl_store *store;   /* borrowed */
    ptl_world *world;   /* borrowed; NULL: seeds are searched */
    seed_base base;     /* of seeds */
    relation *relation; /* owned; NULL: SQL */
    /* Of the run. */
    ptl_progress progress;
    ptl_search_report report;
};

/* search.c and search_new.c: each does a run, whose report is all 0 before. */
ptl_status search_run_seeds(ptl_search *s, ptl_error *err);
ptl_status search_run_world(ptl_search *s, ptl_error *err);

/* Matches of one seed. */
typedef struct search_found {
    ptl_search_match *list; /* owned */
    size_t count, room;
    bool cut;      /* there were more than `most` */
    uint64_t most; /* 0: any number */
} search_found;

/* Asks the store; found->list is emptied first. */
ptl_status search_ask_sql(search_found *found, ptl_store *store, const char *sql, uint64_t seed,
                          ptl_error *err);
/* Asks the overmaps that were added to the finder. */
ptl_status search_ask_relation(search_found *found, finder *f, uint64_t seed, ptl_error *err);

/* Puts the chunks in order of (y, x), as finder_add wants them, each once. */
void search_order_chunks(ptl_search *s);

/* At most so many matches of one seed can be of use. */
uint64_t search_most(const ptl_search *s);
/* Gives them to on_match; *stop: that was the last that was wanted. */
ptl_status search_tell(ptl_search *s, const search_found *found, bool *stop, ptl_error *err);

#endif
