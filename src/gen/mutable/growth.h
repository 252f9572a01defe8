/*
 * Growth of a mutable special (generation.md 9), piece by piece on the chunk in work. It
 * is all or nothing: where a mandatory join stays open at the end, every piece is taken back.
 *
 * Pieces keep a clearance of 1 from the border. Each growth has a stream of its own, keyed by
 * seed, chunk, special, origin, rotation and the number of the draw, so that it can be grown
 * again.
 */
#ifndef GEN_MUTABLE_GROWTH_H
#define GEN_MUTABLE_GROWTH_H

#include "gen/work/generator.h"

enum {
    GROWTH_PIECES_MAX = 8192, /* of one special */
    GROWTH_DRAWS = 32         /* at one origin, before it is given up */
};

typedef struct growth_site {
    uint16_t special; /* a mutable one */
    int16_t x, y;     /* of the root, which is at z = 0 plus this */
    int8_t z;
    uint8_t rotation;
    int16_t draw; /* from 0 */
} growth_site;

typedef enum growth_result {
    GROWTH_DONE,
    GROWTH_OPEN,    /* a mandatory join can't be closed: nothing of it is left */
    GROWTH_BLOCKED, /* the root is out of bounds; on what it may stand is sites.h's affair. In a
                     * trial: no region has the ground that the special checks for */
    GROWTH_LIMIT,   /* more than GROWTH_PIECES_MAX pieces: nothing of it is left */
    GROWTH_COSTLY   /* more work than is allowed: nothing of it is left */
} growth_result;

/*
 * The bounds of work, so that no content keeps a chunk busy for minutes. Its unit is a piece of
 * a rule that is tried at one place, or what takes as long: about 20 ns. Counts, not time: a
 * chunk comes out the same on every machine. All growths of a chunk with the content of DDA 0.F
 * or BN take less than a ten-thousandth of it.
 */
#define GROWTH_WORK_SPECIAL (UINT64_C(1) << 29) /* of all growths of a special in a chunk */
#define GROWTH_WORK_CHUNK   (UINT64_C(1) << 30) /* of all growths of a chunk; or of a trial */
/* Of growths of a special in a chunk that are undone, each with GROWTH_WORK_BEGUN beside its
 * own work: enough to try all cells of a level once, where little is grown before one fails. */
#define GROWTH_WORK_UNDONE (UINT64_C(1) << 20)
enum { GROWTH_WORK_BEGUN = 16 };

/* What grew: borrowed until the next growth. The placement numbers in it are 0. Pieces may lie
 * on each other where content allows it; the last one on a cell is what stands there. Joins
 * come in pairs: two sides that face each other. */
typedef struct grown {
    const gen_piece *pieces;
    const gen_join *joins;
    size_t piece_count, join_count;
    int16_t open_x, open_y; /* GROWTH_OPEN: the cell that nothing could close */
    int8_t open_z;
    uint16_t open_join; /* and the join that it would have needed */
} grown;

typedef struct growth growth;

/* Grows once. g->failed is set when memory is out. Who follows the cells is not told of the
 * pieces until growth_tell: while it grows nobody asks where specials may stand, it may be in
 * vain, and of cells that are owned by then there is less to tell. */
growth_result growth_grow(generator *g, const growth_site *site, grown *out);
void growth_tell(generator *g);
/* Instead of that: the cells are what they were before the growth, and nobody is told. */
void growth_take_back(generator *g);
/* Has the special been too costly in this chunk, or has too much of it been undone? Then it is
 * not to be grown again. */
bool growth_is_hopeless(const growth *w, uint16_t special);
/* Is that since the chunk has no ground for what must come? */
bool growth_lacks_ground(const growth *w, uint16_t special);

/* Fills a set of terrains, words for all, with those that may be ground on a level, in any of
 * the content's regions. */
void growth_grounds(const gen_config *config, int32_t z, uint64_t *set);

/*
 * Trials: a special of anyone's content placed on ground that nothing obstructs, over and over.
 * Each level is filled with the oter that fits most of what the special asks for there, of
 * those that some region has on it.
 */
typedef struct trial_result {
    growth_result result; /* of the last draw: GROWTH_DONE if any succeeded */
    int32_t draws;        /* growths that it took, 1..GROWTH_DRAWS */
    int32_t pieces;
    int16_t open_x, open_y;
    int8_t open_z;
    uint16_t open_join;
} trial_result;

/* *out is a new chunk with the ground for trials of the special; NULL when memory is out. */
ptl_chunk *trial_ground(const gen_config *config, uint16_t special);
/* Places it in the middle of a copy of that ground, keyed by seed, and leaves the chunk as it
 * was. False when memory is out. on_chunk may be NULL: called with the special in place. */
bool trial_run(trial_result *out, generator *g, ptl_chunk *ground, uint16_t special,
               uint64_t seed, void (*on_chunk)(void *, const ptl_chunk *), void *payload);

/* What grows, and which specials were found hopeless in this chunk. */
extern const gen_part growth_part;

#endif
