/* Turns rows of UTF-8 into cells. A character is a code point with the combining marks behind
 * it. */
#include "mapgen/compile/compile_impl.h"

#include "core/utf8.h"

/* Returns the number of bytes of the character that begins at text. */
static size_t symbol_size(const char *text, size_t size)
{
    uint32_t code;
    size_t used = utf8_decode(text, size, &code);
    while (used < size && (unsigned char)text[used] >= 0x80) {
        const size_t more = utf8_decode(text + used, size - used, &code);
        if (code == UTF8_BAD || utf8_columns(code) != 0)
            break;
        used += more;
    }
    return used;
}

uint32_t compile_symbol(mapgen_compiler *c, json_view key)
{
    size_t length;
    const char *text = json_view_text(key, &c->text, &length);
    if (!text || length == 0 || symbol_size(text, length) != length)
        return ID_NONE;
    return id_pool_put(c->context.pool, text, length);
}

/* The text of a row, and how far it was read. */
typedef struct row_reader {
    const char *at, *end;
} row_reader;

/* A drawing that is being read. For characters of one byte it remembers the symbol's
 * number. */
typedef struct drawing {
    uint16_t letters[128]; /* number of the symbol + 1; 0: not seen yet */
    uint16_t *cells;       /* of the row that is being read */
} drawing;

/* Returns the number of a character among the drawing's symbols. It is added at its first
 * use. */
static uint16_t symbol_number(mapgen_compiler *c, const char *text, size_t size)
{
    enum { SYMBOLS_MAX = UINT16_MAX - 1 };
    const uint32_t id = id_pool_put(c->context.pool, text, size);
    symbol_place *place = place_of(c, id);
    if (!place)
        return 0;
    if (place->stamp != c->stamp) {
        uint32_t *symbol =
            c->symbols.count < SYMBOLS_MAX ? GROWING_ADD(c, &c->symbols, uint32_t) : NULL;
        if (!symbol)
            return 0;
        *symbol = id;
        *place = (symbol_place){c->stamp, c->symbols.count - 1};
    }
    return (uint16_t)place->index;
}

static bool is_ascii(const char *text, size_t size)
{
    uint64_t bits = 0, word;
    for (; size >= sizeof word; text += sizeof word, size -= sizeof word) {
        memcpy(&word, text, sizeof word);
        bits |= word;
    }
    for (; size > 0; size--)
        bits |= (unsigned char)*text++;
    return !(bits & UINT64_C(0x8080808080808080));
}

/* Does the same as read_row for a row in which each byte is a character. */
static size_t read_letters(mapgen_compiler *c, drawing *d, row_reader row)
{
    const size_t size = (size_t)(row.end - row.at), width = (size_t)c->width;
    const size_t count = size < width ? size : width;
    const unsigned char *text = (const unsigned char *)row.at;
    uint16_t *cells = d->cells;
    for (size_t i = 0; i < count; i++) {
        uint16_t letter = d->letters[text[i]];
        if (letter == 0)
            letter = d->letters[text[i]] = (uint16_t)(symbol_number(c, row.at + i, 1) + 1);
        cells[i] = (uint16_t)(letter - 1);
    }
    return size;
}

/* Reads a row into the cells, up to the drawing's width. Returns how many characters the row
 * has, also those beyond the width. */
static size_t read_row(mapgen_compiler *c, drawing *d, row_reader row)
{
    size_t count = 0;
    const size_t width = (size_t)c->width;
    while (row.at < row.end) {
        const unsigned char first = (unsigned char)*row.at;
        const bool alone =
            first < 0x80 && (row.at + 1 == row.end || (unsigned char)row.at[1] < 0x80);
        const size_t size = alone ? 1 : symbol_size(row.at, (size_t)(row.end - row.at));
        if (count < width && alone) {
            if (d->letters[first] == 0)
                d->letters[first] = (uint16_t)(symbol_number(c, row.at, 1) + 1);
            d->cells[count] = (uint16_t)(d->letters[first] - 1);
        } else if (count < width) {
            d->cells[count] = symbol_number(c, row.at, size);
        }
        count++;
        row.at += size;
    }
    return count;
}

bool compile_rows(mapgen_compiler *c, json_view rows)
{
    if (json_view_kind(rows) != VIEW_ARRAY) {
        remark(c, 4, rows, "'rows' must be a list of strings, not %s",
               json_view_kind_name(rows));
        return false;
    }
    const size_t count = json_view_count(rows), height = (size_t)c->height;
    if (count < height) {
        remark(c, 101, rows, "%zu rows, %zu are needed", count, height);
        return false;
    }
    if (count > height)
        remark(c, 102, rows, "more rows than needed: the rest does not count");
    c->stamp++; /* from here on the places of characters are the drawing's, not the unit's */
    uint16_t *cells = growing_cells(c, (uint32_t)(c->width * c->height));
    if (!cells)
        return false;
    drawing d = {.letters = {0}};
    bool good = true;
    for (json_walk w = json_walk_of(rows); json_walk_next(&w) && w.index < height;) {
        d.cells = cells + w.index * (size_t)c->width;
        size_t length;
        const char *text = json_view_text(w.value, &c->text, &length);
        if (!text) {
            remark(c, 4, w.value, "a row must be a string, not %s",
                   json_view_kind_name(w.value));
            good = false;
            continue;
        }
        const row_reader reader = {text, text + length};
        const size_t columns =
            (is_ascii(text, length) ? read_letters : read_row)(c, &d, reader);
        if (columns < (size_t)c->width)
            remark(c, 101, w.value, "row %zu has %zu columns, %d are needed", w.index + 1,
                   columns, (int)c->width);
        else if (columns > (size_t)c->width)
            remark(c, 102, w.value,
                   "a row has more columns than needed: the rest does not count");
        good = good && columns >= (size_t)c->width;
    }
    return good;
}
