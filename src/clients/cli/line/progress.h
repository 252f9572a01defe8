/* Progress on stderr. */
#ifndef CLI_LINE_PROGRESS_H
#define CLI_LINE_PROGRESS_H

#include "clients/cli/line/stop.h"
#include "portolan/generate.h"

typedef struct progress {
    bool quiet;
    bool terminal;    /* one line, drawn over; else a line now and then */
    double begun;     /* of the clock, in seconds */
    double next_line; /* seconds since then: when the next line is due */
    double patience;  /* of progress_count: nothing is shown before so many seconds */
    double pause;     /* on a terminal: seconds between two lines */
    size_t drawn;     /* columns of the line on the terminal */
    const char *noun; /* what is counted */
} progress;

void progress_init(progress *p, bool quiet);
/* Work begins whose end is not known or of which "noun" is counted: the time runs anew. */
void progress_begin(progress *p, const char *noun);
/* Serves as ptl_generate_options.on_progress; payload is a progress. False once it is to
 * stop. */
bool progress_show(void *payload, const ptl_progress *now);
/* The same for calls that tell no time: it is that since progress_begin. */
bool progress_count(void *payload, uint64_t done, uint64_t total);
/* Is a line due after so many seconds? */
bool progress_is_due(const progress *p, double seconds);
/* Draws the line, which has no newline at its end. */
void progress_line(progress *p, double seconds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Clears the terminal's line. */
void progress_end(progress *p);

#endif
