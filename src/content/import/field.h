/* A JSON value that is being read, with its object and its place in the text. If a special
 * inherits the value, object and place are those of the ancestor. */
#pragma once

#include "content/import/import.h"

typedef struct field {
    import *im;
    struct special *sp; /* the special that the value belongs to; NULL: none */
    const source_object *obj;
    const char *id; /* id of the definition that is read; NULL: the object's own id */
    /* If `key` is not NULL: JSON Pointer to the value that contains this one. If `key` is NULL:
     * JSON Pointer to this value, or, if this value is absent, to the value that lacks it. */
    const char *in;
    const char *key;
    json_t *value;  /* borrowed; NULL: the JSON has no such value */
    json_t *holder; /* borrowed: the object that has the value, or lacks it; NULL: none */
} field;

/* Returns the JSON Pointer to the value itself. */
const char *field_pointer(field f);

/* Report an error, a warning or an unknown reference in the field's value, as import_error,
 * import_warning and import_unresolved do. field_error returns false, so that a function can
 * end with `return field_error(...)`. */
bool field_error(field f, remark_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void field_warning(field f, remark_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void field_unresolved(field f, remark_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns a field whose value is the JSON object itself. */
field field_of(import *im, const source_object *obj, const char *id);
/* Return a member or an element of f's value as a field of its own, whose value is NULL if it
 * is absent. */
field field_key(field f, const char *key);
field field_at(field f, size_t index);

/* Those of the next functions that return bool return false if the value is absent or wrong. If
 * it is wrong, they report that themselves. */
bool field_array(field f); /* true if the value is an array */
bool field_object(field f);
/* Reports that `what` is missing if the value is absent, and names a key of the same object
 * that may be a misspelt `what`. */
bool field_required(field f, const char *what);
bool field_string(field f, const char **out);
bool field_int(field f, int64_t lo, int64_t hi, int64_t *out);
bool field_number(field f, double *out);
bool field_bool(field f, bool *out);
bool field_pair(field f, int64_t lo, int64_t hi, int64_t out[2]);
/* Reads a text that must be one of the names (a list that ends with NULL), and gives the index
 * of that name. */
bool field_choice(field f, const char *what, const char *const names[], int *out);
/* Does what field_choice does for a text that was read already, such as a key. */
bool field_choose(field f, const char *what, const char *text, const char *const names[],
                  int *out);
/* Reports "expected WHAT, found a string" (or what the value is in place of a string), and
 * returns false. */
bool field_expected(field f, const char *what);
/* Is the value an integer (3 or 3.0) that fits into int64_t? */
bool field_is_integer(const json_t *value, int64_t *out);
