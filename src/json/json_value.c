#include "json/json_value.h"

#include "core/bytes.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
    const json_document *document;
    size_t next; /* entry */
    bytes texts; /* a stack: the keys of open objects, and on top a string that is read */
    json_fault *fault;
    stop_hook stop;
    uint32_t rounds;
} builder;

/* NULL where *fault says nothing: memory is out. */
static json_t *build_value(builder *b);

static const char *text_at(const builder *b, size_t i)
{
    return b->document->text + b->document->entries[i].start;
}

static json_t *fail(builder *b, json_fault_kind kind, const char *reason)
{
    *b->fault = (json_fault){kind, text_at(b, b->next), reason, "", NULL};
    return NULL;
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

/* at is at the backslash of an escape, which the reader has found to be sound. */
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

/* Pushes the next entry, a string, with a NUL that is not counted. */
static bool push_string(builder *b)
{
    const char *at = text_at(b, b->next) + 1;
    const char *const close = at + b->document->entries[b->next].span - 2;
    while (at < close) {
        const char *escape = memchr(at, '\\', (size_t)(close - at));
        const char *stop = escape ? escape : close;
        bytes_put(&b->texts, at, (size_t)(stop - at));
        at = escape ? put_escape(&b->texts, escape) : close;
    }
    b->next++;
    return bytes_text(&b->texts) != NULL;
}

static json_t *build_string(builder *b)
{
    const size_t base = b->texts.size;
    if (!push_string(b))
        return NULL;
    json_t *value =
        json_stringn_nocheck((const char *)b->texts.data + base, b->texts.size - base);
    b->texts.size = base;
    return value;
}

/* ---- numbers and words ---- */

/* Reads a whole number of a sign, if any, and digits; false where it is out of range. (strtoll
 * would do, but address sanitizers let it look through all the text behind.) */
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

static json_t *build_integer(builder *b, const char *at, const char *end)
{
    long long number;
    if (!whole_number(at, end, &number))
        return fail(b, JSON_RANGE, *at == '-' ? "too big negative integer" : "too big integer");
    b->next++;
    return json_integer(number);
}

/* strtod wants the decimal point of the locale that the calling program has set. */
static json_t *build_real(builder *b, const char *at, const char *end)
{
    const size_t base = b->texts.size;
    bytes_put(&b->texts, at, (size_t)(end - at));
    if (!bytes_text(&b->texts))
        return NULL;
    char *text = (char *)b->texts.data + base, *point = strchr(text, '.');
    if (point)
        *point = *localeconv()->decimal_point;
    const double number = strtod(text, NULL);
    b->texts.size = base;
    if (isinf(number))
        return fail(b, JSON_RANGE, "real number overflow");
    b->next++;
    return json_real(number);
}

static json_t *build_number(builder *b)
{
    const char *const start = text_at(b, b->next);
    const char *const end = start + b->document->entries[b->next].span;
    for (const char *at = start; at < end; at++)
        if (*at == '.' || *at == 'e' || *at == 'E')
            return build_real(b, start, end);
    return build_integer(b, start, end);
}

/* Jansson's words are constants: there is nothing to allocate. */
static json_t *build_word(builder *b)
{
    const char first = *text_at(b, b->next++);
    return first == 't' ? json_true() : first == 'f' ? json_false() : json_null();
}

/* ---- arrays and objects ---- */

static bool add_member(builder *b, json_t *object)
{
    const size_t base = b->texts.size;
    if (!push_string(b))
        return false;
    bytes_put_u8(&b->texts, 0); /* the room is there */
    json_t *value = build_value(b);
    if (!value)
        return false;
    const char *key = (const char *)b->texts.data + base;
    const bool good = json_object_set_new_nocheck(object, key, value) == 0;
    b->texts.size = base;
    return good;
}

static bool add_element(builder *b, json_t *array)
{
    json_t *value = build_value(b);
    return value && json_array_append_new(array, value) == 0;
}

static json_t *build_container(builder *b, bool is_object)
{
    json_t *out = is_object ? json_object() : json_array();
    const size_t last = json_behind(b->document, b->next) - 1;
    bool good = out != NULL;
    for (b->next++; good && b->next < last;)
        good = (is_object ? add_member : add_element)(b, out);
    b->next++;
    if (good)
        return out;
    json_decref(out);
    return NULL;
}

static json_t *build_value(builder *b)
{
    enum { ROUNDS = 1 << 12 };
    const char c = json_first(b->document, b->next);
    if (stop_asked_in(&b->stop, &b->rounds, ROUNDS))
        return fail(b, JSON_STOPPED, NULL);
    if (c == '"')
        return build_string(b);
    if (c == '{' || c == '[')
        return build_container(b, c == '{');
    return c == '-' || (c >= '0' && c <= '9') ? build_number(b) : build_word(b);
}

json_t *json_value_of(const json_document *document, json_fault *fault, stop_hook stop)
{
    builder b = {.document = document, .fault = fault, .stop = stop};
    bytes_init(&b.texts);
    *fault = (json_fault){.kind = JSON_SOUND, .at = document->text};
    json_t *value = build_value(&b);
    if (!value && fault->kind == JSON_SOUND)
        fault->kind = JSON_NO_MEMORY;
    bytes_dispose(&b.texts);
    return value;
}

json_t *json_value_read(json_reader *r, const char *text, size_t size, json_fault *fault)
{
    if (!json_reader_whole(r, text, size, NULL)) {
        *fault = *json_reader_fault(r);
        return NULL;
    }
    const json_document document = json_reader_document(r);
    return json_value_of(&document, fault, (stop_hook){NULL, NULL});
}
