#include "support/truth/possible.h"

#include "mapgen/compile/layers.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 16, ROUNDS_MAX = 4, PLACES_MAX = 400, LINES_MAX = 2000 };

/* Ids that pieces of their own put down. */
typedef struct own_ids {
    uint32_t null_terrain, null_furniture, null_id, dirt, console;
    uint32_t sign, toilet, vending_open, vending_closed, vending_reinforced, gas_pump,
        diesel_pump, rubble;
} own_ids;

typedef struct engine {
    const possible_content *content;
    id_sets *sets;
    own_ids ids;
    uint32_t dropped;
    int depth;
    bool weak; /* what is put down may as well not be */
} engine;

typedef struct frame {
    engine *e;
    possible_map *map;
    const mapgen_entry *entry;
    mapgen_layers layers;
    int x, y, width, height, from_x, from_y; /* as of a run's frame (mapgen/run) */
} frame;

typedef struct area {
    int x, y, x2, y2;
} area;

/* ---- values ---- */

typedef struct gathering {
    engine *e;
    uint32_t set;
} gathering;

static void gather(void *payload, uint32_t id)
{
    gathering *g = payload;
    g->set = id_sets_union(g->e->sets, g->set, id_sets_one(g->e->sets, id));
}

static uint32_t values(frame *f, const mapgen_unit *unit, uint32_t value)
{
    gathering g = {f->e, 0};
    mapgen_value_visit(&f->layers, unit, value, gather, &g);
    return g.set;
}

/* The set with what a pseudo id stands for, and present ids for those of before. */
static uint32_t real_ids(engine *e, uint32_t set, bool furniture, int depth)
{
    const possible_content *c = e->content;
    size_t count;
    uint32_t out = 0;
    const uint32_t *items = id_sets_items(e->sets, set, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t id = furniture ? mapgen_furniture_now(c->tiles, items[i])
                                      : mapgen_terrain_now(c->tiles, items[i]);
        const ground_weights *w = depth < 8 ? ground_pseudo_of(c->settings, id) : NULL;
        uint32_t more = w ? 0 : id_sets_one(e->sets, id);
        for (uint32_t k = 0; w && k < w->count; k++)
            more = id_sets_union(e->sets, more, id_sets_one(e->sets, w->items[k].id));
        if (w)
            more = real_ids(e, more, furniture, depth + 1);
        out = id_sets_union(e->sets, out, more);
        items = id_sets_items(e->sets, set, &count);
    }
    return out;
}

/* ---- writing ---- */

static bool on_map(int x, int y)
{
    return x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
}

/* Puts a set down; ids that are `kept` leave what is there. */
static void put(engine *e, uint32_t *cell, uint32_t set, uint32_t kept, bool sure)
{
    bool keeps = e->weak || !sure;
    if (set == 0)
        return;
    if (id_sets_has(e->sets, set, kept)) {
        set = id_sets_without(e->sets, set, kept);
        keeps = true;
    }
    *cell = keeps ? id_sets_union(e->sets, *cell, set) : set;
}

static void put_furniture(frame *f, int x, int y, uint32_t set, bool sure)
{
    engine *e = f->e;
    if (!on_map(x, y))
        return;
    if (id_sets_has(e->sets, set, e->ids.null_furniture))
        set = id_sets_union(e->sets, id_sets_without(e->sets, set, e->ids.null_furniture),
                            id_sets_one(e->sets, ID_NONE));
    put(e, &f->map->furniture[y * LOCAL_SIDE + x], set, UINT32_MAX, sure);
}

static void put_terrain(frame *f, int x, int y, uint32_t set, bool sure)
{
    if (on_map(x, y))
        put(f->e, &f->map->terrain[y * LOCAL_SIDE + x], set, f->e->ids.null_terrain, sure);
}

/* A wall that is no part of the rows clears the furniture. */
static void put_wall(frame *f, int x, int y, uint32_t set, bool sure)
{
    engine *e = f->e;
    size_t count, walls = 0;
    const uint32_t *items = id_sets_items(e->sets, set, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t id = mapgen_terrain_now(e->content->tiles, items[i]);
        walls += (mapgen_terrain_tile(e->content->tiles, id).flags & MAPGEN_TILE_WALL) != 0;
    }
    put_terrain(f, x, y, set, sure);
    if (walls > 0)
        put_furniture(f, x, y, id_sets_one(e->sets, ID_NONE), sure && walls == count);
}

/* ---- pieces ---- */

static uint32_t or_else(frame *f, const mapgen_unit *unit, uint32_t value, uint32_t otherwise)
{
    const uint32_t set = values(f, unit, value);
    return set ? set : id_sets_one(f->e->sets, otherwise);
}

static void put_rubble(frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y,
                       bool sure)
{
    const own_ids *ids = &f->e->ids;
    if (p->flags & MAPGEN_OVERWRITE)
        put_terrain(f, x, y, or_else(f, unit, p->with, ids->dirt), sure);
    else /* an impassable terrain becomes the floor */
        put_terrain(f, x, y, or_else(f, unit, p->with, ids->dirt), false);
    put_furniture(f, x, y, or_else(f, unit, p->what, ids->rubble), sure);
}

/* What a piece does to one tile of the map. */
static void put_piece(frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y,
                      bool sure)
{
    id_sets *sets = f->e->sets;
    const own_ids *ids = &f->e->ids;
    const uint32_t none = id_sets_one(sets, ID_NONE);
    switch (p->kind) {
    case MAPGEN_TERRAIN:
        put_wall(f, x, y, values(f, unit, p->what), sure);
        break;
    case MAPGEN_FURNITURE:
        put_furniture(f, x, y, values(f, unit, p->what), sure);
        break;
    case MAPGEN_SIGN:
        put_furniture(f, x, y, or_else(f, unit, p->with, ids->sign), sure);
        break;
    case MAPGEN_VENDING:
        put_furniture(f, x, y,
                      p->flags & MAPGEN_REINFORCED
                          ? id_sets_one(sets, ids->vending_reinforced)
                          : id_sets_union(sets, id_sets_one(sets, ids->vending_open),
                                          id_sets_one(sets, ids->vending_closed)),
                      sure);
        break;
    case MAPGEN_TOILET:
        put_furniture(f, x, y, id_sets_one(sets, ids->toilet), sure);
        break;
    case MAPGEN_GASPUMP:
        put_furniture(f, x, y, none, sure);
        put_terrain(f, x, y,
                    id_sets_union(sets, id_sets_one(sets, ids->gas_pump),
                                  id_sets_one(sets, ids->diesel_pump)),
                    sure);
        break;
    case MAPGEN_COMPUTER:
        put_furniture(f, x, y, none, sure);
        put_terrain(f, x, y, id_sets_one(sets, ids->console), sure);
        break;
    case MAPGEN_SEALED_ITEM:
        put_furniture(f, x, y, values(f, unit, p->with), sure && p->chance.low >= 100);
        break;
    case MAPGEN_RUBBLE:
        put_rubble(f, unit, p, x, y, sure);
        break;
    default:
        break;
    }
}

static void translate(frame *f, const mapgen_unit *unit, const mapgen_piece *p)
{
    id_sets *sets = f->e->sets;
    size_t count;
    const uint32_t from = values(f, unit, p->what), to = values(f, unit, p->with);
    const uint32_t *items = id_sets_items(sets, from, &count);
    if (count != 1 || to == 0)
        return;
    const uint32_t id = items[0];
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        if (id_sets_has(sets, f->map->terrain[i], id))
            f->map->terrain[i] =
                id_sets_union(sets, id_sets_without(sets, f->map->terrain[i], id), to);
}

/* ---- chunks ---- */

static void frame_steps(frame *f);

static void unite_maps(engine *e, possible_map *into, const possible_map *with)
{
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        into->terrain[i] = id_sets_union(e->sets, into->terrain[i], with->terrain[i]);
        into->furniture[i] = id_sets_union(e->sets, into->furniture[i], with->furniture[i]);
    }
    into->truncated = into->truncated || with->truncated;
}

static void run_entry(engine *e, possible_map *map, const mapgen_entry *entry, int x, int y)
{
    frame *f = calloc(1, sizeof *f);
    if (!f)
        ck_abort_msg("memory is out");
    *f = (frame){.e = e, .map = map, .entry = entry, .x = x, .y = y};
    f->width = entry->width;
    f->height = entry->height;
    e->depth++;
    frame_steps(f);
    e->depth--;
    free(f);
}

/* One of the chunks, at one of the places. */
typedef struct chunk_choice {
    uint32_t ids; /* set */
    area where;
    bool may_not; /* nothing may be put there */
} chunk_choice;

static size_t place_count(area a)
{
    return (size_t)(a.x2 - a.x + 1) * (size_t)(a.y2 - a.y + 1);
}

/* Runs all that may be, each from what was there before; or, where it is too much, all over
 * each other. */
static void run_choices(frame *f, const chunk_choice *c)
{
    engine *e = f->e;
    mapgen_library *library = e->content->library;
    size_t count;
    id_sets_items(e->sets, c->ids, &count);
    const bool weak = e->weak || place_count(c->where) * count > PLACES_MAX;
    possible_map *maps = calloc(3, sizeof *maps);
    if (!maps)
        ck_abort_msg("memory is out");
    maps[0] = *f->map;
    if (weak || c->may_not)
        maps[1] = maps[0];
    const bool before = e->weak;
    e->weak = weak;
    for (size_t i = 0; i < count; i++) {
        const uint32_t id = id_sets_items(e->sets, c->ids, &count)[i];
        const mapgen_candidate *k = mapgen_library_first(library, MAPGEN_CHUNK, id);
        if (!k)
            unite_maps(e, &maps[1], &maps[0]); /* "null" */
        for (; k; k = mapgen_library_next(k))
            for (size_t n = 0; n < place_count(c->where) && k->entry->json; n++) {
                const int wide = c->where.x2 - c->where.x + 1;
                const int x = c->where.x + (int)n % wide, y = c->where.y + (int)n / wide;
                maps[2] = maps[0];
                run_entry(e, weak ? &maps[1] : &maps[2], k->entry, x, y);
                if (!weak)
                    unite_maps(e, &maps[1], &maps[2]);
            }
    }
    e->weak = before;
    *f->map = maps[1];
    free(maps);
}

static void nested(frame *f, const mapgen_unit *unit, const mapgen_piece *p, area where)
{
    if (f->e->depth >= DEPTH_MAX) {
        f->map->truncated = true;
        return;
    }
    chunk_choice c = {.ids = values(f, unit, p->what), .where = where};
    if (p->count > 0) { /* conditions: they may hold or not */
        const uint32_t otherwise = values(f, unit, p->with);
        c.may_not = otherwise == 0;
        c.ids = id_sets_union(f->e->sets, c.ids, otherwise);
    }
    c.may_not = c.may_not || p->repeat.low < 1;
    const int rounds = p->repeat.high < ROUNDS_MAX ? p->repeat.high : ROUNDS_MAX;
    for (int i = 0; i < rounds && c.ids; i++)
        run_choices(f, &c);
}

static void piece_at(frame *f, const mapgen_unit *unit, const mapgen_piece *p, area where)
{
    if (p->flags & MAPGEN_AT_HEIGHT || p->repeat.high < 1)
        return;
    if (p->kind == MAPGEN_NESTED) {
        nested(f, unit, p, where);
    } else if (p->kind == MAPGEN_TRANSLATE) {
        translate(f, unit, p);
    } else {
        const bool sure = place_count(where) == 1 && p->repeat.low >= 1;
        for (int y = where.y; y <= where.y2; y++)
            for (int x = where.x; x <= where.x2; x++)
                put_piece(f, unit, p, x, y, sure);
    }
}

/* ---- set ---- */

/* What one or more blows may leave; where content names nothing, dirt. */
static void bash_tile(frame *f, int x, int y, int cell)
{
    enum { BLOWS = 4 };
    engine *e = f->e;
    size_t count;
    uint32_t set = real_ids(e, f->map->terrain[cell], false, 0);
    for (int blow = 0; blow < BLOWS; blow++) {
        uint32_t left = 0;
        for (size_t i = 0; id_sets_items(e->sets, set, &count) && i < count; i++) {
            const uint32_t id = id_sets_items(e->sets, set, &count)[i];
            const mapgen_tile tile = mapgen_terrain_tile(e->content->tiles, id);
            const bool nothing = tile.bashed == ID_NONE || tile.bashed == e->ids.null_terrain;
            if (tile.flags & MAPGEN_TILE_BASHED)
                left = id_sets_union(e->sets, left,
                                     id_sets_one(e->sets, nothing ? e->ids.dirt : tile.bashed));
        }
        put_terrain(f, x, y, left, false);
        set = left;
    }
    put_furniture(f, x, y, id_sets_one(e->sets, ID_NONE), false);
}

static void set_tile(frame *f, const mapgen_piece *p, int x, int y, bool sure)
{
    if (!on_map(x, y))
        return;
    const int cell = y * LOCAL_SIDE + x;
    const uint32_t set = values(f, &f->entry->unit, p->what);
    if (p->subject == MAPGEN_SET_TERRAIN)
        put_terrain(f, x, y, set, sure);
    else if (p->subject == MAPGEN_SET_FURNITURE)
        put_furniture(f, x, y, set, sure);
    else if (p->subject == MAPGEN_SET_BASH)
        bash_tile(f, x, y, cell);
}

static void set_line(frame *f, const mapgen_piece *p, area l, bool sure)
{
    const int dx = abs(l.x2 - l.x), dy = -abs(l.y2 - l.y);
    const int sx = l.x < l.x2 ? 1 : -1, sy = l.y < l.y2 ? 1 : -1;
    int error = dx + dy;
    for (;;) {
        set_tile(f, p, l.x, l.y, sure);
        if (l.x == l.x2 && l.y == l.y2)
            return;
        const int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            l.x += sx;
        }
        if (twice <= dx) {
            error += dx;
            l.y += sy;
        }
    }
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

static void set_square(frame *f, const mapgen_piece *p, area s, bool sure)
{
    for (int y = lesser(s.y, s.y2); y <= greater(s.y, s.y2); y++)
        for (int x = lesser(s.x, s.x2); x <= greater(s.x, s.x2); x++)
            set_tile(f, p, x, y, sure);
}

/* All lines between the ends that may be; where there are too many, the square around. */
static void set_lines(frame *f, const mapgen_piece *p, bool sure)
{
    const mapgen_range r[] = {p->x, p->y, p->x2, p->y2};
    size_t count = 1;
    for (int i = 0; i < 4; i++)
        count *= (size_t)(r[i].high - r[i].low + 1);
    if (count > LINES_MAX || p->shape == MAPGEN_SQUARE) {
        const area around = {
            f->x + lesser(p->x.low, p->x2.low), f->y + lesser(p->y.low, p->y2.low),
            f->x + greater(p->x.high, p->x2.high), f->y + greater(p->y.high, p->y2.high)};
        set_square(f, p, around, sure && count == 1);
        return;
    }
    for (int x = p->x.low; x <= p->x.high; x++)
        for (int y = p->y.low; y <= p->y.high; y++)
            for (int x2 = p->x2.low; x2 <= p->x2.high; x2++)
                for (int y2 = p->y2.low; y2 <= p->y2.high; y2++)
                    set_line(f, p, (area){f->x + x, f->y + y, f->x + x2, f->y + y2},
                             sure && count == 1);
}

/* Does a piece by coordinates begin in the part of the drawing that is drawn? */
static bool is_here(const frame *f, const mapgen_piece *p)
{
    return p->x.low >= f->from_x && p->x.low < f->from_x + f->width && p->y.low >= f->from_y &&
           p->y.low < f->from_y + f->height;
}

static void set_piece(frame *f, const mapgen_piece *p)
{
    if (!is_here(f, p) || (p->flags & MAPGEN_AT_HEIGHT) || p->repeat.high < 1)
        return;
    const bool sure = p->repeat.low >= 1 && p->chance.high <= 1;
    if (p->shape != MAPGEN_POINT) {
        set_lines(f, p, sure);
        return;
    }
    const bool one = p->x.low == p->x.high && p->y.low == p->y.high;
    for (int y = p->y.low; y <= p->y.high; y++)
        for (int x = p->x.low; x <= p->x.high; x++)
            set_tile(f, p, f->x + x, f->y + y, sure && one);
}

/* ---- the steps of an entry ---- */

/* What a character means in all layers. */
typedef struct meaning {
    uint32_t terrain, furniture; /* sets; 0: nothing is said of it */
    bool terrain_list, furniture_list;
} meaning;

static const mapgen_meaning *meaning_in(const frame *f, uint32_t layer, uint32_t symbol)
{
    const bool palette = layer + 1 < f->layers.count;
    if (palette && symbol == f->e->dropped)
        return NULL;
    return mapgen_meaning_of(f->layers.units[layer], symbol);
}

static meaning resolve(frame *f, uint32_t symbol)
{
    meaning out = {0};
    for (uint32_t i = 0; i < f->layers.count; i++) {
        const mapgen_unit *unit = f->layers.units[i];
        const mapgen_meaning *m = meaning_in(f, i, symbol);
        if (m && m->terrain) {
            out.terrain = values(f, unit, m->terrain);
            out.terrain_list = m->terrain_list;
        }
        if (m && m->furniture) {
            out.furniture = values(f, unit, m->furniture);
            out.furniture_list = m->furniture_list;
        }
    }
    return out;
}

static void draw_plain(frame *f, const meaning *m, uint32_t symbol, int x, int y)
{
    (void)symbol;
    if (m->terrain && !m->terrain_list)
        put_terrain(f, x, y, m->terrain, true);
    /* f_null in the rows leaves what is there. */
    if (m->furniture && !m->furniture_list)
        put_furniture(
            f, x, y, id_sets_without(f->e->sets, m->furniture, f->e->ids.null_furniture), true);
}

static void draw_mapped(frame *f, const meaning *m, uint32_t symbol, int x, int y)
{
    if (m->terrain_list)
        put_wall(f, x, y, m->terrain, true);
    if (m->furniture_list)
        put_furniture(f, x, y, m->furniture, true);
    for (int kind = 0; kind < MAPGEN_KINDS; kind++)
        for (uint32_t i = 0; i < f->layers.count; i++) {
            const mapgen_unit *unit = f->layers.units[i];
            const mapgen_meaning *said = meaning_in(f, i, symbol);
            for (uint32_t p = said ? said->pieces : 0; p; p = unit->pieces[p].next)
                if ((int)unit->pieces[p].kind == kind)
                    piece_at(f, unit, &unit->pieces[p], (area){x, y, x, y});
        }
}

static void each_tile(frame *f, const meaning *meanings,
                      void (*draw)(frame *, const meaning *, uint32_t, int, int))
{
    const mapgen_entry *e = f->entry;
    for (int v = f->from_y; v < f->from_y + f->height && e->cells; v++)
        for (int u = f->from_x; u < f->from_x + f->width; u++) {
            const uint16_t symbol = e->cells[(size_t)v * e->width + (size_t)u];
            if (on_map(f->x + u, f->y + v))
                draw(f, &meanings[symbol], e->symbols[symbol], f->x + u, f->y + v);
        }
}

static void frame_steps(frame *f)
{
    const mapgen_entry *e = f->entry;
    mapgen_layers_possible(&f->layers, f->e->content->library, &e->unit);
    meaning *meanings = calloc((size_t)e->symbol_count + 1, sizeof *meanings);
    if (!meanings)
        ck_abort_msg("memory is out");
    for (uint32_t i = 0; i < e->symbol_count; i++)
        meanings[i] = resolve(f, e->symbols[i]);
    each_tile(f, meanings, draw_plain);
    for (uint32_t i = 0; i < e->set.count; i++)
        set_piece(f, &e->unit.pieces[e->set.items[i]]);
    each_tile(f, meanings, draw_mapped);
    for (uint32_t i = 0; i < e->placed.count; i++) {
        const mapgen_piece *p = &e->unit.pieces[e->placed.items[i]];
        if (is_here(f, p))
            piece_at(
                f, &e->unit, p,
                (area){f->x + p->x.low, f->y + p->y.low, f->x + p->x.high, f->y + p->y.high});
    }
    free(meanings);
}

/* ---- what an entry is drawn over ---- */

/* What natural ground may have, of terrain or furniture. */
static uint32_t weights_set(engine *e, const ground_weights *w, bool furniture)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (w->items[i].furniture == furniture)
            set = id_sets_union(e->sets, set, id_sets_one(e->sets, w->items[i].id));
    return set;
}

static uint32_t biome_set(engine *e, const ground_biome *b, bool furniture)
{
    uint32_t set = weights_set(e, &b->cover, furniture);
    for (uint32_t i = 0; i < b->component_count; i++)
        set = id_sets_union(e->sets, set, weights_set(e, &b->components[i].types, furniture));
    for (uint32_t i = 0; i < b->dressing_count && furniture; i++)
        set = id_sets_union(e->sets, set, weights_set(e, &b->dressings[i].furniture, true));
    return set;
}

static uint32_t field_set(engine *e, const ground_settings *s, bool furniture)
{
    uint32_t set = weights_set(e, &s->cover, furniture);
    set = id_sets_union(e->sets, set, weights_set(e, &s->field.other, furniture));
    set = id_sets_union(e->sets, set, weights_set(e, &s->field.boosted_other, furniture));
    if (!furniture && s->field.plain != ID_NONE)
        set = id_sets_union(e->sets, set, id_sets_one(e->sets, s->field.plain));
    return set;
}

/* Fills the map with what may be on natural ground; false: the terrain is none. */
static bool fill_ground(engine *e, possible_map *map, uint32_t terrain)
{
    const ground_settings *s = e->content->settings;
    const ground_biome *biome = NULL;
    for (uint32_t i = 0; i < s->biome_count; i++)
        if (s->biomes[i].terrain == terrain)
            biome = &s->biomes[i];
    if (!biome && strcmp(id_pool_text(e->content->pool, terrain), "field") != 0)
        return false;
    const uint32_t ground = biome ? biome_set(e, biome, false) : field_set(e, s, false);
    const uint32_t plants = biome ? biome_set(e, biome, true) : field_set(e, s, true);
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        map->terrain[i] = ground;
        map->furniture[i] = id_sets_union(e->sets, plants, id_sets_one(e->sets, ID_NONE));
    }
    return true;
}

static own_ids find_ids(id_pool *pool)
{
    own_ids ids;
    const struct {
        uint32_t *id;
        const char *text;
    } all[] = {{&ids.null_terrain, "t_null"},
               {&ids.null_furniture, "f_null"},
               {&ids.null_id, "null"},
               {&ids.dirt, "t_dirt"},
               {&ids.console, "t_console"},
               {&ids.sign, "f_sign"},
               {&ids.toilet, "f_toilet"},
               {&ids.vending_open, "f_vending_o"},
               {&ids.vending_closed, "f_vending_c"},
               {&ids.vending_reinforced, "f_vending_reinforced"},
               {&ids.gas_pump, "t_gas_pump"},
               {&ids.diesel_pump, "t_diesel_pump"},
               {&ids.rubble, "f_rubble"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        *all[i].id = id_pool_put(pool, all[i].text, strlen(all[i].text));
    return ids;
}

void possible_make(possible_map *out, const possible_content *content, id_sets *sets,
                   const mapgen_candidate *candidate, uint32_t dropped)
{
    const mapgen_entry *entry = candidate->entry;
    engine e = {.content = content, .sets = sets, .dropped = dropped};
    e.ids = find_ids(content->pool);
    frame *f = calloc(1, sizeof *f);
    if (!f)
        ck_abort_msg("memory is out");
    *f = (frame){.e = &e, .map = out, .entry = entry, .width = LOCAL_SIDE};
    f->height = LOCAL_SIDE;
    f->from_x = candidate->column * LOCAL_SIDE;
    f->from_y = candidate->row * LOCAL_SIDE;
    f->x = -f->from_x;
    f->y = -f->from_y;
    mapgen_layers_possible(&f->layers, content->library, &entry->unit);
    *out = (possible_map){0};
    const uint32_t none = id_sets_one(sets, ID_NONE);
    const uint32_t fill = values(f, &entry->unit, entry->fill);
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        out->terrain[i] = fill ? fill : none;
        out->furniture[i] = none;
    }
    /* The fill is under it. */
    if (entry->predecessor != ID_NONE)
        out->predecessor = !fill_ground(&e, out, entry->predecessor);
    frame_steps(f);
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        out->terrain[i] = real_ids(&e, out->terrain[i], false, 0);
        out->furniture[i] = real_ids(&e, out->furniture[i], true, 0);
    }
    free(f);
}

uint32_t possible_palette_symbol(const possible_content *content,
                                 const mapgen_candidate *candidate)
{
    const mapgen_entry *e = candidate->entry;
    mapgen_layers layers;
    mapgen_layers_possible(&layers, content->library, &e->unit);
    uint32_t best = ID_NONE, most = 0;
    for (uint32_t s = 0; s < e->symbol_count && e->cells; s++) {
        bool palette = false;
        uint32_t count = 0;
        for (uint32_t i = 0; i < layers.count; i++) {
            const mapgen_meaning *m = mapgen_meaning_of(layers.units[i], e->symbols[s]);
            if (m && m->terrain)
                palette = i + 1 < layers.count;
        }
        for (int i = 0; i < LOCAL_CELLS && palette; i++) {
            const int x = candidate->column * LOCAL_SIDE + i % LOCAL_SIDE;
            const int y = candidate->row * LOCAL_SIDE + i / LOCAL_SIDE;
            count += e->cells[y * e->width + x] == s;
        }
        if (count > most) {
            most = count;
            best = e->symbols[s];
        }
    }
    return best;
}
