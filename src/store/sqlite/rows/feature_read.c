/* A chunk's features as a catalogue knows them. */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/feature_rows.h"

/* What a chunk's features are read for. */
typedef struct reading {
    const catalogue *cat;
    bool all; /* what the catalogue lacks is CAT_NONE; else it is PTL_ERR_MISMATCH */
} reading;

static ptl_status read_found(gen_features *out, ptl_store *store, const stmt *s,
                             const reading *how, ptl_error *err)
{
    chunk_info info;
    feature_set set = {0};
    TRY(chunk_info_read(&info, s, err));
    ptl_status status = feature_rows_read(&set, store, info.id,
                                          stmt_int(s, CHUNK_COLUMN_FEATURES_CHECKSUM), err);
    if (status == PTL_OK)
        status = feature_set_resolve(out, &set, how->cat, how->all, err);
    feature_set_dispose(&set);
    return status;
}

/* The chunk's statement stays open until all is read: that is the read transaction. */
static ptl_status read_features(gen_features *out, bool *found, ptl_store *store,
                                int64_t world_id, ptl_chunk_pos pos, const reading *how,
                                ptl_error *err)
{
    stmt *s = NULL;
    *found = false;
    features_reset(out);
    TRY(stmt_prepared(&s, store, STMT_CHUNK_FIND, err));
    stmt_bind_ints(s, (const int64_t[]){world_id, pos.x, pos.y}, 3);
    ptl_status status = stmt_step(s, found, err);
    if (status == PTL_OK && *found)
        status = read_found(out, store, s, how, err);
    stmt_reset(s);
    if (status != PTL_OK)
        return error_prefix(err, status, "chunk %d,%d", pos.x, pos.y);
    return PTL_OK;
}

ptl_status sqlite_features_read(gen_features *out, bool *found, ptl_store *store,
                                int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                ptl_error *err)
{
    return read_features(out, found, store, world_id, pos, &(reading){cat, false}, err);
}

ptl_status sqlite_features_read_all(gen_features *out, bool *found, ptl_store *store,
                                    int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                    ptl_error *err)
{
    return read_features(out, found, store, world_id, pos, &(reading){cat, true}, err);
}
