#include "json/token.h"

#include "core/utf8.h"

#include <stdbool.h>

static const char *fail(token_fault *fault, const char *at, const char *reason)
{
    *fault = (token_fault){at, reason};
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads four hexadecimal digits; -1 if there are fewer. */
static int32_t hex4(const char *at)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        int digit;
        if (is_digit(c))
            digit = c - '0';
        else if (c >= 'a' && c <= 'f')
            digit = c - 'a' + 10;
        else if (c >= 'A' && c <= 'F')
            digit = c - 'A' + 10;
        else
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* Reads an escape from its 'u' on. Surrogates must come in pairs. U+0000 is refused, as
 * Jansson refuses it. */
static const char *unicode_escape(const char *at, token_fault *fault)
{
    int32_t unit = hex4(at + 1);
    if (unit < 0)
        return fail(fault, at - 1, "\\u without four hexadecimal digits");
    if (unit == 0)
        return fail(fault, at - 1, "\\u0000 is not allowed");
    if (unit < 0xd800 || unit > 0xdfff)
        return at + 5;
    bool paired = unit < 0xdc00 && at[5] == '\\' && at[6] == 'u';
    int32_t low = paired ? hex4(at + 7) : -1;
    if (low < 0xdc00 || low > 0xdfff)
        return fail(fault, at - 1, "half of a surrogate pair");
    return at + 11;
}

/* A table of all bytes, which has 1 for the bytes that end a run of plain bytes: all bytes
 * outside of 0x20..0x7f, the quote and the backslash. */
#define ENDS_8  1, 1, 1, 1, 1, 1, 1, 1
#define ENDS_32 ENDS_8, ENDS_8, ENDS_8, ENDS_8
static const uint8_t ends[256] = {ENDS_32, ['"'] = 1, ['\\'] = 1, [0x80] = ENDS_32,
                                  ENDS_32, ENDS_32,   ENDS_32};

const char *token_string_on(const char *open, const char *at, token_fault *fault)
{
    while (at) {
        while (!ends[(unsigned char)*at])
            at++;
        unsigned char c = (unsigned char)*at;
        if (c == '"')
            return at + 1;
        if (c == '\\') {
            char k = at[1];
            if (k == 'u') {
                at = unicode_escape(at + 1, fault);
            } else if (k == '\0' || !strchr("\"\\/bfnrt", k)) {
                at = fail(fault, at, "unknown escape in a string");
            } else {
                at = at + 2;
            }
        } else if (c >= 0x80) {
            /* Reads past a character of two to four bytes. strnlen stops at the text's NUL, so
             * an incomplete sequence counts as wrong. */
            uint32_t code;
            size_t length = utf8_decode(at, strnlen(at, 4), &code);
            at = code == UTF8_BAD ? fail(fault, at, "not UTF-8") : at + length;
        } else if (c == '\n' || c == '\0')
            return fail(fault, open, "a string without its closing quote");
        else
            return fail(fault, at, "control character in a string");
    }
    return NULL;
}

const char *token_number(const char *at, token_fault *fault)
{
    const char *start = at;
    if (*at == '-')
        at++;
    if (!is_digit(*at))
        return fail(fault, start, "a minus sign without a number");
    if (*at == '0' && is_digit(at[1]))
        return fail(fault, start, "a number with a leading zero");
    while (is_digit(*at))
        at++;
    if (*at == '.') {
        if (!is_digit(*++at))
            return fail(fault, start, "a number that ends in its decimal point");
        while (is_digit(*at))
            at++;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-')
            at++;
        if (!is_digit(*at))
            return fail(fault, start, "a number with an empty exponent");
        while (is_digit(*at))
            at++;
    }
    return at;
}

const char *token_literal(const char *at, token_fault *fault)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(at, words[i], length) == 0)
            return at + length;
    }
    return fail(fault, at, "unknown word");
}
