/*
 * The scenes. Commands are called as the library has them, in small parts, so that much is
 * reported; import has a page cache so small that pages go to the file in the middle of its
 * transaction.
 */
#include "support/crash/crash_scene_impl.h"

#include "core/error.h"
#include "core/hash.h"
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

void crash_must(crash_run *r, ptl_status status, const char *what)
{
    ck_assert_msg(status == PTL_OK, "%s: %s: %s", r->context, what, r->err.message);
}

void crash_report(crash_run *r, uint64_t bits)
{
    if (r->trace)
        disk_trace_mark(r->trace, bits);
}

void crash_open_file(crash_run *r, ptl_open_mode mode, ptl_journal journal)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = mode;
    options.journal = journal;
    crash_must(r, ptl_store_open(&r->store, r->world, &options, &r->err), "opening");
}

void crash_open_world(crash_run *r)
{
    crash_open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    crash_must(r, ptl_world_open(&r->open, r->store, "w", NULL, &r->err), "opening the world");
}

void crash_close_all(crash_run *r)
{
    ptl_world_close(r->open);
    ptl_store_close(r->store);
    r->open = NULL;
    r->store = NULL;
}

static bool any(crash_run *r, const char *sql)
{
    int64_t count = 0;
    crash_must(r, sqlite_pragma_int(r->store, sql, &count, &r->err), sql);
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
    crash_must(r, ptl_import(NULL, r->store, &o, &r->err), "importing");
}

static bool has_chunk(crash_run *r, int chunk, size_t steps)
{
    bool has = false;
    crash_must(r, world_has_chunk(r->open, crash_position(chunk), steps, &has, &r->err),
               "looking");
    return has;
}

/* Chunks from..to, the last one included, in one call. */
void crash_make_chunks(crash_run *r, int from, int to, const char *last_step)
{
    ptl_chunk_pos list[CRASH_CHUNKS];
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    for (int i = from; i <= to; i++)
        list[i - from] = crash_position(i);
    o.positions = list;
    o.position_count = (size_t)(to - from + 1);
    o.stop_after = last_step;
    crash_must(r, ptl_generate(NULL, r->open, &o, &r->err), "generating");
    for (int i = from; i <= to; i++)
        crash_report(r, (last_step ? CRASH_SHORT : CRASH_WHOLE | CRASH_SHORT) << i);
}

void crash_get_chunk_at(crash_run *r, ptl_chunk_pos pos)
{
    ptl_chunk *made = NULL;
    crash_must(r, ptl_chunk_get(&made, r->open, pos, &r->err), "getting a chunk");
    ptl_chunk_free(made);
}

void crash_get_chunk(crash_run *r, int chunk)
{
    crash_get_chunk_at(r, crash_position(chunk));
    crash_report(r, (CRASH_WHOLE | CRASH_SHORT) << chunk);
}

/* ---- setting up ---- */

static void act_set_up(crash_run *r)
{
    crash_open_file(r, PTL_OPEN_CREATE, r->journal);
    crash_report(r, CRASH_SET_UP);
    crash_must(r, sqlite_exec(r->store, SMALL_CACHE, &r->err), "the cache");
    if (!any(r, "SELECT count(*) FROM content")) {
        import_content(r, false);
        crash_report(r, CRASH_CONTENT);
    }
    crash_close_all(r);
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
    crash_open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    ptl_status status = ptl_world_create(r->store, "w", &options, &r->err);
    crash_must(r, status == PTL_ERR_EXISTS ? PTL_OK : status, "creating the world");
    crash_report(r, CRASH_WORLD);
    crash_close_all(r);
}

void crash_prepare_world(crash_run *r)
{
    act_set_up(r);
    act_new(r);
}

void crash_prepare_chunks(crash_run *r)
{
    crash_prepare_world(r);
    crash_open_world(r);
    crash_make_chunks(r, 0, 5, NULL);
    crash_close_all(r);
}

static void act_import(crash_run *r)
{
    crash_open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    crash_must(r, sqlite_exec(r->store, SMALL_CACHE, &r->err), "the cache");
    import_content(r, true);
    crash_report(r, CRASH_OTHER_CONTENT);
    crash_close_all(r);
}

/* ---- chunks ---- */

/* Some at once, some one by one, some first with a part of the steps. */
static void act_generate(crash_run *r)
{
    crash_open_world(r);
    if (!has_chunk(r, 0, 2))
        crash_make_chunks(r, 0, 2, ptl_step_name(1));
    crash_make_chunks(r, 0, 2, NULL);
    for (int i = 3; i < 6 && !r->stop_early; i++)
        crash_get_chunk(r, i);
    for (int i = 6; i < CRASH_CHUNKS && !r->stop_early; i++)
        crash_make_chunks(r, i, i, NULL);
    crash_close_all(r);
}

static void prepare_stale(crash_run *r)
{
    crash_prepare_chunks(r);
    act_import(r);
}

static void act_regenerate(crash_run *r)
{
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    crash_open_world(r);
    for (int i = 0; i < 6; i += 2) {
        const ptl_chunk_pos list[2] = {crash_position(i), crash_position(i + 1)};
        o.positions = list;
        o.position_count = 2;
        crash_must(r, ptl_regenerate(NULL, r->open, &o, &r->err), "regenerating");
        crash_report(r, CRASH_ANEW << i | CRASH_ANEW << (i + 1));
        if (r->stop_early)
            break;
    }
    o.positions = NULL;
    o.position_count = 0;
    if (!r->stop_early) {
        crash_must(r, ptl_regenerate(NULL, r->open, &o, &r->err), "regenerating");
        crash_report(r, CRASH_MOVED);
    }
    crash_close_all(r);
}

static void prepare_damage(crash_run *r)
{
    crash_prepare_chunks(r);
    crash_open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    crash_must(r, sqlite_exec(r->store, DAMAGE, &r->err), "damaging");
    crash_close_all(r);
}

static void act_repair(crash_run *r)
{
    ptl_repair_report done = PTL_REPAIR_REPORT_INIT;
    crash_open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    crash_must(r, ptl_repair(&done, r->store, NULL, &r->err), "repairing");
    ck_assert_msg(done.set_aside == 0 && done.unrepaired == 0,
                  "%s: %d set aside, %d not repaired", r->context, (int)done.set_aside,
                  (int)done.unrepaired);
    crash_report(r, CRASH_REPAIRED);
    crash_close_all(r);
}

/* ---- what is made of chunks, and of seeds ---- */

static void act_index(crash_run *r)
{
    const ptl_index_options options = {.size = sizeof options, .parts = PTL_INDEX_ALL};
    crash_open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    crash_must(r, ptl_index_update(NULL, r->store, &options, &r->err), "the index");
    crash_report(r, CRASH_INDEX);
    crash_close_all(r);
}

static void act_sweep(crash_run *r)
{
    ptl_chunk_pos places[2];
    const ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_sweep_spiral(places, 2);
    crash_open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    for (int seed = 0; seed < CRASH_SEEDS; seed++) {
        const ptl_sweep_options o = {.size = sizeof o,
                                     .settings = &settings,
                                     .seed_first = 1,
                                     .seed_last = (uint64_t)seed + 1,
                                     .positions = places,
                                     .position_count = 2,
                                     .jobs = 1,
                                     .keep_worlds = seed > 0};
        crash_must(r, ptl_sweep_run(NULL, r->store, "s", &o, &r->err), "sweeping");
        crash_report(r, CRASH_SEED << seed);
        if (r->stop_early)
            break;
    }
    crash_close_all(r);
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
    crash_open_file(r, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    crash_must(r, ptl_world_open(&r->open, r->store, "w", NULL, &r->err), "opening the world");
    for (int i = 0; i < CRASH_MAPS; i++) {
        crash_must(r, ptl_local_get(&maps[i], r->open, crash_map_place(i), NULL, &r->err),
                   "getting a local map");
        crash_report(r, CRASH_MAP << i);
        crash_must(r, ptl_local_furniture_set(maps[i], i, i, "f_mine"), "changing it");
    }
    if (!r->stop_early && !ptl_local_is_edited(maps[0]))
        crash_must(r, ptl_local_put(r->open, maps, CRASH_MAPS, &r->err), "putting them");
    if (ptl_local_is_edited(maps[0]))
        crash_report(r, CRASH_EDITED);
    for (int i = 0; i < CRASH_MAPS; i++)
        ptl_local_free(maps[i]);
    crash_close_all(r);
}

/* Places a cabin at the nearest origin that is left. */
static void place_cabin(crash_run *r, ptl_save *save, ptl_omt near)
{
    const char *cabin = r->content == CRASH_OWN ? "woodland_cabin" : "Cabin";
    ptl_why_place why = PTL_WHY_PLACE_INIT;
    near.z = 0;
    if (ptl_save_special_add(&why, save, cabin, near, 0, &r->err) == PTL_OK)
        return;
    crash_must(r, why.has_nearest ? PTL_OK : PTL_ERR_EXISTS, "finding a place for a cabin");
    near = (ptl_omt){why.nearest_x, why.nearest_y, 0};
    crash_must(r, ptl_save_special_add(NULL, save, cabin, near, 0, &r->err), "a special");
}

/* Changes the local map below an OMT in a save. */
static void dig_cellar(crash_run *r, ptl_save *save, ptl_omt at)
{
    ptl_local_map *map = NULL;
    at.z = CRASH_CELLAR;
    crash_must(r, ptl_local_get(&map, r->open, at, NULL, &r->err), "getting a local map");
    crash_must(r, ptl_local_furniture_set(map, 1, 1, "f_mine"), "changing it");
    crash_must(r, ptl_save_local_set(save, map, &r->err), "a local map");
    ptl_local_free(map);
}

/* Saves of a game, each with an edit, a special, a local map, a note, marks and a fact that
 * takes many pages. */
static void act_game(crash_run *r)
{
    static uint8_t state[60000], bits[PTL_MARKS_BYTES];
    crash_open_world(r);
    for (int n = 0; n < CRASH_GAMES; n++) {
        const ptl_omt at = {crash_map_place(n).x, crash_map_place(n).y, 9};
        const ptl_save_cell cell = {at, "field"};
        const ptl_note note = {.size = sizeof note, .viewer = "ann", .at = at, .text = "here"};
        const ptl_marks_key seen = {"ann", n, {n, 0}, 0};
        const ptl_fact_key key = {
            .space = "game", .name = "state", .omt = at, .scope = PTL_FACT_OMT};
        rng noise = rng_from_key((uint64_t)n);
        ptl_save *save = NULL;
        char sql[100];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM fact WHERE x = %d", (int)at.x);
        if (any(r, sql))
            continue;
        for (size_t i = 0; i < sizeof state; i++)
            state[i] = (uint8_t)rng_next(&noise);
        memcpy(bits, state, sizeof bits);
        crash_must(r, ptl_save_begin(&save, r->open, NULL, &r->err), "beginning a save");
        crash_must(r, ptl_save_cells_set(save, &cell, 1, &r->err), "an edit");
        place_cabin(r, save, at);
        dig_cellar(r, save, at);
        crash_must(r, ptl_save_note_set(save, &note, &r->err), "a note");
        crash_must(r, ptl_save_marks_set(save, &seen, bits, PTL_MARKS_ADD, &r->err), "marks");
        crash_must(r, ptl_save_fact_set(save, &key, state, sizeof state, &r->err), "a fact");
        crash_must(r, ptl_save_commit(NULL, save, &r->err), "committing");
        crash_report(r, CRASH_KEPT << n);
        if (r->stop_early)
            break;
    }
    crash_close_all(r);
}

/* Where OMT n of 2 lies that is reset: each has an edit and an edited local map. */
static ptl_omt reset_place(int n)
{
    const ptl_omt beside = crash_map_place(0);
    return (ptl_omt){beside.x + 20 + n, beside.y, 0};
}

static void prepare_reset(crash_run *r)
{
    ptl_local_map *maps[2] = {NULL, NULL};
    const ptl_save_options o = {.size = sizeof o, .author = "ann"};
    ptl_save *save = NULL;
    crash_prepare_chunks(r);
    crash_open_world(r);
    crash_must(r, ptl_save_begin(&save, r->open, &o, &r->err), "beginning a save");
    for (int n = 0; n < 2; n++) {
        const ptl_omt at = reset_place(n);
        const ptl_save_cell cell = {{at.x, at.y, 9}, "field"};
        crash_must(r, ptl_save_cells_set(save, &cell, 1, &r->err), "an edit");
        crash_must(r, ptl_local_get(&maps[n], r->open, at, NULL, &r->err), "a local map");
        crash_must(r, ptl_local_furniture_set(maps[n], n, n, "f_mine"), "changing it");
    }
    /* Maps that a game has changed stay when edits are stored. */
    crash_must(r, ptl_local_put(r->open, maps, 2, &r->err), "putting the maps");
    crash_must(r, ptl_save_commit(NULL, save, &r->err), "committing");
    for (int n = 0; n < 2; n++)
        ptl_local_free(maps[n]);
    crash_close_all(r);
}

/* The edits and the local maps go together. */
static void act_reset(crash_run *r)
{
    const ptl_omt a = reset_place(0), b = reset_place(1);
    const ptl_edit_reset_options o = {
        .size = sizeof o, .rect = {a.x, a.y, b.x, b.y}, .author = "reset"};
    crash_open_world(r);
    crash_must(r, ptl_edit_reset(NULL, r->open, &o, &r->err), "resetting");
    crash_report(r, CRASH_RESET);
    crash_close_all(r);
}

/* Between the modes and back again, a chunk in each. */
static void act_journal(crash_run *r)
{
    static const ptl_journal modes[] = {PTL_JOURNAL_WAL, PTL_JOURNAL_TRUNCATE, PTL_JOURNAL_WAL};
    for (int i = 0; i < 3; i++) {
        crash_open_file(r, PTL_OPEN_WRITE, modes[i]);
        crash_must(r, ptl_world_open(&r->open, r->store, "w", NULL, &r->err),
                   "opening the world");
        crash_get_chunk(r, 6 + i);
        crash_close_all(r);
        if (r->stop_early)
            return;
    }
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
     .prepare = crash_prepare_chunks,
     .act = act_import,
     .weight = 4,
     .keeps_mode = true},
    {.name = "generate",
     .prepare = crash_prepare_world,
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
     .prepare = crash_prepare_chunks,
     .act = act_index,
     .weight = 3,
     .keeps_mode = true},
    {.name = "sweep",
     .prepare = crash_prepare_world,
     .act = act_sweep,
     .weight = 4,
     .keeps_mode = true},
    {.name = "local maps",
     .prepare = crash_prepare_chunks,
     .act = act_local,
     .weight = 3,
     .keeps_mode = true},
    {.name = "a game's saves",
     .prepare = crash_prepare_chunks,
     .act = act_game,
     .weight = 3,
     .keeps_mode = true},
    {.name = "reset",
     .prepare = prepare_reset,
     .act = act_reset,
     .weight = 2,
     .keeps_mode = true},
    {.name = "journal",
     .prepare = crash_prepare_chunks,
     .act = act_journal,
     .files = true,
     .weight = 5},
    {.name = "backup",
     .prepare = crash_prepare_backup,
     .act = crash_act_backup,
     .files = true,
     .weight = 6,
     .keeps_mode = true},
    {.name = "export",
     .prepare = crash_prepare_export,
     .act = crash_act_export,
     .files = true,
     .weight = 4,
     .keeps_mode = true},
    {.name = "into",
     .prepare = crash_prepare_into,
     .act = crash_act_into,
     .weight = 4,
     OF_SAVE},
    {.name = "undo",
     .prepare = crash_prepare_undo,
     .act = crash_act_undo,
     .weight = 4,
     OF_SAVE},
    {.name = "into databases",
     .prepare = crash_prepare_into_databases,
     .act = crash_act_into,
     .weight = 2,
     OF_SAVE},
    {.name = "undo of databases",
     .prepare = crash_prepare_undo_databases,
     .act = crash_act_undo,
     .weight = 2,
     OF_SAVE},
    {.name = "import-save",
     .prepare = crash_prepare_save,
     .act = crash_act_save,
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
