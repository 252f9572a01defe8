/*
 * What making items asks about the content's item types: their usual container and charges,
 * and which magazine and ammunition fit. It is read from the kept objects.
 */
#ifndef MAPGEN_GROUPS_ITEMS_H
#define MAPGEN_GROUPS_ITEMS_H

#include "mapgen/compile/source.h"
#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

enum {
    MAPGEN_ITEM_KNOWN = 1,   /* the content has such an object */
    MAPGEN_ITEM_CHARGED = 2, /* counted by charges, such as ammunition and food */
    MAPGEN_ITEM_LIQUID = 4,
    MAPGEN_ITEM_GUN = 8,
    MAPGEN_ITEM_TOOL = 16,
    MAPGEN_ITEM_MAGAZINE = 32,
    MAPGEN_ITEM_VARIABLE = 64, /* a garment of variable size */
    MAPGEN_ITEM_POCKETS = 128  /* it states pocket_data, or inherits it */
};

/* Ids are numbers of the pool that the objects were read with; ID_NONE: there is none. */
typedef struct mapgen_item {
    uint32_t present;   /* if the id is an earlier one, the present one */
    uint32_t container; /* its usual container */
    uint32_t magazine;  /* of a magazine well, the first magazine that is named */
    uint32_t ammo;      /* its ammunition; as it is stated, a type of ammunition */
    int32_t charges;    /* of a new item; 0: none */
    int32_t capacity;   /* rounds that it takes without a magazine */
    int32_t stack;      /* number of charges that `volume` is for; 0: those of a new item */
    int32_t volume;     /* in ml; 0: not known */
    int32_t space;      /* in ml, of what it may hold; 0: nothing, or not known */
    uint32_t parent;    /* what it is copied from */
    uint8_t flags;      /* MAPGEN_ITEM_* */
    uint8_t own;        /* bits of members that it states itself */
} mapgen_item;

/* The types of objects that define items, ending with NULL. */
extern const char *const mapgen_item_types[];

/* For one thread: it keeps what it found for each question. */
typedef struct mapgen_items mapgen_items;

mapgen_items *mapgen_items_new(id_pool *pool); /* NULL when memory is out */
void mapgen_items_free(mapgen_items *items);
/* Is an object of this type one that mapgen_items_add adds? */
bool mapgen_items_concerns(json_view type);
/* Adds an item, a migration or a type of ammunition; others are ignored. It must be added
 * before its id is asked for. An id that comes again replaces the earlier object. `only`:
 * only what the object says about this id; ID_NONE: all. False when memory is out. */
bool mapgen_items_add(mapgen_items *items, json_view object, uint32_t only);
/* Has the items take what they lack from the source. To be called before anything is asked
 * for. */
void mapgen_items_set_source(mapgen_items *items, const mapgen_source *source);
/* Was memory out when something was asked for? */
bool mapgen_items_failed(const mapgen_items *items);

/* Returns what is known of an id. An unknown one has a stack of 1, and zeroes otherwise. */
mapgen_item mapgen_item_of(mapgen_items *items, uint32_t id);
/* Returns the present id for an id. */
uint32_t mapgen_item_now(mapgen_items *items, uint32_t id);

#endif
