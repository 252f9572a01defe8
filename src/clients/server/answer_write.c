/* What pages may have generated and stored: overmaps and local maps. */
#include "clients/server/answer.h"

#include "core/error.h"

/* One request makes few chunks, so that the page can show progress and can stop between
 * requests. */
enum { CHUNKS_MAX = 16 };

ptl_status answer_generate(const asked *q, reply *out, ptl_error *err)
{
    ptl_chunk_pos list[CHUNKS_MAX];
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    /* Lists the chunks of the rectangle that the request names. */
    const ptl_chunk_pos from = q->chunk;
    int64_t width = 1, height = 1;
    if (target_text(q->values, "width"))
        TRY(asked_int(q, "width", 1, CHUNKS_MAX, &width, err));
    if (target_text(q->values, "height"))
        TRY(asked_int(q, "height", 1, CHUNKS_MAX / width, &height, err));
    if (from.x > PTL_CHUNK_COORD_MAX - (width - 1) ||
        from.y > PTL_CHUNK_COORD_MAX - (height - 1))
        return error_set(err, PTL_ERR_ARGUMENT, "chunks end at %d", (int)PTL_CHUNK_COORD_MAX);
    o.positions = list;
    o.position_count = (size_t)(width * height);
    for (size_t i = 0; i < o.position_count; i++)
        list[i] = (ptl_chunk_pos){from.x + (int32_t)(i % (size_t)width),
                                  from.y + (int32_t)(i / (size_t)width)};
    const ptl_status status = ptl_generate(&report, q->world, &o, err);

    if (status == PTL_OK)
        emit_put(&out->j, "{done:%ju, skipped:%ju, total:%ju}", report.done, report.skipped,
                 report.total);
    return status;
}

ptl_status answer_make_local(const asked *q, reply *out, ptl_error *err)
{
    ptl_local_map *map = NULL;
    ptl_status status = ptl_local_get(&map, q->world, q->omt, NULL, err);
    if (status == PTL_OK && !answer_put_local(&out->body, map))
        status = error_nomem(err);
    ptl_local_free(map);
    return status;
}
