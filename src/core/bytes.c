#include "core/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bytes_init(bytes *b)
{
    memset(b, 0, sizeof *b);
}

void bytes_dispose(bytes *b)
{
    free(b->data);
    bytes_init(b);
}

void bytes_clear(bytes *b)
{
    b->size = 0;
    b->failed = false;
}

bool bytes_grow(bytes *b, size_t extra)
{
    if (b->failed)
        return false;
    size_t wanted = b->capacity ? b->capacity : 64;
    while (wanted - b->size < extra) {
        if (wanted > SIZE_MAX / 2) {
            b->failed = true;
            return false;
        }
        wanted *= 2;
    }
    uint8_t *data = realloc(b->data, wanted);
    if (!data) {
        b->failed = true;
        return false;
    }
    b->data = data;
    b->capacity = wanted;
    return true;
}

void bytes_put(bytes *b, const void *data, size_t size)
{
    if (size == 0 || !bytes_reserve(b, size))
        return;
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

void bytes_put_u8(bytes *b, uint8_t v)
{
    bytes_put(b, &v, 1);
}

void bytes_put_u32(bytes *b, uint32_t v)
{
    const size_t size = 4;
    uint8_t word[4];
    for (size_t i = 0; i < size; i++)
        word[i] = (uint8_t)(v >> (8 * i));
    bytes_put(b, word, size);
}

void bytes_put_u64(bytes *b, uint64_t v)
{
    uint8_t word[8];
    bytes_store_u64(word, v);
    bytes_put(b, word, sizeof word);
}

void bytes_put_varint(bytes *b, uint64_t v)
{
    enum { MOST = 10 };
    if (!bytes_reserve(b, MOST))
        return;
    uint8_t *at = b->data + b->size;
    for (; v >= 0x80; v >>= 7)
        *at++ = (uint8_t)(v | 0x80);
    *at++ = (uint8_t)v;
    b->size = (size_t)(at - b->data);
}

void bytes_put_text(bytes *b, const char *text)
{
    bytes_put(b, text, strlen(text));
}

void bytes_put_base64(bytes *b, const void *data, size_t size)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *from = data;
    if (!bytes_reserve(b, (size + 2) / 3 * 4))
        return;
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t three = (uint32_t)from[i] << 16 |
                               (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                               (left > 2 ? from[i + 2] : 0);
        bytes_put_u8(b, (uint8_t)digits[three >> 18]);
        bytes_put_u8(b, (uint8_t)digits[three >> 12 & 63]);
        bytes_put_u8(b, (uint8_t)(left > 1 ? digits[three >> 6 & 63] : '='));
        bytes_put_u8(b, (uint8_t)(left > 2 ? digits[three & 63] : '='));
    }
}

/* Returns the value of a digit of base64; -1: it is none. */
static int digit_of(char c, char last)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == last ? 63 : -1;
}

bool bytes_put_decoded(bytes *b, const char *text, size_t size, char last)
{
    const size_t before = b->size;
    size_t digits = size;
    while (digits > 0 && size - digits < 2 && text[digits - 1] == '=')
        digits--;
    if (size % 4 != 0 || !bytes_reserve(b, size / 4 * 3))
        return false;
    uint32_t bits = 0;
    for (size_t i = 0; i < digits; i++) {
        const int digit = digit_of(text[i], last);
        if (digit < 0) {
            b->size = before;
            return false;
        }
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 > 0)
            b->data[b->size++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
    }
    return true;
}

void bytes_vprintf(bytes *b, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the caller has called va_start. */
    int n = vsnprintf(NULL, 0, format, args);
    if (n < 0)
        b->failed = true;
    else if (bytes_reserve(b, (size_t)n + 1)) {
        vsnprintf((char *)b->data + b->size, (size_t)n + 1, format, again);
        b->size += (size_t)n;
    }
    va_end(again);
}

void bytes_printf(bytes *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bytes_vprintf(b, format, args);
    va_end(args);
}

const char *bytes_text(bytes *b)
{
    if (!bytes_reserve(b, 1))
        return NULL;
    b->data[b->size] = 0;
    return (const char *)b->data;
}

byte_reader byte_reader_over(const void *data, size_t size)
{
    const uint8_t *at = data;
    return (byte_reader){at, at ? at + size : at, false};
}

size_t byte_reader_left(const byte_reader *r)
{
    return r->at ? (size_t)(r->end - r->at) : 0;
}

const uint8_t *byte_reader_take(byte_reader *r, size_t size)
{
    if (r->failed || byte_reader_left(r) < size) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *start = r->at;
    r->at += size;
    return start;
}

uint8_t byte_reader_u8(byte_reader *r)
{
    const uint8_t *at = byte_reader_take(r, 1);
    return at ? *at : 0;
}

uint64_t byte_reader_u64(byte_reader *r)
{
    const uint8_t *at = byte_reader_take(r, sizeof(uint64_t));
    return at ? bytes_load_u64(at) : 0;
}

uint64_t byte_reader_long_varint(byte_reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint8_t byte = byte_reader_u8(r);
        if (r->failed || (shift == 63 && byte > 1))
            break;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return v;
    }
    r->failed = true;
    return 0;
}

void bytes_put_address(bytes *out, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789/-._~";
    bytes_put_text(out, path[0] == '/' ? "file://" : "");
    for (; *path; path++) {
        if (strchr(plain, *path))
            bytes_put_u8(out, (uint8_t)*path);
        else
            bytes_printf(out, "%%%02X", (unsigned char)*path);
    }
}
