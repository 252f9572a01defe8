/*
 * MBTiles 1.3 (github.com/mapbox/mbtiles-spec): an SQLite file with the tables metadata and
 * tiles, whose rows are counted from the south. It is written without a journal, because
 * nobody sees the file before it is complete.
 *
 * A pyramid of PNG tiles of 256 x 256 pixels. Zoom z has 2^z x 2^z tiles, counted to the east
 * and to the south. The north-western corner of OMT (0, 0) is in the middle. At the largest
 * zoom an OMT has scale x scale pixels; at each smaller zoom a pixel is the mean of four.
 * Areas without saved chunks are transparent, and tiles without any are left out. Tiles
 * are made depth first, so that memory holds only one picture for each zoom.
 */
#include "atlas/atlas_impl.h"
#include "core/emit.h"
#include "core/error.h"
#include "core/pmtiles.h"
#include "core/visible.h"
#include "core/whole.h"
#include "portolan/area.h"
#include "render/paint.h"
#include "render/png_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

/* A finished tile. */
typedef struct pyramid_tile {
    int zoom;
    uint32_t x, y;
    const uint8_t *png; /* borrowed for the call */
    size_t size;
} pyramid_tile;

/* Receives the tiles, each after the four that it is made from. */
typedef ptl_status pyramid_sink(void *payload, const pyramid_tile *tile, ptl_error *err);

/* The properties of a pyramid, which are known before its tiles are made. */
typedef struct pyramid_shape {
    int32_t z, scale;
    int zoom_max; /* 0..31 */
    int64_t half; /* pixels from the border to the middle at the largest zoom */
    /* Of all saved chunks; degrees in the projection of web maps. */
    double west, south, east, north;
    char name[128];        /* name of the world; safe to print */
    char description[256]; /* says for people what the tiles show */
} pyramid_shape;

typedef struct mbtiles {
    sqlite3 *db;        /* owned */
    sqlite3_stmt *tile; /* owned; inserts a tile */
    const atlas *atlas;
} mbtiles;

/* Makes an error from SQLite's last one. */
static ptl_status failed(const mbtiles *m, ptl_error *err)
{
    const int code = m->db ? sqlite3_extended_errcode(m->db) : SQLITE_NOMEM;
    if ((code & 0xff) == SQLITE_NOMEM)
        return error_nomem(err);
    const ptl_status status = (code & 0xff) == SQLITE_BUSY ? PTL_ERR_BUSY : PTL_ERR_IO;
    return error_set(err, status, "%s: %s", m->atlas->options->path, sqlite3_errmsg(m->db));
}

/* Inserts a tile. MBTiles counts rows from the south, the pyramid from the north. */
static ptl_status put_tile(void *payload, const pyramid_tile *t, ptl_error *err)
{
    const mbtiles *m = payload;
    const uint32_t row = (UINT32_C(1) << t->zoom) - 1 - t->y;
    if (sqlite3_bind_int(m->tile, 1, t->zoom) != SQLITE_OK ||
        sqlite3_bind_int64(m->tile, 2, t->x) != SQLITE_OK ||
        sqlite3_bind_int64(m->tile, 3, row) != SQLITE_OK ||
        sqlite3_bind_blob64(m->tile, 4, t->png, t->size, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(m->tile) != SQLITE_DONE)
        return failed(m, err);
    sqlite3_reset(m->tile);
    return PTL_OK;
}

enum { SIDE = 256, PIXEL = 4, SYMBOLS_FROM = 8, SCALE_DEFAULT = 4, SCALE_MAX = 16 };

typedef struct picture {
    /* Red, green, blue and opacity of each pixel, row by row. */
    uint8_t pixels[SIDE * SIDE * PIXEL];
} picture;

typedef struct pyramid {
    atlas *atlas;
    const pyramid_shape *shape;
    pyramid_sink *sink;
    void *payload;
    ptl_cache *cache; /* owned */
    look *looks;      /* owned */
    picture *levels;  /* owned; one for each zoom */
    bytes png;
} pyramid;

/* Returns the index of the first chunk that does not come before this one in the list, which
 * is ordered by y and x. */
static size_t first_from(const atlas *a, int64_t x, int64_t y)
{
    size_t lo = 0, hi = a->chunk_count;
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        const ptl_chunk_pos c = a->chunks[middle];
        if (c.y < y || (c.y == y && c.x < x))
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* A rectangle of chunks, both ends included. */
typedef struct chunk_rect {
    int64_t x0, y0, x1, y1;
} chunk_rect;

/* Returns where a tile begins, in pixels of the largest zoom from the middle. */
static int64_t tile_pixel(const pyramid_shape *s, int zoom, uint32_t at)
{
    return ((int64_t)at << (s->zoom_max - zoom)) * SIDE - s->half;
}

static chunk_rect chunks_of(const pyramid_shape *s, int zoom, uint32_t x, uint32_t y)
{
    const int64_t chunk = (int64_t)PTL_CHUNK_SIZE * s->scale;
    return (chunk_rect){floor_div(tile_pixel(s, zoom, x), chunk),
                        floor_div(tile_pixel(s, zoom, y), chunk),
                        floor_div(tile_pixel(s, zoom, x + 1) - 1, chunk),
                        floor_div(tile_pixel(s, zoom, y + 1) - 1, chunk)};
}

/* Finds the next listed chunk in the rectangle at or after *at; false: there is none. */
static bool next_chunk(const atlas *a, const chunk_rect *r, size_t *at)
{
    while (*at < a->chunk_count) {
        const ptl_chunk_pos c = a->chunks[*at];
        if (c.y > r->y1)
            return false;
        if (c.x >= r->x0 && c.x <= r->x1)
            return true;
        *at = c.x < r->x0 ? first_from(a, r->x0, c.y) : first_from(a, r->x0, (int64_t)c.y + 1);
    }
    return false;
}

/* Does the tile show no saved chunk? */
static bool is_empty(const pyramid *p, int zoom, uint32_t x, uint32_t y)
{
    const chunk_rect r = chunks_of(p->shape, zoom, x, y);
    size_t at = first_from(p->atlas, r.x0, r.y0);
    return !next_chunk(p->atlas, &r, &at);
}

static uint64_t count_tiles(const pyramid *p, int zoom, uint32_t x, uint32_t y)
{
    uint64_t count = 0;
    if (is_empty(p, zoom, x, y))
        return 0;
    if (zoom == p->shape->zoom_max)
        return 1;
    for (uint32_t i = 0; i < 4; i++)
        count += count_tiles(p, zoom + 1, 2 * x + i % 2, 2 * y + i / 2);
    return count;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Paints the part of a chunk that lies in a tile. (x0, y0) is the OMT at the tile's
 * north-western corner. */
static ptl_status paint_chunk(pyramid *p, picture *into, ptl_chunk_pos pos, int64_t x0,
                              int64_t y0, ptl_error *err)
{
    const int32_t scale = p->shape->scale, cells = SIDE / scale;
    /* The chunk's first OMT, counted from the tile's first. */
    const int64_t west = (int64_t)pos.x * PTL_CHUNK_SIZE - x0;
    const int64_t north = (int64_t)pos.y * PTL_CHUNK_SIZE - y0;
    const ptl_chunk *chunk;
    TRY(ptl_cache_load(&chunk, p->cache, pos, err));
    for (int64_t j = larger(north, 0); j < cells && j < north + PTL_CHUNK_SIZE; j++)
        for (int64_t i = larger(west, 0); i < cells && i < west + PTL_CHUNK_SIZE; i++) {
            const ptl_oter oter =
                ptl_chunk_oter(chunk, (int32_t)(i - west), (int32_t)(j - north), p->shape->z);
            const look *l = look_of(p->looks, p->atlas->cat, oter);
            const int64_t x = i * scale, y = j * scale;
            uint8_t row[SCALE_MAX];
            for (int32_t dy = 0; dy < scale; dy++) {
                paint_cell_row(row, l, scale, dy, scale >= SYMBOLS_FROM);
                uint8_t *out = into->pixels + ((size_t)(y + dy) * SIDE + (size_t)x) * PIXEL;
                for (int32_t dx = 0; dx < scale; dx++, out += PIXEL) {
                    const rgb colour = palette_rgb(row[dx]);
                    out[0] = colour.r;
                    out[1] = colour.g;
                    out[2] = colour.b;
                    out[3] = 255;
                }
            }
        }
    return PTL_OK;
}

static ptl_status paint_tile(pyramid *p, picture *into, uint32_t x, uint32_t y, ptl_error *err)
{
    const pyramid_shape *s = p->shape;
    const chunk_rect r = chunks_of(s, s->zoom_max, x, y);
    const int64_t x0 = tile_pixel(s, s->zoom_max, x) / s->scale;
    const int64_t y0 = tile_pixel(s, s->zoom_max, y) / s->scale;
    size_t at = first_from(p->atlas, r.x0, r.y0);
    for (; next_chunk(p->atlas, &r, &at); at++)
        TRY(paint_chunk(p, into, p->atlas->chunks[at], x0, y0, err));
    return atlas_advance(p->atlas, err);
}

/* Shrinks a picture into one quarter of another: each pixel is the mean of four. Colours are
 * weighted by opacity, so that clear pixels do not darken the edges. */
static void shrink(picture *into, const picture *from, uint32_t quarter)
{
    for (uint32_t y = 0; y < SIDE / 2; y++)
        for (uint32_t x = 0; x < SIDE / 2; x++) {
            const uint8_t *a = from->pixels + (size_t)(2 * y * SIDE + 2 * x) * PIXEL;
            const uint8_t *four[4] = {a, a + PIXEL, a + (size_t)SIDE * PIXEL,
                                      a + (size_t)(SIDE + 1) * PIXEL};
            const uint32_t ox = x + quarter % 2 * (SIDE / 2), oy = y + quarter / 2 * (SIDE / 2);
            uint8_t *out = into->pixels + (size_t)(oy * SIDE + ox) * PIXEL;
            uint32_t sums[3] = {0}, opaque = 0;
            for (int i = 0; i < 4; i++) {
                opaque += four[i][3];
                for (int c = 0; c < 3; c++)
                    sums[c] += (uint32_t)four[i][c] * four[i][3];
            }
            for (int c = 0; c < 3; c++)
                out[c] = (uint8_t)(opaque ? (sums[c] + opaque / 2) / opaque : 0);
            out[3] = (uint8_t)((opaque + 2) / 4);
        }
}

static ptl_status next_row(void *payload, int64_t y, const uint8_t **row, ptl_error *err)
{
    const picture *from = payload;
    (void)err;
    *row = from->pixels + (size_t)y * SIDE * PIXEL;
    return PTL_OK;
}

static ptl_status give_tile(pyramid *p, picture *of, int zoom, uint32_t x, uint32_t y,
                            ptl_error *err)
{
    const png_source source = {
        .width = SIDE, .height = SIDE, .bits = 32, .next_row = next_row, .payload = of};
    bytes_clear(&p->png);
    TRY(png_stream_put(&p->png, &source, err));
    const pyramid_tile tile = {zoom, x, y, p->png.data, p->png.size};
    p->atlas->report.tiles++;
    return p->sink(p->payload, &tile, err);
}

/* Makes a tile that is not empty: first the four tiles of the next zoom, then their means. */
static ptl_status make_tile(pyramid *p, int zoom, uint32_t x, uint32_t y, ptl_error *err)
{
    picture *into = &p->levels[zoom];
    ptl_status status = PTL_OK;
    memset(into, 0, sizeof *into);
    if (zoom == p->shape->zoom_max)
        status = paint_tile(p, into, x, y, err);
    for (uint32_t i = 0; zoom < p->shape->zoom_max && i < 4 && status == PTL_OK; i++) {
        const uint32_t cx = 2 * x + i % 2, cy = 2 * y + i / 2;
        if (is_empty(p, zoom + 1, cx, cy))
            continue;
        status = make_tile(p, zoom + 1, cx, cy, err);
        shrink(into, &p->levels[zoom + 1], i);
    }
    return status == PTL_OK ? give_tile(p, into, zoom, x, y, err) : status;
}

/* Makes all tiles and hands them to sink, whose first error is returned. */
static ptl_status pyramid_write(atlas *a, const pyramid_shape *shape, pyramid_sink *sink,
                                void *payload, ptl_error *err)
{
    pyramid p = {.atlas = a, .shape = shape, .sink = sink, .payload = payload};
    p.looks = looks_new(a->cat);
    p.levels = calloc((size_t)shape->zoom_max + 1, sizeof *p.levels);
    ptl_status status = p.looks && p.levels ? PTL_OK : error_nomem(err);
    THEN(status, ptl_cache_new(&p.cache, a->world, NULL, err));
    if (status == PTL_OK) {
        a->progress.total = count_tiles(&p, 0, 0, 0);
        status = make_tile(&p, 0, 0, 0, err);
    }
    ptl_cache_free(p.cache);
    free(p.levels);
    free(p.looks);
    bytes_dispose(&p.png);
    return status;
}

static ptl_status write_all(mbtiles *m, atlas *a, const pyramid_shape *s, ptl_error *err)
{
    char places[280];
    /* SQLite rounds other than printf, so that it gets these numbers as text. */
    snprintf(places, sizeof places,
             "('bounds', '%.7f,%.7f,%.7f,%.7f'), ('center', '%.7f,%.7f,%d')", s->west, s->south,
             s->east, s->north, (s->west + s->east) / 2, (s->south + s->north) / 2,
             s->zoom_max / 2);
    char *tables = sqlite3_mprintf(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
        "PRAGMA application_id = 0x4d504258; BEGIN;" /* the specification's number, "MPBX" */
        "CREATE TABLE metadata (name text, value text);"
        "CREATE TABLE tiles (zoom_level integer, tile_column integer, "
        "tile_row integer, tile_data blob);"
        "INSERT INTO metadata VALUES ('name', %Q), ('format', 'png'), ('type', 'baselayer'), "
        "('version', '1'), ('minzoom', '0'), ('maxzoom', '%d'), %s, ('description', %Q);",
        s->name, s->zoom_max, places, s->description);
    const bool open =
        tables &&
        sqlite3_open_v2(m->atlas->file.temporary, &m->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_exec(m->db, tables, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(m->db, "INSERT INTO tiles VALUES (?, ?, ?, ?)", -1, &m->tile,
                           NULL) == SQLITE_OK;
    sqlite3_free(tables);
    if (!open)
        return failed(m, err);
    TRY(pyramid_write(a, s, put_tile, m, err));
    return sqlite3_exec(m->db,
                        "CREATE UNIQUE INDEX tile_index ON tiles "
                        "(zoom_level, tile_column, tile_row); COMMIT;",
                        NULL, NULL, NULL) == SQLITE_OK
               ? PTL_OK
               : failed(m, err);
}

/* Returns the latitude of a pixel row of the largest zoom, in the projection of web maps. */
static double latitude(const pyramid_shape *s, int64_t y)
{
    const double pi = acos(-1);
    return atan(sinh(-pi * (double)y / (double)s->half)) * 180 / pi;
}

/* Finds the properties from the options. PTL_ERR_ARGUMENT: there is more than one level, or
 * the scale is not possible. */
static ptl_status pyramid_plan(pyramid_shape *out, const atlas *a, ptl_error *err)
{
    const ptl_atlas_options *o = a->options;
    ptl_world_options made = PTL_WORLD_OPTIONS_INIT;
    *out = (pyramid_shape){.z = o->has_levels ? o->z_first : 0,
                           .scale = o->scale ? o->scale : SCALE_DEFAULT};
    if (o->has_levels && o->z_first != o->z_last)
        return error_set(err, PTL_ERR_ARGUMENT, "a pyramid has one level, not %d..%d",
                         o->z_first, o->z_last);
    if (out->scale < 1 || out->scale > SCALE_MAX || (out->scale & (out->scale - 1)))
        return error_set(err, PTL_ERR_ARGUMENT, "the scale %d is none of 1, 2, 4, 8, 16",
                         out->scale);
    /* Finds the rectangle of all chunks, and the least zoom whose square around OMT (0, 0)
     * holds it. */
    int32_t west = INT32_MAX, north = INT32_MAX, east = INT32_MIN, south = INT32_MIN;
    for (size_t i = 0; i < a->chunk_count; i++) {
        const ptl_chunk_pos c = a->chunks[i];
        west = c.x < west ? c.x : west;
        east = c.x > east ? c.x : east;
        north = c.y < north ? c.y : north;
        south = c.y > south ? c.y : south;
    }
    const int64_t chunk = (int64_t)PTL_CHUNK_SIZE * out->scale;
    const int64_t x0 = west * chunk, x1 = (east + 1) * chunk;
    const int64_t y0 = north * chunk, y1 = (south + 1) * chunk;
    const int64_t reach = larger(larger(-x0, x1), larger(-y0, y1));
    out->zoom_max = 1;
    for (out->half = SIDE; out->half < reach; out->half *= 2)
        out->zoom_max++;
    out->west = 180.0 * (double)x0 / (double)out->half;
    out->east = 180.0 * (double)x1 / (double)out->half;
    out->north = latitude(out, y0);
    out->south = latitude(out, y1);
    (void)ptl_world_settings(&made, a->world, NULL);
    snprintf(out->name, sizeof out->name, "%.100s", ptl_world_name(a->world));
    visible_one_line(out->name);
    snprintf(out->description, sizeof out->description,
             "Seed %" PRIu64
             ", level %d; zoom %d has %d pixels per OMT, and OMT 0,0 in the middle of "
             "its %" PRId64 " pixels; made by Portolan %s",
             made.seed, out->z, out->zoom_max, out->scale, 2 * out->half, ptl_version());
    return PTL_OK;
}

ptl_status atlas_mbtiles(atlas *a, ptl_error *err)
{
    mbtiles m = {.atlas = a};
    pyramid_shape s;
    file_facts facts;
    ptl_status status = pyramid_plan(&s, a, err);
    THEN(status, write_all(&m, a, &s, err));
    sqlite3_finalize(m.tile);
    sqlite3_close(m.db);
    if (status == PTL_OK && !file_look_open(&facts, a->file.fd))
        status = error_system(err, PTL_ERR_IO, errno, "%s", a->file.path);
    if (status == PTL_OK)
        a->report.bytes = facts.size;
    return status;
}

static ptl_status append(void *payload, const void *data, size_t size, ptl_error *err)
{
    atlas *a = payload;
    bytes_put(&a->out, data, size);
    return atlas_drain(a, err);
}

static ptl_status put_pmtile(void *payload, const pyramid_tile *t, ptl_error *err)
{
    const pmtiles_place at = {t->zoom, t->x, t->y};
    return pmtiles_put(payload, &at, t->png, t->size, err);
}

/* The head comes first in the file but is known last, so it is written over the room left for
 * it. */
static ptl_status write_head(atlas *a, const bytes *head, ptl_error *err)
{
    const ptl_status status = atlas_flush(a, err);
    if (status == PTL_OK && !file_write_at(a->file.fd, head->data, head->size, 0))
        return error_system(err, PTL_ERR_IO, errno, "%s", a->options->path);
    return status;
}

static ptl_status finish(pmtiles *m, atlas *a, const pyramid_shape *s, ptl_error *err)
{
    bytes metadata = {.size = 0}, head = {.size = 0};
    emitter j = {&metadata, false};
    emit_put(&j, "{name:%s, description:%s, type:%s, portolan:{z:%d, scale:%d, half:%jd}}",
             s->name, s->description, "baselayer", s->z, s->scale, s->half);
    const pmtiles_facts facts = {.type = PMTILES_PNG,
                                 .compression = PMTILES_PLAIN,
                                 .zoom_max = s->zoom_max,
                                 .west = s->west,
                                 .south = s->south,
                                 .east = s->east,
                                 .north = s->north,
                                 .metadata = bytes_text(&metadata)};
    ptl_status status =
        facts.metadata ? pmtiles_finish(m, &facts, &head, err) : error_nomem(err);
    THEN(status, write_head(a, &head, err));
    bytes_dispose(&metadata);
    bytes_dispose(&head);
    return status;
}

ptl_status atlas_pmtiles(atlas *a, ptl_error *err)
{
    pmtiles m;
    pyramid_shape s;
    TRY(pyramid_plan(&s, a, err));
    ptl_status status = pmtiles_begin(&m, append, a, err);
    THEN(status, pyramid_write(a, &s, put_pmtile, &m, err));
    THEN(status, finish(&m, a, &s, err));
    pmtiles_dispose(&m);
    return status;
}
