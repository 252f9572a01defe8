/* Local maps of an open world. The content's mapgen is compiled piece by piece, as maps ask
 * for it, or all at once for threads. */
#pragma once

#include "gen/coast/coast_plan.h"
#include "mapgen/run/run.h"
#include "portolan/area.h"
#include "portolan/local_area.h"
#include "portolan/local_tide.h"
#include "world/world.h"

#include <stdlib.h>

/*
 * Names of towns on local maps: the cities of a chunk and its eight neighbours. Cities of the
 * chunk itself and of imported neighbours are those that are saved. Other neighbours have
 * their planned cities, whether they are saved or not, so that no sign depends on the order
 * in which chunks are made. (A sign may therefore name a planned city of a neighbour that
 * found no ground.)
 */

typedef struct local_town {
    int64_t x, y; /* its centre in OMTs */
    char *name;   /* owned */
} local_town;

/* A list of towns. Zero it before use; local_towns_dispose frees it. */
typedef struct local_towns {
    local_town *list; /* owned */
    size_t count, room;
    ptl_chunk_pos chunk; /* the middle one of the nine chunks */
    uint32_t planned;    /* chunks whose cities are planned ones: bit 3 * (dy + 1) + dx + 1 */
} local_towns;

void local_towns_dispose(local_towns *towns);

/*
 * What local maps ask a saved chunk about its OMTs: the oters of a column, what stood there
 * before, by which joins the piece of a mutable special met its neighbours, and which
 * placement an OMT belongs to. A record never changes once it is read, so that threads may
 * ask it at the same time.
 */

typedef struct local_record local_record;

/* Reads the record of an OMT's chunk. *record is NULL or the record read last; it stays if it
 * is still what the file has, and is dropped for a new one otherwise. The record of a chunk
 * that is not saved is empty. */
ptl_status local_record_read(local_record **record, const ptl_world *world, ptl_omt at,
                             ptl_error *err);
/* Adds a holder. Each holder drops the record once; the last drop frees it. NULL is fine.
 * Holders are counted without a lock, so only one thread may hold and drop. */
local_record *local_record_hold(local_record *record);
/* Takes a holder away; NULL is fine. */
void local_record_drop(local_record *record);
/* Reads the towns around the record's chunk, unless it has them already. */
ptl_status local_record_read_towns(local_record *record, const ptl_world *world,
                                   ptl_error *err);
/* Has the towns read again when they are asked for next, as other chunks may have changed. */
void local_record_forget_towns(local_record *record);
/* Gives the name of the town whose centre is nearest to an OMT of the record's chunk; if
 * several are equally near, the first. It is borrowed from the record or the mapgen. NULL: no
 * town has a name. Threads may ask once the towns were read, each with a mapgen of its own. */
ptl_status local_record_town(const char **out, local_record *record, const ptl_world *world,
                             struct world_mapgen *mapgen, ptl_omt at, ptl_error *err);

/* Returns a hash of the chunk's tiles and features; 0 if nothing is known. */
uint64_t local_record_key(const local_record *record);

/* Returns the join by which the piece at an OMT met its neighbour on a side of the world (0
 * to 3: north, east, south, west; CAT_ABOVE, CAT_BELOW). "" if it met none there. */
const char *local_record_join(const local_record *record, ptl_omt at, int side);
/* Gives the oter that stood at an OMT before the present one: number 0 is the oldest.
 * CAT_NONE: the catalogue lacks it. False after the last. */
bool local_record_before(ptl_oter *out, const local_record *record, ptl_omt at, size_t number);
/* Returns the oter at an OMT; CAT_NONE if the chunk is not saved, or if the OMT lies outside
 * of it. */
ptl_oter local_record_oter(const local_record *record, ptl_omt at);
/* Gives the special or building that an OMT belongs to: *out is its origin, *key identifies
 * which one it is. False: it belongs to none. */
bool local_record_placement(ptl_omt *out, uint64_t *key, const local_record *record,
                            ptl_omt at);

typedef struct mapgen_loader mapgen_loader; /* see local_library.c */

/* What mapgen asks about an oter of the catalogue. It is found once for each oter, as the
 * same one stands beside many OMTs. */
typedef struct seen_oter {
    bool known;
    uint32_t key; /* number in the pool of the key that its mapgen entries have */
    int turns; /* clockwise quarter turns from the direction in which its entries are drawn */
    ground_omt ground;
    /* What its maps are made of (ground_palette), as a number of the pool; ID_NONE: that was
     * not found out yet, or is not known. */
    uint32_t palette;
    /* The members below are those of the oter's terrain. */
    uint64_t type_hash; /* hash of the id without direction */
    /* Names of the set of map extras and the monster group; ID_NONE: it has none. */
    uint32_t extras, spawns;
    bool unturned; /* has the flag IGNORE_ROTATION_FOR_ADJACENCY */
    bool answers;  /* see ground_answers */
} seen_oter;

/* What is known of one type. Its number is that of its id in the mapgen's pool. */
typedef struct afloat_type {
    uint32_t parent; /* the type that it is copied from; ID_NONE: none */
    /* states: the object says itself what it has; otherwise its parent decides. */
    bool known, states;
    bool floats;
} afloat_type;

/* All types of one kind, indexed by id. */
typedef struct afloat_list {
    afloat_type *items; /* owned */
    size_t count;
} afloat_list;

enum { AFLOAT_MONSTERS, AFLOAT_PARTS, AFLOAT_VEHICLES, AFLOAT_GROUPS, AFLOAT_SORTS };

typedef struct world_mapgen {
    /* Owned; reads objects from the store when they are asked for. NULL: all of the content
     * is compiled, so that another thread than the store's may use this mapgen. */
    mapgen_loader *loader;
    id_pool *pool;
    arena *memory;
    mapgen_library *library;
    mapgen_tiles *tiles;
    mapgen_groups *groups;
    mapgen_ids ids;   /* of fixed words, in the pool */
    seen_oter *oters; /* owned; by the catalogue's numbers, each filled when it is first seen */
    bool item_one_in; /* the chance of `item` for a symbol means one in N; false: percent */
    /* `items` repeats as long as its chance holds; false: it draws once. */
    bool items_geometric;
    mapgen_extras extras;     /* of the world's region; allocated in `memory` */
    ground_settings settings; /* of the world's region */
    ocean_plan ocean;
    coast_plan plan;
    ground_shoals shoals;       /* without types: the world has no shoals */
    struct gen_config *planner; /* owned; NULL: no town's name was asked for yet */
    local_towns planned;        /* towns that planner tells around the chunk of the last map */
    local_record *record;       /* held; of the chunk that was looked at last */
    struct local_works *works;  /* owned; results found last (local_works.c); NULL: none */
    /* What floats, swims or flies (local_wash.c): monsters once knows_swimmers is set, the
     * other sorts once knows_floats is. */
    afloat_list afloat[AFLOAT_SORTS];
    bool knows_swimmers, knows_floats;
} world_mapgen;

/* local_tide.c: */
/* The terrain of a map that is shown with a tide: `mean` as it is stored, `shown` as it is
 * seen. */
typedef struct local_view {
    uint32_t mean[LOCAL_CELLS], shown[LOCAL_CELLS];
} local_view;

/* A local map as the public calls give it out. */
struct ptl_local_map {
    stored_map stored; /* as the store gave it, with the changes made since */
    int64_t world_id;
    struct local_view *view; /* owned; NULL: the map shows what is stored, not a tide */
    bool derived;            /* it is not stored: it was made for this one reading */
};

/* Makes a mapgen for a world, which it borrows; *out is new. `whole` compiles all of the
 * content now; otherwise objects are compiled when maps ask for them. The maps come out the
 * same. PTL_ERR_MISMATCH as for world_local_content. */
ptl_status world_mapgen_load(world_mapgen **out, const ptl_world *world, bool whole,
                             ptl_error *err);
void world_mapgen_free(world_mapgen *mapgen); /* NULL is fine */
/* Returns the first error of reading content for maps. As long as there is one, maps that
 * were made may lack something. */
ptl_status world_mapgen_fault(const world_mapgen *mapgen, ptl_error *err);

/* local.c: */
/* Types of content objects that describe parts of regions, ending with NULL. */
extern const char *const world_region_types[];
/* Reads what the content says about the world's region and its coast. `parts`: the content
 * may have objects of world_region_types, which are read first. */
ptl_status world_mapgen_region(world_mapgen *mapgen, const ptl_world *world, bool parts,
                               ptl_error *err);
/* What lies around an OMT: oters by their numbers in the world's catalogue, and PTL_OTER_NONE
 * where there is none. */
enum {
    AROUND_REACH = 3, /* distance in OMTs, to each side, that a map may depend on */
    AROUND_SIDE = 2 * AROUND_REACH + 1,
    AROUND_CELLS = AROUND_SIDE * AROUND_SIDE,
    AROUND_MIDDLE = AROUND_CELLS / 2
};
typedef struct local_around {
    ptl_oter cells[AROUND_CELLS]; /* row by row from the north-west; the OMT itself is
                                     AROUND_MIDDLE */
    ptl_oter above, below;
    /* Of the OMT's chunk, borrowed until the next look; NULL: nothing is known. */
    local_record *record;
} local_around;

/* Returns the index in cells of the OMT at this distance from the middle. */
static inline int around_place(int dx, int dy)
{
    return AROUND_MIDDLE + dy * AROUND_SIDE + dx;
}

/* Does the content give the terrain this flag? All flags of the content count, also those
 * that the catalogue has no bit for. */
bool world_terrain_has(const cat_terrain *t, const char *flag);
/* Returns what maps see of an oter, borrowed from the mapgen. A number that is no oter gives
 * an empty one. */
const seen_oter *world_seen_oter(const world_mapgen *mapgen, const catalogue *cat,
                                 ptl_oter oter);
/* Describes the place where ground is made: the OMT and its neighbours. Its texts are
 * borrowed from the catalogue. */
ground_site world_site(const ptl_world *world, const world_mapgen *mapgen, ptl_omt at,
                       const local_around *around);

/* What a map is made with (local.c). Several threads may make maps of one world, each with a
 * mapgen of its own: of the world they read only what never changes. */
typedef struct local_maker {
    const ptl_world *world;
    world_mapgen *mapgen;
    ptl_status (*look)(local_around *out, void *payload, ptl_omt at, ptl_error *err);
    void *payload;
    int64_t turn; /* the game's turn that maps are made for */
    bool anew;    /* see world_local_anew */
} local_maker;

/* Makes the map of an OMT. *out must be initialised; its ids become numbers of the mapgen's
 * pool. *info says what is known of the map, but its revision is for the caller to set. */
ptl_status world_local_run(local_map *out, map_info *info, const local_maker *maker, ptl_omt at,
                           ptl_error *err);
/* PTL_ERR_MISMATCH if the world has another content than the file's present one, whose mapgen
 * alone is at hand, or if it derives its maps and another version of the generator made it. */
ptl_status world_local_content(const ptl_world *world, ptl_error *err);
/* Loads world->mapgen if there is none. The one there is replaced if it has failed to read
 * something, or if `whole` is asked for and it is not. `whole` as for world_mapgen_load,
 * errors as for world_local_content. */
ptl_status world_local_load(ptl_world *world, bool whole, ptl_error *err);
/* Loads world->mapgen and gives a maker that looks into the file. Chunks that its maps need
 * are generated. */
ptl_status world_local_maker(local_maker *out, ptl_world *world, int64_t turn, ptl_error *err);
/* Applies the update `id` to the map at info->at, whose ids are numbers of the mapgen's pool.
 * With up 0, `own` is NULL and `map` is that map. Otherwise `map` lies `up` levels above it
 * and gets what the update places there; `own` is then the map at info->at from before the
 * update, and is used up by the call. What is drawn follows from place, update and
 * info->revision. PTL_ERR_NOT_FOUND: the content has no such update. */
ptl_status world_local_update(local_map *map, local_map *own, int up, const map_info *info,
                              const local_maker *maker, const char *id, ptl_error *err);
/* Makes a map after it has loaded all that this needs. */
ptl_status world_local_make(local_map *out, map_info *info, ptl_world *world, ptl_omt at,
                            int64_t turn, ptl_error *err);

/* local_wash.c: */
/* Reads which monsters swim or fly, and with `things` which vehicles and groups of monsters are
 * afloat, unless that was read before. */
ptl_status world_local_afloat(world_mapgen *mapgen, const ptl_world *world, bool things,
                              ptl_error *err);
/* Does deep water move this creature? id is the entity's as text. False for monsters that
 * were not read before. */
bool world_local_walks(const world_mapgen *mapgen, const local_entity *e, const char *id);

typedef struct local_sea {
    const world_mapgen *mapgen; /* borrowed */
    bool any;                   /* the OMT is sea or shore, and the world has shoals */
    bool other_water;           /* the OMT is no sea, but a river or a lake */
    bool full;
    coast_ground ground;
    coast_moment now;   /* the tides that the caller asks for */
    bool raised;        /* a local tide reaches the OMT at that moment */
    coast_ground under; /* ground and spills with the raised water; set if `raised` is */
} local_sea;
/* Finds ground and spills of the sea at an OMT. They hold for any turn: the caller sets
 * `now`. Stored maps have them stored, too (local_maps.h); others are found from the maps
 * around. */
ptl_status world_local_sea(local_sea *out, const local_maker *maker, ptl_omt at,
                           ptl_error *err);
/* The same as world_local_sea, at a turn: sets `now`, and has the local tides of that turn
 * raise the water. */
ptl_status world_local_sea_at(local_sea *out, const local_maker *maker, ptl_omt at,
                              int64_t turn, ptl_error *err);
/* Returns how high the water stands at a cell of an OMT with sea; *lag as for
 * coast_level_now. A local tide can raise water, but not lower it. */
int32_t local_sea_level(int32_t *lag, const local_sea *sea, int32_t cell);
/* Returns whether a cell is deep, shallow, dry or rock at that moment. */
coast_feature local_sea_feature(const local_sea *sea, int32_t cell);
/* Tells about the water at a tile and turn, as ptl_local_water_get does. */
ptl_status world_local_water(ptl_local_water *out, const local_maker *maker, int64_t x,
                             int64_t y, int64_t turn, ptl_error *err);
/* Returns the OMT that a tile lies in; *cell is the tile's number in it. */
ptl_omt world_local_tile(int32_t *cell, int64_t x, int64_t y);
/* Shows the sea's moment on a map: tiles that are as they were made get the terrain that they
 * have then, others stay. Ids of the map are numbers of the pool. False when memory is out. */
bool world_local_flood(local_map *map, id_pool *pool, const local_sea *sea);
/* Takes the view away: tiles get their stored terrain again, unless they were changed
 * since. */
void world_local_still(ptl_local_map *map);
/* Has the map show the tide of a turn. Does nothing on an OMT without sea. */
ptl_status world_local_show(ptl_local_map *map, ptl_world *world, int64_t turn, ptl_error *err);

/* local_works.c: */
/* Flags of terrain that leads over the sea. */
enum { WORLD_WAYS = CAT_FLAG_ROAD | CAT_FLAG_HIGHWAY | CAT_FLAG_BRIDGE };
/* Finds heights and spills of an OMT of level 0. `around` was looked up for it; NULL: this call
 * looks. *any false: the OMT is neither sea nor shore nor a way over them, or the world has no
 * shoals. Things that stand on the OMT and around it count, so their maps are read or made,
 * which may fail.
 * raise: as for coast_flood; NULL: no local tide. */
ptl_status world_local_ground(coast_ground *out, bool *any, const local_maker *maker,
                              ptl_omt at, const local_around *around, const uint8_t *raise,
                              ptl_error *err);
/* Begins a series of writes of maps. From now on grounds of this maker keep the heights that
 * they find for the rest of the series, and use no older ones. Every map that is written in the
 * series must be told to world_local_changed. */
ptl_status world_local_anew(local_maker *maker, ptl_error *err);
/* Tells that the map at this place is written, so that its kept heights are not used again. */
void world_local_changed(world_mapgen *mapgen, ptl_omt at);
/* Gives an OMT's heights alone, in a series of writes. Without a flood this takes a small part
 * of the time of world_local_ground. */
ptl_status world_local_heights_anew(int16_t heights[LOCAL_CELLS], bool *any,
                                    const local_maker *maker, ptl_omt at, ptl_error *err);
/* Gives whether the content may put things on the OMT's map that the coast's heights do not
 * make. */
ptl_status world_local_built(bool *out, const local_maker *maker, ptl_omt at, ptl_error *err);
/* Is this a terrain that covers the coast above the highest tide? */
bool world_local_soil(const world_mapgen *mapgen, const char *terrain);

/* local_update.c: */
/* Returns a new, initialised map; NULL when memory is out. */
local_map *world_local_new(void);
void world_local_free(local_map *map); /* NULL is fine */
/* Move an entity, or all tiles of a map, to another pool: numbers of `from` become numbers of
 * `to`. */
void world_local_move_thing(local_entity *e, id_pool *to, const id_pool *from);
void world_local_move_tiles(local_map *out, id_pool *to, const local_map *map,
                            const id_pool *from);
/* The same for the cells of one layer. Neighbours mostly have the same id, which is then
 * looked up once. */
void world_local_move_cells(uint32_t *out, id_pool *to, const uint32_t *cells,
                            const id_pool *from);

/* Changes the world so that from now on it stores the maps that it makes. */
ptl_status world_local_keep(ptl_world *world, ptl_error *err);

/* local_maps.c: */
/* PTL_ERR_ARGUMENT if no map can lie at this place. */
ptl_status world_local_place(ptl_omt at, ptl_error *err);

/* PTL_ERR_ARGUMENT if the corners of a rectangle are in the wrong order, or if it lies
 * outside of all chunks or levels. Used by local_record.c and local_bulk.c. */
ptl_status world_local_area(const ptl_local_area *area, ptl_error *err);

/* Tells the library about all terrains that are uniform or have another terrain's ground.
 * False when memory is out. */
bool world_mapgen_terrains(mapgen_library *library, id_pool *pool, const catalogue *cat);

/* Reads entries that stand inside a terrain; the next two functions take its rows. */
extern const content_query world_embedded_query;
/* Returns the JSON of an entry that can be compiled; NULL if the row is a mapgen that the
 * games have as code. */
const char *world_embedded_text(const content_value *row);
/* Returns the key that such an entry is registered under. */
uint32_t world_embedded_key(id_pool *pool, const content_value *row);

/* Does the oter have a map? If not, its map is filled with one terrain, which is only a
 * stopgap. */
bool world_terrain_is_made(mapgen_library *library, id_pool *pool, const catalogue *cat,
                           const cat_oter *oter);
