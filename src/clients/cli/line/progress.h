/* Progress on stderr. */
#ifndef CLI_LINE_PROGRESS_H
#define CLI_LINE_PROGRESS_H

#include "clients/cli/line/stop.h"
#include "portolan/generate.h"

typedef struct progress {
    bool quiet;
    bool terminal;    /* one line, drawn over; else a line now and then */
    double next_line; /* seconds: when the next line is due */
    size_t drawn;     /* columns of the line on the terminal */
    const char *noun; /* what is counted; progress_init says "chunks" */
} progress;

void progress_init(progress *p, bool quiet);
/* Serves as ptl_generate_options.on_progress; payload is a progress. False once it is to
 * stop. */
bool progress_show(void *payload, const ptl_progress *now);
/* Clears the terminal's line. */
void progress_end(progress *p);

#endif
