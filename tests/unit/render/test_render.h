/* A world in memory that stands in for src/world: what test_render draws. */
#ifndef TEST_RENDER_H
#define TEST_RENDER_H

#include "world/world.h"

#include <check.h>

/* Oters of the fake catalogue. */
enum { FAKE_FIELD, FAKE_FOREST, FAKE_ROAD_NS, FAKE_ROAD_END, FAKE_INVERSE, FAKE_COUNT };

extern const catalogue fake_catalogue;

/* Chunks whose x + y is even are saved; this is the oter of a cell of theirs. */
ptl_oter fake_oter(int64_t x, int64_t y, int32_t z);

/* A world handle: render only passes it on. fail makes ptl_level_load report damage. */
ptl_world *fake_world(bool fail);

/* What ptl_world_name says. */
extern const char *fake_name;

/* The turns at which readers of local maps were told to show the tide. */
extern int64_t fake_turns[16];
extern size_t fake_turn_count;

/* What is on a tile of local maps; x, y count tiles. */
typedef struct fake_tile {
    bool wall, door; /* else floor; walls and doors are of one group */
    bool chair, trap, item, person, blood;
} fake_tile;

fake_tile fake_tile_at(int64_t x, int64_t y, int32_t z);
/* Are its OMT and those around saved? */
bool fake_has_map(int64_t x, int64_t y, int32_t z);

Suite *text_suite(void);
Suite *letter_suite(void);
Suite *layout_suite(void);
Suite *caption_suite(void);
Suite *picture_suite(void);
Suite *local_suite(void);
Suite *paper_suite(void);

#endif
