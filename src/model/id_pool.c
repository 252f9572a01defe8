#include "model/id_pool.h"

#include "core/arena.h"
#include "core/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct pool_text {
    const char *text; /* in the arena, with a NUL */
    uint32_t length, hash;
} pool_text;

/* Of a text; it has the text's hash, so that other texts need not be looked at. */
typedef struct pool_slot {
    uint32_t number, hash; /* ID_NONE: free */
} pool_slot;

struct id_pool {
    arena *memory;
    pool_text *texts; /* owned; texts[0] is "" */
    uint32_t count, room;
    pool_slot *slots; /* owned; a power of two of them */
    size_t slot_count;
    uint32_t letters[256]; /* numbers of texts of one byte, of which maps have most */
    bool failed;
};

enum { FIRST_ROOM = 64 }; /* a local map has a pool of its own */

id_pool *id_pool_new(void)
{
    id_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->memory = arena_new();
    pool->texts = calloc(FIRST_ROOM, sizeof *pool->texts);
    pool->slots = calloc((size_t)2 * FIRST_ROOM, sizeof *pool->slots);
    pool->room = FIRST_ROOM;
    pool->slot_count = (size_t)2 * FIRST_ROOM;
    if (!pool->memory || !pool->texts || !pool->slots) {
        id_pool_free(pool);
        return NULL;
    }
    pool->texts[0].text = "";
    pool->count = 1;
    return pool;
}

void id_pool_free(id_pool *pool)
{
    if (!pool)
        return;
    arena_free(pool->memory);
    free(pool->texts);
    free(pool->slots);
    free(pool);
}

/* The slot of the text, or the free one where it belongs. */
static pool_slot *find_slot(const id_pool *pool, const char *text, size_t length, uint32_t hash)
{
    const size_t mask = pool->slot_count - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        pool_slot *slot = &pool->slots[i];
        if (slot->number == ID_NONE)
            return slot;
        const pool_text *have = &pool->texts[slot->number];
        if (slot->hash == hash && have->length == length &&
            memcmp(have->text, text, length) == 0)
            return slot;
    }
}

static bool grow(id_pool *pool)
{
    const uint32_t room = 2 * pool->room;
    pool_text *texts = realloc(pool->texts, room * sizeof *texts);
    if (texts)
        pool->texts = texts;
    pool_slot *slots = calloc((size_t)2 * room, sizeof *slots);
    if (!texts || !slots) {
        free(slots);
        return false;
    }
    free(pool->slots);
    pool->slots = slots;
    pool->slot_count = (size_t)2 * room;
    pool->room = room;
    const size_t mask = pool->slot_count - 1;
    for (uint32_t i = 1; i < pool->count; i++) { /* all differ */
        size_t at = (size_t)texts[i].hash & mask;
        while (slots[at].number != ID_NONE)
            at = (at + 1) & mask;
        slots[at] = (pool_slot){i, texts[i].hash};
    }
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
    const char *end = memchr(text, '\0', length); /* no text that is there has one */
    if (end)
        return id_pool_put(pool, text, (size_t)(end - text));
    const char *copy = arena_strndup(pool->memory, text, length);
    const bool full = pool->count == pool->room;
    if (!copy || length > UINT32_MAX || (full && !grow(pool))) {
        pool->failed = true;
        return ID_NONE;
    }
    slot = full ? find_slot(pool, copy, length, hash) : slot;
    *slot = (pool_slot){pool->count, hash};
    pool->texts[pool->count] = (pool_text){copy, (uint32_t)length, hash};
    if (length == 1)
        pool->letters[(unsigned char)text[0]] = pool->count;
    return pool->count++;
}

const char *id_pool_text(const id_pool *pool, uint32_t id)
{
    return id < pool->count ? pool->texts[id].text : "";
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
