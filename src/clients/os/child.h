/* A child process that reads a text from this process and writes its output to files. */
#pragma once

#include "core/stop.h"

/* A child process. child_start, child_feed and child_wait must be called in this order. */
typedef struct child {
    long process;
    /* This process's end of the pipe to the child's standard input; -1: the child did not
     * start. */
    int input;
} child;

/* Returns whether a program of this name is in one of the folders of a list like PATH. NULL
 * counts as an empty list. */
bool child_has_program(const char *folders, const char *name);

/*
 * Starts the program arguments[0], which is searched in PATH. Its standard output and error go
 * to the given descriptors. arguments ends with NULL. Returns 0 or an errno. After 0,
 * child_feed and then child_wait must follow.
 */
int child_start(child *c, char *const arguments[], int output, int errors);
/* Writes the text to the child's input and then closes the input. It returns early if the child
 * stops reading or `stop` asks to stop; child_wait then tells whether the child failed. */
void child_feed(child *c, const void *text, size_t size, const stop_hook *stop);
/* Waits until the child has ended. If `stop` asks to stop, the child is killed, because signals
 * to this process do not reach it. Returns true if the child ended by itself with exit code
 * 0. */
bool child_wait(child *c, const stop_hook *stop);
