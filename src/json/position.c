/*
 * Finds, in one walk over a document, the places of all values that a set of JSON Pointers (RFC
 * 6901) names. The walk enters only arrays and objects that contain such a value, so that its
 * time does not grow with the number of pointers.
 */
#include "json/position.h"

#include "core/arena.h"
#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

typedef struct search {
    const json_document *document;
    arena *texts; /* owned; the texts of the JSON Pointers in `wanted` */
    /* Gives a number to each JSON Pointer whose value is looked for, and to each beginning of
     * such a JSON Pointer that is one itself: for "/a/b" also to "/a". */
    strmap wanted;
    uint32_t count; /* number of JSON Pointers in `wanted` */
    /* Owned; offsets[n] is the offset in the text of the value that JSON Pointer number n
     * names; 0: the walk has found no such value. */
    size_t *offsets;
    bytes pointer; /* JSON Pointer of the value that the walk has reached */
} search;

/* Returns the end of the token (a slash and what follows, up to the next slash) that begins at
 * `at` in the text of a JSON Pointer. */
static const char *token_end(const char *at)
{
    return at + 1 + strcspn(at + 1, "/");
}

/* Returns the number that s->wanted has for the JSON Pointer s->pointer; STRMAP_NONE if it has
 * none. */
static uint32_t number_of(search *s)
{
    const char *text = bytes_text(&s->pointer);
    return text ? strmap_get(&s->wanted, text) : STRMAP_NONE;
}

/* Notes where the value that begins with entry `at` lies in the text, and each value inside it
 * that a JSON Pointer in s->wanted names. The function calls itself for values inside of
 * values, but no deeper than JSON Pointers have tokens, which are few. If a key is repeated,
 * its last value counts, as in Jansson. */
static void look(search *s, size_t at)
{
    const json_document *d = s->document;
    const uint32_t number = number_of(s);
    if (number == STRMAP_NONE)
        return;
    s->offsets[number] = d->entries[at].start;
    if (!json_opens(d, at))
        return;
    const bool is_object = json_first(d, at) == '{';
    const size_t last = json_behind(d, at) - 1, base = s->pointer.size;
    size_t index = 0, length;
    for (size_t i = at + 1; i < last; i = json_behind(d, i)) {
        bytes_put_u8(&s->pointer, '/');
        if (is_object) {
            const char *key = json_key(d, i++, &length);
            for (const char *c = key; c < key + length; c++)
                if (*c == '~' || *c == '/')
                    bytes_put(&s->pointer, *c == '~' ? "~0" : "~1", 2);
                else
                    bytes_put_u8(&s->pointer, (uint8_t)*c);
        } else {
            bytes_printf(&s->pointer, "%zu", index++);
        }
        look(s, i);
        s->pointer.size = base;
    }
}

/* Returns the offset of the value that a JSON Pointer names. If there is no such value, returns
 * the offset of the innermost existing value on the way to it. If an object repeats a key, the
 * search may find the value of an earlier use of the key; it notices that because the value
 * does not lie behind the beginning of what contains it, and does not use it. */
static size_t place_of(search *s, const char *pointer)
{
    size_t offset = s->document->entries[0].start;
    for (const char *end = pointer; *end;) {
        end = token_end(end);
        bytes_clear(&s->pointer);
        bytes_put(&s->pointer, pointer, (size_t)(end - pointer));
        const uint32_t number = number_of(s);
        if (number == STRMAP_NONE || s->offsets[number] <= offset)
            break;
        offset = s->offsets[number];
    }
    return offset;
}

bool position_find_all(const json_document *document, position_wish *wishes, size_t count)
{
    search s = {.document = document, .texts = arena_new()};
    bool good = s.texts != NULL;
    strmap_init(&s.wanted);
    bytes_init(&s.pointer);
    for (size_t i = 0; i < count && good; i++)
        for (const char *at = wishes[i].pointer, *end = at; good; end = token_end(end)) {
            const char *text = arena_strndup(s.texts, at, (size_t)(end - at));
            good = text && (strmap_get(&s.wanted, text) != STRMAP_NONE ||
                            strmap_put(&s.wanted, text, s.count++) == 0);
            if (!*end)
                break;
        }
    s.offsets = calloc((size_t)s.count + 1, sizeof *s.offsets);
    good = good && s.offsets;
    if (good)
        look(&s, 0);
    good = good && !s.pointer.failed;
    for (size_t i = 0; i < count && good; i++) {
        wishes[i].offset = place_of(&s, wishes[i].pointer);
        good = !s.pointer.failed;
    }
    free(s.offsets);
    bytes_dispose(&s.pointer);
    strmap_dispose(&s.wanted);
    arena_free(s.texts);
    return good;
}

/* ---- lines ---- */

position_cursor position_begin(const char *text)
{
    return (position_cursor){.text = text, .line = 1, .column = 1};
}

void position_go(position_cursor *c, size_t offset)
{
    while (c->at < offset) {
        const char *from = c->text + c->at, *end = memchr(from, '\n', offset - c->at);
        c->at = end ? (size_t)(end - c->text) + 1 : offset;
        if (end) {
            c->line++;
            c->line_start = c->at;
        }
    }
    c->column = (int)(offset - c->line_start) + 1;
}
