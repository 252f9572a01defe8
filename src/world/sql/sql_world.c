#include "world/sql/sql_world.h"

#include <string.h>

static void free_picture(void *picture)
{
    ptl_world_close(picture);
}

static ptl_status same_content(bool *same, const ptl_world *world, sql_source *source,
                               ptl_error *err)
{
    char current[65] = "";
    int64_t id = 0;
    ptl_status status = ops(source->store)->content->current(&id, source->store, err);
    THEN(status, ops(source->store)->content->digest(current, source->store, id, err));
    *same = status == PTL_OK && strcmp(current, ptl_world_catalogue(world)->digest) == 0;
    return status;
}

ptl_status sql_world_open(ptl_world **out, sql_source *source, const char *name, ptl_error *err)
{
    ptl_world *world = source->picture;
    bool same = false;
    ptl_status status = PTL_OK;
    if (world && strcmp(ptl_world_name(world), name) == 0)
        status = same_content(&same, world, source, err);
    if (status != PTL_OK || same) {
        *out = world;
        return status;
    }
    ptl_world_close(world);
    source->picture = NULL;
    source->free_picture = free_picture;
    status = ptl_world_open(out, source->store, name, NULL, err);
    source->picture = *out;
    return status;
}
