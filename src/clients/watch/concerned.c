#include "clients/watch/concerned.h"

#include "os/file.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 16 * 1024 * 1024, WORD_BYTES_MAX = 200 };

static bool add(concerned *c, const char *word, size_t size)
{
    char *copy = arena_strndup(c->memory, word, size);
    if (!copy)
        return false;
    return concerned_has(c, copy) || strmap_put(&c->words, copy, 1) == 0;
}

/*
 * Takes whatever stands between two quotation marks as a word. Some of these are no JSON
 * strings, which does no harm: ids contain neither escapes nor line ends, and only ids are
 * looked up.
 */
static bool add_words(concerned *c, const char *text)
{
    bool good = true;
    for (const char *at = strchr(text, '"'); at && good; at = strchr(at + 1, '"')) {
        const size_t size = strcspn(at + 1, "\"\\\r\n");
        if (at[1 + size] == '"' && size > 0 && size <= WORD_BYTES_MAX)
            good = add(c, at + 1, size);
    }
    return good;
}

bool concerned_read(concerned *out, const char *paths, size_t size)
{
    *out = (concerned){.memory = arena_new()};
    strmap_init(&out->words);
    bool good = out->memory != NULL;
    for (size_t at = 0; at < size && good; at += strlen(paths + at) + 1) {
        size_t read;
        char *text = file_read_small(paths + at, FILE_BYTES_MAX, &read);
        good = !text || add_words(out, text);
        free(text);
    }
    return good;
}

bool concerned_has(const concerned *c, const char *word)
{
    return strmap_get(&c->words, word) != STRMAP_NONE;
}

void concerned_dispose(concerned *c)
{
    strmap_dispose(&c->words);
    arena_free(c->memory);
    *c = (concerned){.memory = NULL};
}
