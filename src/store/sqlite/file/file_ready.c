/* What a look at a file's head tells, for who must not touch it. */
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/schema/migrate.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

bool store_file_is_ready(const char *path)
{
    enum { HEAD_SIZE = 100, VERSION_AT = 60, ID_AT = 68 };
    unsigned char head[HEAD_SIZE];
    char journal[4096];
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    const bool whole = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                       read(fd, head, sizeof head) == (ssize_t)sizeof head;
    close(fd);
    const int size = snprintf(journal, sizeof journal, "%s-journal", path);
    if (!whole || size < 0 || (size_t)size >= sizeof journal)
        return false;
    if (stat(journal, &status) == 0 && status.st_size > 0)
        return false;
    return big_endian(head + ID_AT) == (uint32_t)STORE_APPLICATION_ID &&
           big_endian(head + VERSION_AT) == (uint32_t)migrate_last_version();
}
