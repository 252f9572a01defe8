/* Finds processes by kill() and in the files of /proc (man 5 proc). */
#include "os/process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROC_PATH = 64 };

long process_own(void)
{
    return (long)getpid();
}

bool process_is_alive(long pid)
{
    return kill((pid_t)pid, 0) == 0 || errno == EPERM;
}

void process_host(char *out, size_t room)
{
    if (gethostname(out, room) != 0)
        snprintf(out, room, "localhost");
    out[room - 1] = '\0';
}

bool process_name(char *out, size_t room, long pid)
{
    char path[PROC_PATH], line[PROCESS_NAME_SIZE];
    snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    const bool told = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    if (!told)
        return false;
    line[strcspn(line, "\n")] = '\0';
    snprintf(out, room, "%s", line);
    return true;
}

folder_list *process_list_open(void)
{
    return folder_list_open("/proc");
}

bool process_list_next(process_facts *out, folder_list *list)
{
    char own[sizeof out->number];
    snprintf(own, sizeof own, "%ld", process_own());
    for (const char *name; (name = folder_list_next(list)) != NULL;) {
        if (!isdigit((unsigned char)name[0]) || strlen(name) >= sizeof out->number ||
            strcmp(name, own) == 0)
            continue;
        snprintf(out->number, sizeof out->number, "%s", name);
        /* /proc/PID/stat has the process's short name in parentheses; the name itself may
         * contain parentheses. Processes that have ended or are zombies are skipped. */
        char path[PROC_PATH], text[512], target[PATH_MAX];
        snprintf(path, sizeof path, "/proc/%s/stat", out->number);
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        const ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
        if (fd >= 0)
            close(fd);
        text[got > 0 ? got : 0] = '\0';
        const char *from = strchr(text, '('), *to = strrchr(text, ')');
        if (!from || !to || to < from || to[1] == '\0' || to[2] == 'Z' || to[2] == 'X')
            continue;
        snprintf(out->name, sizeof out->name, "%.*s", (int)(to - from - 1), from + 1);
        if (!out->name[0])
            continue;
        /* The base name of the program that the process runs; "" where the system does not tell
         * it. */
        snprintf(path, sizeof path, "/proc/%s/exe", out->number);
        const ssize_t size = readlink(path, target, sizeof target - 1);
        target[size > 0 ? size : 0] = '\0';
        const char *slash = strrchr(target, '/');
        snprintf(out->program, sizeof out->program, "%.*s", PROCESS_PROGRAM_SIZE - 1,
                 slash ? slash + 1 : target);
        return true;
    }
    return false;
}

folder_list *process_files_open(const process_facts *process)
{
    char path[PROC_PATH];
    snprintf(path, sizeof path, "/proc/%s/fd", process->number);
    return folder_list_open(path);
}

/* A process_maps is a FILE of the C library; no header of Portolan mentions the type FILE. */
process_maps *process_maps_open(const process_facts *process)
{
    char path[PROC_PATH];
    snprintf(path, sizeof path, "/proc/%s/maps", process->number);
    return (process_maps *)fopen(path, "re");
}

/* In a line of /proc/PID/maps only the file's path begins with a slash, and the path ends the
 * line. */
bool process_maps_next(char *out, size_t room, process_maps *maps)
{
    char line[PATH_MAX + 256];
    while (fgets(line, sizeof line, (FILE *)maps)) {
        const char *path = strchr(line, '/');
        if (!path)
            continue;
        snprintf(out, room, "%.*s", (int)strcspn(path, "\n"), path);
        return true;
    }
    return false;
}

void process_maps_close(process_maps *maps)
{
    if (maps)
        fclose((FILE *)maps);
}
