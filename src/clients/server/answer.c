#include "clients/server/answer.h"

#include "core/error.h"

#include <inttypes.h>

/* All paths of /data/: the function that answers, the store it needs, the values it asks for,
 * the name of a text that must be given, and whether browsers may keep the answer. */
static const answer_path paths[] = {
    {"/data/worlds", answer_worlds, READ_DATA, 0, NULL, true},
    {"/data/chunks", answer_chunks, READ_DATA, 0, "world", true},
    {"/data/omts", answer_omts, READ_DATA, ASKS_CHUNK | ASKS_Z | ASKS_WORLD, NULL, true},
    {"/data/palette", answer_palette, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/features", answer_features, READ_DATA, ASKS_CHUNK | ASKS_WORLD, NULL, true},
    {"/data/cities", answer_cities, READ_DATA, 0, "world", true},
    {"/data/omt", answer_omt, READ_DATA, ASKS_OMT | ASKS_WORLD, NULL, true},
    {"/data/why", answer_why, READ_DATA, ASKS_CHUNK | ASKS_WORLD, "special", false},
    {"/data/specials", answer_specials, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/heat", answer_heat, READ_DATA, ASKS_WORLD, "q", true},
    {"/data/kinds", answer_kinds, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/gathered", answer_gathered, READ_DATA, ASKS_CORNERS | ASKS_Z | ASKS_WORLD, "what",
     true},
    {"/data/states", answer_states, READ_DATA, 0, "world", true},
    {"/data/stats", answer_stats, READ_DATA, ASKS_CORNERS | ASKS_Z | ASKS_WORLD, NULL, true},
    {"/data/search", answer_search, READ_DATA, ASKS_OMT | ASKS_WORLD, "q", false},
    {"/data/differences", answer_differences, READ_DATA, ASKS_CORNERS | ASKS_WORLD, "beside",
     true},
    {"/data/watch", answer_watch, READ_NOTHING, 0, NULL, true},
    {"/data/overview", answer_overview, READ_DATA, ASKS_WORLD, NULL, true},
    {"/data/local", answer_local, READ_DATA, ASKS_OMT | ASKS_WORLD, NULL, true},
    {"/data/locals", answer_locals, READ_DATA, ASKS_OMT | ASKS_WORLD, NULL, true},
    {"/data/looks", answer_looks, READ_DATA, 0, NULL, true},
    {"/data/explored", answer_explored, READ_DATA, 0, "world", true},
    {"/data/seen", answer_seen, READ_DATA, ASKS_CHUNK | ASKS_Z, "world", true},
    {"/data/sql", answer_sql, READ_QUERY, 0, "q", false},
    {"/data/generate", answer_generate, READ_TO_WRITE, ASKS_CHUNK | ASKS_WORLD, NULL, false},
    {"/data/make-local", answer_make_local, READ_TO_WRITE, ASKS_OMT | ASKS_WORLD, NULL, false},
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

/* Reads the whole numbers with these names into out; all must lie within lo..hi. */
static ptl_status read_numbers(const asked *q, const char *const *names, size_t count,
                               int64_t lo, int64_t hi, int64_t *out, ptl_error *err)
{
    for (size_t i = 0; i < count; i++)
        TRY(asked_int(q, names[i], lo, hi, &out[i], err));
    return PTL_OK;
}

ptl_status asked_read(asked *q, const answer_path *path, ptl_error *err)
{
    static const char *const places[] = {"x", "y"};
    static const char *const sides[] = {"west", "north", "east", "south"};
    const int64_t chunks = PTL_CHUNK_COORD_MAX, omts = chunks * PTL_CHUNK_SIZE;
    int64_t at[4] = {0}, z = 0;
    q->text = path->text ? target_text(q->values, path->text) : NULL;
    if (path->text && (!q->text || !*q->text))
        return error_set(err, PTL_ERR_ARGUMENT, "%s is missing", path->text);
    if (path->asks & ASKS_CHUNK)
        TRY(read_numbers(q, places, 2, -chunks, chunks, at, err));
    q->chunk = (ptl_chunk_pos){(int32_t)at[0], (int32_t)at[1]};
    if (path->asks & ASKS_OMT)
        TRY(read_numbers(q, places, 2, -omts, omts + PTL_CHUNK_SIZE - 1, at, err));
    if (path->asks & ASKS_CORNERS)
        TRY(read_numbers(q, sides, 4, -chunks, chunks, at, err));
    q->corners[0] = (ptl_chunk_pos){(int32_t)at[0], (int32_t)at[1]};
    q->corners[1] = (ptl_chunk_pos){(int32_t)at[2], (int32_t)at[3]};
    if (path->asks & (ASKS_Z | ASKS_OMT))
        TRY(asked_int(q, "z", PTL_Z_MIN, PTL_Z_MAX, &z, err));
    q->z = (int32_t)z;
    q->omt = (ptl_omt){at[0], at[1], q->z};
    if (path->asks & ASKS_WORLD)
        return reader_world(&q->world, q->from, target_text(q->values, "world"), err);
    return PTL_OK;
}
