#include "clients/server/answer.h"

#include "core/error.h"

#include <inttypes.h>
#include <string.h>

static const answer_path paths[] = {
    {"/data/worlds", answer_worlds, READ_DATA},
    {"/data/chunks", answer_chunks, READ_DATA},
    {"/data/tiles", answer_tiles, READ_DATA},
    {"/data/palette", answer_palette, READ_DATA},
    {"/data/features", answer_features, READ_DATA},
    {"/data/cities", answer_cities, READ_DATA},
    {"/data/tile", answer_tile, READ_DATA},
    {"/data/why", answer_why, READ_DATA},
    {"/data/specials", answer_specials, READ_DATA},
    {"/data/heat", answer_heat, READ_DATA},
    {"/data/kinds", answer_kinds, READ_DATA},
    {"/data/gathered", answer_gathered, READ_DATA},
    {"/data/states", answer_states, READ_DATA},
    {"/data/stats", answer_stats, READ_DATA},
    {"/data/search", answer_search, READ_DATA},
    {"/data/differences", answer_differences, READ_DATA},
    {"/data/watch", answer_watch, READ_NOTHING},
    {"/data/overview", answer_overview, READ_DATA},
    {"/data/local", answer_local, READ_DATA},
    {"/data/locals", answer_locals, READ_DATA},
    {"/data/looks", answer_looks, READ_DATA},
    {"/data/explored", answer_explored, READ_DATA},
    {"/data/seen", answer_seen, READ_DATA},
    {"/data/sql", answer_sql, READ_QUERY},
    {"/data/generate", answer_generate, READ_TO_WRITE},
    {"/data/make-local", answer_make_local, READ_TO_WRITE},
};

const answer_path *answer_find(const char *path)
{
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (strcmp(paths[i].path, path) == 0)
            return &paths[i];
    return NULL;
}

ptl_status asked_int(const asked *q, const char *name, int64_t lo, int64_t hi, int64_t *out,
                     ptl_error *err)
{
    if (!target_int(q->values, name, lo, hi, out))
        return error_set(err, PTL_ERR_ARGUMENT,
                         "%s must be a whole number in %" PRId64 "..%" PRId64, name, lo, hi);
    return PTL_OK;
}

ptl_status asked_chunk(const asked *q, ptl_chunk_pos *out, ptl_error *err)
{
    int64_t x, y;
    ptl_status status = asked_int(q, "x", -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, &x, err);
    THEN(status, asked_int(q, "y", -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, &y, err));
    if (status == PTL_OK)
        *out = (ptl_chunk_pos){(int32_t)x, (int32_t)y};
    return status;
}

ptl_status asked_omt(const asked *q, ptl_omt *out, ptl_error *err)
{
    const int64_t most = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    int64_t z;
    ptl_status status = asked_int(q, "x", -most, most + PTL_CHUNK_SIZE - 1, &out->x, err);
    THEN(status, asked_int(q, "y", -most, most + PTL_CHUNK_SIZE - 1, &out->y, err));
    THEN(status, asked_int(q, "z", PTL_Z_MIN, PTL_Z_MAX, &z, err));
    if (status == PTL_OK)
        out->z = (int32_t)z;
    return status;
}

ptl_status asked_text(const asked *q, const char *name, const char **out, ptl_error *err)
{
    *out = target_text(q->values, name);
    return *out && **out ? PTL_OK : error_set(err, PTL_ERR_ARGUMENT, "%s is missing", name);
}

ptl_status asked_world(const asked *q, ptl_world **out, ptl_error *err)
{
    return reader_world(out, q->from, target_text(q->values, "world"), err);
}
