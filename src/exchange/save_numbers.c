/*
 * Finds out which points of a save belong to one placement. Since 0.G the games number the
 * arguments of local maps by placement, and `mapgen_arg_index` has that number for each point.
 * `joins_used` has the sides of mutable specials' pieces that met, from which the pieces can
 * be recognized.
 */
#include "exchange/save_json.h"

#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = PTL_LEVELS * PTL_LEVEL_CELLS, NO_SPECIAL = CAT_NONE };

/* A point with its number, and its position in the file. */
typedef struct numbered {
    int32_t number, cell;
    uint32_t turn;
    uint16_t special;
} numbered;

typedef struct numbering {
    const save_json *j;
    /* Owned, as the next two; by cell: the special; NO_SPECIAL for most. */
    uint16_t *special_at;
    int32_t *placed_at; /* by cell: index into save_overmap.placed; -1: none */
    numbered *points;
    size_t count, room;
} numbering;

static ptl_status begin(numbering *n)
{
    const save_overmap *o = n->j->out;
    n->special_at = malloc(CELLS * sizeof *n->special_at);
    n->placed_at = malloc(CELLS * sizeof *n->placed_at);
    if (!n->special_at || !n->placed_at)
        return error_nomem(n->j->err);
    for (size_t i = 0; i < CELLS; i++) {
        n->special_at[i] = NO_SPECIAL;
        n->placed_at[i] = -1;
    }
    for (size_t i = 0; i < o->special_count; i++)
        for (size_t k = 0; k < o->specials[i].count; k++)
            n->special_at[o->specials[i].cells[k]] = o->specials[i].special;
    return PTL_OK;
}

/* ---- points ---- */

static ptl_status read_number(numbering *n, const save_value *point, size_t storage)
{
    const save_json *j = n->j;
    const save_value where = save_element(point, 0), number = save_element(point, 1);
    const json_int_t wanted = json_integer_value(number.json);
    save_spot place = {0, 0, 0};
    if (json_array_size(point->json) != 2 || !json_is_integer(number.json))
        return save_json_fail(j, point, "a point's arguments are [place, number]");
    if (wanted < 0 || (size_t)wanted >= storage)
        return save_json_fail(
            j, &number, "mapgen_arg_storage has %zu entries, none of this number", storage);
    TRY(save_json_place(j, &where, &place));
    /* No point is known there if the content lacks the special, or the game dropped it. */
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

/* Reads the numbers. mapgen_arg_storage has the arguments themselves, which Portolan does not
 * keep; they are counted as left out unless null. */
static ptl_status read_index(numbering *n)
{
    const save_json *j = n->j;
    save_value storage, index;
    TRY(save_json_array(j, "mapgen_arg_storage", &storage));
    TRY(save_json_array(j, "mapgen_arg_index", &index));
    const size_t stored = json_array_size(storage.json);
    for (size_t i = 0; i < stored; i++)
        j->out->counts.details_left_out += !json_is_null(json_array_get(storage.json, i));
    for (size_t i = 0; i < json_array_size(index.json); i++) {
        const save_value point = save_element(&index, i);
        TRY(read_number(n, &point, stored));
    }
    return PTL_OK;
}

static int by_number(const void *pa, const void *pb)
{
    const numbered *a = pa, *b = pb;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->special != b->special)
        return a->special < b->special ? -1 : 1;
    return a->turn < b->turn ? -1 : a->turn > b->turn;
}

static bool same_placement(const numbered *a, const numbered *b)
{
    return a->number == b->number && a->special == b->special;
}

/* Makes a placement of the points with one number, points[from] to points[to - 1]. If the file
 * gives a cell two numbers, the lower one counts. */
static ptl_status add_placed(numbering *n, size_t from, size_t to)
{
    save_overmap *o = n->j->out;
    save_placed *placed = &o->placed[o->placed_count];
    *placed = (save_placed){.special = n->points[from].special,
                            .cells = malloc((to - from) * sizeof *placed->cells)};
    if (!placed->cells)
        return error_nomem(n->j->err);
    for (size_t i = from; i < to; i++) {
        const int32_t cell = n->points[i].cell;
        if (n->placed_at[cell] < 0) {
            n->placed_at[cell] = (int32_t)o->placed_count;
            placed->cells[placed->count++] = cell;
        }
    }
    o->placed_count++;
    return PTL_OK;
}

static ptl_status group_points(numbering *n)
{
    save_overmap *o = n->j->out;
    ptl_status status = PTL_OK;
    if (n->count > 1)
        qsort(n->points, n->count, sizeof *n->points, by_number);
    o->placed = calloc(n->count + 1, sizeof *o->placed);
    if (!o->placed)
        return error_nomem(n->j->err);
    for (size_t from = 0, to; from < n->count && status == PTL_OK; from = to) {
        for (to = from + 1; to < n->count; to++)
            if (!same_placement(&n->points[from], &n->points[to]))
                break;
        status = add_placed(n, from, to);
    }
    return status;
}

/* ---- joins ---- */

static int32_t find_join(const cat_mutable *layout, const char *id)
{
    for (size_t i = 0; layout && i < layout->join_count; i++)
        if (strcmp(layout->joins[i].id, id) == 0)
            return (int32_t)i;
    return -1;
}

/* Returns the placement that has this place, if its special has the join with this id; *join
 * is that join's index. Else NULL. */
static save_placed *placed_with(const numbering *n, save_spot place, const char *id,
                                uint16_t *join)
{
    save_overmap *o = n->j->out;
    const int32_t cell = save_cell_of(place);
    if (cell < 0 || n->placed_at[cell] < 0)
        return NULL;
    save_placed *placed = &o->placed[n->placed_at[cell]];
    const int32_t found = find_join(n->j->reader->cat->specials[placed->special].layout, id);
    *join = (uint16_t)found;
    return found < 0 ? NULL : placed;
}

/* Keeps a join with its placement. If a later special has covered the piece itself, the
 * placement is found through the OMT on the other side. */
static ptl_status keep_join(const numbering *n, save_spot place, int side, const char *id)
{
    static const int8_t steps[PTL_SIDES][3] = {{0, -1, 0}, {1, 0, 0}, {0, 1, 0},
                                               {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    save_placed *placed = NULL;
    uint16_t join;
    const int32_t cell = save_cell_of(place);
    if (cell >= 0) {
        const save_spot beyond = {place.x + steps[side][0], place.y + steps[side][1],
                                  place.z + steps[side][2]};
        placed = placed_with(n, place, id, &join);
        if (!placed)
            placed = placed_with(n, beyond, id, &join);
    }
    if (!placed) {
        n->j->out->counts.details_left_out++;
        return PTL_OK;
    }
    if (!ARRAY_ROOM(placed->joins, placed->join_room, placed->join_count + 1))
        return error_nomem(n->j->err);
    placed->joins[placed->join_count++] =
        (save_join){.cell = cell, .side = (uint8_t)side, .join = join};
    return PTL_OK;
}

/* Reads [[place, side], id]. */
static ptl_status read_join(const numbering *n, const save_value *join)
{
    const save_value where = save_element(join, 0), at = save_element(&where, 0);
    const json_t *side = json_array_get(where.json, 1);
    const char *id = json_string_value(json_array_get(join->json, 1));
    const json_int_t number = json_integer_value(side);
    save_spot place = {0, 0, 0};
    if (json_array_size(join->json) != 2 || json_array_size(where.json) != 2 || !id ||
        !json_is_integer(side) || number < 0 || number >= PTL_SIDES)
        return save_json_fail(n->j, join, "a join is [[place, side], id], the side 0 to %d",
                              PTL_SIDES - 1);
    TRY(save_json_place(n->j, &at, &place));
    return keep_join(n, place, (int)number, id);
}

static ptl_status read_joins(const numbering *n)
{
    save_value list;
    TRY(save_json_array(n->j, "joins_used", &list));
    for (size_t i = 0; i < json_array_size(list.json); i++) {
        const save_value join = save_element(&list, i);
        TRY(read_join(n, &join));
    }
    return PTL_OK;
}

ptl_status save_numbers_read(const save_json *j)
{
    numbering n = {.j = j};
    ptl_status status = begin(&n);
    THEN(status, read_index(&n));
    THEN(status, group_points(&n));
    THEN(status, read_joins(&n));
    if (status == PTL_OK) {
        /* Points without a number stay in out->specials, to be told apart by terrain
         * (placed.c). That is impossible for mutable specials, whose points are left out. */
        save_overmap *o = n.j->out;
        for (size_t i = 0; i < o->special_count; i++) {
            save_points *p = &o->specials[i];
            size_t kept = 0;
            for (size_t k = 0; k < p->count; k++)
                if (n.placed_at[p->cells[k]] < 0)
                    p->cells[kept++] = p->cells[k];
            p->count = kept;
            if (kept > 0 && n.j->reader->cat->specials[p->special].omt_count == 0) {
                o->counts.points_left_out += kept;
                p->count = 0;
            }
        }
    }
    free(n.special_at);
    free(n.placed_at);
    free(n.points);
    return status;
}
