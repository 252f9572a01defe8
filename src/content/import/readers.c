/*
 * Typed readers: a value of the wrong type is reported where it stands, and the reading goes
 * on.
 */
#include "content/import/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *import_type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a boolean";
    case JSON_NULL:
        return "null";
    }
    return "something else";
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

/* Returns the member; NULL if it is missing, which is reported if it is required. */
static const json_t *member(import *im, const source_object *obj, const json_t *in,
                            const char *pointer, const char *key, bool required)
{
    const json_t *value = json_object_get(in, key);
    if (!value && required)
        import_error(im, obj, NULL, pointer, "missing key '%s'", key);
    return value;
}

static bool wrong_type(import *im, const source_object *obj, const char *pointer,
                       const char *key, const char *expected, const json_t *value)
{
    import_error(im, obj, NULL, import_pointer(im, pointer, key), "'%s': expected %s, found %s",
                 key, expected, import_type_name(value));
    return false;
}

bool import_get_string(import *im, const source_object *obj, const json_t *in,
                       const char *pointer, const char *key, bool required, const char **out)
{
    const json_t *value = member(im, obj, in, pointer, key, required);
    if (!value)
        return false;
    if (!json_is_string(value))
        return wrong_type(im, obj, pointer, key, "a string", value);
    *out = json_string_value(value);
    return true;
}

/* Whether value is an integer, 3 or 3.0, that int64_t holds. */
static bool as_integer(const json_t *value, int64_t *out)
{
    if (json_is_integer(value)) {
        *out = json_integer_value(value);
        return true;
    }
    const double limit = 9007199254740992.0; /* beyond it a double is no exact integer */
    double number = json_is_real(value) ? json_real_value(value) : limit;
    if (!(number > -limit && number < limit) || number != floor(number))
        return false;
    *out = (int64_t)number;
    return true;
}

bool import_get_int(import *im, const source_object *obj, const json_t *in, const char *pointer,
                    const char *key, bool required, int64_t lo, int64_t hi, int64_t *out)
{
    const json_t *value = member(im, obj, in, pointer, key, required);
    int64_t number;
    if (!value)
        return false;
    if (!as_integer(value, &number))
        return wrong_type(im, obj, pointer, key, "an integer", value);
    if (number < lo || number > hi) {
        import_error(im, obj, NULL, import_pointer(im, pointer, key),
                     "'%s': %" PRId64 " is not between %" PRId64 " and %" PRId64, key, number,
                     lo, hi);
        return false;
    }
    *out = number;
    return true;
}

bool import_get_number(import *im, const source_object *obj, const json_t *in,
                       const char *pointer, const char *key, bool required, double *out)
{
    const json_t *value = member(im, obj, in, pointer, key, required);
    if (!value)
        return false;
    if (!json_is_number(value))
        return wrong_type(im, obj, pointer, key, "a number", value);
    *out = json_number_value(value);
    return true;
}

bool import_get_bool(import *im, const source_object *obj, const json_t *in,
                     const char *pointer, const char *key, bool *out)
{
    const json_t *value = member(im, obj, in, pointer, key, false);
    if (!value)
        return false;
    if (!json_is_boolean(value))
        return wrong_type(im, obj, pointer, key, "true or false", value);
    *out = json_is_true(value);
    return true;
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
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *copy = text ? arena_strdup(im->arena, text) : NULL;
    if (!copy)
        import_no_memory(im);
    free(text);
    return copy;
}
