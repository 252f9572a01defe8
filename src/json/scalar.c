#include "json/scalar.h"

#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* ---- strings ---- */

static uint32_t hex4(const char *at)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        const char c = at[i];
        value = value * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

/* Puts the character of the escape whose backslash is at `at`; the reader has checked it. */
static const char *put_escape(bytes *out, const char *at)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (at[1] != 'u') {
        const char *name = strchr(names, at[1]);
        bytes_put_u8(out, (uint8_t)values[name ? name - names : 0]);
        return at + 2;
    }
    uint32_t code = hex4(at + 2);
    at += 6;
    if (code >= 0xd800 && code <= 0xdbff) { /* the low surrogate follows */
        code = 0x10000 + ((code - 0xd800) << 10) + (hex4(at + 2) - 0xdc00);
        at += 6;
    }
    if (code < 0x80) {
        bytes_put_u8(out, (uint8_t)code);
    } else {
        const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
        bytes_put_u8(out, (uint8_t)(first[more] | code >> (6 * more)));
        for (int i = more - 1; i >= 0; i--)
            bytes_put_u8(out, (uint8_t)(0x80 | (code >> (6 * i) & 0x3f)));
    }
    return at;
}

void json_scalar_string(bytes *out, const char *at, size_t span)
{
    const char *const close = at + span - 1;
    for (at++; at < close;) {
        const char *escape = memchr(at, '\\', (size_t)(close - at));
        const char *stop = escape ? escape : close;
        bytes_put(out, at, (size_t)(stop - at));
        at = escape ? put_escape(out, escape) : close;
    }
}

/* ---- numbers ---- */

bool json_scalar_is_real(const char *at, const char *end)
{
    bool found = false;
    for (; at < end && !found; at++)
        found = *at == '.' || *at == 'e' || *at == 'E';
    return found;
}

/* Not by strtoll, which address sanitizers let look through the whole rest of the text. */
bool json_scalar_integer(long long *out, const char *at, const char *end)
{
    const bool negative = *at == '-';
    long long value = 0; /* kept negative, as there is one more negative number */
    for (at += negative; at < end; at++) {
        const int digit = *at - '0';
        if (value < (LLONG_MIN + digit) / 10)
            return false;
        value = value * 10 - digit;
    }
    if (!negative && value == LLONG_MIN)
        return false;
    *out = negative ? value : -value;
    return true;
}

/* strtod wants the decimal point of the calling program's locale, so a copy gets that. */
bool json_scalar_real(double *out, bytes *buffer, const char *at, const char *end)
{
    const size_t base = buffer->size;
    bytes_put(buffer, at, (size_t)(end - at));
    if (!bytes_text(buffer))
        return false;
    char *text = (char *)buffer->data + base, *point = strchr(text, '.');
    if (point)
        *point = *localeconv()->decimal_point;
    *out = strtod(text, NULL);
    buffer->size = base;
    return true;
}
