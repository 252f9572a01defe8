/*
 * Growth of a mutable special (generation.md 9), piece by piece, on the chunk that is being
 * made. A growth succeeds as a whole or not at all: if a mandatory join is still open at its
 * end, every piece is removed again.
 *
 * Pieces do not lie on the outermost cells of the chunk. Each growth has a random stream of its
 * own, keyed by seed, chunk, special, origin, rotation and the number of the attempt, so that
 * it can be repeated.
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
    /* GROWTH_DONE: the special stands. After any other result the chunk is as it was before. */
    GROWTH_OPEN, /* a mandatory join stays open, since no piece can meet it */
    /* The first piece lies outside the chunk; or, in a trial, no region has a terrain that a
     * check of the special accepts. A check requires certain terrains in a box of cells. */
    GROWTH_BLOCKED,
    GROWTH_LIMIT, /* the special needs more than GROWTH_PIECES_MAX pieces */
    /* The growth takes more work than GROWTH_WORK_SPECIAL or GROWTH_WORK_CHUNK allows. */
    GROWTH_COSTLY
} growth_result;

/*
 * Bounds of the work of growths, so that no content can make a chunk take minutes. The unit of
 * work is trying one piece of a rule at one place, about 20 ns, or anything that takes as long.
 * Work is counted instead of time, so that a chunk comes out the same on every machine. All
 * growths of a chunk with the content of DDA 0.F or Bright Nights take less than a
 * ten-thousandth of GROWTH_WORK_CHUNK.
 */
/* The most units of work that all growths of one special may take in a chunk. */
#define GROWTH_WORK_SPECIAL (UINT64_C(1) << 29)
/* The most units of work that all growths may take in a chunk, or in one trial. */
#define GROWTH_WORK_CHUNK (UINT64_C(1) << 30)
/* The most work that all failed growths of one special together may take in a chunk. Each
 * failed growth counts as its own work plus GROWTH_WORK_BEGUN. The limit suffices for one
 * growth at every cell of a level, if they fail after few pieces. */
#define GROWTH_WORK_UNDONE (UINT64_C(1) << 20)
enum { GROWTH_WORK_BEGUN = 16 };

/* What a growth has placed, borrowed until the next growth. The placement numbers of its pieces
 * and joins are 0. Pieces may cover each other where content allows it; the last piece placed
 * on a cell is the one that stands there. Joins come in pairs: two sides that face each
 * other. */
typedef struct grown {
    const gen_piece *pieces;
    const gen_join *joins;
    size_t piece_count, join_count;
    int16_t open_x, open_y; /* after GROWTH_OPEN: the cell that no piece could fill */
    int8_t open_z;
    /* The join that a piece in the cell (open_x, open_y) would have needed; set if the result
     * is GROWTH_OPEN. */
    uint16_t open_join;
} grown;

typedef struct growth growth;

/* Grows the special once. Sets g->failed when memory is out. g->watching, the function that
 * must be called for each cell that changes, is not called: the growth may fail, and nobody
 * asks during the growth where specials may stand. If the growth is kept, call growth_tell,
 * which reports the changed cells. */
growth_result growth_grow(generator *g, const growth_site *site, grown *out);
void growth_tell(generator *g);
/* Call this instead of growth_tell to undo the last growth: all cells become what they were
 * before it. */
void growth_take_back(generator *g);
/* Returns whether the special must not be grown again in this chunk, because its growths
 * have taken too much work or too many of them have failed. */
bool growth_is_hopeless(const growth *w, uint16_t special);
/* Returns whether the special must not be grown again in this chunk, because the chunk lacks
 * ground for pieces that the special must have. */
bool growth_lacks_ground(const growth *w, uint16_t special);

/* Sets `set` to the terrains on which a special may be placed on level z, in any of the
 * content's regions. The set must have room for all terrains. */
void growth_grounds(const gen_config *config, int32_t z, uint64_t *set);

/*
 * Trials grow a mutable special on ground that suits it, so that its content can be tested.
 * Each level is filled with one oter. Of the oters that some region has on that level, it is
 * the one that meets most of what the special asks for there.
 */
typedef struct trial_result {
    growth_result result; /* result of the trial's last attempt */
    int32_t draws;        /* number of attempts that the trial made, 1..GROWTH_DRAWS */
    int32_t pieces;       /* number of pieces that the last attempt placed */
    int16_t open_x, open_y;
    int8_t open_z;
    uint16_t open_join;
} trial_result;

/* Returns a new chunk whose levels are filled with ground that suits the special, for trials;
 * NULL when memory is out. */
ptl_chunk *trial_ground(const gen_config *config, uint16_t special);
/* Grows the special in the middle of the chunk of trial_ground, with random numbers that depend
 * on `seed`, and restores the chunk. False when memory is out. If the growth succeeds, on_chunk
 * (may be NULL) is called while the special stands. */
bool trial_run(trial_result *out, generator *g, ptl_chunk *ground, uint16_t special,
               uint64_t seed, void (*on_chunk)(void *, const ptl_chunk *), void *payload);

/* The memory that a generator needs for growths, with the work that each special has taken in
 * the chunk. */
extern const gen_part growth_part;
