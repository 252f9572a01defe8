/* The terrain, the features and the local maps of a web site, in files of map tiles (PMTiles).
 * Terrain is packed by a model of its level (cells.h), all else by gzip. */
#include "clients/server/answer.h"
#include "clients/server/means.h"
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

/*
 * PACK_LEVEL is gzip's level 7; level 9 takes six times as long and makes files only 2 percent
 * smaller. BLOCK: a map tile of local maps has those of a block, which is 8 x 8 OMTs. DEEPER:
 * how much higher the zoom of these map tiles is than the zoom at which a map tile is one
 * chunk; a chunk is less than 2^5 blocks wide (the large pictures of local maps, which have
 * half a block, go one zoom deeper). PICTURES_DEEPER: the same for the smallest
 * pictures of a tile set, of which 6 lie side by side in a chunk. ZOOM_MAX: the highest zoom;
 * above it the numbers of map tiles are too large for the web page.
 */
enum { PACK_LEVEL = 7, BLOCK = 8, DEEPER = 5, PICTURES_DEEPER = 3, ZOOM_MAX = 26 };

/* A map tile that shows n x n chunks by 180 x 180 of their OMTs. The chunks are added to it one
 * after the other. */
typedef struct square {
    int32_t n, x, y; /* n: width of this map tile in chunks; x, y: its position among the map
                      * tiles of this width */
    int up; /* how much lower the zoom of this map tile is than the zoom at which a map tile
               shows one chunk */
    bool begun;
    ptl_oter cells[PTL_LEVEL_CELLS];
    means *means; /* owned; for a file of mean colours, which has these instead of `cells` */
} square;

/* A file of map tiles while it is written. */
typedef struct tiles {
    site *site;
    pmtiles file;
    bytes packed, head;
    /* Owned; model of the level's terrain; NULL for features and local maps. */
    cells_model *model;
    lights lights; /* for a file of mean colours */
    ptl_oter level[PTL_LEVEL_CELLS], ground[PTL_LEVEL_CELLS];
    square near, far;
} tiles;

/* Writes t->packed as a map tile. Its zoom is lower by `up` than the zoom at which a map tile
 * shows one chunk. Its place (x, y) is counted from the map tile that begins with the chunk
 * 0,0. */
static ptl_status put_tile(tiles *t, int up, int64_t x, int64_t y, ptl_error *err)
{
    const int zoom = t->site->now->zoom - up;
    const int64_t half = INT64_C(1) << (zoom - 1);
    const pmtiles_place at = {zoom, (uint32_t)(x + half), (uint32_t)(y + half)};
    return pmtiles_put(&t->file, &at, t->packed.data, t->packed.size, err);
}

/* Packs `plain` by gzip and writes it as the map tile (x, y). Its zoom is lower by `up` than
 * the zoom at which a map tile shows one chunk. */
static ptl_status put_packed(tiles *t, const bytes *plain, int up, int64_t x, int64_t y,
                             ptl_error *err)
{
    bytes_clear(&t->packed);
    if (plain->failed || !gzip_put(&t->packed, plain->data, plain->size, PACK_LEVEL))
        return error_nomem(err);
    return put_tile(t, up, x, y, err);
}

/* ---- terrain ---- */

static ptl_status put_cells(tiles *t, const ptl_oter *cells, int up, int32_t x, int32_t y,
                            ptl_error *err)
{
    bytes_clear(&t->packed);
    return cells_put(t->model, &t->packed, cells) ? put_tile(t, up, x, y, err)
                                                  : error_nomem(err);
}

/* Writes the map tile of n x n chunks that was begun in q, if there is one. */
static ptl_status end_square(tiles *t, square *q, ptl_error *err)
{
    ptl_status status = PTL_OK;
    bytes plain = {.size = 0};
    if (q->begun && q->means) {
        means_put(&plain, q->means);
        status = put_packed(t, &plain, q->up, q->x, q->y, err);
        bytes_dispose(&plain);
    } else if (q->begun) {
        status = put_cells(t, q->cells, q->up, q->x, q->y, err);
    }
    q->begun = false;
    return status;
}

/* Adds a chunk to the map tile of the n x n chunks to which it belongs. If the previous chunk
 * belonged to another map tile, that one is complete and is written first. */
static ptl_status add_to_square(tiles *t, square *q, ptl_chunk_pos pos, int32_t z,
                                ptl_error *err)
{
    const int32_t x = (int32_t)floor_div(pos.x, q->n), y = (int32_t)floor_div(pos.y, q->n);
    ptl_status status = PTL_OK;
    if (q->begun && (q->x != x || q->y != y))
        status = end_square(t, q, err);
    if (!q->begun && q->means)
        means_begin(q->means, q->n);
    else if (!q->begun)
        memset(q->cells, 0xff, sizeof q->cells); /* sets each cell to PTL_OTER_NONE */
    q->begun = true;
    q->x = x;
    q->y = y;
    if (q->means)
        means_add(q->means, &t->lights, t->level, z != 0 ? t->ground : NULL, pos.x - x * q->n,
                  pos.y - y * q->n);
    else
        gather_samples(q->cells, t->level, q->n, pos.x - x * q->n, pos.y - y * q->n);
    return status;
}

static ptl_status put_chunk(tiles *t, ptl_chunk_pos pos, int32_t z, ptl_error *err)
{
    TRY(ptl_level_load(t->level, t->site->world, pos, z, err));
    if (t->model)
        TRY(put_cells(t, t->level, 0, pos.x, pos.y, err));
    else if (z != 0)
        TRY(ptl_level_load(t->ground, t->site->world, pos, 0, err));
    TRY(add_to_square(t, &t->near, pos, z, err));
    TRY(add_to_square(t, &t->far, pos, z, err));
    return site_advance(t->site, err);
}

/* Makes the model by which the level's map tiles are packed, and writes it as
 * data/levelZ.model.packed. */
static ptl_status write_model(tiles *t, int32_t z, ptl_error *err)
{
    site *s = t->site;
    char name[32];
    bytes plain = {.size = 0};
    ptl_status status = PTL_OK;
    t->model = cells_model_new();
    if (!t->model)
        return error_nomem(err);
    for (size_t i = 0; i < s->now->count && status == PTL_OK; i++) {
        status = ptl_level_load(t->level, s->world, s->now->chunks[i], z, err);
        THEN(status, cells_model_add(t->model, t->level) ? PTL_OK : error_nomem(err));
        THEN(status, site_advance(s, err));
    }
    THEN(status, cells_model_finish(t->model, &plain) ? PTL_OK : error_nomem(err));
    snprintf(name, sizeof name, "level%d.model", z);
    THEN(status, site_packed(s, s->now->prefix, name, &plain, err));
    bytes_dispose(&plain);
    return status;
}

/* ---- features ---- */

/* Writes a chunk's features as the server's answer to /data/features has them, but as lists
 * without names, which are shorter. */
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
    THEN(status, put_packed(t, &body.body, 0, pos.x, pos.y, err));
    bytes_dispose(&body.body);
    return status == PTL_OK ? site_advance(t->site, err) : status;
}

/* ---- local maps: all stored ones, a block of 8 x 8 OMTs in a map tile ---- */

static bool take_map(void *payload, const ptl_omt *at)
{
    site *s = payload;
    site_world *w = s->now;
    const site_options *o = s->options;
    if (at->z < o->z_first || at->z > o->z_last ||
        (o->has_omts && (at->x < o->omts[0].x || at->y < o->omts[0].y || at->x > o->omts[1].x ||
                         at->y > o->omts[1].y)) ||
        !answer_is_within(s->within, ptl_omt_chunk(*at)))
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
    const bool pictures = s->options->tileset != NULL;
    if (status == PTL_OK && w->map_count > 0 && w->zoom + DEEPER + pictures > ZOOM_MAX)
        status = error_set(err, PTL_ERR_LIMIT,
                           "world '%s' has local maps too far from overmap 0,0 for a site: "
                           "--omt can name a rectangle without any",
                           w->name);
    if (status == PTL_OK && pictures && w->zoom + PICTURES_DEEPER > ZOOM_MAX)
        status = error_set(err, PTL_ERR_LIMIT,
                           "world '%s' lies too far from overmap 0,0 for pictures of a tile "
                           "set: export it without --tileset",
                           w->name);
    if (w->map_count > 1)
        qsort(w->maps, w->map_count, sizeof *w->maps, by_block);
    s->report.maps += w->map_count;
    return status;
}

/* Returns how many consecutive maps, beginning with w->maps[from], lie in the same block. */
static size_t block_size(const site_world *w, size_t from)
{
    const ptl_omt *first = &w->maps[from];
    size_t n = 1;
    while (from + n < w->map_count && first[n].z == first->z &&
           floor_div(first[n].x, BLOCK) == floor_div(first->x, BLOCK) &&
           floor_div(first[n].y, BLOCK) == floor_div(first->y, BLOCK))
        n++;
    return n;
}

/* Writes a block of local maps, in the same form as the server's answer to /data/local. Damaged
 * maps are left out, and their places are listed behind the maps, under `damaged`. */
static ptl_status put_block(tiles *t, size_t from, size_t count, ptl_error *err)
{
    site *s = t->site;
    const ptl_omt *maps = s->now->maps + from;
    ptl_status status = PTL_OK;
    bytes plain = {.size = 0}, list = {.size = 0};
    emitter j = {&plain, false}, damaged = {&list, false};
    emit_put(&j, "{maps:[");
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        ptl_local_map *map = NULL;
        status = ptl_local_load(&map, s->world, maps[i], err);
        if (status == PTL_OK) {
            bytes_put_text(&plain, j.after ? "," : "");
            j.after = true;
            if (!answer_put_local(&plain, map))
                status = error_nomem(err);
        } else if (status == PTL_ERR_CORRUPT) {
            s->now->maps_damaged++;
            s->report.maps--;
            site_damaged(s, maps[i], "a local map");
            error_clear(err);
            emit_put(&damaged, "[%jd, %jd]", maps[i].x, maps[i].y);
            status = PTL_OK;
        }
        ptl_local_free(map);
        THEN(status, site_advance(s, err));
    }
    emit_put(&j, "], damaged:[");
    emit_values(&j, &list);
    emit_put(&j, "]}");
    THEN(status, put_packed(t, &plain, -DEEPER, floor_div(maps->x, BLOCK),
                            floor_div(maps->y, BLOCK), err));
    bytes_dispose(&plain);
    bytes_dispose(&list);
    return status;
}

/* ---- pictures of a tile set ---- */

/* Sizes of pictures as the page has them (tiles.js): OMTs along a side, pixels of an OMT, and
 * how much higher than a chunk's zoom the zoom of these map tiles is. A picture's place is
 * counted in pictures; it has a margin, as the server's have. */
typedef struct picture_size {
    int32_t side, scale;
    int deeper;
} picture_size;
static const picture_size picture_sizes[] = {{60, 8, 2}, {30, 16, PICTURES_DEEPER}},
                          local_sizes[] = {{BLOCK, 96, DEEPER}, {BLOCK / 2, 192, DEEPER + 1}};
enum { MAPS_SIDE = BLOCK + 2 * TILE_MARGIN };

/* Writes the picture that begins with the OMT `at`. maps: see tile_block. */
static ptl_status put_picture(tiles *t, const picture_size *size, ptl_omt at,
                              const ptl_local_map *const *maps, ptl_error *err)
{
    const site *s = t->site;
    const tile_block block = {.n = size->side,
                              .scale = size->scale,
                              .style = s->options->style,
                              .local = maps != NULL,
                              .maps = maps};
    const asked q = {
        .from = s->from, .world = s->world, .omt = at, .tileset = s->options->tileset};
    reply body;
    reply_init(&body);
    ptl_status status = answer_draw_tiles(&q, &block, &body, err);
    bytes_clear(&t->packed);
    bytes_put(&t->packed, body.body.data, body.body.size);
    if (status == PTL_OK && (body.body.failed || t->packed.failed))
        status = error_nomem(err);
    THEN(status, put_tile(t, -size->deeper, floor_div(at.x, size->side),
                          floor_div(at.y, size->side), err));
    bytes_dispose(&body.body);
    return status;
}

/* Writes the pictures of a chunk's level. */
static ptl_status put_pictures(tiles *t, ptl_chunk_pos pos, int32_t z, ptl_error *err)
{
    const int64_t x0 = (int64_t)pos.x * PTL_CHUNK_SIZE, y0 = (int64_t)pos.y * PTL_CHUNK_SIZE;
    for (size_t i = 0; i < sizeof picture_sizes / sizeof picture_sizes[0]; i++) {
        const picture_size *size = &picture_sizes[i];
        for (int32_t y = 0; y < PTL_CHUNK_SIZE; y += size->side)
            for (int32_t x = 0; x < PTL_CHUNK_SIZE; x += size->side) {
                TRY(put_picture(t, size, (ptl_omt){x0 + x, y0 + y, z}, NULL, err));
                TRY(site_advance(t->site, err));
            }
    }
    return PTL_OK;
}

/* Reads the stored maps of a block whose first OMT is (x, y, z), and of its margin: row by row,
 * NULL where there is none or where it is damaged, which put_block has told. */
static ptl_status load_maps(ptl_local_map *maps[MAPS_SIDE * MAPS_SIDE], ptl_world *world,
                            ptl_omt first, ptl_error *err)
{
    for (int32_t i = 0; i < MAPS_SIDE * MAPS_SIDE; i++) {
        const ptl_omt at = {first.x - TILE_MARGIN + i % MAPS_SIDE,
                            first.y - TILE_MARGIN + i / MAPS_SIDE, first.z};
        const ptl_status status = ptl_local_load(&maps[i], world, at, err);
        if (status != PTL_OK && status != PTL_ERR_NOT_FOUND && status != PTL_ERR_CORRUPT)
            return status;
        error_clear(err);
    }
    return PTL_OK;
}

/* Writes the pictures of one size that have a map of the block whose first OMT is `first`. */
static ptl_status put_local_size(tiles *t, const picture_size *size, ptl_omt first,
                                 ptl_local_map *const maps[MAPS_SIDE * MAPS_SIDE],
                                 ptl_error *err)
{
    const int32_t row = size->side + 2 * TILE_MARGIN;
    const ptl_local_map *shown[MAPS_SIDE * MAPS_SIDE];
    for (int32_t y = 0; y < BLOCK; y += size->side)
        for (int32_t x = 0; x < BLOCK; x += size->side) {
            bool any = false;
            for (int32_t i = 0; i < row * row; i++) {
                shown[i] = maps[(y + i / row) * MAPS_SIDE + x + i % row];
                any = any || (shown[i] && i % row % (row - 1) != 0 && i / row % (row - 1) != 0);
            }
            if (any)
                TRY(put_picture(t, size, (ptl_omt){first.x + x, first.y + y, first.z}, shown,
                                err));
        }
    return PTL_OK;
}

/* Writes the pictures of a block of local maps. */
static ptl_status put_local_pictures(tiles *t, size_t from, size_t count, ptl_error *err)
{
    const ptl_omt *map = t->site->now->maps + from;
    const ptl_omt first = {floor_div(map->x, BLOCK) * BLOCK, floor_div(map->y, BLOCK) * BLOCK,
                           map->z};
    ptl_local_map *maps[MAPS_SIDE * MAPS_SIDE] = {NULL};
    ptl_status status = load_maps(maps, t->site->world, first, err);
    for (size_t i = 0; i < sizeof local_sizes / sizeof local_sizes[0]; i++)
        THEN(status, put_local_size(t, &local_sizes[i], first, maps, err));
    for (size_t i = 0; i < MAPS_SIDE * MAPS_SIDE; i++)
        ptl_local_free(maps[i]);
    for (size_t i = 0; i < count; i++)
        THEN(status, site_advance(t->site, err));
    return status;
}

/* ---- files ---- */

static ptl_status put_of_chunk(tiles *t, site_tiles what, ptl_chunk_pos pos, int32_t z,
                               ptl_error *err)
{
    if (what == SITE_FEATURES)
        return put_features(t, pos, err);
    return what == SITE_PICTURES ? put_pictures(t, pos, z, err) : put_chunk(t, pos, z, err);
}

static ptl_status put_all(tiles *t, site_tiles what, int32_t z, ptl_error *err)
{
    const site_world *w = t->site->now;
    const bool local = what == SITE_LOCAL_MAPS || what == SITE_LOCAL_PICTURES;
    for (size_t i = 0, n; local && i < w->map_count; i += n) {
        n = block_size(w, i);
        if (w->maps[i].z == z)
            TRY(what == SITE_LOCAL_MAPS ? put_block(t, i, n, err)
                                        : put_local_pictures(t, i, n, err));
    }
    for (size_t i = 0; !local && i < w->count; i++)
        TRY(put_of_chunk(t, what, w->chunks[i], z, err));
    TRY(end_square(t, &t->near, err));
    return end_square(t, &t->far, err);
}

/* Prepares t for a file of mean colours. */
static ptl_status begin_colours(tiles *t, size_t style, ptl_error *err)
{
    t->near.means = malloc(sizeof *t->near.means);
    t->far.means = malloc(sizeof *t->far.means);
    if (!t->near.means || !t->far.means)
        return error_nomem(err);
    return lights_make(&t->lights, ptl_world_catalogue(t->site->world), style, err);
}

ptl_status site_tiles_write(site *s, site_tiles what, int32_t z, ptl_error *err)
{
    static const struct {
        const char *name, *metadata;
        int up_first, up_last; /* how much lower the first and the last zoom of the file are
                                  than the zoom at which a map tile is one chunk */
    } kinds[] = {
        [SITE_TERRAINS] = {"level", "{\"portolan\":\"terrains\"}", 4, 0},
        [SITE_FEATURES] = {"features", "{\"portolan\":\"features\"}", 0, 0},
        [SITE_LOCAL_MAPS] = {"local", "{\"portolan\":\"local maps\"}", -DEEPER, -DEEPER},
        [SITE_PICTURES] = {"tiles", "{\"portolan\":\"tile set\"}", -2, -PICTURES_DEEPER},
        [SITE_LOCAL_PICTURES] = {"local-tiles", "{\"portolan\":\"tile set, local maps\"}",
                                 -DEEPER, -DEEPER - 1},
        [SITE_COLOURS] = {"", "{\"portolan\":\"colours\"}", 4, 2}};
    const size_t style = what >= SITE_COLOURS ? (size_t)what - SITE_COLOURS : MEANS_STYLES;
    const site_tiles kind = what < SITE_COLOURS ? what : SITE_COLOURS;
    const pmtiles_facts facts = {.type = PMTILES_OTHER,
                                 .compression = what == SITE_TERRAINS ||
                                                        what == SITE_PICTURES ||
                                                        what == SITE_LOCAL_PICTURES
                                                    ? PMTILES_PLAIN
                                                    : PMTILES_GZIP,
                                 .zoom_min = s->now->zoom - kinds[kind].up_first,
                                 .zoom_max = s->now->zoom - kinds[kind].up_last,
                                 .west = -180,
                                 .south = -85,
                                 .east = 180,
                                 .north = 85,
                                 .metadata = kinds[kind].metadata};
    char name[SITE_NAME], level[16] = "";
    tiles *t = calloc(1, sizeof *t);
    if (!t)
        return error_nomem(err);
    t->site = s;
    t->near.n = 4;
    t->near.up = 2;
    t->far.n = 16;
    t->far.up = 4;
    if (what != SITE_FEATURES)
        snprintf(level, sizeof level, "%d", z);
    snprintf(name, sizeof name, "data/%s%s%s.pmtiles", s->now->prefix,
             style < MEANS_STYLES ? means_styles[style] : kinds[kind].name, level);
    ptl_status status = what == SITE_TERRAINS ? write_model(t, z, err) : PTL_OK;
    if (style < MEANS_STYLES)
        status = begin_colours(t, style, err);
    THEN(status, site_file_begin(s, name, err));
    THEN(status, pmtiles_begin(&t->file, site_file_put, s, err));
    THEN(status, put_all(t, what, z, err));
    THEN(status, pmtiles_finish(&t->file, &facts, &t->head, err));
    THEN(status, site_file_end(s, name, &t->head, err));
    cells_model_free(t->model);
    lights_dispose(&t->lights);
    free(t->near.means);
    free(t->far.means);
    pmtiles_dispose(&t->file);
    bytes_dispose(&t->packed);
    bytes_dispose(&t->head);
    free(t);
    return status;
}
