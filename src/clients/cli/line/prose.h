/*
 * Sentences for the eye, wrapped at blanks where lines have an end (terminal.h). A line that
 * begins with a blank stays as it is: commands to be copied stand in such lines.
 */
#ifndef CLI_LINE_PROSE_H
#define CLI_LINE_PROSE_H

#include "core/visible.h"

#include <stdbool.h>

enum { PROSE_WORD_MAX = 500 };

/* Zero it, but for width and indent. */
typedef struct prose {
    size_t width; /* 0: lines have no end */
    size_t indent;
    size_t column; /* where the cursor is */
    size_t blanks; /* between what is printed and the word */
    bool as_it_is; /* this line began with a blank */
    size_t size;   /* of the word that is not printed yet */
    char word[PROSE_WORD_MAX];
} prose;

/* Puts more text; it goes on where the last one ended, also in the middle of a word. */
void prose_put(prose *p, visible_sink sink, void *payload, const char *text, size_t size);
/* Prints the word that is not printed yet. */
void prose_flush(prose *p, visible_sink sink, void *payload);

#endif
