/*
 * Patterns of Lua: classes, sets, repetitions, captures, balances and frontiers. Every
 * character that is looked at counts, so that no pattern runs for long.
 */
#ifndef MAPGEN_LUA_PATTERN_H
#define MAPGEN_LUA_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATTERN_CAPTURES = 32 };

#define PATTERN_NONE SIZE_MAX

typedef struct pattern_capture {
    size_t start, end; /* end PATTERN_NONE: it is open */
    bool place;        /* of a place alone, () */
} pattern_capture;

typedef struct pattern {
    const char *text; /* that is looked at */
    size_t text_size;
    const char *source; /* the pattern */
    size_t source_size;
    uint64_t steps;    /* left */
    const char *fault; /* what is wrong with the pattern; NULL: nothing that was met yet */
    bool spent;        /* the steps are */
    int depth;
    int count; /* of captures */
    pattern_capture captures[PATTERN_CAPTURES];
} pattern;

/* Matches from the place `at` of the text on, without an anchor. Returns where the match ends;
 * PATTERN_NONE: there is none here, or a fault, or no step is left. */
size_t pattern_match(pattern *p, size_t at);

#endif
