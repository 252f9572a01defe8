/* The command mapgen: what its files share. */
#pragma once

#include "clients/cli/checks/findings.h"
#include "portolan/mapgen.h"
#include "portolan/render.h"

enum { MAPGEN_TIMES_MAX = 400 };

typedef struct mapgen_job {
    session *s;
    content content;
    /* What is to be drawn; the texts in it are words of the command line. */
    ptl_mapgen_options options;
    const char **parameters, **neighbours; /* owned */
    int64_t times;
    uint64_t seed;
    int64_t tile[2]; /* the tile that --explain names */
    bool colours;
    ptl_mapgen *mapgen; /* owned */
} mapgen_job;

/* Checks every mapgen entry, palette or chunk that has the id of the command line. `open` opens
 * the content and the world. Returns an exit code. */
int mapgen_check(mapgen_job *job, int (*open)(mapgen_job *job));
/* Draws again whenever the content was saved, until a signal comes. `draw` opens the content
 * and the world, draws, and closes them. Returns the exit code of the last drawing. */
int mapgen_watch(mapgen_job *job, int (*draw)(mapgen_job *job));
/* Draws the sheet: a picture, or text. Returns an exit code. */
int mapgen_sheet(mapgen_job *job);
