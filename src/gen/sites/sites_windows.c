/*
 * Tests a few origins at a time. The larger nodes are not used here, since they would have to
 * be updated for the whole level. Rectangles are and-ed directly from the cells of the rows
 * that matter.
 */
#include "gen/sites/sites_impl.h"

#include <string.h>

/* Starts the rows of a window with the origins in the box. */
static void window_box(site_box box, int32_t x, int32_t y, int32_t width, int32_t height,
                       uint64_t *rows)
{
    uint64_t span[SITE_WORDS];
    bits_span(span, box.x0 - x, box.x1 - x < width ? box.x1 - x : width - 1);
    for (int32_t j = 0; j < height; j++)
        rows[j] &= y + j >= box.y0 && y + j <= box.y1 ? span[0] : 0;
}

/* Finds the first and the last row that is not empty. False if all are. */
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

/* Keeps in rows[first..last] the origins, from (x, y + j) on, at which all cells of the node's
 * rectangle are set. What is read of a row fits into a word. */
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

/* Keeps the origins that meet all terms. Rows outside the box must be empty. */
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

/* Does the term hold at a single origin? A narrow rectangle is tested cell by cell, so that
 * its node need not be made. */
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
