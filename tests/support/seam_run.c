#include "support/seam_run.h"

#include "gen/pipeline.h"
#include "gen/seams/dead_ends.h"
#include "gen/work/generator.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNKS = 2, EVENT_KINDS = 64, PROBLEMS_SHOWN = 8 };

typedef struct event_count {
    const char *step, *kind;
    char detail[80];
    int count;
} event_count;

typedef struct run {
    const char *name;
    dead_ends *check;
    event_count events[EVENT_KINDS];
    size_t event_kinds;
    int problems;
    uint64_t cities, placements;
    /* what is checked at the moment */
    int seed;
    ptl_chunk_pos pos;
} run;

static bool same_event(const event_count *c, const gen_event *e)
{
    return strcmp(c->step, e->step) == 0 && strcmp(c->kind, e->kind) == 0 &&
           strcmp(c->detail, e->detail) == 0;
}

static void count_event(run *r, const gen_event *e)
{
    size_t i = 0;
    while (i < r->event_kinds && !same_event(&r->events[i], e))
        i++;
    if (i == EVENT_KINDS)
        return;
    if (i == r->event_kinds) {
        r->events[i] = (event_count){.step = e->step, .kind = e->kind};
        memcpy(r->events[i].detail, e->detail, sizeof r->events[i].detail);
        r->event_kinds++;
    }
    r->events[i].count++;
}

typedef struct made {
    ptl_chunk_pos pos;
    ptl_chunk *chunk;
    gen_features features; /* placements and pieces alone */
    edge edges[4];
} made;

static void make(run *r, made *m, const gen_config *config, generator *gen)
{
    edge *list[4];
    size_t events = 0;
    for (int d = 0; d < 4; d++) {
        int32_t x, y;
        edge_side side;
        plan_edge_of_chunk(m->pos, d, &x, &y, &side);
        ck_assert_int_eq(plan_edge(&m->edges[d], config, x, y, side, NULL), PTL_OK);
        list[d] = &m->edges[d];
    }
    ptl_error err = {0};
    ck_assert_msg(
        generator_run(&m->chunk, gen, m->pos, list, GEN_STEPS_MAX, NULL, NULL, &err) == PTL_OK,
        "%s", err.message);
    const gen_event *e = generator_events(gen, &events);
    for (size_t i = 0; i < events; i++)
        count_event(r, &e[i]);
    const gen_features *f = generator_features(gen);
    r->cities += f->city_count;
    r->placements += f->placement_count;
    for (size_t i = 0; i < f->placement_count; i++) {
        gen_placement *p = features_add_placement(&m->features);
        ck_assert_ptr_nonnull(p);
        *p = f->placements[i];
    }
    for (size_t i = 0; i < f->piece_count; i++) {
        gen_piece *p = features_add_piece(&m->features);
        ck_assert_ptr_nonnull(p);
        *p = f->pieces[i];
    }
}

static void on_problem(void *payload, const dead_end_problem *p)
{
    run *r = payload;
    if (r->problems++ < PROBLEMS_SHOWN)
        printf("%s: seed %d, chunk %d,%d: %s at %d,%d,%d (%s), direction %d: %s\n", r->name,
               r->seed, r->pos.x, r->pos.y, p->kind, p->x, p->y, p->z, p->oter, p->direction,
               p->what);
}

static void check(run *r, made chunks[CHUNKS], int n)
{
    static const int8_t dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    dead_end_view neighbours[4];
    const edge *edges[4];
    const made *m = &chunks[n];
    memset(neighbours, 0, sizeof neighbours);
    for (int d = 0; d < 4; d++) {
        edges[d] = &m->edges[d];
        for (int i = 0; i < CHUNKS; i++)
            if (chunks[i].pos.x == m->pos.x + dx[d] && chunks[i].pos.y == m->pos.y + dy[d])
                neighbours[d] =
                    (dead_end_view){.chunk = chunks[i].chunk, .features = &chunks[i].features};
    }
    const dead_end_view view = {.chunk = m->chunk, .features = &m->features};
    r->pos = m->pos;
    ck_assert(dead_ends_check(r->check, &view, neighbours, edges, on_problem, r));
}

/* Everything that an option can switch is on in some worlds and off in others; a few are
 * crowded, which takes long. */
static void set_options(ptl_world_options *o, int seed, const char *region)
{
    static const int32_t sizes[4] = {8, 4, 8, 14}, spacings[4] = {4, 5, 6, 4};
    o->seed = (uint64_t)seed;
    o->region = region;
    o->city_size = sizes[seed / 3 % 4];
    o->city_spacing = seed % 20 == 7 ? 2 : spacings[seed / 3 % 4];
    o->railroads = seed % 2 == 1;
    o->subways = seed % 2 == 1;
    o->placement = seed / 2 % 2 ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA;
    o->compat = seed % 5 == 0;
}

static void run_seed(run *r, const catalogue *cat, const char *region, int seed)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    gen_config *config;
    made chunks[CHUNKS];
    ptl_error err = {0};
    rng order = rng_from_key((uint64_t)seed);
    set_options(&options, seed, region);
    ck_assert_msg(gen_config_new(&config, cat, &options, &err) == PTL_OK, "%s", err.message);
    generator *gen = generator_new(config);
    ck_assert_ptr_nonnull(gen);
    memset(chunks, 0, sizeof chunks);
    ptl_chunk_pos pos = {rng_range(&order, -50, 50), rng_range(&order, -50, 50)};
    chunks[0].pos = pos;
    chunks[1].pos =
        seed / 2 % 2 ? (ptl_chunk_pos){pos.x + 1, pos.y} : (ptl_chunk_pos){pos.x, pos.y + 1};
    uint32_t first = rng_below(&order, CHUNKS);
    r->seed = seed;
    for (uint32_t i = 0; i < CHUNKS; i++)
        make(r, &chunks[(first + i) % CHUNKS], config, gen);
    for (int i = 0; i < CHUNKS; i++)
        check(r, chunks, i);
    for (int i = 0; i < CHUNKS; i++) {
        ptl_chunk_free(chunks[i].chunk);
        features_dispose(&chunks[i].features);
        for (int d = 0; d < 4; d++)
            edge_dispose(&chunks[i].edges[d]);
    }
    generator_free(gen);
    gen_config_free(config);
}

static void print_counts(const run *r, const catalogue *cat, int chunks)
{
    printf("%s: %d chunks, %.1f cities and %.0f buildings a chunk\n", r->name, chunks,
           (double)r->cities / chunks, (double)r->placements / chunks);
    for (size_t i = 0; i <= cat->connection_count; i++) {
        const dead_end_counts *c = dead_ends_counts(r->check, i);
        if (c->arms + c->crossings == 0)
            continue;
        printf("  %-20s arms %llu: line %llu, parallel %llu, crossed %llu, building %llu, "
               "border %llu, own %llu, unbound %llu, dead %llu; ends %llu, loose %llu; "
               "crossings %llu, missing %llu\n",
               i < cat->connection_count ? cat->connections[i].id : "(none)",
               (unsigned long long)c->arms, (unsigned long long)c->line,
               (unsigned long long)c->parallel, (unsigned long long)c->crossed,
               (unsigned long long)c->building, (unsigned long long)c->border,
               (unsigned long long)c->own, (unsigned long long)c->unbound,
               (unsigned long long)c->dead, (unsigned long long)c->ends,
               (unsigned long long)c->loose, (unsigned long long)c->crossings,
               (unsigned long long)c->missing);
    }
    const dead_end_river_counts *rivers = dead_ends_rivers(r->check);
    printf("  rivers: %llu runs, %llu crossings, %llu problems\n",
           (unsigned long long)rivers->runs, (unsigned long long)rivers->crossings,
           (unsigned long long)rivers->problems);
    for (size_t i = 0; i < r->event_kinds; i++)
        printf("  event %s/%s: %d, %.3f a chunk: %s\n", r->events[i].step, r->events[i].kind,
               r->events[i].count, (double)r->events[i].count / chunks, r->events[i].detail);
}

void seam_run(const char *name, const catalogue *cat, const char *const *regions,
              size_t region_count, int first, int count)
{
    run r = {.name = name, .check = dead_ends_new(cat)};
    ck_assert_ptr_nonnull(r.check);
    for (int seed = first; seed < first + count; seed++)
        run_seed(&r, cat, regions[(size_t)seed % region_count], seed);
    print_counts(&r, cat, count * CHUNKS);
    uint16_t road = catalogue_connection(cat, "local_road");
    ck_assert_uint_ne(road, CAT_NONE);
    const dead_end_counts *roads = dead_ends_counts(r.check, road);
    ck_assert_uint_gt(roads->line, 0);
    ck_assert_uint_gt(roads->crossings, 0);
    ck_assert_msg(r.problems == 0, "%s: %d problems", name, r.problems);
    dead_ends_free(r.check);
}
