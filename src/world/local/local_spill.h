/*
 * Spills that are stored with local maps (schema/shoals.md, "Spills"): of each stored map of
 * level 0 whose OMT is coast, what world_local_ground finds. They are written in the
 * transaction that writes maps, for these and for all within reach of what has changed, so
 * whoever reads them sees what would be found. Where a map has none they are found when they
 * are asked for.
 */
#ifndef WORLD_LOCAL_SPILL_H
#define WORLD_LOCAL_SPILL_H

#include "world/local/local.h"

/* Gives what is stored of an OMT; *found false: nothing. */
ptl_status local_spills_read(coast_ground *out, bool *found, const ptl_world *world, ptl_omt at,
                             ptl_error *err);

/* Generates the chunks that the spills of maps depend on, before the transaction in which they
 * are written. Nothing happens in worlds without tides. */
ptl_status local_spills_prepare(ptl_world *world, const map_write *maps, size_t count,
                                ptl_error *err);
/* Writes the spills of maps that have been put, and those that these change, in the transaction
 * of the caller's. The maker's mapgen is no other thread's; who
 * holds the transaction has begun it with world_local_anew. Where they can't be found, since
 * the content is another, say, they are taken. */
ptl_status local_spills_follow(const local_maker *maker, const map_write *maps, size_t count,
                               ptl_error *err);
/* The same with a maker over the file. */
ptl_status local_spills_changed(ptl_world *world, const map_write *maps, size_t count,
                                ptl_error *err);

/* Told of a map whose stored spills are not those that it has. stored: there are some. */
typedef ptl_status spills_visit(void *payload, ptl_omt at, bool stored, ptl_error *err);
/*
 * Finds the spills of all stored maps of an area anew, those that another version or content
 * has made left out, and tells of all that are stored otherwise; visit may be NULL. mend: they
 * are written, in a transaction of the caller's. Of maps whose chunks around are not saved
 * nothing is told, and nothing in a world of another content than the file's. *checked: how
 * many there were.
 */
ptl_status world_spills_check(uint64_t *checked, ptl_world *world, const map_area *which,
                              bool mend, spills_visit *visit, void *payload, ptl_error *err);
/* Writes them, once such a chunk is saved, in a transaction of its own. Nothing
 * happens in worlds without tides, and in those of another content than the file's. */
ptl_status world_spills_mend(ptl_world *world, ptl_chunk_pos pos, ptl_error *err);

#endif
