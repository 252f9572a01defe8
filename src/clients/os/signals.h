/*
 * The signals that ask a process to stop (SIGINT, SIGTERM and SIGHUP), and SIGPIPE, which by
 * default would end the process in the middle of its work. A signal that was ignored when the
 * process started stays ignored.
 */
#pragma once

#include <stdbool.h>

/* The number of signals that ask to stop. */
enum { SIGNALS_STOPPING = 3 };

/* How the signals were handled when the process started. */
typedef struct signals_before {
    bool heard[SIGNALS_STOPPING]; /* the signal was not ignored, so this process handles it */
    bool pipe_kills;              /* SIGPIPE was not ignored: by default it ends the process */
} signals_before;

/* A function that is called within a signal handler: it may only set a lock-free atomic
 * flag. */
typedef void signals_handler(int number);

/*
 * Sets the handler for the signals that ask to stop: the first signal of each kind calls it,
 * the second one ends the process. After this call, writing to a pipe that nobody reads fails
 * with EPIPE. *out gets the earlier handling of the signals.
 */
void signals_catch(signals_before *out, signals_handler *handler);
/* Sets another handler for the signals that were not ignored when the process started. With
 * NULL these signals end the process again. */
void signals_hand_to(const signals_before *before, signals_handler *handler);

/*
 * Ends the process in the way SIGPIPE does, for a program whose output nobody reads to the end.
 */
void signals_die_of_pipe(void);
