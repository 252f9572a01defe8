/* Inside of searching: what one asking gives. */
#ifndef ANALYSIS_SEARCH_SEARCH_IMPL_H
#define ANALYSIS_SEARCH_SEARCH_IMPL_H

#include "analysis/search/search.h"

/* Matches of one seed. */
typedef struct search_found {
    search_match *list; /* owned */
    size_t count, room;
    bool cut;      /* there were more than `most` */
    uint64_t most; /* 0: any number */
} search_found;

/* Asks the store; found->list is emptied first. */
ptl_status search_ask_sql(search_found *found, ptl_store *store, const char *sql, uint64_t seed,
                          ptl_error *err);
/* Asks the overmaps that were added to the finder. */
ptl_status search_ask_relation(search_found *found, finder *f, uint64_t seed, ptl_error *err);

/* Puts s->chunks in order of (y, x), as finder_add wants them. */
void search_order_chunks(search *s);

/* At most so many matches of one seed can be of use. */
uint64_t search_most(const search *s);
/* Gives them to on_match; *stop: that was the last that was wanted. */
ptl_status search_tell(search *s, const search_found *found, bool *stop, ptl_error *err);

#endif
