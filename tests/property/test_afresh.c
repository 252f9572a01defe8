/*
 * What made other seeds and other places before makes the same as what is new: chunks by one
 * maker of many seeds, the rows and the worlds of sweeps in any order of seeds and places, the
 * seeds that a search finds, local maps by one reader. For our own pack and each game's
 * content (a short run: one of the games', by turns), each a case of its own
 * (CK_RUN_CASE="our pack"); generation.md 13 lists what could make a difference. tools/soak has
 * its number of seeds of each, and no limit of time.
 */
#include "analysis/measure/measure.h"
#include "codec/digest_world.h"
#include "core/hash.h"
#include "store/store.h"
#include "support/chunk_digest.h"
#include "support/content_catalogue.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/summary_maker.h"
#include "support/test_folder.h"
#include "support/world_file.h"
#include "world/local/local_reader.h"
#include "world/seed_maker.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEDS = 3,
    SEEDS_MAX = 1000,
    SIDE = 2, /* of the rectangle of chunks */
    PLACES = SIDE * SIDE,
    FIRST_SEED = 40,
    SPECIALS = 2, /* that are searched for */
    MAPS = 3
};

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

/* ---- contents ---- */

typedef struct content {
    const char *name, *region;
    const char *directory; /* NULL: the embedded pack */
    const char *own;       /* NULL, or a pack of tests/content over the embedded one */
    const char *game;      /* NULL, or one of ../shared/content/today */
} content;

static const content contents[] = {
    {.name = "our pack", .region = "default"},
    {.name = "our pack's coast", .region = "coast"},
    {.name = "our pack with highways", .region = "highways", .own = "highways"},
    {.name = "DDA 0.F", .directory = CONTENT_GAME},
    {.name = "DDA 0.I", .game = "dda-0I"},
    {.name = "DDA of 2026", .game = "dda-2026-08"},
    {.name = "Bright Nights", .game = "bn-2026-08"},
};
enum { CONTENTS = sizeof contents / sizeof contents[0], OURS = 3 };

/* PORTOLAN_TURN draws the part of a short run (tools/lib.sh). */
static bool has_turn(int number)
{
    const char *turn = getenv("PORTOLAN_TURN");
    return number < OURS || test_part() == 1 ||
           number == OURS + (turn ? atoi(turn) : 0) % (CONTENTS - OURS);
}

typedef struct scene {
    char path[WORLD_PATH_SIZE];
    ptl_store *store;
    catalogue *cat; /* has the ids of `rows` */
    ptl_world_options settings;
    bool tides; /* the world has a sea */
    int seeds;
    ptl_chunk_pos places[PLACES];
    summary *rows; /* of new worlds, by seed and place */
} scene;

static scene s;
static ptl_error err;

static void import(const ptl_import_options *options)
{
    const ptl_open_options open = {.size = sizeof open, .mode = PTL_OPEN_CREATE};
    world_file_path(s.path);
    OK(ptl_store_open(&s.store, s.path, &open, &err));
    OK(ptl_import(NULL, s.store, options, &err));
}

static bool import_game(const char *name)
{
    char folder[1024];
    if (!content_game(folder, sizeof folder, name))
        return false;
    import(&(ptl_import_options){.size = sizeof(ptl_import_options), .game = folder});
    test_folder_remove(folder);
    return true;
}

/* False if the content is not there. */
static bool import_content(const content *c)
{
    char text[1024];
    const char *list[] = {c->directory ? c->directory : text};
    ptl_import_options o = PTL_IMPORT_OPTIONS_INIT;
    o.builtin = !c->directory;
    o.directories = list;
    o.directory_count = c->directory || c->own ? 1 : 0;
    if (c->directory && !content_present(c->directory))
        return false;
    if (c->own)
        snprintf(text, sizeof text, "%s/tests/content/%s", getenv("PORTOLAN_SOURCE_DIR"),
                 c->own);
    if (c->game)
        return import_game(c->game);
    import(&o);
    return true;
}

static uint64_t seed_of(int i)
{
    return FIRST_SEED + (uint64_t)i;
}

/* ---- chunks by a maker ---- */

static uint64_t digest_by_maker(seed_maker *m, uint64_t seed, ptl_chunk_pos pos)
{
    edge edges[4];
    ptl_chunk *chunk = NULL;
    OK(seed_maker_run(&chunk, edges, m, seed, pos, &err));
    for (int i = 0; i < 4; i++)
        edge_dispose(&edges[i]);
    const maker as_maker = {&m->config, m->gen};
    const uint64_t sum = digest_of_chunk(&as_maker, chunk);
    ptl_chunk_free(chunk);
    return sum;
}

static uint64_t digest_afresh(const catalogue *cat, uint64_t seed, ptl_chunk_pos pos)
{
    ptl_world_options own = s.settings;
    own.seed = seed;
    maker m = maker_new(cat, &own);
    ptl_chunk *chunk = make(&m, pos.x, pos.y, pipeline_step_count(&overmap_pipeline));
    const uint64_t sum = digest_of_chunk(&m, chunk);
    ptl_chunk_free(chunk);
    maker_free(&m);
    return sum;
}

/* Seeds and places in a drawn order: mostly one of them alone is another than before. */
static void check_chunks(void)
{
    seed_base base;
    rng r = rng_from_key(4);
    OK(seed_base_init(&base, s.store, &s.settings, &err));
    seed_maker *m = seed_maker_new(&base);
    ck_assert_ptr_nonnull(m);
    uint64_t seed = seed_of(0);
    ptl_chunk_pos pos = {0, 0};
    for (int n = 0; n < 3 * s.seeds; n++) {
        if (n % 2 == 0)
            seed = seed_of((int)rng_below(&r, (uint64_t)s.seeds));
        else
            pos = (ptl_chunk_pos){rng_range(&r, -12, 12), rng_range(&r, -12, 12)};
        ck_assert_msg(digest_by_maker(m, seed, pos) == digest_afresh(base.cat, seed, pos),
                      "seed %d, chunk %d,%d: another one after other seeds and places",
                      (int)seed, pos.x, pos.y);
    }
    seed_maker_free(m);
    seed_base_dispose(&base);
}

/* ---- worlds ---- */

static void world_name(char *out, size_t size, const char *prefix, int i)
{
    snprintf(out, size, "%s/%d", prefix, (int)seed_of(i));
}

static void measure_saved(summary *out, measurer *m, const ptl_world *world, ptl_chunk_pos pos)
{
    ptl_chunk *chunk = NULL;
    chunk_info info;
    gen_features features = {0};
    bool found = false;
    OK(ops(s.store)->chunk->read(&chunk, s.store, world->row.id, pos, s.cat, &info, &err));
    OK(ops(s.store)->chunk->features_read(&features, &found, s.store, world->row.id, pos, s.cat,
                                          &err));
    ck_assert(found);
    OK(measure(out, m, chunk, &features, PTL_COUNT_ALL, NULL));
    features_dispose(&features);
    ptl_chunk_free(chunk);
}

/* A new world of each seed, and its chunks as sweeps count them. */
static void make_worlds(void)
{
    const ptl_generate_options o = {
        .size = sizeof o, .positions = s.places, .position_count = PLACES};
    s.rows = calloc((size_t)s.seeds * PLACES, sizeof *s.rows);
    measurer *m = measurer_new(s.cat);
    ck_assert(s.rows && m);
    for (int i = 0; i < s.seeds; i++) {
        char name[40];
        ptl_world_options own = s.settings;
        own.seed = seed_of(i);
        world_name(name, sizeof name, "new", i);
        OK(ptl_world_create(s.store, name, &own, &err));
        ptl_world *world = world_file_world(s.store, name);
        OK(ptl_generate(NULL, world, &o, &err));
        for (int k = 0; k < PLACES; k++)
            measure_saved(&s.rows[i * PLACES + k], m, world, s.places[k]);
        ptl_world_close(world);
    }
    measurer_free(m);
}

/* ---- sweeps ---- */

typedef struct row_check {
    const char *sweep;
    int seen;
} row_check;

static bool check_row(void *payload, uint64_t seed, const summary *row)
{
    row_check *c = payload;
    const int i = (int)(seed - FIRST_SEED);
    int k = 0;
    while (k < PLACES && (s.places[k].x != row->pos.x || s.places[k].y != row->pos.y))
        k++;
    ck_assert(i >= 0 && i < s.seeds && k < PLACES);
    const char *other = summary_difference(row, &s.rows[i * PLACES + k], PTL_COUNT_ALL);
    ck_assert_msg(!other, "sweep %s, seed %d, chunk %d,%d: not the %s of a new world", c->sweep,
                  (int)seed, row->pos.x, row->pos.y, other);
    c->seen++;
    return true;
}

static void check_sweep(const char *name)
{
    sweep_row row = {0};
    row_check c = {.sweep = name};
    OK(ops(s.store)->sweep->find(&row, s.store, name, &err));
    OK(ops(s.store)->sweep->chunk_visit(s.store, row.id, PTL_COUNT_ALL, check_row, &c, &err));
    sweep_row_dispose(&row);
    ck_assert_int_eq(c.seen, s.seeds * PLACES);
}

static void sweep(const char *name, int first, int last, int place, int places, int jobs)
{
    const ptl_sweep_options o = {.size = sizeof o,
                                 .settings = &s.settings,
                                 .seed_first = seed_of(first),
                                 .seed_last = seed_of(last),
                                 .positions = &s.places[place],
                                 .position_count = (size_t)places,
                                 .jobs = jobs,
                                 .keep_worlds = jobs == 2};
    OK(ptl_sweep_run(NULL, s.store, name, &o, &err));
}

/* All at once; the last seed first, and then the others; by places, the last one first. */
static void check_sweeps(void)
{
    sweep("forth", 0, s.seeds - 1, 0, PLACES, 1);
    check_sweep("forth");
    for (int i = s.seeds - 1; i >= 0; i -= 2)
        sweep("back", i > 0 ? i - 1 : i, i, 0, PLACES, 2);
    check_sweep("back");
    for (int k = PLACES - 1; k >= 0; k--)
        sweep("places", 0, s.seeds - 1, k, 1, k % 2 + 1);
    check_sweep("places");
    for (int i = 0; i < s.seeds; i++) {
        char name[40], own[65], kept[65];
        world_name(name, sizeof name, "new", i);
        ptl_world *world = world_file_world(s.store, name);
        world_file_digest(world, own);
        ptl_world_close(world);
        world_name(name, sizeof name, "back", i);
        world = world_file_world(s.store, name);
        world_file_digest(world, kept);
        ptl_world_close(world);
        ck_assert_str_eq(own, kept);
    }
}

/* ---- searches ---- */

/* How many of a special a seed has. */
static int count_of(int i, const char *id)
{
    int count = 0;
    for (int k = 0; k < PLACES; k++)
        for (size_t n = 0; n < s.rows[i * PLACES + k].special_count; n++) {
            const summary_special *t = &s.rows[i * PLACES + k].specials[n];
            count += strcmp(t->id, id) == 0 ? t->placed + t->others : 0;
        }
    return count;
}

/* How many seeds have it. */
static int seeds_with(const char *id)
{
    int seeds = 0;
    for (int i = 0; i < s.seeds; i++)
        seeds += count_of(i, id) > 0;
    return seeds;
}

/* SQL says in x how many there are. */
static bool on_match(void *payload, const ptl_search_match *match)
{
    int *found = payload;
    found[match->seed - FIRST_SEED] += match->what[0] ? 1 : (int)match->x;
    return true;
}

static void check_search(const char *id, const char *where, int jobs)
{
    static int found[SEEDS_MAX];
    ptl_search *search = NULL;
    ptl_search_fault fault = PTL_SEARCH_FAULT_INIT;
    ptl_search_options o = PTL_SEARCH_OPTIONS_INIT;
    memset(found, 0, sizeof found);
    o.where = where;
    o.language = strncmp(where, "SELECT", 6) == 0 ? PTL_SEARCH_SQL : PTL_SEARCH_RELATION;
    o.seed_first = seed_of(0);
    o.seed_last = seed_of(s.seeds - 1);
    o.settings = &s.settings;
    o.chunks = s.places;
    o.chunk_count = PLACES;
    o.jobs = jobs;
    o.on_match = on_match;
    o.payload = found;
    ck_assert_msg(ptl_search_seeds_new(&search, &fault, s.store, &o, &err) == PTL_OK, "%s%s",
                  err.message, fault.message);
    OK(ptl_search_run(NULL, search, &err));
    ptl_search_free(search);
    for (int i = 0; i < s.seeds; i++)
        ck_assert_msg(found[i] == count_of(i, id), "find %s: %d in seed %d, which has %d", id,
                      found[i], (int)seed_of(i), count_of(i, id));
}

/* Of specials that some seeds have and others have not. */
static void check_searches(void)
{
    char where[300];
    int searched = 0;
    for (int k = 0; k < PLACES; k++)
        for (size_t n = 0; searched < SPECIALS && n < s.rows[k].special_count; n += 3) {
            const char *id = s.rows[k].specials[n].id;
            const int seeds = seeds_with(id);
            if (seeds == 0 || seeds == s.seeds)
                continue;
            snprintf(where, sizeof where, "special \"%s\"", id);
            check_search(id, where, searched % 2 + 1);
            snprintf(where, sizeof where,
                     "SELECT count(*) AS x, 0 AS y FROM placement WHERE id = '%s'", id);
            check_search(id, where, searched++ % 2 + 1);
        }
    ck_assert_int_gt(searched, 0);
}

/* ---- local maps ---- */

/* Each place has a tide of its own to be seen at. */
static void digest_map(char hex[DIGEST_HEX_SIZE], local_reader *reader, ptl_omt at)
{
    digest_local d;
    local_read read;
    if (s.tides)
        OK(local_reader_show(reader, 3600 * (at.x % 7 + at.y % 5), &err));
    OK(local_reader_get(&read, reader, at, &err));
    digest_local_begin(&d);
    digest_local_map(&d, read.map, read.pool, (int64_t[]){at.x, at.y, at.z}, read.oter,
                     read.fallback);
    ck_assert(digest_local_end(&d, hex));
}

/* Draws places one after the other: another one, one beside the last, one above or below. */
static ptl_omt next_place(rng *r, ptl_omt last)
{
    enum { EDGE = 4, ALONG = SIDE * PTL_CHUNK_SIZE };
    const int64_t kind = rng_range(r, 0, 2);
    if (kind == 1)
        return (ptl_omt){last.x < ALONG - EDGE - 1 ? last.x + 1 : last.x - 1, last.y, last.z};
    if (kind == 2)
        return (ptl_omt){last.x, last.y, rng_range(r, -2, 1)};
    return (ptl_omt){rng_range(r, EDGE, ALONG - EDGE - 1), rng_range(r, EDGE, ALONG - EDGE - 1),
                     0};
}

static void check_maps(void)
{
    const int count = MAPS * s.seeds;
    ptl_omt *places = calloc((size_t)count, sizeof *places);
    char(*wanted)[DIGEST_HEX_SIZE] = calloc((size_t)count, sizeof *wanted);
    rng r = rng_from_key(5);
    char name[40], hex[DIGEST_HEX_SIZE];
    ck_assert(places && wanted);
    world_name(name, sizeof name, "new", 0);
    places[0] = (ptl_omt){PTL_CHUNK_SIZE, PTL_CHUNK_SIZE, 0};
    for (int i = 0; i < count; i++) {
        places[i] = i > 0 ? next_place(&r, places[i - 1]) : places[0];
        ptl_world *world = world_file_world(s.store, name);
        local_reader *reader = local_reader_new(world);
        ck_assert_ptr_nonnull(reader);
        digest_map(wanted[i], reader, places[i]);
        local_reader_free(reader);
        ptl_world_close(world);
    }
    ptl_world *world = world_file_world(s.store, name);
    local_reader *reader = local_reader_new(world);
    ck_assert_ptr_nonnull(reader);
    for (int i = 0; i < 3 * count; i++) {
        const int at = i < count ? i : (int)rng_below(&r, (uint64_t)count);
        digest_map(hex, reader, places[at]);
        ck_assert_msg(strcmp(hex, wanted[at]) == 0, "another map at %d,%d,%d after others",
                      (int)places[at].x, (int)places[at].y, places[at].z);
    }
    local_reader_free(reader);
    ptl_world_close(world);
    free(places);
    free(wanted);
}

/* ---- of each content ---- */

START_TEST(as_if_it_were_new)
{
    const content *c = &contents[_i];
    memset(&s, 0, sizeof s);
    memset(&err, 0, sizeof err);
    if (!has_turn(_i) || !import_content(c))
        return;
    const ptl_world_options defaults = PTL_WORLD_OPTIONS_INIT;
    s.settings = defaults;
    s.settings.region = c->region;
    s.tides = c->region && strcmp(c->region, "coast") == 0;
    s.settings.unique_radius = 1;
    if (c->own)
        s.settings.highways = PTL_HIGHWAYS_ON;
    s.seeds = test_seeds(SEEDS);
    s.seeds = s.seeds > SEEDS_MAX ? SEEDS_MAX : s.seeds;
    for (int k = 0; k < PLACES; k++)
        s.places[k] = (ptl_chunk_pos){k % SIDE, k / SIDE};
    OK(ops(s.store)->content->load(&s.cat, s.store, &err));
    check_chunks();
    make_worlds();
    check_sweeps();
    check_searches();
    check_maps();
    for (int i = 0; i < s.seeds * PLACES; i++)
        summary_dispose(&s.rows[i]);
    free(s.rows);
    catalogue_free(s.cat);
    ptl_store_close(s.store);
    world_file_remove(s.path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("afresh");
    for (int i = 0; i < CONTENTS; i++) {
        TCase *tcase = tcase_create(contents[i].name);
        tcase_set_timeout(tcase, getenv("PORTOLAN_SOAK_SEEDS") ? 0 : 300);
        tcase_add_loop_test(tcase, as_if_it_were_new, i, i + 1);
        suite_add_tcase(suite, tcase);
    }
    return suite_run(suite);
}
