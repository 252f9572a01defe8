/* Fields of a table's rows, as content_tables.h describes them: from JSON into the row. */
#include "content/import/record.h"

#include "model/color.h"
#include "model/symbol.h"

#include <string.h>

/* What an object of every type may have. */
static const char *const common_keys[] = {"type", "id", "abstract", "copy-from"};
static const char *const change_keys[] = {"extend", "delete"};

static void *member_of(const content_field *f, void *row)
{
    return (char *)row + f->at;
}

void record_defaults(content_part part, void *row)
{
    const content_form *form = &content_forms[part];
    for (size_t i = 0; i < form->count; i++) {
        const content_field *f = &form->fields[i];
        if (f->kind == FIELD_TEXT || (f->kind == FIELD_TEXT_OR_NULL && f->text))
            *(const char **)member_of(f, row) = f->text ? f->text : "";
        else if (f->kind == FIELD_INT)
            *(int64_t *)member_of(f, row) = f->number;
    }
}

size_t record_field(content_part part, size_t at)
{
    const content_form *form = &content_forms[part];
    size_t i = 0;
    while (i < form->count && (form->fields[i].kind == FIELD_KEY || form->fields[i].at != at))
        i++;
    return i;
}

static size_t size_of(content_kind kind)
{
    static const size_t sizes[] = {
        [FIELD_TEXT] = sizeof(const char *),
        [FIELD_TEXT_OR_NULL] = sizeof(const char *),
        [FIELD_INT] = sizeof(int64_t),
        [FIELD_INT_OR_NULL] = sizeof(content_number),
        [FIELD_REAL] = sizeof(double),
        [FIELD_REAL_OR_NULL] = sizeof(content_mean),
        [FIELD_SWITCH] = sizeof(bool),
        [FIELD_LIST] = sizeof(content_list),
        [FIELD_LIST_OR_NULL] = sizeof(content_list),
        [FIELD_BLOB] = sizeof(content_blob),
    };
    return sizes[kind];
}

void record_copy(content_part part, void *to, const void *from, uint64_t which)
{
    const content_form *form = &content_forms[part];
    for (size_t i = 0; i < form->count; i++)
        if (which >> i & 1)
            memcpy((char *)to + form->fields[i].at, (const char *)from + form->fields[i].at,
                   size_of(form->fields[i].kind));
}

void record_place(content_part part, void *row, const char *id, const source_object *obj)
{
    const content_form *form = &content_forms[part];
    for (size_t i = 0; i < form->count; i++) {
        const content_field *f = &form->fields[i];
        if (f->kind == FIELD_KEY)
            continue;
        if (strcmp(f->column, "id") == 0)
            *(const char **)member_of(f, row) = id;
        else if (strcmp(f->column, "pack") == 0)
            *(int64_t *)member_of(f, row) = obj->file->pack;
        else if (strcmp(f->column, "file") == 0)
            *(const char **)member_of(f, row) = obj->file->path;
        else if (strcmp(f->column, "line") == 0)
            *(int64_t *)member_of(f, row) = obj->line;
    }
}

/* ---- reading ---- */

static bool read_name(import *im, const source_object *obj, const char *id, const char *key,
                      const char **out)
{
    const json_t *value = json_object_get(obj->json, key);
    if (!value)
        return false;
    const bool good = json_is_string(value) || json_is_object(value);
    if (good)
        *out = import_name(value);
    else
        import_error(im, obj, id, import_pointer(im, "", key),
                     "'%s' must be a string or an object with 'str'", key);
    return good;
}

bool record_read_symbol(import *im, const source_object *obj, const char *id, int64_t *out)
{
    const json_t *sym = json_object_get(obj->json, "sym");
    const char *text = json_string_value(sym);
    uint32_t symbol = 0;
    if (!sym)
        return false;
    if (text && symbol_parse(text, &symbol)) {
        *out = symbol;
        return true;
    }
    if (text && symbol_first(text, &symbol)) {
        import_warning(im, obj, id, "/sym",
                       "'sym' has more than one character: the first counts");
    } else if (json_is_integer(sym) && symbol_is_good(json_integer_value(sym))) {
        symbol = (uint32_t)json_integer_value(sym);
    } else {
        import_error(im, obj, id, "/sym", "'sym' must be one printable character");
        return false;
    }
    *out = symbol;
    return true;
}

/* The nearest word, without what says where a colour is used ("c_"). */
static const char *suggest_color(import *im, const char *name)
{
    suggestion near;
    suggest_begin(&near, name[0] && name[1] == '_' ? name + 2 : name);
    for (size_t i = 0; color_word(i); i++)
        suggest_offer(&near, color_word(i));
    return suggest_text(im, &near);
}

bool record_read_color(import *im, const source_object *obj, const char *id, const char **out)
{
    color_name name;
    if (!import_get_string(im, obj, obj->json, "", "color", false, out))
        return false;
    if (!color_parse(&name, *out)) {
        import_warning(im, obj, id, "/color", "no such colour '%s'%s: white is taken", *out,
                       suggest_color(im, *out));
        *out = "white";
    }
    return true;
}

/* Reads the list, which under "extend" or "delete" changes what is there. */
static bool read_set(import *im, const source_object *obj, const char *id, const char *key,
                     string_list *out)
{
    string_list given, extend, remove;
    const json_t *json = obj->json;
    if (string_list_read(&given, im, obj, id, json, "", key, true))
        *out = given;
    string_list_read(&extend, im, obj, id, json_object_get(json, "extend"), "/extend", key,
                     true);
    string_list_read(&remove, im, obj, id, json_object_get(json, "delete"), "/delete", key,
                     true);
    string_list_make_set(&remove);
    string_list_change(out, im, &extend, &remove);
    return true;
}

static bool read_plain(import *im, const source_object *obj, const char *id,
                       const content_field *f, void *member)
{
    const bool required = f->reading == READ_REQUIRED;
    const json_t *json = obj->json;
    content_number *number = member;
    string_list list;
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_TEXT_OR_NULL:
        return import_get_string(im, obj, json, "", f->key, required, member);
    case FIELD_INT:
        return import_get_int(im, obj, json, "", f->key, required, (int64_t)f->lo,
                              (int64_t)f->hi, member);
    case FIELD_INT_OR_NULL:
        if (!import_get_int(im, obj, json, "", f->key, required, (int64_t)f->lo, (int64_t)f->hi,
                            &number->value))
            return false;
        number->given = true;
        return true;
    case FIELD_SWITCH:
        return import_get_bool(im, obj, json, "", f->key, member);
    case FIELD_LIST:
    case FIELD_LIST_OR_NULL:
        if (!string_list_read(&list, im, obj, id, json, "", f->key, true))
            return false;
        *(string_list *)member = list;
        return true;
    default:
        return false;
    }
}

static bool read_field(import *im, const source_object *obj, const char *id,
                       const content_field *f, void *row)
{
    void *member = member_of(f, row);
    switch (f->reading) {
    case READ_PLAIN:
    case READ_REQUIRED:
        return read_plain(im, obj, id, f, member);
    case READ_NAME:
        return read_name(im, obj, id, f->key, member);
    case READ_SYMBOL:
        return record_read_symbol(im, obj, id, member);
    case READ_COLOR:
        return record_read_color(im, obj, id, member);
    case READ_LABEL:
    case READ_EFFECT:
        if (!json_is_object(json_object_get(obj->json, f->key)))
            return read_plain(im, obj, id, f, member);
        *(const char **)member = f->reading == READ_LABEL
                                     ? import_name(json_object_get(obj->json, f->key))
                                     : import_json_text(im, json_object_get(obj->json, f->key));
        return true;
    case READ_SET:
        return read_set(im, obj, id, f->key, member);
    case READ_BY_CODE:
        break;
    }
    return false;
}

static bool is_among(const char *key, const char *const *keys, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(keys[i], key) != 0)
        i++;
    return i < count;
}

static bool is_known(const content_form *form, const char *key)
{
    bool sets = false;
    for (size_t i = 0; i < form->count; i++) {
        if (form->fields[i].key && strcmp(form->fields[i].key, key) == 0)
            return true;
        sets = sets || form->fields[i].reading == READ_SET;
    }
    return is_among(key, common_keys, sizeof common_keys / sizeof *common_keys) ||
           (sets && is_among(key, change_keys, sizeof change_keys / sizeof *change_keys)) ||
           json_is_comment(key);
}

void record_read(import *im, const source_object *obj, const char *id, content_part part,
                 void *row, uint64_t *present)
{
    const content_form *form = &content_forms[part];
    const char *key;
    json_t *value;
    for (size_t i = 0; i < form->count; i++)
        if (read_field(im, obj, id, &form->fields[i], row) && present)
            *present |= UINT64_C(1) << i;
    json_object_foreach(obj->json, key, value)
    {
        if (!is_known(form, key))
            import_count_unknown_key(im, obj, key);
    }
}
