/* Random saves that place specials and take edits back, against a plain model. */
#include "core/hash.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/save/placed_fixture.h"

#include <stdlib.h>
#include <string.h>

enum { EDITS_MOST = 400, CELLS_MOST = 4000 };

typedef struct model_edit {
    struct {
        size_t place;
        ptl_oter before, after;
    } * cells; /* owned */
    size_t count;
    int undoes;
    bool undone;
    char special[60]; /* "": none */
} model_edit;

typedef struct model {
    ptl_oter shown[CELLS];
    model_edit edits[EDITS_MOST + 1]; /* the edit of number n is edits[n] */
    int count;
} model;

/* Takes over what an edit has changed in the chunk. */
static void take_edit(model *m, ptl_world *world, const char *special, int undoes)
{
    static ptl_oter now[CELLS];
    model_edit *e = &m->edits[++m->count];
    *e = (model_edit){.cells = calloc(CELLS_MOST, sizeof *e->cells), .undoes = undoes};
    ck_assert_ptr_nonnull(e->cells);
    snprintf(e->special, sizeof e->special, "%s", special);
    read_cells(now, world);
    for (size_t i = 0; i < CELLS; i++) {
        if (now[i] == m->shown[i])
            continue;
        ck_assert_uint_lt(e->count, CELLS_MOST);
        e->cells[e->count].place = i;
        e->cells[e->count].before = m->shown[i];
        e->cells[e->count++].after = now[i];
    }
    ck_assert_uint_gt(e->count, 0);
    memcpy(m->shown, now, sizeof now);
    for (int n = undoes; n > 0; n = m->edits[n].undoes)
        m->edits[n].undone = !m->edits[n].undone;
}

/* May the edit be taken back? What lies over it stands in the way. */
static bool may_undo(const model *m, int number)
{
    if (number < 1 || m->edits[number].undone)
        return false;
    for (int n = number + 1; n <= m->count; n++) {
        const model_edit *later = &m->edits[n], *e = &m->edits[number];
        for (size_t i = 0; !later->undone && later->undoes <= number && i < later->count; i++)
            for (size_t k = 0; k < e->count; k++)
                if (later->cells[i].place == e->cells[k].place)
                    return false;
    }
    return true;
}

static void undo_some(model *m, ptl_world *world, rng *r)
{
    const int number = m->count - (int)rng_below(r, 6);
    if (!may_undo(m, number)) {
        ck_assert_int_eq(undo(world, number), number < 1 ? PTL_ERR_NOT_FOUND : PTL_ERR_EXISTS);
        return;
    }
    static ptl_oter wanted[CELLS];
    memcpy(wanted, m->shown, sizeof wanted);
    const model_edit *e = &m->edits[number];
    for (size_t i = 0; i < e->count; i++)
        wanted[e->cells[i].place] = e->cells[i].before;
    OK(undo(world, number));
    take_edit(m, world, "", number);
    ck_assert_mem_eq(m->shown, wanted, sizeof wanted);
}

static void place_some(model *m, ptl_world *world, rng *r)
{
    const char *special = some[rng_below(r, SOME)];
    ptl_omt at = {(int64_t)rng_below(r, SIDE), (int64_t)rng_below(r, SIDE), 0};
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    if (rng_one_in(r, 3) || find_origin(&at, world, special, at, PTL_ROTATION_ANY))
        if (put(&report, NULL, world, special, at, PTL_ROTATION_ANY) == PTL_OK) {
            ck_assert_int_eq(report.last, m->count + 1);
            take_edit(m, world, special, 0);
        }
}

/* The specials that the model has in force are, in their order, those behind the generated
 * ones; the list of edits tells them. */
typedef struct checking {
    const model *m;
    int at;
} checking;

static bool check_edit(void *payload, const ptl_edit *e)
{
    checking *c = payload;
    const model_edit *wanted = &c->m->edits[++c->at];
    ck_assert_int_eq(e->number, c->at);
    ck_assert_str_eq(e->special, wanted->special);
    ck_assert_int_eq(e->undone_by > 0, wanted->undone);
    ck_assert_uint_eq(e->cells, wanted->count);
    return true;
}

static void check_model(const model *m, ptl_world *world, size_t generated)
{
    static ptl_oter now[CELLS];
    checking c = {m, 0};
    gen_features f;
    read_cells(now, world);
    ck_assert_mem_eq(now, m->shown, sizeof now);
    OK(ptl_edit_list(world, NULL, check_edit, &c, &err));
    ck_assert_int_eq(c.at, m->count);
    read_features(&f, world);
    size_t next = generated;
    for (int n = 1; n <= m->count; n++) {
        if (!m->edits[n].special[0] || m->edits[n].undone)
            continue;
        while (next < f.placement_count &&
               strcmp(world->cat->specials[f.placements[next].special].id,
                      m->edits[n].special) != 0)
            next++; /* one that is nested in the one before */
        ck_assert_uint_lt(next++, f.placement_count);
    }
    features_dispose(&f);
}

START_TEST(random_saves_are_as_a_model_says)
{
    enum { STEPS = 250 };
    place p;
    char first[65], hex[65];
    ptl_world *world = saved_begin(&p, _i);
    model *m = calloc(1, sizeof *m);
    gen_features f;
    ck_assert_ptr_nonnull(m);
    read_cells(m->shown, world);
    read_features(&f, world);
    const size_t generated = f.placement_count;
    features_dispose(&f);
    saved_digest(first, world);
    rng r = rng_from_key(3600 + (uint64_t)_i);
    for (int step = 0; step < STEPS; step++) {
        if (rng_one_in(&r, 3))
            undo_some(m, world, &r);
        else
            place_some(m, world, &r);
        if (step % 50 < 49)
            continue;
        if (_i != MEMORY) {
            ptl_world_close(world);
            ptl_store_close(p.store);
            saved_open_file(&p, _i);
            world = saved_world(p.store, false);
        }
        check_model(m, world, generated);
    }
    ck_assert_int_gt(m->count, STEPS / 2);
    if (_i != MEMORY)
        OK(verify_parts(p.store, VERIFY_ALL, NULL, NULL, NULL, &err));
    ptl_world *below = saved_world(p.store, true);
    saved_digest(hex, below);
    ck_assert_str_eq(hex, first);
    ptl_world_close(below);
    for (int n = m->count; n > 0; n--) /* what is in force goes, from the last on */
        if (!m->edits[n].undone && m->edits[n].undoes == 0)
            OK(undo(world, n));
    saved_digest(hex, world);
    ck_assert_str_eq(hex, first);
    ptl_world_close(world);
    for (int n = 1; n <= m->count; n++)
        free(m->edits[n].cells);
    free(m);
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("placed specials, by a model");
    TCase *t = tcase_create("placed specials, by a model");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, random_saves_are_as_a_model_says, 0, MODES);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
