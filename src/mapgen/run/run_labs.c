/*
 * Makes laboratories. Content has drawings of laboratories under three keys that are no
 * terrains (DDA's own guide of laboratories names them): laboratories with a door in the north
 * alone, finales, and all others; ground/lab.c makes two more layouts. What the games' code
 * does to a laboratory is done here: walls and doors between its OMTs, stairs, lamps, ants, and
 * sometimes an accident. A wall between two OMTs belongs to the one in the north or west.
 * Frequencies are counted in the 220 maps of laboratories (schema/mapgen.md, "Ground").
 */
#include "mapgen/run/run_impl.h"

/*
 * Makes sure that one can walk between certain tiles of a map, if doors may be opened. Where
 * there is no way, a way is broken through walls and the like, through as few tiles as
 * possible.
 */

enum {
    LAST = LOCAL_SIDE - 1,
    DOOR = 11 /* the first of the two tiles of a door: its column or row */
};

/* The map of a laboratory that is being made. */
typedef struct lab {
    run *r;
    const char *type;
    bool open[GROUND_SIDES]; /* the laboratory goes on to that side */
    int count;               /* on how many sides the laboratory goes on */
    uint32_t floor, strong_floor, lamp, wall, glass, door;
} lab;

/* Puts one of the content's drawings of laboratories on the map. If the content has none for
 * this type of laboratory, or for one in five of the ordinary ones, ground/lab.c makes the
 * map. */
static void draw(const lab *l)
{
    enum { GROUND_ONE_IN = 5 };
    run *r = l->r;
    const bool last = strstr(l->type, "_finale"), end = l->count == 1;
    int turns = 0;
    for (int side = 0; side < GROUND_SIDES && end && !last; side++)
        turns = l->open[side] ? side : turns;
    const char *key = last ? "lab_finale_1level" : end ? "lab_1side" : "lab_4side";
    const bool ground = !last && !end && rng_one_in(&r->random, GROUND_ONE_IN);
    if (ground || !run_terrain(r, run_id(r, key), turns))
        (void)run_ground_of(r, r->request->site, l->type);
}

/* ---- walls ---- */

static void clear(const lab *l, int x, int y, uint32_t terrain)
{
    const int cell = y * LOCAL_SIDE + x;
    local_map *map = l->r->map;
    map->terrain[cell] = terrain;
    map->furniture[cell] = map->trap[cell] = ID_NONE;
    run_remove(l->r, x, y, RUN_ITEMS);
}

static void put_walls(const lab *l)
{
    const bool tower = run_starts(l->type, "tower_lab");
    uint32_t walls[GROUND_SIDES];
    for (int side = 0; side < GROUND_SIDES; side++)
        walls[side] = tower && !l->open[side] ? l->glass : l->wall;
    for (int i = 0; i < LOCAL_SIDE; i++) {
        clear(l, LAST, i, walls[GROUND_EAST]);
        clear(l, i, LAST, walls[GROUND_SOUTH]);
        if (!l->open[GROUND_WEST])
            clear(l, 0, i, walls[GROUND_WEST]);
        if (!l->open[GROUND_NORTH])
            clear(l, i, 0, walls[GROUND_NORTH]);
    }
}

/* ---- ants ---- */

/* Is the terrain a door or gate that can be opened? Its id tells. */
static bool opens(const run *r, uint32_t terrain)
{
    const char *id = id_pool_text(r->request->pool, terrain);
    return strstr(id, "door") != NULL ||
           (strstr(id, "gate") != NULL && strstr(id, "control") == NULL);
}

/* Can one walk on the tile, if doors may be opened? */
static bool run_walkable(const run *r, int cell)
{
    const mapgen_tiles *tiles = r->request->tiles;
    const uint32_t terrain = r->map->terrain[cell];
    const int flags = mapgen_terrain_tile(tiles, terrain).flags;
    const int furniture = mapgen_furniture_tile(tiles, r->map->furniture[cell]).flags;
    return !(furniture & MAPGEN_TILE_IMPASSABLE) &&
           (!(flags & MAPGEN_TILE_IMPASSABLE) || opens(r, terrain));
}

/* Breaks walls around the middle, and some other tiles, as ants do. */
static void let_ants_in(const lab *l)
{
    enum { RADIUS = 9, OF = 4, BROKEN = 3, RUBBLE_ONE_IN = 3, ELSE_ONE_IN = 20 };
    run *r = l->r;
    const uint32_t ground = run_id(r, "t_rock_floor"), rubble = run_id(r, "f_rubble_rock");
    for (int y = 1; y < LAST; y++)
        for (int x = 1; x < LAST; x++) {
            const int dx = 2 * x - LAST, dy = 2 * y - LAST;
            const bool near = dx * dx + dy * dy <= 4 * RADIUS * RADIUS;
            const bool wall = !run_walkable(r, y * LOCAL_SIDE + x);
            const bool broken = near && wall ? rng_below(&r->random, OF) < BROKEN
                                             : rng_one_in(&r->random, ELSE_ONE_IN);
            if (!broken)
                continue;
            clear(l, x, y, ground);
            if (rng_one_in(&r->random, RUBBLE_ONE_IN))
                run_set_furniture(r, x, y, rubble);
        }
}

/* ---- lamps and accidents ---- */

/* Puts lamps into the laboratory. Central laboratories are always lit; of the other
 * laboratories half are lit, by all of their lamps or by a few. */
static void light(const lab *l)
{
    enum { SORTS = 12, STEP = 4 };
    static const int odds[SORTS] = {1, 3, 5, 9, 13, 17, 22, 28, 34, 40, 46, 53};
    run *r = l->r;
    int one_in = run_starts(l->type, "central_lab") ? 1 : 0;
    const uint64_t drawn = rng_below(&r->random, 2 * SORTS);
    if (!one_in && drawn < SORTS)
        one_in = odds[drawn];
    for (int y = 0; y < LOCAL_SIDE && one_in; y += 2)
        for (int x = 0; x < LOCAL_SIDE; x += 2) {
            uint32_t *terrain = &r->map->terrain[y * LOCAL_SIDE + x];
            if ((x + y) % STEP == 0 && (*terrain == l->floor || *terrain == l->strong_floor) &&
                rng_one_in(&r->random, one_in))
                *terrain = l->lamp;
        }
}

/* Makes the traces of an accident, in about one of 24 OMTs of laboratories. */
static void have_accident(const lab *l)
{
    enum { ONE_IN = 24, SORTS = 9, FLOODS = 3, RAYS = 5 };
    if (!rng_one_in(&l->r->random, ONE_IN))
        return;
    const uint64_t sort = rng_below(&l->r->random, SORTS);
    if (sort < FLOODS) {
        enum { DRY_ONE_IN = 10 };
        const uint32_t water = run_id(l->r, "t_water_sh");
        for (int i = 0; i < LOCAL_CELLS; i++)
            if (l->r->map->terrain[i] == l->floor && !rng_one_in(&l->r->random, DRY_ONE_IN))
                l->r->map->terrain[i] = water;
    } else if (sort < RAYS) {
        enum { RADIUS = 5, MOST = 50, STEP = 2 };
        rng *random = &l->r->random;
        const int x = rng_range(random, RADIUS, LAST - RADIUS);
        const int y = rng_range(random, RADIUS, LAST - RADIUS);
        for (int i = 0; i < LOCAL_CELLS; i++) {
            const int dx = i % LOCAL_SIDE - x, dy = i / LOCAL_SIDE - y, far = dx * dx + dy * dy;
            if (far <= RADIUS * RADIUS)
                l->r->map->radiation[i] = (uint8_t)(MOST - far * STEP);
        }
    } else {
        /* Opens a portal. In most cases fungus has grown out of the portal. */
        enum { OF = 4, GROWN = 3, BARE_ONE_IN = 4 };
        run *r = l->r;
        const uint32_t fungus = run_id(r, "t_fungus_floor_in");
        const bool grown = rng_below(&r->random, OF) < GROWN;
        const int x = rng_range(&r->random, DOOR - 2, DOOR + 2);
        const int y = rng_range(&r->random, DOOR - 2, DOOR + 2);
        for (int i = 0; i < LOCAL_CELLS && grown; i++)
            if ((r->map->terrain[i] == l->floor || r->map->terrain[i] == l->strong_floor) &&
                !rng_one_in(&r->random, BARE_ONE_IN))
                r->map->terrain[i] = fungus;
        r->map->trap[y * LOCAL_SIDE + x] = run_id(r, "tr_portal");
        const run_place place = {{0, LAST}, {0, LAST}};
        (void)run_population(r, place, run_id(r, grown ? "GROUP_FUNGI" : "GROUP_NETHER"), 3);
    }
}

/* ---- ways ---- */

/* The tile at which a door begins, for each side of the map. */
static const int doors[GROUND_SIDES][2] = {{DOOR, 0}, {LAST, DOOR}, {DOOR, LAST}, {0, DOOR}};

/* Puts an entrance with a card reader into a laboratory on the ground, towards a road if there
 * is one. Returns the tile of the entrance; -1: the laboratory lies below the ground. */
static int put_entrance(const lab *l)
{
    const ground_site *site = l->r->request->site;
    int chosen = -1;
    if (site->z != 0)
        return -1;
    for (int side = GROUND_SIDES - 1; side >= 0; side--)
        if (!l->open[side] &&
            (chosen < 0 || site->around[ground_beside(side)].road ||
             (side == GROUND_SOUTH && !site->around[ground_beside(chosen)].road)))
            chosen = side;
    if (chosen < 0)
        return -1;
    const int x = doors[chosen][0], y = doors[chosen][1];
    const bool upright = chosen == GROUND_NORTH || chosen == GROUND_SOUTH;
    clear(l, x, y, run_id(l->r, "t_door_metal_locked"));
    clear(l, x + upright, y + !upright, run_id(l->r, "t_door_metal_locked"));
    clear(l, x - upright, y - !upright, run_id(l->r, "t_card_science"));
    return y * LOCAL_SIDE + x;
}

enum { SIDES = 4, FAR = LOCAL_CELLS };

/* Marks the tiles that one can walk to from `start`, and returns their number. */
static int spread(const run *r, int start, bool *seen)
{
    static const int step[SIDES] = {-LOCAL_SIDE, 1, LOCAL_SIDE, -1};
    int queue[LOCAL_CELLS], first = 0, end = 0;
    seen[start] = true;
    queue[end++] = start;
    while (first < end) {
        const int cell = queue[first++];
        for (int side = 0; side < SIDES; side++) {
            const int next = cell + step[side];
            const bool off = next < 0 || next >= LOCAL_CELLS ||
                             (side % 2 && next / LOCAL_SIDE != cell / LOCAL_SIDE);
            if (off || seen[next] || !run_walkable(r, next))
                continue;
            seen[next] = true;
            queue[end++] = next;
        }
    }
    return end;
}

/* Returns the first tile of the largest area within which one can walk everywhere; the map's
 * middle, if there is none. */
static int run_heart(const run *r)
{
    bool seen[LOCAL_CELLS] = {false};
    int most = 0, heart = LOCAL_SIDE * LOCAL_SIDE / 2 + LOCAL_SIDE / 2;
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int count = seen[i] || !run_walkable(r, i) ? 0 : spread(r, i, seen);
        if (count > most) {
            most = count;
            heart = i;
        }
    }
    return heart;
}

/* A search over the map. It finds, for each tile, how many tiles have to be broken to reach it
 * (`cost`), and the tile from which one comes (`from`). */
typedef struct search {
    int cost[LOCAL_CELLS], from[LOCAL_CELLS];
    /* Two lists of tiles from which the search goes on: those to which the way breaks as many
     * tiles as it looks at now, and those to which the way breaks one tile more. */
    int queue[2][LOCAL_CELLS * SIDES + 1];
    size_t count[2];
} search;

/* Finds, for each tile, how many tiles have to be broken to reach it from `start`. */
static void look_from(search *s, const run *r, int start)
{
    for (int i = 0; i < LOCAL_CELLS; i++)
        s->cost[i] = FAR;
    s->cost[start] = 0;
    s->from[start] = start;
    s->count[0] = s->count[1] = 0;
    s->queue[0][s->count[0]++] = start;
    for (int now = 0; s->count[now] > 0; now = !now) {
        for (size_t i = 0; i < s->count[now]; i++) {
            /* The search goes on from a tile to the tiles beside it. A wall at the map's border
             * can't be broken. */
            const int cell = s->queue[now][i];
            static const int step[SIDES][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
            for (int side = 0; side < SIDES; side++) {
                const int x = cell % LOCAL_SIDE + step[side][0],
                          y = cell / LOCAL_SIDE + step[side][1];
                const int next = y * LOCAL_SIDE + x;
                if (x < 0 || y < 0 || x > LAST || y > LAST)
                    continue;
                const bool free = run_walkable(r, next);
                const int cost = s->cost[cell] + !free;
                const bool border = x == 0 || y == 0 || x == LAST || y == LAST;
                if ((!free && border) || cost >= s->cost[next])
                    continue;
                s->cost[next] = cost;
                s->from[next] = cell;
                const int which = free ? now : !now;
                s->queue[which][s->count[which]++] = next;
            }
        }
        s->count[now] = 0;
    }
}

/* Breaks a way from the first tile to each of the other tiles that one can't reach by walking,
 * and lays the given floor on the way. Walls at the map's border stay. */
static void run_join(run *r, const int *tiles, size_t count, uint32_t floor)
{
    search s;
    for (size_t i = 1; i < count; i++) {
        look_from(&s, r, tiles[0]);
        if (s.cost[tiles[i]] >= FAR)
            /* The tile can't be reached: only walls at the map's border, which stay, lie
             * between. */
            continue;
        for (int cell = tiles[i]; cell != tiles[0]; cell = s.from[cell])
            if (!run_walkable(r, cell)) {
                r->map->terrain[cell] = floor;
                r->map->furniture[cell] = ID_NONE;
            }
    }
}

/* Joins the stairs with the doors to neighbouring OMTs of the laboratory, so that one can walk
 * between them. */
static void join(const lab *l)
{
    enum { MOST = GROUND_SIDES + GROUND_WAYS + 2 };
    run *r = l->r;
    ground_way ways[GROUND_WAYS];
    int tiles[MOST] = {run_heart(r)};
    size_t count = 1;
    const size_t way_count = ground_ways_of(ways, r->request->site);
    for (size_t i = 0; i < way_count; i++) {
        tiles[count++] = ways[i].y * LOCAL_SIDE + ways[i].x;
        clear(l, ways[i].x, ways[i].y, run_id(r, ways[i].terrain));
    }
    const int entrance = put_entrance(l);
    if (entrance >= 0)
        tiles[count++] = entrance;
    for (int side = 0; side < GROUND_SIDES; side++) {
        int x = doors[side][0], y = doors[side][1];
        /* On this side an anthill leads into the laboratory. */
        if (!l->open[side] && ground_leads(r->request->site, side)) {
            x = x == DOOR ? ground_crosses(r->request->site, side) : x;
            y = y == DOOR ? ground_crosses(r->request->site, side) : y;
            clear(l, x, y, run_id(r, "t_rock_floor"));
        } else if (!l->open[side]) {
            continue;
        } else if (!run_walkable(r, y * LOCAL_SIDE + x)) {
            clear(l, x, y, l->floor);
        }
        tiles[count++] = y * LOCAL_SIDE + x;
    }
    run_join(r, tiles, count, l->floor);
}

bool run_lab(run *r, const char *type)
{
    if (!ground_is_lab(type))
        return false;
    lab l = {.r = r, .type = type};
    l.floor = run_id(r, "t_thconc_floor");
    l.strong_floor = run_id(r, "t_strconc_floor");
    l.lamp = run_id(r, "t_thconc_floor_olight");
    l.wall = run_id(r, "t_concrete_wall");
    l.glass = run_id(r, "t_reinforced_glass");
    l.door = run_id(r, "t_door_metal_c");
    for (int side = 0; side < GROUND_SIDES; side++) {
        const ground_omt *other = &r->request->site->around[ground_beside(side)];
        l.open[side] = ground_leads(r->request->site, side) && ground_is_lab(other->type);
        l.count += l.open[side];
    }

    draw(&l);
    /* Does the drawing have walls along its borders already? The tile in the middle of its east
     * side decides that. */
    const char *id =
        id_pool_text(l.r->request->pool, l.r->map->terrain[DOOR * LOCAL_SIDE + LAST]);
    if (!strstr(id, "wall") && !strstr(id, "door") && !run_starts(id, "t_reinforced_glass") &&
        strcmp(id, "t_rock") != 0) {
        put_walls(&l);
        /* A door to the neighbouring OMT lies on this map or on the neighbour's, whichever has
         * the wall between the two. */
        for (int i = DOOR; i <= DOOR + 1; i++) {
            if (l.open[GROUND_EAST])
                clear(&l, LAST, i, l.door);
            if (l.open[GROUND_SOUTH])
                clear(&l, i, LAST, l.door);
        }
    }
    if (run_starts(type, "ants_lab"))
        let_ants_in(&l);
    light(&l);
    have_accident(&l);
    join(&l);
    return true;
}
