/*
 * What each number of a local map may be, and nothing else can be stored: the one table by
 * which content's numbers are cut when they are compiled, callers' numbers are judged, and the
 * codec refuses what it writes and what it reads.
 */
#ifndef MODEL_LOCAL_RANGES_H
#define MODEL_LOCAL_RANGES_H

#include "model/local_map.h"

typedef enum local_number {
    LOCAL_NUMBER_X,
    LOCAL_NUMBER_Y,
    LOCAL_NUMBER_X2,
    LOCAL_NUMBER_Y2,
    LOCAL_NUMBER_COUNT,
    LOCAL_NUMBER_CHARGES,
    LOCAL_NUMBER_STATUS,
    LOCAL_NUMBER_RADIATION, /* of a tile; those before it are of a thing */
    LOCAL_NUMBERS
} local_number;

enum { LOCAL_THING_NUMBERS = LOCAL_NUMBER_RADIATION };

typedef struct local_range {
    const char *name;
    int32_t least, most; /* both included */
} local_range;

const local_range *local_range_of(local_number number);
bool local_range_has(local_number number, int64_t value);
/* Returns the first number of a thing that is outside of its range, which is also a far corner
 * before the near one; LOCAL_NUMBERS: all are good. */
local_number local_range_fault(const int32_t numbers[LOCAL_THING_NUMBERS]);

#endif
