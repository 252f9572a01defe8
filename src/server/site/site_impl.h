/* What the parts of a site's writer share. */
#ifndef SERVER_SITE_SITE_IMPL_H
#define SERVER_SITE_SITE_IMPL_H

#include "os/new_file.h"
#include "server/readers.h"
#include "server/site.h"

/* The zoom of PMTiles in which a tile is a chunk, at least; two less are 4 x 4 chunks, four
 * less 16 x 16. */
enum { SITE_ZOOM_MIN = 5, SITE_GATHERED = 4, SITE_GATHERED_FAR = 16 };

typedef struct site {
    const site_options *options;
    reader *from;
    ptl_world *world;      /* borrowed from it */
    const char *name;      /* the world's */
    ptl_chunk_pos *chunks; /* owned; as they lie in squares of 16 x 16, in those of 4 x 4 */
    size_t count, room;
    bool failed; /* memory is out */
    int zoom;    /* in which a tile is a chunk */
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
/* Writes data/level0.pmtiles, or of another level. */
ptl_status site_level(site *s, int32_t z, ptl_error *err);
/* Writes data/features.pmtiles. */
ptl_status site_features(site *s, ptl_error *err);

#endif
