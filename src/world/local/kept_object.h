/* Parses a content object that the store keeps as JSON text. */
#pragma once

#include "store/store.h"
#include "json/reader.h"

/* Parses the text of a stored object. *out belongs to the reader and is valid until the reader
 * parses its next text. PTL_ERR_CORRUPT names the file and the line from which the object was
 * imported. */
static inline ptl_status kept_object(json_document *out, json_reader *reader,
                                     const kept_row *row, ptl_error *err)
{
    if (json_reader_whole(reader, row->text, row->size, NULL)) {
        *out = json_reader_document(reader);
        return PTL_OK;
    }
    switch (json_reader_fault(reader)->kind) {
    case JSON_NO_MEMORY:
        return error_nomem(err);
    case JSON_STOPPED:
        return error_set(err, PTL_ERR_CANCELLED, "stopped");
    default:
        return error_set(err, PTL_ERR_CORRUPT, "%s:%lld: a kept object is no JSON", row->path,
                         (long long)row->line);
    }
}
