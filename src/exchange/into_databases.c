/*
 * Databases of a save of Bright Nights, for ptl_game_save_put. The save's own databases are
 * moved as they are, like files. In their place come new ones, which have the new overmaps and
 * those of the old files that ptl_game_save_put does not replace: files of other dimensions,
 * and files that Portolan does not know. So no database of the save is ever changed.
 */
#include "core/array.h"
#include "exchange/into_impl.h"

#include <stdio.h>
#include <stdlib.h>

bool into_is_database(int folder, const char *name)
{
    static const char *const ends[] = {".sav", ".sav" SAVE_PACKED_SUFFIX};
    file_facts facts;
    size_t size;
    bool found = strcmp(name, SAVE_DATABASE) == 0;
    const bool of_character = save_name_parse_database(name, &size) && size < INTO_PATH_MAX;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0] && of_character && !found; i++) {
        char played[INTO_PATH_MAX + 16];
        snprintf(played, sizeof played, "%.*s%s", (int)size, name, ends[i]);
        found = file_look_in(&facts, folder, played);
    }
    return found;
}

/* Calls `each` for the name of each database in the save's folder. */
static ptl_status each_database(const save_folder *f,
                                ptl_status (*each)(void *payload, const char *name,
                                                   ptl_error *err),
                                void *payload, ptl_error *err)
{
    save_entries names = {NULL, 0, 0};
    ptl_status status = folder_names(&names, f->fd, f->path, err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++)
        if (into_is_database(f->fd, names.list[i].path))
            status = each(payload, names.list[i].path, err);
    save_entries_dispose(&names);
    return status;
}

/* ---- does the game use them? ---- */

static ptl_status check_free(void *payload, const char *name, ptl_error *err)
{
    const save_folder *f = payload;
    char *path = save_text("%s/%s", f->path, name);
    const ptl_status status = path ? save_database_check_free(path, err) : error_nomem(err);
    free(path);
    return status;
}

ptl_status into_databases_check(save_folder *f, ptl_error *err)
{
    return each_database(f, check_free, f, err);
}

/* ---- what is kept ---- */

typedef struct filling {
    into_databases *all;
    replaced *r;
    const into_seen *seen;
    save_entries *written;
    ptl_game_save_put_report *report;
    bool is_map; /* true: the files of the database SAVE_DATABASE are copied; false: those of a
                    character's database */
    bool has_seen; /* what the viewer has seen is in a new database */
} filling;

/* Tells whether a file of an old database belongs into the new one, and counts it if not. */
static bool is_kept(void *payload, const char *name, size_t size)
{
    static const char maps[] = "maps/", memory[] = ".mmr";
    const filling *f = payload;
    ptl_game_save_put_report *report = f->report;
    ptl_chunk_pos pos;
    size_t tail = sizeof memory - 1;
    if (strlen(name) != size)
        return true;
    if (f->is_map && save_name_parse(name, &pos)) {
        report->moved_overmaps++;
        report->met += save_entries_find(&f->all->overmaps, name) != NULL;
        return false;
    }
    const bool of_maps = f->is_map && strncmp(name, maps, sizeof maps - 1) == 0;
    const bool of_seen = !f->is_map && save_name_parse_inner_seen(name, &pos);
    const bool of_memory = !f->is_map && !strchr(name, '/') && size > tail &&
                           strcmp(name + size - tail, memory) == 0;
    report->moved_maps += of_maps;
    report->moved_seen += of_seen;
    report->moved_memory += of_memory;
    return !of_maps && !of_seen && !of_memory;
}

/* Completes a new database, and adds it to the list of files that were written. */
static ptl_status complete(filling *f, save_database *made, const char *name, ptl_error *err)
{
    const replaced *r = f->r;
    const entry_walk walk = {r->path, &r->save->stop, NULL, f->written};
    bool found = false;
    TRY(save_database_finish(made, err));
    TRY(entry_walk_from(&walk, r->fresh, name, &found, err));
    if (found)
        f->report->bytes += f->written->list[f->written->count - 1].size;
    return PTL_OK;
}

/* Is this the name of the database of the character who gets what the viewer has seen? */
static bool is_of_viewer(const filling *f, const char *name)
{
    size_t size;
    return f->seen->viewer && save_name_parse_database(name, &size) &&
           size == strlen(f->seen->character) && strncmp(name, f->seen->character, size) == 0;
}

/* Makes the new database with this name, completely. */
static ptl_status fill(void *payload, const char *name, ptl_error *err)
{
    filling *f = payload;
    into_databases *all = f->all;
    replaced *r = f->r;
    save_database *own = NULL;
    char *from = save_text("%s/%s", r->save->path, name);
    char *to = save_text("%s/" INTO_NEW "/%s", r->path, name);
    f->is_map = strcmp(name, SAVE_DATABASE) == 0;
    ptl_status status = from && to ? PTL_OK : error_nomem(err);
    if (status == PTL_OK && !ARRAY_ROOM(all->old, all->room, all->count + 1))
        status = error_nomem(err);
    if (status == PTL_OK)
        status = save_database_open(&all->old[all->count++], from, r->save->stop, err);
    if (status == PTL_OK && !f->is_map)
        status = save_database_make(&own, to, r->save->stop, err);
    save_database *made = f->is_map ? all->map : own;
    THEN(status, save_database_copy(made, all->old[all->count - 1], is_kept, f, err));
    if (status == PTL_OK && is_of_viewer(f, name)) {
        status = into_seen_put(f->seen, made, r, f->report, err);
        f->has_seen = true;
    }
    THEN(status, complete(f, made, name, err));
    save_database_close(own);
    if (f->is_map) {
        save_database_close(all->map);
        all->map = NULL;
    }
    free(from);
    free(to);
    return status;
}

/* Makes a database for a character that has none yet. */
static ptl_status make_for_viewer(filling *f, ptl_error *err)
{
    save_database *made = NULL;
    char *path =
        save_text("%s/" INTO_NEW "/%s" SAVE_DATABASE_TAIL, f->r->path, f->seen->character);
    ptl_status status =
        path ? save_database_make(&made, path, f->r->save->stop, err) : error_nomem(err);
    THEN(status, into_seen_put(f->seen, made, f->r, f->report, err));
    THEN(status, complete(f, made, strrchr(path, '/') + 1, err));
    save_database_close(made);
    free(path);
    return status;
}

ptl_status into_databases_begin(into_databases *out, const replaced *r, ptl_error *err)
{
    char *path = save_text("%s/" INTO_NEW "/" SAVE_DATABASE, r->path);
    const ptl_status status =
        path ? save_database_make(&out->map, path, r->save->stop, err) : error_nomem(err);
    free(path);
    return status;
}

ptl_status into_databases_fill(into_databases *all, replaced *r, const into_seen *seen,
                               ptl_game_save_put_report *report, ptl_error *err)
{
    filling f = {.all = all, .r = r, .seen = seen, .written = &r->m.written, .report = report};
    save_entries_sort(&all->overmaps);
    r->m.overmaps = all->overmaps.count;
    report->bytes = 0;
    TRY(each_database(r->save, fill, &f, err));
    return seen->viewer && !f.has_seen ? make_for_viewer(&f, err) : PTL_OK;
}

ptl_status into_databases_unchanged(const into_databases *all, ptl_error *err)
{
    for (size_t i = 0; i < all->count; i++)
        TRY(save_database_unchanged(all->old[i], err));
    return PTL_OK;
}

void into_databases_dispose(into_databases *all)
{
    for (size_t i = 0; i < all->count; i++)
        save_database_close(all->old[i]);
    free(all->old);
    save_database_close(all->map);
    save_entries_dispose(&all->overmaps);
    *all = (into_databases){.map = NULL};
}
