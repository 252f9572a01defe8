/* Turns the structs of content rows into values, which it hands to the store's backend, and
 * reads such values back into structs. */
#include "core/bytes.h"
#include "core/error.h"
#include "store/store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct content_writer {
    const import_operations *operations;
    ptl_store *store;
    ptl_error *err;
    ptl_status status;
    int64_t content_id, number;
    /* For each part, the object by which the backend writes its rows (part_open); NULL: no row
     * of the part was added yet. */
    void *parts[CONTENT_PARTS];
    bytes lists; /* JSON texts of the lists in the row that is being added, each followed by a
                  * NUL */
};

ptl_status content_writer_new(content_writer **out, ptl_store *store, int64_t content_id,
                              ptl_error *err)
{
    content_writer *w = calloc(1, sizeof *w);
    *out = w;
    if (!w)
        return error_nomem(err);
    w->operations = ops(store)->import;
    w->store = store;
    w->content_id = content_id;
    w->err = err;
    bytes_init(&w->lists);
    return PTL_OK;
}

void content_writer_free(content_writer *w)
{
    if (!w)
        return;
    for (int i = 0; i < CONTENT_PARTS; i++)
        if (w->parts[i])
            w->operations->part_close(w->parts[i]);
    bytes_dispose(&w->lists);
    free(w);
}

/* Appends the list to w->lists, as JSON, and returns its offset there. */
static size_t put_list(content_writer *w, const content_list *list)
{
    const size_t start = w->lists.size;
    bytes_put_u8(&w->lists, '[');
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0)
            bytes_put_u8(&w->lists, ',');
        bytes *text = &w->lists;
        bytes_put_u8(text, '"');
        for (const char *at = list->items[i]; *at; at++) {
            unsigned char c = (unsigned char)*at;
            if (c == '"' || c == '\\')
                bytes_put_u8(text, '\\');
            if (c < 0x20)
                bytes_printf(text, "\\u%04x", c);
            else
                bytes_put_u8(text, c);
        }
        bytes_put_u8(text, '"');
    }
    bytes_put(&w->lists, "]", sizeof "]");
    return start;
}

/* Returns a field's value. The text of a list lies in w->lists, which may still be moved as it
 * grows. So for a list the value's member `size` becomes the offset of the text there, and the
 * pointer to the text is set later. */
static content_value value_of(content_writer *w, const content_field *f, const void *row)
{
    static const content_value null = {.type = PTL_VALUE_NULL};
    const void *at = (const char *)row + f->at;
    const content_list *list = at;
    const content_number *number = at;
    const content_mean *mean = at;
    const content_blob *blob = at;
    const char *text;
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_TEXT_OR_NULL:
        text = *(const char *const *)at;
        return text ? (content_value){.type = PTL_VALUE_TEXT, .data = text} : null;
    case FIELD_INT:
        return (content_value){.type = PTL_VALUE_INTEGER, .integer = *(const int64_t *)at};
    case FIELD_SWITCH:
        return (content_value){.type = PTL_VALUE_INTEGER, .integer = *(const bool *)at};
    case FIELD_INT_OR_NULL:
        return number->given
                   ? (content_value){.type = PTL_VALUE_INTEGER, .integer = number->value}
                   : null;
    case FIELD_REAL:
        return (content_value){.type = PTL_VALUE_REAL, .real = *(const double *)at};
    case FIELD_REAL_OR_NULL:
        return mean->given ? (content_value){.type = PTL_VALUE_REAL, .real = mean->value}
                           : null;
    case FIELD_LIST:
    case FIELD_LIST_OR_NULL:
        return f->kind == FIELD_LIST || list->count > 0
                   ? (content_value){.type = PTL_VALUE_TEXT, .size = put_list(w, list)}
                   : null;
    case FIELD_BLOB:
        return (content_value){.type = PTL_VALUE_BLOB, .data = blob->data, .size = blob->size};
    case FIELD_KEY:
        break;
    }
    return null;
}

void content_put(content_writer *w, content_part part, const void *row)
{
    content_value values[CONTENT_COLUMNS_MAX];
    if (w->status != PTL_OK)
        return;
    if (!w->parts[part])
        w->status = w->operations->part_open(&w->parts[part], w->store, part, w->err);
    /* Collects the row's values. The pointers to the texts of lists are set last, when w->lists
     * no longer grows, so that its memory no longer moves. */
    const content_form *form = &content_forms[part];
    int count = 0;
    bytes_clear(&w->lists);
    for (size_t i = 0; i < form->count; i++) {
        assert(count < CONTENT_COLUMNS_MAX);
        if (form->fields[i].kind != FIELD_KEY)
            values[count++] = value_of(w, &form->fields[i], row);
    }
    for (int i = 0; i < count; i++)
        if (values[i].type == PTL_VALUE_TEXT && !values[i].data)
            values[i].data = (const char *)w->lists.data + values[i].size;
    if (w->status == PTL_OK && w->lists.failed)
        w->status = error_nomem(w->err);
    if (w->status == PTL_OK)
        w->status = w->operations->part_add(&w->number, w->parts[part], values, count, w->err);
}

int64_t content_put_number(const content_writer *w)
{
    return w->number;
}

int64_t content_writer_id(const content_writer *w)
{
    return w->content_id;
}

ptl_status content_writer_status(const content_writer *w)
{
    return w->status;
}

void content_writer_fail(content_writer *w, ptl_status status)
{
    if (w->status == PTL_OK)
        w->status = status;
}

void content_row_columns(char out[CONTENT_NAMES_MAX], const content_form *form)
{
    size_t size = 0;
    for (size_t i = 0; i < form->count; i++)
        if (form->fields[i].loaded && form->fields[i].kind != FIELD_KEY)
            size += (size_t)snprintf(out + size, CONTENT_NAMES_MAX - size, "%s%s",
                                     size > 0 ? ", " : "", form->fields[i].column);
    assert(size < CONTENT_NAMES_MAX);
}

static bool in_range(const content_field *f, int64_t value)
{
    return f->scaled || f->lo == f->hi || ((double)value >= f->lo && (double)value <= f->hi);
}

/* Reads one value into the field's member at `at`. Of a list only the JSON text is set. Returns
 * false if a number is missing or out of its range. */
static bool read_value(void *at, const content_field *f, const content_value *v)
{
    const bool given = !value_is_null(v, 0);
    const int64_t number = value_int(v, 0);
    switch (f->kind) {
    case FIELD_TEXT:
        *(const char **)at = value_text(v, 0);
        return true;
    case FIELD_TEXT_OR_NULL:
        *(const char **)at = given ? value_text(v, 0) : NULL;
        return true;
    case FIELD_INT:
        *(int64_t *)at = number;
        return in_range(f, number) && (given || f->lo == f->hi);
    case FIELD_INT_OR_NULL:
        *(content_number *)at = (content_number){given, number};
        return !given || in_range(f, number);
    case FIELD_REAL:
        *(double *)at = value_real(v, 0);
        return true;
    case FIELD_REAL_OR_NULL:
        *(content_mean *)at = (content_mean){given, value_real(v, 0)};
        return true;
    case FIELD_SWITCH:
        *(bool *)at = number != 0;
        return true;
    case FIELD_LIST:
    case FIELD_LIST_OR_NULL:
        *(content_list *)at = (content_list){.json = value_text(v, 0)};
        return true;
    case FIELD_BLOB:
        *(content_blob *)at = (content_blob){v->data, v->size};
        return true;
    case FIELD_KEY:
        break;
    }
    return true;
}

bool content_row_read(void *row, const content_form *form, const content_value *values)
{
    bool good = true;
    for (size_t i = 0; i < form->count; i++) {
        const content_field *f = &form->fields[i];
        if (f->loaded && f->kind != FIELD_KEY)
            good = read_value((char *)row + f->at, f, values++) && good;
    }
    return good;
}
