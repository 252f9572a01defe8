/*
 * Post-process generators: damage to the finished map of a building or street by riots and
 * fires. The numbers and rules are those of the games; schema/mapgen.md, "Riots", has them and
 * says what the games do besides.
 */
#include "mapgen/run/run_impl.h"

enum { LAST = LOCAL_SIDE - 1, SIDES = 4, PERCENT = 100 };

/* The cataclysm came so many days before worlds begin. */
enum { DAYS_BEFORE = 5, DAY = 86400 };

/* Flags of terrain and furniture on which damage depends. */
typedef enum tile_flag {
    INDOORS,
    WALL,
    DOOR,
    WINDOW,
    NATURAL_UNDERGROUND,
    GOES_UP,
    GOES_DOWN,
    FLAMMABLE,
    FLAMMABLE_ASH,
    FLAMMABLE_HARD,
    DIGGABLE,
    SWIMMABLE,
    LIQUID,
    SEALED,
    CONTAINER,
    PLANT,
    NOITEM,
    DESTROY_ITEM,
    NO_FLOOR,
    BLOCKSDOOR,
    TILE_FLAGS
} tile_flag;

static const char *const flag_names[TILE_FLAGS] = {
    "INDOORS",  "WALL",      "DOOR",         "WINDOW",        "NATURAL_UNDERGROUND",
    "GOES_UP",  "GOES_DOWN", "FLAMMABLE",    "FLAMMABLE_ASH", "FLAMMABLE_HARD",
    "DIGGABLE", "SWIMMABLE", "LIQUID",       "SEALED",        "CONTAINER",
    "PLANT",    "NOITEM",    "DESTROY_ITEM", "NO_FLOOR",      "BLOCKSDOOR"};

/* A map that is being damaged. */
typedef struct damage {
    run *r;
    const mapgen_process *part; /* the part of the generator that is being carried out */
    int64_t days;               /* days since the cataclysm */
    uint32_t flags[TILE_FLAGS]; /* number in the id_pool of each flag's name */
    uint32_t blood, fire;
    /* For each tile: how much stronger a blow counts because of earlier blows, which did not
     * break what stands there. */
    int32_t dents[LOCAL_CELLS];
} damage;

/* ---- tiles ---- */

static size_t cell_of(int x, int y)
{
    return (size_t)(y * LOCAL_SIDE + x);
}

/* Has the terrain of the tile the flag? */
static bool ground_has(const damage *d, size_t cell, tile_flag flag)
{
    return mapgen_tile_has(d->r->request->tiles, false, d->r->map->terrain[cell],
                           d->flags[flag]);
}

/* Has the furniture of the tile the flag? */
static bool furniture_has(const damage *d, size_t cell, tile_flag flag)
{
    const uint32_t id = d->r->map->furniture[cell];
    return id != ID_NONE && mapgen_tile_has(d->r->request->tiles, true, id, d->flags[flag]);
}

static bool tile_has(const damage *d, size_t cell, tile_flag flag)
{
    return ground_has(d, cell, flag) || furniture_has(d, cell, flag);
}

typedef bool flag_test(const damage *d, size_t cell, tile_flag flag);

static bool is_flammable(const damage *d, size_t cell, flag_test *has)
{
    return has(d, cell, FLAMMABLE) || has(d, cell, FLAMMABLE_ASH) ||
           has(d, cell, FLAMMABLE_HARD);
}

/* Does a seed grow on the tile? Riots and fires leave it there. */
static bool is_planted(const damage *d, size_t cell)
{
    return tile_has(d, cell, SEALED) && tile_has(d, cell, CONTAINER) &&
           tile_has(d, cell, PLANT);
}

/* Draws whether something happens whose chance is given in parts of `whole`. */
static bool happens(const damage *d, int64_t chance, int32_t whole)
{
    return (int64_t)rng_below(&d->r->random, (uint64_t)whole) < chance;
}

/* Draws a tile; false: it is natural rock, which riots leave alone. */
static bool draw_tile(const damage *d, int *x, int *y)
{
    const uint32_t cell = rng_below(&d->r->random, LOCAL_CELLS);
    *x = (int)(cell % LOCAL_SIDE);
    *y = (int)(cell / LOCAL_SIDE);
    return !ground_has(d, cell, NATURAL_UNDERGROUND);
}

/* Puts a field on the tile. If it is there already, the greater intensity counts. */
static void add_field(const damage *d, int x, int y, uint32_t id, int32_t intensity)
{
    local_map *map = d->r->map;
    if (id == ID_NONE || !run_inside(x, y) || !run_touch(d->r, map->count) ||
        ground_has(d, cell_of(x, y), NO_FLOOR))
        return;
    for (size_t i = 0; i < map->count; i++) {
        local_entity *e = &map->entities[i];
        if (e->kind != LOCAL_FIELD || e->x != x || e->y != y || e->id != id)
            continue;
        if (e->count < intensity)
            run_trace_grown(d->r, i);
        e->count = e->count > intensity ? e->count : intensity;
        return;
    }
    run_add(d->r, x, y, (local_entity){.kind = LOCAL_FIELD, .id = id, .count = intensity});
}

/* Replaces furniture; what is written on it, or shown by it, goes with it. */
static void set_furniture(const damage *d, int x, int y, uint32_t id)
{
    run_set_furniture(d->r, x, y, id != ID_NONE ? id : d->r->ids.null_furniture);
    run_remove(d->r, x, y, 1 << LOCAL_SIGN | 1 << LOCAL_COMPUTER);
}

/* ---- blows ---- */

static bool beside_blocking(const damage *d, int x, int y)
{
    bool found = false;
    for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++)
            found = found || (run_inside(u, v) && (u != x || v != y) &&
                              furniture_has(d, cell_of(u, v), BLOCKSDOOR));
    return found;
}

/* Does a blow break what stands on the tile? A blow that does not break it, but is strong
 * enough to have an effect, makes later blows stronger. */
static bool breaks(damage *d, const mapgen_bash *b, int x, int y, int32_t strength)
{
    int32_t least = b->least, most = b->most;
    int32_t *dent = &d->dents[cell_of(x, y)];
    if ((b->least_blocked != -1 || b->most_blocked != -1) && beside_blocking(d, x, y)) {
        least = b->least_blocked != -1 ? b->least_blocked : least;
        most = b->most_blocked != -1 ? b->most_blocked : most;
    }
    const bool broken = strength + *dent >= most;
    if (broken)
        *dent = 0;
    else if (strength >= least) {
        const int32_t more = rng_range(&d->r->random, 0, strength - least);
        *dent += more > 1 ? more : 1;
    }
    return broken;
}

/* Replaces a terrain that broke by what remains of it. If nothing remains, it leaves open air
 * above the ground, and dirt on the ground and below. */
static void break_terrain(const damage *d, int x, int y, const mapgen_tile *tile)
{
    run *r = d->r;
    const bool nothing = tile->bashed == ID_NONE || tile->bashed == r->ids.null_terrain;
    run_set_terrain(r, x, y,
                    !nothing            ? tile->bashed
                    : r->request->z > 0 ? r->ids.air
                                        : r->ids.dirt);
}

/* Strikes a tile: its furniture, or else its terrain, may break. */
static void strike(damage *d, int x, int y, int32_t strength)
{
    run *r = d->r;
    const mapgen_tiles *tiles = r->request->tiles;
    const size_t cell = cell_of(x, y);
    mapgen_tile tile = mapgen_furniture_tile(tiles, r->map->furniture[cell]);
    mapgen_bash b = mapgen_tile_bash(tiles, tile);
    const bool furniture = r->map->furniture[cell] != ID_NONE && b.most != -1;
    const mapgen_told nothing = MAPGEN_TOLD_NOTHING;
    if (!furniture) {
        tile = mapgen_terrain_tile(tiles, r->map->terrain[cell]);
        b = mapgen_tile_bash(tiles, tile);
    }
    if (b.most == -1 || (!furniture && b.below))
        return;
    if (!breaks(d, &b, x, y, strength)) {
        add_field(d, x, y, b.hit, b.hit_strength);
        return;
    }
    add_field(d, x, y, b.broken, b.broken_strength);
    if (tile_has(d, cell, PLANT))
        run_remove(r, x, y, RUN_ITEMS);
    if (furniture)
        set_furniture(d, x, y, tile.bashed);
    else
        break_terrain(d, x, y, &tile);
    run_group(r, x, y, b.items, &nothing);
}

static void bash(damage *d)
{
    for (int32_t i = 0; i < d->part->attempts && run_spend(d->r); i++) {
        int x, y;
        if (happens(d, d->part->chance, PERCENT) && draw_tile(d, &x, &y))
            strike(d, x, y, rng_range(&d->r->random, d->part->low, d->part->high));
    }
}

/* ---- items that are thrown about ---- */

/* Returns how many elements of the map's list of things an item and all items in it take. */
static size_t size_of(const local_map *map, size_t first)
{
    size_t size = 1;
    while (first + size < map->count && map->entities[first + size].kind == LOCAL_ITEM &&
           map->entities[first + size].status > map->entities[first].status)
        size++;
    return size;
}

/* Draws the tile to which the damage throws an item; false: the item stays, because nothing can
 * lie on the drawn tile. */
static bool draw_landing(const damage *d, int *x, int *y)
{
    const int32_t reach = d->part->high;
    *x += rng_range(&d->r->random, -reach, reach);
    *y += rng_range(&d->r->random, -reach, reach);
    return run_inside(*x, *y) && !tile_has(d, cell_of(*x, *y), DESTROY_ITEM) &&
           !tile_has(d, cell_of(*x, *y), NOITEM) && !ground_has(d, cell_of(*x, *y), NO_FLOOR);
}

/* Puts one of the items of an entity on another tile, with all that is in it. */
static void throw_item(const damage *d, size_t first, size_t size, int x, int y)
{
    for (size_t i = 0; i < size; i++) {
        /* The entity is copied first, as run_add may move the array of entities. */
        local_entity e = d->r->map->entities[first + i];
        e.count = i == 0 ? 1 : e.count;
        run_add(d->r, x, y, e);
    }
    d->r->map->entities[first].count--;
}

/* Draws for each item on the tile whether it is thrown. Items that land are not thrown again.
 */
static void throw_from(const damage *d, int x, int y)
{
    local_map *map = d->r->map;
    size_t before = map->count;
    for (size_t i = 0; i < before && run_touch(d->r, 1);) {
        const local_entity *e = &map->entities[i];
        if (e->kind != LOCAL_ITEM || e->x != x || e->y != y) {
            i++;
            continue;
        }
        const size_t size = size_of(map, i);
        for (int32_t n = e->count > 0 ? e->count : 1; n > 0 && run_spend(d->r); n--) {
            int to_x = x, to_y = y;
            if (happens(d, d->part->chance, PERCENT) && draw_landing(d, &to_x, &to_y))
                throw_item(d, i, size, to_x, to_y);
        }
        const bool gone = map->entities[i].count <= 0;
        for (size_t k = 0; gone && k < size; k++) {
            run_trace_removed(d->r, i);
            local_map_remove(map, i);
        }
        before -= gone ? size : 0;
        i += gone ? 0 : size;
    }
}

static void move_items(damage *d)
{
    const local_map *map = d->r->map;
    for (int32_t i = 0; i < d->part->attempts && run_spend(d->r); i++) {
        int x, y;
        bool any = false;
        if (!draw_tile(d, &x, &y) || is_planted(d, cell_of(x, y)))
            continue;
        for (size_t k = 0; k < map->count && !any; k++)
            any = map->entities[k].kind == LOCAL_ITEM && map->entities[k].x == x &&
                  map->entities[k].y == y;
        if (any && run_touch(d->r, map->count))
            throw_from(d, x, y);
    }
}

/* ---- fires ---- */

static void add_fires(damage *d)
{
    /* During so many days after the cataclysm things burn that are not flammable, too. */
    enum { EARLY = 3 };
    const int64_t chance = d->part->last_day - d->days;
    for (int32_t i = 0; i < d->part->attempts && run_spend(d->r); i++) {
        int x, y;
        if (happens(d, chance, PERCENT) && draw_tile(d, &x, &y) &&
            (d->days < EARLY || is_flammable(d, cell_of(x, y), tile_has)))
            add_field(d, x, y, d->fire, rng_range(&d->r->random, d->part->low, d->part->high));
    }
}

/* Burns the terrain of a tile: walls and floors become burnt ones, and on the ground the rest
 * becomes dirt. */
static void burn_terrain(const damage *d, int x, int y)
{
    run *r = d->r;
    const size_t cell = cell_of(x, y);
    const bool burns = d->part->all || is_flammable(d, cell, ground_has);
    if (ground_has(d, cell, WALL)) {
        if (burns)
            run_set_terrain(r, x, y, run_id(r, "t_wall_burnt"));
    } else if (ground_has(d, cell, INDOORS) || ground_has(d, cell, DOOR)) {
        if (burns)
            run_set_terrain(r, x, y, run_id(r, "t_floor_burnt"));
    } else if (r->request->z == 0 && (burns || ground_has(d, cell, DIGGABLE))) {
        run_set_terrain(r, x, y, r->ids.dirt);
    }
}

/* Burns a tile and what is on it. Stairs and natural rock do not burn. */
static void burn_tile(const damage *d, int x, int y)
{
    const size_t cell = cell_of(x, y);
    if (ground_has(d, cell, NATURAL_UNDERGROUND) || ground_has(d, cell, GOES_DOWN) ||
        ground_has(d, cell, GOES_UP))
        return;
    burn_terrain(d, x, y);
    if (d->r->map->furniture[cell] != ID_NONE &&
        (d->part->all || is_flammable(d, cell, furniture_has)))
        set_furniture(d, x, y, ID_NONE);
    const bool wet =
        !d->part->all && (ground_has(d, cell, SWIMMABLE) || ground_has(d, cell, LIQUID));
    if (!wet && !is_planted(d, cell))
        run_remove(d->r, x, y, RUN_ITEMS);
}

/* Returns the chance, in percent, that a fire has burnt the map: it grows from the first day to
 * the last one. */
static int64_t burn_chance(const mapgen_process *p, int64_t days)
{
    if (days < p->first_day)
        return 0;
    if (days >= p->last_day)
        return p->high;
    return (p->low * (p->last_day - days) + p->high * (days - p->first_day)) /
           (p->last_day - p->first_day);
}

static void burn(damage *d)
{
    const mapgen_request *q = d->r->request;
    bool burnt = false;
    if (d->part->special && q->special_key != q->stack_key) {
        /* All maps of a special burn together, whenever they are made, so the day on which the
         * world begins counts for all of them. */
        rng random = rng_from_key(hash_add(q->special_key, hash_string("pre_burn")));
        burnt = d->part->attempts > 0 &&
                (int64_t)rng_below(&random, PERCENT) < burn_chance(d->part, DAYS_BEFORE);
    } else {
        for (int32_t i = 0; i < d->part->attempts && run_spend(d->r); i++)
            burnt = happens(d, burn_chance(d->part, d->days), PERCENT) || burnt;
    }
    for (int cell = 0; burnt && cell < LOCAL_CELLS; cell++)
        burn_tile(d, cell % LOCAL_SIDE, cell / LOCAL_SIDE);
}

/* ---- blood ---- */

/* Steps to the north, south, east and west. */
static const int steps[SIDES][2] = {{0, -1}, {0, 1}, {1, 0}, {-1, 0}};

/* May there be blood on a tile? Blood on walls keeps to walls, other blood to tiles without
 * walls, windows, closed doors and furniture. In the open, rain has washed blood away: the more
 * days have passed, the more. Tiles outside of the map count as open. */
static bool takes_blood(const damage *d, int x, int y, bool on_walls)
{
    enum { WASHED = 30 };
    const bool inside = run_inside(x, y);
    const size_t cell = inside ? cell_of(x, y) : 0;
    if (on_walls)
        return inside && ground_has(d, cell, WALL) && !ground_has(d, cell, NATURAL_UNDERGROUND);
    if (!(inside && ground_has(d, cell, INDOORS)) && happens(d, d->days, WASHED))
        return false;
    return !inside || !(ground_has(d, cell, WALL) || ground_has(d, cell, WINDOW) ||
                        ground_has(d, cell, DOOR) || d->r->map->furniture[cell] != ID_NONE);
}

static void bleed(const damage *d, int x, int y)
{
    enum { MOST = 3 };
    add_field(d, x, y, d->blood, MOST);
}

/* Returns whether a random number from 1 to 100 is smaller than `chance`. */
static bool below(const damage *d, int32_t chance)
{
    return rng_range(&d->r->random, 1, PERCENT) < chance;
}

/* Finds a side of the tile at which there may be blood; false: there is none. The side *side is
 * tried first; if it may not have blood, *side becomes another side that may. */
static bool find_side(const damage *d, int x, int y, int *side, bool on_walls)
{
    if (takes_blood(d, x + steps[*side][0], y + steps[*side][1], on_walls))
        return true;
    for (int i = 0; i < SIDES; i++)
        if (i != *side && takes_blood(d, x + steps[i][0], y + steps[i][1], on_walls)) {
            *side = i;
            return true;
        }
    return false;
}

/* Draws a streak of blood, with gaps; on floors it wanders to the sides. The longer it is, the
 * likelier are gaps, its end, and a step to the side. */
static void streak(const damage *d, int x, int y)
{
    const int length = rng_range(&d->r->random, 3, 12);
    int side = rng_range(&d->r->random, 0, SIDES - 1);
    const bool on_walls = tile_has(d, cell_of(x, y), WALL);
    if (!takes_blood(d, x, y, on_walls))
        return;
    bleed(d, x, y);
    for (int i = 0; i < length && find_side(d, x, y, &side, on_walls); i++) {
        const bool gap = below(d, 5 + i * 3);
        if (!gap && below(d, 10 + i * 5))
            return;
        x += steps[side][0];
        y += steps[side][1];
        if (gap)
            continue;
        bleed(d, x, y);
        if (!below(d, 30 + i * 3) || on_walls)
            continue;
        const int *aside = steps[(side < 2 ? 2 : 0) + (int)rng_below(&d->r->random, 2)];
        if (!takes_blood(d, x + aside[0], y + aside[1], on_walls))
            continue;
        x += aside[0];
        y += aside[1];
        bleed(d, x, y);
    }
}

/* Puts blood on sides of a tile, each with a chance. */
static void bleed_around(const damage *d, int x, int y, int32_t chance)
{
    for (int i = 0; i < SIDES; i++)
        if (takes_blood(d, x + steps[i][0], y + steps[i][1], false) && below(d, chance))
            bleed(d, x + steps[i][0], y + steps[i][1]);
}

static void pool(const damage *d, int x, int y)
{
    enum { NEAR = 60, FAR = 30 };
    if (!takes_blood(d, x, y, false))
        return;
    bleed(d, x, y);
    bleed_around(d, x, y, NEAR);
    for (int i = 0; i < SIDES; i++)
        if (takes_blood(d, x + steps[i][0], y + steps[i][1], false))
            bleed_around(d, x + steps[i][0], y + steps[i][1], FAR);
}

static void place_blood(damage *d)
{
    enum { NOTHING = 10, SPOT = 20, STREAK = 60, PERMILLE = 1000 };
    for (int32_t i = 0; i < d->part->attempts && run_spend(d->r); i++) {
        int x, y;
        if (!draw_tile(d, &x, &y) || happens(d, NOTHING, PERCENT) ||
            !happens(d, d->part->chance, PERMILLE))
            continue;
        const int32_t form = rng_range(&d->r->random, 1, PERCENT);
        if (form > STREAK)
            pool(d, x, y);
        else if (form > SPOT)
            streak(d, x, y);
        else if (takes_blood(d, x, y, ground_has(d, cell_of(x, y), WALL)))
            bleed(d, x, y);
    }
}

/* ---- transforms ---- */

static void transform(damage *d)
{
    const mapgen_request *q = d->r->request;
    local_map *map = d->r->map;
    uint32_t *const layers[] = {[LOCAL_LAYER_TERRAIN] = map->terrain,
                                [LOCAL_LAYER_FURNITURE] = map->furniture,
                                [LOCAL_LAYER_TRAP] = map->trap};
    const size_t work = mapgen_transforms_size(q->groups);
    for (size_t cell = 0; cell < LOCAL_CELLS && run_touch(d->r, 1 + work); cell++) {
        if (!happens(d, d->part->chance, PERCENT))
            continue;
        for (int layer = 0; layer < (int)(sizeof layers / sizeof layers[0]); layer++) {
            const uint32_t to =
                mapgen_transform(q->groups, q->tiles, &d->r->random, d->part->transform,
                                 (local_layer)layer, layers[layer][cell]);
            if (to != ID_NONE)
                layers[layer][cell] = to;
        }
    }
}

/* ---- generators ---- */

/* The parts of the post-process generators of DDA 0.I. That game has them as code: its content
 * has only the flag PP_GENERATE_RIOT_DAMAGE. */
static const mapgen_process of_game[] = {
    {.kind = MAPGEN_PROCESS_BASH, .attempts = 250, .chance = 10, .low = 6, .high = 60},
    {.kind = MAPGEN_PROCESS_MOVE, .attempts = 250, .chance = 10, .high = 3},
    {.kind = MAPGEN_PROCESS_BURN,
     .attempts = 1,
     .low = 6,
     .high = 28,
     .first_day = 3,
     .last_day = 14,
     .all = true},
    {.kind = MAPGEN_PROCESS_BLOOD, .attempts = 576, .chance = 15},
};

/* Gives the parts of a generator, and returns how many there are. */
static size_t parts_of(const mapgen_process **out, const run *r, uint32_t generator)
{
    enum { OF_GAME = sizeof of_game / sizeof of_game[0] };
    bool known = false;
    const size_t count = r->request->groups
                             ? mapgen_processes_of(out, &known, r->request->groups, generator)
                             : 0;
    const char *id = id_pool_text(r->request->pool, generator);
    if (known)
        return count;
    *out = of_game;
    return strcmp(id, MAPGEN_RIOT_DAMAGE) == 0 || strcmp(id, MAPGEN_RIOT_DAMAGE_ROAD) == 0
               ? OF_GAME
               : 0;
}

void run_process(run *r, uint32_t generator)
{
    static void (*const deeds[MAPGEN_PROCESS_UNKNOWN])(damage * d) = {
        [MAPGEN_PROCESS_BASH] = bash,         [MAPGEN_PROCESS_MOVE] = move_items,
        [MAPGEN_PROCESS_FIRE] = add_fires,    [MAPGEN_PROCESS_BURN] = burn,
        [MAPGEN_PROCESS_BLOOD] = place_blood, [MAPGEN_PROCESS_TRANSFORM] = transform};
    damage d = {.r = r,
                .days = DAYS_BEFORE + r->request->turn / DAY,
                .blood = run_id(r, "fd_blood"),
                .fire = run_id(r, "fd_fire")};
    for (int i = 0; i < TILE_FLAGS; i++)
        d.flags[i] = run_id(r, flag_names[i]);
    const mapgen_process *parts;
    const size_t count = parts_of(&parts, r, generator);
    /* In DDA 0.I the code of the game damages maps (`of_game`), and it does not let streets
     * burn down. */
    const bool spared = parts == of_game && generator == run_id(r, MAPGEN_RIOT_DAMAGE_ROAD);
    for (size_t i = 0; i < count; i++) {
        d.part = &parts[i];
        if (d.part->kind != MAPGEN_PROCESS_UNKNOWN &&
            !(spared && d.part->kind == MAPGEN_PROCESS_BURN))
            deeds[d.part->kind](&d);
    }
}
