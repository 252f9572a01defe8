/*
 * Lakes and rivers: 4-connected sets of cells, across chunks. Rows are cut into runs; runs that
 * touch in the row above, or across a border, are joined (union-find).
 */
#include "analysis/search/relation_impl.h"

#include "core/array.h"

#include <stdlib.h>

typedef struct run {
    span s;
    uint32_t up; /* of the forest */
} run;

typedef struct run_list {
    run *list; /* owned; in order of (y, x) within each chunk */
    size_t count, room;
    size_t *firsts; /* owned; by chunk * SIZE + row */
} run_list;

static uint32_t root(run *list, uint32_t i)
{
    while (list[i].up != i) {
        list[i].up = list[list[i].up].up;
        i = list[i].up;
    }
    return i;
}

static void unite(run *list, uint32_t a, uint32_t b)
{
    a = root(list, a);
    b = root(list, b);
    list[a > b ? a : b].up = a < b ? a : b;
}

static bool add_run(run_list *runs, span s)
{
    if (!ARRAY_ROOM(runs->list, runs->room, runs->count + 1))
        return false;
    runs->list[runs->count] = (run){s, (uint32_t)runs->count};
    runs->count++;
    return true;
}

static bool bit(const uint64_t row[PLANE_WORDS], int32_t x)
{
    return row[x / 64] >> (x % 64) & 1;
}

static bool cut_row(run_list *runs, const uint64_t row[PLANE_WORDS], int32_t west, int32_t y)
{
    bool good = true;
    for (int32_t x = 0; x < PTL_CHUNK_SIZE && good; x++) {
        if (row[x / 64] == 0) {
            x |= 63;
            continue;
        }
        if (!bit(row, x))
            continue;
        const int32_t from = x;
        while (x + 1 < PTL_CHUNK_SIZE && bit(row, x + 1))
            x++;
        good = add_run(runs, (span){west + from, west + x, y, 0});
    }
    return good;
}

static bool cut(run_list *runs, const finder *f, const rel_set *set)
{
    bool good = true;
    runs->firsts = malloc((f->chunk_count * PTL_CHUNK_SIZE + 1) * sizeof *runs->firsts);
    if (!runs->firsts)
        return false;
    for (size_t c = 0; c < f->chunk_count && good; c++)
        for (int32_t y = 0; y < PTL_CHUNK_SIZE && good; y++) {
            runs->firsts[c * PTL_CHUNK_SIZE + (size_t)y] = runs->count;
            if (set->planes[c])
                good = cut_row(runs, set->planes[c]->rows[y], f->chunks[c].x * PTL_CHUNK_SIZE,
                               f->chunks[c].y * PTL_CHUNK_SIZE + y);
        }
    runs->firsts[f->chunk_count * PTL_CHUNK_SIZE] = runs->count;
    return good;
}

/* Joins the runs of two rows, numbered as in firsts, where they overlap, widened by `aside`. */
static void join_rows(run_list *runs, size_t upper, size_t lower, int32_t aside)
{
    size_t i = runs->firsts[upper], j = runs->firsts[lower];
    const size_t i_end = runs->firsts[upper + 1], j_end = runs->firsts[lower + 1];
    while (i < i_end && j < j_end) {
        const span *a = &runs->list[i].s, *b = &runs->list[j].s;
        if (a->x0 <= b->x1 + aside && b->x0 <= a->x1 + aside)
            unite(runs->list, (uint32_t)i, (uint32_t)j);
        if (a->x1 < b->x1)
            i++;
        else
            j++;
    }
}

/* The chunk at (x, y), or chunk_count. */
static size_t chunk_at(const finder *f, int32_t x, int32_t y)
{
    const size_t i = rel_chunk_from(f, x, y);
    return i < f->chunk_count && f->chunks[i].x == x && f->chunks[i].y == y ? i
                                                                            : f->chunk_count;
}

static void unite_chunk(run_list *runs, const finder *f, size_t c)
{
    const size_t size = PTL_CHUNK_SIZE, first = c * size;
    const size_t east = chunk_at(f, f->chunks[c].x + 1, f->chunks[c].y);
    const size_t south = chunk_at(f, f->chunks[c].x, f->chunks[c].y + 1);
    for (size_t y = 0; y + 1 < size; y++)
        join_rows(runs, first + y, first + y + 1, 0);
    for (size_t y = 0; y < size && east < f->chunk_count; y++)
        join_rows(runs, first + y, east * size + y, 1);
    if (south < f->chunk_count)
        join_rows(runs, first + size - 1, south * size, 0);
}

static int compare_runs(const void *left, const void *right)
{
    const run *a = left, *b = right;
    if (a->up != b->up)
        return a->up < b->up ? -1 : 1;
    if (a->s.y != b->s.y)
        return a->s.y < b->s.y ? -1 : 1;
    return a->s.x0 < b->s.x0 ? -1 : a->s.x0 > b->s.x0;
}

static bool make_item(finder *f, rel_set *set, const run *list, size_t count)
{
    rel_item *item = rel_item_add(set);
    bool good = item != NULL;
    if (!item)
        return false;
    /* Their order does not depend on the conditions, so it identifies them. */
    *item = (rel_item){.key = ((int64_t)set->thing->kind << 56) + (int64_t)set->count,
                       .x = list->s.x0,
                       .y = list->s.y,
                       .first = f->spans.count,
                       .count = count,
                       .what = set->thing->kind == REL_LAKE ? "lake" : "river"};
    item->box = (box){list->s.x0, list->s.y, list->s.x1, list->s.y};
    for (size_t i = 0; i < count && good; i++) {
        const span *s = &list[i].s;
        box *b = &item->box;
        b->x0 = s->x0 < b->x0 ? s->x0 : b->x0;
        b->x1 = s->x1 > b->x1 ? s->x1 : b->x1;
        b->y1 = s->y;
        good = span_add(&f->spans, *s);
    }
    return good;
}

bool rel_make_areas(finder *f, rel_set *set)
{
    run_list runs = {NULL, 0, 0, NULL};
    bool good = cut(&runs, f, set);
    for (size_t c = 0; c < f->chunk_count && good; c++)
        unite_chunk(&runs, f, c);
    for (size_t i = 0; i < runs.count && good; i++)
        runs.list[i].up = root(runs.list, (uint32_t)i);
    if (good && runs.count > 0)
        qsort(runs.list, runs.count, sizeof *runs.list, compare_runs);
    for (size_t i = 0; i < runs.count && good;) {
        size_t end = i + 1;
        while (end < runs.count && runs.list[end].up == runs.list[i].up)
            end++;
        good = make_item(f, set, runs.list + i, end - i);
        i = end;
    }
    free(runs.list);
    free(runs.firsts);
    return good;
}
