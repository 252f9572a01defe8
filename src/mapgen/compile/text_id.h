/* Turns texts in JSON into numbers of an id_pool, for all code that reads ids of content. */
#pragma once

#include "model/id_pool.h"
#include "json/view.h"

#include <string.h>

/* Returns the number of a text in the pool of ids; ID_NONE if the JSON value is no text. The
 * buffer is used to decode escapes, and remembers when memory was out. */
static inline uint32_t mapgen_text_id(id_pool *pool, json_view v, bytes *buffer)
{
    size_t length = 0;
    const char *text = json_view_text(v, buffer, &length);
    return text ? id_pool_put(pool, text, length) : ID_NONE;
}

/* Returns the id that an object defines or changes, or the id of an abstract object that
 * others copy from. */
static inline json_view mapgen_object_name(json_view object)
{
    const json_view id = json_view_get(object, "id");
    return id.document ? id : json_view_get(object, "abstract");
}

/* Returns the number, in the pool of ids, of the JSON text that the value is written as;
 * ID_NONE if the value is absent. */
static inline uint32_t mapgen_json_id(id_pool *pool, json_view v)
{
    if (!v.document)
        return ID_NONE;
    const size_t start = json_view_offset(v), end = json_end(v.document, v.at);
    return id_pool_put(pool, v.document->text + start, end - start);
}

/* Returns the number of a C string in the pool of ids. */
static inline uint32_t mapgen_word_id(id_pool *pool, const char *text)
{
    return id_pool_put(pool, text, strlen(text));
}

/* Returns which of the words the value is, as an index into `words`; `count` if it is none of
 * them. */
static inline int mapgen_word_of(json_view v, const char *const *words, int count)
{
    int i = 0;
    while (i < count && !json_view_is(v, words[i]))
        i++;
    return i;
}

/* Returns the value if it is a whole number, cut to the limits least and most; else
 * `otherwise`. */
static inline int32_t mapgen_whole(json_view v, int32_t otherwise, int32_t least, int32_t most)
{
    int64_t number = 0;
    if (!json_view_integer(v, &number))
        return otherwise;
    return number < least ? least : number > most ? most : (int32_t)number;
}

/* Walks over the elements of a list; a value that is no list is its only element. */
static inline json_walk mapgen_walk_each(json_view v)
{
    if (!v.document || json_view_kind(v) == VIEW_ARRAY)
        return json_walk_of(v);
    return (json_walk){.value = v, .key = JSON_VIEW_NONE, .next = v.at, .end = v.at + 1};
}

/* Returns the first element of a list; JSON_VIEW_NONE: there is none. */
static inline json_view mapgen_first_of(json_view list)
{
    json_walk w = json_walk_of(list);
    return json_walk_next(&w) ? w.value : JSON_VIEW_NONE;
}
