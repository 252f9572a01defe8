#include "json/reader.h"

#include "core/array.h"
#include "core/hash.h"
#include "json/token.h"

#include <stdlib.h>
#include <string.h>

/* A key of an object that is still open; keys are kept to find repeated ones. */
typedef struct open_key {
    uint64_t hash;
    const char *at; /* where the key's text begins, behind its opening quote */
    uint32_t length;
} open_key;

enum { ROUNDS = 1 << 12 }; /* number of elements after which the reader asks whether to stop */

/* An array or object that is still open. */
typedef struct frame {
    bool is_object;
    uint32_t count; /* number of elements or members that were read to their end */
    uint32_t open;  /* offset of the opening bracket in the text */
    size_t entry;   /* index in json_reader.entries of the entry for the opening bracket */
    /* Index in json_reader.keys of the object's first key. */
    size_t first_key;
} frame;

struct json_reader {
    json_rules rules;
    const char *text, *end, *at;
    frame frames[JSON_DEPTH_MAX];
    size_t depth;
    /* The number of brackets that stay open around each element: 1 (that of the array) while an
     * array is read element by element, else 0. */
    size_t base;
    /* `began`: the first element was begun. `complete`: the reader stands right behind the end
     * of a value. */
    bool began, complete;
    json_entry *entries; /* owned */
    size_t count, room;
    /* Owned; keys of an inner object stand behind those of the objects around it. */
    open_key *keys;
    size_t key_count, key_room;
    json_repeated *repeated; /* owned */
    size_t repeated_count, repeated_room;
    json_oddities oddities;
    json_fault fault;
    stop_hook stop;
    uint32_t rounds; /* elements that were read since the reader last asked whether to stop */
};

json_reader *json_reader_new(stop_hook stop)
{
    json_reader *r = malloc(sizeof *r);
    if (!r)
        return NULL;
    r->stop = stop;
    r->rounds = 0;
    r->entries = NULL;
    r->repeated = NULL;
    r->room = r->repeated_room = 0;
    r->keys = NULL;
    r->key_room = 0;
    json_reader_start(r, "", 0, NULL);
    return r;
}

void json_reader_free(json_reader *r)
{
    if (!r)
        return;
    free(r->entries);
    free(r->repeated);
    free(r->keys);
    free(r);
}

static uint32_t offset_of(const json_reader *r, const char *at)
{
    return (uint32_t)(at - r->text);
}

/* ---- faults: each one ends the reading of the text ---- */

static bool fail(json_reader *r, json_fault_kind kind, const char *at, const char *reason)
{
    const char *open = r->depth > 0 ? r->text + r->frames[r->depth - 1].open : NULL;
    r->fault = (json_fault){kind, at, reason, "", open};
    return false;
}

static bool fail_memory(json_reader *r)
{
    return fail(r, JSON_NO_MEMORY, r->at, NULL);
}

static bool fail_scalar(json_reader *r, const token_fault *fault)
{
    return fail(r, JSON_SCALAR, fault->at, fault->reason);
}

static bool fail_unexpected(json_reader *r, const char *reason)
{
    return fail(r, JSON_UNEXPECTED, r->at, reason);
}

/* Reports that what must follow a comma is missing. */
static bool fail_after_comma(json_reader *r, const char *reason)
{
    fail_unexpected(r, reason);
    r->fault.more = " after the comma";
    return false;
}

/* ---- the games' additions to strict JSON ---- */

/* Returns the place `at` of the text as a pointer for writing (json_rules.loose). */
static char *loose_at(const json_reader *r, const char *at)
{
    return r->rules.loose + offset_of(r, at);
}

static void put_odd(json_reader *r, json_odd odd, const char *at)
{
    if (r->oddities.count[odd]++ == 0)
        r->oddities.first[odd] = offset_of(r, at);
}

static const char *pass_comments(json_reader *r, const char *at)
{
    const char *end;
    while (*at == '/' && (end = dialect_comment(loose_at(r, at))) != NULL) {
        put_odd(r, JSON_ODD_COMMENT, at);
        at = token_space(r->text + (end - r->rules.loose));
    }
    return at;
}

static inline const char *space(json_reader *r, const char *at)
{
    at = token_space(at);
    return *at == '/' && r->rules.loose ? pass_comments(r, at) : at;
}

/* Reads past a string. Returns NULL with the reason in *fault if the string is wrong. */
static const char *string(json_reader *r, const char *at, token_fault *fault)
{
    json_odd odd;
    *fault = (token_fault){at, "a string in single quotes that can't be read"};
    const char *end = *at == '"' ? token_string_in(at, r->end, fault) : NULL;
    if (end || !r->rules.loose || !dialect_string(loose_at(r, at), &odd))
        return end;
    end = token_string_in(at, r->end, fault);
    if (end)
        put_odd(r, odd, at);
    return end;
}

/* Reads past a number. If the number has to be rewritten, it may begin one byte earlier; *at
 * is set to its beginning. */
static const char *number(json_reader *r, const char **at, token_fault *fault)
{
    json_odd odd;
    const char c = **at, *made;
    *fault = (token_fault){*at, "a number without a digit before its point"};
    const char *end = c == '+' || c == '.' ? NULL : token_number(*at, fault);
    if (c == '+' && (*at)[1] != '.')
        fault->reason = "a plus sign without a number";
    if (!r->rules.loose || (end && *end != 'x' && *end != 'X'))
        return end;
    made = dialect_number(loose_at(r, *at), r->rules.loose, &odd);
    if (!made)
        return end;
    put_odd(r, odd, *at);
    *at = r->text + (made - r->rules.loose);
    return token_number(*at, fault);
}

/* Checks that nothing follows the document's value. If json_rules.loose is set, text behind it
 * is only noted, since the games ignore such text. */
static bool end_text(json_reader *r)
{
    r->at = space(r, r->at);
    if (r->at >= r->end)
        return true;
    if (!r->rules.loose)
        return fail(r, JSON_BEHIND, r->at, "expected the end of the text");
    put_odd(r, JSON_ODD_BEHIND, r->at);
    return true;
}

/* ---- entries and keys ---- */

static inline bool put_entry(json_reader *r, const char *at, size_t span)
{
    if (!ARRAY_ROOM(r->entries, r->room, r->count + 1))
        return fail_memory(r);
    r->entries[r->count++] = (json_entry){offset_of(r, at), (uint32_t)span};
    return true;
}

/* Reads a key at r->at and its colon. */
static bool begin_member(json_reader *r)
{
    if (*r->at != '"' && (*r->at != '\'' || !r->rules.loose))
        return *r->at == '}' ? fail_after_comma(r, "expected a key")
                             : fail_unexpected(r, "expected a key");
    token_fault fault;
    const char *start = r->at, *end = string(r, start, &fault);
    if (!end)
        return fail_scalar(r, &fault);
    const size_t length = (size_t)(end - start) - 2;
    if (r->rules.limited && length > JSON_STRING_MAX)
        return fail(r, JSON_LONG_KEY, start, "a key that is too long");
    if (r->rules.repeated && !json_is_comment(start + 1)) {
        if (!ARRAY_ROOM(r->keys, r->key_room, r->key_count + 1))
            return fail_memory(r);
        r->keys[r->key_count++] =
            (open_key){hash_bytes(start + 1, length), start + 1, (uint32_t)length};
    }
    if (!put_entry(r, start, length + 2))
        return false;
    r->at = space(r, end);
    if (*r->at != ':')
        return fail_unexpected(r, "expected ':'");
    r->at = space(r, r->at + 1);
    return true;
}

/* ---- comments in arrays ---- */

/*
 * Overwrites comments in an array, `"//...": "..."`, with blanks. The comma behind a comment is
 * overwritten as well; if the array ends there, the comma before the comment is, which stands
 * at `comma` (NULL: there is none). r->at must be behind white space, where an element may
 * begin.
 */
static bool blank_comments(json_reader *r, const char *comma)
{
    char *const text = r->rules.loose;
    while (text && r->at[0] == '"' && r->at[1] == '/' && r->at[2] == '/') {
        token_fault fault;
        const char *start = r->at, *end = string(r, start, &fault);
        if (!end)
            return fail_scalar(r, &fault);
        const char *colon = space(r, end);
        /* A string without a colon behind it is an ordinary element of the array, not a
         * comment. */
        if (*colon != ':')
            return true;
        r->at = space(r, colon + 1);
        if (*r->at != '"')
            return fail_unexpected(r, "expected a string as the text of a comment");
        end = string(r, r->at, &fault);
        if (!end)
            return fail_scalar(r, &fault);
        r->at = space(r, end);
        if (*r->at == ',')
            end = ++r->at;
        else if (*r->at != ']')
            return fail_unexpected(r, "expected ',' or ']' after a comment");
        else if (comma)
            text[offset_of(r, comma)] = ' ';
        dialect_blank(text + offset_of(r, start), end);
        r->at = space(r, r->at);
    }
    return true;
}

/* ---- values ---- */

static int compare_texts(const open_key *a, const open_key *b)
{
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    const int order = memcmp(a->at, b->at, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/* Compares keys by text, then by place, so that a repeated key follows the key that it
 * repeats. */
static int compare(const void *a, const void *b)
{
    const open_key *x = a, *y = b;
    const int order = compare_texts(x, y);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* The innermost object ends: removes its keys, which begin at the index `first`, from r->keys.
 * Notes each key that repeats an earlier one of the object. Many keys are sorted first, so that
 * only neighbours need be compared. */
static void close_keys(json_reader *r, size_t first)
{
    enum { FEW = 12 };
    const size_t count = r->key_count - first;
    if (count == 0)
        return;
    open_key *keys = r->keys + first;
    r->key_count = first;
    if (count > FEW)
        qsort(keys, count, sizeof *keys, compare);
    for (size_t i = 1; i < count; i++) {
        const size_t last = count > FEW ? i - 1 : 0;
        size_t k = i - 1;
        while (k > last && compare_texts(&keys[k], &keys[i]) != 0)
            k--;
        if (compare_texts(&keys[k], &keys[i]) != 0)
            continue;
        if (!ARRAY_ROOM(r->repeated, r->repeated_room, r->repeated_count + 1)) {
            fail_memory(r);
            return;
        }
        r->repeated[r->repeated_count++] =
            (json_repeated){offset_of(r, keys[i].at), keys[i].length, offset_of(r, r->at)};
    }
}

/* Ends the innermost array or object that is still open; its closing bracket stands at r->at.
 */
static bool close_frame(json_reader *r)
{
    const frame *f = &r->frames[r->depth - 1];
    if (f->is_object && r->rules.repeated)
        close_keys(r, f->first_key);
    if (r->fault.kind != JSON_SOUND || !put_entry(r, r->at, 1))
        return false;
    r->entries[f->entry].span = (uint32_t)(r->count - f->entry);
    r->at++;
    r->depth--;
    r->complete = true;
    return true;
}

static bool open_frame(json_reader *r)
{
    const bool is_object = *r->at == '{';
    if (r->depth == JSON_DEPTH_MAX)
        return fail(r, JSON_DEEP, r->at, "nested too deep");
    r->frames[r->depth++] = (frame){.is_object = is_object,
                                    .open = offset_of(r, r->at),
                                    .entry = r->count,
                                    .first_key = r->key_count};
    if (!put_entry(r, r->at, 0))
        return false;
    r->at = space(r, r->at + 1);
    if (!is_object && r->rules.loose && !blank_comments(r, NULL))
        return false;
    if (*r->at == (is_object ? '}' : ']'))
        return close_frame(r);
    r->complete = false;
    return !is_object || begin_member(r);
}

static bool scalar(json_reader *r)
{
    token_fault fault;
    const char *start = r->at, *end;
    const char c = *start;
    if (c == '"' || (c == '\'' && r->rules.loose))
        end = string(r, start, &fault);
    else if (c == '-' || (c >= '0' && c <= '9') || ((c == '+' || c == '.') && r->rules.loose))
        end = number(r, &start, &fault);
    else if (c >= 'a' && c <= 'z')
        end = token_literal(start, &fault);
    else if (c == ']' && r->depth > 0 && !r->frames[r->depth - 1].is_object)
        return fail_after_comma(r, "expected a value");
    else
        return fail_unexpected(r, "expected a value");
    if (!end)
        return fail_scalar(r, &fault);
    const int quotes = c == '"' ? 2 : 0; /* the quotes are not part of the string */
    if (r->rules.limited && end - start - quotes > JSON_STRING_MAX)
        return fail(r, JSON_LONG_VALUE, start, "a value that is too long");
    if (!put_entry(r, start, (size_t)(end - start)))
        return false;
    r->at = end;
    r->complete = true;
    return true;
}

/* Ends an element or member: goes on to the next element, or past the closing bracket. */
static bool end_element(json_reader *r)
{
    frame *f = &r->frames[r->depth - 1];
    if (stop_asked_in(&r->stop, &r->rounds, ROUNDS))
        return fail(r, JSON_STOPPED, r->at, NULL);
    if (++f->count > JSON_COUNT_MAX && r->rules.limited)
        return fail(r, JSON_MANY, r->text + f->open, "too many elements");
    r->at = space(r, r->at);
    const char closing = f->is_object ? '}' : ']';
    if (*r->at == closing)
        return close_frame(r);
    if (*r->at != ',')
        return fail_unexpected(r, f->is_object ? "expected ',' or '}'" : "expected ',' or ']'");
    const char *comma = r->at;
    r->at = space(r, comma + 1);
    if (!f->is_object && r->rules.loose && !blank_comments(r, comma))
        return false;
    if (!f->is_object && *r->at == closing && *comma == ' ')
        return close_frame(r);
    r->complete = false;
    return !f->is_object || begin_member(r);
}

/* ---- a fast path ----
 *
 * If the caller of the reader has set none of json_rules, plain values (strings of plain bytes,
 * whole numbers without a sign, brackets) are read here, with the state in registers.
 * Everything else, and every fault, is left to the functions above: they continue where this
 * path stops, which is in front of a value, or behind one (then *complete is true). */

typedef struct plain_reader {
    json_reader *r;
    const char *at;
    /* Where the next entry is written; before each round of read_plain there is room for
     * PLAIN_ROOM more entries. */
    json_entry *next;
} plain_reader;

enum { PLAIN_ROOM = 4 };

static inline void plain_put(plain_reader *p, const char *at, size_t span)
{
    *p->next++ = (json_entry){offset_of(p->r, at), (uint32_t)span};
}

static inline const char *plain_string(const plain_reader *p, const char *at)
{
    const char *stop = token_plain(at + 1, p->r->end);
    return *stop == '"' ? stop + 1 : NULL;
}

/* Returns the end of a plain string or a plain number; NULL if there is anything else. */
static inline const char *plain_scalar(const plain_reader *p, const char *at)
{
    if (*at == '"')
        return plain_string(p, at);
    const char *end = at;
    while (*end >= '0' && *end <= '9')
        end++;
    const bool whole = *end != '.' && *end != 'e' && *end != 'E';
    return end > at && whole && (*at != '0' || end == at + 1) ? end : NULL;
}

static inline bool plain_value(plain_reader *p)
{
    const char *end = plain_scalar(p, p->at);
    if (!end)
        return false;
    plain_put(p, p->at, (size_t)(end - p->at));
    p->at = end;
    return true;
}

/* Reads the key at `at`, the colon behind it, and white space. False if there is no key with a
 * colon; then nothing was read. */
static inline bool plain_key(plain_reader *p, const char *at)
{
    const char *end = *at == '"' ? plain_string(p, at) : NULL;
    const char *colon = end ? token_space(end) : NULL;
    if (!colon || *colon != ':')
        return false;
    plain_put(p, at, (size_t)(end - at));
    p->at = token_space(colon + 1);
    return true;
}

/* Reads an opening bracket, and the key behind it; or an empty array or object as a whole,
 * with *complete set. False: nothing was read. */
static inline bool plain_open(plain_reader *p, bool *complete)
{
    json_reader *r = p->r;
    const bool is_object = *p->at == '{';
    const char *open = p->at, *inside = token_space(open + 1);
    json_entry *const entry = p->next;
    if (r->depth == JSON_DEPTH_MAX)
        return false;
    *complete = *inside == (is_object ? '}' : ']');
    if (*complete) {
        plain_put(p, open, 2);
        plain_put(p, inside, 1);
        p->at = inside + 1;
        return true;
    }
    plain_put(p, open, 0);
    if (is_object && !plain_key(p, inside)) {
        p->next = entry;
        return false;
    }
    p->at = is_object ? p->at : inside;
    r->frames[r->depth++] = (frame){.is_object = is_object,
                                    .open = offset_of(r, open),
                                    .entry = (size_t)(entry - r->entries),
                                    .first_key = r->key_count};
    return true;
}

/* Is called when a value was read completely. Goes on to the next value of the same array or
 * object, with *complete false, or past the closing bracket. False: neither follows the value,
 * and p->at stays the same. */
static inline bool plain_end(plain_reader *p, bool *complete)
{
    json_reader *r = p->r;
    const frame *f = &r->frames[r->depth - 1];
    const char *at = token_space(p->at);
    if (*at == (f->is_object ? '}' : ']')) {
        plain_put(p, at, 1);
        r->entries[f->entry].span = (uint32_t)(p->next - (r->entries + f->entry));
        p->at = at + 1;
        r->depth--;
        return true;
    }
    if (*at != ',')
        return false;
    at = token_space(at + 1);
    if (f->is_object ? !plain_key(p, at) : *at == ']')
        return false;
    p->at = f->is_object ? p->at : at;
    *complete = false;
    return true;
}

/* Reads plain values at the depth `base` and deeper until a value that is not plain comes. The
 * entries must have room for PLAIN_ROOM more. */
static void read_plain(json_reader *r, size_t base)
{
    const json_entry *const last = r->entries + r->room - PLAIN_ROOM;
    plain_reader p = {r, r->at, r->entries + r->count};
    /* After so many elements the reader must ask again whether to stop. */
    uint32_t left = ROUNDS - 1 - r->rounds % ROUNDS;
    bool complete = false, good = true;
    while (good && p.next <= last && (!complete || r->depth > base)) {
        if (complete) {
            good = left > 0 && plain_end(&p, &complete);
            left -= good;
        } else if (*p.at == '{' || *p.at == '[') {
            good = plain_open(&p, &complete);
        } else {
            good = complete = plain_value(&p);
        }
    }
    r->rounds = ROUNDS - 1 - left;
    r->at = p.at;
    r->count = (size_t)(p.next - r->entries);
    r->complete = complete;
}

bool json_reader_element(json_reader *r)
{
    const size_t base = r->depth;
    const bool plain = !r->rules.loose && !r->rules.limited && !r->rules.repeated;
    do {
        r->complete = false;
        if (plain && r->room >= PLAIN_ROOM)
            read_plain(r, base);
        if (!r->complete && !(*r->at == '{' || *r->at == '[' ? open_frame : scalar)(r))
            return false;
        while (r->complete && r->depth > base)
            if (!end_element(r))
                return false;
    } while (r->depth > base);
    return true;
}

/* ---- texts ---- */

void json_reader_start(json_reader *r, const char *text, size_t size, const json_rules *rules)
{
    r->rules = rules ? *rules : (json_rules){NULL, false, false};
    r->text = text;
    r->end = text + size;
    r->oddities = (json_oddities){{0}, {0}};
    r->at = space(r, text);
    r->depth = r->base = 0;
    r->began = r->complete = false;
    r->count = r->repeated_count = r->key_count = 0;
    r->fault = (json_fault){.kind = JSON_SOUND, .at = text};
}

bool json_reader_whole(json_reader *r, const char *text, size_t size, const json_rules *rules)
{
    json_reader_start(r, text, size, rules);
    if (!json_reader_element(r))
        return false;
    if (r->at > r->end)
        return fail(r, JSON_BEHIND, r->end, "not complete");
    return end_text(r);
}

bool json_reader_more(json_reader *r)
{
    if (r->fault.kind != JSON_SOUND)
        return false;
    r->count = r->base;
    r->repeated_count = 0;
    if (!r->began && *r->at != '[') {
        r->began = true;
        return true;
    }
    /* Enters the array that is read element by element. The entry of its opening bracket stays
     * in the list, before the entries of each element. */
    if (!r->began)
        r->base = 1;
    const bool more =
        (r->began ? r->depth > 0 && end_element(r) : open_frame(r)) && r->depth > 0;
    r->began = true;
    if (more || r->fault.kind != JSON_SOUND)
        return more;
    (void)end_text(r);
    return false;
}

bool json_reader_resume(json_reader *r, const char *at)
{
    const json_fault_kind kind = r->fault.kind;
    if (kind == JSON_NO_MEMORY || kind == JSON_STOPPED || r->base == 0 || r->depth == 0)
        return false;
    r->fault = (json_fault){.kind = JSON_SOUND, .at = at};
    r->at = at;
    r->depth = 1;
    r->count = r->base;
    r->repeated_count = 0;
    r->key_count = r->frames[0].first_key;
    r->complete = false;
    return true;
}

const char *json_reader_next_like(const json_reader *r, const char *began, bool in_element)
{
    const char *line = began, *at = began;
    if (!in_element && *r->fault.at == '{')
        return r->fault.at;
    while (line > r->text && line[-1] != '\n')
        line--;
    const size_t before = (size_t)(began - line);
    const size_t indent = strspn(line, " \t") < before ? 0 : before;
    while ((at = memchr(at, '\n', (size_t)(r->end - at))) != NULL) {
        at++;
        if ((size_t)(r->end - at) > indent && memcmp(at, line, indent) == 0 &&
            at[indent] == '{')
            return at + indent;
    }
    return NULL;
}

const char *json_reader_at(const json_reader *r)
{
    return r->at;
}

json_document json_reader_document(const json_reader *r)
{
    const size_t first = r->count < r->base ? r->count : r->base;
    /* As long as nothing was read, r->entries is NULL, to which nothing may be added. */
    const json_entry *entries = r->entries ? r->entries + first : NULL;
    return (json_document){r->text, entries, r->count - first};
}

const json_repeated *json_reader_repeated(const json_reader *r, size_t *count)
{
    *count = r->repeated_count;
    return r->repeated;
}

const json_oddities *json_reader_oddities(const json_reader *r)
{
    return &r->oddities;
}

const json_fault *json_reader_fault(const json_reader *r)
{
    return &r->fault;
}
