/*
 * Edits of overmaps, in the file and in memory: random saves against a plain model, what
 * refuses an edit, what stays of local maps, what regeneration and repair keep.
 */
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/world/any_store.h"
#include "world/edits.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIDE = PTL_CHUNK_SIZE,
    CHUNKS = 4,
    LEVELS = 3,
    SPAN = 8,
    SET_MOST = 12,
    CELLS_MOST = 36
};

static const ptl_chunk_pos chunks[CHUNKS] = {{0, 0}, {-1, 0}, {0, -1}, {-1, -1}};
static const int32_t levels[LEVELS] = {0, -1, 10};

/* ---- a plain model: what every cell shows, and a list of edits ---- */

typedef struct model_edit {
    int count, undoes;
    bool undone;
    struct {
        int x, y, floor; /* index of a cell of the square around 0,0 */
        ptl_oter before, after;
    } cells[CELLS_MOST];
} model_edit;

typedef struct model {
    ptl_oter shown[LEVELS][2 * SPAN][2 * SPAN];
    model_edit *edits; /* the edit of number n is edits[n] */
    int count;
} model;

static ptl_omt omt_of(int x, int y, int floor)
{
    return (ptl_omt){x - SPAN, y - SPAN, levels[floor]};
}

static ptl_oter base[CHUNKS][LEVELS][PTL_LEVEL_CELLS];

static ptl_oter *in_level(ptl_oter cells[PTL_LEVEL_CELLS], ptl_chunk_pos pos, ptl_omt at)
{
    return &cells[(at.y - (int64_t)pos.y * SIDE) * SIDE + at.x - (int64_t)pos.x * SIDE];
}

/* Every cell of all chunks and three levels is what the model says, and elsewhere the base. */
static void compare(const model *m, ptl_world *world, bool is_base)
{
    static ptl_oter cells[PTL_LEVEL_CELLS], wanted[PTL_LEVEL_CELLS], whole[PTL_LEVEL_CELLS];
    for (int c = 0; c < CHUNKS; c++) {
        ptl_chunk *chunk = NULL;
        OK(ptl_chunk_load(&chunk, world, chunks[c], &err));
        for (int l = 0; l < LEVELS; l++) {
            memcpy(wanted, base[c][l], sizeof wanted);
            for (int y = 0; y < 2 * SPAN && !is_base; y++)
                for (int x = 0; x < 2 * SPAN; x++) {
                    const ptl_omt at = omt_of(x, y, l);
                    const ptl_chunk_pos pos = ptl_omt_chunk(at);
                    if (pos.x == chunks[c].x && pos.y == chunks[c].y)
                        *in_level(wanted, pos, at) = m->shown[l][y][x];
                }
            OK(ptl_level_load(cells, world, chunks[c], levels[l], &err));
            ptl_chunk_level(whole, chunk, levels[l]);
            ck_assert_mem_eq(cells, wanted, sizeof cells);
            ck_assert_mem_eq(whole, wanted, sizeof cells);
        }
        ptl_chunk_free(chunk);
    }
}

/* What was generated at a cell of the square. */
static ptl_oter generated(int x, int y, int floor)
{
    const ptl_omt at = omt_of(x, y, floor);
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    int c = 0;
    while (pos.x != chunks[c].x || pos.y != chunks[c].y)
        c++;
    return *in_level(base[c][floor], pos, at);
}

static void model_begin(model *m, ptl_world *world)
{
    for (int c = 0; c < CHUNKS; c++)
        for (int l = 0; l < LEVELS; l++)
            OK(ptl_level_load(base[c][l], world, chunks[c], levels[l], &err));
    for (int l = 0; l < LEVELS; l++)
        for (int y = 0; y < 2 * SPAN; y++)
            for (int x = 0; x < 2 * SPAN; x++)
                m->shown[l][y][x] = generated(x, y, l);
}

/* Of an edit that is to be taken back: may it? An edit over its cells that is in force stands
 * in the way, but not one that was taken back, nor what took that back. */
static bool may_undo(const model *m, int number)
{
    if (number < 1 || number > m->count || m->edits[number].undone)
        return false;
    for (int n = number + 1; n <= m->count; n++) {
        const model_edit *later = &m->edits[n];
        if (later->undone || later->undoes > number)
            continue;
        for (int i = 0; i < later->count; i++)
            for (int k = 0; k < m->edits[number].count; k++)
                if (later->cells[i].x == m->edits[number].cells[k].x &&
                    later->cells[i].y == m->edits[number].cells[k].y &&
                    later->cells[i].floor == m->edits[number].cells[k].floor)
                    return false;
    }
    return true;
}

/* An edit of the model takes effect: undone edits become so when what took them back is in
 * force. */
static void apply(model *m, const model_edit *e)
{
    m->edits[++m->count] = *e;
    for (int i = 0; i < e->count; i++)
        m->shown[e->cells[i].floor][e->cells[i].y][e->cells[i].x] = e->cells[i].after;
    for (int n = e->undoes; n > 0; n = m->edits[n].undoes)
        m->edits[n].undone = !m->edits[n].undone;
}

static void set_some(model *m, ptl_save *save, ptl_world *world, rng *r)
{
    const ptl_catalogue *cat = ptl_world_catalogue(world);
    const size_t oters = ptl_catalogue_count(cat, PTL_CONTENT_OTER);
    const int wanted = (int)rng_below(r, SET_MOST) + 1;
    ptl_save_cell cells[SET_MOST];
    model_edit e = {.count = 0};
    for (int i = 0; i < wanted; i++) {
        const int x = (int)rng_below(r, 2 * SPAN), y = (int)rng_below(r, 2 * SPAN);
        const int l = (int)rng_below(r, LEVELS);
        const ptl_oter after = (ptl_oter)rng_below(r, oters < 5 ? oters : 5);
        int k = 0;
        while (k < e.count && (e.cells[k].x != x || e.cells[k].y != y || e.cells[k].floor != l))
            k++;
        e.cells[k].x = x;
        e.cells[k].y = y;
        e.cells[k].floor = l;
        e.cells[k].before = m->shown[l][y][x];
        e.cells[k].after = after;
        e.count += k == e.count;
        cells[i] = (ptl_save_cell){omt_of(x, y, l), ptl_world_oter_name(world, after)};
    }
    OK(ptl_save_cells_set(save, cells, (size_t)wanted, &err));
    int kept = 0;
    for (int i = 0; i < e.count; i++)
        if (e.cells[i].before != e.cells[i].after)
            e.cells[kept++] = e.cells[i];
    e.count = kept;
    if (kept > 0)
        apply(m, &e);
}

static void undo_one(model *m, ptl_save *save, rng *r)
{
    const int number = m->count < 8 ? (int)rng_below(r, (uint64_t)m->count + 1)
                                    : m->count - (int)rng_below(r, 8);
    const bool may = may_undo(m, number);
    const ptl_status status = ptl_save_undo(save, number, &err);
    if (!may) {
        ck_assert_int_eq(status, number < 1 ? PTL_ERR_NOT_FOUND : PTL_ERR_EXISTS);
        return;
    }
    OK(status);
    model_edit e = m->edits[number];
    e.undoes = number;
    e.undone = false;
    for (int i = 0; i < e.count; i++) {
        e.cells[i].before = m->edits[number].cells[i].after;
        e.cells[i].after = m->edits[number].cells[i].before;
    }
    apply(m, &e);
}

/* Makes 4 x 3 OMTs on all levels as they were generated. */
static void reset_some(model *m, ptl_world *world, rng *r)
{
    const int left = (int)rng_below(r, 2 * SPAN - 3), top = (int)rng_below(r, 2 * SPAN - 2);
    const ptl_omt a = omt_of(left, top, 0), b = omt_of(left + 3, top + 2, 0);
    ptl_edit_reset_options o = {.size = sizeof o, .rect = {a.x, a.y, b.x, b.y}};
    ptl_edit_reset_report dry = PTL_EDIT_RESET_REPORT_INIT, done = PTL_EDIT_RESET_REPORT_INIT;
    model_edit e = {.count = 0};
    for (int i = 0; i < CELLS_MOST; i++) {
        const int x = left + i % 4, y = top + i / 4 % 3, l = i / 12;
        e.cells[e.count].x = x;
        e.cells[e.count].y = y;
        e.cells[e.count].floor = l;
        e.cells[e.count].before = m->shown[l][y][x];
        e.cells[e.count].after = generated(x, y, l);
        e.count += m->shown[l][y][x] != generated(x, y, l);
    }
    o.dry_run = true;
    OK(ptl_edit_reset(&dry, world, &o, &err));
    o.dry_run = false;
    OK(ptl_edit_reset(&done, world, &o, &err));
    ck_assert_int_eq(dry.number, 0);
    ck_assert_int_eq(done.number, e.count > 0 ? m->count + 1 : 0);
    ck_assert_uint_eq(dry.cells, (uint64_t)e.count);
    ck_assert(done.cells == dry.cells && done.chunks == dry.chunks && done.edits == dry.edits);
    if (e.count > 0)
        apply(m, &e);
}

static ptl_world *open_again(ptl_store *store, bool is_base)
{
    ptl_world *world = NULL;
    const ptl_world_open_options o = {.size = sizeof o, .base = is_base};
    OK(ptl_world_open(&world, store, "w", &o, &err));
    return world;
}

static void check_digests(char first[65], ptl_store *store, ptl_world *world)
{
    ptl_world_digest_result with = PTL_WORLD_DIGEST_RESULT_INIT, without = with;
    ptl_world *below = open_again(store, true);
    OK(ptl_world_digest_get(&with, world, &err));
    OK(ptl_world_digest_get(&without, below, &err));
    ck_assert_str_eq(without.hex, first);
    ck_assert_str_ne(with.hex, first);
    ptl_world_close(below);
}

static bool count_row(void *payload, size_t columns, const char *const *names,
                      const ptl_value *values)
{
    (void)names;
    *(int64_t *)payload = columns == 1 ? values[0].integer : -1;
    return true;
}

/* What SQL says of one level in the square: by the cells one by one, and by the counts of a
 * level. */
static void check_sql(const model *m, ptl_store *store, ptl_world *world)
{
    for (int l = 0; l < LEVELS; l++)
        for (int y = 0; y < 2 * SPAN; y++)
            for (int x = 0; x < 2 * SPAN; x += 5) {
                const ptl_omt at = omt_of(x, y, l);
                char sql[300];
                int64_t n = -1;
                ptl_query_options o = PTL_QUERY_OPTIONS_INIT;
                o.on_row = count_row;
                o.payload = &n;
                snprintf(sql, sizeof sql,
                         "SELECT count(*) FROM omt WHERE world = 'w' AND x = %d AND y = %d AND "
                         "z = %d AND oter = '%s'",
                         (int)at.x, (int)at.y, (int)at.z,
                         ptl_world_oter_name(world, m->shown[l][y][x]));
                OK(ptl_query(store, sql, &o, &err));
                ck_assert_msg(n == 1, "%s", sql);
            }
    int64_t differ = -1;
    ptl_query_options o = PTL_QUERY_OPTIONS_INIT;
    o.on_row = count_row;
    o.payload = &differ;
    OK(ptl_query(
        store,
        "SELECT count(*) FROM (SELECT oter, count(*) AS n FROM omt WHERE world = 'w' AND "
        "z = 0 GROUP BY oter) a FULL JOIN (SELECT oter, sum(omts) AS n FROM "
        "terrain_count WHERE world = 'w' AND z = 0 AND omts > 0 GROUP BY oter) b "
        "USING (oter) WHERE a.n IS NOT b.n",
        &o, &err));
    ck_assert_int_eq(differ, 0);
}

START_TEST(random_saves_are_as_a_model_says)
{
    enum { STEPS = 1500 };
    place p;
    char first[65];
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 11);
    generate(world, chunks, CHUNKS, NULL);
    model *m = calloc(1, sizeof *m);
    ck_assert_ptr_nonnull(m);
    m->edits = calloc(4 * STEPS + 1, sizeof *m->edits);
    ck_assert_ptr_nonnull(m->edits);
    model_begin(m, world);
    ptl_world_digest_result d = PTL_WORLD_DIGEST_RESULT_INIT;
    OK(ptl_world_digest_get(&d, world, &err));
    memcpy(first, d.hex, sizeof first);
    rng r = rng_from_key(36);
    for (int step = 0; step < STEPS; step++) {
        ptl_save *save = NULL;
        ptl_save_report report = PTL_SAVE_REPORT_INIT;
        if (rng_one_in(&r, 9))
            reset_some(m, world, &r);
        const int before = m->count;
        OK(ptl_save_begin(&save, world, NULL, &err));
        if (rng_one_in(&r, 2))
            undo_one(m, save, &r);
        else
            set_some(m, save, world, &r);
        if (rng_one_in(&r, 9)) { /* all of it is nothing */
            ptl_save_abort(save);
            for (; m->count > before; m->count--) {
                const model_edit *e = &m->edits[m->count];
                for (int i = 0; i < e->count; i++)
                    m->shown[e->cells[i].floor][e->cells[i].y][e->cells[i].x] =
                        e->cells[i].before;
                for (int n = e->undoes; n > 0; n = m->edits[n].undoes)
                    m->edits[n].undone = !m->edits[n].undone;
            }
        } else {
            OK(ptl_save_commit(&report, save, &err));
            ck_assert_int_eq(report.last, m->count > before ? m->count : 0);
        }
        if (step % 250 == 249) {
            ptl_world_close(world);
            world = open_again(p.store, false);
            compare(m, world, false);
            ptl_world *below = open_again(p.store, true);
            compare(m, below, true);
            ptl_world_close(below);
            check_digests(first, p.store, world);
        }
    }
    ck_assert_int_gt(m->count, STEPS / 2);
    if (_i == FILE_BACKEND) {
        check_sql(m, p.store, world);
        OK(verify_parts(p.store, VERIFY_ALL, NULL, NULL, NULL, &err));
    }
    ptl_world_close(world);
    free(m->edits);
    free(m);
    close_place(&p);
}
END_TEST

/* ---- what refuses ---- */

static ptl_status set_one(ptl_world *world, ptl_omt at, const char *oter)
{
    ptl_save *save = NULL;
    const ptl_save_cell cell = {at, oter};
    const ptl_save_options o = {
        .size = sizeof o, .author = "ann", .text = "a field", .turn = 77};
    OK(ptl_save_begin(&save, world, &o, &err));
    ptl_status status = ptl_save_cells_set(save, &cell, 1, &err);
    if (status != PTL_OK) {
        ptl_save_abort(save);
        return status;
    }
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    OK(ptl_save_commit(&report, save, &err));
    return report.last ? PTL_OK : PTL_ERR_EXISTS;
}

static ptl_world *small_world(place *p, int backend)
{
    open_place(p, backend);
    import_builtin(p->store);
    ptl_world *world = create(p->store, "w", 11);
    generate(world, chunks, 1, NULL);
    return world;
}

/* An oter of the content other than the one at an OMT. */
static const char *other_oter(ptl_world *world, ptl_omt at)
{
    ptl_oter cell = PTL_OTER_NONE;
    const ptl_area one = {at.x, at.y, at.z, 1, 1};
    OK(ptl_area_get(&cell, NULL, world, &one, NULL, &err));
    return ptl_world_oter_name(world, cell == 0 ? 1 : 0);
}

START_TEST(what_can_not_be_is_refused)
{
    place p;
    ptl_world *world = small_world(&p, _i);
    ptl_save *save = NULL;
    const ptl_omt here = {5, 6, 0};
    const char *oter = other_oter(world, here);
    char wrong[100];
    snprintf(wrong, sizeof wrong, "%sx", oter);
    ck_assert_int_eq(set_one(world, here, wrong), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "did you mean '"));
    ck_assert_ptr_nonnull(strstr(err.message, oter));
    ck_assert_int_eq(set_one(world, (ptl_omt){5, 6, 11}, oter), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(set_one(world, (ptl_omt){INT64_C(1) << 40, 6, 0}, oter), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(set_one(world, (ptl_omt){-1, 6, 0}, oter), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "chunk -1,0 of world 'w' is not saved"));
    ck_assert_int_eq(set_one(world, here, oter), PTL_OK);
    ck_assert_int_eq(set_one(world, here, oter), PTL_ERR_EXISTS); /* nothing to do */
    const ptl_omt there = {7, 6, -2};
    const char *below = other_oter(world, there);
    ck_assert_int_eq(set_one(world, there, below), PTL_OK);
    OK(ptl_save_begin(&save, world, NULL, &err));
    ck_assert_int_eq(ptl_save_undo(save, 9, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_save_undo(save, 0, &err), PTL_ERR_NOT_FOUND);
    OK(ptl_save_undo(save, 1, &err));
    OK(ptl_save_undo(save, 1, &err)); /* seen only when the first one is there */
    ck_assert_int_eq(ptl_save_commit(NULL, save, &err), PTL_ERR_EXISTS);
    ck_assert_str_eq(err.message, "edit 1 is undone already, by edit 3");
    ptl_save_abort(save);
    ck_assert_str_eq(other_oter(world, here), other_oter(world, here));
    const char *again = other_oter(world, here);
    ck_assert_int_eq(set_one(world, here, again), PTL_OK); /* 3: nothing of the save was kept */
    OK(ptl_save_begin(&save, world, NULL, &err));
    ck_assert_int_eq(ptl_save_undo(save, 1, &err), PTL_ERR_EXISTS);
    ck_assert_str_eq(err.message,
                     "edit 1 can't be undone before the later edit that lies over it: 3");
    ptl_save_abort(save);
    ptl_world_close(world);
    ptl_world *bare = open_again(p.store, true);
    ck_assert_int_eq(ptl_save_begin(&save, bare, NULL, &err), PTL_ERR_ARGUMENT);
    ptl_world_close(bare);
    world = open_again(p.store, false);
    const ptl_save_options bad[] = {{.size = sizeof bad[0], .author = "a\nb"},
                                    {.size = sizeof bad[0], .text = "\xff"},
                                    {.size = sizeof bad[0], .turn = -1}};
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(ptl_save_begin(&save, world, &bad[i], &err), PTL_ERR_ARGUMENT);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- lists ---- */

static bool note_edit(void *payload, const ptl_edit *e)
{
    NOTE((notes *)payload, "%lld %s '%s' %lld u%lld b%lld %llu;", (long long)e->number,
         e->author, e->text, (long long)e->turn, (long long)e->undoes, (long long)e->undone_by,
         (unsigned long long)e->cells);
    return go_on(payload);
}

static bool note_cell(void *payload, ptl_omt at, const char *before, const char *after)
{
    NOTE((notes *)payload, "%lld,%lld,%d %s-%s;", (long long)at.x, (long long)at.y, (int)at.z,
         before, after);
    return go_on(payload);
}

START_TEST(edits_are_listed)
{
    place p;
    ptl_world *world = small_world(&p, _i);
    ptl_save *save = NULL;
    char wanted[300];
    notes n = {.most = 99};
    OK(ptl_edit_list(world, NULL, note_edit, &n, &err));
    ck_assert_str_eq(n.text, "");
    const ptl_omt here = {5, 6, 0}, there = {100, 100, 3};
    char was[60];
    const char *oter = other_oter(world, here);
    snprintf(was, sizeof was, "%s", oter);
    ck_assert_int_eq(set_one(world, here, oter), PTL_OK);
    ck_assert_int_eq(set_one(world, there, other_oter(world, there)), PTL_OK);
    OK(ptl_save_begin(&save, world, NULL, &err));
    OK(ptl_save_undo(save, 1, &err));
    OK(ptl_save_commit(NULL, save, &err));
    OK(ptl_edit_list(world, NULL, note_edit, &n, &err));
    ck_assert_str_eq(n.text, "1 ann 'a field' 77 u0 b3 1;2 ann 'a field' 77 u0 b0 1;"
                             "3  '' 0 u1 b0 1;");
    n = (notes){.most = 99};
    OK(ptl_edit_list(world, (const int64_t[]){99, 99, 100, 100}, note_edit, &n, &err));
    ck_assert_str_eq(n.text, "2 ann 'a field' 77 u0 b0 1;");
    ck_assert_int_eq(
        ptl_edit_list(world, (const int64_t[]){99, 99, 98, 100}, note_edit, &n, &err),
        PTL_ERR_ARGUMENT);
    n = (notes){.most = 99};
    OK(ptl_edit_cell_list(world, 3, note_cell, &n, &err));
    ptl_oter cell = PTL_OTER_NONE;
    const ptl_area one = {here.x, here.y, here.z, 1, 1};
    OK(ptl_area_get(&cell, NULL, world, &one, NULL, &err));
    snprintf(wanted, sizeof wanted, "5,6,0 %s-%s;", was, ptl_world_oter_name(world, cell));
    ck_assert_str_eq(n.text, wanted);
    ck_assert_int_eq(ptl_edit_cell_list(world, 4, note_cell, &n, &err), PTL_ERR_NOT_FOUND);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- caches, local maps, regeneration ---- */

START_TEST(a_cache_sees_what_its_world_saved)
{
    place p;
    ptl_world *world = small_world(&p, _i);
    ptl_cache *cache = NULL;
    const ptl_omt here = {179, 179, 0};
    ptl_oter cell = PTL_OTER_NONE;
    OK(ptl_cache_new(&cache, world, NULL, &err));
    OK(ptl_cache_oter_get(&cell, cache, here, &err));
    const char *oter = other_oter(world, here);
    ck_assert_int_eq(set_one(world, here, oter), PTL_OK);
    OK(ptl_cache_oter_get(&cell, cache, here, &err));
    ck_assert_str_eq(ptl_world_oter_name(world, cell), oter);
    ptl_cache_free(cache);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

static uint64_t maps_of(ptl_world *world, ptl_omt at)
{
    int64_t revision = 0;
    OK(ops(world->store)->map->revision(&revision, world->store, world->row.id, at, &err));
    return (uint64_t)revision;
}

START_TEST(maps_around_are_made_anew)
{
    place p;
    ptl_world *world = small_world(&p, _i);
    const ptl_omt here = {60, 60, 0}, near = {63, 57, 0}, far = {64, 60, 0};
    const ptl_omt changed = {60, 61, 0}, west = {57, 64, 0};
    const ptl_omt all[] = {here, near, far, changed, west};
    for (size_t i = 0; i < 5; i++) {
        ptl_local_map *map = NULL;
        OK(ptl_local_get(&map, world, all[i], NULL, &err));
        if (i == 3) {
            OK(ptl_local_terrain_set(map, 3, 3, "t_dirt"));
            OK(ptl_local_put(world, &map, 1, &err));
        }
        ptl_local_free(map);
        ck_assert_uint_gt(maps_of(world, all[i]), 0);
    }
    ptl_save *save = NULL;
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    const char *oter = other_oter(world, here), *second = other_oter(world, changed);
    const ptl_save_cell cells[] = {{here, oter}, {changed, second}};
    OK(ptl_save_begin(&save, world, NULL, &err));
    OK(ptl_save_cells_set(save, cells, 2, &err));
    OK(ptl_save_commit(&report, save, &err));
    ck_assert_uint_eq(report.cells, 2);
    ck_assert_uint_eq(report.maps_dropped, 3);
    ck_assert_uint_eq(report.maps_kept, 1);
    ck_assert_uint_eq(maps_of(world, here), 0);
    ck_assert_uint_eq(maps_of(world, west), 0);
    ck_assert_uint_eq(maps_of(world, near), 0);
    ck_assert_uint_gt(maps_of(world, far), 0);
    ck_assert_uint_gt(maps_of(world, changed), 1);
    ptl_local_map *map = NULL;
    OK(ptl_local_get(&map, world, here, NULL, &err));
    ck_assert_str_eq(ptl_local_oter(map), oter); /* by the world that made maps before */
    ptl_local_free(map);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

START_TEST(regeneration_keeps_edits)
{
    place p;
    ptl_world *world = small_world(&p, _i);
    const ptl_omt here = {60, 60, 0};
    const char *oter = other_oter(world, here);
    char id[100];
    snprintf(id, sizeof id, "%s", oter);
    ck_assert_int_eq(set_one(world, here, oter), PTL_OK);
    ptl_world_close(world);
    import_more(p.store);
    world = open_again(p.store, false);
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    OK(ptl_regenerate(&report, world, NULL, &err));
    ck_assert_uint_eq(report.done, 1);
    ptl_oter cell = PTL_OTER_NONE;
    const ptl_area one = {here.x, here.y, here.z, 1, 1};
    OK(ptl_area_get(&cell, NULL, world, &one, NULL, &err));
    ck_assert_str_eq(ptl_world_oter_name(world, cell), id);
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

static void exec(ptl_store *store, const char *sql)
{
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

START_TEST(damage_is_seen_and_mended)
{
    place p;
    ptl_world *world = small_world(&p, FILE_BACKEND);
    const ptl_omt here = {60, 60, 0};
    ptl_oter cells[PTL_LEVEL_CELLS];
    const char *oter = other_oter(world, here), *first = NULL;
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    OK(ptl_level_load(cells, world, chunks[0], 0, &err));
    first = ptl_world_oter_name(world, cells[60 * SIDE + 60]);
    ck_assert_int_eq(set_one(world, here, oter), PTL_OK);
    ck_assert_int_eq(verified(p.store), 0);
    exec(p.store, "UPDATE chunk_edit SET turn = turn + 128"); /* one bit */
    ck_assert_int_eq(verified(p.store), INVARIANT_EDIT);
    ck_assert_int_eq(ptl_level_load(cells, world, chunks[0], 0, &err), PTL_ERR_CORRUPT);
    OK(ptl_level_load(cells, world, chunks[0], 1, &err)); /* not of that level */
    OK(ptl_repair(&report, p.store, NULL, &err));
    ck_assert_uint_eq(report.corrected, 1);
    ck_assert_int_eq(verified(p.store), 0);
    OK(ptl_level_load(cells, world, chunks[0], 0, &err));
    ck_assert_str_eq(ptl_world_oter_name(world, cells[60 * SIDE + 60]), oter);
    /* The base and the edit at once: the level is made again, and the edit is corrected. */
    char before[65], after[65];
    world_file_digest(world, before);
    exec(p.store, "UPDATE chunk_edit SET turn = turn + 128");
    exec(p.store, "UPDATE level SET omts = zeroblob(50) WHERE id % 32 = 10");
    report = (ptl_repair_report)PTL_REPAIR_REPORT_INIT;
    OK(ptl_repair(&report, p.store, NULL, &err));
    ck_assert_uint_eq(report.set_aside, 0);
    ck_assert_int_eq(verified(p.store), 0);
    world_file_digest(world, after);
    ck_assert_str_eq(before, after);
    exec(p.store, "UPDATE chunk_edit SET turn = 123456, number = 9");
    report = (ptl_repair_report)PTL_REPAIR_REPORT_INIT;
    OK(ptl_repair(&report, p.store, NULL, &err));
    ck_assert_uint_eq(report.set_aside, 1);
    ck_assert_int_eq(verified(p.store), 0);
    OK(ptl_level_load(cells, world, chunks[0], 0, &err));
    ck_assert_str_eq(ptl_world_oter_name(world, cells[60 * SIDE + 60]), first);
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
               {{1, 0}, 2},                         /* no cell */
               {{2, 1, 0, 1, 2}, 5},                /* another form */
               {{1, 1, 0, 1}, 4},                   /* cut */
               {{1, 1, 0, 0, 2}, 5},                /* oter 0 */
               {{1, 1, 0, 1, 9}, 5},                /* beyond the dictionary */
               {{1, 1, 0, 1, 2, 0}, 6},             /* more behind */
               {{1, 2, 0, 1, 2}, 5},                /* fewer cells than said */
               {{1, 1, 0xd0, 0xc3, 0x29, 1, 2}, 7}, /* place 680,400 */
               {{1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 1, 2}, 9}};
    edit_cell *cells = NULL;
    size_t count = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(edit_decode(&cells, &count, bad[i].bytes, bad[i].size, 9, &err) ==
                          PTL_ERR_CORRUPT,
                      "blob %zu", i);
        ck_assert_ptr_null(cells);
    }
    const edit_cell last[2] = {{0, 1, 8}, {EDIT_PLACES - 1, 8, 1}};
    bytes blob = {.size = 0};
    edit_encode(&blob, last, 2);
    OK(edit_decode(&cells, &count, blob.data, blob.size, 9, &err));
    ck_assert_uint_eq(count, 2);
    ck_assert_mem_eq(cells, last, sizeof last);
    free(cells);
    bytes_dispose(&blob);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("edits");
    TCase *t = tcase_create("edits");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, random_saves_are_as_a_model_says, 0, BACKENDS);
    tcase_add_loop_test(t, what_can_not_be_is_refused, 0, BACKENDS);
    tcase_add_loop_test(t, edits_are_listed, 0, BACKENDS);
    tcase_add_loop_test(t, a_cache_sees_what_its_world_saved, 0, BACKENDS);
    tcase_add_loop_test(t, maps_around_are_made_anew, 0, BACKENDS);
    tcase_add_loop_test(t, regeneration_keeps_edits, 0, BACKENDS);
    tcase_add_test(t, damage_is_seen_and_mended);
    tcase_add_test(t, hostile_blobs_are_refused);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
