/* The map in the terminal: portolan view. */
#ifndef CLI_VIEW_VIEWER_H
#define CLI_VIEW_VIEWER_H

#include "portolan/portolan.h"

typedef struct viewer_options {
    const char *path, *world; /* world NULL: the only one */
    ptl_omt at;               /* where the cursor is first */
    bool colours;             /* where the terminal has some */
    bool write, shared, accept_content;
    double seconds;      /* it ends by itself after so many; below 0: never */
    const char *program; /* what other writers are told */
    bool (*should_stop)(void *payload);
    void *payload;
} viewer_options;

/*
 * Shows the map until its user has seen enough; the terminal is as it was then, whatever is
 * returned. PTL_ERR_CANCELLED: should_stop said so, or the terminal is gone. PTL_ERR_ARGUMENT:
 * the terminal can't show it. PTL_ERR_UNSUPPORTED: it was left out (PORTOLAN_VIEW=OFF).
 */
ptl_status viewer_run(const viewer_options *options, ptl_error *err);

#endif
