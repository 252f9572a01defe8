/* Being told by the system that something in folders has changed (Linux: inotify). */
#ifndef CLIENTS_OS_NOTIFY_H
#define CLIENTS_OS_NOTIFY_H

#include <stdbool.h>

typedef struct notify notify;

/* Returns a new one, or NULL with errno: ENOSYS where the system tells nobody. */
notify *notify_new(void);
void notify_free(notify *n); /* NULL is fine */
/* From now on what is made, written, moved and removed in this folder counts, but not what
 * happens in folders below. One that is added again counts once. False with errno: ENOSPC where
 * the system follows no more folders. A folder that goes is forgotten. */
bool notify_add(notify *n, const char *path);
/* May something have changed since the last call? Does not wait. */
bool notify_changed(notify *n);

#endif
