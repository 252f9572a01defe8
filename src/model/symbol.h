/*
 * How an overmap terrain becomes concrete ones: id suffixes, line shapes and rotated symbols
 * (schema/generation.md 1.1). Pure: no JSON, no SQL. A terrain's shape is stored as
 * overmap_terrain.kind.
 */
#ifndef MODEL_SYMBOL_H
#define MODEL_SYMBOL_H

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
/* Returns the length of id without such a suffix of any kind, or that of id itself if it has
 * none. */
size_t terrain_base_length(const char *id);

/* One rotatable_symbol: 2 or 4 symbols, each the one before it rotated to the right. */
typedef struct symbol_tuple {
    uint32_t symbols[4];
    uint32_t count;
} symbol_tuple;

/* The symbol rotated to the right by `quarters`; unlisted ones stay as they are. */
uint32_t symbol_rotate(const symbol_tuple *tuples, size_t count, uint32_t symbol,
                       unsigned quarters);
/* Returns the box-drawing character of a line mask. */
uint32_t symbol_line(unsigned mask);

/* Reads the one code point of valid UTF-8 text; false if it holds none, several, or a
 * control. */
bool symbol_parse(const char *text, uint32_t *out);
/* The first code point of text that may have more; false if it is none or a control. */
bool symbol_first(const char *text, uint32_t *out);
/* Whether a code point can be a symbol: one that is safe to print (core/visible.h). */
bool symbol_is_good(int64_t code);

#endif
