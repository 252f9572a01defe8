/*
 * The server's open connections, and how long each may take. A client that sends or reads too
 * slowly is shut out, so that nobody can keep others from being served. All functions may be
 * called from any thread.
 */
#ifndef SERVER_CONNECTIONS_H
#define SERVER_CONNECTIONS_H

#include <stdbool.h>

enum { CONNECTIONS_MAX = 64 }; /* connections that are served at the same time */

typedef struct connections connections;
typedef struct connection connection;

/* Returns a new list, or NULL when memory is out. */
connections *connections_new(void);
void connections_free(connections *all); /* all must have ended; NULL is fine */

/*
 * Adds a new client's connection, with socket fd; the client has a few seconds to send its
 * first request. If all places are taken, the idle connection whose time is over next is shut.
 * NULL when memory is out.
 */
connection *connection_begin(connections *all, int fd);
/* To be called once a request is read: the answer is being made and fetched. */
void connection_answers(connections *all, connection *c);
/* To be called once the answer was fetched: the client may send another request. */
void connection_rests(connections *all, connection *c);
/* Removes and frees a connection that is about to be closed. NULL is fine. */
void connection_end(connections *all, connection *c);
/* Returns the connection's socket. */
int connection_socket(const connection *c);

/* Shuts connections whose time is over. To be called a few times a second. */
void connections_watch(connections *all);

#endif
