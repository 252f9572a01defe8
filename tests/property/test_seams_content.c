/*
 * No dead ends, over many seeds, with real content: Portolan's own pack and the game's. Real
 * buildings state roads of their own, real connections have subtypes that the hand-made
 * catalogue lacks.
 */
#include "support/content_catalogue.h"
#include "support/seam_run.h"
#include "support/seeds.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 100 };

static const char *const REGIONS[] = {"default"};

START_TEST(no_dead_ends_with_our_pack)
{
    catalogue *cat = content_catalogue(NULL, false);
    seam_run("pack", cat, REGIONS, 1, 1000, test_seeds(SEEDS));
    catalogue_free(cat);
}
END_TEST

START_TEST(no_dead_ends_with_the_game)
{
    if (!content_present(CONTENT_GAME))
        return;
    catalogue *cat = content_catalogue(CONTENT_GAME, false);
    seam_run("game", cat, REGIONS, 1, 2000, test_seeds(SEEDS));
    catalogue_free(cat);
}
END_TEST

/* The excerpt that Bright Nights' connections are tried with; it has no buildings. */
START_TEST(no_dead_ends_with_bright_nights)
{
    char path[1024];
    content_shared(path, sizeof path, "bn/json");
    if (!content_present(path))
        return;
    catalogue *cat = content_catalogue(path, true);
    seam_run("bright nights", cat, REGIONS, 1, 3000, test_seeds(SEEDS / 2));
    catalogue_free(cat);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("seams_content");
    TCase *tcase = tcase_create("seams_content");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, no_dead_ends_with_our_pack);
    tcase_add_test(tcase, no_dead_ends_with_the_game);
    tcase_add_test(tcase, no_dead_ends_with_bright_nights);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
