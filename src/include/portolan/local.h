/*
 * Local maps: the 24 x 24 tiles inside one OMT. A map is made at the first visit, by the
 * mapgen that the content has for the OMT's terrain, and is stored from then on. It depends
 * only on the world's seed and content, the place, its terrain and the terrains around it, so
 * that it does not matter who visits first. In a file that is only read a map that is not
 * stored is made in memory at each visit.
 *
 * A game changes a map in memory and puts it back into the file; such an edited map is never
 * made anew. When a map is made, its groups of items, monsters and vehicles are resolved: the
 * things that they stand for are drawn at random and put on the map. Only a group that the
 * content does not define stays on the map as a group, with its id.
 */
#ifndef PORTOLAN_LOCAL_H
#define PORTOLAN_LOCAL_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PTL_LOCAL_SIDE = 24 };

/* A local map in memory. It is the caller's own copy, and stays so after the world is closed;
 * nobody else sees its changes until it is put back. One thread at a time may use it. */
typedef struct ptl_local_map ptl_local_map;

typedef struct ptl_local_options {
    size_t size;
    /* The game's turn for which a new map is made, 0 or more: its season and hour decide which
     * monsters there are. A turn is a second, turn 0 is 8 o'clock on the first day of spring,
     * and a season has 91 days. A map that is already stored does not change. */
    int64_t turn;
    /* If `tide` is true, the sea and its islands are shown at the tide of turn `view`, 0 or
     * more; else at the mean tide, as they are stored (portolan/local_tide.h). */
    bool tide;
    int64_t view;
} ptl_local_options;

#define PTL_LOCAL_OPTIONS_INIT PTL_SIZED(ptl_local_options)

/*
 * Gives the local map of an OMT. If none is stored, a new map is made and stored. *out is the
 * caller's: free it with ptl_local_free. options may be NULL.
 *
 * In a world that derives its maps (ptl_world_options.derive) new maps are not stored. They
 * have revision 1 all the same, and are made for turn 0, even if options->turn is another
 * turn. If the store was opened with PTL_OPEN_READ, new maps are not stored either: they have
 * revision 1 and are made for options->turn (ptl_local_is_stored tells such maps from stored
 * ones).
 *
 * A new map needs the chunk in which its OMT lies, and the chunks of the OMTs around it.
 * Before the map is made, these are generated and saved, as by ptl_chunk_get. The mapgen for
 * the map is compiled when a map first needs it, and stays in memory until the world is
 * closed.
 *
 * PTL_ERR_ARGUMENT: the OMT is outside of all chunks and levels. PTL_ERR_CORRUPT: the stored
 * map is damaged (see `portolan repair`). PTL_ERR_NOT_FOUND: the file is only read, and lacks a
 * chunk that the map needs. If the map must be made: PTL_ERR_MISMATCH if the
 * file's present content is not the world's, or if the world derives its maps and was made by
 * another generator. PTL_ERR_CONTENT if the map would be incomplete: the content asks for more
 * than the 100,000 things that one map may have, or for more than the million drawings and
 * things that may be put down while it is made.
 */
PTL_API ptl_status ptl_local_get(ptl_local_map **out, ptl_world *world, ptl_omt at,
                                 const ptl_local_options *options, ptl_error *err);
/* Gives the stored local map of an OMT as ptl_local_get does, but never makes one:
 * PTL_ERR_NOT_FOUND if none is stored. */
PTL_API ptl_status ptl_local_load(ptl_local_map **out, ptl_world *world, ptl_omt at,
                                  ptl_error *err);
/*
 * Stores changed maps of this world (see the calls ptl_local_..._set below) in one
 * transaction: all of them or none. Each map gets the next revision, in the file and in
 * memory, and counts as edited: it is never made anew. If the map shows a tide, the tide is
 * not stored: tiles that the caller did not change are as at the mean tide afterwards, in the
 * file and in memory. A map that was derived gets revision 2, as if it had been stored before.
 *
 * PTL_ERR_EXISTS: somebody else has put one of the maps since it was read. The message names
 * its place and both revisions: get the map again and repeat the change. PTL_ERR_LIMIT: one
 * map has more than 16 MiB of texts.
 */
PTL_API ptl_status ptl_local_put(ptl_world *world, ptl_local_map *const *maps, size_t count,
                                 ptl_error *err);
/*
 * Applies one of the content's updates (`update_mapgen_id`) to a map and stores the map as
 * ptl_local_put does: in one transaction, provided that nobody has put the map since it was
 * read. The update works on the map as it is in memory, with the caller's changes. If several
 * entries have the id, one is chosen at random. All random choices depend on the world's seed,
 * the place, the id and the map's revision. Chunks around the map that the update needs are
 * generated and saved before. An update is an edit: the map is never made anew.
 *
 * An update may also change other levels of the column (`z`). Their maps are changed in the
 * same transaction, and are made first if they are not stored. A caller who holds one of these
 * maps must get it again.
 *
 * On any error the map is unchanged, in memory and in the file. PTL_ERR_NOT_FOUND: the content
 * has no such update. PTL_ERR_EXISTS and PTL_ERR_LIMIT as for ptl_local_put. PTL_ERR_MISMATCH
 * and PTL_ERR_CONTENT as for ptl_local_get. PTL_ERR_ARGUMENT: the map belongs to another world.
 */
PTL_API ptl_status ptl_local_update_run(ptl_world *world, ptl_local_map *map, const char *id,
                                        ptl_error *err);
PTL_API void ptl_local_free(ptl_local_map *map); /* freeing NULL does nothing */

PTL_API ptl_omt ptl_local_place(const ptl_local_map *map); /* the map's absolute OMT */
/* Returns the map's revision: 1 for a new map; each put adds 1. */
PTL_API int64_t ptl_local_revision(const ptl_local_map *map);
/* Returns whether the file has the map; false if it was only made in memory (ptl_local_get),
 * until ptl_local_put stores it. */
PTL_API bool ptl_local_is_stored(const ptl_local_map *map);
/* Returns the game's turn for which the map was made. */
PTL_API int64_t ptl_local_turn(const ptl_local_map *map);
/* Returns whether the map was ever put into the file by ptl_local_put or an update. */
PTL_API bool ptl_local_is_edited(const ptl_local_map *map);

/* Returns the id of the OMT's oter, such as "house_north". Borrowed until the map is freed,
 * like all texts that calls on a map return. */
PTL_API const char *ptl_local_oter(const ptl_local_map *map);
/* Returns true if the content has no mapgen that can be run for the OMT's terrain. The whole
 * map is one terrain then: grass on the ground, rock below, open air above. */
PTL_API bool ptl_local_is_fallback(const ptl_local_map *map);
/* The next four calls return what is on a tile: ids of terrain, furniture and trap ("" for
 * none), and the radiation. x is 0..23 to the east, y is 0..23 to the south; outside of the
 * map they return "" and 0. */
PTL_API const char *ptl_local_terrain(const ptl_local_map *map, int32_t x, int32_t y);
PTL_API const char *ptl_local_furniture(const ptl_local_map *map, int32_t x, int32_t y);
PTL_API const char *ptl_local_trap(const ptl_local_map *map, int32_t x, int32_t y);
PTL_API int32_t ptl_local_radiation(const ptl_local_map *map, int32_t x, int32_t y);

/* Something on the map other than terrain, furniture and traps: an item, a monster and so on,
 * as `kind` says. What the other members mean depends on the kind. */
typedef struct ptl_local_entity {
    size_t size;
    const char *kind; /* "item", "item group", "monster", "monster group", "vehicle", "npc",
                       * "field", "sign", "graffiti", "computer", "zone", "owner", "corpse", or
                       * "remark" (a message of a script about the map) */
    const char *id;   /* id of the item, group, vehicle and so on; for a sign, the category of
                       * snippets (ready texts) from which the game chooses its text; for a
                       * group that mapgen defines where it uses it, the JSON of the group */
    /* Its meaning depends on the kind. For a zone it is the zone's faction. For a monster it is
     * JSON of what the monster carries: "ammo", a list of objects with "ammo_id" and "qty". */
    const char *with;
    /* Its meaning depends on the kind. For signs, graffiti and remarks it is their text; for a
     * creature, its name; for a computer, the JSON that the content has for it. For an item it
     * is JSON of what is special about the item. Its members can be "damage" and "dirt"
     * (numbers), "flags" (a list), "fits" (true), "variant" (a text) and "sealed" (false, for a
     * container); and "components", "artifact", "variables" and "active" as the content has
     * them. */
    const char *text;
    const char *own;      /* the game's own text for this thing, such as JSON: it is kept
                           * unchanged; "" on a new map */
    int32_t x, y, x2, y2; /* two opposite corners if the thing is somewhere in a rectangle;
                           * else both corners are the tile of the thing */
    /* A number whose meaning depends on the kind. For items and monsters it is how many there
     * are. For monster groups in a rectangle it is their density (100,000 stands for mapgen's
     * density 1); -1 if the density of the OMT applies. For vehicles it is the facing in
     * degrees (0 east, 90 south), for fields the intensity, for computers the security. */
    int32_t count;
    /* A number whose meaning depends on the kind. For liquids, fuels, food and ammunition it is
     * their charges. For vehicles it is the fuel in percent; -1 means that the vehicle has a
     * little fuel. For fields it is their age in turns. For monster groups on one tile it is
     * how many times monsters are chosen at random from the group. */
    int32_t charges;
    /* A number whose meaning depends on the kind. For vehicles it is their status as the
     * content states it: -1, 0 or 1. For monsters it is 1 if they are friendly. For remarks it
     * is 1 if the script failed, so that the map was made as for a terrain without mapgen. For
     * items it is how deep they are nested: an item of depth 0 lies on the tile; an item of
     * depth n lies in the nearest earlier item of depth n - 1. The contents of an item directly
     * follow it: whoever removes an item must remove them, too. */
    int32_t status;
    int32_t reserved; /* must be 0 */
} ptl_local_entity;

#define PTL_LOCAL_ENTITY_INIT PTL_SIZED(ptl_local_entity)

/* Returns how many entities the map has. */
PTL_API size_t ptl_local_entity_count(const ptl_local_map *map);
/* Describes an entity. Entities are numbered from 0, in the order in which they were put on
 * the map. PTL_ERR_NOT_FOUND if no entity has that number, PTL_ERR_ARGUMENT if out->size was
 * not set. */
PTL_API ptl_status ptl_local_entity_at(ptl_local_entity *out, const ptl_local_map *map,
                                       size_t number);

/*
 * All calls in the rest of this header change a map in memory. Ids and texts are UTF-8, ""
 * stands for none; whether the content has such an id is not checked. All of these calls
 * return PTL_ERR_ARGUMENT for a place outside of the map, a text that is not UTF-8, an unknown
 * kind, or a number out of its range; the map is unchanged then. They may also return
 * PTL_ERR_NOMEM.
 */
PTL_API ptl_status ptl_local_terrain_set(ptl_local_map *map, int32_t x, int32_t y,
                                         const char *id);
PTL_API ptl_status ptl_local_furniture_set(ptl_local_map *map, int32_t x, int32_t y,
                                           const char *id);
PTL_API ptl_status ptl_local_trap_set(ptl_local_map *map, int32_t x, int32_t y, const char *id);
PTL_API ptl_status ptl_local_radiation_set(ptl_local_map *map, int32_t x, int32_t y,
                                           int32_t amount); /* amount is 0..255 */
/*
 * Adds an entity to the map, with the next number. Texts are copied; NULL is the same as "".
 * x2 and y2 must not be less than x and y; count, charges and status must be at least -1.
 * PTL_ERR_LIMIT if the map has 100,000 entities already.
 */
PTL_API ptl_status ptl_local_entity_add(ptl_local_map *map, const ptl_local_entity *entity);
/* Replaces the entity of that number by a copy of *entity. PTL_ERR_NOT_FOUND if no entity has
 * that number. */
PTL_API ptl_status ptl_local_entity_replace(ptl_local_map *map, size_t number,
                                            const ptl_local_entity *entity);
/* Removes the entity of that number; the numbers of all later entities decrease by 1.
 * PTL_ERR_NOT_FOUND if no entity has that number. */
PTL_API ptl_status ptl_local_entity_remove(ptl_local_map *map, size_t number);

#ifdef __cplusplus
}
#endif

#endif
