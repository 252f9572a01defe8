/* Finds the join that stands in a mutable special's way, and the ground on which it does. It
 * is heard from the special's growths, or looked up where no origin has what the root
 * needs. */
#ifndef WORLD_TRIAL_WHY_JOINS_H
#define WORLD_TRIAL_WHY_JOINS_H

#include "gen/work/generator.h"
#include "portolan/why.h"

enum { WHY_JOINS = 32 };

/* Counts the growths that left one join open on one level, relative to the root's. The place
 * is that of the first such growth, the ground that of the last. */
typedef struct why_join {
    uint16_t join;
    int32_t x, y, z; /* from the root, of the first growth */
    int32_t undone;
    /* CAT_NONE: beyond the chunk's border, or on a special that stands there. */
    ptl_oter ground;
} why_join;

typedef struct why_joins {
    const generator *g;
    int32_t x, y, z; /* the root of the growth that is going on */
    why_join list[WHY_JOINS];
    size_t count; /* at most WHY_JOINS: further joins are not told */
} why_joins;

/* Takes note of one step of a growth. Of growths that were undone it counts the open join. */
void why_joins_hear(why_joins *j, const gen_growth_step *step);
/* Fills the members of *out that name the join which most growths left open. Without any such
 * growth they stay as they are. */
void why_joins_tell(const why_joins *j, const cat_mutable *m, ptl_why *out);
/* Fills the members of *out that tell on which side the root's join can't lead on, as most of
 * that level is `ground`. */
void why_joins_root(const generator *g, const cat_mutable *m, int side, ptl_oter ground,
                    ptl_why *out);

#endif
