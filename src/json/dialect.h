/*
 * What the readers of the games take beyond strict JSON, made strict in place. The text keeps
 * its length, so that lines and columns of all else stay what they are. schema/tables.md,
 * "JSON that the games read", has the table of what is taken and what is not.
 */
#ifndef JSON_DIALECT_H
#define JSON_DIALECT_H

#include <stddef.h>

typedef enum json_odd {
    JSON_ODD_COMMENT,
    JSON_ODD_SIGN,        /* + before a number */
    JSON_ODD_ZERO,        /* a leading zero */
    JSON_ODD_POINT,       /* a number that begins or ends with its decimal point */
    JSON_ODD_HEXADECIMAL, /* 0x1f */
    JSON_ODD_QUOTES,      /* a string in single quotes */
    JSON_ODD_ESCAPE,      /* \' or \x41 in a string */
    JSON_ODD_BEHIND,      /* text behind the first value */
    JSON_ODDS
} json_odd;

/* Each function gets a place in a text that ends with a NUL. What can't be made strict stays as
 * it is: the strict reader then says what is wrong with it. */

/* Returns the size of a byte order mark before the text, which is no part of it. */
size_t dialect_mark(const char *text, size_t size);
/* Blanks all but the ends of lines. */
void dialect_blank(char *from, const char *to);
/* Blanks a comment, // up to the end of its line or one of slashes and stars; returns what
 * follows it, or NULL: there is none, or it has no end. */
char *dialect_comment(char *at);
/* Writes a number strictly; returns where it begins, a byte earlier only if room is needed and
 * blank is there (at > text); NULL: it is no number. */
char *dialect_number(char *at, const char *text, json_odd *odd);
/* Writes a string strictly, with blanks behind. NULL: it is none. */
char *dialect_string(char *at, json_odd *odd);

#endif
