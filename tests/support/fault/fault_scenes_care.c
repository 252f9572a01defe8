/*
 * More scenes, as fault_scenes.c has them: journals, copies, migration, repair, making anew,
 * the index, games' saves, connections of others.
 */
#include "core/error.h"
#include "support/fault/fault_loop.h"
#include "support/fault/fault_stop.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const ptl_chunk_pos HERE = {0, 0}, NEW = {0, 1};

/* Into WAL mode, a chunk, and back. */
static ptl_status wal(fault_place *p, ptl_error *err)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    ptl_store *store;
    ptl_world *world = NULL;
    ptl_chunk *chunk = NULL;
    options.journal = PTL_JOURNAL_WAL;
    options.busy_timeout_ms = 1;
    options.should_stop = fault_stop_asked;
    ptl_status status = ptl_store_open(&store, p->path, &options, err);
    if (status == PTL_OK)
        status = ptl_world_open(&world, store, "w", NULL, err);
    if (status == PTL_OK)
        status = ptl_chunk_get(&chunk, world, NEW, err);
    ptl_chunk_free(chunk);
    ptl_world_close(world);
    ptl_store_close(store);
    options.journal = PTL_JOURNAL_TRUNCATE;
    if (status != PTL_OK)
        return status;
    status = ptl_store_open(&store, p->path, &options, err);
    ptl_store_close(store);
    return status;
}

static ptl_status journal(fault_place *p, ptl_error *err)
{
    ptl_journal_info info = PTL_JOURNAL_INFO_INIT;
    ptl_status status = ptl_journal_info_load(&info, p->store, err);
    if (status == PTL_OK)
        fault_mix_number(p, info.mode);
    return status;
}

static ptl_status backup(fault_place *p, ptl_error *err)
{
    ptl_backup_options options = PTL_BACKUP_OPTIONS_INIT;
    options.replace = true;
    options.verify = true;
    return ptl_backup(NULL, p->store, p->export, &options, err);
}

static void look_at_backup(fault_place *p)
{
    fault_mix_number(p, access(p->export, R_OK));
}

static ptl_status migrate(fault_place *p, ptl_error *err)
{
    const ptl_open_options open = {
        .size = sizeof open, .busy_timeout_ms = 1, .should_stop = fault_stop_asked};
    ptl_migrate_options options = PTL_MIGRATE_OPTIONS_INIT;
    ptl_migrate_report report = PTL_MIGRATE_REPORT_INIT;
    options.open = &open;
    ptl_status status = ptl_migrate(&report, p->path, &options, err);
    if (status == PTL_OK)
        fault_mix_number(p, report.now);
    return status;
}

static ptl_status migrate_with_copy(fault_place *p, ptl_error *err)
{
    const ptl_open_options open = {
        .size = sizeof open, .busy_timeout_ms = 1, .should_stop = fault_stop_asked};
    ptl_migrate_options options = PTL_MIGRATE_OPTIONS_INIT;
    options.open = &open;
    options.backup = p->export;
    (void)unlink(p->export); /* left by a call that failed later on */
    return ptl_migrate(NULL, p->path, &options, err);
}

static ptl_status repair(fault_place *p, ptl_error *err)
{
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    ptl_status status = ptl_repair(&report, p->store, NULL, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)report.unrepaired);
    return status;
}

static ptl_status regenerate(fault_place *p, ptl_error *err)
{
    ptl_regenerate_options options = PTL_REGENERATE_OPTIONS_INIT;
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    options.positions = &HERE;
    options.position_count = 1;
    options.stale = false;
    ptl_status status = ptl_regenerate(&report, p->world, &options, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)report.changed);
    return status;
}

static bool go_on(void *payload, const ptl_progress *progress)
{
    (void)payload;
    return progress->size == sizeof *progress;
}

static ptl_status index_and_drop(fault_place *p, ptl_error *err)
{
    const ptl_index_options options = {.size = sizeof options,
                                       .on_progress = go_on,
                                       .parts =
                                           PTL_INDEX_BUILDING | PTL_INDEX_SPECIAL_PLACEMENT};
    ptl_index_report report = PTL_INDEX_REPORT_INIT;
    int found = 0;
    fault_mix_text(p, ptl_index_part_name(0));
    ptl_status status = ptl_index_update(&report, p->store, &options, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)report.chunks);
    return status == PTL_OK ? ptl_index_remove(&found, p->store, PTL_INDEX_PIECE, err) : status;
}

/* A look at a file that fails is an answer: it is not ready. */
static ptl_status is_ready(fault_place *p, ptl_error *err)
{
    if (ptl_store_is_ready(p->path))
        return PTL_OK;
    *err = (ptl_error){.status = PTL_ERR_IO, .message = "not ready"};
    return PTL_ERR_IO;
}

static ptl_status on_host(fault_place *p, ptl_error *err)
{
    sqlite3 *db = NULL;
    ptl_status status = PTL_ERR_NOMEM;
    const int code = sqlite3_open_v2(p->path, &db, SQLITE_OPEN_READONLY, NULL);
    if (code == SQLITE_OK)
        status = ptl_sqlite_register(db, err);
    else if (code == SQLITE_NOMEM)
        *err = (ptl_error){.status = PTL_ERR_NOMEM, .message = "the host has no memory"};
    else
        *err = (ptl_error){.status = status = PTL_ERR_IO, .message = "the host can't open it"};
    sqlite3_close(db);
    return status;
}

static void mix_fit(fault_place *p, const ptl_game_save_fit *fit)
{
    ptl_game_save_fit_info info = PTL_GAME_SAVE_FIT_INFO_INIT;
    ptl_game_save_pack pack = PTL_GAME_SAVE_PACK_INIT;
    ptl_game_save_id id = PTL_GAME_SAVE_ID_INIT;
    fault_mix_number(p, ptl_game_save_fit_describe(&info, fit));
    fault_mix_number(p, (int64_t)(info.terrains + info.specials));
    for (size_t i = 0; ptl_game_save_fit_pack(&pack, fit, i) == PTL_OK; i++)
        fault_mix_text(p, pack.id);
    for (size_t i = 0; ptl_game_save_fit_lacking(&id, fit, i) == PTL_OK; i++)
        fault_mix_text(p, id.id);
    for (size_t i = 0; ptl_game_save_fit_mod(fit, i); i++)
        fault_mix_text(p, ptl_game_save_fit_mod(fit, i));
}

/* Takes out of the save what calls before have left there. */
static ptl_status take_out(fault_place *p, ptl_error *err)
{
    const ptl_game_save_undo_options undo = {
        .size = sizeof undo, .save = p->save, .should_stop = fault_stop_asked, .force = true};
    ptl_status status = PTL_OK;
    while (status == PTL_OK)
        status = ptl_game_save_undo(NULL, &undo, err);
    if (status != PTL_ERR_NOT_FOUND)
        return status;
    error_clear(err);
    return PTL_OK;
}

/* Into the save and out again, with what a viewer has seen; NULL: nobody has. */
static ptl_status put_and_undo(fault_place *p, const char *viewer, ptl_error *err)
{
    ptl_game_save_fit *fit = NULL;
    const ptl_game_save_undo_options undo = {
        .size = sizeof undo, .save = p->save, .should_stop = fault_stop_asked, .force = true};
    const ptl_game_save_put_options into = {
        .size = sizeof into, .save = p->save, .force = true, .fit = &fit, .viewer = viewer};
    ptl_game_save_put_report report = PTL_GAME_SAVE_PUT_REPORT_INIT;
    ptl_status status = ptl_game_save_put(&report, p->world, &into, err);
    if (status == PTL_OK) {
        mix_fit(p, fit);
        fault_mix_number(p, (int64_t)(report.chunks + 10 * report.met));
        fault_mix_number(p, (int64_t)(report.moved_overmaps + 10 * report.moved_seen));
        fault_mix_number(p, (int64_t)(report.seen + 10 * report.notes));
        status = ptl_game_save_undo(NULL, &undo, err);
    }
    ptl_game_save_fit_free(fit);
    return status;
}

static ptl_status into_and_out(fault_place *p, ptl_error *err)
{
    const ptl_status status = take_out(p, err);
    return status == PTL_OK ? put_and_undo(p, NULL, err) : status;
}

/* What a character has seen becomes marks and notes, and these are put into the save again. */
static ptl_status seen_in_and_out(fault_place *p, ptl_error *err)
{
    const ptl_game_save_import_options o = {
        .size = sizeof o, .directory = p->save, .only_seen = true};
    ptl_game_save_import_report report = PTL_GAME_SAVE_IMPORT_REPORT_INIT;
    ptl_status status = take_out(p, err);
    if (status == PTL_OK)
        status = ptl_game_save_import(&report, p->world, &o, err);
    if (status == PTL_OK) {
        fault_mix_number(p, (int64_t)(report.seen + 10 * report.notes));
        status = put_and_undo(p, "Jo", err);
    }
    return status;
}

static bool on_seen(void *payload, const char *character, ptl_chunk_pos chunk)
{
    fault_mix_text(payload, character);
    fault_mix(payload, &chunk, sizeof chunk);
    return true;
}

static void on_note(void *payload, int32_t x, int32_t y, const char *text)
{
    fault_mix_number(payload, x + 180 * (int64_t)y);
    fault_mix_text(payload, text);
}

static ptl_status seen(fault_place *p, ptl_error *err)
{
    static uint8_t cells[PTL_LEVEL_CELLS];
    ptl_status status = ptl_seen_list(p->save, on_seen, p, err);
    if (status == PTL_OK)
        status = ptl_seen_load(cells, p->save, "#Sm8=", HERE, 0, on_note, p, err);
    if (status == PTL_OK)
        fault_mix(p, cells, sizeof cells);
    return status;
}

static bool on_edit(void *payload, const ptl_edit *edit)
{
    fault_mix_text(payload, edit->author);
    fault_mix_number(payload, (int64_t)edit->cells);
    fault_mix_number(payload, edit->undone_by);
    return true;
}

static bool on_cell(void *payload, ptl_omt at, const char *before, const char *after)
{
    fault_mix_number(payload, at.x);
    fault_mix_text(payload, before);
    fault_mix_text(payload, after);
    return true;
}

static ptl_status set_cells(fault_place *p, ptl_save *save, ptl_error *err)
{
    const ptl_save_cell cells[] = {
        {{3, 4, 9}, "field"}, {{170, 4, 0}, "field"}, {{3, 4, -9}, "field"}};
    (void)p;
    return ptl_save_cells_set(save, cells, 3, err);
}

static ptl_status take_back(fault_place *p, ptl_save *save, ptl_error *err)
{
    (void)p;
    ptl_status status = ptl_save_undo(save, 1, err);
    /* The save before was committed by a call that then failed. */
    if (status == PTL_ERR_EXISTS) {
        error_clear(err);
        status = PTL_OK;
    }
    return status;
}

static ptl_status save_with(fault_place *p,
                            ptl_status (*fill)(fault_place *p, ptl_save *save, ptl_error *err),
                            ptl_error *err)
{
    const ptl_save_options o = {.size = sizeof o, .author = "ann", .text = "fields", .turn = 5};
    ptl_save *save = NULL;
    ptl_status status = ptl_save_begin(&save, p->world, &o, err);
    if (status == PTL_OK)
        status = fill(p, save, err);
    if (status == PTL_OK)
        status = ptl_save_commit(NULL, save, err);
    if (status != PTL_OK)
        ptl_save_abort(save);
    return status;
}

static bool on_number(void *payload, const ptl_edit *edit)
{
    *(int64_t *)payload = edit->number;
    return true;
}

/* OMTs are set and taken back, each in a save; a call that was begun again finds what the one
 * before has stored. */
static ptl_status edit(fault_place *p, ptl_error *err)
{
    int64_t last = 0;
    ptl_oter level[PTL_LEVEL_CELLS];
    ptl_status status = ptl_edit_list(p->world, NULL, on_number, &last, err);
    if (status == PTL_OK && last == 0)
        status = save_with(p, set_cells, err);
    if (status == PTL_OK)
        status = save_with(p, take_back, err);
    if (status == PTL_OK)
        status = ptl_level_load(level, p->world, HERE, 9, err);
    if (status == PTL_OK)
        status = ptl_edit_list(p->world, (const int64_t[]){0, 0, 9, 9}, on_edit, p, err);
    if (status == PTL_OK)
        status = ptl_edit_cell_list(p->world, 2, on_cell, p, err);
    return status;
}

static bool on_placed(void *payload, const ptl_edit *edit)
{
    fault_mix_text(payload, edit->special);
    fault_mix_number(payload, edit->origin.x);
    fault_mix_number(payload, edit->rotation);
    return true;
}

/* Places a mutable special with a connection at the nearest origin that a refusal names. */
static ptl_status place_orchard(fault_place *p, ptl_save *save, ptl_error *err)
{
    (void)p;
    static const char special[] = "old_orchard";
    ptl_why_place why = PTL_WHY_PLACE_INIT;
    ptl_status status =
        ptl_save_special_add(&why, save, special, (ptl_omt){0, 90, 0}, PTL_ROTATION_ANY, err);
    if (status != PTL_ERR_EXISTS || !why.has_nearest)
        return status;
    error_clear(err);
    const ptl_omt at = {why.nearest_x, why.nearest_y, 0};
    return ptl_save_special_add(NULL, save, special, at, PTL_ROTATION_ANY, err);
}

/* A special is placed and listed, and its local maps are made. */
static ptl_status place_special(fault_place *p, ptl_error *err)
{
    int64_t last = 0;
    ptl_world_digest_result digest = PTL_WORLD_DIGEST_RESULT_INIT;
    ptl_status status = ptl_edit_list(p->world, NULL, on_number, &last, err);
    if (status == PTL_OK && last == 0)
        status = save_with(p, place_orchard, err);
    if (status == PTL_OK)
        status = ptl_edit_list(p->world, NULL, on_placed, p, err);
    if (status == PTL_OK)
        status = ptl_world_digest_get(&digest, p->world, err);
    if (status == PTL_OK)
        fault_mix_text(p, digest.hex);
    return status;
}

/* What was set is made as it was generated; a call that was begun again sets it again. */
static ptl_status reset(fault_place *p, ptl_error *err)
{
    ptl_edit_reset_options o = {.size = sizeof o, .rect = {0, 0, 179, 9}, .dry_run = true};
    ptl_edit_reset_report report = PTL_EDIT_RESET_REPORT_INIT;
    ptl_oter level[PTL_LEVEL_CELLS];
    ptl_status status = save_with(p, set_cells, err);
    if (status == PTL_OK)
        status = ptl_edit_reset(&report, p->world, &o, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)(10 * report.cells + report.chunks));
    o.dry_run = false;
    if (status == PTL_OK)
        status = ptl_edit_reset(NULL, p->world, &o, err);
    if (status == PTL_OK)
        status = ptl_level_load(level, p->world, HERE, 9, err);
    if (status == PTL_OK)
        fault_mix(p, level, sizeof level);
    return status;
}

static const ptl_marks_key marks_of = {"ann", PTL_MARKS_SEEN, {3, 3}, -2};
static const ptl_fact_key state_of = {
    .space = "walk", .name = "state", .scope = PTL_FACT_VIEWER, .viewer = "ann"};

static ptl_status write_things(ptl_save *save, const char *text, const uint8_t *bits,
                               ptl_marks_mode mode, ptl_error *err)
{
    static const char state[3000];
    ptl_note note = PTL_NOTE_INIT;
    note.viewer = "ann";
    note.text = text;
    ptl_status status = ptl_save_note_set(save, &note, err);
    if (status == PTL_OK)
        status = ptl_save_marks_set(save, &marks_of, bits, mode, err);
    if (status == PTL_OK)
        status = ptl_save_fact_set(save, &state_of, state, strlen(text) * 1000, err);
    return status;
}

static const ptl_omt dug = {91, 91, 0};

static ptl_status keep_map(fault_place *p, ptl_save *save, ptl_error *err)
{
    ptl_local_map *map = NULL;
    ptl_status status = ptl_local_get(&map, p->world, dug, NULL, err);
    if (status == PTL_OK)
        status = ptl_local_terrain_set(map, 1, 1, "t_mine");
    if (status == PTL_OK)
        status = ptl_save_local_set(save, map, err);
    ptl_local_free(map);
    return status;
}

static ptl_status keep_things(fault_place *p, ptl_save *save, ptl_error *err)
{
    static const uint8_t bits[PTL_MARKS_BYTES] = {3, 1};
    const ptl_status status = keep_map(p, save, err);
    return status == PTL_OK ? write_things(save, "a", bits, PTL_MARKS_REPLACE, err) : status;
}

static ptl_status keep_others(fault_place *p, ptl_save *save, ptl_error *err)
{
    static const uint8_t bits[PTL_MARKS_BYTES] = {8, 8};
    const ptl_status status = ptl_save_attach(save, p->world, err);
    return status == PTL_OK ? write_things(save, "bb", bits, PTL_MARKS_ADD, err) : status;
}

static bool on_saved_note(void *payload, const ptl_note *note)
{
    fault_mix_text(payload, note->text);
    return true;
}

static bool on_marks(void *payload, const ptl_marks_key *key,
                     const uint8_t bits[PTL_MARKS_BYTES])
{
    fault_mix_number(payload, key->kind);
    fault_mix(payload, bits, PTL_MARKS_BYTES);
    return true;
}

static bool on_fact(void *payload, const ptl_fact_key *key, const void *value, size_t size)
{
    fault_mix_text(payload, key->name);
    fault_mix(payload, value, size);
    return true;
}

static ptl_status read_map(fault_place *p, ptl_error *err)
{
    ptl_local_map *map = NULL;
    const ptl_status status = ptl_local_load(&map, p->world, dug, err);
    if (status == PTL_OK)
        fault_mix_text(p, ptl_local_terrain(map, 1, 1));
    ptl_local_free(map);
    return status;
}

static ptl_status look_again(fault_place *p, ptl_error *err)
{
    ptl_cache *cache = NULL;
    const ptl_chunk *chunk = NULL;
    uint64_t dropped = 9;
    ptl_status status = ptl_cache_new(&cache, p->world, NULL, err);
    if (status == PTL_OK)
        status = ptl_cache_load(&chunk, cache, HERE, err);
    if (status == PTL_OK)
        status = ptl_cache_refresh(&dropped, cache, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)dropped);
    ptl_cache_free(cache);
    return status;
}

/* Local maps, notes, marks and facts are saved, replaced, and read. */
static ptl_status saved(fault_place *p, ptl_error *err)
{
    uint8_t bits[PTL_MARKS_BYTES];
    int64_t revision; /* greater after an attempt that failed half way */
    ptl_fact_value value = {.data = NULL};
    ptl_world_digest_result digest = PTL_WORLD_DIGEST_RESULT_INIT;
    ptl_status status = save_with(p, keep_things, err);
    if (status == PTL_OK)
        status = save_with(p, keep_others, err);
    if (status == PTL_OK)
        status = read_map(p, err);
    if (status == PTL_OK)
        status = look_again(p, err);
    if (status == PTL_OK)
        status = ptl_save_revision_load(&revision, p->world, err);
    if (status == PTL_OK)
        status = ptl_note_list(p->world, "ann", NULL, on_saved_note, p, err);
    if (status == PTL_OK)
        status = ptl_marks_load(bits, p->world, &marks_of, err);
    if (status == PTL_OK)
        status = ptl_marks_each(p->world, NULL, on_marks, p, err);
    if (status == PTL_OK)
        status = ptl_fact_each(p->world, NULL, on_fact, p, err);
    if (status == PTL_OK)
        status = ptl_fact_value_load(&value, p->world, &state_of, err);
    if (status == PTL_OK)
        fault_mix(p, value.data, value.size);
    ptl_fact_value_dispose(&value);
    if (status == PTL_OK)
        status = ptl_world_digest_get(&digest, p->world, err);
    if (status == PTL_OK)
        fault_mix_text(p, digest.hex);
    return status;
}

const fault_scene fault_scenes_care[] = {
    {"index", FAULT_FILE_WORLD, FAULT_OPEN_WRITE, true, 1, index_and_drop, NULL},
    {"is_ready", FAULT_FILE_WORLD, FAULT_OPEN_NOTHING, false, 1, is_ready, NULL},
    {"host", FAULT_FILE_WORLD, FAULT_OPEN_NOTHING, false, 2, on_host, NULL},
    {"into_and_out", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, into_and_out, NULL},
    {"seen", FAULT_FILE_WORLD, FAULT_OPEN_NOTHING, false, 1, seen, NULL},
    {"wal", FAULT_FILE_WORLD, FAULT_OPEN_NOTHING, true, 1, wal, NULL},
    {"journal", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, journal, NULL},
    {"backup", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 1, backup, look_at_backup},
    {"migrate", FAULT_FILE_OLD, FAULT_OPEN_NOTHING, false, 1, migrate, NULL},
    {"migrate_copy", FAULT_FILE_OLD, FAULT_OPEN_NOTHING, false, 1, migrate_with_copy, NULL},
    {"repair", FAULT_FILE_DAMAGED, FAULT_OPEN_WRITE, true, 1, repair, NULL},
    {"edit", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, edit, NULL},
    {"place", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, place_special, NULL},
    {"reset", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, reset, NULL},
    {"seen_in_and_out", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, seen_in_and_out,
     NULL},
    {"saved", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, saved, NULL},
    {"regenerate", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 1, regenerate, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, NULL, NULL}};
