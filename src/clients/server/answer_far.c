/* Answers with the colours of far views: each cell of a map tile has the mean of many OMTs. */
#include "clients/server/answer.h"
#include "clients/server/means.h"

#include "core/error.h"

#include <stdlib.h>

/* N_MAX: the most chunks along the side of a map tile. EXACT_MAX: up to this number all OMTs
 * are read; beyond it, only overviews. SIDE_MAX, TILES_MAX: the most map tiles of overviews
 * that one request gets, along a side and in all. */
enum { N_MAX = 1024, EXACT_MAX = 64, SIDE_MAX = 4, TILES_MAX = 8 };

/* A request, while its map tiles are summed up. */
typedef struct far_tile {
    const asked *q;
    lights lights;
    means *means; /* owned; wide x high map tiles, row by row */
    int64_t wide, high;
    int32_t n;
    bool found; /* at least one chunk is saved there */
} far_tile;

/* Loads a level of a chunk. *found becomes false, without an error, if it is not saved. */
static ptl_status load(ptl_oter *level, bool *found, const asked *q, ptl_chunk_pos at,
                       int32_t z, ptl_error *err)
{
    const ptl_status status = ptl_level_load(level, q->world, at, z, err);
    *found = status == PTL_OK;
    if (status != PTL_ERR_NOT_FOUND)
        return status;
    error_clear(err);
    return PTL_OK;
}

static ptl_status add_levels(far_tile *t, ptl_error *err)
{
    const asked *q = t->q;
    ptl_oter *level = malloc(2 * PTL_LEVEL_CELLS * sizeof *level);
    if (!level)
        return error_nomem(err);
    ptl_oter *ground = q->z != 0 ? level + PTL_LEVEL_CELLS : NULL;
    ptl_status status = PTL_OK;
    for (int32_t i = 0; i < t->n * t->n && status == PTL_OK; i++) {
        const int32_t x = i % t->n, y = i / t->n;
        bool found = false;
        if (q->chunk.x > PTL_CHUNK_COORD_MAX - x || q->chunk.y > PTL_CHUNK_COORD_MAX - y)
            continue;
        const ptl_chunk_pos at = {q->chunk.x + x, q->chunk.y + y};
        status = load(level, &found, q, at, q->z, err);
        if (ground && found)
            THEN(status, load(ground, &found, q, at, 0, err));
        if (status == PTL_OK && found)
            means_add(t->means, &t->lights, level, ground, x, y);
        t->found = t->found || found;
    }
    free(level);
    return status;
}

static bool on_overview(void *payload, ptl_chunk_pos pos,
                        const ptl_oter cells[PTL_OVERVIEW_CELLS])
{
    far_tile *t = payload;
    const int64_t x = (int64_t)pos.x - t->q->chunk.x, y = (int64_t)pos.y - t->q->chunk.y;
    if (!cells || x < 0 || y < 0 || x >= t->n * t->wide || y >= t->n * t->high)
        return true;
    means_add_overview(&t->means[y / t->n * t->wide + x / t->n], &t->lights, cells,
                       (int32_t)(x % t->n), (int32_t)(y % t->n));
    t->found = true;
    return true;
}

ptl_status asked_style(const asked *q, ptl_map_style *out, ptl_error *err)
{
    const char *text = target_text(q->values, "style");
    size_t style = PTL_STYLE_PAPER;
    while (text && style < MEANS_STYLES && strcmp(means_styles[style], text) != 0)
        style++;
    *out = (ptl_map_style)style;
    if (style < MEANS_STYLES)
        return PTL_OK;
    return error_set(err, PTL_ERR_ARGUMENT, "style must be paper, dark or terminal");
}

/* Reads how many map tiles are asked for. */
static ptl_status asked_sides(far_tile *t, bool rough, ptl_error *err)
{
    const asked *q = t->q;
    t->wide = t->high = 1;
    if (target_text(q->values, "wide"))
        TRY(asked_int(q, "wide", 1, SIDE_MAX, &t->wide, err));
    if (target_text(q->values, "high"))
        TRY(asked_int(q, "high", 1, SIDE_MAX, &t->high, err));
    if (t->wide * t->high > (rough ? TILES_MAX : 1))
        return error_set(err, PTL_ERR_ARGUMENT,
                         "a request gets one map tile, or with rough at most %d",
                         (int)TILES_MAX);
    return PTL_OK;
}

ptl_status answer_colours(const asked *q, reply *out, ptl_error *err)
{
    far_tile t = {.q = q};
    int64_t n = 1;
    ptl_map_style style;
    TRY(asked_style(q, &style, err));
    TRY(asked_int(q, "n", 1, N_MAX, &n, err));
    const bool rough = n > EXACT_MAX || target_text(q->values, "rough") != NULL;
    if (rough && q->z != 0)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "levels other than 0 are shown by at most %d overmaps along a side",
                         (int)EXACT_MAX);
    t.n = (int32_t)n;
    TRY(asked_sides(&t, rough, err));
    const size_t count = (size_t)(t.wide * t.high);
    t.means = malloc(count * sizeof *t.means);
    ptl_status status = t.means ? PTL_OK : error_nomem(err);
    THEN(status, lights_make(&t.lights, ptl_world_catalogue(q->world), style, err));
    if (status == PTL_OK) {
        for (size_t i = 0; i < count; i++)
            means_begin(&t.means[i], t.n);
        status =
            rough ? ptl_overview_list(q->world, on_overview, &t, err) : add_levels(&t, err);
    }
    if (status == PTL_OK && !t.found)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no chunk is saved there");
    if (status == PTL_OK) {
        for (size_t i = 0; i < count; i++)
            means_put(&out->body, &t.means[i]);
        out->type = "application/octet-stream";
    }
    lights_dispose(&t.lights);
    free(t.means);
    return status == PTL_OK && out->body.failed ? error_nomem(err) : status;
}
