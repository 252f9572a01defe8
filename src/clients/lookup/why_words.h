/* Puts into sentences what `portolan why` and the page of `serve` say of a special. All
 * functions append lines that are safe to print. */
#pragma once

#include "core/bytes.h"
#include "portolan/portolan.h"

/* Appends a formatted text as bytes_printf does. Special characters in the texts that %s and %c
 * print are escaped. */
void words_put(bytes *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends the definition of the special: its kind and size, how many of it an overmap gets, and
 * how near to cities it must lie. */
void why_wish(bytes *out, const ptl_special *s);
/* Appends the definition of the special, as why_wish does, and then what became of the special
 * in the chunk. rule is the world's rule of placement. */
void why_words(bytes *out, const ptl_special *s, ptl_placement rule, ptl_chunk_pos pos,
               const ptl_why *w);
/* Appends a line that says which join of a mutable special could not be continued: "join 'stem'
 * at 0,0,-1 from the root, 1 level below it, where the ground is 'rock'." `w->join` must not be
 * empty. */
void why_join(bytes *out, const ptl_why *w);
/* Appends what the tests say of the special with its origin at an OMT of the chunk. */
void why_place(bytes *out, const ptl_special *s, ptl_omt at, const ptl_why *w,
               const ptl_why_place *p);
/* Appends only what became of the special in the chunk. It is called for the second chunk and
 * later ones, whose text would otherwise repeat the definition. */
void why_chunk(bytes *out, const ptl_special *s, ptl_placement rule, ptl_chunk_pos pos,
               const ptl_why *w);
