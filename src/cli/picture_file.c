/* Writing beside the target and renaming: a reader never sees half a picture, and a failed
 * run leaves an older picture alone. */
#include "cli/picture_file.h"

#include "cli/output.h"
#include "cli/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stdout(const picture_file *f)
{
    return strcmp(f->path, "-") == 0;
}

/* A device or a pipe, such as /dev/null: renaming would replace it by a file. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

bool picture_file_open(picture_file *f, const char *path)
{
    *f = (picture_file){.path = path, .fd = -1};
    if (is_stdout(f))
        return true;
    if (is_special(path)) {
        f->fd = open(path, O_WRONLY);
        f->error = f->fd < 0 ? errno : 0;
        return f->fd >= 0;
    }
    size_t size = strlen(path) + 40;
    f->temporary = malloc(size);
    if (!f->temporary) {
        f->error = ENOMEM;
        return false;
    }
    snprintf(f->temporary, size, "%s.%ld.tmp", path, (long)getpid());
    f->fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (f->fd >= 0)
        return true;
    f->error = errno;
    free(f->temporary);
    f->temporary = NULL;
    return false;
}

bool picture_file_write(void *payload, const void *data, size_t size)
{
    picture_file *f = payload;
    const char *at = data;
    if (stop_wanted())
        return false;
    if (is_stdout(f)) {
        out_raw(data, size);
        return out_ok();
    }
    while (size > 0) {
        ssize_t written = write(f->fd, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            f->error = errno;
            return false;
        }
        at += written;
        size -= (size_t)written;
    }
    return true;
}

bool picture_file_close(picture_file *f, bool keep)
{
    bool good = keep;
    if (f->fd < 0)
        return good;
    if (good && fsync(f->fd) != 0 && errno != EINVAL && errno != EROFS)
        good = false;
    if (keep && !good)
        f->error = errno;
    if (close(f->fd) != 0 && good) {
        f->error = errno;
        good = false;
    }
    if (good && f->temporary && rename(f->temporary, f->path) != 0) {
        f->error = errno;
        good = false;
    }
    if (!good && f->temporary)
        unlink(f->temporary);
    free(f->temporary);
    *f = (picture_file){.path = f->path, .fd = -1, .error = f->error};
    return good;
}
