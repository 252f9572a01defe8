/*
 * What the server answers under /data/: one function for each path. schema/serve.md describes
 * all of them. Each function reads the values of the request, writes the body of the reply,
 * and returns the status that the library gave; an error becomes the reply.
 */
#pragma once

#include "clients/server/readers.h"
#include "clients/server/reply.h"
#include "clients/server/target.h"

/* A request, as it is passed to the functions that answer requests. */
typedef struct asked {
    const target *values;
    reader *from;
    /* Values of the request. asked_read sets those that the path needs (answer_path.asks and
     * answer_path.text); the others stay unset. */
    const char *text; /* borrowed from `values` */
    ptl_chunk_pos chunk;
    ptl_omt omt;
    ptl_chunk_pos corners[2]; /* two chunks: the north-west corner and the south-east corner */
    int32_t z;
    ptl_world *world;  /* borrowed; stays open while the request is answered */
    bool may_query;    /* the request may run SQL */
    bool may_write;    /* the request may change the file: generate, edit, write notes */
    const char *shown; /* the world that a page shows first; NULL: any */
    /* Folder of the game's save that the shown world was read from; NULL: no save. */
    const char *save;
    const ptl_tileset *tileset; /* borrowed; to draw the map with; NULL: none */
    /* State of `serve --watch`, which shows content while its author edits it; NULL: no
     * --watch.
     */
    watched *watched;
    /* True: the answer goes into a file of a web site (`export --format site`), not to a
     * browser. The features of a chunk are then written as lists without names, and the pieces
     * of mutable specials on the levels z_first to z_last are added. */
    bool for_site;
    int32_t z_first, z_last;
    /* Only chunks, cities and overviews in the rectangle from the chunk within[0] to the chunk
     * within[1] are written into the answer; both ends are included. NULL: all are. */
    const ptl_chunk_pos *within;
    /* Names of the worlds that are listed, ending with NULL; other worlds are left out. If
     * `names` itself is NULL, all worlds are listed. */
    const char *const *names;
} asked;

/* Answers one request: writes the body into out. An error becomes the reply (reply_error). */
typedef ptl_status answer_function(const asked *q, reply *out, ptl_error *err);

answer_function answer_worlds, answer_chunks, answer_omts, answer_palette, answer_features,
    answer_cities, answer_omt, answer_why, answer_search, answer_sql, answer_overview,
    answer_local, answer_locals, answer_looks, answer_generate, answer_make_local,
    answer_specials, answer_heat, answer_stats, answer_explored, answer_seen, answer_watch,
    answer_differences, answer_states, answer_kinds, answer_gathered, answer_colours,
    answer_picture, answer_names, answer_tiles, answer_edits, answer_edit, answer_notes,
    answer_place, answer_set, answer_undo, answer_set_note;
/* Writes the kind, x, y and z of each event that has a place. No request calls this function;
 * the writer of web sites (`export --format site`) does. */
answer_function answer_events;

/* The numbers and the world that a request for a path must name: bits of answer_path.asks. */
enum {
    ASKS_CHUNK = 1,   /* the numbers x and y, of a chunk */
    ASKS_OMT = 2,     /* the numbers x, y and z, of an OMT */
    ASKS_CORNERS = 4, /* the numbers west, north, east and south, of a rectangle of chunks */
    ASKS_Z = 8,
    /* The world that the request names is opened, or without a name the file's only world. */
    ASKS_WORLD = 16
};

/* A row of the table of paths: the function that answers requests for one path, and what a
 * request for that path must name. */
typedef struct answer_path {
    const char *path;
    answer_function *answer;
    reader_use use;   /* READ_TO_WRITE: the request must use POST */
    unsigned asks;    /* a sum of ASKS_... */
    const char *text; /* name of a text value that must be given; NULL: none */
    bool is_kept; /* browsers may keep the answer and ask later whether it has changed: it gets
                     an ETag (reply_tag) */
} answer_path;

/* Returns the row for a path, or NULL if there is no such path. */
const answer_path *answer_find(const char *path);

/* Reads into q all values that the path needs, and opens the world if the path needs one.
 * PTL_ERR_ARGUMENT: a value is missing or outside of its limits. */
ptl_status asked_read(asked *q, const answer_path *path, ptl_error *err);
/* Reads the whole number called name, which must be given. PTL_ERR_ARGUMENT: it is missing, no
 * number, or outside of lo..hi. */
ptl_status asked_int(const asked *q, const char *name, int64_t lo, int64_t hi, int64_t *out,
                     ptl_error *err);

/* ---- functions that several answers share ---- */

/* Gives the style that the request names by its value `style`: paper, dark or terminal; paper
 * if it names none. PTL_ERR_ARGUMENT: it names another. */
ptl_status asked_style(const asked *q, ptl_map_style *out, ptl_error *err);
/* Reads the turn of the game whose tide is shown. *tide is false if the request names none. */
ptl_status asked_turn(const asked *q, bool *tide, int64_t *turn, ptl_error *err);

/*
 * A square of n x n chunks is shown by 180 x 180 cells, each of which has the oter of one OMT.
 * This function sets the cells that show OMTs of one chunk; `level` has the oters of that
 * chunk. The chunk is the x-th to the east and the y-th to the south in the square, counted
 * from 0. The cell (i, j) shows the OMT (i n + n / 2, j n + n / 2), counted from the square's
 * north-western corner.
 */
void gather_samples(ptl_oter cells[PTL_LEVEL_CELLS], const ptl_oter level[PTL_LEVEL_CELLS],
                    int32_t n, int32_t x, int32_t y);

/* Returns whether the chunk is in the rectangle between the corners within[0] and within[1].
 * within NULL: true for each chunk. */
bool answer_is_within(const ptl_chunk_pos *within, ptl_chunk_pos at);
/* Returns options for listing chunks: those of the rectangle from the chunk within[0] to the
 * chunk within[1]. If within is NULL, all chunks are listed. */
ptl_chunk_list_options answer_chunks_within(const ptl_chunk_pos *within);
/* A block of n x n OMTs that is drawn with a tile set, `scale` pixels an OMT. local: by its
 * local maps, and with `tide` at that of the turn. */
typedef struct tile_block {
    int64_t n, scale, turn;
    ptl_map_style style;
    bool local, tide;
    /* The local maps to show, NULL where there is none, with the margin's: row by row,
     * (n + 2 TILE_MARGIN) in a row. NULL: the world's. */
    const ptl_local_map *const *maps;
} tile_block;
/* OMTs around a block that are drawn, too: sprites reach over the block's sides, and walls
 * connect there. */
enum { TILE_MARGIN = 1 };
/* Draws the block that begins with the OMT q->omt, with the tile set q->tileset and a margin,
 * as a PNG. PTL_ERR_ARGUMENT: there is no tile set, or the picture is too large. */
ptl_status answer_draw_tiles(const asked *q, const tile_block *block, reply *out,
                             ptl_error *err);
/* Appends a local map, as JSON, with all that lies in it. Returns false when memory is out. */
bool answer_put_local(bytes *out, const ptl_local_map *map);
