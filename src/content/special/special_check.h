/*
 * What the files of the static check share: sets of terrain types, and the check's own state.
 * The check only says what is certain for every ground and every draw. Where it can't tell, it
 * is silent.
 */
#ifndef CONTENT_SPECIAL_SPECIAL_CHECK_H
#define CONTENT_SPECIAL_SPECIAL_CHECK_H

#include "content/special/special.h"
#include "content/types/terrain.h"

/* A set of terrain types: bit t % 64 of word t / 64. */
typedef uint64_t *terrain_bits;

typedef struct static_check {
    import *im;
    size_t words;               /* of a set */
    terrain_bits *locations;    /* by location_number; NULL: not needed so far */
    terrain_bits levels[2];     /* the default above and below the ground; NULL: none */
    const char *level_names[2]; /* their types */
    terrain_bits made[3];       /* what may lie below, on and above the ground before specials
                                 * stand; NULL: not needed so far */
    terrain_bits scratch[2];    /* of whoever runs */
    size_t work;                /* that check_growth may still do, in all */
    bool has_lake, has_river;   /* some terrain has the flag */
    size_t relying;             /* specials that the level's default lets stand */
    special *first_relying;
    const special_tile *first_tile;
} static_check;

/* special_check_ground.c: */
/* Makes an empty set; NULL when memory is out, which is remembered. */
terrain_bits check_new_bits(static_check *c);
bool check_prepare(static_check *c, import *im);
void check_add_type(const static_check *c, terrain_bits to, const char *id);
void bits_add(const static_check *c, terrain_bits to, const uint64_t *from);
bool bits_meet(const static_check *c, const uint64_t *a, const uint64_t *b);
/* Adds what satisfies any of the locations. */
void check_add_list(static_check *c, const special_list *list, terrain_bits to);
/* A fixed special's tiles with those of what is nested in it, and the points of its
 * connections: levels, size, and that no cell is to be two things at once. */
void check_fixed_ground(static_check *c, special *sp);
/* The boxes that a mutable one looks at. */
void check_mutable_ground(static_check *c, special *sp);

/* special_check_growth.c checks joins, rules and phases of a mutable special. */
void check_growth(static_check *c, special *sp);

#endif
