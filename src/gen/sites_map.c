/*
 * The map of one chunk. A level is read when it is first asked for: all default, but for each
 * 64 cells of a row that are not, which become a word for each layer by transposing the masks
 * of their oters. From then on it follows the cells, and larger nodes are made again if their
 * layer has changed.
 */
#include "gen/sites_impl.h"

#include <stdlib.h>
#include <string.h>

site_map *site_map_new(const gen_config *config)
{
    const site_tables *t = config->sites;
    site_map *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->tables = t;
    m->layers = calloc(t->layer_count + 1, sizeof *m->layers);
    m->cells = calloc(t->layer_count + 1, sizeof *m->cells);
    m->kept = calloc(NODES_KEPT, sizeof *m->kept);
    m->places = calloc(t->node_count + 1, sizeof *m->places);
    m->versions = calloc(t->node_count + 1, sizeof *m->versions);
    m->watch_words = t->special_count / 64 + 1;
    m->gained = calloc(SITE_REACHES * SITE_BLOCK_COUNT * t->layer_words, sizeof *m->gained);
    m->watchers =
        calloc(SITE_REACHES * t->layer_count * m->watch_words + 1, sizeof *m->watchers);
    const bool nodes = m->cells && m->kept && m->places && m->versions;
    if (m->layers && nodes && m->gained && m->watchers)
        return m;
    site_map_free(m);
    return NULL;
}

void site_map_free(site_map *m)
{
    if (!m)
        return;
    free(m->layers);
    free(m->cells);
    free(m->kept);
    free(m->places);
    free(m->versions);
    free(m->gained);
    free(m->watchers);
    free(m);
}

static const uint64_t *masks_of(const site_level *own, ptl_oter oter)
{
    return &own->masks[oter * own->words];
}

static bool mask_has(const uint64_t *masks, uint32_t bit)
{
    return masks[bit / 64] >> (bit % 64) & 1;
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
    for (int z = 0; z < PTL_LEVELS; z++) {
        const level *l = &g->chunk->levels[z];
        const site_level *own = &t->levels[z];
        m->levels[z] = l->cells ? LEVEL_UNREAD : LEVEL_UNIFORM;
        if (m->owns[z])
            memset(&m->owned[z], 0, sizeof m->owned[z]);
        m->owns[z] = false;
        for (uint32_t b = 0; b < own->count && !l->cells; b++) {
            layer_state *layer = &m->layers[own->layers[b]];
            layer->all = mask_has(masks_of(own, l->fill), b);
            layer->none = !layer->all;
        }
    }
    memset(m->gained, 0, SITE_REACHES * SITE_BLOCK_COUNT * t->layer_words * sizeof *m->gained);
    memset(m->watchers, 0,
           SITE_REACHES * t->layer_count * m->watch_words * sizeof *m->watchers);
    m->watched = false;
    m->clock = 1;
    g->watching = true;
    g->watches++;
}

void site_map_end(generator *g)
{
    g->watching = false;
}

/* ---- reading a level ---- */

/* All cells of a layer without the border ring, or none. What is beyond the last row stays 0.
 */
static void fill_layer(uint64_t *words, bool all)
{
    uint64_t rows[4 * SITE_WORDS] = {0}; /* the level has a multiple of four */
    for (int i = 0; i < 4 && all; i++)
        bits_span(&rows[i * SITE_WORDS], INNER_FIRST, INNER_LAST);
    for (int32_t at = 0; at < SITE_CELLS; at += 4 * SITE_WORDS)
        memcpy(&words[at], rows, sizeof rows);
    memset(words, 0, SITE_WORDS * sizeof *words);
    memset(&words[(SIZE - 1) * SITE_WORDS], 0, SITE_WORDS * sizeof *words);
}

/* Up to 64 layers of a level while it is read. */
typedef struct level_reader {
    const site_level *own;
    size_t word; /* of the masks: layers 64 * word .. */
    uint32_t count;
    uint64_t *to[64];
    uint64_t all[64], any[64]; /* and-ed and or-ed words */
} level_reader;

static bool are_all(const ptl_oter *cells, int32_t count, ptl_oter oter)
{
    uint16_t differs = 0;
    for (int32_t i = 0; i < count; i++)
        differs |= (uint16_t)(cells[i] ^ oter);
    return differs == 0;
}

static inline uint64_t mask_at(const level_reader *r, ptl_oter oter)
{
    return masks_of(r->own, oter)[r->word];
}

/* Cells of one kind: each layer has all of them or none. */
static void put_equal(level_reader *r, uint64_t mask, int32_t at, uint64_t inner)
{
    for (uint32_t k = 0; k < r->count; k++) {
        const uint64_t word = mask >> k & 1 ? inner : 0;
        r->to[k][at] = word;
        r->any[k] |= word;
        r->all[k] &= word | ~inner;
    }
}

/* 64 cells: the word `at` of each layer. inner has the bits that count. */
static void put_mixed(level_reader *r, const ptl_oter *cells, int32_t at, uint64_t inner)
{
    uint64_t words[64];
    if (r->count <= 16) {
        for (int32_t i = 0; i < 16; i++) /* what the transposition would begin with */
            words[i] = mask_at(r, cells[i]) | mask_at(r, cells[i + 16]) << 16 |
                       mask_at(r, cells[i + 32]) << 32 | mask_at(r, cells[i + 48]) << 48;
        bits_transpose_16(words);
    } else {
        for (int32_t i = 0; i < 64; i++)
            words[i] = mask_at(r, cells[i]);
        bits_transpose(words);
    }
    for (uint32_t k = 0; k < r->count; k++)
        r->to[k][at] = words[k] & inner;
    for (uint32_t k = 0; k < r->count; k++) {
        r->any[k] |= words[k] & inner;
        r->all[k] &= words[k] | ~inner;
    }
}

/* The layers are filled with what most cells are, and the other words are read. The last word
 * of a row reads into the next row, which there always is without the border ring. */
static void read_cells(level_reader *r, const ptl_oter *cells, ptl_oter most)
{
    uint64_t inner[SITE_WORDS];
    bool seen = false;
    bits_span(inner, INNER_FIRST, INNER_LAST);
    for (int32_t y = INNER_FIRST; y <= INNER_LAST; y++)
        for (int32_t w = 0; w < SITE_WORDS; w++) {
            const int32_t x = 64 * w, width = SIZE - x < 64 ? SIZE - x : 64;
            const int32_t at = y * SITE_WORDS + w;
            const ptl_oter *from = &cells[y * SIZE + x];
            if (!are_all(from, width, from[0]))
                put_mixed(r, from, at, inner[w]);
            else if (from[0] != most || !seen)
                put_equal(r, mask_at(r, from[0]), at, inner[w]);
            seen = seen || from[0] == most;
        }
}

/* Takes the cells of specials that stand out of a layer of the ground. */
static void take_owned(const site_map *m, uint32_t layer, uint64_t *words)
{
    const site_layer *l = &m->tables->layers[layer];
    const int at = l->z - PTL_Z_MIN;
    for (size_t i = 0; l->ground && m->owns[at] && i < SITE_CELLS; i++)
        words[i] &= ~m->owned[at].words[i];
}

static void read_layers(site_map *m, const site_level *own, size_t word, const ptl_oter *cells,
                        ptl_oter most)
{
    level_reader r = {.own = own, .word = word};
    const uint32_t first = (uint32_t)(64 * word);
    r.count = own->count - first < 64 ? own->count - first : 64;
    for (uint32_t k = 0; k < r.count; k++) {
        r.to[k] = m->cells[own->layers[first + k]].words;
        r.all[k] = ~UINT64_C(0);
        fill_layer(r.to[k], mask_has(masks_of(own, most), first + k));
    }
    read_cells(&r, cells, most);
    for (uint32_t k = 0; k < r.count; k++) {
        layer_state *layer = &m->layers[own->layers[first + k]];
        layer->all = r.all[k] == ~UINT64_C(0) && !m->owns[own - m->tables->levels];
        layer->none = r.any[k] == 0;
        take_owned(m, own->layers[first + k], r.to[k]);
    }
}

const layer_state *site_layer_read(generator *g, uint32_t layer)
{
    site_map *m = g->site_map;
    const int at = m->tables->layers[layer].z - PTL_Z_MIN;
    const site_level *own = &m->tables->levels[at];
    if (m->levels[at] == LEVEL_UNREAD) {
        for (size_t word = 0; word < own->words; word++)
            read_layers(m, own, word, g->chunk->levels[at].cells, g->config->defaults[at]);
        m->levels[at] = LEVEL_READ;
    }
    return &m->layers[layer];
}

/* ---- following the cells ---- */

/* A uniform level is about to change: its layers get bits. */
static void spread(site_map *m, const site_level *own)
{
    for (uint32_t b = 0; b < own->count; b++)
        fill_layer(m->cells[own->layers[b]].words, m->layers[own->layers[b]].all);
}

/* The layer has gained a cell: notes it for the blocks whose origins may have to do with it. */
static void note_gain(site_map *m, uint32_t layer, int32_t x, int32_t y)
{
    const size_t words = m->tables->layer_words;
    uint64_t *gained = m->gained + layer / 64;
    const uint64_t bit = UINT64_C(1) << layer % 64;
    for (int reach = 0; reach < SITE_REACHES - 1; reach++) {
        const int32_t far = SITE_REACH[reach];
        const int32_t x0 = x > far ? (x - far) / SITE_BLOCK : 0;
        const int32_t y0 = y > far ? (y - far) / SITE_BLOCK : 0;
        const int32_t x1 = x + far < SIZE ? (x + far) / SITE_BLOCK : SITE_BLOCKS - 1;
        const int32_t y1 = y + far < SIZE ? (y + far) / SITE_BLOCK : SITE_BLOCKS - 1;
        for (int32_t by = y0; by <= y1; by++)
            for (int32_t bx = x0; bx <= x1; bx++)
                gained[(size_t)(by * SITE_BLOCKS + bx) * words] |= bit;
        gained += SITE_BLOCK_COUNT * words;
    }
    *gained |= bit; /* anywhere */
}

/* The cell has joined the layer or left it. */
static void flip(site_map *m, uint32_t layer, int32_t x, int32_t y, bool joined, bool has_bits)
{
    layer_state *l = &m->layers[layer];
    l->changed = m->clock;
    if (joined) {
        l->gains++;
        l->none = false;
        if (m->watched)
            note_gain(m, layer, x, y);
    } else {
        l->all = false;
    }
    if (has_bits)
        m->cells[layer].words[y * SITE_WORDS + x / 64] ^= UINT64_C(1) << (x % 64);
}

/* The layers that the cell is in by its oter; those of the ground only where nothing stands. */
static uint64_t layers_at(const site_level *own, ptl_oter oter, size_t word, bool owned)
{
    const uint64_t mask = masks_of(own, oter)[word];
    return owned ? mask & ~own->ground[word] : mask;
}

/* The cell was in some layers and is in others now. */
static void change(site_map *m, int at, int32_t cell, const uint64_t *old, const uint64_t *now,
                   size_t word)
{
    const site_level *own = &m->tables->levels[at];
    const uint64_t change = *old ^ *now;
    if (change && m->levels[at] == LEVEL_UNIFORM) {
        spread(m, own);
        m->levels[at] = LEVEL_READ;
    }
    for (uint64_t left = change; left; left &= left - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctzll(left);
        flip(m, own->layers[64 * word + bit], cell % SIZE, cell / SIZE, *now >> bit & 1,
             m->levels[at] == LEVEL_READ);
    }
}

static bool is_mapped(const site_level *own, int32_t cell)
{
    const int32_t x = cell % SIZE, y = cell / SIZE;
    return own->count > 0 && x >= INNER_FIRST && x <= INNER_LAST && y >= INNER_FIRST &&
           y <= INNER_LAST;
}

bool site_owned(const generator *g, int32_t z, int32_t cell)
{
    const site_map *m = g->site_map;
    const int at = z - PTL_Z_MIN;
    return g->watching && m->owns[at] && site_has(&m->owned[at], cell % SIZE, cell / SIZE);
}

void site_map_cell(generator *g, int32_t z, int32_t cell, ptl_oter before)
{
    site_map *m = g->site_map;
    const int at = z - PTL_Z_MIN;
    const site_level *own = &m->tables->levels[at];
    if (!is_mapped(own, cell))
        return;
    const bool owned = site_owned(g, z, cell);
    const ptl_oter after = g->chunk->levels[at].cells[cell];
    m->clock++;
    for (size_t w = 0; w < own->words; w++) {
        const uint64_t old = layers_at(own, before, w, owned);
        const uint64_t now = layers_at(own, after, w, owned);
        change(m, at, cell, &old, &now, w);
    }
}

void site_own(generator *g, int32_t z, int32_t cell)
{
    site_map *m = g->site_map;
    const int at = z - PTL_Z_MIN;
    const site_level *own = &m->tables->levels[at];
    if (!g->watching || site_owned(g, z, cell))
        return;
    const level *l = &g->chunk->levels[at];
    const ptl_oter oter = l->cells ? l->cells[cell] : l->fill;
    m->owns[at] = true;
    m->owned[at].words[cell / SIZE * SITE_WORDS + cell % SIZE / 64] |= UINT64_C(1)
                                                                       << (cell % SIZE % 64);
    m->clock++;
    for (size_t w = 0; w < own->words && is_mapped(own, cell); w++) {
        const uint64_t old = layers_at(own, oter, w, false);
        const uint64_t now = layers_at(own, oter, w, true);
        change(m, at, cell, &old, &now, w);
    }
}

void site_watch(generator *g, uint16_t special, uint32_t number)
{
    site_map *m = g->site_map;
    const site_special *s = site_special_of(g, special);
    uint64_t *watchers = m->watchers + s->reach * m->tables->layer_count * m->watch_words;
    m->watched = true;
    for (uint32_t i = 0; i < s->layer_count; i++)
        watchers[s->layers[i] * m->watch_words + number / 64] |= UINT64_C(1) << number % 64;
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

/* Where the second copy would reach over the end of a row, the first one is 0. */
static void make_node(const site_map *m, const site_node *as, uint64_t *words,
                      const uint64_t *parent)
{
    const int32_t shift = as->dy * SITE_WORDS * 64 + as->dx, reach = shift / 64 + 1;
    m->tables->kernels->narrow(words, parent, SITE_CELLS - 1 - reach, shift);
    for (int32_t i = SITE_CELLS - reach; i < SITE_CELLS; i++)
        words[i] = 0; /* in the border ring, or beyond it */
}

/* Where the node is kept from now on; not in the place of its parent, which it is made from. */
static uint32_t take_place(site_map *m, uint32_t node, uint32_t parent)
{
    if (m->owners[m->oldest] == parent)
        m->oldest = (m->oldest + 1) % NODES_KEPT;
    const uint32_t place = m->oldest;
    if (m->owners[place] != NODE_NONE)
        m->places[m->owners[place]] = 0;
    m->owners[place] = node;
    m->places[node] = (uint8_t)(1 + place);
    m->oldest = (place + 1) % NODES_KEPT;
    return place;
}

const uint64_t *site_node_read(site_map *m, uint32_t node)
{
    const site_node *as = &m->tables->nodes[node];
    if (as->parent == NODE_NONE)
        return m->cells[as->layer].words;
    if (m->places[node] && m->versions[node] >= m->layers[as->layer].changed)
        return m->kept[m->places[node] - 1].words;
    const uint64_t *parent = site_node_read(m, as->parent);
    const uint32_t place =
        m->places[node] ? m->places[node] - 1u : take_place(m, node, as->parent);
    make_node(m, as, m->kept[place].words, parent);
    m->versions[node] = m->clock;
    return m->kept[place].words;
}
