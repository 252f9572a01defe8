/*
 * Growth of a mutable special (generation.md 9), piece by piece, on the chunk that is being
 * made. A growth succeeds as a whole or not at all: if a mandatory join is still open at its
 * end, every piece is removed again.
 *
 * Pieces do not lie on the outermost cells of the chunk. Each growth draws from a random stream
 * of its own, keyed by seed, chunk, special, origin, rotation and the number of the attempt, so
 * that it can be repeated.
 */
#pragma once

#include "gen/work/generator.h"

enum {
    GROWTH_PIECES_MAX = 8192, /* the most pieces of one special */
    GROWTH_DRAWS = 32         /* attempts at one origin before it is given up */
};

typedef struct growth_site {
    uint16_t special; /* index of a mutable special */
    int16_t x, y;     /* cell of the root, which is the first piece */
    int8_t z;         /* level of the root */
    uint8_t rotation;
    int16_t draw; /* number of the attempt at this origin, from 0 */
} growth_site;

typedef enum growth_result {
    GROWTH_DONE,
    /* After any other result than GROWTH_DONE the chunk is as it was before. */
    GROWTH_OPEN,    /* nothing meets a mandatory join */
    GROWTH_BLOCKED, /* the root is out of bounds (sites.h decides about its ground); in a
                     * trial: no region has the ground that the special checks for */
    GROWTH_LIMIT,   /* the special needs more than GROWTH_PIECES_MAX pieces */
    GROWTH_COSTLY   /* the growth needs more work than allowed */
} growth_result;

/*
 * Bounds of work, so that with no content a chunk takes minutes. The unit of work is trying one
 * piece of a rule at one place, about 20 ns, or anything that takes as long. Work is counted
 * instead of time, so that a chunk comes out the same on every machine. All growths of a chunk
 * with the content of DDA 0.F or Bright Nights take less than a ten-thousandth of the bound.
 */
#define GROWTH_WORK_SPECIAL (UINT64_C(1) << 29) /* all growths of a special in a chunk */
#define GROWTH_WORK_CHUNK   (UINT64_C(1) << 30) /* all growths of a chunk, or of a trial */
/* Bound of the work of a special's failed growths in a chunk. Each failed growth counts
 * GROWTH_WORK_BEGUN more than its work. The bound allows a growth at every cell of a level, if
 * the growths fail after few pieces. */
#define GROWTH_WORK_UNDONE (UINT64_C(1) << 20)
enum { GROWTH_WORK_BEGUN = 16 };

/* The result of a growth, borrowed until the next growth. The placement numbers of pieces and
 * joins are 0. Pieces may cover each other where content allows it; the last piece of a cell is
 * the one that stands there. Joins come in pairs: two sides that face each other. */
typedef struct grown {
    const gen_piece *pieces;
    const gen_join *joins;
    size_t piece_count, join_count;
    int16_t open_x, open_y; /* GROWTH_OPEN: the cell that no piece could fill */
    int8_t open_z;
    uint16_t open_join; /* GROWTH_OPEN: the join that a piece in this cell would have needed */
} grown;

typedef struct growth growth;

/* Grows the special once. Sets g->failed when memory is out. g->watching, the function that
 * must be called when cells change, is not called: the growth may fail, and nobody asks during
 * the growth where specials may stand. If the growth is kept, call growth_tell, which reports
 * the changed cells. */
growth_result growth_grow(generator *g, const growth_site *site, grown *out);
void growth_tell(generator *g);
/* Call this instead of growth_tell to undo the growth: all cells become what they were
 * before. */
void growth_take_back(generator *g);
/* Have growths of the special taken too much work in this chunk, or failed too often? Then the
 * special must not be grown again. */
bool growth_is_hopeless(const growth *w, uint16_t special);
/* Is the special hopeless because the chunk lacks ground for pieces that it must have? */
bool growth_lacks_ground(const growth *w, uint16_t special);

/* Sets `set` to the terrains that may be ground on a level in any of the content's regions. The
 * set must have room for all terrains. */
void growth_grounds(const gen_config *config, int32_t z, uint64_t *set);

/*
 * Trials grow a mutable special on ground that suits it, so that its content can be tested.
 * Each level is filled with the oter that meets most of what the special asks for on that
 * level, of the oters that some region has there.
 */
typedef struct trial_result {
    growth_result result; /* result of the last attempt, after which a trial ends */
    int32_t draws;        /* number of attempts, 1..GROWTH_DRAWS */
    int32_t pieces;       /* number of pieces that the last attempt placed */
    int16_t open_x, open_y;
    int8_t open_z;
    uint16_t open_join;
} trial_result;

/* Returns a new chunk with the ground for trials of the special; NULL when memory is out. */
ptl_chunk *trial_ground(const gen_config *config, uint16_t special);
/* Grows the special in the middle of the chunk of trial_ground, with random numbers that depend
 * on `seed`, and restores the chunk. False when memory is out. If the growth succeeds, on_chunk
 * (may be NULL) is called while the special stands. */
bool trial_run(trial_result *out, generator *g, ptl_chunk *ground, uint16_t special,
               uint64_t seed, void (*on_chunk)(void *, const ptl_chunk *), void *payload);

/* The part of a generator that has the memory of growths, and the work of each special in the
 * chunk. */
extern const gen_part growth_part;
