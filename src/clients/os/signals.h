/*
 * The signals that ask a process to stop: SIGINT, SIGTERM and SIGHUP. What was ignored when the
 * process began stays ignored. And SIGPIPE, which would end it in the middle of its work.
 */
#ifndef CLIENTS_OS_SIGNALS_H
#define CLIENTS_OS_SIGNALS_H

#include <stdbool.h>

enum { SIGNALS_STOPPING = 3 };

/* How they were before. */
typedef struct signals_before {
    bool heard[SIGNALS_STOPPING]; /* those that were not ignored: they are ours */
    bool pipe_kills;              /* SIGPIPE was not ignored */
} signals_before;

/* Runs in the handler of a signal: it may set a lock-free atomic flag, and no more. */
typedef void signals_handler(int number);

/* From here on the first signal of each kind calls the handler, the second ends the process;
 * and to write to a pipe that nobody reads fails with EPIPE. */
void signals_catch(signals_before *out, signals_handler *handler);
/* The handler for those that are ours; NULL: they end the process, as if we knew none. */
void signals_hand_to(const signals_before *before, signals_handler *handler);

/* Ends the process as one that wrote to a pipe that nobody reads. */
void signals_die_of_pipe(void);

#endif
