/* What the files of tallies share. */
#ifndef ANALYSIS_MEASURE_TALLY_IMPL_H
#define ANALYSIS_MEASURE_TALLY_IMPL_H

#include "analysis/measure/tally.h"

enum { TALLY_SIZES = 17 /* of cities: the last one holds larger ones, too */ };

/* One of the tally's four lists, which grow; they are sorted when it is finished. */
typedef struct tally_list {
    strmap index; /* id -> place */
    size_t room;
} tally_list;

typedef struct tally_private {
    arena *ids;
    strmap known; /* id -> itself, as an index into texts */
    const char **texts;
    size_t text_count, text_room;
    tally_list specials, terrains, buildings, lines;
} tally_private;

/* Grows; false when memory is out. */
bool hist_add(tally_hist *h, int64_t value, uint64_t times);
/* Adds observations of 0 until there are so many with a value. */
bool hist_fill(tally_hist *h, uint64_t total);
void hist_dispose(tally_hist *h);

#endif
