/* The keys of a text's objects that are still open, to find those that are repeated. */
#ifndef JSON_KEYSET_H
#define JSON_KEYSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: empty. The keys of an inner object stand behind those of the outer ones. */
typedef struct keyset {
    struct key *items; /* owned */
    size_t count, capacity;
} keyset;

void keyset_dispose(keyset *k);
/* Adds a key: text[start, start + length). false when memory is out. */
bool keyset_add(keyset *k, const char *text, uint32_t start, size_t length);
/* Forgets the keys from `first` on, those of the innermost object. Each that repeats an earlier
 * one of them is given to on_repeated. */
void keyset_close(keyset *k, size_t first, const char *text,
                  void (*on_repeated)(void *payload, uint32_t start, uint32_t length),
                  void *payload);

#endif
