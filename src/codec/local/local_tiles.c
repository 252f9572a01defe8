/*
 * Codes the tiles of a local map (format.md, "Local maps"): a plane of terrain, and those
 * planes of furniture, traps and radiation that are not empty. Each plane is coded by a range
 * coder whose models learn from the earlier tiles. The same functions both write and read a
 * plane, so that the two directions can't come to differ.
 */
#include "codec/local/local_codec.h"
#include "codec/number_coder.h"
#include "core/array.h"
#include "core/error.h"
#include "core/lanes.h"
#include "model/local_map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- palettes ---- */

static const local_palette *numbering_palette_of(numbering *n, uint32_t id)
{
    numbering_palette *of = n->palettes;
    const char *text = id_pool_text(n->pool, id);
    while (of < &n->palettes[NUMBERING_PALETTES] && of->id != id)
        of++;
    if (of == &n->palettes[NUMBERING_PALETTES]) {
        of = &n->palettes[n->next++ % NUMBERING_PALETTES];
        of->id = ID_NONE;
        if (!local_palette_take(&of->palette, n->pool, text))
            return NULL;
        of->id = id;
    }
    n->texts[n->count++] = text;
    return &of->palette;
}

/* ---- planes ---- */

enum { SYMBOL_BITS = 16 };

/* Returns the symbol of an id in the plane that is being encoded. If the id has none yet, it
 * gets the next number. *known is how many symbols the plane has so far. */
static uint16_t symbol_of(numbering *n, uint32_t id, uint16_t *known)
{
    if (n->slots[id] >> SYMBOL_BITS != n->plane) {
        n->texts[n->count++] = id_pool_text(n->pool, id);
        n->slots[id] = (uint32_t)n->plane << SYMBOL_BITS | ++*known;
    }
    return (uint16_t)n->slots[id];
}

bool numbering_plane(uint16_t *out, const uint32_t *ids, numbering *n,
                     const local_palette_plane *palette, bool *lacking)
{
    uint32_t any = 0, none = 0;
    for (int i = 0; i < LOCAL_CELLS; i++) {
        any |= ids[i];
        none |= ids[i] == ID_NONE;
    }
    *lacking = none;
    if (any == ID_NONE)
        return false;
    n->failed = n->failed ||
                !ARRAY_ROOM_ZEROED(n->slots, n->slot_count, (size_t)id_pool_count(n->pool));
    if (n->failed)
        return false;
    /* Each plane that is coded gets a new number. An element of n->slots counts only if it
     * holds this number, so all elements of earlier planes become free at once. After the last
     * number the table is cleared, and the numbers begin again. */
    if (n->plane == UINT16_MAX) {
        memset(n->slots, 0, n->slot_count * sizeof *n->slots);
        n->plane = 0;
    }
    n->plane++;
    for (uint32_t i = 0; palette && i < palette->count; i++)
        n->slots[palette->ids[i]] = (uint32_t)n->plane << SYMBOL_BITS | (i + 1);
    uint16_t known = palette ? (uint16_t)palette->count : 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        out[i] = ids[i] == ID_NONE ? 0 : symbol_of(n, ids[i], &known);
    return true;
}

enum {
    FURNITURE,
    TRAP,
    RADIATION,
    /* Number of planes (layers of tiles) besides terrain. In a map's mask of planes, bit k says
     * that the plane k is not empty. */
    SPARSE,
    LACKING = 1 << SPARSE,      /* set if the map has a tile without terrain */
    BESIDE = 1 << (SPARSE + 1), /* set if the terrain of a tile is predicted from that of the
                                   tiles beside it */
    MASK_MAX = (1 << (SPARSE + 2)) - 1,
    NONE = 0, /* symbol of a tile for which the plane (layer of tiles) has nothing */
    LAST = LOCAL_CELLS + LOCAL_PALETTE_MAX, /* the highest symbol that a tile may have */
    NO_TILE = LAST + 1,                     /* no symbol: stands for tiles outside of the map */
    SYMBOLS = LAST + 2,
    /* A symbol (a small number that stands for an id) is coded by how often it came: each
     * symbol has a count. When a symbol is coded by itself, NEW is added to its count; when it
     * is coded as equal to a neighbour, 1 is added. */
    NEW = 3,
    /* The count that stands for "a new symbol", one that no tile of the plane has had yet. It
     * says how likely a new symbol is: it is ONE_MORE, plus NEW for each symbol that has come
     * only once so far. */
    ONE_MORE = 2,
    GROUNDS = 64, /* how many different terrains the models that predict furniture, traps and
                   * radiation can tell apart */
    AMOUNTS = 256 /* number of amounts of radiation; all are equally likely */
};

/* Sums over the symbols (small numbers that stand for ids) that came so far in a plane (a layer
 * of tiles). Coding works on a local copy of the struct, which the compiler can keep in
 * registers. */
typedef struct tally {
    /* `total`: sum of the counts of all symbols. `known`: how many different symbols have come
     * so far, together with NONE (no id). */
    uint32_t total, known;
    uint32_t most, highest; /* most: the symbol with the highest count. highest: that count. */
    uint32_t once;          /* number of symbols that came only once */
} tally;

/* The model of a plane, that is, of a layer of tiles. Symbols stand for ids and are numbered
 * from 1: first those of the palette (a list of ids that many maps share), then others in the
 * order of their first use. */
typedef struct model {
    range_bit west[16], north[8], some[4], some_on[GROUNDS][4];
    uint16_t counts[SYMBOLS]; /* for each symbol its count; 0 for NO_TILE and for symbols that
                                 no tile has had yet */
    tally tally;
} model;

/* ---- symbols ---- */

INLINE void count(model *m, tally *t, uint32_t symbol, uint32_t by)
{
    const uint32_t before = m->counts[symbol], now = before + by;
    m->counts[symbol] = (uint16_t)now;
    t->once = t->once + (now == NEW) - (before == NEW);
    t->total += by;
}

/* Updates the tally's most frequent symbol after the count of the given symbol has grown. */
INLINE void rank(const model *m, tally *t, uint32_t symbol)
{
    const uint32_t now = m->counts[symbol];
    t->most = now > t->highest ? symbol : t->most;
    t->highest = now > t->highest ? now : t->highest;
}

/* Makes the next symbol known, with a count of 0, and returns it. There is always room for it,
 * even if damaged data is read: a plane has at most the symbols of a palette and one more
 * symbol for each tile. */
INLINE uint32_t add_symbol(model *m, tally *t)
{
    assert(t->known <= LAST);
    m->counts[t->known] = 0;
    return t->known++;
}

/* Symbols that a tile can't have. They are the symbols of its western and northern neighbours,
 * if it was coded already that the tile differs from them. If that was not coded for a
 * neighbour, NO_TILE is in place of its symbol. NO_TILE has a count of 0 and so excludes
 * nothing. */
typedef struct others {
    uint32_t west, north;
} others;

INLINE uint32_t take_symbol(coder *c, model *m, tally *t, const others *without, uint32_t total)
{
    const uint32_t fresh = NEW * t->once + ONE_MORE;
    const uint32_t target = range_target(c->from, total + fresh);
    if (target >= fresh) {
        /* The plane has had the symbol before. Finds which symbol it is, by the counts of all
         * symbols except the two in `without` (those of the western and northern neighbour). */
        uint32_t from = fresh;
        static const others nothing = {NO_TILE, NO_TILE};
        const others o = without ? *without : nothing;
        uint16_t *counts = m->counts;
        const uint16_t west = counts[o.west], north = counts[o.north];
        uint32_t s = 0;
        counts[o.west] = counts[o.north] = 0;
        for (; target >= from + counts[s]; s++)
            from += counts[s];
        range_take(c->from, from, counts[s]);
        counts[o.north] = north;
        counts[o.west] = west;
        return s;
    }
    range_take(c->from, 0, fresh);
    return add_symbol(m, t);
}

INLINE uint32_t put_symbol(coder *c, model *m, tally *t, uint32_t symbol, const others *without,
                           uint32_t total)
{
    const uint32_t fresh = NEW * t->once + ONE_MORE;
    if (symbol >= t->known) {
        range_put(c->to, 0, fresh, total + fresh);
        return add_symbol(m, t);
    }
    uint32_t before = fresh;
    for (uint32_t k = 0; k < symbol; k++)
        before += m->counts[k];
    if (without) {
        before -= (uint32_t)(without->west < symbol) * m->counts[without->west];
        before -= (uint32_t)(without->north < symbol) * m->counts[without->north];
    }
    range_put(c->to, before, m->counts[symbol], total + fresh);
    return symbol;
}

/* Codes a symbol by itself, without comparing it with neighbours: either that it is new, or
 * which known symbol it is. A known symbol's probability is in proportion to its count; for the
 * symbols in `without` it is 0. */
INLINE uint32_t code_symbol(coder *c, model *m, tally *t, uint32_t symbol,
                            const others *without)
{
    const uint32_t lacking =
        without ? m->counts[without->west] + m->counts[without->north] : 0u;
    const uint32_t total = t->total - lacking;
    if (c->to)
        symbol = put_symbol(c, m, t, symbol, without, total);
    else
        symbol = take_symbol(c, m, t, without, total);
    count(m, t, symbol, NEW);
    return symbol;
}

/* ---- planes ---- */

/* The symbols of those neighbours of a tile that were coded before the tile. */
typedef struct before {
    uint32_t west, north, north_west, north_east;
} before;

/* Writes or reads a bit that says whether the tile's symbol equals `there`, the symbol of a
 * neighbour. Returns the symbol if it does, else NO_TILE. *known becomes `there`: if the tile's
 * symbol differs from it, this is a symbol that the tile is known not to have. */
INLINE uint32_t code_same(coder *c, model *m, tally *t, range_bit *bit, uint32_t there,
                          uint32_t symbol, uint32_t *known)
{
    *known = there;
    if (!code_bit(c, bit, symbol == there))
        return NO_TILE;
    count(m, t, there, 1);
    return there;
}

INLINE uint32_t code_beside(coder *c, model *m, tally *t, const before b, uint32_t symbol)
{
    others without = {NO_TILE, NO_TILE};
    uint32_t same;
    if (b.west == NO_TILE)
        return code_symbol(c, m, t, symbol, &without);
    const unsigned west =
        (unsigned)(b.west == t->most) << 3 | (unsigned)(b.west == b.north) << 2 |
        (unsigned)(b.west == b.north_west) << 1 | (unsigned)(b.north == b.north_east);
    same = code_same(c, m, t, &m->west[west], b.west, symbol, &without.west);
    if (same != NO_TILE)
        return same;
    if (b.north != b.west && b.north != NO_TILE) {
        const unsigned north = (unsigned)(b.north == t->most) << 2 |
                               (unsigned)(b.north == b.north_west) << 1 |
                               (unsigned)(b.north == b.north_east);
        same = code_same(c, m, t, &m->north[north], b.north, symbol, &without.north);
        if (same != NO_TILE)
            return same;
    }
    return code_symbol(c, m, t, symbol, &without);
}

INLINE void code_row_beside(coder *c, model *m, tally *t, uint16_t *row, const uint16_t *above)
{
    before b = {.west = above[0], .north_west = above[0]};
    for (int x = 0; x < LOCAL_SIDE; x++) {
        b.north = above[x];
        b.north_east = x + 1 < LOCAL_SIDE ? above[x + 1] : b.north;
        b.west = code_beside(c, m, t, b, row[x]);
        rank(m, t, b.west);
        b.north_west = b.north;
        row[x] = (uint16_t)b.west;
    }
}

/* Codes whether a tile has anything in the plane. There is one model for each terrain, combined
 * with whether the tiles in the west and north have anything. Until that model has learnt from
 * two tiles, a model is used that is the same for all terrains. */
INLINE bool code_some(coder *c, model *m, const before *b, uint32_t ground, bool some)
{
    const unsigned beside = 2u * (b->west != NONE) + (b->north != NONE);
    range_bit *here = &m->some_on[ground < GROUNDS ? ground : GROUNDS - 1][beside];
    if (here->seen < 2) {
        some = code_bit(c, &m->some[beside], some);
        range_learn(here, some);
        return some;
    }
    return code_bit(c, here, some);
}

INLINE uint32_t code_thing(coder *c, model *m, tally *t, const before *b, uint32_t symbol)
{
    others without = {NO_TILE, NO_TILE};
    uint32_t same;
    if (b->west != NONE) {
        same =
            code_same(c, m, t, &m->west[b->west == b->north], b->west, symbol, &without.west);
        if (same != NO_TILE)
            return same;
    }
    if (b->north != NONE && b->north != b->west) {
        same = code_same(c, m, t, &m->north[0], b->north, symbol, &without.north);
        if (same != NO_TILE)
            return same;
    }
    return code_symbol(c, m, t, symbol, &without);
}

/* Codes a sparse plane, which is any layer of tiles but that of the terrain. It is coded as if
 * the tiles beyond the map's border were there, but had nothing. */
INLINE void code_sparse(coder *c, model *m, uint16_t *cells, const uint16_t *ground)
{
    static const uint16_t outside[LOCAL_SIDE];
    tally t = m->tally;
    const uint16_t *above = outside;
    for (int y = 0; y < LOCAL_SIDE;
         y++, above = cells, cells += LOCAL_SIDE, ground += LOCAL_SIDE) {
        before b = {.west = NONE};
        for (int x = 0; x < LOCAL_SIDE; x++) {
            b.north = above[x];
            b.west = code_some(c, m, &b, ground[x], cells[x] != NONE)
                         ? code_thing(c, m, &t, &b, cells[x])
                         : NONE;
            cells[x] = (uint16_t)b.west;
        }
    }
    m->tally = t;
}

/* Initialises a model. NONE (the symbol of a tile without an id) and the palette's symbols are
 * known from the beginning. If the model is for furniture, traps or radiation, `grounds` says
 * how many terrains it tells apart. */
static void model_init(model *m, const local_palette_plane *palette, uint32_t grounds)
{
    range_bit *all[] = {m->west, m->north, m->some, m->some_on[0]};
    const size_t sizes[] = {16, 8, 4, (size_t)(grounds < GROUNDS ? grounds : GROUNDS) * 4};
    tally *t = &m->tally;
    *t = (tally){.known = 1};
    m->counts[NONE] = m->counts[NO_TILE] = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        model_bits(all[k], sizes[k]);
    for (uint32_t i = 0; palette && i < palette->count; i++) {
        const uint32_t symbol = add_symbol(m, t), weight = palette->weights[i];
        m->counts[symbol] = (uint16_t)weight;
        t->total += weight;
        rank(m, t, symbol);
    }
}

/* ---- all planes ---- */

typedef struct planes {
    uint16_t terrain[LOCAL_CELLS], sparse[SPARSE][LOCAL_CELLS];
    uint32_t mask;
    const local_palette *palette; /* NULL: the map has no palette */
    uint32_t known[SPARSE + 1];   /* for each plane (layer of tiles): how many symbols it has,
                                     together with NONE */
    uint8_t radiation[SYMBOLS];   /* indexed by symbol: the amount of radiation */
    model model;                  /* the model by which the present plane is coded */
} planes;

static const local_palette_plane *palette_plane(const planes *p, int plane)
{
    return p->palette ? &p->palette->planes[plane] : NULL;
}

INLINE void code_planes(coder *c, planes *p)
{
    /* A tile without terrain has the symbol NONE. If the map has such tiles, NONE is coded like
     * any other symbol, by how often it has come. For this its count begins with NEW, as if one
     * tile had had it already. */
    const bool lacking = (p->mask & LACKING) != 0;
    model_init(&p->model, palette_plane(p, LOCAL_PALETTE_TERRAIN), 0);
    if (lacking) {
        count(&p->model, &p->model.tally, NONE, NEW);
        rank(&p->model, &p->model.tally, NONE);
    }
    uint16_t *cells = p->terrain;
    const bool beside = (p->mask & BESIDE) != 0;
    uint16_t outside[LOCAL_SIDE];
    tally t = p->model.tally;
    for (int i = 0; i < LOCAL_CELLS && !beside; i++)
        cells[i] = (uint16_t)code_symbol(c, &p->model, &t, cells[i], NULL);
    for (int x = 0; x < LOCAL_SIDE; x++)
        outside[x] = NO_TILE;
    for (int i = 0; i < LOCAL_CELLS && beside; i += LOCAL_SIDE)
        code_row_beside(c, &p->model, &t, &cells[i], i > 0 ? &cells[i - LOCAL_SIDE] : outside);
    p->model.tally = t;
    p->known[0] = p->model.tally.known;
    for (int k = 0; k < SPARSE; k++) {
        p->known[k + 1] = 1;
        if (!(p->mask & 1u << k))
            continue;
        model_init(&p->model, k == FURNITURE ? palette_plane(p, LOCAL_PALETTE_FURNITURE) : NULL,
                   p->known[0]);
        code_sparse(c, &p->model, p->sparse[k], p->terrain);
        p->known[k + 1] = p->model.tally.known;
    }
    for (uint32_t s = 1; p->mask & 1u << RADIATION && s < p->known[RADIATION + 1]; s++)
        p->radiation[s] = (uint8_t)code_share(c, p->radiation[s], AMOUNTS);
}

/* ---- writing ---- */

static bool number_radiation(planes *p, const uint8_t *amounts)
{
    uint16_t symbols[UINT8_MAX + 1], known = 0;
    uint8_t any = 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        any |= amounts[i];
    if (any == 0)
        return false;
    memset(symbols, 0, sizeof symbols);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const uint8_t amount = amounts[i];
        if (amount != 0 && symbols[amount] == 0) {
            symbols[amount] = ++known;
            p->radiation[known] = amount;
        }
        p->sparse[RADIATION][i] = symbols[amount];
    }
    return true;
}

/* Returns whether tiles are equal to their western neighbours more often than they would be in
 * random order. If so, predicting tiles from their neighbours saves bytes. */
static bool hangs_together(const uint16_t *cells)
{
    const uint32_t all = LOCAL_CELLS;
    uint32_t counts[2][SYMBOLS], differ = 0, squares = 0;
    size_t symbols = cells[0];
    for (int i = 1; i < LOCAL_CELLS; i++) {
        differ += cells[i] != cells[i - 1];
        symbols = cells[i] > symbols ? cells[i] : symbols;
    }
    symbols++; /* The highest symbol + 1 is the number of symbols, as they count from 0. */
    memset(counts[0], 0, symbols * sizeof *counts[0]);
    memset(counts[1], 0, symbols * sizeof *counts[1]);
    /* Tiles are counted in two tables by turns. With one table the processor would often have
     * to wait until its previous addition to the same count is done. */
    for (int i = 0; i < LOCAL_CELLS; i += 2) {
        counts[0][cells[i]]++;
        counts[1][cells[i + 1]]++;
    }
    for (size_t s = 0; s < symbols; s++) {
        const uint32_t count = counts[0][s] + counts[1][s];
        squares += count * count;
    }
    return 5 * differ * all <= 4 * (all * all - squares);
}

/* Memory that encoding needs while it works; it is kept from map to map. */
struct local_tiles_work {
    planes planes;
    numbering numbering;
    bytes body;
};

local_tiles_work *local_tiles_work_new(id_pool *pool)
{
    local_tiles_work *w = calloc(1, sizeof *w);
    if (w)
        w->numbering.pool = pool;
    return w;
}

void local_tiles_work_free(local_tiles_work *w)
{
    if (w) {
        bytes_dispose(&w->body);
        free(w->numbering.slots);
    }
    free(w);
}

ptl_status local_tiles_encode(encoded_pack *out, local_tiles_work *w, const local_map *map,
                              ptl_error *err)
{
    planes *p = &w->planes;
    numbering *n = &w->numbering;
    n->count = 0;
    bytes_clear(&w->body);
    p->palette = map->palette == ID_NONE ? NULL : numbering_palette_of(n, map->palette);
    if (id_pool_failed(n->pool))
        return error_nomem(err);
    if (map->palette != ID_NONE && !p->palette)
        return error_set(err, PTL_ERR_INTERNAL, "local map: its palette is none");
    range_encoder e = range_encoder_over(&w->body);
    coder c = {&e, NULL};
    bool lacking, ignored;
    if (!numbering_plane(p->terrain, map->terrain, n, palette_plane(p, LOCAL_PALETTE_TERRAIN),
                         &lacking))
        memset(p->terrain, 0, sizeof p->terrain);
    p->mask = (lacking ? LACKING : 0u) | (hangs_together(p->terrain) ? BESIDE : 0u);
    if (numbering_plane(p->sparse[FURNITURE], map->furniture, n,
                        palette_plane(p, LOCAL_PALETTE_FURNITURE), &ignored))
        p->mask |= 1u << FURNITURE;
    if (numbering_plane(p->sparse[TRAP], map->trap, n, NULL, &ignored))
        p->mask |= 1u << TRAP;
    if (number_radiation(p, map->radiation))
        p->mask |= 1u << RADIATION;
    if (n->failed)
        return error_nomem(err);
    code_planes(&c, p);
    range_finish(&e);
    /* The pack gets memory of its exact size, as many encoded maps may wait to be written. */
    const size_t size = (n->count + 1) * sizeof *n->texts;
    out->names = malloc(size);
    if (!out->names)
        return error_nomem(err);
    memcpy(out->names, n->texts, n->count * sizeof *n->texts);
    out->name_count = n->count;
    out->count = w->planes.mask + 1;
    out->version = w->planes.palette ? PACK_VERSION_PALETTE : PACK_VERSION_LOCAL;
    out->local = true;
    bytes_put(&out->body, w->body.data, w->body.size);
    return w->body.failed || out->body.failed ? error_nomem(err) : PTL_OK;
}

/* ---- reading ---- */

/* Returns how many symbols of a plane (layer of tiles) stand for ids of the palette. 0: the
 * palette has no ids for this plane. */
static uint32_t palette_count(const planes *p, int plane)
{
    const bool coded = plane == 0 || (plane == 1 && (p->mask & 1u << FURNITURE));
    return p->palette && coded ? p->palette->planes[plane].count : 0;
}

static bool is_empty(const uint16_t *cells)
{
    int i = 0;
    while (i < LOCAL_CELLS && cells[i] == NONE)
        i++;
    return i == LOCAL_CELLS;
}

static const char *take_palette(local_palette *out, uint32_t *id, id_pool *pool,
                                const pack_reader *r, uint32_t number)
{
    const char *text = r->name(r->names, number);
    if (!text)
        return "a name that is not there";
    if (!local_palette_take(out, pool, text))
        return "a palette that is none";
    *id = id_pool_put(pool, text, strlen(text));
    return NULL;
}

static const char *fill_layers(local_map *out, id_pool *pool, const pack_reader *r,
                               const planes *p, const uint32_t *numbers)
{
    uint32_t *const layers[] = {out->terrain, out->furniture, out->trap};
    const uint16_t *const cells[] = {p->terrain, p->sparse[FURNITURE], p->sparse[TRAP]};
    uint32_t ids[SYMBOLS] = {[NONE] = ID_NONE};
    for (int k = 0; k < 3; k++) {
        const uint32_t given = palette_count(p, k), more = p->known[k] - 1 - given;
        if (given > 0)
            memcpy(&ids[1], p->palette->planes[k].ids, given * sizeof *ids);
        /* A file's dictionary has a number for each id; these ids are stored by that number. It
         * is replaced by the number that the id_pool gives to the id. */
        for (size_t i = 0; i < more; i++) {
            const char *name = r->name(r->names, *numbers++);
            if (!name || !name[0])
                return "a name that is not there";
            ids[1 + given + i] = id_pool_put(pool, name, strlen(name));
        }
        for (int i = 0; i < LOCAL_CELLS; i++)
            layers[k][i] = ids[cells[k][i]];
    }
    for (int i = 0; i < LOCAL_CELLS; i++)
        out->radiation[i] = p->radiation[p->sparse[RADIATION][i]];
    return NULL;
}

static const char *check_planes(const planes *p, const local_header *h, const range_decoder *d)
{
    size_t names = 0;
    for (int k = 0; k < SPARSE; k++) {
        names += p->known[k] - 1 - palette_count(p, k);
        if (p->mask & 1u << k && is_empty(p->sparse[k]))
            return "a plane of nothing";
    }
    for (uint32_t s = 1; s < p->known[RADIATION + 1]; s++)
        if (p->radiation[s] == 0)
            return "a radiation of 0";
    if (names != h->name_count)
        return "names that no tile has, or too few";
    return d->at < d->end ? "bytes after the tiles" : NULL;
}

ptl_status local_tiles_decode(local_map *out, id_pool *pool, const pack_reader *r,
                              const void *blob, size_t size, ptl_error *err)
{
    uint32_t numbers[3 * LOCAL_CELLS];
    local_header h;
    local_palette palette;
    planes *p = calloc(1, sizeof *p);
    if (!p)
        return error_nomem(err);
    const char *problem = local_header_take(&h, numbers, 3 * LOCAL_CELLS, r->limit, blob, size);
    if (!problem && h.count > MASK_MAX + 1)
        problem = "planes that can't be";
    if (!problem && h.palette > 0) {
        problem = take_palette(&palette, &out->palette, pool, r, h.palette);
        p->palette = &palette;
    }
    if (!problem) {
        range_decoder d = range_decoder_over(h.coded, h.end);
        coder c = {NULL, &d};
        p->mask = (uint32_t)h.count - 1;
        code_planes(&c, p);
        problem = check_planes(p, &h, &d);
    }
    if (!problem)
        problem = fill_layers(out, pool, r, p, numbers);
    free(p);
    if (problem)
        return error_set(err, PTL_ERR_CORRUPT, "local map: tiles: %s", problem);
    return id_pool_failed(pool) ? error_nomem(err) : PTL_OK;
}
