/*
 * Roads, railroads and subways of whole chunks: neighbours agree, every city and exit is
 * joined or reported, and nothing depends on who was made first.
 */
#include "gen/pipeline.h"
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "unit/gen/connect/road_scene.h"
#include "unit/gen/connect/test_roads.h"

#include <stdlib.h>
#include <string.h>

enum { SEEDS = 7, SIDE = 2 };

static const char *const REGIONS[] = {"default", "wet", "dry", "thin"};
static int32_t labels[SIZE * SIZE];

static size_t steps_to(const char *name)
{
    size_t i = 0;
    while (i < pipeline_step_count(&overmap_pipeline) &&
           strcmp(pipeline_step(&overmap_pipeline, i)->name, name) != 0)
        i++;
    ck_assert_uint_lt(i, pipeline_step_count(&overmap_pipeline));
    return i + 1;
}

/* A made chunk as a scene: chunk and edges are to be disposed of, config and g are borrowed. */
static scene make(gen_config *config, generator *g, int32_t x, int32_t y)
{
    scene s = {.config = config, .g = g};
    for (int d = 0; d < 4; d++) {
        int32_t ex, ey;
        edge_side side;
        plan_edge_of_chunk((ptl_chunk_pos){x, y}, d, &ex, &ey, &side);
        ck_assert_int_eq(plan_edge(&s.edges[d], config, ex, ey, side, NULL), PTL_OK);
        s.list[d] = &s.edges[d];
    }
    ck_assert_int_eq(generator_run(&s.chunk, g, (ptl_chunk_pos){x, y}, s.list,
                                   steps_to("roads"), NULL, NULL, NULL),
                     PTL_OK);
    return s;
}

static void dispose(scene *s)
{
    for (int d = 0; d < 4; d++)
        edge_dispose(&s->edges[d]);
    ptl_chunk_free(s->chunk);
}

static gen_config *config_of(uint64_t seed, const char *region, int32_t city_size)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    gen_config *config = NULL;
    options.seed = seed;
    options.region = region;
    options.city_size = city_size;
    options.railroads = options.subways = true;
    ck_assert_int_eq(gen_config_new(&config, town_catalogue(), &options, NULL), PTL_OK);
    return config;
}

/* An end is in the first part of all, or has an event. */
static void check_end(const scene *s, int32_t x, int32_t y, int32_t *part)
{
    if (scene_event(s, "unreached", x, y))
        return;
    int32_t own = labels[y * SIZE + x];
    ck_assert_msg(own > 0 && (*part == 0 || own == *part), "%d,%d is apart", x, y);
    *part = own;
}

static int check_network(const scene *s, const gen_network *network)
{
    int exits = 0;
    int32_t part = 0;
    scene_parts(s, network->connection, network->z, labels);
    for (int d = 0; d < 4; d++)
        for (size_t i = 0; i < s->edges[d].count; i++) {
            const crossing *c = &s->edges[d].crossings[i];
            if (strcmp(c->kind, network->kind) != 0)
                continue;
            connect_end end = exit_end(d, c->position);
            check_end(s, end.x, end.y, &part);
            exits++;
        }
    size_t cities = network->connection == s->config->road ? s->g->features.city_count : 0;
    for (size_t i = 0; i < cities; i++)
        check_end(s, s->g->features.cities[i].x, s->g->features.cities[i].y, &part);
    return exits;
}

/* Both chunks of a border have the same arms across it, on all levels with networks. */
static void check_border(const scene *a, const scene *b, bool east)
{
    const catalogue *cat = a->config->cat;
    for (int32_t z = -2; z <= 0; z += 2)
        for (int32_t i = 0; i < SIZE; i++) {
            ptl_oter own =
                ptl_chunk_oter(a->chunk, east ? SIZE - 1 : i, east ? i : SIZE - 1, z);
            ptl_oter other = ptl_chunk_oter(b->chunk, east ? 0 : i, east ? i : 0, z);
            bool out = cat->oters[own].line >> (east ? 1 : 2) & 1;
            bool in = cat->oters[other].line >> (east ? 3 : 0) & 1;
            if (out != in)
                ck_abort_msg("%s against %s", cat->oters[own].id, cat->oters[other].id);
        }
}

START_TEST(chunks_are_joined_inside_and_across)
{
    static const int32_t SIZES[] = {8, 0, 4};
    gen_config *config = config_of((uint64_t)_i, REGIONS[_i % 4], SIZES[_i % 3]);
    generator *g = generator_new(config);
    scene scenes[SIDE][SIDE];
    int exits = 0;
    ck_assert_ptr_nonnull(g);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            scene *s = &scenes[y][x];
            *s = make(config, g, x - 1, y + _i);
            for (int32_t z = -2; z <= 0; z++)
                scene_check_arms(s, z);
            for (size_t n = 0; n < config->network_count; n++)
                exits += check_network(s, &config->networks[n]);
        }
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            if (x + 1 < SIDE)
                check_border(&scenes[y][x], &scenes[y][x + 1], true);
            if (y + 1 < SIDE)
                check_border(&scenes[y][x], &scenes[y + 1][x], false);
        }
    ck_assert_int_gt(exits, SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        dispose(&scenes[i / SIDE][i % SIDE]);
    generator_free(g);
    gen_config_free(config);
}
END_TEST

START_TEST(who_was_first_does_not_matter)
{
    static ptl_oter cells[2][SIZE * SIZE];
    gen_config *config = config_of((uint64_t)_i + 50, "default", 8);
    generator *used = generator_new(config), *fresh = generator_new(config);
    ck_assert(used && fresh);
    scene before = make(config, used, 3, 4), second = make(config, used, 4, 4);
    scene first = make(config, fresh, 4, 4);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        ptl_chunk_level(cells[0], first.chunk, z);
        ptl_chunk_level(cells[1], second.chunk, z);
        ck_assert(memcmp(cells[0], cells[1], sizeof cells[0]) == 0);
    }
    dispose(&before);
    dispose(&first);
    dispose(&second);
    generator_free(used);
    generator_free(fresh);
    gen_config_free(config);
}
END_TEST

/* Without railroads and subways the roads are the same: each network draws alone. */
START_TEST(other_networks_do_not_move_the_roads)
{
    gen_config *with = config_of((uint64_t)_i, "default", 0);
    gen_config *without = config_of((uint64_t)_i, "default", 0);
    without->network_count = 1;
    generator *a = generator_new(with), *b = generator_new(without);
    ck_assert(a && b);
    scene s = make(with, a, 0, 0), t = make(without, b, 0, 0);
    int32_t roads = 0;
    for (int32_t i = 0; i < SIZE * SIZE; i++) {
        const cat_oter *o = &with->cat->oters[ptl_chunk_oter(t.chunk, i % SIZE, i / SIZE, 0)];
        if (!cat_terrain_in(with->cat->connections[with->road].terrains, o->terrain))
            continue;
        const char *own = scene_id(&s, i % SIZE, i / SIZE, 0);
        bool crossed = strncmp(own, "railroad", 8) == 0;
        if (!crossed && strcmp(own, o->id) != 0)
            ck_abort_msg("%s was %s", own, o->id);
        roads++;
    }
    ck_assert_int_gt(roads, 50);
    dispose(&s);
    dispose(&t);
    generator_free(a);
    generator_free(b);
    gen_config_free(with);
    gen_config_free(without);
}
END_TEST

static bool in_town(const scene *s, int32_t x, int32_t y)
{
    const gen_features *f = &s->g->features;
    for (size_t i = 0; i < f->city_count; i++) {
        const int32_t reach = 2 * f->cities[i].size + 2;
        if (abs(x - f->cities[i].x) <= reach && abs(y - f->cities[i].y) <= reach)
            return true;
    }
    return false;
}

/* Curves per 100 straight OMTs of road, outside cities, of a few chunks. */
static double curves_of(ptl_roads roads)
{
    int curves = 0, straight = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        gen_config *config = config_of(seed, "default", 4);
        ptl_world_options options = config->options;
        gen_config_free(config);
        options.roads = roads;
        ck_assert_int_eq(gen_config_new(&config, town_catalogue(), &options, NULL), PTL_OK);
        generator *g = generator_new(config);
        ck_assert_ptr_nonnull(g);
        scene s = make(config, g, 0, 0);
        for (int32_t i = 0; i < SIZE * SIZE; i++) {
            const ptl_oter oter = chunk_level(s.chunk, 0)->cells[i];
            const bool road =
                connect_has(g, config->road, oter) &&
                config->cat->terrains[config->cat->oters[oter].terrain].count == 16;
            const int line = config->cat->oters[oter].line;
            if (!road || in_town(&s, i % SIZE, i / SIZE))
                continue;
            straight += line == 5 || line == 10;
            curves += line == 3 || line == 6 || line == 9 || line == 12;
        }
        dispose(&s);
        generator_free(g);
        gen_config_free(config);
    }
    ck_assert_int_gt(straight, 100);
    return 100.0 * curves / straight;
}

/* Roads curve as those of the games do, and exact ones do not. */
START_TEST(roads_wander)
{
    const double wandering = curves_of(PTL_ROADS_WANDERING), exact = curves_of(PTL_ROADS_EXACT);
    ck_assert_msg(wandering > 30 && wandering < 120, "%g", wandering);
    ck_assert_msg(exact < 25, "%g", exact);
}
END_TEST

TCase *whole_chunks_case(void)
{
    TCase *tcase = tcase_create("whole chunks");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, chunks_are_joined_inside_and_across, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, who_was_first_does_not_matter, 0, 2);
    tcase_add_loop_test(tcase, other_networks_do_not_move_the_roads, 0, 2);
    tcase_add_test(tcase, roads_wander);
    return tcase;
}
