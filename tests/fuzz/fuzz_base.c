#include "fuzz/fuzz_base.h"
#include "support/older_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char content[] = FUZZ_CONTENT;

void fuzz_expect(ptl_status status, const ptl_error *err, const char *what)
{
    fuzz_check(status == PTL_OK, what, err->message);
}

static ptl_store *create(const char *path)
{
    const char *directories[] = {content};
    ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_CREATE};
    ptl_import_options import = {
        .size = sizeof import, .directories = directories, .directory_count = 1};
    ptl_world_options world = PTL_WORLD_OPTIONS_INIT;
    ptl_error err = {0};
    ptl_store *store = NULL;
    fuzz_expect(ptl_store_open(&store, path, &options, &err), &err, "a store is made");
    fuzz_expect(ptl_import(NULL, store, &import, &err), &err, "the content is imported");
    world.seed = 3;
    world.city_size = 2;
    fuzz_expect(ptl_world_create(store, "w", &world, &err), &err, "a world is made");
    return store;
}

static void get_chunk(ptl_world *world, int32_t x, int32_t y)
{
    ptl_error err = {0};
    ptl_chunk *chunk = NULL;
    ptl_status status = ptl_chunk_get(&chunk, world, (ptl_chunk_pos){x, y}, &err);
    fuzz_expect(status, &err, "a chunk is made");
    ptl_chunk_free(chunk);
}

static ptl_world *open_world(ptl_store *store)
{
    ptl_error err = {0};
    ptl_world *world = NULL;
    fuzz_expect(ptl_world_open(&world, store, "w", NULL, &err), &err, "the world opens");
    return world;
}

/* Another world's chunk as a game's save. */
static void make_save(const char *directory)
{
    char path[FUZZ_PATH_SIZE];
    ptl_error err = {0};
    ptl_game_save_write_options export = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    fuzz_path(path, "other.db");
    ptl_store *store = create(path);
    ptl_world *world = open_world(store);
    get_chunk(world, 3, 0);
    export.directory = directory;
    fuzz_expect(ptl_game_save_write(NULL, world, &export, &err), &err, "a save is written");
    ptl_world_close(world);
    ptl_store_close(store);
    unlink(path);
}

/* What the small content gives no occasion for. */
static void add_event(const char *path)
{
    sqlite3 *db = NULL;
    bool good =
        sqlite3_open(path, &db) == SQLITE_OK &&
        sqlite3_exec(db,
                     "INSERT INTO event (chunk_id, number, step, kind, x, y, z, detail, "
                     "checksum) SELECT id, 40, 'roads', 'unreached', 4, 5, 0, 'd', 0 "
                     "FROM chunk WHERE x = 0",
                     NULL, NULL, NULL) == SQLITE_OK;
    fuzz_check(good, "an event is added", db ? sqlite3_errmsg(db) : "");
    fuzz_reseal(db);
    sqlite3_close(db);
}

static void make(fuzz_base *base)
{
    char directory[FUZZ_PATH_SIZE], file[FUZZ_PATH_SIZE + 16];
    ptl_error err = {0};
    ptl_game_save_import_options import = PTL_GAME_SAVE_IMPORT_OPTIONS_INIT;
    fuzz_path(directory, "save");
    make_save(directory);
    fuzz_path(base->path, "base.db");
    ptl_store *store = create(base->path);
    ptl_world *world = open_world(store);
    get_chunk(world, 0, 0);
    import.directory = directory;
    fuzz_expect(ptl_game_save_import(NULL, world, &import, &err), &err, "the save is read");
    ptl_world_close(world);
    ptl_store_close(store);
    add_event(base->path);
    snprintf(file, sizeof file, "%s/o.3.0", directory);
    unlink(file);
    rmdir(directory);
    base->image = fuzz_read_file(base->path, &base->size);
    fuzz_check(base->image != NULL, "the base file can be read", base->path);
}

static fuzz_base the_base, old;

static void forget_base(void)
{
    free(the_base.image);
    free(old.image);
}

const fuzz_base *fuzz_base_get(void)
{
    if (!the_base.image) {
        make(&the_base);
        atexit(forget_base);
    }
    return &the_base;
}

const fuzz_base *fuzz_base_old(void)
{
    const fuzz_base *base = fuzz_base_get();
    if (old.image)
        return &old;
    fuzz_path(old.path, "older.db");
    FILE *file = fopen(old.path, "wb");
    fuzz_check(file && fwrite(base->image, 1, base->size, file) == base->size &&
                   fclose(file) == 0,
               "the older file can be written", old.path);
    setenv("PORTOLAN_SOURCE_DIR", FUZZ_SOURCE, 0);
    const char *problem = older_file(old.path);
    fuzz_check(problem == NULL, "an older file is made", problem ? problem : "");
    old.image = fuzz_read_file(old.path, &old.size);
    fuzz_check(old.image != NULL, "an older file can be read", old.path);
    return &old;
}
