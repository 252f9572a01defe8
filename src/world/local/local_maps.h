/*
 * Spills that are stored with local maps (schema/shoals.md, "Spills"): for each tile, how high
 * the sea must stand to reach it. Each stored map of level 0 whose OMT is coast has them;
 * world_local_ground computes them. A transaction that writes maps also writes their spills and
 * those of all maps that the change affects, so that stored spills always equal those that
 * would be computed. A map may also lack them: then they are computed when they are needed.
 */
#pragma once

#include "world/local/local.h"

/* Turns a map that the world's mapgen has made into the form *out that the public calls use. */
ptl_status world_local_own(ptl_local_map **out, const ptl_world *world, const local_map *made,
                           const map_info *info, ptl_error *err);

/* Copies a map as it is in memory; *out is new. The original must show no tide. */
ptl_status world_local_copy(ptl_local_map **out, const ptl_local_map *map, ptl_error *err);

/* Maps that a game has changed, encoded, ready to be written. */
typedef struct changed_maps {
    map_write *writes;          /* owned */
    encoded_local *encoded;     /* owned */
    ptl_local_map *const *maps; /* borrowed; they show no tide */
    size_t count;
} changed_maps;

/* Encodes maps, and generates the chunks on which their spills depend. Must be called before
 * the transaction in which they are written. Dispose of *out also after an error. */
ptl_status changed_maps_prepare(changed_maps *out, ptl_world *world, ptl_local_map *const *maps,
                                size_t count, ptl_error *err);
/* Writes the maps and their spills in a transaction of the caller's. The maps in memory stay as
 * they are. */
ptl_status changed_maps_write(const changed_maps *c, ptl_world *world, ptl_error *err);
void changed_maps_dispose(changed_maps *c);
/* The map in memory counts as stored, edited, with this revision. */
void local_changed(ptl_local_map *map, int64_t revision);
/* Returns the error that a map belongs to another world. */
ptl_status local_other_world(const ptl_world *world, ptl_error *err);

/* Reads the stored spills of an OMT (how high the sea must stand to reach each tile); *found
 * becomes false if there are none. */
ptl_status local_spills_read(coast_ground *out, bool *found, const ptl_world *world, ptl_omt at,
                             ptl_error *err);

/* Writes the spills (how high the sea must stand to reach each tile) of maps that were just
 * written, inside the caller's transaction. Also writes the spills of other maps that have
 * changed because of these maps. world_local_anew must have been called at the beginning of the
 * transaction. No other thread may use the maker's mapgen during the call. If spills can't be
 * computed, for example because the file has other content, the stored spills are removed. */
ptl_status local_spills_follow(const local_maker *maker, const map_write *maps, size_t count,
                               ptl_error *err);

/* Generates the chunks on which the spills of the given maps depend. Must be called before the
 * transaction in which the maps are written. Does nothing in worlds without tides. */
ptl_status local_spills_prepare(ptl_world *world, const map_write *maps, size_t count,
                                ptl_error *err);
/* Computes the spills of maps that were written, as local_spills_follow does, with a
 * local_maker that reads from the file. */
ptl_status local_spills_changed(ptl_world *world, const map_write *maps, size_t count,
                                ptl_error *err);

/* Called for a map whose stored spills (how high the sea must stand to reach each tile) differ
 * from those that were computed. `stored` tells whether the file has spills for the map. */
typedef ptl_status spills_visit(void *payload, ptl_omt at, bool stored, ptl_error *err);
/* Computes the spills of all stored maps in an area again, and calls `visit` (may be NULL) for
 * each map whose stored spills differ. Maps of another version or content and maps near chunks
 * that are not saved are left out; if the world's content is not the file's present one, all
 * maps are left out. If `mend` is true, the right spills are written, inside the caller's
 * transaction. *checked becomes the number of maps that were compared. */
ptl_status world_spills_check(uint64_t *checked, ptl_world *world, const map_area *which,
                              bool mend, spills_visit *visit, void *payload, ptl_error *err);
/* Writes the spills that depend on a chunk, in a transaction of its own. To be called when the
 * chunk was saved again. Does nothing in worlds without tides, or if the world's content is not
 * the file's. */
ptl_status world_spills_mend(ptl_world *world, ptl_chunk_pos pos, ptl_error *err);
