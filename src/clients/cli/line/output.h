/*
 * Standard output and standard error: nothing else of the command prints (tools/check_source
 * sees to that), so that nothing is printed that is not safe to print (core/visible.h).
 *
 * Every write to standard output is checked once, at the end: a full disk makes
 * the command fail, a pipe whose reader has gone stops it (stop.h).
 */
#ifndef CLI_LINE_OUTPUT_H
#define CLI_LINE_OUTPUT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Prints text of ours, whole lines too: newlines and tabs stay as they are. */
void out_text(const char *text);
/* Prints text of anyone's, as a part of a line. */
void out_visible(const char *text, size_t size);
/* As printf, with what %s and %c print made visible: see visible_vprintf. */
void out_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What is printed between the two by the functions above are sentences: where lines have an end
 * they are wrapped (prose.h). */
void out_prose_begin(size_t indent);
/* The same where lines are so wide. */
void out_prose_of(size_t width, size_t indent);
void out_prose_end(void);
/* Bytes as they are: pictures, and text that is safe already. */
void out_raw(const void *data, size_t size);

/* False after a failed write: long listings stop then. */
bool out_ok(void);

/* Whoever reads sees now what was written; false if that failed. */
bool out_flush(void);

/* Flushes; prints what failed. EXIT_DONE, or EXIT_FAILED. */
int out_finish(void);

/* Prints to standard error as out_printf does; sentences, on a terminal. A format that begins
 * with \r is drawn over the line that stands there. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
void vtell(const char *format, va_list list) __attribute__((format(printf, 1, 0)));

/* To standard error, text of several lines, with a newline at its end. */
void tell_lines(const char *text);

/* ---- how wide and high what they show is ---- */

typedef struct terminal_size {
    int32_t columns, lines;
} terminal_size;

/*
 * COLUMNS and LINES of the environment where they are whole numbers above 0, else what the
 * terminal says, else 80 x 24.
 */
terminal_size terminal_measure(void);

/* Columns of a line of what a file descriptor writes to: COLUMNS, else those of the terminal; 0
 * where there is neither, as in a pipe or a file: lines have no end there. At least 20. */
size_t terminal_columns(int fd);

/* ---- forms for other programs ---- */

/*
 * Prints one JSON string with its quotes. What is unsafe to print is \uXXXX, so that nothing is
 * lost; but bytes that are no UTF-8 become U+FFFD.
 */
void out_json_string(const char *text, size_t size);
void out_json_text(const char *text);
/* Prints a whole number; a string beyond 2^53 - 1, the last up to which all readers keep every
 * one. */
void out_json_int(int64_t value);
void out_json_uint(uint64_t value);

/*
 * One field of CSV (RFC 4180), quoted where it must be; an empty text is "". What is unsafe to
 * print is made visible; newlines and tabs stay. A text that a spreadsheet would run as a
 * formula (it begins with = + - @, a tab or a newline, and is no number) gets an apostrophe
 * before it.
 */
void out_csv_string(const char *text, size_t size);
void out_csv_text(const char *text);
void out_csv_comma(bool first); /* before each field but the first */
void out_csv_end(void);         /* of a row */

/* Prints text in XML, between tags or as an attribute's value. What is unsafe to print, and so
 * what XML has no place for, is made visible. */
void out_xml_text(const char *text);

/* The shortest decimal form that reads back as the same number. */
void format_double(double value, char out[32]);

/* Writes "512 B", "3.4 kB", "12.0 MB". */
void format_size(uint64_t size, char out[32]);

#endif
