/*
 * Scripts in Lua that content has for local maps (schema/mapgen.md, "Lua"). The result of a run
 * depends on its request alone: a script sees no file, clock, address, locale or order of a
 * table, and all that it does is limited by counting. Only this folder knows Lua. In a build
 * without Lua (PORTOLAN_LUA=OFF) each run returns SCRIPT_LEFT_OUT.
 */
#pragma once

#include "core/hash.h"
#include "core/stop.h"

#include <stdbool.h>

enum {
    /* Steps that all scripts of one map may take together: instructions of Lua, and the costs
     * of calls that do more than one instruction does. */
    SCRIPT_STEPS = 5000000,
    SCRIPT_MEMORY = 16 << 20, /* bytes that a run may use at a time */
    SCRIPT_TEXT_MAX = 16384,  /* most bytes of a string that a script makes */
    SCRIPT_SIZE_MAX = 65536,  /* most bytes of a script's text */
    SCRIPT_ID_MAX = 200,      /* most bytes of an id that a script names */
    SCRIPT_MESSAGE = 300
};

/*
 * How a script asks to put items of a group on one random tile of a rectangle, corners
 * included.
 */
typedef struct script_items {
    const char *group;
    size_t length;
    /* The chance, in percent, that a further round of items is put; 100: exactly one round. */
    int32_t chance;
    int x, y, x2, y2; /* inside of the map; x <= x2, y <= y2 */
    bool on_flat;     /* items may also lie on tiles with the flag FLAT, such as bare floor */
} script_items;

/* The map that scripts draw on. Its functions are called only for tiles from 0, 0 to width - 1,
 * height - 1. */
typedef struct script_map {
    void *payload;
    int width, height;
    /* Sets the terrain of a tile, or its furniture; false: the id is not known, and nothing was
     * done. */
    bool (*set)(void *payload, bool terrain, int x, int y, const char *id, size_t length);
    void (*place_items)(void *payload, const script_items *items);
    void (*say)(void *payload, const char *text, size_t length);
} script_map;

typedef struct script_request {
    const char *text; /* the script */
    size_t size;
    const char *terrain; /* id of the OMT's oter */
    int64_t turn;
    rng *random; /* the random stream of the OMT */
    /* How many of the map's SCRIPT_STEPS steps are left; each run counts them down. */
    uint32_t *steps;
    const script_map *map;
    const stop_hook *stop; /* asked during the run whether to stop; NULL: nobody stops it */
} script_request;

typedef enum script_outcome {
    SCRIPT_DONE,
    SCRIPT_FAILED,   /* the script failed by an error of its own, or by a limit */
    SCRIPT_STOPPED,  /* the caller asked to stop the script */
    SCRIPT_LEFT_OUT, /* this build has no Lua */
    SCRIPT_NO_MEMORY
} script_outcome;

/* What is wrong with a script, and where. */
typedef struct script_fault {
    int line; /* line of the script; the first line is 1 */
    char message[SCRIPT_MESSAGE];
} script_fault;

/* Runs a script. If the script fails, the message says why. */
script_outcome script_run(const script_request *request, char message[SCRIPT_MESSAGE]);
/* Compiles a script without running it. */
script_outcome script_check(const char *text, size_t size, script_fault *fault);
