#include "json/json_value.h"

#include "core/bytes.h"
#include "json/token.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *at;
    bytes texts; /* a stack: the keys of open objects, and on top a string that is read */
    int depth;
    json_fault *fault;
    const stop_hook *stop; /* NULL: nobody */
    uint32_t rounds;
} reader;

static json_t *read_value(reader *r);

static json_t *fail(reader *r, const char *at, const char *reason)
{
    *r->fault = (json_fault){.at = at, .reason = reason};
    return NULL;
}

static json_t *fail_memory(reader *r)
{
    return fail(r, r->at, NULL);
}

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

static void put_code(bytes *out, uint32_t code)
{
    if (code < 0x80) {
        bytes_put_u8(out, (uint8_t)code);
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
    bytes_put_u8(out, (uint8_t)(first[more] | code >> (6 * more)));
    for (int i = more - 1; i >= 0; i--)
        bytes_put_u8(out, (uint8_t)(0x80 | (code >> (6 * i) & 0x3f)));
}

/* at is at the backslash of an escape that token_string has passed. */
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
    if (code >= 0xd800 && code <= 0xdbff) { /* the other half follows */
        code = 0x10000 + ((code - 0xd800) << 10) + (hex4(at + 2) - 0xdc00);
        at += 6;
    }
    put_code(out, code);
    return at;
}

/* Pushes the string at r->at, with a NUL that is not counted. */
static bool push_string(reader *r)
{
    token_fault fault;
    const char *end = token_string(r->at, &fault);
    if (!end) {
        fail(r, fault.at, fault.reason);
        return false;
    }
    const char *at = r->at + 1, *const close = end - 1;
    while (at < close) {
        const char *escape = memchr(at, '\\', (size_t)(close - at));
        const char *stop = escape ? escape : close;
        bytes_put(&r->texts, at, (size_t)(stop - at));
        at = escape ? put_escape(&r->texts, escape) : close;
    }
    if (!bytes_text(&r->texts)) {
        fail_memory(r);
        return false;
    }
    r->at = end;
    return true;
}

static json_t *read_string(reader *r)
{
    const size_t base = r->texts.size;
    if (!push_string(r))
        return NULL;
    json_t *value =
        json_stringn_nocheck((const char *)r->texts.data + base, r->texts.size - base);
    r->texts.size = base;
    return value ? value : fail_memory(r);
}

/* ---- numbers and words ---- */

/* Of a sign, if any, and digits; false where it is out of range. (strtoll would do, but address
 * sanitizers let it look through all the text behind.) */
static bool whole_number(const char *at, const char *end, long long *out)
{
    const bool negative = *at == '-';
    long long value = 0; /* negative: there is one more of these */
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

static json_t *read_integer(reader *r, const char *end)
{
    long long number;
    if (!whole_number(r->at, end, &number)) {
        fail(r, r->at, *r->at == '-' ? "too big negative integer" : "too big integer");
        r->fault->range = true;
        return NULL;
    }
    r->at = end;
    json_t *value = json_integer(number);
    return value ? value : fail_memory(r);
}

/* strtod wants the decimal point of the locale that the calling program has set. */
static json_t *read_real(reader *r, const char *end)
{
    const size_t base = r->texts.size;
    bytes_put(&r->texts, r->at, (size_t)(end - r->at));
    if (!bytes_text(&r->texts))
        return fail_memory(r);
    char *text = (char *)r->texts.data + base, *point = strchr(text, '.');
    if (point)
        *point = *localeconv()->decimal_point;
    const double number = strtod(text, NULL);
    r->texts.size = base;
    if (isinf(number)) {
        fail(r, r->at, "real number overflow");
        r->fault->range = true;
        return NULL;
    }
    r->at = end;
    json_t *value = json_real(number);
    return value ? value : fail_memory(r);
}

static json_t *read_number(reader *r)
{
    token_fault fault;
    const char *end = token_number(r->at, &fault);
    if (!end)
        return fail(r, fault.at, fault.reason);
    for (const char *at = r->at; at < end; at++)
        if (*at == '.' || *at == 'e' || *at == 'E')
            return read_real(r, end);
    return read_integer(r, end);
}

/* Jansson's words are constants: there is nothing to allocate. */
static json_t *read_word(reader *r)
{
    token_fault fault;
    const char *start = r->at, *end = token_literal(start, &fault);
    if (!end)
        return fail(r, fault.at, fault.reason);
    r->at = end;
    return *start == 't' ? json_true() : *start == 'f' ? json_false() : json_null();
}

/* ---- arrays and objects ---- */

/* Behind an element: a comma, or the closing bracket, which ends the loop. */
static bool read_separator(reader *r, char closing, bool *more)
{
    r->at = token_space(r->at);
    *more = *r->at == ',';
    if (*r->at != ',' && *r->at != closing) {
        fail(r, r->at, closing == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
        return false;
    }
    r->at = *more ? token_space(r->at + 1) : r->at + 1;
    return true;
}

static bool read_member(reader *r, json_t *object, bool *more)
{
    const size_t base = r->texts.size;
    if (*r->at != '"') {
        fail(r, r->at, "expected a key");
        return false;
    }
    if (!push_string(r))
        return false;
    bytes_put_u8(&r->texts, 0); /* the room is there */
    r->at = token_space(r->at);
    if (*r->at != ':') {
        fail(r, r->at, "expected ':'");
        return false;
    }
    r->at = token_space(r->at + 1);
    json_t *value = read_value(r);
    if (!value)
        return false;
    const char *key = (const char *)r->texts.data + base;
    if (json_object_set_new_nocheck(object, key, value) != 0) {
        fail_memory(r);
        return false;
    }
    r->texts.size = base;
    return read_separator(r, '}', more);
}

static bool read_element(reader *r, json_t *array, bool *more)
{
    json_t *value = read_value(r);
    if (!value)
        return false;
    if (json_array_append_new(array, value) != 0) {
        fail_memory(r);
        return false;
    }
    return read_separator(r, ']', more);
}

static json_t *read_container(reader *r, bool is_object)
{
    json_t *out = is_object ? json_object() : json_array();
    if (!out)
        return fail_memory(r);
    r->at = token_space(r->at + 1);
    bool good = true, more = *r->at != (is_object ? '}' : ']');
    if (!more)
        r->at++;
    while (more && good)
        good = is_object ? read_member(r, out, &more) : read_element(r, out, &more);
    if (good)
        return out;
    json_decref(out);
    return NULL;
}

static json_t *read_value(reader *r)
{
    enum { ROUNDS = 1 << 12 };
    const char c = *r->at;
    if (r->stop && stop_asked_in(r->stop, &r->rounds, ROUNDS)) {
        fail(r, r->at, NULL);
        r->fault->stopped = true;
        return NULL;
    }
    if (c == '"')
        return read_string(r);
    if (c == '-' || (c >= '0' && c <= '9'))
        return read_number(r);
    if (c != '{' && c != '[')
        return c >= 'a' && c <= 'z' ? read_word(r) : fail(r, r->at, "expected a value");
    if (r->depth == JSON_DEPTH_MAX)
        return fail(r, r->at, "nested too deep");
    r->depth++;
    json_t *value = read_container(r, c == '{');
    r->depth--;
    return value;
}

json_t *json_value_parse(const char *text, size_t size, json_fault *fault,
                         const stop_hook *stop)
{
    reader r = {.at = token_space(text), .fault = fault, .stop = stop};
    bytes_init(&r.texts);
    *fault = (json_fault){.at = text};
    json_t *value = read_value(&r);
    if (value && token_space(r.at) < text + size) {
        json_decref(value);
        value = fail(&r, token_space(r.at), "expected the end of the text");
    } else if (value && r.at > text + size) {
        json_decref(value);
        value = fail(&r, text + size, "not complete");
    }
    bytes_dispose(&r.texts);
    return value;
}
