/* The state of a sweep: how precisely it knows each special's rate. */
#ifndef CLI_STATISTICS_SWEEP_REPORT_H
#define CLI_STATISTICS_SWEEP_REPORT_H

#include "clients/cli/session/session.h"
#include "portolan/stats.h"

typedef struct sweep_state {
    uint64_t overmaps;
    ptl_precision *precision; /* owned; its ids are borrowed from sample */
    ptl_sample *sample;       /* owned */
} sweep_state;

/* Adds up the sweep's counts. Returns EXIT_DONE, or EXIT_FAILED after a message. Dispose
 * *out in any case. */
int sweep_state_read(sweep_state *out, session *s, const char *name,
                     const ptl_precision_options *wish);
void sweep_state_dispose(sweep_state *state);

/* Prints one line with the least precise share and the least precise mean. */
void sweep_print_summary(const sweep_state *state, const ptl_precision_options *wish);
/* Prints the precision of each special. Returns EXIT_DONE or EXIT_FAILED. */
int sweep_print(const sweep_state *state, const char *name, const ptl_precision_options *wish,
                const rows_style *style);

#endif
