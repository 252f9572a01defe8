/*
 * Stopping the command. SIGINT, SIGTERM and SIGHUP set a flag, for which all long work asks.
 * The flag is also set if standard output loses its reader. The functions that show progress
 * are declared here because they ask for the flag, too.
 */
#pragma once

#include "clients/cli/line/options.h"
#include "portolan/generate.h"

/* Begins to catch signals. The first signal asks the command to stop, a second one ends the
 * process. Signals that were ignored when the process began stay ignored. `cmd` has the message
 * that is printed when the command stops. */
void stop_on_signals(const command *cmd);
/* Suspends (true) or resumes (false) the catching of signals. While it is suspended, a signal
 * ends the process at once. It is suspended during prompts, when the command has done nothing
 * that it must complete. */
void stop_suspend(bool on);
/* Asks the command to stop, because a write to standard output has failed with EPIPE. */
void stop_on_broken_pipe(void);

/* Returns whether the command was asked to stop. Threads may call it. */
bool stop_wanted(void);
/* Serves as should_stop of ptl_open_options. Safe in threads. */
bool stop_asked_for(void *payload);
/* While `on` is set, stop_asked_for returns false, so that a stopped command can run the few
 * statements that leave the file in order. But a wait for another process is still ended by a
 * signal. */
void stop_unheard(bool on);

/*
 * Print "portolan NAME: stopped; WHAT" to standard error, at most once in a process. WHAT says
 * what is kept and how to go on; stop_tell takes it from the command's row. Nothing is printed
 * if the command stops because of a broken pipe. Return EXIT_FAILED.
 */
int stop_tell(void);
int stop_tell_how(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Is a broken pipe the reason to stop? Then no message is printed. */
bool stop_is_silent(void);
/* Ends the process by SIGPIPE if a broken pipe stopped it, as is usual for commands in a pipe.
 * Called last, when all is cleaned up. Returns if there was another reason or none. */
void stop_end(void);

/* ---- progress, on standard error ---- */

typedef struct progress {
    bool quiet;
    bool terminal; /* standard error is a terminal, so the line of progress is drawn again and
                      again; false: each time a new line is printed */
    double begun;  /* clock time in seconds */
    double next_line; /* seconds after `begun` at which the next line is due */
    double patience;  /* seconds during which progress_count prints nothing at first */
    double pause;     /* seconds between two redraws of the line of progress on a terminal */
    /* Width of the line of progress as it stands on the terminal; a shorter line must clear the
     * rest of it. */
    size_t drawn;
    const char *noun; /* what is counted, in the plural */
} progress;

/* Sets up `p` to count chunks. */
void progress_init(progress *p, bool quiet);
/* Starts the clock anew for a step of the work; `noun` says what the step counts, for example
 * "chunks". */
void progress_begin(progress *p, const char *noun);
/* Serves as ptl_generate_options.on_progress; payload is a progress. Returns false if the
 * command is to stop. */
bool progress_show(void *payload, const ptl_progress *now);
/* Prints progress, as a callback for calls that do not say how much time has passed: it
 * measures the time since progress_begin. `payload` is a progress. Returns false if the command
 * is to stop. */
bool progress_count(void *payload, uint64_t done, uint64_t total);
/* Is it time to print a line? `seconds` is the time since progress_begin. */
bool progress_is_due(const progress *p, double seconds);
/* Prints a line of progress; on a terminal over the previous line and without a newline. */
void progress_line(progress *p, double seconds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Clears the line on a terminal. Prints nothing elsewhere. */
void progress_end(progress *p);
