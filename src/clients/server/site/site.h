/*
 * `portolan export --format site`: writes the page of `portolan serve`, with its data, as
 * files that any web server can deliver, or as one HTML file. schema/exports.md describes the
 * files.
 */
#pragma once

#include "portolan/generate.h"
#include "portolan/store.h"
#include "portolan/style.h"
#include "portolan/tileset.h"

/* The most local maps that are written for one world. */
enum { SITE_MAPS_MAX = 20000 };

/* What to write, and where. */
typedef struct site_options {
    const char *path;        /* path of the world file, which is only read */
    const char *world;       /* NULL: all worlds that have chunks in the rectangle */
    const char *out;         /* a folder, which is made if missing; if single: a file */
    bool single;             /* write everything into one HTML file */
    bool force;              /* replace files that exist already */
    const char *notices;     /* text of the licences of all software in the page */
    int32_t z_first, z_last; /* levels, both included */
    /* How the page shows the map, unless its reader chooses something else. */
    ptl_map_style style;
    /* Borrowed; the page can also draw with its pictures, which are written into the site.
     * NULL: none. */
    const ptl_tileset *tileset;
    bool has_rect; /* only chunks from within[0] to within[1], both included */
    ptl_chunk_pos within[2];
    /* Only local maps from omts[0] to omts[1], both included; their z does not matter. */
    bool has_omts;
    ptl_omt omts[2];
    bool (*should_stop)(void *payload); /* may be called from many threads; payload is NULL */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    /* Called for each damaged part of the file; the web site is written without that part. The
     * part is a local map, or the overview of a chunk (then `at` is the chunk's first OMT, with
     * z 0). */
    void (*on_damaged)(void *payload, const char *world, ptl_omt at, const char *what);
    void *payload; /* for on_progress and on_damaged */
} site_options;

/* What was written. */
typedef struct site_report {
    uint64_t worlds, chunks, files, bytes;
    uint64_t maps;     /* local maps that were written */
    uint64_t left_out; /* local maps that were not written because of SITE_MAPS_MAX */
    uint64_t damaged;  /* local maps and overviews that are damaged and so left out */
} site_report;

/*
 * Writes the web site. Each file gets its name only when it is complete, and index.html comes
 * last: a site that has an index.html is complete. After an error the files that were written
 * are removed, except those that replaced older files. PTL_ERR_EXISTS: a file exists, and force
 * was not given. PTL_ERR_LIMIT: a single file would be larger than browsers accept.
 * PTL_ERR_UNSUPPORTED: the program was built with PORTOLAN_SERVE=OFF.
 */
ptl_status site_write(const site_options *options, site_report *report, ptl_error *err);
