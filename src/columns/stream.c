/*
 * ArrowArrayStreams over the kinds of streams.
 */
#include "columns/stream.h"

#include "columns/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct column_stream {
    stream_setup setup; /* without notes and options */
    bool (*on_batch)(void *payload, uint64_t rows);
    void *payload;
    schema_note notes[STREAM_NOTES];
    char *texts[STREAM_NOTES]; /* owned: the texts of the notes */
    uint64_t rows;             /* how many were given */
    bool filled;               /* the columns have a batch that was not given yet */
    bool ended;
    bool failed; /* get_next has failed for good */
    ptl_error error;
    column_data columns[]; /* the next batch while it is filled */
};

static void stream_free(column_stream *s)
{
    for (size_t i = 0; i < s->setup.count; i++)
        column_dispose(&s->columns[i]);
    for (size_t i = 0; i < STREAM_NOTES; i++)
        free(s->texts[i]);
    s->setup.kind->free(s->setup.state);
    free(s);
}

/* Returns the errno code that tells most about a failure. */
static int code_of(ptl_status status)
{
    switch (status) {
    case PTL_OK:
        return 0;
    case PTL_ERR_NOMEM:
        return ENOMEM;
    case PTL_ERR_ARGUMENT:
        return EINVAL;
    case PTL_ERR_NOT_FOUND:
        return ENOENT;
    case PTL_ERR_BUSY:
        return EBUSY;
    case PTL_ERR_CANCELLED:
        return ECANCELED;
    case PTL_ERR_LIMIT:
        return EOVERFLOW;
    case PTL_ERR_UNSUPPORTED:
        return ENOTSUP;
    default:
        return EIO;
    }
}

static ptl_status fill(column_stream *s, ptl_error *err)
{
    if (s->filled || s->ended)
        return PTL_OK;
    TRY(s->setup.kind->fill(s->setup.state, s->columns, err));
    s->filled = s->columns[0].rows > 0;
    s->ended = !s->filled;
    return PTL_OK;
}

static ptl_status give(column_stream *s, struct ArrowArray *out)
{
    ptl_error *err = &s->error;
    TRY(fill(s, err));
    if (!s->filled)
        return PTL_OK;
    const size_t rows = s->columns[0].rows;
    if (s->on_batch && !s->on_batch(s->payload, s->rows))
        return error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    if (!batch_make(out, s->columns, s->setup.count, s->setup.dictionary))
        return error_nomem(err);
    s->rows += rows;
    s->filled = false;
    return PTL_OK;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    column_stream *s = stream->private_data;
    *out = (struct ArrowArray){0};
    if (!s->failed) {
        error_clear(&s->error);
        s->failed = give(s, out) != PTL_OK;
    }
    return s->failed ? code_of(s->error.status) : 0;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    column_stream *s = stream->private_data;
    if (!s->failed)
        error_clear(&s->error);
    if (schema_make(out, s->setup.specs, s->columns, s->setup.count, s->notes, STREAM_NOTES))
        return 0;
    return code_of(error_nomem(&s->error));
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const column_stream *s = stream->private_data;
    return s->error.status == PTL_OK ? NULL : s->error.message;
}

static void release(struct ArrowArrayStream *stream)
{
    stream_free(stream->private_data);
    stream->private_data = NULL;
    stream->release = NULL;
}

ptl_status stream_check_options(const ptl_arrow_options *options, ptl_error *err)
{
    if (options->batch_rows > PTL_ARROW_BATCH_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "batch_rows %u is more than %d",
                         options->batch_rows, PTL_ARROW_BATCH_MAX);
    if (options->z_min < PTL_Z_MIN || options->z_max > PTL_Z_MAX ||
        options->z_min > options->z_max)
        return error_set(err, PTL_ERR_ARGUMENT, "levels %d to %d are not in %d..%d",
                         options->z_min, options->z_max, PTL_Z_MIN, PTL_Z_MAX);
    if (options->first.x > options->last.x || options->first.y > options->last.y)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "the rectangle of chunks ends before it begins");
    return PTL_OK;
}

static ptl_status setup_notes(column_stream *s, const schema_note *notes, ptl_error *err)
{
    for (size_t i = 0; i < STREAM_NOTES; i++) {
        if (!notes[i].text)
            continue;
        const size_t size = strlen(notes[i].text) + 1;
        s->texts[i] = malloc(size);
        if (!s->texts[i])
            return error_nomem(err);
        memcpy(s->texts[i], notes[i].text, size);
        s->notes[i] = (schema_note){notes[i].key, s->texts[i]};
    }
    return PTL_OK;
}

/* Reads the first batch if a column's type must be settled by it. */
static ptl_status settle(column_stream *s, ptl_error *err)
{
    bool open = false;
    for (size_t i = 0; i < s->setup.count; i++)
        open = open || s->columns[i].type == COLUMN_OPEN;
    if (open)
        TRY(fill(s, err));
    for (size_t i = 0; i < s->setup.count; i++)
        if (!column_settle(&s->columns[i]))
            return error_nomem(err);
    return PTL_OK;
}

ptl_status stream_open(struct ArrowArrayStream *out, const stream_setup *setup, ptl_error *err)
{
    column_stream *s = calloc(1, sizeof *s + setup->count * sizeof s->columns[0]);
    if (!s) {
        setup->kind->free(setup->state);
        return error_nomem(err);
    }
    s->setup = *setup;
    s->on_batch = setup->options->on_batch;
    s->payload = setup->options->payload;
    for (size_t i = 0; i < setup->count; i++) {
        s->columns[i].type = setup->specs[i].type;
        s->columns[i].settled = setup->specs[i].type != COLUMN_OPEN;
    }
    ptl_status status = setup_notes(s, setup->notes, err);
    THEN(status, settle(s, err));
    if (status != PTL_OK) {
        stream_free(s);
        return status;
    }
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release,
                                     .private_data = s};
    return PTL_OK;
}
