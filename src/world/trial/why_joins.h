/* Which join stands in a mutable special's way, and on which ground: heard of its growths, or
 * looked up where no origin has what its root needs. */
#ifndef WORLD_TRIAL_WHY_JOINS_H
#define WORLD_TRIAL_WHY_JOINS_H

#include "gen/work/generator.h"
#include "portolan/why.h"

enum { WHY_JOINS = 32 };

/* Growths that left a join open so far from the root's level; the ground is the last one's. */
typedef struct why_join {
    uint16_t join;
    int32_t x, y, z; /* from the root, of the first */
    int32_t undone;
    ptl_oter ground; /* CAT_NONE: beyond the border, or of a special that stands */
} why_join;

typedef struct why_joins {
    const generator *g;
    int32_t x, y, z; /* of the root of the growth in work */
    why_join list[WHY_JOINS];
    size_t count; /* what finds no room is not told of */
} why_joins;

void why_joins_hear(why_joins *j, const gen_growth_step *step);
/* Fills the members that say which join the most growths left open. */
void why_joins_tell(const why_joins *j, const cat_mutable *m, ptl_why *out);
/* Those that say where the root's join can't lead: on a level that is mostly of this oter. */
void why_joins_root(const generator *g, const cat_mutable *m, int side, ptl_oter ground,
                    ptl_why *out);

#endif
