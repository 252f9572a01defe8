#include "clients/watch/watched.h"

#include "clients/os/mutex.h"
#include "core/error.h"
#include "os/clock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct watched_file {
    watched *all; /* borrowed */
    void *opened; /* owned; what reading.open gave; NULL: not yet open */
    char world[WATCH_NAME_SIZE];
    char *path;          /* owned; NULL: the place is free */
    unsigned users;      /* requests that use it; guarded by the lock */
    atomic_bool is_gone; /* the file is dropped, and its readers must stop */
};

struct watched {
    watch_options options;   /* as they were given */
    watched_reading reading; /* as it was given */
    watch *watch;            /* owned */
    mutex *lock;             /* owned; guards the list */
    watched_file list[WATCHED_MAX];
    watched_file *newest; /* borrowed from the list; NULL: there is none */
};

/* Serves as should_stop for readers of a file. */
static bool is_to_stop(void *payload)
{
    const watched_file *f = payload;
    const watched_reading *o = &f->all->reading;
    return atomic_load(&f->is_gone) || o->should_stop(o->payload);
}

/* ---- files come and go; called in the working thread ---- */

static void empty(watched_file *f)
{
    if (f->opened)
        f->all->reading.close(f->opened);
    free(f->path);
    f->opened = NULL;
    f->path = NULL;
}

/* The lock is not held while the file is opened, since that takes long. The place is taken
 * meanwhile because it has a path; nobody finds it because it is not open. */
static ptl_status on_add(void *payload, const char *world, const char *path, ptl_error *err)
{
    watched *w = payload;
    mutex_lock(w->lock);
    watched_file *f = NULL; /* a free place */
    for (size_t i = 0; i < WATCHED_MAX && !f; i++)
        f = w->list[i].path ? NULL : &w->list[i];
    if (f)
        f->path = strdup(path);
    mutex_unlock(w->lock);
    if (!f || !f->path)
        return error_nomem(err);
    (void)snprintf(f->world, sizeof f->world, "%s", world);
    atomic_store(&f->is_gone, false);
    void *made = NULL;
    const ptl_status status =
        w->reading.open(w->reading.payload, &made, f->path, is_to_stop, f, err);
    mutex_lock(w->lock);
    f->opened = made;
    if (made)
        w->newest = f;
    else
        empty(f);
    mutex_unlock(w->lock);
    return status;
}

/* Returns the file with the world of that name, or NULL. The lock must be held. */
static watched_file *find(watched *w, const char *world)
{
    for (size_t i = 0; i < WATCHED_MAX; i++)
        if (w->list[i].opened && strcmp(w->list[i].world, world) == 0)
            return &w->list[i];
    return NULL;
}

/* Waits until nobody uses the file any more. Its readers stop soon, because is_gone is set. */
static void on_drop(void *payload, const char *world)
{
    watched *w = payload;
    mutex_lock(w->lock);
    watched_file *f = find(w, world);
    if (f) {
        atomic_store(&f->is_gone, true);
        w->newest = w->newest == f ? NULL : w->newest;
    }
    while (f && f->users > 0) {
        mutex_unlock(w->lock);
        clock_sleep(1);
        mutex_lock(w->lock);
    }
    if (f)
        empty(f);
    mutex_unlock(w->lock);
}

/* ---- callbacks of the options, each of which may be NULL ---- */

static void on_begin(void *payload, unsigned save, size_t changed, const char *file)
{
    const watch_options *o = &((watched *)payload)->options;
    if (o->on_begin)
        o->on_begin(o->payload, save, changed, file);
}

static void on_diagnostic(void *payload, const ptl_diagnostic *what)
{
    const watch_options *o = &((watched *)payload)->options;
    if (o->on_diagnostic)
        o->on_diagnostic(o->payload, what);
}

static void on_end(void *payload, const watch_outcome *outcome)
{
    const watch_options *o = &((watched *)payload)->options;
    if (o->on_end)
        o->on_end(o->payload, outcome);
}

static bool is_over(void *payload)
{
    const watched_reading *o = &((watched *)payload)->reading;
    return o->should_stop(o->payload);
}

/* ---- all ---- */

ptl_status watched_new(watched **out, const watch_options *options,
                       const watched_reading *reading, ptl_error *err)
{
    watched *w = calloc(1, sizeof *w);
    *out = NULL;
    if (w)
        w->lock = mutex_new();
    if (!w || !w->lock) {
        free(w);
        return error_nomem(err);
    }
    w->options = *options;
    w->reading = *reading;
    for (size_t i = 0; i < WATCHED_MAX; i++)
        w->list[i].all = w;
    watch_options o = *options;
    o.should_stop = is_over;
    o.on_add = on_add;
    o.on_drop = on_drop;
    o.on_begin = on_begin;
    o.on_diagnostic = on_diagnostic;
    o.on_end = on_end;
    o.payload = w;
    const ptl_status status = watch_new(&w->watch, &o, err);
    if (status == PTL_OK)
        *out = w;
    else
        watched_free(w);
    return status;
}

void watched_free(watched *w)
{
    if (!w)
        return;
    watch_free(w->watch);
    mutex_free(w->lock);
    free(w);
}

void watched_look(watched *w)
{
    watch_look(w->watch);
    for (size_t i = 0; i < WATCHED_MAX; i++) {
        mutex_lock(w->lock);
        watched_file *f = w->list[i].opened ? &w->list[i] : NULL;
        if (f)
            f->users++;
        mutex_unlock(w->lock);
        if (!f)
            continue;
        w->reading.look(f->opened);
        watched_give(w, f);
    }
}

watched_file *watched_take(watched *w, const char *world)
{
    mutex_lock(w->lock);
    watched_file *f = world ? find(w, world) : NULL;
    f = f && !atomic_load(&f->is_gone) ? f : w->newest;
    if (f)
        f->users++;
    mutex_unlock(w->lock);
    return f;
}

void *watched_opened(const watched_file *f)
{
    return f->opened;
}

void watched_give(watched *w, watched_file *f)
{
    mutex_lock(w->lock);
    f->users--;
    mutex_unlock(w->lock);
}

void watched_put(watched *w, bytes *out)
{
    watch_put(w->watch, out);
}
