/*
 * Sites against their definition: random specials over the town catalogue's terrains, random
 * chunks, and an answer for every origin that looks at the catalogue's structs and the cells
 * alone.
 */
#ifndef TEST_SITES_H
#define TEST_SITES_H

#include "gen/sites/sites.h"

#include <check.h>

enum {
    SITE_SPECIALS = 96,
    SITE_OMTS = 80,
    SITE_LINKS = 3,
    SITE_NESTED = 3,
    SITE_CHECKS = 4,
    SITE_SETS = 120,
    SITE_SET_WORDS = 2,
    SITE_PIECES = 3 /* of a layout: the root, and two that rules place */
};

/* The memory of made-up specials. */
typedef struct site_content {
    catalogue cat;
    uint64_t sets[SITE_SETS][SITE_SET_WORDS];
    cat_special specials[SITE_SPECIALS];
    cat_omt omts[SITE_SPECIALS][SITE_OMTS];
    cat_link links[SITE_SPECIALS][SITE_LINKS];
    cat_nested nested[SITE_SPECIALS][SITE_NESTED];
    cat_check checks[SITE_SPECIALS][SITE_CHECKS];
    cat_mutable layouts[SITE_SPECIALS];
    cat_join joins[SITE_SPECIALS][2];
    cat_piece pieces[SITE_SPECIALS][SITE_PIECES];
    cat_rule rules[SITE_SPECIALS][SITE_PIECES];
    cat_rule_piece rule_pieces[SITE_SPECIALS][SITE_PIECES];
    cat_phase phases[SITE_SPECIALS];
} site_content;

typedef struct site_scene {
    site_content *content;
    gen_config *config;
    generator *g;
    ptl_chunk *chunk;
} site_scene;

/* No specials yet, over the town catalogue. Free it with free. */
site_content *site_content_new(void);
/* As many random ones as asked for. */
void site_content_random(site_content *c, rng *r, size_t count);
/* Returns a special's layout: joins into the first set, pieces on it without sides. */
cat_mutable *site_layout(site_content *c, size_t special);
/* A set of these types; the list ends with NULL. */
ptl_terrain_set site_set(site_content *c, size_t index, const char *const *types);

/* The content is stolen. The chunk has the default on every level, and nobody watches it. */
site_scene scene_new(site_content *content, bool compat);
void scene_dispose(site_scene *s);
/* Random land at z = 0 and on some other levels. */
void scene_random(site_scene *s, rng *r);
/* A terrain that may be on such a level. */
ptl_oter scene_oter(const site_scene *s, rng *r, int32_t z);
/* Changes a few cells, one after another or in a rectangle, on random levels, and gives some to
 * specials. */
void scene_change(site_scene *s, rng *r);

/* The sets of which site_origins is made, of one rotation: all origins at which OMTs and
 * checks fit; and what is left of a set where connection points do, too. */
void site_ground(generator *g, uint16_t special, int rotation, site_bits *out);
void site_links(generator *g, uint16_t special, int rotation, site_bits *bits);
void site_or(site_bits *bits, const site_bits *other);
/* Does the special ask for anything that it could stand on? False for one without OMTs. */
bool site_possible(const generator *g, uint16_t special);

/* The definition. */
bool truly_ground(const site_scene *s, uint16_t special, int rotation, int32_t x, int32_t y);
bool truly_linked(const site_scene *s, uint16_t special, int rotation, int32_t x, int32_t y);
int truly_scored(const site_scene *s, uint16_t special, int rotation, int32_t x, int32_t y);

TCase *sites_bits_case(void);
TCase *sites_edges_case(void);
TCase *sites_kernels_case(void);
TCase *sites_figures_case(void);

#endif
