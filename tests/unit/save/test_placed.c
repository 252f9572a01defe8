/*
 * Specials that a save places, in files with both journals and in memory: every special of the
 * content in every rotation, its connections, the reasons for which a place is refused, local
 * maps, and rows that no save could have written. test_placed_model.c has random saves.
 */
#include "gen/seams/dead_ends.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/save/placed_fixture.h"
#include "world/local/local.h"

#include <string.h>

static size_t place_of(int32_t x, int32_t y, int32_t z)
{
    return (size_t)(z - PTL_Z_MIN) * PTL_LEVEL_CELLS + (size_t)(y * SIDE + x);
}

/* How many arms of lines in the chunk lead nowhere. */
static uint64_t dead_ends_of(ptl_world *world)
{
    const dead_end_view none[4] = {{.chunk = NULL}};
    const edge *const edges[4] = {NULL};
    gen_features f;
    ptl_chunk *chunk = NULL;
    dead_ends *d = dead_ends_new(world->cat);
    ck_assert_ptr_nonnull(d);
    read_features(&f, world);
    OK(ptl_chunk_load(&chunk, world, here, &err));
    const dead_end_view view = {.chunk = chunk, .features = &f};
    ck_assert(dead_ends_check(d, &view, none, edges, NULL, NULL));
    const uint64_t problems = dead_ends_problems(d);
    dead_ends_free(d);
    ptl_chunk_free(chunk);
    features_dispose(&f);
    return problems;
}

/* ---- every special ---- */

/* Its OMTs or pieces are shown, and it is the last of the features. */
static void check_shown(ptl_world *world, const char *special, ptl_omt at, int32_t rotation,
                        size_t before)
{
    static ptl_oter cells[CELLS];
    gen_features f;
    read_cells(cells, world);
    read_features(&f, world);
    ck_assert_uint_gt(f.placement_count, before);
    const gen_placement *p = &f.placements[before];
    const cat_special *s = &world->cat->specials[p->special];
    ck_assert_str_eq(s->id, special);
    ck_assert_int_eq(p->x, at.x);
    ck_assert_int_eq(p->y, at.y);
    ck_assert_int_eq(p->z, 0);
    ck_assert_int_eq(p->rotation, rotation);
    ck_assert_int_ge(p->omts, (int32_t)s->omt_count);
    for (size_t i = 0; i < s->omt_count; i++) {
        int32_t x, y;
        feature_rotate(s->omts[i].x, s->omts[i].y, rotation, &x, &y);
        ck_assert_uint_eq(cells[place_of((int32_t)at.x + x, (int32_t)at.y + y, s->omts[i].z)],
                          s->omts[i].oters[rotation]);
    }
    for (size_t i = 0; i < s->link_count; i++) { /* its connections are there */
        const cat_link *l = &s->links[i];
        int32_t x, y;
        feature_rotate(l->x, l->y, rotation, &x, &y);
        const ptl_oter there = cells[place_of((int32_t)at.x + x, (int32_t)at.y + y, l->z)];
        ck_assert_msg(cat_terrain_in(l->carries, world->cat->oters[there].terrain),
                      "%s: connection %zu", special, i);
    }
    int32_t pieces = 0;
    for (size_t i = 0; i < f.piece_count; i++) {
        const gen_piece *piece = &f.pieces[i];
        if (piece->placement != (int32_t)before)
            continue;
        pieces++;
        ck_assert_uint_eq(cells[place_of(piece->x, piece->y, piece->z)],
                          s->layout->pieces[piece->piece].oters[piece->rotation]);
    }
    ck_assert_int_eq(pieces, s->layout ? p->omts : 0);
    features_dispose(&f);
}

static const char *const certain[] = {"woodland_cabin",    "porch_cabin",  "brickworks",
                                      "flooded_cistern",   "smallholding", "old_orchard",
                                      "underground_depot", "hermitage",    "burnt_wood"};
enum { CERTAIN = sizeof certain / sizeof certain[0] };

START_TEST(every_special_is_placed_and_taken_away)
{
    place p;
    char first[65], hex[65];
    ptl_world *world = saved_begin(&p, _i);
    const catalogue *cat = world->cat;
    bool met[CERTAIN] = {false};
    int placed = 0, wanted = 0;
    gen_features f;
    saved_digest(first, world);
    read_features(&f, world);
    const size_t before = f.placement_count;
    features_dispose(&f);
    const uint64_t dead = dead_ends_of(world);
    for (size_t i = 0; i < cat->special_count; i++) {
        const cat_special *s = &cat->specials[i];
        if (s->building || (s->omt_count == 0 && !s->layout))
            continue;
        wanted++;
        const cat_special *last = NULL;
        for (int32_t rotation = 0; rotation < (s->rotate ? 4 : 1); rotation++) {
            ptl_save_report report = PTL_SAVE_REPORT_INIT;
            ptl_why_place why = PTL_WHY_PLACE_INIT;
            ptl_omt at;
            if (_i != ROLLBACK && s->rotate && rotation != (int32_t)(i % 4))
                continue; /* all rotations in one kind of store are enough */
            if (!find_origin(&at, world, s->id, (ptl_omt){90, 90, 0}, rotation))
                continue;
            const ptl_status status = put(&report, &why, world, s->id, at, rotation);
            ck_assert_int_eq(why.passed, PTL_WHY_TESTS);
            if (status == PTL_ERR_EXISTS) /* no way, or no growth: nothing is left */
                continue;
            ck_assert_msg(status == PTL_OK, "%s: %s", s->id, err.message);
            ck_assert_uint_ge(report.specials, 1);
            ck_assert_int_eq(report.first, report.last);
            check_shown(world, s->id, at, rotation, before);
            ck_assert_msg(dead_ends_of(world) <= dead, "%s leaves dead ends", s->id);
            saved_digest(hex, world);
            ck_assert_str_ne(hex, first);
            last = s;
            for (int k = 0; k < CERTAIN; k++)
                met[k] = met[k] || strcmp(certain[k], s->id) == 0;
            ck_assert_int_eq(put(NULL, &why, world, s->id, at, rotation), PTL_ERR_EXISTS);
            OK(undo(world, report.last));
            saved_digest(hex, world);
            ck_assert_str_eq(hex, first);
        }
        placed += last != NULL;
    }
    ck_assert_int_gt(placed, wanted / 2);
    for (int k = 0; k < CERTAIN; k++)
        ck_assert_msg(met[k], "%s was never placed", certain[k]);
    /* The generator that placed them makes the next chunk as any other does. */
    const ptl_chunk_pos both[] = {{0, 0}, {1, 0}};
    ptl_world *again = create(p.store, "again", 11);
    generate(again, both, 2, NULL);
    ptl_chunk *chunk = NULL;
    OK(ptl_chunk_get(&chunk, world, both[1], &err));
    ptl_chunk_free(chunk);
    saved_digest(first, again);
    saved_digest(hex, world);
    ck_assert_str_eq(hex, first);
    ptl_world_close(again);
    if (_i != MEMORY)
        OK(verify_parts(p.store, VERIFY_ALL, NULL, NULL, NULL, &err));
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- what is refused ---- */

static void refused(ptl_world *world, const char *special, ptl_omt at, int32_t rotation,
                    ptl_status status, const char *words)
{
    ck_assert_int_eq(put(NULL, NULL, world, special, at, rotation), status);
    ck_assert_msg(strstr(err.message, words) != NULL, "'%s' lacks '%s'", err.message, words);
}

START_TEST(what_can_not_be_placed_is_refused)
{
    place p;
    char first[65], hex[65];
    ptl_world *world = saved_begin(&p, _i);
    const char *cabin = "woodland_cabin";
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    ptl_why_place why = PTL_WHY_PLACE_INIT;
    ptl_omt at;
    ck_assert(find_origin(&at, world, cabin, (ptl_omt){30, 30, 0}, 0));
    saved_digest(first, world);
    refused(world, "woodland_cabim", at, 0, PTL_ERR_NOT_FOUND, "did you mean 'woodland_cabin'");
    refused(world, NULL, at, 0, PTL_ERR_NOT_FOUND, "no special ''");
    refused(world, "cottage", at, 0, PTL_ERR_ARGUMENT, "a building of cities");
    refused(world, cabin, at, 4, PTL_ERR_ARGUMENT, "rotation 4");
    refused(world, cabin, at, -2, PTL_ERR_ARGUMENT, "rotation -2");
    refused(world, "fallen_star", at, 1, PTL_ERR_ARGUMENT, "always stands in rotation 0");
    refused(world, cabin, (ptl_omt){at.x, at.y, -1}, 0, PTL_ERR_ARGUMENT, "on level 0");
    refused(world, cabin, (ptl_omt){at.x, at.y, 11}, 0, PTL_ERR_ARGUMENT, "levels");
    refused(world, cabin, (ptl_omt){-1, 0, 0}, 0, PTL_ERR_NOT_FOUND,
            "chunk -1,0 of world 'w' is not saved");
    refused(world, cabin, (ptl_omt){0, 9, 0}, 0, PTL_ERR_EXISTS, "the chunk ends");
    OK(put(&report, &why, world, cabin, at, 0));
    ck_assert_uint_eq(report.specials, 1);
    refused(world, "porch_cabin", at, 0, PTL_ERR_EXISTS, "another special stands, on 'cabin'");
    ck_assert_int_eq(put(NULL, &why, world, cabin, at, 0), PTL_ERR_EXISTS);
    ck_assert(why.taken);
    ck_assert_int_eq(why.passed, PTL_WHY_GROUND);
    ck_assert(why.has_nearest);
    OK(undo(world, report.last));
    /* A special that generation has placed is in the way, too. */
    gen_features f;
    read_features(&f, world);
    size_t taken = 0;
    for (size_t i = 0; i < f.placement_count; i++) {
        const gen_placement *g = &f.placements[i];
        const cat_special *s = &world->cat->specials[g->special];
        if (s->building || s->omt_count != 1 || s->omts[0].z != 0 || g->z != 0)
            continue;
        ck_assert_int_eq(put(NULL, &why, world, cabin, (ptl_omt){g->x, g->y, 0}, 0),
                         PTL_ERR_EXISTS);
        taken += why.taken;
    }
    ck_assert_uint_gt(taken, 0);
    features_dispose(&f);
    saved_digest(hex, world);
    ck_assert_str_eq(hex, first);
    ptl_world_close(world);
    ptl_world_options derived = PTL_WORLD_OPTIONS_INIT;
    derived.derive = true;
    OK(ptl_world_create(p.store, "d", &derived, &err));
    OK(ptl_world_open(&world, p.store, "d", NULL, &err));
    refused(world, cabin, at, 0, PTL_ERR_EXISTS, "derives its local maps");
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* A save sees at its end what it changed before; if that is refused, nothing of it is kept. */
START_TEST(a_save_is_whole_or_nothing)
{
    place p;
    char first[65], hex[65];
    ptl_world *world = saved_begin(&p, _i);
    const char *cabin = "woodland_cabin";
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    ptl_omt at;
    ck_assert(find_origin(&at, world, cabin, (ptl_omt){30, 30, 0}, 0));
    saved_digest(first, world);
    ptl_save *save = saved_save(world, 0);
    OK(saved_note(save, "ann", at, "a cabin"));
    OK(ptl_save_special_add(NULL, save, cabin, at, 0, &err));
    OK(ptl_save_special_add(NULL, save, cabin, at, 0, &err));
    ck_assert_int_eq(ptl_save_commit(&report, save, &err), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "another special stands"));
    ptl_save_abort(save);
    saved_digest(hex, world);
    ck_assert_str_eq(hex, first);
    const ptl_save_cell road = {at, "road_ns"};
    save = saved_save(world, 0);
    OK(ptl_save_cells_set(save, &road, 1, &err));
    OK(ptl_save_special_add(NULL, save, cabin, at, 0, &err));
    ck_assert_int_eq(ptl_save_commit(&report, save, &err), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "lies 'road'"));
    ptl_save_abort(save);
    saved_digest(hex, world);
    ck_assert_str_eq(hex, first);
    save = saved_save(world, 0);
    const ptl_save_cell roof = {{at.x, at.y, 5}, "road_ns"};
    OK(ptl_save_special_add(NULL, save, cabin, at, 0, &err));
    OK(ptl_save_cells_set(save, &roof, 1, &err)); /* an edit of its own */
    OK(ptl_save_commit(&report, save, &err));
    ck_assert_int_eq(report.last, 2);
    ck_assert_uint_eq(report.specials, 1);
    OK(undo(world, 2));
    OK(undo(world, 1));
    saved_digest(hex, world);
    ck_assert_str_eq(hex, first);
    OK(undo(world, 4)); /* and the cabin is there again */
    ck_assert_int_eq(put(NULL, NULL, world, cabin, at, 0), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "another special stands"));
    /* A cell that was changed since is free: the cabin is gone there. */
    const ptl_save_cell wood = {at, "forest"};
    save = saved_save(world, 0);
    OK(ptl_save_cells_set(save, &wood, 1, &err));
    OK(ptl_save_commit(NULL, save, &err));
    OK(put(&report, NULL, world, "porch_cabin", at, 0));
    ck_assert_int_eq(undo(world, 1), PTL_ERR_EXISTS);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* A reset would leave the special in the list of those that are placed, so it is refused while
 * the special is there, and on its OMTs only. */
START_TEST(a_reset_takes_no_special_away)
{
    place p;
    ptl_world *world = saved_begin(&p, _i);
    const char *cabin = "woodland_cabin";
    ptl_edit_reset_report report = PTL_EDIT_RESET_REPORT_INIT;
    ptl_omt at;
    ck_assert(find_origin(&at, world, cabin, (ptl_omt){30, 30, 0}, 0));
    OK(put(NULL, NULL, world, cabin, at, 0));
    ptl_edit_reset_options o = {.size = sizeof o, .rect = {at.x, at.y, at.x, at.y}};
    for (int dry = 0; dry < 2; dry++) {
        o.dry_run = dry;
        ck_assert_int_eq(ptl_edit_reset(&report, world, &o, &err), PTL_ERR_EXISTS);
        ck_assert_ptr_nonnull(strstr(err.message, "edit 1 has placed special '"));
    }
    const int64_t beside[4] = {at.x + 60, at.y + 60, at.x + 60, at.y + 60};
    memcpy(o.rect, beside, sizeof beside);
    OK(ptl_edit_reset(&report, world, &o, &err));
    ck_assert_uint_eq(report.edits, 0);
    OK(undo(world, 1));
    o = (ptl_edit_reset_options){.size = sizeof o, .rect = {at.x, at.y, at.x, at.y}};
    OK(ptl_edit_reset(&report, world, &o, &err));
    ck_assert_uint_eq(report.cells, 0);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- the reasons of `why` ---- */

/* A chunk before its specials, as generation met it, and what `why` says of it. */
typedef struct reasons {
    ptl_world *whole, *early;         /* of one seed; `early` ends before the specials */
    ptl_oter now[CELLS], then[CELLS]; /* what both show */
    int free;                         /* how many origins lay apart from all specials */
} reasons;

static bool same_place(const ptl_why_place *a, const ptl_why_place *b)
{
    const bool fault = a->passed <= PTL_WHY_LINKED;
    /* The room that a rule of placement leaves between specials does not count for games. */
    return (a->passed < PTL_WHY_ROOM ? a->passed : PTL_WHY_TESTS) == b->passed &&
           (!fault || (a->wrong == b->wrong && a->cells == b->cells && a->x == b->x &&
                       a->y == b->y && a->z == b->z && a->rotation == b->rotation &&
                       a->outside == b->outside && a->want_count == b->want_count &&
                       strcmp(a->ground, b->ground) == 0 && strcmp(a->wants, b->wants) == 0)) &&
           (a->passed != PTL_WHY_CITY ||
            (a->has_city == b->has_city && a->city_distance == b->city_distance &&
             a->city_size == b->city_size));
}

/* Nothing that generation did after the roads lies near the origin. */
static bool is_apart(const reasons *q, int32_t x, int32_t y)
{
    enum { REACH = 9, LEVELS_BELOW = 0 };
    if (x < REACH || y < REACH || x >= SIDE - REACH || y >= SIDE - REACH)
        return false;
    for (int32_t z = -LEVELS_BELOW; z <= 0; z++)
        for (int32_t cy = y - REACH; cy <= y + REACH; cy++) {
            const size_t first = place_of(x - REACH, cy, z);
            if (memcmp(q->now + first, q->then + first, (2 * REACH + 1) * sizeof(ptl_oter)) !=
                0)
                return false;
        }
    return true;
}

/* Asks both for the reasons at some origins. Returns how many of them are the same; *asked is
 * how many there were. */
static int compare_reasons(int *asked, reasons *q, const char *special)
{
    enum { STEP = 13 };
    int same = 0;
    *asked = 0;
    for (int32_t y = 3; y < SIDE; y += STEP)
        for (int32_t x = 5; x < SIDE; x += STEP) {
            ptl_why_place a = PTL_WHY_PLACE_INIT, b = PTL_WHY_PLACE_INIT;
            const ptl_omt at = {x, y, 0};
            ptl_save *save = saved_save(q->early, 0);
            const ptl_status status =
                ptl_save_special_add(&b, save, special, at, PTL_ROTATION_ANY, &err);
            ck_assert(status == PTL_OK || status == PTL_ERR_EXISTS);
            ptl_save_abort(save);
            OK(ptl_why_place_get(&a, NULL, NULL, q->whole, special, at, &err));
            /* Earlier specials take ground; they give none. */
            ck_assert_msg(a.passed <= PTL_WHY_GROUND || b.passed > PTL_WHY_GROUND,
                          "%s at %d,%d: %d and %d", special, x, y, a.passed, b.passed);
            ++*asked;
            same += same_place(&a, &b);
            q->free += is_apart(q, x, y);
            ck_assert_msg(!is_apart(q, x, y) || same_place(&a, &b), "%s at %d,%d", special, x,
                          y);
        }
    return same;
}

START_TEST(reasons_are_those_of_why)
{
    place p;
    static reasons q;
    q = (reasons){.whole = saved_begin(&p, MEMORY)};
    q.early = create(p.store, "early", 11);
    generate(q.early, &here, 1, "roads");
    read_cells(q.now, q.whole);
    read_cells(q.then, q.early);
    int alike = 0, compared = 0;
    for (int i = 0; i < SOME; i++) {
        ptl_why w = PTL_WHY_INIT;
        int asked;
        OK(ptl_why_get(&w, NULL, q.whole, some[i], here, &err));
        if (w.verdict != PTL_VERDICT_ASKED || w.asked == 0)
            continue;
        const int same = compare_reasons(&asked, &q, some[i]);
        compared++;
        alike += same * 10 >= asked * 9;
    }
    ck_assert_int_gt(compared, 3);
    ck_assert_int_eq(alike, compared); /* other specials stood in the way at few origins */
    ck_assert_int_gt(q.free, 20);
    ptl_world_close(q.early);
    ptl_world_close(q.whole);
    close_place(&p);
}
END_TEST

/* ---- local maps, regeneration ---- */

static void check_placement(ptl_world *world, ptl_omt at, bool is_there)
{
    local_record *record = NULL;
    ptl_omt origin = {0, 0, 0};
    uint64_t key = 0;
    OK(local_record_read(&record, world, at, &err));
    ck_assert_int_eq(local_record_placement(&origin, &key, record, at), is_there);
    if (is_there)
        ck_assert(origin.x == at.x && origin.y == at.y && origin.z == at.z);
    local_record_drop(record);
}

START_TEST(local_maps_know_the_special)
{
    place p;
    ptl_world *world = saved_begin(&p, _i);
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    ptl_local_map *map = NULL;
    ptl_omt at;
    ck_assert(find_origin(&at, world, "woodland_cabin", (ptl_omt){60, 60, 0}, 1));
    OK(ptl_local_get(&map, world, at, NULL, &err));
    ck_assert_ptr_null(strstr(ptl_local_oter(map), "cabin"));
    ptl_local_free(map);
    check_placement(world, at, false);
    OK(put(&report, NULL, world, "woodland_cabin", at, 1));
    ck_assert_uint_eq(report.maps_dropped, 1);
    check_placement(world, at, true);
    OK(ptl_local_get(&map, world, at, NULL, &err));
    ck_assert_str_eq(ptl_local_oter(map), "cabin_east");
    ptl_local_free(map);
    ptl_world_close(world);
    import_more(p.store);
    world = saved_world(p.store, false);
    ptl_regenerate_report done = PTL_REGENERATE_REPORT_INIT;
    OK(ptl_regenerate(&done, world, NULL, &err));
    ck_assert_uint_eq(done.done, 1);
    check_placement(world, at, true);
    OK(undo(world, 1));
    check_placement(world, at, false);
    OK(ptl_local_get(&map, world, at, NULL, &err));
    ck_assert_ptr_null(strstr(ptl_local_oter(map), "cabin"));
    ptl_local_free(map);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- damage ---- */

static void keep_problem(void *payload, const ptl_problem *problem)
{
    *(int *)payload = problem->invariant;
}

static int verified(ptl_store *store)
{
    int invariant = 0;
    OK(verify_parts(store, VERIFY_ALL, keep_problem, &invariant, NULL, &err));
    return invariant;
}

static void change(ptl_store *store, const char *sql)
{
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

static void repaired(ptl_store *store, uint64_t corrected, uint64_t set_aside)
{
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    ck_assert_int_eq(verified(store), INVARIANT_EDIT);
    OK(ptl_repair(&report, store, NULL, &err));
    ck_assert_uint_eq(report.corrected, corrected);
    ck_assert_uint_eq(report.set_aside, set_aside);
    ck_assert_int_eq(verified(store), 0);
}

START_TEST(damage_is_seen_and_mended)
{
    place p;
    char with[65], hex[65];
    ptl_world *world = saved_begin(&p, ROLLBACK);
    ptl_omt at;
    gen_features f;
    ck_assert(find_origin(&at, world, "burnt_wood", (ptl_omt){60, 60, 0}, 0));
    OK(put(NULL, NULL, world, "burnt_wood", at, 0));
    saved_digest(with, world);
    change(p.store, "UPDATE placed_special SET omts = omts + 1024"); /* one bit */
    repaired(p.store, 1, 0);
    saved_digest(hex, world);
    ck_assert_str_eq(hex, with);
    change(p.store, "UPDATE placed_special SET omts = 7, rotation = 3, origin_x = 100");
    bool found = false;
    f = (gen_features){.cities = NULL};
    ck_assert_int_eq(world_features_read(&f, &found, world, here, world->cat, &err),
                     PTL_ERR_CORRUPT);
    features_dispose(&f);
    repaired(p.store, 0, 1);
    saved_digest(hex, world); /* the cells are still there */
    ck_assert_str_ne(hex, with);
    OK(undo(world, 1));
    OK(put(NULL, NULL, world, "burnt_wood", at, 0));
    change(p.store, "UPDATE chunk_edit SET turn = 123456, text = 'x' WHERE number = 3");
    repaired(p.store, 0, 2); /* a special without its edit goes with it */
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

START_TEST(hostile_blobs_are_refused)
{
    static const struct {
        uint8_t bytes[12];
        size_t size;
    } bad[] = {{{0}, 0},
               {{1}, 1},
               {{1, 0}, 2},                                     /* no number of joins */
               {{2, 0, 0}, 3},                                  /* another form */
               {{1, 0, 0, 0}, 4},                               /* more behind */
               {{1, 1, 0, 1, 'a', 0}, 6},                       /* cut */
               {{1, 1, 0, 1, 'a', 0, 4, 0}, 8},                 /* rotation 4 */
               {{1, 0, 1, 0, 1, 'a', 0, 6}, 8},                 /* side 6 */
               {{1, 1, 0, 0, 0, 0, 0}, 7},                      /* an empty id */
               {{1, 1, 0, 1, 9, 0, 0, 0}, 8},                   /* a control character */
               {{1, 1, 0, 1, 0, 0, 0, 0}, 8},                   /* a NUL */
               {{1, 1, 1, 0, 0, 0}, 6},                         /* an id that was not met yet */
               {{1, 1, 0, 1, 'a', 0xd0, 0xc3, 0x29, 0, 0}, 10}, /* place 680,400 */
               {{1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0}, 7}};
    placed_parts parts;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(placed_decode(&parts, bad[i].bytes, bad[i].size, &err) == PTL_ERR_CORRUPT,
                      "blob %zu", i);
        placed_parts_dispose(&parts);
    }
    placed_part list[] = {{"root", 0, 0, PTL_Z_MIN, 3},
                          {"wing", 179, 179, PTL_Z_MAX, 0},
                          {"root", 5, 6, 0, 1},
                          {"door", 5, 6, 0, 5},
                          {"wing", 7, 6, 0, 4}};
    const placed_parts given = {list, NULL, 3, 2};
    bytes blob = {.size = 0};
    placed_encode(&blob, &given);
    OK(placed_decode(&parts, blob.data, blob.size, &err));
    ck_assert_uint_eq(parts.piece_count, 3);
    ck_assert_uint_eq(parts.join_count, 2);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_str_eq(parts.list[i].id, list[i].id);
        ck_assert(parts.list[i].x == list[i].x && parts.list[i].y == list[i].y &&
                  parts.list[i].z == list[i].z && parts.list[i].turn == list[i].turn);
    }
    placed_parts_dispose(&parts);
    bytes_dispose(&blob);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("placed specials");
    TCase *t = tcase_create("placed specials");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, every_special_is_placed_and_taken_away, 0, MODES);
    tcase_add_loop_test(t, what_can_not_be_placed_is_refused, 0, MODES);
    tcase_add_loop_test(t, a_save_is_whole_or_nothing, 0, MODES);
    tcase_add_loop_test(t, a_reset_takes_no_special_away, 0, MODES);
    tcase_add_test(t, reasons_are_those_of_why);
    tcase_add_loop_test(t, local_maps_know_the_special, 0, MODES);
    tcase_add_test(t, damage_is_seen_and_mended);
    tcase_add_test(t, hostile_blobs_are_refused);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
