/*
 * Specials for the tests of placing: made by hand, over the town catalogue's terrains, on a
 * board of connect_fixture.h.
 */
#ifndef PLACE_FIXTURE_H
#define PLACE_FIXTURE_H

#include "gen/specials/place.h"
#include "unit/gen/connect/connect_fixture.h"

enum { STAGE_SPECIALS = 40, STAGE_OMTS = 12, STAGE_LINKS = 6 };

/* An OMT as a writer of content gives it. location NULL: the special's, "field". */
typedef struct stage_omt {
    int x, y, z;
    const char *oter, *location;
} stage_omt;

/* The town's specials and those that a test adds before stage_open. Not to be moved. */
typedef struct stage {
    board b;
    catalogue cat;
    cat_region regions[8];
    cat_special specials[STAGE_SPECIALS];
    cat_omt omts[STAGE_SPECIALS][STAGE_OMTS];
    cat_link links[STAGE_SPECIALS][STAGE_LINKS];
    size_t links_used[STAGE_SPECIALS];
    ptl_oter *before[PTL_LEVELS]; /* of stage_keep */
} stage;

stage *stage_new(void); /* without a board yet */
void stage_open(stage *s, uint64_t seed);
/* Another board with the same specials. */
void stage_reopen(stage *s, uint64_t seed);
void stage_free(stage *s);

/* An oter turned by a rotation, as a special's OMT is. */
ptl_oter stage_turned(const stage *s, const char *id, int rotation);
ptl_terrain_set stage_location(const stage *s, const char *id);
/* Each returns the special's index. */
uint16_t stage_add(stage *s, const char *id, const stage_omt *omts, size_t count);
uint16_t stage_house(stage *s, const char *id); /* one house on a field */
/* direction CONNECT_ANY: not stated. */
cat_link *stage_link(stage *s, uint16_t special, int x, int y, int z, int direction,
                     const char *connection);

place_order stage_order(uint16_t special, int x, int y, int rotation);
bool stage_place(stage *s, uint16_t special, int x, int y, int rotation);

/* Remembers the OMTs; how many have changed since. */
void stage_keep(stage *s);
int stage_changed(const stage *s);
/* Of that kind; *last is the last of them. */
int stage_events(const stage *s, const char *kind, const gen_event **last);
/* Arms that nothing answers, by the check of `verify --seams`; prints the first ones. */
int stage_dead_ends(const stage *s);

#endif
