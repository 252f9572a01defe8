/* Notices from the system that something in a folder has changed (Linux: inotify). */
#pragma once

#include <stdbool.h>

typedef struct notify notify;

/* Returns a new object, or NULL with errno. ENOSYS: this system gives no such notices. */
notify *notify_new(void);
void notify_free(notify *n); /* NULL is fine */
/*
 * Starts to watch a folder: files that are made, written, moved or removed in it count, those
 * in its subfolders do not. Adding a folder again changes nothing. False with errno; ENOSPC:
 * the system watches no more folders. A folder that is removed is no longer watched.
 */
bool notify_add(notify *n, const char *path);
/* Has something possibly changed since the previous call? Does not wait. */
bool notify_changed(notify *n);
