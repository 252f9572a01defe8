#include "support/arrow_check.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void arrow_rows_dispose(arrow_rows *rows)
{
    free(rows->hashes);
    memset(rows, 0, sizeof *rows);
}

/* ---- rows ---- */

uint64_t arrow_hash(uint64_t hash, const char *text, size_t size)
{
    const uint64_t prime = UINT64_C(1099511628211);
    hash = (hash ^ (text ? size + 1 : 0)) * prime;
    for (size_t i = 0; text && i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * prime;
    return hash ^ hash >> 29;
}

uint64_t arrow_hash_number(uint64_t hash, int64_t number)
{
    char text[32];
    const int size = snprintf(text, sizeof text, "%" PRId64, number);
    return arrow_hash(hash, text, (size_t)size);
}

static uint64_t hash_real(uint64_t hash, double number)
{
    char text[40];
    const int size = snprintf(text, sizeof text, "%.17g", number);
    return arrow_hash(hash, text, (size_t)size);
}

uint64_t arrow_hash_value(uint64_t hash, const ptl_value *v)
{
    switch (v->type) {
    case PTL_VALUE_INTEGER:
        return arrow_hash_number(hash, v->integer);
    case PTL_VALUE_REAL:
        return hash_real(hash, v->real);
    case PTL_VALUE_NULL:
        return arrow_hash(hash, NULL, 0);
    default:
        return arrow_hash(hash, v->text ? v->text : "", v->size);
    }
}

void arrow_rows_add(arrow_rows *rows, uint64_t hash)
{
    if (rows->count == rows->room) {
        rows->room = rows->room > 0 ? 2 * rows->room : 1024;
        rows->hashes = realloc(rows->hashes, rows->room * sizeof *rows->hashes);
        ck_assert_ptr_nonnull(rows->hashes);
    }
    rows->hashes[rows->count++] = hash;
}

void arrow_compare(const arrow_rows *a, const arrow_rows *b, const char *what)
{
    ck_assert_msg(a->count == b->count, "%s: %zu rows, not %zu", what, a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        ck_assert_msg(a->hashes[i] == b->hashes[i], "%s: row %zu differs", what, i);
}

/* ---- schemas ---- */

static int32_t next_int32(const char **at)
{
    int32_t v;
    memcpy(&v, *at, sizeof v);
    *at += sizeof v;
    ck_assert_int_ge(v, 0);
    return v;
}

bool arrow_metadata(char *out, size_t size, const char *metadata, const char *key)
{
    const char *at = metadata;
    int32_t count = metadata ? next_int32(&at) : 0;
    for (; count > 0; count--) {
        const int32_t key_size = next_int32(&at);
        const bool meant = (size_t)key_size == strlen(key) && memcmp(at, key, strlen(key)) == 0;
        at += key_size;
        const int32_t text_size = next_int32(&at);
        if (meant) {
            ck_assert_uint_lt((size_t)text_size, size);
            memcpy(out, at, (size_t)text_size);
            out[text_size] = '\0';
            return true;
        }
        at += text_size;
    }
    return false;
}

static void check_column_schema(const struct ArrowSchema *s)
{
    ck_assert_ptr_nonnull(s);
    ck_assert(s->release);
    ck_assert_ptr_nonnull(s->name);
    ck_assert_ptr_nonnull(s->format);
    ck_assert_msg(strlen(s->format) == 1 && strchr("csilLguzS", s->format[0]), "%s", s->format);
    ck_assert_int_eq(s->n_children, 0);
    ck_assert_int_eq(s->flags & ~ARROW_FLAG_NULLABLE, 0);
    ck_assert_int_eq(s->dictionary != NULL, s->format[0] == 'S');
    if (s->dictionary) {
        ck_assert(s->dictionary->release);
        ck_assert_str_eq(s->dictionary->format, "u");
    }
}

void arrow_check_schema(arrow_rows *out, const struct ArrowSchema *schema)
{
    ck_assert(schema->release);
    ck_assert_str_eq(schema->format, "+s");
    ck_assert_ptr_null(schema->dictionary);
    ck_assert_int_gt(schema->n_children, 0);
    ck_assert_int_le(schema->n_children, ARROW_COLUMNS_MAX);
    out->columns = (size_t)schema->n_children;
    for (size_t i = 0; i < out->columns; i++) {
        const struct ArrowSchema *child = schema->children[i];
        check_column_schema(child);
        snprintf(out->names[i], ARROW_NAME_SIZE, "%s", child->name);
        out->formats[i] = child->format[0];
    }
}

/* ---- batches ---- */

static bool is_valid(const struct ArrowArray *a, int64_t row)
{
    const unsigned char *bits = a->buffers[0];
    return !bits || (bits[row / 8] >> row % 8 & 1);
}

static void check_alignment(const struct ArrowArray *a)
{
    for (int64_t i = 0; i < a->n_buffers; i++)
        ck_assert_uint_eq((uintptr_t)a->buffers[i] % 64, 0);
    for (int64_t i = 1; i < a->n_buffers; i++)
        ck_assert_ptr_nonnull(a->buffers[i]);
}

static void check_texts(const struct ArrowArray *a)
{
    const int32_t *offsets = a->buffers[1];
    ck_assert_int_eq(a->n_buffers, 3);
    ck_assert_int_eq(offsets[0], 0);
    for (int64_t row = 0; row < a->length; row++)
        ck_assert_msg(offsets[row] <= offsets[row + 1], "offset %d", (int)row);
}

static void check_nulls(const struct ArrowArray *a)
{
    int64_t nulls = 0;
    for (int64_t row = 0; row < a->length; row++)
        nulls += !is_valid(a, row);
    ck_assert_int_eq(nulls, a->null_count);
    ck_assert_int_eq(a->buffers[0] == NULL, nulls == 0);
}

static void check_column(const struct ArrowArray *a, char format, int64_t rows)
{
    const bool texts = format == 'u' || format == 'z';
    ck_assert(a->release);
    ck_assert_int_eq(a->length, rows);
    ck_assert_int_eq(a->offset, 0);
    ck_assert_int_eq(a->n_children, 0);
    ck_assert_int_eq(a->n_buffers, texts ? 3 : 2);
    check_alignment(a);
    check_nulls(a);
    if (texts)
        check_texts(a);
    ck_assert_int_eq(a->dictionary != NULL, format == 'S');
    if (a->dictionary) {
        const uint16_t *index = a->buffers[1];
        check_column(a->dictionary, 'u', a->dictionary->length);
        for (int64_t row = 0; row < rows; row++)
            ck_assert_int_lt(index[row], a->dictionary->length);
    }
}

static uint64_t hash_text(uint64_t hash, const struct ArrowArray *a, int64_t row)
{
    const int32_t *offsets = a->buffers[1];
    const char *texts = a->buffers[2];
    return arrow_hash(hash, texts + offsets[row], (size_t)(offsets[row + 1] - offsets[row]));
}

static uint64_t hash_cell(uint64_t hash, const struct ArrowArray *a, char format, int64_t row)
{
    if (!is_valid(a, row))
        return arrow_hash(hash, NULL, 0);
    const void *values = a->buffers[1];
    switch (format) {
    case 'c':
        return arrow_hash_number(hash, ((const int8_t *)values)[row]);
    case 's':
        return arrow_hash_number(hash, ((const int16_t *)values)[row]);
    case 'i':
        return arrow_hash_number(hash, ((const int32_t *)values)[row]);
    case 'l':
    case 'L': /* SQL gives the signed number that has the same bits */
        return arrow_hash_number(hash, ((const int64_t *)values)[row]);
    case 'g':
        return hash_real(hash, ((const double *)values)[row]);
    case 'S':
        return hash_text(hash, a->dictionary, ((const uint16_t *)values)[row]);
    default:
        return hash_text(hash, a, row);
    }
}

void arrow_check_batch(arrow_rows *out, const struct ArrowArray *batch)
{
    ck_assert_int_gt(batch->length, 0);
    ck_assert_int_eq(batch->null_count, 0);
    ck_assert_int_eq(batch->offset, 0);
    ck_assert_int_eq(batch->n_buffers, 1);
    ck_assert_ptr_null(batch->buffers[0]);
    ck_assert_ptr_null(batch->dictionary);
    ck_assert_int_eq(batch->n_children, (int64_t)out->columns);
    for (size_t i = 0; i < out->columns; i++)
        check_column(batch->children[i], out->formats[i], batch->length);
    for (int64_t row = 0; row < batch->length; row++) {
        uint64_t hash = 0;
        for (size_t i = 0; i < out->columns; i++)
            hash = hash_cell(hash, batch->children[i], out->formats[i], row);
        arrow_rows_add(out, hash);
    }
    out->batches++;
    if ((size_t)batch->length > out->largest)
        out->largest = (size_t)batch->length;
}

void arrow_read(arrow_rows *out, struct ArrowArrayStream *stream)
{
    struct ArrowSchema schema;
    struct ArrowArray batch;
    memset(out, 0, sizeof *out);
    ck_assert(stream->release);
    ck_assert_int_eq(stream->get_schema(stream, &schema), 0);
    ck_assert_ptr_null(stream->get_last_error(stream));
    arrow_check_schema(out, &schema);
    schema.release(&schema);
    ck_assert(!schema.release);
    for (;;) {
        const int code = stream->get_next(stream, &batch);
        ck_assert_msg(code == 0, "%s", stream->get_last_error(stream));
        if (!batch.release)
            break;
        arrow_check_batch(out, &batch);
        batch.release(&batch);
        ck_assert(!batch.release);
    }
    for (int i = 0; i < 3; i++) { /* the end stays the end */
        memset(&batch, 0xff, sizeof batch);
        ck_assert_int_eq(stream->get_next(stream, &batch), 0);
        ck_assert(!batch.release);
    }
    stream->release(stream);
    ck_assert(!stream->release);
}
