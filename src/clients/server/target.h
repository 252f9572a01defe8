/* What a request asks for: its path and the values after it. Nothing else in a request is
 * parsed by the server itself. The input is untrusted: any bytes may come. */
#ifndef SERVER_TARGET_H
#define SERVER_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most values, and the most bytes of a target, that are accepted. */
enum { TARGET_VALUES_MAX = 16, TARGET_SIZE_MAX = 32768 };

typedef struct target_value {
    const char *name, *value; /* UTF-8 without NUL; they lie in target.text */
} target_value;

/* The parts of a request's target. They lie in `text`, a copy that was unescaped in place. */
typedef struct target {
    const char *path; /* "" if the request's path is not valid */
    target_value values[TARGET_VALUES_MAX];
    size_t count;
    char *text; /* owned */
} target;

/*
 * Reads "/path?name=value&...". Names and values are written as in HTML forms, with %XX and +.
 * *reason says why it failed: no path, a path with characters other than letters, digits, / .
 * _ and -, a path with "..", a broken or forbidden escape (NUL), bytes that are not UTF-8, a
 * name that comes twice, more than TARGET_VALUES_MAX values, or more than TARGET_SIZE_MAX
 * bytes. False without *reason: memory is out. Dispose *out in any case.
 */
bool target_parse(target *out, const char *text, const char **reason);
void target_dispose(target *t);

/* Returns the value with this name, or NULL if it is not given. */
const char *target_text(const target *t, const char *name);
/*
 * Reads a decimal whole number within lo..hi. False if it is not given, no number, or outside.
 */
bool target_int(const target *t, const char *name, int64_t lo, int64_t hi, int64_t *out);

#endif
