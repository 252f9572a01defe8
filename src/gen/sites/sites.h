/*
 * Sites: where specials may stand. For each special and rotation the set of all origins is
 * known, as bits, by and-ing shifted bitmaps of ground.
 *
 * What a special asks of the ground is compiled into requirements: the cell at (x, y, z) from
 * its origin must be of a set of oters. Tiles of a fixed special ask for their locations, with
 * those of its nested specials, shifted; a mutable one for its checks; a connection's point for
 * ground that carries the connection (`existing`), else also for ground that it can start on.
 * A tile off the ground that states no locations of its own takes the level's default as well
 * (its special's locations mean the surface); with the world's `compat` so do all tiles and
 * checks off the ground. Tiles and checks must lie in the chunk without its border ring, and
 * so must connection points. A mutable one asks for what its root needs beyond its mandatory
 * sides as well (sites_compile.c).
 *
 * The map follows the chunk: between site_map_begin and site_map_end every cell that changes is
 * made known to it (generator.h, cell_set).
 */
#ifndef GEN_SITES_SITES_H
#define GEN_SITES_SITES_H

#include "gen/work/generator.h"

enum {
    SITE_WORDS = 3,
    SITE_SCORE_MAX = 255,
    SITE_BLOCK = 15, /* the level in blocks of so many cells a side, row by row */
    SITE_BLOCKS = SIZE / SITE_BLOCK
};

/* A set of cells of a level: bit x % 64 of words[y * SITE_WORDS + x / 64]. Bits beyond x = 179
 * are 0. */
typedef struct site_bits {
    uint64_t words[SIZE * SITE_WORDS];
} site_bits;

/* May a tile on level z lie on the level's default, beside its locations? own: it states some
 * itself, as checks do. */
static inline bool site_takes_default(const gen_config *config, int32_t z, bool own)
{
    return z != 0 && (!own || config->options.compat);
}

static inline bool site_has(const site_bits *bits, int32_t x, int32_t y)
{
    return bits->words[y * SITE_WORDS + x / 64] >> (x % 64) & 1;
}

static inline int32_t bits_in_word(uint64_t v)
{
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int32_t)(v * UINT64_C(0x0101010101010101) >> 56);
}

int32_t site_count(const site_bits *bits);
/* These return how many are left; out may be a or b. */
int32_t site_and(site_bits *bits, const site_bits *other);
int32_t site_meet(site_bits *out, const site_bits *a, const site_bits *b);

/* What the specials of a catalogue ask for, in gen_config; and a generator's map. */
typedef struct site_tables site_tables;
typedef struct site_map site_map;
/* config has its catalogue, options, defaults and connections. new; NULL when memory is out. */
site_tables *site_tables_new(const gen_config *config);
void site_tables_free(site_tables *t);

/* The ground that a mandatory side of a mutable special's root, north up, needs beyond it, in
 * words for all terrains; false if the side is none. */
bool site_root_ground(const gen_config *config, const cat_mutable *m, int side, uint64_t *out);

/* Looks at the chunk as it is, and follows what changes: g->watching is site_map_cell until the
 * end. */
void site_map_begin(generator *g);
void site_map_cell(generator *g, int32_t z, int32_t cell, ptl_oter before);
void site_map_end(generator *g);

/* A special's tile stands on the cell now, or will in a moment: no other may take it, whatever
 * its terrain. Between begin and end; no cell is owned outside. */
void site_own(generator *g, int32_t x, int32_t y, int32_t z);
bool site_owned(const generator *g, int32_t z, int32_t cell);
/* Returns the level's owned cells, as they are until the next one is owned; NULL: none is. */
const site_bits *site_owned_cells(const generator *g, int32_t z);
/* The same of a level where nobody asks what comes to such cells, so that site_map_cell need
 * not be told of them; NULL elsewhere. */
const site_bits *site_untold_cells(const generator *g, int32_t z);

/* Is the special rotated to `rotation` at (x, y): on its ground, its connection points as they
 * must be? The same as the sets below say. */
bool site_fits(generator *g, uint16_t special, int rotation, int32_t x, int32_t y);
/* Are its connection points as they must be, whatever the ground of its tiles is? */
bool site_links_fit(generator *g, uint16_t special, int rotation, int32_t x, int32_t y);
/* Returns how many of its connection points carry their connection there already. */
int site_score(generator *g, uint16_t special, int rotation, int32_t x, int32_t y);

/* Specials of the same figure ask for the same: all that is said here of one is true of the
 * other, scores apart. Below the number of specials. */
uint32_t site_figure(const generator *g, uint16_t special);
/* The first rotation that asks for the same as this one. */
int site_like(const generator *g, uint16_t special, int rotation);

/* All origins at which tiles and checks fit, and connection points, in any rotation (of one
 * that is not to be rotated: north up). */
typedef struct site_counts {
    int32_t ground, linked; /* at which tiles and checks fit; all */
} site_counts;
site_counts site_origins(generator *g, uint16_t special, site_bits *out);
/* Of the special that site_origins was asked for last, out being what it gave: the origins at
 * which tiles and checks fit, in any rotation. */
const site_bits *site_grounds(const generator *g, uint16_t special, const site_bits *out);
/* Does both tests for a window: bit i of rows[j] is origin (x + i, y + j); width <= 64. */
void site_window(generator *g, uint16_t special, int rotation, int32_t x, int32_t y,
                 int32_t width, int32_t height, uint64_t *rows);

/* Grows whenever a cell becomes fit for something that the special asks for. While it stays
 * the same, origins only get fewer. */
uint32_t site_gains(const generator *g, uint16_t special);
/* Watches block by block, for many specials at a time: each that is to be watched has a number
 * of its own, below the number of specials. Adds the numbers of those that may have got origins
 * in a block since the first of them was watched to a set. */
void site_watch(generator *g, uint16_t special, uint32_t number);
void site_watched(const generator *g, int32_t block, uint64_t *set, size_t words);

extern const gen_part site_map_part;

#endif
