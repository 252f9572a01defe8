/*
 * Local maps: the 24 x 24 tiles inside one OMT, made at the first visit of what the content's
 * mapgen has for its terrain, and kept from then on. A map is a function of the world's seed
 * and content, the place, its terrain and those around it: the same whoever visits first. What
 * a game changes in it it puts back, and it is never made anew then. What comes of groups of
 * items, monsters and vehicles is drawn when it is made; a group that the content does not have
 * stays one, by its id.
 */
#ifndef PORTOLAN_LOCAL_H
#define PORTOLAN_LOCAL_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PTL_LOCAL_SIDE = 24 };

/* A copy of its own, which nobody else sees until it is put back: the caller's, also after the
 * world is closed. For one thread at a time. */
typedef struct ptl_local_map ptl_local_map;

typedef struct ptl_local_options {
    size_t size;
    /* The game's turn for which a map is made, 0 or more: which monsters there are depends on
     * its season and hour. 0 is 8 o'clock of the first day of spring, a turn is a second, a
     * season has 91 days. A map that is stored stays as it is. */
    int64_t turn;
    /* The sea and its islands are shown at the tide of turn `view`, 0 or more, if `tide` is
     * set; else at the mean tide, as they are stored (portolan/local_tide.h). */
    bool tide;
    int64_t view;
} ptl_local_options;

#define PTL_LOCAL_OPTIONS_INIT PTL_SIZED(ptl_local_options)

/*
 * Gives the map of an OMT: the stored one, or a new one, which is stored first. *out is new:
 * free it with ptl_local_free. A world that derives its maps (ptl_world_options.derive) stores
 * no new one: it has revision 1 all the same, and is made for turn 0, whatever the options say.
 * Chunks that a new one needs, its own and those of the OMTs around, are generated and saved
 * before, as by ptl_chunk_get; what it asks of the content's mapgen is compiled at the first
 * map that does, and stays in memory until the world is closed. options may be NULL.
 * PTL_ERR_ARGUMENT outside of all chunks and levels; PTL_ERR_CORRUPT for a stored one that is
 * damaged (portolan repair). Where it must be made: PTL_ERR_MISMATCH if the file's content is
 * not the world's, or if the world derives its maps and another generator made it;
 * PTL_ERR_CONTENT if the content asks for more than is ever made of one map (100,000 things, a
 * million pieces), so that the map would not be whole.
 */
PTL_API ptl_status ptl_local_get(ptl_local_map **out, ptl_world *world, ptl_omt at,
                                 const ptl_local_options *options, ptl_error *err);
/* The same of stored maps alone: PTL_ERR_NOT_FOUND if it is not stored. Nothing is made. */
PTL_API ptl_status ptl_local_load(ptl_local_map **out, ptl_world *world, ptl_omt at,
                                  ptl_error *err);
/*
 * Stores maps of this world that were changed (ptl_local_set_...), all in one transaction: all
 * of them or none. Each has the next revision then, here too, and is an edited one, which is
 * never made anew. What was shown of a tide is not stored: tiles that were not changed are as
 * at the mean tide then, here too. PTL_ERR_EXISTS if one of them was put by somebody else since
 * it was read: the message names its place and both revisions; get it again and repeat the
 * change. One that was derived has revision 2 then, as if it had been stored before.
 * PTL_ERR_LIMIT for more than 16 MiB of texts in one map.
 */
PTL_API ptl_status ptl_local_put(ptl_world *world, ptl_local_map *const *maps, size_t count,
                                 ptl_error *err);
/*
 * Carries one of the content's updates (`update_mapgen_id`) out on a map and stores it as
 * ptl_local_put does: in one transaction, if nobody put it since it was read. Of several
 * entries of the id one is drawn; what is drawn depends on the world's seed, the place, the id
 * and the map's revision. It works on the map as it is in memory, with all that was changed
 * there. Chunks around that it asks are generated and saved before. An update is an edit: the
 * map is never made anew. What it has for other levels of the column (`z`) is put on the maps
 * of those, which are made where they are not stored, in the same transaction: who holds one of
 * them must get it again. On any error the map, here and stored, is as it was.
 * PTL_ERR_NOT_FOUND: the content has no such update; PTL_ERR_EXISTS and PTL_ERR_LIMIT as
 * ptl_local_put, PTL_ERR_MISMATCH and PTL_ERR_CONTENT as ptl_local_get; PTL_ERR_ARGUMENT for a
 * map of another world.
 */
PTL_API ptl_status ptl_local_update_run(ptl_world *world, ptl_local_map *map, const char *id,
                                        ptl_error *err);
PTL_API void ptl_local_free(ptl_local_map *map); /* NULL is fine */

PTL_API ptl_omt ptl_local_place(const ptl_local_map *map); /* its OMT, absolute */
/* From 1; each put adds 1. */
PTL_API int64_t ptl_local_revision(const ptl_local_map *map);
/* The game's turn for which it was made. */
PTL_API int64_t ptl_local_turn(const ptl_local_map *map);
/* Was it ever put? */
PTL_API bool ptl_local_is_edited(const ptl_local_map *map);

/* The id of the OMT's terrain, with its direction. Borrowed until the map is freed, as all
 * texts here are. */
PTL_API const char *ptl_local_oter(const ptl_local_map *map);
/* Is there no mapgen for the terrain that can be run? All of the map is one terrain then: grass
 * on the ground, rock below, open air above. */
PTL_API bool ptl_local_is_fallback(const ptl_local_map *map);
/* What is on a tile, x to the east and y to the south, both 0..23: "" for nothing, and outside
 * of the map. */
PTL_API const char *ptl_local_terrain(const ptl_local_map *map, int32_t x, int32_t y);
PTL_API const char *ptl_local_furniture(const ptl_local_map *map, int32_t x, int32_t y);
PTL_API const char *ptl_local_trap(const ptl_local_map *map, int32_t x, int32_t y);
PTL_API int32_t ptl_local_radiation(const ptl_local_map *map, int32_t x, int32_t y);

/* Something on the map that is no terrain, furniture or trap. */
typedef struct ptl_local_entity {
    size_t size;
    const char *kind; /* "item", "item group", "monster", "monster group", "vehicle", "npc",
                       * "field", "sign", "graffiti", "computer", "zone", "owner", "corpse",
                       * "remark": what a script said of the map */
    const char *id;   /* of the item, group, vehicle, ...; of a sign its category of snippets;
                       * JSON of a group that is defined where it is used */
    /* Of a zone its faction; of a monster JSON of what it has with it: "ammo", a list of
     * "ammo_id" and "qty". */
    const char *with;
    /* Of signs, graffiti and remarks; a creature's name; JSON of a computer; of an item JSON of
     * what is particular about it: "damage", "dirt" (numbers), "flags" (a list), "fits" (true),
     * "variant" (a text), "sealed" (false, of a container), "components", "artifact",
     * "variables", "active" as the content has them. */
    const char *text;
    const char *own;      /* what the game adds, JSON say: kept as it is; "" as made */
    int32_t x, y, x2, y2; /* the corners of what is somewhere in a rectangle, else one tile */
    /* Of items and monsters how many; of monster groups by area their density in hundred
     * thousandths, -1 where it is the OMT's; of vehicles the facing in degrees (0 east, 90
     * south); of fields the intensity; of computers the security. */
    int32_t count;
    /* Of liquids, fuels, food and ammunition; of vehicles the fuel in percent, -1: a little; of
     * fields their age in turns; of monster groups on a tile how many packs. */
    int32_t charges;
    /* Of vehicles -1, 0 or 1; of monsters 1: friendly; of remarks 1: the script failed of it,
     * and the map is that of a terrain without mapgen. Of items how deep they lie: 0 on the
     * tile, else in the last one before it that is one less deep. What lies in an item follows
     * it: who removes one removes that, too. */
    int32_t status;
    int32_t reserved; /* 0 */
} ptl_local_entity;

#define PTL_LOCAL_ENTITY_INIT PTL_SIZED(ptl_local_entity)

PTL_API size_t ptl_local_entity_count(const ptl_local_map *map);
/* They are numbered from 0, in the order in which they were put there. PTL_ERR_NOT_FOUND if
 * there is none of that number, PTL_ERR_ARGUMENT if nobody set the size. */
PTL_API ptl_status ptl_local_entity_at(ptl_local_entity *out, const ptl_local_map *map,
                                       size_t number);

/*
 * Changes of the map in memory. Ids are the content's, texts UTF-8 of which "" is none; the
 * content is not asked for them. All of these return PTL_ERR_ARGUMENT for a place outside of
 * the map, a text that is no UTF-8, a kind that there is not and a number out of its range, and
 * leave the map as it was then; PTL_ERR_NOMEM.
 */
PTL_API ptl_status ptl_local_terrain_set(ptl_local_map *map, int32_t x, int32_t y,
                                         const char *id);
PTL_API ptl_status ptl_local_furniture_set(ptl_local_map *map, int32_t x, int32_t y,
                                           const char *id);
PTL_API ptl_status ptl_local_trap_set(ptl_local_map *map, int32_t x, int32_t y, const char *id);
PTL_API ptl_status ptl_local_radiation_set(ptl_local_map *map, int32_t x, int32_t y,
                                           int32_t amount); /* 0 to 255 */
/*
 * Puts something on the map behind all others. Texts are copied; NULL is none. x2, y2 not less
 * than x, y; count, charges and status from -1 up. PTL_ERR_LIMIT for more than 100,000.
 */
PTL_API ptl_status ptl_local_entity_add(ptl_local_map *map, const ptl_local_entity *entity);
/* In the place of one that is there. PTL_ERR_NOT_FOUND if there is none of that number. */
PTL_API ptl_status ptl_local_entity_replace(ptl_local_map *map, size_t number,
                                            const ptl_local_entity *entity);
/* The numbers of those behind it become one less. PTL_ERR_NOT_FOUND likewise. */
PTL_API ptl_status ptl_local_entity_remove(ptl_local_map *map, size_t number);

#ifdef __cplusplus
}
#endif

#endif
