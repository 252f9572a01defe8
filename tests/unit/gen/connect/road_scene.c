/*
 * Scenes: a generator whose chunk is filled here, as the pipeline's start would fill it, and
 * the checks on what a step left. The checks read OMTs alone and share no code with the
 * engine.
 */
#include "unit/gen/connect/road_scene.h"

#include "gen/pipeline.h"
#include "gen/steps/steps.h"
#include "support/land_catalogue.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const int8_t DX[4] = {0, 1, 0, -1}, DY[4] = {-1, 0, 1, 0};

void scene_clear(scene *s)
{
    generator *g = s->g;
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&s->chunk->levels[i], s->config->defaults[i]);
    for (int d = 0; d < 4; d++)
        s->edges[d].count = 0;
    features_reset(&g->features);
    memset(g->reserved, 0, SIZE * SIZE);
    g->event_count = 0;
    g->ground = cells_at(g, 0);
    ck_assert_ptr_nonnull(g->ground);
}

scene *scene_new(uint64_t seed)
{
    scene *s = calloc(1, sizeof *s);
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    ck_assert_ptr_nonnull(s);
    ck_assert_int_eq(gen_config_new(&s->config, town_catalogue(), &options, NULL), PTL_OK);
    s->g = generator_new(s->config);
    s->chunk = chunk_new((ptl_chunk_pos){(int32_t)seed, 7});
    ck_assert(s->g && s->chunk);
    for (int d = 0; d < 4; d++) {
        s->edges[d] = (edge){.crossings = s->crossings[d], .origin = EDGE_FOREIGN};
        s->list[d] = &s->edges[d];
    }
    s->g->chunk = s->chunk;
    s->g->edges = s->list;
    s->house = scene_oter(s, "house_north");
    s->house_special = catalogue_special(s->config->cat, "FakeSpecial_house");
    scene_clear(s);
    return s;
}

void scene_free(scene *s)
{
    generator_free(s->g);
    gen_config_free(s->config);
    ptl_chunk_free(s->chunk);
    free(s);
}

ptl_oter scene_oter(const scene *s, const char *id)
{
    ptl_oter oter = catalogue_oter_or_first(s->config->cat, id);
    ck_assert_msg(oter != CAT_NONE, "no terrain %s", id);
    return oter;
}

const char *scene_id(const scene *s, int32_t x, int32_t y, int32_t z)
{
    return s->config->cat->oters[ptl_chunk_oter(s->chunk, x, y, z)].id;
}

void scene_paint(scene *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1, const char *id)
{
    ptl_oter oter = scene_oter(s, id);
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++)
            if (inside(x, y))
                s->g->ground[y * SIZE + x] = oter;
}

void scene_exit(scene *s, int direction, const char *kind, int32_t position, int32_t z)
{
    edge *e = &s->edges[direction];
    ck_assert_uint_lt(e->count, EDGE_CROSSINGS_MAX);
    e->crossings[e->count++] =
        (crossing){.kind = kind, .position = (int16_t)position, .z = (int8_t)z};
}

void scene_city(scene *s, int32_t x, int32_t y, int32_t size)
{
    gen_city *city = features_add_city(&s->g->features);
    ck_assert_ptr_nonnull(city);
    *city = (gen_city){.name = "", .x = (int16_t)x, .y = (int16_t)y, .size = (int16_t)size};
    scene_paint(s, x, y, x, y, "road_isolated");
}

void scene_house(scene *s, int32_t x, int32_t y)
{
    gen_placement *p = features_add_placement(&s->g->features);
    ck_assert_ptr_nonnull(p);
    *p = (gen_placement){
        .special = s->house_special, .x = (int16_t)x, .y = (int16_t)y, .city = FEATURE_NO_CITY};
    s->g->ground[y * SIZE + x] = s->house;
}

void scene_run(scene *s, const char *step)
{
    const gen_step *what = strcmp(step, "roads") == 0 ? &step_roads : &step_forest_trails;
    s->g->running = &what->info;
    what->run(s->g);
    ck_assert(!s->g->failed);
}

const gen_event *scene_event(const scene *s, const char *kind, int32_t x, int32_t y)
{
    size_t count;
    const gen_event *events = generator_events(s->g, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(events[i].kind, kind) == 0 && events[i].x == x && events[i].y == y)
            return &events[i];
    return NULL;
}

/* ---- arms ---- */

static uint16_t oter_count(const catalogue *cat, ptl_oter oter)
{
    return cat->terrains[cat->oters[oter].terrain].count;
}

/* A road goes on across a level crossing, which is no OMT of it. */
static bool crosses(const catalogue *cat, size_t connection, ptl_oter oter)
{
    return oter_count(cat, oter) == 4 &&
           strncmp(cat->oters[oter].id, "railroad_level_crossing", 23) == 0 &&
           strcmp(cat->connections[connection].id, "local_road") == 0;
}

/* Does the oter belong to the connection? */
static bool of(const catalogue *cat, size_t connection, ptl_oter oter)
{
    return cat_terrain_in(cat->connections[connection].terrains, cat->oters[oter].terrain) ||
           crosses(cat, connection, oter);
}

static bool has_arm(const catalogue *cat, size_t connection, ptl_oter oter, int direction)
{
    const cat_oter *o = &cat->oters[oter];
    switch (oter_count(cat, oter)) {
    case 16:
        return o->line >> direction & 1;
    case 4:
        return (o->rotation % 2 == direction % 2) != crosses(cat, connection, oter);
    default:
        return true;
    }
}

static bool is_exit(const scene *s, size_t connection, int32_t z, int32_t x, int32_t y,
                    int direction)
{
    int32_t position = direction % 2 ? y : x;
    for (size_t i = 0; i < s->edges[direction].count; i++) {
        const crossing *c = &s->edges[direction].crossings[i];
        if (c->position == position && c->z == z &&
            strcmp(c->kind, s->config->cat->connections[connection].id) == 0)
            return true;
    }
    return false;
}

static void check_cell(const scene *s, size_t connection, int32_t z, int32_t x, int32_t y)
{
    const catalogue *cat = s->config->cat;
    ptl_oter own = ptl_chunk_oter(s->chunk, x, y, z);
    for (int d = 0; d < 4; d++) {
        int32_t nx = x + DX[d], ny = y + DY[d];
        bool arm = of(cat, connection, own) && has_arm(cat, connection, own, d);
        bool linear = oter_count(cat, own) == 16;
        if (!inside(nx, ny)) {
            bool exit = is_exit(s, connection, z, x, y, d);
            if (exit != (arm && (exit || linear)))
                ck_abort_msg("%d,%d,%d %d: %s %s", x, y, z, d, cat->oters[own].id,
                             exit ? "at an exit" : "leads out");
        } else if (arm && linear) {
            ptl_oter other = ptl_chunk_oter(s->chunk, nx, ny, z);
            if (!of(cat, connection, other) || !has_arm(cat, connection, other, (d + 2) % 4))
                ck_abort_msg("%d,%d,%d %d: %s next to %s", x, y, z, d, cat->oters[own].id,
                             cat->oters[other].id);
        }
    }
}

void scene_check_arms(const scene *s, int32_t z)
{
    static ptl_oter cells[SIZE * SIZE];
    ptl_chunk_level(cells, s->chunk, z);
    for (int32_t i = 0; i < SIZE * SIZE; i++) {
        int32_t x = i % SIZE, y = i / SIZE;
        bool border = x == 0 || x == SIZE - 1 || y == 0 || y == SIZE - 1;
        if (!border && oter_count(s->config->cat, cells[i]) != 16)
            continue;
        for (size_t c = 0; c < s->config->cat->connection_count; c++)
            check_cell(s, c, z, x, y);
    }
}

int32_t scene_parts(const scene *s, size_t connection, int32_t z, int32_t *labels)
{
    static int32_t queue[SIZE * SIZE];
    static ptl_oter cells[SIZE * SIZE];
    const catalogue *cat = s->config->cat;
    int32_t parts = 0;
    ptl_chunk_level(cells, s->chunk, z);
    memset(labels, 0, SIZE * SIZE * sizeof *labels);
    for (int32_t start = 0; start < SIZE * SIZE; start++) {
        if (labels[start] || !of(cat, connection, cells[start]))
            continue;
        int32_t count = 0;
        queue[count++] = start;
        labels[start] = ++parts;
        for (int32_t head = 0; head < count; head++)
            for (int d = 0; d < 4; d++) {
                int32_t x = queue[head] % SIZE, y = queue[head] / SIZE;
                int32_t nx = x + DX[d], ny = y + DY[d], n = ny * SIZE + nx;
                if (!inside(nx, ny) || labels[n])
                    continue;
                ptl_oter a = cells[queue[head]], b = cells[n];
                if (of(cat, connection, b) && has_arm(cat, connection, a, d) &&
                    has_arm(cat, connection, b, (d + 2) % 4)) {
                    labels[n] = parts;
                    queue[count++] = n;
                }
            }
    }
    return parts;
}
