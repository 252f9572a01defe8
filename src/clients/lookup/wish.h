/* The words of a search: a name must contain all the wanted words, and none of
 * the excluded ones. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { WISH_SIZE = 200, WISH_WORDS = 16 };

typedef struct wish {
    char text[WISH_SIZE]; /* the words in small letters, each ended with a NUL */
    struct {
        const char *word;
        bool excluded; /* it was written with a dash before it */
    } words[WISH_WORDS];
    size_t count;
} wish;

/* Parses words with blanks between them; "bank -river" wants "bank" and excludes "river".
 * Returns false if the text is too long, has too many words, or has no wanted word. */
bool wish_parse(wish *out, const char *text);
/* Returns true if each wanted word is in the id or in the name, and no excluded word is in
 * either of them. ASCII letters match without regard to case. */
bool wish_takes(const wish *w, const char *id, const char *name);
