/*
 * Monster groups, compiled from the kept objects: which packs of monsters come at a certain
 * hour and season. Ids are numbers of the pool that they were read with.
 */
#ifndef MAPGEN_GROUPS_MONSTERS_H
#define MAPGEN_GROUPS_MONSTERS_H

#include "core/hash.h"
#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

typedef struct mapgen_monsters mapgen_monsters;

/* The game's time. Entries of groups may hold only at some times, and groups may be replaced
 * later. */
typedef struct mapgen_time {
    int64_t hours; /* since the start of the game */
    int hour;      /* of the day, 0 to 23 */
    int season;    /* 0 spring, 1 summer, 2 autumn, 3 winter */
} mapgen_time;

/* What was drawn from a group. */
typedef struct mapgen_pack {
    uint32_t monster; /* ID_NONE: nothing */
    int32_t count;    /* at least 1 */
    int32_t cost;     /* at least 1 */
    /* JSON of its `spawn_data`, in which ranges are not drawn yet; ID_NONE: none. */
    uint32_t data;
} mapgen_pack;

mapgen_monsters *mapgen_monsters_new(id_pool *pool); /* NULL when memory is out */
void mapgen_monsters_free(mapgen_monsters *monsters);
/* Adds an object of type monstergroup. One that comes again adds its entries to the earlier
 * ones, or replaces them if it states `override`. False when memory is out. */
bool mapgen_monsters_add(mapgen_monsters *monsters, json_view object);
/* Returns how many entries drawing a pack goes over; 0: the group is not known. */
uint32_t mapgen_monsters_size(const mapgen_monsters *monsters, uint32_t group);
/* Draws one pack; false: there is no such group. */
bool mapgen_draw_pack(mapgen_pack *out, const mapgen_monsters *monsters, rng *random,
                      uint32_t group, mapgen_time time);

#endif
