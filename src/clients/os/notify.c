#include "clients/os/notify.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/inotify.h>
#endif

struct notify {
    int fd;
};

notify *notify_new(void)
{
    notify *n = NULL;
#if defined(__linux__)
    const int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    n = fd >= 0 ? malloc(sizeof *n) : NULL;
    if (n)
        n->fd = fd;
    else if (fd >= 0)
        close(fd);
#else
    errno = ENOSYS;
#endif
    return n;
}

void notify_free(notify *n)
{
    if (n)
        (void)close(n->fd);
    free(n);
}

bool notify_add(notify *n, const char *path)
{
#if defined(__linux__)
    const uint32_t which = IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_FROM |
                           IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF;
    return inotify_add_watch(n->fd, path, which) >= 0;
#else
    (void)n;
    (void)path;
    errno = ENOSYS;
    return false;
#endif
}

/* Reads all waiting events without looking at them, because it only matters whether there are
 * any. For the same reason it does no harm if the system drops events. */
bool notify_changed(notify *n)
{
    char events[4096];
    bool any = false;
    while (read(n->fd, events, sizeof events) > 0)
        any = true;
    return any;
}
