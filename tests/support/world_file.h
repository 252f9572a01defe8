/* World files for tests: made in a directory of their own, with the embedded content. */
#ifndef SUPPORT_WORLD_FILE_H
#define SUPPORT_WORLD_FILE_H

#include "portolan/portolan.h"

enum { WORLD_PATH_SIZE = 256 };

/* A new directory under $TMPDIR or /tmp; path gets "<dir>/world.ptl". Fails the test if not
 * possible. */
void world_file_path(char path[WORLD_PATH_SIZE]);
/* Removes the file, what SQLite keeps beside it, and the directory. */
void world_file_remove(const char *path);

/* Opens or creates, for shared writing; imports the embedded pack and adds world `name` of
 * `seed` if it is new. */
ptl_store *world_file_open(const char *path, const char *name, uint64_t seed);
ptl_world *world_file_world(ptl_store *store, const char *name);

/* The digest line of the world. */
void world_file_digest(ptl_world *world, char hex[65]);
/* Two OMTs of chunk 0,0 become fields, in one edit, and a cabin is placed in another; a note,
 * marks and a fact come with them. */
void world_file_edit(ptl_world *world);

#endif
