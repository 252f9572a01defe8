/* The schema of a stream: names, types and metadata of its columns. */
#pragma once

#include "columns/column.h"

/* An entry of a schema's metadata. */
typedef struct schema_note {
    const char *key, *text; /* text NULL: the entry is left out */
} schema_note;

/* Makes the schema of a struct array with these columns. specs and columns have `count`
 * entries, notes `note_count`. Returns false when memory is out; out->release is NULL then. */
bool schema_make(struct ArrowSchema *out, const column_spec *specs, const column_data *columns,
                 size_t count, const schema_note *notes, size_t note_count);
