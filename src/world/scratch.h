/*
 * Scratch worlds: a file of their own in which overmaps of one seed after another are put, so
 * that SQL can ask about each. The file lies in a new directory inside the one that the
 * caller names, and is removed with the scratch. If the process is killed, a directory
 * portolan-scratch-* stays behind.
 */
#pragma once

#include "world/world.h"

typedef struct scratch scratch;

/* Makes a new scratch in a new directory inside `parent`. The content is copied from the
 * source's file; cat is the catalogue of that content and is borrowed. name becomes the name
 * of the one world in the scratch. */
ptl_status scratch_new(scratch **out, ptl_store *source, const catalogue *cat,
                       const char *parent, const char *name, ptl_error *err);
/* Closes the store and removes the file with its directory; NULL is fine. */
void scratch_free(scratch *s);

/* Replaces the world by one with these settings and chunks, in one transaction. */
ptl_status scratch_fill(scratch *s, const ptl_world_options *options, const made_chunk *made,
                        size_t count, ptl_error *err);
/* Returns the store of the scratch's file, for ptl_query. It is borrowed. */
ptl_store *scratch_store(scratch *s);
