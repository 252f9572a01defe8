/*
 * What item types of the content are, as far as making one asks: what it comes in, how many
 * charges it has, which magazine and ammunition fit. Made of the objects as they are kept.
 */
#ifndef MAPGEN_GROUPS_ITEMS_H
#define MAPGEN_GROUPS_ITEMS_H

#include "mapgen/compile/source.h"
#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

enum {
    MAPGEN_ITEM_KNOWN = 1,   /* there is such an object */
    MAPGEN_ITEM_CHARGED = 2, /* counted by charges: ammunition, food, what is stackable */
    MAPGEN_ITEM_LIQUID = 4,
    MAPGEN_ITEM_GUN = 8,
    MAPGEN_ITEM_TOOL = 16,
    MAPGEN_ITEM_MAGAZINE = 32,
    MAPGEN_ITEM_VARIABLE = 64, /* a garment that may fit */
    MAPGEN_ITEM_POCKETS = 128  /* it, or what it was copied from, has pocket_data */
};

/* Ids are numbers of the pool that the objects were read with; ID_NONE: there is none. */
typedef struct mapgen_item {
    uint32_t present;   /* of an earlier id: the one that it is now */
    uint32_t container; /* what it comes in */
    uint32_t magazine;  /* what a well takes, the first one that is named */
    uint32_t ammo;      /* ammunition for it; as it is stated, a type of it */
    int32_t charges;    /* of a new one; 0: none */
    int32_t capacity;   /* rounds that it takes itself */
    int32_t stack;      /* how many charges `volume` is of; 0: a new one's */
    int32_t volume;     /* ml; 0: unknown */
    int32_t space;      /* ml that it takes; 0: none, or unknown */
    uint32_t parent;    /* copied from */
    uint8_t flags;      /* MAPGEN_ITEM_* */
    uint8_t own;        /* which members it states itself */
} mapgen_item;

/* The types of objects that items are of, up to NULL. */
extern const char *const mapgen_item_types[];

typedef struct mapgen_items mapgen_items; /* for one thread: what is asked for is kept */

mapgen_items *mapgen_items_new(id_pool *pool); /* NULL when memory is out */
void mapgen_items_free(mapgen_items *items);
/* Is an object of the type one that mapgen_items_add adds? */
bool mapgen_items_concerns(json_view type);
/* Adds an item, a migration or a type of ammunition, before any of their ids is asked for;
 * others are passed over. An id that comes again replaces the one before. `only`: what the
 * object says of this id alone; ID_NONE: of all. False when memory is out. */
bool mapgen_items_add(mapgen_items *items, json_view object, uint32_t only);
/* From now on what is asked for first comes of the source; to be said before anything is. */
void mapgen_items_set_source(mapgen_items *items, const mapgen_source *source);
/* Was memory out when something was asked for? */
bool mapgen_items_failed(const mapgen_items *items);

/* What is known of an id: of an unknown one that a stack of it is of one, and else zeroes. */
mapgen_item mapgen_item_of(mapgen_items *items, uint32_t id);
/* The present id. */
uint32_t mapgen_item_now(mapgen_items *items, uint32_t id);

#endif
