/* Folders: opening, making, removing and listing them. As in os/file.h, errno stays as the
 * system's call left it. */
#ifndef OS_FOLDER_H
#define OS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A descriptor to look things up in; -1 with errno. By a path, links followed; or by its name
 * in an open folder, which may be no link. */
int folder_open(const char *path);
int folder_open_in(int folder, const char *name);

/* Makes a folder; errno is EEXIST where something has the name. */
bool folder_make(const char *path);
bool folder_make_in(int folder, const char *name);
/* One that only its owner may read: the XXXXXX that the path ends with become what makes it
 * new. */
bool folder_make_own(char *path);
/* Removes an empty folder. */
bool folder_remove(const char *path);
bool folder_remove_in(int folder, const char *name);

/* Whether this process may make files in it; else errno says why. */
bool folder_is_writable(const char *path);
/* How many bytes may still be written on its disk. */
bool folder_room(uint64_t *out, const char *path);

/* ---- listing ---- */

/* The names in a folder but "." and "..", in the system's order. */
typedef struct folder_list folder_list;

/* Opens a folder's list, which is new; NULL with errno. */
folder_list *folder_list_open(const char *path);
/* Opens the list of an open folder, which stays open; as above. Two lists of one descriptor
 * take their places from each other: one at a time. */
folder_list *folder_list_of(int folder);
/* Borrowed until the next call; NULL at the end, or with errno above 0 if it can't be read. */
const char *folder_list_next(folder_list *list);
/* What the symbolic link of that name says, cut to the room; false if it is none. */
bool folder_list_link(char *out, size_t room, folder_list *list, const char *name);
/* NULL is fine. */
void folder_list_close(folder_list *list);

#endif
