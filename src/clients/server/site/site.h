/*
 * `portolan export --format site`: the page of `portolan serve` over files that any web server
 * can give out, or as one HTML file. schema/exports.md says what lies in them.
 */
#ifndef SERVER_SITE_SITE_H
#define SERVER_SITE_SITE_H

#include "portolan/generate.h"
#include "portolan/store.h"

/* Local maps of a world that are written at most. */
enum { SITE_MAPS_MAX = 20000 };

typedef struct site_options {
    const char *path;        /* of the world file, which is read and never written */
    const char *world;       /* NULL: all that have chunks there */
    const char *out;         /* a folder, made if it is missing; with single a file */
    bool single;             /* all in one HTML file */
    bool force;              /* files that are there are replaced */
    const char *notices;     /* of what the page is made of */
    int32_t z_first, z_last; /* levels, both included */
    bool has_rect;           /* only chunks from within[0] to within[1], both included */
    ptl_chunk_pos within[2];
    bool has_omts; /* only local maps from omts[0] to omts[1], both included; their z is not
                      used */
    ptl_omt omts[2];
    bool (*should_stop)(void *payload); /* asked from many threads, with NULL */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    /* What is damaged, and so left out of a site that is written all the same: a local map, or
     * (with z 0, at its first tile) a chunk as it is seen from far away. */
    void (*on_damaged)(void *payload, const char *world, ptl_omt at, const char *what);
    void *payload; /* of on_progress and on_damaged */
} site_options;

typedef struct site_report {
    uint64_t worlds, chunks, files, bytes;
    uint64_t maps;     /* local ones that were written */
    uint64_t left_out; /* stored there, beyond SITE_MAPS_MAX of a world */
    uint64_t damaged;  /* maps and overviews that are not in it */
} site_report;

/*
 * Writes each file under another name first, index.html last: a site that has one is complete.
 * After an error what was written is taken away again, but for what has replaced something.
 * PTL_ERR_EXISTS: a file is there, and force was not given. PTL_ERR_LIMIT: a single file would
 * be larger than browsers take. PTL_ERR_UNSUPPORTED: built without (PORTOLAN_SERVE=OFF).
 */
ptl_status site_write(const site_options *options, site_report *report, ptl_error *err);

#endif
