/*
 * The map of one chunk. A level of a single oter needs no bits until a cell changes. Any other
 * level is read when it is first asked for. Its layers are first filled as if all cells had the
 * default oter. Then, for each group of 64 cells that has another oter, one word of each layer
 * is computed from the masks of the cells' oters (see site_level). From then on the bits follow
 * the cells. Cells on which specials are placed leave a layer for OMTs and checks when that
 * layer is next read. Nodes larger than 1 x 1 are computed again when their layer has changed.
 */
#include "gen/sites/sites_impl.h"

#include <string.h>

/* first_block and last_block tell which blocks of cells come near the row (or column) v of
 * cells: they return the numbers of the first and the last block that has a cell at most `far`
 * cells away from it. */
static int32_t first_block(int32_t v, int32_t far)
{
    return v > far ? (v - far) / SITE_BLOCK : 0;
}

static int32_t last_block(int32_t v, int32_t far)
{
    return v + far < SIZE ? (v + far) / SITE_BLOCK : SITE_BLOCKS - 1;
}

static void make_site_map(generator *g)
{
    const site_tables *t = g->config->sites;
    site_map *m = g->site_map = generator_memory(g, 1, sizeof *m);
    if (!m)
        return;
    m->tables = t;
    /* Divide the rows of cells into stretches of adjacent rows, numbered from 1 up; columns are
     * divided in the same way. For all rows of a stretch the blocks that lie at most
     * SITE_REACH[reach] away are the same, for each `reach`. */
    uint8_t *out = m->stretches;
    uint8_t number = 1;
    out[0] = number;
    for (int32_t v = 1; v < SIZE; v++) {
        bool same = true;
        for (int reach = 0; reach < SITE_REACHES; reach++) {
            const int32_t far = SITE_REACH[reach];
            same = same && first_block(v, far) == first_block(v - 1, far) &&
                   last_block(v, far) == last_block(v - 1, far);
        }
        number = (uint8_t)(number + !same);
        out[v] = number;
    }
    m->watch_words = t->special_count / 64 + 1;
    m->gained_words = SITE_REACHES * SITE_BLOCK_COUNT * t->layer_words;
    m->watcher_words = SITE_REACHES * t->layer_count * m->watch_words;
    m->layers = generator_memory(g, t->layer_count + 1, sizeof *m->layers);
    m->cells = generator_memory(g, t->layer_count + 1, sizeof *m->cells);
    m->places = generator_memory(g, t->node_count + 1, sizeof *m->places);
    m->versions = generator_memory(g, t->node_count + 1, sizeof *m->versions);
    m->gained = generator_memory(g, m->gained_words, sizeof *m->gained);
    m->watchers = generator_memory(g, m->watcher_words + 1, sizeof *m->watchers);
}

static const uint16_t *masks_of(const site_map *m, const site_level *own, size_t group)
{
    return &own->masks[group * m->tables->oter_count];
}

static bool layer_has(const site_map *m, const site_level *own, uint32_t bit, ptl_oter oter)
{
    return masks_of(m, own, bit / SITE_GROUP)[oter] >> bit % SITE_GROUP & 1;
}

void site_map_begin(generator *g)
{
    site_map *m = g->site_map;
    const site_tables *t = m->tables;
    memset(m->layers, 0, t->layer_count * sizeof *m->layers);
    memset(m->places, 0, t->node_count * sizeof *m->places);
    for (size_t i = 0; i < NODES_KEPT; i++)
        m->owners[i] = NODE_NONE;
    m->oldest = 0;
    site_unpin(m);
    for (int z = 0; z < PTL_LEVELS; z++) {
        const level *l = &g->chunk->levels[z];
        const site_level *own = &t->levels[z];
        /* All cells of the level hold the same oter. */
        const bool even = !l->cells || level_is_even(l->cells);
        const ptl_oter fill = l->cells ? l->cells[0] : l->fill;
        m->levels[z] = even ? LEVEL_UNIFORM : LEVEL_UNREAD;
        if (m->owned[z].count > 0)
            m->owned[z] = (owned_cells){.count = 0};
        for (uint32_t b = 0; b < own->count && even; b++) {
            layer_state *layer = &m->layers[own->layers[b]];
            layer->all = layer_has(m, own, b, fill);
            layer->none = !layer->all;
        }
    }
    memset(m->gained, 0, m->gained_words * sizeof *m->gained);
    memset(m->watchers, 0, m->watcher_words * sizeof *m->watchers);
    m->watched = false;
    m->clock = 1;
    g->watching = site_map_cell;
    g->watches++;
}

void site_map_end(generator *g)
{
    g->watching = NULL;
}

/* ---- reading a level ---- */

/* Fills a layer with all cells inside the border ring, or with none. The words beyond the last
 * row are 0 and stay 0. */
static void fill_layer(uint64_t *words, bool all)
{
    /* The bits of four rows of cells. They are copied again and again, which works out since
     * the number of rows is a multiple of four. */
    uint64_t rows[4 * SITE_WORDS] = {0};
    for (int i = 0; i < 4 && all; i++)
        bits_span(&rows[i * SITE_WORDS], INNER_FIRST, INNER_LAST);
    for (int32_t at = 0; at < SITE_CELLS; at += 4 * SITE_WORDS)
        memcpy(&words[at], rows, sizeof rows);
    memset(words, 0, SITE_WORDS * sizeof *words);
    memset(&words[(SIZE - 1) * SITE_WORDS], 0, SITE_WORDS * sizeof *words);
}

/* A group of layers of a level, while the level is read. */
typedef struct level_reader {
    const site_kernels *kernels;
    /* masks[oter] has a bit for each layer of this group: 1 if the layer has the oter. */
    const uint16_t *masks;
    uint32_t count;
    uint64_t *to[SITE_GROUP];
    /* The words of 64 cells that were stored so far, combined for each layer of the group:
     * `all` has the bits that are set in all of these words, `any` those that are set in at
     * least one. */
    uint64_t all[SITE_GROUP], any[SITE_GROUP];
} level_reader;

/* Stores the words for the same 64 cells in all layers of this group: words[k] becomes word
 * number `at` of the group's layer k. `inner` has the bits of those cells that lie inside the
 * border ring; the other bits are cleared. */
static void put_words(level_reader *r, uint64_t words[SITE_GROUP], int32_t at, uint64_t inner)
{
    for (int k = 0; k < SITE_GROUP; k++) {
        words[k] &= inner;
        r->any[k] |= words[k];
        r->all[k] &= words[k] | ~inner;
    }
    for (uint32_t k = 0; k < r->count; k++)
        r->to[k][at] = words[k];
}

/* Reads all cells of a level into the layers. `most` is the oter of most cells, and the layers
 * are filled already as if all cells had it. So only words of 64 cells with another oter among
 * them are looked up. The last word of a row is read as 64 cells, too, although the row has
 * fewer. So some cells of the next row are read; there always is one, because the rows of the
 * border ring are left out. */
static void read_cells(level_reader *r, const ptl_oter *cells, ptl_oter most)
{
    uint64_t inner[SITE_WORDS], words[SITE_GROUP];
    ptl_oter usual[SIZE];
    bool seen = false;
    bits_span(inner, INNER_FIRST, INNER_LAST);
    for (int32_t x = 0; x < SIZE; x++)
        usual[x] = most;
    for (int32_t y = INNER_FIRST; y <= INNER_LAST; y++) {
        const ptl_oter *row = &cells[y * SIZE];
        if (seen && memcmp(row, usual, sizeof usual) == 0)
            continue;
        if (y > INNER_FIRST && memcmp(row, row - SIZE, sizeof usual) == 0) {
            /* This row of cells is equal to the one above: copy that row's bits in each
             * layer. */
            const int32_t at = y * SITE_WORDS;
            for (uint32_t k = 0; k < r->count; k++)
                memcpy(&r->to[k][at], &r->to[k][at - SITE_WORDS],
                       SITE_WORDS * sizeof *r->to[k]);
            continue;
        }
        for (int32_t w = 0; w < SITE_WORDS; w++) {
            const int32_t x = 64 * w, width = SIZE - x < 64 ? SIZE - x : 64;
            const int32_t at = y * SITE_WORDS + w;
            const ptl_oter *from = &cells[y * SIZE + x];
            const bool is_usual = memcmp(from, usual, (size_t)width * sizeof *from) == 0;
            if (!is_usual || !seen) {
                r->kernels->look_up(words, from, r->masks);
                put_words(r, words, at, inner[w]);
            }
            seen = seen || is_usual;
        }
    }
}

/* Reads one group of a level's layers. */
static void read_layers(site_map *m, const site_level *own, size_t group, const ptl_oter *cells,
                        ptl_oter most)
{
    level_reader r = {.kernels = m->tables->kernels, .masks = masks_of(m, own, group)};
    const uint32_t first = (uint32_t)(SITE_GROUP * group);
    const uint32_t left = own->count - (uint32_t)group * SITE_GROUP;
    r.count = left < SITE_GROUP ? left : SITE_GROUP;
    memset(r.all, 0xff, sizeof r.all);
    for (uint32_t k = 0; k < r.count; k++) {
        r.to[k] = m->cells[own->layers[first + k]].words;
        fill_layer(r.to[k], layer_has(m, own, first + k, most));
    }
    read_cells(&r, cells, most);
    for (uint32_t k = 0; k < r.count; k++) {
        layer_state *layer = &m->layers[own->layers[first + k]];
        layer->all = r.all[k] == ~UINT64_C(0);
        layer->none = r.any[k] == 0;
    }
}

/* Returns whether the layers of the level are stored as bits, of which those of a changed cell
 * must then be changed, too. */
static bool has_bits(site_map *m, int at)
{
    if (m->levels[at] == LEVEL_UNIFORM) {
        /* All cells of the level were equal until now, so its layers had no bits. Now one of
         * the cells is about to change, so the layers get their bits. */
        const site_level *own = &m->tables->levels[at];
        for (uint32_t b = 0; b < own->count; b++)
            fill_layer(m->cells[own->layers[b]].words, m->layers[own->layers[b]].all);
        m->levels[at] = LEVEL_READ;
    }
    return m->levels[at] == LEVEL_READ;
}

static uint64_t take_word(const owned_cells *owned, uint64_t *words, int32_t at)
{
    const uint64_t taken = owned->bits.words[at], lost = words[at] & taken;
    words[at] &= ~taken;
    return lost;
}

/* Removes from a layer the cells on which specials were placed after the layer was last read.
 * The layer must be one that the OMTs or checks of specials need (a check tests a box of
 * cells). */
static void take_owned(site_map *m, const owned_cells *owned, layer_state *layer,
                       uint64_t *words)
{
    uint64_t lost = 0;
    if (owned->count - layer->taken > OWNED_LATEST) {
        for (int32_t at = 0; at < SITE_CELLS; at++)
            lost |= take_word(owned, words, at);
    } else {
        int32_t before = -1; /* index of the word (of 64 cells) to which take_word was applied
                              * last: often several cells of a special lie in one word, for
                              * which one call is enough */
        for (uint32_t i = layer->taken; i < owned->count; i++) {
            const int32_t at = owned->latest[i % OWNED_LATEST];
            if (at != before)
                lost |= take_word(owned, words, at);
            before = at;
        }
    }
    layer->taken = owned->count;
    if (!lost)
        return;
    layer->all = false;
    layer->changed = ++m->clock;
}

const layer_state *site_layer_read(generator *g, uint32_t layer)
{
    site_map *m = g->site_map;
    const site_layer *as = &m->tables->layers[layer];
    const int at = as->z - PTL_Z_MIN;
    const site_level *own = &m->tables->levels[at];
    const level *from = &g->chunk->levels[at];
    layer_state *state = &m->layers[layer];
    if (m->levels[at] == LEVEL_UNREAD) {
        for (size_t group = 0; group < own->groups; group++)
            read_layers(m, own, group, from->cells, g->config->defaults[at]);
        m->levels[at] = LEVEL_READ;
    }
    if (as->ground && !state->none && state->taken != m->owned[at].count && has_bits(m, at))
        take_owned(m, &m->owned[at], state, m->cells[layer].words);
    return state;
}

/* ---- following the cells ---- */

/* Counts, for each layer layers[i] for which bit i of `added` is set, that a cell has joined
 * it. If specials wait for that (site_watch), also notes near which blocks of cells it
 * happened. Roads are drawn cell by cell, so a cell mostly lies beside the previous one, for
 * which the same blocks were noted. */
static void count_gains(site_map *m, const uint32_t *layers, uint32_t added, int32_t cell)
{
    const int32_t x = cell % SIZE, y = cell / SIZE;
    const uint16_t where = (uint16_t)(m->stretches[y] << 8 | m->stretches[x]);
    for (; added; added &= added - 1) {
        const uint32_t layer = layers[__builtin_ctz(added)];
        layer_state *state = &m->layers[layer];
        state->gains++;
        if (!m->watched || state->noted == where)
            continue;
        /* The cell has joined the layer, so specials that site_watch has named may now fit at
         * origins near the cell. Note this in the blocks of cells that hold such origins, for
         * each class of specials by size: the cells of a special lie at most SITE_REACH[reach]
         * from its origin. */
        const size_t words = m->tables->layer_words;
        const unsigned reaches = m->layers[layer].reaches;
        uint64_t *gained = m->gained + layer / 64;
        const uint64_t bit = UINT64_C(1) << layer % 64;
        for (int reach = 0; reach < SITE_REACHES - 1;
             reach++, gained += SITE_BLOCK_COUNT * words) {
            if (!(reaches >> reach & 1))
                continue;
            const int32_t far = SITE_REACH[reach];
            const int32_t x0 = first_block(x, far), y0 = first_block(y, far);
            const int32_t x1 = last_block(x, far), y1 = last_block(y, far);
            for (int32_t by = y0; by <= y1; by++)
                for (int32_t bx = x0; bx <= x1; bx++)
                    gained[(size_t)(by * SITE_BLOCKS + bx) * words] |= bit;
        }
        if (reaches >> (SITE_REACHES - 1) & 1)
            *gained |= bit;
        state->noted = where;
    }
}

static inline bool is_owned(const site_map *m, int at, int32_t x, int32_t y)
{
    return m->owned[at].count > 0 && site_has(&m->owned[at].bits, x, y);
}

bool site_owned(const generator *g, int32_t z, int32_t cell)
{
    return g->watching && is_owned(g->site_map, z - PTL_Z_MIN, cell % SIZE, cell / SIZE);
}

const site_bits *site_owned_cells(const generator *g, int32_t z)
{
    if (!g->watching || g->site_map->owned[z - PTL_Z_MIN].count == 0)
        return NULL;
    return &g->site_map->owned[z - PTL_Z_MIN].bits;
}

const site_bits *site_untold_cells(const generator *g, int32_t z)
{
    const bool asked = g->watching && g->site_map->tables->levels[z - PTL_Z_MIN].points;
    return asked ? NULL : site_owned_cells(g, z);
}

void site_map_cell(generator *g, int32_t z, int32_t cell, ptl_oter before)
{
    site_map *m = g->site_map;
    const int at = z - PTL_Z_MIN;
    const site_level *own = &m->tables->levels[at];
    const int32_t x = cell % SIZE, y = cell / SIZE;
    if (own->count <= 0 || x < INNER_FIRST || x > INNER_LAST || y < INNER_FIRST ||
        y > INNER_LAST)
        return;
    const bool owned = is_owned(m, at, x, y);
    if (owned && !own->points)
        return;
    const ptl_oter is = g->chunk->levels[at].cells[cell];
    m->clock++;
    for (size_t i = 0; i < own->groups; i++) {
        const uint16_t *masks = masks_of(m, own, i);
        const uint32_t *layers = &own->layers[SITE_GROUP * i];
        const uint32_t may = owned ? ~(uint32_t)own->ground[i] : UINT32_MAX;
        const uint32_t now = masks[is] & may, changed = (masks[before] & may) ^ now;
        if (!changed)
            continue;
        count_gains(m, layers, changed & now, cell);
        if (!has_bits(m, at))
            continue;
        /* Set the cell's bit in each layer that it joins, and clear the bit in each that it
         * leaves. */
        for (uint32_t left = changed; left; left &= left - 1) {
            const int k = __builtin_ctz(left);
            const bool in = now >> k & 1;
            layer_state *layer = &m->layers[layers[k]];
            uint64_t *to = &m->cells[layers[k]].words[y * SITE_WORDS + x / 64];
            *to = (*to & ~(UINT64_C(1) << x % 64)) | (uint64_t)in << x % 64;
            layer->all = layer->all && in;
            layer->none = layer->none && !in;
            layer->changed = m->clock;
        }
    }
}

void site_own(generator *g, int32_t x, int32_t y, int32_t z)
{
    site_map *m = g->site_map;
    const int at = z - PTL_Z_MIN;
    owned_cells *owned = &m->owned[at];
    const int32_t word = y * SITE_WORDS + x / 64;
    const uint64_t bit = UINT64_C(1) << x % 64;
    if (!g->watching || owned->bits.words[word] & bit)
        return;
    owned->bits.words[word] |= bit;
    owned->latest[owned->count++ % OWNED_LATEST] = (uint16_t)word;
}

void site_watch(generator *g, uint16_t special, uint32_t number)
{
    site_map *m = g->site_map;
    const site_special *s = site_special_of(g, special);
    uint64_t *watchers = m->watchers + s->reach * m->tables->layer_count * m->watch_words;
    m->watched = true;
    for (uint32_t i = 0; i < s->layer_count; i++) {
        layer_state *layer = &m->layers[s->layers[i]];
        layer->reaches |= (uint8_t)(1u << s->reach);
        /* `noted` tells where the cell lies that joined the layer last; for the next cell near
         * it, count_gains notes nothing. But that cell was noted only for specials that were
         * watched then, perhaps smaller ones than this one. So it is forgotten. */
        layer->noted = 0;
        watchers[s->layers[i] * m->watch_words + number / 64] |= UINT64_C(1) << number % 64;
    }
}

void site_watched(const generator *g, int32_t block, uint64_t *set, size_t words)
{
    const site_map *m = g->site_map;
    const site_tables *t = m->tables;
    for (int reach = 0; reach < SITE_REACHES; reach++) {
        const int32_t at = reach == SITE_REACHES - 1 ? 0 : block;
        const uint64_t *gained =
            m->gained + (size_t)(reach * SITE_BLOCK_COUNT + at) * t->layer_words;
        const uint64_t *watchers =
            m->watchers + (size_t)reach * t->layer_count * m->watch_words;
        for (size_t w = 0; w < t->layer_words; w++)
            for (uint64_t left = gained[w]; left; left &= left - 1) {
                const size_t layer = 64 * w + (size_t)__builtin_ctzll(left);
                for (size_t i = 0; i < words; i++)
                    set[i] |= watchers[layer * m->watch_words + i];
            }
    }
}

/* ---- larger nodes ---- */

const uint64_t *site_node_read(site_map *m, uint32_t node)
{
    const site_node *as = &m->tables->nodes[node];
    if (as->parent == NODE_NONE)
        return m->cells[as->layer].words;
    if (m->places[node] && m->versions[node] >= m->layers[as->layer].changed)
        return m->kept[m->places[node] - 1].words;
    const uint64_t *parent = site_node_read(m, as->parent);
    if (!m->places[node]) {
        /* Choose the place in `kept` for the node's bits: not the place of a pinned node
         * (site_node_pin), and not that of the smaller node from whose bits this one is about
         * to be computed. */
        while (m->owners[m->oldest] == as->parent || m->pins[m->oldest] == m->pin)
            m->oldest = (m->oldest + 1) % NODES_KEPT;
        if (m->owners[m->oldest] != NODE_NONE)
            m->places[m->owners[m->oldest]] = 0;
        m->owners[m->oldest] = node;
        m->places[node] = (uint8_t)(1 + m->oldest);
        m->oldest = (m->oldest + 1) % NODES_KEPT;
    }
    const uint32_t place = m->places[node] - 1u;
    /* A node is the intersection of the smaller node with a shifted copy of it. The shift moves
     * the first bits of each row to the end of the row before. They do not get into the result,
     * since the bits of the smaller node itself are 0 there. */
    uint64_t *words = m->kept[place].words;
    const int32_t shift = as->dy * SITE_WORDS * 64 + as->dx, reach = shift / 64 + 1;
    m->tables->kernels->narrow(words, parent, SITE_CELLS - 1 - reach, shift);
    for (int32_t i = SITE_CELLS - reach; i < SITE_CELLS; i++)
        words[i] = 0; /* all cells of these last words of the set lie in the border ring, or
                         beyond the chunk */
    m->versions[node] = m->clock;
    return m->kept[place].words;
}

const uint64_t *site_node_pin(site_map *m, uint32_t node)
{
    const uint64_t *words = site_node_read(m, node);
    if (m->places[node])
        m->pins[m->places[node] - 1] = m->pin;
    return words;
}

/* ---- as a part of a generator ---- */

const gen_part site_map_part = {.make = make_site_map};
