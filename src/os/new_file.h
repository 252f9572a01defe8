/*
 * A file that gets its name when it is complete. It is written under a temporary name in the
 * same folder, NAME.portolan-XXXXXXXXXXXX.tmp, which nobody had before; then it is synced,
 * renamed, and its folder synced: whoever opens the name finds the old file or the whole new
 * one, also after a power failure. What is not published is removed; a process that is killed
 * leaves its temporary file, and no later one touches it.
 *
 * What a name holds is replaced only if it is a regular file that nobody can miss: never a
 * symbolic link, a folder, a named pipe, a socket or a block device; never one of the files
 * that the caller reads, whatever it is called (device and inode are compared); no database,
 * unless the rule says so; and no name that SQLite or Portolan take beside a database
 * (-journal, -wal, -shm, -lock). All of that is asked before the first byte, and again just
 * before the renaming.
 *
 * A file is asked whether it is a database by opening it, and closing a file drops the locks
 * that SQLite holds on it in this process: so whatever database is open here belongs among the
 * inputs.
 */
#ifndef OS_NEW_FILE_H
#define OS_NEW_FILE_H

#include "os/file.h"
#include "portolan/status.h"

typedef enum new_file_rule {
    NEW_FILE_REPLACE, /* a regular file that is neither write-protected nor a database */
    NEW_FILE_FORCE,   /* any regular file but an input: the user said so */
    NEW_FILE_ABSENT,  /* nothing may be there: else PTL_ERR_EXISTS */
    NEW_FILE_OWN_NAME /* the same, for a name that we take beside a database */
} new_file_rule;

typedef struct new_file_options {
    new_file_rule rule;
    bool device;           /* a character device, such as /dev/null, is written as it is */
    unsigned permissions;  /* that it gets; 0: as umask has it, or those of the file that it
                            * replaces */
    const file_id *inputs; /* never replaced; borrowed until the file is closed */
    size_t input_count;
} new_file_options;

/* Zeroed is closed. */
typedef struct new_file {
    char *path;      /* owned; as it was given */
    char *temporary; /* owned; its name until then, as a path that is no URI; NULL: a device */
    int fd;          /* for reading and writing; -1 once it was taken away */
    int folder;      /* where both names are; -1: a device */
    bool has_name;   /* it was renamed */
    unsigned replaced; /* the permissions of what it replaces; 0: of nothing */
    new_file_options options;
} new_file;

/*
 * PTL_ERR_ARGUMENT: what is there is nothing to replace. PTL_ERR_EXISTS: by the rule.
 * PTL_ERR_NOT_FOUND: it has no folder. PTL_ERR_READONLY: no permission. Each message names the
 * path. f is closed after a failure.
 */
ptl_status new_file_open(new_file *f, const char *path, const new_file_options *options,
                         ptl_error *err);
/* Appends to what was written before. */
ptl_status new_file_write(new_file *f, const void *data, size_t size, ptl_error *err);

/* Syncs the file and gives it its name. Its three parts are there for those who need something
 * in between. If the folder can't be synced, a file by the rule NEW_FILE_ABSENT loses its name
 * again: it would be in the way of the next try. */
ptl_status new_file_publish(new_file *f, ptl_error *err);
ptl_status new_file_sync(new_file *f, ptl_error *err);
ptl_status new_file_rename(new_file *f, ptl_error *err);
ptl_status new_file_sync_folder(new_file *f, ptl_error *err);

/* Names that files of a folder got become durable: once for many files, each of which was
 * synced and renamed. */
ptl_status folder_sync(const char *folder, ptl_error *err);

/* Close it always. What has not got its name is removed. */
void new_file_close(new_file *f);

#endif
