/*
 * Writes a world as a map for other programs: GeoJSON and GeoPackage for geographic information
 * systems, a pyramid of PNG images as MBTiles or PMTiles for web maps, and a map for the editor
 * Tiled. schema/exports.md says what each format holds.
 */
#ifndef PORTOLAN_ATLAS_H
#define PORTOLAN_ATLAS_H

#include "portolan/generate.h"
#include "portolan/style.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ptl_atlas_format {
    PTL_ATLAS_GEOJSON, /* GeoJSON: points for cities and specials; lines for rivers, roads and
                        * all other connections; polygons for areas of one terrain */
    PTL_ATLAS_MBTILES, /* PNG images of the map at several zooms, in one SQLite file: MBTiles
                        * 1.3 */
    PTL_ATLAS_PMTILES, /* PNG images of the map at several zooms, in one file that web maps read
                        * by byte ranges: PMTiles 3 */
    PTL_ATLAS_TILED,   /* a map for Tiled (TMX): one layer for each level; the map's tileset has
                        * the symbols of the terrains */
    /* GeoPackage 1.3: the features of GeoJSON as layers of one SQLite file, in metres, 24 an
     * OMT. */
    PTL_ATLAS_GPKG
} ptl_atlas_format;

typedef struct ptl_atlas_options {
    size_t size;
    const char *path; /* path of the file to write; the file appears there only when it is
                       * complete */
    ptl_atlas_format format;
    bool force;              /* true: replace an existing file at path, unless it is a
                              * database */
    bool has_rect;           /* true: write only the chunks x0..x1, y0..y1 (both ends
                              * included); false: write all saved chunks */
    int32_t x0, y0, x1, y1;  /* if has_rect: coordinates of the chunks at the north-western and
                              * south-eastern corner of the rectangle to write */
    bool has_levels;         /* true: write only the levels z_first..z_last, in that order;
                              * false: write all levels that the format can hold */
    int32_t z_first, z_last; /* first and last level to write; 0 if has_levels is false. MBTiles
                              * and PMTiles show a single level: for them both numbers must be
                              * equal */
    int32_t scale; /* for MBTiles and PMTiles: pixels per OMT at the largest zoom, 1, 2, 4, 8 or
                    * 16; 0 means 4. With 8 and 16, the terrains' symbols are drawn */
    /* Called now and then. Returning false stops the call with PTL_ERR_CANCELLED, and no file
     * is left. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    ptl_map_style style; /* for MBTiles and PMTiles: how the images are drawn, as in pictures
                          * (portolan/render.h); for GeoJSON and GeoPackage: whose colours the
                          * features have */
} ptl_atlas_options;

#define PTL_ATLAS_OPTIONS_INIT PTL_SIZED(ptl_atlas_options)

typedef struct ptl_atlas_report {
    size_t size;
    uint64_t chunks;   /* chunks that the map shows */
    uint64_t features; /* features that were written, if the format is GeoJSON or GeoPackage */
    uint64_t tiles;    /* images that were written, if the format is MBTiles or PMTiles */
    uint64_t bytes;    /* size of the written file, in bytes */
    double seconds;
} ptl_atlas_report;

#define PTL_ATLAS_REPORT_INIT PTL_SIZED(ptl_atlas_report)

/*
 * Writes the saved chunks of a world as a map; nothing is generated. Only a few chunks are in
 * memory at a time: the memory for a larger world grows only by its list of chunks and, for
 * MBTiles and PMTiles, the list of images. Equal worlds and options give equal files. report
 * may be NULL.
 *
 * PTL_ERR_NOT_FOUND: no chunk is saved, or none in the rectangle, or the folder of the path
 * does not exist. PTL_ERR_EXISTS: there is a file at the path and force is false.
 * PTL_ERR_ARGUMENT: an option is out of its range, or the file at the path may never be
 * replaced. PTL_ERR_UNSUPPORTED: the format is MBTiles, PMTiles or that of Tiled, and the
 * library was built without libpng.
 */
PTL_API ptl_status ptl_atlas_write(ptl_atlas_report *report, ptl_world *world,
                                   const ptl_atlas_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
