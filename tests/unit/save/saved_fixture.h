/* Worlds for the tests of notes, marks and facts, in files with both journals and in memory. */
#ifndef UNIT_SAVE_SAVED_FIXTURE_H
#define UNIT_SAVE_SAVED_FIXTURE_H

#include "unit/world/any_store.h"

enum { ROLLBACK, WAL, MEMORY, MODES };

/* Makes a store with a world "w" that has chunk 0,0. */
ptl_world *saved_begin(place *p, int mode);
/* Opens the file of a place again. */
void saved_open_file(place *p, int mode);
ptl_world *saved_world(ptl_store *store, bool is_base);
void saved_digest(char hex[65], ptl_world *world);

/* Begins a save that has seen a revision; 0: the present one. */
ptl_save *saved_save(ptl_world *world, int64_t seen);
ptl_status saved_note(ptl_save *save, const char *viewer, ptl_omt at, const char *text);

#endif
