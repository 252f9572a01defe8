#include "core/array.h"
#include "mapgen/lua/script.h"
#include "mapgen/run/run_impl.h"

/* ---- layers of the map ---- */

bool run_spend(run *r)
{
    return mapgen_budget_spend(&r->budget) && !r->map->cut;
}

bool run_set_terrain(run *r, int x, int y, uint32_t id)
{
    if (!run_inside(x, y))
        return false;
    if (id != ID_NONE && id != r->ids.null_terrain)
        r->map->terrain[y * LOCAL_SIDE + x] = mapgen_terrain_now(r->request->tiles, id);
    return true;
}

void run_set_furniture(run *r, int x, int y, uint32_t id)
{
    if (run_inside(x, y) && id != ID_NONE)
        r->map->furniture[y * LOCAL_SIDE + x] =
            id == r->ids.null_furniture ? ID_NONE : mapgen_furniture_now(r->request->tiles, id);
}

void run_add(run *r, int x, int y, local_entity e)
{
    ground_add(r->map, x, y, x, y, e);
}

void run_remove(run *r, int x, int y, uint32_t kinds)
{
    local_map *map = r->map;
    size_t kept = 0;
    if (!run_touch(r, map->count))
        return;
    for (size_t i = 0; i < map->count; i++) {
        const local_entity e = map->entities[i];
        if (!(kinds >> e.kind & 1) || e.x != x || e.y != y)
            map->entities[kept++] = e;
        else
            run_trace_removed(r, kept);
    }
    map->count = kept;
}

bool run_spares(const run_frame *f, int x, int y)
{
    enum { CREATURES = 1 << LOCAL_MONSTER | 1 << LOCAL_NPC };
    const mapgen_entry *e = f->entry;
    const local_map *map = f->run->map;
    if (!run_inside(x, y))
        return false;
    if (e->avoids_creatures && !run_touch(f->run, map->count))
        return true;
    bool spared = e->skips_air && map->terrain[y * LOCAL_SIDE + x] == f->run->ids.air;
    for (size_t i = 0; e->avoids_creatures && i < map->count && !spared; i++)
        spared = CREATURES >> map->entities[i].kind & 1 && map->entities[i].x == x &&
                 map->entities[i].y == y;
    return spared;
}

void run_place_terrain(run_frame *f, int x, int y, uint32_t id, bool plain)
{
    enum { POLICY = 3 };
    run *r = f->run;
    if (id == ID_NONE || id == r->ids.null_terrain || !run_inside(x, y))
        return;
    const size_t cell = (size_t)(y * LOCAL_SIDE + x);
    /* The flags by which an entry removes things from tiles have no effect on levels below the
     * entry's own. The games do the same. */
    const uint32_t before = r->map->terrain[cell], old = r->level < 0 ? 0 : f->entry->old;
    run_set_terrain(r, x, y, id);
    const uint32_t now = r->map->terrain[cell];
    const uint16_t flags = mapgen_terrain_tile(r->request->tiles, now).flags;
    const bool wall = !plain && (flags & MAPGEN_TILE_WALL), changed = now != before;
    if (wall || (changed && (old >> MAPGEN_OLD_FURNITURE & POLICY) != MAPGEN_KEEP))
        r->map->furniture[cell] = ID_NONE;
    if (changed && (old >> MAPGEN_OLD_TRAP & POLICY) != MAPGEN_KEEP)
        r->map->trap[cell] = ID_NONE;
    if ((wall && !(flags & MAPGEN_TILE_PLACE_ITEM)) ||
        (changed && (old >> MAPGEN_OLD_ITEMS & POLICY) != MAPGEN_KEEP))
        run_remove(r, x, y, RUN_ITEMS);
}

/* ---- what characters mean in an entry that is being drawn (run_frame) ---- */

/* A piece that a character puts down, with the palette or entry that defines it. */
typedef struct symbol_piece {
    const mapgen_unit *unit;
    const mapgen_piece *piece;
    uint32_t number; /* how many pieces were found before this one */
} symbol_piece;

/* The terrain or furniture that a character means. */
typedef struct symbol_ground {
    const mapgen_unit *unit;
    uint32_t value; /* 0: none */
    /* Where the JSON text of the unit says what the character means, as an offset. */
    uint32_t place;
    bool list;
    /* The terrain or furniture that the rows put on tiles of this character. If all tiles get
     * the same id, it is looked up once and kept in `id`; ID_NONE: the rows put nothing
     * there. */
    bool drawn; /* true: the id is chosen at random anew for each tile */
    uint32_t id;
} symbol_ground;

typedef struct symbol {
    uint32_t id; /* number of the drawing's character that this struct is about */
    symbol_ground terrain, furniture;
    uint32_t first, count; /* the character's pieces: index of the first, and how many */
    bool mapped;           /* the character has pieces, or a terrain or furniture that is put on
                              tiles after the operations of `set` */
} symbol;

/* All characters of a drawing. */
typedef struct symbols {
    symbol *items;        /* owned */
    symbol_piece *pieces; /* owned */
    uint32_t count, piece_count;
    size_t piece_room;
    bool failed;
} symbols;

static void add_pieces(symbols *s, const mapgen_unit *unit, uint32_t first)
{
    for (uint32_t p = first; p && !s->failed; p = unit->pieces[p].next) {
        if (!ARRAY_ROOM(s->pieces, s->piece_room, (size_t)s->piece_count + 1)) {
            s->failed = true;
            return;
        }
        s->pieces[s->piece_count] = (symbol_piece){unit, &unit->pieces[p], s->piece_count};
        s->piece_count++;
    }
}

/* Returns the place that a piece of mapgen has in the order in which the pieces of a tile are
 * put down; one that removes everything comes first. */
static int turn_of(const mapgen_piece *p)
{
    return p->kind == MAPGEN_REMOVE_ALL ? -1 : (int)p->kind;
}

/* Compares pieces of mapgen by when they are put down on a tile (turn_of). Pieces for which
 * turn_of gives the same number keep their order. */
static int compare_pieces(const void *pa, const void *pb)
{
    const symbol_piece *a = pa, *b = pb;
    if (turn_of(a->piece) != turn_of(b->piece))
        return turn_of(a->piece) < turn_of(b->piece) ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* Finds out which terrain (or furniture) the entry's rows put on tiles with one character. */
static void find_drawn(symbol_ground *g, uint32_t null,
                       uint32_t (*now)(const mapgen_tiles *tiles, uint32_t id),
                       const mapgen_tiles *tiles)
{
    if (!g->value || g->list)
        return;
    const mapgen_value *v = &g->unit->values[g->value];
    g->drawn = v->kind != MAPGEN_LITERAL;
    g->id = g->drawn || v->id == null ? ID_NONE : now(tiles, v->id);
}

static void symbols_resolve(symbols *s, const run_frame *f)
{
    *s = (symbols){.count = f->entry->symbol_count};
    (void)run_touch(f->run, (size_t)s->count * f->layers.count);
    s->items = calloc((size_t)s->count + 1, sizeof *s->items);
    s->failed = !s->items;
    for (uint32_t i = 0; i < s->count && !s->failed; i++) {
        /* Finds what a character means. Of all palettes that state a terrain for it, the last
         * one decides, or the entry itself, if it states one. The same is true of furniture.
         * Other pieces are taken from all palettes and from the entry. */
        symbol *out = &s->items[i];
        out->first = s->piece_count;
        out->id = f->entry->symbols[i];
        for (uint32_t k = 0; k < f->layers.count; k++) {
            const mapgen_unit *unit = f->layers.units[k];
            const mapgen_meaning *m = mapgen_meaning_of(unit, f->entry->symbols[i]);
            if (m && m->terrain)
                out->terrain = (symbol_ground){
                    unit, m->terrain, m->terrain_place, m->terrain_list, false, ID_NONE};
            if (m && m->furniture)
                out->furniture = (symbol_ground){
                    unit, m->furniture, m->furniture_place, m->furniture_list, false, ID_NONE};
            add_pieces(s, unit, m ? m->pieces : 0);
        }
        out->count = s->piece_count - out->first;
        (void)run_touch(f->run, out->count);
        if (out->count > 1)
            qsort(s->pieces + out->first, out->count, sizeof *s->pieces, compare_pieces);
    }
    for (uint32_t i = 0; i < s->count && !s->failed; i++) {
        symbol *out = &s->items[i];
        const run *r = f->run;
        const mapgen_tiles *tiles = r->request->tiles;
        find_drawn(&out->terrain, r->ids.null_terrain, mapgen_terrain_now, tiles);
        find_drawn(&out->furniture, r->ids.null_furniture, mapgen_furniture_now, tiles);
        out->mapped = out->terrain.list || out->furniture.list || out->count > 0;
    }
}

/* ---- drawings ---- */

/* Calls the function `draw`, row by row, for each tile of the drawing that lies on the map. */
static void each_tile(run_frame *f, const symbols *s,
                      void (*draw)(run_frame *f, const symbols *s, const symbol *what, int x,
                                   int y))
{
    const mapgen_entry *e = f->entry;
    const bool spares = e->skips_air || e->avoids_creatures;
    const int left = f->x + f->from_x, top = f->y + f->from_y;
    const int from = left < 0 ? -left : 0;
    const int to = left + f->width > LOCAL_SIDE ? LOCAL_SIDE - left : f->width;
    for (int v = top < 0 ? -top : 0; v < f->height && top + v < LOCAL_SIDE; v++) {
        if (!run_touch(f->run, LOCAL_SIDE))
            return;
        const uint16_t *cells =
            &e->cells[(size_t)(f->from_y + v) * e->width + (size_t)f->from_x];
        for (int u = from; u < to; u++)
            if (!spares || !run_spares(f, left + u, top + v))
                draw(f, s, &s->items[cells[u]], left + u, top + v);
    }
}

/* Looks whether a part of a chunk's drawing lies outside of the map, and tells the trace if
 * so. */
static void trace_outside(const run_frame *f, const symbols *s)
{
    const mapgen_entry *e = f->entry;
    if (!f->run->request->trace || !f->by || !e->cells || f->run->map != f->run->own)
        return;
    for (size_t i = 0; i < (size_t)e->width * e->height; i++) {
        const symbol *what = &s->items[e->cells[i]];
        const bool any = what->terrain.value || what->furniture.value || what->count > 0;
        if (any && !run_inside(f->x + (int)(i % e->width), f->y + (int)(i / e->width))) {
            run_trace_cut(f);
            return;
        }
    }
}

static uint32_t ground_value(run_frame *f, const symbol_ground *g)
{
    return run_value(f, g->unit, g->value);
}

static void trace_ground(const run_frame *f, const symbol *what, bool terrain)
{
    const symbol_ground *g = terrain ? &what->terrain : &what->furniture;
    run_trace_end(f, (run_by){g->unit, terrain ? "terrain" : "furniture", what->id, g->place});
}

static void draw_plain(run_frame *f, const symbols *s, const symbol *what, int x, int y)
{
    run *r = f->run;
    const size_t cell = (size_t)(y * LOCAL_SIDE + x);
    (void)s;
    if (what->terrain.drawn)
        run_place_terrain(f, x, y, ground_value(f, &what->terrain), true);
    else if (what->terrain.id != ID_NONE && f->entry->old == 0)
        r->map->terrain[cell] = what->terrain.id;
    else
        run_place_terrain(f, x, y, what->terrain.id, true);
    if (r->request->trace)
        trace_ground(f, what, true);
    if (what->furniture.drawn) {
        const uint32_t id = ground_value(f, &what->furniture);
        /* The id "f_null" in rows means that furniture which is there already stays. */
        if (id != r->ids.null_furniture)
            run_set_furniture(r, x, y, id);
    } else if (what->furniture.id != ID_NONE) {
        r->map->furniture[cell] = what->furniture.id;
    }
    if (r->request->trace)
        trace_ground(f, what, false);
}

static void draw_mapped(run_frame *f, const symbols *s, const symbol *what, int x, int y)
{
    const run_place tile = {{x, x}, {y, y}};
    if (!what->mapped)
        return;
    if (what->terrain.list)
        run_place_terrain(f, x, y, ground_value(f, &what->terrain), false);
    if (f->run->request->trace)
        trace_ground(f, what, true);
    if (what->furniture.list)
        run_set_furniture(f->run, x, y, ground_value(f, &what->furniture));
    if (f->run->request->trace)
        trace_ground(f, what, false);
    for (uint32_t i = 0; s->pieces && i < what->count && run_spend(f->run); i++) {
        const symbol_piece *p = &s->pieces[what->first + i];
        run_piece(f, p->unit, p->piece, tile);
        run_trace_piece(f, p->unit, p->piece, what->id);
    }
}

/* Puts down those pieces of a list (things with coordinates) that lie in the part of the
 * drawing that is put on this map. */
static void run_list(run_frame *f, mapgen_list list)
{
    for (uint32_t i = 0; i < list.count && run_touch(f->run, 1); i++) {
        const mapgen_piece *p = &f->entry->unit.pieces[list.items[i]];
        const bool here = p->x.low >= f->from_x && p->x.low < f->from_x + f->width &&
                          p->y.low >= f->from_y && p->y.low < f->from_y + f->height;
        const run_place place = {{p->x.low + f->x, p->x.high + f->x},
                                 {p->y.low + f->y, p->y.high + f->y}};
        if (here)
            run_piece(f, &f->entry->unit, p, place);
        run_trace_piece(f, &f->entry->unit, p, ID_NONE);
    }
}

/* Carries out the steps of an entry in the order that schema/mapgen.md gives. */
static void run_frame_steps(run_frame *f)
{
    const mapgen_entry *e = f->entry;
    run_frame *const outer = f->run->frame;
    symbols s;
    f->run->frame = f;
    run_layers(f);
    run_trace_begin(f->run);
    symbols_resolve(&s, f);
    f->run->map->failed = f->run->map->failed || s.failed;
    if (!s.failed)
        trace_outside(f, &s);
    if (e->cells && !s.failed)
        each_tile(f, &s, draw_plain);
    for (uint32_t i = 0; i < e->set.count && run_touch(f->run, 1); i++) {
        const mapgen_piece *p = &e->unit.pieces[e->set.items[i]];
        if (p->flags & MAPGEN_AT_HEIGHT)
            run_piece(f, &e->unit, p, (run_place){{0, 0}, {0, 0}});
        else
            run_set(f, p);
        run_trace_piece(f, &e->unit, p, ID_NONE);
    }
    run_list(f, e->groups);
    run_list(f, e->add);
    run_script(f);
    run_trace_code(f->run, MAPGEN_BY_SCRIPT);
    if (e->cells && !s.failed)
        each_tile(f, &s, draw_mapped);
    run_list(f, e->placed);
    free(s.items);
    free(s.pieces);
    f->run->frame = outer;
}

void run_chunk(run *r, const mapgen_entry *entry, uint32_t key, int x, int y)
{
    /* The values of a nested chunk's parameters are chosen at random by a key made of the
     * chunk's place and of how deep it is nested. */
    const uint64_t place = (uint64_t)(uint32_t)x << 32 | (uint32_t)y;
    run_frame f = {.run = r,
                   .entry = entry,
                   .outer = r->frame,
                   .nest_key = hash_add(hash_add(r->request->key, place), (uint64_t)r->depth),
                   .key = key,
                   .by = r->by,
                   .by_place = r->by_place,
                   .way = (r->frame ? r->frame->way : 1) *
                          (r->request->trace ? r->request->trace->chance : 1),
                   .x = x,
                   .y = y,
                   .width = entry->width,
                   .height = entry->height};
    run_frame_steps(&f);
}

/* ---- entries ---- */

static void note_drawn(uint32_t *out, uint32_t number)
{
    if (out)
        *out = number;
}

const mapgen_candidate *run_candidate(run *r, mapgen_role role, uint32_t key)
{
    mapgen_library *library = r->request->library;
    uint64_t sum = 0;
    uint32_t at = 0;
    const mapgen_candidate *first = mapgen_library_first(library, role, key), *c;
    for (c = first; c && run_touch(r, 2); c = c->next)
        sum += mapgen_weight(c->entry);
    const uint32_t number = r->chosen ? 0 : r->request->entry;
    uint32_t *const drawn = r->chosen ? NULL : r->request->drawn;
    r->chosen = true;
    for (c = first; number > 0 && c; c = c->next)
        if (++at == number)
            break;
    if (number > 0) {
        note_drawn(drawn, c ? number : 0);
        return c;
    }
    if (sum == 0)
        return NULL;
    uint64_t wanted =
        sum <= UINT32_MAX ? rng_below(&r->random, sum) : rng_next(&r->random) % sum;
    for (c = first; c; c = c->next) {
        const uint64_t weight = mapgen_weight(c->entry);
        at++;
        if (wanted < weight) {
            note_drawn(drawn, at);
            run_trace_chance(r, (double)weight / (double)sum);
            return c;
        }
        wanted -= weight;
    }
    return NULL;
}

static void fill_whole(run *r, uint32_t terrain)
{
    const uint32_t now = mapgen_terrain_now(r->request->tiles, terrain);
    for (int i = 0; i < LOCAL_CELLS; i++)
        r->map->terrain[i] = now;
}

void mapgen_find_ids(mapgen_ids *out, id_pool *pool)
{
    const struct {
        uint32_t *id;
        const char *text;
    } all[] = {{&out->null_terrain, "t_null"},
               {&out->null_furniture, "f_null"},
               {&out->null_trap, "tr_null"},
               {&out->null_id, "null"},
               {&out->sign, "f_sign"},
               {&out->toilet, "f_toilet"},
               {&out->water, "water"},
               {&out->console, "t_console"},
               {&out->console_furniture, "f_console"},
               {&out->rubble, "f_rubble"},
               {&out->dirt, "t_dirt"},
               {&out->vending_open, "f_vending_o"},
               {&out->vending_closed, "f_vending_c"},
               {&out->vending_reinforced, "f_vending_reinforced"},
               {&out->vending_items, "vending_food"},
               {&out->glass_shard, "glass_shard"},
               {&out->gas_pump, "t_gas_pump"},
               {&out->diesel_pump, "t_diesel_pump"},
               {&out->gasoline, "gasoline"},
               {&out->diesel, "diesel"},
               {&out->air, "t_open_air"},
               {&out->variable, "variable"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        *all[i].id = id_pool_put(pool, all[i].text, strlen(all[i].text));
}

static void rotate_both(run *r, int turns)
{
    local_map_rotate(r->map, turns);
    if (r->other)
        local_map_rotate(r->other, turns);
}

/* Runs an entry of a terrain. The map is rotated by `turns` quarter turns after the entry's
 * own rotation. */
static void run_block(run *r, const mapgen_candidate *c, uint32_t terrain, uint64_t key,
                      int turns)
{
    const mapgen_entry *e = c->entry;
    run_frame f = {.run = r,
                   .entry = e,
                   .nest_key = key,
                   .key = terrain,
                   .way = r->request->trace ? r->request->trace->chance : 1,
                   .width = LOCAL_SIDE,
                   .height = LOCAL_SIDE,
                   .from_x = c->column * LOCAL_SIDE,
                   .from_y = c->row * LOCAL_SIDE};
    f.x = -f.from_x;
    f.y = -f.from_y;
    f.layers = (mapgen_layers){.units = {&e->unit}, .count = 1};
    const int own = run_range(r, e->rotation) % 4;
    turns = (own + 4) % 4 + (e->unrotated ? 0 : turns);
    run_trace_turn(r, turns);
    run_trace_begin(r);
    if (!f.entry->json)
        mapgen_fill_fallback(r->map, r->request->pool, r->request->z);
    const uint32_t id = run_value(&f, &f.entry->unit, f.entry->fill);
    if (id != ID_NONE && id != r->ids.null_terrain)
        fill_whole(r, id);
    run_trace_end(&f, (run_by){&e->unit, "fill_ter", ID_NONE, e->fill_place});
    run_predecessor(r, e, turns);
    /* The map of the present level is rotated only after it was drawn. But r->other, the map of
     * another level for which things are wanted, was rotated already. So it is rotated back
     * here, and again after the drawing. */
    if (r->other)
        local_map_rotate(r->other, (4 - turns % 4) % 4);
    run_frame_steps(&f);
    run_resolve(r);
    run_trace_code(r, MAPGEN_BY_REGION);
    rotate_both(r, turns);
    run_trace_turn(r, -turns);
}

bool run_terrain(run *r, uint32_t terrain, int turns)
{
    const mapgen_request *q = r->request;
    const uint32_t uniform = mapgen_library_uniform(q->library, terrain);
    if (uniform != ID_NONE) {
        fill_whole(r, uniform);
        run_trace_code(r, MAPGEN_BY_GROUND);
        return true;
    }
    run_trace_begin(r);
    const mapgen_candidate *c = run_candidate(r, MAPGEN_OM_TERRAIN, terrain);
    if (c) {
        const uint64_t key =
            terrain == q->terrain
                ? q->key
                : hash_add(q->key, hash_string(id_pool_text(q->pool, terrain)));
        const int outer = r->turns;
        r->turns = turns;
        run_block(r, c, terrain, key, turns);
        r->turns = outer;
    }
    return c != NULL;
}

static run begin_run(local_map *map, const mapgen_request *request)
{
    run r = {.map = map,
             .own = map,
             .request = request,
             .random = rng_from_key(request->key),
             .budget = mapgen_budget_of(request->stop),
             .turns = request->turns,
             .before = run_before_count(request),
             .steps = SCRIPT_STEPS};
    if (request->ids)
        r.ids = *request->ids;
    else
        mapgen_find_ids(&r.ids, request->pool);
    return r;
}

/* Ends a run and returns its outcome. */
static mapgen_outcome end_run(run *r, mapgen_outcome outcome)
{
    mapgen_draft_dispose(&r->draft);
    r->own->cut = r->own->cut || r->budget.over;
    if (r->nowhere) {
        r->own->failed = r->own->failed || r->nowhere->failed;
        local_map_dispose(r->nowhere);
        free(r->nowhere);
    }
    if (r->failed && !r->map->failed)
        run_keep_remarks(r);
    return r->map->failed || id_pool_failed(r->request->pool) ? MAPGEN_NO_MEMORY
           : r->budget.stopped                                ? MAPGEN_STOPPED
           : r->left_out                                      ? MAPGEN_LEFT_OUT
           : r->failed                                        ? MAPGEN_FAILED
                                                              : outcome;
}

/* Carries out an update on the map; false: there is no entry of this key. */
static bool run_update(run *r, uint32_t update)
{
    run_trace_begin(r);
    const mapgen_candidate *c = run_candidate(r, MAPGEN_UPDATE, update);
    if (!c)
        return false;
    const int turns = c->entry->unrotated ? 0 : r->request->turns;
    rotate_both(r, 4 - (turns & 3));
    run_trace_turn(r, turns);
    run_chunk(r, c->entry, update, 0, 0);
    run_resolve(r);
    run_trace_code(r, MAPGEN_BY_REGION);
    rotate_both(r, turns);
    run_trace_turn(r, -turns);
    return true;
}

mapgen_outcome mapgen_update(local_map *map, const mapgen_request *request, uint32_t update)
{
    run r = begin_run(map, request);
    const bool made = run_update(&r, update);
    return end_run(&r, made ? MAPGEN_MADE : MAPGEN_NO_ENTRY);
}

mapgen_outcome mapgen_draw_chunk(local_map *map, const mapgen_request *request, uint32_t chunk)
{
    run r = begin_run(map, request);
    run_trace_begin(&r);
    const mapgen_candidate *c = run_candidate(&r, MAPGEN_CHUNK, chunk);
    if (c) {
        rotate_both(&r, 4 - (r.turns & 3));
        run_trace_turn(&r, r.turns);
        run_chunk(&r, c->entry, chunk, (LOCAL_SIDE - c->entry->width) / 2,
                  (LOCAL_SIDE - c->entry->height) / 2);
        run_resolve(&r);
        run_trace_code(&r, MAPGEN_BY_REGION);
        rotate_both(&r, r.turns);
        run_trace_turn(&r, -r.turns);
    }
    return end_run(&r, c ? MAPGEN_MADE : MAPGEN_NO_ENTRY);
}

/* Adds to `map` what an update puts on the level that lies `up` levels above the updated map
 * `own`. If `update` is NULL, this is what the entries of the terrain put there. */
static mapgen_outcome run_above(local_map *map, local_map *own, const mapgen_request *request,
                                const uint32_t *update, int up)
{
    run r = begin_run(own, request);
    r.other = map;
    r.up = up;
    const bool made =
        update ? run_update(&r, *update) : run_terrain(&r, request->terrain, request->turns);
    const mapgen_outcome outcome = end_run(&r, made ? MAPGEN_MADE : MAPGEN_NO_ENTRY);
    map->failed = map->failed || own->failed;
    map->cut = map->cut || own->cut;
    return outcome;
}

mapgen_outcome mapgen_update_above(local_map *map, local_map *own,
                                   const mapgen_request *request, uint32_t update, int up)
{
    return run_above(map, own, request, &update, up);
}

mapgen_outcome mapgen_run_above(local_map *map, const mapgen_request *request, int up)
{
    local_map *own = malloc(sizeof *own);
    if (!own)
        return MAPGEN_NO_MEMORY;
    local_map_init(own);
    const mapgen_outcome outcome = run_above(map, own, request, NULL, up);
    local_map_dispose(own);
    free(own);
    return outcome;
}

mapgen_outcome mapgen_run(local_map *map, const mapgen_request *request)
{
    run r = begin_run(map, request);
    mapgen_outcome outcome = MAPGEN_MADE;
    if (!run_terrain(&r, request->terrain, request->turns))
        outcome = request->site && run_ground(&r, request->site->around[GROUND_MIDDLE].type)
                      ? MAPGEN_GROUND
                      : MAPGEN_NO_ENTRY;
    run_trace_code(&r, MAPGEN_BY_GROUND);
    if (mapgen_library_uniform(request->library, request->terrain) == ID_NONE)
        run_after(&r);
    return end_run(&r, outcome);
}

mapgen_outcome mapgen_process_map(local_map *map, const mapgen_request *request,
                                  const uint32_t *generators, size_t count)
{
    mapgen_request alone = *request;
    alone.before = NULL;
    run r = begin_run(map, &alone);
    r.random = rng_from_key(hash_add(request->key, hash_string("processes")));
    for (size_t i = 0; i < count; i++)
        run_process(&r, generators[i]);
    run_trace_code(&r, MAPGEN_BY_RIOTS);
    return end_run(&r, MAPGEN_MADE);
}
