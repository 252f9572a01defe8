/* What a look at a file's head tells, for who must not touch it. */
#include "os/file.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/schema/migrate.h"

#include <stdio.h>

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

bool ptl_store_is_ready(const char *path)
{
    enum { HEAD_SIZE = 100, VERSION_AT = 60, ID_AT = 68 };
    unsigned char head[HEAD_SIZE];
    char journal[4096];
    file_facts facts;
    const int fd = file_open_any(path);
    if (fd < 0)
        return false;
    const bool whole = file_look_open(&facts, fd) && facts.kind == FILE_REGULAR &&
                       file_read(fd, head, sizeof head) == (int64_t)sizeof head;
    file_close(fd);
    const int size = snprintf(journal, sizeof journal, "%s-journal", path);
    if (!whole || size < 0 || (size_t)size >= sizeof journal)
        return false;
    if (file_look(&facts, journal) && facts.size > 0)
        return false;
    return big_endian(head + ID_AT) == (uint32_t)STORE_APPLICATION_ID &&
           big_endian(head + VERSION_AT) == (uint32_t)migrate_last_version();
}
