#include "store/sqlite/rows/row_values.h"

#include "core/digest.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"

#include <string.h>

enum { TAGGED = 9 }; /* a tag and eight bytes */

static void put_tagged(uint8_t *at, uint8_t tag, uint64_t v)
{
    at[0] = tag;
    bytes_store_u64(at + 1, v);
}

static void put_sized(bytes *b, uint8_t tag, const void *data, size_t size)
{
    if (size > SIZE_MAX - TAGGED || !bytes_reserve(b, TAGGED + size))
        return;
    put_tagged(b->data + b->size, tag, size);
    if (size > 0)
        memcpy(b->data + b->size + TAGGED, data, size);
    b->size += TAGGED + size;
}

void rowsum_begin(bytes *b, const char *table)
{
    bytes_clear(b);
    rowsum_text(b, table);
}

void rowsum_null(bytes *b)
{
    bytes_put_u8(b, ROW_NULL);
}

void rowsum_int(bytes *b, int64_t value)
{
    if (!bytes_reserve(b, TAGGED))
        return;
    put_tagged(b->data + b->size, ROW_INTEGER, (uint64_t)value);
    b->size += TAGGED;
}

void rowsum_real(bytes *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put_u8(b, ROW_REAL);
    bytes_put_u64(b, bits);
}

void rowsum_text(bytes *b, const char *text)
{
    put_sized(b, ROW_TEXT, text, strlen(text));
}

void rowsum_sized_text(bytes *b, const char *text, size_t size)
{
    put_sized(b, ROW_TEXT, text, size);
}

void rowsum_blob(bytes *b, const void *data, size_t size)
{
    put_sized(b, ROW_BLOB, data, size);
}

void rowsum_columns(bytes *b, const stmt *s, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        switch (sqlite3_column_type(s->handle, i)) {
        case SQLITE_INTEGER:
            rowsum_int(b, sqlite3_column_int64(s->handle, i));
            break;
        case SQLITE_FLOAT:
            rowsum_real(b, sqlite3_column_double(s->handle, i));
            break;
        case SQLITE_TEXT: {
            const void *text = sqlite3_column_text(s->handle, i);
            put_sized(b, ROW_TEXT, text, (size_t)sqlite3_column_bytes(s->handle, i));
            break;
        }
        case SQLITE_BLOB: {
            size_t size;
            const void *data = stmt_blob(s, i, &size);
            rowsum_blob(b, data, size);
            break;
        }
        default:
            rowsum_null(b);
        }
    }
}

ptl_status rowsum_end(bytes *b, int64_t *out, ptl_error *err)
{
    if (b->failed)
        return error_nomem(err);
    *out = checksum64(b->data, b->size);
    return PTL_OK;
}
