/*
 * What the bench programs share: clocks, files, and the library's calls with an end to the
 * program where one fails. A bench has nothing to save.
 */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <portolan/portolan.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_PATH_SIZE = 512 };

#define BENCH_DDA_CONTENT "/usr/share/games/cataclysm-dda/json"

_Noreturn void bench_die(const char *what, const ptl_error *err); /* err may be NULL */

double bench_seconds(void);     /* monotonic */
double bench_cpu_seconds(void); /* of this process, user and system */

/* Progress: a line on standard error that the next one replaces, where that is a terminal. */
void bench_tell(const char *what);

/* The value after option argv[*i]; NULL if there is none. */
const char *bench_value(int argc, char **argv, int *i);
/* A whole number from least to most; else the program ends. */
int32_t bench_number(const char *option, const char *text, int32_t least, int32_t most);
/* A directory for "dda", "builtin" (NULL) or a directory; NULL text: what this machine has. */
const char *bench_content(const char *text);
const char *bench_content_name(const char *content); /* for people */

void bench_path(char out[BENCH_PATH_SIZE], const char *folder, const char *name);
void bench_copy_file(const char *from, const char *to);
double bench_file_size(const char *path); /* 0 if there is none */
void bench_remove_file(const char *path); /* with what SQLite and Portolan put beside it */

/* Ends the program if memory is out, or a call has failed. err may be NULL. */
void *bench_must(void *memory);
void bench_check(ptl_status status, const char *what, const ptl_error *err);
/* Sorts the values; the quantile q of them, 0..1. */
double bench_quantile(double *values, int32_t count, double q);
/* Draws a number below `below`. */
int64_t bench_draw(uint64_t *state, int64_t below);

/* A file that exists, with the one world in it. */
typedef struct bench_opened {
    ptl_store *store;
    ptl_world *world;
} bench_opened;

bench_opened bench_open(const char *path, ptl_writers writers, ptl_journal journal);
void bench_close(bench_opened *o);

ptl_store *bench_open_store(const char *path);
ptl_world *bench_open_world(ptl_store *store);
/* The seconds it took, opening and closing included. content: a directory; NULL: embedded. */
double bench_import(const char *path, const char *content, bool *unchanged);
void bench_create_world(const char *path, const ptl_world_options *options);

/* Chunk number i of a strip 20 wide around the origin. */
ptl_chunk_pos bench_position(int32_t i);
/* Chunks number first .. first + count - 1. */
ptl_generate_report bench_generate(ptl_world *world, int32_t first, int32_t count,
                                   int32_t jobs);
/* The same where place puts them. */
ptl_generate_report bench_generate_at(ptl_world *world, ptl_chunk_pos (*place)(int32_t i),
                                      int32_t first, int32_t count, int32_t jobs);
/* Chunks by their numbers, in a file that is opened for it; the seconds that generating took.
 */
double bench_generate_file(const char *path, int32_t first, int32_t count, int32_t jobs,
                           ptl_generate_report *report);

/* Going on with a world that has chunks: opened, prepared, generated. */
typedef struct bench_continued {
    double prepare_seconds, seconds, cpu_seconds; /* the last two of generating alone */
    ptl_generate_report report;
} bench_continued;

/* Chunks number first .. first + count - 1 in `path`, a copy of the file `from` which is
 * removed afterwards; chunk 0 is there already. */
bench_continued bench_continue(const char *from, const char *path, int32_t first, int32_t count,
                               int32_t jobs);

/* Is a measured value within its limit (0: it has none)? If not, the end of the program says so
 * on standard error, also where the figures are JSON. Call this once for each figure. */
bool bench_within(const char *what, const char *unit, double value, double limit,
                  bool at_least);

/* Runs a program of the bench with these arguments (the first is set here, NULL ends them) and
 * hands each line that it prints to on_line (NULL: nobody), without its end. This program ends
 * if that fails. Returns the child's peak resident memory in kB (of 1,024 bytes). */
long bench_run(const char *program, char **arguments,
               void (*on_line)(void *payload, char *line), void *payload);

#endif
