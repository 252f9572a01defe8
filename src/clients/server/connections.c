#include "clients/server/connections.h"

#include "clients/os/mutex.h"
#include "clients/os/socket.h"
#include "os/clock.h"

#include <stdlib.h>

/* How long a connection may stay in each state. ANSWERING_SECONDS is longer than a query may
 * take, so that the client can still fetch the answer to a long query. */
static const double ASKING_SECONDS = 10, ANSWERING_SECONDS = 120, RESTING_SECONDS = 60;

/*
 * What a connection is doing: ASKING sends its first request, ANSWERING waits for an answer,
 * RESTING has been answered and may ask again. SHUT was shut here and will be closed by the
 * daemon.
 */
typedef enum connection_state { ASKING, ANSWERING, RESTING, SHUT } connection_state;

/* One connection, in a doubly linked list: `before` points to the pointer that points here. */
struct connection {
    int fd;
    connection_state state;
    double until;
    connection *next, **before;
};

struct connections {
    mutex *lock;       /* owned */
    connection *first; /* the newest */
    size_t open;       /* number of connections that are not shut */
};

connections *connections_new(void)
{
    connections *all = calloc(1, sizeof *all);
    if (all)
        all->lock = mutex_new();
    if (all && !all->lock) {
        free(all);
        return NULL;
    }
    return all;
}

void connections_free(connections *all)
{
    if (!all)
        return;
    for (connection *c = all->first; c;) {
        connection *next = c->next;
        free(c);
        c = next;
    }
    mutex_free(all->lock);
    free(all);
}

/* Shuts the socket. The daemon sees this and closes the connection itself. */
static void shut(connections *all, connection *c)
{
    socket_shut(c->fd);
    c->state = SHUT;
    all->open--;
}

/* Returns the connection whose time is over next among those in a state, or NULL if none is in
 * that state. */
static connection *next_over(const connections *all, connection_state state)
{
    connection *found = NULL;
    for (connection *c = all->first; c; c = c->next)
        if (c->state == state && (!found || c->until < found->until))
            found = c;
    return found;
}

connection *connection_begin(connections *all, int fd)
{
    connection *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->fd = fd;
    c->until = clock_seconds() + ASKING_SECONDS;
    mutex_lock(all->lock);
    if (all->open >= CONNECTIONS_MAX) {
        /* All places are taken: shuts an idle connection. Those without any request go first,
         * then those that were answered already; of each the one whose time is over next. */
        connection *gone = next_over(all, ASKING);
        if (!gone)
            gone = next_over(all, RESTING);
        if (gone)
            shut(all, gone);
    }
    all->open++;
    c->next = all->first;
    c->before = &all->first;
    if (c->next)
        c->next->before = &c->next;
    all->first = c;
    mutex_unlock(all->lock);
    return c;
}

static void set_state(connections *all, connection *c, connection_state state, double seconds)
{
    mutex_lock(all->lock);
    if (c->state != SHUT)
        c->state = state;
    c->until = clock_seconds() + seconds;
    mutex_unlock(all->lock);
}

void connection_answers(connections *all, connection *c)
{
    set_state(all, c, ANSWERING, ANSWERING_SECONDS);
}

void connection_rests(connections *all, connection *c)
{
    set_state(all, c, RESTING, RESTING_SECONDS);
}

void connection_end(connections *all, connection *c)
{
    if (!c)
        return;
    mutex_lock(all->lock);
    all->open -= c->state != SHUT;
    *c->before = c->next;
    if (c->next)
        c->next->before = c->before;
    mutex_unlock(all->lock);
    free(c);
}

int connection_socket(const connection *c)
{
    return c->fd;
}

void connections_watch(connections *all)
{
    const double now = clock_seconds();
    mutex_lock(all->lock);
    for (connection *c = all->first; c; c = c->next)
        if (now > c->until && c->state != SHUT)
            shut(all, c);
    mutex_unlock(all->lock);
}
