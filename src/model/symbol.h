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
/* Returns what a variant's id ends in: "", "_north" .. "_west" for variant 0..3, or "_isolated"
 * .. "_nesw" for line mask 0..15 (bit 0 north, 1 east, 2 south, 3 west). "_end_south" is the
 * southern end: it opens to the north. */
const char *terrain_suffix(ptl_terrain_shape shape, unsigned variant);
/* Returns the length of an id without its suffix, of whatever shape; the full length if it
 * has none. */
size_t terrain_base_length(const char *id);

/* One rotatable_symbol: 2 or 4 symbols, each of which is the previous one rotated to the
 * right. */
typedef struct symbol_tuple {
    uint32_t symbols[4];
    uint32_t count;
} symbol_tuple;

/* Returns a symbol rotated to the right by `quarters` quarter turns; a symbol that no tuple
 * has stays as it is. */
uint32_t symbol_rotate(const symbol_tuple *tuples, size_t count, uint32_t symbol,
                       unsigned quarters);
/* Returns the box-drawing character of a line mask. */
uint32_t symbol_line(unsigned mask);

/* Reads a text of exactly one code point in valid UTF-8. False if it has none or several,
 * or a control. */
bool symbol_parse(const char *text, uint32_t *out);
/* Reads the first code point of a text, which may have more; false if there is none, or it
 * is a control. */
bool symbol_first(const char *text, uint32_t *out);
/* Can the code point be a symbol, that is, is it safe to print (core/visible.h)? */
bool symbol_is_good(int64_t code);
