/* The words of a search: a name must contain all the wanted words, and none of the excluded
 * words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { WISH_SIZE = 200, WISH_WORDS = 16 };

typedef struct wish {
    char text[WISH_SIZE]; /* the words in lower case, each ended with a NUL */
    struct {
        const char *word;
        bool excluded; /* the word was written with a dash before it */
    } words[WISH_WORDS];
    size_t count;
} wish;

/* Parses words with blanks between them; "bank -river" wants "bank" and excludes "river".
 * Returns false if the text is too long, has too many words, or has no wanted word. */
bool wish_parse(wish *out, const char *text);
/* Returns true if each wanted word is contained in the id or in the name, and no excluded word
 * in either of them. ASCII letters match without regard to case. */
bool wish_takes(const wish *w, const char *id, const char *name);
