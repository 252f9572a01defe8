/*
 * Signs of a running game. It locks nothing, and keeps no file of a save open, so this looks
 * for a process of the game, for anybody who has a file of the save open, and for a save of
 * just now. None of them can be sure: the game may run on another machine.
 */
#include "exchange/into_impl.h"

#include "core/error.h"
#include "os/clock.h"
#include "os/process.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECENT = 5 /* seconds */ };

typedef struct game_search {
    const save_folder *save;
    char root[PATH_MAX]; /* SAVE without links, and a slash */
    uint64_t *unseen;
} game_search;

static bool is_game(const char *name)
{
    return strncmp(name, "cataclysm", strlen("cataclysm")) == 0;
}

static ptl_status told(const game_search *g, const process_facts *process, const char *name,
                       const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_BUSY, "%s: process %s (%s) %s", g->save->path,
                     process->number, name, what);
}

/* Files below SAVE that the process has open. */
static ptl_status check_files(const game_search *g, const process_facts *process,
                              ptl_error *err)
{
    char target[PATH_MAX], what[PATH_MAX + 32];
    folder_list *list = process_files_open(process);
    const size_t root = strlen(g->root);
    ptl_status status = PTL_OK;
    if (!list) {
        *g->unseen += errno == EACCES || errno == EPERM;
        return errno == ENOMEM ? error_nomem(err) : PTL_OK;
    }
    for (const char *name; status == PTL_OK && (name = folder_list_next(list)) != NULL;) {
        if (!folder_list_link(target, sizeof target, list, name) ||
            strncmp(target, g->root, root) != 0)
            continue;
        snprintf(what, sizeof what, "has %s open", target + root);
        status = told(g, process, process->name, what, err);
    }
    folder_list_close(list);
    return status;
}

static ptl_status check_process(const game_search *g, const process_facts *process,
                                ptl_error *err)
{
    const bool by_name = is_game(process->name);
    if (by_name || is_game(process->program))
        return told(g, process, by_name ? process->name : process->program,
                    "is a game that runs: save and quit it first", err);
    return check_files(g, process, err);
}

static ptl_status check_processes(const game_search *g, ptl_error *err)
{
    process_facts process;
    ptl_status status = PTL_OK;
    folder_list *list = process_list_open();
    if (!list)
        return errno == ENOMEM ? error_nomem(err) : PTL_OK;
    while (status == PTL_OK && process_list_next(&process, list))
        status = check_process(g, &process, err);
    folder_list_close(list);
    return status;
}

/* What the game writes with every save: the world's own file, and the character's. */
static ptl_status check_times(const save_folder *f, ptl_error *err)
{
    save_entries names = {NULL, 0, 0};
    const int64_t now = clock_epoch();
    ptl_status status = folder_names(&names, f->fd, f->path, err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++) {
        const char *name = names.list[i].path;
        file_facts facts;
        if (!entry_is_of_play(name) || !file_look_in(&facts, f->fd, name))
            continue;
        const int64_t age = now - facts.changed.seconds;
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
    char *root = file_real_path(f->path);
    if (!root)
        return into_failed(f->path, ".", "", err);
    const int size = snprintf(g.root, sizeof g.root, "%s/", root);
    free(root);
    if (size < 0 || (size_t)size >= sizeof g.root)
        return error_set(err, PTL_ERR_LIMIT, "%s: its path is too long", f->path);
    ptl_status status = check_processes(&g, err);
    return status == PTL_OK ? check_times(f, err) : status;
}
