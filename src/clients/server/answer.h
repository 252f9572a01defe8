/*
 * What is answered under /data/: a function for each path, all described in schema/serve.md.
 * Each reads the values of the request, writes the body of the reply, and returns what the
 * library said; an error becomes the reply.
 */
#ifndef SERVER_ANSWER_H
#define SERVER_ANSWER_H

#include "clients/server/readers.h"
#include "clients/server/reply.h"
#include "clients/server/target.h"
#include "clients/watch/watched.h"
#include "core/emit.h"
#include "portolan/features.h"
#include "portolan/local.h"

typedef struct asked {
    const target *values;
    reader *from;
    /* What the path asks for, each if it does: */
    const char *text; /* borrowed from the values */
    ptl_chunk_pos chunk;
    ptl_omt omt;
    ptl_chunk_pos corners[2]; /* chunks: north-west, south-east */
    int32_t z;
    ptl_world *world;  /* borrowed from the reader */
    bool may_query;    /* SQL is let in */
    bool may_write;    /* generating is */
    const char *shown; /* the world to begin with; NULL: any */
    const char *save;  /* folder of the save that this world is of; NULL: of none */
    watched *watched;  /* what is worked on; NULL: nothing is */
    /* Features are asked for a site: short forms, and pieces of mutable specials on its levels.
     */
    bool for_site;
    int32_t z_first, z_last;
    /* Chunks, cities and overviews are those from the first of two to the other; NULL: all. */
    const ptl_chunk_pos *within;
    const char *const *names; /* the worlds that are told of, behind them NULL; NULL: all */
} asked;

typedef ptl_status answer_function(const asked *q, reply *out, ptl_error *err);

answer_function answer_worlds, answer_chunks, answer_tiles, answer_palette, answer_features,
    answer_cities, answer_tile, answer_why, answer_search, answer_sql, answer_overview,
    answer_local, answer_locals, answer_looks, answer_generate, answer_make_local,
    answer_specials, answer_heat, answer_stats, answer_explored, answer_seen, answer_watch,
    answer_differences, answer_states, answer_kinds, answer_gathered;
/* Of no path, for a site: kind, x, y and z of all events that have a place. */
answer_function answer_events;

/* What a path asks for beside its text. */
enum {
    ASKS_CHUNK = 1,   /* x and y */
    ASKS_OMT = 2,     /* x, y and z */
    ASKS_CORNERS = 4, /* west, north, east and south */
    ASKS_Z = 8,
    ASKS_WORLD = 16 /* opened; without a name the current one */
};

typedef struct answer_path {
    const char *path;
    answer_function *answer;
    reader_use use;   /* READ_TO_WRITE: it is asked by POST */
    unsigned asks;    /* ASKS_... */
    const char *text; /* the name of a text that must be given; NULL: of none */
    bool is_kept;     /* by browsers: reply_tag */
} answer_path;

/* Returns what a path is answered by, or NULL. */
const answer_path *answer_find(const char *path);

/* Reads all that the path asks for. PTL_ERR_ARGUMENT: something is missing, or none such. */
ptl_status asked_read(asked *q, const answer_path *path, ptl_error *err);
/* Reads a whole number that must be given. PTL_ERR_ARGUMENT. */
ptl_status asked_int(const asked *q, const char *name, int64_t lo, int64_t hi, int64_t *out,
                     ptl_error *err);

/* ---- answers that several give ---- */

/* Puts the key "edges": what crosses the borders of a chunk, north, east, south and west. */
void answer_put_edges(emitter *j, const ptl_features *f);
/* Puts a local map with all that lies in it. False when memory is out. */
bool answer_put_local(bytes *out, const ptl_local_map *map);

#endif
