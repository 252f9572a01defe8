/* Finders: collecting what a relation names from overmaps. */
#include "analysis/search/relation_impl.h"
#include "core/array.h"
#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool span_add(span_list *list, span s)
{
    if (!ARRAY_ROOM(list->list, list->room, list->count + 1))
        return false;
    list->list[list->count++] = s;
    return true;
}

rel_item *rel_item_add(rel_set *set)
{
    if (!ARRAY_ROOM(set->items, set->room, set->count + 1))
        return NULL;
    set->any = true;
    return &set->items[set->count++];
}

finder *finder_new(const relation *r)
{
    finder *f = calloc(1, sizeof *f);
    if (f)
        f->relation = r;
    for (uint32_t i = 0; f && i < r->thing_count; i++)
        f->sets[i].thing = r->things[i];
    return f;
}

void finder_free(finder *f)
{
    if (!f)
        return;
    for (uint32_t i = 0; i < f->relation->thing_count; i++) {
        rel_set *set = &f->sets[i];
        for (size_t j = 0; j < set->plane_room; j++)
            free(set->planes[j]);
        free(set->planes);
        free(set->items);
        free(set->firsts);
    }
    for (size_t i = 0; i < f->spare_count; i++)
        free(f->spare[i]);
    free(f->spare);
    free(f->spans.list);
    free(f->chunks);
    free(f->matches);
    free(f);
}

/* ---- planes ---- */

/* Keeps a plane for the next overmap; frees it if the list of spare ones can't grow. */
static void give_plane(finder *f, plane *p)
{
    if (!p)
        return;
    if (!ARRAY_ROOM(f->spare, f->spare_room, f->spare_count + 1)) {
        free(p);
        return;
    }
    f->spare[f->spare_count++] = p;
}

static void fill_whole(plane *out)
{
    for (int32_t y = 0; y < PTL_CHUNK_SIZE; y++)
        for (int32_t x = 0; x < PTL_CHUNK_SIZE; x++)
            out->rows[y][x / 64] |= UINT64_C(1) << (x % 64);
}

static bool is_empty(const plane *p)
{
    uint64_t any = 0;
    for (int32_t y = 0; y < PTL_CHUNK_SIZE; y++)
        any |= p->rows[y][0] | p->rows[y][1] | p->rows[y][2];
    return any == 0;
}

/* Collects the cells of a set from a chunk; empty levels get no plane. */
static bool collect_cells(finder *f, rel_set *set, const ptl_chunk *chunk)
{
    const int32_t levels = rel_levels(set->thing), first = rel_first_z(set->thing) - PTL_Z_MIN;
    const size_t wanted = f->chunk_count * (size_t)rel_levels(set->thing);
    if (!ARRAY_ROOM_ZEROED(set->planes, set->plane_room, wanted))
        return false;
    for (int32_t i = 0; i < levels; i++) {
        const level *l = &chunk->levels[first + i];
        if (!l->cells && !rel_bit(set->thing->ids, l->fill))
            continue;
        plane *p = f->spare_count > 0 ? f->spare[--f->spare_count] : malloc(sizeof *p);
        if (!p)
            return false;
        memset(p, 0, sizeof *p);
        if (l->cells) {
            const ptl_oter *cells = l->cells;
            const uint64_t *ids = set->thing->ids;
            for (int32_t y = 0; y < PTL_CHUNK_SIZE; y++)
                for (int32_t x = 0; x < PTL_CHUNK_SIZE; x++)
                    p->rows[y][x / 64] |= (uint64_t)rel_bit(ids, *cells++) << (x % 64);
        } else
            fill_whole(p);
        if (is_empty(p)) {
            give_plane(f, p);
            continue;
        }
        set->planes[(f->chunk_count - 1) * (size_t)levels + (size_t)i] = p;
        set->any = true;
    }
    return true;
}

/* ---- placements and cities ---- */

static bool add_tile(finder *f, rel_item *item, int32_t x, int32_t y, int32_t z)
{
    box *b = &item->box;
    b->x0 = x < b->x0 ? x : b->x0;
    b->y0 = y < b->y0 ? y : b->y0;
    b->x1 = x > b->x1 ? x : b->x1;
    b->y1 = y > b->y1 ? y : b->y1;
    item->count++;
    return span_add(&f->spans, (span){x, x, y, z});
}

/* Returns the first piece of a placement. Pieces are sorted by placement. */
static size_t first_piece(const gen_features *g, size_t placement)
{
    size_t low = 0, high = g->piece_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((size_t)g->pieces[middle].placement < placement)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the OMTs of a placement, which only "beside" asks about. */
static bool add_tiles(finder *f, rel_item *item, ptl_chunk_pos pos, const gen_features *g,
                      size_t number)
{
    const gen_placement *p = &g->placements[number];
    const cat_special *s = &f->relation->cat->specials[p->special];
    const int32_t west = pos.x * PTL_CHUNK_SIZE, north = pos.y * PTL_CHUNK_SIZE;
    bool good = true;
    for (size_t i = 0; i < s->omt_count && good; i++) {
        int32_t x, y;
        feature_rotate(s->omts[i].x, s->omts[i].y, p->rotation, &x, &y);
        good = add_tile(f, item, item->x + x, item->y + y, item->z + s->omts[i].z);
    }
    for (size_t i = first_piece(g, number);
         i < g->piece_count && (size_t)g->pieces[i].placement == number && good; i++)
        good = add_tile(f, item, west + g->pieces[i].x, north + g->pieces[i].y, g->pieces[i].z);
    return good;
}

static bool collect_placements(finder *f, rel_set *set, ptl_chunk_pos pos,
                               const gen_features *g)
{
    const cat_special *specials = f->relation->cat->specials;
    const bool buildings = set->thing->kind == REL_BUILDING;
    for (size_t i = 0; i < g->placement_count; i++) {
        const gen_placement *p = &g->placements[i];
        if (p->special == CAT_NONE || /* of a content that is gone */
            specials[p->special].building != buildings || !rel_bit(set->thing->ids, p->special))
            continue;
        rel_item *item = rel_item_add(set);
        if (!item)
            return false;
        *item = (rel_item){.key = (int64_t)((f->chunk_count << 24) + i),
                           .x = pos.x * PTL_CHUNK_SIZE + p->x,
                           .y = pos.y * PTL_CHUNK_SIZE + p->y,
                           .z = p->z,
                           .first = f->spans.count,
                           .what = specials[p->special].id};
        item->box = (box){item->x, item->y, item->x, item->y};
        if (f->relation->bodies && !add_tiles(f, item, pos, g, i))
            return false;
    }
    return true;
}

static bool collect_cities(finder *f, rel_set *set, ptl_chunk_pos pos, const gen_features *g)
{
    for (size_t i = 0; i < g->city_count; i++) {
        const gen_city *c = &g->cities[i];
        if (c->size < set->thing->size_min || c->size > set->thing->size_max)
            continue;
        rel_item *item = rel_item_add(set);
        if (!item)
            return false;
        *item =
            (rel_item){.key = ((int64_t)REL_CITY << 56) + (int64_t)((f->chunk_count << 24) + i),
                       .x = pos.x * PTL_CHUNK_SIZE + c->x,
                       .y = pos.y * PTL_CHUNK_SIZE + c->y,
                       .radius = c->size,
                       .first = f->spans.count,
                       .what = "city"};
        item->box = (box){item->x, item->y, item->x, item->y};
        set->radius = c->size > set->radius ? c->size : set->radius;
        if (!add_tile(f, item, item->x, item->y, 0))
            return false;
    }
    return true;
}

/* ---- overmaps ---- */

static bool note_firsts(rel_set *set, size_t chunk)
{
    if (!ARRAY_ROOM(set->firsts, set->first_room, chunk + 2))
        return false;
    set->firsts[chunk] = chunk == 0 ? 0 : set->firsts[chunk];
    set->firsts[chunk + 1] = set->count;
    return true;
}

static bool collect(finder *f, rel_set *set, const ptl_chunk *chunk, const gen_features *g)
{
    switch (set->thing->kind) {
    case REL_SPECIAL:
    case REL_BUILDING:
        return collect_placements(f, set, chunk->pos, g) &&
               note_firsts(set, f->chunk_count - 1);
    case REL_CITY:
        return collect_cities(f, set, chunk->pos, g) && note_firsts(set, f->chunk_count - 1);
    default:
        return collect_cells(f, set, chunk);
    }
}

ptl_status finder_add(finder *f, const ptl_chunk *chunk, const gen_features *features,
                      ptl_error *err)
{
    if (f->found) {
        for (uint32_t i = 0; i < f->relation->thing_count; i++) {
            rel_set *set = &f->sets[i];
            for (size_t j = 0; j < set->plane_room; j++) {
                give_plane(f, set->planes[j]);
                set->planes[j] = NULL;
            }
            set->count = 0;
            set->radius = 0;
            set->any = set->ready = false;
        }
        f->chunk_count = f->spans.count = f->match_count = 0;
        f->found = false;
    }
    bool good = ARRAY_ROOM(f->chunks, f->chunk_room, f->chunk_count + 1);
    if (good)
        f->chunks[f->chunk_count++] = chunk->pos;
    for (uint32_t i = 0; i < f->relation->thing_count && good; i++)
        good = collect(f, &f->sets[i], chunk, features);
    return good ? PTL_OK : error_nomem(err);
}

/*
 * Decides what is near what. Placements, cities, lakes and rivers are lists of spans, which
 * are compared pair by pair if their boxes are near enough. Cells are bits, which are counted
 * over the rows of a disc. Whole numbers only.
 */

/* How far a building's origin may lie outside of its chunk, and its OMTs from the origin. */
enum { OUTSIDE = 2 * PTL_CHUNK_SIZE };

typedef struct question {
    const finder *f;
    const rel_set *set;
    const probe *p;
    int32_t reach; /* the distance, and the probe's radius */
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
    /* Except for "beside", a placement is where its origin is; an area is all its cells. */
    const bool origin = !q->beside && !rel_is_area(q->set->thing->kind);
    const span at = {item->x, item->x, item->y, item->z};
    const box around = {item->x, item->y, item->x, item->y};
    const box *a = &q->p->box, *b = origin ? &around : &item->box;
    if (gap(a->x0, a->x1, b->x0, b->x1) > reach || gap(a->y0, a->y1, b->y0, b->y1) > reach)
        return;
    q->count += origin ? spans_near(q, &at, 1, reach)
                       : spans_near(q, q->f->spans.list + item->first, item->count, reach);
}

size_t rel_chunk_from(const finder *f, int32_t x, int32_t y)
{
    size_t low = 0, high = f->chunk_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const ptl_chunk_pos c = f->chunks[middle];
        if (c.y < y || (c.y == y && c.x < x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int32_t chunk_of(int64_t cell)
{
    const int64_t size = PTL_CHUNK_SIZE;
    return (int32_t)(cell >= 0 ? cell / size : -((size - 1 - cell) / size));
}

/* Visits the chunks that have cells within reach of the probe's box, until enough were
 * counted. */
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
        size_t i = rel_chunk_from(f, x0, y);
        if (i == f->chunk_count)
            return;
        if (f->chunks[i].y > y) { /* skip rows without chunks */
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

/* Returns how far a disc reaches to each side in a row that is dy from its centre; -1 if it
 * does not reach that row. */
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

/* Gives the part of a chunk's row that is within reach of a span; false if there is none. */
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

/* Gives the rows of a chunk that are within reach of a span. */
static void rows_of(const question *q, const span *s, ptl_chunk_pos pos, int32_t *from,
                    int32_t *to)
{
    const int64_t north = (int64_t)pos.y * PTL_CHUNK_SIZE;
    const int64_t a = s->y - q->reach - north, b = s->y + q->reach - north;
    *from = a < 0 ? 0 : (int32_t)(a < PTL_CHUNK_SIZE ? a : PTL_CHUNK_SIZE);
    *to = b >= PTL_CHUNK_SIZE ? PTL_CHUNK_SIZE - 1 : (int32_t)(b < 0 ? -1 : b);
}

static int32_t count_row(const uint64_t bits[PLANE_WORDS], const uint64_t mask[PLANE_WORDS])
{
    int32_t count = 0;
    for (int32_t w = 0; w < PLANE_WORDS; w++)
        count += __builtin_popcountll(bits[w] & mask[w]);
    return count;
}

/* Counts the cells near any of the probe's many cells, each once: discs are or-ed into a
 * mask. */
static void count_around(question *q, const plane *bits, ptl_chunk_pos pos, int32_t z)
{
    plane mask;
    memset(&mask, 0, sizeof mask);
    for (size_t i = 0; i < q->p->count; i++)
        if (!q->beside || q->p->spans[i].z == z) {
            const span *s = &q->p->spans[i];
            int32_t from, to, x0, x1;
            uint64_t row[PLANE_WORDS];
            rows_of(q, s, pos, &from, &to);
            for (int32_t y = from; y <= to; y++) {
                if (!part_of_row(q, s, pos, y, &x0, &x1))
                    continue;
                row_mask(row, x0, x1);
                for (int32_t w = 0; w < PLANE_WORDS; w++)
                    mask.rows[y][w] |= row[w];
            }
        }
    for (int32_t y = 0; y < PTL_CHUNK_SIZE && q->count < q->enough; y++)
        q->count += count_row(bits->rows[y], mask.rows[y]);
}

static void count_cells_of_chunk(question *q, size_t chunk)
{
    const rel_thing *thing = q->set->thing;
    const int32_t levels = rel_levels(thing);
    const ptl_chunk_pos pos = q->f->chunks[chunk];
    for (int32_t i = 0; i < levels && q->count < q->enough; i++) {
        const plane *bits = q->set->planes[chunk * (size_t)levels + (size_t)i];
        const int32_t z = rel_first_z(thing) + i;
        if (!bits)
            continue;
        if (q->p->count > 1)
            count_around(q, bits, pos, z);
        else if (!q->beside || q->p->spans[0].z == z) {
            /* Counts around a single cell, or a city's centre. */
            int32_t from, to, x0, x1;
            uint64_t row[PLANE_WORDS];
            rows_of(q, q->p->spans, pos, &from, &to);
            for (int32_t y = from; y <= to && q->count < q->enough; y++) {
                if (!part_of_row(q, q->p->spans, pos, y, &x0, &x1))
                    continue;
                row_mask(row, x0, x1);
                q->count += count_row(bits->rows[y], row);
            }
        }
    }
}

bool rel_has_cell(const finder *f, const rel_set *set, const span *s)
{
    const ptl_chunk_pos at = {chunk_of(s->x0), chunk_of(s->y)};
    const size_t i = rel_chunk_from(f, at.x, at.y);
    const int32_t z = s->z - rel_first_z(set->thing), levels = rel_levels(set->thing);
    if (i == f->chunk_count || f->chunks[i].x != at.x || f->chunks[i].y != at.y || z < 0 ||
        z >= levels)
        return false;
    const plane *bits = set->planes[i * (size_t)levels + (size_t)z];
    const int32_t x = s->x0 - at.x * PTL_CHUNK_SIZE, y = s->y - at.y * PTL_CHUNK_SIZE;
    return bits && (bits->rows[y][x / 64] >> (x % 64) & 1);
}

int32_t rel_count_near(const finder *f, const rel_set *set, const probe *p, int32_t distance,
                       int32_t enough)
{
    const bool beside = distance == REL_BESIDE;
    question q = {f, set, p, (beside ? 1 : distance) + p->radius, beside, enough, 0};
    if (rel_is_cells(set->thing->kind)) {
        /* A cell is in its own disc, so it must not count itself. */
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
