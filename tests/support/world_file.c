#include "support/world_file.h"

#include "support/test_folder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void world_file_path(char path[WORLD_PATH_SIZE])
{
    test_folder(path, WORLD_PATH_SIZE - 20);
    strcat(path, "/world.ptl");
}

void world_file_remove(const char *path)
{
    static const char *const ends[] = {"", "-journal", "-wal", "-shm", "-lock"};
    char text[WORLD_PATH_SIZE + 16];
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(text, sizeof text, "%s%s", path, ends[i]);
        unlink(text);
    }
    snprintf(text, sizeof text, "%s", path);
    *strrchr(text, '/') = '\0';
    rmdir(text);
}

ptl_store *world_file_open(const char *path, const char *name, uint64_t seed)
{
    ptl_error err = {0};
    ptl_store *store = NULL;
    ptl_open_options options = {
        .size = sizeof options, .mode = PTL_OPEN_CREATE, .writers = PTL_WRITERS_SHARED};
    ck_assert_msg(ptl_store_open(&store, path, &options, &err) == PTL_OK, "%s", err.message);
    ptl_import_options import = {.size = sizeof import, .builtin = true};
    ck_assert_msg(ptl_import(NULL, store, &import, &err) == PTL_OK, "%s", err.message);
    ptl_world_options world = PTL_WORLD_OPTIONS_INIT;
    world.seed = seed;
    ptl_status status = ptl_world_create(store, name, &world, &err);
    ck_assert_msg(status == PTL_OK || status == PTL_ERR_EXISTS, "%s", err.message);
    return store;
}

ptl_world *world_file_world(ptl_store *store, const char *name)
{
    ptl_error err = {0};
    ptl_world *world = NULL;
    ck_assert_msg(ptl_world_open(&world, store, name, NULL, &err) == PTL_OK, "%s", err.message);
    return world;
}

void world_file_digest(ptl_world *world, char hex[65])
{
    ptl_error err = {0};
    ptl_world_digest_result result = PTL_WORLD_DIGEST_RESULT_INIT;
    ck_assert_msg(ptl_world_digest_get(&result, world, &err) == PTL_OK, "%s", err.message);
    memcpy(hex, result.hex, 65);
}

void world_file_edit(ptl_world *world)
{
    const ptl_save_cell cells[] = {{{5, 6, 0}, "field"}, {{5, 6, 3}, "field"}};
    const ptl_save_options o = {.size = sizeof o, .author = "ann", .text = "two fields"};
    ptl_save *save = NULL;
    ptl_error err = {0};
    const ptl_note note = {.size = sizeof note, .viewer = "ann", .text = "danger", .radius = 3};
    const ptl_marks_key seen = {.viewer = "ann", .kind = PTL_MARKS_SEEN};
    const uint8_t bits[PTL_MARKS_BYTES] = {255, 3};
    const ptl_fact_key state = {.space = "walk", .name = "state"};
    ptl_why_place why = PTL_WHY_PLACE_INIT;
    ck_assert_msg(ptl_save_begin(&save, world, &o, &err) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(ptl_save_special_add(&why, save, "woodland_cabin", (ptl_omt){0, 0, 0},
                                          PTL_ROTATION_ANY, &err),
                     PTL_ERR_EXISTS); /* at the chunk's edge */
    ck_assert(why.has_nearest);
    const ptl_omt at = {why.nearest_x, why.nearest_y, 0};
    ck_assert_msg(ptl_save_cells_set(save, cells, 2, &err) == PTL_OK &&
                      ptl_save_special_add(NULL, save, "woodland_cabin", at, PTL_ROTATION_ANY,
                                           &err) == PTL_OK &&
                      ptl_save_note_set(save, &note, &err) == PTL_OK &&
                      ptl_save_marks_set(save, &seen, bits, PTL_MARKS_ADD, &err) == PTL_OK &&
                      ptl_save_fact_set(save, &state, "here", 4, &err) == PTL_OK &&
                      ptl_save_commit(NULL, save, &err) == PTL_OK,
                  "%s", err.message);
}
