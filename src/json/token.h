/* The lexer of JSON's scalars, for a text that ends with a NUL (no token holds a NUL, so no
 * length is needed). Each function gets the first byte of a token and returns the place
 * behind the token's last byte; or NULL, with the place and the reason in *fault. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) && !defined(PORTOLAN_PLAIN_LANES)
#include <emmintrin.h>
#define TOKEN_SSE2
#endif

typedef struct token_fault {
    const char *at;
    const char *reason; /* a constant */
} token_fault;

/* Reads the rest of a string from `at` on. Its opening quote is at `open`, and the bytes in
 * between are plain. */
const char *token_string_on(const char *open, const char *at, token_fault *fault);
const char *token_number(const char *at, token_fault *fault);
const char *token_literal(const char *at, token_fault *fault); /* reads true, false or null */

/* Skips bytes that stand for themselves in a string, many at a time, up to `end` at most. It
 * may stop before the last such byte. */
static inline const char *token_plain(const char *at, const char *end)
{
#ifdef TOKEN_SSE2
    for (; end - at >= 16; at += 16) {
        const __m128i some = _mm_loadu_si128((const __m128i *)(const void *)at);
        /* As signed numbers, bytes above 0x7f are negative, so this comparison finds them,
         * too. */
        const __m128i stops =
            _mm_or_si128(_mm_cmplt_epi8(some, _mm_set1_epi8(0x20)),
                         _mm_or_si128(_mm_cmpeq_epi8(some, _mm_set1_epi8('"')),
                                      _mm_cmpeq_epi8(some, _mm_set1_epi8('\\'))));
        const int mask = _mm_movemask_epi8(stops);
        if (mask)
            return at + __builtin_ctz((unsigned)mask);
    }
#endif
    const uint64_t each = UINT64_C(0x0101010101010101), top = 0x80 * each;
    while (end - at >= (ptrdiff_t)sizeof each) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        /* Sets the top bit of each byte that is below 0x20, a quote, a backslash, or above
         * 0x7f. A borrow can set a bit wrongly only behind such a byte, and only the first
         * such byte is used. */
        const uint64_t ends = ((word - 0x20 * each) | ((word ^ '"' * each) - each) |
                               ((word ^ '\\' * each) - each) | word) &
                              top;
        if (ends) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            at += __builtin_ctzll(ends) / 8;
#endif
            break;
        }
        at += sizeof word;
    }
    return at;
}

/* Reads past a string whose quote is at `at`, in a text that ends at `end`. */
static inline const char *token_string_in(const char *at, const char *end, token_fault *fault)
{
    const char *stop = token_plain(at + 1, end);
    return *stop == '"' ? stop + 1 : token_string_on(at, stop, fault);
}

/* Skips white space; never NULL. Texts that Portolan stores have hardly any. */
static inline const char *token_space(const char *at)
{
    while ((unsigned char)*at <= ' ' &&
           (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}
