/* portolan view: the map in the terminal. */
#pragma once

#include "portolan/portolan.h"

typedef struct viewer_options {
    const char *path, *world; /* world NULL: the only world of the file */
    ptl_omt at;               /* place of the cursor at the start */
    bool colours;             /* use colours if the terminal has them */
    bool write, shared, accept_content;
    const char *author; /* who makes edits and notes; NULL: "" */
    double seconds;     /* the viewer ends by itself after so many seconds; below 0: never */
    /* Name of this process. Other processes show it while they wait to write the file. */
    const char *program;
    bool (*should_stop)(void *payload);
    void *payload;
} viewer_options;

/*
 * Shows the map until the user ends it, and restores the terminal in any case.
 * PTL_ERR_CANCELLED: should_stop returned true, or the terminal is gone. PTL_ERR_ARGUMENT: the
 * terminal can't show the map. PTL_ERR_UNSUPPORTED: Portolan was built with PORTOLAN_VIEW=OFF.
 */
ptl_status viewer_run(const viewer_options *options, ptl_error *err);
