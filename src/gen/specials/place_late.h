/*
 * Places a special on a chunk that is finished, for games that build one: by the tests that
 * generation makes of an origin, and by the code that generation places specials with. The
 * chunk is taken as it is shown, with what a game has changed in it.
 *
 * Cells that show what an earlier special has put there are taken; a cell that was changed
 * since is free. Connections are drawn as generation does: those on the ground at once, those
 * on other levels, which generation draws in step sublevels, after the special is placed. A
 * special of which a connection has no way is not placed. Nothing is drawn for monsters, and a
 * connection that is drawn over water becomes a bridge on one level.
 */
#pragma once

#include "model/feature.h"
#include "portolan/why.h"

struct generator;
struct ptl_chunk;

/* Describes in *out the first cell that keeps the special from standing at (x, y): one of its
 * OMTs, or (`links`) of the points at which its connections end. rotation 0..3; -1 takes the
 * rotation in which the fewest cells are wrong. False, and *out stays, if none is. */
bool place_tell(ptl_why_place *out, const struct generator *g, uint16_t special, int rotation,
                int32_t x, int32_t y, bool links);

/* A special that is to be placed on a finished chunk. */
typedef struct late_order {
    uint16_t special;
    int32_t x, y; /* its origin: a cell of the chunk's level 0 */
    int rotation; /* 0..3; -1: chosen as generation chooses it, and set by place_late */
} late_order;

typedef enum late_result {
    LATE_PLACED,
    LATE_REFUSED,  /* the origin fails a test; the ptl_why_place says which */
    LATE_NO_WAY,   /* it passes all tests, but a connection of the special finds no way */
    LATE_NO_GROWTH /* it passes all tests, but no growth of the mutable special succeeded */
} late_result;

/*
 * Places a special on `chunk`, which the call changes if it returns LATE_PLACED, and whose
 * cells are undefined after LATE_NO_WAY. *features are those of the chunk, and get the
 * special's placements behind those that there are, with their pieces and joins; so do the
 * placements of specials that are nested in it. *why gets what the tests say of the origin.
 * Call generator_why if g->failed is set afterwards (place_late_failed).
 */
late_result place_late(ptl_why_place *why, gen_features *features, struct generator *g,
                       struct ptl_chunk *chunk, late_order *order);
bool place_late_failed(const struct generator *g);

/* Visits the cells that a placement covers: the OMTs of a fixed special, or those of `pieces`
 * that belong to the placement of this number. Cells outside of the chunk are left out. */
typedef void late_visit(void *payload, int32_t x, int32_t y, int32_t z, ptl_oter oter);
void place_cells_visit(const catalogue *cat, const gen_features *features, size_t number,
                       late_visit *visit, void *payload);
