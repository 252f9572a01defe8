/*
 * The ranges of all numbers of a local map; nothing outside of them can be stored. The one
 * table by which the compiler of content cuts numbers, public calls check them, and the codec
 * refuses them in writing and in reading.
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
    LOCAL_NUMBER_RADIATION, /* of a tile; the numbers before it are of an entity */
    LOCAL_NUMBERS
} local_number;

enum { LOCAL_THING_NUMBERS = LOCAL_NUMBER_RADIATION };

typedef struct local_range {
    const char *name;
    int32_t least, most; /* both included */
} local_range;

const local_range *local_range_of(local_number number);
/* Is the value in the number's range? */
bool local_range_has(local_number number, int64_t value);
/* Returns the first number of an entity that is out of its range, or a far corner that lies
 * before the near one. LOCAL_NUMBERS: all are good. */
local_number local_range_fault(const int32_t numbers[LOCAL_THING_NUMBERS]);

#endif
