#include "gen/plan/plan_unique.h"

#include "core/hash.h"

ptl_chunk_pos special_home(const gen_config *config, uint16_t special)
{
    const uint64_t key = hash_add(config->seed, hash_string("special home"));
    rng r = rng_from_key(hash_add(key, config->cat->specials[special].key));
    const int32_t radius = config->options.unique_radius;
    ptl_chunk_pos home;
    home.x = rng_range(&r, -radius, radius);
    home.y = rng_range(&r, -radius, radius);
    return home;
}

/* ---- decks ---- */

enum {
    DECK_SIDE_MAX = 64, /* a larger deck is drawn from as if it were many of that size */
    CARDS_AT_ONCE = 4   /* mostly the first few say that it has none */
};

static int32_t deck_side(int32_t cards)
{
    int32_t side = 1;
    while (side < DECK_SIDE_MAX && side * side < cards)
        side++;
    return side;
}

static int32_t floored(int32_t value, int32_t by)
{
    return value / by - (value % by < 0);
}

bool plan_deck_has(const gen_config *config, uint16_t special, double successes, int32_t cards,
                   ptl_chunk_pos pos)
{
    const int32_t side = deck_side(cards);
    const int32_t bx = floored(pos.x, side), by = floored(pos.y, side);
    uint64_t key = hash_add(config->seed, hash_string("deck"));
    key = hash_add(key, config->cat->specials[special].key);
    key = hash_add(hash_add(key, (uint32_t)bx), (uint32_t)by);
    rng r = rng_from_key(key);
    const double share = successes * (double)(side * side) / (double)cards;
    const double unit = (double)(rng_next(&r) >> 11) * 0x1p-53;
    const int32_t own = (pos.y - by * side) * side + pos.x - bx * side;
    const uint64_t mine = hash_add(key, (uint64_t)own + 1);
    int32_t before = 0, next = 0;
    while (next < side * side && (double)before + unit < share)
        for (int32_t end = next + CARDS_AT_ONCE; next < end && next < side * side; next++) {
            const uint64_t other = hash_add(key, (uint64_t)next + 1);
            before += other < mine || (other == mine && next < own);
        }
    return (double)before + unit < share;
}
