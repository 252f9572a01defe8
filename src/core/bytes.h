/*
 * Growable byte buffer and bounds-checked reader, little-endian, with LEB128 varints. The
 * buffer remembers a failed allocation (`failed`), so a writer checks once, at its end.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A buffer of bytes that grows. A zeroed struct is an empty buffer: bytes b = {.size = 0}. */
typedef struct bytes {
    uint8_t *data; /* owned; NULL when empty */
    size_t size, capacity;
    bool failed; /* an allocation failed: the bytes are not to be used */
} bytes;

void bytes_init(bytes *b);
void bytes_dispose(bytes *b);
void bytes_clear(bytes *b);              /* makes the buffer empty, and keeps its memory */
bool bytes_grow(bytes *b, size_t extra); /* gets more memory; called by bytes_reserve only */
/* Makes room for `extra` more bytes; false when memory is out. */
static inline bool bytes_reserve(bytes *b, size_t extra)
{
    return (!b->failed && extra <= b->capacity - b->size) || bytes_grow(b, extra);
}
/* Append bytes, or a number as little-endian bytes. When memory is out, these functions set
 * `failed`. */
void bytes_put(bytes *b, const void *data, size_t size);
void bytes_put_u8(bytes *b, uint8_t v);
void bytes_put_u32(bytes *b, uint32_t v);
void bytes_put_u64(bytes *b, uint64_t v);
void bytes_put_varint(bytes *b, uint64_t v); /* unsigned LEB128, 1 to 10 bytes */
void bytes_put_text(bytes *b, const char *text);
/* Appends the address of a file (RFC 8089): "file://" and the path, with an escape for each
 * byte that has another meaning in addresses, or none. A relative path stays relative. */
void bytes_put_address(bytes *out, const char *path);
void bytes_put_base64(bytes *b, const void *data, size_t size); /* appends the data as base64
                                                                 * with padding */
/* Appends the data that base64 with padding stands for. `last` is its digit of the value 63:
 * '/', or another one where texts are names of files. False, and nothing is appended: it is no
 * such text, or memory is out (b->failed). */
bool bytes_put_decoded(bytes *b, const char *text, size_t size, char last);
/* Prints into the buffer, without a terminator. */
void bytes_printf(bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bytes_vprintf(bytes *b, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* Appends a NUL that `size` does not count and returns the text; NULL if memory is out. */
const char *bytes_text(bytes *b);

/* Stores a number as eight bytes, little-endian, all at once: compilers would not make a single
 * store out of a loop over bytes. */
static inline void bytes_store_u64(uint8_t *at, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(at, &v, sizeof v);
}

/* Reads a number that bytes_store_u64 has stored. */
static inline uint64_t bytes_load_u64(const uint8_t *at)
{
    uint64_t v;
    memcpy(&v, at, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* The end of messages about stored data whose version number is unknown. The checksum of the
 * table row with the data has been compared before and is right. So the data is hardly damaged;
 * it is more likely that a newer Portolan has written it. */
#define BYTES_NEWER "of a version that only a newer Portolan knows"

/* Reads bytes and numbers from memory. A read past the end sets `failed` and returns 0: check
 * `failed` before using values. */
typedef struct byte_reader {
    const uint8_t *at, *end;
    bool failed;
} byte_reader;

/* Makes a reader over data, which must live as long as the reader. */
byte_reader byte_reader_over(const void *data, size_t size);
uint8_t byte_reader_u8(byte_reader *r);
uint64_t byte_reader_u64(byte_reader *r);
/* Reads a varint byte by byte. Sets `failed` if it takes more than 10 bytes or 64 bits. */
uint64_t byte_reader_long_varint(byte_reader *r);
/* Does the same, sooner for numbers of one or two bytes, which most are. */
static inline uint64_t byte_reader_varint(byte_reader *r)
{
    const uint8_t *at = r->at;
    if (!r->failed && r->end - at >= 2) {
        if (at[0] < 0x80) {
            r->at = at + 1;
            return at[0];
        }
        if (at[1] < 0x80) {
            r->at = at + 2;
            return (uint64_t)(at[0] & 0x7f) | (uint64_t)at[1] << 7;
        }
    }
    return byte_reader_long_varint(r);
}
/* Returns the next `size` bytes, borrowed, and moves the reader behind them. If fewer bytes
 * are left, it sets `failed` and returns NULL. */
const uint8_t *byte_reader_take(byte_reader *r, size_t size);
size_t byte_reader_left(const byte_reader *r);
