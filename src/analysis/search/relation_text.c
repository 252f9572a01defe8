/* Words, numbers and signs of a relation, and what is said where one is not as it must be. */
#include "analysis/search/relation_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool rel_text_fault(rel_text *t, size_t column, const char *format, ...)
{
    va_list list;
    if (t->fault->message[0]) /* the first one is what is wrong */
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

static bool read_quoted(rel_text *t, size_t start)
{
    const char *end = strchr(t->text + start + 1, t->text[start]);
    if (!end)
        return rel_text_fault(t, start, "the quotation mark is not closed");
    t->token = (rel_token){REL_QUOTED, start + 1, (size_t)(end - t->text) - start - 1, 0};
    t->at = (size_t)(end - t->text) + 1;
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
    if (c == '"' || c == '\'')
        return read_quoted(t, start);
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
