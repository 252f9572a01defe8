/*
 * Lua's patterns: classes, sets, repetitions, captures, balances and frontiers. Every
 * character that is looked at costs a step, so that no pattern can run for long.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATTERN_CAPTURES = 32 };

#define PATTERN_NONE SIZE_MAX

typedef struct pattern_capture {
    size_t start, end; /* places in the text; if `end` is PATTERN_NONE, the capture has not
                          ended yet */
    bool place;        /* true: a capture "()", which keeps only a place in the text */
} pattern_capture;

typedef struct pattern {
    const char *text; /* the text that is searched */
    size_t text_size;
    const char *source; /* the pattern */
    size_t source_size;
    uint64_t steps;    /* how many steps the script may still take; matching takes some */
    const char *fault; /* what is wrong with the pattern; NULL: nothing was found yet */
    bool spent;        /* the matching was broken off, as the script has no steps left */
    int depth;
    int count; /* how many captures (parts of the text that the pattern keeps) have begun */
    pattern_capture captures[PATTERN_CAPTURES];
} pattern;

/* Matches the pattern, without an anchor, at exactly the place `at` of the text. Returns
 * where the match ends; PATTERN_NONE if it does not match here, has a fault, or runs out of
 * steps. */
size_t pattern_match(pattern *p, size_t at);
