/* Says which cells keep a special from standing at an origin (site_fault_find). */
#include "gen/sites/sites.h"

#include "gen/sites/sites_impl.h"

bool site_fault_allows(const generator *g, const site_fault *fault, ptl_oter oter)
{
    const site_tables *t = g->config->sites;
    const site_layer *layer = &t->layers[fault->layer];
    const site_level *own = &t->levels[layer->z - PTL_Z_MIN];
    const uint16_t *masks = &own->masks[layer->bit / SITE_GROUP * t->oter_count];
    return oter < t->oter_count && masks[oter] >> layer->bit % SITE_GROUP & 1;
}

/* A cell that a term of a special asks for, if the special's origin is at some place. */
typedef struct asked_cell {
    const generator *g;
    const site_term *term;
    int32_t x, y;
} asked_cell;

/* Describes the cell in *out if it is not as the term asks. */
static bool is_wrong(site_fault *out, const asked_cell *cell)
{
    const generator *g = cell->g;
    const uint32_t number = g->config->sites->nodes[cell->term->node].layer;
    const site_layer *layer = &g->config->sites->layers[number];
    const int32_t x = cell->x, y = cell->y;
    site_fault f = {.x = x, .y = y, .z = layer->z, .layer = number, .oter = CAT_NONE};
    f.outside = x < INNER_FIRST || y < INNER_FIRST || x > INNER_LAST || y > INNER_LAST;
    f.taken = !f.outside && layer->ground && site_owned(g, layer->z, y * SIZE + x);
    if (!f.outside)
        f.oter = ptl_chunk_oter(g->chunk, x, y, layer->z);
    if (!f.outside && !f.taken && site_fault_allows(g, &f, f.oter))
        return false;
    *out = f;
    return true;
}

/* Does one of the first `count` terms ask for the cell, too, and, if `wrong`, is it not as that
 * term asks? (x, y) is the special's origin. */
static bool is_known(const asked_cell *cell, const site_term *terms, uint32_t count, int32_t x,
                     int32_t y, bool wrong)
{
    const site_tables *t = cell->g->config->sites;
    const int8_t z = t->layers[t->nodes[cell->term->node].layer].z;
    for (uint32_t i = 0; i < count; i++) {
        const site_node *node = &t->nodes[terms[i].node];
        const int32_t dx = cell->x - x - terms[i].dx, dy = cell->y - y - terms[i].dy;
        const asked_cell other = {cell->g, &terms[i], cell->x, cell->y};
        site_fault f;
        if (t->layers[node->layer].z == z && dx >= 0 && dy >= 0 && dx < node->w &&
            dy < node->h && (!wrong || is_wrong(&f, &other)))
            return true;
    }
    return false;
}

bool site_fault_find(site_fault *out, const generator *g, uint16_t special, int rotation,
                     int32_t x, int32_t y, bool links)
{
    const site_tables *t = g->config->sites;
    const site_special *s = site_special_of(g, special);
    const site_terms terms =
        links ? site_link_terms(s, rotation) : site_ground_terms(s, rotation);
    int32_t wrong = 0, cells = 0;
    *out = (site_fault){.cells = 0};
    for (uint32_t i = 0; s->possible && terms.terms && i < terms.count; i++) {
        const site_term *term = &terms.terms[i];
        const site_node *node = &t->nodes[term->node];
        for (int32_t k = 0; k < node->w * node->h; k++) {
            const asked_cell cell = {g, term, x + term->dx + k % node->w,
                                     y + term->dy + k / node->w};
            site_fault f;
            cells += !is_known(&cell, terms.terms, i, x, y, false);
            if (!is_wrong(&f, &cell) || is_known(&cell, terms.terms, i, x, y, true))
                continue;
            if (wrong++ == 0)
                *out = f;
        }
    }
    out->wrong = wrong;
    out->cells = cells;
    return wrong > 0;
}
