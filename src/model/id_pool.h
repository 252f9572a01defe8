/*
 * Texts as numbers: each text that is put in gets one, the same for equal texts, and keeps it
 * for the pool's life. Numbers are dense, in the order in which texts came: they are for
 * programs alone and mean nothing outside (what is stored or hashed is the text).
 */
#ifndef MODEL_ID_POOL_H
#define MODEL_ID_POOL_H

#include "core/arena.h"

#include <stddef.h>
#include <stdint.h>

/* The number of no text, and of "". */
#define ID_NONE UINT32_C(0)

typedef struct id_pool id_pool; /* not for use across threads while texts are put in */

id_pool *id_pool_new(void); /* NULL when memory is out */
/* Likewise, with room for about so many texts, in such blocks; NULL: the usual ones. */
id_pool *id_pool_new_for(uint32_t count, const arena_blocks *blocks);
void id_pool_free(id_pool *pool);
/* Returns the number of text[0 .. length - 1], which is put in if it is new; ID_NONE for an
 * empty text, and when memory is out: then id_pool_failed. A NUL ends the text. */
uint32_t id_pool_put(id_pool *pool, const char *text, size_t length);
/* The text of a number; "" of ID_NONE. Borrowed for the pool's life. */
const char *id_pool_text(const id_pool *pool, uint32_t id);
/* One more than the largest number. */
uint32_t id_pool_count(const id_pool *pool);
/* Says that a text could not be put in, of whoever had no memory to write it. */
void id_pool_fail(id_pool *pool);
/* Could a text not be put in, once? */
int id_pool_failed(const id_pool *pool);

#endif
