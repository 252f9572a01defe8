/*
 * What content says of things by the group: which items come of an item group, which monsters,
 * vehicles, texts and names of theirs. Compiled of the objects as they are kept, all of them or
 * what is asked for; ids are numbers of the pool that they were read with. A group that is
 * defined where it is used, its JSON being its id, is compiled at its first use.
 */
#ifndef MAPGEN_GROUPS_GROUPS_H
#define MAPGEN_GROUPS_GROUPS_H

#include "core/hash.h"
#include "mapgen/groups/budget.h"
#include "mapgen/groups/items.h"
#include "mapgen/groups/lists.h"
#include "mapgen/groups/monsters.h"
#include "mapgen/groups/traffic.h"
#include "mapgen/groups/transforms.h"
#include "model/local_map.h"

typedef struct mapgen_groups mapgen_groups; /* for one thread: see the comment above */

mapgen_groups *mapgen_groups_new(id_pool *pool); /* NULL when memory is out */
void mapgen_groups_free(mapgen_groups *groups);
/* Adds an object of a type that groups or items are made of; others are passed over. An item
 * group that comes again adds its entries to those before. False when memory is out. */
bool mapgen_groups_add(mapgen_groups *groups, json_view object);
/* The same of what an object says of one item alone. */
bool mapgen_groups_add_item(mapgen_groups *groups, json_view object, uint32_t id);
/* From now on what is asked for first comes of the source; to be said before anything is. It
 * adds an item by mapgen_groups_add_item, other things by mapgen_groups_add. */
void mapgen_groups_set_source(mapgen_groups *groups, const mapgen_source *source);
/* Was memory out when something was asked for? */
bool mapgen_groups_failed(const mapgen_groups *groups);

/* For those who draw of them. */
mapgen_items *mapgen_groups_items(mapgen_groups *groups);
const mapgen_monsters *mapgen_groups_monsters(mapgen_groups *groups);
const mapgen_lists *mapgen_groups_lists(mapgen_groups *groups, mapgen_list_sort sort);
const mapgen_transforms *mapgen_groups_transforms(mapgen_groups *groups);
const mapgen_traffic *mapgen_groups_traffic(mapgen_groups *groups);
/* Calls back for each group that an item group may run itself; nothing of an unknown one. */
void mapgen_groups_visit(const mapgen_groups *groups, uint32_t id,
                         void (*visit)(void *payload, uint32_t id), void *payload);

/* What `spawn_data` of a monster comes to: JSON, the same but for how much ammunition it has,
 * which is drawn. ID_NONE of what is no object. */
uint32_t mapgen_draw_spawn_data(mapgen_groups *groups, rng *random, uint32_t json);

/* ---- items that are drawn (draw_items.c) ---- */

/*
 * What was drawn, in the order in which it lies there: an item's `status` is how deep it lies,
 * 0 on the tile, 1 in the last one before it with 0, and so on. Items of a group alone have no
 * place yet.
 */
typedef struct mapgen_draft {
    local_entity *items; /* owned */
    size_t count, room;
    bool failed; /* memory was out */
    bool cut;    /* the budget was spent */
} mapgen_draft;

/* Percent that ammunition or a magazine is in what takes one; 0: what the group says. */
typedef struct mapgen_loading {
    int32_t ammo, magazine;
} mapgen_loading;

/* What is said of items where they are put. */
typedef struct mapgen_told {
    mapgen_loading loading;
    uint32_t custom;    /* JSON of their own flags, a list; ID_NONE */
    uint32_t variant;   /* JSON of an id; ID_NONE */
    int32_t charges[2]; /* from, to; -1, -1: not told */
    int32_t damage[2];  /* 0, 0: none */
} mapgen_told;

#define MAPGEN_TOLD_NOTHING                                                                    \
    {                                                                                          \
        .charges = { -1, -1 }                                                                  \
    }

void mapgen_draft_dispose(mapgen_draft *draft);
/* Runs a group once, behind what is in the draft; what is told holds of each result that lies
 * on the tile. False: there is no such group.
 */
bool mapgen_draw_group(mapgen_draft *draft, mapgen_groups *groups, rng *random, uint32_t id,
                       const mapgen_told *told, mapgen_budget *budget);
/* Makes one item, in what it comes in. */
void mapgen_draw_item(mapgen_draft *draft, mapgen_groups *groups, rng *random, uint32_t id,
                      const mapgen_told *told, mapgen_budget *budget);

#endif
