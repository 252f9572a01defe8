/* A lock that one thread at a time can hold. */
#pragma once

typedef struct mutex mutex;

mutex *mutex_new(void);    /* new; NULL when memory is out */
void mutex_free(mutex *m); /* no thread may hold it; NULL is fine */
void mutex_lock(mutex *m);
void mutex_unlock(mutex *m);
