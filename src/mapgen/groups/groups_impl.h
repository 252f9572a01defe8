/* What the files of groups share. */
#ifndef MAPGEN_GROUPS_GROUPS_IMPL_H
#define MAPGEN_GROUPS_GROUPS_IMPL_H

#include "mapgen/compile/by_id.h"
#include "mapgen/groups/groups.h"
#include "json/reader.h"

typedef struct spawn_range {
    int32_t low, high; /* both included */
} spawn_range;

typedef enum spawn_kind {
    SPAWN_ITEM,
    SPAWN_GROUP,        /* another one, by its id */
    SPAWN_COLLECTION,   /* each of its children, with its probability */
    SPAWN_DISTRIBUTION, /* one of its children, by weight */
} spawn_kind;

typedef enum spawn_overflow {
    SPAWN_ALL_IN, /* however much it is */
    SPAWN_DISCARD,
    SPAWN_SPILL /* it lies beside the container */
} spawn_overflow;

/* An entry of a group, or a group, which has entries as children. */
typedef struct spawn {
    spawn_kind kind;
    uint32_t id;
    uint32_t first, count; /* children */
    uint32_t total;        /* the children's weights; none is below 0 */
    int32_t prob;
    spawn_range many, charges, damage; /* charges: -1 where an end is not told */
    uint32_t container, ammo;          /* what it is put in; what it is loaded with */
    uint32_t wrapper;                  /* what all that comes of the entry is put in */
    uint32_t contents, content_count;  /* among the ids: what is put in it */
    uint32_t custom;                   /* JSON of a list of flags */
    uint32_t variant;                  /* JSON of a text: which of the type's looks it has */
    uint32_t rest; /* JSON members that are kept as they stand: components, artifact, ... */
    spawn_range dirt;
    spawn_overflow overflow; /* of a group with a container: what becomes of what is too much */
    bool open;               /* what it is put in is not sealed */
    bool container_group, ammo_group, contents_group; /* they are groups, else items */
    bool changed; /* something of what is above is told: results are to be changed */
    mapgen_loading loading;
} spawn;

/* An array that grows. */
typedef struct spawn_list {
    spawn *items; /* owned */
    uint32_t count;
    size_t room;
} spawn_list;

/* An item group, by its id. */
typedef struct group_root {
    uint32_t spawn; /* 0: there is none */
    bool asked;     /* of the source */
} group_root;

struct mapgen_groups {
    id_pool *pool;
    mapgen_source source;
    bool asked[MAPGEN_SORTS]; /* for all of the sort */
    bool copies;              /* a group was met, of one id, that copies another one */
    mapgen_items *items;      /* owned, as the next four are */
    mapgen_monsters *monsters;
    mapgen_lists *lists;
    mapgen_transforms *transforms;
    mapgen_traffic *traffic;
    spawn_list spawns; /* from 1 */
    by_id roots;       /* owned; of group_root */
    uint32_t *ids;     /* owned; of contents */
    uint32_t id_count;
    size_t id_room;
    json_reader *reader; /* of groups defined where they are used */
    bytes text;          /* of strings with escapes */
    bool failed;
};

/* The group's spawn, compiled if it is JSON that was not met before; 0: there is none. */
uint32_t groups_root(mapgen_groups *g, uint32_t id);
/* groups_read.c: reads entries behind those of the root, which may be 0. Returns its number. */
uint32_t groups_read(mapgen_groups *g, uint32_t root, json_view group);
bool spawn_list_add(mapgen_groups *g, spawn_list *list, const spawn *s);

#endif
