/* A list of rows for public calls (portolan/lists.h). Such a call first reads all rows, in one
 * transaction, so that all of them are from one moment. Only then it passes them to the
 * caller's function, which may use the store. */
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
/* Sorts the items with qsort. qsort does not keep the order of items for which `compare`
 * returns 0. So if their order matters, `compare` must not return 0 for them. */
void listing_sort(listing *l, int (*compare)(const void *a, const void *b));
/* Returns item i, which the caller may change in place; i must be below count. */
void *listing_at(const listing *l, size_t i);

/* Calls `read` in one transaction, so that all that it reads from the store's file is from one
 * moment. */
ptl_status listing_snapshot(ptl_store *store, listing_read *read, void *payload,
                            ptl_error *err);
/* A macro for the initial value of a list. `type` is the type of its items, `reader` the
 * function that reads them (listing_read), `order` the function by which they are sorted, or
 * NULL. */
#define LISTING(type, reader, order)                                                           \
    {                                                                                          \
        .item_size = sizeof(type), .read = (reader), .compare = (order)                        \
    }
/* Begins a list, fills it and sorts it. The function l->read fills it, with `from` as its
 * payload, within one transaction. As this is the first step of a public call, it also clears
 * *err. */
ptl_status listing_fill(listing *l, ptl_store *store, void *from, ptl_error *err);

/* A macro that passes all items of the list to the caller's function on_item, as pointers to
 * `type`, and then frees the list. If `status` is already an error, no item is passed. If
 * on_item returns false, no further item is passed, and `status` becomes PTL_ERR_CANCELLED. */
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
