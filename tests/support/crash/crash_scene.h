/*
 * What the crash tests do to a world file and to the files beside it, one command after the
 * other: each with all generation steps and full content (cities, specials, all that is
 * packed). A scene begins with a folder that holds what its command needs; the command can
 * begin anew wherever it was interrupted, and ends with the same.
 */
#ifndef SUPPORT_CRASH_SCENE_H
#define SUPPORT_CRASH_SCENE_H

#include "portolan/portolan.h"
#include "support/crash/disk_trace.h"

typedef enum crash_content {
    CRASH_OWN, /* the embedded pack */
    CRASH_GAME /* Debian's copy of DDA 0.F */
} crash_content;

enum {
    CRASH_CHUNKS = 9,
    CRASH_SEEDS = 3,
    CRASH_MAPS = 4,
    CRASH_GAMES = 3,
    CRASH_CELLAR = -3, /* level of the local maps in saves of a game */
    CRASH_PATH_SIZE = 320
};

/* Reported as saved; also what is found to be there. CRASH_... << n: chunk, seed or save n. */
static const uint64_t CRASH_SET_UP = 1, CRASH_CONTENT = 2, CRASH_OTHER_CONTENT = 4,
                      CRASH_WORLD = 8, CRASH_INDEX = 16, CRASH_COPY = 32, CRASH_NEW_COPY = 64,
                      CRASH_EXPORT = 128, CRASH_REPAIRED = 256, CRASH_SAVE = 512,
                      CRASH_MOVED = 1024, CRASH_SEED = 1 << 12, CRASH_SHORT = 1 << 16,
                      CRASH_WHOLE = UINT64_C(1) << 28, CRASH_ANEW = UINT64_C(1) << 40,
                      CRASH_MAP = UINT64_C(1) << 50, CRASH_EDITED = UINT64_C(1) << 56,
                      CRASH_KEPT = UINT64_C(1) << 57, CRASH_RESET = UINT64_C(1) << 60;

typedef struct crash_scene crash_scene;

/* One scene with one content in one journal mode. */
typedef struct crash_run {
    const crash_scene *scene;
    crash_content content;
    ptl_journal journal; /* of the world file before the command; a new file's, too */
    char root[CRASH_PATH_SIZE], world[CRASH_PATH_SIZE], copy[CRASH_PATH_SIZE],
        out[CRASH_PATH_SIZE];
    char aside[CRASH_PATH_SIZE]; /* a folder for what is not watched */
    disk_trace *trace;           /* is told what is reported; NULL: nobody is */
    bool stop_early;             /* the next step alone */
    const char *context;         /* for messages */
    char digests[2][65];         /* scene backup: of a copy, the older and the newer */
    disk_image before, after;    /* owned; of scenes that write to `out`: the older and the
                                  * newer files */
    uint64_t baseline;           /* what there was before the command */
    ptl_store *store;            /* while at work */
    ptl_world *open;
    ptl_error err;
} crash_run;

struct crash_scene {
    const char *name;
    /* Leaves in the folder what the command begins with. */
    void (*prepare)(crash_run *r);
    /* The command: what is still to be done. Anything that goes wrong fails the test. */
    void (*act)(crash_run *r);
    unsigned weight; /* of its share of the points */
    bool files;      /* it is about files beside the world, or about its journal */
    bool creates;    /* there need not be a file before it */
    bool damaged;    /* the file has problems until CRASH_REPAIRED */
    bool keeps_mode; /* it ends in the journal mode that it began in */
    bool moves;      /* files of a game's save, to a folder of it and back: none is ever lost */
};

extern const crash_scene crash_scenes[];
size_t crash_scene_count(void);

/* Where local map n of CRASH_MAPS lies. */
ptl_omt crash_map_place(int index);
/* Where chunk n of CRASH_CHUNKS lies. */
ptl_chunk_pos crash_position(int index);

/* A new folder, prepared; dispose it. */
void crash_run_begin(crash_run *r, const crash_scene *scene, crash_content content,
                     ptl_journal journal);
void crash_run_end(crash_run *r);
/* The command, told to the trace; NULL: to nobody. */
void crash_run_act(crash_run *r, disk_trace *trace, bool stop_early, const char *context);

/* ---- what a folder holds ---- */

typedef enum crash_finding {
    CRASH_FINE,
    CRASH_REFUSED,  /* the file does not open */
    CRASH_LOST,     /* something that had been reported is not there */
    CRASH_PROBLEMS, /* verify has some, or a chunk can't be read */
    CRASH_MIXED,    /* a file beside it is neither the older nor the newer */
    CRASH_OTHER,    /* the command went on but ended otherwise */
    CRASH_FINDINGS
} crash_finding;

typedef struct crash_state {
    uint64_t pages; /* hash over all pages of the world file, and the files beside it */
    uint64_t saved; /* CRASH_... bits */
} crash_state;

typedef struct crash_known {
    const crash_state *states;
    size_t count;
} crash_known;

/*
 * Opens the file after a crash (for reading alone first, if so asked) and says what there is.
 * reported: the bits that must be there. Of `known` states only the pages are read, the rest
 * follows from them: *is_known. why gets a message on anything but CRASH_FINE.
 */
crash_finding crash_state_read(crash_state *out, bool *is_known, crash_run *r,
                               uint64_t reported, bool read_first, const crash_known *known,
                               char why[256]);
/* The bits of what there is, of a file that opens; false if some of it can't be read. */
bool crash_state_saved(uint64_t *saved, crash_run *r, char why[256]);
/* Verify has 0 problems; also where the scene bears some. */
crash_finding crash_state_verify(const crash_run *r, char why[256]);

/* All that the folder holds when the command is done: the world's digest, and a hash of every
 * row of every table but for times, runs and what depends on those. */
typedef struct crash_result {
    char digest[65]; /* "": no world */
    uint64_t tables, files;
    ptl_journal mode;
} crash_result;
void crash_result_read(crash_result *out, crash_run *r);
/* What differs; NULL if nothing. */
const char *crash_result_difference(const crash_result *a, const crash_result *b);

#endif
