/* The map's data for portolan view, and texts about the OMT under the cursor. A reader and a
 * writer open the file separately: the reader stays open, and the writer is closed soon after
 * its last use. */
#include "clients/cli/view/viewer_impl.h"
#include "clients/lookup/search.h"
#include "core/array.h"
#include "core/error.h"
#include "core/utf8.h"
#include "core/visible.h"
#include "os/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TURN_MS = 500, /* how many milliseconds to wait at most for another process that writes the
                      file */
    CELLS_MAX = 1024 * 1024, /* most OMTs that the map may show at a time */
    CACHE_BYTES = 16 << 20,  /* size of the cache of decoded chunks */
    DIMMED = 115             /* brightest component of a dimmed colour: 45 percent of 255 */
};

/* The writer is closed after so many seconds without use, so that other processes can
 * write. */
static const double WRITER_SECONDS = 3;

/* An open file, and a world in it. */
typedef struct opened {
    ptl_store *store;
    ptl_world *world;
} opened;

struct atlas {
    const viewer_options *options;
    opened reader, writer;
    double writer_used;
    ptl_cache *cache;
    ptl_oter *cells; /* owned */
    int32_t width, height;
    glyph *glyphs; /* owned; one for each oter; a symbol of 0 means not looked up yet */
    ptl_features *features;
    ptl_chunk_pos features_of;
    /* True: `features` has the features of the chunk `features_of`, or NULL if that chunk is
     * not saved. False: `features` and `features_of` have no meaning yet. */
    bool features_known;
    /* Owned; the cities of the chunks cities_of[0] to cities_of[1], which are shown, if
     * cities_known is true. */
    view_city *cities;
    size_t city_count, city_room;
    ptl_chunk_pos shown[2], cities_of[2];
    bool cities_known;
};

/* ---- opening and closing ---- */

static void close_opened(opened *o)
{
    ptl_world_close(o->world);
    ptl_store_close(o->store);
    *o = (opened){NULL, NULL};
}

static ptl_status open_file(opened *out, const atlas *a, bool write, ptl_error *err)
{
    ptl_open_options o = PTL_OPEN_OPTIONS_INIT;
    ptl_world_open_options w = PTL_WORLD_OPEN_OPTIONS_INIT;
    o.mode = write ? PTL_OPEN_WRITE : PTL_OPEN_READ;
    o.busy_timeout_ms = TURN_MS;
    o.writers = a->options->shared ? PTL_WRITERS_SHARED : PTL_WRITERS_ONE;
    o.program = a->options->program;
    o.should_stop = a->options->should_stop;
    o.payload = a->options->payload;
    w.accept_content = a->options->accept_content && write;
    ptl_status status = ptl_store_open(&out->store, a->options->path, &o, err);
    THEN(status, ptl_world_open(&out->world, out->store, a->options->world, &w, err));
    if (status != PTL_OK)
        close_opened(out);
    return status;
}

static void forget_features(atlas *a)
{
    ptl_features_free(a->features);
    a->features = NULL;
    a->features_known = false;
}

static void close_reader(atlas *a)
{
    forget_features(a);
    ptl_cache_free(a->cache);
    a->cache = NULL;
    close_opened(&a->reader);
}

static ptl_status open_reader(atlas *a, ptl_error *err)
{
    ptl_cache_options c = PTL_CACHE_OPTIONS_INIT;
    c.bytes = CACHE_BYTES;
    memset(a->glyphs, 0, (PTL_OTER_NONE + 1) * sizeof *a->glyphs);
    ptl_status status = open_file(&a->reader, a, false, err);
    THEN(status, ptl_cache_new(&a->cache, a->reader.world, &c, err));
    if (status != PTL_OK)
        close_reader(a);
    return status;
}

ptl_status atlas_open(atlas **out, const viewer_options *options, ptl_error *err)
{
    atlas *a = calloc(1, sizeof *a);
    *out = NULL;
    if (!a)
        return error_nomem(err);
    a->options = options;
    a->glyphs = calloc(PTL_OTER_NONE + 1, sizeof *a->glyphs);
    const ptl_status status = a->glyphs ? open_reader(a, err) : error_nomem(err);
    if (status == PTL_OK)
        *out = a;
    else
        atlas_close(a);
    return status;
}

void atlas_close(atlas *a)
{
    if (!a)
        return;
    close_opened(&a->writer);
    close_reader(a);
    free(a->cells);
    free(a->glyphs);
    free(a->cities);
    free(a);
}

static const ptl_world *atlas_world(const atlas *a)
{
    return a->reader.world;
}

/* Returns whether the viewer reads a private copy, in which later changes of the file are
 * missing. */
static bool atlas_is_copy(const atlas *a)
{
    return a->reader.store && ptl_store_private_copy(a->reader.store) != NULL;
}

/* Opens the file if it is closed: at first, and after note_error has closed it because the file
 * may have been replaced. */
static ptl_status need_reader(atlas *a, ptl_error *err)
{
    return a->reader.world ? PTL_OK : open_reader(a, err);
}

/* Closes the open file after an error whose cause may be that another file has replaced it.
 * After an error that concerns only one chunk, or that passes by itself, the file stays open.
 */
static void note_error(atlas *a, ptl_status status)
{
    if (status != PTL_OK && status != PTL_ERR_NOT_FOUND && status != PTL_ERR_BUSY &&
        status != PTL_ERR_CANCELLED && status != PTL_ERR_CORRUPT && status != PTL_ERR_ARGUMENT)
        close_reader(a);
}

/* ---- tiles ---- */

static int64_t within(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

ptl_omt atlas_clamp(ptl_omt at)
{
    const int64_t least = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    const int64_t most = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    return (ptl_omt){within(at.x, least, most), within(at.y, least, most),
                     (int32_t)within(at.z, PTL_Z_MIN, PTL_Z_MAX)};
}

/* Copies the part of a chunk that lies in the shown rectangle of OMTs to `a->cells`. */
static void copy_chunk(atlas *a, const ptl_chunk *chunk, ptl_omt from)
{
    const ptl_chunk_pos pos = ptl_chunk_position(chunk);
    const int64_t x0 = (int64_t)pos.x * PTL_CHUNK_SIZE - from.x;
    const int64_t y0 = (int64_t)pos.y * PTL_CHUNK_SIZE - from.y;
    for (int64_t y = within(y0, 0, a->height); y < within(y0 + PTL_CHUNK_SIZE, 0, a->height);
         y++)
        for (int64_t x = within(x0, 0, a->width); x < within(x0 + PTL_CHUNK_SIZE, 0, a->width);
             x++)
            a->cells[y * a->width + x] =
                ptl_chunk_oter(chunk, (int32_t)(x - x0), (int32_t)(y - y0), from.z);
}

/* A chunk that can't be read leaves its part of the shown rectangle empty. The first error is
 * returned, but all other chunks are read. */
bool atlas_look(atlas *a, ptl_omt from, int32_t width, int32_t height, ptl_error *err)
{
    const ptl_omt last = {from.x + width - 1, from.y + height - 1, from.z};
    const ptl_chunk_pos first = ptl_omt_chunk(atlas_clamp(from));
    const ptl_chunk_pos end = ptl_omt_chunk(atlas_clamp(last));
    const size_t cells = (size_t)width * (size_t)height;
    bool good = true;
    a->shown[0] = first;
    a->shown[1] = end;
    /* Makes room for a rectangle of this size. A rectangle that is too large is an error. */
    if (!a->cells || a->width != width || a->height != height) {
        free(a->cells);
        a->cells = cells > CELLS_MAX ? NULL : calloc(cells + 1, sizeof *a->cells);
        a->width = a->cells ? width : 0;
        a->height = a->cells ? height : 0;
    }
    if (!a->cells) {
        (void)error_nomem(err);
        return false;
    }
    for (size_t i = 0; i < cells; i++)
        a->cells[i] = PTL_OTER_NONE;
    for (int32_t y = first.y; y <= end.y; y++) {
        for (int32_t x = first.x; x <= end.x; x++) {
            const ptl_chunk *chunk;
            ptl_error why = {0};
            ptl_status status = need_reader(a, &why);
            if (status == PTL_OK)
                status = ptl_cache_load(&chunk, a->cache, (ptl_chunk_pos){x, y}, &why);
            if (status == PTL_OK)
                copy_chunk(a, chunk, from);
            else if (status != PTL_ERR_NOT_FOUND && good)
                *err = why;
            good = good && (status == PTL_OK || status == PTL_ERR_NOT_FOUND);
            note_error(a, status);
        }
    }
    return good;
}

ptl_oter atlas_oter(const atlas *a, int32_t column, int32_t line)
{
    return column >= 0 && column < a->width && line >= 0 && line < a->height
               ? a->cells[(int64_t)line * a->width + column]
               : PTL_OTER_NONE;
}

const glyph *atlas_glyph(atlas *a, ptl_oter oter)
{
    glyph *g = &a->glyphs[oter];
    uint8_t area[3];
    ptl_terrain t = PTL_TERRAIN_INIT;
    if (g->symbol != 0 || !a->reader.world)
        return g;
    (void)ptl_catalogue_oter(&t, ptl_world_catalogue(a->reader.world), oter);
    (void)ptl_color_find(area, g->ink, g->paper, t.color);
    /* If the content names no background for a symbol, pictures draw the symbol on its own
     * colour, dimmed to 45 percent. A terminal has too few colours for that, so here the
     * background is black, as in the games. */
    if (g->paper[0] < DIMMED && g->paper[1] < DIMMED && g->paper[2] < DIMMED)
        memset(g->paper, 0, 3);
    g->symbol = t.symbol == 0 || visible_unsafe(t.symbol) || utf8_columns(t.symbol) != 1
                    ? '?'
                    : t.symbol;
    return g;
}

static bool take_city(void *payload, const ptl_city_place *c)
{
    atlas *a = payload;
    if (c->name[0] == '\0')
        return true;
    if (!ARRAY_ROOM(a->cities, a->city_room, a->city_count + 1))
        return false;
    view_city *city = &a->cities[a->city_count++];
    *city = (view_city){.x = c->x, .y = c->y, .radius = c->radius};
    snprintf(city->name, sizeof city->name, "%.*s", UTF8_CUT(c->name, sizeof city->name - 1));
    return true;
}

/* Cities that can't be read have no names on the map; what is damaged is told by atlas_look. */
size_t atlas_cities(view_city **out, atlas *a)
{
    ptl_error err = {0};
    if (!a->cities_known || memcmp(a->cities_of, a->shown, sizeof a->shown) != 0) {
        a->city_count = 0;
        memcpy(a->cities_of, a->shown, sizeof a->shown);
        a->cities_known = need_reader(a, &err) == PTL_OK &&
                          ptl_city_list(a->reader.store, ptl_world_name(a->reader.world),
                                        a->shown, take_city, a, &err) == PTL_OK;
    }
    *out = a->cities;
    return a->city_count;
}

bool atlas_is_empty(atlas *a)
{
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    ptl_error err = {0};
    return need_reader(a, &err) == PTL_OK &&
           ptl_world_counts_load(&counts, a->reader.store, ptl_world_name(a->reader.world),
                                 &err) == PTL_OK &&
           counts.chunks == 0;
}

void atlas_refresh(atlas *a)
{
    forget_features(a);
    a->cities_known = false;
    if (a->cache)
        ptl_cache_clear(a->cache);
}

void atlas_idle(atlas *a)
{
    if (a->writer.store && clock_seconds() > a->writer_used + WRITER_SECONDS)
        close_opened(&a->writer);
}

/* ---- calls that may take seconds ---- */

ptl_status atlas_search(search_result **out, atlas *a, const search_options *options,
                        ptl_error *err)
{
    *out = NULL;
    ptl_status status = need_reader(a, err);
    THEN(status, search_world(out, a->reader.store, a->reader.world, options, err));
    note_error(a, status);
    return status;
}

static ptl_status need_writer(atlas *a, ptl_error *err)
{
    if (!a->options->write)
        return error_set(err, PTL_ERR_READONLY, "--write lets this map write");
    return a->writer.world ? PTL_OK : open_file(&a->writer, a, true, err);
}

/* Ends writing, so that what was written is shown at once. If the viewer reads a private copy
 * of the file, the file is opened again, because the copy does not change with the file. */
static void end_writing(atlas *a, ptl_status status)
{
    a->writer_used = clock_seconds();
    if (status != PTL_OK)
        close_opened(&a->writer);
    if (atlas_is_copy(a))
        close_reader(a);
    atlas_refresh(a);
}

ptl_status atlas_generate(atlas *a, ptl_chunk_pos pos, ptl_error *err)
{
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = &pos;
    o.position_count = 1;
    ptl_status status = need_writer(a, err);
    THEN(status, ptl_generate(NULL, a->writer.world, &o, err));
    end_writing(a, status);
    return status;
}

ptl_status atlas_save(ptl_save_report *report, atlas *a, const ptl_save_options *options,
                      ptl_status (*fill)(void *payload, ptl_save *save, ptl_error *err),
                      void *payload, ptl_error *err)
{
    ptl_save *save = NULL;
    ptl_status status = need_writer(a, err);
    THEN(status, ptl_save_begin(&save, a->writer.world, options, err));
    THEN(status, fill(payload, save, err));
    THEN(status, ptl_save_commit(report, save, err));
    if (status != PTL_OK)
        ptl_save_abort(save);
    end_writing(a, status);
    return status;
}

ptl_status atlas_reader(ptl_world **out, atlas *a, ptl_error *err)
{
    const ptl_status status = need_reader(a, err);
    *out = a->reader.world;
    return status;
}

static bool collect(void *payload, const void *data, size_t size)
{
    bytes_put(payload, data, size);
    return !((const bytes *)payload)->failed;
}

ptl_status atlas_local_text(bytes *out, atlas *a, ptl_omt at, ptl_error *err)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    o.local = true;
    o.x0 = o.x1 = at.x;
    o.y0 = o.y1 = at.y;
    o.z_first = o.z_last = at.z;
    o.parts = PTL_RENDER_LEGEND;
    TRY(need_reader(a, err));
    return ptl_render_text_write(a->reader.world, &o, true, collect, out, err);
}

ptl_status atlas_local(ptl_local_map **out, atlas *a, ptl_omt at, ptl_error *err)
{
    *out = NULL;
    ptl_status status = need_reader(a, err);
    THEN(status, ptl_local_load(out, a->reader.world, at, err));
    if (status != PTL_ERR_NOT_FOUND || !a->options->write)
        return status;
    status = need_writer(a, err);
    THEN(status, ptl_local_get(out, a->writer.world, at, NULL, err));
    end_writing(a, status);
    return status;
}

/* ---- words about the OMT under the cursor ---- */

static const char *const directions[4] = {"north", "east", "south", "west"};

/* Returns the oter under the cursor. The cursor is in the middle of the rectangle of the map
 * that atlas_look has read. */
static ptl_oter oter_here(const viewer *v)
{
    int32_t line, column;
    draw_cursor(v, &line, &column);
    return atlas_oter(v->atlas, column, line);
}

static const ptl_catalogue *catalogue_of(const viewer *v)
{
    const ptl_world *world = atlas_world(v->atlas);
    return world ? ptl_world_catalogue(world) : NULL;
}

/* Finds the features at the cursor. Returns false if the chunk is not saved. */
static bool spot_here(viewer *v, spot *out)
{
    const ptl_chunk_pos pos = ptl_omt_chunk(v->at);
    atlas *a = v->atlas;
    ptl_error err = {0};
    if (!a->features_known || a->features_of.x != pos.x || a->features_of.y != pos.y) {
        forget_features(a);
        a->features_known = need_reader(a, &err) == PTL_OK;
        a->features_of = pos;
        if (a->features_known &&
            ptl_features_load(&a->features, a->reader.world, pos, &err) != PTL_OK)
            a->features = NULL; /* the chunk is not saved, or can't be read */
    }
    *out = (spot){.catalogue = catalogue_of(v),
                  .features = a->features,
                  .x = (int32_t)(v->at.x - (int64_t)pos.x * PTL_CHUNK_SIZE),
                  .y = (int32_t)(v->at.y - (int64_t)pos.y * PTL_CHUNK_SIZE),
                  .z = v->at.z};
    return a->features && out->catalogue;
}

static void put_terrain(const viewer *v, bytes *out, ptl_oter oter)
{
    ptl_terrain t = PTL_TERRAIN_INIT;
    if (!catalogue_of(v))
        return;
    (void)ptl_catalogue_oter(&t, catalogue_of(v), oter);
    words_put(out, t.name[0] ? "%s (%s)" : "%s%s", t.name, t.id);
}

void words_what(viewer *v, bytes *out)
{
    const ptl_oter oter = oter_here(v);
    spot here;
    size_t number;
    ptl_placed_special s;
    ptl_placed_piece piece;
    ptl_building b;
    if (oter == PTL_OTER_NONE && atlas_is_empty(v->atlas)) {
        bytes_put_text(out,
                       v->options->write
                           ? "This world has no overmaps yet: the space bar makes this one"
                           : "This world has no overmaps yet: portolan generate makes them");
        return;
    }
    if (oter == PTL_OTER_NONE) {
        bytes_put_text(out, v->options->write
                                ? "Nothing is saved here; the space bar generates it"
                                : "Nothing is saved here (with --write it can be generated)");
        bytes_put(out, v->notes_here.data, v->notes_here.size);
        return;
    }
    put_terrain(v, out, oter);
    bytes_put(out, v->notes_here.data, v->notes_here.size);
    if (!spot_here(v, &here))
        return;
    if (spot_special(&here, &number, &s, &piece)) {
        words_put(out, " | special %s%s%s", s.id, piece.id[0] ? ", piece " : "", piece.id);
    } else if (spot_building(&here, &b)) {
        words_put(out, " | building %s", b.id);
    }
}

static void put_city(const spot *here, bytes *out)
{
    ptl_city c;
    double distance;
    if (!spot_city(here, &c, &distance))
        return;
    words_put(out, distance <= c.radius ? " | in %s" : " | %s", c.name[0] ? c.name : "a city");
    if (distance > c.radius)
        bytes_printf(out, " %ld away", lround(distance));
}

static void put_coordinates(const viewer *v, bytes *out)
{
    const ptl_chunk_pos pos = ptl_omt_chunk(v->at);
    bytes_printf(out, "%jd,%jd,%d ", v->at.x, v->at.y, (int)v->at.z);
    words_level(out, v->at.z);
    bytes_printf(out, " | in the game %d'%d, %d'%d, %d", (int)pos.x,
                 (int)(v->at.x - (int64_t)pos.x * PTL_CHUNK_SIZE), (int)pos.y,
                 (int)(v->at.y - (int64_t)pos.y * PTL_CHUNK_SIZE), (int)v->at.z);
}

void words_place(viewer *v, bytes *out)
{
    spot here;
    put_coordinates(v, out);
    if (spot_here(v, &here))
        put_city(&here, out);
    words_put(out, " | world %s%s",
              atlas_world(v->atlas) ? ptl_world_name(atlas_world(v->atlas)) : "?",
              atlas_is_copy(v->atlas) ? " (a copy of the file)" : "");
}

static void put_crossings(const spot *here, bytes *out)
{
    for (size_t side = 0; side < 4; side++) {
        /* True for the eastern and the western border, which run from north to south. */
        const bool upright = side % 2 == 1;
        const int32_t border = side == 0 || side == 3 ? 0 : PTL_CHUNK_SIZE - 1;
        ptl_chunk_edge e = PTL_CHUNK_EDGE_INIT;
        (void)ptl_features_edge(&e, here->features, side);
        for (size_t i = 0; (upright ? here->x : here->y) == border && i < e.crossing_count;
             i++) {
            ptl_crossing c = PTL_CROSSING_INIT;
            (void)ptl_features_crossing(&c, here->features, side, i);
            const int32_t along = (upright ? here->y : here->x) - c.position;
            if (c.z != here->z || along > c.width || along < -c.width)
                continue;
            words_put(out, "%s crosses the border to the %s here.\n", c.kind, directions[side]);
        }
    }
}

/* Appends what stands on the OMT, and if that is a special, why the chunk has it. To find out,
 * the chunk is generated again in memory. */
static void put_standing(viewer *v, bytes *out, const spot *here)
{
    size_t number;
    ptl_placed_special placed;
    ptl_placed_piece piece;
    ptl_building b;
    ptl_why why = PTL_WHY_INIT;
    ptl_error err = {0};
    ptl_special s = PTL_SPECIAL_INIT;
    ptl_world_options world = PTL_WORLD_OPTIONS_INIT;
    const ptl_chunk_pos pos = ptl_omt_chunk(v->at);
    const char *id;
    if (spot_special(here, &number, &placed, &piece)) {
        id = placed.id;
        words_put(out, "Special %s, number %zu of the chunk, %d OMTs, turned to the %s%s%s.\n",
                  id, number, (int)placed.omts, directions[placed.rotation & 3],
                  piece.id[0] ? "; piece " : "", piece.id);
    } else if (spot_building(here, &b)) {
        id = b.id;
        words_put(out, "Building %s, turned to the %s.\n", id, directions[b.rotation & 3]);
    } else {
        bytes_put_text(out, "No special and no building stands here.\n");
        return;
    }
    bytes_put_text(out, "\nWhy is it here?\n");
    if (need_reader(v->atlas, &err) != PTL_OK ||
        ptl_why_get(&why, NULL, v->atlas->reader.world, id, pos, &err) != PTL_OK) {
        words_put(out, "%s\n", err.message);
        return;
    }
    (void)ptl_world_settings(&world, atlas_world(v->atlas), NULL);
    (void)ptl_catalogue_find(&number, catalogue_of(v), PTL_CONTENT_SPECIAL, id);
    if (ptl_catalogue_special(&s, catalogue_of(v), number) == PTL_OK)
        why_words(out, &s, world.placement, pos, &why);
}

void words_details(viewer *v, bytes *out)
{
    const ptl_oter oter = oter_here(v);
    spot here;
    put_coordinates(v, out);
    bytes_put_text(out, "\n");
    if (oter == PTL_OTER_NONE || !spot_here(v, &here)) {
        words_what(v, out);
        bytes_put_text(out, ".\n");
        return;
    }
    put_terrain(v, out, oter);
    put_city(&here, out);
    bytes_put_text(out, "\n");
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    (void)ptl_features_describe(&info, here.features);
    bytes_printf(out, "Chunk %d,%d: ", (int)info.pos.x, (int)info.pos.y);
    if (info.imported)
        bytes_put_text(out, "from a game's save.\n");
    else
        bytes_printf(out, "made by version %d of the generator%s%s.\n",
                     (int)info.generator_version, info.last_step[0] ? ", up to step " : "",
                     info.last_step);
    put_crossings(&here, out);
    /* Appends the monster groups whose circle covers the OMT. Their centres and radii are in
     * submaps, of which an OMT has 2 x 2. The distance is measured from the group's centre to
     * the centre of the OMT. */
    for (size_t i = 0; i < info.monster_groups; i++) {
        ptl_monster_group m = PTL_MONSTER_GROUP_INIT;
        (void)ptl_features_monster_group(&m, here.features, i);
        if (m.z == here.z &&
            hypot(m.x - (2 * here.x + 1), m.y - (2 * here.y + 1)) <= m.radius + 1)
            words_put(out, "Monsters: %s, population %d.\n", m.type, (int)m.population);
    }
    for (size_t i = 0; i < info.events; i++) {
        ptl_event e = PTL_EVENT_INIT;
        (void)ptl_features_event(&e, here.features, i);
        if (e.has_place && e.x == here.x && e.y == here.y && e.z == here.z)
            words_put(out, "Event of step %s: %s %s%s%s\n", e.step, e.kind,
                      e.detail[0] ? "(" : "", e.detail, e.detail[0] ? ")." : "");
    }
    bytes_put_text(out, "\n");
    put_standing(v, out, &here);
    bytes_put_text(out, "\nEnter once more: the local map of this OMT.\n");
}

void words_help(const viewer *v, bytes *out)
{
    bytes_put_text(
        out, "Keys\n\n"
             "  arrows, hjkl, 1..9   move; shift: ten OMTs\n"
             "  page up, page down   half a screen\n"
             "  Home                 where it began\n"
             "  < >                  a level up, a level down\n"
             "  /                    search; Tab lists all\n"
             "  n N                  the next, the one before\n"
             "  g                    go to X,Y or X,Y,Z\n"
             "  Enter                what is here, and why\n"
             "  Enter twice          the local map\n"
             "  space                generate (with --write)\n"
             "  m, Escape            close; m on the map ends\n"
             "  q, Ctrl-C            end\n"
             "  mouse                click: go there; Enter\n"
             "                       on the cursor; the wheel\n"
             "                       moves\n"
             "\n"
             "A search takes words, all of which a name must have; -word excludes. Cities and "
             "specials of the whole world are searched, and the terrains of this level. "
             "Places may be typed as the game shows them: 1'20, -1'170.\n\n");
    bytes_put_text(out, v->options->write
                            ? "  e                    set the terrain here\n"
                              "  .                    the same terrain again\n"
                              "  w                    write a note, or change it\n"
                              "  p                    place a special here\n"
                              "  u                    undo the last of both\n\n"
                              "Grey is what is not saved yet; the space bar generates it.\n"
                            : "Grey is what is not saved; with --write it can be generated, "
                              "and terrain set, and notes written.\n");
}
