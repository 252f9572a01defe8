/*
 * Scripts that content has for local maps, in Lua: what they may do, and nothing else
 * (schema/mapgen.md, "Lua"). A run is a function of its request alone: no file, clock, address,
 * locale or order of a table is seen by a script, and what it may do is counted. This is the
 * only room that knows Lua; a build without it (PORTOLAN_LUA=OFF) says so at each run.
 */
#ifndef MAPGEN_LUA_SCRIPT_H
#define MAPGEN_LUA_SCRIPT_H

#include "core/hash.h"
#include "core/stop.h"

#include <stdbool.h>

enum {
    /* Steps that the scripts of one map may take together: instructions of Lua, and what calls
     * cost that do more than one does. */
    SCRIPT_STEPS = 5000000,
    SCRIPT_MEMORY = 16 << 20, /* bytes that a run may have at a time */
    SCRIPT_TEXT_MAX = 16384,  /* bytes of one string */
    SCRIPT_SIZE_MAX = 65536,  /* bytes of a script */
    SCRIPT_ID_MAX = 200,      /* bytes of an id that a script names */
    SCRIPT_MESSAGE = 300
};

/* A group's items somewhere in a rectangle, corners included. */
typedef struct script_items {
    const char *group;
    size_t length;
    int32_t chance;   /* percent of a further round; 100: exactly one */
    int x, y, x2, y2; /* x <= x2, y <= y2; inside */
    bool on_flat;     /* also on flat ground */
} script_items;

/* What scripts draw on: tiles 0, 0 to width - 1, height - 1, and no other is asked for. */
typedef struct script_map {
    void *payload;
    int width, height;
    /* False: the id is unknown, and nothing was done. */
    bool (*set_terrain)(void *payload, int x, int y, const char *id, size_t length);
    bool (*set_furniture)(void *payload, int x, int y, const char *id, size_t length);
    void (*place_items)(void *payload, const script_items *items);
    void (*say)(void *payload, const char *text, size_t length);
} script_map;

typedef struct script_request {
    const char *text; /* the script */
    size_t size;
    const char *terrain; /* the OMT's, with its direction */
    int64_t turn;
    rng *random;     /* the tile's */
    uint32_t *steps; /* what is left of SCRIPT_STEPS; counted down */
    const script_map *map;
    const stop_hook *stop; /* is asked while it runs; NULL: nobody stops it */
} script_request;

typedef enum script_outcome {
    SCRIPT_DONE,
    SCRIPT_FAILED,   /* by itself or by a limit */
    SCRIPT_STOPPED,  /* somebody asked for it */
    SCRIPT_LEFT_OUT, /* this build has no Lua */
    SCRIPT_NO_MEMORY
} script_outcome;

/* What is wrong with a script. */
typedef struct script_fault {
    int line; /* from 1 */
    char message[SCRIPT_MESSAGE];
} script_fault;

/* Runs a script. The message is of one that failed. */
script_outcome script_run(const script_request *request, char message[SCRIPT_MESSAGE]);
/* Compiles it, and runs nothing. */
script_outcome script_check(const char *text, size_t size, script_fault *fault);

#endif
