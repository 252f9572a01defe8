/*
 * Answers questions to the site map. (sites_impl.h explains layers, nodes and terms; a term is
 * a condition on a rectangle of cells.) Each special has a box: the origins at which no part of
 * the special lies outside of the chunk. Inside the box the shifted bitmaps (nodes) of all
 * terms are and-ed at once; a term whose layer holds every cell of the level needs no such
 * step.
 */
#include "gen/sites/sites.h"

#include "gen/sites/sites_impl.h"

#include <string.h>

bool site_meet_terms(generator *g, const site_asked *asked, site_bits *out, site_bits *united)
{
    const site_tables *t = g->config->sites;
    site_map *m = g->site_map;
    site_shifted sets[PINNED_MAX];
    site_meeting meeting = {
        .sets = sets, .count = 0, .first = asked->box.y0, .last = asked->box.y1};
    bits_span(meeting.span, asked->box.x0, asked->box.x1);
    const site_terms range = asked->range;
    for (uint32_t i = 0; i < range.count; i++)
        if (site_layer_read(g, g->config->sites->nodes[range.terms[i].node].layer)->none)
            return false;
    if (asked->among)
        sets[meeting.count++] = (site_shifted){asked->among->words, 0};
    site_unpin(m);
    for (uint32_t i = 0; i < asked->range.count; i++) {
        const site_term *term = &asked->range.terms[i];
        if (m->layers[t->nodes[term->node].layer].all)
            continue;
        if (meeting.count == PINNED_MAX) {
            /* `sets` has no room for one more set to be intersected. So intersect those that
             * are in it, and put the intersection in their place, as the only set. */
            t->kernels->meet_shifted(m->met.words, NULL, &meeting);
            sets[0] = (site_shifted){m->met.words, 0};
            meeting.count = 1;
            site_unpin(m);
        }
        const int32_t shift = term->dy * SITE_WORDS * 64 + term->dx;
        sets[meeting.count++] = (site_shifted){site_node_pin(m, term->node), shift};
    }
    t->kernels->meet_shifted(out ? out->words : NULL, united ? united->words : NULL, &meeting);
    return true;
}

int site_score(generator *g, uint16_t special, int rotation, int32_t x, int32_t y)
{
    const catalogue *cat = g->config->cat;
    const cat_special *s = &cat->specials[special];
    int score = 0;
    for (size_t i = 0; i < s->link_count && score < SITE_SCORE_MAX; i++) {
        const cat_link *link = &s->links[i];
        const point p = turned(link->x, link->y, rotation, x, y);
        if (link->z < PTL_Z_MIN || link->z > PTL_Z_MAX || !inside(p.x, p.y))
            continue;
        const ptl_oter oter = cell_oter(g, link->z, p.y * SIZE + p.x);
        score += cat_terrain_in(link->carries, cat->oters[oter].terrain);
    }
    return score;
}

uint32_t site_figure(const generator *g, uint16_t special)
{
    return site_special_of(g, special)->figure;
}

int site_like(const generator *g, uint16_t special, int rotation)
{
    return site_special_of(g, special)->like[rotation];
}

static site_box box_meet(site_box a, site_box b)
{
    return (site_box){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                      a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

/* Adds to `out` the origins at which, in any rotation, both the ground and the connections of
 * the special are as required. Sets the site map's `ground` to the origins at which the ground
 * is as required, with or without the connections. Rotations often need the same ground and
 * differ only in where they need a connection. False if the ground is right at no origin. */
static bool unite_linked(generator *g, const site_special *s, int rotations, site_bits *out)
{
    site_map *m = g->site_map;
    bool any = false, some = false;
    memset(&m->ground, 0, sizeof m->ground);
    for (int r = 0, known = -1; r < rotations; r++) {
        const site_terms ground = site_ground_terms(s, r), links = site_link_terms(s, r);
        const site_asked first = {ground, ground.box, NULL};
        const site_asked both = {links, box_meet(ground.box, links.box), &m->rotated};
        if (s->like[r] != r)
            continue;
        if (known < 0 || s->rotated[known].like_ground != s->rotated[r].like_ground) {
            any = site_meet_terms(g, &first, &m->rotated, &m->ground);
            known = r;
        }
        some = some || any;
        if (any && s->linkable)
            site_meet_terms(g, &both, NULL, out);
    }
    return some;
}

/* Returns whether the special requires something at its connection points, in addition to what
 * it requires of its ground. */
static bool asks_links(const site_special *s)
{
    return s->link_count > 0 || !s->linkable;
}

site_counts site_origins(generator *g, uint16_t special, site_bits *out)
{
    const site_special *s = site_special_of(g, special);
    const int rotations = g->config->cat->specials[special].rotate ? 4 : 1;
    const bool links = asks_links(s);
    memset(out, 0, sizeof *out);
    if (!s->possible)
        return (site_counts){0, 0};
    bool some = links && unite_linked(g, s, rotations, out);
    for (int r = 0; r < rotations && !links; r++) {
        const site_terms ground = site_ground_terms(s, r);
        const site_asked asked = {ground, ground.box, NULL};
        if (s->like[r] == r)
            some |= site_meet_terms(g, &asked, NULL, out);
    }
    if (!some) /* no origin is left, as is common in a chunk that is all sea */
        return (site_counts){0, 0};
    const int32_t linked = site_count(out);
    return (site_counts){links ? site_count(&g->site_map->ground) : linked, linked};
}

const site_bits *site_grounds(const generator *g, uint16_t special, const site_bits *out)
{
    const site_special *s = site_special_of(g, special);
    return s->possible && asks_links(s) ? &g->site_map->ground : out;
}

uint32_t site_gains(const generator *g, uint16_t special)
{
    const site_special *s = site_special_of(g, special);
    uint32_t gains = 0;
    for (uint32_t i = 0; i < s->layer_count; i++)
        gains += g->site_map->layers[s->layers[i]].gains;
    return gains;
}

/*
 * The functions below test a few origins at a time. They do not use the bitmaps of rectangles
 * larger than one cell, which would have to be updated for the whole level. Instead they test
 * the cells of each rectangle in the few rows that matter.
 */

/* Bit i of rows[j] stands for the origin (x + i, y + j). Clears the bits of origins outside of
 * the box. */
static void window_box(site_box box, int32_t x, int32_t y, int32_t width, int32_t height,
                       uint64_t *rows)
{
    uint64_t span[SITE_WORDS];
    bits_span(span, box.x0 - x, box.x1 - x < width ? box.x1 - x : width - 1);
    for (int32_t j = 0; j < height; j++)
        rows[j] &= y + j >= box.y0 && y + j <= box.y1 ? span[0] : 0;
}

/* Finds the first and the last row in which a bit is set. False if there is no such row. */
static bool rows_left(const uint64_t *rows, int32_t height, int32_t *first, int32_t *last)
{
    int32_t a = 0, b = height - 1;
    while (a <= b && !rows[a])
        a++;
    while (b > a && !rows[b])
        b--;
    *first = a;
    *last = b;
    return a <= b;
}

/* Bit i of rows[j] stands for the origin (x + i, y + j). Each origin is the north-western cell
 * of a rectangle of node->w x node->h cells. In the rows from `first` to `last`, clears the
 * bits of all origins but those whose rectangle lies in the set `words` with all of its cells.
 * The cells that are needed of one row fit into one word. */
static void keep_corners(const uint64_t *words, const site_node *node, int32_t x, int32_t y,
                         int32_t first, int32_t last, uint64_t *rows)
{
    uint64_t cells[2 * SIZE];
    int32_t count = last - first + node->h;
    bits_of_rows(cells, words, x, y + first, count);
    for (int32_t have = 1, step; have < node->w; have += step) {
        step = have < node->w - have ? have : node->w - have;
        for (int32_t k = 0; k < count; k++)
            cells[k] &= cells[k] >> step;
    }
    for (int32_t have = 1, step; have < node->h; have += step) {
        step = have < node->h - have ? have : node->h - have;
        count -= step;
        for (int32_t k = 0; k < count; k++)
            cells[k] &= cells[k + step];
    }
    for (int32_t j = first; j <= last; j++)
        rows[j] &= cells[j - first];
}

/* Bit i of rows[j] stands for the origin (x + i, y + j). Clears the bits of origins at which
 * one of the terms (conditions on rectangles of cells) in `range` does not hold. Rows outside
 * the box of these terms must be 0 already. */
static void window_terms(generator *g, site_terms range, int32_t x, int32_t y, int32_t width,
                         int32_t height, uint64_t *rows)
{
    const site_tables *t = g->config->sites;
    int32_t first, last;
    for (uint32_t i = 0;
         range.terms && i < range.count && rows_left(rows, height, &first, &last); i++) {
        const site_term *term = &range.terms[i];
        const site_node *node = &t->nodes[term->node];
        const layer_state *layer = site_layer_read(g, node->layer);
        if (layer->all)
            continue;
        if (layer->none) {
            memset(rows, 0, (size_t)height * sizeof *rows);
        } else if (width + node->w - 1 <= 64) {
            const uint64_t *words = site_cells_read(g->site_map, node->layer);
            keep_corners(words, node, x + term->dx, y + term->dy, first, last, rows);
        } else {
            const uint64_t *words = site_node_read(g->site_map, term->node);
            for (int32_t j = first; j <= last; j++)
                rows[j] &= bits_of_row(words, x + term->dx, y + j + term->dy);
        }
    }
}

void site_window(generator *g, uint16_t special, int rotation, int32_t x, int32_t y,
                 int32_t width, int32_t height, uint64_t *rows)
{
    const site_special *s = site_special_of(g, special);
    const site_terms ground = site_ground_terms(s, rotation),
                     links = site_link_terms(s, rotation);
    const bool ever = s->possible && s->linkable && width > 0;
    for (int32_t j = 0; j < height; j++)
        rows[j] = ever ? ~UINT64_C(0) : 0;
    if (!ever || height <= 0)
        return;
    window_box(ground.box, x, y, width, height, rows);
    window_box(links.box, x, y, width, height, rows);
    window_terms(g, ground, x, y, width, height, rows);
    window_terms(g, links, x, y, width, height, rows);
}

static bool in_box(site_box box, int32_t x, int32_t y)
{
    return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
}

/* Does the term, a condition on a rectangle of cells, hold at the origin (x, y)? A narrow
 * rectangle is tested cell by cell, so that no bitmap (node) need be made for its size. */
static bool term_holds(generator *g, const site_term *term, int32_t x, int32_t y)
{
    const site_node *node = &g->config->sites->nodes[term->node];
    const layer_state *layer = site_layer_read(g, node->layer);
    if (layer->all || layer->none)
        return layer->all;
    x += term->dx;
    y += term->dy;
    if (node->w <= 64) {
        const uint64_t *words = site_cells_read(g->site_map, node->layer);
        const uint64_t span = ~UINT64_C(0) >> (64 - node->w);
        uint64_t missing = 0;
        for (int32_t k = 0; k < node->h; k++)
            missing |= ~bits_of_row(words, x, y + k) & span;
        return missing == 0;
    }
    return bits_of_row(site_node_read(g->site_map, term->node), x, y) & 1;
}

static bool terms_hold(generator *g, const site_term *terms, uint32_t count, int32_t x,
                       int32_t y)
{
    for (uint32_t i = 0; i < count; i++)
        if (!term_holds(g, &terms[i], x, y))
            return false;
    return true;
}

bool site_fits(generator *g, uint16_t special, int rotation, int32_t x, int32_t y)
{
    const site_special *s = site_special_of(g, special);
    const site_rotated *t = &s->rotated[rotation];
    return s->possible && s->linkable && in_box(t->ground, x, y) && in_box(t->links, x, y) &&
           terms_hold(g, t->terms, s->ground_count + s->link_count, x, y);
}

bool site_links_fit(generator *g, uint16_t special, int rotation, int32_t x, int32_t y)
{
    const site_special *s = site_special_of(g, special);
    const site_rotated *t = &s->rotated[rotation];
    return s->possible && s->linkable && in_box(t->links, x, y) &&
           terms_hold(g, t->terms + s->ground_count, s->link_count, x, y);
}
