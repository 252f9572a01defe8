/* What a search asks for: words, all of which a name must have, and words that it must not. */
#ifndef LOOKUP_WISH_H
#define LOOKUP_WISH_H

#include <stdbool.h>
#include <stddef.h>

enum { WISH_SIZE = 200, WISH_WORDS = 16 };

typedef struct wish {
    char text[WISH_SIZE]; /* in small letters, the words ended */
    struct {
        const char *word;
        bool excluded; /* it had a dash before it */
    } words[WISH_WORDS];
    size_t count;
} wish;

/* Reads "bank -river": words with blanks between them. False: too long, too many, or none that
 * is wanted. */
bool wish_parse(wish *out, const char *text);
/* Has the id or the name all that is wanted, and neither of them what is not? ASCII letters
 * are the same in either case. */
bool wish_takes(const wish *w, const char *id, const char *name);

#endif
