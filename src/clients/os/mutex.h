/* A lock that one thread at a time can hold. */
#pragma once

typedef struct mutex mutex;

mutex *mutex_new(void);    /* returns a new lock; NULL when memory is out */
void mutex_free(mutex *m); /* frees a lock that no thread holds; does nothing for NULL */
void mutex_lock(mutex *m);
void mutex_unlock(mutex *m);
