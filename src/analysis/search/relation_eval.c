/*
 * Evaluates a relation. For each thing that the relation names there is a set of things in the
 * overmaps: those that fulfil the conditions stated for the named thing. A set is computed
 * once, and only if another condition or the result needs it. The matches are the things in the
 * set of the relation's subject.
 */
#include "analysis/search/relation_impl.h"
#include "core/array.h"
#include "core/error.h"
#include "core/whole.h"
#include "model/chunk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A thing, when things near it are counted: its cells, the box around these cells, and its
 * radius. */
typedef struct probe {
    const span *spans;
    size_t count;
    box box;
    int32_t radius;
    /* Key of the thing's rel_item; -1: the thing is a single cell, which has none. */
    int64_t key;
} probe;

/* ---- which things are near each other ---- */

/*
 * Placements, cities, lakes and rivers are lists of spans (runs of cells in a row), which are
 * compared pair by pair if their boxes are near enough. Roads and terrains are single cells,
 * one bit each, which are counted row by row within a disc. All is computed in whole numbers.
 */

/* A limit for two distances, in OMTs. A building's origin never lies farther outside of its
 * chunk than this, and the building's OMTs never lie farther from its origin. */
enum { OUTSIDE = 2 * PTL_CHUNK_SIZE };

typedef struct question {
    const finder *f;
    const rel_set *set;
    const probe *p;
    /* How near to the thing other things must lie to be counted: the distance that the relation
     * states, plus the radius of the thing. */
    int32_t reach;
    bool beside;
    int32_t enough, count;
} question;

static int64_t gap(int32_t a0, int32_t a1, int32_t b0, int32_t b1)
{
    return b0 > a1 ? (int64_t)b0 - a1 : a0 > b1 ? (int64_t)a0 - b1 : 0;
}

static bool spans_near(const question *q, const span *list, size_t count, int64_t reach)
{
    for (size_t i = 0; i < q->p->count; i++) {
        const span *a = &q->p->spans[i];
        for (size_t j = 0; j < count; j++) {
            const int64_t dx = gap(a->x0, a->x1, list[j].x0, list[j].x1);
            const int64_t dy = gap(a->y, a->y, list[j].y, list[j].y);
            if (dx * dx + dy * dy <= reach * reach && (!q->beside || a->z == list[j].z))
                return true;
        }
    }
    return false;
}

static void count_item(question *q, const rel_item *item)
{
    const int64_t reach = (int64_t)q->reach + item->radius;
    if (item->out || item->key == q->p->key)
        return;
    /* With "beside" all cells of a thing count. Without it only the origin of a placement
     * counts, but still all cells of a lake or river. */
    const bool origin = !q->beside && !rel_is_area(q->set->thing->kind);
    const span at = {item->x, item->x, item->y, item->z};
    const box around = {item->x, item->y, item->x, item->y};
    const box *a = &q->p->box, *b = origin ? &around : &item->box;
    if (gap(a->x0, a->x1, b->x0, b->x1) > reach || gap(a->y0, a->y1, b->y0, b->y1) > reach)
        return;
    q->count += origin ? spans_near(q, &at, 1, reach)
                       : spans_near(q, q->f->spans.list + item->first, item->count, reach);
}

static int32_t chunk_of(int64_t cell)
{
    return (int32_t)floor_div(cell, PTL_CHUNK_SIZE);
}

/* Visits the chunks that have cells within reach of the box around the thing q->p. Ends early
 * when enough things were counted. */
static void each_chunk(question *q, int64_t reach, void (*visit)(question *q, size_t chunk))
{
    const finder *f = q->f;
    const box *b = &q->p->box;
    if (f->chunk_count == 0)
        return;
    int32_t y = chunk_of(b->y0 - reach);
    const int32_t x0 = chunk_of(b->x0 - reach), x1 = chunk_of(b->x1 + reach);
    const int32_t last = chunk_of(b->y1 + reach);
    while (y <= last && q->count < q->enough) {
        size_t i = chunk_first_from(f->chunks, f->chunk_count, x0, y);
        if (i == f->chunk_count)
            return;
        /* The finder has no chunks in row y of chunks, so go on with the next row that has
         * some. */
        if (f->chunks[i].y > y) {
            y = f->chunks[i].y;
            continue;
        }
        for (; i < f->chunk_count && f->chunks[i].y == y && f->chunks[i].x <= x1; i++)
            visit(q, i);
        y++;
    }
}

static void count_items_of_chunk(question *q, size_t chunk)
{
    const rel_set *set = q->set;
    for (size_t i = set->firsts[chunk]; i < set->firsts[chunk + 1]; i++)
        count_item(q, &set->items[i]);
}

/* ---- cells ---- */

/* Sets the bits x0 .. x1 (0..179) in the words of a row. */
static void row_mask(uint64_t out[PLANE_WORDS], int32_t x0, int32_t x1)
{
    for (int32_t w = 0; w < PLANE_WORDS; w++) {
        const int32_t from = x0 - 64 * w, to = x1 - 64 * w;
        const uint64_t low = from <= 0 ? ~UINT64_C(0) : from > 63 ? 0 : ~UINT64_C(0) << from;
        const uint64_t high = to >= 63 ? ~UINT64_C(0) : to < 0 ? 0 : ~UINT64_C(0) >> (63 - to);
        out[w] = low & high;
    }
}

/* Returns how far a disc extends to each side in a row at distance dy from its centre; -1 if
 * the disc does not reach that row. */
static int64_t half_width(int64_t radius, int64_t dy)
{
    const int64_t rest = radius * radius - dy * dy;
    if (rest < 0)
        return -1;
    int64_t w = (int64_t)sqrt((double)rest);
    while (w * w > rest)
        w--;
    while ((w + 1) * (w + 1) <= rest)
        w++;
    return w;
}

/* Sets *x0 and *x1 to the first and last column of a chunk's row that are at most q->reach OMTs
 * away from a span (a run of cells in another row). False if there are none. */
static bool part_of_row(const question *q, const span *s, ptl_chunk_pos pos, int32_t row,
                        int32_t *x0, int32_t *x1)
{
    const int64_t west = (int64_t)pos.x * PTL_CHUNK_SIZE;
    const int64_t dy = (int64_t)pos.y * PTL_CHUNK_SIZE + row - s->y;
    const int64_t w = half_width(q->reach, dy), from = s->x0 - w - west, to = s->x1 + w - west;
    *x0 = from < 0 ? 0 : (int32_t)(from < PTL_CHUNK_SIZE ? from : PTL_CHUNK_SIZE);
    *x1 = to >= PTL_CHUNK_SIZE ? PTL_CHUNK_SIZE - 1 : (int32_t)(to < 0 ? -1 : to);
    return w >= 0 && *x0 <= *x1;
}

/* Counts the cells of a level that are within reach of the thing q->p. A thing may consist of
 * several cells. So that each cell is counted only once, the cells of one row that are within
 * reach of any of them are first collected in a mask of bits. */
static void count_around(question *q, const plane *bits, ptl_chunk_pos pos, int32_t z)
{
    const int64_t north = (int64_t)pos.y * PTL_CHUNK_SIZE;
    const int64_t first = q->p->box.y0 - q->reach - north,
                  last = q->p->box.y1 + q->reach - north;
    int32_t y = first < 0 ? 0 : (int32_t)(first < PTL_CHUNK_SIZE ? first : PTL_CHUNK_SIZE);
    for (; y < PTL_CHUNK_SIZE && y <= last && q->count < q->enough; y++) {
        uint64_t mask[PLANE_WORDS] = {0}, part[PLANE_WORDS];
        for (size_t i = 0; i < q->p->count; i++) {
            const span *s = &q->p->spans[i];
            int32_t x0, x1;
            if ((q->beside && s->z != z) || !part_of_row(q, s, pos, y, &x0, &x1))
                continue;
            row_mask(part, x0, x1);
            for (int32_t w = 0; w < PLANE_WORDS; w++)
                mask[w] |= part[w];
        }
        for (int32_t w = 0; w < PLANE_WORDS; w++)
            q->count += __builtin_popcountll(bits->rows[y][w] & mask[w]);
    }
}

static void count_cells_of_chunk(question *q, size_t chunk)
{
    const rel_thing *thing = q->set->thing;
    const int32_t levels = rel_levels(thing);
    for (int32_t i = 0; i < levels && q->count < q->enough; i++) {
        const plane *bits = q->set->planes[chunk * (size_t)levels + (size_t)i];
        if (bits)
            count_around(q, bits, q->f->chunks[chunk], rel_first_z(thing) + i);
    }
}

/* Returns the index in f->chunks of the chunk at a place; f->chunk_count if there is none. */
static size_t chunk_at(const finder *f, ptl_chunk_pos at)
{
    const size_t i = chunk_first_from(f->chunks, f->chunk_count, at.x, at.y);
    return i < f->chunk_count && f->chunks[i].x == at.x && f->chunks[i].y == at.y
               ? i
               : f->chunk_count;
}

/* Returns whether the set, which consists of single cells, has the cell of this span. The span
 * has only one cell. */
static bool rel_has_cell(const finder *f, const rel_set *set, const span *s)
{
    const ptl_chunk_pos at = {chunk_of(s->x0), chunk_of(s->y)};
    const size_t i = chunk_at(f, at);
    const int32_t z = s->z - rel_first_z(set->thing), levels = rel_levels(set->thing);
    if (i == f->chunk_count || z < 0 || z >= levels)
        return false;
    const plane *bits = set->planes[i * (size_t)levels + (size_t)z];
    const int32_t x = s->x0 - at.x * PTL_CHUNK_SIZE, y = s->y - at.y * PTL_CHUNK_SIZE;
    return bits && rel_bit(bits->rows[y], (size_t)x);
}

/* Counts the things of the set that lie within the distance of the thing `p`, or, if the
 * distance is REL_BESIDE, beside it. `p` itself does not count. The count may end as soon as it
 * reaches `enough`. */
static int32_t rel_count_near(const finder *f, const rel_set *set, const probe *p,
                              int32_t distance, int32_t enough)
{
    const bool beside = distance == REL_BESIDE;
    question q = {f, set, p, (beside ? 1 : distance) + p->radius, beside, enough, 0};
    if (rel_is_cells(set->thing->kind)) {
        /* If the thing `p` is itself a cell of the set, the search finds it, but it must not
         * count. So counting may stop only after one cell more than `enough`, and one is
         * subtracted in the end. */
        const bool itself = q.p->key < 0 && rel_has_cell(q.f, q.set, q.p->spans);
        q.enough += itself;
        each_chunk(&q, q.reach, count_cells_of_chunk);
        q.count -= itself;
    } else {
        if (rel_is_area(q.set->thing->kind) || q.f->chunk_count < 4)
            for (size_t i = 0; i < q.set->count && q.count < q.enough; i++)
                count_item(&q, &q.set->items[i]);
        else
            each_chunk(&q, (int64_t)q.reach + q.set->radius + 2 * OUTSIDE,
                       count_items_of_chunk);
    }
    return q.count;
}

/* ---- areas ---- */

/*
 * Lakes and rivers are areas of cells that are connected north, south, east or west, also
 * across chunks. To find an area, a run of cells in one row is moved from the plane of bits to
 * the area's list of spans. The runs that touch it in the rows above and below follow, and so
 * on until there are no more.
 */

/* Moves from `set` to f->spans the runs of cells in row y that touch the columns x0 .. x1,
 * which lie in one chunk. False when memory is out. */
static bool take_runs(finder *f, rel_set *set, int32_t x0, int32_t x1, int32_t y)
{
    const ptl_chunk_pos at = {chunk_of(x0), chunk_of(y)};
    const size_t chunk = chunk_at(f, at);
    const int32_t west = at.x * PTL_CHUNK_SIZE, north = at.y * PTL_CHUNK_SIZE;
    plane *p = chunk < f->chunk_count ? set->planes[chunk] : NULL;
    bool good = true;
    for (int32_t x = x0 - west; p && x <= x1 - west && good; x++) {
        uint64_t *row = p->rows[y - north];
        int32_t from = x;
        if (!rel_bit(row, (size_t)x))
            continue;
        while (from > 0 && rel_bit(row, (size_t)from - 1))
            from--;
        while (x + 1 < PTL_CHUNK_SIZE && rel_bit(row, (size_t)x + 1))
            x++;
        for (int32_t i = from; i <= x; i++)
            row[i / 64] &= ~(UINT64_C(1) << (i % 64));
        good = span_add(&f->spans, (span){west + from, west + x, y, 0});
    }
    return good;
}

static int compare_numbers(int32_t a, int32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_spans(const void *left, const void *right)
{
    const span *a = left, *b = right;
    return a->y != b->y ? compare_numbers(a->y, b->y) : compare_numbers(a->x0, b->x0);
}

/* Adds to the set the area around the cell: all cells of its kind that are linked with it by
 * their sides. */
static bool make_area(finder *f, rel_set *set, int32_t x, int32_t y)
{
    const size_t first = f->spans.count;
    rel_item *item = rel_item_add(set);
    bool good = item && take_runs(f, set, x, x, y);
    for (size_t i = first; i < f->spans.count && good; i++) {
        const span s = f->spans.list[i];
        good = take_runs(f, set, s.x0, s.x1, s.y - 1) &&
               take_runs(f, set, s.x0, s.x1, s.y + 1) &&
               take_runs(f, set, s.x0 - 1, s.x0 - 1, s.y) &&
               take_runs(f, set, s.x1 + 1, s.x1 + 1, s.y);
    }
    if (!good)
        return false;
    span *list = f->spans.list + first;
    const size_t count = f->spans.count - first;
    qsort(list, count, sizeof *list, compare_spans);
    /* The item's key contains set->count, which is here the number of areas that were made
     * before this one. Conditions change set->count only later, so keys don't depend on them.
     */
    *item = (rel_item){.key = ((int64_t)set->thing->kind << 56) + (int64_t)set->count,
                       .x = list->x0,
                       .y = list->y,
                       .first = first,
                       .count = count,
                       .what = set->thing->kind == REL_LAKE ? "lake" : "river"};
    item->box = (box){list->x0, list->y, list->x1, list[count - 1].y};
    for (size_t i = 0; i < count; i++) {
        box *b = &item->box;
        b->x0 = list[i].x0 < b->x0 ? list[i].x0 : b->x0;
        b->x1 = list[i].x1 > b->x1 ? list[i].x1 : b->x1;
    }
    return true;
}

/* Makes the items of a set, which are lakes or rivers, from its planes (one bit for each cell),
 * which are empty afterwards. False when memory is out. */
static bool make_areas(finder *f, rel_set *set)
{
    bool good = true;
    for (size_t c = 0; c < f->chunk_count && good; c++)
        for (int32_t i = 0; set->planes[c] && i < PTL_CHUNK_SIZE * PLANE_WORDS; i++) {
            const uint64_t *left = &set->planes[c]->rows[i / PLANE_WORDS][i % PLANE_WORDS];
            const ptl_chunk_pos pos = f->chunks[c];
            while (*left && good) {
                const int32_t x = 64 * (i % PLANE_WORDS) + __builtin_ctzll(*left);
                good = make_area(f, set, pos.x * PTL_CHUNK_SIZE + x,
                                 pos.y * PTL_CHUNK_SIZE + i / PLANE_WORDS);
            }
        }
    return good;
}

static void prepare(finder *f, rel_set *set);

/* ---- conditions ---- */

/* The thing for which a condition is tested: an item (a placement, city or area of cells) or,
 * if item is NULL, the cell `at`. */
typedef struct looker {
    const rel_item *item;
    rel_kind kind;
    span at;
} looker;

/* Counts all things of the set, except the tested thing itself. May stop counting when `enough`
 * is reached, as more makes no difference. */
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
        for (int32_t k = 0; set->planes[i] && k < PTL_CHUNK_SIZE * PLANE_WORDS; k++)
            count +=
                __builtin_popcountll(set->planes[i]->rows[k / PLANE_WORDS][k % PLANE_WORDS]);
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
    /* Counting may stop as soon as the result is certain: when one thing more than the maximum
     * is found, or, if there is no maximum, when the minimum is reached. */
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

/* A function that is called for each cell of a set. It filters the cells, or adds them to the
 * matches. */
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
    if (rel_is_area(thing->kind) && !make_areas(f, set))
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
