#include "support/fault/fault_place.h"
#include "core/hash.h"
#include "support/fault/fault_stop.h"
#include "support/older_file.h"
#include "support/test_folder.h"

#include <check.h>
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const MADE[] = {
    [FAULT_FILE_CONTENT] = "content.ptl", [FAULT_FILE_WORLD] = "world.ptl",
    [FAULT_FILE_DAMAGED] = "damaged.ptl", [FAULT_FILE_OLD] = "old.ptl",
    [FAULT_FILE_PAST] = "past.ptl",       [FAULT_FILE_SEA] = "sea.ptl"};
static const char *const SPECIAL_OF_CHUNK = "SELECT special_number FROM piece "
                                            "WHERE chunk_x = 0 AND chunk_y = 0 LIMIT 1";

static void join(char out[FAULT_PATH_SIZE], const char *folder, const char *name)
{
    const int n = snprintf(out, FAULT_PATH_SIZE, "%s/%s", folder, name);
    ck_assert(n > 0 && n < FAULT_PATH_SIZE);
}

/* The path of a prepared file beside the one that the scenes use. */
static void made_path(const fault_place *p, fault_file file, char out[FAULT_PATH_SIZE])
{
    char folder[FAULT_PATH_SIZE];
    memcpy(folder, p->path, sizeof folder);
    *strrchr(folder, '/') = '\0';
    join(out, folder, MADE[file]);
}

static void remove_folder(const char *path)
{
    char file[2 * FAULT_PATH_SIZE + 16];
    DIR *dir = opendir(path);
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
        snprintf(file, sizeof file, "%s/%s", path, d->d_name);
        unlink(file);
    }
    if (dir)
        closedir(dir);
    rmdir(path);
}

static void copy_file(const char *from, const char *to)
{
    char part[65536];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    ck_assert(in && out);
    for (size_t n; (n = fread(part, 1, sizeof part, in)) > 0;)
        if (fwrite(part, 1, n, out) != n)
            ck_abort_msg("%s can't be written", to);
    fclose(in);
    if (fclose(out) != 0)
        ck_abort_msg("%s can't be written", to);
}

/* ---- the prepared files ---- */

static bool keep_number(void *payload, size_t columns, const char *const *names,
                        const ptl_value *values)
{
    (void)names;
    if (columns > 0)
        *(int32_t *)payload = (int32_t)values[0].integer;
    return true;
}

/* With `count` chunks from `first` on to the east. */
static void make_world(ptl_store *store, const char *name, const ptl_world_options *options,
                       ptl_chunk_pos first, int32_t count)
{
    ptl_error err = {0};
    ptl_world *world;
    ptl_generate_options what = PTL_GENERATE_OPTIONS_INIT;
    ptl_chunk_pos list[8];
    what.positions = list;
    for (int32_t i = 0; i < count; i++)
        list[what.position_count++] = (ptl_chunk_pos){first.x + i, first.y};
    ck_assert_msg(ptl_world_create(store, name, options, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ptl_world_open(&world, store, name, NULL, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ptl_generate(NULL, world, &what, &err) == PTL_OK, "%s", err.message);
    ptl_world_close(world);
}

static void make_content(const fault_place *p)
{
    char path[FAULT_PATH_SIZE];
    ptl_error err = {0};
    ptl_store *store;
    const ptl_open_options create = {.size = sizeof create, .mode = PTL_OPEN_CREATE};
    const ptl_import_options import = {.size = sizeof import, .builtin = true};
    made_path(p, FAULT_FILE_CONTENT, path);
    ck_assert_msg(ptl_store_open(&store, path, &create, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ptl_import(NULL, store, &import, &err) == PTL_OK, "%s", err.message);
    ptl_store_close(store);
}

static void make_worlds(fault_place *p)
{
    char content[FAULT_PATH_SIZE], path[FAULT_PATH_SIZE];
    ptl_error err = {0};
    ptl_store *store;
    ptl_world *world;
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    ptl_game_save_write_options save = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    const ptl_query_options query = {
        .size = sizeof query, .on_row = keep_number, .payload = &p->mutable_number};
    made_path(p, FAULT_FILE_CONTENT, content);
    made_path(p, FAULT_FILE_WORLD, path);
    copy_file(content, path);
    ck_assert_msg(ptl_store_open(&store, path, NULL, &err) == PTL_OK, "%s", err.message);
    options.seed = 42;
    make_world(store, "w", &options, (ptl_chunk_pos){0, 0}, 2);
    options.seed = 43;
    make_world(store, "other", &options, (ptl_chunk_pos){1, 0}, 1);
    p->mutable_number = -1;
    ck_assert_msg(ptl_query(store, SPECIAL_OF_CHUNK, &query, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_int_ge(p->mutable_number, 0);
    save.directory = p->save;
    save.has_rect = true; /* 0,0 alone */
    ck_assert_msg(ptl_world_open(&world, store, "w", NULL, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ptl_game_save_write(NULL, world, &save, &err) == PTL_OK, "%s", err.message);
    ptl_world_close(world);
    ptl_store_close(store);
}

/* With what else DDA 0.F makes of a world, the folder of the exported chunk is a save. */
static void make_save(const fault_place *p)
{
    static const char *const files[][2] = {
        {"worldoptions.json", "[]"},
        {"mods.json", "[\"dda\", \"portolan\"]"},
        {"master.gsav", "# version 33\n{}"},
        {"#Sm8=.sav", "# version 33\n{}"},
        {"#Sm8=.seen.0.0", "{\"notes\":[[],[],[],[],[],[],[],[],[],[],"
                           "[[3,4,\"a note\"]],[],[],[],[],[],[],[],[],[],[]]}"}};
    char path[FAULT_PATH_SIZE + 40];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", p->save, files[i][0]);
        FILE *file = fopen(path, "wb");
        ck_assert_msg(file && fputs(files[i][1], file) >= 0 && fclose(file) == 0, "%s", path);
    }
}

/* One flipped bit, which is found again, and what only making the chunk again brings back. */
static void make_damage(const fault_place *p)
{
    static const char *const sql =
        "UPDATE chunk SET run_id = run_id + 1 WHERE id = 1;"
        "UPDATE level SET omts = x'0102' WHERE id = (SELECT max(id) FROM level WHERE id < 64);"
        "DELETE FROM pack WHERE id = (SELECT max(id) FROM pack WHERE id < 16);"
        "UPDATE event SET detail = 'else' WHERE chunk_id = 1 AND number = 0;";
    char path[FAULT_PATH_SIZE], whole[FAULT_PATH_SIZE];
    sqlite3 *db;
    made_path(p, FAULT_FILE_WORLD, whole);
    made_path(p, FAULT_FILE_DAMAGED, path);
    copy_file(whole, path);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s",
                  sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void make_old(const fault_place *p)
{
    char path[FAULT_PATH_SIZE], whole[FAULT_PATH_SIZE];
    made_path(p, FAULT_FILE_WORLD, whole);
    made_path(p, FAULT_FILE_OLD, path);
    copy_file(whole, path);
    const char *problem = older_file(path);
    ck_assert_msg(problem == NULL, "%s", problem);
}

static void make_past(const fault_place *p)
{
    char path[FAULT_PATH_SIZE], whole[FAULT_PATH_SIZE], content[2 * FAULT_PATH_SIZE];
    const char *directory = content;
    ptl_error err = {0};
    ptl_store *store;
    made_path(p, FAULT_FILE_WORLD, whole);
    made_path(p, FAULT_FILE_PAST, path);
    copy_file(whole, path);
    snprintf(content, sizeof content, "%s/documents", p->content);
    const ptl_import_options import = {.size = sizeof import,
                                       .directories = &directory,
                                       .directory_count = 1,
                                       .lenient = true};
    ck_assert_msg(ptl_store_open(&store, path, NULL, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ptl_import(NULL, store, &import, &err) == PTL_OK, "%s", err.message);
    ptl_store_close(store);
}

static void make_sea(const fault_place *p)
{
    char content[FAULT_PATH_SIZE], path[FAULT_PATH_SIZE];
    ptl_error err = {0};
    ptl_store *store;
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = 7;
    options.region = "coast";
    made_path(p, FAULT_FILE_CONTENT, content);
    made_path(p, FAULT_FILE_SEA, path);
    copy_file(content, path);
    ck_assert_msg(ptl_store_open(&store, path, NULL, &err) == PTL_OK, "%s", err.message);
    make_world(store, "w", &options, ptl_omt_chunk((ptl_omt){FAULT_SEA_X, FAULT_SEA_Y, 0}), 1);
    ptl_store_close(store);
}

void fault_place_make(fault_place *p)
{
    char folder[FAULT_PATH_SIZE - 40];
    const char *root = getenv("PORTOLAN_SOURCE_DIR");
    ck_assert_msg(root != NULL, "PORTOLAN_SOURCE_DIR is not set");
    memset(p, 0, sizeof *p);
    test_folder(folder, sizeof folder);
    join(p->path, folder, "file.ptl");
    join(p->save, folder, "save");
    join(p->export, folder, "export");
    join(p->content, root, "tests/content");
    make_content(p);
    make_worlds(p);
    make_save(p);
    make_damage(p);
    make_old(p);
    make_past(p);
    make_sea(p);
}

static void remove_file(const char *path)
{
    static const char *const ends[] = {"", "-journal", "-wal", "-shm", "-lock"};
    char text[FAULT_PATH_SIZE + 16];
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(text, sizeof text, "%s%s", path, ends[i]);
        unlink(text);
    }
}

static void remove_maps(const fault_place *p)
{
    static const char *const ends[] = {".map", ".png"}; /* of a map of Tiled, both */
    char path[FAULT_PATH_SIZE + 8];
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(path, sizeof path, "%s%s", p->path, ends[i]);
        unlink(path);
    }
}

/* new_file.h: how such files are called. */
static int count_unfinished(const char *folder, bool take_away)
{
    char file[2 * FAULT_PATH_SIZE + 16];
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
        if (!strstr(d->d_name, ".portolan-"))
            continue;
        count++;
        snprintf(file, sizeof file, "%s/%s", folder, d->d_name);
        if (take_away)
            unlink(file);
    }
    if (dir)
        closedir(dir);
    return count;
}

static void own_folder(const fault_place *p, char out[FAULT_PATH_SIZE])
{
    memcpy(out, p->path, FAULT_PATH_SIZE);
    *strrchr(out, '/') = '\0';
}

void fault_place_remove(fault_place *p)
{
    char path[FAULT_PATH_SIZE];
    for (fault_file f = FAULT_FILE_CONTENT; f < FAULT_FILES; f++) {
        made_path(p, f, path);
        remove_file(path);
    }
    own_folder(p, path);
    count_unfinished(path, true);
    remove_file(p->path);
    remove_maps(p);
    remove_folder(p->save);
    remove_file(p->export);
    remove_folder(p->export);
    *strrchr(p->path, '/') = '\0';
    rmdir(p->path);
}

int fault_place_unfinished(const fault_place *p)
{
    char folder[FAULT_PATH_SIZE];
    own_folder(p, folder);
    return count_unfinished(folder, false) + count_unfinished(p->export, false);
}

void fault_place_restore(fault_place *p, fault_file file)
{
    char path[FAULT_PATH_SIZE];
    own_folder(p, path);
    count_unfinished(path, true);
    remove_file(p->path);
    remove_file(p->export);
    remove_folder(p->export);
    if (file == FAULT_FILE_NONE)
        return;
    made_path(p, file, path);
    copy_file(path, p->path);
}

/* ---- opening ---- */

ptl_status fault_place_open(fault_place *p, fault_opening how, ptl_error *err)
{
    const bool write = how == FAULT_OPEN_WRITE || how == FAULT_OPEN_WORLD_WRITE;
    const ptl_open_options options = {.size = sizeof options,
                                      .mode = write ? PTL_OPEN_WRITE : PTL_OPEN_READ,
                                      .busy_timeout_ms = 1,
                                      .should_stop = fault_stop_asked};
    remove_maps(p);
    p->store = NULL;
    p->world = NULL;
    p->result = 0;
    if (how == FAULT_OPEN_NOTHING)
        return PTL_OK;
    ptl_status status = ptl_store_open(&p->store, p->path, &options, err);
    if (status == PTL_OK && how >= FAULT_OPEN_WORLD)
        status = ptl_world_open(&p->world, p->store, "w", NULL, err);
    return status;
}

void fault_place_close(fault_place *p)
{
    ptl_world_close(p->world);
    ptl_store_close(p->store);
    p->world = NULL;
    p->store = NULL;
}

/* ---- results ---- */

void fault_mix(fault_place *p, const void *data, size_t size)
{
    p->result = hash_add(p->result, hash_bytes(data, size));
}

void fault_mix_text(fault_place *p, const char *text)
{
    fault_mix(p, text, strlen(text));
}

void fault_mix_number(fault_place *p, int64_t number)
{
    p->result = hash_add(p->result, (uint64_t)number);
}

static bool mix_row(void *payload, size_t columns, const char *const *names,
                    const ptl_value *values)
{
    (void)names;
    for (size_t i = 0; i < columns; i++)
        fault_mix_number(payload, values[i].integer);
    return true;
}

static ptl_status mix_worlds(fault_place *p, ptl_error *err)
{
    static const char *const names[] = {"w", "other"};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < 2 && status == PTL_OK; i++) {
        ptl_world *world;
        ptl_world_digest_result digest = {.size = sizeof digest, .chunks = 0};
        status = ptl_world_open(&world, p->store, names[i], NULL, err);
        if (status == PTL_OK)
            status = ptl_world_digest_get(&digest, world, err);
        ptl_world_close(world);
        fault_mix_text(p, digest.hex);
    }
    return status;
}

uint64_t fault_place_state(const fault_place *given, ptl_error *err)
{
    static const char *const counts =
        "SELECT (SELECT count(*) FROM content), (SELECT count(*) FROM overmap_terrain), "
        "(SELECT count(*) FROM special_piece), (SELECT count(*) FROM world), "
        "(SELECT count(*) FROM chunk), (SELECT count(*) FROM level), "
        "(SELECT count(*) FROM edge), (SELECT count(*) FROM crossing), "
        "(SELECT count(*) FROM city), (SELECT count(*) FROM radio), "
        "(SELECT count(*) FROM special_placement), (SELECT count(*) FROM pack), "
        "(SELECT count(*) FROM event), (SELECT max(id) FROM oter), (SELECT max(id) FROM name)";
    fault_place p = *given;
    const ptl_query_options query = {.size = sizeof query, .on_row = mix_row, .payload = &p};
    ptl_verify_counts verified = PTL_VERIFY_COUNTS_INIT;
    ptl_status status = fault_place_open(&p, FAULT_OPEN_READ, err);
    if (status == PTL_OK)
        status = ptl_verify(&verified, p.store, NULL, NULL, err);
    if (status == PTL_OK)
        status = ptl_query(p.store, counts, &query, err);
    if (status == PTL_OK)
        status = mix_worlds(&p, err);
    if (status == PTL_ERR_NOT_FOUND) /* no such world */
        status = PTL_OK;
    ptl_store_close(p.store);
    if (verified.problems > 0)
        snprintf(err->message, sizeof err->message, "%d problems", (int)verified.problems);
    return status == PTL_OK && verified.problems == 0 ? p.result : 0;
}
