#include "store/sqlite/connection/interrupt.h"

#include "store/sqlite/connection/store_impl.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { OPS_BETWEEN_QUESTIONS = 2000, WATCH_MILLISECONDS = 50 };

static int ends(void *payload)
{
    const store_interrupt *i = payload;
    return (i->deaf == 0 && stop_asked(&i->stop)) || (i->ends && i->ends(i->payload));
}

/* Nobody to ask: SQLite counts no steps. */
static void set_handler(ptl_store *store)
{
    store_interrupt *i = &store->interrupt;
    const bool wanted = i->stop.asked || i->ends;
    sqlite3_progress_handler(store->db, wanted ? OPS_BETWEEN_QUESTIONS : 0,
                             wanted ? ends : NULL, i);
}

void interrupt_install(ptl_store *store)
{
    if (store->interrupt.stop.asked)
        set_handler(store);
}

void interrupt_follow(ptl_store *store, bool (*function)(void *payload), void *payload)
{
    store->interrupt.ends = function;
    store->interrupt.payload = payload;
    set_handler(store);
}

stop_hook store_stop(const ptl_store *store)
{
    return store->interrupt.stop;
}

bool store_stopped(const ptl_store *store)
{
    return store->interrupt.deaf == 0 && stop_asked(&store->interrupt.stop);
}

void store_deafen(ptl_store *store, bool on)
{
    store->interrupt.deaf += on ? 1 : -1;
}

/* ---- the thread ---- */

struct interrupt_watch {
    ptl_store *store;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool over; /* under the lock */
};

static struct timespec next_question(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += WATCH_MILLISECONDS * 1000000L;
    if (at.tv_nsec >= 1000000000L) {
        at.tv_nsec -= 1000000000L;
        at.tv_sec++;
    }
    return at;
}

static void *watch(void *argument)
{
    interrupt_watch *w = argument;
    pthread_mutex_lock(&w->lock);
    while (!w->over) {
        const struct timespec at = next_question();
        if (pthread_cond_timedwait(&w->ended, &w->lock, &at) == ETIMEDOUT &&
            stop_asked(&w->store->interrupt.stop))
            sqlite3_interrupt(w->store->db);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static bool init_sync(interrupt_watch *w)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool good = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(&w->ended, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    if (good && pthread_mutex_init(&w->lock, NULL) != 0) {
        pthread_cond_destroy(&w->ended);
        good = false;
    }
    return good;
}

static void free_watch(interrupt_watch *w)
{
    pthread_cond_destroy(&w->ended);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

interrupt_watch *interrupt_watch_begin(ptl_store *store)
{
    interrupt_watch *w =
        store->interrupt.stop.asked && store->interrupt.deaf == 0 ? calloc(1, sizeof *w) : NULL;
    if (!w)
        return NULL;
    w->store = store;
    if (!init_sync(w)) {
        free(w);
        return NULL;
    }
    if (pthread_create(&w->thread, NULL, watch, w) == 0)
        return w;
    free_watch(w);
    return NULL;
}

void interrupt_watch_end(interrupt_watch *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->over = true;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    free_watch(w);
}
