#include "world/scratch.h"

#include "os/file.h"
#include "os/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATH_MAX_BYTES = 4096 };

struct scratch {
    /* Path of the directory for the scratch world; "" as long as there is no such directory. */
    char folder[PATH_MAX_BYTES];
    char path[PATH_MAX_BYTES + 16];
    const char *name; /* borrowed */
    ptl_world world; /* world_write_chunk gets this struct; members that it does not use are not
                        set */
};

ptl_status scratch_new(scratch **out, ptl_store *source, const catalogue *cat,
                       const char *parent, const char *name, ptl_error *err)
{
    scratch *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return error_nomem(err);
    s->name = name;
    /* The world only reads the catalogue, so `const` can be taken away here. The scratch does
     * not free it. */
    s->world.cat = (catalogue *)(uintptr_t)cat;
    ptl_status status = PTL_OK;
    const int size =
        snprintf(s->folder, sizeof s->folder, "%s/portolan-scratch-XXXXXX", parent);
    if (size < 0 || (size_t)size >= sizeof s->folder || !folder_make_own(s->folder)) {
        s->folder[0] = '\0';
        status = error_system(err, PTL_ERR_IO, errno, "a scratch directory in %s", parent);
    } else {
        snprintf(s->path, sizeof s->path, "%s/w.db", s->folder);
        status = ops(source)->scratch->open(&s->world.store, source, s->path, err);
    }
    if (status != PTL_OK) {
        scratch_free(s);
        return status;
    }
    *out = s;
    return PTL_OK;
}

void scratch_free(scratch *s)
{
    if (!s)
        return;
    ptl_store_close(s->world.store);
    static const char *const endings[] = {"", "-journal", "-lock"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && s->folder[0]; i++) {
        char path[sizeof s->path + 16];
        snprintf(path, sizeof path, "%s%s", s->path, endings[i]);
        (void)file_remove(path);
    }
    if (s->folder[0])
        (void)folder_remove(s->folder);
    free(s);
}

ptl_status scratch_fill(scratch *s, const ptl_world_options *options, const made_chunk *made,
                        size_t count, ptl_error *err)
{
    ptl_store *store = s->world.store;
    int64_t run_id = 0;
    bool written;
    TRY(ops(store)->transaction->begin(store, err));
    const world_row row = world_row_of(s->name, options, s->world.cat->content_id);
    /* Removes the world and the chunks of the previous seed. The content and the dictionary of
     * the file stay, because the next world uses them. */
    ptl_status status = ops(store)->scratch->clear(store, err);
    THEN(status, ops(store)->world->insert(&s->world.row.id, store, &row, err));
    THEN(status, ops(store)->run->begin(&run_id, store, s->world.row.id, "find", err));
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = world_write_chunk(&s->world, &made[i], run_id, ptl_step_count(), NULL,
                                   &written, err);
    return world_end_writing(store, status, err);
}

ptl_store *scratch_store(scratch *s)
{
    return s->world.store;
}
