/* What the files of tallies share. */
#ifndef ANALYSIS_MEASURE_TALLY_IMPL_H
#define ANALYSIS_MEASURE_TALLY_IMPL_H

#include "analysis/measure/tally.h"
#include "core/arena.h"

#include <string.h>

/* What each entry of a list begins with. */
typedef struct tally_entry {
    size_t size;
    const char *id;
} tally_entry;

/* One of the tally's four lists, which grow; they are sorted when it is finished. */
typedef struct tally_list {
    strmap index; /* id -> place */
    size_t room;
} tally_list;

/* Places of the special that neighbours are sought among, in the overmap that is added. */
typedef struct tally_spot {
    int16_t x, y;
} tally_spot;
typedef struct tally_targets {
    tally_spot *spots; /* owned */
    size_t count, room;
    uint64_t land;                   /* cells of land, if there are any such places */
    uint64_t cells[SUMMARY_FAR + 1]; /* of them, by the distance to the nearest place */
} tally_targets;

typedef struct ptl_tally_own {
    arena *ids;
    strmap known; /* id -> itself, as an index into texts */
    const char **texts;
    size_t text_count, text_room;
    tally_list specials, terrains, buildings, lines;
    tally_targets targets;
    uint64_t seed;    /* of a sweep: what is added is of it */
    uint16_t *ground; /* owned: cells that random points may lie on, in the overmap at hand */
} ptl_tally_own;

/* Of a list of pointers to entries. */
static inline void *tally_entry_at(const void *list, size_t at)
{
    void *entry;
    memcpy(&entry, (const unsigned char *)list + at * sizeof entry, sizeof entry);
    return entry;
}

/* Returns the tally's own copy of an id, or NULL when memory is out. Equal ids have one
 * copy. */
const char *tally_keep_id(ptl_tally_own *p, const char *id);
/* Lists a special's places. False when memory is out. */
bool tally_find_spots(tally_targets *g, const summary *s, const char *id);
/* Counts an overmap for all pairs that the tally has; false when memory is out. */
bool tally_add_neighbours(ptl_tally *t, const summary *s);
/* The same for all of Ripley's K. PTL_ERR_LIMIT: a special has too many places. */
ptl_status tally_add_ripleys(ptl_tally *t, const summary *s, ptl_error *err);
void tally_dispose_pairs(ptl_tally *t);
void tally_dispose_ripleys(ptl_tally *t);

/* Grows; false when memory is out. */
bool hist_add(ptl_hist *h, int64_t value, uint64_t times);

#endif
