/*
 * What most commands begin with: the world file, one world of it, and how errors are told.
 */
#ifndef CLI_SESSION_SESSION_H
#define CLI_SESSION_SESSION_H

#include "clients/cli/session/coordinates.h"
#include "portolan/portolan.h"

typedef struct session {
    const args *args;
    ptl_store *store; /* owned */
    ptl_world *world; /* owned; NULL where the command needs none */
    ptl_error err;
    char program[32];           /* "portolan generate": what other writers are told */
    double waited, next_notice; /* of the wait that is on: seconds, and when to tell again */
} session;

/*
 * Opens the file named by the first operand; EXIT_DONE, or prints why not. Close it always, and
 * leave the session where it is until then. --wait and --shared count where the command has
 * them (OPTION_WAIT, OPTION_SHARED).
 */
int session_open(session *s, const args *a, ptl_open_mode mode);
/* Only what both begin with: the session, and how its commands open a file. EXIT_DONE, or
 * prints what is wrong with an option. */
int session_begin(session *s, const args *a, ptl_open_options *options);
/* Prints s->err of an opening that failed, with what to do; returns EXIT_FAILED. */
int session_open_failed(const session *s);
/* Opens the same with another journal mode. */
int session_open_journal(session *s, const args *a, ptl_open_mode mode, ptl_journal journal);
/* Opens the world of --world, or the only one. */
int session_world(session *s, const ptl_world_open_options *options);
/* Opens the file, and that world of it. */
int session_open_world(session *s, const args *a, ptl_open_mode mode,
                       const ptl_world_open_options *options);
void session_close(session *s);

/* One line on standard output if the file is in WAL mode. EXIT_DONE or EXIT_FAILED. */
int session_tell_journal(session *s);

/* Prints s->err with what to do about it; returns EXIT_FAILED. */
int session_failed(const session *s);
/* The same when memory is out. */
int session_no_memory(session *s);

/* Reports the same for an error outside of a session. path may be NULL. */
int report_error(const char *name, const char *path, const ptl_error *err);

/* Returns "quota" or "sectors". */
const char *placement_name(ptl_placement placement);

/* Lists the world's saved chunks (options NULL: all), in order of y and x. EXIT_DONE or
 * EXIT_FAILED. */
int session_saved_chunks(session *s, const ptl_chunk_list_options *options, chunk_list *out);

#endif
