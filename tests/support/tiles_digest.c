#include "support/tiles_digest.h"

#include "codec/level_runs.h"
#include "core/error.h"

static const char *name_of(const void *names, uint32_t entry)
{
    const catalogue *cat = names;
    return entry < catalogue_all_oters(cat) ? cat->oters[entry].id : NULL;
}

ptl_status digest_of_tiles(digest *out, const ptl_chunk *chunk, const catalogue *cat,
                           ptl_error *err)
{
    level_runs *runs = level_runs_new();
    if (!runs)
        return error_nomem(err);
    omt_digest tiles;
    omt_digest_init(&tiles, chunk->pos);
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < PTL_LEVELS && status == PTL_OK; i++) {
        if (chunk->levels[i].cells)
            level_runs_scan(runs, chunk->levels[i].cells);
        else
            level_runs_uniform(runs, chunk->levels[i].fill);
        status = omt_digest_level(&tiles, runs, name_of, cat, err);
    }
    omt_digest_final(&tiles, out);
    level_runs_free(runs);
    return status;
}
