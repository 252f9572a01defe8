/*
 * Standard output and standard error. Only these functions print (tools/check_source checks
 * that), and they make text safe to print (core/visible.h).
 *
 * Writes to standard output are checked once, at the end. A full disk makes the command fail;
 * a pipe whose reader has gone stops the command (stop.h).
 */
#pragma once

#include "core/visible.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Prints Portolan's own text. Newlines and tabs stay as they are. */
void out_text(const char *text);
/* Prints text of any origin, such as a file, as part of a line: newlines in it become
 * visible. */
void out_visible(const char *text, size_t size);
/* Prints as printf does, but escapes special characters in the texts that %s and %c print
 * (visible_vprintf). */
void out_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints as out_printf does, and begins a line of sentences: if lines have a limited width, the
 * whole line is wrapped at blanks, including what is added to it by later calls of out_text,
 * out_visible and out_printf. */
void out_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Text that is printed between out_prose_begin and out_prose_end is wrapped as sentences
 * (struct prose), if lines have a limited width. Lines after the first begin with `indent`
 * blanks. */
void out_prose_begin(size_t indent);
/* Begins to wrap text into lines of `width` columns. The lines after the first begin with
 * `indent` blanks. */
void out_prose_of(size_t width, size_t indent);
void out_prose_end(void);
/* Prints bytes unchanged: pictures, and text that is already safe. */
void out_raw(const void *data, size_t size);

/* Returns false after a failed write, so that long listings can end early. */
bool out_ok(void);

/* Flushes standard output, so that a reader sees the output now. Returns false
 * if a write failed. */
bool out_flush(void);

/* Flushes standard output at the end of the command, and prints why a write failed, if one
 * did. Returns EXIT_DONE or EXIT_FAILED. */
int out_finish(void);

/* Prints to standard error as out_printf does; on a terminal the text is wrapped. A format
 * that begins with \r overwrites the current line. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
void vtell(const char *format, va_list list) __attribute__((format(printf, 1, 0)));

/* Prints a text of several lines to standard error, and a newline if it does not end with
 * one. */
void tell_lines(const char *text);

/* ---- the size of the terminal ---- */

typedef struct terminal_size {
    int32_t columns, lines;
} terminal_size;

/*
 * Returns the terminal's size: COLUMNS and LINES of the environment if they are positive whole
 * numbers, else what the terminal says, else 80 x 24.
 */
terminal_size terminal_measure(void);

/* Returns the width of lines written to a file descriptor: the environment variable COLUMNS,
 * else the terminal's width, but at least 20. Returns 0 if there is neither, as for a pipe or a
 * file: then lines have no limit. */
size_t terminal_columns(int fd);

/* ---- forms for other programs ---- */

/*
 * Print one JSON string with its quotes. Characters that are unsafe to print become \uXXXX, so
 * nothing is lost. Bytes that are not UTF-8 become U+FFFD.
 */
void out_json_string(const char *text, size_t size);
void out_json_text(const char *text);
/* Print a whole number. A number beyond +-(2^53 - 1) is printed as a string, because many JSON
 * readers keep numbers as doubles and would round it. */
void out_json_int(int64_t value);
void out_json_uint(uint64_t value);

/*
 * Print one field of CSV (RFC 4180), quoted if necessary; an empty text is "". Characters that
 * are unsafe to print are escaped, but newlines and tabs stay. An apostrophe is put before a
 * text that a spreadsheet would run as a formula: one that begins with = + - @, a tab or a
 * newline and is not a number.
 */
void out_csv_string(const char *text, size_t size);
void out_csv_text(const char *text);

/* Prints text for XML, between tags or in an attribute. Characters that are unsafe to print
 * are made visible, among them all that XML does not allow. */
void out_xml_text(const char *text);

/* Writes the shortest decimal form that reads back as the same number. A whole number keeps
 * a decimal point. */
void format_double(double value, char out[32]);

/* Writes a size in bytes with its unit: "512 B", "3.4 kB", "12.0 MB". */
void format_size(uint64_t size, char out[32]);

enum { PROSE_WORD_MAX = 500 };

/* The state of wrapping text at blanks. All members but width and indent must be 0 at the
 * start. */
typedef struct prose {
    size_t width; /* 0: lines are not wrapped */
    size_t indent;
    size_t column; /* columns of the present line that have been printed */
    size_t blanks; /* blanks to print before `word` */
    bool as_it_is; /* the present line began with a blank, so it is printed without wrapping */
    size_t size;   /* bytes of `word`, which is not printed yet */
    char word[PROSE_WORD_MAX];
} prose;

/* Adds text, which may begin or end in the middle of a word. */
void prose_put(prose *p, visible_sink sink, void *payload, const char *text, size_t size);
/* Prints the last word, which prose_put holds back because more of the word could follow. */
void prose_flush(prose *p, visible_sink sink, void *payload);
