/* Scratch files: throw-away files with the content of another file, for worlds that need not
 * last. */
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/file/open.h"

/* Empties the tables of worlds; the dictionaries and the content stay. A table comes before
 * those that it refers to. */
static const char empty_sql[] =
    "DELETE FROM omt_spill; DELETE FROM surge; DELETE FROM omt_map; DELETE FROM event; DELETE "
    "FROM pack; DELETE FROM "
    "special_placement; "
    "DELETE FROM radio;"
    "DELETE FROM city; DELETE FROM overview; DELETE FROM level; DELETE FROM chunk; DELETE FROM "
    "crossing;"
    "DELETE FROM edge; DELETE FROM run; DELETE FROM world;";

static ptl_status sqlite_scratch_open(ptl_store **out, ptl_store *source, const char *path,
                                      ptl_error *err)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    const stop_hook stop = sqlite_stop_hook(source);
    options.mode = PTL_OPEN_CREATE;
    options.should_stop = stop.asked;
    options.payload = stop.payload;
    *out = NULL;
    ptl_store *store = NULL;
    ptl_status status = sqlite_open(&store, path, &options, source->head.operations, err);
    THEN(status, content_copy_careless(store, err));
    THEN(status, content_copy(store, source, err));
    if (status == PTL_OK)
        *out = store;
    else
        ptl_store_close(store);
    return status;
}

static ptl_status sqlite_scratch_clear(ptl_store *store, ptl_error *err)
{
    return sqlite_exec(store, empty_sql, err);
}

const scratch_operations sqlite_scratches = {.open = sqlite_scratch_open,
                                             .clear = sqlite_scratch_clear};
