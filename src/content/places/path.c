#include "content/places/path.h"

#include <string.h>

void path_begin(path_walk *w, json_document document)
{
    w->document = document;
    w->next = w->depth = 0;
    w->end = document.count;
    w->is_key = false;
}

/* Leaves the entry that was reached last: what follows is no longer the value of its key, nor
 * inside of its array or object. */
static void leave(path_walk *w)
{
    if (w->next == 0)
        return;
    const size_t at = w->next - 1;
    const char c = json_first(&w->document, at);
    path_frame *top = w->depth > 0 ? &w->frames[w->depth - 1] : NULL;
    if (w->is_key && top) {
        top->key = (uint32_t)at;
        top->has_key = true;
    } else if (c == '{' || c == '[') {
        if (w->depth <= JSON_DEPTH_MAX)
            w->frames[w->depth++] = (path_frame){(uint32_t)at, 0, c == '{', false};
    } else {
        if (c == '}' || c == ']') {
            w->depth -= w->depth > 0;
            top = w->depth > 0 ? &w->frames[w->depth - 1] : NULL;
        }
        if (top)
            top->has_key = false;
    }
}

size_t path_next(path_walk *w)
{
    leave(w);
    if (w->next >= w->end)
        return SIZE_MAX;
    const path_frame *top = w->depth > 0 ? &w->frames[w->depth - 1] : NULL;
    w->is_key =
        top && top->is_object && !top->has_key && json_first(&w->document, w->next) == '"';
    return w->next++;
}

size_t path_to(path_walk *w, size_t offset)
{
    const json_entry *entries = w->document.entries;
    /* Counts the entries that begin at or before the offset. The walk goes to the last of them,
     * so that its frames are the arrays and objects that contain the offset. */
    size_t count = 0;
    for (size_t low = 0, high = w->document.count; low < high;) {
        count = low + (high - low) / 2;
        if (entries[count].start <= offset)
            low = ++count;
        else
            high = count;
    }
    w->end = count;
    size_t last = SIZE_MAX;
    for (size_t i; last + 1 < count && (i = path_next(w)) != SIZE_MAX;)
        last = i;
    if (last != SIZE_MAX && json_first(&w->document, last) == '"' &&
        offset < (size_t)entries[last].start + entries[last].span)
        return last;
    leave(w);
    w->is_key = false;
    return SIZE_MAX;
}

const path_frame *path_object(const path_walk *w)
{
    for (size_t i = 0; i < w->depth; i++)
        if (w->frames[i].is_object)
            return &w->frames[i];
    return NULL;
}
