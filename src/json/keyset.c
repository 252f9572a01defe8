#include "json/keyset.h"

#include "core/array.h"
#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

typedef struct key {
    uint64_t hash;
    const char *at; /* behind the opening quote */
    uint32_t length;
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
    k->items[k->count++] =
        (key){hash_bytes(text + start, length), text + start, (uint32_t)length};
    return true;
}

static int compare_texts(const key *a, const key *b)
{
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->at, b->at, shorter);
    if (order == 0)
        order = (a->length > b->length) - (a->length < b->length);
    return order;
}

/* Compares by text, then by place, so that a repeated key follows the one it repeats. */
static int compare(const void *a, const void *b)
{
    const key *x = a, *y = b;
    const int order = compare_texts(x, y);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
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
        qsort(keys, count, sizeof *keys, compare);
        for (size_t i = 1; i < count; i++)
            if (compare_texts(&keys[i - 1], &keys[i]) == 0)
                on_repeated(payload, (uint32_t)(keys[i].at - text), keys[i].length);
        return;
    }
    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (compare_texts(&keys[j], &keys[i]) == 0) {
                on_repeated(payload, (uint32_t)(keys[i].at - text), keys[i].length);
                break;
            }
}
