/* Reads single values. A `field` is a JSON value with its place in the text, so that every
 * function here reports a wrong value by itself; callers only need to know whether reading
 * succeeded. */
#include "content/import/field.h"

#include "content/import/source.h"
#include "core/suggest.h"
#include "json/json_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Returns "an array", "a string" and so on, for messages about a value of the wrong type. */
static const char *import_type_name(const json_t *value)
{
    /* Names of types, in the order of Jansson's json_type. */
    static const char *const names[] = {"an object", "an array",  "a string",  "an integer",
                                        "a number",  "a boolean", "a boolean", "null"};
    return names[json_typeof(value)];
}

const char *import_pointer(import *im, const char *parent, const char *key)
{
    size_t length = strlen(parent), key_length = strlen(key);
    char *out = arena_alloc(im->arena, length + 2 * key_length + 2);
    if (!out) {
        im->source->status = PTL_ERR_NOMEM;
        return "";
    }
    memcpy(out, parent, length);
    char *at = out + length;
    *at++ = '/';
    for (; *key; key++) {
        if (*key == '~' || *key == '/') {
            *at++ = '~';
            *at++ = *key == '~' ? '0' : '1';
        } else {
            *at++ = *key;
        }
    }
    *at = '\0';
    return out;
}

const char *import_pointer_at(import *im, const char *parent, size_t index)
{
    char key[24];
    snprintf(key, sizeof key, "%zu", index);
    return import_pointer(im, parent, key);
}

const char *import_printf(import *im, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char *text = length < 0 ? NULL : arena_bytes(im->arena, (size_t)length + 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    else
        import_no_memory(im);
    va_end(again);
    va_end(args);
    return text ? text : "";
}

/* ---- fields ---- */

field field_of(import *im, const source_object *obj, const char *id)
{
    return (field){.im = im, .obj = obj, .id = id, .in = "", .value = obj->json};
}

const char *field_pointer(field f)
{
    return f.key ? import_pointer(f.im, f.in, f.key) : f.in;
}

field field_key(field f, const char *key)
{
    field out = f;
    out.in = field_pointer(f);
    out.value = json_object_get(f.value, key);
    out.key = out.value ? key : NULL;
    out.holder = f.value;
    return out;
}

field field_at(field f, size_t index)
{
    field out = f;
    out.in = import_pointer_at(f.im, field_pointer(f), index);
    out.key = NULL;
    out.holder = NULL;
    out.value = json_array_get(f.value, index);
    return out;
}

enum { LABEL_MAX = 50 };

/* Returns "'key': ", to begin a message with, for a member of an object; "" for an element of
 * an array, or a key that is too long to repeat. */
static const char *label(field f, char text[LABEL_MAX + 5])
{
    text[0] = '\0';
    if (f.key && (f.key[0] < '0' || f.key[0] > '9') && strlen(f.key) <= LABEL_MAX)
        snprintf(text, LABEL_MAX + 5, "'%s': ", f.key);
    return text;
}

bool field_expected(field f, const char *what)
{
    char text[LABEL_MAX + 5];
    return field_error(f, CT101, "%sexpected %s, found %s", label(f, text), what,
                       import_type_name(f.value));
}

bool field_array(field f)
{
    return f.value && (json_is_array(f.value) || field_expected(f, "an array"));
}

bool field_object(field f)
{
    return f.value && (json_is_object(f.value) || field_expected(f, "an object"));
}

bool field_required(field f, const char *what)
{
    if (f.value)
        return true;
    suggestion near;
    suggest_begin(&near, what);
    for (void *i = json_object_iter(f.holder); i; i = json_object_iter_next(f.holder, i))
        suggest_offer(&near, json_object_iter_key(i));
    return suggest_is_misspelt(&near)
               ? field_error(f, CT102, "missing key '%s'; is it meant by '%s'?", what,
                             near.best)
               : field_error(f, CT102, "missing key '%s'", what);
}

bool field_string(field f, const char **out)
{
    if (!f.value)
        return false;
    if (!json_is_string(f.value))
        return field_expected(f, "a string");
    *out = json_string_value(f.value);
    return true;
}

bool field_number(field f, double *out)
{
    if (!f.value)
        return false;
    if (!json_is_number(f.value))
        return field_expected(f, "a number");
    *out = json_number_value(f.value);
    return true;
}

/* Is the value an integer (3 or 3.0) that fits into int64_t? */
bool field_is_integer(const json_t *value, int64_t *out)
{
    if (json_is_integer(value)) {
        *out = json_integer_value(value);
        return true;
    }
    const double limit = 9007199254740992.0; /* doubles beyond this are not exact integers */
    double number = json_is_real(value) ? json_real_value(value) : limit;
    if (!(number > -limit && number < limit) || number != floor(number))
        return false;
    *out = (int64_t)number;
    return true;
}

bool field_int(field f, int64_t lo, int64_t hi, int64_t *out)
{
    char text[LABEL_MAX + 5];
    int64_t v;
    if (!f.value)
        return false;
    if (!field_is_integer(f.value, &v))
        return field_expected(f, "an integer");
    if (v < lo || v > hi)
        return field_error(f, CT103, "%s%" PRId64 " is not between %" PRId64 " and %" PRId64,
                           label(f, text), v, lo, hi);
    *out = v;
    return true;
}

bool field_bool(field f, bool *out)
{
    if (!f.value)
        return false;
    if (!json_is_boolean(f.value))
        return field_expected(f, "true or false");
    *out = json_is_true(f.value);
    return true;
}

bool field_pair(field f, int64_t lo, int64_t hi, int64_t out[2])
{
    if (!f.value)
        return false;
    if (!json_is_array(f.value))
        return field_expected(f, "two integers [a, b]");
    if (json_array_size(f.value) != 2)
        return field_error(f, CT101, "expected two integers [a, b], found %zu",
                           json_array_size(f.value));
    int64_t pair[2];
    for (size_t i = 0; i < 2; i++) {
        if (!field_int(field_at(f, i), lo, hi, &pair[i]))
            return false;
    }
    memcpy(out, pair, sizeof pair);
    return true;
}

bool field_choice(field f, const char *what, const char *const names[], int *out)
{
    const char *text = "";
    return field_string(f, &text) && field_choose(f, what, text, names, out);
}

bool field_choose(field f, const char *what, const char *text, const char *const names[],
                  int *out)
{
    suggestion s;
    suggest_begin(&s, text);
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], text) == 0) {
            *out = i;
            return true;
        }
        suggest_offer(&s, names[i]);
    }
    field_error(f, CT105, "no such %s '%s'%s", what, text, suggest_text(f.im, &s));
    return false;
}

const char *import_name(const json_t *value)
{
    if (json_is_object(value)) {
        const json_t *text = json_object_get(value, "str");
        value = text ? text : json_object_get(value, "str_sp");
    }
    return json_is_string(value) ? json_string_value(value) : "";
}

const char *import_json_text(import *im, const json_t *value)
{
    bytes text = {.size = 0};
    json_put(&text, value);
    const char *copy =
        text.failed ? NULL : arena_strndup(im->arena, (const char *)text.data, text.size);
    if (!copy)
        import_no_memory(im);
    bytes_dispose(&text);
    return copy;
}
