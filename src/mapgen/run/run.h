/*
 * Makes a local map of compiled mapgen: pure, no store and no clock. What it is made of is a
 * function of the request alone; random numbers are drawn from the request's key, in the order
 * in which content lists what is put down. Groups are left as they are: which items and
 * monsters come of them is decided elsewhere.
 */
#ifndef MAPGEN_RUN_RUN_H
#define MAPGEN_RUN_RUN_H

#include "mapgen/compile/library.h"
#include "model/local_map.h"

typedef struct mapgen_request {
    const mapgen_library *library;
    id_pool *pool;    /* of the library; ids of the games' own pieces are put in */
    uint32_t terrain; /* whose map it is: the key of its entries */
    int turns;        /* quarter turns, clockwise, of the overmap terrain */
    int z;
    /* What is drawn hangs on these: keys of seed and place (core/hash.h). */
    uint64_t key;         /* of this tile and terrain */
    uint64_t stack_key;   /* of the column */
    uint64_t special_key; /* of the placed special or building; else of the tile */
    /* The oriented id of the OMT in a direction of mapgen_condition; "" where there is none. */
    const char *(*neighbour)(void *payload, int direction);
    void *payload;
} mapgen_request;

typedef enum mapgen_outcome {
    MAPGEN_MADE,
    MAPGEN_NO_ENTRY, /* the terrain has none that can be run: the map is empty */
    MAPGEN_NO_MEMORY
} mapgen_outcome;

/* Fills an initialised map. map->cut says that content wanted more than is ever made. */
mapgen_outcome mapgen_run(local_map *map, const mapgen_request *request);

#endif
