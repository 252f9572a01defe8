/* A text of JSON as a number of a pool, for all that reads content's ids. */
#ifndef MAPGEN_COMPILE_TEXT_ID_H
#define MAPGEN_COMPILE_TEXT_ID_H

#include "model/id_pool.h"
#include "json/view.h"

/* ID_NONE of what is no text. The buffer is for texts with escapes, and remembers when memory
 * is out. */
static inline uint32_t mapgen_text_id(id_pool *pool, json_view v, bytes *buffer)
{
    size_t length = 0;
    const char *text = json_view_text(v, buffer, &length);
    return text ? id_pool_put(pool, text, length) : ID_NONE;
}

#endif
