/*
 * Writes JSON into a buffer. The emitter puts the commas: one before each value that follows
 * another value at the same depth. Numbers beyond 2^53 - 1 become strings, as in all JSON that
 * Portolan writes.
 */
#pragma once

#include "core/bytes.h"

typedef struct emitter {
    bytes *out; /* borrowed */
    /* A value was written at this depth, so that a comma must come before the next value. */
    bool after;
} emitter;

void emit_key(emitter *j, const char *key);
/* Writes a string. Bytes that are not UTF-8 become U+FFFD; characters that control a terminal
 * are escaped. */
void emit_string(emitter *j, const char *text, size_t size);
void emit_text(emitter *j, const char *text); /* writes null if text is NULL */
void emit_int(emitter *j, int64_t value);
void emit_uint(emitter *j, uint64_t value);
void emit_real(emitter *j, double value); /* writes null if value is not finite */
void emit_null(emitter *j);

/* Puts the values that lie in a buffer, as another emitter wrote them, with the commas between
 * them. The buffer may be empty. */
void emit_values(emitter *j, const bytes *values);

/* These functions put a key and its value. */
void emit_key_text(emitter *j, const char *key, const char *text);
void emit_key_uint(emitter *j, const char *key, uint64_t value);

/*
 * Puts all that a pattern says: brackets and keys as they stand in it, without quotes, and a
 * value for each conversion. The conversions are those of printf, so that compilers check the
 * values: %s a text or NULL, %d %u %jd %ju %zu whole numbers, %g a real, and %i a bool. A
 * pattern may leave brackets open, or close what an earlier pattern has opened. Its commas are
 * skipped: the emitter puts its own.
 *
 *     emit_put(&j, "{id:%s, at:[%d, %d], done:%i, rows:[", id, x, y, is_done);
 */
void emit_put(emitter *j, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
