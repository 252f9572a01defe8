/* Inside the library: an open world. */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include "content/catalogue.h"
#include "gen/pipeline.h"
#include "portolan/generate.h"
#include "store/rows.h"

struct ptl_world {
    ptl_store *store; /* borrowed */
    world_row row;
    catalogue *cat; /* the file's current content */
    ptl_world_options options;
    bool accept_content;
    gen_config *config; /* made when something is generated first */
    generator *gen;
    codec *codec;
    int64_t run_id; /* of the chunks that ptl_chunk_get made; 0: none yet */
    uint64_t run_chunks;
    double run_started;
};

/* Borrowed until the world is closed. */
const catalogue *world_catalogue(const ptl_world *world);

/* Sets up world->config, gen and codec; PTL_ERR_MISMATCH if the file's content is not the
 * world's and the caller did not accept that. */
ptl_status world_prepare(ptl_world *world, ptl_error *err);

/* The chunk's edges N, E, S, W: saved ones, else planned. Dispose each, also after an error. */
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

/* Writes a made chunk, in a transaction of the caller's. */
ptl_status world_write_chunk(ptl_world *world, const made_chunk *made, int64_t run_id,
                             size_t step_count, bool *written, ptl_error *err);
/* The same, in the place of a generated chunk that is saved. *changed: what was there held
 * other tiles or features. An imported chunk stays (*written false). */
ptl_status world_replace_chunk(ptl_world *world, const made_chunk *made, int64_t run_id,
                               bool *written, bool *changed, ptl_error *err);

/* Is the chunk saved, with at least step_count steps? */
ptl_status world_has_chunk(ptl_world *world, ptl_chunk_pos pos, size_t step_count, bool *has,
                           ptl_error *err);

/* Monotonic, in seconds. */
double world_clock(void);

#endif
