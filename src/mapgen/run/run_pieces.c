/* Puts down pieces of mapgen of all kinds: things, such as item groups or signs, that an entry
 * puts on tiles. */
#include "core/bytes.h"
#include "mapgen/run/run_impl.h"

/* ---- texts of signs and graffiti ---- */

/* Writes what the tag at the beginning of the text stands for. Returns the tag's length; 0:
 * it is no tag. */
static size_t put_tag(run *r, bytes *out, const char *text)
{
    static const struct {
        const char *tag, *names[2]; /* the kinds of names (given, family) that replace the
                                       tag: a name of each kind is chosen at random; if there
                                       are none, the nearest city's name replaces it */
    } tags[] = {{"<full_name>", {"given", "family"}},
                {"<given_name>", {"given", NULL}},
                {"<family_name>", {"family", NULL}},
                {"<city>", {NULL, NULL}}};
    const mapgen_request *q = r->request;
    size_t i = 0;
    while (i < sizeof tags / sizeof tags[0] && !run_starts(text, tags[i].tag))
        i++;
    if (i == sizeof tags / sizeof tags[0])
        return 0;
    for (int k = 0; k < 2 && tags[i].names[k]; k++) {
        const uint32_t name = mapgen_lists_draw(q->groups, &r->random, MAPGEN_LIST_NAMES,
                                                run_id(r, tags[i].names[k]));
        bytes_put_text(out, k > 0 ? " " : "");
        bytes_put_text(out, name != ID_NONE ? id_pool_text(q->pool, name)
                                            : "a name that can't be read");
    }
    /* The nearest city is looked for only once for each map. */
    if (!tags[i].names[0] && !r->city) {
        r->city = q->city ? q->city(q->payload) : NULL;
        r->city = r->city ? r->city : "a town whose name is gone";
    }
    if (!tags[i].names[0])
        bytes_put_text(out, r->city);
    return strlen(tags[i].tag);
}

/* Returns a random text of the snippet category; if the category has no texts, the given text.
 * Tags in the text are replaced. ID_NONE: there is neither. */
static uint32_t text_of(run *r, uint32_t text, uint32_t snippet)
{
    mapgen_groups *groups = r->request->groups;
    if (!groups)
        return text;
    const uint32_t drawn = snippet != ID_NONE ? mapgen_lists_draw(groups, &r->random,
                                                                  MAPGEN_LIST_SNIPPETS, snippet)
                                              : ID_NONE;
    const uint32_t chosen = drawn != ID_NONE ? drawn : text;
    const char *from = id_pool_text(r->request->pool, chosen);
    if (!run_touch(r, strlen(from)) || !strchr(from, '<'))
        return chosen;
    bytes out;
    bytes_init(&out);
    for (size_t before = 0; *from && run_touch(r, out.size - before);) {
        before = out.size;
        const size_t length = put_tag(r, &out, from);
        if (length == 0)
            bytes_put_u8(&out, (uint8_t)*from);
        from += length > 0 ? length : 1;
    }
    const uint32_t made =
        out.failed ? ID_NONE : id_pool_put(r->request->pool, (const char *)out.data, out.size);
    r->map->failed = r->map->failed || out.failed;
    bytes_dispose(&out);
    return made;
}

/* ---- kinds of pieces ---- */

/* A piece of mapgen that is being put down. `place` is the rectangle of tiles in which its
 * things may lie. */
typedef struct placing {
    run *r;
    run_frame *f;
    const mapgen_unit *unit;
    const mapgen_piece *p;
    run_place place;
    int x, y; /* the tile on which the piece is being put, if it lies on a single tile */
} placing;

static uint32_t what_of(const placing *t)
{
    return run_value(t->f, t->unit, t->p->what);
}

static uint32_t with_of(const placing *t)
{
    return run_value(t->f, t->unit, t->p->with);
}

static size_t cell_of(const placing *t)
{
    return (size_t)(t->y * LOCAL_SIDE + t->x);
}

static void add(const placing *t, local_entity e)
{
    run_add(t->r, t->x, t->y, e);
}

static void set_furniture(const placing *t, uint32_t id)
{
    run_set_furniture(t->r, t->x, t->y, id);
}

static void add_charges(const placing *t, uint32_t item, int32_t charges)
{
    add(t, (local_entity){.kind = LOCAL_ITEM, .id = item, .count = 1, .charges = charges});
}

/* Returns the amount that the piece states, a random number from its range. `otherwise` if it
 * states none, or if the number is not above 0. */
static int32_t amount_of(const placing *t, int32_t otherwise)
{
    const int32_t amount = t->p->flags & MAPGEN_HAS_AMOUNT ? run_range(t->r, t->p->amount) : 0;
    return amount > 0 ? amount : otherwise;
}

/* ---- kinds with furniture or terrain of their own ---- */

/* Puts a sign or graffiti. */
static void put_text(const placing *t)
{
    const bool sign = t->p->kind == MAPGEN_SIGN;
    const uint32_t furniture = sign ? with_of(t) : ID_NONE;
    if (sign)
        set_furniture(t, furniture != ID_NONE ? furniture : t->r->ids.sign);
    const uint32_t snippet = what_of(t);
    add(t, (local_entity){.kind = sign ? LOCAL_SIGN : LOCAL_GRAFFITI,
                          .id = snippet,
                          .count = 1,
                          .text = text_of(t->r, t->p->text, snippet)});
}

static bool holds_shards(const run *r, int x, int y)
{
    return run_inside(x, y) &&
           !(mapgen_terrain_tile(r->request->tiles, r->map->terrain[y * LOCAL_SIDE + x]).flags &
             MAPGEN_TILE_IMPASSABLE);
}

/* Puts shards of glass around a machine. Shards that would lie in a wall go to another of the
 * nine tiles, or to the machine's own tile. */
static void put_shards(run *r, int x, int y)
{
    const mapgen_told nothing = MAPGEN_TOLD_NOTHING;
    if (!(mapgen_item_of(r->request->groups, r->ids.glass_shard).flags & MAPGEN_ITEM_KNOWN))
        return;
    for (int i = 0; i < MAPGEN_TILES_AROUND; i++) {
        int at = i;
        if (!rng_one_in(&r->random, MAPGEN_SHARDS))
            continue;
        const int32_t count = rng_range(&r->random, 1, MAPGEN_SHARDS_MOST);
        for (int tries = 0;
             tries < MAPGEN_TILES_AROUND && !holds_shards(r, x + at % 3 - 1, y + at / 3 - 1);
             tries++)
            at = (int)rng_below(&r->random, MAPGEN_TILES_AROUND);
        const bool found = holds_shards(r, x + at % 3 - 1, y + at / 3 - 1);
        run_items(r, found ? x + at % 3 - 1 : x, found ? y + at / 3 - 1 : y, r->ids.glass_shard,
                  count, &nothing);
    }
}

static void put_vending(const placing *t)
{
    run *r = t->r;
    const uint32_t group = t->p->what ? what_of(t) : r->ids.vending_items;
    const bool reinforced = t->p->flags & MAPGEN_REINFORCED;
    const bool open = !reinforced && run_percent(r, MAPGEN_VENDING_OPEN);
    const mapgen_told nothing = MAPGEN_TOLD_NOTHING;
    set_furniture(t, reinforced ? r->ids.vending_reinforced
                     : open     ? r->ids.vending_open
                                : r->ids.vending_closed);
    if (!open)
        run_group(r, t->x, t->y, group, &nothing);
    else if (r->request->groups)
        put_shards(r, t->x, t->y);
}

static void put_toilet(const placing *t)
{
    enum { USUAL = 24 }; /* rounds (charges) of water where the content states no number */
    const int32_t amount = amount_of(t, USUAL);
    set_furniture(t, t->r->ids.toilet);
    add_charges(t, t->r->ids.water, amount);
}

static void put_pump(const placing *t)
{
    enum { ONE_IS_DIESEL = 4, LEAST = 10000, MOST = 50000 };
    run *r = t->r;
    const uint32_t fuel = t->p->text != ID_NONE                   ? t->p->text
                          : rng_one_in(&r->random, ONE_IS_DIESEL) ? r->ids.diesel
                                                                  : r->ids.gasoline;
    const int32_t amount = amount_of(t, 0);
    set_furniture(t, r->ids.null_furniture);
    run_set_terrain(r, t->x, t->y,
                    fuel == r->ids.diesel ? r->ids.diesel_pump : r->ids.gas_pump);
    add_charges(t, fuel, amount > 0 ? amount : rng_range(&r->random, LEAST, MOST));
}

static void put_computer(const placing *t)
{
    run *r = t->r;
    const mapgen_tiles *tiles = r->request->tiles;
    const uint32_t console = r->ids.console_furniture;
    /* Computers are furniture, as all 165 computers are in the maps that the game made. In
     * contents that do not define that furniture, they are terrain. */
    if (tiles && mapgen_furniture_tile(tiles, console).flags & MAPGEN_TILE_KNOWN) {
        set_furniture(t, console);
    } else {
        set_furniture(t, r->ids.null_furniture);
        run_set_terrain(r, t->x, t->y, r->ids.console);
    }
    add(t, (local_entity){.kind = LOCAL_COMPUTER,
                          .id = t->p->text,
                          .text = with_of(t),
                          .count = t->p->security});
}

static void put_rubble(const placing *t)
{
    run *r = t->r;
    const uint32_t floor = with_of(t), rubble = what_of(t), here = r->map->terrain[cell_of(t)];
    const bool blocked =
        mapgen_terrain_tile(r->request->tiles, here).flags & MAPGEN_TILE_IMPASSABLE;
    if (t->p->flags & MAPGEN_OVERWRITE || blocked)
        run_set_terrain(r, t->x, t->y, floor != ID_NONE ? floor : r->ids.dirt);
    set_furniture(t, rubble != ID_NONE ? rubble : r->ids.rubble);
}

static void put_terrain(const placing *t)
{
    run_place_terrain(t->f, t->x, t->y, what_of(t), false);
}

static void put_furniture(const placing *t)
{
    set_furniture(t, what_of(t));
}

/* ---- creatures, vehicles, items ---- */

/* Puts a person or a corpse. */
static void put_body(const placing *t)
{
    const local_kind kind = t->p->kind == MAPGEN_NPC ? LOCAL_NPC : LOCAL_CORPSE;
    add(t, (local_entity){.kind = kind, .id = what_of(t), .with = t->p->text, .count = 1});
}

static void put_monster(const placing *t)
{
    run *r = t->r;
    const mapgen_piece *p = t->p;
    const bool group = p->what == 0, friendly = (p->flags & MAPGEN_FRIENDLY) != 0;
    const uint32_t id = group ? with_of(t) : what_of(t);
    const int32_t pack = run_range(r, p->amount);
    if (!run_chance(r, p) || id == r->ids.null_id || pack <= 0)
        return;
    if (group)
        run_packs(r, t->x, t->y, id, pack, friendly, p->text);
    else
        add(t, (local_entity){.kind = LOCAL_MONSTER,
                              .id = id,
                              .text = p->text,
                              .with = run_spawn_data(r, p->spawn_data),
                              .status = friendly,
                              .count = pack});
}

static void put_vehicle(const placing *t)
{
    run *r = t->r;
    const mapgen_piece *p = t->p;
    mapgen_groups *groups = r->request->groups;
    const uint32_t id = what_of(t);
    const uint32_t drawn =
        groups ? mapgen_lists_draw(groups, &r->random, MAPGEN_LIST_VEHICLES, id) : ID_NONE;
    const mapgen_choice *facings = &t->unit->choices[p->first];
    add(t, (local_entity){
               .kind = LOCAL_VEHICLE,
               .id = drawn != ID_NONE ? drawn : id,
               .count = p->count ? (int32_t)facings[rng_below(&r->random, p->count)].value : 0,
               .charges = p->fuel,
               .status = p->status});
}

/* Returns what the piece says about its items: their variant, charges, and how they are
 * loaded. */
static mapgen_told told_of(const mapgen_piece *p)
{
    mapgen_told told = MAPGEN_TOLD_NOTHING;
    told.variant = p->variant;
    told.custom = p->own_flags;
    told.loading = (mapgen_loading){p->ammo, p->magazine};
    if (p->flags & MAPGEN_HAS_CHARGES) {
        told.charges[0] = p->charges.low;
        told.charges[1] = p->charges.high;
    }
    told.damage[0] = p->damage.low;
    told.damage[1] = p->damage.high;
    return told;
}

/* Puts items of a type or group. */
static void put_items(const placing *t)
{
    const mapgen_told told = told_of(t->p);
    const bool loot = t->p->kind == MAPGEN_LOOT && t->p->what == 0;
    const uint32_t id = loot ? with_of(t) : what_of(t);
    if (loot || t->p->kind == MAPGEN_ITEM)
        run_items(t->r, t->x, t->y, id, loot ? 1 : run_range(t->r, t->p->amount), &told);
    else
        run_group(t->r, t->x, t->y, id, &told);
}

static void put_liquid(const placing *t)
{
    mapgen_groups *groups = t->r->request->groups;
    const uint32_t id = what_of(t);
    int32_t amount = run_range(t->r, t->p->amount);
    if (!(t->p->flags & MAPGEN_HAS_AMOUNT) || amount <= 0)
        amount = groups ? mapgen_item_of(groups, mapgen_item_now(groups, id)).charges : 0;
    add_charges(t, id, amount);
}

static void put_sealed(const placing *t)
{
    run *r = t->r;
    const run_place tile = {{t->x, t->x}, {t->y, t->y}};
    const uint32_t furniture = with_of(t);
    const size_t before = r->map->count;
    const bool plant =
        mapgen_furniture_tile(r->request->tiles, furniture).flags & MAPGEN_TILE_PLANT;
    r->planting = plant;
    if (t->p->item)
        run_piece(t->f, t->unit, &t->unit->pieces[t->p->item], tile);
    if (t->p->items)
        run_piece(t->f, t->unit, &t->unit->pieces[t->p->items], tile);
    r->planting = false;
    /* A plant holds one seed alone, so of what was put here only the first item stays. */
    local_map *map = r->map;
    if (plant && map->count > before && map->entities[before].kind == LOCAL_ITEM) {
        map->entities[before].count = 1;
        while (map->count > before + 1) {
            run_trace_removed(r, map->count - 1);
            map->count--;
        }
    }
    set_furniture(t, furniture);
}

static void put_field(const placing *t)
{
    const uint32_t id = what_of(t);
    add(t, (local_entity){.kind = LOCAL_FIELD,
                          .id = id,
                          .count = run_range(t->r, t->p->amount),
                          .charges = t->p->age});
}

static void put_trap(const placing *t)
{
    const uint32_t id = what_of(t);
    t->r->map->trap[cell_of(t)] = id == t->r->ids.null_trap ? ID_NONE : id;
}

/* Changes terrain, furniture and trap of the tile as a transform says. */
static void put_transform(const placing *t)
{
    run *r = t->r;
    local_map *map = r->map;
    mapgen_groups *groups = r->request->groups;
    const size_t cell = cell_of(t);
    const uint32_t id = what_of(t);
    if (!groups)
        return;
    (void)run_touch(r, mapgen_transforms_size(groups));
    uint32_t now[] = {[LOCAL_LAYER_TERRAIN] = map->terrain[cell],
                      [LOCAL_LAYER_FURNITURE] = map->furniture[cell],
                      [LOCAL_LAYER_TRAP] = map->trap[cell]};
    if (now[LOCAL_LAYER_FURNITURE] == ID_NONE)
        now[LOCAL_LAYER_FURNITURE] = r->ids.null_furniture;
    for (int i = 0; i <= LOCAL_LAYER_TRAP; i++)
        now[i] =
            mapgen_transform(groups, r->request->tiles, &r->random, id, (local_layer)i, now[i]);
    run_set_terrain(r, t->x, t->y, now[LOCAL_LAYER_TERRAIN]);
    set_furniture(t, now[LOCAL_LAYER_FURNITURE]);
    const uint32_t trap = now[LOCAL_LAYER_TRAP];
    if (trap != ID_NONE)
        map->trap[cell] = trap == r->ids.null_trap ? ID_NONE : trap;
}

/* Removes everything on the tile but creatures and zones. */
static void remove_all(const placing *t)
{
    static const uint32_t kinds = RUN_ITEMS | 1 << LOCAL_VEHICLE | 1 << LOCAL_FIELD |
                                  1 << LOCAL_SIGN | 1 << LOCAL_GRAFFITI | 1 << LOCAL_COMPUTER |
                                  1 << LOCAL_CORPSE;
    local_map *map = t->r->map;
    map->furniture[cell_of(t)] = map->trap[cell_of(t)] = ID_NONE;
    run_remove(t->r, t->x, t->y, kinds);
}

void run_variable(run *r, int x, int y, uint32_t name)
{
    run_add(
        r, x, y,
        (local_entity){.kind = LOCAL_ZONE, .id = r->ids.variable, .text = name, .count = -1});
}

static void put_variable(const placing *t)
{
    run_variable(t->r, t->x, t->y, t->p->text);
}

/* ---- all ---- */

/* The kinds that stand on a single tile, with the functions that put them. */
static const struct {
    void (*put)(const placing *t);
    /* The piece is put down only if its chance (run_chance) holds; otherwise `put` itself deals
     * with the chance. */
    bool by_chance;
} kinds_put[MAPGEN_KINDS] = {
    [MAPGEN_TERRAIN] = {put_terrain, false},   [MAPGEN_FURNITURE] = {put_furniture, false},
    [MAPGEN_FIELD] = {put_field, true},        [MAPGEN_NPC] = {put_body, false},
    [MAPGEN_SIGN] = {put_text, false},         [MAPGEN_VENDING] = {put_vending, false},
    [MAPGEN_TOILET] = {put_toilet, false},     [MAPGEN_GASPUMP] = {put_pump, false},
    [MAPGEN_ITEMS] = {put_items, true},        [MAPGEN_VEHICLE] = {put_vehicle, true},
    [MAPGEN_ITEM] = {put_items, true},         [MAPGEN_TRAP] = {put_trap, false},
    [MAPGEN_MONSTER] = {put_monster, false},   [MAPGEN_COMPUTER] = {put_computer, false},
    [MAPGEN_SEALED_ITEM] = {put_sealed, true}, [MAPGEN_LIQUID] = {put_liquid, true},
    [MAPGEN_GRAFFITI] = {put_text, false},     [MAPGEN_TRANSFORM] = {put_transform, false},
    [MAPGEN_LOOT] = {put_items, true},         [MAPGEN_RUBBLE] = {put_rubble, false},
    [MAPGEN_CORPSE] = {put_body, false},       [MAPGEN_REMOVE_ALL] = {remove_all, false},
    [MAPGEN_VARIABLE] = {put_variable, false}};

/* Puts a thing that covers a rectangle of tiles, as far as the rectangle lies on the map. */
static void add_rectangle(const placing *t, local_kind kind)
{
    enum { LAST = LOCAL_SIDE - 1 };
    const mapgen_range x = t->place.x, y = t->place.y;
    /* The rectangle can leave the map only in the east and south: it begins inside of its
     * entry or chunk, which never begins left of the map or above it. */
    if (x.low > LAST || y.low > LAST)
        return;
    local_entity e = {.kind = kind, .id = what_of(t), .text = t->p->text, .count = -1};
    e.with = with_of(t);
    if (t->p->flags & MAPGEN_HAS_DENSITY)
        e.count = (int32_t)t->p->density;
    ground_add(t->r->map, x.low, y.low, x.high > LAST ? LAST : x.high,
               y.high > LAST ? LAST : y.high, e);
}

/* Puts items from a group on a random tile of the piece's rectangle, if a random number is
 * within the piece's chance; then tries again, and so on until a random number is not. With a
 * chance of 100 percent items are put once. */
static void put_passes(const placing *t)
{
    enum { ALL = 100, PASSES_MAX = 100 };
    run *r = t->r;
    const int32_t chance = run_range(r, t->p->chance);
    const mapgen_told told = told_of(t->p);
    for (int n = 0; n < PASSES_MAX && run_percent(r, chance); n++) {
        const int x = run_range(r, t->place.x), y = run_range(r, t->place.y);
        if (run_inside(x, y))
            run_group(r, x, y, what_of(t), &told);
        if (chance >= ALL)
            break; /* a chance of 100 percent means once, not endlessly */
    }
}

/* Removes the vehicles or people that the piece names and that stand in the piece's rectangle.
 * People may be named by their class or by their own id. */
static void remove_those(const placing *t)
{
    const mapgen_piece *p = t->p;
    const mapgen_range x = t->place.x, y = t->place.y;
    const local_kind kind = p->kind == MAPGEN_REMOVE_NPCS ? LOCAL_NPC : LOCAL_VEHICLE;
    local_map *map = t->r->map;
    size_t kept = 0;
    if (!run_touch(t->r, map->count + p->count))
        return;
    for (size_t i = 0; i < map->count; i++) {
        const local_entity e = map->entities[i];
        bool named = p->count == 0;
        for (uint32_t k = 0; k < p->count && !named; k++)
            named = t->unit->choices[p->first + k].value == e.id;
        named = named && (p->text == ID_NONE || p->text == e.with);
        if (!named || e.kind != kind || e.x < x.low || e.x > x.high || e.y < y.low ||
            e.y > y.high)
            map->entities[kept++] = e;
        else
            run_trace_removed(t->r, kept);
    }
    map->count = kept;
}

/* Replaces one terrain by another on the whole map. */
static void translate(const placing *t)
{
    uint32_t *terrain = t->r->map->terrain;
    const uint32_t from = what_of(t), to = with_of(t);
    (void)run_touch(t->r, LOCAL_CELLS);
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        terrain[i] = terrain[i] == from ? to : terrain[i];
}

static void run_once(placing *t)
{
    run *r = t->r;
    const mapgen_piece *p = t->p;
    if (p->kind == MAPGEN_MONSTERS) {
        const bool any = run_chance(r, p);
        if (any && r->request->groups)
            run_monsters(r, t->place, what_of(t),
                         p->flags & MAPGEN_HAS_DENSITY ? p->density : r->request->density);
        else if (any)
            add_rectangle(t, LOCAL_MONSTER_GROUP);
    } else if (p->kind == MAPGEN_ITEMS && r->request->items_geometric) {
        put_passes(t);
    } else if (p->kind == MAPGEN_ZONE || p->kind == MAPGEN_OWNER) {
        add_rectangle(t, p->kind == MAPGEN_ZONE ? LOCAL_ZONE : LOCAL_OWNER);
    } else if (p->kind == MAPGEN_REMOVE_VEHICLES || p->kind == MAPGEN_REMOVE_NPCS) {
        remove_those(t);
    } else if (p->kind == MAPGEN_TRANSLATE) {
        translate(t);
    } else {
        t->x = run_range(r, t->place.x);
        t->y = run_range(r, t->place.y);
        if (p->kind == MAPGEN_NESTED)
            /* A chunk is also put down if it begins outside of the map, as a part of it may lie
             * on the map. */
            run_nested(t->f, t->unit, p, t->x, t->y);
        else if (run_inside(t->x, t->y) && !run_spares(t->f, t->x, t->y) &&
                 kinds_put[p->kind].put && (!kinds_put[p->kind].by_chance || run_chance(r, p)))
            kinds_put[p->kind].put(t);
    }
}

static void run_repeated(placing *t)
{
    for (int32_t n = run_range(t->r, t->p->repeat); n > 0 && run_spend(t->r); n--)
        run_once(t);
}

/* Returns the map that lies `level` levels above the map of the request; NULL when memory is
 * out. */
static local_map *map_of(run *r, int level)
{
    if (level == 0)
        return r->own;
    if (r->other && level == r->up)
        return r->other;
    if (!r->nowhere) {
        r->nowhere = malloc(sizeof *r->nowhere);
        if (r->nowhere)
            local_map_init(r->nowhere);
        r->own->failed = r->own->failed || !r->nowhere;
    }
    if (r->nowhere)
        r->nowhere->count = 0; /* what was put on this map is not needed */
    return r->nowhere;
}

/* Puts down a piece of mapgen that lies on another level than its entry. Each such piece draws
 * from a random stream of its own. So the pieces that follow on the map's own level do not
 * depend on whether the other level is made as well. */
static void run_at_height(placing *t)
{
    run *r = t->r;
    const mapgen_piece *p = t->p;
    const uint64_t key =
        hash_add(hash_add(r->request->key, hash_string("height")), r->heights++);
    rng random = rng_from_key(key);
    const int32_t up =
        p->z.low == p->z.high ? p->z.low : rng_range(&random, p->z.low, p->z.high);
    if (up > LOCAL_SIDE || up < -LOCAL_SIDE)
        return; /* no world has a level so far above or below */
    const int level = r->level + up;
    /* On a level whose map is not made only nested chunks matter, as they may have pieces for
     * the level whose map is made. */
    if (p->kind != MAPGEN_NESTED && level != r->up)
        return;
    local_map *map = map_of(r, level);
    if (!map)
        return;
    local_map *const outer_map = r->map;
    const int outer_level = r->level;
    const rng outer_random = r->random;
    r->map = map;
    r->level = level;
    r->random = random;
    if (p->kind == MAPGEN_SET)
        run_set(t->f, p);
    else
        run_repeated(t);
    r->map = outer_map;
    r->level = outer_level;
    r->random = outer_random;
}

void run_piece(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, run_place place)
{
    placing t = {f->run, f, unit, p, place, 0, 0};
    (p->flags & MAPGEN_AT_HEIGHT ? run_at_height : run_repeated)(&t);
}
