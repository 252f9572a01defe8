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

/* Where a field lies in the row's struct. A FIELD_KEY has neither a column nor a member. */
#define PLACE(t, name)                 .column = #name, .at = (uint16_t)offsetof(t##_row, name)
#define PLACE_OF_KEY(t, name)          .key = #name
#define PLACE_OF_TEXT(t, name)         PLACE(t, name)
#define PLACE_OF_TEXT_OR_NULL(t, name) PLACE(t, name)
#define PLACE_OF_INT(t, name)          PLACE(t, name)
#define PLACE_OF_INT_OR_NULL(t, name)  PLACE(t, name)
#define PLACE_OF_REAL(t, name)         PLACE(t, name)
#define PLACE_OF_REAL_OR_NULL(t, name) PLACE(t, name)
#define PLACE_OF_SWITCH(t, name)       PLACE(t, name)
#define PLACE_OF_LIST(t, name)         PLACE(t, name)
#define PLACE_OF_LIST_OR_NULL(t, name) PLACE(t, name)
#define PLACE_OF_BLOB(t, name)         PLACE(t, name)
#define COLUMN_OF_KEY(name)
#define COLUMN_OF_TEXT(name)         ", " #name
#define COLUMN_OF_TEXT_OR_NULL(name) ", " #name
#define COLUMN_OF_INT(name)          ", " #name
#define COLUMN_OF_INT_OR_NULL(name)  ", " #name
#define COLUMN_OF_REAL(name)         ", " #name
#define COLUMN_OF_REAL_OR_NULL(name) ", " #name
#define COLUMN_OF_SWITCH(name)       ", " #name
#define COLUMN_OF_LIST(name)         ", " #name
#define COLUMN_OF_LIST_OR_NULL(name) ", " #name
#define COLUMN_OF_BLOB(name)         ", " #name

#define DESCRIBE(t, field_kind, name, ...)                                                     \
    {.kind = FIELD_##field_kind, PLACE_OF_##field_kind(t, name), __VA_ARGS__},
#define COLUMN(t, field_kind, name, ...) COLUMN_OF_##field_kind(name)
#define FIELDS_OF(part, list, name, ...)                                                       \
    static const content_field name##_fields[] = {list##_ROW(DESCRIBE, name)};
CONTENT_TABLES(FIELDS_OF)

/* Each column begins with ", "; skipping two bytes leaves the first one out. */
#define FORM_OF(part, list, name, sorted_by, is_checked, is_again)                             \
    [CONTENT_##part] = {.table = #name,                                                        \
                        .columns = &(list##_ROW(COLUMN, name))[2],                             \
                        .key = (sorted_by),                                                    \
                        .fields = name##_fields,                                               \
                        .count = sizeof name##_fields / sizeof *name##_fields,                 \
                        .size = sizeof(name##_row),                                            \
                        .checked = (is_checked),                                               \
                        .again = (is_again)},
const content_form content_forms[CONTENT_PARTS] = {CONTENT_TABLES(FORM_OF)};
