/*
 * Standard output. Every write is checked once, at the end: a full disk or a closed pipe makes
 * the command fail. Messages go to stderr by plain fprintf.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void out_text(const char *text);
void out_write(const void *data, size_t size);
void out_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* False after a failed write: long listings stop then. */
bool out_ok(void);

/* Flushes; prints what failed. EXIT_DONE, or EXIT_FAILED. */
int out_finish(void);

/* One JSON string with its quotes; bytes that are no UTF-8 become U+FFFD. */
void out_json_string(const char *text, size_t size);
void out_json_text(const char *text);

/* The shortest decimal form that reads back as the same number. */
void format_double(double value, char out[32]);

/* "512 B", "3.4 kB", "12.0 MB". */
void format_size(uint64_t bytes, char out[32]);

#endif
