/*
 * Makes many chunks: the caller gives a list of places, and a callback that says at which of
 * them a chunk is to be made. Threads, transactions, progress and the row in the table `run`
 * are managed here. ptl_generate and ptl_regenerate use it.
 */
#pragma once

#include "world/shard.h"
#include "world/world.h"

/* A local map that a game has edited, and whose OMT had another terrain when the map was
 * made. */
typedef struct stale_map {
    ptl_omt at;
    char *was;       /* owned; id of the oter that the OMT had when the map was made */
    const char *now; /* id of the oter that the OMT has now, borrowed from the catalogue */
} stale_map;

/* A list of edited maps whose OMT has another terrain. Zero the struct before use;
 * stale_maps_clear frees the items. */
typedef struct stale_maps {
    stale_map *list; /* owned */
    size_t count, room;
    uint64_t dropped; /* number of removed maps, which no game had edited */
} stale_maps;

/* Returns an area with which the store finds those local maps of a chunk that a game may have
 * edited: all OMTs of the chunk on all levels. It leaves out the maps that are still as they
 * were made. */
map_area world_maps_of(ptl_chunk_pos pos);

/* A local map depends on the terrain of OMTs up to this distance, in OMTs, to each side. */
enum { WORLD_MAPS_AROUND = 3 };

/* Spills tell how high the sea must stand to reach each tile. The spills of a map may depend on
 * the terrain of OMTs at up to this distance, in OMTs (local_maps.h). */
enum { WORLD_SPILLS_AROUND = 7 };
/* Returns the area of all maps whose spills may depend on a chunk. */
map_area world_spills_of(ptl_chunk_pos pos);

/* Says in *wanted whether the chunk is to be made. It is called inside a transaction, in the
 * writing thread, before this chunk is made; another process may save the chunk between the
 * call and the writing. For an unwanted chunk it may set *reason to a text that lives longer
 * than the work and is passed to bulk_keep; otherwise it does not change *reason. */
typedef ptl_status bulk_wants(void *context, ptl_chunk_pos pos, bool *wanted,
                              const char **reason, ptl_error *err);
/* Called for a chunk that is not made anew, either for the reason that bulk_wants gave, or
 * because the chunk's edges can't be used with this content (PTL_ERR_MISMATCH). The calls come
 * in the order of the list, and not during a transaction. */
typedef void bulk_keep(void *context, ptl_chunk_pos pos, const char *reason);

/* Called after each commit. *maps has those edited local maps of the replaced chunks that no
 * longer match the terrain of their OMT, and the number of local maps that were removed. */
typedef void bulk_maps(void *context, const stale_maps *maps);

typedef struct bulk {
    ptl_world *world;
    const char *command; /* name of the command, for this work's row in the table `run` */
    const ptl_chunk_pos *list;
    size_t count; /* number of places in `list`; a place may stand in it more than once */
    int32_t jobs; /* number of threads; 0 means 1 */
    shard shard;  /* the part of the list that is made; zeros: all */
    size_t step_count;
    /* True: chunks that the file already has are generated again and replaced; then
     * step_count must be the number of all steps of generation. */
    bool replace;
    bulk_wants *wants;
    /* Is called for each chunk that is left unchanged, with the reason. NULL: nobody wants to
     * know the reasons, and an edge that can't be used ends the work. */
    bulk_keep *keep;
    bulk_maps *maps; /* called after each commit with the local maps that replaced chunks made
                        stale; must be set if `replace` is set */
    void *context;
    bool (*on_progress)(void *payload, const ptl_progress *progress); /* may be NULL */
    void *payload;
    /* The results, which bulk_run sets. */
    ptl_progress progress;
    ptl_generate_report report;
    uint64_t changed; /* number of replaced chunks whose OMTs or features are not as before */
} bulk;

/* Makes the chunks that `work` lists. The caller must have prepared the world (world_prepare)
 * and zeroed the results. After an error or a stop, the chunks that were committed stay in the
 * file, and the results count them. */
ptl_status bulk_run(bulk *work, ptl_error *err);
