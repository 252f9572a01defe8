/* Lists and counts of what a file holds: the same over each backend, and what is told where
 * rows are damaged. */
#include "portolan/portolan.h"
#include "support/memory/memory_store.h"
#include "support/world_file.h"

#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ptl_error err;

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

/* ---- backends ---- */

typedef struct place {
    char path[WORLD_PATH_SIZE];
    memory *memory;
    ptl_store *store;
} place;

static void open_file(place *p)
{
    const ptl_open_options o = {.size = sizeof o, .mode = PTL_OPEN_CREATE};
    world_file_path(p->path);
    OK(ptl_store_open(&p->store, p->path, &o, &err));
}

static void open_memory(place *p)
{
    p->memory = memory_new(NULL);
    ck_assert_ptr_nonnull(p->memory);
    p->store = memory_open(p->memory);
    ck_assert_ptr_nonnull(p->store);
}

static void (*const backends[])(place *p) = {open_file, open_memory};
enum { BACKENDS = sizeof backends / sizeof *backends, FILE_BACKEND = 0 };

static void open_place(place *p, int backend)
{
    *p = (place){.memory = NULL};
    memset(&err, 0, sizeof err);
    backends[backend](p);
}

static void close_place(place *p)
{
    ptl_store_close(p->store);
    if (p->memory)
        memory_free(p->memory);
    else
        world_file_remove(p->path);
}

static void import_builtin(ptl_store *store)
{
    const ptl_import_options o = {.size = sizeof o, .builtin = true};
    OK(ptl_import(store, &o, NULL, &err));
}

/* The builtin content and one more terrain, so that it is another. */
static void import_more(ptl_store *store)
{
    static const char text[] = "[{\"type\": \"overmap_terrain\", \"id\": \"lone\", "
                               "\"name\": \"lone\", \"sym\": \".\", \"color\": \"green\"}]";
    char folder[] = "/tmp/portolan-lists-XXXXXX", path[64];
    const char *const directories[] = {folder};
    const ptl_import_options o = {
        .size = sizeof o, .builtin = true, .directories = directories, .directory_count = 1};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/lone.json", folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    OK(ptl_import(store, &o, NULL, &err));
    remove(path);
    rmdir(folder);
}

static ptl_world *create(ptl_store *store, const char *name, uint64_t seed)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ptl_world *world;
    o.seed = seed;
    OK(ptl_world_create(store, name, &o, &err));
    OK(ptl_world_open(&world, store, name, NULL, &err));
    return world;
}

static void generate(ptl_world *world, const ptl_chunk_pos *list, size_t count,
                     const char *stop_after)
{
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = list;
    o.position_count = count;
    o.stop_after = stop_after;
    OK(ptl_generate(world, &o, NULL, &err));
}

/* What callbacks were given, as text; they say stop after so many. */
typedef struct notes {
    char text[4000];
    size_t size;
    int count, most;
} notes;

#define NOTE(n, ...)                                                                           \
    do {                                                                                       \
        const int added_ =                                                                     \
            snprintf((n)->text + (n)->size, sizeof(n)->text - (n)->size, __VA_ARGS__);         \
        ck_assert(added_ > 0 && (n)->size + (size_t)added_ < sizeof(n)->text);                 \
        (n)->size += (size_t)added_;                                                           \
        (n)->count++;                                                                          \
    } while (0)

static bool go_on(const notes *n)
{
    return n->most == 0 || n->count < n->most;
}

static bool on_world(void *payload, const ptl_world_info *w)
{
    notes *n = payload;
    ck_assert_uint_eq(w->size, sizeof *w);
    ck_assert_uint_eq(strlen(w->content), 64);
    ck_assert_int_eq(w->generator_version, PTL_GENERATOR_VERSION);
    NOTE(n, "%s %llu %s %d %d;", w->name, (unsigned long long)w->options->seed,
         w->options->region, (int)w->options->city_size, (int)w->is_current);
    return go_on(n);
}

static bool on_chunk(void *payload, ptl_chunk_pos pos)
{
    notes *n = payload;
    NOTE(n, "%d,%d;", (int)pos.x, (int)pos.y);
    return go_on(n);
}

static bool on_city(void *payload, const ptl_city_place *c)
{
    notes *n = payload;
    NOTE(n, "%d,%d:%d %s;", (int)c->chunk.x, (int)c->chunk.y, (int)c->number, c->name);
    return go_on(n);
}

static bool on_special(void *payload, const ptl_special_place *s)
{
    notes *n = payload;
    NOTE(n, "%d,%d:%d ", (int)s->chunk.x, (int)s->chunk.y, (int)s->number);
    return go_on(n);
}

/* ---- worlds and chunks ---- */

START_TEST(nothing_is_there)
{
    place p;
    notes n = {.count = 0};
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    open_place(&p, _i);
    OK(ptl_world_list(p.store, on_world, &n, &err));
    ck_assert_int_eq(n.count, 0);
    ck_assert_int_eq(ptl_world_count(p.store, "w", &counts, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_chunk_list(p.store, "w", NULL, on_chunk, &n, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_city_list(p.store, "w", NULL, on_city, &n, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_special_list(p.store, "w", NULL, on_special, &n, &err),
                     PTL_ERR_NOT_FOUND);
    import_builtin(p.store);
    ptl_world_close(create(p.store, "w", 1));
    OK(ptl_world_count(p.store, "w", &counts, &err));
    ck_assert(counts.chunks == 0 && counts.edges == 0 && counts.west == 0 && counts.south == 0);
    OK(ptl_chunk_list(p.store, "w", NULL, on_chunk, &n, &err));
    OK(ptl_city_list(p.store, "w", NULL, on_city, &n, &err));
    OK(ptl_special_list(p.store, "w", NULL, on_special, &n, &err));
    ck_assert_int_eq(n.count, 0);
    close_place(&p);
}
END_TEST

START_TEST(worlds_by_name)
{
    place p;
    notes n = {.count = 0}, first = {.most = 1};
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world_close(create(p.store, "b", UINT64_MAX));
    import_more(p.store);
    ptl_world_close(create(p.store, "c", 0));
    ptl_world_close(create(p.store, "a", 7));
    OK(ptl_world_list(p.store, on_world, &n, &err));
    ck_assert_str_eq(n.text,
                     "a 7 default 8 1;b 18446744073709551615 default 8 0;c 0 default 8 1;");
    ck_assert_int_eq(ptl_world_list(p.store, on_world, &first, &err), PTL_ERR_CANCELLED);
    ck_assert_str_eq(first.text, "a 7 default 8 1;");
    close_place(&p);
}
END_TEST

START_TEST(chunks_are_counted_and_listed)
{
    static const ptl_chunk_pos whole[] = {{1, -1}, {-2, 0}, {0, -1}}, part = {0, 3};
    place p;
    notes all = {.count = 0}, some = {.count = 0}, stale = {.count = 0}, first = {.most = 2};
    ptl_world_counts c = PTL_WORLD_COUNTS_INIT;
    ptl_chunk_list_options within = PTL_CHUNK_LIST_OPTIONS_INIT,
                           old = PTL_CHUNK_LIST_OPTIONS_INIT;
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *other = create(p.store, "other", 2), *world = create(p.store, "w", 1);
    generate(other, &part, 1, NULL);
    generate(world, whole, 3, NULL);
    generate(world, &part, 1, "rivers");
    OK(ptl_world_count(p.store, "w", &c, &err));
    ck_assert(c.chunks == 4 && c.unfinished == 1 && c.imported == 0 && c.stale == 0);
    ck_assert(c.west == -2 && c.north == -1 && c.east == 1 && c.south == 3);
    ck_assert_uint_eq(c.edges, 15);
    OK(ptl_chunk_list(p.store, "w", NULL, on_chunk, &all, &err));
    ck_assert_str_eq(all.text, "0,-1;1,-1;-2,0;0,3;");
    ck_assert_int_eq(ptl_chunk_list(p.store, "w", NULL, on_chunk, &first, &err),
                     PTL_ERR_CANCELLED);
    ck_assert_str_eq(first.text, "0,-1;1,-1;");
    within.x0 = -2;
    within.x1 = 0;
    within.y1 = 0;
    OK(ptl_chunk_list(p.store, "w", &within, on_chunk, &some, &err));
    ck_assert_str_eq(some.text, "0,-1;-2,0;");
    old.stale = 1;
    OK(ptl_chunk_list(p.store, "w", &old, on_chunk, &stale, &err));
    ck_assert_int_eq(stale.count, 0);
    ptl_world_close(world);
    ptl_world_close(other);
    import_more(p.store);
    OK(ptl_world_count(p.store, "w", &c, &err));
    ck_assert(c.chunks == 4 && c.stale == 4 && c.foreign == 4);
    OK(ptl_chunk_list(p.store, "w", &old, on_chunk, &stale, &err));
    ck_assert_str_eq(stale.text, all.text);
    close_place(&p);
}
END_TEST

/* ---- cities, specials and edges ---- */

static void expect_places(ptl_world *world, ptl_chunk_pos pos, notes *cities, notes *specials,
                          char id[100])
{
    ptl_features *f;
    ptl_city city = PTL_CITY_INIT;
    ptl_placed_special special = PTL_PLACED_SPECIAL_INIT;
    OK(ptl_features_load(&f, world, pos, &err));
    for (size_t i = 0; ptl_features_city(f, i, &city) == PTL_OK; i++)
        NOTE(cities, "%d,%d:%zu %s;", (int)pos.x, (int)pos.y, i, city.name);
    for (size_t i = 0; ptl_features_special(f, i, &special) == PTL_OK; i++) {
        NOTE(specials, "%d,%d:%zu ", (int)pos.x, (int)pos.y, i);
        snprintf(id, 100, "%s", special.id);
    }
    ptl_features_free(f);
}

typedef struct only {
    const char *id;
    ptl_world *world;
    int count;
} only;

static bool on_only(void *payload, const ptl_special_place *s)
{
    only *o = payload;
    ptl_features *f;
    ptl_placed_special special = PTL_PLACED_SPECIAL_INIT;
    ck_assert_str_eq(s->id, o->id);
    OK(ptl_features_load(&f, o->world, s->chunk, &err)); /* the store may be used */
    OK(ptl_features_special(f, (size_t)s->number, &special));
    ck_assert_int_eq(s->x, (int64_t)s->chunk.x * PTL_CHUNK_SIZE + special.x);
    ck_assert_int_eq(s->y, (int64_t)s->chunk.y * PTL_CHUNK_SIZE + special.y);
    ck_assert_int_eq(s->z, special.z);
    ck_assert_str_eq(s->id, special.id);
    ptl_features_free(f);
    o->count++;
    return true;
}

START_TEST(cities_and_specials)
{
    static const ptl_chunk_pos list[] = {{0, 0}, {-1, 0}, {0, -1}, {5, 5}},
                               sorted[] = {{0, -1}, {-1, 0}, {0, 0}, {5, 5}};
    place p;
    char id[100] = "";
    notes cities = {.count = 0}, specials = {.count = 0}, wanted_cities = {.count = 0},
          wanted_specials = {.count = 0}, one = {.count = 0};
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 3);
    generate(world, list, 4, NULL);
    for (int i = 0; i < 4; i++)
        expect_places(world, sorted[i], &wanted_cities, &wanted_specials, id);
    OK(ptl_city_list(p.store, "w", NULL, on_city, &cities, &err));
    OK(ptl_special_list(p.store, "w", NULL, on_special, &specials, &err));
    ck_assert_int_gt(cities.count, 0);
    ck_assert_int_gt(specials.count, 10);
    ck_assert_str_eq(cities.text, wanted_cities.text);
    ck_assert_str_eq(specials.text, wanted_specials.text);
    wanted_cities = (notes){.count = 0};
    expect_places(world, list[3], &wanted_cities, &wanted_specials, id);
    OK(ptl_city_list(p.store, "w", (ptl_chunk_pos[2]){{1, 0}, {9, 9}}, on_city, &one, &err));
    ck_assert_str_eq(one.text, wanted_cities.text);
    only o = {.id = id, .world = world};
    OK(ptl_special_list(p.store, "w", id, on_only, &o, &err));
    ck_assert_int_gt(o.count, 0);
    o.count = 0;
    OK(ptl_special_list(p.store, "w", "no such", on_only, &o, &err));
    ck_assert_int_eq(o.count, 0);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

START_TEST(edges_of_any_place)
{
    static const ptl_chunk_pos made = {2, 2}, beside = {3, 2}, far = {9, 9};
    place p;
    ptl_features *there, *f;
    ptl_chunk_edge a = PTL_CHUNK_EDGE_INIT, b = PTL_CHUNK_EDGE_INIT;
    ptl_crossing c = PTL_CROSSING_INIT, d = PTL_CROSSING_INIT;
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 3);
    generate(world, &made, 1, NULL);
    OK(ptl_features_load(&there, world, made, &err));
    OK(ptl_edges_load(&f, world, beside, &err)); /* its west is the east of the other */
    OK(ptl_features_edge(there, 1, &a));
    for (size_t side = 0; side < 4; side++) {
        OK(ptl_features_edge(f, side, &b));
        ck_assert(b.saved == (side == 3));
    }
    ck_assert_uint_gt(a.crossing_count, 0);
    ck_assert_uint_eq(a.crossing_count, b.crossing_count);
    for (size_t i = 0; i < a.crossing_count; i++) {
        OK(ptl_features_crossing(there, 1, i, &c));
        OK(ptl_features_crossing(f, 3, i, &d));
        ck_assert_str_eq(c.kind, d.kind);
        ck_assert(c.position == d.position && c.z == d.z && c.width == d.width);
    }
    OK(ptl_features_describe(f, &info));
    ck_assert(info.pos.x == beside.x && info.cities == 0 && info.specials == 0);
    ck_assert_str_eq(info.content, "");
    ptl_features_free(f);
    OK(ptl_edges_load(&f, world, far, &err));
    OK(ptl_features_edge(f, 0, &b));
    ck_assert(!b.saved);
    ptl_features_free(f);
    ptl_features_free(there);
    ck_assert_int_eq(
        ptl_edges_load(&f, world, (ptl_chunk_pos){PTL_CHUNK_COORD_MAX + 1, 0}, &err),
        PTL_ERR_ARGUMENT);
    ck_assert_ptr_null(f);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- damage, which is SQLite's alone ---- */

static void alter(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, "PRAGMA ignore_check_constraints = ON", NULL, NULL, NULL),
                     SQLITE_OK);
    ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", sql,
                  sqlite3_errmsg(db));
    sqlite3_close(db);
}

typedef struct damage {
    const char *sql;
    ptl_status worlds, chunks, cities, specials;
} damage;

static const damage damages[] = {
    {"UPDATE world SET seed = 5", PTL_ERR_CORRUPT, PTL_ERR_CORRUPT, PTL_ERR_CORRUPT,
     PTL_ERR_CORRUPT},
    {"UPDATE city SET size = -1", PTL_OK, PTL_OK, PTL_ERR_CORRUPT, PTL_OK},
    {"UPDATE special_placement SET x = 1000", PTL_OK, PTL_OK, PTL_OK, PTL_ERR_CORRUPT},
    {"UPDATE special_placement SET special = 99999", PTL_OK, PTL_OK, PTL_OK, PTL_ERR_CORRUPT},
    /* This row is nowhere: verify tells. */
    {"UPDATE chunk SET x = 123456789", PTL_OK, PTL_OK, PTL_OK, PTL_ERR_CORRUPT},
};

START_TEST(damaged_rows)
{
    const damage *d = &damages[_i];
    const ptl_chunk_pos here = {0, 0};
    place p;
    notes n = {.count = 0};
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    open_place(&p, FILE_BACKEND);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 3);
    generate(world, &here, 1, NULL);
    ptl_world_close(world);
    ptl_store_close(p.store);
    alter(p.path, d->sql);
    OK(ptl_store_open(&p.store, p.path, NULL, &err));
    ck_assert_int_eq(ptl_world_list(p.store, on_world, &n, &err), d->worlds);
    ck_assert_int_eq(ptl_world_count(p.store, "w", &counts, &err), d->chunks);
    ck_assert_int_eq(ptl_chunk_list(p.store, "w", NULL, on_chunk, &n, &err), d->chunks);
    ck_assert_int_eq(ptl_city_list(p.store, "w", NULL, on_city, &n, &err), d->cities);
    ck_assert_int_eq(ptl_special_list(p.store, "w", NULL, on_special, &n, &err), d->specials);
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lists");
    TCase *tcase = tcase_create("lists");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, nothing_is_there, 0, BACKENDS);
    tcase_add_loop_test(tcase, worlds_by_name, 0, BACKENDS);
    tcase_add_loop_test(tcase, chunks_are_counted_and_listed, 0, BACKENDS);
    tcase_add_loop_test(tcase, cities_and_specials, 0, BACKENDS);
    tcase_add_loop_test(tcase, edges_of_any_place, 0, BACKENDS);
    tcase_add_loop_test(tcase, damaged_rows, 0, sizeof damages / sizeof *damages);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
