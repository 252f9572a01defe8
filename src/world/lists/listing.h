/* A list of rows for public calls (portolan/lists.h). Such a call first reads all rows in one
 * snapshot and only then gives them out, so that the caller's function may use the store, and
 * all rows are of one moment. */
#pragma once

#include "store/store.h"

/* Reads all items into a list, with listing_put and listing_add. */
typedef ptl_status listing_read(void *payload, ptl_error *err);

typedef struct listing {
    size_t item_size;
    listing_read *read;
    int (*compare)(const void *a, const void *b); /* NULL: items stay in the order of reading */
    unsigned char *items;                         /* owned */
    size_t count, room;
    arena *texts;     /* owned */
    const char *last; /* the text that was kept last: a repetition is not copied again */
} listing;

/* Begins an empty list of items of one size. Call listing_end in any case, also after an
 * error. */
ptl_status listing_begin(listing *l, size_t item_size, ptl_error *err);
/* Frees items and texts. */
void listing_end(listing *l);
/* Replaces *text by a copy that the list owns. */
ptl_status listing_keep(listing *l, const char **text, ptl_error *err);
/* Adds a copy of the item. */
ptl_status listing_add(listing *l, const void *item, ptl_error *err);
/* Adds a copy of the item, and copies its texts first. `texts` holds the addresses of the
 * item's texts and ends with NULL; a text that is NULL stays NULL. */
ptl_status listing_put(listing *l, const void *item, const char **const *texts, ptl_error *err);
/* Sorts the items with qsort, so compare must tell equal ones apart if their order matters. */
void listing_sort(listing *l, int (*compare)(const void *a, const void *b));
/* Returns item i, which may be changed in place; i must be below count. */
void *listing_at(const listing *l, size_t i);

/* Calls read in a snapshot of the store. */
ptl_status listing_snapshot(ptl_store *store, listing_read *read, void *payload,
                            ptl_error *err);
/* The list of a reading, before it is filled. */
#define LISTING(type, reader, order)                                                           \
    {                                                                                          \
        .item_size = sizeof(type), .read = (reader), .compare = (order)                        \
    }
/* Begins a list, reads it in a snapshot, with `from` as the payload, and sorts it. It is the
 * first step of a public call, so it clears *err. */
ptl_status listing_fill(listing *l, ptl_store *store, void *from, ptl_error *err);

/* Gives all items to the caller's function and ends the list. It gives none if status is
 * already an error; PTL_ERR_CANCELLED if the function returns false. */
#define LISTING_GIVE(status, list, type, on_item, payload, err)                                \
    do {                                                                                       \
        for (size_t at_ = 0; (status) == PTL_OK && at_ < (list)->count; at_++)                 \
            if (!(on_item)((payload), (const type *)listing_at((list), at_)))                  \
                (status) = error_set((err), PTL_ERR_CANCELLED, "stopped by the caller");       \
        listing_end(list);                                                                     \
    } while (0)
/* Fills the list, gives it as above, and returns. */
#define LISTING_RETURN(list, type, store, from, on_item, payload, err)                         \
    do {                                                                                       \
        ptl_status status_ = listing_fill((list), (store), (from), (err));                     \
        LISTING_GIVE(status_, (list), type, on_item, payload, err);                            \
        return status_;                                                                        \
    } while (0)
