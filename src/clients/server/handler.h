/*
 * From an HTTP request to its answer: callbacks for libmicrohttpd. They check who asks
 * (guard.h), read what is asked (target.h), call the function for the path (answer.h) and send
 * the reply.
 */
#ifndef SERVER_HANDLER_H
#define SERVER_HANDLER_H

#include "clients/server/guard.h"
#include "clients/server/readers.h"
#include "clients/server/server.h"
#include "clients/watch/watched.h"

#include <microhttpd.h>
#include <stdatomic.h>

/* What all requests share. */
typedef struct site {
    const server_options *options; /* borrowed */
    atomic_bool is_over;           /* the server is ending */
    guard guard;
    /* Owned; NULL with a watch, which has readers for each of its files. */
    readers *readers;
    watched *watched;         /* owned; content that is worked on; NULL without a watch */
    connections *connections; /* owned */
    bool may_query;           /* SQL is allowed */
} site;

/* Callbacks of the daemon. The payload of each is the site. */
void *handler_begin(void *payload, const char *uri, struct MHD_Connection *c);
enum MHD_Result handler_answer(void *payload, struct MHD_Connection *c, const char *url,
                               const char *method, const char *version, const char *data,
                               size_t *size, void **request);
void handler_end(void *payload, struct MHD_Connection *c, void **request,
                 enum MHD_RequestTerminationCode code);
void handler_connection(void *payload, struct MHD_Connection *c, void **of_connection,
                        enum MHD_ConnectionNotificationCode code);

#endif
