/* Measuring against the plainest way of counting the same, on made-up chunks. */
#include "analysis/measure/measure.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/analysis/analysis_fixture.h"

#include <check.h>
#include <string.h>

enum { SIDE = PTL_CHUNK_SIZE, CELLS = PTL_LEVEL_CELLS };

static ptl_error err;
static ptl_chunk *chunk;
static gen_features things;
static summary sum;
static measurer *m;
static const catalogue *cat;

static void set_up(void)
{
    memset(&err, 0, sizeof err);
    memset(&things, 0, sizeof things);
    memset(&sum, 0, sizeof sum);
    cat = fixture_content();
    m = measurer_new(cat);
    ck_assert_ptr_nonnull(m);
}

static void tear_down(void)
{
    ptl_chunk_free(chunk);
    chunk = NULL;
    features_dispose(&things);
    summary_dispose(&sum);
    measurer_free(m);
}

/* A new chunk, measured. */
static void make(uint64_t seed, uint32_t parts)
{
    ptl_chunk_free(chunk);
    chunk = fixture_tiles(seed);
    fixture_things(&things, seed);
    ck_assert_ptr_nonnull(chunk);
    ck_assert_int_eq(measure(&sum, m, chunk, &things, parts, &err), PTL_OK);
    ck_assert_uint_eq(sum.parts, parts);
    ck_assert_msg(!summary_problem(&sum), "seed %u: %s", (unsigned)seed, summary_problem(&sum));
}

static uint16_t terrain_at(int32_t cell, int32_t z)
{
    const level *l = chunk_level(chunk, z);
    return cat->oters[l->cells ? l->cells[cell] : l->fill].terrain;
}

/* The plainest square root: no floats. */
static int32_t plain_root(int32_t square)
{
    int32_t root = 0;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return root;
}

/* ---- distances: test_measure_distance.c has them cell by cell ---- */

static int32_t plain_city(int32_t x, int32_t y)
{
    int32_t best = INT32_MAX;
    for (size_t i = 0; i < things.city_count; i++) {
        const gen_city *c = &things.cities[i];
        const int32_t dx = x - c->x, dy = y - c->y;
        const int32_t distance = plain_root(dx * dx + dy * dy) - c->size;
        best = distance < best ? distance : best;
    }
    return best < 0 ? 0 : best;
}

/* ---- tiles ---- */

static int32_t count_cells(const char *id, int32_t z)
{
    uint16_t terrain = 0;
    while (strcmp(cat->terrains[terrain].id, id) != 0)
        terrain++;
    int32_t count = 0;
    for (int32_t i = 0; i < CELLS; i++)
        count += terrain_at(i, z) == terrain;
    return count;
}

START_TEST(terrains_and_lines)
{
    for (int seed = 0; seed < test_seeds(10); seed++) {
        int32_t roads = 0, trails = 0, all = 0;
        make((uint64_t)seed, PTL_COUNT_TERRAINS | PTL_COUNT_LINES);
        for (size_t i = 0; i < sum.terrain_count; i++) {
            const summary_terrain *t = &sum.terrains[i];
            ck_assert_int_eq(t->cells, count_cells(t->id, t->z));
            ck_assert_int_gt(t->cells, 0);
            all += t->cells;
            roads += strcmp(t->id, "street") == 0 ? t->cells : 0;
            trails +=
                strcmp(t->id, "woods") == 0 || strcmp(t->id, "motorway") == 0 ? t->cells : 0;
        }
        ck_assert_int_eq(all, PTL_LEVELS * CELLS);
        ck_assert_uint_eq(sum.line_count, 2);
        ck_assert_str_eq(sum.lines[0].id, "local_road");
        ck_assert_int_eq(sum.lines[0].cells, roads);
        ck_assert_int_eq(sum.lines[1].cells, trails);
    }
}
END_TEST

/* 1 a lake, 2 a river, 0 neither */
static int water_at(int32_t cell)
{
    const uint32_t flags = cat->terrains[terrain_at(cell, 0)].flags;
    return flags & (CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE) ? 1 : flags & CAT_FLAG_RIVER ? 2 : 0;
}

/* Size of the water at a cell; takes it out of `waters`. */
static int32_t flood(int *waters, int32_t *stack, int32_t start)
{
    int32_t count = 1, size = 0;
    const int kind = waters[start];
    stack[0] = start;
    waters[start] = 0;
    while (count > 0) {
        const int32_t cell = stack[--count], x = cell % SIDE, y = cell / SIDE;
        const int32_t beside[] = {x > 0 ? cell - 1 : -1, x < SIDE - 1 ? cell + 1 : -1,
                                  y > 0 ? cell - SIDE : -1, y < SIDE - 1 ? cell + SIDE : -1};
        size++;
        for (int i = 0; i < 4; i++)
            if (beside[i] >= 0 && waters[beside[i]] == kind) {
                waters[beside[i]] = 0;
                stack[count++] = beside[i];
            }
    }
    return size;
}

START_TEST(waters)
{
    static int left[CELLS];
    static int32_t stack[CELLS];
    size_t seen = 0;
    for (int seed = 0; test_goes_on(seed, 20, seen > 20); seed++) {
        make((uint64_t)seed, PTL_COUNT_WATERS);
        /* Of each kind and size there must be as many: found ones are crossed out. */
        for (int32_t i = 0; i < CELLS; i++)
            left[i] = water_at(i);
        for (int32_t i = 0; i < CELLS; i++) {
            const summary_water_kind kind = left[i] == 1 ? SUMMARY_LAKE : SUMMARY_RIVER;
            if (!left[i])
                continue;
            const int32_t size = flood(left, stack, i);
            size_t k = 0;
            while (k < sum.water_count &&
                   (sum.waters[k].kind != kind || sum.waters[k].cells != size))
                k++;
            ck_assert_uint_lt(k, sum.water_count);
            sum.waters[k].cells = -1;
            seen++;
        }
        for (size_t k = 0; k < sum.water_count; k++)
            ck_assert_int_eq(sum.waters[k].cells, -1);
    }
    ck_assert_uint_gt(seen, 20);
}
END_TEST

static bool road_at(int32_t cell)
{
    const uint16_t street = 2, motorway = 6;
    const uint16_t terrain = terrain_at(cell, 0);
    return terrain == street || terrain == motorway;
}

static int32_t plain_road(int32_t x, int32_t y)
{
    int32_t best = INT32_MAX;
    for (int32_t i = 0; i < CELLS; i++) {
        const int32_t dx = i % SIDE - x, dy = i / SIDE - y, square = dx * dx + dy * dy;
        if (square < best && road_at(i))
            best = square;
    }
    return best == INT32_MAX ? SUMMARY_NONE : plain_root(best);
}

START_TEST(baseline)
{
    for (int seed = 0; seed < test_seeds(10); seed++) {
        int32_t city[SUMMARY_FAR + 2] = {0}, some[SUMMARY_FAR + 2] = {0}, land = 0;
        make((uint64_t)seed, PTL_COUNT_BASELINE);
        for (int32_t i = 0; i < CELLS; i++) {
            if (water_at(i))
                continue;
            land++;
            city[things.city_count ? plain_city(i % SIDE, i / SIDE) : SUMMARY_FAR + 1]++;
        }
        ck_assert_mem_eq(city, sum.baseline.city, sizeof city);
        /* Roads are checked cell by cell in test_measure_distance.c: here, that these are
         * counted.
         */
        for (int32_t i = 0; i < CELLS; i += 997)
            if (!water_at(i)) {
                const int32_t d = plain_road(i % SIDE, i / SIDE);
                some[d < 0 ? SUMMARY_FAR + 1 : d]++;
            }
        int32_t zero = 0, all = 0, short_of = 0;
        for (int32_t i = 0; i < CELLS; i++)
            zero += road_at(i);
        for (size_t d = 0; d < SUMMARY_FAR + 2; d++) {
            all += sum.baseline.road[d];
            short_of += some[d] > sum.baseline.road[d];
        }
        ck_assert_int_eq(all, land);
        ck_assert_int_eq(short_of, 0);
        ck_assert_int_eq(sum.baseline.road[0], zero);
    }
}
END_TEST

/* ---- specials ---- */

START_TEST(specials)
{
    uint64_t others = 0;
    for (int seed = 0; seed < test_seeds(40); seed++) {
        make((uint64_t)seed, PTL_COUNT_SPECIALS);
        size_t entries = 0;
        for (uint16_t s = 0; s < cat->special_count; s++) {
            gen_attempt asked = {0};
            int32_t there = 0;
            for (size_t i = 0; i < things.attempt_count; i++)
                if (things.attempts[i].special == s)
                    asked = things.attempts[i];
            for (size_t i = 0; i < things.placement_count; i++)
                there += things.placements[i].special == s && !cat->specials[s].building;
            if (!asked.asked && !there)
                continue;
            size_t k = 0;
            while (k < sum.special_count &&
                   strcmp(sum.specials[k].id, cat->specials[s].id) != 0)
                k++;
            ck_assert_uint_lt(k, sum.special_count);
            const summary_special *e = &sum.specials[k];
            ck_assert(e->asked == asked.asked && e->ground == asked.ground &&
                      e->linked == asked.linked && e->city == asked.city &&
                      e->room == asked.room && e->failed == asked.failed &&
                      e->placed == asked.placed);
            ck_assert_int_eq(e->placed + e->others, there);
            others += (uint64_t)e->others;
            entries++;
        }
        ck_assert_uint_eq(entries, sum.special_count);
        ck_assert_uint_eq(sum.place_count + sum.terrain_count + sum.city_count, 0);
    }
    ck_assert_uint_gt(others, 0);
}
END_TEST

/* Is the cell one of the special's tiles at its z? */
static bool is_tile(size_t number, int32_t x, int32_t y)
{
    const gen_placement *p = &things.placements[number];
    const cat_special *s = &cat->specials[p->special];
    bool is = false;
    for (size_t i = 0; i < s->omt_count; i++) {
        int32_t tx, ty;
        feature_rotate(s->omts[i].x, s->omts[i].y, p->rotation, &tx, &ty);
        is |= s->omts[i].z == 0 && p->x + tx == x && p->y + ty == y;
    }
    for (size_t i = 0; i < things.piece_count; i++) {
        const gen_piece *part = &things.pieces[i];
        is |= part->placement == (int32_t)number && part->z == p->z && part->x == x &&
              part->y == y;
    }
    return is;
}

/* Of tiles that lie inside of the chunk. */
static const char *plain_around(size_t number)
{
    static uint8_t own[CELLS];
    int32_t votes[16] = {0};
    const char *best = "";
    int32_t most = 0;
    for (int32_t i = 0; i < CELLS; i++)
        own[i] = is_tile(number, i % SIDE, i / SIDE);
    for (int32_t i = 0; i < CELLS; i++) {
        const int32_t x = i % SIDE, y = i / SIDE;
        if (!own[i] && ((x > 0 && own[i - 1]) || (x < SIDE - 1 && own[i + 1]) ||
                        (y > 0 && own[i - SIDE]) || (y < SIDE - 1 && own[i + SIDE])))
            votes[terrain_at(i, things.placements[number].z)]++;
    }
    for (size_t t = 0; t < cat->terrain_count; t++)
        if (votes[t] > most ||
            (votes[t] == most && most > 0 && strcmp(cat->terrains[t].id, best) < 0)) {
            most = votes[t];
            best = cat->terrains[t].id;
        }
    return best;
}

static int32_t plain_same(size_t number)
{
    const gen_placement *p = &things.placements[number];
    int32_t best = INT32_MAX;
    for (size_t i = 0; i < things.placement_count; i++) {
        const gen_placement *q = &things.placements[i];
        const int32_t dx = p->x - q->x, dy = p->y - q->y;
        if (i != number && q->special == p->special && dx * dx + dy * dy < best)
            best = dx * dx + dy * dy;
    }
    return best == INT32_MAX ? SUMMARY_NONE : plain_root(best);
}

static int32_t cut(int32_t distance)
{
    return distance > SUMMARY_FAR ? SUMMARY_FAR : distance;
}

static void check_place(const summary_place *e, size_t number)
{
    const gen_placement *p = &things.placements[number];
    ck_assert_str_eq(e->id, cat->specials[p->special].id);
    ck_assert(e->x == p->x && e->y == p->y && e->z == p->z && e->rotation == p->rotation);
    ck_assert_int_eq(e->same, cut(plain_same(number)));
    ck_assert_int_eq(e->road, cut(plain_road(p->x, p->y)));
    ck_assert_int_eq(e->city, things.city_count ? cut(plain_city(p->x, p->y)) : SUMMARY_NONE);
    ck_assert_str_eq(e->around, plain_around(number));
}

START_TEST(places)
{
    size_t seen = 0;
    for (int seed = 0; seed < test_seeds(8); seed++) {
        make((uint64_t)seed, PTL_COUNT_PLACES);
        size_t k = 0;
        for (size_t i = 0; i < things.placement_count; i++)
            if (!cat->specials[things.placements[i].special].building) {
                ck_assert_uint_lt(k, sum.place_count);
                check_place(&sum.places[k++], i);
            }
        ck_assert_uint_eq(k, sum.place_count);
        seen += k;
    }
    ck_assert_uint_gt(seen, 10);
}
END_TEST

START_TEST(places_of_one)
{
    const uint16_t tower = 0;
    for (int seed = 0; seed < 10; seed++) {
        measurer_only(m, tower);
        make((uint64_t)seed, PTL_COUNT_PLACES | PTL_COUNT_SPECIALS);
        size_t k = 0;
        for (size_t i = 0; i < things.placement_count; i++)
            if (things.placements[i].special == tower)
                check_place(&sum.places[k++], i);
        ck_assert_uint_eq(k, sum.place_count);
        measurer_only(m, CAT_NONE);
        measurer_footprints(m, false);
        make((uint64_t)seed, PTL_COUNT_PLACES);
        for (size_t i = 0; i < sum.place_count; i++)
            ck_assert(strcmp(sum.places[i].id, "burrow") == 0 || sum.places[i].around[0] == 0);
        measurer_footprints(m, true);
    }
}
END_TEST

/* ---- cities ---- */

static void check_building(const summary_building *e)
{
    int32_t count = 0, least = INT32_MAX, most = -1;
    int64_t all = 0;
    for (size_t i = 0; i < things.placement_count; i++) {
        const gen_placement *p = &things.placements[i];
        if (p->city < 0 || strcmp(cat->specials[p->special].id, e->id) != 0 ||
            things.cities[p->city].size != e->size)
            continue;
        const int32_t dx = p->x - things.cities[p->city].x,
                      dy = p->y - things.cities[p->city].y;
        const int32_t distance = plain_root(dx * dx + dy * dy);
        count++;
        all += distance;
        least = distance < least ? distance : least;
        most = distance > most ? distance : most;
    }
    ck_assert(e->count == count && e->distance_sum == all && e->distance_min == least &&
              e->distance_max == most);
}

START_TEST(cities)
{
    for (int seed = 0; seed < test_seeds(40); seed++) {
        int32_t with_city = 0, counted = 0;
        make((uint64_t)seed, PTL_COUNT_CITIES);
        ck_assert_uint_eq(sum.city_count, things.city_count);
        for (size_t i = 0; i < things.city_count; i++) {
            int32_t buildings = 0;
            for (size_t k = 0; k < things.placement_count; k++)
                buildings += things.placements[k].city == (int16_t)i;
            ck_assert_int_eq(sum.cities[i].buildings, buildings);
            ck_assert(sum.cities[i].x == things.cities[i].x &&
                      sum.cities[i].y == things.cities[i].y &&
                      sum.cities[i].size == things.cities[i].size);
            with_city += buildings;
        }
        for (size_t i = 0; i < sum.building_count; i++) {
            check_building(&sum.buildings[i]);
            counted += sum.buildings[i].count;
        }
        ck_assert_int_eq(counted, with_city);
    }
}
END_TEST

/* One measurer, all parts, again and again: nothing is left over from the chunk before. */
START_TEST(repeats)
{
    summary first = {0};
    for (int seed = 0; seed < 5; seed++) {
        make((uint64_t)seed, PTL_COUNT_ALL);
        measurer *fresh = measurer_new(cat);
        ck_assert_int_eq(measure(&first, fresh, chunk, &things, PTL_COUNT_ALL, &err), PTL_OK);
        ck_assert_mem_eq(&first.baseline, &sum.baseline, sizeof sum.baseline);
        ck_assert_uint_eq(first.place_count, sum.place_count);
        for (size_t i = 0; i < sum.place_count; i++)
            ck_assert(first.places[i].road == sum.places[i].road &&
                      first.places[i].around == sum.places[i].around);
        ck_assert_uint_eq(first.terrain_count, sum.terrain_count);
        ck_assert_uint_eq(first.water_count, sum.water_count);
        ck_assert_uint_eq(first.building_count, sum.building_count);
        ck_assert_uint_eq(first.special_count, sum.special_count);
        measurer_free(fresh);
    }
    summary_dispose(&first);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("measure");
    TCase *tc = tcase_create("measure");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, terrains_and_lines);
    tcase_add_test(tc, waters);
    tcase_add_test(tc, baseline);
    tcase_add_test(tc, specials);
    tcase_add_test(tc, places);
    tcase_add_test(tc, places_of_one);
    tcase_add_test(tc, cities);
    tcase_add_test(tc, repeats);
    suite_add_tcase(s, tc);
    return suite_run(s);
}
