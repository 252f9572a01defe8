/*
 * The tiles of a local map (format.md, "Local maps"): a plane of terrain, and those of
 * furniture, traps and radiation that have anything, each by a range coder whose models learn
 * from the tiles before. One walk over a plane both writes and reads it, so that the two can't
 * come to differ.
 */
#include "codec/local/local_codec.h"
#include "codec/number_coder.h"
#include "core/error.h"
#include "core/lanes.h"
#include "model/local_palette.h"

#include <stdlib.h>
#include <string.h>

enum {
    FURNITURE,
    TRAP,
    RADIATION,
    SPARSE, /* planes beside terrain: bits of the first byte, which is 1 more than they are */
    LACKING = 1 << SPARSE,      /* some tile has no terrain */
    BESIDE = 1 << (SPARSE + 1), /* terrain goes by the tiles beside it */
    MASK_MAX = (1 << (SPARSE + 2)) - 1,
    NONE = 0, /* what a tile has in a plane without anything on it */
    LAST = LOCAL_CELLS + LOCAL_PALETTE_MAX, /* the highest symbol that there may be */
    NO_TILE = LAST + 1,                     /* outside of the map: no symbol */
    SYMBOLS = LAST + 2,
    NEW = 3,      /* what a symbol counts when it is coded by itself; 1 by one beside it */
    ONE_MORE = 2, /* that a new one comes counts NEW for each that came once, and this */
    FRESH_STEPS = 11,
    GROUNDS = 64, /* terrains that sparse planes tell apart */
    AMOUNTS = 256 /* of radiation, each as likely */
};

/* What is known of a plane so far. Symbols are numbered from 1: those of the palette, then
 * others by their first use. */
typedef struct model {
    range_bit west[16], north[8], fresh[FRESH_STEPS], some[4], some_on[GROUNDS][4];
    uint16_t counts[SYMBOLS];
    uint16_t
        below[SYMBOLS + LANES]; /* for writing: of each known symbol the counts before it */
    uint32_t total, known;      /* of counts; symbols that came, with NONE where that is one */
    uint32_t most, highest;     /* the symbol that counts most, and how much */
    uint32_t once;              /* symbols that count NEW */
    bool older;                 /* reading version 2 */
} model;

/* ---- symbols ---- */

INLINE void count(const coder *c, model *m, uint32_t symbol, uint32_t by)
{
    const uint32_t before = m->counts[symbol], now = before + by;
    m->counts[symbol] = (uint16_t)now;
    m->once = m->once + (now == NEW) - (before == NEW);
    m->total += by;
    if (now > m->highest) {
        m->highest = now;
        m->most = symbol;
    }
    if (!c->to)
        return;
    /* Of all that are known, so that how often this goes round hangs on no symbol, which nobody
     * could foretell; what lies behind them is unread. */
    const lanes more = lanes_all((uint16_t)by), here = lanes_all((uint16_t)symbol);
    lanes index = lanes_first();
    for (uint16_t *at = m->below; at < &m->below[m->known]; at += LANES) {
        const lanes behind = lanes_and(lanes_above(index, here), more);
        lanes_store(at, lanes_sum(lanes_load(at), behind));
        index = lanes_sum(index, lanes_all(LANES));
    }
}

/* The next symbol is known from now on. */
INLINE uint32_t add_symbol(model *m)
{
    if (m->known > LAST)
        return LAST;
    m->below[m->known] = (uint16_t)m->total;
    return m->known++;
}

/* One of the known symbols, but for two, by how often each came. */
INLINE uint32_t take_known(coder *c, model *m, const uint32_t not [2], uint32_t from,
                           uint32_t target)
{
    uint16_t *counts = m->counts;
    const uint16_t first = counts[not [0]], second = counts[not [1]];
    uint32_t s = 0;
    counts[not [0]] = counts[not [1]] = 0;
    for (; target >= from + counts[s]; s++)
        from += counts[s];
    range_take(c->from, from, counts[s]);
    counts[not [1]] = second;
    counts[not [0]] = first;
    return s;
}

/* As version 2 had it: whether it is a new one is a bit by itself. */
INLINE uint32_t take_older(coder *c, model *m, const uint32_t not [2], uint32_t total)
{
    const uint32_t step = m->known / 4;
    range_bit *fresh = &m->fresh[step < FRESH_STEPS ? step : FRESH_STEPS - 1];
    if (total == 0 || code_bit(c, fresh, false))
        return add_symbol(m);
    return take_known(c, m, not, 0, range_target(c->from, total));
}

INLINE uint32_t take_symbol(coder *c, model *m, const uint32_t not [2], uint32_t total)
{
    const uint32_t fresh = NEW * m->once + ONE_MORE;
    const uint32_t target = range_target(c->from, total + fresh);
    if (target >= fresh)
        return take_known(c, m, not, fresh, target);
    range_take(c->from, 0, fresh);
    return add_symbol(m);
}

INLINE uint32_t put_symbol(coder *c, model *m, uint32_t symbol, const uint32_t not [2],
                           uint32_t total)
{
    const uint32_t fresh = NEW * m->once + ONE_MORE;
    if (symbol >= m->known) {
        range_put(c->to, 0, fresh, total + fresh);
        return add_symbol(m);
    }
    const uint32_t lacking = (uint32_t)(not [0] < symbol) * m->counts[not [0]] +
                             (uint32_t)(not [1] < symbol) * m->counts[not [1]];
    range_put(c->to, fresh + m->below[symbol] - lacking, m->counts[symbol], total + fresh);
    return symbol;
}

/* One that is none of two: a new one, or one that is known, by the counts of those that it may
 * be. NO_TILE counts nothing. */
INLINE uint32_t code_symbol(coder *c, model *m, uint32_t symbol, const uint32_t not [2])
{
    const uint32_t total = m->total - m->counts[not [0]] - m->counts[not [1]];
    if (c->to)
        symbol = put_symbol(c, m, symbol, not, total);
    else
        symbol = m->older ? take_older(c, m, not, total) : take_symbol(c, m, not, total);
    count(c, m, symbol, NEW);
    return symbol;
}

/* ---- planes ---- */

/* The tiles before number i. */
typedef struct before {
    uint32_t west, north, north_west, north_east;
} before;

INLINE before before_of(const uint16_t *cells, int x, int y)
{
    const int i = y * LOCAL_SIDE + x;
    before b;
    b.north = y > 0 ? cells[i - LOCAL_SIDE] : NO_TILE;
    b.west = x > 0 ? cells[i - 1] : b.north;
    b.north_west = x > 0 && y > 0 ? cells[i - LOCAL_SIDE - 1] : b.north;
    b.north_east = x + 1 < LOCAL_SIDE && y > 0 ? cells[i - LOCAL_SIDE + 1] : b.north;
    return b;
}

INLINE uint32_t code_beside(coder *c, model *m, const before b, uint32_t symbol)
{
    uint32_t not [2] = {NO_TILE, NO_TILE};
    if (b.west == NO_TILE)
        return code_symbol(c, m, symbol, not );
    const unsigned west =
        (unsigned)(b.west == m->most) << 3 | (unsigned)(b.west == b.north) << 2 |
        (unsigned)(b.west == b.north_west) << 1 | (unsigned)(b.north == b.north_east);
    not [0] = b.west;
    if (code_bit(c, &m->west[west], symbol == b.west)) {
        count(c, m, b.west, 1);
        return b.west;
    }
    if (b.north != b.west && b.north != NO_TILE) {
        const unsigned north = (unsigned)(b.north == m->most) << 2 |
                               (unsigned)(b.north == b.north_west) << 1 |
                               (unsigned)(b.north == b.north_east);
        not [1] = b.north;
        if (code_bit(c, &m->north[north], symbol == b.north)) {
            count(c, m, b.north, 1);
            return b.north;
        }
    }
    return code_symbol(c, m, symbol, not );
}

INLINE void code_terrain(coder *c, model *m, uint16_t *cells, bool beside)
{
    static const uint32_t nothing[2] = {NO_TILE, NO_TILE};
    for (int i = 0; i < LOCAL_CELLS && !beside; i++)
        cells[i] = (uint16_t)code_symbol(c, m, cells[i], nothing);
    for (int y = 0; y < LOCAL_SIDE && beside; y++)
        for (int x = 0; x < LOCAL_SIDE; x++) {
            uint16_t *cell = &cells[y * LOCAL_SIDE + x];
            *cell = (uint16_t)code_beside(c, m, before_of(cells, x, y), *cell);
        }
}

/* Is there anything? By what lies beside, until it is known by the terrain, too. */
INLINE bool code_some(coder *c, model *m, const before *b, uint32_t ground, bool some)
{
    const unsigned west = b->west != NO_TILE && b->west != NONE;
    const unsigned north = b->north != NO_TILE && b->north != NONE;
    range_bit *all = &m->some[2 * west + north];
    range_bit *here = &m->some_on[ground < GROUNDS ? ground : GROUNDS - 1][2 * west + north];
    if (here->seen < 2) {
        some = code_bit(c, all, some);
        range_learn(here, some);
        return some;
    }
    some = code_bit(c, here, some);
    if (m->older)
        range_learn(all, some);
    return some;
}

INLINE uint32_t code_thing(coder *c, model *m, const before *b, uint32_t symbol)
{
    uint32_t not [2] = {NO_TILE, NO_TILE};
    if (b->west != NO_TILE && b->west != NONE) {
        not [0] = b->west;
        if (code_bit(c, &m->west[b->west == b->north], symbol == b->west)) {
            count(c, m, b->west, 1);
            return b->west;
        }
    }
    if (b->north != NO_TILE && b->north != NONE && b->north != b->west) {
        not [1] = b->north;
        if (code_bit(c, &m->north[0], symbol == b->north)) {
            count(c, m, b->north, 1);
            return b->north;
        }
    }
    return code_symbol(c, m, symbol, not );
}

INLINE void code_sparse(coder *c, model *m, uint16_t *cells, const uint16_t *ground)
{
    for (int y = 0; y < LOCAL_SIDE; y++)
        for (int x = 0; x < LOCAL_SIDE; x++) {
            const int i = y * LOCAL_SIDE + x;
            before b = before_of(cells, x, y);
            b.west = x > 0 ? b.west : NO_TILE;
            cells[i] = code_some(c, m, &b, ground[i], cells[i] != NONE)
                           ? (uint16_t)code_thing(c, m, &b, cells[i])
                           : NONE;
        }
}

/* What the palette has is known before any came, and NONE is. */
static void model_init(model *m, const local_palette_plane *palette, bool older)
{
    range_bit *all[] = {m->west, m->north, m->fresh, m->some, m->some_on[0]};
    static const size_t sizes[] = {16, 8, FRESH_STEPS, 4, (size_t)GROUNDS * 4};
    memset(m, 0, sizeof *m);
    m->known = 1;
    m->older = older;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        model_bits(all[k], sizes[k]);
    for (uint32_t i = 0; palette && i < palette->count; i++) {
        const uint32_t symbol = add_symbol(m);
        m->counts[symbol] = palette->weights[i];
        m->total += palette->weights[i];
        if (m->counts[symbol] > m->highest) {
            m->highest = m->counts[symbol];
            m->most = symbol;
        }
    }
}

/* ---- all planes ---- */

typedef struct planes {
    uint16_t terrain[LOCAL_CELLS], sparse[SPARSE][LOCAL_CELLS];
    uint32_t mask;
    const local_palette *palette; /* NULL: none */
    bool older;                   /* version 2 */
    uint32_t known[SPARSE + 1];   /* symbols of terrain and of each plane, NONE with them */
    uint8_t radiation[SYMBOLS];   /* by symbol */
    model model;                  /* of the plane at hand */
} planes;

static const local_palette_plane *palette_plane(const planes *p, int plane)
{
    return p->palette ? &p->palette->planes[plane] : NULL;
}

INLINE void code_planes(coder *c, planes *p)
{
    /* Where NONE is a terrain it is as likely as others: it counts once before it comes. */
    const bool lacking = (p->mask & LACKING) != 0;
    model_init(&p->model, palette_plane(p, LOCAL_PALETTE_TERRAIN), p->older);
    if (lacking)
        count(c, &p->model, NONE, NEW);
    code_terrain(c, &p->model, p->terrain, (p->mask & BESIDE) != 0);
    p->known[0] = p->model.known;
    for (int k = 0; k < SPARSE; k++) {
        p->known[k + 1] = 1;
        if (!(p->mask & 1u << k))
            continue;
        model_init(&p->model, k == FURNITURE ? palette_plane(p, LOCAL_PALETTE_FURNITURE) : NULL,
                   p->older);
        code_sparse(c, &p->model, p->sparse[k], p->terrain);
        p->known[k + 1] = p->model.known;
    }
    for (uint32_t s = 1; p->mask & 1u << RADIATION && s < p->known[RADIATION + 1]; s++)
        p->radiation[s] = (uint8_t)code_share(c, p->radiation[s], AMOUNTS);
}

/* ---- writing ---- */

enum {
    SLOTS = 1024,                   /* more than a plane has symbols */
    NAMES_MAX = 3 * LOCAL_CELLS + 1 /* of planes, and the palette */
};

/* Numbers of the pool become symbols: those of the palette, then others in the order of their
 * first use in a plane. */
typedef struct numbering {
    const id_pool *pool;
    const char **texts; /* owned, unless a pack took it: of all planes */
    size_t count;
    struct {
        uint32_t id; /* ID_NONE: free */
        uint16_t symbol;
    } slots[SLOTS]; /* of the plane at hand */
} numbering;

static size_t slot_of(const numbering *n, uint32_t id, size_t at)
{
    while (n->slots[at].id != id && n->slots[at].id != ID_NONE)
        at = (at + 1) % SLOTS;
    return at;
}

/* A number that is new, or is not where its hash is. known: symbols so far, but NONE. */
static uint16_t symbol_of(numbering *n, uint32_t id, size_t at, uint16_t *known)
{
    if (id == ID_NONE)
        return NONE;
    at = slot_of(n, id, at);
    if (n->slots[at].id == ID_NONE) {
        n->texts[n->count++] = id_pool_text(n->pool, id);
        n->slots[at].id = id;
        n->slots[at].symbol = ++*known;
    }
    return n->slots[at].symbol;
}

static uint16_t number_palette(numbering *n, const local_palette_plane *palette)
{
    memset(n->slots, 0, sizeof n->slots); /* a free one is that of ID_NONE, which is NONE */
    for (uint32_t i = 0; palette && i < palette->count; i++) {
        const uint32_t id = palette->ids[i];
        const size_t at = slot_of(n, id, id % SLOTS);
        n->slots[at].id = id;
        n->slots[at].symbol = (uint16_t)(i + 1);
    }
    return palette ? (uint16_t)palette->count : 0;
}

/* True where any tile has something. *lacking: where one has nothing. */
static bool number_plane(uint16_t *out, const uint32_t *ids, numbering *n,
                         const local_palette_plane *palette, bool *lacking)
{
    bool none = false;
    uint32_t any = 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        any |= ids[i];
    *lacking = true;
    if (any == ID_NONE) { /* as of traps on most maps */
        memset(out, NONE, LOCAL_CELLS * sizeof *out);
        return false;
    }
    uint16_t known = number_palette(n, palette);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const uint32_t id = ids[i];
        const size_t at = id % SLOTS; /* numbers of a pool are dense */
        out[i] = n->slots[at].id == id ? n->slots[at].symbol : symbol_of(n, id, at, &known);
        none |= id == ID_NONE;
    }
    *lacking = none;
    return true;
}

static bool number_radiation(planes *p, const uint8_t *amounts)
{
    uint16_t symbols[UINT8_MAX + 1] = {0}, known = 0;
    uint8_t any = 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        any |= amounts[i];
    for (int i = 0; i < LOCAL_CELLS && any; i++) {
        const uint8_t amount = amounts[i];
        if (amount != 0 && symbols[amount] == 0) {
            symbols[amount] = ++known;
            p->radiation[known] = amount;
        }
        p->sparse[RADIATION][i] = symbols[amount];
    }
    return known > 0;
}

/* Do tiles differ from the ones west of them less often than tiles of a heap would? */
static bool hangs_together(const uint16_t *cells)
{
    const uint32_t all = LOCAL_CELLS;
    uint32_t counts[2][SYMBOLS], differ = 0, squares = 0;
    size_t symbols = cells[0];
    for (int i = 1; i < LOCAL_CELLS; i++) {
        differ += cells[i] != cells[i - 1];
        symbols = cells[i] > symbols ? cells[i] : symbols;
    }
    symbols++; /* the highest that there is, and NONE */
    memset(counts[0], 0, symbols * sizeof *counts[0]);
    memset(counts[1], 0, symbols * sizeof *counts[1]);
    for (int i = 0; i < LOCAL_CELLS; i += 2) { /* by turns: the next waits for no sum */
        counts[0][cells[i]]++;
        counts[1][cells[i + 1]]++;
    }
    for (size_t s = 0; s < symbols; s++) {
        const uint32_t count = counts[0][s] + counts[1][s];
        squares += count * count;
    }
    return 5 * differ * all <= 4 * (all * all - squares);
}

static void number_planes(planes *p, numbering *n, const local_map *map)
{
    bool lacking, ignored;
    (void)number_plane(p->terrain, map->terrain, n, palette_plane(p, LOCAL_PALETTE_TERRAIN),
                       &lacking);
    p->mask = (lacking ? LACKING : 0u) | (hangs_together(p->terrain) ? BESIDE : 0u);
    if (number_plane(p->sparse[FURNITURE], map->furniture, n,
                     palette_plane(p, LOCAL_PALETTE_FURNITURE), &ignored))
        p->mask |= 1u << FURNITURE;
    if (number_plane(p->sparse[TRAP], map->trap, n, NULL, &ignored))
        p->mask |= 1u << TRAP;
    if (number_radiation(p, map->radiation))
        p->mask |= 1u << RADIATION;
}

/* The names begin with the palette's text. */
static ptl_status use_palette(planes *p, local_palette *palette, numbering *n, id_pool *pool,
                              uint32_t id, ptl_error *err)
{
    if (id == ID_NONE)
        return PTL_OK;
    if (!local_palette_take(palette, pool, id_pool_text(pool, id)))
        return error_set(err, PTL_ERR_INTERNAL, "local map: its palette is none");
    p->palette = palette;
    n->texts[n->count++] = id_pool_text(pool, id);
    return id_pool_failed(pool) ? error_nomem(err) : PTL_OK;
}

ptl_status local_tiles_encode(encoded_pack *out, const local_map *map, id_pool *pool,
                              ptl_error *err)
{
    local_palette palette;
    planes *p = malloc(sizeof *p);
    numbering n = {.pool = pool, .texts = malloc(NAMES_MAX * sizeof *n.texts)};
    ptl_status status = p && n.texts ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        p->palette = NULL;
        status = use_palette(p, &palette, &n, pool, map->palette, err);
    }
    if (status == PTL_OK) {
        range_encoder e = range_encoder_over(&out->body);
        out->version = p->palette ? PACK_VERSION_PALETTE : PACK_VERSION_LOCAL;
        coder c = {&e, NULL};
        p->older = false;
        number_planes(p, &n, map);
        code_planes(&c, p);
        range_finish(&e);
        out->names = n.texts;
        out->name_count = n.count;
        out->count = p->mask + 1;
        out->local = true;
        n.texts = NULL;
        status = out->body.failed ? error_nomem(err) : PTL_OK;
    }
    free(n.texts);
    free(p);
    return status;
}

/* ---- reading ---- */

typedef struct tiles_header {
    uint32_t mask;
    bool older;
    uint32_t palette; /* its number; 0: none */
    size_t name_count;
    const uint8_t *coded, *end;
} tiles_header;

static const char *read_header(tiles_header *h, uint32_t numbers[3 * LOCAL_CELLS], size_t limit,
                               const void *blob, size_t size)
{
    local_header header;
    const char *problem =
        local_header_take(&header, numbers, 3 * LOCAL_CELLS, limit, blob, size);
    if (problem)
        return problem;
    if (header.count > MASK_MAX + 1)
        return "planes that can't be";
    h->mask = (uint32_t)header.count - 1;
    h->older = header.version == PACK_VERSION;
    h->palette = header.palette;
    h->name_count = header.name_count;
    h->coded = header.coded;
    h->end = header.end;
    return NULL;
}

/* Names as numbers of the pool. */
static const char *take_ids(uint32_t *ids, id_pool *pool, const pack_reader *r,
                            const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = r->name(r->names, numbers[i]);
        if (!name || !name[0])
            return "a name that is not there";
        ids[i] = id_pool_put(pool, name, strlen(name));
    }
    return NULL;
}

/* Symbols that a plane has of the palette; of planes that are not there 0. */
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
        const char *problem = take_ids(&ids[1 + given], pool, r, numbers, more);
        if (problem)
            return problem;
        numbers += more;
        for (int i = 0; i < LOCAL_CELLS; i++)
            layers[k][i] = ids[cells[k][i]];
    }
    for (int i = 0; i < LOCAL_CELLS; i++)
        out->radiation[i] = p->radiation[p->sparse[RADIATION][i]];
    return NULL;
}

static const char *check_planes(const planes *p, const tiles_header *h, const range_decoder *d)
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
    tiles_header h = {.mask = 0};
    local_palette palette;
    planes *p = calloc(1, sizeof *p);
    if (!p)
        return error_nomem(err);
    const char *problem = read_header(&h, numbers, r->limit, blob, size);
    if (!problem && h.palette > 0) {
        problem = take_palette(&palette, &out->palette, pool, r, h.palette);
        p->palette = &palette;
    }
    if (!problem) {
        range_decoder d = range_decoder_over(h.coded, h.end);
        coder c = {NULL, &d};
        p->mask = h.mask;
        p->older = h.older;
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
