/*
 * Interned texts: each different text gets a number, which it keeps for the pool's life.
 * Numbers are dense, in the order in which texts were put in. They mean nothing outside of the
 * program: what is stored or hashed is the text.
 */
#pragma once

#include "core/arena.h"

#include <stddef.h>
#include <stdint.h>

/* The number that stands for no text, and for "". */
#define ID_NONE UINT32_C(0)

typedef struct id_pool id_pool; /* while one thread puts texts in, no other thread may use the
                                 * pool */

/* Makes a pool in an arena with blocks of 64 kB. NULL when memory is out. */
id_pool *id_pool_new(void);
/* Makes a pool with room for about `count` texts, in an arena with these blocks (NULL: blocks
 * of 64 kB). NULL when memory is out. */
id_pool *id_pool_new_for(uint32_t count, const arena_blocks *blocks);
/* Frees the pool and all its texts; NULL is fine. */
void id_pool_free(id_pool *pool);
/* Returns the number of text[0 .. length - 1], which is put in if it is new. A NUL ends the
 * text earlier. Returns ID_NONE for an empty text, and when memory is out; id_pool_failed is
 * true from then on. */
uint32_t id_pool_put(id_pool *pool, const char *text, size_t length);
/* Returns the number of a text that id_pool_put would return, but puts nothing in: ID_NONE if
 * the pool does not have the text. */
uint32_t id_pool_find(const id_pool *pool, const char *text, size_t length);
/* Returns the text of a number, "" for ID_NONE. Borrowed for the pool's life. */
const char *id_pool_text(const id_pool *pool, uint32_t id);
/* Returns one more than the largest number in use. */
uint32_t id_pool_count(const id_pool *pool);
/* Makes id_pool_failed true: for callers that had no memory to make a text that they wanted to
 * put in. */
void id_pool_fail(id_pool *pool);
/* Was memory out when a text was to be put in? */
int id_pool_failed(const id_pool *pool);
