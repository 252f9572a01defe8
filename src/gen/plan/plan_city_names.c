/* Names of cities, a function of the plan alone: the content's where it has the cities, too. */
#include "gen/plan/plan.h"

#include "core/hash.h"

#include <string.h>

enum { TRIES = 16 }; /* before the list is searched from a random place on */

/* False if the name is taken already; else it is from now on. Two names of one hash count as
 * equal, which only makes the second one's city draw another. */
static bool claim(city_names *names, const char *name)
{
    const int32_t hash = (int32_t)(hash_string(name) >> 33) | 1;
    for (uint32_t i = 0; i < CITY_NAME_SLOTS; i++) {
        int32_t *slot = &names->taken[((uint32_t)hash + i) % CITY_NAME_SLOTS];
        if (*slot == hash)
            return false;
        if (*slot == 0) {
            *slot = hash;
            return true;
        }
    }
    return false;
}

/* NULL: every name is taken. */
static const char *choose(city_names *names, const cat_texts *texts, rng *r)
{
    for (int i = 0; i < TRIES; i++) {
        const char *name = texts->texts[rng_by_weight(r, texts->upto, texts->count)];
        if (claim(names, name))
            return name;
    }
    const size_t first = rng_below(r, texts->count);
    for (size_t i = 0; i < texts->count; i++) {
        const char *name = texts->texts[(first + i) % texts->count];
        if (claim(names, name))
            return name;
    }
    return NULL;
}

void plan_city_names(city_names *out, const gen_config *config, ptl_chunk_pos pos, size_t count)
{
    const cat_texts *texts = &config->cat->town_names;
    if (config->cat->city_count > 0) {
        size_t own;
        const cat_city *cities = catalogue_cities(config->cat, pos, &own);
        for (size_t i = 0; i < count && i < own; i++)
            out->list[i] = cities[i].name;
        return;
    }
    uint64_t key = hash_add(config->seed, hash_string("city names"));
    key = hash_add(key, (uint32_t)pos.x);
    rng stream = rng_from_key(hash_add(key, (uint32_t)pos.y));
    key = rng_next(&stream);
    bool some = texts->count > 0;
    memset(out->taken, 0, sizeof out->taken);
    for (size_t i = 0; i < count; i++) {
        rng r = rng_from_key(hash_add(key, i));
        out->list[i] = some ? choose(out, texts, &r) : NULL;
        some = out->list[i] != NULL;
    }
}
