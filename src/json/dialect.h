/*
 * The games' readers accept additions to JSON, which this code replaces by strict JSON in the
 * buffer of the text. The text keeps its length, so that lines and columns of everything else
 * stay the same. schema/tables.md, "JSON that the games read", lists what is accepted.
 */
#pragma once

#include <stddef.h>

typedef enum json_odd {
    JSON_ODD_COMMENT,
    JSON_ODD_SIGN,        /* a number that begins with + */
    JSON_ODD_ZERO,        /* a number that begins with a needless zero */
    JSON_ODD_POINT,       /* a number that begins or ends with its decimal point */
    JSON_ODD_HEXADECIMAL, /* a hexadecimal number such as 0x1f */
    JSON_ODD_QUOTES,      /* a string in single quotes */
    JSON_ODD_ESCAPE,      /* an escape that only the games know: \' or \x41 */
    JSON_ODD_BEHIND,      /* text behind the value, which the games ignore */
    JSON_ODDS
} json_odd;

/* Each function below gets a place in a text that ends with a NUL. A token that can't be made
 * strict is left as it is: the strict reader then reports it. */

/* Returns the size of a byte order mark at the beginning of the text, 0 if there is none. */
size_t dialect_mark(const char *text, size_t size);
/* Overwrites the text from `from` to just before `to` with blanks; ends of lines stay. */
void dialect_blank(char *from, const char *to);
/* Blanks a comment: // up to the end of its line, or one of slashes and stars. Returns the
 * place behind it; NULL if no comment begins at `at`, or it has no end. */
char *dialect_comment(char *at);
/* Rewrites a number of lenient JSON in its place as a number of strict JSON. Returns where the
 * number begins now: at `at`, or one byte before it if the strict form is one byte longer and a
 * blank stands there (never before `text`). NULL if no number begins at `at`. */
char *dialect_number(char *at, const char *text, json_odd *odd);
/* Rewrites a string of lenient JSON in its place as a string of strict JSON. If that is
 * shorter, blanks follow it. NULL if there is no string at `at`, or if its strict form would be
 * longer. */
char *dialect_string(char *at, json_odd *odd);
