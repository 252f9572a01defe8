/* What the files of the folder groups share. */
#pragma once

#include "core/arena.h"
#include "mapgen/compile/by_id.h"
#include "mapgen/compile/text_id.h"
#include "mapgen/groups/groups.h"
#include "json/reader.h"

typedef struct spawn_range {
    int32_t low, high; /* both included */
} spawn_range;

typedef enum spawn_kind {
    SPAWN_ITEM,
    SPAWN_GROUP,        /* another group, by its id */
    SPAWN_COLLECTION,   /* gives each of its children with that child's probability */
    SPAWN_DISTRIBUTION, /* gives one of its children, chosen at random by weight */
} spawn_kind;

typedef enum spawn_overflow {
    SPAWN_ALL_IN, /* all items are put into the container, even if they do not fit */
    SPAWN_DISCARD,
    SPAWN_SPILL /* items that do not fit lie beside the container */
} spawn_overflow;

/* An entry of an item group, or an item group itself. The children of a group are its entries.
 */
typedef struct spawn {
    spawn_kind kind;
    uint32_t id;
    uint32_t first, count; /* the children of the group: index of the first, and how many */
    uint32_t total;        /* sum of the children's weights, none of which is negative */
    int32_t prob;
    spawn_range many, charges, damage; /* an end of `charges` that is not stated is -1 */
    /* The item's container, and the ammunition that the item is loaded with. */
    uint32_t container, ammo;
    uint32_t wrapper; /* id of a container into which all items go that this entry or group
                         gives */
    /* The items that are put into the entry's own item: index of the first in `ids`, and how
     * many. */
    uint32_t contents, content_count;
    uint32_t custom;  /* JSON list of flags that the entry gives its items */
    uint32_t variant; /* JSON text that says which of its type's looks the item has */
    uint32_t rest;    /* JSON members that are kept as they stand: components, artifact, ... */
    spawn_range dirt;
    spawn_overflow overflow; /* what becomes of items that do not fit into the container */
    bool open;               /* the item's container is not sealed */
    /* Whether the container, the ammunition and the contents are named by ids of groups; if
     * false, by ids of items. */
    bool container_group, ammo_group, contents_group;
    bool changed;  /* this entry states something about its items, such as their damage, which
                      must be applied to the items after they are drawn */
    bool elsewhen; /* the entry counts on one day of the year only, on which no world begins */
    mapgen_loading loading;
} spawn;

/* A growing list of compiled entries and groups. */
typedef struct spawn_list {
    spawn *items; /* owned */
    uint32_t count;
    size_t room;
} spawn_list;

/* An item group, found by its id. */
typedef struct group_root {
    uint32_t spawn; /* 0: there is none */
    bool asked;     /* `source` (of mapgen_groups) was asked for this group already */
} group_root;

/* An element of a list from which one element is chosen at random by weight. */
typedef struct weighted {
    uint32_t id;
    uint32_t upto; /* running sum of weights */
} weighted;

typedef struct weighted_list {
    weighted *items; /* owned */
    uint32_t count;
    size_t room;
} weighted_list;

struct mapgen_groups {
    id_pool *pool;
    mapgen_source source;
    bool asked[MAPGEN_SORTS];       /* by kind: `source` was asked for all things of the kind */
    bool copies;                    /* some group copies a group of another id */
    by_id items;                    /* owned; of type item_place (items.c) */
    by_id monsters;                 /* owned; of type monster_group (monsters.c) */
    by_id lists[MAPGEN_LIST_SORTS]; /* owned; of type weighted_list */
    by_id transforms;               /* owned; of type transform (groups.c) */
    struct transform_rule *rules; /* owned: the rules of all transforms, one after the other */
    uint32_t rule_count;
    size_t rule_room;
    weighted_list results;     /* what the rules turn things into, rule after rule; running
                                  sums of weights begin anew with each rule */
    by_id generators;          /* owned; of type generator (processes.c) */
    mapgen_process *processes; /* owned: the parts of all generators */
    uint32_t process_count;
    size_t process_room;
    arena *memory;                 /* owned; holds the objects that `traffic` lists */
    struct traffic_named *traffic; /* the vehicle_spawn or vehicle_placement object that was
                                      added last (traffic.c) */
    spawn_list spawns;             /* from 1 */
    by_id roots;                   /* owned; of type group_root */
    uint32_t *ids;                 /* owned; ids of items' contents */
    uint32_t id_count;
    size_t id_room;
    json_reader *reader; /* reads groups that are defined where they are used */
    bytes text;          /* scratch: a string after its escapes were decoded */
    bool failed;
};

/* Returns the number of a text in the id_pool; ID_NONE: the JSON value is no text. */
static inline uint32_t groups_id(mapgen_groups *g, json_view v)
{
    return mapgen_text_id(g->pool, v, &g->text);
}

static inline uint32_t groups_member_id(mapgen_groups *g, json_view object, const char *name)
{
    return groups_id(g, json_view_get(object, name));
}

/* Returns the number of a group's spawn, which is its compiled form. If the id is a JSON text
 * (of a group that is defined where it is used) and new, the text is compiled. 0: there is no
 * such group. */
uint32_t groups_root(mapgen_groups *g, uint32_t id);
/* groups_read.c: reads the entries of a group and adds them to the spawn (a compiled group)
 * with the number `root`; 0: to a new spawn. Returns the number of the group's spawn. */
uint32_t groups_read(mapgen_groups *g, uint32_t root, json_view group);
/* Appends a copy of a spawn (a compiled entry or group) to a list; false, and g->failed, when
 * memory is out. */
bool spawn_list_add(mapgen_groups *g, spawn_list *list, const spawn *s);

/* Makes the source (mapgen_source, which reads content only when it is asked for) add all
 * things of a kind, unless it was asked for them already. */
void groups_ask(mapgen_groups *g, mapgen_sort sort);

/* Is an object of this type one that groups_add_item adds? */
bool groups_concern_items(json_view type);
/* Adds an object of type monstergroup. One that comes again adds its entries to the earlier
 * ones, or replaces them if it states `override`. False when memory is out. */
bool groups_add_monsters(mapgen_groups *g, json_view object);
void groups_free_monsters(mapgen_groups *g);
/* Adds an object of type pp_generator; objects of other types are ignored. If an id comes
 * again, the last object counts. False when memory is out. */
bool groups_add_processes(mapgen_groups *g, json_view object);
/* Adds an object of type vehicle_spawn or vehicle_placement; objects of other types are
 * ignored. If an id comes again, the last object counts. False when memory is out. */
bool groups_add_traffic(mapgen_groups *g, json_view object);
