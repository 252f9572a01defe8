/* JSON's texts as numbers of a pool, for all that reads content's ids. */
#ifndef MAPGEN_COMPILE_TEXT_ID_H
#define MAPGEN_COMPILE_TEXT_ID_H

#include "model/id_pool.h"
#include "json/view.h"

#include <string.h>

/* ID_NONE of what is no text. The buffer is for texts with escapes, and remembers when memory
 * is out. */
static inline uint32_t mapgen_text_id(id_pool *pool, json_view v, bytes *buffer)
{
    size_t length = 0;
    const char *text = json_view_text(v, buffer, &length);
    return text ? id_pool_put(pool, text, length) : ID_NONE;
}

/* The same of an object's member. */
static inline uint32_t mapgen_member_id(id_pool *pool, json_view object, const char *name,
                                        bytes *buffer)
{
    return mapgen_text_id(pool, json_view_get(object, name), buffer);
}

/* What an object is or changes: its id, or the abstract one that others copy. */
static inline json_view mapgen_object_name(json_view object)
{
    const json_view id = json_view_get(object, "id");
    return id.document ? id : json_view_get(object, "abstract");
}

/* The number of the value's JSON as it stands; ID_NONE where it is absent. */
static inline uint32_t mapgen_json_id(id_pool *pool, json_view v)
{
    if (!v.document)
        return ID_NONE;
    const size_t start = json_view_offset(v), end = json_end(v.document, v.at);
    return id_pool_put(pool, v.document->text + start, end - start);
}

/* The number of a text that is no JSON. */
static inline uint32_t mapgen_word_id(id_pool *pool, const char *text)
{
    return id_pool_put(pool, text, strlen(text));
}

/* Which of the words it is; `count`: none of them. */
static inline int mapgen_word_of(json_view v, const char *const *words, int count)
{
    int i = 0;
    while (i < count && !json_view_is(v, words[i]))
        i++;
    return i;
}

/* A whole number, cut to what it may be; `otherwise` of anything else. */
static inline int32_t mapgen_whole(json_view v, int32_t otherwise, int32_t least, int32_t most)
{
    int64_t number = 0;
    if (!json_view_integer(v, &number))
        return otherwise;
    return number < least ? least : number > most ? most : (int32_t)number;
}

/* Goes over the elements of a list as json_walk_of, or else over the value itself alone. */
static inline json_walk mapgen_walk_each(json_view v)
{
    if (!v.document || json_view_kind(v) == VIEW_ARRAY)
        return json_walk_of(v);
    return (json_walk){.value = v, .key = JSON_VIEW_NONE, .next = v.at, .end = v.at + 1};
}

#endif
