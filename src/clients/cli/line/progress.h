/* Progress on standard error. The functions also ask whether the command is to stop. */
#ifndef CLI_LINE_PROGRESS_H
#define CLI_LINE_PROGRESS_H

#include "clients/cli/line/stop.h"
#include "portolan/generate.h"

typedef struct progress {
    bool quiet;
    bool terminal;    /* one line is redrawn; else new lines are printed */
    double begun;     /* clock time in seconds */
    double next_line; /* seconds after `begun` at which the next line is due */
    double patience;  /* progress_count shows nothing before so many seconds */
    double pause;     /* seconds between two redraws on a terminal */
    size_t drawn;     /* columns of the line on the terminal, which a shorter one must clear */
    const char *noun; /* what is counted, in the plural */
} progress;

/* Sets up p, with "chunks" as the noun. */
void progress_init(progress *p, bool quiet);
/* Starts the clock anew for a step that counts `noun`. */
void progress_begin(progress *p, const char *noun);
/* Serves as ptl_generate_options.on_progress; payload is a progress. Returns false if the
 * command is to stop. */
bool progress_show(void *payload, const ptl_progress *now);
/* Does the same for callbacks that do not tell the time: it measures the time
 * since progress_begin. */
bool progress_count(void *payload, uint64_t done, uint64_t total);
/* Is a line due, so many seconds after the begin? */
bool progress_is_due(const progress *p, double seconds);
/* Prints the line; on a terminal over the previous one and without a newline. */
void progress_line(progress *p, double seconds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Clears the line on a terminal. Prints nothing elsewhere. */
void progress_end(progress *p);

#endif
