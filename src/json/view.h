/*
 * A document's values without building any: a view is a value's place in its document
 * (document.h). Reading a game's thousands of maps so takes a fifth of the time that Jansson's
 * values of them take, and what is found has its place for messages.
 *
 * A view that is absent (JSON_VIEW_NONE) may be asked for everything; it is nothing.
 */
#ifndef JSON_VIEW_H
#define JSON_VIEW_H

#include "core/bytes.h"
#include "json/document.h"

#include <string.h>

typedef struct json_view {
    const json_document *document; /* borrowed; NULL: absent */
    size_t at;                     /* entry */
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

/* Returns "a string", "an array", ...: what a message says was found. */
const char *json_view_kind_name(json_view v);
/* The offset in the text where the value begins; 0 if it is absent. */
size_t json_view_offset(json_view v);

/* Reads an integer, a number that is written as one. False for anything else, and out of range
 * of 64 bits. */
bool json_view_integer(json_view v, int64_t *out);
/* Reads any number that is not infinite. The buffer is as before then; false also when memory
 * is out, which the buffer remembers. */
bool json_view_real(json_view v, bytes *buffer, double *out);
/*
 * The text of a string and its length, no NUL behind it: it lies in the document's text, or,
 * with escapes in it, in *buffer, which is cleared before. NULL for anything else; and when
 * memory is out, which the buffer remembers.
 */
const char *json_view_text(json_view v, bytes *buffer, size_t *length);
/* Is the entry a string, and this one? */
static inline bool json_entry_is(const json_document *d, size_t at, const char *text,
                                 size_t length)
{
    const json_entry *e = &d->entries[at];
    const char *start = d->text + e->start;
    return e->span == length + 2 && start[0] == '"' && start[1] == text[0] &&
           memcmp(start + 1, text, length) == 0;
}

/* Is it a string, and this one? Texts with escapes are not looked for. Where the text is a
 * constant its length is one. */
static inline bool json_view_is(json_view v, const char *text)
{
    if (!v.document)
        return false;
    const char *start = v.document->text + v.document->entries[v.at].start;
    return start[0] == '"' && start[1] == text[0] &&
           json_entry_is(v.document, v.at, text, strlen(text));
}

json_view json_view_find(json_view object, const char *key, size_t length);

/* Returns the member of an object; absent if there is none. Of a repeated key the last value
 * counts. */
static inline json_view json_view_get(json_view object, const char *key)
{
    return json_view_find(object, key, strlen(key));
}

/* An object that is asked for many members, of which it has few: most answers need no look at
 * it. A bit of `kinds` for each kind of key that it has, one of `several` where more than one
 * of its keys are of the kind; else `keys` has the one. */
typedef struct json_members {
    json_view object;
    uint64_t kinds, several;
    uint32_t keys[64]; /* entries; where there is no bit anything */
} json_members;

/* Keys that are the same are of one kind, of 64. */
static inline unsigned json_key_kind(const char *key, size_t length)
{
    return length == 0 ? 0
                       : (unsigned)(5 * length + 3 * (unsigned char)key[0] +
                                    7 * (unsigned char)key[length - 1]) %
                             64;
}

void json_members_of(json_members *out, json_view object);

/* As json_view_get. */
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

/* Goes over members or elements: of anything else there are none.
 *     for (json_walk w = json_walk_of(v); json_walk_next(&w);)
 * Members whose key begins with "//" are comments, and passed over; so are those whose key
 * comes again among the next 512. */
typedef struct json_walk {
    json_view value; /* the present one */
    json_view key;   /* of a member; absent of an element */
    size_t index;    /* from 0, of an element */
    size_t next, end;
    bool started, repeats;
} json_walk;

json_walk json_walk_of(json_view v);
bool json_walk_next(json_walk *w);
/* Counts elements, or members with their comments. */
size_t json_view_count(json_view v);

#endif
