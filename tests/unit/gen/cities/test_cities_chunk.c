/*
 * Chunks with cities: what must hold of every street and building, over seeds, contents'
 * regions and city sizes. The checks look at the finished chunk, not at how it came about.
 */
#include "gen/pipeline.h"
#include "unit/gen/cities/test_cities.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = SIZE * SIZE, CASES = 18 };

static const int32_t DX[4] = {0, 1, 0, -1}, DY[4] = {-1, 0, 1, 0};

/* A chunk before and after its cities. */
typedef struct town_case {
    town_fixture f;
    ptl_chunk *before, *after;
    ptl_oter ground[CELLS];
    uint16_t built[CELLS];     /* 1 + placement at z = 0 */
    uint32_t footprint[CELLS]; /* levels that placements use */
} town_case;

static town_case town;

static const char *const REGIONS[] = {"default", "wet", "thin", "dry"};

static void greedy_content(void);

static void make_case(int number, bool greedy)
{
    static const int32_t SIZES[] = {8, 4, 12, 8, 2, 16};
    static const int32_t SPACINGS[] = {4, 3, 4, 2, 3, 1};
    town_setup(&town.f, (uint64_t)number * 77, SIZES[number % 6], SPACINGS[number % 6]);
    town.f.region = *catalogue_region(town_catalogue(), REGIONS[number % 4]);
    if (greedy)
        greedy_content();
    town_open(&town.f);
    town.before = town_chunk(&town.f, number - 9, 3 * number, false);
    town.after = town_chunk(&town.f, number - 9, 3 * number, true);
    ptl_chunk_level(town.ground, town.after, 0);
}

/* Content that lets roads and buildings lie on anything, even on one another, and roads cross
 * water as on land. */
static void greedy_content(void)
{
    static uint64_t all[8], dry[8];
    static cat_connection connections[8];
    static cat_subtype subtypes[CAT_SUBTYPES_MAX];
    static cat_omt omts[16][12];
    const catalogue *cat = &town.f.cat;
    const uint32_t closed = CAT_FLAG_RIVER | CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE |
                            CAT_FLAG_RAVINE | CAT_FLAG_RAVINE_EDGE;
    memset(all, 0xff, sizeof all);
    memset(dry, 0, sizeof dry);
    for (size_t t = 0; t < cat->terrain_count; t++)
        if (!(cat->terrains[t].flags & closed))
            dry[t / 64] |= UINT64_C(1) << t % 64;
    memcpy(connections, cat->connections, cat->connection_count * sizeof connections[0]);
    cat_connection *road = &connections[catalogue_connection(cat, "local_road")];
    memcpy(subtypes, road->subtypes, road->subtype_count * sizeof subtypes[0]);
    subtypes[0].allows = all;
    road->subtypes = subtypes;
    town.f.cat.connections = connections;
    for (size_t i = 0; i < cat->special_count; i++) {
        cat_special *s = &town.f.specials[i];
        memcpy(omts[i], s->omts, s->omt_count * sizeof omts[i][0]);
        for (size_t k = 0; k < s->omt_count; k++)
            omts[i][k].allows = dry;
        s->omts = omts[i];
    }
}

static void free_case(void)
{
    ptl_chunk_free(town.before);
    ptl_chunk_free(town.after);
    town_close(&town.f);
}

static bool is_type(ptl_oter oter, const char *type)
{
    const catalogue *cat = &town.f.cat;
    return strcmp(cat->terrains[cat->oters[oter].terrain].id, type) == 0;
}

static bool is_manhole(int32_t cell)
{
    return is_type(town.ground[cell], "road_nesw_manhole");
}

static bool is_street(int32_t cell)
{
    return is_type(town.ground[cell], "road") || is_manhole(cell);
}

static int arms(int32_t cell)
{
    return is_manhole(cell) ? 15 : town.f.cat.oters[town.ground[cell]].line;
}

static bool off_border(int32_t x, int32_t y)
{
    return x >= 1 && x < SIZE - 1 && y >= 1 && y < SIZE - 1;
}

/* Every arm leads to a street's OMT that has one back. */
static void check_arms(void)
{
    for (int32_t cell = 0; cell < CELLS; cell++) {
        if (!is_street(cell))
            continue;
        const int32_t x = cell % SIZE, y = cell / SIZE;
        MUST(off_border(x, y), "too near to the border: %d,%d", x, y);
        for (int d = 0; d < 4; d++) {
            const int32_t next = (y + DY[d]) * SIZE + x + DX[d];
            if (arms(cell) >> d & 1)
                MUST(is_street(next) && arms(next) >> ((d + 2) % 4) & 1,
                     "arm %d at %d,%d is not answered", d, x, y);
        }
    }
}

static void check_placement(const gen_placement *p, uint16_t number)
{
    const cat_special *s = &town.f.cat.specials[p->special];
    for (size_t i = 0; i < s->omt_count; i++) {
        const cat_omt *t = &s->omts[i];
        int32_t x, y;
        feature_rotate(t->x, t->y, p->rotation, &x, &y);
        x += p->x;
        y += p->y;
        MUST(off_border(x, y), "too near to the border: %d,%d", x, y);
        MUST(ptl_chunk_oter(town.after, x, y, t->z) == t->oters[p->rotation],
             "OMT %zu of %s is gone", i, s->id);
        const uint32_t bit = 1u << (t->z - PTL_Z_MIN);
        MUST(!(town.footprint[y * SIZE + x] & bit), "two buildings at %d,%d", x, y);
        town.footprint[y * SIZE + x] |= bit;
        if (t->z == 0)
            town.built[y * SIZE + x] = number;
    }
}

/* Every OMT of every placement is there and belongs to no other; it faces a street. */
static void check_placements(const gen_features *features)
{
    memset(town.built, 0, sizeof town.built);
    memset(town.footprint, 0, sizeof town.footprint);
    for (size_t i = 0; i < features->placement_count; i++) {
        const gen_placement *p = &features->placements[i];
        MUST(p->z == 0, "level %d", p->z);
        MUST(p->city >= 0 && (size_t)p->city < features->city_count, "city %d", p->city);
        check_placement(p, (uint16_t)(i + 1));
        const int32_t front = (p->y + DY[p->rotation]) * SIZE + p->x + DX[p->rotation];
        MUST(is_street(front), "a building at %d,%d faces no street", p->x, p->y);
    }
}

/* What changed is a street or a recorded building, and streets kept off water and ravines. */
static void check_changes(void)
{
    const uint32_t closed = CAT_FLAG_RIVER | CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE |
                            CAT_FLAG_RAVINE | CAT_FLAG_RAVINE_EDGE;
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        for (int32_t cell = 0; cell < CELLS; cell++) {
            const int32_t x = cell % SIZE, y = cell / SIZE;
            const ptl_oter old = ptl_chunk_oter(town.before, x, y, z);
            const bool changed = old != ptl_chunk_oter(town.after, x, y, z);
            const bool building = town.footprint[cell] >> (z - PTL_Z_MIN) & 1;
            const bool street = z == 0 && is_street(cell);
            MUST(changed == (building || street), "%d,%d,%d", x, y, z);
            MUST(!(building && street), "both at %d,%d", x, y);
            MUST(!changed || !(town.f.cat.oters[old].flags & closed), "on water at %d,%d", x,
                 y);
            MUST(!changed || !town.f.gen->reserved[cell], "reserved: %d,%d", x, y);
        }
}

/* Streets are reached from the centre of some city along the arms, and centres are streets. */
static void check_reach(const gen_features *features)
{
    static uint8_t seen[CELLS];
    static int32_t queue[CELLS];
    int32_t head = 0, tail = 0, streets = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < features->city_count; i++) {
        const int32_t cell = features->cities[i].y * SIZE + features->cities[i].x;
        ck_assert(is_street(cell));
        if (!seen[cell])
            queue[tail++] = cell;
        seen[cell] = 1;
    }
    while (head < tail) {
        const int32_t cell = queue[head++];
        for (int d = 0; d < 4; d++) {
            const int32_t next = cell + DY[d] * SIZE + DX[d];
            if ((arms(cell) >> d & 1) && !seen[next]) {
                seen[next] = 1;
                queue[tail++] = next;
            }
        }
    }
    for (int32_t cell = 0; cell < CELLS; cell++)
        streets += is_street(cell);
    ck_assert_int_eq(streets, tail);
}

static void check_cities(const gen_features *features)
{
    static city_site sites[CITY_SITES_MAX];
    static city_names names;
    size_t missing;
    const ptl_chunk_pos pos = ptl_chunk_position(town.after);
    const size_t planned = plan_cities(sites, town.f.config, pos, &missing);
    const size_t dropped = town_events(&town.f, "city_dropped");
    plan_city_names(&names, town.f.config, pos, planned);
    ck_assert_uint_eq(features->city_count + dropped, planned);
    for (size_t i = 0, site = 0; i < features->city_count; i++, site++) {
        const gen_city *c = &features->cities[i];
        while (site < planned &&
               (sites[site].x != c->planned_x || sites[site].y != c->planned_y))
            site++;
        ck_assert_uint_lt(site, planned);
        ck_assert_int_eq(c->size, sites[site].size);
        ck_assert(!names.list[site] || strcmp(c->name, names.list[site]) == 0);
        for (size_t k = 0; k < i; k++)
            MUST(strcmp(c->name, features->cities[k].name) != 0, "two cities %s", c->name);
    }
}

/* Where the chunk's first city may stand, before any city is there. */
static bool is_free(int32_t x, int32_t y)
{
    return off_border(x, y) && !town.f.gen->reserved[y * SIZE + x] &&
           ptl_chunk_oter(town.before, x, y, 0) == town.f.region.default_ter;
}

static int32_t ring(int32_t dx, int32_t dy)
{
    return abs(dx) > abs(dy) ? abs(dx) : abs(dy);
}

/* Swamps, rivers and corridors move a centre to the nearest free ground, and no farther. */
START_TEST(centres_move_no_farther_than_they_must)
{
    int moved = 0, first = 0;
    for (int i = 0; i < 48; i++) {
        make_case(4 * i + 1, false); /* wet */
        const gen_features *features = generator_features(town.f.gen);
        if (features->city_count > 0) {
            const gen_city *c = &features->cities[0];
            const int32_t far = ring(c->x - c->planned_x, c->y - c->planned_y);
            MUST(is_free(c->x, c->y), "centre %d,%d", c->x, c->y);
            for (int32_t dy = 1 - far; dy < far; dy++)
                for (int32_t dx = 1 - far; dx < far; dx++)
                    MUST(!is_free(c->planned_x + dx, c->planned_y + dy), "%d,%d", dx, dy);
            moved += far > 0;
            first++;
        }
        free_case();
    }
    ck_assert_int_gt(first, 24);
    ck_assert_int_gt(moved, 0);
}
END_TEST

START_TEST(streets_and_buildings_hold_together)
{
    make_case(_i % CASES, _i >= CASES);
    const gen_features *features = generator_features(town.f.gen);
    check_arms();
    check_placements(features);
    check_changes();
    check_reach(features);
    check_cities(features);
    free_case();
}
END_TEST

/* On open ground a city of size 8 is one: streets far out, dozens of buildings of each kind. */
START_TEST(cities_are_worth_the_name)
{
    size_t streets = 0, corners = 0, manholes = 0, cities = 0, buildings = 0, finales = 0,
           malls = 0;
    for (int i = 0; i < 12; i++) {
        make_case(6 * i, false);
        const gen_features *features = generator_features(town.f.gen);
        for (int32_t cell = 0; cell < CELLS; cell++) {
            streets += is_street(cell);
            manholes += is_manhole(cell);
            const int line = is_street(cell) ? arms(cell) : 0;
            corners += line == 3 || line == 6 || line == 9 || line == 12;
        }
        cities += features->city_count;
        buildings += features->placement_count;
        for (size_t k = 0; k < features->placement_count; k++) {
            const char *id = town.f.cat.specials[features->placements[k].special].id;
            finales += strcmp(id, "hall") == 0;
            malls += strcmp(id, "mall") == 0;
        }
        free_case();
    }
    ck_assert_uint_gt(cities, 60);
    ck_assert_uint_gt(streets, 40 * cities);
    /* At the edge of town streets turn. */
    ck_assert_uint_gt(corners, cities);
    ck_assert_uint_gt(buildings, 40 * cities);
    ck_assert_uint_gt(manholes, cities / 4);
    ck_assert_uint_gt(malls, cities / 2);
    /* A third of the cities are large or huge: each has one finale, unless there is no room. */
    ck_assert_uint_gt(finales, cities / 6);
    ck_assert_uint_le(finales, cities);
}
END_TEST

/* Near the centre are shops, far out are houses: the mean distances differ by a lot. */
START_TEST(shops_are_in_the_middle)
{
    double sum[2] = {0}, count[2] = {0};
    for (int i = 0; i < 12; i++) {
        make_case(6 * i, false);
        const gen_features *features = generator_features(town.f.gen);
        for (size_t k = 0; k < features->placement_count; k++) {
            const gen_placement *p = &features->placements[k];
            const gen_city *c = &features->cities[p->city];
            const char *id = town.f.cat.specials[p->special].id;
            const bool house = strcmp(id, "FakeSpecial_house") == 0;
            if (!house && strcmp(id, "FakeSpecial_shop") != 0)
                continue;
            const double dx = p->x - c->x, dy = p->y - c->y;
            sum[house] += (dx * dx + dy * dy) / (c->size * c->size);
            count[house]++;
            /* Less than the radius for certain: 30 % of the size. */
            MUST(!house || 100 * 100 * (dx * dx + dy * dy) >= 900.0 * c->size * c->size,
                 "a house at %d,%d", p->x, p->y);
        }
        free_case();
    }
    ck_assert(count[0] > 100 && count[1] > 100);
    ck_assert(sum[1] / count[1] > 2 * (sum[0] / count[0]));
}
END_TEST

/* The same chunk from a new generator and from one that made others before. */
START_TEST(equal_inputs_give_equal_chunks)
{
    make_case(_i, false);
    const size_t placements = generator_features(town.f.gen)->placement_count;
    const gen_city city = generator_features(town.f.gen)->cities[0];
    const ptl_chunk_pos pos = ptl_chunk_position(town.after);
    ptl_chunk_free(town_chunk(&town.f, 50, 50, true));
    ptl_chunk *again = town_chunk(&town.f, pos.x, pos.y, true);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        static ptl_oter a[CELLS], b[CELLS];
        ptl_chunk_level(a, town.after, z);
        ptl_chunk_level(b, again, z);
        ck_assert_mem_eq(a, b, sizeof a);
    }
    const gen_features *features = generator_features(town.f.gen);
    ck_assert_uint_eq(features->placement_count, placements);
    ck_assert_int_eq(features->cities[0].x, city.x);
    ck_assert_int_eq(features->cities[0].size, city.size);
    ptl_chunk_free(again);
    free_case();
}
END_TEST

TCase *cities_chunk_case(void)
{
    TCase *tc = tcase_create("chunk");
    tcase_add_loop_test(tc, streets_and_buildings_hold_together, 0, CASES + 6);
    tcase_add_test(tc, centres_move_no_farther_than_they_must);
    tcase_add_test(tc, cities_are_worth_the_name);
    tcase_add_test(tc, shops_are_in_the_middle);
    tcase_add_loop_test(tc, equal_inputs_give_equal_chunks, 0, 4);
    return tc;
}
