/* Folders: opening, making, removing and listing them. As in os/file.h, a failure leaves
 * errno as the system call set it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open a folder and return a descriptor in which names can be looked up; -1 with errno.
 * folder_open follows symbolic links; folder_open_in takes a name in an open folder, which must
 * not be a link. */
int folder_open(const char *path);
int folder_open_in(int folder, const char *name);

/* Makes a folder. False with errno; EEXIST if the name is taken. */
bool folder_make(const char *path);
bool folder_make_in(int folder, const char *name);
/* Makes a folder that only its owner may read. The path ends with XXXXXX, which this function
 * replaces with characters that make the name new. */
bool folder_make_own(char *path);
/* Removes an empty folder. */
bool folder_remove(const char *path);
bool folder_remove_in(int folder, const char *name);

/* Returns whether this process may create files in the folder. If it may not, errno says
 * why. */
bool folder_is_writable(const char *path);
/* Gives the number of bytes that are free on the folder's disk. */
bool folder_room(uint64_t *out, const char *path);

/* ---- listing ---- */

/* The list of the names in a folder, without "." and "..", in the system's order. */
typedef struct folder_list folder_list;

/* Opens the list of a folder's names. The caller frees it with folder_list_close. NULL with
 * errno. */
folder_list *folder_list_open(const char *path);
/* Lists an open folder, which stays open. The caller frees the list with folder_list_close.
 * NULL with errno. Two lists from one descriptor share their position, so use only one at a
 * time. */
folder_list *folder_list_of(int folder);
/* Returns the next name, borrowed until the next call. NULL with errno 0 at the end; NULL with
 * errno above 0 if the folder can't be read. */
const char *folder_list_next(folder_list *list);
/* Gives the target of the symbolic link `name` in the listed folder, cut to `room` bytes. False
 * if the name is no symbolic link. */
bool folder_list_link(char *out, size_t room, folder_list *list, const char *name);
/* Closes the list; does nothing for NULL. */
void folder_list_close(folder_list *list);
