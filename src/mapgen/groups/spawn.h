/* Item groups in their compiled form, for code that computes with them instead of drawing from
 * them (mapgen/odds). draw_items.c shows what each member does when items are drawn. */
#pragma once

#include "mapgen/groups/groups.h"

typedef struct spawn_range {
    int32_t low, high; /* the lowest and the highest number, both included */
} spawn_range;

typedef enum spawn_kind {
    SPAWN_ITEM,
    SPAWN_GROUP,        /* the entry names another group by its id */
    SPAWN_COLLECTION,   /* gives each of its entries with that entry's probability */
    SPAWN_DISTRIBUTION, /* gives one of its entries, chosen at random by weight */
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
    uint32_t first, count; /* the entries of the group: index of the first, and how many */
    uint32_t total; /* sum of the weights of the group's entries, none of which is negative */
    int32_t prob;
    /* -1 stands for an end of the range `charges` that the content does not state. */
    spawn_range many, charges, damage;
    /* The item's container, and the ammunition that the item is loaded with. */
    uint32_t container, ammo;
    uint32_t wrapper; /* id of a container into which all items go that this entry or group
                         gives */
    /* The items that are put into the entry's own item: index of the first in `ids`, and how
     * many. */
    uint32_t contents, content_count;
    uint32_t custom;  /* JSON list of flags that the entry gives its items */
    uint32_t variant; /* text of a JSON value: which of its type's looks the item has */
    /* Texts of JSON members that are kept as they are: components, artifact, ... */
    uint32_t rest;
    spawn_range dirt;
    spawn_overflow overflow; /* what becomes of items that do not fit into the container */
    bool open;               /* the item's container is not sealed */
    /* Whether the container, the ammunition and the contents are named by ids of groups; if
     * false, by ids of items. */
    bool container_group, ammo_group, contents_group;
    bool changed; /* this entry states something about its items, such as their damage, which
                     must be applied to the items after they are drawn */
    /* The entry counts on a single day of the year, and no world begins on that day. */
    bool elsewhen;
    mapgen_loading loading;
} spawn;

/* Returns the number of a group's spawn, which is its compiled form. If the id is a JSON text
 * (of a group that is defined where it is used) and new, the text is compiled. 0: there is no
 * such group. */
uint32_t mapgen_group_root(mapgen_groups *groups, uint32_t id);
/* Returns a copy of the spawn with this number. */
spawn mapgen_group_spawn(const mapgen_groups *groups, uint32_t number);
/* Returns an id from the list of what lies in an item (spawn.contents); it names an item or a
 * group. */
uint32_t mapgen_group_content(const mapgen_groups *groups, uint32_t number);
/* Returns how many rounds a weapon, tool or magazine takes, by itself or in its magazine. */
int32_t mapgen_item_rounds(mapgen_groups *groups, const mapgen_item *item);
