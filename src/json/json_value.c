#include "json/json_value.h"

#include "core/utf8.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
    const json_document *document;
    size_t next; /* number of the document's entry of which a value is made next */
    /* A stack of texts: the keys of the objects that are open, and on top of them the string
     * that is being read. */
    bytes texts;
    json_fault *fault;
    stop_hook stop;
    uint32_t rounds;
} builder;

/* Makes a new Jansson value of the document's value that begins with entry b->next. NULL on
 * failure; *b->fault then has the reason, or is unset if memory is out. */
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

/* Pushes the text of the next entry, a string, with a NUL behind it that b->texts.size does
 * not count. */
static bool push_string(builder *b)
{
    json_scalar_string(&b->texts, text_at(b, b->next), b->document->entries[b->next].span);
    b->next++;
    return bytes_text(&b->texts) != NULL;
}

/* ---- numbers and words ---- */

static json_t *build_integer(builder *b, const char *at, const char *end)
{
    long long number;
    if (!json_scalar_integer(&number, at, end))
        return fail(b, JSON_RANGE, *at == '-' ? "too big negative integer" : "too big integer");
    b->next++;
    return json_integer(number);
}

static json_t *build_real(builder *b, const char *at, const char *end)
{
    double number;
    if (!json_scalar_real(&number, &b->texts, at, end))
        return NULL;
    if (isinf(number))
        return fail(b, JSON_RANGE, "real number overflow");
    b->next++;
    return json_real(number);
}

/* ---- arrays and objects ---- */

static bool add_member(builder *b, json_t *object)
{
    const size_t base = b->texts.size;
    if (!push_string(b))
        return false;
    /* Put the NUL behind the text; push_string has made room for it. */
    bytes_put_u8(&b->texts, 0);
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

static json_t *build_value(builder *b)
{
    enum { ROUNDS = 1 << 12 };
    const char c = json_first(b->document, b->next);
    if (stop_asked_in(&b->stop, &b->rounds, ROUNDS))
        return fail(b, JSON_STOPPED, NULL);
    if (c == '"') {
        const size_t base = b->texts.size;
        if (!push_string(b))
            return NULL;
        json_t *value =
            json_stringn_nocheck((const char *)b->texts.data + base, b->texts.size - base);
        b->texts.size = base;
        return value;
    }
    if (c == '{' || c == '[') {
        const bool is_object = c == '{';
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
    const char *const start = text_at(b, b->next);
    const char *const end = start + b->document->entries[b->next].span;
    if (c == '-' || (c >= '0' && c <= '9'))
        return (json_scalar_is_real(start, end) ? build_real : build_integer)(b, start, end);
    /* Jansson's true, false and null are constants, so nothing is allocated. */
    b->next++;
    return c == 't' ? json_true() : c == 'f' ? json_false() : json_null();
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

static json_t *read_by(json_reader *r, const char *text, size_t size, const json_rules *rules,
                       json_fault *fault)
{
    if (!json_reader_whole(r, text, size, rules)) {
        *fault = *json_reader_fault(r);
        return NULL;
    }
    const json_document document = json_reader_document(r);
    return json_value_of(&document, fault, (stop_hook){NULL, NULL});
}

json_t *json_value_read(json_reader *r, const char *text, size_t size, json_fault *fault)
{
    return read_by(r, text, size, NULL, fault);
}

json_t *json_value_read_loose(json_reader *r, char *text, size_t size, json_fault *fault)
{
    const size_t mark = dialect_mark(text, size);
    const json_rules rules = {.loose = text + mark};
    return read_by(r, text + mark, size - mark, &rules, fault);
}

/* ---- strings ---- */

/* ---- values of strings and numbers, whose syntax the reader has checked ---- */

static uint32_t hex4(const char *at)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        const char c = at[i];
        value = value * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

/* Appends the character that the escape at `at`, a backslash, stands for. Returns the place
 * behind the escape. The reader has checked its syntax. */
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
    if (code >= 0xd800 && code <= 0xdbff) { /* a high surrogate: the low one follows */
        code = 0x10000 + ((code - 0xd800) << 10) + (hex4(at + 2) - 0xdc00);
        at += 6;
    }
    char text[5];
    utf8_text(code, text);
    bytes_put_text(out, text);
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

/* Reads digits without strtoll, because address sanitizers make strtoll look through the whole
 * rest of the text. */
bool json_scalar_integer(long long *out, const char *at, const char *end)
{
    const bool negative = *at == '-';
    /* The value is kept negative until the end, because the most negative number has no
     * positive counterpart. */
    long long value = 0;
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

/* strtod expects the decimal point of the program's locale, so it gets a copy of the number
 * with that point. */
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

static int put_part(const char *text, size_t size, void *payload)
{
    bytes *out = payload;
    bytes_put(out, text, size);
    return out->failed ? -1 : 0;
}

void json_put(bytes *out, const json_t *value)
{
    if (json_dump_callback(value, put_part, out, JSON_COMPACT | JSON_ENCODE_ANY) != 0)
        out->failed = true;
}
