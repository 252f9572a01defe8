/* Frames around the OMTs that a picture marks: boxes over the map, which PNG and SVG draw. */
#include "core/array.h"
#include "core/error.h"
#include "render/sheet.h"

#include <stdlib.h>
#include <string.h>

enum {
    MARK_INK = 5,        /* the base colour magenta, which maps have little of */
    MARK_BARS = 4,       /* the bars of a frame are a quarter of its OMT wide */
    MARK_FRAME_LEAST = 4 /* smaller OMTs are filled instead */
};

static int compare_omts(const void *left, const void *right)
{
    const ptl_omt *a = left, *b = right;
    return ORDER_BY(a->z, b->z, a->y, b->y, a->x, b->x);
}

/* The marks of a picture, sorted. */
typedef struct mark_list {
    const ptl_omt *list;
    size_t count;
} mark_list;

static bool is_marked(const mark_list *m, ptl_omt at)
{
    return bsearch(&at, m->list, m->count, sizeof at, compare_omts) != NULL;
}

/* Adds the frame of an OMT: a bar at each side beyond which there is no marked OMT. x and y are
 * the OMT's north-western pixel. */
static void add_frame(drawing *d, const mark_list *m, ptl_omt at, int64_t x, int64_t y,
                      int32_t scale)
{
    const int64_t wide = scale >= MARK_FRAME_LEAST ? scale / MARK_BARS : 1, far = scale - wide;
    const struct side {
        ptl_omt beyond;
        int64_t x, y, width, height;
    } sides[] = {
        {{at.x, at.y - 1, at.z}, x, y, scale, wide},
        {{at.x + 1, at.y, at.z}, x + far, y, wide, scale},
        {{at.x, at.y + 1, at.z}, x, y + far, scale, wide},
        {{at.x - 1, at.y, at.z}, x, y, wide, scale},
    };
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (scale < MARK_FRAME_LEAST || !is_marked(m, sides[i].beyond))
            drawing_add_box(d, &(drawn_box){.x = sides[i].x,
                                            .y = sides[i].y,
                                            .width = sides[i].width,
                                            .height = sides[i].height,
                                            .ink = MARK_INK});
}

ptl_status marks_place(const ptl_render_options *o, const page *p, const viewport *v,
                       drawing *d, ptl_error *err)
{
    if (o->mark_count == 0)
        return PTL_OK;
    ptl_omt *sorted = malloc(o->mark_count * sizeof *sorted);
    if (!sorted)
        return error_nomem(err);
    memcpy(sorted, o->marks, o->mark_count * sizeof *sorted);
    qsort(sorted, o->mark_count, sizeof *sorted, compare_omts);
    const mark_list marks = {sorted, o->mark_count};
    for (size_t i = 0; i < marks.count; i++) {
        const ptl_omt at = sorted[i];
        const int64_t nth = (int64_t)(at.z - v->z_first) * v->z_step;
        if (at.x < v->x0 || at.x > v->x1 || at.y < v->y0 || at.y > v->y1 || nth < 0 ||
            nth >= (int64_t)v->level_count)
            continue;
        const int64_t x = p->map_x + nth * p->panel_step + (at.x - v->x0) * p->scale;
        add_frame(d, &marks, at, x, p->map_y + (at.y - v->y0) * p->scale, p->scale);
    }
    free(sorted);
    return PTL_OK;
}
