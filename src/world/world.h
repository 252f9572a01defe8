/* Inside the library: an open world. */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include "core/error.h"
#include "gen/pipeline.h"
#include "model/catalogue.h"
#include "portolan/generate.h"
#include "store/store.h"

struct world_mapgen; /* local.h */

struct ptl_world {
    ptl_store *store; /* borrowed */
    world_row row;
    catalogue *cat;        /* the world's content, or the current one: see ptl_world_open */
    catalogue *cat_before; /* owned: the one before the world went over; names of it are lent */
    int64_t current_content; /* the file's, when it was opened */
    ptl_world_options options;
    bool accept_content;
    gen_config *config; /* made when something is generated first */
    generator *gen;
    codec *codec;
    int64_t run_id; /* of the chunks that ptl_chunk_get made; 0: none yet */
    uint64_t run_chunks;
    bool run_uncertain; /* a commit of it failed: run_chunks may be too small */
    double run_started;
    struct world_mapgen *mapgen; /* owned; NULL: no local map was made yet */
    void (*mapgen_free)(struct world_mapgen *mapgen); /* of world/local; set with it */
    codec *local_codec;                               /* owned; NULL: none was stored yet */
};

/* Ends a transaction in which this has come of the work: commits it, or takes it back. */
ptl_status world_end_writing(ptl_store *store, ptl_status status, ptl_error *err);

/* Checks the ranges of settings; PTL_ERR_ARGUMENT names the one that is out of its range. */
ptl_status world_options_check(const ptl_world_options *options, ptl_error *err);
/* Checks a name; `what` is how the message calls the thing: "world". */
ptl_status world_name_check(const char *what, const char *name, ptl_error *err);
/* Makes a row with these settings for the present generator; its strings are borrowed from the
 * arguments: it is not to be disposed. */
world_row world_row_of(const char *name, const ptl_world_options *from, int64_t content_id);
/* Returns the settings of a row; region is borrowed from it. */
ptl_world_options world_row_options(const world_row *from);

/* Sets up world->config, gen and codec for chunks that are saved; PTL_ERR_MISMATCH if the
 * file's content is not the world's and the caller did not accept that. */
ptl_status world_prepare(ptl_world *world, ptl_error *err);
/* The same for chunks that are made again to look at: with the content that the world was
 * opened with, if that is the world's own, or, for the chunk at *pos if that is saved, the
 * chunk's. */
ptl_status world_prepare_again(ptl_world *world, const ptl_chunk_pos *pos, ptl_error *err);

/* PTL_ERR_ARGUMENT where there can be no chunk. */
ptl_status world_check_position(ptl_chunk_pos pos, ptl_error *err);

/* Gives the chunk's edges N, E, S, W: saved ones, else planned. Dispose each, also after an
 * error. */
ptl_status world_edges(ptl_world *world, ptl_chunk_pos pos, edge edges[4], ptl_error *err);

/* A chunk that was generated and encoded and waits to be written. */
typedef struct made_chunk {
    edge edges[4];
    encoded_chunk encoded;
    encoded_features features;
    event_row *events; /* owned */
    char *details;     /* owned: the events' texts */
    size_t event_count;
} made_chunk;

void made_chunk_dispose(made_chunk *made);

/* What one generating thread works with. */
typedef struct chunk_maker {
    const gen_config *config; /* borrowed, shared by all */
    generator *gen;           /* its own */
    codec *codec;             /* its own */
    size_t step_count;
    generator_times times; /* summed up */
    double encode_seconds;
} chunk_maker;

/* Generates and encodes: the part that any thread may run. chunk, if not NULL, receives the
 * chunk itself (new). edges must be in made already. */
ptl_status world_make_chunk(made_chunk *made, ptl_chunk **chunk, chunk_maker *maker,
                            ptl_chunk_pos pos, ptl_error *err);

/* Only the encoding of what gen has just made: all of *made but its edges. */
ptl_status world_encode_chunk(made_chunk *made, codec *c, const gen_config *config,
                              const ptl_chunk *chunk, const generator *gen, ptl_error *err);

/* Writes a made chunk, in a transaction of the caller's. Of the world, only store, row and cat
 * are used. */
ptl_status world_write_chunk(ptl_world *world, const made_chunk *made, int64_t run_id,
                             size_t step_count, bool *written, ptl_error *err);
/* The same, in the place of a generated chunk that is saved. *changed: what was there held
 * other tiles or features. An imported chunk stays (*written false). */
ptl_status world_replace_chunk(ptl_world *world, const made_chunk *made, int64_t run_id,
                               bool *written, bool *changed, ptl_error *err);

/* Is the chunk saved, with at least step_count steps? */
ptl_status world_has_chunk(ptl_world *world, ptl_chunk_pos pos, size_t step_count, bool *has,
                           ptl_error *err);

#endif
