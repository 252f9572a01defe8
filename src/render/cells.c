/*
 * The cells of a picture: OMTs, or the tiles of local maps. Tiles are made for one row of OMTs
 * at a time.
 */
#include "render/sheet.h"

#include "core/array.h"
#include "core/error.h"
#include "core/visible.h"
#include "model/symbol.h"
#include "world/lists/tile_looks.h"
#include "world/local/local.h"
#include "world/local/local_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_OMT = LOCAL_LAYERS, THING, SORTS, CELLS = TILE_SIDE * TILE_SIDE, MEMO = 256 };

/* Groups of a legend of tiles; they are used in place of terrain_group. */
enum { LOCAL_TERRAIN, LOCAL_FURNITURE, LOCAL_TRAPS, LOCAL_THINGS, LOCAL_NO_MAP };

/* A kind of thing that can be seen on a tile. Its number is that of its key in cell_view.pool.
 */
typedef struct kind {
    const char *name; /* borrowed from the content's looks or from the pool */
    const char *id;   /* borrowed from the pool; "": a thing or an OMT, which have no id here */
    int sort;         /* local_layer, NO_OMT or THING */
    int group;
    bool wall;
    /* Pictures connect walls that have the same number here: the number of their group, as in
     * tile_look. 0: walls of this kind are not connected with others. */
    uint32_t connects;
    uint64_t count;
    look look;
} kind;

/* An entry of a cache, which finds the kind of an id without looking at its text. `id` is the
 * number of the id in the pool of a local map, and `kind` the number of its kind. Ids whose
 * numbers are equal modulo the size of the cache share an entry; the entry holds the id that
 * was used last. No kind has the number 0, so 0 marks an empty entry. */
typedef struct memo {
    uint32_t id, kind;
} memo;

struct cell_view {
    viewport *view;       /* borrowed */
    const catalogue *cat; /* borrowed */
    look *oters;          /* owned; how each oter looks */
    /* Owned; number of cells of each oter; the last element counts cells without an oter. NULL:
     * cells are not counted. */
    uint64_t *counts;
    bool on_paper; /* tiles have the colours of their classes in place of the content's */
    size_t side;   /* cells along an OMT: 1, or TILE_SIDE; all members below are for tiles */
    local_reader *reader; /* owned; reads local maps */
    /* Borrowed; maps to show in place of those that `reader` reads; NULL: the maps that
     * `reader` reads are shown. */
    const ptl_local_map *const *maps;
    tile_looks *content; /* owned; how the content's terrains, furniture and so on look */
    /* Owned; numbers the keys of kinds: texts by which kind_of tells kinds of tiles apart. */
    id_pool *pool;
    kind *kinds; /* owned; indexed by number of the kind */
    size_t kind_count, kind_room;
    /* How many kinds each tile has in `rows`: TILE_PLANES, or 1 if only PLANE_TOP is kept. */
    size_t planes;
    /* Owned; for each plane and level, the kinds of the tiles in two rows of OMTs: in the
     * present row, and after it in the next row. */
    uint32_t *rows;
    /* Owned; for each plane and level the last row of tiles of the previous row of OMTs. */
    uint32_t *above;
    int64_t y; /* absolute y of the present row of OMTs */
    bool loaded, loaded_next, has_above;
    uint64_t unsaved;
};

static const char *const headings[GROUP_COUNT] = {"Terrain", "Furniture", "Traps", "Things",
                                                  "Not generated around"};

/* ---- kinds of things ---- */

static look look_of_style(const char *color, uint32_t symbol, uint8_t line)
{
    look l = {.line = line ? line : font_line_mask(symbol)};
    (void)palette_style(&l.colours, color);
    l.symbol = line ? symbol_line(line) : symbol;
    if (visible_unsafe(l.symbol))
        l.symbol = '?';
    return l;
}

/* Gives a kind the colours of its class if the picture is on paper. */
static void put_class(const cell_view *t, kind *k, ptl_tile_class class)
{
    const uint8_t area = (uint8_t)(PALETTE_TILE + 2 * (int)class);
    if (t->on_paper)
        k->look.colours = (style){.area = area, .ink = (uint8_t)(area + 1), .paper = area};
}

static void describe_tile(cell_view *t, kind *k, int sort, const char *id)
{
    static const int groups[LOCAL_LAYERS] = {LOCAL_TERRAIN, LOCAL_FURNITURE, LOCAL_TRAPS,
                                             LOCAL_THINGS};
    tile_look found;
    const bool known = tile_looks_find(&found, t->content, (local_layer)sort, id);
    *k = (kind){.name = found.name[0] ? found.name : id,
                .id = id,
                .sort = sort,
                .group = groups[sort],
                .wall = found.wall,
                .connects = found.group,
                .look = look_of_style(known ? found.color : "?",
                                      found.symbol ? found.symbol : '?', found.line)};
    put_class(t, k, known ? found.class : PTL_TILE_OTHER);
}

/* Things such as items and creatures do not get the symbols that the content has for them. All
 * things of one local_kind get the same fixed symbol. */
static void describe_thing(const cell_view *t, kind *k, local_kind thing)
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
    *k = (kind){.name = local_kind_name(thing),
                .id = "",
                .sort = THING,
                .group = LOCAL_THINGS,
                .look = look_of_style(shown ? marks[thing].color : "",
                                      shown ? (uint32_t)marks[thing].symbol : ' ', 0)};
    put_class(t, k, PTL_TILE_THING);
}

/*
 * Returns the number of a kind of tiles, and adds the kind if it is new; ID_NONE when memory
 * is out. A kind is known by `sort`, `id` and `number`: whether it is a terrain, furniture, a
 * thing or an oter; its id; and the local_kind of the thing, or the oter.
 */
static uint32_t kind_of(cell_view *t, int sort, const char *id, int number)
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
    if (!ARRAY_ROOM(t->kinds, t->kind_room, found + (size_t)1))
        return ID_NONE;
    kind *k = &t->kinds[found];
    t->kind_count = found + 1;
    if (sort == NO_OMT) {
        /* If an OMT has no local map, all its tiles are shown in the colour that its terrain
         * has on maps of overmaps. If the picture shows symbols, the colour is darker. */
        const ptl_oter oter = (ptl_oter)number;
        *k = (kind){.name = "",
                    .id = "",
                    .sort = NO_OMT,
                    .group = LOCAL_NO_MAP,
                    .look = *look_of(t->oters, t->cat, oter)};
        k->look.symbol = ' ';
        k->look.line = 0;
        if (oter < catalogue_all_oters(t->cat)) {
            const cat_terrain *terrain = &t->cat->terrains[t->cat->oters[oter].terrain];
            k->name = terrain->name && terrain->name[0] ? terrain->name : terrain->id;
        }
    } else if (sort == THING)
        describe_thing(t, k, (local_kind)number);
    else
        describe_tile(t, k, sort,
                      strchr(strchr(id_pool_text(t->pool, found), ',') + 1, ',') + 1);
    return found;
}

/* ---- reading one local map ---- */

static const local_layer plane_layers[TILE_PLANES] = {[PLANE_TERRAIN] = LOCAL_LAYER_TERRAIN,
                                                      [PLANE_FURNITURE] = LOCAL_LAYER_FURNITURE,
                                                      [PLANE_TRAP] = LOCAL_LAYER_TRAP};

typedef struct map_tiles {
    cell_view *view;
    local_read read;
    uint32_t kinds[TILE_PLANES][CELLS]; /* all planes are set, whichever are kept */
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

/* Returns the rank of a thing: of the things on one tile that with the highest rank is shown.
 * 0: the thing is never shown. Things that cover a rectangle are never shown. */
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
 * Puts things over the tiles that they are on. Items, fields, corpses and graffiti (those with
 * rank 1 in rank_of) are seen only where there is neither furniture nor a trap. All things are
 * counted, even if they are covered.
 */
static void put_things(map_tiles *m)
{
    const local_map *map = m->read.map;
    cell_view *t = m->view;
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
        m->kinds[PLANE_TOP][cell] = number;
    }
}

static void put_no_map(map_tiles *m, ptl_oter oter)
{
    cell_view *t = m->view;
    const bool saved = oter < catalogue_all_oters(t->cat);
    const uint32_t number = kind_of(t, NO_OMT, "", saved ? oter : PTL_OTER_NONE);
    m->failed = number == ID_NONE;
    if (m->failed)
        return;
    memset(m->kinds, 0, sizeof m->kinds);
    for (int i = 0; i < CELLS; i++)
        m->kinds[PLANE_TOP][i] = number;
    if (t->maps)
        return;
    if (saved)
        t->kinds[number].count += CELLS;
    else
        t->unsaved += CELLS;
}

/* Returns the place of an OMT's map in ptl_render_options.maps. */
static size_t map_index(const viewport *v, ptl_omt at)
{
    const size_t nth = (size_t)((at.z - v->z_first) * v->z_step);
    return (nth * v->height + (size_t)(at.y - v->y0)) * v->width + (size_t)(at.x - v->x0);
}

/* Reads the map of an OMT into m->kinds. The OMT may have a stored map even if its chunk is not
 * saved. */
static ptl_status read_map(map_tiles *m, ptl_omt at, ptl_oter oter, ptl_error *err)
{
    cell_view *t = m->view;
    ptl_error inner = {0};
    ptl_status status = PTL_OK;
    memset(m->memos, 0, sizeof m->memos);
    m->failed = false;
    m->read = (local_read){.map = NULL};
    if (t->maps) {
        const ptl_local_map *given = t->maps[map_index(t->view, at)];
        if (given)
            m->read = (local_read){.map = &given->stored.map, .pool = given->stored.pool};
    } else if (oter < catalogue_all_oters(t->cat))
        status = local_reader_get(&m->read, t->reader, at, &inner);
    else
        status = local_reader_stored(&m->read, t->reader, at, &inner);
    if (status != PTL_OK && status != PTL_ERR_NOT_FOUND)
        return error_set(err, status, "local map %lld,%lld,%d: %s", (long long)at.x,
                         (long long)at.y, (int)at.z, inner.message);
    if (status == PTL_OK && m->read.map) {
        const local_map *map = m->read.map;
        const uint32_t *const layers[] = {[PLANE_TERRAIN] = map->terrain,
                                          [PLANE_FURNITURE] = map->furniture,
                                          [PLANE_TRAP] = map->trap};
        memset(m->kinds, 0, sizeof m->kinds);
        for (int i = 0; i < CELLS; i++)
            for (int plane = PLANE_TERRAIN; plane < TILE_PLANES; plane++)
                if (plane == PLANE_TERRAIN || layers[plane][i] != ID_NONE)
                    m->kinds[PLANE_TOP][i] = m->kinds[plane][i] =
                        tile_kind(m, (int)plane_layers[plane], layers[plane][i]);
        if (!m->failed)
            put_things(m);
    } else {
        put_no_map(m, oter);
    }
    return m->failed ? error_nomem(err) : PTL_OK;
}

/* ---- rows of OMTs ---- */

static size_t row_tiles(const cell_view *t)
{
    return t->view->width * TILE_SIDE;
}

/* Number of a plane of a level; `above` has a row of tiles for each. */
static size_t plane_of(const cell_view *t, size_t nth, size_t plane)
{
    return plane * t->view->level_count + nth;
}

static uint32_t *tiles_at(const cell_view *t, int which, size_t plane, size_t row)
{
    const size_t before = (size_t)which * t->planes * t->view->level_count + plane;
    return t->rows + (before * TILE_SIDE + row) * row_tiles(t);
}

static ptl_status load_row(cell_view *t, int which, int64_t y, map_tiles *m, ptl_error *err)
{
    const viewport *v = t->view;
    if (!t->maps)
        TRY(viewport_seek(t->view, y, err));
    for (size_t nth = 0; nth < v->level_count; nth++) {
        const int32_t z = v->z_first + (int32_t)nth * v->z_step;
        for (size_t x = 0; x < v->width; x++) {
            const ptl_omt at = {v->x0 + (int64_t)x, y, z};
            TRY(read_map(m, at, t->maps ? PTL_OTER_NONE : viewport_row(v, nth, y)[x], err));
            for (size_t p = 0; p < t->planes; p++)
                for (size_t row = 0; row < TILE_SIDE; row++)
                    memcpy(tiles_at(t, which, plane_of(t, nth, p), row) + x * TILE_SIDE,
                           m->kinds[p] + row * TILE_SIDE, TILE_SIDE * sizeof **m->kinds);
        }
    }
    return PTL_OK;
}

static ptl_status seek_tiles(cell_view *t, int64_t y, ptl_error *err)
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
        /* The next row of OMTs becomes the present one. The southernmost row of tiles of the
         * row before it is kept, because these tiles lie above the present row. */
        const size_t planes = t->planes * t->view->level_count;
        for (size_t i = 0; i < planes; i++)
            memcpy(t->above + i * row_tiles(t), tiles_at(t, 0, i, TILE_SIDE - 1),
                   row_tiles(t) * sizeof *t->above);
        memcpy(t->rows, tiles_at(t, 1, 0, 0),
               planes * TILE_SIDE * row_tiles(t) * sizeof *t->rows);
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

ptl_status cell_view_seek(cell_view *t, int64_t y, ptl_error *err)
{
    const size_t oters = catalogue_all_oters(t->cat);
    if (t->side > 1)
        return seek_tiles(t, y, err);
    TRY(viewport_seek(t->view, y, err));
    t->y = y;
    for (size_t nth = 0; t->counts && nth < t->view->level_count; nth++) {
        const ptl_oter *cells = viewport_row(t->view, nth, y);
        for (size_t x = 0; x < t->view->width; x++)
            t->counts[cells[x] < oters ? cells[x] : oters]++;
    }
    return PTL_OK;
}

void cell_view_stamps(stamp_row *out, const cell_view *t, size_t nth)
{
    const viewport *v = t->view;
    *out = (stamp_row){.width = v->width, .x = v->x0, .y = t->y};
    for (int i = 0; i < 3; i++)
        out->rows[i] = viewport_row(v, nth, t->y + i - 1);
    if (viewport_level(v, nth) != 0)
        out->ground = viewport_row(v, v->level_count, t->y);
}

/* ---- the look of a cell ---- */

/* Do two tiles of a plane connect? Tiles of a group do. If the kind is of no group, and `alike`
 * is set, tiles of the same kind do. */
static bool connects(const cell_view *t, uint32_t here, const uint32_t *tile, bool alike)
{
    const uint32_t group = t->kinds[here].connects;
    if (!tile)
        return false;
    return group != 0 ? t->kinds[*tile].connects == group : alike && *tile == here;
}

/* Returns the sides, bit 0 north, 1 east, 2 south, 3 west, to which a tile of a plane
 * connects. */
static uint8_t arms_of(const cell_view *t, size_t plane, size_t x, size_t row, bool alike)
{
    const uint32_t *here = tiles_at(t, 0, plane, row) + x;
    const uint32_t *north = row > 0        ? tiles_at(t, 0, plane, row - 1) + x
                            : t->has_above ? t->above + plane * row_tiles(t) + x
                                           : NULL;
    const uint32_t *south = row + 1 < TILE_SIDE ? tiles_at(t, 0, plane, row + 1) + x
                            : t->loaded_next    ? tiles_at(t, 1, plane, 0) + x
                                                : NULL;
    const uint32_t *sides[4] = {north, x + 1 < row_tiles(t) ? here + 1 : NULL, south,
                                x > 0 ? here - 1 : NULL};
    uint8_t arms = 0;
    for (int i = 0; i < 4; i++)
        if (connects(t, *here, sides[i], alike))
            arms = (uint8_t)(arms | 1u << i);
    return arms;
}

look cell_view_look(const cell_view *t, size_t nth, size_t x, size_t row)
{
    if (t->side == 1)
        return *look_of(t->oters, t->cat, cell_view_oter(t, nth, x));
    return cell_view_plane_look(t, nth, x, row, PLANE_TOP);
}

look cell_view_plane_look(const cell_view *t, size_t nth, size_t x, size_t row,
                          tile_plane plane)
{
    const size_t at = plane_of(t, nth, plane);
    const kind *k = &t->kinds[tiles_at(t, 0, at, row)[x]];
    look l = k->look;
    const uint8_t arms = k->wall ? arms_of(t, at, x, row, false) : 0;
    if (arms != 0) {
        l.line = arms;
        l.symbol = symbol_line(arms);
    }
    return l;
}

ptl_oter cell_view_oter(const cell_view *t, size_t nth, size_t x)
{
    return viewport_row(t->view, nth, t->y)[x];
}

uint32_t cell_view_kind(tile_kind_id *out, const cell_view *t, size_t nth, size_t x, size_t row,
                        tile_plane plane)
{
    const size_t at = plane_of(t, nth, plane);
    const uint32_t number = tiles_at(t, 0, at, row)[x];
    const kind *k = &t->kinds[number];
    if (number == 0)
        return 0;
    *out = (tile_kind_id){.id = k->id,
                          .layer = (local_layer)k->sort,
                          .arms = arms_of(t, at, x, row, true),
                          .thing = k->sort >= LOCAL_LAYERS};
    return number;
}

tile_looks *cell_view_looks(const cell_view *t)
{
    return t->content;
}

ptl_status cell_view_legend(legend *out, const cell_view *t, bool symbols, ptl_error *err)
{
    if (t->side == 1)
        return legend_init(out, t->cat, t->oters, t->counts, symbols, err);
    *out = (legend){.headings = headings, .unsaved = t->unsaved};
    legend_draft *drafts = calloc(t->kind_count + 1, sizeof *drafts);
    size_t count = 0;
    if (!drafts)
        return error_nomem(err);
    for (uint32_t i = 1; i < t->kind_count; i++) {
        const kind *k = &t->kinds[i];
        if (k->count > 0 && k->name[0])
            drafts[count++] =
                (legend_draft){.entry = {k->name, k->group, i, &k->look, k->count},
                               .most = k->count,
                               .symbol = k->look.symbol};
    }
    const ptl_status status = legend_of_drafts(out, drafts, count, symbols, err);
    free(drafts);
    return status;
}

ptl_status cell_view_count(cell_view *t, ptl_error *err)
{
    t->loaded = false; /* reads the present row of OMTs again, because its cells were not
                          counted when it was read before */
    t->unsaved = 0;
    for (size_t i = 0; i < t->kind_count; i++)
        t->kinds[i].count = 0;
    free(t->counts);
    t->counts = calloc(catalogue_all_oters(t->cat) + 1, sizeof *t->counts);
    return t->counts ? PTL_OK : error_nomem(err);
}

/* ---- making and freeing a view ---- */

ptl_status cell_view_new(cell_view **out, viewport *v, const ptl_render_options *options,
                         ptl_error *err)
{
    cell_view *t = calloc(1, sizeof *t);
    *out = t;
    if (!t)
        return error_nomem(err);
    t->view = v;
    t->cat = ptl_world_catalogue(v->world);
    t->on_paper = options->style != PTL_STYLE_TERMINAL;
    t->oters = looks_new(t->cat);
    if (t->oters && t->on_paper)
        looks_on_paper(t->oters, t->cat);
    t->side = options->local ? TILE_SIDE : 1;
    if (!options->local)
        return t->oters ? PTL_OK : error_nomem(err);
    t->maps = options->maps;
    t->reader = local_reader_new(v->world);
    t->pool = id_pool_new();
    t->planes = options->tileset ? TILE_PLANES : 1;
    t->rows =
        malloc(2 * t->planes * v->level_count * TILE_SIDE * row_tiles(t) * sizeof *t->rows);
    t->above = malloc(t->planes * v->level_count * row_tiles(t) * sizeof *t->above);
    if (!t->oters || !t->reader || !t->pool || !t->rows || !t->above)
        return error_nomem(err);
    local_reader_damage(t->reader, options->riot_damage);
    TRY(options->tide ? local_reader_show(t->reader, options->first_turn, err) : PTL_OK);
    return tile_looks_new(&t->content, v->world->store, err);
}

void cell_view_free(cell_view *t)
{
    if (!t)
        return;
    free(t->oters);
    free(t->counts);
    local_reader_free(t->reader);
    tile_looks_free(t->content);
    id_pool_free(t->pool);
    free(t->kinds);
    free(t->rows);
    free(t->above);
    free(t);
}
