/*
 * Finds out which points of a save (the OMTs that it lists for specials) belong to one
 * placement. Since 0.G the games keep a numbered set of arguments for mapgen for each
 * placement, and `mapgen_arg_index` gives this number for each point. `joins_used` lists the
 * sides of mutable specials' pieces that met, from which the pieces can be recognized.
 */
#include "exchange/save_json.h"

#include "core/array.h"

#include <stdlib.h>

enum { CELLS = PTL_LEVELS * PTL_LEVEL_CELLS, NO_SPECIAL = CAT_NONE };

/* An OMT that the file lists for a special: the number of its placement, the OMT's cell, and
 * its position in the file's order. */
typedef struct numbered {
    int32_t number, cell;
    uint32_t turn;
    uint16_t special;
} numbered;

/* What save_json.more points to while the points (OMTs of specials) and joins of a file are
 * read. */
typedef struct numbering {
    /* Owned, like the next two members. For each cell: the index of the special that has an OMT
     * there; NO_SPECIAL: none has. */
    uint16_t *special_at;
    int32_t *placed_at; /* for each cell: index into save_overmap.placed; -1: the cell belongs
                         * to no placement */
    numbered *points;
    size_t count, room;
    size_t storage; /* how many elements the JSON member `mapgen_arg_storage` of the file has */
} numbering;

/* ---- points ---- */

static ptl_status read_number(save_json *j, json_view point)
{
    numbering *n = j->more;
    json_view parts[2];
    int64_t wanted = 0;
    save_spot place = {0, 0, 0};
    if (save_json_parts(parts, 2, point) != 2 || !json_view_integer(parts[1], &wanted))
        return save_json_fail(j, point, "a point's arguments are [place, number]");
    if (wanted < 0 || (size_t)wanted >= n->storage)
        return save_json_fail(
            j, parts[1], "mapgen_arg_storage has %zu entries, none of this number", n->storage);
    TRY(save_json_place(j, point, parts[0], &place));
    /* If the content lacks the special, or says that the game has removed it, the cell is
     * treated as if no special covered it. */
    const int32_t cell = save_cell_of(place);
    if (cell < 0 || n->special_at[cell] == NO_SPECIAL)
        return PTL_OK;
    if (!ARRAY_ROOM(n->points, n->room, n->count + 1))
        return error_nomem(j->err);
    n->points[n->count] = (numbered){.number = (int32_t)wanted,
                                     .cell = cell,
                                     .turn = (uint32_t)n->count,
                                     .special = n->special_at[cell]};
    n->count++;
    return PTL_OK;
}

/* Reads from the member `mapgen_arg_index` for each point (OMT of a special) the number of its
 * placement. The member `mapgen_arg_storage` has the arguments for mapgen. Portolan does not
 * keep them, and counts those that are not null as left out. */
static ptl_status read_index(save_json *j)
{
    numbering *n = j->more;
    json_view storage;
    TRY(save_json_array(j, "mapgen_arg_storage", &storage));
    for (json_walk w = json_walk_of(storage); json_walk_next(&w); n->storage++)
        j->out->counts.details_left_out += json_view_kind(w.value) != VIEW_NULL;
    return save_json_each(j, "mapgen_arg_index", read_number);
}

static int by_number(const void *pa, const void *pb)
{
    const numbered *a = pa, *b = pb;
    return ORDER_BY(a->number, b->number, a->special, b->special, a->turn, b->turn);
}

/* The file gives a number to OMTs of specials (points). Points with the same number become one
 * placement. If the file gives a cell two numbers, the lower number counts. */
static ptl_status group_points(const save_json *j)
{
    numbering *n = j->more;
    save_overmap *o = j->out;
    if (n->count > 1)
        qsort(n->points, n->count, sizeof *n->points, by_number);
    o->placed = calloc(n->count + 1, sizeof *o->placed);
    if (!o->placed)
        return error_nomem(j->err);
    for (size_t from = 0, to; from < n->count; from = to) {
        const numbered *first = &n->points[from];
        to = from + 1;
        while (to < n->count && n->points[to].number == first->number &&
               n->points[to].special == first->special)
            to++;
        save_placed *placed = &o->placed[o->placed_count];
        *placed = (save_placed){.special = first->special,
                                .cells = malloc((to - from) * sizeof *placed->cells)};
        if (!placed->cells)
            return error_nomem(j->err);
        for (size_t i = from; i < to; i++) {
            const int32_t cell = n->points[i].cell;
            if (n->placed_at[cell] >= 0)
                continue;
            n->placed_at[cell] = (int32_t)o->placed_count;
            placed->cells[placed->count++] = cell;
        }
        o->placed_count++;
    }
    return PTL_OK;
}

/* ---- joins ---- */

/* Returns the placement that has an OMT at this place, if its special has a join with this id;
 * *join becomes the index of the join. Returns NULL if there is none. */
static save_placed *placed_with(const save_json *j, save_spot place, const char *id,
                                uint16_t *join)
{
    const numbering *n = j->more;
    const int32_t cell = save_cell_of(place);
    if (cell < 0 || n->placed_at[cell] < 0)
        return NULL;
    save_placed *placed = &j->out->placed[n->placed_at[cell]];
    const cat_mutable *layout = j->reader->cat->specials[placed->special].layout;
    for (size_t i = 0; layout && i < layout->join_count; i++)
        if (strcmp(layout->joins[i].id, id) == 0) {
            *join = (uint16_t)i;
            return placed;
        }
    return NULL;
}

/* Reads an element of `joins_used`, which has the form [[place, side], id]. Adds the join to
 * the placement that has a piece at the place. If a special that was placed later covers that
 * piece, the placement is found by the OMT on the other side of the join. */
static ptl_status read_join(save_json *j, json_view value)
{
    static const int8_t steps[PTL_SIDES][3] = {{0, -1, 0}, {1, 0, 0}, {0, 1, 0},
                                               {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    json_view parts[2], where[2];
    int64_t side = 0;
    uint16_t join;
    save_spot at = {0, 0, 0};
    const size_t count = save_json_parts(parts, 2, value);
    const char *id = save_json_string(j, parts[1]);
    if (count != 2 || save_json_parts(where, 2, parts[0]) != 2 || !id ||
        !json_view_integer(where[1], &side) || side < 0 || side >= PTL_SIDES)
        return save_json_fail(j, value, "a join is [[place, side], id], the side 0 to %d",
                              PTL_SIDES - 1);
    TRY(save_json_place(j, value, where[0], &at));
    const int32_t cell = save_cell_of(at);
    save_placed *placed = cell >= 0 ? placed_with(j, at, id, &join) : NULL;
    if (cell >= 0 && !placed)
        placed = placed_with(
            j, (save_spot){at.x + steps[side][0], at.y + steps[side][1], at.z + steps[side][2]},
            id, &join);
    if (!placed) {
        j->out->counts.details_left_out++;
        return PTL_OK;
    }
    if (!ARRAY_ROOM(placed->joins, placed->join_room, placed->join_count + 1))
        return error_nomem(j->err);
    placed->joins[placed->join_count++] =
        (save_join){.cell = cell, .side = (uint8_t)side, .join = join};
    return PTL_OK;
}

ptl_status save_numbers_read(save_json *j)
{
    save_overmap *o = j->out;
    numbering n = {.special_at = malloc(CELLS * sizeof *n.special_at),
                   .placed_at = malloc(CELLS * sizeof *n.placed_at)};
    ptl_status status = n.special_at && n.placed_at ? PTL_OK : error_nomem(j->err);
    j->more = &n;
    for (size_t i = 0; i < CELLS && status == PTL_OK; i++) {
        n.special_at[i] = NO_SPECIAL;
        n.placed_at[i] = -1;
    }
    for (size_t i = 0; i < o->special_count && status == PTL_OK; i++)
        for (size_t k = 0; k < o->specials[i].count; k++)
            n.special_at[o->specials[i].cells[k]] = o->specials[i].special;
    THEN(status, read_index(j));
    THEN(status, group_points(j));
    THEN(status, save_json_each(j, "joins_used", read_join));
    /* OMTs of specials (points) to which the file gives no number stay in out->specials, where
     * save_split assigns them to placements by their terrain. For mutable specials that is
     * impossible, so their points are dropped here. */
    for (size_t i = 0; i < o->special_count && status == PTL_OK; i++) {
        save_points *p = &o->specials[i];
        size_t kept = 0;
        for (size_t k = 0; k < p->count; k++)
            if (n.placed_at[p->cells[k]] < 0)
                p->cells[kept++] = p->cells[k];
        p->count = kept;
        if (kept > 0 && j->reader->cat->specials[p->special].omt_count == 0) {
            o->counts.points_left_out += kept;
            p->count = 0;
        }
    }
    free(n.special_at);
    free(n.placed_at);
    free(n.points);
    return status;
}
