/*
 * Makes sure that one can walk between certain tiles of a map, if doors may be opened. Where
 * there is no way, one is broken through what lies between, through as few tiles as
 * possible.
 */
#include "mapgen/run/run_impl.h"

enum { LAST = LOCAL_SIDE - 1, SIDES = 4, FAR = LOCAL_CELLS };

/* Can the terrain be opened? The ids of doors and gates tell. */
static bool opens(const run *r, uint32_t terrain)
{
    const char *id = id_pool_text(r->request->pool, terrain);
    return strstr(id, "door") != NULL ||
           (strstr(id, "gate") != NULL && strstr(id, "control") == NULL);
}

bool run_walkable(const run *r, int cell)
{
    const mapgen_tiles *tiles = r->request->tiles;
    const uint32_t terrain = r->map->terrain[cell];
    const int flags = mapgen_terrain_tile(tiles, terrain).flags;
    const int furniture = mapgen_furniture_tile(tiles, r->map->furniture[cell]).flags;
    return !(furniture & MAPGEN_TILE_IMPASSABLE) &&
           (!(flags & MAPGEN_TILE_IMPASSABLE) || opens(r, terrain));
}

/* A search over the map: how many tiles have to be broken to reach a tile, and from which
 * tile one comes. */
typedef struct search {
    int cost[LOCAL_CELLS], from[LOCAL_CELLS];
    int queue[2][LOCAL_CELLS * SIDES + 1]; /* tiles of one cost, and of the next higher one */
    size_t count[2];
} search;

static bool at_border(int cell)
{
    const int x = cell % LOCAL_SIDE, y = cell / LOCAL_SIDE;
    return x == 0 || y == 0 || x == LAST || y == LAST;
}

/* Finds the costs of all tiles from `start`. */
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
            /* Goes on from a tile to its neighbours; walls at the map's border stay. */
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
                if ((!free && at_border(next)) || cost >= s->cost[next])
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

int run_heart(const run *r)
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

void run_join(run *r, const int *tiles, size_t count, uint32_t floor)
{
    search s;
    for (size_t i = 1; i < count; i++) {
        look_from(&s, r, tiles[0]);
        if (s.cost[tiles[i]] >= FAR)
            continue; /* only the border lies between them */
        for (int cell = tiles[i]; cell != tiles[0]; cell = s.from[cell])
            if (!run_walkable(r, cell)) {
                r->map->terrain[cell] = floor;
                r->map->furniture[cell] = ID_NONE;
            }
    }
}
