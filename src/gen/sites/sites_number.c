/*
 * Numbers lists of terms: equal lists get the same number. A list is a chain of values. A
 * chain is identified by the number of the chain without its last value and the number of that
 * value. So numbers are exact, whatever the hash.
 *
 * Also numbers kinds of oters: all are of one kind until a layer that holds only some of a
 * kind splits it.
 */
#include "gen/sites/sites_impl.h"

#include <stdlib.h>

/* Returns the number of a key; new keys get the next number, from 0 on. */
static uint32_t number_of(site_builder *b, key_map *map, uint64_t key)
{
    const int64_t found = key_map_find(map, key);
    if (found >= 0)
        return (uint32_t)found;
    const uint32_t number = (uint32_t)map->count;
    b->failed = b->failed || !key_map_add(map, key, number);
    return number;
}

/* Returns the chain with one more value. Chain 0 is the empty one. */
static uint32_t chain(site_builder *b, uint32_t before, uint64_t value)
{
    const uint64_t last = number_of(b, &b->values, value);
    return 1 + number_of(b, &b->chains, (uint64_t)before << 32 | last);
}

static uint64_t two(int32_t a, int32_t b)
{
    return (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
}

static uint32_t number_list(site_builder *b, site_box box, const site_term *terms,
                            uint32_t count)
{
    uint32_t list = chain(b, chain(b, 0, two(box.x0, box.y0)), two(box.x1, box.y1));
    for (uint32_t i = 0; i < count; i++)
        list = chain(b, list,
                     (uint64_t)terms[i].node << 32 | (uint32_t)(uint16_t)terms[i].dx << 16 |
                         (uint16_t)terms[i].dy);
    return list;
}

void site_number(site_builder *b, uint16_t special)
{
    site_special *s = &b->tables->specials[special];
    const int rotations = b->config->cat->specials[special].rotate ? 4 : 1;
    uint32_t figure = chain(b, 0, two(s->possible, s->linkable));
    figure = chain(b, figure, (uint64_t)rotations);
    for (int r = 0; r < 4 && s->possible && !b->failed; r++) {
        site_rotated *t = &s->rotated[r];
        t->ground_list = number_list(b, t->ground, t->terms, s->ground_count);
        t->links_list = number_list(b, t->links, t->terms + s->ground_count, s->link_count);
        while (s->rotated[s->like[r]].ground_list != t->ground_list ||
               s->rotated[s->like[r]].links_list != t->links_list)
            s->like[r]++; /* ends at r itself at the latest */
        if (r < rotations)
            figure = chain(b, figure, two((int32_t)t->ground_list, (int32_t)t->links_list));
    }
    s->figure = number_of(b, &b->figures, figure);
}

/* ---- kinds of oters ---- */

/* Scratch memory of the splitting. */
typedef struct kind_splitter {
    uint16_t *oters; /* oters of the layer; owned, as are the next members */
    uint32_t *sizes; /* by kind: number of its oters */
    uint32_t *hits;  /* by kind: number of its oters in the layer; 0 between layers */
    uint32_t *parts; /* by kind: the new kind of those oters; 0: they keep theirs */
} kind_splitter;

/* Splits kinds by a layer. A kind of which the layer has all oters stays whole, so that no
 * kind ever becomes empty. */
static void split_kinds(site_tables *t, const kind_splitter *k, size_t count)
{
    const size_t before = t->kind_count;
    for (size_t i = 0; i < count; i++)
        k->hits[t->kinds[k->oters[i]]]++;
    for (size_t i = 0; i < count; i++) {
        uint16_t *kind = &t->kinds[k->oters[i]];
        if (k->hits[*kind] == k->sizes[*kind])
            continue;
        if (k->parts[*kind] == 0)
            k->parts[*kind] = (uint32_t)t->kind_count++;
        *kind = (uint16_t)k->parts[*kind];
    }
    for (size_t i = 0; i < before; i++) {
        if (k->parts[i] != 0) {
            k->sizes[k->parts[i]] = k->hits[i];
            k->sizes[i] -= k->hits[i];
        }
        k->hits[i] = k->parts[i] = 0;
    }
}

void site_number_kinds(site_builder *b)
{
    site_tables *t = b->tables;
    const size_t oters = b->config->cat->oter_count;
    kind_splitter k = {.oters = malloc((oters + 1) * sizeof *k.oters),
                       .sizes = calloc(oters + 1, sizeof *k.sizes),
                       .hits = calloc(oters + 1, sizeof *k.hits),
                       .parts = calloc(oters + 1, sizeof *k.parts)};
    t->kinds = calloc(oters + 1, sizeof *t->kinds);
    t->kind_count = 1;
    b->failed = b->failed || !k.oters || !k.sizes || !k.hits || !k.parts || !t->kinds;
    if (!b->failed)
        k.sizes[0] = (uint32_t)oters;
    for (uint32_t i = 0; i < t->layer_count && !b->failed; i++) {
        size_t count = 0; /* of the layer's oters */
        for (size_t w = 0; w < b->oter_words; w++)
            for (uint64_t left = b->members[i][w]; left; left &= left - 1)
                k.oters[count++] = (uint16_t)(64 * w + (size_t)__builtin_ctzll(left));
        split_kinds(t, &k, count);
    }
    free(k.oters);
    free(k.sizes);
    free(k.hits);
    free(k.parts);
}
