/* A folder_list is a DIR of the C library; no header of Portolan mentions the type DIR. */
#include "os/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { BY_UMASK = 0777 };

int folder_open(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int folder_open_in(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool folder_make(const char *path)
{
    return mkdir(path, BY_UMASK) == 0;
}

bool folder_make_in(int folder, const char *name)
{
    return mkdirat(folder, name, BY_UMASK) == 0;
}

bool folder_make_own(char *path)
{
    return mkdtemp(path) != NULL;
}

bool folder_remove(const char *path)
{
    return rmdir(path) == 0;
}

bool folder_remove_in(int folder, const char *name)
{
    return unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

bool folder_is_writable(const char *path)
{
    return access(path, W_OK | X_OK) == 0;
}

bool folder_room(uint64_t *out, const char *path)
{
    struct statvfs disk;
    if (statvfs(path, &disk) != 0)
        return false;
    *out = (uint64_t)disk.f_bavail * (uint64_t)disk.f_frsize;
    return true;
}

/* ---- listing ---- */

folder_list *folder_list_open(const char *path)
{
    return (folder_list *)opendir(path);
}

folder_list *folder_list_of(int folder)
{
    /* The DIR gets a copy of the descriptor, because closedir closes the descriptor of its DIR.
     */
    const int own = dup(folder);
    DIR *dir = own >= 0 ? fdopendir(own) : NULL;
    if (own >= 0 && !dir) {
        const int code = errno;
        close(own);
        errno = code;
    }
    if (dir)
        rewinddir(dir); /* `own` and `folder` share one position in the list of names, and an
                         * earlier reader may have left it at the end */
    return (folder_list *)dir;
}

const char *folder_list_next(folder_list *list)
{
    struct dirent *entry;
    do {
        errno = 0;
        entry = readdir((DIR *)list);
    } while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

bool folder_list_link(char *out, size_t room, folder_list *list, const char *name)
{
    const ssize_t size = readlinkat(dirfd((DIR *)list), name, out, room - 1);
    if (size <= 0)
        return false;
    out[size] = '\0';
    return true;
}

void folder_list_close(folder_list *list)
{
    if (list)
        closedir((DIR *)list);
}
