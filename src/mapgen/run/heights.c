#include "mapgen/run/heights.h"

#include "core/array.h"
#include "mapgen/compile/library.h"

#include <stdlib.h>

enum { ZERO = MAPGEN_HEIGHT_MAX, HEIGHTS = 2 * MAPGEN_HEIGHT_MAX + 1 };
/* A set of levels has bit ZERO + n for the level n above. This further bit says that a set
 * was found out. */
static const uint64_t known = UINT64_C(1) << 63;

/* A chunk that is still to be looked at, with the levels on which it may stand. */
typedef struct pending {
    uint32_t id;
    uint64_t levels;
} pending;

struct mapgen_heights {
    mapgen_library *library; /* borrowed */
    uint64_t *masks;         /* owned; by the key of a terrain */
    uint64_t *seen; /* owned; by the id of a chunk: the levels for which it was looked at */
    size_t mask_count, seen_count;
    pending *stack; /* owned */
    size_t count, room;
    uint32_t *touched; /* owned: the chunks whose `seen` is not 0 */
    size_t touched_count, touched_room;
    bool failed;
};

/* An entry whose values are being looked at. */
typedef struct looking {
    mapgen_heights *heights;
    uint64_t levels; /* the levels on which a chunk that it names would stand */
} looking;

mapgen_heights *mapgen_heights_new(mapgen_library *library)
{
    mapgen_heights *h = calloc(1, sizeof *h);
    if (h)
        h->library = library;
    return h;
}

void mapgen_heights_free(mapgen_heights *heights)
{
    if (!heights)
        return;
    free(heights->masks);
    free(heights->seen);
    free(heights->stack);
    free(heights->touched);
    free(heights);
}

static void on_chunk(void *payload, uint32_t id)
{
    const looking *l = payload;
    /* Adds a chunk that may stand on these levels. Only levels for which it was not looked at
     * yet are kept. */
    mapgen_heights *h = l->heights;
    const uint64_t levels = l->levels;
    if (!mapgen_library_first(h->library, MAPGEN_CHUNK, id) || h->failed)
        return;
    h->failed = !ARRAY_ROOM_ZEROED(h->seen, h->seen_count, (size_t)id + 1);
    if (h->failed || !(levels & ~h->seen[id]))
        return;
    if (!ARRAY_ROOM(h->stack, h->room, h->count + 1)) {
        h->failed = true;
        return;
    }
    if (!h->seen[id]) {
        h->failed = !ARRAY_ROOM(h->touched, h->touched_room, h->touched_count + 1);
        if (!h->failed)
            h->touched[h->touched_count++] = id;
    }
    h->stack[h->count++] = (pending){id, levels & ~h->seen[id]};
    h->seen[id] |= levels;
}

/* Moves a set of levels up. Levels that come to lie too far away are lost. */
static uint64_t shift(uint64_t levels, int32_t up)
{
    const uint64_t all = (UINT64_C(1) << HEIGHTS) - 1;
    if (up >= HEIGHTS || up <= -HEIGHTS)
        return 0;
    return up >= 0 ? levels << up & all : levels >> -up;
}

/* Returns the levels on which a piece may lie whose entry stands on `levels`. */
static uint64_t levels_of(const mapgen_piece *p, uint64_t levels)
{
    uint64_t all = 0;
    if (!(p->flags & MAPGEN_AT_HEIGHT))
        return levels;
    const int32_t low = p->z.low < -HEIGHTS ? -HEIGHTS : p->z.low;
    const int32_t high = p->z.high > HEIGHTS ? HEIGHTS : p->z.high;
    for (int32_t up = low; up <= high; up++)
        all |= shift(levels, up);
    return all;
}

/* Looks at an entry that stands on `levels`: returns the levels of its pieces, and adds its
 * chunks to the stack. It returns all levels if the entry has more palettes than are
 * followed. */
static uint64_t look_at(mapgen_heights *h, const mapgen_entry *e, uint64_t levels)
{
    mapgen_layers layers;
    uint64_t mask = 0;
    mapgen_layers_possible(&layers, h->library, &e->unit);
    for (uint32_t i = 0; i < layers.count; i++) {
        const mapgen_unit *unit = layers.units[i];
        for (uint32_t k = 1; k < unit->piece_count; k++) {
            const mapgen_piece *p = &unit->pieces[k];
            looking l = {h, levels_of(p, levels)};
            mask |= p->flags & MAPGEN_AT_HEIGHT ? l.levels : 0;
            layers.cut = !mapgen_chunks_visit(&layers, unit, p, on_chunk, &l) || layers.cut;
        }
    }
    return layers.cut ? ~known : mask;
}

/* Finds the levels that the entries of a key may reach. The chunks that they place are
 * followed with a stack, as content may nest them deeply. */
static uint64_t find_out(mapgen_heights *h, mapgen_role role, uint32_t key)
{
    mapgen_library *library = h->library;
    const mapgen_candidate *c = mapgen_library_first(library, role, key);
    uint64_t mask = 0;
    h->count = 0;
    if (role == MAPGEN_OM_TERRAIN && mapgen_library_uniform(library, key) != ID_NONE)
        return 0;
    for (; c; c = mapgen_library_next(c))
        mask |= look_at(h, c->entry, UINT64_C(1) << ZERO);
    while (h->count > 0) {
        const pending next = h->stack[--h->count];
        for (c = mapgen_library_first(library, MAPGEN_CHUNK, next.id); c;
             c = mapgen_library_next(c))
            mask |= look_at(h, c->entry, next.levels);
    }
    for (size_t i = 0; i < h->touched_count; i++)
        h->seen[h->touched[i]] = 0;
    h->touched_count = 0;
    return mask;
}

/* Returns the levels of a terrain's key; all levels when memory is out. */
static uint64_t mask_of(mapgen_heights *h, uint32_t key)
{
    if (h->failed || !ARRAY_ROOM_ZEROED(h->masks, h->mask_count, (size_t)key + 1))
        return UINT64_MAX;
    if (!h->masks[key]) {
        const uint64_t mask = find_out(h, MAPGEN_OM_TERRAIN, key);
        if (h->failed)
            return UINT64_MAX;
        h->masks[key] = mask | known;
    }
    return h->masks[key];
}

bool mapgen_heights_reach(mapgen_heights *heights, uint32_t key, int up)
{
    if (up < -MAPGEN_HEIGHT_MAX || up > MAPGEN_HEIGHT_MAX)
        return false;
    return mask_of(heights, key) >> (ZERO + up) & 1;
}

bool mapgen_heights_reach_any(mapgen_heights *heights, uint32_t key)
{
    return (mask_of(heights, key) & ~known & ~(UINT64_C(1) << ZERO)) != 0;
}

uint64_t mapgen_heights_of_update(mapgen_heights *heights, uint32_t update)
{
    const uint64_t mask = heights->failed ? 0 : find_out(heights, MAPGEN_UPDATE, update);
    return heights->failed ? ~known : mask;
}
