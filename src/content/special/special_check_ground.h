/*
 * What the files of the static check share: sets of terrain types, and the state of the check.
 * The check reports only what is certain for every ground and every draw; where it can't tell,
 * it is silent.
 */
#pragma once

#include "content/special/special.h"
#include "content/types/terrain.h"

/* A set of terrain types: bit t % 64 of word t / 64. */
typedef uint64_t *terrain_bits;

typedef struct static_check {
    import *im;
    size_t words;               /* words of a set */
    terrain_bits *locations;    /* sets by location_number; NULL: not needed yet */
    terrain_bits levels[2];     /* default terrain above and below the ground; NULL: none */
    const char *level_names[2]; /* the type ids of these */
    /* What may be below, on and above the ground before specials are placed; NULL: not
     * needed yet. */
    terrain_bits made[3];
    terrain_bits scratch[2];  /* for whatever function runs */
    size_t work;              /* work that check_growth may still do, for all specials */
    bool has_lake, has_river; /* some terrain type has the flag */
    /* The number of specials that only the level's default terrain lets stand. */
    size_t relying;
    special *first_relying;
    const special_omt *first_omt;
} static_check;

/* special_check_ground.c: sets, and the ground of specials. */
/* Returns an empty set; NULL when memory is out, which the import remembers. */
terrain_bits check_new_bits(static_check *c);
/* Adds the type with this id, if there is one. */
void check_add_type(const static_check *c, terrain_bits to, const char *id);
void bits_add(const static_check *c, terrain_bits to, const uint64_t *from);
/* Have two sets a terrain type in common? */
bool bits_meet(const static_check *c, const uint64_t *a, const uint64_t *b);
/* Adds the terrains that satisfy any of the locations. */
void check_add_list(static_check *c, const special_list *list, terrain_bits to);
/* Returns the member that the special's checks stand in. */
field checks_field(static_check *c, special *sp);

/* special_check_growth.c: checks joins, rules and phases of a mutable special. */
void check_growth(static_check *c, special *sp);
