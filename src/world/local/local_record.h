/*
 * What a saved chunk says of its OMTs, as far as local maps ask for it: the columns of terrain,
 * what was there before, by which joins a piece of a mutable special met its neighbours, and of
 * which placement a tile is. It never changes once it is read, so that threads may ask it at
 * the same time.
 */
#ifndef WORLD_LOCAL_RECORD_H
#define WORLD_LOCAL_RECORD_H

#include "portolan/area.h"
#include "world/world.h"

typedef struct local_record local_record;

/* Gives what the chunk of an OMT has. *record is NULL, or what was read last: it is kept if the
 * chunk is that one still. A chunk that is not saved has nothing. cache: of the world, where
 * the maps' other terrain is from: its tiles need not be read again; NULL: there is none. */
ptl_status local_record_read(local_record **record, const ptl_world *world, ptl_cache *cache,
                             ptl_omt at, ptl_error *err);
/* One more holds it, each drops it once; NULL is fine. For one thread. */
local_record *local_record_hold(local_record *record);
/* Takes a holder away; NULL is fine. */
void local_record_drop(local_record *record);

/* The same number for the same tiles and features of a chunk; 0 for none. */
uint64_t local_record_key(const local_record *record);

/* The join of the piece that stands there, on a side as it lies in the world (0 to 3 north,
 * east, south, west, CAT_ABOVE, CAT_BELOW); "" where it met nothing there. */
const char *local_record_join(const local_record *record, ptl_omt at, int side);
/* What was there before the terrain that is there now: `number` 0 is the oldest. CAT_NONE
 * behind the last, and of terrain that the catalogue lacks. */
ptl_oter local_record_before(const local_record *record, ptl_omt at, size_t number);
/* How many there are. */
size_t local_record_before_count(const local_record *record, ptl_omt at);
/* What stands there, of a saved chunk; else CAT_NONE, as outside of the record's chunk. */
ptl_oter local_record_oter(const local_record *record, ptl_omt at);
/* The special or building that the tile is of: where it stands and which. False: of none. */
bool local_record_placement(ptl_omt *out, uint64_t *key, const local_record *record,
                            ptl_omt at);

#endif
