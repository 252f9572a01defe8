/*
 * Finds the ids that a word means. Case does not matter; `*` stands for any letters, `?` for
 * one. Outside of quotation marks _ also stands for a blank, so gas_station matches Gas
 * Station.
 */
#include "analysis/measure/measure.h"
#include "analysis/search/relation_impl.h"
#include "core/suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAME_MAX_BYTES = 200 };

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Matches a pattern; on a mismatch, backtracking to the last star is enough. */
static bool matches(const char *pattern, const char *text, bool quoted)
{
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern && (*pattern == '?' || lower(*pattern) == lower(*text) ||
                                (!quoted && *pattern == '_' && *text == ' '))) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static uint64_t *new_bits(relation *r, size_t count)
{
    return arena_calloc(r->memory, count / 64 + 1, sizeof(uint64_t));
}

static void set_bit(uint64_t *bits, size_t i)
{
    bits[i / 64] |= UINT64_C(1) << (i % 64);
}

const uint64_t *rel_find_flags(relation *r, uint32_t flags)
{
    uint64_t *bits = new_bits(r, catalogue_all_oters(r->cat));
    for (size_t i = 0; bits && i < catalogue_all_oters(r->cat); i++) {
        const cat_oter *o = &r->cat->oters[i];
        const bool road = (flags & CAT_FLAG_ROAD) && measure_is_road(r->cat, o->terrain);
        const bool lake = (o->flags & REL_LAKE_FLAGS) && !(flags & REL_LAKE_FLAGS);
        if (road || (o->flags & flags && !lake))
            set_bit(bits, i);
    }
    return bits;
}

/* ---- hints: the name exists as another kind of thing ---- */

static bool is_building(const catalogue *cat, const char *name)
{
    for (size_t i = 0; i < cat->special_count; i++)
        if (cat->specials[i].building && matches(name, cat->specials[i].id, true))
            return true;
    return false;
}

static bool is_terrain(const catalogue *cat, const char *name)
{
    for (size_t i = 0; i < catalogue_all_terrains(cat); i++)
        if (matches(name, cat->terrains[i].id, true))
            return true;
    return catalogue_any_oter(cat, name) != CAT_NONE;
}

/* Reports an unknown name, with a hint: it is a building or a terrain, or what is near. */
static bool fault_unknown(rel_text *t, const rel_token *token, const catalogue *cat,
                          const char *name, rel_kind kind)
{
    static const char *const kinds[] = {
        [REL_SPECIAL] = "special", [REL_BUILDING] = "building", [REL_TERRAIN] = "terrain"};
    suggestion near;
    if (kind != REL_BUILDING && is_building(cat, name))
        return rel_text_fault(t, token->column,
                              "no special '%s': it is a city building; write building %s", name,
                              name);
    if (kind != REL_TERRAIN && is_terrain(cat, name))
        return rel_text_fault(t, token->column, "no %s '%s': it is a terrain; write terrain %s",
                              kinds[kind], name, name);
    suggest_begin(&near, name);
    for (size_t i = 0; kind == REL_TERRAIN && i < catalogue_all_terrains(cat); i++)
        suggest_offer(&near, cat->terrains[i].id);
    for (size_t i = 0; kind != REL_TERRAIN && i < cat->special_count; i++)
        if (cat->specials[i].building == (kind == REL_BUILDING))
            suggest_offer(&near, cat->specials[i].id);
    const char *mark = near.best && strchr(near.best, ' ') ? "\"" : "";
    if (near.best)
        return rel_text_fault(t, token->column,
                              "the content has no %s '%s'; did you mean %s%s%s?", kinds[kind],
                              name, mark, near.best, mark);
    return rel_text_fault(t, token->column, "the content has no %s '%s'", kinds[kind], name);
}

/* ---- finding ---- */

static size_t mark_specials(uint64_t *bits, const catalogue *cat, const char *name, bool quoted,
                            bool buildings)
{
    size_t found = 0;
    for (size_t i = 0; i < cat->special_count; i++) {
        const cat_special *s = &cat->specials[i];
        if (s->building != buildings || !matches(name, s->id, quoted))
            continue;
        set_bit(bits, i);
        found++;
    }
    return found;
}

static size_t mark_oters(uint64_t *bits, const catalogue *cat, const char *name, bool quoted)
{
    size_t found = 0;
    for (size_t i = 0; i < catalogue_all_oters(cat); i++) {
        const cat_oter *o = &cat->oters[i];
        if (!matches(name, cat->terrains[o->terrain].id, quoted) &&
            !matches(name, o->id, quoted))
            continue;
        set_bit(bits, i);
        found++;
    }
    return found;
}

bool rel_find_ids(const uint64_t **out, relation *r, rel_text *t, const rel_token *token,
                  rel_kind kind, bool *no_memory)
{
    char name[NAME_MAX_BYTES + 1];
    const bool quoted = token->kind == REL_QUOTED;
    if (token->length > NAME_MAX_BYTES || token->length == 0)
        return rel_text_fault(t, token->column, "an id has 1 to %d bytes", NAME_MAX_BYTES);
    memcpy(name, t->text + token->column, token->length);
    name[token->length] = '\0';
    const size_t count =
        kind == REL_TERRAIN ? catalogue_all_oters(r->cat) : r->cat->special_count;
    uint64_t *bits = new_bits(r, count);
    *no_memory = !bits;
    if (!bits)
        return false;
    *out = bits;
    const size_t found = kind == REL_TERRAIN
                             ? mark_oters(bits, r->cat, name, quoted)
                             : mark_specials(bits, r->cat, name, quoted, kind == REL_BUILDING);
    return found > 0 || fault_unknown(t, token, r->cat, name, kind);
}

/* The lexer of relations: words, numbers and signs; and the report of a fault. */

bool rel_text_fault(rel_text *t, size_t column, const char *format, ...)
{
    va_list list;
    if (t->fault->message[0]) /* only the first fault counts */
        return false;
    va_start(list, format);
    t->fault->column = column;
    vsnprintf(t->fault->message, sizeof t->fault->message, format, list);
    va_end(list);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool ends_word(char c)
{
    return c == '\0' || is_blank(c) || strchr("(),<>='\"", c) != NULL;
}

/* Reads a whole number of at most 12 digits. */
static bool read_number(const char *text, size_t length, int64_t *out)
{
    const size_t sign = text[0] == '-';
    int64_t value = 0;
    if (length == sign || length > sign + 12)
        return false;
    for (size_t i = sign; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = value * 10 + (text[i] - '0');
    }
    *out = sign ? -value : value;
    return true;
}

bool rel_text_next(rel_text *t)
{
    while (is_blank(t->text[t->at]))
        t->at++;
    const size_t start = t->at;
    const char c = t->text[start];
    if (c == '\0') {
        t->token = (rel_token){REL_END, start, 0, 0};
        return true;
    }
    if (c == '"' || c == '\'') {
        const char *end = strchr(t->text + start + 1, t->text[start]);
        if (!end)
            return rel_text_fault(t, start, "the quotation mark is not closed");
        t->token = (rel_token){REL_QUOTED, start + 1, (size_t)(end - t->text) - start - 1, 0};
        t->at = (size_t)(end - t->text) + 1;
        return true;
    }
    size_t length = 1;
    rel_token_kind kind = REL_SIGN;
    if (strchr("<>=(),", c)) {
        length += (c == '<' || c == '>') && t->text[start + 1] == '=';
    } else {
        kind = REL_WORD;
        while (!ends_word(t->text[start + length]))
            length++;
    }
    t->token = (rel_token){kind, start, length, 0};
    t->at = start + length;
    if (kind == REL_WORD && read_number(t->text + start, length, &t->token.number))
        t->token.kind = REL_NUMBER;
    return true;
}

bool rel_text_begin(rel_text *t, const char *text, ptl_search_fault *fault)
{
    *t = (rel_text){.text = text, .fault = fault};
    return rel_text_next(t);
}

bool rel_token_is(const rel_text *t, const rel_token *token, const char *word)
{
    return (token->kind == REL_WORD || token->kind == REL_SIGN) &&
           strlen(word) == token->length &&
           strncasecmp(t->text + token->column, word, token->length) == 0;
}

bool rel_text_is(const rel_text *t, const char *word)
{
    return rel_token_is(t, &t->token, word);
}

rel_token rel_text_peek(const rel_text *t)
{
    ptl_search_fault ignored = PTL_SEARCH_FAULT_INIT;
    rel_text copy = *t;
    copy.fault = &ignored;
    if (!rel_text_next(&copy))
        copy.token.kind = REL_END;
    return copy.token;
}

bool rel_text_expected(rel_text *t, const char *what)
{
    const rel_token *k = &t->token;
    if (k->kind == REL_END)
        return rel_text_fault(t, k->column, "expected %s; the text ends here", what);
    return rel_text_fault(t, k->column, "expected %s, found '%.*s'", what,
                          k->length > 60 ? 60 : (int)k->length, t->text + k->column);
}
