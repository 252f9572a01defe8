/*
 * What all commands use: the command line, the world file, a world in it, and the ways to print
 * results and errors.
 */
#pragma once

#include "clients/cli/line/commands.h"
#include "clients/cli/line/options.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/rows.h"
#include "clients/cli/line/stop.h"
#include "core/suggest.h"
#include "os/new_file.h"
#include "portolan/portolan.h"
#include "portolan/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options that name chunks, as rows of a command's table of options (option_spec);
 * chunks_from_args reads them. */
/* clang-format off */
#define OPTIONS_CHUNKS                                                                         \
    {"rect", "X0,Y0,X1,Y1...", "chunks of a rectangle, both ends included", 0},                \
    {"chunk", "X,Y...", "one chunk", 0},                                                       \
    {"radius", "R...", "the block of 2R+1 x 2R+1 chunks around 0,0 or --at", 0},               \
    {"at", "X,Y", "the middle chunk of --radius", 0},                                          \
    {"list", "F...", "chunks from a file, or - for standard input: lines X,Y", 0}
/* clang-format on */
/* A growing list of chunks. */
typedef struct chunk_list {
    ptl_chunk_pos *positions; /* owned */
    size_t count, capacity;
} chunk_list;

bool chunk_list_add(chunk_list *list, ptl_chunk_pos pos); /* false: memory is out */

/* Collects the chunks of --rect, --chunk, --radius (around --at) and --list. Returns
 * EXIT_DONE, or another code after a message. */
int chunks_from_args(chunk_list *out, const args *a);

/* Reads a rectangle X0,Y0,X1,Y1, both ends included. X0 must not be greater than X1, nor Y0
 * than Y1. */
int rect_from_text(const args *a, const char *name, const char *text, int64_t limit,
                   int64_t out[4]);

/* Reads --level Z or --levels A..B into out[0] and out[1]; both are 0 if neither is given. */
int levels_from_args(const args *a, int64_t out[2]);

/* Reads --style; without it *out stays as it is. Returns EXIT_DONE, or EXIT_USAGE after a
 * message. */
int style_from_args(const args *a, ptl_map_style *out);
/* Reads an option's value "X,Y" as a chunk. *given says whether the option is there. */
int chunk_from_args(const args *a, const char *name, bool *given, ptl_chunk_pos *out);

struct session {
    const args *args;
    ptl_store *store; /* owned */
    ptl_world *world; /* owned; NULL if the command opens none */
    const char
        *world_name; /* borrowed; NULL: --world has the name, or the file has one world */
    ptl_error err;
    progress shown;    /* shows nothing with --quiet */
    rows_style style;  /* how rows are printed; rows_style_from_args sets it */
    chunk_list chunks; /* owned; the chunks that the command is about */
    /* The name of this process, e.g. "portolan generate". Other processes show it while they
     * wait to write the file. */
    char program[32];
    /* How many seconds the present wait has taken so far, and after how many seconds its next
     * message is due. */
    double waited, next_notice;
};

/* Sets up the command line and progress. Nothing is opened. */
void session_init(session *s, const args *a);
/*
 * Opens the file named by the first operand. Returns EXIT_DONE, or prints why it failed. The
 * session must not move until it is closed, because callbacks point to it. --wait and --shared
 * are obeyed if the command has them (OPTION_WAIT, OPTION_SHARED).
 */
int session_open(session *s, ptl_open_mode mode);
/* Fills in the options with which commands open a file, without opening it. Returns EXIT_DONE,
 * or EXIT_USAGE after a message. */
int session_begin(session *s, ptl_open_options *options);
/* Prints why opening failed (s->err) and what to do about it. Returns EXIT_FAILED. */
int session_open_failed(const session *s);
/* Opens the file named by the first operand, as session_open does, but with this journal mode
 * of SQLite. */
int session_open_journal(session *s, ptl_open_mode mode, ptl_journal journal);
/* Opens the world called world_name, or that of --world, or the only world of the file. */
int session_world(session *s, const ptl_world_open_options *options);
/* Opens the file and the world. */
int session_open_world(session *s, ptl_open_mode mode, const ptl_world_open_options *options);
/* Closes the world and the file, and frees the list of chunks. */
void session_close(session *s);

/* ---- several files in one command ---- */

/* An operand FILE[:WORLD], with a session for this file alone. It must not move after
 * file_operand_init. */
typedef struct file_operand {
    char *path;       /* owned */
    const char *name; /* WORLD, a part of the operand; NULL: none was given */
    const char *only; /* the path, as the only operand of `args` */
    args args;        /* the command line with this file alone, for the session */
    session session;
} file_operand;

/*
 * Splits operand number `nth` of a command line, and begins a session of its file. If the whole
 * operand is a file's path, there is no WORLD. Otherwise FILE is the longest part before a
 * colon that is a file, or the part before the first colon. Returns false when memory is out.
 * Dispose of it in any case; a file_operand of zeros can be disposed of, too.
 */
bool file_operand_init(file_operand *f, const args *a, size_t nth);
void file_operand_dispose(file_operand *f); /* closes the session */

/* Prints a line on standard output if the file's journal mode is WAL. Returns EXIT_DONE or
 * EXIT_FAILED. */
int session_tell_journal(session *s);

/* Ends progress. Returns EXIT_DONE if status is PTL_OK; else it prints s->err and
 * returns EXIT_FAILED. */
int session_done(session *s, ptl_status status);
/* Prints s->err with what to do about it; returns EXIT_FAILED. */
int session_failed(const session *s);
/* Prints s->err with what to do about it and, if the error has this status, a further line of
 * advice. Returns EXIT_FAILED. */
int session_failed_of(const session *s, ptl_status status, const char *advice);
/* Prints s->err with what to do about it and, if the file has no content, how to import
 * content. Returns EXIT_FAILED. */
int session_content_failed(const session *s);
/* Prints that memory is out, and returns EXIT_FAILED. */
int session_no_memory(session *s);
/* Turns the result of printing rows into an exit code: EXIT_DONE, or EXIT_FAILED after a
 * message that memory is out. */
int session_printed(session *s, bool good);

/* Prints an error of a command without a session, with advice; returns EXIT_FAILED.
 * path may be NULL. */
int report_error(const char *name, const char *path, const ptl_error *err);

/* Returns "quota" or "sectors". */
const char *placement_name(ptl_placement placement);

/* Lists the world's saved chunks in s->chunks, ordered by y, then x. options NULL: all chunks.
 * Returns EXIT_DONE or EXIT_FAILED. */
int session_saved_chunks(session *s, const ptl_chunk_list_options *options);

/* ---- suggestions for names that do not exist ---- */

/* The state of a search for the most similar of many names. A name is only valid during the
 * call of near_offer that gets it, so the best one is copied. */
typedef struct near_name {
    suggestion suggestion;
    char best[256]; /* "": no name is similar */
} near_name;

/* Begins the search for the name that is most similar to `wanted`, which is borrowed;
 * near_offer adds a candidate. */
void near_begin(near_name *n, const char *wanted);
void near_offer(near_name *n, const char *name);

/* Prints "Did you mean 'X'?" on standard error if a world of the file has a similar name. */
void names_suggest_world(session *s, const char *wanted);
/* Prints that the content has no special with this id, and suggests a similar id. Returns
 * EXIT_FAILED. */
int names_no_special(session *s, const char *id);

/* ---- out_file.c: the file that the user named for a result ---- */

/* The most files that a command may read while it writes an out_file. An out_file is standard
 * output, or a file that gets its name only when it is complete (os/new_file.h). */
enum { OUT_FILE_INPUTS = 2 };

typedef struct out_file {
    const char *path; /* borrowed */
    bool is_stdout;   /* the path is "-" or /dev/stdout */
    new_file file;
    file_id inputs[OUT_FILE_INPUTS]; /* files the command reads */
    size_t input_count;
    ptl_error err; /* the first error that a call for this file has met */
} out_file;

/* Opens the file. inputs are paths of files that the command reads, at most OUT_FILE_INPUTS. f
 * must not move until it is closed; close it in any case. Returns false with f->err set. */
bool out_file_open(out_file *f, const char *path, const char *const *inputs, size_t count);
/* Serves as ptl_sink. Returns false after an error, or if the command is to stop. */
bool out_file_write(void *payload, const void *data, size_t size);
/* Closes the file. The data were written under a temporary name. With `keep` the file gets its
 * name now, unless something failed before. Returns false after an error. */
bool out_file_close(out_file *f, bool keep);
/* Prints f->err for the command `name`. Returns EXIT_FAILED. */
int out_file_failed(const out_file *f, const char *name);

/*
 * Prints a command's result by calling `print`, which writes to standard output. If the option
 * --output is given, all that is written to standard output goes into its file. The file gets
 * its name only if nothing failed and nobody stopped the command. inputs are as in
 * out_file_open. Returns EXIT_DONE, or EXIT_FAILED after a message.
 */
int out_file_print(session *s, const char *const *inputs, size_t count,
                   ptl_status (*print)(void *payload, ptl_error *err), void *payload);
#define OPTION_OUTPUT                                                                          \
    {                                                                                          \
        "output", "FILE", "write the result there, once it is complete", 'o'                   \
    }

/* The options that name local maps, as rows of a command's table of options (option_spec). The
 * command must also have an option "local". */
/* clang-format off */
#define OPTIONS_LOCAL                                                                          \
    {"omt", "X0,Y0,X1,Y1...", "local maps of a rectangle of OMTs, both ends included", 0},     \
    {"levels", "Z0[,Z1]", "local maps of these levels (default: 0)", 0}

/* A growing list of areas: rectangles of OMTs whose local maps a command is about. */
typedef struct local_areas {
    ptl_local_area *list; /* owned */
    size_t count;
} local_areas;

void local_areas_dispose(local_areas *areas);

/* Collects the area of each --omt and of each of the chunks, on the levels of --levels.
 * Returns EXIT_DONE, or another code after a message. */
int local_areas_from_args(local_areas *out, const args *a, const chunk_list *chunks);

/* Makes and stores the local maps that are missing in the areas, with progress unless --quiet
 * is given. Returns EXIT_DONE, or EXIT_FAILED after a message; after a stop the message says
 * how many are done. */
int local_areas_store(session *s, const local_areas *areas, int32_t jobs,
                      ptl_local_generate_report *report);

/* Refuses options of local maps if --local is not given. */
int local_options_alone(const args *a);
