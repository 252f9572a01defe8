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

#endif
