#include "store/sqlite/rows/row_values.h"
#include "core/error.h"

#include "store/sqlite/connection/store_impl.h"

void row_take(row_value *out, const row_table *t, const stmt *s)
{
    for (int i = 0; i < t->count; i++) {
        size_t size;
        const void *data;
        switch (sqlite3_column_type(s->handle, i)) {
        case SQLITE_INTEGER:
            out[i] = row_int(stmt_int(s, i));
            break;
        case SQLITE_FLOAT:
            out[i] = row_real(stmt_double(s, i));
            break;
        case SQLITE_TEXT:
            data = sqlite3_column_text(s->handle, i);
            size = data ? (size_t)sqlite3_column_bytes(s->handle, i) : 0;
            out[i] = row_blob(data ? data : "", size);
            out[i].type = ROW_TEXT;
            break;
        case SQLITE_BLOB:
            data = stmt_blob(s, i, &size);
            out[i] = row_blob(data, size);
            break;
        default:
            out[i] = (row_value){.type = ROW_NULL};
        }
    }
}

void rowsum_values(bytes *b, const row_table *t, const row_value *values, int first)
{
    for (int i = first; i < t->count; i++) {
        const row_value *v = &values[i];
        if (i == t->checksum)
            continue;
        switch (v->type) {
        case ROW_INTEGER:
            rowsum_int(b, v->integer);
            break;
        case ROW_REAL:
            rowsum_real(b, v->real);
            break;
        case ROW_TEXT:
            rowsum_sized_text(b, v->data, v->size);
            break;
        case ROW_BLOB:
            rowsum_blob(b, v->data, v->size);
            break;
        default:
            rowsum_null(b);
        }
    }
}

void rowsum_row(bytes *b, const row_table *t, const stmt *s, int first)
{
    if (t->checksum < first) {
        rowsum_columns(b, s, first, t->count - first);
        return;
    }
    rowsum_columns(b, s, first, t->checksum - first);
    rowsum_columns(b, s, t->checksum + 1, t->count - t->checksum - 1);
}

ptl_status row_seal(row_value *values, const row_table *t, bytes *scratch, ptl_error *err)
{
    int64_t sum = 0;
    rowsum_begin(scratch, t->name);
    rowsum_values(scratch, t, values, 0);
    ptl_status status = rowsum_end(scratch, &sum, err);
    values[t->checksum] = row_int(sum);
    return status;
}

static size_t varint_size(uint64_t v)
{
    size_t size = 1;
    for (; v >= 0x80 && size < 9; v >>= 7)
        size++;
    return size;
}

/* SQLite stores 0 and 1 in no byte, others in 1, 2, 3, 4, 6 or 8. */
static size_t integer_size(int64_t v)
{
    static const uint8_t sizes[] = {1, 2, 3, 4, 6};
    const uint64_t wide = v < 0 ? ~(uint64_t)v : (uint64_t)v;
    if (wide == (uint64_t)v && wide <= 1)
        return 0;
    for (size_t i = 0; i < sizeof sizes; i++)
        if (wide >> (8 * sizes[i] - 1) == 0)
            return sizes[i];
    return sizeof v;
}

size_t row_leaf_size(const row_table *t, const row_value *values, size_t usable)
{
    enum { POINTER = 2, OVERFLOW = 4, BLOB_TYPE = 12 };
    size_t header = 1, data = 0; /* the id is NULL in the record */
    for (int i = 1; i < t->count; i++) {
        const row_value *v = &values[i];
        const bool sized = v->type == ROW_TEXT || v->type == ROW_BLOB;
        header += sized ? varint_size(BLOB_TYPE + 2 * v->size) : 1;
        data += sized ? v->size : v->type == ROW_INTEGER ? integer_size(v->integer) : 0;
        data += v->type == ROW_REAL ? sizeof v->real : 0;
    }
    header += varint_size(header + 1);
    const size_t payload = header + data, most = usable - 35;
    const size_t least = (usable - 12) * 32 / 255 - 23;
    const size_t rest = payload > most ? least + (payload - least) % (usable - 4) : payload;
    const size_t here = payload <= most ? payload : (rest <= most ? rest : least) + OVERFLOW;
    return POINTER + varint_size(payload) + varint_size((uint64_t)values[0].integer) + here;
}

static void bind_value(stmt *s, int index, const row_value *v)
{
    switch (v->type) {
    case ROW_INTEGER:
        stmt_bind_int(s, index, v->integer);
        break;
    case ROW_REAL:
        stmt_bind_double(s, index, v->real);
        break;
    case ROW_TEXT:
        stmt_bind_span(s, index, v->data, v->size);
        break;
    case ROW_BLOB:
        stmt_bind_blob(s, index, v->data, v->size);
        break;
    default: /* a statement that was reset has all NULL */
        break;
    }
}

void row_bind(stmt *s, int first, const row_table *t, const row_value *values)
{
    for (int i = 0; i < t->count; i++) {
        const unsigned type = t->columns[i].type;
        const bool null = values[i].type == ROW_NULL && (type & ROW_OR_NULL) != 0;
        if (null || values[i].type == (type & ~(unsigned)ROW_OR_NULL))
            bind_value(s, first + i, &values[i]);
        else if (s->bind_code == SQLITE_OK)
            s->bind_code = SQLITE_MISMATCH;
    }
}

ptl_status row_insert(ptl_store *store, stmt_id id, const row_table *t, const row_value *values,
                      ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepared(&s, store, id, err));
    row_bind(s, 1, t, values);
    return stmt_run(s, err);
}
