/* What a watch has to tell, and what stands otherwise in two worlds of a file. */
#include "clients/server/answer.h"
#include "core/emit.h"

#include "clients/watch/differ.h"
#include "core/error.h"

/* Overmaps that are compared for one request. */
enum { CHUNKS_MAX = 4096 };

ptl_status answer_watch(const asked *q, reply *out, ptl_error *err)
{
    (void)err;
    if (q->watched) {
        watched_put(q->watched, &out->body);
    } else {
        emitter j = {&out->body, false};
        emit_null(&j);
    }
    reply_tag(out);
    return PTL_OK;
}

ptl_status answer_differences(const asked *q, reply *out, ptl_error *err)
{
    const char *other = NULL;
    ptl_chunk_pos within[2];
    ptl_world *world, *beside = NULL;
    differ_report report;
    emitter j = {&out->body, false};
    ptl_status status = asked_corners(q, within, err);
    THEN(status, asked_text(q, "beside", &other, err));
    if (status == PTL_OK &&
        (within[0].x > within[1].x || within[0].y > within[1].y ||
         (int64_t)(within[1].x - within[0].x + 1) * (within[1].y - within[0].y + 1) >
             CHUNKS_MAX))
        status = error_set(err, PTL_ERR_ARGUMENT,
                           "from 1 to %d overmaps are compared at a time", (int)CHUNKS_MAX);
    THEN(status, asked_world(q, &world, err));
    THEN(status, ptl_world_open(&beside, reader_store(q->from), other, NULL, err));
    emit_put(&j, "{");
    THEN(status, differ_put(&j, &report, beside, world, within[0], within[1], err));
    emit_put(&j, "}");
    ptl_world_close(beside);
    reply_tag(out);
    return status;
}
