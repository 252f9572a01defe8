/*
 * Reads a tile set's configuration. `tiles-new` lists the set's picture files. The sprites of
 * all files are numbered through, in the order of the list. For each file it has `tiles`: for
 * an id or several, the numbers of sprites for foreground and background, and for kinds that
 * connect (`multitile`) the sprites for each shape (`additional_tiles`).
 */
#include "render/tileset/tileset_impl.h"

#include "core/array.h"
#include "core/error.h"
#include "core/sized.h"
#include "os/file.h"
#include "json/position.h"
#include "json/reader.h"
#include "json/view.h"

#include <errno.h>
#include <stdlib.h>

enum { CONFIG_MAX = 64 << 20, NAMES_MAX = 1 << 16, TILE_SIDE_MAX = 512 };

/* Bytes that all pictures of a set may take in memory. */
static const size_t PIXELS_MAX = (size_t)512 << 20;

/* The games have pictures for seasons. A game begins in spring. */
static const char season[] = "_season_spring";

typedef struct reading {
    ptl_tileset *set;
    const char *folder;
    char *path;        /* owned; of the configuration */
    char *text;        /* owned */
    json_reader *json; /* owned */
    bytes scratch;
    size_t pixels; /* bytes of the pictures that were read */
    uint32_t next; /* number of the next file's first sprite */
    ptl_error *err;
} reading;

/* ---- messages ---- */

static ptl_status fault_at(reading *r, const char *at, const char *reason)
{
    position_cursor c = position_begin(r->text);
    position_go(&c, (size_t)(at - r->text));
    return error_set(r->err, PTL_ERR_FORMAT, "%s:%d:%d: %s", r->path, c.line, c.column, reason);
}

static ptl_status fault(reading *r, json_view v, const char *reason)
{
    return fault_at(r, r->text + json_view_offset(v), reason);
}

/* ---- files ---- */

/* Returns a new string: the path of a file in the set's folder. NULL when memory is out. */
static char *path_in(const char *folder, const char *name, size_t length)
{
    bytes b = {.size = 0};
    bytes_put_text(&b, folder);
    bytes_put_u8(&b, '/');
    bytes_put(&b, name, length);
    char *path = bytes_text(&b) ? strdup((const char *)b.data) : NULL;
    bytes_dispose(&b);
    return path;
}

/* Reads the value behind a key of `tileset.txt`, whose lines are "KEY: value". Returns a new
 * string, or NULL if there is no such line. */
static char *named_in(const char *text, const char *key)
{
    const size_t length = strlen(key);
    for (const char *at = text; *at; at += *at == '\n') {
        const size_t line = strcspn(at, "\r\n");
        if (line > length && strncmp(at, key, length) == 0 && at[length] == ':') {
            const char *value = at + length + 1;
            value += strspn(value, " \t");
            return strndup(value, (size_t)(at + line - value));
        }
        at += strcspn(at, "\n");
    }
    return NULL;
}

/* Takes the set's name and the name of its configuration from `tileset.txt`, if it is there. */
static ptl_status read_names(reading *r)
{
    size_t size = 0;
    char *path = path_in(r->folder, "tileset.txt", strlen("tileset.txt"));
    char *text = path ? file_read_small(path, NAMES_MAX, &size) : NULL;
    char *config = text ? named_in(text, "JSON") : NULL;
    r->set->name = text ? named_in(text, "NAME") : NULL;
    if (config && (config[0] == '/' || strstr(config, "..")))
        config[0] = '\0';
    const char *name = config && config[0] ? config : "tile_config.json";
    r->path = path_in(r->folder, name, strlen(name));
    if (!r->set->name) {
        const char *slash = strrchr(r->folder, '/');
        r->set->name = strdup(slash && slash[1] ? slash + 1 : r->folder);
    }
    free(config);
    free(text);
    free(path);
    return r->path && r->set->name ? PTL_OK : error_nomem(r->err);
}

static ptl_status read_config(reading *r)
{
    size_t size = 0;
    r->text = file_read_small(r->path, CONFIG_MAX, &size);
    if (!r->text)
        return error_system(r->err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno,
                            "%s", r->path);
    json_rules rules = {.loose = r->text, .limited = true};
    r->json = json_reader_new((stop_hook){NULL, NULL});
    if (!r->json)
        return error_nomem(r->err);
    if (json_reader_whole(r->json, r->text, size, &rules))
        return PTL_OK;
    const json_fault *f = json_reader_fault(r->json);
    return f->kind == JSON_NO_MEMORY ? error_nomem(r->err) : fault_at(r, f->at, f->reason);
}

/* ---- values ---- */

/* Reads a whole number; an absent one is `standard`. */
static ptl_status take_number(reading *r, json_view object, const char *key, int64_t low,
                              int64_t high, int32_t standard, int32_t *out)
{
    const json_view v = json_view_get(object, key);
    int64_t number = standard;
    if (v.document && (!json_view_integer(v, &number) || number < low || number > high))
        return fault(r, v, "a number is out of its range");
    *out = (int32_t)number;
    return PTL_OK;
}

/* Adds the number of a sprite to the last pick. A negative number stands for no sprite. */
static ptl_status put_sprite(reading *r, tile_pick *pick, json_view v)
{
    ptl_tileset *t = r->set;
    int64_t number;
    if (!json_view_integer(v, &number) || number > INT32_MAX)
        return fault(r, v, "the number of a sprite was expected");
    if (!ARRAY_ROOM(t->sprites, t->sprite_room, t->sprite_count + 1))
        return error_nomem(r->err);
    t->sprites[t->sprite_count++] = number < 0 ? UINT32_MAX : (uint32_t)number;
    pick->count++;
    return PTL_OK;
}

/* Adds an alternative with the sprites that `v` names: a number, or a list of numbers. */
static ptl_status put_pick(reading *r, tile_picks *picks, json_view v, int32_t weight)
{
    ptl_tileset *t = r->set;
    tile_pick pick = {.weight = (uint32_t)weight, .first = (uint32_t)t->sprite_count};
    ptl_status status = PTL_OK;
    if (json_view_kind(v) == VIEW_ARRAY)
        for (json_walk w = json_walk_of(v); json_walk_next(&w) && status == PTL_OK;)
            status = put_sprite(r, &pick, w.value);
    else
        status = put_sprite(r, &pick, v);
    if (status != PTL_OK || pick.count == 0 || weight == 0)
        return status;
    if (!ARRAY_ROOM(t->picks, t->pick_room, t->pick_count + 1))
        return error_nomem(r->err);
    t->picks[t->pick_count++] = pick;
    picks->count++;
    picks->weight += (uint64_t)weight;
    return PTL_OK;
}

/* Reads `fg` or `bg`: a sprite, a list of the sprites for each rotation, or a list of
 * alternatives with weights. The alternatives of an animation are its pictures, of which the
 * first one is shown. */
static ptl_status read_picks(reading *r, tile_picks *out, json_view v, bool animated)
{
    *out = (tile_picks){.first = (uint32_t)r->set->pick_count};
    json_walk w = json_walk_of(v);
    if (!v.document || (json_view_kind(v) == VIEW_ARRAY && !json_walk_next(&w)))
        return PTL_OK;
    if (json_view_kind(v) != VIEW_ARRAY || json_view_kind(w.value) != VIEW_OBJECT)
        return put_pick(r, out, v, 1);
    do {
        const json_view sprite = json_view_get(w.value, "sprite");
        int32_t weight;
        if (!sprite.document)
            return fault(r, w.value, "an alternative needs a `sprite`");
        TRY(take_number(r, w.value, "weight", 0, 1000000, 1, &weight));
        TRY(put_pick(r, out, sprite, weight));
    } while (!animated && json_walk_next(&w));
    return PTL_OK;
}

/* ---- tiles ---- */

/* Adds a kind with the sprites of `entry`; *number is its number. */
static ptl_status put_kind(reading *r, json_view entry, bool rotates, uint32_t *number)
{
    ptl_tileset *t = r->set;
    tile_kind kind = {.rotates = rotates};
    const bool animated = json_view_kind(json_view_get(entry, "animated")) == VIEW_TRUE;
    TRY(read_picks(r, &kind.fore, json_view_get(entry, "fg"), animated));
    TRY(read_picks(r, &kind.back, json_view_get(entry, "bg"), animated));
    if (!ARRAY_ROOM(t->kinds, t->kind_room, t->kind_count + 1))
        return error_nomem(r->err);
    *number = (uint32_t)t->kind_count;
    t->kinds[t->kind_count++] = kind;
    return PTL_OK;
}

/* Returns the shape that a name of `additional_tiles` stands for; SHAPE_NONE for those of
 * doors, vehicles and the like. */
static tile_shape shape_named(json_view name)
{
    static const char *const names[SHAPES] = {
        [SHAPE_CENTER] = "center", [SHAPE_CORNER] = "corner", [SHAPE_T] = "t_connection",
        [SHAPE_EDGE] = "edge",     [SHAPE_END] = "end_piece", [SHAPE_ALONE] = "unconnected"};
    for (tile_shape s = 0; s < SHAPES; s++)
        if (json_view_is(name, names[s]))
            return s;
    return SHAPE_NONE;
}

static ptl_status read_shapes(reading *r, json_view list, uint32_t number)
{
    for (json_walk w = json_walk_of(list); json_walk_next(&w);) {
        const tile_shape shape = shape_named(json_view_get(w.value, "id"));
        uint32_t part = 0;
        if (shape == SHAPE_NONE)
            continue;
        TRY(put_kind(r, w.value, true, &part));
        r->set->kinds[number].shapes[shape] = part;
    }
    return PTL_OK;
}

/* Gives a kind to an id. A kind for the season that is shown counts more than one without
 * season; otherwise the later one counts. */
static ptl_status put_id(reading *r, json_view name, uint32_t number)
{
    enum { SUFFIX = sizeof season - 1 };
    ptl_tileset *t = r->set;
    size_t length = 0;
    const char *id = json_view_text(name, &r->scratch, &length);
    if (!id)
        return r->scratch.failed ? error_nomem(r->err) : fault(r, name, "an id was expected");
    if (length == 0)
        return PTL_OK; /* some sets have an empty id, which nothing asks for */
    const bool seasonal = length > SUFFIX && memcmp(id + length - SUFFIX, season, SUFFIX) == 0;
    const uint32_t text = id_pool_put(t->ids, id, length - (seasonal ? SUFFIX : 0));
    if (text == ID_NONE || !ARRAY_ROOM_ZEROED(t->by_id, t->id_room, (size_t)text + 1))
        return error_nomem(r->err);
    t->id_count = t->id_count > text ? t->id_count : (size_t)text + 1;
    if (seasonal || !(t->by_id[text] & 1))
        t->by_id[text] = 2 * number + seasonal;
    return PTL_OK;
}

static ptl_status read_tile(reading *r, json_view entry)
{
    const json_view id = json_view_get(entry, "id"), turns = json_view_get(entry, "rotates");
    const bool joined = json_view_kind(json_view_get(entry, "multitile")) == VIEW_TRUE;
    uint32_t number = 0;
    if (!id.document)
        return fault(r, entry, "a tile needs an `id`");
    TRY(put_kind(r, entry, turns.document ? json_view_kind(turns) == VIEW_TRUE : joined,
                 &number));
    if (joined)
        TRY(read_shapes(r, json_view_get(entry, "additional_tiles"), number));
    if (json_view_kind(id) != VIEW_ARRAY)
        return put_id(r, id, number);
    for (json_walk w = json_walk_of(id); json_walk_next(&w);)
        TRY(put_id(r, w.value, number));
    return PTL_OK;
}

/* ---- picture files ---- */

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Rounds a part of a cell up to whole cells; what is not positive gives 0. */
static int32_t cells_of(double pixels, int32_t side)
{
    return pixels <= 0 ? 0 : (int32_t)((pixels + side - 1) / side);
}

/* Extends the set's reach by that of a file's sprites. */
static void widen_reach(ptl_tileset *t, const tile_sheet *s)
{
    const double right = s->offset_x + s->sprite_width * s->scale - t->width,
                 down = s->offset_y + s->sprite_height * s->scale - t->height;
    t->reach.left = larger(t->reach.left, cells_of(-s->offset_x, t->width));
    t->reach.up = larger(t->reach.up, cells_of(-s->offset_y, t->height));
    t->reach.right = larger(t->reach.right, cells_of(right, t->width));
    t->reach.down = larger(t->reach.down, cells_of(down, t->height));
}

/* Reads a picture file, whose sprites get the next numbers. */
static ptl_status read_sheet(reading *r, tile_sheet *s, json_view entry)
{
    const json_view name = json_view_get(entry, "file"),
                    scale = json_view_get(entry, "pixelscale");
    size_t length = 0;
    const char *file = json_view_text(name, &r->scratch, &length);
    if (!file || length == 0 || file[0] == '/' || memchr(file, '\0', length))
        return fault(r, name.document ? name : entry,
                     "the name of a picture file was expected");
    char *path = path_in(r->folder, file, length);
    if (!path)
        return error_nomem(r->err);
    ptl_status status = strstr(path + strlen(r->folder), "/../")
                            ? fault(r, name, "the picture lies outside of the set's folder")
                            : tile_sheet_read(s, path, PIXELS_MAX - r->pixels, r->err);
    free(path);
    TRY(status);
    r->pixels += (size_t)s->width * s->height * 4;
    TRY(take_number(r, entry, "sprite_width", 1, 4096, r->set->width, &s->sprite_width));
    TRY(take_number(r, entry, "sprite_height", 1, 4096, r->set->height, &s->sprite_height));
    TRY(take_number(r, entry, "sprite_offset_x", -4096, 4096, 0, &s->offset_x));
    TRY(take_number(r, entry, "sprite_offset_y", -4096, 4096, 0, &s->offset_y));
    s->scale = 1;
    if (scale.document &&
        (!json_view_real(scale, &r->scratch, &s->scale) || s->scale <= 0 || s->scale > 16))
        return fault(r, scale, "a number is out of its range");
    s->first = r->next;
    s->count = s->width / (uint32_t)s->sprite_width * (s->height / (uint32_t)s->sprite_height);
    r->next += s->count;
    widen_reach(r->set, s);
    return PTL_OK;
}

static ptl_status read_file(reading *r, json_view entry)
{
    ptl_tileset *t = r->set;
    if (!ARRAY_ROOM_ZEROED(t->sheets, t->sheet_room, t->sheet_count + 1))
        return error_nomem(r->err);
    TRY(read_sheet(r, &t->sheets[t->sheet_count++], entry));
    for (json_walk w = json_walk_of(json_view_get(entry, "tiles")); json_walk_next(&w);)
        TRY(read_tile(r, w.value));
    return PTL_OK;
}

/* ---- the set ---- */

static ptl_status read_set(reading *r)
{
    ptl_tileset *t = r->set;
    TRY(read_names(r));
    TRY(read_config(r));
    const json_document document = json_reader_document(r->json);
    const json_view top = json_view_of(&document), sizes = json_view_get(top, "tile_info"),
                    files = json_view_get(top, "tiles-new");
    json_walk size = json_walk_of(sizes);
    if (!json_walk_next(&size))
        return fault(r, top, "there is no `tile_info`");
    TRY(take_number(r, size.value, "width", 1, TILE_SIDE_MAX, 16, &t->width));
    TRY(take_number(r, size.value, "height", 1, TILE_SIDE_MAX, 16, &t->height));
    if (json_view_kind(json_view_get(size.value, "iso")) == VIEW_TRUE)
        return error_set(r->err, PTL_ERR_UNSUPPORTED,
                         "%s: isometric tile sets can't be drawn; choose another set", r->path);
    if (json_view_count(files) == 0)
        return fault(r, top, "there is no `tiles-new`, the list of picture files");
    for (json_walk w = json_walk_of(files); json_walk_next(&w);)
        TRY(read_file(r, w.value));
    for (size_t i = 0; i < t->sprite_count; i++)
        if (t->sprites[i] != UINT32_MAX && t->sprites[i] >= r->next) {
            t->sprites[i] = UINT32_MAX;
            t->missing++;
        }
    return PTL_OK;
}

ptl_status ptl_tileset_open(ptl_tileset **out, const char *folder, ptl_error *err)
{
    error_clear(err);
    if (!out || !folder)
        return error_set(err, PTL_ERR_ARGUMENT, "out and folder must be given");
    *out = NULL;
    ptl_tileset *t = calloc(1, sizeof *t);
    if (!t)
        return error_nomem(err);
    reading r = {.set = t, .folder = folder, .err = err};
    t->ids = id_pool_new();
    ptl_status status =
        t->ids && ARRAY_ROOM_ZEROED(t->kinds, t->kind_room, 1) ? PTL_OK : error_nomem(err);
    t->kind_count = 1;
    THEN(status, read_set(&r));
    json_reader_free(r.json);
    bytes_dispose(&r.scratch);
    free(r.path);
    free(r.text);
    if (status == PTL_OK)
        *out = t;
    else
        ptl_tileset_close(t);
    return status;
}

void ptl_tileset_close(ptl_tileset *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->sheet_count; i++)
        free(t->sheets[i].pixels);
    id_pool_free(t->ids);
    free(t->by_id);
    free(t->kinds);
    free(t->picks);
    free(t->sprites);
    free(t->sheets);
    free(t->name);
    free(t);
}

ptl_status ptl_tileset_describe(ptl_tileset_info *out, const ptl_tileset *t)
{
    ptl_tileset_info info = PTL_TILESET_INFO_INIT;
    if (!out || !t)
        return PTL_ERR_ARGUMENT;
    TRY(SIZED_CHECK(ptl_tileset_info, out, NULL));
    info.name = t->name;
    info.width = t->width;
    info.height = t->height;
    info.tiles = t->kind_count - 1;
    for (size_t i = 0; i < t->sheet_count; i++)
        info.sprites += t->sheets[i].count;
    info.missing = t->missing;
    SIZED_FILL(ptl_tileset_info, out, &info);
    return PTL_OK;
}

uint32_t tileset_find(const ptl_tileset *t, const char *id)
{
    const uint32_t text = id_pool_find(t->ids, id, strlen(id));
    return text < t->id_count ? t->by_id[text] / 2 : 0;
}

tile_reach tileset_reach(const ptl_tileset *t)
{
    return t->reach;
}
