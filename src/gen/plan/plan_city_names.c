/*
 * Names of cities, a function of the plan alone: the content's where it has the cities, too.
 * Else the names are put into an order by the seed, and dealt out in hands of as many as a
 * chunk has sites. Which hand a chunk gets repeats as late as it can: in any square of
 * hand_side x hand_side chunks all are different, so a name comes again only where all of them
 * are in use.
 */
#include "gen/plan/plan.h"

#include "core/hash.h"

/* Puts 0 .. count - 1 into another order, by a Feistel network over as few bits as hold them;
 * what falls outside is sent through it again, until it does not. */
static size_t shuffled(uint64_t key, size_t number, size_t count)
{
    enum { ROUNDS = 4 };
    unsigned half = 1;
    while ((size_t)1 << 2 * half < count)
        half++;
    const size_t mask = ((size_t)1 << half) - 1;
    do {
        size_t left = number >> half, right = number & mask;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            const size_t mixed = left ^ (hash_add(hash_add(key, round), right) >> 32 & mask);
            left = right;
            right = mixed;
        }
        number = left << half | right;
    } while (number >= count);
    return number;
}

/* Row by row, each row of chunks begins `side` hands behind the one before: two chunks of one
 * hand differ by a multiple of `hands` in x + side * y, which in a square of that side is none.
 */
static size_t hand_of(ptl_chunk_pos pos, int64_t hands)
{
    int64_t side = 1;
    while ((side + 1) * (side + 1) <= hands)
        side++;
    const int64_t hand = (pos.x + side * pos.y) % hands;
    return (size_t)(hand < 0 ? hand + hands : hand);
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
    const size_t sites = plan_city_most(config), names = texts->count;
    const size_t hands = sites > 0 && names / sites > 1 ? names / sites : 1;
    const uint64_t key = hash_add(config->seed, hash_string("city names"));
    const size_t first = hand_of(pos, (int64_t)hands) * sites;
    for (size_t i = 0; i < count; i++)
        out->list[i] =
            i < names ? texts->texts[shuffled(key, (first + i) % names, names)] : NULL;
}
