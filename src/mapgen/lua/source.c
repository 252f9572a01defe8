/*
 * Rewrites a script before Lua gets it. Two operators of Lua do not give the same everywhere:
 * `#` of a table with holes depends on how the table came to lie in memory, and `^` on a
 * machine's libm. Without any parsing, both become calls of our own functions, by means of the
 * operator ^, which binds tightest and to the right:
 *
 *     #x      becomes   L ^ x        L's metamethod gives the length
 *     a ^ b   becomes   a ^ P ^ b    P ^ b keeps b, and a ^ that is the power
 *
 * Lines keep their numbers. L and P are local variables of the first line; a script that uses
 * one of their names is refused, so that no script can hide them.
 */
#include "mapgen/lua/script_impl.h"

#include <stdio.h>

typedef struct scanner {
    bytes *out;
    const char *text;
    size_t size, at;
    int line;
} scanner;

static char ahead(const scanner *s, size_t by)
{
    return s->at + by < s->size ? s->text[s->at + by] : '\0';
}

/* Copies the next `count` bytes of the script unchanged. */
static void copy(scanner *s, size_t count)
{
    for (; count > 0 && s->at < s->size; count--) {
        s->line += s->text[s->at] == '\n';
        bytes_put_u8(s->out, (uint8_t)s->text[s->at++]);
    }
}

/* Returns how many characters `=` stand in the long bracket, such as [==[, that begins here;
 * -1: none begins here. */
static int long_bracket(const scanner *s)
{
    int level = 0;
    if (ahead(s, 0) != '[')
        return -1;
    while (ahead(s, 1 + (size_t)level) == '=')
        level++;
    return ahead(s, 1 + (size_t)level) == '[' ? level : -1;
}

static bool closes(const scanner *s, int level)
{
    bool good = ahead(s, 0) == ']' && ahead(s, 1 + (size_t)level) == ']';
    for (int i = 0; i < level && good; i++)
        good = ahead(s, 1 + (size_t)i) == '=';
    return good;
}

static void copy_long(scanner *s, int level)
{
    while (s->at < s->size && !closes(s, level))
        copy(s, 1);
    copy(s, (size_t)level + 2);
}

static void copy_comment(scanner *s)
{
    copy(s, 2);
    const int level = long_bracket(s);
    if (level >= 0)
        copy_long(s, level);
    else
        while (s->at < s->size && ahead(s, 0) != '\n' && ahead(s, 0) != '\r')
            copy(s, 1);
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

/* Copies a name from the script. Returns false, with a fault, if it is a name that Portolan
 * itself puts into scripts. */
static bool copy_name(scanner *s, script_fault *fault)
{
    static const char *const own[] = {SOURCE_LENGTH, SOURCE_POWER};
    size_t length = 0;
    while (in_name(ahead(s, length)))
        length++;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (length != strlen(own[i]) || memcmp(s->text + s->at, own[i], length) != 0)
            continue;
        fault->line = s->line;
        snprintf(fault->message, sizeof fault->message, "the name '%s' is not for scripts",
                 own[i]);
        return false;
    }
    copy(s, length);
    return true;
}

bool source_has_nul(const char *text, size_t size)
{
    static const char *const escapes[] = {"\\0", "\\x00", "\\u{0"};
    bool found = memchr(text, '\0', size) != NULL;
    for (size_t i = 0; i < size && !found; i++)
        for (int k = 0; k < 3 && text[i] == '\\'; k++) {
            const size_t length = strlen(escapes[k]);
            found = found || (size - i >= length && memcmp(text + i, escapes[k], length) == 0);
        }
    return found;
}

bool source_rewrite(bytes *out, const char *text, size_t size, script_fault *fault)
{
    scanner s = {.out = out, .text = text, .size = size, .line = 1};
    if (size > SCRIPT_SIZE_MAX) {
        /* Larger scripts are refused, because for some of them the time of Lua's compiler grows
         * with the square of their size. */
        fault->line = 1;
        snprintf(fault->message, sizeof fault->message, "a script of more than %d bytes",
                 SCRIPT_SIZE_MAX);
        return false;
    }
    bytes_put_text(out, "local " SOURCE_LENGTH "," SOURCE_POWER "=" SOURCE_LENGTH
                        "," SOURCE_POWER ";");
    while (s.at < s.size) {
        const char c = ahead(&s, 0);
        const int level = long_bracket(&s);
        if (c == '-' && ahead(&s, 1) == '-') {
            copy_comment(&s);
        } else if (level >= 0) {
            copy_long(&s, level);
        } else if (c == '"' || c == '\'') {
            const char quote = ahead(&s, 0);
            copy(&s, 1);
            while (s.at < s.size && ahead(&s, 0) != quote && ahead(&s, 0) != '\n')
                copy(&s, ahead(&s, 0) == '\\' ? 2 : 1);
            copy(&s, 1);
        } else if (in_name(c)) {
            if (!copy_name(&s, fault))
                return false;
        } else if (c == '#') {
            bytes_put_text(out, " " SOURCE_LENGTH "^");
            s.at++;
        } else if (c == '^') {
            bytes_put_text(out, "^" SOURCE_POWER "^");
            s.at++;
        } else {
            copy(&s, 1);
        }
    }
    return true;
}
