/* The terrains that a change of content concerns at once: those that a saved file names. (What
 * else may change local maps, such as palettes and groups of items, concerns any.) */
#ifndef WATCH_CONCERNED_H
#define WATCH_CONCERNED_H

#include "core/arena.h"

#include <stdbool.h>

/* Words in quotation marks, of files of JSON: whatever they say there. */
typedef struct concerned {
    arena *memory; /* owned */
    strmap words;
} concerned;

/* Reads files: paths with a 0 behind each, size bytes of them. What is not there any more, and
 * what is larger than 16 MB, has no words. False when memory is out. Dispose it in any case. */
bool concerned_read(concerned *out, const char *paths, size_t size);
bool concerned_has(const concerned *c, const char *word);
void concerned_dispose(concerned *c);

#endif
