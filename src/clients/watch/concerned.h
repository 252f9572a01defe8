/* Which terrains a change of content concerns directly: those that a saved file names. (Other
 * changes of content, such as of palettes and item groups, may change any local map.) */
#ifndef WATCH_CONCERNED_H
#define WATCH_CONCERNED_H

#include "core/arena.h"

#include <stdbool.h>

/* All words in quotation marks in some JSON files, whatever their meaning there. */
typedef struct concerned {
    arena *memory; /* owned */
    strmap words;
} concerned;

/*
 * Reads the words of files. paths has size bytes: paths, each ended by a NUL. Files that no
 * longer exist, or are larger than 16 MB, are skipped. False when memory is out. Dispose *out
 * in any case.
 */
bool concerned_read(concerned *out, const char *paths, size_t size);
/* Is it among the words? */
bool concerned_has(const concerned *c, const char *word);
void concerned_dispose(concerned *c);

#endif
