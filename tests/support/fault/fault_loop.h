/*
 * The loop over faults: a scene plays with the first, second, third ... operation of a kind
 * failing, alone and then with all later ones, until it has none left. Each time the outcome
 * must be an error that says so, or the right result; nothing may leak; the file must be whole;
 * and without faults the scene must then succeed.
 */
#ifndef TESTS_FAULT_LOOP_H
#define TESTS_FAULT_LOOP_H

#include "support/fault/fault_place.h"

typedef struct fault_scene {
    const char *name;
    fault_file file;
    fault_opening opening;
    bool writes;
    int samples; /* how many faults of each kind are tried in an ordinary run */
    /* Adds what it gave to p->result. May be called again after it failed. */
    ptl_status (*call)(fault_place *p, ptl_error *err);
    /* Adds what it left behind, without faults, where it succeeded; or NULL. */
    void (*look)(fault_place *p);
} fault_scene;

/* Lists, each of which ends with a scene without a name. */
extern const fault_scene fault_scenes[], fault_scenes_care[], fault_scenes_past[],
    fault_scenes_tiles[], fault_scenes_content[], fault_scenes_count[], fault_scenes_lists[],
    fault_scenes_pictures[], fault_scenes_sea[], fault_scenes_columns[];

/* The scenes of all lists by number; NULL behind the last. */
const fault_scene *fault_scene_at(int number);
int fault_scene_count(void);

/* Something that can fail. */
typedef struct fault_source fault_source;
struct fault_source {
    const char *name;
    void (*arm)(const fault_source *source, uint64_t nth, bool all_later);
    uint64_t (*disarm)(uint64_t *failed);
    /* Operations since it was armed; NULL: disarm tells. For sources that are counted in one
     * run. */
    uint64_t (*count)(const fault_source *source);
    /* Notes, and then tells, which of a run's operations stand for all (fault_alloc.h); or
     * NULL. */
    void (*trace)(bool on);
    size_t (*paths)(uint64_t **out);
    /* Whether what failed alone kept an unfinished file from being removed; NULL: never. */
    bool (*leaves)(void);
    ptl_status expected[4]; /* what a call may return then; PTL_OK ends the list */
    int code;               /* these are the source's own */
    const void *what;
};

enum { FAULT_SOURCES_MAX = 16 };

enum { FAULT_EVERY = 0, FAULT_ONE = -1, FAULT_PATHS = -2 };

/* Plays a scene with each source's faults; returns the number of failures, which were printed.
 * samples: so many faults of each mode at most; or FAULT_EVERY; FAULT_ONE: one fault of one
 * mode, with half of the sources; FAULT_PATHS: the first and last one of each way of calls,
 * where the source knows them, else every one. */
int fault_run(fault_place *p, const fault_scene *scene, const fault_source *sources,
              size_t count, int samples);

/* How many: PORTOLAN_SOAK_FAULTS ("all", "paths" or a number), else the scene's own number, a
 * fifth of it where PORTOLAN_QUICK is set. */
int fault_samples(const fault_scene *scene);

#endif
