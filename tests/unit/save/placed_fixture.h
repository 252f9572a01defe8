/* Specials that tests place in a world "w" of saved_fixture.h, and what it shows then. */
#ifndef UNIT_SAVE_PLACED_FIXTURE_H
#define UNIT_SAVE_PLACED_FIXTURE_H

#include "unit/save/saved_fixture.h"
#include "world/edits.h"

enum { SIDE = PTL_CHUNK_SIZE, CELLS = PTL_LEVELS * PTL_LEVEL_CELLS };

/* The chunk of the world. */
extern const ptl_chunk_pos here;

/* Some specials: of one OMT and of several, with connections on the ground and below it,
 * mutable, with others nested in them. */
enum { SOME = 8 };
extern const char *const some[SOME];

/* Places a special in a save of its own. report and why may be NULL. */
ptl_status put(ptl_save_report *report, ptl_why_place *why, ptl_world *world,
               const char *special, ptl_omt at, int32_t rotation);
ptl_status undo(ptl_world *world, int64_t number);
/* Finds the origin for a special that is nearest to a place: false if there is none. */
bool find_origin(ptl_omt *out, ptl_world *world, const char *special, ptl_omt near,
                 int32_t rotation);
/* Reads what all cells of the chunk show, level by level. */
void read_cells(ptl_oter out[CELLS], ptl_world *world);
/* Reads the features of the chunk, with what games have placed. */
void read_features(gen_features *out, ptl_world *world);

#endif
