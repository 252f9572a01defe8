/*
 * What a city may not have twice, and what a world has once (generation.md 5.6). The games draw
 * a building again until it is none that the city, the overmap or the world has already; which
 * of a world's cities has one that comes once depends there on who was there first. Here it has
 * a home chunk, like specials that come once.
 */
#include "gen/cities/city.h"
#include "gen/plan/plan_unique.h"

static bool of_size(const cat_special *s, int32_t size)
{
    return size >= s->city_sizes.min &&
           (s->city_sizes.max == PTL_UNBOUNDED || size <= s->city_sizes.max);
}

/* The site that is to have the building; count if there is none. */
static size_t site_for(const cat_special *s, const city_site *sites, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (of_size(s, sites[i].size) && (best == count || sites[i].size > sites[best].size))
            best = i;
    return best;
}

/* Which of several comes first, where a city has not room for all. */
static uint64_t turn_of(const generator *g, uint16_t special)
{
    return hash_add(hash_add(g->config->seed, hash_string("city due")),
                    g->config->cat->specials[special].key);
}

/* Puts one into the list, which is sorted by their turns; of too many the last one is lost. */
static size_t add_home(uint16_t out[CITY_DUE_MAX], size_t count, const generator *g,
                       uint16_t special)
{
    const uint64_t turn = turn_of(g, special);
    size_t at = 0;
    while (at < count && out[at] != special && turn_of(g, out[at]) <= turn)
        at++;
    if (at == CITY_DUE_MAX || (at < count && out[at] == special))
        return count;
    const size_t end = count < CITY_DUE_MAX ? count : CITY_DUE_MAX - 1;
    for (size_t i = end; i > at; i--)
        out[i] = out[i - 1];
    out[at] = special;
    return end + 1;
}

/* Those of one list whose home is this chunk. */
static size_t add_homes(uint16_t out[CITY_DUE_MAX], size_t count, const generator *g,
                        const cat_bin *bin)
{
    const ptl_chunk_pos here = g->chunk->pos;
    for (size_t i = 0; i < bin->count; i++) {
        const uint16_t special = bin->specials[i];
        if (!(g->config->cat->specials[special].flags & PTL_SPECIAL_GLOBALLY_UNIQUE))
            continue;
        const ptl_chunk_pos home = special_home(g->config, special);
        if (home.x == here.x && home.y == here.y)
            count = add_home(out, count, g, special);
    }
    return count;
}

/* By their turns, not in the order of the lists: that would starve the same ones in all worlds.
 */
static size_t find_homes(uint16_t out[CITY_DUE_MAX], const generator *g)
{
    const cat_city_settings *city = &g->config->region->city;
    size_t count = add_homes(out, 0, g, &city->houses);
    count = add_homes(out, count, g, &city->shops);
    return add_homes(out, count, g, &city->parks);
}

void city_find_due(town *t, const city_site *sites, size_t count, size_t site)
{
    const generator *g = t->ground->g;
    uint16_t homes[CITY_DUE_MAX];
    const size_t all = find_homes(homes, g);
    for (size_t i = 0; i < all; i++)
        if (site_for(&g->config->cat->specials[homes[i]], sites, count) == site)
            t->due[t->due_count++] = homes[i];
}

void city_tell_homeless(generator *g, const city_site *sites, size_t count)
{
    uint16_t homes[CITY_DUE_MAX];
    const size_t all = find_homes(homes, g);
    for (size_t i = 0; i < all; i++) {
        const cat_special *s = &g->config->cat->specials[homes[i]];
        if (site_for(s, sites, count) == count)
            add_event(g, "unique_dropped", -1, -1, 0, s->id);
    }
}

/* Is there one already, in the city or in all of the chunk? Cities grow one after the other, so
 * a city's buildings are the last ones. */
static bool stands(const town *t, uint16_t special, bool anywhere)
{
    const gen_features *f = &t->ground->g->features;
    for (size_t i = f->placement_count; i > 0; i--) {
        const gen_placement *p = &f->placements[i - 1];
        if (!anywhere && p->city != t->index)
            return false;
        if (p->special == special)
            return true;
    }
    return false;
}

bool city_refuses(const town *t, uint16_t special)
{
    const cat_special *s = &t->ground->g->config->cat->specials[special];
    if (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE || !of_size(s, t->size))
        return true;
    return (s->flags & PTL_SPECIAL_CITY_UNIQUE && stands(t, special, false)) ||
           (s->flags & PTL_SPECIAL_UNIQUE && stands(t, special, true));
}
