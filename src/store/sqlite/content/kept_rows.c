/* Kept objects: texts inside files' frames, each of which is unpacked once. */
#include "codec/compress.h"
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/rows.h"

typedef struct kept_reader {
    compressor *compressor;
    bytes texts;  /* of the file that was unpacked last */
    int64_t file; /* its id; 0: none yet */
} kept_reader;

static ptl_status unpack(kept_reader *r, stmt *s, ptl_error *err)
{
    size_t size;
    const void *frame = stmt_blob(s, 1, &size);
    if (r->file == stmt_int(s, 0))
        return PTL_OK;
    r->file = stmt_int(s, 0);
    bytes_clear(&r->texts);
    const int64_t whole = stmt_int(s, 2);
    ptl_status status =
        whole < 0 ? error_set(err, PTL_ERR_CORRUPT, "a kept file has a negative size")
                  : decompressor_run(r->compressor, &r->texts, frame, size, (size_t)whole, err);
    if (status == PTL_OK && !bytes_text(&r->texts))
        status = error_nomem(err);
    return status;
}

static ptl_status give(kept_reader *r, stmt *s, kept_text_visit *visit, void *payload,
                       ptl_error *err)
{
    ptl_status status = unpack(r, s, err);
    const int64_t start = stmt_int(s, 4), size = stmt_int(s, 5);
    if (status != PTL_OK)
        return status;
    if (start < 0 || size < 0 || (uint64_t)start > r->texts.size ||
        (uint64_t)size > r->texts.size - (uint64_t)start)
        return error_set(err, PTL_ERR_CORRUPT,
                         "a kept object lies outside of its file's texts");
    const kept_row row = {.path = stmt_text(s, 3),
                          .line = stmt_int(s, 6),
                          .text = (const char *)r->texts.data + start,
                          .size = (size_t)size};
    return visit(payload, &row, err);
}

ptl_status sqlite_kept_visit(ptl_store *store, const char *type, kept_text_visit *visit,
                             void *payload, ptl_error *err)
{
    stmt *s = NULL;
    bool row = true;
    kept_reader r = {.compressor = compressor_new()};
    bytes_init(&r.texts);
    ptl_status status = r.compressor ? PTL_OK : error_nomem(err);
    if (status == PTL_OK)
        status =
            stmt_prepare(&s, store,
                         "SELECT f.id, f.texts, f.size, f.path, o.start, o.size, o.line "
                         "FROM main.kept_object o JOIN main.kept_file f ON f.id = o.file_id "
                         "WHERE o.type = ? ORDER BY o.id",
                         err);
    if (status == PTL_OK)
        stmt_bind_text(s, 1, type);
    while (status == PTL_OK && (status = stmt_step(s, &row, err)) == PTL_OK && row)
        status = give(&r, s, visit, payload, err);
    stmt_free(s);
    compressor_free(r.compressor);
    bytes_dispose(&r.texts);
    return status;
}
