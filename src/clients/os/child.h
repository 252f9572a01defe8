/* A child process that reads a text from this process and writes its output to files. */
#pragma once

#include "core/stop.h"

/* A child process. Calls go in this order: child_start, child_feed, child_wait. */
typedef struct child {
    long process;
    int input; /* this process's end of the pipe to its standard input; -1: it did not start */
} child;

/* Is there a program of that name in one of the folders of a list like PATH? NULL is an empty
 * list. */
bool child_has_program(const char *folders, const char *name);

/*
 * Starts the program arguments[0], which is searched in PATH. Its standard output and error go
 * to the given descriptors. arguments ends with NULL. Returns 0 or an errno. After 0,
 * child_feed and then child_wait must follow.
 */
int child_start(child *c, char *const arguments[], int output, int errors);
/* Writes the text to the child's input and then closes that. It ends early if the child stops
 * reading or `stop` asks to stop; why a child has stopped reading is found by child_wait. */
void child_feed(child *c, const void *text, size_t size, const stop_hook *stop);
/* Waits until the child has ended. If `stop` asks to stop, the child is killed, because
 * signals to this process do not reach it. True: it ended by itself, with exit code 0. */
bool child_wait(child *c, const stop_hook *stop);
