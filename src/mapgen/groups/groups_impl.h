/* What the files of the folder groups share. */
#pragma once

#include "core/arena.h"
#include "mapgen/compile/by_id.h"
#include "mapgen/compile/text_id.h"
#include "mapgen/groups/spawn.h"
#include "json/reader.h"

/* A growing list of compiled entries and groups. */
typedef struct spawn_list {
    spawn *items; /* owned */
    uint32_t count;
    size_t room;
} spawn_list;

/* An item group, found by its id. */
typedef struct group_root {
    uint32_t spawn; /* number of the group's compiled form (spawn); 0: the group has none */
    bool asked;     /* `source` (of mapgen_groups) was asked for this group already */
} group_root;

/* An element of a list from which one element is chosen at random by weight. */
typedef struct weighted {
    uint32_t id;
    uint32_t upto; /* sum of the weights up to this id */
} weighted;

typedef struct weighted_list {
    weighted *items; /* owned */
    uint32_t count;
    size_t room;
} weighted_list;

struct mapgen_groups {
    id_pool *pool;
    mapgen_source source;
    /* For each kind of things: the `source` was asked for all things of the kind. */
    bool asked[MAPGEN_SORTS];
    /* Set as soon as an item group copies another one as it was when the content had been read
     * up to there (see groups.c). */
    bool copies;
    by_id items; /* owned; item_place structs (items.c), found by an id */
    /* Owned; monster_group structs (monsters.c), found by an id. */
    by_id monsters;
    /* Owned; for each sort of lists: weighted_list structs, found by an id. */
    by_id lists[MAPGEN_LIST_SORTS];
    by_id transforms;             /* owned; transform structs (groups.c), found by an id */
    struct transform_rule *rules; /* owned: the rules of all transforms, one after the other */
    uint32_t rule_count;
    size_t rule_room;
    /* What the rules of transforms put in place of an id, rule after rule. The running sums of
     * weights begin anew with each rule. */
    weighted_list results;
    by_id generators;          /* owned; generator structs (processes.c), found by an id */
    mapgen_process *processes; /* owned: the parts of all generators */
    uint32_t process_count;
    size_t process_room;
    arena *memory;                 /* owned; holds the objects that `traffic` lists */
    struct traffic_named *traffic; /* the vehicle_spawn or vehicle_placement object that was
                                      added last (traffic.c) */
    spawn_list spawns;             /* compiled entries and groups; their numbers begin at 1 */
    by_id roots;                   /* owned; group_root structs, found by a group's id */
    uint32_t *ids;                 /* owned; ids of what lies in items (see spawn.contents) */
    uint32_t id_count;
    size_t id_room;
    json_reader *reader; /* reads groups that are defined where they are used */
    bytes text;          /* scratch: a string after its escapes were decoded */
    /* Called with each group from which something is drawn (mapgen_groups_watch); may be
     * NULL. */
    mapgen_visit *drawn;
    void *drawn_payload;
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

/* groups_read.c: reads the entries of a group and adds them to the spawn (a compiled group)
 * with the number `root`; 0: to a new spawn. Returns the number of the group's spawn. */
uint32_t groups_read(mapgen_groups *g, uint32_t root, json_view group);
/* Appends a copy of a spawn (a compiled entry or group) to a list; false, and g->failed, when
 * memory is out. */
bool spawn_list_add(mapgen_groups *g, spawn_list *list, const spawn *s);

/* Calls the function that was set by mapgen_groups_watch, if there is one, since something is
 * drawn from the group `id`. */
static inline void groups_tell(const mapgen_groups *g, uint32_t id)
{
    if (g->drawn)
        g->drawn(g->drawn_payload, id);
}

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
