/*
 * Connections, and how long each may take for a request: whoever sends or reads too slowly is
 * shut out, so that nobody keeps others from being served.
 */
#ifndef SERVER_CONNECTIONS_H
#define SERVER_CONNECTIONS_H

#include <stdbool.h>

enum { CONNECTIONS_MAX = 64 }; /* that are served at a time */

typedef struct connections connections;
typedef struct connection connection;

/* Returns a new list, or NULL when memory is out. */
connections *connections_new(void);
void connections_free(connections *all); /* all are closed; NULL is fine */

/* A client has come: until the first request is read it has a few seconds. Where all places are
 * taken, the one that has said nothing for longest is shut. NULL when memory is out. */
connection *connection_begin(connections *all, int fd);
/* A request is read, and the answer is to be made and fetched. */
void connection_answers(connections *all, connection *c);
/* The answer was fetched; another request may come. */
void connection_rests(connections *all, connection *c);
/* It is about to be closed. NULL is fine. */
void connection_end(connections *all, connection *c);
int connection_socket(const connection *c);

/* Shuts those that took too long. Called a few times a second. */
void connections_watch(connections *all);

#endif
