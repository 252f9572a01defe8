/*
 * The scenes. Commands are called as the library has them, in small parts, so that much is
 * reported; import has a page cache so small that pages go to the file in the middle of its
 * transaction.
 */
#include "support/crash/crash_scene.h"

#include "core/error.h"
#include "portolan/index.h"
#include "portolan/sweep.h"
#include "store/sqlite/connection/store_impl.h"
#include "support/content_catalogue.h"
#include "support/test_folder.h"
#include "support/world_file.h"
#include "world/world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SMALL_CACHE[] = "PRAGMA cache_size = 40";

/* Makes specials and lakes otherwise. */
static const char OTHER_PACK[] =
    "[{\"type\":\"overmap_terrain\",\"id\":\"test_hut\",\"name\":\"hut\",\"sym\":\"h\","
    "\"color\":\"red\"},"
    "{\"type\":\"overmap_special\",\"id\":\"test_huts\",\"locations\":[\"land\"],"
    "\"overmaps\":[{\"point\":[0,0,0],\"overmap\":\"test_hut_north\"}],\"occurrences\":[5,9]}]"
    "\n";

/* Damage that repair can undo: a bit of a number, a blob overwritten, rows gone. */
static const char DAMAGE[] =
    "UPDATE chunk SET level_mask = (level_mask | 4) - (level_mask & 4) WHERE id = (SELECT "
    "min(id) FROM chunk);"
    "UPDATE level SET omts = zeroblob(length(omts)) WHERE id = (SELECT min(id) FROM level);"
    "DELETE FROM level WHERE id = (SELECT max(id) FROM level);"
    "UPDATE pack SET data = zeroblob(length(data)) WHERE rowid % 7 = 3;"
    "DELETE FROM special_placement WHERE rowid % 50 = 7;"
    "UPDATE edge SET y = y + 2 WHERE id = 3;";

ptl_chunk_pos crash_position(int index)
{
    return (ptl_chunk_pos){index % 3 - 1, index / 3 - 1};
}

/* ---- parts of commands ---- */

static void must(crash_run *r, ptl_status status, const char *what)
{
    ck_assert_msg(status == PTL_OK, "%s: %s: %s", r->context, what, r->err.message);
}

static void report(crash_run *r, uint64_t bits)
{
    if (r->trace)
        disk_trace_mark(r->trace, bits);
}

static void open_file(crash_run *r, ptl_open_mode mode, ptl_journal journal)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = mode;
    options.journal = journal;
    must(r, ptl_store_open(&r->store, r->world, &options, &r->err), "opening");
}

static void open_world(crash_run *r)
{
    open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    must(r, ptl_world_open(&r->open, r->store, "w", NULL, &r->err), "opening the world");
}

static void close_all(crash_run *r)
{
    ptl_world_close(r->open);
    ptl_store_close(r->store);
    r->open = NULL;
    r->store = NULL;
}

static bool any(crash_run *r, const char *sql)
{
    int64_t count = 0;
    must(r, sqlite_pragma_int(r->store, sql, &count, &r->err), sql);
    return count > 0;
}

static void import_content(crash_run *r, bool other)
{
    const char *paths[2];
    char pack[CRASH_PATH_SIZE + 16];
    ptl_import_options o = {
        .size = sizeof o, .directories = paths, .builtin = r->content == CRASH_OWN};
    if (r->content == CRASH_GAME)
        paths[o.directory_count++] = CONTENT_GAME;
    snprintf(pack, sizeof pack, "%s/other.json", r->aside);
    if (other)
        paths[o.directory_count++] = pack;
    must(r, ptl_import(NULL, r->store, &o, &r->err), "importing");
}

static bool has_chunk(crash_run *r, int chunk, size_t steps)
{
    bool has = false;
    must(r, world_has_chunk(r->open, crash_position(chunk), steps, &has, &r->err), "looking");
    return has;
}

/* Chunks from..to, the last one included, in one call. */
static void make_chunks(crash_run *r, int from, int to, const char *last_step)
{
    ptl_chunk_pos list[CRASH_CHUNKS];
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    for (int i = from; i <= to; i++)
        list[i - from] = crash_position(i);
    o.positions = list;
    o.position_count = (size_t)(to - from + 1);
    o.stop_after = last_step;
    must(r, ptl_generate(NULL, r->open, &o, &r->err), "generating");
    for (int i = from; i <= to; i++)
        report(r, (last_step ? CRASH_SHORT : CRASH_WHOLE | CRASH_SHORT) << i);
}

static void get_chunk_at(crash_run *r, ptl_chunk_pos pos)
{
    ptl_chunk *made = NULL;
    must(r, ptl_chunk_get(&made, r->open, pos, &r->err), "getting a chunk");
    ptl_chunk_free(made);
}

static void get_chunk(crash_run *r, int chunk)
{
    get_chunk_at(r, crash_position(chunk));
    report(r, (CRASH_WHOLE | CRASH_SHORT) << chunk);
}

/* ---- setting up ---- */

static void act_set_up(crash_run *r)
{
    open_file(r, PTL_OPEN_CREATE, r->journal);
    report(r, CRASH_SET_UP);
    must(r, sqlite_exec(r->store, SMALL_CACHE, &r->err), "the cache");
    if (!any(r, "SELECT count(*) FROM content")) {
        import_content(r, false);
        report(r, CRASH_CONTENT);
    }
    close_all(r);
}

static void prepare_nothing(crash_run *r)
{
    (void)r;
}

static void act_new(crash_run *r)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = 11;
    options.railroads = true;
    open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    ptl_status status = ptl_world_create(r->store, "w", &options, &r->err);
    must(r, status == PTL_ERR_EXISTS ? PTL_OK : status, "creating the world");
    report(r, CRASH_WORLD);
    close_all(r);
}

static void prepare_world(crash_run *r)
{
    act_set_up(r);
    act_new(r);
}

static void prepare_chunks(crash_run *r)
{
    prepare_world(r);
    open_world(r);
    make_chunks(r, 0, 5, NULL);
    close_all(r);
}

static void act_import(crash_run *r)
{
    open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    must(r, sqlite_exec(r->store, SMALL_CACHE, &r->err), "the cache");
    import_content(r, true);
    report(r, CRASH_OTHER_CONTENT);
    close_all(r);
}

/* ---- chunks ---- */

/* Some at once, some one by one, some first with a part of the steps. */
static void act_generate(crash_run *r)
{
    open_world(r);
    if (!has_chunk(r, 0, 2))
        make_chunks(r, 0, 2, ptl_step_name(1));
    make_chunks(r, 0, 2, NULL);
    for (int i = 3; i < 6 && !r->stop_early; i++)
        get_chunk(r, i);
    for (int i = 6; i < CRASH_CHUNKS && !r->stop_early; i++)
        make_chunks(r, i, i, NULL);
    close_all(r);
}

static void prepare_stale(crash_run *r)
{
    prepare_chunks(r);
    act_import(r);
}

static void act_regenerate(crash_run *r)
{
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    open_world(r);
    for (int i = 0; i < 6; i += 2) {
        const ptl_chunk_pos list[2] = {crash_position(i), crash_position(i + 1)};
        o.positions = list;
        o.position_count = 2;
        must(r, ptl_regenerate(NULL, r->open, &o, &r->err), "regenerating");
        report(r, CRASH_ANEW << i | CRASH_ANEW << (i + 1));
        if (r->stop_early)
            break;
    }
    o.positions = NULL;
    o.position_count = 0;
    if (!r->stop_early) {
        must(r, ptl_regenerate(NULL, r->open, &o, &r->err), "regenerating");
        report(r, CRASH_MOVED);
    }
    close_all(r);
}

static void prepare_damage(crash_run *r)
{
    prepare_chunks(r);
    open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    must(r, sqlite_exec(r->store, DAMAGE, &r->err), "damaging");
    close_all(r);
}

static void act_repair(crash_run *r)
{
    ptl_repair_report done = PTL_REPAIR_REPORT_INIT;
    open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    must(r, ptl_repair(&done, r->store, NULL, &r->err), "repairing");
    ck_assert_msg(done.set_aside == 0 && done.unrepaired == 0,
                  "%s: %d set aside, %d not repaired", r->context, (int)done.set_aside,
                  (int)done.unrepaired);
    report(r, CRASH_REPAIRED);
    close_all(r);
}

/* ---- what is made of chunks, and of seeds ---- */

static void act_index(crash_run *r)
{
    const ptl_index_options options = {.size = sizeof options, .parts = PTL_INDEX_ALL};
    open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    must(r, ptl_index_update(NULL, r->store, &options, &r->err), "the index");
    report(r, CRASH_INDEX);
    close_all(r);
}

static void act_sweep(crash_run *r)
{
    ptl_chunk_pos places[2];
    const ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_sweep_spiral(places, 2);
    open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    for (int seed = 0; seed < CRASH_SEEDS; seed++) {
        const ptl_sweep_options o = {.size = sizeof o,
                                     .settings = &settings,
                                     .seed_first = 1,
                                     .seed_last = (uint64_t)seed + 1,
                                     .positions = places,
                                     .position_count = 2,
                                     .jobs = 1,
                                     .keep_worlds = seed > 0};
        must(r, ptl_sweep_run(NULL, r->store, "s", &o, &r->err), "sweeping");
        report(r, CRASH_SEED << seed);
        if (r->stop_early)
            break;
    }
    close_all(r);
}

ptl_omt crash_map_place(int index)
{
    const ptl_chunk_pos pos = crash_position(0);
    return (ptl_omt){(int64_t)pos.x * PTL_CHUNK_SIZE + 90 + index,
                     (int64_t)pos.y * PTL_CHUNK_SIZE + 90, 0};
}

/* Some maps are made, one by one, then changed and put together. */
static void act_local(crash_run *r)
{
    ptl_local_map *maps[CRASH_MAPS] = {NULL};
    open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    must(r, ptl_world_open(&r->open, r->store, "w", NULL, &r->err), "opening the world");
    for (int i = 0; i < CRASH_MAPS; i++) {
        must(r, ptl_local_get(&maps[i], r->open, crash_map_place(i), NULL, &r->err),
             "getting a local map");
        report(r, CRASH_MAP << i);
        must(r, ptl_local_furniture_set(maps[i], i, i, "f_mine"), "changing it");
    }
    if (!r->stop_early && !ptl_local_is_edited(maps[0]))
        must(r, ptl_local_put(r->open, maps, CRASH_MAPS, &r->err), "putting them");
    if (ptl_local_is_edited(maps[0]))
        report(r, CRASH_EDITED);
    for (int i = 0; i < CRASH_MAPS; i++)
        ptl_local_free(maps[i]);
    close_all(r);
}

/* Between the modes and back again, a chunk in each. */
static void act_journal(crash_run *r)
{
    static const ptl_journal modes[] = {PTL_JOURNAL_WAL, PTL_JOURNAL_TRUNCATE, PTL_JOURNAL_WAL};
    for (int i = 0; i < 3; i++) {
        open_file(r, PTL_OPEN_WRITE, modes[i]);
        must(r, ptl_world_open(&r->open, r->store, "w", NULL, &r->err), "opening the world");
        get_chunk(r, 6 + i);
        close_all(r);
        if (r->stop_early)
            return;
    }
}

/* ---- files beside the world ---- */

static void digest_of(crash_run *r, const char *path, char hex[65])
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = PTL_OPEN_READ;
    ptl_store *store = NULL;
    must(r, ptl_store_open(&store, path, &options, &r->err), path);
    ptl_world *world = world_file_world(store, "w");
    world_file_digest(world, hex);
    ptl_world_close(world);
    ptl_store_close(store);
}

static void prepare_backup(crash_run *r)
{
    prepare_chunks(r);
    digest_of(r, r->world, r->digests[0]);
}

static void back_up(crash_run *r, bool replace, uint64_t bit)
{
    ptl_backup_options o = PTL_BACKUP_OPTIONS_INIT;
    o.replace = replace;
    open_file(r, PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    must(r, ptl_backup(NULL, r->store, r->copy, &o, &r->err), "the backup");
    report(r, bit);
    close_all(r);
}

/* A copy under a new name; then the world goes on, and a newer copy takes its place. */
static void act_backup(crash_run *r)
{
    char hex[65];
    if (access(r->copy, F_OK) != 0)
        back_up(r, false, CRASH_COPY);
    if (r->stop_early)
        return;
    open_world(r);
    get_chunk(r, 6);
    close_all(r);
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
    open_world(r);
    must(r, ptl_game_save_write(NULL, r->open, &o, &r->err), "exporting");
    report(r, CRASH_EXPORT);
    close_all(r);
}

static void take_files(disk_image *out, const crash_run *r)
{
    disk_image_dispose(out);
    disk_image_take(out, r->out);
}

/* Older files lie there: of chunks that had not all steps then, and of one fewer. */
static void prepare_export(crash_run *r)
{
    prepare_world(r);
    open_world(r);
    make_chunks(r, 0, 1, ptl_step_name(1));
    close_all(r);
    export_chunks(r);
    take_files(&r->before, r);
    open_world(r);
    make_chunks(r, 0, 2, NULL);
    close_all(r);
}

static void act_export(crash_run *r)
{
    export_chunks(r);
    if (r->after.count == 0) /* undisturbed */
        take_files(&r->after, r);
}

/* Another world's overmaps, which lie aside. */
static void prepare_save(crash_run *r)
{
    char out[CRASH_PATH_SIZE];
    prepare_chunks(r);
    snprintf(out, sizeof out, "%s", r->out);
    snprintf(r->out, sizeof r->out, "%.300s/save", r->aside);
    export_chunks(r);
    unlink(r->world);
    prepare_world(r);
    open_world(r);
    get_chunk_at(r, (ptl_chunk_pos){5, 5}); /* not beside those that come */
    close_all(r);
    snprintf(r->out, sizeof r->out, "%s", out);
}

static void act_save(crash_run *r)
{
    char directory[CRASH_PATH_SIZE + 8];
    ptl_game_save_import_options o = PTL_GAME_SAVE_IMPORT_OPTIONS_INIT;
    snprintf(directory, sizeof directory, "%s/save", r->aside);
    o.directory = directory;
    o.force = true;
    open_world(r);
    ptl_status status = ptl_game_save_import(NULL, r->open, &o, &r->err);
    must(r, status == PTL_ERR_EXISTS ? PTL_OK : status, "importing a save");
    report(r, CRASH_SAVE);
    close_all(r);
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
    prepare_world(r);
    open_world(r);
    make_chunks(r, 0, 2, NULL);
    close_all(r);
    ck_assert_int_eq(mkdir(r->out, 0777), 0);
    put_file(r, "worldoptions.json", "[]");
    put_file(r, "mods.json", "[\"dda\"]");
    put_file(r, "C.sav", "a character");
    put_file(r, "master.gsav", master);
}

/* Two overmaps of ours are to go where two of the game's are; a file of each kind that moves.
 */
static void prepare_into(crash_run *r)
{
    prepare_version(r, "# version 33\n{}");
    put_file(r, "C.seen.0.0", "seen");
    put_file(r, "C.mm", "remembered");
    put_file(r, "o.0.0", "theirs");
    put_file(r, "o.7.7", "theirs, too");
    take_files(&r->before, r);
}

static void prepare_into_databases(crash_run *r)
{
    prepare_version(r, "# version 29\n{}");
    put_database(r, "map.sqlite3", "o.0.0");
    put_database(r, "C.sqlite3", ".seen.0.0");
    take_files(&r->before, r);
}

static void put_into(crash_run *r)
{
    const ptl_game_save_put_options o = {.size = sizeof o, .save = r->out, .force = true};
    open_world(r);
    must(r, ptl_game_save_put(NULL, r->open, &o, &r->err), "exporting into a save");
    close_all(r);
}

static void act_into(crash_run *r)
{
    if (!has_replaced(r, "\"complete\""))
        put_into(r);
    report(r, CRASH_EXPORT);
    if (r->after.count == 0) /* undisturbed */
        take_files(&r->after, r);
}

static void prepare_undo(crash_run *r)
{
    prepare_into(r);
    put_into(r);
    take_files(&r->before, r);
}

static void prepare_undo_databases(crash_run *r)
{
    prepare_into_databases(r);
    put_into(r);
    take_files(&r->before, r);
}

/* Once all is back, there is nothing to undo. */
static void act_undo(crash_run *r)
{
    const ptl_game_save_undo_options o = {.size = sizeof o, .save = r->out, .force = true};
    const ptl_status status = ptl_game_save_undo(NULL, &o, &r->err);
    must(r, status == PTL_ERR_NOT_FOUND ? PTL_OK : status, "undoing");
    report(r, CRASH_EXPORT);
    if (r->after.count == 0) /* undisturbed */
        take_files(&r->after, r);
}

/* ---- the table ---- */

/* What the scenes of a game's save have in common. */
#define OF_SAVE .files = true, .keeps_mode = true, .moves = true

const crash_scene crash_scenes[] = {
    {.name = "set up and import",
     .prepare = prepare_nothing,
     .act = act_set_up,
     .weight = 4,
     .creates = true,
     .keeps_mode = true},
    {.name = "new", .prepare = act_set_up, .act = act_new, .weight = 2, .keeps_mode = true},
    {.name = "import over a world",
     .prepare = prepare_chunks,
     .act = act_import,
     .weight = 4,
     .keeps_mode = true},
    {.name = "generate",
     .prepare = prepare_world,
     .act = act_generate,
     .weight = 8,
     .keeps_mode = true},
    {.name = "regenerate",
     .prepare = prepare_stale,
     .act = act_regenerate,
     .weight = 4,
     .keeps_mode = true},
    {.name = "repair",
     .prepare = prepare_damage,
     .act = act_repair,
     .weight = 4,
     .damaged = true,
     .keeps_mode = true},
    {.name = "index",
     .prepare = prepare_chunks,
     .act = act_index,
     .weight = 3,
     .keeps_mode = true},
    {.name = "sweep",
     .prepare = prepare_world,
     .act = act_sweep,
     .weight = 4,
     .keeps_mode = true},
    {.name = "local maps",
     .prepare = prepare_chunks,
     .act = act_local,
     .weight = 3,
     .keeps_mode = true},
    {.name = "journal",
     .prepare = prepare_chunks,
     .act = act_journal,
     .files = true,
     .weight = 5},
    {.name = "backup",
     .prepare = prepare_backup,
     .act = act_backup,
     .files = true,
     .weight = 6,
     .keeps_mode = true},
    {.name = "export",
     .prepare = prepare_export,
     .act = act_export,
     .files = true,
     .weight = 4,
     .keeps_mode = true},
    {.name = "into", .prepare = prepare_into, .act = act_into, .weight = 4, OF_SAVE},
    {.name = "undo", .prepare = prepare_undo, .act = act_undo, .weight = 4, OF_SAVE},
    {.name = "into databases",
     .prepare = prepare_into_databases,
     .act = act_into,
     .weight = 2,
     OF_SAVE},
    {.name = "undo of databases",
     .prepare = prepare_undo_databases,
     .act = act_undo,
     .weight = 2,
     OF_SAVE},
    {.name = "import-save",
     .prepare = prepare_save,
     .act = act_save,
     .files = true,
     .weight = 2,
     .keeps_mode = true},
};

size_t crash_scene_count(void)
{
    return sizeof crash_scenes / sizeof crash_scenes[0];
}

/* ---- a run ---- */

void crash_run_begin(crash_run *r, const crash_scene *scene, crash_content content,
                     ptl_journal journal)
{
    char name[CRASH_PATH_SIZE + 16];
    *r = (crash_run){
        .scene = scene, .content = content, .journal = journal, .context = "undisturbed"};
    test_folder(r->aside, sizeof r->aside - 40);
    snprintf(r->root, sizeof r->root, "%.250s/watched", r->aside);
    snprintf(r->world, sizeof r->world, "%.280s/w.db", r->root);
    snprintf(r->copy, sizeof r->copy, "%.280s/copy.db", r->root);
    snprintf(r->out, sizeof r->out, "%.280s/out", r->root);
    ck_assert_int_eq(mkdir(r->root, 0777), 0);
    snprintf(name, sizeof name, "%s/other.json", r->aside);
    FILE *pack = fopen(name, "w");
    ck_assert(pack && fputs(OTHER_PACK, pack) >= 0 && fclose(pack) == 0);
    scene->prepare(r);
    if (!scene->creates)
        ck_assert(crash_state_saved(&r->baseline, r, name));
}

void crash_run_end(crash_run *r)
{
    const disk_image nothing = {0};
    disk_image_put(&nothing, r->aside);
    rmdir(r->aside);
    disk_image_dispose(&r->before);
    disk_image_dispose(&r->after);
}

void crash_run_act(crash_run *r, disk_trace *trace, bool stop_early, const char *context)
{
    r->trace = trace;
    r->stop_early = stop_early;
    r->context = context;
    error_clear(&r->err);
    r->scene->act(r);
    r->trace = NULL;
    r->stop_early = false;
}
