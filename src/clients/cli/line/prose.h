/*
 * Sentences for people, wrapped at blanks if lines have a limited width (terminal.h). A line
 * that begins with a blank is not wrapped: it is a command for the user to copy.
 */
#ifndef CLI_LINE_PROSE_H
#define CLI_LINE_PROSE_H

#include "core/visible.h"

#include <stdbool.h>

enum { PROSE_WORD_MAX = 500 };

/* Zero it before use, except for width and indent. */
typedef struct prose {
    size_t width; /* 0: lines are not wrapped */
    size_t indent;
    size_t column; /* columns already printed in this line */
    size_t blanks; /* blanks to print before the word */
    bool as_it_is; /* this line began with a blank, so it is not wrapped */
    size_t size;   /* bytes of `word`, which is not printed yet */
    char word[PROSE_WORD_MAX];
} prose;

/* Adds text, which may begin or end in the middle of a word. */
void prose_put(prose *p, visible_sink sink, void *payload, const char *text, size_t size);
/* Prints the last word, which waits for its end. */
void prose_flush(prose *p, visible_sink sink, void *payload);

#endif
