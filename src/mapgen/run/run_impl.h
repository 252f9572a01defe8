/* What the files that make a map share. */
#ifndef MAPGEN_RUN_RUN_IMPL_H
#define MAPGEN_RUN_RUN_IMPL_H

#include "core/hash.h"
#include "mapgen/compile/layers.h"
#include "mapgen/compile/text_id.h"
#include "mapgen/run/run.h"

#include <stdlib.h>
#include <string.h>

/* A parameter, and the palette or entry that defines it; NULL, NULL: none does. */
typedef struct run_definition {
    const mapgen_parameter *parameter;
    const mapgen_unit *unit;
} run_definition;

/* What was found in the chunks of an entry. */
typedef struct run_sought {
    const mapgen_entry *entry;
    uint32_t name;
    run_definition found;
} run_sought;

/* One map in the making. Only what lies `up` levels above the request's own level is wanted of
 * it: 0 of a map that is made, else `other` is the map there, on which it is put. */
typedef struct run {
    local_map *map;   /* on which pieces are put now */
    local_map *own;   /* of the request's level */
    local_map *other; /* NULL: `up` is 0 */
    local_map
        *nowhere; /* owned: for chunks on levels that are not wanted; NULL: none came yet */
    struct run_frame *frame; /* that is being drawn; NULL: none yet */
    int up, level;           /* level: of what `map` is now, above the request's own */
    uint64_t heights; /* pieces at another level that were met: each has a stream of its own */
    const mapgen_request *request;
    rng random;
    mapgen_ids ids;
    mapgen_draft draft; /* of items that are being drawn */
    mapgen_budget budget;
    int depth;             /* of chunks inside chunks */
    int turns;             /* of the terrain whose entry runs: predecessors have their own */
    const char *city;      /* the nearest; NULL: nobody asked yet */
    size_t before;         /* how many of what was there before are still to be drawn over */
    uint32_t steps;        /* that scripts may still do */
    uint32_t said;         /* what the script said last that failed; an id of the pool */
    run_sought sought[16]; /* what was looked for last; its next place: */
    uint32_t next_sought;
    bool failed, left_out; /* a script failed, or could not be run */
} run;

/* One entry or chunk in the making: its palettes as they were drawn, and where it stands. */
typedef struct run_frame {
    run *run;
    const mapgen_entry *entry;
    struct run_frame *outer; /* of a chunk, what it lies in; NULL: nothing */
    mapgen_layers layers;
    mapgen_layers
        open; /* while they are drawn: the palette, and those that name it before it */
    mapgen_layers possible; /* all that may be drawn; none: they were not asked for yet */
    uint64_t nest_key;
    int x, y; /* of the drawing's tile (0, 0) on the map; of a block of a grid negative */
    int width, height;  /* tiles of it that are drawn */
    int from_x, from_y; /* the first of them in the drawing */
} run_frame;

/* A rectangle of tiles of the map; a tile is one whose corners are the same. */
typedef struct run_place {
    mapgen_range x, y;
} run_place;

/* run.c: */
/* Runs a chunk's entry with its tile (0, 0) at x, y. */
void run_chunk(run *r, const mapgen_entry *entry, int x, int y);
/* One of a key's entries, by weight; NULL if there is none in JSON
 * or Lua. */
const mapgen_candidate *run_candidate(run *r, mapgen_role role, uint32_t key);
/* Runs a terrain's entry, which is turned as said then, or makes it the one terrain that all of
 * it is; false: it has neither. */
bool run_terrain(run *r, uint32_t terrain, int turns);
bool run_spend(run *r); /* counts a piece; false once the budget is spent */
/* Counts tiles, things or entries of lists that are gone over; likewise. */
static inline bool run_touch(run *r, size_t count)
{
    return mapgen_budget_touch(&r->budget, count);
}
/* Writes terrain where it is no null, and furniture, which null clears; false outside of the
 * map. */
bool run_set_terrain(run *r, int x, int y, uint32_t id);
void run_set_furniture(run *r, int x, int y, uint32_t id);
/* Puts a thing on a tile of the map. */
void run_add(run *r, int x, int y, local_entity e);
static inline uint32_t run_id(const run *r, const char *text)
{
    return mapgen_word_id(r->request->pool, text);
}
static inline bool run_starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}
static inline bool run_inside(int x, int y)
{
    return x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
}
/* Is the tile one that the frame's entry leaves as it is? */
bool run_spares(const run_frame *f, int x, int y);
/* Takes away what is of these kinds (1 << a local_kind) and begins on the tile. */
enum { RUN_ITEMS = 1 << LOCAL_ITEM | 1 << LOCAL_ITEM_GROUP };
void run_remove(run *r, int x, int y, uint32_t kinds);
/* The same of terrain that a frame's entry puts on what was there: what its policies say of
 * that goes, and what walls leave no place for. `plain`: it is drawn with the rows. */
void run_place_terrain(run_frame *f, int x, int y, uint32_t id, bool plain);

/* run_parameters.c: */
/* Finds the definition that counts of a parameter: of several in the frame the one whose
 * meanings count most. Palettes that are possible and were not drawn define theirs, too, and so
 * do chunks, all but `nest`; while palettes are drawn, those that name the present one do as if
 * they were there. What a chunk lacks is looked for in what it lies in: then that is *frame. */
run_definition run_find_parameter(run_frame **frame, uint32_t name);

/* run_values.c: */
/* The layers of a frame: palettes are drawn, each after those that it names itself. */
void run_layers(run_frame *f);
/* Returns the id that the value of one of the frame's units is; ID_NONE: nothing. */
uint32_t run_value(run_frame *f, const mapgen_unit *unit, uint32_t value);
int32_t run_range(run *r, mapgen_range range);
bool run_percent(run *r, int32_t percent);
/* Rolls a piece's chance. */
bool run_chance(run *r, const mapgen_piece *p);

/* run_items.c: */
/* Runs an item group once, all of it on the tile. */
void run_group(run *r, int x, int y, uint32_t id, const mapgen_told *told);
/* Puts items of a type on the tile, each in what it comes in. */
void run_items(run *r, int x, int y, uint32_t id, int32_t count, const mapgen_told *told);
/* Of the things from `first` on, which are a plant's, one seed is kept. */
void run_one_seed(run *r, size_t first);
/* The charges of a new one; 0: none are known. */
int32_t run_usual_charges(const run *r, uint32_t id);

/* run_monsters.c: */
/* Monsters of a group somewhere in the rectangle, as many as the density says. */
void run_monsters(run *r, run_place place, uint32_t group, uint32_t density);
/* The same of so many that they cost `budget` together. False: the group is not known, and
 * nothing was done. */
bool run_population(run *r, run_place place, uint32_t group, int64_t budget);
/* So many packs of a group on a tile. */
void run_packs(run *r, int x, int y, uint32_t group, int32_t packs, bool friendly,
               uint32_t name);
/* JSON of what a monster has with it, drawn; ID_NONE: nothing. */
uint32_t run_spawn_data(run *r, uint32_t json);

/* run_texts.c: */
/* A text, or else one of a snippet's, with what its tags stand for; ID_NONE: neither is known.
 */
uint32_t run_text(run *r, uint32_t text, uint32_t snippet);

/* run_pieces.c: */
/* Puts a piece of a unit down, as often as it repeats, each time somewhere in the place. */
void run_piece(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, run_place place);
/* Puts a piece down that lies on another level than its entry: on that level's map, if it is
 * wanted. */
void run_at_height(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                   run_place place);
void run_ground_things(run *r, size_t first);
/* run_labs.c: */
/* Makes the map of a laboratory; false: it is none. */
bool run_lab(run *r, const char *type);
/* run_ways.c: */
/* Can one walk there, doors opened? */
bool run_walkable(const run *r, int cell);
/* Returns the first tile of the largest part that is all one to who walks; the middle, if
 * there is none. */
int run_heart(const run *r);
/* Breaks a way from the first tile to each of the others where there is none, of this floor;
 * walls at the map's border stay. */
void run_join(run *r, const int *tiles, size_t count, uint32_t floor);
/* A place that content calls so: a zone of type `variable`. */
void run_variable(run *r, int x, int y, uint32_t name);
/* run_set.c: */
void run_set(run_frame *f, const mapgen_piece *p);
/* run_script.c: */
/* Runs the entry's script on the map, or on the part of it that a chunk is. */
void run_script(run_frame *f);
/* Of a map whose script failed: nothing but what was said. */
void run_keep_remarks(run *r);
/* run_extras.c: */
/* Puts on the finished map what the terrain's set of extras and its spawns give. */
void run_after(run *r);
/* run_finish.c: what is done to a whole map. */
/* Makes the ground of a terrain; false: there is none of it. */
bool run_ground(run *r, const char *type);
/* Runs what the entry is drawn over, if there is any, turned so that `turns` to come leave it
 * as it lies: the terrain that it names, or what was there before. */
void run_predecessor(run *r, const mapgen_entry *entry, int turns);
/* How many terrains were there before. */
size_t run_before_count(const mapgen_request *request);
/* Puts what a region's pseudo ids stand for, tile by tile. */
void run_resolve(run *r);
/* run_nested.c: */
void run_nested(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y);

#endif
