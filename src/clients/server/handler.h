/* From a request of HTTP to its answer: who may ask, what is asked, and how it goes out. */
#ifndef SERVER_HANDLER_H
#define SERVER_HANDLER_H

#include "clients/server/connections.h"
#include "clients/server/guard.h"
#include "clients/server/readers.h"
#include "clients/server/server.h"
#include "clients/watch/watched.h"

#include <microhttpd.h>
#include <stdatomic.h>

/* What all requests share. */
typedef struct site {
    const server_options *options; /* borrowed */
    atomic_bool is_over;           /* the server ends */
    guard guard;
    readers *readers;         /* owned; NULL where content is worked on */
    watched *watched;         /* owned; NULL: none is */
    connections *connections; /* owned */
    bool may_query;           /* SQL is let in */
} site;

/* Callbacks of the daemon, each with the site as its payload. */
void *handler_begin(void *payload, const char *uri, struct MHD_Connection *c);
enum MHD_Result handler_answer(void *payload, struct MHD_Connection *c, const char *url,
                               const char *method, const char *version, const char *data,
                               size_t *size, void **request);
void handler_end(void *payload, struct MHD_Connection *c, void **request,
                 enum MHD_RequestTerminationCode code);
void handler_connection(void *payload, struct MHD_Connection *c, void **of_connection,
                        enum MHD_ConnectionNotificationCode code);

#endif
