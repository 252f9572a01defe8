/* Single values of a save's JSON, and where in the file a wrong one stands. */
#include "core/error.h"
#include "exchange/save_json.h"
#include "json/json_value.h"
#include "json/position.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ptl_status fail_at(const save_json *j, size_t offset, const char *message)
{
    position_cursor at = position_begin(j->text);
    position_go(&at, offset);
    return error_set(j->err, PTL_ERR_CONTENT, "%s:%d:%d: %s", j->reader->path, at.line,
                     at.column, message);
}

ptl_status save_json_fail(const save_json *j, const char *pointer, const char *format, ...)
{
    char message[PTL_ERROR_MESSAGE_SIZE];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    const json_document document = json_reader_document(j->parsed);
    return fail_at(j, j->start + position_find(&document, pointer), message);
}

void save_json_place_of(bytes *out, const save_json *j, const char *pointer)
{
    const json_document document = json_reader_document(j->parsed);
    position_cursor at = position_begin(j->text);
    position_go(&at, j->start + position_find(&document, pointer));
    bytes_printf(out, "%s:%d:%d", j->reader->path, at.line, at.column);
}

/* Past "# version N" and the end of its line; the games' readers do without it, too. */
static ptl_status skip_header(save_json *j, size_t size)
{
    const char *text = j->text;
    j->start = 0;
    if (size == 0 || text[0] != '#')
        return PTL_OK;
    const char *end = memchr(text, '\n', size);
    if (!end || strncmp(text, "# version ", 10) != 0)
        return error_set(j->err, PTL_ERR_CONTENT, "%s:1:1: the first line is not '# version N'",
                         j->reader->path);
    const long version = strtol(text + 10, NULL, 10); /* the line has an end */
    if (version < SAVE_VERSION_OLDEST)
        return error_set(
            j->err, PTL_ERR_CONTENT,
            "%s:1:1: save version %ld is not read, since it is no JSON; those from "
            "%d on are",
            j->reader->path, version, SAVE_VERSION_OLDEST);
    j->start = (size_t)(end - text) + 1;
    return PTL_OK;
}

ptl_status save_json_load(save_json *j, const char *text, size_t size)
{
    j->text = text;
    j->parsed = json_reader_new((stop_hook){NULL, NULL});
    if (!j->parsed)
        return error_nomem(j->err);
    TRY(skip_header(j, size));
    if (memchr(text, '\0', size))
        return error_set(j->err, PTL_ERR_CONTENT, "%s:1:1: it holds a zero byte",
                         j->reader->path);
    json_fault fault;
    j->root = json_value_read(j->parsed, text + j->start, size - j->start, &fault);
    if (!j->root && fault.kind == JSON_NO_MEMORY)
        return error_nomem(j->err);
    if (!j->root)
        return fail_at(j, (size_t)(fault.at - text), fault.reason);
    if (!json_is_object(j->root))
        return save_json_fail(j, "", "an overmap is one JSON object");
    return PTL_OK;
}

void save_json_dispose(save_json *j)
{
    json_decref(j->root);
    json_reader_free(j->parsed);
}

ptl_status save_json_array(const save_json *j, const char *key, json_t **out)
{
    char pointer[SAVE_POINTER_SIZE];
    *out = json_object_get(j->root, key);
    if (!*out || json_is_array(*out))
        return PTL_OK;
    snprintf(pointer, sizeof pointer, "/%s", key);
    return save_json_fail(j, pointer, "%s must be an array", key);
}

ptl_status save_json_int(const save_json *j, json_t *value, const char *pointer,
                         const char *key, int64_t limits[2], int64_t fallback, int64_t *out)
{
    char at[SAVE_POINTER_SIZE];
    json_t *member = json_object_get(value, key);
    *out = member ? json_integer_value(member) : fallback;
    if ((!member || json_is_integer(member)) && *out >= limits[0] && *out <= limits[1])
        return PTL_OK;
    snprintf(at, sizeof at, "%.150s/%s", pointer, key);
    return save_json_fail(j, at, "%s must be a whole number from %lld to %lld", key,
                          (long long)limits[0], (long long)limits[1]);
}

ptl_status save_json_text(const save_json *j, json_t *value, const char *pointer,
                          const char *key, const char *fallback, const char **out)
{
    char at[SAVE_POINTER_SIZE];
    json_t *member = json_object_get(value, key);
    *out = member ? json_string_value(member) : fallback;
    if (*out)
        return PTL_OK;
    snprintf(at, sizeof at, "%.150s/%s", pointer, key);
    return save_json_fail(j, at, "%s must be a text", key);
}

ptl_status save_json_place(const save_json *j, json_t *value, const char *pointer,
                           int32_t out[3])
{
    bool good = json_array_size(value) == 3;
    for (size_t i = 0; i < 3 && good; i++) {
        json_t *number = json_array_get(value, i);
        json_int_t n = json_integer_value(number);
        good = json_is_integer(number) && n >= INT32_MIN && n <= INT32_MAX;
        out[i] = good ? (int32_t)n : 0;
    }
    return good ? PTL_OK : save_json_fail(j, pointer, "a place is [x, y, z] in whole numbers");
}
