/* Lists and counts of what a file holds: the same over each backend, and what is told where
 * rows are damaged. */
#include "support/suite.h"
#include "unit/world/any_store.h"

#include <sqlite3.h>
#include <string.h>

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
    ck_assert_int_eq(ptl_world_counts_load(&counts, p.store, "w", &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_chunk_list(p.store, "w", NULL, on_chunk, &n, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_city_list(p.store, "w", NULL, on_city, &n, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_special_list(p.store, "w", NULL, on_special, &n, &err),
                     PTL_ERR_NOT_FOUND);
    import_builtin(p.store);
    ptl_world_close(create(p.store, "w", 1));
    OK(ptl_world_counts_load(&counts, p.store, "w", &err));
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
    OK(ptl_world_counts_load(&c, p.store, "w", &err));
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
    OK(ptl_world_counts_load(&c, p.store, "w", &err));
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
    for (size_t i = 0; ptl_features_city(&city, f, i) == PTL_OK; i++)
        NOTE(cities, "%d,%d:%zu %s;", (int)pos.x, (int)pos.y, i, city.name);
    for (size_t i = 0; ptl_features_special(&special, f, i) == PTL_OK; i++) {
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
    OK(ptl_features_special(&special, f, (size_t)s->number));
    ck_assert_int_eq(s->x, (int64_t)s->chunk.x * PTL_CHUNK_SIZE + special.x);
    ck_assert_int_eq(s->y, (int64_t)s->chunk.y * PTL_CHUNK_SIZE + special.y);
    ck_assert_int_eq(s->z, special.z);
    ck_assert_str_eq(s->id, special.id);
    ptl_features_free(f);
    o->count++;
    return true;
}

/* What is the same in whatever order they come. */
typedef struct each {
    int count, chunks, most;
    uint64_t sum;
    ptl_chunk_pos last;
} each;

static bool add_each(each *e, ptl_chunk_pos chunk, const int64_t numbers[4], const char *text)
{
    uint64_t one = 0;
    for (int i = 0; i < 4; i++)
        one = one * 1000003u + (uint64_t)numbers[i];
    for (const char *c = text; *c; c++)
        one = one * 31 + (unsigned char)*c;
    e->sum += one * (one | 1);
    e->chunks += e->count == 0 || e->last.x != chunk.x || e->last.y != chunk.y;
    e->last = chunk;
    return ++e->count != e->most;
}

static bool on_each(void *payload, const ptl_special_place *s)
{
    return add_each(payload, s->chunk, (int64_t[4]){s->x, s->y, s->z, s->number}, s->id);
}

static bool on_each_city(void *payload, const ptl_city_place *c)
{
    return add_each(payload, c->chunk, (int64_t[4]){c->x, c->y, c->radius, c->number}, c->name);
}

/* Expects that cities come one by one as they are listed, but for their order. */
static void expect_each_city(ptl_store *store, const ptl_chunk_pos *within)
{
    each listed = {.count = 0}, met = {.count = 0}, cut = {.most = 1};
    OK(ptl_city_list(store, "w", within, on_each_city, &listed, &err));
    OK(ptl_city_each(store, "w", within, on_each_city, &met, &err));
    ck_assert_int_gt(met.count, 1);
    ck_assert_int_eq(met.count, listed.count);
    ck_assert_int_eq(met.chunks, listed.chunks); /* those of a chunk together */
    ck_assert_uint_eq(met.sum, listed.sum);
    ck_assert_int_eq(ptl_city_each(store, "w", within, on_each_city, &cut, &err),
                     PTL_ERR_CANCELLED);
    ck_assert_int_eq(cut.count, 1);
    ck_assert_int_eq(ptl_city_each(store, "none", within, on_each_city, &cut, &err),
                     PTL_ERR_NOT_FOUND);
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
    expect_each_city(p.store, NULL);
    expect_each_city(p.store, (ptl_chunk_pos[2]){{-1, -1}, {0, 0}});
    each listed = {.count = 0}, met = {.count = 0}, cut = {.most = 2};
    OK(ptl_special_list(p.store, "w", NULL, on_each, &listed, &err));
    OK(ptl_special_each(p.store, "w", on_each, &met, &err));
    ck_assert_int_eq(met.count, listed.count);
    ck_assert_uint_eq(met.sum, listed.sum);
    ck_assert_int_eq(met.chunks, 4); /* those of a chunk together */
    ck_assert_int_eq(ptl_special_each(p.store, "w", on_each, &cut, &err), PTL_ERR_CANCELLED);
    ck_assert_int_eq(cut.count, 2);
    ck_assert_int_eq(ptl_special_each(p.store, "none", on_each, &cut, &err), PTL_ERR_NOT_FOUND);
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

/* ---- events ---- */

static void expect_events(ptl_world *world, ptl_chunk_pos pos, notes *events)
{
    ptl_features *f;
    ptl_event e = PTL_EVENT_INIT;
    OK(ptl_features_load(&f, world, pos, &err));
    for (size_t i = 0; ptl_features_event(&e, f, i) == PTL_OK; i++)
        NOTE(events, "%d,%d:%zu %s %s %s %d %lld %lld %d;", (int)pos.x, (int)pos.y, i, e.step,
             e.kind, e.detail, e.has_place,
             e.has_place ? (long long)pos.x * PTL_CHUNK_SIZE + e.x : 0,
             e.has_place ? (long long)pos.y * PTL_CHUNK_SIZE + e.y : 0, (int)e.z);
    ptl_features_free(f);
}

static bool on_event(void *payload, const ptl_event_place *e)
{
    notes *n = payload;
    NOTE(n, "%d,%d:%d %s %s %s %d %lld %lld %d;", (int)e->chunk.x, (int)e->chunk.y,
         (int)e->number, e->step, e->kind, e->detail, e->has_place, (long long)e->x,
         (long long)e->y, (int)e->z);
    return n->count != n->most;
}

/* As each chunk's features have them, in the order of chunks and numbers. */
START_TEST(events)
{
    static const ptl_chunk_pos list[] = {{0, 0}, {-1, 0}, {0, -1}, {5, 5}},
                               sorted[] = {{0, -1}, {-1, 0}, {0, 0}, {5, 5}};
    const ptl_chunk_pos within[2] = {{-1, 0}, {4, 9}};
    place p;
    notes wanted = {.count = 0}, found = {.count = 0}, some = {.count = 0},
          wanted_some = {.count = 0}, cut = {.most = 1};
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 3);
    generate(world, list, 4, NULL);
    for (int i = 0; i < 4; i++)
        expect_events(world, sorted[i], &wanted);
    OK(ptl_event_list(p.store, "w", NULL, on_event, &found, &err));
    ck_assert_int_gt(found.count, 2);
    ck_assert_str_eq(found.text, wanted.text);
    expect_events(world, sorted[1], &wanted_some);
    expect_events(world, sorted[2], &wanted_some);
    OK(ptl_event_list(p.store, "w", within, on_event, &some, &err));
    ck_assert_str_eq(some.text, wanted_some.text);
    ck_assert_int_eq(ptl_event_list(p.store, "w", NULL, on_event, &cut, &err),
                     PTL_ERR_CANCELLED);
    ck_assert_int_eq(ptl_event_list(p.store, "none", NULL, on_event, &cut, &err),
                     PTL_ERR_NOT_FOUND);
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
    OK(ptl_features_edge(&a, there, 1));
    for (size_t side = 0; side < 4; side++) {
        OK(ptl_features_edge(&b, f, side));
        ck_assert(b.saved == (side == 3));
    }
    ck_assert_uint_gt(a.crossing_count, 0);
    ck_assert_uint_eq(a.crossing_count, b.crossing_count);
    for (size_t i = 0; i < a.crossing_count; i++) {
        OK(ptl_features_crossing(&c, there, 1, i));
        OK(ptl_features_crossing(&d, f, 3, i));
        ck_assert_str_eq(c.kind, d.kind);
        ck_assert(c.position == d.position && c.z == d.z && c.width == d.width);
    }
    OK(ptl_features_describe(&info, f));
    ck_assert(info.pos.x == beside.x && info.cities == 0 && info.specials == 0);
    ck_assert_str_eq(info.content, "");
    ptl_features_free(f);
    OK(ptl_edges_load(&f, world, far, &err));
    OK(ptl_features_edge(&b, f, 0));
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
    ck_assert_int_eq(ptl_sweep_counts_load(&c, p.store, "s", &err), PTL_ERR_NOT_FOUND);
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
    OK(ptl_sweep_run(NULL, p.store, "s", &o, &err));
    o.seed_first = 3;
    o.seed_last = 4;
    OK(ptl_sweep_run(NULL, p.store, "s", &o, &err));
    OK(ptl_sweep_list(p.store, on_sweep, &sweeps, &err));
    ck_assert_str_eq(sweeps.text, "s default 8 1;");
    OK(ptl_sweep_counts_load(&c, p.store, "s", &err));
    ck_assert(c.overmaps == 6 && c.seeds == 3 && c.first == 3 && c.last == UINT64_MAX);
    ptl_world_close(a);
    ptl_world_close(b);
    close_place(&p);
}
END_TEST

/* ---- one chunk, the index, and what is set aside ---- */

START_TEST(chunk_is_described)
{
    static const ptl_chunk_pos whole = {1, -1}, part = {0, 3};
    place p;
    ptl_chunk_info c = PTL_CHUNK_INFO_INIT;
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 1);
    generate(world, &whole, 1, NULL);
    generate(world, &part, 1, "rivers");
    OK(ptl_chunk_info_load(&c, p.store, "w", whole, &err));
    ck_assert_str_eq(c.content, ptl_catalogue_digest(ptl_world_catalogue(world)));
    ck_assert_str_eq(c.last_step, "");
    ck_assert(!c.imported && c.generator_version == PTL_GENERATOR_VERSION);
    OK(ptl_chunk_info_load(&c, p.store, "w", part, &err));
    ck_assert_str_eq(c.last_step, "rivers");
    ck_assert_int_eq(ptl_chunk_info_load(&c, p.store, "w", (ptl_chunk_pos){5, 5}, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_str_eq(err.message, "chunk 5,5 of world 'w' is not saved");
    ck_assert_int_eq(ptl_chunk_info_load(&c, p.store, "no", whole, &err), PTL_ERR_NOT_FOUND);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

START_TEST(index_is_looked_at)
{
    static const ptl_chunk_pos list[] = {{0, 0}, {1, 0}};
    place p;
    ptl_index_state state = PTL_INDEX_STATE_INIT;
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 1);
    generate(world, list, 1, NULL);
    if (_i != FILE_BACKEND) {
        ck_assert_int_eq(ptl_index_state_load(&state, p.store, "w", &err), PTL_ERR_UNSUPPORTED);
        ck_assert_int_eq(ptl_set_aside_list(p.store, NULL, NULL, &err), PTL_ERR_UNSUPPORTED);
    } else {
        OK(ptl_index_state_load(&state, p.store, "w", &err));
        ck_assert(state.made == 0 && state.chunks == 0);
        OK(ptl_index_update(NULL, p.store, NULL, &err));
        generate(world, list, 2, NULL);
        OK(ptl_index_state_load(&state, p.store, "w", &err));
        ck_assert(state.made == 1 && state.chunks == 2 && state.indexed == 1 &&
                  state.changed == 0 && state.missing == 1);
        ck_assert_int_eq(ptl_index_state_load(&state, p.store, "no", &err), PTL_ERR_NOT_FOUND);
    }
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

static bool on_aside(void *payload, const ptl_set_aside *a)
{
    notes *n = payload;
    ck_assert_int_eq(a->found[4], '-');
    ck_assert_uint_gt(strlen(a->reason), 0);
    NOTE(n, "%d %s %s %d %d,%d;", (int)a->number, a->table, a->world, (int)a->has_place,
         (int)a->x, (int)a->y);
    return go_on(n);
}

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
    OK(ptl_sweep_run(NULL, p.store, "s", &o, &err));
    ptl_store_close(p.store);
    alter(p.path, d->sql);
    OK(ptl_store_open(&p.store, p.path, NULL, &err));
    ck_assert_int_eq(ptl_world_list(p.store, on_world, &n, &err), d->worlds);
    ck_assert_int_eq(ptl_world_counts_load(&counts, p.store, "w", &err), d->chunks);
    ck_assert_int_eq(ptl_chunk_list(p.store, "w", NULL, on_chunk, &n, &err), d->chunks);
    ck_assert_int_eq(ptl_city_list(p.store, "w", NULL, on_city, &n, &err), d->cities);
    ck_assert_int_eq(ptl_city_each(p.store, "w", NULL, on_city, &n, &err), d->cities);
    ck_assert_int_eq(ptl_special_list(p.store, "w", NULL, on_special, &n, &err), d->specials);
    ck_assert_int_eq(ptl_run_list(p.store, NULL, 9, on_run, &n, &err), d->runs);
    ck_assert_int_eq(ptl_sweep_list(p.store, on_sweep, &n, &err), d->sweeps);
    close_place(&p);
}
END_TEST

/* A level that repair can't bring back, as the content that made it is gone. */
START_TEST(set_aside)
{
    const ptl_chunk_pos here = {2, -3};
    place p;
    notes none = {.count = 0}, n = {.count = 0};
    open_place(&p, FILE_BACKEND);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 3);
    generate(world, &here, 1, NULL);
    ptl_world_close(world);
    import_more(p.store);
    OK(ptl_set_aside_list(p.store, on_aside, &none, &err));
    ck_assert_int_eq(none.count, 0);
    ptl_store_close(p.store);
    alter(p.path, "UPDATE level SET omts = zeroblob(40) WHERE id % 32 = 10");
    OK(ptl_store_open(&p.store, p.path, NULL, &err));
    OK(ptl_repair(NULL, p.store, NULL, &err));
    OK(ptl_set_aside_list(p.store, on_aside, &n, &err));
    ck_assert_ptr_nonnull(strstr(n.text, " w 1 2,-3;"));
    ptl_store_close(p.store);
    alter(p.path, "UPDATE set_aside SET reason = 'x'");
    OK(ptl_store_open(&p.store, p.path, NULL, &err));
    ck_assert_int_eq(ptl_set_aside_list(p.store, on_aside, &n, &err), PTL_ERR_CORRUPT);
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lists");
    TCase *tcase = tcase_create("lists");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, nothing_is_there, 0, ALL_BACKENDS);
    tcase_add_loop_test(tcase, worlds_by_name, 0, BACKENDS);
    tcase_add_loop_test(tcase, chunks_are_counted_and_listed, 0, BACKENDS);
    tcase_add_loop_test(tcase, cities_and_specials, 0, ALL_BACKENDS);
    tcase_add_loop_test(tcase, events, 0, ALL_BACKENDS);
    tcase_add_loop_test(tcase, edges_of_any_place, 0, ALL_BACKENDS);
    tcase_add_loop_test(tcase, runs_and_sweeps, 0, ALL_BACKENDS);
    tcase_add_loop_test(tcase, chunk_is_described, 0, ALL_BACKENDS);
    tcase_add_loop_test(tcase, index_is_looked_at, 0, ALL_BACKENDS);
    tcase_add_test(tcase, set_aside);
    tcase_add_loop_test(tcase, damaged_rows, 0, sizeof damages / sizeof *damages);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
