#include "clients/cli/session/tilesets.h"

#include "core/array.h"
#include "core/bytes.h"
#include "core/error.h"
#include "os/folder.h"

#include <stdlib.h>
#include <string.h>

/* Folders of sets that are preferred, the best one first; others follow by name. */
static const char *const preferred[] = {"UltimateCataclysm", "MSX+UnDeadPeopleEdition",
                                        "UNDEAD_PEOPLE"};

typedef struct set_names {
    char **list; /* owned, as are its texts */
    size_t count, room;
} set_names;

static size_t rank_of(const char *name)
{
    size_t i = 0;
    while (i < sizeof preferred / sizeof *preferred && strcmp(preferred[i], name) != 0)
        i++;
    return i;
}

static int by_rank(const void *pa, const void *pb)
{
    const char *a = *(char *const *)pa, *b = *(char *const *)pb;
    const size_t ra = rank_of(a), rb = rank_of(b);
    return ra != rb ? (ra < rb ? -1 : 1) : strcmp(a, b);
}

/* Returns the path of folder/name/more; NULL when memory is out. The caller must free it. */
static char *path_of(const char *folder, const char *name, const char *more)
{
    bytes path = {.size = 0};
    bytes_printf(&path, "%s/%s%s", folder, name, more);
    const char *text = path.failed ? NULL : bytes_text(&path);
    char *own = text ? strdup(text) : NULL;
    bytes_dispose(&path);
    return own;
}

static bool is_set(const char *folder, const char *name)
{
    file_facts facts;
    char *path = path_of(folder, name, "/tile_config.json");
    const bool found = path && file_look(&facts, path);
    free(path);
    return found;
}

/* Lists the folders in `gfx` that have a tile_config.json. */
static bool list_sets(set_names *out, const char *gfx)
{
    folder_list *folder = folder_list_open(gfx);
    bool room = true;
    for (const char *name; folder && room && (name = folder_list_next(folder)) != NULL;) {
        if (name[0] == '.' || !is_set(gfx, name))
            continue;
        char *own = strdup(name);
        room = own && ARRAY_ROOM(out->list, out->room, out->count + 1);
        if (room)
            out->list[out->count++] = own;
        else
            free(own);
    }
    folder_list_close(folder);
    if (out->count > 1)
        qsort(out->list, out->count, sizeof *out->list, by_rank);
    return room;
}

ptl_status tileset_find_open(ptl_tileset **out, const char *folder, ptl_error *err)
{
    set_names sets = {.count = 0};
    char *gfx = path_of(folder, "gfx", "");
    *out = NULL;
    const bool room = gfx && (is_set(folder, ".") || list_sets(&sets, gfx));
    ptl_status status = room ? PTL_OK : error_nomem(err);
    if (room && sets.count == 0)
        status = ptl_tileset_open(out, folder, err);
    /* Isometric sets can't be drawn: another one is taken. */
    for (size_t i = 0; i < sets.count && status != PTL_ERR_NOMEM && !*out; i++) {
        char *path = path_of(gfx, sets.list[i], "");
        error_clear(err);
        status = path ? ptl_tileset_open(out, path, err) : error_nomem(err);
        free(path);
    }
    for (size_t i = 0; i < sets.count; i++)
        free(sets.list[i]);
    free(sets.list);
    free(gfx);
    return status;
}

int tileset_from_args(session *s, ptl_tileset **out)
{
    const char *folder = args_value(s->args, "tileset");
    *out = NULL;
    return folder ? session_done(s, tileset_find_open(out, folder, &s->err)) : EXIT_DONE;
}
