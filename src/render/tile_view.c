#include "render/sheet.h"

#include "core/error.h"
#include "core/visible.h"
#include "model/symbol.h"
#include "world/lists/tile_looks.h"
#include "world/local/local_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_OMT = LOCAL_LAYERS, THING, SORTS, CELLS = TILE_SIDE * TILE_SIDE, MEMO = 256 };

/* Groups of a legend of tiles, in place of terrain_group. */
enum { LOCAL_TERRAIN, LOCAL_FURNITURE, LOCAL_TRAPS, LOCAL_THINGS, LOCAL_NO_MAP };

/* A kind of thing that can stand on a tile. Its number is that of its key in the pool. */
typedef struct kind {
    const char *name; /* borrowed from the content's looks, or from the pool */
    int group;
    bool wall;
    /* Group of walls that connect, as in tile_look; 0: it does not connect. */
    uint32_t connects;
    uint64_t count;
} kind;

/* A cache from an id's number in a map's pool to its kind. An entry holds the last id with the
 * same remainder; kind 0 cannot occur, so it means empty. */
typedef struct memo {
    uint32_t id, kind;
} memo;

struct tile_view {
    viewport *view;       /* borrowed */
    const catalogue *cat; /* borrowed */
    look *oters;          /* owned; looks of overmap terrains */
    local_reader *reader; /* owned; reads local maps */
    tile_looks *content;  /* owned; looks of the content's terrains, furniture and so on */
    id_pool *pool;        /* owned; keys of kinds (kind_of) */
    kind *kinds;          /* owned; by number of the kind */
    look *looks;          /* owned; by number of the kind */
    size_t kind_count, kind_room;
    /* Owned; kinds of the present row of OMTs, then of the next one; level by level. */
    uint32_t *rows;
    uint32_t *above; /* owned; the last tile row of the previous row of OMTs; level by level */
    int64_t y;       /* of the present row */
    bool loaded, loaded_next, has_above;
    uint64_t unsaved;
};

static const char *const headings[GROUP_COUNT] = {"Terrain", "Furniture", "Traps", "Things",
                                                  "Not generated around"};

/* ---- kinds ---- */

static look look_of_style(const char *color, uint32_t symbol, uint8_t line)
{
    look l = {.line = line ? line : font_line_mask(symbol)};
    (void)palette_style(&l.colours, color);
    l.symbol = line ? symbol_line(line) : symbol;
    if (visible_unsafe(l.symbol))
        l.symbol = '?';
    return l;
}

static void describe_tile(tile_view *t, kind *k, look *l, int sort, const char *id)
{
    static const int groups[LOCAL_LAYERS] = {LOCAL_TERRAIN, LOCAL_FURNITURE, LOCAL_TRAPS,
                                             LOCAL_THINGS};
    tile_look found;
    const bool known = tile_looks_find(&found, t->content, (local_layer)sort, id);
    *k = (kind){.name = found.name[0] ? found.name : id,
                .group = groups[sort],
                .wall = found.wall,
                .connects = found.group};
    *l =
        look_of_style(known ? found.color : "?", found.symbol ? found.symbol : '?', found.line);
}

/* Things have no symbol in the content that is read here, so each kind of thing has one of its
 * own. */
static void describe_thing(kind *k, look *l, local_kind thing)
{
    static const struct {
        const char *color;
        char symbol;
    } marks[LOCAL_KINDS] = {
        [LOCAL_ITEM] = {"white", '*'},          [LOCAL_ITEM_GROUP] = {"white", '*'},
        [LOCAL_MONSTER] = {"light_red", 'M'},   [LOCAL_MONSTER_GROUP] = {"light_red", 'M'},
        [LOCAL_VEHICLE] = {"light_cyan", 'V'},  [LOCAL_NPC] = {"pink", '@'},
        [LOCAL_SIGN] = {"yellow", '!'},         [LOCAL_GRAFFITI] = {"yellow", '"'},
        [LOCAL_COMPUTER] = {"light_blue", '6'}, [LOCAL_CORPSE] = {"red", '%'}};
    const bool shown = marks[thing].color != NULL;
    *k = (kind){.name = local_kind_name(thing), .group = LOCAL_THINGS};
    *l = look_of_style(shown ? marks[thing].color : "",
                       shown ? (uint32_t)marks[thing].symbol : ' ', 0);
}

/* An OMT without a local map has its area colour, which is dimmed if symbols are drawn. */
static void describe_omt(const tile_view *t, kind *k, look *l, ptl_oter oter)
{
    *k = (kind){.name = "", .group = LOCAL_NO_MAP};
    *l = *look_of(t->oters, t->cat, oter);
    l->symbol = ' ';
    l->line = 0;
    if (oter < catalogue_all_oters(t->cat)) {
        const cat_terrain *terrain = &t->cat->terrains[t->cat->oters[oter].terrain];
        k->name = terrain->name && terrain->name[0] ? terrain->name : terrain->id;
    }
}

static bool grow(tile_view *t, uint32_t number)
{
    if (number < t->kind_room)
        return true;
    const size_t room = 2 * (size_t)number + 256;
    kind *kinds = realloc(t->kinds, room * sizeof *kinds);
    if (kinds)
        t->kinds = kinds;
    look *looks = kinds ? realloc(t->looks, room * sizeof *looks) : NULL;
    if (!looks)
        return false;
    t->looks = looks;
    t->kind_room = room;
    return true;
}

/*
 * Returns the number of a kind, and makes the kind if it is new; ID_NONE when memory is out.
 * The key is made of all three arguments. id names a tile's terrain, furniture and so on;
 * number is a local_kind or an oter.
 */
static uint32_t kind_of(tile_view *t, int sort, const char *id, int number)
{
    char buffer[256], *key = buffer;
    const size_t length = strlen(id) + 16;
    if (length > sizeof buffer && !(key = malloc(length)))
        return ID_NONE;
    const int size = snprintf(key, length, "%d,%d,%s", sort, number, id);
    const uint32_t found = id_pool_put(t->pool, key, (size_t)size);
    if (key != buffer)
        free(key);
    if (found == ID_NONE || found < t->kind_count)
        return found;
    if (!grow(t, found))
        return ID_NONE;
    kind *k = &t->kinds[found];
    look *l = &t->looks[found];
    t->kind_count = found + 1;
    if (sort == NO_OMT)
        describe_omt(t, k, l, (ptl_oter)number);
    else if (sort == THING)
        describe_thing(k, l, (local_kind)number);
    else
        describe_tile(t, k, l, sort,
                      strchr(strchr(id_pool_text(t->pool, found), ',') + 1, ',') + 1);
    return found;
}

/* ---- one map ---- */

typedef struct map_tiles {
    tile_view *view;
    local_read read;
    uint32_t kinds[CELLS];
    memo memos[LOCAL_LAYERS][MEMO];
    bool failed;
} map_tiles;

static uint32_t tile_kind(map_tiles *m, int sort, uint32_t id)
{
    memo *known = &m->memos[sort][id % MEMO];
    if (known->kind == ID_NONE || known->id != id) {
        known->id = id;
        known->kind = kind_of(m->view, sort, id_pool_text(m->read.pool, id), 0);
    }
    if (known->kind == ID_NONE) {
        m->failed = true;
        return ID_NONE;
    }
    m->view->kinds[known->kind].count++;
    return known->kind;
}

/* Returns the rank by which things on one tile cover each other; 0: it is not shown. Things
 * with an extent are not shown. */
static int rank_of(const local_entity *e)
{
    static const int ranks[LOCAL_KINDS] = {
        [LOCAL_ITEM] = 1,          [LOCAL_ITEM_GROUP] = 1, [LOCAL_GRAFFITI] = 1,
        [LOCAL_CORPSE] = 1,        [LOCAL_FIELD] = 1,      [LOCAL_SIGN] = 2,
        [LOCAL_COMPUTER] = 2,      [LOCAL_VEHICLE] = 3,    [LOCAL_MONSTER] = 4,
        [LOCAL_MONSTER_GROUP] = 4, [LOCAL_NPC] = 5};
    return e->x == e->x2 && e->y == e->y2 ? ranks[e->kind] : 0;
}

/*
 * Lets things cover the tiles they stand on. Those of rank 1 (items, fields and the like) are
 * seen only where there is neither furniture nor a trap. All things are counted, seen or not.
 */
static void put_things(map_tiles *m)
{
    const local_map *map = m->read.map;
    tile_view *t = m->view;
    uint8_t ranks[CELLS] = {0};
    for (size_t i = 0; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        const int cell = e->y * TILE_SIDE + e->x, rank = rank_of(e);
        const uint32_t number = e->kind == LOCAL_FIELD ? tile_kind(m, LOCAL_LAYER_FIELD, e->id)
                                                       : kind_of(t, THING, "", (int)e->kind);
        if (number == ID_NONE) {
            m->failed = true;
            return;
        }
        if (e->kind != LOCAL_FIELD)
            t->kinds[number].count++;
        const bool bare = map->furniture[cell] == ID_NONE && map->trap[cell] == ID_NONE;
        if (rank <= ranks[cell] || (rank == 1 && !bare))
            continue;
        ranks[cell] = (uint8_t)rank;
        m->kinds[cell] = number;
    }
}

static void put_no_map(map_tiles *m, ptl_oter oter)
{
    tile_view *t = m->view;
    const bool saved = oter < catalogue_all_oters(t->cat);
    const uint32_t number = kind_of(t, NO_OMT, "", saved ? oter : PTL_OTER_NONE);
    m->failed = number == ID_NONE;
    if (m->failed)
        return;
    for (int i = 0; i < CELLS; i++)
        m->kinds[i] = number;
    if (saved)
        t->kinds[number].count += CELLS;
    else
        t->unsaved += CELLS;
}

/* Reads the map of an OMT into m->kinds. Where no chunk is saved there may still be a stored
 * map. */
static ptl_status read_map(map_tiles *m, ptl_omt at, ptl_oter oter, ptl_error *err)
{
    tile_view *t = m->view;
    ptl_error inner = {0};
    ptl_status status = PTL_OK;
    memset(m->memos, 0, sizeof m->memos);
    m->failed = false;
    m->read = (local_read){.map = NULL};
    if (oter < catalogue_all_oters(t->cat))
        status = local_reader_get(&m->read, t->reader, at, &inner);
    else
        status = local_reader_stored(&m->read, t->reader, at, &inner);
    if (status != PTL_OK && status != PTL_ERR_NOT_FOUND)
        return error_set(err, status, "local map %lld,%lld,%d: %s", (long long)at.x,
                         (long long)at.y, (int)at.z, inner.message);
    if (status == PTL_OK && m->read.map) {
        const local_map *map = m->read.map;
        for (int i = 0; i < CELLS; i++) {
            m->kinds[i] = tile_kind(m, LOCAL_LAYER_TERRAIN, map->terrain[i]);
            if (map->furniture[i] != ID_NONE)
                m->kinds[i] = tile_kind(m, LOCAL_LAYER_FURNITURE, map->furniture[i]);
            if (map->trap[i] != ID_NONE)
                m->kinds[i] = tile_kind(m, LOCAL_LAYER_TRAP, map->trap[i]);
        }
        if (!m->failed)
            put_things(m);
    } else {
        put_no_map(m, oter);
    }
    return m->failed ? error_nomem(err) : PTL_OK;
}

/* ---- rows of OMTs ---- */

static size_t row_tiles(const tile_view *t)
{
    return t->view->width * TILE_SIDE;
}

static uint32_t *tiles_at(const tile_view *t, int which, size_t nth, size_t row)
{
    const size_t before = (size_t)which * t->view->level_count + nth;
    return t->rows + (before * TILE_SIDE + row) * row_tiles(t);
}

static ptl_status load_row(tile_view *t, int which, int64_t y, map_tiles *m, ptl_error *err)
{
    const viewport *v = t->view;
    TRY(viewport_seek(t->view, y, err));
    for (size_t nth = 0; nth < v->level_count; nth++) {
        const int32_t z = v->z_first + (int32_t)nth * v->z_step;
        for (size_t x = 0; x < v->width; x++) {
            const ptl_omt at = {v->x0 + (int64_t)x, y, z};
            TRY(read_map(m, at, viewport_row(v, nth, y)[x], err));
            for (size_t row = 0; row < TILE_SIDE; row++)
                memcpy(tiles_at(t, which, nth, row) + x * TILE_SIDE, m->kinds + row * TILE_SIDE,
                       TILE_SIDE * sizeof *m->kinds);
        }
    }
    return PTL_OK;
}

ptl_status tile_view_seek(tile_view *t, int64_t y, ptl_error *err)
{
    ptl_status status = PTL_OK;
    if (t->loaded && t->y == y)
        return PTL_OK;
    map_tiles *m = malloc(sizeof *m);
    if (!m)
        return error_nomem(err);
    m->view = t;
    const bool follows = t->loaded && t->loaded_next && y == t->y + 1;
    t->loaded = t->has_above = false;
    if (follows) {
        /* The next row becomes the present one, and its predecessor's last tiles become those
         * above. */
        const size_t levels = t->view->level_count;
        for (size_t nth = 0; nth < levels; nth++)
            memcpy(t->above + nth * row_tiles(t), tiles_at(t, 0, nth, TILE_SIDE - 1),
                   row_tiles(t) * sizeof *t->above);
        memcpy(t->rows, tiles_at(t, 1, 0, 0),
               levels * TILE_SIDE * row_tiles(t) * sizeof *t->rows);
        t->has_above = true;
    } else
        status = load_row(t, 0, y, m, err);
    t->loaded_next = false;
    if (status == PTL_OK && y < t->view->y1) {
        status = load_row(t, 1, y + 1, m, err);
        t->loaded_next = status == PTL_OK;
    }
    free(m);
    t->y = y;
    t->loaded = status == PTL_OK;
    return status;
}

/* ---- looks ---- */

static bool connects(const tile_view *t, const kind *k, const uint32_t *tile)
{
    return tile && k->connects != 0 && t->kinds[*tile].connects == k->connects;
}

look tile_view_look(const tile_view *t, size_t nth, size_t x, size_t row)
{
    const uint32_t *here = tiles_at(t, 0, nth, row) + x;
    const kind *k = &t->kinds[*here];
    look l = t->looks[*here];
    if (!k->wall)
        return l;
    const uint32_t *north = row > 0        ? tiles_at(t, 0, nth, row - 1) + x
                            : t->has_above ? t->above + nth * row_tiles(t) + x
                                           : NULL;
    const uint32_t *south = row + 1 < TILE_SIDE ? tiles_at(t, 0, nth, row + 1) + x
                            : t->loaded_next    ? tiles_at(t, 1, nth, 0) + x
                                                : NULL;
    const uint32_t *sides[4] = {north, x + 1 < row_tiles(t) ? here + 1 : NULL, south,
                                x > 0 ? here - 1 : NULL};
    uint8_t arms = 0;
    for (int i = 0; i < 4; i++)
        if (connects(t, k, sides[i]))
            arms = (uint8_t)(arms | 1u << i);
    if (arms != 0) {
        l.line = arms;
        l.symbol = symbol_line(arms);
    }
    return l;
}

look *tile_view_looks(const tile_view *t)
{
    look *copy = malloc((t->kind_count + 1) * sizeof *copy);
    if (copy && t->kind_count > 1)
        memcpy(copy, t->looks, t->kind_count * sizeof *copy);
    return copy;
}

ptl_status tile_view_legend(legend *out, const tile_view *t, bool symbols, ptl_error *err)
{
    *out = (legend){.headings = headings, .unsaved = t->unsaved};
    legend_draft *drafts = calloc(t->kind_count + 1, sizeof *drafts);
    size_t count = 0;
    if (!drafts)
        return error_nomem(err);
    for (uint32_t i = 1; i < t->kind_count; i++) {
        const kind *k = &t->kinds[i];
        if (k->count > 0 && k->name[0])
            drafts[count++] = (legend_draft){
                .entry = {.name = k->name, .group = k->group, .look = i, .tiles = k->count},
                .most = k->count,
                .symbol = t->looks[i].symbol,
                .look = &t->looks[i]};
    }
    const ptl_status status = legend_of_drafts(out, drafts, count, symbols, err);
    free(drafts);
    return status;
}

/* ---- the view ---- */

ptl_status tile_view_new(tile_view **out, viewport *v, const ptl_render_options *options,
                         ptl_error *err)
{
    tile_view *t = calloc(1, sizeof *t);
    *out = t;
    if (!t)
        return error_nomem(err);
    t->view = v;
    t->cat = ptl_world_catalogue(v->world);
    t->oters = looks_new(t->cat);
    t->reader = local_reader_new(v->world);
    t->pool = id_pool_new();
    t->rows = malloc(2 * v->level_count * TILE_SIDE * row_tiles(t) * sizeof *t->rows);
    t->above = malloc(v->level_count * row_tiles(t) * sizeof *t->above);
    t->kind_count = 1;
    if (!t->oters || !t->reader || !t->pool || !t->rows || !t->above)
        return error_nomem(err);
    TRY(options->tide ? local_reader_show(t->reader, options->first_turn, err) : PTL_OK);
    return tile_looks_new(&t->content, v->world->store, err);
}

void tile_view_free(tile_view *t)
{
    if (!t)
        return;
    free(t->oters);
    local_reader_free(t->reader);
    tile_looks_free(t->content);
    id_pool_free(t->pool);
    free(t->kinds);
    free(t->looks);
    free(t->rows);
    free(t->above);
    free(t);
}
