/*
 * Gathers the requirements of a special: those of its OMTs or checks, of the specials nested in
 * it, and of its connection points. Cells of one layer are then covered by rectangles, as large
 * as possible; they may overlap.
 */
#include "core/array.h"
#include "core/cpu.h"
#include "gen/sites/sites_impl.h"
#include "model/direction.h"

#include <stdlib.h>

/*
 * The functions below treat the bits of a level as rows of three words, one after the other. A
 * shift by whole cells is a single shift of the whole array (sites_kernels.h). Some bits are
 * carried from one row into the next by that. They come to lie beyond x = 179, where callers
 * clear them, or where the set with which they are intersected has no cells.
 */

const site_kernels *site_kernels_best(void)
{
    const site_kernels *best = CPU_IF(CPU_AVX2, &site_kernels_avx2, &site_kernels_base);
    return CPU_IF(CPU_AVX512_F_VBMI2_VPOPCNTDQ, &site_kernels_avx512, best);
}

void bits_span(uint64_t out[SITE_WORDS], int32_t x0, int32_t x1)
{
    for (int32_t w = 0; w < SITE_WORDS; w++) {
        const int32_t first = x0 - 64 * w, last = x1 - 64 * w;
        out[w] = 0;
        if (first > 63 || last < 0 || first > last)
            continue;
        out[w] = ~UINT64_C(0) << (first > 0 ? first : 0);
        if (last < 63)
            out[w] &= (UINT64_C(1) << (last + 1)) - 1;
    }
}

int32_t site_count(const site_bits *bits)
{
    return site_kernels_best()->count(bits->words);
}

int32_t site_meet(site_bits *out, const site_bits *a, const site_bits *b)
{
    return site_kernels_best()->meet(out->words, a->words, b->words);
}

int32_t site_and(site_bits *bits, const site_bits *other)
{
    return site_meet(bits, bits, other);
}

void bits_of_rows(uint64_t *out, const uint64_t *words, int32_t x, int32_t y, int32_t count)
{
    if (x <= -64 || x >= SIZE || y >= SIZE || y + count <= 0) {
        for (int32_t k = 0; k < count; k++)
            out[k] = 0;
        return;
    }
    /* Rows with the numbers `first` to end - 1 lie inside the level, of the rows 0 to count - 1
     * that are asked for. The others are empty. */
    const int32_t first = y < 0 ? -y : 0, end = SIZE - y < count ? SIZE - y : count;
    const int32_t at = x < 0 ? 0 : x / 64, low = x < 0 ? 0 : x % 64;
    const uint64_t *row = &words[(y + first) * SITE_WORDS + at];
    int32_t k = 0;
    for (; k < first; k++)
        out[k] = 0;
    if (x < 0)
        for (; k < end; k++, row += SITE_WORDS)
            out[k] = row[0] << -x;
    else if (low == 0 || at + 1 == SITE_WORDS)
        for (; k < end; k++, row += SITE_WORDS)
            out[k] = row[0] >> low;
    else
        for (; k < end; k++, row += SITE_WORDS)
            out[k] = row[0] >> low | row[1] << (64 - low);
    for (; k < count; k++)
        out[k] = 0;
}

/* Limits against harmful content: the most OMTs and nested specials that a special may consist
 * of (a special that is nested twice counts twice), and the most levels of nesting. A special
 * that exceeds one of them can't be placed. */
enum { VISITED_MAX = 1 << 15, DEPTH_MAX = 200 };

static bool need_add(need_list *list, site_need need)
{
    if (!ARRAY_ROOM(list->items, list->room, list->count + 1))
        return false;
    list->items[list->count++] = need;
    return true;
}

static bool on_level(int32_t z)
{
    return z >= PTL_Z_MIN && z <= PTL_Z_MAX;
}

/* Adds a requirement to the list. False if no cell can ever meet it. */
static bool add(site_builder *b, need_list *list, site_need need)
{
    if (need.layer != NODE_NONE)
        need.size = b->tables->layers[need.layer].size;
    if (need.layer == NODE_NONE || !need_add(list, need))
        b->failed = true;
    return b->failed || need.size > 0;
}

/* Returns which kind of layer an OMT or check on level z needs: a layer of certain oters only
 * (LAYER_OWN), or one that also has the level's default oter (LAYER_DEFAULT). `own` tells
 * whether the OMT or check states locations itself. */
static layer_kind kind_of(const site_builder *b, int32_t z, bool own)
{
    return site_takes_default(b->config, z, own) ? LAYER_DEFAULT : LAYER_OWN;
}

/* Requires that the cells of a rectangle on one level belong to a set of terrains. */
static void ask(site_builder *b, int32_t z, ptl_terrain_set set, layer_kind kind,
                site_need need)
{
    if (++b->visited > VISITED_MAX || !on_level(z) || need.w > SIZE || need.h > SIZE) {
        b->impossible = true;
        return;
    }
    need.layer = site_layer_of(b, z, set, kind, CAT_NONE);
    if (!add(b, &b->ground, need))
        b->impossible = true;
}

/* Gathers what the special, with the specials nested in it, requires if its origin lies at (x,
 * y, z). */
static void gather_nested(site_builder *b, uint16_t special, int32_t x, int32_t y, int32_t z)
{
    const cat_special *s = &b->config->cat->specials[special];
    if (b->depth == DEPTH_MAX)
        b->impossible = true;
    b->depth++;
    if (++b->visited > VISITED_MAX || abs(x) > 2 * SIZE || abs(y) > 2 * SIZE ||
        abs(z) > PTL_LEVELS)
        b->impossible = true;
    for (size_t i = 0; i < s->omt_count && !b->impossible && !b->failed; i++) {
        const cat_omt *t = &s->omts[i];
        ask(b, z + t->z, t->allows, kind_of(b, z + t->z, t->own),
            (site_need){0, 0, x + t->x, y + t->y, 1, 1});
    }
    for (size_t i = 0; i < s->check_count && !b->failed; i++) {
        const cat_check *c = &s->checks[i];
        const int32_t w = c->x1 - c->x0 + 1, h = c->y1 - c->y0 + 1;
        for (int32_t k = c->z0; w > 0 && h > 0 && k <= c->z1 && !b->impossible; k++)
            ask(b, z + k, c->allows, kind_of(b, z + k, c->own),
                (site_need){0, 0, x + c->x0, y + c->y0, w, h});
    }
    for (size_t i = 0; i < s->nested_count && !b->impossible && !b->failed; i++) {
        const cat_nested *n = &s->nested[i];
        gather_nested(b, n->special, x + n->x, y + n->y, z + n->z);
    }
    b->depth--;
}

void site_gather(site_builder *b, uint16_t special)
{
    const cat_special *s = &b->config->cat->specials[special];
    b->ground.count = b->links.count = 0;
    b->impossible = b->unlinkable = false;
    b->visited = b->depth = 0;
    if (s->omt_count == 0 && !(s->layout && s->check_count > 0)) {
        b->impossible = true;
        return;
    }
    gather_nested(b, special, 0, 0, 0);
    /* Require that the cells beside the root (the first piece) have the ground that the root's
     * joins demand. The sets of terrains live as long as the tables. */
    const cat_mutable *m = s->layout;
    const size_t words = (b->config->cat->terrain_count + 63) / 64;
    for (int side = 0; m && side < PTL_SIDES && !b->impossible && !b->failed; side++) {
        if (m->pieces[m->root].sides[side].join < 0)
            continue;
        uint64_t *set = arena_calloc(b->memory, words, sizeof *set);
        b->failed = !set;
        const bool flat = side < CAT_ABOVE;
        const int32_t x = flat ? step_x(side) : 0, y = flat ? step_y(side) : 0;
        const int32_t z = (side == CAT_ABOVE) - (side == CAT_BELOW);
        if (set && site_root_ground(b->config, m, side, set))
            ask(b, z, set, LAYER_OWN, (site_need){0, 0, x, y, 1, 1});
    }
    for (size_t i = 0; i < s->link_count && !b->impossible && !b->failed; i++) {
        const cat_link *link = &s->links[i];
        const layer_kind kind = link->existing ? LAYER_CARRIES : LAYER_STARTS;
        if (!on_level(link->z)) {
            b->unlinkable = true;
            continue;
        }
        const uint32_t layer = site_layer_of(b, link->z, link->carries, kind, link->connection);
        if (!add(b, &b->links, (site_need){layer, 0, link->x, link->y, 1, 1}))
            b->unlinkable = true;
    }
}

/* ---- rectangles ---- */

/* Sorts requirements by layer, then row by row. Layers with few oters come first, because these
 * requirements are the likeliest to rule out all origins. The function returns 0 only for equal
 * requirements. */
static int compare_needs(const void *a, const void *b)
{
    const site_need *p = a, *q = b;
    return ORDER_BY(p->size, q->size, p->layer, q->layer, p->y, q->y, p->x, q->x, p->h, q->h,
                    p->w, q->w);
}

static uint8_t *cover_at(site_builder *b, site_need frame, int32_t x, int32_t y)
{
    return &b->cover[(y - frame.y) * COVER_WIDTH + x - frame.x];
}

static bool is_full(site_builder *b, site_need frame, site_need r)
{
    if (r.x < frame.x || r.y < frame.y || r.x + r.w > frame.x + frame.w ||
        r.y + r.h > frame.y + frame.h)
        return false;
    for (int32_t y = r.y; y < r.y + r.h; y++)
        for (int32_t x = r.x; x < r.x + r.w; x++)
            if (!*cover_at(b, frame, x, y))
                return false;
    return true;
}

/* Returns a rectangle of cells of the list that contains the cell (x, y), made as wide as
 * possible and then as high as possible, and marks its cells as covered. In b->cover a cell of
 * the list has the value 1 before it is covered, and 2 afterwards. */
static site_need cover_around(site_builder *b, site_need frame, int32_t x, int32_t y)
{
    site_need r = {frame.layer, frame.size, x, y, 1, 1};
    while (is_full(b, frame, (site_need){0, 0, r.x + r.w, r.y, 1, r.h}))
        r.w++;
    for (; is_full(b, frame, (site_need){0, 0, r.x - 1, r.y, 1, r.h}); r.w++)
        r.x--;
    while (is_full(b, frame, (site_need){0, 0, r.x, r.y + r.h, r.w, 1}))
        r.h++;
    for (y = r.y; y < r.y + r.h; y++)
        for (x = r.x; x < r.x + r.w; x++)
            *cover_at(b, frame, x, y) = 2;
    return r;
}

/* Covers the given cells, all of one layer, by rectangles, and appends these to the list. */
static bool cover_cells(site_builder *b, need_list *out, const site_need *cells, size_t count)
{
    site_need frame = cells[0];
    int32_t x1 = cells[0].x, y1 = cells[0].y;
    for (size_t i = 1; i < count; i++) {
        frame.x = cells[i].x < frame.x ? cells[i].x : frame.x;
        x1 = cells[i].x > x1 ? cells[i].x : x1;
        y1 = cells[i].y; /* the cells are sorted, so the last has the greatest y */
    }
    frame.w = x1 - frame.x + 1;
    frame.h = y1 - frame.y + 1;
    for (size_t i = 0; i < count; i++)
        *cover_at(b, frame, cells[i].x, cells[i].y) = 1;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        if (*cover_at(b, frame, cells[i].x, cells[i].y) == 1)
            ok = need_add(out, cover_around(b, frame, cells[i].x, cells[i].y));
    for (size_t i = 0; i < count; i++)
        *cover_at(b, frame, cells[i].x, cells[i].y) = 0;
    return ok;
}

static bool is_cell(const site_need *n)
{
    return n->w == 1 && n->h == 1;
}

void site_cover(site_builder *b, need_list *list)
{
    need_list out = {NULL, 0, 0};
    size_t kept = 0;
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, compare_needs);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || compare_needs(&list->items[kept - 1], &list->items[i]) != 0)
            list->items[kept++] = list->items[i];
    list->count = kept;
    for (size_t i = 0; i < list->count && !b->failed;) {
        need_list cells = {NULL, 0, 0};
        const uint32_t layer = list->items[i].layer;
        for (; i < list->count && list->items[i].layer == layer && !b->failed; i++) {
            need_list *to = is_cell(&list->items[i]) ? &cells : &out;
            b->failed = !need_add(to, list->items[i]);
        }
        if (cells.count > 0 && !b->failed)
            b->failed = !cover_cells(b, &out, cells.items, cells.count);
        free(cells.items);
    }
    free(list->items);
    *list = out;
}
