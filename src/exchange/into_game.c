/*
 * Looks for signs that a game has the save loaded. The game locks nothing, and closes each
 * file after reading it. So two signs refuse the work: any process has a file of the save open
 * or mapped, or the save was written just now. A running game without these signs may have
 * this save loaded or another one: it is only reported. A game on another machine cannot be
 * noticed at all.
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
    char root[PATH_MAX]; /* real path of SAVE, followed by a slash */
    game_signs *signs;
} game_search;

static bool is_game(const char *name)
{
    return strncmp(name, "cataclysm", strlen("cataclysm")) == 0;
}

static ptl_status refuse(const game_search *g, const process_facts *process, const char *target,
                         ptl_error *err)
{
    return error_set(err, PTL_ERR_BUSY, "%s: process %s (%s) has %s open", g->save->path,
                     process->number, process->name, target + strlen(g->root));
}

static bool is_below(const game_search *g, const char *target)
{
    return strncmp(target, g->root, strlen(g->root)) == 0;
}

/* Refuses if the process has a file below SAVE open. */
static ptl_status check_files(const game_search *g, const process_facts *process,
                              ptl_error *err)
{
    char target[PATH_MAX];
    folder_list *list = process_files_open(process);
    ptl_status status = PTL_OK;
    if (!list) {
        g->signs->unseen += errno == EACCES || errno == EPERM;
        return errno == ENOMEM ? error_nomem(err) : PTL_OK;
    }
    for (const char *name; status == PTL_OK && (name = folder_list_next(list)) != NULL;)
        if (folder_list_link(target, sizeof target, list, name) && is_below(g, target))
            status = refuse(g, process, target, err);
    folder_list_close(list);
    return status;
}

static ptl_status check_processes(const game_search *g, ptl_error *err)
{
    process_facts process;
    ptl_status status = PTL_OK;
    folder_list *list = process_list_open();
    if (!list) {
        g->signs->unseen = UINT64_MAX;
        return errno == ENOMEM ? error_nomem(err) : PTL_OK;
    }
    while (status == PTL_OK && process_list_next(&process, list)) {
        const bool by_name = is_game(process.name);
        if ((by_name || is_game(process.program)) && g->signs->games++ == 0)
            snprintf(g->signs->game, sizeof g->signs->game, "process %s (%.60s)",
                     process.number, by_name ? process.name : process.program);
        status = check_files(g, &process, err);
        if (status == PTL_OK) {
            /* Newer games map compressed files into memory. */
            char target[PATH_MAX];
            process_maps *maps = process_maps_open(&process);
            while (maps && status == PTL_OK && process_maps_next(target, sizeof target, maps))
                if (is_below(g, target))
                    status = refuse(g, &process, target, err);
            process_maps_close(maps);
        }
    }
    folder_list_close(list);
    return status;
}

ptl_status game_check(const save_folder *f, game_signs *signs, ptl_error *err)
{
    game_search g = {.save = f, .signs = signs};
    *signs = (game_signs){.unseen = 0};
    char *root = file_real_path(f->path);
    if (!root)
        return into_failed(f->path, ".", "", err);
    const int size = snprintf(g.root, sizeof g.root, "%s/", root);
    free(root);
    if (size < 0 || (size_t)size >= sizeof g.root)
        return error_set(err, PTL_ERR_LIMIT, "%s: its path is too long", f->path);
    TRY(check_processes(&g, err));
    /*
     * The game writes these with every save: the file of the world, and that of the character.
     */
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
