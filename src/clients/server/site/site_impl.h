/* What the source files of the writer of web sites (`export --format site`) share. */
#pragma once

#include "clients/server/readers.h"
#include "clients/server/site/site.h"
#include "core/bytes.h"
#include "os/new_file.h"

/* SITE_ZOOM_MIN is the lowest zoom at which a map tile shows one chunk. At lower zooms a map
 * tile shows more: 4 x 4 chunks if the zoom is lower by two, 16 x 16 if it is lower by four. */
enum { SITE_ZOOM_MIN = 5, SITE_NAME = 64 };

/* One world of the web site. */
typedef struct site_world {
    char name[104];
    /* The beginning of the names of the world's files: "" for the first world, then w1-, w2-,
     * ... */
    char prefix[24];
    ptl_chunk_pos *chunks; /* owned; ordered by squares of 16 x 16 chunks, within these by
                              squares of 4 x 4 */
    size_t count, room;
    int32_t west, north, east, south; /* the rectangle of the chunks, both ends included */
    int zoom;                         /* the zoom at which a map tile is one chunk */
    /* Owned; the places of local maps, sorted by level, then by blocks of 8 x 8 OMTs. */
    ptl_omt *maps;
    size_t map_count, map_room, maps_damaged;
} site_world;

/* The state of the writer of a web site. */
typedef struct site {
    const site_options *options;
    const ptl_chunk_pos *within; /* a rectangle of chunks, from options; NULL: all chunks */
    reader *from;
    site_world *worlds; /* owned */
    size_t world_count;
    site_world *now;  /* the world that is being written, an element of `worlds` */
    ptl_world *world; /* the world of `now`, opened; borrowed from the reader */
    bool failed;      /* memory is out */
    double started;
    ptl_progress progress;
    site_report report;
    /* The next members say into which folder and files the web site is written. */
    file_id input;            /* identity of the world file, so that it is not overwritten */
    bool has_input;           /* whether the world file's identity could be read into `input` */
    new_file file;            /* the file that is being written, or the single file */
    bool made_out, made_data; /* this export has made the output folder, or its subfolder
                               * data */
    bytes written; /* names of new files, each ended by a NUL; site_undo removes them */
    /* For a site in one HTML file: contents of the data file that is being written. */
    bytes held;
    /* For a site in one HTML file: names and contents of all other files, as JSON. */
    bytes page;
} site;

/* ---- files ---- */

/* Begins a file of the web site. name may contain one folder, which is made if missing. */
ptl_status site_file_begin(site *s, const char *name, ptl_error *err);
/* Appends to the file that was begun. payload is a struct site. */
ptl_status site_file_put(void *payload, const void *data, size_t size, ptl_error *err);
/* Ends the file and gives it its name. If head is not NULL, its bytes replace the file's first
 * bytes. */
ptl_status site_file_end(site *s, const char *name, const bytes *head, ptl_error *err);
/* Packs `plain` by gzip, and writes it as a file in data/ whose name is prefix, name and
 * ".packed". Disposes of `plain`. */
ptl_status site_packed(site *s, const char *prefix, const char *name, bytes *plain,
                       ptl_error *err);

/* Writes a whole file of the web site. */
ptl_status site_file(site *s, const char *name, const void *data, size_t size, ptl_error *err);
/* Writes preview.png, a picture of the current world. *made is false if none could be drawn. */
ptl_status site_preview(bool *made, site *s, ptl_error *err);

/* ---- data ---- */

/* Counts one step of progress.total as done. PTL_ERR_CANCELLED: options.should_stop has
 * returned true. */
ptl_status site_advance(site *s, ptl_error *err);
/* Counts and reports a damaged part of the current world, which is left out. */
void site_damaged(site *s, ptl_omt at, const char *what);
/* How many pictures of a tile set a level of a chunk has (SITE_PICTURES). */
enum { SITE_CHUNK_PICTURES = 3 * 3 + 6 * 6 };
/* What a file of map tiles holds: the terrain of level z (data/levelZ.pmtiles), the features of
 * all chunks (data/features.pmtiles), the local maps of level z (data/localZ.pmtiles),
 * pictures of the level z, drawn with a tile set (data/tilesZ.pmtiles), the same of its local
 * maps (data/local-tilesZ.pmtiles), or the mean colours of the level z in a style
 * (data/STYLEZ.pmtiles). For the terrain there is a second file, the model with which its map
 * tiles are packed. */
typedef enum site_tiles {
    SITE_TERRAINS,
    SITE_FEATURES,
    SITE_LOCAL_MAPS,
    SITE_PICTURES,
    SITE_LOCAL_PICTURES,
    SITE_COLOURS /* in the first style of means_styles; the others follow */
} site_tiles;

/* Writes a file of map tiles of the current world. */
ptl_status site_tiles_write(site *s, site_tiles what, int32_t z, ptl_error *err);
/* Lists the local maps of the current world that are to be written. */
ptl_status site_maps_list(site *s, ptl_error *err);
