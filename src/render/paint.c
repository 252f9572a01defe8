/*
 * Painting cells. Without symbols a cell is a square of its area colour. With symbols it is
 * the symbol in its ink over its paper; where the content names no paper, in the lightened ink
 * over the dimmed area colour, so that woods and waters still read as areas from a distance.
 */
#include "render/paint.h"

#include "core/utf8.h"
#include "core/visible.h"
#include "render/font.h"

#include <stdlib.h>
#include <string.h>

/* What steers a terminal, or takes other than one column, would break the lines of a map. */
static bool is_printable(uint32_t symbol)
{
    return !visible_unsafe(symbol) && utf8_columns(symbol) == 1;
}

look *looks_new(const catalogue *cat)
{
    look *looks = calloc(catalogue_all_oters(cat) + 1, sizeof *looks);
    if (!looks)
        return NULL;
    for (size_t i = 0; i < catalogue_all_oters(cat); i++) {
        const cat_oter *o = &cat->oters[i];
        look l = {.symbol = is_printable(o->symbol) ? o->symbol : '?'};
        const char *name =
            o->terrain < catalogue_all_terrains(cat) ? cat->terrains[o->terrain].color : "";
        (void)palette_style(&l.colours, name ? name : "");
        if (o->flags & CAT_FLAG_LINEAR)
            l.line = o->line & 0xf;
        if (l.line == 0)
            l.line = font_line_mask(o->symbol);
        looks[i] = l;
    }
    looks[catalogue_all_oters(cat)] =
        (look){.colours = {PALETTE_UNSAVED, PALETTE_UNSAVED, PALETTE_UNSAVED}, .symbol = ' '};
    return looks;
}

static void fill(uint8_t *out, int32_t from, int32_t to, uint8_t value)
{
    if (to > from)
        memset(out + from, value, (size_t)(to - from));
}

static void paint_glyph(uint8_t *out, const uint8_t *glyph, int32_t scale, int32_t row,
                        uint8_t ink)
{
    int32_t zoom = scale / (FONT_HEIGHT + 1);
    int32_t top = (scale - FONT_HEIGHT * zoom) / 2, left = (scale - FONT_WIDTH * zoom) / 2;
    if (row < top || row >= top + FONT_HEIGHT * zoom)
        return;
    uint8_t bits = glyph[(row - top) / zoom];
    for (int32_t i = 0; i < FONT_WIDTH; i++)
        if (bits & (1u << (FONT_WIDTH - 1 - i)))
            fill(out, left + i * zoom, left + (i + 1) * zoom, ink);
}

void paint_cell_row(uint8_t *out, const look *l, int32_t scale, int32_t row, bool symbols)
{
    const style *s = &l->colours;
    if (!symbols || s->area >= PALETTE_UNSAVED || scale <= FONT_HEIGHT) {
        memset(out, s->area, (size_t)scale);
        return;
    }
    bool plain = s->paper == PALETTE_NONE;
    uint8_t paper = plain ? (uint8_t)(s->area + PALETTE_DIM) : s->paper;
    uint8_t ink = plain ? (uint8_t)(s->ink + PALETTE_LIGHT) : s->ink;
    memset(out, paper, (size_t)scale);
    const uint8_t *glyph = font_glyph(l->symbol);
    if (l->line) {
        /* Arms from the middle to the cell's sides, so that neighbouring lines meet. */
        const uint8_t mask = l->line;
        int32_t thick = scale >= 12 ? scale / 6 : 1;
        int32_t from = (scale - thick) / 2, to = from + thick;
        bool middle = row >= from && row < to;
        if (middle)
            fill(out, mask & 8 ? 0 : from, mask & 2 ? scale : to, ink);
        else if ((row < from && (mask & 1)) || (row >= to && (mask & 4)))
            fill(out, from, to, ink);
    } else if (glyph)
        paint_glyph(out, glyph, scale, row, ink);
    else if (row >= scale / 3 && row < scale - scale / 3)
        fill(out, scale / 3, scale - scale / 3, ink); /* a symbol the font lacks */
}
