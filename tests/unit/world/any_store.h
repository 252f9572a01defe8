/* A store of any backend, what tests put into it, and what callbacks were given as text. */
#ifndef UNIT_WORLD_ANY_STORE_H
#define UNIT_WORLD_ANY_STORE_H

#include "portolan/portolan.h"
#include "support/memory/memory_store.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>

extern ptl_error err;

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

typedef struct place {
    char path[WORLD_PATH_SIZE]; /* "": there is no file */
    memory *memory;
    ptl_store *store;
} place;

/* Another backend is one more function in any_store.c. */
enum {
    FILE_BACKEND,
    MEMORY_BACKEND,
    BACKENDS, /* those before it keep the contents of earlier imports */
    TRANSIENT_BACKEND = BACKENDS,
    ALL_BACKENDS
};

void open_place(place *p, int backend);
void close_place(place *p);

void import_builtin(ptl_store *store);
/* The builtin content and a file of these objects. */
void import_text(ptl_store *store, const char *text, bool lenient);
/* The same, which may be refused. */
ptl_status try_import(ptl_store *store, const char *text, bool lenient);
/* One more terrain, so that it is another content. */
void import_more(ptl_store *store);
/* A new world, opened. */
ptl_world *create(ptl_store *store, const char *name, uint64_t seed);
void generate(ptl_world *world, const ptl_chunk_pos *list, size_t count,
              const char *stop_after);

/* What callbacks were given, as text; they say stop after so many. */
typedef struct notes {
    char text[4000];
    size_t size;
    int count, most;
} notes;

#define NOTE(n, ...)                                                                           \
    do {                                                                                       \
        const int added_ =                                                                     \
            snprintf((n)->text + (n)->size, sizeof(n)->text - (n)->size, __VA_ARGS__);         \
        ck_assert(added_ > 0 && (n)->size + (size_t)added_ < sizeof(n)->text);                 \
        (n)->size += (size_t)added_;                                                           \
        (n)->count++;                                                                          \
    } while (0)

/* What a callback returns that has noted something. */
bool go_on(const notes *n);

#endif
