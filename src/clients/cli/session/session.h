/*
 * What commands begin with: the command line, the world file, one world of it, and how results
 * and errors are told. A command's file includes this for all that it prints and reads with.
 */
#ifndef CLI_SESSION_SESSION_H
#define CLI_SESSION_SESSION_H

#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/line/rows.h"
#include "clients/cli/session/coordinates.h"
#include "core/suggest.h"
#include "os/new_file.h"
#include "portolan/portolan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
    const args *args;
    ptl_store *store; /* owned */
    ptl_world *world; /* owned; NULL where the command needs none */
    ptl_error err;
    progress shown;             /* nothing of it with --quiet */
    rows_style style;           /* of rows_style_from_args */
    chunk_list chunks;          /* owned; those that the command is about */
    char program[32];           /* "portolan generate": what other writers are told */
    double waited, next_notice; /* of the wait that is on: seconds, and when to tell again */
};

/* Only the command line and progress; nothing is open. */
void session_init(session *s, const args *a);
/*
 * Opens the file named by the first operand; EXIT_DONE, or prints why not. Leave the session
 * where it is until it is closed. --wait and --shared count where the command has them
 * (OPTION_WAIT, OPTION_SHARED).
 */
int session_open(session *s, ptl_open_mode mode);
/* Only how commands open a file. EXIT_DONE, or prints what is wrong with an option. */
int session_begin(session *s, ptl_open_options *options);
/* Prints s->err of an opening that failed, with what to do; returns EXIT_FAILED. */
int session_open_failed(const session *s);
/* Opens the same with another journal mode. */
int session_open_journal(session *s, ptl_open_mode mode, ptl_journal journal);
/* Opens the world of --world, or the only one. */
int session_world(session *s, const ptl_world_open_options *options);
/* Opens the file, and that world of it. */
int session_open_world(session *s, ptl_open_mode mode, const ptl_world_open_options *options);
/* Closes what is open, and frees the chunks. */
void session_close(session *s);

/* One line on standard output if the file is in WAL mode. EXIT_DONE or EXIT_FAILED. */
int session_tell_journal(session *s);

/* Ends progress. EXIT_DONE, or what session_failed returns if the call that gave the status has
 * failed with s->err. */
int session_done(session *s, ptl_status status);
/* Prints s->err with what to do about it; returns EXIT_FAILED. */
int session_failed(const session *s);
/* The same, and where it is that status what else can be done: a line. */
int session_failed_of(const session *s, ptl_status status, const char *advice);
/* The same when memory is out. */
int session_no_memory(session *s);
/* EXIT_DONE, or the same: good is what printing rows has returned. */
int session_printed(session *s, bool good);

/* Reports the same for an error outside of a session. path may be NULL. */
int report_error(const char *name, const char *path, const ptl_error *err);

/* Returns "s" but for 1. */
const char *plural(uint64_t count);
/* Returns "quota" or "sectors". */
const char *placement_name(ptl_placement placement);

/* Lists the world's saved chunks (options NULL: all) in s->chunks, in order of y and x.
 * EXIT_DONE or EXIT_FAILED. */
int session_saved_chunks(session *s, const ptl_chunk_list_options *options);

/* ---- names.c: names that a file does not have, and what may have been meant ---- */

/* The nearest of many names that are gone again when the next one comes. */
typedef struct near_name {
    suggestion suggestion;
    char best[256]; /* "": none is near */
} near_name;

/* wanted is borrowed. */
void near_begin(near_name *n, const char *wanted);
void near_offer(near_name *n, const char *name);

/* What may have been meant by the first operand, which is no file: the next operand, where the
 * two are swapped, or a file of its folder whose name is near. False: nothing is told. */
bool names_suggest_file(const args *a);
/* "Did you mean 'X'?" on standard error, if a world of the file is called nearly so. */
void names_suggest_world(session *s, const char *wanted);
/* Says that the content has no such special or building. Returns EXIT_FAILED. */
int names_no_special(session *s, const char *id);

/* ---- out_file.c: where a command's result goes that the user named ---- */

/* A file that appears under its name only when it is complete (os/new_file.h), or standard
 * output. */
enum { OUT_FILE_INPUTS = 2 };

typedef struct out_file {
    const char *path; /* borrowed */
    bool is_stdout;   /* it is "-", or /dev/stdout */
    new_file file;
    file_id inputs[OUT_FILE_INPUTS]; /* what the command reads: never replaced */
    size_t input_count;
    ptl_error err; /* the first that failed */
} out_file;

/* inputs are paths of files that the command reads, at most OUT_FILE_INPUTS. Leave f where it
 * is, and close it in any case. */
bool out_file_open(out_file *f, const char *path, const char *const *inputs, size_t count);
/* Serves as ptl_sink; false also once a signal asks to stop. */
bool out_file_write(void *payload, const void *data, size_t size);
/* keep: it is put under its name, unless something failed before. */
bool out_file_close(out_file *f, bool keep);
/* Prints what failed, for the command of that name; returns EXIT_FAILED. */
int out_file_failed(const out_file *f, const char *name);

#endif
