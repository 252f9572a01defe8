/* Arenas: memory that is allocated piece by piece and freed all at once. Also a map from
 * strings to numbers (strmap), whose keys usually lie in an arena. Neither is safe for use
 * across threads. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct arena arena;

arena *arena_new(void); /* makes an arena with blocks of 64 kB; NULL when memory is out */

/* How an arena gets its memory from malloc: in blocks of one size. */
typedef struct arena_blocks {
    size_t size; /* size of a block in bytes; a power of two, at least 4,096 */
    /* If not NULL, called once for each block of that size, before the arena uses it. The
     * block then begins at a multiple of its size. */
    void (*begun)(void *start, size_t size);
} arena_blocks;

/* Returns a new arena; NULL when memory is out. */
arena *arena_new_of(const arena_blocks *blocks);
void arena_free(arena *a);
/* Gives memory that is zeroed and aligned for any type; NULL when memory is out. */
void *arena_alloc(arena *a, size_t size);
/* Does what arena_alloc does for count * size bytes; NULL also if the product overflows. */
void *arena_calloc(arena *a, size_t count, size_t size);
/* Copies `size` bytes into the arena, aligned for any type; NULL when memory is out. */
void *arena_copy(arena *a, const void *data, size_t size);
/* Gives memory for bytes, neither zeroed nor aligned; NULL when memory is out. */
void *arena_bytes(arena *a, size_t size);
/* Copy a text (arena_strndup: its first `length` bytes) into the arena and put a NUL behind
 * it. NULL when memory is out. */
char *arena_strndup(arena *a, const char *text, size_t length);
char *arena_strdup(arena *a, const char *text);

/* A map from strings to 32-bit numbers, for ids. Keys are borrowed: they must outlive the map,
 * so they are usually put in an arena. */
typedef struct strmap {
    struct strmap_slot *slots;
    size_t count, capacity;
} strmap;

#define STRMAP_NONE UINT32_MAX

/* Makes the map empty. It allocates nothing until the first strmap_put. */
void strmap_init(strmap *m);
void strmap_dispose(strmap *m);
/* Returns the key's number; STRMAP_NONE when the key is absent. */
uint32_t strmap_get(const strmap *m, const char *key);
/* Sets or replaces the key's number. Returns 0, or -1 when memory is out. value must not be
 * STRMAP_NONE. */
int strmap_put(strmap *m, const char *key, uint32_t value);
