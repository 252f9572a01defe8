/*
 * Tells the placements of a fixed special apart. A save lists the points of all of them
 * together, and the definition has the footprint of one. Points that touch each other are
 * covered by footprints. First a search with a budget looks for an exact cover; if it finds
 * none, footprints are laid one after the other as far as possible.
 *
 * A footprint fits if its OMTs have the terrain of the definition. A few may differ, if a
 * connection to the special was drawn over them.
 */
#include "core/error.h"
#include "exchange/exchange.h"

#include <stdlib.h>
#include <string.h>

enum {
    CELLS = PTL_LEVELS * PTL_LEVEL_CELLS,
    BUDGET = 20000, /* steps of one search for an exact cover */
    FREE = 1,       /* a point of the special that no placement covers yet */
    SEEN = 2        /* a point that was taken into a part */
};

/* A level of the search: one point, and the placement that covers it. */
typedef struct choice {
    int32_t cell;    /* the point */
    size_t next;     /* the next candidate to try */
    gen_placement p; /* the candidate that covers it now */
} choice;

typedef struct splitter {
    const catalogue *cat;
    save_overmap *o;
    uint8_t *grid; /* owned; by cell: FREE, SEEN */
    bool *lines;   /* owned; by terrain type: some connection draws it as a line */
    int32_t *part; /* owned; cells of the present part, sorted */
    choice *stack; /* owned; room for as many choices as there are points */
    size_t part_count, depth;
} splitter;

static bool drawn_over(const splitter *s, ptl_oter oter)
{
    return s->lines[s->cat->oters[oter].terrain];
}

/* Does the placement fit on free points? At most a quarter of its OMTs may be drawn over. */
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
        if (cell >= 0) /* always true, since the placement fits */
            s->grid[cell] = (uint8_t)(covered ? s->grid[cell] & ~FREE : s->grid[cell] | FREE);
    }
}

/* Tries the candidates from c->next on, until one fits. There is one for each rotation and
 * each OMT of the footprint that can lie on the point. */
static bool try_next(const splitter *s, const cat_special *special, uint16_t id, choice *c)
{
    const size_t rotations = special->rotate ? 4 : 1, omts = special->omt_count;
    const ptl_oter there = save_oter_at(s->o->chunk, c->cell);
    save_spot at = save_spot_of(c->cell);
    while (omts > 0 && c->next < rotations * omts) {
        uint8_t rotation = (uint8_t)(c->next / omts);
        const cat_omt *t = &special->omts[c->next % omts];
        int32_t x, y;
        c->next++;
        if (t->oters[rotation] != there && !drawn_over(s, there))
            continue;
        feature_rotate(t->x, t->y, rotation, &x, &y);
        c->p = (gen_placement){.special = id,
                               .x = (int16_t)(at.x - x),
                               .y = (int16_t)(at.y - y),
                               .z = (int8_t)(at.z - t->z),
                               .rotation = rotation,
                               .city = FEATURE_NO_CITY};
        if (save_cell_of((save_spot){c->p.x, c->p.y, c->p.z}) >= 0 && fits(s, special, &c->p))
            return true;
    }
    return false;
}

/* Returns the index of the part's first free point at or after `from`; the part's size if
 * there is none. */
static size_t next_free(const splitter *s, size_t from)
{
    while (from < s->part_count && !(s->grid[s->part[from]] & FREE))
        from++;
    return from;
}

/* Covers the part exactly by backtracking. True: the placements are on the stack. False:
 * nothing has changed. */
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

/* Collects the points that are connected with `start`, diagonally, too. */
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
        /*
         * Lays at each free point the first candidate that fits. Points without one stay free.
         */
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

/* Divides the points of a special into connected parts, since no footprint reaches from one
 * part into another. */
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
