/*
 * Highways in whole chunks, over seeds, with a pack of our own on top of the embedded one: a
 * grid of 4 x 4 overmaps, so that nearly every chunk has some. What the plans promise comes
 * out: nothing stays reserved, every crossing has its two cells on both sides, all of a chunk's
 * highways hang together, what is raised stands on supports, and roads cross at right angles.
 */
#include "gen/highways/highway.h"
#include "gen/pipeline.h"
#include "support/chunk_maker.h"
#include "support/content_catalogue.h"
#include "support/seam_run.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 6 };

static catalogue *load(void)
{
    char own[1024], more[1024];
    const char *source = getenv("PORTOLAN_SOURCE_DIR");
    ck_assert_ptr_nonnull(source);
    snprintf(own, sizeof own, "%s/data", source);
    snprintf(more, sizeof more, "%s/tests/content/highways", source);
    return content_catalogue_of((const char *const[]){own, more}, 2, false);
}

/* The chunk in work, read off. */
typedef struct view {
    const catalogue *cat;
    const ptl_chunk *chunk;
    ptl_chunk_pos pos;
} view;

static const char *terrain_at(const view *v, int32_t x, int32_t y, int32_t z)
{
    const ptl_oter oter = ptl_chunk_oter(v->chunk, x, y, z);
    return v->cat->terrains[v->cat->oters[oter].terrain].id;
}

/* Is it highway, not reserved ground, not what carries it, not a road above it? */
static bool is_highway(const view *v, int32_t x, int32_t y, int32_t z)
{
    static const char *const others[] = {"hw_supports", "hw_column", "hw_bridge_road"};
    const char *id = terrain_at(v, x, y, z);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(id, others[i]) == 0)
            return false;
    return strncmp(id, "hw_", 3) == 0;
}

static bool is(const view *v, int32_t x, int32_t y, int32_t z, const char *id)
{
    return inside(x, y) && strcmp(terrain_at(v, x, y, z), id) == 0;
}

static void check_reserved(const view *v)
{
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        for (int32_t z = -1; z <= 1; z++)
            ck_assert_msg(!is(v, i % SIZE, i / SIZE, z, "hw_reserved"), "%d,%d: %d,%d",
                          v->pos.x, v->pos.y, i % SIZE, i / SIZE);
}

/* What is raised has something below it, and columns in water. */
static int check_supports(const view *v)
{
    int raised = 0;
    for (int32_t y = 1; y < SIZE - 1; y++)
        for (int32_t x = 1; x < SIZE - 1; x++) {
            if (is(v, x, y, 0, "hw_supports"))
                for (int32_t z = -1; z >= PTL_Z_MIN; z--)
                    ck_assert_msg(strncmp(terrain_at(v, x, y, z), "lake", 4) != 0,
                                  "%d,%d,%d: %s", x, y, z, terrain_at(v, x, y, z));
            if (!is(v, x, y, 1, "hw_road"))
                continue;
            ck_assert(is(v, x, y, 0, "hw_supports"));
            raised++;
        }
    return raised;
}

/* Marks what hangs together with a cell, over both levels; ramps join them. */
static void flood(const view *v, uint8_t seen[2][SIZE * SIZE], int32_t cell, int32_t z)
{
    static int32_t queue[2 * SIZE * SIZE];
    size_t head = 0, tail = 0;
    queue[tail++] = z * SIZE * SIZE + cell;
    seen[z][cell] = 1;
    while (head < tail) {
        const int32_t at = queue[head++], up = at / (SIZE * SIZE), here = at % (SIZE * SIZE);
        const int32_t x = here % SIZE, y = here / SIZE;
        for (int d = 0; d < 5; d++) {
            const int32_t nx = x + (d == 1) - (d == 3), ny = y + (d == 2) - (d == 0);
            const int32_t nz = d == 4 ? !up : up;
            const bool climbs = is(v, x, y, 0, "hw_ramp") && is(v, x, y, 1, "hw_ramp_top");
            if (!inside(nx, ny) || (d == 4 && !climbs) || seen[nz][ny * SIZE + nx] ||
                !is_highway(v, nx, ny, nz))
                continue;
            seen[nz][ny * SIZE + nx] = 1;
            queue[tail++] = nz * SIZE * SIZE + ny * SIZE + nx;
        }
    }
}

/* How many sides have a highway; all of them are joined, unless an event says they aren't. */
static int check_ends(const view *v, const gen_config *config, bool unreached)
{
    static uint8_t seen[2][SIZE * SIZE];
    int ends = 0;
    memset(seen, 0, sizeof seen);
    for (int d = 0; d < 4; d++) {
        edge e;
        int32_t ex, ey;
        edge_side side;
        plan_edge_of_chunk(v->pos, d, &ex, &ey, &side);
        ck_assert_int_eq(plan_edge(&e, config, ex, ey, side, NULL), PTL_OK);
        for (size_t i = 0; i < e.count; i++) {
            const crossing *c = &e.crossings[i];
            if (!crossing_is_highway(c))
                continue;
            const bool along_x = side == EDGE_SOUTH;
            const int32_t line = d == 1 || d == 2 ? SIZE - 1 : 0;
            for (int32_t k = 0; k < 2; k++) {
                const int32_t x = along_x ? c->position + k : line;
                const int32_t y = along_x ? line : c->position + k;
                ck_assert_msg(is_highway(v, x, y, c->z), "%d,%d: nothing at %d,%d,%d: %s",
                              v->pos.x, v->pos.y, x, y, c->z, terrain_at(v, x, y, c->z));
                if (ends == 0 && k == 0)
                    flood(v, seen, y * SIZE + x, c->z);
                ck_assert_msg(unreached || seen[(int)c->z][y * SIZE + x], "%d,%d: side %d",
                              v->pos.x, v->pos.y, d);
            }
            ends++;
        }
        edge_dispose(&e);
    }
    return ends;
}

/* A road above a highway goes on at both sides of it, straight. */
static int check_roads(const view *v, const gen_features *f)
{
    int bridges = 0;
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        if (strcmp(v->cat->specials[p->special].id, "hw road bridge") != 0)
            continue;
        const bool along_y = p->rotation % 2 == 0; /* the highway */
        const int32_t x = p->rotation == 2 ? p->x - 1 : p->x;
        const int32_t y = p->rotation == 3 ? p->y - 1 : p->y;
        const uint8_t arms = along_y ? 2 | 8 : 1 | 4;
        const ptl_oter sides[2] = {
            ptl_chunk_oter(v->chunk, x - along_y, y - !along_y, 0),
            ptl_chunk_oter(v->chunk, x + 2 * along_y, y + 2 * !along_y, 0)};
        for (int k = 0; k < 2; k++) {
            const cat_oter *o = &v->cat->oters[sides[k]];
            const bool goes_on = o->line & arms & (k == 0 ? 2 | 4 : 8 | 1);
            ck_assert_msg(goes_on || strncmp(o->id, "hw_", 3) == 0 ||
                              strstr(o->id, "manhole") || strstr(o->id, "bridge"),
                          "%d,%d: %s beside a bridge at %d,%d", v->pos.x, v->pos.y, o->id, x,
                          y);
        }
        bridges++;
    }
    return bridges;
}

/* Between two raised pieces at least three lie on the ground: a dip is no shorter. Returns how
 * many have exactly three. */
static int check_dips(const view *v, const highway_layout *l)
{
    int shortest = 0;
    for (size_t i = 0; i < l->path_count; i++) {
        const highway_piece *p = l->pieces + l->paths[i].first;
        size_t raised = SIZE_MAX;
        for (size_t k = 0; k < l->paths[i].count; k++) {
            if (!p[k].raised)
                continue;
            ck_assert_msg(raised == SIZE_MAX || k == raised + 1 || k > raised + 3,
                          "%d,%d: path %zu dips from %zu to %zu", v->pos.x, v->pos.y, i, raised,
                          k);
            shortest += raised != SIZE_MAX && k == raised + 4;
            raised = k;
        }
    }
    return shortest;
}

/* A slant to the right of its heading is the clockwise one, whatever the heading. */
static void check_slants(const view *v, const highway_layout *l, int sides[4][2])
{
    static const int32_t right_x[4] = {1, 0, -1, 0}, right_y[4] = {0, 1, 0, -1};
    for (size_t i = 0; i < l->count; i++) {
        const highway_piece *p = &l->pieces[i];
        if (p->kind != HIGHWAY_SLANT)
            continue;
        const bool right = p->aside * (right_x[p->heading] + right_y[p->heading]) > 0;
        ck_assert_str_eq(v->cat->specials[p->special].id,
                         right ? "hw slant right" : "hw slant left");
        sides[p->heading][right]++;
    }
}

START_TEST(highways_come_out)
{
    static const char *const regions[] = {"highways", "wet"};
    catalogue *cat = load();
    int ends = 0, raised = 0, bridges = 0, chunks = 0, failed = 0, dips = 0;
    int slants[4][2] = {{0}};
    for (int seed = 0; seed < test_seeds(SEEDS); seed++) {
        ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
        options.seed = (uint64_t)seed;
        options.region = regions[seed % 2];
        maker m = maker_new(cat, &options);
        ck_assert_int_eq(m.config->highways.columns, 4);
        for (int k = 0; k < 9; k++) {
            const ptl_chunk_pos pos = {k % 3 - 70 * seed, 500 * seed + k / 3};
            ptl_chunk *chunk = make(&m, pos.x, pos.y, GEN_STEPS_MAX);
            const view v = {cat, chunk, pos};
            size_t events;
            const gen_event *list = generator_events(m.gen, &events);
            bool unreached = false;
            for (size_t i = 0; i < events; i++)
                unreached = unreached || strcmp(list[i].kind, "highway_unreached") == 0;
            check_reserved(&v);
            raised += check_supports(&v);
            dips += check_dips(&v, m.gen->highways);
            check_slants(&v, m.gen->highways, slants);
            ends += check_ends(&v, m.config, unreached);
            bridges += check_roads(&v, generator_features(m.gen));
            failed += unreached;
            chunks++;
            ptl_chunk_free(chunk);
        }
        maker_free(&m);
    }
    printf("%d chunks, %d ends, %d raised cells, %d bridges of roads, %d unreached, %d short "
           "dips\n",
           chunks, ends, raised, bridges, failed, dips);
    for (int heading = 0; heading < 4; heading++)
        printf("heading %d: slants %d left, %d right\n", heading, slants[heading][0],
               slants[heading][1]);
    ck_assert_int_gt(ends * 2, chunks);
    ck_assert_int_gt(raised, chunks);
    ck_assert_int_gt(bridges * 5, chunks);
    ck_assert_int_lt(failed * 20, chunks);
    catalogue_free(cat);
}
END_TEST

/* A dip of two between waters is raised, one of three stays on the ground. */
START_TEST(short_dips_are_raised)
{
    static const struct {
        size_t second; /* the piece over water behind the one at 4 */
        bool raised;
    } cases[] = {{6, true}, {7, true}, {8, false}, {9, false}};
    highway_layout *l = calloc(1, sizeof *l);
    generator *g = calloc(1, sizeof *g);
    ck_assert(l && g);
    g->highways = l;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const highway_path path = {0, 14};
        memset(l, 0, sizeof *l);
        for (size_t k = 0; k < path.count; k++)
            l->pieces[k].kind = HIGHWAY_SEGMENT;
        l->pieces[4].water = l->pieces[cases[i].second].water = true;
        ck_assert(highway_level(g, &path, false, false, false));
        for (size_t k = 5; k < cases[i].second; k++)
            ck_assert_msg(l->pieces[k].raised == cases[i].raised, "%zu: piece %zu", i, k);
    }
    free(g);
    free(l);
}
END_TEST

/* The ends of a chunk with a highway on each side: x of north and south, y of east and west. */
static bool four_ends(const gen_config *config, ptl_chunk_pos pos, int32_t at[4])
{
    int sides = 0;
    for (int d = 0; d < 4; d++) {
        int32_t x, y;
        edge_side side;
        edge e;
        plan_edge_of_chunk(pos, d, &x, &y, &side);
        ck_assert_int_eq(plan_edge(&e, config, x, y, side, NULL), PTL_OK);
        for (size_t i = 0; i < e.count; i++)
            if (crossing_is_highway(&e.crossings[i])) {
                at[d] = e.crossings[i].position;
                sides |= 1 << d;
            }
        edge_dispose(&e);
    }
    return sides == 15;
}

/* At how many corners the ends are nearer than 60 cells along a diagonal; where. */
static int near_corners(const int32_t at[4], int32_t x[4], int32_t y[4])
{
    int near = 0;
    for (int corner = 0; corner < 4; corner++) { /* south of it 2, east of it 1 */
        const int32_t along = at[corner & 2], down = at[corner & 1 ? 1 : 3];
        const int32_t dx = corner & 1 ? SIZE - 1 - along : along;
        const int32_t dy = corner & 2 ? SIZE - 1 - down : down;
        if (dx * dx + dy * dy >= 7200)
            continue;
        x[near] = along;
        y[near] = down;
        near++;
    }
    return near;
}

/* How many intersections of so many highways lie there. */
static int hubs_near(const maker *m, int32_t x, int32_t y, const char *of)
{
    const highway_layout *l = m->gen->highways;
    int hubs = 0;
    for (size_t i = 0; i < l->count; i++) {
        const highway_piece *p = &l->pieces[i];
        hubs += p->kind == HIGHWAY_HUB && strstr(m->config->cat->specials[p->special].id, of) &&
                abs(p->x - x) <= HIGHWAY_DEVIATION && abs(p->y - y) <= HIGHWAY_DEVIATION;
    }
    return hubs;
}

/* Where the ends of four sides come near each other at one corner alone, all meet where these
 * two would cross; at two corners three meet at each, and a way joins them; else all meet
 * between the ends of opposite sides, off the border. */
START_TEST(four_meet_at_near_corners)
{
    catalogue *cat = load();
    int found[3] = {0}, elsewhere = 0;
    for (int seed = 0; test_goes_on(seed, 2 * SEEDS, found[0] && found[1] && found[2]);
         seed++) {
        ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
        options.seed = (uint64_t)seed;
        options.region = "highways";
        maker m = maker_new(cat, &options);
        for (int k = 0; k < 64; k++) {
            int32_t at[4] = {0}, x[4], y[4];
            const ptl_chunk_pos pos = {k % 8, k / 8};
            if (!four_ends(m.config, pos, at))
                continue;
            ptl_chunk *chunk = make(&m, pos.x, pos.y, GEN_STEPS_MAX);
            const int near = near_corners(at, x, y);
            if (near == 0) {
                x[0] = (at[0] + at[2]) / 2;
                y[0] = (at[1] + at[3]) / 2;
            }
            bool there = hubs_near(&m, x[0], y[0], near == 2 ? "three" : "four") == 1;
            if (near == 2)
                there = there && hubs_near(&m, x[1], y[1], "three") == 1;
            ck_assert_int_le(near, 2);
            ck_assert_uint_eq(m.gen->highways->path_count, near == 2 && there ? 5u : 4u);
            const view v = {cat, chunk, pos};
            ck_assert_int_eq(check_ends(&v, m.config, false), 4);
            found[near] += there;
            elsewhere += !there;
            ptl_chunk_free(chunk);
        }
        maker_free(&m);
    }
    printf("intersections: %d half way, %d at one corner, %d at two, %d elsewhere\n", found[0],
           found[1], found[2], elsewhere);
    for (int near = 0; near < 3; near++)
        ck_assert_int_gt(found[near], 0);
    ck_assert_int_lt(elsewhere * 8, found[0] + found[1] + found[2]);
    catalogue_free(cat);
}
END_TEST

START_TEST(no_dead_ends)
{
    static const char *const regions[] = {"highways", "wet"};
    catalogue *cat = load();
    seam_run("highways", cat, regions, 2, 4000, test_seeds(SEEDS));
    catalogue_free(cat);
}
END_TEST

/* The region of the embedded pack has none, whatever the other pack says of its own. */
START_TEST(other_regions_have_none)
{
    catalogue *cat = load();
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    maker m = maker_new(cat, &options);
    ck_assert_int_eq(m.config->highways.columns, 0);
    maker_free(&m);
    catalogue_free(cat);
}
END_TEST

/* A world's own choice stands in its region's name, and that name gives it again. */
START_TEST(a_world_can_switch_them)
{
    static const struct {
        const char *region;
        ptl_highways asked;
        ptl_roads roads;
        int32_t columns; /* -1: refused */
        ptl_highways kept;
    } cases[] = {
        {"highways", PTL_HIGHWAYS_OF_REGION, PTL_ROADS_WANDERING, 4, PTL_HIGHWAYS_OF_REGION},
        {"highways", PTL_HIGHWAYS_ON, PTL_ROADS_WANDERING, 4, PTL_HIGHWAYS_OF_REGION},
        {"highways", PTL_HIGHWAYS_OFF, PTL_ROADS_WANDERING, 0, PTL_HIGHWAYS_OFF},
        {"highways", PTL_HIGHWAYS_OFF, PTL_ROADS_EXACT, 0, PTL_HIGHWAYS_OFF},
        {"highways", PTL_HIGHWAYS_ON, PTL_ROADS_EXACT, 4, PTL_HIGHWAYS_OF_REGION},
        {"default", PTL_HIGHWAYS_OFF, PTL_ROADS_WANDERING, 0, PTL_HIGHWAYS_OF_REGION},
        {"default", PTL_HIGHWAYS_ON, PTL_ROADS_WANDERING, -1, PTL_HIGHWAYS_ON},
        {"default", PTL_HIGHWAYS_OFF, PTL_ROADS_EXACT, 0, PTL_HIGHWAYS_OF_REGION},
        {"default", PTL_HIGHWAYS_OF_REGION, PTL_ROADS_WANDERING, 0, PTL_HIGHWAYS_OF_REGION},
        {"default+exact-roads", PTL_HIGHWAYS_OF_REGION, PTL_ROADS_WANDERING, -1, 0}};
    catalogue *cat = load();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
        ptl_error err = {0};
        gen_config *config;
        options.region = cases[i].region;
        options.highways = cases[i].asked;
        options.roads = cases[i].roads;
        const ptl_status status = gen_config_new(&config, cat, &options, &err);
        ck_assert_msg((status == PTL_OK) == (cases[i].columns >= 0), "%zu: %s", i, err.message);
        if (status != PTL_OK)
            continue;
        ck_assert_int_eq(config->highways.columns, cases[i].columns);
        ck_assert_str_eq(config->options.region, cases[i].region);
        ck_assert_int_eq(config->options.highways, cases[i].kept);
        ck_assert_int_eq(config->options.roads, cases[i].roads);
        gen_config_free(config);
    }
    catalogue_free(cat);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("highways");
    TCase *tests = tcase_create("highways");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, highways_come_out);
    tcase_add_test(tests, short_dips_are_raised);
    tcase_add_test(tests, four_meet_at_near_corners);
    tcase_add_test(tests, no_dead_ends);
    tcase_add_test(tests, other_regions_have_none);
    tcase_add_test(tests, a_world_can_switch_them);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
