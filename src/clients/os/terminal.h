/* The standard streams, and the terminals that they may be. */
#ifndef CLIENTS_OS_TERMINAL_H
#define CLIENTS_OS_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Their descriptors. */
enum { STREAM_INPUT = 0, STREAM_OUTPUT = 1, STREAM_ERRORS = 2 };

bool terminal_is(int fd);
/* How large the terminal is, in cells; 0 each where that is not known, or there is none. */
void terminal_cells(int fd, int32_t *columns, int32_t *lines);

/* What is written to the stream from here on goes to fd; false with errno. */
bool stream_lead_to(int stream, int fd);

#endif
