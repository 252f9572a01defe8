/*
 * What a request asks for: the path and the values behind it. This is all that the server reads
 * of a request's first line itself, so it takes whatever bytes there are.
 */
#ifndef SERVER_TARGET_H
#define SERVER_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TARGET_VALUES_MAX = 16, TARGET_SIZE_MAX = 32768 };

typedef struct target_value {
    const char *name, *value; /* UTF-8 without NUL, in the target's text */
} target_value;

typedef struct target {
    const char *path; /* as it stands; "" if it was no path of ours */
    target_value values[TARGET_VALUES_MAX];
    size_t count;
    char *text; /* owned */
} target;

/*
 * Reads "/path?name=value&...": names and values as forms have them, %XX and +. False, and
 * *reason says why, of anything else: no path, a path with other characters than letters,
 * digits, / . _ and -, one with "..", broken or forbidden escapes (NUL), bytes that are no
 * UTF-8, a name that comes twice, more than TARGET_VALUES_MAX values or TARGET_SIZE_MAX bytes.
 * *reason is NULL if memory is out. Dispose it in any case.
 */
bool target_parse(target *out, const char *text, const char **reason);
void target_dispose(target *t);

/* Returns a value, or NULL where it is not given. */
const char *target_text(const target *t, const char *name);
/* Reads a whole decimal number in lo..hi; false where it is not given or not that. */
bool target_int(const target *t, const char *name, int64_t lo, int64_t hi, int64_t *out);

#endif
