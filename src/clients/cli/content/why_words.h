/* Puts into sentences what portolan why says of a special in a chunk. All functions append
 * lines that are safe to print. */
#pragma once

#include "core/bytes.h"
#include "portolan/portolan.h"

/* Appends as bytes_printf does, with what %s and %c print made visible. */
void words_put(bytes *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends what the special is and what it asks for. */
void why_wish(bytes *out, const ptl_special *s);
/* Appends that, and what became of it in the chunk; rule is the world's rule of placement. */
void why_words(bytes *out, const ptl_special *s, ptl_placement rule, ptl_chunk_pos pos,
               const ptl_why *w);
/* Appends which join of a mutable special was in the way, and a line's end: "join 'stem' at
 * 0,0,-1 from the root, 1 level below it, where the ground is 'rock'." w->join is not empty. */
void why_join(bytes *out, const ptl_why *w);
/* Appends only what became of it in the chunk, for further chunks. */
void why_chunk(bytes *out, const ptl_special *s, ptl_placement rule, ptl_chunk_pos pos,
               const ptl_why *w);
