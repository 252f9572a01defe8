/* A scanner of SQL that recognises words, quotes and comments, which is all that is needed
 * here. In case of doubt it decides for "not plain". */
#include "store/sqlite/schema/schema_check.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    /* May be quoted in any way that names can be; the span is without the quotes. */
    TOKEN_NAME,
    TOKEN_TEXT,
    TOKEN_SIGN
} token_kind;

typedef struct token {
    token_kind kind;
    schema_span span;
    const char *start; /* includes the quotes */
} token;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

/* Skips white space and comments. */
static const char *skip(const char *at)
{
    for (;;) {
        if (isspace((unsigned char)*at)) {
            at++;
        } else if (at[0] == '-' && at[1] == '-') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else {
            return at;
        }
    }
}

static token take(const char **from)
{
    const char *at = skip(*from);
    token t = {TOKEN_SIGN, {at, 1}, at};
    if (*at == '\0') {
        t.kind = TOKEN_END;
        t.span.size = 0;
    } else if (is_word(*at)) {
        t.kind = TOKEN_WORD;
        while (is_word(at[t.span.size]))
            t.span.size++;
    } else if (strchr("'\"`[", *at)) {
        /* A doubled quote inside ends this token and begins another one, which makes no
         * difference here. */
        char closing = *at == '[' ? ']' : *at;
        const char *end = strchr(at + 1, closing);
        t.kind = *at == '\'' ? TOKEN_TEXT : TOKEN_NAME;
        t.span = (schema_span){at + 1, end ? (size_t)(end - at - 1) : strlen(at + 1)};
        *from = end ? end + 1 : at + strlen(at);
        return t;
    }
    *from = at + t.span.size;
    return t;
}

static bool is_keyword(token t, const char *word)
{
    return t.kind == TOKEN_WORD && t.span.size == strlen(word) &&
           strncasecmp(t.span.at, word, t.span.size) == 0;
}

static bool is_sign(token t, char sign)
{
    return t.kind == TOKEN_SIGN && *t.span.at == sign;
}

static bool is_name(token t)
{
    return t.kind == TOKEN_WORD || t.kind == TOKEN_NAME;
}

bool schema_span_is(schema_span span, const char *text)
{
    return strlen(text) == span.size && memcmp(text, span.at, span.size) == 0;
}

bool schema_next(schema_object *out, const char **at)
{
    for (token t = take(at); t.kind != TOKEN_END; t = take(at)) {
        const char *start = t.start;
        bool create = is_keyword(t, "CREATE");
        t = take(at);
        if (create && is_keyword(t, "UNIQUE"))
            t = take(at);
        out->type = is_keyword(t, "TABLE")   ? "table"
                    : is_keyword(t, "INDEX") ? "index"
                    : is_keyword(t, "VIEW")  ? "view"
                                             : NULL;
        if (create && out->type)
            t = take(at);
        out->name = t.span;
        while (t.kind != TOKEN_END && !is_sign(t, ';'))
            t = take(at);
        out->text = (schema_span){start, (size_t)(t.start - start)};
        if (create && out->type)
            return true;
        if (t.kind == TOKEN_END)
            break;
    }
    return false;
}

const char *schema_plain_table(const char *sql, bool (*ours)(void *payload, schema_span name),
                               void *payload)
{
    const char *at = sql;
    if (!is_keyword(take(&at), "CREATE") || !is_keyword(take(&at), "TABLE"))
        return "is a virtual table";
    for (token t = take(&at); t.kind != TOKEN_END; t = take(&at)) {
        if (is_keyword(t, "CHECK"))
            return "has CHECK constraints";
        if (is_keyword(t, "AS"))
            return "has computed columns";
        if (is_keyword(t, "REFERENCES") && ours(payload, take(&at).span))
            return "has foreign keys to a table of Portolan's";
    }
    return NULL;
}

/* Skips [COLLATE name] [ASC | DESC] and returns the token after it. */
static token take_order(const char **at)
{
    static const char *const collations[] = {"BINARY", "NOCASE", "RTRIM"};
    token t = take(at);
    if (is_keyword(t, "COLLATE")) {
        token name = take(at);
        bool known = false;
        for (size_t i = 0; i < sizeof collations / sizeof collations[0]; i++)
            known |= is_keyword(name, collations[i]);
        if (!known)
            return name;
        t = take(at);
    }
    if (is_keyword(t, "ASC") || is_keyword(t, "DESC"))
        t = take(at);
    return t;
}

const char *schema_plain_index(const char *sql, bool (*ours)(void *payload, schema_span name),
                               void *payload)
{
    static const char expressions[] = "is over expressions";
    const char *at = sql;
    token t = take(&at);
    if (is_keyword(t, "CREATE"))
        t = take(&at);
    const bool unique = is_keyword(t, "UNIQUE");
    if (unique)
        t = take(&at);
    if (!is_keyword(t, "INDEX") || !is_name(take(&at)) || !is_keyword(take(&at), "ON"))
        return expressions;
    t = take(&at);
    if (unique && ours(payload, t.span))
        return "is unique, which Portolan's rows need not be";
    if (!is_name(t) || !is_sign(take(&at), '('))
        return expressions;
    do {
        if (!is_name(take(&at)))
            return expressions;
        t = take_order(&at);
    } while (is_sign(t, ','));
    if (!is_sign(t, ')'))
        return expressions;
    return take(&at).kind == TOKEN_END ? NULL : "is partial";
}
