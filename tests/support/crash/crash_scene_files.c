/*
 * Scenes about files beside the world: journals, copies, exports, and saves of the game.
 */
#include "support/crash/crash_scene_impl.h"

#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "support/content_catalogue.h"
#include "support/test_folder.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files beside the world ---- */

static void digest_of(crash_run *r, const char *path, char hex[65])
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = PTL_OPEN_READ;
    ptl_store *store = NULL;
    crash_must(r, ptl_store_open(&store, path, &options, &r->err), path);
    ptl_world *world = world_file_world(store, "w");
    world_file_digest(world, hex);
    ptl_world_close(world);
    ptl_store_close(store);
}

void crash_prepare_backup(crash_run *r)
{
    crash_prepare_chunks(r);
    digest_of(r, r->world, r->digests[0]);
}

static void back_up(crash_run *r, bool replace, uint64_t bit)
{
    ptl_backup_options o = PTL_BACKUP_OPTIONS_INIT;
    o.replace = replace;
    crash_open_file(r, PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    crash_must(r, ptl_backup(NULL, r->store, r->copy, &o, &r->err), "the backup");
    crash_report(r, bit);
    crash_close_all(r);
}

/* A copy under a new name; then the world goes on, and a newer copy takes its place. */
void crash_act_backup(crash_run *r)
{
    char hex[65];
    if (access(r->copy, F_OK) != 0)
        back_up(r, false, CRASH_COPY);
    if (r->stop_early)
        return;
    crash_open_world(r);
    crash_get_chunk(r, 6);
    crash_close_all(r);
    digest_of(r, r->world, r->digests[1]);
    digest_of(r, r->copy, hex);
    if (strcmp(hex, r->digests[1]) != 0)
        back_up(r, true, CRASH_NEW_COPY);
}

static void export_chunks(crash_run *r)
{
    ptl_game_save_write_options o = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    o.directory = r->out;
    o.force = true;
    crash_open_world(r);
    crash_must(r, ptl_game_save_write(NULL, r->open, &o, &r->err), "exporting");
    crash_report(r, CRASH_EXPORT);
    crash_close_all(r);
}

static void take_files(disk_image *out, const crash_run *r)
{
    disk_image_dispose(out);
    disk_image_take(out, r->out);
}

/* Older files lie there: of chunks that had not all steps then, and of one fewer. */
void crash_prepare_export(crash_run *r)
{
    crash_prepare_world(r);
    crash_open_world(r);
    crash_make_chunks(r, 0, 1, ptl_step_name(1));
    crash_close_all(r);
    export_chunks(r);
    take_files(&r->before, r);
    crash_open_world(r);
    crash_make_chunks(r, 0, 2, NULL);
    crash_close_all(r);
}

void crash_act_export(crash_run *r)
{
    export_chunks(r);
    if (r->after.count == 0) /* undisturbed */
        take_files(&r->after, r);
}

/* Another world's overmaps, which lie aside. */
void crash_prepare_save(crash_run *r)
{
    char out[CRASH_PATH_SIZE];
    crash_prepare_chunks(r);
    snprintf(out, sizeof out, "%s", r->out);
    snprintf(r->out, sizeof r->out, "%.300s/save", r->aside);
    export_chunks(r);
    unlink(r->world);
    crash_prepare_world(r);
    crash_open_world(r);
    crash_get_chunk_at(r, (ptl_chunk_pos){5, 5}); /* not beside those that come */
    crash_close_all(r);
    snprintf(r->out, sizeof r->out, "%s", out);
}

void crash_act_save(crash_run *r)
{
    char directory[CRASH_PATH_SIZE + 8];
    ptl_game_save_import_options o = PTL_GAME_SAVE_IMPORT_OPTIONS_INIT;
    snprintf(directory, sizeof directory, "%s/save", r->aside);
    o.directory = directory;
    o.force = true;
    crash_open_world(r);
    ptl_status status = ptl_game_save_import(NULL, r->open, &o, &r->err);
    crash_must(r, status == PTL_ERR_EXISTS ? PTL_OK : status, "importing a save");
    crash_report(r, CRASH_SAVE);
    crash_close_all(r);
}

/* ---- a game's save ---- */

#define REPLACED "portolan-replaced-1"

static void put_file(const crash_run *r, const char *name, const char *text)
{
    char path[CRASH_PATH_SIZE + 40];
    snprintf(path, sizeof path, "%s/%s", r->out, name);
    FILE *file = fopen(path, "w");
    ck_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static bool has_replaced(const crash_run *r, const char *state)
{
    char path[CRASH_PATH_SIZE + 60], text[400] = "";
    snprintf(path, sizeof path, "%s/" REPLACED "/manifest.json", r->out);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return strstr(text, state) != NULL;
}

/* Makes a database of a save of Bright Nights with two files, one of another dimension. */
static void put_database(const crash_run *r, const char *name, const char *file)
{
    char path[CRASH_PATH_SIZE + 40], sql[600];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/%s", r->out, name);
    snprintf(sql, sizeof sql,
             "CREATE TABLE files (path TEXT PRIMARY KEY NOT NULL, parent TEXT NOT NULL, "
             "compression TEXT DEFAULT NULL, data BLOB NOT NULL); INSERT INTO files VALUES "
             "('%s', '', NULL, 'theirs'), ('dimensions/d/o.0.0', 'dimensions/d', NULL, "
             "zeroblob(20000))",
             file);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Makes a world with two overmaps, and the beginning of a save for it. */
static void prepare_version(crash_run *r, const char *master)
{
    crash_prepare_world(r);
    crash_open_world(r);
    crash_make_chunks(r, 0, 2, NULL);
    crash_close_all(r);
    ck_assert_int_eq(mkdir(r->out, 0777), 0);
    put_file(r, "worldoptions.json", "[]");
    put_file(r, "mods.json", "[\"dda\"]");
    put_file(r, "C.sav", "a character");
    put_file(r, "master.gsav", master);
}

/* Two overmaps of ours are to go where two of the game's are; a file of each kind that moves.
 */
void crash_prepare_into(crash_run *r)
{
    prepare_version(r, "# version 33\n{}");
    put_file(r, "C.seen.0.0", "seen");
    put_file(r, "C.mm", "remembered");
    put_file(r, "o.0.0", "theirs");
    put_file(r, "o.7.7", "theirs, too");
    take_files(&r->before, r);
}

void crash_prepare_into_databases(crash_run *r)
{
    prepare_version(r, "# version 29\n{}");
    put_database(r, "map.sqlite3", "o.0.0");
    put_database(r, "C.sqlite3", ".seen.0.0");
    take_files(&r->before, r);
}

static void put_into(crash_run *r)
{
    const ptl_game_save_put_options o = {.size = sizeof o, .save = r->out, .force = true};
    crash_open_world(r);
    crash_must(r, ptl_game_save_put(NULL, r->open, &o, &r->err), "exporting into a save");
    crash_close_all(r);
}

void crash_act_into(crash_run *r)
{
    if (!has_replaced(r, "\"complete\""))
        put_into(r);
    crash_report(r, CRASH_EXPORT);
    if (r->after.count == 0) /* undisturbed */
        take_files(&r->after, r);
}

void crash_prepare_undo(crash_run *r)
{
    crash_prepare_into(r);
    put_into(r);
    take_files(&r->before, r);
}

void crash_prepare_undo_databases(crash_run *r)
{
    crash_prepare_into_databases(r);
    put_into(r);
    take_files(&r->before, r);
}

/* Once all is back, there is nothing to undo. */
void crash_act_undo(crash_run *r)
{
    const ptl_game_save_undo_options o = {.size = sizeof o, .save = r->out, .force = true};
    const ptl_status status = ptl_game_save_undo(NULL, &o, &r->err);
    crash_must(r, status == PTL_ERR_NOT_FOUND ? PTL_OK : status, "undoing");
    crash_report(r, CRASH_EXPORT);
    if (r->after.count == 0) /* undisturbed */
        take_files(&r->after, r);
}
