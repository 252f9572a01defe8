#include "store/sqlite/rows/row_values.h"

#include "core/digest.h"
#include "core/error.h"
#include "core/suggest.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_scratch.h"

#include <string.h>

row_value row_column_value(const stmt *s, int column)
{
    row_value v = {.type = ROW_NULL};
    switch (sqlite3_column_type(s->handle, column)) {
    case SQLITE_INTEGER:
        return row_int(stmt_int(s, column));
    case SQLITE_FLOAT:
        return row_real(stmt_double(s, column));
    case SQLITE_TEXT:
        v.type = ROW_TEXT;
        v.data = sqlite3_column_text(s->handle, column);
        break;
    case SQLITE_BLOB:
        v.type = ROW_BLOB;
        v.data = sqlite3_column_blob(s->handle, column);
        break;
    default:
        return v;
    }
    v.size = (size_t)sqlite3_column_bytes(s->handle, column);
    return v;
}

void row_take(row_value *out, const row_table *t, const stmt *s)
{
    for (int i = 0; i < t->count; i++)
        out[i] = row_column_value(s, i);
}

ptl_status row_read_one(row_value *out, stmt **s, ptl_store *store, row_table_id table,
                        int64_t id, ptl_error *err)
{
    const row_table *t = row_table_of(table);
    ptl_status status = stmt_query(s, store, t->one, STMT_VALUES(id), err);
    if (!stmt_row(*s, &status, err) && status == PTL_OK)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no %s %lld", t->name, (long long)id);
    THEN(status, row_verify(*s, table, err));
    if (status == PTL_OK)
        row_take(out, t, *s);
    return status;
}

/* ---- checksums of rows ---- */

/* Bytes of a tagged number: one for the tag of its type, and eight for the number. */
enum { TAGGED = 9 };

/* Appends a tag and a number; if the number is the size of a text or blob, its bytes follow. */
static void put_tagged(bytes *b, row_type tag, uint64_t number, const void *data, size_t size)
{
    if (size > 0 && (!data || size > SIZE_MAX - TAGGED)) {
        b->failed = true; /* there was no memory for the text or blob when it was read */
        return;
    }
    if (!bytes_reserve(b, TAGGED + size))
        return;
    b->data[b->size] = (uint8_t)tag;
    bytes_store_u64(b->data + b->size + 1, number);
    if (size > 0)
        memcpy(b->data + b->size + TAGGED, data, size);
    b->size += TAGGED + size;
}

void row_value_put(bytes *b, const row_value *v)
{
    if (v->type == ROW_TEXT || v->type == ROW_BLOB)
        put_tagged(b, v->type, v->size, v->data, v->size);
    else if (v->type != ROW_NULL) /* `integer` and `real` share memory, so if the value is a
                                   * real, `integer` has its bits */
        put_tagged(b, v->type, (uint64_t)v->integer, NULL, 0);
    else
        bytes_put_u8(b, ROW_NULL);
}

bool row_value_read(row_value *out, byte_reader *r)
{
    const uint8_t tag = byte_reader_u8(r);
    const uint64_t word = tag == ROW_NULL ? 0 : byte_reader_u64(r);
    const bool sized = tag == ROW_TEXT || tag == ROW_BLOB;
    if (r->failed || tag > ROW_BLOB || (sized && word > byte_reader_left(r)))
        return false;
    *out = (row_value){.type = (row_type)tag, .integer = (int64_t)word};
    if (sized) {
        out->size = (size_t)word;
        out->data = byte_reader_take(r, (size_t)word);
    }
    return true;
}

void rowsum_values(bytes *b, const row_table *t, const row_value *values, int first)
{
    for (int i = first; i < t->count; i++)
        if (i != t->checksum)
            row_value_put(b, &values[i]);
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

/* Returns the number of bytes that SQLite needs for an integer in a record: none for 0 and 1,
 * otherwise 1, 2, 3, 4, 6 or 8. */
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
    /* A record's header begins with one byte for the id, which says NULL, since SQLite keeps
     * the id outside of the record. */
    size_t header = 1, data = 0;
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

void row_value_bind(stmt *s, int index, const row_value *v)
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
    default:
        stmt_note_bind(s, sqlite3_bind_null(s->handle, index));
    }
}

void row_bind(stmt *s, const row_table *t, const row_value *values, int at)
{
    for (int i = 0; i < t->count; i++) {
        const unsigned type = t->columns[i].type;
        const bool null = values[i].type == ROW_NULL && (type & ROW_OR_NULL) != 0;
        if (null || values[i].type == (type & ~(unsigned)ROW_OR_NULL))
            row_value_bind(s, at * t->count + i + 1, &values[i]);
        else
            stmt_note_bind(s, SQLITE_MISMATCH);
    }
}

ptl_status row_insert_next(row_inserter *in, const row_value *values, ptl_error *err)
{
    if (in->bound == 0) {
        const bool many = in->left >= ROWS_AT_ONCE;
        in->room = many ? ROWS_AT_ONCE : 1;
        TRY(stmt_prepared(&in->s, in->store,
                          stmt_of(in->table, many ? ROWS_INSERTED : ROW_INSERTED), err));
        in->s->bind_code = SQLITE_OK; /* forgets the failed bind of an earlier row, which was
                                         then never inserted */
    }
    row_bind(in->s, row_table_of(in->table), values, in->bound);
    in->left--;
    if (++in->bound < in->room)
        return PTL_OK;
    in->bound = 0;
    return stmt_run(in->s, err);
}

ptl_status row_insert(ptl_store *store, row_table_id table, const row_value *values,
                      ptl_error *err)
{
    return row_insert_next(&(row_inserter){store, table, .left = 1}, values, err);
}

ptl_status row_put(ptl_store *store, row_table_id table, row_value *values, ptl_error *err)
{
    TRY(row_seal(values, row_table_of(table), &store->scratch->sum, err));
    return row_insert(store, table, values, err);
}

void rowsum_begin(bytes *b, const char *table)
{
    bytes_clear(b);
    rowsum_text(b, table);
}

void rowsum_int(bytes *b, int64_t value)
{
    put_tagged(b, ROW_INTEGER, (uint64_t)value, NULL, 0);
}

void rowsum_text(bytes *b, const char *text)
{
    const size_t size = strlen(text);
    put_tagged(b, ROW_TEXT, size, text, size);
}

void rowsum_columns(bytes *b, const stmt *s, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        const row_value v = row_column_value(s, i);
        row_value_put(b, &v);
    }
}

ptl_status rowsum_end(bytes *b, int64_t *out, ptl_error *err)
{
    if (b->failed)
        return error_nomem(err);
    *out = checksum64(b->data, b->size);
    return PTL_OK;
}

/* ---- finding rows by name ---- */

/* Lists the first few names that the statement gives. If near->wanted is not NULL, also finds
 * the name that is most like it; `best` gets a copy of that name. */
static ptl_status list_names(bytes *list, size_t *count, suggestion *near, char best[128],
                             stmt *s, ptl_error *err)
{
    enum { SHOWN = 10, BEST_SIZE = 128 };
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        const char *other = stmt_text(s, 1);
        if ((*count)++ < SHOWN)
            bytes_printf(list, "%s'%s'", *count > 1 ? ", " : "", other);
        else if (*count == SHOWN + 1)
            bytes_put_text(list, ", ...");
        if (!near->wanted || strlen(other) >= BEST_SIZE)
            continue;
        suggest_offer(near, other);
        if (near->best == other) /* copied, since the text in `other` lasts only as long as the
                                    statement's row */
            near->best = memcpy(best, other, strlen(other) + 1);
    }
    return status;
}

/* Returns PTL_ERR_NOT_FOUND with a message that lists the first few existing names, and
 * suggests the name that is most like `name`. It is called if no row has that name, or if
 * `name` is NULL and there is not exactly one row. */
static ptl_status no_such_row(ptl_store *store, stmt_id id, const char *noun, const char *name,
                              ptl_error *err)
{
    bytes list = {0};
    size_t count = 0;
    suggestion near = {.wanted = NULL};
    char best[128];
    stmt *s;
    ptl_status status = stmt_prepared(&s, store, id, err);
    if (name)
        suggest_begin(&near, name);
    THEN(status, list_names(&list, &count, &near, best, s, err));
    const char *shown = bytes_text(&list);
    if (status == PTL_OK && count == 0)
        status = error_set(err, PTL_ERR_NOT_FOUND, "the file holds no %s yet", noun);
    else if (status == PTL_OK && !name)
        status = error_set(err, PTL_ERR_NOT_FOUND, "the file holds several %ss, name one of %s",
                           noun, shown ? shown : "them");
    else if (status == PTL_OK) {
        const char *like = count > 1 ? near.best : NULL;
        status = error_set(err, PTL_ERR_NOT_FOUND, "no %s '%s'%s%s%s; the file holds %s", noun,
                           name, like ? ", did you mean '" : "", like ? like : "",
                           like ? "'" : "", shown ? shown : "others");
    }
    bytes_dispose(&list);
    return status;
}

ptl_status row_find_named(void *out, ptl_store *store, const named_rows *rows, const char *name,
                          ptl_error *err)
{
    stmt *s = NULL;
    bool second;
    ptl_status status = stmt_prepared(&s, store, rows->statement, err);
    stmt_bind_text(s, 1, name);
    const bool row = stmt_row(s, &status, err);
    if (row)
        status = row_verify(s, rows->table, err);
    if (row)
        THEN(status, rows->read(out, s, err));
    second = row && stmt_row(s, &status, err);
    stmt_reset(s);
    if (status == PTL_OK && (!row || second))
        status = no_such_row(store, rows->statement, rows->noun, name, err);
    return status;
}

ptl_status row_refuse_named(ptl_store *store, const named_rows *rows, const char *name,
                            ptl_error *err)
{
    stmt *s;
    ptl_status status = stmt_prepared(&s, store, rows->statement, err);
    stmt_bind_text(s, 1, name);
    if (stmt_row(s, &status, err))
        status = error_set(err, PTL_ERR_EXISTS, "a %s '%s' exists already", rows->noun, name);
    stmt_reset(s);
    return status;
}
