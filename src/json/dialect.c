#include "json/dialect.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t dialect_mark(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

void dialect_blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

char *dialect_comment(char *at)
{
    char *end = NULL;
    if (at[0] == '/' && at[1] == '/') {
        end = at + strcspn(at, "\r\n");
    } else if (at[0] == '/' && at[1] == '*') {
        end = strstr(at + 2, "*/");
        end = end ? end + 2 : NULL;
    }
    if (end)
        dialect_blank(at, end);
    return end;
}

/* ---- numbers ---- */

static const char digits[] = "0123456789", hexadecimals[] = "0123456789abcdefABCDEF";

/* Largest numbers of digits that are rewritten. Longer numbers are left as they are, because
 * content needs none. */
enum { NUMBER_MAX = 64, HEXADECIMALS_MAX = 15 };

/* The parts of a number, as places in the text. */
typedef struct parts {
    char sign; /* sign of the number: '+', '-', or 0 for none */
    const char *whole, *fraction, *exponent, *end;
    /* Numbers of characters. The letter e or E is part of the exponent. */
    size_t whole_size, fraction_size, exponent_size;
    bool point;
} parts;

static bool take_parts(parts *p, const char *at)
{
    *p = (parts){.sign = '\0'};
    if (*at == '+' || *at == '-')
        p->sign = *at++;
    p->whole = at;
    p->whole_size = strspn(at, digits);
    at += p->whole_size;
    p->point = *at == '.';
    p->fraction = at += p->point;
    p->fraction_size = strspn(at, digits);
    p->exponent = at += p->fraction_size;
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '+' || at[1] == '-');
        const size_t size = strspn(at, digits);
        if (size == 0)
            return false;
        at += size;
    }
    p->exponent_size = (size_t)(at - p->exponent);
    p->end = at;
    return p->whole_size + p->fraction_size > 0 && *at != '.' && at - p->whole <= NUMBER_MAX;
}

static size_t print_decimal(char *out, size_t size, const char *at, const char **end,
                            json_odd *odd)
{
    parts p;
    if (!take_parts(&p, at))
        return 0;
    size_t zeros = strspn(p.whole, "0");
    zeros = zeros < p.whole_size ? zeros : p.whole_size - (p.whole_size > 0);
    *odd = p.sign == '+' ? JSON_ODD_SIGN : zeros > 0 ? JSON_ODD_ZERO : JSON_ODD_POINT;
    *end = p.end;
    const int printed =
        snprintf(out, size, "%s%.*s%s%.*s%.*s", p.sign == '-' ? "-" : "",
                 p.whole_size > 0 ? (int)(p.whole_size - zeros) : 1,
                 p.whole_size > 0 ? p.whole + zeros : "0", p.fraction_size > 0 ? "." : "",
                 (int)p.fraction_size, p.fraction, (int)p.exponent_size, p.exponent);
    return (size_t)printed;
}

static size_t print_hexadecimal(char *out, size_t size, const char *at, const char **end)
{
    const bool negative = *at == '-';
    const char *first = at + (*at == '+' || *at == '-') + 2; /* the first digit after "0x" */
    const size_t count = strspn(first, hexadecimals);
    *end = first + count;
    if (count == 0 || count > HEXADECIMALS_MAX || **end == '.' || **end == 'p' || **end == 'P')
        return 0;
    return (size_t)snprintf(out, size, "%s%lld", negative ? "-" : "", strtoll(first, NULL, 16));
}

char *dialect_number(char *at, const char *text, json_odd *odd)
{
    char out[2 * NUMBER_MAX];
    const char *bare = at + (*at == '+' || *at == '-'), *found = at;
    const bool hexadecimal = bare[0] == '0' && (bare[1] == 'x' || bare[1] == 'X');
    const size_t size = hexadecimal ? print_hexadecimal(out, sizeof out, at, &found)
                                    : print_decimal(out, sizeof out, at, &found, odd);
    if (hexadecimal)
        *odd = JSON_ODD_HEXADECIMAL;
    char *end = at + (found - at);
    if (size == (size_t)(end - at) + 1) {
        if (*end == ' ')
            end++;
        else if (at > text && at[-1] == ' ')
            at--;
    }
    if (size == 0 || size > (size_t)(end - at))
        return NULL;
    memcpy(at, out, size);
    dialect_blank(at + size, end);
    return at;
}

/* ---- strings ---- */

/* A string that is rewritten in place: `in` is never before `out`, so nothing unread is
 * overwritten. */
typedef struct rewriting {
    const char *in;
    char *out;
    bool writes; /* false: the new text is not written, only its room is checked */
} rewriting;

static bool put(rewriting *w, const char *bytes, size_t size, size_t taken)
{
    w->in += taken;
    if (w->out + size > w->in)
        return false;
    if (w->writes)
        memmove(w->out, bytes, size);
    w->out += size;
    return true;
}

static int hexadecimal_value(const char *at)
{
    if (strspn(at, hexadecimals) < 2)
        return 0;
    const char both[] = {at[0], at[1], '\0'};
    return (int)strtol(both, NULL, 16);
}

static bool put_next(rewriting *w, json_odd *odd)
{
    const char c = w->in[0], next = c == '\\' ? w->in[1] : '\0';
    if ((unsigned char)c < 0x20 || (c == '\\' && next == '\0'))
        return false;
    if (c == '\\' && (next == '\'' || next == 'x'))
        *odd = JSON_ODD_ESCAPE;
    if (next == '\'')
        return put(w, "'", 1, 2);
    if (next == 'x') {
        /* An escape such as \x41 stands for one byte of a character. If strict JSON requires
         * an escape for that byte, it is written by a short escape such as \n. A byte that
         * has no short escape can't be written, because there is no room for a longer one. */
        static const char names[] = "\"\\bfnrt", values[] = "\"\\\b\f\n\r\t";
        const int value = hexadecimal_value(w->in + 2);
        const char *name = value > 0 ? strchr(values, value) : NULL;
        const char escaped[] = {'\\', name ? names[name - values] : '\0'};
        const char byte = (char)value;
        if (name)
            return put(w, escaped, 2, 4);
        return (value == 0 || (value > 0 && value < 0x20)) ? false : put(w, &byte, 1, 4);
    }
    return c == '"' ? put(w, "\\\"", 2, 1)
                    : put(w, w->in, c == '\\' ? 2 : 1, c == '\\' ? 2 : 1);
}

static char *rewrite(char *at, bool writes, json_odd *odd)
{
    const char quote = *at;
    rewriting w = {at + 1, at + 1, writes};
    *odd = quote == '"' ? JSON_ODD_ESCAPE : JSON_ODD_QUOTES;
    while (*w.in != quote)
        if (!put_next(&w, odd))
            return NULL;
    if (writes) {
        at[0] = *w.out = '"';
        dialect_blank(w.out + 1, w.in + 1);
    }
    return at;
}

char *dialect_string(char *at, json_odd *odd)
{
    return (*at == '"' || *at == '\'') && rewrite(at, false, odd) ? rewrite(at, true, odd)
                                                                  : NULL;
}
