/* The terminal that standard output is, if it is one. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct terminal_size {
    int32_t columns, lines;
} terminal_size;

/*
 * COLUMNS and LINES of the environment where they are whole numbers above 0, else what the
 * terminal says, else 80 x 24.
 */
terminal_size terminal_measure(void);

#endif
