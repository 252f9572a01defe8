/*
 * What local maps ask a saved chunk about its OMTs: the oters of a column, what stood there
 * before, by which joins the piece of a mutable special met its neighbours, and which
 * placement an OMT belongs to. A record never changes once it is read, so that threads may
 * ask it at the same time.
 */
#ifndef WORLD_LOCAL_RECORD_H
#define WORLD_LOCAL_RECORD_H

#include "portolan/area.h"
#include "world/world.h"

typedef struct local_record local_record;

/* Reads the record of an OMT's chunk. *record is NULL or the record read last; it stays if it
 * is still what the file has, and is dropped for a new one otherwise. The record of a chunk
 * that is not saved is empty. cache may be NULL; otherwise the chunk's tiles are taken from
 * it if it has them, and need not be decoded again. */
ptl_status local_record_read(local_record **record, const ptl_world *world, ptl_cache *cache,
                             ptl_omt at, ptl_error *err);
/* Adds a holder. Each holder drops the record once; the last drop frees it. NULL is fine.
 * Holders are counted without a lock, so only one thread may hold and drop. */
local_record *local_record_hold(local_record *record);
/* Takes a holder away; NULL is fine. */
void local_record_drop(local_record *record);

/* Returns a hash of the chunk's tiles and features; 0 if nothing is known. */
uint64_t local_record_key(const local_record *record);

/* Returns the join by which the piece at an OMT met its neighbour on a side of the world (0
 * to 3: north, east, south, west; CAT_ABOVE, CAT_BELOW). "" if it met none there. */
const char *local_record_join(const local_record *record, ptl_omt at, int side);
/* Returns the oter that stood at an OMT before the present one: number 0 is the oldest.
 * CAT_NONE after the last, and for oters that the catalogue lacks. */
ptl_oter local_record_before(const local_record *record, ptl_omt at, size_t number);
/* Returns how many oters stood there before. */
size_t local_record_before_count(const local_record *record, ptl_omt at);
/* Returns the oter at an OMT; CAT_NONE if the chunk is not saved, or if the OMT lies outside
 * of it. */
ptl_oter local_record_oter(const local_record *record, ptl_omt at);
/* Gives the special or building that an OMT belongs to: *out is its origin, *key identifies
 * which one it is. False: it belongs to none. */
bool local_record_placement(ptl_omt *out, uint64_t *key, const local_record *record,
                            ptl_omt at);

#endif
