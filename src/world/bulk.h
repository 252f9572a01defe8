/*
 * Work on many chunks: a list of places, a callback that says which of them are to be made,
 * threads, batches, progress and a row in `run`. ptl_generate and ptl_regenerate are both
 * such work.
 */
#pragma once

#include "world/world.h"

/* A map that a game has edited and whose OMT has got another terrain since. */
typedef struct stale_map {
    ptl_omt at;
    char *was;       /* owned: id of the oter that the map was made for */
    const char *now; /* id of the present oter, borrowed from the catalogue */
} stale_map;

/* A list of such maps. Zero it before use; stale_maps_clear frees its items. */
typedef struct stale_maps {
    stale_map *list; /* owned */
    size_t count, room;
    uint64_t dropped; /* number of removed maps, which nobody had edited */
} stale_maps;

/* The area of all edited maps of a chunk. */
map_area world_maps_of(ptl_chunk_pos pos);

/* The spills of a map may depend on the terrain of OMTs that are so far away
 * (local_maps.h). */
enum { WORLD_SPILLS_AROUND = 7 };
/* The area of all maps whose spills may depend on a chunk. */
map_area world_spills_of(ptl_chunk_pos pos);

/* Says in *wanted whether the chunk is to be made. It is called inside a transaction, in the
 * writing thread, some chunks before this one is made; another process may still save the
 * chunk before it is written. An unwanted chunk may get a *reason, a text that outlives the
 * work, which goes to bulk_keep; otherwise *reason is left alone. */
typedef ptl_status bulk_wants(void *context, ptl_chunk_pos pos, bool *wanted,
                              const char **reason, ptl_error *err);
/* Tells that a chunk is left as it is: for the reason that bulk_wants gave, or because its
 * edges can't be used with this content (PTL_ERR_MISMATCH). It is called in the order of the
 * list, outside of transactions. */
typedef void bulk_keep(void *context, ptl_chunk_pos pos, const char *reason);

/* Tells after each commit what became of the local maps of the chunks that were replaced. */
typedef void bulk_maps(void *context, const stale_maps *maps);

typedef struct bulk {
    ptl_world *world;
    const char *command; /* what the run's row names as its command */
    const ptl_chunk_pos *list;
    size_t count; /* of list, in which a place may stand twice */
    int32_t jobs; /* number of threads; 0 means 1 */
    size_t step_count;
    bool replace; /* generated chunks are replaced; step_count is then that of all steps */
    bulk_wants *wants;
    bulk_keep *keep; /* may be NULL: edges that can't be used then end the work, and no reasons
                        are told */
    bulk_maps *maps; /* needed if replace is set */
    void *context;
    bool (*on_progress)(void *payload, const ptl_progress *progress); /* may be NULL */
    void *payload;
    /* The results, which bulk_run fills in. */
    ptl_progress progress;
    ptl_generate_report report;
    uint64_t changed; /* number of replaced chunks that came out otherwise than they were */
} bulk;

/* Does the work. The caller has prepared the world (world_prepare) and zeroed the results. On
 * an error or a stop, what was committed stays in the file, and the results count it. */
ptl_status bulk_run(bulk *work, ptl_error *err);
