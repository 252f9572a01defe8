/*
 * Questions to the site map. Origins at which something would leave the chunk are cut off by a
 * box; inside it a term is one and-ing of a shifted node, and nothing at all where its layer
 * has every cell of the level.
 */
#include "gen/sites_impl.h"

#include <string.h>

bool site_possible(const generator *g, uint16_t special)
{
    return site_special_of(g, special)->possible;
}

enum { ROWS_AT_ONCE = 4 }; /* of which a set has a multiple */

/* Rows of the box's span. */
static void make_pattern(uint64_t out[ROWS_AT_ONCE * SITE_WORDS], site_box box)
{
    bits_span(out, box.x0, box.x1);
    for (int i = SITE_WORDS; i < ROWS_AT_ONCE * SITE_WORDS; i++)
        out[i] = out[i - SITE_WORDS];
}

static void wipe_outside(site_bits *bits, site_box box)
{
    memset(bits->words, 0, (size_t)box.y0 * SITE_WORDS * sizeof *bits->words);
    memset(&bits->words[(box.y1 + 1) * SITE_WORDS], 0,
           (size_t)(SIZE - 1 - box.y1) * SITE_WORDS * sizeof *bits->words);
}

static void keep_box(site_bits *bits, site_box box)
{
    uint64_t pattern[ROWS_AT_ONCE * SITE_WORDS];
    make_pattern(pattern, box);
    for (int32_t at = 0; at < SITE_CELLS; at += ROWS_AT_ONCE * SITE_WORDS)
        for (int i = 0; i < ROWS_AT_ONCE * SITE_WORDS; i++)
            bits->words[at + i] &= pattern[i];
    wipe_outside(bits, box);
}

static void fill_box(site_bits *bits, site_box box)
{
    uint64_t pattern[ROWS_AT_ONCE * SITE_WORDS];
    make_pattern(pattern, box);
    for (int32_t at = 0; at < SITE_CELLS; at += ROWS_AT_ONCE * SITE_WORDS)
        memcpy(&bits->words[at], pattern, sizeof pattern);
    wipe_outside(bits, box);
}

/* The bits lie in the box. */
static void keep_fitting(generator *g, site_terms range, site_bits *bits)
{
    const site_tables *t = g->config->sites;
    const int32_t first = range.box.y0 * SITE_WORDS;
    const int32_t last = range.box.y1 * SITE_WORDS + SITE_WORDS - 1;
    for (uint32_t i = 0; i < range.count; i++) {
        const site_term *term = &range.terms[i];
        const layer_state *layer = site_layer_read(g, t->nodes[term->node].layer);
        if (layer->all)
            continue;
        const int32_t shift = term->dy * SITE_WORDS * 64 + term->dx;
        const bool any =
            !layer->none &&
            t->kernels->and_shifted(bits->words, site_node_read(g->site_map, term->node), first,
                                    last, shift);
        if (!any) {
            memset(bits, 0, sizeof *bits);
            return;
        }
    }
}

void site_ground(generator *g, uint16_t special, int rotation, site_bits *out)
{
    const site_special *s = site_special_of(g, special);
    const site_terms range = site_ground_terms(s, rotation);
    if (!s->possible) {
        memset(out, 0, sizeof *out);
        return;
    }
    fill_box(out, range.box);
    keep_fitting(g, range, out);
}

static bool lies_in(site_box inner, site_box outer)
{
    return inner.x0 >= outer.x0 && inner.y0 >= outer.y0 && inner.x1 <= outer.x1 &&
           inner.y1 <= outer.y1;
}

/* Takes away origins at which a connection point does not fit, of bits that lie in a box. */
static void keep_linked(generator *g, const site_special *s, int rotation, site_box box,
                        site_bits *bits)
{
    const site_terms range = site_link_terms(s, rotation);
    if (!s->possible || !s->linkable) {
        memset(bits, 0, sizeof *bits);
    } else if (range.count > 0) {
        if (!lies_in(box, range.box))
            keep_box(bits, range.box);
        keep_fitting(g, range, bits);
    }
}

void site_links(generator *g, uint16_t special, int rotation, site_bits *bits)
{
    const site_box anywhere = {0, 0, SIZE - 1, SIZE - 1};
    keep_linked(g, site_special_of(g, special), rotation, anywhere, bits);
}

int site_score(generator *g, uint16_t special, int rotation, int32_t x, int32_t y)
{
    const catalogue *cat = g->config->cat;
    const cat_special *s = &cat->specials[special];
    int score = 0;
    for (size_t i = 0; i < s->link_count && score < SITE_SCORE_MAX; i++) {
        const cat_link *link = &s->links[i];
        int32_t dx, dy;
        feature_turn(link->x, link->y, rotation, &dx, &dy);
        if (link->z < PTL_Z_MIN || link->z > PTL_Z_MAX || !inside(x + dx, y + dy))
            continue;
        const level *l = chunk_level(g->chunk, link->z);
        const ptl_oter oter = l->cells ? l->cells[(y + dy) * SIZE + x + dx] : l->fill;
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

/* One ground, turned or not. */
static site_counts single_turn(generator *g, uint16_t special, site_bits *out)
{
    const site_special *s = site_special_of(g, special);
    site_counts counts;
    site_ground(g, special, 0, out);
    counts.ground = counts.linked = site_count(out);
    if (s->link_count > 0 || !s->linkable) {
        site_links(g, special, 0, out);
        counts.linked = site_count(out);
    }
    return counts;
}

/* Rotations often share their ground, and differ by where they want a connection. */
site_counts site_origins(generator *g, uint16_t special, site_bits *out)
{
    const site_special *s = site_special_of(g, special);
    const int rotations = g->config->cat->specials[special].rotate ? 4 : 1;
    const bool links = s->link_count > 0 || !s->linkable;
    site_map *m = g->site_map;
    if (rotations == 1 || (s->like[1] | s->like[2] | s->like[3]) == 0)
        return single_turn(g, special, out);
    memset(out, 0, sizeof *out);
    memset(&m->ground, 0, sizeof m->ground);
    for (int r = 0, known = -1; r < rotations; r++) {
        if (s->like[r] != r)
            continue;
        if (known < 0 || s->turns[known].ground_list != s->turns[r].ground_list) {
            site_ground(g, special, r, &m->turned);
            site_or(links ? &m->ground : out, &m->turned);
            known = r;
        }
        if (links) {
            m->linked = m->turned;
            keep_linked(g, s, r, s->turns[r].ground, &m->linked);
            site_or(out, &m->linked);
        }
    }
    const int32_t linked = site_count(out);
    return (site_counts){links ? site_count(&m->ground) : linked, linked};
}

uint32_t site_gains(const generator *g, uint16_t special)
{
    const site_special *s = site_special_of(g, special);
    uint32_t gains = 0;
    for (uint32_t i = 0; i < s->layer_count; i++)
        gains += g->site_map->layers[s->layers[i]].gains;
    return gains;
}
