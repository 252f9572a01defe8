/* The mapgen of an open world: what local maps ask of it is compiled when they do. */
#ifndef WORLD_LOCAL_H
#define WORLD_LOCAL_H

#include "gen/coast/coast_plan.h"
#include "mapgen/run/heights.h"
#include "mapgen/run/run.h"
#include "portolan/local.h"
#include "portolan/local_area.h"
#include "portolan/local_tide.h"
#include "world/local/local_record.h"
#include "world/local/local_towns.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

typedef struct mapgen_loader mapgen_loader; /* local_library.c */

/* What maps see of an oter of the catalogue: the same for each that it stands beside. */
typedef struct seen_oter {
    bool known;
    uint32_t key; /* of its mapgen, in the pool */
    int turns;    /* quarter turns, clockwise, from how that is drawn */
    ground_omt ground;
    /* Of its terrain: */
    uint64_t type_hash;      /* of the id without direction */
    uint32_t extras, spawns; /* the region's set of map extras, its monsters; ID_NONE */
    bool unturned;           /* IGNORE_ROTATION_FOR_ADJACENCY */
    bool answers;            /* ground_answers */
} seen_oter;

/* Of the terrains whose maps were made last, by numbers of the pool. */
enum { LOCAL_PALETTES = 8 };
typedef struct local_palettes {
    uint32_t types[LOCAL_PALETTES], ids[LOCAL_PALETTES]; /* type ID_NONE: free */
    uint32_t next;                                       /* which is put out for another */
} local_palettes;

typedef struct world_mapgen {
    /* Reads of the store what is asked for; owned. NULL: all is there, and another thread than
     * the store's may use it. */
    mapgen_loader *loader;
    id_pool *pool;
    arena *memory;
    mapgen_library *library;
    mapgen_heights *heights;
    mapgen_tiles *tiles;
    mapgen_groups *groups;
    mapgen_ids ids;           /* of the pool */
    seen_oter *oters;         /* owned; by the catalogue's numbers, as far as they were seen */
    bool item_one_in;         /* the chance of a character's `item` is one in N, else percent */
    bool items_geometric;     /* `items` goes on while its chance holds, else it is one pass */
    mapgen_extras extras;     /* of the world's region; in the memory */
    ground_settings settings; /* of the world's region */
    local_palettes palettes;  /* of terrains that were made */
    ocean_plan ocean;
    coast_plan plan;
    ground_shoals shoals;        /* no types: the world has none */
    struct gen_config *planner;  /* owned; NULL: no town's name was asked for yet */
    local_towns planned;         /* by that, beside those of a map that was made */
    local_towns towns;           /* of the chunk that was looked at last, in the file */
    local_record *record;        /* held; likewise */
    struct local_works *works;   /* owned; what was found last (local_works.c); NULL: nothing */
    struct local_afloat *afloat; /* owned; NULL: nobody asked which monsters swim */
} world_mapgen;

/* What the public calls work with. */
struct ptl_local_map {
    stored_map stored; /* as the store gave it, and changed since */
    int64_t world_id;
    struct local_view *view; /* owned; NULL: it is seen as it is stored */
    bool derived;            /* it was made for this reading alone */
};

/* Compiles all (`whole`), or gets ready to compile what maps ask for; *out is new. Maps are the
 * same. The world is borrowed. PTL_ERR_MISMATCH as of world_local_content. */
ptl_status world_mapgen_load(world_mapgen **out, const ptl_world *world, bool whole,
                             ptl_error *err);
void world_mapgen_free(world_mapgen *mapgen); /* NULL is fine */
/* The pool's number of what maps of a terrain are made of; ID_NONE: nobody knows. */
uint32_t world_mapgen_palette(world_mapgen *mapgen, const char *type);
/* What could not be read of all that was asked for: until it is PTL_OK, what was made may lack
 * something. */
ptl_status world_mapgen_fault(const world_mapgen *mapgen, ptl_error *err);

/* local_site.c: */
/* Reads what the content says of the world's region. `parts`: objects of world_region_types (up
 * to NULL) as well, which may be there. */
extern const char *const world_region_types[];
/* Reads what the content says about the world's region and its coast. `parts`: the content
 * may have objects of world_region_types, which are read first. */
ptl_status world_mapgen_region(world_mapgen *mapgen, const ptl_world *world, bool parts,
                               ptl_error *err);
/* local_extras.c: */
/* Reads the content's rules for chances: its options, else by whether it has palettes. */
ptl_status world_mapgen_rules(world_mapgen *mapgen, const ptl_world *world, ptl_error *err);
/* Reads the region's map extras. */
ptl_status world_mapgen_extras(world_mapgen *mapgen, const ptl_world *world, ptl_error *err);
/* OMTs by their numbers in the world's catalogue; PTL_OTER_NONE where there is none. */
enum {
    AROUND_REACH = 3, /* OMTs that a map may depend on, to each side */
    AROUND_SIDE = 2 * AROUND_REACH + 1,
    AROUND_CELLS = AROUND_SIDE * AROUND_SIDE,
    AROUND_MIDDLE = AROUND_CELLS / 2
};
typedef struct local_around {
    ptl_oter cells[AROUND_CELLS]; /* row by row from the north-west: itself in the middle */
    ptl_oter above, below;
    const local_record *record; /* of its chunk, borrowed likewise; NULL: nothing is known */
} local_around;

/* The place of the OMT that lies so far off. */
static inline int around_place(int dx, int dy)
{
    return AROUND_MIDDLE + dy * AROUND_SIDE + dx;
}

/* Has it the flag, of all that the content gives? */
bool world_terrain_has(const cat_terrain *t, const char *flag);
/* What maps see of an OMT; of none all is empty. Borrowed from the mapgen. */
const seen_oter *world_seen_oter(const world_mapgen *mapgen, const catalogue *cat,
                                 ptl_oter oter);
/* Where ground is made. Texts are borrowed from the catalogue. */
ground_site world_site(const ptl_world *world, const world_mapgen *mapgen, ptl_omt at,
                       const local_around *around);

/* local.c: what a map is made with. Two threads may make maps of one world, each with a mapgen
 * of its own: of the world only what never changes is read. */
typedef struct local_maker {
    const ptl_world *world;
    world_mapgen *mapgen;
    ptl_status (*look)(local_around *out, void *payload, ptl_omt at, ptl_error *err);
    /* Gives those that are saved around the OMT, borrowed until the next call of either. */
    ptl_status (*towns)(const local_towns **out, void *payload, ptl_omt at, ptl_error *err);
    void *payload;
    int64_t turn; /* the game's, for which maps are made */
} local_maker;

/* Makes the map of an OMT into an initialised one, whose ids are numbers of the mapgen's pool
 * then, and says what is known of it; its revision is the caller's. */
ptl_status world_local_run(local_map *out, map_info *info, const local_maker *maker, ptl_omt at,
                           ptl_error *err);
/* Maps are made of the file's present content alone: PTL_ERR_MISMATCH if the world has another.
 */
ptl_status world_local_content(const ptl_world *world, ptl_error *err);
/* Loads world->mapgen if it is not there, or could not read something. `whole` as of
 * world_mapgen_load. PTL_ERR_MISMATCH as of world_local_content. */
ptl_status world_local_load(ptl_world *world, bool whole, ptl_error *err);
/* Gives a maker over the file, after that: chunks that its maps need are generated. */
ptl_status world_local_maker(local_maker *out, ptl_world *world, int64_t turn, ptl_error *err);
/* Carries an update out on a map of that place, whose ids are numbers of the mapgen's pool; own
 * is NULL and up 0. Else it is what the update has for the map `up` levels above that place:
 * `own` is the updated one as it was before, and of no use after. What is drawn depends on
 * place, update and info->revision. PTL_ERR_NOT_FOUND: there is none of the id. */
ptl_status world_local_update(local_map *map, local_map *own, int up, const map_info *info,
                              const local_maker *maker, const char *id, ptl_error *err);
/* Makes a map of which nothing is prepared. */
ptl_status world_local_make(local_map *out, map_info *info, ptl_world *world, ptl_omt at,
                            int64_t turn, ptl_error *err);

/* local_afloat.c: */
typedef struct local_afloat local_afloat;
void local_afloat_free(local_afloat *afloat); /* NULL is fine */
/* Reads which monsters swim or fly, once. */
ptl_status world_local_afloat(world_mapgen *mapgen, const ptl_world *world, ptl_error *err);
/* Reads which vehicles and groups of monsters do, too, once. */
ptl_status world_local_afloat_things(world_mapgen *mapgen, const ptl_world *world,
                                     ptl_error *err);
/* Is it a thing that deep water moves: items and groups of them, corpses, vehicles that do not
 * float, groups of monsters none of which swims or flies? id: the entity's. False of vehicles
 * and monsters before those were read. */
bool world_local_sinks(const world_mapgen *mapgen, const local_entity *e, const char *id);
/* Is it a creature that deep water moves? id: the entity's. False of monsters before that was
 * read. */
bool world_local_walks(const world_mapgen *mapgen, const local_entity *e, const char *id);

/* local_tide.c: */
/* Terrain that a tide is shown in. */
typedef struct local_view {
    uint32_t mean[LOCAL_CELLS], shown[LOCAL_CELLS];
} local_view;

typedef struct local_sea {
    const world_mapgen *mapgen; /* borrowed */
    bool any;                   /* the OMT is sea or shore of a world with shoals */
    bool other_water;           /* it is a river, or a lake */
    bool full;
    coast_ground ground;
    coast_moment now;   /* of the turn that was asked for */
    bool raised;        /* local tides reach the OMT then */
    coast_ground under; /* the ground under them */
} local_sea;
/* Says what the sea is at an OMT, at any turn: `now` is the caller's. Of stored maps the ground
 * is stored, too (local_spill.h). */
ptl_status world_local_sea(local_sea *out, const local_maker *maker, ptl_omt at,
                           ptl_error *err);
/* Sets what local tides raise there, as coast_flood. The OMT has sea. */
ptl_status world_local_raise(local_sea *sea, const local_maker *maker, ptl_omt at,
                             const uint8_t *raise, ptl_error *err);
/* The same at a turn, with the local tides that last then. */
ptl_status world_local_sea_at(local_sea *out, const local_maker *maker, ptl_omt at,
                              int64_t turn, ptl_error *err);
/* How high the water stands at a cell of it, if the OMT has any; *lag as coast_level_now. A
 * local tide lowers no water. */
int32_t local_sea_level(int32_t *lag, const local_sea *sea, int32_t cell);
/* What the cell is. */
coast_feature local_sea_feature(const local_sea *sea, int32_t cell);
/* What stands at a tile at a turn, as ptl_local_water_get. */
ptl_status world_local_water(ptl_local_water *out, const local_maker *maker, int64_t x,
                             int64_t y, int64_t turn, ptl_error *err);
/* The OMT of a tile, and which tile of it that is. */
ptl_omt world_local_tile(int32_t *cell, int64_t x, int64_t y);
/* Shows a map as the sea is at its turn: what the game has changed stays. Its ids are numbers
 * of the pool. False when memory is out. */
bool world_local_flood(local_map *map, id_pool *pool, const local_sea *sea);
/* Undoes what was shown, but for what has been changed since. */
void world_local_still(ptl_local_map *map);
/* Gives the map a view at the tide of a turn. */
ptl_status world_local_show(ptl_local_map *map, ptl_world *world, int64_t turn, ptl_error *err);

/* local_works.c: */
/* Flags of terrain that leads over the sea. */
enum { WORLD_WAYS = CAT_FLAG_ROAD | CAT_FLAG_HIGHWAY | CAT_FLAG_BRIDGE };
/* Gives heights and spills of an OMT of level 0, of which `around` was looked up: *any false
 * where it is neither sea nor shore nor a way over them. The world has shoals. Maps of what
 * stands on the OMT and around it are read, or made: errors as of that. raise: as coast_flood.
 */
ptl_status world_local_ground(coast_ground *out, bool *any, const local_maker *maker,
                              ptl_omt at, const local_around *around, const uint8_t *raise,
                              ptl_error *err);
/* Begins a writing of maps: what world_local_ground_anew finds from here on of what stands
 * there is kept for its next calls, and nothing of before. A map that is written since then is
 * told to world_local_changed. */
ptl_status world_local_anew(world_mapgen *mapgen, ptl_error *err);
/* Tells that the map at this place is written, so that its kept heights are not used again. */
void world_local_changed(world_mapgen *mapgen, ptl_omt at);
/* The same, looked up, not raised, and found again whatever was found before this writing. *any
 * false also in a world without shoals. */
ptl_status world_local_ground_anew(coast_ground *out, bool *any, const local_maker *maker,
                                   ptl_omt at, ptl_error *err);
/* Likewise of the OMT's heights alone, without a flood: a small part of the time. */
ptl_status world_local_heights_anew(int16_t heights[LOCAL_CELLS], bool *any,
                                    const local_maker *maker, ptl_omt at, ptl_error *err);
/* Is the OMT of a terrain that may put there what is no coast by itself? */
ptl_status world_local_built(bool *out, const local_maker *maker, ptl_omt at, ptl_error *err);
/* Is a terrain what the coast is covered with above the highest tide? */
bool world_local_soil(const world_mapgen *mapgen, const char *terrain);

/* local_update.c: */
/* An initialised map; NULL when memory is out. */
local_map *world_local_new(void);
void world_local_free(local_map *map); /* NULL is fine */
/* Things and tiles whose texts are another pool's; numbers of it become numbers of `to`. */
void world_local_move_thing(local_entity *e, id_pool *to, const id_pool *from);
void world_local_move_tiles(local_map *out, id_pool *to, const local_map *map,
                            const id_pool *from);
/* Cells of one layer; neighbours are mostly the same. */
void world_local_move_cells(uint32_t *out, id_pool *to, const uint32_t *cells,
                            const id_pool *from);

/* local_derive.c: */
/* Gives the map of an OMT that is not stored, as if it had been. *out is new. */
ptl_status world_local_derive(ptl_local_map **out, ptl_world *world, ptl_omt at,
                              ptl_error *err);
/* Has the map stored with the first revision, if it is not there, so that what was changed of a
 * derived one can be put; in a transaction of the caller's. */
ptl_status world_local_enter(ptl_world *world, const map_write *map, ptl_error *err);
/* From now on the world stores the maps that it makes. */
ptl_status world_local_keep(ptl_world *world, ptl_error *err);

/* local_maps.c: */
/* PTL_ERR_ARGUMENT where there can be no map. */
ptl_status world_local_place(ptl_omt at, ptl_error *err);
/* Gives world->local_codec. */
ptl_status world_local_codec(ptl_world *world, ptl_error *err);

/* local_digest.c and local_bulk.c: a rectangle is none, or lies outside of all chunks and
 * levels. */
ptl_status world_local_area(const ptl_local_area *area, ptl_error *err);

#endif
