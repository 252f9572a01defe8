/*
 * How an overmap terrain becomes oters: id suffixes, line shapes and rotated symbols
 * (schema/generation.md 1.1). Pure functions without JSON or SQL. A terrain's shape is stored
 * as overmap_terrain.kind.
 */
#pragma once

#include "portolan/catalogue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns how many variants a terrain of the shape has: 1, 4 or 16. */
unsigned terrain_variant_count(ptl_terrain_shape shape);
/* Returns the end of a variant's id: "" if the shape has a single variant, "_north" .. "_west"
 * for the rotations 0..3, or "_isolated" .. "_nesw" for the line masks 0..15 (bit 0 north, 1
 * east, 2 south, 3 west). "_end_south" is the southern end of a line: it is open to the north.
 */
const char *terrain_suffix(ptl_terrain_shape shape, unsigned variant);
/* Returns the length of an id without the suffix of a rotation or line shape; the full length
 * if it has no such suffix. */
size_t terrain_base_length(const char *id);
/* Returns the length of the key of an entry of mapgen without the shape of a line that may end
 * it (_straight, _curved, _end, _tee or _four_way); the full length if it has none. */
size_t terrain_shape_length(const char *key);

/* One rotatable_symbol: 2 or 4 symbols, each of which is the previous one rotated to the
 * right. */
typedef struct symbol_tuple {
    uint32_t symbols[4];
    uint32_t count;
} symbol_tuple;

/* Returns a symbol rotated to the right by `quarters` quarter turns; a symbol that is in no
 * tuple stays as it is. */
uint32_t symbol_rotate(const symbol_tuple *tuples, size_t count, uint32_t symbol,
                       unsigned quarters);
/* Returns the box-drawing character of a line mask. */
uint32_t symbol_line(unsigned mask);

/* Reads a text of exactly one code point in valid UTF-8. False if the text has none or
 * several, or if the code point is not safe to print. */
bool symbol_parse(const char *text, uint32_t *out);
/* Reads the first code point of a text, which may have more. False if there is none, or if it
 * is not safe to print. */
bool symbol_first(const char *text, uint32_t *out);
/* Can the code point be a symbol, that is, is it safe to print (core/visible.h)? */
bool symbol_is_good(int64_t code);
