/*
 * Overviews (format.md, "Overviews"):
 *
 *   OFFSET  SIZE    MEANING
 *   0       1       K: number of different oters, 1..12
 *   1       varint  K numbers of oters in the file, in order of first appearance
 *   -       bits    only if K > 1: 64 indices of 1 (K = 2), 2 (K up to 4) or 4 bits;
 *                   the first index is in the lowest bits of the first byte
 */
#include "codec/overview.h"

#include "core/error.h"

#include <string.h>

enum { SIDE = PTL_OVERVIEW_SIDE, CELLS = PTL_OVERVIEW_CELLS };

static int edge_at(int i)
{
    return i * PTL_CHUNK_SIZE / SIDE;
}

/* ---- of a level ---- */

/* The different oters of an overview's cells, as indices into the palette (the level's list of
 * oters), and how many cells have each. */
typedef struct kinds {
    uint32_t symbols[CELLS]; /* for each different oter its index in the palette, in the order
                                in which the oters come first */
    int cells[CELLS];
    size_t count;
} kinds;

static size_t find_kind(const kinds *k, uint32_t symbol)
{
    size_t i = 0;
    while (i < k->count && k->symbols[i] != symbol)
        i++;
    return i;
}

/*
 * Returns the most frequent oter of that part of the level which one cell of the overview
 * shows, as an index into the palette (the level's list of oters). Of several equally frequent
 * oters the one that comes first is taken. If `kept` is not NULL, only the oters in `kept`
 * count; *found becomes false if the part has none of them. The elements of `counts` must be
 * 0, and are 0 again afterwards.
 */
static uint32_t commonest(const uint16_t *cells, uint16_t *counts, int cell, const kinds *kept,
                          bool *found)
{
    const int x0 = edge_at(cell % SIDE), x1 = edge_at(cell % SIDE + 1);
    const int y0 = edge_at(cell / SIDE), y1 = edge_at(cell / SIDE + 1);
    uint32_t best = 0, most = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            counts[cells[y * PTL_CHUNK_SIZE + x]]++;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            const uint16_t symbol = cells[y * PTL_CHUNK_SIZE + x];
            if (counts[symbol] > most && (!kept || find_kind(kept, symbol) < kept->count)) {
                most = counts[symbol];
                best = symbol;
            }
            counts[symbol] = 0;
        }
    *found = most > 0;
    return best;
}

/* Reduces the number of different oters of an overview to what can be stored. Each cell of the
 * overview stands for a part of the level. If its oter is dropped, it gets that one of the kept
 * oters which is most frequent in this part or, if none stands there, the kept oter that most
 * cells of the overview have. */
static void reduce(uint32_t *chosen, const kinds *all, const uint16_t *cells, uint16_t *counts)
{
    kinds kept;
    /* Only OVERVIEW_KINDS oters may stay in the overview. These are the oters that most of its
     * cells have; of oters with equally many cells, the one that was found first. */
    bool taken[CELLS] = {false};
    kept.count = 0;
    while (kept.count < OVERVIEW_KINDS) {
        size_t best = all->count;
        for (size_t i = 0; i < all->count; i++)
            if (!taken[i] && (best == all->count || all->cells[i] > all->cells[best]))
                best = i;
        taken[best] = true;
        kept.symbols[kept.count++] = all->symbols[best];
    }
    for (int i = 0; i < CELLS; i++) {
        bool found;
        if (find_kind(&kept, chosen[i]) < kept.count)
            continue;
        chosen[i] = commonest(cells, counts, i, &kept, &found);
        if (!found)
            chosen[i] = kept.symbols[0];
    }
}

void overview_uniform(overview *out, uint32_t entry)
{
    for (int i = 0; i < CELLS; i++)
        out->cells[i] = entry;
}

void overview_of(overview *out, level_runs *r, uint16_t scratch[PTL_LEVEL_CELLS])
{
    kinds all = {.count = 0};
    bool found;
    if (r->palette_count == 1) {
        overview_uniform(out, r->palette[0]);
        return;
    }
    size_t at = 0;
    for (size_t i = 0; i < r->run_count; i++)
        for (unsigned k = 0; k < r->runs[i].length; k++)
            scratch[at++] = r->runs[i].symbol;
    for (int i = 0; i < CELLS; i++) {
        out->cells[i] = commonest(scratch, r->index_of, i, NULL, &found);
        const size_t kind = find_kind(&all, out->cells[i]);
        if (kind == all.count) {
            all.symbols[all.count++] = out->cells[i];
            all.cells[kind] = 0;
        }
        all.cells[kind]++;
    }
    if (all.count > OVERVIEW_KINDS)
        reduce(out->cells, &all, scratch, r->index_of);
    for (int i = 0; i < CELLS; i++)
        out->cells[i] = r->palette[out->cells[i]];
}

/* ---- bytes ---- */

static unsigned bits_for(size_t count)
{
    return count < 2 ? 0 : count == 2 ? 1 : count <= 4 ? 2 : 4;
}

void overview_build(bytes *out, const overview *o)
{
    kinds all = {.count = 0};
    uint8_t packed[CELLS / 2] = {0};
    for (int i = 0; i < CELLS; i++)
        if (find_kind(&all, o->cells[i]) == all.count)
            all.symbols[all.count++] = o->cells[i];
    const unsigned bits = bits_for(all.count);
    for (unsigned i = 0; i < CELLS && bits > 0; i++)
        packed[i * bits / 8] |= (uint8_t)(find_kind(&all, o->cells[i]) << i * bits % 8);
    bytes_put_u8(out, (uint8_t)all.count);
    for (size_t i = 0; i < all.count; i++)
        bytes_put_varint(out, all.symbols[i]);
    bytes_put(out, packed, CELLS * bits / 8);
}

static ptl_status corrupt(ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "overview: damaged");
}

ptl_status overview_parse(overview *out, const void *blob, size_t size, size_t limit,
                          ptl_error *err)
{
    byte_reader r = byte_reader_over(blob, size);
    kinds all = {.count = 0};
    const size_t count = byte_reader_u8(&r);
    if (r.failed || count < 1 || count > OVERVIEW_KINDS)
        return corrupt(err);
    while (all.count < count) {
        const uint64_t number = byte_reader_varint(&r);
        /* Only the shortest varint of a number is allowed: a longer one ends with a zero. */
        if (r.failed || number < 1 || number >= limit || r.at[-1] == 0 ||
            find_kind(&all, (uint32_t)number) < all.count)
            return corrupt(err);
        all.symbols[all.count++] = (uint32_t)number;
    }
    const size_t left = CELLS * bits_for(count) / 8;
    if (byte_reader_left(&r) != left)
        return corrupt(err);
    const uint8_t *packed = left > 0 ? byte_reader_take(&r, left) : NULL;
    const unsigned bits = bits_for(count);
    size_t seen = 0;
    /* The oters of the list must all be different, and the cells must use them for the first
     * time in the order of the list. So there is only one way to write each overview. */
    for (unsigned i = 0; i < CELLS; i++) {
        const unsigned index =
            bits == 0 ? 0 : (unsigned)packed[i * bits / 8] >> i * bits % 8 & ((1U << bits) - 1);
        if (index > seen || index >= count)
            return corrupt(err);
        seen += index == seen;
        out->cells[i] = all.symbols[index];
    }
    return seen == count ? PTL_OK : corrupt(err);
}
