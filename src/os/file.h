/*
 * Files: asking for their facts, opening, reading, writing and removing them. Each function
 * makes one or two system calls; on failure it returns false or -1 and leaves errno as the call
 * set it, and its caller writes the message. No descriptor is inherited by a child process.
 *
 * Closing any descriptor of a file drops all locks that SQLite has on the file in this process.
 * So a file that is open here as a database must be examined by its name, and never be opened a
 * second time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what a file is ---- */

/* Identifies a file: all names and paths that lead to one file give the same values. */
typedef struct file_id {
    uint64_t device, inode;
} file_id;

/* A time since 1970, UTC. */
typedef struct file_time {
    int64_t seconds;
    int32_t nanoseconds; /* 0..999999999 */
} file_time;

typedef enum file_kind {
    FILE_REGULAR,
    FILE_FOLDER,
    FILE_LINK, /* a symbolic link */
    FILE_PIPE,
    FILE_SOCKET,
    FILE_CHARACTERS, /* a character device, such as /dev/null */
    FILE_BLOCKS      /* a block device */
} file_kind;

typedef struct file_facts {
    file_id id;
    file_kind kind;
    uint64_t size;        /* bytes */
    uint64_t names;       /* number of hard links */
    file_time changed;    /* time of the last change to the file's content */
    unsigned permissions; /* the nine permission bits of owner, group and others */
} file_facts;

/* Gives the facts of the file that a path leads to; symbolic links are followed. */
bool file_look(file_facts *out, const char *path);
/* Gives the facts of the path itself: if it is a symbolic link, those of the link. */
bool file_look_here(file_facts *out, const char *path);
/* file_look_in gives the facts of a name in an open folder, and follows no symbolic link;
 * file_look_through follows links. file_look_open gives the facts of an open file. */
bool file_look_in(file_facts *out, int folder, const char *name);
bool file_look_through(file_facts *out, int folder, const char *name);
bool file_look_open(file_facts *out, int fd);

/* Give the identity of the file at a path (symbolic links are followed), or of an open file.
 * False with errno on failure. */
bool file_id_of_path(file_id *out, const char *path);
bool file_id_of(file_id *out, int fd);
bool file_id_same(const file_id *a, const file_id *b);
/* Are these the facts of one file that was not changed in between? The identity, the size and
 * the time of the last change are compared. */
bool file_facts_same(const file_facts *a, const file_facts *b);

/* Returns whether this process may write the file. */
bool file_is_writable(const char *path);

/* Returns the absolute path of an existing file, with all symbolic links resolved. The caller
 * frees the string. NULL with errno on failure. */
char *file_real_path(const char *path);

/* ---- opening ---- */

typedef enum file_access { FILE_READ, FILE_WRITE, FILE_READ_WRITE } file_access;

/* Opens a file. A symbolic link is not followed, and opening a named pipe does not wait.
 * Returns a descriptor, or -1 with errno. */
int file_open(const char *path, file_access access);
/* Opens, for reading, the file of this name in an open folder; does otherwise what file_open
 * does. */
int file_open_in(int folder, const char *name);
/* Opens a path that the user gave, for reading. Symbolic links are followed, and the path may
 * be a folder. Returns a descriptor, or -1 with errno. */
int file_open_any(const char *path);
/* Creates a new file, for reading and writing, that only its owner may open. Returns a
 * descriptor, or -1 with errno. */
int file_create(const char *path);
/* Closes a descriptor; does nothing for -1. */
bool file_close(int fd);

/* ---- reading and writing ---- */

/* Reads up to `size` bytes, and fewer only at the end of the file. Returns the number of bytes
 * read, or -1 with errno. */
int64_t file_read(int fd, void *out, size_t size);
int64_t file_read_at(int fd, void *out, size_t size, int64_t at);
/* Writes all bytes. (When a disk becomes full, the first write call writes only a part of them;
 * the next call fails, and only then this function returns false.) */
bool file_write(int fd, const void *data, size_t size);
bool file_write_at(int fd, const void *data, size_t size, int64_t at);
bool file_resize(int fd, int64_t size);
/* Flushes a file's content, or the names in a folder, to the disk. Does nothing where the file
 * system can't do that. */
bool file_sync(int fd);
/* Sets the time of a file's last change, which file_facts.changed gives. */
bool file_set_changed(int fd, file_time changed);

/* Reads a whole small regular file that the user named (symbolic links are followed). Returns a
 * new buffer with its bytes and a 0 behind them; NULL with errno, which is EFBIG if the file
 * has more than `most` bytes. */
char *file_read_small(const char *path, size_t most, size_t *size);

/* ---- names ---- */

bool file_remove(const char *path);
bool file_remove_in(int folder, const char *name);
/* Moves the file that has this name from one folder to another. Returns 0 or an errno: EEXIST
 * or ENOTEMPTY if the other folder has the name already. (Where no system call renames without
 * replacing, this function first checks whether the name is taken.) */
int file_move_to_free(int from, int to, const char *name);
