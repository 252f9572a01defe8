/*
 * Every mutable special of real content, placed again and again on ground that nothing
 * obstructs: none may fail, none may have a mandatory join open, none may leave a trace.
 */
#include "gen/mutable/growth_impl.h"
#include "gen/pipeline.h"
#include "support/content_catalogue.h"
#include "support/growth_check.h"
#include "support/seeds.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIALS = 500, PATH = 1024 };

typedef struct trial {
    generator *g;
    const catalogue *cat;
    const cat_mutable *layout;
    int bad, stacked;
} trial;

/* With the special in place. */
static void check(void *payload, const ptl_chunk *chunk)
{
    trial *t = payload;
    const growth *w = t->g->growth;
    const grown what = {.pieces = w->stock->pieces,
                        .joins = w->stock->joins,
                        .piece_count = w->piece_count,
                        .join_count = w->join_count};
    growth_report report;
    growth_check(&report, t->layout, &what, chunk);
    t->stacked += report.stacked;
    t->bad += report.open + report.wrong + report.misplaced;
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void try_special(const catalogue *cat, generator *g, uint16_t special)
{
    const int count = test_seeds(TRIALS);
    const cat_special *s = &cat->specials[special];
    trial t = {g, cat, s->layout, 0, 0};
    ptl_chunk *ground = trial_ground(g->config, special);
    int *pieces = malloc((size_t)count * sizeof *pieces);
    int failed = 0, undone = 0, most = 0;
    ck_assert(ground && pieces);
    const clock_t start = clock();
    for (int i = 0; i < count; i++) {
        trial_result r;
        /* Checking takes longer than growing: every fourth. */
        ck_assert(trial_run(&r, g, ground, special, (uint64_t)i, i % 4 ? NULL : check, &t));
        failed += r.result != GROWTH_DONE;
        undone += r.draws - (r.result == GROWTH_DONE);
        most = r.draws > most ? r.draws : most;
        pieces[i] = r.pieces;
        if (r.result != GROWTH_DONE && failed == 1)
            printf("  %s: result %d, join %s at %d,%d,%d\n", s->id, (int)r.result,
                   s->layout->joins[r.open_join].id, r.open_x, r.open_y, r.open_z);
    }
    const double us = 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC;
    qsort(pieces, (size_t)count, sizeof *pieces, by_size);
    printf("  %-28s %6d trials, %5d failed, %6d growths undone (most draws %2d), pieces %4d "
           "%4d %4d, %d stacked, %6.0f us\n",
           s->id, count, failed, undone, most, pieces[0], pieces[count / 2], pieces[count - 1],
           t.stacked, us / count);
    free(pieces);
    ptl_chunk_free(ground);
    ck_assert_msg(failed == 0, "%s failed %d times", s->id, failed);
    ck_assert_msg(t.bad == 0, "%s: %d wrong sides", s->id, t.bad);
}

static bool wanted(const char *const *names, const char *id)
{
    if (!names)
        return true;
    for (; *names; names++)
        if (strcmp(*names, id) == 0)
            return true;
    return false;
}

/* names: those to try, ended by NULL; NULL: all that there are. Returns their number. */
static int try_all(const char *title, catalogue *cat, const char *const *names)
{
    const ptl_world_options options = {.size = sizeof options, .seed = 1, .region = "default"};
    gen_config *config = NULL;
    ptl_error err = {0};
    int count = 0;
    ck_assert_msg(gen_config_new(&config, cat, &options, &err) == PTL_OK, "%s", err.message);
    generator *g = generator_new(config);
    ck_assert_ptr_nonnull(g);
    printf("%s\n", title);
    for (size_t i = 0; i < cat->special_count; i++)
        if (cat->specials[i].layout && wanted(names, cat->specials[i].id)) {
            try_special(cat, g, (uint16_t)i);
            count++;
        }
    generator_free(g);
    gen_config_free(config);
    catalogue_free(cat);
    return count;
}

START_TEST(our_pack)
{
    ck_assert_int_gt(try_all("pack", content_catalogue(NULL, false), NULL), 0);
}
END_TEST

START_TEST(bright_nights)
{
    char path[PATH];
    content_shared(path, sizeof path, "bn/json");
    if (content_present(path))
        ck_assert_int_ge(try_all("bright nights", content_catalogue(path, true), NULL), 5);
}
END_TEST

/* With a pack of ours for the terrain that neither base has. */
static void dark_days_over(const char *title, const char *base)
{
    static const char *const NAMES[] = {"Crater",  "Generic mine",     "acid_anthill",
                                        "anthill", "microlab_mutable", NULL};
    char path[PATH], ours[PATH];
    const char *source = getenv("PORTOLAN_SOURCE_DIR");
    content_shared(path, sizeof path, "dda-mutable/json");
    snprintf(ours, sizeof ours, "%s/tests/content/mutable", source ? source : ".");
    const char *const directories[] = {base, ours, path};
    if (content_present(path) && content_present(base))
        ck_assert_int_eq(try_all(title, content_catalogue_of(directories, 3, true), NAMES), 5);
}

START_TEST(dark_days_over_bright_nights)
{
    char path[PATH];
    content_shared(path, sizeof path, "bn/json");
    dark_days_over("dark days over bright nights", path);
}
END_TEST

START_TEST(dark_days_over_the_game)
{
    dark_days_over("dark days over 0.F", CONTENT_GAME);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("growth_content");
    TCase *tcase = tcase_create("growth_content");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, our_pack);
    tcase_add_test(tcase, bright_nights);
    tcase_add_test(tcase, dark_days_over_bright_nights);
    tcase_add_test(tcase, dark_days_over_the_game);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
