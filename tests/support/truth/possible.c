#include "support/truth/possible_impl.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 16, ROUNDS_MAX = 4, PLACES_MAX = 400 };
/* Where one is chosen by a map that was seen. */
enum { CHOSEN_ROUNDS_MAX = 64, CHOSEN_PLACES_MAX = 5000 };

/* ---- writing ---- */

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

void possible_furniture(frame *f, int x, int y, uint32_t set, bool sure)
{
    engine *e = f->e;
    if (!possible_on_map(x, y))
        return;
    if (set)
        f->map->furniture_list[y * LOCAL_SIDE + x] = 0;
    if (id_sets_has(e->sets, set, e->ids.null_furniture))
        set = id_sets_union(e->sets, id_sets_without(e->sets, set, e->ids.null_furniture),
                            id_sets_one(e->sets, ID_NONE));
    put(e, &f->map->furniture[y * LOCAL_SIDE + x], set, UINT32_MAX, sure);
}

void possible_terrain(frame *f, int x, int y, uint32_t set, bool sure)
{
    const int cell = y * LOCAL_SIDE + x;
    if (!possible_on_map(x, y))
        return;
    if (set)
        f->map->terrain_list[cell] = 0;
    if (set && sure && !f->e->weak && !id_sets_has(f->e->sets, set, f->e->ids.null_terrain))
        f->map->ground[cell] = false;
    put(f->e, &f->map->terrain[cell], set, f->e->ids.null_terrain, sure);
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
    possible_terrain(f, x, y, set, sure);
    if (walls > 0)
        possible_furniture(f, x, y, id_sets_one(e->sets, ID_NONE), sure && walls == count);
}

/* ---- pieces ---- */

static uint32_t or_else(frame *f, uint32_t set, uint32_t otherwise)
{
    return set ? set : id_sets_one(f->e->sets, otherwise);
}

static void put_rubble(frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y,
                       bool sure)
{
    const own_ids *ids = &f->e->ids;
    /* Else an impassable terrain becomes the floor. */
    const bool over = (p->flags & MAPGEN_OVERWRITE) != 0;
    possible_terrain(f, x, y, or_else(f, possible_terrains(f, unit, p->with), ids->dirt),
                     over && sure);
    possible_furniture(f, x, y, or_else(f, possible_values(f, unit, p->what), ids->rubble),
                       sure);
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
        put_wall(f, x, y, possible_terrains(f, unit, p->what), sure);
        break;
    case MAPGEN_FURNITURE:
        possible_furniture(f, x, y, possible_values(f, unit, p->what), sure);
        break;
    case MAPGEN_SIGN:
        possible_furniture(f, x, y, or_else(f, possible_values(f, unit, p->with), ids->sign),
                           sure);
        break;
    case MAPGEN_VENDING:
        possible_furniture(f, x, y,
                           p->flags & MAPGEN_REINFORCED
                               ? id_sets_one(sets, ids->vending_reinforced)
                               : id_sets_union(sets, id_sets_one(sets, ids->vending_open),
                                               id_sets_one(sets, ids->vending_closed)),
                           sure);
        break;
    case MAPGEN_TOILET:
        possible_furniture(f, x, y, id_sets_one(sets, ids->toilet), sure);
        break;
    case MAPGEN_GASPUMP:
        possible_furniture(f, x, y, none, sure);
        possible_terrain(f, x, y,
                         id_sets_union(sets, id_sets_one(sets, ids->gas_pump),
                                       id_sets_one(sets, ids->diesel_pump)),
                         sure);
        break;
    case MAPGEN_COMPUTER:
        possible_furniture(f, x, y, id_sets_one(sets, ids->console), sure);
        break;
    case MAPGEN_SEALED_ITEM:
        possible_furniture(f, x, y, possible_values(f, unit, p->with),
                           sure && p->chance.low >= 100);
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
    const uint32_t from = possible_values(f, unit, p->what),
                   to = possible_terrains(f, unit, p->with);
    const uint32_t *items = id_sets_items(sets, from, &count);
    if (count != 1 || to == 0)
        return;
    const uint32_t id = items[0];
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        if (id_sets_has(sets, f->map->terrain[i], id)) {
            f->map->terrain[i] =
                id_sets_union(sets, id_sets_without(sets, f->map->terrain[i], id), to);
            f->map->terrain_list[i] = 0;
        }
}

/* ---- chunks ---- */

static void frame_steps(frame *f);

static void unite_maps(engine *e, possible_map *into, const possible_map *with)
{
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        into->ground[i] = into->ground[i] || with->ground[i];
        into->terrain[i] = id_sets_union(e->sets, into->terrain[i], with->terrain[i]);
        into->furniture[i] = id_sets_union(e->sets, into->furniture[i], with->furniture[i]);
        if (into->terrain_list[i] != with->terrain_list[i])
            into->terrain_list[i] = 0;
        if (into->furniture_list[i] != with->furniture_list[i])
            into->furniture_list[i] = 0;
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

likeness possible_likeness(const engine *e, const possible_map *map)
{
    const possible_seen *seen = e->options.seen;
    likeness out = {0, 0};
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        size_t count;
        const uint32_t set = map->terrain[i];
        out.tiles += id_sets_has(e->sets, set, seen->terrain[i]) ||
                     (seen->roofed[i] && id_sets_has(e->sets, set, e->ids.air));
        out.tiles += id_sets_has(e->sets, map->furniture[i], seen->furniture[i]);
        id_sets_items(e->sets, set, &count);
        out.allowed += count;
    }
    return out;
}

/* What comes of choices: of several maps their union, or the one that is most like what was
 * seen. */
typedef struct outcome {
    possible_map map;
    likeness like;
    bool any;
} outcome;

bool possible_is_closer(const likeness *a, const likeness *b)
{
    return a->tiles > b->tiles || (a->tiles == b->tiles && a->allowed < b->allowed);
}

static void may_be(engine *e, outcome *o, const possible_map *map, bool choose)
{
    const likeness like = choose ? possible_likeness(e, map) : (likeness){0, 0};
    if (!o->any)
        o->map = *map;
    else if (!choose)
        unite_maps(e, &o->map, map);
    else if (possible_is_closer(&like, &o->like))
        o->map = *map;
    else
        return;
    o->like = like;
    o->any = true;
}

/* One chunk at all places that it may have, each from what was there before. */
static void run_places(engine *e, outcome *o, const mapgen_entry *entry,
                       const possible_map *before, area where, bool choose)
{
    possible_map *map = malloc(sizeof *map);
    if (!map)
        ck_abort_msg("memory is out");
    for (size_t n = 0; n < place_count(where); n++) {
        const int wide = where.x2 - where.x + 1;
        const int x = where.x + (int)n % wide, y = where.y + (int)n / wide;
        if (e->weak) { /* where it is too much, all over each other */
            run_entry(e, &o->map, entry, x, y);
            continue;
        }
        *map = *before;
        run_entry(e, map, entry, x, y);
        may_be(e, o, map, choose);
    }
    free(map);
}

/* Runs all that may be, or what is likest to what was seen. */
static void run_choices(frame *f, const chunk_choice *c)
{
    engine *e = f->e;
    size_t count;
    id_sets_items(e->sets, c->ids, &count);
    const size_t ways = place_count(c->where) * count;
    const bool before = e->weak;
    const bool choose = e->options.seen && !before && ways <= CHOSEN_PLACES_MAX;
    outcome *o = calloc(1, sizeof *o);
    if (!o)
        ck_abort_msg("memory is out");
    e->weak = before || (!choose && ways > PLACES_MAX);
    if (e->weak || c->may_not)
        may_be(e, o, f->map, choose);
    for (size_t i = 0; i < count; i++) {
        const uint32_t id = id_sets_items(e->sets, c->ids, &count)[i];
        const mapgen_candidate *k = mapgen_library_first(e->content->library, MAPGEN_CHUNK, id);
        if (!k)
            may_be(e, o, f->map, choose); /* "null" */
        for (; k; k = k->next)
            if (k->entry->json)
                run_places(e, o, k->entry, f->map, c->where, choose);
    }
    e->weak = before;
    if (o->any)
        *f->map = o->map;
    free(o);
}

static void nested(frame *f, const mapgen_unit *unit, const mapgen_piece *p, area where)
{
    if (f->e->no_chunks)
        return;
    if (f->e->depth >= DEPTH_MAX) {
        f->map->truncated = true;
        return;
    }
    chunk_choice c = {.ids = possible_values(f, unit, p->what), .where = where};
    if (p->count > 0) { /* conditions: they may hold or not */
        const uint32_t otherwise = possible_values(f, unit, p->with);
        c.may_not = otherwise == 0 || c.ids == 0;
        c.ids = id_sets_union(f->e->sets, c.ids, otherwise);
    }
    /* As many as are chosen; of all that may be a few say what any number does. */
    const bool choose = f->e->options.seen != NULL, may_not = c.may_not;
    const int most = choose ? CHOSEN_ROUNDS_MAX : ROUNDS_MAX;
    const int rounds = p->repeat.high < most ? p->repeat.high : most;
    for (int i = 0; i < rounds && c.ids; i++) {
        c.may_not = may_not || i >= p->repeat.low;
        run_choices(f, &c);
    }
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

/* ---- the steps of an entry ---- */

/* What a character means in all layers. */
typedef struct meaning {
    uint32_t terrain, furniture; /* sets; 0: nothing is said of it */
    bool terrain_list, furniture_list;
    uint32_t terrains, furnitures; /* the lists that they are drawn from; 0: they are not */
} meaning;

static const mapgen_meaning *meaning_in(const frame *f, uint32_t layer, uint32_t symbol)
{
    const bool palette = layer + 1 < f->layers.count;
    if (palette && symbol == f->e->options.dropped)
        return NULL;
    return mapgen_meaning_of(f->layers.units[layer], symbol);
}

/* The list that a value is drawn from; 0: it is one, or the tile may stay as it is. */
static uint32_t list_of(frame *f, const mapgen_unit *unit, uint32_t value, bool furniture)
{
    const engine *e = f->e;
    const possible_content *c = e->content;
    const shares_source from = {c->settings, c->tiles, &f->layers, furniture, &e->picks};
    id_shares shares;
    bool keeps = false;
    if (!e->options.lists)
        return 0;
    shares_of_value(&shares, &from, unit, value);
    for (size_t i = 0; i < shares.count; i++) {
        keeps = keeps || shares.items[i].id == e->ids.null_terrain;
        if (shares.items[i].id == e->ids.null_furniture)
            shares.items[i].id = ID_NONE;
    }
    return shares.count < 2 || keeps ? 0 : share_lists_keep(e->options.lists, &shares);
}

static meaning resolve(frame *f, uint32_t symbol)
{
    meaning out = {0};
    for (uint32_t i = 0; i < f->layers.count; i++) {
        const mapgen_unit *unit = f->layers.units[i];
        const mapgen_meaning *m = meaning_in(f, i, symbol);
        if (m && m->terrain) {
            out.terrain = possible_terrains(f, unit, m->terrain);
            out.terrain_list = m->terrain_list;
            out.terrains = list_of(f, unit, m->terrain, false);
        }
        if (m && m->furniture) {
            out.furniture = possible_values(f, unit, m->furniture);
            out.furniture_list = m->furniture_list;
            out.furnitures = list_of(f, unit, m->furniture, true);
        }
    }
    return out;
}

static void draw_plain(frame *f, const meaning *m, uint32_t symbol, int x, int y)
{
    (void)symbol;
    if (m->terrain && !m->terrain_list) {
        possible_terrain(f, x, y, m->terrain, true);
        f->map->terrain_list[y * LOCAL_SIDE + x] = f->e->weak ? 0 : m->terrains;
    }
    /* f_null in the rows leaves what is there. */
    if (m->furniture && !m->furniture_list)
        possible_furniture(
            f, x, y, id_sets_without(f->e->sets, m->furniture, f->e->ids.null_furniture), true);
}

static void draw_mapped(frame *f, const meaning *m, uint32_t symbol, int x, int y)
{
    const int cell = y * LOCAL_SIDE + x;
    if (m->terrain_list) {
        put_wall(f, x, y, m->terrain, true);
        f->map->terrain_list[cell] = f->e->weak ? 0 : m->terrains;
    }
    if (m->furniture_list) {
        possible_furniture(f, x, y, m->furniture, true);
        f->map->furniture_list[cell] = f->e->weak ? 0 : m->furnitures;
    }
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
            if (possible_on_map(f->x + u, f->y + v))
                draw(f, &meanings[symbol], e->symbols[symbol], f->x + u, f->y + v);
        }
}

static void draw_layers(frame *f)
{
    const mapgen_entry *e = f->entry;
    meaning *meanings = calloc((size_t)e->symbol_count + 1, sizeof *meanings);
    if (!meanings)
        ck_abort_msg("memory is out");
    for (uint32_t i = 0; i < e->symbol_count; i++)
        meanings[i] = resolve(f, e->symbols[i]);
    each_tile(f, meanings, draw_plain);
    for (uint32_t i = 0; i < e->set.count; i++)
        possible_set(f, &e->unit.pieces[e->set.items[i]]);
    each_tile(f, meanings, draw_mapped);
    for (uint32_t i = 0; i < e->placed.count; i++) {
        const mapgen_piece *p = &e->unit.pieces[e->placed.items[i]];
        const bool unmet = f->e->depth == 0 && i < 64 && (f->e->unmet >> i & 1);
        if (possible_is_here(f, p) && !unmet)
            piece_at(
                f, &e->unit, p,
                (area){f->x + p->x.low, f->y + p->y.low, f->x + p->x.high, f->y + p->y.high});
    }
    free(meanings);
}

/* Draws the frame with each of the palettes that may be, or with those that fit best. */
static void frame_steps(frame *f)
{
    engine *e = f->e;
    open_draw d;
    size_t count;
    possible_layers(e, &f->layers, &f->entry->unit);
    if (!possible_open_palette(e, &f->layers, &d)) {
        draw_layers(f);
        return;
    }
    outcome *o = calloc(1, sizeof *o);
    possible_map *before = malloc(sizeof *before);
    if (!o || !before)
        ck_abort_msg("memory is out");
    *before = *f->map;
    id_sets_items(e->sets, d.ids, &count);
    for (size_t i = 0; i < count; i++) {
        *f->map = *before;
        possible_pick(e, &d, i);
        frame_steps(f);
        e->picks.count--;
        may_be(e, o, f->map, e->options.seen && !e->weak);
    }
    *f->map = o->map;
    free(before);
    free(o);
}

/* ---- what an entry is drawn over ---- */

/* Fills the map with what may be on natural ground; false: the terrain is none. */
static bool fill_ground(engine *e, possible_map *map, uint32_t terrain)
{
    const possible_content *c = e->content;
    shares_source from = {.settings = c->settings, .tiles = c->tiles, .picks = &e->picks};
    const bool field = strcmp(id_pool_text(c->pool, terrain), "field") == 0;
    id_shares shares;
    if (!shares_of_ground(&shares, &from, terrain, field))
        return false;
    const uint32_t ground = shares_set(&shares, e->sets, e->options.coverage);
    from.furniture = true;
    shares_of_ground(&shares, &from, terrain, field);
    const uint32_t plants = shares_set(&shares, e->sets, 1);
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
               {&ids.air, "t_open_air"},
               {&ids.dirt, "t_dirt"},
               {&ids.console, "f_console"},
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

/* Fills the map with what the entries of a terrain may draw, on whichever tile, as it may have
 * been turned otherwise; false: it has none. */
static bool fill_drawn(engine *e, possible_map *map, uint32_t terrain)
{
    const mapgen_candidate *c =
        mapgen_library_first(e->content->library, MAPGEN_OM_TERRAIN, terrain);
    uint32_t terrains = 0, furniture = 0;
    possible_map *under = malloc(sizeof *under);
    frame *f = calloc(1, sizeof *f);
    if (!under || !f)
        ck_abort_msg("memory is out");
    for (; c; c = c->next)
        if (c->entry->json && e->depth < DEPTH_MAX) {
            *f = (frame){.e = e, .entry = c->entry, .width = LOCAL_SIDE, .height = LOCAL_SIDE};
            e->depth++;
            possible_draw(f, under);
            e->depth--;
            for (size_t i = 0; i < LOCAL_CELLS; i++) {
                terrains = id_sets_union(e->sets, terrains, under->terrain[i]);
                furniture = id_sets_union(e->sets, furniture, under->furniture[i]);
            }
        }
    for (size_t i = 0; i < LOCAL_CELLS && terrains; i++) {
        map->terrain[i] = terrains;
        map->furniture[i] = furniture;
    }
    free(under);
    free(f);
    return terrains != 0;
}

/* Draws the entry of a frame over what is under it. */
void possible_draw(frame *f, possible_map *out)
{
    engine *e = f->e;
    const mapgen_entry *entry = f->entry;
    possible_layers(e, &f->layers, &entry->unit);
    *out = (possible_map){0};
    const uint32_t none = id_sets_one(e->sets, ID_NONE);
    const uint32_t fill = possible_terrains(f, &entry->unit, entry->fill);
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        out->terrain[i] = fill ? fill : none;
        out->furniture[i] = none;
    }
    /* The fill is under it. */
    const uint32_t under = entry->predecessor != ID_NONE            ? entry->predecessor
                           : entry->fallback_predecessor == ID_NONE ? ID_NONE
                           : e->options.before != ID_NONE           ? e->options.before
                                                          : entry->fallback_predecessor;
    if (under != ID_NONE) {
        out->predecessor = !fill_drawn(e, out, under) && !fill_ground(e, out, under);
        memset(out->ground, 1, sizeof out->ground);
    }
    f->map = out;
    frame_steps(f);
}

void possible_make(possible_map *out, const possible_content *content, id_sets *sets,
                   const mapgen_candidate *candidate, const possible_options *options)
{
    const mapgen_entry *entry = candidate->entry;
    engine e = {.content = content, .sets = sets, .options = *options};
    e.ids = find_ids(content->pool);
    e.picks.no_parameters = options->no_parameters;
    frame *f = calloc(1, sizeof *f);
    if (!f)
        ck_abort_msg("memory is out");
    *f = (frame){.e = &e, .map = out, .entry = entry, .width = LOCAL_SIDE};
    f->height = LOCAL_SIDE;
    f->from_x = candidate->column * LOCAL_SIDE;
    f->from_y = candidate->row * LOCAL_SIDE;
    f->x = -f->from_x;
    f->y = -f->from_y;
    if (options->seen) {
        possible_pick_all(f, out);
        possible_find_unmet(f, out);
    }
    possible_draw(f, out);
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        out->terrain[i] = possible_real(&e, out->terrain[i], false, 0);
        out->furniture[i] = possible_real(&e, out->furniture[i], true, 0);
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
