/* Scripts run on a map of texts, with all that they say. */
#ifndef SCRIPT_FIXTURE_H
#define SCRIPT_FIXTURE_H

#include "core/bytes.h"
#include "mapgen/lua/script.h"

typedef struct script_fixture {
    char terrain[24][24][20], furniture[24][24][20]; /* row by row */
    bytes said;                                      /* each message with a newline */
    bytes items;    /* each call, "group chance x,y x2,y2 flat" with a newline */
    uint32_t steps; /* left */
    rng random;
    char message[SCRIPT_MESSAGE];
    const stop_hook *stop; /* NULL: nobody stops it */
} script_fixture;

void script_begin(script_fixture *f, uint64_t seed);
void script_end(script_fixture *f);
/* Runs a text. Ids that begin with "t_no" or "f_no" are unknown. */
script_outcome script_text(script_fixture *f, const char *text, size_t size);
/* All that is known of the map and of what was said, as a number. */
uint64_t script_digest(script_fixture *f);

/* A script in which all that may differ from run to run does what it can to. */
const char *script_busy(void);

#endif
