/* What a sweep has come to: how well each special's rate is known by it. */
#ifndef CLI_STATISTICS_SWEEP_REPORT_H
#define CLI_STATISTICS_SWEEP_REPORT_H

#include "clients/cli/session/session.h"
#include "portolan/stats.h"

typedef struct sweep_state {
    uint64_t overmaps;
    ptl_precision *precision; /* owned; ids are the sample's */
    ptl_sample *sample;       /* owned */
} sweep_state;

/* Adds up the sweep. EXIT_DONE, or EXIT_FAILED with a message. Dispose it always. */
int sweep_state_read(sweep_state *out, session *s, const char *name,
                     const ptl_precision_options *wish);
void sweep_state_dispose(sweep_state *state);

/* Prints one line: the least precise of shares and of means. */
void sweep_print_summary(const sweep_state *state, const ptl_precision_options *wish);
/* Prints each special's precision. EXIT_DONE or EXIT_FAILED. */
int sweep_print(const sweep_state *state, const char *name, const ptl_precision_options *wish,
                const rows_style *style);

#endif
