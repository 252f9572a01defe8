/*
 * Every public call that takes options or fills a report, with structs of every size: one that
 * nobody set is refused, with the message that says what to do; the first released one, this
 * library's and a larger one work alike; what lies behind a struct is not touched. A call, or
 * one more struct of it, is a line of CALLS. How an older program's struct is taken when one
 * has grown is proved in unit/core/test_core_sized.c, with a struct that has.
 */
#include "core/sized.h"
#include "portolan/portolan.h"
#include "portolan/stats.h" /* its calls have tests of their own: unit/stats */
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
    char path[WORLD_PATH_SIZE], copy[WORLD_PATH_SIZE + 8];
    ptl_store *store;
    ptl_world *world;
    ptl_cache *cache;
} scene;

static const ptl_chunk_pos HERE = {0, 0};
static uint8_t passed[PTL_LEVEL_CELLS];

static bool on_match(void *payload, const ptl_search_match *match)
{
    (void)payload;
    (void)match;
    return true;
}

static bool on_chunk(void *payload, ptl_chunk_pos pos)
{
    (void)payload;
    (void)pos;
    return true;
}

static bool take(void *payload, const void *data, size_t size)
{
    (void)payload;
    (void)data;
    return size > 0;
}

/* ---- what needs more than a line ---- */

static ptl_status open_store(const scene *s, const ptl_open_options *given, ptl_error *err)
{
    ptl_store *store;
    ptl_status status = ptl_store_open(&store, s->path, given, err);
    ptl_store_close(store);
    return status;
}

static ptl_status open_world(const scene *s, const ptl_world_open_options *given,
                             ptl_error *err)
{
    ptl_world *world;
    ptl_status status = ptl_world_open(&world, s->store, "w", given, err);
    ptl_world_close(world);
    return status;
}

static ptl_status new_cache(const scene *s, const ptl_cache_options *given, ptl_error *err)
{
    ptl_cache *cache;
    ptl_status status = ptl_cache_new(&cache, s->world, given, err);
    ptl_cache_free(cache);
    return status;
}

/* A file that is there already is an answer, too. */
static ptl_status back_up(const scene *s, const ptl_backup_options *given,
                          ptl_backup_report *report, ptl_error *err)
{
    (void)remove(s->copy);
    return ptl_backup(report, s->store, s->copy, given, err);
}

static ptl_status import(ptl_import_options *given, ptl_import_report *report, ptl_error *err)
{
    ptl_import_options own = PTL_IMPORT_OPTIONS_INIT;
    ptl_import_options *o = given ? given : &own;
    o->builtin = true;
    o->check = true;
    return ptl_import(report, NULL, o, err);
}

static ptl_status tiles(const scene *s, const ptl_area_options *given, ptl_area_report *report,
                        ptl_error *err)
{
    static const ptl_area area = {.width = 3, .height = 2};
    ptl_oter cells[6];
    return ptl_area_get(cells, report, s->world, &area, given, err);
}

static ptl_status local_map(const scene *s, const ptl_local_options *given, ptl_error *err)
{
    ptl_local_map *map;
    ptl_status status = ptl_local_get(&map, s->world, (ptl_omt){5, 5, 0}, given, err);
    ptl_local_free(map);
    return status;
}

/* A special that the content does not have. */
static ptl_status add_special(const scene *s, ptl_why_place *why, ptl_error *err)
{
    ptl_save *begun = NULL;
    ptl_status status = ptl_save_begin(&begun, s->world, NULL, err);
    if (status == PTL_OK)
        status = ptl_save_special_add(why, begun, "no such", (ptl_omt){0, 0, 0}, 0, err);
    ptl_save_abort(begun);
    return status;
}

/* A save in which there is nothing. */
static ptl_status save(const scene *s, const ptl_save_options *given, ptl_save_report *report,
                       ptl_error *err)
{
    ptl_save *begun = NULL;
    ptl_status status = ptl_save_begin(&begun, s->world, given, err);
    if (status == PTL_OK)
        status = ptl_save_commit(report, begun, err);
    if (status != PTL_OK)
        ptl_save_abort(begun);
    return status;
}

static ptl_status stream(const scene *s, const ptl_arrow_options *given, ptl_error *err)
{
    struct ArrowArrayStream out;
    const ptl_status status = ptl_arrow_omt_stream(&out, s->world, given, err);
    if (out.release)
        out.release(&out);
    return status;
}

static ptl_status prefetch(const scene *s, const ptl_prefetch_options *given,
                           ptl_prefetch_report *report, ptl_error *err)
{
    ptl_prefetch_options own = PTL_PREFETCH_OPTIONS_INIT;
    own.radius = 0;
    return ptl_cache_prefetch(report, s->cache, HERE, given ? given : &own, err);
}

static ptl_status try_special(const scene *s, const ptl_trial_options *given,
                              ptl_trial_report *report, ptl_error *err)
{
    ptl_trial_report own = PTL_TRIAL_REPORT_INIT;
    return ptl_trial_run(report ? report : &own, s->store, "no such", given, err);
}

static ptl_status try_on_world(const scene *s, const ptl_trial_options *given,
                               ptl_trial_report *report, ptl_error *err)
{
    ptl_trial_report own = PTL_TRIAL_REPORT_INIT;
    return ptl_trial_world_run(report ? report : &own, s->world, "no such", NULL, 0, given,
                               err);
}

static ptl_status search_seeds(const scene *s, ptl_search_options *given,
                               ptl_search_fault *fault, ptl_error *err)
{
    ptl_search_options own = PTL_SEARCH_OPTIONS_INIT;
    ptl_search_options *o = given ? given : &own;
    ptl_search *search;
    o->where = "city size >= 1";
    o->on_match = on_match;
    ptl_status status = ptl_search_seeds_new(&search, fault, s->store, o, err);
    ptl_search_free(search);
    return status;
}

static ptl_status search_world(const scene *s, ptl_search_options *given,
                               ptl_search_fault *fault, ptl_search_report *report,
                               ptl_error *err)
{
    ptl_search_options own = PTL_SEARCH_OPTIONS_INIT;
    ptl_search_options *o = given ? given : &own;
    ptl_search *search;
    o->where = "city size >= 1";
    o->on_match = on_match;
    ptl_status status = ptl_search_world_new(&search, fault, s->world, o, err);
    if (status == PTL_OK)
        status = ptl_search_run(report, search, err);
    ptl_search_free(search);
    return status;
}

static ptl_status tally_sample(const scene *s, ptl_sample_options *given, ptl_error *err)
{
    ptl_sample *sample;
    ptl_tally *tally = ptl_tally_new();
    ck_assert_ptr_nonnull(tally);
    ptl_status status = ptl_sample_open(&sample, s->store, "world:w", err);
    if (status == PTL_OK)
        status = ptl_tally_add(tally, sample, given, err);
    ptl_sample_close(sample);
    ptl_tally_free(tally);
    return status;
}

static ptl_status new_mapgen(const scene *s, ptl_mapgen_options *given, ptl_error *err)
{
    ptl_mapgen *mapgen = NULL;
    given->id = ptl_world_oter_name(s->world, 0);
    const ptl_status status = ptl_mapgen_new(&mapgen, s->world, given, err);
    ptl_mapgen_free(mapgen);
    return status;
}

static bool no_fault(void *payload, const ptl_diagnostic *fault)
{
    (void)payload, (void)fault;
    return true;
}

static ptl_status check_mapgen(const scene *s, ptl_mapgen_check_options *given, ptl_error *err)
{
    given->id = "*";
    return ptl_mapgen_fault_list(NULL, s->world, given, no_fault, NULL, err);
}

/* ---- all of them ---- */

/* X(the call, its parameter, the parameter's type, a call with it as `given`). */
static bool no_loot(void *payload, const ptl_loot_row *row)
{
    (void)payload, (void)row;
    return true;
}

static bool no_step(void *payload, const ptl_loot_step *step)
{
    (void)payload, (void)step;
    return true;
}

static ptl_status loot_group(const scene *s, ptl_loot_options *given, ptl_error *err)
{
    given->id = "car";
    given->kind = PTL_LOOT_VEHICLE;
    const ptl_status status = ptl_loot_group_list(s->world, given, no_loot, NULL, err);
    return status == PTL_ERR_NOT_FOUND ? PTL_OK : status; /* there is no such group */
}

static ptl_status loot_tree(const scene *s, ptl_loot_row *given, ptl_error *err)
{
    ptl_loot_options o = PTL_LOOT_OPTIONS_INIT;
    o.terrain = ptl_world_oter_name(s->world, 0);
    o.id = "rope";
    return ptl_loot_tree_list(given, s->world, &o, no_step, NULL, err);
}

#define CALLS(X)                                                                               \
    X(ptl_atlas_write, options, ptl_atlas_options,                                             \
      ptl_atlas_write(NULL, s->world, given, err))                                             \
    X(ptl_atlas_write, report, ptl_atlas_report, ptl_atlas_write(given, s->world, NULL, err))  \
    X(ptl_backup, options, ptl_backup_options, back_up(s, given, NULL, err))                   \
    X(ptl_backup, report, ptl_backup_report, back_up(s, NULL, given, err))                     \
    X(ptl_cache_describe, out, ptl_cache_counts, ptl_cache_describe(given, s->cache, err))     \
    X(ptl_cache_new, options, ptl_cache_options, new_cache(s, given, err))                     \
    X(ptl_cache_prefetch, options, ptl_prefetch_options, prefetch(s, given, NULL, err))        \
    X(ptl_cache_prefetch, report, ptl_prefetch_report, prefetch(s, NULL, given, err))          \
    X(ptl_chunk_info_load, out, ptl_chunk_info,                                                \
      ptl_chunk_info_load(given, s->store, "w", HERE, err))                                    \
    X(ptl_chunk_list, options, ptl_chunk_list_options,                                         \
      ptl_chunk_list(s->store, "w", given, on_chunk, NULL, err))                               \
    X(ptl_game_save_put, options, ptl_game_save_put_options,                                   \
      ptl_game_save_put(NULL, s->world, given, err))                                           \
    X(ptl_game_save_put, report, ptl_game_save_put_report,                                     \
      ptl_game_save_put(given, s->world, NULL, err))                                           \
    X(ptl_game_save_write, options, ptl_game_save_write_options,                               \
      ptl_game_save_write(NULL, s->world, given, err))                                         \
    X(ptl_game_save_write, report, ptl_game_save_write_report,                                 \
      ptl_game_save_write(given, s->world, NULL, err))                                         \
    X(ptl_game_save_undo, options, ptl_game_save_undo_options,                                 \
      ptl_game_save_undo(NULL, given, err))                                                    \
    X(ptl_game_save_undo, report, ptl_game_save_undo_report,                                   \
      ptl_game_save_undo(given, NULL, err))                                                    \
    X(ptl_generate, options, ptl_generate_options, ptl_generate(NULL, s->world, given, err))   \
    X(ptl_generate, report, ptl_generate_report,                                               \
      ptl_generate(given, s->world, &(ptl_generate_options)PTL_GENERATE_OPTIONS_INIT, err))    \
    X(ptl_import, options, ptl_import_options, import(given, NULL, err))                       \
    X(ptl_import, report, ptl_import_report, import(NULL, given, err))                         \
    X(ptl_game_save_import, options, ptl_game_save_import_options,                             \
      ptl_game_save_import(NULL, s->world, given, err))                                        \
    X(ptl_game_save_import, report, ptl_game_save_import_report,                               \
      ptl_game_save_import(given, s->world, NULL, err))                                        \
    X(ptl_local_get, options, ptl_local_options, local_map(s, given, err))                     \
    X(ptl_loot_list, options, ptl_loot_options,                                                \
      ptl_loot_list(s->world, given, no_loot, NULL, err))                                      \
    X(ptl_loot_group_list, options, ptl_loot_options, loot_group(s, given, err))               \
    X(ptl_loot_tree_list, row, ptl_loot_row, loot_tree(s, given, err))                         \
    X(ptl_mapgen_new, options, ptl_mapgen_options, new_mapgen(s, given, err))                  \
    X(ptl_mapgen_fault_list, options, ptl_mapgen_check_options, check_mapgen(s, given, err))   \
    X(ptl_local_ford_find, out, ptl_local_ford,                                                \
      ptl_local_ford_find(given, s->world, 0, 0, 0, 0, 0, err))                                \
    X(ptl_local_surge_add, surge, ptl_local_surge, ptl_local_surge_add(s->world, given, err))  \
    X(ptl_local_surge_end, surge, ptl_local_surge, ptl_local_surge_end(s->world, given, err))  \
    X(ptl_local_water_get, out, ptl_local_water,                                               \
      ptl_local_water_get(given, s->world, 0, 0, 0, err))                                      \
    X(ptl_local_generate, options, ptl_local_generate_options,                                 \
      ptl_local_generate(NULL, s->world, given, err))                                          \
    X(ptl_local_generate, report, ptl_local_generate_report,                                   \
      ptl_local_generate(given, s->world, NULL, err))                                          \
    X(ptl_local_digest_get, out, ptl_local_digest_result,                                      \
      ptl_local_digest_get(given, s->world, NULL, err))                                        \
    X(ptl_index_state_load, out, ptl_index_state,                                              \
      ptl_index_state_load(given, s->store, "w", err))                                         \
    X(ptl_index_update, options, ptl_index_options,                                            \
      ptl_index_update(NULL, s->store, given, err))                                            \
    X(ptl_index_update, report, ptl_index_report,                                              \
      ptl_index_update(given, s->store, NULL, err))                                            \
    X(ptl_edit_reset, options, ptl_edit_reset_options,                                         \
      ptl_edit_reset(NULL, s->world, given, err))                                              \
    X(ptl_edit_reset, report, ptl_edit_reset_report,                                           \
      ptl_edit_reset(given, s->world, NULL, err))                                              \
    X(ptl_migrate, options, ptl_migrate_options, ptl_migrate(NULL, s->path, given, err))       \
    X(ptl_migrate, report, ptl_migrate_report, ptl_migrate(given, s->path, NULL, err))         \
    X(ptl_query, options, ptl_query_options, ptl_query(s->store, "SELECT 1", given, err))      \
    X(ptl_arrow_omt_stream, options, ptl_arrow_options, stream(s, given, err))                 \
    X(ptl_save_begin, options, ptl_save_options, save(s, given, NULL, err))                    \
    X(ptl_save_commit, report, ptl_save_report, save(s, NULL, given, err))                     \
    X(ptl_save_special_add, why, ptl_why_place, add_special(s, given, err))                    \
    X(ptl_regenerate, options, ptl_regenerate_options,                                         \
      ptl_regenerate(NULL, s->world, given, err))                                              \
    X(ptl_regenerate, report, ptl_regenerate_report,                                           \
      ptl_regenerate(given, s->world, NULL, err))                                              \
    X(ptl_render_png_write, options, ptl_render_options,                                       \
      ptl_render_png_write(s->world, given, take, NULL, err))                                  \
    X(ptl_render_svg_write, options, ptl_render_options,                                       \
      ptl_render_svg_write(s->world, given, take, NULL, err))                                  \
    X(ptl_render_text_write, options, ptl_render_options,                                      \
      ptl_render_text_write(s->world, given, false, take, NULL, err))                          \
    X(ptl_repair, options, ptl_repair_options, ptl_repair(NULL, s->store, given, err))         \
    X(ptl_repair, report, ptl_repair_report, ptl_repair(given, s->store, NULL, err))           \
    X(ptl_tally_add, options, ptl_sample_options, tally_sample(s, given, err))                 \
    X(ptl_search_run, report, ptl_search_report, search_world(s, NULL, NULL, given, err))      \
    X(ptl_search_seeds_new, fault, ptl_search_fault, search_seeds(s, NULL, given, err))        \
    X(ptl_search_seeds_new, options, ptl_search_options, search_seeds(s, given, NULL, err))    \
    X(ptl_search_world_new, fault, ptl_search_fault, search_world(s, NULL, given, NULL, err))  \
    X(ptl_search_world_new, options, ptl_search_options,                                       \
      search_world(s, given, NULL, NULL, err))                                                 \
    X(ptl_why_get, out, ptl_why, ptl_why_get(given, passed, s->world, "no such", HERE, err))   \
    X(ptl_why_place_get, out, ptl_why_place,                                                   \
      ptl_why_place_get(given, NULL, passed, s->world, "no such", (ptl_omt){0, 0, 0}, err))    \
    X(ptl_why_place_get, chunk, ptl_why,                                                       \
      ptl_why_place_get(&(ptl_why_place)PTL_WHY_PLACE_INIT, given, passed, s->world,           \
                        "no such", (ptl_omt){0, 0, 0}, err))                                   \
    X(ptl_journal_info_load, out, ptl_journal_info,                                            \
      ptl_journal_info_load(given, s->store, err))                                             \
    X(ptl_store_open, options, ptl_open_options, open_store(s, given, err))                    \
    X(ptl_sweep_counts_load, out, ptl_sweep_counts,                                            \
      ptl_sweep_counts_load(given, s->store, "s", err))                                        \
    X(ptl_sweep_run, options, ptl_sweep_options,                                               \
      ptl_sweep_run(NULL, s->store, "s", given, err))                                          \
    X(ptl_sweep_run, report, ptl_sweep_report,                                                 \
      ptl_sweep_run(given, s->store, "s", &(ptl_sweep_options)PTL_SWEEP_OPTIONS_INIT, err))    \
    X(ptl_area_get, options, ptl_area_options, tiles(s, given, NULL, err))                     \
    X(ptl_area_get, report, ptl_area_report, tiles(s, NULL, given, err))                       \
    X(ptl_trial_world_run, options, ptl_trial_options, try_on_world(s, given, NULL, err))      \
    X(ptl_trial_world_run, out, ptl_trial_report, try_on_world(s, NULL, given, err))           \
    X(ptl_trial_run, options, ptl_trial_options, try_special(s, given, NULL, err))             \
    X(ptl_trial_run, out, ptl_trial_report, try_special(s, NULL, given, err))                  \
    X(ptl_verify, counts, ptl_verify_counts, ptl_verify(given, s->store, NULL, NULL, err))     \
    X(ptl_seams_verify, options, ptl_seam_options,                                             \
      ptl_seams_verify(NULL, s->world, given, err))                                            \
    X(ptl_seams_verify, report, ptl_seam_report, ptl_seams_verify(given, s->world, NULL, err)) \
    X(ptl_world_counts_load, out, ptl_world_counts,                                            \
      ptl_world_counts_load(given, s->store, "w", err))                                        \
    X(ptl_world_create, options, ptl_world_options,                                            \
      ptl_world_create(s->store, "w", given, err))                                             \
    X(ptl_world_digest_get, out, ptl_world_digest_result,                                      \
      ptl_world_digest_get(given, s->world, err))                                              \
    X(ptl_world_settings, out, ptl_world_options, ptl_world_settings(given, s->world, err))    \
    X(ptl_world_open, options, ptl_world_open_options, open_world(s, given, err))

/* What each struct begins as. */
#define MEMBER(type, init, last) type begins_##type;
#define VALUE(type, init, last)  .begins_##type = init,
static const struct {
    SIZED_TYPES(MEMBER)
} all = {SIZED_TYPES(VALUE)};

#define DEFINE(call, parameter, type, with)                                                    \
    static ptl_status with_##call##_##parameter(const scene *s, void *bytes, ptl_error *err)   \
    {                                                                                          \
        type *given = bytes;                                                                   \
        (void)s;                                                                               \
        return with;                                                                           \
    }
CALLS(DEFINE)

typedef struct sized_call {
    const char *call, *parameter;
    const sized_type *type;
    const void *begins;
    ptl_status (*make)(const scene *s, void *given, ptl_error *err);
} sized_call;

#define LIST(call, parameter, type, with)                                                      \
    {#call, #parameter, &sized_##type, &all.begins_##type, with_##call##_##parameter},
static const sized_call calls[] = {CALLS(LIST)};

enum { COUNT = sizeof calls / sizeof *calls, BEHIND = 64, CANARY = 0xa5 };

/* ---- trying them ---- */

/* The struct as its macro begins it, but of this size, with canaries behind; *bytes is owned.
 */
static unsigned char *begin(const sized_call *c, size_t size)
{
    const size_t known = c->type->now < size ? c->type->now : size;
    unsigned char *bytes = calloc(1, size + BEHIND);
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, c->begins, known);
    memset(bytes + size, CANARY, BEHIND);
    memcpy(bytes, &size, sizeof size);
    return bytes;
}

static void expect_untouched(const sized_call *c, const unsigned char *bytes, size_t size)
{
    ck_assert_msg(memcmp(bytes, &size, sizeof size) == 0, "%s: %s.size", c->call, c->parameter);
    for (size_t i = 0; i < BEHIND; i++)
        ck_assert_msg(bytes[size + i] == CANARY, "%s: %s of %zu bytes, byte %zu", c->call,
                      c->parameter, size, size + i);
}

static ptl_status call_with(const scene *s, const sized_call *c, size_t size, ptl_error *err)
{
    unsigned char *bytes = begin(c, size);
    ptl_status status = c->make(s, bytes, err);
    expect_untouched(c, bytes, size);
    free(bytes);
    return status;
}

static void expect_refused(const scene *s, const sized_call *c, size_t size)
{
    char message[160];
    ptl_error err = {0};
    unsigned char *bytes = begin(c, c->type->now);
    memcpy(bytes, &size, sizeof size);
    snprintf(message, sizeof message, "%s: %s.size is %zu: begin with %s", c->call,
             c->parameter, size, c->type->init);
    ck_assert_msg(c->make(s, bytes, &err) == PTL_ERR_ARGUMENT, "%s: %s", c->call, c->parameter);
    ck_assert_str_eq(err.message, message);
    ck_assert_int_eq(memcmp(bytes, &size, sizeof size), 0);
    free(bytes);
}

/* Options, and a surge, that ask for what only a newer library has; a result's tail may hold
 * anything. */
static void expect_no_wishes(const scene *s, const sized_call *c, ptl_status wanted)
{
    ptl_error err = {0};
    const size_t size = c->type->now + 16;
    const bool is_options =
        strcmp(c->parameter, "options") == 0 || strcmp(c->parameter, "surge") == 0;
    unsigned char *bytes = begin(c, size);
    bytes[size - 1] = 1;
    ptl_status status = c->make(s, bytes, &err);
    ck_assert_msg(status == (is_options ? PTL_ERR_ARGUMENT : wanted), "%s: %s: %s", c->call,
                  c->parameter, err.message);
    if (is_options)
        ck_assert_ptr_nonnull(strstr(err.message, "what lies behind them must be 0"));
    ck_assert_uint_eq(bytes[size - 1], 1);
    expect_untouched(c, bytes, size);
    free(bytes);
}

/* In one file, each after the other: every one leaves the world as it is. */
START_TEST(sizes_of_every_call)
{
    scene s;
    ptl_error err = {0};
    ptl_chunk *chunk;
    world_file_path(s.path);
    snprintf(s.copy, sizeof s.copy, "%s-copy", s.path);
    s.store = world_file_open(s.path, "w", 7);
    s.world = world_file_world(s.store, "w");
    ck_assert_int_eq(ptl_chunk_get(&chunk, s.world, HERE, &err), PTL_OK);
    ptl_chunk_free(chunk);
    ck_assert_int_eq(ptl_cache_new(&s.cache, s.world, NULL, &err), PTL_OK);
    for (const sized_call *c = calls; c < calls + COUNT; c++) {
        expect_refused(&s, c, 0);
        expect_refused(&s, c, c->type->first - 1);
        expect_refused(&s, c, SIZED_MAX + 1);
        const ptl_status wanted = call_with(&s, c, c->type->now, &err);
        ck_assert_msg(!strstr(err.message, ".size"), "%s", err.message);
        ck_assert_int_eq(call_with(&s, c, c->type->first, &err), wanted);
        ck_assert_int_eq(call_with(&s, c, c->type->now + 16, &err), wanted);
        expect_no_wishes(&s, c, wanted);
    }
    ptl_terrain terrain = PTL_TERRAIN_INIT; /* a call without an error record */
    ck_assert_int_eq(ptl_catalogue_oter(&terrain, ptl_world_catalogue(s.world), 0), PTL_OK);
    terrain = (ptl_terrain){.rotation = 7};
    ck_assert_int_eq(ptl_catalogue_oter(&terrain, ptl_world_catalogue(s.world), 0),
                     PTL_ERR_ARGUMENT);
    ck_assert(terrain.rotation == 7 && !terrain.id);
    ptl_cache_free(s.cache);
    ptl_world_close(s.world);
    ptl_store_close(s.store);
    (void)remove(s.copy);
    world_file_remove(s.path);
}
END_TEST

/* Options within options say where they stand. */
START_TEST(sizes_within_options)
{
    ptl_error err = {0};
    const ptl_open_options open = {.mode = PTL_OPEN_WRITE};
    const ptl_migrate_options migrate = {.size = sizeof migrate, .open = &open};
    ck_assert_int_eq(ptl_migrate(NULL, "nowhere", &migrate, &err), PTL_ERR_ARGUMENT);
    ck_assert_str_eq(err.message,
                     "ptl_migrate: options.open.size is 0: begin with PTL_OPEN_OPTIONS_INIT");
    const ptl_world_options settings = {.seed = 1};
    ptl_trial_report report = PTL_TRIAL_REPORT_INIT;
    const ptl_trial_options o = {.size = sizeof o, .world = &settings};
    ck_assert_int_eq(ptl_trial_run(&report, NULL, "x", &o, &err), PTL_ERR_ARGUMENT);
    ck_assert_str_eq(
        err.message,
        "ptl_trial_run: options.world.size is 0: begin with PTL_WORLD_OPTIONS_INIT");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sized calls");
    TCase *tcase = tcase_create("calls");
    tcase_add_test(tcase, sizes_of_every_call);
    tcase_add_test(tcase, sizes_within_options);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
