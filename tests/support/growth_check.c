#include "support/growth_check.h"

#include <stdlib.h>
#include <string.h>

enum { N = 180, LEVELS = 21 };

/* The last piece + 1 at each cell, and the one below each piece. */
typedef struct board {
    const cat_mutable *layout;
    const grown *what;
    int32_t *cells, *below;
} board;

static int32_t *cell(const board *b, int x, int y, int z)
{
    return &b->cells[((z + 10) * N + y) * N + x];
}

/* What the pieces on a cell have on the world's side: of the last that has any. */
static const cat_side *side_at(const board *b, int x, int y, int z, int side)
{
    if (x < 0 || x >= N || y < 0 || y >= N || z < -10 || z > 10)
        return NULL;
    for (int32_t i = *cell(b, x, y, z); i > 0; i = b->below[i - 1]) {
        const gen_piece *p = &b->what->pieces[i - 1];
        const cat_side *use =
            &b->layout->pieces[p->piece].sides[side < 4 ? (side + 4 - p->rotation) % 4 : side];
        if (use->join >= 0)
            return use;
    }
    return NULL;
}

static int step(int *x, int *y, int *z, int side)
{
    static const int BACK[] = {2, 3, 0, 1, 5, 4};
    *x += side == 1 ? 1 : side == 3 ? -1 : 0;
    *y += side == 2 ? 1 : side == 0 ? -1 : 0;
    *z += side == 4 ? 1 : side == 5 ? -1 : 0;
    return BACK[side];
}

static bool accepts(const cat_mutable *m, const cat_side *side, int join)
{
    bool yes = m->joins[side->join].opposite == join;
    for (int i = 0; i < side->alternative_count; i++)
        yes = yes || m->joins[side->alternatives[i]].opposite == join;
    return yes;
}

static void check_side(growth_report *out, const board *b, const gen_piece *p, int side)
{
    int x = p->x, y = p->y, z = p->z;
    const cat_side *mine = side_at(b, x, y, z, side);
    if (!mine)
        return;
    const int back = step(&x, &y, &z, side);
    const cat_side *theirs = side_at(b, x, y, z, back);
    const bool met = theirs && (accepts(b->layout, mine, theirs->join) ||
                                accepts(b->layout, theirs, mine->join));
    const bool reject =
        theirs && (mine->type == PTL_JOIN_REJECT || theirs->type == PTL_JOIN_REJECT);
    out->open += mine->type == PTL_JOIN_MANDATORY && (!met || reject);
    out->wrong += reject && b->layout->joins[mine->join].opposite == theirs->join;
}

/* Pairs stand together; each names facing sides and a join with its opposite. */
static void check_joins(growth_report *out, const board *b)
{
    const gen_join *joins = b->what->joins;
    out->wrong += b->what->join_count % 2 != 0;
    for (size_t i = 0; i + 1 < b->what->join_count; i += 2) {
        const gen_join *one = &joins[i], *two = &joins[i + 1];
        int x = one->x, y = one->y, z = one->z;
        const bool here = side_at(b, x, y, z, one->side) != NULL;
        const int back = step(&x, &y, &z, one->side);
        out->wrong += !here || !side_at(b, x, y, z, back) || x != two->x || y != two->y ||
                      z != two->z || back != two->side ||
                      b->layout->joins[one->join].opposite != two->join;
    }
}

static void put(growth_report *out, const board *b, size_t i)
{
    const gen_piece *p = &b->what->pieces[i];
    const bool in =
        p->x >= 1 && p->x <= N - 2 && p->y >= 1 && p->y <= N - 2 && p->z >= -10 && p->z <= 10;
    out->misplaced += !in;
    if (!in)
        return;
    int32_t *at = cell(b, p->x, p->y, p->z);
    b->below[i] = *at;
    out->stacked += *at != 0;
    *at = (int32_t)i + 1;
}

void growth_check(growth_report *out, const cat_mutable *layout, const grown *what,
                  const ptl_chunk *chunk)
{
    board b = {layout, what, calloc((size_t)N * N * LEVELS, sizeof *b.cells),
               calloc(what->piece_count + 1, sizeof *b.below)};
    memset(out, 0, sizeof *out);
    for (size_t i = 0; b.cells && b.below && i < what->piece_count; i++)
        put(out, &b, i);
    if (!b.cells || !b.below || out->misplaced) {
        out->misplaced++;
        goto out;
    }
    for (size_t i = 0; i < what->piece_count; i++) {
        const gen_piece *p = &what->pieces[i];
        const ptl_oter oter = layout->pieces[p->piece].oters[p->rotation];
        const bool last = *cell(&b, p->x, p->y, p->z) == (int32_t)i + 1;
        out->misplaced += last && ptl_chunk_oter(chunk, p->x, p->y, p->z) != oter;
        for (int side = 0; last && side < PTL_SIDES; side++)
            check_side(out, &b, p, side);
    }
    check_joins(out, &b);
out:
    free(b.cells);
    free(b.below);
}
