/* Memory that is freed all at once, and interned strings in it. Not for use across threads. */
#ifndef CORE_ARENA_H
#define CORE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct arena arena;

arena *arena_new(void); /* new; NULL when memory is out */

/* What memory is taken in: of arena_new blocks of 64 kB. */
typedef struct arena_blocks {
    size_t size; /* bytes; a power of two, at least 4,096 */
    /* NULL, or called for each block of that size before it is used: it then begins at a
     * multiple of its size. */
    void (*begun)(void *start, size_t size);
} arena_blocks;

arena *arena_new_of(const arena_blocks *blocks); /* likewise */
void arena_free(arena *a);
/* Gives memory that is zeroed and aligned for any type; NULL when memory is out. */
void *arena_alloc(arena *a, size_t size);
/* count * size with an overflow check. */
void *arena_calloc(arena *a, size_t count, size_t size);
/* Copies so many bytes, aligned likewise. */
void *arena_copy(arena *a, const void *data, size_t size);
/* Gives memory for bytes: not zeroed, not aligned. */
void *arena_bytes(arena *a, size_t size);
char *arena_strndup(arena *a, const char *text, size_t length);
char *arena_strdup(arena *a, const char *text);

/*
 * A map from strings to 32-bit numbers, for ids. Keys are borrowed: they must outlive the map
 * (put them in an arena).
 */
typedef struct strmap {
    struct strmap_slot *slots;
    size_t count, capacity;
} strmap;

#define STRMAP_NONE UINT32_MAX

void strmap_init(strmap *m);
void strmap_dispose(strmap *m);
/* STRMAP_NONE when the key is absent. */
uint32_t strmap_get(const strmap *m, const char *key);
/* Sets the key's number, or replaces it; 0, or -1 when memory is out. value must not be
 * STRMAP_NONE. */
int strmap_put(strmap *m, const char *key, uint32_t value);

#endif
