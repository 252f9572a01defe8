#include "json/view.h"

#include "core/hash.h"
#include "json/json_value.h"

#include <math.h>

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

bool json_view_integer(json_view v, int64_t *out)
{
    long long number;
    if (json_view_kind(v) != VIEW_NUMBER)
        return false;
    const char *at = start_of(v), *end = at + entry_of(v)->span;
    /* A number of at most DIGITS_MAX characters, all of them digits, is read here: it can't
     * overflow, and nearly all numbers are like that. */
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

bool json_view_real(json_view v, bytes *buffer, double *out)
{
    if (json_view_kind(v) != VIEW_NUMBER)
        return false;
    const char *at = start_of(v);
    return json_scalar_real(out, buffer, at, at + entry_of(v)->span) && !isinf(*out);
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
        /* An entry's number fits into 32 bits, because a text has fewer than 2^32 bytes
         * (json_entry). */
        out->keys[kind] = (uint32_t)at;
    }
}

/* Returns false if all keys of the object certainly differ. Each key sets a bit in a set of
 * bits, chosen by the key's hash; the keys differ if no bit is set twice. Keys of one letter,
 * which most keys in maps are, each have a bit of their own. */
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

/* Returns false if all keys of the object certainly differ. Most objects have few members,
 * whose keys differ in length or first letter. */
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

/* Returns whether a walk skips a key: because it marks a comment, or because one of the next
 * few hundred keys of the object is equal to it. Later keys are not compared, because an object
 * may have a million members. */
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
