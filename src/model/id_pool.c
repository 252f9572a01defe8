#include "model/id_pool.h"

#include "core/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A slot of the hash table. It keeps the text's hash, so that a look-up need not read texts
 * with other hashes. The table is filled up to three quarters: it is read all the time, and
 * a small one stays in the processor's cache. */
typedef struct pool_slot {
    /* Number of the text and its hash; number ID_NONE: the slot is free. */
    uint32_t number, hash;
} pool_slot;

struct id_pool {
    arena *memory;      /* owned; holds `texts`, `slots` and the texts themselves */
    const char **texts; /* texts[0] is ""; each further text has its length in front */
    uint32_t count, room;
    /* The number of slots is a power of two; at least a quarter of them are free. */
    pool_slot *slots;
    size_t slot_count;
    uint32_t letters[256]; /* numbers of texts of one byte, the most frequent ones in maps */
    bool failed;
};

/* FIRST_ROOM: room for texts in a new pool. It is small, because each local map has a pool
 * of its own. */
enum { FIRST_ROOM = 96, ROOM_MAX = 1 << 20 };

id_pool *id_pool_new(void)
{
    return id_pool_new_for(FIRST_ROOM, NULL);
}

static uint32_t room_of(size_t slot_count)
{
    return (uint32_t)(slot_count / 4 * 3);
}

id_pool *id_pool_new_for(uint32_t count, const arena_blocks *blocks)
{
    id_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->slot_count = FIRST_ROOM / 3 * 4;
    while (room_of(pool->slot_count) < count && pool->slot_count < ROOM_MAX)
        pool->slot_count *= 2;
    pool->room = room_of(pool->slot_count);
    pool->memory = blocks ? arena_new_of(blocks) : arena_new();
    if (pool->memory) {
        pool->texts = arena_calloc(pool->memory, pool->room, sizeof *pool->texts);
        pool->slots = arena_calloc(pool->memory, pool->slot_count, sizeof *pool->slots);
    }
    if (!pool->texts || !pool->slots) {
        id_pool_free(pool);
        return NULL;
    }
    pool->texts[0] = "";
    pool->count = 1;
    return pool;
}

void id_pool_free(id_pool *pool)
{
    if (!pool)
        return;
    arena_free(pool->memory);
    free(pool);
}

static uint32_t length_of(const char *text)
{
    uint32_t length;
    memcpy(&length, text - sizeof length, sizeof length);
    return length;
}

/* Copies a text into the arena, with its length in front; NULL when memory is out. */
static const char *keep(id_pool *pool, const char *text, size_t length)
{
    const uint32_t size = (uint32_t)length;
    if (length >= UINT32_MAX)
        return NULL;
    char *out = arena_bytes(pool->memory, sizeof size + length + 1);
    if (!out)
        return NULL;
    memcpy(out, &size, sizeof size);
    out += sizeof size;
    memcpy(out, text, length);
    out[length] = '\0';
    return out;
}

/* Returns the slot of the hash table that has the text, or the free slot where the text
 * belongs. */
static pool_slot *find_slot(const id_pool *pool, const char *text, size_t length, uint32_t hash)
{
    const size_t mask = pool->slot_count - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        pool_slot *slot = &pool->slots[i];
        if (slot->number == ID_NONE)
            return slot;
        if (slot->hash != hash)
            continue;
        const char *have = pool->texts[slot->number];
        if (length_of(have) == length && memcmp(have, text, length) == 0)
            return slot;
    }
}

/* Doubles the tables `texts` and `slots`. The memory of the old tables is not used again: it
 * stays in the arena. All old tables together are no larger than the new ones. */
static bool grow(id_pool *pool)
{
    const size_t slot_count = 2 * pool->slot_count, mask = slot_count - 1;
    const uint32_t room = room_of(slot_count);
    const char **texts = arena_calloc(pool->memory, room, sizeof *texts);
    pool_slot *slots = arena_calloc(pool->memory, slot_count, sizeof *slots);
    if (!texts || !slots)
        return false;
    memcpy(texts, pool->texts, pool->count * sizeof *texts);
    /* All texts in the old table differ, so each needs only a free slot: the hash says where
     * to look for one, and no texts are compared. */
    for (size_t i = 0; i < pool->slot_count; i++) {
        if (pool->slots[i].number == ID_NONE)
            continue;
        size_t at = (size_t)pool->slots[i].hash & mask;
        while (slots[at].number != ID_NONE)
            at = (at + 1) & mask;
        slots[at] = pool->slots[i];
    }
    pool->texts = texts;
    pool->slots = slots;
    pool->slot_count = slot_count;
    pool->room = room;
    return true;
}

uint32_t id_pool_put(id_pool *pool, const char *text, size_t length)
{
    if (length == 0)
        return ID_NONE;
    if (length == 1 && pool->letters[(unsigned char)text[0]] != ID_NONE)
        return pool->letters[(unsigned char)text[0]];
    const uint32_t hash = (uint32_t)hash_quick(text, length);
    pool_slot *slot = find_slot(pool, text, length, hash);
    if (slot->number != ID_NONE)
        return slot->number;
    /* The text ends at its first NUL: stored texts contain none. */
    const char *end = memchr(text, '\0', length);
    if (end)
        return id_pool_put(pool, text, (size_t)(end - text));
    const char *copy = keep(pool, text, length);
    const bool full = pool->count == pool->room;
    if (!copy || (full && !grow(pool))) {
        pool->failed = true;
        return ID_NONE;
    }
    slot = full ? find_slot(pool, copy, length, hash) : slot;
    *slot = (pool_slot){pool->count, hash};
    pool->texts[pool->count] = copy;
    if (length == 1)
        pool->letters[(unsigned char)text[0]] = pool->count;
    return pool->count++;
}

uint32_t id_pool_find(const id_pool *pool, const char *text, size_t length)
{
    return find_slot(pool, text, length, (uint32_t)hash_quick(text, length))->number;
}

const char *id_pool_text(const id_pool *pool, uint32_t id)
{
    return id < pool->count ? pool->texts[id] : "";
}

uint32_t id_pool_count(const id_pool *pool)
{
    return pool->count;
}

void id_pool_fail(id_pool *pool)
{
    pool->failed = true;
}

int id_pool_failed(const id_pool *pool)
{
    return pool->failed;
}
