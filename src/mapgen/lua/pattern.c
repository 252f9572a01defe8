#include "mapgen/lua/pattern.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 200 };

/* ---- what a pattern is made of ---- */

typedef enum item_kind {
    ITEM_END,      /* end of the pattern */
    ITEM_TAIL,     /* "$" at the pattern's end: the text must end here */
    ITEM_OPEN,     /* "(": a capture begins */
    ITEM_PLACE,    /* "()": captures the place itself */
    ITEM_CLOSE,    /* ")": a capture ends */
    ITEM_BALANCE,  /* "%bxy": a text with balanced x and y */
    ITEM_FRONTIER, /* "%f[set]": a frontier */
    ITEM_BACK,     /* "%1": the text of an earlier capture */
    /* A part that matches one character: a character, class or set, perhaps repeated. */
    ITEM_ONE
} item_kind;

typedef struct item {
    item_kind kind;
    /* Places in the pattern between which the class or set stands; `to` is excluded. */
    size_t from, to;
    size_t next; /* index of what follows the item in the pattern */
    char repeat; /* one of * + - ? or NUL */
} item;

static char source_at(const pattern *p, size_t at)
{
    return at < p->source_size ? p->source[at] : '\0';
}

static bool source_is(const pattern *p, size_t at, char c)
{
    return at < p->source_size && p->source[at] == c;
}

/* Keeps the message `fault`, which says what is wrong with the pattern. Returns
 * PATTERN_NONE. */
static size_t fail(pattern *p, const char *fault)
{
    p->fault = p->fault ? p->fault : fault;
    return PATTERN_NONE;
}

static bool step(pattern *p)
{
    p->spent = p->spent || p->steps == 0;
    p->steps -= p->steps > 0;
    return !p->spent;
}

/* Returns the index after the class or set that begins at `at` in the pattern; PATTERN_NONE:
 * the class or set does not end. */
static size_t end_of_one(pattern *p, size_t at)
{
    if (source_is(p, at, '%'))
        return at + 1 < p->source_size ? at + 2 : fail(p, "malformed pattern (ends with '%')");
    if (!source_is(p, at, '['))
        return at + 1;
    at += source_is(p, at + 1, '^') ? 2 : 1;
    /* A ] that comes first in a set belongs to the set, and does not end it. */
    for (bool first = true; first || !source_is(p, at, ']'); first = false) {
        if (at >= p->source_size)
            return fail(p, "malformed pattern (missing ']')");
        at += source_is(p, at, '%') ? 2 : 1;
    }
    return at + 1;
}

static bool read_one(pattern *p, item *out, size_t at)
{
    out->kind = ITEM_ONE;
    out->from = at;
    out->to = out->next = end_of_one(p, at);
    if (out->to == PATTERN_NONE)
        return false;
    const char c = source_at(p, out->next);
    if (c != '\0' && strchr("*+-?", c)) {
        out->repeat = c;
        out->next++;
    }
    return true;
}

static bool read_escape(pattern *p, item *out, size_t at)
{
    const char c = source_at(p, at + 1);
    if (c == 'b') {
        out->kind = ITEM_BALANCE;
        out->from = at + 2;
        out->next = at + 4;
        if (out->next > p->source_size)
            fail(p, "malformed pattern (missing arguments to '%b')");
        return !p->fault;
    }
    if (c == 'f') {
        out->kind = ITEM_FRONTIER;
        out->from = at + 2;
        if (!source_is(p, at + 2, '['))
            fail(p, "missing '[' after '%f' in pattern");
        else
            out->to = out->next = end_of_one(p, at + 2);
        return !p->fault;
    }
    if (c >= '0' && c <= '9') {
        out->kind = ITEM_BACK;
        out->from = at + 1;
        out->next = at + 2;
        return true;
    }
    return read_one(p, out, at);
}

static bool read_item(pattern *p, item *out, size_t at)
{
    *out = (item){.kind = ITEM_END, .next = at + 1};
    if (at >= p->source_size)
        return true;
    const char c = p->source[at];
    if (c == '(') {
        out->kind = source_is(p, at + 1, ')') ? ITEM_PLACE : ITEM_OPEN;
        out->next = at + (out->kind == ITEM_PLACE ? 2 : 1);
    } else if (c == ')') {
        out->kind = ITEM_CLOSE;
    } else if (c == '$' && at + 1 == p->source_size) {
        out->kind = ITEM_TAIL;
    } else {
        return c == '%' ? read_escape(p, out, at) : read_one(p, out, at);
    }
    return true;
}

/* ---- one character ---- */

/* Is the character in a class of ASCII? A name that is no class stands for itself. Scripts run
 * in the "C" locale. */
static bool in_class(unsigned char c, char name)
{
    static const struct {
        char name;
        int (*has)(int c);
    } classes[] = {{'a', isalpha}, {'c', iscntrl}, {'d', isdigit}, {'g', isgraph},
                   {'l', islower}, {'p', ispunct}, {'s', isspace}, {'u', isupper},
                   {'w', isalnum}, {'x', isxdigit}};
    const int lower = tolower((unsigned char)name);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classes[i].name == lower)
            return (classes[i].has(c) != 0) == (name == lower);
    return (char)c == name;
}

/* Returns whether c is in a set of characters. The set is the part p->source[from .. to - 1] of
 * the pattern, with its two brackets. */
static bool in_set(pattern *p, unsigned char c, size_t from, size_t to)
{
    const bool not = p->source[from + 1] == '^';
    size_t at = from + (not ? 2 : 1);
    const size_t end = to - 1;
    bool found = false;
    while (at < end && !found && step(p)) {
        if (p->source[at] == '%' && at + 1 < end) {
            found = in_class(c, p->source[at + 1]);
            at += 2;
        } else if (at + 2 < end && p->source[at + 1] == '-') {
            found = c >= (unsigned char)p->source[at] && c <= (unsigned char)p->source[at + 2];
            at += 3;
        } else {
            found = (unsigned char)p->source[at] == c;
            at++;
        }
    }
    return found != not ;
}

/* Does the text have, at this place, a character that matches the item of the pattern, which is
 * a character, class or set? */
static bool has_at(pattern *p, const item *it, size_t at)
{
    if (at >= p->text_size || !step(p))
        return false;
    const unsigned char c = (unsigned char)p->text[at];
    const char first = p->source[it->from];
    if (first == '%' || first == '[')
        return first == '%' ? in_class(c, p->source[it->from + 1])
                            : in_set(p, c, it->from, it->to);
    return first == '.' || (char)c == first;
}

/* ---- matching ---- */

static size_t match_from(pattern *p, size_t source, size_t at);

/* Matches an item of the pattern as often as possible. If the rest of the pattern does not
 * match behind it, tries again with fewer and fewer repetitions, but no fewer than `least`. */
static size_t match_most(pattern *p, const item *it, size_t at, size_t least)
{
    size_t count = 0;
    while (has_at(p, it, at + count))
        count++;
    for (size_t n = count + 1; n-- > least;) {
        const size_t end = match_from(p, it->next, at + n);
        if (end != PATTERN_NONE || p->fault || p->spent)
            return end;
    }
    return PATTERN_NONE;
}

static size_t match_repeated(pattern *p, const item *it, size_t at)
{
    size_t end = PATTERN_NONE;
    if (it->repeat == '*' || it->repeat == '+')
        return match_most(p, it, at, it->repeat == '+');
    if (it->repeat == '?') {
        if (has_at(p, it, at))
            end = match_from(p, it->next, at + 1);
        return end != PATTERN_NONE ? end : match_from(p, it->next, at);
    }
    /* Matches the item no times, then once, twice and so on, until the rest of the pattern
     * matches behind it. */
    do
        end = match_from(p, it->next, at);
    while (end == PATTERN_NONE && has_at(p, it, at++));
    return end;
}

static size_t match_close(pattern *p, const item *it, size_t at)
{
    int open = p->count - 1;
    while (open >= 0 && p->captures[open].end != PATTERN_NONE)
        open--;
    if (open < 0)
        return fail(p, "invalid pattern capture");
    p->captures[open].end = at;
    const size_t end = match_from(p, it->next, at);
    if (end == PATTERN_NONE)
        p->captures[open].end = PATTERN_NONE;
    return end;
}

/* Matches %bxy: a text that begins at `at` with the item's first character, and ends where its
 * second character has come as often as the first. Returns the index after that text;
 * PATTERN_NONE: there is none. */
static size_t balance(pattern *p, const item *it, size_t at)
{
    const char open = p->source[it->from], close = p->source[it->from + 1];
    size_t depth = 1;
    if (at >= p->text_size || p->text[at] != open)
        return PATTERN_NONE;
    for (at++; at < p->text_size && step(p); at++) {
        if (p->text[at] == close) {
            if (--depth == 0)
                return at + 1;
        } else if (p->text[at] == open) {
            depth++;
        }
    }
    return PATTERN_NONE;
}

/* Is the place `at` of the text a frontier (%f[set])? It is one if its character is in the set
 * and the one before it is not. Outside of the text the character is NUL. */
static bool at_frontier(pattern *p, const item *it, size_t at)
{
    const unsigned char before = at > 0 ? (unsigned char)p->text[at - 1] : 0;
    const unsigned char here = at < p->text_size ? (unsigned char)p->text[at] : 0;
    return !in_set(p, before, it->from, it->to) && in_set(p, here, it->from, it->to);
}

static size_t match_back(pattern *p, const item *it, size_t at)
{
    const int number = p->source[it->from] - '1';
    if (number < 0 || number >= p->count || p->captures[number].end == PATTERN_NONE)
        return fail(p, "invalid capture index in pattern");
    const pattern_capture *c = &p->captures[number];
    const size_t length = c->end - c->start;
    for (size_t i = 0; i < length; i++)
        if (at + i >= p->text_size || !step(p) || p->text[at + i] != p->text[c->start + i])
            return PATTERN_NONE;
    return at + length;
}

/* Matches an item of the pattern that can match in only one way. Returns the index in the text
 * after it; PATTERN_NONE: it does not match. */
static size_t match_plain(pattern *p, const item *it, size_t at)
{
    switch (it->kind) {
    case ITEM_BALANCE:
        return balance(p, it, at);
    case ITEM_FRONTIER:
        return at_frontier(p, it, at) ? at : PATTERN_NONE;
    case ITEM_BACK:
        return match_back(p, it, at);
    default:
        return has_at(p, it, at) ? at + 1 : PATTERN_NONE;
    }
}

/* Begins a capture at `at`, and matches what comes after it in the pattern. If the capture is
 * `()`, it captures the place `at` itself, not a text. */
static size_t match_capture(pattern *p, const item *it, size_t at)
{
    if (p->count == PATTERN_CAPTURES)
        return fail(p, "too many captures");
    const bool place = it->kind == ITEM_PLACE;
    p->captures[p->count++] = (pattern_capture){at, place ? at : PATTERN_NONE, place};
    const size_t end = match_from(p, it->next, at);
    if (end == PATTERN_NONE)
        p->count--;
    return end;
}

static size_t match_items(pattern *p, size_t source, size_t at)
{
    item it;
    for (;;) {
        if (!step(p) || !read_item(p, &it, source))
            return PATTERN_NONE;
        if (it.kind == ITEM_END)
            return at;
        if (it.kind == ITEM_TAIL)
            return at == p->text_size ? at : PATTERN_NONE;
        if (it.kind == ITEM_OPEN || it.kind == ITEM_PLACE)
            return match_capture(p, &it, at);
        if (it.kind == ITEM_CLOSE)
            return match_close(p, &it, at);
        if (it.repeat)
            return match_repeated(p, &it, at);
        at = match_plain(p, &it, at);
        if (at == PATTERN_NONE)
            return PATTERN_NONE;
        source = it.next;
    }
}

static size_t match_from(pattern *p, size_t source, size_t at)
{
    size_t end = PATTERN_NONE;
    if (p->fault || p->spent)
        return end;
    if (p->depth == DEPTH_MAX)
        return fail(p, "pattern too complex");
    p->depth++;
    end = match_items(p, source, at);
    p->depth--;
    return p->fault || p->spent ? PATTERN_NONE : end;
}

size_t pattern_match(pattern *p, size_t at)
{
    p->count = p->depth = 0;
    return match_from(p, 0, at);
}
