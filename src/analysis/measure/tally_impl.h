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

typedef struct ptl_tally_own {
    arena *ids;
    strmap known; /* id -> itself, as an index into texts */
    const char **texts;
    size_t text_count, text_room;
    tally_list specials, terrains, buildings, lines;
} ptl_tally_own;

/* Of a list of pointers to entries. */
static inline void *tally_entry_at(const void *list, size_t at)
{
    void *entry;
    memcpy(&entry, (const unsigned char *)list + at * sizeof entry, sizeof entry);
    return entry;
}

/* Grows; false when memory is out. */
bool hist_add(ptl_hist *h, int64_t value, uint64_t times);
/* Adds observations of 0 until there are so many with a value. */
bool hist_fill(ptl_hist *h, uint64_t total);

#endif
