/*
 * Rows of worlds, chunks, levels, features, edges and events: reading and writing them. The
 * store knows bytes and numbers; it does not know what a river is.
 */
#ifndef STORE_SQLITE_ROWS_ROWS_H
#define STORE_SQLITE_ROWS_ROWS_H

#include "codec/chunk_codec.h"
#include "codec/feature_codec.h"
#include "core/digest.h"
#include "model/chunk.h"
#include "model/edge.h"
#include "store/sqlite/connection/stmt.h"

/* ---- worlds ---- */
typedef struct world_row {
    int64_t id;
    char *name;   /* owned */
    char *region; /* owned */
    uint64_t seed;
    int32_t city_size, city_spacing, specials_spacing;
    double specials_density;
    ptl_placement placement;
    bool railroads, subways, compat, scale_unique;
    int32_t unique_radius;
    int32_t generator_version;
    int64_t content_id; /* the content that the world was made with */
} world_row;

void world_row_dispose(world_row *row);
/* name NULL: the only world of the file. PTL_ERR_NOT_FOUND with a message that lists names. */
ptl_status world_row_find(world_row *out, ptl_store *store, const char *name, ptl_error *err);
/* Inside a transaction of the caller's. PTL_ERR_EXISTS if the name is taken. */
ptl_status world_row_insert(ptl_store *store, const world_row *row, ptl_error *err);
/* The world goes over to another generator and content. Inside a transaction of the caller's.
 */
ptl_status world_row_renew(ptl_store *store, int64_t world_id, int32_t generator_version,
                           int64_t content_id, ptl_error *err);

/* ---- chunks ---- */
typedef struct chunk_info {
    int64_t id;
    ptl_chunk_pos pos;
    uint32_t level_mask; /* bit z + 10: level z has a row; the others hold the default oter */
    int32_t generator_version;
    int64_t content_id;
    char last_step[32]; /* "" if all steps ran; else the last step that did */
    digest tiles;       /* canonical digest of the tiles */
    digest features;    /* canonical digest of cities, radios, placements and groups */
    bool imported;      /* from a game's save; else generated */
} chunk_info;

/* *found false if there is no such chunk. The row's checksum is verified. */
ptl_status chunk_info_find(chunk_info *out, bool *found, ptl_store *store, int64_t world_id,
                           ptl_chunk_pos pos, ptl_error *err);

/* What a generating thread hands to the writer. */
typedef struct chunk_write {
    encoded_chunk encoded; /* borrowed: the caller disposes it */
    int32_t generator_version;
    int64_t content_id;
    const char *last_step; /* borrowed; NULL: all steps ran */
    bool imported;         /* from a game's save: its edges are foreign, see below */
    bool replace; /* a generated chunk that is there goes; an imported one stays all the same */
    bool *changed; /* may be NULL: whether what went had other digests; false if nothing went */
    const encoded_features *features; /* borrowed; NULL: none (chunk_write_row encodes that) */
    edge *edges[4]; /* borrowed: the chunk's N, E, S, W edges, written where missing */
    const struct event_row *events;
    size_t event_count;
} chunk_write;

/* Something that a step could not do, or did otherwise than asked. */
typedef struct event_row {
    const char *step, *kind; /* borrowed; kind e.g. "unreached", "lake_link_failed" */
    int32_t x, y, z;         /* chunk-local OMTs; -1, -1 where none applies */
    const char *detail;      /* borrowed; may be "" */
} event_row;

/*
 * Writes chunk, levels, features, edges and events; inside a transaction of the caller's. If a
 * complete chunk is there already (another process was first, or it was imported), nothing is
 * written and *written is false; a shorter one (last_step) is replaced, as is any generated one
 * if that is asked for. A replaced chunk keeps its id. cat gives id strings
 * for the encoded palettes. PTL_ERR_MISMATCH if a saved edge differs from the one given; edges
 * of an imported chunk that are foreign replace saved ones as edge_row_write_foreign does
 * (edge_rows.h), which refuses where a generated chunk lies on the other side.
 */
ptl_status chunk_write_row(ptl_store *store, int64_t world_id, int64_t run_id,
                           const chunk_write *w, const struct catalogue *cat, bool *written,
                           ptl_error *err);

/* The same under a given id, in the place of all rows that have it: for repair. w has features.
 */
ptl_status chunk_row_put(ptl_store *store, int64_t world_id, int64_t run_id, int64_t id,
                         const chunk_write *w, const struct catalogue *cat, ptl_error *err);

/*
 * Reads and decodes a chunk; every checksum is verified. cat maps the file's oter numbers to
 * its own; an id that the catalogue does not know gives PTL_ERR_MISMATCH.
 * *out is NULL and the status PTL_OK if there is no such chunk.
 */
ptl_status chunk_read(ptl_chunk **out, ptl_store *store, int64_t world_id, ptl_chunk_pos pos,
                      const struct catalogue *cat, chunk_info *info, ptl_error *err);
/*
 * What the chunk holds beside its tiles; out is emptied first, and all its texts become its
 * own. *found false if there is no such chunk. PTL_ERR_MISMATCH names a building that the
 * catalogue does not know. Inside one read transaction with chunk_read, if both are to show
 * the same chunk while others write.
 */
ptl_status chunk_features_read(gen_features *out, bool *found, ptl_store *store,
                               int64_t world_id, ptl_chunk_pos pos, const struct catalogue *cat,
                               ptl_error *err);
/*
 * The same for who only reads: a special or building that the catalogue does not know is
 * CAT_NONE, and so are pieces and joins of it; it has no attempts.
 */
ptl_status chunk_features_read_all(gen_features *out, bool *found, ptl_store *store,
                                   int64_t world_id, ptl_chunk_pos pos,
                                   const struct catalogue *cat, ptl_error *err);
/*
 * Removes a chunk with its levels, features and events; its edges stay. Inside a transaction
 * of the caller's. What was generated comes back the same when it is asked for, unless an
 * edge of it was made foreign meanwhile.
 */
ptl_status chunk_row_delete(bool *found, ptl_store *store, int64_t world_id, ptl_chunk_pos pos,
                            ptl_error *err);
/* One level into cells. *found false if there is no such chunk. */
ptl_status level_read(ptl_oter cells[PTL_LEVEL_CELLS], bool *found, ptl_store *store,
                      int64_t world_id, ptl_chunk_pos pos, int32_t z,
                      const struct catalogue *cat, ptl_error *err);

/* ---- edges ---- */
/*
 * *found false if the edge is not saved yet. crossing kinds are borrowed from the store. A
 * foreign edge's border cells become oters of cat (PTL_ERR_MISMATCH if it lacks one); with
 * cat NULL they are left out.
 */
ptl_status edge_row_find(edge *out, bool *found, ptl_store *store, int64_t world_id, int32_t x,
                         int32_t y, edge_side side, const struct catalogue *cat,
                         ptl_error *err);

/* ---- runs ---- */
ptl_status run_row_begin(int64_t *run_id, ptl_store *store, int64_t world_id,
                         const char *command, ptl_error *err);
/* How many chunks name the run: reads them all. After a commit that failed, since that may have
 * been in the file by then. */
ptl_status run_row_count(uint64_t *chunks, ptl_store *store, int64_t run_id, ptl_error *err);
/* outcome: "done", "cancelled", "failed". */
ptl_status run_row_end(ptl_store *store, int64_t run_id, uint64_t chunks, double seconds,
                       const char *outcome, ptl_error *err);

#endif
