/* What `serve --watch` has to tell about content that is worked on, and how two worlds of a
 * file differ. */
#include "clients/server/answer.h"

#include "clients/watch/differ.h"
#include "core/error.h"

/* The most overmaps that one request may compare. */
enum { CHUNKS_MAX = 4096 };

ptl_status answer_watch(const asked *q, reply *out, ptl_error *err)
{
    (void)err;
    if (q->watched)
        watched_put(q->watched, &out->body);
    else
        emit_null(&out->j);
    return PTL_OK;
}

ptl_status answer_differences(const asked *q, reply *out, ptl_error *err)
{
    const ptl_chunk_pos first = q->corners[0], last = q->corners[1];
    ptl_world *beside = NULL;
    differ_report report;
    if (first.x > last.x || first.y > last.y ||
        (int64_t)(last.x - first.x + 1) * (last.y - first.y + 1) > CHUNKS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "from 1 to %d overmaps are compared at a time",
                         (int)CHUNKS_MAX);
    ptl_status status = ptl_world_open(&beside, reader_store(q->from), q->text, NULL, err);
    emit_put(&out->j, "{");
    THEN(status, differ_put(&out->j, &report, beside, q->world, first, last, err));
    emit_put(&out->j, "}");
    ptl_world_close(beside);
    return status;
}
