/* The standard streams, and the terminal that they may be connected to. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Descriptors of the standard streams. */
enum { STREAM_INPUT = 0, STREAM_OUTPUT = 1, STREAM_ERRORS = 2 };

/* Returns whether the descriptor is connected to a terminal. */
bool terminal_is(int fd);
/*
 * Gives the size of the terminal in characters; 0 and 0 if it is unknown or fd is no terminal.
 */
void terminal_cells(int fd, int32_t *columns, int32_t *lines);

/* Redirects a standard stream to fd: everything that is written to the stream afterwards goes
 * to fd. Returns false with errno set after an error. */
bool stream_lead_to(int stream, int fd);
