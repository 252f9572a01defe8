/* The target of a request: its path and the values after it. Nothing else in a request is
 * parsed by the server itself. The input is untrusted: any bytes may come. */
#pragma once

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
 * bytes. Returns false without *reason: memory is out. Dispose *out in any case.
 */
bool target_parse(target *out, const char *text, const char **reason);
void target_dispose(target *t);

/* Returns the value with this name, or NULL if it is not given. */
const char *target_text(const target *t, const char *name);
/*
 * Reads the value of this name as a decimal whole number within lo..hi. Returns false if the
 * value is missing, is no number, or lies outside of lo..hi.
 */
bool target_int(const target *t, const char *name, int64_t lo, int64_t hi, int64_t *out);

enum { GUARD_TOKEN_SIZE = 33, GUARD_HOST_SIZE = 280, GUARD_HOSTS = 3 };

/* The secret and the names of one running server. */
typedef struct guard {
    char token[GUARD_TOKEN_SIZE]; /* 32 random hexadecimal digits */
    /* Values of the Host header that are valid, with the port. */
    char hosts[GUARD_HOSTS][GUARD_HOST_SIZE];
    size_t host_count;
} guard;

/* Makes a random token. `host` is the name by which others know this machine; if it is NULL,
 * only 127.0.0.1 and localhost are valid. Returns false with errno set if the system gives
 * no random bytes. */
bool guard_init(guard *g, const char *host, uint16_t port);
/* Returns whether the value of the Host header is one of this server's names, in upper or lower
 * case. False if it is NULL. */
bool guard_knows_host(const guard *g, const char *host);
/* Is the text the token? The comparison takes equally long for every wrong token, so that
 * nobody can guess the token piece by piece from the time. NULL: false. */
bool guard_knows_token(const guard *g, const char *token);

/* The properties of a request that decide whether it is let in. */
typedef struct guard_request {
    const char *method;
    /* Values of the headers; NULL: missing, or given more than once. */
    const char *host, *token;
    bool has_body;
    bool is_data; /* the request asks for data of the file, so it must have the right token */
    bool writes;  /* the request changes the file, so it must use POST */
    /* Value of the header Origin, which browsers give: the site whose page asks. NULL: it is
     * missing; "": it was given more than once. */
    const char *origin;
} guard_request;

/* Whether a request is let in, and if not, what HTTP says about it. */
typedef struct guard_answer {
    unsigned code;      /* HTTP status; 200: the request is let in */
    const char *reason; /* a constant; NULL if the request is let in */
    const char *allow;  /* the methods that the path allows, if code is 405 (another method was
                           used); else NULL */
} guard_answer;

/* Decides about a request. The returned texts are constants. */
guard_answer guard_answer_to(const guard *g, const guard_request *request);
