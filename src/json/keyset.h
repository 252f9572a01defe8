/* The keys of the objects that are open while a text is read, by which repeated keys are
 * found. */
#ifndef JSON_KEYSET_H
#define JSON_KEYSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty set. The keys of an inner object stand behind those of the outer
 * ones. */
typedef struct keyset {
    struct key *items; /* owned */
    size_t count, capacity;
} keyset;

void keyset_dispose(keyset *k);
/* Adds the key text[start .. start + length - 1] to the innermost object. False when memory
 * is out. */
bool keyset_add(keyset *k, const char *text, uint32_t start, size_t length);
/* Ends the innermost object, whose keys are those from `first` on, and forgets them. Calls
 * on_repeated for each key that repeats an earlier one. */
void keyset_close(keyset *k, size_t first, const char *text,
                  void (*on_repeated)(void *payload, uint32_t start, uint32_t length),
                  void *payload);

#endif
