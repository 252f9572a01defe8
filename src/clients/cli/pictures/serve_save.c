/* Reads a game's save into a copy of the world file, so that serving it never
 * changes the file. */
#include "clients/cli/pictures/serve.h"
#include "core/error.h"

/* Reads the save into a new world of the copy. Terrain that the content lacks is
 * tolerated and told. */
static ptl_status read_save(const save_copy *c, ptl_store *store, const char *save,
                            ptl_error *err)
{
    const ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_save_import_options options = PTL_SAVE_IMPORT_OPTIONS_INIT;
    ptl_save_import_report report = PTL_SAVE_IMPORT_REPORT_INIT;
    ptl_world *world = NULL;
    options.directory = save;
    options.lenient = true;
    ptl_status status = ptl_world_create(store, c->world, &settings, err);
    THEN(status, ptl_world_open(&world, store, c->world, NULL, err));
    THEN(status, ptl_save_import(&report, world, &options, err));
    ptl_world_close(world);
    if (status == PTL_OK)
        tell("portolan serve: %ju overmaps of the save are world '%s' of a copy that is thrown "
             "away; %ju OMTs of terrain that the content lacks became their level's default.\n",
             report.chunks, c->world, report.unknown_terrains);
    return status;
}

/* Copies the file, and makes the world in the copy. */
static ptl_status fill(save_copy *c, session *s, const char *save)
{
    const ptl_open_options options = {.size = sizeof options,
                                      .program = "portolan serve",
                                      .should_stop = stop_asked_for,
                                      .mode = PTL_OPEN_WRITE};
    ptl_store *store = NULL;
    /* Names the world like the last part of the save's path. */
    ptl_error *err = &s->err;
    size_t end = strlen(save);
    while (end > 1 && save[end - 1] == '/')
        end--;
    size_t from = end;
    while (from > 0 && save[from - 1] != '/')
        from--;
    if (end - from == 0 || end - from >= sizeof c->world)
        return error_set(err, PTL_ERR_ARGUMENT, "'%s' ends with no name of a world", save);
    memcpy(c->world, save + from, end - from);
    c->world[end - from] = '\0';
    TRY(throwaway_make(&c->folder, getenv("TMPDIR"), &s->err));
    c->path = throwaway_path(c->folder, "save.db");
    if (!c->path)
        return error_nomem(&s->err);
    TRY(ptl_backup(NULL, s->store, c->path, NULL, &s->err));
    ptl_status status = ptl_store_open(&store, c->path, &options, &s->err);
    THEN(status, read_save(c, store, save, &s->err));
    ptl_store_close(store);
    return status;
}

int save_copy_make(save_copy *out, session *s, const char *save)
{
    *out = (save_copy){.folder = NULL};
    return session_done(s, fill(out, s, save));
}

void save_copy_remove(save_copy *copy)
{
    throwaway_remove_file(copy->path);
    throwaway_remove(copy->folder);
    free(copy->path);
    free(copy->folder);
    *copy = (save_copy){.folder = NULL};
}
