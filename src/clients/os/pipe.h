/* Reading and writing of pipes without waiting longer than the caller wants. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What a descriptor of a pipe is ready for. */
enum {
    PIPE_IN = 1, /* there is something to read, or the end */
    PIPE_OUT = 2 /* a write of PIPE_STEP bytes does not wait */
};
enum { PIPE_STEP = 4096 };

/* Waits until there is something to read from `in`, or something may be written to `out`; -1
 * stands for no descriptor. Returns which of the two it is, as a set of PIPE_IN and PIPE_OUT.
 * The set is empty if `milliseconds` have passed or a signal has come. */
unsigned pipe_wait(int in, int out, int milliseconds);
/* Reads at most `size` bytes, as many as are there. Returns how many, 0 at the end, and -1 with
 * errno after an error. */
ptrdiff_t pipe_read(int in, void *to, size_t size);
/* Writes at most PIPE_STEP bytes. Returns how many, or -1 with errno. */
ptrdiff_t pipe_write(int out, const void *from, size_t size);
