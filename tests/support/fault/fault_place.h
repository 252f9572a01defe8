/*
 * Where a fault scene plays: a folder with a copy of a prepared world file, opened as the scene
 * asks, and one number that stands for all that its calls gave.
 */
#ifndef TESTS_FAULT_PLACE_H
#define TESTS_FAULT_PLACE_H

#include "portolan/portolan.h"

enum { FAULT_PATH_SIZE = 256 };

/* The OMT of an island in the sea of FAULT_FILE_SEA. */
enum { FAULT_SEA_X = 681, FAULT_SEA_Y = 417 };

typedef enum fault_file {
    FAULT_FILE_NONE,    /* there is no file yet */
    FAULT_FILE_CONTENT, /* the embedded content */
    FAULT_FILE_WORLD,   /* and world "w" with chunks 0,0 and 1,0, world "other" with 1,0 */
    FAULT_FILE_DAMAGED, /* of those a level, a pack and an edge are damaged */
    FAULT_FILE_OLD,     /* those worlds in a file of an older schema */
    FAULT_FILE_PAST,    /* those worlds, after another content was imported */
    FAULT_FILE_SEA, /* the content, and world "w" of region coast with the chunk of an island */
    FAULT_FILES
} fault_file;

typedef enum fault_opening {
    FAULT_OPEN_NOTHING,
    FAULT_OPEN_READ,
    FAULT_OPEN_WRITE,
    FAULT_OPEN_WORLD, /* for reading, and world "w" */
    FAULT_OPEN_WORLD_WRITE
} fault_opening;

typedef struct fault_place {
    char path[FAULT_PATH_SIZE];   /* of the file */
    char save[FAULT_PATH_SIZE];   /* a game's save, with the exported chunk 0,0 of "w" */
    char export[FAULT_PATH_SIZE]; /* a folder that is not there yet */
    char content[FAULT_PATH_SIZE];
    int32_t mutable_number; /* of a mutable special in chunk 0,0 */
    ptl_store *store;
    ptl_world *world;
    uint64_t result;
} fault_place;

/* Makes the folder and the files that are copied. Fails the test where that is not possible. */
void fault_place_make(fault_place *p);
void fault_place_remove(fault_place *p);

/* Puts the file back as it was made, and removes what was exported. */
void fault_place_restore(fault_place *p, fault_file file);

/* How many unfinished files of ours lie beside the file and in the exported folder. */
int fault_place_unfinished(const fault_place *p);

/* Opens, once maps that were exported beside the file are removed, and closes; returns what
 * failed. */
ptl_status fault_place_open(fault_place *p, fault_opening how, ptl_error *err);
void fault_place_close(fault_place *p);

/* Adds to the result. */
void fault_mix(fault_place *p, const void *data, size_t size);
void fault_mix_text(fault_place *p, const char *text);
void fault_mix_number(fault_place *p, int64_t number);

/* What the file holds now, apart from the history of runs, as one number; 0 and a message if it
 * has problems. */
uint64_t fault_place_state(const fault_place *p, ptl_error *err);

#endif
