/*
 * Monster groups, compiled of the objects as they are kept: which monsters come of one at a
 * time of day and season, in packs. Ids are numbers of the pool that they were read with.
 */
#ifndef MAPGEN_GROUPS_MONSTERS_H
#define MAPGEN_GROUPS_MONSTERS_H

#include "core/hash.h"
#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

typedef struct mapgen_monsters mapgen_monsters;

/* The game's time, which entries of groups, and which groups there are, may depend on. */
typedef struct mapgen_time {
    int64_t hours; /* since the game's start */
    int hour;      /* of the day, 0 to 23 */
    int season;    /* 0 spring to 3 winter */
} mapgen_time;

/* What was drawn. */
typedef struct mapgen_pack {
    uint32_t monster; /* ID_NONE: nothing */
    int32_t count;    /* at least 1 */
    int32_t cost;     /* at least 1 */
    uint32_t data;    /* JSON of its `spawn_data`, not drawn yet; ID_NONE */
} mapgen_pack;

mapgen_monsters *mapgen_monsters_new(id_pool *pool); /* NULL when memory is out */
void mapgen_monsters_free(mapgen_monsters *monsters);
/* Adds an object of type monstergroup. One that comes again adds its entries to those before,
 * or replaces them where it says `override`. False when memory is out. */
bool mapgen_monsters_add(mapgen_monsters *monsters, json_view object);
/* Draws one pack; false: there is no such group. */
/* How many entries a group has, all of which drawing a pack goes over; 0: it is not known. */
uint32_t mapgen_monsters_size(const mapgen_monsters *monsters, uint32_t group);
bool mapgen_draw_pack(mapgen_pack *out, const mapgen_monsters *monsters, rng *random,
                      uint32_t group, mapgen_time time);

#endif
