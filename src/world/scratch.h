/*
 * Scratch worlds: overmaps of one seed after the other in a world file of their own, so that
 * SQL can be asked about each. The file lies where its maker says, and is
 * gone when the scratch is freed; a process that is killed leaves a directory
 * portolan-scratch-*.
 */
#ifndef WORLD_SCRATCH_H
#define WORLD_SCRATCH_H

#include "world/world.h"

typedef struct scratch scratch;

/* Makes a new scratch. The content is copied from the source's file; cat is that content's, and
 * borrowed. The directory is made in `parent`; name is what the one world in it will be
 * called. */
ptl_status scratch_new(scratch **out, ptl_store *source, const catalogue *cat,
                       const char *parent, const char *name, ptl_error *err);
void scratch_free(scratch *s);

/* In the place of the world that was there: one with these settings, and its chunks. All in one
 * transaction. */
ptl_status scratch_fill(scratch *s, const ptl_world_options *options, const made_chunk *made,
                        size_t count, ptl_error *err);
/* Returns the file's store for ptl_query; it is borrowed. */
ptl_store *scratch_store(scratch *s);

#endif
