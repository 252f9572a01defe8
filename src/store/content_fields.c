#include "store/content_fields.h"

/* The descriptions of fields and tables, made from the lists of content_tables.h. */
#define SCALED          .scaled = true
#define LOADED          .loaded = true
#define STORED          .loaded = false
#define JSON(name, how) .key = (name), .reading = READ_##how
#define RANGE(a, b)     .lo = (a), .hi = (b)
#define COORDINATE      RANGE(-CONTENT_COORDINATE_MAX, CONTENT_COORDINATE_MAX)
#define LEVEL           RANGE(-CONTENT_HEIGHT_MAX, CONTENT_HEIGHT_MAX)
#define OMT_LEVEL       RANGE(-CONTENT_OMT_HEIGHT_MAX, CONTENT_OMT_HEIGHT_MAX)
#define ANY_32          RANGE(INT32_MIN, INT32_MAX)
#define COUNT_32        RANGE(0, INT32_MAX)

#define DESCRIBE(t, field_kind, name, ...)                                                     \
    {.kind = FIELD_##field_kind,                                                               \
     .column = #name,                                                                          \
     .at = (uint16_t)offsetof(t##_row, name),                                                  \
     __VA_ARGS__},
#define DESCRIBE_KEY(t, name, ...)       {.kind = FIELD_KEY, .key = #name, __VA_ARGS__},
#define COLUMN(t, field_kind, name, ...) ", " #name
#define NO_COLUMN(t, name, ...)
#define FIELDS_OF(part, name, ...)                                                             \
    static const content_field name##_fields[] = {                                             \
        CONTENT_##part##_ROW(DESCRIBE, DESCRIBE_KEY, name)};
CONTENT_TABLES(FIELDS_OF)

/* Describes the table of one part. The macro COLUMN puts ", " before the name of each column,
 * also before the first one. So the list of columns begins at its character 2, behind the first
 * ", ". */
#define FORM_OF(part, name, sorted_by, is_checked, is_again)                                   \
    [CONTENT_##part] = {.table = #name,                                                        \
                        .columns = &(CONTENT_##part##_ROW(COLUMN, NO_COLUMN, name))[2],        \
                        .key = (sorted_by),                                                    \
                        .fields = name##_fields,                                               \
                        .count = sizeof name##_fields / sizeof *name##_fields,                 \
                        .size = sizeof(name##_row),                                            \
                        .checked = (is_checked),                                               \
                        .again = (is_again)},
const content_form content_forms[CONTENT_PARTS] = {CONTENT_TABLES(FORM_OF)};
