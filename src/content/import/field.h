/*
 * A value on its way in: whose it is, and where its text stands (of a special the special's own
 * object, or that of an ancestor it was copied from).
 */
#ifndef CONTENT_IMPORT_FIELD_H
#define CONTENT_IMPORT_FIELD_H

#include "content/import/import.h"

typedef struct field {
    import *im;
    struct special *sp; /* NULL: of no special */
    const source_object *obj;
    const char *id; /* of what is read; NULL: the object's */
    const char *in; /* pointer to what the value is in, to the value itself without a key; to
                     * what it is missing from if absent */
    const char *key;
    json_t *value; /* borrowed; NULL: absent */
} field;

const char *field_pointer(field f);

/* Report something of the value, as import_error, import_warning and import_unresolved do. */
void field_error(field f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void field_warning(field f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void field_unresolved(field f, const char *format, ...) __attribute__((format(printf, 2, 3)));

field field_key(field f, const char *key);
field field_at(field f, size_t index);

/* Those that return bool say false if the value is absent or wrong; being wrong was reported.
 */
bool field_array(field f); /* is it there, and an array? */
bool field_object(field f);
bool field_required(field f, const char *what); /* reports an absent one */
bool field_string(field f, const char **out);
bool field_int(field f, int64_t lo, int64_t hi, int64_t *out);
bool field_number(field f, double *out);
bool field_bool(field f, bool *out);
bool field_pair(field f, int64_t lo, int64_t hi, int64_t out[2]);
/* Reads one of the names (NULL-terminated), and gives its index. */
bool field_choice(field f, const char *what, const char *const names[], int *out);
/* The same of a text that is there already, such as a key. */
bool field_choose(field f, const char *what, const char *text, const char *const names[],
                  int *out);
/* Reports "expected WHAT, found a string" or what else the value is. */
void field_expected(field f, const char *what);
/* Whether a value is an integer, 3 or 3.0, that int64_t holds. */
bool field_is_integer(const json_t *value, int64_t *out);

#endif
