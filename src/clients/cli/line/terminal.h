/* How wide and high what standard output and standard error show is. */
#ifndef CLI_LINE_TERMINAL_H
#define CLI_LINE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
