/*
 * Signs of a running game. It locks nothing, and keeps no file of a save open, so this looks
 * for a process of the game, for anybody who has a file of the save open, and for a save of
 * just now. None of them can be sure: the game may run on another machine.
 */
#include "exchange/into_impl.h"

#include "core/error.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECENT = 5 /* seconds */, PROC_PATH = 64 };

typedef struct game_search {
    const save_folder *save;
    char root[PATH_MAX]; /* SAVE without links, and a slash */
    uint64_t *unseen;
} game_search;

/* The process' short name; "" if it is gone, or dead and not yet fetched. */
static void name_of(char out[32], const char *process)
{
    char path[PROC_PATH + 16], text[512] = "";
    out[0] = '\0';
    snprintf(path, sizeof path, "/proc/%s/stat", process);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (size <= 0)
        return;
    text[size] = '\0';
    const char *from = strchr(text, '('), *to = strrchr(text, ')'); /* it may hold both */
    if (!from || !to || to < from || to[1] == '\0' || to[2] == 'Z' || to[2] == 'X')
        return;
    snprintf(out, 32, "%.*s", (int)(to - from - 1), from + 1);
}

/* The base name of what the process runs; "" where that is not told. */
static void program_of(char out[NAME_MAX + 1], const char *process)
{
    char path[PROC_PATH + 16], target[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%s/exe", process);
    const ssize_t size = readlink(path, target, sizeof target - 1);
    out[0] = '\0';
    if (size <= 0)
        return;
    target[size] = '\0';
    const char *slash = strrchr(target, '/');
    snprintf(out, NAME_MAX + 1, "%.*s", NAME_MAX, slash ? slash + 1 : target);
}

static bool is_game(const char *name)
{
    return strncmp(name, "cataclysm", strlen("cataclysm")) == 0;
}

static ptl_status told(const game_search *g, const char *process, const char *name,
                       const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_BUSY, "%s: process %s (%s) %s", g->save->path, process, name,
                     what);
}

/* Files below SAVE that the process has open. */
static ptl_status check_files(const game_search *g, const char *process, const char *name,
                              ptl_error *err)
{
    char path[PROC_PATH + 16], target[PATH_MAX], what[PATH_MAX + 32];
    snprintf(path, sizeof path, "/proc/%s/fd", process);
    DIR *dir = opendir(path);
    const size_t root = strlen(g->root);
    ptl_status status = PTL_OK;
    if (!dir) {
        *g->unseen += errno == EACCES || errno == EPERM;
        return errno == ENOMEM ? error_nomem(err) : PTL_OK;
    }
    for (struct dirent *d; status == PTL_OK && (d = readdir(dir)) != NULL;) {
        const ssize_t size = readlinkat(dirfd(dir), d->d_name, target, sizeof target - 1);
        if (size <= 0)
            continue;
        target[size] = '\0';
        if (strncmp(target, g->root, root) != 0)
            continue;
        snprintf(what, sizeof what, "has %s open", target + root);
        status = told(g, process, name, what, err);
    }
    closedir(dir);
    return status;
}

static ptl_status check_process(const game_search *g, const char *process, ptl_error *err)
{
    char name[32], program[NAME_MAX + 1];
    name_of(name, process);
    if (!name[0])
        return PTL_OK;
    program_of(program, process);
    if (is_game(name) || is_game(program))
        return told(g, process, is_game(name) ? name : program,
                    "is a game that runs: save and quit it first", err);
    return check_files(g, process, name, err);
}

static ptl_status check_processes(const game_search *g, ptl_error *err)
{
    char own[24];
    ptl_status status = PTL_OK;
    DIR *dir = opendir("/proc");
    if (!dir)
        return errno == ENOMEM ? error_nomem(err) : PTL_OK;
    snprintf(own, sizeof own, "%ld", (long)getpid());
    for (struct dirent *d; status == PTL_OK && (d = readdir(dir)) != NULL;)
        if (isdigit((unsigned char)d->d_name[0]) && strlen(d->d_name) < 20 &&
            strcmp(d->d_name, own) != 0)
            status = check_process(g, d->d_name, err);
    closedir(dir);
    return status;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t size = strlen(name), tail = strlen(end);
    return size > tail && strcmp(name + size - tail, end) == 0;
}

/* What the game writes with every save: the world's own file, and the character's. */
static ptl_status check_times(const save_folder *f, ptl_error *err)
{
    save_entries names = {NULL, 0, 0};
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    ptl_status status = folder_names(&names, f->fd, f->path, err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++) {
        const char *name = names.list[i].path;
        struct stat info;
        if (!(ends_with(name, ".sav") || ends_with(name, ".gsav")) ||
            fstatat(f->fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        const int64_t age = (int64_t)now.tv_sec - (int64_t)info.st_mtim.tv_sec;
        if (age > -RECENT && age < RECENT)
            status = error_set(err, PTL_ERR_BUSY,
                               "%s/%s was written just now: does the game save? Quit it, and "
                               "try again in %d seconds",
                               f->path, name, RECENT);
    }
    save_entries_dispose(&names);
    return status;
}

ptl_status game_check(const save_folder *f, uint64_t *unseen, ptl_error *err)
{
    game_search g = {.save = f, .unseen = unseen};
    *unseen = 0;
    char *root = realpath(f->path, NULL);
    if (!root)
        return into_failed(f->path, ".", "", err);
    const int size = snprintf(g.root, sizeof g.root, "%s/", root);
    free(root);
    if (size < 0 || (size_t)size >= sizeof g.root)
        return error_set(err, PTL_ERR_LIMIT, "%s: its path is too long", f->path);
    ptl_status status = check_processes(&g, err);
    return status == PTL_OK ? check_times(f, err) : status;
}
