#include "server/connections.h"

#include "os/clock.h"
#include "os/mutex.h"
#include "os/socket.h"

#include <stdlib.h>

/* Longer than a query may take, so that its answer still finds its reader. */
static const double ASKING_SECONDS = 10, ANSWERING_SECONDS = 120, RESTING_SECONDS = 60;

struct connection {
    int fd;
    double until;
    connection *next, **before;
};

struct connections {
    mutex *lock; /* owned */
    connection *first;
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

connection *connection_begin(connections *all, int fd)
{
    connection *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->fd = fd;
    c->until = clock_seconds() + ASKING_SECONDS;
    mutex_lock(all->lock);
    c->next = all->first;
    c->before = &all->first;
    if (c->next)
        c->next->before = &c->next;
    all->first = c;
    mutex_unlock(all->lock);
    return c;
}

static void set_until(connections *all, connection *c, double seconds)
{
    mutex_lock(all->lock);
    c->until = clock_seconds() + seconds;
    mutex_unlock(all->lock);
}

void connection_answers(connections *all, connection *c)
{
    set_until(all, c, ANSWERING_SECONDS);
}

void connection_rests(connections *all, connection *c)
{
    set_until(all, c, RESTING_SECONDS);
}

void connection_end(connections *all, connection *c)
{
    if (!c)
        return;
    mutex_lock(all->lock);
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
        if (now > c->until)
            socket_shut(c->fd);
    mutex_unlock(all->lock);
}
