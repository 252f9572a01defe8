/*
 * The queue's slow parts: room, the heap, and the way to the next list that holds something.
 */
#include "gen/connect/connect_queue.h"

#include <stdlib.h>
#include <string.h>

void queue_reset(connector *k, uint32_t cost, bool by_rank)
{
    k->by_rank = by_rank;
    k->pushed = k->queued = k->heap_count = 0;
    k->bucket = cost % BUCKETS;
    memset(k->filled, 0, sizeof k->filled);
}

bool queue_grow(generator *g)
{
    connector *k = g->connector;
    const size_t room = k->room ? 2 * k->room : 4096;
    queue_entry *entries = realloc(k->entries, room * sizeof *entries);
    if (entries)
        k->entries = entries;
    uint64_t *heap = entries ? realloc(k->heap, room * sizeof *heap) : NULL;
    if (!heap) {
        g->failed = true;
        return false;
    }
    k->heap = heap;
    k->room = room;
    return true;
}

static void sift_up(connector *k, uint64_t rank)
{
    size_t i = k->heap_count++;
    for (; i > 0 && rank < k->heap[(i - 1) / 4]; i = (i - 1) / 4)
        k->heap[i] = k->heap[(i - 1) / 4];
    k->heap[i] = rank;
}

void queue_push_heap(connector *k, uint64_t rank)
{
    k->pushed++;
    sift_up(k, rank);
}

uint64_t queue_pop_heap(connector *k)
{
    const uint64_t top = k->heap[0], last = k->heap[--k->heap_count];
    size_t i = 0;
    for (;;) {
        size_t least = 4 * i + 1;
        if (least >= k->heap_count)
            break;
        const size_t end = least + 4 < k->heap_count ? least + 4 : k->heap_count;
        for (size_t child = least + 1; child < end; child++)
            if (k->heap[child] < k->heap[least])
                least = child;
        if (k->heap[least] >= last)
            break;
        k->heap[i] = k->heap[least];
        i = least;
    }
    k->heap[i] = last;
    return top;
}

void queue_advance(connector *k)
{
    /* Goes round the ring. */
    uint32_t word = k->bucket / 64;
    uint64_t bits = k->filled[word] >> (k->bucket % 64) << (k->bucket % 64);
    for (uint32_t i = 0; !bits && i <= BUCKETS / 64; i++) {
        word = (word + 1) % (BUCKETS / 64);
        bits = k->filled[word];
    }
    k->bucket = word * 64 + lowest_bit(bits);
    while (k->by_rank && queue_list_filled(k))
        sift_up(k, queue_pop_list(k));
}
