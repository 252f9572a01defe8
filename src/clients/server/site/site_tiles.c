/* The terrain and the features of a site, in PMTiles. Terrain is packed by a model of its
 * level (cells.h), features by gzip. */
#include "clients/server/answer.h"
#include "clients/server/answer_features.h"
#include "clients/server/reply.h"
#include "clients/server/site/cells.h"
#include "clients/server/site/site_impl.h"
#include "core/array.h"
#include "core/emit.h"
#include "core/error.h"
#include "core/pmtiles.h"
#include "core/whole.h"

#include <stdio.h>
#include <stdlib.h>

/* Level 9 takes six times as long to save 2 percent. */
enum { PACK_LEVEL = 7 };

/* A sample of n x n chunks, to which chunks are added one after the other. */
typedef struct square {
    int32_t n, x, y; /* x, y: position among the squares of this size */
    bool begun;
    ptl_oter cells[PTL_LEVEL_CELLS];
} square;

typedef struct tiles {
    site *site;
    pmtiles file;
    bytes plain, packed, head;
    cells_model *model; /* owned; of the level; NULL for features */
    ptl_oter level[PTL_LEVEL_CELLS];
    square near, far;
} tiles;

/* Writes t->packed as the tile for a square of n x n chunks. */
static ptl_status put_tile(tiles *t, int32_t n, int32_t x, int32_t y, ptl_error *err)
{
    const site *s = t->site;
    const int zoom = n == 1               ? s->now->zoom
                     : n == SITE_GATHERED ? s->now->zoom - 2
                                          : s->now->zoom - 4;
    const int64_t half = INT64_C(1) << (zoom - 1);
    const pmtiles_place at = {zoom, (uint32_t)(x + half), (uint32_t)(y + half)};
    return pmtiles_put(&t->file, &at, t->packed.data, t->packed.size, err);
}

static ptl_status put_cells(tiles *t, const ptl_oter *cells, int32_t n, int32_t x, int32_t y,
                            ptl_error *err)
{
    bytes_clear(&t->packed);
    return cells_put(t->model, &t->packed, cells) ? put_tile(t, n, x, y, err)
                                                  : error_nomem(err);
}

/* Writes the square, if one was begun. */
static ptl_status end_square(tiles *t, square *q, ptl_error *err)
{
    const ptl_status status = q->begun ? put_cells(t, q->cells, q->n, q->x, q->y, err) : PTL_OK;
    q->begun = false;
    return status;
}

/* Adds a chunk's samples to its square. If the chunk lies in another square than the previous
 * one, that square is complete and is written first. */
static ptl_status add_to_square(tiles *t, square *q, ptl_chunk_pos pos, ptl_error *err)
{
    const int32_t x = (int32_t)floor_div(pos.x, q->n), y = (int32_t)floor_div(pos.y, q->n);
    ptl_status status = PTL_OK;
    if (q->begun && (q->x != x || q->y != y))
        status = end_square(t, q, err);
    if (!q->begun)
        memset(q->cells, 0xff, sizeof q->cells); /* all PTL_OTER_NONE */
    q->begun = true;
    q->x = x;
    q->y = y;
    gather_samples(q->cells, t->level, q->n, pos.x - x * q->n, pos.y - y * q->n);
    return status;
}

static ptl_status put_chunk(tiles *t, ptl_chunk_pos pos, int32_t z, ptl_error *err)
{
    TRY(ptl_level_load(t->level, t->site->world, pos, z, err));
    TRY(put_cells(t, t->level, 1, pos.x, pos.y, err));
    TRY(add_to_square(t, &t->near, pos, err));
    TRY(add_to_square(t, &t->far, pos, err));
    return site_advance(t->site, err);
}

/* Writes a chunk's features in the form of /data/features, but shorter. */
static ptl_status put_features(tiles *t, ptl_chunk_pos pos, ptl_error *err)
{
    reply body;
    const asked q = {.from = t->site->from,
                     .chunk = pos,
                     .world = t->site->world,
                     .for_site = true,
                     .z_first = t->site->options->z_first,
                     .z_last = t->site->options->z_last};
    reply_init(&body);
    ptl_status status = answer_features(&q, &body, err);
    bytes_clear(&t->plain);
    bytes_put(&t->plain, body.body.data, body.body.size);
    t->plain.failed = t->plain.failed || body.body.failed;
    bytes_dispose(&body.body);
    bytes_clear(&t->packed);
    if (status == PTL_OK &&
        (t->plain.failed || !gzip_put(&t->packed, t->plain.data, t->plain.size, PACK_LEVEL)))
        status = error_nomem(err);
    THEN(status, put_tile(t, 1, pos.x, pos.y, err));
    return status == PTL_OK ? site_advance(t->site, err) : status;
}

/* Makes the model that the level's tiles are packed by, and writes it as
 * data/levelZ.model.packed. */
static ptl_status write_model(tiles *t, int32_t z, ptl_error *err)
{
    site *s = t->site;
    char name[SITE_NAME], level[16];
    ptl_status status = PTL_OK;
    t->model = cells_model_new();
    if (!t->model)
        return error_nomem(err);
    for (size_t i = 0; i < s->now->count && status == PTL_OK; i++) {
        status = ptl_level_load(t->level, s->world, s->now->chunks[i], z, err);
        if (status == PTL_OK && !cells_model_add(t->model, t->level))
            status = error_nomem(err);
        THEN(status, site_advance(s, err));
    }
    if (status == PTL_OK && !cells_model_finish(t->model, &t->plain))
        status = error_nomem(err);
    snprintf(level, sizeof level, "level%d", z);
    site_name(s, name, level, ".model.packed");
    return status == PTL_OK ? site_packed(s, name, &t->plain, err) : status;
}

static ptl_status write_named(site *s, const char *name, bool features, int32_t z,
                              ptl_error *err)
{
    tiles *t = calloc(1, sizeof *t);
    if (!t)
        return error_nomem(err);
    t->site = s;
    t->near.n = SITE_GATHERED;
    t->far.n = SITE_GATHERED_FAR;
    const pmtiles_facts facts = {.type = PMTILES_OTHER,
                                 .compression = features ? PMTILES_GZIP : PMTILES_PLAIN,
                                 .zoom_min = features ? s->now->zoom : s->now->zoom - 4,
                                 .zoom_max = s->now->zoom,
                                 .west = -180,
                                 .south = -85,
                                 .east = 180,
                                 .north = 85,
                                 .metadata = features ? "{\"portolan\":\"features\"}"
                                                      : "{\"portolan\":\"terrains\"}"};
    ptl_status status = features ? PTL_OK : write_model(t, z, err);
    THEN(status, site_file_begin(s, name, err));
    THEN(status, pmtiles_begin(&t->file, site_file_put, s, err));
    for (size_t i = 0; i < s->now->count && status == PTL_OK; i++)
        status = features ? put_features(t, s->now->chunks[i], err)
                          : put_chunk(t, s->now->chunks[i], z, err);
    THEN(status, end_square(t, &t->near, err));
    THEN(status, end_square(t, &t->far, err));
    THEN(status, pmtiles_finish(&t->file, &facts, &t->head, err));
    THEN(status, site_file_end(s, name, &t->head, err));
    cells_model_free(t->model);
    pmtiles_dispose(&t->file);
    bytes_dispose(&t->plain);
    bytes_dispose(&t->packed);
    bytes_dispose(&t->head);
    free(t);
    return status;
}

ptl_status site_level(site *s, int32_t z, ptl_error *err)
{
    char name[SITE_NAME], level[16];
    snprintf(level, sizeof level, "level%d", z);
    site_name(s, name, level, ".pmtiles");
    return write_named(s, name, false, z, err);
}

ptl_status site_features(site *s, ptl_error *err)
{
    char name[SITE_NAME];
    site_name(s, name, "features", ".pmtiles");
    return write_named(s, name, true, 0, err);
}

/* The local maps of a site: all stored ones, in PMTiles. One tile holds a block of 8 x 8 OMTs,
 * one file a level. */

/*
 * BLOCK: OMTs along a block's side. DEEPER: blocks lie so many zooms deeper than chunks,
 * because a chunk is less than 32 blocks wide. ZOOM_MAX: the last zoom at which pages can
 * still number all tiles. PACK_LEVEL: for gzip.
 */
enum { BLOCK = 8, DEEPER = 5, ZOOM_MAX = 26 };

/* ---- which ---- */

static bool take_map(void *payload, const ptl_omt *at)
{
    site *s = payload;
    site_world *w = s->now;
    const site_options *o = s->options;
    const ptl_chunk_pos chunk = ptl_omt_chunk(*at), *in = o->within;
    if (at->z < o->z_first || at->z > o->z_last ||
        (o->has_omts && (at->x < o->omts[0].x || at->y < o->omts[0].y || at->x > o->omts[1].x ||
                         at->y > o->omts[1].y)) ||
        (o->has_rect &&
         (chunk.x < in[0].x || chunk.y < in[0].y || chunk.x > in[1].x || chunk.y > in[1].y)))
        return true;
    if (w->map_count == SITE_MAPS_MAX) {
        s->report.left_out++;
        return true;
    }
    if (!ARRAY_ROOM(w->maps, w->map_room, w->map_count + 1)) {
        s->failed = true;
        return false;
    }
    w->maps[w->map_count++] = *at;
    return true;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_block(const void *a, const void *b)
{
    const ptl_omt *p = a, *q = b;
    int order = compare(p->z, q->z);
    order = order ? order : compare(floor_div(p->y, BLOCK), floor_div(q->y, BLOCK));
    order = order ? order : compare(floor_div(p->x, BLOCK), floor_div(q->x, BLOCK));
    order = order ? order : compare(p->y, q->y);
    return order ? order : compare(p->x, q->x);
}

ptl_status site_maps_list(site *s, ptl_error *err)
{
    site_world *w = s->now;
    ptl_status status = ptl_local_list(s->world, NULL, take_map, s, err);
    if (s->failed) {
        error_clear(err);
        return error_nomem(err);
    }
    if (status == PTL_OK && w->map_count > 0 && w->zoom + DEEPER > ZOOM_MAX)
        status = error_set(err, PTL_ERR_LIMIT,
                           "world '%s' has local maps too far from overmap 0,0 for a site: "
                           "--omt can name a rectangle without any",
                           w->name);
    if (w->map_count > 1)
        qsort(w->maps, w->map_count, sizeof *w->maps, by_block);
    s->report.maps += w->map_count;
    return status;
}

/* ---- writing ---- */

typedef struct blocks {
    site *site;
    pmtiles file;
    bytes plain, packed, head;
} blocks;

/* Returns how many consecutive maps, beginning with w->maps[from], lie in the same block, or
 * on the same level. */
static size_t run_of(const site_world *w, size_t from, bool whole_level)
{
    const ptl_omt first = w->maps[from];
    size_t n = 1;
    for (; from + n < w->map_count; n++) {
        const ptl_omt at = w->maps[from + n];
        if (at.z != first.z ||
            (!whole_level && (floor_div(at.x, BLOCK) != floor_div(first.x, BLOCK) ||
                              floor_div(at.y, BLOCK) != floor_div(first.y, BLOCK))))
            break;
    }
    return n;
}

/* Puts maps in the form of /data/local. The places of damaged maps go into the list `damaged`,
 * which stands after all maps. */
static ptl_status put_block(blocks *b, size_t from, size_t count, ptl_error *err)
{
    const site_world *w = b->site->now;
    const int zoom = w->zoom + DEEPER;
    const int64_t half = INT64_C(1) << (zoom - 1);
    const pmtiles_place at = {zoom, (uint32_t)(floor_div(w->maps[from].x, BLOCK) + half),
                              (uint32_t)(floor_div(w->maps[from].y, BLOCK) + half)};
    ptl_status status = PTL_OK;
    bytes damaged = {.size = 0};
    bytes_clear(&b->plain);
    bytes_clear(&b->packed);
    bytes_put_text(&b->plain, "{\"maps\":[");
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        const ptl_omt place = w->maps[from + i];
        ptl_local_map *map = NULL;
        status = ptl_local_load(&map, b->site->world, place, err);
        if (status == PTL_OK) {
            bytes_put_text(&b->plain, b->plain.size > 9 ? "," : "");
            if (!answer_put_local(&b->plain, map))
                status = error_nomem(err);
        } else if (status == PTL_ERR_CORRUPT) {
            b->site->now->maps_damaged++;
            b->site->report.maps--;
            site_damaged(b->site, place, "a local map");
            error_clear(err);
            bytes_printf(&damaged, "%s[%lld,%lld]", damaged.size > 0 ? "," : "",
                         (long long)place.x, (long long)place.y);
            status = PTL_OK;
        }
        ptl_local_free(map);
        THEN(status, site_advance(b->site, err));
    }
    bytes_printf(&b->plain, "],\"damaged\":[%s]}",
                 damaged.size > 0 ? bytes_text(&damaged) : "");
    if (status == PTL_OK && (b->plain.failed || damaged.failed ||
                             !gzip_put(&b->packed, b->plain.data, b->plain.size, PACK_LEVEL)))
        status = error_nomem(err);
    bytes_dispose(&damaged);
    return status == PTL_OK ? pmtiles_put(&b->file, &at, b->packed.data, b->packed.size, err)
                            : status;
}

ptl_status site_maps(site *s, ptl_error *err)
{
    blocks b = {.site = s};
    const pmtiles_facts facts = {.type = PMTILES_OTHER,
                                 .compression = PMTILES_GZIP,
                                 .zoom_min = s->now->zoom + DEEPER,
                                 .zoom_max = s->now->zoom + DEEPER,
                                 .west = -180,
                                 .south = -85,
                                 .east = 180,
                                 .north = 85,
                                 .metadata = "{\"portolan\":\"local maps\"}"};
    ptl_status status = PTL_OK;
    for (size_t from = 0, count; from < s->now->map_count && status == PTL_OK; from += count) {
        char name[SITE_NAME], level[16];
        count = run_of(s->now, from, true);
        b.file = (pmtiles){.count = 0};
        snprintf(level, sizeof level, "local%d", s->now->maps[from].z);
        site_name(s, name, level, ".pmtiles");
        status = site_file_begin(s, name, err);
        THEN(status, pmtiles_begin(&b.file, site_file_put, s, err));
        for (size_t i = 0, n; i < count && status == PTL_OK; i += n) {
            n = run_of(s->now, from + i, false);
            status = put_block(&b, from + i, n, err);
        }
        bytes_clear(&b.head);
        THEN(status, pmtiles_finish(&b.file, &facts, &b.head, err));
        THEN(status, site_file_end(s, name, &b.head, err));
        pmtiles_dispose(&b.file);
    }
    bytes_dispose(&b.plain);
    bytes_dispose(&b.packed);
    bytes_dispose(&b.head);
    return status;
}
