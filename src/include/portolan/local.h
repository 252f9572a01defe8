/*
 * Local maps: the 24 x 24 tiles inside one OMT, made of what the content's mapgen has for its
 * terrain. A map is a function of the world's seed and content, the place, its terrain and
 * those around it: the same however often it is made, and by whom. It is made anew at each call
 * and stored nowhere; item and monster groups are told by their ids.
 */
#ifndef PORTOLAN_LOCAL_H
#define PORTOLAN_LOCAL_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PTL_LOCAL_SIDE = 24 };

/* Belongs to its world's thread. */
typedef struct ptl_local_map ptl_local_map;

/*
 * Makes the map of an OMT. *out is new: free it with ptl_local_free before the world is closed.
 * Chunks that it needs, its own and those of the OMTs around, are generated and saved first, as
 * by ptl_chunk_get. The first call for a world compiles all of the content's mapgen, which
 * takes a fraction of a second and stays in memory until the world is closed. PTL_ERR_ARGUMENT
 * outside of all chunks and levels; PTL_ERR_MISMATCH where the file's content is not the
 * world's; PTL_ERR_CONTENT where the content asks for more than is ever made of one map
 * (100,000 things, a million pieces), so that the map would not be whole.
 */
PTL_API ptl_status ptl_local_make(ptl_local_map **out, ptl_world *world, ptl_omt at,
                                  ptl_error *err);
PTL_API void ptl_local_free(ptl_local_map *map); /* NULL is fine */

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
                       * "field", "sign", "graffiti", "computer", "zone", "owner", "corpse" */
    const char *id;   /* of the item, group, vehicle, ...; of a sign its category of snippets;
                       * JSON   of a group that is defined where it is used */
    const char *with; /* of a zone its faction */
    const char *text; /* of signs and graffiti; a creature's name; JSON of a computer */
    int32_t x, y, x2, y2; /* the corners of what is somewhere in a rectangle, else one tile */
    /* Of items and monsters how many; of monster groups by area their density in hundred
     * thousandths, -1 where it is the OMT's; of vehicles the facing in degrees (0 east, 90
     * south); of fields the intensity; of computers the security. */
    int32_t count;
    /* Of liquids and fuels; of vehicles the fuel in percent, -1: a little; of fields their age
     * in turns; of monster groups on a tile how many packs. */
    int32_t charges;
    int32_t status;   /* of vehicles -1, 0 or 1; of monsters 1: friendly */
    int32_t reserved; /* 0 */
} ptl_local_entity;

#define PTL_LOCAL_ENTITY_INIT PTL_SIZED(ptl_local_entity)

PTL_API size_t ptl_local_entity_count(const ptl_local_map *map);
/* They are numbered from 0, in the order in which they were put there. PTL_ERR_NOT_FOUND if
 * there is none of that number, PTL_ERR_ARGUMENT if nobody set the size. */
PTL_API ptl_status ptl_local_entity_at(const ptl_local_map *map, size_t number,
                                       ptl_local_entity *out);

#ifdef __cplusplus
}
#endif

#endif
