#include "clients/os/mutex.h"

#include <pthread.h>
#include <stdlib.h>

struct mutex {
    pthread_mutex_t lock;
};

mutex *mutex_new(void)
{
    mutex *m = calloc(1, sizeof *m);
    if (m && pthread_mutex_init(&m->lock, NULL) != 0) {
        free(m);
        return NULL;
    }
    return m;
}

void mutex_free(mutex *m)
{
    if (m)
        (void)pthread_mutex_destroy(&m->lock);
    free(m);
}

void mutex_lock(mutex *m)
{
    (void)pthread_mutex_lock(&m->lock);
}

void mutex_unlock(mutex *m)
{
    (void)pthread_mutex_unlock(&m->lock);
}
