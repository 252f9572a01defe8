/*
 * The signals that ask a process to stop: SIGINT, SIGTERM and SIGHUP. Those that were ignored
 * when the process started stay ignored. Also SIGPIPE, which would end the process in the
 * middle of its work.
 */
#pragma once

#include <stdbool.h>

/* The number of signals that ask to stop. */
enum { SIGNALS_STOPPING = 3 };

/* How signals were handled when the process started. */
typedef struct signals_before {
    bool heard[SIGNALS_STOPPING]; /* the signal was not ignored, so it is handled here */
    bool pipe_kills;              /* SIGPIPE was not ignored */
} signals_before;

/* Called within a signal handler: it may only set a lock-free atomic flag. */
typedef void signals_handler(int number);

/*
 * Sets the handler: the first signal of each kind calls it, the second one ends the process.
 * From here on, writing to a pipe that nobody reads fails with EPIPE. *out keeps how it was
 * before.
 */
void signals_catch(signals_before *out, signals_handler *handler);
/* Sets another handler for the signals that were not ignored; NULL: they end the process
 * again. */
void signals_hand_to(const signals_before *before, signals_handler *handler);

/*
 * Ends the process in the way SIGPIPE does, for a program whose output nobody reads any more.
 */
void signals_die_of_pipe(void);
