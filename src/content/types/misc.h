/* map_extra and rotatable_symbol, as other modules refer to them. */
#ifndef CONTENT_TYPES_MISC_H
#define CONTENT_TYPES_MISC_H

#include "content/types/types.h"
#include "model/symbol.h"

struct misc_model {
    symbol_tuple *tuples; /* rotatable_symbol, in import order */
    const source_object **tuple_objects;
    size_t tuple_count;
};

/* What a list of map extras may name for "nothing", without a definition. */
#define MAP_EXTRA_NONE "mx_null"

#endif
