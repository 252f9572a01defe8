/* Binding what several modules write: origins, and lists as JSON. */
#include "content/import/write.h"

#include "core/error.h"

void bind_origin(content_rows *s, int index, const source_object *obj)
{
    content_rows_int(s, index, obj->file->pack);
    content_rows_text(s, index + 1, obj->file->path);
    content_rows_int(s, index + 2, obj->line);
}

static void put_json_string(bytes *text, const char *string)
{
    bytes_put_u8(text, '"');
    for (const char *at = string; *at; at++) {
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

ptl_status bind_json_list(content_rows *s, int index, const string_list *list, bytes *text,
                          ptl_error *err)
{
    bytes_clear(text);
    bytes_put_u8(text, '[');
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0)
            bytes_put_u8(text, ',');
        put_json_string(text, list->items[i]);
    }
    bytes_put_u8(text, ']');
    const char *json = bytes_text(text);
    if (!json)
        return error_nomem(err);
    content_rows_text(s, index, json);
    return PTL_OK;
}

ptl_status run_text2(content_rows *s, const char *a, const char *b, ptl_error *err)
{
    content_rows_text(s, 1, a);
    content_rows_text(s, 2, b);
    return content_rows_add(s, err);
}
