/* map_extra, overmap_land_use_code and rotatable_symbol, which other modules refer to. */
#ifndef CONTENT_TYPES_MISC_H
#define CONTENT_TYPES_MISC_H

#include "content/types/types.h"
#include "model/symbol.h"

struct misc_model {
    definition_list map_extras;
    definition_list land_use_codes;
    symbol_tuple *tuples; /* rotatable_symbol, in import order */
    const source_object **tuple_objects;
    size_t tuple_count;
};

/* What a list of map extras may name for "nothing", without a definition. */
#define MAP_EXTRA_NONE "mx_null"

bool map_extra_exists(const import *im, const char *id);
const char *map_extra_suggest(import *im, const char *id);
bool land_use_code_exists(const import *im, const char *id);
const char *land_use_code_suggest(import *im, const char *id);

/* Returns ", did you mean ...?" for an unknown id among a list's ids, or "". */
const char *definition_suggest(import *im, const definition_list *list, const char *id);

#endif
