/* A list of rows for public calls (portolan/lists.h). Such a call first reads all rows in one
 * snapshot and only then gives them to the caller's function. So that function may use the
 * store, and all rows are from one moment. */
#pragma once

#include "store/store.h"

/* Reads all items into a list, by calling listing_put and listing_add. */
typedef ptl_status listing_read(void *payload, ptl_error *err);

typedef struct listing {
    size_t item_size;
    listing_read *read;
    /* The order in which items are sorted; NULL: they stay in the order in which they were
     * read. */
    int (*compare)(const void *a, const void *b);
    unsigned char *items; /* owned */
    size_t count, room;
    arena *texts; /* owned */
    /* The text that was copied last: if the next text is equal, the same copy is used. */
    const char *last;
} listing;

/* Begins an empty list whose items have this size. The caller must call listing_end in any
 * case, also after an error. */
ptl_status listing_begin(listing *l, size_t item_size, ptl_error *err);
/* Frees items and texts. */
void listing_end(listing *l);
/* Makes a copy of *text, which the list owns, and sets *text to that copy. */
ptl_status listing_keep(listing *l, const char **text, ptl_error *err);
/* Adds a copy of the item. */
ptl_status listing_add(listing *l, const void *item, ptl_error *err);
/* Adds a copy of the item, with copies of its texts. `texts` holds the addresses of the item's
 * members that are texts, and ends with NULL; a text that is NULL stays NULL. */
ptl_status listing_put(listing *l, const void *item, const char **const *texts, ptl_error *err);
/* Sorts the items with qsort, which may swap items that compare as equal: if their order
 * matters, compare must distinguish them. */
void listing_sort(listing *l, int (*compare)(const void *a, const void *b));
/* Returns item i, which the caller may change in place; i must be below count. */
void *listing_at(const listing *l, size_t i);

/* Calls `read` in a snapshot of the store's file, so that all it reads is from one moment. */
ptl_status listing_snapshot(ptl_store *store, listing_read *read, void *payload,
                            ptl_error *err);
/* A macro for the initial value of a list. `type` is the type of its items, `reader` the
 * function that reads them (listing_read), `order` the function by which they are sorted, or
 * NULL. */
#define LISTING(type, reader, order)                                                           \
    {                                                                                          \
        .item_size = sizeof(type), .read = (reader), .compare = (order)                        \
    }
/* Begins a list, fills it in a snapshot by calling its `read` with `from` as the payload, and
 * sorts it. It is the first step of a public call, so it clears *err. */
ptl_status listing_fill(listing *l, ptl_store *store, void *from, ptl_error *err);

/* A macro that passes all items of the list to the caller's function on_item, as pointers to
 * `type`, and ends the list. If `status` is already an error, no item is passed. `status`
 * becomes PTL_ERR_CANCELLED if on_item returns false. */
#define LISTING_GIVE(status, list, type, on_item, payload, err)                                \
    do {                                                                                       \
        for (size_t at_ = 0; (status) == PTL_OK && at_ < (list)->count; at_++)                 \
            if (!(on_item)((payload), (const type *)listing_at((list), at_)))                  \
                (status) = error_set((err), PTL_ERR_CANCELLED, "stopped by the caller");       \
        listing_end(list);                                                                     \
    } while (0)
/* A macro that ends a public call. It fills the list by listing_fill, gives each item of the
 * list to the caller's function on_item, and returns the status. `type` is the type of the
 * items. */
#define LISTING_RETURN(list, type, store, from, on_item, payload, err)                         \
    do {                                                                                       \
        ptl_status status_ = listing_fill((list), (store), (from), (err));                     \
        LISTING_GIVE(status_, (list), type, on_item, payload, err);                            \
        return status_;                                                                        \
    } while (0)
