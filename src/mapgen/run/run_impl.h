/* What the files that make a map share. */
#pragma once

#include "core/hash.h"
#include "mapgen/compile/library.h"
#include "mapgen/compile/text_id.h"
#include "mapgen/run/run.h"

#include <stdlib.h>
#include <string.h>

/* A parameter and the unit (palette, entry or chunk) that defines it; both NULL: none does. */
typedef struct run_definition {
    const mapgen_parameter *parameter;
    const mapgen_unit *unit;
} run_definition;

/* What a search for a parameter in an entry's chunks has found, remembered for the next such
 * search. */
typedef struct run_sought {
    const mapgen_entry *entry;
    uint32_t name;
    run_definition found;
} run_sought;

/* A map that is being made. If `up` is 0, the result is the requested map, `own`. Otherwise the
 * result is the map `other`, which lies `up` levels above the requested one: what content puts
 * there is added to it, and `own` is not used further. */
typedef struct run {
    local_map *map; /* the map that pieces are put on now */
    local_map *own; /* the map of the level that was requested */
    /* The map that is `up` levels above the requested one; NULL if `up` is 0. */
    local_map *other;
    local_map *nowhere; /* owned: a map that takes what chunks put on levels whose maps are not
                           made; NULL: not needed yet */
    struct run_frame *frame; /* the entry or chunk that is being drawn; NULL: none yet */
    /* Levels are counted from that of the requested map. `up`: the level whose map is wanted.
     * `level`: the level of `map`. */
    int up, level;
    uint64_t heights; /* number of pieces for other levels so far: each has a random stream of
                         its own */
    const mapgen_request *request;
    rng random;
    mapgen_ids ids;
    mapgen_draft draft; /* items that are being chosen at random */
    mapgen_budget budget;
    int depth; /* how many chunks, or predecessors' entries, are being drawn, one inside the
                  other */
    /* By how many quarter turns the terrain is rotated on the map, if one of its entries is
     * being drawn. While a predecessor's entry is drawn, it is the predecessor's rotation. */
    int turns;
    const char *city; /* name of the nearest city; NULL: not asked for yet */
    /* How many predecessors, counted from the oldest, may still be drawn below the present
     * entry. */
    size_t before;
    uint32_t steps; /* how many steps all scripts of the map may still take */
    uint32_t said;  /* last message of the script that failed: a number of the id_pool */
    /* The last searches for parameters, with what they found; a new search overwrites the
     * oldest. */
    run_sought sought[16];
    uint32_t next_sought;
    /* Items are being put into a plant. They must be drawn one by one, not counted as a group
     * (request.stands). */
    bool planting;
    /* The unit (entry, chunk or palette) with the piece that places the next chunk; the chunk's
     * run_frame.by gets it. */
    const mapgen_unit *by;
    uint32_t by_place;
    /* The entry with the number that the request states was used. The number counts only once:
     * all further entries are drawn by weight. */
    bool chosen;
    bool failed, left_out; /* a script failed, or could not be run in this build */
} run;

/* An entry or chunk that is being put on the map: its place there, and the palettes that were
 * chosen for it at random. */
typedef struct run_frame {
    run *run;
    const mapgen_entry *entry;
    struct run_frame *outer; /* for a nested chunk: the entry or chunk that places it; NULL:
                                this is no nested chunk */
    mapgen_layers layers;
    /* While palettes are chosen: the palette whose included palettes are being chosen now, and
     * the palettes that include it. */
    mapgen_layers open;
    mapgen_layers possible; /* all palettes that might be chosen; empty: not found out yet */
    uint64_t nest_key;
    uint32_t key; /* the key among whose entries the entry was chosen */
    /* The chance that the entry was drawn (see mapgen_step.way); only set if the request has a
     * trace. */
    double way;
    const mapgen_unit *by; /* of a chunk: the unit whose piece places it; NULL: none does */
    uint32_t by_place;     /* offset in the JSON text of the piece that places the chunk */
    int x, y; /* where the drawing's tile (0, 0) lies on the map. If the drawing is a grid of
                 OMTs, this may be negative: the tile then lies in another OMT */
    int width, height;  /* size, in tiles, of the part of the drawing that is put on the map */
    int from_x, from_y; /* first tile of the part of the drawing that is put on the map */
} run_frame;

/* A rectangle of tiles of the map. For a single tile both ends are the same. */
typedef struct run_place {
    mapgen_range x, y;
} run_place;

/* The next functions are in run.c. */
/* Puts the drawing of a chunk's entry on the map; its tile (0, 0) comes to lie at x, y. `key`
 * is the key among whose entries the entry was chosen. */
void run_chunk(run *r, const mapgen_entry *entry, uint32_t key, int x, int y);
/* Chooses at random, by weight, one of the entries that are registered under a key. NULL if
 * none of them is made by JSON or Lua. */
const mapgen_candidate *run_candidate(run *r, mapgen_role role, uint32_t key);
/* Runs an entry of the terrain and rotates the map by `turns`, or fills the map if the terrain
 * is uniform. False if the terrain has no entry and is not uniform. */
bool run_terrain(run *r, uint32_t terrain, int turns);
bool run_spend(run *r); /* counts a piece; false once the budget is spent */
/* Counts tiles, things or entries of lists that the caller goes over; false once the map's
 * budget is spent. */
static inline bool run_touch(run *r, size_t count)
{
    return mapgen_budget_touch(&r->budget, count);
}
/* Put terrain or furniture on a tile. Null terrain changes nothing; null furniture removes
 * what is there. run_set_terrain returns false outside of the map. */
bool run_set_terrain(run *r, int x, int y, uint32_t id);
void run_set_furniture(run *r, int x, int y, uint32_t id);
/* Puts a thing on a tile of the map. */
void run_add(run *r, int x, int y, local_entity e);
/* Returns the number of a text in the request's id_pool. */
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
/* Must the entry that is being drawn leave the tile as it is, because a creature or open air is
 * there? */
bool run_spares(const run_frame *f, int x, int y);
/* Removes all things of these kinds (bits 1 << local_kind) that lie on the tile, or whose
 * rectangle has its north-western corner there. */
enum { RUN_ITEMS = 1 << LOCAL_ITEM | 1 << LOCAL_ITEM_GROUP };
void run_remove(run *r, int x, int y, uint32_t kinds);
/* Puts a terrain, which an entry draws, over what was on the tile. Things on the tile are
 * removed as the entry's flags say, and where a wall leaves no place for them. `plain`: the
 * terrain comes from the entry's rows. */
void run_place_terrain(run_frame *f, int x, int y, uint32_t id, bool plain);

/* Begins a step of the trace: from here on the chances of all random choices are multiplied,
 * until the traced tile changes; the product is the chance of that change. */
static inline void run_trace_begin(run *r)
{
    if (r->request->trace)
        r->request->trace->chance = 1;
}
/* Multiplies the chance of the present step of the trace by the chance of a random choice. */
static inline void run_trace_chance(run *r, double chance)
{
    if (r->request->trace)
        r->request->trace->chance *= chance;
}
/* Says by how many more quarter turns the map will be rotated before it is finished. */
static inline void run_trace_turn(run *r, int turns)
{
    if (r->request->trace)
        r->request->trace->turns += turns;
}
/* Notes for the trace that a thing is removed from the run's present map, or that its count
 * grows because equal items are added to it. `number` is the thing's number on the map at that
 * moment. */
void run_trace_removed(run *r, size_t number);
void run_trace_grown(run *r, size_t number);
/* Ends a step of the trace, in which a part of the entry was drawn. `by` says which part: a
 * member of the JSON of `unit`, the character, and the offset in the JSON text. */
typedef struct run_by {
    const mapgen_unit *unit; /* the entry or palette that has the member `member` in its JSON */
    const char *member;
    uint32_t symbol, place;
} run_by;
void run_trace_end(const run_frame *f, run_by by);
/* Ends a step of the trace in which a piece was put down, by its coordinates or by the
 * character `symbol`. */
void run_trace_piece(const run_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                     uint32_t symbol);
/* Calls the trace's on_cut, since a part of the frame's chunk lies outside of the map. */
void run_trace_cut(const run_frame *f);
/* Ends a step of the trace in which the program's code has changed the map, not an entry of the
 * content. */
void run_trace_code(run *r, mapgen_doer doer);

/* The next functions are in run_values.c. */
/* Chooses at random which palettes are used for an entry or chunk that is being put on the map.
 * A palette is chosen after the palettes that it includes. */
void run_layers(run_frame *f);
/* Chooses one of the ids of a value, which is a list of choices, at random and returns it;
 * ID_NONE: none was chosen. `unit` contains the value: it is the entry or chunk that is being
 * drawn, or one of its palettes. */
uint32_t run_value(run_frame *f, const mapgen_unit *unit, uint32_t value);
/* Returns a random number of the range. */
int32_t run_range(run *r, mapgen_range range);
/* Decides by a random number whether a chance, in percent, holds this time; true if so. */
bool run_percent(run *r, int32_t percent);
/* Decides by a random number whether the piece's chance holds this time; true if so. */
bool run_chance(run *r, const mapgen_piece *p);

/* The next functions are in run_finish.c. */
/* Chooses items once from an item group, and puts all of them on the tile. */
void run_group(run *r, int x, int y, uint32_t id, const mapgen_told *told);
/* Puts `count` items of a type on the tile, each in its usual container. */
void run_items(run *r, int x, int y, uint32_t id, int32_t count, const mapgen_told *told);

/* The next functions are in run_finish.c. */
/* Puts monsters of a group somewhere in the rectangle, as many as the density says. */
void run_monsters(run *r, run_place place, uint32_t group, uint32_t density);
/* Puts monsters of a group in the rectangle; their costs add up to about `budget`. False: the
 * group is not known, and nothing was done. */
bool run_population(run *r, run_place place, uint32_t group, int64_t budget);
/* Draws from a monster group `packs` times. Each time it gives some monsters of one kind, which
 * are put on the tile. */
void run_packs(run *r, int x, int y, uint32_t group, int32_t packs, bool friendly,
               uint32_t name);
/* Returns a monster's spawn data as JSON, with random numbers in place of ranges; ID_NONE:
 * none. */
uint32_t run_spawn_data(run *r, uint32_t json);

/* The next functions are in run_pieces.c. */
/* Puts down a piece that a palette or entry defines, as often as the piece repeats, each time
 * on a random tile of `place`. If the piece lies on another level than its entry, it is put on
 * that level's map, unless nobody asked for that map. A piece of the member `set` may be given
 * to this function only if it lies on another level; run_set carries out such pieces on the
 * entry's own level. */
void run_piece(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, run_place place);
/* The next functions are in run_labs.c. */
/* Makes the map of a laboratory; false: the type is no laboratory. */
bool run_lab(run *r, const char *type);
/* Gives a tile a name by which content refers to it, as a zone of type `variable`. */
void run_variable(run *r, int x, int y, uint32_t name);
/* The next functions are in run_set.c. */
/* Carries out an operation of the member `set`. */
void run_set(run_frame *f, const mapgen_piece *p);
/* The next function is in run_process.c. */
/* Does to the map what a post-process generator does. */
void run_process(run *r, uint32_t generator);
/* The next functions are in run_script.c. */
/* Runs the entry's script on the map. The script of a chunk sees only the chunk's part of the
 * map. */
void run_script(run_frame *f);
/* Empties a map whose script failed, but keeps the messages that scripts have written. */
void run_keep_remarks(run *r);
/* The next function is in run_extras.c. */
/* Puts on the finished map one of the map extras in the terrain's set, if a random number
 * decides that there is one, and the monsters that the terrain itself states. */
void run_after(run *r);
/* The next functions are in run_finish.c; they change a whole map. */
/* Makes the map of a terrain by code (mapgen/ground); false: there is no code for it. */
bool run_ground(run *r, const char *type);
/* Makes the map of the OMT *site by code (mapgen/ground), as if its terrain had the type
 * `type`. Replaces the item groups and monster groups that the code puts on the map by
 * random items and monsters of them. False: there is no code for the type. */
bool run_ground_of(run *r, const ground_site *site, const char *type);
/* Makes the map that an entry is drawn over, if the entry names one: that of a terrain, or of
 * what stood here before. Because the whole map is rotated by `turns` later, that map is
 * rotated back by `turns` here. */
void run_predecessor(run *r, const mapgen_entry *entry, int turns);
/* Returns how many terrains stood on the OMT before the present one. */
size_t run_before_count(const mapgen_request *request);
/* Replaces pseudo ids, which stand for lists in the region's settings. Each tile gets a
 * random choice of its own. */
void run_resolve(run *r);
/* The next functions are in run_set.c. */
/* Puts a chunk that the piece names (its kind is MAPGEN_NESTED) on the map at x, y, or one of
 * its else_chunks if its conditions do not hold. */
void run_nested(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y);
