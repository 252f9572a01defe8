/*
 * No dead ends, over many seeds, with the town catalogue: every kind of connection, all
 * regions. test_seams_content.c does the same with real content.
 */
#include "support/land_catalogue.h"
#include "support/seam_run.h"
#include "support/seeds.h"

#include <check.h>
#include <stdlib.h>

enum { SEEDS = 100 };

static const char *const REGIONS[] = {"default", "wet", "thin", "dry"};

START_TEST(no_dead_ends)
{
    seam_run("town", town_catalogue(), REGIONS, 4, 0, test_seeds(SEEDS));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("seams");
    TCase *tcase = tcase_create("seams");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, no_dead_ends);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
