#include "clients/watch/concerned.h"

#include "os/file.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 16 * 1024 * 1024, WORD_BYTES_MAX = 200 };

/*
 * Takes whatever stands between two quotation marks as a word. Some of these are no JSON
 * strings, which does no harm: ids contain neither escapes nor line ends, and only ids are
 * looked up.
 */
bool concerned_read(concerned *out, const char *paths, size_t size)
{
    *out = (concerned){.memory = arena_new()};
    strmap_init(&out->words);
    bool good = out->memory != NULL;
    for (size_t at = 0; at < size && good; at += strlen(paths + at) + 1) {
        size_t read;
        char *text = file_read_small(paths + at, FILE_BYTES_MAX, &read);
        const char *quote = text ? strchr(text, '"') : NULL;
        for (; quote && good; quote = strchr(quote + 1, '"')) {
            const size_t length = strcspn(quote + 1, "\"\\\r\n");
            if (quote[1 + length] != '"' || length == 0 || length > WORD_BYTES_MAX)
                continue;
            const char *word = arena_strndup(out->memory, quote + 1, length);
            good = word && (concerned_has(out, word) || strmap_put(&out->words, word, 1) == 0);
        }
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
