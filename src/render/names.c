#include "render/sheet.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* Twice as many names as are kept, so that they are sorted seldom. */
enum { NAMES_ROOM = 2 * NAMES_MAX };

ptl_status names_init(name_list *list, ptl_error *err)
{
    *list = (name_list){.names = calloc(NAMES_ROOM, sizeof(map_name))};
    return list->names ? PTL_OK : error_nomem(err);
}

void names_dispose(name_list *list)
{
    free(list->names);
    *list = (name_list){.names = NULL};
}

/* ---- the largest names ---- */

/* Negative if a comes first: larger cities first, then by name and place. The order is
 * complete, so that the result does not depend on the order in the file. */
static int compare_names(const void *left, const void *right)
{
    const map_name *a = left, *b = right;
    int order = (b->size > a->size) - (b->size < a->size);
    order = order ? order : strcmp(a->text, b->text);
    order = order ? order : (a->y > b->y) - (a->y < b->y);
    return order ? order : (a->x > b->x) - (a->x < b->x);
}

/* Sorts the names, and drops those beyond the NAMES_MAX largest. */
static void keep_largest(name_list *list)
{
    qsort(list->names, list->count, sizeof *list->names, compare_names);
    list->count = list->count > NAMES_MAX ? NAMES_MAX : list->count;
}

void names_offer(name_list *list, int64_t x, int64_t y, int32_t size, const char *utf8)
{
    map_name name = {.x = x, .y = y, .size = size};
    lettering_fold(name.text, sizeof name.text, utf8);
    if (name.text[0] == '\0')
        return;
    list->names[list->count++] = name;
    if (list->count == NAMES_ROOM)
        keep_largest(list);
}

/* ---- places ---- */

/* A city whose radius has fewer pixels than that many dots of the font gets no name. */
enum { RADIUS_MIN = 10 };

/* A rectangle in pixels of the picture; x1 and y1 are excluded. */
typedef struct area {
    int64_t x0, y0, x1, y1;
} area;

/* Where names are placed, and which places are taken. */
typedef struct placing {
    const page *page;
    int32_t zoom;
    area panel;
    area *taken; /* owned; room for NAMES_MAX */
    size_t count;
} placing;

/* Names grow with the cities on the map, not with the picture. */
static int32_t name_zoom(const page *p)
{
    const int32_t zoom = p->scale < 4 ? 1 : p->scale < 16 ? 2 : 3;
    return zoom < p->zoom ? zoom : p->zoom;
}

/* Returns which of the levels is the ground, or 0 if it is not shown. */
static size_t ground_level(const viewport *v)
{
    const int32_t nth = -v->z_first * v->z_step;
    return nth >= 0 && (size_t)nth < v->level_count ? (size_t)nth : 0;
}

/* Is the area within the map, and far enough from all other names? */
static bool is_free(const placing *p, const area *a)
{
    const int64_t zoom = p->zoom;
    const area wide = {a->x0 - 10 * zoom, a->y0 - 6 * zoom, a->x1 + 10 * zoom,
                       a->y1 + 6 * zoom};
    if (a->x0 < p->panel.x0 || a->y0 < p->panel.y0 || a->x1 > p->panel.x1 ||
        a->y1 > p->panel.y1)
        return false;
    for (size_t i = 0; i < p->count; i++) {
        const area *b = &p->taken[i];
        if (wide.x0 < b->x1 && b->x0 < wide.x1 && wide.y0 < b->y1 && b->y0 < wide.y1)
            return false;
    }
    return true;
}

/* Finds a place for a name; in this order above, below, right of, left of, and on the city. */
static bool find_place(const placing *p, const map_name *name, int64_t x, int64_t y, area *out)
{
    const int32_t zoom = p->zoom;
    const int64_t width = lettering_width(name->text, zoom) + 2 * zoom;
    const int64_t height = (int64_t)(FONT_TEXT_HEIGHT + 2) * zoom;
    const int64_t radius = (int64_t)name->size * p->page->scale;
    const int64_t from[][2] = {{x - width / 2, y - radius - height},
                               {x - width / 2, y + radius},
                               {x + radius, y - height / 2},
                               {x - radius - width, y - height / 2},
                               {x - width / 2, y - height / 2}};
    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        *out = (area){from[i][0], from[i][1], from[i][0] + width, from[i][1] + height};
        if (is_free(p, out))
            return true;
    }
    return false;
}

size_t names_place(name_list *list, const page *p, const viewport *v, drawing *d)
{
    const int64_t west = p->map_x + (int64_t)ground_level(v) * p->panel_step;
    placing taken = {.page = p,
                     .zoom = name_zoom(p),
                     .panel = {west, p->map_y, west + p->panel_width, p->map_y + p->map_height},
                     .taken = calloc(NAMES_MAX, sizeof(area))};
    if (!taken.taken) {
        d->failed = true;
        return 0;
    }
    keep_largest(list);
    for (size_t i = 0; i < list->count; i++) {
        /* Adds a name to the drawing, if its city is large enough and there is room. */
        const map_name *name = &list->names[i];
        const int32_t scale = taken.page->scale, zoom = taken.zoom;
        const int64_t x = taken.panel.x0 + (name->x - v->x0) * scale + scale / 2;
        const int64_t y = taken.panel.y0 + (name->y - v->y0) * scale + scale / 2;
        area found;
        if ((int64_t)name->size * scale < (int64_t)RADIUS_MIN * zoom)
            continue;
        if (!find_place(&taken, name, x, y, &found))
            continue;
        drawn_text text = {.x = found.x0 + zoom,
                           .y = found.y0 + zoom,
                           .zoom = zoom,
                           .ink = PALETTE_NAME,
                           .edge = PALETTE_NAME_EDGE};
        memcpy(text.text, name->text, sizeof name->text);
        drawing_add_text(d, &text);
        taken.taken[taken.count++] = found;
    }
    free(taken.taken);
    return taken.count;
}
