/*
 * MBTiles 1.3 (github.com/mapbox/mbtiles-spec): an SQLite file with the tables metadata and
 * tiles. It has map tiles, whose rows are counted from the south. It is written without a
 * journal, because nobody sees the file before it is complete. A PMTiles file, for which the
 * code is at the end, has the same map tiles in another format.
 *
 * The map tiles are a pyramid of PNG pictures of 256 x 256 pixels. Zoom z has 2^z x 2^z map
 * tiles, counted to the east and to the south. The north-western corner of OMT (0, 0) is in the
 * middle. At the largest zoom an OMT has scale x scale pixels; at each smaller zoom a pixel is
 * the mean, in linear light, of four pixels of the next zoom. Areas without saved chunks are
 * transparent, and map tiles without any saved chunk are left out. Map tiles are made depth
 * first, so that memory holds only one picture for each zoom.
 */
#include "atlas/atlas_impl.h"
#include "core/emit.h"
#include "core/error.h"
#include "core/light.h"
#include "core/pmtiles.h"
#include "core/utf8.h"
#include "core/visible.h"
#include "core/whole.h"
#include "model/chunk.h"
#include "portolan/area.h"
#include "render/paint.h"
#include "render/png_stream.h"
#include "render/stamp.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 256, PIXEL = 4, SYMBOLS_FROM = 8, SCALE_DEFAULT = 4, SCALE_MAX = 16 };

typedef struct picture {
    /* Red, green, blue and opacity of each pixel, row by row. */
    uint8_t pixels[SIDE * SIDE * PIXEL];
} picture;

/* A pyramid of map tiles while it is made: pictures of the same map at several zooms. */
typedef struct pyramid {
    atlas *atlas;
    int32_t z, scale;
    int zoom_min, zoom_max; /* 1..31 */
    /* The map is a square; this is half of its side, in pixels of the largest zoom. */
    int64_t half;
    /* The bounds of all saved chunks, in degrees of the projection of web maps. */
    double west, south, east, north;
    char name[128];        /* name of the world; safe to print */
    char description[256]; /* tells people what the map tiles show */
    ptl_cache *cache;      /* owned */
    look *looks;           /* owned */
    stamper *stamper;      /* owned; draws OMTs on paper; NULL in the style of a terminal */
    uint8_t *strip;        /* owned; pixels of a row of OMTs */
    /* Owned; the OMTs of a map tile and those around it, on the level and on the ground. */
    ptl_oter *cells, *ground;
    picture *levels; /* owned; one for each zoom */
    bytes png;       /* PNG of the map tile that was finished last */
    /* Writes the map tile that is in `png` into the file. */
    ptl_status (*put)(struct pyramid *p, int zoom, uint32_t x, uint32_t y, ptl_error *err);
    /* An MBTiles file is written with `db` and `tile`, a PMTiles file with `file`. */
    sqlite3 *db;        /* owned */
    sqlite3_stmt *tile; /* owned; inserts a map tile */
    pmtiles file;
} pyramid;

/* Inserts a map tile. MBTiles counts rows from the south, the pyramid from the north. */
static ptl_status put_tile(pyramid *p, int zoom, uint32_t x, uint32_t y, ptl_error *err)
{
    const uint32_t row = (UINT32_C(1) << zoom) - 1 - y;
    if (sqlite3_bind_int(p->tile, 1, zoom) != SQLITE_OK ||
        sqlite3_bind_int64(p->tile, 2, x) != SQLITE_OK ||
        sqlite3_bind_int64(p->tile, 3, row) != SQLITE_OK ||
        sqlite3_bind_blob64(p->tile, 4, p->png.data, p->png.size, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(p->tile) != SQLITE_DONE)
        return atlas_sql_failed(p->atlas, p->db, err);
    sqlite3_reset(p->tile);
    return PTL_OK;
}

/* A rectangle of chunks, both ends included. */
typedef struct chunk_rect {
    int64_t x0, y0, x1, y1;
} chunk_rect;

/* Returns where a column or row of map tiles begins, in pixels of the largest zoom, counted
 * from the middle of the map. */
static int64_t tile_pixel(const pyramid *s, int zoom, uint32_t at)
{
    return ((int64_t)at << (s->zoom_max - zoom)) * SIDE - s->half;
}

static chunk_rect chunks_of(const pyramid *s, int zoom, uint32_t x, uint32_t y)
{
    const int64_t chunk = (int64_t)PTL_CHUNK_SIZE * s->scale;
    return (chunk_rect){floor_div(tile_pixel(s, zoom, x), chunk),
                        floor_div(tile_pixel(s, zoom, y), chunk),
                        floor_div(tile_pixel(s, zoom, x + 1) - 1, chunk),
                        floor_div(tile_pixel(s, zoom, y + 1) - 1, chunk)};
}

/* Finds the first chunk of the list, from the index *at on, that lies in the rectangle;
 * false: there is none. */
static bool next_chunk(const atlas *a, const chunk_rect *r, size_t *at)
{
    while (*at < a->chunk_count) {
        const ptl_chunk_pos c = a->chunks[*at];
        if (c.y > r->y1)
            return false;
        if (c.x >= r->x0 && c.x <= r->x1)
            return true;
        *at = c.x < r->x0
                  ? chunk_first_from(a->chunks, a->chunk_count, r->x0, c.y)
                  : chunk_first_from(a->chunks, a->chunk_count, r->x0, (int64_t)c.y + 1);
    }
    return false;
}

/* Returns whether no saved chunk lies in the map tile. */
static bool is_empty(const pyramid *p, int zoom, uint32_t x, uint32_t y)
{
    const chunk_rect r = chunks_of(p, zoom, x, y);
    size_t at = chunk_first_from(p->atlas->chunks, p->atlas->chunk_count, r.x0, r.y0);
    return !next_chunk(p->atlas, &r, &at);
}

static uint64_t count_tiles(const pyramid *p, int zoom, uint32_t x, uint32_t y)
{
    uint64_t count = 0;
    if (is_empty(p, zoom, x, y))
        return 0;
    if (zoom == p->zoom_max)
        return 1;
    for (uint32_t i = 0; i < 4; i++)
        count += count_tiles(p, zoom + 1, 2 * x + i % 2, 2 * y + i / 2);
    return count;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Returns the place of an OMT in the grid; (0, 0) is the north-western one of the map tile. */
static ptl_oter *grid_at(ptl_oter *grid, const pyramid *p, int64_t x, int64_t y)
{
    const int64_t side = SIDE / p->scale + 2;
    return grid + (y + 1) * side + x + 1;
}

/* Copies the oters of a chunk that lie in a map tile, or beside it, to the grid. (x0, y0) is
 * the OMT at the map tile's north-western corner. */
static void copy_chunk(pyramid *p, const ptl_chunk *chunk, ptl_chunk_pos pos, int64_t x0,
                       int64_t y0)
{
    const int64_t side = SIDE / p->scale;
    /* Where the chunk's north-western OMT lies, in OMTs from the map tile's north-western
     * corner. */
    const int64_t west = (int64_t)pos.x * PTL_CHUNK_SIZE - x0;
    const int64_t north = (int64_t)pos.y * PTL_CHUNK_SIZE - y0;
    for (int64_t j = larger(north, -1); j <= side && j < north + PTL_CHUNK_SIZE; j++)
        for (int64_t i = larger(west, -1); i <= side && i < west + PTL_CHUNK_SIZE; i++) {
            const int32_t x = (int32_t)(i - west), y = (int32_t)(j - north);
            *grid_at(p->cells, p, i, j) = ptl_chunk_oter(chunk, x, y, p->z);
            *grid_at(p->ground, p, i, j) = ptl_chunk_oter(chunk, x, y, 0);
        }
}

/* Reads the OMTs of a map tile, and those around it, into the grid. Chunks that only lie beside
 * the map tile may be damaged. */
static ptl_status read_grid(pyramid *p, const chunk_rect *own, int64_t x0, int64_t y0,
                            ptl_error *err)
{
    const int64_t side = SIDE / p->scale, size = (side + 2) * (side + 2);
    const chunk_rect r = {floor_div(x0 - 1, PTL_CHUNK_SIZE), floor_div(y0 - 1, PTL_CHUNK_SIZE),
                          floor_div(x0 + side, PTL_CHUNK_SIZE),
                          floor_div(y0 + side, PTL_CHUNK_SIZE)};
    memset(p->cells, 0xff, (size_t)size * sizeof *p->cells);
    memset(p->ground, 0xff, (size_t)size * sizeof *p->ground);
    size_t at = chunk_first_from(p->atlas->chunks, p->atlas->chunk_count, r.x0, r.y0);
    for (; next_chunk(p->atlas, &r, &at); at++) {
        const ptl_chunk_pos c = p->atlas->chunks[at];
        const bool inside =
            c.x >= own->x0 && c.x <= own->x1 && c.y >= own->y0 && c.y <= own->y1;
        ptl_error unseen = {0};
        const ptl_chunk *chunk = NULL;
        const ptl_status status = ptl_cache_load(&chunk, p->cache, c, inside ? err : &unseen);
        TRY(inside ? status : PTL_OK);
        if (status == PTL_OK)
            copy_chunk(p, chunk, c, x0, y0);
    }
    return PTL_OK;
}

/* Draws a row of OMTs of a map tile in the style of a terminal. */
static void draw_looks(const pyramid *p, picture *into, int64_t j)
{
    const int32_t scale = p->scale;
    for (int64_t i = 0; i < SIDE / scale; i++) {
        const look *l = look_of(p->looks, p->atlas->cat, *grid_at(p->cells, p, i, j));
        uint8_t row[SCALE_MAX];
        for (int32_t dy = 0; dy < scale; dy++) {
            paint_cell_row(row, l, scale, dy, scale >= SYMBOLS_FROM);
            uint8_t *out =
                into->pixels +
                ((size_t)(j * scale + dy) * SIDE + (size_t)i * (size_t)scale) * PIXEL;
            for (int32_t dx = 0; dx < scale; dx++, out += PIXEL) {
                const rgb colour = palette_rgb(row[dx]);
                memcpy(out, &colour, STAMP_BYTES);
            }
        }
    }
}

/* Draws a row of OMTs of a map tile on paper. */
static ptl_status draw_stamps(pyramid *p, picture *into, int64_t x0, int64_t y0, int64_t j,
                              ptl_error *err)
{
    const stamp_row row = {.rows = {grid_at(p->cells, p, 0, j - 1), grid_at(p->cells, p, 0, j),
                                    grid_at(p->cells, p, 0, j + 1)},
                           .ground = p->z ? grid_at(p->ground, p, 0, j) : NULL,
                           .width = (size_t)(SIDE / p->scale),
                           .x = x0,
                           .y = y0 + j};
    if (!stamper_draw(p->stamper, p->strip, (size_t)SIDE * STAMP_BYTES, &row))
        return error_nomem(err);
    uint8_t *out = into->pixels + (size_t)(j * p->scale) * SIDE * PIXEL;
    for (size_t i = 0; i < (size_t)p->scale * SIDE; i++)
        memcpy(out + i * PIXEL, p->strip + i * STAMP_BYTES, STAMP_BYTES);
    return PTL_OK;
}

static ptl_status paint_tile(pyramid *p, picture *into, uint32_t x, uint32_t y, ptl_error *err)
{
    const chunk_rect r = chunks_of(p, p->zoom_max, x, y);
    const int64_t x0 = tile_pixel(p, p->zoom_max, x) / p->scale;
    const int64_t y0 = tile_pixel(p, p->zoom_max, y) / p->scale;
    TRY(read_grid(p, &r, x0, y0, err));
    for (int64_t j = 0; j < SIDE / p->scale; j++) {
        if (p->stamper)
            TRY(draw_stamps(p, into, x0, y0, j, err));
        else
            draw_looks(p, into, j);
    }
    /* Where nothing is saved, the map tile stays transparent. */
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        const int64_t column = (int64_t)(i % SIDE) / p->scale,
                      row = (int64_t)(i / SIDE) / p->scale;
        if (*grid_at(p->cells, p, column, row) == PTL_OTER_NONE)
            memset(into->pixels + i * PIXEL, 0, PIXEL);
        else
            into->pixels[i * PIXEL + 3] = 255;
    }
    return atlas_advance(p->atlas, err);
}

/* Shrinks a picture into one quarter of another: each pixel becomes the mean of four, in linear
 * light. Colours are weighted by opacity, so that transparent pixels do not darken the rims of
 * what is drawn. */
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
            if (memcmp(a, four[1], PIXEL) == 0 && memcmp(a, four[2], 2 * (size_t)PIXEL) == 0) {
                memcpy(out, a, PIXEL); /* most of a map is alike */
                continue;
            }
            for (int i = 0; i < 4; i++) {
                opaque += four[i][3];
                for (int c = 0; c < 3; c++)
                    sums[c] += (uint32_t)light_of(four[i][c]) * four[i][3];
            }
            for (int c = 0; c < 3; c++)
                out[c] = opaque ? light_coded((uint16_t)((sums[c] + opaque / 2) / opaque)) : 0;
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

/* Makes a map tile that shows at least one chunk. It first makes the four map tiles of the next
 * zoom that show the same area; its pixels are means of theirs. */
static ptl_status make_tile(pyramid *p, int zoom, uint32_t x, uint32_t y, ptl_error *err)
{
    picture *into = &p->levels[zoom];
    ptl_status status = PTL_OK;
    memset(into, 0, sizeof *into);
    if (zoom == p->zoom_max)
        status = paint_tile(p, into, x, y, err);
    for (uint32_t i = 0; zoom < p->zoom_max && i < 4 && status == PTL_OK; i++) {
        const uint32_t cx = 2 * x + i % 2, cy = 2 * y + i / 2;
        if (is_empty(p, zoom + 1, cx, cy))
            continue;
        status = make_tile(p, zoom + 1, cx, cy, err);
        shrink(into, &p->levels[zoom + 1], i);
    }
    const png_source source = {
        .width = SIDE, .height = SIDE, .bits = 32, .next_row = next_row, .payload = into};
    bytes_clear(&p->png);
    THEN(status, png_stream_put(&p->png, &source, err));
    p->atlas->report.tiles += status == PTL_OK;
    return status == PTL_OK ? p->put(p, zoom, x, y, err) : status;
}

/* Makes all map tiles of the pyramid: those of its smallest zoom lie around the middle. */
static ptl_status make_all(pyramid *p, ptl_error *err)
{
    atlas *a = p->atlas;
    const size_t side = (size_t)(SIDE / p->scale + 2);
    const bool paper = a->options->style != PTL_STYLE_TERMINAL;
    p->looks = looks_new(a->cat);
    p->levels = calloc((size_t)p->zoom_max + 1, sizeof *p->levels);
    p->strip = malloc((size_t)p->scale * SIDE * STAMP_BYTES);
    p->cells = malloc(side * side * sizeof *p->cells);
    p->ground = malloc(side * side * sizeof *p->ground);
    if (paper)
        p->stamper = stamper_new(a->cat, a->options->style, p->scale, p->scale >= SYMBOLS_FROM);
    if (!p->looks || !p->levels || !p->strip || !p->cells || !p->ground ||
        (paper && !p->stamper))
        return error_nomem(err);
    TRY(ptl_cache_new(&p->cache, a->world, NULL, err));
    const uint32_t first = (UINT32_C(1) << (p->zoom_min - 1)) - 1;
    for (uint32_t i = 0; i < 4; i++)
        a->progress.total += count_tiles(p, p->zoom_min, first + i % 2, first + i / 2);
    ptl_status status = PTL_OK;
    for (uint32_t i = 0; i < 4 && status == PTL_OK; i++)
        if (!is_empty(p, p->zoom_min, first + i % 2, first + i / 2))
            status = make_tile(p, p->zoom_min, first + i % 2, first + i / 2, err);
    return status;
}

static void pyramid_dispose(pyramid *p)
{
    ptl_cache_free(p->cache);
    free(p->levels);
    free(p->looks);
    stamper_free(p->stamper);
    free(p->strip);
    free(p->cells);
    free(p->ground);
    bytes_dispose(&p->png);
}

static ptl_status make_mbtiles(pyramid *s, ptl_error *err)
{
    char places[280];
    /* SQLite formats numbers otherwise than printf, so it gets these numbers as text. */
    snprintf(places, sizeof places,
             "('bounds', '%.7f,%.7f,%.7f,%.7f'), ('center', '%.7f,%.7f,%d')", s->west, s->south,
             s->east, s->north, (s->west + s->east) / 2, (s->south + s->north) / 2,
             (s->zoom_min + s->zoom_max) / 2);
    char *tables = sqlite3_mprintf(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
        "PRAGMA application_id = 0x4d504258; BEGIN;" /* the number that the specification sets,
                                                      * "MPBX" */
        "CREATE TABLE metadata (name text, value text);"
        "CREATE TABLE tiles (zoom_level integer, tile_column integer, "
        "tile_row integer, tile_data blob);"
        "INSERT INTO metadata VALUES ('name', %Q), ('format', 'png'), ('type', 'baselayer'), "
        "('version', '1'), ('minzoom', '%d'), ('maxzoom', '%d'), %s, ('description', %Q);",
        s->name, s->zoom_min, s->zoom_max, places, s->description);
    const bool open =
        tables &&
        sqlite3_open_v2(s->atlas->file.temporary, &s->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_exec(s->db, tables, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(s->db, "INSERT INTO tiles VALUES (?, ?, ?, ?)", -1, &s->tile,
                           NULL) == SQLITE_OK;
    sqlite3_free(tables);
    if (!open)
        return atlas_sql_failed(s->atlas, s->db, err);
    s->put = put_tile;
    TRY(make_all(s, err));
    return sqlite3_exec(s->db,
                        "CREATE UNIQUE INDEX tile_index ON tiles "
                        "(zoom_level, tile_column, tile_row); COMMIT;",
                        NULL, NULL, NULL) == SQLITE_OK
               ? PTL_OK
               : atlas_sql_failed(s->atlas, s->db, err);
}

/* Fills the pyramid's properties from the options. PTL_ERR_ARGUMENT if the options name more
 * than one level or an impossible scale. */
static ptl_status plan(pyramid *out, atlas *a, ptl_error *err)
{
    const ptl_atlas_options *o = a->options;
    ptl_world_options made = PTL_WORLD_OPTIONS_INIT;
    *out = (pyramid){.atlas = a,
                     .z = o->has_levels ? o->z_first : 0,
                     .scale = o->scale ? o->scale : SCALE_DEFAULT};
    if (o->has_levels && o->z_first != o->z_last)
        return error_set(err, PTL_ERR_ARGUMENT, "a pyramid has one level, not %d..%d",
                         o->z_first, o->z_last);
    if (out->scale < 1 || out->scale > SCALE_MAX || (out->scale & (out->scale - 1)))
        return error_set(err, PTL_ERR_ARGUMENT, "the scale %d is none of 1, 2, 4, 8, 16",
                         out->scale);
    /* The largest zoom shows the map of the earth, with `scale` pixels for an OMT. The smallest
     * zoom is the last one at which all chunks lie in the four map tiles around OMT (0, 0). */
    const int32_t side = PTL_CHUNK_SIZE;
    const int64_t x0 = (int64_t)a->west * side, x1 = ((int64_t)a->east + 1) * side;
    const int64_t y0 = (int64_t)a->north * side, y1 = ((int64_t)a->south + 1) * side;
    const int64_t reach = larger(larger(-x0, x1), larger(-y0, y1)) * out->scale;
    out->half = a->half * out->scale;
    for (int64_t half = SIDE; half < out->half; half *= 2)
        out->zoom_max++;
    out->zoom_max++;
    out->zoom_min = out->zoom_max;
    for (int64_t seen = SIDE; seen < reach; seen *= 2)
        out->zoom_min--;
    out->west = atlas_longitude(a, (double)x0);
    out->east = atlas_longitude(a, (double)x1);
    out->north = atlas_latitude(a, (double)y0);
    out->south = atlas_latitude(a, (double)y1);
    (void)ptl_world_settings(&made, a->world, NULL);
    snprintf(out->name, sizeof out->name, "%.*s", UTF8_CUT(ptl_world_name(a->world), 100));
    visible_one_line(out->name);
    snprintf(out->description, sizeof out->description,
             "Seed %" PRIu64
             ", level %d; zoom %d has %d pixels per OMT, and OMT 0,0 in the middle of "
             "its %" PRId64 " pixels; made by Portolan %s",
             made.seed, out->z, out->zoom_max, out->scale, 2 * out->half, ptl_version());
    return PTL_OK;
}

static ptl_status write_mbtiles(atlas *a, ptl_error *err)
{
    pyramid p;
    ptl_status status = plan(&p, a, err);
    THEN(status, make_mbtiles(&p, err));
    sqlite3_finalize(p.tile);
    sqlite3_close(p.db);
    pyramid_dispose(&p);
    THEN(status, atlas_measure(a, err));
    return status;
}

/* ---- PMTiles ---- */

static ptl_status append(void *payload, const void *data, size_t size, ptl_error *err)
{
    atlas *a = payload;
    bytes_put(&a->out, data, size);
    return atlas_drain(a, err);
}

static ptl_status put_pmtile(pyramid *p, int zoom, uint32_t x, uint32_t y, ptl_error *err)
{
    const pmtiles_place at = {zoom, x, y};
    return pmtiles_put(&p->file, &at, p->png.data, p->png.size, err);
}

/* Completes a PMTiles file. The file begins with a head, which is known only when all else is
 * written; it is written last, into the room that was left for it. */
static ptl_status finish(pyramid *s, ptl_error *err)
{
    atlas *a = s->atlas;
    bytes metadata = {.size = 0}, head = {.size = 0};
    emitter j = {&metadata, false};
    emit_put(&j, "{name:%s, description:%s, type:%s, portolan:{z:%d, scale:%d, half:%jd}}",
             s->name, s->description, "baselayer", s->z, s->scale, s->half);
    const pmtiles_facts facts = {.type = PMTILES_PNG,
                                 .compression = PMTILES_PLAIN,
                                 .zoom_min = s->zoom_min,
                                 .zoom_max = s->zoom_max,
                                 .west = s->west,
                                 .south = s->south,
                                 .east = s->east,
                                 .north = s->north,
                                 .metadata = bytes_text(&metadata)};
    ptl_status status =
        facts.metadata ? pmtiles_finish(&s->file, &facts, &head, err) : error_nomem(err);
    THEN(status, atlas_flush(a, err));
    if (status == PTL_OK && !file_write_at(a->file.fd, head.data, head.size, 0))
        status = error_system(err, PTL_ERR_IO, errno, "%s", a->options->path);
    bytes_dispose(&metadata);
    bytes_dispose(&head);
    return status;
}

static ptl_status write_pmtiles(atlas *a, ptl_error *err)
{
    pyramid p;
    TRY(plan(&p, a, err));
    p.put = put_pmtile;
    ptl_status status = pmtiles_begin(&p.file, append, a, err);
    THEN(status, make_all(&p, err));
    THEN(status, finish(&p, err));
    pmtiles_dispose(&p.file);
    pyramid_dispose(&p);
    return status;
}

ptl_status atlas_pictures(atlas *a, ptl_error *err)
{
    const ptl_atlas_format format = a->options->format;
    return format == PTL_ATLAS_MBTILES   ? write_mbtiles(a, err)
           : format == PTL_ATLAS_PMTILES ? write_pmtiles(a, err)
                                         : atlas_tiled(a, err);
}
