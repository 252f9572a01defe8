/* What the source files of tallies share: the struct of lists, and the search for
 * neighbours. */
#pragma once

#include "analysis/measure/tally.h"
#include "core/arena.h"

#include <string.h>

/* Every struct that a tally's list points to begins with these members. */
typedef struct tally_entry {
    size_t size;
    const char *id;
} tally_entry;

/* The index of a list of the tally: finds an element of the list by its id. The list grows
 * while summaries are added, and is sorted when the tally is finished. */
typedef struct tally_list {
    strmap index; /* gives for each id its place in the list */
    size_t room;
} tally_list;

/* A place of a special in the overmap that is being added. Distances are measured to the
 * nearest such place. */
typedef struct tally_spot {
    int16_t x, y;
} tally_spot;
typedef struct tally_targets {
    tally_spot *spots; /* owned */
    size_t count, room;
    uint64_t land; /* number of land cells; 0 if the special has no place in this overmap */
    /* For each distance: how many land cells are so far from the special's nearest place. */
    uint64_t cells[SUMMARY_FAR + 1];
} tally_targets;

typedef struct ptl_tally_own {
    arena *ids;
    strmap known; /* gives for each id its index in texts */
    const char **texts;
    size_t text_count, text_room;
    tally_list specials, terrains, buildings, lines;
    tally_targets targets;
    uint64_t seed; /* seed of the sweep whose overmaps are being added */
    /* Owned: the cells among which random cells are chosen, to be compared with the places of
     * specials in the overmap that is being added. */
    uint16_t *ground;
} ptl_tally_own;

/* Returns pointer number `at` of a list of pointers. */
static inline void *tally_entry_at(const void *list, size_t at)
{
    void *entry;
    memcpy(&entry, (const unsigned char *)list + at * sizeof entry, sizeof entry);
    return entry;
}

/* Returns the tally's own copy of an id; NULL when memory is out. Equal ids share one copy. */
const char *tally_keep_id(ptl_tally_own *p, const char *id);
/* Lists the places of a special in an overmap. False when memory is out. */
bool tally_find_spots(tally_targets *g, const summary *s, const char *id);
/* Counts an overmap for each special whose Ripley's K the tally computes. PTL_ERR_LIMIT: a
 * special has too many places. */
ptl_status tally_add_ripleys(ptl_tally *t, const summary *s, ptl_error *err);
void tally_dispose_ripleys(ptl_tally *t);
