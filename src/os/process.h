/* Processes of this machine and the files that they have open, as far as the system gives that
 * information. */
#pragma once

#include "os/folder.h"

enum { PROCESS_NAME_SIZE = 64, PROCESS_PROGRAM_SIZE = 256 };

/* Returns this process's id. */
long process_own(void);
/* Returns whether there is a process with this id, whatever user it belongs to. */
bool process_is_alive(long pid);
/* Gives the machine's name; "localhost" if it has none. */
void process_host(char *out, size_t room);
/* Gives a process's short name; false if the system does not tell it. */
bool process_name(char *out, size_t room, long pid);

typedef struct process_facts {
    char number[24];              /* the process's id as decimal text */
    char name[PROCESS_NAME_SIZE]; /* the process's short name */
    /* The base name of the program that the process runs; "" if the system does not tell it. */
    char program[PROCESS_PROGRAM_SIZE];
} process_facts;

/* Lists all living processes except this one. The caller frees the list with folder_list_close.
 * NULL with errno if the system has no such list. */
folder_list *process_list_open(void);
/* Gives the next process of the list; false at the end. */
bool process_list_next(process_facts *out, folder_list *list);

/* Lists the files that a process has open, as names of symbolic links (folder_list_link). The
 * caller frees the list with folder_list_close. NULL with errno. */
folder_list *process_files_open(const process_facts *process);

/* The list of the files that a process has mapped into its memory. process_maps_open returns a
 * new list; NULL with errno. */
typedef struct process_maps process_maps;
process_maps *process_maps_open(const process_facts *process);
/* Gives the path of the next mapped file, in the form that the system reports; false at the
 * end. */
bool process_maps_next(char *out, size_t room, process_maps *maps);
void process_maps_close(process_maps *maps); /* maps may be NULL */
