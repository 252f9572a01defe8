/* Samples of stored worlds and sweeps, against SQL and against measuring what
 * chunk_operations.read gives.
 */
#include "analysis/measure/measure.h"
#include "analysis/sample/sample.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/sweeps/sweep_rows.h"
#include "support/content_catalogue.h"
#include "support/suite.h"
#include "support/summary_maker.h"
#include "support/world_file.h"
#include "unit/analysis/analysis_fixture.h"
#include "world/world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 3 }; /* of the square of overmaps */

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_error err;
static ptl_sample *s;
static ptl_tally t;

/* steps NULL: all */
static void generate(const char *name, int32_t x0, int32_t y0, int32_t side, const char *steps)
{
    ptl_chunk_pos list[SIDE * SIDE];
    ptl_generate_options options = PTL_GENERATE_OPTIONS_INIT;
    ptl_world *world = world_file_world(store, name);
    for (int32_t i = 0; i < side * side; i++)
        list[i] = (ptl_chunk_pos){x0 + i % side, y0 + i / side};
    options.positions = list;
    options.position_count = (size_t)(side * side);
    options.stop_after = steps;
    ck_assert_msg(ptl_generate(NULL, world, &options, &err) == PTL_OK, "%s", err.message);
    ptl_world_close(world);
}

/* Made once; each test works on a copy. */
static char original[WORLD_PATH_SIZE];

static void make_original(void)
{
    world_file_path(original);
    store = world_file_open(original, "w", 42);
    generate("w", -1, -1, SIDE, NULL);
    ptl_store_close(store);
}

static void remove_original(void)
{
    world_file_remove(original);
}

static void copy_file(const char *from, const char *to)
{
    static char part[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    ck_assert(in && out);
    for (size_t size; (size = fread(part, 1, sizeof part, in)) > 0;)
        ck_assert_uint_eq(fwrite(part, 1, size, out), size);
    ck_assert_int_eq(fclose(out), 0);
    fclose(in);
}

static void set_up(void)
{
    const ptl_open_options options = {
        .size = sizeof options, .mode = PTL_OPEN_WRITE, .writers = PTL_WRITERS_SHARED};
    memset(&err, 0, sizeof err);
    s = NULL;
    memset(&t, 0, sizeof t);
    world_file_path(path);
    copy_file(original, path);
    ck_assert_msg(ptl_store_open(&store, path, &options, &err) == PTL_OK, "%s", err.message);
}

static void tear_down(void)
{
    tally_dispose(&t);
    ptl_sample_close(s);
    ptl_store_close(store);
    world_file_remove(path);
}

static void open_sample(const char *name)
{
    ptl_sample_close(s);
    ck_assert_msg(ptl_sample_open(&s, store, name, &err) == PTL_OK, "%s", err.message);
}

static void add(uint32_t parts, const char *special)
{
    const ptl_sample_options options = {
        .size = sizeof options, .parts = parts, .special = special};
    tally_dispose(&t);
    ck_assert_msg(ptl_tally_add(&t, s, &options, &err) == PTL_OK, "%s", err.message);
}

/* ---- SQL ---- */

static bool take_number(void *payload, size_t columns, const char *const *names,
                        const ptl_value *values)
{
    (void)columns;
    (void)names;
    *(int64_t *)payload = values[0].integer;
    return true;
}

/* The one number of a query, whose %s are this id. */
static int64_t ask(const char *sql, const char *id)
{
    char text[500];
    int64_t number = -1;
    const ptl_query_options options = {
        .size = sizeof options, .on_row = take_number, .payload = &number};
    snprintf(text, sizeof text, sql, id, id);
    ck_assert_msg(ptl_query(store, text, &options, &err) == PTL_OK, "%s: %s", text,
                  err.message);
    return number;
}

static void check_special(const ptl_tally_special *e)
{
    ck_assert_int_eq((int64_t)(e->placed + e->others),
                     ask("SELECT count(*) FROM v_special WHERE special = '%s'", e->id));
    ck_assert_int_eq(
        (int64_t)e->asked,
        ask("SELECT coalesce(sum(asked), 0) FROM attempt WHERE special = '%s'", e->id));
    ck_assert_int_eq(
        (int64_t)e->placed,
        ask("SELECT coalesce(sum(placed), 0) FROM attempt WHERE special = '%s'", e->id));
    ck_assert_int_eq(
        (int64_t)e->short_overmaps,
        ask("SELECT count(*) FROM attempt WHERE special = '%s' AND placed < asked", e->id));
    ck_assert_uint_eq(ptl_hist_total(&e->rotation), e->placed + e->others);
    /* The nearest city of each, by hand. */
    ck_assert_int_eq(
        (int64_t)(ptl_hist_mean(&e->city) * (double)ptl_hist_total(&e->city) + 0.5),
        ask("SELECT coalesce(sum(d), 0) FROM (SELECT min(max(0, CAST(sqrt((p.x - c.x) * (p.x - "
            "c.x) + (p.y - c.y) * (p.y - c.y)) AS INTEGER) - c.size)) AS d FROM v_special p "
            "JOIN "
            "v_city c ON c.world = p.world AND c.chunk_x = p.chunk_x AND c.chunk_y = p.chunk_y "
            "WHERE p.special = '%s' GROUP BY p.chunk_x, p.chunk_y, p.number)",
            e->id));
}

/* step: how many specials and buildings of the lists to go on, as a query takes a while. */
static void check_like_sql(size_t step)
{
    uint64_t all = 0, buildings = 0, cells = 0, land = 0, cities = 0;
    add(PTL_COUNT_ALL, NULL);
    ck_assert_uint_eq(t.overmaps, SIDE * SIDE);
    ck_assert_uint_eq(t.parts, PTL_COUNT_ALL);
    ck_assert_uint_gt(t.special_count, 2);
    for (size_t i = 0; i < t.special_count; i++) {
        if (i % step == 0)
            check_special(t.specials[i]);
        all += t.specials[i]->placed + t.specials[i]->others;
    }
    ck_assert_int_eq((int64_t)all, ask("SELECT count(*) FROM v_special", ""));
    for (size_t i = 0; i < t.building_count; i++) {
        if (i % (2 * step) == 0)
            ck_assert_int_eq((int64_t)t.buildings[i]->count,
                             ask("SELECT count(*) FROM building WHERE id = '%s' AND city >= 0",
                                 t.buildings[i]->id));
        buildings += t.buildings[i]->count;
    }
    ck_assert_int_eq((int64_t)buildings,
                     ask("SELECT count(*) FROM building WHERE city >= 0", ""));
    for (size_t i = 0; i < 17; i++)
        cities += t.cities[i].cities;
    ck_assert_int_eq((int64_t)cities, ask("SELECT count(*) FROM v_city", ""));
    for (size_t i = 0; i < t.terrain_count; i++) {
        cells += t.terrains[i]->cells;
        land += t.terrains[i]->cells_at[-PTL_Z_MIN];
    }
    ck_assert_uint_eq(cells, (uint64_t)t.overmaps * PTL_LEVELS * PTL_LEVEL_CELLS);
    ck_assert_uint_eq(land, (uint64_t)t.overmaps * PTL_LEVEL_CELLS);
}

START_TEST(like_sql)
{
    open_sample(NULL);
    ck_assert_str_eq(ptl_sample_about(s)->name, "w");
    ck_assert_uint_eq(ptl_sample_about(s)->overmaps, SIDE * SIDE);
    ck_assert_uint_eq(ptl_sample_about(s)->left_out, 0);
    check_like_sql(6);
}
END_TEST

/* ---- measuring ---- */

/* The same from whole chunks. */
static void add_plainly(ptl_tally *to, uint32_t parts)
{
    measurer *m = measurer_new(s->cat);
    gen_features features = {0};
    summary sum = {0};
    ck_assert(m && tally_init(to));
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        const ptl_chunk_pos pos = {i % SIDE - 1, i / SIDE - 1};
        ptl_chunk *chunk = NULL;
        bool found;
        ck_assert_int_eq(
            ops(store)->chunk->read(&chunk, store, s->settings.id, pos, s->cat, NULL, &err),
            PTL_OK);
        ck_assert_int_eq(ops(store)->chunk->features_read(&features, &found, store,
                                                          s->settings.id, pos, s->cat, &err),
                         PTL_OK);
        ck_assert_int_eq(measure(&sum, m, chunk, &features, parts, &err), PTL_OK);
        ck_assert_msg(!summary_problem(&sum), "%s", summary_problem(&sum));
        ck_assert_int_eq(tally_add(to, &sum, &err), PTL_OK);
        ptl_chunk_free(chunk);
    }
    ck_assert_int_eq(tally_finish(to, &err), PTL_OK);
    summary_dispose(&sum);
    features_dispose(&features);
    measurer_free(m);
}

static void check_same(const ptl_tally *a, const ptl_tally *b)
{
    char *one = tally_text(a), *other = tally_text(b);
    ck_assert(one && other);
    ck_assert(strcmp(one, other) == 0);
    free(one);
    free(other);
}

/* Whatever is asked for, what is read for it is enough. */
static void check_parts_alone(void)
{
    static const uint32_t parts[] = {PTL_COUNT_SPECIALS,
                                     PTL_COUNT_PLACES,
                                     PTL_COUNT_TERRAINS,
                                     PTL_COUNT_CITIES,
                                     PTL_COUNT_LINES,
                                     PTL_COUNT_WATERS,
                                     PTL_COUNT_BASELINE,
                                     PTL_COUNT_ALL,
                                     PTL_COUNT_PLACES | PTL_COUNT_SPECIALS |
                                         PTL_COUNT_BASELINE};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        ptl_tally plain = {0};
        add(parts[i], NULL);
        add_plainly(&plain, parts[i]);
        check_same(&t, &plain);
        tally_dispose(&plain);
    }
}

START_TEST(parts_alone)
{
    open_sample("w");
    check_parts_alone();
}
END_TEST

/* With the game's content, which takes a second to import: tools/soak alone. */
START_TEST(game_content)
{
    const char *directories[] = {CONTENT_GAME};
    const ptl_import_options import = {
        .size = sizeof import, .directories = directories, .directory_count = 1};
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    if (!getenv("PORTOLAN_SOAK_SEEDS") || !content_present(CONTENT_GAME))
        return;
    ck_assert_msg(ptl_import(NULL, store, &import, &err) == PTL_OK, "%s", err.message);
    options.seed = 7;
    ck_assert_int_eq(ptl_world_create(store, "game", &options, &err), PTL_OK);
    generate("game", -1, -1, SIDE, NULL);
    ck_assert_int_eq(
        sqlite_exec(store,
                    "DELETE FROM special_placement WHERE id / 65536 IN (SELECT id FROM "
                    "chunk WHERE world_id = 1);"
                    "DELETE FROM pack WHERE id / 8 IN (SELECT id FROM chunk WHERE "
                    "world_id = 1);"
                    "DELETE FROM city WHERE chunk_id IN (SELECT id FROM chunk WHERE "
                    "world_id = 1)",
                    &err),
        PTL_OK); /* of world w, so that queries see one world alone */
    open_sample("game");
    check_like_sql(2);
    check_parts_alone();
}
END_TEST

START_TEST(only_one)
{
    open_sample("w");
    add(PTL_COUNT_PLACES | PTL_COUNT_SPECIALS, NULL);
    ptl_tally all = t;
    memset(&t, 0, sizeof t);
    for (size_t i = 0; i < all.special_count; i += 7) {
        const char *id = all.specials[i]->id;
        add(PTL_COUNT_PLACES | PTL_COUNT_SPECIALS, id);
        for (size_t k = 0; k < t.special_count; k++) {
            const ptl_tally_special *e = t.specials[k], *whole = ptl_tally_find(&all, e->id);
            const bool is = strcmp(e->id, id) == 0;
            ck_assert_uint_eq(e->placed, whole->placed);
            ck_assert_uint_eq(ptl_hist_total(&e->rotation),
                              is ? ptl_hist_total(&whole->rotation) : 0);
            ck_assert_uint_eq(e->around_count, is ? whole->around_count : 0);
            ck_assert(ptl_hist_mean(&e->road) == (is ? ptl_hist_mean(&whole->road) : 0));
        }
    }
    add(PTL_COUNT_PLACES, "no such special");
    ck_assert_uint_eq(t.special_count, 0);
    tally_dispose(&all);
}
END_TEST

START_TEST(left_out)
{
    open_sample("w");
    add(PTL_COUNT_SPECIALS, NULL);
    ptl_tally before = t;
    memset(&t, 0, sizeof t);
    generate("w", 10, 10, 1, "rivers");
    open_sample("w");
    ck_assert_uint_eq(ptl_sample_about(s)->overmaps, SIDE * SIDE);
    ck_assert_uint_eq(ptl_sample_about(s)->left_out, 1);
    add(PTL_COUNT_SPECIALS, NULL);
    check_same(&t, &before);
    tally_dispose(&before);
}
END_TEST

/* ---- other content ---- */

START_TEST(other_content)
{
    char content[WORLD_PATH_SIZE + 20];
    snprintf(content, sizeof content, "%s/tests/content/mutable",
             getenv("PORTOLAN_SOURCE_DIR"));
    open_sample("w");
    add(PTL_COUNT_SPECIALS | PTL_COUNT_TERRAINS | PTL_COUNT_CITIES, NULL);
    ptl_tally before = t;
    memset(&t, 0, sizeof t);
    /* Nothing of the world's is in this content; what it is of is kept. */
    const char *directories[] = {content};
    const ptl_import_options import = {.size = sizeof import,
                                       .directories = directories,
                                       .directory_count = 1,
                                       .lenient = true};
    ck_assert_msg(ptl_import(NULL, store, &import, &err) == PTL_OK, "%s", err.message);
    open_sample("w");
    add(PTL_COUNT_SPECIALS | PTL_COUNT_TERRAINS | PTL_COUNT_CITIES, NULL);
    check_same(&t, &before);
    add(PTL_COUNT_ALL, NULL);
    ck_assert_uint_gt(t.line_count, 0);
    ck_assert_uint_gt(ptl_hist_total(&t.baseline_road), 0);
    for (size_t i = 0; i < t.special_count; i++)
        ck_assert_ptr_nonnull(ptl_sample_find(s, t.specials[i]->id));
    /* Files of before schema 7 did not keep it: then terrains are known by their ids alone. */
    ck_assert_int_eq(sqlite_exec(store, "DELETE FROM content_past", &err), PTL_OK);
    open_sample("w");
    add(PTL_COUNT_SPECIALS | PTL_COUNT_TERRAINS | PTL_COUNT_CITIES, NULL);
    check_same(&t, &before);
    add(PTL_COUNT_ALL, NULL);
    ck_assert_uint_eq(t.overmaps, SIDE * SIDE);
    ck_assert_uint_eq(t.line_count, 0);
    ck_assert_uint_eq(ptl_hist_total(&t.baseline_road), 0);
    ck_assert_uint_eq(ptl_hist_total(&t.lake_cells), 0);
    for (size_t i = 0; i < t.special_count; i++)
        ck_assert_ptr_null(ptl_sample_find(s, t.specials[i]->id));
    tally_dispose(&before);
}
END_TEST

START_TEST(definitions)
{
    size_t specials = 0, count;
    open_sample("w");
    const ptl_sample_special *const *list = ptl_sample_specials(&count, s);
    ck_assert_uint_eq(count, s->cat->special_count);
    for (size_t i = 0; i < count; i++) {
        const cat_special *c = &s->cat->specials[i];
        const ptl_sample_special *d = ptl_sample_find(s, c->id);
        ck_assert_ptr_eq(d, list[i]);
        ck_assert(i == 0 || strcmp(list[i - 1]->id, d->id) < 0);
        ck_assert_str_eq(d->id, c->id);
        ck_assert_int_eq(d->occurrences_max, c->occurrences_max);
        ck_assert(d->is_unique == ((c->flags & PTL_SPECIAL_UNIQUE) != 0));
        ck_assert(d->is_building == c->building);
        specials += !c->building;
    }
    ck_assert_uint_gt(specials, 2);
    ck_assert_uint_lt(specials, count);
    ck_assert_ptr_null(ptl_sample_find(s, "no such special"));
}
END_TEST

START_TEST(about_a_sample)
{
    char hex[65];
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = 8;
    options.city_size = 3;
    ck_assert_int_eq(ptl_world_create(store, "v", &options, &err), PTL_OK);
    open_sample("v");
    const ptl_sample_info *about = ptl_sample_about(s);
    ck_assert_uint_eq(about->size, sizeof *about);
    ck_assert_str_eq(about->name, "v");
    ck_assert_uint_eq(about->settings->seed, 8);
    ck_assert_int_eq(about->settings->city_size, 3);
    ck_assert_int_eq(about->generator_version, PTL_GENERATOR_VERSION);
    ck_assert_int_eq(ops(store)->content->digest(hex, store, s->settings.content_id, &err),
                     PTL_OK);
    ck_assert_str_eq(about->content, hex);
    ck_assert_str_eq(about->definitions, hex);
    ck_assert(!about->is_redefined && !about->is_sweep);
    ck_assert_uint_eq(about->overmaps + about->left_out, 0);
}
END_TEST

START_TEST(bad_options)
{
    ptl_sample_options o = PTL_SAMPLE_OPTIONS_INIT;
    open_sample("w");
    o.parts = PTL_COUNT_ALL + 1;
    ck_assert_int_eq(ptl_tally_add(&t, s, &o, &err), PTL_ERR_ARGUMENT);
    o.parts = PTL_COUNT_CITIES;
    o.size = 3;
    ck_assert_int_eq(ptl_tally_add(&t, s, &o, &err), PTL_ERR_ARGUMENT);
    ck_assert_uint_eq(t.overmaps, 0);
    /* Without any: all parts, and a tally of the library's own. */
    ptl_tally *own = ptl_tally_new();
    ck_assert_ptr_nonnull(own);
    ck_assert_int_eq(ptl_tally_add(own, s, NULL, &err), PTL_OK);
    ck_assert_uint_eq(own->parts, PTL_COUNT_ALL);
    add(PTL_COUNT_ALL, NULL);
    check_same(own, &t);
    ck_assert_ptr_null(ptl_tally_find(own, "no such special"));
    ptl_tally_free(own);
    ptl_tally_free(NULL);
    ptl_sample_close(NULL);
}
END_TEST

/* ---- names and sweeps ---- */

static void fails(const char *name, const char *text)
{
    ptl_sample_close(s);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(ptl_sample_open(&s, store, name, &err), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_null(s);
    ck_assert_msg(strstr(err.message, text) != NULL, "%s", err.message);
    memset(&err, 0, sizeof err);
}

START_TEST(names)
{
    ptl_world_options other = PTL_WORLD_OPTIONS_INIT;
    sweep_make(store, "sw", 1, 3, 5);
    sweep_make(store, "w", 1, 2, 5);
    open_sample(NULL);
    ck_assert(!ptl_sample_about(s)->is_sweep);
    open_sample("w");
    ck_assert(!ptl_sample_about(s)->is_sweep);
    open_sample("world:w");
    ck_assert(!ptl_sample_about(s)->is_sweep && ptl_sample_about(s)->overmaps == SIDE * SIDE);
    open_sample("sweep:w");
    ck_assert(ptl_sample_about(s)->is_sweep && ptl_sample_about(s)->overmaps == 2);
    open_sample("sw");
    ck_assert(ptl_sample_about(s)->is_sweep && ptl_sample_about(s)->overmaps == 3);
    ck_assert_str_eq(ptl_sample_about(s)->name, "sw");
    fails("x", "no world 'x'; the file holds 'w'; and no sweep 'x'");
    fails("world:sw", "no world 'sw'");
    fails("sweep:x", "no sweep 'x'");
    ck_assert_int_eq(ptl_world_create(store, "v", &other, &err), PTL_OK);
    fails(NULL, "several worlds");
}
END_TEST

static bool add_visited(void *payload, uint64_t seed, const summary *sum)
{
    tally_seed(payload, seed);
    return tally_add(payload, sum, NULL) == PTL_OK;
}

START_TEST(sweeps)
{
    ptl_tally plain = {0};
    sweep_make(store, "sw", UINT64_MAX - 20, 60, 8);
    open_sample("sw");
    add(PTL_COUNT_ALL, NULL);
    ck_assert_uint_eq(t.overmaps, 60);
    ck_assert(tally_init(&plain));
    ck_assert_int_eq(ops(store)->sweep->chunk_visit(store, s->settings.id, PTL_COUNT_ALL,
                                                    add_visited, &plain, &err),
                     PTL_OK);
    ck_assert_int_eq(tally_finish(&plain, &err), PTL_OK);
    check_same(&t, &plain);
    /* One special's places alone. */
    const char *id = NULL;
    for (size_t i = 0; i < plain.special_count; i++)
        if (ptl_hist_total(&plain.specials[i]->rotation) > 0)
            id = plain.specials[i]->id;
    ck_assert_ptr_nonnull(id);
    add(PTL_COUNT_PLACES, id);
    ck_assert_uint_eq(t.special_count, 1);
    ck_assert_uint_eq(ptl_hist_total(&t.specials[0]->rotation),
                      ptl_hist_total(&ptl_tally_find(&plain, id)->rotation));
    tally_dispose(&plain);
}
END_TEST

/* ---- transactions ---- */

typedef struct watcher {
    uint64_t calls, last;
    ptl_store *writer;
    int32_t stop_at;
} watcher;

/* Somebody else writes between two readings. */
static bool watch(void *payload, uint64_t done, uint64_t total)
{
    watcher *w = payload;
    ck_assert_uint_le(done, total);
    ck_assert_uint_ge(done, w->last);
    w->last = done;
    if (w->calls++ == 0 && w->writer) {
        ck_assert_msg(ops(w->writer)->transaction->begin(w->writer, &err) == PTL_OK, "%s",
                      err.message);
        ck_assert_msg(sqlite_exec(w->writer, "UPDATE run SET command = command", &err) ==
                          PTL_OK,
                      "%s", err.message);
        ck_assert_msg(ops(w->writer)->transaction->commit(w->writer, &err) == PTL_OK, "%s",
                      err.message);
    }
    return w->stop_at == 0;
}

START_TEST(writers_and_stops)
{
    watcher w = {0};
    const ptl_open_options options = {
        .size = sizeof options, .mode = PTL_OPEN_WRITE, .writers = PTL_WRITERS_SHARED};
    const ptl_sample_options watched = {
        .size = sizeof watched, .parts = PTL_COUNT_ALL, .on_progress = watch, .payload = &w};
    ck_assert_msg(ptl_store_open(&w.writer, path, &options, &err) == PTL_OK, "%s", err.message);
    open_sample("w");
    ck_assert_msg(ptl_tally_add(&t, s, &watched, &err) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(t.overmaps, SIDE * SIDE);
    ck_assert_uint_eq(w.last, SIDE * SIDE);
    /* Twice into one tally is twice as many. */
    w.last = 0;
    ck_assert_int_eq(ptl_tally_add(&t, s, &watched, &err), PTL_OK);
    ck_assert_uint_eq(t.overmaps, 2 * SIDE * SIDE);
    ptl_store_close(w.writer);
    w = (watcher){.stop_at = 1};
    tally_dispose(&t);
    ck_assert_int_eq(ptl_tally_add(&t, s, &watched, &err), PTL_ERR_CANCELLED);
    ck_assert_msg(strstr(err.message, "of 9 overmaps") != NULL, "%s", err.message);
    memset(&err, 0, sizeof err);
    w = (watcher){.stop_at = 1};
    sweep_make(store, "sw", 1, 5, 3);
    open_sample("sw");
    tally_dispose(&t);
    ck_assert_int_eq(ptl_tally_add(&t, s, &watched, &err), PTL_ERR_CANCELLED);
}
END_TEST

/* Of a rectangle: what is in it, and no more; a sweep has none. */
START_TEST(within_corners)
{
    const ptl_chunk_pos corners[2] = {{0, -1}, {1, 0}}, nowhere[2] = {{1, 0}, {0, 0}};
    ptl_sample_options o = PTL_SAMPLE_OPTIONS_INIT;
    open_sample("w");
    o.parts = PTL_COUNT_SPECIALS;
    o.within = corners;
    ck_assert_msg(ptl_tally_add(&t, s, &o, &err) == PTL_OK, "%s", err.message);
    ck_assert_int_eq((int64_t)t.overmaps,
                     ask("SELECT count(*) FROM v_chunk WHERE world = 'w' "
                         "AND x BETWEEN 0 AND 359 AND y BETWEEN -180 AND 179",
                         ""));
    int64_t sum = 0;
    for (size_t i = 0; i < t.special_count; i++)
        sum += (int64_t)(t.specials[i]->placed + t.specials[i]->others);
    ck_assert_int_eq(sum, ask("SELECT count(*) FROM v_special WHERE world = 'w' AND chunk_x "
                              "BETWEEN 0 AND 1 AND chunk_y BETWEEN -1 AND 0",
                              ""));
    ck_assert_int_gt(sum, 0);
    tally_dispose(&t);
    o.within = nowhere;
    ck_assert_msg(ptl_tally_add(&t, s, &o, &err) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(t.overmaps, 0);
    sweep_make(store, "sw", 1, 2, 1);
    open_sample("sw");
    ck_assert_int_eq(ptl_tally_add(&t, s, &o, &err), PTL_ERR_ARGUMENT);
}
END_TEST

START_TEST(damage)
{
    open_sample("w");
    const ptl_sample_options options = {.size = sizeof options, .parts = PTL_COUNT_BASELINE};
    ck_assert_int_eq(
        sqlite_exec(store,
                    "UPDATE level SET omts = x'0200' WHERE id % 32 = 10 AND id / 32 "
                    "IN (SELECT id FROM chunk WHERE x = 1 AND y = 0)",
                    &err),
        PTL_OK);
    ck_assert_int_eq(ptl_tally_add(&t, s, &options, &err), PTL_ERR_CORRUPT);
    ck_assert_msg(strstr(err.message, "chunk 1,0: level z 0: checksum differs") != NULL, "%s",
                  err.message);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sample");
    TCase *tc = tcase_create("sample");
    tcase_add_unchecked_fixture(tc, make_original, remove_original);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, like_sql);
    tcase_add_test(tc, parts_alone);
    tcase_add_test(tc, game_content);
    tcase_add_test(tc, only_one);
    tcase_add_test(tc, left_out);
    tcase_add_test(tc, other_content);
    tcase_add_test(tc, definitions);
    tcase_add_test(tc, about_a_sample);
    tcase_add_test(tc, bad_options);
    tcase_add_test(tc, names);
    tcase_add_test(tc, sweeps);
    tcase_add_test(tc, writers_and_stops);
    tcase_add_test(tc, within_corners);
    tcase_add_test(tc, damage);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
