/*
 * Filling columns: numbers, texts, NULLs. A column of a query, whose type nobody has stated,
 * takes the type of its first value; integers become numbers when one of these follows before
 * the type is settled.
 */
#include "columns/column.h"

#include "core/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, FIRST_ROOM = 1 << 12 };

static bool block_grow(column_block *b, size_t wanted)
{
    size_t room = b->room > 0 ? b->room : FIRST_ROOM;
    while (room < wanted && room <= SIZE_MAX / 4)
        room *= 2;
    char *memory = room >= wanted ? malloc(room + ALIGNMENT) : NULL;
    if (!memory)
        return false;
    unsigned char *at =
        (unsigned char *)memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    if (b->size > 0)
        memcpy(at, b->at, b->size);
    free(b->memory);
    b->memory = memory;
    b->at = at;
    b->room = room;
    return true;
}

void *column_block_extend(column_block *b, size_t extra)
{
    if (extra > SIZE_MAX / 4 || (b->size + extra > b->room && !block_grow(b, b->size + extra)))
        return NULL;
    if (!b->memory && !block_grow(b, 1))
        return NULL;
    b->size += extra;
    return b->at + b->size - extra;
}

static void block_dispose(column_block *b)
{
    free(b->memory);
    *b = (column_block){0};
}

static bool block_put(column_block *b, const void *data, size_t size)
{
    void *at = column_block_extend(b, size);
    if (at && size > 0)
        memcpy(at, data, size);
    return at != NULL;
}

static bool has_texts(column_type type)
{
    return type == COLUMN_TEXT || type == COLUMN_BLOB;
}

/* Returns how many bytes a value has in the buffer of values. */
static size_t width_of(column_type type)
{
    switch (type) {
    case COLUMN_OPEN:
        return 0;
    case COLUMN_INT8:
        return 1;
    case COLUMN_INT16:
    case COLUMN_OTER:
        return 2;
    case COLUMN_INT32:
    case COLUMN_TEXT:
    case COLUMN_BLOB:
        return 4;
    default:
        return 8;
    }
}

void *column_extend(column_data *c, size_t rows)
{
    void *at = column_block_extend(&c->values, rows * width_of(c->type));
    c->rows += at ? rows : 0;
    return at;
}

/* Adds a value with these bits. */
static bool put_bits(column_data *c, int64_t bits)
{
    void *at = column_extend(c, 1);
    if (!at)
        return false;
    switch (width_of(c->type)) {
    case 1:
        memcpy(at, &(int8_t){(int8_t)bits}, 1);
        break;
    case 2:
        memcpy(at, &(int16_t){(int16_t)bits}, 2);
        break;
    case 4:
        memcpy(at, &(int32_t){(int32_t)bits}, 4);
        break;
    case 8:
        memcpy(at, &bits, 8);
        break;
    default:
        break;
    }
    return true;
}

/* Adds a text or blob. A batch ends long before its texts have 2 GiB, so int32 is enough for
 * offsets. */
static bool put_bytes(column_data *c, const char *text, size_t size)
{
    if (c->values.size == 0 && !block_put(&c->values, &(int32_t){0}, sizeof(int32_t)))
        return false;
    return block_put(&c->texts, text, size) && put_bits(c, (int64_t)c->texts.size);
}

/* Notes whether the last row has a value. */
static bool put_present(column_data *c, bool present)
{
    const size_t row = c->rows - 1, bytes = row / 8 + 1;
    if (c->nulls == 0 && present)
        return true;
    if (c->present.size < bytes) {
        const size_t before = c->present.size;
        unsigned char *at = column_block_extend(&c->present, bytes - before);
        if (!at)
            return false;
        /* Rows before the first NULL have values; bits behind the last row are 0. */
        memset(at, before == 0 ? 0xff : 0, bytes - before);
        if (before == 0)
            c->present.at[row / 8] = (unsigned char)((1u << row % 8) - 1);
    }
    if (present)
        c->present.at[row / 8] |= (unsigned char)(1u << row % 8);
    c->nulls += !present;
    return true;
}

static bool put_null(column_data *c)
{
    const bool done = has_texts(c->type) ? put_bytes(c, "", 0) : put_bits(c, 0);
    return done && put_present(c, false);
}

/* ---- types ---- */

/* Gives a column its type: one that has only NULLs any, one of integers that of numbers. */
static bool change_type(column_data *c, column_type type)
{
    if (c->type == COLUMN_INT64) {
        for (size_t at = 0; at < c->values.size; at += sizeof(int64_t)) {
            int64_t integer;
            memcpy(&integer, c->values.at + at, sizeof integer);
            memcpy(c->values.at + at, &(double){(double)integer}, sizeof integer);
        }
        c->type = type;
        return true;
    }
    bool done = true;
    column_data typed = {.type = type, .settled = c->settled};
    for (size_t row = 0; row < c->rows && done; row++)
        done = put_null(&typed);
    column_dispose(done ? c : &typed);
    if (done)
        *c = typed;
    return done;
}

/* Returns the type that a column whose type is not settled has with a value, too. */
static column_type wider(column_type has, ptl_value_type value)
{
    static const column_type alone[] = {[PTL_VALUE_INTEGER] = COLUMN_INT64,
                                        [PTL_VALUE_REAL] = COLUMN_DOUBLE,
                                        [PTL_VALUE_TEXT] = COLUMN_TEXT,
                                        [PTL_VALUE_BLOB] = COLUMN_BLOB};
    const bool real = has == COLUMN_INT64 && value == PTL_VALUE_REAL;
    return has == COLUMN_OPEN || real ? alone[value] : has;
}

/* Can the column, whose type stays, hold a value? */
static bool fits(const column_data *c, const ptl_value *v)
{
    const int64_t i = v->integer;
    switch (c->type) {
    case COLUMN_INT8:
        return v->type == PTL_VALUE_INTEGER && i >= INT8_MIN && i <= INT8_MAX;
    case COLUMN_INT16:
        return v->type == PTL_VALUE_INTEGER && i >= INT16_MIN && i <= INT16_MAX;
    case COLUMN_INT32:
        return v->type == PTL_VALUE_INTEGER && i >= INT32_MIN && i <= INT32_MAX;
    case COLUMN_INT64:
    case COLUMN_UINT64:
        return v->type == PTL_VALUE_INTEGER;
    case COLUMN_DOUBLE:
        return v->type == PTL_VALUE_INTEGER || v->type == PTL_VALUE_REAL;
    case COLUMN_TEXT:
        return v->type == PTL_VALUE_TEXT;
    case COLUMN_BLOB:
        return v->type == PTL_VALUE_BLOB;
    default:
        return false;
    }
}

static const char *value_name(ptl_value_type type)
{
    static const char *const names[] = {[PTL_VALUE_NULL] = "NULL",
                                        [PTL_VALUE_INTEGER] = "an integer",
                                        [PTL_VALUE_REAL] = "a real number",
                                        [PTL_VALUE_TEXT] = "a text",
                                        [PTL_VALUE_BLOB] = "a blob"};
    return names[type];
}

static ptl_status misfit(const column_spec *spec, const ptl_value *value, ptl_error *err)
{
    if (spec->type != COLUMN_OPEN)
        return error_set(err, PTL_ERR_CORRUPT, "the column '%s' has %s out of its range",
                         spec->name, value_name(value->type));
    return error_set(err, PTL_ERR_ARGUMENT,
                     "%s does not fit the values before it in the column '%s': use CAST, or "
                     "coalesce in place of NULLs",
                     value_name(value->type), spec->name);
}

static bool utf8_valid_bytes(const char *text, size_t size)
{
    uint32_t c;
    while (size > 0) {
        size_t used = 1;
        if ((unsigned char)*text >= 0x80) {
            used = utf8_decode(text, size, &c);
            if (c == UTF8_BAD)
                return false;
        }
        text += used;
        size -= used;
    }
    return true;
}

static bool put_value(column_data *c, const ptl_value *v)
{
    if (c->type == COLUMN_DOUBLE) {
        const double number = v->type == PTL_VALUE_REAL ? v->real : (double)v->integer;
        int64_t bits;
        memcpy(&bits, &number, sizeof bits);
        return put_bits(c, bits);
    }
    return has_texts(c->type) ? put_bytes(c, v->text, v->size) : put_bits(c, v->integer);
}

ptl_status column_put(column_data *c, const column_spec *spec, const ptl_value *value,
                      ptl_error *err)
{
    if (value->type == PTL_VALUE_NULL) {
        if (!spec->nullable)
            return error_set(err, PTL_ERR_CORRUPT, "the column '%s' has a NULL", spec->name);
        return put_null(c) ? PTL_OK : error_nomem(err);
    }
    if (!c->settled) {
        const column_type type = wider(c->type, value->type);
        if (type != c->type && !change_type(c, type))
            return error_nomem(err);
    }
    if (!fits(c, value))
        return misfit(spec, value, err);
    if (c->type == COLUMN_TEXT && !utf8_valid_bytes(value->text, value->size))
        return error_set(err, PTL_ERR_ARGUMENT, "the column '%s' has a text that is not UTF-8",
                         spec->name);
    return put_value(c, value) && put_present(c, true) ? PTL_OK : error_nomem(err);
}

bool column_settle(column_data *c)
{
    c->settled = true;
    return c->type != COLUMN_OPEN || change_type(c, COLUMN_TEXT);
}

void column_dispose(column_data *c)
{
    block_dispose(&c->values);
    block_dispose(&c->texts);
    block_dispose(&c->present);
    c->rows = c->nulls = 0;
}

/* ---- dictionaries ---- */

bool column_dictionary_add(column_dictionary *d, const char *text)
{
    if (d->count == 0 && !block_put(&d->offsets, &(int32_t){0}, sizeof(int32_t)))
        return false;
    if (!block_put(&d->texts, text, strlen(text)))
        return false;
    const int32_t end = (int32_t)d->texts.size;
    if (!block_put(&d->offsets, &end, sizeof end))
        return false;
    d->count++;
    return true;
}

void column_dictionary_dispose(column_dictionary *d)
{
    block_dispose(&d->offsets);
    block_dispose(&d->texts);
    d->count = 0;
}
