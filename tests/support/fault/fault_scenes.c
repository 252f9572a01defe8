/*
 * What is played with faults: together these scenes call every public function, which
 * test_faults_cover checks by reading this file. What a call returns, and what it gave, becomes
 * part of the result, so that a fault that goes unnoticed shows as another result.
 */
#include "support/fault/fault_loop.h"
#include "support/fault/fault_stop.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const ptl_chunk_pos HERE = {0, 0}, BESIDE = {1, 0}, NEW = {0, 1}, NEXT = {1, 1};

/* ---- files ---- */

static ptl_status create_file(fault_place *p, ptl_error *err)
{
    const ptl_open_options options = {.size = sizeof options,
                                      .mode = PTL_OPEN_CREATE,
                                      .busy_timeout_ms = 1,
                                      .should_stop = fault_stop_asked};
    ptl_store *store;
    ptl_status status = ptl_store_open(&store, p->path, &options, err);
    if (status == PTL_OK)
        fault_mix_text(p, ptl_store_path(store));
    ptl_store_close(store);
    return status;
}

static ptl_status open_file(fault_place *p, ptl_open_mode mode, ptl_error *err)
{
    const ptl_open_options options = {.size = sizeof options,
                                      .mode = mode,
                                      .busy_timeout_ms = 1,
                                      .should_stop = fault_stop_asked};
    ptl_store *store;
    ptl_status status = ptl_store_open(&store, p->path, &options, err);
    ptl_store_close(store);
    return status;
}

static ptl_status open_to_read(fault_place *p, ptl_error *err)
{
    return open_file(p, PTL_OPEN_READ, err);
}

static ptl_status open_to_write(fault_place *p, ptl_error *err)
{
    return open_file(p, PTL_OPEN_WRITE, err);
}

static void mix_problem(void *payload, const ptl_problem *problem)
{
    fault_mix_number(payload, problem->invariant);
    fault_mix_text(payload, problem->where);
    fault_mix_text(payload, problem->message);
}

static ptl_status verify(fault_place *p, ptl_error *err)
{
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_status status = ptl_verify(&counts, p->store, mix_problem, p, err);
    if (status == PTL_OK)
        fault_mix(p, &counts, sizeof counts);
    return status;
}

/* ---- content ---- */

static void mix_diagnostic(void *payload, const ptl_diagnostic *d)
{
    fault_mix_number(payload, d->severity);
    fault_mix_text(payload, d->file);
    fault_mix_number(payload, d->line);
    fault_mix_text(payload, d->id);
    fault_mix_text(payload, d->code);
    fault_mix_text(payload, d->pack);
    fault_mix_text(payload, d->message);
}

static ptl_status import(fault_place *p, const char *const *below, size_t count, bool builtin,
                         ptl_error *err)
{
    char paths[2][2 * FAULT_PATH_SIZE];
    const char *directories[2] = {paths[0], paths[1]};
    ptl_import_report report = {.size = sizeof report, .files = 0};
    for (size_t i = 0; i < count; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%s", p->content, below[i]);
    const ptl_import_options options = {.size = sizeof options,
                                        .directories = directories,
                                        .directory_count = count,
                                        .builtin = builtin,
                                        .lenient = true,
                                        .on_diagnostic = mix_diagnostic,
                                        .payload = p};
    ptl_status status = ptl_import(&report, p->store, &options, err);
    if (status == PTL_OK || status == PTL_ERR_CONTENT) {
        fault_mix_text(p, report.digest);
        fault_mix_number(p, (int64_t)report.objects);
        fault_mix_number(p, (int64_t)report.kept);
        fault_mix_number(p, (int64_t)report.errors);
    }
    return status;
}

static ptl_status import_directories(fault_place *p, ptl_error *err)
{
    static const char *const below[] = {"documents", "valid/mods"};
    return import(p, below, 2, false, err);
}

static ptl_status import_on_builtin(fault_place *p, ptl_error *err)
{
    static const char *const below[] = {"mutable"};
    return import(p, below, 1, true, err);
}

static ptl_status import_same(fault_place *p, ptl_error *err)
{
    return import(p, NULL, 0, true, err);
}

static ptl_status import_mistakes(fault_place *p, ptl_error *err)
{
    static const char *const below[] = {"invalid/special_mutable", "invalid/terrain_copy_from"};
    return import(p, below, 2, false, err);
}

static ptl_status import_broken(fault_place *p, ptl_error *err)
{
    static const char *const below[] = {"invalid/json_broken", "invalid/region"};
    return import(p, below, 2, false, err);
}

/* ---- worlds ---- */

static ptl_status world_create(fault_place *p, ptl_error *err)
{
    return ptl_world_create(p->store, "new", NULL, err);
}

static ptl_status world_open(fault_place *p, ptl_error *err)
{
    ptl_world *world;
    size_t oter = 0;
    const ptl_world_open_options options = {.size = sizeof options, .accept_content = true};
    ptl_status status = ptl_world_open(&world, p->store, "w", &options, err);
    if (status == PTL_OK) {
        fault_mix_text(p, ptl_world_name(world));
        ptl_world_options made_of = PTL_WORLD_OPTIONS_INIT;
        status = ptl_world_settings(&made_of, world, err);
        fault_mix_number(p, (int64_t)made_of.seed);
        fault_mix_number(
            p, (int64_t)ptl_catalogue_count(ptl_world_catalogue(world), PTL_CONTENT_OTER));
        fault_mix_text(p, ptl_world_oter_name(world, 7));
        fault_mix_number(p, ptl_catalogue_find(&oter, ptl_world_catalogue(world),
                                               PTL_CONTENT_OTER, "field"));
        fault_mix_number(p, (int64_t)oter);
    }
    ptl_world_close(world);
    return status;
}

static void mix_chunk(fault_place *p, const ptl_chunk *chunk)
{
    static ptl_oter cells[PTL_LEVEL_CELLS]; /* not allocated: that could fail, too */
    const ptl_chunk_pos pos = ptl_chunk_position(chunk);
    fault_mix(p, &pos, sizeof pos);
    fault_mix_number(p, ptl_chunk_oter(chunk, 90, 90, 0));
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        ptl_chunk_level(cells, chunk, z);
        fault_mix(p, cells, sizeof cells);
    }
}

static ptl_status chunk_load(fault_place *p, ptl_error *err)
{
    ptl_chunk *chunk;
    ptl_status status = ptl_chunk_load(&chunk, p->world, HERE, err);
    if (status == PTL_OK)
        mix_chunk(p, chunk);
    ptl_chunk_free(chunk);
    return status;
}

static ptl_status level_load(fault_place *p, ptl_error *err)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_status status = PTL_OK;
    for (int32_t z = -2; z <= 1 && status == PTL_OK; z++) {
        status = ptl_level_load(cells, p->world, BESIDE, z, err);
        if (status == PTL_OK)
            fault_mix(p, cells, sizeof cells);
    }
    return status;
}

static ptl_status chunk_get(fault_place *p, ptl_error *err)
{
    ptl_chunk *chunk;
    ptl_status status = ptl_chunk_get(&chunk, p->world, NEW, err);
    if (status == PTL_OK)
        mix_chunk(p, chunk);
    ptl_chunk_free(chunk);
    return status;
}

/* One after the other, in one run. */
static ptl_status chunks_get(fault_place *p, ptl_error *err)
{
    ptl_status status = chunk_get(p, err);
    ptl_chunk *chunk = NULL;
    if (status == PTL_OK)
        status = ptl_chunk_get(&chunk, p->world, NEXT, err);
    if (status == PTL_OK)
        mix_chunk(p, chunk);
    ptl_chunk_free(chunk);
    return status;
}

static ptl_status world_digest(fault_place *p, ptl_error *err)
{
    ptl_world_digest_result digest = PTL_WORLD_DIGEST_RESULT_INIT;
    ptl_status status = ptl_world_digest_get(&digest, p->world, err);
    if (status == PTL_OK)
        fault_mix(p, &digest, sizeof digest);
    return status;
}

static void mix_counts(void *payload, const ptl_seam_counts *counts)
{
    fault_mix_text(payload, counts->kind);
    fault_mix_number(payload, (int64_t)counts->arms);
    fault_mix_number(payload, (int64_t)counts->dead);
}

static ptl_status verify_seams(fault_place *p, ptl_error *err)
{
    const ptl_seam_options options = {.size = sizeof options,
                                      .on_problem = mix_problem,
                                      .on_counts = mix_counts,
                                      .payload = p};
    ptl_seam_report report = PTL_SEAM_REPORT_INIT;
    ptl_status status = ptl_seams_verify(&report, p->world, &options, err);
    if (status == PTL_OK)
        fault_mix(p, &report, sizeof report);
    return status;
}

/* ---- generating ---- */

static ptl_status generate(fault_place *p, int32_t jobs, const char *stop_after, ptl_error *err)
{
    static const ptl_chunk_pos list[] = {{0, 1}, {1, 0}, {1, 1}};
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    ptl_generate_options options = PTL_GENERATE_OPTIONS_INIT;
    options.positions = list;
    options.position_count = sizeof list / sizeof list[0];
    options.jobs = jobs;
    options.stop_after = stop_after;
    return ptl_generate(&report, p->world, &options, err);
}

static ptl_status generate_alone(fault_place *p, ptl_error *err)
{
    return generate(p, 1, NULL, err);
}

static ptl_status generate_some_steps(fault_place *p, ptl_error *err)
{
    ptl_status status = generate(p, 1, ptl_step_name(4), err);
    fault_mix_number(p, (int64_t)ptl_step_count());
    return status;
}

static ptl_status generate_threads(fault_place *p, ptl_error *err)
{
    return generate(p, 2, NULL, err);
}

/* ---- specials ---- */

static ptl_status special_why(fault_place *p, ptl_error *err)
{
    ptl_why why = PTL_WHY_INIT;
    ptl_status status = ptl_why_get(&why, NULL, p->world, "anthill", HERE, err);
    if (status == PTL_OK) {
        fault_mix_number(p, why.verdict);
        fault_mix_number(p, why.ground);
        fault_mix_number(p, why.placed);
        fault_mix_number(p, why.need_cells);
    }
    return status;
}

static ptl_status special_why_map(fault_place *p, ptl_error *err)
{
    static uint8_t passed[PTL_LEVEL_CELLS];
    ptl_why why = PTL_WHY_INIT;
    ptl_status status = ptl_why_get(&why, passed, p->world, "anthill", HERE, err);
    if (status == PTL_OK)
        fault_mix(p, passed, sizeof passed);
    return status;
}

static ptl_status special_why_place(fault_place *p, ptl_error *err)
{
    ptl_why_place place = PTL_WHY_PLACE_INIT;
    const ptl_omt at = {(int64_t)HERE.x * PTL_CHUNK_SIZE + 9,
                        (int64_t)HERE.y * PTL_CHUNK_SIZE + 9, 0};
    ptl_status status = ptl_why_place_get(&place, NULL, NULL, p->world, "anthill", at, err);
    if (status == PTL_OK) {
        fault_mix_number(p, place.passed);
        fault_mix_number(p, place.wrong);
        fault_mix_text(p, place.wants);
    }
    return status;
}

static bool mix_growth(void *payload, const ptl_growth_step *step)
{
    fault_mix_number(payload, step->event);
    fault_mix_text(payload, step->piece);
    fault_mix_number(payload, step->x);
    fault_mix_number(payload, step->y);
    return true;
}

static ptl_status special_replay(fault_place *p, ptl_error *err)
{
    return ptl_growth_each(p->world, HERE, p->mutable_number, mix_growth, p, err);
}

static void mix_trial(fault_place *p, const ptl_trial_report *report)
{
    fault_mix_number(p, (int64_t)report->tried);
    fault_mix_number(p, (int64_t)report->placed);
    fault_mix_number(p, (int64_t)report->undone);
    fault_mix_number(p, report->pieces_max);
}

static ptl_status try_special(fault_place *p, ptl_error *err)
{
    static const char *const names[] = {"anthill", "dairy_farm"};
    ptl_trial_options options = PTL_TRIAL_OPTIONS_INIT;
    ptl_status status = PTL_OK;
    options.times = 3;
    for (size_t i = 0; i < 2 && status == PTL_OK; i++) {
        ptl_trial_report report = PTL_TRIAL_REPORT_INIT;
        status = ptl_trial_run(&report, p->store, names[i], &options, err);
        if (status == PTL_OK)
            mix_trial(p, &report);
    }
    return status;
}

static ptl_status try_on_world(fault_place *p, ptl_error *err)
{
    ptl_trial_report report = PTL_TRIAL_REPORT_INIT;
    ptl_status status = ptl_trial_world_run(&report, p->world, "anthill", &NEW, 1, NULL, err);
    if (status == PTL_OK)
        mix_trial(p, &report);
    return status;
}

/* ---- queries ---- */

static bool mix_values(void *payload, size_t columns, const char *const *names,
                       const ptl_value *values)
{
    for (size_t i = 0; i < columns; i++) {
        fault_mix_text(payload, names[i]);
        fault_mix_number(payload, values[i].type);
        fault_mix_number(payload, values[i].integer);
        fault_mix(payload, &values[i].real, sizeof values[i].real);
        fault_mix(payload, values[i].text, values[i].text ? values[i].size : 0);
    }
    return true;
}

static ptl_status query(fault_place *p, ptl_error *err)
{
    static const char *const list[] = {
        "SELECT s.*, p.* FROM v_special s LEFT JOIN piece p ON p.chunk_x = s.chunk_x AND "
        "p.chunk_y = s.chunk_y AND p.special_number = s.number "
        "WHERE s.world = 'w' ORDER BY s.chunk_x, s.special LIMIT 50",
        "SELECT chunk_x, oter, sum(omts) FROM terrain_count GROUP BY 1, 2 ORDER BY 3, 2 "
        "LIMIT 20",
        "SELECT *, omt_at(world, x, y, z), oter_rotate(oter, 1) FROM omt WHERE world = 'w' "
        "AND x IN (5, 9) AND y = 7 AND z BETWEEN -1 AND 0 AND terrain NOT IN ('a')",
        "SELECT * FROM region_count('w', 0, 0, 3, 3, 0) WHERE oter IN (SELECT oter FROM omt "
        "WHERE terrain = 'field' AND z = 0 LIMIT 1)",
        "SELECT *, length(omts), upper(hex(omts)) FROM level ORDER BY id LIMIT 4"};
    const ptl_query_options options = {
        .size = sizeof options, .on_row = mix_values, .payload = p};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof list / sizeof list[0] && status == PTL_OK; i++)
        status = ptl_query(p->store, list[i], &options, err);
    return status;
}

/* Beside a writer, as the empty lock file says: rows are kept, and what is long is asked of a
 * snapshot. */
static ptl_status query_beside(fault_place *p, ptl_error *err)
{
    static const char sql[] = "SELECT id, x, y, level_mask, hex(omt_digest), NULL FROM chunk";
    char lock[sizeof p->path + 8];
    const ptl_query_options kept = {.size = sizeof kept, .on_row = mix_values, .payload = p};
    const ptl_query_options copied = {.size = sizeof copied,
                                      .on_row = mix_values,
                                      .payload = p,
                                      .reading = PTL_QUERY_SNAPSHOT};
    snprintf(lock, sizeof lock, "%s-lock", p->path);
    const int file = open(lock, O_CREAT | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file >= 0)
        close(file);
    ptl_status status = ptl_query(p->store, sql, &kept, err);
    if (status == PTL_OK)
        status = ptl_query(p->store, sql, &copied, err);
    unlink(lock);
    return status;
}

static void mix_name(void *payload, const char *name)
{
    fault_mix_text(payload, name);
}

static ptl_status query_columns(fault_place *p, ptl_error *err)
{
    return ptl_query_column_list(p->store, "SELECT * FROM v_special", mix_name, p, err);
}

/* ---- saves ---- */

static void mix_file(fault_place *p, const char *folder, const char *name)
{
    char path[2 * FAULT_PATH_SIZE], *text = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const size_t size = (size_t)ftell(file);
        rewind(file);
        text = malloc(size);
        if (text && fread(text, 1, size, file) == size)
            fault_mix(p, text, size);
    }
    free(text);
    if (file)
        fclose(file);
}

static ptl_status export_save(fault_place *p, ptl_error *err)
{
    ptl_game_save_write_options options = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    ptl_game_save_write_report report = PTL_GAME_SAVE_WRITE_REPORT_INIT;
    options.directory = p->export;
    options.force = true;
    return ptl_game_save_write(&report, p->world, &options, err);
}

/* A file beside the world, where fault_place_unfinished looks for what is left of it. One that
 * a failed try leaves is in the way of the next. */
static ptl_status export_as(fault_place *p, ptl_atlas_format format, ptl_error *err)
{
    char path[FAULT_PATH_SIZE + 8];
    ptl_atlas_options options = PTL_ATLAS_OPTIONS_INIT;
    ptl_atlas_report report = PTL_ATLAS_REPORT_INIT;
    snprintf(path, sizeof path, "%s.map", p->path);
    options.path = path;
    options.format = format;
    options.scale = 1;
    const ptl_status status = ptl_atlas_write(&report, p->world, &options, err);
    fault_mix_number(p, (int64_t)report.bytes);
    return status;
}

static ptl_status export_atlas(fault_place *p, ptl_error *err)
{
    return export_as(p, PTL_ATLAS_GEOJSON, err);
}

static ptl_status export_gpkg(fault_place *p, ptl_error *err)
{
    return export_as(p, PTL_ATLAS_GPKG, err);
}

static ptl_status export_mbtiles(fault_place *p, ptl_error *err)
{
    return export_as(p, PTL_ATLAS_MBTILES, err);
}

static ptl_status export_pmtiles(fault_place *p, ptl_error *err)
{
    return export_as(p, PTL_ATLAS_PMTILES, err);
}

static ptl_status export_tiled(fault_place *p, ptl_error *err)
{
    return export_as(p, PTL_ATLAS_TILED, err);
}

static void look_at_export(fault_place *p)
{
    mix_file(p, p->export, "o.0.0");
    mix_file(p, p->export, "o.1.0");
}

static ptl_status import_save(fault_place *p, ptl_error *err)
{
    ptl_game_save_import_options options = PTL_GAME_SAVE_IMPORT_OPTIONS_INIT;
    ptl_game_save_import_report report = PTL_GAME_SAVE_IMPORT_REPORT_INIT;
    ptl_world *world;
    options.directory = p->save;
    options.force = true;
    ptl_status status = ptl_world_open(&world, p->store, "other", NULL, err);
    if (status == PTL_OK)
        status = ptl_game_save_import(&report, world, &options, err);
    if (status == PTL_OK) {
        fault_mix_number(p, (int64_t)report.placements);
        fault_mix_number(p, (int64_t)report.removed);
    }
    ptl_world_close(world);
    return status;
}

/* What can't fail. */
static bool mix_kind(void *payload, const ptl_remark_kind *kind)
{
    fault_mix_text(payload, kind->code);
    return true;
}

static ptl_status constants(fault_place *p, ptl_error *err)
{
    const ptl_chunk_pos pos = ptl_omt_chunk((ptl_omt){-1, 180, 0});
    const ptl_shoals_options shoals = PTL_SHOALS_OPTIONS_INIT;
    fault_mix_number(p, ptl_shoals_ground_of(&shoals, 3));
    fault_mix_number(p, ptl_tide_ground(&shoals, PTL_TIDE_FULL, -3, -2, ptl_tide_height(9)));
    fault_mix(p, &pos, sizeof pos);
    fault_mix_text(p, ptl_version());
    ptl_remark_kind_list(mix_kind, p);
    fault_mix_text(p, ptl_status_name(PTL_ERR_IO));
    for (int class = 0; class < PTL_MAP_CLASSES; class ++) {
        ptl_map_look look = PTL_MAP_LOOK_INIT;
        (void)ptl_map_look_describe(&look, (ptl_map_class) class, PTL_STYLE_DARK_PAPER);
        fault_mix_text(p, look.name);
        fault_mix_text(p, ptl_map_group_name(look.group));
    }
    memset(err, 0, sizeof *err);
    return PTL_OK;
}

const fault_scene fault_scenes[] = {
    {"create", FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 7, create_file, NULL},
    {"open_read", FAULT_FILE_WORLD, FAULT_OPEN_NOTHING, false, 7, open_to_read, NULL},
    {"open_write", FAULT_FILE_WORLD, FAULT_OPEN_NOTHING, false, 7, open_to_write, NULL},
    {"verify", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 1, verify, NULL},
    {"import", FAULT_FILE_CONTENT, FAULT_OPEN_WRITE, true, 5, import_directories, NULL},
    {"import_builtin", FAULT_FILE_CONTENT, FAULT_OPEN_WRITE, true, 1, import_on_builtin, NULL},
    {"import_same", FAULT_FILE_CONTENT, FAULT_OPEN_WRITE, true, 1, import_same, NULL},
    {"import_mistakes", FAULT_FILE_CONTENT, FAULT_OPEN_WRITE, true, 80, import_mistakes, NULL},
    {"import_broken", FAULT_FILE_CONTENT, FAULT_OPEN_WRITE, true, 5, import_broken, NULL},
    {"world_create", FAULT_FILE_WORLD, FAULT_OPEN_WRITE, true, 2, world_create, NULL},
    {"world_open", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 5, world_open, NULL},
    {"chunk_load", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, chunk_load, NULL},
    {"level_load", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, level_load, NULL},
    {"chunk_get", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, chunk_get, NULL},
    {"chunks_get", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 2, chunks_get, NULL},
    {"digest", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, world_digest, NULL},
    {"seams", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 1, verify_seams, NULL},
    {"generate", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 1, generate_alone, NULL},
    {"generate_part", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 6, generate_some_steps,
     NULL},
    {"generate_jobs", FAULT_FILE_WORLD, FAULT_OPEN_WORLD_WRITE, true, 6, generate_threads,
     NULL},
    {"why", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 1, special_why, NULL},
    {"why_map", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 1, special_why_map, NULL},
    {"why_place", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 1, special_why_place, NULL},
    {"replay", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 1, special_replay, NULL},
    {"try", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 1, try_special, NULL},
    {"try_world", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 1, try_on_world, NULL},
    {"query", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, query, NULL},
    {"query_beside", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, query_beside, NULL},
    {"query_columns", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, query_columns, NULL},
    {"export_atlas", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, export_atlas, NULL},
    {"export_gpkg", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, export_gpkg, NULL},
    {"export_mbtiles", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, export_mbtiles, NULL},
    {"export_pmtiles", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, export_pmtiles, NULL},
    {"export_tiled", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, export_tiled, NULL},
    {"export_save", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, export_save, look_at_export},
    {"import_save", FAULT_FILE_WORLD, FAULT_OPEN_WRITE, true, 1, import_save, NULL},
    {"constants", FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, constants, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, NULL, NULL}};
