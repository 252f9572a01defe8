#include "clients/server/readers.h"

#include "clients/os/socket.h"
#include "core/error.h"
#include "os/clock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* WAIT_SECONDS: how long a request waits for a free reader. FRESH_SECONDS: how long an open
 * world is used without asking the file whether its content has changed. */
static const double WAIT_SECONDS = 10, FRESH_SECONDS = 2;
static const double WRITER_SECONDS = 3; /* seconds after which an unused writer is closed */
enum { LOOK_MS = 50 };

struct reader {
    readers *all; /* the list that this reader is in */
    reader_use use;
    bool taken;       /* a request is using this reader; guarded by the lock */
    double used;      /* clock time when the reader was last given back; guarded by the lock */
    unsigned written; /* value of readers.written when the store was opened */
    /* `fd`, `look` and `left` are atomic, because other threads than the one that uses this
     * reader may read them. */
    atomic_int fd; /* socket of the client whose request is answered; -1: none */
    /* Clock time, in milliseconds, of the next check whether the client has left. */
    atomic_int_least64_t look;
    atomic_bool left; /* the client has left */
    ptl_store *store; /* owned; NULL: not open */
    ptl_world *world; /* owned; NULL: none */
    char name[104];   /* name of the world */
    char content[72]; /* digest of the world's content, read from the file */
    double checked;   /* clock time when `name` and `content` were last read from the file */
};

struct readers {
    readers_options options;
    mutex *lock; /* owned */
    reader list[READERS];
    unsigned written; /* how often this server has written the file; guarded by the lock */
    /* Only for a file of `serve --watch`: the world in the file, and how many requests use the
     * file (guarded by watched.lock). */
    char world[WATCH_NAME_SIZE];
    unsigned users;
    /* The file is about to be removed, so all work with its readers must stop. */
    atomic_bool is_gone;
};

static bool is_to_stop(readers *all)
{
    return atomic_load(&all->is_gone) || all->options.should_stop(all->options.payload);
}

/* Serves as should_stop of the reader's open world file: returns true when the client has left
 * or the server ends. The library calls it very often, so it checks the client's socket only
 * every LOOK_MS milliseconds. */
static bool is_over(void *payload)
{
    reader *r = payload;
    if (is_to_stop(r->all) || r->left)
        return true;
    const int64_t now = (int64_t)(1000 * clock_seconds());
    const int fd = r->fd;
    if (now < r->look || fd < 0)
        return false;
    r->look = now + LOOK_MS;
    r->left = socket_is_left(fd);
    return r->left;
}

static void reader_close(reader *r)
{
    ptl_world_close(r->world);
    ptl_store_close(r->store);
    r->world = NULL;
    r->store = NULL;
}

static ptl_status reader_open(reader *r, ptl_error *err)
{
    const readers_options *o = &r->all->options;
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = r->use == READ_TO_WRITE ? PTL_OPEN_WRITE : PTL_OPEN_READ;
    options.writers = o->shared ? PTL_WRITERS_SHARED : PTL_WRITERS_ONE;
    options.program = "portolan serve";
    options.should_stop = is_over;
    options.payload = r;
    return r->store ? PTL_OK : ptl_store_open(&r->store, o->path, &options, err);
}

ptl_status readers_new(readers **out, const readers_options *options, ptl_error *err)
{
    static const reader_use uses[READERS] = {READ_DATA, READ_DATA,  READ_MAPS,
                                             READ_MAPS, READ_QUERY, READ_TO_WRITE};
    readers *all = calloc(1, sizeof *all);
    *out = NULL;
    if (all)
        all->lock = mutex_new();
    if (!all || !all->lock) {
        free(all);
        return error_nomem(err);
    }
    all->options = *options;
    for (size_t i = 0; i < READERS; i++) {
        all->list[i].all = all;
        all->list[i].use = uses[i];
        all->list[i].fd = -1;
    }
    const ptl_status status = reader_open(&all->list[0], err);
    if (status != PTL_OK) {
        readers_free(all);
        return status;
    }
    *out = all;
    return PTL_OK;
}

void readers_free(readers *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < READERS; i++)
        reader_close(&all->list[i]);
    mutex_free(all->lock);
    free(all);
}

/* Finds a free reader for this use and marks it as taken. Returns NULL if all of them are
 * taken. */
static reader *find_free(readers *all, reader_use use)
{
    reader *found = NULL;
    mutex_lock(all->lock);
    for (size_t i = 0; i < READERS && !found; i++)
        if (all->list[i].use == use && !all->list[i].taken)
            found = &all->list[i];
    if (found)
        found->taken = true;
    mutex_unlock(all->lock);
    return found;
}

void readers_watch(readers *all)
{
    reader *r = find_free(all, READ_TO_WRITE);
    if (!r)
        return;
    if (r->store && clock_seconds() > r->used + WRITER_SECONDS)
        reader_close(r);
    mutex_lock(all->lock);
    r->taken = false;
    mutex_unlock(all->lock);
}

ptl_status reader_take(reader **out, readers *all, reader_use use, int fd, ptl_error *err)
{
    static const char *const taken[] = {[READ_DATA] = "too many requests at a time",
                                        [READ_MAPS] = "too many local maps at a time",
                                        [READ_QUERY] = "another query is running",
                                        [READ_TO_WRITE] = "this server is writing already"};
    const double end = clock_seconds() + (use == READ_QUERY ? 0 : WAIT_SECONDS);
    *out = NULL;
    if (use == READ_TO_WRITE && !all->options.write)
        return error_set(err, PTL_ERR_READONLY,
                         "nothing is written: 'portolan serve --write' does");
    reader *r = find_free(all, use);
    while (!r && clock_seconds() < end && !is_to_stop(all)) {
        clock_sleep(1);
        r = find_free(all, use);
    }
    if (!r)
        return error_set(err, PTL_ERR_BUSY, "%s", taken[use]);
    r->fd = fd;
    r->left = false;
    r->look = 0; /* at once: the client may have left while the request waited */
    /* If the file has an older schema, the store has opened a private copy of it. Later changes
     * of the file are not in that copy, so the file is opened again after each write. */
    mutex_lock(r->all->lock);
    const unsigned written = r->all->written;
    mutex_unlock(r->all->lock);
    if (r->store && r->written != written && ptl_store_private_copy(r->store))
        reader_close(r);
    r->written = written;
    const ptl_status status = reader_open(r, err);
    if (status != PTL_OK)
        reader_give(r, status);
    else
        *out = r;
    return status;
}

void reader_give(reader *r, ptl_status status)
{
    r->fd = -1;
    /* The open file is closed, unless `status` is PTL_OK or an error after which the file can
     * still be used. */
    if (status != PTL_OK && status != PTL_ERR_NOT_FOUND && status != PTL_ERR_ARGUMENT &&
        status != PTL_ERR_LIMIT && status != PTL_ERR_CANCELLED && status != PTL_ERR_BUSY &&
        status != PTL_ERR_MISMATCH && status != PTL_ERR_EXISTS)
        reader_close(r);
    mutex_lock(r->all->lock);
    r->used = clock_seconds();
    r->all->written += r->use == READ_TO_WRITE;
    r->taken = false;
    mutex_unlock(r->all->lock);
}

ptl_store *reader_store(const reader *r)
{
    return r->store;
}

/* ---- worlds ---- */

typedef struct looked_for {
    const char *name; /* NULL: the file's only world */
    size_t count;
    char found[104], content[72];
} looked_for;

static bool on_world(void *payload, const ptl_world_info *world)
{
    looked_for *l = payload;
    l->count++;
    if (!l->name || strcmp(l->name, world->name) == 0) {
        memcpy(l->found, world->name, strlen(world->name) + 1);
        memcpy(l->content, world->content, strlen(world->content) + 1);
    }
    return true;
}

ptl_status reader_world(ptl_world **out, reader *r, const char *name, ptl_error *err)
{
    const double now = clock_seconds();
    ptl_world_open_options options = PTL_WORLD_OPEN_OPTIONS_INIT;
    looked_for l = {.name = name};
    *out = r->world;
    if (r->world && name && strcmp(r->name, name) == 0 && now < r->checked + FRESH_SECONDS)
        return PTL_OK;
    /* Reads again what the file says about the world: its content can change while it is open
     * here. */
    TRY(ptl_world_list(r->store, on_world, &l, err));
    if (l.found[0] == '\0' || (!name && l.count > 1))
        return error_set(err, PTL_ERR_NOT_FOUND,
                         name ? "the file has no such world" : "which world?");
    r->checked = now;
    if (r->world && strcmp(r->name, l.found) == 0 && strcmp(r->content, l.content) == 0)
        return PTL_OK;
    ptl_world_close(r->world);
    r->world = NULL;
    options.accept_content = r->use == READ_TO_WRITE && r->all->options.accept_content;
    ptl_status status = ptl_world_open(&r->world, r->store, l.found, &options, err);
    memcpy(r->name, l.found, sizeof r->name);
    memcpy(r->content, l.content, sizeof r->content);
    *out = r->world;
    return status;
}

/* ---- the files of `serve --watch` ---- */

/* Returns the member of `w->files` that has the file of the world of this name. If `world` is
 * NULL, returns a free member. Returns NULL if there is no such member. The caller must hold
 * w->lock. */
static readers **place_of(watched *w, const char *world)
{
    for (size_t i = 0; i < sizeof w->files / sizeof w->files[0]; i++)
        if (world ? w->files[i] && strcmp(w->files[i]->world, world) == 0 : !w->files[i])
            return &w->files[i];
    return NULL;
}

/* Serves as `on_add` of the watch options: opens a new file for requests. The lock is not held
 * while the file is opened, because that takes long. */
static ptl_status on_add(void *payload, const char *world, const char *path, ptl_error *err)
{
    watched *w = payload;
    readers_options o = w->how;
    readers *made;
    o.path = path;
    TRY(readers_new(&made, &o, err));
    (void)snprintf(made->world, sizeof made->world, "%s", world);
    mutex_lock(w->lock);
    readers **place = place_of(w, NULL);
    if (place)
        *place = w->newest = made;
    mutex_unlock(w->lock);
    if (place)
        return PTL_OK;
    readers_free(made);
    return error_nomem(err);
}

/* Serves as `on_drop` of the watch options: closes a file once no request uses it, so that it
 * can be removed. Requests end soon, because `is_gone` is set. */
static void on_drop(void *payload, const char *world)
{
    watched *w = payload;
    mutex_lock(w->lock);
    readers **place = place_of(w, world), *file = place ? *place : NULL;
    if (file) {
        atomic_store(&file->is_gone, true);
        w->newest = w->newest == file ? NULL : w->newest;
    }
    while (file && file->users > 0) {
        mutex_unlock(w->lock);
        clock_sleep(1);
        mutex_lock(w->lock);
    }
    if (place)
        *place = NULL;
    mutex_unlock(w->lock);
    readers_free(file);
}

static bool is_over_all(void *payload)
{
    const watched *w = payload;
    return w->how.should_stop(w->how.payload);
}

ptl_status watched_new(watched **out, const watch_options *options, const readers_options *how,
                       ptl_error *err)
{
    watched *w = calloc(1, sizeof *w);
    *out = NULL;
    if (w)
        w->lock = mutex_new();
    if (!w || !w->lock) {
        free(w);
        return error_nomem(err);
    }
    w->how = *how;
    watch_options o = *options;
    o.should_stop = is_over_all;
    o.on_add = on_add;
    o.on_drop = on_drop;
    o.reading = w;
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
    for (size_t i = 0; i < sizeof w->files / sizeof w->files[0]; i++) {
        mutex_lock(w->lock);
        readers *file = w->files[i];
        if (file)
            file->users++;
        mutex_unlock(w->lock);
        if (!file)
            continue;
        readers_watch(file);
        watched_give(w, file);
    }
}

readers *watched_take(watched *w, const char *world)
{
    mutex_lock(w->lock);
    readers **place = world ? place_of(w, world) : NULL;
    readers *file = place && !atomic_load(&(*place)->is_gone) ? *place : w->newest;
    if (file)
        file->users++;
    mutex_unlock(w->lock);
    return file;
}

void watched_give(watched *w, readers *file)
{
    mutex_lock(w->lock);
    file->users--;
    mutex_unlock(w->lock);
}
