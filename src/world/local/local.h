/* Local maps of an open world. The content's mapgen is compiled object by object, when a map
 * needs an object, or all at once for use by threads. */
#pragma once

#include "gen/coast/coast_plan.h"
#include "mapgen/odds/odds.h"
#include "mapgen/run/run.h"
#include "portolan/area.h"
#include "portolan/local_area.h"
#include "portolan/local_tide.h"
#include "world/world.h"

#include <stdlib.h>

/*
 * A town whose name may appear on signs of local maps: a city of a chunk or of one of its eight
 * neighbours. For the chunk itself and for imported neighbours, the saved cities are used. For
 * other neighbours the planned cities are used, whether the neighbour is saved or not, so that
 * no sign depends on the order in which chunks are made. (A sign may therefore name a planned
 * city that found no place when the neighbour was generated.)
 */

typedef struct local_town {
    int64_t x, y; /* the town's centre in OMTs */
    char *name;   /* owned */
} local_town;

/* A list of towns. Zero the struct before use; local_towns_dispose frees the list. */
typedef struct local_towns {
    local_town *list; /* owned */
    size_t count, room;
    ptl_chunk_pos chunk; /* the chunk around which the towns were looked for, in 3 x 3 chunks */
    /* Of which of the nine chunks around `chunk` the list has the planned cities. The chunk
     * that lies dx columns and dy rows away from `chunk` has the bit 3 * (dy + 1) + dx + 1. */
    uint32_t planned;
} local_towns;

void local_towns_dispose(local_towns *towns);

/*
 * What local maps need to know about the OMTs of a saved chunk: the oters of each column, which
 * oters stood there before, by which joins the pieces of mutable specials meet, and which
 * special or building an OMT belongs to. A record never changes after it was read, so that
 * threads may read it at the same time.
 */

typedef struct local_record local_record;

/* Reads the record of an OMT's chunk: what local maps need to know of it. *record is NULL or
 * the record that was read last. If that is the record of this chunk and the file's chunk has
 * not changed, it is kept; otherwise it is dropped and replaced. The record of a chunk that is
 * not saved is empty. */
ptl_status local_record_read(local_record **record, const ptl_world *world, ptl_omt at,
                             ptl_error *err);
/* Counts one more holder of the record, and returns the record. Each holder must drop the
 * record once; the last drop frees it. Does nothing for NULL. Holders are counted without a
 * lock, so only one thread may hold and drop records. */
local_record *local_record_hold(local_record *record);
/* Must be called once by each holder of the record. Frees the record when the last holder has
 * called this. Does nothing for NULL. */
void local_record_drop(local_record *record);
/* Reads the towns around the record's chunk, unless the record has them already. */
ptl_status local_record_read_towns(local_record *record, const ptl_world *world,
                                   ptl_error *err);
/* Makes the record read its towns again when they are next asked for, because other chunks may
 * have changed. */
void local_record_forget_towns(local_record *record);
/* Gives the name of the town whose centre is nearest to an OMT of the record's chunk; if
 * several are equally near, the first. The name is borrowed from the record or the mapgen.
 * NULL: no town has a name. Once the towns were read, several threads may call this, each with
 * a mapgen of its own. */
ptl_status local_record_town(const char **out, local_record *record, const ptl_world *world,
                             struct world_mapgen *mapgen, ptl_omt at, ptl_error *err);

/* Returns a hash of the chunk's OMTs and features; 0 if the chunk is not saved. */
uint64_t local_record_key(const local_record *record);

/* Returns the join by which the piece at an OMT meets the piece beside it. `side` is 0 to 3 for
 * north, east, south and west, or CAT_ABOVE or CAT_BELOW. "" if there is no join on that side.
 */
const char *local_record_join(const local_record *record, ptl_omt at, int side);
/* Gives an oter that stood at an OMT before the present one: number 0 is the oldest. CAT_NONE:
 * the catalogue lacks the oter. False if no oter has this number. */
bool local_record_before(ptl_oter *out, const local_record *record, ptl_omt at, size_t number);
/* Returns the oter at an OMT; CAT_NONE if the chunk is not saved, or if the OMT lies outside of
 * the chunk. */
ptl_oter local_record_oter(const local_record *record, ptl_omt at);
/* Gives the special or building that an OMT belongs to: *out is its origin, and *key is a
 * number that no other special or building of the chunk has. False: the OMT belongs to none. */
bool local_record_placement(ptl_omt *out, uint64_t *key, const local_record *record,
                            ptl_omt at);

/* Reads content objects for mapgen (local_library.c). */
typedef struct mapgen_loader mapgen_loader;

/* What mapgen needs to know about an oter of the catalogue. It is computed only once for each
 * oter, because many OMTs have the same oter. */
typedef struct seen_oter {
    bool known;
    /* The key under which the mapgen entries for the oter are registered, as a number of the
     * mapgen's pool of texts. */
    uint32_t key;
    int turns; /* by how many quarter turns, clockwise, the oter is rotated against the
                * content's drawing of it */
    ground_omt ground;
    /* Which set of tile terrains (ground_palette) the ground of the oter's maps is made of: its
     * number in the mapgen's pool of texts. ID_NONE: not computed yet, or unknown. */
    uint32_t palette;
    /* This member and all members after it are equal for all oters of a terrain. */
    uint64_t type_hash; /* hash of the terrain's id (without a suffix such as _north) */
    /* The terrain's set of map extras, and its monster group: the numbers that the mapgen's
     * pool of texts has for their names; ID_NONE: the terrain has none. */
    uint32_t extras, spawns;
    /* The post-process generators that the terrain names, as numbers of the mapgen's pool of
     * texts; a terrain that has only the flag for riots has the generator of buildings. */
    const uint32_t *processes;
    uint16_t process_count;
    bool riots;    /* riots damage maps of the terrain, or it has post-process generators */
    bool unturned; /* the terrain has the flag IGNORE_ROTATION_FOR_ADJACENCY */
    /* The ground of the OMT is made by code, and this code continues stairs or other ways that
     * lead to the OMT from another level (ground_answers). */
    bool answers;
} seen_oter;

/* Whether one type of object is moved by deep water. In a list of these types, the index is the
 * number that the type's id has in the mapgen's pool of texts. */
typedef struct afloat_type {
    uint32_t parent; /* the type of monster, item or vehicle from which this type is copied;
                        ID_NONE: none */
    /* `known` is true if an object of this type was read. `states` is true if that object says
     * itself whether it floats; otherwise its parent decides. */
    bool known, states;
    bool floats;
} afloat_type;

/* For all types of one kind of thing (monsters, vehicles and so on): whether deep water moves
 * them. The index is the number that the type's id has in the mapgen's pool of texts. */
typedef struct afloat_list {
    afloat_type *items; /* owned */
    size_t count;
} afloat_list;

enum { AFLOAT_MONSTERS, AFLOAT_PARTS, AFLOAT_VEHICLES, AFLOAT_GROUPS, AFLOAT_SORTS };

typedef struct world_mapgen {
    /* Owned; reads the content's objects from the store when maps need them. NULL: all of the
     * content was compiled at once, so threads that may not use the store can use this mapgen.
     */
    mapgen_loader *loader;
    id_pool *pool;
    arena *memory;
    mapgen_library *library;
    mapgen_tiles *tiles;
    mapgen_groups *groups;
    mapgen_ids ids;   /* numbers that the pool of texts has for fixed words */
    seen_oter *oters; /* owned; indexed by oter; each is filled in at its first use */
    /* Mapgen may state a chance N for an `item` that a character of a drawing stands for. True:
     * it comes one time in N; false: with N percent. */
    bool item_one_in;
    /* True: a mapgen piece `items` is repeated until its chance fails; false: its chance is
     * tried once. */
    bool items_geometric;
    /* True: a mapgen piece `items` without a stated chance always comes; false: its chance is 1
     * percent. */
    bool items_always;
    mapgen_extras extras;     /* map extras of the world's region; allocated in `memory` */
    ground_settings settings; /* settings of the world's region */
    ocean_plan ocean;
    coast_plan plan;
    ground_shoals shoals; /* the coast and the terrains with the mapgen `shoals`; there are none
                           * if the world has no shoals */
    /* Owned; the config by which cities are planned when the name of a town is needed; NULL:
     * none was needed yet. */
    struct gen_config *planner;
    local_towns planned;  /* planned towns around the chunk of the last map */
    local_record *record; /* record of the chunk in which the last map was made; freed by
                             local_record_drop */
    /* Owned; the heights and terrains of the ground that local_works.c has computed last; NULL:
     * it has computed nothing yet. */
    struct local_works *works;
    /* Which types of things float, swim or fly (local_wash.c): a list for each kind of thing.
     * The list of monsters was read if knows_swimmers is set, and the other lists if
     * knows_floats is set. */
    afloat_list afloat[AFLOAT_SORTS];
    bool knows_swimmers, knows_floats;
} world_mapgen;

/* ---- declared here, defined in local_tide.c ---- */
/* The terrain of a map that is shown with a tide: `mean` as it is stored (at the mean sea
 * level), `shown` as the caller sees it. */
typedef struct local_view {
    uint32_t mean[LOCAL_CELLS], shown[LOCAL_CELLS];
} local_view;

/* A local map in the form that the public calls give out. */
struct ptl_local_map {
    stored_map stored; /* the map as the store gave it, with the caller's changes */
    int64_t world_id;
    struct local_view *view; /* owned; NULL: the map shows what is stored, without a tide */
    bool derived; /* the map is not stored; it was made because the caller asked for it */
};

/* Makes a mapgen for a world, which it borrows; *out is new. If `whole` is true, all of the
 * content is compiled at once; if not, each object is compiled when a map first needs it. Both
 * ways give the same maps. PTL_ERR_MISMATCH in the same cases as world_local_content. */
ptl_status world_mapgen_load(world_mapgen **out, const ptl_world *world, bool whole,
                             ptl_error *err);
/* Makes several mapgens for a world, whole ones, at once in threads if the store allows that.
 * The elements of `out` must be NULL. After a failure some may be set; the caller frees them in
 * any case. */
ptl_status world_mapgen_load_all(world_mapgen **out, size_t count, const ptl_world *world,
                                 ptl_error *err);
void world_mapgen_free(world_mapgen *mapgen); /* NULL is fine */
/* Returns the first error of reading content for maps. After an error, maps that were made may
 * be incomplete. */
ptl_status world_mapgen_fault(const world_mapgen *mapgen, ptl_error *err);

/* ---- declared here, defined in local.c ---- */
/* The types of content objects that describe parts of regions; the list ends with NULL. */
extern const char *const world_region_types[];
/* Reads the content's settings for the world's region and its coast. If `parts` is true, the
 * content may have objects of the types in world_region_types, and these are read before the
 * region. */
ptl_status world_mapgen_region(world_mapgen *mapgen, const ptl_world *world, bool parts,
                               ptl_error *err);
/* The surroundings of an OMT: the oters in a square around it, as numbers of the world's
 * catalogue. PTL_OTER_NONE stands where the oter is not known. */
enum {
    AROUND_REACH = 3, /* a map depends on OMTs up to this distance, to each side */
    AROUND_SIDE = 2 * AROUND_REACH + 1,
    AROUND_CELLS = AROUND_SIDE * AROUND_SIDE,
    AROUND_MIDDLE = AROUND_CELLS / 2
};
typedef struct local_around {
    /* The oters of the OMT and the OMTs around it, row by row from the north-west. The oter of
     * the OMT itself has the index AROUND_MIDDLE. */
    ptl_oter cells[AROUND_CELLS];
    ptl_oter above, below;
    /* What is stored of the OMT's chunk beside its cells (local_record.c), borrowed until the
     * next call of `look`; NULL: that is not known. */
    local_record *record;
} local_around;

/* Returns the index in local_around.cells of the OMT that lies dx columns to the east and dy
 * rows to the south of the OMT in the middle. */
static inline int around_place(int dx, int dy)
{
    return AROUND_MIDDLE + dy * AROUND_SIDE + dx;
}

/* Returns whether the content gives the terrain this flag. The catalogue has bits only for some
 * flags; this function knows all of them. */
bool world_terrain_has(const cat_terrain *t, const char *flag);
/* Returns what maps need to know about an oter, borrowed from the mapgen. If no oter has the
 * given number, an empty struct is returned. */
const seen_oter *world_seen_oter(const world_mapgen *mapgen, const catalogue *cat,
                                 ptl_oter oter);
/* Describes the place where ground is made: the OMT and its neighbours. The texts are borrowed
 * from the catalogue. */
ground_site world_site(const ptl_world *world, const world_mapgen *mapgen, ptl_omt at,
                       const local_around *around);

/* An OMT, or a few, that stand alone (local_scene.c): nothing else is around them, and no chunk
 * or special that they belong to. */
typedef struct scene_omt {
    ptl_omt at;
    ptl_oter oter;
} scene_omt;

typedef struct local_scene {
    scene_omt *omts; /* owned; in no order; each place is there only once */
    size_t count, room;
    ptl_oter before; /* what stood at each OMT of the scene before; PTL_OTER_NONE: nothing */
    uint64_t seed;   /* the maps are made by this seed together with the world's seed */
    bool extras;     /* true: maps may get map extras */
    mapgen_given *given; /* borrowed; parameters whose values are given for all maps */
    size_t given_count;
    /* An OMT to which the next members apply, and to no other. `entry`: number of the entry
     * that makes its map (0: chosen by weight). `trace`: how a tile of its map is traced (NULL:
     * not at all). */
    ptl_omt focus;
    uint32_t entry;
    uint32_t *drawn; /* gets the number of the entry from which the map of the OMT `focus` is
                        drawn; may be NULL */
    mapgen_trace *trace;
    int turns; /* by how many quarter turns world_local_draw rotates what it draws */
} local_scene;

/* Returns the oter of a place; PTL_OTER_NONE if the scene has no OMT there. */
ptl_oter world_scene_oter(const local_scene *scene, ptl_omt at);
/* Puts an OMT into a scene (OMTs that stand alone, without a world), where it replaces the OMT
 * that is at the same place. Returns false when memory is out. */
bool world_scene_put(local_scene *scene, ptl_omt at, ptl_oter oter);
/* Finds the surroundings of an OMT in a scene, for a local_maker (its member `look`) whose
 * payload is a local_scene. */
ptl_status world_scene_look(local_around *out, void *payload, ptl_omt at, ptl_error *err);

/* What a map is made with (local.c). Several threads may make maps of one world, each with a
 * mapgen of its own: they read only those parts of the world that never change. */
typedef struct local_maker {
    const ptl_world *world;
    world_mapgen *mapgen;
    ptl_status (*look)(local_around *out, void *payload, ptl_omt at, ptl_error *err);
    void *payload;
    int64_t turn; /* the turn of the game for which maps are made */
    /* Maps are made as they would be if the world had the opposite setting riot_damage: for a
     * preview, which is not stored. */
    bool opposite;
    /* If not NULL: is asked for each item group whether it stays on the map as a group (see
     * mapgen_request). Only world_local_run_alone uses it. */
    bool (*stands)(void *payload, int32_t *number, uint32_t group, mapgen_loading loading);
    void *stands_payload;
    /* Set while a series of maps is written; then computed heights of the ground are kept
     * (world_local_anew). */
    bool anew;
    const local_scene *scene; /* The OMTs that stand alone, without a world (local_scene.c), and
                                 of which maps are made; then `look` must be world_scene_look.
                                 NULL: maps of the world are made. */
} local_maker;

/* Makes the map of an OMT. *out must be initialised. The ids in it become numbers of the
 * mapgen's pool of texts. *info gets the facts about the map (its oter, content and so on);
 * only its revision must be set by the caller. */
ptl_status world_local_run(local_map *out, map_info *info, const local_maker *maker, ptl_omt at,
                           ptl_error *err);
/*
 * Describes an OMT for mapgen/odds, which computes maps without knowing their neighbours. So
 * the function maker->look should return the OMT without what is around it.
 */
ptl_status world_local_alone(odds_request *out, const local_maker *maker, ptl_omt at,
                             ptl_error *err);
/* Makes the map of an OMT as if nothing were around it: without map extras, damaged by riots if
 * `riots` is true, and with an entity for each of several equal items. *whole is false if the
 * map has more things than a map may have, or needs Lua and this library was built without
 * it. */
ptl_status world_local_run_alone(local_map *out, const local_maker *maker, ptl_omt at,
                                 bool riots, bool *whole, ptl_error *err);
/* Gives, by the number of each overmap terrain, whether this pack of the present content
 * defines it (local_loot_pack.c); *out is new, also after an error. PTL_ERR_NOT_FOUND: there is
 * no such pack. */
ptl_status world_local_pack(bool **out, const ptl_world *world, const char *pack,
                            ptl_error *err);
/* Returns why a figure is in doubt (ODDS_REMOVED and so on); "" for 0. */
const char *world_local_doubt(uint32_t doubts);
/* Returns the date and hour of a turn. */
mapgen_time world_local_time(int64_t turn);
/* Draws an update or a nested chunk on a map; maker->scene (the OMTs that the map is made
 * among) must not be NULL. PTL_ERR_NOT_FOUND if the key has no entries, or if the scene asks
 * for an entry by its number and the key has no such entry. */
ptl_status world_local_draw(local_map *map, const local_maker *maker, ptl_omt at,
                            mapgen_role role, uint32_t key, ptl_error *err);
/* Checks that maps can be made. PTL_ERR_MISMATCH if the world was made with other content than
 * the file's present one, because only the present content's mapgen is available, or if the
 * world derives its maps and was made by another version of the generator. */
ptl_status world_local_content(const ptl_world *world, ptl_error *err);
/* Loads world->mapgen if there is none. An existing mapgen is replaced if it has failed to read
 * something, or if `whole` is true and not all of the content was compiled for it (see
 * world_mapgen_load). The errors are those of world_local_content. */
ptl_status world_local_load(ptl_world *world, bool whole, ptl_error *err);
/* Loads world->mapgen, whole, and more mapgens beside it, for `count` threads in all. Sets
 * out[0] to world->mapgen and the others, which must be NULL before, to new mapgens that the
 * caller frees, also after a failure. */
ptl_status world_local_load_all(world_mapgen **out, size_t count, ptl_world *world,
                                ptl_error *err);
/* Loads world->mapgen and gives a local_maker (which makes local maps) that reads the
 * surroundings of OMTs from the file. Chunks that its maps need are generated. */
ptl_status world_local_maker(local_maker *out, ptl_world *world, int64_t turn, ptl_error *err);
/* Applies the update `id` (a change that mapgen makes to existing maps) at the OMT info->at.
 * Ids of the map are numbers of the mapgen's pool of texts. If up is 0, `map` is the map of
 * that OMT, and `own` is NULL. Otherwise `map` is a map `up` levels above the OMT, which gets
 * what the update places there. In that case `own` is the OMT's own map as it was before the
 * update; the call changes it, so it must not be used afterwards. Random numbers follow from
 * place, update and info->revision. PTL_ERR_NOT_FOUND: the content has no such update. */
ptl_status world_local_update(local_map *map, local_map *own, int up, const map_info *info,
                              const local_maker *maker, const char *id, ptl_error *err);
/* Loads the world's mapgen, and makes the map of an OMT with it. */
ptl_status world_local_make(local_map *out, map_info *info, ptl_world *world, ptl_omt at,
                            int64_t turn, ptl_error *err);

/* ---- declared here, defined in local_wash.c ---- */
/* Reads which monsters swim or fly. If `things` is true, also reads which vehicles, and which
 * groups of monsters, stay where they are in deep water. What was read before is not read
 * again. */
ptl_status world_local_afloat(world_mapgen *mapgen, const ptl_world *world, bool things,
                              ptl_error *err);
/* Returns whether deep water moves this creature, because it can't swim or fly. `id` is the
 * text of the entity's id. Also false for a monster whose type was not found by
 * world_local_afloat, which reads the types that float. */
bool world_local_walks(const world_mapgen *mapgen, const local_entity *e, const char *id);

typedef struct local_sea {
    const world_mapgen *mapgen; /* borrowed */
    /* True: the OMT is sea or shore, and the world has shoals (schema/shoals.md); false: the
     * other members are not set. */
    bool any;
    bool other_water; /* the OMT is not sea, but river or lake */
    bool full;
    coast_ground ground;
    coast_moment now; /* the tides, general and local, at the turn that the caller asks about */
    /* Whether a local tide reaches the OMT at the moment `now`. (A game makes a local tide at
     * one tile.) */
    bool raised;
    /* Like `ground`, but with the water that local tides have raised. Only set if `raised` is
     * true. */
    coast_ground under;
} local_sea;
/* Finds the ground of the sea at an OMT and its spills (how high the sea must stand to reach
 * each tile). Both are the same for all turns; the member `now` is left to the caller. If the
 * OMT's map is stored, its spills are stored, too (local_maps.h), and are read; otherwise they
 * are computed from the maps around it. */
ptl_status world_local_sea(local_sea *out, const local_maker *maker, ptl_omt at,
                           ptl_error *err);
/* Sets all that world_local_sea sets, and for the given turn also `now`, and the water that the
 * local tides of this turn raise. */
ptl_status world_local_sea_at(local_sea *out, const local_maker *maker, ptl_omt at,
                              int64_t turn, ptl_error *err);
/* Returns how high the water stands at a tile of an OMT with sea. *lag becomes the number of
 * steps of the tide that the water took from the open sea (see coast_level_now). A local tide
 * can raise the water, but not lower it. */
int32_t local_sea_level(int32_t *lag, const local_sea *sea, int32_t cell);
/* Returns what a tile is at the moment of `sea`: deep or shallow water, dry land or rock. */
coast_feature local_sea_feature(const local_sea *sea, int32_t cell);
/* Describes the water at a tile and turn, as ptl_local_water_get does. */
ptl_status world_local_water(ptl_local_water *out, const local_maker *maker, int64_t x,
                             int64_t y, int64_t turn, ptl_error *err);
/* Returns the OMT that a tile lies in; *cell becomes the tile's number within the OMT. */
ptl_omt world_local_tile(int32_t *cell, int64_t x, int64_t y);
/* Shows the sea of one moment on a map. Tiles that have not been changed since the map was made
 * get the terrain of that moment; other tiles keep theirs. Ids of the map are numbers of the
 * pool of texts. Returns false when memory is out. */
bool world_local_flood(local_map *map, id_pool *pool, const local_sea *sea);
/* The map no longer shows a tide: its tiles get their stored terrain again, unless the caller
 * has changed them. */
void world_local_still(ptl_local_map *map);
/* Makes the map show the tide of a turn. Does nothing on an OMT without sea. */
ptl_status world_local_show(ptl_local_map *map, ptl_world *world, int64_t turn, ptl_error *err);

/* ---- declared here, defined in local_works.c ---- */
/* Flags of overmap terrains that lead over the sea: roads, highways and bridges. */
enum { WORLD_WAYS = CAT_FLAG_ROAD | CAT_FLAG_HIGHWAY | CAT_FLAG_BRIDGE };
/* Finds the heights and the spills of an OMT of level 0. Spills tell for each tile how high the
 * sea must stand to reach it. `around` has the OMT's surroundings; if it is NULL, this call
 * looks them up. *any becomes false if the OMT has neither sea nor shore, nor a road or bridge
 * over them, or if the world has no shoals. Things on the OMT and around it have an effect,
 * too, so their maps are read or made, which may fail. `raise` tells by how much local tides
 * raise the water at the tiles of the OMT and its eight neighbours (see coast_flood); NULL:
 * local tides raise no water. */
ptl_status world_local_ground(coast_ground *out, bool *any, const local_maker *maker,
                              ptl_omt at, const local_around *around, const uint8_t *raise,
                              ptl_error *err);
/* Begins a series of writes of maps. During the series, this maker keeps the heights that it
 * computes, and does not use older ones. world_local_changed must be called for every map that
 * is written in the series. */
ptl_status world_local_anew(local_maker *maker, ptl_error *err);
/* Must be called when the map at this place was written, so that the heights of its ground that
 * were kept before are not used again. */
void world_local_changed(world_mapgen *mapgen, ptl_omt at);
/* Gives only the heights of an OMT, not the spills, which makes it much faster than
 * world_local_ground. It is for a series of writes of maps (world_local_anew). */
ptl_status world_local_heights_anew(int16_t heights[LOCAL_CELLS], bool *any,
                                    const local_maker *maker, ptl_omt at, ptl_error *err);
/* Tells in *out whether the content may put things on the OMT's map that are not part of the
 * coast's own ground. */
ptl_status world_local_built(bool *out, const local_maker *maker, ptl_omt at, ptl_error *err);
/* Returns whether the terrain is one of those that cover a coast's ground above the highest
 * tide. */
bool world_local_soil(const world_mapgen *mapgen, const char *terrain);

/* ---- declared here, defined in local_update.c ---- */
/* Returns a new, initialised map; NULL when memory is out. */
local_map *world_local_new(void);
void world_local_free(local_map *map); /* NULL is fine */
/* The ids of an entity, or of all tiles of a map, are numbers of the pool of texts `from`.
 * These functions replace them by the numbers that the pool `to` has for the same texts. */
void world_local_move_thing(local_entity *e, id_pool *to, const id_pool *from);
void world_local_move_tiles(local_map *out, id_pool *to, const local_map *map,
                            const id_pool *from);
/* Replaces ids, which are numbers of one id_pool, by numbers of another one, as
 * world_local_move_tiles does, but only for the tiles of one layer. Neighbouring tiles mostly
 * have the same id, so an id that is repeated is looked up only once. */
void world_local_move_cells(uint32_t *out, id_pool *to, const uint32_t *cells,
                            const id_pool *from);

/* Changes the settings of a world that makes its local maps anew at each reading: from this
 * call on it stores the maps that it makes. */
ptl_status world_local_keep(ptl_world *world, ptl_error *err);

/* ---- declared here, defined in local_maps.c and others ---- */
/* Returns PTL_ERR_ARGUMENT if the place lies outside of the range in which maps can be. */
ptl_status world_local_place(ptl_omt at, ptl_error *err);

/* Checks a rectangle of OMTs. PTL_ERR_ARGUMENT if its corners are in the wrong order, or if it
 * lies outside of all chunks or levels. */
ptl_status world_local_area(const ptl_local_area *area, ptl_error *err);

/* Puts into the mapgen library which overmap terrains have local maps of a single tile terrain,
 * and which have the same ground as another overmap terrain. Returns false when memory is out.
 */
bool world_mapgen_terrains(mapgen_library *library, id_pool *pool, const catalogue *cat);

/* The query that reads the entries of mapgen which are written inside definitions of terrains.
 * Its rows are for the next two functions. */
extern const content_query world_embedded_query;
/* Returns the JSON text of an entry that can be compiled; NULL if the row names mapgen that the
 * games have as program code. */
const char *world_embedded_text(const content_value *row);
/* Returns the key for an entry of mapgen that is written inside a terrain's definition. The
 * library finds the entry by this key. */
uint32_t world_embedded_key(id_pool *pool, const content_value *row);

/* Returns whether the content, or the code of Portolan, draws maps of the oter. If not, its
 * maps are filled with a single terrain. */
bool world_terrain_is_made(mapgen_library *library, id_pool *pool, const catalogue *cat,
                           const cat_oter *oter);
