/* The struct of an open world, and the functions for worlds that the source files in
 * src/world share. */
#pragma once

#include "gen/pipeline.h"
#include "store/store.h"

struct world_mapgen; /* defined in world/local/local.h */

struct ptl_world {
    ptl_store *store; /* borrowed */
    world_row row;
    /* Catalogue either of the content that the world was made with or of the file's present
     * content; see ptl_world_open for which. */
    catalogue *cat;
    /* Owned: the catalogue from before the world was moved to the present content; callers may
     * still borrow names from it. */
    catalogue *cat_before;
    int64_t current_content; /* id of the file's present content when the world was opened */
    ptl_world_options options;
    bool accept_content;
    bool base;           /* edits are not shown */
    uint64_t edits_made; /* number of saves with edits that were committed with this struct;
                          * caches of chunks look at it to notice them */
    /* The latest revisions, one after the other, that saves have written which were handed over
     * to this struct (ptl_save_attach); own_first > own_last: none. */
    int64_t own_first, own_last;
    gen_config *config; /* owned; made when something is generated for the first time */
    generator *gen;
    codec *codec;
    int64_t run_id; /* id of the row in the table `run` for chunks that ptl_chunk_get made; 0:
                       there is no row yet */
    uint64_t run_chunks;
    bool run_uncertain; /* a commit failed, so the number of chunks that the run's row states
                         * may be too small */
    double run_started;
    struct world_mapgen *mapgen; /* owned; NULL: no local map was made yet */
    /* Frees `mapgen`. This is a pointer to a function because world.c must not depend on the
     * code of src/world/local, where the function is defined. */
    void (*mapgen_free)(struct world_mapgen *mapgen);
    codec *local_codec; /* owned; NULL: no local map was written yet */
};

/* Ends a transaction: commits it if the status of the work in it is PTL_OK, otherwise rolls it
 * back. Returns that status, or the error of the commit. */
ptl_status world_end_writing(ptl_store *store, ptl_status status, ptl_error *err);

/* Checks that each setting is within its range; PTL_ERR_ARGUMENT names the first setting that
 * is not. */
ptl_status world_options_check(const ptl_world_options *options, ptl_error *err);
/* Checks that a text is UTF-8 without control characters. `subject` is what the error message
 * calls the text, for example "the author of a save". */
ptl_status world_text_check(const char *subject, const char *text, ptl_error *err);
/* Checks a name. `what` is the word for the named thing in the error message, for example
 * "world". */
ptl_status world_name_check(const char *what, const char *name, ptl_error *err);
/* Returns a row with these settings and the present version of the generator. Its strings are
 * borrowed from the arguments, so world_row_dispose must not be called for it. */
world_row world_row_of(const char *name, const ptl_world_options *from, int64_t content_id);
/* Returns the settings of a row. The region's name is borrowed from the row. */
ptl_world_options world_row_options(const world_row *from);

/* Sets world->config, gen and codec, so that chunks can be made that will be saved.
 * PTL_ERR_MISMATCH if the world was made with another content than the file's present one, and
 * the caller has not accepted that. */
ptl_status world_prepare(ptl_world *world, ptl_error *err);
/* Sets world->config, gen and codec, to generate chunks again only to examine them, with the
 * content that the world was opened with. PTL_ERR_MISMATCH if the chunk at *pos is saved and
 * was made with other content. If that chunk is not saved, or pos is NULL, the errors are those
 * of world_prepare. */
ptl_status world_prepare_again(ptl_world *world, const ptl_chunk_pos *pos, ptl_error *err);

/* Returns PTL_ERR_ARGUMENT if the place lies outside the range of chunks. */
ptl_status world_check_position(ptl_chunk_pos pos, ptl_error *err);

/* Gives the four edges of a chunk (north, east, south, west). An edge that is not saved yet is
 * planned. The caller must dispose of each edge, also after an error. */
ptl_status world_edges(ptl_world *world, ptl_chunk_pos pos, edge edges[4], ptl_error *err);

/* A chunk that is generated and encoded, and waits to be written. */
typedef struct made_chunk {
    edge edges[4];
    encoded_chunk encoded;
    encoded_features features;
    event_row *events; /* owned */
    char *details;     /* owned: the texts of the events */
    size_t event_count;
} made_chunk;

/* Frees what the chunk owns, and zeroes the struct; does nothing for a zeroed struct. */
void made_chunk_dispose(made_chunk *made);

/* What a thread makes chunks with. Each thread needs its own. */
typedef struct chunk_maker {
    const gen_config *config; /* borrowed; shared by all threads */
    generator *gen;           /* used by this thread only */
    codec *codec;             /* encodes this thread's chunks; no other thread uses it */
    size_t step_count;
    generator_times times; /* how long each step of generation took, summed over all chunks */
    double encode_seconds;
} chunk_maker;

/* Generates and encodes a chunk. Any thread may do this part of the work. The caller must
 * have set the edges in *made. chunk may be NULL; otherwise *chunk becomes the chunk, which
 * is new. */
ptl_status world_make_chunk(made_chunk *made, ptl_chunk **chunk, chunk_maker *maker,
                            ptl_chunk_pos pos, ptl_error *err);

/* Runs the first step_count steps of generation for a chunk of a prepared world, and writes
 * nothing. *chunk is new. trace may be NULL. */
ptl_status world_make_again(ptl_chunk **chunk, ptl_world *world, ptl_chunk_pos pos,
                            size_t step_count, const gen_trace *trace, ptl_error *err);

/* Encodes a chunk that `gen` has just made. Sets all members of *made except its edges. */
ptl_status world_encode_chunk(made_chunk *made, codec *c, const gen_config *config,
                              const ptl_chunk *chunk, const generator *gen, ptl_error *err);

/* Writes a made chunk inside the caller's transaction. Only the members store, row and cat of
 * the world are used. *written becomes true if the chunk was written. If `changed` is NULL, it
 * is not written if the file has this chunk already, with all steps of generation or with the
 * same steps. If `changed` is not NULL, the made chunk must have all steps. It replaces the
 * saved chunk, unless that was imported from a save, and *changed becomes true if the saved one
 * had other OMTs or features. */
ptl_status world_write_chunk(ptl_world *world, const made_chunk *made, int64_t run_id,
                             size_t step_count, bool *changed, bool *written, ptl_error *err);

/* Finds the saved edge on one side of a chunk (north, east, south, west), as
 * chunk_operations.edge_find does. */
ptl_status world_edge_find(edge *out, bool *found, const ptl_world *world, ptl_chunk_pos pos,
                           int direction, const catalogue *cat, ptl_error *err);

/* Returns the number of steps of generation up to and including the named one; 0 if this
 * version has no such step. */
size_t world_steps_to(const char *step);
/* Sets *has to true if the chunk is saved and at least step_count steps of generation were run
 * for it. */
ptl_status world_has_chunk(ptl_world *world, ptl_chunk_pos pos, size_t step_count, bool *has,
                           ptl_error *err);

/* world_lesser and world_greater return the lesser and the greater of two numbers. */
static inline int64_t world_lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t world_greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
