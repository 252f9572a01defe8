/*
 * A world as a map for other programs: GeoJSON for geographic ones, a pyramid of PNG tiles as
 * MBTiles or PMTiles, and a map of Tiled. schema/exports.md says what each of them holds.
 */
#ifndef PORTOLAN_ATLAS_H
#define PORTOLAN_ATLAS_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ptl_atlas_format {
    PTL_ATLAS_GEOJSON, /* cities, specials, ways and rivers as lines, regions as polygons */
    PTL_ATLAS_MBTILES, /* a pyramid of PNG tiles in one SQLite file: MBTiles 1.3 */
    PTL_ATLAS_PMTILES, /* the same, to be read by ranges of its bytes: PMTiles 3 */
    PTL_ATLAS_TILED /* a map of Tiled (TMX): a layer for each level, symbols as its tileset */
} ptl_atlas_format;

typedef struct ptl_atlas_options {
    size_t size;
    const char *path; /* of the file; it appears under that name when it is complete */
    ptl_atlas_format format;
    bool force;             /* what is there is replaced, unless it is a database */
    bool has_rect;          /* only chunks of x0..x1, y0..y1, both ends included */
    int32_t x0, y0, x1, y1; /* chunks */
    bool has_levels;        /* only z_first..z_last, in that order; else all that it can hold */
    int32_t z_first, z_last; /* of a pyramid the same: it has one level, 0 unless given */
    int32_t scale; /* pixels per OMT of a pyramid's largest zoom: 1, 2, 4, 8 or 16, the
                    * last two with symbols; 0: 4 */
    /* Called now and then; false stops (PTL_ERR_CANCELLED), and no file is left. May be NULL.
     */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} ptl_atlas_options;

#define PTL_ATLAS_OPTIONS_INIT PTL_SIZED(ptl_atlas_options)

typedef struct ptl_atlas_report {
    size_t size;
    uint64_t chunks;   /* that are in the map */
    uint64_t features; /* of a GeoJSON */
    uint64_t tiles;    /* of a pyramid */
    uint64_t bytes;    /* written */
    double seconds;
} ptl_atlas_report;

#define PTL_ATLAS_REPORT_INIT PTL_SIZED(ptl_atlas_report)

/*
 * Writes saved chunks as a map, a few at a time, so that memory does not grow with the world
 * but for lists of its chunks and of a pyramid's tiles. Nothing is generated. Equal worlds and
 * options give equal files. report may be NULL.
 *
 * PTL_ERR_NOT_FOUND: no chunk is saved (there), or the file has no folder. PTL_ERR_EXISTS: the
 * path is taken, and force was not given. PTL_ERR_ARGUMENT: an option that is out of its range,
 * or a path that nothing may replace. PTL_ERR_UNSUPPORTED: a pyramid or a map of Tiled, of a
 * library without libpng.
 */
PTL_API ptl_status ptl_atlas_write(ptl_atlas_report *report, ptl_world *world,
                                   const ptl_atlas_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
