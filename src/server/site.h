/*
 * `portolan export --format site`: the page of `portolan serve` over files that any web server
 * can give out, or as one HTML file. schema/exports.md says what lies in them.
 */
#ifndef SERVER_SITE_H
#define SERVER_SITE_H

#include "portolan/generate.h"
#include "portolan/store.h"

typedef struct site_options {
    const char *path;        /* of the world file, which is read and never written */
    const char *world;       /* NULL: the only one */
    const char *out;         /* a folder, made if it is missing; with single a file */
    bool single;             /* all in one HTML file */
    bool force;              /* files that are there are replaced */
    const char *notices;     /* of what the page is made of */
    int32_t z_first, z_last; /* levels, both included */
    bool has_rect;           /* only chunks from within[0] to within[1], both included */
    ptl_chunk_pos within[2];
    bool (*should_stop)(void *payload); /* asked from many threads, with NULL */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload; /* of on_progress */
} site_options;

typedef struct site_report {
    uint64_t chunks, files, bytes;
} site_report;

/*
 * Writes each file under another name first, index.html last: a site that has one is complete.
 * After an error what was written is taken away again, but for what has replaced something.
 * PTL_ERR_EXISTS: a file is there, and force was not given. PTL_ERR_LIMIT: a single file would
 * be larger than browsers take. PTL_ERR_UNSUPPORTED: built without (PORTOLAN_SERVE=OFF).
 */
ptl_status site_write(const site_options *options, site_report *report, ptl_error *err);

#endif
