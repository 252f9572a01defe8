/*
 * A JSON text as the reader (reader.h) has found it: the text itself, and where each of its
 * keys, scalars and brackets stands. Values for programs (json_value.h) and places for messages
 * (position.h) are made of it, without looking at the grammar again.
 *
 * The entries stand in the order of the text: of an array "[", its elements, "]"; of an object
 * "{", then a key and its value for each member, "}". The entries of any value are a document
 * of their own.
 */
#ifndef JSON_DOCUMENT_H
#define JSON_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_entry {
    uint32_t start; /* offset of the first byte in the text */
    /* What it spans: of a key or scalar its bytes; of an opening bracket the entries from it to
     * the closing one, both counted; 0 where the text broke off before; of a closing one 1. */
    uint32_t span;
} json_entry;

/* One value; borrowed, text and all. */
typedef struct json_document {
    const char *text;
    const json_entry *entries;
    size_t count;
} json_document;

/* Returns the first byte of an entry, which tells what it is. */
static inline char json_first(const json_document *d, size_t i)
{
    return d->text[d->entries[i].start];
}

static inline bool json_opens(const json_document *d, size_t i)
{
    return json_first(d, i) == '{' || json_first(d, i) == '[';
}

/* Returns the entry behind the value at `i`. */
static inline size_t json_behind(const json_document *d, size_t i)
{
    return i + (json_opens(d, i) ? d->entries[i].span : 1);
}

/* The offset behind the value at `i`, which is complete. */
static inline uint32_t json_end(const json_document *d, size_t i)
{
    const json_entry *e = &d->entries[i];
    return json_opens(d, i) ? e[e->span - 1].start + 1 : e->start + e->span;
}

/* The key at `i` as it stands between the quotes, nothing unescaped. */
static inline const char *json_key(const json_document *d, size_t i, size_t *length)
{
    *length = d->entries[i].span - 2;
    return d->text + d->entries[i].start + 1;
}

/* Is the key, which its NUL or its quote ends, that of a comment, wherever it stands? */
static inline bool json_is_comment(const char *key)
{
    return key[0] == '/' && key[1] == '/';
}

#endif
