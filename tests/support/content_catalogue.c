#include "support/content_catalogue.h"

#include "store/store.h"
#include "support/test_folder.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static void shared_path(char *path, size_t size, const char *name)
{
    const char *shared = variable("PORTOLAN_SHARED"), *source = variable("PORTOLAN_SOURCE_DIR");
    if (shared)
        snprintf(path, size, "%s/%s", shared, name);
    else
        snprintf(path, size, "%s/../shared/%s", source ? source : ".", name);
}

void content_shared(char *path, size_t size, const char *name)
{
    char inner[256];
    snprintf(inner, sizeof inner, "content/%.200s", name);
    shared_path(path, size, inner);
}

bool content_present(const char *path)
{
    struct stat info;
    char shared[1024];
    const char *ci = variable("CI");
    if (stat(path, &info) == 0)
        return true;
    shared_path(shared, sizeof shared, "");
    const bool required = ci && strcmp(ci, "true") == 0 && stat(shared, &info) == 0;
    ck_assert_msg(!required, "%s is missing", path);
    printf("SKIPPED: %s is not there\n", path);
    return false;
}

bool content_game(char *folder, size_t size, const char *name)
{
    char archive[1024], inner[64], command[3 * 1024];
    snprintf(inner, sizeof inner, "today/%s.tar.zst", name);
    content_shared(archive, sizeof archive, inner);
    if (!content_present(archive))
        return false;
    test_folder(folder, size);
    snprintf(command, sizeof command, "tar --zstd -xf '%s' -C '%s'", archive, folder);
    ck_assert_int_eq(system(command), 0);
    return true;
}

catalogue *content_catalogue_of(const char *const *directories, size_t count, bool lenient)
{
    char path[WORLD_PATH_SIZE];
    ptl_error err = {0};
    ptl_store *store = NULL;
    catalogue *cat = NULL;
    const ptl_open_options open = {.size = sizeof open, .mode = PTL_OPEN_CREATE};
    const ptl_import_options import = {.size = sizeof import,
                                       .directories = directories,
                                       .directory_count = count,
                                       .builtin = count == 0,
                                       .lenient = lenient};
    world_file_path(path);
    ck_assert_msg(ptl_store_open(&store, path, &open, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ptl_import(NULL, store, &import, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ops(store)->content->load(&cat, store, &err) == PTL_OK, "%s", err.message);
    ptl_store_close(store);
    world_file_remove(path);
    return cat;
}

catalogue *content_catalogue(const char *directory, bool lenient)
{
    return content_catalogue_of(&directory, directory ? 1 : 0, lenient);
}
