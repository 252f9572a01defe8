/*
 * Limits of the numbers that content gives to things on a map. The import reports others, and
 * whoever reads them takes the nearest allowed one. All fit into a local map
 * (model/local_map.h).
 */
#ifndef MAPGEN_COMPILE_COMPILE_VALUE_H
#define MAPGEN_COMPILE_COMPILE_VALUE_H

#include <stdint.h>

typedef enum mapgen_number {
    MAPGEN_NUMBER_AGE,    /* of a field or corpse, in turns */
    MAPGEN_NUMBER_FUEL,   /* of a vehicle, in percent; -1: nearly none */
    MAPGEN_NUMBER_STATUS, /* of a vehicle; -1: lightly damaged, 0: undamaged, 1: heavily damaged
                           */
    MAPGEN_NUMBER_SECURITY, /* of a computer */
    MAPGEN_NUMBER_AMMO,     /* in percent */
    MAPGEN_NUMBER_MAGAZINE, /* in percent */
    MAPGEN_NUMBER_RADIATION,
    MAPGEN_NUMBER_DENSITY, /* of monsters, in hundred thousandths */
    MAPGEN_NUMBERS
} mapgen_number;

typedef struct mapgen_number_rule {
    const char *name;
    int32_t least, most; /* both allowed */
} mapgen_number_rule;

/* Returns the limits of a number. */
const mapgen_number_rule *mapgen_number_of(mapgen_number number);
/* Returns the value, or the nearest allowed one. */
int32_t mapgen_number_cut(mapgen_number number, int64_t value);

#endif
