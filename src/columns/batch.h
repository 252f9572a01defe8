/* Columns as a batch of a stream. */
#pragma once

#include "columns/column.h"

/* Hands `count` columns over to *out, as the children of a struct array, and leaves them empty,
 * with their types. `dictionary` is copied for columns of oters. Returns false when memory is
 * out; out->release is NULL then. */
bool batch_make(struct ArrowArray *out, column_data *columns, size_t count,
                const column_dictionary *dictionary);
