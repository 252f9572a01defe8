/*
 * Real content: Portolan's own pack, the game's (Debian's cataclysm-dda-data) with each of its
 * mods, and the excerpts in ../shared. What is not installed is skipped, loudly; with CI=true
 * and ../shared there, that is a failure.
 */
#include "content/import/builtin.h"
#include "store/sqlite/connection/stmt.h"
#include "unit/content/content_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GAME "/usr/share/games/cataclysm-dda/"

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static char *shared_path(const char *below)
{
    const char *root = getenv("PORTOLAN_SHARED");
    if (!root || !*root)
        return source_path(strcmp(below, "") == 0 ? "../shared" : below);
    char *path = malloc(strlen(root) + strlen(below) + 2);
    ck_assert_ptr_nonnull(path);
    /* below begins with "../shared" */
    sprintf(path, "%s%s", root, below + strlen("../shared"));
    return path;
}

static bool present(const char *path)
{
    if (is_folder(path))
        return true;
    const char *ci = getenv("CI");
    char *shared = shared_path("../shared");
    bool required = ci && strcmp(ci, "true") == 0 && is_folder(shared);
    free(shared);
    ck_assert_msg(!required, "%s is missing", path);
    printf("SKIPPED: %s is not there\n", path);
    return false;
}

static void expect_count(const char *what, uint64_t found, uint64_t wanted)
{
    ck_assert_msg(found == wanted, "%s: %llu, not %llu", what, (unsigned long long)found,
                  (unsigned long long)wanted);
}

START_TEST(the_game_imports)
{
    if (!present(GAME "json"))
        return;
    char scratch[64], path[96];
    make_scratch(scratch);
    snprintf(path, sizeof path, "%s/w.db", scratch);
    ptl_store *store = NULL;
    ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_CREATE};
    ck_assert_int_eq(ptl_store_open(&store, path, &options, NULL), PTL_OK);
    import_run run;
    import_one(&run, store, GAME "json");
    ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
    const ptl_import_report *r = &run.report;
    expect_count("files", r->files, 1855);
    expect_count("objects", r->objects, 28447);
    expect_count("terrain objects", r->terrain_objects, 897);
    expect_count("terrain types", r->terrain_types, 5244);
    expect_count("concrete terrains", r->concrete_terrains, 20496);
    expect_count("locations", r->locations, 48);
    expect_count("specials", r->specials, 185);
    expect_count("city buildings", r->city_buildings, 338);
    expect_count("errors", r->errors, 0);
    import_run again;
    import_one(&again, store, GAME "json");
    ck_assert_int_eq(again.status, PTL_OK);
    ck_assert(again.report.unchanged);
    ck_assert_str_eq(again.report.digest, r->digest);
    printf("game: imported in %.3f s, found unchanged in %.3f s\n", r->seconds,
           again.report.seconds);
    import_run_dispose(&again);
    import_run_dispose(&run);
    ptl_store_close(store);
    remove_scratch(scratch);
}
END_TEST

/* Mods that depend on others of the same folder, and these. */
static const char *const needs[][3] = {
    {"Fuji_Structures", "More_Locations", NULL},
    {"Graphical_Overmap_FujiStruct", "Graphical_Overmap", "Fuji_Structures"},
    {"Graphical_Overmap_Magiclysm", "Graphical_Overmap", "Magiclysm"},
    {"Graphical_Overmap_More_Locations", "Graphical_Overmap", "More_Locations"},
    {"Graphical_Overmap_Urban_Development", "Graphical_Overmap", "Urban_Development"},
};

/* The base, the mod, and what the mod needs, given in an order that has to be put right. */
static bool mod_imports(const char *name)
{
    char paths[4][512];
    const char *directories[5] = {GAME "json"};
    size_t count = 1;
    snprintf(paths[0], sizeof paths[0], GAME "mods/%s", name);
    directories[count++] = paths[0];
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        for (size_t j = 1; strcmp(needs[i][0], name) == 0 && j < 3 && needs[i][j]; j++) {
            snprintf(paths[j], sizeof paths[j], GAME "mods/%s", needs[i][j]);
            directories[count++] = paths[j];
        }
    }
    if (strcmp(name, "Graphical_Overmap_FujiStruct") == 0)
        directories[count++] = GAME "mods/More_Locations";
    import_run run;
    import_list(&run, NULL, count, directories);
    bool ok = run.status == PTL_OK;
    if (!ok)
        printf("%s: %s\n", name, run.err.message);
    import_run_dispose(&run);
    return ok;
}

/* Each of the game's mods on top of its base; every fourth in slow builds. */
START_TEST(the_games_mods_import)
{
    if (!present(GAME "mods") || !present(GAME "json"))
        return;
    DIR *dir = opendir(GAME "mods");
    ck_assert_ptr_nonnull(dir);
    const size_t every = getenv("PORTOLAN_QUICK") ? 4 : 1;
    size_t mods = 0, failed = 0;
    for (struct dirent *d; (d = readdir(dir)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, GAME "mods/%s", d->d_name);
        if (d->d_name[0] == '.' || !is_folder(path))
            continue;
        if (mods++ % every == 0)
            failed += !mod_imports(d->d_name);
    }
    closedir(dir);
    ck_assert_uint_gt(mods, 30);
    ck_assert_uint_eq(failed, 0);
}
END_TEST

/* Another mod that is needed and not given is named; "dda" is taken for the base. */
START_TEST(a_mods_missing_mod_is_named)
{
    if (!present(GAME "mods") || !present(GAME "json"))
        return;
    static const char *const directories[] = {GAME "json", GAME "mods/Fuji_Structures"};
    import_run run;
    import_list(&run, NULL, 2, directories);
    ck_assert_int_eq(run.status, PTL_ERR_CONTENT);
    ck_assert_ptr_nonnull(
        strstr(run.err.message, "depends on mod 'more_locations', which is not given"));
    ck_assert_ptr_null(strstr((char *)run.lines.data, "'dda'"));
    import_run_dispose(&run);
}
END_TEST

START_TEST(excerpts_import_if_lenient)
{
    static const char *const names[] = {"../shared/content/bn",
                                        "../shared/content/dda-mutable"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = shared_path(names[i]);
        if (present(path)) {
            const char *directory = path;
            import_run run;
            memset(&run, 0, sizeof run);
            run.options = (ptl_import_options){.size = sizeof(ptl_import_options),
                                               .directories = &directory,
                                               .directory_count = 1,
                                               .check = true,
                                               .lenient = true};
            run_import(&run, NULL);
            ck_assert_msg(run.status == PTL_OK, "%s: %s", path, run.err.message);
            ck_assert_uint_gt(run.report.warnings, 0);
            import_run_dispose(&run);
        }
        free(path);
    }
}
END_TEST

START_TEST(the_builtin_pack_imports)
{
    ck_assert_uint_gt(builtin_file_count, 0);
    import_run run;
    memset(&run, 0, sizeof run);
    run.options = (ptl_import_options){
        .size = sizeof(ptl_import_options), .builtin = true, .check = true};
    run_import(&run, NULL);
    ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
    ck_assert_str_eq((const char *)run.lines.data, "");
    /* It is the content of data/, file for file. */
    import_run folder;
    char *data = source_path("data");
    import_one(&folder, NULL, data);
    ck_assert_str_eq(run.report.digest, folder.report.digest);
    ck_assert_uint_eq(run.report.files, folder.report.files);
    free(data);
    import_run_dispose(&folder);
    import_run_dispose(&run);
}
END_TEST

Suite *real_suite(void)
{
    Suite *suite = suite_create("import real content");
    TCase *tc = tcase_create("real");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, the_game_imports);
    tcase_add_test(tc, the_games_mods_import);
    tcase_add_test(tc, a_mods_missing_mod_is_named);
    tcase_add_test(tc, excerpts_import_if_lenient);
    tcase_add_test(tc, the_builtin_pack_imports);
    suite_add_tcase(suite, tc);
    return suite;
}
