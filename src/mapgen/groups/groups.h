/*
 * What content says about things in groups: the items of item groups, as well as monsters,
 * vehicles, texts and names. Kept objects are compiled, either all of them or those that are
 * asked for. Ids are numbers of the pool that they were read with. A group may be defined
 * where it is used; then its JSON is its id, and it is compiled at its first use.
 */
#ifndef MAPGEN_GROUPS_GROUPS_H
#define MAPGEN_GROUPS_GROUPS_H

#include "core/hash.h"
#include "mapgen/groups/budget.h"
#include "mapgen/groups/items.h"
#include "mapgen/groups/monsters.h"
#include "mapgen/groups/traffic.h"
#include "mapgen/groups/transforms.h"
#include "model/id_pool.h"
#include "model/local_map.h"
#include "json/view.h"

#include <stdbool.h>

typedef enum mapgen_list_sort {
    MAPGEN_LIST_VEHICLES,
    MAPGEN_LIST_SNIPPETS,
    MAPGEN_LIST_NAMES, /* by usage: given or family name */
    MAPGEN_LIST_SORTS
} mapgen_list_sort;

typedef struct mapgen_lists mapgen_lists;

/* Draws an element by weight; ID_NONE: there is no such list, or it is empty. */
uint32_t mapgen_lists_draw(const mapgen_lists *lists, rng *random, mapgen_list_sort sort,
                           uint32_t id);

/* For one thread, as asking for something may read and compile it. */
typedef struct mapgen_groups mapgen_groups;

mapgen_groups *mapgen_groups_new(id_pool *pool); /* NULL when memory is out */
void mapgen_groups_free(mapgen_groups *groups);
/* Adds an object that defines groups or items; objects of other types are ignored. An item
 * group that comes again adds its entries to the earlier ones. False when memory is out. */
bool mapgen_groups_add(mapgen_groups *groups, json_view object);
/* Adds from such an object only what it says about one item. */
bool mapgen_groups_add_item(mapgen_groups *groups, json_view object, uint32_t id);
/* Has the groups take what they lack from the source. To be called before anything is asked
 * for. The source adds items by mapgen_groups_add_item, other things by mapgen_groups_add. */
void mapgen_groups_set_source(mapgen_groups *groups, const mapgen_source *source);
/* Was memory out when something was asked for? */
bool mapgen_groups_failed(const mapgen_groups *groups);

/* The parts, for those who draw from them. */
mapgen_items *mapgen_groups_items(mapgen_groups *groups);
const mapgen_monsters *mapgen_groups_monsters(mapgen_groups *groups);
const mapgen_lists *mapgen_groups_lists(mapgen_groups *groups, mapgen_list_sort sort);
const mapgen_transforms *mapgen_groups_transforms(mapgen_groups *groups);
const mapgen_traffic *mapgen_groups_traffic(mapgen_groups *groups);
/* Calls back for each group that an item group may draw from directly. An unknown group has
 * none. */
void mapgen_groups_visit(const mapgen_groups *groups, uint32_t id,
                         void (*visit)(void *payload, uint32_t id), void *payload);

/* Returns a monster's `spawn_data` as JSON, with a drawn number where it states a range of
 * ammunition. ID_NONE if it is no object. */
uint32_t mapgen_draw_spawn_data(mapgen_groups *groups, rng *random, uint32_t json);

/* ---- items that are drawn (draw_items.c) ---- */

/* Items that were drawn, in order. status is an item's depth: 0 lies on the tile, 1 in the
 * last item before it with status 0, and so on. The items have no coordinates yet. */
typedef struct mapgen_draft {
    local_entity *items; /* owned */
    size_t count, room;
    bool failed; /* memory was out */
    bool cut;    /* the budget was spent */
} mapgen_draft;

/* Percentages with which ammunition, or a magazine, is put into what takes one; 0: the
 * group's own count. */
typedef struct mapgen_loading {
    int32_t ammo, magazine;
} mapgen_loading;

/* What a piece of mapgen says about the items that it puts down. */
typedef struct mapgen_told {
    mapgen_loading loading;
    uint32_t custom;    /* JSON list of flags of their own; ID_NONE: none */
    uint32_t variant;   /* JSON of an id; ID_NONE: none */
    int32_t charges[2]; /* lowest and highest; -1, -1: not stated */
    int32_t damage[2];  /* lowest and highest; 0, 0: undamaged */
} mapgen_told;

#define MAPGEN_TOLD_NOTHING                                                                    \
    {                                                                                          \
        .charges = { -1, -1 }                                                                  \
    }

void mapgen_draft_dispose(mapgen_draft *draft);
/* Draws from a group once and appends the results to the draft. `told` applies to each result
 * that lies on the tile by itself. False: there is no such group. */
bool mapgen_draw_group(mapgen_draft *draft, mapgen_groups *groups, rng *random, uint32_t id,
                       const mapgen_told *told, mapgen_budget *budget);
/* Makes one item, in its usual container, and appends it to the draft. */
void mapgen_draw_item(mapgen_draft *draft, mapgen_groups *groups, rng *random, uint32_t id,
                      const mapgen_told *told, mapgen_budget *budget);

#endif
