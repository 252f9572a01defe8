/* Tables of id suffixes, line shapes and symbols. */
#include "model/symbol.h"

#include "core/utf8.h"
#include "core/visible.h"

#include <string.h>

static const char *const rotation_suffixes[4] = {"_north", "_east", "_south", "_west"};

/* Index: the mask of connected sides, bit 0 north, 1 east, 2 south, 3 west. */
static const char *const line_suffixes[16] = {
    "_isolated", "_end_south", "_end_west", "_ne",  "_end_north", "_ns",  "_es",  "_nes",
    "_end_east", "_wn",        "_ew",       "_new", "_sw",        "_nsw", "_esw", "_nesw"};

/* Symbols U+25xx, by the mask of connected sides. A line's end is drawn as a straight line. */
static const uint16_t line_symbols[16] = {0x253c, 0x2502, 0x2500, 0x2514, 0x2502, 0x2502,
                                          0x250c, 0x251c, 0x2500, 0x2518, 0x2500, 0x2534,
                                          0x2510, 0x2524, 0x252c, 0x253c};

unsigned terrain_variant_count(ptl_terrain_shape shape)
{
    return shape == PTL_TERRAIN_LINE ? 16 : shape == PTL_TERRAIN_ROTATABLE ? 4 : 1;
}

const char *terrain_suffix(ptl_terrain_shape shape, unsigned variant)
{
    if (shape == PTL_TERRAIN_LINE)
        return line_suffixes[variant & 15];
    return shape == PTL_TERRAIN_ROTATABLE ? rotation_suffixes[variant & 3] : "";
}

size_t terrain_base_length(const char *id)
{
    size_t length = strlen(id), best = length;
    for (unsigned i = 0; i < 20; i++) {
        const char *suffix = i < 16 ? line_suffixes[i] : rotation_suffixes[i - 16];
        size_t size = strlen(suffix);
        if (length > size && strcmp(id + length - size, suffix) == 0 && length - size < best)
            best = length - size;
    }
    return best;
}

size_t terrain_shape_length(const char *key)
{
    static const char *const shapes[] = {"_straight", "_curved", "_end", "_tee", "_four_way"};
    const size_t length = strlen(key);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const size_t size = strlen(shapes[i]);
        if (length > size && strcmp(key + length - size, shapes[i]) == 0)
            return length - size;
    }
    return length;
}

uint32_t symbol_rotate(const symbol_tuple *tuples, size_t count, uint32_t symbol,
                       unsigned quarters)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < tuples[i].count; k++)
            if (tuples[i].symbols[k] == symbol)
                return tuples[i].symbols[(k + quarters) % tuples[i].count];
    return symbol;
}

uint32_t symbol_line(unsigned mask)
{
    return line_symbols[mask & 15];
}

bool symbol_is_good(int64_t code)
{
    return code >= 0 && code <= 0x10ffff && !visible_unsafe((uint32_t)code);
}

bool symbol_first(const char *text, uint32_t *out)
{
    return text[0] != '\0' && utf8_decode(text, strlen(text), out) > 0 && *out != UTF8_BAD &&
           symbol_is_good(*out);
}

bool symbol_parse(const char *text, uint32_t *out)
{
    const size_t size = strlen(text);
    return size > 0 && utf8_decode(text, size, out) == size && symbol_is_good(*out);
}
