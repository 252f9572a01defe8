/* A child process that is given a text, and whose output goes to files of ours. */
#ifndef CLIENTS_OS_CHILD_H
#define CLIENTS_OS_CHILD_H

#include "core/stop.h"

typedef struct child {
    long process;
    int ends[2]; /* of the pipe that it reads from; -1: closed */
} child;

/* Is a program of that name in one of the folders, as PATH lists them? NULL: in none. */
bool child_has_program(const char *folders, const char *name);

/* Makes the pipe; false with errno. child_start comes next. */
bool child_prepare(child *c);
/* Starts the program arguments[0], which is looked for in PATH; its output and errors go to the
 * two descriptors. The list ends with NULL. 0, or an errno; after it child_feed and child_wait.
 */
int child_start(child *c, char *const arguments[], int output, int errors);
/* Writes all of the text, unless the child stops reading or `stop` asks, and ends its input.
 * That a child has gone is found by child_wait. */
void child_feed(child *c, const void *text, size_t size, const stop_hook *stop);
/* Waits until the child ends. If `stop` asks, it is killed, as it need not get the signals that
 * we get. True: it ended by itself, with exit code 0. */
bool child_wait(child *c, const stop_hook *stop);

#endif
