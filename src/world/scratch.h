/*
 * Scratch worlds: temporary files for a search with SQL. The overmaps of one seed at a time are
 * written into a scratch's file, so that SQL can query them. The file lies in a new directory
 * inside the one that the caller names, and is removed with the scratch. If the process is
 * killed, a directory portolan-scratch-* stays behind.
 */
#pragma once

#include "world/world.h"

typedef struct scratch scratch;

/* Makes a new scratch world, in a file in a new directory inside `parent`. The content is
 * copied from the file of `source`; cat is the catalogue of that content and is borrowed.
 * `name` becomes the name of the world, the only one in the file. */
ptl_status scratch_new(scratch **out, ptl_store *source, const catalogue *cat,
                       const char *parent, const char *name, ptl_error *err);
/* Closes the store and removes the file with its directory; does nothing for NULL. */
void scratch_free(scratch *s);

/* Replaces the world of the scratch by a world with these settings and chunks, in one
 * transaction. */
ptl_status scratch_fill(scratch *s, const ptl_world_options *options, const made_chunk *made,
                        size_t count, ptl_error *err);
/* Returns the store of the scratch's file, so that the caller can use ptl_query. The store is
 * borrowed. */
ptl_store *scratch_store(scratch *s);
