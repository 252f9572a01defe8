/* What the parts of a site's writer share. */
#ifndef SERVER_SITE_SITE_IMPL_H
#define SERVER_SITE_SITE_IMPL_H

#include "clients/server/readers.h"
#include "clients/server/site/site.h"
#include "core/bytes.h"
#include "os/new_file.h"

/* The zoom of PMTiles in which a tile is a chunk, at least; two less are 4 x 4 chunks, four
 * less 16 x 16. */
enum { SITE_ZOOM_MIN = 5, SITE_GATHERED = 4, SITE_GATHERED_FAR = 16, SITE_NAME = 64 };

/* A world that is written. */
typedef struct site_world {
    char name[104];
    char prefix[24];       /* of its files' names: "" of the first, then w1-, w2-, ... */
    ptl_chunk_pos *chunks; /* owned; as they lie in squares of 16 x 16, in those of 4 x 4 */
    size_t count, room;
    int zoom;      /* in which a tile is a chunk */
    ptl_omt *maps; /* owned; local ones, level by level, by blocks of 8 x 8 OMTs */
    size_t map_count, map_room, maps_damaged;
} site_world;

typedef struct site {
    const site_options *options;
    reader *from;
    site_world *worlds; /* owned */
    size_t world_count;
    site_world *now;  /* that is written */
    ptl_world *world; /* the same, borrowed from the reader */
    bool failed;      /* memory is out */
    double started;
    ptl_progress progress;
    site_report report;
    /* Where files go. */
    file_id input;            /* the world's file */
    bool has_input;           /* it is known */
    new_file file;            /* in work, of a folder; or the single one */
    bool made_out, made_data; /* the folder, and data in it, were not there */
    bytes written;            /* names of files that were not there, each with a NUL */
    bytes held;               /* in work, of a single file */
    bytes page;               /* of a single file: names and contents of the others, as JSON */
} site;

/* ---- files ---- */

/* Makes the folder, if it is to be one, or opens the single file. */
ptl_status site_begin(site *s, ptl_error *err);
/* Prints the name of a file of the world's data: data/, the prefix, name and end. */
void site_name(const site *s, char out[SITE_NAME], const char *name, const char *end);
/* Begins a file of the site; name has at most one folder, which is made. */
ptl_status site_file_begin(site *s, const char *name, ptl_error *err);
/* Appends to it; payload is the site. */
ptl_status site_file_put(void *payload, const void *data, size_t size, ptl_error *err);
/* Ends it; head, unless NULL, is written over its first bytes. */
ptl_status site_file_end(site *s, const char *name, const bytes *head, ptl_error *err);
/* All of that for a text. */
ptl_status site_file(site *s, const char *name, const void *data, size_t size, ptl_error *err);
/* The same for what is packed by gzip. */
ptl_status site_packed(site *s, const char *name, const bytes *plain, ptl_error *err);
/* Takes away what was written where nothing was. */
void site_undo(site *s);
/* Writes the page: as files, index.html last, or with all others in one. */
ptl_status site_page(site *s, ptl_error *err);

/* ---- data ---- */

/* One more of progress.total is done; PTL_ERR_CANCELLED if it is to stop. */
ptl_status site_advance(site *s, ptl_error *err);
/* Counts and tells what is left out of the world that is written. */
void site_damaged(site *s, ptl_omt at, const char *what);
/* Writes data/level0.pmtiles, or of another level. */
ptl_status site_level(site *s, int32_t z, ptl_error *err);
/* Writes data/features.pmtiles. */
ptl_status site_features(site *s, ptl_error *err);
/* Lists the local maps of the world that are to be written. */
ptl_status site_maps_list(site *s, ptl_error *err);
/* Writes data/local0.pmtiles and of each other level that has some; false in *any: of none. */
ptl_status site_maps(site *s, ptl_error *err);

#endif
