/*
 * The queue of states of the A* search. States with the least estimated cost of a whole path
 * are taken first. The queue is a ring of lists (buckets), one for each cost. The costs of
 * states that are taken never fall, and the cost of a state that is added exceeds the present
 * cost by less than the number of buckets. The newest state of a list is taken first. But where
 * turns count, the present list becomes a heap, ordered by turns, then by the rest of the cost,
 * then by the number of the state.
 *
 * No state is removed from the queue before it is taken: when the search takes a state that it
 * has closed already, it skips it. A state is added once for each better path to it, so at most
 * as often as there are directions from which its cell can be entered.
 */
#pragma once

#include "gen/connect/connect_impl.h"

/* Empties the queue, and begins with the list of states whose cost is `cost`. `by_rank`: of
 * states with equal costs, those with fewer turns come first. */
void queue_reset(connector *k, uint32_t cost, bool by_rank);
/* Makes room for more states in the queue. False when memory is out. */
bool queue_grow(generator *g);
/* Where turns count, the states of the present list are in a heap. queue_push_heap adds a state
 * to this heap; the argument `rank` is what queue_rank returned for it. queue_pop_heap takes
 * the state of the least rank from the heap and returns that rank. */
void queue_push_heap(connector *k, uint64_t rank);
uint64_t queue_pop_heap(connector *k);
/* Makes the next list that is not empty the present one. The queue must not be empty. */
void queue_advance(connector *k);

/* Does the queue have room for `count` more states? */
static inline bool queue_has_room(const connector *k, size_t count)
{
    return k->pushed + count <= k->room;
}

/* Returns a state's rank: of states of the same cost, the one of the least rank leaves the
 * queue first. The lowest bits of the rank are the state's own number. */
static inline uint64_t queue_rank(uint32_t turns, uint32_t rest, uint32_t state)
{
    const uint32_t most = (UINT32_C(1) << TIE_BITS) - 1;
    return ((uint64_t)turns << TIE_BITS | (rest < most ? rest : most)) << STATE_BITS | state;
}

/* Adds a state to the queue, which must have room for it. */
static inline void queue_push(connector *k, uint32_t cost, uint64_t rank)
{
    const uint32_t b = cost % BUCKETS;
    uint64_t *const word = &k->filled[b / 64];
    const uint64_t bit = UINT64_C(1) << (b % 64);
    k->entries[k->pushed] = (queue_entry){rank, *word & bit ? k->newest[b] : UINT32_MAX};
    k->newest[b] = (uint32_t)k->pushed++;
    k->queued++;
    *word |= bit;
}

static inline bool queue_list_filled(const connector *k)
{
    return k->filled[k->bucket / 64] >> (k->bucket % 64) & 1;
}

/* Takes the newest state from the present list, that of the least cost. It must not be
 * empty. */
static inline uint64_t queue_pop_list(connector *k)
{
    const queue_entry *entry = &k->entries[k->newest[k->bucket]];
    if (entry->older == UINT32_MAX)
        k->filled[k->bucket / 64] &= ~(UINT64_C(1) << (k->bucket % 64));
    k->newest[k->bucket] = entry->older;
    k->queued--;
    return entry->rank;
}

/* Takes the state of the least cost from the queue; of several, the one of the least rank if
 * turns count. False if the queue is empty. */
static inline bool queue_pop(connector *k, uint32_t *state)
{
    if (k->heap_count == 0) {
        if (k->queued == 0)
            return false;
        if (k->by_rank || !queue_list_filled(k))
            queue_advance(k);
    }
    *state = (uint32_t)(k->by_rank ? queue_pop_heap(k) : queue_pop_list(k)) & STATE_MASK;
    return true;
}

/* Adds a state to the queue where turns count: to the heap if its cost is the present one, else
 * to the list of its cost. */
static inline void queue_push_ranked(connector *k, uint32_t cost, uint64_t rank)
{
    if (cost % BUCKETS == k->bucket)
        queue_push_heap(k, rank);
    else
        queue_push(k, cost, rank);
}
