/*
 * Sites: where specials may stand. For each special and rotation the set of all origins is
 * computed as bits, by and-ing shifted bitmaps of ground.
 *
 * What a special asks of the ground is compiled into requirements: the cell at (x, y, z) from
 * its origin must have one of a set of oters. Each OMT of a fixed special requires one of its
 * locations, and so does each OMT of the specials nested in it, shifted. A mutable special
 * requires its checks, which are boxes of cells that must have certain terrains, and what its
 * root needs beyond its mandatory sides (sites_compile.c). At a connection point, the ground
 * must carry the connection already or, unless the content asks for an existing connection, the
 * connection must be able to start on it.
 *
 * An OMT off the ground that states no locations of its own also accepts the level's default,
 * since its special's locations mean the surface; with the world's `compat` all OMTs and checks
 * off the ground do so. OMTs, checks and connection points must lie in the chunk without its
 * border ring.
 *
 * The map follows the chunk: between site_map_begin and site_map_end it must be told of every
 * cell that changes (generator.h, cell_set).
 */
#pragma once

#include "gen/work/generator.h"

enum {
    SITE_WORDS = 3,
    SITE_SCORE_MAX = 255,
    SITE_BLOCK = 15, /* side of a block, in cells; blocks of a level are numbered row by row */
    SITE_BLOCKS = SIZE / SITE_BLOCK
};

/* A set of cells of a level: bit x % 64 of words[y * SITE_WORDS + x / 64]. Bits beyond x = 179
 * are 0. */
typedef struct site_bits {
    uint64_t words[SIZE * SITE_WORDS];
} site_bits;

/* May an OMT of a special on level z stand on the level's default oter, even if no location
 * that applies to the OMT has that terrain? `own` tells whether the content states locations
 * for this very OMT, and not only for its special. For a cell that a special only checks, `own`
 * is always true. */
static inline bool site_takes_default(const gen_config *config, int32_t z, bool own)
{
    return z != 0 && (!own || config->options.compat);
}

static inline bool site_has(const site_bits *bits, int32_t x, int32_t y)
{
    return bits->words[y * SITE_WORDS + x / 64] >> (x % 64) & 1;
}

/* Counts the set bits of a word. */
static inline int32_t bits_in_word(uint64_t v)
{
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int32_t)(v * UINT64_C(0x0101010101010101) >> 56);
}

int32_t site_count(const site_bits *bits);
/* Both functions compute the cells that are in both sets and return their number. site_and
 * stores them in `bits`, site_meet in `out`, which may be a or b. */
int32_t site_and(site_bits *bits, const site_bits *other);
int32_t site_meet(site_bits *out, const site_bits *a, const site_bits *b);

/* site_tables has the compiled requirements of a catalogue's specials; it belongs to the
 * gen_config. site_map tells which cells of a generator's chunk meet them. */
typedef struct site_tables site_tables;
typedef struct site_map site_map;
/* Compiles the tables into config->memory. config must have its catalogue, options, defaults
 * and connections. NULL when memory is out. */
site_tables *site_tables_new(const gen_config *config);

/* Fills `out`, a set with a bit for each terrain, with the terrains that are allowed beyond a
 * mandatory side of a mutable special's root, in the rotation 0. False if the side is not
 * mandatory. */
bool site_root_ground(const gen_config *config, const cat_mutable *m, int side, uint64_t *out);

/* Starts the map on the chunk as it is. From now on g->watching is site_map_cell, which
 * follows changes, until site_map_end. */
void site_map_begin(generator *g);
void site_map_cell(generator *g, int32_t z, int32_t cell, ptl_oter before);
/* Ends the site map's watching of cells. */
void site_map_end(generator *g);

/* Marks the cell as owned: a special's OMT stands there now or will in a moment, so that no
 * other special may take the cell, whatever its terrain. Only valid between site_map_begin and
 * site_map_end; at other times no cell is owned. */
void site_own(generator *g, int32_t x, int32_t y, int32_t z);
bool site_owned(const generator *g, int32_t z, int32_t cell);
/* Returns the level's owned cells (cells on which specials stand); NULL if there are none. The
 * set is valid until the next cell is owned. */
const site_bits *site_owned_cells(const generator *g, int32_t z);
/* Returns the level's owned cells (cells on which specials stand) if the caller need not report
 * changes of these cells by site_map_cell, since no answer of the site map depends on their
 * oters. Returns NULL if the caller must report them. */
const site_bits *site_untold_cells(const generator *g, int32_t z);

/* Can the special stand at (x, y) with this rotation: are its ground and its connection points
 * as required? Agrees with the sets that the functions below find. */
bool site_fits(generator *g, uint16_t special, int rotation, int32_t x, int32_t y);
/* Are the special's connection points as required, whatever ground its OMTs are on? */
bool site_links_fit(generator *g, uint16_t special, int rotation, int32_t x, int32_t y);
/* Returns at how many of the special's connection points the map already has an OMT of the
 * point's connection. */
int site_score(generator *g, uint16_t special, int rotation, int32_t x, int32_t y);

/* Returns the special's figure, a number below the number of specials. Specials with the
 * same figure have the same requirements: all functions here give the same for them, except
 * site_score. */
uint32_t site_figure(const generator *g, uint16_t special);
/* Returns the lowest rotation in which the special has the same requirements as in this one. */
int site_like(const generator *g, uint16_t special, int rotation);

/* Sets `out` to all origins at which the special fits in any rotation: its OMTs, its checks
 * (boxes of cells that must have certain terrains) and its connection points. A special that
 * must not be rotated is tried in rotation 0 only. */
typedef struct site_counts {
    /* `ground`: at how many origins the special's OMTs fit, and the boxes of cells that it
     * checks have the right terrain. `linked`: at how many of these origins its connection
     * points fit, too.
     */
    int32_t ground, linked;
} site_counts;
site_counts site_origins(generator *g, uint16_t special, site_bits *out);
/* Returns the origins at which the special's OMTs fit in any rotation, whether or not its
 * connection points fit. site_origins must have been called last for this special, and `out`
 * must be the set of origins that it filled. */
const site_bits *site_grounds(const generator *g, uint16_t special, const site_bits *out);
/* Tests at which of width x height origins the special fits in this rotation, with its
 * connection points: bit i of rows[j] is the origin (x + i, y + j). width is at most 64. */
void site_window(generator *g, uint16_t special, int rotation, int32_t x, int32_t y,
                 int32_t width, int32_t height, uint64_t *rows);

/* What keeps a special from standing at an origin: the first of the cells that are not as it
 * needs them. */
typedef struct site_fault {
    int32_t wrong, cells; /* how many of the cells that it needs are wrong; how many it needs */
    int32_t x, y, z;      /* the first wrong cell, in the chunk */
    bool outside;         /* that cell lies outside of the chunk, or in its border ring */
    bool taken;           /* another special stands on that cell */
    ptl_oter oter;        /* what stands there; CAT_NONE: it lies outside */
    uint32_t layer;       /* number of the set of oters that may stand there */
} site_fault;
/* Looks for cells that are wrong for the special at (x, y) in a rotation: those of its OMTs and
 * checks, or (`links`) those of its connection points. False: there are none. */
bool site_fault_find(site_fault *out, const generator *g, uint16_t special, int rotation,
                     int32_t x, int32_t y, bool links);
/* Returns whether the oter may stand on the cell that the fault describes. */
bool site_fault_allows(const generator *g, const site_fault *fault, ptl_oter oter);

/* Returns a counter that grows whenever a cell becomes fit for a requirement of the special.
 * While the counter stays the same, origins can only become fewer. */
uint32_t site_gains(const generator *g, uint16_t special);
/* site_watch begins to watch a special, to which the caller gives a number of its own, below
 * the number of specials. From then on it is noted in which blocks of cells a cell becomes fit
 * for a requirement of a watched special (see site_gains). site_watched adds to `set` the
 * numbers of the specials that may have got new origins in the block since the first special
 * was watched. */
void site_watch(generator *g, uint16_t special, uint32_t number);
void site_watched(const generator *g, int32_t block, uint64_t *set, size_t words);

extern const gen_part site_map_part;
