/*
 * Makes placements from points that a save tells apart by numbers. The points of a fixed
 * special are those OMTs of its footprint that no later placement took; mostly only one place
 * and rotation explains them. The pieces of a mutable special are recognized by their terrain
 * and by the joins of their sides.
 */
#include "core/error.h"
#include "exchange/exchange.h"

#include <stdlib.h>
#include <string.h>

enum {
    CELLS = PTL_LEVELS * PTL_LEVEL_CELLS,
    NOBODY = 0,
    WORK_MAX = 1 << 30 /* OMTs and pieces that may be tried for one overmap */
};

typedef struct placer {
    const catalogue *cat;
    save_overmap *o;
    int32_t *owner; /* owned; by cell: 1 + number of the placement; NOBODY */
    int32_t *turn;  /* owned; by cell: its index among the cells of its owner */
    uint64_t work;
} placer;

static ptl_status add_work(placer *p, uint64_t a, uint64_t b, ptl_error *err)
{
    p->work += 4 * a * b;
    return p->work <= WORK_MAX ? PTL_OK
                               : error_set(err, PTL_ERR_LIMIT,
                                           "the placements of specials are too many, or "
                                           "too large");
}

/* ---- fixed specials ---- */

/* How well a footprint, in some place and rotation, explains the points. */
typedef struct fit {
    size_t covered; /* points of the placement that it covers */
    size_t absent;  /* its OMTs that are no point of any placement */
    size_t same;    /* its OMTs whose terrain is there */
    size_t turns;   /* points that come in the order of its OMTs, as Portolan writes them */
} fit;

static bool better(const fit *a, const fit *b)
{
    if (a->covered != b->covered)
        return a->covered > b->covered;
    if (a->absent != b->absent)
        return a->absent < b->absent;
    return a->same != b->same ? a->same > b->same : a->turns > b->turns;
}

/* Compares a footprint at a place with the points of one placement. */
static fit judge(const placer *p, const cat_special *special, int32_t number,
                 const gen_placement *at)
{
    fit f = {0, 0, 0, 0};
    int32_t last = -1;
    for (size_t i = 0; i < special->omt_count; i++) {
        const cat_omt *t = &special->omts[i];
        const int32_t cell = save_cell_of(save_omt_spot(t, at));
        const int32_t owner = cell < 0 ? NOBODY : p->owner[cell];
        f.absent += owner == NOBODY;
        if (owner != number + 1)
            continue;
        f.covered++;
        f.same += t->oters[at->rotation] == save_oter_at(p->o->chunk, cell);
        f.turns += p->turn[cell] > last;
        last = p->turn[cell];
    }
    return f;
}

/* Tries every rotation, and in each puts every OMT of the footprint on the first point.
 * Returns the best fit. */
static fit find_place(gen_placement *best, const placer *p, const cat_special *special,
                      int32_t number)
{
    const save_placed *placed = &p->o->placed[number];
    const save_spot first = save_spot_of(placed->cells[0]);
    const uint8_t rotations = special->rotate ? 4 : 1;
    fit most = {0, 0, 0, 0};
    for (uint8_t rotation = 0; rotation < rotations; rotation++)
        for (size_t i = 0; i < special->omt_count; i++) {
            const cat_omt *t = &special->omts[i];
            int32_t x, y;
            feature_rotate(t->x, t->y, rotation, &x, &y);
            const gen_placement at = {.special = placed->special,
                                      .x = (int16_t)(first.x - x),
                                      .y = (int16_t)(first.y - y),
                                      .z = (int8_t)(first.z - t->z),
                                      .rotation = rotation,
                                      .city = FEATURE_NO_CITY};
            const fit f = save_cell_of((save_spot){at.x, at.y, at.z}) < 0
                              ? (fit){0, 0, 0, 0}
                              : judge(p, special, number, &at);
            if (better(&f, &most)) {
                most = f;
                *best = at;
            }
        }
    return most;
}

static ptl_status place_fixed(placer *p, const cat_special *special, int32_t number,
                              ptl_error *err)
{
    const save_placed *placed = &p->o->placed[number];
    gen_placement found = {.special = placed->special};
    TRY(add_work(p, special->omt_count, special->omt_count, err));
    const fit f = find_place(&found, p, special, number);
    if (f.covered < placed->count) { /* the content defines this id differently */
        p->o->counts.points_left_out += placed->count;
        return PTL_OK;
    }
    gen_placement *out = features_add_placement(&p->o->features);
    if (!out)
        return error_nomem(err);
    *out = found;
    out->omts = special->building ? 0 : (int32_t)special->omt_count;
    return PTL_OK;
}

/* ---- mutable specials ---- */

/* The joins that each side of a cell was used with; -1: none. */
typedef struct met {
    int32_t join[PTL_SIDES];
} met;

static int by_cell(const void *pa, const void *pb)
{
    const save_join *a = pa, *b = pb;
    if (a->cell != b->cell)
        return a->cell < b->cell ? -1 : 1;
    return a->side != b->side ? a->side - b->side : a->join - b->join;
}

/* Rates how well a piece explains the joins of a cell. A side that was used must have a join.
 * The piece's own join counts more than another one, which it may accept as an alternative. */
static int joins_fit(const cat_piece *piece, int rotation, const met *m)
{
    enum { OWN = 4, OTHER = 1, IMPOSSIBLE = -32 };
    int score = 0;
    for (int side = 0; side < PTL_SIDES; side++) {
        const int own = side < 4 ? (side - rotation) & 3 : side;
        const int32_t there = piece->sides[own].join;
        if (m->join[side] >= 0)
            score += there < 0 ? IMPOSSIBLE : there == m->join[side] ? OWN : OTHER;
    }
    return score;
}

/* Finds the piece and rotation that explain a cell best, by terrain and joins. False: nothing
 * speaks for any piece. */
static bool find_piece(gen_piece *out, const placer *p, const cat_mutable *layout, const met *m,
                       int32_t cell)
{
    const ptl_oter there = save_oter_at(p->o->chunk, cell);
    int most = 0;
    for (size_t i = 0; i < layout->piece_count; i++)
        for (int rotation = 0; rotation < 4; rotation++) {
            /* The terrain counts most. A linear terrain may have got more arms later, so that
             * another oter of the same terrain counts, too, but less. */
            const cat_piece *piece = &layout->pieces[i];
            enum { SAME = 256, KIND = 128 };
            const ptl_oter wanted = piece->oters[rotation];
            const cat_oter *oters = p->cat->oters;
            int score = joins_fit(piece, rotation, m);
            if (wanted == there)
                score += SAME;
            else if (wanted != CAT_NONE && oters[wanted].terrain == oters[there].terrain)
                score += KIND;

            if (score <= most)
                continue;
            most = score;
            out->piece = (uint16_t)i;
            out->rotation = (uint8_t)rotation;
        }
    const save_spot at = save_spot_of(cell);
    out->x = (int16_t)at.x;
    out->y = (int16_t)at.y;
    out->z = (int8_t)at.z;
    return most > 0;
}

/* Appends the placement's pieces: the root first, the others in the file's order. In files
 * that Portolan wrote, that is the order in which they grew. */
static ptl_status add_pieces(const placer *p, const cat_mutable *layout, int32_t number,
                             const save_join *joins, ptl_error *err)
{
    gen_features *f = &p->o->features;
    const save_placed *placed = &p->o->placed[number];
    const size_t first = f->piece_count;
    size_t root = 0;
    bool has_root = false;
    for (size_t i = 0; i < placed->count; i++) {
        /* Finds the joins of the cell. The list is sorted by cell. */
        const size_t count = placed->join_count;
        const int32_t cell = placed->cells[i];
        met m = {{-1, -1, -1, -1, -1, -1}};
        size_t lo = 0, hi = count;
        while (lo < hi) {
            const size_t middle = lo + (hi - lo) / 2;
            if (joins[middle].cell < cell)
                lo = middle + 1;
            else
                hi = middle;
        }
        for (; lo < count && joins[lo].cell == cell; lo++)
            m.join[joins[lo].side] = joins[lo].join;
        gen_piece piece = {.placement = (int32_t)f->placement_count};
        if (!find_piece(&piece, p, layout, &m, placed->cells[i])) {
            p->o->counts.points_left_out++;
            continue;
        }
        gen_piece *out = features_add_piece(f);
        if (!out)
            return error_nomem(err);
        *out = piece;
        if (!has_root && piece.piece == layout->root) {
            has_root = true;
            root = f->piece_count - 1;
        }
    }
    for (; has_root && root > first; root--) {
        const gen_piece earlier = f->pieces[root - 1];
        f->pieces[root - 1] = f->pieces[root];
        f->pieces[root] = earlier;
    }
    return PTL_OK;
}

static ptl_status find_pieces(const placer *p, const cat_mutable *layout, int32_t number,
                              ptl_error *err)
{
    const save_placed *placed = &p->o->placed[number];
    save_join *joins = malloc((placed->join_count + 1) * sizeof *joins);
    if (!joins)
        return error_nomem(err);
    for (size_t i = 0; i < placed->join_count; i++)
        joins[i] = placed->joins[i];
    qsort(joins, placed->join_count, sizeof *joins, by_cell);
    const ptl_status status = add_pieces(p, layout, number, joins, err);
    free(joins);
    return status;
}

static ptl_status add_joins(const placer *p, int32_t number, ptl_error *err)
{
    gen_features *f = &p->o->features;
    const save_placed *placed = &p->o->placed[number];
    gen_join *out = features_add_joins(f, placed->join_count);
    if (!out)
        return error_nomem(err);
    for (size_t i = 0; i < placed->join_count; i++) {
        const save_join *j = &placed->joins[i];
        const save_spot at = save_spot_of(j->cell);
        out[i] = (gen_join){.placement = (int32_t)f->placement_count,
                            .x = (int16_t)at.x,
                            .y = (int16_t)at.y,
                            .z = (int8_t)at.z,
                            .side = j->side,
                            .join = j->join};
    }
    return PTL_OK;
}

/* Makes the placement of a mutable special. It stands where its first piece does, which is the
 * root if the root was found. Without any piece there is no placement. */
static ptl_status place_mutable(placer *p, const cat_special *special, int32_t number,
                                ptl_error *err)
{
    gen_features *f = &p->o->features;
    const save_placed *placed = &p->o->placed[number];
    const size_t first = f->piece_count;
    ptl_status status = add_work(p, placed->count, special->layout->piece_count, err);
    THEN(status, find_pieces(p, special->layout, number, err));
    if (status != PTL_OK || f->piece_count == first)
        return status;
    status = add_joins(p, number, err);
    gen_placement *out = status == PTL_OK ? features_add_placement(f) : NULL;
    if (!out)
        return status == PTL_OK ? error_nomem(err) : status;
    const gen_piece *root = &f->pieces[first];
    *out = (gen_placement){.special = placed->special,
                           .x = root->x,
                           .y = root->y,
                           .z = root->z,
                           .rotation = root->rotation,
                           .city = FEATURE_NO_CITY,
                           .omts = (int32_t)placed->count};
    return PTL_OK;
}

/* ---- all placements ---- */

ptl_status save_place(save_overmap *o, const catalogue *cat, ptl_error *err)
{
    if (o->placed_count == 0)
        return PTL_OK;
    placer p = {.cat = cat, .o = o};
    p.owner = calloc(CELLS, sizeof *p.owner);
    p.turn = calloc(CELLS, sizeof *p.turn);
    ptl_status status = p.owner && p.turn ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        for (size_t i = 0; i < p.o->placed_count; i++)
            for (size_t k = 0; k < p.o->placed[i].count; k++) {
                p.owner[p.o->placed[i].cells[k]] = (int32_t)i + 1;
                p.turn[p.o->placed[i].cells[k]] = (int32_t)k;
            }
    }
    for (size_t i = 0; i < o->placed_count && status == PTL_OK; i++) {
        const int32_t number = (int32_t)i;
        const save_placed *placed = &p.o->placed[number];
        const cat_special *special = &p.cat->specials[placed->special];
        if (placed->count > 0) /* else all of its points have another number, too */
            status = special->layout ? place_mutable(&p, special, number, err)
                                     : place_fixed(&p, special, number, err);
    }
    free(p.owner);
    free(p.turn);
    return status;
}
