#include "codec/local/local_numbering.h"

#include <string.h>

/* ---- palettes ---- */

const local_palette *numbering_palette_of(numbering *n, uint32_t id)
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

enum { ID_BITS = 32, SYMBOL_BITS = 16, AT_ONCE = 4 };
_Static_assert(LOCAL_CELLS % AT_ONCE == 0, "all tiles are gone over");

static numbering_slot slot_with(const numbering *n, uint32_t id, uint32_t symbol)
{
    return (numbering_slot)(symbol << SYMBOL_BITS | n->plane) << ID_BITS | id;
}

static uint16_t symbol_in(numbering_slot slot)
{
    return (uint16_t)(slot >> (ID_BITS + SYMBOL_BITS));
}

/* Has it the id and the plane of a slot without a symbol? */
static bool is_of(numbering_slot slot, numbering_slot key)
{
    return (slot ^ key) << SYMBOL_BITS == 0;
}

static bool is_free(const numbering *n, numbering_slot slot)
{
    return (uint16_t)(slot >> ID_BITS) != n->plane;
}

static size_t place_of(const numbering *n, uint32_t id)
{
    size_t at = id % NUMBERING_SLOTS; /* numbers of a pool are dense */
    while (!is_of(n->slots[at], slot_with(n, id, 0)) && !is_free(n, n->slots[at]))
        at = (at + 1) % NUMBERING_SLOTS;
    return at;
}

/* The symbol of an id that is new in the plane, or is not where its hash is. known: symbols so
 * far. */
static uint16_t symbol_of(numbering *n, uint32_t id, uint16_t *known)
{
    const size_t at = place_of(n, id);
    if (is_free(n, n->slots[at])) {
        n->texts[n->count++] = id_pool_text(n->pool, id);
        n->slots[at] = slot_with(n, id, ++*known);
    }
    return symbol_in(n->slots[at]);
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
    if (any == ID_NONE) /* as of traps on most maps */
        return false;
    /* All slots become free but that of nothing. */
    if (n->plane == UINT16_MAX) {
        memset(n->slots, 0, sizeof n->slots);
        n->plane = 0;
    }
    n->plane++;
    n->slots[ID_NONE] = slot_with(n, ID_NONE, 0);
    for (uint32_t i = 0; palette && i < palette->count; i++)
        n->slots[place_of(n, palette->ids[i])] = slot_with(n, palette->ids[i], i + 1);
    uint16_t known = palette ? (uint16_t)palette->count : 0;
    const numbering_slot plane = slot_with(n, 0, 0);
    for (int i = 0; i < LOCAL_CELLS; i += AT_ONCE) {
        memset(&out[i], 0, AT_ONCE * sizeof *out);
        if ((ids[i] | ids[i + 1] | ids[i + 2] | ids[i + 3]) == ID_NONE)
            continue;
        for (int k = i; k < i + AT_ONCE; k++) {
            const numbering_slot slot = n->slots[ids[k] % NUMBERING_SLOTS];
            out[k] =
                is_of(slot, plane | ids[k]) ? symbol_in(slot) : symbol_of(n, ids[k], &known);
        }
    }
    return true;
}
