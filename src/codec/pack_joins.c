/*
 * The joins of mutable specials, which come in pairs (pack_join in pack.h tells how).
 */
#include "codec/pack.h"

#include "model/catalogue.h"
#include "model/direction.h"

#include <stdlib.h>

static const pack_column PAIR_COLUMNS[PACK_PAIR_COLUMNS] = {
    [PACK_PAIR_PIECE] = {"piece", 0, PACK_COUNT_MAX - 1, PACK_DELTA, MEMBER_NONE, 0},
    [PACK_PAIR_SIDE] = {"side", 0, PTL_SIDES - 1, PACK_PLAIN, MEMBER_NONE, 0}};

const pack_column *pack_pair_column(int column)
{
    return &PAIR_COLUMNS[column];
}

pack_join pack_join_met(pack_join j)
{
    static const struct {
        int8_t side, z, x, y;
    } BEYOND[8] = {{2, 0, 0, -1}, {3, 0, 1, 0}, {0, 0, 0, 1},
                   {1, 0, -1, 0}, {5, 1, 0, 0}, {4, -1, 0, 0}};
    const int side = j.side & 7;
    return (pack_join){.side = BEYOND[side].side,
                       .z = j.z + BEYOND[side].z,
                       .x = j.x + BEYOND[side].x,
                       .y = j.y + BEYOND[side].y};
}

bool pack_joins_are_pairs(const pack_table *t)
{
    const int32_t *of = t->columns[JOIN_PLACEMENT], *side = t->columns[JOIN_SIDE];
    const int32_t *z = t->columns[JOIN_Z], *x = t->columns[JOIN_X], *y = t->columns[JOIN_Y];
    if (t->count % 2 != 0)
        return false;
    int32_t other = 0; /* any bit set: some join differs (rarely, so no early end) */
    for (size_t i = 0; i + 1 < t->count; i += 2) {
        const pack_join met = pack_join_met((pack_join){side[i], z[i], x[i], y[i]});
        other |= (of[i + 1] ^ of[i]) | (side[i + 1] ^ met.side) | (z[i + 1] ^ met.z) |
                 (x[i + 1] ^ met.x) | (y[i + 1] ^ met.y);
    }
    return other == 0;
}

/* ---- by pieces ---- */

int32_t *pack_joins_pieces(const pack_table *t)
{
    /* The search may go over all pieces so often. Joins from growth need less than once. */
    enum { LOOKS = 8 };
    const size_t count = t->count / 2, pieces = t->pieces ? t->pieces->count : 0;
    int32_t *out = pieces > 0 ? malloc((count + 1) * sizeof *out) : NULL;
    if (!out)
        return NULL;
    int32_t *const *const c = t->columns, *const *const p = t->pieces->columns;
    const int32_t *x = p[PIECE_X], *y = p[PIECE_Y], *z = p[PIECE_Z], *of = p[PIECE_PLACEMENT];
    const int32_t *jx = c[JOIN_X], *jy = c[JOIN_Y], *jz = c[JOIN_Z], *jof = c[JOIN_PLACEMENT];
    size_t left = LOOKS * pieces + count, piece = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t k = 2 * i + 1, began = left;
        while (((x[piece] ^ jx[k]) | (y[piece] ^ jy[k]) | (z[piece] ^ jz[k]) |
                (of[piece] ^ jof[k])) != 0 &&
               --left > 0 && began - left < pieces)
            piece = piece + 1 < pieces ? piece + 1 : 0;
        if (left == 0 || began - left == pieces) {
            free(out);
            return NULL;
        }
        out[i] = (int32_t)piece;
    }
    return out;
}

/* ---- reading ---- */

static bool is_inside(pack_join j)
{
    return j.z >= PTL_Z_MIN && j.z <= PTL_Z_MAX && j.x >= 0 && j.x < PTL_CHUNK_SIZE &&
           j.y >= 0 && j.y < PTL_CHUNK_SIZE;
}

static void put_join(pack_table *t, size_t i, int32_t of, pack_join j)
{
    t->columns[JOIN_PLACEMENT][i] = of;
    t->columns[JOIN_SIDE][i] = j.side;
    t->columns[JOIN_Z][i] = j.z;
    t->columns[JOIN_X][i] = j.x;
    t->columns[JOIN_Y][i] = j.y;
}

bool pack_joins_spread(pack_table *t, bool by_pieces)
{
    bool good = true;
    for (size_t i = t->count / 2; i-- > 0 && good;) { /* backwards: reads before it writes */
        int32_t *const *const c = t->columns, of = c[JOIN_PLACEMENT][i];
        pack_join known = {.side = c[JOIN_SIDE][i]};
        if (by_pieces) {
            const size_t piece = (size_t)of;
            if (piece >= t->pieces->count)
                return false;
            int32_t *const *p = t->pieces->columns;
            known = (pack_join){known.side, p[PIECE_Z][piece], p[PIECE_X][piece],
                                p[PIECE_Y][piece]};
            of = p[PIECE_PLACEMENT][piece];
        } else
            known = (pack_join){known.side, c[JOIN_Z][i], c[JOIN_X][i], c[JOIN_Y][i]};
        const pack_join met = pack_join_met(known);
        good = is_inside(met);
        put_join(t, 2 * i + by_pieces, of, known); /* pieces tell the second joins */
        put_join(t, 2 * i + !by_pieces, of, met);
    }
    return good;
}
