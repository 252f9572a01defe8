#include "support/truth/id_sets.h"

#include "core/hash.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

typedef struct id_set {
    uint32_t *items; /* owned */
    uint32_t count;
} id_set;

/* What the union of two sets is. */
typedef struct united {
    uint32_t a, b, set; /* a 0: the slot is free */
} united;

enum { UNITED = 1 << 16 };

struct id_sets {
    id_set *sets; /* owned */
    uint32_t count, room;
    uint32_t *slots; /* owned; numbers of sets by hash; 0: free */
    uint32_t slot_count;
    united memory[UNITED]; /* unions of before; a newer one takes the place of an older */
};

id_sets *id_sets_new(void)
{
    id_sets *s = calloc(1, sizeof *s);
    if (!s)
        ck_abort_msg("memory is out");
    s->room = 1024;
    s->slot_count = 4096;
    s->sets = calloc(s->room, sizeof *s->sets);
    s->slots = calloc(s->slot_count, sizeof *s->slots);
    ck_assert(s->sets && s->slots);
    s->count = 1;
    return s;
}

void id_sets_free(id_sets *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        free(s->sets[i].items);
    free(s->sets);
    free(s->slots);
    free(s);
}

static uint32_t *slot_of(id_sets *s, const uint32_t *items, uint32_t count)
{
    uint32_t at = (uint32_t)hash_bytes(items, count * sizeof *items) & (s->slot_count - 1);
    for (; s->slots[at]; at = (at + 1) & (s->slot_count - 1)) {
        const id_set *set = &s->sets[s->slots[at]];
        if (set->count == count && memcmp(set->items, items, count * sizeof *items) == 0)
            break;
    }
    return &s->slots[at];
}

static void grow(id_sets *s)
{
    s->room *= 2;
    s->slot_count *= 2;
    s->sets = realloc(s->sets, s->room * sizeof *s->sets);
    free(s->slots);
    s->slots = calloc(s->slot_count, sizeof *s->slots);
    ck_assert(s->sets && s->slots);
    for (uint32_t i = 1; i < s->count; i++)
        *slot_of(s, s->sets[i].items, s->sets[i].count) = i;
}

/* items are ascending, each once. */
static uint32_t keep(id_sets *s, const uint32_t *items, uint32_t count)
{
    if (count == 0)
        return 0;
    if (s->count == s->room)
        grow(s);
    uint32_t *slot = slot_of(s, items, count);
    if (*slot)
        return *slot;
    id_set *set = &s->sets[s->count];
    set->items = malloc(count * sizeof *items);
    if (!set->items)
        ck_abort_msg("memory is out");
    memcpy(set->items, items, count * sizeof *items);
    set->count = count;
    *slot = s->count;
    return s->count++;
}

uint32_t id_sets_one(id_sets *s, uint32_t id)
{
    return keep(s, &id, 1);
}

static uint32_t unite(id_sets *s, uint32_t a, uint32_t b)
{
    const id_set x = s->sets[a], y = s->sets[b];
    uint32_t *items = malloc((x.count + y.count) * sizeof *items), count = 0;
    if (!items)
        ck_abort_msg("memory is out");
    for (uint32_t i = 0, k = 0; i < x.count || k < y.count;) {
        const bool left = k == y.count || (i < x.count && x.items[i] <= y.items[k]);
        const uint32_t id = left ? x.items[i] : y.items[k];
        i += i < x.count && x.items[i] == id;
        k += k < y.count && y.items[k] == id;
        items[count++] = id;
    }
    const uint32_t set = keep(s, items, count);
    free(items);
    return set;
}

uint32_t id_sets_union(id_sets *s, uint32_t a, uint32_t b)
{
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    united *m = &s->memory[hash_mix((uint64_t)a << 32 | b) % UNITED];
    if (m->a != a || m->b != b)
        *m = (united){a, b, unite(s, a, b)};
    return m->set;
}

uint32_t id_sets_without(id_sets *s, uint32_t set, uint32_t id)
{
    const id_set x = s->sets[set];
    uint32_t out = 0;
    if (!id_sets_has(s, set, id))
        return set;
    for (uint32_t i = 0; i < x.count; i++)
        if (x.items[i] != id)
            out = id_sets_union(s, out, id_sets_one(s, x.items[i]));
    return out;
}

bool id_sets_has(const id_sets *s, uint32_t set, uint32_t id)
{
    for (uint32_t i = 0; i < s->sets[set].count; i++)
        if (s->sets[set].items[i] == id)
            return true;
    return false;
}

const uint32_t *id_sets_items(const id_sets *s, uint32_t set, size_t *count)
{
    *count = s->sets[set].count;
    return s->sets[set].items;
}
