/* Worlds: creates and opens them, and answers questions about them that need no generation. */
#include "world/world.h"

#include "core/settings.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "os/clock.h"
#include "world/edits.h"
#include "world/places.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_MAX_BYTES = 100 };

ptl_status world_text_check(const char *subject, const char *text, ptl_error *err)
{
    if (!utf8_valid(text))
        return error_set(err, PTL_ERR_ARGUMENT, "%s must be UTF-8", subject);
    if (!utf8_is_plain(text))
        return error_set(err, PTL_ERR_ARGUMENT, "%s must not contain control characters",
                         subject);
    return PTL_OK;
}

ptl_status world_name_check(const char *what, const char *name, ptl_error *err)
{
    char subject[40];
    size_t length = name ? strlen(name) : 0;
    (void)snprintf(subject, sizeof subject, "a %s's name", what);
    if (length == 0 || length > NAME_MAX_BYTES)
        return error_set(err, PTL_ERR_ARGUMENT, "%s has 1 to %d bytes", subject,
                         NAME_MAX_BYTES);
    return world_text_check(subject, name, err);
}

ptl_status world_options_check(const ptl_world_options *o, ptl_error *err)
{
    for (size_t i = 0; i < SETTINGS_OF_WORLDS; i++)
        if (!setting_is_allowed(o, &setting_rows[i]))
            return error_set(err, PTL_ERR_ARGUMENT, "%s is %g; it must be %g to %g",
                             setting_rows[i].option, setting_number(o, &setting_rows[i]),
                             setting_rows[i].low, setting_rows[i].high);
    return PTL_OK;
}

world_row world_row_of(const char *name, const ptl_world_options *from, int64_t content_id)
{
    world_row out = {.name = (char *)(uintptr_t)name,
                     .seed = from->seed,
                     .generator_version = PTL_GENERATOR_VERSION,
                     .content_id = content_id};
    PTL_WORLD_SETTINGS(WORLD_ROW_TAKE, &out)
    return out;
}

ptl_world_options world_row_options(const world_row *from)
{
    ptl_world_options out = {.size = sizeof(ptl_world_options), .seed = from->seed};
    PTL_WORLD_SETTINGS(WORLD_ROW_TAKE, &out)
    return out;
}

ptl_status ptl_world_create(ptl_store *store, const char *name,
                            const ptl_world_options *options, ptl_error *err)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    catalogue *cat = NULL;
    gen_config *config = NULL;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_world_options, &o, options, err));
    TRY(world_name_check("world", name, err));
    TRY(world_options_check(&o, err));
    ptl_status status = ops(store)->content->load(&cat, store, err);
    /* gen_config_new chooses the settings that the options leave to the content. It also
     * refuses a world that can't be made with this content, so that the user need not wait for
     * the first chunk to learn it. */
    THEN(status, gen_config_new(&config, cat, &o, err));
    if (status == PTL_OK) {
        const world_row row = world_row_of(name, &config->options, cat->content_id);
        status = ops(store)->transaction->begin(store, err);
        THEN(status,
             world_end_writing(store, ops(store)->world->insert(NULL, store, &row, err), err));
    }
    gen_config_free(config);
    if (cat && ops(store)->content->unload)
        ops(store)->content->unload(store, cat);
    else
        catalogue_free(cat);
    return status;
}

static void drop_mapgen(ptl_world *world)
{
    if (world->mapgen)
        world->mapgen_free(world->mapgen);
    world->mapgen = NULL;
}

static ptl_status open_catalogue(ptl_world *world, int64_t content, bool current,
                                 ptl_error *err)
{
    catalogue *cat;
    TRY(ops(world->store)->content->current(&world->current_content, world->store, err));
    TRY(ops(world->store)->content->load_for(&cat, world->store, content, current, err));
    catalogue_free(world->cat_before);
    /* The mapgen in memory was compiled from the content that the world had before. */
    drop_mapgen(world);
    world->cat_before = world->cat;
    world->cat = cat;
    return PTL_OK;
}

ptl_status ptl_world_open(ptl_world **out, ptl_store *store, const char *name,
                          const ptl_world_open_options *options, ptl_error *err)
{
    ptl_world_open_options o = PTL_WORLD_OPEN_OPTIONS_INIT;
    error_clear(err);
    *out = NULL;
    TRY(SIZED_TAKE(ptl_world_open_options, &o, options, err));
    ptl_world *world = calloc(1, sizeof *world);
    if (!world)
        return error_nomem(err);
    world->store = store;
    world->accept_content = o.accept_content;
    world->base = o.base;
    ptl_status status = ops(store)->world->find(&world->row, store, name, err);
    int64_t content = world->row.content_id;
    if (status == PTL_OK && o.as_chunk) {
        chunk_info info;
        bool found = false;
        status = ops(store)->chunk->find(&info, &found, store, world->row.id, *o.as_chunk, err);
        content = found ? info.content_id : content;
    }
    THEN(status, open_catalogue(world, content, world->accept_content, err));
    if (status != PTL_OK) {
        ptl_world_close(world);
        return status;
    }
    world->options = world_row_options(&world->row);
    *out = world;
    return PTL_OK;
}

void ptl_world_close(ptl_world *world)
{
    if (!world)
        return;
    /* Ends the row in `run` for the chunks that ptl_chunk_get has made. If that fails, the row
     * stays without an end in the file, as if the process had been killed. */
    if (world->run_id != 0) {
        ops(world->store)->transaction->deafen(world->store, true);
        if (!world->run_uncertain || ops(world->store)
                                             ->run->count(&world->run_chunks, world->store,
                                                          world->run_id, NULL) == PTL_OK)
            (void)ops(world->store)
                ->run->end(world->store, world->run_id, world->run_chunks,
                           clock_seconds() - world->run_started, "done", NULL);
        ops(world->store)->transaction->deafen(world->store, false);
    }
    generator_free(world->gen);
    gen_config_free(world->config);
    codec_free(world->codec);
    codec_free(world->local_codec);
    catalogue_free(world->cat);
    catalogue_free(world->cat_before);
    drop_mapgen(world);
    world_row_dispose(&world->row);
    free(world);
}

const char *ptl_world_name(const ptl_world *world)
{
    return world->row.name;
}

ptl_status ptl_world_settings(ptl_world_options *out, const ptl_world *world, ptl_error *err)
{
    error_clear(err);
    const ptl_status status = SIZED_CHECK(ptl_world_options, out, err);
    SIZED_FILL(ptl_world_options, out, &world->options);
    return status;
}

const char *ptl_world_oter_name(const ptl_world *world, ptl_oter oter)
{
    return oter < catalogue_all_oters(world->cat) ? world->cat->oters[oter].id : "";
}

ptl_status ptl_world_digest_get(ptl_world_digest_result *out, ptl_world *world, ptl_error *err)
{
    ptl_world_digest_result r = PTL_WORLD_DIGEST_RESULT_INIT;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_world_digest_result, out, err));
    bool own;
    TRY(ops(world->store)->transaction->begin_snapshot(world->store, &own, err));
    ptl_status status = ops(world->store)->world->digest(&r, world->store, world->row.id, err);
    THEN(status, world_edits_digest(&r, world, err));
    THEN(status, world_placed_digest(&r, world, err));
    THEN(status, world_saved_digest(&r, world, err));
    ops(world->store)->transaction->end_snapshot(world->store, own);
    TRY(status);
    SIZED_FILL(ptl_world_digest_result, out, &r);
    return PTL_OK;
}

/* Makes config, generator and codec from the present catalogue, unless they exist. */
static ptl_status prepare_generator(ptl_world *world, ptl_error *err)
{
    if (world->row.generator_version > PTL_GENERATOR_VERSION)
        return error_set(err, PTL_ERR_NEWER,
                         "world '%s' was made by a newer generator (version %d, this is %d)",
                         world->row.name, world->row.generator_version, PTL_GENERATOR_VERSION);
    if (world->codec)
        return PTL_OK;
    /* Generated chunks are stored, so they must not be made from damaged definitions. The
     * content is not checked when a world is only opened for reading, because the check doubles
     * the time of loading. (Contents of earlier imports are checked whenever they are
     * loaded.) */
    if (!world->config && world->cat->content_id == world->current_content)
        TRY(ops(world->store)->content->check_loaded(world->store, err));
    if (!world->config)
        TRY(gen_config_new(&world->config, world->cat, &world->options, err));
    assert(world->config);
    world->config->stop = ops(world->store)->transaction->stop_hook(world->store);
    if (!world->gen)
        world->gen = generator_new(world->config);
    if (world->gen)
        world->codec = codec_new();
    return world->codec ? PTL_OK : error_nomem(err);
}

static ptl_status mismatch(const ptl_world *world, ptl_error *err)
{
    return error_set(err, PTL_ERR_MISMATCH,
                     "world '%s' was made with other content than the file holds now; "
                     "import that content again, or accept the new one to go on with it",
                     world->row.name);
}

ptl_status world_prepare(ptl_world *world, ptl_error *err)
{
    if (world->row.content_id != world->current_content && !world->accept_content)
        return mismatch(world, err);
    if (world->cat->content_id != world->current_content) {
        /* Makes the world use the file's present content from now on. */
        generator_free(world->gen);
        gen_config_free(world->config);
        codec_free(world->codec);
        world->gen = NULL;
        world->config = NULL;
        world->codec = NULL;
        TRY(open_catalogue(world, 0, true, err));
    }
    return prepare_generator(world, err);
}

ptl_status world_prepare_again(ptl_world *world, const ptl_chunk_pos *pos, ptl_error *err)
{
    chunk_info info;
    bool found = false;
    if (pos)
        TRY(ops(world->store)
                ->chunk->find(&info, &found, world->store, world->row.id, *pos, err));
    if (found && !info.imported && info.content_id != world->cat->content_id)
        return error_set(err, PTL_ERR_MISMATCH,
                         "chunk %d,%d of world '%s' was made with other content", pos->x,
                         pos->y, world->row.name);
    if (!found && world->row.content_id != world->cat->content_id && !world->accept_content)
        return mismatch(world, err);
    return prepare_generator(world, err);
}

typedef struct city_search {
    const int64_t *rect;
    world_city_visit visit;
    void *payload;
} city_search;

static ptl_status on_city(void *payload, const city_row *row, ptl_error *err)
{
    const city_search *s = payload;
    const world_city city = {.name = row->name,
                             .x = (int64_t)row->chunk.x * PTL_CHUNK_SIZE + row->x,
                             .y = (int64_t)row->chunk.y * PTL_CHUNK_SIZE + row->y,
                             .size = row->size};
    (void)err;
    if (city.x >= s->rect[0] && city.x <= s->rect[2] && city.y >= s->rect[1] &&
        city.y <= s->rect[3])
        s->visit(s->payload, &city);
    return PTL_OK;
}

ptl_status world_cities(ptl_world *world, const int64_t rect[4], world_city_visit visit,
                        void *payload, ptl_error *err)
{
    city_search search = {rect, visit, payload};
    const ptl_chunk_pos first = ptl_omt_chunk((ptl_omt){rect[0], rect[1], 0});
    const ptl_chunk_pos last = ptl_omt_chunk((ptl_omt){rect[2], rect[3], 0});
    return ops(world->store)
        ->chunk->city_visit(world->store, world->row.id, first, last, on_city, &search, err);
}

ptl_status world_content_digest(ptl_world *world, char out[65], ptl_error *err)
{
    return ops(world->store)->content->digest(out, world->store, world->row.content_id, err);
}
