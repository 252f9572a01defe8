#include "store/sqlite/rows/row_values.h"

#include "core/digest.h"
#include "core/error.h"
#include "core/suggest.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_scratch.h"

#include <string.h>

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

/* Append a value in its canonical form: a tag for the type, then the value. */
static void rowsum_null(bytes *b)
{
    bytes_put_u8(b, ROW_NULL);
}

static void rowsum_real(bytes *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put_u8(b, ROW_REAL);
    bytes_put_u64(b, bits);
}

enum { TAGGED = 9 }; /* one byte for the tag and eight for the number */

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

static void rowsum_sized_text(bytes *b, const char *text, size_t size)
{
    put_sized(b, ROW_TEXT, text, size);
}

static void rowsum_blob(bytes *b, const void *data, size_t size)
{
    put_sized(b, ROW_BLOB, data, size);
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

/* Returns the bytes that SQLite needs for an integer in a record: none for 0 and 1, for others
 * 1, 2, 3, 4, 6 or 8. */
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
    size_t header = 1, data = 0; /* one byte for the id, which a record holds as NULL */
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

void row_bind(stmt *s, int first, const row_table *t, const row_value *values)
{
    for (int i = 0; i < t->count; i++) {
        const unsigned type = t->columns[i].type;
        const bool null = values[i].type == ROW_NULL && (type & ROW_OR_NULL) != 0;
        if (null || values[i].type == (type & ~(unsigned)ROW_OR_NULL)) {
            const int index = first + i;
            const row_value *v = &values[i];
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
            default: /* a NULL needs no binding: after a reset all parameters are NULL */
                break;
            }
        } else if (s->bind_code == SQLITE_OK)
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

void rowsum_begin(bytes *b, const char *table)
{
    bytes_clear(b);
    rowsum_text(b, table);
}

void rowsum_int(bytes *b, int64_t value)
{
    if (!bytes_reserve(b, TAGGED))
        return;
    put_tagged(b->data + b->size, ROW_INTEGER, (uint64_t)value);
    b->size += TAGGED;
}

void rowsum_text(bytes *b, const char *text)
{
    put_sized(b, ROW_TEXT, text, strlen(text));
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

/* Returns PTL_ERR_NOT_FOUND with a message that lists the first few existing names, and says
 * which is most like the wanted one. It is used for a name that matches none of them, and for
 * NULL where there is not exactly one. */
static ptl_status say_not_there(const char *noun, const char *name, const char *like,
                                const char *others, ptl_error *err)
{
    return error_set(err, PTL_ERR_NOT_FOUND, "no %s '%s'%s%s%s; the file holds %s", noun, name,
                     like ? ", did you mean '" : "", like ? like : "", like ? "'" : "",
                     others ? others : "others");
}

static ptl_status no_such_row(ptl_store *store, stmt_id id, const char *noun, const char *name,
                              ptl_error *err)
{
    enum { SHOWN = 10 };
    bytes list;
    size_t count = 0;
    suggestion near = {.wanted = NULL};
    char best[128]; /* a copy of near.best, since the row passes */
    stmt *s = NULL;
    ptl_status status = stmt_prepared(&s, store, id, err);
    bytes_init(&list);
    if (name)
        suggest_begin(&near, name);
    if (status == PTL_OK)
        stmt_bind_null(s, 1);
    while (stmt_row(s, &status, err)) {
        const char *other = stmt_text(s, 1);
        if (count++ < SHOWN)
            bytes_printf(&list, "%s'%s'", count > 1 ? ", " : "", other);
        else if (count == SHOWN + 1)
            bytes_put_text(&list, ", ...");
        if (!near.wanted || strlen(other) >= sizeof best)
            continue;
        suggest_offer(&near, other);
        if (near.best == other)
            near.best = memcpy(best, other, strlen(other) + 1);
    }
    const char *shown = bytes_text(&list);
    if (status == PTL_OK && count == 0)
        status = error_set(err, PTL_ERR_NOT_FOUND, "the file holds no %s yet", noun);
    else if (status == PTL_OK && !name)
        status = error_set(err, PTL_ERR_NOT_FOUND, "the file holds several %ss, name one of %s",
                           noun, shown ? shown : "them");
    else if (status == PTL_OK)
        status = say_not_there(noun, name, count > 1 ? near.best : NULL, shown, err);
    bytes_dispose(&list);
    return status;
}

ptl_status row_find_named(void *out, ptl_store *store, const named_rows *rows, const char *name,
                          ptl_error *err)
{
    stmt *s = NULL;
    bool row = false, second = false;
    TRY(stmt_prepared(&s, store, rows->statement, err));
    stmt_bind_text(s, 1, name);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        status = row_verify(s, rows->table, err);
    if (status == PTL_OK && row)
        status = rows->read(out, s, err);
    if (status == PTL_OK && row)
        status = stmt_step(s, &second, err);
    stmt_reset(s);
    if (status == PTL_OK && (!row || second))
        status = no_such_row(store, rows->statement, rows->noun, name, err);
    return status;
}
