/*
 * What the files of the static check share: sets of terrain types, and the state of the check.
 * The check reports only what is certain for every ground and every random draw; where it
 * can't be certain, it reports nothing.
 */
#pragma once

#include "content/special/special.h"
#include "content/types/terrain.h"

/* A set of terrain types: bit t % 64 of word t / 64. */
typedef uint64_t *terrain_bits;

typedef struct static_check {
    import *im;
    size_t words; /* number of 64-bit words in a set */
    /* By location_number: the terrains of a location; NULL: not computed yet. */
    terrain_bits *locations;
    /* Default terrains of the levels above ([0]) and below the ground ([1]); NULL: none. */
    terrain_bits levels[2];
    /* Ids of the types in `levels` that are the engine's defaults. */
    const char *level_names[2];
    /* Terrains that may lie below, on and above the ground before specials are placed; NULL:
     * not computed yet. */
    terrain_bits made[3];
    terrain_bits scratch[2]; /* for the use of any one function */
    size_t work; /* steps that check_growth may still take, for all specials together */
    bool has_lake, has_river; /* does some terrain type have the flag? */
    /* The number of specials that can stand only since the level's default terrain satisfies
     * any location. */
    size_t relying;
    special *first_relying;
    const special_omt *first_omt;
} static_check;

/* ---- special_check_ground.c: sets of terrain types, and the ground of specials ---- */
/* Returns an empty set; NULL when memory is out, which the import remembers. */
terrain_bits check_new_bits(static_check *c);
/* Adds the terrain type with this id to a set, if the type exists. */
void check_add_type(const static_check *c, terrain_bits to, const char *id);
void bits_add(const static_check *c, terrain_bits to, const uint64_t *from);
/* Have two sets a terrain type in common? */
bool bits_meet(const static_check *c, const uint64_t *a, const uint64_t *b);
/* Adds the terrains that satisfy any of the locations to a set. */
void check_add_list(static_check *c, const special_list *list, terrain_bits to);
/* Returns the member of the special that contains its ground checks. */
field checks_field(static_check *c, special *sp);

/* special_check_growth.c: checks joins, rules and phases of a mutable special. */
void check_growth(static_check *c, special *sp);
