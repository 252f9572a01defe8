/* Names of cities over the map in the terminal, and words that fit into its columns. */
#include "clients/cli/view/viewer_impl.h"
#include "core/utf8.h"
#include "core/visible.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- columns ---- */

enum { PART_LEAST = 12 /* so many bytes of a part are worth showing */ };

int32_t words_columns(const char *text)
{
    bytes shown = {.size = 0};
    int32_t columns = 0;
    visible_put(&shown, text, strlen(text));
    for (size_t at = 0; at < shown.size && !shown.failed;) {
        uint32_t c;
        at += utf8_decode((const char *)shown.data + at, shown.size - at, &c);
        columns += (int32_t)utf8_columns(c);
    }
    bytes_dispose(&shown);
    return columns;
}

/* Takes the last character away. */
static void shorten(bytes *words)
{
    while (words->size > 1 && (words->data[words->size - 1] & 0xc0) == 0x80)
        words->size--;
    words->size -= words->size > 0;
}

void words_fit(bytes *words, int32_t columns)
{
    static const char cut[] = "..";
    const char *text = bytes_text(words);
    if (!text || words_columns(text) <= columns)
        return;
    while (words->size > 0 && text && words_columns(text) + (int32_t)strlen(cut) > columns) {
        shorten(words);
        text = bytes_text(words);
    }
    /* Find the part that is cut, and leave it out if too little of it is left. */
    size_t bar = words->size;
    while (bar > 0 && words->data[bar - 1] != '|')
        bar--;
    if (bar > 1 && words->size - bar < PART_LEAST)
        words->size = bar - 2;
    else
        bytes_put_text(words, cut);
}

void words_level(bytes *out, int32_t z)
{
    static const char *const numbers[] = {"first", "second",  "third",  "fourth", "fifth",
                                          "sixth", "seventh", "eighth", "ninth",  "tenth"};
    const char *number = z == 0 ? "" : numbers[(z < 0 ? -z - 1 : z - 1) % 10];
    if (z == 0)
        bytes_put_text(out, "ground");
    else
        bytes_printf(out, "%s %s", number, z < 0 ? "basement" : "floor");
}

/* ---- names of cities ---- */

/* A name that stands on the screen. */
typedef struct placed {
    int32_t line, from, to; /* columns from..to - 1 */
} placed;

/* Larger cities first, then by name and place. */
static int compare_cities(const void *left, const void *right)
{
    const view_city *a = left, *b = right;
    int order = (b->radius > a->radius) - (b->radius < a->radius);
    order = order ? order : strcmp(a->name, b->name);
    order = order ? order : (a->y > b->y) - (a->y < b->y);
    return order ? order : (a->x > b->x) - (a->x < b->x);
}

/* Is a place on the map, off the cursor, and a column away from all other names? */
static bool is_free(const viewer *v, const placed *p, const placed *others, size_t count)
{
    int32_t line, column;
    draw_cursor(v, &line, &column);
    if (p->line < 0 || p->line >= v->map_lines || p->from < 0 || p->to > v->map_columns ||
        (p->line == line && p->from <= column && column < p->to))
        return false;
    for (size_t i = 0; i < count; i++)
        if (p->line == others[i].line && p->from <= others[i].to && others[i].from <= p->to)
            return false;
    return true;
}

void draw_names(viewer *v, ptl_omt from)
{
    static const pen white = {.coloured = true, .ink = {255, 255, 255}, .bold = true};
    view_city *cities;
    const size_t count = from.z == 0 ? atlas_cities(&cities, v->atlas) : 0;
    placed *others = count > 0 ? calloc(count, sizeof *others) : NULL;
    size_t drawn = 0;
    if (!others)
        return;
    qsort(cities, count, sizeof *cities, compare_cities);
    for (size_t i = 0; i < count; i++) {
        const view_city *c = &cities[i];
        const int64_t x = c->x - from.x, y = c->y - from.y;
        if (x < 0 || x >= v->map_columns || y < 0 || y >= v->map_lines)
            continue;
        /* Above the city, below it, or on its middle. */
        const int32_t lines[3] = {(int32_t)y - c->radius - 1, (int32_t)y + c->radius + 1,
                                  (int32_t)y};
        const int32_t width = words_columns(c->name), first = (int32_t)x - width / 2;
        for (size_t k = 0; k < 3 && width > 0; k++) {
            const placed p = {lines[k], first, first + width};
            if (!is_free(v, &p, others, drawn))
                continue;
            screen_text(v->screen, p.line, p.from, width, c->name, &white);
            others[drawn++] = p;
            break;
        }
    }
    free(others);
}
