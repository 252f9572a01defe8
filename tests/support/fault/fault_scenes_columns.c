/* Fault scenes of portolan/arrow.h. */
#include "portolan/portolan.h"
#include "support/fault/fault_loop.h"

#include <errno.h>
#include <stdio.h>

/* Which status of ours a failure of a stream comes from. */
static ptl_status status_of(int code)
{
    return code == 0           ? PTL_OK
           : code == ENOMEM    ? PTL_ERR_NOMEM
           : code == ECANCELED ? PTL_ERR_CANCELLED
           : code == EBUSY     ? PTL_ERR_BUSY
                               : PTL_ERR_IO;
}

static ptl_status note(ptl_error *err, struct ArrowArrayStream *stream, int code)
{
    if (code != 0 && err->status == PTL_OK) {
        err->status = status_of(code);
        snprintf(err->message, sizeof err->message, "%s", stream->get_last_error(stream));
    }
    return err->status;
}

/* Reads the stream to its end, or to its failure, and releases it. */
static ptl_status read_stream(fault_place *p, struct ArrowArrayStream *stream, ptl_error *err)
{
    struct ArrowSchema schema;
    struct ArrowArray batch;
    int64_t rows = 0;
    int code = stream->get_schema(stream, &schema);
    ptl_status status = note(err, stream, code);
    if (status == PTL_OK) {
        fault_mix_number(p, schema.n_children);
        fault_mix_text(p, schema.children[0]->name);
        schema.release(&schema);
    }
    while (status == PTL_OK) {
        code = stream->get_next(stream, &batch);
        status = note(err, stream, code);
        if (status != PTL_OK || !batch.release)
            break;
        rows += batch.length;
        batch.release(&batch);
    }
    fault_mix_number(p, rows);
    stream->release(stream);
    return status;
}

static ptl_status omts(fault_place *p, ptl_error *err)
{
    struct ArrowArrayStream stream;
    ptl_arrow_options options = PTL_ARROW_OPTIONS_INIT;
    options.z_min = -1;
    options.z_max = 0;
    options.batch_rows = 30000;
    const ptl_status status = ptl_arrow_omt_stream(&stream, p->world, &options, err);
    return status == PTL_OK ? read_stream(p, &stream, err) : status;
}

static ptl_status table(fault_place *p, ptl_error *err)
{
    struct ArrowArrayStream stream;
    ptl_arrow_options options = PTL_ARROW_OPTIONS_INIT;
    options.batch_rows = 100;
    fault_mix_text(p, ptl_arrow_table_name(0));
    const ptl_status status =
        ptl_arrow_table_stream(&stream, p->store, "v_special", "w", &options, err);
    return status == PTL_OK ? read_stream(p, &stream, err) : status;
}

static ptl_status query(fault_place *p, ptl_error *err)
{
    struct ArrowArrayStream stream;
    const ptl_query_parameter one = {"1", {.type = PTL_VALUE_TEXT, .text = "w", .size = 1}};
    const ptl_query_options options = {
        .size = sizeof options, .parameters = &one, .parameter_count = 1};
    const ptl_status status = ptl_arrow_query_stream(
        &stream, p->store,
        "SELECT x, iif(x % 2, x, 'text'), NULL, x / 2.0 FROM v_special WHERE world = ?1",
        &options, NULL, err);
    return status == PTL_OK ? read_stream(p, &stream, err) : status;
}

const fault_scene fault_scenes_columns[] = {
    {"stream_omts", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, omts, NULL},
    {"stream_table", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, table, NULL},
    {"stream_query", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, query, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 0, NULL, NULL},
};
