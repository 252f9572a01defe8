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

/* No two cards of a deck have the same: both steps of hash_add are bijections. */
static uint64_t card_hash(uint64_t key, int32_t card)
{
    return hash_add(key, (uint64_t)card + 1);
}

/* Returns the nth of the numbers by size, from 0; they are put into another order. */
static uint64_t nth_number(uint64_t *list, int32_t count, int32_t n)
{
    int32_t first = 0, last = count - 1;
    while (first < last) {
        const uint64_t middle = list[first + (last - first) / 2];
        int32_t i = first, j = last;
        while (i <= j) {
            while (list[i] < middle)
                i++;
            while (list[j] > middle)
                j--;
            if (i > j)
                break;
            const uint64_t before = list[i];
            list[i++] = list[j];
            list[j--] = before;
        }
        if (n > j && n < i)
            break;
        first = n <= j ? first : i;
        last = n <= j ? j : last;
    }
    return list[n];
}

/* Finds the successes: those cards that come first by their hashes, as many as their share
 * says, or one more by chance. */
static void deal(plan_deck *deck, uint64_t key, int32_t count, double share)
{
    uint64_t hashes[DECK_SIDE_MAX * DECK_SIDE_MAX];
    rng r = rng_from_key(key);
    const double unit = (double)(rng_next(&r) >> 11) * 0x1p-53;
    int32_t successes = 0;
    while (successes < count && (double)successes + unit < share)
        successes++;
    for (int32_t i = 0; i < count; i++)
        hashes[i] = card_hash(key, i);
    deck->any = successes > 0;
    deck->last = successes > 0 ? nth_number(hashes, count, successes - 1) : 0;
}

bool plan_deck_has(plan_deck *deck, const gen_config *config, uint16_t special,
                   double successes, int32_t cards, ptl_chunk_pos pos)
{
    const int32_t side = deck_side(cards);
    const int32_t bx = floored(pos.x, side), by = floored(pos.y, side);
    uint64_t key = hash_add(config->seed, hash_string("deck"));
    key = hash_add(key, config->cat->specials[special].key);
    key = hash_add(hash_add(key, (uint32_t)bx), (uint32_t)by);
    if (!deck->known || deck->bx != bx || deck->by != by) {
        *deck = (plan_deck){.bx = bx, .by = by, .known = true};
        deal(deck, key, side * side, successes * (double)(side * side) / (double)cards);
    }
    const int32_t own = (pos.y - by * side) * side + pos.x - bx * side;
    return deck->any && card_hash(key, own) <= deck->last;
}
