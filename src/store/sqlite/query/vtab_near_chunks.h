/* A cache of chunks' specials for near(), which in a join asks about the same chunks again and
 * again. The user makes a new one when the file has changed. */
#ifndef STORE_SQLITE_QUERY_VTAB_NEAR_CHUNKS_H
#define STORE_SQLITE_QUERY_VTAB_NEAR_CHUNKS_H

#include "store/sqlite/connection/stmt.h"

#include "portolan/types.h"

typedef struct near_special {
    uint32_t name;   /* number in table `name` */
    int32_t x, y;    /* origin, in absolute OMTs */
    uint16_t number; /* number in its chunk */
    int8_t z, rotation;
} near_special;

typedef struct near_chunk {
    int64_t id;
    ptl_chunk_pos pos;
    near_special *specials; /* owned */
    size_t count;
} near_chunk;

typedef struct near_source near_source;

near_source *near_source_new(ptl_store *store); /* NULL when memory is out */
void near_source_free(near_source *c);          /* NULL is fine */

/* Gets the id of a world by its name, -1 if there is none. near_name does the same for a
 * special's number, 0 if there is none. */
ptl_status near_world(int64_t *out, near_source *c, const char *name, ptl_error *err);
ptl_status near_name(uint32_t *out, near_source *c, const char *special, ptl_error *err);

/* Visits the saved chunks of a rectangle, both ends included, in the order of x, y. */
typedef ptl_status near_visit(void *payload, const near_chunk *chunk, ptl_error *err);
ptl_status near_chunks(near_source *c, int64_t world_id, ptl_chunk_pos low, ptl_chunk_pos high,
                       near_visit *visit, void *payload, ptl_error *err);

#endif
