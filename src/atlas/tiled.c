/*
 * A map for Tiled (doc.mapeditor.org, "TMX Map Format" 1.8). Tiled calls each square of a map a
 * tile; here these squares are OMTs. The map is infinite: its square (x, y) is the absolute OMT
 * (x, y). Each level is a layer, and each saved chunk a <chunk> of the layer. The tileset is a
 * picture with a square for each oter of the content, painted as render/ paints symbols. It is
 * a second file beside the map, because Tiled does not read pictures inside of a map.
 */
#include "atlas/atlas_impl.h"

#include "core/error.h"
#include "core/visible.h"
#include "render/paint.h"
#include "render/png_stream.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16, COLUMNS = 64 };

typedef struct tiled {
    atlas *atlas;
    int32_t width, height; /* of the rectangle around the chunks, in OMTs */
    look *looks;           /* owned */
    ptl_oter cells[PTL_LEVEL_CELLS];
    uint8_t row[COLUMNS * TILE]; /* a row of pixels of the tileset's picture */
    bytes png;
} tiled;

/* ---- text ---- */

/*
 * Writes ` name="value"`, escaped. Characters that are unsafe to print are made visible
 * first.
 */
static void put_attribute(bytes *out, const char *name, const char *value)
{
    static const char *const escapes[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
    bytes safe = {.size = 0};
    visible_put(&safe, value, strlen(value));
    bytes_printf(out, " %s=\"", name);
    for (size_t i = 0; i < safe.size; i++) {
        const uint8_t c = safe.data[i];
        const char *escape = c < sizeof escapes / sizeof escapes[0] ? escapes[c] : NULL;
        if (escape)
            bytes_put_text(out, escape);
        else
            bytes_put_u8(out, c);
    }
    bytes_put_u8(out, '"');
    out->failed = out->failed || safe.failed;
    bytes_dispose(&safe);
}

static void put_property(bytes *out, const char *name, const char *value)
{
    bytes_printf(out, "  <property name=\"%s\"", name);
    put_attribute(out, "value", value);
    bytes_put_text(out, "/>\n");
}

/* ---- the tileset ---- */

/* Gives a row of pixels of the tileset's picture. Where the picture has more places than
 * there are oters, the last places look like cells of unsaved chunks. */
static ptl_status next_row(void *payload, int64_t y, const uint8_t **row, ptl_error *err)
{
    tiled *t = payload;
    const catalogue *cat = t->atlas->cat;
    const size_t first = (size_t)(y / TILE) * COLUMNS, count = catalogue_all_oters(cat);
    (void)err;
    for (size_t i = 0; i < COLUMNS; i++)
        paint_cell_row(t->row + i * TILE, &t->looks[first + i < count ? first + i : count],
                       TILE, (int32_t)(y % TILE), true);
    *row = t->row;
    return PTL_OK;
}

/* Describes the tileset, a picture with a square for each oter, and writes the picture into a
 * file beside the map. A square has the number of its oter, and as its type the oter's id. */
static ptl_status put_tileset(tiled *t, ptl_error *err)
{
    const catalogue *cat = t->atlas->cat;
    atlas *a = t->atlas;
    bytes *out = &a->out;
    const size_t count = catalogue_all_oters(cat), rows = (count + COLUMNS - 1) / COLUMNS;
    const png_source source = {.width = (int64_t)COLUMNS * TILE,
                               .height = (int64_t)rows * TILE,
                               .bits = 8,
                               .colour_count = PALETTE_SIZE,
                               .next_row = next_row,
                               .payload = t};
    TRY(atlas_open_aside(a, ".png", err));
    TRY(png_stream_put(&t->png, &source, err));
    TRY(new_file_write(&a->aside, t->png.data, t->png.size, err));
    a->report.bytes += t->png.size;
    const char *path = a->aside.path, *slash = strrchr(path, '/');
    bytes_printf(out,
                 " <tileset firstgid=\"1\" name=\"symbols\" tilewidth=\"%d\" tileheight=\"%d\" "
                 "tilecount=\"%zu\" columns=\"%d\">\n  <image",
                 TILE, TILE, count, COLUMNS);
    put_attribute(out, "source", slash ? slash + 1 : path);
    bytes_printf(out, " width=\"%d\" height=\"%zu\"/>\n", COLUMNS * TILE, rows * TILE);
    for (size_t i = 0; i < count; i++) {
        bytes_printf(out, "  <tile id=\"%zu\"", i);
        put_attribute(out, "type", cat->oters[i].id);
        bytes_put_text(out, "/>\n");
    }
    bytes_put_text(out, " </tileset>\n");
    return atlas_drain(a, err);
}

/* ---- the layers ---- */

static ptl_status put_chunk(tiled *t, ptl_chunk_pos pos, int32_t z, ptl_error *err)
{
    TRY(ptl_level_load(t->cells, t->atlas->world, pos, z, err));
    bytes_printf(&t->atlas->out, "   <chunk x=\"%jd\" y=\"%jd\" width=\"%d\" height=\"%d\">\n",
                 (int64_t)pos.x * PTL_CHUNK_SIZE, (int64_t)pos.y * PTL_CHUNK_SIZE,
                 PTL_CHUNK_SIZE, PTL_CHUNK_SIZE);
    /* In the file, the squares of the tileset's picture are numbered from 1; 0 stands for no
     * square. */
    bytes *out = &t->atlas->out;
    const size_t count = catalogue_all_oters(t->atlas->cat);
    for (uint32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const uint32_t tile = t->cells[i] < count ? t->cells[i] + 1u : 0;
        const bool last = i + 1 == PTL_LEVEL_CELLS;
        char text[12];
        size_t at = sizeof text;
        text[--at] = (char)((i + 1) % PTL_CHUNK_SIZE ? ',' : '\n');
        if (text[at] == '\n' && !last)
            text[--at] = ',';
        for (uint32_t left = tile; at > 0; left /= 10) {
            text[--at] = (char)('0' + left % 10);
            if (left < 10)
                break;
        }
        bytes_put(out, text + at, sizeof text - at);
    }
    bytes_put_text(&t->atlas->out, "   </chunk>\n");
    const ptl_status drained = atlas_drain(t->atlas, err);
    return drained == PTL_OK ? atlas_advance(t->atlas, err) : drained;
}

static ptl_status put_layer(tiled *t, int id, int32_t z, bool visible, ptl_error *err)
{
    bytes *out = &t->atlas->out;
    ptl_status status = PTL_OK;
    bytes_printf(out,
                 " <layer id=\"%d\" name=\"%d\" width=\"%d\" height=\"%d\"%s>\n"
                 "  <properties>\n"
                 "   <property name=\"z\" type=\"int\" value=\"%d\"/>\n"
                 "  </properties>\n"
                 "  <data encoding=\"csv\">\n",
                 id, z, t->width, t->height, visible ? "" : " visible=\"0\"", z);
    for (size_t i = 0; i < t->atlas->chunk_count && status == PTL_OK; i++)
        status = put_chunk(t, t->atlas->chunks[i], z, err);
    bytes_put_text(out, "  </data>\n </layer>\n");
    return status;
}

/* ---- the map ---- */

static void put_head(const tiled *t, int layers)
{
    atlas *a = t->atlas;
    bytes *out = &a->out;
    char seed[24];
    ptl_world_options made = PTL_WORLD_OPTIONS_INIT;
    (void)ptl_world_settings(&made, a->world, NULL);
    snprintf(seed, sizeof seed, "%" PRIu64, made.seed);
    bytes_printf(out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<map version=\"1.8\" orientation=\"orthogonal\" renderorder=\"right-down\" "
                 "width=\"%d\" height=\"%d\" tilewidth=\"%d\" tileheight=\"%d\" "
                 "infinite=\"1\" nextlayerid=\"%d\" nextobjectid=\"1\">\n"
                 " <editorsettings>\n"
                 "  <chunksize width=\"%d\" height=\"%d\"/>\n"
                 " </editorsettings>\n"
                 " <properties>\n",
                 t->width, t->height, TILE, TILE, layers + 1, PTL_CHUNK_SIZE, PTL_CHUNK_SIZE);
    put_property(out, "world", ptl_world_name(a->world));
    put_property(out, "seed", seed);
    char extent[100];
    snprintf(extent, sizeof extent, "%d,%d,%d,%d", (int)a->west * PTL_CHUNK_SIZE,
             (int)a->north * PTL_CHUNK_SIZE, (int)(a->east + 1) * PTL_CHUNK_SIZE - 1,
             (int)(a->south + 1) * PTL_CHUNK_SIZE - 1);
    put_property(out, "omts", extent);
    put_property(out, "content", ptl_catalogue_digest(ptl_world_catalogue(a->world)));
    bytes_put_text(out, " </properties>\n");
}

/* Writes the layers from the first level to the last. Each layer covers those before it, so
 * only one layer is visible at first: the ground, or else the first level. */
static ptl_status put_map(tiled *t, ptl_error *err)
{
    atlas *a = t->atlas;
    const ptl_atlas_options *o = a->options;
    const int32_t first = o->has_levels ? o->z_first : PTL_Z_MIN;
    const int32_t last = o->has_levels ? o->z_last : PTL_Z_MAX;
    const int32_t step = first <= last ? 1 : -1, count = (last - first) * step + 1;
    const bool ground = (first <= 0 && last >= 0) || (first >= 0 && last <= 0);
    a->progress.total = (uint64_t)count * a->chunk_count;
    put_head(t, count);
    ptl_status status = put_tileset(t, err);
    for (int32_t i = 0; i < count && status == PTL_OK; i++) {
        const int32_t z = first + i * step;
        status = put_layer(t, i + 1, z, z == (ground ? 0 : first), err);
    }
    bytes_put_text(&a->out, "</map>\n");
    return status;
}

ptl_status atlas_tiled(atlas *a, ptl_error *err)
{
    tiled *t = calloc(1, sizeof *t);
    if (!t)
        return error_nomem(err);
    t->atlas = a;
    t->width = (a->east - a->west + 1) * PTL_CHUNK_SIZE;
    t->height = (a->south - a->north + 1) * PTL_CHUNK_SIZE;
    t->looks = looks_new(a->cat);
    const ptl_status status = t->looks ? put_map(t, err) : error_nomem(err);
    free(t->looks);
    bytes_dispose(&t->png);
    free(t);
    return status;
}
