/* Pieces of all kinds: what each puts on the map. */
#include "mapgen/run/run_impl.h"

static bool inside(int x, int y)
{
    return x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
}

/* An entity on one tile; what lies outside of the map is not put there. */
static local_entity *entity_at(local_entity *e, local_kind kind, int x, int y, uint32_t id)
{
    *e = (local_entity){.kind = kind, .id = id, .count = 1};
    e->x = e->x2 = (uint8_t)x;
    e->y = e->y2 = (uint8_t)y;
    return e;
}

static void add_at(run *r, local_kind kind, int x, int y, uint32_t id, uint32_t with)
{
    local_entity e;
    entity_at(&e, kind, x, y, id)->with = with;
    local_map_add(r->map, &e);
}

static void add_charges(run *r, int x, int y, uint32_t id, int32_t charges)
{
    local_entity e;
    entity_at(&e, LOCAL_ITEM, x, y, id)->charges = charges;
    local_map_add(r->map, &e);
}

/* A rectangle, as far as it lies on the map. */
static void add_rectangle(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                          run_place place, local_kind kind)
{
    enum { LAST = LOCAL_SIDE - 1 };
    run *r = f->run;
    /* A place begins in its frame, and no frame begins left of the map or above it. */
    if (place.x.low > LAST || place.y.low > LAST)
        return;
    local_entity e = {.kind = kind,
                      .id = run_value(f, unit, p->what),
                      .with = run_value(f, unit, p->with),
                      .text = p->text,
                      .count = p->flags & MAPGEN_HAS_DENSITY ? (int32_t)p->density : -1};
    e.x = (uint8_t)place.x.low;
    e.y = (uint8_t)place.y.low;
    e.x2 = (uint8_t)(place.x.high > LAST ? LAST : place.x.high);
    e.y2 = (uint8_t)(place.y.high > LAST ? LAST : place.y.high);
    local_map_add(r->map, &e);
}

/* ---- kinds with furniture or terrain of their own ---- */

static void put_sign(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y)
{
    run *r = f->run;
    local_entity e;
    const uint32_t furniture = run_value(f, unit, p->with);
    run_set_furniture(r, x, y, furniture != ID_NONE ? furniture : r->ids.sign);
    const uint32_t snippet = run_value(f, unit, p->what);
    entity_at(&e, LOCAL_SIGN, x, y, snippet)->text = run_text(r, p->text, snippet);
    local_map_add(r->map, &e);
}

/* How many of the plain machines of the game's maps stand open, in percent; what such a one had
 * in it is gone, and on so many of the nine tiles around it, one in SHARDS, its glass lies
 * (schema/mapgen.md). */
enum { VENDING_OPEN = 77, SHARDS = 4, SHARDS_MOST = 25, TILES_AROUND = 9 };

static bool holds_shards(const run *r, int x, int y)
{
    return inside(x, y) &&
           !(mapgen_terrain_tile(r->request->tiles, r->map->terrain[y * LOCAL_SIDE + x]).flags &
             MAPGEN_TILE_IMPASSABLE);
}

/* Shards that would lie in a wall lie on another of the tiles, or by the machine itself. */
static void put_shards(run *r, int x, int y)
{
    const mapgen_told nothing = MAPGEN_TOLD_NOTHING;
    mapgen_items *items = mapgen_groups_items(r->request->groups);
    if (!(mapgen_item_of(items, r->ids.glass_shard).flags & MAPGEN_ITEM_KNOWN))
        return;
    for (int i = 0; i < TILES_AROUND; i++) {
        int at = i;
        if (!rng_one_in(&r->random, SHARDS))
            continue;
        const int32_t count = rng_range(&r->random, 1, SHARDS_MOST);
        for (int tries = 0;
             tries < TILES_AROUND && !holds_shards(r, x + at % 3 - 1, y + at / 3 - 1); tries++)
            at = (int)rng_below(&r->random, TILES_AROUND);
        const bool found = holds_shards(r, x + at % 3 - 1, y + at / 3 - 1);
        run_items(r, found ? x + at % 3 - 1 : x, found ? y + at / 3 - 1 : y, r->ids.glass_shard,
                  count, &nothing);
    }
}

static void put_vending(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                        int y)
{
    run *r = f->run;
    const uint32_t group = p->what ? run_value(f, unit, p->what) : r->ids.vending_items;
    const bool reinforced = p->flags & MAPGEN_REINFORCED;
    const bool open = !reinforced && run_percent(r, VENDING_OPEN);
    const mapgen_told nothing = MAPGEN_TOLD_NOTHING;
    run_set_furniture(r, x, y,
                      reinforced ? r->ids.vending_reinforced
                      : open     ? r->ids.vending_open
                                 : r->ids.vending_closed);
    if (!open)
        run_group(r, x, y, group, &nothing);
    else if (r->request->groups)
        put_shards(r, x, y);
}

static void put_pump(run *r, const mapgen_piece *p, int x, int y)
{
    static const mapgen_range usual = {10000, 50000};
    enum { ONE_IS_DIESEL = 4 };
    const uint32_t fuel = p->text != ID_NONE                      ? p->text
                          : rng_one_in(&r->random, ONE_IS_DIESEL) ? r->ids.diesel
                                                                  : r->ids.gasoline;
    const int32_t amount = p->flags & MAPGEN_HAS_AMOUNT ? run_range(r, p->amount) : 0;
    run_set_furniture(r, x, y, r->ids.null_furniture);
    run_set_terrain(r, x, y, fuel == r->ids.diesel ? r->ids.diesel_pump : r->ids.gas_pump);
    add_charges(r, x, y, fuel, amount > 0 ? amount : run_range(r, usual));
}

static void put_computer(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                         int y)
{
    run *r = f->run;
    const mapgen_tiles *tiles = r->request->tiles;
    const uint32_t console = r->ids.console_furniture;
    local_entity e;
    /* Of 165 computers of the game's maps 165 are furniture; games without it have a terrain.
     */
    if (tiles && mapgen_furniture_tile(tiles, console).flags & MAPGEN_TILE_KNOWN) {
        run_set_furniture(r, x, y, console);
    } else {
        run_set_furniture(r, x, y, r->ids.null_furniture);
        run_set_terrain(r, x, y, r->ids.console);
    }
    entity_at(&e, LOCAL_COMPUTER, x, y, p->text)->text = run_value(f, unit, p->with);
    e.count = p->number[0]; /* its security */
    local_map_add(r->map, &e);
}

static void put_rubble(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                       int y)
{
    run *r = f->run;
    const uint32_t floor = run_value(f, unit, p->with), rubble = run_value(f, unit, p->what);
    const uint32_t here = r->map->terrain[y * LOCAL_SIDE + x];
    const bool blocked =
        mapgen_terrain_tile(r->request->tiles, here).flags & MAPGEN_TILE_IMPASSABLE;
    if (p->flags & MAPGEN_OVERWRITE || blocked)
        run_set_terrain(r, x, y, floor != ID_NONE ? floor : r->ids.dirt);
    run_set_furniture(r, x, y, rubble != ID_NONE ? rubble : r->ids.rubble);
}

/* ---- creatures, vehicles, items ---- */

static void put_monster(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                        int y)
{
    run *r = f->run;
    const bool group = p->what == 0, friendly = (p->flags & MAPGEN_FRIENDLY) != 0;
    const uint32_t id = run_value(f, unit, group ? p->with : p->what);
    const int32_t pack = run_range(r, p->amount);
    local_entity e;
    if (!run_chance(r, p) || id == r->ids.null_id || pack <= 0)
        return;
    if (group) {
        run_packs(r, x, y, id, pack, friendly, p->text);
        return;
    }
    entity_at(&e, LOCAL_MONSTER, x, y, id);
    e.text = p->text;
    e.with = run_spawn_data(r, p->data);
    e.status = friendly;
    e.count = pack;
    local_map_add(r->map, &e);
}

static void put_vehicle(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                        int y)
{
    run *r = f->run;
    local_entity e;
    if (!run_chance(r, p))
        return;
    mapgen_groups *groups = r->request->groups;
    const uint32_t id = run_value(f, unit, p->what);
    const uint32_t drawn =
        groups ? mapgen_lists_draw(mapgen_groups_lists(groups, MAPGEN_LIST_VEHICLES),
                                   &r->random, MAPGEN_LIST_VEHICLES, id)
               : ID_NONE;
    entity_at(&e, LOCAL_VEHICLE, x, y, drawn != ID_NONE ? drawn : id);
    e.count =
        p->count ? (int32_t)unit->choices[p->first + rng_below(&r->random, p->count)].value : 0;
    e.charges = p->number[0];
    e.status = p->number[1];
    local_map_add(r->map, &e);
}

/* What the piece says of its items. */
static mapgen_told told_of(const mapgen_piece *p)
{
    mapgen_told told = MAPGEN_TOLD_NOTHING;
    told.variant = p->data;
    if (p->kind == MAPGEN_ITEM)
        told.custom = p->text;
    else
        told.loading = (mapgen_loading){p->number[0], p->number[1]};
    if (p->flags & MAPGEN_HAS_CHARGES) {
        told.charges[0] = p->x2.low;
        told.charges[1] = p->x2.high;
    }
    told.damage[0] = p->y2.low;
    told.damage[1] = p->y2.high;
    return told;
}

static void put_items(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                      int y)
{
    run *r = f->run;
    const mapgen_told told = told_of(p);
    if (!run_chance(r, p))
        return;
    if (p->kind == MAPGEN_LOOT && p->what == 0)
        run_items(r, x, y, run_value(f, unit, p->with), 1, &told);
    else
        run_group(r, x, y, run_value(f, unit, p->what), &told);
}

static void put_item(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y)
{
    run *r = f->run;
    if (!run_chance(r, p))
        return;
    const uint32_t id = run_value(f, unit, p->what);
    const mapgen_told told = told_of(p);
    run_items(r, x, y, id, run_range(r, p->amount), &told);
}

static void put_liquid(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                       int y)
{
    run *r = f->run;
    if (!run_chance(r, p))
        return;
    const uint32_t id = run_value(f, unit, p->what);
    int32_t amount = run_range(r, p->amount);
    if (!(p->flags & MAPGEN_HAS_AMOUNT) || amount <= 0)
        amount = run_usual_charges(r, id);
    add_charges(r, x, y, id, amount);
}

static void put_sealed(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                       int y)
{
    const run_place tile = {{x, x}, {y, y}};
    run *r = f->run;
    if (!run_chance(r, p))
        return;
    const uint32_t furniture = run_value(f, unit, p->with);
    const size_t before = r->map->count;
    if (p->item)
        run_piece(f, unit, &unit->pieces[p->item], tile);
    if (p->items)
        run_piece(f, unit, &unit->pieces[p->items], tile);
    if (mapgen_furniture_tile(r->request->tiles, furniture).flags & MAPGEN_TILE_PLANT)
        run_one_seed(r, before);
    run_set_furniture(r, x, y, furniture);
}

static void put_text(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y)
{
    local_entity e;
    const uint32_t snippet = run_value(f, unit, p->what);
    entity_at(&e, LOCAL_GRAFFITI, x, y, snippet)->text = run_text(f->run, p->text, snippet);
    local_map_add(f->run->map, &e);
}

static void put_field(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                      int y)
{
    run *r = f->run;
    local_entity e;
    if (!run_chance(r, p))
        return;
    entity_at(&e, LOCAL_FIELD, x, y, run_value(f, unit, p->what));
    e.count = run_range(r, p->amount);
    e.charges = p->number[0];
    local_map_add(r->map, &e);
}

static void put_trap(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y)
{
    run *r = f->run;
    const uint32_t id = run_value(f, unit, p->what);
    r->map->trap[y * LOCAL_SIDE + x] = id == r->ids.null_trap ? ID_NONE : id;
}

/* What a transform makes of the tile's terrain, furniture and trap. */
static void put_transform(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                          int y)
{
    run *r = f->run;
    mapgen_groups *groups = r->request->groups;
    const size_t cell = (size_t)(y * LOCAL_SIDE + x);
    const uint32_t id = run_value(f, unit, p->what);
    if (!groups)
        return;
    const mapgen_transforms *t = mapgen_groups_transforms(groups);
    (void)run_touch(r, mapgen_transforms_size(t));
    const mapgen_tiles *tiles = r->request->tiles;
    const uint32_t furniture =
        r->map->furniture[cell] != ID_NONE ? r->map->furniture[cell] : r->ids.null_furniture;
    run_set_terrain(
        r, x, y,
        mapgen_transform(t, tiles, &r->random, id, LOCAL_LAYER_TERRAIN, r->map->terrain[cell]));
    run_set_furniture(
        r, x, y, mapgen_transform(t, tiles, &r->random, id, LOCAL_LAYER_FURNITURE, furniture));
    const uint32_t trap =
        mapgen_transform(t, tiles, &r->random, id, LOCAL_LAYER_TRAP, r->map->trap[cell]);
    if (trap != ID_NONE)
        r->map->trap[cell] = trap == r->ids.null_trap ? ID_NONE : trap;
}

/* Everything on the tile goes but creatures and zones. */
static void remove_all(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                       int y)
{
    static const uint32_t kinds = RUN_ITEMS | 1 << LOCAL_VEHICLE | 1 << LOCAL_FIELD |
                                  1 << LOCAL_SIGN | 1 << LOCAL_GRAFFITI | 1 << LOCAL_COMPUTER |
                                  1 << LOCAL_CORPSE;
    local_map *map = f->run->map;
    const size_t cell = (size_t)(y * LOCAL_SIDE + x);
    (void)unit;
    (void)p;
    map->furniture[cell] = map->trap[cell] = ID_NONE;
    run_remove(f->run, x, y, kinds);
}

/* ---- all ---- */

/* Kinds that stand on a tile of the map. */
static void put_on_tile(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x,
                        int y)
{
    static void (*const put[MAPGEN_KINDS])(run_frame *, const mapgen_unit *,
                                           const mapgen_piece *, int, int) = {
        [MAPGEN_FIELD] = put_field,         [MAPGEN_SIGN] = put_sign,
        [MAPGEN_VENDING] = put_vending,     [MAPGEN_ITEMS] = put_items,
        [MAPGEN_VEHICLE] = put_vehicle,     [MAPGEN_ITEM] = put_item,
        [MAPGEN_TRAP] = put_trap,           [MAPGEN_MONSTER] = put_monster,
        [MAPGEN_COMPUTER] = put_computer,   [MAPGEN_SEALED_ITEM] = put_sealed,
        [MAPGEN_LIQUID] = put_liquid,       [MAPGEN_GRAFFITI] = put_text,
        [MAPGEN_LOOT] = put_items,          [MAPGEN_RUBBLE] = put_rubble,
        [MAPGEN_TRANSFORM] = put_transform, [MAPGEN_REMOVE_ALL] = remove_all};
    run *r = f->run;
    if (p->kind == MAPGEN_TERRAIN)
        run_place_terrain(f, x, y, run_value(f, unit, p->what), false);
    else if (p->kind == MAPGEN_FURNITURE)
        run_set_furniture(r, x, y, run_value(f, unit, p->what));
    else if (p->kind == MAPGEN_TOILET) {
        enum { USUAL = 24 }; /* charges of water */
        const int32_t amount = p->flags & MAPGEN_HAS_AMOUNT ? run_range(r, p->amount) : 0;
        run_set_furniture(r, x, y, r->ids.toilet);
        add_charges(r, x, y, r->ids.water, amount > 0 ? amount : USUAL);
    } else if (p->kind == MAPGEN_GASPUMP)
        put_pump(r, p, x, y);
    else if (p->kind == MAPGEN_NPC || p->kind == MAPGEN_CORPSE)
        add_at(r, p->kind == MAPGEN_NPC ? LOCAL_NPC : LOCAL_CORPSE, x, y,
               run_value(f, unit, p->what), p->text);
    else if (p->kind == MAPGEN_VARIABLE)
        run_variable(r, x, y, p->text);
    else if (put[p->kind])
        put[p->kind](f, unit, p, x, y);
}

static void translate(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p)
{
    local_map *map = f->run->map;
    const uint32_t from = run_value(f, unit, p->what), to = run_value(f, unit, p->with);
    (void)run_touch(f->run, LOCAL_CELLS);
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        if (map->terrain[i] == from)
            map->terrain[i] = to;
}

static void put_monsters(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                         run_place place)
{
    run *r = f->run;
    const uint32_t density = p->flags & MAPGEN_HAS_DENSITY ? p->density : r->request->density;
    if (r->request->groups)
        run_monsters(r, place, run_value(f, unit, p->what), density);
    else
        add_rectangle(f, unit, p, place, LOCAL_MONSTER_GROUP);
}

/* Passes of items that go on while the chance holds, each somewhere in the place. */
static void put_passes(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                       run_place place)
{
    enum { ALL = 100, PASSES_MAX = 100 };
    run *r = f->run;
    const int32_t chance = run_range(r, p->chance);
    const mapgen_told told = told_of(p);
    for (int n = 0; n < PASSES_MAX && run_percent(r, chance); n++) {
        const int x = run_range(r, place.x), y = run_range(r, place.y);
        if (inside(x, y))
            run_group(r, x, y, run_value(f, unit, p->what), &told);
        if (chance >= ALL)
            break; /* one pass */
    }
}

static void run_once(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                     run_place place)
{
    run *r = f->run;
    if (p->kind == MAPGEN_MONSTERS) {
        if (run_chance(r, p))
            put_monsters(f, unit, p, place);
    } else if (p->kind == MAPGEN_ITEMS && r->request->items_geometric) {
        put_passes(f, unit, p, place);
    } else if (p->kind == MAPGEN_ZONE || p->kind == MAPGEN_OWNER) {
        add_rectangle(f, unit, p, place, p->kind == MAPGEN_ZONE ? LOCAL_ZONE : LOCAL_OWNER);
    } else if (p->kind == MAPGEN_REMOVE_VEHICLES || p->kind == MAPGEN_REMOVE_NPCS) {
        run_remove_those(f, unit, p, place);
    } else if (p->kind == MAPGEN_TRANSLATE) {
        translate(f, unit, p);
    } else {
        const int x = run_range(r, place.x), y = run_range(r, place.y);
        if (p->kind == MAPGEN_NESTED)
            run_nested(f, unit, p, x, y); /* a chunk may begin outside of the map */
        else if (inside(x, y) && !run_spares(f, x, y))
            put_on_tile(f, unit, p, x, y);
    }
}

void run_repeated(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, run_place place)
{
    run *r = f->run;
    for (int32_t n = run_range(r, p->repeat); n > 0 && run_spend(r); n--)
        run_once(f, unit, p, place);
}

void run_piece(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, run_place place)
{
    if (p->flags & MAPGEN_AT_HEIGHT)
        run_at_height(f, unit, p, place);
    else
        run_repeated(f, unit, p, place);
}
