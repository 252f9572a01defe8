#include "json/keyset.h"

#include "core/array.h"
#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

typedef struct key {
    uint64_t hash;
    uint32_t start, length; /* between the quotes */
} key;

void keyset_dispose(keyset *k)
{
    free(k->items);
    *k = (keyset){NULL, 0, 0};
}

bool keyset_add(keyset *k, const char *text, uint32_t start, size_t length)
{
    if (!ARRAY_ROOM(k->items, k->capacity, k->count + 1))
        return false;
    k->items[k->count++] = (key){hash_bytes(text + start, length), start, (uint32_t)length};
    return true;
}

static int compare_texts(const char *text, const key *a, const key *b)
{
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(text + a->start, text + b->start, shorter);
    if (order == 0)
        order = (a->length > b->length) - (a->length < b->length);
    return order;
}

/* Compares by text, then by place, so that a repeated key follows the one it repeats. */
static int compare(const char *text, const key *a, const key *b)
{
    int order = compare_texts(text, a, b);
    return order != 0 ? order : (a->start > b->start) - (a->start < b->start);
}

static void swap(key *a, key *b)
{
    key c = *a;
    *a = *b;
    *b = c;
}

/* Restores the heap below `root`. */
static void sift(const char *text, key *keys, size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count && compare(text, &keys[child], &keys[child + 1]) < 0)
            child++;
        if (compare(text, &keys[root], &keys[child]) >= 0)
            return;
        swap(&keys[root], &keys[child]);
        root = child;
    }
}

void keyset_close(keyset *k, size_t first, const char *text,
                  void (*on_repeated)(void *payload, uint32_t start, uint32_t length),
                  void *payload)
{
    enum { FEW = 12 };
    size_t count = k->count - first;
    k->count = first;
    if (count < 2)
        return;
    key *keys = k->items + first;
    if (count > FEW) {
        /* Heap sort: the order needs the text, and C11's qsort passes no argument to its
         * comparison. Its time does not depend on the keys, which an attacker may have
         * chosen. */
        for (size_t i = count / 2; i > 0; i--)
            sift(text, keys, i - 1, count);
        for (size_t last = count; last > 1; last--) {
            swap(&keys[0], &keys[last - 1]);
            sift(text, keys, 0, last - 1);
        }
        for (size_t i = 1; i < count; i++)
            if (compare_texts(text, &keys[i - 1], &keys[i]) == 0)
                on_repeated(payload, keys[i].start, keys[i].length);
        return;
    }
    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (compare_texts(text, &keys[j], &keys[i]) == 0) {
                on_repeated(payload, keys[i].start, keys[i].length);
                break;
            }
}
