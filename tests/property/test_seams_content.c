/*
 * No dead ends, over many seeds, with real content: Portolan's own pack and the game's. Real
 * buildings state roads of their own, real connections have subtypes that the hand-made
 * catalogue lacks.
 */
#include "seam_run.h"
#include "seeds.h"
#include "world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GAME "/usr/share/games/cataclysm-dda/json"

enum { SEEDS = 100 };

static const char *const REGIONS[] = {"default"};

/* Fails where CI has ../shared, and so should have the game's data, too. */
static bool present(const char *path)
{
    struct stat info;
    const char *ci = getenv("CI"), *shared = getenv("PORTOLAN_SHARED");
    const char *source = getenv("PORTOLAN_SOURCE_DIR");
    char beside[1024];
    if (stat(path, &info) == 0)
        return true;
    snprintf(beside, sizeof beside, "%s/../shared", source ? source : ".");
    bool required =
        ci && strcmp(ci, "true") == 0 && stat(shared && *shared ? shared : beside, &info) == 0;
    ck_assert_msg(!required, "%s is missing", path);
    printf("SKIPPED: %s is not there\n", path);
    return false;
}

/* Imports into a temporary file; the catalogue outlives it. */
static catalogue *load(const char *directory, bool lenient)
{
    char path[WORLD_PATH_SIZE];
    ptl_error err = {0};
    ptl_store *store = NULL;
    catalogue *cat = NULL;
    const ptl_open_options open = {PTL_OPEN_CREATE, 0};
    const ptl_import_options import = {.directories = &directory,
                                       .directory_count = directory ? 1 : 0,
                                       .builtin = !directory,
                                       .lenient = lenient};
    world_file_path(path);
    ck_assert_msg(ptl_store_open(&store, path, &open, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ptl_import(store, &import, NULL, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(catalogue_load(&cat, store, &err) == PTL_OK, "%s", err.message);
    ptl_store_close(store);
    world_file_remove(path);
    return cat;
}

START_TEST(no_dead_ends_with_our_pack)
{
    catalogue *cat = load(NULL, false);
    seam_run("pack", cat, REGIONS, 1, 1000, test_seeds(SEEDS));
    catalogue_free(cat);
}
END_TEST

START_TEST(no_dead_ends_with_the_game)
{
    if (!present(GAME))
        return;
    catalogue *cat = load(GAME, false);
    seam_run("game", cat, REGIONS, 1, 2000, test_seeds(SEEDS));
    catalogue_free(cat);
}
END_TEST

/* The excerpt that Bright Nights' connections are tried with; it has no buildings. */
START_TEST(no_dead_ends_with_bright_nights)
{
    char path[1024];
    const char *shared = getenv("PORTOLAN_SHARED"), *source = getenv("PORTOLAN_SOURCE_DIR");
    if (shared && *shared)
        snprintf(path, sizeof path, "%s/content/bn/json", shared);
    else
        snprintf(path, sizeof path, "%s/../shared/content/bn/json", source ? source : ".");
    if (!present(path))
        return;
    catalogue *cat = load(path, true);
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
