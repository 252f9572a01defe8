#include "os/ticker.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

struct ticker {
    int milliseconds;
    void (*tick)(void *payload);
    void *payload;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool over; /* protected by the lock */
};

static void *run(void *argument)
{
    ticker *t = argument;
    pthread_mutex_lock(&t->lock);
    while (!t->over) {
        struct timespec at;
        clock_gettime(CLOCK_MONOTONIC, &at);
        at.tv_sec += t->milliseconds / 1000;
        at.tv_nsec += t->milliseconds % 1000 * 1000000L;
        if (at.tv_nsec >= 1000000000L) {
            at.tv_nsec -= 1000000000L;
            at.tv_sec++;
        }
        if (pthread_cond_timedwait(&t->ended, &t->lock, &at) == ETIMEDOUT)
            t->tick(t->payload);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static bool init_sync(ticker *t)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool good = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(&t->ended, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    if (good && pthread_mutex_init(&t->lock, NULL) != 0) {
        pthread_cond_destroy(&t->ended);
        good = false;
    }
    return good;
}

static void free_ticker(ticker *t)
{
    pthread_cond_destroy(&t->ended);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

ticker *ticker_begin(int milliseconds, void (*tick)(void *payload), void *payload)
{
    ticker *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->milliseconds = milliseconds;
    t->tick = tick;
    t->payload = payload;
    if (!init_sync(t)) {
        free(t);
        return NULL;
    }
    if (pthread_create(&t->thread, NULL, run, t) == 0)
        return t;
    free_ticker(t);
    return NULL;
}

void ticker_end(ticker *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->over = true;
    pthread_cond_signal(&t->ended);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    free_ticker(t);
}
