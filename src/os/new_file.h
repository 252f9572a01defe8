/*
 * A file that gets its name only when it is complete. It is written under a new temporary name
 * in the same folder, NAME.portolan-XXXXXXXXXXXX.tmp; then it is synced, renamed, and its
 * folder is synced. So whoever opens the name finds the old file or the whole new one, even
 * after a power failure. A file that is not published is removed. If the process is killed, its
 * temporary file stays, and no later process touches it.
 *
 * A file is replaced only if it is a regular file whose loss does no harm. It must not be a
 * symbolic link, a folder, a named pipe, a socket or a block device. It must not be one of the
 * caller's inputs under whatever name (device and inode are compared), nor a database, unless
 * the rule allows that. Its name must not be one that SQLite or Portolan use beside a database
 * (-journal, -wal, -shm, -lock). All of that is checked before the first byte is written, and
 * again just before the renaming.
 *
 * Whether a file is a database is found by opening it, and closing it drops the locks that
 * SQLite holds on it in this process. So every database that this process has open must be
 * among the inputs.
 */
#pragma once

#include "os/file.h"
#include "portolan/status.h"

typedef enum new_file_rule {
    /* May replace a regular file that is neither write-protected nor a database. */
    NEW_FILE_REPLACE,
    NEW_FILE_FORCE, /* may replace any regular file except an input, since the user forced it */
    NEW_FILE_ABSENT, /* replaces nothing: a file with the name gives PTL_ERR_EXISTS */
    /* The same as NEW_FILE_ABSENT, for a name that Portolan itself uses beside a database. */
    NEW_FILE_OWN_NAME
} new_file_rule;

typedef struct new_file_options {
    new_file_rule rule;
    bool device; /* true: a character device, such as /dev/null, may be written to directly */
    /* Permissions of the finished file. 0: those of the file that it replaces, or else the
     * default that the umask allows. */
    unsigned permissions;
    const file_id *inputs; /* borrowed; the files from which the new file is made, which it must
                              never replace */
    size_t input_count;
} new_file_options;

/* A file that is being written. A zeroed struct counts as closed. */
typedef struct new_file {
    char *path; /* owned; the file's path as the caller gave it */
    /* Owned; the path of the temporary file, in a form that SQLite does not take for a URI.
     * NULL for a device. */
    char *temporary;
    /* Descriptor for reading and writing; -1 once a caller has taken it over. */
    int fd;
    int folder;        /* descriptor of the folder that the file lies in; -1 for a device */
    bool has_name;     /* the file has its final name */
    unsigned replaced; /* permissions of the file that is replaced; 0: no file is replaced */
    new_file_options options;
} new_file;

/*
 * Checks the path and creates the temporary file. PTL_ERR_ARGUMENT: the file at the path must
 * not be replaced. PTL_ERR_EXISTS: there is a file at the path, and the rule allows none.
 * PTL_ERR_NOT_FOUND: the folder does not exist. PTL_ERR_READONLY: no permission. Each message
 * names the path. After a failure f is closed.
 */
ptl_status new_file_open(new_file *f, const char *path, const new_file_options *options,
                         ptl_error *err);
/* Appends data to the file. */
ptl_status new_file_write(new_file *f, const void *data, size_t size, ptl_error *err);

/* Publishes the file: syncs it, renames it, and syncs its folder. The three steps can also be
 * called separately. If the folder can't be synced, a file with the rule NEW_FILE_ABSENT loses
 * its name again, because the name would make the next attempt fail. */
ptl_status new_file_publish(new_file *f, ptl_error *err);
ptl_status new_file_sync(new_file *f, ptl_error *err);
ptl_status new_file_rename(new_file *f, ptl_error *err);
ptl_status new_file_sync_folder(new_file *f, ptl_error *err);

/* Syncs a folder, so that the names in it survive a power failure. Called once for many files,
 * after each of them has been synced and renamed. */
ptl_status folder_sync(const char *folder, ptl_error *err);

/* Closes the file; must be called in any case. A file that was not published is removed. */
void new_file_close(new_file *f);
