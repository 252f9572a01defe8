/* Who is let in: only whoever knows the token, at the names that the server has. */
#ifndef SERVER_GUARD_H
#define SERVER_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GUARD_TOKEN_SIZE = 33, GUARD_HOST_SIZE = 280, GUARD_HOSTS = 3 };

typedef struct guard {
    char token[GUARD_TOKEN_SIZE];             /* 32 random hexadecimal digits */
    char hosts[GUARD_HOSTS][GUARD_HOST_SIZE]; /* as requests name us, with the port */
    size_t host_count;
} guard;

/* Draws a token. host: a name for others; NULL: this machine's own two alone. False with errno
 * if the system gives no random bytes. */
bool guard_init(guard *g, const char *host, uint16_t port);
/* Is it one of our names, letter for letter (in either case)? NULL is none. */
bool guard_knows_host(const guard *g, const char *host);
/* Takes as long for whatever wrong token, so that nobody can guess it bit by bit. */
bool guard_knows_token(const guard *g, const char *token);

/* What is known of a request before anything is done for it. */
typedef struct guard_request {
    const char *method;
    const char *host, *token; /* headers; NULL: not there, or more than once */
    bool has_body;
    bool is_data; /* it is for data of the file: the token is needed */
    bool writes;  /* it is for what changes the file: by POST alone */
} guard_request;

typedef struct guard_answer {
    unsigned code;      /* of HTTP; 200: it is let in */
    const char *reason; /* a constant; NULL if it is let in */
    const char *allow;  /* of 405: the methods that there are; else NULL */
} guard_answer;

guard_answer guard_answer_to(const guard *g, const guard_request *request);

#endif
