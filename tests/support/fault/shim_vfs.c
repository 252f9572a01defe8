/*
 * The VFS before the default one. Each of its files holds a real file right behind itself; its
 * methods ask the listener and then do what the real file's do. Memory-mapped reads are left
 * out (version 2 methods), shared memory passes through.
 */
#include "support/fault/shim_vfs.h"

#include <sqlite3.h>
#include <string.h>

typedef struct shim_file {
    sqlite3_file base;
    const char *path; /* borrowed: SQLite keeps it until the file is closed */
    int flags;
} shim_file;

/* The real file follows its shim in the same memory. */
static sqlite3_file *real_file(sqlite3_file *file)
{
    return (sqlite3_file *)(void *)((shim_file *)(void *)file + 1);
}

/* A VFS is known to all of a process: SQLite's own list of them is global, too. */
static struct {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    const shim_listener *listener;
} shim;

static int ask(const shim_op *op, size_t *partial)
{
    size_t ignored = 0;
    return shim.listener->before(shim.listener->payload, op, partial ? partial : &ignored);
}

static shim_op file_op(sqlite3_file *file, shim_op_kind kind)
{
    const shim_file *own = (const shim_file *)(void *)file;
    return (shim_op){.kind = kind, .path = own->path, .flags = own->flags};
}

/* ---- files ---- */

static int shim_close(sqlite3_file *file)
{
    const shim_op op = file_op(file, SHIM_CLOSE);
    int asked = ask(&op, NULL);
    /* A file whose closing "fails" must not be left open all the same. */
    int code = real_file(file)->pMethods->xClose(real_file(file));
    return asked != SQLITE_OK ? asked : code;
}

static int shim_read(sqlite3_file *file, void *out, int size, sqlite3_int64 offset)
{
    shim_op op = file_op(file, SHIM_READ);
    op.offset = offset;
    op.size = (size_t)size;
    int asked = ask(&op, NULL);
    if (asked == SQLITE_OK)
        return real_file(file)->pMethods->xRead(real_file(file), out, size, offset);
    memset(out, 0, (size_t)size);
    return asked;
}

static int shim_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 offset)
{
    shim_op op = file_op(file, SHIM_WRITE);
    op.offset = offset;
    op.size = (size_t)size;
    op.data = data;
    size_t partial = 0;
    int asked = ask(&op, &partial);
    if (asked == SQLITE_OK)
        return real_file(file)->pMethods->xWrite(real_file(file), data, size, offset);
    if (partial > 0 && partial <= (size_t)size)
        (void)real_file(file)->pMethods->xWrite(real_file(file), data, (int)partial, offset);
    return asked;
}

static int shim_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    shim_op op = file_op(file, SHIM_TRUNCATE);
    op.offset = size;
    int asked = ask(&op, NULL);
    return asked != SQLITE_OK ? asked
                              : real_file(file)->pMethods->xTruncate(real_file(file), size);
}

static int shim_sync(sqlite3_file *file, int flags)
{
    shim_op op = file_op(file, SHIM_SYNC);
    op.flags = flags;
    int asked = ask(&op, NULL);
    return asked != SQLITE_OK ? asked
                              : real_file(file)->pMethods->xSync(real_file(file), flags);
}

static int shim_file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    const shim_op op = file_op(file, SHIM_FILE_SIZE);
    int asked = ask(&op, NULL);
    return asked != SQLITE_OK ? asked
                              : real_file(file)->pMethods->xFileSize(real_file(file), size);
}

static int shim_lock(sqlite3_file *file, int level)
{
    const shim_op op = file_op(file, SHIM_LOCK);
    int asked = ask(&op, NULL);
    return asked != SQLITE_OK ? asked
                              : real_file(file)->pMethods->xLock(real_file(file), level);
}

static int shim_unlock(sqlite3_file *file, int level)
{
    return real_file(file)->pMethods->xUnlock(real_file(file), level);
}

static int shim_reserved(sqlite3_file *file, int *held)
{
    return real_file(file)->pMethods->xCheckReservedLock(real_file(file), held);
}

static int shim_control(sqlite3_file *file, int what, void *argument)
{
    return real_file(file)->pMethods->xFileControl(real_file(file), what, argument);
}

static int shim_sector_size(sqlite3_file *file)
{
    return real_file(file)->pMethods->xSectorSize(real_file(file));
}

static int shim_device(sqlite3_file *file)
{
    return real_file(file)->pMethods->xDeviceCharacteristics(real_file(file));
}

static int shim_shm_map(sqlite3_file *file, int page, int size, int extend,
                        void volatile **memory)
{
    return real_file(file)->pMethods->xShmMap(real_file(file), page, size, extend, memory);
}

static int shim_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return real_file(file)->pMethods->xShmLock(real_file(file), offset, count, flags);
}

static void shim_shm_barrier(sqlite3_file *file)
{
    real_file(file)->pMethods->xShmBarrier(real_file(file));
}

static int shim_shm_unmap(sqlite3_file *file, int and_delete)
{
    return real_file(file)->pMethods->xShmUnmap(real_file(file), and_delete);
}

/* Version 2 where the real file has shared memory, which a WAL needs; else version 1. */
static const sqlite3_io_methods methods[2] = {{.iVersion = 1,
                                               .xClose = shim_close,
                                               .xRead = shim_read,
                                               .xWrite = shim_write,
                                               .xTruncate = shim_truncate,
                                               .xSync = shim_sync,
                                               .xFileSize = shim_file_size,
                                               .xLock = shim_lock,
                                               .xUnlock = shim_unlock,
                                               .xCheckReservedLock = shim_reserved,
                                               .xFileControl = shim_control,
                                               .xSectorSize = shim_sector_size,
                                               .xDeviceCharacteristics = shim_device},
                                              {.iVersion = 2,
                                               .xClose = shim_close,
                                               .xRead = shim_read,
                                               .xWrite = shim_write,
                                               .xTruncate = shim_truncate,
                                               .xSync = shim_sync,
                                               .xFileSize = shim_file_size,
                                               .xLock = shim_lock,
                                               .xUnlock = shim_unlock,
                                               .xCheckReservedLock = shim_reserved,
                                               .xFileControl = shim_control,
                                               .xSectorSize = shim_sector_size,
                                               .xDeviceCharacteristics = shim_device,
                                               .xShmMap = shim_shm_map,
                                               .xShmLock = shim_shm_lock,
                                               .xShmBarrier = shim_shm_barrier,
                                               .xShmUnmap = shim_shm_unmap}};

/* ---- the VFS ---- */

static int shim_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags,
                     int *out_flags)
{
    (void)vfs;
    shim_file *own = (shim_file *)(void *)file;
    *own = (shim_file){.path = path ? path : "", .flags = flags};
    const shim_op op = file_op(file, SHIM_OPEN);
    int code = ask(&op, NULL);
    if (code != SQLITE_OK)
        return code;
    sqlite3_file *real = real_file(file);
    code = shim.real->xOpen(shim.real, path, real, flags, out_flags);
    /* The real file may want to be closed although it could not be opened. */
    if (real->pMethods)
        own->base.pMethods = &methods[real->pMethods->iVersion >= 2 && real->pMethods->xShmMap];
    return code;
}

static int shim_delete(sqlite3_vfs *vfs, const char *path, int sync_directory)
{
    (void)vfs;
    const shim_op op = {.kind = SHIM_DELETE, .path = path, .flags = sync_directory};
    int code = ask(&op, NULL);
    return code != SQLITE_OK ? code : shim.real->xDelete(shim.real, path, sync_directory);
}

/* The rest of the VFS must see the real one's own data. */
static int shim_access(sqlite3_vfs *vfs, const char *path, int flags, int *result)
{
    (void)vfs;
    return shim.real->xAccess(shim.real, path, flags, result);
}

static int shim_full_pathname(sqlite3_vfs *vfs, const char *path, int size, char *out)
{
    (void)vfs;
    return shim.real->xFullPathname(shim.real, path, size, out);
}

int shim_vfs_install(const shim_listener *listener)
{
    int code = sqlite3_initialize();
    if (code != SQLITE_OK)
        return code;
    shim.real = sqlite3_vfs_find(NULL);
    if (!shim.real || shim.real == &shim.vfs)
        return SQLITE_MISUSE;
    shim.listener = listener;
    /* Randomness, sleep, clock and the loading of libraries do not look at their VFS. */
    shim.vfs = *shim.real;
    shim.vfs.pNext = NULL;
    shim.vfs.zName = "portolan-shim";
    shim.vfs.szOsFile = (int)sizeof(shim_file) + shim.real->szOsFile;
    shim.vfs.xOpen = shim_open;
    shim.vfs.xDelete = shim_delete;
    shim.vfs.xAccess = shim_access;
    shim.vfs.xFullPathname = shim_full_pathname;
    return sqlite3_vfs_register(&shim.vfs, 1);
}

void shim_vfs_remove(void)
{
    sqlite3_vfs_unregister(&shim.vfs);
}
