/* Notices from the system that something in a folder has changed (Linux: inotify). */
#pragma once

#include <stdbool.h>

typedef struct notify notify;

/* Returns a new object that watches folders, or NULL with errno. ENOSYS: this system can't
 * report changes in folders. */
notify *notify_new(void);
void notify_free(notify *n); /* NULL is fine */
/*
 * Starts to watch a folder. Files that are made, written, moved or removed in it are noticed,
 * but not those in its subfolders. Adding a folder again changes nothing. The system stops
 * watching a folder that is removed. Returns false with errno set after an error; ENOSPC: the
 * system watches no more folders.
 */
bool notify_add(notify *n, const char *path);
/* Returns whether something may have changed in the watched folders since the previous call.
 * Does not wait. */
bool notify_changed(notify *n);
