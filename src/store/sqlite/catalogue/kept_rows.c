/* Kept objects. They are parts of the compressed texts of files; each file's texts are
 * unpacked once. */
#include "codec/compress.h"
#include "core/error.h"
#include "store/sqlite/catalogue/catalogue_open.h"
#include "store/sqlite/connection/prepared.h"

#include <string.h>

typedef struct kept_reader {
    ptl_store *store;
    compressor *compressor; /* owned; NULL: nothing was unpacked yet */
    bytes texts, path;      /* of the file whose texts were unpacked last */
    int64_t file;           /* id of that file; 0: none yet */
} kept_reader;

static ptl_status unpack(kept_reader *r, int64_t file, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    if (r->file == file)
        return PTL_OK;
    r->file = 0;
    if (!r->compressor)
        r->compressor = compressor_new();
    TRY(r->compressor ? stmt_prepared(&s, r->store, STMT_KEPT_TEXTS, err) : error_nomem(err));
    stmt_bind_int(s, 1, file);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_CORRUPT, "a kept object's file is not there");
    if (status == PTL_OK) {
        size_t size;
        const void *frame = stmt_blob(s, 0, &size);
        const int64_t whole = stmt_int(s, 1);
        bytes_clear(&r->texts);
        bytes_clear(&r->path);
        status = whole < 0 ? error_set(err, PTL_ERR_CORRUPT, "a kept file has a negative size")
                           : decompressor_run(r->compressor, &r->texts, frame, size,
                                              (size_t)whole, err);
        bytes_put_text(&r->path, stmt_text(s, 2));
        if (status == PTL_OK && (!bytes_text(&r->texts) || !bytes_text(&r->path)))
            status = error_nomem(err);
    }
    stmt_reset(s);
    r->file = status == PTL_OK ? file : 0;
    return status;
}

static ptl_status give(kept_reader *r, stmt *s, kept_text_visit *visit, void *payload,
                       ptl_error *err)
{
    ptl_status status = unpack(r, stmt_int(s, 2), err);
    const int64_t start = stmt_int(s, 3), size = stmt_int(s, 4);
    if (status != PTL_OK)
        return status;
    if (start < 0 || size < 0 || (uint64_t)start > r->texts.size ||
        (uint64_t)size > r->texts.size - (uint64_t)start)
        return error_set(err, PTL_ERR_CORRUPT,
                         "a kept object lies outside of its file's texts");
    const kept_row row = {.number = stmt_int(s, 0),
                          .type = stmt_text(s, 1),
                          .path = (const char *)r->path.data,
                          .line = stmt_int(s, 5),
                          .text = (const char *)r->texts.data + start,
                          .size = (size_t)size};
    return visit(payload, &row, err);
}

static bool is_of(const kept_text_query *query, const char *type)
{
    bool found = false;
    for (size_t i = 0; query->types[i] && !found; i++)
        found = strcmp(query->types[i], type) == 0;
    return found;
}

/* Visits the rows of wanted types. Neighbouring rows mostly have the same type, so a type is
 * looked up only when it changes. */
static ptl_status visit_rows(kept_reader *r, stmt *s, const kept_text_query *query,
                             kept_text_visit *visit, void *payload, ptl_error *err)
{
    char last[64] = "";
    bool wanted = is_of(query, last);
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        const char *type = stmt_text(s, 1);
        if (strcmp(type, last) != 0) {
            wanted = is_of(query, type);
            const size_t length = strlen(type);
            memcpy(last, type, length < sizeof last ? length + 1 : 0);
            last[length < sizeof last ? length : 0] = '\0';
        }
        if (wanted)
            status = give(r, s, visit, payload, err);
    }
    return status;
}

ptl_status sqlite_kept_visit(ptl_store *store, const kept_text_query *query,
                             kept_text_visit *visit, void *payload, ptl_error *err)
{
    stmt *s = NULL;
    kept_reader r = {.store = store};
    bytes_init(&r.texts);
    bytes_init(&r.path);
    /* Selects by name, or all objects, or those of the type if only one is wanted. */
    const bool one = query->types[0] && !query->types[1];
    ptl_status status;
    if (query->name)
        status = stmt_prepared(&s, store, STMT_KEPT_NAMED, err);
    else
        status =
            stmt_prepare(&s, store,
                         one ? "SELECT " KEPT_COLUMNS
                               " FROM main.kept_object o WHERE o.type = ? ORDER BY o.id"
                             : "SELECT " KEPT_COLUMNS " FROM main.kept_object o ORDER BY o.id",
                         err);
    if (status == PTL_OK && (query->name || one))
        stmt_bind_text(s, 1, query->name ? query->name : query->types[0]);
    THEN(status, visit_rows(&r, s, query, visit, payload, err));
    if (query->name && s)
        stmt_reset(s);
    else
        stmt_free(s);
    compressor_free(r.compressor);
    bytes_dispose(&r.texts);
    bytes_dispose(&r.path);
    return status;
}
