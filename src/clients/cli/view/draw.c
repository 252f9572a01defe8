/* Draws the screen: the map around the cursor, a pane over its right part, and three
 * lines at the foot. */
#include "clients/cli/view/viewer_impl.h"

enum { FOOT_LINES = 3, LEAST_MAP = 3 };

static const pen plain = {.coloured = false};
static const pen faint = {.dim = true};

void draw_cursor(const viewer *v, int32_t *line, int32_t *column)
{
    *line = v->map_lines / 2;
    *column = v->map_columns / 2;
}

/* ---- the map ---- */

/* Draws an OMT again with another pen: a hit, or the cursor. */
static void draw_over(viewer *v, int32_t line, int32_t column, const pen *p)
{
    const ptl_oter oter = atlas_oter(v->atlas, column, line);
    const uint32_t symbol = oter == PTL_OTER_NONE ? ' ' : atlas_glyph(v->atlas, oter)->symbol;
    screen_symbol(v->screen, line, column, symbol, p);
}

static void draw_map(viewer *v)
{
    int32_t line, column;
    ptl_error err = {0};
    const pen cursor = {.reverse = true, .bold = true};
    draw_cursor(v, &line, &column);
    const ptl_omt from = {v->at.x - column, v->at.y - line, v->at.z};
    if (!atlas_look(v->atlas, from, v->map_columns, v->map_lines, &err))
        say(v, "%s", err.message);
    for (int32_t y = 0; y < v->map_lines; y++) {
        for (int32_t x = 0; x < v->map_columns; x++) {
            const ptl_oter oter = atlas_oter(v->atlas, x, y);
            if (oter == PTL_OTER_NONE) {
                /* OMTs that are not saved have a thin pattern of dots, on grey if there
                 * are enough colours. */
                const ptl_omt at = (ptl_omt){from.x + x, from.y + y, from.z};
                const bool coloured = screen_colours(v->screen) >= 16;
                const pen grey = {.coloured = true, .ink = {88, 88, 88}, .paper = {48, 48, 48}};
                const bool dot = (at.x % 4 == 0) && (at.y % 2 == 0);
                screen_symbol(v->screen, y, x, dot ? '.' : ' ', coloured ? &grey : &faint);
            } else {
                const glyph *g = atlas_glyph(v->atlas, oter);
                pen p = {.coloured = true};
                memcpy(p.ink, g->ink, sizeof p.ink);
                memcpy(p.paper, g->paper, sizeof p.paper);
                screen_symbol(v->screen, y, x, g->symbol ? g->symbol : ' ', &p);
            }
        }
    }
    const pen lit = {.coloured = true,
                     .ink = {0, 0, 0},
                     .paper = {255, 255, 0},
                     .bold = true,
                     .reverse = screen_colours(v->screen) == 0};
    for (size_t i = 0; i < v->finds.count; i++) {
        const search_hit *h = v->finds.hits[i].hit;
        if (h->z == from.z && h->x >= from.x && h->x < from.x + v->map_columns &&
            h->y >= from.y && h->y < from.y + v->map_lines)
            draw_over(v, (int32_t)(h->y - from.y), (int32_t)(h->x - from.x), &lit);
    }
    draw_over(v, line, column, &cursor);
}

/* ---- the foot ---- */

static void draw_words(viewer *v, int32_t line, void (*words)(viewer *, bytes *))
{
    bytes text = {.size = 0};
    words(v, &text);
    const char *shown = bytes_text(&text);
    screen_text(v->screen, line, 0, v->columns, shown ? shown : "", &plain);
    bytes_dispose(&text);
}

static void words_message(viewer *v, bytes *out)
{
    if (v->prompt.kind)
        bytes_printf(out, "%s%.*s",
                     v->prompt.kind == '/' ? "search: " : "go to: ", (int)v->prompt.size,
                     v->prompt.text);
    else if (v->message[0])
        bytes_put_text(out, v->message);
    else
        bytes_put_text(out, "? help   / search   g go to   < > levels   Enter why   q quit");
}

/* A low terminal gets a foot of one line; a very low one gets none. */
void draw_all(viewer *v)
{
    int32_t line, column;
    screen_size(v->screen, &v->columns, &v->lines);
    const int32_t foot = v->lines >= LEAST_MAP + FOOT_LINES ? FOOT_LINES : v->lines > 1 ? 1 : 0;
    const int32_t beside = pane_columns(&v->pane, v->columns);
    v->map_lines = v->lines - foot;
    v->map_columns = v->columns - beside;
    screen_clear(v->screen);
    if (v->map_columns > 0 && v->map_lines > 0)
        draw_map(v);
    if (v->pane.kind != PANE_NONE && v->map_lines > 0)
        pane_draw(&v->pane, v->screen, v->map_columns, v->columns - v->map_columns,
                  v->map_lines);
    line = v->map_lines;
    const bool whole = v->lines - line >= FOOT_LINES;
    if (whole) {
        draw_words(v, line++, words_what);
        draw_words(v, line++, words_place);
    }
    if (line < v->lines)
        draw_words(v, line,
                   v->prompt.kind || v->message[0] || whole ? words_message : words_what);
    draw_cursor(v, &line, &column);
    if (v->prompt.kind) {
        line = v->lines - 1;
        column = (v->prompt.kind == '/' ? 8 : 7) + (int32_t)v->prompt.size;
    }
    screen_show(v->screen, line, column);
}
