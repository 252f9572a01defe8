/* A small world of the embedded content, and questions to it in SQL, for tests of virtual
 * tables and of what `portolan index` makes. */
#ifndef TESTS_VTAB_WORLD_H
#define TESTS_VTAB_WORLD_H

#include "portolan/portolan.h"
#include "portolan/query.h"

typedef struct vtab_world {
    char path[256];
    ptl_store *store;
    ptl_error err;
} vtab_world;

/* Chunks (-1, -1) .. (0, 0) of world "w"; nothing is open afterwards. */
void vtab_world_make(vtab_world *w, uint64_t seed);
void vtab_world_remove(vtab_world *w);
void vtab_world_open(vtab_world *w);
void vtab_world_close(vtab_world *w);

typedef struct vtab_answer {
    char text[4000]; /* values by '|', rows by ';' */
    size_t used;
} vtab_answer;

ptl_status vtab_ask(vtab_world *w, vtab_answer *out, const char *sql);
/* The query's answer is `text`; fails the test otherwise. */
void vtab_expect(vtab_world *w, const char *sql, const char *text);
void vtab_expect_error(vtab_world *w, const char *sql, ptl_status status, const char *part);

#endif
