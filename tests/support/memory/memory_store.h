/*
 * A second backend of the contract (store/store.h), in memory: it shows that the contract is
 * whole, and generation is tested over it without SQLite. Several stores of one memory are what
 * several connections to one file are. All of the contract is here; nothing lasts, and of the
 * capabilities (store.h) there is no SQL and no file.
 */
#ifndef SUPPORT_MEMORY_MEMORY_STORE_H
#define SUPPORT_MEMORY_MEMORY_STORE_H

#include "store/store.h"

typedef struct memory memory;

/* new; NULL when memory is out. Its content is this catalogue's, which is borrowed; with NULL
 * there is none until one is imported. */
memory *memory_new(const catalogue *cat);
/* Its stores have been closed. */
void memory_free(memory *m);
/* new: close it with ptl_store_close. NULL when memory is out. */
ptl_store *memory_open(memory *m);

#endif
