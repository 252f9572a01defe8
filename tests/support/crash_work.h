/*
 * What the crash tests do to a file: create it, import content, make a world, chunks in
 * batches and one by one, some of them again with more steps. It can begin on a file that holds
 * any part of this already, and ends with the same world. The steps that were reported as
 * saved are bits of a number.
 */
#ifndef SUPPORT_CRASH_WORK_H
#define SUPPORT_CRASH_WORK_H

#include "crash_trace.h"
#include "portolan/portolan.h"

enum {
    CRASH_CHUNKS = 9,
    CRASH_WHOLE = 2 /* of them with all steps, the others with the first ones alone */
};

/* Reported as saved: */
static const uint64_t CRASH_SET_UP = 1, CRASH_CONTENT = 2, CRASH_WORLD = 4;
enum { CRASH_SHORT_SHIFT = 8, CRASH_WHOLE_SHIFT = 32 }; /* + the chunk's index */

typedef struct crash_work {
    const char *path;
    ptl_journal journal;        /* of setting up, importing and the last chunks */
    ptl_journal chunks_journal; /* of the other chunks */
    crash_trace *trace;         /* is told what is reported; NULL: nobody is */
    bool stop_early;            /* opening and the next step alone */
} crash_work;

/* Does what is still to be done. Anything that goes wrong fails the test, *context in the
 * message. hex (may be NULL): the world's digest at the end. */
void crash_work_run(const crash_work *work, const char *context, char hex[65]);

/* What a file holds. */
typedef struct crash_state {
    uint64_t pages; /* hash over all of its pages */
    uint64_t saved; /* CRASH_... bits */
} crash_state;

typedef enum crash_finding {
    CRASH_FINE,
    CRASH_REFUSED,  /* the file does not open */
    CRASH_LOST,     /* something that had been reported is not there */
    CRASH_PROBLEMS, /* verify has some, or a chunk can't be read */
    CRASH_OTHER     /* the work went on but ended otherwise */
} crash_finding;

/*
 * Opens the file after a crash (for reading alone first, if so asked) and says what it holds.
 * reported: the bits that must be there. Of `known` states only the pages are read, the rest
 * follows from them: *is_known. why gets a message on anything but CRASH_FINE.
 */
typedef struct crash_known {
    const crash_state *states;
    size_t count;
} crash_known;

crash_finding crash_state_read(crash_state *out, bool *is_known, const crash_work *work,
                               uint64_t reported, bool read_first, const crash_known *known,
                               char why[256]);
/* Verify has 0 problems, and every saved chunk can be read whole. */
crash_finding crash_state_verify(const crash_work *work, char why[256]);

#endif
