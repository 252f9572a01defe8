/*
 * Growth of a mutable special (generation.md 9), piece by piece on the chunk in work. It is
 * all or nothing: if a mandatory join is still open at the end, every piece is taken back.
 *
 * Pieces keep a clearance of 1 from the border. Each growth draws from a stream of its own,
 * keyed by seed, chunk, special, origin, rotation and the number of the draw, so that it can
 * be repeated.
 */
#pragma once

#include "gen/work/generator.h"

enum {
    GROWTH_PIECES_MAX = 8192, /* of one special */
    GROWTH_DRAWS = 32         /* draws at one origin before it is given up */
};

typedef struct growth_site {
    uint16_t special; /* index of a mutable special */
    int16_t x, y;     /* cell of the root; its level is 0 plus this z */
    int8_t z;
    uint8_t rotation;
    int16_t draw; /* number of the draw, from 0 */
} growth_site;

typedef enum growth_result {
    GROWTH_DONE,
    GROWTH_OPEN,    /* a mandatory join can't be closed; everything was taken back */
    GROWTH_BLOCKED, /* the root is out of bounds (sites.h decides about its ground); in a
                     * trial: no region has the ground that the special checks for */
    GROWTH_LIMIT,   /* more than GROWTH_PIECES_MAX pieces; everything was taken back */
    GROWTH_COSTLY   /* more work than allowed; everything was taken back */
} growth_result;

/*
 * Bounds of work, so that no content keeps a chunk busy for minutes. The unit is one try of
 * one piece of a rule at one place, about 20 ns, or anything that takes as long. Counts are
 * used instead of time, so that a chunk comes out the same on every machine. All growths of a
 * chunk with the content of DDA 0.F or BN take less than a ten-thousandth of the bound.
 */
#define GROWTH_WORK_SPECIAL (UINT64_C(1) << 29) /* all growths of a special in a chunk */
#define GROWTH_WORK_CHUNK   (UINT64_C(1) << 30) /* all growths of a chunk, or of a trial */
/* Bound of the work of a special's undone growths in a chunk. Each of them adds
 * GROWTH_WORK_BEGUN to its own work. It is enough to try all cells of a level once, if little
 * grows before one fails. */
#define GROWTH_WORK_UNDONE (UINT64_C(1) << 20)
enum { GROWTH_WORK_BEGUN = 16 };

/* The result of a growth, borrowed until the next growth. Its placement numbers are 0. Pieces
 * may lie on each other where content allows it; the last one on a cell is what stands there.
 * Joins come in pairs: two sides that face each other. */
typedef struct grown {
    const gen_piece *pieces;
    const gen_join *joins;
    size_t piece_count, join_count;
    int16_t open_x, open_y; /* GROWTH_OPEN: the cell that nothing could fill */
    int8_t open_z;
    uint16_t open_join; /* GROWTH_OPEN: the join that it would have needed */
} grown;

typedef struct growth growth;

/* Grows the special once. Sets g->failed when memory is out. The watcher of cells
 * (g->watching) is told of the pieces by growth_tell only, for three reasons: nobody asks
 * during the growth where specials may stand; the growth may fail; and owned cells need less
 * telling. */
growth_result growth_grow(generator *g, const growth_site *site, grown *out);
void growth_tell(generator *g);
/* Call it instead of growth_tell to undo the growth: all cells are what they were before, and
 * nobody is told. */
void growth_take_back(generator *g);
/* Has the special been too costly in this chunk, or was too much of it undone? Then it must
 * not be grown again. */
bool growth_is_hopeless(const growth *w, uint16_t special);
/* Is it hopeless because the chunk has no ground for pieces that must come? */
bool growth_lacks_ground(const growth *w, uint16_t special);

/* Fills a set of terrains, with room for all of them, with those that may be ground on a level
 * in any of the content's regions. */
void growth_grounds(const gen_config *config, int32_t z, uint64_t *set);

/*
 * Trials place a special of any content on unobstructed ground, over and over. Each level is
 * filled with the oter that fits most of what the special asks for there, chosen from those
 * that some region has on that level.
 */
typedef struct trial_result {
    growth_result result; /* result of the last draw; GROWTH_DONE if any draw succeeded */
    int32_t draws;        /* number of growths needed, 1..GROWTH_DRAWS */
    int32_t pieces;
    int16_t open_x, open_y;
    int8_t open_z;
    uint16_t open_join;
} trial_result;

/* Makes a chunk with the ground for trials of the special. *out is new; NULL when memory is
 * out. */
ptl_chunk *trial_ground(const gen_config *config, uint16_t special);
/* Places the special in the middle of a copy of that ground, keyed by seed, and restores the
 * chunk. False when memory is out. on_chunk is called with the special in place; it may be
 * NULL. */
bool trial_run(trial_result *out, generator *g, ptl_chunk *ground, uint16_t special,
               uint64_t seed, void (*on_chunk)(void *, const ptl_chunk *), void *payload);

/* The part of a generator that holds the growth in work, and which specials were found
 * hopeless in this chunk. */
extern const gen_part growth_part;
