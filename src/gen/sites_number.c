/*
 * Numbers for lists of terms: equal ones get the same. A list is a chain of values, and a chain
 * is known by the number of the one without its last value and the number of that value, so
 * that numbers are exact, whatever the hash.
 */
#include "gen/sites_impl.h"

/* The number of a key, from 0 on in order of appearance. */
static uint32_t number_of(site_builder *b, key_map *map, uint64_t key)
{
    const int64_t found = key_map_find(map, key);
    if (found >= 0)
        return (uint32_t)found;
    const uint32_t number = (uint32_t)map->count;
    b->failed = b->failed || !key_map_add(map, key, number);
    return number;
}

/* Chain 0 is the empty one. */
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

static bool same_lists(const site_turn *a, const site_turn *b)
{
    return a->ground_list == b->ground_list && a->links_list == b->links_list;
}

void site_number(site_builder *b, uint16_t special)
{
    site_special *s = &b->tables->specials[special];
    const int rotations = b->config->cat->specials[special].rotate ? 4 : 1;
    uint32_t figure = chain(b, 0, two(s->possible, s->linkable));
    figure = chain(b, figure, (uint64_t)rotations);
    for (int r = 0; r < 4 && s->possible && !b->failed; r++) {
        site_turn *t = &s->turns[r];
        t->ground_list = number_list(b, t->ground, t->terms, s->ground_count);
        t->links_list = number_list(b, t->links, t->terms + s->ground_count, s->link_count);
        while (!same_lists(&s->turns[s->like[r]], t))
            s->like[r]++; /* up to r itself */
        if (r < rotations)
            figure = chain(b, figure, two((int32_t)t->ground_list, (int32_t)t->links_list));
    }
    s->figure = number_of(b, &b->figures, figure);
}
