/*
 * Makes placements from those points (OMTs of specials) that a save assigns to placements by
 * number. For a fixed special these are those of its OMTs that no later placement covered. In
 * most cases only one place and rotation of the special agrees with them. The pieces of a
 * mutable special are recognized by their terrain and by the joins of their sides.
 */
#include "exchange/exchange.h"

#include <stdlib.h>

enum {
    CELLS = PTL_LEVELS * PTL_LEVEL_CELLS,
    NOBODY = 0,
    /* How many OMTs and pieces are tried at most to make the placements of one overmap. */
    WORK_MAX = 1 << 30
};

typedef struct placer {
    const catalogue *cat;
    save_overmap *o;
    int32_t *owner; /* owned; for each cell: 1 + the number of the placement that has it, or
                     * NOBODY */
    int32_t *turn;  /* owned; for each cell: its index in the list of cells of its placement */
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

/* How well a special at some place and rotation agrees with a placement of the save. The
 * special has OMTs by its definition. The placement has points: the OMTs that the save lists
 * for it. */
typedef struct fit {
    size_t covered; /* how many of the placement's points are OMTs of the special if it lies at
                       this place with this rotation */
    size_t absent;  /* number of the special's OMTs that the save lists for no placement */
    size_t same; /* how many of the OMTs that `covered` counts have on the map the oter that the
                    special's definition states */
    /* For how many of the placement's points the order in the save is that of the OMTs in the
     * special's definition. Portolan itself writes points in that order, so there are many such
     * points if place and rotation are right. */
    size_t turns;
} fit;

static bool better(const fit *a, const fit *b)
{
    if (a->covered != b->covered)
        return a->covered > b->covered;
    if (a->absent != b->absent)
        return a->absent < b->absent;
    return a->same != b->same ? a->same > b->same : a->turns > b->turns;
}

/* Measures how well the placement *at of a special would agree with the OMTs that the save
 * lists for a placement. */
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

/* Returns the placement of a special, with the given rotation, in which the OMT *t of its
 * definition comes to lie at a place. */
static gen_placement placement_on(uint16_t special, const cat_omt *t, uint8_t rotation,
                                  save_spot place)
{
    int32_t x, y;
    feature_rotate(t->x, t->y, rotation, &x, &y);
    return (gen_placement){.special = special,
                           .x = (int16_t)(place.x - x),
                           .y = (int16_t)(place.y - y),
                           .z = (int8_t)(place.z - t->z),
                           .rotation = rotation,
                           .city = FEATURE_NO_CITY};
}

/* Finds the placement of a fixed special by trying. For each rotation, each OMT of the
 * special's definition is laid in turn on the first OMT that the save lists for the placement.
 * The try that agrees best becomes the placement. */
static ptl_status place_fixed(placer *p, const cat_special *special, int32_t number,
                              ptl_error *err)
{
    const save_placed *placed = &p->o->placed[number];
    const save_spot first = save_spot_of(placed->cells[0]);
    const uint8_t rotations = special->rotate ? 4 : 1;
    gen_placement best = {.special = placed->special};
    fit most = {0, 0, 0, 0};
    TRY(add_work(p, special->omt_count, special->omt_count, err));
    for (uint8_t rotation = 0; rotation < rotations; rotation++)
        for (size_t i = 0; i < special->omt_count; i++) {
            const gen_placement at =
                placement_on(placed->special, &special->omts[i], rotation, first);
            if (save_cell_of((save_spot){at.x, at.y, at.z}) < 0)
                continue;
            const fit f = judge(p, special, number, &at);
            if (better(&f, &most)) {
                most = f;
                best = at;
            }
        }
    if (most.covered < placed->count) { /* some of the save's OMTs are none of the special, so
                                           the content defines the special in another way */
        p->o->counts.points_left_out += placed->count;
        return PTL_OK;
    }
    gen_placement *out = features_add_placement(&p->o->features);
    if (!out)
        return error_nomem(err);
    *out = best;
    out->omts = special->building ? 0 : (int32_t)special->omt_count;
    return PTL_OK;
}

/* ---- mutable specials ---- */

/* For each side of a piece's cell, the join by which it met another piece; -1 if no piece met
 * it. */
typedef struct met {
    int32_t join[PTL_SIDES];
} met;

/*
 * Returns how well a piece in this rotation agrees with a cell: with its oter, and with the
 * sides at which it met other pieces. The terrain counts most. A line may have been connected
 * to more sides later, so another oter of the same terrain counts, too, but less. A side that
 * met another piece must have a join. It counts more if that is the piece's own join at this
 * side than if it is an alternative that the piece accepts there.
 */
static int agreement(const cat_piece *piece, int rotation, const cat_oter *oters,
                     ptl_oter there, const met *m)
{
    enum { SAME = 256, KIND = 128, OWN = 4, OTHER = 1, IMPOSSIBLE = -32 };
    const ptl_oter wanted = piece->oters[rotation];
    int score = 0;
    if (wanted == there)
        score = SAME;
    else if (wanted != CAT_NONE && oters[wanted].terrain == oters[there].terrain)
        score = KIND;
    for (int side = 0; side < PTL_SIDES; side++) {
        const int own = side < 4 ? (side - rotation) & 3 : side;
        const int32_t join = piece->sides[own].join;
        if (m->join[side] >= 0)
            score += join < 0 ? IMPOSSIBLE : join == m->join[side] ? OWN : OTHER;
    }
    return score;
}

/* Finds the piece and rotation that agree best with the terrain of a cell and with the joins of
 * its sides. Returns false if no piece agrees with any of these. */
static bool find_piece(gen_piece *out, const placer *p, const cat_mutable *layout, const met *m,
                       int32_t cell)
{
    const ptl_oter there = save_oter_at(p->o->chunk, cell);
    int most = 0;
    for (size_t i = 0; i < layout->piece_count; i++)
        for (int rotation = 0; rotation < 4; rotation++) {
            const int score = agreement(&layout->pieces[i], rotation, p->cat->oters, there, m);
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

/* Appends the placement's pieces: first the root, then the others in the order of the file. If
 * Portolan wrote the file, this is the order in which the pieces grew. */
static ptl_status add_pieces(const placer *p, const cat_mutable *layout,
                             const save_placed *placed, ptl_error *err)
{
    gen_features *f = &p->o->features;
    const size_t first = f->piece_count;
    size_t root = 0;
    bool has_root = false;
    for (size_t i = 0; i < placed->count; i++) {
        met m = {{-1, -1, -1, -1, -1, -1}};
        for (size_t k = 0; k < placed->join_count; k++) {
            const save_join *j = &placed->joins[k];
            if (j->cell == placed->cells[i] && j->join > m.join[j->side])
                m.join[j->side] = j->join;
        }
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

/* Makes the placement of a mutable special, with its pieces and joins. The origin is the place
 * of the first piece, which is the root piece if that was found. If no piece is found, there is
 * no placement. */
static ptl_status place_mutable(placer *p, const cat_special *special, int32_t number,
                                ptl_error *err)
{
    gen_features *f = &p->o->features;
    const save_placed *placed = &p->o->placed[number];
    const size_t first = f->piece_count;
    TRY(add_work(p, placed->count, special->layout->piece_count + placed->join_count, err));
    TRY(add_pieces(p, special->layout, placed, err));
    if (f->piece_count == first)
        return PTL_OK;
    gen_join *joins = features_add_joins(f, placed->join_count);
    for (size_t i = 0; joins && i < placed->join_count; i++) {
        const save_join *j = &placed->joins[i];
        const save_spot at = save_spot_of(j->cell);
        joins[i] = (gen_join){.placement = (int32_t)f->placement_count,
                              .x = (int16_t)at.x,
                              .y = (int16_t)at.y,
                              .z = (int8_t)at.z,
                              .side = j->side,
                              .join = j->join};
    }
    gen_placement *out = joins ? features_add_placement(f) : NULL;
    if (!out)
        return error_nomem(err);
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
    for (size_t i = 0; i < o->placed_count && status == PTL_OK; i++)
        for (size_t k = 0; k < o->placed[i].count; k++) {
            p.owner[o->placed[i].cells[k]] = (int32_t)i + 1;
            p.turn[o->placed[i].cells[k]] = (int32_t)k;
        }
    for (size_t i = 0; i < o->placed_count && status == PTL_OK; i++) {
        const int32_t number = (int32_t)i;
        const save_placed *placed = &p.o->placed[number];
        const cat_special *special = &p.cat->specials[placed->special];
        /* A placement that has no OMTs left is skipped. Other placements have the same OMTs,
         * and got all of them. */
        if (placed->count > 0)
            status = special->layout ? place_mutable(&p, special, number, err)
                                     : place_fixed(&p, special, number, err);
    }
    free(p.owner);
    free(p.turn);
    return status;
}

/*
 * Assigns the points (OMTs) of fixed specials to placements. A save lists the points of all
 * placements of a special together. The special's definition says which OMTs a single
 * placement has: its footprint. Groups of points that touch each other are covered by
 * footprints. A search with a limited number of steps first looks for an exact cover. If it
 * finds none, footprints are laid one after the other as far as possible.
 *
 * A footprint fits if its OMTs have the terrain of the definition. A few OMTs may have another
 * terrain if a connection was drawn over them.
 */

enum {
    BUDGET =
        20000, /* most steps of one search for placements that cover each point exactly once */
    FREE = 1, /* an OMT that the save lists for the special, and that no placement covers yet */
    SEEN = 2  /* set for an OMT of the special that belongs to the group of touching OMTs which
                 is being collected */
};

/* The search for placements that cover each point (OMT of the special) exactly once goes step
 * by step. This is one step: a point, and the placement that covers it at present. */
typedef struct choice {
    int32_t cell;    /* the point */
    size_t next;     /* number of the placement to try next (see try_next) */
    gen_placement p; /* the placement that covers this cell at present */
} choice;

typedef struct splitter {
    const catalogue *cat;
    save_overmap *o;
    uint8_t *grid; /* owned; for each cell, the bits FREE and SEEN */
    bool *lines;   /* owned; for each terrain: whether there is a connection that draws it as a
                      line */
    int32_t *part; /* owned; sorted cells of the group of touching OMTs that is being covered */
    choice *stack; /* owned; has room for one choice for each OMT that the save lists for the
                      special */
    size_t part_count, depth;
} splitter;

static bool drawn_over(const splitter *s, ptl_oter oter)
{
    return s->lines[s->cat->oters[oter].terrain];
}

/* Returns whether the placement fits: the save lists all its OMTs for the special, no other
 * placement covers them yet, and they have the right terrain. At most a quarter of the OMTs may
 * have another terrain, drawn over them by a connection. */
static bool fits(const splitter *s, const cat_special *special, const gen_placement *p)
{
    size_t over = 0;
    for (size_t i = 0; i < special->omt_count; i++) {
        const cat_omt *t = &special->omts[i];
        int32_t cell = save_cell_of(save_omt_spot(t, p));
        if (cell < 0 || !(s->grid[cell] & FREE))
            return false;
        ptl_oter there = save_oter_at(s->o->chunk, cell);
        if (there == t->oters[p->rotation])
            continue;
        if (!drawn_over(s, there) || 4 * ++over > special->omt_count)
            return false;
    }
    return true;
}

static void cover(const splitter *s, const cat_special *special, const gen_placement *p,
                  bool covered)
{
    for (size_t i = 0; i < special->omt_count; i++) {
        int32_t cell = save_cell_of(save_omt_spot(&special->omts[i], p));
        if (cell >= 0) /* always true: a placement that fits lies inside the overmap */
            s->grid[cell] = (uint8_t)(covered ? s->grid[cell] & ~FREE : s->grid[cell] | FREE);
    }
}

/* Tries placements of the special that cover the cell c->cell, until one fits. They are
 * numbered: there is one for each rotation of the special and each OMT of its definition that
 * may lie on the cell. The first one to be tried has the number c->next. */
static bool try_next(const splitter *s, const cat_special *special, uint16_t id, choice *c)
{
    const size_t rotations = special->rotate ? 4 : 1, omts = special->omt_count;
    const ptl_oter there = save_oter_at(s->o->chunk, c->cell);
    save_spot at = save_spot_of(c->cell);
    while (omts > 0 && c->next < rotations * omts) {
        uint8_t rotation = (uint8_t)(c->next / omts);
        const cat_omt *t = &special->omts[c->next % omts];
        c->next++;
        if (t->oters[rotation] != there && !drawn_over(s, there))
            continue;
        c->p = placement_on(id, t, rotation, at);
        if (save_cell_of((save_spot){c->p.x, c->p.y, c->p.z}) >= 0 && fits(s, special, &c->p))
            return true;
    }
    return false;
}

/* Returns the index in s->part (the cells of a group of the special's OMTs that touch each
 * other) of the first cell, at or after the index `from`, that no placement covers yet;
 * s->part_count if there is none. */
static size_t next_free(const splitter *s, size_t from)
{
    while (from < s->part_count && !(s->grid[s->part[from]] & FREE))
        from++;
    return from;
}

/* Covers a group of the special's OMTs that touch each other (s->part). Finds, by backtracking,
 * placements that together cover each cell of the group exactly once. True: these placements
 * are on s->stack. False: there are none, and nothing has changed. */
static bool cover_exactly(splitter *s, const cat_special *special, uint16_t id)
{
    s->depth = 0;
    s->stack[0] = (choice){.cell = s->part[0]};
    for (int budget = BUDGET; budget > 0; budget--) {
        choice *top = &s->stack[s->depth];
        if (try_next(s, special, id, top)) {
            cover(s, special, &top->p, true);
            s->depth++;
            size_t at = next_free(s, 0);
            if (at == s->part_count)
                return true;
            s->stack[s->depth] = (choice){.cell = s->part[at]};
        } else if (s->depth == 0) {
            return false;
        } else {
            s->depth--;
            cover(s, special, &s->stack[s->depth].p, false);
        }
    }
    while (s->depth > 0)
        cover(s, special, &s->stack[--s->depth].p, false);
    return false;
}

int save_cell_order(const void *pa, const void *pb)
{
    const int32_t *a = pa, *b = pb;
    return *a < *b ? -1 : *a > *b;
}

/* Collects in s->part the points (OMTs of a special) that are connected with the cell `start`:
 * each of them touches another one, at a side or at a corner. */
static void take_part(splitter *s, int32_t start)
{
    s->part_count = 0;
    s->part[s->part_count++] = start;
    s->grid[start] |= SEEN;
    for (size_t head = 0; head < s->part_count; head++) {
        save_spot at = save_spot_of(s->part[head]);
        for (int i = 0; i < 27; i++) {
            int32_t cell = save_cell_of(
                (save_spot){at.x + i % 3 - 1, at.y + i / 3 % 3 - 1, at.z + i / 9 - 1});
            if (cell < 0 || s->grid[cell] != FREE)
                continue;
            s->grid[cell] |= SEEN;
            s->part[s->part_count++] = cell;
        }
    }
    qsort(s->part, s->part_count, sizeof *s->part, save_cell_order);
}

static ptl_status split_part(splitter *s, const cat_special *special, uint16_t id,
                             ptl_error *err)
{
    if (!cover_exactly(s, special, id)) {
        /* Goes through the points (OMTs of the special). If no placement covers a point yet,
         * the first placement that fits there is laid over it. Points where no placement fits
         * stay uncovered. */
        s->depth = 0;
        for (size_t at = next_free(s, 0); at < s->part_count; at = next_free(s, at + 1)) {
            choice *top = &s->stack[s->depth];
            *top = (choice){.cell = s->part[at]};
            if (!try_next(s, special, id, top))
                continue;
            cover(s, special, &top->p, true);
            s->depth++;
        }
    }
    for (size_t i = 0; i < s->depth; i++) {
        gen_placement *p = features_add_placement(&s->o->features);
        if (!p)
            return error_nomem(err);
        *p = s->stack[i].p;
        p->omts = special->building ? 0 : (int32_t)special->omt_count;
    }
    return PTL_OK;
}

/* Divides the OMTs that a save lists for a special into groups of touching OMTs, since no
 * placement reaches from one group into another, and covers each group by placements. */
static ptl_status split_special(splitter *s, const save_points *points, ptl_error *err)
{
    const cat_special *special = &s->cat->specials[points->special];
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < points->count; i++)
        s->grid[points->cells[i]] = FREE;
    for (size_t i = 0; i < points->count && status == PTL_OK; i++) {
        if (s->grid[points->cells[i]] & SEEN)
            continue;
        take_part(s, points->cells[i]);
        status = split_part(s, special, points->special, err);
    }
    for (size_t i = 0; i < points->count; i++) {
        s->o->counts.points_left_out += (s->grid[points->cells[i]] & FREE) != 0;
        s->grid[points->cells[i]] = 0;
    }
    return status;
}

ptl_status save_split(save_overmap *o, const catalogue *cat, ptl_error *err)
{
    size_t most = 1;
    for (size_t i = 0; i < o->special_count; i++)
        most = o->specials[i].count > most ? o->specials[i].count : most;
    splitter s = {.cat = cat, .o = o};
    s.grid = calloc(CELLS, 1);
    bool *lines = calloc(cat->terrain_count + 1, sizeof *lines);
    for (size_t k = 0; lines && k < cat->connection_count; k++) {
        const cat_connection *c = &cat->connections[k];
        for (size_t i = 0; i < c->subtype_count; i++)
            if (c->subtypes[i].shape == PTL_TERRAIN_LINE && c->subtypes[i].terrain != CAT_NONE)
                lines[c->subtypes[i].terrain] = true;
    }
    s.lines = lines;
    s.part = malloc(most * sizeof *s.part);
    s.stack = malloc((most + 1) * sizeof *s.stack);
    ptl_status status = s.grid && s.lines && s.part && s.stack ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < o->special_count && status == PTL_OK; i++)
        if (o->specials[i].count > 0)
            status = split_special(&s, &o->specials[i], err);
    free(s.grid);
    free(s.lines);
    free(s.part);
    free(s.stack);
    return status;
}
