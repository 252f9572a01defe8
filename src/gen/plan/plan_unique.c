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
    DECK_SIDE_MAX = 64 /* a larger deck is drawn from as if it were many of that size */
};

static int32_t floored(int32_t value, int32_t by)
{
    return value / by - (value % by < 0);
}

/* No two cards of a deck have the same: both steps of hash_add are bijections. */
static uint64_t card_hash(uint64_t key, int32_t card)
{
    return hash_add(key, (uint64_t)card + 1);
}

/* How many cards of so many are successes: their share of them, or one more by chance. */
static int32_t success_count(uint64_t key, int32_t cards, double share)
{
    rng r = rng_from_key(key);
    const double unit = (double)(rng_next(&r) >> 11) * 0x1p-53;
    int32_t successes = 0;
    while (successes < cards && (double)successes + unit < share)
        successes++;
    return successes;
}

/* The successes are those cards that come first by their hashes: most others are told by the
 * few that are looked at first. */
static bool is_success(uint64_t key, int32_t card, int32_t cards, int32_t successes)
{
    const uint64_t own = card_hash(key, card);
    int32_t before = 0;
    for (int32_t i = 0; i < cards && before < successes; i++)
        before += card_hash(key, i) < own;
    return before < successes;
}

bool plan_deck_has(const gen_config *config, uint16_t special, double successes, int32_t cards,
                   ptl_chunk_pos pos)
{
    int32_t side = 1;
    while (side < DECK_SIDE_MAX && side * side < cards)
        side++;

    const int32_t bx = floored(pos.x, side), by = floored(pos.y, side);
    uint64_t key = hash_add(config->seed, hash_string("deck"));
    key = hash_add(key, config->cat->specials[special].key);
    key = hash_add(hash_add(key, (uint32_t)bx), (uint32_t)by);
    const double share = successes * (double)(side * side) / (double)cards;
    const int32_t own = (pos.y - by * side) * side + pos.x - bx * side;
    return is_success(key, own, side * side, success_count(key, side * side, share));
}
