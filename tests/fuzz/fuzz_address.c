/*
 * What the server reads of requests itself (src/clients/server/target.h,
 * src/clients/lookup/wish.h). An input is the first line's address, as it came. Whatever was
 * read is UTF-8 without NUL, and no value comes twice; a path is one of ours, without "..".
 */
#include "clients/lookup/wish.h"
#include "clients/server/target.h"
#include "core/utf8.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void check_text(const char *text)
{
    const size_t size = strlen(text);
    for (size_t at = 0; at < size;) {
        uint32_t c;
        at += utf8_decode(text + at, size - at, &c);
        fuzz_check(c != UTF8_BAD, "values are UTF-8", text);
    }
}

static void check_values(const target *t)
{
    wish w;
    for (size_t i = 0; i < t->count; i++) {
        const char *value = t->values[i].value;
        int64_t number = 1;
        check_text(t->values[i].name);
        check_text(value);
        fuzz_check(target_text(t, t->values[i].name) == value, "no value comes twice", value);
        if (target_int(t, t->values[i].name, -9, 180, &number))
            fuzz_check(number >= -9 && number <= 180, "numbers are in range", value);
        if (wish_parse(&w, value))
            fuzz_check(wish_takes(&w, value, "") || strchr(value, '-') || strchr(value, ' '),
                       "a word is in itself", value);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    const char *reason;
    target t;
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    if (target_parse(&t, text, &reason)) {
        fuzz_check(t.path[0] == '/' && !strstr(t.path, ".."), "paths stay inside", t.path);
        check_values(&t);
    } else {
        fuzz_check(reason != NULL, "what is refused has a reason", text);
    }
    target_dispose(&t);
    free(text);
    return 0;
}
