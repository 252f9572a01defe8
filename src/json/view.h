/*
 * Access to a document's values without building any: a view is the place of a value in its
 * document (document.h). Reading a game's thousands of maps by views takes a fifth of the time
 * of Jansson's values, and every value has its place for messages.
 * A view may be absent (JSON_VIEW_NONE). All functions accept an absent view, which is of no
 * kind and has no members.
 */
#pragma once

#include "core/bytes.h"
#include "json/document.h"

#include <string.h>

typedef struct json_view {
    const json_document *document; /* borrowed; NULL: the view is of no value */
    size_t at;                     /* number of the value's entry in the document */
} json_view;

typedef enum view_kind {
    VIEW_ABSENT,
    VIEW_NULL,
    VIEW_TRUE,
    VIEW_FALSE,
    VIEW_NUMBER,
    VIEW_TEXT,
    VIEW_ARRAY,
    VIEW_OBJECT
} view_kind;

#define JSON_VIEW_NONE ((json_view){NULL, 0})

/* Returns the document's value. */
json_view json_view_of(const json_document *document);
/* Returns the kind of the value, by its first byte. */
static inline view_kind json_view_kind(json_view v)
{
    if (!v.document)
        return VIEW_ABSENT;
    switch (json_first(v.document, v.at)) {
    case '{':
        return VIEW_OBJECT;
    case '[':
        return VIEW_ARRAY;
    case '"':
        return VIEW_TEXT;
    case 't':
        return VIEW_TRUE;
    case 'f':
        return VIEW_FALSE;
    case 'n':
        return VIEW_NULL;
    default:
        return VIEW_NUMBER;
    }
}

/* Returns "a string", "an array" and so on, for messages about a value of the wrong kind. */
const char *json_view_kind_name(json_view v);
/* Returns the offset in the text at which the value begins; 0 if it is absent. */
size_t json_view_offset(json_view v);

/* Reads a number that is written as an integer. False for any other value, and if the number
 * does not fit into 64 bits. */
bool json_view_integer(json_view v, int64_t *out);
/* Reads any finite number. `buffer` is scratch, unchanged afterwards. False for any other
 * value, and when memory is out (buffer->failed is then set). */
bool json_view_real(json_view v, bytes *buffer, double *out);
/*
 * Returns a string's text and its length, without a NUL behind it. The text lies in the
 * document, or, if it has escapes, in *buffer, which is cleared before. NULL for any other
 * value, and when memory is out (buffer->failed is then set).
 */
const char *json_view_text(json_view v, bytes *buffer, size_t *length);
/* Is entry `at` a string with this text of `length` bytes? */
static inline bool json_entry_is(const json_document *d, size_t at, const char *text,
                                 size_t length)
{
    const json_entry *e = &d->entries[at];
    const char *start = d->text + e->start;
    return e->span == length + 2 && start[0] == '"' && start[1] == text[0] &&
           memcmp(start + 1, text, length) == 0;
}

/* Is the value a string with this text? Strings with escapes never match. If `text` is a
 * constant, compilers compute its length. */
static inline bool json_view_is(json_view v, const char *text)
{
    if (!v.document)
        return false;
    const char *start = v.document->text + v.document->entries[v.at].start;
    return start[0] == '"' && start[1] == text[0] &&
           json_entry_is(v.document, v.at, text, strlen(text));
}

/* Returns a member of an object, as json_view_get does, by a key of `length` bytes, which need
 * not end with a NUL. */
json_view json_view_find(json_view object, const char *key, size_t length);

/* Returns a member of an object; absent if there is none. If the key is repeated, its last
 * value counts. */
static inline json_view json_view_get(json_view object, const char *key)
{
    return json_view_find(object, key, strlen(key));
}

/* An index of the keys of an object, for code that asks for many members of which the object
 * has few: mostly it can tell without a look at the object that a member is missing. Each key
 * has one of 64 kinds (json_key_kind). `kinds` has a bit for each kind that occurs, `several`
 * for each kind that occurs more than once; keys[kind] is the key of a kind that occurs
 * once. */
typedef struct json_members {
    json_view object;
    uint64_t kinds, several;
    /* For each kind of keys (json_key_kind) that occurs: number of the entry, in the document,
     * of a key of this kind. It has no meaning for a kind that does not occur. */
    uint32_t keys[64];
} json_members;

/* Returns the kind of a key, 0..63; equal keys have the same kind. */
static inline unsigned json_key_kind(const char *key, size_t length)
{
    return length == 0 ? 0
                       : (unsigned)(5 * length + 3 * (unsigned char)key[0] +
                                    7 * (unsigned char)key[length - 1]) %
                             64;
}

/* Makes the index of an object's keys; the index of any other value has no keys. */
void json_members_of(json_members *out, json_view object);

/* Returns a member of the object whose index of keys this is; absent if there is none. It is
 * quicker than json_view_get. */
static inline json_view json_members_get(const json_members *m, const char *key)
{
    const size_t length = strlen(key);
    const unsigned kind = json_key_kind(key, length);
    if (!(m->kinds >> kind & 1))
        return JSON_VIEW_NONE;
    if (m->several >> kind & 1)
        return json_view_find(m->object, key, length);
    const json_document *d = m->object.document;
    return json_entry_is(d, m->keys[kind], key, length)
               ? (json_view){d, (size_t)m->keys[kind] + 1}
               : JSON_VIEW_NONE;
}

/* Iterates over the members of an object or the elements of an array; any other value has
 * none.
 *     for (json_walk w = json_walk_of(v); json_walk_next(&w);)
 * Members whose key begins with "//" are comments and are skipped. So are members whose key
 * is repeated by one of the next 512. */
typedef struct json_walk {
    json_view value; /* the value of the element or member that was reached last */
    /* The key, if a member of an object was reached; the absent view for elements of an
     * array. */
    json_view key;
    size_t index; /* an element's number, from 0 */
    size_t next, end;
    bool started, repeats;
} json_walk;

/* json_walk_of begins in front of the first member or element; json_walk_next goes on to the
 * next one, and returns false at the end. */
json_walk json_walk_of(json_view v);
bool json_walk_next(json_walk *w);
/* Counts the elements of an array, or the members of an object (comments included). */
size_t json_view_count(json_view v);
