#include "clients/server/means.h"

#include "core/error.h"
#include "core/light.h"

#include <stdlib.h>

/* A GHOST-th of the colour of an empty OMT above or below the ground is that of the ground. */
enum { GHOST = 5 };

const char *const means_styles[MEANS_STYLES] = {[PTL_STYLE_PAPER] = "paper",
                                                [PTL_STYLE_DARK_PAPER] = "dark",
                                                [PTL_STYLE_TERMINAL] = "terminal"};

/* Returns the colour of a terrain in a style. */
static struct light light_in(size_t style, const ptl_terrain *t)
{
    uint8_t area[3], ink[3], paper[3];
    ptl_map_look look = PTL_MAP_LOOK_INIT;
    if (style == PTL_STYLE_TERMINAL) {
        (void)ptl_color_find(area, ink, paper, t->color);
    } else {
        (void)ptl_map_look_describe(&look, t->map_class, (ptl_map_style)style);
        for (int k = 0; k < 3; k++)
            area[k] = (uint8_t)(look.area >> (16 - 8 * k) & 0xff);
    }
    return (struct light){{light_of(area[0]), light_of(area[1]), light_of(area[2])},
                          {area[0], area[1], area[2]},
                          style != PTL_STYLE_TERMINAL &&
                              (t->map_class == PTL_MAP_AIR || t->map_class == PTL_MAP_ROCK ||
                               t->map_class == PTL_MAP_EARTH)};
}

ptl_status lights_make(lights *out, const ptl_catalogue *c, size_t style, ptl_error *err)
{
    const size_t count = ptl_catalogue_count(c, PTL_CONTENT_OTER);
    *out = (lights){.list = calloc(count + 1, sizeof *out->list), .count = count};
    if (!out->list)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++) {
        ptl_terrain t = PTL_TERRAIN_INIT;
        (void)ptl_catalogue_oter(&t, c, i);
        out->list[i] = light_in(style, &t);
    }
    return PTL_OK;
}

void lights_dispose(lights *l)
{
    free(l->list);
    *l = (lights){0};
}

void means_begin(means *m, int32_t n)
{
    memset(m->cells, 0, sizeof m->cells);
    m->n = n;
}

static void add(struct mean *cell, const struct light *light, uint64_t omts)
{
    for (size_t k = 0; k < 3; k++)
        cell->light[k] += light->light[k] * omts;
    cell->omts += omts;
}

/* Returns the light of an OMT that is empty, with the ground below or above it, mixed as in
 * pictures. */
static struct light through(const struct light *empty, const struct light *ground)
{
    struct light mixed = *empty;
    for (size_t k = 0; k < 3; k++)
        mixed.light[k] =
            light_of((uint8_t)(((GHOST - 1) * empty->bytes[k] + ground->bytes[k]) / GHOST));
    return mixed;
}

void means_add(means *m, const lights *l, const ptl_oter level[PTL_LEVEL_CELLS],
               const ptl_oter *ground, int32_t x, int32_t y)
{
    const int32_t left = x * PTL_CHUNK_SIZE, top = y * PTL_CHUNK_SIZE;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const int32_t column = (left + i % PTL_CHUNK_SIZE) / m->n,
                      row = (top + i / PTL_CHUNK_SIZE) / m->n;
        if (level[i] >= l->count)
            continue;
        struct light own = l->list[level[i]];
        if (ground && own.is_empty && ground[i] < l->count)
            own = through(&own, &l->list[ground[i]]);
        add(&m->cells[row * PTL_CHUNK_SIZE + column], &own, 1);
    }
}

/* Returns how many OMTs from `from` to `to` - 1 lie in the cell, in one direction. */
static int64_t overlap(const means *m, int32_t cell, int32_t from, int32_t to)
{
    const int32_t first = cell * m->n, last = first + m->n;
    return (to < last ? to : last) - (from > first ? from : first);
}

void means_add_overview(means *m, const lights *l, const ptl_oter cells[PTL_OVERVIEW_CELLS],
                        int32_t x, int32_t y)
{
    const int32_t side = PTL_OVERVIEW_SIDE, size = PTL_CHUNK_SIZE;
    for (int32_t i = 0; i < PTL_OVERVIEW_CELLS; i++) {
        const int32_t x0 = x * size + i % side * size / side,
                      x1 = x * size + (i % side + 1) * size / side,
                      y0 = y * size + i / side * size / side,
                      y1 = y * size + (i / side + 1) * size / side;
        if (cells[i] >= l->count)
            continue;
        for (int32_t row = y0 / m->n; row <= (y1 - 1) / m->n; row++)
            for (int32_t column = x0 / m->n; column <= (x1 - 1) / m->n; column++)
                add(&m->cells[row * size + column], &l->list[cells[i]],
                    (uint64_t)(overlap(m, column, x0, x1) * overlap(m, row, y0, y1)));
    }
}

/* Returns a byte of a cell: a colour (plane 0..2), or how much of it is saved (3). A cell of
 * which anything is saved has at least 1 there. */
static uint8_t byte_of(const means *m, const struct mean *cell, int plane)
{
    const uint64_t all = (uint64_t)m->n * (uint64_t)m->n;
    if (cell->omts == 0)
        return 0;
    if (plane < 3)
        return light_coded((uint16_t)(cell->light[plane] / cell->omts));
    return (uint8_t)((cell->omts * 255 + all - 1) / all);
}

void means_put(bytes *out, const means *m)
{
    for (int plane = 0; plane < 4; plane++)
        for (size_t y = 0; y < PTL_CHUNK_SIZE; y++) {
            uint8_t before = y > 0 ? byte_of(m, &m->cells[(y - 1) * PTL_CHUNK_SIZE], plane) : 0;
            for (size_t x = 0; x < PTL_CHUNK_SIZE; x++) {
                const uint8_t value = byte_of(m, &m->cells[y * PTL_CHUNK_SIZE + x], plane);
                bytes_put_u8(out, (uint8_t)(value - before));
                before = value;
            }
        }
}
