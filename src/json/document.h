/*
 * A JSON text as the reader (reader.h) has parsed it: the text itself, and an entry for each
 * of its keys, scalars and brackets. Values for programs (json_value.h) and places for
 * messages (position.h) are made from a document, without parsing the text again.
 * The entries stand in the order of the text: an array is "[", its elements, "]"; an object is
 * "{", then a key and its value for each member, "}". The entries of any single value are a
 * document of their own.
 */
#pragma once

#include "core/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_entry {
    uint32_t start; /* offset of the first byte in the text */
    /* Of a key or scalar: its length in bytes. Of an opening bracket: the number of entries up
     * to the closing bracket, both included; 0 if the text ends without that bracket. Of a
     * closing bracket: 1. */
    uint32_t span;
} json_entry;

/* A document, which is one value. The text and the entries are borrowed. */
typedef struct json_document {
    const char *text;
    const json_entry *entries;
    size_t count;
} json_document;

/* Returns the first byte of the text of entry `i`, which tells what type of value the entry
 * begins. */
static inline char json_first(const json_document *d, size_t i)
{
    return d->text[d->entries[i].start];
}

static inline bool json_opens(const json_document *d, size_t i)
{
    return json_first(d, i) == '{' || json_first(d, i) == '[';
}

/* Entry `i` begins a value, which may have further entries. Returns the number of the first
 * entry after this value. */
static inline size_t json_behind(const json_document *d, size_t i)
{
    return i + (json_opens(d, i) ? d->entries[i].span : 1);
}

/* Returns the offset in the text of the byte behind the value that begins with entry `i`. If
 * the value is an array or object, it must have its closing bracket. */
static inline uint32_t json_end(const json_document *d, size_t i)
{
    const json_entry *e = &d->entries[i];
    return json_opens(d, i) ? e[e->span - 1].start + 1 : e->start + e->span;
}

/* Returns the key that is entry `i`, as it stands between its quotes; escapes are left as they
 * are. */
static inline const char *json_key(const json_document *d, size_t i, size_t *length)
{
    *length = d->entries[i].span - 2;
    return d->text + d->entries[i].start + 1;
}

/* Does the key mark its member as a comment? `key` points behind the opening quote and need not
 * end with a NUL. */
static inline bool json_is_comment(const char *key)
{
    return key[0] == '/' && key[1] == '/';
}

/* Appends the value's canonical text: without white space, and without members of objects
 * whose key begins with "//". */
void json_canonical(bytes *out, const json_document *value);
