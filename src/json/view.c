#include "json/view.h"

#include "core/bytes.h"
#include "core/hash.h"
#include "core/utf8.h"
#include "json/reader.h"

#include <jansson.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const json_entry *entry_of(json_view v)
{
    return &v.document->entries[v.at];
}

static const char *start_of(json_view v)
{
    return v.document->text + entry_of(v)->start;
}

json_view json_view_of(const json_document *document)
{
    return (json_view){document, 0};
}

const char *json_view_kind_name(json_view v)
{
    static const char *const names[] = {"nothing",  "null",     "true",     "false",
                                        "a number", "a string", "an array", "an object"};
    return names[json_view_kind(v)];
}

size_t json_view_offset(json_view v)
{
    return v.document ? entry_of(v)->start : 0;
}

/* ---- scalars ---- */

/* Not by strtoll, which address sanitizers let look through the whole rest of the text. */
static bool json_scalar_integer(long long *out, const char *at, const char *end)
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

bool json_view_integer(json_view v, int64_t *out)
{
    long long number;
    if (json_view_kind(v) != VIEW_NUMBER)
        return false;
    const char *at = start_of(v), *end = at + entry_of(v)->span;
    /* Reads digits alone, so few of them that nothing can overflow: nearly all numbers are
     * such. */
    enum { DIGITS_MAX = 9 };
    const char *digit = at;
    int32_t few = 0;
    for (; end - at <= DIGITS_MAX && digit < end && *digit >= '0' && *digit <= '9'; digit++)
        few = 10 * few + (*digit - '0');
    if (digit == end) {
        *out = few;
        return true;
    }
    if (json_scalar_is_real(at, end) || !json_scalar_integer(&number, at, end))
        return false;
    *out = number;
    return true;
}

/* strtod wants the decimal point of the calling program's locale, so a copy gets that. */
static bool json_scalar_real(double *out, bytes *buffer, const char *at, const char *end)
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

bool json_view_real(json_view v, bytes *buffer, double *out)
{
    if (json_view_kind(v) != VIEW_NUMBER)
        return false;
    const char *at = start_of(v);
    return json_scalar_real(out, buffer, at, at + entry_of(v)->span) && !isinf(*out);
}

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
    char text[5];
    utf8_text(code, text);
    bytes_put_text(out, text);
    return at;
}

/* Appends the text of a string, unescaped and without a NUL. `span` counts its bytes with
 * the quotes. */
static void json_scalar_string(bytes *out, const char *at, size_t span)
{
    const char *const close = at + span - 1;
    for (at++; at < close;) {
        const char *escape = memchr(at, '\\', (size_t)(close - at));
        const char *stop = escape ? escape : close;
        bytes_put(out, at, (size_t)(stop - at));
        at = escape ? put_escape(out, escape) : close;
    }
}

const char *json_view_text(json_view v, bytes *buffer, size_t *length)
{
    if (json_view_kind(v) != VIEW_TEXT)
        return NULL;
    const char *at = start_of(v);
    const size_t span = entry_of(v)->span;
    if (!memchr(at, '\\', span)) {
        *length = span - 2;
        return at + 1;
    }
    bytes_clear(buffer);
    json_scalar_string(buffer, at, span);
    *length = buffer->size;
    return bytes_text(buffer);
}

/* ---- members and elements ---- */

json_view json_view_find(json_view object, const char *key, size_t length)
{
    json_view found = JSON_VIEW_NONE;
    if (json_view_kind(object) != VIEW_OBJECT)
        return found;
    const json_document *d = object.document;
    const size_t last = json_behind(d, object.at) - 1;
    for (size_t at = object.at + 1; at < last; at = json_behind(d, at + 1))
        if (json_entry_is(d, at, key, length))
            found = (json_view){d, at + 1};
    return found;
}

void json_members_of(json_members *out, json_view object)
{
    out->object = object;
    out->kinds = out->several = 0;
    if (json_view_kind(object) != VIEW_OBJECT)
        return;
    const json_document *d = object.document;
    const size_t last = json_behind(d, object.at) - 1;
    for (size_t at = object.at + 1; at < last; at = json_behind(d, at + 1)) {
        size_t length;
        const char *key = json_key(d, at, &length);
        const unsigned kind = json_key_kind(key, length);
        const uint64_t bit = UINT64_C(1) << kind;
        out->several |= out->kinds & bit;
        out->kinds |= bit;
        out->keys[kind] = (uint32_t)at; /* a text is below 2^32 bytes (json_entry) */
    }
}

/* May two keys be equal? A filter of bits answers that; only then keys are compared one by
 * one. Keys of one letter, which most keys of maps are, have exact bits of their own. */
static bool may_repeat_many(const json_document *d, size_t at, size_t end)
{
    enum { BITS = 4096, LETTERS = 256, LETTER_SPAN = 3 };
    uint64_t seen[BITS / 64] = {0};
    bool repeated = false;
    for (; at < end && !repeated; at = json_behind(d, at + 1)) {
        const char *key = d->text + d->entries[at].start;
        const uint32_t span = d->entries[at].span;
        const size_t bit =
            span == LETTER_SPAN
                ? (unsigned char)key[1]
                : LETTERS + (size_t)(hash_quick(key, span) % (uint64_t)(BITS - LETTERS));
        repeated = seen[bit / 64] >> bit % 64 & 1;
        seen[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    return repeated;
}

/* May two keys be equal? Most objects have few members, whose keys differ in length or
 * first letter. */
static bool may_repeat(const json_document *d, size_t at, size_t end)
{
    enum { FEW = 8, LETTER_BITS = 8 };
    uint32_t kinds[FEW];
    int count = 0;
    for (size_t next = at; next < end; next = json_behind(d, next + 1)) {
        const json_entry *key = &d->entries[next];
        const uint32_t kind = key->span << LETTER_BITS | (unsigned char)d->text[key->start + 1];
        if (count == FEW)
            return may_repeat_many(d, at, end);
        for (int i = 0; i < count; i++)
            if (kinds[i] == kind)
                return may_repeat_many(d, at, end);
        kinds[count++] = kind;
    }
    return false;
}

json_walk json_walk_of(json_view v)
{
    const view_kind kind = json_view_kind(v);
    json_walk w = {.value = JSON_VIEW_NONE, .key = JSON_VIEW_NONE};
    if (kind != VIEW_OBJECT && kind != VIEW_ARRAY)
        return w;
    w.value.document = v.document;
    w.key.document = kind == VIEW_OBJECT ? v.document : NULL;
    w.next = v.at + 1;
    w.end = json_behind(v.document, v.at) - 1;
    w.repeats = w.key.document && may_repeat(v.document, w.next, w.end);
    return w;
}

/* Is the key at `at` a comment, or repeated later? The look-ahead is limited, as an object
 * may have a million members: of keys that are repeated much later, each counts. */
static bool is_passed(const json_walk *w, size_t at)
{
    enum { KEYS_COMPARED_MAX = 512 };
    const json_document *d = w->key.document;
    size_t length;
    const char *key = json_key(d, at, &length);
    if (json_is_comment(key))
        return true;
    size_t later = json_behind(d, at + 1);
    for (int i = 0; w->repeats && later < w->end && i < KEYS_COMPARED_MAX; i++) {
        const uint32_t span = d->entries[at].span;
        if (span == d->entries[later].span &&
            memcmp(d->text + d->entries[at].start, d->text + d->entries[later].start, span) ==
                0)
            return true;
        later = json_behind(d, later + 1);
    }
    return false;
}

bool json_walk_next(json_walk *w)
{
    w->index += w->started;
    w->started = true;
    while (w->next < w->end) {
        const size_t at = w->next;
        const bool member = w->key.document != NULL;
        w->next = json_behind(w->value.document, at + member);
        if (member && is_passed(w, at))
            continue;
        w->key.at = at;
        w->value.at = at + member;
        return true;
    }
    return false;
}

size_t json_view_count(json_view v)
{
    const view_kind kind = json_view_kind(v);
    size_t count = 0;
    if (kind != VIEW_OBJECT && kind != VIEW_ARRAY)
        return count;
    const json_document *d = v.document;
    const size_t last = json_behind(d, v.at) - 1, step = kind == VIEW_OBJECT;
    for (size_t at = v.at + 1; at < last; at = json_behind(d, at + step))
        count++;
    return count;
}

/*
 * Builds Jansson values from JSON text, without Jansson's parser: when memory runs out inside
 * a token, that parser drops characters silently, or reads past its buffer (2.14, lex_save).
 * Jansson's functions that build values are safe.
 */

typedef struct builder {
    const json_document *document;
    size_t next; /* the next entry to be read */
    /* A stack: the keys of the open objects, and on top of them the string that is being
     * read. */
    bytes texts;
    json_fault *fault;
    stop_hook stop;
    uint32_t rounds;
} builder;

/* Returns a new value; NULL on failure, and if *fault is not set then, memory is out. */
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

/* Pushes the next entry, a string, with a NUL that size does not count. */
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
    bytes_put_u8(&b->texts, 0); /* push_string made room */
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

/* What the scalars of a document (document.h) mean. The reader has checked their syntax. */

/* ---- numbers ---- */

bool json_scalar_is_real(const char *at, const char *end)
{
    bool found = false;
    for (; at < end && !found; at++)
        found = *at == '.' || *at == 'e' || *at == 'E';
    return found;
}
