/*
 * Sewers (reference 3.12). Reads: z = 0, where the manholes are. Writes: z = -1, one
 * network of sewers that links what lies below them. Manholes below which no sewer
 * can be, and links for which there is no way, are events.
 */
#include "gen/connect_impl.h"

enum { BELOW = -1 };

/* Where no link came by, the manhole gets an end of its own. After the links, not before: ends
 * that lie about as cheap tiles lead the path search everywhere. */
static void dig(generator *g, const connect_end *end)
{
    const path_node node = {end->x, end->y, CONNECT_ANY};
    const ptl_oter *cells = cells_at(g, BELOW);
    if (cells && !connect_has(g, g->config->sewer, cells[end->y * SIZE + end->x]))
        connect_draw(g, g->config->sewer, BELOW, &node, 1);
}

static bool usable(generator *g, int32_t x, int32_t y)
{
    const ptl_oter *cells = cells_at(g, BELOW);
    if (cells && connect_turns(g, g->config->sewer, cells[y * SIZE + x]))
        return true;
    if (cells)
        add_event(g, "blocked", x, y, BELOW, "no sewer can be below this manhole");
    return false;
}

static size_t collect(generator *g, connect_end *ends)
{
    const ptl_oter manhole = g->config->oters->manhole;
    size_t count = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        const int32_t x = i % SIZE, y = i / SIZE;
        if (g->ground[i] != manhole)
            continue;
        if (count == MANHOLES_MAX) {
            add_event(g, "too_many", x, y, 0,
                      "manholes: this one and those after it get no sewer");
            break;
        }
        if (usable(g, x, y))
            ends[count++] = (connect_end){(int16_t)x, (int16_t)y, CONNECT_ANY, false};
    }
    return count;
}

void step_sewers(generator *g)
{
    if (g->config->sewer == CAT_NONE || g->config->oters->manhole == CAT_NONE)
        return;
    connector *k = g->connector;
    const size_t count = collect(g, k->manholes);
    connect_points(g, g->config->sewer, BELOW, k->manholes, count, k->results);
    for (size_t i = 0; i + 1 < count && !g->failed; i++)
        if (k->results[i] != CONNECT_DRAWN && k->results[i] != CONNECT_SAME)
            add_event(g, "unreached", k->manholes[i].x, k->manholes[i].y, BELOW,
                      "no way for a sewer to the next manhole");
    for (size_t i = 0; i < count && !g->failed; i++)
        dig(g, &k->manholes[i]);
}
