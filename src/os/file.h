/*
 * Files: what they are, and opening, reading, writing and removing them. Each function is a
 * call of the system or two: it says false or -1 and leaves errno as the call did, and its
 * caller knows the words for that. No descriptor is handed down to a child process.
 *
 * To close a descriptor drops all locks that SQLite has on that file in this process: so a
 * database that is open here is looked at by its name, and never opened.
 */
#ifndef OS_FILE_H
#define OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what a file is ---- */

/* Which file it is, whatever its names are. */
typedef struct file_id {
    uint64_t device, inode;
} file_id;

/* Since 1970, UTC. */
typedef struct file_time {
    int64_t seconds;
    int32_t nanoseconds; /* 0..999999999 */
} file_time;

typedef enum file_kind {
    FILE_REGULAR,
    FILE_FOLDER,
    FILE_LINK, /* a symbolic one */
    FILE_PIPE,
    FILE_SOCKET,
    FILE_CHARACTERS, /* a device, such as /dev/null */
    FILE_BLOCKS      /* a device */
} file_kind;

typedef struct file_facts {
    file_id id;
    file_kind kind;
    uint64_t size;        /* bytes */
    uint64_t names;       /* hard links */
    file_time changed;    /* what it holds */
    unsigned permissions; /* the nine bits for its owner, its group and all others */
} file_facts;

/* Of what a path leads to, links followed. */
bool file_look(file_facts *out, const char *path);
/* Of the path itself, which may be a link. */
bool file_look_here(file_facts *out, const char *path);
/* Looks at a name in an open folder: at itself, or at what it leads to. */
bool file_look_in(file_facts *out, int folder, const char *name);
bool file_look_through(file_facts *out, int folder, const char *name);
bool file_look_open(file_facts *out, int fd);

bool file_id_of_path(file_id *out, const char *path);
bool file_id_of(file_id *out, int fd);
bool file_id_same(const file_id *a, const file_id *b);

/* Whether this process may write what is there. */
bool file_is_writable(const char *path);

/* The absolute path without links of what is there; new. */
char *file_real_path(const char *path);

/* ---- opening ---- */

typedef enum file_access { FILE_READ, FILE_WRITE, FILE_READ_WRITE } file_access;

/* Opens the file itself: no link is followed, and no named pipe waited for. -1 with errno. */
int file_open(const char *path, file_access access);
int file_open_in(int folder, const char *name); /* for reading */
/* Opens the same for a path of the user's, for reading: links are followed. It may be a
 * folder. */
int file_open_any(const char *path);
/* A new one, for reading and writing, that only its owner may open. */
int file_create(const char *path);
/* Closing -1 does nothing. */
bool file_close(int fd);

/* ---- reading and writing ---- */

/* Reads up to size bytes; fewer only at the end of the file. -1 with errno. */
int64_t file_read(int fd, void *out, size_t size);
int64_t file_read_at(int fd, void *out, size_t size, int64_t at);
/* Writes all of it: a disk that gets full takes a part first, and fails only with the rest. */
bool file_write(int fd, const void *data, size_t size);
bool file_write_at(int fd, const void *data, size_t size, int64_t at);
bool file_resize(int fd, int64_t size);
/* Brings the file onto the disk; of a folder, its names. Where a file system syncs no such
 * thing, nothing is done. */
bool file_sync(int fd);
/* Sets the time that file_facts.changed tells. */
bool file_set_changed(int fd, file_time changed);

/* All of a small regular file of the user's (links are followed), and a 0 behind it: new; NULL
 * with errno, EFBIG for one of more than `most` bytes. */
char *file_read_small(const char *path, size_t most, size_t *size);

/* ---- names ---- */

bool file_remove(const char *path);
bool file_remove_in(int folder, const char *name);
/* The name goes from one folder to the other, whatever it is of. 0, or an errno: EEXIST or
 * ENOTEMPTY if it is taken there. (Where no call of the system renames without replacing, a
 * look before must do.) */
int file_move_to_free(int from, int to, const char *name);

#endif
