/* Rows that a public call reads first, all of one moment, and gives out then
 * (portolan/lists.h). */
#ifndef WORLD_LISTING_H
#define WORLD_LISTING_H

#include "core/arena.h"
#include "core/error.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct listing {
    size_t item_size;
    unsigned char *items; /* owned */
    size_t count, room;
    arena *texts;     /* owned */
    const char *last; /* the text that was kept last */
} listing;

/* Of items of one type; listing_end in any case. */
ptl_status listing_begin(listing *l, size_t item_size, ptl_error *err);
void listing_end(listing *l);
/* The text becomes the listing's own. */
ptl_status listing_keep(listing *l, const char **text, ptl_error *err);
/* Copies the item. */
ptl_status listing_add(listing *l, const void *item, ptl_error *err);
/* The same once its texts, whose addresses end with NULL, are the listing's own; one that is
 * NULL stays so. */
ptl_status listing_put(listing *l, const void *item, const char **const *texts, ptl_error *err);
void listing_sort(listing *l, int (*compare)(const void *a, const void *b));
void *listing_at(const listing *l, size_t i);

/* Reads what a list is made of, by listing_put and listing_add. */
typedef ptl_status listing_read(void *payload, ptl_error *err);
/* Runs the reading in a snapshot of the store. */
ptl_status listing_snapshot(ptl_store *store, listing_read *read, void *payload,
                            ptl_error *err);
/* Begins a list, reads it in a snapshot and sorts it, for a public call, whose beginning this
 * is; compare NULL: it stays as it was read. */
ptl_status listing_fill(listing *l, size_t item_size, ptl_store *store, listing_read *read,
                        void *payload, int (*compare)(const void *a, const void *b),
                        ptl_error *err);

/* Gives all items, unless status is an error already, and ends the list. */
#define LISTING_GIVE(status, list, type, on_item, payload, err)                                \
    do {                                                                                       \
        for (size_t at_ = 0; (status) == PTL_OK && at_ < (list)->count; at_++)                 \
            if (!(on_item)((payload), (const type *)listing_at((list), at_)))                  \
                (status) = error_set((err), PTL_ERR_CANCELLED, "stopped by the caller");       \
        listing_end(list);                                                                     \
    } while (0)

#endif
