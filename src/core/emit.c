#include "core/emit.h"

#include "core/utf8.h"
#include "core/visible.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* The largest number up to which every whole number is exact as a double, the type in which
 * most readers of JSON hold numbers. */
static const uint64_t EXACT = (UINT64_C(1) << 53) - 1;

static void comma(emitter *j)
{
    if (j->after)
        bytes_put_u8(j->out, ',');
    j->after = true;
}

void emit_string(emitter *j, const char *text, size_t size)
{
    comma(j);
    bytes *out = j->out;
    bytes_put_u8(out, '"');
    for (size_t at = 0; at < size;) {
        uint32_t c;
        const size_t used = utf8_decode(text + at, size - at, &c);
        if (c == '"' || c == '\\' || c == UTF8_BAD || visible_unsafe(c)) {
            if (c == '"' || c == '\\')
                bytes_printf(out, "\\%c", (int)c);
            else if (c == UTF8_BAD)
                bytes_put_text(out, "\\ufffd");
            else if (c < 0x10000)
                bytes_printf(out, "\\u%04x", (unsigned)c);
            else /* a code point above U+FFFF becomes a pair of surrogates */
                bytes_printf(out, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
                             (unsigned)(0xdc00 + ((c - 0x10000) & 0x3ff)));
        } else
            bytes_put(out, text + at, used);
        at += used;
    }
    bytes_put_u8(out, '"');
}

void emit_key(emitter *j, const char *key)
{
    emit_text(j, key);
    bytes_put_u8(j->out, ':');
    j->after = false;
}

void emit_text(emitter *j, const char *text)
{
    if (text)
        emit_string(j, text, strlen(text));
    else
        emit_null(j);
}

/* Writes a whole number, in quotes if it is larger than readers can hold. Answers consist of
 * numbers for the most part, so they are written without a format that has to be parsed. */
static void put_whole(emitter *j, bool minus, uint64_t size)
{
    enum { LONGEST = 23, BASE = 10 }; /* 20 digits, a sign and two quotes */
    char text[LONGEST];
    char *at = text + sizeof text;
    const bool quoted = size > EXACT;
    if (quoted)
        *--at = '"';
    do {
        *--at = (char)('0' + size % BASE);
        size /= BASE;
    } while (size > 0);
    if (minus)
        *--at = '-';
    if (quoted)
        *--at = '"';
    comma(j);
    bytes_put(j->out, at, (size_t)(text + sizeof text - at));
}

void emit_int(emitter *j, int64_t value)
{
    put_whole(j, value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void emit_uint(emitter *j, uint64_t value)
{
    put_whole(j, false, value);
}

void emit_real(emitter *j, double value)
{
    if (!isfinite(value)) {
        emit_null(j);
        return;
    }
    comma(j);
    bytes_printf(j->out, "%.17g", value);
}

void emit_null(emitter *j)
{
    comma(j);
    bytes_put_text(j->out, "null");
}

void emit_values(emitter *j, const bytes *values)
{
    j->out->failed |= values->failed;
    if (values->size == 0)
        return;
    comma(j);
    bytes_put(j->out, values->data, values->size);
}

void emit_key_text(emitter *j, const char *key, const char *text)
{
    emit_key(j, key);
    emit_text(j, text);
}

void emit_key_uint(emitter *j, const char *key, uint64_t value)
{
    emit_key(j, key);
    emit_uint(j, value);
}

/* Writes the next argument of `values`. `at` points to the letters behind a % in the pattern,
 * which say the argument's type and how the argument is written. Returns the place behind these
 * letters. */
static const char *put_value(emitter *j, const char *at, va_list *values)
{
    const char size = *at == 'j' || *at == 'z' ? *at++ : '\0';
    switch (*at) {
    case 's':
        emit_text(j, va_arg(*values, const char *));
        break;
    case 'i':
        comma(j);
        bytes_put_text(j->out, va_arg(*values, int) ? "true" : "false");
        break;
    case 'g':
        emit_real(j, va_arg(*values, double));
        break;
    case 'd':
        emit_int(j, size == 'j' ? va_arg(*values, intmax_t) : va_arg(*values, int));
        break;
    default:
        assert(*at == 'u');
        emit_uint(j, size == 'j'   ? va_arg(*values, uintmax_t)
                     : size == 'z' ? va_arg(*values, size_t)
                                   : va_arg(*values, unsigned));
    }
    return at + 1;
}

/* Returns how many letters, digits and underscores a pattern begins with. */
static size_t word_length(const char *at)
{
    size_t size = 0;
    while ((at[size] >= 'a' && at[size] <= 'z') || (at[size] >= 'A' && at[size] <= 'Z') ||
           (at[size] >= '0' && at[size] <= '9') || at[size] == '_')
        size++;
    return size;
}

void emit_put(emitter *j, const char *pattern, ...)
{
    va_list values;
    va_start(values, pattern);
    for (const char *at = pattern; *at;) {
        const size_t word = word_length(at);
        if (word > 0) {
            emit_string(j, at, word);
            at += word;
            assert(*at == ':');
            bytes_put_u8(j->out, ':');
            j->after = false;
            at++;
        } else if (*at == '%') {
            at = put_value(j, at + 1, &values);
        } else {
            const bool opens = *at == '{' || *at == '[';
            if (opens)
                comma(j);
            if (opens || *at == '}' || *at == ']') {
                bytes_put_u8(j->out, (uint8_t)*at);
                j->after = !opens;
            }
            at++;
        }
    }
    va_end(values);
}
