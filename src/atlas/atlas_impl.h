/* What the formats share: which chunks, the file, and how far it is. */
#ifndef ATLAS_ATLAS_IMPL_H
#define ATLAS_ATLAS_IMPL_H

#include "core/bytes.h"
#include "model/catalogue.h"
#include "os/new_file.h"
#include "portolan/atlas.h"
#include "portolan/features.h"

typedef struct atlas {
    ptl_world *world;
    const catalogue *cat; /* the world's */
    const ptl_atlas_options *options;
    ptl_chunk_pos *chunks; /* owned; in order of y and x */
    size_t chunk_count, chunk_room;
    bool failed;    /* memory is out */
    new_file file;  /* the one at options->path */
    new_file aside; /* one that it needs beside it, if a format has opened it */
    file_id inputs; /* the world's file */
    bytes out;      /* what is still to be written to it */
    double started;
    ptl_progress progress;
    ptl_atlas_report report;
} atlas;

/* Writes what waits in a->out, once it is much; atlas_flush all of it. */
ptl_status atlas_drain(atlas *a, ptl_error *err);
ptl_status atlas_flush(atlas *a, ptl_error *err);

/* Opens a->aside as the file of the map was opened: under the path of options->path with
 * another ending (of a name without one: with it). It gets its name before the map does.
 * PTL_ERR_ARGUMENT: that is the map's own. */
ptl_status atlas_open_aside(atlas *a, const char *ending, ptl_error *err);

/* One more of progress.total is done; PTL_ERR_CANCELLED if it is to stop. */
ptl_status atlas_advance(atlas *a, ptl_error *err);

/* The formats: each writes a->file, which is open and empty. */
ptl_status atlas_geojson(atlas *a, ptl_error *err);
ptl_status atlas_mbtiles(atlas *a, ptl_error *err);
ptl_status atlas_pmtiles(atlas *a, ptl_error *err);
ptl_status atlas_tiled(atlas *a, ptl_error *err);

#endif
