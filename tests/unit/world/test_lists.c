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

/* The builtin content and a file of these objects. */
static void import_text(ptl_store *store, const char *text, bool lenient)
{
    char folder[] = "/tmp/portolan-lists-XXXXXX", path[64];
    const char *const directories[] = {folder};
    const ptl_import_options o = {.size = sizeof o,
                                  .builtin = true,
                                  .lenient = lenient,
                                  .directories = directories,
                                  .directory_count = 1};
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

/* One more terrain, so that it is another content. */
static void import_more(ptl_store *store)
{
    import_text(store,
                "[{\"type\": \"overmap_terrain\", \"id\": \"solo\", \"name\": \"lone\", "
                "\"sym\": \".\", \"color\": \"green\"}]",
                false);
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

/* ---- contents ---- */

static bool on_content(void *payload, const ptl_content_info *c)
{
    notes *n = payload;
    ck_assert_uint_eq(strlen(c->digest), 64);
    ck_assert_int_eq(c->imported_at[4], '-');
    NOTE(n, "%d %d '%s' '%s' %d;", (int)c->is_current, (int)c->lenient, c->game, c->version,
         (int)c->placement);
    return go_on(n);
}

static bool on_pack(void *payload, const ptl_pack_info *p)
{
    notes *n = payload;
    NOTE(n, "%s %d %d;", p->directory[0] ? "other" : p->id, (int)(p->directory[0] != '\0'),
         (int)(p->objects > 0));
    return go_on(n);
}

static bool on_remark(void *payload, const ptl_remark *r)
{
    notes *n = payload;
    ck_assert_uint_gt(strlen(r->message), 0);
    NOTE(n, "%s %s:%d %s %s;", r->kind, strrchr(r->file, '/') + 1, (int)r->line, r->type,
         r->id);
    return go_on(n);
}

static bool on_key(void *payload, const ptl_unknown_key *k)
{
    notes *n = payload;
    NOTE(n, "%s.%s %d %s:%d;", k->type, k->key, (int)k->objects, strrchr(k->file, '/') + 1,
         (int)k->line);
    return go_on(n);
}

static bool on_region(void *payload, const ptl_region_name *r)
{
    notes *n = payload;
    NOTE(n, "%s %s %s %d;", r->name, r->region ? r->region : "-", r->kind, (int)r->is_default);
    return go_on(n);
}

static bool on_name(void *payload, const ptl_special_name *s)
{
    notes *n = payload;
    if (n->count == 0 || s->kind == PTL_SPECIAL_MUTABLE || strncmp(s->id, "solo", 4) == 0)
        NOTE(n, "%s %d;", s->id, (int)s->kind);
    return go_on(n);
}

/* Everything that the content's lists give. */
static void all_of_content(notes *n, ptl_store *store)
{
    *n = (notes){.count = 0};
    OK(ptl_content_list(store, on_content, n, &err));
    OK(ptl_pack_list(store, on_pack, n, &err));
    OK(ptl_remark_list(store, on_remark, n, &err));
    OK(ptl_unknown_key_list(store, on_key, n, &err));
    OK(ptl_region_name_list(store, on_region, n, &err));
    OK(ptl_special_name_list(store, on_name, n, &err));
}

START_TEST(contents)
{
    static const char wrong[] =
        "[{\"type\": \"overmap_special\", \"id\": \"solo_b\", \"overmaps\": [{\"point\": "
        "[0, 0, 0], \"overmap\": \"no_such\"}], \"locations\": [\"land\"], \"occurrences\": "
        "[0, 1]},\n{\"type\": \"overmap_terrain\", \"id\": \"solo\", \"name\": \"x\", "
        "\"sym\": \".\", \"color\": \"green\", \"pool\": 3},\n"
        "{\"type\": \"overmap_special\", \"id\": \"solo_a\", \"overmaps\": [{\"point\": "
        "[0, 0, 0], \"overmap\": \"solo_north\"}], \"locations\": [\"land\"], \"occurrences\": "
        "[0, "
        "1]}]";
    place p;
    notes none, first, second, cut = {.most = 1};
    open_place(&p, _i);
    all_of_content(&none, p.store);
    ck_assert_str_eq(none.text, "");
    import_builtin(p.store);
    all_of_content(&first, p.store);
    ck_assert_ptr_nonnull(strstr(first.text, "1 0 '' '' 0;portolan 0 1;"));
    ck_assert_ptr_nonnull(strstr(first.text, ";default default region_settings 1;"));
    ck_assert_ptr_nonnull(strstr(first.text, " 1;")); /* one that grows */
    ck_assert_ptr_null(strstr(first.text, "solo"));
    ptl_world_close(create(p.store, "w", 1)); /* so that this content is kept */
    import_text(p.store, wrong, true);
    all_of_content(&second, p.store);
    ck_assert_ptr_nonnull(strstr(second.text, "0 0 '' '' 0;1 1 '' '' 0;portolan 0 1;"));
    ck_assert_ptr_nonnull(
        strstr(second.text, "unresolved lone.json:1 overmap_special solo_b;"));
    ck_assert_ptr_nonnull(strstr(second.text, ";overmap_terrain.pool 1 lone.json:2;"));
    ck_assert_ptr_nonnull(strstr(second.text, ";solo_a 0;"));
    ck_assert_int_eq(ptl_region_name_list(p.store, on_region, &cut, &err), PTL_ERR_CANCELLED);
    ck_assert_int_eq(cut.count, 1);
    close_place(&p);
}
END_TEST

/* The same in each backend. */
START_TEST(contents_are_equal)
{
    notes n[BACKENDS];
    for (int i = 0; i < BACKENDS; i++) {
        place p;
        open_place(&p, i);
        import_more(p.store);
        all_of_content(&n[i], p.store);
        close_place(&p);
        ck_assert_str_eq(n[i].text, n[0].text);
    }
    ck_assert_int_gt(n[0].count, 4);
}
END_TEST

/* ---- runs and sweeps ---- */

static bool on_run(void *payload, const ptl_run_info *r)
{
    notes *n = payload;
    ck_assert_int_eq(r->started[4], '-');
    NOTE(n, "%s %s %s %d;", r->world, r->command, r->outcome, (int)r->chunks);
    return go_on(n);
}

static bool on_sweep(void *payload, const ptl_sweep_info *s)
{
    notes *n = payload;
    ck_assert_uint_eq(strlen(s->content), 64);
    NOTE(n, "%s %s %d %d;", s->name, s->options->region, (int)s->options->city_size,
         (int)s->is_current);
    return go_on(n);
}

START_TEST(runs_and_sweeps)
{
    static const ptl_chunk_pos list[] = {{0, 0}, {1, 0}};
    place p;
    notes all = {.count = 0}, some = {.count = 0}, sweeps = {.count = 0};
    ptl_sweep_counts c = PTL_SWEEP_COUNTS_INIT;
    ptl_sweep_options o = PTL_SWEEP_OPTIONS_INIT;
    open_place(&p, _i);
    OK(ptl_run_list(p.store, NULL, 9, on_run, &all, &err));
    OK(ptl_sweep_list(p.store, on_sweep, &sweeps, &err));
    ck_assert(all.count == 0 && sweeps.count == 0);
    ck_assert_int_eq(ptl_sweep_count(p.store, "s", &c, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_run_list(p.store, "w", 9, on_run, &all, &err), PTL_ERR_NOT_FOUND);
    import_builtin(p.store);
    ptl_world *a = create(p.store, "a", 1), *b = create(p.store, "b", 1);
    generate(a, list, 2, NULL);
    generate(b, list, 1, NULL);
    generate(a, list, 2, NULL);
    OK(ptl_run_list(p.store, NULL, UINT64_MAX, on_run, &all, &err));
    ck_assert_str_eq(all.text, "a generate done 0;b generate done 1;a generate done 2;");
    OK(ptl_run_list(p.store, "a", 1, on_run, &some, &err));
    ck_assert_str_eq(some.text, "a generate done 0;");
    o.positions = list;
    o.position_count = 2;
    o.seed_first = UINT64_MAX;
    o.seed_last = UINT64_MAX;
    OK(ptl_sweep_run(p.store, "s", &o, NULL, &err));
    o.seed_first = 3;
    o.seed_last = 4;
    OK(ptl_sweep_run(p.store, "s", &o, NULL, &err));
    OK(ptl_sweep_list(p.store, on_sweep, &sweeps, &err));
    ck_assert_str_eq(sweeps.text, "s default 8 1;");
    OK(ptl_sweep_count(p.store, "s", &c, &err));
    ck_assert(c.overmaps == 6 && c.seeds == 3 && c.first == 3 && c.last == UINT64_MAX);
    ptl_world_close(a);
    ptl_world_close(b);
    close_place(&p);
}
END_TEST

/* ---- what can be asked in SQL ---- */

static void on_table(void *payload, const char *name, bool is_view)
{
    notes *n = payload;
    if (strcmp(name, "world") == 0 || strcmp(name, "v_city") == 0 ||
        strncmp(name, "sqlite", 6) == 0)
        NOTE(n, "%s %d;", name, (int)is_view);
}

static void on_column(void *payload, const char *name, const char *type)
{
    notes *n = payload;
    NOTE(n, "%s %s;", name, type);
}

START_TEST(tables_and_columns)
{
    place p;
    notes n = {.count = 0}, none = {.count = 0}, columns = {.count = 0};
    open_place(&p, _i);
    if (_i != FILE_BACKEND) {
        ck_assert_int_eq(ptl_query_tables(p.store, on_table, &n, &err), PTL_ERR_UNSUPPORTED);
        ck_assert_str_eq(err.message, "a store in memory has no SQL");
        ck_assert_int_eq(ptl_query_table_columns(p.store, "city", on_column, &n, &err),
                         PTL_ERR_UNSUPPORTED);
        close_place(&p);
        return;
    }
    OK(ptl_query_tables(p.store, on_table, &n, &err));
    ck_assert_str_eq(n.text, "v_city 1;world 0;");
    OK(ptl_query_table_columns(p.store, "no 'such", on_column, &none, &err));
    ck_assert_int_eq(none.count, 0);
    OK(ptl_query_table_columns(p.store, "name", on_column, &columns, &err));
    ck_assert_str_eq(columns.text, "id INTEGER;name TEXT;checksum INTEGER;");
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
    ptl_status worlds, chunks, cities, specials, runs, sweeps;
} damage;

static const damage damages[] = {
    {"UPDATE world SET seed = 5", PTL_ERR_CORRUPT, PTL_ERR_CORRUPT, PTL_ERR_CORRUPT,
     PTL_ERR_CORRUPT, PTL_ERR_CORRUPT, PTL_OK},
    {"UPDATE run SET chunks = 7", PTL_OK, PTL_OK, PTL_OK, PTL_OK, PTL_ERR_CORRUPT, PTL_OK},
    {"UPDATE sweep SET city_size = 7", PTL_OK, PTL_OK, PTL_OK, PTL_OK, PTL_OK, PTL_ERR_CORRUPT},
    {"UPDATE city SET size = -1", PTL_OK, PTL_OK, PTL_ERR_CORRUPT, PTL_OK, PTL_OK, PTL_OK},
    {"UPDATE special_placement SET x = 1000", PTL_OK, PTL_OK, PTL_OK, PTL_ERR_CORRUPT, PTL_OK,
     PTL_OK},
    {"UPDATE special_placement SET special = 99999", PTL_OK, PTL_OK, PTL_OK, PTL_ERR_CORRUPT,
     PTL_OK, PTL_OK},
    /* This row is nowhere: verify tells. */
    {"UPDATE chunk SET x = 123456789", PTL_OK, PTL_OK, PTL_OK, PTL_ERR_CORRUPT, PTL_OK, PTL_OK},
};

START_TEST(damaged_rows)
{
    const damage *d = &damages[_i];
    const ptl_chunk_pos here = {0, 0};
    place p;
    notes n = {.count = 0};
    ptl_sweep_options o = PTL_SWEEP_OPTIONS_INIT;
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    open_place(&p, FILE_BACKEND);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 3);
    generate(world, &here, 1, NULL);
    ptl_world_close(world);
    o.positions = &here;
    o.position_count = 1;
    OK(ptl_sweep_run(p.store, "s", &o, NULL, &err));
    ptl_store_close(p.store);
    alter(p.path, d->sql);
    OK(ptl_store_open(&p.store, p.path, NULL, &err));
    ck_assert_int_eq(ptl_world_list(p.store, on_world, &n, &err), d->worlds);
    ck_assert_int_eq(ptl_world_count(p.store, "w", &counts, &err), d->chunks);
    ck_assert_int_eq(ptl_chunk_list(p.store, "w", NULL, on_chunk, &n, &err), d->chunks);
    ck_assert_int_eq(ptl_city_list(p.store, "w", NULL, on_city, &n, &err), d->cities);
    ck_assert_int_eq(ptl_special_list(p.store, "w", NULL, on_special, &n, &err), d->specials);
    ck_assert_int_eq(ptl_run_list(p.store, NULL, 9, on_run, &n, &err), d->runs);
    ck_assert_int_eq(ptl_sweep_list(p.store, on_sweep, &n, &err), d->sweeps);
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
    tcase_add_loop_test(tcase, contents, 0, BACKENDS);
    tcase_add_test(tcase, contents_are_equal);
    tcase_add_loop_test(tcase, runs_and_sweeps, 0, BACKENDS);
    tcase_add_loop_test(tcase, tables_and_columns, 0, BACKENDS);
    tcase_add_loop_test(tcase, damaged_rows, 0, sizeof damages / sizeof *damages);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
