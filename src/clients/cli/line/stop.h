/*
 * Stopping the command: SIGINT, SIGTERM and SIGHUP set a flag that all that works asks for, and
 * so does a reader of standard output that has gone.
 */
#ifndef CLI_LINE_STOP_H
#define CLI_LINE_STOP_H

#include "clients/cli/line/options.h"

/* From here on the first signal only sets the flag; the second ends the process. What was
 * ignored when the process began stays ignored. */
void stop_on_signals(void);
/* While the command waits for what somebody types, and has done nothing yet, a signal ends the
 * process as if we knew none. */
void stop_suspend(bool on);
/* Standard output has no reader any more. */
void stop_on_broken_pipe(void);

bool stop_wanted(void);
/* The same for should_stop of ptl_open_options; safe in threads. */
bool stop_asked_for(void *payload);
/* Is called with true, then false: in between stop_asked_for says no, for the few statements
 * with which a command that was stopped puts things in order. Waiting for other processes still
 * ends. */
void stop_unheard(bool on);

/* Says which command runs, and so what it says when it is stopped. */
void stop_command(const command *cmd);
/*
 * Prints "portolan NAME: stopped; WHAT", once in a run, to stderr: what stays and how to go on,
 * by default as the command's row says. Nothing where a broken pipe is the reason. EXIT_FAILED.
 */
int stop_tell(void);
int stop_tell_how(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The reason is a broken pipe, and nobody is to be told. */
bool stop_is_silent(void);
/* The end of the process: if a broken pipe stopped it, it dies by SIGPIPE as others do, now
 * that it has cleaned up. */
void stop_end(void);

#endif
