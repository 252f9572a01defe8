/* What all formats of maps share: which chunks are exported, the file, and the progress. */
#pragma once

#include "core/bytes.h"
#include "model/catalogue.h"
#include "os/new_file.h"
#include "portolan/atlas.h"
#include "portolan/features.h"

enum { ATLAS_HALF = 1 << 20 };

/* Stands for the time of the last change, so that equal worlds give equal files. */
#define ATLAS_NO_TIME "1970-01-01T00:00:00.000Z"

/* A map while it is written. */
typedef struct atlas {
    ptl_world *world;
    const catalogue *cat; /* the world's catalogue */
    const ptl_atlas_options *options;
    ptl_chunk_pos *chunks; /* owned; ordered by y, then x */
    size_t chunk_count, chunk_room;
    int32_t west, north, east, south; /* the rectangle around the chunks, in chunks */
    /* Half of the side of the map of the earth, in OMTs: ATLAS_HALF, or the least power of two
     * that reaches all chunks. */
    int64_t half;
    bool failed;    /* memory is out */
    new_file file;  /* the map itself, for options->path */
    new_file aside; /* a second file beside the map, if the format needs one */
    file_id inputs; /* identity of the file that has the world, so that the export does not
                     * overwrite it */
    bytes out;      /* bytes that are not yet written to `file` */
    double started;
    ptl_progress progress;
    ptl_atlas_report report;
} atlas;

/* Write a->out to the file: atlas_drain only if there are many bytes in it, atlas_flush
 * always. */
ptl_status atlas_drain(atlas *a, ptl_error *err);
ptl_status atlas_flush(atlas *a, ptl_error *err);

/* Opens a->aside, a second file beside the map. Its path is options->path with another ending.
 * The file gets its name before the map does. PTL_ERR_ARGUMENT if its path would be the map's
 * own path. */
ptl_status atlas_open_aside(atlas *a, const char *ending, ptl_error *err);

/* Counts one more of the progress.total steps as done. PTL_ERR_CANCELLED if the caller of
 * ptl_atlas_write wants to stop. */
ptl_status atlas_advance(atlas *a, ptl_error *err);

/* Return the degrees of a place, given in OMTs from the north-western corner of the OMT (0, 0),
 * on the map of the earth in the projection of web maps (EPSG:3857). */
double atlas_longitude(const atlas *a, double x);
double atlas_latitude(const atlas *a, double y);

/* Sets our error record to the last error of SQLite. db is NULL if memory was out. */
struct sqlite3;
ptl_status atlas_sql_failed(const atlas *a, struct sqlite3 *db, ptl_error *err);
/* Reports the size of a file that SQLite has written. */
ptl_status atlas_measure(atlas *a, ptl_error *err);

/* Each of these functions writes a map of one format to a->file, which is open and empty. */
ptl_status atlas_geojson(atlas *a, ptl_error *err);
ptl_status atlas_gpkg(atlas *a, ptl_error *err);
/* Writes all formats that are made of pictures. */
ptl_status atlas_pictures(atlas *a, ptl_error *err);
ptl_status atlas_tiled(atlas *a, ptl_error *err);
