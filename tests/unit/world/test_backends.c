/* The same worlds in SQLite and in each other backend, with the embedded content: digests,
 * chunks, features and edges are equal, whatever came first. */
#include "core/hash.h"
#include "model/catalogue.h"
#include "model/chunk.h"
#include "support/memory/memory_store.h"
#include "support/suite.h"
#include "support/world_file.h"
#include "unit/analysis/analysis_fixture.h"
#include "world/world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 3, COUNT = SIDE * SIDE };

static ptl_error err;

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

typedef struct pair {
    char path[WORLD_PATH_SIZE];
    catalogue *cat;
    void *kept; /* the other backend's */
    ptl_store *stores[2];
    ptl_world *worlds[2]; /* in SQLite, in the other backend */
    int other;
} pair;

/* A backend that is compared with SQLite: a line of `others`. */
typedef struct backend {
    /* A new store, whose content is cat's, or with NULL none; *kept is what `drop` gets. */
    ptl_store *(*open)(void **kept, const catalogue *cat);
    void (*drop)(void *kept);
    const char *name; /* in messages */
} backend;

static ptl_store *open_memory(void **kept, const catalogue *cat)
{
    memory *m = memory_new(cat);
    ck_assert_ptr_nonnull(m);
    *kept = m;
    return memory_open(m);
}

static void drop_memory(void *kept)
{
    memory_free(kept);
}

static const backend others[] = {{open_memory, drop_memory, "memory"}};
enum { OTHERS = sizeof others / sizeof *others, SEEDS = 3 };

/* With the content imported, or with the catalogue that SQLite's file gives. */
static void open_pair(pair *p, int other, uint64_t seed, bool imported)
{
    const ptl_import_options import = {.size = sizeof import, .builtin = true};
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    o.seed = seed;
    memset(&err, 0, sizeof err);
    *p = (pair){.other = other};
    world_file_path(p->path);
    p->stores[0] = world_file_open(p->path, "w", seed);
    OK(ops(p->stores[0])->content->load(&p->cat, p->stores[0], &err));
    p->stores[1] = others[other].open(&p->kept, imported ? NULL : p->cat);
    ck_assert_ptr_nonnull(p->stores[1]);
    if (imported)
        OK(ptl_import(NULL, p->stores[1], &import, &err));
    OK(ptl_world_create(p->stores[1], "w", &o, &err));
    for (int i = 0; i < 2; i++)
        OK(ptl_world_open(&p->worlds[i], p->stores[i], "w", NULL, &err));
}

static void close_pair(pair *p)
{
    for (int i = 0; i < 2; i++) {
        ptl_world_close(p->worlds[i]);
        ptl_store_close(p->stores[i]);
    }
    others[p->other].drop(p->kept);
    catalogue_free(p->cat);
    world_file_remove(p->path);
}

/* The second in another order, by another number of threads. */
static void generate(pair *p, ptl_chunk_pos list[COUNT], uint64_t seed)
{
    rng r = rng_from_key(seed);
    for (int i = 0; i < 2; i++) {
        ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
        o.positions = list;
        o.position_count = COUNT;
        o.jobs = 1 + i;
        OK(ptl_generate(NULL, p->worlds[i], &o, &err));
        for (uint32_t k = COUNT - 1; k > 0; k--) {
            const uint32_t n = rng_below(&r, k + 1);
            const ptl_chunk_pos swap = list[k];
            list[k] = list[n];
            list[n] = swap;
        }
    }
}

typedef struct far_view {
    ptl_chunk_pos places[COUNT];
    ptl_oter cells[COUNT][PTL_OVERVIEW_CELLS];
    size_t count;
} far_view;

static bool see(void *payload, ptl_chunk_pos pos, const ptl_oter cells[PTL_OVERVIEW_CELLS])
{
    far_view *v = payload;
    ck_assert_uint_lt(v->count, COUNT);
    ck_assert_ptr_nonnull(cells);
    memcpy(v->cells[v->count], cells, sizeof v->cells[0]);
    v->places[v->count++] = pos;
    return true;
}

/* Their catalogues are of the same content, so oters have the same numbers. */
static void compare_overviews(const pair *p)
{
    static far_view views[2];
    memset(views, 0, sizeof views);
    for (int i = 0; i < 2; i++)
        OK(ptl_overview_list(p->worlds[i], see, &views[i], &err));
    ck_assert_uint_eq(views[0].count, COUNT);
    ck_assert_mem_eq(&views[0], &views[1], sizeof views[0]);
}

static void compare_worlds(const pair *p)
{
    ptl_world_digest_result digests[2] = {PTL_WORLD_DIGEST_RESULT_INIT,
                                          PTL_WORLD_DIGEST_RESULT_INIT};
    chunk_totals totals[2];
    uint64_t edges[2];
    for (int i = 0; i < 2; i++) {
        OK(ptl_world_digest_get(&digests[i], p->worlds[i], &err));
        const int64_t id = p->worlds[i]->row.id;
        OK(ops(p->stores[i])
               ->chunk->total(&totals[i], p->stores[i], id, p->worlds[i]->row.content_id,
                              PTL_GENERATOR_VERSION, &err));
        OK(ops(p->stores[i])->chunk->edge_count(&edges[i], p->stores[i], id, &err));
        ck_assert_uint_eq(edges[i], digests[i].edges);
    }
    ck_assert_mem_eq(&totals[0], &totals[1], sizeof totals[0]);
    ck_assert_uint_eq(totals[0].chunks, COUNT);
    ck_assert_uint_eq(totals[0].whole, COUNT);
    ck_assert_uint_eq(
        totals[0].unfinished + totals[0].imported + totals[0].foreign + totals[0].stale, 0);
    ck_assert_uint_eq(digests[0].chunks, COUNT);
    ck_assert_uint_eq(digests[0].chunks, digests[1].chunks);
    ck_assert_uint_eq(digests[0].edges, digests[1].edges);
    ck_assert_str_eq(digests[0].hex, digests[1].hex);
    compare_overviews(p);
}

static void compare_features(const gen_features *a, const gen_features *b)
{
    ck_assert_uint_eq(a->city_count, b->city_count);
    for (size_t i = 0; i < a->city_count; i++) {
        ck_assert_str_eq(a->cities[i].name, b->cities[i].name);
        ck_assert_int_eq(a->cities[i].x, b->cities[i].x);
        ck_assert_int_eq(a->cities[i].size, b->cities[i].size);
    }
    ck_assert_uint_eq(a->placement_count, b->placement_count);
    for (size_t i = 0; i < a->placement_count; i++) {
        ck_assert_uint_eq(a->placements[i].special, b->placements[i].special);
        ck_assert_int_eq(a->placements[i].x, b->placements[i].x);
        ck_assert_int_eq(a->placements[i].y, b->placements[i].y);
        ck_assert_int_eq(a->placements[i].rotation, b->placements[i].rotation);
    }
    ck_assert_uint_eq(a->piece_count, b->piece_count);
    ck_assert_uint_eq(a->join_count, b->join_count);
    ck_assert_uint_eq(a->attempt_count, b->attempt_count);
    ck_assert_uint_eq(a->group_count, b->group_count);
    for (size_t i = 0; i < a->group_count; i++) {
        ck_assert_str_eq(a->groups[i].type, b->groups[i].type);
        ck_assert_int_eq(a->groups[i].population, b->groups[i].population);
    }
    ck_assert_uint_eq(a->radio_count, b->radio_count);
}

static void compare_edges(const pair *p, ptl_chunk_pos pos, edge_side side)
{
    edge edges[2];
    for (int i = 0; i < 2; i++) {
        bool found = false;
        OK(ops(p->stores[i])
               ->chunk->edge_find(&edges[i], &found, p->stores[i], p->worlds[i]->row.id, pos.x,
                                  pos.y, side, p->cat, &err));
        ck_assert(found);
    }
    ck_assert_uint_eq(edges[0].count, edges[1].count);
    for (size_t i = 0; i < edges[0].count; i++) {
        const crossing *a = &edges[0].crossings[i], *b = &edges[1].crossings[i];
        ck_assert_str_eq(a->kind, b->kind);
        ck_assert_int_eq(a->position, b->position);
        ck_assert_int_eq(a->z, b->z);
        ck_assert_uint_eq(a->width, b->width);
        ck_assert_int_eq(a->direction, b->direction);
    }
    edge_dispose(&edges[0]);
    edge_dispose(&edges[1]);
}

/* Through the public header: what the visit of a chunk gives, with its events. */
static void compare_visits(const pair *p, ptl_chunk_pos pos)
{
    ptl_features *f[2];
    ptl_features_info infos[2] = {PTL_FEATURES_INFO_INIT, PTL_FEATURES_INFO_INIT};
    ptl_event a = PTL_EVENT_INIT, b = PTL_EVENT_INIT;
    ptl_placed_special s = PTL_PLACED_SPECIAL_INIT, t = PTL_PLACED_SPECIAL_INIT;
    for (int i = 0; i < 2; i++) {
        OK(ptl_features_load(&f[i], p->worlds[i], pos, &err));
        ck_assert_int_eq(ptl_features_describe(&infos[i], f[i]), PTL_OK);
    }
    ck_assert_uint_eq(infos[0].events, infos[1].events);
    ck_assert_uint_eq(infos[0].specials, infos[1].specials);
    for (size_t i = 0; ptl_features_event(&a, f[0], i) == PTL_OK; i++) {
        ck_assert_int_eq(ptl_features_event(&b, f[1], i), PTL_OK);
        ck_assert_str_eq(a.step, b.step);
        ck_assert_str_eq(a.kind, b.kind);
        ck_assert_str_eq(a.detail, b.detail);
        ck_assert(a.x == b.x && a.y == b.y && a.z == b.z && a.has_place == b.has_place);
    }
    for (size_t i = 0; ptl_features_special(&s, f[0], i) == PTL_OK; i++) {
        ck_assert_int_eq(ptl_features_special(&t, f[1], i), PTL_OK);
        ck_assert_str_eq(s.id, t.id);
        ck_assert(s.x == t.x && s.y == t.y && s.first_piece == t.first_piece &&
                  s.piece_count == t.piece_count);
    }
    ptl_features_free(f[0]);
    ptl_features_free(f[1]);
}

static void compare_chunk(const pair *p, ptl_chunk_pos pos)
{
    gen_features features[2] = {{0}, {0}};
    chunk_info infos[2];
    for (int i = 0; i < 2; i++) {
        bool found = false;
        OK(ops(p->stores[i])
               ->chunk->find(&infos[i], &found, p->stores[i], p->worlds[i]->row.id, pos, &err));
        ck_assert(found);
        OK(ops(p->stores[i])
               ->chunk->features_read(&features[i], &found, p->stores[i], p->worlds[i]->row.id,
                                      pos, p->cat, &err));
        ck_assert(found);
    }
    ck_assert_mem_eq(&infos[0].omts, &infos[1].omts, sizeof infos[0].omts);
    ck_assert_mem_eq(&infos[0].features, &infos[1].features, sizeof infos[0].features);
    ck_assert_uint_eq(infos[0].level_mask, infos[1].level_mask);
    compare_features(&features[0], &features[1]);
    compare_visits(p, pos);
    features_dispose(&features[0]);
    features_dispose(&features[1]);
    compare_edges(p, pos, EDGE_EAST);
    compare_edges(p, pos, EDGE_SOUTH);
}

static void compare_places(const pair *p)
{
    const chunk_filter halves[] = {
        CHUNK_FILTER_ALL,
        {.x0 = 0, .x1 = 1, .y0 = -1, .y1 = 5},
        {.x0 = -9, .x1 = 9, .y0 = -9, .y1 = 9, .stale = true, .content_id = 77},
        {.x0 = -9,
         .x1 = 9,
         .y0 = -9,
         .y1 = 9,
         .stale = true,
         .content_id = p->cat->content_id,
         .generator_version = PTL_GENERATOR_VERSION}};
    static const size_t counts[] = {COUNT, 3, COUNT, 0};
    for (size_t h = 0; h < sizeof halves / sizeof halves[0]; h++)
        for (int i = 0; i < 2; i++) {
            const int64_t world = p->worlds[i]->row.id;
            ptl_chunk_pos *list, at = {INT32_MIN, INT32_MIN};
            size_t count;
            uint64_t counted;
            bool found = true;
            OK(ops(p->stores[i])
                   ->chunk->list(&list, &count, p->stores[i], world, &halves[h], &err));
            OK(ops(p->stores[i])
                   ->chunk->count(&counted, p->stores[i], world, &halves[h], &err));
            ck_assert_uint_eq(count, counts[h]);
            ck_assert_uint_eq(counted, counts[h]);
            for (size_t k = 0; h < 2 && k <= count; k++) {
                OK(ops(p->stores[i])
                       ->chunk->next(&at, &found, p->stores[i], world, &halves[h], &err));
                ck_assert_int_eq(found, k < count);
                ck_assert(!found || (at.x == list[k].x && at.y == list[k].y));
            }
            free(list);
        }
}

/* ---- one after another ---- */

typedef struct walk {
    const pair *p;
    ptl_store *store;
    ptl_chunk *chunk; /* owned; reused for all */
    feature_set set;  /* likewise */
    ptl_chunk_pos places[COUNT];
    size_t count;
    ptl_status end; /* of the visit */
} walk;

static void expect_level(const level *got, const level *wanted)
{
    int32_t different = 0;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
        different += (got->cells ? got->cells[i] : got->fill) !=
                     (wanted->cells ? wanted->cells[i] : wanted->fill);
    ck_assert_int_eq(different, 0);
}

/* What is given piece by piece is the chunk: some levels, and then all. */
static ptl_status visit_chunk(void *payload, const stored_chunk *stored, ptl_error *visit_err)
{
    enum { GROUND = -PTL_Z_MIN, CELLAR = GROUND - 1 };
    const uint32_t parts[] = {UINT32_C(1) << GROUND | UINT32_C(1) << CELLAR,
                              (UINT32_C(1) << PTL_LEVELS) - 1};
    walk *w = payload;
    digest features;
    ptl_chunk *whole;
    (void)visit_err;
    const catalogue *cat = w->p->cat;
    w->places[w->count++] = stored->info.pos;
    OK(ops(w->p->stores[0])
           ->chunk->read(&whole, w->p->stores[0], w->p->worlds[0]->row.id, stored->info.pos,
                         cat, NULL, &err));
    ck_assert_ptr_nonnull(whole);
    for (size_t i = 0; i < 2; i++) {
        OK(ops(stored->store)
               ->chunk->stored_levels_read(w->chunk, stored, parts[i], cat, &err));
        for (int k = 0; k < PTL_LEVELS; k++)
            if (parts[i] >> k & 1)
                expect_level(&w->chunk->levels[k], &whole->levels[k]);
    }
    ptl_chunk_free(whole);
    OK(ops(stored->store)->chunk->stored_features_read(&w->set, stored, &err));
    OK(feature_set_digest(&features, &w->set, stored->info.pos, &err));
    ck_assert_mem_eq(&features, &stored->info.features, sizeof features);
    return w->end;
}

static void walk_both(const pair *p)
{
    for (int i = 0; i < 2; i++) {
        const int64_t world = p->worlds[i]->row.id;
        ptl_chunk_pos at = {INT32_MIN, INT32_MIN};
        walk w = {.p = p, .store = p->stores[i], .chunk = chunk_new((ptl_chunk_pos){0, 0})};
        ck_assert_ptr_nonnull(w.chunk);
        for (size_t k = 1; k <= COUNT; k++) {
            OK(ops(w.store)->chunk->visit_next(&at, w.store, world, visit_chunk, &w, &err));
            ck_assert_uint_eq(w.count, k);
            ck_assert(w.places[k - 1].x == at.x && w.places[k - 1].y == at.y);
            ck_assert(k == 1 || w.places[k - 2].x < at.x ||
                      (w.places[k - 2].x == at.x && w.places[k - 2].y < at.y));
        }
        const ptl_chunk_pos last = at;
        OK(ops(w.store)->chunk->visit_next(&at, w.store, world, visit_chunk, &w, &err));
        ck_assert_uint_eq(w.count, COUNT);
        ck_assert(at.x == last.x && at.y == last.y);
        w.count = 0;
        w.end = PTL_ERR_CANCELLED;
        at = (ptl_chunk_pos){INT32_MIN, 0};
        ck_assert_int_eq(
            ops(w.store)->chunk->visit_next(&at, w.store, world, visit_chunk, &w, &err), w.end);
        ptl_chunk_free(w.chunk);
        feature_set_dispose(&w.set);
    }
}

/* What the overmaps count, all parts of it. */
static void compare_counts(const pair *p)
{
    char *texts[2];
    for (int i = 0; i < 2; i++) {
        ptl_sample *sample = NULL;
        ptl_tally *tally = ptl_tally_new();
        ck_assert_ptr_nonnull(tally);
        OK(ptl_sample_open(&sample, p->stores[i], "w", &err));
        OK(ptl_tally_add(tally, sample, NULL, &err));
        ck_assert_uint_eq(tally->overmaps, COUNT);
        texts[i] = tally_text(tally);
        ck_assert_ptr_nonnull(texts[i]);
        ptl_sample_close(sample);
        ptl_tally_free(tally);
    }
    ck_assert_str_eq(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

START_TEST(equal_in_both)
{
    const uint64_t seed = (uint64_t)_i % SEEDS;
    ptl_chunk_pos list[COUNT];
    pair p;
    for (int32_t i = 0; i < COUNT; i++)
        list[i] = (ptl_chunk_pos){i % SIDE - 2, i / SIDE - 1};
    open_pair(&p, _i / SEEDS, seed, false);
    generate(&p, list, seed);
    compare_worlds(&p);
    for (int i = 0; i < COUNT; i++)
        compare_chunk(&p, list[i]);
    compare_places(&p);
    walk_both(&p);
    compare_counts(&p);
    close_pair(&p);
}
END_TEST

/* ---- imported into both ---- */

typedef struct name_list {
    char *text;
    size_t size;
    FILE *out;
} name_list;

static ptl_status add_pack(void *payload, const pack_row *pack, ptl_error *e)
{
    (void)e;
    fprintf(payload, "%s %d\n", pack->id, pack->own);
    return PTL_OK;
}

static int64_t content_of(ptl_store *store)
{
    int64_t id = 0;
    OK(ops(store)->content->current(&id, store, &err));
    return id;
}

static void compare_contents(const pair *p)
{
    name_list lists[2];
    catalogue *cats[2];
    for (int i = 0; i < 2; i++) {
        lists[i].out = open_memstream(&lists[i].text, &lists[i].size);
        ck_assert_ptr_nonnull(lists[i].out);
        OK(ops(p->stores[i])
               ->content->pack_visit(p->stores[i], content_of(p->stores[i]), add_pack,
                                     lists[i].out, &err));
        OK(ops(p->stores[i])->content->load(&cats[i], p->stores[i], &err));
        for (size_t k = 0; k < cats[i]->oter_count; k++)
            fprintf(lists[i].out, "%s ", cats[i]->oters[k].id);
        for (size_t k = 0; k < cats[i]->special_count; k++)
            fprintf(lists[i].out, "%s ", cats[i]->specials[k].id);
        fprintf(lists[i].out, "%zu %zu", cats[i]->town_names.count, cats[i]->radio_texts.count);
        fclose(lists[i].out);
    }
    ck_assert_str_eq(cats[0]->digest, cats[1]->digest);
    ck_assert_uint_gt(lists[0].size, 1000);
    ck_assert_str_eq(lists[0].text, lists[1].text);
    for (int i = 0; i < 2; i++) {
        free(lists[i].text);
        catalogue_free(cats[i]);
    }
}

typedef struct summary_hash {
    uint64_t h;
    codec *codec;
} summary_hash;

static bool add_summary(void *payload, uint64_t seed, const summary *s)
{
    summary_hash *hash = payload;
    encoded_summary *e = NULL;
    OK(summary_encode(&e, hash->codec, s, &err));
    hash->h = hash_add(hash->h, seed);
    for (int i = 0; i < SUMMARY_PACKS; i++) {
        hash->h = hash_add(hash->h, hash_bytes(e->packs[i].body.data, e->packs[i].body.size));
        for (size_t k = 0; k < e->packs[i].name_count; k++)
            hash->h = hash_add(hash->h, hash_string(e->packs[i].names[k]));
    }
    encoded_summary_free(e);
    return true;
}

static void compare_sweeps(const pair *p)
{
    const ptl_chunk_pos place = {1, -1};
    ptl_sweep_options o = PTL_SWEEP_OPTIONS_INIT;
    summary_hash hashes[2];
    o.seed_first = 4;
    o.seed_last = 5;
    o.positions = &place;
    o.position_count = 1;
    for (int i = 0; i < 2; i++) {
        sweep_row row;
        hashes[i] = (summary_hash){1, codec_new()};
        o.jobs = 1 + i;
        OK(ptl_sweep_run(NULL, p->stores[i], "s", &o, &err));
        OK(ops(p->stores[i])->sweep->find(&row, p->stores[i], "s", &err));
        OK(ops(p->stores[i])
               ->sweep->chunk_visit(p->stores[i], row.id, PTL_COUNT_ALL, add_summary,
                                    &hashes[i], &err));
        sweep_row_dispose(&row);
        codec_free(hashes[i].codec);
    }
    ck_assert_uint_ne(hashes[0].h, 1);
    ck_assert_uint_eq(hashes[0].h, hashes[1].h);
}

START_TEST(imported_into_both)
{
    ptl_chunk_pos list[COUNT];
    pair p;
    for (int32_t i = 0; i < COUNT; i++)
        list[i] = (ptl_chunk_pos){i % SIDE, i / SIDE - 1};
    open_pair(&p, _i, 0, true);
    compare_contents(&p);
    generate(&p, list, 5);
    compare_worlds(&p);
    compare_sweeps(&p);
    close_pair(&p);
}
END_TEST

START_TEST(others_take_no_repair)
{
    char message[100];
    pair p;
    open_pair(&p, _i, 1, false);
    ck_assert_int_eq(ptl_repair(NULL, p.stores[1], NULL, &err), PTL_ERR_UNSUPPORTED);
    snprintf(message, sizeof message, "a store in %s has no file", others[_i].name);
    ck_assert_str_eq(err.message, message);
    close_pair(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("backends");
    TCase *tcase = tcase_create("backends");
    tcase_set_timeout(tcase, 240);
    tcase_add_loop_test(tcase, equal_in_both, 0, SEEDS * OTHERS);
    tcase_add_loop_test(tcase, imported_into_both, 0, OTHERS);
    tcase_add_loop_test(tcase, others_take_no_repair, 0, OTHERS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
