/* What the files of tallies share: its lists, and the search for neighbours. */
#pragma once

#include "analysis/measure/tally.h"
#include "core/arena.h"

#include <string.h>

/* The beginning of each entry in a list. */
typedef struct tally_entry {
    size_t size;
    const char *id;
} tally_entry;

/* One of a tally's four lists. They grow, and are sorted when the tally is finished. */
typedef struct tally_list {
    strmap index; /* from ids to places in the list */
    size_t room;
} tally_list;

/* In the present overmap: the places of the special to which neighbours are measured. */
typedef struct tally_spot {
    int16_t x, y;
} tally_spot;
typedef struct tally_targets {
    tally_spot *spots; /* owned */
    size_t count, room;
    uint64_t land;                   /* number of land cells; 0 if there are no such places */
    uint64_t cells[SUMMARY_FAR + 1]; /* land cells by distance to the nearest place */
} tally_targets;

typedef struct ptl_tally_own {
    arena *ids;
    strmap known; /* from ids to indices into texts */
    const char **texts;
    size_t text_count, text_room;
    tally_list specials, terrains, buildings, lines;
    tally_targets targets;
    uint64_t seed; /* seed of a sweep for what is added */
    uint16_t
        *ground; /* owned: cells of the present overmap from which random points are drawn */
} ptl_tally_own;

/* Returns entry `at` of a list of pointers. */
static inline void *tally_entry_at(const void *list, size_t at)
{
    void *entry;
    memcpy(&entry, (const unsigned char *)list + at * sizeof entry, sizeof entry);
    return entry;
}

/* Returns the tally's own copy of an id; NULL when memory is out. Equal ids have the same
 * copy. */
const char *tally_keep_id(ptl_tally_own *p, const char *id);
/* Lists the places of a special. False when memory is out. */
bool tally_find_spots(tally_targets *g, const summary *s, const char *id);
/* Counts an overmap for all of the tally's Ripley's K. PTL_ERR_LIMIT: a special has too
 * many places. */
ptl_status tally_add_ripleys(ptl_tally *t, const summary *s, ptl_error *err);
void tally_dispose_ripleys(ptl_tally *t);
