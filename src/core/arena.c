#include "core/arena.h"

#include "core/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BLOCK = 1 << 16 };

/* A block is filled from both ends: aligned items grow from its front, bytes from its back,
 * so that bytes cost no padding. */
typedef struct arena_block {
    struct arena_block *next;
    /* The block has two parts in use: the bytes before the offset `used`, which were given out
     * from the front, and those from the offset `size` on, which were given out from the back.
     */
    size_t used, size;
    _Alignas(max_align_t) unsigned char data[];
} arena_block;

struct arena {
    arena_block *blocks; /* linked list of all blocks; items are added to the first one */
    arena_blocks how;
};

arena *arena_new(void)
{
    return arena_new_of(&(arena_blocks){.size = ARENA_BLOCK});
}

arena *arena_new_of(const arena_blocks *blocks)
{
    arena *a = calloc(1, sizeof *a);
    if (a)
        a->how = *blocks;
    return a;
}

void arena_free(arena *a)
{
    if (!a)
        return;
    while (a->blocks) {
        arena_block *next = a->blocks->next;
        free(a->blocks);
        a->blocks = next;
    }
    free(a);
}

static arena_block *add_block(arena *a, size_t size)
{
    const size_t usual = a->how.size - sizeof(arena_block);
    /* An item larger than a usual block gets a block of its own size. */
    const bool own = size > usual;
    if (size > SIZE_MAX - sizeof(arena_block))
        return NULL;
    arena_block *block = own            ? calloc(1, sizeof *block + size)
                         : a->how.begun ? aligned_alloc(a->how.size, a->how.size)
                                        : malloc(sizeof *block + usual);
    if (!block)
        return NULL;
    if (a->how.begun && !own)
        a->how.begun(block, a->how.size);
    block->used = 0;
    block->size = own ? size : usual;
    /* A block that was made for a large item becomes the second block of the list, so that
     * the first block goes on being filled. */
    if (size > usual / 4 && a->blocks) {
        block->next = a->blocks->next;
        a->blocks->next = block;
    } else {
        block->next = a->blocks;
        a->blocks = block;
    }
    return block;
}

/* Takes aligned memory without clearing it. */
static void *take(arena *a, size_t size)
{
    const size_t unit = _Alignof(max_align_t);
    if (size > SIZE_MAX - unit)
        return NULL;
    size = (size + unit - 1) / unit * unit;
    arena_block *block = a->blocks;
    if (!block || block->size - block->used < size)
        block = add_block(a, size);
    if (!block)
        return NULL;
    void *out = block->data + block->used;
    block->used += size;
    return out;
}

void *arena_bytes(arena *a, size_t size)
{
    arena_block *block = a->blocks;
    if (!block || block->size - block->used < size)
        block = add_block(a, size);
    if (!block)
        return NULL;
    block->size -= size;
    return block->data + block->size;
}

void *arena_alloc(arena *a, size_t size)
{
    void *out = take(a, size);
    /* Clear the memory, unless it is so large that it has a block of its own: such a block
     * comes from calloc, zeroed already. */
    if (out && size <= a->how.size - sizeof(arena_block))
        memset(out, 0, size);
    return out;
}

void *arena_copy(arena *a, const void *data, size_t size)
{
    void *out = take(a, size);
    if (out && size > 0)
        memcpy(out, data, size);
    return out;
}

void *arena_calloc(arena *a, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return arena_alloc(a, count * size);
}

char *arena_strndup(arena *a, const char *text, size_t length)
{
    char *out = arena_bytes(a, length + 1);
    if (out) {
        memcpy(out, text, length);
        out[length] = '\0';
    }
    return out;
}

char *arena_strdup(arena *a, const char *text)
{
    return arena_strndup(a, text, strlen(text));
}

struct strmap_slot {
    const char *key; /* NULL: the slot is free */
    uint32_t hash, value;
};

void strmap_init(strmap *m)
{
    memset(m, 0, sizeof *m);
}

void strmap_dispose(strmap *m)
{
    free(m->slots);
    strmap_init(m);
}

static uint32_t hash_key(const char *key)
{
    return (uint32_t)hash_quick(key, strlen(key));
}

/* Returns the slot of the hash table that has the key, or the free slot where the key belongs.
 * The number of slots is a power of two and above the number of keys, so that the search
 * ends. */
static struct strmap_slot *find_slot(const strmap *m, const char *key, uint32_t hash)
{
    size_t mask = m->capacity - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        struct strmap_slot *slot = &m->slots[i];
        if (!slot->key || (slot->hash == hash && strcmp(slot->key, key) == 0))
            return slot;
    }
}

uint32_t strmap_get(const strmap *m, const char *key)
{
    if (m->count == 0)
        return STRMAP_NONE;
    const struct strmap_slot *slot = find_slot(m, key, hash_key(key));
    return slot->key ? slot->value : STRMAP_NONE;
}

int strmap_put(strmap *m, const char *key, uint32_t value)
{
    if (m->count * 4 >= m->capacity * 3) {
        strmap bigger = {NULL, m->count, m->capacity ? m->capacity * 2 : 64};
        bigger.slots = calloc(bigger.capacity, sizeof *bigger.slots);
        if (!bigger.slots)
            return -1;
        for (size_t i = 0; i < m->capacity; i++)
            if (m->slots[i].key)
                *find_slot(&bigger, m->slots[i].key, m->slots[i].hash) = m->slots[i];
        free(m->slots);
        *m = bigger;
    }
    const uint32_t hash = hash_key(key);
    struct strmap_slot *slot = find_slot(m, key, hash);
    if (!slot->key) {
        m->count++;
        slot->key = key;
        slot->hash = hash;
    }
    slot->value = value;
    return 0;
}
