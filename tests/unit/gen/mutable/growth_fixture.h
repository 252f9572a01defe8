/*
 * Mutable specials in a few lines. Joins have names of one letter; the six sides of a piece (N,
 * E, S, W, above, below) are a text with a word for each: "-" no join; "t" mandatory; "t?"
 * optional; "t+" available; "t!" reject; "t/uv" mandatory with the alternatives u and v.
 */
#ifndef GROWTH_FIXTURE_H
#define GROWTH_FIXTURE_H

#include "gen/mutable/growth_impl.h"
#include "support/growth_check.h"

enum {
    PLOT_JOINS = 8,
    PLOT_PIECES = 16,
    PLOT_PHASES = 6,
    PLOT_RULES = 12,
    PLOT_SIDES = PLOT_PIECES * 6
};

/* Sets of terrains, and what pieces are made of. */
enum { ON_LAND = 0, ON_ROCK, ON_ANYTHING, ON_NOTHING, PLOT_SETS };

typedef struct plot {
    catalogue cat;
    cat_terrain terrains[64];
    cat_oter oters[128];
    uint64_t sets[PLOT_SETS];
    cat_special special;
    cat_mutable layout;
    cat_join joins[PLOT_JOINS];
    cat_piece pieces[PLOT_PIECES];
    cat_phase phases[PLOT_PHASES];
    cat_rule rules[PLOT_PHASES][PLOT_RULES];
    cat_rule_piece rule_pieces[PLOT_PHASES][PLOT_RULES][PLOT_PIECES];
    uint16_t alternatives[PLOT_SIDES][PLOT_JOINS];
    ptl_amount shared[4];
    cat_check check;
    size_t alternative_count;
    char names[PLOT_JOINS][2];
    ptl_world_options options;
    gen_config *config;
    generator *g;
    ptl_chunk *chunk;
} plot;

/* A plot without joins and pieces; z = 0 is field, below it rock, above it air. */
plot *plot_new(uint64_t seed);
void plot_free(plot *p);
/* Its joins by letter, each its own opposite and into `set`. */
void plot_joins(plot *p, const char *letters, int set);
void plot_opposites(plot *p, char one, char other);
/* The first piece is the root. Made of terrain "tunnel" turned. */
int plot_piece(plot *p, int set, const char *sides);
/* A rule with one piece in the phase; max -1: unlimited; weight -1: none. */
cat_rule *plot_rule(plot *p, int phase, int piece, int32_t max, int32_t weight);
/* One more piece for it. */
void plot_chunk_piece(plot *p, cat_rule *rule, int piece, int x, int y, int z, int rotation);
/* Compiles it and makes the chunk; before the first growth. */
void plot_open(plot *p);
/* The same anew: pieces and rules may have changed. */
void plot_reopen(plot *p);

/* A growth in the middle, or anywhere. */
growth_result plot_grow(plot *p, int draw, grown *out);
growth_result plot_grow_at(plot *p, int x, int y, int z, int rotation, int draw, grown *out);
/* Number of the piece at an offset from the middle; -1 if none. */
int plot_at(const grown *what, int x, int y, int z);
int plot_rotation_at(const grown *what, int x, int y, int z);
/* Of how many draws, from 0 on, the growth gets done; *bad counts what growth_check finds. */
int plot_many(plot *p, int draws, int *bad);

#endif
