/*
 * Makes rivers, with banks on the sides that the rivers' ids name, and shores of lakes, whose
 * form follows from the corners of the map that touch open water. The width of a bank at a
 * border follows from the border alone, so that both maps agree.
 */
#include "mapgen/ground/ground_impl.h"

enum { LAST = LOCAL_SIDE - 1 };

/* ---- rivers ---- */

/* The widths of ground and of shallow water along a bank, tile by tile from west or north,
 * and the terrain of the ground. */
typedef struct bank {
    int dry[LOCAL_SIDE], shallow[LOCAL_SIDE];
    uint32_t ground[LOCAL_SIDE];
} bank;

/* Draws a bank. Its widths at both ends follow from the borders there, so that the next map
 * goes on with them. */
static void draw_bank(ground *g, bank *b, int side)
{
    const bool upright = side == GROUND_EAST || side == GROUND_WEST;
    rng first = ground_border_of(g->site, upright ? GROUND_NORTH : GROUND_WEST);
    rng last = ground_border_of(g->site, upright ? GROUND_SOUTH : GROUND_EAST);
    for (int i = 0; i < LOCAL_SIDE; i++) {
        rng *random = i == 0 ? &first : i == LAST ? &last : &g->random;
        enum { GROUND_MIN = 2, GROUND_MAX = 4, SHALLOW_MIN = 5, SHALLOW_MAX = 7 };
        b->dry[i] = rng_range(random, GROUND_MIN, GROUND_MAX);
        b->shallow[i] = rng_range(random, SHALLOW_MIN, SHALLOW_MAX);
        /* Chooses the terrain of the bank at this tile at random. In the game's maps all
         * tiles from the side to the water have the same one, which is dirt three times out
         * of four, else grass. */
        enum { GRASS_ONE_IN = 4 };
        b->ground[i] =
            ground_id(g, rng_one_in(&g->random, GRASS_ONE_IN) ? "t_grass" : "t_dirt");
    }
}

/* If there is water beside this side of the OMT, draws the bank there: its ground and its
 * shallow water. */
static void put_bank(ground *g, int side, uint32_t shallow)
{
    bank b;
    draw_bank(g, &b, side);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        /* away: the tile's distance from the side; along: its place along the bank. */
        const int away = (const int[]){y, LAST - x, LAST - y, x}[side];
        const int along = side == GROUND_EAST || side == GROUND_WEST ? y : x;
        const bool water = ground_at(g, x, y) == g->deep || ground_at(g, x, y) == shallow;
        if (away < b.dry[along] && water)
            ground_put(g, x, y, b.ground[along]);
        else if (away < b.shallow[along] && ground_at(g, x, y) == g->deep)
            ground_put(g, x, y, shallow);
    }
}

/* Puts shallow water into a corner. */
static void put_corner(ground *g, bool north, bool east)
{
    enum { SPAN = 6 };
    const uint32_t shallow = ground_id(g, "t_water_moving_sh");
    for (int i = 0; i < SPAN; i++)
        for (int k = 0; i + k < SPAN; k++)
            ground_put(g, east ? LAST - i : i, north ? k : LAST - k, shallow);
}

static bool ends(const char *text, const char *tail)
{
    const size_t length = strlen(text), size = strlen(tail);
    return length >= size && strcmp(text + length - size, tail) == 0;
}

void make_river(ground *g)
{
    static const char *const corners[] = {"ne", "se", "sw", "nw"};
    bool sides[GROUND_SIDES] = {false};
    g->deep = ground_id(g, "t_water_moving_dp");
    ground_fill(g, "t_water_moving_dp");
    for (int i = 0; i < GROUND_SIDES; i++) {
        if (!ends(g->type, corners[i]))
            continue;
        const bool north = corners[i][0] == 'n', east = corners[i][1] == 'e';
        if (ground_starts(g->type, "river_c_not")) {
            put_corner(g, north, east);
        } else {
            sides[north ? GROUND_NORTH : GROUND_SOUTH] = true;
            sides[east ? GROUND_EAST : GROUND_WEST] = true;
        }
    }
    if (strcmp(g->type, "river") == 0)
        sides[g->site->around[GROUND_MIDDLE].turns % GROUND_SIDES] = true;
    const uint32_t shallow = ground_id(g, "t_water_moving_sh");
    for (int side = 0; side < GROUND_SIDES; side++)
        if (sides[side])
            put_bank(g, side, shallow);
}

/* ---- lakes ---- */

/* Returns a random amount that makes the shore rough. It is 0 at the borders, where the shore
 * goes on in the next map. */
static int rough(ground *g, int x, int y)
{
    enum { ROUGH = 40 };
    const int to_side = x < LAST - x ? x : LAST - x, to_end = y < LAST - y ? y : LAST - y;
    const int away = to_side < to_end ? to_side : to_end;
    const int limit = away * ROUGH / 4 < ROUGH ? away * ROUGH / 4 : ROUGH;
    return rng_range(&g->random, -limit, limit);
}

/* The terrains of a shore, from land to deep water; NULL: this kind of shore has no such
 * terrain. */
typedef struct shore {
    const char *beach, *surf, *shallow, *deep, *plant;
} shore;

static void put_land(ground *g, const shore *kind)
{
    if (kind->beach) {
        ground_fill(g, kind->beach);
        return;
    }
    ground under = *g;
    /* The land is of the kind that most neighbours are: forest that grows up to the water, or
     * else a field. In regions of DDA since 0.I, water has a biome too, that of its banks. */
    int most = 0;
    const char *found = "field";
    for (int i = 0; i < GROUND_AROUND; i++) {
        const char *type = g->site->around[i].type;
        int count = 0;
        for (int k = 0; k < GROUND_AROUND; k++)
            count += strcmp(g->site->around[k].type, type) == 0;
        const bool grows = !g->site->around[i].water &&
                           (strcmp(type, "field") == 0 || ground_biome_of(g, type));
        if (grows && count > most) {
            most = count;
            found = type;
        }
    }
    under.type = found;
    if (ground_biome_of(g, under.type))
        make_forest(&under);
    else
        make_field(&under);
    g->random = under.random;
}

/* Puts a shore. The bounds of land and of deep water are given in parts of WHOLE, and chosen to
 * match the game's maps. There, with open water on one side, 9 or 10 of the 24 rows of tiles
 * are wet, and 3 or 4 of these are shallow. A shore without open water around it gets a pool.
 */
static void put_shore(ground *g, const shore *kind)
{
    enum {
        WHOLE = 4 * LOCAL_SIDE * LOCAL_SIDE,
        DRY = WHOLE * 41 / 100,
        SURF = WHOLE * 36 / 100,
        SHALLOW = WHOLE * 28 / 100,
        PLANTS = 4,
        POOL = 36
    };
    const uint32_t shallow = ground_id(g, kind->shallow), deep = ground_id(g, kind->deep);
    const uint32_t surf = kind->surf ? ground_id(g, kind->surf) : shallow;
    const uint32_t plant = kind->plant ? ground_id(g, kind->plant) : ID_NONE;
    const ground_settings *s = g->site->settings;
    bool corners[4], dry = true;
    for (int i = 0; i < 4; i++) {
        /* A corner of the map is land if none of the four OMTs that meet there is open water: a
         * lake, or a river that flows into a lake. */
        const int column = i % 2, row = i / 2;
        corners[i] = true;
        for (int v = row; v < row + 2; v++)
            for (int u = column; u < column + 2; u++) {
                const ground_omt *o = &g->site->around[v * 3 + u];
                corners[i] &= !o->water || ends(o->type, "_shore");
            }
        dry = dry && corners[i];
    }
    put_land(g, kind);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        const int dx = x - LOCAL_SIDE / 2, dy = y - LOCAL_SIDE / 2;
        /* `land` says how much of the ground around the tile is land, in parts of WHOLE. It is
         * a weighted mean of the values of the map's four corners, made rough at random. */
        const int u = 2 * x + 1, v = 2 * y + 1, all = 2 * LOCAL_SIDE;
        const int land = (corners[0] * (all - u) * (all - v) + corners[1] * u * (all - v) +
                          corners[2] * (all - u) * v + corners[3] * u * v) +
                         rough(g, x, y);
        if (dry ? dx * dx + dy * dy > POOL : land >= DRY)
            continue;
        const bool near = dry || land >= SHALLOW;
        ground_clear(g, x, y, !near ? deep : land >= SURF ? surf : shallow);
        if (near && s && plant != ID_NONE && ground_pseudo_of(s, plant) &&
            rng_one_in(&g->random, PLANTS))
            ground_furnish(g, x, y, ground_resolve(s, &g->random, plant));
    }
}

/* Below the ground, the shore is the rock around the lake. */
void make_lake_shore(ground *g)
{
    static const shore lake = {NULL, NULL, "t_water_sh", "t_water_dp", "f_region_water_plant"};
    static const shore below = {"t_rock", NULL, "t_water_cube", "t_water_cube", NULL};
    put_shore(g, g->site->z < 0 ? &below : &lake);
}

void make_ocean_shore(ground *g)
{
    static const shore ocean = {"t_sand", "t_swater_surf", "t_swater_sh", "t_swater_dp", NULL};
    put_shore(g, &ocean);
}

/* Makes the banks of a river of any form: they follow from which of the OMTs around it are open
 * water. */
void make_river_shore(ground *g)
{
    static const shore river = {NULL, NULL, "t_water_moving_sh", "t_water_moving_dp", NULL};
    put_shore(g, &river);
}

/* ---- sewers ---- */

/* First and last row or column of tiles of the channel of a sewer. */
enum { LOW = 10, HIGH = 13 };

/* Does the channel of a sewer run over the tile? The bits of `line` say to which sides of the
 * map the channel leads. */
static bool in_channel(uint8_t line, int x, int y)
{
    const bool column = x >= LOW && x <= HIGH, row = y >= LOW && y <= HIGH;
    if (column && row)
        return true;
    if (column)
        return line & (y < LOW ? 1 : 4);
    return row && (line & (x > HIGH ? 2 : 8));
}

/* Makes a sewer: a channel of four tiles from the middle to each side that it leads to. Some
 * have grates in the middle and pipes. */
void make_sewer(ground *g)
{
    enum { GRATES_ONE_IN = 3 };
    const uint32_t sewage = ground_id(g, "t_sewage");
    const uint8_t line = g->site->around[GROUND_MIDDLE].line;
    ground_fill(g, "t_rock");
    for (int i = 0; i < LOCAL_CELLS; i++)
        if (in_channel(line, i % LOCAL_SIDE, i / LOCAL_SIDE))
            g->map->terrain[i] = sewage;
    if (rng_one_in(&g->random, GRATES_ONE_IN))
        for (int y = LOW; y <= HIGH; y++)
            for (int x = LOW; x <= HIGH; x++)
                ground_put(g, x, y, ground_id(g, "t_grate"));
    /* Puts pipes into the wall beside the sewer's channel, where it runs through the map: in
     * each second row of tiles one may come, from the west or from the east. */
    enum { ONE_IN = 2, LENGTH = 4 };
    const uint32_t pipe = ground_id(g, "t_sewage_pipe");
    for (int y = 0; y < LOCAL_SIDE; y += 2) {
        const bool west = rng_one_in(&g->random, 2);
        const int from = west ? LOW - LENGTH : HIGH + 1;
        if (!rng_one_in(&g->random, ONE_IN) || ground_at(g, LOW, y) != sewage)
            continue;
        for (int x = from; x < from + LENGTH; x++)
            if (ground_at(g, x, y) != sewage)
                ground_put(g, x, y, pipe);
    }
}
