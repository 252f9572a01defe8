/*
 * Spills that are stored with local maps (schema/shoals.md, "Spills"): for each stored map of
 * level 0 whose OMT is coast, what world_local_ground finds. A transaction that writes maps
 * also writes their spills and those of all maps in reach of the change, so that stored
 * spills are always the ones that would be found now. A map may also lack them: then they are
 * found when they are asked for.
 */
#pragma once

#include "world/local/local.h"

/* Reads the stored spills of an OMT; *found false: there are none. */
ptl_status local_spills_read(coast_ground *out, bool *found, const ptl_world *world, ptl_omt at,
                             ptl_error *err);

/* Writes the spills of maps that have just been put, and those that change with them, inside
 * the caller's transaction, at the start of which world_local_anew was called. No other
 * thread may use the maker's mapgen. If the spills can't be found, for example because the
 * content is another, the stored ones are removed. */
ptl_status local_spills_follow(const local_maker *maker, const map_write *maps, size_t count,
                               ptl_error *err);

/* Generates the chunks that the spills of these maps depend on. To be called before the
 * transaction in which the maps are written. Does nothing in worlds without tides. */
ptl_status local_spills_prepare(ptl_world *world, const map_write *maps, size_t count,
                                ptl_error *err);
/* Does what local_spills_follow does, with a maker over the file. */
ptl_status local_spills_changed(ptl_world *world, const map_write *maps, size_t count,
                                ptl_error *err);

/* Called for a map whose stored spills differ from those that were found. stored: there are
 * some in the file. */
typedef ptl_status spills_visit(void *payload, ptl_omt at, bool stored, ptl_error *err);
/* Finds the spills of all stored maps in an area again, and calls visit (may be NULL) for
 * each map whose stored ones differ. Maps of another version or content are left out, as are
 * maps with chunks around that are not saved, and all maps if the world's content is not the
 * file's. mend: the right spills are written, inside the caller's transaction. *checked:
 * number of maps that were compared. */
ptl_status world_spills_check(uint64_t *checked, ptl_world *world, const map_area *which,
                              bool mend, spills_visit *visit, void *payload, ptl_error *err);
/* Writes the spills of maps that depend on a chunk, once that chunk is saved again, in a
 * transaction of its own. Does nothing in worlds without tides, or if the world's content is
 * not the file's. */
ptl_status world_spills_mend(ptl_world *world, ptl_chunk_pos pos, ptl_error *err);
