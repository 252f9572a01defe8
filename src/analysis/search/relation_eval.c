/*
 * Evaluates a relation. The conditions of a thing decide which things of its kind remain. That
 * is computed once for each set, and only if something asks for it. What remains of the
 * subject are the matches.
 */
#include "analysis/search/relation_impl.h"
#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/*
 * Lakes and rivers: 4-connected areas of cells, also across chunks. Rows are cut into runs;
 * runs that touch in the next row, or across a chunk's edge, are joined (union-find).
 */

typedef struct run {
    span s;
    uint32_t up; /* parent in the union-find forest */
} run;

typedef struct run_list {
    run *list; /* owned; in order of (y, x) within each chunk */
    size_t count, room;
    size_t *firsts; /* owned; first run of a row, by chunk * SIZE + row */
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

static bool cut_row(run_list *runs, const uint64_t row[PLANE_WORDS], int32_t west, int32_t y)
{
    bool good = true;
    for (int32_t x = 0; x < PTL_CHUNK_SIZE && good; x++) {
        if (row[x / 64] == 0) {
            x |= 63;
            continue;
        }
        if (!rel_bit(row, (size_t)x))
            continue;
        const int32_t from = x;
        while (x + 1 < PTL_CHUNK_SIZE && rel_bit(row, (size_t)x + 1))
            x++;
        good = ARRAY_ROOM(runs->list, runs->room, runs->count + 1);
        if (good) {
            runs->list[runs->count] =
                (run){{west + from, west + x, y, 0}, (uint32_t)runs->count};
            runs->count++;
        }
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

/* Joins the runs of two rows (numbered as in firsts) where they overlap; `aside` allows for
 * a gap, for rows side by side. */
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

/* Returns the number of the chunk at (x, y); chunk_count if there is none. */
static size_t chunk_at(const finder *f, int32_t x, int32_t y)
{
    const size_t i = rel_chunk_from(f, x, y);
    return i < f->chunk_count && f->chunks[i].x == x && f->chunks[i].y == y ? i
                                                                            : f->chunk_count;
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
    /* The order of items does not depend on the conditions, so it can identify them. */
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

/* Makes a set's items, which are lakes or rivers, from its planes. False when memory is
 * out. */
static bool rel_make_areas(finder *f, rel_set *set)
{
    run_list runs = {NULL, 0, 0, NULL};
    bool good = cut(&runs, f, set);
    for (size_t c = 0; c < f->chunk_count && good; c++) {
        const size_t size = PTL_CHUNK_SIZE, first = c * size;
        const size_t east = chunk_at(f, f->chunks[c].x + 1, f->chunks[c].y);
        const size_t south = chunk_at(f, f->chunks[c].x, f->chunks[c].y + 1);
        for (size_t y = 0; y + 1 < size; y++)
            join_rows(&runs, first + y, first + y + 1, 0);
        for (size_t y = 0; y < size && east < f->chunk_count; y++)
            join_rows(&runs, first + y, east * size + y, 1);
        if (south < f->chunk_count)
            join_rows(&runs, first + size - 1, south * size, 0);
    }
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

static void prepare(finder *f, rel_set *set);

/* The thing whose conditions are tested: an item, or, if that is NULL, the cell at `at`. */
typedef struct looker {
    const rel_item *item;
    rel_kind kind;
    span at;
} looker;

static int32_t count_bits(const plane *p)
{
    int32_t count = 0;
    for (int32_t y = 0; p && y < PTL_CHUNK_SIZE; y++)
        for (int32_t w = 0; w < PLANE_WORDS; w++)
            count += __builtin_popcountll(p->rows[y][w]);
    return count;
}

/* Counts all things of the set, except the looker itself; may stop at `enough`. */
static int32_t count_all(const finder *f, const rel_set *set, const looker *l, int32_t enough)
{
    const size_t planes = f->chunk_count * (size_t)rel_levels(set->thing);
    int64_t count = 0;
    if (!rel_is_cells(set->thing->kind)) {
        for (size_t i = 0; i < set->count && count < enough; i++)
            count += !set->items[i].out && !(l->item && l->item->key == set->items[i].key);
        return (int32_t)count;
    }
    const bool itself = !l->item && rel_has_cell(f, set, &l->at);
    for (size_t i = 0; i < planes && count <= enough; i++)
        count += count_bits(set->planes[i]);
    return (int32_t)(count - itself);
}

static bool holds(finder *f, const rel_condition *c, const looker *l)
{
    switch (c->test) {
    case REL_AND:
        return holds(f, c->left, l) && holds(f, c->right, l);
    case REL_OR:
        return holds(f, c->left, l) || holds(f, c->right, l);
    case REL_NOT:
        return !holds(f, c->left, l);
    case REL_LEVEL:
        return l->at.z >= c->min && l->at.z <= c->max;
    default:
        break;
    }
    rel_set *set = &f->sets[c->thing->index];
    prepare(f, set);
    /* One more than the maximum is enough to know that there are too many. */
    const int32_t enough = c->max < REL_COUNT_MAX ? c->max + 1 : c->min;
    int32_t count = 0;
    if (c->distance == REL_ANYWHERE) {
        count = count_all(f, set, l, enough);
    } else {
        const bool beside = c->distance == REL_BESIDE;
        const rel_item *item = l->item;
        probe p = {.spans = &l->at,
                   .count = 1,
                   .box = {l->at.x0, l->at.y, l->at.x0, l->at.y},
                   .radius = item ? item->radius : 0,
                   .key = item ? item->key : -1};
        if (item && (beside || rel_is_area(l->kind))) {
            p.spans = f->spans.list + item->first;
            p.count = item->count;
            p.box = item->box;
        }
        count = rel_count_near(f, set, &p, c->distance, enough);
    }
    return count >= c->min && count <= c->max;
}

/* What is done with each cell of a set: filtering, or adding it to the matches. */
typedef void cell_visit(finder *f, rel_set *set, plane *p, const span *at);

static void each_cell_of(finder *f, rel_set *set, size_t index, cell_visit *visit)
{
    const size_t levels = (size_t)rel_levels(set->thing);
    const ptl_chunk_pos pos = f->chunks[index / levels];
    const int32_t z = rel_first_z(set->thing) + (int32_t)(index % levels);
    plane *p = set->planes[index];
    for (int32_t y = 0; y < PTL_CHUNK_SIZE; y++)
        for (int32_t w = 0; w < PLANE_WORDS; w++)
            for (uint64_t left = p->rows[y][w]; left != 0; left &= left - 1) {
                const int32_t x = pos.x * PTL_CHUNK_SIZE + 64 * w + __builtin_ctzll(left);
                visit(f, set, p, &(span){x, x, pos.y * PTL_CHUNK_SIZE + y, z});
            }
}

static void each_cell(finder *f, rel_set *set, cell_visit *visit)
{
    const size_t planes = f->chunk_count * (size_t)rel_levels(set->thing);
    for (size_t i = 0; i < planes; i++)
        if (set->planes[i])
            each_cell_of(f, set, i, visit);
}

static void keep_cell(finder *f, rel_set *set, plane *p, const span *at)
{
    const looker l = {NULL, set->thing->kind, *at};
    const int32_t size = PTL_CHUNK_SIZE;
    const int32_t x = (at->x0 % size + size) % size, y = (at->y % size + size) % size;
    if (!holds(f, set->thing->condition, &l))
        p->rows[y][x / 64] &= ~(UINT64_C(1) << (x % 64));
}

static void prepare(finder *f, rel_set *set)
{
    const rel_thing *thing = set->thing;
    if (set->ready)
        return;
    set->ready = true;
    if (!set->any)
        return;
    if (rel_is_area(thing->kind) && !rel_make_areas(f, set))
        f->no_memory = true;
    if (!thing->condition)
        return;
    if (rel_is_cells(thing->kind))
        each_cell(f, set, keep_cell);
    for (size_t i = 0; i < set->count && !f->no_memory; i++) {
        rel_item *item = &set->items[i];
        const looker l = {item, thing->kind, {item->x, item->x, item->y, item->z}};
        item->out = !holds(f, thing->condition, &l);
    }
}

/* ---- matches ---- */

static void add_match(finder *f, relation_match match)
{
    if (!ARRAY_ROOM(f->matches, f->match_room, f->match_count + 1)) {
        f->no_memory = true;
        return;
    }
    f->matches[f->match_count++] = match;
}

static void add_cell(finder *f, rel_set *set, plane *p, const span *at)
{
    (void)p;
    add_match(f, (relation_match){at->x0, at->y, at->z,
                                  set->thing->kind == REL_ROAD ? "road" : "terrain"});
}

static int compare_numbers(int32_t a, int32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_matches(const void *left, const void *right)
{
    const relation_match *a = left, *b = right;
    int order = compare_numbers(a->y, b->y);
    if (order == 0)
        order = compare_numbers(a->x, b->x);
    if (order == 0)
        order = compare_numbers(a->z, b->z);
    return order ? order : strcmp(a->what, b->what);
}

ptl_status finder_find(finder *f, const relation_match **out, size_t *count, ptl_error *err)
{
    rel_set *set = &f->sets[0];
    f->found = true;
    f->match_count = 0;
    f->no_memory = false;
    prepare(f, set);
    if (rel_is_cells(set->thing->kind)) {
        if (set->any)
            each_cell(f, set, add_cell);
    } else {
        for (size_t i = 0; i < set->count; i++)
            if (!set->items[i].out)
                add_match(f, (relation_match){set->items[i].x, set->items[i].y, set->items[i].z,
                                              set->items[i].what});
    }
    *out = NULL;
    *count = 0;
    if (f->no_memory)
        return error_nomem(err);
    if (f->match_count > 1)
        qsort(f->matches, f->match_count, sizeof *f->matches, compare_matches);
    *out = f->matches;
    *count = f->match_count;
    return PTL_OK;
}
