/* What the tests of the rules share: a catalogue with specials of the test's own, and bare
 * chunks to place them in: field everywhere, unless the test writes something else. */
#ifndef RULES_SCENE_H
#define RULES_SCENE_H

#include "gen/specials/rules_impl.h"
#include "support/land_catalogue.h"

#include <check.h>

enum { SCENE_SPECIALS = 256, SCENE_OMTS = 4096 };

typedef struct rules_scene {
    catalogue cat;
    cat_region region;
    cat_special specials[SCENE_SPECIALS];
    cat_omt omts[SCENE_OMTS];
    size_t omt_count;
    uint16_t first;      /* of the test's own specials */
    cat_join joins[4];   /* of the mutable one, as what follows */
    cat_piece pieces[3]; /* root, stalk, leaf: a straight line in any direction */
    cat_rule_piece rule_pieces[2];
    cat_rule rules[2];
    cat_phase phase;
    cat_check check;
    cat_mutable layout;
    ptl_world_options options;
    gen_config *config;
    generator *gen;
    ptl_chunk *chunk;
} rules_scene;

/* The town catalogue without its trailheads; no planned cities. Then scene_special as often as
 * you like, scene_open. */
void scene_setup(rules_scene *s, uint64_t seed, ptl_placement rule);
/* width x height OMTs of "park" on the ground, on "field"; id must live on. Change it as you
 * like before scene_open. */
cat_special *scene_special(rules_scene *s, const char *id, int32_t width, int32_t height,
                           int32_t min, int32_t max);
/* Cells of "park" that grow on field: root, stalk and leaf in a line. */
cat_special *scene_vine(rules_scene *s, const char *id, int32_t min, int32_t max);
/* The same with a leaf that takes a wood alone. It never grows: there is none, or, after
 * scene_far_wood, one in the border's ring. */
cat_special *scene_mutable(rules_scene *s, const char *id, int32_t min, int32_t max);
void scene_far_wood(rules_scene *s);
void scene_open(rules_scene *s);
void scene_close(rules_scene *s);

/* A bare chunk, without features. */
void scene_chunk(rules_scene *s, int32_t x, int32_t y);
/* All cells of the rectangle (both ends included) become the type's first oter. */
void scene_fill(rules_scene *s, const char *type, int32_t x0, int32_t y0, int32_t x1,
                int32_t y1);
void scene_city(rules_scene *s, int32_t x, int32_t y, int32_t size);
/* step_specials. */
void scene_run(rules_scene *s);

ptl_terrain_set scene_location(const rules_scene *s, const char *id);
/* How many of the special were placed in the last run. */
int32_t scene_placed(const rules_scene *s, const cat_special *special);
/* What became of it in the last run; NULL if it was not asked for. */
const gen_attempt *scene_attempt(const rules_scene *s, const cat_special *special);
size_t scene_events(const rules_scene *s, const char *kind);

TCase *rules_quota_case(void);
TCase *rules_sectors_case(void);
TCase *rules_unique_case(void);
TCase *rules_moves_case(void);
TCase *rules_equal_case(void);
TCase *rules_search_case(void);

#endif
