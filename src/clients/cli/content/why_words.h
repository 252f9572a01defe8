/* What portolan why says of one special in one chunk, in sentences. */
#ifndef CLI_CONTENT_WHY_WORDS_H
#define CLI_CONTENT_WHY_WORDS_H

#include "core/bytes.h"
#include "portolan/portolan.h"

/* As bytes_printf, with what %s and %c print made visible. */
void words_put(bytes *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* They append lines that are safe to print. What the special is: */
void why_wish(bytes *out, const ptl_special *s);
/* That, and what became of it; rule is the world's. */
void why_words(bytes *out, const ptl_special *s, ptl_placement rule, ptl_chunk_pos pos,
               const ptl_why *w);
/* What became of it alone, for one more chunk. */
void why_chunk(bytes *out, const ptl_special *s, ptl_placement rule, ptl_chunk_pos pos,
               const ptl_why *w);

#endif
