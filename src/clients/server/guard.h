/*
 * Decides which requests are let in: only those that know the token, and that name this server
 * by a name it has. The latter keeps out pages of other sites that reach it under a name of
 * their own (DNS rebinding).
 */
#ifndef SERVER_GUARD_H
#define SERVER_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GUARD_TOKEN_SIZE = 33, GUARD_HOST_SIZE = 280, GUARD_HOSTS = 3 };

/* The secret and the names of one running server. */
typedef struct guard {
    char token[GUARD_TOKEN_SIZE];             /* 32 random hexadecimal digits */
    char hosts[GUARD_HOSTS][GUARD_HOST_SIZE]; /* valid Host headers, with the port */
    size_t host_count;
} guard;

/* Draws a token. host: the name by which others know this machine; NULL: only 127.0.0.1 and
 * localhost are valid. False with errno if the system gives no random bytes. */
bool guard_init(guard *g, const char *host, uint16_t port);
/* Is the Host header one of this server's names? Upper and lower case are the same; NULL is no
 * name. */
bool guard_knows_host(const guard *g, const char *host);
/* Is it the token? The comparison takes equally long for every wrong token, so that nobody can
 * guess it piece by piece from the time. NULL is not. */
bool guard_knows_token(const guard *g, const char *token);

/* What is known of a request before anything is done for it. */
typedef struct guard_request {
    const char *method;
    /* Values of the headers; NULL: missing, or given more than once. */
    const char *host, *token;
    bool has_body;
    bool is_data; /* it asks for data of the file, so the token is needed */
    bool writes;  /* it changes the file, so it must come by POST */
} guard_request;

/* Whether a request is let in, and if not, what HTTP says about it. */
typedef struct guard_answer {
    unsigned code;      /* HTTP status; 200: the request is let in */
    const char *reason; /* a constant; NULL if the request is let in */
    const char *allow;  /* for 405: the methods that are allowed; else NULL */
} guard_answer;

/* Decides about a request. The returned texts are constants. */
guard_answer guard_answer_to(const guard *g, const guard_request *request);

#endif
